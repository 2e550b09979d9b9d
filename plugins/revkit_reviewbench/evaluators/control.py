"""The judge `control-evaluator`: checks which key points the words of a review cover."""

from __future__ import annotations

import functools
import re
from typing import ClassVar, Literal

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.english import compile_words, negations, stop_words
from revkit.english.stems import cut_ending
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.values import Json
from revkit.options import option
from revkit_reviewbench.checklists import Checklist, Point
from revkit_reviewbench.dimensions import BY_NAME, HIGHEST, LOWEST, TONE
from revkit_reviewbench.own_checklists import chosen_checklist
from revkit_reviewbench.quotation import words
from revkit_reviewbench.scoring import (
    FaultVerdict,
    PointVerdict,
    Verdict,
    coverage,
    pitfall_score,
    positive_score,
)

TOTAL = Scale("reviewbench-total", LOWEST, HIGHEST)
NO_REVIEW = "judges reviews by rubrics and does not review papers; list it under 'judges'"
_HARSH = re.compile(
    r"\b(?:worthless|useless|ridiculous|laughable|nonsense|garbage|pointless|incompetent|lazy"
    r"|embarrassing|waste of time|should not have been|clearly (?:do|does) not understand)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*")
_WINDOW = 2


@dataclass(frozen=True)
class ControlEvaluator(Agent):
    """Scores a review by the share of words of each key point that occur in it, offline and
    deterministically.

    It understands nothing. A key point counts as addressed if two neighbouring sentences of the
    review contain the share ``addressed`` of its content words, and as partly addressed from the
    share ``partly`` on. Tone is right unless a word from a short list of harsh words occurs. A
    fault of the pitfall counts as shown if one sentence with a negation ("no", "lacks") contains
    the share ``fault`` of its content words. This evaluator sees neither material errors nor
    severity, nor whether a claim is true. The verdicts give the score by ReviewBench's rule, as for
    `bench-evaluator`.

    It lets the pipeline run without a model and serves as a baseline: an evaluator that does not
    agree with people better than this one only counts words.
    """

    name: ClassVar[str] = "control-evaluator"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:negations.tsv",
        "revkit.english:stop-words.tsv",
    )
    deterministic: ClassVar[bool] = True
    cannot_see: ClassVar[str] = (
        "it compares words with those of the checklist. It cannot see errors of fact, severity or "
        "whether a claim is true: a false claim lowers the score only if a sentence with a "
        "negation has the words of a fault in the checklist. Meta-rubrics hold no words of a "
        "paper, so a 0 there is not a result."
    )
    scale: ClassVar[Scale] = TOTAL
    addressed: float = option(
        0.6,
        help="Share of a key point's words from which it counts as addressed.",
        minimum=0,
        maximum=1,
    )
    partly: float = option(
        0.35,
        help="Share of its words from which it counts as partly addressed.",
        minimum=0,
        maximum=1,
    )
    fault: float = option(0.75, help="Share of a fault's words for 'shown'.", minimum=0, maximum=1)
    below_half: Literal[0, 1] = option(
        0, help="The score of a review that addresses some key points, but less than half."
    )
    checklists: Literal["paper", "meta", "own"] = option(
        "paper",
        help="Judge by the rubrics of each paper. For papers that have none: by the meta-rubrics, "
        "or by own sentences of the paper.",
        later=True,
    )

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Outcome:
        """Score a review on one dimension; return a Failure if there is no checklist for it."""
        checklist = chosen_checklist(paper, criterion.name, self.checklists)
        if checklist is None:
            return Failure("rejected", f"the paper has no checklist for {criterion.name!r}")
        if BY_NAME[checklist.dimension].pitfall:
            return self._faults(checklist, paper.text)
        if checklist.dimension == TONE:
            return self._tone(checklist, paper.text)
        windows = _windows(paper.text, _WINDOW)
        matches = [(point, *_best(point, windows)) for point in checklist.points]
        verdicts = [PointVerdict(self._verdict(share), point.minor) for point, share, _ in matches]
        return self._merits(
            verdicts,
            [
                _verdict_json(p, v.verdict, s, q)
                for (p, s, q), v in zip(matches, verdicts, strict=True)
            ],
        )

    def _verdict(self, share: float) -> Verdict:
        if share >= self.addressed:
            return "addressed"
        return "partly" if share >= self.partly else "not"

    def _merits(self, verdicts: list[PointVerdict], points: list[Json]) -> Review:
        score = positive_score(verdicts, below_half=self.below_half)
        share = coverage(verdicts)
        return Review(
            score=float(score),
            text=f"{share:.0%} of the key points.",
            details={"points": points, "coverage": share},
        )

    def _tone(self, checklist: Checklist, text: str) -> Review:
        harsh = _HARSH.search(text)
        verdict: Verdict = "not" if harsh else "addressed"
        quote = harsh.group() if harsh else ""
        return self._merits(
            [PointVerdict(verdict, point.minor) for point in checklist.points],
            [_verdict_json(point, verdict, None, quote) for point in checklist.points],
        )

    def _faults(self, checklist: Checklist, text: str) -> Review:
        denial = compile_words(negations("review"), ignore_case=True)
        denials = tuple(each for each in _windows(text, 1) if denial.search(each[1]))
        matches = [(point, *_best(point, denials)) for point in checklist.points]
        verdicts = [FaultVerdict(share >= self.fault) for _, share, _ in matches]
        points: list[Json] = [
            _verdict_json(p, "shown" if v.exhibited else "not", s, q)
            for (p, s, q), v in zip(matches, verdicts, strict=True)
        ]
        shown = sum(each.exhibited for each in verdicts)
        return Review(
            score=float(pitfall_score(verdicts)),
            text=f"{shown} of {len(verdicts)} faults.",
            details={"points": points},
        )


_Window = tuple[frozenset[str], str]


@functools.lru_cache(maxsize=64)
def _windows(text: str, size: int) -> tuple[_Window, ...]:
    """Return the content words of each group of ``size`` neighbouring sentences, with their
    text.
    """
    sentences = [match.group().strip() for match in _SENTENCE.finditer(text)]
    sentences = [sentence for sentence in sentences if sentence]
    joined = [" ".join(sentences[i : i + size]) for i in range(len(sentences))]
    return tuple((_content(each), each) for each in joined)


def _content(text: str) -> frozenset[str]:
    return frozenset(cut_ending(word) for word in words(text) if word not in stop_words("point"))


def _best(point: Point, windows: tuple[_Window, ...]) -> tuple[float, str]:
    """Return the largest share of the point's words in one window, and that window's text."""
    content = _content(point.point)
    if not content or not windows:
        return 0.0, ""
    share, quote = max(
        ((len(content & found) / len(content), text) for found, text in windows),
        key=lambda pair: pair[0],
    )
    return share, quote if share else ""


def _verdict_json(point: Point, verdict: str, share: float | None, quote: str) -> Json:
    return {"point": point.point, "verdict": verdict, "share": share, "evidence": quote}
