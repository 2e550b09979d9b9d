"""The judge `control-judge`, which measures what each rubric describes."""

from __future__ import annotations

import functools
from dataclasses import field
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option, unknown_name
from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.measures import MEASURES, Measure
from revkit_yescieval.judges.synthesis_text import SynthesisReading, level

LEVELS = Scale("levels-1-5", 1, 5, values=(1.0, 2.0, 3.0, 4.0, 5.0))
NO_REVIEW = "judges texts by rubrics and does not review papers; list it under 'judges'"


@dataclass(frozen=True)
class ControlJudge(Agent):
    """Scores a text by measurements, offline and deterministically, as a reference for other
    judges.

    It has one measure for each of the nine rubrics (see `revkit_yescieval.judges.measures`),
    selected by the criterion's name, and answers on five levels. A criterion without a measure, or
    a text without the data that the measure needs, is a Failure ("rejected"). If this judge does
    not see the edits in a run, the perturbations or the figures are at fault; if it does, its
    figures show how much can be seen. It is not a model of good judgement.

    ``blind`` plants a weakness: on these rubrics it gives the highest level without reading.
    """

    name: ClassVar[str] = "control-judge"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS
    measures: tuple[str, ...] = option(
        tuple(MEASURES), help="The rubrics that it scores; all nine by default."
    )
    blind: tuple[str, ...] = option(
        (), help="Rubrics on which the judge always gives the highest level."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            (option_name, unknown_name("measure", name, MEASURES))
            for option_name, names in (("measures", self.measures), ("blind", self.blind))
            for name in names
            if name not in MEASURES
        ]
        if problems:
            raise OptionError(self.name, problems)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", NO_REVIEW)

    def cannot_judge(self, paper: Paper, criterion: Criterion) -> str:
        """Return a reason if the rubric has no measure, or if the text lacks the sources that it
        needs.
        """
        name = criterion.name
        if name not in self.measures:
            return f"has no measure for the rubric {name!r}"
        if name in self.blind:
            return ""
        return _missing_input(_lines(_Text(paper.digest, paper)), MEASURES[name])

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Measure the text and return the level of its value."""
        name = criterion.name
        if name not in self.measures:
            return Failure("rejected", f"has no measure for the rubric {name!r}")
        if len(criterion.levels) != len(MEASURES[name].cuts) + 1:
            return Failure("rejected", f"the rubric {name!r} must have the 5 levels of its measure")
        if name in self.blind:
            return Review(score=float(criterion.levels[-1][0]), text="Unread.")
        lines = _lines(_Text(paper.digest, paper))
        missing = _missing_input(lines, MEASURES[name])
        if missing:
            return Failure("rejected", missing)
        return _score(lines, criterion, MEASURES[name])


@dataclass(frozen=True)
class _Text:
    """A text that is equal to any other text with the same content."""

    digest: str
    paper: Paper = field(compare=False)


@functools.lru_cache(maxsize=64)
def _lines(text: _Text) -> Lines:
    """Return the analysed text; cached, because nine rubrics use it one after the other."""
    return Lines(SynthesisReading(text.paper))


def _score(lines: Lines, criterion: Criterion, measure: Measure) -> Review:
    value = measure.value(lines)
    score, meaning = criterion.levels[level(value, measure.cuts) - 1]
    details: dict[str, Json] = {
        "measure": criterion.name,
        "value": value,
        "cuts": list(measure.cuts),
        "sentences": len(lines.reading.lines),
    }
    text = f"{measure.title}: {value:.3g}. {meaning}"
    return Review(score=float(score), text=text, details=details)


def _missing_input(lines: Lines, measure: Measure) -> str:
    """Return the input that the measure needs and the text lacks, or ""."""
    reading = lines.reading
    if not reading.lines:
        return "the text has no sentence to measure"
    if measure.needs == "sources" and not reading.sources:
        return "the text has no sources to compare it with"
    if measure.needs == "subject" and not reading.known:
        return "the text has neither a question nor sources"
    return ""
