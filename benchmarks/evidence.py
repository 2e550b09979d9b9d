"""The evidence checks: precision and recall on planted cases, CPU time on a long paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from types import ModuleType
from typing import Any

from benchmarks.measure import median_call, table
from revkit.model.paper import Paper
from revkit.stats import wilson_interval
from revkit_reviewground.checks import check_review

PLANTED = "tests.plugins.revkit_reviewground.planted"


@dataclass
class Tally:
    """Of one kind: faults found and missed, controls flagged and left alone."""

    found: list[Any] = field(default_factory=list)
    missed: list[Any] = field(default_factory=list)
    flagged: list[Any] = field(default_factory=list)
    silent: list[Any] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of planted ones among the statements flagged."""
        flagged = len(self.found) + len(self.flagged)
        return len(self.found) / flagged if flagged else 1.0

    @property
    def recall(self) -> float:
        """The share of planted faults that were flagged."""
        return len(self.found) / max(1, len(self.found) + len(self.missed))


def planted() -> ModuleType:
    """The module of planted cases, which lies among the tests of this checkout."""
    return import_module(PLANTED)


def tallies(cases: Sequence[Any]) -> dict[str, Tally]:
    """Run the checks on ``cases`` and count by kind. "unverifiable" flags nothing."""
    result: dict[str, Tally] = {}
    for case in cases:
        tally = result.setdefault(case.kind, Tally())
        hit = any(
            finding.kind == case.kind and finding.certainty != "unverifiable"
            for finding in check_review(case.paper, case.review)
        )
        if case.false:
            (tally.found if hit else tally.missed).append(case)
        else:
            (tally.flagged if hit else tally.silent).append(case)
    return result


def main() -> None:
    """Measure and print."""
    module = planted()
    real = module.real_papers()
    papers = real or module.short_papers()
    cases = module.cases(papers, 1 if real else 30)
    false = sum(case.false for case in cases)
    print(
        f"{false} planted faults and {len(cases) - false} controls on {len(papers)} "
        f"{'real' if real else 'own short'} papers; 95% Wilson intervals. Precision holds for this "
        "share of faults.\n"
    )
    rows = []
    for kind, tally in tallies(cases).items():
        found, missed, flagged = len(tally.found), len(tally.missed), len(tally.flagged)
        rows.append(
            (
                kind,
                found + missed,
                flagged + len(tally.silent),
                _share(found, found + flagged),
                _share(found, found + missed),
            )
        )
    table(("kind", "planted", "controls", "precision", "recall"), rows)
    print()
    _speed(papers)


def _share(part: int, whole: int) -> str:
    interval = wilson_interval(part, whole)
    if not whole:
        return "none"
    return f"{part / whole:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _speed(papers: Sequence[Paper]) -> None:
    text = ""
    for paper in papers:
        text += paper.text + "\n\n"
        if len(text) > 200_000:
            break
    cases = planted().cases(papers[:8])
    review = {"weaknesses": "\n\n".join(case.review["weaknesses"] for case in cases) + "\n\n"}
    while len(review["weaknesses"]) < 50_000:
        review["weaknesses"] *= 2
    review["weaknesses"] = review["weaknesses"][:50_000]
    runs = count()
    text = text[:200_000]

    def once() -> None:
        check_review(Paper("long", text + " " * next(runs)), review)

    seconds = median_call(once, runs=3)
    print(
        f"A paper of {len(text):,} characters and a review of {len(review['weaknesses']):,}: "
        f"{seconds:.3f} s CPU."
    )
