"""Hidden LaTeX: text that its commands take out of sight, and text that they print nowhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from revkit.model.colors import are_alike
from revkit.model.latex_source import hidden_spans
from revkit.papers.hidden_html import Places, Unseen
from revkit.papers.latex_colors import Colors
from revkit.papers.latex_definitions import Expansion
from revkit.papers.latex_groups import (
    GROUP_SIGN,
    READ,
    Work,
    WorkSpentError,
    group_close,
    plain_words,
    says_something,
)
from revkit.papers.latex_looks import hidden_by_options, hidden_listings
from revkit.papers.orders import addresses_reviewer

_MOST = 2_000
# In characters that are read again for a use of a command.
_MOST_WORK = 8_000_000
_LONGEST_VALUE = 40
_COLOR = r"(?:\[(?P<model_{0}>[\w ]{{1,12}})\]\s{{0,3}})?\{{(?P<spec_{0}>[^{{}}]{{1,80}})\}}"
_NOTHING = (
    r"\s?(?:(?:0(?:\.0\d{0,9})?|\.0\d{0,9})\s?(?:pt|mm|cm|in|em|ex|bp|\\\w{1,12})"
    r"|0?\.\d{1,9}\s?pt)\s?"
)
_LATEX = re.compile(
    rf"\\textcolor\s{{0,3}}{_COLOR.format('text')}\s{{0,3}}(?P<colored>\{{)"
    rf"|\\color\s{{0,3}}{_COLOR.format('switch')}\s{{0,3}}(?P<switched>)"
    r"|\\fontsize\s?\{\s?0*(?:\.\d+|0|1)(?:\.\d*)?\s?(?:pt)?\}\s?\{[^{}]{0,12}\}\s?"
    r"(?:\\selectfont)?\s?(?P<small>)"
    r"|\\(?:h|v)?phantom\s?(?P<phantom>\{)"
    r"|\\(?:transparent|opacity)\s?\{\s?(?:0(?:\.0\d{0,9})?|\.0\d{0,9})\s?\}\s?(?P<clear>)"
    r"|\\texttransparent\s?\{\s?(?:0(?:\.0\d{0,9})?|\.0\d{0,9})\s?\}\s?(?P<faint>\{)"
    r"|\\scalebox\s?\{\s?0?\.0\d*\s?\}\s?(?P<scaled>\{)"
    rf"|\\resizebox\*?\s?(?:\{{{_NOTHING}\}}\s?\{{[^{{}}]{{1,20}}\}}"
    rf"|\{{[^{{}}]{{1,20}}\}}\s?\{{{_NOTHING}\}})\s?(?P<resized>\{{)"
    r"|\\raisebox\s?\{\s?[+-]?\s?(?P<raise>\d{1,6}(?:\.\d{0,6})?)\s?"
    r"(?P<unit>pt|bp|mm|cm|in|em|ex)\s?\}\s?(?:\[[^\[\]]{0,40}\]\s?){0,2}(?P<raised>\{)"
)
_EVERY = re.compile(r"\\everypar\s?=?\s?\{[^{}]{0,80}\Z")
_FEWEST_IN_PHANTOM = 8
_GROUND = re.compile(
    r"\\(?:colorbox|fcolorbox|rowcolor|cellcolor|columncolor)\s?(?:\[\w{1,8}\]\s?)?\{(?!\s?white)"
    r"|colback\s?=(?!\s?white)"
)
_COLUMN_GROUND = re.compile(
    r"\s{0,3}\\columncolor\s?(?:\[\w{1,8}\]\s?)?\{(?!\s?white)[^{}]{1,80}\}\s{0,3}\}"
)
_GROUND_BEFORE = 200
# Options are read by what they apply to.
_OPTION = re.compile(r"=\s?(?:\\[A-Za-z]{1,30}\s?){0,4}\Z")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_REGISTER = r"(?:\{{\s?)?(?P<name_{0}>\\[A-Za-z@]{{1,60}}|\d{{1,3}})(?:\s?\}})?"
_BOX = re.compile(
    rf"\\s(?:ave)?box\s?{_REGISTER.format('saved')}\s?(?:\[[^\[\]]{{0,40}}\]\s?){{0,2}}(?P<saved>\{{)"
    rf"|\\setbox\s?{_REGISTER.format('set')}\s?=?\s?\\[hv]box\s?(?:to\s?[\w.\\]{{1,20}}\s?)?(?P<set>\{{)"
    rf"|\\begin\s?\{{lrbox\}}\s?{_REGISTER.format('lines')}(?P<lines>)"
)
_LINES_END = re.compile(r"\\end\s?\{lrbox\}")
_USED_BOX = re.compile(
    r"\\(?:usebox|box|copy|unhbox|unvbox|unhcopy|unvcopy)\s?(?:\{\s?)?(\\[A-Za-z@]{1,60}|\d{1,3})"
)
_LAYER = re.compile(
    r"\\begin\s?\{ocg\}\s?(?:\[[^\[\]]{0,200}\]\s?)?\{[^{}]{0,200}\}\s?\{[^{}]{0,200}\}\s?"
    r"\{\s?(?:0|off|false|invisible)\s?\}"
)
_LAYER_END = re.compile(r"\\end\s?\{ocg\}")
_TIP = re.compile(
    r"\\(?:(?P<second>pdftooltip|tooltip|cooltooltip|pdfmarkupcomment)"
    r"|pdf(?:margin|side|square|circle|line|polygon|polyline|sideline|squiggly)?comment)"
    r"\*?\s?(?:\[[^\[\]]{0,400}\]\s?)?(?=\{)"
)
_FIELDS = re.compile(r"\\(?:hypersetup|pdfinfo|DocumentMetadata|pdfannot)\b[^{}]{0,200}(?=\{)")
_COMMENT = re.compile(r"(?m)^[ \t]?%+")
_OVERLAP = 200
_MOST_PARTS = 50
_POINTS = {"pt": 1.0, "bp": 1.0, "mm": 2.85, "cm": 28.5, "in": 72.3, "em": 10.0, "ex": 4.3}
_FAR = 1_000.0
# In points. A shift to the side by this much starts beside the column, or at its other edge.
_WIDTH = 500.0
_PAGE_WIDTH, _PAGE_HEIGHT = 612.0, 842.0  # the wider of A4 and letter, the higher of them
_LENGTH = (
    r"\s?(?P<{0}_sign>[+-]?)\s?(?P<{0}>\d{{1,6}}(?:\.\d{{0,6}})?)"
    r"\s?(?P<{0}_unit>pt|bp|mm|cm|in|em|ex)\s?"
)
_SHIFT = re.compile(
    rf"\\hspace\*?\s?\{{{_LENGTH.format('aside')}\}}"
    rf"|\\(?:hskip|kern){_LENGTH.format('skip')}"
    rf"|\\move(?:right|left){_LENGTH.format('box')}"
    rf"|\\vspace\*?\s?\{{{_LENGTH.format('lower')}\}}"
    rf"|\\vskip{_LENGTH.format('drop')}"
    rf"|\\begin\s?\{{textblock\*\}}\s?\{{[^{{}}]{{1,40}}\}}\s?(?:\[[^\[\]]{{0,40}}\]\s?)?"
    rf"\({_LENGTH.format('across')},{_LENGTH.format('down')}\)"
)
_AXES = {"aside": "h", "skip": "h", "lower": "v", "drop": "v"}
# Text of rendering mode 3 is neither filled nor stroked (PDF 32000-1, 9.3.6).
_LITERAL = (
    r"\\(?:pdfliteral|special|pdfextension\s?literal)\s?(?:direct|page)?\s?"
    r"\{{[^{{}}]{{0,60}}\b{0}\s{{1,4}}Tr\b(?:(?!Tr\b)[^{{}}]){{0,60}}\}}"
)
_UNPAINTED = re.compile(
    r"\\(?:text)?pdfrender\s?\{\s?(?:3|[^{}]{0,60}?TextRenderingMode\s?=\s?(?:3|Invisible)\b"
    rf"[^{{}}]{{0,60}})\s?\}}\s?\{{?|(?P<literal>{_LITERAL.format('3')})"
)
_PAINTED = re.compile(_LITERAL.format("[0-24-6]"))
# Environments of fonts begin no line, so a shift within one moves what follows it too.
_ENVIRONMENT = re.compile(
    r"\\(?P<act>begin|end)\s?\{(?!(?:tiny|scriptsize|footnotesize|small|normalsize|[lL]arge|LARGE"
    r"|[hH]uge|em|(?:rm|sf|tt|bf|md|it|sl|sc|up)(?:family|series|shape))\})[^{}]{1,60}\}"
)
_HIDING = re.compile(
    r"\\(?:textcolor|color|fontsize|h?v?phantom|(?:text)?transparent|opacity|scalebox|resizebox"
    r"|raisebox|node|tikz|savebox|sbox|setbox|hspace|vspace|hskip|vskip|kern|moveright|moveleft"
    r"|(?:text)?pdfrender|pdfliteral|special|(?:pdf)?tooltip|pdf\w{0,12}comment|tcbox|tcbset|lstset"
    r"|begin\s?\{(?:tikzpicture|scope|tcolorbox|mdframed|lstlisting|Verbatim|ocg|lrbox"
    r"|textblock\*|tab\w{1,8}))(?![A-Za-z@])"
)
_TOO_MANY = "macros that use themselves or each other without end, or are used too often"
_TOO_MUCH = "commands, styles or options in too many others, or repeated too often"
_SIGNS = (
    "space", "\\hskip", "\\vskip", "\\kern", "\\move", "{textblock*}", "pdfrender", " Tr",
    "\\textcolor", "\\color", "\\fontsize", "phantom", "\\transparent", "\\opacity", "\\scalebox",
    "\\resizebox", "\\raisebox", "\\node", "\\savebox", "\\sbox", "\\setbox", "{lrbox}", "{ocg}",
    "tooltip", "\\pdf", "\\hypersetup", "\\DocumentMetadata", "\\end{document}", "\\end {document}",
    "%", "\\if", "{comment}", "ommand{", "ommand\\", "command*", "\\def\\", "\\let",
    "environment{", "\\csname", "\\@name", "tikz", "tcolorbox", "tcbox", "mdframed", "color",
)  # fmt: skip


def may_hide(text: str) -> bool:
    """Whether ``text`` has one of the commands that `hidden_latex` reads."""
    return "\\" in text and any(map(text.__contains__, _SIGNS))


def hidden_latex(text: str, code: Places) -> Iterator[Unseen]:
    """What commands of LaTeX hide in ``text``, outside ``code``, the bodies of macros and coloured
    grounds: text in the colour of the page, tiny, transparent, resized to nothing or off the page;
    what a macro or an environment of the paper, or an option, hides in one of these ways; a box
    that is not used, a layer that is off, a tooltip; and an order to a reviewer that is moved by
    the width of a page or not painted, in the fields of the PDF file, or in what TeX does not read.
    """
    expansion = Expansion(text, code.spans, _HIDING, _hiding_of)
    shown, literal = expansion.text, Places(expansion.code)
    finders = (_by_looks, _by_options, _boxes, _layers, _tips, _fields, _away)
    spent: list[int] = []
    found = chain(
        (
            each
            for find in finders
            for each in islice(_within(find(shown, literal), spent), _MOST)
            if literal.end_at(each.start) is None
        ),
        islice(_within(hidden_listings(shown), spent), _MOST),
    )
    places = (
        Unseen(each.kind, *expansion.origin(each.start, each.end), each.says) for each in found
    )
    last = -1
    for each in sorted(places, key=lambda place: (place.start, -place.end)):
        if each.start >= last:
            last = each.end
            yield each
    yield from _unread(text)
    if not expansion.is_whole:
        yield Unseen("not-evaluated", *expansion.first_use(), _TOO_MANY)
    if spent:
        yield Unseen("not-evaluated", *expansion.origin(spent[0], spent[0] + 1), _TOO_MUCH)


def _within(found: Iterator[Unseen], spent: list[int]) -> Iterator[Unseen]:
    """What ``found`` yields within its bound; where the bound is passed is added to ``spent``."""
    try:
        yield from found
    except WorkSpentError as error:
        spent.append(error.place)


def _hiding_of(body: str, text: str) -> int:
    """Whether the ``body`` of a macro hides what it prints: 2 if its last look does, or it is the
    colour of the page, 1 if another look does, or else 0."""
    if "color" not in body and "{" not in body and len(body) > _LONGEST_VALUE:
        return 0
    colors = _colors_of(text)
    end = len(text)
    if len(body) <= _LONGEST_VALUE:
        ink, page = colors.color(end, None, body), colors.page(end)
        if ink is not None and page is not None and are_alike(ink, page):
            return 2
    looks = [_hides(match, colors, end) for match in islice(_LATEX.finditer(body), _MOST)]
    return 2 if looks and looks[-1] else int(any(looks))


@lru_cache(maxsize=2)
def _colors_of(text: str) -> Colors:
    return Colors(text)


def _by_options(text: str, _: Places) -> Iterator[Unseen]:
    return hidden_by_options(text)


def _unseen(start: int, end: int, says: str) -> Unseen:
    return Unseen("latex-style", start, end, says)


def _by_looks(text: str, code: Places) -> Iterator[Unseen]:
    colors = Colors(text)
    work = Work(_MOST_WORK)
    position = 0
    while match := _LATEX.search(text, position):
        position = match.end()
        start = match.start()
        if code.end_at(start) is not None or not _hides(match, colors, start):
            continue
        before = text[max(0, start - _GROUND_BEFORE) : start]
        work.place = start
        close, says = _argument(text, match, work)
        is_colored = match.lastgroup in ("colored", "switched") and _GROUND.search(before)
        is_code = before.endswith("`")  # as in Markdown
        is_option = _OPTION.search(before) is not None
        is_colored = is_colored or _COLUMN_GROUND.match(text, match.end())
        is_nothing = "#" in says or not any(map(str.isalnum, says))
        if is_code or is_option or is_colored or is_nothing:
            continue
        position = close
        yield _unseen(start, position, says)


def _argument(text: str, match: re.Match[str], work: Work) -> tuple[int, str]:
    """Where the text that the command of ``match`` applies to ends, and what it says; nothing if
    that is too little.
    """
    start = match.end()
    close = group_close(text, start, is_color=match.lastgroup == "switched")
    if _EVERY.search(text, max(0, match.start() - 100), match.start()):
        # What the command applies to is behind its group: all paragraphs.
        start = close + 1
        close = group_close(text, start, is_color=True)
    work.spend(_GROUND_BEFORE + close - start)
    says = plain_words(text[start:close])
    is_short = match.lastgroup == "phantom" and len(_LETTERS.findall(says)) < _FEWEST_IN_PHANTOM
    is_argument = match.lastgroup not in ("switched", "small", "clear")
    end = close + (is_argument and text[close : close + 1] == "}")
    return end, "" if is_short else says


def _hides(match: re.Match[str], colors: Colors, place: int) -> bool:
    """Whether the command that ``match`` found, used at ``place``, hides what follows."""
    if match["raise"] is not None:
        return float(match["raise"]) * _POINTS[match["unit"]] >= _FAR
    spec = match["spec_text"] or match["spec_switch"]
    if spec is None:
        return True
    ink = colors.color(place, match["model_text"] or match["model_switch"], spec)
    page = colors.page(place)
    return ink is not None and page is not None and are_alike(ink, page)


def _words(text: str, start: int, close: int, work: Work) -> str:
    """What a span says. It is searched for prose and orders, which takes longer than to read it."""
    work.place = start
    work.spend(4 * (close - start))
    return plain_words(text[start:close])


def _boxes(text: str, _: Places) -> Iterator[Unseen]:
    """What is put into boxes that are never used, if it is prose."""
    used = {match[1] for match in _USED_BOX.finditer(text)}
    work = Work(_MOST_WORK)
    for match in _BOX.finditer(text):
        name = match["name_saved"] or match["name_set"] or match["name_lines"]
        if name in used:
            continue
        start = end = match.end()
        if match.lastgroup == "lines":
            closing = _LINES_END.search(text, start, start + READ)
            close, end = closing.span() if closing else (start, start)
        else:
            close = group_close(text, start)
            end = close + (text[close : close + 1] == "}")
        says = _words(text, start, close, work)
        if "#" not in says and says_something(says):
            yield _unseen(match.start(), end, says)


def _layers(text: str, _: Places) -> Iterator[Unseen]:
    """What is in layers that are off."""
    closings = [match.span() for match in _LAYER_END.finditer(text)]
    for match in _LAYER.finditer(text):
        number = bisect_right(closings, (match.end(), 0))
        close, end = closings[number] if number < len(closings) else (len(text), len(text))
        says = plain_words(text[match.end() : min(close, match.end() + READ)])
        if says:
            yield _unseen(match.start(), end, says)


def _tips(text: str, _: Places) -> Iterator[Unseen]:
    """Comments and tooltips of the PDF file, if they are prose."""
    work = Work(_MOST_WORK)
    for match in _TIP.finditer(text):
        start = match.end() + 1
        if match["second"]:
            shown = text.find("{", group_close(text, start))
            if shown < 0:
                continue
            start = shown + 1
        close = group_close(text, start)
        says = _words(text, start, close, work)
        if "#" not in says and says_something(says):
            # What the command shows stays.
            end = close + (not match["second"] and text[close : close + 1] == "}")
            yield _unseen(start if match["second"] else match.start(), end, says)


def _fields(text: str, _: Places) -> Iterator[Unseen]:
    """Orders to a reviewer in the fields of the PDF file."""
    work = Work(_MOST_WORK)
    for match in _FIELDS.finditer(text):
        start = match.end() + 1
        close = group_close(text, start)
        says = _words(text, start, close, work)
        if addresses_reviewer(says):
            yield _unseen(match.start(), min(close + 1, len(text)), says)


def _away(text: str, code: Places) -> Iterator[Unseen]:
    """Orders to a reviewer that are moved off the page or not painted, up to the end of their
    paragraph. Papers move figures and tables as far, so no other text there counts.
    """
    spans = sorted(chain(_moved(text, code), _unpainted(text, code)))
    return _orders(text, _merge_spans(spans), most=len(text))


class _Shift(NamedTuple):
    """A shift: its place, its distance along an axis (0 and "" for one to a place), the level of
    groups that it is in, and the distance from which it hides text (None if it is shorter).
    """

    start: int
    end: int
    axis: str
    points: float
    level: int
    limit: float | None


def _shifts(text: str) -> Iterator[_Shift]:
    level = place = 0
    for match in _SHIFT.finditer(text):
        signs = [sign[0] for sign in GROUP_SIGN.finditer(text, place, match.start())]
        level += signs.count("{") - signs.count("}")
        place = match.end()
        name = next((name for name in _AXES if match[name] is not None), "")
        points = _points(match, name) if name else 0.0
        yield _Shift(*match.span(), _AXES.get(name, ""), points, level, _limit(match))


def _points(match: re.Match[str], name: str) -> float:
    """The length ``name`` of a shift in points, negative if it is to the left or upwards."""
    size = float(match[name]) * _POINTS[match[f"{name}_unit"]]
    return -size if match[f"{name}_sign"] == "-" else size


def _limit(match: re.Match[str]) -> float | None:
    """The distance, in points, from which the shift ``match`` hides text; None if it is shorter."""
    if match["across"] is not None:
        across, down = _points(match, "across"), _points(match, "down")
        is_away = min(across, down) <= -_WIDTH or across >= _PAGE_WIDTH or down >= _PAGE_HEIGHT
        return _WIDTH if is_away else None
    for name in ("aside", "skip", "box"):
        if match[name] is not None:
            return _WIDTH if abs(_points(match, name)) >= _WIDTH else None
    name = "lower" if match["lower"] is not None else "drop"
    return _PAGE_HEIGHT if _points(match, name) <= -_PAGE_HEIGHT else None


def _moved(text: str, code: Places) -> Iterator[tuple[int, int]]:
    """What is moved off the page: the start of the shift, and the end of what it moves. Space
    downwards is left out: what follows it is on the next page.
    """
    shifts = [shift for shift in _shifts(text) if code.end_at(shift.start) is None]
    place = 0
    for number, shift in enumerate(shifts):
        if shift.limit is None or shift.start < place:
            continue
        end = _environment_end(text, shift.end, group_close(text, shift.end))
        back = _return(shift, shifts, number + 1, end)
        if back is not None:
            end, place = back.start, back.end
        yield shift.start, end


def _return(first: _Shift, shifts: Sequence[_Shift], number: int, end: int) -> _Shift | None:
    """Which of the ``shifts`` from ``number`` on takes ``first`` back before ``end``. Those in a
    group do not count: what follows the group may not be moved by them.
    """
    total = first.points
    limit = first.limit or 0.0
    while first.axis and number < len(shifts) and shifts[number].start < end:
        shift = shifts[number]
        number += 1
        if (shift.axis, shift.level) == (first.axis, first.level):
            total += shift.points
            if abs(total) < limit:
                return shift
    return None


def _unpainted(text: str, code: Places) -> Iterator[tuple[int, int]]:
    """What is not painted: the start of the command, and the end of what it applies to."""
    for match in _UNPAINTED.finditer(text):
        if code.end_at(match.start()) is not None:
            continue
        start = match.end()
        end = _environment_end(text, start, group_close(text, start))
        if match["literal"]:
            painted = (found.start() for found in _PAINTED.finditer(text, start, end))
            end = next((place for place in painted if code.end_at(place) is None), end)
        yield match.start(), end


def _environment_end(text: str, start: int, end: int) -> int:
    """Where the environment that holds ``start`` ends, at most ``end``."""
    depth = 0
    for match in _ENVIRONMENT.finditer(text, start, end):
        depth += 1 if match["act"] == "begin" else -1
        if depth < 0:
            return match.start()
    return end


def _merge_spans(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, in order of their starts, with those that overlap as one."""
    first, last = -1, -1
    for start, end in spans:
        if start < last:
            last = max(last, end)
            continue
        if first >= 0:
            yield first, last
        first, last = start, end
    if first >= 0:
        yield first, last


def _orders(text: str, spans: Iterable[tuple[int, int]], most: int) -> Iterator[Unseen]:
    """The spans with an order to a reviewer in their first ``most`` characters, which are read in
    overlapping parts."""
    for start, end in spans:
        for part in range(start, min(end, start + most), READ - _OVERLAP):
            says = plain_words(_COMMENT.sub(" ", text[part : min(end, part + READ)]))
            if addresses_reviewer(says):
                yield _unseen(start, end, says)
                break


def _unread(text: str) -> Iterator[Unseen]:
    """Orders to a reviewer in what TeX does not read: comments, conditions that are off, and what
    is behind the end of the document. Sources have many comments, so no other text there counts.
    """
    spans = islice(_join_spans(text, hidden_spans(text)), _MOST)
    return _orders(text, spans, most=_MOST_PARTS * READ)


def _join_spans(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, those with nothing but blanks between them as one: lines of one comment."""
    first, last = -1, -1
    for start, end in spans:
        if first >= 0 and not text[last:start].strip():
            last = end
            continue
        if first >= 0:
            yield first, last
        first, last = start, end
    if first >= 0:
        yield first, last
