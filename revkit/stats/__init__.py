"""Pure statistics: values in, frozen results out; no clock, no files, no hidden randomness.

==================== ==========================================================================
``values``           ``Interval`` and ``Estimate``, and what "undefined" means
``proportions``      intervals of one rate, flip rates with failures, direction of flips
``paired``           McNemar's tests, their form for pairs that share papers, Holm's correction
``bootstrap``        resampling of papers for any statistic that is a function of sums
``clustered``        means, rates, flip rates and differences, papers resampled
``combined``         differences, means and medians of rates over the same papers
``linearised``       closed forms over papers: t intervals, rare events
``classification``   confusion counts, accuracy, F1
``association``      Pearson, Spearman, Kendall
``agreement``        Cohen's kappa, the noise floor
``weights``          weights of anchors whose consensus is uncertain
``power``            design effect, smallest detectable difference
==================== ==========================================================================

Two rules hold throughout. What cannot be computed from valid input is None with a reason, and
invalid input (NaN, negative counts, more events than trials, unequal lengths) is a
``StatisticsError``. And since variants of one paper hang together, every default that a report
should print takes papers, not pairs, as independent; functions that take pairs so say it.

SciPy is imported only by the functions that need quantiles of the beta and t distributions.
"""

from revkit.stats.agreement import Agreement, NoiseFloor, cohen_kappa, noise_floor
from revkit.stats.association import (
    average_ranks,
    cluster_bootstrap_correlation,
    kendall_tau_b,
    pearson,
    spearman,
)
from revkit.stats.bootstrap import cluster_bootstrap_statistic
from revkit.stats.classification import (
    Classification,
    Confusion,
    accuracy,
    classification,
    confusion,
    f1,
    macro_f1,
)
from revkit.stats.clustered import (
    cluster_bootstrap_difference,
    cluster_bootstrap_mean,
    cluster_bootstrap_means,
    cluster_bootstrap_rates,
    flip_rates,
)
from revkit.stats.combined import (
    cluster_mean_rate,
    cluster_median_rate,
    cluster_rate_difference,
)
from revkit.stats.linearised import cluster_t_interval, korn_graubard_interval, mean_interval
from revkit.stats.paired import (
    ClusteredMcNemar,
    McNemar,
    PairedFlips,
    clustered_mcnemar,
    holm,
    mcnemar,
    mcnemar_from_flips,
)
from revkit.stats.power import (
    DesignEffect,
    DetectableDifference,
    design_effect,
    minimum_detectable_difference,
)
from revkit.stats.proportions import (
    Direction,
    FlipRate,
    clopper_pearson_interval,
    direction,
    flip_rate,
    rate,
    sign_test,
    wald_interval,
    wilson_interval,
)
from revkit.stats.values import Estimate, Interval

__all__ = [
    "Agreement",
    "Classification",
    "ClusteredMcNemar",
    "Confusion",
    "DesignEffect",
    "DetectableDifference",
    "Direction",
    "Estimate",
    "FlipRate",
    "Interval",
    "McNemar",
    "NoiseFloor",
    "PairedFlips",
    "accuracy",
    "average_ranks",
    "classification",
    "clopper_pearson_interval",
    "cluster_bootstrap_correlation",
    "cluster_bootstrap_difference",
    "cluster_bootstrap_mean",
    "cluster_bootstrap_means",
    "cluster_bootstrap_rates",
    "cluster_bootstrap_statistic",
    "cluster_mean_rate",
    "cluster_median_rate",
    "cluster_rate_difference",
    "cluster_t_interval",
    "clustered_mcnemar",
    "cohen_kappa",
    "confusion",
    "design_effect",
    "direction",
    "f1",
    "flip_rate",
    "flip_rates",
    "holm",
    "kendall_tau_b",
    "korn_graubard_interval",
    "macro_f1",
    "mcnemar",
    "mcnemar_from_flips",
    "mean_interval",
    "minimum_detectable_difference",
    "noise_floor",
    "pearson",
    "rate",
    "sign_test",
    "spearman",
    "wald_interval",
    "wilson_interval",
]
