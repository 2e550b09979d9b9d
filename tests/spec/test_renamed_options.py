"""Options that got another name: accepted under the old one, reported, and drawing the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from revkit import api
from revkit.cache.keys import SeedBase
from revkit.contracts import Context, Perturbation
from revkit.errors import OptionError, RenamedOption, SpecError
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.variant import Rejection
from revkit.options import from_options, option, renamed_options

SPEC = """\
revkit: 1
corpus: {use: synthetic, with: {papers: 2}}
perturbations: {hedging: hedging}
agents: {counter: citation-counter}
services: {embedder: hashed-ngrams}
metrics:
  - use: flip-rate
    with:
      resamples: 200
      level: 0.9
"""


@dataclass(frozen=True)
class Shuffle(Perturbation):
    """A perturbation of this test."""

    name: ClassVar[str] = "shuffle"
    amount: float = option(0.5, formerly="strength")
    level: int = option(1, formerly="amount")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        raise NotImplementedError


@dataclass(frozen=True)
class OldShuffle(Perturbation):
    """The same in an earlier release."""

    name: ClassVar[str] = "shuffle"
    strength: float = 0.5
    level: int = 1

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        raise NotImplementedError


def test_the_former_name_is_accepted() -> None:
    assert from_options(Shuffle, {"strength": 0.25}) == Shuffle(amount=0.25)
    assert renamed_options(Shuffle, {"strength": 0.25}) == {"strength": "amount"}


def test_a_former_name_that_is_in_use_again_means_the_option_of_today() -> None:
    assert from_options(Shuffle, {"amount": 0.75}) == Shuffle(amount=0.75)
    assert renamed_options(Shuffle, {"amount": 0.75}) == {}


def test_both_names_are_an_error() -> None:
    with pytest.raises(OptionError, match="strength: is the former name of amount"):
        from_options(Shuffle, {"strength": 0.25, "amount": 0.5})


def test_a_wrong_value_is_an_error_under_either_name() -> None:
    with pytest.raises(OptionError, match="expected a number"):
        from_options(Shuffle, {"strength": "much"})


def test_a_renamed_option_keeps_its_draws() -> None:
    seeds = {SeedBase.of(each, 7).item("digest", 0) for each in (Shuffle(0.25), OldShuffle(0.25))}
    assert len(seeds) == 1
    assert SeedBase.of(Shuffle(0.5), 7) != SeedBase.of(Shuffle(0.25), 7)


def test_a_spec_with_the_former_name_is_reported_with_its_place(tmp_path: Path) -> None:
    spec = tmp_path / "old.yaml"
    spec.write_text(SPEC, encoding="utf-8")
    with pytest.warns(RenamedOption) as caught:
        old = api.validate(spec)
    (warning,) = caught
    first, excerpt, caret = str(warning.message).splitlines()
    assert first == (
        f"{spec}:10:7: metrics.0.with.level: flip-rate: the option level is now called "
        "confidence; please rename it"
    )
    assert (excerpt, caret) == ("   10 |       level: 0.9", "      |       ^")
    spec.write_text(SPEC.replace("level", "confidence"), encoding="utf-8")
    assert api.validate(spec) == old


def test_a_wrong_value_under_the_former_name_has_its_place(tmp_path: Path) -> None:
    spec = tmp_path / "old.yaml"
    spec.write_text(SPEC.replace("0.9", "2"), encoding="utf-8")
    with pytest.warns(RenamedOption), pytest.raises(SpecError) as caught:
        api.validate(spec)
    (problem,) = caught.value.problems
    assert "is above the maximum of 0.999" in problem.message
    assert problem.line == 10


def test_the_command_line_prints_the_warning_and_goes_on(tmp_path: Path) -> None:
    spec = tmp_path / "old.yaml"
    spec.write_text(SPEC, encoding="utf-8")
    command = [sys.executable, "-m", "revkit", "validate", str(spec)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ": ok (" in done.stdout
    assert done.stderr.startswith("warning: ")
    assert "level is now called confidence" in done.stderr
