"""Word files with one planted text, in each technique of hiding it in the format."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr

from revkit_attacks.marks import LINE, VALUE

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_FONTS = "http://schemas.openxmlformats.org/drawingml/2006"
_WHEN = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that the same arguments give the same bytes
Body = tuple[str, Mapping[str, str]]
"""The planted part of the body, and the parts of the file beside the body, by their names."""


def _run(text: str, properties: str = "") -> str:
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _paragraph(runs: str, style: str = "") -> str:
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{kind}{runs}</w:p>"


def _looking(properties: str) -> Callable[[str], Body]:
    return lambda text: (_paragraph(_run(text, properties)), {})


def _by_style(text: str) -> Body:
    return _paragraph(_run(text, '<w:rStyle w:val="Quiet"/>')), {}


def _comment(text: str) -> Body:
    anchor = '<w:commentRangeStart w:id="0"/>{}<w:commentRangeEnd w:id="0"/>'
    mark = '<w:r><w:commentReference w:id="0"/></w:r>'
    said = f'<w:comment w:id="0" w:author="">{_paragraph(_run(text))}</w:comment>'
    part = f'<w:comments xmlns:w="{_W}">{said}</w:comments>'
    return _paragraph(anchor.format(_run("A note.")) + mark), {"word/comments.xml": part}


def _deletion(text: str) -> Body:
    gone = f'<w:r><w:delText xml:space="preserve">{escape(text)}</w:delText></w:r>'
    return _paragraph(f'<w:del w:id="1" w:author="">{gone}</w:del>'), {}


def _description(text: str) -> Body:
    inline = (
        f'<w:drawing><wp:inline xmlns:wp="{_FONTS}/wordprocessingDrawing">'
        f'<wp:extent cx="1" cy="1"/><wp:docPr id="1" name="p" descr={quoteattr(text)}/>'
        f'<a:graphic xmlns:a="{_FONTS}/main"><a:graphicData uri="{_FONTS}/picture"/></a:graphic>'
        "</wp:inline></w:drawing>"
    )
    return _paragraph(f"<w:r>{inline}</w:r>"), {}


def _property(text: str) -> Body:
    return "", {"description": text}


WORD_HIDES: Mapping[str, Callable[[str], Body]] = {
    "visible": _looking(""),
    "vanish": _looking("<w:vanish/>"),
    "vanish-by-style": _by_style,
    "white": _looking('<w:color w:val="FFFFFF"/>'),
    "near-white": _looking('<w:color w:val="FBFBFB"/>'),
    "tiny": _looking('<w:sz w:val="2"/>'),
    "comment": _comment,
    "deletion": _deletion,
    "description": _description,
    "property": _property,
}
"""All ways in which a text is put into a Word file, by name."""


def attack_word(title: str, paragraphs: Sequence[str], hide: str, text: str) -> bytes:
    """Return a Word file of ``paragraphs`` that has ``text`` planted at its end.

    The file has the visible line and the mark of `revkit_attacks.marks`. The same arguments give
    the same bytes. Raises `KeyError` for an unknown technique.
    """
    planted, parts = WORD_HIDES[hide](text)
    given = dict(parts)
    description = given.pop("description", "")
    body = [_paragraph(_run(title), "Title"), _paragraph(_run(LINE))]
    body += [_paragraph(_run(each)) for each in paragraphs]
    document = f'<w:document xmlns:w="{_W}"><w:body>{"".join(body)}{planted}</w:body></w:document>'
    files = {
        "[Content_Types].xml": _types(given),
        "_rels/.rels": _links(
            [
                (f"{_OFFICE}/relationships/officeDocument", "word/document.xml"),
                (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            ]
        ),
        "word/document.xml": document,
        "word/styles.xml": _STYLES,
        "word/_rels/document.xml.rels": _links(
            [
                (f"{_OFFICE}/relationships/styles", "styles.xml"),
                *((f"{_OFFICE}/relationships/comments", "comments.xml") for _ in given),
            ]
        ),
        "docProps/core.xml": _core(title, description),
        **given,
    }
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            head = '<?xml version="1.0" encoding="UTF-8"?>'
            entry = zipfile.ZipInfo(name, _WHEN)
            archive.writestr(entry, head + content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


_STYLES = (
    f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="Title"><w:name '
    'w:val="Title"/></w:style><w:style w:type="character" w:styleId="Quiet"><w:name '
    'w:val="Quiet"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
)


def _types(parts: Mapping[str, str]) -> str:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    kinds = {
        "word/document.xml": f"{main}.document.main+xml",
        "word/styles.xml": f"{main}.styles+xml",
    }
    kinds |= dict.fromkeys(parts, f"{main}.comments+xml")
    kinds["docProps/core.xml"] = "application/vnd.openxmlformats-package.core-properties+xml"
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in kinds.items()
    )
    links = "application/vnd.openxmlformats-package.relationships+xml"
    default = f'<Default Extension="rels" ContentType="{links}"/>'
    return f'<Types xmlns="{_PACKAGE}/content-types">{default}{overrides}</Types>'


def _links(targets: Sequence[tuple[str, str]]) -> str:
    links = "".join(
        f'<Relationship Id="r{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>'


def _core(title: str, description: str) -> str:
    said = f"<dc:description>{escape(description)}</dc:description>" if description else ""
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title>{said}'
        f"<cp:category>revkit-test-file</cp:category><cp:keywords>{VALUE}</cp:keywords>"
        "</cp:coreProperties>"
    )
