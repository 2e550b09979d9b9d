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
