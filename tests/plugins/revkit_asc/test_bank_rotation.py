"""Rotation keeps the strata, the link and the order of age."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import BadAnchors
from revkit_asc.bank.anchor import TIERS, Anchor
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.bank.generate import synthetic_anchor
from revkit_asc.bank.rotation import Rotation, plan_rotation, rotate, scale_link

BANK = embedded_bank().bank
CLUSTERS = list(BANK.clusters)


def fresh_for(plan: Rotation, start: int) -> list[Anchor]:
    wanted = [cell for cell, count in plan.needs.items() for _ in range(count)]
    return [
        synthetic_anchor(start + n, TIERS.index(tier), CLUSTERS.index(cluster))
        for n, (tier, cluster) in enumerate(wanted)
    ]


def test_a_tenth_leaves_evenly() -> None:
    plan = plan_rotation(BANK, "2026-Q2")
    assert plan.share == pytest.approx(0.1)
    assert len(plan.common) == 216
    assert plan.common_by_tier == dict.fromkeys(TIERS, 54)
    cells = [(a.tier, a.cluster) for a in BANK.anchors if a.id in set(plan.retire)]
    assert Counter(tier for tier, _ in cells) == dict.fromkeys(TIERS, 6)
    assert max(Counter(cells).values()) == 1  # six of seven clusters in each tier
    assert plan.needs == dict(Counter(cells))
    assert sorted((*plan.retire, *plan.common)) == sorted(a.id for a in BANK.anchors)


def test_a_plan_depends_on_seed_and_quarter_alone() -> None:
    plan = plan_rotation(BANK, "2026-Q2", seed=1)
    turned = BANK.with_anchors(BANK.anchors[::-1])
    assert set(plan_rotation(turned, "2026-Q2", seed=1).retire) == set(plan.retire)
    assert plan_rotation(BANK, "2026-Q2", seed=2).retire != plan.retire
    assert plan_rotation(BANK, "2026-Q3", seed=1).retire != plan.retire


def test_over_ten_quarters_every_anchor_leaves_once_and_strata_stay() -> None:
    bank = BANK
    left: list[str] = []
    for number in range(10):
        quarter = f"{2026 + (number + 1) // 4}-Q{(number + 1) % 4 + 1}"
        plan = plan_rotation(bank, quarter)
        left += plan.retire
        fresh = fresh_for(plan, 1000 + 100 * number)
        bank = rotate(bank, plan, fresh, f"{quarter[:4]}-01-01")
        assert {a.introduced for a in bank.anchors[-24:]} == {quarter}
        cells = Counter((a.tier, a.cluster) for a in bank.anchors)
        assert cells == Counter((a.tier, a.cluster) for a in BANK.anchors)
    # The oldest go first; a cluster's last old anchor may wait one round longer.
    assert len(set(left)) == 240
    assert len(set(left) & {a.id for a in BANK.anchors}) >= 230


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(TIERS), st.sampled_from(CLUSTERS)), min_size=1, max_size=60),
    st.floats(0.01, 0.5),
)
def test_no_cell_is_ever_emptied(cells: list[tuple[str, str]], share: float) -> None:
    anchors = [
        replace(BANK.anchors[0], id=str(n), tier=tier, cluster=cluster, text=f"Text {n}.")
        for n, (tier, cluster) in enumerate(cells)
    ]
    plan = plan_rotation(BANK.with_anchors(anchors), "2026-Q2", share=share)
    kept = {(a.tier, a.cluster) for a in anchors if a.id in set(plan.common)}
    assert kept == set(cells)
    for tier in TIERS:
        held = sum(a.tier == tier for a in anchors)
        gone = sum(a.tier == tier for a in anchors if a.id in set(plan.retire))
        assert gone <= max(1, share * held + 0.5)


def test_the_oldest_leave_first() -> None:
    aged = [a.introduced_in("2025-Q1" if n % 10 == 0 else "2026-Q1")
            for n, a in enumerate(BANK.anchors)]  # fmt: skip
    plan = plan_rotation(BANK.with_anchors(aged), "2026-Q2")
    old = {a.id for a in aged if a.introduced == "2025-Q1"}
    assert len(old & set(plan.retire)) >= 20


def test_what_does_not_fit_the_plan_is_refused() -> None:
    plan = plan_rotation(BANK, "2026-Q2")
    fresh = fresh_for(plan, 1000)
    with pytest.raises(BadAnchors, match="the plan needs 1 fresh anchors, not 0"):
        rotate(BANK, plan, fresh[1:], "2026-04-01")
    known = replace(fresh[0], id=BANK.anchors[0].id)
    with pytest.raises(BadAnchors, match="the id of another anchor"):
        rotate(BANK, plan, [known, *fresh[1:]], "2026-04-01")
    copied = replace(fresh[0], text=BANK.anchors[0].text)
    with pytest.raises(BadAnchors, match="not fresh"):
        rotate(BANK, plan, [copied, *fresh[1:]], "2026-04-01")
    with pytest.raises(BadAnchors, match="made for another bank"):
        rotate(BANK.with_anchors(BANK.anchors[1:]), plan, fresh, "2026-04-01")
    for share in (0.0, -0.1, 0.51, float("nan")):
        with pytest.raises(BadAnchors, match="share"):
            plan_rotation(BANK, "2026-Q2", share=share)


def test_the_link_is_read_from_common_anchors_alone() -> None:
    plan = plan_rotation(BANK, "2026-Q2")
    before = {anchor.id: anchor.consensus for anchor in BANK.anchors}
    moved = {"none": 1.0, "minor": 0.0, "major": -2.0, "reject": 3.0}
    after = {anchor.id: anchor.consensus + moved[anchor.tier] for anchor in BANK.anchors}
    for gone in plan.retire:
        after[gone] = 1000.0  # never read
    link = scale_link(BANK, plan, before, after)
    assert link.anchors == 216
    assert link.shift == pytest.approx(0.5)  # (1 + 0 - 2 + 3) / 4, 54 anchors each
    assert link.absolute == pytest.approx(1.5)
    assert link.by_tier == pytest.approx(moved)
    failed = {key: value for key, value in after.items() if key != plan.common[0]}
    assert scale_link(BANK, plan, before, failed).anchors == 215
    assert scale_link(BANK, plan, {}, after).shift is None
    with pytest.raises(BadAnchors, match="not finite"):
        scale_link(BANK, plan, before, {**after, plan.common[0]: float("nan")})
