"""Excerpts: the part of a paper that a role receives, and how a paper that is too long is cut.

Sections are identified by their headings. The insight miner works on abstract, introduction, method
and all sections with mathematics; the result analyzer on abstract, experiments, results,
discussion, limitations and all sections with tables. Sections with an unknown heading belong to
both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.structure import SectionRole
from revkit.model.values import Json
from revkit.prompting import BYTES_PER_TOKEN, estimate_tokens

_LEAST_TOKENS = 300
_LEAST_PART = 300  # bytes of a section that are worth showing
_MARGIN = 400  # bytes for the lines that represent what is left out
_SHRINK = 0.7
# The most important sections for each role, if a paper does not fit.
_FIRST: dict[str, tuple[SectionRole, ...]] = {
    "miner": ("front", "abstract", "method", "introduction", "other"),
    "analyzer": ("front", "abstract", "results", "experiments", "discussion", "limitations"),
    "": (
        "front", "abstract", "introduction", "method", "results", "experiments", "conclusion",
        "discussion", "limitations", "other", "related-work", "appendix", "references",
        "acknowledgements",
    ),
}  # fmt: skip
_ROLES: dict[str, tuple[SectionRole, ...]] = {
    "miner": ("abstract", "introduction", "method", "other"),
    "analyzer": ("abstract", "experiments", "results", "discussion", "limitations", "other"),
    "searcher": ("abstract", "related-work"),
}
_KINDS = {"miner": ("math",), "analyzer": ("table",), "searcher": ()}
_NEVER = ("references", "acknowledgements")
_ABSTRACT_ONLY = 450  # words: more than this is not an abstract
_TABLE_CAPTION = re.compile(r"^[\W_]{0,6}table\s{1,3}([\dIVX]{1,4})[*_]{0,2}\s?[:.|]", re.I | re.M)
_IMAGE = re.compile(r"!\[[^\]\n]{0,200}\]\(|\\includegraphics|<img\b", re.I)
_LATEX = re.compile(r"\\(?:documentclass|begin\{document\}|section\*?\{)")


@dataclass(frozen=True)
class PaperSection:
    """Characters ``start`` to ``end`` of a paper: one heading and the text after it."""

    start: int
    end: int
    role: SectionRole
    name: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class PaperExcerpt:
    """A text for a prompt, the sections on which the role works, and how the text was obtained."""

    text: str
    focus: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    kept: float = 1.0

    def to_json(self) -> dict[str, Json]:
        summary: dict[str, Json] = {"kept": round(self.kept, 4), "notes": list(self.notes)}
        if self.focus:
            summary["sections"] = list(self.focus)
        return summary


def sections(paper: Paper) -> tuple[PaperSection, ...]:
    """Return the sections of ``paper`` in order, from the first character to the last."""
    text = paper.text
    heads = [block for block in paper.blocks if block.kind == "heading"]
    if not heads:
        whole = frozenset(block.kind for block in paper.blocks)
        return (PaperSection(0, len(text), "other", "", whole),)
    starts = [text.rfind("\n", 0, block.start) + 1 for block in heads]
    bounds = sorted({0, *starts, len(text)})
    names = dict(zip(starts, heads, strict=True))
    kinds: list[set[str]] = [set() for _ in bounds]
    for block in paper.blocks:
        kinds[bisect_right(bounds, block.start) - 1].add(block.kind)
    found = []
    for index, (start, end) in enumerate(pairwise(bounds)):
        head = names.get(start)
        name = " ".join(text[head.start : head.end].split())[:120] if head else ""
        role: SectionRole = head.role if head else "front"
        found.append(PaperSection(start, end, role, name, frozenset(kinds[index])))
    return tuple(found)


def kind_notes(paper: Paper) -> tuple[str, ...]:
    """Return notes on the form of ``paper`` that a reader needs."""
    notes = []
    text = paper.text
    if len(_LATEX.findall(text)) > 1:
        notes.append("LaTeX source: read as it is written")
    named = [each for each in sections(paper) if each.role not in ("front", "other")]
    if paper.words <= _ABSTRACT_ONLY and not [each for each in named if each.role != "abstract"]:
        notes.append("abstract only: there is no method or result to check")
    elif not named:
        notes.append("no sections: the whole text is read")
    grids = sum(1 for block in paper.blocks if block.kind == "table" and _is_grid(paper, block))
    captions = len(set(_TABLE_CAPTION.findall(text)))
    if captions and not grids:
        how = "as images" if _IMAGE.search(text) else "not in the text"
        notes.append(f"tables {how}: {captions} captions, and no values to read")
    return tuple(notes)


def _is_grid(paper: Paper, block: object) -> bool:
    text = paper.text[block.start : block.end]  # type: ignore[attr-defined]
    return "|" in text or "<t" in text.lower() or "&" in text or "tabular" in text


def wanted(paper: Paper, role: str) -> tuple[PaperSection, ...]:
    """Return the sections on which ``role`` works; all of them if none is identified."""
    roles, kinds = _ROLES[role], _KINDS[role]
    found = tuple(
        each
        for each in sections(paper)
        if each.role not in _NEVER
        and (each.role in roles or not each.kinds.isdisjoint(kinds))
        and each.role != "front"
    )
    if [each for each in found if each.role != "abstract"] or role == "searcher":
        return found
    return tuple(each for each in sections(paper) if each.role not in _NEVER)


def head(paper: Paper) -> PaperExcerpt:
    """Return title, abstract and related work: the input of the literature searcher (section 4.2).

    Without an abstract it is the beginning of the text, without a section on related work what the
    introduction says.
    """
    found = wanted(paper, "searcher")
    notes: list[str] = []
    if not any(each.role == "related-work" for each in found):
        more = [each for each in sections(paper) if each.role == "introduction"]
        found = tuple(sorted((*found, *more), key=lambda each: each.start))
        notes.append("no section on related work" + (": introduction instead" if more else ""))
    parts = [paper.text[each.start : each.end].strip() for each in found]
    if not any(each.role == "abstract" for each in found):
        parts.insert(0, paper.text[:4000].strip())
        notes.append("no abstract: beginning of the text instead")
    title = f"Title: {paper.title}\n\n" if paper.title else ""
    text = title + "\n\n".join(parts)
    return PaperExcerpt(
        text,
        tuple(each.name for each in found),
        tuple(notes),
        len(text) / (len(paper.text) + len(title)),
    )


def readings(paper: Paper, role: str, limit: int, *, whole: bool) -> Iterator[PaperExcerpt]:
    """Yield ever shorter excerpts for ``role``; the first one fits ``limit`` tokens.

    If the model's window is smaller, ask with the next one. With ``whole`` the full paper comes
    first; otherwise, or if it does not fit, the miner and the analyzer get the sections that they
    work on. If these are still too long, they get the most important ones.
    """
    notes = kind_notes(paper)
    focused = role in _KINDS
    focus = tuple(each.name for each in wanted(paper, role) if each.name) if focused else ()
    size = estimate_tokens(paper.text)
    if (whole or not focused) and size <= limit:
        yield PaperExcerpt(paper.text, focus, notes)
        limit = int(size * _SHRINK)
    kept = sections(paper)
    if focused:
        front = tuple(each for each in kept if each.role == "front")
        kept = tuple(sorted({*front, *wanted(paper, role)}, key=lambda each: each.start))
        text = _join(paper, {each: paper.text[each.start : each.end] for each in kept})
        size = estimate_tokens(text)
        if size <= limit:
            share = min(1.0, len(text) / len(paper.text))
            yield PaperExcerpt(text, focus, (*notes, "only the sections it works from"), share)
            limit = int(size * _SHRINK)
    while limit >= _LEAST_TOKENS:
        yield _cut(paper, kept, role, limit, focus, notes)
        limit = int(limit * _SHRINK)


def _join(paper: Paper, parts: Mapping[PaperSection, str]) -> str:
    """Join the kept sections in order, with a line for each run of omitted sections."""
    found: list[str] = []
    left_out: list[str] = []
    for each in sections(paper):
        if each in parts:
            found.extend(_gap(left_out))
            found.append(parts[each])
            left_out = []
        else:
            left_out.append(each.name or "beginning")
    return "".join([*found, *_gap(left_out)])


def _gap(names: list[str]) -> list[str]:
    if not names:
        return []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return [f"[Not shown here: {names[0]}{more}]\n\n"]


def _cut(
    paper: Paper,
    kept: tuple[PaperSection, ...],
    role: str,
    limit: int,
    focus: tuple[str, ...],
    notes: tuple[str, ...],
) -> PaperExcerpt:
    """Return the most important sections that fit ``limit``; the first section that does not fit is
    cut.
    """
    order = _FIRST.get(role, _FIRST[""])
    ranked = sorted(kept, key=lambda each: order.index(each.role) if each.role in order else 99)
    room = int(limit * BYTES_PER_TOKEN) - _MARGIN
    parts: dict[PaperSection, str] = {}
    lines = list(notes)
    for each in ranked:
        text = paper.text[each.start : each.end]
        size = len(text.encode("utf-8", "replace"))
        if size > room:
            short = _shortened(text, room)
            if short:
                parts[each] = short
                lines.append(f"cut to fit: {each.name or 'the text'}")
            break
        parts[each] = text
        room -= size
    left_out = [each.name or each.role for each in kept if each not in parts]
    if left_out:
        lines.append("left out to fit: " + "; ".join(left_out))
    text = _join(paper, parts)
    return PaperExcerpt(text, focus, tuple(lines), min(1.0, len(text) / len(paper.text)))


def _shortened(text: str, room: int) -> str:
    """Return the beginning of ``text`` in at most ``room`` bytes, up to the end of a paragraph or
    line if one is near; "" if almost nothing would be left.
    """
    if room < _LEAST_PART:
        return ""
    kept = text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
    for end in ("\n\n", "\n", ". "):
        place = kept.rfind(end)
        if place > len(kept) * 0.7:
            kept = kept[: place + len(end)]
            break
    return kept.rstrip() + "\n\n[The rest of this section is not shown]\n\n"
