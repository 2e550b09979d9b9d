"""No parser of something from elsewhere raises what its callers do not expect."""

from __future__ import annotations

import contextlib
import random
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutating import mutated
from tests.fuzz.targets import TARGETS, Target

KEPT = Path(__file__).parent / "kept"
NEEDS = {"pdf": "pypdfium2", "sheet": "openpyxl"}
QUIET = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
QUICK = [name for name, target in TARGETS.items() if target.quick]


def tried(target: Target, data: bytes, folder: Path) -> None:
    with contextlib.suppress(*target.expected):
        target.read(data, folder)


@pytest.mark.parametrize("name", QUICK)
def test_seeds_are_read(name: str, tmp_path: Path) -> None:
    pytest.importorskip(NEEDS.get(name, "revkit"), reason="needs an extra")
    target = TARGETS[name]
    read = 0
    for seed in target.seeds():
        with contextlib.suppress(*target.expected):
            target.read(seed, tmp_path)
            read += 1
    assert read, "each valid input is refused, so its changes test nothing"


@pytest.mark.parametrize("name", QUICK)
def test_a_few_changed_inputs(name: str, tmp_path: Path) -> None:
    pytest.importorskip(NEEDS.get(name, "revkit"), reason="needs an extra")
    target = TARGETS[name]
    draw = random.Random(20260428)
    for _ in range(6):
        tried(target, mutated(draw.choice(target.seeds()), draw), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_many_changed_inputs(name: str, tmp_path: Path) -> None:
    pytest.importorskip(NEEDS.get(name, "revkit"), reason="needs an extra")
    target = TARGETS[name]
    seeds = target.seeds()

    @settings(QUIET, max_examples=150)
    @given(st.randoms(use_true_random=False))
    def check(draw: random.Random) -> None:
        tried(target, mutated(draw.choice(seeds), draw), tmp_path)

    check()


@pytest.mark.parametrize("path", sorted(KEPT.glob("*/*.z")), ids=lambda path: path.stem)
def test_earlier_findings(path: Path, tmp_path: Path) -> None:
    """Each input that was a finding once, packed."""
    tried(TARGETS[path.parent.name], zlib.decompress(path.read_bytes()), tmp_path)
