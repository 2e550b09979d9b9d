"""The columns of the table of directions."""

from __future__ import annotations

from revkit.figures import AGENT, CONFIDENCE, FAMILY, NOTE, SHORT, UNIT, Figure, bounds
from revkit.model.table import Chart, Column
from revkit_robustrev.metrics.flip_columns import CHANGE
from revkit_robustrev.metrics.pairs import ALL_FAMILIES

_OVER = "over papers."
RATIO = Figure(
    "ratio",
    "Ratio",
    "ratio",
    "Reject-to-accept flips for each accept-to-reject flip; above 1, more flips are lenient. Over "
    "agents, the geometric mean of their ratios, with half a flip added to each count. Without a "
    "flip to reject, only a lower end is known.",
    "over papers; empty: this end is open.",
    method=True,
)
SHARE = Figure("share", "Share to accept", "share", "The share of flips that go to accept.", _OVER)
REJECT_RATE = Figure(
    "reject_rate",
    "Rejects flipped",
    "share",
    "The share of rejected originals that flip to accept.",
    _OVER,
)
ACCEPT_RATE = Figure(
    "accept_rate",
    "Accepts flipped",
    "share",
    "The share of accepted originals that flip to reject.",
    _OVER,
)
DIFFERENCE = Figure(
    "risk_difference",
    "Rejects - accepts",
    "share",
    "Share of rejects that flip minus share of accepts that flip. Above 0, the edits move verdicts "
    "towards accept.",
    "over papers, from the same resamples as both.",
)
REJECT_NET = Figure(
    "reject_net",
    "Rejects flipped, net",
    "share",
    "Rejects flipped, less what two reviews of the unchanged paper give without any change.",
    _OVER,
)
ACCEPT_NET = Figure(
    "accept_net",
    "Accepts flipped, net",
    "share",
    "Accepts flipped, minus what noise alone gives.",
    _OVER,
)
DIFFERENCE_NET = Figure(
    "risk_difference_net",
    "Rejects - accepts, net",
    "share",
    "Net share of rejects that flip minus net share of accepts that flip.",
    _OVER,
)
COLUMNS = (
    AGENT,
    FAMILY,
    Column("valid", "Valid", "count", "Pairs with a verdict on both sides."),
    Column("flips", "Flips", "count", "Valid pairs whose verdict changed, means over repeats."),
    Column(
        "reject_to_accept", "Reject to accept", "count", "Flips from reject to accept.", clear=True
    ),
    Column(
        "accept_to_reject", "Accept to reject", "count", "Flips from accept to reject.", clear=True
    ),
    *RATIO.columns,
    *SHARE.columns,
    Column(
        "p_clustered",
        "p, papers",
        "p",
        "As many papers flip one way as the other: exact over the signs of up to 16 papers, "
        "Obuchowski's test over more; none with fewer than six informative papers.",
    ),
    Column(
        "p_holm",
        "p, Holm",
        "p",
        "p after Holm's correction over agents. Below 0.05, one direction is more frequent.",
    ),
    Column("informative", "Informative", "count", "Papers with more flips one way."),
    Column("rejects", "Rejects", "count", "Valid pairs whose original was rejected."),
    *REJECT_RATE.columns,
    Column("accepts", "Accepts", "count", "Valid pairs whose original was accepted."),
    *ACCEPT_RATE.columns,
    *DIFFERENCE.columns,
    *REJECT_NET.columns,
    *ACCEPT_NET.columns,
    *DIFFERENCE_NET.columns,
    *CHANGE.columns,
    Column(
        "p_exact",
        "p, exact",
        "p",
        "Exact sign test of flips, independent; only where each paper has one pair.",
    ),
    *bounds(
        "newcombe",
        "Rejects - accepts, Newcombe",
        "share",
        "Newcombe's hybrid score interval, pairs independent; only where each paper has one pair.",
    ),
    Column(
        "p_fisher",
        "p, Fisher",
        "p",
        "Fisher's exact test of equal rates at risk; only where each paper has one pair.",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
FINE = (
    *("family", "valid", "flips", "share", "informative", "rejects", "accepts", "p_clustered"),
    *("ratio_method", "p_exact", "p_fisher", "confidence", "unit", "short", "note"),
    *("newcombe_low", "newcombe_high"),
)
# Shown where noise was not measured; otherwise the net ones are.
RAW = ("reject_rate", "accept_rate", "risk_difference")
CHART = Chart(
    "opposed",
    "Flips from accept to reject and from reject to accept",
    "agent",
    "reject_to_accept",
    value="accept_to_reject",
    where=(("family", ALL_FAMILIES),),
)
