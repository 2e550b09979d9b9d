"""The scores of a run, grouped for the metrics: originals, variants, and their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Literal

from revkit.dataclass import dataclass
from revkit.figures import Sums
from revkit.figures import sums as sums_over
from revkit.model.records import Judgement, PerturbationRow, Records
from revkit.model.values import digest_of

ORIGINAL = "original"
SUBTLE, EXTREME = "subtle", "extreme"
Relation = Literal["own", "shared", "other"]
RELATIONS: tuple[Relation, ...] = ("own", "shared", "other")
# The seed lowers these by one and the same edit, a foreign sentence at the end; at its extreme
# level, completeness is lowered by that sentence, too.
_APPENDED = ("coherence", "relevancy", "correctness", "informativeness")
_FOREIGN_SENTENCE = frozenset(
    {(name, level) for name in _APPENDED for level in (SUBTLE, EXTREME)}
    | {("completeness", EXTREME)}
)
SHARED_NOTE = (
    "The seed lowers coherence, relevancy, correctness and informativeness by one heuristic (a "
    "foreign sentence at the end), and completeness by it as well at the extreme level. Under each "
    'other\'s edits these rubrics are marked "shared", because a judge may well lower them there.'
)
COINCIDE_NOTE = (
    "If the subtle and the extreme variant of a text are the same text, no judge can distinguish "
    'the levels: both variants are left out and counted ("coincide").'
)


@dataclass(frozen=True)
class Treatment:
    """The edits of texts: the rubric that they target (``perturbed``) and their strength
    (``level``).

    A perturbation without a target is listed under its name, one without a level under "".
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
        """Return the relation of ``rubric`` to the treatment: targeted, lowered by the same
        heuristic, or neither.
        """
        if self.perturbed == rubric:
            return "own"
        appended = (self.perturbed, self.level) in _FOREIGN_SENTENCE
        return "shared" if appended and (rubric, self.level) in _FOREIGN_SENTENCE else "other"


def level_of(row: PerturbationRow) -> str:
    """Return the level in a perturbation's option ``level``, or ""."""
    level = row.options.get("level")
    return level if isinstance(level, str) else ""


def treatments(records: Records) -> tuple[Treatment, ...]:
    """Return the treatments of a run, in the order of the experiment."""
    rows: dict[tuple[str, str], list[PerturbationRow]] = {}
    for row in records.perturbations:
        rows.setdefault((row.target or row.name, level_of(row)), []).append(row)
    return tuple(Treatment(*key, tuple(each)) for key, each in rows.items())


def levels(records: Records) -> tuple[str, ...]:
    """Return the levels of a run: subtle, extreme, then others in the order of the experiment."""
    present = dict.fromkeys(treatment.level for treatment in treatments(records))
    known = [level for level in (SUBTLE, EXTREME) if level in present]
    return (*known, *(level for level in present if level not in known))


@dataclass(frozen=True)
class Change:
    """One text before and after an edit, scored by one judge on one rubric in the same repeat."""

    before: Judgement
    after: Judgement

    @property
    def drop(self) -> float | None:
        """The score before minus the score after: positive if the score fell. None if one
        failed.
        """
        if self.before.score is None or self.after.score is None:
            return None
        return self.before.score - self.after.score


LevelPair = tuple[PerturbationRow, PerturbationRow]
Text = tuple[str, int]  # the id of a paper and the index of a variant


@dataclass(frozen=True)
class RunScores:
    """All scores of a run by judge and rubric.

    A text whose subtle and extreme variants are the same text has no place in figures by level:
    `variants` and `changes` leave both variants out, and `coincide` counts them.
    """

    records: Records
    treatments: tuple[Treatment, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "treatments", treatments(self.records))

    @cached_property
    def _originals(self) -> dict[tuple[str, str], dict[tuple[str, int], Judgement]]:
        by_text: dict[tuple[str, str], dict[tuple[str, int], Judgement]] = {}
        for each in self.records.judgements:
            if not each.perturbation and not each.agent:
                by_text.setdefault((each.judge, each.rubric), {})[each.paper, each.repeat] = each
        return by_text

    @cached_property
    def _variants(self) -> dict[tuple[str, str, str], list[Judgement]]:
        judgements: dict[tuple[str, str, str], list[Judgement]] = {}
        for each in self.records.judgements:
            if each.perturbation:
                key = (each.judge, each.rubric, each.perturbation)
                judgements.setdefault(key, []).append(each)
        return judgements

    def originals(self, judge: str, rubric: str) -> list[Judgement]:
        """Return the scores of unchanged texts, every repeat."""
        return list(self._originals.get((judge, rubric), {}).values())

    def all_variants(self, judge: str, rubric: str, treatment: Treatment) -> list[Judgement]:
        """Return the scores of texts under a treatment, including those with two equal levels."""
        return [
            each
            for row in treatment.rows
            for each in self._variants.get((judge, rubric, row.name), ())
        ]

    def variants(self, judge: str, rubric: str, treatment: Treatment) -> list[Judgement]:
        """Return the scores of texts under a treatment."""
        every = self.all_variants(judge, rubric, treatment)
        return [each for each in every if not self.coincides(each)]

    def all_changes(self, judge: str, rubric: str, treatment: Treatment) -> list[Change]:
        """Return the texts under a treatment with their originals, including those with two equal
        levels.
        """
        return self._beside_originals(self.all_variants(judge, rubric, treatment))

    def changes(self, judge: str, rubric: str, treatment: Treatment) -> list[Change]:
        """Return the texts under a treatment with their originals; a text without one is left
        out.
        """
        return self._beside_originals(self.variants(judge, rubric, treatment))

    def _beside_originals(self, variants: Iterable[Judgement]) -> list[Change]:
        return [
            Change(before, each)
            for each in variants
            if (before := self._original_of(each)) is not None
        ]

    def _original_of(self, each: Judgement) -> Judgement | None:
        return self._originals.get((each.judge, each.rubric), {}).get((each.paper, each.repeat))

    def targeting(self, rubric: str) -> list[Treatment]:
        """Return the treatments that target ``rubric``, by level."""
        order = levels(self.records)
        own = [treatment for treatment in self.treatments if treatment.perturbed == rubric]
        return sorted(own, key=lambda treatment: order.index(treatment.level))

    def level_pairs(self, rubric: str) -> list[LevelPair]:
        """Return the pairs of perturbations that target ``rubric`` at the subtle and at the extreme
        level.

        Perturbations of one component whose options differ only in the level belong together. Each
        of the others is paired with each of the others at the opposite level.
        """
        rows = {each.level: each.rows for each in self.targeting(rubric)}
        subtle, extreme = rows.get(SUBTLE, ()), rows.get(EXTREME, ())
        pairs = [(low, high) for low in subtle for high in extreme if _kind(low) == _kind(high)]
        paired = {row.name for pair in pairs for row in pair}
        return pairs + [
            (low, high) for low in subtle for high in extreme if not paired & {low.name, high.name}
        ]

    @cached_property
    def _digests(self) -> Mapping[str, Mapping[Text, str]]:
        digests: dict[str, dict[Text, str]] = {}
        for row in self.records.variants:
            if row.digest:
                digests.setdefault(row.perturbation, {})[row.paper, row.index] = row.digest
        return digests

    def coinciding_texts(self, pair: LevelPair) -> frozenset[Text]:
        """Return the texts whose variants under both perturbations of ``pair`` are the same
        text.
        """
        subtle, extreme = (self._digests.get(row.name, {}) for row in pair)
        return frozenset(text for text, digest in subtle.items() if extreme.get(text) == digest)

    @cached_property
    def _coinciding(self) -> Mapping[str, frozenset[Text]]:
        texts: dict[str, frozenset[Text]] = {}
        for rubric in {treatment.perturbed for treatment in self.treatments}:
            for pair in self.level_pairs(rubric):
                same = self.coinciding_texts(pair)
                for row in pair:
                    texts[row.name] = texts.get(row.name, frozenset()) | same
        return texts

    def coincides(self, each: Judgement) -> bool:
        """Return whether a text is left out, because both of its levels are the same text."""
        return (each.paper, each.index) in self._coinciding.get(each.perturbation, frozenset())

    def coincide(self, treatment: Treatment) -> int:
        """Count the variants of a treatment that are left out because both levels are the same
        text.
        """
        return sum(len(self._coinciding.get(name, frozenset())) for name in treatment.names)

    @cached_property
    def _rejections(self) -> Counter[str]:
        return Counter(row.perturbation for row in self.records.variants if row.rejected)

    @cached_property
    def _completed(self) -> Counter[str]:
        return Counter(row.perturbation for row in self.records.variants if not row.rejected)

    def rejected(self, treatment: Treatment) -> int:
        """Count the variants of a treatment that could not be made."""
        return sum(self._rejections[name] for name in treatment.names)

    def planned(self, treatment: Treatment) -> int:
        """Count the scores of one judge on one rubric that a treatment requires, repeats
        included.
        """
        texts = sum(self._completed[name] for name in treatment.names)
        return (texts - self.coincide(treatment)) * self.records.repeats


def _kind(row: PerturbationRow) -> tuple[str, frozenset[tuple[str, str]]]:
    """Return what identifies a perturbation apart from its level."""
    options = {name: digest_of(value) for name, value in row.options.items() if name != "level"}
    return row.component, frozenset(options.items())


def sums(records: Records, values: Iterable[tuple[str, float | None]]) -> Sums:
    """Add ``values``, pairs of a paper's id and a number, over the papers of the run."""
    return sums_over((paper.id for paper in records.papers), values)


def sums_of_scores(records: Records, scores: Iterable[Judgement]) -> Sums:
    """Return the scores by paper."""
    return sums(records, ((each.paper, each.score) for each in scores))


def drops(records: Records, changes: Sequence[Change]) -> Sums:
    """Return the drops of ``changes`` by paper."""
    return sums(records, ((change.after.paper, change.drop) for change in changes))
