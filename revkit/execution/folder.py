"""The folder of a run: claimed by one experiment at a time, and never a foreign folder."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from revkit.errors import RunError
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.observing.live import STATE, remove_state

MARK = ".revkit-run"
_RESERVED = (
    MARK,
    "records",
    "tables",
    "result.json",
    "spec.yaml",
    "provenance.json",
    "ledger.json",
    "sweep.json",
    "points",
)


class OtherExperiment(RunError):
    """The folder of a run contains the run of another experiment."""


class InUse(RunError):
    """Another run is writing to the folder."""


class RunFolder:
    """Claim ``path`` for the experiment with ``digest``, and hold it until closed.

    Raises `RunError` where the folder holds other files, another experiment (unless ``overwrite``),
    or is in use by another run. Records are written beside their final names and moved there at the
    end, so a killed run leaves no half table. The mark in the folder names the experiment and every
    file that a run wrote, so that no figure of an earlier run is left among those of a later one.
    """

    def __init__(self, path: Path, digest: str, *, overwrite: bool = False) -> None:
        self.path = path
        self._lock: IO[str] | None = None
        self._new = False
        self._listed: set[str] = set()
        self._written: set[str] = set()
        try:
            self._claim(digest, overwrite=overwrite)
        except BaseException as error:
            self._release()
            if isinstance(error, OSError):
                raise RunError(
                    f"the run folder {path} cannot be used: {error.strerror or error}; "
                    "choose another with --out"
                ) from error
            raise

    def _claim(self, digest: str, *, overwrite: bool) -> None:
        path, mark = self.path, self.path / MARK
        path.mkdir(parents=True, exist_ok=True)
        strangers = [entry.name for entry in path.iterdir()]
        self._new = not strangers
        if strangers and MARK not in strangers:
            raise RunError(
                f"{path} contains other files ({', '.join(sorted(strangers)[:3])}, ...) and is not "
                "a run folder; choose another with --out"
            )
        self._lock = mark.open("a+", encoding="utf-8", errors="replace")
        _hold(self._lock, path)
        self._lock.seek(0)
        first, *names = self._lock.read().splitlines() or [""]
        self._listed = {name for name in map(_name_in, names) if name}
        if first and _digest_in(first) == digest:
            return
        if first and not overwrite:
            raise OtherExperiment(
                f"{path} contains the run of another experiment; choose another folder with "
                "--out, or replace it with --overwrite"
            )
        self._clean()
        self._listed = set()
        self._lock.seek(0)
        self._lock.truncate()
        self._lock.write(json.dumps({"experiment": digest}) + "\n")
        self._lock.flush()

    def finish(self) -> None:
        """Remove the files of earlier runs of this experiment that this run did not write."""
        self._remove(self._listed - self._written)

    def discard(self) -> None:
        """Remove a folder in which nothing was written, unless it existed before."""
        if self._new:
            self.clear()

    def clear(self) -> None:
        """Remove the files that runs wrote here, and the folder if nothing else is in it."""
        self._clean()
        with contextlib.suppress(OSError):
            (self.path / MARK).unlink()
            self.path.rmdir()

    def _clean(self) -> None:
        """Remove the files that runs wrote here, including the points of a sweep. The mark file
        stays, so that an interrupted removal can be repeated.
        """
        points = self.path / "points"
        if points.is_dir():
            for old in sorted(points.iterdir()):
                remove_run(old)
        self._remove(self._listed)
        remove_state(self.path)
        # Folders in which somebody has put something else are not empty, and stay.
        inner = {parent for name in self._listed for parent in Path(name).parents} - {Path()}
        for folder in sorted({*inner, Path("points")}, reverse=True):
            with contextlib.suppress(OSError):
                (self.path / folder).rmdir()

    def _remove(self, names: set[str]) -> None:
        for name in sorted(names):
            path = self._inside(name)
            for each in (path, path.with_name(path.name + ".part")):
                each.unlink(missing_ok=True)

    def write(self, name: str, text: str) -> None:
        """Write one file atomically: first under a temporary name, then renamed. Raises `RunError`
        where it cannot be written.
        """
        target = self.target(name)
        part = target.with_name(target.name + ".part")
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            os.replace(part, target)
        except OSError as error:
            self._check_present()
            raise RunError(f"{target} cannot be written: {error}") from error
        if self._is_removed():
            # Removed while this file was written: alone in a folder it would look like a user's.
            with contextlib.suppress(OSError):
                target.unlink(missing_ok=True)
                self.path.rmdir()
            self._check_present()

    def check_free(self, name: str, taken: Collection[str]) -> None:
        """Raise `RunError` if a report may not write ``name``: another report wrote it, or it is
        outside this folder or the path of another file.
        """
        place = self._inside(name).relative_to(self.path.resolve()).as_posix()
        first = place.partition("/")[0]
        if place != name or first in _RESERVED or place in taken:
            raise RunError(f"a report may not write {name!r}: another file has this path")

    def target(self, name: str) -> Path:
        """Return the path at which to write ``name``, which then counts as a file of this run.

        Raises `RunError` where it would lie outside this folder.
        """
        target = self._inside(name)
        self._check_present()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._written.add(name)
            if name not in self._listed and self._lock is not None:
                self._listed.add(name)
                self._lock.write(json.dumps(name) + "\n")
                self._lock.flush()
        except OSError as error:
            raise RunError(f"{target} cannot be written: {error}") from error
        return target

    def _is_removed(self) -> bool:
        """Return whether the folder that this run holds has been removed from its path."""
        if self._lock is None:
            return False
        try:
            return not os.path.samestat(os.stat(self.path / MARK), os.fstat(self._lock.fileno()))
        except FileNotFoundError:
            return True

    def _check_present(self) -> None:
        """Raise `RunError` if the folder was removed: later files would be in a folder without a
        mark, which the next run refuses.
        """
        if self._is_removed():
            raise RunError(
                f"the run folder {self.path} was removed while the run wrote to it; all answers "
                "are stored, and the same command writes it again"
            )

    def _inside(self, name: str) -> Path:
        target = (self.path / name).resolve()
        if not target.is_relative_to(self.path.resolve()) or target == self.path.resolve():
            raise RunError(f"a report may not write to {name!r}, outside the run folder")
        return target

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None and self._new and self._is_bare():
            self.clear()  # the run could not begin
        self._release()

    def _is_bare(self) -> bool:
        """Return whether this run wrote no file, and nothing but the mark is in the folder."""
        if self._written or self._is_removed():
            return False
        try:
            return {entry.name for entry in self.path.iterdir()} <= {MARK, STATE}
        except OSError:
            return False

    def _release(self) -> None:
        if self._lock is not None:
            with contextlib.suppress(OSError):  # a full disk: the cause has been reported already
                self._lock.close()


def remove_run(path: Path) -> None:
    """Remove the files that runs wrote to the folder at ``path``, and the folder if nothing else is
    in it; any other folder stays unchanged.
    """
    if (path / MARK).is_file():
        with RunFolder(path, "", overwrite=True) as folder:
            folder.clear()


def digest_of_run(path: Path) -> str:
    """Return the digest of the experiment whose run is in the folder at ``path``; "" if it is not a
    run folder.
    """
    return _digest_in(_mark_of(path)[0])


def in_use(path: Path) -> bool:
    """Whether a run is writing to the folder at ``path`` now; False where that cannot be known."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        with (path / MARK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def listed_files(path: Path) -> set[str]:
    """Return the names of the files that runs wrote to the folder at ``path``, from its mark
    file.
    """
    return {name for name in map(_name_in, _mark_of(path)[1:]) if name}


def _mark_of(path: Path) -> list[str]:
    try:
        return (path / MARK).read_text(encoding="utf-8").splitlines() or [""]
    except (OSError, UnicodeDecodeError):
        return [""]


def _digest_in(text: str) -> str:
    try:
        return str(strict_json(text)["experiment"])
    except (ValueError, KeyError, TypeError):
        return ""


def _name_in(line: str) -> str:
    try:
        name = strict_json(line)
    except NotStrictJson:
        return ""
    return name if isinstance(name, str) else ""


def _hold(file: IO[Any], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows; there two runs on one folder are the user's to avoid
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InUse(f"another run is writing to {path}; wait for it, or use --out") from None
