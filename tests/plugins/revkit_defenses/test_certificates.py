"""Certificates hold whatever an attacker does: properties over all changes, without a model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Change, Reviewing
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.testing import context
from revkit_defenses.certificates import (
    certified_majority,
    certified_median,
    median_bound,
    worse_median,
)
from revkit_defenses.isolation import MaskedMajority, SectionMedian
from revkit_defenses.parts import groups, masked_copies, sections

UP = Scale("up", 1, 10, accept_at=6)
DOWN = Scale("down", 0, 100, higher_is_better=False, accept_at=50)
HEADINGS = ("Introduction", "Method", "Experiments", "Results", "Discussion", "Conclusion", "Notes")


def test_median_and_bounds_by_hand() -> None:
    scores = [8.0, 3.0, 5.0, 9.0, 4.0]  # in order: 3 4 5 8 9
    assert worse_median(scores, UP) == 5
    bound = median_bound(scores, 1, UP)
    assert (bound.lowest, bound.highest) == (4, 8)
    assert median_bound(scores, 3, UP).highest == 10
    assert worse_median([2.0, 7.0], UP) == 2
    assert worse_median([2.0, 7.0], DOWN) == 7
    assert certified_median([7.0, 8.0, 9.0], UP) == 1
    assert certified_median([6.0, 7.0, 2.0], UP) == 0
    with pytest.raises(ValueError, match="implies no decision"):
        certified_median([1.0], Scale("none", 0, 1))


@pytest.mark.parametrize("count", range(1, 6))
def test_majority_against_all_changes(count: int) -> None:
    """Every pattern of votes, and every replacement of the certified number of them."""
    for votes in product([True, False], repeat=count):
        certified = certified_majority(votes)
        accept = 2 * sum(votes) > count
        for others in product([True, False, None], repeat=count):
            changed = sum(a is not b for a, b in zip(votes, others, strict=True))
            kept = [vote for vote in others if vote is not None]
            if changed <= certified and kept:
                assert (2 * sum(kept) > len(kept)) == accept
        flipped = [not v if v == accept else v for v in votes]
        if certified < count:
            worst = list(votes)
            for place in [p for p, v in enumerate(votes) if v == accept][: certified + 1]:
                worst[place] = not accept
            assert (2 * sum(worst) > count) != accept or sum(flipped) == count


@settings(max_examples=150, deadline=None)
@given(
    scores=st.lists(st.integers(1, 10), min_size=1, max_size=9),
    removed=st.integers(0, 3),
    replaced=st.lists(st.integers(1, 10), max_size=3),
    added=st.lists(st.integers(1, 10), max_size=3),
    scale=st.sampled_from([UP, DOWN]),
)
def test_median_stays_within_its_bound(
    scores: list[int], removed: int, replaced: list[int], added: list[int], scale: Scale
) -> None:
    removed = min(removed, len(scores))
    replaced = replaced[: len(scores) - removed]
    new = [*replaced, *scores[len(replaced) : len(scores) - removed], *added]
    if not new:
        return
    changed = removed + len(replaced) + len(added)
    bound = median_bound([float(s) for s in scores], changed, scale)
    assert bound.lowest <= worse_median([float(s) for s in new], scale) <= bound.highest


def hashed(paper: Paper, _change: Change | None) -> Outcome:
    """A reviewer of which nothing is known: its score is a digest of the text; some fail."""
    digest = hashlib.sha256(paper.text.encode()).digest()
    if digest[1] < 12:
        return Failure("refusal", "no")
    score = float(1 + digest[0] % 10)
    return Review(score >= 6, score)


def written(bodies: Sequence[str]) -> Paper:
    parts = [f"## {name}\n\n{body}\n\n" for name, body in zip(HEADINGS, bodies, strict=False)]
    return Paper("p", "# A title of a paper\n\n" + "".join(parts))


BODY = st.text("abc \n`{}[]()$%*_", min_size=0, max_size=60).map(
    lambda text: (
        "We count the words of this section of the paper here. " * 6 + text.replace("#", "")
    )
)


@settings(max_examples=60, deadline=None)
@given(
    bodies=st.lists(BODY, min_size=3, max_size=7),
    attack=st.dictionaries(st.integers(0, 6), BODY | st.just("") | st.just("```\n"), max_size=3),
    masked=st.booleans(),
)
def test_attack_within_sections_moves_no_further_than_certified(
    bodies: list[str], attack: dict[int, str], masked: bool
) -> None:
    places = {place: text for place, text in attack.items() if place < len(bodies)}
    attacked = [places.get(place, body) for place, body in enumerate(bodies)]
    changed = sum(a != b for a, b in zip(bodies, attacked, strict=True))
    defense = MaskedMajority(shown=2) if masked else SectionMedian()
    clean = defense.guard(written(bodies), Reviewing(UP, hashed), context())
    after = defense.guard(written(attacked), Reviewing(UP, hashed), context())
    if isinstance(clean, Failure) or isinstance(after, Failure):
        return
    assert clean.certified is not None
    if changed <= clean.certified:
        assert after.accept == clean.accept
    if not masked:
        found = clean.details["scores"]
        assert isinstance(found, list)
        scores = [float(score) for score in found if isinstance(score, int | float)]
        bound = median_bound(scores, changed, UP)
        assert after.score is not None
        assert bound.lowest <= after.score <= bound.highest


@settings(max_examples=60, deadline=None)
@given(
    paragraphs=st.lists(st.text("abcd ", min_size=3, max_size=30).filter(str.strip), max_size=20),
    added=st.text("xyz ", min_size=3, max_size=30).filter(str.strip),
    place=st.integers(0, 20),
)
def test_added_paragraph_changes_one_group(paragraphs: list[str], added: str, place: int) -> None:
    before = Paper("p", "\n\n".join(["start", *paragraphs]))
    more = [*paragraphs[:place], added, *paragraphs[place:]]
    after = Paper("p", "\n\n".join(["start", *more]))
    texts = {part.text for part in groups(before, 5)}
    new = {part.text for part in groups(after, 5)}
    assert len(new - texts) == 1
    assert len(texts - new) <= 1


def test_sections_are_cut_at_the_highest_level_below_the_title() -> None:
    text = "# T\n\nAbstract.\n\n## A\n\na\n\n### A.1\n\n```\n## B\n\nb\n"
    assert [part.heading for part in sections(Paper("p", text))] == ["# T", "## A", "## B"]
    latex = "\\title{T}\n\\section{A}\na\n\\subsection{C}\nc\n\\section{B}\nb\n"
    found = sections(Paper("p", latex))
    assert [part.heading for part in found] == ["", "\\section{A}", "\\section{B}"]
    assert "".join(part.text for part in found) == latex
    plain = "T\n\n1 Introduction\n\nWe say it.\n\n2 Method\n\nWe do it.\n"
    assert len(sections(Paper("p", plain))) > 1


def test_each_section_is_in_as_many_copies_as_a_copy_shows() -> None:
    parts = sections(written(["one.", "two.", "three.", "four.", "five."]))
    copies = list(masked_copies(parts, 2))
    for part in parts:
        assert sum(part.text in copy.text for copy in copies) == 2


def test_paper_without_parts_is_refused_and_failures_are_partial() -> None:
    def fails(_paper: Paper, _change: Change | None) -> Outcome:
        return Failure("timeout", "late")

    review = Reviewing(UP, fails)
    outcome = SectionMedian().guard(Paper("p", "Nothing to cut."), review, context())
    assert isinstance(outcome, Failure)
    assert outcome.kind == "rejected"
    bodies = ["We count the words of this section here. " * 8] * 3
    outcome = SectionMedian().guard(written(bodies), review, context())
    assert isinstance(outcome, Failure)
    assert (outcome.kind, "3 of 3" in outcome.detail) == ("partial", True)
