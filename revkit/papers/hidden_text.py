"""Hidden text: text of a paper that its reader does not see but a program reads.

Papers on which reviewers are tested may carry instructions to a reviewer already. They are not
changed, but every such place is noted when a paper is loaded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast, get_args

from revkit.dataclass import dataclass
from revkit.model.latex_sign import is_latex
from revkit.model.paper import HiddenNote
from revkit.model.structure import Span
from revkit.model.values import Json
from revkit.papers.look_alikes import LOOK_ALIKES, latin_of

if TYPE_CHECKING:
    from revkit.papers.hidden_html import Unseen
    from revkit.papers.markdown_code import MarkdownBlocks

TextKind = Literal[
    "zero-width",
    "bidi",
    "tag-characters",
    "selectors",
    "homoglyphs",
    "html-comment",
    "html-style",
    "html-attribute",
    "link-definition",
    "front-matter",
    "latex-style",
    "alternative-text",
    "not-evaluated",
]
"""How text is hidden in a text: characters without width, marks that reorder the text around them,
characters of the tag block and runs of variation selectors (both spell words that no font shows),
words with letters of another script that look like Latin ones, comments and declarations of HTML,
elements of HTML that are not shown, attributes of HTML, definitions of links and notes that nothing
refers to, fields above a text in Markdown, commands of LaTeX that take text out of sight, and
alternative texts and titles that speak to a reviewer. Of the last kind is a part whose style was
not evaluated, so that it may be seen or not."""
TextForm = Literal["markdown", "html", "latex", "plain"]
"""How a text is shown to its reader; that of plain text sees all markup."""
PageKind = Literal[
    "background-colour",
    "transparent",
    "not-painted",
    "tiny",
    "off-page",
    "clipped",
    "layer-off",
    "no-ink",
    "no-width",
    "hidden-mark",
]
"""How text is hidden on a page of a PDF or in a Word file: in the colour of what is below it,
transparent, not painted, too small, outside the page, clipped, in a layer that is off, without ink
for another reason (covered, or glyphs that draw nothing), without width, or with the property of
Word that hides it."""
OverrideKind = Literal["glyph-shapes", "actual-text"]
"""A program takes another text than a reader sees: the glyphs show other letters than the font
states, or a replacement text is attached to them."""
ChannelKind = Literal[
    "annotation", "form-value", "metadata", "outline", "alternative-text", "attachment"
]
"""Text in a file beside its pages."""
HiddenKind = Literal[TextKind, PageKind, OverrideKind, ChannelKind]
Box = tuple[float, float, float, float]
"""Left, bottom, right and top edge on a page, in points."""

WORDS: dict[HiddenKind, str] = {
    "zero-width": "characters without width",
    "bidi": "marks of direction",
    "tag-characters": "text in tag characters",
    "selectors": "text in variation selectors",
    "homoglyphs": "words with letters of another script",
    "html-comment": "comments of HTML",
    "html-style": "text that HTML does not show",
    "html-attribute": "text in an attribute of HTML",
    "link-definition": "text in a definition of a link or note that nothing refers to",
    "front-matter": "text in a field above the text",
    "latex-style": "text hidden by a command of LaTeX",
    "not-evaluated": "not evaluated, may hide text",
    "background-colour": "text in the colour of what is below it",
    "transparent": "transparent text",
    "not-painted": "text that is not painted",
    "tiny": "tiny text",
    "off-page": "text outside the page",
    "clipped": "clipped text",
    "layer-off": "text in a layer that is off",
    "no-ink": "text that is covered, or whose glyphs draw nothing",
    "no-width": "text without width",
    "hidden-mark": "text with the mark hidden",
    "glyph-shapes": "glyphs that show other letters than the file states",
    "actual-text": "a replacement text that differs from what is drawn",
    "annotation": "text in an annotation",
    "form-value": "the value of a form field",
    "metadata": "text in the metadata",
    "outline": "text in the outline",
    "alternative-text": "alternative text",
    "attachment": "text in an attached file",
}
"""Each kind in words, for messages."""
_LONGEST = 200
_READ = 2_000
# A flag of a part of a country is spelled in tag characters behind a black flag.
_FLAG = re.compile(
    "(?<=\U0001f3f4)"
    + "(?:"
    + "|".join(
        "".join(chr(0xE0000 + ord(sign)) for sign in place) for place in ("gbeng", "gbsct", "gbwls")
    )
    + ")\U000e007f"
)
# Joiners are letters of some scripts and part of many emoji; between Latin letters they hide.
_CHARACTERS = re.compile(
    "(?P<tag>[\U000e0020-\U000e007f]+)|(?P<selectors>[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,})"
    "|(?P<bidi>[\u202a-\u202e\u2066-\u2069]+)"
    "|(?P<width>[\u200b\u2060-\u2064\ufeff\u180e]+|(?<=[A-Za-z])[\u200c\u200d]+(?=[A-Za-z]))"
)
# The signs of `_CHARACTERS`, sought in a twentieth of its time: most texts have none of them.
_SPECIAL = re.compile(
    "[\u180e\u200b-\u200d\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
_LOOK_ALIKE = re.compile(f"[{''.join(LOOK_ALIKES)}]")
_LATIN = re.compile("[A-Za-z]")
_GREEK = "".join(map(chr, range(0x370, 0x400)))
_NOT_GREEK = re.compile(f"[{''.join(sign for sign in LOOK_ALIKES if sign not in _GREEK)}]")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
_MATHEMATICS = ("$", "\\(", "\\[")
_WORD = re.compile(r"[^\W\d_]{4,60}")
_PAGE = re.compile(r"\s{0,100}(?:<!doctype\s|<html[\s>])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HiddenText:
    """One place of a paper with hidden text.

    In a text it is ``text[start:end]``, in line ``line`` (from 1). In a PDF it is ``box`` on
    ``page`` (from 1), both None for a side channel that belongs to no page. ``says`` is what a
    program reads there, in at most 200 characters; it is empty for characters that say nothing by
    themselves. ``evidence`` states what was measured. ``canary`` names the known mark of a venue
    that the text holds: then its organisers may have put it there.
    """

    kind: HiddenKind
    start: int | None
    end: int | None
    line: int | None
    says: str
    page: int | None = None
    box: Box | None = None
    evidence: str = ""
    canary: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Start and end in the text. Raises `ValueError` for a place on a page."""
        if self.start is None or self.end is None:
            raise ValueError(f"{self.kind} is on a page, not in a text")
        return self.start, self.end

    def to_json(self) -> dict[str, Json]:
        box = None if self.box is None else list(self.box)
        return {
            "kind": self.kind,
            "page": self.page,
            "box": box,
            "line": self.line,
            "start": self.start,
            "end": self.end,
            "says": self.says,
            "evidence": self.evidence,
            "canary": self.canary,
        }


def find_hidden_text(text: str, form: TextForm | None = None) -> tuple[HiddenText, ...]:
    """Return the places of ``text`` that its reader does not see, in order.

    ``form`` states how the text is shown; without it, this is decided by how the text begins. In
    Markdown, code is seen as it is written, and in plain text all markup is. Comments of HTML with
    fewer than four words are not among the places. Comments of LaTeX (``%``) are not either: nobody
    sees them, and no program reads them as text (`revkit.model.Paper` leaves them out too).
    """
    found = sorted([*_characters(text), *_markup(text, form)], key=lambda place: place[1:])
    if not found:
        return ()
    breaks = [match.start() for match in re.finditer("\n", text)]
    return tuple(
        HiddenText(kind, start, end, bisect_right(breaks, start) + 1, shorten(says))
        for kind, start, end, says in found
    )


_Place = tuple[TextKind, int, int, str]


def _characters(text: str) -> Iterator[_Place]:
    if text.isascii():
        return
    for match in _CHARACTERS.finditer(text) if _SPECIAL.search(text) else ():
        if match["tag"]:
            if _FLAG.fullmatch(text, *match.span()):
                continue
            says = "".join(chr(ord(sign) - 0xE0000) for sign in match["tag"])
            yield "tag-characters", *match.span(), says
        elif match["selectors"]:
            yield "selectors", *match.span(), _selected(match["selectors"])
        else:
            says = "" if match["bidi"] else _spelled(match["width"])
            yield "bidi" if match["bidi"] else "zero-width", *match.span(), says
    yield from _look_alikes(text)


def _spelled(signs: str) -> str:
    """The text that a run of two different signs without width spells in bits, eight a byte."""
    kinds = sorted(set(signs))
    if len(kinds) != 2 or len(signs) < 16 or len(signs) % 8:
        return ""
    bits = "".join(str(kinds.index(sign)) for sign in signs)
    data = bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits), 8))
    try:
        says = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return says if says.isprintable() else ""


def _look_alikes(text: str) -> Iterator[_Place]:
    """Words of Latin letters and of letters of another script that look like Latin ones."""
    if not _LOOK_ALIKE.search(text):
        return
    start, end = -1, -1
    formulas = _Formulas(text)
    for match in _WORD.finditer(text):
        word = match[0]
        if _is_disguised(word) and (_NOT_GREEK.search(word) or not formulas.hold(*match.span())):
            if start >= 0 and not text[end : match.start()].strip():
                end = match.end()
                continue
            if start >= 0:
                yield "homoglyphs", start, end, latin_of(text[start:end])
            start, end = match.span()
    if start >= 0:
        yield "homoglyphs", start, end, latin_of(text[start:end])


class _Formulas:
    """The formulas of a text, found in one paragraph after the other. In a formula, Greek letters
    between Latin ones are names of quantities beside each other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._spans: list[Span] = []

    def hold(self, start: int, end: int) -> bool:
        """Whether ``start:end`` is in a formula; to be asked in the order of the text."""
        # Loaded for the few texts that need it: its patterns take long to compile.
        from revkit.model.sentences import protected_spans

        text = self._text
        while self._end <= start:
            first = self._end
            found = _PARAGRAPH_END.search(text, first)
            self._end = found.end() if found and found.end() < len(text) else len(text) + 1
            if self._end > start:
                spans = protected_spans(text, first, min(self._end, len(text)))
                self._spans = [
                    span for span in reversed(spans) if text.startswith(_MATHEMATICS, span.start)
                ]
        while self._spans and self._spans[-1].end <= start:
            self._spans.pop()
        return bool(self._spans) and self._spans[-1].start <= start and end <= self._spans[-1].end


def _selected(signs: str) -> str:
    """The bytes that variation selectors spell, one each: 16 of the first block, then 240."""
    codes = (ord(sign) for sign in signs)
    data = bytes(code - 0xFE00 if code < 0xFF00 else code - 0xE0100 + 16 for code in codes)
    return data.decode("utf-8", "replace")


def _is_disguised(word: str) -> bool:
    """Whether a word mixes scripts as no formula does: Greek at an end, as in "cosα", is usual."""
    if word.isascii() or not _LATIN.search(word):
        return False
    return bool(_LOOK_ALIKE.search(word.strip(_GREEK)))


def _markup(text: str, form: TextForm | None) -> Iterator[_Place]:
    for place in unseen_markup(text, form):
        if place.says.strip():
            yield cast(TextKind, place.kind), place.start, place.end, place.says


def form_of(text: str) -> TextForm:
    """How ``text`` is shown, by how it begins: as LaTeX, a page of HTML, else Markdown."""
    if _PAGE.match(text):
        return "html"
    return "latex" if is_latex(text) else "markdown"


def unseen_markup(text: str, form: TextForm | None = None) -> Iterator[Unseen]:
    """The parts of ``text`` that its markup takes out of sight, also those that say too little to
    be a finding, whose ``says`` is empty.
    """
    # Without these signs no markup hides text; its readers are then not loaded.
    if not (any(map(text.__contains__, "<]\\=")) or text.startswith("---")):
        return
    form = form or form_of(text)
    if form == "plain":
        return
    from revkit.papers.hidden_alternatives import hidden_alternatives, may_describe
    from revkit.papers.hidden_html import Places, hidden_html
    from revkit.papers.hidden_latex import hidden_latex, may_hide
    from revkit.papers.hidden_markdown import hidden_markdown

    blocks: MarkdownBlocks | None = None
    if "<" in text or ("]" in text and "]:" in text) or text.startswith("---"):
        blocks = _blocks(text, form)
        if form != "latex":
            yield from hidden_markdown(text, blocks.code)
        is_markdown, is_page = form == "markdown", form == "html"
        yield from hidden_html(
            text, blocks.code, blocks.html, is_markdown=is_markdown, is_page=is_page
        )
    if form != "latex" and may_describe(text):
        blocks = blocks or _blocks(text, form)
        yield from hidden_alternatives(text, Places(blocks.code))
    if may_hide(text):
        blocks = blocks or _blocks(text, form)
        yield from hidden_latex(text, Places(blocks.code))


def _blocks(text: str, form: TextForm) -> MarkdownBlocks:
    """The parts of ``text`` whose markup is shown as it is written."""
    from revkit.papers.markdown_code import MarkdownBlocks, markdown_blocks

    if form == "latex":
        from revkit.model.latex_source import literal_spans

        return MarkdownBlocks(list(literal_spans(text)))
    return markdown_blocks(text) if form == "markdown" else MarkdownBlocks()


def shorten(says: str) -> str:
    """``says`` on one line, in at most 200 characters that print."""
    says = says[:_READ]
    joined = " ".join("".join(sign if sign.isprintable() else " " for sign in says).split())
    return joined if len(joined) <= _LONGEST else joined[: _LONGEST - 1] + "…"


def hidden_text_notes(text: str) -> tuple[HiddenNote, ...]:
    """Return one note for each kind of hidden text in ``text``: the number of places, the first
    line, and the text there.
    """
    found = find_hidden_text(text)
    if not found:
        return ()
    counts = Counter(place.kind for place in found)
    notes = []
    for kind in get_args(TextKind):
        if counts[kind]:
            first = next(place for place in found if place.kind == kind)
            places = "1 place" if counts[kind] == 1 else f"{counts[kind]} places"
            says = f', "{first.says}"' if first.says else ""
            notes.append(
                HiddenNote(
                    f"hidden text: {WORDS[kind]} in {places}, first in line {first.line}{says}"
                )
            )
    return tuple(notes)
