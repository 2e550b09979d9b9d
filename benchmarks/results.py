"""The tables of docs/results.md, from folders of finished runs of the default experiment.

python -m benchmarks.results synthetic=FOLDER "ICLR 2017=FOLDER" "ICLR 2022=FOLDER"
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import revkit

Row = Mapping[str, Any]
FAMILIES = ("paraphrase", "citations", "hedging", "length")
WEAKNESSES = {
    "evidence-control": "none",
    "keyword-control": "wording",
    "citation-control": "number of citations",
    "hedge-control": "assertive wording",
    "length-control": "long paragraphs",
}
# The family that is made for the planted weakness of an agent.
OWN = {
    "keyword-control": "paraphrase",
    "citation-control": "citations",
    "hedge-control": "hedging",
    "length-control": "length",
}


def rows(run: revkit.OpenedRun, name: str) -> list[Row]:
    """Return the rows of one table of a run, by column."""
    return [*run.table(name).records()]


def percent(value: float | None) -> str:
    """Return a share in per cent with one decimal, without a negative zero."""
    if value is None:
        return "open"
    shown = f"{100 * value:.1f}"
    return "0.0" if shown == "-0.0" else shown


def interval(row: Row, name: str, prefix: str) -> str:
    """Return a share and its interval in per cent."""
    return (
        f"{percent(row[name])} [{percent(row[prefix + '_low'])}, {percent(row[prefix + '_high'])}]"
    )


def number(value: float) -> str:
    """Return a ratio with one decimal below 10."""
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def ratio(row: Row) -> str:
    """Return a ratio of flips with its interval."""
    if row["ratio_low"] is None and row["ratio_high"] is None:
        return "-" if not row["flips"] else "open"
    value = "open" if row["ratio"] is None else number(row["ratio"])
    high = "open" if row["ratio_high"] is None else number(row["ratio_high"])
    return f"{value} [{number(row['ratio_low'])}, {high}]"


def p_value(value: float | None) -> str:
    """Return a p-value as the reports print it."""
    if value is None:
        return "-"
    return f"{value:.1e}" if value < 0.001 else f"{value:.2g}"


def markdown(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def read_row(name: str, run: revkit.OpenedRun) -> list[str]:
    """Return the row of what was read, made and rejected."""
    rejected = Counter(r["perturbation"] for r in run.rows("variants") if r["outcome"] != "made")
    kinds = ", ".join(f"{family} {count}" for family, count in rejected.most_common())
    made = str(sum(rejected.values())) + (f" ({kinds})" if kinds else "")
    result = run.result
    counts = [result["variants"], made, f"{result['outcomes']:,}", result["failures"]]
    return [name, str(result["papers"]), str(sum(result["skipped"].values())), *map(str, counts)]


def flip_rows(name: str, run: revkit.OpenedRun) -> Iterator[list[str]]:
    """Yield the rows of flip rates of one corpus, the family of the planted weakness in bold."""
    yield [f"**{name}**", "", *[""] * len(FAMILIES)]
    cells = {
        (row["agent"], row["family"]): row
        for row in rows(run, "flip-rate")
        if row["statistic"] == "rate"
    }
    for agent, weakness in WEAKNESSES.items():
        shown = []
        for family in FAMILIES:
            row = cells[agent, family]
            value, bracket = interval(row, "rate", "cluster").split(" ", 1)
            shown.append(f"{f'**{value}**' if OWN.get(agent) == family else value} {bracket}")
        yield [agent, weakness, *shown]


def dose_rows(name: str, run: revkit.OpenedRun) -> Iterator[list[str]]:
    """Yield the rows of doses and flips of one corpus, by family and direction."""
    agents = {family: agent for agent, family in OWN.items()}
    found = [row for row in rows(run, "flip-rate") if row["family"] in FAMILIES]
    for row in sorted(found, key=lambda row: FAMILIES.index(row["family"])):
        family = row["family"]
        if agents.get(family) != row["agent"] or row["rate"] is None:
            continue
        if row["statistic"] not in ("rate", "rate of a direction"):
            continue
        changed = f"{percent(row['dose_median'])} ({percent(row['dose_p10'])})"
        edits = f"{row['dose_edits_median']:.0f} ({row['dose_edits_p10']:.0f})"
        flips = interval(row, "rate", "cluster")
        yield [name, family, row["direction"] or "", str(row["papers"]), edits, changed, flips]


def overall_row(name: str, run: revkit.OpenedRun) -> list[str]:
    """Return the median over the ranked agents and the range of accuracies."""
    medians = {r["statistic"]: r for r in rows(run, "flip-rate") if "median" in r["statistic"]}
    median = medians.get("median of ranked agents", medians["median of agents"])
    accuracies = [r["accuracy"] for r in rows(run, "clean-accuracy")]
    shown = f"{100 * min(accuracies):.0f}% to {100 * max(accuracies):.0f}%"
    return [name, interval(median, "rate", "cluster"), shown]


def direction_rows(run: revkit.OpenedRun) -> Iterator[list[str]]:
    """Yield the rows of directions of one corpus, and the mean over agents as the last one."""
    for row in rows(run, "direction"):
        if row["family"] != "all families":
            continue
        pooled = row["reject_to_accept"] is None
        counts = "" if pooled else f"{row['reject_to_accept']} : {row['accept_to_reject']}"
        shares = [
            interval(row, "reject_rate", "reject_rate"),
            interval(row, "accept_rate", "accept_rate"),
            interval(row, "risk_difference", "risk_difference"),
            interval(row, "acceptance_change", "acceptance_change"),
        ]
        p = row["p_clustered"] if pooled else row["p_holm"]
        yield [row["agent"], counts, ratio(row), p_value(p), *shares]


def contrast_rows(name: str, run: revkit.OpenedRun) -> Iterator[list[str]]:
    """Yield the contrasts between families, mean over agents."""
    for row in rows(run, "family-contrast"):
        if row["agent"] == "all agents":
            pair = f"{row['first']} - {row['second']}"
            rates = f"{percent(row['first_rate'])} - {percent(row['second_rate'])}"
            difference = interval(row, "difference", "difference")
            yield [name, pair, str(row["papers"]), rates, difference, p_value(row["p_holm"])]


def lines(runs: Mapping[str, revkit.OpenedRun]) -> Iterator[str]:
    """Yield every table of the page."""
    heads = ["corpus", "loaded", "skipped", "variants requested", "not made", "reviews", "failed"]
    yield from markdown(heads, [read_row(name, run) for name, run in runs.items()])
    yield ""
    shown = [row for name, run in runs.items() for row in flip_rows(name, run)]
    yield from markdown(["agent", "planted weakness", *FAMILIES], shown)
    yield ""
    shown = [row for name, run in runs.items() for row in dose_rows(name, run)]
    heads = ["corpus", "family", "direction", "papers", "edits", "words changed, %", "flips, %"]
    yield from markdown(heads, shown)
    yield ""
    heads = ["corpus", "median of these agents", "accuracy, lowest to highest agent"]
    yield from markdown(heads, [overall_row(name, run) for name, run in runs.items()])
    heads = ["agent", "accept : reject", "ratio", "p", "rejects flipped", "accepts flipped"]
    for name, run in runs.items():
        yield f"\nDirection, {name}\n"
        yield from markdown([*heads, "difference", "change of acceptance"], [*direction_rows(run)])
    yield ""
    shown = [row for name, run in runs.items() for row in contrast_rows(name, run)]
    heads = ["corpus", "families", "papers", "rates", "difference", "p"]
    yield from markdown(heads, shown)
    yield ""
    for name, run in runs.items():
        directions: Counter[str] = Counter()
        for row in rows(run, "flip-rate"):
            if row["statistic"] == "mean of agents, a direction":
                directions[f"{row['family']} {row['direction']}"] += row["papers"]
        yield f"{name}: {', '.join(f'{key} {count}' for key, count in directions.items())}"


def main(arguments: list[str]) -> int:
    """Print the tables of the runs named as NAME=FOLDER; return an exit code."""
    if not arguments or not all("=" in argument for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    pairs = (argument.split("=", 1) for argument in arguments)
    print("\n".join(lines({name: revkit.open_run(folder) for name, folder in pairs})))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
