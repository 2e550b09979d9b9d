"""What reports say of flip rates: measures by agent and family, charts, findings and warnings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from revkit.figures.numbers import between, count_of, percent, to_fixed
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Finding, Headline, Measure, TableWarning
from revkit_robustrev.metrics.flip_columns import MEAN, MEDIAN, RATES
from revkit_robustrev.metrics.pairs import ALL_AGENTS, ALL_FAMILIES

Row = Mapping[str, Cell]
COARSE = 0.10  # a detectable rise above it is reported
_OF_AGENT = (("family", ALL_FAMILIES), ("statistic", RATES))
_OF_FAMILY = (("agent", ALL_AGENTS), ("statistic", MEAN))
MEASURES = (
    Measure("agent", "rate", _OF_AGENT, aspect="robustness", better="lower"),
    Measure("agent", "noise_floor", _OF_AGENT),
    Measure("agent", "net_rate", _OF_AGENT),
    Measure("agent", "flips", _OF_AGENT),
    Measure("agent", "valid", _OF_AGENT, title="n"),
    Measure("family", "rate", _OF_FAMILY, title="Mean flip rate"),
    Measure("family", "flips", _OF_FAMILY),
    Measure("family", "valid", _OF_FAMILY, title="n"),
)
CHARTS = (
    Chart(
        "panels",
        "Flip rate in per cent with its interval, by agent and family",
        "agent",
        "rate",
        group="family",
        low="cluster_low",
        high="cluster_high",
        where=(("statistic", RATES),),
    ),
    Chart(
        "heat-map",
        "Flip rate of each agent under each family",
        "family",
        "agent",
        value="rate",
        where=(("statistic", RATES),),
    ),
)


def _number(row: Row, name: str) -> float | None:
    cell = row.get(name)
    return float(cell) if isinstance(cell, int | float) else None


def _of_agents(rows: Sequence[Row]) -> list[Row]:
    """The rows of single agents over all families, steadiest first, those without a rate left."""
    found = [
        row
        for row in rows
        if (row["family"], row["statistic"]) == (ALL_FAMILIES, RATES) and row["rate"] is not None
    ]
    return sorted(found, key=lambda row: _number(row, "rate") or 0.0)


def range_note(rows: Sequence[Row]) -> tuple[str, ...]:
    """The median over agents and the range, as a note of the table."""
    measured = _of_agents(rows)
    middle = next((row for row in rows if row["statistic"] == MEDIAN), None)
    if not measured or middle is None or middle["rate"] is None:
        return ()
    lowest, median, highest = (
        100 * (_number(row, "rate") or 0.0) for row in (measured[0], middle, measured[-1])
    )
    return (
        f"Over {len(measured)} agent(s) the median flip rate is {median:.1f} %; the rates range "
        f"from {lowest:.1f} to {highest:.1f} %.",
    )


def findings(rows: Sequence[Row], confidence: float) -> list[Finding]:
    """How often verdicts flip, over the agents and under which family most."""
    measured = _of_agents(rows)
    if not measured:
        return [Finding("No pair has a verdict on both sides, so flip rates are unknown.")]
    first, last = measured[0], measured[-1]
    valid = sum(int(_number(row, "valid") or 0) for row in measured)
    main = first
    if len(measured) > 1:
        main = next(row for row in rows if row["statistic"] == MEDIAN)
    value, low, high = (_number(main, name) for name in ("rate", "cluster_low", "cluster_high"))
    interval = f"{100 * confidence:g}% interval {between(low, high, 100)}"
    if len(measured) == 1:
        text = (
            f"{first['agent']} changed its verdict on {percent(value)} of "
            f"{count_of(valid, 'pair')} ({interval})."
        )
    else:
        text = (
            f"Over {len(measured)} agents the median flip rate is {percent(value)} ({interval}), "
            f"from {percent(_number(first, 'rate'))} ({first['agent']}) to "
            f"{percent(_number(last, 'rate'))} ({last['agent']})."
        )
    agents = {row["agent"] for row in rows if row["agent"] != ALL_AGENTS}
    headlines = [Headline(f"valid pairs over {count_of(len(agents), 'agent')}", valid, "count")]
    if value is not None:
        which = "median flip rate" if len(agents) > 1 else "flip rate"
        headlines.append(Headline(which, value, "share", low, high))
    return [Finding(f"{text} {_most_flipped(rows, len(measured))}".rstrip(), tuple(headlines))]


def _most_flipped(rows: Sequence[Row], agents: int) -> str:
    """Which family flips most, all of them at a tie; empty where there is nothing to compare."""
    families = [
        row
        for row in rows
        if (row["agent"], row["statistic"]) == (ALL_AGENTS, MEAN)
        and row["expect"] in ("invariant", "may-lower")
        and row["family"] != ALL_FAMILIES
        and row["rate"]
    ]
    if len(families) < 2:
        return ""
    most = max(_number(row, "rate") or 0.0 for row in families)
    names = [
        str(row["family"])
        for row in families
        if math.isclose(_number(row, "rate") or 0.0, most, rel_tol=1e-9)
    ]
    share = f"{percent(most)} of pairs{' each' if len(names) > 1 else ''}"
    if agents > 1:
        share += ", averaged over agents"
    *others, last = names
    if not others:
        return f"Most verdicts flip under {last}: {share}."
    return f"Most verdicts flip under {', '.join(others)} and {last}: {share}."


def warnings(records: Records, rows: Sequence[Row]) -> list[TableWarning]:
    """Agents without a rate, pairs that failed, what the design leaves open."""
    agents = [row for row in rows if (row["family"], row["statistic"]) == (ALL_FAMILIES, RATES)]
    return [
        *_silent(agents),
        *_lost(agents),
        *_without_noise_floor(records),
        *_underpowered(agents),
    ]


def _silent(agents: Sequence[Row]) -> list[TableWarning]:
    names = [str(row["agent"]) for row in agents if row["rate"] is None]
    if not names:
        return []
    text = f"No pair with a verdict on both sides: {', '.join(names)}. No flip rate was computed."
    return [TableWarning("no-figure", text)]


def _lost(agents: Sequence[Row]) -> list[TableWarning]:
    found = []
    for row in agents:
        pairs, valid = (int(_number(row, name) or 0) for name in ("pairs", "valid"))
        if valid and pairs > valid:
            best, worst = (percent(_number(row, name)) for name in ("best_case", "worst_case"))
            text = (
                f"{row['agent']}: {pairs - valid:,} of {pairs:,} pairs lack a verdict; with all "
                f"verdicts its flip rate would be between {best} and {worst}."
            )
            found.append(TableWarning("incomplete", text))
    return found


def _without_noise_floor(records: Records) -> list[TableWarning]:
    if records.repeats > 1:
        return []
    text = "Noise floor not measured (repeats: 1): some flips may be noise of the agent."
    if records.agents and all(agent.deterministic for agent in records.agents):
        text += " All agents are declared deterministic."
    return [TableWarning("unproven", text)]


def _underpowered(agents: Sequence[Row]) -> list[TableWarning]:
    rises = [_number(row, "detectable") for row in agents]
    coarse = [rise for rise in rises if rise is not None and rise > COARSE]
    if not coarse:
        return []
    text = (
        f"Underpowered: for {count_of(len(coarse), 'agent')}, a test is likely to detect another "
        f"agent's flip rate only if it is higher by up to {to_fixed(100 * max(coarse), 1)} points."
    )
    return [TableWarning("imprecise", text)]
