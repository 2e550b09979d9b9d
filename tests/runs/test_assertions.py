"""Assertions: their grammar, what they read, and that whatever is missing does not hold."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit.contracts import Metric
from revkit.errors import SpecError
from revkit.execution.fault import Fault
from revkit.model.figure_at_stop import FigureAtStop
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.model.table import Cell, Column, Measure, Table
from revkit.runs.assertion_results import check_assertions, junit_of, summary_table
from revkit.runs.table_text import markdown_of
from revkit.spec.assertions import AssertionProblem, assertion_problems, read_assertion

COLUMNS = (
    Column("agent", "Agent", role="agent"),
    Column("family", "Family", role="family"),
    Column("rate", "Rate", "share"),
    Column("rate_low", "Low", "share", role="low", of="rate"),
    Column("rate_high", "High", "share", role="high", of="rate"),
    Column("majority", "Majority", "share"),
    Column("mean", "Mean", "score points"),
)
EVERY = "all families"


def table() -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("gpt", EVERY, 0.1, 0.05, 0.2, 0.04, 1.5),
        ("gpt", "hedging", 0.3, None, None, 0.04, 1.0),
        ("words", EVERY, 0.4, 0.3, 0.5, 0.4, 2.0),
        ("hedging", EVERY, 0.0, 0.0, 0.1, 0.4, 2.0),
    ]
    measure = Measure("agent", "rate", (("family", EVERY),), aspect="robustness", better="lower")
    return Table("flip-rate", "Flips", COLUMNS, tuple(rows), measures=(measure,))


@dataclass
class Results:
    """A run of 4 reviews of gpt, one of which failed, and of 4 variants, one of them rejected."""

    tables: dict[str, Table] = field(default_factory=lambda: {"flip-rate": table()})
    faults: tuple[Fault, ...] = ()
    warnings: tuple[object, ...] = ()
    at_stop: tuple[FigureAtStop, ...] = ()

    @property
    def records(self) -> Records:
        variants = [
            VariantRow("p", "hedging", i, 1, 0, (), *(("no", "gate", "g") if i == 0 else ()))
            for i in range(4)
        ]
        verdicts = [
            Verdict("gpt", "p", "", 0, i, None if i else True, None, "timeout" if i == 3 else "")
            for i in range(4)
        ]
        agents = [AgentRow("gpt", "toy", Scale("ten", 1, 10), True)]
        return Records(1, 4, [PaperRow("p", Labels())], [], agents, variants, verdicts)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("flip_rate[gpt].high <= 0.2", "holds"),
        ("flip_rate[gpt].high < 20 %", "fails"),
        ("flip-rate.rate[gpt] == 0.1", "holds"),
        ("flip_rate[gpt] <= 10%", "holds"),
        ("robustness[gpt] <= 10%", "invalid"),  # the name says that higher is better
        ("flip_rate[gpt, hedging] <= 0.3", "holds"),
        ("flip_rate[family=hedging] <= 0.3", "holds"),
        ("flip_rate[hedging] == 0", "holds"),  # an agent of the name of a family is the agent
        ('flip_rate["gpt"].mean > 1', "holds"),
        ("flip_rate.low >= 0", "invalid"),  # no rate is below 0
        ("flip_rate.low > 0", "fails"),
        ("flip_rate <= 0.2", "fails"),  # every agent, and words has 0.4
        ("flip_rate[gpt] beats majority", "holds"),
        ("flip_rate[words] beats majority", "fails"),
        ("failures <= 25 %", "holds"),
        ("failures < 25 %", "fails"),
        ("failures[gpt] == 1", "holds"),
        ("rejected <= 25%", "holds"),
        ("papers >= 1", "holds"),
        ("papers >= +1.0", "holds"),
        ("faults != 0", "fails"),
        # Whatever is missing does not hold.
        ("flip_rate[gpt, hedging].high <= 1", "no-data"),
        ("flip_rate[nobody] <= 1", "no-data"),
        ("accuracy[gpt] >= 0", "invalid"),
        ("flip_rate.nothing[gpt] >= 0", "invalid"),
        ("flip_rate[gpt].nothing >= 0", "invalid"),
        ("flip_rate[gpt].mean >= 1 %", "invalid"),
        ("failures[nobody] == 0", "no-data"),
        ("papers >= 1 %", "invalid"),
        ("papers.x >= 1", "invalid"),
        ("papers >= -1", "invalid"),
        ("papers[gpt] >= 1", "invalid"),
        ("failures[family=hedging] == 0", "invalid"),
        ("flip_rate[axis=own] >= 0", "no-data"),
        ("flip_rate[gpt] beats nothing", "invalid"),
        ("failures[gpt", "invalid"),
    ],
)
def test_assertions_hold_or_not(text: str, state: str) -> None:
    [result] = check_assertions([text], Results())
    assert (result.state, result.holds) == (state, state == "holds"), result.seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("flip_rate[gpt] < 7", "rate is a share, at most 1, and never 7; write 7% or 0.07"),
        ("flip_rate[gpt].high <= 1.5", "rate_high is a share, at most 1, .* 1.5% or 0.015"),
        ("clean.p >= -0.1", "p is between 0 and 1, so a comparison with -0.1 states nothing"),
        ("clean.p < 5", "p is between 0 and 1"),
        ("clean.p <= 1", "holds with every run, because p is from 0 to 1"),
        ("clean.r >= -1", "holds with every run, because r is from -1 to 1"),
        ("flip_rate[gpt] <= 130%", "holds with every run"),
        ("flip_rate[gpt] >= -0.05", "holds with every run"),
        ("clean.r > -2", "r is between -1 and 1"),
        ("clean.items >= -1", "items is at least 0"),
        ("reviews > -3", "reviews is never below 0"),
        ("rejected < 120 %", "rejected is never above 100 %"),
    ],
)
def test_a_number_that_the_figure_never_reaches_is_no_gate(text: str, seen: str) -> None:
    columns = (Column("p", "", "p"), Column("r", "", "correlation"), Column("items", "", "count"))
    other = Table("clean", "Clean", columns, ((0.2, 0.9, 4),))
    [result] = check_assertions([text], Results({"flip-rate": table(), "clean": other}))
    assert result.state == "invalid"
    assert re.search(seen, result.seen), result.seen


@pytest.mark.parametrize(
    "text",
    [
        "flip_rate[gpt] < 11%",
        "flip_rate[gpt] < 1",
        "flip_rate[gpt] > 0",
        "flip_rate.mean[gpt] < 7",
        "clean.p < 1",
        "clean.r > -1",
        "rejected < 100%",
    ],
)
def test_a_number_that_the_figure_may_reach_is_a_gate(text: str) -> None:
    columns = (Column("p", "", "p"), Column("r", "", "correlation"))
    other = Table("clean", "Clean", columns, ((0.2, 0.9),))
    [result] = check_assertions([text], Results({"flip-rate": table(), "clean": other}))
    assert result.holds, result.seen


@pytest.mark.parametrize("text", ["flip_rate[gpt] <= 5%", "robustness[gpt] <= 5%"])
def test_a_figure_of_a_metric_that_crashed_is_without_data(text: str) -> None:
    crashed = Results({}, (Fault("metric", "flip-rate", "ValueError", "bad"),))
    [result] = check_assertions([text], crashed)
    assert (result.state, result.seen) == ("no-data", "metric flip-rate failed; correct its error")
    others = Results({}, (Fault("report", "flip-rate", "ValueError", "bad"),))
    assert check_assertions([text], others)[0].state == "invalid"
    there = Results(faults=crashed.faults)
    assert check_assertions(["flip_rate.nothing[gpt] > 0"], there)[0].state == "invalid"


def test_a_missing_value_of_a_table_without_names_is_stated() -> None:
    other = Table("clean", "Clean", (Column("p", "", "p"),), ((None,),))
    [result] = check_assertions(["clean.p <= 0.1"], Results({"clean": other}))
    assert result.seen == "p has no value"


def test_a_run_without_reviews_has_no_share_of_failures() -> None:
    results = Results(tables={})
    empty = Records(1, 1, [], [], [], [], [])
    results.__class__ = type("Empty", (Results,), {"records": empty})
    assert check_assertions(["failures <= 1 %"], results)[0].state == "no-data"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a figure, such as flip_rate at character 1, not the end"),
        ("flip_rate", "expected a comparison .* at character 10, not the end"),
        ("flip_rate <= x", "expected a number, .* at character 14, not 'x'"),
        ("flip_rate <= 1 or 1", "expected the end of the assertion at character 16"),
        ("__import__('os')", "expected a comparison"),
        ("flip_rate[] < 1", "expected the name of an agent"),
        ('flip_rate["a] < 1', "expected a closing"),
        ("flip_rate <= 1e5", "expected the end"),
        ("flip_rate <= " + "1" * 40, "expected a number"),
        ("a" * 501, "at most 500 characters"),
    ],
)
def test_what_is_no_assertion_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(AssertionProblem, match=message):
        read_assertion(text)


@given(st.text(max_size=60))
def test_any_text_is_an_assertion_or_a_problem(text: str) -> None:
    try:
        found = read_assertion(text)
    except AssertionProblem:
        return
    assert found.text == text
    assert found.figure


def test_files_for_continuous_integration() -> None:
    run = Results()
    results = check_assertions(["failures == 1", "flip_rate['<&\"|'] < 1", "papers > 5"], run)
    suite = ElementTree.fromstring(junit_of(results, "a & b"))
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    kinds = [case.find("failure") is None for case in suite.iter("testcase")]
    assert kinds == [True, False, False]
    summary = markdown_of(summary_table(results))
    assert summary.startswith("**Assertions: 1 of 3 hold**")
    assert "<&" not in summary


def test_the_spec_states_assertions(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], toys_file: str, tmp_path: Path
) -> None:
    plain = run_toy(toy_spec, out="runs/plain")
    toy_spec["assert"] = ["failures == 0", "papers == 6", "rejected < 100 %"]
    run = run_toy(toy_spec, out="runs/gate")
    assert [result.state for result in revkit.check_run(run)] == ["holds"] * 3
    assert run.experiment.digest == plain.experiment.digest
    assert revkit.check_run(plain) == []
    opened = revkit.open_run(run.folder)
    assert [result.state for result in revkit.check_run(opened)] == ["holds"] * 3
    assert revkit.check_run(opened, ["papers > 6"])[0].state == "fails"


def test_wrong_assertions_are_problems_of_the_spec(
    toy_spec: dict[str, Any], no_plugins: None
) -> None:
    from revkit.testing import toys

    toy_spec["assert"] = ["failures <= x", "toy_flips[lenght] < 1", "failures <= 500 %"]
    with pytest.raises(SpecError) as error:
        revkit.validate(toy_spec, plugins=[toys])
    first, second, third = error.value.problems
    assert "failures is never above 100 %" in str(third)
    assert "assert[0]" in str(first) or "assert.0" in str(first)
    assert "did you mean 'length'" in str(second)


DECLARED = {
    "revkit": 1,
    "name": "declared",
    "seed": 1,
    "corpus": {"use": "synthetic", "with": {"papers": 4}},
    "perturbations": {"hedging": "hedging"},
    "agents": {"length": "length-reader"},
    "metrics": ["flip-rate", "outcomes"],
}


@pytest.mark.parametrize(
    ("assertion", "words"),
    [
        ("accuracy[length] beats chance", "gives the figure 'accuracy'; add clean-accuracy"),
        (
            "clean_accuracy.majority > 0",
            "write one of these names: flip-rate, outcomes, papers",
        ),
        ("flip_rate.rates < 0.5", "unknown column of table flip-rate 'rates'; did you mean 'rate'"),
        ("flip_rate[length] beats chance", "unknown column of table flip-rate 'chance'"),
        ("flip_rate < 5", "rate is a share, at most 1, and never 5; write 5% or 0.05"),
        ("robustness >= 80%", "write flip_rate instead of robustness"),
        ("robustness[length].high < 0.5", "where a lower value is better"),
        ("flip_rate.papers < 5 %", "papers is not a share"),
        ("flip_rate.papers > -1", "papers is at least 0"),
        ("outcomes < 5", "table outcomes has no main column"),
        ("papers.x >= 1", "papers is a count, without columns"),
        ("papers beats majority", "papers is a count, without columns"),
        ("papers >= 1 %", "papers is not a share of anything; write a count"),
        ("warnings[length] == 0", "warnings is not counted by agent"),
        ("failures[family=hedging] == 0", "failures is counted by agent or judge only"),
        ("reviews[length] > 5 %", "reviews is not a share of anything"),
        ("failures <= 0.01", "never 0.01; write a whole number, or 1% for a share"),
        ("flip_rate[length] <= 100%", "holds with every run, because rate is from 0 % to 100 %"),
        ("flip_rate >= 0", "holds with every run"),
        ("flip_rate > 1", "holds with no run"),
        ("flip_rate.high <= 1", "holds with every run, because cluster_high is from 0 % to 100 %"),
        ("flip_rate < 0", "holds with no run"),
        ("flip_rate == -1 %", "holds with no run"),
        ("flip_rate != 110 %", "holds with every run"),
        ("flip_rate.papers >= 0", "holds with every run, because papers is at least 0"),
        ("flip_rate.papers < 0", "holds with no run"),
        ("failures <= 100%", "holds with every run, because failures is from 0 % to 100 %"),
        ("failures > 100%", "holds with no run"),
        ("failures < 0", "holds with no run, because failures is at least 0"),
        ("papers >= 0", "holds with every run"),
        ("papers >= 2.5", "papers is a whole number, never 2.5; write a whole number"),
    ],
)
def test_an_assertion_that_no_run_can_meet_or_miss_is_a_problem_of_the_spec(
    assertion: str, words: str
) -> None:
    with pytest.raises(SpecError) as error:
        revkit.validate({**DECLARED, "assert": [assertion]})
    (problem,) = error.value.problems
    assert words in str(problem)


@pytest.mark.parametrize("limit", [{"limit": 3}, {"sample": {"n": 3}}])
def test_a_trial_of_a_few_papers_is_not_refused(limit: dict[str, Any]) -> None:
    """``--limit 3`` tries a spec whose assertions are about all papers."""
    revkit.validate({**DECLARED, **limit, "assert": ["papers >= 100"]})
    revkit.validate({**DECLARED, "assert": ["papers >= 100"]}, limit=3)


def test_a_metric_without_declared_columns_may_have_the_name_of_a_count() -> None:
    class Named(Metric):
        name = "failures"

        def measure(self, records: Records) -> Table:
            raise AssertionError

    texts = ["failures.rate[length] <= 0.05", "failures <= 0.05"]
    assert list(assertion_problems(texts, ["length"], [Named()])) == []
    assert [index for index, _ in assertion_problems(texts, ["length"], [])] == [0, 1]


def test_an_experiment_without_edits_has_no_variants_to_count() -> None:
    spec = {**DECLARED, "metrics": ["outcomes"]}
    del spec["perturbations"]
    for text, words in (
        ("variants > 0", "attempts no variants, so 'variants > 0' never holds"),
        ("rejected <= 5 %", "attempts no variants, so rejected is not a share of anything"),
    ):
        with pytest.raises(SpecError, match=words):
            revkit.validate({**spec, "assert": [text]})
    revkit.validate({**spec, "assert": ["variants == 0", "crashed < 1"]})


def test_an_assertion_that_a_run_decides_is_no_problem() -> None:
    fine = ["flip_rate < 5 %", "flip_rate[length].high < 0.5", "flip_rate.n > 3", "failures < 7"]
    fine += ["flip_rate < 100%", "flip_rate > 0", "flip_rate <= 0", "flip_rate >= 1"]
    fine += [
        "flip_rate.acceptance_change >= 0",
        "flip_rate.net_rate >= -10 %",
        "flip_rate.papers <= 0",
    ]
    fine += ["failures == 0", "failures > 0", "failures >= 100%", "rejected < 100%"]
    revkit.validate({**DECLARED, "assert": fine})
    more = ["accuracy[length] beats majority", "clean_accuracy.n > 3"]
    metrics = [*DECLARED["metrics"], "clean-accuracy"]
    revkit.validate({**DECLARED, "metrics": metrics, "assert": [*fine, *more]})


@pytest.mark.parametrize(
    ("metric", "assertion", "words"),
    [
        ("defenses", "defenses.sucess < 0.1", "unknown column of table defenses 'sucess'"),
        ("defenses", "robustness < 0.5", "write defenses.success instead of robustness"),
        ("rubric-detection", "rubric_detection < 7", "rate is a share"),
        ("common-scale", "common_scale < 7", "has no main column"),
        ("model-usage", "model_usage.pages < 7", "unknown column of table model-usage 'pages'"),
    ],
)
def test_columns_of_all_metrics_are_checked_before_a_run(
    metric: str, assertion: str, words: str
) -> None:
    with pytest.raises(SpecError, match=words):
        revkit.validate({**DECLARED, "metrics": [metric], "assert": [assertion]})


def test_a_metric_without_declared_columns_may_give_any_table(
    toy_spec: dict[str, Any], no_plugins: None
) -> None:
    from revkit.testing import toys

    toy_spec["assert"] = ["something.else > 5"]
    revkit.validate(toy_spec, plugins=[toys])


BOTH = 'assert=["papers == 6", "papers == 7"]'


def test_exit_codes(
    toy_spec: dict[str, Any], toys_file: str, revkit_command: Callable[..., Any], tmp_path: Path
) -> None:
    toy_spec["assert"] = ["papers == 6"]
    (tmp_path / "spec.yaml").write_text(json.dumps(toy_spec), encoding="utf-8")
    command = ("run", "spec.yaml", "--plugin", toys_file, "--out", "runs/a", "--quiet")
    done = revkit_command(*command, "--junit", "out/gate.xml", "--summary", "summary.md")
    assert (done.returncode, done.stdout) == (0, "")
    assert 'failures="0"' in (tmp_path / "out" / "gate.xml").read_text(encoding="utf-8")
    failed = revkit_command(*command, "--set", 'assert=["papers == 7"]', "--summary", "summary.md")
    assert failed.returncode == 5
    assert "FAILS    papers == 7  (papers = 6)" in failed.stderr
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "1 of 1 hold" in summary
    assert "0 of 1 hold" in summary
    checked = revkit_command("check", "a", "--assert", "papers == 6", "--json")
    assert json.loads(checked.stdout)[0]["state"] == "holds"
    shown = revkit_command("check", "a", "--assert", "papers == 6", "--assert", "papers == 7")
    assert (shown.returncode, shown.stderr) == (5, "")
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["holds", "FAILS"]
    loud = revkit_command(*(word for word in command if word != "--quiet"), "--set", BOTH)
    assert loud.returncode == 5
    assert [line.split()[0] for line in loud.stdout.splitlines()[-2:]] == ["holds", "FAILS"]
    as_json = revkit_command(*command, "--set", BOTH, "--json")
    assert [each["state"] for each in json.loads(as_json.stdout)["assertions"]] == [
        "holds",
        "fails",
    ]
    assert revkit_command("check", "a").returncode == 5
    assert revkit_command("check", "nothing").returncode == 1


def test_the_number_of_observations_of_a_flip_rate_is_a_gate(tmp_path: Path) -> None:
    spec = {
        "revkit": 1,
        "name": "n",
        "corpus": {"use": "synthetic", "with": {"papers": 4}},
        "perturbations": {"hedging": "hedging"},
        "agents": {"length": "length-reader"},
        "metrics": ["flip-rate"],
    }
    run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store")
    rows = run.table("flip-rate").records()
    [pairs] = [row["valid"] for row in rows if (row["agent"], row["family"]) == ("length", EVERY)]
    assert pairs
    first, second = revkit.check_run(
        run, [f"flip_rate[length].n >= {pairs}", f"flip_rate[length].n > {pairs}"]
    )
    assert (first.state, second.state) == ("holds", "fails")
