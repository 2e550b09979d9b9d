"""Invented works: a reference list, and citation markers in one of two styles.

Every entry names the "Synthetic Workshop" as its venue, so that none is taken for a real work.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.english import enumerate_names, headline
from revkit_corpora.synthetic.topics import PaperTopic, vocabulary

PLACE = "\x01"
"""Stands for a citation mark in brackets until all of a paper's text is there."""

NARRATIVE = "\x02"
"""Stands for a citation that is part of its sentence: "Varga et al. [4]", "Varga et al. (2021)"."""

_PLACES = re.compile(f" {PLACE}|{NARRATIVE}")
_LEADS = (
    "Adaptive",
    "Calibrated",
    "Compositional",
    "Constrained",
    "Contrastive",
    "Decoupled",
    "Efficient",
    "Factored",
    "Generalized",
    "Hierarchical",
    "Incremental",
    "Iterative",
    "Lightweight",
    "Modular",
    "Multi-View",
    "Regularized",
    "Scalable",
    "Selective",
    "Self-Supervised",
    "Structured",
)
_FORMS = (
    "{lead} Methods for {task}",
    "On the Role of {hard} in {task}",
    "A {lead} View of {hard}",
    "Revisiting {task} with a {lead} {part}",
    "{task}: A {lead} Approach",
    "Beyond {hard} in {task}",
    "Learning a {lead} {part}",
    "When Does {hard} Matter for {task}?",
)


@dataclass(frozen=True, slots=True)
class CitedWork:
    """One invented work. ``names`` are its authors' surnames, each after an initial."""

    names: tuple[str, ...]
    initials: tuple[str, ...]
    title: str
    venue: str
    year: int

    @property
    def short(self) -> str:
        """How prose names the authors: "Lee et al."."""
        if len(self.names) == 1:
            return self.names[0]
        if len(self.names) == 2:
            return f"{self.names[0]} and {self.names[1]}"
        return f"{self.names[0]} et al."


def invent_works(count: int, topic: PaperTopic, rng: random.Random) -> list[CitedWork]:
    """Return ``count`` invented works, no two with the same first author."""
    works = []
    surnames = vocabulary().surnames
    for first in rng.sample(surnames, count):
        others = [name for name in rng.sample(surnames, int(rng.random() * 4)) if name != first]
        names = (first, *others)
        title = rng.choice(_FORMS).format(
            lead=rng.choice(_LEADS),
            task=headline(rng.choice(topic.tasks), _SMALL),
            hard=headline(rng.choice(topic.hard), _SMALL),
            part=headline(rng.choice(topic.parts), _SMALL),
        )
        works.append(
            CitedWork(
                names,
                tuple("ABCDEFGHIJKLMNOPRSTVWYZ"[int(rng.random() * 23)] for _ in names),
                re.sub(r"\b([Aa]) (?=[AEIO])", r"\1n ", title),
                f"Proceedings of the Synthetic Workshop on {headline(topic.area, _SMALL)}",
                2008 + int(rng.random() * 16),
            )
        )
    return works


_SMALL = frozenset(("on", "of", "for", "from", "under", "with", "a", "the", "over", "in"))


def cite(
    texts: Sequence[str], works: Sequence[CitedWork], numeric: bool, rng: random.Random
) -> tuple[list[str], list[str]]:
    """Return ``texts`` with citation markers instead of their placeholders, and the reference list.

    Every work is cited at least once. Where there are more places than works, some places cite a
    work again and the others go; where there are fewer, places cite several works.
    """
    kinds = [found for text in texts for found in _PLACES.findall(text)]
    groups = _groups(kinds, len(works), rng)
    marks: list[str] = []
    for kind, group in zip(kinds, groups, strict=True):
        if kind == NARRATIVE:
            work = works[group[0]]
            end = f"[{group[0] + 1}]" if numeric else f"({work.year})"
            marks.append(f"{work.short} {end}")
        elif not group:
            marks.append("")
        elif numeric:
            marks.append(" [" + ", ".join(str(n + 1) for n in sorted(group)) + "]")
        else:
            named = sorted(f"{works[n].short}, {works[n].year}" for n in group)
            marks.append(" (" + "; ".join(named) + ")")
    queue = iter(marks)
    cited = [_PLACES.sub(lambda _: next(queue), text) for text in texts]
    return cited, _entries(works, numeric)


def _groups(kinds: Sequence[str], works: int, rng: random.Random) -> list[list[int]]:
    """Return the works that each place cites, numbered in the order of first mention."""
    sizes = [1 if kind == NARRATIVE else 0 for kind in kinds]
    open_places = [n for n, kind in enumerate(kinds) if kind != NARRATIVE]
    rng.shuffle(open_places)
    left = max(0, works - sum(sizes))
    at = 0
    while left and open_places:
        sizes[open_places[at % len(open_places)]] += 1
        at += 1
        left -= 1
    groups: list[list[int]] = []
    used = 0
    for kind, size in zip(kinds, sizes, strict=True):
        fresh = list(range(used, min(used + size, works)))
        used += len(fresh)
        again = not fresh and used > 0 and (kind == NARRATIVE or rng.random() < 0.25)
        groups.append([int(rng.random() * used)] if again else fresh)
    return groups


def _entries(works: Sequence[CitedWork], numeric: bool) -> list[str]:
    if numeric:
        return [
            f"[{number}] {_authors(work, ' ')}. {_ended(work.title)} {work.venue}, {work.year}."
            for number, work in enumerate(works, 1)
        ]
    ordered = sorted(works, key=lambda work: (work.names[0], work.year))
    return [
        f"- {_authors(work, ', ', turned=True)} ({work.year}). {_ended(work.title)} {work.venue}."
        for work in ordered
    ]


def _ended(title: str) -> str:
    return title if title.endswith("?") else f"{title}."


def _authors(work: CitedWork, between: str, *, turned: bool = False) -> str:
    pairs = zip(work.names, work.initials, strict=True)
    people = [f"{n}{between}{i}." if turned else f"{i}.{between}{n}" for n, i in pairs]
    return enumerate_names(people)
