"""Which entries an author-year citation names."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit.papers import CitedEntries

ENTRIES = (
    "Anna Berg and Carl Dahl. First things. In Proc. of Things, pp. 1-9, 2017a.",
    "Anna Berg and Emil Falk. Second things. In Proc. of Things, pp. 1-9, 2017b.",
    "Gerda Holm and Anna Berg. Third things. In Proc. of Things, pp. 1-9, 2017.",
    "Van Iversen, J., and Berg, A. Fourth things. Journal of Things, 3(1):5-8, 2018.",
    "Kim Lund, Ann Moen, and Per Nord. Fifth things. arXiv:2404.12377, 2024b.2",
)


def cited(mark: str) -> list[list[int]]:
    """The entries, by number, that each work of ``mark`` can mean."""
    text = f"# T\n\n## Work\n\nThis was shown before {mark} and is known.\n\n## References\n\n"
    paper = Paper("p", text + "\n\n".join(ENTRIES))
    links = CitedEntries(paper)
    return [places for each in paper.citations for places in links.places(each)]


@pytest.mark.parametrize(
    ("mark", "places"),
    [
        ("(Berg & Dahl, 2017a)", [[0]]),
        ("(Berg & Falk, 2017b)", [[1]]),
        ("(Berg, 2017)", [[0, 1]]),  # not Holm and Berg
        ("(Holm & Berg, 2017)", [[2]]),
        ("(Berg, 2018)", [[3]]),  # no first author of that year: any author
        ("(Van Iversen & Berg, 2018; Lund et al., 2024b)", [[3], [4]]),
        ("(Berg, 2017a; Lund et al.,**\n2024b)", [[0], [4]]),
        ("(Moen, 2030)", [[]]),
    ],
)
def test_the_first_author_and_the_letter_decide(mark: str, places: list[list[int]]) -> None:
    assert cited(mark) == places


def test_the_name_has_its_particle() -> None:
    text = "# T\n\n## A\n\nShown (Van Gansbeke et al., 2020; Le & Xu, 2019; De Boer, 2018).\n"
    keys = [key for mark in Paper("p", text).citations for key in mark.keys]
    assert keys == ["Van Gansbeke et al., 2020", "Le & Xu, 2019", "De Boer, 2018"]


def test_a_caption_after_the_list_is_no_entry() -> None:
    tail = (
        "\n\n![](a.jpg)\n\n(a) A part.\n\n![](b.jpg)\n\n(b) About the other part of (4) (more).\n"
    )
    paper = Paper("p", "# T\n\n## References\n\n" + "\n\n".join(ENTRIES) + tail)
    assert len(paper.references) == len(ENTRIES)
    assert paper.references[-1].year == 2024
