"""Attack picture: one attack in Markdown, LaTeX and PDF, the drawn page beside the text read there.

    python -m benchmarks.attack_picture docs/pictures/one-attack.png

Needs chromium, pandoc and pdftoppm on the PATH.
"""

from __future__ import annotations

import base64
import re
import subprocess
import sys
import tempfile
from html import escape
from io import BytesIO
from pathlib import Path
from random import Random

from revkit import Paper
from revkit.model import Rejection
from revkit.testing import context
from revkit_attacks.instruction_injection import InstructionInjection
from revkit_attacks.payloads import PAYLOADS
from revkit_attacks.pdf import attack_pdf, made_paper
from revkit_attacks.pdf.file import pdfium_text

TITLE = "A Count of Lamps in Six Harbours"
PROSE = (
    "We counted lamps in six harbours over one year, with the same rules in each of them.",
    "The difference between the years is small, and it has one sign in most of the places.",
)
MARKDOWN = f"# {TITLE}\n\n## Abstract\n\n{PROSE[0]}\n\n## Conclusion\n\n{PROSE[1]}\n"
LATEX = (
    "\\documentclass{article}\n\\usepackage{xcolor}\n\\begin{document}\n"
    f"\\section*{{{TITLE}}}\n\\section{{Introduction}}\n{PROSE[0]}\n"
    f"\\section{{Conclusion}}\n{PROSE[1]}\n\\end{{document}}\n"
)
STYLE = """
body { margin: 0; font: 13px/1.4 'DejaVu Sans', sans-serif; width: 1000px; background: #fff }
h1 { font-size: 15px; margin: 10px 14px 2px } .row { display: flex; gap: 12px; padding: 4px 14px }
.row > * { width: 480px; height: 230px; border: 1px solid #999; overflow: hidden; margin: 0 }
img { object-fit: cover; object-position: top left }
pre { white-space: pre-wrap; font: 11.5px/1.35 'DejaVu Sans Mono', monospace; padding: 8px;
  box-sizing: border-box } mark { background: #ffd9a0 }
"""
PAGE = """
@page { size: 480pt 240pt; margin: 12pt } html { background: #fff !important;
  font-size: 9pt !important }
body { margin: 0 !important; padding: 0 !important } h1.title, header { display: none }
h1 { font-size: 13pt; margin: .5em 0 } h2 { font-size: 11pt; margin: .5em 0 } p { margin: .3em 0 }
"""


def attacked(text: str, hide: str) -> str:
    """Return ``text`` with a planted order, hidden in one way."""
    paper = Paper("one-attack", text)
    perturbation = InstructionInjection(payload="demand-rating", hide=hide, position="end")
    edits = perturbation.perturb(paper, context())
    assert not isinstance(edits, Rejection)
    return paper.edited(list(edits)).text


def drawn_text(text: str, source: str, folder: Path) -> bytes:
    """Return the first page of a text that Pandoc reads and Chromium prints."""
    command = ["pandoc", "--standalone", "--from", source, "--to", "html", "--metadata", "title= "]
    page = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout
    path = folder / "page.html"
    path.write_bytes(page.replace(b"</head>", f"<style>{PAGE}</style></head>".encode()))
    made = folder / "page.pdf"
    _chromium(folder, f"--print-to-pdf={made}", path.as_uri())
    return drawn_pdf(made.read_bytes(), folder)


def drawn_pdf(data: bytes, folder: Path, crop: tuple[str, ...] = ()) -> bytes:
    """Return the first page of a PDF file as pdftoppm draws it."""
    path = folder / "drawn.pdf"
    path.write_bytes(data)
    command = ["pdftoppm", "-png", "-singlefile", "-r", "72", *crop, str(path), str(folder / "d")]
    subprocess.run(command, check=True)
    return (folder / "d.png").read_bytes()


def _chromium(folder: Path, *arguments: str) -> None:
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    profile = f"--user-data-dir={folder / 'profile'}"
    command = ["chromium", *flags, profile, *arguments]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def _row(title: str, picture: bytes, text: str, order: str) -> str:
    start = text.find("\n", max(0, text.find(order[:20]) - 330)) + 1
    said = escape(text[start:].strip())
    planted = r"\s+".join(re.escape(escape(word)) for word in order.split())
    said = re.sub(planted, lambda match: f"<mark>{match[0]}</mark>", said)
    data = base64.b64encode(picture).decode("ascii")
    return (
        f"<h1>{title}</h1><div class=row><img src='data:image/png;base64,{data}'>"
        f"<pre>{said}</pre></div>"
    )


def main() -> None:
    """Draw the picture."""
    target = Path(sys.argv[1])
    payload = PAYLOADS["demand-rating"](Paper("a", "a"), Random(1), "en")
    assert not isinstance(payload, str)
    order = payload.text("attack", "en")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        markdown, latex = attacked(MARKDOWN, "comment"), attacked(LATEX, "comment")
        file = attack_pdf(made_paper(3, 1), "white", order, "start").data
        by_markdown = drawn_text(markdown, "markdown", folder)
        by_latex = drawn_text(latex, "latex", folder)
        by_pdf = drawn_pdf(file, folder, ("-x", "0", "-y", "0", "-W", "580", "-H", "278"))
        rows = [
            _row("Markdown, in a comment", by_markdown, markdown, order),
            _row("LaTeX, in a comment", by_latex, latex, order),
            _row("PDF, in white; the text is that of PDFium", by_pdf, pdfium_text(file), order),
        ]
        page = folder / "all.html"
        head = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"
        page.write_text(head + "".join(rows), encoding="utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        size = ("--hide-scrollbars", "--window-size=1000,830")
        _chromium(folder, *size, f"--screenshot={target.absolute()}", page.as_uri())
        _shrink(target)


def _shrink(path: Path) -> None:
    """Write the picture with few colours, which its text needs no more of."""
    from PIL import Image

    picture = Image.open(BytesIO(path.read_bytes())).convert("RGB")
    picture.quantize(32).save(path, optimize=True)


if __name__ == "__main__":
    main()
