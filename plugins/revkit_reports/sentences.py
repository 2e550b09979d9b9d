"""The sentences of a report: the finding, the direction, counts, the method."""

from __future__ import annotations

from collections import Counter

from revkit.figures.numbers import counted, percent
from revkit.model.table import Table
from revkit_reports.losses import Loss
from revkit_reports.reasons import grouped
from revkit_reports.summary import Summary
from revkit_reports.visible import one_line

GIST = 240
MOST_LETTERS = 1_000


def finding(summary: Summary) -> str:
    """What came out, in a few sentences: what was judged and fitted, and what tables found."""
    parts = [_judges(summary), _maps(summary)]
    if summary.about_flips:
        parts += [
            text
            for text, missing in (
                ("No agents.", not summary.records.agents),
                ("No families.", not summary.records.perturbations),
                ("Flip rates were not measured.", summary.robustness is None),
            )
            if missing
        ]
    parts += [one_line(found.text, MOST_LETTERS) for found in summary.findings("lead")]
    text = " ".join(part for part in parts if part)
    if text:
        return text
    records = summary.records
    return (
        f"{counted(len(records.agents), 'agent')} reviewed {counted(len(records.papers), 'paper')}."
    )


def section_findings(table: Table) -> list[str]:
    """What a table found, for the part of a report that is about it."""
    return [one_line(each.text, MOST_LETTERS) for each in table.findings if each.place == "section"]


def _judges(summary: Summary) -> str:
    """Who judged what."""
    records = summary.records
    if not records.judges:
        return ""
    variants = " and their variants" if records.perturbations else ""
    text = (
        f"{counted(len(records.judges), 'judge')} scored {counted(len(records.papers), 'text')}"
        f"{variants} by {counted(len(records.rubrics), 'rubric')}."
    )
    lost = all(row.failure for row in records.judgements)
    return f"{text} Every judgement failed." if lost else text


def _maps(summary: Summary) -> str:
    """What was fitted on what."""
    records = summary.records
    anchors = records.anchors
    if anchors is None:
        return ""
    ways = list(dict.fromkeys(found.name for found in anchors.maps))
    text = (
        f"{counted(len(records.agents), 'agent')} scored "
        f"{counted(len(anchors.papers), 'anchor')} and "
        f"{counted(len(records.papers), 'other paper')}; maps were fitted in "
        f"{counted(len(ways), 'way')}."
    )
    lost = all(verdict.failure for verdict in (*anchors.verdicts, *records.verdicts))
    return f"{text} Every review failed." if lost else text


def gist(note: str) -> str:
    """The first sentence of a note, which holds what matters, at most `GIST` letters."""
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
            "from a separate corpus"
            if anchors.shared is None
            else f"a share of {percent(anchors.shared, 0)} set aside from the corpus by content"
        )
        parts.append(
            f"Maps were fitted to {counted(len(anchors.papers), 'anchor')} ({where}), scored "
            f"{'once' if anchors.repeats == 1 else f'{anchors.repeats} times'} by each agent; no "
            "other paper had a part in them."
        )
    parts += dict.fromkeys(
        one_line(note, MOST_LETTERS) for table in summary.run.tables for note in table.method
    )
    parts.append(f"All random draws follow from seed {records.seed}.")
    return " ".join(parts)
