"""Where a reference list ends: what follows it is prose of the paper and no part of an entry."""

from pathlib import Path

import pytest

from revkit.model import Paper

LISTS = {
    "brackets": "[{n}] {names}. {title}. {venue}, {year}.",
    "numbers": "{n}. {names}. {title}. {venue}, {year}.",
    "keys": "[{key}{year}] {names}. {title}. {venue}, {year}.",
    "bullets": "- {names}. {title}. {venue}, {year}.",
    "year last": "{names}. {title}. {venue}, {year}.",
    "year first": "{names} ({year}). {title}. {venue}.",
}
WORKS = (
    ("Lee, A. and Roy, C.", "Gates that skip", "In Proc. ACL", 2019, "Lee"),
    ("Marsh, B.", "Attention over long inputs", "In ICML", 2020, "Mar"),
    ("van den Oord, A., Xu, D., and Zhou, E.", "Pixels and sets", "Springer", 2016, "vdO"),
)
HEADINGS = (
    "Appendix",
    "Appendix A",
    "Appendix A: Proofs",
    "Appendix A. Proofs of the theorems",
    "Appendix A – Further results",
    "A Appendix",
    "A. Appendix",
    "APPENDIX A",
    "APPENDIX",
    "Appendices",
    "Technical Appendix",
    "Supplementary Material",
    "Supplementary material for sparse gates",
    "Supplemental Materials",
    "Supplement",
    "SUPPLEMENTARY MATERIAL",
    "NeurIPS Paper Checklist",
    "Reproducibility Checklist",
    "Checklist",
    "7 Conclusion",
    "7. Conclusion",
    "Conclusion",
    "A Proofs",
    "A. Proofs",
    "A PROOFS OF THE THEOREMS",
    "B.1 Details",
    "Proofs of the main theorems",
    "ADDITIONAL EXPERIMENTS",
    "Ethics Statement",
    "**Appendix A**",
    "## Appendix A",
)
PROSE = "The bound holds because f is convex and has no other minimum. It may be loose."


def entries(style: str) -> list[str]:
    return [
        LISTS[style].format(n=n, names=names, title=title, venue=venue, year=year, key=key)
        for n, (names, title, venue, year, key) in enumerate(WORKS, 1)
    ]


def paper(*after: str, style: str = "brackets", between: str = "\n\n") -> Paper:
    head = ["# Gates", "Abstract", "We study gates.", "1 Introduction", "Inputs are long [1]."]
    listed = between.join(
        ["References", "", *entries(style)] if between == "\n" else entries(style)
    )
    if between != "\n":
        head.append("References")
    return Paper("p", "\n\n".join([*head, listed, *after]))


@pytest.mark.parametrize("style", LISTS)
@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_ends_the_list(heading: str, style: str) -> None:
    work = paper(heading, PROSE, style=style)
    texts = [work.text[entry.start : entry.end] for entry in work.references]
    assert texts == entries(style)
    assert [entry.year for entry in work.references] == [2019, 2020, 2016]
    last = work.blocks[-1]
    assert (last.is_prose, work.text[last.start : last.end]) == (True, PROSE)
    assert work.blocks[-2].kind == "heading"
    assert last.section.strip("*# ") == heading.strip("*# ")


@pytest.mark.parametrize("style", LISTS)
def test_prose_without_a_heading_ends_the_list(style: str) -> None:
    work = paper(PROSE, style=style)
    assert [work.text[entry.start : entry.end] for entry in work.references] == entries(style)
    assert work.blocks[-1].is_prose


@pytest.mark.parametrize("style", ["brackets", "numbers", "year last"])
@pytest.mark.parametrize("heading", ["Appendix A: Proofs", "NeurIPS Paper Checklist"])
def test_a_heading_ends_a_list_of_lines_without_blanks(heading: str, style: str) -> None:
    text = "\n".join(["# Gates", "", "References", "", *entries(style), heading, PROSE])
    work = Paper("p", text)
    assert len(work.references) == 3
    assert work.text[work.blocks[-1].start : work.blocks[-1].end] == PROSE


@pytest.mark.parametrize("style", LISTS)
@pytest.mark.parametrize(
    "between",
    ["Sparse gates for long documents", "12", "Published as a conference paper at ICLR 2017"],
)
def test_what_stands_between_two_pages_of_a_list_does_not_end_it(style: str, between: str) -> None:
    first, second, third = entries(style)
    text = "\n\n".join(["# Gates", "References", first, second, between, third, "Appendix", PROSE])
    assert len(Paper("p", text).references) >= 3
    assert [entry.year for entry in Paper("p", text).references if entry.year] == [2019, 2020, 2016]


def test_an_entry_cut_by_a_page_goes_on() -> None:
    text = "# Gates\n\nReferences\n\n[1] A. Lee. Gates that skip. In Advances in\n\n12\n\n"
    work = Paper(
        "p", text + "Neural Information Processing Systems, 2019.\n\n[2] B. Roy. Sets. 2020."
    )
    assert [(entry.label, entry.year) for entry in work.references] == [("1", 2019), ("2", 2020)]


def test_a_latex_bibliography_ends_with_its_environment() -> None:
    text = (
        "\\section{Introduction}\nText.\n\\begin{thebibliography}{9}\n\\bibitem{lee} A. Lee. Gates."
        f" 2019.\n\\end{{thebibliography}}\n{PROSE}\n"
    )
    work = Paper("p", text)
    assert [entry.text for entry in work.references] == ["A. Lee. Gates. 2019."]
    assert work.text[work.blocks[-1].start : work.blocks[-1].end] == PROSE
    assert work.blocks[-1].is_prose


CASE = Path(__file__).resolve().parents[2].parent / "shared/cases/appendix-in-last-reference/papers"


@pytest.mark.skipif(not CASE.is_dir(), reason=f"the shared cases are not here: {CASE}")
@pytest.mark.parametrize("name", ["caps-works", "bare", "titlecase", "checklist"])
def test_the_shared_case(name: str) -> None:
    work = Paper("p", (CASE / f"{name}.txt").read_text())
    assert work.words == 27
    last = work.references[-1]
    assert (last.text, last.end - last.start) == (
        "B. Lee and C. Roy. Gates that skip. In Proc. ACL, 2020.",
        59,
    )


BEHIND = (
    "Carla Roy received the MSc degree from the University of Graz in 1998. She leads a group on "
    "grammar at the institute, and she is the author of two books.",
    "We thank the members of the group for their help. The work was funded in 2021 by a grant of "
    "the council for science.",
    "The second author joined the project in 2020 and has written the code of the tests. All of "
    "the authors have read the paper.",
)


@pytest.mark.parametrize("style", LISTS)
@pytest.mark.parametrize("prose", BEHIND)
def test_prose_with_a_year_behind_the_list_is_no_part_of_an_entry(prose: str, style: str) -> None:
    work = paper(prose, style=style)
    assert [work.text[entry.start : entry.end] for entry in work.references] == entries(style)
    last = work.blocks[-1]
    assert (last.is_prose, work.text[last.start : last.end]) == (True, prose)


@pytest.mark.parametrize("style", LISTS)
@pytest.mark.parametrize(
    "prose", [*BEHIND, "We prove the lemma here. It is long and of use to us."]
)
@pytest.mark.parametrize(
    "heading", ["", "A. Proof of Lemma 4\n", "B Further figures\n", "Proofs\n"]
)
def test_text_directly_behind_the_last_entry_is_no_part_of_it(
    heading: str, prose: str, style: str
) -> None:
    text = "\n".join(["# Gates", "", "References", "", *entries(style), f"{heading}{prose}", ""])
    work = Paper("p", text)
    assert [work.text[entry.start : entry.end] for entry in work.references] == entries(style)
    last = work.blocks[-1]
    assert (last.is_prose, work.text[last.start : last.end]) == (True, prose)
    assert last.section == heading.strip()


@pytest.mark.parametrize("style", ["brackets", "numbers"])
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_remark_on_an_entry_does_not_end_a_list_that_goes_on(style: str, between: str) -> None:
    first, *others = entries(style)
    remark = "This is the work from which we took the data, and it is the first of 2019."
    text = "\n\n".join(["# Gates", "References", f"{first}{between}{remark}", *others])
    assert len(Paper("p", text).references) == 3


@pytest.mark.parametrize(
    "rest",
    [
        "Gates that skip the sets of the unknown, and\nwhat is to be had of them. In ICML, 2019.",
        "On the sets that we have.\nProceedings of the Conference on the Theory of All Sets, 2019.",
        "On sets.\nTheory is all that we have of it, and it was all there is. In: Sets, pp. 3-9.",
        "Gates.\nIt is available at https://gates.org and was visited on the 3rd of May 2019.",
    ],
)
def test_the_next_lines_of_the_last_entry_are_part_of_it(rest: str) -> None:
    text = f"# Gates\n\nReferences\n\n[1] A. Roy. Sets. 2018.\n[2] B. Lee. {rest}\n"
    work = Paper("p", text)
    assert work.text[work.references[1].start : work.references[1].end].endswith(rest)


def test_a_remark_among_lines_of_entries_does_not_end_the_list() -> None:
    remark = "This is the work from which we took the data, and it is the first of 2019."
    text = f"# Gates\n\nReferences\n\n[1] A. Roy. Sets. 2018.\n{remark}\n[2] B. Lee. Nets. 2019.\n"
    assert [each.year for each in Paper("p", text).references] == [2018, 2019]
