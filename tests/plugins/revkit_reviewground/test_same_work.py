"""Whether a found work is one found before, or the submission itself."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.model.paper import Paper
from revkit.model.review import Review
from revkit.works import Work, same_title
from revkit_reviewground.agent import ReviewGrounder
from revkit_reviewground.same_work import Submission, title_of
from tests.plugins.revkit_reviewground.scripted import PAPER, TEXT, Model


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Sparse Gates for Long Documents", "SPARSE GATES FOR LONG DOCUMENTS.", True),
        ("Sparse Gates for Long Documents", "Sparse Gates  for Long-Documents", True),
        ("Résumé Parsing with Gates", "Resume parsing with gates", True),
        ("Deep-Reviewer: Improving Reviews", "DeepReviewer: Improving Reviews", True),
        ("A Study of Gates for Documents", "Study of the Gates for Documents", True),
        ("Neural Machine Translation Models", "Neural Machine Translaton Model", True),
        ("Sparse Gates for Long Documents", "Sparse Gates for Short Documents", False),
        ("Attention Is All You Need", "Attention Is Not All You Need", False),
        ("Gates", "Gate", False),
        ("Learning to Rank, Part 1", "Learning to Rank, Part 2", False),
        ("Llama 2: Open Chat Models", "Llama 3: Open Chat Models", False),
        ("", "", False),
        ("???", "!!!", False),
    ],
)  # fmt: skip
def test_titles(one: str, other: str, same: bool) -> None:
    assert same_title(one, other) is same
    assert same_title(other, one) is same


ABSTRACT = " ".join(f"word{n} of this very abstract number {n}" for n in range(12))
FRONT = (
    f"# Sparse Gates\n\narXiv:2401.01234v2 doi 10.1234/abc.5\n\n## Abstract\n\n{ABSTRACT}\n\n"
    "## 1 Introduction\n\nWe cite arXiv:2402.99999 here.\n"
)


@pytest.mark.parametrize(
    ("work", "by"),
    [
        (Work("Other", identifier="arxiv:2401.01234"), "identifier"),
        (Work("Other", identifier="arxiv:2401.01234v3"), "identifier"),
        (Work("Other", identifier="https://doi.org/10.1234/ABC.5"), "identifier"),
        (Work("Other", identifier="doi:10.1234/abc.5"), "identifier"),
        (Work("Other", identifier="arxiv:2402.99999"), ""),
        (Work("Sparse gates"), "title"),
        (Work("A renamed preprint", abstract=ABSTRACT.upper()), "abstract"),
        (Work("Another paper", abstract="We do something else. " * 10), ""),
    ],
)
def test_the_submission_is_told_again(work: Work, by: str) -> None:
    assert Submission.of(Paper("p", FRONT)).is_same(work) == by


def test_the_title_is_the_given_one_or_the_first_heading() -> None:
    assert title_of(PAPER) == "Sparse Gates for Long Documents"
    assert title_of(Paper("p", TEXT)) == "Sparse Gates for Long Documents"
    assert title_of(Paper("p", "No heading at all.")) == ""


def literature(found: Any, **options: Any) -> Any:
    agent = ReviewGrounder(model="m", **options)
    model = Model()
    review = agent.review(PAPER, model.context(found if callable(found) else lambda q, n: found))
    assert isinstance(review, Review), review
    evidence: Any = review.details["evidence"]
    return evidence["literature"], model


def titles(found: Any) -> list[str]:
    return [work["title"] for work in found["works"]]


def test_only_works_that_count_are_taken() -> None:
    works = [
        Work("Sparse Gates for Long Documents", year=2024, abstract="Gates.", score=9.0),
        Work("Too Old", year=2022, abstract="Old.", score=8.0),
        Work("No Year", abstract="When?", score=7.0),
        Work("Good", year=2023, abstract="Good.", score=1.0),
        Work("good", year=2023, abstract="A longer abstract.", score=2.0),
        Work("Better", year=2025, abstract="Better.", score=1.5),
    ]
    found, model = literature(lambda q, n: works if q == "token pruning" else [])
    assert titles(found) == ["good", "Better"] or titles(found) == ["Good", "Better"]
    assert found["works"][0]["score"] == 2.0
    assert found["dropped"] == {
        "before 2023": 1, "found before": 1, "the submission itself (by its title)": 1,
        "year not known": 1,
    }  # fmt: skip
    assert found["found"] == 6
    assert found["ordered-by"] == "score"
    assert any("A longer abstract." in prompt for prompt in model.prompts("summarizer"))


def test_all_years_count_on_request() -> None:
    works = [Work("Too Old", year=1999, abstract="Old."), Work("No Year", abstract="When?")]
    found, _ = literature(works, from_year=None)
    assert titles(found) == ["Too Old", "No Year"]


def test_the_best_by_score_over_all_keywords_are_taken() -> None:
    def search(query: str, limit: int) -> list[Work]:
        base = {"token pruning": 0, "sparse attention": 10, "long documents": 5}[query]
        return [
            Work(f"{query} {'abcdefg'[n]}", year=2024, abstract="x", score=float(base + n))
            for n in range(3)
        ]

    found, model = literature(search, works=4)
    assert titles(found) == [
        "sparse attention c", "sparse attention b", "sparse attention a", "long documents c",
    ]  # fmt: skip
    assert found["dropped"]["beyond the number wanted"] == 5
    assert len(model.prompts("summarizer")) == 4


def test_without_scores_ranks_are_fused() -> None:
    """1/61 + 1/62 for B beats 1/61 for A, and 1/61 for C comes by name after A."""

    def search(query: str, limit: int) -> list[Work]:
        lists = {"token pruning": "AB", "sparse attention": "B", "long documents": "C"}
        return [Work(f"Work {name}", year=2024, abstract="x") for name in lists[query]]

    found, _ = literature(search)
    assert titles(found) == ["Work B", "Work A", "Work C"]
    assert found["ordered-by"] == "rank"


def test_a_work_without_an_abstract_is_named_by_its_title_alone() -> None:
    works = [
        Work("Only a Title", year=2024, score=9.0),
        Work("Readable", year=2024, abstract="Read.", score=1.0),
    ]
    found, model = literature(works)
    assert titles(found) == ["Readable", "Only a Title"]
    assert found["works"][1]["debrief"] is None
    assert len(model.prompts("summarizer")) == 1
    assert "nothing but the title is known" in model.prompts("aggregator")[0]


def test_the_search_is_asked_for_the_candidates_wanted() -> None:
    asked = []

    def search(query: str, limit: int) -> list[Work]:
        asked.append((query, limit))
        return []

    literature(search, candidates=7)
    assert sorted(asked) == [("long documents", 7), ("sparse attention", 7), ("token pruning", 7)]


def _reviewed(works: list[Work], **options: Any) -> Review:
    review = ReviewGrounder(model="m", **options).review(
        PAPER, Model().context(lambda query, limit: works)
    )
    assert isinstance(review, Review), review
    return review


def test_a_review_beside_bare_titles_says_that_nothing_of_the_literature_was_read() -> None:
    works = [Work(f"A bare title of work {n} on gates", ("Ann Poe",), 2024) for n in "abc"]
    review = _reviewed(works, evidence="text")
    evidence: Any = review.details["evidence"]
    assert evidence["not-grounded-in"] == ["related work (literature searcher: titles alone)"]
    assert evidence["roles"]["searcher"]["status"] == "titles alone"
    assert evidence["literature"]["read"] == {"works": 3, "with-abstract": 0, "reported": 0}
    assert review.warnings == ("not grounded in related work (literature searcher: titles alone)",)
    assert "- Read of 3 related works: 0 abstracts; of the others the title alone" in review.text


def test_a_review_beside_one_abstract_is_grounded_and_says_how_much_was_read() -> None:
    works = [
        Work("A bare title of a work on gates", ("Ann Poe",), 2024),
        Work("Another work that can be read", ("Bo Roe",), 2024, abstract="Read."),
    ]
    review = _reviewed(works)
    evidence: Any = review.details["evidence"]
    assert evidence["not-grounded-in"] == []
    assert evidence["literature"]["read"] == {"works": 2, "with-abstract": 1, "reported": 1}
    assert review.warnings == ()
