"""What judges a paper: agents and rubrics."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar

from revkit.contracts.component import Component
from revkit.contracts.context import Context
from revkit.errors import RunError
from revkit.model.criterion import Criterion
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Scale
from revkit.model.roles import AgentRole
from revkit.model.training import TrainingExample
from revkit.model.values import Json
from revkit.model.variant import Rejection

T_co = TypeVar("T_co", covariant=True)
Conversation: TypeAlias = Generator[ModelRequest, ModelReply | Failure, Outcome]
"""A review that yields each request to a language model and is sent the reply."""

MYPY = False  # mypy, and only it, takes this name for true


class _Attribute(Protocol[T_co]):
    """A descriptor that returns a value of an instance, like a property."""

    def __get__(self, instance: Any, owner: Any = None, /) -> T_co: ...


class Agent(Component):
    """A reviewer: it takes one paper and returns one review or failure.

    ``deterministic`` declares that the same paper always gets the same answer. ``cannot_see`` is
    one sentence on what its scores cannot show, "" for nothing special; reports state it as a
    warning, so that a table of zeros does not pass for a result. ``takes_prompts`` declares that
    it answers prompts (`Context.prompted`) without a model, as a scripted reviewer does.
    ``control`` marks a simple program with known behaviour that shows whether an experiment finds
    what it should find; reports state that it is not an AI reviewer.
    """

    deterministic: ClassVar[bool] = False
    takes_prompts: ClassVar[bool] = False
    control: ClassVar[bool] = False
    cannot_see: ClassVar[str] = ""

    @property
    def probes(self) -> bool:
        """Whether `repeat_markers` asks a model how far it reads. Default: no."""
        return False

    @property
    def formats(self) -> Sequence[str]:
        """The formats in which this agent gets the paper as a file, such as "pdf". Default: none,
        it gets the text.
        """
        return ()

    if MYPY or not TYPE_CHECKING:

        @property
        @abstractmethod
        def scale(self) -> Scale:
            """The scale of this agent's scores: a class attribute ``scale = Scale(...)`` without an
            annotation, or a property."""

    else:  # pyright lets no class attribute override a property
        scale: Scale | _Attribute[Scale]

    @abstractmethod
    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Review ``paper``. Errors are returned as a `Failure`, never as a score.

        An exception is recorded as a Failure of kind "crashed".
        """

    @property
    def converses(self) -> bool:
        """Whether a run may call `conversation` in place of `review`. Default: no."""
        return False

    def conversation(self, paper: Paper, ctx: Context) -> Conversation:
        """Review ``paper`` with the same outcome as `review`, for an agent that waits for nothing
        but its requests to language models, one after another.

        A run needs no thread for such a review, so that hundreds of reviews can wait at once. The
        generator must not block: `Context.complete`, `gather`, `search` and `embed` raise
        `RuntimeError` in it, which is a Failure of kind "crashed". It has no deadline; each
        of its requests has one. A subclass that overrides `review` overrides this too; otherwise
        a run calls `review` (see `may_converse`).
        """
        raise NotImplementedError

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the roles of a reviewer with several prompts, for the run graph and the forecast:
        which model each role calls, and whose replies it reads. Default: no roles.
        """
        return ()

    def watched_files(self) -> Mapping[str, Json]:
        """Return the files whose content is part of `identity` and that the reviewer itself may
        change while it works (such as a log file), by path with the digest of each.

        A file that changes during a review is not an input: from then on, also in later runs with
        the same store, `pin_files` gets its earlier digest, and the run lists it. Default: none.
        """
        return {}

    def pin_files(self, digests: Mapping[str, Json]) -> None:
        """Use ``digests`` for these files in `identity`, regardless of their present content."""

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Score ``paper`` by one criterion of a rubric, on the criterion's scale.

        Agents that judge override this; by default it is a Failure of kind "rejected".
        """
        return Failure("rejected", f"agent {self.name!r} does not judge by rubrics")

    def cannot_judge(self, paper: Paper, criterion: Criterion) -> str:
        """Return the reason why this judge cannot score ``paper`` by ``criterion``, such as missing
        sources; "" if it can.

        The run then leaves the judgement out and states the reason in one warning, instead of a
        failure for each text. Default: "".
        """
        return ""

    def repeat_markers(self, paper: Paper, ctx: Context) -> Sequence[str] | Failure:
        """Ask the model once, with the prompt and the limits of a review, for the marker words that
        were put into ``paper`` (lines "Marker word: ..."), and return those that it names.

        A run asks where a metric reads probes and `probes` is True. Default: a Failure of kind
        "rejected".
        """
        return Failure("rejected", f"agent {self.name!r} has no reading probe")

    def training_example(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | Rejection:
        """Return the conversation from which this agent's model would learn to write ``review``.

        The turns are those that the agent sends for ``paper``, to the letter, and the last is the
        review as a reply. ``review`` holds what one person said under the names of fields (texts,
        lists of texts, numbers; ``decision`` is "accept" or "reject" where it is known); one that
        does not fit is rejected with the reason, never changed (`revkit.model.training.fitted`).
        No model is called. An agent that uses several models trains the one that reviews first.
        Default: a rejection.
        """
        return Rejection(f"agent {self.name!r} has no model to train")

    def explain(self, paper: Paper, ctx: Context) -> Mapping[str, Json]:
        """Review one paper and return all details, for a person who configures an agent.

        The key ``outcome`` is always there; agents that wrap something add what it was ``given``,
        what it ``printed``, what was ``read`` from that and the ``alternatives`` to it.
        """
        return {"outcome": self.review(paper, ctx).to_json(), "scale": self.scale.to_json()}

    def play_back(self, folder: Path) -> Mapping[str, Json]:
        """Read the recorded runs of a tool in ``folder`` as this agent would read the tool itself.

        The key ``cases`` has a row for each run, with ``outcome``, the rule that it was ``caught
        by`` and ``as expected``; ``rules`` one for each rule, with how many runs it ``caught`` and
        of how many it ``held``. Raises `RunError` where the agent reads no tool (the default), or
        ``folder`` holds no runs.
        """
        raise RunError(f"agent {self.name!r} does not read a tool, so it has no recorded runs")


class Rubric(Component):
    """A criterion by which judges score texts; a judge is an agent with a `judge` method."""

    if MYPY or not TYPE_CHECKING:

        @property
        @abstractmethod
        def criterion(self) -> Criterion:
            """The question, its levels, and the texts that a judge reads: a class attribute or a
            property.
            """

    else:
        criterion: Criterion | _Attribute[Criterion]


def may_converse(agent: Agent) -> bool:
    """Return whether a run may call `conversation` of ``agent`` in place of `review`: not where a
    subclass has another `review` than the one that its inherited `conversation` repeats.
    """
    order = type(agent).__mro__

    def place(name: str) -> int:
        return next(number for number, each in enumerate(order) if name in vars(each))

    return agent.converses and place("conversation") <= place("review")


def conversing(ctx: Context) -> Context:
    """Return ``ctx`` for a conversation: its methods that wait raise `RuntimeError`, because a call
    that blocks in the event loop of the calls can wait for ever.
    """

    def refusing(name: str) -> Callable[..., Any]:
        def refuse(*_: object) -> Any:
            raise RuntimeError(
                f"a conversation must not call Context.{name}, which would block the calls of all "
                "reviews: yield each request, or let converses be False"
            )

        return refuse

    given = ctx.services
    services = replace(
        given,
        complete=given.complete and refusing("complete"),
        gather=refusing("gather"),
        search=given.search and refusing("search"),
        embed=given.embed and refusing("embed"),
    )
    return replace(ctx, services=services)
