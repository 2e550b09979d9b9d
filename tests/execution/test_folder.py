"""The run folder: never somebody else's, never with figures of an earlier run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.errors import RunError, StoreError
from revkit.execution.folder import MARK, RunFolder, digest_of_run, listed_files


def test_a_folder_is_claimed_held_and_set_free(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "run"
    with RunFolder(path, "d1") as folder:
        folder.write("a.txt", "x\n")
        with pytest.raises(RunError, match="another run is writing to"):
            RunFolder(path, "d1")
        with pytest.raises(RunError, match="another run is writing to"):
            RunFolder(path, "d2", overwrite=True)
    with RunFolder(path, "d1"):
        assert (path / "a.txt").read_text() == "x\n"


def test_a_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for overwrite in (False, True):
        with pytest.raises(
            RunError, match=r"contains other files .thesis.tex, ....* is not a run folder"
        ):
            RunFolder(tmp_path, "d", overwrite=overwrite)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(RunError, match="cannot be used"):
        RunFolder(tmp_path / "thesis.tex", "d")


def test_another_experiment_needs_overwrite(tmp_path: Path) -> None:
    with RunFolder(tmp_path, "d1") as folder:
        folder.write("report.md", "old")
        folder.write("tables/t.csv", "old")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    for _ in range(2):  # the first refusal leaves no lock behind
        with pytest.raises(RunError, match=r"the run of another experiment.*--overwrite"):
            RunFolder(tmp_path, "d2")
    assert (tmp_path / "report.md").read_text() == "old"
    with RunFolder(tmp_path, "d2", overwrite=True) as folder:
        # No figure of the old experiment may pass for one of the new; the rest is the user's.
        assert not (tmp_path / "report.md").exists()
        assert not (tmp_path / "tables" / "t.csv").exists()
        assert (tmp_path / "notes.txt").read_text() == "mine"
        assert (tmp_path / "tables" / "mine.csv").read_text() == "mine"
        folder.write("result.json", "{}")
    with pytest.raises(RunError, match="another experiment"):
        RunFolder(tmp_path, "d1")


def test_what_a_later_run_does_not_write_goes(tmp_path: Path) -> None:
    with RunFolder(tmp_path, "d") as folder:
        folder.write("a.txt", "1")
        folder.write("sub/b.txt", "1")
        folder.finish()
    with RunFolder(tmp_path, "d") as folder:
        folder.write("a.txt", "2")
        assert (tmp_path / "sub" / "b.txt").exists()
        folder.finish()
        assert not (tmp_path / "sub" / "b.txt").exists()
    assert (tmp_path / "a.txt").read_text() == "2"


@pytest.mark.parametrize("mark", ["", "\n", "no json\n", '{"experiment": 5}\n', "[1]\n", "\0\0\0"])
def test_damaged_marks(tmp_path: Path, mark: str) -> None:
    (tmp_path / MARK).write_text(mark)
    if mark.strip():
        with pytest.raises(RunError, match="another experiment"):
            RunFolder(tmp_path, "d")
    with RunFolder(tmp_path, "d", overwrite=True):
        pass


def test_a_mark_never_leads_outside(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "precious.txt").write_text("x")
    (tmp_path / "run" / MARK).write_text('{"experiment": "d1"}\n"../precious.txt"\n')
    with pytest.raises(RunError, match="outside the run folder"):
        RunFolder(tmp_path / "run", "d2", overwrite=True)
    assert (tmp_path / "precious.txt").exists()


@pytest.mark.parametrize("name", ["../a", "/etc/a", ".", "", "sub/../../a", "a/../.."])
def test_names_stay_inside(tmp_path: Path, name: str) -> None:
    with RunFolder(tmp_path / "run", "d") as folder, pytest.raises(RunError, match="outside"):
        folder.write(name, "x")


def test_a_link_does_not_lead_outside(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run", "d") as folder:
        (tmp_path / "run" / "link").symlink_to(tmp_path)
        with pytest.raises(RunError, match="outside"):
            folder.write("link/a.txt", "x")


def test_writing_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunFolder(tmp_path, "d") as folder:
        folder.write("a.txt", "first")

        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
        with pytest.raises(RunError, match=r"cannot be written: .*No space left"):
            folder.write("a.txt", "second")
    assert (tmp_path / "a.txt").read_text() == "first"


def test_nothing_is_written_after_the_folder_was_removed(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunFolder(path, "d") as folder:
        folder.write("a.txt", "x")
        shutil.rmtree(path)
        with pytest.raises(RunError, match="was removed while the run wrote to it"):
            folder.write("report.html", "x")
        with pytest.raises(RunError, match="was removed while the run wrote to it"):
            folder.target("records/papers.jsonl")
    assert not path.exists()
    with RunFolder(path, "d") as folder:  # the same command works again
        folder.write("a.txt", "x")


def test_a_folder_that_is_removed_during_a_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, replace = tmp_path / "run", os.replace
    with RunFolder(path, "d") as folder:

        def slow(part: Path, target: Path) -> None:
            replace(part, target)
            (path / MARK).unlink()

        monkeypatch.setattr(os, "replace", slow)
        with pytest.raises(RunError, match="was removed while the run wrote to it"):
            folder.write("report.html", "x")
    assert not path.exists()


def test_another_run_in_the_place_of_a_removed_folder_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with RunFolder(path, "d") as folder:
        shutil.rmtree(path)
        with RunFolder(path, "other") as other:
            other.write("a.txt", "theirs")
            with pytest.raises(RunError, match="was removed"):
                folder.write("a.txt", "ours")
        assert (path / "a.txt").read_text() == "theirs"


@dataclass(frozen=True)
class Removes(revkit.Reporter):
    """Takes the run folder away while it renders."""

    name: ClassVar[str] = "removes"
    version: ClassVar[str] = "1"
    folders: ClassVar[list[Path]] = []

    def render(self, run: revkit.RunView) -> dict[str, str]:
        for folder in self.folders:
            shutil.rmtree(folder)
        return {"report.html": "x"}


def test_the_same_command_works_after_the_folder_was_removed(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    toy_spec["reports"] = ["removes"]
    Removes.folders.append(tmp_path / "run")
    try:
        with pytest.raises(RunError, match="the same command writes it again"):
            run_toy(toy_spec, plugins=[Removes])
    finally:
        Removes.folders.clear()
    assert not (tmp_path / "run").exists()
    assert run_toy(toy_spec, plugins=[Removes]).exit_code == 0
    assert (tmp_path / "run" / "report.html").read_text() == "x"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(RunError, match=r"cannot be used: .*Permission denied"):
            RunFolder(tmp_path / "run", "d")
    finally:
        tmp_path.chmod(0o700)


_LIMITED = """
import resource, signal, sys
import revkit
from revkit.testing import toys
folder, store, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
spec = {
    "revkit": 1, "corpus": {"use": "toy-papers", "with": {"papers": 400}},
    "perturbations": {"w": "toy-words"}, "agents": {"a": "toy-coin"}, "metrics": ["toy-flips"],
}
try:
    run = revkit.run(spec, out=folder, store=store, plugins=[toys])
except revkit.RevkitError as error:
    print(type(error).__name__, error)
    raise SystemExit(1)
print(run.counts.stored, run.counts.computed)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_disk_that_fills_up_loses_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    """Files may not grow past a limit: the same errors as from a full disk, at many places."""

    def run(folder: str, store: str, limit: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", _LIMITED, folder, store, str(limit)],
            capture_output=True, text=True, env=environment, timeout=60, cwd=tmp_path,
        )  # fmt: skip

    told = set()
    for limit in (1_000, 20_000, 50_000, 90_000, 140_000, 200_000):
        done = run("run", "s.db", limit)
        assert done.returncode == 1, done.stderr
        assert done.stderr == ""
        told.add(done.stdout.split()[0])
        assert not (tmp_path / "run" / "result.json").exists()
    assert told <= {"StoreError", "RunError"}
    stored, computed = map(int, run("run", "s.db", 0).stdout.split())
    assert stored > 0
    assert run("fresh", "fresh.db", 0).stdout.split() == ["0", str(stored + computed)]
    for name in ("result.json", "records/outcomes.jsonl", "records/variants.csv"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "fresh" / name).read_bytes()


def test_a_mark_that_is_nested_without_end_is_no_run(tmp_path: Path) -> None:
    (tmp_path / MARK).write_text("[" * 100_000 + "\n" + "[" * 100_000 + "\n")
    assert digest_of_run(tmp_path) == ""
    assert listed_files(tmp_path) == set()


def test_a_run_that_cannot_begin_leaves_no_folder(
    run_toy: Callable[..., Any], tmp_path: Path
) -> None:
    spec = {"revkit": 1, "corpus": "toy-papers", "agents": {"length": "toy-length"}}
    (tmp_path / "bad.db").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be opened"):
        run_toy(spec, out="runs/a", store="bad.db")
    assert not (tmp_path / "runs" / "a").exists()
    run_toy(spec, out="runs/a")
    with pytest.raises(StoreError, match="cannot be opened"):
        run_toy(spec, out="runs/a", store="bad.db")
    assert (tmp_path / "runs" / "a" / "result.json").is_file()


def test_an_error_clears_a_folder_only_if_it_is_new_and_bare(tmp_path: Path) -> None:
    def fail(path: Path, begin: Callable[[RunFolder], object]) -> bool:
        def stop(folder: RunFolder) -> None:
            begin(folder)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError), RunFolder(path, "d") as folder:
            stop(folder)
        return (path / MARK).is_file()

    assert not fail(tmp_path / "bare", lambda folder: None)
    assert not (tmp_path / "bare").exists()
    assert fail(tmp_path / "written", lambda folder: folder.write("a.txt", "x"))
    assert fail(tmp_path / "points", lambda folder: (folder.path / "points").mkdir())
    RunFolder(tmp_path / "old", "d").__exit__(None, None, None)
    assert fail(tmp_path / "old", lambda folder: None)
