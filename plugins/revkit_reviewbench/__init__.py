"""ReviewBench: a benchmark of papers with checklists, evaluators that score reviews, and
metrics.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the corpora by import path; each is imported when it is used."""
    register("review-bench = revkit_reviewbench.corpora.review_bench:ReviewBench")
    register("reviews-of-run = revkit_reviewbench.corpora.reviews_of_run:ReviewsOfRun")
    register("synthetic-bench = revkit_reviewbench.corpora.synthetic:SyntheticBench")


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by import path; each is imported when it is used."""
    register("bench-evaluator = revkit_reviewbench.evaluators.bench:BenchEvaluator")
    register("control-evaluator = revkit_reviewbench.evaluators.control:ControlEvaluator")
    register("outline-reviewer = revkit_reviewbench.outline_reviewer:OutlineReviewer")


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the rubrics by import path; each is imported when it is used."""
    register("core-contribution-accuracy = revkit_reviewbench.rubrics:CoreContributionAccuracy")
    register("results-interpretation = revkit_reviewbench.rubrics:ResultsInterpretation")
    register("comparative-analysis = revkit_reviewbench.rubrics:ComparativeAnalysis")
    register("evidence-based-critique = revkit_reviewbench.rubrics:EvidenceBasedCritique")
    register("critique-clarity = revkit_reviewbench.rubrics:CritiqueClarity")
    register("completeness-coverage = revkit_reviewbench.rubrics:CompletenessCoverage")
    register("constructive-tone = revkit_reviewbench.rubrics:ConstructiveTone")
    register(
        "false-or-contradictory-claims = revkit_reviewbench.rubrics:FalseOrContradictoryClaims"
    )


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by import path; each is imported when it is used."""
    register("bench-change = revkit_reviewbench.metrics.bench_change:BenchChange")
    register("bench-curve = revkit_reviewbench.metrics.bench_curve:BenchCurve")
    register("bench-difference = revkit_reviewbench.metrics.bench_difference:BenchDifference")
    register("bench-scores = revkit_reviewbench.metrics.bench_scores:BenchScores")
    register("bench-vector = revkit_reviewbench.metrics.bench_vector:BenchVector")
    register("bench-venues = revkit_reviewbench.metrics.bench_venues:BenchVenues")
    register(
        "evaluator-agreement = revkit_reviewbench.metrics.evaluator_agreement:EvaluatorAgreement"
    )
    register("rating-agreement = revkit_reviewbench.metrics.rating_agreement:RatingAgreement")
