"""Pure statistics: values in, frozen results out; no clock, no files, no hidden randomness.

==================== ==========================================================================
``values``           ``Interval`` and ``Estimate``, and what "undefined" means
``proportions``      intervals of one rate, flip rates with failures, direction of flips
``paired``           McNemar's tests, their form for pairs that share papers, Holm's correction
``bootstrap``        resampling of papers for any statistic that is a function of sums
``clustered``        means, rates, flip rates and differences, papers resampled
``errors``           means of squared and of absolute errors
``combined``         means and medians over agents of rates over the same papers
``differences``      differences of rates, and of their means, over the same papers
``squares``          the interval of a sum or difference of rates from theirs, added in squares
``directions``       which way verdicts flip, over papers
``noise``            excess over the noise of both sides, rates net of it
``missing``          bounds of rates with failures, and their sampling error
``shifts``           means of score shifts on a bounded scale
``linearised``       closed forms over papers: t intervals, rare events
``classification``   confusion counts, accuracy, F1
``association``      Pearson, Spearman, Kendall
``agreement``        Cohen's kappa, the noise floor
``disagreement``     how much raters differ on the same items, and from a target
``spread``           whether the errors of the same items have become larger
``joint``            several figures of the same papers from the same resamples
``sequential``       tests and intervals that hold however often one looks
``cusum``            charts: has a process moved away from 0?
``weights``          weights of anchors whose consensus is uncertain
``power``            design effect, smallest detectable difference
==================== ==========================================================================

Two rules hold throughout. What cannot be computed from valid input is None with a reason, and
invalid input (NaN, negative counts, more events than trials, unequal lengths) is a
``StatisticsError``. And since variants of one paper hang together, every default that a report
should print takes papers, not pairs, as independent; functions that take pairs so say it.

SciPy is imported only by the functions that need quantiles of the beta and t distributions.
"""

from revkit.stats.agent_means import cluster_mean_rate, cluster_median_rate, sampled_mean_rate
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
from revkit.stats.cluster_intervals import (
    cluster_bootstrap_difference,
    cluster_bootstrap_mean,
    cluster_bootstrap_means,
    cluster_bootstrap_rates,
    flip_rates,
)
from revkit.stats.cusum import CusumChart, cusum, cusum_step
from revkit.stats.differences import cluster_mean_difference, cluster_rate_difference
from revkit.stats.directions import (
    MIN_INFORMATIVE,
    AgentsDirection,
    ClusterDirection,
    ClusterTest,
    cluster_direction,
    cluster_sign_test,
    mean_direction,
)
from revkit.stats.disagreement import (
    Disagreement,
    best_increasing,
    disagreement,
    expected_disagreement,
    item_disagreement,
    pair_disagreement,
    standard_deviation,
)
from revkit.stats.errors import mean_error
from revkit.stats.joint import cluster_bootstrap_statistics
from revkit.stats.linearisation import cluster_t_interval, korn_graubard_interval, mean_interval
from revkit.stats.missing_pairs import (
    MissingBounds,
    cluster_missing_bounds,
    imbens_manski_quantile,
)
from revkit.stats.noise import (
    NetRisk,
    RepeatedDistance,
    cluster_excess,
    cluster_net_risk,
    distance_within,
    repeated_distance,
)
from revkit.stats.paired_tests import (
    ClusteredMcNemar,
    McNemar,
    PairedFlips,
    cluster_difference_test,
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
    pairs_for_difference,
)
from revkit.stats.proportions import (
    Direction,
    FlipRate,
    agresti_coull_interval,
    clopper_pearson_interval,
    direction,
    fisher_test,
    flip_rate,
    newcombe_interval,
    rate,
    share_interval,
    sign_test,
    wald_interval,
    wilson_interval,
)
from revkit.stats.sequential import (
    SequentialInterval,
    SequentialTest,
    sequential_mean,
    sequential_sign_test,
)
from revkit.stats.shifts import cluster_mean_shift, cluster_mean_size
from revkit.stats.spread import PairedErrors, detectable_ratio, paired_errors
from revkit.stats.values import Estimate, Interval
from revkit.stats.weights import anchor_weights, between_variance

__all__ = [
    "MIN_INFORMATIVE",
    "AgentsDirection",
    "Agreement",
    "Classification",
    "ClusterDirection",
    "ClusterTest",
    "ClusteredMcNemar",
    "Confusion",
    "CusumChart",
    "DesignEffect",
    "DetectableDifference",
    "Direction",
    "Disagreement",
    "Estimate",
    "FlipRate",
    "Interval",
    "McNemar",
    "MissingBounds",
    "NetRisk",
    "NoiseFloor",
    "PairedErrors",
    "PairedFlips",
    "RepeatedDistance",
    "SequentialInterval",
    "SequentialTest",
    "accuracy",
    "agresti_coull_interval",
    "anchor_weights",
    "average_ranks",
    "best_increasing",
    "between_variance",
    "classification",
    "clopper_pearson_interval",
    "cluster_bootstrap_correlation",
    "cluster_bootstrap_difference",
    "cluster_bootstrap_mean",
    "cluster_bootstrap_means",
    "cluster_bootstrap_rates",
    "cluster_bootstrap_statistic",
    "cluster_bootstrap_statistics",
    "cluster_difference_test",
    "cluster_direction",
    "cluster_excess",
    "cluster_mean_difference",
    "cluster_mean_rate",
    "cluster_mean_shift",
    "cluster_mean_size",
    "cluster_median_rate",
    "cluster_missing_bounds",
    "cluster_net_risk",
    "cluster_rate_difference",
    "cluster_sign_test",
    "cluster_t_interval",
    "clustered_mcnemar",
    "cohen_kappa",
    "confusion",
    "cusum",
    "cusum_step",
    "design_effect",
    "detectable_ratio",
    "direction",
    "disagreement",
    "distance_within",
    "expected_disagreement",
    "f1",
    "fisher_test",
    "flip_rate",
    "flip_rates",
    "holm",
    "imbens_manski_quantile",
    "item_disagreement",
    "kendall_tau_b",
    "korn_graubard_interval",
    "macro_f1",
    "mcnemar",
    "mcnemar_from_flips",
    "mean_direction",
    "mean_error",
    "mean_interval",
    "minimum_detectable_difference",
    "newcombe_interval",
    "noise_floor",
    "pair_disagreement",
    "paired_errors",
    "pairs_for_difference",
    "pearson",
    "rate",
    "repeated_distance",
    "sampled_mean_rate",
    "sequential_mean",
    "sequential_sign_test",
    "share_interval",
    "sign_test",
    "spearman",
    "standard_deviation",
    "wald_interval",
    "wilson_interval",
]
