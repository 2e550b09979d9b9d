"""Fuzz the parsers for a stated CPU time: python -m tests.fuzz --minutes 5 [--target NAME].

Each finding is written to ``--out``, one file for each place of a fault; the exit code is 1 if
there is one. ``--engine atheris`` lets the coverage of revkit's code guide the changes; it needs
the package atheris.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.fuzz.mutating import mutated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.fuzz.targets import Target

ROOT = Path(__file__).parents[2]
SECONDS = 20.0  # for one input; a longer one is a finding


class TooSlow(BaseException):
    """An input takes too long."""


def _late(*_: Any) -> None:
    raise TooSlow


def say(text: str) -> None:
    """Write one line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def place_of(error: BaseException) -> str:
    """Return the kind of an error with the last line of revkit that it passed."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if "revkit" in each.filename] or list(frames)
    return f"{type(error).__name__} in {Path(own[-1].filename).name}:{own[-1].lineno}"


def fault_of(target: Target, data: bytes, folder: Path) -> str:
    """Return the fault that ``data`` shows, or ""."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return _fault(target, data, folder)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _fault(target: Target, data: bytes, folder: Path) -> str:
    try:
        target.read(data, folder)
    except target.expected:
        return ""
    except (Exception, TooSlow) as error:
        return place_of(error)
    return ""


def fuzz(target: Target, seconds: float, draw: random.Random, out: Path) -> tuple[int, set[str]]:
    """Return the number of inputs and the faults found in ``seconds`` of CPU time."""
    pool = list(target.seeds())
    found: set[str] = set()
    inputs = 0
    end = time.process_time() + seconds
    with TemporaryDirectory() as name:
        while time.process_time() < end:
            data = mutated(draw.choice(pool), draw)
            inputs += 1
            kept(fault_of(target, data, Path(name)), data, found, target, out)
            if draw.random() < 0.02 and len(pool) < 500:
                pool.append(data)  # a change of a change
    return inputs, found


def load_targets(atheris: Any = None) -> Mapping[str, Target]:
    """Return the targets by name; with the engine, the code that they import is instrumented.

    Other packages are not: their coverage would take minutes to prepare and guide to places
    that are not ours.
    """
    guide = contextlib.nullcontext()
    if atheris:
        packages = ["revkit", *(path.name for path in (ROOT / "plugins").iterdir())]
        guide = atheris.instrument_imports(include=packages)
    with guide:
        targets: Mapping[str, Target] = importlib.import_module("tests.fuzz.targets").TARGETS
    return targets


def kept(fault: str, data: bytes, found: set[str], target: Target, out: Path) -> None:
    """Write the first input that shows a fault."""
    if not fault or fault in found:
        return
    found.add(fault)
    folder = out / target.name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{len(found):03d}"
    path.write_bytes(data)
    say(f"{target.name}: {fault}: {path}")


def guided(atheris: Any, target: Target, seconds: float, out: Path) -> None:
    """Run the coverage-guided engine for ``seconds`` of CPU time, then end the process.

    The engine makes half of the changes, :func:`mutated` the other half. An input that takes too
    long ends the engine, which writes it to ``out``.
    """
    folder = TemporaryDirectory()
    found: set[str] = set()
    inputs = 0
    begin = time.process_time()

    def one(data: bytes) -> None:
        nonlocal inputs
        inputs += 1
        kept(_fault(target, data, Path(folder.name)), data, found, target, out)
        used = time.process_time() - begin
        if used > seconds:
            say(f"{target.name}: {inputs:,} inputs, {len(found)} faults, {used:.0f} s of CPU")
            folder.cleanup()
            os._exit(1 if found else 0)  # the engine has no other end

    def change(data: bytes, longest: int, seed: int) -> bytes:
        draw = random.Random(seed)
        if draw.random() < 0.5:
            changed: bytes = atheris.Mutate(data, longest)
            return changed
        return mutated(data, draw, longest=longest)

    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds()):
            (Path(corpus) / f"seed-{number}").write_bytes(seed)
        options = [
            f"-timeout={int(SECONDS)}",
            "-rss_limit_mb=4096",
            f"-artifact_prefix={out / target.name}-",
        ]
        atheris.Setup([sys.argv[0], corpus, *options], one, custom_mutator=change)
        atheris.Fuzz()


def in_child(atheris: Any, target: Target, seconds: float, out: Path) -> int:
    """Run the engine in a child process, because it ends its process, and return the exit code."""
    child = os.fork()
    if not child:
        guided(atheris, target, seconds, out)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="CPU, for each target")
    parser.add_argument("--target", action="append", help="default: all")
    parser.add_argument("--seed", type=int, default=None, help="default: drawn and printed")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--engine", choices=("random", "atheris"), default="random")
    given = parser.parse_args()
    # No requirement of the tests.
    engine = importlib.import_module("atheris") if given.engine == "atheris" else None
    targets = load_targets(engine)
    names = given.target or list(targets)
    for name in names:
        if name not in targets:
            parser.error(f"no target {name!r}; choose from {', '.join(targets)}")
    if engine:
        ends = [in_child(engine, targets[name], given.minutes * 60, given.out) for name in names]
        return int(any(ends))
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(10**9)
    say(f"seed {seed}")
    signal.signal(signal.SIGALRM, _late)
    faults = 0
    for name in names:
        draw = random.Random(f"{seed}/{name}")
        inputs, found = fuzz(targets[name], given.minutes * 60, draw, given.out)
        faults += len(found)
        say(f"{name}: {inputs:,} inputs, {len(found)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
