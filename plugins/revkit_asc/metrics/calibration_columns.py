"""The columns of the calibration table."""

from __future__ import annotations

from revkit.figures import CONFIDENCE, NOTE, UNIT
from revkit.model.table import Column
from revkit_asc.metrics.shared import SETTING, points

_POINTS = "severity points"
COLUMNS = (
    SETTING,
    Column("calibrator", "Calibrator", "", "The component that fitted the maps."),
    Column("scores", "Scores", "", "Whether the row is about each agent or about one joint score."),
    Column("calls", "Calls", "count", "Calls of each agent whose scores are averaged on an item."),
    Column("agents", "Agents", "count", "Agents whose scores the row is made of."),
    Column("refused", "No map", "count", "Agents without a map, who are not in the row."),
    Column("items", "Items", "count", "Held-out items that all those agents scored: the n."),
    Column("left_out", "Left out", "count", "Held-out items that an agent did not score."),
    Column("unscored", "Unscored", "count", "Calls of those agents that gave no score."),
    *points("d", "D", _POINTS, "Mean |difference| between two agents, over pairs and items."),
    Column("d_sd", "D, sd", _POINTS, "Standard deviation of D over the pairs of agents (n - 1)."),
    Column("pairs", "Pairs", "count", "Pairs of agents."),
    *points(
        "reduction", "Reduction", "%", "How far D lies below that of the same agents' raw scores."
    ),
    *points("mae", "MAE", _POINTS, "Mean |score - consensus|, over agents and items."),
    Column("rmse", "RMSE", _POINTS, "Root of the mean squared error, over agents and items."),
    *points("r_best", "Best r", "correlation", "Pearson's r with the consensus, best agent."),
    Column("best_agent", "Best agent", "", "The agent with that r; chosen on these very items."),
    Column("r_single", "Mean r", "correlation", "Mean over agents of Pearson's r."),
    *points("r_mean", "r of mean", "correlation", "Pearson's r of the mean of the agents."),
    Column("mae_mean", "MAE of mean", _POINTS, "Mean |mean of the agents - consensus|."),
    *points("spread", "Spread", "ratio", "sd of scores over sd of consensus, mean over agents."),
    *points("slope", "Slope", "ratio", "Slope of the consensus on the scores, mean over agents."),
    Column("extrapolated", "Extrapolated", "share", "Scores outside the anchors' raw range."),
    Column("d_expected", "D expected", _POINTS, "D of calibrated normal scores with these r."),
    CONFIDENCE,
    UNIT,
    NOTE,
)  # fmt: skip
FINE = (
    "calibrator", "scores", "calls", "refused", "left_out", "unscored", "pairs", "reduction_low",
    "reduction_high", "rmse", "r_best_low", "r_best_high", "best_agent", "r_single", "r_mean_low",
    "r_mean_high", "mae_low", "mae_high", "mae_mean", "spread_low", "spread_high", "slope_low",
    "slope_high", "d_expected", "confidence", "unit",
)  # fmt: skip
