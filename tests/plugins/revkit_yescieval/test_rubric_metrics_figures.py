"""The figures over judgements, by hand on a run of three papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from revkit import stats
from revkit.figures import Resampling
from revkit.model.criterion import Criterion
from revkit.model.paper import Labels
from revkit.model.records import (
    AgentRow,
    Judgement,
    PaperRow,
    PerturbationRow,
    Records,
    VariantRow,
)
from revkit.model.table import Cell, Table
from revkit_yescieval.judges.control import LEVELS
from revkit_yescieval.metrics import (
    METRICS,
    RubricDetection,
    RubricDiagonal,
    RubricItems,
    RubricMatrix,
    RubricOptimism,
    RubricOrder,
    RubricScores,
)

PAPERS = ("p1", "p2", "p3")
# By rubric and perturbation: the score of each paper; None is a failure.
SCORES: dict[tuple[str, str], tuple[int | None, ...]] = {
    ("cohesion", ""): (5, 4, 4),
    ("cohesion", "shuffled-a-little"): (4, 4, None),
    ("cohesion", "shuffled"): (2, 3, 1),
    ("cohesion", "sports"): (5, 4, 3),
    ("cohesion", "hedged"): (5, 4, 4),
    ("coherence", ""): (5, 5, 4),
    ("coherence", "shuffled-a-little"): (5, 5, 4),
    ("coherence", "shuffled"): (5, 4, 4),
    ("coherence", "sports"): (1, 2, 1),
    ("coherence", "hedged"): (5, 5, 4),
    ("relevancy", ""): (5, 5, 5),
    ("relevancy", "shuffled-a-little"): (5, 5, 5),
    ("relevancy", "shuffled"): (5, 5, 5),
    ("relevancy", "sports"): (2, 3, 1),
    ("relevancy", "hedged"): (5, 5, 5),
}
LEVEL_TEXTS = tuple((n, f"level {n}") for n in range(1, 6))


def records() -> Records:
    perturbations = [
        PerturbationRow("shuffled-a-little", "c", "decrease", "cohesion", {"level": "subtle"}),
        PerturbationRow("shuffled", "c", "decrease", "cohesion", {"level": "extreme"}),
        PerturbationRow("sports", "c", "decrease", "coherence", {"level": "extreme"}),
        PerturbationRow("hedged", "h", "invariant"),
    ]
    judgements = [
        Judgement("j", rubric, paper, name, 0, 0, score, "" if score else "timeout")
        for (rubric, name), scores in SCORES.items()
        for paper, score in zip(PAPERS, scores, strict=True)
    ]
    return Records(
        seed=3,
        repeats=1,
        papers=[PaperRow(paper, Labels()) for paper in PAPERS],
        perturbations=perturbations,
        agents=[],
        variants=[
            VariantRow(paper, row.name, 0, 1, 0, ()) for paper in PAPERS for row in perturbations
        ],
        verdicts=[],
        rubrics=[
            Criterion(name, "Is it?", LEVEL_TEXTS, family)
            for name, family in (("cohesion", "form"), ("coherence", "logic"), ("relevancy", ""))
        ],
        judges=[AgentRow("j", "control-judge", LEVELS, True)],
        judgements=judgements,
    )


def row(table: Table, **where: Cell) -> Mapping[str, Any]:
    (found,) = [
        each for each in table.records() if all(each[name] == cell for name, cell in where.items())
    ]
    return found


def test_scores_and_drops() -> None:
    table = RubricScores().measure(records())
    assert [(r["rubric"], r["level"]) for r in table.records()] == [
        ("cohesion", "original"),
        ("cohesion", "subtle"),
        ("cohesion", "extreme"),
        ("coherence", "original"),
        ("coherence", "extreme"),
        ("relevancy", "original"),
    ]
    before = row(table, rubric="cohesion", level="original")
    assert (before["n"], before["planned"], before["missing"], before["failed"]) == (3, 3, 0, 0)
    assert before["mean"] == pytest.approx(13 / 3)
    assert before["drop"] is None
    assert before["family"] == "form"
    subtle = row(table, rubric="cohesion", level="subtle")
    assert (subtle["n"], subtle["failed"], subtle["failed_timeout"]) == (2, 1, 1)
    assert (subtle["mean"], subtle["pairs"], subtle["drop"]) == (4.0, 2, 0.5)
    extreme = row(table, rubric="cohesion", level="extreme")
    assert (extreme["mean"], extreme["drop"]) == (2.0, pytest.approx(7 / 3))
    expected = stats.cluster_bootstrap_mean([3, 1, 3], [1, 1, 1], resampling=Resampling(3)).interval
    assert (extreme["drop_low"], extreme["drop_high"]) == (expected.low, expected.high)
    assert extreme["unit"] == "paper"
    assert "only 3 papers" in extreme["note"]
    assert "No perturbation of this run targets relevancy." in table.notes


def test_a_score_that_never_came_is_missing_and_a_variant_that_was_not_made_is_rejected() -> None:
    full = records()
    lost = replace(
        full,
        judgements=[j for j in full.judgements if (j.perturbation, j.paper) != ("shuffled", "p1")],
        variants=[
            replace(v, rejected="too short", outcome="declined")
            if (v.perturbation, v.paper) == ("sports", "p2")
            else v
            for v in full.variants
        ],
    )
    table = RubricScores().measure(lost)
    extreme = row(table, rubric="cohesion", level="extreme")
    assert (extreme["planned"], extreme["missing"], extreme["n"], extreme["rejected"]) == (
        3,
        1,
        2,
        0,
    )
    assert row(table, rubric="coherence", level="extreme")["rejected"] == 1


def test_order_of_the_levels() -> None:
    """p1 falls 5, 4, 2; p2 4, 4, 3; p3 has no subtle score.

    Ranks with the extreme level first are (1, 2, 3) and (1, 2.5, 2.5): L = 14 + 13.5. Of all
    orders of these ranks one in six reaches 14 and one in three 13.5, and no sum of others is as
    high: p = 1 / 18.
    """
    table = RubricOrder().measure(records())
    found = row(table, rubric="cohesion")
    assert (found["items"], found["incomplete"], found["n"], found["papers"]) == (3, 1, 2, 2)
    assert (found["strict"], found["strict_rate"]) == (1, 0.5)
    assert (found["weak"], found["weak_rate"]) == (2, 1.0)
    assert (found["tied"], found["flat"]) == (1, 0)
    assert found["page_l"] == 27.5
    assert found["p"] == pytest.approx(1 / 18)
    assert found["p_holm"] == pytest.approx(1 / 18)
    assert found["test"] == "page, exact"
    other = row(table, rubric="coherence")
    assert (other["items"], other["n"], other["strict_rate"], other["p"]) == (0, 0, None, None)
    assert "no paper with a score at every level" in other["note"]


def test_repeats_of_a_paper_are_one_block_of_the_trend_test() -> None:
    full = records()
    again = [replace(j, repeat=1) for j in full.judgements]
    twice = replace(full, repeats=2, judgements=[*full.judgements, *again])
    found = row(RubricOrder().measure(twice), rubric="cohesion")
    assert (found["items"], found["n"], found["papers"]) == (6, 4, 2)
    assert (found["strict"], found["p"]) == (2, pytest.approx(1 / 18))


def test_a_flat_judge_keeps_the_weak_order_only() -> None:
    full = records()
    flat = replace(full, judgements=[replace(j, score=5.0, failure="") for j in full.judgements])
    found = row(RubricOrder().measure(flat), rubric="cohesion")
    assert (found["strict"], found["weak"], found["flat"], found["p"]) == (0, 3, 3, 1.0)


def test_holm_counts_the_rows_that_have_a_p() -> None:
    full = records()
    second = [replace(j, judge="k") for j in full.judgements]
    judges = [*full.judges, replace(full.judges[0], name="k")]
    both = replace(full, judges=judges, judgements=[*full.judgements, *second])
    table = RubricOrder().measure(both)
    assert row(table, judge="k", rubric="cohesion")["p_holm"] == pytest.approx(2 / 18)


@pytest.mark.parametrize(
    ("rubric", "edits", "level", "n", "failed", "moved"),
    [
        ("cohesion", "own", "subtle", 2, 1, 1),
        ("cohesion", "own", "extreme", 3, 0, 3),
        ("cohesion", "other", "extreme", 3, 0, 1),
        ("cohesion", "other", "", 3, 0, 0),
        ("coherence", "own", "extreme", 3, 0, 3),
        ("coherence", "other", "extreme", 3, 0, 1),
        ("coherence", "other", "subtle", 3, 0, 0),
        ("relevancy", "shared", "extreme", 3, 0, 3),
        ("relevancy", "other", "extreme", 3, 0, 0),
        ("all rubrics", "own", "extreme", 6, 0, 6),
        ("all rubrics", "shared", "extreme", 3, 0, 3),
        ("all rubrics", "other", "extreme", 9, 0, 2),
    ],
)
def test_detections_and_false_alarms(
    rubric: str, edits: str, level: str, n: int, failed: int, moved: int
) -> None:
    found = row(RubricDetection().measure(records()), rubric=rubric, edits=edits, level=level)
    assert (found["n"], found["failed"], found["moved"]) == (n, failed, moved)
    assert found["pairs"] == n + failed
    assert found["rate"] == pytest.approx(moved / n)
    assert found["method"]
    assert found["rate_low"] <= moved / n <= found["rate_high"]


def test_the_drop_that_counts_is_an_option() -> None:
    table = RubricDetection(drop=2).measure(records())
    assert row(table, rubric="cohesion", edits="own", level="extreme")["moved"] == 2
    assert row(table, rubric="cohesion", edits="own", level="subtle")["moved"] == 0
    assert "fell by 2 point(s) or more" in table.notes[0]


def test_the_matrix() -> None:
    table = RubricMatrix().measure(records())
    assert len(table.rows) == 4 * 3
    drops = {
        (r["level"], r["perturbed"], r["judged"]): (r["drop"], r["relation"], r["n"])
        for r in table.records()
    }
    assert drops["extreme", "cohesion", "cohesion"] == (pytest.approx(7 / 3), "own", 3)
    assert drops["extreme", "coherence", "cohesion"] == (pytest.approx(1 / 3), "other", 3)
    assert drops["extreme", "coherence", "coherence"] == (pytest.approx(10 / 3), "own", 3)
    assert drops["extreme", "coherence", "relevancy"] == (3.0, "shared", 3)
    assert drops["subtle", "cohesion", "cohesion"] == (0.5, "own", 2)
    assert drops["", "hedged", "coherence"] == (0.0, "other", 3)
    charts = [(c.kind, c.x, c.y, c.value, c.where) for c in table.charts]
    assert charts == [
        ("heat-map", "judged", "perturbed", "drop", (("judge", "j"), ("level", level)))
        for level in ("extreme", "subtle")
    ]


def test_how_diagonal_a_judge_is() -> None:
    """Own drops 3, 1, 3, 4, 3, 3; unrelated ones 0, 0, 1 and 0, 1, 0 and 0, 0, 0."""
    found = row(RubricDiagonal().measure(records()), level="extreme")
    assert (found["own_n"], found["own"]) == (6, pytest.approx(17 / 6))
    assert (found["other_n"], found["other"]) == (9, pytest.approx(2 / 9))
    assert found["dominance"] == pytest.approx(17 / 6 - 2 / 9)
    assert found["dominance_low"] <= found["dominance"] <= found["dominance_high"]
    assert (found["first"], found["of"]) == (2, 2)
    levels = [r["level"] for r in RubricDiagonal().measure(records()).records()]
    assert levels == ["subtle", "extreme"]  # nothing aims at a rubric at level ""


def test_the_sentence_has_the_pairs_of_each_judge() -> None:
    """Judge k scores half of the pairs of j, and its scores rise."""
    run = records()
    other = [
        replace(each, judge="k", score=None if each.score is None else 6 - each.score)
        for each in run.judgements
        if each.paper != "p3"
    ]
    both = replace(
        run,
        judges=[*run.judges, AgentRow("k", "control-judge", LEVELS, True)],
        judgements=[*run.judgements, *other],
    )
    text = RubricDiagonal().measure(both).findings[2].text
    assert text.startswith(
        "Under extreme edits, the score of the targeted rubric falls by this many points on "
        "average (below 0: it rises), by judge, over 4 to 6 pairs: j 2.83"
    )
    assert ", k -2.75" in text


def test_optimism() -> None:
    table = RubricOptimism().measure(records())
    assert row(table, rubric="cohesion")["mean"] == 2.0
    assert row(table, rubric="coherence")["mean"] == pytest.approx(4 / 3)
    together = row(table, rubric="all rubrics")
    assert (together["mean"], together["n"], together["papers"]) == (pytest.approx(5 / 3), 6, 3)


def test_rubrics_of_different_scales_are_not_pooled() -> None:
    full = records()
    other = Criterion("coherence", "Is it?", LEVEL_TEXTS[:3])
    mixed = replace(full, rubrics=[full.rubrics[0], other, full.rubrics[2]])
    table = RubricOptimism().measure(mixed)
    assert [r["rubric"] for r in table.records()] == ["cohesion", "coherence"]
    assert "different scales" in table.notes[-1]


def test_items() -> None:
    table = RubricItems().measure(records())
    assert len(table.rows) == 3 * (3 + 2 + 1)
    assert [r["paper"] for r in table.records()] == ["p1"] * 6 + ["p2"] * 6 + ["p3"] * 6
    lost = row(table, paper="p3", rubric="cohesion", level="subtle")
    assert (lost["score"], lost["drop"], lost["failure"]) == (None, None, "timeout")
    fell = row(table, paper="p1", rubric="coherence", level="extreme")
    assert (fell["score"], fell["drop"], fell["perturbation"]) == (1, 4, "sports")
    assert row(table, paper="p1", rubric="coherence", level="original")["drop"] is None
    assert len(RubricItems(all=True).measure(records()).rows) == 3 * 3 * 5


TWO_PAIRS: dict[str, tuple[tuple[str, str], tuple[int, ...], str]] = {
    # A perturbation with its scores of p1 and p2 (before: 5 and 4), and the digests of both texts.
    "rules-subtle": (("c", "subtle"), (4, 4), "a b"),
    "rules-extreme": (("c", "extreme"), (2, 3), "c b"),
    "model-subtle": (("m", "subtle"), (3, 2), "d e"),
    "model-extreme": (("m", "extreme"), (1, 1), "f g"),
}


def two_pairs() -> Records:
    """Two components lower cohesion at both levels; for p2 the first makes one text of both."""
    full = records()
    rows = [
        PerturbationRow(name, component, "decrease", "cohesion", {"level": level})
        for name, ((component, level), _, _) in TWO_PAIRS.items()
    ]
    before = [j for j in full.judgements if (j.rubric, j.perturbation) == ("cohesion", "")][:2]
    return replace(
        full,
        papers=full.papers[:2],
        perturbations=rows,
        variants=[
            VariantRow(paper, name, 0, 1, 0, (), digest=digest)
            for name, (_, _, digests) in TWO_PAIRS.items()
            for paper, digest in zip(PAPERS, digests.split(), strict=False)
        ],
        rubrics=full.rubrics[:1],
        judgements=[
            *before,
            *(
                Judgement("j", "cohesion", paper, name, 0, 0, score, "")
                for name, (_, scores, _) in TWO_PAIRS.items()
                for paper, score in zip(PAPERS, scores, strict=False)
            ),
        ],
    )


def test_two_perturbations_at_one_level_are_planned_and_counted_apart() -> None:
    """Four variants a level, of which one is left out: the one of p2 that is equal at both."""
    table = RubricScores().measure(two_pairs())
    subtle = row(table, level="subtle")
    counts = ("planned", "missing", "coincide", "n", "failed", "pairs")
    assert [subtle[name] for name in counts] == [3, 0, 1, 3, 0, 3]
    assert subtle["mean"] == pytest.approx((4 + 3 + 2) / 3)
    assert subtle["drop"] == pytest.approx((1 + 2 + 2) / 3)
    extreme = row(table, level="extreme")
    assert [extreme[name] for name in counts] == [3, 0, 1, 3, 0, 3]
    assert extreme["mean"] == pytest.approx((2 + 1 + 1) / 3)
    lost = replace(two_pairs(), judgements=two_pairs().judgements[:-1])
    assert row(RubricScores().measure(lost), level="extreme")["missing"] == 1


def test_every_table_leaves_out_and_counts_the_same_texts() -> None:
    run = two_pairs()
    drop = (3 + 4 + 3) / 3  # 5 - 2, 5 - 1 and 4 - 1
    matrix = row(RubricMatrix().measure(run), level="extreme")
    assert (matrix["coincide"], matrix["pairs"], matrix["drop"]) == (1, 3, pytest.approx(drop))
    diagonal = row(RubricDiagonal().measure(run), level="extreme")
    assert (diagonal["coincide"], diagonal["own_n"]) == (1, 3)
    for rubric in ("cohesion", "all rubrics"):
        found = row(RubricDetection().measure(run), rubric=rubric, level="subtle")
        assert (found["coincide"], found["pairs"], found["moved"]) == (1, 3, 3)
    optimism = row(RubricOptimism().measure(run), rubric="cohesion")
    scores = row(RubricScores().measure(run), level="extreme")
    assert (optimism["coincide"], optimism["n"], optimism["mean"]) == (1, 3, scores["mean"])
    order = row(RubricOrder().measure(run), rubric="cohesion")
    assert (order["coincide"], order["items"], order["n"], order["strict"]) == (1, 3, 3, 3)
    equal = [(r["paper"], r["perturbation"]) for r in items_left_out(run)]
    assert equal == [("p2", "rules-subtle"), ("p2", "rules-extreme")]


def items_left_out(run: Records) -> list[Mapping[str, Any]]:
    return [each for each in RubricItems().measure(run).records() if each["coincides"]]


def test_perturbations_of_two_components_form_a_pair_if_there_is_no_other() -> None:
    run = two_pairs()
    rows = [each for each in run.perturbations if each.name in ("rules-subtle", "model-extreme")]
    order = row(RubricOrder().measure(replace(run, perturbations=rows)), rubric="cohesion")
    assert (order["coincide"], order["n"], order["strict"]) == (0, 2, 1)  # 5 4 1 and 4 4 1


def test_a_table_warns_of_few_papers() -> None:
    for metric in METRICS:
        texts = [(each.kind, each.text) for each in metric().measure(records()).warnings]
        few = ("imprecise", "Only 3 papers: intervals from resampling may be too short.")
        assert texts in ([few], [("imprecise", few[1].replace("3", "2"))], []), metric.name
        assert bool(texts) is (metric is not RubricItems)


def test_reports_show_detections_by_judge() -> None:
    table = RubricDetection().measure(records())
    titles = [measure.title for measure in table.measures]
    assert titles == [
        "Detected, subtle", "Detected, extreme", "False alarms, subtle", "False alarms, extreme",
    ]  # fmt: skip
    for measure in table.measures:
        assert len([r for r in table.records() if dict(measure.where).items() <= r.items()]) == 1


def test_the_order_of_rows_does_not_matter() -> None:
    full = records()
    turned = replace(full, judgements=list(reversed(full.judgements)))
    for metric in METRICS:
        if metric is not RubricItems:
            assert metric().measure(turned).rows == metric().measure(full).rows


def test_runs_without_judges_give_empty_tables() -> None:
    bare = replace(records(), judges=[], judgements=[], rubrics=[])
    for metric in METRICS:
        assert metric().measure(bare).rows == ()


def test_every_figure_has_its_number_interval_and_unit() -> None:
    for metric in METRICS:
        table = metric().measure(records())
        if metric is RubricItems:
            continue
        names = [column.name for column in table.columns]
        assert {"judge", "confidence", "unit", "short", "note"} <= set(names)
        figures = [column.of for column in table.columns if column.role == "low"]
        assert figures
        for figure in figures:
            assert {figure, f"{figure}_high"} <= set(names)
        stored = Table.from_json(table.to_json())
        assert stored == table


def test_runs_without_papers_have_rows_without_figures() -> None:
    empty = replace(records(), papers=[], variants=[], judgements=[])
    for metric in METRICS:
        for found in metric().measure(empty).records():
            assert found.get("n", 0) == 0
            assert found.get("mean") is None
            assert found.get("drop") is None


def test_the_unit_is_the_paper() -> None:
    """Repeats of a score add observations, not papers: they leave an interval as it is."""
    full = records()
    again = [replace(j, repeat=1) for j in full.judgements]
    twice = replace(full, repeats=2, judgements=[*full.judgements, *again])
    one = row(RubricScores().measure(full), rubric="cohesion", level="extreme")
    two = row(RubricScores().measure(twice), rubric="cohesion", level="extreme")
    assert (one["pairs"], two["pairs"]) == (3, 6)
    for name in ("drop", "drop_low", "drop_high", "mean_low", "mean_high", "papers"):
        assert one[name] == two[name]


def test_many_columns_are_the_same_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = RubricMatrix().measure(records())
    monkeypatch.setattr("revkit.figures.resampling_options._AT_ONCE", 5)
    assert RubricMatrix().measure(records()) == whole
