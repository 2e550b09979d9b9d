"""BM25 against a sum done by hand, against two libraries' figures, and what holds always."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit_searchers.bm25 import Bm25, tokens
from revkit_searchers.rank_fusion import best, fused


def test_the_score_worked_out_by_hand() -> None:
    # N = 3, mean length 2, "cat" in 2: ln(1 + 1.5 / 2.5) = ln 1.6.
    # First: 1 * 2.2 / (1 + 1.2) = 1. Third: 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 1.5)) = 6.6 / 4.65.
    scores = Bm25([["cat", "sat"], ["dog"], ["cat", "cat", "cat"]]).scores(["cat"])
    assert scores == pytest.approx([math.log(1.6), 0.0, math.log(1.6) * 6.6 / 4.65], rel=1e-6)


DOCUMENTS = [
    "cat sat mat",
    "dog sat log log",
    "cat cat dog",
    "bird",
    "fish swim deep deep deep",
    "cat bird fish dog mat",
]
# rank_bm25 0.2.2 (BM25Okapi, k1 1.5, its idf replaced by Lucene's) and bm25s 0.3.16 (method
# "lucene", k1 1.5, times k1 + 1, which it leaves out) agree on these to six places.
FIGURES = {
    "cat": [0.740768, 0.0, 1.037867, 0.0, 0.0, 0.581081],
    "dog log": [0.0, 2.755302, 0.740768, 0.0, 0.0, 0.581081],
    "deep bird": [0.0, 0.0, 0.0, 1.517334, 2.318949, 0.863154],
    "cat cat mat": [2.581892, 0.0, 2.075735, 0.0, 0.0, 2.025317],
}


@pytest.mark.parametrize("query", sorted(FIGURES))
def test_two_libraries_give_the_same_figures(query: str) -> None:
    index = Bm25([text.split() for text in DOCUMENTS], k1=1.5)
    assert index.scores(query.split()) == pytest.approx(FIGURES[query], abs=2e-6)


def test_nothing_to_search_in_or_for() -> None:
    assert list(Bm25([]).scores(["cat"])) == []
    assert list(Bm25([[], []]).scores(["cat"])) == [0.0, 0.0]
    assert list(Bm25([["cat"]]).scores([])) == [0.0]
    assert list(Bm25([["cat"]]).scores(["dog"])) == [0.0]


WORDS = st.lists(st.sampled_from("abcdef"), max_size=8)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8), WORDS, st.randoms())
def test_scores_follow_the_documents_wherever_they_stand(documents, query, random) -> None:
    scores = Bm25(documents).scores(query)
    assert (scores >= 0).all()
    for document, score in zip(documents, scores, strict=True):
        assert (score > 0) == bool(set(document) & set(query))
    order = list(range(len(documents)))
    random.shuffle(order)
    moved = Bm25([documents[place] for place in order]).scores(random.sample(query, len(query)))
    assert list(moved) == [scores[place] for place in order]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Networks of Müller", ["network", "muller"]),
        ("studies, boxes, bias, class, queries", ["study", "boxe", "bia", "class", "query"]),
        ("pre-training k-NN 3.5", ["pre", "training", "k", "nn", "3", "5"]),
        ("深度学习 model", ["深", "度", "学", "习", "model"]),
        ("!?", []),
    ],
)
def test_words_as_the_index_holds_them(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_fusion_worked_out_by_hand() -> None:
    # 7: 1/61 + 1/62; 3: 1/62; 9: 1/61.
    order = fused([[7, 3], [9, 7]])
    assert [place for place, _ in order] == [7, 9, 3]
    assert order[0][1] == pytest.approx(1 / 61 + 1 / 62)
    assert fused([[5], [2]]) == [(2, 1 / 61), (5, 1 / 61)]
    assert fused([]) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(1, 12))
def test_the_best_are_those_of_a_stable_sort(scores: list[int], most: int) -> None:
    import numpy

    expected = sorted(range(len(scores)), key=lambda place: -scores[place])[:most]
    assert best(numpy.asarray(scores, dtype=float), most) == expected
