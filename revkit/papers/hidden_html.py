"""Hidden HTML: elements, comments, declarations and attributes that no reader sees, in HTML or in
Markdown with HTML.

The reader is tolerant, as browsers are: end tags may be missing, attributes need no quotes, and
their order, case and blanks do not matter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import field
from html import unescape

from revkit.dataclass import dataclass
from revkit.model.colors import WHITE, Color, are_alike
from revkit.papers.orders import addresses_reviewer
from revkit.papers.prose import FEWEST_SPACELESS, SPACELESS, Body, is_prose
from revkit.papers.styles import (
    Declarations,
    Rules,
    colour_of,
    is_transparent,
    may_take_out_of_sight,
    takes_out_of_sight,
)

Span = tuple[int, int]

_TAG = re.compile(
    r"<(?P<name>[A-Za-z][\w:-]*+)(?=[\s/>])"
    r"(?P<attributes>(?:[\s/]++|[^\s<>=\"'/]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s<>\"'][^\s<>]*+))?+)*+)>"
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s<>=\"'/]++)(?:\s*+=\s*+(?P<value>\"[^\"]*+\"|'[^']*+'|[^\s<>\"'][^\s<>]*+))?+"
)
_END_TAG = re.compile(r"</(?P<name>[A-Za-z][\w:-]*+)[^<>]*+>")
_NEXT = re.compile(r"<|`++|\\[\\`<]")
_NEXT_TAG = re.compile(r"<")
_ANY_TAG = re.compile(r"<[!/?A-Za-z][^<>]*+>")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ALONE = re.compile(r"[\"'(\[*_]{0,3}[^\W\d_]{1,40}(?:['’][a-z]{1,3})?[\"')\]*_.,;:!?…]{0,4}")
# Words of usual declarations.
_USUAL = frozenset(
    [
        "doctype",
        "html",
        "public",
        "system",
        "xml",
        "version",
        "encoding",
        "xhtml",
        "svg",
        "standalone",
    ]
)
_SETTING = re.compile(
    r"\b[\w:-]{1,40}\s?=\s?(?:\"[\w./:-]{0,40}\"|'[\w./:-]{0,40}')|\"(?:-//|https?:)[^\"\n]{0,120}\""
)
# A run of words in a program or a style sheet; code has other signs between its words.
_RUN = re.compile(r"(?<![A-Za-z'-])[A-Za-z'-]{1,30}+(?:[,.;:]?+\s[A-Za-z'-]{1,30}+){7,}+")
_EMPTY = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "image",
    ]
)
_RAW = frozenset(("script", "style"))
_RAW_ENDS = {
    "script": re.compile("</script[^<>]*+>", re.IGNORECASE),
    "style": re.compile("</style[^<>]*+>", re.IGNORECASE),
}
_BARE_HEX = re.compile("[0-9a-fA-F]{6}")
_SHEET = re.compile(r"<style(?=[\s>])[^<>]*+>", re.IGNORECASE)
_PROGRAM = re.compile(r"<(?:script|style)(?=[\s>])", re.IGNORECASE)
_PROGRAM_END = re.compile(r"</(?:script|style)", re.IGNORECASE)
_NOT_SHOWN = frozenset(
    ("script", "style", "template", "noscript", "datalist", "noembed", "noframes", "rp")
)
# What no page shows, and usual pages have: data of formulas and drawings. An order there counts.
_DATA = frozenset(("annotation", "annotation-xml", "metadata", "defs", "symbol"))
# A browser shows something else instead of the text within, or nothing until a reader acts.
_REPLACED = frozenset(("dialog", "iframe", "object", "video", "audio", "canvas"))
_DRAWN = frozenset(("text", "tspan", "textpath", "g", "a", "foreignobject"))
_DRAWN_KEYS = ("display", "visibility", "opacity", "font-size")
_NOTHING = re.compile(r"\s{0,9}(?:0{1,9}(?:\.0{0,9})?|\.0{1,9})(?:px|pt|%)?\s{0,9}")
_FEWEST_REMARK = 4
_LONGEST_REMARK = 40
_CLOSED_BY_THEMSELVES = frozenset(["p", "li", "td", "th", "tr", "dt", "dd", "option"])
# These end with the paragraph that they are in.
_INLINE = frozenset(
    [
        "p",
        "span",
        "a",
        "b",
        "i",
        "em",
        "strong",
        "small",
        "big",
        "sub",
        "sup",
        "code",
        "font",
        "u",
        "s",
        "q",
        "cite",
        "mark",
        "abbr",
        "label",
    ]
)
_FEWEST_WORDS = 4
_LONGEST_SAID = 20_000
# Attributes with words that a page does not print, or prints in a small field only.
_SAYING = ("title", "placeholder", "srcdoc", "label", "summary", "download", "standby")
# Fields in which a page describes itself.
_USUAL_FIELDS = ("author", "creator", "contributor", "title", "keywords", "generator", "viewport")


@dataclass(frozen=True, slots=True)
class Unseen:
    """A part of a text that no reader sees, with what a program reads there. ``kind`` is a kind of
    hidden text; ``says`` is empty where the part holds too few words to be a finding."""

    kind: str
    start: int
    end: int
    says: str


class Places:
    """Spans of a text, in order and without overlap, to look up a place in."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = spans
        self._ends = [end for _, end in spans]

    def end_at(self, position: int) -> int | None:
        """The end of the span that holds ``position``, or `None`."""
        place = bisect_right(self._ends, position)
        holds = place < len(self.spans) and self.spans[place][0] <= position
        return self._ends[place] if holds else None


@dataclass(slots=True)
class _Element:
    name: str
    start: int
    content: int
    limit: int
    ground: Color
    ink: Color | None


@dataclass
class _Reader:
    text: str
    code: Sequence[Span]
    html: Sequence[Span]
    is_markdown: bool
    is_page: bool
    rules: Rules
    stack: list[_Element] = field(default_factory=list)
    opened: dict[str, int] = field(default_factory=dict)
    hidden_from: _Element | None = None
    doubtful: _Element | None = None
    body: Body | None = None
    absent: set[str] = field(default_factory=set)
    last_ends: dict[str, int] = field(default_factory=dict)
    _paragraph_end: int = -1
    _runs: dict[int, list[int]] | None = None

    def read(self) -> Iterator[Unseen]:
        text, position = self.text, 0
        pattern = _NEXT if self.is_markdown else _NEXT_TAG
        code, html = Places(self.code), Places(self.html)
        while match := pattern.search(text, position):
            start, position = match.span()
            if (end := code.end_at(start)) is not None:
                position = end
                continue
            if match[0] != "<" and html.end_at(start) is not None:
                position = start + 1 if match[0][0] == "\\" else position
                continue
            if match[0][0] == "`":
                position = self._after_code(start, position)
                continue
            if match[0] != "<":
                continue
            yield from self._end_at_paragraph(start)
            position = max(position, (yield from self._markup(start)))
        yield from self._close_all(len(text))

    def _after_code(self, start: int, end: int) -> int:
        """Where the code that opens with the backticks at ``start`` ends, in its paragraph."""
        if self._runs is None:
            self._runs = {}
            for match in re.finditer("`+", self.text):
                self._runs.setdefault(len(match[0]), []).append(match.start())
        places = self._runs.get(end - start, [])
        place = bisect_right(places, start)
        if place < len(places) and places[place] < self._end_of_paragraph(end):
            return places[place] + end - start
        return end

    def _end_of_paragraph(self, position: int) -> int:
        if self._paragraph_end < position:
            match = _BLANK_LINE.search(self.text, position)
            self._paragraph_end = match.start() if match else len(self.text)
        return self._paragraph_end

    def _find(self, needle: str, position: int) -> int:
        """Search as `str.find`, but search what is absent once only."""
        if needle in self.absent:
            return -1
        place = self.text.find(needle, position)
        if place < 0:
            self.absent.add(needle)
        return place

    def _markup(self, start: int) -> Generator[Unseen, None, int]:
        text = self.text
        if text.startswith("<!--", start):
            return (yield from self._comment(start))
        if text.startswith("<![CDATA[", start):
            return (yield from self._declared(start, 9, "]]>"))
        if text.startswith("<!", start) and text[start + 2 : start + 3].isalpha():
            return (yield from self._declared(start, 2, ">"))
        if text.startswith("<?", start):
            return (yield from self._declared(start, 2, "?>"))
        if match := _END_TAG.match(text, start):
            yield from self._close(match["name"].lower(), match.start(), match.end())
            return match.end()
        if match := _TAG.match(text, start):
            return (yield from self._open(match))
        return start + 1

    def _comment(self, start: int) -> Generator[Unseen, None, int]:
        text = self.text
        for empty in ("<!-->", "<!--->"):
            if text.startswith(empty, start):
                return start + len(empty)
        end = self._find("-->", start + 4)
        if end >= 0:
            says, after = text[start + 4 : end], end + 3
        elif self._begins_block(start):
            says, after = text[start + 4 :], len(text)
        else:
            return start + 4
        if self.hidden_from is None:
            yield Unseen("html-comment", start, after, _with_words(says, _FEWEST_WORDS))
        return after

    def _declared(self, start: int, mark: int, closing: str) -> Generator[Unseen, None, int]:
        text = self.text
        end = self._find(closing, start + mark)
        after = end + len(closing)
        if end < 0:
            if mark != 9 and not (closing == "?>" and self._begins_block(start)):
                return start + mark
            end = after = len(text)
        says = text[start + mark : end]
        words = [
            word for word in _WORD.findall(_SETTING.sub(" ", says)) if word.lower() not in _USUAL
        ]
        if self.hidden_from is None and (len(words) >= _FEWEST_WORDS or _is_dense(says)):
            yield Unseen("html-comment", start, after, says)
            return after
        return after if words else start + mark

    def _begins_block(self, start: int) -> bool:
        line = self.text.rfind("\n", max(0, start - 4), start) + 1
        is_first = line > 0 or start <= 3
        return self.is_page or (is_first and not self.text[line:start].strip(" "))

    def _open(self, match: re.Match[str]) -> Generator[Unseen, None, int]:
        name, start, end = match["name"].lower(), match.start(), match.end()
        attributes = _attributes(match)
        self._close_by_itself(name)
        if self.hidden_from is None:
            yield from self._attributes(name, match)
        above = self.stack[-1] if self.stack else None
        ground, ink = (above.ground, above.ink) if above else (WHITE, None)
        certain, possible = self.rules.styles_of(name, attributes, attributes.get("style", ""))
        look = _look(name, attributes, certain, ground, ink)
        is_hidden = look.is_hidden
        is_doubtful = not is_hidden and (
            may_take_out_of_sight(possible)
            or (
                possible is not certain and _look(name, attributes, possible, ground, ink).is_hidden
            )
        )
        ground, ink = look.ground, look.ink
        if name in _EMPTY:
            return end
        if name in _RAW:
            return (yield from self._program(name, start, end))
        if match["attributes"].rstrip().endswith("/") and not is_hidden:
            return end
        element = _Element(name, start, end, self._limit(name, end), ground, ink)
        self.stack.append(element)
        self.opened[name] = self.opened.get(name, 0) + 1
        if is_hidden and self.hidden_from is None:
            self.hidden_from = element
        if is_doubtful and self.hidden_from is None and self.doubtful is None:
            self.doubtful = element
        return end

    def _limit(self, name: str, position: int) -> int:
        """Where an element without an end tag ends: those within a paragraph end with it."""
        if self.last_ends.get(name, -1) >= position or self.is_page or name not in _INLINE:
            return len(self.text)
        return self._end_of_paragraph(position)

    def _program(self, name: str, start: int, end: int) -> Generator[Unseen, None, int]:
        text = self.text
        closing = None if name in self.absent else _RAW_ENDS[name].search(text, end)
        if closing is None:
            self.absent.add(name)
            return end
        if self.hidden_from is None:
            inner = text[end : closing.start()]
            says = " ".join(_RUN.findall(inner)) or (inner if _is_dense(inner) else "")
            yield Unseen("html-style", start, closing.end(), "" if self._holds(says) else says)
        return closing.end()

    def _attributes(self, name: str, match: re.Match[str]) -> Iterator[Unseen]:
        found = _attributes(match)
        if name == "input" and found.get("type", "").lower() == "hidden":
            says = _with_words(unescape(found.get("value", "")), _FEWEST_WORDS)
            if says:
                yield Unseen("html-attribute", match.start(), match.end(), says)
            return
        field_name = (found.get("name") or found.get("property") or "").lower()
        for attribute in _ATTRIBUTE.finditer(self.text, *match.span("attributes")):
            key = attribute["name"].lower()
            is_field = name == "meta" and key == "content"
            if not is_field and not key.startswith(("data-", "aria-")) and key not in _SAYING:
                continue
            if is_field and any(each in field_name for each in _USUAL_FIELDS):
                continue
            says = unescape((attribute["value"] or "").strip("\"'"))
            if is_prose(says) and not self._holds(says):
                yield Unseen("html-attribute", *attribute.span(), says)

    def _holds(self, says: str) -> bool:
        """Whether the text says this in plain sight too."""
        if not says:
            return True
        if self.body is None:
            self.body = Body(_ANY_TAG.sub(" ", " ".join(_outside_programs(self.text))))
        return self.body.holds(says)

    def _close_by_itself(self, name: str) -> None:
        top = self.stack[-1] if self.stack else None
        if (
            top
            and top.name == name
            and name in _CLOSED_BY_THEMSELVES
            and top is not self.hidden_from
        ):
            self._pop()

    def _pop(self) -> _Element:
        element = self.stack.pop()
        self.opened[element.name] -= 1
        return element

    def _close(self, name: str, start: int, end: int) -> Iterator[Unseen]:
        if not self.opened.get(name):
            return
        while self.stack:
            element = self._pop()
            if element is self.hidden_from or element is self.doubtful:
                is_own = element.name == name
                yield from self._emit(element, start, end if is_own else start)
            if element.name == name:
                return

    def _end_at_paragraph(self, position: int) -> Iterator[Unseen]:
        for element in (self.hidden_from, self.doubtful):
            if element is None or element.limit > position:
                continue
            while self.stack:
                top = self._pop()
                if top is self.hidden_from or top is self.doubtful:
                    yield from self._emit(top, element.limit, element.limit)
                if top is element:
                    break

    def _close_all(self, end: int) -> Iterator[Unseen]:
        for element in (self.hidden_from, self.doubtful):
            if element is not None:
                close = min(end, element.limit)
                yield from self._emit(element, close, close)

    def _emit(self, element: _Element, content_end: int, end: int) -> Iterator[Unseen]:
        inner = self.text[element.content : min(content_end, element.content + _LONGEST_SAID)]
        says = unescape(_ANY_TAG.sub(" ", inner))
        if element is self.doubtful:
            self.doubtful = None
            if is_prose(says) or addresses_reviewer(says):
                yield Unseen("not-evaluated", element.start, end, says)
            return
        self.hidden_from = None
        if element.name in _REPLACED and _is_usual_remark(says):
            return
        if element.name in _DATA and not addresses_reviewer(says):
            return
        if not any(map(str.isalnum, says)) and addresses_reviewer(unescape(inner)):
            says = unescape(inner)  # in attributes alone
        if any(map(str.isalnum, says)):
            yield Unseen("html-style", element.start, end, says)


@dataclass(frozen=True, slots=True)
class _Look:
    """Whether an element is hidden, the colour behind its text, and that of its text."""

    is_hidden: bool
    ground: Color
    ink: Color | None


def _look(
    name: str,
    attributes: dict[str, str],
    stated: Declarations,
    ground: Color,
    ink: Color | None,
) -> _Look:
    styles = {**_drawn_styles(name, attributes), **stated}
    is_clear = is_changed = False
    if "background" in styles or "background-color" in styles or "bgcolor" in attributes:
        value = (
            styles.get("background-color")
            or styles.get("background")
            or attributes.get("bgcolor", "")
        )
        ground, is_changed = colour_of(value) or ground, True
    colour = styles.get("-webkit-text-fill-color") or styles.get("color")
    if not colour and name in ("font", "body"):
        colour = attributes.get("color" if name == "font" else "text")
        if colour and _BARE_HEX.fullmatch(colour):
            colour = f"#{colour}"
    if colour:
        ink = colour_of(colour) or ink
        is_clear = is_transparent(colour)
    shows = styles.get("display", "none") != "none"
    is_hidden = (
        name in _NOT_SHOWN
        or name in _DATA
        or (name in _REPLACED and (name != "dialog" or "open" not in attributes))
        or ("hidden" in attributes and not shows)
        or ("popover" in attributes and not shows)
        or takes_out_of_sight(styles)
        or is_clear
        or (
            (bool(colour) or (is_changed and name in _INLINE))
            and ink is not None
            and are_alike(ink, ground)
        )
    )
    return _Look(is_hidden, ground, ink)


def _drawn_styles(name: str, attributes: dict[str, str]) -> Declarations:
    """The styles that the attributes of an element of a drawing state."""
    if name == "svg":
        sizes = (attributes.get("width", ""), attributes.get("height", ""))
        return {"display": "none"} if any(_NOTHING.fullmatch(size) for size in sizes) else {}
    if name not in _DRAWN:
        return {}
    found = {key: attributes[key].lower() for key in _DRAWN_KEYS if key in attributes}
    if "fill" in attributes:
        filled = attributes["fill"].strip().lower()
        found["color"] = "transparent" if filled == "none" else filled
    if _NOTHING.fullmatch(attributes.get("fill-opacity", "")):
        found["color"] = "transparent"
    return found


def _is_usual_remark(says: str) -> bool:
    """Whether ``says`` is what a page shows where a browser cannot show a video or the like."""
    words = says.split()
    return len(words) < _FEWEST_REMARK or (
        "browser" in says.lower() and len(words) < _LONGEST_REMARK and not addresses_reviewer(says)
    )


def _attributes(match: re.Match[str]) -> dict[str, str]:
    """The attributes of a tag, by their names in small letters; the first of a name counts."""
    found: dict[str, str] = {}
    for each in _ATTRIBUTE.finditer(match["attributes"]):
        found.setdefault(each["name"].lower(), unescape((each["value"] or "").strip("\"'")))
    return found


def _is_dense(says: str) -> bool:
    """Whether ``says`` holds a sentence in a script without blanks."""
    return len(SPACELESS.findall(says[:_LONGEST_SAID])) >= FEWEST_SPACELESS


def _with_words(says: str, fewest: int) -> str:
    """``says``, or nothing where it has fewer words between blanks than ``fewest``. Of words that
    are joined as in names of settings, three times as many are needed.
    """
    part = says[:_LONGEST_SAID]
    alone = sum(_ALONE.fullmatch(word) is not None for word in part.split())
    is_enough = alone >= fewest or len(_WORD.findall(part)) >= 3 * fewest or _is_dense(part)
    return says if is_enough else ""


def _outside_programs(text: str) -> Iterator[str]:
    position = 0
    while match := _PROGRAM.search(text, position):
        yield text[position : match.start()]
        end = _PROGRAM_END.search(text, match.end())
        position = end.end() if end else len(text)
    yield text[position:]


def _sheets(text: str) -> Iterator[str]:
    position = 0
    while match := _SHEET.search(text, position):
        end = _RAW_ENDS["style"].search(text, match.end())
        if end is None:
            return
        yield text[match.end() : end.start()]
        position = end.end()


def hidden_html(
    text: str,
    code: Sequence[Span],
    html: Sequence[Span] = (),
    *,
    is_markdown: bool,
    is_page: bool,
) -> Iterator[Unseen]:
    """The parts of ``text`` that its markup in HTML takes out of sight, in order of their ends.

    ``code`` are spans, in order, whose markup is shown as it is written. In Markdown, code between
    backticks is shown too, except in ``html``, the spans of its blocks of HTML. ``is_page`` states
    that the text is a page of HTML as a whole.
    """
    if "<" not in text:
        return
    last = {match["name"].lower(): match.start() for match in _END_TAG.finditer(text)}
    rules = Rules(_sheets(text))
    yield from _Reader(text, code, html, is_markdown, is_page, rules, last_ends=last).read()
    if rules.is_cut and (sheet := _SHEET.search(text)):
        yield Unseen("not-evaluated", *sheet.span(), "a style sheet with too many rules")
