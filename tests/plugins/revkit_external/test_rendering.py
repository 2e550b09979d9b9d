"""The paper as a file: its words are all there, in each format, and always the same bytes."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest

from revkit.model.paper import Paper
from revkit.testing import tiny_papers
from revkit_external.rendering import LIBRARIES, render

ODD = Paper(
    id="odd",
    text=r"""# A \& B: 50% of $n_1 < n_2$

Words with *emphasis*, **strength**, `code_x`, αβγ, Škoda, "quotes", a_b, #1, 5 < 6 & {x}~^|\.
A [link](https://example.org/a_b) and <b>html</b>.

$$
E = mc^2
$$

Bad mathematics: $\input{/etc/passwd}$ and $}x{$.

- one
  - two
- three

4. four
5. five

> quoted

```python
\end{verbatim} % <tag> & "x"
```

| h1 | h2 & |
|----|------|
| a% | b<c  |
| d  |
""",
)
WORDS = ["50%", "emphasis", "strength", "code_x", "αβγ", "Škoda", "quoted", "four", "five", "html"]


def made(paper: Paper, format: str, folder: Path) -> bytes:
    """The bytes of the paper, which are the same at another time."""
    pytest.importorskip("mdit_py_plugins")
    path = folder / f"paper.{format}"
    report: Any = render(paper, format, path)
    assert all(library in report["renderer"] for library in LIBRARIES[format])
    first = path.read_bytes()
    render(paper, format, path)
    assert path.read_bytes() == first
    return first


def test_markdown_is_as_it_is(tmp_path: Path) -> None:
    paper = Paper("p", "a\r\nb\n")
    render(paper, "md", tmp_path / "p.md")
    assert (tmp_path / "p.md").read_bytes() == b"a\r\nb\n"


def test_plain_text(tmp_path: Path) -> None:
    text = made(ODD, "txt", tmp_path).decode()
    for word in WORDS:
        assert word in text
    assert "*" not in text
    assert "\n- one\n  - two\n- three\n" in text
    assert "4. four\n5. five" in text
    assert "h1 | h2 &\na% | b<c" in text
    assert "link (https://example.org/a_b)" in text
    assert "$$E = mc^2$$" in text


def test_tex(tmp_path: Path) -> None:
    text = made(ODD, "tex", tmp_path).decode()
    assert r"\title{A \& B: 50\% of $n_1 < n_2$}" in text
    assert r"a\_b, \#1, 5 \textless{} 6 \& \{x\}\textasciitilde{}" in text
    assert "\\[\nE = mc^2\n\\]" in text
    assert r"\input{" not in text
    assert r"\$\}x\{\$" in text
    assert r"a\% & b\textless{}c \\" in text
    body = text.split("\\begin{document}")[1]
    assert body.count("\\end{verbatim}") == 1


FLOATS = Paper(
    id="floats",
    text="""# Gates

See Table 1, and Table 3 [2].

**Table 1:** Scores of *gates* in %.

| net | score |
|---|---|
| A & B | 0.5 |

<table><tr><td colspan=2>nets &amp; gates</td></tr><tr><td>$x_1$</td><td>0.7</td></tr></table>

Table 3. Sizes.

## References

[1] A. Lee & B. Xu. *Gates*. 2014.

[2] C. Young. Nets_1. 2016.
""",
)


def test_tex_has_floats_and_a_reference_list(tmp_path: Path) -> None:
    text = made(FLOATS, "tex", tmp_path).decode()
    assert text.count("\\begin{table}") == text.count("\\end{table}") == 2
    assert "\\caption{Scores of \\emph{gates} in \\%.}\n\\label{tab:1}" in text
    assert "\\caption[]{Table 3. Sizes.}" in text
    assert "A \\& B & 0.5 \\\\" in text
    assert "nets \\& gates &  \\\\" in text
    assert "$x_1$ & 0.7 \\\\" in text
    assert "\\renewcommand{\\refname}{References}\n\\begin{thebibliography}{2}" in text
    assert "\\bibitem{ref1} A. Lee \\& B. Xu. \\emph{Gates}. 2014." in text
    assert "\\bibitem{ref2} C. Young. Nets\\_1. 2016." in text
    assert "\\section{References}" not in text


def test_tex_of_a_list_with_other_labels(tmp_path: Path) -> None:
    rows = "- [Lee21] A. Lee. 2021.\n- [Xu+20] B. Xu. 2020.\n\nNo list follows.\n"
    labelled = Paper("p", f"# T\n\n## References\n\n{rows.split('No')[0]}")
    text = made(labelled, "tex", tmp_path).decode()
    assert "\\bibitem[Lee21]{ref1} A. Lee. 2021." in text


def test_word(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document(io.BytesIO(made(ODD, "docx", tmp_path)))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    for word in WORDS:
        assert word in text
    assert document.paragraphs[0].style.name == "Heading 1"
    table = document.tables[0]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["h1", "h2 &"],
        ["a%", "b<c"],
        ["d", ""],
    ]


def test_pdf(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(made(ODD, "pdf", tmp_path)))
    text = " ".join(page.extract_text() for page in reader.pages)
    for word in WORDS:
        assert word in text
    assert "b<c" in text


def test_pdf_lists_what_it_cannot_show(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    report: Any = render(Paper("p", "# 中文\n\nwords"), "pdf", tmp_path / "p.pdf")
    assert report["notes"] == ["2 different characters have no glyph in the font: 中文"]


def test_a_table_that_fits_on_no_page(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    cell = "word " * 4000
    report: Any = render(
        Paper("p", f"| a | b |\n|-|-|\n| {cell} | x |\n"), "pdf", tmp_path / "p.pdf"
    )
    assert report["notes"] in ([], ["tables printed as lines, because one does not fit on a page"])


@pytest.mark.parametrize("format", ["txt", "tex", "docx", "pdf"])
def test_every_word_of_real_looking_papers(format: str, tmp_path: Path) -> None:
    for library in ("docx", "reportlab", "pypdf"):
        pytest.importorskip(library)
    for paper in tiny_papers():
        data = made(paper, format, tmp_path)
        if format == "docx":
            import docx

            document = docx.Document(io.BytesIO(data))
            cells = [c.text for t in document.tables for r in t.rows for c in r.cells]
            text = " ".join([*(p.text for p in document.paragraphs), *cells])
        elif format == "pdf":
            import pypdf

            text = " ".join(p.extract_text() for p in pypdf.PdfReader(io.BytesIO(data)).pages)
        else:
            text = data.decode()
        have = set(re.findall(r"[A-Za-z]{3,}", text.replace("-\n", "-")))
        want = set(re.findall(r"[A-Za-z]{3,}", paper.text))
        assert want - have <= {"https", "python"}, sorted(want - have)
