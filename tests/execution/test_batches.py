"""Runs whose calls are sent as batches: the bytes of a run by single calls, whatever breaks."""

from __future__ import annotations

import gc
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit import api
from revkit.cache import Store
from revkit.contracts import Agent, Component, Context
from revkit.errors import BatchesPending, RunError, StoreError
from revkit.model.exchange import Message, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model_settings import llm_from_options
from revkit.options import option
from revkit.services.llm import ModelGateway
from revkit.services.llm.batch_courier import BatchCourier
from tests.execution.sheets import Sheets, Stamp
from tests.llm_server.server import LlmServer, object_for

PAPERS = 6
# Two texts of each paper; the first agent asks once about each, the second one twice.
CALLS = PAPERS * 2 * 3
ROUNDS = 2


@dataclass(frozen=True)
class TwoTurns(Agent):
    """Asks for notes, and then for a score in view of the notes."""

    name: ClassVar[str] = "two-turns"
    uses = ("llm",)
    scale: ClassVar[Scale] = Scale("ten", 1, 10, accept_at=6)
    model: str = option("openai/mock", help="The model.")

    def models(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Ask twice."""
        notes = ctx.complete(ModelRequest(self.model, (Message("user", f"Notes: {paper.text}"),)))
        if isinstance(notes, Failure):
            return notes
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 10}},
            "required": ["score"],
            "additionalProperties": False,
        }
        text = f"Score after {notes.text}: {paper.text}"
        found = ctx.complete(ModelRequest(self.model, (Message("user", text),), schema))
        if isinstance(found, Failure):
            return found
        score: Any = found.data["score"]
        return Review(score >= 6, score, notes.text)


def spec_of(server: LlmServer, **llm: Any) -> dict[str, Any]:
    settings = {"base-url": server.url, "backoff": 0.01, "longest-wait": 0.05, **llm}
    return {
        "revkit": 1,
        "name": "batches",
        "corpus": {"use": "sheets", "with": {"papers": PAPERS}},
        "perturbations": {"stamp": "stamp"},
        "agents": {
            "once": {"use": "llm", "with": {"model": "openai/mock", "form": "accept-score"}},
            "twice": "two-turns",
        },
        "metrics": ["flip-rate", "outcomes"],
        "reports": ["markdown"],
        "services": {"llm": {"default": settings}},
    }


class Place:
    """A folder in which experiments run against one server."""

    def __init__(self, folder: Path, server: LlmServer) -> None:
        self.folder = folder
        self.server = server

    def run(self, out: str, **llm: Any) -> revkit.Run:
        """Run with ``llm`` as settings of the model, into the folder and store ``out``."""
        budget = llm.pop("budget", None)
        spec = spec_of(self.server, **llm)
        if budget is not None:
            spec["budget"] = budget
        return revkit.run(
            spec,
            out=self.folder / out,
            store=self.folder / f"{out}.db",
            plugins=[Sheets, Stamp, TwoTurns],
        )

    def in_batches(self, out: str = "batch", /, **llm: Any) -> revkit.Run:
        """Run in batches of any size."""
        return self.run(out, **{"batch": True, "batch-least": 1, **llm})

    def files(self, out: str) -> dict[str, bytes]:
        """The files of a run folder, except what differs from command to command."""
        found = {}
        for path in sorted((self.folder / out).rglob("*")):
            name = path.relative_to(self.folder / out).as_posix()
            if path.is_file() and name not in ("provenance.json", ".revkit-run"):
                found[name] = path.read_bytes()
        # The settings of the model are in the resolved spec.
        found["spec.yaml"] = b"\n".join(
            line for line in found["spec.yaml"].splitlines() if b"batch" not in line
        )
        return found

    def provenance(self, out: str = "batch") -> dict[str, Any]:
        """What is recorded of the command."""
        found: dict[str, Any] = json.loads((self.folder / out / "provenance.json").read_text())
        return found


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with LlmServer(keep=0) as server:
        yield Place(tmp_path, server)


def test_a_run_in_batches_has_the_bytes_of_a_run_by_calls(place: Place) -> None:
    single = place.run("single")
    assert single.exit_code == 0
    assert place.server.requests == CALLS
    found = place.in_batches()
    assert place.server.requests == CALLS  # no single call
    assert len(place.server.batches.made) == ROUNDS
    assert sum(place.server.batches.paid.values()) == CALLS
    assert place.files("batch") == place.files("single")
    assert found.counts.computed == single.counts.computed
    again = place.in_batches()
    assert len(place.server.batches.made) == ROUNDS
    assert again.counts.computed == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # litellm may leave a client open
def test_a_run_through_litellm_has_them_too(place: Place) -> None:
    place.run("single")
    place.in_batches(transport="litellm")
    gc.collect()  # so that the warning does not come in a later test
    assert len(place.server.batches.made) == ROUNDS
    sent = {
        name: value for name, value in place.files("batch").items() if name != "spec.yaml"
    }  # which names the transport
    assert sent == {name: place.files("single")[name] for name in sent}


def once(fault: str) -> Any:
    """Every third call meets ``fault`` in its first batch."""

    def choose(key: str, body: dict[str, Any], times: int) -> str:
        return fault if times == 0 and int(key[:8], 16) % 3 == 0 else ""

    return choose


def scores(run: revkit.Run) -> list[tuple[Any, ...]]:
    return [
        (each.agent, each.paper, each.perturbation, each.accept, each.score, each.failure)
        for each in run.records.verdicts
    ]


@pytest.mark.parametrize("fault", ["error", "expired", "missing", "damaged", "no-choices"])
def test_calls_without_a_result_are_sent_in_a_next_batch(place: Place, fault: str) -> None:
    wanted = scores(place.run("single"))
    place.server.batches.fault = once(fault)
    found = place.in_batches()
    assert scores(found) == wanted
    batches = place.server.batches
    assert len(batches.made) > ROUNDS
    repeated = sum(times > 1 for times in batches.times.values())
    assert 0 < repeated < CALLS  # the others are not sent again
    assert sum(batches.times.values()) == CALLS + repeated
    kinds = {each.kind for each in found.warnings}
    assert kinds == ({"odd-batch-results"} if fault == "damaged" else set())


@pytest.mark.parametrize("fault", ["twice", "foreign"])
def test_lines_that_belong_to_no_call_are_not_used(place: Place, fault: str) -> None:
    place.run("single")
    place.server.batches.fault = lambda key, body, times: fault
    found = place.in_batches()
    assert place.files("batch") == place.files("single")
    assert len(place.server.batches.made) == ROUNDS
    [warning] = [each for each in found.warnings if each.kind == "odd-batch-results"]
    assert f"{CALLS} results for" in warning.detail


def test_an_unusable_reply_is_asked_again_in_the_next_batch(place: Place) -> None:
    """As in a run by single calls, the second question quotes the first reply."""

    def reply(body: dict[str, Any]) -> str:
        text = body["messages"][-1]["content"]
        if "Sheet 1" in text and "cannot be used" not in text:
            return "I like it."
        return object_for(body)

    place.server.reply = reply
    place.run("single")
    place.server.requests = 0
    place.in_batches()
    assert place.server.requests == 0
    assert place.files("batch") == place.files("single")


def test_a_parameter_that_the_provider_does_not_take_is_left_out(place: Place) -> None:
    def choose(key: str, body: dict[str, Any], times: int) -> str:
        form = body.get("response_format") or {}
        return "bad" if form.get("json_schema", {}).get("strict") else ""

    wanted = scores(place.run("single"))
    place.server.batches.fault = choose
    found = place.in_batches()
    assert found.exit_code == 0
    assert scores(found) == wanted


def test_a_call_that_fails_for_good_is_a_failure_and_is_asked_for_by_the_next_command(
    place: Place,
) -> None:
    def choose(key: str, body: dict[str, Any], times: int) -> str:
        return "refusal" if "Sheet 2" in body["messages"][-1]["content"] else ""

    place.server.batches.fault = choose
    found = place.in_batches()
    failed = [each for each in found.records.verdicts if each.failure]
    assert {each.paper for each in failed} == {"s2"}
    assert len(failed) == 4  # two texts, two agents
    paid = sum(place.server.batches.paid.values())
    place.server.batches.fault = lambda key, body, times: ""
    again = place.in_batches()
    assert again.exit_code == 0
    assert sum(place.server.batches.paid.values()) == paid + 2 + 2 * 2
    assert scores(again) == scores(place.run("single"))


def test_the_provider_that_only_fails_is_given_up(place: Place) -> None:
    place.server.batches.fault = lambda key, body, times: "error"
    found = place.in_batches(retries=1)
    assert found.exit_code == 4
    assert {each.failure for each in found.records.verdicts} == {"provider"}
    assert set(place.server.batches.times.values()) == {2}
    assert place.server.requests == 0


def test_a_command_that_does_not_wait_ends_and_the_next_one_goes_on(place: Place) -> None:
    place.server.batches.hold = True
    for _ in range(3):
        with pytest.raises(BatchesPending, match=r"1 batch with .* calls: batch_1\. Run the same"):
            place.in_batches(**{"batch-wait": 0})
        assert len(place.server.batches.made) == 1
    place.server.batches.hold = False
    place.server.batches.polls = 99
    place.server.batches.looks["batch_1"] = 98
    with pytest.raises(BatchesPending):  # the second turn
        place.in_batches(**{"batch-wait": 0})
    assert len(place.server.batches.made) == ROUNDS
    place.server.batches.polls = 1
    place.in_batches()
    place.run("single")
    assert place.files("batch") == place.files("single")
    assert set(place.server.batches.paid.values()) == {1}


def test_a_batch_whose_answer_is_cut_off_is_found_and_not_made_again(place: Place) -> None:
    place.server.batches.after_create = lambda number: "cut" if number == 1 else ""
    place.in_batches()
    assert len(place.server.batches.made) == ROUNDS
    assert set(place.server.batches.paid.values()) == {1}


def test_what_was_written_down_and_not_recorded_is_found_in_the_list(place: Place) -> None:
    """A command that ends between sending and recording: nothing is paid twice."""
    place.server.batches.after_create = lambda number: "cut"
    with pytest.raises(RunError, match="could not be sent"):
        place.in_batches(retries=0)
    assert len(place.server.batches.made) == 1
    for number in range(250):  # of other programs, so that the list has pages
        row = {**place.server.batches.made["batch_1"], "id": f"batch_{number + 2}", "metadata": {}}
        place.server.batches.made[row["id"]] = row
    place.server.batches.after_create = lambda number: ""
    place.in_batches()
    assert set(place.server.batches.paid.values()) == {1}
    assert sum(place.server.batches.paid.values()) == CALLS


def test_a_refusal_after_an_answer_that_was_cut_off_leaves_the_batch_recorded(place: Place) -> None:
    def lock(number: int) -> str:
        place.server.key = "another"  # every later request is refused
        return "cut"

    place.server.batches.after_create = lock
    with pytest.raises(RunError, match="could not be sent"):
        place.in_batches()
    place.server.key = ""
    place.server.batches.after_create = lambda number: ""
    place.in_batches()
    assert len(place.server.batches.made) == ROUNDS
    assert set(place.server.batches.paid.values()) == {1}


def test_a_batch_that_was_never_made_is_sent_again(place: Place) -> None:
    place.in_batches("other", budget={"calls": 0})  # a store of the experiment without answers
    assert not place.server.batches.made
    port = place.server.port
    with pytest.raises(RunError, match="could not be sent"):
        place.in_batches(retries=0, **{"base-url": f"http://127.0.0.1:{port}/none"})
    assert not place.server.batches.made


def test_a_batch_is_sent_to_a_named_server_while_many_calls_wait(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look-up of the name needs a thread, too: the run waited for ever."""
    send = BatchCourier.send

    def send_late(courier: BatchCourier, *given: Any) -> None:
        time.sleep(0.3)  # meanwhile, many other calls come
        send(courier, *given)

    monkeypatch.setattr(BatchCourier, "send", send_late)
    spec = spec_of(
        place.server,
        **{
            "batch": True,
            "batch-least": 1,
            "batch-most": 10,
            "max-connections": 64,
            "base-url": place.server.url.replace("127.0.0.1", "localhost"),
        },
    )
    spec["corpus"]["with"]["papers"] = 40
    ended: list[int] = []

    def run() -> None:
        out, store = place.folder / "named", place.folder / "named.db"
        done = revkit.run(spec, out=out, store=store, plugins=[Sheets, Stamp, TwoTurns])
        ended.append(done.exit_code)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(30)
    assert ended == [0]
    assert set(place.server.batches.paid.values()) == {1}


def test_a_call_that_fails_at_once_does_not_wait_for_a_batch_being_sent(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {
        "base-url": place.server.url,
        "batch": True,
        "batch-most": 1,
        "context-window": 2000,
    }
    settings = llm_from_options({"default": options})
    sending, failed = threading.Event(), threading.Event()
    waited: list[bool] = []

    def send(*_: object) -> None:
        sending.set()
        waited.append(failed.wait(10))

    def ask(gateway: ModelGateway, text: str) -> object:
        return gateway.complete(ModelRequest("openai/mock", (Message("user", text),)))

    with Store(None) as store, ModelGateway(settings, store) as gateway:
        assert gateway.desk is not None
        gateway.desk.begin()
        monkeypatch.setattr(gateway.desk.courier, "send", send)
        with ThreadPoolExecutor(2) as pool:
            pool.submit(ask, gateway, "one").exception()
            second = pool.submit(ask, gateway, "two")
            assert sending.wait(10)
            long = ask(gateway, "long " * 20_000)
            failed.set()
            second.exception()
        gateway.desk.abandon_round()
    assert isinstance(long, Failure)
    assert long.kind == "context"
    assert waited == [True]


def test_looks_that_are_refused_or_fail_are_repeated(place: Place) -> None:
    place.server.batches.polls = 4
    place.server.batches.fail_look = lambda number: (429, 503, 0)[number % 3]
    place.run("single")
    place.in_batches()
    assert place.files("batch") == place.files("single")
    assert place.server.batches.looked > 8


def test_a_batch_that_the_provider_does_not_know_is_an_error_with_a_remedy(place: Place) -> None:
    place.server.batches.hold = True
    with pytest.raises(BatchesPending):
        place.in_batches(**{"batch-wait": 0})
    place.server.batches.made.clear()
    with pytest.raises(RunError, match="--give-up batch_1"):
        place.in_batches()


@pytest.mark.parametrize(("status", "retried"), [("failed", True), ("expired", False)])
def test_a_batch_that_ends_without_results(place: Place, status: str, retried: bool) -> None:
    place.server.batches.status = status
    found = place.in_batches(retries=1)
    if retried:
        assert found.exit_code == 4
        assert len(place.server.batches.made) == 2
        [failure] = {row["detail"] for row in found.rows("outcomes")}
        assert "the batch is failed: the batch failed" in failure
    else:  # this server had done all calls before
        assert found.exit_code == 0


def test_a_full_queue_sends_the_rest_later(place: Place) -> None:
    """The provider refuses a batch while another one waits, and takes it afterwards."""
    batches = place.server.batches
    ended: list[str] = []

    def end(batch: dict[str, Any]) -> None:
        first = not ended or batch["id"] in ended
        batches.status, batches.code = (
            ("completed", "") if first or len(ended) > 3 else ("failed", "token_limit_exceeded")
        )
        ended.append(batch["id"])
        type(batches)._end(batches, batch)

    batches._end = end  # type: ignore[method-assign]
    wanted = scores(place.run("single"))
    found = place.in_batches(**{"batch-most": 5})
    assert scores(found) == wanted


def test_few_calls_are_made_one_by_one_and_many_in_several_files(place: Place) -> None:
    place.run("single")
    place.server.requests = 0
    place.in_batches("few", **{"batch-least": CALLS})
    assert (place.server.requests, len(place.server.batches.made)) == (CALLS, 0)
    place.in_batches("many", **{"batch-most": 5})
    sizes = [row["request_counts"]["total"] for row in place.server.batches.made.values()]
    assert sum(sizes) == CALLS
    assert max(sizes) == 5
    assert place.files("few") == place.files("single") == place.files("many")


def test_the_price_is_that_of_batches(place: Place) -> None:
    prices = {"usd-per-million-input": 1000, "usd-per-million-output": 2000}

    def usd(out: str) -> float:
        rows = place.provenance(out)["spending"]["experiment"]
        assert {row["outcome"] for row in rows} == {"answered"}
        return float(sum(row["usd"] for row in rows))

    place.run("single", **prices)
    place.in_batches("half", **prices)
    place.in_batches("third", **prices, **{"batch-price": 0.3})
    assert usd("half") == pytest.approx(usd("single") / 2)
    assert usd("third") == pytest.approx(usd("single") * 0.3)
    command = place.provenance("half")["spending"]["command"]
    assert sum(row["answered"] for row in command) == CALLS
    assert sum(row["requests"] for row in command) == CALLS
    assert sum(row["spent"]["usd"] for row in command) == pytest.approx(usd("half"))


@pytest.mark.parametrize("budget", [{"calls": 7}, {"usd": 0.9}, {"tokens": 5000}])
def test_the_budget_is_respected_before_a_batch_is_sent(
    place: Place, budget: dict[str, float]
) -> None:
    prices = {"usd-per-million-input": 300, "usd-per-million-output": 300}
    found = place.in_batches(budget=budget, **prices)
    assert found.out_of_budget
    rows = place.provenance()["spending"]["experiment"]
    name = {"calls": "requests", "usd": "charged_usd", "tokens": "charged_tokens"}
    [(limit, most)] = budget.items()
    assert 0 < sum(row[name[limit]] for row in rows) <= most
    assert sum(place.server.batches.paid.values()) + place.server.requests < CALLS


def test_a_batch_that_is_given_up_is_sent_again(place: Place) -> None:
    place.server.batches.hold = True
    with pytest.raises(BatchesPending):
        place.in_batches(**{"batch-wait": 0})
    store = place.folder / "batch.db"
    [batch] = api.open_batches(store)
    assert (batch.remote, batch.requests) == ("batch_1", CALLS * 2 // 3)
    with pytest.raises(StoreError, match="waits for no batch 'other'"):
        api.give_up_batch("other", store)
    assert api.give_up_batch("batch_1", store) == batch.requests
    assert api.open_batches(store) == []
    place.server.batches.made.clear()
    place.server.batches.hold = False
    assert place.in_batches().exit_code == 0
    rows = place.provenance()["spending"]["experiment"]
    assert {row["outcome"]: row["requests"] for row in rows if row["label"] == "agents.once"} == {
        "answered": PAPERS * 2,
        "given up": PAPERS * 2,
    }


def test_shards_send_their_own_batches_and_merge_to_the_same_bytes(place: Place) -> None:
    place.run("single")
    spec = spec_of(place.server, **{"batch": True, "batch-least": 1})
    plugins: list[type[Component]] = [Sheets, Stamp, TwoTurns]
    for number in (1, 2):
        shard = f"{number}/2"
        revkit.run_shard(spec, shard, out=place.folder / "parts", plugins=plugins)
    assert place.server.requests == CALLS
    store = place.folder / "merged.db"
    revkit.merge(
        [place.folder / "parts"], out=place.folder / "merged", store=store, plugins=plugins
    )
    assert place.files("merged") == place.files("single")


def test_a_run_that_stops_early_sends_no_paper_beyond_the_look(place: Place) -> None:
    def run(out: str, **llm: Any) -> revkit.Run:
        spec = spec_of(place.server, **llm)
        spec["stop-when"] = {"all": ["flip_rate[once].width <= 0.99"], "every": 2}
        return revkit.run(
            spec,
            out=place.folder / out,
            store=place.folder / f"{out}.db",
            plugins=[Sheets, Stamp, TwoTurns],
        )

    single = run("single")
    papers = len(single.records.papers)
    place.server.requests = 0
    run("batch", **{"batch": True, "batch-least": 1})
    assert place.server.requests == 0
    assert sum(place.server.batches.paid.values()) == papers * 6
    assert place.files("batch") == place.files("single")


def test_points_of_a_sweep_send_their_batches_before_any_waits(place: Place) -> None:
    spec = spec_of(place.server, **{"batch": True, "batch-least": 1, "batch-wait": 0})
    spec["sweep"] = {"corpus.with.papers": [2, 4]}
    spec["corpus"] = {"use": "sheets", "with": {"papers": 1}}
    given: dict[str, Any] = {
        "out": place.folder / "sweep",
        "store": place.folder / "sweep.db",
        "plugins": [Sheets, Stamp, TwoTurns],
    }
    place.server.batches.hold = True
    with pytest.raises(BatchesPending, match=r"(?s)2: .*4: "):
        revkit.sweep(spec, **given)
    assert len(place.server.batches.made) == 2
    place.server.batches.hold = False
    spec["services"]["llm"]["default"]["batch-wait"] = None
    found = revkit.sweep(spec, **given)
    assert {point.exit_code for point in found.points} == {0}
    assert set(place.server.batches.paid.values()) == {1}  # points share what they have in common


def test_a_plan_shows_the_price_of_batches(place: Place) -> None:
    prices = {"usd-per-million-input": 1000, "usd-per-million-output": 2000}

    def planned(**more: Any) -> Any:
        spec = spec_of(place.server, **prices, **more)
        return api.forecast(spec, plugins=[Sheets, Stamp, TwoTurns])

    single, batch = planned(), planned(batch=True)
    assert single.batch_usd == pytest.approx(single.most_usd / 2)
    assert batch.most_usd == batch.batch_usd == pytest.approx(single.most_usd / 2)
    assert f"in batches    at most {single.batch_usd:.2f} US dollars" in single.text()
    assert "in batches" not in batch.text()


def test_a_provider_without_such_batches_is_refused(place: Place, tmp_path: Path) -> None:
    spec = spec_of(place.server, batch=True, transport="litellm")
    spec["agents"] = {"once": {"use": "llm", "with": {"model": "ollama/x", "form": "accept-score"}}}
    with pytest.raises(RunError, match=r"ollama/x.*Set batch: false"):
        revkit.run(spec, out=tmp_path / "a", store=tmp_path / "a.db", plugins=[Sheets, Stamp])
