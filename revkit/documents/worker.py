"""The process that reads PDF files: it receives a line of JSON and answers with a line of JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from revkit.documents.pdf_lines import join_words, lines_of_pages
from revkit.documents.pdf_text import text_of_pages
from revkit.documents.pdf_words import Concealment, Word, read_words
from revkit.documents.process import PLACE
from revkit.errors import describe_error

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MOST_WORDS = 1_000_000
_FEWEST_LETTERS = 20
_LETTERS_A_PAGE = 15
_UNKNOWN_SHARE = 0.2
_SAYS = 160
_IMAGE = 3
_PASSWORD = 4
_KINDS: dict[Concealment, str] = {
    "transparent": "transparent text",
    "invisible": "text that is not painted",
    "white": "text in the colour of the page",
    "tiny": "tiny text",
    "off-page": "text outside the page",
    "clipped": "clipped text",
    "covered": "text under a shape or picture",
}
_Page = tuple[list[Word], float, float]


Answer = Callable[[Mapping[str, Any]], dict[str, Any]]
"""Reads the file that a question names."""


class Refused(Exception):
    """A file that is not read, with the reason."""


def read_document(
    path: Path, *, pages: int, authors: bool = False, hidden: bool = False
) -> dict[str, Any]:
    """Return text, title and notes of the PDF at ``path``. Raises `Refused`."""
    document = open_document(path)
    try:
        return _read(document, pages, authors=authors, hidden=hidden)
    finally:
        document.close()


def open_document(path: Path) -> PdfDocument:
    """Open the PDF at ``path``. Raises `Refused` where it is encrypted or damaged."""
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == _PASSWORD or "password" in str(error).lower():
            raise Refused("encrypted: it opens with a password only") from None
        raise Refused("damaged: no page of it can be read") from None


def _read(document: PdfDocument, most: int, *, authors: bool, hidden: bool) -> dict[str, Any]:
    count = len(document)
    if not count:
        raise Refused("damaged: it has no pages")
    if count > most:
        raise Refused(f"{count:,} pages, more than max-pages ({most})")
    notes: list[str] = []
    pages = list(_pages(document, notes))
    pictures = _has_pictures(document)
    notes += _use_text_layer(pages, pictures=pictures)
    _check_text(pages, pictures=pictures)
    found = _hidden_notes(pages)
    notes += found
    seen = [([w for w in words if hidden or not w.hidden], x, y) for words, x, y in pages]
    result = text_of_pages(lines_of_pages(seen), authors=authors)
    if not result.text.strip():
        raise Refused("no text that a reader sees")
    if result.figure_words:
        notes.append(f"{result.figure_words} words in figures were left out")
    if result.authors and not authors:
        notes.append("names between title and abstract were left out")
    return {"text": result.text, "title": result.title, "notes": notes, "hidden": found}


def _pages(document: PdfDocument, notes: list[str]) -> list[_Page]:
    import pypdfium2

    pages: list[_Page] = []
    total = 0
    broken = []
    for number in range(len(document)):
        try:
            page = document[number]
            words, width, height = read_words(page)
            page.close()
        except pypdfium2.PdfiumError:
            broken.append(number + 1)
            continue
        if not (0 < width < inf and 0 < height < inf):
            broken.append(number + 1)
            continue
        pages.append((words, width, height))
        total += len(pages[-1][0])
        if total > _MOST_WORDS:
            raise Refused(f"more than {_MOST_WORDS:,} words")
    if not pages:
        raise Refused("damaged: no page of it can be read")
    if broken:
        notes.append(f"damaged: {len(broken)} pages cannot be read, first page {broken[0]}")
    return pages


def _letters(pages: list[_Page], *, hidden: bool | None = None) -> int:
    return sum(
        sum(map(str.isalpha, word.text))
        for words, _, _ in pages
        for word in words
        if hidden is None or (word.hidden == "invisible") == hidden
    )


def _has_pictures(document: PdfDocument) -> bool:
    import pypdfium2
    import pypdfium2.raw as raw

    for number in range(min(3, len(document))):
        try:
            page = document[number]
        except pypdfium2.PdfiumError:  # it is among the pages that cannot be read
            continue
        try:
            count = min(raw.FPDFPage_CountObjects(page.raw), 200)
            things = (raw.FPDFPage_GetObject(page.raw, place) for place in range(count))
            if any(raw.FPDFPageObj_GetType(thing) == _IMAGE for thing in things):
                return True
        finally:
            page.close()
    return False


def _use_text_layer(pages: list[_Page], *, pictures: bool) -> list[str]:
    """A scan with text that a program recognised: this text is not painted, and not hidden."""
    unpainted = _letters(pages, hidden=True)
    if not pictures or unpainted < 200 or _letters(pages, hidden=False) > 0.1 * unpainted:
        return []
    for words, _, _ in pages:
        for word in words:
            if word.hidden == "invisible":
                word.hidden = None
    return ["scanned: the text is what a program recognised in the pictures"]


def _check_text(pages: list[_Page], *, pictures: bool) -> None:
    letters = _letters(pages)
    if pictures and letters < _LETTERS_A_PAGE * len(pages):
        raise Refused("scanned: its pages are pictures without text")
    if letters < _FEWEST_LETTERS:
        raise Refused("no text")
    signs = sum(len(word.text) for words, _, _ in pages for word in words)
    unknown = sum(word.text.count("\ufffd") for words, _, _ in pages for word in words)
    if unknown > _UNKNOWN_SHARE * signs:
        raise Refused("its fonts do not say which characters they show")


def _hidden_notes(pages: list[_Page]) -> list[str]:
    found: dict[Concealment, tuple[int, list[Word]]] = {}
    counts: Counter[Concealment] = Counter()
    for number, (words, _, _) in enumerate(pages, 1):
        for word in words:
            if word.hidden and any(map(str.isalpha, word.text)):
                counts[word.hidden] += 1
                page, said = found.setdefault(word.hidden, (number, []))
                if page == number and len(said) < 40:
                    said.append(word)
    notes = []
    for kind in get_args(Concealment):
        if counts[kind]:
            page, said = found[kind]
            says = join_words(said)
            says = says if len(says) <= _SAYS else says[: _SAYS - 1] + "…"
            what = "1 word" if counts[kind] == 1 else f"{counts[kind]} words"
            notes.append(f'hidden text: {_KINDS[kind]}, {what}, first on page {page}, "{says}"')
    return notes


def _limit_memory(megabytes: int) -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _answer(question: Mapping[str, Any]) -> dict[str, Any]:
    return read_document(
        Path(str(question["path"])),
        pages=int(question["pages"]),
        authors=bool(question["authors"]),
        hidden=bool(question["hidden"]),
    )


def _guarded(answer: Answer, question: Mapping[str, Any]) -> dict[str, Any]:
    _limit_memory(int(question["megabytes"]))
    try:
        return answer(question)
    except Refused as error:
        return {"reason": str(error)}
    except MemoryError:
        return {"reason": f"needs more memory than max-megabytes ({question['megabytes']})"}
    except Exception as error:  # any other failure is that of this file
        return {"reason": f"damaged: {describe_error(error)}"}


def state_place(place: int) -> None:
    """State the place that is read next, so that it is known where the process ended."""
    sys.stdout.write(f"{PLACE}{place}\n")
    sys.stdout.flush()


def serve(answer: Answer) -> None:
    """Say that it is ready, then answer each line of the input until it ends.

    A file that cannot be read is an answer with its ``reason``.
    """
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        text = json.dumps(_guarded(answer, json.loads(line)))
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(_answer)
