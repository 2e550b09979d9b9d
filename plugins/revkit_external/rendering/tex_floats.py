"""Tables with captions, and reference lists, in the usual form of TeX documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser

from revkit.dataclass import dataclass
from revkit.model.sections import own_role, read_title
from revkit_external.rendering.elements import Element, Run, Runs, elements, plain

CAPTION = re.compile(r"Tab(?:le|\.)\s+(?P<number>[A-Z]?\d{1,3})\s?[.:|–-]\s?", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:\[(?P<bracket>[^\[\]]{1,40})\]|(?P<number>\d{1,3})[.)])\s+")
_LONGESTCAPTION = 2_000
_MOST_CELLS = 20_000


@dataclass(frozen=True)
class Float:
    """A table with the runs of its caption (none: no caption) and the number in the caption."""

    table: Element
    caption: Runs = ()
    number: str = ""


@dataclass(frozen=True)
class ReferenceList:
    """The entries of a reference list, each with its label as written ("" if it has none)."""

    title: Runs
    entries: tuple[tuple[str, Runs], ...]


Part = Element | Float | ReferenceList


def arranged(parts: Sequence[Element]) -> list[Part]:
    """Return ``parts`` with tables joined to their captions, and each reference list as one
    part.
    """
    found: list[Part] = []
    index = 0
    while index < len(parts):
        part = parts[index]
        if part.kind == "heading":
            end, listed = _reference_list(parts, index)
            if listed is not None:
                found.append(listed)
                index = end
                continue
        table = _table(part)
        if table is not None:
            before = found[-1] if found and isinstance(found[-1], Element) else None
            after = parts[index + 1] if index + 1 < len(parts) else None
            if before is not None and _is_caption(before):
                found[-1] = _float(table, before)
            elif after is not None and _is_caption(after):
                found.append(_float(table, after))
                index += 1
            else:
                found.append(Float(table))
        else:
            found.append(part)
        index += 1
    return found


def _is_caption(part: Element) -> bool:
    text = part.text
    return (
        part.kind == "paragraph"
        and len(text) < _LONGESTCAPTION
        and CAPTION.match(text.lstrip()) is not None
    )


def _float(table: Element, caption: Element) -> Float:
    match = CAPTION.match(caption.text.lstrip())
    assert match is not None
    return Float(table, caption.runs, match["number"])


def _table(part: Element) -> Element | None:
    """Return a table from Markdown, or from a separate block of HTML."""
    if part.kind == "table":
        return part
    text = part.text.strip()
    if part.kind not in ("paragraph", "code") or not text.startswith("<table"):
        return None
    if not text.endswith("</table>") or text.count("<table") != 1:
        return None
    reader = _Cells()
    reader.feed(text)
    rows = tuple(tuple(map(_inline, row)) for row in reader.rows if row)
    return Element("table", rows=rows) if rows else None


def _inline(text: str) -> Runs:
    parts = elements(text)
    return parts[0].runs if len(parts) == 1 and parts[0].kind == "paragraph" else _plain(text)


def _plain(text: str) -> Runs:
    return (Run(text),) if text else ()


class _Cells(HTMLParser):
    """The cells of one HTML table, row by row; the further columns of a wide cell are empty."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._open = False
        self._count = self._place = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self._count < _MOST_CELLS:
            if not self.rows:
                self.rows.append([])
            span = dict(attrs).get("colspan") or "1"
            empty = min(int(span), 50) - 1 if span.isdecimal() else 0
            self.rows[-1] += ["", *[""] * empty]
            self._place = len(self.rows[-1]) - 1 - empty
            self._count += 1 + empty
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            row = self.rows[-1]
            row[self._place] = f"{row[self._place]} {' '.join(data.split())}".strip()
        elif data.strip() and self.rows:
            self.rows.append([" ".join(data.split())])


def _reference_list(parts: Sequence[Element], index: int) -> tuple[int, ReferenceList | None]:
    """Return the reference list under the heading at ``index``, and its end."""
    heading = parts[index]
    if own_role(read_title(heading.text).name) != "references":
        return index, None
    end = index + 1
    while end < len(parts) and parts[end].kind in ("paragraph", "item"):
        end += 1
    closed = end == len(parts) or parts[end].kind == "heading"
    if end == index + 1 or not closed:
        return index, None
    entries: list[tuple[str, Runs]] = []
    for part in parts[index + 1 : end]:
        if part.kind == "item" and not part.marker and entries:
            label, runs = entries[-1]
            entries[-1] = label, (*runs, *_plain(" "), *part.runs)
            continue
        marker = part.marker.rstrip(".") if part.kind == "item" and part.marker != "\u2022" else ""
        entries.append(_labelled(part, marker))
    return end, ReferenceList(heading.runs, tuple(entries))


def _labelled(part: Element, marker: str) -> tuple[str, Runs]:
    match = _LABEL.match(plain(part.runs[:1])) if part.runs and not marker else None
    if match is None:
        return marker, part.runs
    first = replace(part.runs[0], text=part.runs[0].text[match.end() :])
    return match["bracket"] or match["number"], (first, *part.runs[1:])


def counts_itself(entries: Sequence[tuple[str, Runs]]) -> bool:
    """Return whether TeX would generate the labels of the entries by itself: 1, 2, 3, or none."""
    return all(label in ("", str(number)) for number, (label, _) in enumerate(entries, 1))
