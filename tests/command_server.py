"""Commands of revkit in processes that are forked from one which has loaded it.

A new interpreter takes longer to load revkit than most commands take to run. The server loads
modules and runs nothing; each command is a process with its own arguments, environment, folder and
exit code, as in a shell.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Done = subprocess.CompletedProcess[str]


class CommandServer:
    """Runs commands one after the other; ``close`` ends it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(environment), encoding="utf-8",
        )  # fmt: skip

    def run(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        input: str = "",
        timeout: float = 120,
    ) -> Done:
        """Run ``revkit`` with ``arguments``; raises `subprocess.TimeoutExpired` as `run` does."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        names = {name: self._folder / name for name in ("stdin", "stdout", "stderr")}
        names["stdin"].write_text(input, encoding="utf-8")
        question: dict[str, Any] = {
            "arguments": list(arguments), "folder": str(cwd), "environment": dict(env),
            "timeout": timeout, **{name: str(path) for name, path in names.items()},
        }  # fmt: skip
        self._server.stdin.write(json.dumps(question) + "\n")
        self._server.stdin.flush()
        code = json.loads(self._server.stdout.readline())
        if code is None:
            raise subprocess.TimeoutExpired(list(arguments), timeout)
        printed, complaint = (names[name].read_text("utf-8") for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(list(arguments), code, printed, complaint)

    def close(self) -> None:
        """End the server."""
        self._server.communicate()


def _serve() -> None:
    """Answer each line of the input with an exit code; a forked process leaves by `SystemExit`."""
    import revkit

    for module in pkgutil.walk_packages(revkit.__path__, "revkit."):
        if not module.name.endswith(("__main__", ".worker")):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    while line := sys.stdin.readline():
        question = json.loads(line)
        child = os.fork()
        if not child:
            answers.detach()
            _become(question)
            from revkit.cli.main import main

            main()
        answers.write(json.dumps(_exit_code(child, question["timeout"])) + "\n")
        answers.flush()


def _become(question: Mapping[str, Any]) -> None:
    """Take the place, environment, arguments and streams of a command."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    for number, (name, flag) in enumerate(
        (("stdin", os.O_RDONLY), ("stdout", flags), ("stderr", flags))
    ):
        file = os.open(question[name], flag)
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(question["environment"])
    os.chdir(question["folder"])
    sys.path[0] = question["folder"]  # as `python -m revkit` does
    sys.argv = ["revkit", *question["arguments"]]


def _exit_code(child: int, timeout: float) -> int | None:
    """The exit code of ``child``; None where it was killed after ``timeout`` seconds."""
    end = time.monotonic() + timeout
    pause = 0.001
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    _serve()
