"""The columns of the flip-rate table."""

from __future__ import annotations

from dataclasses import replace

from revkit.figures import AGENT, CONFIDENCE, FAMILY, METHOD, NOTE, UNIT, Figure, bounds
from revkit.model.table import Column

RATES, MEAN, MEDIAN = "rate", "mean of agents", "median of agents"
STATISTIC = Column(
    "statistic",
    "Statistic",
    "",
    '"rate" for one agent; "mean of agents" and "median of agents" over the agents\' rates.',
)
RATE = Figure(
    "rate",
    "Flip rate",
    "share",
    "Flips over valid pairs.",
    "over papers; the interval to report.",
    bounds="cluster",
    bounds_title="Cluster",
)
NOISE = Figure(
    "noise_floor",
    "Noise floor",
    "share",
    "The chance that two reviews of one unchanged paper disagree.",
    "over papers.",
    bounds="noise",
    method=True,
)
NET = Figure(
    "net_rate",
    "Net rate",
    "share",
    "Flip rate less noise floor.",
    "over papers; holds the uncertainty of rate and floor.",
    bounds="net",
    method=True,
)
COLUMNS = (
    AGENT,
    FAMILY,
    STATISTIC,
    Column("expect", "Expected", "", "What a fair score does under the edits of the family."),
    Column("pairs", "Pairs", "count", "Pairs put to the agent: valid, failed and without verdict."),
    Column(
        "rejected",
        "Rejected",
        "count",
        "Variants that the family could not make fairly or that a gate turned down; not pairs.",
    ),
    Column(
        "crashed", "Crashed", "count", "Variants whose perturbation raised an error; not pairs."
    ),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column(
        "without_verdict", "No verdict", "count", "Pairs reviewed without a verdict on either side."
    ),
    Column("valid", "Valid", "count", "Pairs with a verdict on both sides: the n of the rate."),
    Column("flips", "Flips", "count", "Valid pairs whose two verdicts differ."),
    RATE.value_column,
    *bounds("wald", "Wald", "share", "rate +- z sqrt(rate (1 - rate) / n), pairs independent."),
    *bounds("wilson", "Wilson", "share", "score interval, pairs independent."),
    *RATE.interval_columns,
    Column("papers", "Papers", "count", "Papers with a valid pair: the n of the cluster interval."),
    CONFIDENCE,
    UNIT,
    replace(METHOD, of=RATE.name),
    Column("best_case", "Best case", "share", "The rate if no pair without verdicts had flipped."),
    Column("worst_case", "Worst case", "share", "The rate if all of them had flipped."),
    *NOISE.columns,
    *NET.columns,
    Column(
        "design_effect",
        "Design effect",
        "ratio",
        "How many times the variance grows because pairs share papers; at least 1 is used.",
    ),
    Column(
        "detectable",
        "Detectable rise",
        "share",
        "The smallest rise of another agent's rate on the same pairs found with the given power.",
    ),
    NOTE,
)
