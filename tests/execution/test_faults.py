"""Components that misbehave, and corpora, metrics and reports that do."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import revkit
from revkit import errors
from revkit.contracts import (
    Agent,
    Constraint,
    Context,
    Corpus,
    Defense,
    Metric,
    Perturbation,
    Reporter,
    RunView,
)
from revkit.errors import Interrupted, RevkitError, RunError, StatisticsError
from revkit.execution import Fault
from revkit.execution.fault import fault_from_json
from revkit.execution.runner import Runner
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Failure, Review, Scale
from revkit.model.table import Column, Table
from revkit.model.variant import Check, Rejection
from revkit.spec import AgentStep, Experiment, PerturbationStep
from revkit.testing.toys import ToyCoin, ToyFlips, ToyLength, ToyLimit, ToyPapers, ToyWords

CALLS: list[str] = []
SCALE = Scale("ten", 1, 10, accept_at=6)


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    CALLS.clear()


ANSWERS: Mapping[str, Callable[[], Any]] = {
    "good": lambda: Review(True, 7),
    "none": lambda: None,
    "number": lambda: 7,
    "bool-score": lambda: Review(True, True),
    "text-score": lambda: Review(True, "7"),  # type: ignore[arg-type]
    "nan": lambda: Review(True, math.nan),
    "off-scale": lambda: Review(True, 11),
    "accept-1": lambda: Review(1, 7),  # type: ignore[arg-type]
    "odd-details": lambda: Review(True, 7, details={"x": {1}}),  # type: ignore[dict-item]
    "nan-details": lambda: Review(True, 7, details={"x": [math.nan]}),
    "odd-text": lambda: Review(True, 7, text=7),  # type: ignore[arg-type]
    "refusal": lambda: Failure("refusal", "no\nnot at all", "raw \udcff"),
    "odd-failure": lambda: Failure("timeout", 5, None),  # type: ignore[arg-type]
}


@dataclass(frozen=True)
class Odd(Agent):
    """Answers as it is told."""

    name: ClassVar[str] = "odd"
    version: ClassVar[str] = "1"
    scale = SCALE
    answer: str = "good"

    def review(self, paper: Paper, ctx: Context) -> Any:
        CALLS.append(self.answer)
        if self.answer == "raise":
            raise ValueError("first line\nsecond line")
        if self.answer == "exit":
            raise SystemExit(0)
        if self.answer == "recursion":
            return self.review(paper, ctx)
        if self.answer == "embed":
            return ctx.embed(["x"])
        return ANSWERS[self.answer]()


EDITS: Mapping[str, Callable[[Paper], Any]] = {
    "good": lambda paper: [Edit(0, 1, "X")],
    "none-at-all": lambda paper: [],
    "no-change": lambda paper: [Edit(0, 1, paper.text[0])],
    "cancel": lambda paper: [Edit(0, 1, ""), Edit(1, 1, paper.text[0])],
    "rejection": lambda paper: Rejection("not fair"),
    "silent-rejection": lambda paper: Rejection(""),
    "overlap": lambda paper: [Edit(0, 3, "a"), Edit(2, 4, "b")],
    "outside": lambda paper: [Edit(0, 10**9, "a")],
    "negative": lambda paper: [Edit(-3, -1, "a")],
    "none": lambda paper: None,
    "text": lambda paper: "a new text",
    "none-new": lambda paper: [Edit(0, 1, None)],  # type: ignore[arg-type]
    "float": lambda paper: [Edit(0.0, 1.0, "a")],  # type: ignore[arg-type]
    "blank": lambda paper: [Edit(0, len(paper.text), " ")],
    "surrogate": lambda paper: [Edit(0, 1, "\ud800")],
    "generator": lambda paper: (edit for edit in [Edit(0, 1, "X")]),
}


@dataclass(frozen=True)
class OddEdits(Perturbation):
    """Edits as it is told."""

    name: ClassVar[str] = "odd-edits"
    version: ClassVar[str] = "1"
    kind: str = "good"
    gate: str = ""

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        CALLS.append(self.kind)
        if self.kind == "raise":
            raise KeyError("x")
        if self.kind == "exit":
            raise SystemExit(3)
        return EDITS[self.kind](paper)

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Any:
        if self.gate == "raise":
            raise RuntimeError("gate")
        return {
            "": [],
            "fail": [Check("near", 0.1, 0.05, False), Check("far", 1.0, 2.0, True)],
            "nan": [Check("near", math.nan, 0.05, True)],
            "truthy": [Check("near", 0.1, 0.05, "False")],  # type: ignore[arg-type]
            "bool": [True],
            "none": None,
        }[self.gate]


def experiment(**changes: Any) -> Experiment:
    given: dict[str, Any] = {
        "corpus": ToyPapers(papers_=3),
        "agents": {"good": Odd()},
        "workers": 2,
    }
    return Experiment(**(given | changes))


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        ("none", "schema", "not NoneType"),
        ("number", "schema", "not int"),
        ("bool-score", "schema", "score must be a number"),
        ("text-score", "schema", "score must be a number"),
        ("nan", "schema", "score must be finite"),
        ("off-scale", "schema", "11 is not a score of scale 'ten'"),
        ("accept-1", "schema", "accept must be true or false"),
        ("odd-details", "schema", "details are not JSON"),
        ("nan-details", "schema", "details are not JSON"),
        ("odd-text", "schema", "text must be text"),
        ("refusal", "refusal", "no\nnot at all"),
        ("odd-failure", "timeout", "5"),
        ("raise", "crashed", "ValueError: first line"),
        ("exit", "crashed", "SystemExit: 0"),
        ("recursion", "crashed", "RecursionError"),
        ("embed", "crashed", "RuntimeError: declare uses"),
    ],
)
def test_what_is_no_review_is_a_failure_and_no_number(
    run_toy: Callable[..., Any], answer: str, kind: str, detail: str
) -> None:
    agents = {"good": Odd(), "bad": Odd(answer)}
    spec = experiment(agents=agents, perturbations={"p": OddEdits()}, metrics=[ToyFlips()])
    run = run_toy(spec)
    bad = [v for v in run.records.verdicts if v.agent == "bad"]
    assert {(v.failure, v.score, v.accept) for v in bad} == {(kind, None, None)}
    rows = [row for row in run.rows("outcomes") if row["agent"] == "bad"]
    assert all(detail in row["detail"] for row in rows)
    assert run.exit_code == 1
    assert run.counts.failed == 6
    assert run.table("toy-flips").records()[1] == {
        "agent": "bad", "pairs": 3, "flips": 0, "failed": 3,
    }  # fmt: skip
    # Failures are tried again, reviews are not.
    calls = len(CALLS)
    again = run_toy(spec)
    assert again.counts.computed == 6
    assert len(CALLS) > calls
    assert "good" not in CALLS[calls:]


def test_no_valid_review_at_all(run_toy: Callable[..., Any]) -> None:
    run = run_toy(experiment(agents={"bad": Odd("refusal")}))
    assert run.exit_code == 4
    assert (run.folder / "result.json").is_file()


@pytest.mark.parametrize(
    ("kind", "gate", "rejected", "outcome", "by"),
    [
        ("none-at-all", "", "nothing to edit", "declined", ""),
        ("no-change", "", "nothing to edit", "declined", ""),
        ("cancel", "", "the edits cancel each other out", "declined", ""),
        ("rejection", "", "not fair", "declined", ""),
        ("silent-rejection", "", "rejected without a reason", "declined", ""),
        ("good", "fail", "did not pass near", "gate", "near"),
    ],
)
def test_rejections_are_outcomes_and_stay(
    run_toy: Callable[..., Any], kind: str, gate: str, rejected: str, outcome: str, by: str
) -> None:
    spec = experiment(perturbations={"p": OddEdits(kind, gate)})
    run = run_toy(spec)
    rows = run.records.variants
    assert [(r.rejected, r.outcome, r.gate) for r in rows] == [(rejected, outcome, by)] * 3
    assert [(r["outcome"], r["gate"]) for r in run.rows("variants")] == [(outcome, by)] * 3
    assert run.exit_code == 0
    assert all(not verdict.perturbation for verdict in run.records.verdicts)
    assert run_toy(spec).counts.computed == 0
    assert [row["digest"] for row in run.rows("variants")] == ["", "", ""]


@pytest.mark.parametrize(
    ("kind", "gate", "reason"),
    [
        ("overlap", "", "PaperError: edits 0:3 and 2:4 overlap"),
        ("outside", "", "lies outside"),
        ("negative", "", "lies outside"),
        ("none", "", "TypeError"),
        ("text", "", "PaperError: expected an Edit, not str"),
        ("none-new", "", "new and note must be text"),
        ("float", "", "whole numbers"),
        ("blank", "", "has no text"),
        ("surrogate", "", "lone surrogate"),
        ("raise", "", "KeyError: 'x'"),
        ("exit", "", "SystemExit: 3"),
        ("good", "raise", "RuntimeError: gate"),
        ("good", "nan", "not JSON compliant"),
        ("good", "truthy", "expected a Check whose `passed`"),
        ("good", "bool", "expected a Check whose `passed`"),
        ("good", "none", "TypeError"),
    ],
)
def test_perturbations_that_crash_are_rejected_counted_and_tried_again(
    run_toy: Callable[..., Any], kind: str, gate: str, reason: str
) -> None:
    spec = experiment(perturbations={"p": OddEdits(kind, gate), "fine": OddEdits()})
    run = run_toy(spec)
    rows = [row for row in run.records.variants if row.perturbation == "p"]
    assert all(row.outcome == "crashed" and reason in row.rejected for row in rows)
    assert len(rows) == 3
    assert run.exit_code == 1
    assert len(run.records.pairs("good", "fine")) == 3
    assert run.records.pairs("good", "p") == []
    assert run_toy(spec).counts.computed == 3


def test_any_iterable_of_edits_will_do(run_toy: Callable[..., Any]) -> None:
    run = run_toy(experiment(perturbations={"p": OddEdits("generator")}))
    assert [row.edits for row in run.records.variants] == [1, 1, 1]


@dataclass(frozen=True)
class OddConstraint(Constraint):
    """Prunes and checks as it is told."""

    name: ClassVar[str] = "odd-constraint"
    version: ClassVar[str] = "1"
    kind: str = ""

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Any:
        return {
            "all": [],
            "more": [*edits, Edit(len(paper.text), len(paper.text), "!")],
            "none": None,
        }.get(self.kind, edits)

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Any:
        if self.kind == "raise":
            raise ValueError("check")
        return Check("odd", None, None, self.kind != "fail") if self.kind != "bool" else True


@pytest.mark.parametrize(
    ("kind", "rejected", "outcome", "gate"),
    [
        ("all", "no edit passed odd-constraint", "gate", "odd-constraint"),
        ("fail", "did not pass odd", "gate", "odd"),
        ("more", "made new edits", "crashed", ""),
        ("none", "TypeError", "crashed", ""),
        ("raise", "ValueError: check", "crashed", ""),
        ("bool", "expected a Check", "crashed", ""),
        ("", "", "made", ""),
    ],
)
def test_constraints(
    run_toy: Callable[..., Any], kind: str, rejected: str, outcome: str, gate: str
) -> None:
    step = PerturbationStep(OddEdits(), (OddConstraint(kind),))
    run = run_toy(experiment(perturbations={"p": step}))
    for row in run.records.variants:
        assert rejected in row.rejected
        assert (row.outcome, row.gate) == (outcome, gate)
        assert row.dropped == (1 if kind == "all" else 0)
    assert len(run.records.pairs("good")) == (0 if rejected else 3)


def test_the_last_line_of_a_run_counts_crashes_apart_from_rejections(
    run_toy: Callable[..., Any],
) -> None:
    steps = {
        kind: PerturbationStep(OddEdits(), (OddConstraint(kind),)) for kind in ("", "fail", "raise")
    }
    named = {f"p-{kind}": step for kind, step in steps.items()}
    closing = run_toy(experiment(perturbations=named)).closing
    assert "3 variants (3 rejected, 3 crashed)" in closing


def test_pruned_edits_are_counted_and_never_made(run_toy: Callable[..., Any]) -> None:
    step = PerturbationStep(ToyWords(1.0), (ToyLimit(1),))
    run = run_toy(experiment(perturbations={"p": step}))
    assert [(row.edits, row.dropped, row.rejected) for row in run.records.variants] == [
        (1, 2, "")
    ] * 3
    assert [row["value"] for row in run.rows("checks")] == [1, 1, 1]


@dataclass(frozen=True)
class OddDefense(Defense):
    """Screens as it is told."""

    name: ClassVar[str] = "odd-defense"
    version: ClassVar[str] = "1"
    kind: str = "good"

    def screen(self, paper: Paper, ctx: Context) -> Any:
        if self.kind == "refuse":
            return Failure("rejected", "not this one")
        if self.kind == "raise":
            raise ValueError("screen")
        if self.kind == "review":
            return Review(True, 7)
        return EDITS[self.kind](paper)


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("good", ""),
        ("none-at-all", ""),
        ("refuse", "rejected"),
        ("raise", "crashed"),
        ("review", "crashed"),
        ("overlap", "crashed"),
        ("blank", "crashed"),
        ("none", "crashed"),
    ],
)
def test_defenses(run_toy: Callable[..., Any], kind: str, failure: str) -> None:
    step = AgentStep(ToyLength(), (OddDefense(kind),))
    run = run_toy(experiment(agents={"guarded": step, "plain": ToyLength()}))
    guarded = [v for v in run.records.verdicts if v.agent == "guarded"]
    assert {v.failure for v in guarded} == {failure}
    screens = list(run.rows("screens"))
    assert len(screens) == (3 if kind == "good" else 0)
    assert run.exit_code == (1 if failure else 0)


@dataclass(frozen=True)
class OddCorpus(Corpus):
    """Yields as it is told."""

    name: ClassVar[str] = "odd-corpus"
    version: ClassVar[str] = "1"
    kind: str = ""

    def papers(self, ctx: Context) -> Any:
        if self.kind == "null":
            return None
        if self.kind == "at-once":
            raise OSError("no disk")
        return self._papers()

    def _papers(self) -> Iterator[Any]:
        if self.kind == "empty":
            return
        if self.kind == "skips":
            yield Skipped("a", "no text")
            yield Skipped("b", "no text")
            return
        yield Paper("a", "Text a.")
        if self.kind == "raise":
            raise KeyError("middle")
        if self.kind == "exit":
            raise SystemExit(0)
        if self.kind == "told":
            raise RunError("the archive x.zip is damaged; load it again")
        if self.kind == "dict":
            yield {"id": "b"}
        if self.kind == "none":
            yield None
        if self.kind == "nan-label":
            yield Paper("b", "Text b.", labels=Labels(quality=math.nan))
        if self.kind == "odd-label":
            yield Paper("b", "Text b.", labels=Labels(extra={"x": object()}))  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("empty", "corpus 'odd-corpus' returned no paper"),
        ("skips", r"returned no paper; correct the skipped .*\n  skipped: .* and 1 more: no text"),
        ("null", "crashed after 0 papers: TypeError"),
        ("at-once", "crashed after 0 papers: OSError: no disk"),
        ("raise", "crashed after 1 papers: KeyError: 'middle'"),
        ("exit", "crashed after 1 papers: SystemExit"),
        ("told", "the archive x.zip is damaged; load it again"),
        ("dict", "TypeError: expected a Paper or a Skipped, not dict"),
        ("none", "expected a Paper or a Skipped, not NoneType"),
        ("nan-label", "paper 'b': quality must be finite numbers, not nan"),
        ("odd-label", "paper 'b': its labels or notes are not JSON"),
    ],
)
def test_a_corpus_that_fails_ends_the_run_with_the_reason(
    run_toy: Callable[..., Any], tmp_path: Path, kind: str, message: str
) -> None:
    with pytest.raises(RunError, match=message):
        run_toy(experiment(corpus=OddCorpus(kind)))
    assert not (tmp_path / "run" / "result.json").exists()
    assert not list((tmp_path / "run").rglob("*.csv"))
    # The folder is free again, and what was computed is kept.
    run = run_toy(experiment(corpus=OddCorpus()), overwrite=True)
    assert run.exit_code == 0
    if kind in ("raise", "exit", "told", "dict", "none"):
        assert CALLS.count("good") == 1


@dataclass(frozen=True)
class OddMetric(Metric):
    """Measures as it is told."""

    name: ClassVar[str] = "odd-metric"
    version: ClassVar[str] = "1"
    kind: str = ""

    def measure(self, records: Any) -> Any:
        if self.kind == "raise":
            raise StatisticsError("no pairs")
        if self.kind == "exit":
            raise SystemExit(0)
        if self.kind == "dict":
            return {"rate": 1}
        cell: Any = {"nan": math.nan, "set": {1}}.get(self.kind, 1)
        name = {"clash": "toy-flips", "path": "../x"}.get(self.kind, self.name)
        return Table.of(name, "Odd", [Column("x")], [{"x": cell}])


@pytest.mark.parametrize("kind", ["raise", "exit", "dict", "nan", "set", "clash", "path"])
def test_a_metric_that_fails_is_a_fault_and_the_rest_goes_on(
    run_toy: Callable[..., Any], kind: str
) -> None:
    run = run_toy(experiment(metrics=[ToyFlips(), OddMetric(kind)]))
    (fault,) = run.faults
    assert (fault.kind, fault.name) == ("metric", "odd-metric")
    error = "" if hasattr(errors, fault.error) else f"{fault.error}: "  # of revkit: no class
    assert str(fault) == f"metric odd-metric: {error}{fault.detail}"
    assert list(run.tables) == ["toy-flips"]
    assert run.exit_code == 1
    result = json.loads((run.folder / "result.json").read_text(encoding="utf-8"))
    assert result["faults"] == [fault.to_json()]
    assert not (run.folder / "tables" / "odd-metric.csv").exists()


@dataclass(frozen=True)
class OddReport(Reporter):
    """Renders as it is told."""

    name: ClassVar[str] = "odd-report"
    version: ClassVar[str] = "1"
    kind: str = ""

    def render(self, run: RunView) -> Any:
        if self.kind == "raise":
            raise RunError("told")
        return {
            "none": None,
            "bytes": {"a.txt": b"x"},
            "outside": {"../a.txt": "x"},
            "absolute": {"/tmp/a.txt": "x"},
            "result": {"result.json": "{}"},
            "records": {"records/papers.jsonl": ""},
            "mark": {".revkit-run": ""},
            "folder": {".": "x"},
            "surrogate": {"a.txt": "\ud800"},
            "odd-path": {"a//b.txt": "x"},
        }.get(self.kind, {"sub/a.txt": "x\r\n"})


@pytest.mark.parametrize(
    "kind",
    ["raise", "none", "bytes", "outside", "absolute", "result", "records", "mark", "folder",
     "surrogate", "odd-path"],
)  # fmt: skip
def test_a_report_that_fails_is_a_fault_and_harms_no_file(
    run_toy: Callable[..., Any], tmp_path: Path, kind: str
) -> None:
    run = run_toy(experiment(reports=[OddReport(kind)], metrics=[ToyFlips()]))
    (fault,) = run.faults
    assert (fault.kind, fault.name) == ("report", "odd-report")
    assert run.exit_code == 1
    assert not (tmp_path / "a.txt").exists()
    assert json.loads((run.folder / "result.json").read_text(encoding="utf-8"))["papers"] == 3
    assert (run.folder / "records" / "papers.jsonl").stat().st_size > 0


@dataclass(frozen=True)
class SecondReport(OddReport):
    """Writes the same file."""

    name: ClassVar[str] = "second-report"


def test_two_reports_never_write_one_file(run_toy: Callable[..., Any]) -> None:
    run = run_toy(experiment(reports=[OddReport(), SecondReport()]))
    reason = "a report may not write 'sub/a.txt': another file has this path"
    assert run.faults == (Fault("report", "second-report", "RunError", reason),)
    assert (run.folder / "sub" / "a.txt").read_bytes() == b"x\r\n"


@dataclass(frozen=True)
class Slow(Agent):
    """Takes its time; notes who is at work."""

    name: ClassVar[str] = "slow"
    version: ClassVar[str] = "1"
    scale = SCALE
    started: ClassVar[threading.Event] = threading.Event()

    def review(self, paper: Paper, ctx: Context) -> Review:
        self.started.set()
        time.sleep(0.05)
        CALLS.append(paper.digest)
        return Review(True, 7)


def test_slow_agents_work_side_by_side(run_toy: Callable[..., Any]) -> None:
    started = time.perf_counter()
    run = run_toy(experiment(corpus=ToyPapers(papers_=16), agents={"s": Slow()}, workers=8))
    assert len(run.records.verdicts) == 16
    assert time.perf_counter() - started < 16 * 0.05


def test_stopping_keeps_what_is_done_and_the_next_run_goes_on(
    run_toy: Callable[..., Any], tmp_path: Path
) -> None:
    spec = experiment(corpus=ToyPapers(papers_=40), agents={"s": Slow()}, metrics=[ToyFlips()])
    whole = run_toy(spec, out="whole", store="whole.db")
    CALLS.clear()
    Slow.started.clear()
    stop = threading.Event()
    threading.Thread(target=lambda: (Slow.started.wait(), time.sleep(0.2), stop.set())).start()
    with pytest.raises(
        Interrupted, match=r"stopped after .* complete papers; all answers are stored"
    ):
        run_toy(spec, stop=stop)
    done = len(CALLS)
    assert 0 < done < 40
    assert not (tmp_path / "run" / "result.json").exists()
    run = run_toy(spec)
    assert len(CALLS) == 40
    assert len(set(CALLS)) == 40
    assert run.counts.stored == done
    for name in ("result.json", "records/outcomes.jsonl", "tables/toy-flips.csv"):
        assert (run.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_a_run_that_is_stopped_before_it_starts(run_toy: Callable[..., Any]) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Interrupted, match="stopped after 0 complete papers"):
        run_toy(experiment(), stop=stop)
    assert CALLS == []
    recorder: Any = SimpleNamespace(papers=["one"])
    runner: Any = SimpleNamespace(stop=stop)
    with pytest.raises(Interrupted, match="stopped after 1 complete paper; all answers"):
        Runner.check_stop(runner, recorder)


def test_a_full_store_ends_the_run_and_the_next_goes_on(
    run_toy: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from revkit.cache import Store

    prepare = Store._prepare

    def small(self: Store) -> None:
        prepare(self)
        self._connection.execute("PRAGMA max_page_count=6")

    spec = experiment(corpus=ToyPapers(papers_=300), agents={"c": ToyCoin()})
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_prepare", small)
        with pytest.raises(RevkitError, match=r"full.*the same command continues from there"):
            run_toy(spec)
    run = run_toy(spec)
    assert run.counts.stored > 0
    assert run.counts.stored + run.counts.computed == 300


def test_errors_of_revkit_have_one_root() -> None:
    for name in ("PaperError", "OptionError", "SpecError", "PluginError", "StatisticsError",
                 "StoreError", "RunError", "Interrupted"):  # fmt: skip
        assert issubclass(getattr(revkit.errors, name), revkit.RevkitError)


def test_faults_survive_json_and_the_texts_of_old_runs_are_read() -> None:
    faults = [
        Fault("metric", "flip-rate", "ValueError", "no pair: none"),
        Fault("fit", "a/m", "ZeroDivisionError", ""),
        Fault("report", "html", "RunError", "x").at("level=2"),
        Fault("point", "level=3", "", "no paper"),
    ]
    assert [fault_from_json(json.loads(json.dumps(each.to_json()))) for each in faults] == faults
    assert [fault_from_json(str(each)) for each in faults[:2]] == faults[:2]
    for odd in (3, None, {"kind": "odd"}, "nothing", {**faults[0].to_json(), "name": 1}):
        with pytest.raises(ValueError, match="expected a fault"):
            fault_from_json(odd)
