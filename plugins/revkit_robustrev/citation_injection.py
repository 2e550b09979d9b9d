"""Citation injection: add 3-5 real references on the paper's topic that the paper does not need."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation, ServiceName
from revkit.errors import OptionError
from revkit.model import Block, Check, Edit, Paper, Part, Reference, Rejection, inverse_edits
from revkit.model.edits import apply_edits
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_robustrev.citation_entries import EntryFormat, entry_format, places
from revkit_robustrev.citation_library import Library, library
from revkit_robustrev.citation_marks import MarkFormat, mark_format
from revkit_robustrev.citation_matching import (
    MOST_AT_ONCE,
    Nearness,
    by_words,
    candidates,
    place,
)
from revkit_robustrev.citation_pool import Pool, PoolWork, read_pool
from revkit_robustrev.citation_searching import with_search_results
from revkit_robustrev.citation_sites import CitationSite, find_sites
from revkit_robustrev.cited_works import CitedWorks

_MARK = "mark"  # kinds of edits: a citation mark in prose, an entry of the reference list
_ENTRY = "entry"
Source = Literal["pool", "corpus", "search"]


@dataclass(frozen=True)
class CitationInjection(Perturbation):
    """Adds a few real references on the paper's topic, as citation markers in its prose and as
    entries.

    From *ROBUST-REV*, section 3: "Add 3-5 plausible citations from a curated pool of real,
    on-topic papers, without changing claims". The new works support nothing that the paper did not
    already say. An agent that counts citations moves; a careful reader may notice a work that he
    would not have cited there, so a fair score may get lower.

    Where: right after the name of a subject ("machine translation"), or within the marker that is
    there. Never in a sentence about the paper itself, never where a finding is reported, something
    is denied or measured, or authors are named, and never joined to a single named system.

    Which work: one that is cited for this subject, by the list of the built-in pool, by two other
    papers of the corpus, or by one of them where the subject makes up a third of its title. The
    sentence must be near to the title or to a sentence that cites the work, ``floor`` or more: by
    cosine of the run's embedder, or by the share of words in common. A work that the paper already
    cites, that is the paper itself, that is newer than the paper's newest reference, or whose first
    author and year would be mistaken for another entry's, is left out. No place gets more than two.

    Sources: the pool, the reference lists of the other papers of the corpus (works that are read
    from an entry beyond doubt), and the run's searcher.

    Marks are written in the paper's own style of marks, and one entry in the list's own format: at
    its alphabetical place in an unnumbered list that is sorted, else at the end under the next free
    number. Venues have the name that they had in that year. No number or entry that was there
    changes. Every edit inserts; none replaces or removes. A paper is rejected where it has no
    reference list, where its list and its marks cannot be matched (numbered marks over a list
    without numbers, footnote references, keys in brackets), or where too few works fit.

    Raises `revkit.errors.RunError` where the pool cannot be read.
    """

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    name: ClassVar[str] = "citation-injection"
    version: ClassVar[str] = "3"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "pool.jsonl",
        "subjects.tsv",
        "venue-names.tsv",
        "revkit.english:stop-words.tsv",
    )

    count: tuple[int, int] = option(
        (3, 5), help="least and most references to add; drawn for each paper", minimum=1, maximum=50
    )
    pool: str | None = option(
        None,
        help="path of a pool of real references in JSON Lines, or package:NAME/FILE (default: the "
        "built-in pool)",
    )
    sources: tuple[Source, ...] = option(
        ("pool", "corpus"),
        later=True,
        help="where works come from: the pool, the reference lists of the other papers of the "
        "corpus, the searcher of the run",
    )
    nearness: Literal["words", "embedding"] = option(
        "words",
        later=True,
        help="how a sentence is compared with a work; embedding needs an embedder",
    )
    floor: float | None = option(
        None,
        later=True,
        help="least nearness of a sentence to a work (default: 0.3 by embedding, 0.2 by words)",
        minimum=0,
        maximum=1,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if self.count[0] > self.count[1]:
            problems.append(("count", "the first number must not exceed the second"))
        if not self.sources:
            problems.append(("sources", "name at least one source"))
        if problems:
            raise OptionError(self.name, problems)
        services: dict[str, ServiceName] = {"corpus": "corpus", "search": "searcher"}
        uses = [services[source] for source in self.sources if source in services]
        if self.nearness == "embedding":
            uses.append("embedder")
        object.__setattr__(self, "uses", tuple(uses))

    def identity(self) -> Json:
        """Return the options, with the SHA-256 of the pool's bytes instead of its path."""
        return {**options_of(self), "pool": self._works.digest}

    @cached_property
    def _works(self) -> Pool:
        return read_pool(self.pool)

    def _library(self, ctx: Context) -> Library:
        peers = ctx.peers() if "corpus" in self.sources else ()
        return library(self._works if "pool" in self.sources else None, peers)

    def _nearness(self, ctx: Context) -> tuple[Nearness, float]:
        """How texts are compared, and the floor."""
        if self.nearness == "words":
            return by_words, 0.2 if self.floor is None else self.floor

        def near(pairs: Sequence[tuple[str, str]]) -> list[float]:
            texts = list(dict.fromkeys(text for pair in pairs for text in pair))
            if not texts:
                return []
            vectors = dict(zip(texts, ctx.embed(texts), strict=True))
            return [float(vectors[one] @ vectors[other]) for one, other in pairs]

        return near, 0.3 if self.floor is None else self.floor

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return insertions of marks and entries, or why the paper cannot take them."""
        references = paper.references
        if not references:
            return Rejection("no reference list")
        form = mark_format(paper, references)
        entries = entry_format(paper.text, references)
        reason = _unmatched(paper, form, entries)
        if reason:
            return Rejection(reason)
        works = self._library(ctx)
        if "search" in self.sources:
            works = with_search_results(paper, form, works, ctx.search)
        near, floor = self._nearness(ctx)
        sites = find_sites(paper, form, works.cited_for.keys(), works.subjects_of_lists)
        cited = CitedWorks(paper)
        found = candidates(works, sites, paper.digest, cited.excludes, near, floor)
        least, most = self.count
        placed = place(found, least, most, ctx.rng)
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

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return marks with the entries of their works: those that share a work are one group."""
        groups: list[tuple[list[Edit], set[str]]] = []
        for edit in edits:
            own, works = [edit], set(edit.about)
            apart = []
            for group in groups:
                if works & group[1]:
                    own, works = [*group[0], *own], works | group[1]
                else:
                    apart.append(group)
            groups = [*apart, (own, works)]
        return [sorted(own) for own, _ in groups]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check the number of references, that marks and entries match, and that all else stays.

        The edited text is parsed again: exactly the new works must have come to its citations and
        to its reference list.
        """
        cites = _works(edits, _MARK)
        lists = _works(edits, _ENTRY)
        unmatched = sum((Counter(cites) - Counter(lists)).values()) + sum(
            (Counter(lists) - Counter(cites)).values()
        )
        known = self._library(ctx).by_key
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
                "injected-references", number, self.count[1],
                self.count[0] <= number <= self.count[1], "references",
                f"{self.count[0]} to {self.count[1]} wanted",
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
        new = form.separator + form.separator.join(cites) if site.joins else form.mark(cites)
        keys = tuple(work.key for work in works)
        note = f"cites {' '.join(keys)}"
        edits.append(Edit(site.position, site.position, new, note, _MARK, keys))
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
