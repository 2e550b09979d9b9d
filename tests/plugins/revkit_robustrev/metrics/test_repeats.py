"""Repeats: what repeats itself adds no evidence, and noise is measured on both sides."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Metric
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.model.table import Cell, Table
from revkit_robustrev.metrics import (
    METRICS,
    Direction,
    FamilyContrast,
    FlipRate,
    NoiseFloor,
    Outcomes,
    ScoreShift,
    ThresholdSweep,
)

SCALES = (Scale("ten", 1, 10, accept_at=6), Scale("harsh", 0, 5, False, 2))
# What only repeats can give, and what states how many there were.
OF_REPEATS = ("noise", "net", "reject_net", "accept_net", "risk_difference_net", "note")


def same(records: Records, repeats: int) -> Records:
    """``records`` as they are if every text is reviewed ``repeats`` times with one result."""
    verdicts = [replace(v, repeat=i) for v in records.verdicts for i in range(repeats)]
    return replace(records, repeats=repeats, verdicts=verdicts)


def figures(table: Table) -> list[dict[str, Cell]]:
    return [
        {
            key: _without_repeats(cell) if key == "short" else cell
            for key, cell in row.items()
            if not key.startswith(OF_REPEATS)
        }
        for row in table.records()
    ]


def _without_repeats(short: Cell) -> Cell:
    """The figures whose intervals are short, without those that need repeats."""
    names = str(short or "").split(", ")
    return ", ".join(name for name in names if "net" not in name and "noise" not in name) or None


@st.composite
def deterministic(draw: st.DrawFn) -> Records:
    papers = [
        PaperRow(f"p{i}", Labels(accept=draw(st.sampled_from([None, True, False])), quality=i / 7))
        for i in range(draw(st.integers(1, 14)))
    ]
    families = [PerturbationRow(name, name, "invariant") for name in ("f", "g")]
    outcome = st.one_of(
        st.just(None),
        st.tuples(st.sampled_from([True, False]), st.sampled_from([1.0, 3.0, 5.0])),
    )
    agents = [AgentRow(f"a{i}", "a", SCALES[i % 2], True) for i in range(draw(st.integers(1, 3)))]
    verdicts = []
    for agent in agents:
        for paper in papers:
            for family in ("", "f", "g"):
                found = draw(outcome)
                place = (agent.name, paper.id, family, 0, 0)
                verdicts.append(
                    Verdict(*place, None, None, "timeout")
                    if found is None
                    else Verdict(*place, *found)
                )
    variants = [VariantRow(p.id, f.name, 0, 1, 0, ()) for p in papers for f in families]
    return Records(3, 1, papers, families, agents, variants, verdicts)


REPEATED = [metric for metric in METRICS if metric not in (NoiseFloor, Outcomes)]


@pytest.mark.parametrize("metric", REPEATED)
@settings(deadline=None, max_examples=8)
@given(records=deterministic())
def test_repeating_a_deterministic_agent_changes_no_figure(
    metric: type[Metric], records: Records
) -> None:
    once = metric(resamples=100).measure(records)  # type: ignore[call-arg]
    often = metric(resamples=100).measure(same(records, 10))  # type: ignore[call-arg]
    assert figures(often) == figures(once)
    assert [f for f in often.findings if f.place == "lead"] == [
        f for f in once.findings if f.place == "lead"
    ]


def find(table: Table, **match: Cell) -> dict[str, Cell]:
    (row,) = [
        row for row in table.records() if all(row[key] == value for key, value in match.items())
    ]
    return row


def noisy(verdicts: dict[tuple[str, str], tuple[bool, ...]], repeats: int = 2) -> Records:
    """One agent, one family; the verdicts on each paper and each variant."""
    papers = list(dict.fromkeys(paper for paper, _ in verdicts))
    return Records(
        1,
        repeats,
        [PaperRow(paper, Labels(accept=True)) for paper in papers],
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("coin", "coin", SCALES[0], False)],
        [VariantRow(paper, "f", 0, 1, 0, ()) for paper in papers],
        [
            Verdict("coin", paper, family, 0, i, accept, 8.0 if accept else 3.0)
            for (paper, family), found in verdicts.items()
            for i, accept in enumerate(found)
        ],
    )


def test_excess_change_and_net_rates_by_hand() -> None:
    yes, no = True, False
    records = noisy(
        {
            ("a", ""): (yes, no),  # p = 1/2
            ("a", "f"): (yes, yes),  # q = 1: flips 1/2, noise (1 + 0) / 2
            ("b", ""): (no, no),
            ("b", "f"): (yes, no),  # flips 1/2, noise (0 + 1) / 2
            ("c", ""): (no, no),
            ("c", "f"): (yes, yes),  # flips 1, no noise
        }
    )
    row = find(FlipRate().measure(records), agent="coin", family="f")
    assert (row["valid"], row["flips"]) == (3, 2)
    assert row["noise_floor"] == pytest.approx(1 / 3)
    assert row["net_rate"] == pytest.approx(1 / 3)
    # Accepted: (1/2 + 0 + 0) / 3 before, (1 + 1/2 + 1) / 3 after.
    assert row["acceptance_change"] == pytest.approx(2 / 3)
    assert row["net_pairs"] == 3
    assert (row["wilson_low"], row["wald_low"]) == (None, None)
    turned = find(Direction().measure(records), agent="coin", family="f")
    assert (turned["reject_to_accept"], turned["accept_to_reject"]) == (2, 0)
    assert turned["rejects"] == pytest.approx(2.5)
    assert turned["reject_rate"] == pytest.approx(2 / 2.5)
    # Noise alone flips half of paper a's reviews: a (k - a) / (k (k - 1)) = 1/2 each way.
    assert turned["reject_net"] == pytest.approx((2 - 0.5) / 2.5)
    assert turned["accept_net"] == pytest.approx((0 - 0.5) / 0.5)
    assert turned["p_fisher"] is None
    shift = find(ScoreShift().measure(records), agent="coin", family="f", axis="own")
    # Five points between the verdicts: the same figures times five.
    assert shift["mean_abs"] == pytest.approx(5 * 2 / 3)
    assert shift["noise"] == pytest.approx(5 / 3)
    assert shift["net"] == pytest.approx(5 / 3)
    assert shift["mean"] == pytest.approx(5 * 2 / 3)


def test_without_noise_a_net_figure_is_the_gross_one_with_its_interval() -> None:
    papers = [f"p{n}" for n in range(20)]
    verdicts = [
        Verdict("a", p, family, 0, repeat, score >= 6, float(score))
        for n, p in enumerate(papers)
        for family, score in (("", 7), ("x", 5 if n % 4 == 0 else 7 + n % 2))
        for repeat in range(2)
    ]
    records = Records(
        seed=1, repeats=2, papers=[PaperRow(p, Labels()) for p in papers],
        perturbations=[PerturbationRow("x", "x", "invariant")],
        agents=[AgentRow("a", "x", Scale("ten", 1, 10, accept_at=6), True)],
        variants=[VariantRow(p, "x", 0, 1, 0, ()) for p in papers], verdicts=verdicts,
    )  # fmt: skip
    flips = find(FlipRate().measure(records), agent="a", family="x")
    assert flips["net_rate"] == flips["rate"] == 0.25
    bounds = [(f"net_{end}", f"cluster_{end}") for end in ("low", "high")]
    assert all(flips[net] == flips[gross] for net, gross in bounds)
    shift = find(ScoreShift().measure(records), agent="a", family="x", axis="own")
    assert shift["net"] == shift["mean_abs"]
    assert all(shift[f"net_{end}"] == shift[f"abs_cluster_{end}"] for end in ("low", "high"))


def test_a_pair_needs_two_verdicts_a_side_for_noise() -> None:
    records = noisy({("a", ""): (True, False), ("a", "f"): (True, True)})
    lost = [
        replace(v, accept=None, score=None, failure="timeout") if v.repeat and v.perturbation else v
        for v in records.verdicts
    ]
    row = find(FlipRate().measure(replace(records, verdicts=lost)), agent="coin", family="f")
    assert (row["valid"], row["flips"], row["net_pairs"]) == (1, 0.5, 0)
    assert row["net_rate"] is None
    # One of two reviews of the variant failed: half of the comparisons are open.
    assert (row["best_case"], row["worst_case"]) == (0.25, 0.75)


def test_noise_of_papers_and_of_variants() -> None:
    records = noisy({("a", ""): (True, False), ("a", "f"): (True, True)})
    row = find(NoiseFloor().measure(records), agent="coin")
    assert (row["rate"], row["variant_rate"]) == (1.0, 0.0)
    assert (row["score"], row["variant_score"]) == (5.0, 0.0)


def test_families_are_compared_on_the_papers_of_both() -> None:
    # 20 papers; f flips the first 12, g the last 3 of the 16 papers that it has.
    papers = [PaperRow(f"p{i:02d}", Labels()) for i in range(20)]
    flips = {"f": set(range(12)), "g": {13, 14, 15}}
    places = [("f", i) for i in range(20)] + [("g", i) for i in range(16)]
    verdicts = [Verdict("a", paper.id, "", 0, 0, True, 8.0) for paper in papers]
    verdicts += [
        Verdict("a", papers[i].id, family, 0, 0, i not in flips[family], 8.0)
        for family, i in places
    ]
    records = Records(
        1,
        1,
        papers,
        [PerturbationRow(name, name, "invariant") for name in ("f", "g")],
        [AgentRow("a", "a", SCALES[0], True)],
        [VariantRow(papers[i].id, family, 0, 1, 0, ()) for family, i in places],
        verdicts,
    )
    [row] = FamilyContrast().measure(records).records()
    assert (row["papers"], row["pairs"], row["informative"]) == (16, 32, 15)
    assert (row["first_rate"], row["second_rate"]) == (12 / 16, 3 / 16)
    assert row["difference"] == pytest.approx(9 / 16)
    from scipy.stats import chi2

    p = chi2.sf(15 / 16 * 9**2 / 15, 1)
    assert row["p_clustered"] == pytest.approx(p)
    assert row["p_holm"] == pytest.approx(p)
    text = FlipRate().measure(records).findings[0].text
    assert (
        "The family with the highest rate is f (60.0% of 20 pairs); on the same papers it is "
        "higher than for g" in text
    )


def test_a_threshold_elsewhere_gives_another_rate() -> None:
    # Scores 5 -> 6 on half of the papers and 8 -> 9 on the others, accepted from 6.
    papers = [PaperRow(f"p{i:02d}", Labels()) for i in range(20)]
    verdicts = []
    for i, paper in enumerate(papers):
        before = 5.0 if i % 2 else 8.0
        for family, score in (("", before), ("f", before + 1)):
            verdicts.append(Verdict("a", paper.id, family, 0, 0, score >= 6, score))
    records = Records(
        1,
        1,
        papers,
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("a", "a", SCALES[0], True)],
        [VariantRow(paper.id, "f", 0, 1, 0, ()) for paper in papers],
        verdicts,
    )
    table = ThresholdSweep().measure(records)
    rates = {row["threshold"]: row["rate"] for row in table.records()}
    # The scores are 5, 6, 8 and 9; from 5, all texts are accepted.
    assert rates == {6: 0.5, 8: 0.0, 9: 0.5}
    assert [row["threshold"] for row in table.records() if row["declared"]] == [6.0]
    assert find(table, threshold=6.0)["accepted"] == 0.5
    assert find(table, threshold=9.0)["acceptance_change"] == pytest.approx(0.5)
    own = find(FlipRate().measure(records), agent="a", family="f")
    assert find(table, threshold=6.0)["rate"] == own["rate"]


def test_a_severity_scale_is_swept_from_its_own_end() -> None:
    records = noisy({("a", ""): (True, True), ("a", "f"): (True, True)})
    agents = [replace(records.agents[0], scale=Scale("s", 0, 4, False, 2, (0, 1, 2, 4)))]
    verdicts = [replace(v, score=1.0 if not v.perturbation else 2.0) for v in records.verdicts]
    found = ThresholdSweep().measure(replace(records, agents=agents, verdicts=verdicts)).records()
    assert {row["threshold"]: row["rate"] for row in found} == {0: 0.0, 1: 1.0, 2: 0.0}


@st.composite
def scored(draw: st.DrawFn) -> Records:
    """Scores of a scale that lists none, with two reviews of a text, of which some failed."""
    papers = [PaperRow(f"p{i}", Labels()) for i in range(draw(st.integers(1, 8)))]
    scale = draw(st.sampled_from([Scale("s", 0, 1, accept_at=0.5), Scale("h", 0, 1, False, None)]))
    score = st.one_of(st.none(), st.floats(0, 1).map(lambda x: round(x, 3)))
    verdicts = [
        Verdict("a", paper.id, family, 0, repeat, None, draw(score))
        for paper in papers
        for family in ("", "f", "g")
        for repeat in range(2)
    ]
    variants = [VariantRow(p.id, f, 0, 1, 0, ()) for p in papers for f in ("f", "g")]
    families = [PerturbationRow(name, name, "invariant") for name in ("f", "g")]
    agents = [AgentRow("a", "a", scale, True)]
    return Records(3, 2, papers, families, agents, variants, verdicts)


def flip_rate_at(records: Records, at: float) -> float:
    """The flip rate at a threshold, by a comparison of each review with each review."""
    better = records.agents[0].scale.higher_is_better
    texts: dict[tuple[str, str], list[bool]] = {}
    for v in records.verdicts:
        if v.score is not None:
            accepts = v.score >= at if better else v.score <= at
            texts.setdefault((v.paper, v.perturbation), []).append(accepts)
    flips = [
        sum(a != b for a in texts[paper, ""] for b in own) / len(texts[paper, ""]) / len(own)
        for (paper, family), own in texts.items()
        if family and (paper, "") in texts
    ]
    return sum(flips) / len(flips) if flips else 0.0


@settings(max_examples=60, deadline=None)
@given(scored(), st.sampled_from([1, 3, 200]))
def test_no_threshold_has_more_flips_than_the_highest_row(records: Records, steps: int) -> None:
    rows = ThresholdSweep(steps=steps, resamples=100).measure(records).records()
    rates = {float(row["threshold"] or 0): float(row["rate"] or 0) for row in rows}
    for at, rate in rates.items():
        assert rate == pytest.approx(flip_rate_at(records, at))
    given = sorted({v.score for v in records.verdicts if v.score is not None})
    between = [(a + b) / 2 for a, b in itertools.pairwise(given)]
    highest = max((flip_rate_at(records, at) for at in (-1, *given, *between, 2)), default=0.0)
    assert max(rates.values(), default=0.0) == pytest.approx(highest)
    declared = records.agents[0].scale.accept_at
    assert len(rows) <= steps + 1 + (declared is not None)
    assert [row["threshold"] for row in rows if row["declared"]] == (
        [] if declared is None else [declared]
    )


def test_a_row_states_where_not_all_thresholds_are_listed() -> None:
    # The scores 0, 1, ..., 99 of 100 papers; only that of p41 changes, from 41 to 42.
    papers = [PaperRow(f"p{i:02d}", Labels()) for i in range(100)]
    verdicts = [
        Verdict("a", paper.id, family, 0, 0, None, float(i + (family == "f" and i == 41)))
        for i, paper in enumerate(papers)
        for family in ("", "f")
    ]
    records = Records(
        1,
        1,
        papers,
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("a", "a", Scale("s", 0, 100), True)],
        [VariantRow(paper.id, "f", 0, 1, 0, ()) for paper in papers],
        verdicts,
    )
    table = ThresholdSweep(steps=9).measure(records)
    assert [row["threshold"] for row in table.records()] == [10, 20, 30, 40, 42, 50, 60, 70, 80, 90]
    assert find(table, threshold=42.0)["rate"] == pytest.approx(1 / 100)
    for row in table.records():
        assert "10 of 99 thresholds are listed" in str(row["note"])
    whole = ThresholdSweep(steps=99).measure(records).records()
    assert len(whole) == 99
    assert not any("are listed" in str(row["note"]) for row in whole)


@pytest.mark.parametrize(("flips", "wide"), [(1, True), (40, False)])
def test_an_agent_is_ranked_where_failures_leave_less_open_than_sampling(
    flips: int, wide: bool
) -> None:
    ids = [f"p{i:03d}" for i in range(100)]
    verdicts = [Verdict("a", paper, "", 0, 0, True, None) for paper in ids]
    for i, paper in enumerate(ids):
        lost = 90 <= i < 98
        accept = None if lost else i >= flips
        verdicts.append(Verdict("a", paper, "f", 0, 0, accept, None, "timeout" if lost else ""))
    # A second paper-wise verdict, so that the agent is not constant.
    verdicts[99] = replace(verdicts[99], accept=False)
    records = Records(
        1,
        1,
        [PaperRow(paper, Labels()) for paper in ids],
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("a", "a", SCALES[0], True)],
        [VariantRow(paper, "f", 0, 1, 0, ()) for paper in ids],
        verdicts,
    )
    row = find(FlipRate().measure(records), agent="a", family="all families")
    assert row["ranked"] is not wide
    assert row["best_case"] == pytest.approx((flips + 1) / 100)
    assert row["worst_case"] == pytest.approx((flips + 9) / 100)
    mean = find(FlipRate().measure(records), statistic="mean of agents", family="all families")
    names = ("best_case", "worst_case", "missing_low", "missing_high")
    assert [mean[name] for name in names] == [row[name] for name in names]


def test_without_failures_the_bounds_are_the_interval_of_the_rate() -> None:
    """Also where the flips of repeats are fractions, for which the two methods differ."""
    ids = [f"p{i:02d}" for i in range(14)]
    verdicts = [
        Verdict("a", paper, family, 0, repeat, (i * 7 + repeat * shift) % 5 < 3, None)
        for i, paper in enumerate(ids)
        for family, shift in (("", 1), ("f", 2))
        for repeat in range(3)
    ]
    records = Records(
        1,
        3,
        [PaperRow(paper, Labels()) for paper in ids],
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("a", "a", SCALES[0], False)],
        [VariantRow(paper, "f", 0, 1, 0, ()) for paper in ids],
        verdicts,
    )
    row = find(FlipRate().measure(records), agent="a", family="f")
    assert 0 < row["rate"] < 1
    assert row["best_case"] == row["worst_case"] == pytest.approx(row["rate"])
    ends = (row["cluster_low"], row["cluster_high"])
    assert (row["missing_low"], row["missing_high"]) == ends


def test_a_size_is_of_all_comparisons_and_a_shift_is_of_means() -> None:
    papers = [PaperRow(f"p{i}", Labels()) for i in range(6)]
    scores = {"": (4.0, 8.0), "f": (5.0, 7.0)}
    verdicts = [
        Verdict("a", paper.id, family, 0, repeat, score >= 6, score)
        for paper in papers
        for family, given in scores.items()
        for repeat, score in enumerate(given)
    ]
    records = Records(
        1,
        2,
        papers,
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow("a", "a", SCALES[0], False)],
        [VariantRow(paper.id, "f", 0, 1, 0, ()) for paper in papers],
        verdicts,
    )
    row = next(
        row
        for row in ScoreShift(resamples=100).measure(records).records()
        if (row["agent"], row["family"], row["axis"]) == ("a", "f", "own")
    )
    assert row["mean_abs"] == pytest.approx((1 + 3 + 3 + 1) / 4)
    assert (row["mean"], row["minimum"], row["maximum"]) == (0.0, 0.0, 0.0)
    assert row["unmoved"] == 0
