"""A whole run of 1,000 reviews by language models while a fifth of all requests goes wrong."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, get_args

import pytest

import revkit
from revkit.cache import Store
from revkit.model.records import Verdict
from revkit.model.review import FailureKind
from tests.execution.sheets import Sheets, Stamp
from tests.llm_server.server import FINAL, PASSING, READABLE, UNREADABLE, Faults, LlmServer

# All but one that stays, a day's quota: that is met by a separate model.
KINDS = (*PASSING, *READABLE, *UNREADABLE, *FINAL)
STEADY, RATIONED = "openai/steady", "openai/rationed"
VARIANTS = 3
CONNECTIONS = 25
Item: TypeAlias = tuple[str, str, str, int]  # agent, paper, perturbation, index

pytestmark = pytest.mark.slow


class Place:
    """A server that is faulty or well, and runs against it."""

    def __init__(self, folder: Path, server: LlmServer, transport: str, papers: int) -> None:
        self.folder = folder
        self.server = server
        self.papers = papers
        self.spec = {
            "revkit": 1,
            "name": "faults",
            "corpus": {"use": "sheets", "with": {"papers": papers}},
            "perturbations": {"stamp": {"use": "stamp", "variants": VARIANTS}},
            "agents": {
                "steady": {"use": "llm", "with": {"model": STEADY, "form": "accept-score"}},
                "rationed": {"use": "llm", "with": {"model": RATIONED, "form": "iclr"}},
            },
            "metrics": ["flip-rate", "outcomes"],
            "reports": ["markdown"],
            "services": {
                "llm": {
                    "default": {
                        "base-url": server.url,
                        "transport": transport,
                        "max-connections": CONNECTIONS,
                        "backoff": 0.01,
                        "timeout": 1.5,
                    }
                }
            },
        }

    @property
    def expected(self) -> set[Item]:
        """Every item of a run: agent, paper, perturbation, index."""
        texts = [("", 0), *(("stamp", index) for index in range(VARIANTS))]
        return {
            (agent, f"s{number}", name, index)
            for agent in ("steady", "rationed")
            for number in range(self.papers)
            for name, index in texts
        }

    def run(self, faults: Faults, out: str, store: str) -> tuple[revkit.Run, dict[str, Any]]:
        """Run with ``faults``; return the run and its ledger by label."""
        self.server.faults = faults
        self.server.requests = 0
        self.server.met.clear()
        run = revkit.run(
            self.spec,
            out=self.folder / out,
            store=self.folder / store,
            plugins=[Sheets, Stamp],
        )
        about = json.loads((self.folder / out / "provenance.json").read_text(encoding="utf-8"))
        rows = about["spending"]["command"]
        return run, {row["model"]: row for row in rows}

    def stored(self, store: str) -> list[dict[str, Any]]:
        """All that a store holds, as JSON."""
        connection = sqlite3.connect(self.folder / store)
        try:
            keys = [key for (key,) in connection.execute("SELECT key FROM asked")]
        finally:
            connection.close()
        with Store(self.folder / store) as answers:
            return [json.loads(answers.get(key) or b"") for key in keys]


def item(verdict: Verdict) -> Item:
    return verdict.agent, verdict.paper, verdict.perturbation, verdict.index


def faulty() -> Faults:
    """A fifth of the requests at random, the very first one (a hang), and from the twentieth
    request on a day's quota for one of the models."""
    drawn = Faults(share=0.2, kinds=KINDS, seed=11)
    seen = {"steady": 0, "rationed": 0}

    def choose(body: dict[str, Any], attempt: int) -> str:
        seen[body["model"]] += 1
        if sum(seen.values()) == 1:
            return "hang"
        if body["model"] == "rationed" and seen["rationed"] > 20:
            return "rate-day"
        return drawn.of(body, json.dumps(body["messages"]), attempt)

    return Faults(choose=choose)


@dataclass(frozen=True)
class Three:
    """A run without faults, one with them, and the same once more without."""

    count: int  # of each agent's reviews
    variants: int
    well: revkit.Run
    hurt: revkit.Run
    rows: list[dict[str, Any]]
    ledger: dict[str, Any]
    met: Counter[str]
    requests: int
    held: list[dict[str, Any]]
    again: revkit.Run
    last_ledger: dict[str, Any]
    last_requests: int
    expected: set[Item]

    @property
    def wanted(self) -> dict[Item, Verdict]:
        return {item(verdict): verdict for verdict in self.well.records.verdicts}

    @property
    def found(self) -> dict[Item, Verdict]:
        return {item(verdict): verdict for verdict in self.hurt.records.verdicts}

    def failed(self, agent: str = "") -> list[Item]:
        return [
            item(verdict)
            for verdict in self.hurt.records.verdicts
            if verdict.failure and agent in ("", verdict.agent)
        ]


@pytest.fixture(scope="module", params=[("openai-compatible", 250), ("litellm", 15)])
def three(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Three:
    transport, papers = request.param
    with LlmServer(latency=0.01, keep=0) as server:
        place = Place(tmp_path_factory.mktemp("faults"), server, transport, papers)
        well, _ = place.run(Faults(), "well", "well.db")
        hurt, ledger = place.run(faulty(), "hurt", "hurt.db")
        met, requests = Counter(server.met), server.requests
        rows, held = list(hurt.rows("outcomes")), place.stored("hurt.db")
        again, last_ledger = place.run(Faults(), "hurt", "hurt.db")
        return Three(
            papers * (1 + VARIANTS), papers * VARIANTS, well, hurt, rows, ledger, met, requests,
            held, again, last_ledger, server.requests, place.expected,
        )  # fmt: skip


def test_each_item_is_a_review_or_a_failure_once(three: Three) -> None:
    assert three.well.exit_code == 0
    assert three.hurt.exit_code == 1
    assert len(three.hurt.records.verdicts) == len(three.rows) == 2 * three.count
    assert three.found.keys() == three.expected == three.wanted.keys()
    for verdict in three.hurt.records.verdicts:
        assert verdict.failure in ("", *set(get_args(FailureKind)) - {"crashed"})
        assert (verdict.score is None) == bool(verdict.failure)
    if three.count == 1000:
        assert {*KINDS, "rate-day"} <= three.met.keys()


def test_what_succeeds_has_the_numbers_of_a_run_without_faults(three: Three) -> None:
    failed = three.failed()
    for key, verdict in three.found.items():
        if key not in failed:
            wanted = three.wanted[key]
            assert (verdict.accept, verdict.score) == (wanted.accept, wanted.score)
    # Most faults pass, or can be read through.
    assert len(three.failed("steady")) < 0.1 * three.count


def test_a_days_quota_fails_its_model_at_once_and_no_other(three: Three) -> None:
    assert len(three.failed("rationed")) >= three.count - 20
    told = [row for row in three.rows if row["failure"] and "wait until" in row["detail"]]
    assert {row["agent"] for row in told} == {"rationed"}
    assert len(told) >= three.count - 20 - CONNECTIONS
    assert three.met["rate-day"] <= CONNECTIONS  # those that were in flight when the first came


def test_the_ledger_holds_every_request_retry_and_failure(three: Three) -> None:
    assert sum(row["requests"] for row in three.ledger.values()) == three.requests
    for agent, model in (("steady", STEADY), ("rationed", RATIONED)):
        row = three.ledger[model]
        assert row["asked"] == three.count
        kinds = Counter(three.found[key].failure for key in three.failed(agent))
        assert row["failed"] == dict(sorted(kinds.items()))
        assert row["answered"] == three.count - sum(kinds.values())
    assert three.ledger[STEADY]["retries"] > 0
    assert three.ledger[STEADY]["reasked"] > 0


def test_nothing_is_stored_that_is_no_answer(three: Three) -> None:
    good = [verdict for verdict in three.hurt.records.verdicts if not verdict.failure]
    replies = [value for value in three.held if "finish_reason" in value]
    answers = [value["value"] for value in three.held if "value" in value]
    reviews = [value for value in answers if "score" in value]
    assert len(replies) == len(reviews) == len(good)
    assert Counter(review["score"] for review in reviews) == Counter(each.score for each in good)
    for reply in replies:
        assert isinstance(reply.get("data") or json.loads(reply["text"]), dict)
    assert sum("edits" in value for value in answers) == three.variants
    facts = [value for value in three.held if "structure" in value]
    assert len(facts) == len(three.hurt.records.papers)
    prose = [value for value in three.held if "prose" in value]
    assert len(prose) == len(facts)
    # What is left are the tables and the report.
    assert len(three.held) == len(replies) + len(answers) + len(facts) + len(prose) + 3


def test_a_second_run_asks_for_the_failures_alone(three: Three) -> None:
    assert three.again.exit_code == 0
    assert three.last_requests == len(three.failed())
    assert sum(row["asked"] for row in three.last_ledger.values()) == three.last_requests
    assert three.again.counts.computed == three.last_requests
    assert {item(each): each for each in three.again.records.verdicts} == three.wanted
