"""The findings and warnings of reports about what defenses buy and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revkit.figures.numbers import count_of, number_at, percent
from revkit.model.table import Cell, TableWarning

Row = Mapping[str, Cell]
SEARCH = "search, "
"""What the family of a search begins with in the table."""
ALL = "pooled"
"""The family of the rows that pool all families."""


def sentences(rows: Sequence[Row]) -> list[str]:
    """Return one sentence for each base and family with attack success: the success without a
    defense, and with the defense of the lowest sum of attack success, false rejects and lost
    accuracy.
    """
    found = []
    plain = {(r["base"], r["family"]): r for r in rows if r["defense"] == "none"}
    for (base, family), row in plain.items():
        rest = [
            r
            for r in rows
            if (r["base"], r["family"]) == (base, family)
            and r["defense"] != "none"
            and r.get("success") is not None
        ]
        if not row.get("success") or not rest or family == ALL:
            continue
        best = min(rest, key=lambda each: _price(each, row))
        tried = f" (the best of {len(rest)} that were tried)" if len(rest) > 1 else ""
        found.append(
            f"{_attacker(family, row)} {base} from reject to accept on {_rate(row, 'success')} of "
            f"the papers that it rejects unchanged; with the defense {best['defense']}, on "
            f"{_rate(best, 'success')} of those that it then rejects{tried}. "
            f"{_honest(best, row)}"
        )
    return found


def _attacker(family: Cell, row: Row) -> str:
    if row["attack_kind"] == "adaptive":
        queries = str(family).removeprefix(SEARCH)
        return f"With {queries}, an author turns"
    return f"The edits of {family} turn"


def _price(row: Row, plain: Row) -> float:
    """Attack success, false rejects, and the accuracy lost on clean papers, added."""
    before, after = plain.get("clean_accuracy"), row.get("clean_accuracy")
    known = isinstance(before, float) and isinstance(after, float)
    lost = max(0.0, float(before or 0) - float(after or 0)) if known else 0.0
    return float(row["success"] or 0) + float(row.get("false_reject") or 0) + lost


def _rate(row: Row, name: str) -> str:
    value, low, high = (number_at(row, name + end) for end in ("", "_low", "_high"))
    if value is None:
        return "an unknown share"
    if low is None or high is None:
        return percent(value)
    return f"{percent(value)} [{100 * low:.0f}, {100 * high:.0f}]"


def _honest(row: Row, plain: Row) -> str:
    """What a defense costs papers that nobody attacked, in a sentence."""
    if _costs_nothing(row, plain):
        papers = count_of(int(row["clean_papers"] or 0), "honest paper")
        return (
            f"{papers} lose nothing: {_rate(row, 'false_reject')} of those accepted without it are "
            "rejected with it, and no score changes."
        )
    parts = []
    if row.get("clean_accuracy") is not None and plain.get("clean_accuracy") is not None:
        was = percent(float(plain["clean_accuracy"] or 0))
        parts.append(f"verdicts are right for {_rate(row, 'clean_accuracy')} (without it {was})")
    if row.get("false_reject") is not None:
        parts.append(f"{_rate(row, 'false_reject')} of accepted honest papers are then rejected")
    change = number_at(row, "score_change")
    if change is not None:
        parts.append(f"their mean score changes by {change:+.2f}")
    for column, what in (
        ("clean_held", "are held for a person"),
        ("clean_failed", "get no verdict"),
    ):
        count = row.get(column)
        if isinstance(count, int) and count:
            parts.append(f"{count} {what}")
    return (
        f"Honest papers: {', '.join(parts)}."
        if parts
        else "The cost to honest papers is not known."
    )


def _costs_nothing(row: Row, plain: Row) -> bool:
    """Whether all costs on honest papers were measured, and each of them is none."""
    return (
        row.get("false_reject") == 0
        and row.get("score_change") is not None
        and row.get("scores_changed") == 0
        and row.get("clean_accuracy") is not None
        and row.get("clean_accuracy") == plain.get("clean_accuracy")
        and not row.get("clean_held")
        and not row.get("clean_failed")
    )


def warnings(rows: Sequence[Row]) -> list[TableWarning]:
    """Return the warnings of the table: missing bases, missing figures, and fixed edits alone."""
    found = []
    lost = sorted({str(r["agent"]) for r in rows if r["defense"] != "none" and not r["base"]})
    if lost:
        text = f"No agent without defenses to compare with, of the same options: {', '.join(lost)}."
        found.append(TableWarning("no-figure", text))
    empty = [f"{r['agent']} under {r['family']}" for r in rows if r.get("success") is None]
    if empty:
        text = f"Figures are not shown where one of the three is missing: {'; '.join(empty[:5])}."
        found.append(TableWarning("no-figure", text))
    if not any(r["attack_kind"] == "adaptive" for r in rows):
        text = (
            "Attack success is that of fixed edits, and so a lower bound: an attacker who adapts "
            "to a defense does better."
        )
        found.append(TableWarning("misleading", text))
    return found
