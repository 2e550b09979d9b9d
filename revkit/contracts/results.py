"""The contracts of components that read a finished run: metrics and reporters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar

from revkit.contracts.component import Component
from revkit.dataclass import dataclass
from revkit.model.card import AgentCard, CardLine
from revkit.model.edits import Edit
from revkit.model.records import Records
from revkit.model.review import Outcome
from revkit.model.table import Column, Measure, Table
from revkit.model.values import Json


class Metric(Component):
    """A table computed from all records of a run. The same records always give the same table.

    ``reads_probes`` declares that it reads `Records.probes`: only then are agents asked how far
    they read, one call for each.
    """

    reads_probes: ClassVar[bool] = False
    table_columns: ClassVar[tuple[Column, ...]] = ()
    """The columns of its table, which has the name of the metric, if they are the same for all
    records: assertions about them are then checked before a run. Empty where records decide."""
    table_measures: ClassVar[tuple[Measure, ...]] = ()
    """The measures of this table; if records decide which of them it has, or about which rows they
    are, all that it can have, without rows."""

    @abstractmethod
    def measure(self, records: Records) -> Table:
        """Return a table in which every figure has n, an interval and the unit of resampling."""

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        """Return which figures of ``table``, which `measure` returned, belong on the cards of
        agents. Default: none.
        """
        return ()


@dataclass(frozen=True)
class RunView:
    """The input of a reporter: one finished run.

    ``spec`` is the resolved experiment as JSON. ``text_of`` and ``edits_of`` read the text of an
    original paper and the edits of a variant from the run's records when asked. ``digest`` covers
    all of it: the same digest means the same report. ``outcomes_of`` reads the reviews and failures
    of an agent for a paper and a variant of it, one for each repeat in order: agent, paper,
    perturbation ("" for the unchanged paper), number of the variant. It returns none where the
    records have none.
    ``cards`` are there if the experiment asks for them. ``descriptions`` has the first sentence of
    what components say of themselves, by their path in the experiment ("agents.NAME",
    "perturbations.NAME"), and ``controls`` the names of the agents that are controls.
    """

    name: str
    spec: Mapping[str, Json]
    records: Records
    tables: Sequence[Table]
    versions: Mapping[str, str]
    digest: str
    text_of: Callable[[str], str]
    edits_of: Callable[[str, str, int], Sequence[Edit]]
    title_of: Callable[[str], str] = lambda paper: paper
    outcomes_of: Callable[[str, str, str, int], Sequence[Outcome]] = lambda *_: ()
    cards: Sequence[AgentCard] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    controls: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SweepView:
    """The input of a reporter for a finished sweep: its points and their joined tables.

    ``axes`` names what was swept: the path of each value and the column that holds it. ``points``
    has a row for each point, and ``tables`` the rows of all points, with what was swept in the
    first columns. ``spec`` is the spec as it was given.
    """

    name: str
    axes: Sequence[tuple[str, str]]
    points: Table
    tables: Sequence[Table]
    spec: Mapping[str, Json]
    versions: Mapping[str, str]
    digest: str


class Reporter(Component):
    """A component that writes reports of a finished run."""

    @abstractmethod
    def render(self, run: RunView) -> Mapping[str, str]:
        """Return files by name (relative, within the run's folder) and their text.

        Pure: no clock, no path of this machine, no random order.
        """

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        """Return files, as `render` does, that compare the points of a sweep. Default: none."""
        return {}

    def summary(self, files: Mapping[str, str]) -> str:
        """Return the text to print at the end of a run, from the rendered ``files``. Default:
        none.
        """
        return ""
