"""Convert the lines of a PDF in reading order to Markdown, with headings, paragraphs and
references.

============== =========================================================
``signs``      what the place and the first words of a line say about it
``prose``      lines joined to paragraphs
``headings``   which lines are headings
``front``      title and authors
``blocks``     headings, paragraphs, tables, captions, notes, references
``references`` entries of a list of references
``tables``     rows and cells
``printer``    blocks as Markdown
============== =========================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.documents.pdf_lines import PageLines
from revkit.documents.pdf_text.blocks import Blocks, settle
from revkit.documents.pdf_text.front import read_front
from revkit.documents.pdf_text.printer import Printer
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.signs import Measures


@dataclass(frozen=True, slots=True)
class PdfText:
    """The Markdown text of a PDF, its title, and how many words of figures were left out."""

    text: str
    title: str
    authors: str
    figure_words: int


def text_of_pages(pages: Sequence[PageLines], *, authors: bool = False) -> PdfText:
    """Return the text of ``pages`` as Markdown.

    Names and addresses between the title and the abstract are left out unless ``authors``.
    """
    lines = [line for page in pages for line in page.lines]
    measures, prose = Measures.of(lines), Prose(lines)
    printer = Printer(measures, prose)
    front = read_front(lines, measures, prose)
    blocks = list(Blocks(measures, prose).divide(front.rest))
    parts = [f"# {front.title}"] if front.title else []
    names = "\n".join(prose.clean(line.text) for line in front.authors)
    if authors and names:
        parts.append(names)
    parts += [part for block in settle(blocks) if (part := printer.print(block))]
    text = "\n\n".join(parts) + "\n" if parts else ""
    return PdfText(text, front.title, names, printer.figure_words)
