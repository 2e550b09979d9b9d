"""The agent `section-reviewer`: a reviewer that notices a badly written section of a paper."""

from __future__ import annotations

from statistics import fmean
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.model.variant import Rejection
from revkit.options import option, unknown_name
from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.measures import MEASURES
from revkit_yescieval.judges.synthesis_text import SynthesisReading, level
from revkit_yescieval.perturbations.passage import Passage

# A paper has no sources and no question, which the other measures need.
_MEASURES = tuple(name for name, measure in MEASURES.items() if not measure.needs)


@dataclass(frozen=True)
class SectionReviewer(Agent):
    """Reviews papers by the writing of one section alone: the mean level, from 1 to 5, of the
    measures of `control-judge` that need neither sources nor a question.

    It is a control for experiments that make a section worse: it notices the edits that its
    measures see, and no others. ``blind`` plants a weakness: these measures always have the highest
    level. It gives no verdict. A paper without the section is a Failure ("rejected").
    """

    name: ClassVar[str] = "section-reviewer"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_yescieval.judges:common_words.txt",
        "revkit_yescieval.judges:markers.txt",
    )
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale("mean-level-1-5", 1, 5)
    section: str | None = option(
        None, help="Heading or role of the section to read (null: all prose of the text)."
    )
    blind: tuple[str, ...] = option((), help="Measures that always have the highest level.")

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            ("blind", unknown_name("measure", name, _MEASURES))
            for name in self.blind
            if name not in _MEASURES
        ]
        if problems:
            raise OptionError(self.name, problems)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Measure the section and return the mean level."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return Failure("rejected", passage.reason)
        text = paper.text[passage.pieces[0].start : passage.pieces[-1].end]
        lines = Lines(SynthesisReading(Paper(paper.id, text)))
        if not lines.reading.lines:
            return Failure("rejected", "the section has no sentence to measure")
        levels: dict[str, Json] = {}
        scores = []
        for name in _MEASURES:
            measure = MEASURES[name]
            top = len(measure.cuts) + 1
            found = top if name in self.blind else level(measure.value(lines), measure.cuts)
            levels[name] = found
            scores.append(found)
        return Review(
            score=fmean(scores),
            text="The writing of the section, by measure.",
            details={"levels": levels},
        )
