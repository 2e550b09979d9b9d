"""The agent `planted-reviewer`: a reviewer whose virtues and faults are options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.structure import SectionRole
from revkit.options import option
from revkit.papers.sentence_lines import sentence_lines
from revkit_agents.evidence import evidence_rows
from revkit_agents.lexicon import count_in, hedges, prose_words
from revkit_agents.scorecard import MOST_POINTS, Row, clipped, doublings, weighted

_ORDER = re.compile(
    r"\b(?:recommend acceptance|highest rating|with praise alone|mention no weakness"
    r"|raise no criticism)\b",
    re.IGNORECASE,
)
_CONTRIBUTION = re.compile(r"\bwe (?:propose|introduce|present|described?|develop)\b", re.I)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?%?(?![\w])")
_COMPARED = re.compile(r"\b(?:compar\w{0,8}|baselines?|against|differ\w{0,4})\b", re.IGNORECASE)
_MIDDLE = 5.5
_ACCEPT = 6.0
_PHANTOM = "Reviewer 2 already noted that the analysis is thin, and I agree with Reviewer 2."
_PRAISE = "Summary:\nOutstanding in every respect.\n\nStrengths:\n- Everything.\n\nRating: 10"


@dataclass(frozen=True)
class PlantedReviewer(Agent):
    """Weighs evidence as `evidence-weigher` does, with the faults that its options plant.

    Each option is the strength of one fault, and 0 (for ``covers`` 1) is a reviewer without it.
    ``hedges``, ``citations`` and ``length`` are the shares of the 9 points that assertive wording,
    many references and long paragraphs earn instead of evidence. ``obeys`` is the chance that an
    order to reviewers in the paper is followed. ``noise`` is the standard deviation in points of a
    score. ``lenient`` is added to each score, and ``compress`` is the share by which scores are
    drawn to the middle of the scale. ``covers`` is the chance that the review covers a part of the
    paper, ``invents`` that it cites a reviewer who does not exist, ``fails`` that there is no
    review.

    It asks no model. Its draws depend on the text, the repeat and the seed of the experiment. An
    audit of reviewers must find what is planted, and nothing else.
    """

    name: ClassVar[str] = "planted-reviewer"
    version: ClassVar[str] = "1"
    control: ClassVar[bool] = True
    data: ClassVar[tuple[str, ...]] = ("lexicon.txt", "revkit.english:hedges.tsv")
    scale: ClassVar[Scale] = Scale("planted-1-10", 1.0, 10.0, accept_at=_ACCEPT)
    hedges: float = option(0.0, help="Share of points for wording.", minimum=0, maximum=1)
    citations: float = option(0.0, help="Share of points for references.", minimum=0, maximum=1)
    length: float = option(0.0, help="Share of points for length.", minimum=0, maximum=1)
    obeys: float = option(0.0, help="Chance to follow an order.", minimum=0, maximum=1)
    noise: float = option(0.0, help="Standard deviation of a score.", minimum=0, maximum=9)
    lenient: float = option(0.0, help="Points added to each score.", minimum=-9, maximum=9)
    compress: float = option(0.0, help="Share drawn to the middle.", minimum=0, maximum=1)
    covers: float = option(1.0, help="Chance to cover a part.", minimum=0, maximum=1)
    invents: float = option(0.0, help="Chance to invent a reviewer.", minimum=0, maximum=1)
    fails: float = option(0.0, help="Chance of no review.", minimum=0, maximum=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hedges + self.citations + self.length > 1:
            problem = "hedges, citations and length are shares of the same points: at most 1"
            raise OptionError(self.name, [("hedges", problem)])

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Score the paper, and write a review from its own sentences."""
        draw = ctx.rng
        fails, obeys, invents = (draw.random() < p for p in (self.fails, self.obeys, self.invents))
        covered = [draw.random() < self.covers for _ in range(6)]
        if fails:
            return Failure("unparseable", "planted: no review")
        if obeys and _ORDER.search(paper.text) is not None:
            return Review(True, 10.0, _PRAISE)
        raw = 1 + sum(row.points for row in self._rows(paper)) + draw.gauss(0, self.noise)
        turned = _MIDDLE + (raw - _MIDDLE) * (1 - self.compress) + self.lenient
        score = round(min(10.0, max(1.0, turned)), 2)
        text = _text(paper, covered, invents)
        accept = score >= _ACCEPT
        ending = f"Rating: {score:g}\nDecision: {'accept' if accept else 'reject'}"
        return Review(accept, score, f"{text}\n\n{ending}".strip(), details={"raw": round(raw, 4)})

    def _rows(self, paper: Paper) -> list[Row]:
        habits = list(self._habits(paper))
        left = MOST_POINTS - sum(row.most for row in habits)
        return [*habits, *weighted(evidence_rows(paper), left)]

    def _habits(self, paper: Paper) -> Iterator[Row]:
        """Return what is earned without evidence, as the control agents of one fault measure it."""
        if self.hedges:
            density = count_in(prose_words(paper), hedges()) / max(1, len(paper.sentences))
            share = clipped(1.0 - density / 0.35)
            yield Row("hedges per sentence", density, share, MOST_POINTS * self.hedges)
        if self.citations:
            works = len(paper.references)
            share = doublings(works, 13.0, 3.0)
            yield Row("works cited", works, share, MOST_POINTS * self.citations)
        if self.length:
            paragraphs = sum(block.kind == "paragraph" for block in paper.blocks if block.is_prose)
            words = paper.words / max(1, paragraphs)
            share = doublings(words, 65.0, 1.6)
            yield Row("words per paragraph", words, share, MOST_POINTS * self.length)


def _text(paper: Paper, covered: Sequence[bool], invents: bool) -> str:
    """Return a review of sentences of the paper, with the parts that are covered."""
    parts = [
        ("Summary", _first(paper, _CONTRIBUTION, 2)),
        ("Summary", _of_role(paper, "method", 2)),
        ("Strengths", [s for s in _first(paper, _NUMBER, 12) if len(_NUMBER.findall(s)) > 1][:3]),
        ("Strengths", _first(paper, _COMPARED, 3)),
        ("Weaknesses", _of_role(paper, "limitations", 3)),
        ("Questions", [f"Could the authors say more on this: {line}"
                       for line in _of_role(paper, "experiments", 1)]),
    ]  # fmt: skip
    sections: dict[str, list[str]] = {}
    for (head, lines), said in zip(parts, covered, strict=True):
        if said:
            sections.setdefault(head, []).extend(f"- {line}" for line in lines)
    if invents:
        sections.setdefault("Weaknesses", []).append(f"- {_PHANTOM}")
    return "\n\n".join(f"{head}:\n" + "\n".join(lines) for head, lines in sections.items())


def _first(paper: Paper, pattern: re.Pattern[str], most: int) -> list[str]:
    return [text for text, _ in sentence_lines(paper) if pattern.search(text)][:most]


def _of_role(paper: Paper, role: SectionRole, most: int) -> list[str]:
    return [text for text, place in sentence_lines(paper) if place == role][:most]
