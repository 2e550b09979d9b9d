"""Process: a program apart that reads files, which a bad file can end without ending the run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Timer

from revkit.documents.limits import Limits
from revkit.files import Unreadable, opened
from revkit.model.values import Json

PLACE = "at "
"""Begins a line in which the process states the place that it reads next."""
_HEAD = 1024
_LONGEST_REASON = 300
_MOST_SECONDS_TO_START = 60


class Ended(Unreadable):
    """The process ended while it read a file. ``place`` is the last place that it stated, None
    before the first one.
    """

    def __init__(self, reason: str, place: int | None) -> None:
        super().__init__(reason)
        self.place = place


class FileProcess:
    """Runs the module ``module``, a line of JSON in and out, within ``limits`` for each file.

    A file that crashes it, or that takes too long, ends this process alone; the next file gets a
    new one.
    """

    def __init__(self, module: str, limits: Limits) -> None:
        self._module = module
        self._limits = limits
        self._process: subprocess.Popen[str] | None = None
        self._place: int | None = None

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def ask(
        self, path: Path, options: Mapping[str, Json], seconds: float | None = None
    ) -> Mapping[str, Json]:
        """Return the answer for the PDF at ``path``, within ``seconds`` (default: the limit).

        Raises `Unreadable` with the reason, `Ended` where the process ended.
        """
        self._check_head(path)
        if self._process is None:
            self._process = _start(self._module)
            self._line("", _MOST_SECONDS_TO_START)
        bounds: dict[str, Json] = {
            "path": str(path.resolve()),
            "pages": self._limits.max_pages,
            "megabytes": self._limits.max_megabytes,
        }
        question = json.dumps({**options, **bounds})
        answer: Mapping[str, Json] = json.loads(
            self._line(question, seconds or self._limits.max_seconds)
        )
        reason = answer.get("reason")
        if isinstance(reason, str):
            raise Unreadable(reason[:_LONGEST_REASON])
        return answer

    def _check_head(self, path: Path) -> None:
        most = self._limits.max_bytes
        with opened(path) as file:
            head = file.read(_HEAD)
            size = os.fstat(file.fileno()).st_size
        if size > most:
            raise Unreadable(f"larger than max-bytes ({most})")
        if not head:
            raise Unreadable("the file is empty")
        if b"%PDF-" not in head:
            start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
            html = start.startswith((b"<!doctype html", b"<html", b"<head", b"<?xml", b"<body"))
            raise Unreadable("not a PDF: it is HTML or XML" if html else "not a PDF: no %PDF- mark")

    def _line(self, question: str, seconds: float) -> str:
        """The line with which the process answers ``question``; raises `Unreadable` without one."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        expired: list[bool] = []

        def stop() -> None:
            expired.append(True)
            process.kill()

        self._place = None
        timer = Timer(seconds, stop)
        timer.start()
        try:
            if question:
                process.stdin.write(question + "\n")
                process.stdin.flush()
            while (line := process.stdout.readline()).startswith(PLACE):
                self._place = int(line.removeprefix(PLACE))
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if line.endswith("\n"):
            return line
        self.close()
        if expired:
            raise Unreadable(f"takes longer than max-seconds ({self._limits.max_seconds})")
        reason = (
            "the program that reads PDF files ended: damaged, or it needs more memory than "
            f"max-megabytes ({self._limits.max_megabytes})"
        )
        raise Ended(reason, self._place)


def _start(module: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
        encoding="utf-8",
    )
