"""Scripted models: ``scripted/SKILL`` answers for every role of the review grounder, offline.

A scripted model gets the request that a language model would get, and returns a reply that meets
the same schema. It finds each thing that its role is there for with the chance ``SKILL`` (0 to 1),
so that an ablation can be checked: the role whose skill is planted must be the one that matters.
``scripted/SKILL/DRAW`` draws anew for another number DRAW.

The drafter finds anything of the paper. Beyond the draft, only the miner knows contributions,
method and limits, only the analyzer knows results, and only searcher and summarizer know which
related works the paper names. The aggregator takes over what it is given, each with its skill.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.values import uniform_of
from revkit.prompting import fenced_spans

PREFIX = "scripted/"
_NAME = re.compile(r"scripted/(0(?:\.\d{1,6})?|1(?:\.0{1,6})?)(?:/(\d{1,9}))?")
_PROPOSES = re.compile(r"\bwe (?:propose|introduce|present|develop)\b", re.IGNORECASE)
_METHOD = re.compile(r"\b(?:at the heart|starting point|key idea|main idea)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")
_TITLE = re.compile(r"^title: ([^\n]{1,300})$", re.MULTILINE)
_SUBJECT = re.compile(r"\b(?:studies|study|about|address(?:es)?) ([a-z][^.,;:\n]{3,80})[.,;:]")
_OF_NO_USE = ("colour of a lake", "price of grain", "songs of birds")
_ELSEWHERE = "It is about another subject."
_NAMED = "The submission compares with it under the name"
_LONGEST = 500
_RATING = 6.0

Complete = Callable[[ModelRequest], ModelReply | Failure]


def is_scripted(model: str) -> bool:
    """Whether ``model`` names a scripted model."""
    return model.startswith(PREFIX)


def problem_of(model: str) -> str:
    """Return what is wrong with the name of a scripted model; "" if nothing is."""
    if not is_scripted(model) or _NAME.fullmatch(model):
        return ""
    return f"{model!r} is not of the form scripted/SKILL or scripted/SKILL/DRAW, SKILL from 0 to 1"


def answering(complete: Complete | None) -> Complete:
    """Return ``complete``, with requests to scripted models answered by the script."""

    def answer(request: ModelRequest) -> ModelReply | Failure:
        if is_scripted(request.model):
            return reply_of(request)
        if complete is None:
            raise RuntimeError("this context has no language models")
        return complete(request)

    return answer


def reply_of(request: ModelRequest) -> ModelReply:
    """Return the reply of the scripted model to ``request``, as its role."""
    match = _NAME.fullmatch(request.model)
    assert match is not None
    user = next(turn.content for turn in request.messages if turn.role == "user")
    texts = [user[span.start : span.end].strip() for span in fenced_spans(user)]
    draw = f"{match[2] or 0}/{request.replicate}/{request.role}"
    script = _Script(float(match[1]), draw, texts)
    data = _ROLES[request.role](script)
    text = json.dumps(data, ensure_ascii=False)
    return ModelReply(text, data, "stop", request.model)


@dataclass(frozen=True)
class _Script:
    """One request: the skill, what the draws depend on, and the texts between the marks."""

    skill: float
    draw: str
    texts: Sequence[str]

    def finds(self, thing: str) -> bool:
        """Whether the model finds ``thing``. The same draw is found by every higher skill."""
        return uniform_of(f"{self.draw}\n{thing}".encode()) < self.skill

    def choose(self, things: Sequence[str], most: int) -> list[str]:
        return [thing for thing in things if self.finds(thing)][:most]

    @property
    def paper(self) -> Paper:
        return Paper("paper", self.texts[0] or "(none)")


def _sentences(paper: Paper) -> list[tuple[str, str]]:
    """Return the sentences of a paper, each once, with the role of its section."""
    found: dict[str, str] = {}
    for sentence in paper.sentences:
        text = " ".join(paper.text[sentence.start : sentence.end].split())
        if 0 < len(text) <= _LONGEST:
            found.setdefault(text, paper.blocks[sentence.block].role)
    return list(found.items())


def _of_method(paper: Paper) -> list[str]:
    return [
        text
        for text, role in _sentences(paper)
        if _PROPOSES.search(text) or _METHOD.search(text) or role == "method"
    ]


def _of_limits(paper: Paper) -> list[str]:
    return [text for text, role in _sentences(paper) if role == "limitations"]


def _of_results(paper: Paper) -> list[str]:
    own = {*_of_method(paper), *_of_limits(paper)}
    return [
        text
        for text, role in _sentences(paper)
        if text not in own and (role in ("results", "experiments") or _NUMBER.search(text))
    ]


def _review(parts: Mapping[str, list[str]], rating: float = _RATING) -> dict[str, Any]:
    return {
        "summary": " ".join(parts["summary"]) or "The paper makes a proposal.",
        "strengths": parts["strengths"] or ["The paper is easy to follow."],
        "weaknesses": parts["weaknesses"] or ["The discussion could go further."],
        "questions": parts["questions"] or ["What would the authors do next?"],
        "soundness": 3,
        "presentation": 3,
        "contribution": 3,
        "rating": rating,
        "confidence": 3,
        "decision": "accept" if rating >= _RATING else "reject",
    }


def _draft(script: _Script) -> dict[str, Any]:
    paper = script.paper
    limits = script.choose(_of_limits(paper), 2)
    return _review(
        {
            "summary": script.choose(_of_method(paper), 4),
            "strengths": script.choose(_of_results(paper), 3),
            "weaknesses": [f"The paper says itself: {line}" for line in limits],
            "questions": [],
        }
    )


def _keywords(script: _Script) -> dict[str, Any]:
    """Return queries about the subject that the submission names, or words of no use."""
    subject = _SUBJECT.search(script.texts[0])
    words = " ".join(subject[1].split()) if subject else ""
    queries = [words, f"methods for {words}", f"evaluation of {words}"] if words else []
    wanted = script.choose(queries, 3)
    return {"keywords": [*wanted, *_OF_NO_USE][: len(_OF_NO_USE)]}


def _debrief(script: _Script) -> dict[str, Any]:
    submission, work = script.texts[0], script.texts[1]
    title = _TITLE.search(work)
    name = title[1].split(":")[0].strip() if title else ""
    known = bool(name) and name in submission and script.finds(name)
    relation = f"{_NAMED} {name}." if known else _ELSEWHERE
    return {
        "summary": f"A work on {name or 'the subject'}.",
        "main_methods": "See its abstract.",
        "key_findings": "See its abstract.",
        "relation": relation,
    }


def _suggestions(texts: Sequence[str], apply_to: str, target: str) -> list[dict[str, str]]:
    return [
        {
            "apply_to": apply_to,
            "target": target,
            "suggested_text": text,
            "evidence": " ".join(text.split()[:15]),
        }
        for text in texts
    ]


_NO_ISSUES: Mapping[str, list[Any]] = {
    "incorrect_or_hallucinated": [],
    "missing_key_points": [],
    "needs_specificity": [],
}


def _mined(script: _Script) -> dict[str, Any]:
    paper = script.paper
    method = script.choose(_of_method(paper), 3)
    limits = script.choose(_of_limits(paper), 2)
    facts = [{"claim": text, "evidence": " ".join(text.split()[:15])} for text in method]
    return {
        "facts": {
            "core_contributions": facts,
            "method_summary": [],
            "assumptions_and_scope": [],
            "novelty_claims_in_paper": [],
        },
        "review_issues": dict(_NO_ISSUES),
        "rewrite_suggestions": [
            *_suggestions(method, "Summary", "Core Contribution Accuracy"),
            *_suggestions(limits, "Weaknesses", "Evidence-Based Critique"),
        ][:5],
    }


def _analyzed(script: _Script) -> dict[str, Any]:
    results = script.choose(_of_results(script.paper), 5)
    facts = [{"claim": text, "evidence": " ".join(text.split()[:15])} for text in results]
    return {
        "facts": {"datasets": [], "metrics": [], "baselines": [], "key_results": facts},
        "review_issues": dict(_NO_ISSUES),
        "rewrite_suggestions": _suggestions(results, "Strengths", "Results Interpretation"),
    }


def _aggregated(script: _Script) -> dict[str, Any]:
    """Return the draft with what the reports add to it."""
    reports: list[Any] = [_loaded(text) for text in script.texts[1:]]
    draft = next((r for r in reports if isinstance(r, Mapping) and "summary" in r), {})
    added = [
        each
        for report in reports
        if isinstance(report, Mapping)
        for each in report.get("rewrite_suggestions", ())
        if script.finds(each["suggested_text"])
    ]
    parts = {
        "summary": [str(draft.get("summary", "")), *_for("Summary", added)],
        "strengths": [*draft.get("strengths", ()), *_for("Strengths", added)],
        "weaknesses": [*draft.get("weaknesses", ()), *_for("Weaknesses", added)],
        "questions": [*draft.get("questions", ())],
    }
    named = [name for report in reports if isinstance(report, list) for name in _named(report)]
    if named:
        names = " and ".join(named)
        parts["strengths"] += [
            f"The paper discusses its baselines {names} as related work.",
            f"It sets its system against the strongest baseline among {names}.",
        ]
    found = {name: list(dict.fromkeys(lines))[:12] for name, lines in parts.items()}
    return _review(found, float(draft.get("rating", _RATING)))


def _for(section: str, added: Sequence[Mapping[str, str]]) -> list[str]:
    return [each["suggested_text"] for each in added if each["apply_to"] == section]


def _named(debriefs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of works that a debrief relates to the submission."""
    relations = [str(each.get("relation", "")) for each in debriefs]
    found = [text[len(_NAMED) :].strip(" .") for text in relations if text.startswith(_NAMED)]
    return list(dict.fromkeys(found))


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


_ROLES: Mapping[str, Callable[[_Script], dict[str, Any]]] = {
    "drafter": _draft,
    "searcher": _keywords,
    "summarizer": _debrief,
    "miner": _mined,
    "analyzer": _analyzed,
    "aggregator": _aggregated,
}
