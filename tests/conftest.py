"""Shared by all tests: the checkout on the path, toy experiments, and the command line."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
for folder in (ROOT / "plugins", ROOT):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from tests import entry_points  # noqa: E402
from tests.command_server import CommandServer  # noqa: E402

entry_points.use()
_FRESH = entry_points.folder()
# In front of all that processes of tests find; one that sets a path itself names it as well.
PATH = [str(each) for each in (_FRESH, ROOT, ROOT / "plugins") if each is not None]
if _FRESH is not None:
    given = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(_FRESH), *([given] if given else [])])


def pytest_collection_finish() -> None:
    """Keep modules and collected tests out of later passes of the garbage collector."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _asked_once() -> Iterator[None]:
    """Read the entry points of a path once, and ask git for the state of a folder once: each run
    does both again.
    """
    from importlib import metadata

    from revkit.execution import provenance

    read, state = metadata.entry_points, provenance.git_state

    @cache
    def points_on(path: tuple[tuple[str, int], ...], **chosen: str) -> Any:
        return read(**chosen)

    def points(**chosen: str) -> Any:
        folders = [each for each in sys.path if os.path.exists(each)]
        return points_on(tuple((each, os.stat(each).st_mtime_ns) for each in folders), **chosen)

    state_of = cache(lambda folder: state())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metadata, "entry_points", points)
        patch.setattr(provenance, "git_state", lambda: state_of(os.getcwd()))
        yield


@pytest.fixture
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the plugins that are installed: tests of the core need none."""
    monkeypatch.setenv("REVKIT_PLUGINS", "none")


@pytest.fixture
def toy_spec() -> dict[str, Any]:
    """A small experiment of toy components, to be changed at will."""
    return {
        "revkit": 1,
        "name": "toy",
        "seed": 3,
        "corpus": {"use": "toy-papers", "with": {"papers": 6}},
        "perturbations": {"words": "toy-words"},
        "agents": {"length": "toy-length", "coin": "toy-coin"},
        "metrics": ["toy-flips"],
        "reports": ["toy-report"],
        "workers": 2,
    }


@pytest.fixture
def run_toy(tmp_path: Path, no_plugins: None) -> Callable[..., Any]:
    """Run a spec with the toys (and ``plugins``) in ``tmp_path``: ``run_toy(spec, out="a")``."""
    import revkit
    from revkit.testing import toys

    def run(
        spec: Any, *, out: str = "run", store: str = "store.db", plugins: Any = (), **options: Any
    ) -> Any:
        return revkit.run(
            spec, out=tmp_path / out, store=tmp_path / store, plugins=[toys, *plugins], **options
        )

    return run


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a process that runs revkit from this checkout without plugins."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(PATH),
        "REVKIT_PLUGINS": "none",
        "NO_COLOR": "1",
    }


@pytest.fixture(scope="session")
def command_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandServer]:
    """The process that runs the commands of all tests of a worker."""
    server = CommandServer(
        tmp_path_factory.mktemp("commands"),
        {**os.environ, "PYTHONPATH": os.pathsep.join(PATH), "REVKIT_PLUGINS": "none"},
    )
    yield server
    server.close()


@pytest.fixture
def revkit_command(
    tmp_path: Path, environment: dict[str, str], command_server: CommandServer
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``revkit`` in ``tmp_path`` and return what it printed and its exit code."""

    def call(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return command_server.run(arguments, cwd=tmp_path, env=environment, **options)

    return call


@pytest.fixture
def toys_file() -> str:
    """The toys as a one-off plugin file."""
    return str(ROOT / "revkit" / "testing" / "toys.py")
