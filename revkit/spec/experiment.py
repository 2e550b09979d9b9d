"""Experiment: the components of a run; every spec is read into this form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from revkit.contracts import (
    Agent,
    Component,
    Corpus,
    Embedder,
    Executor,
    Metric,
    Perturbation,
    Reporter,
    Rubric,
    Searcher,
)
from revkit.dataclass import dataclass
from revkit.errors import SpecError
from revkit.model.sample import Sample
from revkit.model.values import Json, digest_of
from revkit.model_settings import Budget, LlmServices
from revkit.spec.attack import Attack
from revkit.spec.problems import first_problems, later_problems
from revkit.spec.resolved_spec import deciding, resolved
from revkit.spec.steps import LONGEST_ITEM, AgentStep, Calibration, PerturbationStep
from revkit.spec.stop_conditions import StopWhen


@dataclass(frozen=True)
class Experiment:
    """One experiment. Names (the keys) are chosen by the user and appear in every table.

    ``repeats`` is the number of reviews of each item by each agent; from 2 on, repeated reviews of
    the unchanged paper and of its variants give the noise. ``limit`` caps the number of papers
    (None: all). ``sample`` draws papers from the whole corpus at random. ``workers`` is the number
    of threads, ``processes`` that of child processes for items that need a processor (0: the
    threads compute them); neither changes a result. ``deadline`` is the number of seconds after
    which a variant or a review that asks no language model and no search is recorded as a failure,
    and a fit, a metric or a report is a fault. ``llm`` states how language models are reached,
    ``budget`` the most that the experiment may spend on them. ``judges`` are agents that score
    every paper and variant by every one of ``rubrics``. ``assertions`` state what must hold of the
    finished run, such as ``failures <= 1 %``; they change no result. ``attack`` lets strategies
    search for edits that move the agents. ``cards`` asks for a card of each agent in every report.

    ``stop_when`` ends the run early, at a fixed look in the order of the corpus. ``executor`` gives
    shards of the run to other processes or machines, and changes no result.

    ``qualified`` gives, by the path of a component in the spec, the plugin that was named with it
    (``plugin:name``), so that the resolved spec names it again. ``moved`` gives, by the path of a
    file here, the one that the resolved spec names.

    A bare component is a step without constraints or defenses::

        Experiment(corpus=Synthetic(papers_=10), perturbations={"hedging": Hedging()},
                   agents={"counter": CitationCounter()})
    """

    corpus: Corpus
    agents: Mapping[str, AgentStep | Agent] = field(default_factory=dict)
    perturbations: Mapping[str, PerturbationStep | Perturbation] = field(default_factory=dict)
    judges: Mapping[str, AgentStep | Agent] = field(default_factory=dict)
    rubrics: Sequence[Rubric] = ()
    calibration: Calibration | None = None
    attack: Attack | None = None
    metrics: Sequence[Metric] = ()
    reports: Sequence[Reporter] = ()
    embedder: Embedder | None = None
    searcher: Searcher | None = None
    llm: LlmServices = field(default_factory=LlmServices)
    budget: Budget = field(default_factory=Budget)
    name: str = "experiment"
    seed: int = 0
    repeats: int = 1
    limit: int | None = None
    sample: Sample | None = None
    workers: int = 4
    processes: int = 0
    deadline: int = LONGEST_ITEM
    assertions: Sequence[str] = ()
    stop_when: StopWhen | None = None
    cards: bool = False
    executor: Executor | None = None
    qualified: Mapping[str, str] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = first_problems(self) or later_problems(self)
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

    @property
    def has_synthetic_anchors(self) -> bool:
        """Whether a program made the anchors and their severities."""
        calibration = self.calibration
        return calibration is not None and (calibration.anchors or self.corpus).synthetic

    @property
    def judge_steps(self) -> Mapping[str, AgentStep]:
        """The judges by name, each as a step."""
        return {
            name: step if isinstance(step, AgentStep) else AgentStep(step)
            for name, step in self.judges.items()
        }

    @property
    def makes_variants(self) -> bool:
        """Whether agents also see changed copies of the papers."""
        return bool(self.perturbations) or self.attack is not None

    def components(self) -> Iterator[tuple[str, Component]]:
        """Return every component with its path in the spec."""
        return ((path, component) for path, _, component in self.placed())

    def placed(self) -> Iterator[tuple[str, str, Component]]:
        """Return every component with its path and the kind that its place requires."""
        yield "corpus", "corpus", self.corpus
        for name, step in self.perturbation_steps.items():
            yield f"perturbations.{name}", "perturbation", step.component
            for index, constraint in enumerate(step.keep_if):
                yield f"perturbations.{name}.keep-if.{index}", "constraint", constraint
        sections = {"agents": self.agent_steps, "judges": self.judge_steps}
        for section, steps in sections.items():
            for name, agent in steps.items():
                yield f"{section}.{name}", "agent", agent.component
                for index, defense in enumerate(agent.defenses):
                    yield f"{section}.{name}.defenses.{index}", "defense", defense
        for index, rubric in enumerate(self.rubrics):
            yield f"rubrics.{index}", "rubric", rubric
        if self.calibration is not None:
            if self.calibration.anchors is not None:
                yield "calibration.anchors", "corpus", self.calibration.anchors
            for name, calibrator in self.calibration.maps.items():
                yield f"calibration.maps.{name}", "calibrator", calibrator
        if self.attack is not None:
            yield "attack.baseline", "strategy", self.attack.baseline
            for name, strategy in self.attack.strategies.items():
                yield f"attack.strategies.{name}", "strategy", strategy
            for index, constraint in enumerate(self.attack.keep_if):
                yield f"attack.keep-if.{index}", "constraint", constraint
        for index, metric in enumerate(self.metrics):
            yield f"metrics.{index}", "metric", metric
        for index, reporter in enumerate(self.reports):
            yield f"reports.{index}", "reporter", reporter
        if self.embedder is not None:
            yield "services.embedder", "embedder", self.embedder
        if self.searcher is not None:
            yield "services.searcher", "searcher", self.searcher
        if self.executor is not None:
            yield "executor", "executor", self.executor

    def to_json(self) -> dict[str, Json]:
        """Return the resolved spec with every default written out. It loads again as the same
        experiment.
        """
        return resolved(self)

    def deciding(self) -> dict[str, Json]:
        """Return the resolved spec without settings that change no result: threads, budget, limits
        of models.
        """
        return deciding(self)

    @property
    def digest(self) -> str:
        """Return the SHA-256 of what decides the results: see `deciding`."""
        return digest_of(self.deciding())
