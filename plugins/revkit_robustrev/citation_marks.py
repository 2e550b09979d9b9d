"""Learn the form of a paper's citation markers, and write new markers in the same form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.structure import Citation, Reference
from revkit_robustrev.citation_pool import PoolWork

_BRACKETED = re.compile(r"\((?:19|20)\d\d[a-z]?\)")


def most(votes: Iterable[str], default: str) -> str:
    """Return the most frequent vote; in a tie the first one."""
    counts = Counter(votes)
    return max(counts, key=lambda vote: counts[vote]) if counts else default


@dataclass(frozen=True)
class MarkFormat:
    """The form of citation marks: how a new one reads.

    ``command`` is "\\citep" and the like for LaTeX, "@" for pandoc keys. ``before`` is what is
    between a word and a mark. ``bracketed_year`` is the style "(Lee et al. (2021))".
    """

    style: Literal["numeric", "author-year", "latex"]
    opening: str = "("
    closing: str = ")"
    separator: str = "; "
    comma: str = ","
    joiner: str = "&"
    et_al: str = "et al."
    before: str = " "
    command: str = ""
    bracketed_year: bool = False

    def cite(self, work: PoolWork, label: str) -> str:
        """Return one work in the form within a marker: "Vaswani et al., 2017", "24" or
        "vaswani2017".
        """
        if self.style == "numeric":
            return label
        if self.style == "latex":
            return f"@{label}" if self.command == "@" else label
        names = cited_names(work, self.joiner, self.et_al)
        return (
            f"{names} ({work.year})" if self.bracketed_year else f"{names}{self.comma} {work.year}"
        )

    def mark(self, cites: Sequence[str]) -> str:
        """Return a complete new marker, with the blank before it."""
        head = f"{self.command}{{" if self.command.startswith("\\") else self.opening
        return f"{self.before}{head}{self.separator.join(cites)}{self.closing}"


def cited_names(work: PoolWork, joiner: str, et_al: str = "et al.") -> str:
    """Return the names in a marker: one name, "Lee & Kim" for two, "Lee et al." for more."""
    families = work.families
    if len(families) == 1 and not work.et_al:
        return families[0]
    if len(families) == 2 and not work.et_al:
        return f"{families[0]} {joiner} {families[1]}"
    return f"{families[0]} {et_al}"


def mark_format(paper: Paper, references: Sequence[Reference]) -> MarkFormat:
    """Learn the form of markers from the paper's own markers; without any, from its reference
    list.
    """
    style = paper.citation_style
    if style == "none":
        numbered = sum(reference.label.isdigit() for reference in references)
        style = "numeric" if 2 * numbered > len(references) else "author-year"
    marks = [citation for citation in paper.citations if citation.style == style]
    if style == "numeric":
        return _numeric_format(paper.text, marks)
    if style == "latex":
        return _latex_format(paper.text, marks)
    return _author_year_format(paper.text, marks)


def _before(text: str, marks: Sequence[Citation], default: str) -> str:
    votes = [text[mark.start - 1] for mark in marks if mark.start > 0]
    return most(("~" if v == "~" else " " if v.isspace() else "" for v in votes), default)


def _numeric_format(text: str, marks: Sequence[Citation]) -> MarkFormat:
    head = most((text[m.start : m.start + 2] for m in marks), "[1")
    brackets = {"^[": ("^[", "]"), "<s": ("<sup>", "</sup>")}
    if head[0] == "(":
        return _round_format(text, marks)
    opening, closing = brackets.get(head, ("[", "]"))
    several = [text[m.start : m.end] for m in marks if len(m.keys) > 1]
    tight = sum("," in s and ", " not in s for s in several)
    separator = "," if tight * 2 > sum("," in s for s in several) else ", "
    before = _before(text, marks, " ") if opening == "[" else ""
    return MarkFormat("numeric", opening, closing, separator, before=before)


def _round_format(text: str, marks: Sequence[Citation]) -> MarkFormat:
    several = [text[mark.start : mark.end] for mark in marks if len(mark.keys) > 1]
    semicolons = sum(";" in mark for mark in several)
    separator = "; " if 2 * semicolons >= len(several) else ", "
    return MarkFormat("numeric", separator=separator, before=_before(text, marks, " "))


def _latex_format(text: str, marks: Sequence[Citation]) -> MarkFormat:
    pandoc = sum(text[m.start] == "[" for m in marks)
    if 2 * pandoc > len(marks):
        return MarkFormat("latex", "[", "]", "; ", before=" ", command="@")
    commands = [re.match(r"\\[A-Za-z]+", text[m.start : m.end]) for m in marks]
    usual = [c.group() for c in commands if c and is_parenthetical(c.group())]
    several = [text[m.start : m.end] for m in marks if len(m.keys) > 1]
    separator = ", " if sum(", " in s for s in several) * 2 > len(several) else ","
    return MarkFormat(
        "latex", "{", "}", separator, before=_before(text, marks, "~"),
        command=most(usual, "\\citep" if commands else "\\cite"),
    )  # fmt: skip


def is_parenthetical(command: str) -> bool:
    """Whether a LaTeX command puts the whole mark in brackets, so that no sentence leans on it."""
    return command.rstrip("*") in ("\\cite", "\\citep", "\\parencite", "\\autocite", "\\Citep")


def _author_year_format(text: str, marks: Sequence[Citation]) -> MarkFormat:
    whole = [text[m.start : m.end] for m in marks if text[m.start] in "(["]
    opening = most((mark[0] for mark in whole), "(")
    commas = sum(bool(re.search(r",\s+(?:19|20)\d\d", mark)) for mark in whole)
    ampersands = sum(" & " in mark for mark in whole)
    ands = sum(" and " in mark for mark in whole)
    several = [text[m.start : m.end] for m in marks if len(m.keys) > 1]
    semicolons = sum(";" in mark for mark in several)
    return MarkFormat(
        "author-year",
        opening,
        ")" if opening == "(" else "]",
        "; " if not several or 2 * semicolons >= len(several) else ", ",
        "," if not whole or 2 * commas >= len(whole) else "",
        "&" if ampersands >= ands and ampersands else "and",
        "et al." if not whole or any("et al." in m for m in whole) else _et_al(whole),
        bracketed_year=2 * sum(bool(_BRACKETED.search(mark)) for mark in whole) > len(whole) > 0,
    )


def _et_al(whole: Sequence[str]) -> str:
    return "et al" if any("et al" in mark for mark in whole) else "et al."
