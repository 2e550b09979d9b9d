"""Read PDF files in a separate process, one after the other.

A damaged file can crash the library that reads it, or make it use any amount of time and memory.
So a process with limits reads the files; one that it cannot read ends this process alone, and the
next file gets a new one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Self

from revkit.documents.limits import Limits
from revkit.documents.text import DocumentText
from revkit.files import Unreadable, opened
from revkit.model.values import Json

_HEAD = 1024
_LONGEST_REASON = 300
_MOST_SECONDS_TO_START = 60


def can_read_pdf() -> bool:
    """Return whether the library that reads PDF files is installed (extra ``pdf``)."""
    return find_spec("pypdfium2") is not None


class PdfReader:
    """Reads PDF files; use it in a ``with`` statement.

    ``authors`` keeps what is between title and abstract, ``hidden`` the text that a reader does
    not see; by default both are left out.
    """

    def __init__(
        self, limits: Limits | None = None, *, authors: bool = False, hidden: bool = False
    ) -> None:
        self._limits = limits or Limits()
        self._options: dict[str, Json] = {
            "pages": self._limits.max_pages,
            "megabytes": self._limits.max_megabytes,
            "authors": authors,
            "hidden": hidden,
        }
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def read(self, path: Path) -> DocumentText:
        """Return the text of the file at ``path``.

        Raises `Unreadable` with the reason: not a PDF, encrypted, damaged, without text, or
        beyond a limit.
        """
        self._check_head(path)
        answer = self._ask(str(path.resolve()))
        reason = answer.get("reason")
        if isinstance(reason, str):
            raise Unreadable(reason[:_LONGEST_REASON])
        notes = answer.get("notes")
        return DocumentText(
            str(answer["text"]),
            str(answer["title"]),
            tuple(map(str, notes)) if isinstance(notes, list) else (),
        )

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

    def _ask(self, path: str) -> Mapping[str, Json]:
        if self._process is None:
            self._process = _start()
            self._line("", _MOST_SECONDS_TO_START)
        answer: Mapping[str, Json] = json.loads(
            self._line(json.dumps({**self._options, "path": path}), self._limits.max_seconds)
        )
        return answer

    def _line(self, question: str, seconds: int) -> str:
        """The line with which the process answers ``question``; raises `Unreadable` without one."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        expired: list[bool] = []

        def stop() -> None:
            expired.append(True)
            process.kill()

        timer = Timer(seconds, stop)
        timer.start()
        try:
            if question:
                process.stdin.write(question + "\n")
                process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if line.endswith("\n"):
            return line
        self.close()
        if expired:
            raise Unreadable(f"takes longer than max-seconds ({seconds})")
        raise Unreadable(
            "the program that reads PDF files ended: damaged, or it needs more memory than "
            f"max-megabytes ({self._limits.max_megabytes})"
        )


def _start() -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [sys.executable, "-m", "revkit.documents.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
        encoding="utf-8",
    )
