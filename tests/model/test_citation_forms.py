"""How a paper cites, decided from its list and its marks: right values written by hand."""

import pytest

from revkit.model.citations import find_citations
from revkit.model.paper import Paper

HEAD = "# Gates\n\n## 1 Introduction\n\n"


def paper(prose: str, entries: int = 12, label: str = "[{n}] ") -> Paper:
    rows = (
        f"{label.format(n=n)}A. Author{n} and B. Other. Work {n} on it. ACM, {2000 + n}."
        for n in range(1, entries + 1)
    )
    return Paper("p", f"{HEAD}{prose}\n\n## References\n\n" + "\n\n".join(rows) + "\n")


def marks(work: Paper) -> list[tuple[str, tuple[str, ...]]]:
    return [(work.text[mark.start : mark.end], mark.keys) for mark in work.citations]


FORMS = [
    (
        "Sets (1; 2; 3) and grids (4, 7) and nets (9-11) work (12).",
        [
            ("(1; 2; 3)", ("1", "2", "3")),
            ("(4, 7)", ("4", "7")),
            ("(9-11)", ("9", "10", "11")),
            ("(12)", ("12",)),
        ],
    ),
    (
        "Sets (see 1; 2) and (3)-(5) by Eq. (6) of f(7) in $x (8)$ work (9) as does (44).",
        [("(see 1; 2)", ("1", "2")), ("(3)-(5)", ("3", "4", "5")), ("(9)", ("9",))],
    ),
    # What the sentence counts is no citation.
    (
        "We (1) build gates, and (2) test them, as others did (3; 4), (5; 7) and (9; 12).",
        [("(3; 4)", ("3", "4")), ("(5; 7)", ("5", "7")), ("(9; 12)", ("9", "12"))],
    ),
    # Where works are cited in square brackets, round ones hold equations.
    (
        "Sets [1], grids [2; 3] and nets [4]: by (1), (2) and (3; 4) it works [5].",
        [("[1]", ("1",)), ("[2; 3]", ("2", "3")), ("[4]", ("4",)), ("[5]", ("5",))],
    ),
    ("By (1), (2) and (3) it works.<sup>1</sup>", []),
    # Footnotes beside citations; raised citations where nothing else is.
    (
        "The sets [1] work.<sup>2</sup> The [3] is as it was.<sup>4</sup>",
        [("[1]", ("1",)), ("[3]", ("3",))],
    ),
    (
        "Sets<sup>1,2</sup> work.<sup>3</sup> So it is with nets<sup>4-7</sup> too.<sup>9</sup>",
        [
            ("<sup>1,2</sup>", ("1", "2")),
            ("<sup>3</sup>", ("3",)),
            ("<sup>4-7</sup>", ("4", "5", "6", "7")),
            ("<sup>9</sup>", ("9",)),
        ],
    ),
    (
        "The sets¹ work.² It is as with nets$^{3, 4}$ in use.⁵ At 3 m² too.",
        [("¹", ("1",)), ("²", ("2",)), ("$^{3, 4}$", ("3", "4")), ("⁵", ("5",))],
    ),
    (
        "The sets^1,2^ work.^3^ It is as with nets^5-7^ in use at 2^8^ bits.",
        [("^1,2^", ("1", "2")), ("^3^", ("3",)), ("^5-7^", ("5", "6", "7"))],
    ),
    # A footnote of a number that the list does not have.
    ("Sets<sup>1</sup> work.<sup>20</sup>", []),
    # One mark over two brackets.
    (
        "Sets [1]-[3] and [4]–[6], [8] work.",
        [
            ("[1]-[3]", ("1", "2", "3")),
            ("[4]–[6]", ("4", "5", "6")),
            ("[8]", ("8",)),
        ],
    ),
    ("Sets \\[3, 4\\] work.", [("\\[3, 4\\]", ("3", "4"))]),
]


@pytest.mark.parametrize(("prose", "expected"), FORMS)
def test_the_list_and_the_marks_decide(
    prose: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert marks(paper(prose)) == expected


def test_without_a_list_a_superscript_is_no_citation() -> None:
    text = f"{HEAD}Sets<sup>1</sup> work.<sup>2</sup> So do nets.<sup>3</sup>\n"
    assert Paper("p", text).citations == ()


def test_a_list_may_have_round_labels() -> None:
    work = paper("Sets (1; 2; 3) and grids (4, 7) and nets (9) work (12).", label="({n}) ")
    assert [entry.label for entry in work.references] == [str(n) for n in range(1, 13)]
    assert len(marks(work)) == 4


def test_an_unnumbered_list_needs_more_evidence() -> None:
    assert marks(paper("Sets (1), grids (2), nets (3) by it.", label="")) == []
    groups = "Sets (1; 2), grids (3; 4), nets (5; 6; 7) and gates (8) work."
    assert len(marks(paper(groups, label=""))) == 4


LABELLED = """# Gates

## Introduction

Gates [Lee21; AB+20] and sets [Lee21, p. 3] are known [see it]. Dets [XY19a], [Zoo99] too.

## References

- [Lee21] A. Lee. Gates. 2021.
- [AB+20] C. Abel et al. Sets. 2020.
- [XY19a] X. Yu. Dets. 2019.
"""


def test_labels_of_the_list_are_cited_in_brackets() -> None:
    work = Paper("p", LABELLED)
    assert [entry.label for entry in work.references] == ["Lee21", "AB+20", "XY19a"]
    assert marks(work) == [
        ("[Lee21; AB+20]", ("Lee21", "AB+20")),
        ("[Lee21, p. 3]", ("Lee21",)),
        ("[XY19a]", ("XY19a",)),
    ]
    assert work.citation_style == "label"
    mark = work.citations[0]
    assert any(
        span.start <= mark.start and mark.end <= span.end
        for span in work.protected(mark.start - 5, mark.end + 5)
    )


def test_footnotes_that_hold_entries_are_citations() -> None:
    text = (
        f"{HEAD}The nets[^1] and sets[^lee] are as were.[^2] So is it.[^9]\n\n## References\n\n"
        "[^1]: A. Lee. Nets. In ACM, 2021.\n\n[^lee]: B. Xu. Sets. In ACM, 2020.\n\n"
        "[^2]: C. Yo. Bets. In ACM, 2019.\n"
    )
    work = Paper("p", text)
    assert marks(work) == [("[^1]", ("1",)), ("[^lee]", ("lee",)), ("[^2]", ("2",))]


def test_labels_may_be_words_or_names_and_years() -> None:
    rows = ["[ABC] A. Lee. Nets. 2021.", "[Yo and Lee 2019] Yo, C. and Lee, A. Bets. 2019."]
    text = f"{HEAD}The nets [ABC] and bets [Yo and Lee 2019] are in use.\n\n## References\n\n"
    work = Paper("p", text + "\n\n".join(rows))
    assert [entry.label for entry in work.references] == ["ABC", "Yo and Lee 2019"]
    assert [mark for mark, _ in marks(work)] == ["[ABC]", "[Yo and Lee 2019]"]


NAMES = [
    ("Similarly, Huang and Wang (2018) show", "Huang and Wang (2018)"),
    ("More recently, Huang, Wang, and Lee (2018) show", "Huang, Wang, and Lee (2018)"),
    ("In contrast, Huang, Wang and Lee (2018) show", "Huang, Wang and Lee (2018)"),
    ("Kelly, Huang and Wang (2018) show", "Kelly, Huang and Wang (2018)"),
    ("as Huang and colleagues (2018) show", "Huang and colleagues (2018)"),
    ("as Huang and co-workers (2018) show", "Huang and co-workers (2018)"),
    ("DDPMs (2020) and MEMM (2000) and GANs (2014) work", None),
]


@pytest.mark.parametrize(("text", "mark"), NAMES)
def test_names_before_a_year(text: str, mark: str | None) -> None:
    found = [text[each.start : each.end] for each in find_citations(text, 0, len(text))]
    assert found == ([] if mark is None else [mark])


def test_a_note_of_an_entry_is_no_entry() -> None:
    text = (
        f"{HEAD}Sets work.\n\n## References\n\nLee, A. Gates. 2019. https://a.b/c\n\n"
        "[Accessed Oct-2020].\n\nXu, B. Sets. ACM, 2018.\n"
    )
    entries = [(entry.label, entry.text) for entry in Paper("p", text).references]
    assert entries == [
        ("", "Lee, A. Gates. 2019. https://a.b/c [Accessed Oct-2020]."),
        ("", "Xu, B. Sets. ACM, 2018."),
    ]


MATH = "\n\n$$a = b \\tag{4}$$\n\n"


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        # A paper that uses lone numbers as nouns has equations; groups name works.
        (
            "Sets (1; 2; 3), grids (4, 7) and nets (9, 11). By (4) and (5), the set (6) is dense. "
            "We insert (4) into (5).",
            ["(1; 2; 3)", "(4, 7)", "(9, 11)"],
        ),
        (
            "Sets (1; 2) and grids (5; 7; 8) are old. From (3) it follows. Solving (4) is hard.",
            ["(1; 2)", "(5; 7; 8)"],
        ),
        # One equation among citations.
        (
            "Sets were built (3), grids were laid (5), nets were cast (7) and gates were shut (9; "
            "11). With (4) we see that it works. Others doubt it (6).",
            ["(3)", "(5)", "(7)", "(9; 11)", "(6)"],
        ),
    ],
)
def test_numbers_of_equations_are_no_citations(prose: str, expected: list[str]) -> None:
    work = paper(f"{prose}{MATH}It holds.")
    assert [mark for mark, _ in marks(work)] == expected


def test_lone_numbers_are_citations_where_no_formula_is_displayed() -> None:
    work = paper("Sets are from (3) and (4), grids were laid (5; 7) and nets were cast (9).")
    assert [mark for mark, _ in marks(work)] == ["(3)", "(4)", "(5; 7)", "(9)"]


LINKS = [
    ("[3](#bib.bib3)", ("3",)),
    ("[[3](#bib.bib3)]", ("3",)),
    ("[[3]](#bib.bib3)", ("3",)),
    ("[\\[3\\]](#ref3)", ("3",)),
    ("\\[[3](#bib.bib3)\\]", ("3",)),
    ("[[3](#b3), [7](#b7)]", ("3", "7")),
    ("[[3](#CR3)–[5](#CR5)]", ("3", "4", "5")),
    ('[[3](#bib.bib3 "Work 3 on it")]', ("3",)),
    ("[[3](https://arxiv.org/html/2401.00001v1#bib.bib3)]", ("3",)),
    ('<a href="#bib3">[3]</a>', ("3",)),
    ('[<a href="#R3">3</a>, <a href="#R7">7</a>]', ("3", "7")),
    ('<sup><a href="#ref-3">3</a></sup>', ("3",)),
    ("(Ref. 3)", ("3",)),
    ("(refs. 3 and 7)", ("3", "7")),
    ("(references 3, 4)", ("3", "4")),
    ("Refs. 3-5", ("3", "4", "5")),
]


@pytest.mark.parametrize(("mark", "keys"), LINKS)
def test_marks_of_converters_and_journals(mark: str, keys: tuple[str, ...]) -> None:
    work = paper(f"Sets are known {mark}. Nets are as well {mark}.")
    assert marks(work) == [(mark, keys)] * 2


ITALICS = [
    ("(*3*, *7*)", ("3", "7")),
    ("(*3, 7*)", ("3", "7")),
    ("(_3_)", ("3",)),
    ("(*3*–*5*)", ("3", "4", "5")),
]


@pytest.mark.parametrize(("mark", "keys"), ITALICS)
def test_numbers_in_round_brackets_may_be_in_italics(mark: str, keys: tuple[str, ...]) -> None:
    work = paper(f"Sets are known {mark}, as are (*1*; *2*), (*6, 8*) and (9).")
    assert marks(work) == [
        (mark, keys),
        ("(*1*; *2*)", ("1", "2")),
        ("(*6, 8*)", ("6", "8")),
        ("(9)", ("9",)),
    ]


@pytest.mark.parametrize(
    "mark", ["[3](#fn3)", "Section [3](#S3)", "Table [3](#bib.tab3)", "Eq. [3](#ref3)", "(ref3)"]
)
def test_links_to_other_places_are_no_citations(mark: str) -> None:
    assert marks(paper(f"Sets are known by {mark}. Grids are known by {mark}.")) == []


def test_a_list_of_two_is_cited_in_round_brackets_where_a_mark_names_both() -> None:
    assert marks(paper("Sets are known (1; 2). Gates are as well (2).", entries=2)) == [
        ("(1; 2)", ("1", "2")),
        ("(2)", ("2",)),
    ]
    assert marks(paper("We build (1) a gate. And (2) is open.", entries=2)) == []


@pytest.mark.parametrize(
    "prose",
    [
        "By (4) and (5), the loss is convex. Following (7), we minimise (8) over (9).",
        "From (4) we get the loss. Thus, by (5), it is convex. We then solve (6).",
        "Here we have (1) a gate and (2) a set.",
        "By (4) a gate opens; we have (1) a gate and (2) a set.",
        "Inserting (4) into (5) gives the inequality (6).",
    ],
)
def test_equations_and_enumerations_are_no_citations_without_formulas(prose: str) -> None:
    cited = "Sets were studied before (10; 11; 12) and (6; 7), and anchors (9; 3). "
    assert [mark for mark, _ in marks(paper(cited + prose))] == [
        "(10; 11; 12)",
        "(6; 7)",
        "(9; 3)",
    ]
