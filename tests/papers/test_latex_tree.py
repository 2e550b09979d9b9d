"""LaTeX trees: what is included, from where the reference list comes, and what is refused."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

import revkit
from revkit.model.paper import Paper
from revkit.papers import (
    expand_macros,
    is_stray_piece,
    papers_in_files,
    parts_of_trees,
    read_latex_tree,
    read_structure,
)
from revkit.papers.latex_macros import endless_macros
from tests.cpu_time import cpu_seconds

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

MAIN = r"""\documentclass{article}
\newcommand{\ours}{GateNet}
\newcommand{\also}[2]{#1 and #2}
\newcommand{\mysec}[1]{\section{#1}}
\def\half{0.5}
\title{Gates for Nets}
\begin{document}
\maketitle
\begin{abstract}
We study gates.
\end{abstract}
\input{parts/intro}
% \input{parts/old}
\mysec{Method}
\ours{} sets \also{gates}{nets} to \half.
\include{parts/results.tex}
\bibliography{refs}
\end{document}
"""
INTRO = "\\section{Introduction}\nGates are known \\citep{lee, xu2016}.\n"
RESULTS = "\\section{Results}\nThe gates of \\ours work \\cite{none}.\n"
BIB = """@article{xu2016, author={Xu, Bo and van der Maat, Lea}, title={Sets of {G}ates},
  journal={Gating Letters}, year={2016}}
@inproceedings{lee, author={Yann Lee}, title={Thresholds \\& Nets}, booktitle={Gating},
  year=2014}
@misc{unused, author={Z. Other}, title={Never cited}, year={2000}}
"""
BBL = r"""\begin{thebibliography}{1}
\bibitem[Lee(2014)]{lee} Yann Lee. Thresholds. Gating, 2014.
\bibitem[Xu(2016)]{xu2016} Bo Xu. Sets of gates. Letters, 2016.
\end{thebibliography}
"""


def tree(folder: Path, **files: str) -> Path:
    (folder / "parts").mkdir()
    (folder / "main.tex").write_text(MAIN, encoding="utf-8")
    (folder / "parts" / "intro.tex").write_text(INTRO, encoding="utf-8")
    (folder / "parts" / "results.tex").write_text(RESULTS, encoding="utf-8")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder / "main.tex"


def test_what_pandoc_writes(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    path.write_text(
        "\\documentclass{article}\n\\begin{document}\n"
        "\\section{\\texorpdfstring{Gates of \\(\\bar{n}\\)}{Gates of n}}\\label{gates}\n\n"
        "Gates are known {[}2{]}.\n\n\\begin{itemize}\n\\item\n  One town.\n\\end{itemize}\n\n"
        "\\pandocbounded{\\includegraphics[keepaspectratio]{a.jpg}}\n\n"
        "\\section{References}\\label{references}\n\n\\begin{itemize}\n\\tightlist\n"
        "\\item\n  {[}1{]} Lee, Y. (2014). Thresholds.\n  Gating.\n"
        "\\item\n  {[}2{]} Xu, B. (2016). Sets. Gating.\n\\end{itemize}\n\\end{document}\n",
        encoding="utf-8",
    )
    paper = Paper("p", read_latex_tree(path)[0])
    assert [entry.text for entry in paper.references] == [
        "Lee, Y. (2014). Thresholds. Gating.",
        "Xu, B. (2016). Sets. Gating.",
    ]
    assert [entry.label for entry in paper.references] == ["1", "2"]
    assert [mark.keys for mark in paper.citations] == [("2",)]
    kinds = [(block.kind, paper.text[block.start : block.end]) for block in paper.blocks]
    assert ("list-item", "One town.") in kinds
    assert ("figure", "\\includegraphics[keepaspectratio]{a.jpg}") in kinds
    headings = [paper.text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]
    assert headings == ["Gates of \\(\\bar{n}\\)", "References"]


def test_a_tree_is_one_text(tmp_path: Path) -> None:
    text, notes = read_latex_tree(tree(tmp_path, refs_bib=BIB))
    paper = Paper("p", text)
    headings = [text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]
    assert headings == ["Introduction", "Method", "Results"]
    assert "GateNet sets gates and nets to 0.5." in text
    assert [(entry.label, entry.year) for entry in paper.references] == [
        ("lee", 2014),
        ("xu2016", 2016),
    ]
    assert "Thresholds \\& Nets" in text
    assert "Never cited" not in text
    assert notes == (
        "reference list of 2 works made from BibTeX",
        "1 works cited are not in the BibTeX files",
        "expanded 5 uses of the paper's macros",
    )
    assert "\\input{parts/old}" in text
    read = read_structure(paper)
    assert (read.citations, read.matched) == (3, 2)


def test_the_list_of_bibtex_itself_comes_first(tmp_path: Path) -> None:
    text, notes = read_latex_tree(tree(tmp_path, refs_bib=BIB, main_bbl=BBL))
    assert "reference list from main.bbl" in notes
    assert text.count("\\bibitem") == 2
    assert "Sets of gates. Letters" in text


def test_files_within_the_source(tmp_path: Path) -> None:
    inside = f"\\begin{{filecontents}}{{refs.bib}}\n{BIB}\\end{{filecontents}}\n"
    path = tree(tmp_path)
    path.write_text(inside + MAIN, encoding="utf-8")
    text, _ = read_latex_tree(path)
    assert [entry.label for entry in Paper("p", text).references] == ["lee", "xu2016"]


def test_loops_and_files_outside_are_refused(tmp_path: Path) -> None:
    inner = tmp_path / "paper"
    inner.mkdir()
    (tmp_path / "secret.tex").write_text("SECRET")
    path = tree(inner, refs_bib=BIB)
    (inner / "link.tex").symlink_to(tmp_path / "secret.tex")
    bad = "\\input{../secret}\n\\input{/etc/hostname}\n\\input{link}\n\\input{main}\n\\input{no}\n"
    (inner / "parts" / "intro.tex").write_text(INTRO + bad + "\\input{parts/intro}", "utf-8")
    text, notes = read_latex_tree(path)
    assert "SECRET" not in text
    assert text.count("Gates are known") == 1
    refused = [note for note in notes if note.startswith("not read: ")]
    assert refused == [
        "not read: ../secret lies outside the folder",
        "not read: /etc/hostname lies outside the folder",
        "not read: link lies outside the folder",
        "not read: main includes itself",
        "not read: no is not in the folder",
        "not read: parts/intro includes itself",
    ]


def test_many_inclusions_of_one_file_are_bounded(tmp_path: Path) -> None:
    for number in range(8):
        lines = f"\\input{{f{number + 1}}}\n" * 10
        (tmp_path / f"f{number}.tex").write_text(lines if number < 7 else "x" * 1000)
    text, notes = read_latex_tree(tmp_path / "f0.tex", most_bytes=200_000)
    assert len(text) < 1_000_000
    assert any(note.startswith("not read: ") for note in notes)


def test_parts_of_a_tree_are_no_papers(tmp_path: Path) -> None:
    path = tree(tmp_path, refs_bib=BIB)
    assert parts_of_trees(sorted(tmp_path.rglob("*.tex"))) == {
        (tmp_path / "parts" / "intro.tex").resolve(),
        (tmp_path / "parts" / "results.tex").resolve(),
    }
    papers = list(papers_in_files(tmp_path))
    assert [paper.id for paper in papers] == ["main.tex"]
    assert isinstance(papers[0], Paper)
    assert papers[0].title == "Gates for Nets"
    assert papers[0].text == read_latex_tree(path)[0]
    spec = {
        "revkit": 1,
        "name": "tree",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(tmp_path)}},
        "agents": {"counter": "citation-counter"},
        "metrics": [],
    }
    readings, skipped = revkit.check_papers(spec)
    assert [reading.id for reading in readings] == ["main"]
    assert skipped == []
    assert readings[0].structure.references == 2


PIECE = "\\section{Secret}\nThis is secret text.\n"


def test_a_file_that_only_a_comment_includes_is_no_paper(tmp_path: Path) -> None:
    main = "\\documentclass{article}\n\\begin{document}\n%\\input{secret}\nText.\n\\end{document}\n"
    (tmp_path / "main.tex").write_text(main)
    (tmp_path / "secret.tex").write_text(PIECE)
    (tmp_path / "other.tex").write_text(f"\\title{{Other}}\n{PIECE}")
    assert parts_of_trees(sorted(tmp_path.glob("*.tex"))) == {(tmp_path / "secret.tex").resolve()}
    (tmp_path / "main.tex").write_text(main.replace("secret", "other"))
    assert parts_of_trees(sorted(tmp_path.glob("*.tex"))) == frozenset()


def test_a_piece_that_nothing_includes_is_stray_beside_a_document(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    piece = tmp_path / "old" / "secret.tex"
    piece.write_text(PIECE)
    assert not is_stray_piece(piece, tmp_path)
    (tmp_path / "main.tex").write_text("\\documentclass{article}\n\\begin{document}\nText.\n")
    assert is_stray_piece(piece, tmp_path)
    assert not is_stray_piece(piece, tmp_path / "old")
    assert not is_stray_piece(tmp_path / "main.tex", tmp_path)
    for head in ("\\title{Gates}", "\\begin{abstract}", "\\section{Introduction}"):
        piece.write_text(f"{head}\n{PIECE}")
        assert not is_stray_piece(piece, tmp_path)


def test_a_macro_or_list_that_is_turned_off_has_no_effect(tmp_path: Path) -> None:
    definition = "% \\newcommand{\\x}{old}\n\\newcommand{\\x}{gates}"
    assert expand_macros(f"{definition}\n\\begin{{document}}\\x")[0].endswith("}gates")
    (tmp_path / "new.bib").write_text(BIB)
    (tmp_path / "main.tex").write_text(
        "\\begin{document}\n\\cite{xu2016}\n\\iffalse\\bibliography{old}\\fi\n"
        "\\bibliography{new}\n\\end{document}\n"
    )
    text, _ = read_latex_tree(tmp_path / "main.tex")
    assert "\\bibliography{old}" in text
    assert "\\bibliography{new}" not in text


MACROS = [
    (r"\newcommand{\x}{gates}", r"\x{} and \x, \xy", r"gates and gates, \xy", 2),
    (r"\newcommand\x[1]{\emph{#1}}", r"\x{a {b} c} \x 3", r"\emph{a {b} c} \x 3", 1),
    (r"\def\x#1#2{#2 #1}", r"\x{a}{b}", "b a", 1),
    (r"\newcommand{\x}{gates\xspace}", r"\x work", "gates work", 1),
    (r"\newcommand{\x}[2][d]{#1#2}", r"\x{a}", r"\x{a}", 0),
    (r"\newcommand{\x}{\x a}", r"\x", r"\x", 0),
    (r"\newcommand{\x}{\y}\newcommand{\y}{\x}", r"\x", r"\x", 0),
    (r"\newcommand{\x}{a}", "\\begin{verbatim}\\x\\end{verbatim} % \\x", None, 0),
]


@pytest.mark.parametrize(("definition", "body", "expected", "uses"), MACROS)
def test_simple_macros(definition: str, body: str, expected: str | None, uses: int) -> None:
    head = f"{definition}\n\\begin{{document}}"
    text, count = expand_macros(f"{head}{body}")
    assert text == f"{head}{body if expected is None else expected}"
    assert count == uses


def test_macros_that_grow_are_bounded() -> None:
    pairs = zip("abcdefg", "bcdefgh", strict=True)
    doubling = "".join(f"\\newcommand{{\\a{c}}}{{\\a{d}\\a{d}}}" for c, d in pairs)
    uses = "\\aa " * 20_000
    text, _ = expand_macros(f"{doubling}\\begin{{document}}{uses}")
    assert len(text) < 2_000_000


def test_a_real_source_has_its_list() -> None:
    path = DATA / "aiscientist_ai_papers" / "latex" / "gan_diffusion" / "template.tex"
    if not path.is_file():
        pytest.skip("../shared/data is not present")
    read = read_structure(Paper("p", read_latex_tree(path)[0]))
    assert (read.references, read.citations, read.matched) == (9, 14, 14)


@pytest.mark.parametrize(
    ("definitions", "name"),
    [
        (r"\def\a{\a\a}", "a"),
        (r"\newcommand{\a}{\b\b}\newcommand{\b}{\a}", "a"),
        (r"\def\a{\b}\def\b{\c\c}\def\c{\b}", "b"),
    ],
)
def test_a_macro_that_uses_itself_stays_and_the_prose_around_it_too(
    tmp_path: Path, definitions: str, name: str
) -> None:
    path = tmp_path / "main.tex"
    head = f"\\documentclass{{article}}\n{definitions}\n\\begin{{document}}\n"
    path.write_text(f"{head}A paragraph with words.\n\\a\n\\end{{document}}\n", encoding="utf-8")
    text, notes = read_latex_tree(path)
    assert f"not expanded: \\{name}, because the definition uses itself" in notes
    paper = Paper("p", text)
    assert f"A paragraph with words.\n\\{name}" in text
    assert paper.words == 5


def test_a_macro_that_uses_itself_with_its_argument_stays(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    head = "\\documentclass{article}\n\\newcommand{\\x}[1]{\\x{#1#1}}\n\\begin{document}\n"
    path.write_text(f"{head}Gates work.\n\\x{{ab}}\n\\end{{document}}\n", encoding="utf-8")
    text, notes = read_latex_tree(path)
    assert "not expanded: \\x, because the definition uses itself" in notes
    assert Paper("p", text).words > 0


def test_a_macro_that_uses_an_endless_one_is_expanded(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    head = "\\documentclass{article}\n\\def\\a{\\a}\\newcommand{\\b}{our method \\a}\n"
    path.write_text(f"{head}\\begin{{document}}\nWe show \\b works.\n\\end{{document}}\n", "utf-8")
    text, notes = read_latex_tree(path)
    assert "We show our method \\a works." in text
    assert "not expanded: \\a, because the definition uses itself" in notes


def test_many_macros_and_open_uses_take_little_time() -> None:
    names = ["m" + "".join(chr(97 + int(digit)) for digit in str(n)) for n in range(3_000)]
    chain = "".join(f"\\def\\{a}{{\\{b}}}" for a, b in pairwise(names))
    for head, body in (
        (chain, "\\ma"),
        ("\\newcommand{\\h}[1]{x #1}", "\\h{" * 50_000),
        ("\\newcommand{\\h}[1]{x #1}", "\\h{" * 50_000 + "}" * 50_000),
    ):
        text = f"\\documentclass{{article}}{head}\\begin{{document}}{body}\\end{{document}}"
        assert cpu_seconds(partial(expand_macros, text), limit=5) <= 5
        assert cpu_seconds(partial(endless_macros, text), limit=5) <= 5
