"""The contracts of plugins: one base class for each kind of component.

A component is a frozen dataclass that derives from one of these classes. It works
without YAML, registry or run: ``Hedging(mode="add").perturb(paper, revkit.testing.context())``.
Components see papers without labels and under an id that reveals nothing (`Paper.blind`), and draw
random numbers from ``ctx.rng`` only, which is seeded from the experiment's seed, the component,
its options and the item; so order, threads and resumption change nothing.
"""

from revkit.contracts.component import Component, ServiceName
from revkit.contracts.context import Change, Context, Peer, Services
from revkit.contracts.curves import Calibrator, Curve, Flags, Numbers
from revkit.contracts.defenses import Defense, Reviewing, guarded, guards_of
from revkit.contracts.executors import Executor
from revkit.contracts.exporters import ExperimentView, Exported, Exporter
from revkit.contracts.kinds import KINDS, Kind
from revkit.contracts.papers import Constraint, Corpus, Perturbation
from revkit.contracts.providers import Embedder, Searcher
from revkit.contracts.results import Metric, Reporter, RunView, SweepView
from revkit.contracts.reviewers import Agent, Conversation, Rubric, conversing, may_converse
from revkit.contracts.strategies import Search, SearchSpace, Strategy, Try, Unit

__all__ = [
    "KINDS",
    "Agent",
    "Calibrator",
    "Change",
    "Component",
    "Constraint",
    "Context",
    "Conversation",
    "Corpus",
    "Curve",
    "Defense",
    "Embedder",
    "Executor",
    "ExperimentView",
    "Exported",
    "Exporter",
    "Flags",
    "Kind",
    "Metric",
    "Numbers",
    "Peer",
    "Perturbation",
    "Reporter",
    "Reviewing",
    "Rubric",
    "RunView",
    "Search",
    "SearchSpace",
    "Searcher",
    "ServiceName",
    "Services",
    "Strategy",
    "SweepView",
    "Try",
    "Unit",
    "conversing",
    "guarded",
    "guards_of",
    "may_converse",
]
