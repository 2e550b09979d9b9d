"""Code of Markdown: the lines whose markup a reader sees as it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)]|\[\^[^\[\]\s]{1,60}\]:)(?=\s|$)")
# Blocks of HTML by how they begin, and what ends them; those of other elements end at a blank line.
_ENDED = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
)
_BLOCK = re.compile(
    r"</?(?:address|article|aside|base|blockquote|body|caption|center|col|colgroup|dd|details|dialog"
    r"|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html"
    r"|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search"
    r"|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul|template|noscript)"
    r"(?=[\s>/]|$)",
    re.IGNORECASE,
)
_ALONE = re.compile(r"</?[A-Za-z][^<>]{0,1000}>\s{0,20}$")


def _begins_html(line: str, is_blank_before: bool) -> bool:
    if any(begin.match(line) for begin, _ in _ENDED) or _BLOCK.match(line):
        return True
    return is_blank_before and _ALONE.match(line) is not None


@dataclass
class MarkdownBlocks:
    """The spans of the code of Markdown and of its blocks of HTML, each in order."""

    code: list[tuple[int, int]] = field(default_factory=list)
    html: list[tuple[int, int]] = field(default_factory=list)


def markdown_blocks(text: str) -> MarkdownBlocks:
    """Return the fenced and the indented code of Markdown ``text``, and its blocks of HTML.

    Within a block of HTML, a fence begins no code. An indented line below an item of a list, or
    below a line of text, continues it.
    """
    from revkit.model.line_kinds import FENCE  # a spec is checked without patterns of lines

    found = MarkdownBlocks()
    position = 0
    fence = ""
    opened = -1
    ends: re.Pattern[str] | None = None
    in_html = in_list = False
    is_blank_above = True
    for line in text.split("\n"):
        start, position = position, min(position + len(line) + 1, len(text))
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        bare = bare.rstrip()
        blank = not bare
        if fence:
            if bare.startswith(fence) and not bare.strip(fence[0]) and indent < 8:
                found.code.append((opened, position))
                fence = ""
            is_blank_above = False
            continue
        if ends is not None or in_html:
            found.html.append((start, position))
            in_html = in_html and not blank
            if ends is not None and ends.search(line):
                ends = None
            is_blank_above = blank
            continue
        if blank:
            is_blank_above = True
            continue
        tabbed = indent >= 4 or bare.startswith("\t") or line.startswith("\t")
        if tabbed and not in_list:
            if is_blank_above:
                found.code.append((start, position))
                continue  # the next line is code too
            is_blank_above = False
            continue
        is_blank_before, is_blank_above = is_blank_above, False
        if indent == 0 and not tabbed and is_blank_before and not _ITEM.match(bare):
            in_list = False
        in_list = in_list or _ITEM.match(bare) is not None
        if (match := FENCE.match(bare)) and indent < (8 if in_list else 4):
            fence, opened = match[1], start
        elif bare.startswith("<") and _begins_html(bare, is_blank_before):
            found.html.append((start, position))
            ends = next((end for begin, end in _ENDED if begin.match(bare)), None)
            in_html = ends is None
            if ends is not None and ends.search(line, indent + 4):
                ends = None
    if fence:
        found.code.append((opened, len(text)))
    return found
