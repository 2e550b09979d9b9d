"""PDF files: pages per CPU second, structure included."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.measure import ROOT
from revkit import Paper
from revkit.documents.worker import read_document
from revkit.papers import read_structure

FOLDER = ROOT.parent / "shared" / "data" / "pdfs"
REPEATS = 3


def main() -> None:
    """Print a row for each file: its pages, and pages per CPU second."""
    import pypdfium2

    print("| file | pages | pages per CPU s |")
    print("| --- | --- | --- |")
    for path in sorted(FOLDER.glob("*.pdf")):
        with pypdfium2.PdfDocument(path) as document:
            pages = len(document)
        seconds = min(measured(path) for _ in range(REPEATS))
        print(f"| {path.name} | {pages} | {pages / seconds:.0f} |")


def measured(path: Path) -> float:
    """CPU seconds to read the file, parse its text and score its structure."""
    start = time.process_time()
    read = read_document(path, pages=300)
    read_structure(Paper(path.name, read["text"], read["title"]))
    return time.process_time() - start
