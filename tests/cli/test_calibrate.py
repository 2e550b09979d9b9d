"""``revkit calibrate``: what it prints, its exit codes, streams, and what it refuses."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from revkit import api
from revkit.calibration import utc_today
from revkit.cli.main import main
from revkit.errors import SpecError
from revkit.registry import load_registry
from revkit.spec import load_experiment

ROOT = Path(__file__).resolve().parents[2]
SPEC = """\
revkit: 1
name: venue
corpus: {use: simulated-venue, with: {papers: 4}}
agents:
  g1: {use: simulated-reviewer, with: {profile: g1}}
  g2: {use: simulated-reviewer, with: {profile: g2}}
"""


MUTE = """
from dataclasses import dataclass
from revkit import Calibrator, Curve, hookimpl

class Same(Curve):
    def __call__(self, raw):
        return raw
    def to_json(self):
        return {}

@dataclass(frozen=True)
class Mute(Calibrator):
    'Leaves scores as they are.'
    name = "mute"
    def fit(self, raw, target, weights=None):
        return Same()

@hookimpl
def register_calibrators(register):
    register(Mute)
"""


@dataclass
class Done:
    """What a command left behind."""

    code: int
    out: str
    told: str


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> Callable[..., Done]:
    """Run ``revkit calibrate ...`` in ``tmp_path`` with the plugin's calibrators."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REVKIT_PLUGINS", "asc,corpora")

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "argv", ["revkit", "calibrate", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="latin-1"))
        with pytest.raises(SystemExit) as leave:
            main()
        sys.stdout.flush()
        out, told = capfdbinary.readouterr()
        return Done(int(leave.value.code or 0), out.decode(), told.decode())

    return run


@pytest.fixture
def tables(tmp_path: Path) -> None:
    """Scores 1 to 9.9 (9.9 the best) of 90 anchors, consensus a line through them with a wave."""
    rows = [(f"a{i}", 1 + i / 10, 100 - i + (i * 7 % 13 - 6)) for i in range(90)]
    (tmp_path / "s.csv").write_text(
        "id,score\n" + "".join(f"{n},{s:.1f}\n" for n, s, _ in rows), encoding="utf-8"
    )
    (tmp_path / "a.csv").write_text(
        "id,consensus\n" + "".join(f"{n},{min(100, c)}\n" for n, _, c in rows), encoding="utf-8"
    )
    (tmp_path / "low.csv").write_text(
        "id,score\n" + "".join(f"{n},{11 - s:.1f}\n" for n, s, _ in rows), encoding="utf-8"
    )
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")


FIT = ("fit", "--agent", "g1", "--scores", "s.csv", "--anchors", "a.csv", "-o", "m.json")


@pytest.fixture
def fitted(call: Callable[..., Done], tables: None) -> Done:
    """The map m.json."""
    return call(*FIT, "--scale", "1:10")


def edit(path: str, **fields: Any) -> None:
    """Change fields of a map's file by hand."""
    told = json.loads(Path(path).read_text(encoding="utf-8"))
    Path(path).write_text(json.dumps({**told, **fields}), encoding="utf-8")


def day(days: int) -> str:
    return (utc_today() + timedelta(days=days)).isoformat()


def test_fit_states_its_data(fitted: Done) -> None:
    assert fitted.code == 0, fitted.told
    first, reach, last = fitted.out.splitlines()
    assert first == "g1: monotone-spline on 90 anchors, weights equal"
    assert re.fullmatch(r"  severities of the anchors: \S+ to \S+ by the agent, .*", reach)
    assert last == f"fitted {day(0)}, expires {day(7)}: m.json"


def test_a_map_that_gives_all_scores_one_severity_is_named(call: Any, tables: None) -> None:
    Path("a.csv").write_text("id,consensus\na1,5\na2,22\na3,70\n", encoding="utf-8")
    Path("s.csv").write_text("id,score\na1,9\na2,5\na3,1\n", encoding="utf-8")
    done = call(*FIT, "--scale", "1:10", "--lower-is-better")
    assert done.code == 0
    assert "so it does not distinguish papers; do not use it" in done.out


def test_fit_counts_what_was_left_out(call: Any, tables: None) -> None:
    with Path("s.csv").open("a", encoding="utf-8") as file:
        file.write("z,5\na1,\n")
    text = Path("s.csv").read_text(encoding="utf-8").replace("a0,1.0", "a0,")
    Path("s.csv").write_text(text, encoding="utf-8")
    done = call(*FIT, "--scale", "1:10", "--days", "0", "--calibrator", "isotonic")
    assert done.out.startswith(
        "g1: isotonic on 89 anchors, weights equal\n  1 anchors without a score\n"
        "  1 scores of papers that are not anchors\n"
    )
    assert done.out.endswith(f"fitted {day(0)}, does not expire: m.json\n")


def test_a_map_that_was_fitted_for_an_experiment_is_its_own(call: Any, tables: None) -> None:
    text = "id,score\n" + "".join(f"a{i},{i}\n" for i in range(90))
    Path("s.csv").write_text(text, encoding="utf-8")
    text = "id,consensus\n" + "".join(f"a{i},{i}\n" for i in range(90))
    Path("a.csv").write_text(text, encoding="utf-8")
    assert call(*FIT, "--spec", "spec.yaml").code == 0
    assert call("apply", "m.json", "s.csv", "--spec", "spec.yaml", "-o", "o.csv").code == 0
    assert call("status", "m.json", "--spec", "spec.yaml").code == 0
    mine = ("apply", "m.json", "s.csv", "--spec", "spec.yaml", "--agent")
    assert call(*mine, "g1").code == 0
    assert "foreign" in call(*mine, "g2").told
    assert call("apply", "m.json", "s.csv", "--agent", "g2").code == 2
    changed = SPEC.replace("profile: g1", "profile: g1, prompt: 1")
    Path("other.yaml").write_text(changed, encoding="utf-8")
    done = call("apply", "m.json", "s.csv", "--spec", "other.yaml")
    assert (done.code, done.out) == (1, "")
    assert "foreign: it was fitted for another agent or another setting of 'g1'" in done.told
    assert "; fit it again, or allow it (foreign)" in done.told
    done = call("apply", "m.json", "s.csv", "--spec", "other.yaml", "--allow", "foreign")
    assert done.code == 0
    done = call("status", "m.json", "--spec", "other.yaml")
    assert (done.code, "foreign" in done.out) == (1, True)


@pytest.fixture
def of_spec(call: Any) -> Path:
    """A map that was fitted for the agent g1 of ``spec.yaml``, from 90 anchors in ``s.csv``."""
    rows = [f"a{i},{i}\n" for i in range(90)]
    Path("spec.yaml").write_text(SPEC, encoding="utf-8")
    Path("s.csv").write_text("id,score\n" + "".join(rows), encoding="utf-8")
    Path("a.csv").write_text("id,consensus\n" + "".join(rows), encoding="utf-8")
    assert call(*FIT, "--spec", "spec.yaml").code == 0
    return Path("m.json")


def test_a_map_of_other_code_is_renewed_by_a_check_that_it_passes(
    call: Any, of_spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = ("apply", "m.json", "s.csv", "--spec", "spec.yaml", "-o", "o.csv")
    assert call(*apply).code == 0
    monkeypatch.setattr("revkit_asc.simulation.reviewer.SimulatedReviewer.version", "next")
    done = call(*apply)
    assert done.code == 1
    assert "other-code: it was fitted for 'g1' with the same settings but other code" in done.told
    assert "check the map (`revkit calibrate check`)" in done.told
    assert call(*apply, "--allow", "other-code").code == 0
    assert call(*apply, "--allow", "foreign").code == 0
    assert call(*apply, "--allow", "expired").code == 1
    spec = SPEC.replace("profile: g1}", "profile: g1}, calibration: {map: m.json}")
    Path("used.yaml").write_text(spec, encoding="utf-8")
    with pytest.raises(SpecError, match=r"agents\.g1\.calibration: other-code: .* check the map"):
        load_experiment(Path("used.yaml"), load_registry())

    moved = "".join(f"a{i},{min(99, i + 20 + i % 3)}\n" for i in range(90))
    Path("moved.csv").write_text("id,score\n" + moved, encoding="utf-8")
    before = of_spec.read_bytes()
    done = call("check", "m.json", "moved.csv", "--spec", "spec.yaml")
    assert (done.code, of_spec.read_bytes()) == (1, before)
    assert "not renewed" in done.out
    again = "".join(f"a{i},{i + 0.01 * (i * 7 % 5 - 2 if 1 < i < 88 else 0)}\n" for i in range(90))
    Path("again.csv").write_text("id,score\n" + again, encoding="utf-8")
    done = call("check", "m.json", "again.csv")
    assert done.code == 0
    assert "fingerprint" not in done.out
    assert json.loads(of_spec.read_bytes())["fingerprint"] == json.loads(before)["fingerprint"]

    done = call("check", "m.json", "again.csv", "--spec", "spec.yaml")
    assert done.code == 0
    assert "fingerprint     renewed: same settings, other code" in done.out
    assert call(*apply).code == 0
    assert load_experiment(Path("used.yaml"), load_registry()).agents
    old, new = json.loads(before), json.loads(of_spec.read_bytes())
    renewed = new["about"].pop("renewed")
    assert renewed == {"on": day(0), "anchors": 90, "fingerprint": old["fingerprint"]}
    assert new["about"].pop("checked")["on"] == day(0)
    assert {**new, "fingerprint": old["fingerprint"]} == old
    assert new["fingerprint"] == api.fingerprint("spec.yaml", "g1")


def test_a_check_renews_no_map_of_other_settings(call: Any, of_spec: Path) -> None:
    changed = SPEC.replace("profile: g1", "profile: g1, prompt: 1")
    Path("other.yaml").write_text(changed, encoding="utf-8")
    before = of_spec.read_bytes()
    again = "".join(f"a{i},{i + 0.01 * (i * 7 % 5 - 2 if 1 < i < 88 else 0)}\n" for i in range(90))
    Path("again.csv").write_text("id,score\n" + again, encoding="utf-8")
    done = call("check", "m.json", "again.csv", "--spec", "other.yaml")
    assert (done.code, of_spec.read_bytes()) == (0, before)
    assert "of another agent or other settings than these scores" in done.out


def test_a_calibrator_that_cannot_load_its_map_fits_none(call: Any, tables: None) -> None:
    Path("mute.py").write_text(MUTE, encoding="utf-8")
    done = call(*FIT, "--scale", "1:10", "--calibrator", "mute", "--plugin", "mute.py")
    assert (done.code, Path("m.json").exists()) == (1, False)
    assert "calibrator 'mute' cannot load the map that it fitted" in done.told
    assert "add a method `load`" in done.told


def test_a_map_without_a_fingerprint_is_no_proof(call: Any, fitted: Done) -> None:
    assert call("apply", "m.json", "s.csv").code == 0
    done = call("apply", "m.json", "s.csv", "--fingerprint", "abc")
    assert done.code == 1
    assert "foreign: it has no fingerprint" in done.told
    done = call("status", "m.json")
    assert (done.code, "without a fingerprint" in done.out) == (0, True)
    assert call("status", "m.json", "--spec", "spec.yaml").code == 1


def test_an_expired_map_is_refused_until_it_is_allowed(call: Any, fitted: Done) -> None:
    edit("m.json", expires=day(0))
    assert call("apply", "m.json", "s.csv").code == 0
    edit("m.json", expires=day(-1))
    done = call("apply", "m.json", "s.csv", "-o", "o.csv")
    assert (done.code, done.out, Path("o.csv").exists()) == (1, "", False)
    assert (
        f"expired: it expired after {day(-1)}; score the anchors again and fit a new map"
        in done.told
    )
    assert call("apply", "m.json", "s.csv", "--allow", "expired").code == 0
    done = call("check", "m.json", "s.csv")
    assert (done.code, done.out) == (1, "")
    assert (
        f"expired: it expired after {day(-1)}; score the anchors again and fit a new map\n"
        in done.told
    )
    done = call("status", "m.json", "none.json")
    assert done.code == 1
    assert f"expired: it expired after {day(-1)}" in done.out
    assert "none.json: none.json cannot be read" in done.out


def test_apply_marks_each_row_that_it_cannot_map(call: Any, fitted: Done) -> None:
    done = call("apply", "m.json", stdin=b'\xef\xbb\xbfid,score\r\na,5\r\nb,"6,5"\r\nc,12\r\n')
    assert done.code == 1
    head, first, *others = done.out.splitlines()
    assert head == "id,score,common,extrapolated,calibration_problem"
    assert first.startswith("a,5,5")
    assert first.endswith(",false,")
    assert others[0].startswith('b,"6,5",,,"\'6,5\' has a comma')
    assert others[1] == "c,12,,,12.0 is not a score of scale '1-10'"
    assert done.told == (
        "3 rows: 1 mapped, 0 of them outside the anchors' range, 2 without a score on the common "
        "scale\n"
        "identity not checked: nothing shows that 'g1' gave these scores; name its experiment with "
        "--spec\n"
    )


def test_apply_is_utf_8_whatever_the_terminal_is(call: Any, fitted: Done) -> None:
    text = '{"id": "中 é", "mark": 5}\n'
    done = call("apply", "m.json", "--format", "jsonl", "--column", "mark", stdin=text.encode())
    assert done.code == 0
    assert json.loads(done.out)["id"] == "中 é"
    done = call("apply", "m.json", stdin="id,score\né,5\n".encode("latin-1"))
    assert (done.code, done.out) == (1, "")
    assert "byte 9 is not UTF-8; save the file as UTF-8" in done.told


def test_a_file_is_written_whole_or_not_at_all(call: Any, fitted: Done) -> None:
    Path("bad.csv").write_text("score\n5\n5,5\n", encoding="utf-8")
    Path("o.csv").write_text("before", encoding="utf-8")
    done = call("apply", "m.json", "bad.csv", "-o", "o.csv")
    assert done.code == 1
    assert "line 3: 2 cells" in done.told
    assert Path("o.csv").read_text(encoding="utf-8") == "before"
    # The same name for both is no loss: the file is complete before it takes its name.
    assert call("apply", "m.json", "s.csv", "-o", "s.csv").code == 0
    assert len(Path("s.csv").read_text(encoding="utf-8").splitlines()) == 91
    assert not list(Path().glob("*.part"))
    assert "the column 'common' exists already" in call("apply", "m.json", "s.csv").told


def test_a_device_or_a_link_is_written_to_and_stays(call: Any, fitted: Done) -> None:
    Path("real.csv").write_text("before", encoding="utf-8")
    Path("link.csv").symlink_to("real.csv")
    Path("null").symlink_to(os.devnull)
    for name in ("link.csv", "null"):
        assert call("apply", "m.json", "s.csv", "-o", name).code == 0
        assert Path(name).is_symlink()
    assert len(Path("real.csv").read_text(encoding="utf-8").splitlines()) == 91
    assert call(*FIT[:-1], "null", "--scale", "1:10").code == 0
    assert Path("null").is_symlink()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("apply", "none.json", "s.csv"), 1, "none.json cannot be read: No such file"),
        (("apply", "m.json", "none.csv"), 1, "none.csv cannot be used: No such file"),
        (("apply", "m.json", "s.csv", "-o", "no/o.csv"), 1, "no/o.csv cannot be used"),
        (("apply", "m.json", "spec.yaml"), 1, "must end in .csv, .tsv or .jsonl"),
        (("apply", "m.json", "s.csv", "--column", "points"), 1, "no column 'points'"),
        (("apply", "m.json", "s.csv", "--allow", "all"), 2, "not one of"),
        (("apply", "m.json", "s.csv", "--spec", "none.yaml"), 2, "none.yaml"),
        (("check", "m.json", "none.csv"), 1, "none.csv cannot be read"),
        (("check", "m.json", "s.csv", "--level", "1"), 2, "level"),
        (("status",), 2, "Missing argument"),
        ((*FIT,), 2, "--scores needs either --spec or --scale"),
        ((*FIT, "--scale", "1:10", "--spec", "spec.yaml"), 2, "either --spec or --scale"),
        ((*FIT, "--scale", "10"), 2, "write it as LOWEST:HIGHEST"),
        ((*FIT, "--scale", "1,0:9,9"), 2, "write it as LOWEST:HIGHEST"),
        ((*FIT, "--scale", "10:1"), 2, "the lowest score must come first"),
        ((*FIT, "--scale", "1:9"), 1, "anchor 'a81': 9.1 is not a score of scale '1-9'"),
        ((*FIT, "--scale", "1:10", "--calibrator", "isotonik"), 3, "did you mean 'isotonic'"),
        ((*FIT, "--scale", "1:10", "--lower-is-better"), 1, "leave out --lower-is-better"),
        ((*FIT, "--scores", "low.csv", "--scale", "1:10"), 1, "add --lower-is-better"),
        ((*FIT, "--spec", "spec.yaml"), 1, "the right direction"),
        ((*FIT, "--spec", "spec.yaml", "--agent", "g9"), 2, "unknown agent 'g9'"),
        (("fit", "--agent", "g", "-o", "m"), 2, "scores is missing"),
        (("fit", "--agent", "g", "-o", "m", "--run", "."), 2, "--run needs --map"),
        (("fit", "--agent", "g", "-o", "m", "--run", ".", "--map", "x"), 1, "not the folder of"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_remedy(
    call: Any, fitted: Done, arguments: tuple[str, ...], code: int, told: str
) -> None:
    done = call(*arguments)
    assert told in " ".join(done.told.split()), done.told
    assert done.code == code
    assert done.out == ""


def test_whoever_applies_a_map_is_told_its_flags(call: Any, tables: None) -> None:
    few = Path("s.csv").read_text(encoding="utf-8").splitlines()[:4]
    Path("few.csv").write_text("\n".join(few) + "\n", encoding="utf-8")
    call(*FIT, "--scores", "few.csv", "--scale", "1:10", "--lower-is-better")
    done = call("apply", "m.json", "few.csv")
    # Three anchors whose scores go against the consensus: one score for all.
    counts, identity = done.told.splitlines()
    assert counts.endswith("flags of the map: few_anchors, fallback=linear, weak, flat")
    assert identity.startswith("identity not checked: nothing shows that 'g1' gave these scores")
    assert len({line.split(",")[2] for line in done.out.splitlines()[1:]}) == 1


def test_check(call: Any, fitted: Done, tmp_path: Path) -> None:
    lines = Path("s.csv").read_text(encoding="utf-8").splitlines()
    Path("same.csv").write_text("\n".join([lines[0], *lines[1:90:4]]) + "\n", encoding="utf-8")
    done = call("check", "m.json", "same.csv")
    assert (done.code, done.out) == (1, "")
    assert "the scores of all 23 anchors are those of the fit" in done.told
    again = []
    for i, line in enumerate(lines[1:90:4]):
        name, score = line.split(",")
        again.append(f"{name},{min(10, max(1, float(score) + (i * 7 % 5 - 2) / 50)):.2f}")
    Path("again.csv").write_text("\n".join([lines[0], *again]) + "\n", encoding="utf-8")
    done = call("check", "m.json", "again.csv")
    assert done.code == 0, done.told
    assert "verdict         valid (level 0.01 for drift and for error)" in done.out
    about = json.loads(Path("m.json").read_bytes())["about"]["checked"]
    assert (about["on"], about["anchors"], about["level"]) == (day(0), 23, 0.01)
    stated = re.search(r"a shift of ([0-9.]+) points, an error of ([0-9.]+)", done.out)
    assert stated is not None
    assert about["detectable_shift"] == pytest.approx(float(stated[1]), abs=0.005)
    assert about["detectable_error"] == pytest.approx(float(stated[2]), abs=0.005)
    shown = call("status", "m.json").out
    assert f"passed a check on {day(0)}" in shown
    (row,) = json.loads(call("status", "m.json", "--json").out)
    assert (row["file"], row["usable"]) == ("m.json", True)
    assert shown.strip() == f"m.json: {row['description']}"
    done = call("check", "m.json", ".")
    assert (done.code, "not the folder of a finished run" in done.told) == (1, True)
    moved = [f"{n},{float(s) * 0.8 + 0.2:.1f}" for n, s in (x.split(",") for x in lines[1:90:4])]
    Path("moved.csv").write_text("\n".join(["id,score", *moved]) + "\n", encoding="utf-8")
    done = call("check", "m.json", "moved.csv")
    assert done.code == 1
    assert "not valid: score all anchors and fit a new map" in done.out
    found = json.loads(call("check", "m.json", "moved.csv", "--json").out)
    assert (found["holds"], found["anchors"], found["level"]) == (False, 23, 0.01)
    assert found["shift_p"] < 0.01
    Path("few.csv").write_text("\n".join([*lines[:5], "z,3"]) + "\n", encoding="utf-8")
    done = call("check", "m.json", "few.csv")
    assert (done.code, "at least 8 are needed" in done.told) == (1, True)


ANCHORED = (
    SPEC
    + """\
calibration:
  anchors: {use: anchor-bank, with: {clusters: [language]}}
  maps: {spline: monotone-spline}
metrics: []
reports: []
"""
)


def test_the_run_of_the_fit_is_no_check(call: Any, tmp_path: Path) -> None:
    """Neither that run, nor another one that drew the same scores; a later one is a check."""
    Path("spec.yaml").write_text(ANCHORED, encoding="utf-8")
    for name, seed in (("first", 1), ("same", 1), ("later", 2)):
        api.run("spec.yaml", out=name, store=f"{name}.sqlite3", seed=seed)
    done = call("fit", "--run", "first", "--map", "spline", "--agent", "g1", "-o", "m.json")
    assert done.code == 0, done.told
    done = call("check", "m.json", "first")
    assert (done.code, done.out) == (1, "")
    assert "the map of 'g1' was fitted on this run, so its scores say nothing" in done.told
    done = call("check", "m.json", "same")
    assert (done.code, done.out) == (1, "")
    assert "the scores of all 35 anchors are those of the fit" in done.told
    done = call("check", "m.json", "later")
    assert done.code == 0, done.told
    assert "anchors paired  35" in done.out


def test_what_a_map_says_does_nothing_to_the_terminal(call: Any, fitted: Done) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    edit("m.json", agent=evil, fingerprint=evil)
    told = [
        call("status", "m.json", "--spec", "spec.yaml"),
        call("status", "m.json"),
        call("apply", "m.json", "s.csv", "--fingerprint", "x"),
        call("apply", "m.json", "s.csv", "--spec", "spec.yaml"),
    ]
    edit("m.json", **{evil: 1})
    told += [call("status", "m.json"), call("apply", "m.json", "s.csv")]
    for done in told:
        text = done.out + done.told
        assert r"\x1b" in text
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert [done.code for done in told] == [1, 0, 1, 2, 1, 1]


def test_a_pipe_that_is_closed_ends_it_quietly(call: Any, fitted: Done, tmp_path: Path) -> None:
    rows = "score\n" + "5.5\n" * 200_000
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "plugins")]),
        "REVKIT_PLUGINS": "asc",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "revkit", "calibrate", "apply", "m.json", "rows.csv"],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stderr is not None
        (tmp_path / "rows.csv").write_text(rows, encoding="utf-8")
        assert running.stdout.readline() == b"score,common,extrapolated,calibration_problem\n"
        running.stdout.close()
        told = running.stderr.read()
        assert running.wait(timeout=60) == 1
    assert told == b""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="/proc tells the peak memory")
def test_memory_does_not_grow_with_a_stream(call: Any, fitted: Done, tmp_path: Path) -> None:
    """300 MB through a pipe, in a process that never holds half of it."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "plugins")]),
        "REVKIT_PLUGINS": "asc",
    }
    program = (
        "import sys\n"
        "sys.argv = ['revkit', 'calibrate', 'apply', 'm.json', '-o', 'out.csv']\n"
        "from revkit.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as leave:\n"
        "    status = open('/proc/self/status').read()\n"
        "    print(leave.code, status.partition('VmHWM:')[2].split()[0])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(b"text,score\n")
        portion = (b"x" * 1000 + b",5.5\n") * 1000
        for _ in range(300):
            running.stdin.write(portion)
        running.stdin.close()
        code, kilobytes = running.stdout.read().split()
        assert running.wait(timeout=120) == 0
    assert int(code) == 0
    assert int(kilobytes) < 150_000
    assert (tmp_path / "out.csv").stat().st_size > 300_000_000
