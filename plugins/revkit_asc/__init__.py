"""ASC: put the scores of several reviewers on one scale, with maps that are fitted on anchors."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the corpora by module path; each module is imported only when it is used."""
    register("anchor-bank = revkit_asc.bank.corpus:AnchorBank")
    register("anchor-openings = revkit_asc.bank.anchor_openings:AnchorOpenings")
    register("simulated-venue = revkit_asc.simulation.venue:SimulatedVenue")


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("simulated-reviewer = revkit_asc.simulation.reviewer:SimulatedReviewer")
    register("anchor-leaker = revkit_asc.bank.leaker:AnchorLeaker")


@hookimpl
def register_calibrators(register: Register) -> None:
    """Register the calibrators by module path; each module is imported only when it is used."""
    register("monotone-spline = revkit_asc.calibrators.spline:MonotoneSpline")
    register("isotonic = revkit_asc.calibrators.isotonic:Isotonic")
    register("linear = revkit_asc.calibrators.linking:Linear")
    register("mean-sigma = revkit_asc.calibrators.linking:MeanSigma")
    register("quantile = revkit_asc.calibrators.linking:Quantile")
    register("identity = revkit_asc.calibrators.linking:Identity")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by module path; each module is imported only when it is used."""
    register("calibration = revkit_asc.metrics.calibration:Calibration")
    register("calibration-agents = revkit_asc.metrics.calibration_agents:CalibrationAgents")
    register("calibration-attack = revkit_asc.metrics.calibration_attack:CalibrationAttack")
    register("calibration-bias = revkit_asc.metrics.calibration_bias:CalibrationBias")
    register("calibration-curve = revkit_asc.metrics.calibration_curve:CalibrationCurve")
    register("common-scale = revkit_asc.metrics.common_scale:CommonScale")
    register("drift = revkit_asc.metrics.drift:Drift")
    register("drift-course = revkit_asc.metrics.drift:DriftCourse")
    register("anchor-coverage = revkit_asc.bank.coverage:AnchorCoverage")
    register("anchor-leakage = revkit_asc.bank.leakage_metric:AnchorLeakage")


@hookimpl
def register_exporters(register: Register) -> None:
    """Register the custody tasks by module path; each module is imported only when it is used."""
    register("bank-plan = revkit_asc.bank.custody_rotation:BankPlan")
    register("bank-rotate = revkit_asc.bank.custody_rotation:BankRotate")
    register("bank-mark = revkit_asc.bank.custody_marks:BankMark")
    register("bank-probe = revkit_asc.bank.custody_marks:BankProbe")
    register("bank-check = revkit_asc.bank.custody_check:BankCheck")
