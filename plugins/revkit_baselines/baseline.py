"""Base class of the baselines: model options, templates, calls, and panels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from revkit.contracts import Agent, Context, ServiceName
from revkit.contracts.component import inherited_name
from revkit.dataclass import dataclass
from revkit.files import digest
from revkit.model.exchange import Message
from revkit.model.review import Failure
from revkit.model.roles import AgentRole
from revkit.model.values import Json
from revkit.options import option, options_of, unknown_name
from revkit.prompting import (
    Answer,
    Places,
    SamplingOptions,
    Template,
    TemplateProblem,
    Values,
    ask,
    load_template,
)

T = TypeVar("T")
_FOLDER = Path(__file__).parent / "prompts"
_TEMPLATES = tuple(_FOLDER.glob("*-*.md"))
_SECRET = digest("revkit-baselines")
# Each repeat has this many replicate numbers, one for each call of a review.
SLOTS = 1000
_LONGEST_RAW = 100_000
_LONGEST_DETAIL = 1500
_LONGEST_ITEM = 300


@dataclass(frozen=True)
class Baseline(SamplingOptions, Agent):
    """A reviewer that consists of prompts to one language model."""

    uses: ClassVar[tuple[ServiceName, ...]] = ("llm",)
    # The templates of the agent, by role.
    places: ClassVar[Mapping[str, Places]] = {}
    temperature: float = option(0.1, help="Sampling temperature.", minimum=0, maximum=5)
    prompts: Mapping[str, str] | None = option(
        None, help="Paths of templates by role, which replace the built-in ones."
    )

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
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
        path: str | Path | None = (self.prompts or {}).get(role)
        if path is None:
            path = _FOLDER / f"{self.prompt_folder()}-{role}.md"
        return load_template(path, self.places[role])

    def turns(
        self, role: str, values: Values, earlier: tuple[Message, ...] = ()
    ) -> tuple[Message, ...]:
        """Return ``earlier`` turns and the turns of ``role``, with ``values`` inserted into its
        template.

        All roles derive their marks from one secret.
        """
        return self.template(role).turns(values, secret=_SECRET, earlier=earlier)

    def role(
        self, name: str, reads: Sequence[str] = (), calls: int = 1, uses: tuple[str, ...] = ()
    ) -> AgentRole:
        """Return a role of this agent for the run graph; all roles call the same model."""
        return AgentRole(name, self.model, uses, tuple(dict.fromkeys(reads)), calls)

    @classmethod
    def prompt_folder(cls) -> str:
        """The first part of the names of the built-in templates, also for a subclass under another
        name. Raises `TemplateProblem` where there are none."""
        try:
            return inherited_name(cls, {path.stem.rpartition("-")[0] for path in _TEMPLATES})
        except LookupError as error:
            raise TemplateProblem(f"there is no built-in template: {error}") from None

    def identity(self) -> Json:
        """Return the options, with the content of all templates instead of their paths."""
        sources: dict[str, Json] = {
            role: digest(self.template(role).source) for role in self.places
        }
        return {**options_of(self), "prompts": sources}

    def files_needed(self) -> Sequence[str]:
        """Return the paths of the user's templates."""
        return tuple((self.prompts or {}).values())

    def ask(
        self,
        messages: tuple[Message, ...],
        schema: Mapping[str, Json] | None,
        slot: int,
        ctx: Context,
        role: str = "",
    ) -> Answer | Failure:
        """Call the model once for ``role``. ``slot`` is the number of the call within one
        review.
        """
        replicate = ctx.repeat * SLOTS + slot
        return ask(ctx.complete, self.sampling, messages, schema, role=role, replicate=replicate)


def panel(who: str, outcomes: Sequence[T | Failure], replies: Sequence[Json]) -> list[T] | Failure:
    """Return the outcomes of all members, or one Failure if a member is missing.

    If some members answered, the Failure is "partial" and its ``raw`` holds ``replies``, the answer
    of each member (None: no answer). If none did, or the budget ended the run, it has the kind of
    the first failure.
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
    return Failure("partial", detail, json.dumps(replies, ensure_ascii=False)[:_LONGEST_RAW])


def bounded(value: Json, most: int = _LONGEST_DETAIL) -> Json:
    """Return ``value`` for the record: long texts are cut, texts in lists earlier than others, and
    cuts are noted.
    """
    if isinstance(value, str):
        left = len(value) - most
        return value if left <= 0 else f"{value[:most]} [{left} characters more]"
    if isinstance(value, Mapping):
        return {name: bounded(each, most) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [bounded(each, _LONGEST_ITEM if isinstance(each, str) else most) for each in value]
    return value


def steps_of(answers: Sequence[Answer]) -> list[Json]:
    """Return the steps that were needed to read the replies, each once, in the order of the
    calls.
    """
    return list(dict.fromkeys(step for answer in answers for step in answer.steps))
