"""A stand-in for a language model that rewrites sentences: by a rule, one sentence at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from revkit.contracts import Context, Services
from revkit.model import Failure, Paper
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.testing import embed

Rule = Callable[[str], str]


def sentences_of(content: str) -> dict[int, str]:
    """The numbered sentences between the marks of a user turn."""
    fence = re.search(
        r"^----- sentences (\w+) begins -----\n(.*?)\n----- sentences \1 ends -----$",
        content,
        re.MULTILINE | re.DOTALL,
    )
    assert fence is not None
    rows = (line.partition("] ") for line in fence[2].split("\n"))
    return {int(head[1:]): text for head, _, text in rows}


def wanted(content: str) -> list[int]:
    """The numbers that the last line of a user turn asks for."""
    without_remarks = re.sub(r"\([^()]*\)", "", content.rsplit("numbers:", 1)[1])
    listed = re.findall(r"\d+", without_remarks)
    return [int(number) for number in listed]


def answer(messages: Sequence[tuple[str, str]], rule: Rule) -> dict[str, Any]:
    """The reply to (role, content) turns: each wanted sentence rewritten by ``rule``."""
    sentences = sentences_of(messages[1][1])
    asked = [text for role, text in messages if role == "user" and "numbers:" in text]
    numbers = wanted(asked[-1])
    return {"sentences": [{"number": n, "text": rule(sentences[n])} for n in numbers]}


class Model:
    """Answers by ``rule``; keeps all requests. ``fail`` may answer a request with a Failure."""

    def __init__(
        self, rule: Rule, fail: Callable[[ModelRequest], Failure | None] = lambda request: None
    ) -> None:
        self.rule = rule
        self.fail = fail
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        self.requests.append(request)
        failure = self.fail(request)
        if failure is not None:
            return failure
        data = answer([(m.role, m.content) for m in request.messages], self.rule)
        return ModelReply(json.dumps(data), data)

    def services(self) -> Services:
        return Services(embed=embed, complete=self.complete)

    def context(self, seed: int = 0) -> Context:
        return Context(seed, self.services(), ("llm", "embedder"))


def paper_of(*sentences: str) -> Paper:
    """A paper whose one paragraph of prose holds ``sentences``."""
    return Paper("p", f"# A title\n\n# 1 Introduction\n\n{' '.join(sentences)}\n")


Rows = list[tuple[list[int], str]]
# From the sentences of a passage and the numbers that can be condensed: new sentences.
ParagraphRule = Callable[[Mapping[int, str], Sequence[int]], Rows]


class ParagraphModel(Model):
    """Answers requests for whole paragraphs by ``rule``, and keeps them.

    The questions beside them are in ``selections`` and ``checks``: ``dispensable`` gets numbered
    sentences and candidates and returns rows, ``faults`` gets numbered sentences and new texts and
    returns rows. ``verdicts`` gets the sentences of each passage that is read alone and returns
    rows; such requests are in ``readings``. By default all candidates can go, no draft has a
    fault, and all passages are natural.
    """

    def __init__(
        self,
        rule: ParagraphRule,
        dispensable: Callable[[Mapping[int, str], Sequence[int]], Any] | None = None,
        faults: Callable[[Mapping[int, str], Mapping[str, str]], Any] | None = None,
        verdicts: Callable[[Mapping[str, Mapping[int, str]]], Any] | None = None,
    ) -> None:
        super().__init__(lambda text: text)
        self.rows_of = rule
        self.dispensable = dispensable or (lambda sentences, numbers: [_can_go(n) for n in numbers])
        self.faults = faults or (lambda sentences, texts: [])
        self.verdicts = verdicts or (lambda passages: [natural(name) for name in passages])
        self.readings: list[ModelRequest] = []
        self.selections: list[ModelRequest] = []
        self.checks: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        properties: Any = (request.schema or {})["properties"]
        turns = [message.content for message in request.messages if message.role == "user"]
        lines = re.findall(r"^\[(\d+)\] (.*)$", turns[0], re.MULTILINE)
        sentences = {int(number): text for number, text in lines}
        if "passages" in properties:
            self.readings.append(request)
            return _reply({"passages": self.verdicts(passages_of(turns[0]))})
        if "faults" in properties:
            self.checks.append(request)
            texts = dict(re.findall(r"^\[new ([A-Z])\] (.*)$", turns[0], re.MULTILINE))
            return _reply({"faults": self.faults(sentences, texts)})
        if "loss" in properties["sentences"]["items"]["properties"]:
            self.selections.append(request)
            return _reply({"sentences": self.dispensable(sentences, wanted(turns[0]))})
        self.requests.append(request)
        listed = re.findall(r"Sentences? ([\d, ]+) (?:has|have) \d+ words", turns[-1])[-1]
        free = [int(number) for number in listed.split(", ")]
        rows = self.rows_of(sentences, free)
        return _reply({"sentences": [{"from": numbers, "text": text} for numbers, text in rows]})


def passages_of(content: str) -> dict[str, dict[int, str]]:
    """The numbered sentences of each passage that is to be read alone."""
    parts = re.split(r"^\[passage ([A-Z])\] ?$", content, flags=re.MULTILINE)
    found: dict[str, dict[int, str]] = {}
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        rows = re.findall(r"^\[(\d+)\] (.*)$", part, re.MULTILINE)
        found[name] = {int(number): text for number, text in rows}
    return found


def natural(name: str) -> dict[str, Any]:
    """The verdict that a passage is natural."""
    return {"passage": name, "verdict": "natural"}


def _can_go(number: int) -> dict[str, Any]:
    return {"number": number, "kind": "background", "loss": "nothing"}


def _reply(data: Any) -> ModelReply:
    return ModelReply(json.dumps(data), data)
