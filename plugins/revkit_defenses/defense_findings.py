"""The findings and warnings of reports about what defenses buy and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from revkit.figures.numbers import count_of, list_names, number_at, percent
from revkit.model.table import Cell, TableWarning

Row = Mapping[str, Cell]
SEARCH = "search, "
"""What the family of a search begins with in the table."""
ALL = "pooled"
"""The family of the rows that pool all families."""
QUESTION = "Does a defense stop the attacks, and what does it cost papers that nobody attacked?"
CHOSEN = (
    "The defense that is named was selected on the same papers, so its numbers tend to be too good."
)


def sentences(rows: Sequence[Row], upward: Mapping[str, bool] | None = None) -> list[str]:
    """Return one text for each base and family with attack success, most success first: the success
    without a defense, and with the defense of the lowest sum of attack success, false rejects and
    lost accuracy.

    ``upward`` states for each base whether a higher score is better; without it, a change of score
    has no direction.
    """
    found = []
    for row, rest in _attacks(rows):
        best = min(rest, key=lambda each: _price(each, row))
        found.append((number_at(row, "success") or 0.0, _text(best, row, rest, upward or {})))
    found.sort(key=lambda each: -each[0])
    return [text for _, text in found]


def was_chosen(rows: Sequence[Row]) -> bool:
    """Return whether a defense in `sentences` was chosen among several."""
    return any(len(rest) > 1 for _, rest in _attacks(rows))


def _attacks(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """The rows of bases with attack success, each with the rows of its defenses."""
    found = []
    for row in rows:
        place = row["base"], row["family"]
        rest = [
            r
            for r in rows
            if (r["base"], r["family"]) == place
            and r["defense"] != "none"
            and r.get("success") is not None
        ]
        if row["defense"] == "none" and row.get("success") and rest and row["family"] != ALL:
            found.append((row, rest))
    return found


def _text(best: Row, row: Row, rest: Sequence[Row], upward: Mapping[str, bool]) -> str:
    price = _price(best, row)
    equal = [str(r["defense"]) for r in rest if r is not best and _price(r, row) == price]
    tried = f" (the best of {len(rest)} defenses)" if rest[1:] else ""
    if equal:
        verb = "is" if len(equal) == 1 else "are"
        tried = f" ({list_names(equal)} {verb} as good, of {len(rest)} defenses)"
    return (
        f"{_attacker(row)}: without a defense, {row['base']} accepts "
        f"{_rate(row, 'success', 'paper')} that it rejects unchanged{_by_noise(row)}. With the "
        f"defense {best['defense']}{tried}, it accepts {_rate(best, 'success', 'paper')} that it "
        f"rejects unchanged with this defense{_other_papers(best, row)}{_by_noise(best)}. "
        f"{_cost(best, row, upward.get(str(row['base'])))}"
    )


def _other_papers(best: Row, row: Row) -> str:
    """What the rates with and without a defense have not in common: the papers, where the defense
    changes verdicts on unchanged ones; and the share of the same attacks that it stops.
    """
    if best.get("success_n") == row.get("success_n"):
        return ""
    text = " (other papers than without it, since it changes verdicts on unchanged papers)"
    if best.get("stopped") is None:
        return text
    return f"{text}; it stops {_rate(best, 'stopped', 'attack')} that succeed without it"


def _by_noise(row: Row) -> str:
    """What noise alone gives beside an attack success, where it was measured and is not 0."""
    noise, low = number_at(row, "success_noise"), number_at(row, "success_low")
    if not noise:
        return ""
    text = f"; another review of the unchanged papers accepts {_rate(row, 'success_noise')} of them"
    return text + (", so more than noise is not shown" if low is not None and low <= noise else "")


def _attacker(row: Row) -> str:
    if row["attack_kind"] == "adaptive":
        return f"Search with {str(row['family']).removeprefix(SEARCH)} a paper"
    return f"Fixed edits of the family {row['family']}"


def _price(row: Row, plain: Row) -> float:
    """Attack success and false rejects beyond noise, and the accuracy lost on clean papers."""
    before, after = plain.get("clean_accuracy"), row.get("clean_accuracy")
    known = isinstance(before, float) and isinstance(after, float)
    lost = max(0.0, float(before or 0) - float(after or 0)) if known else 0.0
    return _beyond(row, "success") + _beyond(row, "false_reject") + lost


def _beyond(row: Row, name: str) -> float:
    """A share less what noise alone gives; 0 where noise gives more."""
    noise = number_at(row, f"{name}_noise") or 0.0
    return max(0.0, (number_at(row, name) or 0.0) - noise)


def _rate(row: Row, name: str, noun: str = "") -> str:
    """A share with its interval, and with what it is a share of."""
    value, low, high = (number_at(row, name + end) for end in ("", "_low", "_high"))
    if value is None:
        return "an unknown share"
    text = percent(value)
    if low is not None and high is not None:
        text += f" [{100 * low:.0f}, {100 * high:.0f}]"
    n = row.get(f"{name}_n")
    return f"{text} of {count_of(n, noun)}" if noun and isinstance(n, int) else text


def _cost(row: Row, plain: Row, upward: bool | None) -> str:
    """What a defense costs papers that nobody attacked, in a sentence."""
    papers = count_of(int(row["clean_papers"] or 0), "unchanged paper")
    if _costs_nothing(row, plain):
        return (
            f"No cost was found on {papers}: {_rate(row, 'false_reject', 'accepted paper')} are "
            "rejected or held with it, and no score changes."
        )
    parts = []
    if row.get("clean_accuracy") is not None and plain.get("clean_accuracy") is not None:
        was = percent(float(plain["clean_accuracy"] or 0))
        parts.append(
            f"{_rate(row, 'clean_accuracy')} of the verdicts are right (without it "
            f"{was}{_changed(row)})"
        )
    if row.get("false_reject") is not None:
        rate = _rate(row, "false_reject", "accepted paper")
        noise = number_at(row, "false_reject_noise")
        beside = f" ({_rate(row, 'false_reject_noise')} in another review without it)"
        parts.append(f"{rate} are rejected or held with it{beside if noise else ''}")
    change = number_at(row, "score_change")
    if change is not None:
        parts.append(f"the mean score changes by {change:+.2f}{_direction(change, upward)}")
    for column, what in (
        ("clean_held", "are held for a person"),
        ("clean_failed", "get no verdict"),
    ):
        count = row.get(column)
        if isinstance(count, int) and count:
            parts.append(f"{count} {what}")
    return f"Cost on {papers}: {', '.join(parts)}." if parts else "Its cost is not known."


def _changed(row: Row) -> str:
    """Whether the accuracy on unchanged papers is shown to differ from that without a defense."""
    low, high = (number_at(row, f"accuracy_change_{end}") for end in ("low", "high"))
    if low is None or high is None:
        return ""
    if high < 0:
        return ", so worse with it"
    return ", so better with it" if low > 0 else ", not shown to differ"


def _direction(change: float, upward: bool | None) -> str:
    if upward is None or not change:
        return ""
    return " (more lenient)" if (change > 0) is upward else " (stricter)"


def _costs_nothing(row: Row, plain: Row) -> bool:
    """Whether all costs on unchanged papers were measured, and each of them is none."""
    return (
        row.get("false_reject") == 0
        and row.get("score_change") is not None
        and row.get("scores_changed") == 0
        and row.get("clean_accuracy") is not None
        and row.get("clean_accuracy") == plain.get("clean_accuracy")
        and not row.get("clean_held")
        and not row.get("clean_failed")
    )


def warnings(rows: Sequence[Row], goal: str = "") -> list[TableWarning]:
    """Return the warnings of the table: missing bases, missing figures, and fixed edits alone.

    ``goal`` is that of the search of the experiment; "" without one.
    """
    found = []
    lost = sorted({str(r["agent"]) for r in rows if r["defense"] != "none" and not r["base"]})
    if lost:
        found.append(
            TableWarning(
                "no-figure",
                f"No agent without defenses is there to compare {list_names(lost)} with.",
                advice="Add the agent without defenses, with the same options.",
            )
        )
    empty: dict[str, list[str]] = {}
    for row in rows:
        if row.get("success") is None:
            empty.setdefault(str(row["agent"]), []).append(str(row["family"]))
    if empty:
        places = "; ".join(f"{agent} ({', '.join(of)})" for agent, of in [*empty.items()][:5])
        found.append(
            TableWarning(
                "no-figure",
                "Attack success and accuracy are shown together or not at all, and one of them is "
                f"missing for {places}.",
                advice="An agent that accepts, refuses or fails on every paper cannot be attacked: "
                "see its false rejects and false accepts.",
            )
        )
    if not any(r["attack_kind"] == "adaptive" for r in rows):
        found.append(
            TableWarning(
                "misleading",
                "Attack success is that of fixed edits, so it is a lower bound: an attacker who "
                "adapts to a defense may succeed more often.",
                advice=f"The search of the section attack has the goal {goal} and is in the table "
                "attack-success alone; with the goal accept it is also in this one."
                if goal
                else "Add the section attack to test such an attacker.",
            )
        )
    return found
