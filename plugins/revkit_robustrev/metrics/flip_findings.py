"""The measures, charts, findings and warnings of reports about flip rates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from revkit.figures import interval_text, sharp_width, short_warnings
from revkit.figures.numbers import (
    EMPTY,
    MOST_LISTED,
    between,
    count_of,
    list_names,
    number_at,
    percent,
    share_of,
    to_fixed,
)
from revkit.model.records import Records
from revkit.model.repeats import find_contradictions
from revkit.model.table import Cell, Chart, Finding, Headline, Measure, TableWarning
from revkit_robustrev.directions import PADDED
from revkit_robustrev.metrics.contrasts import Contrast
from revkit_robustrev.metrics.direction_findings import points
from revkit_robustrev.metrics.doses import LOWER_BOUND, variants_of
from revkit_robustrev.metrics.flip_columns import (
    MEAN,
    MEAN_OF_DIRECTION,
    MEDIAN,
    RANKED_MEDIAN,
    RATES,
)
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    ALL_FAMILIES,
    noticed_note,
    pairs_of,
    pooled_families,
)

_BEST = "; 0% is best"
Row = Mapping[str, Cell]
COARSE = 0.10  # a detectable rise above it is reported
NOTABLE = 0.005  # so much noise is named with the rates
MOST_NOISY = 3
SHOWN = 0.05
_OF_AGENT = (("family", ALL_FAMILIES), ("statistic", RATES))
_OF_FAMILY = (("agent", ALL_AGENTS), ("statistic", MEAN))
MEASURES = (
    Measure("agent", "rate", _OF_AGENT, aspect="robustness", better="lower", ranked="ranked"),
    Measure("agent", "noise_floor", _OF_AGENT),
    Measure("agent", "net_rate", _OF_AGENT),
    Measure("agent", "bounds", _OF_AGENT),
    Measure("agent", "flips", _OF_AGENT),
    Measure("agent", "papers", _OF_AGENT),
    Measure("agent", "valid", _OF_AGENT, title="Valid pairs"),
    Measure("family", "rate", _OF_FAMILY, title="Mean flip rate"),
    Measure("family", "bounds", _OF_FAMILY),
    Measure("family", "net_rate", _OF_FAMILY, title="Mean net rate"),
    Measure("family", "papers", _OF_FAMILY),
    Measure("family", "variants", _OF_FAMILY),
    Measure("family", "dose_median", _OF_FAMILY, title="Median dose"),
    Measure("family", "dose_p10", _OF_FAMILY, title="Dose, 10th percentile"),
)
_HARMLESS = ("invariant", "may-lower")
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


def _of_agents(rows: Sequence[Row]) -> list[Row]:
    """The rows of single agents over all families, steadiest first, those without a rate left."""
    found = [
        row
        for row in rows
        if (row["family"], row["statistic"]) == (ALL_FAMILIES, RATES) and row["rate"] is not None
    ]
    return sorted(found, key=lambda row: number_at(row, "rate") or 0.0)


def range_note(rows: Sequence[Row]) -> tuple[str, ...]:
    """The median over agents and the range, as a note of the table."""
    measured = _of_agents(rows)
    middle = next((row for row in rows if row["statistic"] == MEDIAN), None)
    if not measured or middle is None or middle["rate"] is None:
        return ()
    lowest, median, highest = (
        100 * (number_at(row, "rate") or 0.0) for row in (measured[0], middle, measured[-1])
    )
    return (
        f"Over {len(measured)} agent(s) the median flip rate is {median:.1f} %; the rates range "
        f"from {lowest:.1f} to {highest:.1f} %.",
    )


def findings(
    records: Records,
    rows: Sequence[Row],
    contrasts: Sequence[Contrast],
    confidence: float,
    *,
    sampled: bool = False,
) -> list[Finding]:
    """How often verdicts flip, over the agents, and whether under one family more than another.

    Where the agents are a sample (``sampled``), the mean over all of them is in front.
    """
    measured = _of_agents(rows)
    if not measured:
        return [Finding("No pair has a verdict on both sides, so flip rates are unknown.")]
    ranked = [row for row in measured if row["ranked"]]
    apart = [row for row in measured if not row["ranked"]]
    parts = [
        _of_one(ranked[0], confidence, alone=True) if len(measured) == 1 and ranked else "",
        _of_sample(rows, measured, confidence) if len(measured) > 1 and sampled else "",
        _of_many(rows, ranked, confidence) if len(measured) > 1 and ranked and not sampled else "",
        _not_ranked(apart, alone=len(measured) == 1),
        _noisy(records, ranked),
        _ways(records, measured),
        _most_flipped(rows, contrasts, measured),
    ]
    section = (_worst_families(rows, ranked), _by_direction(rows))
    return [
        Finding(" ".join(part for part in parts if part), _headlines(rows, ranked)),
        *(Finding(text, place="section") for text in section if text),
        Finding(" ".join((*noticed_note(records), LOWER_BOUND)), part="limit"),
    ]


def _main(rows: Sequence[Row], ranked: Sequence[Row]) -> Row:
    """The row of the figure in front: one agent's, or the median over the ranked agents."""
    if len(ranked) == 1:
        return ranked[0]
    found = {row["statistic"]: row for row in rows if row["family"] == ALL_FAMILIES}
    return found.get(RANKED_MEDIAN) or found[MEDIAN]


def _headlines(rows: Sequence[Row], ranked: Sequence[Row]) -> tuple[Headline, ...]:
    found = next(row for row in rows if (row["statistic"], row["family"]) == (MEAN, ALL_FAMILIES))
    tiles = [
        Headline("papers with pairs", int(number_at(found, "papers") or 0), "count"),
        Headline("pairs", int(number_at(found, "variants") or 0), "count"),
    ]
    if ranked:
        row = _main(rows, ranked)
        which = f"median flip rate of {len(ranked)} agents" if len(ranked) > 1 else "flip rate"
        value = number_at(row, "rate")
        if value is not None:
            low, high = number_at(row, "cluster_low"), number_at(row, "cluster_high")
            sharp = sharp_width(row, "cluster")
            tiles.append(Headline(which, value, "share", low, high, sharp))
    return tuple(tiles)


def _ways(records: Records, measured: Sequence[Row]) -> str:
    """Return how many of all flips go to accept, and how many to reject."""
    families = set(pooled_families(records))
    pairs = [
        pair
        for row in measured
        for pair in pairs_of(records, str(row["agent"]))
        if pair.family in families and pair.flip is not None
    ]
    up, down = (math.fsum(values) for values in zip(*((p.up, p.down) for p in pairs), strict=True))
    if not up + down:
        return ""
    numbers = [to_fixed(x, 0 if (up + down).is_integer() else 1) for x in (up, down)]
    return (
        f"{numbers[0]} of the flips go to accept (more lenient), {numbers[1]} to reject (stricter)."
    )


def _of_one(row: Row, confidence: float, *, alone: bool = False) -> str:
    valid, papers = (int(number_at(row, name) or 0) for name in ("valid", "papers"))
    return (
        f"{row['agent']} changed its verdict on {share_of(number_at(row, 'rate'), valid, 'pair')} "
        f"of {count_of(papers, 'paper')} (its flip rate; {_interval(row, confidence)}"
        f"{_BEST if alone else ''}).{_failures(row)}"
    )


def _pairs_of_each(ranked: Sequence[Row]) -> str:
    """Return how many pairs the rates of agents are shares of."""
    valid = sorted({int(number_at(row, "valid") or 0) for row in ranked})
    if len(valid) == 1:
        return f"{count_of(valid[0], 'pair')} for each agent"
    return f"{valid[0]:,} to {valid[-1]:,} pairs for each agent"


def _of_many(rows: Sequence[Row], ranked: Sequence[Row], confidence: float) -> str:
    if len(ranked) == 1:
        return _of_one(ranked[0], confidence)
    main = _main(rows, ranked)
    whole = len(ranked) == len(_of_agents(rows))
    which = f"these {len(ranked)} agents" if whole else f"the {len(ranked)} agents with a rank"
    return (
        f"The median flip rate of {which} is "
        f"{percent(number_at(main, 'rate'))} ({_interval(main, confidence)}{_BEST}; "
        f"{_pairs_of_each(ranked)}).{_failures(main)} "
        f"{_range(ranked)}"
    )


def _range(ranked: Sequence[Row]) -> str:
    """The lowest and the highest rate with their agents, or the rate that all agents have."""
    first, last = ranked[0], ranked[-1]
    low, high = number_at(first, "rate") or 0.0, number_at(last, "rate") or 0.0
    if _is_rate(last, low):
        return f"All {len(ranked)} agents have the rate {percent(low)}."
    return (
        f"The rates of the agents range from {percent(low)} ({_agents_at(ranked, first)}) to "
        f"{percent(high)} ({_agents_at(ranked, last)})."
    )


def _agents_at(ranked: Sequence[Row], row: Row) -> str:
    """The agents with the rate of ``row``."""
    rate = number_at(row, "rate") or 0.0
    equal = [str(one["agent"]) for one in ranked if _is_rate(one, rate)]
    more = [count_of(len(equal) - MOST_LISTED, "more agent")] if len(equal) > MOST_LISTED else []
    return list_names([*equal[:MOST_LISTED], *more])


def _of_sample(rows: Sequence[Row], measured: Sequence[Row], confidence: float) -> str:
    row = next(row for row in rows if (row["statistic"], row["family"]) == (MEAN, ALL_FAMILIES))
    return (
        f"Over agents of which these {len(measured)} are a sample the mean flip rate is "
        f"{percent(number_at(row, 'rate'))} ({100 * confidence:g}% interval "
        f"{interval_text(row, 'cluster', 100)} for new agents and papers).{_failures(row)}"
    )


def _interval(row: Row, confidence: float) -> str:
    low, high = number_at(row, "cluster_low"), number_at(row, "cluster_high")
    if low is None and high is None:
        # The row's note may mention repeats, and repeats of a steady agent change no finding.
        return f"no interval from {count_of(int(number_at(row, 'papers') or 0), 'paper')}"
    return f"{100 * confidence:g}% interval {interval_text(row, 'cluster', 100)}"


def _failures(row: Row) -> str:
    return f" With all failed pairs it would be {row['bounds']}." if row.get("bounds") else ""


def _not_ranked(apart: Sequence[Row], *, alone: bool) -> str:
    """Agents whose rates must not be compared, with the reason."""
    if not apart:
        return ""
    if alone and not number_at(apart[0], "rate"):
        return (
            f"No verdict changed, but {apart[0]['agent']} {apart[0]['unranked']}, so this shows "
            "nothing about its robustness."
        )
    listed = [
        f"{row['agent']} ({row['unranked']}; {percent(number_at(row, 'rate'))} of its pairs flip)"
        for row in apart[:MOST_LISTED]
    ]
    if len(apart) > MOST_LISTED:
        listed.append(f"and {count_of(len(apart) - MOST_LISTED, 'more agent')}")
    return f"Not ranked: {', '.join(listed)}."


def _noisy(records: Records, ranked: Sequence[Row]) -> str:
    """What noise alone gives, for agents with noise; or that it is not known."""
    if records.repeats < 2:
        random = {agent.name for agent in records.agents if not agent.deterministic}
        names = [str(row["agent"]) for row in ranked if row["agent"] in random and row["flips"]]
        if not names:
            return ""
        return (
            f"The noise of {list_names(names[:MOST_LISTED])} was not measured (repeats: 1), so "
            "noise may be the reason for some of the flips."
        )
    noisy = [row for row in ranked if (number_at(row, "noise_floor") or 0.0) >= NOTABLE]
    noisy.sort(key=lambda row: -(number_at(row, "noise_floor") or 0.0))
    parts = [
        f"{row['agent']} on {percent(number_at(row, 'noise_floor'))} (the excess of its flips is "
        f"{percent(number_at(row, 'net_rate'))} "
        f"{interval_text(row, 'net', 100)}, acceptance changes by "
        f"{points(number_at(row, 'acceptance_change'))})"
        for row in noisy[:MOST_NOISY]
    ]
    if not parts:
        return ""
    return f"Two reviews of one and the same text disagree: {', '.join(parts)}."


def _of_families(rows: Sequence[Row]) -> list[Row]:
    """The rows of single agents under single families."""
    return [
        row
        for row in rows
        if row["statistic"] == RATES
        and row["family"] != ALL_FAMILIES
        and row["expect"] in _HARMLESS
        and row["rate"] is not None
    ]


def _worst_families(rows: Sequence[Row], ranked: Sequence[Row]) -> str:
    """The family under which each agent flips most, with the rate."""
    cells = _of_families(rows)
    # Of one agent, the family with the highest rate is stated beside its flip rate.
    if min(len({row[name] for row in cells}) for name in ("family", "agent")) < 2:
        return ""
    parts = []
    for agent in reversed(ranked):
        own = [row for row in cells if row["agent"] == agent["agent"]]
        most = max((number_at(row, "rate") or 0.0 for row in own), default=0.0)
        if most:
            worst = [row for row in own if _is_rate(row, most)]
            parts.append(f"{agent['agent']} under {_under(worst)}")
    if not parts:
        return ""
    more = [f"{len(parts) - MOST_LISTED:,} more"] if len(parts) > MOST_LISTED else []
    return (
        "The highest flip rate under one family, for each agent with a rank that flips: "
        f"{'; '.join([*parts[:MOST_LISTED], *more])}."
    )


def _is_rate(row: Row, rate: float) -> bool:
    return math.isclose(number_at(row, "rate") or 0.0, rate, rel_tol=1e-9, abs_tol=1e-12)


def _under(worst: Sequence[Row]) -> str:
    """Return the families with the highest rate of an agent, and the rate."""
    names, rate = [str(row["family"]) for row in worst], percent(number_at(worst[0], "rate"))
    if len(names) > 1:
        more = [f"{len(names) - MOST_LISTED} more"] if len(names) > MOST_LISTED else []
        return f"{list_names([*names[:MOST_LISTED], *more])}, {rate} each"
    valid = count_of(int(number_at(worst[0], "valid") or 0), "pair")
    return f"{names[0]}, {rate} {interval_text(worst[0], 'cluster', 100)} of {valid}"


def _mean_of(cells: Sequence[Row], measured: Sequence[Row]) -> str:
    """Return of how many agents the rate of a family is the mean: those with a rate under it."""
    agents = {row["agent"] for row in cells}
    apart = sum(row["agent"] in agents and not row["ranked"] for row in measured)
    if len(agents) < 2:
        return f", the rate of {next(iter(agents))}" if len(measured) > 1 else ""
    also = f", {apart} of them without a rank" if apart else ""
    also = ", none of them with a rank" if apart == len(agents) else also
    return f", mean of the rates of {len(agents)} agents{also}"


def _most_flipped(
    rows: Sequence[Row], contrasts: Sequence[Contrast], measured: Sequence[Row]
) -> str:
    """Which family flips most, and under which others fewer flips were shown."""
    families = {
        str(row["family"]): number_at(row, "rate") or 0.0
        for row in rows
        if (row["agent"], row["statistic"]) == (ALL_AGENTS, MEAN)
        and row["expect"] in _HARMLESS
        and row["family"] != ALL_FAMILIES
        and row["rate"] is not None
    }
    most = max(families.values(), default=0.0)
    if len(families) < 2 or not most:
        return ""
    names = [name for name, rate in families.items() if math.isclose(rate, most, rel_tol=1e-9)]
    cells = [row for row in _of_families(rows) if row["family"] in names]
    means = {_mean_of([row for row in cells if row["family"] == name], measured) for name in names}
    over = means.pop() if len(means) == 1 else ", means of the rates of different agents"
    valid = sorted({int(number_at(row, "valid") or 0) for row in cells})
    pairs = f"{valid[0]:,} to {valid[-1]:,} pairs" if len(valid) > 1 else count_of(valid[0], "pair")
    share = f"{percent(most)} of {pairs}{over}"
    if len(names) > 1:
        return (
            f"The families with the highest rate are {list_names(names)} ({percent(most)} of "
            f"pairs{over})."
        )
    top = names[0]
    fewer: list[str] = []
    open_: list[str] = []
    for name in families:
        if name == top:
            continue
        p = next(c.p_holm for c in contrasts if {c.first, c.second} == {top, name})
        (fewer if p is not None and p < SHOWN else open_).append(name)
    text = f"The family with the highest rate is {top} ({share})"
    if not fewer:
        return (
            f"{text}, but the data do not show that its rate is higher than the rates of the other "
            "families."
        )
    text += f"; on the same papers it is higher than for {list_names(fewer)} (p < {SHOWN:g}, Holm)"
    return f"{text}, but this is not shown for {list_names(open_)}." if open_ else f"{text}."


def _by_direction(rows: Sequence[Row]) -> str:
    """The rate of each direction of a family, mean over agents."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row["statistic"] == MEAN_OF_DIRECTION and row["rate"] is not None:
            ends = interval_text(row, "cluster", 100)
            ends = "" if ends == EMPTY else f" {ends}"
            papers = count_of(int(number_at(row, "papers") or 0), "paper")
            found.setdefault(str(row["family"]), []).append(
                f"{row['direction']} {percent(number_at(row, 'rate'))}{ends} ({papers})"
            )
    parts = [f"{family}: {', '.join(ways)}" for family, ways in found.items()]
    if not parts:
        return ""
    return (
        f"Mean flip rates by the direction of the edits: {'; '.join(parts)}. The directions have "
        "different papers, so their rates are not compared."
    )


def warnings(records: Records, rows: Sequence[Row]) -> list[TableWarning]:
    """Agents without a rate, pairs that failed, what the design leaves open."""
    agents = [row for row in rows if (row["family"], row["statistic"]) == (ALL_FAMILIES, RATES)]
    return [
        *_silent(agents),
        *_padded(records),
        *_not_deterministic(records),
        *_lost(agents),
        *_without_noise_floor(records),
        *_only_noise(agents),
        *_underpowered(agents),
        *short_warnings("flip-rate", rows, _place_of),
    ]


def _place_of(row: Row) -> str:
    """What a row is about that reports show; "" for the others."""
    together = row["family"] == ALL_FAMILIES
    if row["statistic"] == RATES:
        return str(row["agent"]) if together else ""
    if row["statistic"] == MEAN:
        return "all agents" if together else f"the family {row['family']} (mean over agents)"
    return "the median" if row["statistic"] in (MEDIAN, RANKED_MEDIAN) else ""


def _silent(agents: Sequence[Row]) -> list[TableWarning]:
    names = [str(row["agent"]) for row in agents if row["rate"] is None]
    if not names:
        return []
    text = f"No pair with a verdict on both sides: {', '.join(names)}. No flip rate was computed."
    return [TableWarning("no-figure", text)]


def _not_deterministic(records: Records) -> list[TableWarning]:
    """Agents that are not as deterministic as they declare."""
    advice = (
        "Some of its flips are noise. Let it declare deterministic = False, or find the reason (a "
        "seed, a clock, a file, a service), and run again."
    )
    return [
        TableWarning("misleading", f"{found.text[:1].upper()}{found.text[1:]}.", advice=advice)
        for found in find_contradictions(records.agents, records.verdicts)
    ]


def _padded(records: Records) -> list[TableWarning]:
    """Families of which most variants are padding: their rate speaks of little else."""
    found = []
    for family in records.perturbations:
        made = [row for row in variants_of(records, family.name) if row.outcome == "made"]
        padded = sum(row.direction == PADDED for row in made)
        if 2 * padded > len(made):
            text = (
                f"{family.name}: {padded:,} of {count_of(len(made), 'variant')} are padded with "
                "stock sentences that add no content, which a reader notices."
            )
            advice = "Its flip rate says little about longer papers with more content."
            found.append(TableWarning("misleading", text, advice=advice))
    return found


def _lost(agents: Sequence[Row]) -> list[TableWarning]:
    found = []
    for row in agents:
        pairs, valid = (int(number_at(row, name) or 0) for name in ("pairs", "valid"))
        if valid and pairs > valid:
            best, worst = (percent(number_at(row, name)) for name in ("best_case", "worst_case"))
            ends = between(number_at(row, "missing_low"), number_at(row, "missing_high"), 100)
            width = (number_at(row, "cluster_high") or 0) - (number_at(row, "cluster_low") or 0)
            text = (
                f"{row['agent']}: {pairs - valid:,} of {pairs:,} pairs lack a verdict; with all "
                f"verdicts its flip rate would be between {best} and {worst} ({ends} with the "
                f"sampling of papers; without the missing verdicts, the interval is "
                f"{to_fixed(100 * width, 1)} points wide)."
            )
            advice = "Find out why reviews failed, and run again: only they are then tried again."
            found.append(TableWarning("incomplete", text, advice=advice))
    return found


def _without_noise_floor(records: Records) -> list[TableWarning]:
    if records.repeats > 1:
        return []
    if records.agents and all(agent.deterministic for agent in records.agents):
        text = (
            "The programs of all agents declare that they are deterministic, which was not checked "
            "(repeats: 1)."
        )
        advice = (
            "If this is wrong, some flips are noise. To check it, set repeats: 2 in the "
            "experiment, which reviews each text twice."
        )
    else:
        text = "The noise of the agents was not measured (repeats: 1), so some flips may be noise."
        advice = "To measure it, set repeats: 2 in the experiment, which reviews each text twice."
    return [TableWarning("unproven", text, advice=advice)]


def _only_noise(agents: Sequence[Row]) -> list[TableWarning]:
    """Agents whose flips are no more than their own noise would give."""
    found = []
    for row in agents:
        noise, net, low = (number_at(row, name) for name in ("noise_floor", "net_rate", "net_low"))
        ends = [number_at(row, f"acceptance_change_{end}") for end in ("low", "high")]
        steady = ends[0] is None or ends[1] is None or ends[0] <= 0 <= ends[1]
        if noise is None or net is None or noise < NOTABLE or (low or 0.0) > 0 or not steady:
            continue
        text = (
            f"No effect of the edits on {row['agent']} was shown: it changes its verdict on "
            f"{percent(number_at(row, 'rate'))} of the pairs, and two of its reviews of the same "
            f"text disagree in {percent(noise)} of the cases (noise)."
        )
        found.append(TableWarning("misleading", text))
    return found


def _underpowered(agents: Sequence[Row]) -> list[TableWarning]:
    coarse = {
        str(row["agent"]): rise
        for row in agents
        if (rise := number_at(row, "detectable")) is not None and rise > COARSE
    }
    if not coarse:
        return []
    rises = [
        f"{to_fixed(100 * rise, 1)} points above the rate of {name}"
        for name, rise in list(coarse.items())[:MOST_LISTED]
    ]
    more = [count_of(len(coarse) - MOST_LISTED, "more agent")] if len(coarse) > MOST_LISTED else []
    text = (
        "Too few papers to show small differences: a test is likely to find that another agent "
        f"flips more often only if its rate is at least {list_names([*rises, *more])}."
    )
    return [TableWarning("imprecise", text)]
