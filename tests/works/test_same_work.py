"""Two records of one publication, two publications of one title, and records merged."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.works import Publications, Work, find_same, merge, same_work

CASE = Path(__file__).parents[3] / "shared" / "cases" / "same-title-two-works" / "works.py"
LONG = Work("An introduction to hidden gate models", ("Lea Rab",), 1986, identifier="doi:10.1109/x")
SHORT = Work("Deep learning", ("Yann LeCun", "Yoshua Bengio"), 2015)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Identifiers decide where there are two of one kind.
        (LONG, replace(LONG, identifier="https://doi.org/10.1109/X"), True),
        (LONG, replace(LONG, title="Renamed", identifier="doi:10.1109/X"), True),
        (LONG, replace(LONG, identifier="doi:10.1002/y"), False),
        (LONG, replace(LONG, identifier="arxiv:1901.00001"), True),
        # Else title, authors and years.
        (LONG, replace(LONG, authors=("Ann Other",), identifier=""), False),
        (LONG, replace(LONG, authors=("L. Rab",), identifier=""), True),
        (LONG, replace(LONG, authors=(), year=None, identifier=""), True),
        (LONG, replace(LONG, year=1989, identifier=""), True),
        (LONG, replace(LONG, year=1990, identifier=""), False),
        (LONG, replace(LONG, year=2007, identifier=""), False),
        # A short title alone names nothing.
        (SHORT, replace(SHORT, authors=("Y. LeCun",)), True),
        (SHORT, replace(SHORT, authors=()), False),
        (SHORT, replace(SHORT, year=None), False),
        (SHORT, replace(SHORT, authors=("Ian Goodfellow",), year=2016), False),
        (Work("Gates", year=2024), Work("Gates", year=2024), True),
    ],
)
def test_pairs(one: Work, other: Work, same: bool) -> None:
    assert same_work(one, other) is same
    assert same_work(other, one) is same
    assert (find_same(other, [one]) == 0) is same
    assert len(merge([one, other])) == (1 if same else 2)


@pytest.mark.skipif(not CASE.exists(), reason="the shared cases are not here")
def test_the_case_of_two_works_with_one_title() -> None:
    done = subprocess.run(
        [sys.executable, str(CASE)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.startswith("None ")


def test_a_record_comes_to_the_publication_and_not_to_its_namesake() -> None:
    """The preprint joins the first publication, so the second one is its own work."""
    preprint = replace(LONG, identifier="arxiv:1901.00001")
    other = replace(LONG, identifier="doi:10.1002/y")
    publications = Publications(misspelt=True)
    assert [publications.place(work) for work in (LONG, preprint, other, LONG)] == [
        (0, True), (0, False), (1, True), (0, False),
    ]  # fmt: skip


def test_nothing_of_a_namesake_gets_into_a_record() -> None:
    other = replace(LONG, authors=("Ann Other",), identifier="doi:10.1002/y", abstract="Genomics.")
    for order in permutations((LONG, other)):
        assert merge(order) == list(order)


WORKS = st.builds(
    Work,
    st.sampled_from(["Gates", "Sparse gates for long documents", "Sparse gate for long documents"]),
    st.sampled_from([(), ("Ann Poe",), ("A. Poe", "B. Roe"), ("C. Doe",)]),
    st.sampled_from([None, 2000, 2002, 2010]),
    identifier=st.sampled_from(["", "doi:10.1234/a", "doi:10.1234/b", "arxiv:2001.00001"]),
)


@given(WORKS, WORKS)
def test_the_rule_has_no_direction(one: Work, other: Work) -> None:
    assert same_work(one, other) is same_work(other, one)
    assert same_work(one, one)


@given(st.lists(WORKS, max_size=8))
def test_merging_loses_no_identifier_and_is_stable(works: list[Work]) -> None:
    merged = merge(works)
    assert {w.title for w in merged} <= {w.title for w in works}
    assert len(merged) <= len(works)
    assert all(
        sum(w.identifier == m.identifier for w in merged) == 1 for m in merged if m.identifier
    )
