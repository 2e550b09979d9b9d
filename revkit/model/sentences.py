"""Sentences, protected spans and words of a stretch of prose; all results are offsets.

A false split harms a perturbation more than a missed one, so every doubt is decided against a
split.
"""

from __future__ import annotations

import re

from revkit.model.inline import inline_marks
from revkit.model.paper import Span

# The stop, what may close after it, a citation mark or superscript glued to it, and then a blank.
# The second branch is for scripts that put no blank after a stop.
_STOP = re.compile(
    r"[.!?…](?<![.!?…]{2})(?:[.!?…\"'”’»)\]}*_`]|\[\d[\d,;\s–-]{0,20}\]|\^?\d{1,2}(?=\s)|\^\[\d[\d,\s–-]{0,20}\]"
    r"|<sup>[^<>]{0,12}</sup>|\[\^[^\]\s]{1,20}\]){0,12}+[\s\u3000]+|[。！？｡][」』）”’〉》】]*\s*"
)
_WORD_BEFORE = re.compile(r"[^\s()\[\]{}\"“”‘—–;:/]*\Z")
# After these a full stop never ends a sentence.
_NEVER = frozenset(
    str.split(
        "al e.g i.e eg ie fig figs eq eqs eqn eqns sec secs sect cf c.f vs resp w.r.t wrt approx"
        " dr prof mr mrs ms mx st viz ca ref refs tab tabs thm lem prop cor def alg app chap ch"
        " vol pp ed eds e.g., no nos art assoc univ dept gen gov sen rep hon rev fn ex arxiv tr"
        " trans proc conf supp suppl incl esp et"
    )
)
# After these it ends one only where the next word usually starts a sentence.
_SELDOM = frozenset(
    str.split(
        "etc inc ltd co corp u.s u.k e.u ph.d a.m p.m i.i.d s.t a.k.a a.s jr sr jan feb mar apr"
        " jun jul aug sept sep oct nov dec max min avg std dim est int temp wlog w.l.o.g iid a.e"
        " r.v q.e.d yahoo! b.c a.d"
    )
)
_STARTERS = frozenset(
    str.split(
        "the we this these those that in it for however to our as an a there here moreover"
        " furthermore additionally finally although while when since if by with from on at they"
        " he she both each all some many most more thus therefore hence then next first second"
        " third such one their its but and so or also note given let what why how after before"
        " during because once using similarly specifically another instead unlike despite due"
        " further consequently recently"
    )
)
_PARTICLE_NAME = re.compile(
    r"(?:de|van|von|del|della|di|da|dos|den|le|la|el|al|ten|ter)\s(?:der?\s|den\s|la\s)?[^\W\d_a-z]"
)
_QUOTE = re.compile(r"[\"“”]")
_REACH = 400


def protected_spans(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the spans within ``text[start:end]`` that are no prose words.

    They are mathematics, inline code, LaTeX commands (the command word; for references, citations
    and addresses with their arguments), citation marks, Markdown images, link targets and
    footnote marks, addresses (URL, DOI, arXiv, e-mail), HTML tags and entities, and cross
    references such as "Figure 3". Sorted, without overlap, never empty.
    """
    return inline_marks(text, start, end)[0]


def count_words(text: str, start: int, end: int) -> int:
    """Return the number of runs of non-blanks in ``text[start:end]`` with a letter or a digit."""
    words = text[start:end].split()
    return sum(1 for word in words if word[0].isalnum() or any(map(str.isalnum, word)))


def _quoted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the quotations of ``text[start:end]``; straight marks count only in even number."""
    found: list[tuple[int, int]] = []
    opened = straight = -1
    even = text.count('"', start, end) % 2 == 0
    for match in _QUOTE.finditer(text, start, end):
        at = match.start()
        mark = text[at]
        if mark == "“":
            opened = at
        elif mark == "”":
            if opened >= 0 and at - opened <= _REACH:
                found.append((opened, at))
            opened = -1
        elif even:
            if straight < 0:
                straight = at
            else:
                if at - straight <= _REACH:
                    found.append((straight, at))
                straight = -1
    found.sort()
    return found


def _closes(text: str, at: int, end: int) -> bool:
    """Whether the parenthesis open at ``at`` closes within reach."""
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


def _starts(text: str, at: int, end: int, stop: str) -> bool:
    """Whether a sentence may start at ``at``: not with a small letter, save in "iPhone"."""
    first = text[at]
    if first.islower():
        if "α" <= first <= "ω" or _PARTICLE_NAME.match(text, at, end):
            return True
        return (
            at + 1 < end
            and any(character.isupper() for character in text[at + 1 : min(at + 3, end)])
            and text[at : at + 3].isalpha()
        )
    if first in ",;:)]}/=<>≤≥+|&" and not text.startswith(("<a", "<b", "<e", "<i", "<s"), at):
        return False
    if first in "*_\"'“‘([" and at + 1 < end:
        rest = text[at : min(at + 6, end)].lstrip("*_\"'“‘([`")
        return not rest[:1].islower() or stop != "."
    return True


def _ends(text: str, sentence: int, stop: int, after: int) -> bool:
    """Whether the full stop at ``stop`` ends a sentence; the next would start at ``after``."""
    match = _WORD_BEFORE.search(text, max(sentence, stop - 24), stop)
    word = match.group().lstrip("*_'’([") if match else ""
    if not word:
        # "p < . 05", or a stop after a bracket or a quotation.
        return not (text[stop - 1 : stop].isspace() and text[after].isdigit())
    lower = word.lower()
    if text[after].isdigit():
        if word.isdigit():
            return len(word) == 4 and word[:2] in ("19", "20")
        if lower in _SELDOM or len(word) == 1:
            return False
    if lower in _NEVER:
        return lower == "no" and not text[after].isdigit()
    single = len(word) == 1 and word.isalpha() and word.isascii()
    if (
        single
        or lower in _SELDOM
        or ("." in word and len(word) < 8 and all(len(part) == 1 for part in word.split(".")))
    ):
        next_word = re.match(r"[\"'“‘(\[*_]*([^\W\d_]+)", text[after : after + 20])
        return bool(
            next_word
            and next_word[1].lower() in _STARTERS
            and (next_word[1] != "A" or text[after + 1 : after + 2] == " ")
        )
    return True


def split_sentences(text: str, start: int, end: int) -> tuple[Span, ...]:
    """Return the sentences of the block ``text[start:end]``, without the blanks around them.

    Together with the blanks between them they make up the block. No sentence ends within a
    protected span, within parentheses or quotation marks (of up to 400 characters), after an
    abbreviation or an initial, or before a small letter.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return ()
    found: list[Span] = []
    sentence = start
    protected: tuple[Span, ...] | None = None
    quoted: list[tuple[int, int]] = []
    marked = quote = depth = 0
    counted = start
    for match in _STOP.finditer(text, start, end):
        at = match.start()
        after = match.end()
        if after >= end:
            break
        stop = text[at]
        piece = match.group()
        close = at + len(piece.rstrip())
        if protected is None:
            protected = inline_marks(text, start, end)[0]
            if '"' in text or "“" in text:
                quoted = _quoted(text, start, end)
        depth += text.count("(", counted, close) - text.count(")", counted, close)
        counted = close
        if depth < 0:
            depth = 0
        while marked < len(protected) and protected[marked].end <= at:
            marked += 1
        if marked < len(protected):
            span = protected[marked]
            if span.start <= at:
                continue
            if text[span.start] == "]" and 0 <= text.rfind("[", sentence, span.start) < at:
                # Within the words of a link.
                continue
        while quote < len(quoted) and quoted[quote][1] < close:
            quote += 1
        if quote < len(quoted) and quoted[quote][0] < close:
            continue
        if stop not in "。！？｡":
            if not _starts(text, after, end, stop):
                continue
            if piece.startswith(("..", "…")):
                continue
            if stop == "." and ")" not in piece and not _ends(text, sentence, at, after):
                continue
        if depth:
            if _closes(text, close, end):
                continue
            depth = 0
        body = text[sentence:at].strip("*_([ ")
        if len(body) <= 6 and not any(c.isalpha() for c in body[1:]) and stop == ".":
            continue
        found.append(Span(sentence, close))
        sentence = after
    found.append(Span(sentence, end))
    return tuple(found)
