"""The sentences of a report: the finding, the direction, counts, the method."""

from __future__ import annotations

import math
from collections import Counter

from revkit.figures.numbers import between, counted, fixed, percent, stated_p
from revkit_reports.losses import Loss
from revkit_reports.reasons import grouped
from revkit_reports.summary import AgentLine, DirectionLine, Summary
from revkit_reports.tables import number
from revkit_reports.visible import one_line

GIST = 240
MOST_TOLD = 6


def finding(summary: Summary) -> str:
    """What came out, in a few sentences: of the flips, the judges and the maps that there were."""
    parts = [_flips(summary)] if summary.about_flips else []
    parts += [_judges(summary), _maps(summary)]
    told = " ".join(part for part in parts if part)
    if told:
        return told
    records = summary.records
    return (
        f"{counted(len(records.agents), 'agent')} reviewed {counted(len(records.papers), 'paper')}."
    )


def _flips(summary: Summary) -> str:
    if not summary.tables.has("flip-rate"):
        return "Flip rates were not measured."
    measured = measured_agents(summary)
    if not measured:
        return "No pair has a verdict on both sides, so nothing can be said about flips."
    first, last = measured[0], measured[-1]
    if len(measured) == 1:
        text = (
            f"{one_line(first.name)} changed its verdict on {percent(first.rate.value)} of "
            f"{counted(first.valid, 'pair')} ({summary.interval_name} "
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
    return f"{text} {_worst_families(summary)}".rstrip()


def _judges(summary: Summary) -> str:
    """Who judged what, and how far the score of the rubric that edits aim at fell."""
    records = summary.records
    if not records.judges:
        return ""
    variants = " and their variants" if records.perturbations else ""
    parts = [
        f"{counted(len(records.judges), 'judge')} scored {counted(len(records.papers), 'text')}"
        f"{variants} by {counted(len(records.rubrics), 'rubric')}."
    ]
    if all(row.failure for row in records.judgements):
        parts.append("Every judgement failed.")
    rows = [row for row in summary.tables.rows("rubric-diagonal") if number(row, "own") is not None]
    for level in dict.fromkeys(str(row.get("level")) for row in rows):
        found = [row for row in rows if str(row.get("level")) == level]
        if len(found) > MOST_TOLD:
            continue
        told = _listed(
            [
                f"{fixed(number(row, 'own'), 2)} ({one_line(str(row.get('judge')), 40)})"
                for row in found
            ]
        )
        parts.append(
            f"Under {one_line(level, 40)} edits the score of the rubric aimed at fell by {told} "
            "points on average."
        )
    return " ".join(parts)


def _maps(summary: Summary) -> str:
    """What was fitted on what, and disagreement and error by each way of fitting, all of them: to
    name the best one only would be to choose it on the very papers that it is told of."""
    records = summary.records
    anchors = records.anchors
    if anchors is None:
        return ""
    ways = list(dict.fromkeys(found.name for found in anchors.maps))
    parts = [
        f"{counted(len(records.agents), 'agent')} scored "
        f"{counted(len(anchors.papers), 'anchor')} and "
        f"{counted(len(records.papers), 'other paper')}; maps were fitted in "
        f"{counted(len(ways), 'way')}."
    ]
    if all(verdict.failure for verdict in (*anchors.verdicts, *records.verdicts)):
        parts.append("Every review failed.")
    rows = [
        row
        for setting in ("raw", *ways)
        if (row := summary.tables.row("calibration", setting=setting))
        and number(row, "d") is not None
        and number(row, "mae") is not None
    ]
    if 1 < len(rows) <= MOST_TOLD and rows[0].get("setting") == "raw":
        d, error = ([fixed(number(row, name), 1) for row in rows] for name in ("d", "mae"))
        names = [one_line(str(row["setting"]), 40) for row in rows]
        apart = _listed([f"{size} ({name})" for size, name in zip(d, names, strict=True)])
        parts.append(
            f"Two agents differ on a paper by {apart} severity points on average, and from the "
            f"consensus by {_listed(error)}."
        )
    return " ".join(parts)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]


def gist(note: str) -> str:
    """The first sentence of a note, where what matters stands, and no more than `GIST` letters."""
    from revkit.model.sentences import split_sentences

    spans = split_sentences(note, 0, len(note))
    first = note[spans[0].start : spans[0].end] if spans else note
    if len(first) <= GIST:
        return first
    # A sentence may begin with a name in small letters, which the splitter takes for its middle.
    stop = first.rfind(". ", 0, GIST)
    if stop > GIST // 4:
        return first[: stop + 1]
    blank = first.rfind(" ", 0, GIST)
    return first[: blank if blank > 0 else GIST] + " ..."


def _worst_families(summary: Summary) -> str:
    """Which family flips most, all of them at a tie; empty where there is nothing to compare."""
    families = [f for f in summary.families if f.rate.value and f.expect == "invariant"]
    if len(families) < 2:
        return ""
    most = max(family.rate.value or 0.0 for family in families)
    names = [f.name for f in families if math.isclose(f.rate.value or 0.0, most, rel_tol=1e-9)]
    share = f"{percent(most)} of pairs{' each' if len(names) > 1 else ''}"
    if len(measured_agents(summary)) > 1:
        share += ", averaged over agents"
    *first, last = (one_line(name, 60) for name in names)
    if not first:
        return f"{last} flips most: {share}."
    return f"{', '.join(first)} and {last} flip most: {share}."


def measured_agents(summary: Summary) -> list[AgentLine]:
    """The agents with a flip rate."""
    return [line for line in summary.agents if line.rate.value is not None]


def interval_methods(summary: Summary) -> str:
    """How the intervals of flip rates and accuracies were computed, from the tables themselves."""
    parts = [
        f"{title}: {' or '.join(found)}"
        for title, found in (
            ("flip rate", sorted({line.rate_method for line in summary.agents} - {""})),
            ("accuracy", sorted({line.accuracy_method for line in summary.agents} - {""})),
        )
        if found
    ]
    return f"papers independent ({'; '.join(parts)})" if parts else "papers independent"


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
    """Loaded, skipped, made, rejected, asked, failed: where every item went."""
    records = summary.records
    skipped = sum(records.skipped.values())
    gates = sum(variant.failed_gate for variant in records.variants)
    unmade = sum(variant.outcome == "declined" for variant in records.variants)
    crashed = f", {summary.crashed:,} crashed" if summary.crashed else ""
    parts = [
        f"Papers: {len(records.papers):,} loaded ({summary.labelled:,} with a decision), "
        f"{skipped:,} skipped.",
    ]
    if records.perturbations:
        parts.append(
            f"Variants: {len(records.variants):,} attempted, {unmade:,} not made "
            f"by their family, {gates:,} rejected by gates{crashed}."
        )
    if records.agents:
        parts.append(f"Reviews: {summary.verdicts:,} asked for, {summary.failed:,} failed.")
    if records.judges:
        failed = sum(bool(judgement.failure) for judgement in records.judgements)
        parts.append(f"Judgements: {len(records.judgements):,} asked for, {failed:,} failed.")
    anchors = records.anchors
    if anchors is not None:
        failed = sum(bool(verdict.failure) for verdict in anchors.verdicts)
        parts.append(
            f"Anchors: {len(anchors.papers):,} loaded, {sum(anchors.skipped.values()):,} skipped; "
            f"{len(anchors.verdicts):,} scores asked for, {failed:,} failed."
        )
    return " ".join(parts)


def skipped_reasons(summary: Summary) -> list[tuple[str, int]]:
    """Why records of the corpus were skipped, commonest first, and then those of the anchors."""
    anchors = summary.records.anchors
    return [
        *grouped(summary.records.skipped),
        *((f"anchor: {why}", n) for why, n in grouped(anchors.skipped if anchors else {})),
    ]


_UNREAD = {
    "rating": "rating without a known meaning",
    "decision": "decision without a known meaning",
    "form": "ratings on a scale whose ends are not known, so no consensus",
}


def unread_labels(summary: Summary) -> list[tuple[str, int]]:
    """What of the papers' labels has no known meaning, each wording with its count."""
    anchors = summary.records.anchors
    rows = [*summary.records.papers, *(anchors.papers if anchors else ())]
    counts = Counter(
        f"{_UNREAD[each.kind]}: {each.wording}" for row in rows for each in row.labels.unmapped
    )
    return grouped(counts)


def reason_of(loss: Loss) -> str:
    """The reason why variants are missing; that of a crash names the error."""
    return loss.reason if loss.crashed else f"rejected: {loss.reason}"


def method(summary: Summary) -> str:
    """The paragraph on method that a paper needs."""
    records = summary.records
    families = ", ".join(one_line(row.name, 60) for row in records.perturbations) or "none"
    made = sum(not variant.rejected for variant in records.variants)
    times = "once each" if records.repeats == 1 else f"{records.repeats} times each"
    parts = [f"Base papers: {len(records.papers):,}."]
    if records.perturbations:
        parts.append(
            f"They were perturbed by {counted(len(records.perturbations), 'family', 'families')} "
            f"({families}); {counted(made, 'variant')} passed all gates."
        )
    if records.agents:
        also = ", as were the unchanged papers" if records.perturbations else ""
        parts.append(f"Reviewed by {counted(len(records.agents), 'agent')}, {times}{also}.")
    if summary.about_flips:
        parts.append(
            "A pair counts where both reviews give a verdict. A flip is a changed verdict; a score "
            "shift is the score after minus the score before."
        )
    if records.judges:
        parts.append(
            f"Judged by {counted(len(records.judges), 'judge')}, {times}, by "
            f"{counted(len(records.rubrics), 'rubric')}, as were the unchanged texts."
        )
    anchors = records.anchors
    if anchors is not None:
        where = (
            "from a corpus of their own"
            if anchors.shared is None
            else f"a share of {percent(anchors.shared, 0)} set aside from the corpus by content"
        )
        parts.append(
            f"Maps were fitted to {counted(len(anchors.papers), 'anchor')} ({where}), scored "
            f"{'once' if anchors.repeats == 1 else f'{anchors.repeats} times'} by each agent; no "
            "other paper had a part in them."
        )
    parts += [
        note
        for name in ("flip-rate", "mcnemar")
        for note in summary.tables.notes(name)
        if note.startswith(("Cluster intervals", "Holm", '"all families"'))
    ]
    parts.append(f"All random draws follow from seed {records.seed}.")
    return " ".join(parts)
