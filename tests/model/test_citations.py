"""Citation marks and reference entries, with keys, labels and years written by hand."""

import pytest

from revkit.model.blocks import parse_blocks
from revkit.model.citations import find_citations, parse_references, reference_year

CITATIONS = [
    # Numeric.
    ("as in [3].", [("[3]", ("3",))]),
    (
        "as in [3, 7-9] and [12; 13]",
        [("[3, 7-9]", ("3", "7", "8", "9")), ("[12; 13]", ("12", "13"))],
    ),
    ("as in [3][4]", [("[3]", ("3",)), ("[4]", ("4",))]),
    ("models[3] and layers [10–12]", [("[3]", ("3",)), ("[10–12]", ("10", "11", "12"))]),
    ("As illustrated in [33, 48], it works", [("[33, 48]", ("33", "48"))]),
    ("it works.^[3]", [("^[3]", ("3",))]),
    ("by others<sup>3,4</sup> too", [("<sup>3,4</sup>", ("3", "4"))]),
    ("by [4, Theorem 2], as", [("[4, Theorem 2]", ("4",))]),
    (
        "in [5, p. 3], [6, pp. 3–9] and [8, §3]",
        [("[5, p. 3]", ("5",)), ("[6, pp. 3–9]", ("6",)), ("[8, §3]", ("8",))],
    ),
    ("in [7, Section 2.1], as", [("[7, Section 2.1]", ("7",))]),
    (
        "by [4, Thm. 2], [5, Sect. 3] and [6, Lem. 1; 7-8; 9, Eqn. (2)]",
        [
            ("[4, Thm. 2]", ("4",)),
            ("[5, Sect. 3]", ("5",)),
            ("[6, Lem. 1; 7-8; 9, Eqn. (2)]", ("6", "7", "8", "9")),
        ],
    ),
    # Not numeric.
    ("rows [4, p. 3; x] and [2, exp; 3]", []),
    ("of x[4, p. 3] and [0, Section 2] and [3, theory] and [4, parts]", []),
    ("a value in [0, 1] and x[3] and [sic]", []),
    ("$x \\in [1, 2]$ and `a[1]`", []),
    ("values in [1, 5] and the interval [2, 4]", []),
    ("an interval [ 0.3, 0.5 ] of it", []),
    ("see [3](http://a.b) and [a](b.html)", []),
    ("in the year [2021] and [12345]", []),
    ("the norm ||x||[2] and σ[2] and 10<sup>3</sup>", []),
    ("A[1][g] and [1][g]", []),
    # Author and year in brackets.
    (
        "it works (Lee et al., 2021; Xu & Li, 2020b).",
        [("(Lee et al., 2021; Xu & Li, 2020b)", ("Lee et al., 2021", "Xu & Li, 2020b"))],
    ),
    ("it works (see e.g. Lee, 2021)", [("(see e.g. Lee, 2021)", ("Lee, 2021",))]),
    (
        "it works (Lee et al., 2019; 2020; 2021a)",
        [
            (
                "(Lee et al., 2019; 2020; 2021a)",
                ("Lee et al., 2019", "Lee et al., 2020", "Lee et al., 2021a"),
            )
        ],
    ),
    (
        "it works (Lee & Xu, 2020a,b)",
        [("(Lee & Xu, 2020a,b)", ("Lee & Xu, 2020a", "Lee & Xu, 2020b"))],
    ),
    ("it works (Lee, Xu, & Li, 2020)", [("(Lee, Xu, & Li, 2020)", ("Lee, Xu, & Li, 2020",))]),
    ("it works (de Witt et al., 2020)", [("(de Witt et al., 2020)", ("de Witt et al., 2020",))]),
    (
        "it works (Thompson 1933, Robbins 1952)",
        [("(Thompson 1933, Robbins 1952)", ("Thompson, 1933", "Robbins, 1952"))],
    ),
    ("it works (Lee, 2021, Section 3)", [("(Lee, 2021, Section 3)", ("Lee, 2021",))]),
    (
        "it works [Lee et al., 2021] and [Lord 1980]",
        [("[Lee et al., 2021]", ("Lee et al., 2021",)), ("[Lord 1980]", ("Lord, 1980",))],
    ),
    ("it works (Lee\net al., 2021)", [("(Lee\net al., 2021)", ("Lee et al., 2021",))]),
    (
        "it works (Lee et al., [2020](#bib.bib2))",
        [("(Lee et al., [2020](#bib.bib2))", ("Lee et al., 2020",))],
    ),
    ("it works (Søren & Ørsted, 2020)", [("(Søren & Ørsted, 2020)", ("Søren & Ørsted, 2020",))]),
    ("it works (OpenAI, 2023)", [("(OpenAI, 2023)", ("OpenAI, 2023",))]),
    (
        "(we follow the rule of Lee et al., 2021, and Table 3)",
        [("Lee et al., 2021", ("Lee et al., 2021",))],
    ),
    ("(FID, Heusel et al. (2017))", [("Heusel et al. (2017)", ("Heusel et al., 2017",))]),
    # Narrative.
    ("as Lee et al. (2021) say", [("Lee et al. (2021)", ("Lee et al., 2021",))]),
    ("as Smith and Jones (2019a) say", [("Smith and Jones (2019a)", ("Smith and Jones, 2019a",))]),
    (
        "by van der Maaten & Hinton (2008).",
        [("van der Maaten & Hinton (2008)", ("van der Maaten & Hinton, 2008",))],
    ),
    ("Following Lee (2021), we", [("Lee (2021)", ("Lee, 2021",))]),
    (
        "of Lee et al. (2019; 2020)",
        [("Lee et al. (2019; 2020)", ("Lee et al., 2019", "Lee et al., 2020"))],
    ),
    (
        "Lee et al. (2003), Xu et al. (2009)",
        [("Lee et al. (2003)", ("Lee et al., 2003",)), ("Xu et al. (2009)", ("Xu et al., 2009",))],
    ),
    ("Lee et al. [2021] say", [("Lee et al. [2021]", ("Lee et al., 2021",))]),
    # A tie of LaTeX is a blank, and its accent is a letter.
    ("Lee et~al.~(2021) say", [("Lee et~al.~(2021)", ("Lee et al., 2021",))]),
    (
        "it works (Mu\\~noz and~Xu~(2020); Lee et al.~(2021))",
        [
            (
                "(Mu\\~noz and~Xu~(2020); Lee et al.~(2021))",
                ("Mu\\~noz and Xu, 2020", "Lee et al., 2021"),
            )
        ],
    ),
    # Dates.
    ("it was (2021) then (January 2021) and (in 2021)", []),
    ("at (ICLR 2021) and (Summer 2020) since (May, 2019)", []),
    ("with (2021 samples) and (n = 2000)", []),
    # LaTeX and pandoc.
    (
        "as \\citep[see][p. 3]{a2020, b} and \\citet*{c}",
        [("\\citep[see][p. 3]{a2020, b}", ("a2020", "b")), ("\\citet*{c}", ("c",))],
    ),
    ("as [@lee2020; @xu2021] say", [("[@lee2020; @xu2021]", ("lee2020", "xu2021"))]),
]


@pytest.mark.parametrize(("text", "expected"), CITATIONS)
def test_citation_marks(text, expected):
    found = find_citations(text, 0, len(text))
    assert [(text[mark.start : mark.end], mark.keys) for mark in found] == expected


def test_styles():
    text = "As [3], (Lee, 2021) and \\cite{a} say"
    assert [mark.style for mark in find_citations(text, 0, len(text))] == [
        "numeric",
        "author-year",
        "latex",
    ]


def references(text):
    return [
        (entry.label, entry.year, entry.text)
        for entry in parse_references(text, parse_blocks(text))
    ]


REFERENCES = [
    (
        "# References\n\n1. Lee, A. (2015). *On it.*\n2. Xu, B. On more.\n   ACM, 2016.\n",
        [("1", 2015, "Lee, A. (2015). *On it.*"), ("2", 2016, "Xu, B. On more. ACM, 2016.")],
    ),
    (
        "## References\n\n[1] A. Lee. On it. 2015.\n\n[2] B. Xu. On more. 2016.\n",
        [("1", 2015, "A. Lee. On it. 2015."), ("2", 2016, "B. Xu. On more. 2016.")],
    ),
    (
        "REFERENCES\n\n[Lee21] A. Lee. On it. 2021.\n[Xu+20] B. Xu et al. More. 2020.\n",
        [("Lee21", 2021, "A. Lee. On it. 2021."), ("Xu+20", 2020, "B. Xu et al. More. 2020.")],
    ),
    (
        "# Bibliography\n\n- Lee, A. On it. 2015.\n- Xu, B. More. 2016.\n",
        [("", 2015, "Lee, A. On it. 2015."), ("", 2016, "Xu, B. More. 2016.")],
    ),
    # Without labels: a paragraph each, a hard break each, hard-wrapped lines.
    (
        "# REFERENCES\n\nAda Lee. On it. In ACM,\n2015.\n\nBo Xu. More. 2016.\n",
        [("", 2015, "Ada Lee. On it. In ACM, 2015."), ("", 2016, "Bo Xu. More. 2016.")],
    ),
    (
        "# REFERENCES\n\nAda Lee. On it. 2015.  \nBo Xu. More. 2016.  \nCy Day. Yet more. 2017.",
        [
            ("", 2015, "Ada Lee. On it. 2015."),
            ("", 2016, "Bo Xu. More. 2016."),
            ("", 2017, "Cy Day. Yet more. 2017."),
        ],
    ),
    (
        "REFERENCES\nAda Lee and Bo Xu. On it.\nIn Proc. of ACM, 2015.\nBo Xu. More. 2016.\n",
        [
            ("", 2015, "Ada Lee and Bo Xu. On it. In Proc. of ACM, 2015."),
            ("", 2016, "Bo Xu. More. 2016."),
        ],
    ),
    # Names that begin with a small letter.
    (
        "# References\n\nLee, A. (2014). On it. In ACM.\n\nvan den Oord, A., and Xu, B. (2016)."
        " More.\n\nde Vries, H. (2017). Most. \n\nd'Alembert, J. (1743). All.\n\nvon Neumann, J."
        " and Xu, B. (2019). Sets.\n",
        [
            ("", 2014, "Lee, A. (2014). On it. In ACM."),
            ("", 2016, "van den Oord, A., and Xu, B. (2016). More."),
            ("", 2017, "de Vries, H. (2017). Most."),
            ("", None, "d'Alembert, J. (1743). All."),
            ("", 2019, "von Neumann, J. and Xu, B. (2019). Sets."),
        ],
    ),
    # A page break within an entry, and another section after the list.
    (
        "REFERENCES\n\nAda Lee. On it and\n\n10\n\n"
        "Under review as a conference paper at ICLR 2022\n\n"
        "on more. 2015.\n\nBo Xu. More. 2016.\n\nA APPENDIX OF IT\n\nIt ends in 2017.\n",
        [("", 2015, "Ada Lee. On it and on more. 2015."), ("", 2016, "Bo Xu. More. 2016.")],
    ),
    # LaTeX and footnotes.
    (
        "\\begin{thebibliography}{9}\n\\bibitem{lee} A. Lee.\n\\newblock On it. 2015.\n\n"
        "\\bibitem[Xu(2016)]{xu}\nB. Xu. More. 2016.\n\\end{thebibliography}\n",
        [("lee", 2015, "A. Lee. \\newblock On it. 2015."), ("xu", 2016, "B. Xu. More. 2016.")],
    ),
    (
        "It is so.[^1] And so.[^b]\n\n[^1]: A. Lee. On it. 2015.\n[^b]: B. Xu. More. 2016.\n",
        [("1", 2015, "A. Lee. On it. 2015."), ("b", 2016, "B. Xu. More. 2016.")],
    ),
    ("No list here in 2015.", []),
]


@pytest.mark.parametrize(("text", "expected"), REFERENCES)
def test_reference_entries(text, expected):
    assert references(text) == expected


YEARS = [
    ("Lee, A. (2015). On 2001 things. 7:1999-2010.", 2015),
    ("A. Lee. On it. In ACM, pp. 1999–2010, 2015.", 2015),
    ("A. Lee. On it. arXiv:1901.02001, 2019. URL http://a.b/2020/1.", 2019),
    ("A. Lee. The year 2000 problem. 1999b.", 1999),
    ("A. Lee. On it. Software (June 2014).", 2014),
    ("A. Lee. On it.", None),
    ("A. Lee. On 12019 things. 3010.", None),
    ("A. Lee. On it. 2018a. doi: 10.1109/X.2016.26.", 2018),
    (
        "Clevenger, P. E. and Hummel, J. E. (2014). Working memory for relations among objects."
        " Attention, Perception, Psychophys., 76(December 2013):1933-1953.",
        2014,
    ),
    ("van den Oord, A. and Lee, B. (2016). On it. In Proc. of Sets (2017).", 2016),
    ("Lee, A. (2015). The crisis (2008) again.", 2015),
    ("A. Lee. The crisis (2008) again. In Proc. of Sets (2010).", 2010),
    ("A. Lee. On it. Sets, 12(2011):1-9, 2012.", 2012),
    # No date, or none yet: a year of the title is none of the work.
    ("Lee, A. (n.d.). A history of gates since 1995.", None),
    ("Lee, A. (no date). A history of gates since 1995. Sets.", None),
    ("Lee, A. (in press). Elections of 1995.", None),
    ("Lee, A. (under review). Elections of 1995. Sets.", None),
    ("Lee, A. (in press). Elections of 1995. Sets, 2021.", 2021),
    ("Lee, A. Elections of 1995. Journal of Sets, forthcoming.", None),
    ("A. Lee. Elections of 1995. In ICML 2015, to appear.", 2015),
    # A year in brackets within a title, in front of lower case.
    ("Lee, A. The TAC (2010) track revisited. Journal of Sets, 2014.", 2014),
    ("A. Lee. The TAC (2010) track revisited. Journal of Sets, 2014.", 2014),
    ("A. Lee. How the crash (1987) hit towns. 2014.", 2014),
    # The year before the semicolon, whatever the number of the volume looks like.
    ("Lee A, Xu B. Sets of sets. BioMed Res Int. 2015;2014(2):1-9.", 2015),
    ("Lee A. Sets. J Sets. 2014 May 12;2013:1-9.", 2014),
    ("Lee A. Sets of 1999. J Sets 2014 May;1998(3):12-30.", 2014),
    # A year alone between full stops, before a venue with a year.
    ("Lee, A. Sets of sets. 2014. Proceedings of the ICML 2013 Workshop.", 2014),
    ("A. Lee. Sets of sets. 2014. In Proc. of ICML 2013, Rome.", 2014),
    # A title of capitals that ends with a year.
    ("B. Lee. Vision 2020. Nature, 2018.", 2018),
    ("B. Lee. Agenda 2030. Policy Press, 2018.", 2018),
    ("B. Lee. Agenda 2030. arXiv:2103.01234, 2018.", 2018),
    ('B. Lee, "Vision 2020," Nature, 2018.', 2018),
    ("Lee, B., and Xu, C. Agenda 2030. Nature, 2018.", 2018),
    ("IPCC. Climate Change 2007: Synthesis Report. IPCC, Geneva, 2008.", 2008),
    ("Ada Lee. Vision 2020. 2018.", 2018),
    ("B. Lee. Vision 2020.", 2020),
    ("B. Lee. Vision 2020. Nature, 2018. Accessed 2021.", 2018),
    # The year of a venue behind a title of one word, or behind a title that ends with a full stop.
    ("Kingma and Ba. Adam. ICLR 2015. arXiv 2014.", 2015),
    ("D. Kingma and J. Ba. Adam. ICLR 2015, arXiv preprint, 2014.", 2015),
    ("Goodfellow et al. GANs. NIPS 2014. Accessed 2021.", 2014),
    ("Lee, B., and Kim, C. Vision. Neural Networks 2016. Accessed 2019.", 2016),
    ("B. Lee et al. Attention. NeurIPS (2017). arXiv, 2016.", 2017),
    # The year behind names, without a comma.
    ("B. Lee 2014. Nets of 2010. Nature 5.", 2014),
    ("Ada Lee and Bo Xu. 2014. Nets. In ACL 2013.", 2014),
    ("B. Lee. " + "Vision 2020. " * 5_000, 2020),
]


@pytest.mark.parametrize(("entry", "year"), YEARS)
def test_the_year_of_an_entry(entry, year):
    assert reference_year(entry) == year
