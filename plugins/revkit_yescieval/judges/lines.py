"""Which sentences belong to a text, so that each measure looks away from what another measures.

A sentence in the wrong register is the business of readability, one that restates another that of
conciseness, one of another subject that of coherence and its kin. Without that distinction one
foreign sentence would lower every score, and the control judge would tell nothing apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from revkit_yescieval.judges.reading import Line, SynthesisReading, inside
from revkit_yescieval.judges.register import points

# In the real syntheses of BioASQ, 95 % of texts hold no sentence of which less than half is known
# from question and sources; of sports news, an eighth is at most. Where nothing is known, other
# sentences are the only measure, and they share little with any one.
_STRANGE = 0.5
_STRANGE_ALONE = 0.02
_ALIEN = 0.15
# The same texts: the shorter of two sentences lies within the longer by three quarters in 5 % of
# texts, and by more than that in 95 % of those to which a restatement was added.
_RESTATED = 0.7
_FEWEST = 4
# A restatement is looked for among this many sentences before it, so that long texts end.
_FURTHEST = 200


@dataclass(frozen=True)
class Lines:
    """The sentences of a reading, told apart."""

    reading: SynthesisReading

    @cached_property
    def points(self) -> tuple[int, ...]:
        """How far each sentence's register is from academic style."""
        return tuple(points(line.text) for line in self.reading.lines)

    @cached_property
    def fits(self) -> tuple[float, ...]:
        """How much of each sentence is known from other sentences, the question or the sources."""
        reading = self.reading
        return tuple(
            max(echo, inside(line.stems, reading.known))
            for line, echo in zip(reading.lines, reading.echo, strict=True)
        )

    @cached_property
    def informal(self) -> frozenset[int]:
        """Sentences in the wrong register, with the strange ones beside them: a chatty passage."""
        found = {i for i, each in enumerate(self.points) if each}
        for step in (1, -1):
            order = range(len(self.fits))[::step]
            for i in order:
                if self.fits[i] < _ALIEN and i - step in found:
                    found.add(i)
        return frozenset(found)

    @cached_property
    def restated(self) -> frozenset[int]:
        """Sentences that say again what an earlier one says, or that have one as a part."""
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
        """Sentences of another subject, in academic style."""
        most = _STRANGE if self.reading.sources else _STRANGE_ALONE
        return frozenset(i for i, fit in enumerate(self.fits) if fit < most) - self.informal

    @cached_property
    def own(self) -> tuple[Line, ...]:
        """The sentences that belong to the text, each said once."""
        return self.without(self.informal, self.restated, self.strange)

    @cached_property
    def serious(self) -> tuple[Line, ...]:
        """The sentences whose subject can be judged: in academic style, each said once."""
        return self.without(self.informal, self.restated)

    def without(self, *sets: frozenset[int]) -> tuple[Line, ...]:
        """The sentences that are in none of ``sets``; all of them where none would be left."""
        left: Sequence[Line] = [
            line
            for i, line in enumerate(self.reading.lines)
            if not any(i in found for found in sets)
        ]
        return tuple(left or self.reading.lines)


def nearness(first: Line, second: Line) -> float:
    """The share of the shorter sentence's stems that the longer holds; 0 for very short ones."""
    shorter, longer = sorted((first.stems, second.stems), key=len)
    return inside(shorter, longer) if len(shorter) >= _FEWEST else 0.0
