"""ROBUST-REV: perturbation families, constraints on them, and figures over their pairs."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.constraints import (
    LengthWindow,
    SameCitations,
    SameMeaning,
    SameNegation,
    SameNumbers,
    SameStructure,
)
from revkit_robustrev.hedging import Hedging
from revkit_robustrev.length import Length
from revkit_robustrev.metrics import METRICS
from revkit_robustrev.paraphrase import Paraphrase
from revkit_robustrev.rewriting.llm_hedging import LlmHedging
from revkit_robustrev.rewriting.llm_length import LlmLength
from revkit_robustrev.rewriting.llm_paraphrase import LlmParaphrase

__all__ = [
    "METRICS",
    "CitationInjection",
    "Hedging",
    "Length",
    "LengthWindow",
    "LlmHedging",
    "LlmLength",
    "LlmParaphrase",
    "Paraphrase",
    "SameCitations",
    "SameMeaning",
    "SameNegation",
    "SameNumbers",
    "SameStructure",
]


@hookimpl
def register_perturbations(register: Register) -> None:
    for perturbation in (Paraphrase, CitationInjection, Hedging, Length):
        register(perturbation)
    for generator in (LlmParaphrase, LlmHedging, LlmLength):
        register(generator)


@hookimpl
def register_constraints(register: Register) -> None:
    for constraint in (
        SameMeaning,
        SameNumbers,
        SameCitations,
        SameNegation,
        SameStructure,
        LengthWindow,
    ):
        register(constraint)


@hookimpl
def register_metrics(register: Register) -> None:
    for metric in METRICS:
        register(metric)
