"""PDF: the scan of one file, all of whose pages are drawn; runs in a process apart."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit.documents.pdf_lines import lines_of_pages
from revkit.documents.pdf_text import text_of_pages
from revkit.documents.pdf_words import Word, read_words
from revkit.documents.worker import Refused, open_document
from revkit.papers import Box, HiddenText, find_hidden_text, shorten
from revkit.papers.orders import addresses_reviewer
from revkit.scan.beside import Body
from revkit.scan.channels import (
    find_in_channels,
    new_words,
    reason_of,
    replacements_of,
)
from revkit.scan.ink import Inks, Picture, draw_alone, read_inks
from revkit.scan.pages import box_of, find_on_page
from revkit.scan.results import Gap
from revkit.scan.shapes import find_by_shape
from revkit.scan.signs import (
    Marks,
    Sign,
    has_text_without_width,
    objects_of,
    read_signs,
    replacement_key,
    replacement_texts,
)

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader
    from pypdfium2 import PdfDocument, PdfPage

BESIDE = 0
"""The place of what is beside the pages, which are counted from 1."""
_MEMORY = "needs more memory than max-megabytes"
_MOST_PICTURES = 40
_MOST_PALE_WORDS = 12
_FEWEST_LETTERS = 12
_FEWEST_WORDS = 4
_MARGIN = 6.0
_COMMAND = re.compile(r"\\[A-Za-z]+")


def scan_file(
    path: Path,
    *,
    pages: int,
    authors: bool,
    pictures: bool,
    without: Mapping[int, str] | None = None,
    state_place: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Return findings, visible text, title, notes, the count of pages and the parts that cannot be
    scanned ("gaps") of the PDF at ``path``.

    With ``pictures`` each finding with a box has the drawn part of its page, as a PNG in base64.
    ``without`` names pages that are not scanned, each with the reason; `BESIDE` is what is beside
    the pages. ``state_place`` is called with each of these places before it is read.
    Raises `Refused` with the reason where the file cannot be scanned as a whole.
    """
    document = open_document(path)
    try:
        count = len(document)
        if not count:
            raise Refused("damaged: it has no pages")
        if count > pages:
            raise Refused(f"{count:,} pages, more than max-pages ({pages})")
        scan = _Scan(path, document, authors=authors, pictures=pictures)
        return scan.result(without or {}, state_place)
    finally:
        document.close()


class _OtherPages(Exception):
    """pypdf reads another number of pages than PDFium, so pages cannot be compared."""


class _Scan:
    def __init__(self, path: Path, document: PdfDocument, *, authors: bool, pictures: bool) -> None:
        self.path = path
        self.document = document
        self.authors = authors
        self.pictures = pictures
        self.findings: list[HiddenText] = []
        self.drawn: list[str] = []
        self.pale: list[tuple[HiddenText, str]] = []
        self.pale_words = ""
        self.read: list[tuple[list[Word], float, float]] = []
        self.texts: list[str] = []
        self.notes: list[str] = []
        self.gaps: list[Gap] = []
        self.scanned = 0
        self._other: PdfReader | None = None

    def result(
        self, without: Mapping[int, str], state_place: Callable[[int], None]
    ) -> dict[str, Any]:
        count = len(self.document)
        for number in range(1, count + 1):
            if number in without:
                self.gaps.append(Gap(number, "page", without[number]))
                continue
            state_place(number)
            try:
                self._numbered(number)
            except MemoryError:
                self.gaps.append(Gap(number, "page", _MEMORY))
            except Exception as error:  # both libraries raise errors of many kinds
                self.gaps.append(Gap(number, "page", reason_of(error)))
        if not self.scanned:
            raise Refused(f"no page of it can be scanned; page 1: {self.gaps[0].reason}")
        self._weigh_pale()
        if BESIDE in without:
            self.gaps.append(Gap(None, "text beside the pages", without[BESIDE]))
        else:
            state_place(BESIDE)
            self._beside(count)
        text, title = "", ""
        if any(words for words, _, _ in self.read):
            result = text_of_pages(lines_of_pages(self.read), authors=self.authors)
            text, title = result.text, result.title
        if not text.strip():
            self.notes.append("it has no text that a reader sees: its pages are pictures, or empty")
        return {
            "count": count,
            "findings": [each.to_json() for each in self.findings],
            "pictures": self.drawn,
            "text": text,
            "title": title,
            "notes": list(dict.fromkeys(self.notes)),
            "gaps": [each.to_json() for each in self.gaps],
        }

    def _numbered(self, number: int) -> None:
        page = self.document[number - 1]
        try:
            self._page(number, page)
        finally:
            page.close()

    def _beside(self, count: int) -> None:
        """Find text beside the pages."""
        try:
            judged, gaps = find_in_channels(self._pypdf, Body("\n".join(self.texts)))
            self._report(judged.findings)
            self.notes += judged.notes
            self.gaps += gaps
            self._other_page(count)
        except MemoryError:
            self.gaps.append(Gap(None, "text beside the pages", _MEMORY))
        except _OtherPages as error:
            self.gaps.append(Gap(None, "page tree", str(error)))
        except Exception as error:
            self.gaps.append(Gap(None, "text beside the pages", reason_of(error)))

    @property
    def _pypdf(self) -> PdfReader:
        from pypdf import PdfReader

        if self._other is None:
            self._other = PdfReader(self.path)
            if self._other.is_encrypted:
                self._other.decrypt("")
        return self._other

    def _other_page(self, number: int) -> PageObject:
        """Page ``number`` (from 1) as pypdf reads it."""
        pages, count = self._pypdf.pages, len(self.document)
        if len(pages) != count:
            raise _OtherPages(f"PDFium reads {count} pages, pypdf {len(pages)}")
        return pages[number - 1]

    def _page(self, number: int, page: PdfPage) -> None:
        textpage = page.get_textpage()
        try:
            text = textpage.get_text_range(errors="replace")
            objects, marks = objects_of(page), Marks()
            signs = read_signs(textpage, marks)
            plain = [sign for sign in signs if not sign.style.replacement]
            shapes = find_by_shape(number, page, plain)
            words, width, height = read_words(page)
            keys = replacement_texts(objects.texts, marks)
            replaced, replaced_signs = self._replacements(number, keys, signs)
            narrow = self._without_width(number, objects.texts, text)
            share = objects.image_share
            inks = read_inks(page, objects.texts)
            found = find_on_page(
                number,
                signs,
                inks,
                page.get_cropbox(),
                picture=share,
                draw_alone=lambda: draw_alone(page, inks.drawn),
            )
        finally:
            textpage.close()
        hidden = set(found.hidden) | replaced_signs
        for each in shapes:
            hidden |= {sign.index for sign in signs if each.box and _is_in(sign, each.box)}
        if share > 0.5 and sum(s.style.mode == 3 for s in signs) > 0.5 * max(1, len(signs)):
            self.notes.append("scanned: a text layer over pictures cannot be compared with them")
        # Last, so that a page that cannot be scanned to its end leaves nothing behind.
        self.texts.append(text)
        self._report([*found.findings, *shapes, *replaced, *narrow], inks)
        self.pale += [(each, self._picture(each, inks)) for each in found.pale]
        self.pale_words += f" {found.pale_words}"
        self.scanned += 1
        for what, missing in (("objects", objects.missing), ("marks", marks.missing)):
            if missing:
                self.gaps.append(Gap(number, what, missing))
        if 0 < width < inf and 0 < height < inf:
            self.read.append((_seen(words, hidden), width, height))
        else:
            self.gaps.append(Gap(number, "visible text", "the page has no size"))

    def _report(self, findings: Sequence[HiddenText], inks: Inks | None = None) -> None:
        for each in findings:
            self.findings.append(each)
            self.drawn.append(self._picture(each, inks))

    def _picture(self, finding: HiddenText, inks: Inks | None) -> str:
        if not self.pictures or inks is None or finding.box is None or finding.kind == "off-page":
            return ""
        drawn = [*self.drawn, *(picture for _, picture in self.pale)]
        return _crop(inks, finding.box) if sum(map(bool, drawn)) < _MOST_PICTURES else ""

    def _weigh_pale(self) -> None:
        """Take large pale letters for a watermark, unless all their words are many or an order."""
        if not self.pale:
            return
        words = {word.casefold() for word in self.pale_words.split()}
        if len(words) > _MOST_PALE_WORDS or addresses_reviewer(self.pale_words):
            self.findings += [each for each, _ in self.pale]
            self.drawn += [picture for _, picture in self.pale]
            return
        first = self.pale[0][0]
        says = (
            f'large pale letters, such as a watermark, first on page {first.page}: "{first.says}"'
        )
        self.notes.append(f"to be read by a person: {says}")

    def _replacements(
        self, number: int, keys: Sequence[str], signs: Sequence[Sign]
    ) -> tuple[list[HiddenText], set[int]]:
        """Replacement texts that the page does not show, by what pypdf, which ignores them,
        returns of the page."""
        findings: list[HiddenText] = []
        hidden: set[int] = set()
        if sum(map(len, keys)) < _FEWEST_LETTERS:
            return findings, hidden
        other = self._other_page(number)
        texts = {replacement_key(text): text for text in replacements_of(self._pypdf, number - 1)}
        shown = other.extract_text()
        for key in keys:
            text = texts.get(key, key)
            found = _differing(text, shown)
            if found is not None:
                part = [sign for sign in signs if sign.style.replacement == key]
                hidden |= {sign.index for sign in part}
                box = box_of(part) if part else None
                findings.append(replace(found, page=number, box=box))
        return findings, hidden

    def _without_width(self, number: int, things: Sequence[Any], text: str) -> list[HiddenText]:
        if not has_text_without_width(things):
            return []
        other = self._other_page(number).extract_text()
        lines = [line for line in other.splitlines() if new_words(line, text)]
        says = " ".join(lines)
        if sum(map(str.isalnum, says)) < _FEWEST_LETTERS:
            return []
        evidence = "pypdf returns it, PDFium does not"
        return [HiddenText("no-width", None, None, None, shorten(says), number, None, evidence)]


def _differing(text: str, shown: str) -> HiddenText | None:
    """The finding that a replacement text is, where the page does not show its words."""
    evidence = "a replacement text whose words the page does not show"
    for place in find_hidden_text(text):
        if place.kind == "tag-characters":
            return HiddenText("tag-characters", None, None, None, place.says, evidence=evidence)
    plain = _COMMAND.sub(" ", text)
    if len(new_words(plain, shown)) < _FEWEST_WORDS:
        return None
    return HiddenText("actual-text", None, None, None, shorten(text), evidence=evidence)


def _is_in(sign: Sign, box: Box) -> bool:
    x, y = (sign.box[0] + sign.box[2]) / 2, (sign.box[1] + sign.box[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _seen(words: Sequence[Word], hidden: set[int]) -> list[Word]:
    """The words of which a reader sees at least half of the letters."""
    seen = []
    for word in words:
        letters = word.signs
        if 2 * sum(index in hidden for index in letters) < max(1, len(letters)):
            word.hidden = None
            seen.append(word)
    return seen


def _crop(inks: Inks, box: Box) -> str:
    grown = (box[0] - _MARGIN, box[1] - _MARGIN, box[2] + _MARGIN, box[3] + _MARGIN)
    left, top, right, bottom = inks.pixels(grown)
    part = inks.drawn[top:bottom, left:right]
    return base64.b64encode(png(part)).decode("ascii") if part.size else ""


def png(picture: Picture) -> bytes:
    """``picture`` as a PNG file."""
    height, width = picture.shape[:2]
    rows = b"".join(b"\0" + picture[row].tobytes() for row in range(height))

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 6))
        + chunk(b"IEND", b"")
    )
