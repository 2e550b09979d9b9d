"""Inline marks: the parts of prose that are not words, found in one pass from left to right.

The pass is shared by `revkit.model.sentences` (which protects all marks) and
`revkit.model.citations` (which reports some of them), so that a bracket inside mathematics is a
citation for neither.
"""

from __future__ import annotations

import re
from functools import lru_cache

from revkit.model.authoryear import Mark, narrative_start, parse_mark, without_ties
from revkit.model.inline_patterns import (
    APPENDIX,
    ARXIV,
    BLANK_LINE,
    BRACKET,
    CODE,
    COMMAND,
    COMMENT,
    CROSS_NUMBER,
    DOI,
    ENTITY,
    IMAGE,
    LINK_END,
    LINK_TARGET,
    LINKED,
    LINKED_GROUP,
    LITERAL,
    LITERAL_TAG,
    MAIL_AFTER,
    MAIL_BEFORE,
    MATH,
    MATH_SIGN,
    NUMBERS,
    OPENING,
    OPENING_SIGN,
    OPENING_SIGNS,
    OPTION,
    PANDOC,
    PAREN,
    PAREN_MATH,
    TAG,
    URL,
    VERBATIM,
    YEAR,
    YEAR_ONLY,
    cross_start,
    follows_word,
    located_numbers,
    numeric_keys,
    numeric_mark,
    numeric_range,
    trimmed,
)
from revkit.model.latex_source import ENVIRONMENTS, group_end
from revkit.model.structure import Citation, Span

# How far code within a line, and a table or an environment within a paragraph, may go.
_LONGEST_CODE = 500
_LONGEST_PART = 8_000
# What follows the bracket of a number that is a link.
_LINK_SIGNS = frozenset("0123456789[\\<")


class _Pass:
    """One pass over ``text[start:end]``."""

    def __init__(self, text: str, start: int, end: int, memory: _Memory) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.memory = memory
        self.spans: list[tuple[int, int]] = []
        self.citations: list[Citation] = []
        # Works named in a longer remark in brackets, and how far such remarks have been read.
        self.remarks: list[tuple[int, int]] = []
        self.claimed = start
        # Without this sign no link leads to the reference list.
        self.anchors = text.find("#", start, end) >= 0

    def run(self) -> None:
        text, end, position = self.text, self.end, self.start
        search, spans, marks = OPENING.search, self.spans, _MARKS
        while (position := self.memory.opening(position, end)) >= 0:
            opening = search(text, position, end)
            if opening is None:
                break
            at = opening.start()
            found = marks[text[at]](self, at)
            if found > at:
                if not spans or spans[-1][1] <= at:
                    spans.append((at, found))
                position = found
            else:
                position = at + 1
        self._addresses()
        if self.memory.comments and text.find("%", self.start, end) >= 0:
            spans.extend(
                (match.start(1), match.end()) for match in COMMENT.finditer(text, self.start, end)
            )
        if self.memory.appendices and text.find("ppendi", self.start, end) >= 0:
            spans.extend(match.span() for match in APPENDIX.finditer(text, self.start, end))

    def _addresses(self) -> None:
        text, start, end = self.text, self.start, self.end
        if not self.memory.addresses or (
            text.find("://", start, end) < 0 and text.find("www.", start, end) < 0
        ):
            return
        for match in URL.finditer(text, start, end):
            first = match.start()
            last = trimmed(text, first, match.end())
            if last > first + 4:
                self.spans.append((first, last))

    def _add(self, start: int, end: int) -> int:
        """Add a span that starts before its opening character."""
        while self.spans and self.spans[-1][0] >= start:
            self.spans.pop()
        self.spans.append((start, end))
        return end

    def _floor(self) -> int:
        return self.citations[-1].end if self.citations else self.start

    def dollar(self, at: int) -> int:
        match = MATH.match(self.text, at, self.end)
        if match is None:
            return at
        body = match.group()
        if body.startswith("$$"):
            return match.end()
        inner = body[1:-1]
        after = self.text[match.end() : match.end() + 1]
        if inner[0].isspace() or inner[-1].isspace():
            if not MATH_SIGN.search(inner) or len(inner) > 300 or inner[0].isdigit():
                return at
        elif after.isdigit() and match.end() < self.end:
            return at
        return at if BLANK_LINE.search(inner) else match.end()

    def code(self, at: int) -> int:
        match = CODE.match(self.text, at, self.end)
        return match.end() if match else at

    def backslash(self, at: int) -> int:
        text = self.text
        if self.anchors and text.startswith(("[[", "[<"), at + 1):
            linked = self._linked(at)
            if linked > at:
                return linked
        if text[at + 1 : at + 2] in ("(", "["):
            match = PAREN_MATH.match(text, at, self.end)
            if match:
                if text[at + 1] == "[" and NUMBERS.match(match.group()[2:-2]):
                    # Markdown writers escape the brackets of a mark.
                    keys = numeric_keys(match.group()[2:-2])
                    self.citations.append(Citation(at, match.end(), "numeric", keys))
                return match.end()
        match = COMMAND.match(text, at, self.end)
        if match is None:
            return at
        if match["cite"]:
            keys = tuple(key.strip() for key in match["keys"].split(",") if key.strip())
            if keys:
                self.citations.append(Citation(at, match.end(), "latex", keys))
        elif match["ref"] and match["ref"] != "label":
            begin = cross_start(text, self._floor(), at)
            if begin >= 0:
                return self._add(begin, match.end())
        elif match["environment"] in ENVIRONMENTS:
            closer = "\\end" + match.group()[len("\\begin") :]
            close = text.find(closer, match.end(), min(self.end, at + _LONGEST_PART))
            # Without a near end it goes to the end of the block: `\end` may be on a line alone.
            return close + len(closer) if close >= 0 else self.end
        elif match["name"] in LITERAL:
            return self._literal(match["name"], match.end())
        return match.end()

    def _literal(self, name: str, behind: int) -> int:
        """Return the end of the argument of a command whose name ends at ``behind``, or
        ``behind``.
        """
        text = self.text
        option = OPTION.match(text, behind, self.end)
        start = option.end() if option else behind
        if name == "mintinline" and text.startswith("{", start):
            start = max(group_end(text, start), start)
        if text[start : start + 1] == "{":
            close = group_end(text, start)
            return close if 0 <= close <= self.end else behind
        if name not in VERBATIM or not text[start : start + 1].strip():
            return behind
        close = text.find(text[start], start + 1, min(self.end, start + _LONGEST_CODE))
        return close + 1 if close >= 0 and "\n" not in text[start:close] else behind

    def tag(self, at: int) -> int:
        if self.anchors and self.text.startswith(("<a ", "<sup><a "), at):
            linked = self._linked(at)
            if linked > at:
                return linked
        match = TAG.match(self.text, at, self.end)
        if match is None:
            return at
        if match["sup"] and follows_word(self.text, self.start, at):
            self.citations.append(Citation(at, match.end(), "numeric", numeric_keys(match["sup"])))
        literal = LITERAL_TAG.match(self.text, at, match.end())
        if literal and self.text[match.end() - 2] != "/":
            closer = f"</{literal[1]}>"
            close = self.text.find(closer, match.end(), min(self.end, at + _LONGEST_PART))
            return close + len(closer) if close >= 0 else match.end()
        return match.end()

    def entity(self, at: int) -> int:
        match = ENTITY.match(self.text, at, self.end)
        return match.end() if match else at

    def image(self, at: int) -> int:
        match = IMAGE.match(self.text, at, self.end)
        return match.end() if match else at

    def link_target(self, at: int) -> int:
        match = LINK_TARGET.match(self.text, at, self.end)
        if match is None:
            return at
        target = match.group()
        return match.end() if any(sign in target for sign in "/#.:@") else at

    def caret(self, at: int) -> int:
        text = self.text
        if text[at + 1 : at + 2] != "[":
            return at
        match = BRACKET.match(text, at + 1, self.end)
        if match is None or not NUMBERS.match(match[1]) or not follows_word(text, self.start, at):
            return at
        self.citations.append(Citation(at, match.end(), "numeric", numeric_keys(match[1])))
        return match.end()

    def mail(self, at: int) -> int:
        after = MAIL_AFTER.match(self.text, at, self.end)
        before = MAIL_BEFORE.search(self.text[max(self.start, at - 90) : at])
        if after is None or before is None:
            return at
        return self._add(at - len(before.group()), after.end())

    def section_sign(self, at: int) -> int:
        match = CROSS_NUMBER.match(self.text, at + 1, self.end)
        if match is None and self.text[at + 1 : at + 2] in (" ", "\u00a0"):
            match = CROSS_NUMBER.match(self.text, at + 2, self.end)
        return match.end() if match else at

    def digit(self, at: int) -> int:
        text = self.text
        if text.startswith("10.", at):
            match = DOI.match(text, at, self.end)
            if match:
                return trimmed(text, at, match.end())
        begin = cross_start(text, self._floor(), at)
        if begin >= 0:
            match = CROSS_NUMBER.match(text, at, self.end)
            if match:
                last = match.end()
                if text[last - 1] == ")" and "(" not in match.group():
                    last -= 1
                return self._add(begin, last)
        if text[at - 6 : at].lower() == "arxiv:":
            match = ARXIV.match(text, at, self.end)
            if match:
                return self._add(max(self.start, at - 6), match.end())
        return at

    def _linked(self, at: int) -> int:
        """Add the numbers at ``at`` that link to the list; return their end, or ``at``."""
        text = self.text
        match = LINKED_GROUP.match(text, at, self.end) or LINKED.match(text, at, self.end)
        if match is None or cross_start(text, self._floor(), at) >= 0:
            return at
        inner = LINK_END.sub("", match.group())
        self.citations.append(Citation(at, match.end(), "numeric", numeric_keys(inner)))
        return match.end()

    def bracket(self, at: int) -> int:
        text = self.text
        if self.anchors and text[at + 1 : at + 2] in _LINK_SIGNS:
            linked = self._linked(at)
            if linked > at:
                return linked
        match = BRACKET.match(text, at, self.end)
        if match is None:
            return at
        inner, last = match[1], match.end()
        after = text[last : last + 1] if last < self.end else ""
        if inner.startswith("^") and len(inner) > 1 and " " not in inner:
            return last
        if after == "(":
            target = LINK_TARGET.match(text, last - 1, self.end)
            if target:
                year = YEAR_ONLY.match(text, at, last)
                begin = narrative_start(text, self._floor(), at) if year else -1
                if year and begin >= 0:
                    key = " ".join(text[begin:at].split()).rstrip("( ,")
                    self.citations.append(
                        Citation(begin, target.end(), "author-year", (f"{key}, {inner.strip()}",))
                    )
                    return self._add(begin, target.end())
                # A link is protected by its target; its words are prose, unless it is a number.
                return target.end() if NUMBERS.match(inner) else at
        if NUMBERS.match(inner):
            before = self.citations[-1].end if self.citations else -1
            keys = numeric_mark(text, self.start, at, last, inner, after, follows=before == at)
            if keys:
                keys, last = numeric_range(text, keys, last, self.end)
                self.citations.append(Citation(at, last, "numeric", keys))
            return last
        located = located_numbers(inner) if inner[:1].isdigit() else ""
        if located:
            keys = numeric_mark(text, self.start, at, last, located, after, follows=False)
            if keys:
                self.citations.append(Citation(at, last, "numeric", keys))
                return last
        if "@" in inner and PANDOC.match(inner):
            keys = tuple(re.findall(r"@([\w:./-]*\w)", inner))
            if keys:
                self.citations.append(Citation(at, last, "latex", keys))
                return last
        if len(inner) < 500 and YEAR.search(inner):
            return self._author_year(at, last, inner)
        return at

    def paren(self, at: int) -> int:
        text = self.text
        match = PAREN.match(text, at, self.end)
        if match is None:
            return self._cut_off(at)
        inner = match[1]
        if len(inner) < 800 and YEAR.search(inner):
            found = self._author_year(at, match.end(), inner)
            if found > at:
                return found
        elif inner[:1].isdigit() and len(inner) < 12:
            begin = cross_start(text, self._floor(), at)
            number = CROSS_NUMBER.match(text, at, self.end) if begin >= 0 else None
            if number:
                return self._add(begin, number.end())
        return at

    def _author_year(self, at: int, last: int, inner: str) -> int:
        text = self.text
        if at < self.claimed:
            return at
        years = YEAR_ONLY.match(text, at, last)
        if (years and years.end() == last) or (years and inner.startswith("[")):
            begin = narrative_start(text, self._floor(), at)
            if begin < 0:
                return at
            names = " ".join(without_ties(text[begin:at]).split())
            keys = tuple(f"{names}, {year}" for year in re.findall(r"\d{4}[a-z]?", years[1]))
            self.citations.append(Citation(begin, last, "author-year", keys))
            return self._add(begin, last)
        mark = parse_mark(inner)
        if mark is None:
            return at
        if mark.whole:
            self.citations.append(Citation(at, last, "author-year", mark.keys))
            return last
        self._note_works(at, mark)
        return at

    def _note_works(self, at: int, mark: Mark) -> None:
        """Add the works in a longer remark; the pass continues within it, for its formulas and
        figures.
        """
        for work in mark.works:
            start, end = at + 1 + work.start, at + 1 + work.end
            if self.text[start - 1] == "(" and self.text[end : end + 1] == ")" and start - 1 > at:
                start, end = start - 1, end + 1
            self.remarks.append((start, end))
            self.citations.append(Citation(start, end, "author-year", work.keys))
            self.claimed = end

    def _cut_off(self, at: int) -> int:
        """Add the works in a parenthesis that a page break interrupts at the end of the span."""
        end = self.end
        if end - at < 400 and at >= self.claimed and self.text.find(")", at, end) < 0:
            mark = parse_mark(self.text[at + 1 : end])
            if mark and mark.whole:
                self._note_works(at, mark)
        return at


_MARKS = {
    "$": _Pass.dollar,
    "`": _Pass.code,
    "\\": _Pass.backslash,
    "<": _Pass.tag,
    "&": _Pass.entity,
    "[": _Pass.bracket,
    "]": _Pass.link_target,
    "(": _Pass.paren,
    "!": _Pass.image,
    "^": _Pass.caret,
    "@": _Pass.mail,
    "§": _Pass.section_sign,
    **dict.fromkeys("0123456789", _Pass.digit),
}


_Found = tuple[tuple[Span, ...], tuple[Citation, ...]]
_NOTHING: _Found = ((), ())


class _Memory:
    """The results for one text, which sentences, citations and edits all need, and which signs
    occur in it: of what does not, no passage has to be searched.
    """

    def __init__(self, text: str) -> None:
        self.found: dict[tuple[int, int], _Found] = {}
        self.addresses = "://" in text or "www." in text
        self.comments = "%" in text
        self.appendices = "ppendi" in text
        # Without one of these, all marks begin with a sign that `OPENING` finds.
        self.more = self.addresses or self.comments or self.appendices
        self._signs = text.encode("latin-1", "replace").translate(OPENING_SIGNS)

    def opening(self, start: int, end: int) -> int:
        """Return the first place in ``start:end`` where a mark may begin; -1 if there is none."""
        return self._signs.find(OPENING_SIGN, start, end)


@lru_cache(maxsize=8)
def _memory(text: str) -> _Memory:
    """Return the memory of ``text``."""
    return _Memory(text)


def inline_marks(text: str, start: int, end: int) -> tuple[tuple[Span, ...], tuple[Citation, ...]]:
    """Return the protected spans within ``text[start:end]`` and the citations among them.

    Both are sorted and free of overlaps, and every citation lies within one protected span.
    """
    memory = _memory(text)
    place = start, end
    found = memory.found.get(place)
    if found is None:
        if memory.more or memory.opening(start, end) >= 0:
            found = _marks(text, start, end, memory)
        else:
            found = _NOTHING
        memory.found[place] = found
    return found


def _marks(text: str, start: int, end: int, memory: _Memory) -> _Found:
    work = _Pass(text, start, end, memory)
    work.run()
    merged: list[tuple[int, int]] = []
    for first, last in sorted(work.spans + work.remarks):
        if merged and first < merged[-1][1]:
            if last > merged[-1][1]:
                merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    citations = work.citations
    if work.remarks:
        # What a remark names was noted before the marks within the remark were read.
        citations = []
        for citation in sorted(work.citations, key=lambda citation: citation.start):
            if not citations or citation.start >= citations[-1].end:
                citations.append(citation)
    return tuple(Span(first, last) for first, last in merged), tuple(citations)
