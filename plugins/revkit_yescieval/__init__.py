"""YESciEval: rubrics, the perturbations that lower them one at a time, judges and corpora."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_yescieval.corpora import CORPORA
from revkit_yescieval.judges import JUDGES
from revkit_yescieval.metrics import METRICS
from revkit_yescieval.perturbations import PERTURBATIONS
from revkit_yescieval.rubrics import RUBRICS

__all__ = ["CORPORA", "JUDGES", "METRICS", "PERTURBATIONS", "RUBRICS"]


@hookimpl
def register_corpora(register: Register) -> None:
    """Register every corpus of this plugin."""
    for corpus in CORPORA:
        register(corpus)


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbations of the nine rubrics."""
    for perturbation in PERTURBATIONS:
        register(perturbation)


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the nine rubrics, and rubrics from files."""
    for rubric in RUBRICS:
        register(rubric)


@hookimpl
def register_agents(register: Register) -> None:
    """Register the judges that need no model."""
    for judge in JUDGES:
        register(judge)


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the figures over judges' scores."""
    for metric in METRICS:
        register(metric)
