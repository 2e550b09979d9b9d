"""Values of the same papers in two runs, one pair of sums a paper, ready for a test over papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.model.records import Records, Verdict
from revkit.model.repeats import accept_share, mean_score
from revkit.runs.pairs import ReviewedPair, reviewed_pairs

ALL = "all families"


@dataclass(frozen=True)
class Side:
    """The records of one run, with the reviews of each of its agents by paper."""

    records: Records
    originals: Mapping[str, Mapping[str, Sequence[Verdict]]]
    pairs: Mapping[str, Mapping[tuple[str, str, int], ReviewedPair]]


def side_of(records: Records) -> Side:
    """``records``, indexed."""
    originals: dict[str, dict[str, list[Verdict]]] = {row.name: {} for row in records.agents}
    for verdict in records.verdicts:
        if not verdict.perturbation:
            originals[verdict.agent].setdefault(verdict.paper, []).append(verdict)
    pairs = {
        row.name: {
            (each.paper, each.family, each.index): each
            for each in reviewed_pairs(records, row.name)
        }
        for row in records.agents
    }
    return Side(records, originals, pairs)


@dataclass
class PairedValues:
    """One figure of one agent in two runs: for each paper the sums of both, and their number.

    ``first`` and ``second`` have one entry a paper, and ``counts`` how many values were summed in
    each; ``left_out`` counts values that one of the runs has no valid answer for. ``limit`` is the
    largest size of a value's difference; ``share`` is true for values from 0 to 1.
    """

    figure: str
    agent: str
    family: str = ""
    unit: str = "share"
    limit: float = 1.0
    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    left_out: int = 0

    def add(self, values: Iterable[tuple[float | None, float | None]]) -> None:
        """Add the values of one paper: those that both runs have are summed."""
        both = []
        for one, other in values:
            if one is None or other is None:
                self.left_out += 1
            else:
                both.append((one, other))
        if both:
            self.first.append(sum(one for one, _ in both))
            self.second.append(sum(other for _, other in both))
            self.counts.append(len(both))


FIGURES: Mapping[str, str] = {
    "flip_rate": "Flips over pairs of a paper and a variant; repeats are one pair.",
    "accuracy": "Verdicts on unchanged papers that agree with the decision of people.",
    "accept_rate": "Unchanged papers that are accepted.",
    "score": "Mean score of unchanged papers.",
    "shift": "Mean score of a variant minus that of its paper.",
    "failures": "Reviews that failed, of unchanged papers and variants.",
    "common_error": "Mean distance of the score on the common scale from the consensus of people.",
    "judgement": "Mean score of a judge by a rubric, of unchanged papers.",
}


def paired_values(
    first: Side, second: Side, shared: Mapping[str, str], agents: Mapping[str, str]
) -> Iterator[PairedValues]:
    """Every figure that both runs have, of the papers ``shared`` and the ``agents`` by their name
    in the first run and in the second."""
    for one, other in agents.items():
        label = one if one == other else f"{one} / {other}"
        yield from _flips(first, second, shared, one, other, label)
        yield from _originals(first, second, shared, one, other, label)
        yield from _shifts(first, second, shared, one, other, label)
        yield _failures(first, second, shared, one, other, label)
    yield from _judgements(first.records, second.records, shared)


def _families(first: Side, second: Side) -> list[str]:
    others = {row.name for row in second.records.perturbations}
    return [row.name for row in first.records.perturbations if row.name in others]


def _pooled(first: Side, second: Side) -> set[str]:
    """The families that both runs have and that keep the science."""
    keep = {row.name for row in first.records.perturbations if row.keeps_science}
    return {name for name in _families(first, second) if name in keep}


def _by_paper(
    first: Side,
    second: Side,
    shared: Mapping[str, str],
    one: str,
    other: str,
    families: Iterable[str],
    value: Callable[[ReviewedPair], float | None],
) -> Iterator[list[tuple[float | None, float | None]]]:
    wanted = set(families)
    found: dict[str, list[tuple[float | None, float | None]]] = {}
    for (paper, family, index), pair in first.pairs[one].items():
        if paper in shared and family in wanted:
            twin = second.pairs[other].get((shared[paper], family, index))
            values = (value(pair), None if twin is None else value(twin))
            found.setdefault(paper, []).append(values)
    yield from found.values()


def _flips(
    first: Side, second: Side, shared: Mapping[str, str], one: str, other: str, label: str
) -> Iterator[PairedValues]:
    pooled = _pooled(first, second)
    parts = [(ALL, sorted(pooled)), *((name, [name]) for name in _families(first, second))]
    for family, names in parts:
        values = PairedValues("flip_rate", label, family)
        for paper in _by_paper(first, second, shared, one, other, names, lambda each: each.flip):
            values.add(paper)
        if names:
            yield values


def _scale_limit(first: Side, second: Side, one: str, other: str) -> float | None:
    """The range of the scale of an agent; None where the two runs have different scales."""
    scales = [
        next(row.scale for row in side.records.agents if row.name == name)
        for side, name in ((first, one), (second, other))
    ]
    same = (scales[0].minimum, scales[0].maximum, scales[0].higher_is_better) == (
        scales[1].minimum,
        scales[1].maximum,
        scales[1].higher_is_better,
    )
    return scales[0].maximum - scales[0].minimum if same else None


def _shifts(
    first: Side, second: Side, shared: Mapping[str, str], one: str, other: str, label: str
) -> Iterator[PairedValues]:
    limit, pooled = _scale_limit(first, second, one, other), _pooled(first, second)
    if limit is None or not pooled:
        return
    values = PairedValues("shift", label, ALL, "score points", 2 * limit)
    for paper in _by_paper(first, second, shared, one, other, pooled, lambda each: each.shift):
        values.add(paper)
    yield values


def _originals(
    first: Side, second: Side, shared: Mapping[str, str], one: str, other: str, label: str
) -> Iterator[PairedValues]:
    accuracy = PairedValues("accuracy", label)
    accepts = PairedValues("accept_rate", label)
    error = PairedValues("common_error", label, unit="severity points", limit=100.0)
    limit = _scale_limit(first, second, one, other)
    score = PairedValues("score", label, unit="score points", limit=limit or 1.0)
    labels, others = first.records.labels, second.records.labels
    for paper, twin in shared.items():
        mine = first.originals[one].get(paper, ())
        theirs = second.originals[other].get(twin, ())
        a, b = accept_share(mine), accept_share(theirs)
        accepts.add([(a, b)])
        truth = labels[paper].accept
        if truth is not None and truth == others[twin].accept:
            accuracy.add([(_right(a, truth), _right(b, truth))])
        score.add([(mean_score(mine), mean_score(theirs))])
        error.add([(_error(first, paper, mine), _error(second, twin, theirs))])
    yield from (each for each in (accuracy, accepts, error) if each.counts)
    if limit is not None and score.counts:
        yield score


def _right(share: float | None, truth: bool) -> float | None:
    if share is None:
        return None
    return share if truth else 1 - share


def _error(side: Side, paper: str, verdicts: Sequence[Verdict]) -> float | None:
    from revkit.model.consensus import consensus_of

    consensus = consensus_of(side.records.labels[paper])
    found = [each.common for each in verdicts if each.common is not None]
    if consensus is None or not found:
        return None
    return abs(sum(found) / len(found) - consensus.severity)


def _failures(
    first: Side, second: Side, shared: Mapping[str, str], one: str, other: str, label: str
) -> PairedValues:
    values = PairedValues("failures", label)
    for paper, twin in shared.items():
        texts = [(first.originals[one].get(paper), second.originals[other].get(twin))]
        texts += [
            (pair.variants, second.pairs[other][twin, family, index].variants)
            for (name, family, index), pair in first.pairs[one].items()
            if name == paper and (twin, family, index) in second.pairs[other]
        ]
        values.add((_failed(a), _failed(b)) for a, b in texts if a and b)
    return values


def _failed(verdicts: Sequence[Verdict] | None) -> float:
    found = verdicts or ()
    return sum(bool(each.failure) for each in found) / len(found)


def _judgements(
    first: Records, second: Records, shared: Mapping[str, str]
) -> Iterator[PairedValues]:
    others = {row.name for row in second.judges}
    limits = {row.name: row.levels[-1][0] - row.levels[0][0] for row in first.rubrics}
    known = {row.name: row.levels for row in second.rubrics}
    scores = [_judged(each) for each in (first, second)]
    for judge in (row.name for row in first.judges if row.name in others):
        for rubric in first.rubrics:
            if known.get(rubric.name) != rubric.levels:
                continue
            values = PairedValues(
                "judgement", judge, rubric.name, "score points", float(limits[rubric.name])
            )
            for paper, twin in shared.items():
                place = judge, rubric.name
                values.add([(scores[0].get((*place, paper)), scores[1].get((*place, twin)))])
            yield values


def _judged(records: Records) -> dict[tuple[str, str, str], float]:
    found: dict[tuple[str, str, str], list[float]] = {}
    for row in records.judgements:
        if not row.perturbation and not row.agent and row.score is not None:
            found.setdefault((row.judge, row.rubric, row.paper), []).append(row.score)
    return {place: sum(values) / len(values) for place, values in found.items()}
