"""The folder of a run: claimed by one experiment at a time, never somebody else's."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from revkit.errors import RunError

MARK = ".revkit-run"


class RunFolder:
    """Claim ``path`` for the experiment with ``digest``, and hold it until closed.

    Raises `RunError` where the folder holds other files, another experiment (unless ``overwrite``),
    or is in use by another run. Records are written beside their final names and moved there at the
    end, so a killed run leaves no half table.
    """

    def __init__(self, path: Path, digest: str, *, overwrite: bool = False) -> None:
        self.path = path
        self._lock: IO[str] | None = None
        mark = path / MARK
        try:
            path.mkdir(parents=True, exist_ok=True)
            strangers = [entry.name for entry in path.iterdir()]
            if strangers and MARK not in strangers:
                raise RunError(
                    f"{path} holds other files ({', '.join(sorted(strangers)[:3])}, ...) and is no "
                    "run folder; choose another with --out"
                )
            self._lock = mark.open("a+", encoding="utf-8")
            _hold(self._lock, path)
            self._lock.seek(0)
            held = self._lock.read()
            if held and _digest_in(held) != digest and not overwrite:
                raise RunError(
                    f"{path} holds the run of another experiment; choose another folder with "
                    "--out, or replace it with --overwrite"
                )
            self._lock.seek(0)
            self._lock.truncate()
            self._lock.write(json.dumps({"experiment": digest}) + "\n")
            self._lock.flush()
        except OSError as error:
            raise RunError(f"the run folder {path} cannot be used: {error}") from error

    def write(self, name: str, text: str) -> None:
        """Write one file whole: first beside its name, then moved."""
        target = self.target(name)
        part = target.with_name(target.name + ".part")
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            os.replace(part, target)
        except OSError as error:
            raise RunError(f"{target} cannot be written: {error}") from error

    def target(self, name: str) -> Path:
        """The path of ``name`` in this folder. Raises `RunError` where it would lie outside."""
        target = (self.path / name).resolve()
        if not target.is_relative_to(self.path.resolve()) or target == self.path.resolve():
            raise RunError(f"a report may not write to {name!r}, outside the run folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            self._lock.close()


def _digest_in(text: str) -> str:
    try:
        return str(json.loads(text)["experiment"])
    except (ValueError, KeyError, TypeError):
        return ""


def _hold(file: IO[Any], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows; there two runs on one folder are the user's to avoid
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RunError(f"another run is writing to {path}; wait for it, or use --out") from None
