"""Shifts and flips on the common scale, from whole runs whose numbers can be worked out by hand."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import revkit
from revkit.calibration import save_map, utc_today
from revkit.contracts import Agent, Calibrator, Context, Corpus, Curve, Perturbation
from revkit.errors import CalibrationError, RunError, SpecError
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Paper
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, Verdict
from revkit.model.review import Failure, Review, Scale
from revkit.model.table import Table
from revkit.options import option
from revkit.testing import toys
from revkit_asc.metrics import CommonScale
from revkit_robustrev.metrics import FlipRate

Run = Callable[..., Any]


@dataclass(frozen=True)
class Words(Corpus):
    """Papers of 1, 2, 3, ... words; people see five points of severity in each word."""

    name: ClassVar[str] = "words"
    version: ClassVar[str] = "1"
    most: int = option(12, help="Words of the longest.")

    def papers(self, ctx: Context) -> Iterator[Paper]:
        for number in range(1, self.most + 1):
            text = " ".join(f"word{i}" for i in range(number))
            yield Paper(f"p{number}", text + ".", "", Labels(severity=5.0 * number))

    def count(self) -> int:
        return self.most


@dataclass(frozen=True)
class Counter(Agent):
    """Ten points of severity a word, at most 100; fails a text with the word "fail"."""

    name: ClassVar[str] = "counter"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    high: float = option(100.0, help="End of the scale.")
    fail: str = option("", help="A text that it fails.")

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        return Scale("severity", 0, self.high, higher_is_better=False, accept_at=50)

    def review(self, paper: Paper, ctx: Context) -> Any:
        if self.fail and self.fail in paper.text:
            return Failure("refusal", "told to", "")
        score = min(self.high, 10.0 * len(paper.text.split()))
        return Review(score <= 50, score)


@dataclass(frozen=True)
class Pad(Perturbation):
    """Two words more."""

    name: ClassVar[str] = "pad"
    version: ClassVar[str] = "1"

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        return [Edit(len(paper.text), len(paper.text), " two more")]


class Line(Curve):
    """A line through zero; anchors went up to 80."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, raw: Any) -> Any:
        return [min(100.0, self.slope * float(value)) for value in raw]

    def extrapolated(self, raw: Any) -> Any:
        return [value > 80 for value in raw]

    def to_json(self) -> Any:
        return {"slope": self.slope}


@dataclass(frozen=True)
class Slope(Calibrator):
    """The ratio of the means."""

    name: ClassVar[str] = "slope"
    version: ClassVar[str] = "1"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return Line(sum(target) / sum(raw))

    def load(self, value: Any) -> Curve:
        return Line(value["slope"])


PARTS: list[Any] = [Words, Counter, Pad, Slope, CommonScale, FlipRate]
PLUGINS = [toys, *PARTS]


@pytest.fixture
def map_file(run_toy: Run, tmp_path: Path) -> Path:
    """The map of a run on eight anchors: common = half of the raw severity."""
    run_toy(
        {
            "revkit": 1,
            "corpus": {"use": "words", "with": {"most": 2}},
            "agents": {"a": "counter"},
            "calibration": {
                "anchors": {"use": "words", "with": {"most": 8}},
                "maps": {"line": "slope"},
            },
        },
        out="anchors",
        plugins=PARTS,
    )
    found = revkit.map_of_run(tmp_path / "anchors", "a", "line", plugins=PLUGINS)
    assert found.apply([40])[0].common == 20.0
    assert (found.anchors, found.scored["p3"]) == (8, (30.0, 15.0))
    save_map(found, tmp_path / "map.json")
    return tmp_path / "map.json"


def spec(calibration: Any = None, **sections: Any) -> dict[str, Any]:
    agent: Any = {"use": "counter"} | ({"calibration": calibration} if calibration else {})
    return {
        "revkit": 1,
        "name": "t",
        "corpus": "words",
        "perturbations": {"pad": "pad"},
        "agents": {"mapped": agent, "plain": "counter"},
        "metrics": ["flip-rate", "common-scale"],
        **sections,
    }


def test_by_hand(run_toy: Run, map_file: Path) -> None:
    run = run_toy(spec({"map": str(map_file), "accept-up-to": 30}), plugins=PARTS)
    table = run.table("common-scale")
    [row] = table.records()
    # Common is 5 points a word up to 50: two words more are +10, from 9 words on +5, then 0.
    assert row["mean"] == row["mean_abs"] == pytest.approx((8 * 10 + 5) / 12)
    assert row["mean_low"] < row["mean"] < row["mean_high"]
    # Only 5 and 6 words (25 and 30) are accepted before and not after.
    assert (row["accept_up_to"], row["n"], row["flips"]) == (30, 12, 2)
    assert row["flip_rate"] == pytest.approx(2 / 12)
    assert 0 < row["flip_rate_low"] < 2 / 12 < row["flip_rate_high"] < 1
    # From 7 words on the variant's score lies beyond the anchors.
    assert row["extrapolated"] == pytest.approx(6 / 12)
    assert row["agent"] == "mapped"
    assert table.headline
    assert "Without a calibration map, and so not in this table: plain." in table.notes


def test_a_map_changes_nothing_of_what_an_agent_said(run_toy: Run, map_file: Path) -> None:
    run = run_toy(spec({"map": str(map_file), "accept-up-to": 30}), plugins=PARTS)
    rates = {
        (row["agent"], row["family"]): (row["flips"], row["rate"], row["valid"])
        for row in run.table("flip-rate").records()
    }
    # Its own line lies at 50: 4 and 5 words turn.
    assert rates["mapped", "pad"] == rates["plain", "pad"] == (2, 2 / 12, 12)
    plain = {**spec(), "agents": {"mapped": "counter", "plain": "counter"}}
    without = run_toy(plain, out="without", plugins=PARTS)
    assert without.table("flip-rate") == run.table("flip-rate")
    assert not without.table("common-scale").rows
    assert without.table("common-scale").headline is False
    assert [agent.accept_up_to for agent in run.records.agents] == [30, None]
    outcomes = list(run.rows("outcomes"))
    assert all(("common" in row) == (row["agent"] == "mapped") for row in outcomes)
    for one, other in zip(outcomes, without.rows("outcomes"), strict=True):
        assert {k: v for k, v in one.items() if k not in ("common", "extrapolated")} == other


def test_failures_are_counted(run_toy: Run, map_file: Path) -> None:
    given = spec({"map": str(map_file), "allow": ["foreign"]})
    given["agents"]["mapped"]["with"] = {"fail": "word6"}
    [row] = run_toy(given, plugins=PARTS).table("common-scale").records()
    # Seven words and more fail on both sides; of six words nothing does.
    assert (row["pairs"], row["failed"], row["n"], row["flips"]) == (12, 6, 6, 0)
    assert (row["mean"], row["extrapolated"], row["accept_up_to"]) == (10.0, 0.0, 50.0)
    assert row["flip_rate"] == 0.0
    assert row["flip_rate_high"] > 0


def test_a_map_by_hand_can_be_given_in_the_place_of_its_path(run_toy: Run, map_file: Path) -> None:
    whole = json.loads(map_file.read_text(encoding="utf-8"))
    one = run_toy(spec(str(map_file)), plugins=PARTS)
    other = run_toy(spec({"map": whole}), out="other", plugins=PARTS)
    assert one.table("common-scale") == other.table("common-scale")
    assert other.counts.computed == 0


def _repeats(times: int, *, noisy: bool = False) -> Records:
    """12 papers of severity 5, 10, ... with a variant 10 points above, each said ``times``."""
    papers = [PaperRow(f"p{i}", Labels()) for i in range(12)]
    agent = AgentRow("g", "a", Counter().scale, True, (), 30.0)
    verdicts = [
        Verdict("g", f"p{i}", name, 0, k, None, said, "", said, False)
        for i in range(12)
        for name, more in (("", 0.0), ("f", 10.0))
        for k in range(times)
        for said in [5.0 * i + more + (4.0 * (k % 2) if noisy else 0.0)]
    ]
    return Records(
        3, times, papers, [PerturbationRow("f", "f", "invariant")], [agent], [], verdicts
    )


def test_repeats_of_a_steady_agent_change_no_figure() -> None:
    one, ten = (CommonScale(resamples=100).measure(_repeats(k)).rows for k in (1, 10))
    assert one == ten


def test_a_pair_counts_once_with_the_mean_over_its_comparisons() -> None:
    [row] = CommonScale(resamples=100).measure(_repeats(2, noisy=True)).records()
    # The distances of 0 or 4 and 10 or 14 are 10, 14, 6 and 10.
    assert (row["pairs"], row["n"], row["mean"], row["mean_abs"]) == (12, 12, 10.0, 10.0)
    # The line of 30: 20 or 24 becomes 30 or 34 (half), 25 or 29 becomes 35 or 39, 30 or 34 (one of
    # which is accepted) becomes 40 or 44 (half).
    assert row["flips"] == 2
    assert row["flip_rate"] == pytest.approx(2 / 12)


SCORES = st.sampled_from([None, "timeout", 0.0, 30.0, 50.0, 100.0])


@st.composite
def any_records(draw: st.DrawFn) -> Records:
    papers = [PaperRow(f"p{i}", Labels()) for i in range(draw(st.integers(0, 4)))]
    lines = draw(st.lists(st.sampled_from([None, 30.0, 50.0]), max_size=3))
    scale = Counter().scale
    agents = [AgentRow(f"g{i}", "a", scale, True, (), line) for i, line in enumerate(lines)]
    expects: Any = draw(st.lists(st.sampled_from(["invariant", "decrease"]), max_size=3))
    rows = [PerturbationRow(f"f{i}", "f", expect) for i, expect in enumerate(expects)]
    verdicts = []
    for agent in agents:
        for paper in papers:
            for name in ["", *(row.name for row in rows)]:
                said = draw(SCORES)
                score = said if isinstance(said, float) else None
                common = score if agent.accept_up_to is not None else None
                failure = said if isinstance(said, str) else ""
                flag = draw(st.booleans())
                place = (agent.name, paper.id, name, 0, 0, None)
                verdicts.append(Verdict(*place, score, failure, common, flag))
    return Records(3, 1, papers, rows, agents, [], verdicts)


@given(any_records())
@settings(max_examples=60, deadline=None)
def test_any_records_give_a_table_that_adds_up(records: Records) -> None:
    table = CommonScale(resamples=100).measure(records)
    assert Table.from_json(table.to_json()) == table
    mapped = {agent.name: agent.accept_up_to for agent in records.agents if agent.accept_up_to}
    fair = sum(row.expect == "invariant" for row in records.perturbations)
    each = len(records.perturbations) + (fair > 1)
    assert len(table.rows) == each * len(mapped)
    rows: list[dict[str, Any]] = list(table.records())
    for row in rows:
        assert row["pairs"] == row["failed"] + row["without_score"] + row["n"]
        pairs = [
            (pair.original.common, pair.variant.common)
            for pair in records.pairs(str(row["agent"]))
            if row["family"] in ("all families", pair.variant.perturbation)
            and None not in (pair.original.common, pair.variant.common)
        ]
        if row["family"] == "all families":
            continue
        line = mapped[str(row["agent"])]
        assert row["n"] == len(pairs)
        assert row["flips"] == sum((a <= line) != (b <= line) for a, b in pairs)
        assert (row["mean"] is None) == (row["extrapolated"] is None) == (not pairs)
        for name in ("mean", "mean_abs", "flip_rate"):
            if row[f"{name}_low"] is not None:
                assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


def change(path: Path, **fields: Any) -> None:
    told = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**told, **fields}), encoding="utf-8")


def day(days: int) -> str:
    return (utc_today() + timedelta(days=days)).isoformat()


def test_an_expired_map_is_refused_before_anything_is_spent(
    run_toy: Run, map_file: Path, tmp_path: Path
) -> None:
    change(map_file, expires=day(-1))
    assert revkit.validate(spec(str(map_file)), plugins=PLUGINS)
    with pytest.raises(RunError, match=r"agents\.mapped\.calibration: expired.*allow: \[expired\]"):
        run_toy(spec(str(map_file)), plugins=PARTS)
    assert not (tmp_path / "run").exists()
    allowed = {"map": str(map_file), "allow": ["expired"]}
    assert run_toy(spec(allowed), plugins=PARTS).table("common-scale").rows


def test_a_bundle_outlives_its_map(
    run_toy: Run, map_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_toy(spec(str(map_file)), plugins=PARTS)

    monkeypatch.setattr("revkit.calibration.utc_today", lambda: date(2099, 1, 1))
    with pytest.raises(RunError, match="expired"):
        run_toy(spec(str(map_file)), out="late", plugins=PARTS)
    bundle = tmp_path / "b.zip"
    revkit.export(tmp_path / "run", bundle, store=tmp_path / "store.db", plugins=PLUGINS)
    shutil.rmtree(tmp_path / "run")
    map_file.unlink()
    again = revkit.replay(bundle, out=tmp_path / "again", plugins=PLUGINS)
    assert again.identical, again.differences


@pytest.mark.parametrize(
    ("options", "calibration", "told"),
    [
        ({"high": 90.0}, {}, r"scores from 0 to 100 \(lower is better\), but the agent's scores "
                             r"are from 0 to 90 \(lower"),
        ({"fail": "x"}, {}, r"foreign: it was fitted for another agent .*set allow: \[foreign\]"),
        ({}, {"accept-up-to": 101}, "101 is above the maximum of 100"),
        ({}, {"allow": ["all"]}, "'other-code', not 'all'"),
    ],
)  # fmt: skip
def test_a_map_that_does_not_fit_is_a_problem_of_the_spec_with_its_place(
    map_file: Path, tmp_path: Path, options: Any, calibration: Any, told: str
) -> None:
    given = spec({"map": str(map_file), **calibration})
    given["agents"]["mapped"]["with"] = options
    (tmp_path / "spec.yaml").write_text(json.dumps(given, indent=1), encoding="utf-8")
    with pytest.raises(SpecError, match=told) as caught:
        revkit.validate(tmp_path / "spec.yaml", plugins=PLUGINS)
    assert caught.value.problems[0].path.startswith("agents.mapped.calibration")
    assert caught.value.problems[0].line > 1


def test_a_run_gives_its_maps_with_its_own_day(
    run_toy: Run, map_file: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "anchors"
    about = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    about["timing"]["started"] = "2026-01-10T23:59:00Z"
    (folder / "provenance.json").write_text(json.dumps(about), encoding="utf-8")
    found = revkit.map_of_run(folder, "a", "line", days=5, plugins=PLUGINS)
    assert (found.fitted, found.expires) == ("2026-01-10", "2026-01-15")
    assert found.about["anchors_without_score"] == found.about["failed_calls"] == 0
    with pytest.raises(
        CalibrationError, match=r"expired: it expired after 2026-01-15.*\(expired\)"
    ):
        revkit.check_use(found)
    revkit.check_use(found, allow=["expired"])
    for agent, name, told in (("b", "line", "unknown agent 'b'"), ("a", "x", "unknown map 'x'")):
        with pytest.raises(RunError, match=told):
            revkit.map_of_run(folder, agent, name, plugins=PLUGINS)
    (folder / "records" / "maps.jsonl").unlink()
    with pytest.raises(RunError, match="not the folder of a finished run"):
        revkit.map_of_run(folder, "a", "line", plugins=PLUGINS)


def test_a_run_of_today_checks_a_map(run_toy: Run, map_file: Path, tmp_path: Path) -> None:
    anchors = {"use": "words", "with": {"most": 9}}
    given = {
        "revkit": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 2}},
        "agents": {"a": "counter", "b": {"use": "counter", "with": {"fail": "word8"}}},
        "calibration": {"anchors": anchors, "maps": {"line": "slope"}},
    }
    run_toy(given, out="today", store="today.db", plugins=PARTS)
    told = revkit.check_map(map_file, tmp_path / "today", plugins=PLUGINS)
    assert (told.anchors, told.strangers, told.unscored, told.shift) == (8, 1, 0, 0.0)
    assert told.holds
    # What comes from the store is not of today.
    run_toy(given, out="again", store="today.db", plugins=PARTS)
    with pytest.raises(RunError, match="new --store"):
        revkit.check_map(map_file, tmp_path / "again", plugins=PLUGINS)
    about = [
        revkit.map_of_run(tmp_path / folder, "b", "line", plugins=PLUGINS).about
        for folder in ("today", "again")
    ]
    counts = [(told["scores_from_store"], told["failed_calls"]) for told in about]
    # Eight of b and nine of a were there; what failed is tried again.
    assert counts == [(0, 1), (17, 1)]
    other = json.loads(map_file.read_text(encoding="utf-8"))
    (tmp_path / "other.json").write_text(json.dumps({**other, "agent": "c"}), encoding="utf-8")
    with pytest.raises(RunError, match="no agent of it is called 'c'"):
        revkit.check_map(tmp_path / "other.json", tmp_path / "today", plugins=PLUGINS)
