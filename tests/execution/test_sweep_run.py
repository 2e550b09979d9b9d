"""Sweeps that run: what points share, what one that fails costs the others, what is written."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context, Metric, Reporter, RunView, SweepView
from revkit.errors import Interrupted, RunError, SpecError
from revkit.execution.joined import joined
from revkit.model.paper import Paper
from revkit.model.records import Records
from revkit.model.review import Review, Scale
from revkit.model.table import Chart, Column, Table
from revkit.options import option
from revkit.spec import Axis
from revkit.testing import toys
from tests.llm_server.server import LlmServer

ASKED: Counter[str] = Counter()
STOP: list[threading.Event] = []


@pytest.fixture(autouse=True)
def _nothing_asked() -> None:
    ASKED.clear()
    STOP.clear()


@dataclass(frozen=True)
class Counted(Agent):
    """Counts how often it is asked; its score is its ``level``."""

    name: ClassVar[str] = "counted"
    scale = Scale("ten", 1, 10, accept_at=6)
    level: int = option(5, help="The score of every paper.", minimum=1, maximum=10)
    stop_after: int = option(0, help="Stop the run when it was asked so often (0: never).")

    def review(self, paper: Paper, ctx: Context) -> Review:
        ASKED[str(self.level)] += 1
        if self.stop_after and ASKED.total() >= self.stop_after and STOP:
            STOP[0].set()
        return Review(self.level >= 6, self.level)


@dataclass(frozen=True)
class MeanScore(Metric):
    """The mean score of each agent, with bars."""

    name: ClassVar[str] = "mean-score"

    def measure(self, records: Records) -> Table:
        rows = []
        for agent in records.agents:
            scores = [v.score for v in records.originals(agent.name) if v.score is not None]
            rows.append({"agent": agent.name, "mean": sum(scores) / len(scores), "n": len(scores)})
        columns = [Column("agent", "Agent"), Column("mean", "Mean", "score"), Column("n", "n")]
        chart = Chart("bars", "Mean score", "agent", "mean")
        return Table.of(
            self.name, "Mean score", columns, rows, ["A note."], headline=True, charts=[chart]
        )


@dataclass(frozen=True)
class Overviewing(Reporter):
    """Writes what it sees of a sweep, and tries to change it for others."""

    name: ClassVar[str] = "overviewing"

    def render(self, run: RunView) -> Mapping[str, str]:
        return {"one.txt": run.name}

    def overview(self, sweep: SweepView) -> Mapping[str, str]:
        told = f"{sweep.name} {list(sweep.axes)} {len(sweep.points.rows)}"
        told += f" {[table.name for table in sweep.tables]} {sorted(sweep.spec)}"
        sweep.spec.clear()  # type: ignore[attr-defined]
        return {"all.txt": told}

    def summary(self, files: Mapping[str, str]) -> str:
        return files.get("all.txt", "")


SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "toy",
    "corpus": {"use": "toy-papers", "with": {"papers": 3}},
    "agents": {"same": "counted", "swept": {"use": "counted", "with": {"level": 1}}},
    "metrics": ["mean-score"],
    "reports": ["overviewing"],
    "workers": 1,
    "sweep": {"agents.swept.with.level": [2, 8]},
}
PARTS = [toys, Counted, MeanScore, Overviewing]


@pytest.fixture
def sweep(tmp_path: Path, no_plugins: None) -> Callable[..., revkit.SweepRun]:
    def run(
        spec: Mapping[str, Any], out: str = "out", store: str = "store", **options: Any
    ) -> revkit.SweepRun:
        return revkit.sweep(
            spec, out=tmp_path / out, store=tmp_path / store, plugins=PARTS, **options
        )

    return run


Sweeping = Callable[..., revkit.SweepRun]


def files_of(folder: Path) -> dict[str, str]:
    """The files below ``folder`` by name, without what tells clock and machine."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


def test_what_points_share_is_worked_out_once(sweep: Sweeping) -> None:
    done = sweep(SPEC)
    assert ASKED == {"5": 3, "2": 3, "8": 3}
    assert [(p.counts.computed, p.counts.stored) for p in done.points] == [(6, 0), (3, 3)]
    assert done.exit_code == 0
    assert done.closing.startswith("2 points: 9 worked out now, 3 found in the store.")
    again = sweep(SPEC, out="again")
    assert ASKED.total() == 9
    assert files_of(again.folder) == files_of(done.folder)


def test_tables_are_joined_with_what_was_swept_in_front(sweep: Sweeping) -> None:
    table = sweep(SPEC).table("mean-score")
    assert [column.name for column in table.columns] == ["level", "agent", "mean", "n"]
    assert table.rows == (
        (2, "same", 5.0, 3),
        (2, "swept", 2.0, 3),
        (8, "same", 5.0, 3),
        (8, "swept", 8.0, 3),
    )
    assert table.notes == ("A note.",)
    assert table.headline
    (chart,) = table.charts
    assert (chart.kind, chart.x, chart.y, chart.group) == ("lines", "level", "mean", "agent")
    points = sweep(SPEC).table("points")
    assert points.rows[1][:3] == (8, 3, 0)


def test_a_point_is_the_run_that_it_names(sweep: Sweeping, tmp_path: Path) -> None:
    done = sweep(SPEC)
    alone = revkit.run(
        SPEC, out=tmp_path / "alone", store=tmp_path / "other", plugins=PARTS, point="level=8"
    )
    assert files_of(alone.folder) == files_of(done.folder / "points" / "level=8")
    about = json.loads((done.folder / "sweep.json").read_text())
    assert about["axes"] == ["agents.swept.with.level"]
    assert [(point["label"], point["folder"], point["values"]) for point in about["points"]] == [
        ("level=2", "points/level=2", {"agents.swept.with.level": "2"}),
        ("level=8", "points/level=8", {"agents.swept.with.level": "8"}),
    ]
    kept = revkit.points(done.folder / "spec.yaml", plugins=PARTS)
    assert kept.digest == done.sweep.digest


def test_reporters_compare_the_points(sweep: Sweeping) -> None:
    done = sweep(SPEC)
    text = (done.folder / "all.txt").read_text()
    assert text == done.summary
    assert text.startswith("toy [('agents.swept.with.level', 'level')] 2 ['mean-score'] ['agents'")
    assert "sweep" in done.sweep.spec
    quiet = sweep({**SPEC, "reports": ["toy-report"]}, out="quiet")
    assert (quiet.summary, quiet.faults) == ("", ()), "its summary reads a file that is not there"


def test_one_point_that_cannot_be_run_costs_the_others_nothing(sweep: Sweeping) -> None:
    spec = {**SPEC, "sweep": {"corpus.with.papers": [0, 2]}}
    done = sweep(spec)
    assert done.exit_code == 1
    (fault,) = done.faults
    assert fault.startswith("papers=0: corpus 'toy-papers' gave no paper")
    assert [row[0] for row in done.table("mean-score").rows] == [2, 2]
    row = done.table("points").records()[0]
    assert (row["sweep.papers"], row["papers"]) == (0, None)
    assert str(row["error"]).startswith("corpus 'toy-papers' gave no paper")
    with pytest.raises(RunError, match="no point could be run; the first: corpus"):
        sweep({**SPEC, "sweep": {"corpus.with.papers": [0]}}, out="none")


def test_a_stopped_sweep_goes_on_and_ends_as_if_it_had_not_been(
    sweep: Sweeping, tmp_path: Path
) -> None:
    whole = sweep(SPEC, out="whole", store="other")
    ASKED.clear()
    stopping = threading.Event()
    STOP.append(stopping)
    spec = json.loads(json.dumps(SPEC))
    spec["agents"]["swept"]["with"]["stop-after"] = 7
    with pytest.raises(Interrupted):
        sweep(spec, out="stopped", stop=stopping)
    STOP.clear()
    assert 7 <= ASKED.total() < 9
    done = sweep(spec, out="stopped")
    assert ASKED.total() == 9
    assert done.tables["mean-score"] == whole.tables["mean-score"]


def test_a_folder_is_replaced_whole_or_not_at_all(sweep: Sweeping, tmp_path: Path) -> None:
    sweep(SPEC)
    other = {**SPEC, "sweep": {"agents.swept.with.level": [8, 9]}}
    with pytest.raises(RunError, match="holds the run of another experiment"):
        sweep(other)
    kept = tmp_path / "out" / "points" / "level=2" / "mine.txt"
    kept.write_text("mine")
    sweep(other, overwrite=True)
    left = sorted(path.name for path in (tmp_path / "out" / "points").iterdir())
    assert left == ["level=2", "level=8", "level=9"]
    assert [path.name for path in kept.parent.rglob("*")] == ["mine.txt"], "only what is not ours"


def test_all_points_share_one_budget(tmp_path: Path) -> None:
    with LlmServer(reply=lambda body: '{"reasons": "Good.", "accept": true, "score": 7}') as server:
        spec = {
            "revkit": 1,
            "corpus": {"use": "toy-papers", "with": {"papers": 3}},
            "agents": {
                "llm": {"use": "llm", "with": {"model": "openai/mock", "form": "accept-score"}}
            },
            "metrics": ["outcomes"],
            "services": {"llm": {"default": {"base-url": server.url}}},
            "budget": {"calls": 4},
            "sweep": {"agents.llm.with.temperature": [0, 0.5]},
        }
        done = revkit.sweep(spec, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys])
        assert server.requests == 4
        assert done.exit_code == 1
        assert done.out_of_budget
        assert [row["failed_reviews"] for row in done.table("points").records()] == [0, 2]
        revkit.sweep(spec, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys])
        assert server.requests == 6, "a second command has the budget anew, and pays for the rest"


def test_run_and_sweep_send_each_other_what_is_theirs(no_plugins: None) -> None:
    with pytest.raises(SpecError, match="name one of its 2 points"):
        revkit.run(SPEC, plugins=PARTS)
    with pytest.raises(SpecError, match="does not sweep"):
        revkit.sweep({key: SPEC[key] for key in SPEC if key != "sweep"}, plugins=PARTS)


def table(*names: str, notes: tuple[str, ...] = (), charts: tuple[Chart, ...] = ()) -> Table:
    return Table.of(
        "t", "T", [Column(name) for name in names], [dict.fromkeys(names, 1)], notes, charts=charts
    )


AXIS = Axis("a.b", "b", ("x", "y"), ("x", "y"))
NUMBERS = Axis("a.c", "c", ("1", "2"), (1, 2))


def test_columns_that_some_points_lack_are_empty_there() -> None:
    whole = joined([AXIS], {("x",): table("p"), ("y",): table("q", "p")})
    assert [column.name for column in whole.columns] == ["b", "p", "q"]
    assert whole.rows == (("x", 1, None), ("y", 1, 1))


def test_a_name_that_is_taken_is_not_given_to_what_was_swept() -> None:
    whole = joined([AXIS], {("x",): table("b")})
    assert [column.name for column in whole.columns] == ["sweep.b", "b"]


def test_notes_say_whose_they_are_unless_all_have_them() -> None:
    tables = {("x",): table("p", notes=("all", "one")), ("y",): table("p", notes=("all",))}
    assert joined([AXIS], tables).notes == ("all", "b=x: one")


def test_several_axes_have_a_column_for_the_point() -> None:
    bars = Chart("bars", "Bars", "p", "q")
    heat = Chart("heat-map", "Heat", "p", "q", value="q")
    whole = joined([AXIS, NUMBERS], {("x", "2"): table("p", "q", charts=(bars, heat))})
    assert whole.rows == (("x", 2, "b=x,c=2", 1, 1),)
    assert whole.fine == ("point",)
    (chart,) = whole.charts
    assert (chart.kind, chart.group, chart.title) == ("bars", "point", "Bars, by point")
