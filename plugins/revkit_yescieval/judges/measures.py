"""The nine measures of the control judge: each gives one number for a text, higher is better.

Every measure has four cut points, and a score is 1 plus the number of cut points reached. They were
set by hand on two sets of texts: the synthetic syntheses with their perturbed versions, and the
real syntheses of BioASQ in YESciEval with the versions of its authors. They are fixed, and the
control judge sees neither the original of a text nor its edits. The medians are those of the 72
real syntheses of three sentences or more.

=============== ====================================================================== ===========
measure         value                                                                  real median
=============== ====================================================================== ===========
cohesion        - breaks in the order: a cue without a referent, a conclusion in the   0
                middle, an abbreviation used before it is introduced (see `order`)
conciseness     - share of sentences that restate an earlier one                       0
readability     - points of the least academic sentence (see `register`)               0
coherence       lowest share of a sentence's stems that other sentences, or the        0.53
                sources of these, contain as well
integration     connectors and provenance markers per sentence (``markers.txt``)       1.2
relevancy       lowest share of a sentence's stems in question and sources             0.88
correctness     lowest share of a sentence's stems in a single source                  0.65
completeness    share of the sources' hundred most widespread stems in the text, half  0.75
                counting in full, times the share of the question in one sentence
informativeness mean share of the sentences that question and sources contain          1
=============== ====================================================================== ===========

Sentences that another measure covers are left out; see `lines`.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from revkit.dataclass import dataclass
from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.order import breaks
from revkit_yescieval.judges.synthesis_text import Line, inside

_MARKERS = Path(__file__).parent / "markers.txt"
_WIDESPREAD = 100
_ENOUGH = 0.6
# Nine in ten of the real syntheses contain half of these stems or fewer.
_MOST_SAID = 0.5


@dataclass(frozen=True)
class Measure:
    """One measure: its value for a text, the cut points, its title, and the data that it needs."""

    value: Callable[[Lines], float]
    cuts: tuple[float, float, float, float]
    title: str
    needs: Literal["", "sources", "subject"] = ""


def _conciseness(lines: Lines) -> float:
    return -len(lines.restated) / len(lines.reading.lines)


def _readability(lines: Lines) -> float:
    return -float(max(lines.points))


def _coherence(lines: Lines) -> float:
    """Measure coherence: two sentences are connected by common words or by a source that both
    use.
    """
    sentences = lines.serious
    if len(sentences) < 2:
        return 1.0
    sources = [frozenset(source) for source in lines.reading.sources]
    grounds = [line.stems | _best(line, sources) for line in sentences]
    times = Counter(stem for ground in grounds for stem in ground)
    return min(sum(times[stem] > 1 for stem in line.stems) / len(line.stems) for line in sentences)


def _best(line: Line, sources: list[frozenset[str]]) -> frozenset[str]:
    """Return the source that contains most of a sentence."""
    return max(sources, key=lambda source: inside(line.stems, source), default=frozenset())


@functools.cache
def _marker_pattern() -> re.Pattern[str]:
    rows = _MARKERS.read_text(encoding="utf-8").splitlines()
    phrases = [row.strip() for row in rows if row.strip() and row[0] not in "#["]
    anywhere = sorted((p for p in phrases if p[0] != "^"), key=lambda p: (-len(p), p))
    opening = sorted(p[1:] for p in phrases if p[0] == "^")
    inner = "|".join(re.escape(phrase) for phrase in anywhere)
    first = "|".join(re.escape(phrase) for phrase in opening)
    return re.compile(rf"(?:^|[,;(]\s?)(?:{first})\b|\b(?:{inner})\b", re.IGNORECASE)


def _integration(lines: Lines) -> float:
    own = lines.own
    return sum(len(_marker_pattern().findall(line.text)) for line in own) / len(own)


def _relevancy(lines: Lines) -> float:
    known = lines.reading.known
    return min(inside(line.stems, known) for line in lines.serious)


def _correctness(lines: Lines) -> float:
    sources = [frozenset(source) for source in lines.reading.sources]
    return min(inside(line.stems, _best(line, sources)) for line in lines.serious)


def _completeness(lines: Lines) -> float:
    """Measure how many of the main stems of the sources occur, and whether a sentence answers the
    question.
    """
    spread = Counter(stem for source in lines.reading.sources for stem in source)
    total: Counter[str] = Counter()
    for source in lines.reading.sources:
        total.update(source)
    keys = sorted(spread, key=lambda stem: (-spread[stem], -total[stem], stem))[:_WIDESPREAD]
    said = frozenset().union(*(line.stems for line in lines.serious))
    total_spread = sum(spread[key] for key in keys)
    covered = sum(spread[key] for key in keys if key in said)
    share = covered / total_spread if total_spread else 0.0
    question = lines.reading.question
    answer = max(inside(question, line.stems) for line in lines.serious) if question else 1.0
    return min(1.0, share / _MOST_SAID) * answer


def _informativeness(lines: Lines) -> float:
    """Measure informativeness: a sentence with six tenths of known stems counts fully, others in
    proportion.
    """
    known = lines.reading.known
    credits = [min(1.0, inside(line.stems, known) / _ENOUGH) for line in lines.serious]
    return math.fsum(credits) / len(credits)


MEASURES: dict[str, Measure] = {
    "cohesion": Measure(
        lambda lines: -float(breaks(lines)), (-3.5, -2.5, -1.5, -0.5), "breaks in the order"
    ),
    "conciseness": Measure(
        _conciseness, (-0.45, -0.3, -0.12, -0.001), "share of restating sentences"
    ),
    "readability": Measure(_readability, (-5.5, -3.5, -1.5, -0.5), "points of the worst sentence"),
    "coherence": Measure(_coherence, (0.15, 0.3, 0.4, 0.5), "fit of the least fitting sentence"),
    "integration": Measure(_integration, (0.3, 0.65, 1.0, 1.3), "markers per sentence"),
    "relevancy": Measure(
        _relevancy, (0.15, 0.4, 0.5, 0.6), "known share of the least related sentence", "subject"
    ),
    "correctness": Measure(
        _correctness, (0.15, 0.3, 0.4, 0.5), "support of the least supported sentence", "sources"
    ),
    "completeness": Measure(
        _completeness, (0.4, 0.55, 0.7, 0.85), "coverage of sources and question", "sources"
    ),
    "informativeness": Measure(
        _informativeness, (0.6, 0.8, 0.92, 0.975), "mean information of a sentence", "subject"
    ),
}
