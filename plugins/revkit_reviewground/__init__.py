"""ReviewGrounder: an agent that grounds its reviews, and a judge of the evidence in reviews."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("review-grounder = revkit_reviewground.agent:ReviewGrounder")
    register("evidence-checker = revkit_reviewground.evidence_checker:EvidenceChecker")


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the rubrics of evidence, one for each kind of mark."""
    register("no-false-quotes = revkit_reviewground.evidence_marks:NoFalseQuotes")
    register("no-suspect-quotes = revkit_reviewground.evidence_marks:NoSuspectQuotes")
    register("no-false-anchors = revkit_reviewground.evidence_marks:NoFalseAnchors")
    register("no-phantom-reviewers = revkit_reviewground.evidence_marks:NoPhantomReviewers")
    register("no-false-absences = revkit_reviewground.evidence_marks:NoFalseAbsences")
    register("no-false-comparisons = revkit_reviewground.evidence_marks:NoFalseComparisons")
    register("no-foreign-numbers = revkit_reviewground.evidence_marks:NoForeignNumbers")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metric over reviews."""
    register("review-evidence = revkit_reviewground.review_evidence:ReviewEvidence")
