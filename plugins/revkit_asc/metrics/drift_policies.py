"""The policies of recalibration that the drift simulation compares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from revkit.dataclass import dataclass
from revkit.errors import OptionError

NAMES = (
    "never",
    "every-28",
    "every-7",
    "every-1",
    "rolling-8",
    "fingerprint",
    "cusum-4-8",
    "cusum-8-12",
)
_FORM = re.compile(
    r"never|fingerprint|every-([1-9][0-9]{0,2})|rolling-([1-9][0-9]{0,3})"
    r"|cusum-([1-9][0-9]{0,3})-([1-9][0-9]{0,2})"
)
ROLLING_DAYS = 7
Kind = Literal["never", "every", "rolling", "fingerprint", "cusum"]


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy: ``days`` is the time between two scorings of all anchors, ``daily`` the number of
    anchors that each agent scores per day, ``threshold`` the limit of the control chart.
    """

    key: str
    title: str
    kind: Kind
    days: int = 0
    daily: int = 0
    threshold: float = 0.0


def policies_of(names: Sequence[str], metric: str) -> tuple[Policy, ...]:
    """Read policies by name.

    "never"; "every-N": all anchors every N days; "rolling-K": K anchors a day in turn, maps fitted
    again every 7 days; "fingerprint": all anchors of an agent that says it changed; "cusum-K-H":
    K anchors a day on a chart with threshold H. Raises `OptionError` for any other name.
    """
    found = []
    for name in dict.fromkeys(names):
        match = _FORM.fullmatch(name)
        if match is None:
            text = (
                f"unknown policy {name!r}; write never, fingerprint, every-DAYS, rolling-ANCHORS "
                "or cusum-ANCHORS-THRESHOLD"
            )
            raise OptionError(metric, [("policies", text)])
        every, rolling, charted, threshold = match.groups()
        if every:
            days = int(every)
            title = "daily" if days == 1 else f"every {days} days"
            found.append(Policy(name, title, "every", days=days))
        elif rolling:
            title = f"rolling, {rolling} a day"
            found.append(Policy(name, title, "rolling", days=ROLLING_DAYS, daily=int(rolling)))
        elif charted:
            title = f"CUSUM, {charted} a day, h {threshold}"
            found.append(
                Policy(name, title, "cusum", daily=int(charted), threshold=float(threshold))
            )
        elif name == "never":
            found.append(Policy(name, "never", "never"))
        else:
            found.append(Policy(name, "new fingerprint", "fingerprint"))
    return tuple(found)
