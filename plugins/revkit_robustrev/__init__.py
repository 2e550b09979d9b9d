"""ROBUST-REV: perturbation families, constraints on them, and metrics over their pairs."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbations by module path; each module is imported only when it is used."""
    register("paraphrase = revkit_robustrev.paraphrase:Paraphrase")
    register("citation-injection = revkit_robustrev.citation_injection:CitationInjection")
    register("hedging = revkit_robustrev.hedging:Hedging")
    register("length = revkit_robustrev.length:Length")
    register("llm-paraphrase = revkit_robustrev.rewriting.llm_paraphrase:LlmParaphrase")
    register("llm-hedging = revkit_robustrev.rewriting.llm_hedging:LlmHedging")
    register("llm-length = revkit_robustrev.rewriting.llm_length:LlmLength")


@hookimpl
def register_constraints(register: Register) -> None:
    """Register the constraints by module path; each module is imported only when it is used."""
    register("same-meaning = revkit_robustrev.constraints:SameMeaning")
    register("same-claim = revkit_robustrev.claims:SameClaim")
    register("entailment = revkit_robustrev.entailment:Entailment")
    register("llm-entailment = revkit_robustrev.llm_entailment:LlmEntailment")
    register("same-numbers = revkit_robustrev.constraints:SameNumbers")
    register("same-citations = revkit_robustrev.constraints:SameCitations")
    register("same-negation = revkit_robustrev.constraints:SameNegation")
    register("same-structure = revkit_robustrev.constraints:SameStructure")
    register("length-window = revkit_robustrev.constraints:LengthWindow")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by module path; each module is imported only when it is used."""
    register("dose-response = revkit_robustrev.metrics.dose_response:DoseResponse")
    register("noticed = revkit_robustrev.metrics.notice_rate:Noticed")
    register("flip-rate = revkit_robustrev.metrics.flip_rate:FlipRate")
    register("score-shift = revkit_robustrev.metrics.score_shift:ScoreShift")
    register("direction = revkit_robustrev.metrics.direction:Direction")
    register("family-contrast = revkit_robustrev.metrics.contrasts:FamilyContrast")
    register("mcnemar = revkit_robustrev.metrics.mcnemar:McNemar")
    register("clean-accuracy = revkit_robustrev.metrics.clean_accuracy:CleanAccuracy")
    register("expectation = revkit_robustrev.metrics.expectation:ExpectationMet")
    register("noise-floor = revkit_robustrev.metrics.noise_floor:NoiseFloor")
    register("threshold-sweep = revkit_robustrev.metrics.threshold_sweep:ThresholdSweep")
    register("outcomes = revkit_robustrev.metrics.outcomes:Outcomes")
