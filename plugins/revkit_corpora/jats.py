"""JATS: articles with their published reviews, as eLife, F1000Research and others export them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Literal
from xml.etree.ElementTree import Element

from revkit.dataclass import dataclass
from revkit.documents import parse_xml
from revkit.files import CorpusFile, Unreadable, read_bytes
from revkit.model.paper import Skipped
from revkit.model.values import Json
from revkit_corpora.article_text import (
    ArticleText,
    child,
    children,
    entry_text,
    local_name,
    one_line,
    text_in,
)
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

_Kind = Literal["review", "meta", "other"]
_KINDS: Mapping[str, _Kind] = {
    "reviewer-report": "review",
    "referee-report": "review",
    "peer-review": "review",
    "decision-letter": "meta",
    "editor-report": "meta",
    "aggregated-review-documents": "meta",
}
# Recommendations of F1000Research, on the scale that NLPeer gives them.
_RECOMMENDATIONS = {"approve": 2.0, "approve-with-reservations": 1.0, "reject": 0.0}
_F1000 = "10.12688/f1000research."
_JOURNALS = (("10.7554/elife.", "eLife"), (_F1000, "F1000Research"))
_SKIP = ("label", "title", "sec-meta", "object-id")


@dataclass(frozen=True)
class Jats(ReviewSet):
    """Articles in JATS (``.xml``), the format in which journals such as eLife and F1000Research
    publish an article together with its reviews; ``path`` is a folder of files, or one.

    The id is the DOI without its prefix ("eLife.12345"), else the name of the file. Title,
    abstract, sections, lists, formulas, tables, captions, acknowledgements and the reference list
    are read; names and addresses are not. Of the parts behind the article, reports of reviewers
    are reviews, decision letters and reports of editors are meta-reviews; replies of authors are
    counted in a note. A recommendation of F1000Research is a rating: 0 (reject), 1 (approve with
    reservations), 2 (approve). eLife gives no ratings and no decision.

    The text is that of the published version, after the reviews: agents see what was mended since.
    A file that is not JATS, declares entities, or is nested deeper or larger than any paper is
    skipped. No file of these journals was at hand: the reader follows the published format.
    """

    name: ClassVar[str] = "jats"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    endings: ClassVar[tuple[str, ...]] = (".xml",)

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        for found in files:
            try:
                root = parse_xml(read_bytes(found.path, self.max_bytes), found.name, doctype=True)
                yield _read_article(_article_of(root), found)
            except Unreadable as error:
                yield Skipped(found.name, str(error), found.name)


def _article_of(root: Element) -> Element:
    """The article, which archives wrap into a set of one."""
    article = child(root, "article") if local_name(root) == "pmc-articleset" else root
    if article is None or local_name(article) != "article":
        raise Unreadable(f"no JATS: its root is {one_line(local_name(root))[:40]!r}")
    return article


def _read_article(article: Element, found: CorpusFile) -> SetPaper:
    meta = child(article, "front", "article-meta")
    doi = next(
        (text_in(e) for e in children(meta, "article-id") if e.get("pub-id-type") == "doi"), ""
    )
    title = text_in(child(meta, "title-group", "article-title"))
    journal = next((name for start, name in _JOURNALS if doi.casefold().startswith(start)), "")
    reviews: list[SetReview] = []
    others = 0
    for part in [*children(article, "sub-article"), *children(article, "response")]:
        kind = _KINDS.get(part.get("article-type") or "", "other")
        if kind == "other":
            others += 1
            continue
        fields = {"review": _text_of_part(part)}
        rating = _recommendation(part) if kind == "review" else None
        number = str(len(reviews) + 1)
        reviews.append(SetReview(number, fields, rating, meta=kind == "meta"))
    extra: dict[str, Json] = {"doi": doi, "journal": journal}
    replies = f"{others} other parts (replies, translations): not read" if others else ""
    return SetPaper(
        doi.partition("/")[2] or found.stem,
        found.name,
        title,
        _text_of(article, title),
        venues=("f1000_2022",) if doi.casefold().startswith(_F1000) else (),
        reviews=tuple(reviews),
        extra={key: value for key, value in extra.items() if value},
        notes=(replies,) if replies else (),
        text_ids=(found.stem,),
    )


def _recommendation(part: Element) -> float | str | None:
    for meta in part.iter():
        if local_name(meta) != "custom-meta":
            continue
        if text_in(child(meta, "meta-name")).casefold() == "recommendation":
            value = text_in(child(meta, "meta-value"))
            return _RECOMMENDATIONS.get(value.casefold().replace(" ", "-"), value or None)
    return None


def _text_of_part(part: Element) -> str:
    out = ArticleText()
    _blocks(child(part, "body"), out, 1)
    return out.text.strip()


def _text_of(article: Element, title: str) -> str:
    out = ArticleText()
    meta, back = child(article, "front", "article-meta"), child(article, "back")
    out.title(title)
    for abstract in children(meta, "abstract"):
        if not abstract.get("abstract-type"):
            out.heading("Abstract")
            _blocks(abstract, out, 2)
    _blocks(child(article, "body"), out, 1)
    for ack in children(back, "ack"):
        out.heading(text_in(child(ack, "title")) or "Acknowledgements")
        _blocks(ack, out, 2)
    for notes in children(back, "fn-group"):
        _blocks(notes, out, 1)
    for works in children(back, "ref-list"):
        refs = children(works, "ref")
        out.references([_entry(ref) for ref in refs], numbered=_is_numbered(article))
    for appendix in children(child(back, "app-group"), "app"):
        out.heading(text_in(child(appendix, "title")) or "Appendix")
        _blocks(appendix, out, 2)
    return out.text


def _blocks(parent: Element | None, out: ArticleText, level: int) -> None:
    for each in () if parent is None else parent:
        name = local_name(each)
        if name in _SKIP or name == "sub-article":
            continue
        if name == "sec":
            label, head = text_in(child(each, "label")), text_in(child(each, "title"))
            out.heading(f"{label} {head}" if head else "", level)
            _blocks(each, out, level + 1)
        elif name in _BLOCKS:
            _BLOCKS[name](each, out)
        elif name in ("boxed-text", "disp-quote", "fig-group", "table-wrap-group", "statement"):
            _blocks(each, out, level)
        else:
            out.paragraph(text_in(each))


def _paragraph(element: Element, out: ArticleText) -> None:
    """A paragraph; a figure, table, list or formula within it is a block by itself."""
    words = [element.text or ""]
    for each in element:
        block = _BLOCKS.get(local_name(each))
        if block is None:
            words.append(_inline(each))
        else:
            out.paragraph("".join(words))
            block(each, out)
            words = []
        words.append(each.tail or "")
    out.paragraph("".join(words))


def _inline(element: Element) -> str:
    """Characters of a paragraph; raised marks of citations are put in brackets, as their numbers
    are in the list; formulas are marked."""
    if local_name(element) == "inline-formula":
        return f"${_formula_text(element)}$"
    if _is_raised_citation(element):
        return f"[{text_in(element)}]"
    return (element.text or "") + "".join(_inline(each) + (each.tail or "") for each in element)


def _is_raised_citation(element: Element) -> bool:
    raised = element if local_name(element) == "sup" else child(element, "sup")
    within = element.iter()
    return raised is not None and any(each.get("ref-type") == "bibr" for each in within)


def _formula_text(element: Element) -> str:
    tex = next((each for each in element.iter() if local_name(each) == "tex-math"), None)
    if tex is not None:
        body = text_in(tex)
        start = body.find("\\begin{document}")
        end = body.find("\\end{document}")
        body = body[start + len("\\begin{document}") : end] if 0 <= start < end else body
        return body.strip(" $")
    label = text_in(child(element, "label"))
    return text_in(element).removeprefix(label).strip(" $")


def _formula(element: Element, out: ArticleText) -> None:
    out.formula(_formula_text(element), text_in(child(element, "label")))


def _list(element: Element, out: ArticleText) -> None:
    ordered = element.get("list-type") in ("order", "ordered")
    for number, item in enumerate(children(element, "list-item"), 1):
        out.item(text_in(item), f"{number}." if ordered else "-")


def _figure(element: Element, out: ArticleText) -> None:
    out.caption("Figure", text_in(child(element, "label")), text_in(child(element, "caption")))


def _table(element: Element, out: ArticleText) -> None:
    out.caption("Table", text_in(child(element, "label")), text_in(child(element, "caption")))
    rows = [each for each in element.iter() if local_name(each) == "tr"]
    cells = ("td", "th")
    out.table([[text_in(cell) for cell in row if local_name(cell) in cells] for row in rows])


def _footnote(element: Element, out: ArticleText) -> None:
    label = text_in(child(element, "label"))
    out.footnote(label, text_in(element).removeprefix(label).strip())


_BLOCKS: Mapping[str, Callable[[Element, ArticleText], None]] = {
    "p": _paragraph,
    "list": _list,
    "disp-formula": _formula,
    "fig": _figure,
    "table-wrap": _table,
    "fn": _footnote,
}


def _is_numbered(article: Element) -> bool:
    """Whether most citation marks are numbers."""
    marks = [text_in(e) for e in article.iter() if e.get("ref-type") == "bibr"]
    return 2 * sum(mark.strip("[]() ")[:1].isdigit() and len(mark) < 6 for mark in marks) > len(
        marks
    ) and not any(mark.strip("[]()")[:4] in _YEARS for mark in marks[:20])


_YEARS = frozenset(str(year) for year in range(1900, 2100))


def _entry(ref: Element) -> str:
    place = child(ref, "citation-alternatives")
    at = ref if place is None else place
    mixed = child(at, "mixed-citation")
    parts = child(at, "element-citation")
    if mixed is not None and (parts is None or text_in(mixed)):
        return text_in(mixed)
    if parts is None:
        return text_in(child(at, "nlm-citation"))
    group = child(parts, "person-group")
    names = [_name(each) for each in (group if group is not None else parts)]
    first, last = text_in(child(parts, "fpage")), text_in(child(parts, "lpage"))
    pages = "-".join(filter(None, (first, last))) or text_in(child(parts, "elocation-id"))
    title = text_in(child(parts, "article-title")) or text_in(child(parts, "data-title"))
    venue = text_in(child(parts, "source"))
    return entry_text([n for n in names if n], title or venue, venue if title else "",
                      text_in(child(parts, "year")),
                      [d for d in (text_in(child(parts, "volume")), pages) if d])  # fmt: skip


def _name(person: Element) -> str:
    match local_name(person):
        case "name":
            given = text_in(child(person, "given-names"))
            return one_line(f"{text_in(child(person, 'surname'))} {given}")
        case "collab":
            return text_in(person)
    return ""
