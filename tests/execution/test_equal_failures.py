"""Many failures with one cause are a warning while the run goes, and at its end."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Context
from revkit.execution.equal_failures import FEWEST, EqualFailures
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from tests.execution.numbered_papers import TEN, NumberedPapers

Run = Callable[..., revkit.Run]


@dataclass(frozen=True)
class Refused(Agent):
    """Answers the texts 0 to 3 alone."""

    name: ClassVar[str] = "refused"
    scale = TEN

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        number = int(paper.text.split("Text ")[1].split()[0])
        return (
            Review(True, 7) if number < 4 else Failure("provider", f"no key\x1b[2J (call {number})")
        )


def spec(papers: int, workers: int = 1) -> dict[str, Any]:
    return {
        "revkit": 1,
        "corpus": {"use": "numbered-papers", "with": {"papers": papers, "texts": papers}},
        "agents": {"closed": "refused"},
        "workers": workers,
    }


def test_most_failures_with_one_cause_are_a_warning_of_the_run(run_toy: Run) -> None:
    texts = set()
    for workers in (1, 4):
        done = run_toy(
            spec(60, workers), out=str(workers), store=f"{workers}.db",
            plugins=[NumberedPapers, Refused],
        )  # fmt: skip
        [warning] = done.warnings
        assert (warning.kind, warning.subject) == ("equal-failures", "agent 'closed'")
        texts.add(warning.detail)
    [text] = texts
    assert text.startswith(
        "56 of 60 items of agent 'closed' failed with one cause (provider: no key"
    )
    assert "\x1b" not in text
    assert run_toy(spec(20), plugins=[NumberedPapers, Refused]).warnings == ()


def test_the_person_at_the_terminal_is_warned_once_at_each_size() -> None:
    failures = EqualFailures()
    shown = [failures.count("agents.a", Failure("provider", f"no key {n}")) for n in range(260)]
    assert [n for n, text in enumerate(shown, 1) if text] == [FEWEST, 10 * FEWEST]
    assert "all 25 items of agents.a so far failed with one cause (provider: no key …)" in shown[24]


@pytest.mark.parametrize(
    "others", [[Review(True, 7)], [Failure("timeout", "late")], [Failure("budget", "spent")]]
)
def test_one_other_outcome_before_is_no_such_sign(others: list[Outcome]) -> None:
    failures = EqualFailures()
    for other in others:
        failures.count("agents.a", other)
    assert not any(failures.count("agents.a", Failure("provider", "no key")) for _ in range(300))


def test_the_order_of_items_has_no_influence_on_the_warning() -> None:
    outcomes: list[Outcome] = [Failure("provider", f"call {n}") for n in range(40)]
    outcomes += [Review(True, 7)] * 20 + [Failure("timeout", "late")] * 10
    found = set()
    for seed in range(5):
        failures = EqualFailures()
        for outcome in random.Random(seed).sample(outcomes, len(outcomes)):
            failures.count("agents.a", outcome)
        found.add(tuple(failures.warnings()))
    [[warning]] = found
    assert warning.detail.startswith(
        "40 of 70 items of agents.a failed with one cause (provider: call"
    )


def word_of(number: int) -> str:
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


@pytest.mark.parametrize("same", [1_001, 5_000])
def test_many_other_causes_before_or_behind_have_no_influence(same: int) -> None:
    others: list[Outcome] = [Failure("provider", f"no {word_of(n)}") for n in range(1_000)]
    equal: list[Outcome] = [Failure("provider", "key refused")] * same
    found = set()
    for order in (others + equal, equal + others):
        failures = EqualFailures()
        for outcome in order:
            failures.count("agents.a", outcome)
        [warning] = failures.warnings()
        found.add(warning.detail)
    [text] = found
    assert text.startswith(f"{same:,} of {1_000 + same:,} items of agents.a failed with one cause")
    assert "unless it passes, as rate limits" in text


def counted(*details: str) -> list[str]:
    failures = EqualFailures()
    for detail in details:
        failures.count("agents.a", Failure("provider", detail))
    return [each.detail for each in failures.warnings()]


@pytest.mark.parametrize("status", ["HTTP {}: no", "status {}: no", "HTTP/1.1 {}", "code: {}"])
def test_statuses_are_different_causes(status: str) -> None:
    both = [status.format(401), status.format(503)] * 30
    assert counted(*both) == []
    [text] = counted(*both, *[status.format(503)] * 9)
    assert f"39 of 69 items of agents.a failed with one cause (provider: {status.format(503)})" in (
        text
    )


def test_identifiers_times_and_counts_are_no_causes() -> None:
    details = [
        f"HTTP 429: {'long ' * 28}wait {n} s at 2026-05-01T10:{n:02}:00Z"
        f" (request req_{n * 7**30:x}b7c)"
        for n in range(40)
    ]
    [text] = counted(*details)
    assert "40 of 40 items" in text
    details = [f"HTTP 429: request 0b9e-{n * 7**30:x} of batch_{n} is late" for n in range(40)]
    [text] = counted(*details)
    assert "(provider: HTTP 429: request … of batch_… is late)" in text


def test_texts_without_end_take_little_memory() -> None:
    failures = EqualFailures()
    for n in range(3_000):
        failures.count("agents.a", Failure("provider", word_of(n) + " long" * 1_000))
    assert failures._texts == {}
    assert {*map(len, failures._causes["agents.a"])} == {12}
    assert failures.warnings() == []
