"""LaTeX looks: text that options hide, in drawings, boxes, listings and columns of tables."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import islice

from revkit.dataclass import dataclass
from revkit.model.colors import Color, are_alike
from revkit.papers.hidden_html import Unseen
from revkit.papers.latex_colors import Colors
from revkit.papers.latex_groups import (
    READ,
    bracket_close,
    group_close,
    plain_words,
    says_something,
    split_options,
)
from revkit.papers.orders import addresses_reviewer

_MOST = 20_000
_MOST_STYLES = 500
_DEEPEST = 5
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
# The ground of a `tcolorbox` without options: black!5!white.
_BOX_GROUND: Color = (242.25, 242.25, 242.25)


def hidden_by_options(text: str) -> Iterator[Unseen]:
    """What options hide in LaTeX ``text``: nodes of drawings and text of boxes in the colour of
    their ground or transparent, listings and columns of tables in the colour of the page.
    """
    colors = Colors(text)
    if "tikz" in text or "\\node" in text:
        yield from islice(_drawn(text, colors), _MOST)
    if "tcolorbox" in text or "tcbox" in text or "mdframed" in text:
        yield from islice(_boxed(text, colors), _MOST)
    if "\\begin{tab" in text or ">{" in text:
        yield from islice(_columns(text, colors), _MOST)


def hidden_listings(text: str) -> Iterator[Unseen]:
    """Listings of LaTeX ``text`` in the colour of the page."""
    if "color" not in text and "fontsize" not in text:
        return
    colors = Colors(text)
    styles = _styles(text)
    for match in islice(_LISTING.finditer(text), _MOST):
        at = match.end()
        options = ""
        if text.startswith("[", at):
            close = bracket_close(text, at + 1)
            options, at = (text[at + 1 : close], close + 1) if close >= 0 else ("", at)
        name = match["name"]
        if name:
            end = text.find(f"\\end{{{name}", at)
        else:
            end = text.find(text[at : at + 1] if text[at : at + 1] != "{" else "}", at + 1)
        if end < 0:
            continue
        found = dict(_settings(options, styles, "lstset" if name != "Verbatim" else "fvset"))
        ground = _ground(found.get("backgroundcolor", ""), colors, at)
        looks = [found[key] for key in _LISTING_KEYS[:2] if key in found]
        partly = [found[key] for key in _LISTING_KEYS[2:] if key in found]
        says = " ".join(text[at : min(end, at + 10 * READ)].split())
        if any(_is_unseen(look, colors, at, ground) for look in looks):
            if _WORD.search(says):
                yield Unseen("latex-style", match.start(), end, says)
        elif addresses_reviewer(says) and any(
            _is_unseen(look, colors, at, ground) for look in partly
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


@dataclass(frozen=True, slots=True)
class _Styles:
    """The options that the paper sets: by name of a style, and for all drawings, boxes and
    listings."""

    named: Mapping[str, str]
    all: Mapping[str, str]


def _styles(text: str) -> _Styles:
    named: dict[str, str] = {}
    whole: dict[str, str] = {}
    for match in islice(_OLD_STYLE.finditer(text), _MOST_STYLES):
        close = bracket_close(text, match.end())
        if close >= 0:
            named[match["name"].strip()] = text[match.end() : close]
    for match in islice(_SET.finditer(text), _MOST_STYLES):
        start = match.end() + 1
        options = text[start : group_close(text, start)]
        if match["kind"]:
            whole[match["kind"]] = f"{whole.get(match['kind'], '')},{options}"
        else:
            named[match["listing"] or match["box"]] = options
    for match in islice(_STYLE.finditer(text), _MOST_STYLES):
        at = text.find("{", match.end(), match.end() + 4)
        name = _STYLE_NAME.search(text, max(0, match.start() - 60), match.start())
        if at >= 0 and name:
            named[name[0].strip(" ,/")] = text[at + 1 : group_close(text, at + 1)]
    return _Styles(named, whole)


def _settings(
    options: str, styles: _Styles, kind: str = "", depth: int = 0
) -> Iterator[tuple[str, str]]:
    """The keys and values of ``options``, with those of the styles that they name."""
    if kind in styles.all:
        yield from _settings(styles.all[kind], styles, depth=depth + 1)
    for key, value in split_options(options):
        name = value if key == "style" else key
        if name in styles.named and depth < _DEEPEST and (key == "style" or not value):
            yield from _settings(styles.named[name], styles, depth=depth + 1)
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


def _look(below: _Look, options: str, styles: _Styles, colors: Colors, place: int) -> _Look:
    ink, ground, is_filled = below.ink, below.ground, below.is_filled
    text_ink: Color | None = None
    opacity, text_opacity, is_tiny = below.opacity, 1.0, below.is_tiny
    for key, value in _settings(options, styles):
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


def _drawn(text: str, colors: Colors) -> Iterator[Unseen]:
    """Text of nodes of drawings. What is in the colour of the page may lie on a picture or a filled
    shape, so it counts if it is an order, or prose in a drawing without these."""
    styles = _styles(text)
    top = _look(_TOP, styles.all.get("tikzset", ""), styles, colors, 0)
    every = styles.named.get("every node", "")
    fills = [match.start() for match in _FILLS.finditer(text)]
    stack: list[tuple[_Look, int]] = []
    path: _Look | None = None
    position = 0
    while match := _DRAWING.search(text, position):
        position = match.end()
        start = match.start()
        below = stack[-1][0] if stack else top
        if match["end"]:
            path = None
        elif match["act"] == "end":
            if stack:
                stack.pop()
            path = None
        elif match["act"] or match["command"]:
            options, position = _options_at(text, match.end())
            if match["command"] == "fill":
                options = f"fill,{options}"
            look = _look(below, options, styles, colors, start)
            if match["act"]:
                inner = (
                    every
                    + ","
                    + ",".join(
                        value for key, value in split_options(options) if key == "every node/.style"
                    )
                )
                stack.append((_look(look, inner, styles, colors, start), start))
                path = None
            else:
                path = look
        else:
            first = stack[0][1] if stack else max(0, start - READ)
            lies_on = bisect_left(fills, first) < bisect_left(fills, start)
            look = path or below
            for found in _node(text, match, look, styles, colors, lies_on=lies_on):
                yield found
                position = max(position, found.end)


def _node(
    text: str,
    match: re.Match[str],
    below: _Look,
    styles: _Styles,
    colors: Colors,
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
    look = _look(below, options, styles, colors, start)
    how = look.hides(colors.page(start))
    if not how:
        return
    close = group_close(text, at + 1)
    says = plain_words(text[at + 1 : close])
    if not says or "#" in says:
        return
    if how == "colour" and not (addresses_reviewer(says) if lies_on else says_something(says)):
        return
    yield Unseen("latex-style", start, min(close + 1, len(text)), says)


def _boxed(text: str, colors: Colors) -> Iterator[Unseen]:
    """Text of boxes in the colour of their ground, or transparent."""
    styles = _styles(text)
    for match in islice(_BOX.finditer(text), _MOST):
        name = match["name"] or "tcbox"
        is_frame = name == "mdframed"
        if name not in ("tcolorbox", "mdframed", "tcbox") and name not in styles.named:
            continue
        options, at = _options_at(text, match.end())
        whole = styles.all.get("mdfsetup" if is_frame else "tcbset", "")
        parts = (whole, styles.named.get(name, ""), options)
        found = dict(pair for part in parts for pair in _settings(part, styles))
        ink = found.get("colupper") or found.get("coltext") or found.get("fontcolor") or ""
        back = found.get("colback") or found.get("backgroundcolor") or ""
        start = match.start()
        color = colors.color(start, None, ink) if ink else None
        for key in ("fontupper", "font", "before upper"):
            shown = _COLOR.search(found.get(key, ""))
            if shown:
                color = colors.color(start, shown["model"], shown["spec"])
        ground = colors.page(start) if is_frame or "enhanced jigsaw" in found else _BOX_GROUND
        ground = colors.color(start, None, back) if back else ground
        clear = min(_share(found.get(key, "1")) for key in ("opacitytext", "opacityupper"))
        alike = color is not None and ground is not None and are_alike(color, ground)
        if not (alike or clear < _LEAST_OPACITY):
            continue
        if match["short"]:
            opening = text.find("{", at, at + 20)
            end = group_close(text, opening + 1) if opening >= 0 else -1
        else:
            end = text.find(f"\\end{{{name}}}", at)
        if end < 0:
            continue
        says = plain_words(text[at : min(end, at + 10 * READ)])
        if says and "#" not in says:
            yield Unseen("latex-style", start, end, says)


def _columns(text: str, colors: Colors) -> Iterator[Unseen]:
    """Text of columns of tables in the colour of the page: four words in a cell, or an order."""
    kinds = {
        match["name"]: text[match.end() : group_close(text, match.end())]
        for match in islice(_COLUMN.finditer(text), _MOST_STYLES)
    }
    for match in islice(_TABLE.finditer(text), _MOST):
        at = match.end()
        _, at = _options_at(text, at)
        groups: list[str] = []
        while text.startswith("{", at) and len(groups) < 3:
            close = group_close(text, at + 1)
            groups.append(text[at + 1 : close])
            at = close + 1
        if not groups:
            continue
        place = match.start()
        hidden = [
            any(
                "columncolor" not in look and _is_unseen(look, colors, place, colors.page(place))
                for look in column
            )
            for column in _column_looks(groups[-1], kinds)
        ]
        if not any(hidden):
            continue
        end = text.find(f"\\end{{{match['name']}}}", at)
        if end < 0:
            continue
        said: list[str] = []
        number = position = 0
        body = text[at:end]
        for cut in [*_CELL.finditer(body), None]:
            cell = body[position : cut.start() if cut else len(body)]
            if number < len(hidden) and hidden[number]:
                says = plain_words(cell)
                if len(_WORD.findall(says)) >= _FEWEST_IN_CELL and "color" not in cell:
                    said.append(says)
            number = number + 1 if cut and cut[0] == "&" else 0
            position = cut.end() if cut else len(body)
        says = " ".join(said)
        if says and "#" not in says:
            yield Unseen("latex-style", place, end, says)


def _column_looks(spec: str, kinds: Mapping[str, str], depth: int = 0) -> list[list[str]]:
    """The commands before the cells of each column that the specification of a table names."""
    found: list[list[str]] = []
    before: list[str] = []
    at = 0
    while at < len(spec) and len(found) < 100:
        sign = spec[at]
        at += 1
        if sign in ">@!<" and spec.startswith("{", at):
            close = group_close(spec, at + 1)
            if sign == ">":
                before.append(spec[at + 1 : close])
            at = close + 1
        elif sign == "*" and spec.startswith("{", at):
            close = group_close(spec, at + 1)
            count = spec[at + 1 : close].strip()
            inner = group_close(spec, close + 2)
            times = min(int(count), 50) if count.isascii() and count.isdigit() else 1
            more = _column_looks(spec[close + 2 : inner], kinds, depth + 1) if depth < 3 else []
            found += more * times
            at = inner + 1
        elif sign in kinds and depth < 3:
            more = _column_looks(kinds[sign], kinds, depth + 1)
            found += [[*before, *each] for each in more]
            before = []
        elif sign.isalpha():
            found.append(before)
            before = []
            if spec.startswith("[", at):
                close = bracket_close(spec, at + 1)
                at = close + 1 if close >= 0 else at
            if spec.startswith("{", at):
                at = group_close(spec, at + 1) + 1
    return found
