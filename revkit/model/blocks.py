"""Blocks: classify each line of a text as prose or another kind.

One pass over the lines serves Markdown, LaTeX source and the text of PDF files, because real
corpora mix them: OCR output has LaTeX mathematics and HTML tables, PDF text has Markdown bold. The
first character of a line decides whether it can be anything but running text.
"""

from __future__ import annotations

import re

from revkit.model import latex_lines, markdown_lines
from revkit.model.block_builder import Builder
from revkit.model.dense_lines import DenseLines
from revkit.model.line_kinds import CAPTION, MID_SENTENCE, NUMBERED, RUNNING_HEAD
from revkit.model.reference_list import heads_what_follows
from revkit.model.sections import is_known, read_title
from revkit.model.structure import Block

_NUMBERED_CAPITALS = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z][^a-z]{3,80}\Z")
_NUMBER_ALONE = re.compile(r"\d{1,4}(?:\.\d{1,2}){0,3}\.?\Z")
_LETTER_ALONE = re.compile(r"[A-Z](?:\.\d{1,2}){0,3}\.?\Z")
_YAML_KEY = re.compile(r"[A-Za-z][\w-]*:")


def _front_matter(builder: Builder) -> int:
    lines = builder.lines
    if lines[0].strip() != "---":
        return 0
    for index in range(1, min(len(lines), 200)):
        bare = lines[index].strip()
        if bare in ("---", "..."):
            if any(_YAML_KEY.match(line) for line in lines[1:index]):
                builder.add("front-matter", 0, builder.line_end(index))
                return index + 1
            return 0
    return 0


def _letters(builder: Builder, index: int, bare: str) -> int:
    """Find headings, captions and running heads within a run of lines without blank lines."""
    if bare[0] in "FTAL" and CAPTION.match(bare):
        before = builder.lines[index - 1] if builder.first >= 0 else ""
        if (
            before.endswith("  ")
            or before.rstrip()[-1:] in (".", "?", "!", ":", ")")
            or (before and ":" in bare[:16] and not MID_SENTENCE.search(before[-24:]))
        ):
            builder.flush(index)
        return index
    if len(bare) >= 64:
        return index
    if len(bare) < 8 and _LETTER_ALONE.match(bare):
        return _two_lines(builder, index, bare)
    if RUNNING_HEAD.match(bare):
        builder.flush(index)
        builder.add("front-matter", builder.starts[index], builder.line_end(index))
        return index + 1
    if (bare.isupper() and is_known(read_title(bare).name)) or (
        builder.outline.role == "references" and _ends_list(builder, index, bare)
    ):
        builder.flush(index)
        builder.add_heading(builder.starts[index], builder.line_end(index))
        return index + 1
    return index


def _ends_list(builder: Builder, index: int, bare: str) -> bool:
    """Return whether a line in a reference list is the heading of the next section."""
    if builder.first < 0:
        return False
    ended = builder.lines[index - 1].rstrip()[-1:]
    return (ended in ".)]" or ended.isdigit()) and heads_what_follows(bare)


def _digits(builder: Builder, index: int, bare: str) -> int:
    start = builder.starts[index]
    if _NUMBER_ALONE.match(bare):
        following = _two_lines(builder, index, bare)
        if following > index:
            return following
        if builder.outline.role != "references" or (bare.isdigit() and len(bare) < 4):
            builder.flush(index)
            builder.add("figure", start, builder.line_end(index))
            return index + 1
        return index
    if _NUMBERED_CAPITALS.match(bare) and builder.outline.accepts(read_title(bare), bare):
        builder.flush(index)
        builder.add_heading(start, builder.line_end(index))
        return index + 1
    if builder.outline.role == "references":
        if not _ends_list(builder, index, bare):
            return index
        builder.flush(index)
        builder.add_heading(start, builder.line_end(index))
        return index + 1
    match = NUMBERED.match(bare)
    if match is None or not (builder.first < 0 or builder.in_list or match[1] == "1"):
        return index
    alone = index + 1 >= len(builder.lines) or not builder.lines[index + 1].strip()
    title = read_title(bare)
    if (
        builder.first < 0
        and alone
        and len(bare) < 90
        and is_known(title.name)
        and (builder.outline.accepts(title, bare))
    ):
        return index
    return markdown_lines.item(builder, index, match.end())


def _two_lines(builder: Builder, index: int, bare: str) -> int:
    """Join a number alone on its line and a title in capitals on the next line to one heading."""
    following = builder.lines[index + 1].strip() if index + 1 < len(builder.lines) else ""
    title = f"{bare} {following}"
    if (
        following.isupper()
        and len(following) > 4
        and builder.outline.accepts(read_title(title), title)
    ):
        builder.flush(index)
        builder.add_heading(builder.starts[index], builder.line_end(index + 1))
        return index + 2
    return index


# Indented lines that begin so have a kind that does not depend on their indentation.
_MARKUP = frozenset("$|!<\\`~>-*+•")
_HANDLERS = {
    "#": markdown_lines.heading,
    "$": markdown_lines.dollar,
    "%": markdown_lines.percent,
    "!": markdown_lines.bang,
    "[": markdown_lines.bracket,
    "<": markdown_lines.angle,
    "@": markdown_lines.at_sign,
    ">": markdown_lines.quote,
    "|": markdown_lines.pipe,
    "\\": latex_lines.handle,
    **dict.fromkeys("`~", markdown_lines.fence),
    **dict.fromkeys("-*_=+•–◦▪·:", markdown_lines.dash),
    **dict.fromkeys("0123456789", _digits),
}


def _tight(builder: Builder, tight: DenseLines, index: int, bare: str) -> int:
    """Find a heading at the beginning of a run of lines that it heads."""
    listed = builder.outline.references_seen
    lines = tight.heading_at(index, bare, listed=listed)
    if not lines and builder.outline.role == "references" and heads_what_follows(bare):
        tight.begin_appendix(bare)
        lines = 1
    if lines:
        builder.add_heading(builder.starts[index], builder.line_end(index + lines - 1))
    return index + lines


def _dense(builder: Builder, dense: DenseLines, index: int, bare: str) -> int:
    """Find headings, ends of paragraphs and rows of tables in a text without blank lines."""
    listed = builder.outline.role == "references"
    lines = dense.heading_at(index, bare, listed=builder.outline.references_seen)
    if lines:
        builder.flush(index)
        builder.add_heading(builder.starts[index], builder.line_end(index + lines - 1))
        return index + lines
    if builder.first < 0 and listed and heads_what_follows(bare):
        dense.begin_appendix(bare)
        builder.add_heading(builder.starts[index], builder.line_end(index))
        return index + 1
    if listed:
        return index
    if dense.is_row(bare):
        builder.flush(index)
        builder.add("table", builder.starts[index], builder.line_end(index))
        return index + 1
    if builder.first < 0:
        return index
    caption = CAPTION.match(builder.lines[builder.first].strip()) is not None
    if dense.ends_caption(index) if caption else dense.ends_paragraph(index, bare):
        builder.flush(index)
    return index


def parse_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of ``text`` in order; they do not overlap and none is empty or blank.

    The time taken grows with the length of the text, whatever the text is.
    """
    builder = Builder(text)
    lines, count = builder.lines, len(builder.lines)
    index = _front_matter(builder)
    special, dense, tight = _HANDLERS, builder.dense, builder.tight
    while index < count:
        bare = lines[index].strip()
        if not bare:
            if builder.first >= 0:
                builder.flush(index)
            index += 1
            continue
        if lines[index][0] in " \t" and builder.first < 0 and bare[0] not in _MARKUP:
            following = builder.indented_code(index)
            if following > index:
                builder.add("code", builder.starts[index], builder.line_end(following - 1))
                index = following
                continue
        if dense is not None:
            following = _dense(builder, dense, index, bare)
            if following > index:
                index = following
                continue
        elif tight is not None and builder.first < 0 and lines[index + 1 : index + 2] > [""]:
            following = _tight(builder, tight, index, bare)
            if following > index:
                index = following
                continue
        handler = special.get(bare[0])
        if handler is not None:
            following = handler(builder, index, bare)
            if following > index:
                index = following
                continue
        elif len(bare) < 64 or bare[0] in "FT":
            following = _letters(builder, index, bare)
            if following > index:
                index = following
                continue
        if builder.first < 0:
            builder.open_paragraph(index)
        index += 1
    builder.flush(count)
    builder.name_front()
    builder.name_list()
    return tuple(
        Block(row.kind, row.start, row.end, row.section, row.role, row.level)
        for row in builder.rows
    )
