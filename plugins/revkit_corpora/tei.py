"""TEI: papers as GROBID writes them, with an optional table of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import Element

from revkit.dataclass import dataclass
from revkit.documents import parse_xml
from revkit.files import CorpusFile, Unreadable, read_bytes
from revkit.model.paper import Paper, Skipped
from revkit.venues import clean
from revkit_corpora.article_text import (
    ArticleText,
    child,
    children,
    entry_text,
    local_name,
    one_line,
    text_in,
)
from revkit_corpora.markdown import Markdown

_ENDINGS = (".tei.xml", ".tei", ".xml")
_NUMBER = re.compile(r"[\[(]?\d{1,3}(?!\d)")
_DEPTH = re.compile(r"[0-9A-Z]+(?:\.[0-9]+)*\.?\Z")


@dataclass(frozen=True)
class Tei(Markdown):
    """A folder of TEI files (``.xml``, ``.tei``), or one file, a paper each, as GROBID writes them.

    Title, abstract, sections with their numbers, formulas, tables, captions, footnotes,
    acknowledgements, annexes and the reference list are read; names and addresses are not, so that
    a run is blind. Citation marks stay as they were printed. The list is numbered where the marks
    are numbers. An entry is its raw text where GROBID kept it, else its parts. Ids and labels are
    as in `markdown`; ``.tei`` and ``.grobid.tei`` are not part of an id.

    A file is skipped, with its reason, if it is not XML or not TEI, declares entities, or is nested
    deeper or larger than any paper. No file of GROBID was at hand: the reader follows its
    documentation.
    """

    name: ClassVar[str] = "tei"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = _ENDINGS

    def id_of(self, found: CorpusFile) -> str:
        return super().id_of(found).removesuffix(".tei").removesuffix(".grobid")

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        yield from self.read_with(self._read_tei)

    def _read_tei(self, path: Path) -> tuple[str, tuple[str, ...]]:
        root = parse_xml(read_bytes(path, self.max_bytes), path.name, doctype=True)
        if local_name(root) != "TEI":
            raise Unreadable(f"no TEI: its root is {one_line(local_name(root))[:40]!r}")
        text, notes = _text_of(root)
        cleaned, repairs = clean(text)
        return self.scanned("text.md", cleaned, (*notes, *repairs))

    def _sources(self) -> list[CorpusFile]:
        return []


def _text_of(root: Element) -> tuple[str, tuple[str, ...]]:
    out = ArticleText()
    header = child(root, "teiHeader")
    out.title(text_in(child(header, "fileDesc", "titleStmt", "title")))
    abstract = child(header, "profileDesc", "abstract")
    if text_in(abstract):
        out.heading("Abstract")
        _blocks(abstract, out, heads=False)
    text = child(root, "text")
    _blocks(child(text, "body"), out)
    numbered = _is_numbered(text)
    later: list[Element] = []
    works: list[str] = []
    for part in children(child(text, "back"), "div"):
        if part.get("type") == "references":
            works += [_entry(each) for each in part.iter() if local_name(each) == "biblStruct"]
        elif part.get("type") == "annex":
            later.append(part)
        else:
            _blocks(part, out)
    out.references(works, numbered=numbered)
    for part in later:
        _blocks(part, out)
    notes = () if text is not None else ("the TEI has no text: header only",)
    return out.text, notes


def _blocks(parent: Element | None, out: ArticleText, *, heads: bool = True) -> None:
    for each in () if parent is None else parent:
        match local_name(each):
            case "div":
                _blocks(each, out, heads=heads)
            case "head" if heads:
                number = one_line(each.get("n") or "")
                out.heading(f"{number} {text_in(each)}", _level(number))
            case "p" | "ab" | "s":
                _paragraph(each, out)
            case "formula":
                _formula(each, out)
            case "figure":
                _figure(each, out)
            case "note" if each.get("place") in ("foot", "end"):
                out.footnote(each.get("n") or "", text_in(each))
            case "list":
                for item in children(each, "item"):
                    out.item(text_in(item))
            case "note" | "quote" | "cit":
                out.paragraph(text_in(each))


def _level(number: str) -> int:
    """The level of a heading by its number: 1 for "3", 2 for "3.1"; 1 without a number."""
    bare = number.strip(".")
    return bare.count(".") + 1 if _DEPTH.match(number) else 1


def _paragraph(element: Element, out: ArticleText) -> None:
    """A paragraph; a formula within it is a block by itself."""
    words = [element.text or ""]
    for each in element:
        if local_name(each) == "formula":
            out.paragraph("".join(words))
            _formula(each, out)
            words = []
        else:
            words.append("".join(each.itertext()))
        words.append(each.tail or "")
    out.paragraph("".join(words))


def _formula(element: Element, out: ArticleText) -> None:
    label = text_in(child(element, "label"))
    out.formula(text_in(element).removesuffix(label).strip(), label)


def _figure(element: Element, out: ArticleText) -> None:
    kind = "Table" if element.get("type") == "table" else "Figure"
    label = text_in(child(element, "label"))
    out.caption(kind, label, text_in(child(element, "figDesc")))
    rows = children(child(element, "table"), "row")
    out.table([[text_in(cell) for cell in children(row, "cell")] for row in rows])


def _is_numbered(text: Element | None) -> bool:
    """Whether most citation marks are numbers."""
    marks = (
        []
        if text is None
        else [
            text_in(each)
            for each in text.iter()
            if local_name(each) == "ref" and each.get("type") == "bibr"
        ]
    )
    return 2 * sum(bool(_NUMBER.match(mark)) for mark in marks) > len(marks)


def _entry(work: Element) -> str:
    raw = [n for n in children(work, "note") if n.get("type") == "raw_reference"]
    if raw:
        return re.sub(r"^\s*(?:\[\d{1,4}\]|\d{1,4}\.)\s*", "", text_in(raw[0]))
    part, whole = child(work, "analytic"), child(work, "monogr")
    source = part if part is not None and children(part, "author") else whole
    title = text_in(child(part, "title"))
    venue = text_in(child(whole, "title"))
    imprint = child(whole, "imprint")
    date = child(imprint, "date")
    year = "" if date is None else (date.get("when") or text_in(date))[:4]
    details = [_scope(scope) for scope in children(imprint, "biblScope")]
    names = [_name(each) for each in children(source, "author")]
    return entry_text([n for n in names if n], title or venue, venue if title else "", year,
                      [each for each in details if each])  # fmt: skip


def _scope(scope: Element) -> str:
    pages = [scope.get("from"), scope.get("to")]
    return text_in(scope) or "-".join(filter(None, pages))


def _name(author: Element) -> str:
    person = child(author, "persName")
    if person is None:
        return text_in(author)
    first = " ".join(text_in(each) for each in children(person, "forename"))
    return one_line(f"{first} {text_in(child(person, 'surname'))}")
