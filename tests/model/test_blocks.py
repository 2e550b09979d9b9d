"""Blocks: small texts of every kind, with the blocks a reader sees in them."""

import pytest

from revkit.model.blocks import parse_blocks


def kinds(text):
    return [(block.kind, text[block.start : block.end]) for block in parse_blocks(text)]


def roles(text):
    return [
        (text[block.start : block.end], block.role)
        for block in parse_blocks(text)
        if block.kind == "heading"
    ]


MATH = "$$\nx = 1\n$$"
HTML_TABLE = "<table><tr><td>1</td></tr>\n\n<tr></tr></table>"
EQUATION = "\\begin{equation}\n x = 1\n\n y = 2\n\\end{equation}"
TABULAR = "\\begin{table}[h]\n\\begin{tabular}{ll}\n1 & 2\n\\end{tabular}\n\\end{table}"
SAID = "We say that it works."

KINDS = [
    ("", []),
    (" \n\n\t\n", []),
    (SAID, [("paragraph", SAID)]),
    (
        "We say\nthat it\nworks.\n\nIt is so.",
        [("paragraph", "We say\nthat it\nworks."), ("paragraph", "It is so.")],
    ),
    ("## The model ##\n\nIt is new.", [("heading", "The model"), ("paragraph", "It is new.")]),
    ("#hashtag is no heading here.", [("paragraph", "#hashtag is no heading here.")]),
    ("A title\n=====\n\nIt is new.", [("heading", "A title"), ("paragraph", "It is new.")]),
    ("A part\n---\nIt is new.", [("heading", "A part"), ("paragraph", "It is new.")]),
    ("It is new.\n\n---\n\nIt is old.", [("paragraph", "It is new."), ("paragraph", "It is old.")]),
    # Lists.
    (
        "- it is one\n- it is two\n  and more\n",
        [("list-item", "it is one"), ("list-item", "it is two\n  and more")],
    ),
    ("1. it is one\n2) it is two", [("list-item", "it is one"), ("list-item", "it is two")]),
    ("* it is one\n    * it is deep\n", [("list-item", "it is one"), ("list-item", "it is deep")]),
    (
        "- it is one\n\n  it goes on here.\n\nIt is over.",
        [
            ("list-item", "it is one"),
            ("list-item", "it goes on here."),
            ("paragraph", "It is over."),
        ],
    ),
    ("We have these:\n- it is one", [("paragraph", "We have these:"), ("list-item", "it is one")]),
    ("• it is one\n• it is two", [("list-item", "it is one"), ("list-item", "it is two")]),
    (
        "> it is said\n> by them\n\nIt is so.",
        [("quote", "it is said\n> by them"), ("paragraph", "It is so.")],
    ),
    # Tables.
    (
        "It is so:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nIt ends.",
        [
            ("paragraph", "It is so:"),
            ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
            ("paragraph", "It ends."),
        ],
    ),
    (
        "a | b\n--|--\n1 | 2\n\nIt ends.",
        [("table", "a | b\n--|--\n1 | 2"), ("paragraph", "It ends.")],
    ),
    (
        f"It is so.\n\n{HTML_TABLE}\nTable 1: The numbers.\n\nIt ends.",
        [
            ("paragraph", "It is so."),
            ("table", HTML_TABLE),
            ("table", "Table 1: The numbers."),
            ("paragraph", "It ends."),
        ],
    ),
    (
        "<table><tr>\nis open\n\nIt ends here.",
        [("table", "<table><tr>\nis open"), ("paragraph", "It ends here.")],
    ),
    # Code.
    (
        "```python\n# not a heading\n\nx = 1\n```\nIt ends.",
        [("code", "```python\n# not a heading\n\nx = 1\n```"), ("paragraph", "It ends.")],
    ),
    ("~~~\nx\n~~~", [("code", "~~~\nx\n~~~")]),
    ("```\nis open\n\nIt ends here.", [("code", "```\nis open"), ("paragraph", "It ends here.")]),
    (
        "It is so:\n\n    x = f(1)\n    y = 2\n\nIt ends.",
        [("paragraph", "It is so:"), ("code", "x = f(1)\n    y = 2"), ("paragraph", "It ends.")],
    ),
    (
        "    We indent the first line\nof every paragraph here.",
        [("paragraph", "We indent the first line\nof every paragraph here.")],
    ),
    # Mathematics.
    (
        f"It is\n{MATH}\nwhere it ends.",
        [("paragraph", "It is"), ("math", MATH), ("paragraph", "where it ends.")],
    ),
    (
        "It is\n$$x = 1$$\nwhere it ends.",
        [("paragraph", "It is"), ("math", "$$x = 1$$"), ("paragraph", "where it ends.")],
    ),
    (
        "It is\n\\[ x = 1 \\]\nwhere it ends.",
        [("paragraph", "It is"), ("math", "\\[ x = 1 \\]"), ("paragraph", "where it ends.")],
    ),
    (
        "$$ x is lost\n\n# It is a heading\n\nIt is prose here.\n\n$$\ny\n$$",
        [
            ("math", "$$ x is lost"),
            ("heading", "It is a heading"),
            ("paragraph", "It is prose here."),
            ("math", "$$\ny\n$$"),
        ],
    ),
    (
        "$$\n\nThe text after a stray mark is still the prose of this paper.\n\n$$\ny\n$$",
        [
            ("math", "$$"),
            ("paragraph", "The text after a stray mark is still the prose of this paper."),
            ("math", "$$\ny\n$$"),
        ],
    ),
    ("It costs $5 and then $10 more.", [("paragraph", "It costs $5 and then $10 more.")]),
    # Figures.
    (
        "![](a/b.jpg)  \nFigure 1: It is a picture.\n\nIt ends.",
        [
            ("figure", "![](a/b.jpg)"),
            ("figure", "Figure 1: It is a picture."),
            ("paragraph", "It ends."),
        ],
    ),
    ("Figure 3 shows that it works.", [("paragraph", "Figure 3 shows that it works.")]),
    ("**Table 2.** The numbers of it.", [("table", "**Table 2.** The numbers of it.")]),
    (
        "Algorithm 1 Training of it\n\nIt ends.",
        [("figure", "Algorithm 1 Training of it"), ("paragraph", "It ends.")],
    ),
    # Front matter and HTML.
    (
        "---\ntitle: A\n---\n\nIt is so.",
        [("front-matter", "---\ntitle: A\n---"), ("paragraph", "It is so.")],
    ),
    ("<!-- a\n\nb -->\nIt is so.", [("html", "<!-- a\n\nb -->"), ("paragraph", "It is so.")]),
    (
        "<div align=center>\nis it\n</div>\n\nIt is so.",
        [("html", "<div align=center>\nis it\n</div>"), ("paragraph", "It is so.")],
    ),
    ("<b>It</b> is so.", [("paragraph", "<b>It</b> is so.")]),
    ("[a]: http://b.c\n\nIt is so.", [("html", "[a]: http://b.c"), ("paragraph", "It is so.")]),
    (
        "It is so.[^1]\n\n[^1]: We note it here.",
        [("paragraph", "It is so.[^1]"), ("list-item", "We note it here.")],
    ),
    # LaTeX source.
    (
        f"It is\n{EQUATION}\nwhere it ends.",
        [("paragraph", "It is"), ("math", EQUATION), ("paragraph", "where it ends.")],
    ),
    (
        f"It is so.\n\n{TABULAR}\n\nIt ends.",
        [("paragraph", "It is so."), ("table", TABULAR), ("paragraph", "It ends.")],
    ),
    (
        "\\section{The \\emph{new} model}\\label{sec:a}\nIt is new.",
        [("heading", "The \\emph{new} model"), ("paragraph", "It is new.")],
    ),
    ("\\paragraph{Setup.} It is new.", [("heading", "Setup."), ("paragraph", "It is new.")]),
    (
        "\\begin{itemize}\n  \\item It is one.\n  \\item[b] It is two\n  here.\n\\end{itemize}\n"
        "It ends.",
        [
            ("list-item", "It is one."),
            ("list-item", "It is two\n  here."),
            ("paragraph", "It ends."),
        ],
    ),
    (
        "\\documentclass{a}\n\n\\title{B}\n\\begin{document}\n\\maketitle\nIt is so.",
        [
            ("front-matter", "\\documentclass{a}\n\n\\title{B}\n\\begin{document}"),
            ("paragraph", "It is so."),
        ],
    ),
    ("% it is a comment\nIt is so.", [("paragraph", "It is so.")]),
    (
        "\\begin{equation}\nx is open\n\nIt ends here.",
        [("math", "\\begin{equation}\nx is open"), ("paragraph", "It ends here.")],
    ),
    (
        "\\begin{theorem}[Main]\\label{t}\nIt is true.\n\\end{theorem}",
        [("paragraph", "\\label{t}\nIt is true.")],
    ),
    # PDF text.
    (
        "It is so.\n\n12\n\nIt ends.",
        [("paragraph", "It is so."), ("figure", "12"), ("paragraph", "It ends.")],
    ),
    (
        "It is so.\n\nPublished as a conference paper at ICLR 2022\n\nIt ends.",
        [
            ("paragraph", "It is so."),
            ("front-matter", "Published as a conference paper at ICLR 2022"),
            ("paragraph", "It ends."),
        ],
    ),
    (
        "It is so.\n\n0.1 0.2 0.3\n\nTraining steps\n\n(a)\n\nIt ends.",
        [
            ("paragraph", "It is so."),
            ("figure", "0.1 0.2 0.3"),
            ("figure", "Training steps"),
            ("figure", "(a)"),
            ("paragraph", "It ends."),
        ],
    ),
    (
        "It is so\n3\nUnder review as a conference paper at ICLR 2022\nand ends here.",
        [
            ("paragraph", "It is so"),
            ("figure", "3"),
            ("front-matter", "Under review as a conference paper at ICLR 2022"),
            ("paragraph", "and ends here."),
        ],
    ),
    ("where it is $x$", [("paragraph", "where it is $x$")]),
    ("日本語の文です", [("paragraph", "日本語の文です")]),
]


@pytest.mark.parametrize(("text", "expected"), KINDS)
def test_kinds(text, expected):
    assert kinds(text) == expected


def test_markdown_roles_and_inheritance():
    text = (
        "# A new model\n\nJane Doe, University of X\n\n## Abstract\n\nIt is new.\n\nIt is good.\n\n"
        "## 1. Introduction\n\nA.\n\n## 2. Related Work\n\nB.\n\n### 2.1 Graphs\n\nC.\n\n"
        "## 3 Our method\n\nD.\n\n## 4 Experiments\n\n### 4.1 Setup\n\n### 4.2 Results\n\nE.\n\n"
        "## 5 Discussion and Limitations\n\nF.\n\n## 6 Conclusion\n\nG.\n\n"
        "## Acknowledgements\n\nH.\n\n## References\n\n[1] A. Lee. B. 2020.\n\n"
        "## Appendix\n\n### More numbers\n\nI am prose here.\n"
    )
    assert roles(text) == [
        ("A new model", "front"),
        ("Abstract", "abstract"),
        ("1. Introduction", "introduction"),
        ("2. Related Work", "related-work"),
        ("2.1 Graphs", "related-work"),
        ("3 Our method", "method"),
        ("4 Experiments", "experiments"),
        ("4.1 Setup", "experiments"),
        ("4.2 Results", "results"),
        ("5 Discussion and Limitations", "discussion"),
        ("6 Conclusion", "conclusion"),
        ("Acknowledgements", "acknowledgements"),
        ("References", "references"),
        ("Appendix", "appendix"),
        ("More numbers", "appendix"),
    ]
    blocks = parse_blocks(text)
    assert (blocks[1].kind, blocks[1].role) == ("front-matter", "front")
    assert [b.role for b in blocks if b.is_prose][:2] == ["abstract", "abstract"]
    assert (blocks[-1].role, blocks[-1].is_prose) == ("appendix", True)
    assert [block.level for block in blocks if block.kind == "heading"] == [
        1,
        2,
        2,
        2,
        3,
        2,
        2,
        3,
        3,
        2,
        2,
        2,
        2,
        2,
        3,
    ]


def test_headings_of_ocr_text_take_their_level_from_their_number():
    text = (
        "# TITLE OF IT\n\nAnonymous authors\n\n# ABSTRACT\n\nIt is.\n\n# 1 INTRODUCTION\n\nA.\n\n"
        "# 2 METHOD\n\n# 2.1 LOSS\n\nB.\n\n# A remark\n\nC.\n\n# 3 EXPERIMENTS\n\nD.\n\n"
        "# REFERENCES\n\nA. Lee. B. 2020.\n\n# A PROOFS\n\nE.\n"
    )
    blocks = parse_blocks(text)
    headings = [(text[b.start : b.end], b.level, b.role) for b in blocks if b.kind == "heading"]
    assert headings == [
        ("TITLE OF IT", 1, "front"),
        ("ABSTRACT", 1, "abstract"),
        ("1 INTRODUCTION", 1, "introduction"),
        ("2 METHOD", 1, "method"),
        ("2.1 LOSS", 2, "method"),
        ("A remark", 3, "method"),
        ("3 EXPERIMENTS", 1, "experiments"),
        ("REFERENCES", 1, "references"),
        ("A PROOFS", 1, "appendix"),
    ]


def test_pdf_text_without_marks():
    text = (
        "A NEW MODEL OF\nGRAPHS AND TREES\n\nJane Doe\nUniversity of X\n\nABSTRACT\n\nIt is new\n"
        "and good.\n\n1 INTRODUCTION\n\nWe begin here.\n\n**2** **METHOD**\n\nWe do it.\n\n"
        "2.1 Loss of the model\n\nIt is convex.\n\n3 2 0.5\n\n2 Foo 7.5 8.5 9.5\n\n"
        "3. EXPERIMENTS\n\nWe test it.\n\nREFERENCES\n\nAda Lee. On it. 2020.\n\n"
        "A PROOF OF IT\n\nWe prove it.\n\nA.1 FIRST PART\n\nIt is easy.\n"
    )
    assert roles(text)[1:] == [
        ("ABSTRACT", "abstract"),
        ("1 INTRODUCTION", "introduction"),
        ("**2** **METHOD**", "method"),
        ("2.1 Loss of the model", "method"),
        ("3. EXPERIMENTS", "experiments"),
        ("REFERENCES", "references"),
        ("A PROOF OF IT", "appendix"),
        ("A.1 FIRST PART", "appendix"),
    ]
    prose = [text[b.start : b.end] for b in parse_blocks(text) if b.is_prose]
    assert prose == [
        "It is new\nand good.",
        "We begin here.",
        "We do it.",
        "It is convex.",
        "We test it.",
        "We prove it.",
        "It is easy.",
    ]


def test_pdf_text_without_a_blank_line():
    text = (
        "GRAPHS WITHOUT TREES\nAnonymous authors\nABSTRACT\nIt is new and it is\ngood.\n1\n"
        "INTRODUCTION\nWe begin here with\nthis.\n2.1\nLOSS TERMS\nIt is convex and\nflat.\n"
        "REFERENCES\nAda Lee and Bo Xu. On it and on\nmore. In Proc., 2020.\n"
        "Cy Day. A title. ACM, 2019.\nA\nPROOF OF IT\nWe prove it."
    )
    assert [(kind, body) for kind, body in kinds(text) if kind != "front-matter"][1:] == [
        ("heading", "ABSTRACT"),
        ("paragraph", "It is new and it is\ngood."),
        ("heading", "1\nINTRODUCTION"),
        ("paragraph", "We begin here with\nthis."),
        ("heading", "2.1\nLOSS TERMS"),
        ("paragraph", "It is convex and\nflat."),
        ("heading", "REFERENCES"),
        ("reference", "Ada Lee and Bo Xu. On it and on\nmore. In Proc., 2020."),
        ("reference", "Cy Day. A title. ACM, 2019."),
        ("heading", "A\nPROOF OF IT"),
        ("paragraph", "We prove it."),
    ]


@pytest.mark.parametrize("opening", ["Abstract—", "Abstract. ", "**Abstract:** ", "ABSTRACT: "])
def test_an_abstract_on_the_line_of_its_name(opening):
    text = f"The Title\n\n{opening}We say that it works.\n\n1 Introduction We begin here."
    blocks = parse_blocks(text)
    assert [(text[b.start : b.end], b.role) for b in blocks if b.is_prose] == [
        ("We say that it works.", "abstract"),
        ("We begin here.", "introduction"),
    ]


def test_a_paper_without_headings_is_prose_of_no_section():
    text = "We say that it works.\n\nWe say why it works."
    assert [(b.kind, b.role, b.section) for b in parse_blocks(text)] == [
        ("paragraph", "other", ""),
        ("paragraph", "other", ""),
    ]


def test_a_title_alone_does_not_hide_the_prose():
    body = "We say that it works. " * 10
    text = f"# A title\n\n{body}\n\nWe say more of it. {body}"
    assert [b.role for b in parse_blocks(text) if b.is_prose] == ["other", "other"]


def test_latex_sections_have_roles():
    text = (
        "\\begin{abstract}\nIt is new.\n\\end{abstract}\n\\section{Introduction}\nA is it.\n"
        "\\subsection{Aim}\nB is it.\n\\section*{Results}\nC is it.\n\\appendix\n"
        "\\section{Proofs}\nD is it.\n"
    )
    assert [(text[b.start : b.end], b.role) for b in parse_blocks(text) if b.is_prose] == [
        ("It is new.", "abstract"),
        ("A is it.", "introduction"),
        ("B is it.", "introduction"),
        ("C is it.", "results"),
        ("D is it.", "appendix"),
    ]


def test_a_comment_stays_within_its_paragraph():
    text = "It is so\n% no\nand ends."
    assert kinds(text) == [("paragraph", text)]


@pytest.mark.parametrize(
    ("headings", "roles"),
    [
        (["Summary", "1 Introduction"], ["abstract", "introduction"]),
        (["Abstract", "1 Introduction", "7 SUMMARY"], ["abstract", "introduction", "conclusion"]),
        (["Abstract", "Introduction", "Summary"], ["abstract", "introduction", "conclusion"]),
        (["1 Summary", "2 Introduction"], ["abstract", "introduction"]),
        (["1 Introduction", "2 Gates", "2.1 Summary"], ["introduction", "other", "other"]),
    ],
)
def test_a_summary_at_the_end_is_a_conclusion(headings: list[str], roles: list[str]) -> None:
    text = "# Gates\n\n" + "".join(f"## {heading}\n\nWe study gates.\n\n" for heading in headings)
    assert [b.role for b in parse_blocks(text) if b.is_prose] == roles
