"""The reading probe: how far an agent reads, from one question, and which edits lie beyond."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit.cache import KeyBase, SeedBase
from revkit.model.markers import PLACES, MarkedPaper
from revkit.model.paper import Paper
from revkit.model.records import ProbeRow, Records
from revkit_llm.agent import Llm
from revkit_llm.reading_range import ReadingRange
from tests.llm_server.server import Faults, LlmServer, object_for

PROBE = "This once, do not review the paper."
See = Callable[[str], str]


def reply_of(see: See) -> Callable[[dict[str, Any]], str]:
    """A model that sees of each prompt what ``see`` leaves of it."""

    def reply(body: dict[str, Any]) -> str:
        last = str(body["messages"][-1]["content"])
        if PROBE not in last:
            return object_for(body)
        paper = re.search(r"begins -----\n(.*)\n----- paper", last, re.DOTALL)
        assert paper
        return json.dumps({"words": re.findall(r"Marker word: (\w+)", see(paper[1]))})

    return reply


def spec(url: str, **more: Any) -> dict[str, Any]:
    agent = {"model": "openai/mock", "form": "accept-score", **more.pop("options", {})}
    return {
        "revkit": 1,
        "name": "reading",
        "corpus": {"use": "synthetic", "with": {"papers": 3}},
        "perturbations": {"hedging": "hedging"},
        "agents": {"llm": {"use": "llm", "with": agent}},
        "metrics": ["reading-range"],
        "services": {"llm": {"default": {"base-url": url, "retries": 0, "backoff": 0.01}}},
        **more,
    }


def asked(server: LlmServer) -> int:
    """How often the server was asked for marker words."""
    return sum(PROBE in str(body["messages"][-1]["content"]) for body in server.bodies)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_model_that_reads_all_of_it() -> None:
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        run = revkit.run(spec(server.url), out="a", store="s")
        assert asked(server) == 1
        [probe] = run.records.probes
        assert (probe.basis, probe.markers, probe.failure) == ("markers", PLACES, "")
        assert probe.least == probe.most == probe.characters
        longest = max(run.records.papers, key=lambda row: row.words)
        assert probe.paper == longest.id
        [row] = run.table("reading-range").records()
        assert (row["least"], row["most"], row["n"], row["beyond"], row["share"]) == (1, 1, 1, 0, 0)
        assert row["edits"] == sum(v.edits for v in run.records.variants if not v.rejected) > 0
        [finding] = run.table("reading-range").findings
        assert "reads to 100 % of the text" in finding.text
        ledger = json.loads(Path("a/ledger.json").read_text())
        assert sum(row["replies"] for row in ledger) == len(run.records.verdicts) + 1
        spending = json.loads(Path("a/provenance.json").read_text())["spending"]["experiment"]
        assert sum(row["requests"] for row in spending) == len(run.records.verdicts) + 1
        # Run again, and from the reviews alone: nobody is asked anew, and the bytes are the same.
        before = server.requests
        revkit.run(spec(server.url), out="b", store="s")
        assert server.requests == before
        for name in ("records/probes.jsonl", "tables/reading-range.jsonl", "result.json"):
            assert Path("a", name).read_bytes() == Path("b", name).read_bytes()


def test_a_model_that_reads_the_first_two_thirds() -> None:
    def see(text: str) -> str:
        return text[: len(text) * 2 // 3]

    with LlmServer(reply=reply_of(see)) as server:
        run = revkit.run(spec(server.url), out="a", store="s")
    [probe] = run.records.probes
    assert probe.markers == ("start", "middle")
    assert probe.least is not None
    assert probe.characters / 2 <= probe.least < probe.characters * 0.6
    [row] = run.table("reading-range").records()
    starts = [e["start"] for e in run.rows("edits")]
    beyond = sum(start >= probe.least for start in starts)
    assert 0 < beyond < len(starts)
    assert (row["edits"], row["beyond"]) == (len(starts), beyond)
    assert row["share"] == beyond / len(starts)
    assert "but not to 100 %" in run.table("reading-range").findings[0].text


@pytest.mark.parametrize("see", [lambda text: text[len(text) * 2 // 3 :], lambda text: ""])
def test_without_the_start_nothing_is_known(see: See) -> None:
    with LlmServer(reply=reply_of(see)) as server:
        run = revkit.run(spec(server.url), out="a", store="s")
    [row] = run.table("reading-range").records()
    assert (row["least"], row["most"], row["beyond"], row["share"]) == (None,) * 4
    assert row["note"] == "the model did not repeat the word at the start"
    assert "is not known" in run.table("reading-range").findings[0].text


def test_a_failed_probe_is_not_known_and_is_asked_again() -> None:
    def choose(body: dict[str, Any], attempt: int) -> str:
        return "refusal" if PROBE in str(body["messages"][-1]["content"]) else ""

    with LlmServer(faults=Faults(choose=choose), reply=reply_of(lambda text: text)) as server:
        run = revkit.run(spec(server.url), out="a", store="s")
        [probe] = run.records.probes
        assert (probe.failure, probe.least, probe.most) == ("refusal", None, None)
        [row] = run.table("reading-range").records()
        assert row["note"] == "the probe failed: refusal"
        assert "is not known" in run.table("reading-range").findings[0].text
        revkit.export("a", "a.bundle", store="s")
        server.faults = Faults()
        again = revkit.run(spec(server.url), out="b", store="s")
        assert again.records.probes[0].least == again.records.probes[0].characters
    assert revkit.replay("a.bundle", out="c").identical


def test_the_budget_counts_it() -> None:
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        run = revkit.run(spec(server.url, budget={"calls": 6}), out="a", store="s")
        assert len(run.records.verdicts) == 6
        assert run.records.probes[0].failure == "budget"
        assert asked(server) == 0


def test_nobody_is_asked_without_the_metric_or_with_probe_false() -> None:
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        run = revkit.run(spec(server.url, metrics=["outcomes"]), out="a", store="s")
        assert run.records.probes == ()
        assert not Path("a/records/probes.jsonl").exists()
        before = server.requests
        run = revkit.run(spec(server.url, options={"probe": False}), out="b", store="s")
        assert server.requests == before  # all reviews have the keys that they had
        [probe] = run.records.probes
        assert (probe.basis, probe.least, probe.most) == ("tokens", None, None)
        assert "is not known" in run.table("reading-range").findings[0].text


def test_the_option_changes_no_key_and_no_draw() -> None:
    on, off = Llm(model="openai/mock"), Llm(model="openai/mock", probe=False)
    assert on.identity() == off.identity()
    assert "probe" not in str(on.identity())
    assert KeyBase.of("review", [on], seed=1) == KeyBase.of("review", [off], seed=1)
    assert SeedBase.of(on, 1) == SeedBase.of(off, 1)


def test_a_bundle_holds_the_probe() -> None:
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        revkit.run(spec(server.url), out="a", store="s")
        revkit.export("a", "a.bundle", store="s")
    replay = revkit.replay("a.bundle", out="b")
    assert replay.identical, replay.differences


def test_the_plan_counts_one_call_for_each_agent() -> None:
    with LlmServer() as server:
        calls = []
        for metric in ("outcomes", "reading-range"):
            found = revkit.forecast(spec(server.url, metrics=[metric], perturbations={}))
            assert found is not None
            calls.append(found.calls)
        assert calls == [3, 4]
        assert "probe/llm" in revkit.plan(spec(server.url)).text()


def test_the_corpus_order_decides_nothing() -> None:
    papers = [{"id": f"p{n}", "title": "T", "text": f"Body {n}. " * n} for n in (400, 900, 700)]
    found = []
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        for number, rows in enumerate((papers, papers[::-1])):
            Path("p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            corpus = {"use": "jsonl", "with": {"path": "p.jsonl"}}
            run = revkit.run(
                spec(server.url, corpus=corpus, perturbations={}), out=f"o{number}", store="s"
            )
            found.append(run.records.probes)
        assert found[0] == found[1]
        assert found[0][0].paper == "p900"
        assert asked(server) == 1


@given(st.text(max_size=400), st.lists(st.sampled_from(range(3)), unique=True))
def test_words_are_put_in_and_recognised(text: str, named: list[int]) -> None:
    text = text.replace("\x00", "")
    original = Paper("p", text if text.strip() else "x", "T")
    marked = MarkedPaper(original)
    seen = marked.paper.text
    places = [seen.index(word) for word in marked.words]
    assert places == sorted(places)
    assert not any(word in original.text.lower() for word in marked.words)
    rest = re.sub(r"Marker word: \w+", "", seen)
    assert sorted(rest.split()) == sorted(original.text.split()) or original.text
    said = [f"*{marked.words[number].upper()}*," for number in named]
    assert marked.places_of(said) == tuple(PLACES[number] for number in sorted(named))


def records_with(probe: ProbeRow) -> Records:
    return Records(0, 1, (), (), (), (), (), probes=(probe,))


def test_token_counts_bound_what_was_read() -> None:
    probe = ProbeRow("other", "p", "tokens", 1000, most=620)
    table = ReadingRange().measure(records_with(probe))
    assert table.findings[0].text == (
        "other reads to at most 62 % of the text of the longest paper (n = 1), by the tokens of "
        "its longest prompt."
    )


@pytest.mark.parametrize(("window", "cut"), [(None, False), (4096, True)])
def test_another_agent_is_measured_by_its_tokens(window: int | None, cut: bool) -> None:
    """An agent without a probe that leaves out sections: its prompt has fewer tokens than the paper
    has words (5,000), so it read at most that share of it; an uncut prompt shows nothing."""
    sections = "".join(f"\n\n## Part {n}\n\n" + "So it is as we say. " * 160 for n in range(5))
    row = {"id": "p", "title": "T", "text": f"# T\n{sections}"}
    Path("p.jsonl").write_text(json.dumps(row) + "\n")
    with LlmServer(reply=reply_of(lambda text: text)) as server:
        models = {"base-url": server.url, **({"context-window": window} if window else {})}
        run = revkit.run(
            spec(
                server.url,
                corpus={"use": "jsonl", "with": {"path": "p.jsonl"}},
                perturbations={},
                options={"probe": False, "overflow": "truncate", "max-tokens": 100},
                services={"llm": {"default": models}},
            ),
            out="a",
            store="s",
        )
    [probe] = run.records.probes
    assert (probe.basis, probe.least) == ("tokens", None)
    assert (probe.most is not None) == cut
    if probe.most is not None:
        assert 0.3 < probe.most / probe.characters < 1
