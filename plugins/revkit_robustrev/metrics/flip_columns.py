"""The columns of the flip-rate table."""

from __future__ import annotations

from dataclasses import replace

from revkit.figures import AGENT, CONFIDENCE, FAMILY, METHOD, NOTE, SHORT, UNIT, Figure, bounds
from revkit.model.table import Column
from revkit_robustrev.metrics import doses

RATES, MEAN, MEDIAN = "rate", "mean of agents", "median of agents"
RANKED_MEDIAN = "median of ranked agents"
RATE_OF_DIRECTION, MEAN_OF_DIRECTION = "rate of a direction", "mean of agents, a direction"
STATISTIC = Column(
    "statistic",
    "Statistic",
    "",
    '"rate" for one agent; mean and median over the agents\' rates, the last also over those that '
    "are ranked. The rows of a direction count a part of the pairs of their family.",
)
DIRECTION = Column(
    "direction", "Direction", "", "The direction of the edits, in the rows of a direction."
)
RATE = Figure(
    "rate",
    "Flip rate",
    "share",
    "Flips divided by valid pairs, the lower the better; of a family, the mean over agents.",
    "over papers; the interval to report.",
    bounds="cluster",
    bounds_title="Cluster",
)
NOISE = Figure(
    "noise_floor",
    "Noise",
    "share",
    "Probability that two reviews of one text disagree, mean of papers and their variants.",
    "over papers.",
    bounds="noise",
    method=True,
)
NET = Figure(
    "net_rate",
    "Net rate",
    "share",
    "How much flips exceed the noise; 0 if the edits have no effect: (p - q)^2 for the "
    "probabilities p and q to accept the text before and after the edit.",
    "over papers; includes the uncertainty of flips and noise.",
    bounds="net",
    method=True,
)
CHANGE = Figure(
    "acceptance_change",
    "Change of acceptance",
    "share",
    "Share of variants accepted minus share of their originals accepted. Above 0, the edits make "
    "the agent more lenient. Noise cancels.",
    "over papers.",
)
COLUMNS = (
    AGENT,
    FAMILY,
    STATISTIC,
    DIRECTION,
    Column("expect", "Expected", "", "What a fair score does under the edits of the family."),
    Column(
        "pairs", "Pairs", "count", "Pairs given to the agent: valid, failed and without verdict."
    ),
    Column(
        "rejected",
        "Rejected",
        "count",
        "Variants that the family could not make fairly or that a gate rejected; not pairs.",
    ),
    Column(
        "crashed", "Crashed", "count", "Variants whose perturbation raised an error; not pairs."
    ),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column(
        "without_verdict", "No verdict", "count", "Pairs reviewed without a verdict on either side."
    ),
    Column(
        "valid",
        "Valid",
        "count",
        "The number of valid pairs, in which both texts have a verdict. "
        "The flip rate is a share of these pairs.",
        role="n",
        of="rate",
        clear=True,
    ),
    Column(
        "variants",
        "Pairs",
        "count",
        "Papers and variants with a verdict on both sides, each counted once for all agents.",
        clear=True,
    ),
    Column(
        "flips",
        "Flips",
        "count",
        "Valid pairs with two different verdicts; with repeated reviews, the mean over repeats.",
        clear=True,
    ),
    RATE.value_column,
    *bounds("wald", "Wald", "share", "rate +- z sqrt(rate (1 - rate) / n), pairs independent."),
    *bounds("wilson", "Wilson", "share", "score interval, pairs independent; whole flips only."),
    *RATE.interval_columns,
    Column(
        "papers",
        "Papers",
        "count",
        "The number of papers with a valid pair. The interval over papers is computed from these "
        "papers.",
        clear=True,
    ),
    CONFIDENCE,
    UNIT,
    replace(METHOD, of=RATE.name),
    Column("best_case", "Best case", "share", "The rate if no pair without verdicts had flipped."),
    Column(
        "worst_case", "Worst case", "share", "The rate if all pairs without verdicts had flipped."
    ),
    *bounds(
        "missing",
        "Best to worst case",
        "share",
        "the rate over all pairs, failures and sampling of papers included (Imbens and Manski).",
    ),
    Column("bounds", "With failures", "", "Best to worst case, where a pair lacks a verdict."),
    Column(
        "ranked", "Ranked", "", "Whether the rate may be compared with the rates of other agents."
    ),
    Column("unranked", "Not ranked", "", "Why the rate may not be compared."),
    *NOISE.columns,
    *NET.columns,
    *CHANGE.columns,
    Column("net_pairs", "Net pairs", "count", "Pairs with two verdicts or more on both sides."),
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
    *doses.COLUMNS,
    SHORT,
    NOTE,
)
