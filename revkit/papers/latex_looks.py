"""LaTeX looks: text that options hide, in drawings, boxes, listings and columns of tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from revkit.dataclass import dataclass
from revkit.model.colors import Color, are_alike
from revkit.papers.hidden_html import Unseen
from revkit.papers.latex_colors import Colors
from revkit.papers.latex_groups import (
    ANY_SIGN,
    READ,
    Needles,
    Work,
    brace_end,
    bracket_close,
    first_end,
    plain_words,
    says_something,
    split_options,
)
from revkit.papers.orders import addresses_reviewer

_MOST_WORK = 2_000_000
# A chain of styles that is longer is not followed.
_DEEPEST = 50
_LEAST_OPACITY = 0.1
_COLOR = re.compile(
    r"\\(?:color|textcolor)\s?(?:\[(?P<model>[\w ]{1,12})\]\s?)?\{(?P<spec>[^{}]{1,80})\}"
)
_TINY = re.compile(r"\\fontsize\s?\{\s?0*(?:\.\d+|0|1)(?:\.\d*)?\s?(?:pt)?\}")
_NUMBER = re.compile(r"\d{0,3}(?:\.\d{0,9})?")
_STYLE = re.compile(r"/\.(?:append )?style")
_STYLE_NAME = re.compile(r"[\w /@-]{1,60}\Z")
_OLD_STYLE = re.compile(r"\\tikzstyle\s?\{(?P<name>[^{}]{1,60})\}\s?\+?=\s?\[")
_SET = re.compile(
    r"\\(?P<kind>tikzset|pgfkeys|tcbset|lstset|fvset|mdfsetup|tcbsetforeverylayer)\s?(?=\{)"
    r"|\\lstdefinestyle\s?\{(?P<listing>[^{}]{1,60})\}\s?(?=\{)"
    r"|\\newtcolorbox(?:\[[^\[\]]{0,200}\])?\s?\{(?P<box>[^{}]{1,60})\}"
    r"\s?(?:\[\d\])?\s?(?:\[[^\[\]]{0,200}\])?\s?(?=\{)"
)
_DRAWING = re.compile(
    r"\\(?P<act>begin|end)\s?\{(?P<environment>tikzpicture|scope|pgfonlayer|tikzcd|forest)\}"
    r"|\\(?P<command>tikz|path|draw|fill|filldraw|shade|clip|matrix)(?![A-Za-z@])"
    r"|(?P<node>\\node(?![A-Za-z@])|(?<=[\s)\]};])node(?=[\s\[{(]))|(?P<end>;)"
)
_BEFORE_TEXT = re.compile(
    r"(?:\s|\([^(){}]{0,80}\)|\bat\b|\b(?:above|below|left|right|midway|pos)\b){0,9}(?=[\[{])"
)
_FILLS = re.compile(r"\bfill\b|\\(?:shade|filldraw|fill|includegraphics|pgfimage|rowcolor)")
_EVERY_NODE = frozenset(("every node/.style", "every node/.append style"))
_CLEAR_WORDS = frozenset(("transparent",))
_BOX = re.compile(
    r"\\(?:begin\s?\{(?P<name>tcolorbox|mdframed|[A-Za-z@*]{1,60})\}|(?P<short>tcbox|newtcbox))"
    r"\s?(?=\[|\{|\s|[^\W\d_])"
)
_LISTING = re.compile(
    r"\\begin\s?\{(?P<name>lstlisting|[BL]?Verbatim|minted|alltt|lstinputlisting)\*?\}"
    r"|\\lstinline(?=\[)"
)
_LISTING_KEYS = ("basicstyle", "formatcom", "commentstyle", "stringstyle", "identifierstyle")
_TABLE = re.compile(
    r"\\begin\s?\{(?P<name>tabular[xy*]?|tabulary|array|longtable|supertabular|xltabular|tblr)\}"
)
_COLUMN = re.compile(r"\\newcolumntype\s?\{(?P<name>[A-Za-z])\}\s?(?:\[\d\])?\s?(?P<body>\{)")
_CELL = re.compile(r"(?<!\\)&|\\\\|\\tabularnewline")
_FEWEST_IN_CELL = 4
_WORD = re.compile(r"[^\W\d_]{2,}")
_OTHER_GROUNDS = frozenset(
    (
        "interior style",
        "interior code",
        "interior engine",
        "underlay",
        "frame hidden style",
        "overlay",
    )
)
_ROW = re.compile(r"\\rowcolor\s?(?:\[(?P<model>[\w ]{1,12})\]\s?)?\{(?P<spec>[^{}]{1,80})\}")
# The ground of a `tcolorbox` without options: black!5!white.
_BOX_GROUND: Color = (242.25, 242.25, 242.25)


def hidden_by_options(text: str) -> Iterator[Unseen]:
    """What options hide in LaTeX ``text``: nodes of drawings and text of boxes in the colour of
    their ground or transparent, listings and columns of tables in the colour of the page.

    Raises `WorkSpentError` where styles and options are nested or repeated beyond a bound.
    """
    colors = Colors(text)
    work = Work(_MOST_WORK)
    if "tikz" in text or "\\node" in text:
        yield from _drawn(text, colors, work)
    if "tcolorbox" in text or "tcbox" in text or "mdframed" in text:
        yield from _boxed(text, colors, work)
    if "\\begin{tab" in text or ">{" in text:
        yield from _columns(text, colors, work)


def hidden_listings(text: str) -> Iterator[Unseen]:
    """Listings of LaTeX ``text`` in the colour of the page, or of the box around them.

    Raises `WorkSpentError` as `hidden_by_options`.
    """
    if "color" not in text and "fontsize" not in text:
        return
    colors = Colors(text)
    work = Work(_MOST_WORK)
    styles = _styles(text, work)
    needles = Needles(text)
    boxes: list[_Box] | None = None
    for match in _LISTING.finditer(text):
        at = match.end()
        work.place = match.start()
        options, at = _options_at(text, at) if text.startswith("[", at) else ("", at)
        name = match["name"]
        if name:
            end = needles.find(f"\\end{{{name}", at)
        else:
            end = needles.find(text[at : at + 1] if text[at : at + 1] != "{" else "}", at + 1)
        if end < 0:
            continue
        kind = "lstset" if name != "Verbatim" else "fvset"
        found = dict(_settings(options, styles, at, work, kind))
        looks = [found[key] for key in _LISTING_KEYS[:2] if key in found]
        partly = [found[key] for key in _LISTING_KEYS[2:] if key in found]
        if not looks and not partly:
            continue
        if "backgroundcolor" in found:
            ground = _ground(found["backgroundcolor"], colors, at)
        else:
            if boxes is None:
                boxes = list(_all_boxes(text, styles, colors, work))
            around = [box for box in boxes if box.start < match.start() < box.end]
            work.spend(len(boxes))
            ground = around[-1].ground if around else colors.page(at)
        part = text[at : min(end, at + 10 * READ)]
        work.spend(len(part))
        says = " ".join(part.split())
        if any(_is_unseen(look, colors, at, ground) for look in looks):
            if _WORD.search(says):
                yield Unseen("latex-style", match.start(), end, says)
        elif any(_is_unseen(look, colors, at, ground) for look in partly) and addresses_reviewer(
            says
        ):
            yield Unseen("latex-style", match.start(), end, says)


def _is_unseen(look: str, colors: Colors, place: int, ground: Color | None) -> bool:
    """Whether commands such as ``\\small\\color{white}`` hide text on ``ground``."""
    if _TINY.search(look):
        return True
    found = list(_COLOR.finditer(look))
    last = found[-1] if found else None
    ink = colors.color(place, last["model"], last["spec"]) if last else None
    return ink is not None and ground is not None and are_alike(ink, ground)


def _ground(look: str, colors: Colors, place: int) -> Color | None:
    if not look:
        return colors.page(place)
    found = _COLOR.search(look)
    if found:
        return colors.color(place, found["model"], found["spec"])
    return colors.color(place, None, look)


_Places = Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Styles:
    """The options that the paper sets, each with its place: by name of a style, and for all
    drawings, boxes and listings."""

    named: Mapping[str, _Places]
    all: Mapping[str, _Places]

    def style(self, name: str, place: int) -> str | None:
        """The options of a style at ``place``: those set last before it, or else set first."""
        found = self.named.get(name)
        if not found:
            return None
        return found[max(0, _count_before(found, place) - 1)][1]

    def options_before(self, kind: str, place: int) -> str:
        """The options that commands such as ``\\tikzset`` set before ``place``."""
        found = self.all.get(kind, ())
        return ",".join(options for _, options in found[: _count_before(found, place)])


def _count_before(found: _Places, place: int) -> int:
    return bisect_left(found, place, key=lambda pair: pair[0])


def _styles(text: str, work: Work) -> _Styles:
    named: dict[str, list[tuple[int, str]]] = {}
    whole: dict[str, list[tuple[int, str]]] = {}

    def read(start: int, close: int) -> str:
        work.place = start
        options = text[start : close if close >= 0 else start + READ]
        work.spend(len(options))
        return options

    for match in _OLD_STYLE.finditer(text):
        close = bracket_close(text, match.end())
        if close >= 0:
            options = read(match.end(), close)
            named.setdefault(match["name"].strip(), []).append((match.start(), options))
    for match in _SET.finditer(text):
        start = match.end() + 1
        options = read(start, brace_end(text, start))
        if match["kind"]:
            whole.setdefault(match["kind"], []).append((match.start(), options))
        else:
            named.setdefault(match["listing"] or match["box"], []).append((match.start(), options))
    for match in _STYLE.finditer(text):
        at = text.find("{", match.end(), match.end() + 4)
        found = _STYLE_NAME.search(text, max(0, match.start() - 60), match.start())
        if at < 0 or not found:
            continue
        options = read(at + 1, brace_end(text, at + 1))
        name = found[0].strip(" ,/")
        if "append" in match[0] and name in named:
            before = named[name][-1][1]
            work.spend(len(before))
            options = f"{before},{options}"
        named.setdefault(name, []).append((match.start(), options))
    for places in named.values():
        places.sort(key=lambda pair: pair[0])
    return _Styles(named, whole)


def _settings(
    options: str,
    styles: _Styles,
    place: int,
    work: Work,
    kind: str = "",
    path: tuple[str, ...] = (),
) -> Iterator[tuple[str, str]]:
    """The keys and values of ``options`` at ``place``, with those of the styles that they name. A
    style is not followed within itself (``path``)."""
    if kind:
        yield from _settings(styles.options_before(kind, place), styles, place, work)
    work.spend(len(options) + 1 if len(path) <= _DEEPEST else _MOST_WORK)
    for key, value in split_options(options):
        name = value if key == "style" else key
        style = styles.style(name, place) if key == "style" or not value else None
        if style is not None and name not in path:
            yield from _settings(style, styles, place, work, path=(*path, name))
        else:
            yield key, value


@dataclass(frozen=True, slots=True)
class _Look:
    """What options state about text: its colour and that of its ground, and its opacity."""

    ink: Color | None = None
    ground: Color | None = None
    is_filled: bool = False
    opacity: float = 1.0
    is_tiny: bool = False

    def hides(self, page: Color | None) -> str:
        """How the text is hidden: "clear", "colour" or ""."""
        if self.opacity < _LEAST_OPACITY or self.is_tiny:
            return "clear"
        ground = self.ground if self.is_filled else page
        alike = self.ink is not None and ground is not None and are_alike(self.ink, ground)
        return "colour" if alike else ""


def _look(
    below: _Look, options: str, styles: _Styles, colors: Colors, place: int, work: Work
) -> _Look:
    ink, ground, is_filled = below.ink, below.ground, below.is_filled
    text_ink: Color | None = None
    opacity, text_opacity, is_tiny = below.opacity, 1.0, below.is_tiny
    for key, value in _settings(options, styles, place, work):
        if key in ("text", "color") and value:
            found = colors.color(place, None, value)
            text_ink, ink = (found, ink) if key == "text" else (text_ink, found)
        elif key == "fill":
            is_filled = value != "none"
            ground = colors.color(place, None, value) if value else ink
        elif key in ("shade", "top color", "ball color", "left color", "inner color", "pattern"):
            is_filled, ground = True, None
        elif key == "opacity":
            opacity = _share(value)
        elif key == "text opacity":
            text_opacity = _share(value)
            opacity = max(opacity, _LEAST_OPACITY) if text_opacity >= _LEAST_OPACITY else opacity
        elif key in _CLEAR_WORDS and not value:
            opacity = 0.0
        elif key in ("font", "execute at begin node", "node font"):
            shown = _COLOR.search(value)
            if shown:
                text_ink = colors.color(place, shown["model"], shown["spec"])
            is_tiny = is_tiny or _TINY.search(value) is not None
        elif key == "scale" and below is not _TOP:
            is_tiny = is_tiny or _share(value) < 0.05
        elif not value and (found := colors.color(place, None, key)) is not None:
            ink = found
    return _Look(
        ink if text_ink is None else text_ink,
        ground,
        is_filled,
        min(opacity, text_opacity),
        is_tiny,
    )


_TOP = _Look()


def _share(value: str) -> float:
    match = _NUMBER.fullmatch(value.strip())
    return float(match[0]) if match and match[0] not in ("", ".") else 1.0


def _options_at(text: str, at: int) -> tuple[str, int]:
    """The options in brackets at ``at`` and where they end."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if not text.startswith("[", at):
        return "", at
    close = bracket_close(text, at + 1)
    return (text[at + 1 : close], close + 1) if close >= 0 else ("", at)


def _drawn(text: str, colors: Colors, work: Work) -> Iterator[Unseen]:
    """Text of nodes of drawings. What is in the colour of the page may lie on a picture or a filled
    shape, so it counts if it is an order, or prose in a drawing without these."""
    styles = _styles(text, work)
    tops: dict[str, _Look] = {}
    needles = Needles(text)
    fills = [match.start() for match in _FILLS.finditer(text)]
    stack: list[tuple[_Look, int]] = []
    path: _Look | None = None
    position = 0
    while match := _DRAWING.search(text, position):
        position = match.end()
        work.place = start = match.start()
        if match["end"]:
            path = None
            continue
        if match["act"] == "end":
            if stack:
                stack.pop()
            path = None
            continue
        # What a drawing sets within it counts for all of it.
        close = needles.find("\\end{tikzpicture", start)
        if stack:
            below = stack[-1][0]
        else:
            whole = styles.options_before(
                "tikzset", close if match["act"] and close >= 0 else start
            )
            work.spend(len(whole))
            if whole not in tops:
                tops[whole] = _look(_TOP, whole, styles, colors, start, work)
            below = tops[whole]
        if match["act"] or match["command"]:
            options, position = _options_at(text, match.end())
            if match["command"] == "fill":
                options = f"fill,{options}"
            look = _look(below, options, styles, colors, start, work)
            if match["act"]:
                every = styles.style("every node", max(start, close)) or ""
                parts = [value for key, value in split_options(options) if key in _EVERY_NODE]
                inner = ",".join((every, *parts))
                stack.append((_look(look, inner, styles, colors, start, work), start))
                path = None
            else:
                path = look
        else:
            first = stack[0][1] if stack else max(0, start - READ)
            lies_on = bisect_left(fills, first) < bisect_left(fills, start)
            look = path or below
            for found in _node(text, match, look, styles, colors, work, lies_on=lies_on):
                yield found
                position = max(position, found.end)


def _node(
    text: str,
    match: re.Match[str],
    below: _Look,
    styles: _Styles,
    colors: Colors,
    work: Work,
    *,
    lies_on: bool,
) -> Iterator[Unseen]:
    """The text of the node at ``match`` if it is hidden; ``lies_on`` states that its drawing has
    pictures or filled shapes."""
    at = match.end()
    options = ""
    for _ in range(4):
        skipped = _BEFORE_TEXT.match(text, at)
        at = skipped.end() if skipped else at
        if not text.startswith("[", at):
            break
        more, end = _options_at(text, at)
        if end <= at:
            break
        options, at = f"{options},{more}", end
    if not text.startswith("{", at):
        return
    start = match.start()
    look = _look(below, options, styles, colors, start, work)
    how = look.hides(colors.page(start))
    if not how:
        return
    close = brace_end(text, at + 1)
    close = close if close >= 0 else min(len(text), at + READ)
    work.spend(min(close - at, READ) * 4)
    says = plain_words(text[at + 1 : min(close, at + 10 * READ)])
    # A letter that is not painted is usual: it gives a node its height.
    if "#" in says or sum(map(str.isalpha, says)) < 2:
        return
    if how == "colour" and not (addresses_reviewer(says) if lies_on else says_something(says)):
        return
    yield Unseen("latex-style", start, min(close + 1, len(text)), says)


@dataclass(frozen=True, slots=True)
class _Box:
    """A box: its span, where its text begins, the ground of the text, and whether it is hidden."""

    start: int
    text: int
    end: int
    ground: Color | None
    is_hidden: bool


def _all_boxes(text: str, styles: _Styles, colors: Colors, work: Work) -> Iterator[_Box]:
    needles = Needles(text)
    for match in _BOX.finditer(text):
        name = match["name"] or "tcbox"
        is_frame = name == "mdframed"
        if name not in ("tcolorbox", "mdframed", "tcbox") and name not in styles.named:
            continue
        options, at = _options_at(text, match.end())
        work.place = start = match.start()
        whole = styles.options_before("mdfsetup" if is_frame else "tcbset", start)
        parts = (whole, styles.style(name, start) or "", options)
        found = dict(pair for part in parts for pair in _settings(part, styles, start, work))
        ink = found.get("colupper") or found.get("coltext") or found.get("fontcolor") or ""
        back = found.get("colback") or found.get("backgroundcolor") or ""
        color = colors.color(start, None, ink) if ink else None
        for key in ("fontupper", "font", "before upper"):
            shown = _COLOR.search(found.get(key, ""))
            if shown:
                color = colors.color(start, shown["model"], shown["spec"])
        ground = colors.page(start) if is_frame or "enhanced jigsaw" in found else _BOX_GROUND
        ground = colors.color(start, None, back) if back else ground
        if found.keys() & _OTHER_GROUNDS:
            ground = None
        clear = min(_share(found.get(key, "1")) for key in ("opacitytext", "opacityupper"))
        alike = color is not None and ground is not None and are_alike(color, ground)
        if match["short"]:
            opening = text.find("{", at, at + 20)
            end = brace_end(text, opening + 1) if opening >= 0 else -1
        else:
            end = needles.find(f"\\end{{{name}}}", at)
        if end >= 0:
            yield _Box(start, at, end, ground, alike or clear < _LEAST_OPACITY)


def _boxed(text: str, colors: Colors, work: Work) -> Iterator[Unseen]:
    """Text of boxes in the colour of their ground, or transparent."""
    for box in _all_boxes(text, _styles(text, work), colors, work):
        if not box.is_hidden:
            continue
        part = text[box.text : min(box.end, box.text + 10 * READ)]
        work.spend(len(part))
        says = plain_words(part)
        if says and "#" not in says:
            yield Unseen("latex-style", box.start, box.end, says)


def _columns(text: str, colors: Colors, work: Work) -> Iterator[Unseen]:
    """Text of columns of tables in the colour of the page: four words in a cell, or an order."""
    kinds: dict[str, str] = {}
    for match in _COLUMN.finditer(text):
        close = brace_end(text, match.end())
        if close >= 0:
            work.place = match.start()
            work.spend(close - match.end())
            kinds[match["name"]] = text[match.end() : close]
    needles = Needles(text)
    for match in _TABLE.finditer(text):
        _, at = _options_at(text, match.end())
        groups: list[str] = []
        while text.startswith("{", at) and len(groups) < 3:
            close = brace_end(text, at + 1)
            if close < 0:
                break
            work.spend(close - at)
            groups.append(text[at + 1 : close])
            at = close + 1
        if not groups:
            continue
        work.place = place = match.start()
        page = colors.page(place)
        columns = _column_looks(groups[-1], kinds, work)
        work.spend(20 * sum(1 + len(column) for column in columns))
        hidden = [
            any(
                "columncolor" not in look and _is_unseen(look, colors, place, page)
                for look in column
            )
            for column in columns
        ]
        if not any(hidden):
            continue
        end = needles.find(f"\\end{{{match['name']}}}", at)
        if end < 0:
            continue
        says = " ".join(_hidden_cells(text[at:end], hidden, colors, place, work))
        if says and "#" not in says:
            yield Unseen("latex-style", place, end, says)


def _hidden_cells(
    body: str, hidden: Sequence[bool], colors: Colors, place: int, work: Work
) -> Iterator[str]:
    """The text of the cells in ``hidden`` columns, without rows of another ground."""
    work.spend(len(body))
    page = colors.page(place)
    number = position = 0
    is_seen = False
    for cut in [*_CELL.finditer(body), None]:
        cell = body[position : cut.start() if cut else len(body)]
        row = _ROW.search(cell) if number == 0 else None
        if row:
            ground = colors.color(place, row["model"], row["spec"])
            is_seen = ground is None or page is None or not are_alike(ground, page)
        if number < len(hidden) and hidden[number] and not is_seen:
            says = plain_words(_ROW.sub(" ", cell))
            if len(_WORD.findall(says)) >= _FEWEST_IN_CELL and "color" not in _ROW.sub(" ", cell):
                yield says
        if cut and cut[0] == "&":
            number += 1
        else:
            number, is_seen = 0, False
        position = cut.end() if cut else len(body)


def _column_looks(
    spec: str, kinds: Mapping[str, str], work: Work, path: str = ""
) -> list[list[str]]:
    """The commands before the cells of each column that the specification of a table names. A kind
    of column is not followed within itself (``path``)."""
    found: list[list[str]] = []
    before: list[str] = []
    at = 0
    work.spend(len(spec) if len(path) <= _DEEPEST else _MOST_WORK)
    while at < len(spec):
        sign = spec[at]
        at += 1
        if sign in ">@!<" and spec.startswith("{", at):
            close = _end_in(spec, at + 1)
            if sign == ">":
                before.append(spec[at + 1 : close])
            at = close + 1
        elif sign == "*" and spec.startswith("{", at):
            close = _end_in(spec, at + 1)
            count = spec[at + 1 : close].strip()
            inner = _end_in(spec, close + 2)
            times = int(count) if count.isascii() and count.isdigit() and len(count) < 5 else 1
            more = _column_looks(spec[close + 2 : inner], kinds, work, f"{path}*")
            work.spend(len(more) * times)
            found += more * times
            at = inner + 1
        elif sign in kinds and sign not in path:
            more = _column_looks(kinds[sign], kinds, work, path + sign)
            work.spend(len(more) * (1 + len(before)))
            found += [[*before, *each] for each in more]
            before = []
        elif sign.isalpha():
            found.append(before)
            before = []
            if spec.startswith("[", at):
                close = first_end(spec, at + 1, ANY_SIGN)
                work.spend((close if close >= 0 else len(spec)) - at)
                at = close + 1 if close >= 0 else at
            if spec.startswith("{", at):
                at = _end_in(spec, at + 1) + 1
    return found


def _end_in(spec: str, position: int) -> int:
    end = first_end(spec, position)
    return end if end >= 0 else len(spec)
