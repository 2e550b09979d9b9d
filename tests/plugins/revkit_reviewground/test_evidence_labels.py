"""The labelled marks on reviews that people wrote: their counts, and whether all have labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evidence_people import absences, count, human_reviews, marks, read_labels, share
from tests.plugins.revkit_reviewground.planted_papers import DATA

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reviewground.md"
GOAL = 0.8


def test_precision_reaches_the_goal_and_is_what_the_page_says() -> None:
    labels = read_labels()
    right, version, wrong = count(labels)
    assert len(labels) >= 30
    assert (right + version) / len(labels) >= GOAL
    row = f"| all | {right} | {version} | {wrong} | {share(right + version, len(labels))} |"
    assert row in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the real reviews lie outside the repository")
def test_every_mark_on_the_real_reviews_has_its_label() -> None:
    made = {
        (each.corpus, each.paper, each.review, one.kind, one.certainty, one.at)
        for each in human_reviews()
        for one in marks(each)
    }
    labelled = {
        (one.corpus, one.paper, one.review, one.kind, one.certainty, one.at)
        for one in read_labels()
    }
    assert made == labelled


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the real papers lie outside the repository")
def test_rules_and_verifier_find_more_than_the_rules_and_reach_the_goal() -> None:
    cases = absences()
    false = [case for case in cases if case[0]]
    rules = sum(rule for _, rule, _ in false) / len(false)
    both = sum(rule or model for _, rule, model in false) / len(false)
    assert both >= 0.6
    assert both > rules
    assert sum(rule or model for fault, rule, model in cases if not fault) <= 1
