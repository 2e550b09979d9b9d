"""Subjects: what a run compares, as its experiment names it, in a form that a folder can hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.files.run_files import OTHER_FORM
from revkit.model.columns import read_row, row_of
from revkit.model.criterion import Criterion
from revkit.model.records import AgentRow, PerturbationRow
from revkit.model.values import Json


@dataclass(frozen=True)
class Subjects:
    """The rows of an experiment that its records name but do not contain.

    ``anchor_repeats`` is None where the experiment has no calibration; ``anchors_shared`` is the
    part of the corpus that was set aside as anchors, None for another corpus.
    ``anchors_synthetic`` says that a program made the anchors and their severities.
    """

    seed: int
    repeats: int
    agents: tuple[AgentRow, ...] = ()
    perturbations: tuple[PerturbationRow, ...] = ()
    judges: tuple[AgentRow, ...] = ()
    rubrics: tuple[Criterion, ...] = ()
    anchor_repeats: int | None = None
    anchors_shared: float | None = None
    anchors_synthetic: bool = False

    def to_json(self) -> dict[str, Json]:
        return {
            "seed": self.seed,
            "repeats": self.repeats,
            "agents": [row_of(each) for each in self.agents],
            "perturbations": [row_of(each) for each in self.perturbations],
            "judges": [row_of(each) for each in self.judges],
            "rubrics": [each.to_json() for each in self.rubrics],
            "anchor_repeats": self.anchor_repeats,
            "anchors_shared": self.anchors_shared,
            "anchors_synthetic": self.anchors_synthetic,
        }

    @classmethod
    def from_json(cls, value: Any) -> Subjects:
        """The subjects that `to_json` wrote. Raises `PaperError` for a value of another form."""
        try:
            return cls(
                int(value["seed"]),
                int(value["repeats"]),
                tuple(read_row(AgentRow, each) for each in value["agents"]),
                tuple(read_row(PerturbationRow, each) for each in value["perturbations"]),
                tuple(read_row(AgentRow, each) for each in value["judges"]),
                tuple(_criterion(each) for each in value["rubrics"]),
                value["anchor_repeats"],
                value["anchors_shared"],
                bool(value.get("anchors_synthetic", False)),
            )
        except OTHER_FORM as error:
            raise PaperError(f"the subjects of a run have an unexpected form: {error}") from None


def _criterion(value: Mapping[str, Any]) -> Criterion:
    levels = tuple((int(score), str(meaning)) for score, meaning in value["levels"])
    return Criterion(
        str(value["name"]),
        str(value["question"]),
        levels,
        str(value["family"]),
        str(value["instructions"]),
    )
