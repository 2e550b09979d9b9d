"""Word files: headings, paragraphs, lists, tables and footnotes of a docx file as Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from revkit.documents.limits import Limits
from revkit.documents.text import IN_PARAGRAPH, Concealed, DocumentText, Look
from revkit.documents.word_looks import Looks
from revkit.documents.xml_parts import Parts
from revkit.files import Unreadable
from revkit.model.line_kinds import CAPTION
from revkit.model.paper import HiddenNote
from revkit.model.reference_list import (
    heads_what_follows,
    length_of_list,
    may_head_what_follows,
)

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_HEADING = re.compile(r"heading ([1-9])")
_REFERENCES = re.compile(r"(?:\d{1,2}\.?\s)?(?:references|bibliography|literature cited)\W*", re.I)
_ABSTRACT = re.compile(r"abstract\W*", re.I)
_LABEL = re.compile(r"\[[^\[\]\s]{1,14}\]\s?|\d{1,3}\.\s")
_NAMED = re.compile(r"(?:abstract|references|bibliography|acknowledge?ments?)[.:]?", re.I)
_LONGEST_NAMES = 400
_LOOKS: Mapping[Look, str] = {
    "hidden-mark": "text with the mark hidden",
    "background-colour": "text in the colour of what is below it",
    "tiny": "tiny text",
    "no-width": "text without width",
    "off-page": "text outside the page",
}
_NO_WIDTH = re.compile("[\u200b\u2060-\u2064]")
_SPELLS = 16
_SAYS = 160
_MOST_MARKS = 6
_BLOCKS = (f"{_W}p", f"{_W}tbl", f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins")


def read_docx(
    path: Path, limits: Limits | None = None, *, authors: bool = False, hidden: bool = False
) -> DocumentText:
    """Return the text of the Word file at ``path``.

    ``authors`` keeps what is between title and abstract, ``hidden`` the text that a reader does
    not see. Raises `Unreadable` with the reason: no Word file, encrypted, damaged, empty, or too
    large, packed or unpacked.
    """
    with Parts(path, (limits or Limits()).max_bytes) as parts:
        document = parts.read("word/document.xml")
        body = None if document is None else document.find(f"{_W}body")
        if document is None or body is None:
            raise Unreadable("damaged, or not a Word file: it has no text part")
        reader = _Reader(parts, document, hidden=hidden)
        paragraphs = list(reader.paragraphs(body))
    text, title, left_out = _markdown(paragraphs, authors=authors)
    if not text.strip():
        raise Unreadable("no text")
    notes = reader.notes()
    if left_out:
        notes.append("names between title and abstract were left out")
    concealed = tuple(
        Concealed(look, " ".join(said.split()), place)
        for said, look, place in reader.concealed
        if said.strip()
    )
    return DocumentText(text, title, tuple(notes), bool(concealed), concealed)


@dataclass(slots=True)
class _Paragraph:
    """A paragraph, or a table: its text, the name of its style and the level of its heading."""

    text: str
    style: str = ""
    level: int = 0
    mark: str = ""
    """The mark of a list item: "-", "1.", "[1]"."""
    table: bool = False
    bold: bool = False
    notes: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, parts: Parts, document: Element, *, hidden: bool) -> None:
        self.keep_hidden = hidden
        styles = parts.read("word/styles.xml")
        self.styles = _Styles(styles)
        self.lists = _Lists(parts.read("word/numbering.xml"))
        self.footnotes = _footnotes(parts.read("word/footnotes.xml"))
        self.endnotes = _footnotes(parts.read("word/endnotes.xml"))
        settings, theme = parts.read("word/settings.xml"), parts.read("word/theme/theme1.xml")
        self._looks = _find_looks(Looks(styles, settings, theme), parts, document)
        for note in (*self.footnotes.values(), *self.endnotes.values()):
            self._looks.read(note)
        self.concealed: list[tuple[str, Look, str]] = [
            (each.text, each.look, each.place) for each in self._looks.covert
        ]
        self._begins = True
        self.deleted = 0
        self.count = 0

    def notes(self) -> list[str]:
        """What was found that a reader does not see."""
        found: list[str] = []
        looks: dict[Look, list[str]] = {}
        for said, look, _ in self.concealed:
            looks.setdefault(look, []).append(said)
        for look, texts in looks.items():
            words = " ".join(" ".join(texts).split())
            number = len(words.split())
            says = words if len(words) <= _SAYS else words[: _SAYS - 1] + "…"
            what = "1 word" if number == 1 else f"{number} words"
            if number:
                found.append(HiddenNote(f'hidden text: {_LOOKS[look]}, {what}, "{says}"'))
        if self.deleted:
            found.append(f"deleted text of {self.deleted} tracked changes was left out")
        return found

    def paragraphs(self, body: Iterable[Element]) -> Iterator[_Paragraph]:
        for element in body:
            if element.tag == f"{_W}p":
                yield self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                yield _Paragraph(self._table(element), table=True)
            elif element.tag in _BLOCKS:
                yield from self.paragraphs(element)

    def _paragraph(self, element: Element) -> _Paragraph:
        properties = element.find(f"{_W}pPr")
        style = self.styles.default
        number: tuple[str, int] | None = None
        level = 0
        if properties is not None:
            style = _value(properties.find(f"{_W}pStyle")) or style
            number = _number(properties)
            outline = _value(properties.find(f"{_W}outlineLvl"))
            level = int(outline) + 1 if outline.isdigit() and int(outline) < 9 else 0
        notes: list[str] = []
        self._begins = True
        text = " ".join("".join(self._runs(element, notes)).split())
        level = self.styles.level(style) or level
        mark = "" if level else self.lists.mark(number or self.styles.number(style))
        bold = not level and _is_bold(element)
        return _Paragraph(text, self.styles.name(style), level, mark, bold=bold, notes=notes)

    def _runs(self, element: Element, notes: list[str]) -> Iterator[str]:
        for child in element:
            tag = child.tag
            if tag == f"{_W}r":
                yield from self._run(child, notes)
            elif tag in (f"{_M}oMath", f"{_M}oMathPara"):
                formula = _formula(child)
                yield f" ${formula.replace('$', '')}$ " if formula.strip() else ""
            elif tag in (f"{_W}del", f"{_W}moveFrom"):
                self.deleted += 1
            elif tag == f"{_MC}AlternateContent":
                for choice in child.findall(f"{_MC}Choice")[:1]:
                    yield from self._runs(choice, notes)
            elif tag not in (f"{_W}pPr", f"{_W}rPr"):
                yield from self._runs(child, notes)

    def _run(self, run: Element, notes: list[str]) -> Iterator[str]:
        text = "".join(self._pieces(run, notes))
        look = self._looks.of(run)
        if look and text:
            if self.concealed and not self._begins and self.concealed[-1][1] == look:
                text_before, _, place = self.concealed.pop()
                self.concealed.append((text_before + text, look, place))
            else:
                self.concealed.append((text, look, IN_PARAGRAPH))
            self._begins = False
        if not look or self.keep_hidden:
            yield text

    def _pieces(self, run: Element, notes: list[str]) -> Iterator[str]:
        for child in run:
            name = child.tag.removeprefix(_W)
            if name == "t":
                yield child.text or ""
            elif name in ("tab", "br", "cr"):
                yield " "
            elif name == "noBreakHyphen":
                yield "-"
            elif name in ("footnoteReference", "endnoteReference"):
                known = self.footnotes if name.startswith("foot") else self.endnotes
                note = known.get(child.get(f"{_W}id", ""))
                if note is not None:
                    self.count += 1
                    said = " ".join("".join(self._runs(note, [])).split())
                    notes.append(f"> {self.count} {said}")

    def _table(self, table: Element) -> str:
        rows = []
        for row in table.iter(f"{_W}tr"):
            cells = []
            for cell in row.findall(f"{_W}tc"):
                parts = ("".join(self._runs(part, [])) for part in cell.iter(f"{_W}p"))
                span = _value(cell.find(f"{_W}tcPr/{_W}gridSpan"))
                cells.append(" ".join(" ".join(parts).replace("|", "/").split()))
                cells += [""] * (min(int(span), 50) - 1 if span.isdigit() else 0)
            rows.append(cells)
        wide = max(map(len, rows), default=0)
        if not wide or not any(any(row) for row in rows):
            return ""
        lines = [f"| {' | '.join(row + [''] * (wide - len(row)))} |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * wide, *lines[1:]])


class _Styles:
    """The styles of the file: their names and levels, inherited from what they are based on."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Element] = {}
        self.default = ""
        for style in root.findall(f"{_W}style") if root is not None else ():
            if style.get(f"{_W}type") in ("paragraph", "character"):
                id_ = style.get(f"{_W}styleId", "")
                self._styles[id_] = style
            default = style.get(f"{_W}default") in ("1", "true")
            if default and style.get(f"{_W}type") == "paragraph":
                self.default = id_

    def name(self, id_: str) -> str:
        """The name of a style in small letters; its id where it has none."""
        style = self._styles.get(id_)
        name = _value(style.find(f"{_W}name")) if style is not None else ""
        return (name or id_).lower()

    def level(self, id_: str) -> int:
        """The level of a heading of this style, or 0."""
        for each in self._bases(id_):
            heading = _HEADING.fullmatch(self.name(each)) or re.fullmatch(
                r"heading([1-9])", each.lower()
            )
            if heading:
                return int(heading[1])
            style = self._styles.get(each)
            outline = _value(style.find(f"{_W}pPr/{_W}outlineLvl")) if style is not None else ""
            if outline.isdigit() and int(outline) < 9:
                return int(outline) + 1
        return 0

    def number(self, id_: str) -> tuple[str, int] | None:
        """The list to which paragraphs of this style belong."""
        for each in self._bases(id_):
            style = self._styles.get(each)
            properties = style.find(f"{_W}pPr") if style is not None else None
            if properties is not None and (found := _number(properties)):
                return found
        return None

    def _bases(self, id_: str) -> Iterator[str]:
        seen: set[str] = set()
        while id_ and id_ not in seen:
            seen.add(id_)
            yield id_
            style = self._styles.get(id_)
            id_ = _value(style.find(f"{_W}basedOn")) if style is not None else ""


class _Lists:
    """The lists of the file, and the count of each."""

    def __init__(self, root: Element | None) -> None:
        self._formats: dict[str, dict[int, tuple[str, str]]] = {}
        self._counts: Counter[tuple[str, int]] = Counter()
        if root is None:
            return
        kinds = {
            kind.get(f"{_W}abstractNumId", ""): {
                int(level.get(f"{_W}ilvl", "0")): (
                    _value(level.find(f"{_W}numFmt")),
                    _value(level.find(f"{_W}lvlText")),
                )
                for level in kind.findall(f"{_W}lvl")
                if level.get(f"{_W}ilvl", "0").isdigit()
            }
            for kind in root.findall(f"{_W}abstractNum")
        }
        for number in root.findall(f"{_W}num"):
            kind = _value(number.find(f"{_W}abstractNumId"))
            self._formats[number.get(f"{_W}numId", "")] = kinds.get(kind, {})

    def mark(self, number: tuple[str, int] | None) -> str:
        """The mark of the next item of a list: "-", "1." or "[1]"; "" for what is in none."""
        if number is None or number[0] == "0" or number[0] not in self._formats:
            return ""
        shape, text = self._formats[number[0]].get(number[1], ("bullet", ""))
        if shape == "none":
            return ""
        if shape != "decimal":
            return "-"
        self._counts[number] += 1
        return f"[{self._counts[number]}]" if "[" in text else f"{self._counts[number]}."


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(f"{_W}val", "")


def _formula(element: Element) -> str:
    """The characters of a formula, without the signs without width that Word's notation puts alone
    where a box is empty or an operator is not written. So many signs of two kinds that they can
    spell a word stay: they are hidden text."""
    texts = [part.text or "" for part in element.iter(f"{_M}t")]
    alone = [text for text in texts if _NO_WIDTH.fullmatch(text)]
    spells = len(alone) >= _SPELLS and len(set(alone)) > 1
    return "".join(texts if spells else (text for text in texts if not _NO_WIDTH.fullmatch(text)))


def _is_bold(paragraph: Element) -> bool:
    """Return whether all text of a paragraph is bold by the look of its runs."""
    runs = [run for run in paragraph.iter(f"{_W}r") if run.find(f"{_W}t") is not None]
    looks = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(runs) and all(
        look is not None and _value(look) not in ("0", "false", "off") for look in looks
    )


def _number(properties: Element) -> tuple[str, int] | None:
    id_ = _value(properties.find(f"{_W}numPr/{_W}numId"))
    level = _value(properties.find(f"{_W}numPr/{_W}ilvl"))
    return (id_, int(level) if level.isdigit() else 0) if id_ else None


def _find_looks(looks: Looks, parts: Parts, document: Element) -> Looks:
    """``looks`` with what is hidden in the body, its headers and its footers."""
    looks.read_page(document)
    looks.read(document)
    links = parts.read("word/_rels/document.xml.rels")
    seen: set[str] = set()
    for link in links if links is not None else ():
        kind = link.get("Type", "").rpartition("/")[2]
        target = link.get("Target", "")
        if kind in ("header", "footer") and link.get("TargetMode") != "External":
            name = target[1:] if target.startswith("/") else f"word/{target}"
            root = None if name in seen else parts.read(name)
            seen.add(name)
            if root is not None:
                looks.read(root, kind)
    return looks


def _footnotes(root: Element | None) -> Mapping[str, Element]:
    if root is None:
        return {}
    return {
        note.get(f"{_W}id", ""): note for note in root if note.get(f"{_W}type") in (None, "normal")
    }


def _markdown(paragraphs: list[_Paragraph], *, authors: bool) -> tuple[str, str, bool]:
    """The text, the title, and whether names were left out."""
    filled = [each for each in paragraphs if each.text or each.table]
    title, rest = _take_title(filled)
    names, rest = _take_names(rest) if title else ([], rest)
    shift = 1 if title else 0
    parts = [f"# {title}"] if title else []
    if authors:
        parts += [name.text for name in names]
    parts += _blocks(rest, shift)
    return ("\n\n".join(parts) + "\n" if parts else ""), title, bool(names) and not authors


def _take_title(paragraphs: list[_Paragraph]) -> tuple[str, list[_Paragraph]]:
    for place, each in enumerate(paragraphs[:12]):
        if each.style == "title" and not each.table:
            return each.text, [*paragraphs[:place], *paragraphs[place + 1 :]]
    first = paragraphs[0] if paragraphs else None
    alone = first is not None and sum(each.level == 1 for each in paragraphs) == 1
    if first is not None and first.level == 1 and alone and not _NAMED.fullmatch(first.text):
        for each in paragraphs[1:]:
            each.level = max(0, each.level - 1)
        return first.text, paragraphs[1:]
    return "", paragraphs


def _take_names(paragraphs: list[_Paragraph]) -> tuple[list[_Paragraph], list[_Paragraph]]:
    """Return the text between the title and the first heading or abstract, if it is short."""
    for place, each in enumerate(paragraphs):
        begins = each.level or "abstract" in each.style or _ABSTRACT.match(each.text)
        if begins:
            return paragraphs[:place], paragraphs[place:]
        if each.table or len(each.text) > _LONGEST_NAMES:
            break
    return [], paragraphs


def _blocks(paragraphs: list[_Paragraph], shift: int) -> Iterator[str]:
    in_abstract = False
    # The entries of the reference list end before this paragraph, and its section before that one.
    list_end = section_end = 0
    for place, each in enumerate(paragraphs):
        plain = not each.level and _ABSTRACT.fullmatch(each.text) is not None
        if each.level or plain:
            level = min(each.level + shift, _MOST_MARKS) if each.level else 1 + shift
            list_end = section_end = 0
            if _REFERENCES.fullmatch(each.text):
                list_end, section_end = _list_and_section(paragraphs, place + 1)
            in_abstract = _ABSTRACT.fullmatch(each.text) is not None
            yield f"{'#' * level} {each.text}"
            continue
        if each.style == "abstract" and not in_abstract:
            in_abstract = True
            yield f"{'#' * (1 + shift)} Abstract"
        in_list = place < list_end or each.style == "bibliography"
        behind = list_end <= place < section_end and not (in_list or each.table)
        first = place == list_end and may_head_what_follows(each.text)
        if behind and (first or heads_what_follows(each.text)):
            yield f"{'#' * (1 + shift)} {each.text}"
        else:
            yield _block(each, in_references=in_list)
        yield from each.notes


def _list_and_section(paragraphs: list[_Paragraph], start: int) -> tuple[int, int]:
    """Return where the entries end that begin at ``start``, and where their section does."""
    end = start
    while end < len(paragraphs) and not (
        paragraphs[end].level or _ABSTRACT.fullmatch(paragraphs[end].text)
    ):
        end += 1
    section = paragraphs[start:end]
    # Items of a list of Word, and what has the style of an entry, are entries whatever they say.
    last = max(
        (place for place, each in enumerate(section) if each.mark or each.style == "bibliography"),
        default=0,
    )
    texts = [each.text for each in section[last:]]
    bold = [place for place, each in enumerate(section[last:]) if each.bold]
    return start + last + length_of_list(texts, bold), end


def _block(each: _Paragraph, *, in_references: bool) -> str:
    if each.table:
        return each.text
    if in_references and not (_LABEL.match(each.text) or CAPTION.match(each.text)):
        return f"{each.mark or '-'} {each.text}"
    if each.mark:
        return f"{each.mark} {each.text}"
    if each.text.startswith("$") and each.text.endswith("$") and each.text.count("$") == 2:
        return f"$$ {each.text[1:-1]} $$"
    return re.sub(r"^(#{1,6}\s|>|[-+*]\s|=+$)", r"\\\1", each.text)
