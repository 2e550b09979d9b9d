"""Lines that start with a markup character of Markdown or HTML.

Every handler takes the builder, the index of the line and the line without the blanks around it.
It returns the index of the line to go on with, or ``index`` itself where the line is plain text.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from revkit.model.block_builder import Builder
from revkit.model.latex_source import group_end
from revkit.model.line_kinds import BULLET, CAPTION, DELIMITER_ROW, FENCE, HTML_BLOCK, RULE
from revkit.model.sections import own_role, read_title
from revkit.model.structure import BlockKind

_ATX = re.compile(r"#{1,6}[ \t]")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:[ \t]*")
_LINK_DEFINITION = re.compile(r"\[[^\]]{1,200}\]:\s*(?:<|https?:|#|/|\.)\S*")
_FIGURE_TAG = re.compile(r"\[(FIGURE|TABLE)\b[^\]\n]*\]\Z")
# Pandoc's tables: a line under each column, and a line over the whole table.
_COLUMNS = re.compile(r"-{2,}(?:[ \t]+-{2,})+\Z")
_LONG_RULE = re.compile(r"-{8,}\Z")
_MOST_HEAD_LINES = 5
_MOST_TABLE_LINES = 200
_HTML_HEADING = re.compile(r"<(?:summary|h[1-6])\b[^<>]{0,80}>\s*(?P<title>[^<>\n]{1,80})<")
_BIBTEX = re.compile(r"@[A-Za-z]{3,20}\s?\{\s?[^\s,{}]{1,80}\s?,")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def heading(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "#"; return the next line, or ``index`` for prose."""
    if _ATX.match(bare) is None:
        return index
    builder.flush(index)
    marks = len(bare) - len(bare.lstrip("#"))
    title = bare[marks:].rstrip(" \t#").lstrip(" \t")
    start = builder.starts[index] + builder.lines[index].index("#")
    start += bare.index(title, marks)
    end = start + len(title)
    if CAPTION.match(title):
        builder.add("figure", start, end)
    elif builder.outline.is_comment(title):
        builder.add("code", start, end)
    else:
        builder.add_heading(start, end, marks)
    return index + 1


def dash(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that may be a rule, underline a heading or begin a list; return the next line,
    or ``index`` for prose.
    """
    if _COLUMNS.match(bare):
        last = _dashed_table(builder, index)
        if last > index:
            return last
    if RULE.match(bare):
        alone = 0 <= builder.first == index - 1 and builder.kind == "paragraph"
        if (
            alone
            and bare[0] in "=-"
            and set(bare) == {bare[0]}
            and (builder.starts[index] - builder.offset < 120)
        ):
            builder.first = -1
            level = 1 if bare[0] == "=" else 2
            builder.add_heading(builder.offset, builder.line_end(index - 1), level)
        else:
            builder.flush(index)
        return index + 1
    if (
        0 <= builder.first == index - 1
        and "|" in builder.lines[index - 1]
        and (DELIMITER_ROW.match(bare))
    ):
        return _table(builder, index - 1)
    if builder.outline.role == "references":
        return index
    match = BULLET.match(bare)
    if match and (
        builder.first < 0
        or builder.in_list
        or (
            bare[0] in "-*•"
            and (
                (before := builder.lines[index - 1].rstrip())[-1:] in ".:;,?!)*" or len(before) < 60
            )
        )
    ):
        return item(builder, index, match.end())
    return index


def _dashed_table(builder: Builder, index: int) -> int:
    """Add the table of Pandoc whose columns line ``index`` underlines; return the line behind it,
    or ``index`` if no row follows.
    """
    lines = builder.lines
    last = builder.blank_from(index + 1)
    if last <= index + 1:
        return index
    first = index
    while first > max(0, index - _MOST_HEAD_LINES) and lines[first - 1].strip():
        first -= 1
    if _LONG_RULE.match(lines[first].strip()):
        # Rows of several lines, with blank lines between them, end with such a line, too.
        for number in range(index + 1, min(index + _MOST_TABLE_LINES, len(lines))):
            if _LONG_RULE.match(lines[number].strip()):
                last = number + 1
                break
    elif builder.first >= 0:
        first = index - 1
    else:
        first = index
    if builder.first >= 0:
        if builder.first < first:
            builder.flush(first)
        builder.first = -1
    builder.add("table", builder.starts[first], builder.line_end(last - 1))
    return last


def item(builder: Builder, index: int, marker: int) -> int:
    """Add the item of a list at the line ``index``; return the next line."""
    builder.flush(index)
    line = builder.lines[index]
    builder.first = index
    builder.offset = builder.starts[index] + len(line) - len(line.lstrip()) + marker
    builder.kind = "list-item"
    builder.in_list = True
    builder.content = builder.offset - builder.starts[index]
    return index + 1


def quote(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with ">"; return the next line, or ``index`` for prose."""
    if bare[1:2] not in (" ", ">", "") and builder.first >= 0:
        return index
    builder.flush(index)
    last = index
    while last < len(builder.lines) and builder.lines[last].lstrip().startswith(">"):
        last += 1
    start = builder.starts[index] + builder.lines[index].index(">")
    while start < builder.line_end(last - 1) and builder.text[start] in "> \t":
        start += 1
    builder.add("quote", start, builder.line_end(last - 1))
    return last


def pipe(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "|"; return the next line, or ``index`` for prose."""
    if (bare[-1] != "|" and (builder.first >= 0 or bare.count("|") < 3)) or len(bare) < 3:
        return index
    return _table(builder, index)


def _table(builder: Builder, index: int) -> int:
    if builder.first >= 0 and builder.first < index:
        builder.flush(index)
    builder.first = -1
    last = index
    while last < len(builder.lines) and "|" in builder.lines[last] and builder.lines[last].strip():
        last += 1
    builder.add("table", builder.starts[index], builder.line_end(last - 1))
    return last


def fence(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that opens a fence of code; return the next line, or ``index`` for prose."""
    match = FENCE.match(bare)
    if match is None:
        return index
    builder.flush(index)
    if builder.fences is None:
        builder.fences = [
            number
            for number, line in enumerate(builder.lines)
            if line[:1] in "`~ \t"
            and (mark := line.strip())[:3] in ("```", "~~~")
            and not mark.strip(mark[0])
        ]
    place = bisect_right(builder.fences, index)
    for number in builder.fences[place : place + 40]:
        mark = builder.lines[number].strip()
        if mark[0] == bare[0] and len(mark) >= len(match[1]):
            builder.add("code", builder.starts[index], builder.line_end(number))
            return number + 1
    last = builder.blank_from(index)
    if builder.dense is not None:
        last = min(last, index + 1)
    builder.add("code", builder.starts[index], builder.line_end(last - 1))
    return last


def dollar(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "$"; return the next line, or ``index`` for prose."""
    if not bare.startswith("$$"):
        return index
    start = builder.starts[index] + builder.lines[index].index("$$")
    return builder.display(index, start, start + 2, "$$")


def angle(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "<"; return the next line, or ``index`` for prose."""
    match = HTML_BLOCK.match(bare)
    if match is None:
        if not _HTML_HEADING.match(bare):
            return index
        return _list_heading(builder, builder.starts[index], builder.line_end(index)) or index
    builder.flush(index)
    start = builder.starts[index]
    name = (match["name"] or "").lower()
    kind: BlockKind = (
        "table"
        if name == "table"
        else "figure"
        if name in ("figure", "img", "svg")
        else "code"
        if name == "pre"
        else "html"
    )
    closer = (
        "-->"
        if bare.startswith("<!--")
        else f"</{match['name']}>"
        if name in ("table", "figure", "pre", "script", "style", "svg", "math", "textarea")
        else ""
    )
    close = builder.find(closer, start) if closer else -1
    if close >= 0:
        builder.add(kind, start, close + len(closer))
        return builder.resume(close + len(closer))
    last = builder.blank_from(index)
    if name in ("details", "summary", "div", "section", "center"):
        heading_at = _list_heading(builder, start, builder.line_end(last - 1))
        if heading_at:
            return heading_at
    builder.add(kind, start, builder.line_end(last - 1))
    return last


def at_sign(builder: Builder, index: int, bare: str) -> int:
    """Add an entry of BibTeX outside the reference list as code."""
    if builder.outline.role == "references" or _BIBTEX.match(bare) is None:
        return index
    builder.flush(index)
    start = builder.starts[index] + builder.lines[index].index("@")
    end = group_end(builder.text, builder.text.index("{", start))
    if end < 0:
        last = builder.blank_from(index)
        builder.add("code", start, builder.line_end(last - 1))
        return last
    builder.add("code", start, end)
    return builder.resume(end)


def _list_heading(builder: Builder, start: int, end: int) -> int:
    """Add the heading of a reference list in HTML within ``start:end``; return the next line, or 0
    if there is no such heading.
    """
    for match in _HTML_HEADING.finditer(builder.text, start, end):
        if own_role(read_title(match["title"]).name) == "references":
            builder.flush(builder.line_at(start))
            builder.add("html", start, match.start("title"))
            builder.add_heading(*match.span("title"), 2)
            return builder.line_at(match.end()) + 1
    return 0


def bang(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "!"; return the next line, or ``index`` for prose."""
    if not bare.startswith("!["):
        return index
    close = bare.find("](")
    end = bare.find(")", close)
    if close < 0 or end < 0 or len(bare) - end > 40:
        return index
    builder.flush(index)
    builder.add("figure", builder.starts[index], builder.line_end(index))
    return index + 1


def bracket(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with "["; return the next line, or ``index`` for prose."""
    note = _FOOTNOTE.match(bare)
    if note:
        builder.flush(index)
        last = index + 1
        while (
            last < len(builder.lines)
            and (line := builder.lines[last]).strip()
            and not (_FOOTNOTE.match(line.strip()))
        ):
            last += 1
        start, end = builder.starts[index], builder.line_end(last - 1)
        body = builder.text[start:end]
        if _YEAR.search(body) or "://" in body or builder.outline.role == "references":
            role = builder.outline.role
            builder.outline.role = "references"
            builder.add("reference", start, end)
            builder.outline.role = role
        else:
            indent = len(builder.lines[index]) - len(builder.lines[index].lstrip())
            builder.add("list-item", start + indent + note.end(), end)
        return last
    if builder.first < 0:
        tag = _FIGURE_TAG.match(bare)
        if tag:
            close = builder.find(f"[/{tag[1]}]", builder.starts[index])
            if close >= 0:
                last = builder.line_at(close)
                kind: BlockKind = "figure" if tag[1] == "FIGURE" else "table"
                builder.add(kind, builder.starts[index], builder.line_end(last))
                return last + 1
        if _LINK_DEFINITION.match(bare):
            builder.add("html", builder.starts[index], builder.line_end(index))
            return index + 1
    if bare.startswith("![", 1) or bare.startswith("[!["):
        builder.flush(index)
        builder.add("figure", builder.starts[index], builder.line_end(index))
        return index + 1
    return index


def percent(builder: Builder, index: int, _bare: str) -> int:
    """Handle a line that starts with "%"; return the next line, or ``index`` for prose."""
    # A comment within a paragraph stays in its block, where it is protected.
    return index if builder.first >= 0 else index + 1
