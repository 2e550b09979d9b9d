"""The warnings of a report, which state the limits of its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from revkit.figures import FEW_PAPERS
from revkit.figures.numbers import count_of
from revkit.model.paper import HiddenNote, LeftOut
from revkit.model.table import TableWarning, WarningKind
from revkit.model.variant import VariantOutcome
from revkit_reports.losses import rejections
from revkit_reports.summary import Summary
from revkit_reports.visible import one_line

MANY_REJECTED = 0.25
_NEARLY_ALL = 0.8  # a share of papers without which too few remain
MOST_REMARKS = 10
MOST_LETTERS = 600
_MOST_OF_TABLES = 2_000  # letters of a warning about the figures of several tables

# A paper of this many words of prose should have all parts, and this score at least.
_FULL_LENGTH = 1_000
_LOW_SCORE = 0.8


# What a warning of a kind means for a figure.
_LABELS: Mapping[WarningKind, str] = {
    "no-figure": "Not measured",
    "misleading": "Read with care",
    "incomplete": "Incomplete",
    "not-shown": "Tested, not shown",
    "unproven": "Not checked",
    "imprecise": "Imprecise",
}


def warnings(summary: Summary) -> list[str]:
    """Return the texts of `labelled_warnings`."""
    return [text for _, text in labelled_warnings(summary)]


def labelled_warnings(summary: Summary) -> list[tuple[str, str]]:
    """Return the warnings that a reader needs before trusting a result, most serious first, each
    after what it means: those from the records of the run, and those that its tables declare.
    """
    own: tuple[tuple[WarningKind, Sequence[str]], ...] = (
        ("no-figure", _not_measured(summary)),
        ("no-figure", _refused(summary)),
        ("misleading", _synthetic_anchors(summary)),
        ("misleading", _crashed(summary)),
        ("misleading", _copies(summary)),
        ("misleading", _against_scale(summary)),
        ("misleading", _cannot_see(summary)),
        ("misleading", _leaks(summary)),
        ("incomplete", _left_out(summary)),
        ("misleading", _hidden(summary)),
        ("incomplete", _unread(summary)),
        ("incomplete", _unlinked(summary)),
        ("incomplete", _poorly_read(summary)),
        ("incomplete", _failed_reviews(summary)),
        ("incomplete", _remarks(summary)),
        ("incomplete", _failed_judgements(summary)),
        ("incomplete", _failed_anchors(summary)),
        ("imprecise", _few(summary)),
        ("imprecise", _rejected(summary)),
    )
    found = [(kind, text) for kind, texts in own for text in texts]
    found += _of_tables(summary)
    order = {kind: place for place, kind in enumerate(get_args(WarningKind))}
    found.sort(key=lambda each: order.get(each[0], len(order)))
    return list(dict.fromkeys((_LABELS.get(kind, "Note"), text) for kind, text in found))


def _of_tables(summary: Summary) -> list[tuple[WarningKind, str]]:
    """Return the warnings of the tables; those with a common part are one warning."""
    merged: dict[tuple[WarningKind, str], TableWarning] = {}
    for warning in (each for table in summary.run.tables for each in table.warnings):
        key = warning.kind, warning.common or warning.text
        before = merged.get(key)
        if before and warning.common:
            places = dict.fromkeys((*before.places, *warning.places))
            warning = TableWarning.of_places(
                warning.kind, warning.common, [*places], warning.advice
            )
        merged[key] = warning
    return [
        (
            each.kind,
            one_line(
                f"{each.text} {each.advice}".rstrip(),
                _MOST_OF_TABLES if each.common else MOST_LETTERS,
            ),
        )
        for each in merged.values()
    ]


def _refused(summary: Summary) -> list[str]:
    anchors = summary.records.anchors
    return [
        f"No calibration map for {one_line(found.agent, 60)} by {one_line(found.name, 60)}: "
        f"{one_line(found.refused)}."
        for found in (anchors.maps if anchors else ())
        if found.curve is None
    ]


def _synthetic_anchors(summary: Summary) -> list[str]:
    """Return a warning about maps that are fitted to severities of a program."""
    anchors = summary.records.anchors
    if anchors is None or not anchors.synthetic:
        return []
    return [
        "A program made the anchors and their severities, so the maps, and all figures of mapped "
        "scores, say nothing about people's scores. For real reviews, use anchors that people "
        "scored."
    ]


def _cannot_see(summary: Summary) -> list[str]:
    """Return what judges state that their scores cannot show."""
    return [
        f"{one_line(judge.name, 60)}: {one_line(judge.cannot_see, MOST_LETTERS)}"
        for judge in summary.records.judges
        if judge.cannot_see
    ]


def _not_measured(summary: Summary) -> list[str]:
    """Return a warning if papers are perturbed and reviewed, but no metric measures robustness or
    accuracy.
    """
    if not summary.about_flips:
        return []
    missing = [
        aspect
        for aspect, there in (("robustness", summary.robustness), ("accuracy", summary.accuracy))
        if there is None
    ]
    if not missing:
        return []
    return [f"No metric of this experiment measures {' or '.join(missing)}."]


def _crashed(summary: Summary) -> list[str]:
    attempted, lost = _variants(summary, "crashed")
    return [
        f"{one_line(name)}: {lost[name]:,} of {count_of(attempted[name], 'variant')} are missing "
        "because the perturbation crashed."
        for name in summary.names("family")
        if lost[name]
    ]


def _variants(summary: Summary, *outcomes: VariantOutcome) -> tuple[Counter[str], Counter[str]]:
    """Return the number of variants of each family, and how many of them have one of
    ``outcomes``.
    """
    variants = summary.records.variants
    return (
        Counter(variant.perturbation for variant in variants),
        Counter(variant.perturbation for variant in variants if variant.outcome in outcomes),
    )


def _copies(summary: Summary) -> list[str]:
    copies = summary.records.copies
    # Texts about papers (reviews that are judged) name their paper, and intervals resample papers.
    if not copies or all("paper" in row.labels.extra for row in summary.records.papers):
        return []
    return [
        f"{copies:,} of {count_of(len(summary.records.papers), 'paper')} "
        f"{'has' if copies == 1 else 'have'} the same text as another paper but count as "
        "independent, so all intervals are too short."
    ]


def _against_scale(summary: Summary) -> list[str]:
    agents = {agent.name: agent for agent in summary.records.agents}
    found = Counter(
        verdict.agent
        for verdict in summary.records.verdicts
        if agents[verdict.agent].against_scale(verdict)
    )
    return [
        f"{one_line(name)}: {count_of(times, 'verdict')} contradict{'s' if times == 1 else ''} the "
        "accept rule of the agent's scale; the verdicts are used unchanged."
        for name, times in sorted(found.items())
    ]


def _failed_reviews(summary: Summary) -> list[str]:
    """Return a warning about failed reviews; in runs with pairs, the warnings about pairs cover
    them.
    """
    if summary.about_flips:
        return []
    found = Counter(verdict.agent for verdict in summary.records.verdicts)
    failed = Counter(verdict.agent for verdict in summary.records.verdicts if verdict.failure)
    return [
        f"{one_line(name)}: {failed[name]:,} of {count_of(asked, 'review')} failed; "
        f"{_about(failed[name], asked)}."
        for name, asked in found.items()
        if failed[name]
    ]


def _remarks(summary: Summary) -> list[str]:
    """Return warnings that agents attach to their reviews, the most frequent first."""
    asked = Counter(verdict.agent for verdict in summary.records.verdicts if not verdict.failure)
    found = Counter(
        (verdict.agent, remark)
        for verdict in summary.records.verdicts
        for remark in dict.fromkeys(verdict.warnings)
    )
    lines = [
        f"{one_line(agent)}: {times:,} of {count_of(asked[agent], 'review')}: {one_line(remark)}."
        for (agent, remark), times in found.most_common(MOST_REMARKS)
    ]
    if len(found) > MOST_REMARKS:
        more = count_of(len(found) - MOST_REMARKS, "more warning")
        lines.append(f"{more} in records/outcomes.jsonl.")
    return lines


def _failed_judgements(summary: Summary) -> list[str]:
    found = Counter(row.judge for row in summary.records.judgements)
    failed = Counter(row.judge for row in summary.records.judgements if row.failure)
    return [
        f"{one_line(name)}: {failed[name]:,} of {count_of(asked, 'judgement')} failed; "
        f"{_about(failed[name], asked)}."
        for name, asked in found.items()
        if failed[name]
    ]


def _failed_anchors(summary: Summary) -> list[str]:
    anchors = summary.records.anchors
    verdicts = anchors.verdicts if anchors is not None else ()
    found = Counter(verdict.agent for verdict in verdicts)
    failed = Counter(verdict.agent for verdict in verdicts if verdict.failure)
    return [
        f"{one_line(name)}: {failed[name]:,} of {count_of(asked, 'score')} of anchors failed; "
        f"{'its maps use the others' if failed[name] < asked else 'it has no map'}."
        for name, asked in found.items()
        if failed[name]
    ]


def _about(failed: int, asked: int) -> str:
    return "its results use the others" if failed < asked else "it has no results"


def _leaks(summary: Summary) -> list[str]:
    """Papers whose text holds reviews of them, as a print-out of a forum does."""
    papers = summary.records.papers
    leaking = [paper for paper in papers if paper.leaks]
    # Texts about papers are reviews themselves.
    if not leaking or all("paper" in paper.labels.extra for paper in papers):
        return []
    if len(leaking) > _NEARLY_ALL * len(papers):
        remedy = "use a corpus whose texts contain no reviews"
    else:
        remedy = "leave these papers out"
    signs = ", ".join(sorted({sign for paper in leaking for sign in paper.leaks}))
    return [
        f"{len(leaking):,} of {count_of(len(papers), 'paper')} hold their own reviews ({signs}), "
        f"for example {one_line(leaking[0].id, 60)}: agents see what they should find, so "
        f"{remedy} (column leaks of records/papers.csv)."
    ]


def _left_out(summary: Summary) -> list[str]:
    """Return a warning about parts of paper records that could not be read, so that labels do not
    use them.
    """
    anchors = summary.records.anchors
    parts = (
        ("papers", "paper", summary.records.papers),
        ("anchors", "anchor", anchors.papers if anchors else ()),
    )
    lines = []
    for file, name, papers in parts:
        notes = [[note for note in paper.notes if isinstance(note, LeftOut)] for paper in papers]
        found = [each[0] for each in notes if each]
        if found:
            first = one_line(found[0].removesuffix(": left out"), 80)
            lines.append(
                f"{len(found):,} of {count_of(len(papers), name)}: parts of the record could not "
                f'be read, for example "{first}"; labels use the rest '
                f"(see the notes in records/{file}.csv)."
            )
    return lines


def _hidden(summary: Summary) -> list[str]:
    """Return a warning about papers with text that a program reads and a reader does not see."""
    papers = summary.records.papers
    notes = [[note for note in paper.notes if isinstance(note, HiddenNote)] for paper in papers]
    found = [(paper, each) for paper, each in zip(papers, notes, strict=True) if each]
    if not found:
        return []
    paper, each = found[0]
    return [
        f"{len(found):,} of {count_of(len(papers), 'paper')} hold text that a reader does not see, "
        f"for example {one_line(paper.id, 60)} ({one_line(each[0], 160)}). This is a finding and "
        "not an accusation: venues and programs hide text too (column notes of "
        "records/papers.csv)."
    ]


def _unread(summary: Summary) -> list[str]:
    """Return a warning about papers in which an expected part was not recognised."""
    papers = summary.records.papers
    unread = [paper for paper in papers if set(paper.unread) - {"citations"}]
    if not unread:
        return []
    parts = sorted({part for paper in unread for part in paper.unread} - {"citations"})
    return [
        f"{len(unread):,} of {count_of(len(papers), 'paper')}: {' or '.join(parts)} were not "
        f"recognised, for example in {one_line(unread[0].id, 60)}; families that must leave them "
        "alone make no variant (column unread of records/papers.csv)."
    ]


def _unlinked(summary: Summary) -> list[str]:
    """Return a warning about papers whose citations are not linked to entries of a reference list;
    some of them have no list that was recognised."""
    papers = summary.records.papers
    found = [paper for paper in papers if "citations" in paper.unread]
    if not found:
        return []
    return [
        f"{len(found):,} of {count_of(len(papers), 'paper')}: most citations could not be linked "
        "to a reference list (none was recognised, or it has no such entries), for example in "
        f"{one_line(found[0].id, 60)}; it is not known which works they cite (columns references, "
        "works_cited and works_matched of records/papers.csv)."
    ]


def _poorly_read(summary: Summary) -> list[str]:
    """Return a warning about papers of full length of which a large part was not understood."""
    papers = summary.records.papers
    scores = {
        paper.id: paper.structure
        for paper in papers
        if paper.structure is not None
        and paper.words >= _FULL_LENGTH
        and not set(paper.unread) - {"citations"}
    }
    low = {name: score for name, score in scores.items() if score < _LOW_SCORE}
    if not low:
        return []
    worst = min(low, key=lambda name: low[name])
    return [
        f"{len(low):,} of {count_of(len(papers), 'paper')}: structure score below {_LOW_SCORE}, "
        f"lowest {low[worst]:.2f} in {one_line(worst, 60)} (columns structure to known_text of "
        "records/papers.csv; revkit papers check shows what was understood)."
    ]


def _few(summary: Summary) -> list[str]:
    papers = len(summary.records.papers)
    if papers >= FEW_PAPERS:
        return []
    return [f"Only {count_of(papers, 'paper')}: intervals from resampling may be too short."]


def _rejected(summary: Summary) -> list[str]:
    attempted, lost = _variants(summary, "declined", "gate")
    losses = rejections(summary.records)
    found = []
    for name in summary.names("family"):
        if lost[name] > MANY_REJECTED * attempted[name]:
            most = next(loss for loss in losses[name] if not loss.crashed)
            found.append(
                f"Family {one_line(name)}: {lost[name]:,} of "
                f"{count_of(attempted[name], 'variant')} were rejected. The most frequent reason "
                f"({most.times:,}): {one_line(most.reason)}. The remaining papers may not be "
                "typical."
            )
    return found
