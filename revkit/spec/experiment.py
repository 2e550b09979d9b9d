"""Experiment: what to run, as components; the form that every spec ends in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from revkit.contracts import (
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
from revkit.model.values import Json, digest_of
from revkit.options import options_of


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
    ``workers`` is the number of threads; it never changes a result.

    A bare component stands for a step without constraints or defenses::

        Experiment(corpus=Synthetic(papers=10), perturbations={"hedging": Hedging()},
                   agents={"counter": CitationCounter()})
    """

    corpus: Corpus
    agents: Mapping[str, AgentStep | Agent]
    perturbations: Mapping[str, PerturbationStep | Perturbation] = field(default_factory=dict)
    metrics: Sequence[Metric] = ()
    reports: Sequence[Reporter] = ()
    embedder: Embedder | None = None
    name: str = "experiment"
    seed: int = 0
    repeats: int = 1
    limit: int | None = None
    workers: int = 4

    def __post_init__(self) -> None:
        problems = []
        if not self.agents:
            problems.append(Problem("name at least one agent", path="agents"))
        for name, lowest in (("repeats", 1), ("limit", 1), ("workers", 1)):
            value = getattr(self, name)
            if value is not None and value < lowest:
                problems.append(Problem(f"must be at least {lowest}", path=name))
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
        if problems:
            raise SpecError(problems)

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
        yield "corpus", self.corpus
        for name, step in self.perturbation_steps.items():
            yield f"perturbations.{name}", step.component
            for index, constraint in enumerate(step.keep_if):
                yield f"perturbations.{name}.keep-if.{index}", constraint
        for name, agent in self.agent_steps.items():
            yield f"agents.{name}", agent.component
            for index, defense in enumerate(agent.defenses):
                yield f"agents.{name}.defenses.{index}", defense
        for index, metric in enumerate(self.metrics):
            yield f"metrics.{index}", metric
        for index, reporter in enumerate(self.reports):
            yield f"reports.{index}", reporter
        if self.embedder is not None:
            yield "services.embedder", self.embedder

    def to_json(self) -> dict[str, Json]:
        """The resolved spec: every default written out. It loads again as the same experiment."""
        spec: dict[str, Json] = {
            "revkit": 1,
            "name": self.name,
            "seed": self.seed,
            "corpus": _use(self.corpus),
            "perturbations": {
                name: {
                    **_use(step.component),
                    "keep-if": [_use(constraint) for constraint in step.keep_if],
                    "variants": step.variants,
                }
                for name, step in self.perturbation_steps.items()
            },
            "agents": {
                name: {**_use(step.component), "defenses": [_use(d) for d in step.defenses]}
                for name, step in self.agent_steps.items()
            },
            "repeats": self.repeats,
            "metrics": [_use(metric) for metric in self.metrics],
            "reports": [_use(reporter) for reporter in self.reports],
            "workers": self.workers,
        }
        if self.embedder is not None:
            spec["services"] = {"embedder": _use(self.embedder)}
        if self.limit is not None:
            spec["limit"] = self.limit
        return spec

    @property
    def digest(self) -> str:
        """SHA-256 of the resolved spec without ``workers``, which changes no result."""
        return digest_of({k: v for k, v in self.to_json().items() if k != "workers"})


def _use(component: Component) -> dict[str, Json]:
    return {"use": component.name, "with": options_of(component)}
