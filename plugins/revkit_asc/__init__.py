"""ASC: reviewer scores brought onto one scale by maps that are fitted on anchors."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_asc.bank.corpus import AnchorBank
from revkit_asc.bank.coverage import AnchorCoverage
from revkit_asc.bank.leakage_metric import AnchorLeakage
from revkit_asc.calibrators import CALIBRATORS
from revkit_asc.metrics import METRICS
from revkit_asc.simulation.reviewer import SimulatedReviewer
from revkit_asc.simulation.venue import SimulatedVenue

__all__ = [
    "CALIBRATORS",
    "METRICS",
    "AnchorBank",
    "AnchorCoverage",
    "AnchorLeakage",
    "SimulatedReviewer",
    "SimulatedVenue",
    "register_agents",
    "register_calibrators",
    "register_corpora",
    "register_metrics",
]


@hookimpl
def register_calibrators(register: Register) -> None:
    for calibrator in CALIBRATORS:
        register(calibrator)


@hookimpl
def register_metrics(register: Register) -> None:
    for metric in METRICS:
        register(metric)
    register(AnchorCoverage)
    register(AnchorLeakage)


@hookimpl
def register_corpora(register: Register) -> None:
    register(AnchorBank)
    register(SimulatedVenue)


@hookimpl
def register_agents(register: Register) -> None:
    register(SimulatedReviewer)
