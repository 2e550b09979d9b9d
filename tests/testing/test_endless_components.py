"""A component that never returns is a fault with the line at which it hangs."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import revkit
from revkit.calibration import AnchorScores, fit_curve
from revkit.contracts import Agent, Calibrator, Context, Curve, Metric, Reporter
from revkit.errors import NotReturned
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.model.table import Column, Table
from revkit.observing.time_limit import call_within
from revkit.testing import check_component

ENDED = threading.Event()


@pytest.fixture(autouse=True)
def end_loops() -> Any:
    ENDED.clear()
    yield
    ENDED.set()


def spin() -> None:
    while not ENDED.is_set():
        time.sleep(0.001)


@dataclass(frozen=True)
class Endless(Agent):
    """Never returns a review."""

    name: ClassVar[str] = "endless"
    scale = Scale("ten", 1, 10)

    def review(self, paper: Paper, ctx: Context) -> Review:
        spin()
        return Review(score=5)


@dataclass(frozen=True)
class EndlessFit(Calibrator):
    """Never returns a curve."""

    name: ClassVar[str] = "endless-fit"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        spin()
        raise AssertionError


@dataclass(frozen=True)
class EndlessMetric(Metric):
    """Never returns a table."""

    name: ClassVar[str] = "endless"

    def measure(self, records: Any) -> Any:
        spin()


@dataclass(frozen=True)
class EndlessReport(Reporter):
    """Never returns its files."""

    name: ClassVar[str] = "endless"

    def render(self, run: Any) -> Any:
        spin()


@pytest.mark.parametrize("component", [Endless, EndlessFit])
def test_a_check_ends_and_states_where_it_hangs(component: type[Any]) -> None:
    with pytest.raises(AssertionError, match=r"has not returned after 0.3 s; it is at .+:\d+, in "):
        check_component(component, seconds=0.3)


def test_a_fit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotReturned, match="fit of the calibrator 'endless-fit' has not returned"):
        fit_curve(EndlessFit(), AnchorScores([1.0, 2.0], [3.0, 4.0]), seconds=0.2)


def test_a_run_goes_on_without_the_map_and_does_not_store_its_refusal(
    run_toy: Callable[..., revkit.Run],
) -> None:
    spec = {
        "revkit": 1,
        "deadline": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 6}},
        "agents": {"length": "toy-length"},
        "calibration": {"share": 0.5, "maps": {"line": "endless-fit"}},
    }
    for _ in range(2):  # the second time it is fitted again
        done = run_toy(spec, plugins=[EndlessFit])
        [fault] = done.faults
        assert "fit/length/line" in str(fault)
        assert "has not returned after 1 s" in str(fault)
        assert done.records.anchors is not None
        assert [each.curve for each in done.records.anchors.maps] == [None]


@pytest.mark.parametrize(("section", "kind"), [("metrics", "metric"), ("reports", "report")])
def test_a_run_goes_on_without_a_metric_or_report_that_never_returns(
    run_toy: Callable[..., revkit.Run], section: str, kind: str
) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "deadline": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 3}},
        "agents": {"length": "toy-length"},
        "metrics": ["toy-flips"],
        "reports": ["toy-report"],
    }
    spec[section] = ["endless", *spec[section]]
    for _ in range(2):  # the second time it is computed again
        done = run_toy(spec, plugins=[EndlessMetric, EndlessReport])
        [fault] = done.faults
        assert (fault.kind, fault.error) == (kind, "NotReturned")
        assert f"{kind} endless: it has not returned after 1 s; it is at " in str(fault)
        assert list(done.tables) == ["toy-flips"]
        assert (done.folder / "toy.txt").is_file()


@dataclass(frozen=True)
class EndlessSummary(Reporter):
    """Returns files, but never a summary."""

    name: ClassVar[str] = "endless-summary"

    def render(self, run: Any) -> dict[str, str]:
        return {"some.txt": "text"}

    def summary(self, files: Any) -> str:
        spin()
        return ""


@dataclass(frozen=True)
class EndlessLines(Metric):
    """Returns a table, but never its lines of cards."""

    name: ClassVar[str] = "endless-lines"

    def measure(self, records: Any) -> Table:
        return Table.of(self.name, "Some", [Column("agent")], [{"agent": "length"}])

    def card_lines(self, table: Table) -> Any:
        spin()


def test_a_run_goes_on_without_a_summary_or_lines_of_cards_that_never_return(
    run_toy: Callable[..., revkit.Run],
) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "deadline": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 3}},
        "agents": {"length": "toy-length"},
        "metrics": ["endless-lines", "toy-flips"],
        "reports": ["endless-summary", "toy-report"],
        "cards": True,
    }
    done = run_toy(spec, plugins=[EndlessLines, EndlessSummary])
    assert [str(each).split(" has")[0] for each in done.faults] == [
        "metric endless-lines: it", "report endless-summary: it",
    ]  # fmt: skip
    assert {"endless-lines", "toy-flips"} <= set(done.tables)
    assert (done.folder / "toy.txt").is_file()


def test_what_a_call_returns_raises_and_sees_is_that_of_the_caller() -> None:
    word = contextvars.ContextVar("word", default="none")
    word.set("own")
    assert call_within(5, "it", word.get) == "own"
    with pytest.raises(ZeroDivisionError):
        call_within(5, "it", lambda: 1 / 0)
    with pytest.raises(SystemExit):
        call_within(5, "it", lambda: exec("raise SystemExit(3)"))
