"""List what is missing from a run and why: gates and their values, rejections, failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.records import Records
from revkit_reports.visible import one_line

DISTINCT = 5
MOST_REASONS = 10
_NUMBER = re.compile(
    r"((?:(?<![\w.)])-)?(?:0x[0-9a-fA-F]{1,16}|(?:\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d+)(?:\.\d+)?))"
)
# What precedes and follows a number, unless it is a part of a name, a version or a date.
_BEFORE_NUMBER = re.compile(r"(?:^|[\s(<>=\"'])\Z")
# A number after one of these words is a name, so a range of two would include others.
_CODE = re.compile(r"(?i)\b(?:https?|status|codes?|errors?|errno|signal)\b[\s:=(#]*\Z")
_AFTER_NUMBER = re.compile(r"%?(?:\Z|[.,;:]?(?:\s|\Z)|[)\"'])")


@dataclass(frozen=True)
class GateLine:
    """One gate of one family over its variants: how many it judged, and the values that it
    measured. ``bound`` states whether the limits are the highest or the lowest values allowed.
    """

    family: str
    gate: str
    judged: int
    passed: int
    unit: str
    low: float | None
    middle: float | None
    high: float | None
    limits: tuple[float, ...]
    bound: str = ""


def gates(records: Records) -> list[GateLine]:
    """Return what each gate of each family passed, in the order of the records."""
    lines = []
    for family in (row.name for row in records.perturbations):
        checks: dict[str, list[tuple[float | None, float | None, bool, str]]] = {}
        for variant in records.variants:
            if variant.perturbation == family:
                for check in variant.checks:
                    checks.setdefault(check.name, []).append(
                        (check.value, check.limit, check.passed, check.unit)
                    )
        for gate, found in checks.items():
            from statistics import median  # for gates alone

            values = [value for value, *_ in found if value is not None]
            lines.append(
                GateLine(
                    family,
                    gate,
                    len(found),
                    sum(passed for _, _, passed, _ in found),
                    found[0][3],
                    min(values, default=None),
                    median(values) if values else None,
                    max(values, default=None),
                    tuple(sorted({limit for _, limit, _, _ in found if limit is not None})),
                    _bound([(v, x, ok) for v, x, ok, _ in found if None not in (v, x)]),
                )
            )
    return lines


def _bound(checks: Sequence[tuple[Any, Any, bool]]) -> str:
    """Return "at most" or "at least", by which side of its limit each value passed or failed; ""
    where both are possible, and "target +/-" where neither is, so that the limit is a distance.
    """
    highest = all((value <= limit) == passed for value, limit, passed in checks)
    lowest = all((value >= limit) == passed for value, limit, passed in checks)
    if highest == lowest:
        return "" if highest else "target +/-"
    return "at most" if highest else "at least"


@dataclass(frozen=True)
class Loss:
    """The reason why variants are missing, and their number. ``crashed``: the perturbation raised
    an error.
    """

    reason: str
    times: int
    crashed: bool = False


def rejections(records: Records) -> dict[str, Sequence[Loss]]:
    """Return the reasons for each family with missing variants, errors of the perturbation
    first.
    """
    crashes: dict[str, Counter[str]] = {}
    others: dict[str, Counter[str]] = {}
    for variant in records.variants:
        if variant.outcome != "made":
            counts = crashes if variant.outcome == "crashed" else others
            counts.setdefault(variant.perturbation, Counter())[variant.rejected] += 1
    found = {
        row.name: [
            *(Loss(*each, crashed=True) for each in group_reasons(crashes.get(row.name, {}))),
            *(Loss(*each) for each in group_reasons(others.get(row.name, {}))),
        ]
        for row in records.perturbations
    }
    return {name: losses for name, losses in found.items() if losses}


def failures(records: Records) -> list[tuple[str, str, int]]:
    """Return name, kind of failure and count, in the order of the experiment: agents on papers,
    agents on anchors, judges.
    """
    agents = [agent.name for agent in records.agents]
    anchored = records.anchors.verdicts if records.anchors is not None else ()
    judges = [judge.name for judge in records.judges]
    judged = Counter((row.judge, row.failure) for row in records.judgements if row.failure)
    return [
        *_ordered(Counter((v.agent, v.failure) for v in records.verdicts if v.failure), agents),
        *_ordered(
            Counter((v.agent, v.failure) for v in anchored if v.failure), agents, " on anchors"
        ),
        *_ordered(judged, judges, " as a judge"),
    ]


def _ordered(
    found: Mapping[tuple[str, str], int], order: Sequence[str], addition: str = ""
) -> list[tuple[str, str, int]]:
    places = {name: place for place, name in enumerate(order)}
    return [
        (name + addition, kind, times)
        for (name, kind), times in sorted(found.items(), key=lambda i: (places.get(i[0][0], -1), i))
    ]


def group_reasons(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return a short list of reasons with their counts, most frequent first.

    If there are many, reasons that differ only in their numbers ("only 12% of the words ...") are
    merged, with the smallest and the largest of the numbers that differ ("only 12% to 31% of the
    words ..."), or, if such a number is a part of a name or a code ("HTTP 500"), with one of them
    as an example. Reasons after the ten most frequent are added up as "other reasons".
    """
    counts = Counter(reasons)
    if len(counts) > DISTINCT:
        counts = _merge_by_words(reasons)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(times for _, times in ordered[MOST_REASONS:])
    return ordered[:MOST_REASONS] + ([("other reasons", rest)] if rest else [])


def _merge_by_words(reasons: Mapping[str, int]) -> Counter[str]:
    """Add up reasons with the same words; a number that all of them share is kept."""
    alike: dict[tuple[str, ...], list[tuple[list[str], int]]] = {}
    for reason, times in reasons.items():
        # Words and numbers take turns, so the odd pieces are the numbers.
        pieces = _NUMBER.split(one_line(reason))
        alike.setdefault(tuple(pieces[0::2]), []).append((pieces[1::2], times))
    counts: Counter[str] = Counter()
    for words, found in alike.items():
        counts[_with_ranges(words, found)] += sum(times for _, times in found)
    return counts


def _with_ranges(words: Sequence[str], found: Sequence[tuple[Sequence[str], int]]) -> str:
    """Return the text of reasons with the same ``words`` around their numbers."""
    text = words[0]
    columns = zip(*(numbers for numbers, _ in found), strict=True)
    for before, column, after in zip(words, columns, words[1:], strict=False):
        first, last = min(column, key=_value), max(column, key=_value)
        if _value(first) == _value(last):
            text += first
        elif (
            _BEFORE_NUMBER.search(before)
            and _AFTER_NUMBER.match(after)
            and not _CODE.search(before)
        ):
            text += f"{first}{'%' * after.startswith('%')} to {last}"
        else:
            numbers, _ = max(found, key=lambda each: (each[1], list(map(_value, each[0]))))
            example = "".join(a + b for a, b in zip(words, [*numbers, ""], strict=True))
            return f"{example} (and the same with other numbers)"
        text += after
    return text


def _value(number: str) -> float:
    return float(int(number, 16)) if "0x" in number else float(number.replace(",", ""))
