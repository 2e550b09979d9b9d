"""S2ORC: papers as the Semantic Scholar Open Research Corpus and its converters write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile, Unreadable
from revkit.model.paper import Labels, LeftOut, Paper, Skipped
from revkit.venues import RECORD_FILES, Draft, Malformed, Record, as_id, parse, records
from revkit_corpora.article_text import ArticleText, entry_text, one_line
from revkit_corpora.file_corpus import FileCorpus

_NUMBER = re.compile(r"[\[(]?\d{1,3}(?!\d)")
_PARSES = ("pdf_parse", "latex_parse")


@dataclass(frozen=True)
class S2orc(FileCorpus):
    """Papers in the JSON of S2ORC: ``path`` is a JSON, JSON Lines, Parquet or Arrow file, or a
    folder of them, a paper each record.

    Three forms are read: that of the converter from GROBID and LaTeX (``pdf_parse`` or
    ``latex_parse``; the parse of LaTeX counts where both are), that of CORD-19 (``body_text`` at
    the top), and that of the data set with offsets (``content`` or ``body`` with ``text`` and
    ``annotations``). Title, abstract, sections with their numbers, displayed formulas, captions,
    tables and the reference list are read; names and addresses are not. The list is numbered where
    the citation marks are numbers. There are no labels.

    A record without an id or without any text is skipped. No file of S2ORC was at hand: the reader
    follows the published description.
    """

    name: ClassVar[str] = "s2orc"
    version: ClassVar[str] = "1"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield _load(record) if isinstance(record, Record) else record


def _load(record: Record) -> Paper | Skipped:
    value = record.value
    id_, note = next(
        (as_id(value[key]) for key in ("paper_id", "corpusid", "id") if value.get(key) is not None),
        ("", ""),
    )
    draft = Draft(id_, record.source, (*record.notes, *([note] if note else [])))
    if any(isinstance(value.get(key), Mapping) for key in ("content", "body")):
        title, text = _from_offsets(value, draft)
    else:
        title, text = _from_paragraphs(value, draft)
    return draft.paper(draft.text(text), draft.line(title, "title"), Labels())


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _words(value: object) -> str:
    return one_line(value) if isinstance(value, str) else ""


def _number(value: object) -> str:
    """A number or year, which some forms write as text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _words(value)


def _from_paragraphs(value: Mapping[str, Any], draft: Draft) -> tuple[str, str]:
    parses = [_mapping(value.get(name)) for name in _PARSES]
    parse_ = next((each for each in reversed(parses) if each.get("body_text")), None)
    parse_ = parse_ or next((each for each in parses if each), value)
    title = _words(value.get("title")) or _words(_mapping(value.get("metadata")).get("title"))
    out = ArticleText()
    out.title(title)
    body = _items(parse_.get("body_text"))
    given = value.get("abstract")
    abstract = [given] if isinstance(given, str) else []
    abstract += [_words(each.get("text")) for each in _items(parse_.get("abstract"))][
        : 0 if abstract else None
    ]
    if any(map(str.strip, abstract)):
        out.heading("Abstract")
        for text in abstract:
            out.paragraph(text)
    _sections(body, out)
    if not body and len(out.parts) == bool(title):
        return title, ""
    if not body:
        draft.note("abstract only")
    works = _mapping(parse_.get("bib_entries"))
    out.references([_entry(_mapping(each)) for each in works.values()], numbered=_numbered(body))
    _sections(_items(parse_.get("back_matter")), out)
    _captions(_mapping(parse_.get("ref_entries")), out)
    return title, out.text


def _sections(paragraphs: Sequence[Mapping[str, Any]], out: ArticleText) -> None:
    last = None
    for each in paragraphs:
        head = (_number(each.get("sec_num")), _words(each.get("section")))
        if head != last and any(head):
            level = head[0].strip(".").count(".") + 1 if head[0] else 1
            out.heading(" ".join(filter(None, head)), level)
            last = head
        text = _words(each.get("text"))
        if text == "EQUATION" or (text and each.get("eq_spans") and len(text) < 12):
            spans = _items(each.get("eq_spans"))
            raw = _words(spans[0].get("raw_str")) or _words(spans[0].get("latex")) if spans else ""
            out.formula(raw or text, _number(spans[0].get("eq_num")) if spans else "")
        else:
            out.paragraph(text)


def _numbered(paragraphs: Sequence[Mapping[str, Any]]) -> bool:
    marks = [
        _words(span.get("text")) for each in paragraphs for span in _items(each.get("cite_spans"))
    ]
    return 2 * sum(bool(_NUMBER.match(mark)) for mark in marks) > len(marks)


def _entry(work: Mapping[str, Any]) -> str:
    raw = _words(work.get("raw_text"))
    if raw:
        return re.sub(r"^(?:\[\d{1,4}\]|\d{1,4}\.) *", "", raw)
    names = [_name(each) for each in _items(work.get("authors"))]
    title, venue = _words(work.get("title")), _words(work.get("venue"))
    details = [_number(work.get("volume")), _number(work.get("pages"))]
    return entry_text([n for n in names if n], title or venue, venue if title else "",
                      _number(work.get("year")), [each for each in details if each])  # fmt: skip


def _name(person: Mapping[str, Any]) -> str:
    middle = person.get("middle")
    between = [str(each) for each in middle] if isinstance(middle, list) else []
    parts = [_words(person.get("first")), *between, _words(person.get("last"))]
    return one_line(" ".join(parts))


def _captions(entries: Mapping[str, Any], out: ArticleText) -> None:
    for key, value in entries.items():
        entry = _mapping(value)
        kind = _words(entry.get("type_str")) or _words(entry.get("type"))
        if kind not in ("figure", "table") and not key.startswith(("FIGREF", "TABREF")):
            continue
        table = kind == "table" or key.startswith("TABREF")
        label = _number(entry.get("fig_num")) or _number(entry.get("num"))
        out.caption("Table" if table else "Figure", label, _words(entry.get("text")))


def _from_offsets(value: Mapping[str, Any], draft: Draft) -> tuple[str, str]:
    """The form with one text and annotations that give the start and end of its parts."""
    content = _mapping(value.get("content")) or _mapping(value.get("body"))
    text = content.get("text")
    if not isinstance(text, str):
        return "", ""
    spans = _Spans(_mapping(content.get("annotations")), text, draft)
    title = _words(value.get("title")) or next(iter(spans.texts("title")), "")
    out = ArticleText()
    out.title(title)
    abstract = spans.texts("abstract")
    if abstract:
        out.heading("Abstract")
        for each in abstract:
            out.paragraph(each)
    covered = [(s, e) for s, e, _ in spans.of("abstract")]
    places = [(*span, "head") for span in spans.of("sectionheader", "section_header")]
    places += [(*span, "text") for span in spans.of("paragraph")]
    for start, end, attributes, kind in sorted(places, key=lambda each: each[:2]):
        if any(s <= start and end <= e for s, e in covered):
            continue
        if kind == "text":
            out.paragraph(text[start:end])
            continue
        number = _number(attributes.get("n"))
        out.heading(f"{number} {text[start:end]}", number.strip(".").count(".") + 1)
    if not places:
        out.paragraph("" if abstract else text)
    marks = spans.texts("bibref", "bib_ref")
    numbered = 2 * sum(bool(_NUMBER.match(mark)) for mark in marks) > len(marks)
    works = _mapping(value.get("bibliography"))
    listed = spans
    if isinstance(works.get("text"), str):
        listed = _Spans(_mapping(works.get("annotations")), works["text"], draft)
    out.references(listed.texts("bibentry", "bib_entry"), numbered=numbered)
    return title, out.text if len(out.parts) > bool(title) else ""


class _Spans:
    """Annotations of a text: lists of spans by kind, which some releases write as JSON in text."""

    def __init__(self, annotations: Mapping[str, Any], text: str, draft: Draft) -> None:
        self._annotations = annotations
        self._text = text
        self._draft = draft

    def of(self, *names: str) -> list[tuple[int, int, Mapping[str, Any]]]:
        """Start, end and attributes of the spans of the first of ``names`` that is there."""
        given = next((v for n in names if (v := self._annotations.get(n)) is not None), None)
        if isinstance(given, str):
            try:
                given = parse(given)[0]
            except (Malformed, Unreadable) as error:
                fault = f"annotations {names[0]}: malformed JSON: {error}: left out"
                self._draft.note(LeftOut(fault))
                given = []
        spans = []
        for each in _items(given):
            start, end = _place(each.get("start")), _place(each.get("end"))
            if 0 <= start < end <= len(self._text):
                spans.append((start, end, _mapping(each.get("attributes"))))
        return sorted(spans, key=lambda each: each[:2])

    def texts(self, *names: str) -> list[str]:
        return [one_line(self._text[start:end]) for start, end, _ in self.of(*names)]


def _place(value: object) -> int:
    if isinstance(value, bool):
        return -1
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value[:12])
    return value if isinstance(value, int) else -1
