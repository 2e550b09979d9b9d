"""Calibrations that leave nothing, curves that map nothing, and maps from changed records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import (
    Calibrator,
    Context,
    Curve,
)
from revkit.errors import RunError, SpecError
from revkit.execution.maps import map_of_run, scores_of_run
from revkit.model.paper import Paper, Skipped
from revkit.options import option
from revkit.registry import load_registry
from revkit.testing import toys
from tests.execution.test_judging_and_calibration import (
    PARTS,
    Slope,
    Words,
    calibrated,
    spec,
)

Run = Callable[..., Any]


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.001, "was drawn as an anchor"), (0.999, "has no papers besides the anchors")],
)
def test_a_share_that_leaves_nothing_is_told(run_toy: Run, share: float, told: str) -> None:
    with pytest.raises(RunError, match=told):
        run_toy(calibrated(share=share), plugins=PARTS)


def test_an_empty_bank_is_told(run_toy: Run) -> None:
    given = calibrated(anchors={"use": "words", "with": {"most": 0, "skip": 2}})
    with pytest.raises(RunError, match=r"(?s)'words' returned no anchor.*and 1 more: no text"):
        run_toy(given, plugins=PARTS)


class OddCurve(Curve):
    """A curve with one fault."""

    def __init__(self, how: str, loaded: bool = False) -> None:
        self.how, self.loaded = how, loaded

    def __call__(self, raw: Any) -> Any:
        if self.how == "raises":
            raise ZeroDivisionError
        odd = {"nan": float("nan"), "wide": 1e9, "text": "a"}.get(self.how, 50.0)
        return None if self.how == "none" else [odd] * (1 if self.how == "short" else len(raw))

    def to_json(self) -> Any:
        return {"how": self.how, "again": self.loaded and self.how == "differs"}


@dataclass(frozen=True)
class OddCurves(Calibrator):
    """Fits curves with one fault."""

    name: ClassVar[str] = "odd-curves"
    version: ClassVar[str] = "1"
    how: str = option("nan", help="The fault.")

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        if self.how == "changes":
            raw[0] = 0.0
        return OddCurve(self.how)

    def load(self, value: Any) -> Any:
        return None if self.how == "no-curve" else OddCurve(self.how, loaded=True)


@pytest.mark.parametrize(
    "how",
    ["nan", "wide", "text", "none", "short", "raises", "differs", "changes", "no-curve"],
)
def test_a_curve_that_maps_no_anchor_is_no_map(run_toy: Run, how: str) -> None:
    given = calibrated(
        anchors="words", maps={"m": {"use": "odd-curves", "with": {"how": how}}, "line": "slope"}
    )
    for out in ("run", "again"):
        run = run_toy(given, out=out, plugins=[*PARTS, OddCurves])
        maps = {(found.agent, found.name): found for found in run.records.anchors.maps}
        assert maps["a", "m"].curve is None
        assert maps["a", "m"].refused.startswith("crashed: ")
        assert maps["a", "line"].curve is not None
        assert [(fault.kind, fault.name) for fault in run.faults] == [
            ("fit", "a/m"),
            ("fit", "b/m"),
        ]


@dataclass(frozen=True)
class Sum(Slope):
    """Depends on the order of its rows, as sums of floating-point numbers do."""

    name: ClassVar[str] = "sum"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        return OddCurve("".join(f"{value:.0f}," for value in raw))

    def load(self, value: Any) -> Curve:
        return OddCurve(value["how"])


@dataclass(frozen=True)
class Backwards(Words):
    """The same papers, the longest first."""

    name: ClassVar[str] = "backwards"

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield from [*super().papers(ctx)][::-1]


def test_the_order_of_anchors_reaches_no_calibrator(run_toy: Run) -> None:
    maps = [
        list(
            run_toy(
                calibrated(anchors=anchors, maps={"m": "sum"}),
                out=anchors,
                store=anchors + ".db",
                plugins=[*PARTS, Sum, Backwards],
            ).rows("maps")
        )
        for anchors in ("words", "backwards")
    ]
    assert maps[0] == maps[1]


@pytest.mark.parametrize(
    ("slope", "told"), [(-1.0, "a value outside 0 to 100"), ("x", "crashed: ")]
)
def test_a_map_whose_curve_is_at_fault_is_told_before_anything_runs(
    run_toy: Run, tmp_path: Path, slope: Any, told: str
) -> None:
    run_toy(calibrated(anchors="words"), plugins=PARTS)
    found = map_of_run(tmp_path / "run", "a", "line", load_registry([toys, *PARTS]))
    body = {**found.to_json(), "curve": {"slope": slope}}
    agents = {"a": {"use": "counting", "calibration": {"map": body}}}
    with pytest.raises(SpecError, match=rf"agents\.a\.calibration: .*{told}"):
        run_toy(spec(agents=agents), out="mapped", plugins=PARTS)


def test_odd_numbers_of_a_calibration_are_told(run_toy: Run) -> None:
    experiment = revkit.validate(calibrated(share=0.5), plugins=[toys, *PARTS])
    assert experiment.calibration is not None
    shares: list[Any] = ["0.5", True, float("nan"), 0.0]
    for share in shares:
        with pytest.raises(SpecError, match=r"calibration\.share: must lie between 0 and 1"):
            replace(experiment, calibration=replace(experiment.calibration, share=share))


@pytest.mark.parametrize("name", ["maps", "scores", "anchors"])
def test_no_map_comes_from_records_that_were_changed(
    run_toy: Run, tmp_path: Path, name: str
) -> None:
    run_toy(calibrated(anchors="words"), plugins=PARTS)
    file = tmp_path / "run" / "records" / f"{name}.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("1", "2"), encoding="utf-8")
    with pytest.raises(RunError, match="have been changed"):
        map_of_run(tmp_path / "run", "a", "line", load_registry([toys, *PARTS]))
    with pytest.raises(RunError, match="have been changed"):
        scores_of_run(tmp_path / "run", "a")
