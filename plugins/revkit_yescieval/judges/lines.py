"""Classify the sentences of a text, so that each measure ignores the faults that others measure.

A sentence in the wrong register counts for readability, a restatement for conciseness, and a
sentence on another subject for coherence and related rubrics. Without that distinction one foreign
sentence would lower every score, and the control judge could not separate the rubrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from revkit.dataclass import dataclass
from revkit_yescieval.judges.register import points
from revkit_yescieval.judges.synthesis_text import Line, SynthesisReading, inside

# In 95 % of the real syntheses of BioASQ, at least half of each sentence is known from question and
# sources; of sports news, at most an eighth. Without question and sources, only the other sentences
# can be compared, and they share little with any sentence.
_STRANGE = 0.5
_STRANGE_ALONE = 0.02
_ALIEN = 0.15
# In 5 % of the same texts, a sentence contains three quarters of a shorter one; in 95 % of those
# with an added restatement, even more.
_RESTATED = 0.7
_FEWEST = 4
# A restatement is searched among this many sentences before it, to bound the time for long texts.
_FURTHEST = 200


@dataclass(frozen=True)
class Lines:
    """The sentences of a reading by kind."""

    reading: SynthesisReading

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The distance of each sentence's register from academic style."""
        return tuple(points(line.text) for line in self.reading.lines)

    @cached_property
    def fits(self) -> tuple[float, ...]:
        """The share of each sentence that occurs in others, in the question or in the sources."""
        reading = self.reading
        return tuple(
            max(echo, inside(line.stems, reading.known))
            for line, echo in zip(reading.lines, reading.echo, strict=True)
        )

    @cached_property
    def informal(self) -> frozenset[int]:
        """Sentences in the wrong register, together with adjacent unrelated sentences: a chatty
        part.
        """
        informal = {i for i, each in enumerate(self.points) if each}
        for step in (1, -1):
            order = range(len(self.fits))[::step]
            for i in order:
                if self.fits[i] < _ALIEN and i - step in informal:
                    informal.add(i)
        return frozenset(informal)

    @cached_property
    def restated(self) -> frozenset[int]:
        """Sentences that repeat an earlier sentence, or contain one."""
        lines = self.reading.lines
        return frozenset(
            j
            for j in range(1, len(lines))
            if any(
                nearness(lines[i], lines[j]) >= _RESTATED for i in range(max(0, j - _FURTHEST), j)
            )
        )

    @cached_property
    def strange(self) -> frozenset[int]:
        """Sentences on another subject, in academic style."""
        most = _STRANGE if self.reading.sources else _STRANGE_ALONE
        return frozenset(i for i, fit in enumerate(self.fits) if fit < most) - self.informal

    @cached_property
    def own(self) -> tuple[Line, ...]:
        """The sentences that belong to the text, without restatements."""
        return self.without(self.informal, self.restated, self.strange)

    @cached_property
    def serious(self) -> tuple[Line, ...]:
        """The sentences whose subject can be judged: in academic style, without restatements."""
        return self.without(self.informal, self.restated)

    def without(self, *sets: frozenset[int]) -> tuple[Line, ...]:
        """Return the sentences outside of all ``sets``; all sentences if none would be left."""
        left: Sequence[Line] = [
            line for i, line in enumerate(self.reading.lines) if not any(i in each for each in sets)
        ]
        return tuple(left or self.reading.lines)


def nearness(first: Line, second: Line) -> float:
    """Return the share of the shorter sentence's stems that the longer contains; 0 for very short
    ones.
    """
    shorter, longer = sorted((first.stems, second.stems), key=len)
    return inside(shorter, longer) if len(shorter) >= _FEWEST else 0.0
