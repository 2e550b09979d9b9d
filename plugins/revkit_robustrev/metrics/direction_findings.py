"""The findings and warnings of reports about the direction of flips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from revkit.figures import interval_text, sharp_width, short_warnings
from revkit.figures.numbers import (
    EMPTY,
    MOST_LISTED,
    count_of,
    list_names,
    number_at,
    percent,
    stated_p,
    to_fixed,
    towards,
)
from revkit.model.table import Cell, Finding, Headline, TableWarning
from revkit_robustrev.metrics.pairs import ALL_AGENTS, ALL_FAMILIES

Row = Mapping[str, Cell]
ONE_SIDED = 0.05
_ONE_WAY = (
    "A flip rate hides the direction of flips: authors can gain from edits that move verdicts "
    "towards accept. See the table of directions."
)


def findings(rows: Sequence[Row], confidence: float) -> list[Finding]:
    """Return the direction of flips by agent, and the resulting change of acceptance over the
    agents.
    """
    whole = [row for row in rows if row["family"] == ALL_FAMILIES]
    if not whole:
        return []
    agents = [row for row in whole if row["agent"] != ALL_AGENTS]
    together = next(row for row in whole if row["agent"] == ALL_AGENTS)
    if not together["valid"]:
        return [_stated("No pair has a verdict on both sides, so there is no direction.")]
    moved = [row for row in agents if row["flips"]]
    if not moved:
        return [_stated("No verdict flipped, so there is no direction.")]
    if len(agents) == 1:
        return [_of_one(agents[0], confidence)]
    return [_of_many(moved, together, confidence), Finding(_one_sided_agents(agents))]


def _one_sided_agents(agents: Sequence[Row]) -> str:
    """Return which agents the edits make more lenient or stricter."""
    parts = []
    for sign, effect in ((1, "more lenient"), (-1, "stricter")):
        names = [str(row["agent"]) for row in agents if _way(row) == sign]
        if names:
            which = f"{len(names)} of {count_of(len(agents), 'agent')}"
            parts.append(f"The edits make {which} {effect}: {_list_agents(names)}.")
    if parts:
        return " ".join(parts)
    none = "No single agent was shown to become more lenient or stricter by the edits."
    apart = [row for row in agents if _excludes_0(row)]
    tested = [str(row["agent"]) for row in apart if row["p_holm"] is not None]
    few = [str(row["agent"]) for row in apart if row["p_holm"] is None]
    start = "The interval of the change of acceptance excludes 0 for"
    parts = [
        f"{start} {_list_agents(names)}, but {why}, so this is open."
        for names, why in (
            (
                tested,
                "the test over papers, corrected for the number of agents, shows no direction",
            ),
            (few, "there are too few papers that flip for a test"),
        )
        if names
    ]
    return " ".join([none, *parts])


def _list_agents(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return list_names([*names[:MOST_LISTED], *([f"{more} more"] if more > 0 else [])])


def _excludes_0(row: Row) -> bool:
    ends = (
        number_at(row, "acceptance_change_low"),
        number_at(row, "acceptance_change_high"),
    )
    return None not in ends and ((ends[0] or 0.0) > 0 or (ends[1] or 0.0) < 0)


def _way(row: Row) -> int:
    """Return 1 if the flips of an agent go towards accept, -1 towards reject, 0 if not shown."""
    p, change = number_at(row, "p_holm"), number_at(row, "acceptance_change")
    if p is None or p >= ONE_SIDED or not change:
        return 0
    return 1 if change > 0 else -1


def _stated(text: str) -> Finding:
    return Finding(text, (), "section")


def _count(value: float | None) -> str:
    return to_fixed(value, 0) if value is None or float(value).is_integer() else to_fixed(value, 1)


def _of_one(row: Row, confidence: float) -> Finding:
    up, down = (_count(number_at(row, name)) for name in ("reject_to_accept", "accept_to_reject"))
    ratio = number_at(row, "ratio")
    text = (
        f"{row['agent']}: {up} {'verdict' if up == '1' else 'verdicts'} flipped from reject to "
        f"accept, {down} from accept to reject"
    )
    ends = interval_text(row, "ratio")
    level = f"{100 * confidence:g}% interval over papers"
    if ratio is not None:
        text += f", a ratio of {to_fixed(ratio, 1)} : 1 ({level} {ends}{_test(row)})"
    elif ends != "-":
        text += f" (ratio: {level} {ends}{_test(row)})"
    change, headline = _change(row, "", confidence)
    return Finding(f"{text}. {_at_risk(row)}{change}", headline, "section")


def _test(row: Row) -> str:
    p = number_at(row, "p_holm")
    return "; too few papers for a test" if p is None else f"; {stated_p(p)} over papers"


def _at_risk(row: Row) -> str:
    """The rates of what could flip each way, net of noise where that is known."""
    net = number_at(row, "reject_net") is not None
    names = ("reject_net", "accept_net") if net else ("reject_rate", "accept_rate")
    rates = [number_at(row, name) for name in names]
    if None in rates:
        return ""
    gap = "risk_difference_net" if net else "risk_difference"
    ends = interval_text(row, gap, 100)
    rejects, accepts = (_count(number_at(row, name)) for name in ("rejects", "accepts"))
    return (
        f"Of {rejects} pairs with a rejected original {percent(rates[0])} flipped, of {accepts} "
        f"with an accepted one {percent(rates[1])}{', both net of noise' if net else ''} "
        f"(difference {points(number_at(row, gap))} {ends}). "
    )


def points(value: float | None) -> str:
    """Return a difference of shares in points, with its sign."""
    if value is None:
        return "-"
    return f"{'+' if value > 0 else ''}{to_fixed(100 * value, 1)} points"


def _change(row: Row, over: str, confidence: float) -> tuple[str, tuple[Headline, ...]]:
    value, low, high = (number_at(row, f"acceptance_change{end}") for end in ("", "_low", "_high"))
    if value is None:
        return "", ()
    open_ = low is not None and high is not None and low <= 0 <= high
    way = "so no direction is shown" if open_ else towards(value)
    text = (
        f"{'On average over agents, the' if over else 'The'} share of accepted texts changed by "
        f"{points(value)} ({100 * confidence:g}% interval "
        f"{interval_text(row, 'acceptance_change', 100)}), {way}."
    )
    sharp = sharp_width(row, "acceptance_change")
    return text, (Headline(f"change of acceptance{over}", value, "share", low, high, sharp),)


def _of_many(moved: Sequence[Row], together: Row, confidence: float) -> Finding:
    def place(row: Row) -> tuple[float, float, str]:
        p = number_at(row, "p_holm")
        return (2.0 if p is None else p, -(number_at(row, "flips") or 0), str(row["agent"]))

    ordered = sorted(moved, key=place)
    listed = [f"{row['agent']} {_flips(row)} ({_short_test(row)})" for row in ordered[:MOST_LISTED]]
    if (more := len(ordered) - len(listed)) > 0:
        listed.append(f"and {count_of(more, 'more agent')}")
    text = (
        "Number of flips to accept (more lenient) and of flips to reject (stricter), by agent, "
        "with the p-value of a test over papers after Holm's correction; below 0.05, one direction "
        f"is more frequent: {', '.join(listed)}."
    )
    ratio = number_at(together, "ratio")
    if ratio is not None and len(moved) > 1:
        ends = interval_text(together, "ratio")
        bounded = number_at(together, "ratio_high") is not None
        unbounded = "" if bounded else ", without an upper bound"
        level = f"{100 * confidence:g}% interval"
        found = f"no {level}" if ends == EMPTY else f"{level} {ends}{unbounded}"
        text += (
            " On average over agents, there are "
            f"{to_fixed(ratio, 1)} flips to accept for each flip to reject (geometric mean of the "
            "ratios of the agents that flip, with half a flip added to each count, so that a count "
            f"can be 0; {found})."
        )
    change, headline = _change(together, ", mean over agents", confidence)
    return Finding(f"{text} {change}".rstrip(), headline, "section")


def _flips(row: Row) -> str:
    up, down = (_count(number_at(row, name)) for name in ("reject_to_accept", "accept_to_reject"))
    return f"{up} and {down}"


def _short_test(row: Row) -> str:
    p = number_at(row, "p_holm")
    return "too few papers for a test" if p is None else stated_p(p)


def warnings(rows: Sequence[Row]) -> list[TableWarning]:
    """Return warnings about agents whose flips go in one direction, which a figure over all agents
    would hide.
    """
    agents = [
        row
        for row in rows
        if row["family"] == ALL_FAMILIES and row["agent"] != ALL_AGENTS and row["flips"]
    ]
    found = []
    for row in agents:
        if _way(row):
            p = stated_p(number_at(row, "p_holm"))
            text = (
                f"Agent {row['agent']}: edits that do not change the science move its verdicts "
                f"{towards(_way(row))}: {_flips(row)} flips to accept and to reject ({p})."
            )
            found.append(TableWarning("misleading", text))
    if found:
        last = found[-1]
        found[-1] = replace(last, advice=_ONE_WAY)
    return [
        *found,
        *short_warnings(
            "direction", rows, lambda row: str(row["agent"]) * (row["family"] == ALL_FAMILIES)
        ),
    ]
