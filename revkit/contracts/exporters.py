"""The contract of exporters, which write an experiment for other programs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.contracts.component import Component
from revkit.contracts.context import Context
from revkit.contracts.papers import Corpus
from revkit.contracts.reviewers import Agent
from revkit.dataclass import dataclass
from revkit.model.paper import Paper, Skipped
from revkit.model.values import Json


@dataclass(frozen=True)
class ExperimentView:
    """The input of an exporter: one experiment, which is not run.

    ``agents`` are its agents by name, ``screened`` the names of those that have defenses,
    ``corpus`` is the name of its corpus, ``spec`` the resolved experiment as JSON. ``papers`` reads
    the corpus once, as a run does, ``papers_of`` that of another experiment, by its spec's path.
    ``context_of`` gives the context of an agent (by name) for a paper, without services, and
    ``fingerprint_of`` what decides the agent's answers. ``anchors`` is the corpus of the anchors of
    its calibration, None without one.
    """

    name: str
    spec: Mapping[str, Json]
    seed: int
    corpus: str
    agents: Mapping[str, Agent]
    screened: frozenset[str]
    papers: Callable[[], Iterable[Paper | Skipped]]
    papers_of: Callable[[Path], Iterable[Paper | Skipped]]
    context_of: Callable[[str, Paper], Context]
    fingerprint_of: Callable[[str], str]
    anchors: Corpus | None = None


@dataclass(frozen=True)
class Exported:
    """The output of an exporter: a ``summary`` to print, and a manifest as JSON.

    ``failed`` states that something which it checked does not hold: the command exits with 1.
    """

    summary: str
    manifest: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False


class Exporter(Component):
    """A component that writes an experiment for another program: ``revkit export NAME SPEC``.

    Its options are options of the command, and the first paragraph of its docstring is its help.
    ``folder`` is the folder to write if the user names none. ``verb`` is the command that lists it:
    an exporter called ``bank-plan`` with the verb ``bank`` is ``revkit bank plan SPEC``.
    """

    folder: ClassVar[str] = "exported"
    verb: ClassVar[Literal["export", "bank"]] = "export"

    @abstractmethod
    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Write files to ``folder``, which may not exist yet.

        Raises `revkit.errors.RunError` where it cannot, and where ``folder`` holds other files than
        those of an earlier export, which are replaced as a whole.
        """
