"""What holds for any text at all, and that no text takes more than its share of time."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model.paper import Paper
from tests.cpu_time import cpu_seconds

PIECES = [
    "$",
    "$$",
    "\n",
    "\n\n",
    "# ",
    "## 2 Method\n",
    "Abstract",
    "ABSTRACT\n",
    "REFERENCES\n\n",
    "(",
    ")",
    "[",
    "]",
    "[3]",
    "[3, 4]",
    "(Lee et al., 2020)",
    "Lee et al. (2020)",
    "Lee",
    "et al. ",
    "2020",
    ". ",
    "A",
    "a b c. ",
    "The cat sat. ",
    "- ",
    "1. ",
    "* ",
    "> ",
    "|a|b|\n",
    "```",
    "`",
    "\\",
    "\\begin{equation}",
    "\\end{equation}",
    "\\begin{itemize}",
    "\\item ",
    "\\section{A}",
    "\\title{",
    "{",
    "}",
    "<table>",
    "</table>",
    "<b>",
    "<!--",
    "-->",
    "http://a.b/c.",
    "![a](b)",
    "[a](http://b)",
    "[^1]: x",
    "[^1]",
    "Figure 1: ",
    "Table 2",
    "Eq. (3)",
    "%",
    "\n%x\n",
    "---\n",
    "===\n",
    "    ",
    "\t",
    "“",
    "”",
    '"',
    "。",
    "日本。",
    "…",
    "...",
    "e.g. ",
    "J. ",
    "1\n",
    "A.1\n",
    "INTRODUCTION\n",
    "\\bibitem{x} ",
    "Smith, J. Foo. 2020.\n",
    "10.1234/ab",
    "x@y.z",
    "^[3]",
    "<sup>3</sup>",
    "&amp;",
    "  \n",
    "\u00a0",
    "\u3000",
    "\x0b",
    "\u2028",
    "\U0001d400",
    "§ 3",
]

texts = st.one_of(
    st.text(min_size=1, max_size=80),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=40).map("".join),
).filter(lambda text: text.strip() != "")


def check(text):
    paper = Paper(id="any", text=text)
    position = 0
    for block in paper.blocks:
        assert position <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip() == text[block.start : block.end]
        assert (block.level > 0) == (block.kind == "heading")
        position = block.end
    for index, block in enumerate(paper.blocks):
        inside = [sentence for sentence in paper.sentences if sentence.block == index]
        protected = paper.protected(block.start, block.end)
        position = block.start
        for span in protected:
            assert position <= span.start < span.end <= block.end
            position = span.end
        if not block.is_prose:
            assert inside == []
            continue
        assert (inside[0].start, inside[-1].end) == (block.start, block.end)
        for before, after in pairwise(inside):
            assert before.end <= after.start
            assert text[before.end : after.start].strip() == ""
            assert not any(span.start < before.end < span.end for span in protected)
    position = 0
    for citation in paper.citations:
        assert position <= citation.start < citation.end
        assert citation.keys
        assert all(citation.keys)
        position = citation.end
        block = next(b for b in paper.blocks if b.start <= citation.start < b.end)
        assert citation.end <= block.end
        assert any(
            span.start <= citation.start and citation.end <= span.end
            for span in paper.protected(block.start, block.end)
        )
    for reference in paper.references:
        assert 0 <= reference.start < reference.end <= len(text)
        assert "\n" not in reference.text
    assert paper.words >= 0


@settings(max_examples=400, deadline=None)
@given(texts)
def test_any_text_is_parsed_into_ordered_pieces(text):
    check(text)


UNITS = [
    "$",
    "(",
    "[",
    "`",
    "\\",
    "<",
    "{",
    "a ",
    "A. ",
    "( a. B ",
    '" a. B ',
    "“ a. B",
    "$$\n",
    "$ a ",
    "\\[",
    "\\(",
    "\\begin{equation}\n",
    "\\begin{foo}\n",
    "<table>\n",
    "<!--",
    "```a\n",
    "```\n~~~\n",
    "> ",
    "|a|\n",
    "- a\n",
    "1. a\n",
    "# a\n",
    "[1]",
    "(Lee, 2020 ",
    "Lee et al. ",
    "et al. (2020) ",
    "(a(",
    "((2020)",
    "[a](",
    "![a](b\n",
    "[^a]: b\n",
    "@",
    "http://",
    "http://)",
    "Figure 1 ",
    "\\cite[",
    "\\title{\n",
    "%\n",
    "===\na\n",
    "References\n\n",
    "1\nINTRODUCTION\n",
    "REFERENCES\nLee, A. Foo. 2020.\n",
    "    a\n",
    "…",
    "...",
    ".).).",
    "* * ",
    "**a",
    "2020, ",
    "Lee, 2020; ",
    "\\item a\n",
    "[FIGURE a]\n",
    "\n",
    "0 ",
    "。",
    "Lee, ",
]


def seconds(text, limit):
    def read():
        paper = Paper(id="long", text=text)
        assert paper.blocks is not None
        assert paper.sentences is not None
        assert paper.citations is not None
        assert paper.references is not None
        assert paper.protected(0, len(text)) is not None
        assert paper.words >= 0

    return cpu_seconds(read, limit)


@pytest.mark.parametrize("start", ["x", "# References\n\n"])
@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_length_only(unit, start):
    # 30 kB take about 5 ms of ordinary text; a pass that is quadratic takes seconds here.
    assert seconds(start + unit * (30_000 // len(unit)), 1.0) < 1.0


@pytest.mark.slow
def test_a_line_of_millions_of_characters():
    assert (
        seconds("The cat sat on the mat (Lee et al., 2020) with $x$ in [3]. " * 34_000, 15.0) < 15.0
    )
    assert seconds("(" * 100_000 + "$" * 100_000 + "[" * 100_000, 3.0) < 3.0


def test_a_long_number_behind_appendix_takes_no_time() -> None:
    # It took time that doubled with each digit.
    work = Paper("p", f"See Appendix A{'0' * 5_000}a.")
    assert len(work.sentences) == 1


def test_a_line_that_begins_with_many_blanks_is_read() -> None:
    work = Paper("p", f"# A\n\n{' ' * 3_000}We study gates that skip tokens.")
    assert (
        work.text[work.blocks[-1].start : work.blocks[-1].end] == "We study gates that skip tokens."
    )
