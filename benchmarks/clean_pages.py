"""Clean pages: how often the scan finds hidden text in PDF files of other programs, and its time.

Papers of ../shared/data are written by Chromium, Pandoc with Chromium, Typst and Matplotlib; a
writer that is absent is left out. The real PDF files of ../shared/data are in a separate row.

    python -m benchmarks.clean_pages [PAPERS [WRITER ...]]
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import ROOT
from benchmarks.written import by_chromium, by_matplotlib
from revkit import Paper
from revkit.scan.pdf import scan_file
from revkit.stats import clopper_pearson_interval

PAPERS = ROOT.parent / "shared" / "data" / "markdown_papers"
REAL = ROOT.parent / "shared" / "data"


def by_pandoc_and_chromium(paper: Paper, path: Path) -> None:
    """Print the page that Pandoc makes, in one column."""
    page = path.with_suffix(".html")
    source = "markdown-yaml_metadata_block-raw_html-raw_tex"
    command = ["pandoc", "--standalone", "--mathml", "--from", source, "--to", "html"]
    made = subprocess.run(command, input=paper.text.encode(), capture_output=True, check=True)
    page.write_bytes(made.stdout)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    with tempfile.TemporaryDirectory() as profile:
        print_to = [f"--user-data-dir={profile}", f"--print-to-pdf={path}", page.as_uri()]
        subprocess.run(["chromium", *flags, *print_to], check=True, capture_output=True)
    page.unlink()


def by_typst(paper: Paper, path: Path) -> None:
    """Set headings and paragraphs in two columns; formulas and tables are set as their source."""
    import typst

    parts = ["#set page(columns: 2)\n#set text(size: 9pt)\n"]
    for block in paper.blocks:
        text = paper.text[block.start : block.end].strip()
        if block.kind == "heading":
            marks = len(text) - len(text.lstrip("#"))
            parts.append(f"{'=' * max(1, marks)} {_escaped(' '.join(text.lstrip('#').split()))}")
        else:
            parts.append(_escaped(text))
    page = path.with_suffix(".typ")
    page.write_text("\n\n".join(parts), encoding="utf-8")
    typst.compile(str(page), output=str(path))
    page.unlink()


def _escaped(text: str) -> str:
    """``text`` as Typst prints it unchanged."""
    return re.sub(r"([\\#$*_`<>@=~+/\[\]-])", r"\\\1", text)


_REAL = "real files"
WRITERS: dict[str, tuple[Callable[[Paper, Path], None], Callable[[], bool]]] = {
    "Chromium, two columns": (by_chromium, lambda: bool(shutil.which("chromium"))),
    "Pandoc and Chromium": (
        by_pandoc_and_chromium,
        lambda: bool(shutil.which("chromium") and shutil.which("pandoc")),
    ),
    "Typst": (by_typst, lambda: find_spec("typst") is not None),
    "Matplotlib": (by_matplotlib, lambda: True),
}


def written(write: Callable[[Paper, Path], None], folder: Path, papers: int) -> Iterator[Path]:
    """Write papers by one writer; a paper that it cannot set is named and left out."""
    paths = sorted(PAPERS.glob("*.md"))
    for source in paths[:: max(1, len(paths) // papers)][:papers]:
        path = folder / f"{source.stem}.pdf"
        try:
            write(Paper(source.stem, source.read_text(encoding="utf-8")), path)
        except Exception as error:
            print(f"left out: {source.stem}: {str(error)[:100]}", file=sys.stderr)
            continue
        yield path


def counted(paths: Iterator[Path]) -> tuple[int, int, int, float, list[str]]:
    """Files, pages, pages with a finding, CPU seconds, and what was found."""
    files, pages, flagged, seconds = 0, 0, set[tuple[str, int]](), 0.0
    said: list[str] = []
    for path in paths:
        start = time.process_time()
        found = scan_file(path, pages=300, authors=False, pictures=False)
        seconds += time.process_time() - start
        files, pages = files + 1, pages + int(found["count"])
        for each in found["findings"]:
            flagged.add((path.name, int(each["page"] or 0)))
            said.append(f"{path.name} page {each['page']}: {each['kind']}: {each['says'][:80]!r}")
    return files, pages, len(flagged), seconds, said


def main() -> None:
    """Print a row for each writer, with the exact upper bound of the rate of false pages."""
    papers = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    names = sys.argv[2:] or [*WRITERS, _REAL]
    print("| writer | files | pages | with a finding | upper bound, 95% | CPU s per page |")
    print("| --- | --- | --- | --- | --- | --- |")
    found: list[str] = []
    for name, (write, is_there) in WRITERS.items():
        if name in names and is_there():
            with tempfile.TemporaryDirectory() as folder:
                found += _print(name, written(write, Path(folder), papers))
    if _REAL in names:
        found += _print(_REAL, iter(sorted(REAL.rglob("*.pdf"))))
    print("\n".join(found))


def _print(name: str, paths: Iterator[Path]) -> list[str]:
    files, pages, flagged, seconds, found = counted(paths)
    if pages:
        high = clopper_pearson_interval(flagged, pages, 0.95, unit="page").high or 0.0
        row = f"| {name} | {files} | {pages} | {flagged} | {100 * high:.2f}% "
        print(f"{row}| {seconds / pages:.3f} |", flush=True)
    return found


if __name__ == "__main__":
    main()
