"""Maps as files: equal to the last bit after a round trip, refused for whatever else they are."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from revkit.calibration import CalibrationMap, fit_map, load_map, map_from_json, save_map
from revkit.errors import CalibrationError, UnreadableMap
from revkit.model.consensus import Consensus
from revkit.model.review import Scale
from revkit.registry import Registry, load_registry

Made = Callable[..., CalibrationMap]
ROOT = Path(__file__).resolve().parents[2]


def test_a_round_trip_is_equal_to_the_last_bit(
    a_map: Made, registry: Registry, tmp_path: Path
) -> None:
    curve = type(a_map().curve)(0.1 + 0.2, 1 / 3, 75.0)  # type: ignore[call-arg]
    found = a_map(curve=curve, scored={"b": (1 / 7, 5e-324), "a": (0.1, 99.99999999999999)},
                  anchors=2, agent="\ud800 g", about={"flags": ["weak"]})  # fmt: skip
    save_map(found, tmp_path / "m.json")
    again = load_map(tmp_path / "m.json", registry)
    assert (again.curve.low, again.curve.slope) == (0.1 + 0.2, 1 / 3)  # type: ignore[attr-defined]
    assert again.scored == found.scored
    assert again.digest == found.digest
    assert again.scale == found.scale
    save_map(replace(again, agent=found.agent), tmp_path / "n.json")
    assert (tmp_path / "n.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["m.json", "n.json"]


def test_a_fitted_spline_maps_the_same_in_another_process(tmp_path: Path) -> None:
    from revkit_asc.calibrators import MonotoneSpline

    scores = {f"a{i}": [1 + (i * 37 % 91) / 10] for i in range(91)}
    consensus = {f"a{i}": Consensus((i * 53 % 101) / 2 + (i * 37 % 91) / 2, 1 + i % 3)
                 for i in range(91)}  # fmt: skip
    found = fit_map("g", Scale("s", 1, 10, higher_is_better=False), MonotoneSpline(), scores,
                    consensus, today=date(2026, 1, 1))  # fmt: skip
    save_map(found, tmp_path / "m.json")
    given = [1 + i / 1000 for i in range(9001)]
    program = (
        "import json, sys\nfrom revkit import api\n"
        "found = api.load_map(sys.argv[1])\n"
        "scores = [1 + i / 1000 for i in range(9001)]\n"
        "print(json.dumps([each.common for each in found.apply(scores)]))"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "plugins")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tmp_path / "m.json")],
        capture_output=True, text=True, check=True, timeout=60,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7", "REVKIT_PLUGINS": "asc"},
    )  # fmt: skip
    assert json.loads(done.stdout) == [each.common for each in found.apply(given)]


def _with(path: str, value: Any) -> Callable[[Any], Any]:
    def change(told: Any) -> Any:
        place = told
        *steps, last = path.split(".")
        for step in steps:
            place = place[step]
        place[last] = value
        return told

    return change


def _without(name: str) -> Callable[[Any], Any]:
    return lambda told: {key: value for key, value in told.items() if key != name}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda told: [told], "not a calibration map"),
        (lambda told: {"kind": "other"}, "not a calibration map"),
        (_with("format", 2), "format 2, and this revkit reads format 1; fit it again"),
        (_with("format", "\x1b[2J" * 99), r"'\\x1b"),
        (_without("curve"), "the map: 'curve' is a required property"),
        (_with("more", 1), "'more' was unexpected"),
        (_with("agent", 5), "agent: 5 is not of type 'string'"),
        (_with("expires", "tomorrow"), "expires: 'tomorrow' is not a date"),
        (_with("expires", "20260131"), "expires: '20260131' is not a date"),
        (_with("expires", "2026-W01-1"), "expires: .* is not a date"),
        (_with("expires", "2026-02-30"), "expires: '2026-02-30' is not a date"),
        (_with("fitted", 5), "fitted: 5 is not of type 'string'"),
        (_with("anchors", 3), "anchors: 3, but it has 1"),
        (_with("anchors", True), "anchors: True is not of type"),
        (_with("anchors", 10**4000), "too large"),
        (_with("scored", {"\x1b[2J": [1, 101]}), r"scored.\\x1b\[2J.1: 101 is greater"),
        (_with("scored", {"a": [1]}), "is too short"),
        (_with("scale.minimum", 9), "minimum must be below maximum"),
        (_with("scale.minimum", -(10**400)), "too large"),
        (_with("scale.minimum", None), "scale.minimum: None is not of type 'number'"),
        (_with("calibrator.use", "bendin"), "did you mean 'bending'"),
        (_with("calibrator.use", "../../etc/passwd"), "unknown calibrator .*--plugin"),
        (_with("calibrator.use", ""), "unknown calibrator"),
        (_with("calibrator.with", {"lows": 1}), "did you mean 'low'"),
        (_with("calibrator.with", {"low": "x"}), "low"),
        (_with("curve", {"slope": 1}), "no curve of bending"),
        (_with("curve", []), "curve: .* is not of type 'object'"),
        (_with("about", "x"), "about: 'x' is not of type 'object'"),
    ],
)
def test_what_is_no_map_is_refused_with_its_place(
    a_map: Made, registry: Registry, change: Callable[[Any], Any], told: str
) -> None:
    value = json.loads(json.dumps(a_map(scored={"a": (1, 2)}, anchors=1).to_json()))
    with pytest.raises(UnreadableMap, match=told) as caught:
        map_from_json(change(value), registry)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1500


def _nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[: len(text) // 2], "is not JSON, perhaps truncated"),
        (lambda text: "", "is not JSON, perhaps truncated"),
        (lambda text: text.replace('"anchors": 0', '"anchors": NaN'), "NaN is not a JSON number"),
        (lambda text: text.replace('"slope": 0.5', '"slope": 1e999'), "slope: 1e999 is too large"),
        (lambda text: text.replace('"slope": 0.5', '"slope": ' + "9" * 5000), "is not JSON"),
        (lambda text: text.replace('"about": {', '"about": {"x": ' + _nested(70)), "60 levels"),
        (lambda text: text.replace('"about": {', '"about": {"x": ' + _nested(990)), "deep|JSON"),
        (lambda text: text.replace('"about": {', '"about": {"x": ' + _nested(10**6)), "not JSON"),
        (lambda text: text.replace('"agent": "g1"', '"agent": "g1", "agent": "g2"'), "twice"),
        (lambda text: text.replace("g1", "\udce9"), "is not UTF-8"),
        (lambda text: " " * 20_000_001, "is larger than 20,000,000 bytes"),
    ],
)  # fmt: skip
def test_hostile_files(
    a_map: Made, registry: Registry, tmp_path: Path, change: Callable[[str], str], told: str
) -> None:
    path = tmp_path / "m.json"
    save_map(a_map(), path)
    text = path.read_text(encoding="utf-8")
    if '"about": {}' in text and "[[" in change('"about": {'):
        text = text.replace('"about": {}', '"about": {\n}')
    path.write_bytes(change(text).encode("utf-8", "surrogateescape"))
    with pytest.raises(UnreadableMap, match=told) as caught:
        load_map(path, registry)
    assert str(path) in str(caught.value)


def test_every_cut_of_a_file_is_refused(a_map: Made, registry: Registry, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    save_map(a_map(), path)
    body = path.read_bytes().rstrip()
    for end in range(0, len(body), 7):
        path.write_bytes(body[:end])
        with pytest.raises(UnreadableMap):
            load_map(path, registry)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value[:5])
    for key, item in items:
        if isinstance(item, dict | list):
            yield from _places(item, (*place, key))
        else:
            yield (*place, key)


def test_a_spline_that_was_damaged_anywhere_is_refused_or_still_a_map() -> None:
    import numpy as np

    from revkit_asc.calibrators import MonotoneSpline

    registry = load_registry()
    scores = {f"a{i}": [float(i)] for i in range(60)}
    consensus = {f"a{i}": Consensus(i * 1.5 + i % 7) for i in range(60)}
    scale = Scale("s", 0, 100, higher_is_better=False)
    found = fit_map("g", scale, MonotoneSpline(), scores, consensus, today=date(2026, 1, 1))
    whole = json.dumps(found.to_json())
    places = list(_places(json.loads(whole)))[1:]
    rng = random.Random(4)
    values = [None, True, -1, 0, 0.5, 1e308, 5e-324, 101, "x", [], {}, [1, 2], 2**70, [[1]]]
    grid, told = np.linspace(0, 100, 501), {"read": 0, "refused": 0}
    for place in rng.choices(places, k=400):
        told_map = json.loads(whole)
        *steps, last = place
        inner = told_map
        for step in steps:
            inner = inner[step]
        inner[last] = rng.choice(values)
        try:
            again = map_from_json(told_map, registry)
        except UnreadableMap:
            told["refused"] += 1
            continue
        told["read"] += 1
        common, _ = again.common(grid)
        given = common[~np.isnan(common)]
        turned = -1 if again.scale.higher_is_better else 1
        assert (np.diff(given) * turned >= -1e-9).all()
        assert (given >= 0).all()
        assert (given <= 100).all()
    assert min(told.values()) > 40


def test_no_file_and_no_place_to_write(a_map: Made, registry: Registry, tmp_path: Path) -> None:
    with pytest.raises(UnreadableMap, match="cannot be read: No such file"):
        load_map(tmp_path / "none.json", registry)
    with pytest.raises(UnreadableMap, match="cannot be read"):
        load_map(tmp_path, registry)
    with pytest.raises(CalibrationError, match="cannot be written: No such file"):
        save_map(a_map(), tmp_path / "none" / "m.json")
    save_map(a_map(), tmp_path / "m.json")
    body = (tmp_path / "m.json").read_bytes()
    (tmp_path / "m.json").write_bytes(b"\xef\xbb\xbf" + body)
    assert load_map(tmp_path / "m.json", registry).agent == "g1"


def test_an_edited_curve_is_read_as_what_it_is(
    a_map: Made, registry: Registry, tmp_path: Path
) -> None:
    save_map(a_map(), tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8").replace("0.5", "0.25")
    (tmp_path / "m.json").write_text(text, encoding="utf-8")
    found = load_map(tmp_path / "m.json", registry)
    assert found.apply([1])[0].common == 25.0
    assert found.digest != a_map().digest


@pytest.mark.parametrize(
    ("fingerprint", "day", "kinds"),
    [
        (None, None, []),
        (None, "2026-01-31", []),
        (None, "2026-02-01", ["expired"]),
        ("f" * 64, "2026-01-02", []),
        ("0" * 64, "2027-01-01", ["foreign", "expired"]),
    ],
)
def test_when_a_map_is_not_to_be_used(
    a_map: Made, fingerprint: str | None, day: str | None, kinds: list[str]
) -> None:
    today = None if day is None else date.fromisoformat(day)
    refused = a_map().refusals(fingerprint=fingerprint, today=today)
    assert [refusal.kind for refusal in refused] == kinds


def test_a_map_without_an_end_or_a_fingerprint(a_map: Made) -> None:
    assert a_map(expires="").refusals(today=date(9999, 1, 1)) == []
    [refusal] = a_map(fingerprint="").refusals(fingerprint="x")
    assert str(refusal).startswith("foreign: it has no fingerprint")
    [refusal] = a_map(expires="2026-01-31").refusals(today=date(2026, 2, 1))
    assert str(refusal) == "expired: it expired after 2026-01-31"
    assert a_map(fingerprint="").refusals() == []
