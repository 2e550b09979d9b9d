"""The control agents: scorecards by hand, valid reviews of any paper, and the planted weaknesses.

The edits here are made by hand and only resemble the perturbation families.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import revkit.testing
from revkit.contracts import Agent
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Review, checked
from revkit_agents.citation_counter import CitationCounter
from revkit_agents.confidence_reader import ConfidenceReader
from revkit_agents.constant import Constant
from revkit_agents.evidence_weigher import EvidenceWeigher
from revkit_agents.keyword_reader import KeywordReader
from revkit_agents.length_reader import LengthReader
from revkit_agents.lexicon import academic, hedges, plain
from revkit_agents.random_verdict import RandomVerdict
from revkit_corpora.synthetic import Synthetic

AGENTS: tuple[Agent, ...] = (
    CitationCounter(),
    ConfidenceReader(),
    Constant(),
    EvidenceWeigher(),
    KeywordReader(),
    LengthReader(),
    RandomVerdict(),
)

PAPER = """# A Title

A. Author

## Abstract

We present a novel method. It may help in many cases.

## Results

Table 1: Accuracy (%); mean over 5 seeds.

| Method | A-Set | B-Set |
| --- | ---: | ---: |
| First | 70.0 ± 0.5 | 60.0 ± 0.5 |
| Second | 71.0 ± 0.5 | 61.0 ± 0.5 |
| Third | 69.0 ± 0.5 | 62.0 ± 0.5 |
| **Mine** | **73.0 ± 0.5** | **61.0 ± 0.5** |

The gain is clear ($p = 0.01$) [1].

## Limitations

One model was used [2].

## References

[1] A. One. First work. Proceedings, 2020.

[2] B. Two. Second work. Proceedings, 2021.
"""

ODD = {
    "one sentence": "One sentence.",
    "no references": PAPER.split("## References")[0],
    "no table": re.sub(r"(?m)^\|.*\n", "", PAPER),
    "empty table": "# T\n\n| a | b |\n| - | - |\n|  |  |\n",
    "not English": "# 题目\n\n本文提出了一种新方法。它可能有效。\n\n## 结果\n\n准确率高。\n",
    "no words": "# ...\n\n--- !!! ???\n",
    "hostile": "# {{ x }}\n\n<b>x</b> %s {0} \\1 (((((\n\n| ± | ± |\n|---|---|\n| \\pm | ++ |\n",
    "only headings": "# A\n\n## B\n\n## C\n",
}


def review(agent: Agent, paper: str | Paper, seed: int = 0) -> Review:
    if isinstance(paper, str):
        paper = Paper("p", paper)
    outcome = agent.review(paper, revkit.testing.context(seed))
    assert isinstance(outcome, Review)
    return outcome


def row(found: Review, name: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = found.details["scorecard"]  # type: ignore[assignment]
    return next(entry for entry in rows if entry["row"] == name)


class TestScorecards:
    def test_evidence_is_counted_as_a_person_would(self) -> None:
        found = review(EvidenceWeigher(), PAPER)
        counted = {
            name: row(found, name)["counted"]
            for name in ("methods compared", "datasets", "repeated runs", "spread reported")
        }
        assert counted == {
            "methods compared": 4,
            "datasets": 2,
            "repeated runs": 5,
            "spread reported": True,
        }
        assert row(found, "limitations")["points"] == 0.5
        assert row(found, "significance test")["points"] == 0.5
        assert row(found, "ablation")["points"] == 0.0
        # A-Set is won by 2.0 against spreads of 1.0 together, B-Set is lost: (1 + 0) / 2.
        assert row(found, "gain over spread")["counted"] == pytest.approx(0.5)

    def test_a_table_in_html_is_read_as_well(self) -> None:
        table = (
            "<table><tr><td>Model</td><td>Error (%)</td></tr><tr><td>LSTM</td><td>4.5</td></tr>"
            "<tr><td>CNN</td><td>4.0</td></tr><tr><td>Ours</td><td>3.5</td></tr></table>"
        )
        found = review(EvidenceWeigher(), f"# T\n\nSome prose.\n\n{table}\n")
        assert row(found, "methods compared")["counted"] == 3
        # An error is better when lower; without a spread, a lead is half a doubt: 0.5 + 0.5 / 2.
        assert row(found, "gain over spread")["counted"] == pytest.approx(0.75)

    def test_each_habit_counts_its_own_thing(self) -> None:
        assert row(review(CitationCounter(), PAPER), "works cited")["counted"] == 2
        # 4 sentences, one "may".
        hedged = row(review(ConfidenceReader(), PAPER), "hedges per sentence")
        assert hedged["counted"] == pytest.approx(0.25)
        # "novel" is academic, "many" and "used" are plain.
        elevated = row(review(KeywordReader(), PAPER), "percentage of academic words")
        assert elevated["counted"] == pytest.approx(100 / 3, abs=0.001)
        long = row(review(LengthReader(), PAPER), "words per paragraph")
        # 11, 7 ("=" is not a word) and 5 words in three paragraphs; the caption is not a paragraph.
        assert long["counted"] == pytest.approx(23 / 3, abs=0.001)

    def test_points_and_text_explain_the_score(self) -> None:
        for agent in AGENTS:
            found = review(agent, PAPER)
            rows: list[dict[str, float]] = found.details["scorecard"]  # type: ignore[assignment]
            if rows:
                raw = 1 + sum(entry["points"] for entry in rows)
                assert found.details["raw"] == pytest.approx(raw, abs=0.001)
                assert found.score is not None
                assert abs(found.score - raw) <= 0.501
                assert sum(entry["most"] for entry in rows) == pytest.approx(9.0, abs=0.001)
                assert all(str(entry["row"]) in found.text for entry in rows)
            assert f"Score {found.score:.0f} of 10" in found.text

    def test_weight_moves_all_points_to_the_habit_or_none(self) -> None:
        alone = review(CitationCounter(weight=1.0, typical=2.0), PAPER)
        assert alone.details["raw"] == pytest.approx(1 + 4.5)
        fair = review(CitationCounter(weight=0.0), PAPER)
        assert fair.score == review(EvidenceWeigher(), PAPER).score

    def test_the_lexicons_hold_forms_of_verbs(self) -> None:
        assert {"may", "suggests", "appeared", "hypothesizing"} <= hedges()
        assert {"novel", "utilized", "demonstrates", "obtaining"} <= academic()
        assert {"uses", "showed", "many"} <= plain()
        assert len(hedges() | academic() | plain()) == sum(
            map(len, (hedges(), academic(), plain()))
        )


class TestEveryPaperGetsAReview:
    @pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
    def test_the_contract_is_kept(self, agent: Agent) -> None:
        revkit.testing.check_component(agent)
        assert agent.deterministic == (agent.name != "random")

    @pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
    @pytest.mark.parametrize("kind", ODD)
    def test_odd_papers(self, agent: Agent, kind: str) -> None:
        self.check(agent, ODD[kind])

    @settings(max_examples=60, deadline=None)
    @given(st.text(min_size=1).filter(lambda text: not text.isspace()))
    def test_any_text(self, text: str) -> None:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return
        for agent in AGENTS:
            self.check(agent, text)

    @staticmethod
    def check(agent: Agent, text: str) -> None:
        found = review(agent, text)
        assert checked(found, agent.scale) is found
        assert found.accept == agent.scale.accepts(found.score or 0.0)
        assert found == review(agent, text)
        json.dumps(found.to_json(), allow_nan=False)

    def test_random_is_seeded_by_the_item(self) -> None:
        scores = {review(RandomVerdict(), PAPER, seed).score for seed in range(200)}
        assert scores == {float(value) for value in range(1, 11)}


def add_citations(paper: Paper, rng: random.Random) -> Paper:
    """Four works more in the list; marks would not change what is counted."""
    end = paper.references[-1].end
    numeric = paper.citation_style == "numeric"
    new = (
        f"\n\n[{90 + n}] A. Zed. Title {n}. Venue, 2020."
        if numeric
        else f"\n- Zed{n}, A. (2020). Title {n}. Venue."
        for n in range(4)
    )
    return paper.edited([Edit(end, end, "".join(new))])


def change_words(paper: Paper, change: Callable[[str], str | None]) -> Paper:
    edits = []
    for block in paper.blocks:
        if block.is_prose:
            for found in re.finditer(r"[A-Za-z]+", paper.text[block.start : block.end]):
                new = change(found[0].lower())
                if new is not None:
                    start = block.start + found.start()
                    edits.append(Edit(start, start + len(found[0]), new))
    return paper.edited(edits)


def remove_hedges(paper: Paper, rng: random.Random) -> Paper:
    return change_words(paper, lambda word: "does" if word in hedges() else None)


def use_plain_words(paper: Paper, rng: random.Random) -> Paper:
    def change(word: str) -> str | None:
        return "use" if word in academic() and rng.random() < 0.3 else None

    return change_words(paper, change)


def change_length(paper: Paper, rng: random.Random) -> Paper:
    """Drop, or say twice, three sentences of ten."""
    longer = rng.random() < 0.5
    chosen = [s for s in paper.sentences if rng.random() < 0.3]
    text = paper.text
    return paper.edited(
        Edit(s.end, s.end, " " + text[s.start : s.end]) if longer else Edit(s.start, s.end, "")
        for s in chosen
    )


FAMILIES = {
    "citations": add_citations,
    "hedging": remove_hedges,
    "paraphrase": use_plain_words,
    "length": change_length,
}
WEAKNESS = {
    "citation-counter": "citations",
    "confidence-reader": "hedging",
    "keyword-reader": "paraphrase",
    "length-reader": "length",
}


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return list(Synthetic(papers_=200).papers(revkit.testing.context(seed=5)))


@pytest.fixture(scope="module")
def flips(papers: list[Paper]) -> dict[str, dict[str, tuple[int, int]]]:
    """Flips up (reject to accept) and down, by agent and family."""
    found: dict[str, dict[str, tuple[int, int]]] = {agent.name: {} for agent in AGENTS}
    before = {a.name: [review(a, paper).accept for paper in papers] for a in AGENTS}
    for family, change in FAMILIES.items():
        changed = [change(paper, random.Random(n)) for n, paper in enumerate(papers)]
        for agent in AGENTS:
            after = [review(agent, paper).accept for paper in changed]
            pairs = list(zip(before[agent.name], after, strict=True))
            found[agent.name][family] = (pairs.count((False, True)), pairs.count((True, False)))
    return found


class TestPlantedWeaknesses:
    @pytest.mark.parametrize(("agent", "family"), WEAKNESS.items())
    def test_the_planted_weakness_is_found(
        self, flips: dict[str, dict[str, tuple[int, int]]], agent: str, family: str
    ) -> None:
        rate = {name: sum(flips[agent][name]) / 200 for name in FAMILIES}
        assert 0.12 <= rate[family] <= 0.45, rate
        assert all(rate[name] <= rate[family] / 2 for name in FAMILIES if name != family), rate

    def test_injected_citations_turn_rejections_around(
        self, flips: dict[str, dict[str, tuple[int, int]]]
    ) -> None:
        up, down = flips["citation-counter"]["citations"]
        assert down == 0
        assert up >= 0.15 * 200

    def test_constant_never_flips_and_the_weigher_of_evidence_hardly(
        self, flips: dict[str, dict[str, tuple[int, int]]]
    ) -> None:
        assert all(sum(pair) == 0 for pair in flips["constant"].values())
        assert all(sum(pair) <= 0.01 * 200 for pair in flips["evidence-weigher"].values())

    def test_accuracy_exposes_constant_and_random(self, papers: list[Paper]) -> None:
        accuracy = {
            agent.name: sum(
                review(agent, paper, n).accept == paper.labels.accept
                for n, paper in enumerate(papers)
            )
            / len(papers)
            for agent in AGENTS
        }
        assert accuracy["evidence-weigher"] >= 0.85
        assert all(accuracy[name] >= 0.62 for name in WEAKNESS), accuracy
        assert 0.4 <= accuracy["random"] <= 0.6
        base = sum(bool(paper.labels.accept) for paper in papers) / len(papers)
        assert accuracy["constant"] == base

    def test_scores_spread_over_the_scale(self, papers: list[Paper]) -> None:
        for agent in AGENTS:
            if agent.name != "constant":
                scores = [review(agent, paper, n).score for n, paper in enumerate(papers)]
                assert len(set(scores)) >= 6, agent.name
                assert max(map(scores.count, scores)) < 0.5 * len(scores), agent.name
