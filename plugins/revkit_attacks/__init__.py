"""Attacks: changes to a paper that are made to deceive its reviewer, and searches for them."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the corpus by module path; the module is imported only when it is used."""
    register("pdf-attacks = revkit_attacks.pdf.corpus:PdfAttacks")


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbations by module path; each module is imported only when it is used."""
    register("instruction-injection = revkit_attacks.instruction_injection:InstructionInjection")
    register("presentation = revkit_attacks.presentation:Presentation")
    register("bias-probe = revkit_attacks.bias_probe:BiasProbe")
    register("worse-values = revkit_attacks.tables:WorseValues")
    register("table-layout = revkit_attacks.tables:TableLayout")
    register("misleading-information = revkit_attacks.misleading_information:MisleadingInformation")
    llm = "revkit_attacks.llm_planting"
    register(f"llm-misleading-information = {llm}:LlmMisleadingInformation")
    register(f"llm-niche-terminology = {llm}:LlmNicheTerminology")
    llm = "revkit_attacks.llm_presentation"
    register(f"llm-presentation = {llm}:LlmPresentation")
    register(f"llm-scattered-information = {llm}:LlmScatteredInformation")
    register("niche-terminology = revkit_attacks.niche_terminology:NicheTerminology")
    register("scattered-information = revkit_attacks.scattered_information:ScatteredInformation")
    register(
        "volunteered-limitations = revkit_attacks.volunteered_limitations:VolunteeredLimitations"
    )


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("planted-panel = revkit_attacks.planted_panel:PlantedPanel")
    register("planted-checker = revkit_attacks.planted_checker:PlantedChecker")


@hookimpl
def register_defenses(register: Register) -> None:
    """Register the treatment by module path; the module is imported only when it is used."""
    register("expose-role = revkit_attacks.expose_role:ExposeRole")


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the rubrics by module path; each module is imported only when it is used."""
    module = "revkit_attacks.planted_rubrics"
    register(f"misleading-information = {module}:MisleadingInformationRubric")
    register(f"niche-terminology = {module}:NicheTerminologyRubric")
    register(f"scattered-information = {module}:ScatteredInformationRubric")


@hookimpl
def register_strategies(register: Register) -> None:
    """Register the strategies by module path; each module is imported only when it is used."""
    register("best-of-n = revkit_attacks.strategies.best_of_n:BestOfN")
    register("random = revkit_attacks.strategies.best_of_n:RandomSets")
    register("resubmit = revkit_attacks.strategies.best_of_n:Resubmit")
    register("greedy = revkit_attacks.strategies.greedy:Greedy")
    register("beam = revkit_attacks.strategies.beam:Beam")
    register("bandit = revkit_attacks.strategies.bandit:Bandit")
    register("evolution = revkit_attacks.strategies.evolution:Evolution")
    register("square = revkit_attacks.strategies.square:Square")
    register("decision-boundary = revkit_attacks.strategies.decision_boundary:DecisionBoundary")
    register("llm = revkit_attacks.strategies.llm_strategy:LlmStrategy")


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the metrics by module path; each module is imported only when it is used."""
    register("attack-success = revkit_attacks.metrics.success:AttackSuccess")
    register("attack-curve = revkit_attacks.metrics.curve:AttackCurve")
    register("attack-queries = revkit_attacks.metrics.curve:AttackQueries")
    register("attack-gap = revkit_attacks.metrics.gap:AttackGap")
    register("attack-edits = revkit_attacks.metrics.edits:AttackEdits")
    register("pdf-detection = revkit_attacks.metrics.pdf_detection:PdfDetection")
    register("pdf-attack-success = revkit_attacks.metrics.pdf_success:PdfAttackSuccess")
    register("presentation-gain = revkit_attacks.metrics.presentation_gain:PresentationGain")
    register("attack-propagation = revkit_attacks.metrics.propagation:AttackPropagation")
    register("planted-claims = revkit_attacks.metrics.planted_claims:PlantedClaims")
    register("attack-transfer = revkit_attacks.metrics.transfer:AttackTransfer")
