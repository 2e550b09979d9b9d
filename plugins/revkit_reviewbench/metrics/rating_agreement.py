"""The metric `rating-agreement`: ratings and decisions compared with human ones, as in Table 2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    join_notes,
    note_of,
    short_of,
    short_warnings,
    sums,
)
from revkit.figures.numbers import (
    EMPTY,
    between,
    count_of,
    list_names,
    number_at,
    percent,
    to_fixed,
)
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.table import Cell, Column, Finding, Table, TableWarning
from revkit_reviewbench.corpora.normalise import SCHEMA_RATING, Ends, mapped
from revkit_reviewbench.metrics.base import ReviewMetric
from revkit_reviewbench.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

_RATING = "rating points"
_COLUMNS = (
    Column("agent", "Reviewer", "", "The agent as the experiment names it.", clear=True),
    *Figure(
        "accuracy", "ACC", "share", "Share of verdicts that equal the decision on the paper."
    ).columns,
    *Figure(
        "macro_f1", "Macro-F1", "share", "Mean of accept-F1 and reject-F1; higher is better."
    ).columns,
    *Figure("accept_f1", "Accept-F1", "share", "F1 with accept as the positive class.").columns,
    *Figure("reject_f1", "Reject-F1", "share", "F1 with reject as the positive class.").columns,
    *Figure(
        "mse",
        "MSE",
        "rating points squared",
        "Mean squared error of the rating against that of people; lower is better.",
    ).columns,
    *Figure("mae", "MAE", _RATING, "Mean absolute error of the rating; lower is better.").columns,
    *Figure(
        "bias",
        "Bias",
        _RATING,
        "Mean rating minus people's mean rating; above 0: more lenient than people.",
    ).columns,
    Column("reviews", "Reviews", "count", "Reviews of unchanged papers, repeats included."),
    Column("failed", "Failed", "count", "Reviews that failed, which are left out."),
    Column("decided", "Decided", "count", "Verdicts on papers with a decision: n of ACC and F1."),
    Column("rated", "Rated", "count", "Scores on papers with ratings: n of MSE, MAE and bias."),
    Column(
        "accuracy_of_all",
        "ACC of all",
        "share",
        "The accuracy if a failure or a missing verdict counted as wrong.",
    ),
    Column("mapped", "Scale", "", "How scores were mapped to the scale of the human ratings."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class RatingAgreement(ReviewMetric):
    """Errors of ratings and decisions against human ones (Li et al., section 3.3 and Table 2).

    The rating of each review against the mean of people's ratings (MSE, MAE, bias), and its verdict
    against the decision (accuracy and F1). The paper prints one "F1" without saying which; here
    accept-F1, reject-F1 and their mean, macro-F1, have their own columns. With one and the same
    set of verdicts macro-F1 is at most accuracy, and an F1 at most 2a / (1 + a); two rows of the
    paper break that (accuracy 0.2354 beside F1 0.3988, 0.1545 beside 0.4156), so theirs were not
    taken over the same reviews. Here failed reviews are left out of all four and counted;
    ``accuracy_of_all`` counts them as wrong.

    Scores and ratings must be on known scales: the agent's own, and that of the form of the paper's
    ratings. Where the ends are the same, scores count as they are; else they are mapped linearly
    from end to end, turned over for a severity scale, and the row says so. Papers of forms with
    different ends are compared on 1 to 10. Without a known scale there is no error, and the row
    says that. Nor is there one for an agent that reads the reviews that people wrote, such as
    `human`: it knows the ratings that it would be compared with.
    """

    name: ClassVar[str] = "rating-agreement"
    version: ClassVar[str] = "8"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return one row for each agent of the run."""
        imprecise: dict[str, str] = {}
        rows = [self._row(records, agent, imprecise) for agent in records.agents]
        people = {agent.name for agent in records.agents if agent.originals_only}
        notes = [
            "MSE, MAE and bias are on the scale of people's ratings; the truth is their mean.",
            self.interval_note(
                records,
                "the unit is the paper; those of accuracy and F1 come from closed forms of shares, "
                "those of MSE and MAE are studentised, that of bias is Student's t",
            ),
        ]
        notes += [note for note in (_brought_onto(records), _without_f1(rows)) if note]
        if any(verdict.perturbation for verdict in records.verdicts):
            notes.append("These are reviews of unchanged papers alone.")
        if all(paper.labels.accept is None for paper in records.papers):
            notes.append("No paper has a decision, so there is no accuracy and no F1.")
        if not any(paper.labels.ratings for paper in records.papers):
            notes.append("No paper has ratings, so there is no MSE, MAE and bias.")
        return Table.of(
            self.name,
            "ReviewBench: ratings and decisions against people's",
            _COLUMNS,
            rows,
            notes,
            method=[notes[1]],
            findings=_findings([row for row in rows if row["agent"] not in people] or rows),
            reading="Each row is one reviewer. ACC and F1 compare its verdicts with the decisions "
            "(higher is better), MSE and MAE its ratings with the mean rating of people (lower is "
            "better).",
            terms=TERMS,
            headline=True,
            fine=_FINE,
            warnings=[
                *_warnings(imprecise),
                *short_warnings(self.name, rows, lambda row: str(row["agent"])),
            ],
        )

    def _row(self, records: Records, agent: AgentRow, imprecise: dict[str, str]) -> dict[str, Cell]:
        originals = list(records.originals(agent.name))
        figures: dict[str, Estimate] = {}
        decisions, note = self._decisions(records, originals, figures)
        errors, also = self._errors(records, agent, originals, imprecise, figures)
        return {
            "agent": agent.name,
            "reviews": len(originals),
            "failed": sum(bool(verdict.failure) for verdict in originals),
            **decisions,
            **errors,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(figures),
            "note": join_notes(note, also),
        }

    def _decisions(
        self, records: Records, originals: Sequence[Verdict], figures: dict[str, Estimate]
    ) -> tuple[dict[str, Cell], str]:
        from revkit import stats

        labels = records.labels
        known = [verdict for verdict in originals if labels[verdict.paper].accept is not None]
        given = [verdict for verdict in known if verdict.accept is not None]
        if not given:
            return {"decided": 0}, "no verdict on a paper with a decision"
        found = stats.classification(
            [labels[verdict.paper].accept for verdict in given],
            [verdict.accept for verdict in given],
            [verdict.paper for verdict in given],
            resampling=self.resampling(records),
        )
        right = sum(verdict.accept == labels[verdict.paper].accept for verdict in given)
        named = {
            "accuracy": found.accuracy,
            "macro_f1": found.macro_f1,
            "accept_f1": found.accept_f1,
            "reject_f1": found.reject_f1,
        }
        figures |= named
        notes = [f"{name}: {note}" for name, each in named.items() if (note := note_of(each))]
        row: dict[str, Cell] = {
            "decided": len(given),
            "accuracy_of_all": right / len(known),
            **{
                key: cell
                for name, each in named.items()
                for key, cell in Figure(name, "").cells(each).items()
            },
        }
        return row, join_notes(*notes) or ""

    def _errors(
        self,
        records: Records,
        agent: AgentRow,
        originals: Sequence[Verdict],
        imprecise: dict[str, str],
        figures: dict[str, Estimate],
    ) -> tuple[dict[str, Cell], str]:
        """Return the errors of one agent, a note on them, and in ``imprecise`` the reason for an
        imprecise MSE. The estimates are added to ``figures``.
        """
        pairs: list[tuple[str, float]] = []
        how: set[str] = set()
        lacking = 0
        target = common_ends(records)
        for verdict in originals:
            labels = records.labels[verdict.paper]
            if verdict.score is None or not labels.ratings:
                continue
            own = _range(labels)
            if own is None or target is None:
                lacking += 1
                continue
            rating = on_scale(verdict.score, agent.scale, target)
            truth = mapped(math.fsum(labels.ratings) / len(labels.ratings), own, target)
            pairs.append((verdict.paper, rating - truth))
            how.add(_mapping(agent.scale, target))
        missing_scale = (
            f"{lacking} rating(s) on a scale whose ends are not known" if lacking else ""
        )
        if not pairs:
            return {"rated": 0}, missing_scale or "no score on a paper with ratings"
        names = [paper.id for paper in records.papers]
        row: dict[str, Cell] = {"rated": len(pairs), "mapped": "; ".join(sorted(how))}
        if agent.originals_only:
            return {**row, "rated": 0}, READS_PEOPLE
        notes = [missing_scale]
        for name, estimate in self._error_figures(records, names, pairs, target).items():
            row |= Figure(name, "").cells(estimate)
            figures[name] = estimate
            if name == "mse" and estimate.interval.low is not None and estimate.interval.note:
                imprecise[agent.name] = estimate.interval.note
            notes += [f"{name}: {note}" for note in [note_of(estimate)] if note]
        return row, join_notes(*notes) or ""

    def _error_figures(
        self,
        records: Records,
        names: Sequence[str],
        pairs: Sequence[tuple[str, float]],
        target: Ends | None,
    ) -> dict[str, Estimate]:
        """Return MSE and MAE with studentised intervals, since both are skewed, and the bias with
        t.
        """
        from revkit import stats

        resampling = self.resampling(records)
        range = target[1] - target[0] if target else math.inf
        found: dict[str, Estimate] = {}
        squares = sums(names, ((paper, error * error) for paper, error in pairs))
        absolute = sums(names, ((paper, abs(error)) for paper, error in pairs))
        signed = sums(names, pairs)
        found["mse"] = stats.mean_error(
            squares.totals, squares.counts, power=2, resampling=resampling, most=range**2
        )
        found["mae"] = stats.mean_error(
            absolute.totals, absolute.counts, power=1, resampling=resampling, most=range
        )
        found["bias"] = stats.cluster_t_interval(
            signed.totals, signed.counts, confidence=self.confidence
        )
        return found


READS_PEOPLE = (
    "no MSE, MAE and bias, because it reads the reviews that people wrote, so a comparison with "
    "their ratings would show nothing"
)
_QUESTION = "How close are the verdicts and ratings of the agents to those of people?"


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """Return the question, and the lowest and the highest accuracy and error."""
    texts = []
    for name, n, text in (
        ("accuracy", "decided", "Verdicts equal the decision on the paper"),
        ("mae", "rated", "Ratings differ from the mean rating of people"),
    ):
        known = [row for row in rows if number_at(row, name) is not None]
        if known:
            texts.append(f"{text} {_range_of(known, name, n)}.")
    return [Finding(_QUESTION, part="question"), *map(Finding, texts)] if texts else []


def _range_of(rows: Sequence[Mapping[str, Cell]], name: str, n: str) -> str:
    """Return the best and the worst of a figure over the agents, for a sentence."""
    share = name == "accuracy"
    by_value: dict[float, list[Mapping[str, Cell]]] = {}
    for row in rows:
        by_value.setdefault(number_at(row, name) or 0.0, []).append(row)

    def one(value: float) -> str:
        first, *others = by_value[value]
        ends = between(
            number_at(first, f"{name}_low"),
            number_at(first, f"{name}_high"),
            *((100.0, 1) if share else (1.0, 2)),
        )
        figure = f"in {percent(value)}" if share else f"by {to_fixed(value, 2)}"
        of = f"of {count_of(int(str(first[n])), 'review')}"
        of = of if share else f"points in {of.removeprefix('of ')}"
        who = f"{first['agent']} and {len(others)} more" if others else str(first["agent"])
        return f"{figure}{'' if ends == EMPTY else f' {ends}'} {of} by {who}"

    best, worst = (max, min) if share else (min, max)
    if len(by_value) == 1:
        return one(best(by_value))
    return f"{one(best(by_value))} (the best of {len(rows)}) and {one(worst(by_value))} (the worst)"


_FINE = (
    "accept_f1_low",
    "accept_f1_high",
    "reject_f1_low",
    "reject_f1_high",
    "bias",
    "bias_low",
    "bias_high",
    "reviews",
    "accuracy_of_all",
    "confidence",
    "unit",
    "short",
    "note",
)


def _warnings(imprecise: Mapping[str, str]) -> list[TableWarning]:
    """Return warnings for agents with an MSE whose interval is too short if there are gross
    errors.
    """
    if not imprecise:
        return []
    first = next(iter(imprecise.values()))
    return [TableWarning("imprecise", f"MSE of {list_names(list(imprecise))}: {first}.")]


_F1 = {"macro_f1": "macro-F1", "accept_f1": "accept-F1", "reject_f1": "reject-F1"}


def _without_f1(rows: Sequence[Mapping[str, Cell]]) -> str:
    """Return why a column of F1 is empty although there are verdicts on papers with a decision."""
    computed = [row for row in rows if row.get("accuracy") is not None]
    lacking = [title for key, title in _F1.items() if all(row.get(key) is None for row in computed)]
    if not computed or not lacking:
        return ""
    return (
        f"There is no {' and no '.join(lacking)}: a class that no paper has and no verdict names "
        "has no F1."
    )


def common_ends(records: Records) -> Ends | None:
    """Return the ends of the scale on which all papers are compared: those of their forms if they
    are the same, else 1 to 10; None if no paper has ratings on a known scale.
    """
    ends = {each for paper in records.papers if (each := _range(paper.labels)) is not None}
    if not ends:
        return None
    return ends.pop() if len(ends) == 1 else SCHEMA_RATING


def _brought_onto(records: Records) -> str:
    """Return the venues whose ratings were mapped to the scale of the errors."""
    found: dict[str, str] = {}
    target = common_ends(records)
    for paper in records.papers:
        extra, ends = paper.labels.extra, _range(paper.labels)
        scale = paper.labels.scale
        if ends is not None and target is not None and scale is not None and ends != target:
            found[scale.name] = (
                f"those of {scale.name} from {ends[0]:g} to {ends[1]:g} onto {target[0]:g} to "
                f"{target[1]:g}"
            )
        scales = extra.get("venue-scales")
        own = scales.get("rating") if isinstance(scales, Mapping) else None
        if ends is None or not isinstance(own, Sequence) or len(own) != 2:
            continue
        low, high = float(str(own[0])), float(str(own[1]))
        if (low, high) != ends:
            found[str(extra.get("venue"))] = (
                f"those of {extra.get('venue')} from {low:g} to {high:g} onto {ends[0]:g} to "
                f"{ends[1]:g}"
            )
    if not found:
        return ""
    return f"The human ratings were mapped linearly to one scale: {', '.join(found.values())}."


def _range(labels: Labels) -> tuple[float, float] | None:
    """Return the ends of the scale of a paper's ratings; None if the scale is not declared or does
    not contain the ratings.
    """
    scale = labels.scale
    if (
        scale is None
        or not labels.ratings
        or any(not scale.minimum <= rating <= scale.maximum for rating in labels.ratings)
    ):
        return None
    return scale.minimum, scale.maximum


def on_scale(score: float, scale: Scale, target: tuple[float, float]) -> float:
    """Return ``score`` on a scale from ``target[0]`` to ``target[1]``, higher is better.

    As it is where both scales have the same ends and direction; else linearly from end to end.
    """
    if scale.higher_is_better and (scale.minimum, scale.maximum) == target:
        return score
    share = (score - scale.minimum) / (scale.maximum - scale.minimum)
    if not scale.higher_is_better:
        share = 1.0 - share
    return target[0] + share * (target[1] - target[0])


def _mapping(scale: Scale, target: tuple[float, float]) -> str:
    own = f"{scale.minimum:g} to {scale.maximum:g}"
    if scale.higher_is_better and (scale.minimum, scale.maximum) == target:
        return f"{own}, as given"
    turned = "" if scale.higher_is_better else ", turned over"
    return f"{own} onto {target[0]:g} to {target[1]:g}, linearly{turned}"
