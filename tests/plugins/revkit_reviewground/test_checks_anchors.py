"""Anchors: real ones in all spellings, ones beyond the last, and what a text does not show."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import check_review

BODY = "Plain words fill the body of this paper so that it is long enough to be one. " * 120
TEXT = f"""# Knots

## 1 Introduction
{BODY}

## 2 Theory
### 2.1 Basics
Theorem 1. All knots untie. Theorem 2 follows by induction, as Lemma 1 shows.
$$ a = b \\tag{{1}} $$
$$ c = d \\tag{{2}} $$
### 2.2 Ropes
$$ e = f \\tag{{3}} $$
### 2.3 Ends
More.

## 3 Experiments
Table 1: Ropes. Figures 1-3 show knots, and Algorithm 1 ties them.

Table 2: Knots.

## 4 Conclusion
Done.

# References
Alexander, J. Knots. 1928.

# A Proofs
More proofs.

# B Data
Table 3: Lengths.
"""
PAPER = Paper("knots", TEXT)


def answers(statement: str, paper: Paper = PAPER) -> list[tuple[str, str]]:
    found = check_review(paper, {"questions": statement})
    return [(one.excerpt, one.certainty) for one in found if one.kind == "anchor"]


@pytest.mark.parametrize(
    "anchor",
    [
        "Section 2.1", "Sec. 3", "sections 2.1 and 2.2", "§4", "Section 2.1-2.3", "Table 2",
        "Tab. 1", "Tables 1-3", "Tables 1, 2 and 3", "Figure 2", "Fig. 3a", "Figure 1(b)",
        "Figs. 1 & 2", "figures 1 and 3", "Eq. (3)", "Equation 2", "Eqs. (1)-(3)", "equation (1)",
        "Algorithm 1", "Theorem 2", "Lemma 1", "Thm. 1", "Appendix B", "Section A",
        "Appendices A and B",
    ],
)  # fmt: skip
def test_real_anchors_pass(anchor: str) -> None:
    assert answers(f"The claim of {anchor} needs care.") == []


@pytest.mark.parametrize(
    "anchor",
    [
        "Section 5", "Sec. 2.4", "section 7.1", "§6", "Table 4", "Tab. 9", "Tables 2-4", "Figure 4",
        "Fig. 7b", "Figures 2 and 5", "Eq. (4)", "Equation 12", "Algorithm 2", "Theorem 3",
        "Appendix C", "Appendix D.2",
    ],
)  # fmt: skip
def test_anchors_beyond_the_last_are_false(anchor: str) -> None:
    found = answers(f"The claim of {anchor} needs care.")
    assert [certainty for _, certainty in found] == ["false"]


@pytest.mark.parametrize(
    "statement",
    [
        "Table 7 of Smith et al. has more rows.",
        "See Section 9 in [4] for the proof.",
        "The bound (equation (9.4)) in reference [1] is the same.",
        "As described in [1], Section 3.8, this holds.",
        "A new Table 5 would help.",
        "In line 12 of Algorithm 1 the index is wrong.",
        "Two tables and five figures are enough; in 3 cases the figure is small.",
        "With assumption 3 I listed above this is easy.",
        "In Table 1, 31% of the knots fail, and 5 of 7 lemmas hold.",
    ],
)
def test_parts_of_other_works_and_wishes_are_not_checked(statement: str) -> None:
    assert answers(statement) == []


@pytest.mark.parametrize("anchor", ["line 120", "Theorem 2.5", "Section 2.2.4"])
def test_what_the_text_cannot_tell_is_unverifiable(anchor: str) -> None:
    assert [certainty for _, certainty in answers(f"See {anchor}.")] == ["unverifiable"]
    bare = Paper("bare", "# Knots\n\nAn abstract alone, without any part.\n")
    assert [certainty for _, certainty in answers(f"See {anchor}.", bare)] == ["unverifiable"]


def test_headings_without_numbers_leave_sections_open() -> None:
    text = "".join(line for line in TEXT.splitlines(True) if not line.startswith(("#", "$")))
    bare = Paper("bare", text)
    assert answers("Section 9 is odd.", bare) == [("Section 9", "unverifiable")]
    assert answers("Table 9 is odd.", bare) == [("Table 9", "false")]


def test_a_lost_caption_leaves_a_number_within_the_count_open() -> None:
    lost = Paper("lost", TEXT.replace("Table 2: Knots.", ""))
    assert answers("Table 2 is odd.", lost) == [("Table 2", "unverifiable")]
    assert answers("Table 4 is odd.", lost) == [("Table 4", "false")]


def test_an_appendix_that_is_spoken_of_and_not_there_leaves_the_rest_open() -> None:
    cut = Paper("cut", TEXT[: TEXT.index("# A Proofs")] + "\n").edited(())
    cut = Paper("cut", cut.text.replace("Done.", "More is in the appendix."))
    assert answers("Table 9 is odd.", cut) == [("Table 9", "unverifiable")]
    assert answers("Section 9 is odd.", cut) == [("Section 9", "false")]


def test_a_paper_that_never_names_a_kind_has_none_of_it() -> None:
    text = TEXT.replace("Figures 1-3 show knots, and ", "")
    assert answers("Figure 2 is odd.", Paper("none", text)) == [("Figure 2", "false")]


def test_latex_source_is_counted() -> None:
    source = (
        "\\documentclass{article}\\begin{document}\n\\section{Introduction}\n"
        + BODY
        + "\n\\section{Method}\n\\subsection{One}\nText.\n\\subsection{Two}\nText.\n"
        "\\section{Results}\n\\begin{table}\\caption{A}\\end{table}\n"
        "\\begin{table}\\caption{B}\\end{table}\n\\begin{figure}\\caption{C}\\end{figure}\n"
        "\\begin{equation} a \\end{equation}\n\\end{document}\n"
    )
    paper = Paper("source", source)
    assert answers("Section 2.2, Table 2 and Figure 1 are fine.", paper) == []
    assert answers("Section 4 is odd.", paper) == [("Section 4", "false")]
    assert answers("Section 2.3 is odd.", paper) == [("Section 2.3", "false")]
    assert answers("Table 3 is odd.", paper) == [("Table 3", "false")]


def test_line_numbers_in_the_margin_are_read() -> None:
    lines = "\n".join(f"{number:03d} some words of the paper" for number in range(1, 200))
    paper = Paper("lined", lines)
    assert answers("See line 120.", paper) == []
    assert answers("See line 420.", paper) == [("line 420", "false")]


def test_labels_of_latex_in_place_of_numbers() -> None:
    paper = Paper("labels", TEXT + "\nTable method.table.ablation_k shows k.\n")
    assert answers("See Table method.table.ablation_k here.", paper) == []
    assert answers("See Fig. exp.figure.latency here.", paper) == [
        ("Fig. exp.figure.latency", "unverifiable")
    ]
