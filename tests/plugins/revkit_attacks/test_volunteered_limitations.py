"""Harmless limitations are added where limitations are, or stated ones left out."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.model import Edit, Paper, Rejection
from revkit.testing import check_component, context
from revkit_attacks.volunteered_limitations import SENTENCES, VolunteeredLimitations

TEXT = """# T

## 1 Method

We count words.

## 2 Limitations

The data are few [1]. One method was tried.

## 3 Conclusion

It works.

## References

[1] A. Poe. Gates. 2019.
"""


def edited(family: VolunteeredLimitations, text: str, seed: int = 0) -> str:
    paper = Paper("p", text)
    edits = family.perturb(paper, context(seed))
    assert isinstance(edits, Sequence)
    assert all(isinstance(edit, Edit) for edit in edits)
    assert all(check.passed for check in family.gates(paper, edits, context(seed)))
    return paper.edited(edits).text


def test_sentences_are_added_to_the_section_on_limitations() -> None:
    after = edited(VolunteeredLimitations(), TEXT)
    section = after.split("## 2 Limitations")[1].split("## 3")[0]
    assert sum(sentence in section for sentence in SENTENCES) == 3
    assert section.startswith("\n\nThe data are few [1]. One method was tried. ")
    without = TEXT.replace(
        "## 2 Limitations\n\nThe data are few [1]. One method was tried.\n\n", ""
    )
    conclusion = edited(VolunteeredLimitations(count=1), without).split("Conclusion")[1]
    assert sum(sentence in conclusion for sentence in SENTENCES) == 1


def test_stated_limitations_are_left_out() -> None:
    after = edited(VolunteeredLimitations(mode="remove"), TEXT)
    assert "## 2 Limitations\n\n\n\n## 3 Conclusion" in after
    assert after.replace("The data are few [1]. One method was tried.", "") == after


def test_rejections() -> None:
    paper = Paper("p", "# T\n\n## 1 Method\n\nWe count words.\n")
    for mode in ("add", "remove"):
        found = VolunteeredLimitations(mode=mode).perturb(paper, context())  # type: ignore[arg-type]
        assert isinstance(found, Rejection)
    twice = Paper("p", edited(VolunteeredLimitations(count=8), TEXT))
    assert isinstance(VolunteeredLimitations().perturb(twice, context()), Rejection)


def test_contract() -> None:
    check_component(VolunteeredLimitations())
    check_component(VolunteeredLimitations(mode="remove"), may_edit=("protected",))
