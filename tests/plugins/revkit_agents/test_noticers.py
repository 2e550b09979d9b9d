"""The agents that notice: each moves on one planted fault a paper, and on no other's."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

import revkit.testing
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Review
from revkit_agents.filler_noticer import FillerNoticer
from revkit_agents.hedged_fact_noticer import HedgedFactNoticer
from revkit_agents.incoherence_noticer import IncoherenceNoticer
from revkit_agents.noticer import Noticing
from revkit_agents.off_topic_citation_noticer import OffTopicCitationNoticer
from revkit_corpora.synthetic import Synthetic

NOTICERS: dict[str, Noticing] = {
    "citation": OffTopicCitationNoticer(),
    "coherence": IncoherenceNoticer(),
    "filler": FillerNoticer(),
    "fact": HedgedFactNoticer(),
}
Spoil = Callable[[Paper, random.Random], list[Edit]]


def off_topic_citation(paper: Paper, rng: random.Random) -> list[Edit]:
    """One entry on the history of trade, and its mark."""
    last, sentence = paper.references[-1], rng.choice(paper.sentences)
    entry = "P. Rossi. Spices and merchants of medieval Venice. Maritime History, 1987."
    label = f"[{len(paper.references) + 1}]" if last.label else ""
    return [
        Edit(sentence.end - 1, sentence.end - 1, f" {label or '(Rossi, 1987)'}"),
        Edit(last.end, last.end, f"\n\n{label or '-'} {entry}"),
    ]


def broken_coherence(paper: Paper, rng: random.Random) -> list[Edit]:
    """One paragraph that begins with what followed from a sentence that is gone."""
    blocks = [block for block in paper.blocks if block.kind == "paragraph" and block.is_prose]
    start = rng.choice(blocks[2:]).start
    opener = rng.choice(["However, ", "As a result, ", "For this reason, ", "In contrast, "])
    return [Edit(start, start + 1, opener + paper.text[start].lower())]


def filler(paper: Paper, rng: random.Random) -> list[Edit]:
    """One sentence that says nothing."""
    at = rng.choice(paper.sentences).end
    text = rng.choice(
        [
            " It pays to pause here and let everything sink in.",
            " Nothing ought to surprise anybody who pauses for a moment.",
            " Patient souls enjoy going back slowly over everything.",
        ]
    )
    return [Edit(at, at, text)]


def hedged_fact(paper: Paper, rng: random.Random) -> list[Edit]:
    """One doubt in a sentence with a measured number."""
    numbers = [
        s
        for s in paper.sentences
        if re.search(r"\d\.\d|\bTable \d", paper.text[s.start : s.end])
        and not re.search(r"\b(?:may|might|could|likely)\b", paper.text[s.start : s.end])
    ]
    if not numbers:
        return []
    start = rng.choice(numbers).start
    return [Edit(start, start + 1, "Perhaps " + paper.text[start].lower())]


SPOILT: dict[str, Spoil] = {
    "citation": off_topic_citation,
    "coherence": broken_coherence,
    "filler": filler,
    "fact": hedged_fact,
}


def score(agent: Noticing, paper: Paper) -> float:
    review = agent.review(paper, revkit.testing.context(seed=1))
    assert isinstance(review, Review)
    assert review.score is not None
    return review.score


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return [each.blind() for each in Synthetic(papers_=40).papers(revkit.testing.context(seed=9))]


@pytest.mark.parametrize("fault", SPOILT)
def test_one_spoilt_edit_a_paper_is_noticed_and_by_its_own_agent(
    papers: list[Paper], fault: str
) -> None:
    pairs = []
    for number, paper in enumerate(papers):
        edits = SPOILT[fault](paper, random.Random(number))
        if edits:
            pairs.append((paper, paper.edited(edits)))
    assert len(pairs) >= 20
    lowered = {
        name: sum(score(agent, after) < score(agent, before) for before, after in pairs)
        / len(pairs)
        for name, agent in NOTICERS.items()
    }
    assert lowered.pop(fault) >= 0.9
    assert max(lowered.values()) <= 0.15, lowered


@pytest.mark.parametrize("name", NOTICERS)
def test_each_is_a_valid_agent(name: str) -> None:
    revkit.testing.check_component(NOTICERS[name])


def faults_of(agent: Noticing, body: str) -> list[str]:
    return list(agent.faults(Paper("p", f"# Title of models\n\n## Abstract\n\n{body}\n")))


def test_doubt_counts_only_beside_a_measured_fact() -> None:
    agent = HedgedFactNoticer()
    body = "It may help. It gains 3.2 points. It may gain 3.2 points. Table 2 suggests a gain."
    assert faults_of(agent, body) == ["It may gain 3.2 points.", "Table 2 suggests a gain."]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("However, it fails.", 1),
        ("This paper is new.", 0),
        ("We set priors. These priors help.", 0),
        ("We set weights. These priors help.", 1),
        ("Second, it fails.", 1),
        ("There are two reasons. First, it fails. Second, it is slow.", 0),
        ("this expression goes on.", 0),
        ("It should be noted that noise is low.", 0),
        ("It is possible to reduce noise.", 0),
        ("It fails on text.", 1),
        ("It is slow.", 1),
        ("In contrast to masks, it is slow.", 0),
        ("In contrast, it is slow.", 1),
    ],
)
def test_connections(body: str, count: int) -> None:
    text = f"# T\n\n## Method\n\n{body}\n"
    assert len(IncoherenceNoticer().faults(Paper("p", text))) == count


def test_the_score_ends_at_zero() -> None:
    body = "\n\n".join("However, it fails." for _ in range(150))
    assert score(IncoherenceNoticer(), Paper("p", f"# T\n\n## Method\n\n{body}\n")) == 0
