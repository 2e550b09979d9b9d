"""Settings of an export; see `revkit.api.export_sft` for what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from revkit.errors import RunError
from revkit.execution.training.reviews import Which
from revkit.execution.training.trainers import accumulation_for

THRESHOLD = 0.2
MODEL = "microsoft/phi-4"


@dataclass(frozen=True)
class Settings:
    """What is asked of an export. Raises `RunError` for shares and numbers that cannot be."""

    agent: str
    reviews: Which = "each"
    validation: float = 0.0
    threshold: float = THRESHOLD
    devices: int = 8
    model: str = MODEL

    def __post_init__(self) -> None:
        if not 0 <= self.validation < 1:
            raise RunError("the share for validation must be at least 0 and below 1")
        if not 0 < self.threshold <= 1:
            raise RunError("the threshold of similarity must be above 0 and at most 1")
        accumulation_for(self.devices)
