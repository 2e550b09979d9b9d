"""What defenses share that change the prompts of an agent: where a prompt holds text of others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from revkit.contracts import Context, Defense, Reviewing
from revkit.model.exchange import Message, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from revkit.model.structure import Span
from revkit.prompting import fenced_spans, neutralize


class PromptDefense(Defense):
    """A defense that changes each request of the agent to a language model.

    A review of which no prompt was changed is a Failure: without it a defense that found nothing to
    protect would pass for one.
    """

    changes_prompts: ClassVar[bool] = True

    @abstractmethod
    def change(self, request: ModelRequest, paper: Paper) -> ModelRequest:
        """Return ``request`` with the defense in it; the same where it holds no text of others."""

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review ``paper`` once, with changed prompts."""
        changed: list[bool] = []

        def applied(request: ModelRequest) -> ModelRequest:
            new = self.change(request, paper)
            changed.append(new is not request)
            return new

        outcome = review(paper, applied)
        if isinstance(outcome, Review) and not any(changed):
            detail = f"{self.name}: no prompt of the agent holds the text of the paper"
            return Failure("rejected", detail, outcome.text)
        return outcome


def texts_of_others(prompt: str, paper: Paper) -> tuple[Span, ...]:
    """Where a turn of a prompt holds text of others: within fences (see `revkit.prompting`), or,
    for an agent that writes prompts in another way, the text of ``paper`` word for word."""
    found = fenced_spans(prompt)
    if found:
        return found
    for text in dict.fromkeys((paper.text, neutralize(paper.text), paper.text.strip())):
        start = prompt.find(text)
        if start >= 0:
            return (Span(start, start + len(text)),)
    return ()


def mark_texts(
    request: ModelRequest, paper: Paper, mark: Callable[[str], str], notice: str
) -> ModelRequest:
    """``request`` with ``mark`` applied to each text of others in the user's turns, and ``notice``
    at the end of the instructions; the same request where there is no such text."""
    turns, changed = [], False
    for turn in request.messages:
        spans = texts_of_others(turn.content, paper) if turn.role == "user" else ()
        if spans:
            turn = Message("user", _replaced(turn.content, spans, mark))
            changed = True
        turns.append(turn)
    if not changed:
        return request
    return replace(request, messages=tuple(instruct(turns, notice)))


def _replaced(content: str, spans: tuple[Span, ...], mark: Callable[[str], str]) -> str:
    parts, last = [], 0
    for span in spans:
        parts += [content[last : span.start], mark(content[span.start : span.end])]
        last = span.end
    return "".join([*parts, content[last:]])


def instruct(turns: list[Message], notice: str) -> list[Message]:
    """The turns with ``notice`` at the end of the system's, or in front of the first turn."""
    first = turns[0]
    if first.role == "system":
        return [Message("system", f"{first.content}\n\n{notice}"), *turns[1:]]
    return [Message(first.role, f"{notice}\n\n{first.content}"), *turns[1:]]
