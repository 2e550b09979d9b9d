"""Sweeps that run: what points share, what one that fails costs the others, what is written."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context, Corpus, Metric, Reporter, RunView, SweepView
from revkit.errors import Interrupted, PaperError, RunError, SpecError
from revkit.execution.folder import RunFolder
from revkit.execution.sweep_tables import join_tables
from revkit.model.paper import Paper
from revkit.model.records import Records
from revkit.model.review import Review, Scale
from revkit.model.table import Chart, Column, Finding, Table, TableWarning
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
        rows: list[dict[str, Any]] = []
        for agent in records.agents:
            scores = [v.score for v in records.originals(agent.name) if v.score is not None]
            rows.append({"agent": agent.name, "mean": sum(scores) / len(scores), "n": len(scores)})
        columns = [Column("agent", "Agent"), Column("mean", "Mean", "score"), Column("n", "n")]
        chart = Chart("bars", "Mean score", "agent", "mean")
        return Table.of(
            self.name, "Mean score", columns, rows, ["A note."], headline=True, charts=[chart]
        )


@dataclass(frozen=True)
class Breaking(Corpus):
    """Breaks as ``how`` says, after it gave a paper."""

    name: ClassVar[str] = "breaking"
    how: str = option("", help="What it raises.")

    def papers(self, ctx: Context) -> Iterator[Paper]:
        yield Paper(id="one", text="A paper.")
        if self.how == "error":
            raise OSError("the disk is gone")
        if self.how == "exit":
            raise SystemExit(3)
        if self.how == "paper":
            raise PaperError("no paper")


@dataclass(frozen=True)
class Odd(Metric):
    """A table of other units, titles, charts and columns as ``days`` says."""

    name: ClassVar[str] = "odd"
    days: int = option(1, help="Days.", minimum=1)

    def measure(self, records: Records) -> Table:
        unit = "share" if self.days > 2 else "count"
        columns = [Column("error", "Error"), Column("value", f"After {self.days} days", unit)]
        chart = Chart("bars", "Value", "error", "value", mark=(float(self.days), "here"))
        rows = [{"error": "e", "value": 0.5 if self.days > 2 else 1}]
        title = f"Drift over {self.days} days"
        return Table.of(self.name, title, columns, rows, charts=[chart])


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
PARTS: list[Any] = [toys, Counted, MeanScore, Overviewing, Breaking, Odd]


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
    assert done.closing.startswith("2 points: 9 items computed, 3 cached.")
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
    assert [(point["label"], point["folder"], point["labels"]) for point in about["points"]] == [
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
    assert (fault.kind, fault.name) == ("point", "papers=0")
    assert str(fault).startswith("papers=0: corpus 'toy-papers' returned no paper")
    assert [row[0] for row in done.table("mean-score").rows] == [2, 2]
    row = done.table("points").records()[0]
    assert (row["sweep.papers"], row["papers"]) == (0, None)
    assert str(row["error"]).startswith("corpus 'toy-papers' returned no paper")
    with pytest.raises(RunError, match="no point could be run; the first: corpus"):
        sweep({**SPEC, "sweep": {"corpus.with.papers": [0]}}, out="none")


def test_a_point_that_breaks_in_its_midst_does_not_stop_the_others(sweep: Sweeping) -> None:
    spec = {
        **SPEC,
        "corpus": "breaking",
        "sweep": {"corpus.with.how": ["error", "exit", "paper", "no"]},
    }
    done = sweep(spec)
    told = {row["how"]: row["error"] for row in done.table("points").records()}
    assert "the disk is gone" in str(told["error"])
    assert "SystemExit" in str(told["exit"])
    assert "no paper" in str(told["paper"])
    assert told["no"] is None
    assert done.exit_code == 1
    assert {row[0] for row in done.table("mean-score").rows} == {"no"}


def test_a_sweep_in_which_nothing_came_to_be_leaves_no_folder(
    sweep: Sweeping, tmp_path: Path
) -> None:
    with pytest.raises(RunError, match="no point could be run"):
        sweep({**SPEC, "sweep": {"corpus.with.papers": [0]}}, out="none")
    assert not (tmp_path / "none").exists()


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
    with pytest.raises(RunError, match="contains the run of another experiment"):
        sweep(other)
    kept = tmp_path / "out" / "points" / "level=2" / "mine.txt"
    kept.write_text("mine")
    sweep(other, overwrite=True)
    left = sorted(path.name for path in (tmp_path / "out" / "points").iterdir())
    assert left == ["level=2", "level=8", "level=9"]
    assert [path.name for path in kept.parent.rglob("*")] == ["mine.txt"], "only what is not ours"


def test_a_run_and_a_sweep_replace_each_other_whole(sweep: Sweeping, tmp_path: Path) -> None:
    where: Any = {"store": tmp_path / "store", "plugins": PARTS}
    alone = revkit.run(SPEC, out=tmp_path / "alone", point="level=8", **where)
    sweep(SPEC)
    with pytest.raises(RunError, match="contains the run of another experiment"):
        revkit.run(SPEC, out=tmp_path / "out", point="level=8", **where)
    replaced = revkit.run(SPEC, out=tmp_path / "out", point="level=8", overwrite=True, **where)
    assert files_of(replaced.folder) == files_of(alone.folder)
    assert not (tmp_path / "out" / "points").exists()
    sweep(SPEC, overwrite=True)
    sweep(SPEC, out="fresh")
    assert files_of(tmp_path / "out") == files_of(tmp_path / "fresh")
    assert not (tmp_path / "out" / "records").exists()


def test_what_was_stopped_while_it_replaced_a_sweep_begins_again(
    sweep: Sweeping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(SPEC)
    other = {**SPEC, "sweep": {"agents.swept.with.level": [8, 9]}}
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "clear", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            sweep(other, overwrite=True)
    with pytest.raises(RunError, match="contains the run of another experiment"):
        sweep(other)
    sweep(other, overwrite=True)
    left = sorted(path.name for path in (tmp_path / "out" / "points").iterdir())
    assert left == ["level=8", "level=9"]


def test_a_mark_that_is_no_text_is_of_another_experiment(sweep: Sweeping, tmp_path: Path) -> None:
    done = sweep(SPEC)
    (done.folder / "points" / "level=2" / ".revkit-run").write_bytes(b"\xff\xfe")
    (fault,) = sweep(SPEC).faults
    assert (fault.kind, fault.name) == ("point", "level=2")
    assert "contains the run of another experiment" in fault.detail


def test_threads_and_the_way_it_is_asked_change_nothing(sweep: Sweeping) -> None:
    first = files_of(sweep({**SPEC, "seed": 4, "limit": 2}).folder)
    other = files_of(sweep({**SPEC, "workers": 5}, out="b", seed=4, limit=2).folder)
    assert other == first
    third = files_of(sweep({**SPEC, "budget": {"calls": 3}}, out="c", seed=4, limit=2).folder)
    differing = {name for name in first.keys() | third.keys() if first.get(name) != third.get(name)}
    assert {name.rpartition("/")[2] for name in differing} == {"spec.yaml"}


def test_provenance_names_no_seed_where_it_is_swept(sweep: Sweeping) -> None:
    one = sweep({**SPEC, "seed": 7})
    assert json.loads((one.folder / "provenance.json").read_text())["seed"] == 7
    several = sweep({**SPEC, "sweep": {"seed": [1, 2]}}, out="seeds")
    assert json.loads((several.folder / "provenance.json").read_text())["seed"] is None


def test_reporters_that_are_swept_each_tell_of_the_whole(sweep: Sweeping) -> None:
    swept = {"reports": {"toy": ["toy-report"], "two": ["toy-report", "overviewing"]}}
    done = sweep({**SPEC, "sweep": swept})
    assert done.summary.startswith("toy [('reports', 'reports')] 2")
    assert (done.folder / "all.txt").is_file()


def test_tables_of_other_units_and_titles_are_not_mixed(sweep: Sweeping) -> None:
    done = sweep({**SPEC, "metrics": ["odd"], "sweep": {"metrics.0.with.days": [1, 2, 3]}})
    found = done.table("odd")
    assert found.title == "Drift over ... days"
    assert [(c.name, c.title, c.unit) for c in found.columns] == [
        ("days", "days", ""),
        ("error", "Error", ""),
        ("value", "After ... days", "count"),
        ("value (share)", "After 3 days", "share"),
    ]
    assert found.rows == ((1, "e", 1, None), (2, "e", 1, None), (3, "e", None, 0.5))
    assert found.charts == (), "half of its rows would be missing"
    same = sweep({**SPEC, "metrics": ["odd"], "sweep": {"metrics.0.with.days": [1, 2]}}, out="o2")
    (chart,) = same.table("odd").charts
    assert (chart.kind, chart.mark) == ("lines", None)


@pytest.mark.parametrize("budget", [{"tokens": 2000}, {"usd": 0.002}])
def test_all_points_share_tokens_and_dollars(tmp_path: Path, budget: dict[str, float]) -> None:
    price = {"usd-per-million-input": 1.0, "usd-per-million-output": 1.0}
    with LlmServer(reply=lambda body: '{"reasons": "Good.", "accept": true, "score": 7}') as server:
        spec: dict[str, Any] = {
            "revkit": 1,
            "corpus": {"use": "toy-papers", "with": {"papers": 3}},
            "agents": {
                "llm": {
                    "use": "llm",
                    "with": {"model": "openai/mock", "form": "accept-score", "max-tokens": 100},
                }
            },
            "metrics": ["outcomes"],
            "workers": 1,
            "services": {"llm": {"default": {"base-url": server.url, **price}}},
            "budget": budget,
            "sweep": {"agents.llm.with.temperature": [0, 0.5, 1]},
        }
        done = revkit.sweep(spec, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys])
        assert done.out_of_budget
        assert [row["failed_reviews"] for row in done.table("points").records()] == [0, 1, 3]
        revkit.sweep(
            {**spec, "budget": {}}, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys]
        )
        assert server.requests == 9


def test_all_points_share_one_budget(tmp_path: Path) -> None:
    with LlmServer(reply=lambda body: '{"reasons": "Good.", "accept": true, "score": 7}') as server:
        spec: dict[str, Any] = {
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
        assert server.requests == 4, "the budget is that of the sweep, in all commands"
        told = revkit.sweep_forecast(spec, store=tmp_path / "s", plugins=[toys])
        assert told is not None
        assert "budget left   0 of 4 requests" in told.text()
        spec["budget"] = {"calls": 6}
        done = revkit.sweep(spec, out=tmp_path / "o", store=tmp_path / "s", plugins=[toys])
        assert server.requests == 6
        assert done.exit_code == 0


@dataclass(frozen=True)
class Points(Metric):
    """A metric of the name that the table of the points has."""

    name: ClassVar[str] = "points"

    def measure(self, records: Records) -> Table:
        return Table.of(self.name, "Own", [Column("n", "n", "count")], [{"n": len(records.papers)}])


def test_the_table_of_points_leaves_a_metric_of_its_name_alone(tmp_path: Path) -> None:
    done = revkit.sweep(
        {**SPEC, "metrics": ["points"]}, out=tmp_path / "o", plugins=[*PARTS, Points],
        store=tmp_path / "s",
    )  # fmt: skip
    assert done.table("points").rows == ((2, 3), (8, 3))
    assert done.table("sweep-points").title == "The points of the sweep"
    files = sorted(path.name for path in (done.folder / "tables").glob("*.csv"))
    assert files == ["points.csv", "sweep-points.csv"]


def test_run_and_sweep_send_each_other_what_is_theirs(no_plugins: None) -> None:
    with pytest.raises(SpecError, match="name one of its 2 points"):
        revkit.run(SPEC, plugins=PARTS)
    with pytest.raises(SpecError, match="is not a sweep"):
        revkit.sweep({key: SPEC[key] for key in SPEC if key != "sweep"}, plugins=PARTS)


def table(*names: str, notes: tuple[str, ...] = (), charts: tuple[Chart, ...] = ()) -> Table:
    return Table.of(
        "t", "T", [Column(name) for name in names], [dict.fromkeys(names, 1)], notes, charts=charts
    )


AXIS = Axis("a.b", "b", ("x", "y"), ("x", "y"))
NUMBERS = Axis("a.c", "c", ("1", "2"), (1, 2))


def test_columns_that_some_points_lack_are_empty_there() -> None:
    whole = join_tables([AXIS], {("x",): table("p"), ("y",): table("q", "p")})
    assert [column.name for column in whole.columns] == ["b", "p", "q"]
    assert whole.rows == (("x", 1, None), ("y", 1, 1))


def test_a_name_that_is_taken_is_not_given_to_what_was_swept() -> None:
    whole = join_tables([AXIS], {("x",): table("b")})
    assert [column.name for column in whole.columns] == ["sweep.b", "b"]


def test_notes_say_whose_they_are_unless_all_have_them() -> None:
    tables: dict[tuple[str, ...], Table] = {
        ("x",): table("p", notes=("all", "one")),
        ("y",): table("p", notes=("all",)),
    }
    assert join_tables([AXIS], tables).notes == ("all", "b=x: one")


def test_findings_and_warnings_of_points_are_joined() -> None:
    def found(text: str, *warnings: str) -> Table:
        warned = tuple(TableWarning("imprecise", each) for each in warnings)
        return replace(table("p"), findings=(Finding(text),), warnings=warned)

    whole = join_tables([AXIS], {("x",): found("A.", "few", "lost"), ("y",): found("B.", "few")})
    assert [each.text for each in whole.findings] == ["b=x: A.", "b=y: B."]
    assert [each.text for each in whole.warnings] == ["few", "b=x: lost"]


def test_a_question_that_all_points_ask_is_asked_once() -> None:
    def found(answer: str, limit: str) -> Table:
        question = Finding("Who?", part="question")
        return replace(
            table("p"), findings=(question, Finding(answer), Finding(limit, part="limit"))
        )

    whole = join_tables([AXIS], {("x",): found("A.", "Few."), ("y",): found("B.", "Old.")})
    assert [(each.text, each.part) for each in whole.findings] == [
        ("Who?", "question"),
        ("b=x: A.", "answer"),
        ("b=x: Few.", "limit"),
        ("b=y: B.", "answer"),
        ("b=y: Old.", "limit"),
    ]


def test_a_note_of_many_points_names_a_few() -> None:
    axis = Axis("a", "a", tuple(map(str, range(9))), tuple(range(9)))
    tables: dict[tuple[str, ...], Table] = {
        (str(n),): table("p", notes=("most",) if n else ()) for n in range(9)
    }
    assert join_tables([axis], tables).notes == ("8 of 9 points (a=1; a=2; a=3; ...): most",)


def test_bars_become_lines_along_the_axis_of_most_numbers() -> None:
    bars = Chart("bars", "Bars", "p", "q", where=(("p", 1),))
    axes = [
        AXIS,
        Axis("seed", "seed", ("1", "2"), (1, 2)),
        Axis("n", "n", ("1", "2", "3"), (1, 2, 3)),
    ]
    whole = join_tables(axes, {("x", "1", "3"): table("p", "q", charts=(bars,))})
    assert [(c.kind, c.title, c.x, c.group, c.where[1:]) for c in whole.charts] == [
        ("lines", f"Bars, by n (b={b}, seed={seed})", "n", "p", (("b", b), ("seed", seed)))
        for b in "xy"
        for seed in (1, 2)
    ]


def test_several_axes_have_a_column_for_the_point() -> None:
    bars = Chart("bars", "Bars", "p", "q")
    heat = Chart("heat-map", "Heat", "p", "q", value="q")
    whole = join_tables([AXIS, NUMBERS], {("x", "2"): table("p", "q", charts=(bars, heat))})
    assert whole.rows == (("x", 2, "b=x,c=2", 1, 1),)
    assert whole.fine == ("point",)
    (chart,) = whole.charts
    assert (chart.kind, chart.group, chart.title) == ("bars", "point", "Bars, by point")
