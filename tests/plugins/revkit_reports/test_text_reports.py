"""The terminal report and the Markdown report: what they say, and that hostile names stay names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from revkit.contracts import RunView
from revkit.figures.numbers import between, p_value, percent, to_fixed
from revkit.model.sentences import split_sentences
from revkit_reports.html import Html
from revkit_reports.limits import warnings
from revkit_reports.losses import group_reasons
from revkit_reports.markdown import MarkdownReport, escape
from revkit_reports.opening import opening_lines
from revkit_reports.sentences import method
from revkit_reports.summary import summary_of
from revkit_reports.terminal import Terminal, defined
from revkit_reports.visible import one_line, short, visible, width

FOUR = ("paraphrase", "citations", "hedging", "length")
HOSTILE = "a|b `c` <script>x</script> *d* [e](http://f) & {{ 7*7 }} $g$ \x1b[31m\x00\u202eevil\n# h"


def text(run: RunView) -> str:
    return Terminal().render(run)["report.txt"]


def markdown(run: RunView) -> str:
    return MarkdownReport().render(run)["report.md"]


def test_terminal_holds_both_tables_and_the_counts(run: RunView) -> None:
    report = text(run)
    for agent in run.records.agents:
        assert agent.name in report
    rows = run.tables[0].records()
    rate = next(r["rate"] for r in rows if r["agent"] == "citation-counter")
    assert isinstance(rate, float)
    overall = next(
        r for r in rows if r["agent"] == "citation-counter" and r["family"] == "all families"
    )
    assert re.search(rf"citation-counter +{percent(float(overall['rate'] or 0))} ", report)
    assert "Papers: 40 loaded (40 with a decision), 2 skipped." in report
    assert "skipped: no text (2)" in report
    assert "Number of flips to accept (more lenient)" in " ".join(report.split())
    assert "! constant gives one verdict (accept) to all unchanged papers" in report
    declared = (
        "! The programs of all agents declare that they are deterministic, which was not checked"
    )
    assert declared in " ".join(report.split())
    assert Terminal().summary({"report.txt": report}) == report
    assert Terminal().summary({}) == ""


def test_terminal_fits_and_is_plain(made: Callable[..., RunView], habit: Any) -> None:
    names = [f"vendor/a-rather-long-model-name-{i:02d}-instruct" for i in range(12)]
    names[0] = HOSTILE
    run = made(12, {name: habit({"citations": 0.3}, fails=0.1) for name in names})
    report = text(run)
    assert max(map(width, report.splitlines())) <= 100
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", report)
    assert "\u202e" not in report


def test_a_definition_of_a_long_name_keeps_its_words_whole() -> None:
    found = [
        ("short", "Returns reviews from a file."),
        ("gpt-4o-mini-at-6 and 4 more", "Returns it."),
    ]
    assert defined("Agents", found).splitlines() == [
        "Agents:",
        "  short                     Returns reviews from a file.",
        "  gpt-4o-mini-at-6 and 4 more",
        "                            Returns it.",
    ]


def test_a_measured_noise_floor_is_beside_the_rate(made: Callable[..., RunView]) -> None:
    run = made(30, repeats=2)
    report = text(run)
    assert re.search(r"Flip +Noise +Net +rate|Flip rate +Noise +Net rate", report)
    assert "noise of the agents was not measured" not in report
    assert max(map(width, report.splitlines())) <= 100
    assert "| Flip rate | Noise | Net rate |" in markdown(run)


def test_warnings_name_what_limits_the_figures(made: Callable[..., RunView], habit: Any) -> None:
    run = made(12, {"flaky": habit({"citations": 0.5}, fails=0.2)}, labelled=False)
    found = " ".join(warnings(summary_of(run)))
    assert "No paper has a decision" in found
    assert "pairs lack a verdict" in found
    assert "Only 12 papers" in found
    assert "Too few papers to show small differences" in found
    bare = " ".join(warnings(summary_of(replace(run, tables=[]))))
    assert "No metric of this experiment measures robustness or accuracy." in bare


def test_markdown_escapes_every_name(made: Callable[..., RunView], habit: Any) -> None:
    run = made(6, {HOSTILE: habit({"citations": 0.5}), "b": habit()}, families=("citations",))
    report = markdown(replace(run, name=HOSTILE, versions={HOSTILE: HOSTILE}))
    assert "<script" not in report
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", report)
    for line in report.splitlines():
        assert not re.search(r"(?<!\\)\]\(", line)
        assert line.count("`") == line.count("\\`")
        if line.startswith("|"):
            bars = len(re.findall(r"(?<!\\)\|", line))
            assert bars in (5, 6, 7, 8, 9, 11, 12)
    assert sum(line.startswith("# ") for line in report.splitlines()) == 1


def test_markdown_has_method_tests_and_provenance(run: RunView) -> None:
    report = markdown(run)
    assert "Holm" in report
    assert "seed 20260428" in report
    assert "resamples of papers" in report
    assert "python 3.11, revkit 0.1.0" in report
    assert "same-meaning (cosine distance)" in report
    assert [line[3:] for line in report.splitlines() if line.startswith("## ")][-3:] == [
        "Noticed edits", "Gates and failures", "Method",
    ]  # fmt: skip
    assert report.count("\n## ") == 9


@pytest.mark.parametrize("reporter", [Terminal, MarkdownReport])
def test_nothing_to_report(reporter: Any, made: Callable[..., RunView], habit: Any) -> None:
    for run in (
        made(0),
        made(3, {}),
        made(3, {"only": habit()}, families=()),
        made(3, {"broken": habit(fails=1.0)}),
    ):
        for part in (run, replace(run, tables=[])):
            (report,) = reporter().render(part).values()
            assert "nan" not in report.lower().split()
            assert "None" not in report


def test_numbers() -> None:
    assert percent(0.187) == "18.7%"
    assert percent(None) == "-"
    assert to_fixed(-0.0001, 2) == "0.00"
    assert to_fixed(-1.5, 1) == "-1.5"
    assert between(0.1, None, 100) == "[10.0, ...]"
    assert between(None, None) == "-"
    assert p_value(1e-20) == "<1e-15"
    assert p_value(0.0421) == "0.042"
    assert p_value(0.00012) == "1.2e-04"


def test_many_reasons_are_grouped() -> None:
    assert group_reasons({"b": 1, "a": 1, "c": 5}) == [("c", 5), ("a", 1), ("b", 1)]
    assert group_reasons({f"only {i}.5% of the words": 2 for i in range(40)}) == [
        ("only 0.5% to 39.5% of the words", 80)
    ]
    # Only the numbers that differ go.
    assert group_reasons({f"not UTF-8: byte 0x{i:02x} at {i}": 1 for i in range(230, 240)}) == [
        ("not UTF-8: byte 0xe6 to 0xef at 230 to 239", 10)
    ]
    assert group_reasons({f"UTF-8 page {i} of 9": 1 for i in range(8)}) == [
        ("UTF-8 page 0 to 7 of 9", 8)
    ]
    assert group_reasons({f"changes {100 * i:,} words ({-i}%)": 1 for i in range(8, 16)}) == [
        ("changes 800 to 1,500 words (-15% to -8%)", 8)
    ]
    names = {f"paper{i}.pdf, page {i}: no text": 1 + (i == 3) for i in range(8)}
    assert group_reasons(names) == [
        ("paper3.pdf, page 3: no text (and the same with other numbers)", 9)
    ]
    for code in ("HTTP {}: busy", "status {}", "error code: {}"):
        codes = {code.format(500 + i): 1 + (i == 3) for i in range(8)}
        example = f"{code.format(503)} (and the same with other numbers)"
        assert group_reasons(codes) == [(example, 9)]
    many = group_reasons({chr(97 + i): i + 1 for i in range(20)})
    assert len(many) == 11
    assert many[-1] == ("other reasons", sum(range(1, 11)))


def test_a_constant_agent_that_flips_is_not_called_steady(
    made: Callable[..., RunView], habit: Any
) -> None:
    # All originals are accepted and half of the variants rejected.
    run = made(30, {"words": habit({"citations": 1.0}, upward=0.5, verdict=True)})
    row = next(r for r in run.tables[0].records() if r["family"] == "all families")
    (found,) = [text for text in warnings(summary_of(run)) if text.startswith("words gives")]
    assert f"yet flips on {percent(float(row['rate'] or 0))} of pairs" in found
    assert "the absence of" not in text(run)


def test_a_sentence_of_the_method_is_stated_once_and_names_what_the_page_shows(
    run: RunView,
) -> None:
    """Also when two tables share all sentences of a note but one."""
    first, *others = run.tables
    text = method(summary_of(run))
    note = f"{first.method[0]} A sentence of one table."
    again = replace(first, notes=(note,), method=(note,))
    shared = method(summary_of(replace(run, tables=[first, *others, again])))
    assert "A sentence of one table." in shared
    for paragraph in (text, shared):
        spans = split_sentences(paragraph, 0, len(paragraph))
        sentences = [paragraph[span.start : span.end] for span in spans]
        assert len(sentences) == len(set(sentences)) > 5
    in_files = {column.name for table in run.tables for column in table.columns}
    named = re.findall(r'column "([^"]+)"', text)
    assert named
    assert set(named) <= in_files
    in_files = {column.name for table in run.tables for column in table.columns}
    assert not {name for name in in_files if "_" in name and name in text}


def test_a_report_names_no_method_of_an_interval(made: Callable[..., RunView]) -> None:
    run = made(30, repeats=2)
    methods = {
        str(row["method"])
        for table in run.tables
        for row in table.records()
        if row.get("method") not in (None, "")
    }
    assert methods
    for report in (text(run), markdown(run)):
        assert "95% intervals over papers" in " ".join(report.split())
        assert not {method for method in methods if method in report}


def test_all_families_of_a_tie_are_named(made: Callable[..., RunView], habit: Any) -> None:
    run = made(20, {"a": habit({"citations": 0.6, "hedging": 0.2})}, families=FOUR)
    twin = {"length": "citations"}
    copied = [
        replace(v, perturbation=name)
        for v in run.records.verdicts
        for name in (v.perturbation, *(k for k, w in twin.items() if w == v.perturbation))
        if v.perturbation not in twin
    ]
    records = replace(run.records, verdicts=copied)
    from revkit_robustrev.metrics import FlipRate

    table = FlipRate(resamples=100).measure(records)
    sentence = dict(opening_lines(summary_of(replace(run, records=records, tables=[table]))))[
        "Answer"
    ]
    assert "The families with the highest rate are citations and length (" in sentence


def test_crashes_are_no_rejections(made: Callable[..., RunView], habit: Any) -> None:
    from revkit_robustrev.metrics import FlipRate

    run = made(20, {"only": habit({"citations": 0.5})})
    why: dict[str, dict[str, Any]] = {
        "hedging": {
            "rejected": "crashed: ZeroDivisionError: division by zero",
            "outcome": "crashed",
        },
        "length": {"rejected": "nothing to edit", "outcome": "declined"},
        "citations": {
            "rejected": "did not pass same-numbers",
            "outcome": "gate",
            "gate": "same-numbers",
        },
    }
    variants = [
        replace(v, **why.get(v.perturbation, {})) if v.paper == "p003" else v
        for v in run.records.variants
    ]
    verdicts = [v for v in run.records.verdicts if v.paper != "p003" or not v.perturbation]
    records = replace(run.records, variants=variants, verdicts=verdicts)
    run = replace(run, records=records, tables=[FlipRate(resamples=100).measure(records)])
    rows = {r["family"]: r for r in run.tables[0].records() if r["agent"] == "only"}
    assert [rows[f]["crashed"] for f in ("hedging", "length", "citations")] == [1, 0, 0]
    assert [rows[f]["rejected"] for f in ("hedging", "length", "citations")] == [0, 1, 1]
    assert rows["all families"]["crashed"] == 1
    (page,) = Html().render(run).values()
    for report in (text(run), markdown(run), page):
        assert "1 could not be made," in " ".join(report.split())
        assert "1 crashed" in " ".join(report.split())
        assert "ZeroDivisionError: division by zero" in report
        assert "hedging: 1 of 20 variants are missing because the perturbation crashed" in report
        assert "Crashed" in report
        assert "rejected: crashed" not in report


def test_copies_and_contradictions_are_reported(made: Callable[..., RunView], habit: Any) -> None:
    run = made(12, {"only": habit()})
    papers = [
        replace(p, digest=p.id if i > 4 else "same") for i, p in enumerate(run.records.papers)
    ]
    first = run.records.verdicts[0]
    odd = replace(first, accept=False, score=9.0)
    records = replace(run.records, papers=papers, verdicts=[odd, *run.records.verdicts[1:]])
    found = " ".join(warnings(summary_of(replace(run, records=records))))
    assert "4 of 12 papers have the same text as another paper" in found
    assert "only: 1 verdict contradicts the accept rule" in found


def test_one_of_a_thing_is_not_called_many(made: Callable[..., RunView], habit: Any) -> None:
    run = made(1, {"only": habit()}, families=("citations",))
    (page,) = Html().render(run).values()
    for report in (text(run), markdown(run), page):
        assert not re.search(r"\b1 (agents|papers|variants|families|verdicts|pairs)\b", report)


def test_visible_text() -> None:
    assert visible("a\x00b\u202ec\td\ne") == "a\u2400b[U+202E]c\td\ne"
    long = visible("x" * 1_000_000 + "end", 100)
    assert len(long) < 160
    assert long.endswith("end")
    assert one_line(" a \n b ") == "a b"
    assert len(one_line("y" * 10_000_000, 50)) == 50
    assert short("abcdefghij", 7) == "abc...j"
    assert escape("a|b*c") == "a\\|b\\*c"
    assert width("\u8bba\u6587e\u0301") == 5
