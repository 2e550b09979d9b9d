"""Compute the score of a dimension from verdicts on key points (Li et al., appendix E.1.1).

The evaluator judges key points one by one; this module computes the score by the paper's rule, so
no model gives a score.

The rule leaves two cases open, which are decided as follows:

- *Between "none" and "at least half"* the paper defines no score: 0 requires that no point is
  addressed, 1 that half of them are. A review below half gets 0 unless ``below_half`` is 1, because
  it does not meet the requirement of 1. A partly addressed point counts half.
- *"All but a minor omission"* means one point that its checklist marks as minor, next to at least
  one other, addressed in part or not at all. The checklist marks minor points before any review is
  read.

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
from typing import Literal

from revkit.dataclass import dataclass

Verdict = Literal["addressed", "partly", "not"]
_WORTH = {"addressed": 2, "partly": 1, "not": 0}


@dataclass(frozen=True, slots=True)
class PointVerdict:
    """An evaluator's verdict on one key point of a positive dimension.

    ``material_error`` states that the review makes a material false claim about it.
    """

    verdict: Verdict
    minor: bool = False
    material_error: bool = False


@dataclass(frozen=True, slots=True)
class FaultVerdict:
    """An evaluator's verdict on one key point of the pitfall: whether the fault is present, and
    whether it is severe.
    """

    exhibited: bool
    severe: bool = False


def coverage(verdicts: Sequence[PointVerdict]) -> float:
    """Return the share of key points addressed, in which partly counts half; in [0, 1]. Raises
    `ValueError` without verdicts.
    """
    if not verdicts:
        raise ValueError("a checklist without key points has no coverage")
    return sum(_WORTH[each.verdict] for each in verdicts) / (2 * len(verdicts))


def positive_score(verdicts: Sequence[PointVerdict], *, below_half: Literal[0, 1] = 0) -> int:
    """Return the score of a positive dimension: 0, 1 or 2; see the table of this module.

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
    """Return the score of the pitfall: 0, -1 or -2. Raises `ValueError` without verdicts."""
    if not verdicts:
        raise ValueError("a checklist without key points has no score")
    shown = [each for each in verdicts if each.exhibited]
    if not shown:
        return 0
    return -2 if len(shown) > 1 or shown[0].severe else -1
