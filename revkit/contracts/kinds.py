"""The kinds of components, one row for each."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.contracts.component import Component
from revkit.contracts.curves import Calibrator
from revkit.contracts.defenses import Defense
from revkit.contracts.executors import Executor
from revkit.contracts.exporters import Exporter
from revkit.contracts.papers import Constraint, Corpus, Perturbation
from revkit.contracts.providers import Embedder, Searcher
from revkit.contracts.results import Metric, Reporter
from revkit.contracts.reviewers import Agent, Rubric
from revkit.contracts.strategies import Strategy
from revkit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of `KINDS`: the name of a kind, its plural (for hooks and sections), and its
    contract.
    """

    name: str
    plural: str
    base: type[Component]


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("corpus", "corpora", Corpus),
        Kind("perturbation", "perturbations", Perturbation),
        Kind("constraint", "constraints", Constraint),
        Kind("agent", "agents", Agent),
        Kind("defense", "defenses", Defense),
        Kind("rubric", "rubrics", Rubric),
        Kind("strategy", "strategies", Strategy),
        Kind("calibrator", "calibrators", Calibrator),
        Kind("metric", "metrics", Metric),
        Kind("searcher", "searchers", Searcher),
        Kind("embedder", "embedders", Embedder),
        Kind("reporter", "reporters", Reporter),
        Kind("exporter", "exporters", Exporter),
        Kind("executor", "executors", Executor),
    )
}
