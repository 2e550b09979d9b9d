"""The edited texts of the authors' sheets as a perturbation."""

from __future__ import annotations

from pathlib import Path

from revkit.model import Paper, Rejection
from revkit.testing import context
from revkit_yescieval.perturbations.published_edits import PublishedEdit

SHEET = (
    "research_question,a_synthesis,a_subtle_cohesion,a_subtle_brevity,b_synthesis,b_subtle_cohesion\n"
    "Why is it so?,One. Two. Three.,One. Three. Two.,One. Two. Three.,Other.,\n"
)


def family(tmp_path: Path, rubric: str, sheet: str = SHEET) -> PublishedEdit:
    path = tmp_path / "subtle.csv"
    path.write_text(sheet, encoding="utf-8")
    return PublishedEdit(rubric=rubric, level="subtle", subtle=str(path), extreme="")


def outcome(agent: PublishedEdit, text: str, title: str = "Why is it so?") -> str:
    paper = Paper("x", text, title)
    edits = agent.perturb(paper, context())
    return edits.reason if isinstance(edits, Rejection) else paper.edited(edits).text


def test_it_makes_the_published_text_with_one_edit(tmp_path: Path) -> None:
    agent = family(tmp_path, "cohesion")
    assert agent.target == "cohesion"
    assert agent.ready() == []
    assert outcome(agent, "One. Two. Three.") == "One. Three. Two."
    paper = Paper("x", "One. Two. Three.", "Why is it so?")
    (edit,) = agent.perturb(paper, context())  # type: ignore[misc]
    assert (edit.start, edit.new) == (6, "hree. Two")


def test_what_the_sheet_does_not_change_or_contain_is_rejected(tmp_path: Path) -> None:
    assert outcome(family(tmp_path, "brevity"), "One. Two. Three.").endswith("not changed")
    assert outcome(family(tmp_path, "cohesion"), "Other.").endswith("no edited text")
    assert "another text, or none" in outcome(family(tmp_path, "cohesion"), "One. Two. Three.", "?")
    assert "another text, or none" in outcome(family(tmp_path, "cohesion"), "One.")


def test_a_sheet_that_does_not_fit_is_reported_before_a_run(tmp_path: Path) -> None:
    assert "no edited text for 'tone'" in family(tmp_path, "tone").ready()[0]
    assert "no column" not in str(family(tmp_path, "cohesion").ready())
    (problem,) = family(tmp_path, "cohesion", "a,a\n1,2\n").ready()
    assert "two columns have the name 'a'" in problem
    gone = PublishedEdit(rubric="cohesion", level="extreme", subtle="", extreme="gone.csv")
    assert "does not exist" in gone.ready()[0]


def test_identity_is_the_content_of_the_sheet_of_its_level(tmp_path: Path) -> None:
    one = family(tmp_path, "cohesion").identity()
    assert one == family(tmp_path, "cohesion").identity()
    assert str(tmp_path) not in str(one)
    assert one != family(tmp_path, "cohesion", SHEET + "\n").identity()
