"""The edits that cite works in a paper and list them, and the checks on such edits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random

from revkit.model import Block, Check, Edit, Paper, Reference, Rejection, inverse_edits
from revkit.model.edits import apply_edits
from revkit_robustrev.citation_entries import EntryFormat, entry_format, places
from revkit_robustrev.citation_library import Library
from revkit_robustrev.citation_marks import MarkFormat, mark_format
from revkit_robustrev.citation_matching import MOST_AT_ONCE, Floors, Nearness, candidates, place
from revkit_robustrev.citation_pool import PoolWork
from revkit_robustrev.citation_search import Search, with_search_results
from revkit_robustrev.citation_sites import CitationSite, find_sites
from revkit_robustrev.cited_works import CitedWorks
from revkit_robustrev.prose import refuse_other_language

_MARK = "mark"  # kinds of edits: a citation mark in prose, an entry of the reference list
_ENTRY = "entry"


def insertions(
    paper: Paper,
    library: Callable[[], Library],
    search: Search | None,
    nearness: tuple[Nearness, Floors],
    count: tuple[int, int],
    rng: Random,
) -> Sequence[Edit] | Rejection:
    """Return insertions of marks and entries, or why the paper cannot take them.

    The works are those of ``library`` and, with ``search``, those that it finds; ``nearness`` is
    how texts are compared, and the floors. From the least to the most of ``count`` works are drawn.
    """
    if refusal := refuse_other_language(paper):
        return refusal
    references = paper.references
    if not references:
        return Rejection("no reference list")
    form = mark_format(paper, references)
    entries = entry_format(paper.text, references)
    reason = _unmatched(paper, form, entries)
    if reason:
        return Rejection(reason)
    works = library()
    if search is not None:
        works = with_search_results(paper, works, search)
    near, floors = nearness
    means = works.means_subject(paper)
    sites = (site for site in find_sites(paper, works.names) if means(site.phrase))
    cited = CitedWorks(paper)
    found = candidates(works, sites, paper.digest, cited.excludes, near, floors)
    least, most = count
    placed = place(found, least, most, rng)
    if not placed:
        fitting = len({one.work.key for one in found})
        there = len({one.site.position for one in found})
        return Rejection(
            f"{fitting} works fit at {there} places in sentences that are not about the paper "
            f"itself, {least} are wanted, at most {MOST_AT_ONCE} at a place"
        )
    chosen = [work for _, works_there in placed for work in works_there]
    labels = _labels(paper, form, entries, chosen)
    return [
        *_mark_edits(form, placed, labels),
        *_entry_edits(paper, entries, chosen, labels),
    ]


def injection_checks(
    paper: Paper, edits: Sequence[Edit], library: Library, count: tuple[int, int]
) -> Sequence[Check]:
    """Return the checks of `CitationInjection.gates`."""
    cites = _works(edits, _MARK)
    lists = _works(edits, _ENTRY)
    unmatched = sum((Counter(cites) - Counter(lists)).values()) + sum(
        (Counter(lists) - Counter(cites)).values()
    )
    known = library.by_key
    cited = CitedWorks(paper)
    again = sum(cited.has(known[key]) for key in lists if key in known)
    again += len(lists) - len(set(lists))
    kept = all(edit.start == edit.end for edit in edits)
    after = apply_edits(paper.text, edits)
    kept = kept and apply_edits(after, inverse_edits(paper.text, edits)) == paper.text
    outside = sum(not _belongs(paper, edit) for edit in edits)
    grown, marked, lost = _reparsed(paper, after)
    number = len(lists)
    return [
        Check(
            "injected-references", number, count[1],
            count[0] <= number <= count[1], "references",
            f"{count[0]} to {count[1]} wanted",
        ),
        Check("unmatched-citations", unmatched, 0, unmatched == 0, "marks or entries"),
        Check("duplicate-references", again, 0, again == 0, "references"),
        Check(
            "text-outside-citations", outside, 0, kept and outside == 0, "edits",
            "" if kept else "an edit replaces text",
        ),
        Check(
            "reparsed-references", grown, number, grown == number, "references",
            "entries that came to the list when the variant was parsed",
        ),
        Check(
            "reparsed-citations", marked, number, marked == number and lost == 0, "works cited",
            "works that came to the marks when the variant was parsed",
        ),
    ]  # fmt: skip


def _unmatched(paper: Paper, form: MarkFormat, entries: EntryFormat) -> str:
    """Return why markers and entries of this paper cannot be matched, or ""."""
    references = paper.references
    if entries.prefix.startswith("[^"):
        return "the reference list is made of footnotes"
    numbered = 2 * sum(reference.label.isdigit() for reference in references) > len(references)
    keyed = 2 * sum(bool(r.label) and not r.label.isdigit() for r in references) > len(references)
    if paper.citation_style == "label":
        return "the marks are labels of the list, which new works do not have"
    if form.style == "numeric" and not numbered:
        return "the marks are numbers, but the reference list has none"
    if form.style == "latex" and not keyed:
        return "the marks are keys, but the reference list has none"
    if form.style == "author-year" and keyed and not entries.prefix.startswith("\\bibitem"):
        return "the reference list is labelled with keys that the marks do not use"
    return ""


def _labels(
    paper: Paper, form: MarkFormat, entries: EntryFormat, works: Sequence[PoolWork]
) -> Mapping[str, str]:
    """Return the label of each work: the next free number, a key that is not used, or ""."""
    if form.style == "latex" or entries.prefix.startswith("\\bibitem"):
        taken = {reference.label for reference in paper.references}
        labels: dict[str, str] = {}
        for work in works:
            label = base = re.sub(r"[^A-Za-z0-9:.-]", "", work.key) or "work"
            extra = 1
            while label in taken:
                extra += 1
                label = f"{base}-{extra}"
            taken.add(label)
            labels[work.key] = label
        return labels
    numbers = [int(r.label) for r in paper.references if r.label.isdigit()]
    if 2 * len(numbers) <= len(paper.references):
        return {work.key: "" for work in works}
    if form.style == "numeric":
        numbers += [
            int(key)
            for citation in paper.citations
            if citation.style == "numeric"
            for key in citation.keys
        ]
    return {work.key: str(max(numbers) + 1 + index) for index, work in enumerate(works)}


def _mark_edits(
    form: MarkFormat,
    placed: Sequence[tuple[CitationSite, list[PoolWork]]],
    labels: Mapping[str, str],
) -> list[Edit]:
    edits: list[Edit] = []
    for site, works in placed:
        cites = [form.cite(work, labels[work.key]) for work in works]
        keys = tuple(work.key for work in works)
        note = f"cites {' '.join(keys)}"
        edits.append(Edit(site.position, site.position, form.mark(cites), note, _MARK, keys))
    return edits


def _entry_edits(
    paper: Paper, form: EntryFormat, works: Sequence[PoolWork], labels: Mapping[str, str]
) -> list[Edit]:
    """Insert each entry at its place; entries of one place make one edit, in alphabetical order."""
    at: dict[int, list[PoolWork]] = {}
    for work, index in zip(works, places(form, paper.references, works), strict=True):
        at.setdefault(index, []).append(work)
    edits: list[Edit] = []
    for index, group in sorted(at.items()):
        if not labels[group[0].key].isdigit():
            group.sort(key=lambda work: (work.name, work.year, work.key))
        texts = [form.entry(work, labels[work.key]) for work in group]
        keys = tuple(work.key for work in group)
        note = f"lists {' '.join(keys)}"
        if index:
            position = paper.references[index - 1].end
            new = "".join(form.gap + text for text in texts)
        else:
            position = paper.references[0].start
            new = "".join(text + form.gap for text in texts)
        edits.append(Edit(position, position, new, note, _ENTRY, keys))
    return edits


def _works(edits: Sequence[Edit], kind: str) -> list[str]:
    """Return the keys of the works that edits of this kind cite."""
    return [key for edit in edits if edit.kind == kind for key in edit.about]


def _reparsed(paper: Paper, text: str) -> tuple[int, int, int]:
    """Parse the edited text: how many references came, how many works cited came, how many went.

    Citations are looked for in the paragraphs that are not word for word in the original.
    """
    variant = Paper(id=paper.id, text=text, title=paper.title)
    before = {paper.text[b.start : b.end] for b in paper.blocks if b.is_prose}
    changed = [b for b in variant.blocks if b.is_prose and text[b.start : b.end] not in before]
    after = {text[b.start : b.end] for b in variant.blocks if b.is_prose}
    gone = [b for b in paper.blocks if b.is_prose and paper.text[b.start : b.end] not in after]
    new = Counter(key for b in changed for key in _keys(variant, b))
    old = Counter(key for b in gone for key in _keys(paper, b))
    grown = len(variant.references) - len(paper.references)
    return grown, sum((new - old).values()), sum((old - new).values())


def _keys(paper: Paper, block: Block) -> list[tuple[str, str]]:
    marks = paper.citation_forms.find(paper.text, block.start, block.end)
    return [(mark.style, key) for mark in marks for key in mark.keys]


def _belongs(paper: Paper, edit: Edit) -> bool:
    """Whether an edit lies where its kind belongs: a mark in prose, an entry beside a reference."""
    references: Sequence[Reference] = paper.references
    if edit.kind == _ENTRY:
        return bool(references) and references[0].start <= edit.start <= references[-1].end
    return edit.kind == _MARK and any(
        block.is_prose and block.start <= edit.start <= block.end for block in paper.blocks
    )
