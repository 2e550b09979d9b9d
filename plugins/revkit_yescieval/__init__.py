"""YESciEval: rubrics, perturbations that each lower one rubric, judges and corpora."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the corpora by import path; each is imported when it is used."""
    register("synthetic-syntheses = revkit_yescieval.corpora.synthetic:SyntheticSyntheses")
    register("yescieval = revkit_yescieval.corpora.yescieval:YESciEval")


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbations by import path; each is imported when it is used."""
    register("cohesion = revkit_yescieval.perturbations.cohesion:Cohesion")
    register("conciseness = revkit_yescieval.perturbations.conciseness:Conciseness")
    register("readability = revkit_yescieval.perturbations.readability:Readability")
    register("coherence = revkit_yescieval.perturbations.intrusion:Coherence")
    register("integration = revkit_yescieval.perturbations.integration:Integration")
    register("relevancy = revkit_yescieval.perturbations.intrusion:Relevancy")
    register("correctness = revkit_yescieval.perturbations.intrusion:Correctness")
    register("completeness = revkit_yescieval.perturbations.completeness:Completeness")
    register("informativeness = revkit_yescieval.perturbations.intrusion:Informativeness")
    register("llm-conciseness = revkit_yescieval.perturbations.llm_conciseness:LlmConciseness")
    register("published-edit = revkit_yescieval.perturbations.published_edits:PublishedEdit")


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by import path; each is imported when it is used."""
    register("control-judge = revkit_yescieval.judges.control:ControlJudge")
    register("optimist = revkit_yescieval.judges.weak_judges:Optimist")
    register("section-reviewer = revkit_yescieval.section_reviewer:SectionReviewer")
    register("length-judge = revkit_yescieval.judges.weak_judges:LengthJudge")


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the rubrics by import path; each is imported when it is used."""
    register("cohesion = revkit_yescieval.rubrics:Cohesion")
    register("conciseness = revkit_yescieval.rubrics:Conciseness")
    register("readability = revkit_yescieval.rubrics:Readability")
    register("coherence = revkit_yescieval.rubrics:Coherence")
    register("integration = revkit_yescieval.rubrics:Integration")
    register("relevancy = revkit_yescieval.rubrics:Relevancy")
    register("correctness = revkit_yescieval.rubrics:Correctness")
    register("completeness = revkit_yescieval.rubrics:Completeness")
    register("informativeness = revkit_yescieval.rubrics:Informativeness")
    register("rubric-file = revkit_yescieval.rubrics:RubricFile")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by import path; each is imported when it is used."""
    register("rubric-scores = revkit_yescieval.metrics.rubric_scores:RubricScores")
    register("rubric-matrix = revkit_yescieval.metrics.rubric_matrix:RubricMatrix")
    register("rubric-diagonal = revkit_yescieval.metrics.rubric_matrix:RubricDiagonal")
    register("rubric-detection = revkit_yescieval.metrics.rubric_detection:RubricDetection")
    register("rubric-order = revkit_yescieval.metrics.rubric_order:RubricOrder")
    register("rubric-optimism = revkit_yescieval.metrics.rubric_optimism:RubricOptimism")
    register("rubric-items = revkit_yescieval.metrics.rubric_items:RubricItems")
