"""Read a labelled sheet: compute the rates of each perturbation and the agreement of readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import RunError, reason_of
from revkit.files import LineProblems, Unreadable, json_in_file
from revkit.files.csv_tables import CsvTable
from revkit.model.columns import row_of
from revkit.model.resampling import Resampling
from revkit.model.values import Json
from revkit.sheets.draw import KEY, LABELS, digest_of_key
from revkit.sheets.items import MOST_BYTES

_ANSWERS = {"yes": True, "no": False, "": None}
Labels = Mapping[str, Mapping[str, bool | None]]  # label, item, answer


@dataclass(frozen=True, slots=True)
class Reading:
    """One reader's labels. ``reader`` names the reader: a person, or a model."""

    file: Path
    reader: str


@dataclass(frozen=True, slots=True)
class LabelRate:
    """How often one reader answered yes to one question about the items of one group.

    ``low`` and ``high`` are bounds over papers, since items of one paper hang together (percentiles
    of resampled papers; Korn and Graubard's interval where few papers differ). ``wilson_low`` and
    ``wilson_high`` take every item as independent. Bounds are None where they are not defined.
    """

    reader: str
    group: str
    label: str
    yes: int
    n: int
    unlabelled: int
    papers: int
    rate: float | None
    low: float | None
    high: float | None
    wilson_low: float | None
    wilson_high: float | None


@dataclass(frozen=True, slots=True)
class ReaderAgreement:
    """Two readers on one question: share of equal answers and Cohen's kappa with its interval."""

    first: str
    second: str
    label: str
    n: int
    equal: float | None
    kappa: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class SheetRates:
    """The results of all readers of a sheet. ``variants`` counts outcomes of all variants by
    perturbation, so that the papers without a variant are reported with the rates.
    """

    sheet: str
    confidence: float
    rates: tuple[LabelRate, ...]
    agreements: tuple[ReaderAgreement, ...]
    variants: Mapping[str, Mapping[str, int]]

    def to_json(self) -> dict[str, Json]:
        """Return all fields as JSON."""
        return row_of(self)


def read_sheet(
    folder: str | Path, readings: Sequence[Reading], *, confidence: float = 0.95, seed: int = 0
) -> SheetRates:
    """Return the rates of the labels in ``readings``, files with the rows of ``folder/sheet.csv``.

    Answers are "yes", "no" or empty; an empty cell is counted as unlabelled and enters no rate.
    Raises `RunError` for items that the key does not know, items that occur twice, and other
    answers: all of them together, each with its line.
    """
    key = _key(Path(folder) / KEY)
    if not readings:
        raise RunError("a sheet needs at least one reading")
    if len({reading.reader for reading in readings}) < len(readings):
        raise RunError("each reading must name a different reader")
    labels = {each.reader: _labels(each.file, key) for each in readings}
    draws = Resampling(seed=seed, resamples=10_000, confidence=confidence)
    rates = [
        rate
        for reader, answers in labels.items()
        for rate in _rates(reader, answers, key["items"], draws)
    ]
    agreements = [
        _agreement(one, two, label, labels[one][label], labels[two][label], confidence)
        for one, two in combinations(labels, 2)
        for label in LABELS[key["show"]]
    ]
    return SheetRates(
        digest_of_key(Path(folder) / KEY),
        confidence,
        tuple(rates),
        tuple(agreements),
        key["variants"],
    )


def _key(path: Path) -> dict[str, Any]:
    try:
        key = json_in_file(path)
        if key["sheet"] != 1 or key["show"] not in LABELS:
            raise ValueError("made by another version")
        for item in key["items"].values():
            item["group"], item["paper"], item["source"]
        key["variants"].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RunError(
            f"{path.parent} is not the folder of a sheet of `revkit sheet draw`: {KEY}: "
            f"{reason_of(error)}"
        ) from None
    return dict(key)


def _labels(path: Path, key: Mapping[str, Any]) -> Labels:
    names = LABELS[key["show"]]
    answers: dict[str, dict[str, bool | None]] = {name: {} for name in names}
    problems = LineProblems()
    try:
        table = CsvTable.read(path, MOST_BYTES, pad=True)
    except Unreadable as error:
        raise RunError(f"{path}: {error}") from None
    if missing := table.missing(("item", *names)):
        raise RunError(f"{path}: the columns {', '.join(missing)} are missing")
    for row in table.rows:
        if row.problem:
            problems.add(row.line, row.problem)
            continue
        item = row.cells["item"].strip()
        item = item.zfill(3) if item.isdecimal() else item
        if item not in key["items"] or item in answers[names[0]]:
            reason = "occurs twice" if item in key["items"] else "is not in the key"
            problems.add(row.line, f"item {item!r} {reason}")
            continue
        for name in names:
            text = row.cells[name].strip().lower()
            if text not in _ANSWERS:
                wrong = f"{name}: expected yes, no or nothing, not {text[:40]!r}"
                problems.add(row.line, wrong)
            answers[name][item] = _ANSWERS.get(text)
    if problems:
        raise RunError(f"{path}: {problems}")
    return answers


def _rates(
    reader: str, labels: Labels, items: Mapping[str, Mapping[str, str]], draws: Resampling
) -> list[LabelRate]:
    groups: dict[str, list[str]] = {}
    for name, item in items.items():
        groups.setdefault(item["group"], []).append(name)
    return [
        _rate(reader, group, label, {name: answers.get(name) for name in names}, items, draws)
        for group, names in sorted(groups.items())
        for label, answers in labels.items()
    ]


def _rate(
    reader: str,
    group: str,
    label: str,
    answers: Mapping[str, bool | None],
    items: Mapping[str, Mapping[str, str]],
    draws: Resampling,
) -> LabelRate:
    from revkit.stats import cluster_bootstrap_rates, wilson_interval

    papers: dict[tuple[str, str], list[bool]] = {}
    for name, answer in answers.items():
        if answer is not None:
            place = (items[name]["source"], items[name]["paper"])
            papers.setdefault(place, []).append(answer)
    n = sum(len(each) for each in papers.values())
    yes = sum(sum(each) for each in papers.values())
    if not n:
        empty = (None,) * 5
        return LabelRate(reader, group, label, 0, 0, len(answers), 0, *empty)
    wilson = wilson_interval(yes, n, draws.confidence, unit="item")
    [estimate] = cluster_bootstrap_rates(
        [[sum(each)] for each in papers.values()],
        [len(each) for each in papers.values()],
        resampling=draws,
    )
    low, high = estimate.interval.low, estimate.interval.high
    counts = (yes, n, len(answers) - n, len(papers))
    return LabelRate(reader, group, label, *counts, yes / n, low, high, wilson.low, wilson.high)


def _agreement(
    one: str,
    two: str,
    label: str,
    first: Mapping[str, bool | None],
    second: Mapping[str, bool | None],
    confidence: float,
) -> ReaderAgreement:
    from revkit.stats import cohen_kappa

    both = [n for n in first if first[n] is not None and second.get(n) is not None]
    result = cohen_kappa(
        [first[n] for n in both], [second[n] for n in both], confidence, unit="item"
    )
    bounds = result.kappa.interval
    share = result.observed.value
    return ReaderAgreement(
        one, two, label, len(both), share, result.kappa.value, bounds.low, bounds.high
    )
