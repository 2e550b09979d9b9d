"""Sentences and protected spans of a span of prose; all results are offsets.

A false split harms a perturbation more than a missed one, so every doubt is decided against a
split.
"""

from __future__ import annotations

import re

from revkit.model.inline import inline_marks
from revkit.model.sentence_ends import (
    ends,
    is_abbreviated_remark,
    is_label,
    mark_end,
    never_ends,
    starts,
    starts_unspaced,
)
from revkit.model.structure import Span

# The stop, what may close after it, a citation mark or superscript glued to it, a note set in
# mathematics, and then a blank, or a capitalised word where the blank was lost. The last branch
# is for scripts that put no blank after a stop. Closing quotation marks may be broken: UTF-8 read
# as Windows-1252 or as Latin-1.
_STOP = re.compile(
    r"[.!?…。！？｡](?:(?<![。！？｡])(?<![.!?…]{2})(?:[.!?…\"'”’»)\]}*_`]|\[\d[\d,;\s–-]{0,20}\]"
    r"|(?<!\d\.)\^?\d{1,2}(?=\s)|\^\[\d[\d,\s–-]{0,20}\]|<sup>[^<>]{0,12}</sup>|\[\^[^\]\s]{1,20}\]"
    r"|(?:“|\s?»)(?=\s)|â(?:€[\x9d”™\"]|\x80[\x99\x9d])){0,12}+"
    r"(?:[\s\u3000]{0,2}\$\s?\^\s?\{?[\s\d,*†‡]{1,8}\}?\s?\$(?=\s))?"
    r"(?:[\s\u3000]+|(?=(?:[A-Z][a-z]+|I|A)[ ,]))"
    r"|(?<=[。！？｡])[。！？｡」』）”’〉》】]*\s*)"
)
_FULL_WIDTH = "。！？｡"
# After a quotation these go on with the sentence.
_PARTICLES = "とっのがはをにもで"
_QUOTE = re.compile(r"[\"“”„«»「」『』（）]")
_CLOSING = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", "（": "）"}
_REACH = 400


def protected_spans(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the spans within ``text[start:end]`` that are not words of prose.

    They are mathematics, inline code, LaTeX commands (the command word; for references, citations
    and addresses with their arguments), citation marks, Markdown images, link targets and
    footnote marks, addresses (URL, DOI, arXiv, e-mail), HTML tags and entities, and cross
    references such as "Figure 3". Sorted, without overlap, never empty.
    """
    return inline_marks(text, start, end)[0]


def _quoted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the quotations of ``text[start:end]``; straight quotation marks count only in even
    number.
    """
    found: list[tuple[int, int]] = []
    opened = straight = -1
    closing = ""
    even = text.count('"', start, end) % 2 == 0
    for match in _QUOTE.finditer(text, start, end):
        at = match.start()
        mark = text[at]
        if mark == '"':
            if even:
                if straight >= 0 and at - straight <= _REACH:
                    found.append((straight, at))
                straight = -1 if straight >= 0 else at
        elif opened >= 0 and mark in closing:
            if at - opened <= _REACH:
                found.append((opened, at))
            opened = -1
        elif mark in _CLOSING and (opened < 0 or mark not in "「『（" or at - opened > _REACH):
            opened, closing = at, _CLOSING[mark]
    found.sort()
    return found


def _closes(text: str, at: int, end: int) -> bool:
    """Return whether the parenthesis that opens at ``at`` closes within reach."""
    limit = min(at + _REACH, end)
    depth = 1
    for _ in range(6):
        close = text.find(")", at, limit)
        if close < 0:
            return False
        depth += text.count("(", at, close) - 1
        if depth <= 0:
            return True
        at = close + 1
    return False


_ITEM_NUMBER = re.compile(r"\d{1,2}[.)]\s+[^\W\d_a-z]")


def _is_item_after(text: str, span: Span, at: int, end: int) -> bool:
    """Return whether "examples. 3" is not a cross reference, since item 3 of a list starts
    there.
    """
    if at - span.start < 5 or not text[span.start : at].islower():
        return False
    number = at + 1
    while number < span.end and text[number].isspace():
        number += 1
    return number > at + 1 and _ITEM_NUMBER.match(text, number, end) is not None


def _bracketed(text: str, sentence: int, close: int, end: int) -> bool:
    """Return whether ``close`` lies within square brackets of the author.

    Text out of PDF has additional brackets around parts of lines ("_[θ][. Then,]_").
    """
    opened = text.rfind("[", max(sentence, close - 200), close)
    if opened < 0 or text.find("]", opened, close) >= 0:
        return False
    shut = text.find("]", close, min(close + 200, end))
    if shut < 0 or text.find("[", close, shut) >= 0:
        return False
    return text[opened - 1 : opened] in ("", " ", "(") and text[shut + 1 : shut + 2] not in "\n_["


def _outer_stop(text: str, at: int, close: int) -> int:
    """Return the stop after the closing marks that follow the stop at ``at``, as in "al.).", or
    -1.
    """
    for position in range(close - 1, at + 1, -1):
        if text[position] in ".!?":
            return position if text[position - 1] not in ".!?…" else -1
    return -1


def _splits(text: str, sentence: int, at: int, close: int, after: int, end: int) -> bool:
    """Return whether a sentence can start at ``after``, given the stop at ``at`` that closes at
    ``close``.
    """
    stop = text[at]
    if not starts(text, after, end, at):
        return False
    if after == close and not starts_unspaced(text, sentence, at, after):
        return False
    if stop == "…" or text.startswith("...", at):
        return False
    if stop != ".":
        return True
    following = text[at + 1]
    if following == ".":
        # Two stops, after an abbreviation ("etc.. Most"), or those of a range ("1 .. N").
        return text[at - 1].isalpha()
    if following.isdigit() and not text[max(sentence, at - 3) : at].isalpha():
        return False
    if following == ")":
        return not (is_abbreviated_remark(text, sentence, at) or never_ends(text, sentence, at))
    if text.find(")", at, close) >= 0:
        return True
    return ends(text, sentence, at, after)


class _Enclosures:
    """The parts of ``text[start:end]`` in which no sentence ends; queried from left to right."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.protected = inline_marks(text, start, end)[0]
        self.quoted = _quoted(text, start, end)
        self.marked = self.quote = self.depth = 0
        self.counted = start

    def hold(self, sentence: int, at: int, close: int) -> bool:
        """Return whether the stop at ``at`` that closes at ``close`` lies in a marker, link or
        quotation.
        """
        text, protected, quoted = self.text, self.protected, self.quoted
        self.depth += text.count("(", self.counted, close) - text.count(")", self.counted, close)
        self.counted = close
        if self.depth < 0:
            self.depth = 0
        marked = self.marked
        while marked < len(protected) and protected[marked].end <= at:
            marked += 1
        self.marked = marked
        if marked < len(protected):
            span = protected[marked]
            if span.start <= at and not _is_item_after(text, span, at, self.end):
                return True
            if text[span.start] == "]" and 0 <= text.rfind("[", sentence, span.start) < at:
                # Within the words of a link.
                return True
        while self.quote < len(quoted) and quoted[self.quote][1] < close:
            self.quote += 1
        return self.quote < len(quoted) and quoted[self.quote][0] < close

    def hold_in_brackets(self, sentence: int, close: int) -> bool:
        """Return whether a sentence that ends at ``close`` would end within brackets."""
        if self.depth:
            if _closes(self.text, close, self.end):
                return True
            self.depth = 0
        return _bracketed(self.text, sentence, close, self.end)


def _full_width_ends(text: str, sentence: int, close: int, after: int) -> bool:
    """Return whether a stop of full width that closes at ``close`` ends a sentence."""
    last = text[close - 1]
    if last in "」』":
        return text[after] not in _PARTICLES
    return last not in "）〉》】" or text[sentence] in "（〈《【"


def split_sentences(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the sentences of the block ``text[start:end]``, without the blanks around them.

    Together with the blanks between them they make up the block; where the text lost the blank
    after a stop, the next sentence starts where the one before it ends. No sentence ends within a
    protected span, within square brackets, within parentheses or quotation marks (of up to 400
    characters), after an abbreviation or an initial, or, with few exceptions, before a small
    letter. What closes a sentence (quotation marks, citation marks, notes) belongs to it, the
    number of a list's item to the sentence after it.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return ()
    found: list[Span] = []
    sentence = start
    within: _Enclosures | None = None
    for match in _STOP.finditer(text, start, end):
        at, after = match.span()
        if after >= end:
            break
        close = after
        while text[close - 1].isspace():
            close -= 1
        if text[after] == "[" and after == close + 1 and text[close] != "\n":
            mark = mark_end(text, after, end)
            if mark:
                close, after = mark, mark + 1
        outer = _outer_stop(text, at, close) if close - at > 2 else -1
        if outer > 0:
            at = outer
        if within is None:
            within = _Enclosures(text, start, end)
        if within.hold(sentence, at, close):
            continue
        if text[at] in _FULL_WIDTH:
            splits = _full_width_ends(text, sentence, close, after)
        elif outer > 0:
            splits = starts(text, after, end, outer)
        else:
            splits = _splits(text, sentence, at, close, after, end)
        if not splits or within.hold_in_brackets(sentence, close):
            continue
        if at - sentence < 24 and text[at] == "." and is_label(text[sentence:at].strip("*_([ ")):
            continue
        found.append(Span(sentence, close))
        sentence = after
    found.append(Span(sentence, end))
    return tuple(found)
