"""Comparisons that a review says the paper makes."""

from __future__ import annotations

import pytest

from revkit_reviewground.checks import check_review
from tests.plugins.revkit_reviewground.planted_papers import short_papers

GRAPHS, SPEECH = short_papers()


def named(statement: str, **options: object) -> list[str]:
    found = check_review(GRAPHS, {"strengths": statement}, **options)  # type: ignore[arg-type]
    return [one.excerpt for one in found if one.kind == "comparison"]


@pytest.mark.parametrize(
    ("statement", "missing"),
    [
        ("The paper compares the rule to GraphSAGE and JumpNet.", ["JumpNet"]),
        ("The rule outperforms DropEdge, PairNorm and GCNII.", ["PairNorm", "GCNII"]),
        ("It uses baselines such as FastGCN.", ["FastGCN"]),
        ("Experiments include FastGCN as a baseline.", ["FastGCN"]),
        ("FastGCN is among the baselines.", ["FastGCN"]),
        ("Compared to FastGCN, the rule is quick.", ["FastGCN"]),
        ("The rule is shown to be more accurate than FastGCN.", ["FastGCN"]),
        ("FastGCN is outperformed on all data sets.", ["FastGCN"]),
        ("The evaluation covers FastGCN, DropEdge and GraphSAGE.", ["FastGCN"]),
        ("The authors benchmark against FastGCN.", ["FastGCN"]),
        ("The paper cites Hamilton et al. (2017).", ["Hamilton et al. (2017)"]),
    ],
)
def test_names_that_the_paper_lacks_are_found(statement: str, missing: list[str]) -> None:
    found = named(statement)
    assert [name.rstrip(")") for name in found] == [name.rstrip(")") for name in missing]


@pytest.mark.parametrize(
    "statement",
    [
        "The rule outperforms GraphSage and Drop-Edge.",
        "The rule outperforms GraphSAGE-mean on all data.",
        "The paper cites Velickovic et al. (2018).",
        "The authors should compare to FastGCN.",
        "The paper does not compare to FastGCN.",
        "How does it compare to FastGCN?",
        "It would help to compare with baselines such as FastGCN.",
        "A comparison with FastGCN is missing.",
        "FastGCN is not among the baselines.",
        "The rule improves over GNN baselines and SOTA models on NLP and CV.",
        "The rule outperforms strong baselines by a wide margin.",
    ],
)
def test_variants_wishes_and_fields_are_not(statement: str) -> None:
    assert named(statement) == []


def test_an_acronym_that_the_paper_spells_out_is_known() -> None:
    paper = type(GRAPHS)("spelt", GRAPHS.text + "\nWe use stochastic weight averaging network.\n")
    found = check_review(paper, {"a": "The rule outperforms SWAN clearly."})
    assert [one for one in found if one.kind == "comparison"] == []


def test_the_message_says_that_a_name_comes_from_the_search() -> None:
    debrief = {"title": "FastGCN", "summary": "FastGCN samples layers."}
    found = check_review(GRAPHS, {"a": "The rule outperforms FastGCN."}, [debrief])
    assert "related-work search" in found[0].message
