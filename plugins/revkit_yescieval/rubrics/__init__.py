"""The nine rubrics of YESciEval in three families, and rubrics from a file of the user.

Names and questions are the seed's (YESciEval, its table of rubrics); levels, anchors and
instructions are ours, in one YAML file per rubric in this folder. A rubric's identity is the
content of its criterion, so results stay valid if a file moves and are computed again if a word
changes.

==================================== ==============================================
linguistic and stylistic quality     cohesion, conciseness, readability
logical and structural integrity     coherence, integration, relevancy
content accuracy and informativeness correctness, completeness, informativeness
==================================== ==============================================
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from revkit.contracts import Rubric
from revkit.contracts.component import inherited_name
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.values import Json, digest_of
from revkit.options import option
from revkit_yescieval.rubrics.rubric_reader import RubricProblem, parse_rubric, read_rubric

_FOLDER = Path(__file__).parent


class _Content(Rubric):
    """A rubric whose identity is its content, not the location of its file."""

    def identity(self) -> Json:
        """Return the digest of the criterion's content."""
        return digest_of(self.criterion.to_json())


class _BuiltIn(_Content):
    @property
    def criterion(self) -> Criterion:
        """The criterion in the YAML file with this rubric's name, or that of its base class."""
        name = inherited_name(type(self), {path.stem for path in _FOLDER.glob("*.yaml")})
        return parse_rubric((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Cohesion(_BuiltIn):
    """Whether sentences are connected appropriately (YESciEval, rubric 1)."""

    name: ClassVar[str] = "cohesion"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("cohesion.yaml",)


@dataclass(frozen=True)
class Conciseness(_BuiltIn):
    """Whether the text avoids repetition (YESciEval, rubric 2)."""

    name: ClassVar[str] = "conciseness"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("conciseness.yaml",)


@dataclass(frozen=True)
class Readability(_BuiltIn):
    """Whether the style is that of academic writing (YESciEval, rubric 3)."""

    name: ClassVar[str] = "readability"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("readability.yaml",)


@dataclass(frozen=True)
class Coherence(_BuiltIn):
    """Whether ideas are connected soundly and logically (YESciEval, rubric 4)."""

    name: ClassVar[str] = "coherence"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("coherence.yaml",)


@dataclass(frozen=True)
class Integration(_BuiltIn):
    """Whether markers and connectors integrate the sources (YESciEval, rubric 5)."""

    name: ClassVar[str] = "integration"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("integration.yaml",)


@dataclass(frozen=True)
class Relevancy(_BuiltIn):
    """Whether the information is relevant to the question (YESciEval, rubric 6)."""

    name: ClassVar[str] = "relevancy"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("relevancy.yaml",)


@dataclass(frozen=True)
class Correctness(_BuiltIn):
    """Whether the text represents its sources correctly (YESciEval, rubric 7)."""

    name: ClassVar[str] = "correctness"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("correctness.yaml",)


@dataclass(frozen=True)
class Completeness(_BuiltIn):
    """Whether the text covers the important content of its sources (YESciEval, rubric 8)."""

    name: ClassVar[str] = "completeness"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("completeness.yaml",)


@dataclass(frozen=True)
class Informativeness(_BuiltIn):
    """Whether the text is a useful reply to the question (YESciEval, rubric 9)."""

    name: ClassVar[str] = "informativeness"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("informativeness.yaml",)


@dataclass(frozen=True)
class RubricFile(_Content):
    """Your own rubric in a YAML file: name, question, levels, and optionally family and
    instructions.

    ``levels`` maps whole numbers, higher for better texts, to their meanings.
    ``schemas/rubric.schema.json`` describes the file. A file that cannot be read, or that is not a
    rubric, is an `OptionError` with the line and the remedy.
    """

    name: ClassVar[str] = "rubric-file"
    version: ClassVar[str] = "1"
    path: str = option(help="The YAML file; relative to the folder in which revkit was started.")

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            read_rubric(self.path)
        except RubricProblem as error:
            raise OptionError(self.name, [("path", str(error))]) from None

    def files_needed(self) -> Sequence[str]:
        """Return the path of the file."""
        return (self.path,)

    @property
    def criterion(self) -> Criterion:
        """The criterion in the file. Raises `OptionError` where the file has no valid rubric."""
        try:
            return read_rubric(self.path)
        except RubricProblem as error:
            raise OptionError(self.name, [("path", str(error))]) from None


RUBRICS: tuple[type[Rubric], ...] = (
    Cohesion,
    Conciseness,
    Readability,
    Coherence,
    Integration,
    Relevancy,
    Correctness,
    Completeness,
    Informativeness,
    RubricFile,
)

__all__ = [
    "RUBRICS",
    "Coherence",
    "Cohesion",
    "Completeness",
    "Conciseness",
    "Correctness",
    "Informativeness",
    "Integration",
    "Readability",
    "Relevancy",
    "RubricFile",
]
