"""Parse a paper's Markdown into a short list of elements, which each writer converts to its
format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from revkit.dataclass import dataclass


@dataclass(frozen=True)
class Run:
    """Text in one style. ``style`` is "", "code", "math" (TeX without its dollars), or "soft" for
    the blank that replaces a line break of the source.
    """

    text: str
    bold: bool = False
    italic: bool = False
    style: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Element:
    """One block.

    ``kind`` is heading, paragraph, quote, item, code, math or table. ``level`` is a heading's, or
    how deep an item or quote is nested (from 1); ``marker`` an item's ("" for a further paragraph
    of it); ``rows`` a table's cells, of which the first row is the head.
    """

    kind: str
    runs: Runs = ()
    level: int = 0
    marker: str = ""
    rows: tuple[tuple[Runs, ...], ...] = ()

    @property
    def text(self) -> str:
        """The characters, without style."""
        return plain(self.runs)


def plain(runs: Sequence[Run]) -> str:
    """Return the characters of ``runs``; mathematics is written between dollars."""
    return "".join(f"${run.text}$" if run.style == "math" else run.text for run in runs)


def elements(text: str) -> list[Element]:
    """Parse Markdown with tables and dollar mathematics. HTML remains visible text."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    return _Builder(parser.parse(text)).elements


class _Builder:
    def __init__(self, tokens: Sequence[Any]) -> None:
        self.elements: list[Element] = []
        self._lists: list[tuple[str, int]] = []
        self._quotes = 0
        self._marker = ""
        self._rows: list[tuple[Runs, ...]] = []
        self._cells: list[Runs] = []
        self._kind = ""
        self._level = 0
        for token in tokens:
            self._take(token)

    def _take(self, token: Any) -> None:
        kind = token.type
        if kind == "heading_open":
            self._kind, self._level = "heading", int(token.tag[1])
        elif kind == "heading_close":
            self._kind = ""
        elif kind in ("bullet_list_open", "ordered_list_open"):
            first = int(token.attrGet("start") or 1) if kind.startswith("ordered") else 0
            self._lists.append((kind, first))
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif kind == "list_item_open":
            self._marker = self._next_marker()
        elif kind in ("blockquote_open", "blockquote_close"):
            self._quotes += 1 if kind.endswith("open") else -1
        elif kind == "table_open":
            self._rows = []
        elif kind == "table_close":
            self.elements.append(Element("table", rows=tuple(self._rows)))
        elif kind == "tr_open":
            self._cells = []
        elif kind == "tr_close":
            self._rows.append(tuple(self._cells))
        elif kind in ("th_open", "td_open"):
            self._kind = "cell"
        elif kind in ("th_close", "td_close"):
            self._kind = ""
        elif kind == "inline":
            self._inline(_runs(token.children or ()))
        elif kind in ("fence", "code_block", "html_block"):
            self.elements.append(Element("code", (Run(token.content.rstrip("\n")),)))
        elif kind.startswith("math_block"):
            self.elements.append(Element("math", (Run(token.content.strip(), style="math"),)))

    def _next_marker(self) -> str:
        kind, number = self._lists[-1]
        if kind == "bullet_list_open":
            return "\u2022"
        self._lists[-1] = (kind, number + 1)
        return f"{number}."

    def _inline(self, runs: Runs) -> None:
        if self._kind == "cell":
            self._cells.append(runs)
        elif self._kind == "heading":
            self.elements.append(Element("heading", runs, self._level))
        elif self._lists:
            self.elements.append(Element("item", runs, len(self._lists), self._marker))
            self._marker = ""
        elif self._quotes:
            self.elements.append(Element("quote", runs, self._quotes))
        else:
            self.elements.append(Element("paragraph", runs))


def _runs(children: Sequence[Any]) -> Runs:
    runs: list[Run] = []
    style = Run("")
    links: list[str] = []
    for child in children:
        kind = child.type
        if kind in ("strong_open", "strong_close"):
            style = replace(style, bold=kind.endswith("open"))
        elif kind in ("em_open", "em_close"):
            style = replace(style, italic=kind.endswith("open"))
        elif kind == "link_open":
            links.append(str(child.attrGet("href") or ""))
        elif kind == "link_close":
            address = links.pop() if links else ""
            if address and not (
                runs and runs[-1].text in (address, address.removeprefix("mailto:"))
            ):
                runs.append(replace(style, text=f" ({address})"))
        elif kind == "image":
            runs.append(replace(style, text=f"[image: {child.content}]"))
        elif kind in ("softbreak", "hardbreak"):
            soft = kind == "softbreak"
            runs.append(Run(" ", style="soft") if soft else Run("\n"))
        elif kind == "code_inline":
            runs.append(replace(style, text=child.content, style="code"))
        elif kind.startswith("math"):
            runs.append(replace(style, text=re.sub(r"\s+", " ", child.content), style="math"))
        elif child.content:
            runs.append(replace(style, text=child.content))
    return tuple(runs)
