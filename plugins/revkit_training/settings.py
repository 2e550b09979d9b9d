"""The options of an export, and their checks."""

from __future__ import annotations

from typing import Literal

from revkit.contracts import Exporter
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.options import option


@dataclass(frozen=True)
class Settings(Exporter):
    """The options of an export."""

    agent: str = option(help="The agent of SPEC whose model is to be trained.")
    bench: tuple[str, ...] = option(
        help="Papers to exclude from training: a spec (its corpus), the folder of a run, or "
        "records in JSON or JSON Lines. Repeatable."
    )
    reviews: Literal["each", "aggregated"] = option(
        "each", help="Train on each human review of a paper, or on its one aggregated review."
    )
    validation: float = option(
        0.0,
        help="Share of papers reserved for validation, below 1.",
        minimum=0,
        maximum=1,
    )
    threshold: float = option(
        0.2,
        help=(
            "Share of runs of five words from which a paper counts as part of the benchmark, "
            "above 0."
        ),
        minimum=0,
        maximum=1,
    )
    model: str = option(
        "microsoft/phi-4", help="The model to train, as the configurations of the trainers name it."
    )
    devices: Literal[1, 2, 4, 8, 16] = option(
        8, help="Number of accelerators of the training machine."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if not self.bench:
            problems.append(("bench", "name at least one"))
        if self.validation >= 1:
            problems.append(("validation", "must be below 1"))
        if self.threshold <= 0:
            problems.append(("threshold", "must be above 0"))
        if problems:
            raise OptionError(self.name, problems)
