"""Prompts that a server cut in silence: detected from what it counted, and never by mistake."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import revkit
from revkit.cache import Store
from revkit.cli.main import cli
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model_settings import llm_from_options
from revkit.services.llm import ModelGateway
from revkit.services.llm.prices import ModelFacts
from revkit.services.llm.transport import Answer
from revkit.services.llm.truncation import (
    CountLog,
    EqualCounts,
    _bound,
    cut_reason,
    fewest_tokens,
    read_tokens,
)
from tests.http.conftest import Server

NO_FACTS = ModelFacts()
WINDOW = 4096


def reason(
    tokens: int,
    text: str,
    *,
    facts: ModelFacts = NO_FACTS,
    reply: int = 0,
    marked: bool = False,
    cached: int | None = None,
) -> str:
    answer = Answer("{}", prompt_tokens=tokens, cached_tokens=cached)
    return cut_reason(answer, [text], facts, reply, marked=marked)


def words_of(count: int, first: int = 0) -> str:
    """``count`` words of six characters, as in English prose with its blanks."""
    return " ".join(f"w{number:05d}" for number in range(first, first + count))


def completion(content: str, prompt_tokens: int) -> bytes:
    body = {
        "id": "1", "object": "chat.completion", "created": 1, "model": "local",
        "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 5},
    }  # fmt: skip
    return json.dumps(body).encode()


def half_kept(words: int) -> int:
    """What a server with a window of 4,096 tokens keeps of ``words`` words at 3 tokens for 2."""
    tokens = words * 3 // 2
    return tokens if tokens <= WINDOW else WINDOW // 2


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server("127.0.0.1")
    yield running
    running.close()


@pytest.fixture
def cutting(server: Server) -> Server:
    """A server that keeps half of its window of every prompt that is too long, and says nothing."""
    review = json.dumps({"score": 7, "summary": "The last half is fine."})

    def answer(path: str) -> tuple[int, dict[str, str], bytes]:
        sent = json.loads(server.seen[-1][3])
        words = sum(len(each["content"].split()) for each in sent["messages"])
        return 200, {"Content-Type": "application/json"}, completion(review, half_kept(words))

    server.answer = answer
    return server


def test_no_review_of_the_last_half_of_a_paper_counts(cutting: Server) -> None:
    """Papers of 2,900, 3,300 and 3,800 words, each with one variant: 0 of 6 reviews count."""
    settings = llm_from_options({"default": {"base-url": cutting.url, "retries": 0}})
    with Store(None) as kept, ModelGateway(settings, kept) as gateway:
        outcomes = [
            gateway.complete(
                ModelRequest("openai/local", (Message("user", words_of(size, first)),))
            )
            for size in (2900, 3300, 3800)
            for first in (0, 1)
        ]
        assert [each.kind for each in outcomes if isinstance(each, Failure)] == ["context"] * 6
        [found] = gateway.equal_counts()
        assert (found.model, found.tokens, found.prompts) == ("openai/local", 2048, 6)
        whole = gateway.complete(ModelRequest("openai/local", (Message("user", words_of(2600)),)))
        assert isinstance(whole, ModelReply)
        assert whole.usage.prompt_tokens == 3900
        # A prompt was counted higher: this server does not keep 2,048 of everything.
        assert gateway.equal_counts() == []


@pytest.mark.parametrize("words", [2900, 3300, 3800])
def test_half_of_a_window_is_seen_by_the_words(words: int) -> None:
    assert "cut the prompt" in reason(2048, words_of(words))
    # The rule before this one compared with half the words.
    assert words < 2 * 2048


@pytest.mark.parametrize(("tokens", "cut"), [(999, True), (1000, False), (1, True), (5000, False)])
def test_words_are_the_fewest_tokens(tokens: int, cut: bool) -> None:
    assert bool(reason(tokens, words_of(1000))) == cut


def test_an_odd_count_of_a_short_prompt_is_no_cut() -> None:
    """litellm makes 1 of true; no server has a window of 100 tokens, and a paid reply is kept."""
    assert reason(1, words_of(100)) == ""


def test_no_count_gives_no_conclusion() -> None:
    assert reason(0, words_of(1000)) == ""
    assert cut_reason(Answer("{}"), [words_of(1000)], NO_FACTS, 0, marked=False) == ""


def test_cached_tokens_are_added_and_uncounted_ones_end_the_conclusion() -> None:
    text = words_of(1000)
    assert reason(300, text, cached=800) == ""
    assert reason(300, text, cached=600)
    assert reason(300, text, marked=True) == ""  # marked, and nobody knows what was cached
    assert reason(300, text, marked=True, cached=0)
    written = Answer("{}", prompt_tokens=300, cached_tokens=0, written_tokens=800)
    assert read_tokens(written, marked=True) == 1100
    assert read_tokens(Answer("{}", prompt_tokens=300), marked=True) is None


@pytest.mark.parametrize(
    ("tokens", "cut"),
    [(4096, True), (2048, True), (4096 - 512, True), (4095, False), (2049, False), (512, False)],
)
def test_the_edge_of_a_known_window_is_a_cut(tokens: int, cut: bool) -> None:
    """Few words with many tokens each, so that words alone show nothing."""
    text = "x" * 40_000
    facts = ModelFacts(window=WINDOW)
    assert bool(reason(tokens, text, facts=facts, reply=512)) == cut
    assert reason(tokens, text) == ""  # no window is known


def test_a_prompt_that_is_shorter_than_the_edge_was_not_cut_there() -> None:
    assert reason(2048, "日" * 300, facts=ModelFacts(window=WINDOW)) == ""


def test_chinese_is_counted_by_characters() -> None:
    """About 0.6 tokens a character are usual; a server that kept 2,048 of 12,000 characters cut."""
    paper = "本文研究评审模型的可靠性。" * 1000  # 13,000 characters, of which 12,000 are ideographs
    assert fewest_tokens([paper]) == 3000
    assert reason(2048, paper)
    assert reason(7200, paper) == ""
    assert reason(3000, paper) == ""


def test_other_scripts_without_blanks() -> None:
    assert fewest_tokens(["การประเมินบทความ" * 100]) == 200  # 1,600 characters of Thai
    assert fewest_tokens(["これはペンです" * 40]) == 70
    assert fewest_tokens(["한국어 논문 심사"]) == 3  # Korean writes blanks
    assert fewest_tokens(["an English sentence with 中文 in it"]) == 7
    assert fewest_tokens(["", "  \n\t", "-- ; -- …"]) == 0


# Ways in which tokenizers split text, as far as honest counts go: none joins words over a blank.
TOKENIZERS: dict[str, Callable[[str], int]] = {
    "words, others by their bytes": lambda text: sum(
        1 if word.isascii() else len(word.encode()) for word in text.split()
    ),
    "words and punctuation": lambda text: len(re.findall(r"[a-zA-Z0-9]+|[^a-zA-Z0-9\s]", text)),
    "pieces of four characters": lambda text: sum(-(-len(w) // 4) for w in text.split()),
    "bytes": lambda text: len(text.encode()),
    "characters": len,
    "Chinese words of two characters": lambda text: sum(
        1 if word.isascii() else -(-len(word) // 2) for word in text.split()
    ),
}
TEXTS = st.text(
    st.sampled_from("abcXYZ019 .,;()\n\t-日本語かなไทย한국éß\u00a0\u2009"), max_size=900
)


@given(TEXTS, st.sampled_from(sorted(TOKENIZERS)))
def test_honest_counts_are_never_taken_for_a_cut(text: str, tokenizer: str) -> None:
    assert reason(TOKENIZERS[tokenizer](text), text) == ""


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 10_000)), max_size=40), st.randoms())
def test_the_order_of_calls_decides_no_warning(seen: list[tuple[int, int]], random: Any) -> None:
    first, second = CountLog(), CountLog()
    for tokens, length in seen:
        first.add(tokens, length)
    random.shuffle(seen)
    for tokens, length in seen:
        second.add(tokens, length)
    assert first.equal_counts("m") == second.equal_counts("m")


@pytest.mark.parametrize(
    ("counted", "found"),
    [
        ([(2048, 9000), (2048, 12_000), (2048, 15_000)], EqualCounts("m", 2048, 3, 9000, 15_000)),
        ([(2048, 9000), (2048, 12_000)], None),
        # Variants of one paper hardly differ in length.
        ([(2048, 9000), (2048, 9100), (2048, 9200), (2048, 9300)], None),
        # A longer prompt was counted higher, so the equal counts below are chance.
        ([(2048, 9000), (2048, 12_000), (2048, 15_000), (5000, 20_000)], None),
        # Short prompts are counted as they are.
        (
            [(900, 4000), (2048, 9000), (2048, 12_000), (2048, 15_000)],
            EqualCounts("m", 2048, 3, 9000, 15_000),
        ),
    ],
)
def test_equal_counts_of_different_prompts(
    counted: list[tuple[int, int]], found: EqualCounts | None
) -> None:
    log = CountLog()
    for tokens, length in counted:
        log.add(tokens, length)
    assert log.equal_counts("m") == found


def test_a_run_warns_of_equal_counts(
    server: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that counts 30,000 tokens for every prompt: no item fails, and the run warns."""
    monkeypatch.chdir(tmp_path)
    reply = json.dumps({"summary": "s", "flaws": [], "severity": 7})
    server.answer = lambda path: (
        200,
        {"Content-Type": "application/json"},
        completion(reply, 30000),
    )
    papers = [{"id": f"p{n}", "title": "T", "text": words_of(500 + 100 * n)} for n in range(3)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(each) + "\n" for each in papers))
    spec = {
        "revkit": 1,
        "name": "cut",
        "corpus": {"use": "jsonl", "with": {"path": "p.jsonl"}},
        "agents": {
            "llm": {"use": "llm", "with": {"model": "openai/local", "form": "severity-0-100"}}
        },
        "services": {"llm": {"default": {"base-url": server.url, "retries": 0}}},
    }
    (tmp_path / "e.yaml").write_text(json.dumps(spec))
    run = revkit.run(spec, out="a", store="s")
    [warning] = run.warnings
    assert (warning.kind, warning.subject) == ("equal-prompt-counts", "openai/local")
    assert "counted 3 prompts" in warning.detail
    about = json.loads((tmp_path / "a" / "provenance.json").read_text())
    assert about["warnings"] == [warning.to_json()]
    shown = CliRunner().invoke(cli, ["run", "e.yaml", "--out", "b", "--store", "t"])
    assert f"warning: {warning.detail}" in shown.output
    # Nothing is asked now, so nothing can be said; the results are the same byte for byte.
    again = revkit.run(spec, out="c", store="s")
    assert again.warnings == ()
    assert (tmp_path / "a/result.json").read_bytes() == (tmp_path / "c/result.json").read_bytes()


@given(st.text(max_size=200))
def test_the_quick_bound_is_never_below_the_exact_one(text: str) -> None:
    assert _bound(text) >= fewest_tokens([text])
