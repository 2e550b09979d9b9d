"""The sentences of a report: counts, method, and how to read its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from revkit.figures.numbers import EMPTY, count_of, legends_of, percent
from revkit.model.pair_set import PairSet
from revkit.model.records import Records
from revkit.model.sample import Sampled
from revkit.model.table import Table
from revkit_reports.headline import TableView
from revkit_reports.losses import Loss, group_reasons
from revkit_reports.summary import SUBJECTS, Summary
from revkit_reports.tables import legend
from revkit_reports.visible import one_line

GATES_EXPLAINED = (
    "A gate is a check that each variant must pass; a variant that fails one is rejected, and no "
    "agent reads it. The table has the number of variants that a gate judged and passed, the "
    "values that it measured in them, and the limit that it allows: a highest or lowest value, a "
    "distance from a target, or else the exact value. A gate without a limit only measures."
)
HOW_TO_READ = "How to read the tables"
GIST = 240
_STRATA = 8
MOST_LETTERS = 1_000


def section_findings(table: Table) -> list[str]:
    """Return the findings that a table declares for its own section of the report."""
    return [one_line(each.text, MOST_LETTERS) for each in table.findings if each.place == "section"]


def loose_findings(summary: Summary) -> list[str]:
    """Return the findings for sections of tables that have none in a report."""
    shown = {table.name for table in summary.tables()}
    return [
        text
        for table in summary.run.tables
        if table.name not in shown
        for text in section_findings(table)
    ]


def how_to_read(summary: Summary, views: Sequence[TableView]) -> list[str]:
    """Return what holds for several tables of a report: the brackets, and the marks."""
    measures = [each for by in SUBJECTS for each in summary.measures(by)]
    lines = [text for text in [legend(measures)] if text]
    lines += legends_of(
        conservative=any(view.conservative for view in views),
        short=any(view.short for view in views),
    )
    if any(cell.value == EMPTY for view in views for row in view.rows for cell in row):
        lines.append(f'"{EMPTY}" means that there is no value.')
    return lines


def gist(note: str) -> str:
    """Return the first sentence of a note, its main point, in at most `GIST` characters."""
    from revkit.model.sentences import split_sentences

    spans = split_sentences(note, 0, len(note))
    first = note[spans[0].start : spans[0].end] if spans else note
    if len(first) <= GIST:
        return first
    # A sentence may begin with a lower-case name, at which the splitter sees no new sentence.
    stop = first.rfind(". ", 0, GIST)
    if stop > GIST // 4:
        return first[: stop + 1]
    blank = first.rfind(" ", 0, GIST)
    return first[: blank if blank > 0 else GIST] + " ..."


def unit_of_papers(records: Records) -> str:
    """Return what the papers of a run are, in words: texts about papers, such as reviews, name
    their paper.
    """
    about = {row.labels.extra.get("paper") for row in records.papers}
    if not about or None in about:
        return "paper" if len(records.papers) == 1 else "papers"
    texts = "text" if len(records.papers) == 1 else "texts"
    return f"{texts} about {count_of(len(about), 'paper')}"


def counts_sentence(summary: Summary) -> str:
    """Counts of everything loaded, skipped, generated, rejected, requested and failed."""
    records = summary.records
    skipped = sum(records.skipped.values())
    variants = records.variant_counts
    crashed = f", {variants.crashed:,} crashed" if variants.crashed else ""
    parts = [
        f"Papers: {len(records.papers):,} loaded ({summary.labelled:,} with a decision), "
        f"{skipped:,} skipped.",
    ]
    if records.sampled is not None:
        parts.append(sample_sentence(records.sampled))
    parts += [pair_set_sentence(records, each) for each in records.pair_sets]
    if records.perturbations:
        parts.append(
            f"Variants: {variants.attempted:,} attempted, {variants.rejected:,} rejected "
            f"({variants.declined:,} could not be made, {variants.gates:,} failed a check of the "
            f"edits){crashed}."
        )
    if records.agents:
        parts.append(f"Reviews: {summary.verdicts:,} requested, {summary.failed:,} failed.")
    if records.judges:
        failed = sum(bool(judgement.failure) for judgement in records.judgements)
        parts.append(f"Judgements: {len(records.judgements):,} requested, {failed:,} failed.")
    anchors = records.anchors
    if anchors is not None:
        failed = sum(bool(verdict.failure) for verdict in anchors.verdicts)
        parts.append(
            f"Anchors: {len(anchors.papers):,} loaded, {sum(anchors.skipped.values()):,} skipped; "
            f"{len(anchors.verdicts):,} scores requested, {failed:,} failed."
        )
    return " ".join(parts)


def pair_set_sentence(records: Records, found: PairSet) -> str:
    """Return which pair set was used, and how many of its pairs."""
    made = sum(
        row.outcome == "made" and row.perturbation in found.perturbations
        for row in records.variants
    )
    return (
        f"Pair set: {one_line(found.name)} {one_line(found.version)} "
        f"(SHA-256 {one_line(found.digest)}), {made:,} of its {found.pairs:,} pairs."
    )


def sample_sentence(sampled: Sampled) -> str:
    """Return how many papers were drawn, of how many, and how."""
    sample = sampled.sample
    text = f"Sample: {sampled.drawn:,} of {sampled.of:,} papers, drawn with seed {sample.seed}"
    if sampled.drawn < sample.n:
        text += f" ({sample.n:,} requested)"
    if not sample.by:
        return f"{text}."
    strata = sorted(sampled.strata.items(), key=lambda item: (-item[1][1], item[0]))
    listed = [f"{one_line(name)} {drawn:,} of {of:,}" for name, (drawn, of) in strata[:_STRATA]]
    more = f", and {len(strata) - _STRATA:,} more" if len(strata) > _STRATA else ""
    return f"{text} by {sample.by} ({', '.join(listed)}{more})."


def skipped_reasons(summary: Summary) -> list[tuple[str, int]]:
    """Return why records of the corpus, then of the anchors, were skipped, most frequent reason
    first.
    """
    anchors = summary.records.anchors
    return [
        *group_reasons(summary.records.skipped),
        *((f"anchor: {why}", n) for why, n in group_reasons(anchors.skipped if anchors else {})),
    ]


_UNREAD = {
    "rating": "rating not understood",
    "decision": "decision not understood",
    "form": "no consensus, because the ends of the rating scale are unknown",
}


def unread_labels(summary: Summary) -> list[tuple[str, int]]:
    """Return labels of papers that could not be understood, each wording with its count."""
    anchors = summary.records.anchors
    rows = [*summary.records.papers, *(anchors.papers if anchors else ())]
    counts = Counter(
        f"{_UNREAD[each.kind]}: {each.wording}" for row in rows for each in row.labels.unmapped
    )
    return group_reasons(counts)


def reason_of(loss: Loss) -> str:
    """Return why variants are missing; for a crash, the error."""
    return loss.reason if loss.crashed else f"no variant: {loss.reason}"


def method(summary: Summary) -> str:
    """Return the paragraph on methods for a paper."""
    records = summary.records
    families = ", ".join(one_line(row.name, 60) for row in records.perturbations) or "none"
    made = sum(not variant.rejected for variant in records.variants)
    times = "once each" if records.repeats == 1 else f"{records.repeats} times each"
    parts = [f"Base {unit_of_papers(records)}: {len(records.papers):,}."]
    if records.perturbations:
        parts.append(
            f"They were edited by {count_of(len(records.perturbations), 'family', 'families')} "
            f"({families}); {count_of(made, 'variant')} passed all checks "
            "of the edits (gates)."
        )
    if records.agents:
        also = ", and so were the unchanged papers" if records.perturbations else ""
        parts.append(f"Reviewed by {count_of(len(records.agents), 'agent')}, {times}{also}.")
    if summary.about_flips:
        parts.append(
            "A pair counts if both texts have a verdict. A flip is a changed verdict; a change of "
            "score is the score of the variant minus the score of the original."
        )
    if records.judges:
        parts.append(
            f"Judged by {count_of(len(records.judges), 'judge')}, {times}, by "
            f"{count_of(len(records.rubrics), 'rubric')}, and so were the unchanged texts."
        )
    anchors = records.anchors
    if anchors is not None:
        where = (
            "from a separate corpus"
            if anchors.shared is None
            else f"{percent(anchors.shared, 0)} of the corpus, selected by content"
        )
        parts.append(
            f"Maps to the common scale were fitted to {count_of(len(anchors.papers), 'anchor')}, "
            f"papers with a known consensus score ({where}), scored "
            f"{'once' if anchors.repeats == 1 else f'{anchors.repeats} times'} by each agent; no "
            "other paper was used to fit them."
        )
    parts += _each_once(
        one_line(note, MOST_LETTERS) for table in summary.run.tables for note in table.method
    )
    parts.append(f"All random draws use seed {records.seed}.")
    return " ".join(parts)


def _each_once(notes: Iterable[str]) -> list[str]:
    """Return the sentences of all notes, each once: notes of two tables may share some."""
    from revkit.model.sentences import split_sentences

    return list(
        dict.fromkeys(
            note[span.start : span.end]
            for note in notes
            for span in split_sentences(note, 0, len(note))
        )
    )
