"""The warnings of a report: what limits its figures."""

from __future__ import annotations

from collections import Counter

from revkit.figures import FEW_PAPERS
from revkit.figures.numbers import counted, fixed, percent
from revkit.model.paper import LeftOut
from revkit_reports.summary import AgentLine, Summary
from revkit_reports.visible import one_line

COARSE = 0.10
MANY_REJECTED = 0.25
MOST_REMARKS = 10


def warnings(summary: Summary) -> list[str]:
    """What a reader must know before believing a figure, most serious first."""
    flips = summary.about_flips
    return [
        *(_missing_tables(summary) if flips else ()),
        *(_without_pairs(summary) if flips else ()),
        *_refused(summary),
        *_crashed(summary),
        *_copies(summary),
        *_against_scale(summary),
        *(_constant(summary) if summary.about_accuracy else ()),
        *_left_out(summary),
        *_failures(summary),
        *_failed_reviews(summary),
        *_remarks(summary),
        *_failed_judgements(summary),
        *_failed_anchors(summary),
        *(_not_better(summary) if summary.about_accuracy else ()),
        *(_noise(summary) if flips else ()),
        *_few(summary),
        *(_power(summary) if flips else ()),
        *_rejected(summary),
    ]


def _refused(summary: Summary) -> list[str]:
    anchors = summary.records.anchors
    return [
        f"No calibration map for {one_line(found.agent, 60)} by {one_line(found.name, 60)}: "
        f"{one_line(found.refused)}."
        for found in (anchors.maps if anchors else ())
        if found.curve is None
    ]


def _missing_tables(summary: Summary) -> list[str]:
    wanted = ("flip-rate", "score-shift", "direction", "mcnemar", "clean-accuracy")
    missing = [name for name in wanted if not summary.tables.has(name)]
    if not missing:
        return []
    return [f"Not measured, since the experiment does not list the metric: {', '.join(missing)}."]


def _without_pairs(summary: Summary) -> list[str]:
    if not summary.tables.has("flip-rate"):
        return []
    silent = [line.name for line in summary.agents if line.rate.value is None]
    if not silent:
        return []
    return [f"No pair with a verdict on both sides: {_names(silent)}. No flip rate is given."]


def _constant(summary: Summary) -> list[str]:
    return [
        f"{one_line(line.name)} gives one verdict ({line.constant}) to all unchanged papers"
        f"{_what_it_says(line)}."
        for line in summary.agents
        if line.constant
    ]


def _what_it_says(line: AgentLine) -> str:
    if line.rate.value is None:
        return ""
    if line.flips == 0:
        return ": that it never flips says nothing"
    return (
        f", yet flips on {percent(line.rate.value)} of pairs: it cannot tell papers apart, and "
        "its flips all go one way"
    )


def _crashed(summary: Summary) -> list[str]:
    return [
        f"{one_line(family.name)}: {family.crashed:,} of "
        f"{counted(family.variants, 'variant')} are missing because the perturbation crashed."
        for family in summary.families
        if family.crashed
    ]


def _copies(summary: Summary) -> list[str]:
    copies = summary.records.copies
    # Texts about papers (reviews that are judged) say of which; their figures resample these.
    if not copies or all("paper" in row.labels.extra for row in summary.records.papers):
        return []
    return [
        f"{copies:,} of {counted(len(summary.records.papers), 'paper')} "
        f"{'has' if copies == 1 else 'have'} the text of another one, yet each counts as "
        "independent: all intervals are too short."
    ]


def _against_scale(summary: Summary) -> list[str]:
    agents = {agent.name: agent for agent in summary.records.agents}
    found = Counter(
        verdict.agent
        for verdict in summary.records.verdicts
        if agents[verdict.agent].against_scale(verdict)
    )
    return [
        f"{one_line(name)}: {counted(times, 'verdict')} contradict{'s' if times == 1 else ''} the "
        "accept rule of the agent's own scale; verdicts are taken as given."
        for name, times in sorted(found.items())
    ]


def _failed_reviews(summary: Summary) -> list[str]:
    """Where pairs are told, what failed is told of the pairs."""
    if summary.about_flips:
        return []
    found = Counter(verdict.agent for verdict in summary.records.verdicts)
    failed = Counter(verdict.agent for verdict in summary.records.verdicts if verdict.failure)
    return [
        f"{one_line(name)}: {failed[name]:,} of {counted(asked, 'review')} failed; "
        f"{_about(failed[name], asked)}."
        for name, asked in found.items()
        if failed[name]
    ]


def _remarks(summary: Summary) -> list[str]:
    """What agents say of their own reviews, the most frequent first."""
    asked = Counter(verdict.agent for verdict in summary.records.verdicts if not verdict.failure)
    found = Counter(
        (verdict.agent, remark)
        for verdict in summary.records.verdicts
        for remark in dict.fromkeys(verdict.warnings)
    )
    told = [
        f"{one_line(agent)}: {times:,} of {counted(asked[agent], 'review')}: {one_line(remark)}."
        for (agent, remark), times in found.most_common(MOST_REMARKS)
    ]
    if len(found) > MOST_REMARKS:
        told.append(f"{len(found) - MOST_REMARKS:,} more remarks are in records/outcomes.jsonl.")
    return told


def _failed_judgements(summary: Summary) -> list[str]:
    found = Counter(row.judge for row in summary.records.judgements)
    failed = Counter(row.judge for row in summary.records.judgements if row.failure)
    return [
        f"{one_line(name)}: {failed[name]:,} of {counted(asked, 'judgement')} failed; "
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
        f"{one_line(name)}: {failed[name]:,} of {counted(asked, 'score')} of anchors failed; "
        f"{'its maps rest on the others' if failed[name] < asked else 'it has no map'}."
        for name, asked in found.items()
        if failed[name]
    ]


def _about(failed: int, asked: int) -> str:
    return "all figures of it are about the others" if failed < asked else "it has no figures"


def _left_out(summary: Summary) -> list[str]:
    """What loaders could not read of a paper's record, since labels stand on the rest alone."""
    anchors = summary.records.anchors
    parts = (
        ("papers", "paper", summary.records.papers),
        ("anchors", "anchor", anchors.papers if anchors else ()),
    )
    told = []
    for file, name, papers in parts:
        notes = [[note for note in paper.notes if isinstance(note, LeftOut)] for paper in papers]
        found = [each[0] for each in notes if each]
        if found:
            first = one_line(found[0].removesuffix(": left out"), 80)
            told.append(
                f"{len(found):,} of {counted(len(papers), name)}: parts of the record could not be "
                f'read and were left out, such as "{first}"; '
                f"labels rest on what was read (notes in records/{file}.csv)."
            )
    return told


def _failures(summary: Summary) -> list[str]:
    found = []
    for line in summary.agents:
        lost = line.pairs - line.valid
        if lost and line.valid:
            found.append(
                f"{one_line(line.name)}: {lost:,} of {line.pairs:,} pairs lack a verdict; "
                f"whatever they would have said, its flip rate lies between "
                f"{percent(line.worst.low)} and {percent(line.worst.high)}."
            )
    return found


def _not_better(summary: Summary) -> list[str]:
    def beaten(line: AgentLine) -> bool:
        low, bar = line.accuracy.low, line.majority
        return not line.constant and low is not None and bar is not None and low <= bar

    weak = [line.name for line in summary.agents if beaten(line)]
    if not summary.labelled:
        return ["No paper has a decision: accuracy was not measured, so robustness stands alone."]
    if not weak:
        return []
    return [f"Accuracy not shown to beat the commoner decision: {_names(weak)}."]


def _noise(summary: Summary) -> list[str]:
    if summary.records.repeats > 1:
        return []
    return [
        "Noise floor not measured (repeats: 1): a flip may be an agent's own unsteadiness."
        + _declared(summary)
    ]


def _declared(summary: Summary) -> str:
    declared = [agent.name for agent in summary.records.agents if agent.deterministic]
    if len(declared) == len(summary.records.agents) and declared:
        return " All agents declare themselves deterministic."
    return ""


def _few(summary: Summary) -> list[str]:
    papers = len(summary.records.papers)
    if papers >= FEW_PAPERS:
        return []
    return [f"Only {counted(papers, 'paper')}: intervals from resampling may be too short."]


def _power(summary: Summary) -> list[str]:
    found = []
    coarse = [
        line.detectable
        for line in summary.agents
        if line.detectable is not None and line.detectable > COARSE
    ]
    if coarse:
        found.append(
            f"Underpowered: for {counted(len(coarse), 'agent')} another agent's flip rate must be "
            f"higher by up to {fixed(100 * max(coarse), 1)} points before a test is likely to see "
            "it."
        )
    return found


def _rejected(summary: Summary) -> list[str]:
    return [
        f"{one_line(family.name)}: {family.rejected:,} of "
        f"{counted(family.variants, 'variant')} could not be made fairly or failed a gate; the "
        "papers left may not be typical."
        for family in summary.families
        if family.variants and family.rejected > MANY_REJECTED * family.variants
    ]


def _names(names: list[str]) -> str:
    return ", ".join(one_line(name, 60) for name in names)
