"""A paper without words of prose says so in a note, whatever corpus it is from."""

import pytest

from revkit.model import Paper
from revkit.model.paper import Labels
from revkit.venues import Draft

NOTE = "no prose: only headings, tables, formulas or code"


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("# Gates that skip\n", True),
        ("# Gates\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", True),
        ("# Gates\n\n$$x = 1$$\n\n$$y = 2$$\n", True),
        ("# Gates\n\n```\nlet x = 1\n```\n", True),
        ("# Gates\n\nGates are open.\n", False),
        ("# Gates\n\n" + "我们研究门。门是开着的,而且很大。" * 8 + "\n", False),
        ("# Gates\n\nWe study gates that open and close at all times.\n", False),
    ],
)
def test_a_paper_without_prose_has_a_note(text: str, noted: bool) -> None:
    paper = Draft("p", "p.md").paper(text, "Gates", Labels())
    assert isinstance(paper, Paper)
    assert (NOTE in paper.notes) == noted
