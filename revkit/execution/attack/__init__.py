"""Attacks within a run: units of edits, one search, and all searches side by side."""

from revkit.execution.attack.search import (
    CleanRequest,
    GateRequest,
    PaperSearch,
    ProposalRequest,
    Request,
    ReviewRequest,
    Searched,
)
from revkit.execution.attack.stage import AttackStage
from revkit.execution.attack.units import AttackedPaper, EditUnit, units_of

__all__ = [
    "AttackStage",
    "AttackedPaper",
    "CleanRequest",
    "EditUnit",
    "GateRequest",
    "PaperSearch",
    "ProposalRequest",
    "Request",
    "ReviewRequest",
    "Searched",
    "units_of",
]
