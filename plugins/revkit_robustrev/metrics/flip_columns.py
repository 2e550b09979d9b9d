"""The columns of the flip-rate table."""

from __future__ import annotations

from revkit.model.table import Column
from revkit_robustrev.metrics.resampled import (
    AGENT,
    FAMILY,
    LEVEL,
    METHOD,
    NOTE,
    UNIT,
    bounds,
    method_column,
)

STATISTIC = Column(
    "statistic",
    "Statistic",
    "",
    '"rate" for one agent; "mean of agents" and "median of agents" over the agents\' rates.',
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
    Column("rate", "Flip rate", "share", "Flips over valid pairs."),
    *bounds("wald", "Wald", "share", "rate +- z sqrt(rate (1 - rate) / n), pairs independent."),
    *bounds("wilson", "Wilson", "share", "score interval, pairs independent."),
    *bounds("cluster", "Cluster", "share", "over papers; the interval to report."),
    Column("papers", "Papers", "count", "Papers with a valid pair: the n of the cluster interval."),
    LEVEL,
    UNIT,
    METHOD,
    Column("best_case", "Best case", "share", "The rate if no pair without verdicts had flipped."),
    Column("worst_case", "Worst case", "share", "The rate if all of them had flipped."),
    Column(
        "noise_floor",
        "Noise floor",
        "share",
        "The chance that two reviews of one unchanged paper disagree.",
    ),
    *bounds("noise", "Noise floor", "share", "over papers."),
    method_column("noise", "Noise floor"),
    Column("net_rate", "Net rate", "share", "Flip rate less noise floor."),
    *bounds("net", "Net rate", "share", "over papers; holds the uncertainty of rate and floor."),
    method_column("net", "Net rate"),
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
