"""An experiment from what a notebook has at hand: papers, functions, names and components."""

from __future__ import annotations

import inspect
import math
import uuid
import weakref
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, cast

from revkit.contracts import Agent, Component, Context, Corpus, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import OptionError, PaperError, SpecError, describe_error
from revkit.errors import Problem as SpecProblem
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import digest_of, is_number
from revkit.options import from_options, unknown_name
from revkit.registry import Registry
from revkit.spec import AgentStep, Experiment, PerturbationStep

Reviewer: TypeAlias = Callable[..., Any]
Papers: TypeAlias = Any
"""A corpus, its name, a list of papers, texts or mappings, or a data frame."""
Parts: TypeAlias = Mapping[str, Any] | Sequence[Any]
"""Components by name, or a list of names."""

DEFAULT_METRICS = ("flip-rate", "score-shift", "direction", "clean-accuracy", "outcomes")
_KEYS = ("accept", "score", "text", "confidence", "aspects", "details", "warnings")
_ROW_KEYS = ("text", "title", "id", "accept", "decision", "ratings")
_VERDICT = Scale("verdict", 0, 1, accept_at=1)
_sessions: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


@dataclass(frozen=True)
class GivenPapers(Corpus):
    """Papers that were given in Python; ``digest`` is that of their texts and labels."""

    name: ClassVar[str] = "given-papers"
    version: ClassVar[str] = "1"

    digest: str = ""

    def papers(self, ctx: Context) -> Iterable[Paper | Skipped]:
        return cast(tuple[Paper | Skipped, ...], self.__dict__["given"])

    def count(self) -> int | None:
        return len(self.__dict__["given"])


@dataclass(frozen=True)
class FunctionAgent(Agent):
    """A function as a reviewer.

    It gets the `Paper` (and the `Context` if it has a second argument without a default) and
    returns a `Review`, a `Failure`, True or False, a score on ``scale``, or a mapping with such
    keys. A coroutine is awaited. ``session`` identifies the function object, or is its attribute
    ``version``: answers are used again for the same function only.
    """

    name: ClassVar[str] = "function"
    version: ClassVar[str] = "1"

    function: str = ""
    session: str = ""

    @property
    def scale(self) -> Scale:
        """The scale of its scores; of a function without one, that of a verdict."""
        return cast(Scale, self.__dict__["given_scale"] or _VERDICT)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        call, scale = self.__dict__["call"], self.__dict__["given_scale"]
        result = call(paper, ctx) if self.__dict__["wants_context"] else call(paper)
        if inspect.isawaitable(result):
            import asyncio  # here: it loads sockets, which few runs need

            result = asyncio.run(_awaited(result))
        return outcome_from(result, scale)


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def outcome_from(result: Any, scale: Scale | None) -> Outcome:
    """The review that a function returned; a `Failure` of kind "schema" for anything else."""
    if isinstance(result, Review | Failure):
        return result
    if isinstance(result, Mapping):
        return _from_mapping(result, scale)
    value = _plain(result)
    if isinstance(value, bool):
        return Review(accept=value)
    if isinstance(value, int | float):
        return _scored({}, float(value), scale)
    return Failure(
        "schema",
        "expected a Review, True or False, a score, or a mapping with accept or score, not "
        f"{type(result).__name__}",
    )


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "shape", None) == ():
        return item()
    return value


def _from_mapping(result: Mapping[Any, Any], scale: Scale | None) -> Outcome:
    for key in result:
        if key not in _KEYS:
            return Failure("schema", unknown_name("key", str(key), _KEYS))
    parts = {key: value for key, value in result.items() if value is not None}
    accept, score = _plain(parts.pop("accept", None)), _plain(parts.pop("score", None))
    if accept is not None and not isinstance(accept, bool):
        return Failure("schema", f"accept must be True, False or None, not {accept!r:.80}")
    if score is None:
        return Review(accept=accept, **parts)
    if not is_number(score):
        return Failure("schema", f"score must be a number or None, not {score!r:.80}")
    return _scored(parts, float(score), scale, accept)


def _scored(
    parts: Mapping[str, Any], score: float, scale: Scale | None, accept: bool | None = None
) -> Outcome:
    if scale is None:
        return Failure("schema", "a score needs a scale: pass scale=revkit.Scale(...) to run")
    if not scale.allows(score):
        return Failure("schema", f"{score:g} is not a score of scale {scale.name!r}")
    return Review(scale.accepts(score) if accept is None else accept, score, **parts)


def function_agent(function: Reviewer, scale: Scale | None) -> FunctionAgent:
    """``function`` as an agent."""
    named = getattr(function, "__qualname__", type(function).__qualname__)
    agent = FunctionAgent(function=str(named), session=_session(function))
    agent.__dict__.update(call=function, given_scale=scale, wants_context=_required(function) >= 2)
    return agent


def _session(function: Reviewer) -> str:
    version = getattr(function, "version", None)
    if isinstance(version, str) and version:
        return version
    try:
        return _sessions.setdefault(function, f"session-{uuid.uuid4().hex}")
    except TypeError:  # it takes no weak reference
        return f"session-{uuid.uuid4().hex}"


def _required(function: Reviewer) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in kinds and each.default is each.empty for each in parameters)


def given_papers(papers: Iterable[Any]) -> GivenPapers:
    """A corpus of ``papers``: `Paper`, texts, or mappings (rows of a data frame) with ``text`` and
    optionally ``title``, ``id``, ``accept``, ``decision`` and ``ratings``; other keys become
    further labels. A row without a text is skipped and counted."""
    found = [_paper(item, number) for number, item in enumerate(_rows(papers), 1)]
    seen = [
        [each.id, each.digest, each.labels.to_json()]
        if isinstance(each, Paper)
        else [each.id, each.reason]
        for each in found
    ]
    corpus = GivenPapers(digest_of(cast(Any, seen)))
    corpus.__dict__["given"] = tuple(found)
    return corpus


def _rows(papers: Any) -> Iterator[Any]:
    """The items of a list, or the rows of a data frame of pandas, Polars or Arrow."""
    if hasattr(papers, "to_pylist") and hasattr(papers, "column_names"):
        yield from papers.to_pylist()
    elif hasattr(papers, "to_dicts") and hasattr(papers, "columns"):
        yield from papers.to_dicts()
    elif hasattr(papers, "to_dict") and hasattr(papers, "columns"):
        yield from papers.to_dict(orient="records")
    else:
        yield from papers


def _paper(item: Any, number: int) -> Paper | Skipped:
    if isinstance(item, Paper | Skipped):
        return item
    if isinstance(item, str):
        item = {"text": item}
    if not isinstance(item, Mapping):
        raise PaperError(
            f"paper {number}: expected a Paper, a text or a mapping with 'text', not "
            f"{type(item).__name__}"
        )
    row = {str(key): _value(value) for key, value in item.items()}
    name = str(row.get("id") or f"paper-{number}")
    text = row.get("text")
    if "text" not in row:
        raise PaperError(f"paper {number} has no key 'text'; it has {', '.join(row) or 'none'}")
    if not isinstance(text, str) or not text.strip():
        return Skipped(name, "no text", "papers given in Python")
    title = row.get("title")
    return Paper(name, text, str(title) if title else _title(text), _labels(row, number))


def _value(value: Any) -> Any:
    """A cell of a data frame: None where it is missing."""
    value = _plain(value)
    if isinstance(value, float) and math.isnan(value):
        return None
    return None if type(value).__name__ in ("NAType", "NaTType") else value


def _title(text: str) -> str:
    """The text of a first heading; "" where the text begins with something else."""
    line = text.lstrip().split("\n", 1)[0]
    return line[2:].strip() if line.startswith("# ") else ""


def _labels(row: Mapping[str, Any], number: int) -> Labels:
    accept = row.get("accept")
    if isinstance(accept, int) and accept in (0, 1):
        accept = bool(accept)
    if accept is not None and not isinstance(accept, bool):
        raise PaperError(
            f"paper {number}: accept must be True, False or missing, not {accept!r:.80}"
        )
    ratings = row.get("ratings")
    try:
        found = tuple(float(each) for each in (() if ratings is None else ratings))
    except (TypeError, ValueError):
        raise PaperError(f"paper {number}: ratings must be a list of numbers") from None
    extra = {
        key: value
        for key, value in row.items()
        if key not in _ROW_KEYS and isinstance(value, str | int | float | bool)
    }
    return Labels(accept, str(row.get("decision") or ""), found, extra=extra)


@dataclass(frozen=True)
class ExperimentParts:
    """The parts of an experiment that were given to `revkit.run` beside a spec, or without one."""

    papers: Papers = None
    agents: Parts | None = None
    perturbations: Parts | None = None
    metrics: Sequence[Any] | None = None
    reports: Sequence[Any] | None = None
    embedder: Any = None
    scale: Scale | Mapping[str, Scale] | tuple[float, ...] | None = None
    name: str | None = None
    repeats: int | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing was given."""
        return all(value is None for value in vars(self).values())

    def fields(self, registry: Registry, *, beside: bool) -> dict[str, Any]:
        """The fields of an `Experiment` that these parts give; ``beside`` a spec, no default
        metrics. Raises `SpecError` with every problem.
        """
        made = _Maker(registry)
        found = made.parts(self, beside)
        if made.problems:
            raise SpecError(made.problems)
        return found

    def experiment(self, registry: Registry) -> Experiment:
        """An experiment of these parts. Raises `SpecError` with every problem."""
        found = self.fields(registry, beside=False)
        if "corpus" not in found:
            raise SpecError([SpecProblem("without a spec, papers are needed", path="papers")])
        return Experiment(**{"name": "notebook", **found})


class _Maker:
    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.problems: list[SpecProblem] = []

    def parts(self, given: ExperimentParts, beside: bool) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if given.papers is not None:
            found["corpus"] = self.corpus(given.papers)
        if given.agents is not None:
            found["agents"] = {
                name: self.agent(value, f"agents.{name}", _scale_of(given.scale, name))
                for name, value in _named(given.agents)
            }
        if given.perturbations is not None:
            found["perturbations"] = {
                name: self.perturbation(value, f"perturbations.{name}")
                for name, value in _named(given.perturbations)
            }
        metrics: Sequence[Any] | None = given.metrics
        if metrics is None and not beside:
            known = self.registry.names("metric")
            metrics = [name for name in DEFAULT_METRICS if name in known]
        for section, kind, values in (
            ("metrics", "metric", metrics),
            ("reports", "reporter", given.reports),
        ):
            if values is not None:
                found[section] = tuple(
                    self.component(kind, value, f"{section}.{index}")
                    for index, value in enumerate(values)
                )
        if given.embedder is not None:
            found["embedder"] = self.component("embedder", given.embedder, "embedder")
        found |= {
            key: value
            for key, value in (("name", given.name), ("repeats", given.repeats))
            if value is not None
        }
        return found

    def problem(self, path: str, message: str) -> None:
        self.problems.append(SpecProblem(message, path=path))

    def corpus(self, papers: Papers) -> Any:
        if isinstance(papers, str | Corpus) or (isinstance(papers, Mapping) and "use" in papers):
            return self.component("corpus", papers, "papers")
        listed = isinstance(papers, Iterable) and not isinstance(papers, Mapping)
        if not listed and not hasattr(papers, "columns"):
            kind = type(papers).__name__
            self.problem(
                "papers",
                f"expected a list of papers, a data frame, or the name of a corpus, not {kind}",
            )
            return None
        try:
            return given_papers(cast(Iterable[Any], papers))
        except PaperError as error:
            self.problem("papers", str(error))
            return None

    def agent(self, value: Any, path: str, scale: Scale | None) -> Any:
        if isinstance(value, AgentStep | Agent):
            return value
        if isinstance(value, type) or not callable(value):
            return self.component("agent", value, path)
        return function_agent(value, scale)

    def perturbation(self, value: Any, path: str) -> Any:
        if isinstance(value, PerturbationStep | Perturbation):
            return value
        if callable(value) and not isinstance(value, type):
            self.problem(
                path,
                "a perturbation is a class, because it declares what a fair review does (expect); "
                "derive one from revkit.contracts.Perturbation",
            )
            return None
        return self.component("perturbation", value, path)

    def component(self, kind: str, value: Any, path: str) -> Any:
        """A component by name, as a mapping with ``use`` and ``with``, as a class or itself."""
        from revkit.errors import PluginError

        if isinstance(value, Component):
            return value
        if isinstance(value, type) and issubclass(value, Component):
            return self.built(value, {}, path)
        if isinstance(value, Mapping):
            for key in value:
                if key not in ("use", "with"):
                    self.problem(path, unknown_name("key", str(key), ("use", "with")))
            reference, options = value.get("use"), value.get("with", {})
        else:
            reference, options = value, {}
        if not isinstance(reference, str) or not isinstance(options, Mapping):
            self.problem(path, f"expected the {kind}, its name, or a mapping with 'use'")
            return None
        try:
            return self.built(self.registry.get(kind, reference).component, options, path)
        except PluginError as error:
            self.problem(path, str(error))
            return None

    def built(self, component: type[Component], options: Mapping[str, Any], path: str) -> Any:
        try:
            return from_options(component, dict(options))
        except OptionError as error:
            for option, message in error.problems:
                self.problem(f"{path}.{option}" if option else path, str(message))
        except (Exception, SystemExit) as error:  # __post_init__ of a plugin may raise anything
            self.problem(path, describe_error(error))
        return None


def _named(parts: Parts) -> list[tuple[str, Any]]:
    """Components by name; those of a list have their own names."""
    if isinstance(parts, Mapping):
        return [(str(name), value) for name, value in parts.items()]
    if isinstance(parts, str):
        parts = [parts]
    found = []
    for value in parts:
        reference = value.get("use") if isinstance(value, Mapping) else value
        name = getattr(reference, "name", None) or getattr(reference, "__name__", None)
        found.append((str(name or reference).rpartition(":")[2], value))
    return found


def _scale_of(
    scale: Scale | Mapping[str, Scale] | tuple[float, ...] | None, name: str
) -> Scale | None:
    if isinstance(scale, Mapping):
        scale = scale.get(name)
    if isinstance(scale, tuple):
        low, high, *accept = scale
        return Scale(f"{low:g}-{high:g}", low, high, accept_at=accept[0] if accept else None)
    return scale
