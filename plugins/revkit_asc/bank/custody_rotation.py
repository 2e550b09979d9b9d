"""``revkit bank plan`` and ``revkit bank rotate``: choose the anchors to retire, and write the next
bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from revkit.contracts import ExperimentView, Exported
from revkit.dataclass import dataclass
from revkit.errors import BadAnchors, RunError
from revkit.model.values import Json
from revkit.options import option
from revkit_asc.bank.anchor import Anchor, Bank, write_bank
from revkit_asc.bank.corpus import fresh_bank
from revkit_asc.bank.custody import (
    BANK_FILE,
    CustodyTask,
    as_text,
    check_quarter,
    check_secret,
    read_whole,
    secret_of,
)
from revkit_asc.bank.rotation import Rotation, first_day, plan_rotation, rotate
from revkit_asc.bank.watermark import mark, secret_digest, watermark_id


@dataclass(frozen=True)
class _Rotating(CustodyTask):
    """The options of a planned rotation."""

    quarter: str = option("2026-Q2", help="The quarter that begins, such as 2026-Q2.")
    rotation_seed: int = option(
        0, help="Seed of the choice among anchors of the same age.", minimum=0
    )
    share: float = option(0.1, help="Share of the anchors to retire.", minimum=0.001, maximum=0.5)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_quarter(self.quarter, self.name)

    def _plan(self, bank: Bank) -> Rotation:
        try:
            return plan_rotation(bank, self.quarter, share=self.share, seed=self.rotation_seed)
        except BadAnchors as error:
            raise RunError(f"bank {bank.name!r}: {error}") from None


@dataclass(frozen=True)
class BankPlan(_Rotating):
    """Plan a rotation: the anchors to retire, and the number of fresh anchors that each cell needs.

    About a tenth leaves each quarter (ASC, section 6), those longest in use first, evenly over
    tiers and clusters. The plan depends on the bank, the quarter, the share and `--rotation-seed`;
    `rotate` with the same options follows it.
    """

    name: ClassVar[str] = "bank-plan"
    version: ClassVar[str] = "1"
    file: ClassVar[str] = "plan.json"

    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        plan = self._plan(bank)
        needs: list[Json] = [
            {"tier": tier, "cluster": cluster, "anchors": count}
            for (tier, cluster), count in plan.needs.items()
        ]
        value: dict[str, Json] = {
            "bank": bank.name,
            "quarter": plan.quarter,
            "retire": list(plan.retire),
            "common": len(plan.common),
            "needs": needs,
        }
        summary = (
            f"{len(plan.retire)} of {len(bank.anchors)} anchors of {bank.name!r} are retired for "
            f"{plan.quarter}; {len(plan.common)} stay and link the scale.\nFresh anchors needed: "
            f"{cells_in_words(plan.needs)}."
        )
        return as_text(value), Exported(summary, value)


@dataclass(frozen=True)
class BankRotate(_Rotating):
    """Rotate a bank: retire old anchors, and fill their cells with fresh ones.

    `--fresh` names a bank with at least as many anchors in each cell as the plan needs; the first
    ones of each cell are taken. With `--secret-env`, their texts are marked with that secret, which
    must be that of the bank. Afterwards score all anchors and fit all maps again: a map belongs to
    the bank on which it was fitted.
    """

    name: ClassVar[str] = "bank-rotate"
    version: ClassVar[str] = "1"
    file: ClassVar[str] = BANK_FILE
    fresh: str = option(
        "", help="Bank with the fresh anchors. Default: the included ones for the embedded bank."
    )
    date: str = option("", help="Date of the new bank. Default: the first day of the quarter.")
    secret_env: str = option(
        "", help="Environment variable with the secret that marks the fresh anchors."
    )

    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        plan = self._plan(bank)
        pool = read_whole(Path(self.fresh)) if self.fresh else fresh_bank()
        chosen = choose_fresh(plan, pool.anchors, {anchor.id for anchor in bank.anchors})
        if self.secret_env:
            secret = secret_of(self.secret_env, self.name)
            check_secret(bank, secret)
            chosen = [marked(anchor, secret) for anchor in chosen]
            bank = replace(bank, secret_digest=secret_digest(secret))
        try:
            new = rotate(bank, plan, chosen, self.date or first_day(self.quarter))
        except BadAnchors as error:
            raise RunError(f"bank {bank.name!r}: {error}") from None
        value: dict[str, Json] = {
            "bank": new.name,
            "quarter": plan.quarter,
            "retired": list(plan.retire),
            "fresh": [anchor.id for anchor in chosen],
        }
        summary = (
            f"{len(plan.retire)} anchors left, {len(chosen)} fresh ones joined "
            f"{len(plan.common)} for {plan.quarter}. Score all anchors and fit the maps again."
        )
        return write_bank(new), Exported(summary, value)


def choose_fresh(plan: Rotation, pool: Sequence[Anchor], known: set[str]) -> list[Anchor]:
    """Return the first anchors of ``pool`` for each cell that ``plan`` needs, without ids in
    ``known``.

    Raises `RunError` with the cells for which the pool has too few.
    """
    left = Counter(plan.needs)
    chosen = []
    for anchor in pool:
        cell = (anchor.tier, anchor.cluster)
        if anchor.id not in known and left[cell] > 0:
            left[cell] -= 1
            chosen.append(anchor)
    lacking = {cell: count for cell, count in left.items() if count > 0}
    if lacking:
        raise RunError(f"too few fresh anchors: {cells_in_words(lacking)} more are needed")
    return chosen


def cells_in_words(cells: Mapping[tuple[str, str], int]) -> str:
    """Return the counts of cells as text: "2 none/language, 1 major/graphs"."""
    return ", ".join(f"{n} {tier}/{cluster}" for (tier, cluster), n in sorted(cells.items()))


def marked(anchor: Anchor, secret: str) -> Anchor:
    """Return ``anchor`` with its text watermarked under the id of the anchor."""
    watermark = watermark_id(secret, anchor.id)
    return replace(anchor, text=mark(anchor.text, secret, watermark), watermark=watermark)
