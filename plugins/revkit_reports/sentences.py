"""The sentences of a report: the finding, the direction, counts, warnings, the method."""

from __future__ import annotations

from revkit_reports.numbers import between, fixed, percent, stated_p
from revkit_reports.summary import AgentLine, DirectionLine, Summary, grouped
from revkit_reports.visible import one_line

FEW_PAPERS = 20
COARSE = 0.10
MANY_REJECTED = 0.25


def finding(summary: Summary) -> str:
    """What came out, in two sentences at most."""
    measured = [line for line in summary.agents if line.rate.value is not None]
    if not measured:
        return "No pair has a verdict on both sides, so nothing can be said about flips."
    first, last = measured[0], measured[-1]
    if len(measured) == 1:
        text = (
            f"{one_line(first.name)} changed its verdict on {percent(first.rate.value)} of "
            f"{first.valid:,} pairs ({summary.interval_name} "
            f"{between(first.rate.low, first.rate.high, 100)})."
        )
    else:
        text = (
            f"Over {len(measured)} agents the median flip rate is "
            f"{percent(summary.median.value)} ({summary.interval_name} "
            f"{between(summary.median.low, summary.median.high, 100)}), from "
            f"{percent(first.rate.value)} ({one_line(first.name)}) to "
            f"{percent(last.rate.value)} ({one_line(last.name)})."
        )
    families = [f for f in summary.families if f.rate.value and f.expect == "invariant"]
    if len(families) < 2:
        return text
    worst = max(families, key=lambda family: family.rate.value or 0.0)
    return (
        f"{text} {one_line(worst.name)} flips most: {percent(worst.rate.value)} of pairs, "
        "averaged over agents."
    )


def direction_sentence(line: DirectionLine | None, interval_name: str) -> str:
    """Which way verdicts flipped, with test and interval."""
    if line is None:
        return "The direction of flips was not measured."
    if not line.valid:
        return "No pair has a verdict on both sides, so there is no direction."
    if line.up + line.down == 0:
        return "No verdict flipped, so there is no direction."
    counts = (
        f"{line.up:,} verdicts flipped from reject to accept, {line.down:,} from accept to reject"
    )
    test = f"exact sign test over flips {stated_p(line.p_exact)}"
    if line.p_clustered is not None:
        test += f", over papers {stated_p(line.p_clustered)}"
    if line.ratio.value is None:
        return f"{counts} (no ratio; {test})."
    return (
        f"{counts}, a ratio of {fixed(line.ratio.value, 1)} : 1 "
        f"({interval_name} {between(line.ratio.low, line.ratio.high)}; {test})."
    )


def counts_sentence(summary: Summary) -> str:
    """Loaded, skipped, made, rejected, reviewed, failed: where every item went."""
    records = summary.records
    skipped = sum(records.skipped.values())
    rejected = sum(bool(variant.rejected) for variant in records.variants)
    return (
        f"Papers: {len(records.papers):,} loaded ({summary.labelled:,} with a decision), "
        f"{skipped:,} skipped. Variants: {len(records.variants):,} attempted, {rejected:,} "
        f"rejected by their gates. Reviews: {summary.verdicts:,} asked for, "
        f"{summary.failed:,} failed."
    )


def skipped_reasons(summary: Summary) -> list[tuple[str, int]]:
    """Why records of the corpus were skipped, commonest first."""
    return grouped(summary.records.skipped)


def warnings(summary: Summary) -> list[str]:
    """What a reader must know before believing a figure, most serious first."""
    return [
        *_missing_tables(summary),
        *_without_pairs(summary),
        *_constant(summary),
        *_failures(summary),
        *_not_better(summary),
        *_noise(summary),
        *_power(summary),
        *_rejected(summary),
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
        f"{one_line(line.name)} gives one verdict ({line.constant}) to all papers: "
        "its low flip rate says nothing."
        for line in summary.agents
        if line.constant
    ]


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


def _power(summary: Summary) -> list[str]:
    papers = len(summary.records.papers)
    found = []
    if papers < FEW_PAPERS:
        found.append(f"Only {papers} paper(s): intervals from resampling may be too short.")
    coarse = [
        line.detectable
        for line in summary.agents
        if line.detectable is not None and line.detectable > COARSE
    ]
    if coarse:
        found.append(
            f"Underpowered: for {len(coarse)} agent(s) another agent's flip rate must be higher "
            f"by up to {fixed(100 * max(coarse), 1)} points before a test is likely to see it."
        )
    return found


def _rejected(summary: Summary) -> list[str]:
    return [
        f"{one_line(family.name)}: {family.rejected:,} of {family.variants:,} variants were "
        "rejected by their gates; the papers left may not be typical."
        for family in summary.families
        if family.variants and family.rejected > MANY_REJECTED * family.variants
    ]


def _names(names: list[str]) -> str:
    return ", ".join(one_line(name, 60) for name in names)


def method(summary: Summary) -> str:
    """The paragraph on method that a paper needs."""
    records = summary.records
    families = ", ".join(one_line(row.name, 60) for row in records.perturbations) or "none"
    made = sum(not variant.rejected for variant in records.variants)
    times = "once each" if records.repeats == 1 else f"{records.repeats} times each"
    text = (
        f"{len(records.papers):,} base papers were perturbed by {len(records.perturbations)} "
        f"families ({families}); {made:,} variants passed their gates and were reviewed by "
        f"{len(records.agents)} agents, {times}, as were the unchanged papers. "
        "A pair counts where both reviews give a verdict. A flip is a changed verdict; a score "
        "shift is the score after minus the score before."
    )
    notes = [
        note
        for name in ("flip-rate", "mcnemar")
        for note in summary.tables.notes(name)
        if note.startswith(("Cluster intervals", "Holm", '"all families"'))
    ]
    seed = f"All random draws follow from seed {records.seed}."
    return " ".join([text, *notes, seed])
