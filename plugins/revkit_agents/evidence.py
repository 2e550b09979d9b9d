"""The evidence that a fair reader rates in a paper, as eight rows of a scorecard.

It is read from what rewording does not touch: tables with their captions, headings, the roles of
sections. Prose adds two facts if no caption states them: how often runs were repeated, and
whether a test was made.
"""

from __future__ import annotations

import re

from revkit.model.paper import Paper
from revkit_agents.scorecard import Row, clipped, doublings
from revkit_agents.tables import ResultTable, result_tables

_COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10,
    "twenty": 20, "multiple": 3, "several": 3,
}  # fmt: skip
_REPEATS = re.compile(
    r"\b(\d{1,3}|" + "|".join(_COUNTS) + r")\s{1,3}(?:random\s|different\s|independent\s){0,2}"
    r"(?:seeds|runs|trials|repetitions|restarts|initializations|folds)\b",
    re.IGNORECASE,
)
_SPREAD = re.compile(
    r"±|\\pm|\bstandard (?:deviation|error)s?\b|\berror bars?\b|\bconfidence intervals?\b",
    re.IGNORECASE,
)
_ABLATION = re.compile(r"\bablat|\bwithout\b|\bw/o\b", re.IGNORECASE)
_TEST = re.compile(
    r"\bp\s{0,2}[<=]\s{0,2}0?\.\d|\bp-values?\b|\bt-tests?\b|\bpermutation test|\bwilcoxon\b",
    re.IGNORECASE,
)


def evidence_rows(paper: Paper) -> list[Row]:
    """Return the scorecard of the evidence in a paper, with at most 9 points.

    Shares: *compared* methods (rows of the widest comparison) and *datasets* (its columns) rise
    with each doubling; *gain* is half for leading every column and whole for leading by the spread;
    the others are given or not, but for *repeats*, which are whole from five runs on.
    """
    tables = result_tables(paper)
    compared = max((len(table.lines) for table in tables), default=0)
    columns = max((table.columns for table in tables), default=0)
    repeats = _repeats(paper)
    spread = any(table.has_spread for table in tables) or _is_stated(paper, _SPREAD, prose=False)
    ablation = _is_stated(paper, _ABLATION, prose=False)
    limits = any(block.role == "limitations" for block in paper.blocks)
    test = _is_stated(paper, _TEST, prose=True)
    gain = _gain(tables)
    return [
        Row("methods compared", compared, doublings(compared, 4.0, 3.0), 2.0),
        Row("datasets", columns, doublings(columns, 2.5, 3.0), 1.5),
        Row("gain over spread", gain, gain, 1.5),
        Row("repeated runs", repeats, clipped((repeats - 1) / 4), 1.0),
        Row("spread reported", spread, float(spread), 1.0),
        Row("ablation", ablation, float(ablation), 1.0),
        Row("limitations", limits, float(limits), 0.5),
        Row("significance test", test, float(test), 0.5),
    ]


def _gain(tables: list[ResultTable]) -> float:
    for table in tables:
        gains = table.gains()
        if gains:
            return sum(clipped(0.5 + gain / 2.0) if gain > 0 else 0.0 for gain in gains) / len(
                gains
            )
    return 0.0


def _repeats(paper: Paper) -> int:
    """Return the highest stated number of repeated runs, from a caption if one states it, else
    1.
    """
    for kinds in (("table", "figure"), ("paragraph", "list-item")):
        message = [
            _count(found[1])
            for block in paper.blocks
            if block.kind in kinds
            for found in _REPEATS.finditer(paper.text, block.start, block.end)
        ]
        if message:
            return max(message)
    return 1


def _count(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS[word.lower()]


def _is_stated(paper: Paper, pattern: re.Pattern[str], *, prose: bool) -> bool:
    return any(
        pattern.search(paper.text, block.start, block.end) is not None
        for block in paper.blocks
        if block.kind in ("heading", "table", "figure") or (prose and block.is_prose)
    )
