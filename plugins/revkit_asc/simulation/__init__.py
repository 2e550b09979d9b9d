"""A simulated world: manuscripts with planted flaws, simulated people who score them, and agents.

Two roads lead through it. On the text road, `SimulatedVenue` writes manuscripts and
`SimulatedReviewer` reads the flaws from their text. On the number road, `World` draws the same
quantities without any text, for studies over many worlds. Both share regimes and responses.
"""

from __future__ import annotations

from revkit_asc.simulation.regimes import REGIMES, Regime
from revkit_asc.simulation.response import Response
from revkit_asc.simulation.reviewer import SimulatedReviewer
from revkit_asc.simulation.venue import SimulatedVenue
from revkit_asc.simulation.worlds import World

__all__ = [
    "REGIMES",
    "Regime",
    "Response",
    "SimulatedReviewer",
    "SimulatedVenue",
    "World",
]
