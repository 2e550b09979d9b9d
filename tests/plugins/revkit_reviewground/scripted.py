"""A stand-in for models and searcher: it answers each role by a script and keeps the questions."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

from revkit.contracts import Context, Services
from revkit.model.exchange import ModelReply, ModelRequest, Usage
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.work import Work

TEXT = """\
# Sparse Gates for Long Documents

## Abstract

We study gates that skip tokens in long documents.

## 1 Introduction

Long inputs are costly for attention. Earlier work prunes heads.

## 2 Related Work

Pruning of heads was tried before.

## 3 Method

Let g be the gate. We minimise the loss in Equation 1.

$$
L = L_{task} + 0.1 g \\tag{1}
$$

## 4 Experiments

Table 1 shows that the gate improves F1 by 1.2 points over the full model.

| Model | F1 |
|-------|----|
| Full | 81.0 |
| Gate | 82.2 |

Table 1: Results on the long corpus.

## 5 Conclusion

A small gate may suffice.
"""
PAPER = Paper("p", TEXT, "Sparse Gates for Long Documents")
DRAFT: dict[str, Any] = {
    "summary": "It skips tokens.",
    "strengths": ["A small gate."],
    "weaknesses": ["Few experiments."],
    "questions": ["Why?"],
    "soundness": 3,
    "presentation": 3,
    "contribution": 2,
    "rating": 5,
    "confidence": 3,
    "decision": "reject",
}
FINAL: dict[str, Any] = {
    **DRAFT,
    "summary": "A gate skips tokens; F1 rises by 1.2 points (Table 1).",
    "weaknesses": ["One corpus only (Table 1); a second one would show more."],
}
ISSUES: dict[str, Any] = {
    "incorrect_or_hallucinated": [],
    "missing_key_points": [
        {"what_missing": "the loss", "why_important": "core", "evidence": "Equation 1"}
    ],
    "needs_specificity": [],
}
INSIGHTS: dict[str, Any] = {
    "facts": {
        "core_contributions": [{"claim": "a gate", "evidence": "Section 3"}],
        "method_summary": [],
        "assumptions_and_scope": [],
        "novelty_claims_in_paper": [],
    },
    "review_issues": ISSUES,
    "rewrite_suggestions": [],
}
RESULTS: dict[str, Any] = {
    "facts": {
        "datasets": ["the long corpus"],
        "metrics": ["F1"],
        "baselines": ["Full"],
        "key_results": [{"claim": "82.2 against 81.0", "evidence": "Table 1"}],
    },
    "review_issues": ISSUES,
    "rewrite_suggestions": [],
}
EMPTY_INSIGHTS: dict[str, Any] = {
    "facts": {key: [] for key in INSIGHTS["facts"]},
    "review_issues": {key: [] for key in ISSUES},
    "rewrite_suggestions": [],
}
KEYWORDS = {"keywords": ["token pruning", "sparse attention", "long documents"]}
DEBRIEF = {
    "summary": "It drops tokens.",
    "main_methods": "Scores.",
    "key_findings": "Faster.",
    "relation": "Drops tokens as the submission does.",
}
WORKS = (
    Work("Token Dropping at Scale", year=2024, abstract="We drop tokens by score.", score=3.0),
    Work("Heads that Matter", year=2023, abstract="We prune heads.", score=2.0),
)
ANSWERS: dict[str, Any] = {
    "drafter": DRAFT,
    "searcher": KEYWORDS,
    "summarizer": DEBRIEF,
    "miner": INSIGHTS,
    "analyzer": RESULTS,
    "aggregator": FINAL,
    "correction": FINAL,
}


def role_of(schema: dict[str, Any], messages: Sequence[str]) -> str:
    """Which role asks, by the schema of the reply and the turns so far."""
    properties = schema["properties"]
    if "keywords" in properties:
        return "searcher"
    if "relation" in properties:
        return "summarizer"
    if "facts" in properties:
        return "miner" if "core_contributions" in properties["facts"]["properties"] else "analyzer"
    if len(messages) > 2:
        return "correction"
    return "aggregator" if "This is a draft of a review" in messages[1] else "drafter"


def role_in(body: dict[str, Any]) -> str:
    """Which role a request over the wire is of."""
    schema = body["response_format"]["json_schema"]["schema"]
    return role_of(schema, [each["content"] for each in body["messages"]])


def reply_to(body: dict[str, Any]) -> str:
    """What the server of tests replies to a request over the wire."""
    return json.dumps(ANSWERS[role_in(body)])


class Model:
    """Answers by role: ``answers`` replaces entries of `ANSWERS`, which may be values, Failures or
    functions of the request."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {**ANSWERS, **answers}
        self.asked: list[tuple[str, ModelRequest]] = []
        self._lock = threading.Lock()

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        assert request.schema is not None
        role = role_of(dict(request.schema), [each.content for each in request.messages])
        with self._lock:
            self.asked.append((role, request))
        answer = self.answers[role]
        found = answer(request) if callable(answer) else copy.deepcopy(answer)
        if isinstance(found, Failure):
            return found
        return ModelReply(json.dumps(found), found, model="m", usage=Usage(100, 10, 1, 0.5))

    def prompts(self, role: str) -> list[str]:
        """The last turns that ``role`` was asked with."""
        return [request.messages[-1].content for name, request in self.asked if name == role]

    def roles(self) -> list[str]:
        return sorted(name for name, _ in self.asked)

    def context(
        self,
        search: Callable[[str, int], Any] | None = None,
        uses: Any = ("llm", "searcher"),
        repeat: int = 0,
    ) -> Context:
        def found(query: str, limit: int) -> Any:
            return WORKS[:limit]

        return Context(1, Services(complete=self.complete, search=search or found), uses, repeat)
