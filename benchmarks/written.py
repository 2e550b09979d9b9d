"""Papers in files of other programs: titles, headings and entries that are read back.

Needs chromium on the PATH, and the packages typst and pypandoc_binary in a folder on PYTHONPATH;
a writer that is absent is left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap

from benchmarks.measure import ROOT
from revkit import Paper, Skipped
from revkit.contracts import Corpus
from revkit.stats import wilson_interval
from revkit.testing import context
from revkit_corpora.markdown import Markdown
from revkit_corpora.pdf import Pdf
from revkit_corpora.synthetic import Synthetic
from revkit_corpora.word import Word

REAL = ROOT.parent / "shared" / "data" / "markdown_papers"
GENERATED = 32
_SECONDS = 900
Writer = Callable[[Paper, Path], None]
STYLE = """
@page { size: A4; margin: 20mm }
body { font: 9.5pt/1.25 'DejaVu Serif', serif; text-align: justify }
main { column-count: 2; column-gap: 7mm }
h1 { font-size: 16pt; text-align: center; column-span: all }
h2 { font-size: 12pt } h3 { font-size: 10.5pt }
table { border-collapse: collapse; width: 100%; font-size: 7pt }
td, th { border: 0.5pt solid grey; padding: 1pt 2pt }
"""


def to_html(text: str) -> str:
    """Return a paper as a page of two columns, by the package markdown-it-py."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><body><main>{body}</main></body>"
    )


def by_chromium(paper: Paper, path: Path) -> None:
    """Print a page of two columns with Chromium."""
    page = path.with_suffix(".html")
    page.write_text(to_html(paper.text), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    command = [shutil.which("chromium") or "chromium", *flags]
    with tempfile.TemporaryDirectory() as profile:
        command += [f"--user-data-dir={profile}", f"--print-to-pdf={path}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
    page.unlink()


def _pandoc(paper: Paper, format: str, *options: str) -> str:
    import pypandoc

    source = "markdown-yaml_metadata_block-tex_math_dollars-raw_tex-raw_html"
    made: str = pypandoc.convert_text(paper.text, format, format=source, extra_args=[*options])
    return made


def by_typst(paper: Paper, path: Path) -> None:
    """Set two columns with Typst, from the source that Pandoc writes."""
    import typst

    source = re.sub(r"#(?:box\()?image\([^\n]*", "", _pandoc(paper, "typst"))
    head = "#set page(columns: 2)\n#set text(size: 9pt)\n#set heading(numbering: none)\n"
    page = path.with_suffix(".typ")
    page.write_text(head + re.sub(r"<[\w.-]+>$", "", source, flags=re.MULTILINE), encoding="utf-8")
    typst.compile(str(page), output=str(path))
    page.unlink()


def by_matplotlib(paper: Paper, path: Path) -> None:
    """Draw the lines of one column with Matplotlib."""
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    lines = list(_lines(paper))
    with PdfPages(path) as pages:
        for first in range(0, len(lines), 60):
            page = Figure(figsize=(8.27, 11.69))
            for number, (line, size, weight) in enumerate(lines[first : first + 60]):
                y = 0.95 - 0.015 * number
                text = page.text(0.1, y, line, fontsize=size, fontweight=weight)
                text.set_parse_math(False)
            pages.savefig(page)


def _lines(paper: Paper) -> Iterator[tuple[str, float, str]]:
    text = re.sub(r"!\[[^\]]*\]\([^()]*\)|<[^<>]+>", "", paper.text)
    for block in re.split(r"\n\s*\n|\n(?=- )", text):
        heading = re.match(r"(#{1,6})\s+(.*)", block.strip())
        if heading:
            size = 15.0 if len(heading[1]) == 1 else 11.0
            yield from ((line, size, "bold") for line in wrap(heading[2], 60))
        else:
            yield from ((line, 9.0, "normal") for line in wrap(block.strip(), 95))
        yield "", 9.0, "normal"


def by_pandoc(paper: Paper, path: Path) -> None:
    """Write a Word or LaTeX file with Pandoc."""
    import pypandoc

    format = {".docx": "docx", ".tex": "latex"}[path.suffix]
    source = "markdown-yaml_metadata_block-raw_tex-raw_html"
    options = {"outputfile": str(path), "extra_args": ["--standalone"]}
    pypandoc.convert_text(paper.text, format, format=source, **options)


def _pdf(folder: Path) -> Corpus:
    # What is measured is what is read: a busy machine changes no figure.
    return Pdf(path=str(folder), max_seconds=_SECONDS)


WRITERS: dict[str, tuple[Writer, str, Callable[[Path], Corpus], Callable[[], bool]]] = {
    "Chromium, PDF in two columns": (
        by_chromium,
        ".pdf",
        _pdf,
        lambda: bool(shutil.which("chromium")),
    ),
    "Typst, PDF in two columns": (
        by_typst,
        ".pdf",
        _pdf,
        lambda: bool(find_spec("typst") and find_spec("pypandoc")),
    ),
    "Matplotlib, PDF in one column": (by_matplotlib, ".pdf", _pdf, lambda: True),
    "Pandoc, Word": (
        by_pandoc,
        ".docx",
        lambda folder: Word(path=str(folder)),
        lambda: bool(find_spec("pypandoc")),
    ),
    "Pandoc, LaTeX": (
        by_pandoc,
        ".tex",
        lambda folder: Markdown(path=str(folder)),
        lambda: bool(find_spec("pypandoc")),
    ),
}


def sources(generated: int = GENERATED, real: int = 8) -> list[Paper]:
    """Return generated papers, and Markdown papers of people where ../shared/data is present."""
    papers = [
        each for each in Synthetic(papers_=generated).papers(context()) if isinstance(each, Paper)
    ]
    paths = sorted(REAL.glob("*.md")) if REAL.is_dir() else []
    chosen = paths[:: max(1, len(paths) // real)][:real] if real else []
    return [*papers, *(Paper(path.stem, _spaced(path)) for path in chosen)]


def _spaced(path: Path) -> str:
    """Return the text of a paper with a paragraph for each entry, as a journal prints them."""
    body, heading, entries = re.split(
        r"(?mi)(^#+ references$)", path.read_text(encoding="utf-8"), maxsplit=1
    )
    return body + heading + re.sub(r" {2,}\n", "\n\n", entries)


def squeezed(text: str) -> str:
    """Return letters and digits, so that signs and breaks do not count."""
    return re.sub(r"[\W_]+", "", re.sub(r"\\[a-z]+", "", text)).lower()


def headings_of(paper: Paper) -> Counter[str]:
    """Return the headings below the title."""
    blocks = [block for block in paper.blocks if block.kind == "heading"]
    return Counter(squeezed(paper.text[block.start : block.end]) for block in blocks[1:])


def entries_of(paper: Paper) -> Counter[str]:
    """Return the starts of the entries."""
    return Counter(squeezed(entry.text)[:24] for entry in paper.references)


def compared(source: Paper, read: Paper | None, found: Counter[str]) -> None:
    """Count what was read of ``source``."""
    first = next(block for block in source.blocks if block.kind == "heading")
    title = squeezed(source.text[first.start : first.end])
    found["papers"] += 1
    found["titles"] += read is not None and squeezed(read.title) == title
    for name, kind in (("headings", headings_of), ("entries", entries_of)):
        wanted = kind(source)
        got = Counter() if read is None else kind(read)
        found[name] += wanted.total()
        found[f"{name} right"] += (wanted & got).total()
        found[f"{name} read"] += got.total()


def read_back(name: str, papers: list[Paper], folder: Path) -> Counter[str]:
    """Write ``papers`` with the writer ``name``, read the files, and count what was found."""
    write, ending, corpus, _ = WRITERS[name]
    for paper in papers:
        write(paper, folder / f"{paper.id}{ending}")
    read = {each.id: each for each in corpus(folder).papers(context())}
    skipped = (each for each in read.values() if isinstance(each, Skipped))
    found = Counter(f"skipped: {each.reason}" for each in skipped)
    for paper in papers:
        item = read.get(paper.id)
        compared(paper, item if isinstance(item, Paper) else None, found)
    return found


def main() -> None:
    """Print a row for each writer, for generated papers and for papers of people."""
    papers = sources()
    sets = {"generated": papers[:GENERATED], "of people": papers[GENERATED:]}
    print(
        "| writer | papers | titles | headings: precision | recall | entries: precision | recall |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, (_, _, _, present) in WRITERS.items():
        if not present():
            print(f"{name}: not installed", file=sys.stderr)
            continue
        for kind, chosen in sets.items():
            if chosen:
                with tempfile.TemporaryDirectory() as folder:
                    print(_row(name, kind, read_back(name, chosen, Path(folder))), flush=True)


def _row(name: str, kind: str, found: Counter[str]) -> str:
    cells = [name, f"{found['papers']} {kind}", f"{found['titles']} of {found['papers']}"]
    for what in ("headings", "entries"):
        for total in (found[f"{what} read"], found[what]):
            interval = wilson_interval(found[f"{what} right"], total)
            share = found[f"{what} right"] / total if total else 0.0
            cells.append(f"{share:.3f} [{interval.low:.3f}, {interval.high:.3f}]")
    return f"| {' | '.join(cells)} |"
