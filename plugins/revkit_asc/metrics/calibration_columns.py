"""The columns of the calibration table."""

from __future__ import annotations

from revkit.figures import CONFIDENCE, NOTE, SHORT, UNIT, Figure, bounds
from revkit.model.table import Column
from revkit_asc.metrics.base import OVER_ITEMS, SETTING

_POINTS = "severity points"
TOTAL = "items resampled, maps fitted again."


def _figure(name: str, title: str, unit: str, help: str) -> Figure:
    return Figure(name, title, unit, help, how=TOTAL)


FIGURES = {
    figure.name: figure
    for figure in (
        _figure("d", "D", _POINTS, "Mean difference between the scores of two agents for a paper."),
        _figure(
            "reduction", "Reduction", "%", "By how many per cent D is below that of the raw scores."
        ),
        _figure("mae", "MAE", _POINTS, "Mean difference between a score and the consensus."),
        _figure(
            "r_mean",
            "r of mean",
            "correlation",
            "Pearson's r of the mean of all agents with the consensus.",
        ),
        _figure(
            "spread",
            "Spread",
            "ratio",
            "Standard deviation of the scores over that of the consensus. The scores with the "
            "smallest squared error have a spread below 1.",
        ),
        _figure(
            "slope", "Slope", "ratio", "Increase of the consensus per point of score; 1 is right."
        ),
    )
}
BEST = Figure(
    "r_best",
    "Best r",
    "correlation",
    "Pearson's r with the consensus, of the agent with the highest.",
    OVER_ITEMS,
)
# Another way of fitting on the same items and anchors.
CONTRASTS = {
    name: Figure(
        f"{name}_change", f"{title}, change", _POINTS, f"{title} less that of the way `against`.",
        how=TOTAL,
    )
    for name, title in (("d", "D"), ("mae", "MAE"))
}  # fmt: skip
COLUMNS = (
    SETTING,
    Column("calibrator", "Calibrator", "", "The component that fitted the maps."),
    Column("scores", "Scores", "", "Whether the row is about each agent or about one joint score."),
    Column("calls", "Calls", "count", "Calls of each agent whose scores are averaged on an item."),
    Column("agents", "Agents", "count", "Agents whose scores the row summarizes.", clear=True),
    Column("refused", "No map", "count", "Agents without a map, who are not in the row."),
    Column("items", "Items", "count", "Held-out items (papers) that all agents scored: the n."),
    Column("left_out", "Left out", "count", "Held-out items that an agent did not score."),
    Column("unscored", "Unscored", "count", "Calls of the agents of the row that gave no score."),
    *FIGURES["d"].columns,
    *bounds("d_items", "D, maps as fitted", _POINTS, OVER_ITEMS),
    Column("d_sd", "D, sd", _POINTS, "How much D differs between agents (standard deviation)."),
    Column("pairs", "Pairs", "count", "Pairs of agents."),
    *FIGURES["reduction"].columns,
    *FIGURES["mae"].columns,
    *bounds("mae_items", "MAE, maps as fitted", _POINTS, OVER_ITEMS),
    Column("rmse", "RMSE", _POINTS, "Root of the mean squared error, over agents and items."),
    *BEST.columns,
    Column("best_agent", "Best agent", "", "The agent with the best r, chosen on the same items."),
    Column("r_single", "Mean r", "correlation", "Mean over agents of Pearson's r."),
    *FIGURES["r_mean"].columns,
    Column("mae_mean", "MAE of mean", _POINTS, "Mean |mean of the agents - consensus|."),
    *FIGURES["spread"].columns,
    *FIGURES["slope"].columns,
    Column("extrapolated", "Extrapolated", "share", "Scores outside the anchors' raw range."),
    Column("d_expected", "D expected", _POINTS, "D of calibrated normal scores with these r."),
    Column("refits", "Refits", "count", "Fits of the maps on reweighted anchors."),
    Column("against", "Against", "", "The way of fitting with which this one is compared."),
    *CONTRASTS["d"].columns,
    Column("d_p", "D, p", "", "p-value of no change of D, two-sided, Holm over ways."),
    *CONTRASTS["mae"].columns,
    Column("mae_p", "MAE, p", "", "p-value of no change of the MAE, likewise."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)  # fmt: skip
FINE = (
    "calibrator", "scores", "calls", "refused", "left_out", "unscored", "pairs", "reduction_low",
    "reduction_high", "rmse", "r_best_low", "r_best_high", "best_agent", "r_single", "r_mean_low",
    "r_mean_high", "mae_low", "mae_high", "mae_mean", "spread_low", "spread_high", "slope_low",
    "slope_high", "d_expected", "d_items_low", "d_items_high", "mae_items_low", "mae_items_high",
    "extrapolated", "refits", "against", "d_change", "d_change_low",
    "d_change_high", "d_p", "mae_change",
    "mae_change_low", "mae_change_high", "mae_p", "confidence", "unit", "short",
)  # fmt: skip
