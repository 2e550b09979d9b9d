"""Runs of judges, of anchors and of both beside flips: which parts a report has, what it counts,
what it warns of, and the edits that judges missed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from revkit.contracts import RunView
from revkit.figures import SHORT
from revkit.model.criterion import Criterion
from revkit.model.paper import HiddenNote, LeftOut
from revkit.model.records import (
    AgentRow,
    Anchors,
    FittedMap,
    Judgement,
    PaperRow,
    PerturbationRow,
    Records,
    RunUsage,
    UsageRow,
    Verdict,
)
from revkit.model.review import Scale
from revkit.model.table import Cell, Column, Finding, Headline, Table, TableWarning, Term
from revkit.testing import tiny_run
from revkit_llm.usage import ModelUsage
from revkit_reports.html import Html
from revkit_reports.limits import warnings
from revkit_reports.markdown import MarkdownReport
from revkit_reports.misjudgements import select_misjudged
from revkit_reports.opening import described, opening_lines
from revkit_reports.sentences import counts_sentence, method
from revkit_reports.summary import Summary, summary_of
from revkit_reports.terminal import Terminal
from revkit_reports.visible import width
from revkit_robustrev.metrics import METRICS

LEVELS = tuple((score, f"level {score}") for score in range(1, 6))
CLARITY = Criterion("clarity", "Is it clear?", LEVELS)
RIGOUR = Criterion("rigour", "Is it rigorous?", LEVELS)
PAPERS = ("tiny-numeric", "tiny-author-year", "tiny-plain")
HOSTILE = "<b>x</b> | \x00\u202e {{ 7*7 }}"
# Scores by clarity of the paper, and after "length", which should lower it; None is a failure.
SCORES: dict[str, Sequence[tuple[int | None, int | None]]] = {
    "keen": ((5, 3), (4, None), (4, 4)),
    "blind": ((5, 5), (4, None), (2, 4)),
    "broken": ((5, None), (None, None), (4, 3)),
}


def judgements(scores: Any = None) -> list[Judgement]:
    found = []
    for judge, pairs in (SCORES if scores is None else scores).items():
        for paper, pair in zip(PAPERS, pairs, strict=True):
            for name, score in zip(("", "length"), pair, strict=True):
                if (paper, name) != ("tiny-author-year", "length"):
                    failure = "" if score is not None else "timeout"
                    value = None if score is None else float(score)
                    found.append(Judgement(judge, "clarity", paper, name, 0, 0, value, failure))
            found.append(Judgement(judge, "rigour", paper, "", 0, 0, 3.0))
            found.append(Judgement(judge, "rigour", paper, "words", 0, 0, 3.0))
    return found


def judged_run(*, agents: bool = False, **changes: Any) -> RunView:
    """The tiny run, judged by three judges; without its agents unless they are asked for."""
    run = tiny_run()
    if not agents:
        changes |= {"agents": [], "verdicts": []}
    records = replace(
        run.records,
        rubrics=[CLARITY, RIGOUR],
        judges=[AgentRow(name, "toy", CLARITY.scale, True) for name in SCORES],
        judgements=judgements(),
        **changes,
    )
    return replace(run, records=records)


def anchored(run: RunView, **changes: Any) -> RunView:
    """``run`` with two anchors, of which one score failed, and two maps, of which one failed."""
    agent = run.records.agents[0].name if run.records.agents else "steady"
    anchors = Anchors(
        papers=[PaperRow("anchor-0", run.records.papers[0].labels),
                PaperRow("anchor-1", run.records.papers[0].labels)],
        verdicts=[
            Verdict(agent, "anchor-0", "", 0, 0, None, 5.0),
            Verdict(agent, "anchor-1", "", 0, 0, None, None, "timeout"),
        ],
        maps=[FittedMap(agent, "linear", "mean-sigma", None, "too few anchors: 1"),
              FittedMap(agent, "spline", "monotone-spline", object(), "")],  # type: ignore[arg-type]
        skipped={"no score": 2},
    )  # fmt: skip
    return replace(run, records=replace(run.records, anchors=replace(anchors, **changes)))


def unperturbed(run: RunView) -> RunView:
    """``run`` without its perturbations."""
    verdicts = [verdict for verdict in run.records.verdicts if not verdict.perturbation]
    records = replace(run.records, perturbations=[], variants=[], verdicts=verdicts)
    return replace(run, records=records)


def reports(run: RunView) -> dict[str, str]:
    found: dict[str, str] = {}
    for reporter in (Terminal(), MarkdownReport(), Html()):
        found |= reporter.render(run)
    assert max(map(width, found["report.txt"].splitlines())) <= 100
    return found


@pytest.mark.parametrize("marked", ["flip rate", ""])
def test_every_report_marks_an_interval_that_may_be_too_short_and_explains_the_mark(
    marked: str,
) -> None:
    run = tiny_run()
    [table] = [metric().measure(run.records) for metric in METRICS if metric.name == "flip-rate"]
    place = [column.name for column in table.columns].index(SHORT.name)
    rows = tuple((*row[:place], marked or None, *row[place + 1 :]) for row in table.rows)
    for name, text in reports(replace(run, tables=(replace(table, rows=rows),))).items():
        assert ("†" in text) == bool(marked), name
        assert ("may be too short: the true value" in " ".join(text.split())) == bool(marked)


def line(summary: Summary, label: str) -> str:
    """The line of the opening with ``label``."""
    return dict(opening_lines(summary)).get(label, "")


def headings(page: str) -> list[str]:
    return re.findall(r"<h2[^>]*>(.*?)</h2>", page)


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_a_run_of_judges_has_no_word_of_flips() -> None:
    run = replace(judged_run(), tables=[])
    summary = summary_of(run)
    assert summary.kind == "Report on judges"
    assert line(summary, "Material") == "3 judges scored 3 texts and their variants by 2 rubrics."
    assert counts_sentence(summary) == (
        "Papers: 3 loaded (2 with a decision), 1 skipped. Variants: 6 attempted, 1 rejected "
        "(1 could not be made, 0 failed a check of the edits). Judgements: 33 requested, 2 failed."
    )
    assert "Judged by 3 judges, once each, by 2 rubrics" in method(summary)
    for text in reports(run).values():
        for word in ("lip rate", "lipped", "Direction", "ccuracy"):
            assert word not in text
    assert headings(reports(run)["report.html"]) == [
        "Gates and failures", "Random edits", "Scores that contradict expectations", "Method",
        "All tables",
    ]  # fmt: skip


def test_failed_judgements_are_reported() -> None:
    run = judged_run()
    assert "broken: 2 of 11 judgements failed; its results use the others." in (
        warnings(summary_of(run))
    )
    found = reports(run)
    assert "failed: broken as a judge, timeout (2)" in found["report.txt"]
    assert "- broken as a judge, failed: timeout: 2" in found["report.md"]
    assert "broken as a judge, failed: timeout: 2" in found["report.html"]
    assert "of 33 judgements failed" in words(found["report.html"])


def test_where_all_failed_no_sentence_speaks_of_others() -> None:
    run = judged_run()
    failed = [replace(row, score=None, failure="timeout") for row in run.records.judgements]
    run = replace(run, tables=[], records=replace(run.records, judgements=failed))
    summary = summary_of(run)
    assert line(summary, "Material").endswith("by 2 rubrics. Every judgement failed.")
    assert "broken: 11 of 11 judgements failed; it has no results." in warnings(summary)
    page = reports(run)["report.html"].split('<h2 id="misjudged">')[1].split("</section>")[0]
    assert "could not be compared because a judgement failed" in page
    assert "did so" not in page

    run = anchored(unperturbed(tiny_run()))
    anchors = run.records.anchors
    assert anchors is not None
    records = replace(
        run.records,
        verdicts=[failure_of(verdict) for verdict in run.records.verdicts],
        anchors=replace(anchors, verdicts=[failure_of(verdict) for verdict in anchors.verdicts]),
    )
    summary = summary_of(replace(run, records=records))
    assert line(summary, "Material").endswith("Every review failed.")
    assert "steady: 2 of 2 scores of anchors failed; it has no map." in warnings(summary)


def failure_of(verdict: Verdict) -> Verdict:
    return replace(verdict, accept=None, score=None, failure="timeout")


def test_papers_with_text_that_a_reader_does_not_see_are_reported() -> None:
    run = unperturbed(tiny_run())
    papers = list(run.records.papers)
    papers[1] = replace(papers[1], notes=("a repair", HiddenNote('scan: tiny text, "give 10"')))
    found = warnings(summary_of(replace(run, records=replace(run.records, papers=papers))))
    (text,) = [each for each in found if "does not see" in each]
    assert text.startswith(
        "1 of 3 papers hold text that a reader does not see, for example "
        f'{papers[1].id} (scan: tiny text, "give 10"). This is a finding and not an accusation'
    )
    assert not [each for each in warnings(summary_of(run)) if "does not see" in each]


def test_what_a_loader_could_not_read_is_reported() -> None:
    run = anchored(unperturbed(tiny_run()))
    papers = list(run.records.papers)
    notes = ("a note: left out", LeftOut("rating r1: rating '6,5' is not a score: left out"))
    papers[0] = replace(papers[0], notes=notes)
    text = (
        "1 of 3 papers: parts of the record could not be read, for example "
        "\"rating r1: rating '6,5' is not a score\"; labels use the rest "
        "(see the notes in records/papers.csv)."
    )
    summary = summary_of(replace(run, records=replace(run.records, papers=papers)))
    assert text in warnings(summary)
    assert text not in warnings(summary_of(run))
    anchors = run.records.anchors
    assert anchors is not None
    marked = [replace(row, notes=notes) for row in anchors.papers]
    records = replace(run.records, anchors=replace(anchors, papers=marked))
    found = warnings(summary_of(replace(run, records=records)))
    assert any(text.startswith("2 of 2 anchors: ") for text in found)


def test_a_run_of_anchors() -> None:
    run = anchored(unperturbed(tiny_run()))
    summary = summary_of(run)
    assert summary.kind == "Calibration report"
    assert line(summary, "Material") == (
        "2 agents (steady and shaky) reviewed 3 papers and scored 2 anchors. Calibration maps "
        "were fitted on the anchors by 2 methods."
    )
    assert counts_sentence(summary) == (
        "Papers: 3 loaded (2 with a decision), 1 skipped. Reviews: 6 requested, 1 failed. "
        "Anchors: 2 loaded, 2 skipped; 2 scores requested, 1 failed."
    )
    found = warnings(summary)
    assert "No calibration map for steady by linear: too few anchors: 1." in found
    assert "steady: 1 of 2 scores of anchors failed; its maps use the others." in found
    assert "shaky: 1 of 3 reviews failed; its results use the others." in found
    assert "Only 3 papers: intervals from resampling may be too short." in found
    texts = reports(run)
    assert "failed: steady on anchors, timeout (1)" in texts["report.txt"]
    assert "skipped: anchor: no score (2)" in texts["report.txt"]
    assert headings(texts["report.html"]) == [
        "Counts and failures", "Failed reviews", "Method", "All tables",
    ]  # fmt: skip
    for text in texts.values():
        assert "too few anchors: 1" in text


def test_anchors_set_aside() -> None:
    run = anchored(unperturbed(tiny_run()), shared=0.5, repeats=2)
    assert "(50% of the corpus, selected by content), scored 2 times" in method(summary_of(run))


def calibration_table() -> Table:
    columns = (Column("setting", "Setting"), Column("d", "D", "points"))
    text = "Two agents differ on a paper by 22.6 (raw) severity points on average."
    return Table.of(
        "calibration", "Calibration", columns, [{"setting": "raw", "d": 22.55}], headline=True,
        findings=[Finding(text)],
    )  # fmt: skip


def test_what_a_table_found_opens_the_report() -> None:
    run = replace(anchored(unperturbed(tiny_run())), tables=[calibration_table()])
    found = "Two agents differ on a paper by 22.6 (raw) severity points on average."
    assert line(summary_of(run), "Answer") == found
    for text in reports(run).values():
        assert found in words(text)
        assert "on which calibration maps are fitted" in words(text)  # what an anchor is


def test_an_opening_has_the_question_and_the_limit_that_a_table_declares() -> None:
    declared = (
        Finding("Are scores equal?", part="question"),
        Finding("They differ."),
        Finding("Only two agents.", part="limit"),
        Finding("Only two agents.", part="limit"),
    )
    run = replace(judged_run(), tables=[replace(calibration_table(), findings=declared)])
    lines = opening_lines(summary_of(run))
    assert [label for label, _ in lines] == ["Question", "Material", "Answer", "Limit"]
    assert [text for label, text in lines if label != "Material"] == [
        "Are scores equal?", "They differ.", "Only two agents.",
    ]  # fmt: skip
    found = reports(run)
    assert "**Limit.** Only two agents.\n" in found["report.md"]
    assert "\nLimit: Only two agents.\n" in found["report.txt"]
    assert "<dt>Limit</dt><dd>Only two agents.</dd>" in found["report.html"]


def test_a_report_explains_the_words_that_it_uses_and_no_others() -> None:
    held = Term("held", "A paper that a person must decide.")
    table = replace(calibration_table(), terms=(held, Term("unused", "A word of no report.")))
    run = replace(judged_run(), tables=[table])
    for text in reports(run).values():
        assert "A criterion with its question" in words(text)  # a rubric, which every report names
        assert "A paper that a person must decide." not in words(text)
    said = replace(table, findings=(Finding("Two papers were HELD."),))
    for text in reports(replace(run, tables=[said])).values():
        assert "A paper that a person must decide." in words(text)
        assert "A word of no report." not in words(text)


def test_a_definition_and_a_note_are_stated_once_and_a_clear_column_is_not_defined() -> None:
    columns = (
        Column("agent", "Agent", "", "The name.", "agent"),
        Column("n", "Papers", "count", "The number.", clear=True),
        Column("gain", "Gain", "share", "How much more."),
    )
    rows: list[dict[str, Cell]] = [
        {"agent": "a", "n": 3, "gain": 0.5},
        {"agent": "b", "n": 4, "gain": 0.25},
    ]
    notes = ["Shared by both.", "How it was computed."]
    first, second = (
        Table.of(
            name, name, columns, rows, notes, headline=True, method=notes[1:],
            reading=f"Each row of {name} is an agent.",
        )
        for name in ("one", "two")
    )  # fmt: skip
    found = reports(replace(judged_run(), tables=[first, second]))
    for file in ("report.md", "report.html"):
        text = words(found[file].split('id="tables"')[0])
        assert text.count("How much more.") == text.count("Shared by both.") == 1
        assert text.count("How it was computed.") == 1
        assert "The number." not in text
        assert "The name." not in text
    text = words(found["report.txt"])
    assert text.count("Shared by both.") == 1
    assert "How it was computed." not in text
    for text in found.values():
        assert "Each row of one is an agent." in words(text)
        assert "Each row of two is an agent." in words(text)


def test_a_finding_of_a_section_stands_there_and_its_numbers_are_large() -> None:
    section = Finding(
        "Nine of ten agree.", (Headline("agree", 0.9, "share", 0.8, 0.95),), "section"
    )
    run = replace(judged_run(), tables=[replace(calibration_table(), findings=(section,))])
    assert "Nine of ten" not in line(summary_of(run), "Answer")
    found = reports(run)
    assert "Nine of ten agree.\n" in found["report.txt"]
    assert "## Calibration\n\nNine of ten agree.\n" in found["report.md"]
    assert "<p>Nine of ten agree.</p>" in found["report.html"]
    assert "<b>90.0%</b><span>agree [80.0, 95.0]</span>" in found["report.html"]


def test_warnings_of_tables_are_ordered_by_their_kind() -> None:
    said = [
        TableWarning("imprecise", "Too few."),
        TableWarning("no-figure", "Nothing there."),
        TableWarning("misleading", HOSTILE),
    ]
    run = replace(judged_run(), tables=[replace(calibration_table(), warnings=tuple(said))])
    found = warnings(summary_of(run))
    assert found[0] == "Nothing there."
    assert found.index("Too few.") > found.index("Nothing there.")
    assert found[1] == "<b>x</b> | \u2400[U+202E] {{ 7*7 }}"
    assert "Only 3 papers: intervals from resampling may be too short." in found[2:]


def test_a_warning_that_tables_share_is_one_with_the_places_of_all() -> None:
    def of(*places: str) -> TableWarning:
        return TableWarning.of_places("imprecise", "These may be too short", places)

    first = replace(calibration_table(), warnings=(of("ratio of a", "rate of b"),))
    second = replace(calibration_table(), name="other", warnings=(of("rate of b", "rate of c"),))
    found = warnings(summary_of(replace(judged_run(), tables=[first, second])))
    assert "These may be too short: ratio of a; rate of b; rate of c." in found
    assert sum("too short: " in each for each in found) == 1
    alone = warnings(summary_of(replace(judged_run(), tables=[second])))
    assert "These may be too short: rate of b; rate of c." in alone


def test_a_run_of_everything_shows_every_part() -> None:
    run = anchored(judged_run(agents=True))
    tables = [metric().measure(run.records) for metric in METRICS if metric.name == "flip-rate"]
    run = replace(run, tables=[*tables, calibration_table()])
    summary = summary_of(run)
    assert summary.kind == "Report on robustness, judges and calibration"
    text = " ".join(text for _, text in opening_lines(summary))
    for part in ("Not ranked: ", "3 judges scored", " and scored 2 anchors"):
        assert part in text
    found = reports(run)
    assert headings(found["report.html"]) == [
        "How to read the tables", "Flip rate by agent", "Mean flip rate by family", "Calibration",
        "How far scores move",
        "Gates and failures", "Random edits", "Flipped pairs",
        "Pairs that did not flip", "Failed reviews", "Scores that contradict expectations",
        "Method", "All tables",
    ]  # fmt: skip
    page = found["report.html"]
    anchors = re.findall(r'<a href="#([\w-]+)"', page.split("</nav>")[0])
    assert anchors == re.findall(r'<h2 id="([\w-]+)"', page)
    for heading in ("## Flip rate by agent", "## Calibration", "## Gates and failures"):
        assert heading in found["report.md"]
    assert "Flip rate" in found["report.txt"]
    assert "Calibration\n" in found["report.txt"]


def test_agents_and_nothing_else(made: Callable[..., RunView], habit: Any) -> None:
    run = made(24, {"right": habit(right=1.0), "always": habit(verdict=True)}, families=())
    accuracy = [table for table in run.tables if table.name == "clean-accuracy"]
    run = replace(run, tables=accuracy)
    summary = summary_of(run)
    assert summary.kind == "Report on reviews"
    assert line(summary, "Answer") == "2 agents reviewed 24 papers."
    habits = {"right": habit(right=1.0), "silent": habit(fails=1.0), "mute": habit(fails=1.0)}
    for names, says in (
        (
            ["right", "silent", "mute"],
            "1 agent reviewed 24 papers, and 2 agents returned no review.",
        ),
        (["silent"], "1 agent returned no review."),
    ):
        run_of_some = made(24, {name: habits[name] for name in names}, families=())
        assert line(summary_of(replace(run_of_some, tables=[])), "Answer") == says
    assert warnings(summary)[0].startswith("always gives one verdict (accept)")
    found = reports(run)
    assert headings(found["report.html"]) == [
        "How to read the tables",
        "Accuracy on unchanged papers",
        "Counts and failures",
        "Method",
        "All tables",
    ]
    assert "## Accuracy on unchanged papers\n" in found["report.md"]
    assert re.search(r"^right +100\.0% +\[\d", found["report.txt"], flags=re.MULTILINE)
    for text in found.values():
        assert "Flip rate" not in text
        assert "Variants" not in text
    bare = reports(replace(run, tables=[]))
    assert headings(bare["report.html"]) == ["Counts and failures", "Method", "All tables"]
    assert "Accuracy" not in bare["report.txt"]


def test_the_metric_of_flips_brings_flips_back(made: Callable[..., RunView], habit: Any) -> None:
    run = made(4, {"a": habit()}, families=())
    assert summary_of(run).about_flips
    assert "No families." in reports(run)["report.html"]


def test_what_judges_missed_comes_with_its_edits() -> None:
    judged = select_misjudged(judged_run(), 10)
    # keen: 5 to 3 and 4 to 4; blind: 5 to 5 and 2 to 4; broken: 4 to 3 and a failure. "words" has
    # no target and should change nothing: three judges, three papers, rigour, all unmoved.
    assert judged.tried == 5 + 9
    assert judged.selection.pairs == 3
    assert judged.selection.left_out == 0
    first, second = judged.selection.shown
    assert (first.paper, first.family) == ("tiny-plain", "length")
    assert [(flip.agent, flip.before, flip.after, flip.exploitable) for flip in first.flips] == [
        ("keen, clarity", "4", "4", False),
        ("blind, clarity", "2", "4", True),
    ]
    assert second.paper == "tiny-numeric"
    assert [flip.agent for flip in second.flips] == ["blind, clarity"]
    assert first.passages
    page = reports(judged_run())["report.html"]
    section = page.split('<h2 id="misjudged">')[1].split("</section>")[0]
    assert "1 of 15 pairs of scores could not be compared" in section
    assert "3 of 14 pairs of scores contradict this." in section
    assert "<del>is</del><ins>may be</ins>" in section
    assert "blind, clarity: <b>2 &rarr; 4</b>" in section


def test_what_should_change_nothing_and_does() -> None:
    moved = [
        replace(row, score=row.score + (1 if row.judge == "keen" else -0.5))
        if row.perturbation == "words" and row.judge != "broken" and row.score is not None
        else row
        for row in judgements()
    ]
    run = judged_run()
    run = replace(run, records=replace(run.records, judgements=moved))
    found = select_misjudged(run, 100)
    assert found.selection.pairs == 3 + 6
    words_of = [v for v in found.selection.shown if v.family == "words"]
    assert [flip.after for flip in words_of[0].flips] == ["4", "2.50"]
    assert [flip.exploitable for flip in words_of[0].flips] == [True, False]


def test_an_edit_that_should_raise_a_score() -> None:
    run = judged_run()
    rows = [replace(row, expect="increase") if row.name == "length" else row
            for row in run.records.perturbations]  # fmt: skip
    run = replace(run, records=replace(run.records, perturbations=rows))
    found = select_misjudged(run, 100).selection.shown
    assert {(v.paper, flip.agent) for v in found for flip in v.flips} == {
        ("tiny-numeric", "keen, clarity"), ("tiny-plain", "keen, clarity"),
        ("tiny-numeric", "blind, clarity"), ("tiny-plain", "broken, clarity"),
    }  # fmt: skip


def test_edits_that_aim_at_nothing_that_was_judged() -> None:
    run = judged_run()
    rows = [PerturbationRow(row.name, row.component, "decrease", "novelty")
            for row in run.records.perturbations]  # fmt: skip
    run = replace(run, records=replace(run.records, perturbations=rows))
    assert select_misjudged(run, 10).tried == 0
    assert "No edit of this run targets a rubric" in reports(run)["report.html"]


def test_all_as_it_should_be() -> None:
    fine: Any = {"keen": ((5, 3), (4, None), (4, 1))}
    run = judged_run()
    run = replace(run, records=replace(run.records, judgements=judgements(fine)))
    assert "All 5 pairs of scores moved, or did not move, as expected." in words(
        reports(run)["report.html"]
    )


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_a_limit_holds_and_is_reported(limit: int) -> None:
    judged = select_misjudged(judged_run(), limit)
    shown = sum(len(variant.flips) for variant in judged.selection.shown)
    assert shown <= limit
    assert judged.selection.pairs == 3
    assert judged.selection.left_out == 3 - shown
    page = Html(max_pairs=limit).render(judged_run())["report.html"]
    assert (f"{3 - shown} left out (option max-pairs)" in page) == (shown < 3)


def test_repeats_of_a_judgement_are_named() -> None:
    run = judged_run()
    again = [replace(row, repeat=1) for row in run.records.judgements]
    records = replace(run.records, repeats=2, judgements=[*run.records.judgements, *again])
    found = select_misjudged(replace(run, records=records), 100)
    assert found.selection.pairs == 6
    assert {flip.repeats for v in found.selection.shown for flip in v.flips} == {"repeat 1, 2"}


def test_hostile_judges_and_rubrics() -> None:
    run = judged_run()
    criterion = Criterion(HOSTILE, HOSTILE, LEVELS)
    records = replace(
        run.records,
        rubrics=[criterion],
        judges=[AgentRow(HOSTILE, "toy", criterion.scale, True)],
        perturbations=[replace(row, target=HOSTILE) for row in run.records.perturbations],
        judgements=[
            replace(row, judge=HOSTILE, rubric=HOSTILE)
            for row in run.records.judgements
            if row.judge == "blind" and row.rubric == "clarity"
        ],
    )
    run = anchored(replace(run, records=records))
    anchors = run.records.anchors
    assert anchors is not None
    maps = [replace(found, agent=HOSTILE, name=HOSTILE, refused=HOSTILE, curve=None)
            for found in anchors.maps]  # fmt: skip
    skipped = {HOSTILE: 1}
    run = replace(
        run, records=replace(run.records, anchors=replace(anchors, maps=maps, skipped=skipped))
    )
    for name, text in reports(run).items():
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
        if name != "report.txt":
            assert "<b>x</b>" not in text
    page = reports(run)["report.html"]
    assert "&lt;b&gt;x&lt;/b&gt;" in page.split('<h2 id="misjudged">')[1]


def test_the_same_bytes_again() -> None:
    run = anchored(judged_run(agents=True))
    assert reports(run) == reports(run)


def usage_run(rows: Sequence[UsageRow]) -> RunView:
    run = tiny_run()
    records: Records = replace(run.records, usage=RunUsage(rows, rows))
    return replace(run, records=records, tables=[ModelUsage().measure(records)])


def test_what_models_were_asked_stands_in_every_report() -> None:
    model = "vendor/some-family/a-rather-long-model-name-instruct"
    sources = ("", "words", "length")
    rows = [UsageRow("agents.steady", source, model, 3, 3000, 600, None) for source in sources]
    rows += [UsageRow("agents.shaky", source, "small", 3, 900, 60, 0.0012) for source in sources]
    found = reports(usage_run(rows))
    for text in found.values():
        assert "Model usage" in text
        assert "agents.steady" in words(text)
        assert "9,000" in text
        assert "0.0036" in text
    assert "US dollars" in found["report.html"]
    alone = reports(usage_run(rows[3:]))
    assert "In every row" not in alone["report.txt"].split("Model usage")[1]
    assert "Flip rates were not measured." in found["report.txt"]
    assert "|Shift|" not in found["report.txt"]
    assert "0 / 0" not in found["report.html"]
    assert "| steady | - | - |" not in found["report.md"]
    none = reports(usage_run([]))
    assert "No variant, review or judgement" in none["report.txt"]
    assert "No rows." in none["report.txt"]


def test_scales_of_judges_are_those_of_their_criteria() -> None:
    assert CLARITY.scale == Scale("clarity", 1.0, 5.0, values=(1.0, 2.0, 3.0, 4.0, 5.0))


def test_agents_and_families_are_described() -> None:
    run = tiny_run()
    texts = {"agents.steady": "Reads <b> slowly.", "agents.shaky": "Reads <b> slowly."}
    texts["perturbations.words"] = "Replaces words. " + "x" * 400
    run = replace(run, descriptions=texts, controls=frozenset({"steady", "shaky"}))
    summary = summary_of(run)
    assert "simple programs with known behaviour (controls), not AI" in line(summary, "Material")
    (_, agents), (_, families) = described(summary)
    assert agents[0] == ("steady and shaky", "Reads <b> slowly.")
    # The scale of the tiny agents is stated once for both.
    assert agents[1] == ("scores", "all agents: 1 to 10, accept at 5 or more.")
    assert [name for name, _ in families] == ["words"]
    assert len(families[0][1]) <= 200
    page = Html().render(run)["report.html"]
    assert "Reads &lt;b&gt; slowly." in page
    assert "Reads <b> slowly." not in page


def test_agents_that_are_not_all_controls_are_not_called_so() -> None:
    run = replace(tiny_run(), controls=frozenset({"steady"}))
    assert "simple programs" not in line(summary_of(run), "Material")
    assert described(summary_of(run)) == []


def test_papers_that_hold_reviews_are_left_out_unless_they_are_nearly_all() -> None:
    run = tiny_run()
    papers = list(run.records.papers)

    def warned(rows: Sequence[PaperRow]) -> str:
        texts = warnings(summary_of(replace(run, records=replace(run.records, papers=rows))))
        return next((text for text in texts if "hold their own reviews" in text), "")

    leaking = [replace(paper, leaks=("ratings",)) for paper in papers]
    assert "so leave these papers out" in warned([leaking[0], *papers[1:]])
    assert "so use a corpus whose texts contain no reviews" in warned(leaking)
    # Texts that name their paper are reviews themselves.
    about = [
        replace(paper, labels=replace(paper.labels, extra={"paper": "p"})) for paper in leaking
    ]
    assert warned(about) == ""


def test_the_answer_names_agents_without_a_review() -> None:
    run = tiny_run()
    verdicts = [
        replace(each, failure="timeout", accept=None, score=None) if each.agent == "shaky" else each
        for each in run.records.verdicts
    ]
    records = replace(run.records, verdicts=verdicts)
    tables = [metric().measure(records) for metric in METRICS if metric.name == "flip-rate"]
    summary = summary_of(replace(run, records=records, tables=tables))
    assert line(summary, "Answer").startswith("1 of 2 agents returned no review: shaky.")
