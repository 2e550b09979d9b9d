"""Calls and tokens by role: counted at the server, told by the metric, and kept beside answers."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest

import revkit
from revkit.cache import Store
from revkit.contracts import Context, Corpus, Perturbation, Searcher
from revkit.errors import StoreError
from revkit.execution.work import Answer, answer_from_json, based_on
from revkit.model.edits import Edit
from revkit.model.exchange import ModelReply, Usage
from revkit.model.paper import Labels, Paper
from revkit.model.records import PaperRow, PaperUsage, Records, RunUsage, UsageRow
from revkit.model.review import Review
from revkit.model.work import Work
from revkit.services.llm.stored_replies import reply_from_json, reply_to_json
from revkit_llm.role_usage import RoleUsage
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import ANSWERS, TEXT, role_in

FALSE = {**ANSWERS["aggregator"], "weaknesses": ['It says "we never tested any of it at all".']}


@dataclass(frozen=True)
class Two(Corpus):
    """Two papers with abstracts of their own."""

    name: ClassVar[str] = "two"

    def papers(self, ctx: Context) -> Iterator[Paper]:
        for number in range(2):
            text = TEXT.replace("skip tokens", f"skip {number + 2} tokens")
            yield Paper(f"p{number}", text, f"Sparse Gates {number}", Labels(accept=True))

    def count(self) -> int:
        return 2


@dataclass(frozen=True)
class Last(Perturbation):
    """Adds a line at the end, which abstract and related work do not see."""

    name: ClassVar[str] = "last"

    def perturb(self, paper: Paper, ctx: Context) -> list[Edit]:
        return [Edit(len(paper.text), len(paper.text), "\nA last line.\n")]


@dataclass(frozen=True)
class Shelf(Searcher):
    """Finds two works."""

    name: ClassVar[str] = "shelf"

    def search(self, query: str, limit: int, ctx: Context) -> Sequence[Work]:
        return [Work(f"Gate {n}", year=2024, abstract=f"Of {n} gates.", score=1.0) for n in "ab"]


def spec(server: LlmServer, **changes: Any) -> dict[str, Any]:
    model = {"base-url": server.url, "usd-per-million-input": 1, "usd-per-million-output": 2}
    return {
        "revkit": 1,
        "name": "roles",
        "corpus": "two",
        "perturbations": {"last": "last"},
        "agents": {"grounder": {"use": "review-grounder", "with": {"model": "openai/mock"}}},
        "metrics": ["model-usage", "role-usage"],
        "reports": ["terminal"],
        "services": {"llm": {"default": model}, "searcher": "shelf"},
        **changes,
    }


def reply(body: dict[str, Any]) -> str:
    """The aggregator errs on the second paper, so that one alone has corrections."""
    role = role_in(body)
    wrong = role == "aggregator" and "skip 3 tokens" in body["messages"][1]["content"]
    return json.dumps(FALSE if wrong else ANSWERS[role])


PLUGINS: list[Any] = [Two, Last, Shelf]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., revkit.Run]:
    def run(experiment: Mapping[str, Any], out: str = "run", store: str = "store") -> revkit.Run:
        return revkit.run(experiment, out=tmp_path / out, store=tmp_path / store, plugins=PLUGINS)

    return run


def told(done: revkit.Run, metric: str = "role-usage") -> dict[str, dict[str, Any]]:
    return {str(row.get("role")): dict(row) for row in done.table(metric).records()}


def test_totals_and_means_are_those_that_the_server_counted(run: Callable[..., Any]) -> None:
    with LlmServer(reply=reply) as server:
        done = run(spec(server))
        bodies = list(server.bodies)
    tokens: dict[str, list[int]] = defaultdict(list)
    written: Counter[str] = Counter()
    for body in bodies:
        role = role_in(body)
        tokens[role].append(sum(len(each["content"]) for each in body["messages"]) // 4)
        written[role] += len(reply(body)) // 4
    rows = told(done)
    assert set(rows) == set(tokens)
    for role, row in rows.items():
        assert row["component"] == "agents.grounder"
        assert (row["calls"], row["prompt_tokens"]) == (len(tokens[role]), sum(tokens[role]))
        assert row["completion_tokens"] == written[role]
        usd = (sum(tokens[role]) + 2 * written[role]) / 1e6
        assert row["usd"] == pytest.approx(usd, abs=1e-9)
        assert row["n"] == 4
        assert row["cached_tokens"] is None
    # Both texts of a paper share its keywords and debriefs: two calls, but one for each review.
    assert (rows["searcher"]["calls"], rows["searcher"]["calls_mean"]) == (2, 1.0)
    assert (rows["summarizer"]["calls"], rows["summarizer"]["calls_mean"]) == (4, 2.0)
    assert (rows["drafter"]["calls"], rows["drafter"]["calls_mean"]) == (4, 1.0)
    # One paper of two has corrections, in both of its reviews: 0 and 1 a review. By hand:
    # se = sqrt(2 / 1 * (1 + 1)) / 4 = 0.5, t(1) = 12.7062.
    row = rows["correction"]
    assert (row["calls"], row["calls_mean"]) == (2, 0.5)
    assert 0.5 - 12.7062 * 0.5 < 0
    assert row["calls_mean_low"] == 0.0
    assert row["calls_mean_high"] == pytest.approx(0.5 + 12.7062 * 0.5, abs=1e-3)
    assert rows["drafter"]["calls_mean_low"] is None
    assert "no variation" in rows["drafter"]["note"]
    (whole,) = done.table("model-usage").records()
    for column in ("calls", "prompt_tokens", "completion_tokens"):
        assert whole[column] == sum(row[column] for row in rows.values())


def test_a_run_from_the_store_and_a_replay_tell_the_same(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    with LlmServer(reply=reply) as server:
        first = run(spec(server))
        asked = server.requests
        again = run(spec(server), "again")
        assert server.requests == asked
    assert first.table("role-usage") == again.table("role-usage")
    bundle = tmp_path / "run.zip"
    revkit.export(first.folder, bundle, store=tmp_path / "store", plugins=PLUGINS)
    replayed = revkit.replay(bundle, out=tmp_path / "replayed", plugins=PLUGINS)
    assert not replayed.differences
    for path in ("tables/role-usage.csv", "tables/model-usage.csv", "result.json"):
        mine = hashlib.sha256((first.folder / path).read_bytes()).hexdigest()
        assert hashlib.sha256((tmp_path / "replayed" / path).read_bytes()).hexdigest() == mine


class Caching(LlmServer):
    """Tells that half of each prompt came from its cache, but for the drafter's, or of none."""

    tells = True

    def _completion(self, body: dict[str, Any], fault: str) -> dict[str, Any]:
        answer = super()._completion(body, fault)
        if self.tells or role_in(body) == "miner":
            cached = 0 if role_in(body) == "drafter" else answer["usage"]["prompt_tokens"] // 2
            answer["usage"]["prompt_tokens_details"] = {"cached_tokens": cached}
        return answer


def test_cached_tokens_are_told_where_the_provider_tells_them(run: Callable[..., Any]) -> None:
    with Caching(reply=reply) as server:
        rows = told(run(spec(server)))
        assert rows["drafter"]["cached_tokens"] == 0
        halves = [
            sum(len(each["content"]) for each in body["messages"]) // 4 // 2
            for body in server.bodies
            if role_in(body) == "analyzer"
        ]
        assert rows["analyzer"]["cached_tokens"] == sum(halves)
    with Caching(reply=reply) as server:
        cast(Caching, server).tells = False
        rows = told(run(spec(server), "other", "other-store"))
    assert rows["miner"]["cached_tokens"] is not None
    assert {role for role, row in rows.items() if row["cached_tokens"] is None} == set(rows) - {
        "miner"
    }


def test_a_stored_reply_is_written_as_ever_where_no_cache_is_told_of() -> None:
    plain = ModelReply("t", model="m", usage=Usage(10, 2, 1, 0.5))
    assert reply_to_json(plain)["usage"] == [10, 2, 1, 0.5]
    cached = ModelReply("t", model="m", usage=Usage(10, 2, 1, 0.5, 0))
    assert reply_to_json(cached)["usage"] == [10, 2, 1, 0.5, 0]
    for reply in (plain, cached):
        assert reply_from_json(reply_to_json(reply)).usage == reply.usage


def test_an_answer_without_roles_is_written_as_ever() -> None:
    keys = ("0" * 64, "1" * 64)
    bare = Answer(Review(score=1), calls=keys)
    assert Answer(Review(score=1), calls=keys, roles=((), ())).to_json() == bare.to_json()
    named = Answer(Review(score=1), calls=keys, roles=(("miner",), ()))
    assert named.to_json()["roles"] == [["miner"], []]
    assert answer_from_json(json.loads(json.dumps(named.to_json())), "review") == named


def test_a_call_that_roles_share_names_each_once_and_old_answers_are_read() -> None:
    one, other = "aa" * 32, "bb" * 32
    asked = [(other, "b"), (one, ""), (other, "a"), (other, "b")]
    answer = based_on(asked, Answer(Review(score=1)))
    assert (answer.calls, answer.roles) == ((one, other), ((), ("a", "b")))
    assert answer_from_json(json.loads(json.dumps(answer.to_json())), "review") == answer
    # revkit 0.1 stored the roles of a call as one text.
    old = {**answer.to_json(), "roles": ["", "a + b"]}
    assert answer_from_json(old, "review") == answer


def test_answers_of_an_older_store_have_calls_of_no_role(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """They are told as such, and no role is said to have asked nothing for them."""
    with LlmServer(reply=reply) as server:
        run(spec(server, perturbations={}))
        with Store(tmp_path / "store") as store, Store(tmp_path / "old") as old:
            for key, value in _entries(store):
                old.put_json(key, {name: value[name] for name in value if name != "roles"})
        asked = server.requests
        rows = told(run(spec(server, perturbations={}), "older", "old"))
        assert server.requests == asked
    (row,) = rows.values()
    assert (row["role"], row["n"]) == ("", 2)
    assert row["calls_mean"] == pytest.approx(row["calls"] / 2)


def _entries(store: Store) -> Iterator[tuple[bytes, dict[str, Any]]]:
    import sqlite3

    with sqlite3.connect(str(store.path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
        keys: set[bytes] = set()
        for name in names:
            try:
                rows = connection.execute(f"SELECT key FROM {name}")
                keys.update(bytes(key) for (key,) in rows)
            except sqlite3.OperationalError:
                continue
    for key in sorted(keys):
        value = store.get_json(key)
        if isinstance(value, dict):
            yield key, value


def test_old_and_new_answers_do_not_mix() -> None:
    """By hand: two papers whose answers name roles, one (of two answers) whose answers do not."""
    usage = [
        UsageRow("agents.a", "", "m", 4, 400, 40, None),
        UsageRow("agents.a", "", "m", 3, 300, 30, None, roles=("writer",)),
        UsageRow("agents.a", "", "m", 1, 900, 5, None, roles=("fixer",)),
    ]
    papers = [
        PaperUsage("agents.a", "p0", ("writer",), "m", 1, 1, 100, 10, None),
        PaperUsage("agents.a", "p1", ("writer",), "m", 2, 2, 200, 20, None),
        PaperUsage("agents.a", "p1", ("fixer",), "m", 2, 1, 900, 5, None),
        PaperUsage("agents.a", "p2", (), "m", 2, 4, 400, 40, None),
    ]
    rows = [PaperRow(f"p{n}", Labels()) for n in range(3)]
    records = Records(1, 1, rows, (), (), (), (), usage=RunUsage(usage, usage, papers))
    found = {row["role"]: row for row in RoleUsage().measure(records).records()}
    assert (found["writer"]["n"], found["writer"]["calls_mean"]) == (3, 1.0)
    assert (found["fixer"]["n"], found["fixer"]["calls_mean"]) == (3, pytest.approx(1 / 3))
    assert found["fixer"]["prompt_tokens_mean"] == pytest.approx(300)
    assert found["writer"]["usd_mean"] is None
    # Answers that name no role: all answers count, and there are calls without a role in two.
    assert (found[""]["n"], found[""]["calls_mean"]) == (5, pytest.approx(0.8))


def test_roles_that_no_answer_can_have_are_not_believed(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    with LlmServer(reply=reply) as server:
        run(spec(server, perturbations={}))
        with Store(tmp_path / "store") as store, Store(tmp_path / "odd") as odd:
            for key, value in _entries(store):
                odd.put_json(key, {**value, "roles": [1]} if "roles" in value else value)
        with pytest.raises(StoreError, match="an invalid answer"):
            run(spec(server, perturbations={}), "odd-run", "odd")
