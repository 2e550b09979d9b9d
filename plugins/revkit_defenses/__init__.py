"""Defenses: what is set between a paper and a reviewer that the paper may try to mislead."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_defenses(register: Register) -> None:
    """Register the defenses by module path; each module is imported only when it is used."""
    register("citation-existence = revkit_defenses.citation_existence:CitationExistence")
    register("normalise = revkit_defenses.normalise:Normalise")
    register("hedge-neutral = revkit_defenses.hedge_neutral:HedgeNeutral")
    register("length-neutral = revkit_defenses.length_neutral:LengthNeutral")
    register("delimiter = revkit_defenses.spotlighting:Delimiter")
    register("datamark = revkit_defenses.spotlighting:Datamark")
    register("encode = revkit_defenses.spotlighting:Encode")
    register("sandwich = revkit_defenses.reminders:Sandwich")
    register("detect-then-review = revkit_defenses.reminders:DetectThenReview")
    register("facts-then-score = revkit_defenses.facts_then_score:FactsThenScore")
    register("section-median = revkit_defenses.isolation:SectionMedian")
    register("masked-majority = revkit_defenses.isolation:MaskedMajority")
    register("model-vote = revkit_defenses.model_vote:ModelVote")
    register("output-rule = revkit_defenses.output_rule:OutputRule")
    register("citation-probe = revkit_defenses.citation_probe:CitationProbe")
    register("citation-overlap = revkit_defenses.citation_overlap:CitationOverlap")
    register("classifier = revkit_defenses.classifier:Classifier")
    register("canary = revkit_defenses.canary:Canary")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metric of what defenses buy and cost."""
    register("defenses = revkit_defenses.defense_value:DefenseValue")
