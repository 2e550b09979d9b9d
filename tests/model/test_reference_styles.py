"""Lists made from BibTeX entries in many styles: where entries begin, and their years."""

from __future__ import annotations

import json
import random
import re
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from revkit.model.paper import Paper

POOL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "citations" / "pool.json"
HEAD = (
    "# Gates\n\n## Abstract\n\nWe study gates.\n\n## 1 Introduction\n\nGates are used widely.\n\n"
)


class Work(NamedTuple):
    authors: tuple[tuple[str, str], ...]
    title: str
    year: str
    venue: str


def plain(text: str) -> str:
    return re.sub(r"[{}\\$]", "", re.sub(r"\\['`\"^~=.uvHcdbk]\s?\{?([A-Za-z])\}?", r"\1", text))


def name(author: str) -> tuple[str, str]:
    """Family and given name; a particle in small letters belongs to the family."""
    if "," in author:
        family, given = author.split(",", 1)
        return family.strip(), given.strip()
    tokens = author.split()
    place = len(tokens) - 1
    while place > 0 and tokens[place - 1][:1].islower():
        place -= 1
    return " ".join(tokens[place:]), " ".join(tokens[:place])


@cache
def works() -> tuple[Work, ...]:
    found = []
    for row in json.loads(POOL.read_text(encoding="utf-8")):
        authors = tuple(name(plain(author)) for author in row["authors"] if author.strip())
        year = str(row.get("year") or "")
        if authors and re.fullmatch(r"(?:19|20)\d\d", year):
            found.append(Work(authors, plain(row["title"]), year, plain(row.get("venue") or "")))
    return tuple(found)


def initials(given: str) -> str:
    return " ".join(f"{part[0]}." for part in given.replace("-", " ").split())


def joined(names: list[str], last: str = " and ") -> str:
    if len(names) < 3:
        return last.join(names)
    return f"{', '.join(names[:-1])},{last}{names[-1]}"


def family_first(work: Work) -> list[str]:
    return [f"{family}, {initials(given)}" if given else family for family, given in work.authors]


def given_first(work: Work) -> list[str]:
    return [f"{given} {family}".strip() for family, given in work.authors]


def initials_first(work: Work) -> list[str]:
    return [f"{initials(given)} {family}".strip() for family, given in work.authors]


def apa(work: Work) -> str:
    names = joined(family_first(work), " & ")
    return f"{names} ({work.year}). {work.title}. {work.venue or 'Report'}, 12(3), 10–29."


def acl(work: Work) -> str:
    where = f"In *{work.venue or 'Proceedings of ACL'}*, pages 155–160."
    return f"{joined(given_first(work))}. {work.year}. {work.title}. {where}"


def neurips(work: Work) -> str:
    return (
        f"{joined(initials_first(work))}. {work.title}. In *{work.venue or 'NIPS'}*, {work.year}."
    )


def iclr(work: Work) -> str:
    return f"{joined(given_first(work))}. {work.title}. *{work.venue or 'arXiv'}*, {work.year}."


def icml(work: Work) -> str:
    where = f"In *{work.venue or 'ICML'}*, pp. 10–29, {work.year}."
    return f"{joined(family_first(work))}. {work.title}. {where}"


def ieee(work: Work) -> str:
    where = f"in {work.venue or 'Proc. CVPR'}, {work.year}, pp. 10–29."
    return f"{joined(initials_first(work))}, “{work.title},” {where}"


STYLES: list[Callable[[Work], str]] = [apa, acl, neurips, iclr, icml, ieee]
LABELS: dict[str, Callable[[int, Work], str]] = {
    "none": lambda number, work: "",
    "[1]": lambda number, work: f"[{number}] ",
    "1.": lambda number, work: f"{number}. ",
    "[Lee21]": lambda number, work: f"[{short(work)}] ",
    "- [Lee21]": lambda number, work: f"- [{short(work)}] ",
    "bullet": lambda number, work: "- ",
    "footnote": lambda number, work: f"[^{number}]: ",
}


def short(work: Work) -> str:
    letters = [re.sub(r"[^A-Za-z]", "", family) or "X" for family, _ in work.authors]
    if len(letters) == 1:
        return f"{letters[0][:3]}{work.year[2:]}"
    more = "+" if len(letters) > 3 else ""
    return f"{''.join(each[0] for each in letters[:3])}{more}{work.year[2:]}"


def wrapped(rows: list[str], width: int, indent: str = "", gap: str = "\n") -> list[str]:
    wrap = textwrap.TextWrapper(
        width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [wrap.fill(row) for row in rows]


LAYOUTS: dict[str, Callable[[list[str]], tuple[list[str], str]]] = {
    "paragraphs": lambda rows: (rows, "\n\n"),
    "lines": lambda rows: (rows, "\n"),
    "wrapped": lambda rows: (wrapped(rows, 80), "\n"),
    "hanging": lambda rows: (wrapped(rows, 80, "   "), "\n"),
    "wrapped paragraphs": lambda rows: (wrapped(rows, 80), "\n\n"),
    "column": lambda rows: (wrapped(rows, 46), "\n"),
}


@pytest.mark.skipif(not POOL.is_file(), reason="../shared/data is not present")
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
@pytest.mark.parametrize("label", LABELS)
def test_entries_begin_where_they_begin(style: Callable[[Work], str], label: str) -> None:
    right = wanted = found = years = 0
    for seed, layout in enumerate(LAYOUTS.values()):
        chosen = random.Random(seed).sample(works(), 20)
        if label in ("none", "bullet"):
            chosen.sort(key=lambda work: work.authors[0][0].lower())
        rows = [LABELS[label](number, work) + style(work) for number, work in enumerate(chosen, 1)]
        laid, gap = layout(rows)
        start = len(HEAD) + len("## References\n\n")
        starts = []
        for row in laid:
            starts.append(start)
            start += len(row) + len(gap)
        paper = Paper("p", f"{HEAD}## References\n\n{gap.join(laid)}\n")
        entries = {entry.start: entry.year for entry in paper.references}
        right += len(entries.keys() & set(starts))
        wanted, found = wanted + len(starts), found + len(entries)
        years += sum(
            entries.get(place) == int(work.year) for place, work in zip(starts, chosen, strict=True)
        )
    assert right >= 0.98 * wanted
    assert right >= 0.99 * found
    assert years >= 0.98 * wanted


def test_a_paper_may_have_several_lists() -> None:
    first = "Lee, A. (2014). Gates. Journal of Gates, 3.\n\nXu, B. (2015). Sets. Journal, 4."
    second = "Young, C. (2016). Nets. Journal, 5.\n\nvan Ree, D. (2017). Cells. Gating, 6."
    text = (
        f"{HEAD}## References\n\n{first}\n\n# Appendix\n\nProofs use what is known of gates.\n\n"
        f"## Appendix References\n\n{second}\n\n# References for the supplement\n\n"
        "Zhu, E. (2018). Bets. Gating, 7.\n"
    )
    paper = Paper("p", text)
    assert [entry.year for entry in paper.references] == [2014, 2015, 2016, 2017, 2018]
    prose = [text[block.start : block.end] for block in paper.blocks if block.is_prose]
    assert prose[-1].startswith("Proofs use")
