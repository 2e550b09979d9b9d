"""Article text: the Markdown of a paper, from parts that another program distinguished."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

_DEEPEST = 6
_APART = ("p", "title", "label", "head", "item", "list-item", "td", "th", "cell")
_ITEM = re.compile(r"(?:-|\d{1,4}\.) ")
_MARKUP = ("#", ">", "|", "```", "~~~", "$$")


def one_line(text: str) -> str:
    """``text`` on one line."""
    return " ".join(text.split())


def local_name(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def text_in(element: Element | None) -> str:
    """All characters of an element, on one line; "" for None."""
    return "" if element is None else one_line("".join(_pieces(element)))


def _pieces(element: Element) -> Iterator[str]:
    """The characters of an element, with a blank around each paragraph within it."""
    yield element.text or ""
    for each in element:
        gap = " " if local_name(each) in _APART else ""
        yield gap
        yield from _pieces(each)
        yield gap + (each.tail or "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first element along ``path``, by names without a namespace."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if local_name(each) == name), None)
    return element


def children(element: Element | None, name: str) -> list[Element]:
    """The elements directly within ``element`` of that name without a namespace."""
    return [] if element is None else [each for each in element if local_name(each) == name]


class ArticleText:
    """Collects the parts of one paper in reading order; ``text`` is its Markdown.

    Headings have a level from 1 below the title. What is a figure, a footnote, a formula or a
    table is marked as such, so that no part is edited as prose.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []

    @property
    def text(self) -> str:
        """The text, with an end of line; "" where there is no part."""
        return "\n\n".join(self.parts) + "\n" if self.parts else ""

    def title(self, title: str) -> None:
        """Add the title; nothing for an empty one."""
        if one_line(title):
            self.parts.append(f"# {one_line(title)}")

    def heading(self, text: str, level: int = 1) -> None:
        """Add a heading of a section at ``level``, from 1; deeper levels than Markdown has are its
        deepest.
        """
        if one_line(text):
            self.parts.append(f"{'#' * min(_DEEPEST, level + 1)} {one_line(text)}")

    def paragraph(self, text: str) -> None:
        """Add prose; a sign that would make it another block is escaped."""
        line = one_line(text)
        if line:
            self.parts.append(f"\\{line}" if line.startswith(_MARKUP) else line)

    def item(self, text: str, mark: str = "-") -> None:
        """Add an item of a list; items after one another are one list."""
        if not one_line(text):
            return
        item = f"{mark} {one_line(text)}"
        if self.parts and _ITEM.match(self.parts[-1].rsplit("\n", 1)[-1]):
            self.parts[-1] += f"\n{item}"
        else:
            self.parts.append(item)

    def formula(self, text: str, label: str = "") -> None:
        """Add a displayed formula in TeX, with its number where it has one."""
        line = one_line(text).strip("$")
        if line:
            tag = f"\n\\tag{{{label.strip('() ')}}}" if label.strip("() ") else ""
            self.parts.append(f"$$\n{line}{tag}\n$$")

    def caption(self, kind: str, label: str, text: str) -> None:
        """Add the caption of a figure or table, which begins with its kind and label."""
        bare = one_line(label).removeprefix(kind).strip(" .:")
        rest = one_line(text)
        opening = f"{kind} {bare}" if bare else kind
        if rest.casefold().startswith(opening.casefold()):
            self.parts.append(rest)
        elif bare or rest:
            self.parts.append(f"{opening}: {rest}" if rest else f"{opening}.")

    def footnote(self, mark: str, text: str) -> None:
        """Add a footnote as a quotation that begins with ``mark``."""
        if one_line(text):
            self.parts.append(f"> {one_line(f'{mark} {text}')}")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Add a table; its first row is the head, shorter rows are filled up."""
        width = max((len(row) for row in rows), default=0)
        if not width:
            return
        lines = [
            "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in row) + " |"
            for row in ([*row, *[""] * (width - len(row))] for row in rows)
        ]
        self.parts.append("\n".join([lines[0], "|" + " --- |" * width, *lines[1:]]))

    def references(self, entries: Sequence[str], *, numbered: bool) -> None:
        """Add the reference list, a paragraph each, with labels "[1]" where it is numbered."""
        lines = [one_line(entry) for entry in entries]
        if not any(lines):
            return
        self.heading("References")
        for number, line in enumerate(lines, 1):
            if line:
                self.parts.append(f"[{number}] {line}" if numbered else line)


def entry_text(
    authors: Sequence[str], title: str, venue: str, year: str, details: Sequence[str] = ()
) -> str:
    """One entry of a reference list from its parts, as "Authors. Title. Venue, details, year."."""
    names = ", ".join(authors[:-1])
    names = f"{names} and {authors[-1]}" if names else "".join(authors)
    place = ", ".join(filter(None, (venue, *details, year)))
    parts = (one_line(part).rstrip(". ") for part in (names, title, place))
    return "".join(f"{part}. " for part in parts if part).strip()
