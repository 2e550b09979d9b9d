"""A run stops at a fixed look, and the bytes do not depend on what threads had begun."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import SpecError
from revkit.execution.early_stop import is_settled
from revkit.spec.assertions import AssertionProblem
from revkit.spec.stop_conditions import StopWhen, read_condition, stop_when_from
from revkit.stats import sequential_mean
from revkit.testing import toys
from tests.execution.test_shards import files

TOY: dict[str, Any] = {
    "revkit": 1,
    "name": "stops",
    "corpus": {"use": "toy-papers", "with": {"papers": 300}},
    "perturbations": {"words": {"use": "toy-words", "with": {"share": 1.0}}},
    "agents": {"length": "toy-length", "coin": {"use": "toy-coin", "with": {"refuse": 0.2}}},
    "metrics": ["toy-flips"],
    "reports": ["toy-report"],
}
Run = Callable[..., Any]


def run(tmp_path: Path, name: str, **changes: Any) -> Any:
    spec = {**TOY, **changes}
    return revkit.run(spec, out=tmp_path / name, store=tmp_path / f"{name}.db", plugins=[toys])


def stated(tmp_path: Path, name: str) -> Any:
    return json.loads((tmp_path / name / "result.json").read_text())["stop_when"]


@pytest.mark.slow
def test_any_number_of_workers_stops_at_the_same_look(tmp_path: Path, no_plugins: None) -> None:
    condition = "flip_rate[coin].width <= 0.4"
    results = []
    for workers in (1, 4, 9):
        name = str(workers)
        found = run(tmp_path, name, workers=workers, **{"stop-when": condition})
        assert 20 <= len(found.records.papers) < 300
        assert len(found.records.papers) % 20 == 0
        # Nothing beyond the look was computed: a variant and two reviews of two texts for each.
        assert found.counts.computed + found.counts.stored == 5 * len(found.records.papers)
        results.append({k: v for k, v in files(tmp_path / name).items() if k != "spec.yaml"})
    assert results[1:] == results[:1] * 2
    assert stated(tmp_path, "1")["stopped"] is True
    [warning] = found.warnings
    assert warning.kind == "stopped-early"


def test_the_interval_is_that_of_the_statistics(tmp_path: Path, no_plugins: None) -> None:
    found = run(tmp_path, "r", **{"stop-when": "flip_rate[coin].width <= 0.4"})
    flips = [float(p.flip) for p in found.records.pairs("coin") if p.flip is not None]
    [expected] = sequential_mean(flips)
    [seen] = stated(tmp_path, "r")["conditions"]
    assert (seen["papers"], seen["value"]) == (len(flips), expected.value)
    assert (seen["low"], seen["high"]) == (expected.low, expected.high)
    assert seen["high"] - seen["low"] <= 0.4


def test_repeats_are_compared_as_the_tables_compare_them(tmp_path: Path, no_plugins: None) -> None:
    corpus = {"use": "toy-papers", "with": {"papers": 20}}
    run(tmp_path, "r", corpus=corpus, repeats=3, **{"stop-when": "flip_rate[coin].width <= 0.01"})
    opened = revkit.open_run(tmp_path / "r")
    flips = [pair.flip for pair in opened.pairs("coin") if pair.flip is not None]
    [seen] = stated(tmp_path, "r")["conditions"]
    assert seen["value"] == pytest.approx(sum(flips) / len(flips))
    assert seen["papers"] == len(flips)
    # A comparison within a repeat only is another figure.
    within = [pair.flip for pair in opened.records.pairs("coin") if pair.flip is not None]
    assert abs(seen["value"] - sum(within) / len(within)) > 0.01


@pytest.mark.slow
def test_the_figures_are_those_of_the_tables(tmp_path: Path) -> None:
    # Papers with different numbers of pairs, families that a careful reader may notice, repeats.
    spec = {
        "revkit": 1,
        "name": "tables",
        "corpus": {"use": "synthetic", "with": {"papers": 20}},
        "perturbations": {"citations": "citation-injection", "hedging": "hedging"},
        "agents": {"chance": "random", "counts": "citation-counter"},
        "metrics": ["flip-rate", "mcnemar"],
        "repeats": 2,
        "stop-when": [
            "flip_rate[chance].width <= 0.01",
            "flip_rate[chance, citations].width <= 0.01",
            "flip_rate_difference[chance, counts] != 0.3",
        ],
    }
    found = revkit.run(spec, out=tmp_path / "r", store=tmp_path / "r.db")
    counts = {row.paper: 0 for row in found.records.variants}
    for row in found.records.variants:
        counts[row.paper] += not row.rejected
    assert len(set(counts.values())) > 1
    rates = {
        row["family"]: row["rate"]
        for row in found.table("flip-rate").records()
        if row["agent"] == "chance" and row["statistic"] == "rate" and not row.get("direction")
    }
    [difference] = found.table("mcnemar").records()
    pooled, citations, gap = (each["value"] for each in stated(tmp_path, "r")["conditions"])
    assert pooled == pytest.approx(rates["all families"])
    assert citations == pytest.approx(rates["citations"])
    assert gap == pytest.approx(difference["difference"])


def test_assertions_use_the_intervals_that_are_valid_after_a_stop(tmp_path: Path) -> None:
    spec = {
        "revkit": 1,
        "name": "gate",
        "corpus": {"use": "synthetic", "with": {"papers": 60}},
        "perturbations": {"citations": "citation-injection", "hedging": "hedging"},
        "agents": {"counts": "citation-counter", "chance": "random"},
        "metrics": ["flip-rate", "clean-accuracy"],
        "stop-when": ["flip_rate[counts] <= 60 %", "flip_rate[counts, hedging] <= 60 %"],
    }
    found = revkit.run(spec, out=tmp_path / "r", store=tmp_path / "r.db")
    assert len(found.records.papers) < 60
    rows = [row for row in found.table("flip-rate").records() if row["agent"] == "counts"]
    [of_table] = [
        row["cluster_high"]
        for row in rows
        if (row["statistic"], row["family"]) == ("rate", "all families")
    ]
    pooled, hedging = (each["high"] for each in stated(tmp_path, "r")["conditions"])
    between = (of_table + pooled) / 2
    assert of_table < between < pooled
    texts = [
        f"flip_rate[counts].high <= {100 * between:.2f} %",
        f"flip_rate[counts].high <= {100 * pooled + 1:.2f} %",
        f"flip_rate[counts, hedging].high <= {100 * hedging - 0.5:.2f} %",
        f"flip_rate[counts, hedging].high <= {100 * hedging + 0.5:.2f} %",
        "flip_rate[chance].high <= 99 %",
        "accuracy[counts] beats majority",
        "flip_rate[chance] <= 99 %",
        "clean_accuracy.spearman[chance].low >= -1",
    ]
    expected = ["fails", "holds", "fails", "holds", "holds", "fails", "holds", "no-data"]
    for run_ in (found, revkit.open_run(found.folder)):
        results = revkit.check_run(run_, texts)
        assert [each.state for each in results] == expected
        assert "high of counts, all families at the early stop" in results[0].seen
        assert "run without stop-when" in results[7].seen


def test_the_assertions_can_be_the_conditions(tmp_path: Path) -> None:
    spec = {
        "revkit": 1,
        "name": "asserted",
        "corpus": {"use": "synthetic", "with": {"papers": 120}},
        "perturbations": {"hedging": "hedging"},
        "agents": {"counts": "citation-counter", "chance": "random"},
        "metrics": ["flip-rate", "clean-accuracy"],
        "stop-when": "assert",
        "assert": [
            "flip-rate[counts, hedging].high <= 50 %",
            "accuracy[chance] <= 85 %",
            "failures == 0",
            "accuracy[chance].low <= 80 %",
            "accuracy[counts] beats majority",
        ],
    }
    found = revkit.run(spec, out=tmp_path / "r", store=tmp_path / "r.db")
    looks = {each["condition"]: each for each in stated(tmp_path, "r")["conditions"]}
    assert [*looks] == [
        "flip-rate[counts, hedging] <= 50 %",
        "accuracy[chance] <= 85 %",
        "accuracy[chance] <= 80 %",
    ]
    assert 20 <= len(found.records.papers) < 120
    accuracy = looks["accuracy[chance] <= 85 %"]
    [row] = [r for r in found.table("clean-accuracy").records() if r["agent"] == "chance"]
    assert (accuracy["value"], accuracy["papers"]) == (pytest.approx(row["accuracy"]), row["n"])
    right = [
        float(verdict.accept is paper.labels.accept)
        for paper in found.records.papers
        for verdict in found.records.originals("chance")
        if verdict.paper == paper.id and paper.labels.accept is not None
    ]
    [expected] = sequential_mean(right)
    assert (accuracy["low"], accuracy["high"]) == (expected.low, expected.high)
    # An assertion about a figure of no condition has the interval of the stop, too.
    of_counts = next(
        each for each in found.at_stop if (each.figure, each.agent) == ("accuracy", "counts")
    )
    rows_ = {r["agent"]: r for r in found.table("clean-accuracy").records()}
    *others, last = revkit.check_run(found)
    assert {each.state for each in others} == {"holds"}
    majority = rows_["counts"]["majority"]
    assert last.state == ("holds" if of_counts.low > majority else "fails")
    assert of_counts.low < rows_["counts"]["accuracy_low"]
    # The resolved specification has the conditions, so the digest does not depend on the word.
    assert revkit.open_run(found.folder).spec["stop-when"]["all"] == [*looks]


@pytest.mark.parametrize(
    ("asserted", "message"),
    [
        (["failures == 0"], "name 1 to 20 conditions; 'assert' means those assertions"),
        ([], "name 1 to 20 conditions"),
        (["flip_rate[nobody].high <= 5 %"], "unknown agent 'nobody'"),
    ],
)
def test_assertions_that_no_look_can_settle_are_an_error(
    asserted: list[str], message: str, tmp_path: Path, no_plugins: None
) -> None:
    with pytest.raises(SpecError, match=message):
        run(tmp_path, "r", **{"stop-when": "assert", "assert": asserted})


def test_a_question_that_is_not_settled_uses_the_whole_corpus(
    tmp_path: Path, no_plugins: None
) -> None:
    corpus = {"use": "toy-papers", "with": {"papers": 30}}
    found = run(tmp_path, "r", corpus=corpus, **{"stop-when": "flip_rate[coin].width <= 0.01"})
    assert len(found.records.papers) == 30
    assert stated(tmp_path, "r")["stopped"] is False
    assert not found.warnings


def test_a_difference_of_two_agents_is_decided(tmp_path: Path, no_plugins: None) -> None:
    # Removing " may" changes the length, and so almost every score of one agent; none of its twin.
    agents = {"coin": "toy-coin", "same": {"use": "toy-length"}}
    condition = "flip_rate_difference[coin, same] != 0"
    run(tmp_path, "r", agents=agents, **{"stop-when": [condition]})
    [seen] = stated(tmp_path, "r")["conditions"]
    assert seen["settled"] == (seen["low"] > 0 or seen["high"] < 0)


def test_an_export_of_a_stopped_run_replays(tmp_path: Path, no_plugins: None) -> None:
    run(tmp_path, "r", **{"stop-when": {"all": "flip_rate[coin].width <= 0.5", "every": 7}})
    bundle = tmp_path / "b.zip"
    revkit.export(tmp_path / "r", bundle, store=tmp_path / "r.db", plugins=[toys])
    assert revkit.replay(bundle, out=tmp_path / "again", plugins=[toys]).identical


@pytest.mark.parametrize(
    ("text", "low", "high", "settled"),
    [
        ("flip_rate[a] <= 10 %", 0.02, 0.09, True),
        ("flip_rate[a] <= 10 %", 0.11, 0.3, True),  # settled: it does not hold
        ("flip_rate[a] <= 10 %", 0.02, 0.11, False),
        ("flip_rate[a] != 0.5", 0.4, 0.49, True),
        ("flip_rate[a].width <= 0.1", 0.2, 0.3, True),
        ("flip_rate[a].width <= 0.1", 0.2, 0.31, False),
        ("flip_rate[a].low > 0.1", 0.2, 0.9, True),
        ("flip_rate_difference[a, b] > 0", -0.1, 0.2, False),
        ("flip_rate_difference[a, b] > 0", 0.01, 0.2, True),
    ],
)
def test_when_a_condition_is_settled(text: str, low: float, high: float, settled: bool) -> None:
    assert is_settled(read_condition(text), low, high) is settled


@pytest.mark.parametrize(
    "text",
    [
        "accuracy[a, b] > 0.5", "clean_accuracy[a] > 0.5", "flip_rate > 0.5",
        "flip_rate[a] == 0.5", "flip_rate[a] beats b",
        "flip_rate[a].n > 5", "flip_rate_difference[a] > 0", "flip_rate[a, b, c] > 0", "",
        "flip_rate[a].width != 0.1", "flip_rate.low[a] > 1",
    ],
)  # fmt: skip
def test_what_is_not_a_condition_is_refused(text: str) -> None:
    with pytest.raises(AssertionProblem):
        read_condition(text)


def test_unknown_names_are_reported_with_their_place(no_plugins: None) -> None:
    for text, message in (
        ("flip_rate[lengt].width <= 0.1", "did you mean 'length'"),
        ("flip_rate[length, word].width <= 0.1", "did you mean 'words'"),
    ):
        with pytest.raises(SpecError, match=message):
            revkit.load({**TOY, "stop-when": text}, plugins=[toys])


def test_looks_are_at_fixed_counts() -> None:
    portions = StopWhen(("x",), 20).portions()
    papers, looks = 0, []
    while papers < 1000:
        papers += next(portions)
        looks.append(papers)
    assert looks[:20] == list(range(20, 401, 20))
    assert looks[20:24] == [440, 480, 520, 560]
    assert stop_when_from({"every": 5}) is None


def test_the_section_survives_being_written(no_plugins: None) -> None:
    found = revkit.load({**TOY, "stop-when": "flip_rate[coin] < 0.5"}, plugins=[toys])
    again = revkit.load(found.to_json(), plugins=[toys])
    assert again.digest == found.digest
    assert revkit.load(TOY, plugins=[toys]).digest != found.digest
