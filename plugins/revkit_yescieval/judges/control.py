"""The judge `control-judge`: it measures the signal itself."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.errors import OptionError
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option, unknown_name
from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.measures import MEASURES, Measure
from revkit_yescieval.judges.reading import SynthesisReading, level

LEVELS = Scale("levels-1-5", 1, 5, values=(1.0, 2.0, 3.0, 4.0, 5.0))
NO_REVIEW = "judges texts by rubrics and reviews no papers; name it under 'judges'"


@dataclass(frozen=True)
class ControlJudge(Agent):
    """Scores a text by a measurement, offline and always the same: what a judge could see.

    It has one measure for each of the nine rubrics (see `revkit_yescieval.judges.measures`), finds
    it by the criterion's name and answers on its five levels. A criterion that it has no measure
    for, or a text without what the measure needs, is a Failure ("rejected"). A run in which this
    judge does not see what was done to the texts has a fault in its perturbations or its figures;
    one in which it does shows what is there to be seen. It is no model of good judgement.

    ``blind`` plants a weakness: on these rubrics it gives the highest level, unread.
    """

    name: ClassVar[str] = "control-judge"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS
    measures: tuple[str, ...] = option(
        tuple(MEASURES), help="The rubrics that it answers; all nine by default."
    )
    blind: tuple[str, ...] = option((), help="Rubrics for which it gives the highest level unread.")

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
        """Refuse: it knows rubrics only."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Measure the text and return the level that its value reaches."""
        name = criterion.name
        if name not in self.measures:
            return Failure("rejected", f"there is no measure for the rubric {name!r}")
        if len(criterion.levels) != len(MEASURES[name].cuts) + 1:
            return Failure("rejected", f"the measure of {name!r} has 5 levels, its rubric has not")
        if name in self.blind:
            return Review(score=float(criterion.levels[-1][0]), text="Unread.")
        lines = _lines(_Text(paper.digest, paper))
        lack = _lack(lines, MEASURES[name])
        if lack:
            return Failure("rejected", lack)
        return _scored(lines, criterion, MEASURES[name])


@dataclass(frozen=True)
class _Text:
    """A text that counts as the same where its content is."""

    digest: str
    paper: Paper = field(compare=False)


@functools.lru_cache(maxsize=64)
def _lines(text: _Text) -> Lines:
    """The text taken apart; kept, as nine rubrics are asked of it one after the other."""
    return Lines(SynthesisReading(text.paper))


def _scored(lines: Lines, criterion: Criterion, measure: Measure) -> Review:
    value = measure.value(lines)
    score, meaning = criterion.levels[level(value, measure.cuts) - 1]
    details: dict[str, Json] = {
        "measure": criterion.name,
        "value": value,
        "cuts": list(measure.cuts),
        "sentences": len(lines.reading.lines),
    }
    text = f"{measure.tells}: {value:.3g}. {meaning}"
    return Review(score=float(score), text=text, details=details)


def _lack(lines: Lines, measure: Measure) -> str:
    """What the measure needs and the text does not have, or ""."""
    reading = lines.reading
    if not reading.lines:
        return "there is no sentence to measure"
    if measure.needs == "sources" and not reading.sources:
        return "the text comes without sources to hold it against"
    if measure.needs == "subject" and not reading.known:
        return "the text comes without a question and sources"
    return ""
