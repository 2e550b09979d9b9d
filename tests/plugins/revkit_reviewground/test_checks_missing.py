"""Missing: what is denied, what only lacks depth, and what in a paper shows the thing."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import Finding, check_review
from revkit_reviewground.checks.missing_claims import claims
from tests.plugins.revkit_reviewground.planted_papers import short_papers

GRAPHS, SPEECH = short_papers()


def findings(statement: str, paper: Paper = GRAPHS) -> list[Finding]:
    found = check_review(paper, {"weaknesses": statement})
    return [one for one in found if one.kind == "missing"]


@pytest.mark.parametrize(
    ("statement", "section"),
    [
        ("The paper has no ablation study.", "4.3 Ablation study"),
        ("An ablation study is missing.", "4.3 Ablation study"),
        ("Ablations were not run.", "4.3 Ablation study"),
        ("The authors don't provide any ablations.", "4.3 Ablation study"),
        ("The limitations of the method are not discussed.", "5 Limitations"),
        ("The manuscript is silent on limitations.", "5 Limitations"),
        ("There is no related work section.", "2 Related Work"),
        ("Results are reported without error bars.", "4.2 Results"),
        ("No standard deviations are given.", "4.2 Results"),
        ("The number of random seeds is not reported.", "4.1 Setup"),
        ("The code is not available.", "6 Conclusion"),
        ("Since the code is unavailable, nothing can be verified.", "6 Conclusion"),
        ("The paper ends without a conclusion.", "6 Conclusion"),
        ("There doesn't seem to be an ablation study anywhere.", "4.3 Ablation study"),
        ("The work needs ablations, which are currently absent.", "4.3 Ablation study"),
        ("The limitations of this work remain undiscussed.", "5 Limitations"),
        ("Code has not been made available.", "6 Conclusion"),
        ("All results come from a single seed.", "4.1 Setup"),
        ("The table lists means only, omitting standard deviations.", "4.2 Results"),
        ("GraphSAGE is not used as a baseline.", "4.2 Results"),
        ("The experiments omit GraphSAGE.", "4.2 Results"),
        ("DropEdge is missing from the comparison.", "4.2 Results"),
        ("The seminal work of Velickovic et al. (2018) is not cited.", "2 Related Work"),
        ("The paper does not compare with DropEdge.", "4.2 Results"),
        ("A comparison to GraphSAGE is missing.", "4.2 Results"),
        ("The authors fail to cite Velickovic et al. (2018).", "2 Related Work"),
        ("There are no results on PubMed.", "4.2 Results"),
        ("Neither the learning rate nor the batch size is given.", "4.1 Setup"),
        ("Details such as the batch size and the learning rate are missing.", "4.1 Setup"),
        ("It is not stated which learning rate was used.", "4.1 Setup"),
        ("What is missing is an ablation study.", "4.3 Ablation study"),
        ("I was surprised to see no ablation experiments at all.", "4.3 Ablation study"),
        ("Important baselines such as DropEdge are missing.", "4.2 Results"),
        ("The baselines do not include GraphSAGE.", "4.2 Results"),
        ("There is no mention of graph convolutions.", "2 Related Work"),
        ("Missing citation: Velickovic et al. (2018).", "2 Related Work"),
    ],
)
def test_what_is_there_is_not_missing(statement: str, section: str) -> None:
    (found,) = findings(statement)
    assert found.place is not None
    assert found.place.section == section
    assert found.certainty in ("false", "suspect")


@pytest.mark.parametrize(
    "statement",
    [
        "The paper lacks a thorough ablation study.",
        "The ablation study is not detailed enough.",
        "The limitations are not adequately discussed.",
        "The paper does not discuss limitations in depth.",
        "There is no ablation of the optimiser.",
        "Is there no ablation study?",
        "If there is no ablation study, the claim is weak.",
        "Prior work does not provide ablations.",
        "The method has no major limitations.",
        "No ablation study is needed here.",
        "Fig. 1 does not have error bars.",
        "More ablations would help.",
        "The paper does not compare with Transformers or with DropNode.",
        "The paper does not compare with other GraphSAGE variants.",
        "Why is there no comparison to GraphSAGE?",
        "There is no human evaluation.",
        "A user study is missing.",
        "The paper does not report significance tests.",
        "The ablation study is missing a variant without the decoder.",
        "The abstract does not mention limitations.",
        "Algorithm 1 does not specify the learning rate.",
        "The paper does not explain the choice of learning rate.",
        "The code is not documented.",
        "Confidence intervals are missing.",
        "Some results lack error bars.",
        "The code of the baselines is not provided.",
        "Extensions of GraphSAGE are not considered.",
        "The method does not compare favourably to GraphSAGE.",
        "The authors do not mention the cost of GraphSAGE.",
        "No ablation isolates the effect of the sampler from that of the depth.",
        "There is no comparison with GraphSAGE on long graphs.",
    ],
)
def test_depth_questions_and_true_gaps_give_nothing(statement: str) -> None:
    assert findings(statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "There is no ablation study.",
        "The limitations are not discussed.",
        "The code is not available.",
        "There is no related work section.",
        "No error bars are given.",
        "The paper does not compare with Whisper.",
        "The paper does not cite Baevski et al. (2020).",
    ],
)
def test_what_a_paper_lacks_may_be_called_missing(statement: str) -> None:
    assert findings(statement, SPEECH) == []


def test_a_part_is_only_suspect_and_only_beside_its_words() -> None:
    text = GRAPHS.text.replace("without each part of the score", "without the norms of end points")
    paper = Paper("parts", text.replace("Ablation of the two norms", "Ablation of both norms"))
    (found,) = findings("There is no ablation of the norms.", paper)
    assert found.certainty == "suspect"
    assert findings("There is no ablation of the threshold.", paper) == []


def test_promises_and_denials_of_the_paper_show_nothing() -> None:
    text = (
        "# T\n\n## 1 Method\nWe leave an ablation study to future work. Our code will be released."
    )
    paper = Paper("promise", text)
    assert findings("There is no ablation study. The code is not available.", paper) == []


def test_hedged_claims_are_suspect() -> None:
    (found,) = findings("I could not find an ablation study.")
    assert found.certainty == "suspect"


@pytest.mark.parametrize(
    ("sentence", "topic", "qualifier"),
    [
        ("No ablation study is provided.", "an ablation study", ""),
        ("There is no ablation of the loss terms.", "an ablation study", "the loss terms"),
        ("Hyperparameters are not given.", "its hyperparameters", ""),
        (
            "No theoretical guarantees are provided about the learning.",
            "a theoretical analysis",
            "the learning",
        ),
        ("Nothing is said about the computational cost.", "the computational cost", ""),
        ("Theoretical analysis is absent.", "a theoretical analysis", ""),
        ("The paper does not discuss societal impact.", "its societal impact", ""),
    ],
)
def test_claims_are_read_with_their_topic(sentence: str, topic: str, qualifier: str) -> None:
    (claim,) = claims(sentence)
    assert claim.topic.name == topic
    assert claim.qualifier.rstrip(".") == qualifier
