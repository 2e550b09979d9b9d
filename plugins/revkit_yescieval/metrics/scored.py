"""The scores of a run, sorted for the figures: originals, variants, and what they fell by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from revkit.figures import Sums
from revkit.figures import sums as sums_over
from revkit.model.records import Judgement, PerturbationRow, Records

ORIGINAL = "original"
SUBTLE, EXTREME = "subtle", "extreme"
Relation = Literal["own", "shared", "other"]
RELATIONS: tuple[Relation, ...] = ("own", "shared", "other")
# The seed makes these worse by one and the same edit, a foreign sentence at the end; completeness
# at its extreme level is made worse by that sentence, too.
_APPENDED = ("coherence", "relevancy", "correctness", "informativeness")
_FOREIGN_SENTENCE = frozenset(
    {(name, level) for name in _APPENDED for level in (SUBTLE, EXTREME)}
    | {("completeness", EXTREME)}
)
SHARED_NOTE = (
    "The seed lowers coherence, relevancy, correctness and informativeness by one heuristic (a "
    "foreign sentence at the end), and completeness by it as well at the extreme level; under each "
    'other\'s edits these rubrics stand as "shared": a judge may well move there.'
)


@dataclass(frozen=True)
class Treatment:
    """What was done to texts: the rubric that it aims at (``perturbed``) and how hard (``level``).

    A perturbation without a target stands under its own name, one without a level under "".
    ``rows`` are the perturbations of the experiment that do this; usually one.
    """

    perturbed: str
    level: str
    rows: tuple[PerturbationRow, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The names of its perturbations in the experiment."""
        return frozenset(row.name for row in self.rows)

    def relation(self, rubric: str) -> Relation:
        """How ``rubric`` stands to it: aimed at, lowered by the same heuristic, or neither."""
        if self.perturbed == rubric:
            return "own"
        own = (self.perturbed, self.level) in _FOREIGN_SENTENCE
        return "shared" if own and (rubric, self.level) in _FOREIGN_SENTENCE else "other"


def level_of(row: PerturbationRow) -> str:
    """The level that a perturbation's option ``level`` names, or ""."""
    level = row.options.get("level")
    return level if isinstance(level, str) else ""


def treatments(records: Records) -> tuple[Treatment, ...]:
    """The treatments of a run, in the order of the experiment."""
    found: dict[tuple[str, str], list[PerturbationRow]] = {}
    for row in records.perturbations:
        found.setdefault((row.target or row.name, level_of(row)), []).append(row)
    return tuple(Treatment(*key, tuple(rows)) for key, rows in found.items())


def levels(records: Records) -> tuple[str, ...]:
    """The levels of a run: subtle, extreme, then others in the order of the experiment."""
    present = dict.fromkeys(treatment.level for treatment in treatments(records))
    known = [level for level in (SUBTLE, EXTREME) if level in present]
    return (*known, *(level for level in present if level not in known))


@dataclass(frozen=True)
class Change:
    """One text before and after, scored by one judge on one rubric in the same repeat."""

    before: Judgement
    after: Judgement

    @property
    def drop(self) -> float | None:
        """Score before minus score after: positive where the score fell. None where one failed."""
        if self.before.score is None or self.after.score is None:
            return None
        return self.before.score - self.after.score


@dataclass(frozen=True)
class Scored:
    """All scores of a run by judge and rubric."""

    records: Records
    seen: tuple[Treatment, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", treatments(self.records))

    @cached_property
    def _originals(self) -> dict[tuple[str, str], dict[tuple[str, int], Judgement]]:
        found: dict[tuple[str, str], dict[tuple[str, int], Judgement]] = {}
        for each in self.records.judgements:
            if not each.perturbation:
                found.setdefault((each.judge, each.rubric), {})[each.paper, each.repeat] = each
        return found

    @cached_property
    def _variants(self) -> dict[tuple[str, str, str], list[Judgement]]:
        found: dict[tuple[str, str, str], list[Judgement]] = {}
        for each in self.records.judgements:
            if each.perturbation:
                found.setdefault((each.judge, each.rubric, each.perturbation), []).append(each)
        return found

    def originals(self, judge: str, rubric: str) -> list[Judgement]:
        """The scores of unchanged texts, every repeat."""
        return list(self._originals.get((judge, rubric), {}).values())

    def variants(self, judge: str, rubric: str, treatment: Treatment) -> list[Judgement]:
        """The scores of texts under a treatment."""
        return [
            each
            for row in treatment.rows
            for each in self._variants.get((judge, rubric, row.name), ())
        ]

    def changes(self, judge: str, rubric: str, treatment: Treatment) -> list[Change]:
        """The texts under a treatment beside their originals; one without an original is left."""
        before = self._originals.get((judge, rubric), {})
        return [
            Change(before[each.paper, each.repeat], each)
            for each in self.variants(judge, rubric, treatment)
            if (each.paper, each.repeat) in before
        ]

    def aimed_at(self, rubric: str) -> list[Treatment]:
        """The treatments that aim at ``rubric``, by level."""
        order = levels(self.records)
        own = [treatment for treatment in self.seen if treatment.perturbed == rubric]
        return sorted(own, key=lambda treatment: order.index(treatment.level))

    @cached_property
    def _rejections(self) -> Counter[str]:
        return Counter(row.perturbation for row in self.records.variants if row.rejected)

    @cached_property
    def _made(self) -> Counter[str]:
        return Counter(row.perturbation for row in self.records.variants if not row.rejected)

    @cached_property
    def _digests(self) -> dict[str, dict[tuple[str, int], str]]:
        found: dict[str, dict[tuple[str, int], str]] = {}
        for row in self.records.variants:
            if row.digest:
                found.setdefault(row.perturbation, {})[row.paper, row.index] = row.digest
        return found

    def coinciding(self, rubric: str) -> frozenset[tuple[str, int]]:
        """The texts (paper and index) whose subtle and extreme variants aimed at ``rubric`` are the
        same text: no judge can order them, so figures that compare the levels leave them out."""
        texts: dict[str, dict[tuple[str, int], str]] = {}
        for treatment in self.aimed_at(rubric):
            for name in treatment.names:
                texts.setdefault(treatment.level, {}).update(self._digests.get(name, {}))
        extreme = texts.get(EXTREME, {})
        return frozenset(
            key for key, digest in texts.get(SUBTLE, {}).items() if extreme.get(key) == digest
        )

    def rejected(self, treatment: Treatment) -> int:
        """How many variants of a treatment could not be made."""
        return sum(self._rejections[name] for name in treatment.names)

    def made(self, treatment: Treatment) -> int:
        """How many variants of a treatment were made."""
        return sum(self._made[name] for name in treatment.names)


def sums(records: Records, values: Iterable[tuple[str, float | None]]) -> Sums:
    """Add ``values``, pairs of a paper's id and a number, over the papers of the run."""
    return sums_over((paper.id for paper in records.papers), values)


def drops(records: Records, changes: Sequence[Change]) -> Sums:
    """The drops of ``changes`` by paper."""
    return sums(records, ((change.after.paper, change.drop) for change in changes))
