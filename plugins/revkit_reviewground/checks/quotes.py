"""Check that each text in quotation marks in a review is in the paper, and is short.

The seed asks for snippets of at most 20 words (ReviewGrounder, appendix E.2.5, rule 2). A quotation
of fewer than four words is a term or a word set apart, and no claim that the paper says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from revkit.english import stop_words
from revkit.model.citations import find_citations
from revkit_reviewground.checks.finding import Finding, FindingPlace
from revkit_reviewground.checks.folded_text import Folded, fold
from revkit_reviewground.checks.paper_text import MATHEMATICS, PaperText
from revkit_reviewground.checks.quote_matches import NearPlace, nearest
from revkit_reviewground.checks.quote_sections import misplaced
from revkit_reviewground.checks.review_text import Quotation, ReviewField, count_words

FEWEST_WORDS = 4
# Below it, marks without a verb of saying set a term apart.
_FEWEST_UNASCRIBED = 7
# Parts of one quotation on both sides of an ellipsis are within so many folded characters.
_REACH = 4000
_ELLIPSIS = re.compile(
    r"\[\s?(?:\.\s?\.\s?\.|…)\s?\]|\(\s?(?:\.\s?\.\s?\.|…)\s?\)|\.\s?\.\s?\.+|…|\\l?dots\b|\bFORMULA\b"
    r"|\[(?=[^\]\d])[^\[\]\n]{1,60}\](?!\()"
)
# Words before the marks that say: these are words that the paper should have, or another's title.
_NOT_QUOTED = re.compile(
    r"(?:(?:->|=>|→|⇒|⟶)|\b(?:should|could|would|might|to|shouldn['’]t"
    r"|wouldn['’]t)\s+(?:\w+\s+){0,3}?(?:be|read|say|state|be\s+stated\s+as)"
    r"|\b(?:rephras|reword|renam|replac|rewrit|chang|revis|clarify)\w*(?:\s+[^\s\"“”.]+){0,8}"
    r"|\byou\s+mean(?:t)?"
    r"|\b(?:rather|better|more\s+accurate)\b(?:\s+\w+){0,3}|\binstead\s+of(?:\s+\w+){0,2}"
    r"|\b(?:titled|entitled|called|named|paper|article|book|work|title|survey|blog|post|tutorial)s?"
    r"|\b(?:suggest|recommend|propose|add|insert|ask|wonder|question|meaning|namely|translat"
    r"|paraphras|summari[sz]|framing|referenc|citation|my\s+(?:comment|question|point"
    r"|review))\w*(?:\s+\w+){0,5})[\s:,(]*\Z",
    re.IGNORECASE,
)
# A year, a venue or authors after the marks, or at the end within them: a reference.
_TITLE_AFTER = re.compile(
    r"\W{0,4}(?:by\s+)?(?:[A-Z][\w'’-]+(?:\s+(?:et\s+al|and\s+[A-Z]|&)[^\n]{0,30}?"
    r"|[\w\s.,'’-]{0,30}?,\s|\s)"
    r"\(?(?:19|20)\d\d|Proceedings|Proc\.|In\s[A-Z]|(?i:arxiv)|\(?(?:19|20)\d\d\b|\[\d{1,3}\]"
    r"|https?:)"
)
_AUTHORS_BEFORE = re.compile(
    r"(?:[A-Z][\w'’-]*[.,]{0,2}\s+(?:and\s+|&\s+|et\s+al\.?,?\s+)?){2,14}\(?(?:(?:19"
    r"|20)\d\d\)?[.,:]?\s*)?\Z"
    r"|\b(?:done|shown|proposed|introduced|described|presented|published)\s+in\s+\Z"
)
_ENDS_AS_REFERENCE = re.compile(r"(?:et\s+al|,\s*[A-Z]).{0,40}(?:19|20)\d\d\W*\Z")
_FORMULA = re.compile(r"[$=<>^{}\\∈×≤≥∑∼~]|(?<![\w'’])(?![aAI])[a-zA-Z](?![\w'’])|\w_\w")
_CODE = re.compile(r"--\w|[{};=\\/]|\w_\w|\w\(|\$|^\s*(?:python|pip|git|import|cd) ")
_OF_PAPER = re.compile(
    r"\b(?:authors?|they|manuscript|text|section|abstract|introduction|caption)\b", re.IGNORECASE
)
_FROM_PAPER = re.compile(
    r"\b(?:cit(?:e|ing)|quot\w+|from|in|as)\s+(?:from\s+)?the\s+(?:paper|text|manuscript"
    r"|work)\s*[:,]\s*\Z"
    r"|\b(?:rephrase|reword|clarify)\s+(?:the\s+(?:sentence|phrase|statement)\s+)?\Z",
    re.IGNORECASE,
)
# Who wrote the paper, or a part of it, and says something: what follows is meant as its words.
_SUBJECT = re.compile(
    r"\b(?:paper|authors?|they|you|manuscript|submission|article|text|section|sec|abstract"
    r"|introduction|conclusions?|caption|footnote|paragraph|sentence|page|line|work"
    r"|it(?=\s+(?:says|states|claims|reads|argues|mentions|reports)))\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:claim|state|writ|say|said|mention|argu|not(?:e|es|ed|ing)\b|describ|report|read"
    r"|conclud|assert|explain|defin|call|refer|suggest|observ|emphasi|point|acknowledg|admit|quot"
    r"|wrote|express|phras|insist|think|hypothesi)\w*",
    re.IGNORECASE,
)
# A place of the paper, or a word for a piece of its text, right before the marks.
_PIECE_OF_TEXT = re.compile(
    r"(?:\b(?:sentence|statement|phrase|claim|passage|assertion|assumption)s?\b[^.;:!?\n]{0,40}"
    r"|\b(?:sec(?:tion|\.)?|page|pp?\.|pg\.|line|abstract|introduction|conclusion)\s?[\d.]{0,6}"
    r"(?:[\s,(]{0,3}(?:par(?:agraph|\.)?|line|page|sentence|top|bottom|end|first|second|third|last"
    r"|1st|2nd|3rd|of|on|the|at)\b\s?[\d.]{0,6}){0,5})[\s:,)-]{0,5}\Z",
    re.IGNORECASE,
)
# What makes an example of the marked words, of whatever origin.
_EXAMPLE = re.compile(
    r"(?:\b(?:such\s+as|e\.?\s?g\.?|for\s+(?:example|instance)|like|similar\s+to|i\.?\s?e\.?"
    r"|imagine|suppose|if)\b[^.;!?\n]{0,30})[\s,:(]*\Z",
    re.IGNORECASE,
)
# Another work, or a figure, whose words the text of this paper does not hold.
_OTHER_WORK = re.compile(
    r"\b[A-Z][\w-]+(?:['’]s?|\s+et\s+al\.?)\s+(?:\(?(?:19|20)\d\d\)?\s+)?(?:paper|work|results?"
    r"|article|method|statement|claim)\b"
)
_FIGURE = re.compile(
    r"\b(?:fig(?:ure|\.)?|diagram|plot|legend|slides?|video|website|code|repository)(?![a-z])",
    re.IGNORECASE,
)
_SOURCE_AFTER = re.compile(r"\W{0,3}\s*(?:from|of|by|in)\s+(?:[A-Z][\w’'-]+(?!\s?\d)|\[\d)")
_OWN_PART = re.compile(
    r"\W{0,3}\s*(?:from|of|by|in)\s+(?:Sec|Eq|Fig|Tab|App|Alg|Abstract|Intro|The)\w*"
)
_CORRECTION = re.compile(r"[\s\"“”'’`.,)]{0,4}(?:->|=>|→|⇒|⟶|-->|should\s+(?:be|read))\s*")
_CORRECTED = re.compile(r"[\s\"“”'’`.]{0,6}(?P<words>[^\n\"“”]{3,200})")


def check_quotes(
    paper: PaperText,
    review: Sequence[ReviewField],
    allowed: Sequence[str] = (),
    most_words: int = 20,
) -> Iterator[Finding]:
    """Yield a finding for each quotation of four words or more that the paper does not contain, and
    for each quotation of the paper that is longer than ``most_words``.

    It is "false" where the review says that the paper or its authors say these words, or where the
    paper has a place that reads differently; else "suspect". Not marked: a copy with a missing
    article or a misspelt word, what the review quotes of a reply or of another work, a correction
    that the paper holds, and a few words set apart.

    A quotation is found after `fold`; parts around an ellipsis or words in square brackets are
    found one after the other. ``allowed`` are other texts that may be quoted: the debriefs of
    related work. Not checked: titles of works, code, and wording that the review proposes.
    """
    others: list[Folded] = []
    for field in review:
        for quotation in field.quotations:
            words = count_words(quotation.text)
            if words < FEWEST_WORDS or _is_code(quotation):
                continue
            found = find_quote(paper, quotation.text)
            if found is not None:
                if words > most_words:
                    yield field.finding(
                        "long-quote",
                        quotation.start,
                        quotation.end,
                        f"the quotation has {words} words, more than {most_words}",
                        place=found,
                    )
                elif (wrong := misplaced(paper, field, quotation)) is not None:
                    yield wrong
                continue
            if not others:
                others = [fold(text) for text in allowed]
            if _is_title_or_invented(field, quotation) or _elsewhere(others, quotation):
                continue
            finding = _finding(paper, field, quotation)
            if finding is not None:
                yield finding


def find_quote(paper: PaperText, quote: str) -> FindingPlace | None:
    """Return where the paper contains ``quote``, or `None`.

    Raises nothing; a quote without letters and digits is found nowhere.
    """
    folded = (paper.folded, paper.running)
    whole = fold(quote).text
    if not whole:
        return None
    bare = fold(_without_citations(quote)).text
    for text, wanted in zip(folded, (whole, bare), strict=True):
        at = text.text.find(wanted) if wanted else -1
        if at >= 0:
            return paper.place(*text.source(at, at + len(wanted)))
    parts = [part for part in (fold(piece).text for piece in _ELLIPSIS.split(quote)) if part]
    for text in folded:
        if parts and parts != [whole]:
            span = _in_order(text.text, parts)
            if span:
                return paper.place(*text.source(*span))
    if len(parts) != 1:
        return None
    return _around_break(paper, fold(quote)) or _around_mathematics(paper, quote)


def _around_mathematics(paper: PaperText, quote: str) -> FindingPlace | None:
    """Find a quotation with a formula by its words, because formulas are copied in too many
    forms.
    """
    if not _FORMULA.search(quote):
        return None
    cuts = [match.span() for match in MATHEMATICS.finditer(quote)]
    words = fold(quote).without(cuts).words().text
    at = paper.words_only.text.find(words) if len(words) > 20 else -1
    if at < 0:
        return None
    return paper.place(*paper.words_only.source(at, at + len(words)))


def _without_citations(quote: str) -> str:
    done = 0
    parts = []
    for citation in find_citations(quote, 0, len(quote)):
        parts.append(quote[done : citation.start])
        done = citation.end
    return " ".join((*parts, quote[done:]))


def _in_order(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """Return the span in which ``parts`` follow each other within reach."""
    start = text.find(parts[0])
    for _ in range(200):
        if start < 0:
            return None
        end = start + len(parts[0])
        for part in parts[1:]:
            at = text.find(part, end, end + _REACH)
            if at < 0:
                break
            end = at + len(part)
        else:
            return start, end
        start = text.find(parts[0], start + 1)
    return None


def _around_break(paper: PaperText, quote: Folded) -> FindingPlace | None:
    """Find a quotation that a figure, a footnote or a page break interrupts in the paper's text.

    Its first part ends where a line ends, its second starts where another does, further on.
    """
    text = paper.running
    head = _longest_head(text.text, quote)
    for _ in range(4):
        if head < 12 or len(quote.text) - head < 12:
            return None
        at = text.text.find(quote.text[:head])
        tail = text.text.find(quote.text[head:], at + head, at + head + _REACH)
        if at >= 0 and tail >= 0:
            end = text.source(at, at + head)[1]
            start = text.source(tail, tail + 1)[0]
            between = paper.text[end:start]
            if "\n" in between[:4] and paper.text[:start].rstrip(" \t*_")[-1:] == "\n":
                return paper.place(*text.source(at, at + head))
        earlier = [start for start in quote.starts if 0 < start < head]
        head = earlier[-1] if earlier else 0
    return None


def _longest_head(text: str, quote: Folded) -> int:
    """Return the length of the longest run of first pieces that ``text`` contains, by bisection."""
    cuts = [*quote.starts[1:], len(quote.text)]
    low, high = 0, len(cuts)
    while low < high:
        middle = (low + high + 1) // 2
        if quote.text[: cuts[middle - 1]] in text:
            low = middle
        else:
            high = middle - 1
    return cuts[low - 1] if low else 0


def _finding(paper: PaperText, field: ReviewField, quotation: Quotation) -> Finding | None:
    """Return the finding on a quotation that the paper does not contain word for word; `None` for a
    typing error, and if nothing indicates that the words are meant as the paper's.
    """
    if field.cites_reply(quotation.start) or _is_corrected(paper, field, quotation):
        return None
    near = _near(paper, quotation)
    if near is not None and near.slip:
        return None
    ascribed = _is_ascribed(field, quotation)
    if near is None and not ascribed and _is_apart(field, quotation):
        return None
    message = "the paper does not hold this quotation"
    if near:
        message += "; the nearest place reads differently"
    return field.finding(
        "quote",
        quotation.start,
        quotation.end,
        message,
        "false" if near or ascribed else "suspect",
        paper.place(near.start, near.end) if near else None,
    )


def _near(paper: PaperText, quotation: Quotation) -> NearPlace | None:
    """Return the place most similar to a quotation, by its parts if it has an ellipsis: a typing
    error only if each part is one.
    """
    whole = nearest(paper.running, paper.word_positions, quotation.text)
    parts = [part for part in _ELLIPSIS.split(quotation.text) if count_words(part) >= FEWEST_WORDS]
    if whole is not None and (whole.slip or parts in ([], [quotation.text])):
        return whole
    found = [near for part in parts if (near := nearest(paper.running, paper.word_positions, part))]
    ordered = all(0 <= two.start - one.end <= _REACH for one, two in pairwise(found))
    if parts and len(found) == len(parts) and ordered and all(each.slip for each in found):
        return found[0]
    best = whole or (found[0] if found else None) or _same_start(paper, quotation)
    return replace(best, slip=False) if best else None


def _same_start(paper: PaperText, quotation: Quotation) -> NearPlace | None:
    """Return where the paper contains a large part of the quotation's start, regardless of breaks
    between its words.
    """
    quote = fold(quotation.text)
    head = _longest_head(paper.folded.text, quote)
    if head * 2 < len(quote.text) and head < 24:
        return None
    at = paper.folded.text.find(quote.text[:head])
    start, end = paper.folded.source(at, at + head)
    return NearPlace(start, min(len(paper.text), end + 120), slip=False)


def _is_ascribed(field: ReviewField, quotation: Quotation) -> bool:
    """Return whether the review states that the paper or its authors wrote these words."""
    if quotation.mark == "block":
        return False
    before = _before(field, quotation, 160)
    sentence = re.split(r"[.!?]\s+(?=[A-Z])|\n", before)[-1]
    if _EXAMPLE.search(before) or _is_foreign(field, quotation):
        return False
    return bool(
        (_SUBJECT.search(sentence) and _SAYS.search(sentence)) or _PIECE_OF_TEXT.search(before)
    )


def _is_apart(field: ReviewField, quotation: Quotation) -> bool:
    """Return whether the quotation marks mark words that need not be from the paper: a term, an
    example, another work's words, words of a figure, a quoted line of something else.
    """
    before = _before(field, quotation, 100)
    after = field.text[quotation.end : quotation.end + 60]
    return bool(
        count_words(quotation.text) < _FEWEST_UNASCRIBED
        or quotation.mark == "block"
        or _EXAMPLE.search(before)
        or _is_foreign(field, quotation)
        or (_SOURCE_AFTER.match(after) and not _OWN_PART.match(after))
    )


def _is_foreign(field: ReviewField, quotation: Quotation) -> bool:
    """Return whether the words before the quotation name another work, or a figure."""
    return bool(
        _OTHER_WORK.search(_before(field, quotation, 200))
        or _FIGURE.search(_before(field, quotation, 100))
    )


def _is_corrected(paper: PaperText, field: ReviewField, quotation: Quotation) -> bool:
    """Return whether the review corrects these words and the paper contains the correction: the
    text is then a later version.
    """
    arrow = _CORRECTION.match(field.text, quotation.end)
    better = _CORRECTED.match(field.text, arrow.end()) if arrow else None
    if better is None:
        return False
    parts = [fold(part).text for part in _ELLIPSIS.split(better["words"])]
    parts = [part for part in parts if len(part) > 3]
    return bool(parts) and all(part in paper.folded.text for part in parts)


def _before(field: ReviewField, quotation: Quotation, length: int) -> str:
    """Return the text before the opening mark of ``quotation``, at most ``length`` characters."""
    start = max(0, quotation.start - 1)
    return field.text[max(0, start - length) : start].rstrip("\"'`“‘«„")


def _elsewhere(others: Sequence[Folded], quotation: Quotation) -> bool:
    parts = [fold(piece).text for piece in _ELLIPSIS.split(quotation.text)]
    parts = [part for part in parts if part]
    return any(_in_order(other.text, parts) is not None for other in others) if parts else True


def _is_code(quotation: Quotation) -> bool:
    return quotation.mark == "tick" and _CODE.search(quotation.text) is not None


def _is_title_or_invented(field: ReviewField, quotation: Quotation) -> bool:
    """Return whether the quotation marks contain a title, or wording that the review proposes or
    invents.
    """
    before = field.text[max(0, quotation.start - 120) : max(0, quotation.start - 1)]
    proposed = _NOT_QUOTED.search(before.rstrip("\"'`“‘«„"))
    if quotation.mark != "block" and proposed and not _OF_PAPER.search(proposed.group()):
        return not _FROM_PAPER.search(before)
    words = [word.strip(".,:;?!()") for word in quotation.text.split()]
    telling = [
        word for word in words if word.lower() not in stop_words("quote") and word[:1].isalpha()
    ]
    capital = sum(word[:1].isupper() for word in telling)
    if quotation.text.rstrip().endswith("?"):
        return True
    after = field.text[quotation.end + 1 : quotation.end + 80]
    titled = capital >= max(2, 0.75 * len(telling)) or (
        _ENDS_AS_REFERENCE.search(quotation.text) and not quotation.text.rstrip(" .,").endswith(")")
    )
    starts = words[0][:1].isupper()
    if (
        starts
        and _AUTHORS_BEFORE.search(before.rstrip("\"'`“‘«„"))
        and not _OF_PAPER.search(before[-40:])
    ):
        return True
    return bool(titled or (starts and _TITLE_AFTER.match(after.lstrip("\"'”’»`“"))))
