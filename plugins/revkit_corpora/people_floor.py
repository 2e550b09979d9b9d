"""The metric `people-floor`: the distance between an agent and people, and between people
themselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    note_of,
    short_of,
    sums,
)
from revkit.figures.numbers import MOST_LISTED, count_of, number_at, with_interval
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Column, Finding, Table

if TYPE_CHECKING:
    from revkit.stats import Estimate

PEOPLE = "people"
READS_PEOPLE = (
    "it reads the reviews that people wrote, so a comparison with their ratings would show nothing"
)
_QUESTION = "Are the agents as close to people as people are to each other?"
_ERROR = Figure(
    "mae",
    "Distance",
    POINTS,
    "Mean distance from the mean of the other people who rated the paper, in severity points; "
    "lower is closer.",
)
_DIFFERENCE = Figure(
    "difference",
    "More than people",
    POINTS,
    "Distance of the agent minus that of a person, on the same papers; below 0: closer than a "
    "person.",
)
_COLUMNS = (
    Column(
        "reviewer",
        "Reviewer",
        "",
        "People, or an agent as the experiment names it.",
        "agent",
        clear=True,
    ),
    *_ERROR.columns,
    *_DIFFERENCE.columns,
    Column(
        "papers", "Papers", "count", "Papers with two ratings or more on a known scale.", clear=True
    ),
    Column("n", "n", "count", "Comparisons: one for each person who rated a paper."),
    Column(
        "left_out",
        "Left out",
        "count",
        "Papers with two ratings or more, but without a score of the agent.",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class PeopleFloor(Resampled, Metric):
    """The distance of each agent from human reviewers, and that of one human reviewer from the
    others.

    Of each paper with two ratings or more on a known scale, one person after the other is left out:
    the mean of the others is the target, for the person who was left out (row ``people``) and for
    every agent alike. So an agent that is as close to people as they are to each other has the
    distance of that row. All is in points of severity, by the linear map of each scale; an agent's
    scores over repeats are averaged.

    An agent that reads the reviews that people wrote, such as `human`, has no figures: it knows the
    ratings that it would be compared with. The row ``people`` is the one to read.
    """

    name: ClassVar[str] = "people-floor"
    version: ClassVar[str] = "8"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return a row for human reviewers and one for each agent."""
        rated = {
            paper.id: rated for paper in records.papers if (rated := _severities(paper.labels))
        }
        papers = list(rated)
        targets = {paper: _others(values) for paper, values in rated.items()}
        people = sums(
            papers,
            (
                (paper, abs(own - other))
                for paper, values in rated.items()
                for own, other in zip(values, targets[paper], strict=True)
            ),
        )
        own = {agent.name for agent in records.agents if agent.originals_only}
        scores = {
            agent.name: {} if agent.name in own else _scores(records, agent)
            for agent in records.agents
        }
        parts = [
            sums(
                papers,
                (
                    (paper, abs(found[paper] - target))
                    for paper in papers
                    if paper in found
                    for target in targets[paper]
                ),
            )
            for found in scores.values()
        ]
        estimates = self.means(records, [people, *parts]) if papers else [None] * (len(parts) + 1)
        rows = [self._row(PEOPLE, estimates[0], None, people, 0)]
        for name, part, estimate in zip(scores, parts, estimates[1:], strict=True):
            difference = self._difference(records, part, people) if part.n else None
            rows.append(self._row(name, estimate, difference, part, len(papers) - part.papers))
            if name in own:
                rows[-1] |= {"left_out": None, "note": READS_PEOPLE}
        notes = [
            "Of each paper, one person after the other is left out. The person and every agent are "
            "compared with the mean of the others."
        ]
        if others := len(records.papers) - len(papers):
            of = f"{others} of {len(records.papers)} papers"
            notes.append(f"{of} do not have two ratings on a known scale.")
        return Table.of(
            self.name,
            "Agents beside the disagreement of people",
            _COLUMNS,
            rows,
            notes if papers else ["No paper has two ratings on a known scale."],
            headline=True,
            fine=("confidence", "unit", "short", *(() if own else ("note",))),
            findings=_findings(rows),
            reading="Compare each agent with the row of people: an agent that is as close to "
            "people as they are to each other has the same distance.",
            warnings=self.imprecise(len(papers), rows, lambda row: str(row["reviewer"])),
        )

    def _row(
        self,
        name: str,
        error: Estimate | None,
        difference: Estimate | None,
        part: Sums,
        left_out: int,
    ) -> dict[str, Cell]:
        return {
            "reviewer": name,
            **_ERROR.cells(error),
            **_DIFFERENCE.cells(difference),
            "papers": part.papers,
            "n": part.n,
            "left_out": left_out,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"distance": error, "more than people": difference}),
            "note": None if error is None else note_of(error) or None,
        }

    def _difference(self, records: Records, part: Sums, people: Sums) -> Estimate:
        from revkit import stats

        mine, theirs = part.shared(people)
        return stats.cluster_bootstrap_difference(
            mine.totals,
            mine.counts,
            theirs.totals,
            theirs.counts,
            resampling=self.resampling(records),
        )


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """The question, the distance of people, and that of each agent beside it."""
    people, *agents = rows
    known = [row for row in agents if number_at(row, "difference") is not None]
    if number_at(people, "mae") is None or not known:
        return []
    papers = count_of(int(str(people["papers"])), "paper")
    text = (
        f"Over {papers}, a person differs from the mean of the others by "
        f"{with_interval(people, 'mae')} severity points."
    )
    shown = [f"{row['reviewer']} by {with_interval(row, 'mae')} ({_beside(row)})" for row in known]
    agents_text = f"From the same mean, agents differ: {'; '.join(shown[:MOST_LISTED])}."
    limit = (
        "An agent that averages several reviews comes closer to the mean of people by averaging "
        "alone."
    )
    return [
        Finding(_QUESTION, part="question"),
        Finding(text),
        Finding(agents_text),
        Finding(limit, part="limit"),
    ]


def _beside(row: Mapping[str, Cell]) -> str:
    """Whether an agent is shown to be closer to people than a person."""
    low, high = (number_at(row, f"difference_{end}") for end in ("low", "high"))
    if low is not None and low > 0:
        return "further away than a person"
    if high is not None and high < 0:
        return "closer than a person"
    return "not shown to differ from a person"


def _severities(labels: Labels) -> tuple[float, ...]:
    """Return the ratings of a paper as severities; none if there are fewer than two ratings or no
    scale.
    """
    if labels.scale is None or len(labels.ratings) < 2:
        return ()
    try:
        return tuple(labels.scale.to_severity(rating) for rating in labels.ratings)
    except PaperError:  # a rating that is not one of the form
        return ()


def _others(values: Sequence[float]) -> tuple[float, ...]:
    """Return, for each value, the mean of the other values."""
    total, others = math.fsum(values), len(values) - 1
    return tuple((total - value) / others for value in values)


def _scores(records: Records, agent: AgentRow) -> Mapping[str, float]:
    """Return the agent's mean severity of each unchanged paper."""
    found: dict[str, list[float]] = {}
    for verdict in records.originals(agent.name):
        if verdict.score is not None:
            found.setdefault(verdict.paper, []).append(agent.scale.to_severity(verdict.score))
    return {paper: math.fsum(values) / len(values) for paper, values in found.items()}
