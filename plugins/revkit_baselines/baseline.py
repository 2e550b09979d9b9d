"""What the baselines share: options of the model, templates, asking, and panels."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from revkit.contracts import Agent, Context, ServiceName
from revkit.errors import OptionError
from revkit.files import digest
from revkit.model.exchange import Message, ModelRequest
from revkit.model.review import Failure
from revkit.model.roles import AgentRole
from revkit.model.values import Json
from revkit.options import option, options_of, unknown_name
from revkit_baselines.templates import (
    Places,
    Template,
    TemplateProblem,
    load_template,
)

T = TypeVar("T")
_TAKEN = ("temperature", "max_tokens", "n", "stream", "messages", "model", "response_format")
# Replicate numbers leave room between repeats for all calls of one review.
SLOTS = 1000
_LONGEST_RAW = 100_000
_LONGEST_DETAIL = 1500
_LONGEST_ITEM = 300


@dataclass(frozen=True)
class Answer:
    """One reply that could be read: its text, its object (None for free text), the steps taken."""

    text: str
    data: Mapping[str, Any]
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Baseline(Agent):
    """A reviewer made of prompts to one language model."""

    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    # The templates of the agent, by role.
    places: ClassVar[Mapping[str, Places]] = {}
    model: str = option(help="The model's name in litellm: provider/model, as openai/gpt-4.1.")
    temperature: float = option(0.1, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(
        4096, help="Longest reply in tokens; one that is cut off there is a failure.", minimum=1
    )
    parameters: Mapping[str, bool | int | float | str] | None = option(
        None, help="More sampling parameters by their names in the OpenAI protocol, as top_p."
    )
    prompts: Mapping[str, str] | None = option(
        None, help="Paths of templates by role, in the place of the built-in ones."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = list(self.problems())
        if problems:
            raise OptionError(self.name, problems)

    def problems(self) -> Sequence[tuple[str, str]]:
        """What is wrong with the options beyond their types: names of options and reasons."""
        problems = [] if self.model.strip() else [("model", "is empty")]
        problems.extend(
            ("parameters", f"{name!r} is not to be set here")
            for name in _TAKEN
            if name in (self.parameters or {})
        )
        problems.extend(
            ("prompts", unknown_name("role", role, self.places))
            for role in sorted(self.prompts or {})
            if role not in self.places
        )
        for role in self.places:
            try:
                self.template(role)
            except TemplateProblem as error:
                problems.append(("prompts", f"{role}: {error}"))
        return problems

    def template(self, role: str) -> Template:
        """The template of ``role``: the user's file or the built-in one."""
        path = (self.prompts or {}).get(role)
        return load_template(f"{self.prompt_folder()}-{role}", self.places[role], path)

    def holds(self, role: str, place: str) -> bool:
        """Whether the template of ``role`` has the placeholder ``place``."""
        return re.search(rf"\{{\{{ ?{place} ?\}}\}}", self.template(role).source) is not None

    def told(
        self, name: str, reads: Sequence[str] = (), calls: int = 1, uses: tuple[str, ...] = ()
    ) -> AgentRole:
        """A role of this agent, for the run graph: all ask the one model."""
        return AgentRole(name, self.model, uses, tuple(dict.fromkeys(reads)), calls)

    @classmethod
    def prompt_folder(cls) -> str:
        """What the names of the built-in templates begin with."""
        return cls.name

    def identity(self) -> Json:
        """The options, with the content of all templates in the place of their paths."""
        sources: dict[str, Json] = {
            role: digest(self.template(role).source) for role in self.places
        }
        return {**options_of(self), "prompts": sources}

    def models(self) -> Sequence[str]:
        """The one model that it asks."""
        return (self.model,)

    def files_needed(self) -> Sequence[str]:
        """The templates that are files of the user's."""
        return tuple((self.prompts or {}).values())

    @property
    def sampling(self) -> dict[str, Json]:
        """The sampling parameters of each call."""
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **(self.parameters or {}),
        }

    def ask(
        self,
        messages: tuple[Message, ...],
        schema: Mapping[str, Json] | None,
        slot: int,
        ctx: Context,
        role: str = "",
    ) -> Answer | Failure:
        """Ask once, for ``role``. ``slot`` numbers the calls of one review, each of which has its
        own."""
        replicate = ctx.repeat * SLOTS + slot
        request = ModelRequest(self.model, messages, schema, self.sampling, replicate, role)
        reply = ctx.complete(request)
        if isinstance(reply, Failure):
            return reply
        if schema is None:
            return Answer(reply.text, {}, reply.steps)
        if not isinstance(reply.data, Mapping):
            return Failure("schema", "the gateway gave a reply without the object", reply.text)
        return Answer(reply.text, reply.data, reply.steps)


def panel(who: str, outcomes: Sequence[T | Failure], told: Sequence[Json]) -> list[T] | Failure:
    """All members' outcomes, or one Failure: a part of a panel is no panel.

    Where some answered the Failure is "partial" and its ``raw`` holds ``told``, what each member
    said (None: nothing). Where none did, or the budget ended the run, the first failure's kind
    stands.
    """
    failures = [
        (number, each) for number, each in enumerate(outcomes, 1) if isinstance(each, Failure)
    ]
    good = [each for each in outcomes if not isinstance(each, Failure)]
    if not failures:
        return good
    number, first = next((each for each in failures if each[1].kind == "budget"), failures[0])
    detail = f"{len(failures)} of {len(outcomes)} failed, first {who} {number}: {first.detail}"
    if not good or first.kind == "budget":
        return Failure(first.kind, detail, first.raw)
    return Failure("partial", detail, json.dumps(told, ensure_ascii=False)[:_LONGEST_RAW])


def named(who: str, failure: Failure) -> Failure:
    """``failure`` with the part of the agent that it befell."""
    return Failure(failure.kind, f"{who}: {failure.detail}", failure.raw)


def bounded(value: Json, most: int = _LONGEST_DETAIL) -> Json:
    """``value`` for the record: long texts cut, those in lists shorter, and each cut said."""
    if isinstance(value, str):
        left = len(value) - most
        return value if left <= 0 else f"{value[:most]} [{left} characters more]"
    if isinstance(value, Mapping):
        return {name: bounded(each, most) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [bounded(each, _LONGEST_ITEM if isinstance(each, str) else most) for each in value]
    return value


def steps_of(answers: Sequence[Answer]) -> list[Json]:
    """The steps with which replies were read, each once, in the order of the calls."""
    return list(dict.fromkeys(step for answer in answers for step in answer.steps))
