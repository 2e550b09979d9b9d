"""The options of the drift simulation, and its run on the records of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.contracts import Curve, Metric
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.figures import confidence_option
from revkit.model.records import AgentRow, Records
from revkit.model.values import canonical_json
from revkit.options import option, options_of, unknown_name
from revkit_asc.metrics.base import NO_CALIBRATION
from revkit_asc.metrics.drift_policies import NAMES, policies_of

if TYPE_CHECKING:
    from revkit.contracts import Calibrator
    from revkit_asc.metrics.drift_simulation import Course
    from revkit_asc.metrics.drift_world import World

# 6 agents x 240 anchors a week are 1.7 % of 84,706 reviews a week (the paper's section 5).
PER_DAY = 12_101


@dataclass(frozen=True)
class Outcome:
    """The result of a simulation, or the reason ``why`` it did not run; ``notes`` are added to
    every table of it.
    """

    courses: tuple[Course, ...] = ()
    notes: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Simulated(Metric):
    """The options of the simulation. Metrics with equal options share its result."""

    changes: Mapping[str, str] | None = option(
        None,
        help="Agents that change, by name, each with the agent of the experiment that "
        "replaces it from `day` on; for example {g3: g3-updated}.",
    )
    day: int = option(
        37, help="The day at the start of which the agents change.", minimum=1, maximum=3650
    )
    days: int = option(90, help="Days of the simulation.", minimum=1, maximum=3650)
    until: int = option(60, help="The last day of the window after the first week.", minimum=1)
    per_day: int = option(
        PER_DAY,
        help=(
            "Reviews per day by all agents, the base of the cost; the default is the volume at "
            "which six agents with 240 anchors a week cost the paper's 1.7 %."
        ),
        minimum=1,
    )
    wander: float = option(
        0.12,
        help="Standard deviation of one day's step of each agent's random walk, in points of the "
        "consensus; an agent whose scores spread half as wide moves half as far.",
        minimum=0,
    )
    noise: float = option(
        3.0,
        help="Standard deviation between calls, in raw severity points, that is assumed of agents "
        "that are not declared deterministic where anchors were scored once.",
        minimum=0,
    )
    policies: tuple[str, ...] = option(
        NAMES,
        help="never, fingerprint, every-DAYS, rolling-ANCHORS, cusum-ANCHORS-THRESHOLD.",
    )
    seeds: int = option(10, help="Replications.", minimum=1, maximum=1000)
    map: str = option("", help="The way of fitting whose calibrator is used; empty: the last one.")
    without: tuple[str, ...] = option((), help="Agents to leave out, by name.")
    confidence: float = confidence_option(formerly="level")

    def outcome(self, records: Records) -> Outcome:
        """Run the simulation; once for all metrics with the same records and options."""
        return _simulated(self, records)

    @property
    def changed(self) -> Mapping[str, str]:
        """The change of each agent, by its name; empty without changes."""
        return self.changes or {}


# The last simulation, for the metric that asks for the same one next. It holds its records, so
# that their id cannot become another's.
_LAST: list[tuple[Records, str, Outcome]] = []


def _simulated(metric: Simulated, records: Records) -> Outcome:
    key = canonical_json(options_of(metric))
    for known, options, outcome in tuple(_LAST):
        if known is records and options == key:
            return outcome
    outcome = _run(metric, records)
    _LAST[:] = [(records, key, outcome)]
    return outcome


def _run(metric: Simulated, records: Records) -> Outcome:
    from revkit_asc.metrics.choice import chosen_way
    from revkit_asc.metrics.drift_simulation import simulate
    from revkit_asc.metrics.drift_world import build_world
    from revkit_asc.metrics.settings import fitted_ways

    agents = _agents(metric, records)
    policies = policies_of(metric.policies, metric.name)
    ways = fitted_ways(records)
    if records.anchors is None or not ways:
        return Outcome(why=NO_CALIBRATION)
    way = chosen_way(ways, metric.map, metric.name)
    curves = [m.curve for m in ways[way].values() if m.curve is not None]
    calibrator, origin = _calibrator(curves, way)
    left = len(agents) - len(set(metric.changed.values()))
    if left < 2:
        return Outcome(why="Not simulated: disagreement needs two agents or more.")
    world = build_world(records, agents, metric.changed, calibrator, metric.noise)
    if isinstance(world, str):
        return Outcome(why=f"Not simulated: {world}.")
    if why := _rigid(world, calibrator.name):
        return Outcome(why=why)
    courses = simulate(
        world,
        policies,
        days=metric.days,
        change=metric.day,
        wander=metric.wander,
        replications=metric.seeds,
        seed=records.seed,
    )
    return Outcome(courses, tuple(_notes(metric, world, origin)))


def _calibrator(curves: Sequence[Curve], way: str) -> tuple[Calibrator, str]:
    """Return the calibrator of the first curve that can be rebuilt; else the default calibrator."""
    from revkit_asc.calibrators import MonotoneSpline
    from revkit_asc.metrics.anchors import calibrator_of

    for curve in curves:
        found = calibrator_of(curve)
        if found is not None:
            return found, f"{found.name}, as in {way!r}"
    return MonotoneSpline(), f"monotone-spline, since the calibrator of {way!r} is not available"


def _rigid(world: World, calibrator: str) -> str:
    from revkit_asc.metrics.drift_world import TOLERANCE, moves_along

    gap = moves_along(world.agents[0])
    if gap <= TOLERANCE:
        return ""
    extent = f"by {gap:.1f} points" if gap - gap == 0.0 else "and cannot be fitted"
    return (
        f"Not simulated: the simulation takes it that a map follows the raw scores where they "
        f"move, and those of {calibrator} depart from that {extent}."
    )


def _agents(metric: Simulated, records: Records) -> tuple[AgentRow, ...]:
    from revkit_asc.metrics.heldout import agents_of

    agents = agents_of(records, metric.without, metric.name)
    names = [agent.name for agent in agents]
    problems = [
        ("changes", unknown_name("agent", name, names))
        for pair in metric.changed.items()
        for name in pair
        if name not in names
    ]
    both = sorted(set(metric.changed) & set(metric.changed.values()))
    problems += [
        ("changes", f"{name!r} cannot change and also replace another agent") for name in both
    ]
    if len(set(metric.changed.values())) < len(metric.changed):
        problems.append(("changes", "one agent replaces two others"))
    if problems:
        raise OptionError(metric.name, problems)
    return agents


def _notes(metric: Simulated, world: World, origin: str) -> Iterator[str]:
    from revkit_asc.metrics.drift_simulation import LEAST_SD, MOST_ITEMS

    items = min(len(world.consensus), MOST_ITEMS)
    if metric.changed:
        changes = ", ".join(
            f"{old} gives the scores of {new}" for old, new in metric.changed.items()
        )
        yield f"From day {metric.day} on, {changes}."
    else:
        yield "No agent changes: name one with the option `changes`. All alarms are false ones."
    yield (
        f"{len(world.agents)} agents, {world.anchors} anchors, {metric.seeds} replications of "
        f"{items} items drawn with replacement from {len(world.consensus)} held-out ones. Raw "
        f"scores move by each agent's random walk, {metric.wander:g} points a day (standard "
        "deviation of a step, in points of the consensus), and may leave their scale. Intervals "
        f"are Student's over replications, {100 * metric.confidence:g} %; all replications use the "
        "same run, so they cover the chance of walks, calls and items, not that of the agents."
    )
    yield (
        f"Cost: anchors scored after day 0 over {metric.per_day:,} reviews a day. Day 0 itself "
        "takes one call for each anchor, with CUSUM two, and is not counted."
    )
    yield (
        f"Maps: {origin}. If the scores of an agent have moved by some points, its new map is "
        "taken to be the old one, moved by as many points."
    )
    yield (
        "CUSUM: each day, the calibrated scores of some anchors are compared with those of the "
        "same anchors at the last full scoring. The charts add up the mean of these differences "
        "and their slope on the consensus, upwards and downwards, each divided by its standard "
        f"deviation from two calls on day 0 (at least {LEAST_SD:g} calibrated point for an "
        "anchor); 0.5 is subtracted each day, so that chance alone seldom gives an alarm. After "
        "an alarm all anchors of the agent are scored twice. Some other alarms are not false: they "
        "follow the random walk."
    )
    if world.assumed_noise:
        yield (
            f"Anchors were scored once, so the noise between calls is assumed, not measured: "
            f"normal, {metric.noise:g} raw points, for {', '.join(world.assumed_noise)}. Score "
            "anchors twice (`repeats: 2`) to measure it."
        )
