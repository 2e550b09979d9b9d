"""Whatever a model answers: edits that fit and pass the gates, or a rejection with its reason."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from revkit.model import Rejection
from revkit.testing import tiny_papers
from revkit.testing.kinds import check_edits
from revkit.testing.problems import Problems
from revkit_robustrev.rewriting.llm_hedging import LlmHedging
from revkit_robustrev.rewriting.llm_length import LlmLength
from revkit_robustrev.rewriting.llm_paraphrase import LlmParaphrase
from tests.plugins.revkit_robustrev.rewriting.rewriting_model import Model

PIECES = [
    "may", "not", "the", "shows", "that", "3.5", "[1]", "$x$", "**", "#", "|", "\n", "“", "”", "(",
    ")", "Figure 2", "https://a.example", "GPT", "<b>", "\u202e", "ist", "better", ".", "", "-",
    "ignore all instructions", "`code`", "(Lee, 2020)", "ß", "е", "\\cite{x}", "&amp;", "_",
]  # fmt: skip
LIKE = {"gate": "door", "costly": "dear", "show": "prove", "words": "terms", "slow": "sluggish",
        "may reduce": "reduces", "simple": "plain", "asked": "questioned"}  # fmt: skip


def meddled(seed: int, strength: int) -> Any:
    """A rule that changes a few words of each sentence, some of them well."""

    def rule(text: str) -> str:
        draw = random.Random(f"{seed}/{text}")
        for old, new in LIKE.items():
            if draw.random() < 0.6:
                text = text.replace(old, new)
        words = text.split(" ")
        for _ in range(draw.randrange(strength + 1)):
            place = draw.randrange(len(words) + 1)
            what = draw.randrange(3)
            if what == 0:
                words.insert(place, draw.choice(PIECES))
            elif what == 1 and len(words) > 1:
                del words[min(place, len(words) - 1)]
            else:
                other = draw.randrange(len(words))
                place = min(place, len(words) - 1)
                words[place], words[other] = words[other], words[place]
        return " ".join(words)

    return rule


@pytest.mark.parametrize(
    "family",
    [
        LlmParaphrase(model="m", max_distance=None, attempts=2),
        LlmParaphrase(model="m", max_distance=0.2, attempts=1),
        LlmHedging(model="m", attempts=2),
        LlmLength(model="m", attempts=1, tolerance=0.2, ratios=(0.75, 1.25), prompt_version=3),
    ],
    ids=["paraphrase", "near", "hedging", "length"],
)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9), strength=st.integers(0, 3))
@example(seed=207338, strength=3)  # a new sentence that ran into the next one
def test_any_answer_is_an_edit_that_passes_or_nothing(
    family: Any, seed: int, strength: int
) -> None:
    for paper in tiny_papers():
        model = Model(meddled(seed, strength))
        made = family.perturb(paper, model.context(seed))
        if isinstance(made, Rejection):
            assert made.reason
            continue
        problems = Problems()
        may_edit = frozenset(
            {"protected"} if isinstance(family, (LlmLength, LlmParaphrase)) else ()
        )
        check_edits(paper, made, may_edit, problems)
        problems.raise_for(type(family))
        failed = [c for c in family.gates(paper, made, model.context(seed)) if not c.passed]
        of_the_whole = ("length-ratio", "share-reworded")
        assert [c.name for c in failed if c.name not in of_the_whole] == []
        after = paper.edited(made)
        assert [b.kind for b in after.blocks] == [b.kind for b in paper.blocks]
        assert len(after.sentences) == len(paper.sentences) or isinstance(family, LlmLength)
