"""Experiment: what to run, as components; the form that every spec ends in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from revkit.contracts import (
    KINDS,
    Agent,
    Component,
    Constraint,
    Corpus,
    Defense,
    Embedder,
    Metric,
    Perturbation,
    Reporter,
)
from revkit.errors import Problem, SpecError
from revkit.model.review import Scale
from revkit.model.values import Json, digest_of
from revkit.model_settings import Budget, LlmServices, llm_to_json
from revkit.options import options_of

# In the run graph, and perhaps in a report, the place of a perturbation's name.
UNCHANGED = "unchanged"
# The bounds and the form that schemas/experiment.schema.json states for specs.
_BOUNDS = {
    "seed": (0, 2**63 - 1),
    "repeats": (1, 1000),
    "limit": (1, 2**63 - 1),
    "workers": (1, 1024),
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class PerturbationStep:
    """A perturbation, the constraints its variants must meet, and how many each paper gets."""

    component: Perturbation
    keep_if: tuple[Constraint, ...] = ()
    variants: int = 1


@dataclass(frozen=True)
class AgentStep:
    """An agent and the defenses that screen a paper before it sees one, in order."""

    component: Agent
    defenses: tuple[Defense, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """One experiment. Names (the keys) are the experimenter's own and appear in every table.

    ``repeats`` is the number of reviews of each item by each agent; from 2 on, repeated reviews of
    the unchanged paper give the noise floor. ``limit`` caps the number of papers (None: all).
    ``workers`` is the number of threads; it never changes a result. ``llm`` tells how language
    models are reached, ``budget`` what one command may spend on them.

    ``qualified`` gives, by the path of a component in the spec, the plugin that was named with it
    (``plugin:name``), so that the resolved spec names it again.

    A bare component stands for a step without constraints or defenses::

        Experiment(corpus=Synthetic(papers_=10), perturbations={"hedging": Hedging()},
                   agents={"counter": CitationCounter()})
    """

    corpus: Corpus
    agents: Mapping[str, AgentStep | Agent]
    perturbations: Mapping[str, PerturbationStep | Perturbation] = field(default_factory=dict)
    metrics: Sequence[Metric] = ()
    reports: Sequence[Reporter] = ()
    embedder: Embedder | None = None
    llm: LlmServices = field(default_factory=LlmServices)
    budget: Budget = field(default_factory=Budget)
    name: str = "experiment"
    seed: int = 0
    repeats: int = 1
    limit: int | None = None
    workers: int = 4
    qualified: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = [*self._number_problems(), *self._name_problems(), *self._kind_problems()]
        if problems:
            raise SpecError(problems)
        for section in ("metrics", "reports"):
            names = [component.name for component in getattr(self, section)]
            problems.extend(
                Problem(f"{name!r} stands in this list twice", path=f"{section}.{index}")
                for index, name in enumerate(names)
                if name in names[:index]
            )
        if self.embedder is None:
            problems.extend(
                Problem("needs an embedder; name one under services.embedder", path=path)
                for path, component in self.components()
                if "embedder" in component.uses
            )
        problems.extend(self._scale_problems())
        if problems:
            raise SpecError(problems)

    def _number_problems(self) -> Iterator[Problem]:
        numbers = {name: (getattr(self, name), bounds) for name, bounds in _BOUNDS.items()}
        for name, step in self.perturbation_steps.items():
            numbers[f"perturbations.{name}.variants"] = (step.variants, (1, 1000))
        for name, (value, (lowest, highest)) in numbers.items():
            if value is None and name == "limit":
                continue
            if not isinstance(value, int) or isinstance(value, bool):
                yield Problem(f"expected a whole number, not {value!r}", path=name)
            elif not lowest <= value <= highest:
                yield Problem(f"must be {lowest} to {highest}, not {value}", path=name)

    def _name_problems(self) -> Iterator[Problem]:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            yield Problem(f"{self.name!r} is no name", path="name")
        if not self.agents:
            yield Problem("name at least one agent", path="agents")
        for section in ("perturbations", "agents"):
            for name in getattr(self, section):
                if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > 64:
                    yield Problem(f"{name!r} is no name", path=section)
                elif section == "perturbations" and name == UNCHANGED:
                    yield Problem(
                        f"{UNCHANGED!r} stands for the paper as it is; choose another name",
                        path=f"{section}.{name}",
                    )

    def _kind_problems(self) -> Iterator[Problem]:
        bases = {kind.name: kind.base for kind in KINDS.values()}
        for path, kind, component in self._placed():
            if not isinstance(component, bases[kind]):
                yield Problem(f"expected a {kind}, not {type(component).__name__}", path=path)

    def _scale_problems(self) -> Iterator[Problem]:
        for name, step in self.agent_steps.items():
            try:
                scale = step.component.scale
            except Exception as error:  # a plugin may raise anything
                yield Problem(f"its scale: {type(error).__name__}: {error}", path=f"agents.{name}")
                continue
            if not isinstance(scale, Scale):
                yield Problem(f"its scale is no Scale but {scale!r}", path=f"agents.{name}")

    @property
    def perturbation_steps(self) -> Mapping[str, PerturbationStep]:
        """The perturbations by name, each as a step."""
        return {
            name: step if isinstance(step, PerturbationStep) else PerturbationStep(step)
            for name, step in self.perturbations.items()
        }

    @property
    def agent_steps(self) -> Mapping[str, AgentStep]:
        """The agents by name, each as a step."""
        return {
            name: step if isinstance(step, AgentStep) else AgentStep(step)
            for name, step in self.agents.items()
        }

    def components(self) -> Iterator[tuple[str, Component]]:
        """Every component with its path in the spec."""
        return ((path, component) for path, _, component in self._placed())

    def _placed(self) -> Iterator[tuple[str, str, Component]]:
        """Every component with its path and the kind that its place asks for."""
        yield "corpus", "corpus", self.corpus
        for name, step in self.perturbation_steps.items():
            yield f"perturbations.{name}", "perturbation", step.component
            for index, constraint in enumerate(step.keep_if):
                yield f"perturbations.{name}.keep-if.{index}", "constraint", constraint
        for name, agent in self.agent_steps.items():
            yield f"agents.{name}", "agent", agent.component
            for index, defense in enumerate(agent.defenses):
                yield f"agents.{name}.defenses.{index}", "defense", defense
        for index, metric in enumerate(self.metrics):
            yield f"metrics.{index}", "metric", metric
        for index, reporter in enumerate(self.reports):
            yield f"reports.{index}", "reporter", reporter
        if self.embedder is not None:
            yield "services.embedder", "embedder", self.embedder

    def to_json(self) -> dict[str, Json]:
        """The resolved spec: every default written out. It loads again as the same experiment."""
        spec: dict[str, Json] = {
            "revkit": 1,
            "name": self.name,
            "seed": self.seed,
            "corpus": self._use("corpus", self.corpus),
            "perturbations": {
                name: {
                    **self._use(f"perturbations.{name}", step.component),
                    "keep-if": self._uses(f"perturbations.{name}.keep-if", step.keep_if),
                    "variants": step.variants,
                }
                for name, step in self.perturbation_steps.items()
            },
            "agents": {
                name: {
                    **self._use(f"agents.{name}", step.component),
                    "defenses": self._uses(f"agents.{name}.defenses", step.defenses),
                }
                for name, step in self.agent_steps.items()
            },
            "repeats": self.repeats,
            "metrics": self._uses("metrics", self.metrics),
            "reports": self._uses("reports", self.reports),
            "workers": self.workers,
        }
        services: dict[str, Json] = {}
        if self.embedder is not None:
            services["embedder"] = self._use("services.embedder", self.embedder)
        if self.llm != LlmServices():
            services["llm"] = llm_to_json(self.llm)
        if services:
            spec["services"] = services
        if self.budget != Budget():
            spec["budget"] = options_of(self.budget)
        if self.limit is not None:
            spec["limit"] = self.limit
        return spec

    def _use(self, path: str, component: Component) -> dict[str, Json]:
        plugin = self.qualified.get(path)
        name = f"{plugin}:{component.name}" if plugin else component.name
        return {"use": name, "with": options_of(component)}

    def _uses(self, path: str, components: Sequence[Component]) -> list[Json]:
        return [self._use(f"{path}.{index}", each) for index, each in enumerate(components)]

    def deciding(self) -> dict[str, Json]:
        """The resolved spec without what changes no result: threads, budget, limits of models."""
        spec = {k: v for k, v in self.to_json().items() if k not in ("workers", "budget")}
        services = spec.get("services")
        if isinstance(services, dict) and "llm" in services:
            spec["services"] = {**services, "llm": self.llm.identity()}
        return spec

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the results: see `deciding`."""
        return digest_of(self.deciding())
