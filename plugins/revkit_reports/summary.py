"""What all three reports say of a run: the two tables of ROBUST-REV, direction, counts, gates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from revkit.contracts import RunView
from revkit.model.records import Records
from revkit.model.table import Table
from revkit_reports.losses import GateLine, Loss, failures, gates, rejections
from revkit_reports.tables import (
    ALL_AGENTS,
    ALL_FAMILIES,
    Figure,
    Row,
    Tables,
    count,
    figure,
    number,
)


@dataclass(frozen=True)
class AgentLine:
    """One agent over all families: a row of the seed's table 5.1 with its intervals."""

    name: str
    scale: str
    pairs: int
    valid: int
    flips: int
    rate: Figure
    shift: Figure
    severity: Figure
    accuracy: Figure
    majority: float | None
    balanced: Figure
    macro_f1: Figure
    noise: Figure
    net: Figure
    worst: Figure
    constant: str
    detectable: float | None
    rate_method: str
    accuracy_method: str


@dataclass(frozen=True)
class FamilyLine:
    """One family over all agents: a row of the seed's table 5.2 with its interval."""

    name: str
    expect: str
    variants: int
    rejected: int
    crashed: int
    valid: int
    flips: int
    rate: Figure


@dataclass(frozen=True)
class DirectionLine:
    """Which way verdicts flipped, for one agent or family or all."""

    name: str
    valid: int
    up: int
    down: int
    ratio: Figure
    share: Figure
    p_exact: float | None
    p_clustered: float | None


@dataclass(frozen=True)
class Summary:
    """All that a report prints, read once from a run."""

    run: RunView
    tables: Tables
    level: float | None
    agents: tuple[AgentLine, ...]
    families: tuple[FamilyLine, ...]
    directions: tuple[DirectionLine, ...]
    direction: DirectionLine | None
    median: Figure
    one_scale: bool
    gates: tuple[GateLine, ...]
    rejections: Mapping[str, Sequence[Loss]]
    failures: Sequence[tuple[str, str, int]]

    @property
    def records(self) -> Records:
        return self.run.records

    @property
    def about_flips(self) -> bool:
        """Whether the experiment compares reviews of papers before and after a change, or asks how
        often that happens."""
        records = self.records
        if records.perturbations and records.agents:
            return True
        if records.judges or records.anchors is not None:
            return False
        return bool(records.perturbations) or self.tables.has("flip-rate")

    @property
    def about_accuracy(self) -> bool:
        """Whether there is anything to say of accuracy: always where flips are told, since a flip
        rate alone says little."""
        return self.about_flips or self.tables.has("clean-accuracy")

    @property
    def kind(self) -> str:
        """What the report is called."""
        subjects = [
            subject
            for subject, there in (
                ("robustness", self.about_flips),
                ("judges", bool(self.records.judges)),
                ("calibration", self.records.anchors is not None),
            )
            if there
        ]
        if not subjects:
            return "Report on reviews"
        if len(subjects) == 1:
            return {"judges": "Report on judges"}.get(
                subjects[0], f"{subjects[0].capitalize()} report"
            )
        return f"Report on {', '.join(subjects[:-1])} and {subjects[-1]}"

    @property
    def counts_title(self) -> str:
        """What the section on counts is called: gates stand at perturbations."""
        return "Gates and failures" if self.records.perturbations else "Counts and failures"

    @property
    def headlines(self) -> list[Table]:
        """The tables that ask to be shown themselves, in the order of the experiment."""
        return [table for table in self.run.tables if table.headline]

    @property
    def labelled(self) -> int:
        """How many papers have a decision."""
        return sum(paper.labels.accept is not None for paper in self.records.papers)

    @property
    def interval_name(self) -> str:
        """What the intervals are called: "95% interval"."""
        return f"{100 * self.level:g}% interval" if self.level else "interval"

    @property
    def verdicts(self) -> int:
        return len(self.records.verdicts)

    @property
    def failed(self) -> int:
        return sum(bool(verdict.failure) for verdict in self.records.verdicts)

    @property
    def crashed(self) -> int:
        """How many variants are missing because a perturbation raised an error."""
        return sum(variant.crashed for variant in self.records.variants)


def summary_of(run: RunView) -> Summary:
    """Read ``run``; agents come in the order of their flip rate, those without one last."""
    tables = Tables(run)
    agents = [_agent_line(tables, agent.name, agent.scale.name) for agent in run.records.agents]
    agents.sort(key=lambda line: (line.rate.value is None, line.rate.value or 0.0))
    middle = tables.row("flip-rate", statistic="median of agents")
    level = number(tables.row("flip-rate"), "confidence")
    level = number(tables.row("clean-accuracy"), "confidence") if level is None else level
    together = tables.row("direction", agent=ALL_AGENTS, family=ALL_FAMILIES)
    return Summary(
        run=run,
        tables=tables,
        level=level,
        agents=tuple(agents),
        families=tuple(
            _family_line(run.records, tables, row.name) for row in run.records.perturbations
        ),
        directions=tuple(
            _direction_line(line.name, row)
            for line in agents
            if (row := tables.row("direction", agent=line.name, family=ALL_FAMILIES))
        ),
        direction=_direction_line(ALL_AGENTS, together) if together else None,
        median=figure(middle, "rate", "cluster"),
        one_scale=len({agent.scale for agent in run.records.agents}) <= 1,
        gates=tuple(gates(run.records)),
        rejections=rejections(run.records),
        failures=failures(run.records),
    )


def _agent_line(tables: Tables, name: str, scale: str) -> AgentLine:
    flips = tables.row("flip-rate", agent=name, family=ALL_FAMILIES, statistic="rate")
    own = tables.row("score-shift", agent=name, family=ALL_FAMILIES, axis="own")
    severity = tables.row("score-shift", agent=name, family=ALL_FAMILIES, axis="severity")
    clean = tables.row("clean-accuracy", agent=name)
    return AgentLine(
        name=name,
        scale=scale,
        pairs=count(flips, "pairs"),
        valid=count(flips, "valid"),
        flips=count(flips, "flips"),
        rate=figure(flips, "rate", "cluster"),
        shift=figure(own, "mean_abs", "abs_cluster"),
        severity=figure(severity, "mean_abs", "abs_cluster"),
        accuracy=figure(clean, "accuracy"),
        majority=number(clean, "majority"),
        balanced=figure(clean, "balanced"),
        macro_f1=figure(clean, "macro_f1"),
        noise=figure(flips, "noise_floor", "noise"),
        net=figure(flips, "net_rate", "net"),
        worst=Figure(None, number(flips, "best_case"), number(flips, "worst_case")),
        constant=str(clean.get("constant") or ""),
        detectable=number(flips, "detectable"),
        rate_method=str(flips.get("method") or ""),
        accuracy_method=str(clean.get("method") or ""),
    )


def _family_line(records: Records, tables: Tables, name: str) -> FamilyLine:
    row = tables.row("flip-rate", agent=ALL_AGENTS, family=name)
    made = [variant for variant in records.variants if variant.perturbation == name]
    return FamilyLine(
        name=name,
        expect=next(p.expect for p in records.perturbations if p.name == name),
        variants=len(made),
        rejected=sum(variant.outcome in ("declined", "gate") for variant in made),
        crashed=sum(variant.crashed for variant in made),
        valid=count(row, "valid"),
        flips=count(row, "flips"),
        rate=figure(row, "rate", "cluster"),
    )


def _direction_line(name: str, row: Row) -> DirectionLine:
    return DirectionLine(
        name,
        count(row, "valid"),
        count(row, "reject_to_accept"),
        count(row, "accept_to_reject"),
        figure(row, "ratio"),
        figure(row, "share"),
        number(row, "p_exact"),
        number(row, "p_clustered"),
    )
