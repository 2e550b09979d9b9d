"""No family touches a reference, heading, table or formula of a real paper.

The parts are found here by rules of their own on the raw text, so that a part that our parser
does not see counts as well.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from revkit.contracts import Perturbation
from revkit.documents import PdfReader
from revkit.model import Edit, Paper, Rejection
from revkit.model.intake import clean_text, decode
from revkit.model.variant import Layout
from revkit.papers import read_latex_tree, refuse_unread
from revkit.testing import context
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.hedging import Hedging
from revkit_robustrev.length import Length
from revkit_robustrev.paraphrase import Paraphrase

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not present")

FAMILIES: list[Perturbation] = [
    Paraphrase(),
    CitationInjection(),
    Hedging(mode="add"),
    Hedging(mode="remove"),
    Length(ratios=(0.7,)),
    Length(ratios=(1.3,)),
]
_HEADING = re.compile(r"^#{1,6} \S[^\n]*|\\(?:sub)*section\*?\{[^{}\n]*\}", re.MULTILINE)
_CAPITALS = re.compile(r"^\d(?:\.\d)* +[A-Z][A-Z ,:-]{5,60}$", re.MULTILINE)
_TABLE = re.compile(
    r"<table.*?</table>|^\|[^\n]*\|$|\\begin\{tabular\}.*?\\end\{tabular\}", re.S | re.M
)
_DISPLAY = re.compile(
    r"\$\$.+?\$\$|\\begin\{(equation|align)\*?\}.+?\\end\{\1\*?\}|(?<!\\)\\\[.+?\\\]", re.S
)
_INLINE = re.compile(r"(?<![\\$\d])\$(?=\S)[^$\n]{0,200}?[\\^_=][^$\n]{0,200}?\$(?!\$)")
_LIST = re.compile(
    r"^(?:#+ *)?(?:\*\*)?(?:\d+\.? +)?(?:references|bibliography)(?:\*\*)?[ \t]*$"
    r"|\\begin\{thebibliography\}",
    re.I | re.M,
)
_BEHIND_LIST = re.compile(
    r"\n(?:#+ *\S|\*\*\S|[A-Z](?:\.\d)? +[A-Z]{2}|(?:appendix|supplement)\w*\b|\\end\{thebib|!\[)",
    re.I,
)


def paths() -> list[Path]:
    found: list[Path] = []
    for pattern in (
        "markdown_papers/*.md",
        "iclr2022_aiscientist/iclr_parsed/*.txt",
        "aiscientist_ai_papers/parsed_ai_papers/*.txt",
        "aiscientist_ai_papers/latex/*/*.tex",
        "acl2023_cc_by/*/paper.md",
        "iclr2022_aiscientist/fewshot_examples/*.txt",
    ):
        found += sorted(DATA.glob(pattern))
    return found


@cache
def paper(path: Path) -> Paper:
    if path.suffix == ".tex":
        return Paper(path.stem, read_latex_tree(path)[0]).blind()
    if path.suffix == ".pdf":
        pages = pytest.importorskip("pypdf").PdfReader(path).pages
        text, _ = clean_text("\n".join(page.extract_text() for page in pages))
        return Paper(path.stem, text).blind()
    return Paper(path.stem, decode(path.read_bytes())[0]).blind()


def parts(text: str) -> Iterator[tuple[str, int, int]]:
    """Every part that no family may touch, by rules on the raw text."""
    for name, pattern in (
        ("heading", _HEADING),
        ("heading", _CAPITALS),
        ("table", _TABLE),
        ("formula", _DISPLAY),
        ("inline formula", _INLINE),
    ):
        for match in pattern.finditer(text):
            yield name, *match.span()
    lists = list(_LIST.finditer(text))
    if lists:
        start = lists[-1].end()
        behind = _BEHIND_LIST.search(text, start + 200)
        yield "references", start, behind.start() if behind else len(text)


def touched(text: str, edits: Sequence[Edit]) -> list[tuple[str, str, str]]:
    found = []
    regions = list(parts(text))
    for edit in edits:
        for name, start, end in regions:
            cut = start < edit.start < end or start < edit.end < end
            over = edit.start < end and start < edit.end
            # A whole sentence may go with the formulas in it.
            if not cut and (name == "inline formula" or not over):
                continue
            # Citation injection adds whole entries to the list, and changes none.
            if name == "references" and edit.kind == "entry" and edit.start == edit.end:
                continue
            found.append((name, text[max(0, edit.start - 60) : edit.end + 60], edit.new))
    return found


def check(path: Path) -> int:
    return check_paper(paper(path), path.name)


def check_paper(base: Paper, name: str) -> int:
    made = 0
    for family in FAMILIES:
        edits = family.perturb(base, context(7))
        if isinstance(edits, Layout | Rejection):
            continue
        assert touched(base.text, edits) == [], (name, type(family).__name__)
        made += len(edits)
    return made


@pytest.mark.parametrize("path", paths()[5::16], ids=lambda path: path.stem)
def test_families_leave_parts_of_real_papers_alone(path: Path) -> None:
    assert check(path) > 0


def test_the_rules_notice_a_touch() -> None:
    text = "# Gates\n\nA $x_1 = 2$ b.\n\n| a | b |\n\n## References\n\nLee. Gates. 2014.\n"
    for part, name in (("Gates", "heading"), ("_1", "inline formula"), ("a |", "table")):
        start = text.index(part)
        assert [found[0] for found in touched(text, [Edit(start, start + 1, "z")])] == [name]
    start = text.index("2014")
    assert touched(text, [Edit(start, start + 4, "2015")])[0][0] == "references"
    assert touched(text, [Edit(start, start, "x", kind="entry")]) == []
    assert touched(text, [Edit(text.index("A $"), text.index("| a"), "")]) == []


@pytest.mark.slow
def test_families_leave_parts_of_pages_alone() -> None:
    assert all(check(path) for path in sorted((DATA / "pdfs").glob("*.pdf"))[:5])


@pytest.mark.slow
def test_families_leave_parts_of_pdf_files_as_the_corpus_reads_them_alone() -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    files = sorted(DATA.rglob("*.pdf"))
    assert len(files) == 8
    with PdfReader() as reader:
        papers = {path.name: Paper(path.stem, reader.read(path).text).blind() for path in files}
    assert sum(check_paper(base, name) for name, base in papers.items()) > 500


@pytest.mark.slow
def test_families_leave_parts_of_all_real_papers_alone() -> None:
    edits = [check(path) for path in paths()]
    assert len(edits) > 100
    assert sum(edits) > 10_000


def flattened(text: str, width: int) -> tuple[str, list[tuple[int, int, bool]]]:
    """A paper in Markdown without blank lines and marks, and where its headings (True) and
    references (False) are."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<table.*?</table>", "", text, flags=re.S)
    rows: list[str] = []
    spans = []
    start, listed = 0, False
    for line in filter(str.strip, text.split("\n")):
        bare = re.sub(r"^#+\s*", "", line).strip()
        if line.startswith("#"):
            listed = re.fullmatch(r"references|bibliography", bare, re.I) is not None
        for row in textwrap.wrap(bare, width, break_long_words=False) or [bare]:
            if listed or line.startswith("#"):
                spans.append((start, start + len(row), line.startswith("#")))
            rows.append(row)
            start += len(row) + 1
    return "\n".join(rows) + "\n", spans


def check_flat(path: Path, width: int) -> int:
    text, spans = flattened(path.read_text(encoding="utf-8"), width)
    base = Paper(path.stem, text).blind()
    made = 0
    for family in FAMILIES:
        edits = family.perturb(base, context(7))
        if refuse_unread(base, family.needs) or isinstance(edits, Layout | Rejection):
            continue
        made += len(edits)
        for edit in edits:
            for start, end, heading in spans:
                over = edit.start < end and start < edit.end
                within = edit.start == edit.end and start < edit.start < end
                own = edit.kind == "entry" and not heading
                assert own or not (over or within), (path.name, text[start:end], edit)
    return made


@pytest.mark.parametrize(
    ("step", "width"),
    [(12, 90), *(pytest.param(1, width, marks=pytest.mark.slow) for width in (90, 50, 100_000))],
)
def test_families_leave_parts_alone_where_no_blank_line_shows_them(step: int, width: int) -> None:
    papers = sorted((DATA / "markdown_papers").glob("*.md"))[::step]
    assert sum(check_flat(path, width) for path in papers) > 20 * len(papers)
