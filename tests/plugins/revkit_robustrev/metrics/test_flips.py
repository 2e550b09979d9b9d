"""Flip rate, direction and McNemar on records small enough to count by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from revkit.figures.numbers import MOST_LISTED
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.model.table import Cell, Table
from revkit_robustrev.metrics import Direction, FlipRate, McNemar
from revkit_robustrev.metrics.direction_findings import _one_sided_agents
from revkit_robustrev.metrics.mcnemar import _findings as mcnemar_findings


def find(table: Table, **match: Cell) -> dict[str, Cell]:
    (row,) = [
        row for row in table.records() if all(row[key] == value for key, value in match.items())
    ]
    return row


@pytest.mark.parametrize(
    ("agent", "family", "pairs", "failed", "valid", "flips"),
    [
        ("points", "rewording", 3, 0, 3, 1),
        ("points", "citations", 3, 0, 3, 3),
        ("points", "all families", 6, 0, 6, 4),
        ("harsh", "rewording", 3, 1, 2, 1),
        ("harsh", "citations", 3, 0, 3, 1),
        ("harsh", "all families", 6, 1, 5, 2),
    ],
)
def test_counts_and_rate(
    small: Records, agent: str, family: str, pairs: int, failed: int, valid: int, flips: int
) -> None:
    row = find(FlipRate().measure(small), agent=agent, family=family)
    assert (row["pairs"], row["failed"], row["without_verdict"]) == (pairs, failed, 0)
    assert (row["valid"], row["flips"]) == (valid, flips)
    assert row["rate"] == pytest.approx(flips / valid)
    assert row["best_case"] == pytest.approx(flips / pairs)
    assert row["worst_case"] == pytest.approx((flips + failed) / pairs)
    assert row["rejected"] == (0 if family == "rewording" else 1)


def test_intervals_over_pairs_agree_with_statsmodels(small: Records) -> None:
    row = find(FlipRate().measure(small), agent="harsh", family="all families")
    wald = proportion_confint(2, 5, method="normal")
    wilson = proportion_confint(2, 5, method="wilson")
    assert (row["wald_low"], row["wald_high"]) == pytest.approx(wald)
    assert (row["wilson_low"], row["wilson_high"]) == pytest.approx(wilson)
    assert row["unit"] == "paper"
    assert row["papers"] == 3


def test_over_agents_is_the_mean_of_their_rates(small: Records) -> None:
    table = FlipRate().measure(small)
    mean = {"agent": "all agents", "statistic": "mean of agents"}
    assert find(table, family="rewording", **mean)["rate"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert find(table, family="citations", **mean)["rate"] == pytest.approx((1 + 1 / 3) / 2)
    assert find(table, family="all families", **mean)["rate"] == pytest.approx(8 / 15)
    assert find(table, statistic="median of agents")["rate"] == pytest.approx(8 / 15)
    assert any("range from 40.0 to 66.7 %" in note for note in table.notes)


def test_a_verdict_that_is_missing_is_neither_flip_nor_steady(small: Records) -> None:
    verdicts = [
        replace(v, accept=None) if v.agent == "points" and v.perturbation == "rewording" else v
        for v in small.verdicts
    ]
    table = FlipRate().measure(replace(small, verdicts=verdicts))
    row = find(table, agent="points", family="rewording")
    assert (row["pairs"], row["failed"], row["without_verdict"], row["valid"]) == (3, 0, 3, 0)
    assert row["rate"] is None
    assert row["cluster_low"] is None
    assert (row["best_case"], row["worst_case"]) == (0.0, 1.0)
    assert "no valid pair" in str(row["note"])
    mean = find(table, agent="all agents", family="rewording")
    assert mean["rate"] == pytest.approx(0.5)
    assert "no valid pair: points" in str(mean["note"])


def test_families_that_should_move_a_review_are_not_pooled(small: Records) -> None:
    rows = [small.perturbations[0], PerturbationRow("citations", "x", "decrease")]
    table = FlipRate().measure(replace(small, perturbations=rows))
    assert find(table, agent="points", family="all families")["valid"] == 3
    assert find(table, agent="points", family="citations")["flips"] == 3
    assert any("citations should move a fair review" in note for note in table.notes)
    compared = McNemar().measure(replace(small, perturbations=rows)).records()[0]
    assert compared["n"] == 2


def test_net_rate_is_the_rate_less_the_noise_of_both_sides(small: Records) -> None:
    # A second repeat that repeats the first, but for paper a of agent "points", now rejected.
    again = [
        replace(v, repeat=1, accept=False)
        if v.agent == "points" and v.paper == "a" and not v.perturbation
        else replace(v, repeat=1)
        for v in small.verdicts
    ]
    records = replace(small, repeats=2, verdicts=[*small.verdicts, *again])
    row = find(FlipRate().measure(records), agent="points", family="all families")
    # Second repeat: a is rejected before, so its rewording flips and its citations do not.
    # Repeats count once: two pairs of a flip by one half, three flip, one does not.
    assert (row["valid"], row["flips"]) == (6, 4)
    # Two of six pairs have an original of which the two verdicts differ; no variant has.
    assert row["noise_floor"] == pytest.approx((2 * 1 / 2) / 6)
    assert row["net_rate"] == pytest.approx(4 / 6 - 1 / 6)
    assert "repeats" not in str(row["note"])


def test_direction(small: Records) -> None:
    table = Direction().measure(small)
    row = find(table, agent="points", family="all families")
    assert (row["reject_to_accept"], row["accept_to_reject"], row["ratio"]) == (3, 1, 3.0)
    assert row["share"] == pytest.approx(0.75)
    # Paper a flips down once, b up once, c up twice: two pairs a paper, so no test over pairs, and
    # too few papers for one over papers.
    assert (row["p_exact"], row["p_fisher"], row["newcombe_low"]) == (None, None, None)
    assert (row["p_clustered"], row["informative"]) == (None, 3)
    low, high = float(row["share_low"] or 0), float(row["share_high"] or 0)
    assert row["ratio_low"] == pytest.approx(low / (1 - low))
    assert row["ratio_high"] == pytest.approx(high / (1 - high))
    assert (row["rejects"], row["reject_rate"]) == (4, pytest.approx(3 / 4))
    # Both pairs of accepted originals are of paper a: their count is stated, and no share.
    assert (row["accepts"], row["accept_rate"]) == (2, None)
    assert "accepts flipped: 1 of 2 pair(s) of one paper, so no share" in str(row["note"])
    for each in table.records():
        for name in ("reject_rate", "accept_rate", "risk_difference"):
            assert each[name] is None or each[f"{name}_low"] is not None, (each["agent"], name)
    together = find(table, agent="all agents", family="all families")
    assert (together["reject_to_accept"], together["accept_to_reject"]) == (None, None)
    # Over agents: the mean of log((up + 1/2) / (down + 1/2)), 3 : 1 and 1 : 1.
    assert together["ratio"] == pytest.approx(math.sqrt(3.5 / 1.5))
    # Acceptance rises by 2 of 6 pairs for one agent and not at all for the other.
    assert together["acceptance_change"] == pytest.approx((2 / 6 + 0) / 2)


def test_one_pair_a_paper_has_tests_over_pairs(small: Records) -> None:
    row = find(Direction().measure(small), agent="points", family="citations")
    # Paper a flips down; b and c flip up: 2 of 2 rejects, 1 of 1 accepts.
    assert row["p_exact"] == pytest.approx(scipy_stats.binomtest(2, 3).pvalue)
    assert row["p_fisher"] == pytest.approx(scipy_stats.fisher_exact([[2, 0], [1, 0]]).pvalue)
    gap = confint_proportions_2indep(2, 2, 1, 1, method="newcomb", compare="diff")
    assert (row["newcombe_low"], row["newcombe_high"]) == pytest.approx(gap)


def test_direction_without_a_flip_back_has_no_ratio(small: Records) -> None:
    row = find(Direction().measure(small), agent="points", family="rewording")
    assert (row["reject_to_accept"], row["accept_to_reject"]) == (1, 0)
    assert row["ratio"] is None
    assert row["ratio_high"] is None
    assert "no upper bound" in str(row["note"])


def test_mcnemar_counts_pairs_valid_for_both(small: Records) -> None:
    (row,) = McNemar().measure(small).records()
    assert (row["first"], row["second"], row["n"], row["left_out"]) == ("points", "harsh", 5, 1)
    cells = (row["both"], row["first_only"], row["second_only"], row["neither"])
    assert cells == (1, 2, 1, 1)
    assert row["difference"] == pytest.approx(3 / 5 - 2 / 5)
    table = [[1, 2], [1, 1]]
    plain = statsmodels_mcnemar(table, exact=False, correction=False)
    corrected = statsmodels_mcnemar(table, exact=False, correction=True)
    exact = statsmodels_mcnemar(table, exact=True)
    assert (row["chi2"], row["p_chi2"]) == pytest.approx((plain.statistic, plain.pvalue))
    assert row["p_corrected"] == pytest.approx(corrected.pvalue)
    assert row["p_exact"] == pytest.approx(exact.pvalue)
    assert row["p_mid"] == pytest.approx(5 / 8)
    # By paper the difference is +1, 0, 0, so X = 2/3 * 1 / 1.
    assert row["chi2_clustered"] == pytest.approx(2 / 3)
    # One informative paper cannot give a p-value below 5 %, so there is none.
    assert (row["p_clustered"], row["p_holm"], row["informative"]) == (None, None, 1)


def test_holm_multiplies_by_the_number_of_comparisons() -> None:
    # Twelve papers, one pair each: "first" flips on ten, "second" on two others, "third" as it.
    flips = {"first": range(10), "second": range(10, 12), "third": range(10, 12)}
    table = McNemar().measure(flipping(12, flips))
    same = find(table, first="second", second="third")
    assert (same["first_only"], same["second_only"], same["chi2"]) == (0, 0, None)
    assert same["p_clustered"] is None
    # d is +1 on ten papers and -1 on two: X = 11/12 * 8^2 / 12.
    p = scipy_stats.chi2.sf(11 / 12 * 64 / 12, 1)
    row = find(table, first="first", second="second")
    assert row["p_clustered"] == pytest.approx(p)
    assert row["p_holm"] == pytest.approx(min(1, 2 * p))
    assert "2 comparisons" in table.notes[0]


def flipping(papers: int, flips: Mapping[str, Iterable[int]], repeats: int = 1) -> Records:
    """Agents that accept all papers, and reject the variants whose number is named."""
    ids = [f"p{i:03d}" for i in range(papers)]
    verdicts = [
        Verdict(agent, paper, family, 0, repeat, not (family and i in set(where)), None)
        for agent, where in flips.items()
        for i, paper in enumerate(ids)
        for family in ("", "f")
        for repeat in range(repeats)
    ]
    scale = Scale("ten", 1, 10, accept_at=6)
    return Records(
        1,
        repeats,
        [PaperRow(paper, Labels(accept=True)) for paper in ids],
        [PerturbationRow("f", "f", "invariant")],
        [AgentRow(agent, agent, scale, True) for agent in flips],
        [VariantRow(paper, "f", 0, 1, 0, ()) for paper in ids],
        verdicts,
    )


def test_a_rate_of_zero_keeps_an_upper_bound(small: Records) -> None:
    verdicts = [replace(v, accept=True, failure="", score=None) for v in small.verdicts]
    table = FlipRate().measure(replace(small, verdicts=verdicts))
    row = find(table, agent="points", family="all families")
    upper = 1 - 0.025 ** (1 / 3)
    assert (row["rate"], row["cluster_low"]) == (0.0, 0.0)
    assert row["cluster_high"] == pytest.approx(upper)
    mean = find(table, statistic="mean of agents", family="all families")
    assert mean["cluster_high"] == pytest.approx(upper)
    assert math.isclose(float(mean["rate"] or 0), 0.0)


def test_one_agent_has_one_interval(small: Records) -> None:
    records = replace(
        small,
        agents=small.agents[:1],
        verdicts=[v for v in small.verdicts if v.agent == "points"],
    )
    table = FlipRate().measure(records)
    names = ("rate", "cluster_low", "cluster_high", "method", "papers")
    for family in ("rewording", "citations", "all families"):
        single = find(table, agent="points", family=family)
        mean = find(table, family=family, statistic="mean of agents")
        assert [mean[name] for name in names] == [single[name] for name in names]
    middle = find(table, statistic="median of agents")
    assert [middle[name] for name in names] == [single[name] for name in names]


def test_copies_of_a_paper_are_told(small: Records) -> None:
    papers = [replace(paper, digest="same") for paper in small.papers]
    notes = " ".join(FlipRate().measure(replace(small, papers=papers)).notes)
    assert "2 paper(s) have the same text as another paper" in notes
    assert "text of another" not in " ".join(FlipRate().measure(small).notes)


@pytest.mark.parametrize(("more", "text"), [(1, "1 more agent flips"), (2, "2 more agents flip")])
def test_agents_beyond_the_list_are_counted(more: int, text: str) -> None:
    rows: list[dict[str, Cell]] = [
        {"first": f"a{n}", "second": "z", "difference": -0.2, "p_holm": 0.01}
        for n in range(MOST_LISTED + more)
    ]
    [finding] = mcnemar_findings(rows)
    assert finding.text.endswith(f"; {text} less than others.")


def _stated(records: Records) -> str:
    return " ".join(finding.text for finding in FlipRate(resamples=100).measure(records).findings)


def _without(records: Records, **match: str) -> Records:
    kept = [
        verdict
        for verdict in records.verdicts
        if any(getattr(verdict, name) != value for name, value in match.items())
    ]
    return replace(records, verdicts=kept)


def test_a_mean_of_a_family_counts_the_agents_with_a_rate_under_it(small: Records) -> None:
    both = "citations (66.7% of 3 pairs, mean of the rates of 2 agents, 1 of them without a rank)"
    assert both in _stated(small)
    one = _without(small, agent="harsh", perturbation="citations")
    assert "citations (100.0% of 3 pairs, the rate of points)" in _stated(one)


def test_a_mean_of_agents_without_a_rank_states_it(small: Records) -> None:
    def accepting(verdict: Verdict) -> Verdict:
        return verdict if verdict.perturbation else replace(verdict, accept=True)

    of_harsh = [
        accepting(verdict) if verdict.agent == "harsh" else verdict for verdict in small.verdicts
    ]
    assert "mean of the rates of 2 agents, 1 of them without a rank" in _stated(
        replace(small, verdicts=of_harsh)
    )
    every = [accepting(verdict) for verdict in small.verdicts]
    assert "mean of the rates of 2 agents, none of them with a rank" in _stated(
        replace(small, verdicts=every)
    )


def test_the_highest_rate_of_each_agent_names_ties_and_is_not_stated_for_one(
    small: Records,
) -> None:
    start = "The highest flip rate under one family, for each agent with a rank that flips: "
    text = _stated(small)
    assert start in text
    assert "points under citations, 100.0% [" in text
    flips = [
        replace(verdict, accept=not verdict.accept)
        if (verdict.agent, verdict.paper, verdict.perturbation)
        in {("points", "a", "rewording"), ("points", "b", "rewording")}
        else verdict
        for verdict in small.verdicts
    ]
    assert "points under rewording and citations, 100.0% each" in _stated(
        replace(small, verdicts=flips)
    )
    alone = replace(
        small,
        agents=[agent for agent in small.agents if agent.name == "points"],
        verdicts=[verdict for verdict in small.verdicts if verdict.agent == "points"],
    )
    assert start not in _stated(alone)


def test_an_agent_without_a_test_is_not_said_to_be_tested() -> None:
    def row(name: str, p: float | None) -> dict[str, Cell]:
        ends = {"acceptance_change_low": 0.01, "acceptance_change_high": 0.2}
        return {"agent": name, "p_holm": p, "acceptance_change": 0.1, **ends}

    few = [row(f"few{n}", None) for n in range(MOST_LISTED + 3)]
    text = _one_sided_agents([row("tested", 0.3), *few])
    assert "excludes 0 for tested, but the test over papers" in text
    assert "few0" in text
    assert "and 3 more, but there are too few papers that flip for a test" in text
    assert "the test over papers" not in _one_sided_agents(few)
