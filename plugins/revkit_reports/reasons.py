"""Reasons and how often each was given, told in few lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from revkit_reports.visible import one_line

DISTINCT = 5
MOST_REASONS = 10
_NUMBER = re.compile(r"(0x[0-9a-fA-F]{1,16}|\d+(?:\.\d+)?)")


def grouped(reasons: Mapping[str, int]) -> list[tuple[str, int]]:
    """Reasons and how often each was given, commonest first and not many.

    Where there are many, those that differ in their numbers only ("only 12% of the words ...") are
    told as one, with "N" for the numbers that differ; what is still beyond the ten commonest is
    added up.
    """
    counts = Counter(reasons)
    if len(counts) > DISTINCT:
        counts = _told_as_one(reasons)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(times for _, times in ordered[MOST_REASONS:])
    return ordered[:MOST_REASONS] + ([("other reasons", rest)] if rest else [])


def _told_as_one(reasons: Mapping[str, int]) -> Counter[str]:
    """Reasons of the same words added up; a number that all of them share stays."""
    alike: dict[tuple[str, ...], list[tuple[list[str], int]]] = {}
    for reason, times in reasons.items():
        # Words and numbers take turns, so the odd pieces are the numbers.
        pieces = _NUMBER.split(one_line(reason))
        alike.setdefault(tuple(pieces[0::2]), []).append((pieces[1::2], times))
    counts: Counter[str] = Counter()
    for words, found in alike.items():
        columns = zip(*(numbers for numbers, _ in found), strict=True)
        shown = [column[0] if len(set(column)) == 1 else "N" for column in columns]
        text = words[0] + "".join(a + b for a, b in zip(shown, words[1:], strict=True))
        counts[text] += sum(times for _, times in found)
    return counts
