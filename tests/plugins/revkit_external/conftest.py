"""Shared: recorded cases of real tools, a stub that replays them, small scripts as reviewers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit_external.command import Command


@pytest.fixture
def paper() -> Paper:
    """A paper as agents see it."""
    return Paper(
        id="p",
        title="A Title",
        text="# A Title\n\nWe gate tokens.\n\n- one *item*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    ).blind()


@pytest.fixture
def ctx() -> Context:
    return Context(seed=7)


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """Write a Python script and return the argv that runs it (fast: no site packages)."""
    count = 0

    def write(code: str) -> tuple[str, ...]:
        nonlocal count
        count += 1
        path = tmp_path / f"script{count}.py"
        path.write_text(code, encoding="utf-8")
        return (sys.executable, "-S", "-E", str(path))

    return write


@pytest.fixture
def printing(script: Callable[[str], tuple[str, ...]]) -> Callable[..., Command]:
    """An agent `command` whose program prints ``text``, with any further options."""

    def make(text: str, **options: Any) -> Command:
        argv = script(f"import sys\nsys.stdout.buffer.write({text.encode()!r})")
        return Command(argv=argv, **options)

    return make


@pytest.fixture
def reading(printing: Callable[..., Command], paper: Paper, ctx: Context) -> Callable[..., Any]:
    """The outcome of reading ``value`` (JSON, or text of ``format``) with ``map``."""

    def read(value: Any, map: Any, format: str = "json", **options: Any) -> Any:
        from revkit_external.call.attempt import Answered

        text = json.dumps(value) if format == "json" else value
        agent = Command(argv=("none",), map=map, output={"format": format}, **options)
        object.__setattr__(agent, "call", lambda paper, ctx: Answered(text))
        return agent.review(paper, ctx)

    return read
