"""Read the texts of papers in a folder; each file becomes a paper or a reason for skipping it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from revkit.documents import PdfReader, can_read_pdf, read_docx
from revkit.errors import PaperError, RunError
from revkit.files import (
    CorpusFile,
    Unreadable,
    files_under,
    keep_first,
    read_bytes,
    skip_links,
)
from revkit.model.intake import decode
from revkit.model.paper import Paper, Skipped
from revkit.papers.latex_tree import (
    STRAY_PIECE,
    is_stray_piece,
    parts_of_trees,
    read_latex_tree,
)
from revkit.papers.titles import find_title

SUFFIXES = (".md", ".markdown", ".txt", ".tex")
"""The endings of files whose text is that of a paper."""
MOST_BYTES = 20_000_000


def papers_in_files(root: Path) -> Iterator[Paper | Skipped]:
    """Yield the papers in the files below ``root``, or in ``root`` itself, ordered by name.

    Word files are read, PDF files where the extra ``pdf`` is installed. A LaTeX file is read with
    the files that it inputs, which then are not papers, and with its bibliography. A file of
    another format is a `Skipped`, and so are a link that leads out of the folder, a piece of a
    LaTeX document that no file includes, and the second of two texts whose names differ in their
    ending. Raises `RunError` where there is no such file or folder.
    """
    if not root.exists():
        raise RunError(f"{root} does not exist; name a file or a folder of papers")
    single = not root.is_dir()
    files = [CorpusFile(root, root.name)] if single else files_under(root, ("",), outside=False)
    yield from skip_links(root)
    with PdfReader() as reader:
        yield from keep_first(_papers(files, root, reader, single=single), _id_in_a_run)


def _papers(
    files: list[CorpusFile], root: Path, reader: PdfReader, *, single: bool
) -> Iterator[Paper | Skipped]:
    parts = parts_of_trees(file.path for file in files if file.path.suffix == ".tex")
    for file in files:
        ending = file.path.suffix.lower()
        if file.path.resolve() in parts or (ending in (".bib", ".bbl") and not single):
            continue
        if ending in (".pdf", ".docx"):
            yield _read_document(file, reader)
        elif ending in SUFFIXES or single:
            yield _read(file, root, single=single)
        else:
            kind = f"files that end in {ending}" if ending else "files without an ending"
            remedy = "convert them to PDF, Word, LaTeX or Markdown, or name an experiment whose "
            reason = f"{kind} are not read here; {remedy}corpus reads them"
            yield Skipped(file.name, reason, file.name)


def _id_in_a_run(paper: Paper) -> str:
    """The id of the paper in a run on its folder: texts are named without their ending."""
    name, ending = os.path.splitext(paper.source)
    return name if ending.lower() in SUFFIXES else paper.source


def _read(file: CorpusFile, root: Path, *, single: bool) -> Paper | Skipped:
    try:
        if file.path.suffix == ".tex":
            if not single and is_stray_piece(file.path, root):
                return Skipped(file.name, STRAY_PIECE, file.name)
            folder = root.parent if single else root
            text, notes = read_latex_tree(file.path, folder, MOST_BYTES)
        else:
            text, notes = decode(read_bytes(file.path, MOST_BYTES))
        if not text.strip():
            return Skipped(file.name, "no text", file.name)
        return Paper(file.name, text, find_title(text), source=file.name, notes=notes)
    except (Unreadable, PaperError, OSError) as error:
        return Skipped(file.name, str(error), file.name)


def _read_document(file: CorpusFile, reader: PdfReader) -> Paper | Skipped:
    is_pdf = file.path.suffix.lower() == ".pdf"
    if is_pdf and not can_read_pdf():
        reason = 'PDF files need a library: pip install "revkit[pdf]"'
        return Skipped(file.name, reason, file.name)
    try:
        read = reader.read(file.path) if is_pdf else read_docx(file.path)
        return Paper(file.name, read.text, read.title, source=file.name, notes=read.notes)
    except (Unreadable, PaperError, OSError) as error:
        return Skipped(file.name, str(error), file.name)
