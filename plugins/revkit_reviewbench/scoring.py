"""From verdicts on key points to the score of a dimension (Li et al., appendix E.1.1).

The evaluator judges key points one by one; the score follows here, by the paper's rule, and no
model ever names a score.

Two things the rule leaves open are decided so:

- *Between "none" and "at least half"* the paper gives no score: 0 asks for no point addressed, 1
  for half of them. A review below half gets 0 unless ``below_half`` is 1: it has not met what 1
  asks for. A point addressed in part counts half.
- *"All but a minor omission"* is one point that its checklist marks as minor, beside at least one
  other, addressed in part or not at all. Whether a point is minor is in the checklist before
  any review is read.

=========================================================== ======= ======================
key points (A addressed, P partly, N not, m minor)           score   why
=========================================================== ======= ======================
A A A A                                                      2       all
A A A Nm                                                     2       all but a minor one
A A A N, A A A P                                             1       at least half
A A Nm Nm                                                    1       two omissions
A A N N, A P P N, P                                          1       just half
A N N N, P N N N                                             0       the gap (1: below_half)
N N N N                                                      0       none
any with a material error                                    0       a material false claim
=========================================================== ======= ======================

====================================  =======
faults of the pitfall                 score
====================================  =======
none                                  0
one, not severe                       -1
two or more, or one that is severe    -2
====================================  =======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["addressed", "partly", "not"]
_WORTH = {"addressed": 2, "partly": 1, "not": 0}


@dataclass(frozen=True, slots=True)
class PointVerdict:
    """What an evaluator found of one key point of a positive dimension.

    ``material_error`` states that the review makes a material false claim about it.
    """

    verdict: Verdict
    minor: bool = False
    material_error: bool = False


@dataclass(frozen=True, slots=True)
class FaultVerdict:
    """What an evaluator found of one key point of the pitfall: is it there, and is it severe."""

    exhibited: bool
    severe: bool = False


def coverage(verdicts: Sequence[PointVerdict]) -> float:
    """The share of key points addressed, one in part counting half; in [0, 1]."""
    if not verdicts:
        raise ValueError("a checklist without key points has no coverage")
    return sum(_WORTH[each.verdict] for each in verdicts) / (2 * len(verdicts))


def positive_score(verdicts: Sequence[PointVerdict], *, below_half: Literal[0, 1] = 0) -> int:
    """The score of a positive dimension: 0, 1 or 2; see the table of this module.

    ``below_half`` is the score of a review that addresses some points, but less than half.
    Raises `ValueError` without verdicts.
    """
    share = coverage(verdicts)
    if any(each.material_error for each in verdicts) or share == 0:
        return 0
    missed = [each for each in verdicts if each.verdict != "addressed"]
    if not missed or (len(missed) == 1 and missed[0].minor and len(verdicts) > 1):
        return 2
    return 1 if share >= 0.5 else below_half


def pitfall_score(verdicts: Sequence[FaultVerdict]) -> int:
    """The score of the pitfall: 0, -1 or -2. Raises `ValueError` without verdicts."""
    if not verdicts:
        raise ValueError("a checklist without key points has no score")
    shown = [each for each in verdicts if each.exhibited]
    if not shown:
        return 0
    return -2 if len(shown) > 1 or shown[0].severe else -1
