"""Word files for tests, made by hand."""

from __future__ import annotations

import zipfile
from pathlib import Path

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def by_hand(path: Path, body: str, *, background: str = "", **parts: str) -> Path:
    """A docx file with the given body and background of the page; ``parts`` are more parts by name
    ("footnotes", "theme/theme1"; with its ending where it is another than "xml")."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{W}">{background}<w:body>{body}</w:body></w:document>',
        )
        for name, content in parts.items():
            archive.writestr(f"word/{name}" if "." in name else f"word/{name}.xml", content)
    return path


def paragraph(text: str, style: str = "", look: str = "") -> str:
    kind = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{kind}<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r></w:p>"
