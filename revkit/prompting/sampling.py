"""Sampling: the model of a component and its parameters, as options that all components share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.exchange import Message, ModelRequest
from revkit.model.values import Json
from revkit.options import check_options, option

# What `parameters` must not contain: it has a separate option, or is set by the component.
FORBIDDEN = (
    "temperature", "max_tokens", "n", "stream", "messages", "model", "response_format",
)  # fmt: skip


@dataclass(frozen=True)
class Sampling:
    """The name of a model in litellm and the parameters of each request.

    ``max_tokens`` bounds a reply; ``top_p`` and ``seed`` are sent where they are set. ``more`` are
    parameters by their names in the OpenAI protocol.
    """

    model: str
    temperature: float = 0.0
    max_tokens: int = 4096
    top_p: float | None = None
    seed: int | None = None
    more: Mapping[str, Json] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Json]:
        """Return the parameters as in a request, and so in the key of its stored reply."""
        chosen: dict[str, Json] = {"top_p": self.top_p, "seed": self.seed}
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **{name: value for name, value in chosen.items() if value is not None},
            **self.more,
        }

    def request(
        self,
        turns: tuple[Message, ...],
        schema: Mapping[str, Json] | None = None,
        *,
        replicate: int,
        role: str = "",
    ) -> ModelRequest:
        """Return the request of ``turns`` with these parameters; see `ModelRequest`."""
        return ModelRequest(self.model, turns, schema, self.parameters, replicate, role)


@dataclass(frozen=True)
class SamplingOptions:
    """The options of a component that asks one model; the first base class, before the kind.

    A component with another default declares the option again. Defaults are part of stored
    keys and never change for an existing component. Extend `problems` for more checks.
    """

    name: ClassVar[str]
    model: str = option(help="The model's name in litellm: provider/model, such as openai/gpt-4.1.")
    temperature: float = option(0.0, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(
        4096,
        help="Maximum length of a reply in tokens; a reply that is cut off there is a failure.",
        minimum=1,
    )
    parameters: Mapping[str, bool | int | float | str] | None = option(
        None,
        help="Further sampling parameters by their names in the OpenAI protocol, such as top_p.",
    )

    @property
    def sampling(self) -> Sampling:
        """The options as a value."""
        return Sampling(
            self.model, self.temperature, self.max_tokens, more=dict(self.parameters or {})
        )

    def models(self) -> Sequence[str]:
        """The one model that the component calls."""
        return (self.model,)

    def __post_init__(self) -> None:
        check_options(self)
        if problems := list(self.problems()):
            raise OptionError(self.name, problems)

    def problems(self) -> Sequence[tuple[str, str]]:
        """Return problems of the options beyond their types: names of options and reasons."""
        problems = [] if self.model.strip() else [("model", "is empty")]
        problems.extend(("parameters", each) for each in forbidden_problems(self.parameters or ()))
        return problems


def forbidden_problems(names: Iterable[str]) -> list[str]:
    """Return one message for each name that `parameters` must not contain."""
    taken = set(names)
    return [f"{name!r} must not be set here" for name in sorted(taken.intersection(FORBIDDEN))]
