"""What a run would cost, by hand: one call a review, counted without a call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest

import revkit
from revkit.execution.estimate import Forecast
from revkit.testing import toys


@dataclass(frozen=True)
class Asks(revkit.Agent):
    """Asks a model once for each review."""

    name: ClassVar[str] = "asks"
    uses: ClassVar[tuple[Any, ...]] = ("llm",)
    scale = revkit.Scale("1-10", 1, 10)

    def models(self) -> tuple[str, ...]:
        return ("openai/none",)

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        question = revkit.Message("user", paper.text)
        request = revkit.ModelRequest("openai/none", (question,), parameters={"max_tokens": 100})
        reply = ctx.complete(request)
        return reply if isinstance(reply, revkit.Failure) else revkit.Review(score=5)


@dataclass(frozen=True)
class AsksAnother(Asks):
    """Asks another model, once for each review."""

    name: ClassVar[str] = "asks-another"

    def models(self) -> tuple[str, ...]:
        return ("openai/other",)

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        question = revkit.Message("user", paper.text)
        request = revkit.ModelRequest("openai/other", (question,), parameters={"max_tokens": 100})
        reply = ctx.complete(request)
        return reply if isinstance(reply, revkit.Failure) else revkit.Review(score=5)


def spec(prices: dict[str, float]) -> dict[str, Any]:
    model = {"base-url": "http://127.0.0.1:9/v1", "context-window": 8000, **prices}
    return {
        "revkit": 1,
        "corpus": {"use": "toy-papers", "with": {"papers": 30}},
        "perturbations": {"words": {"use": "toy-words", "variants": 2}},
        "agents": {"a": "asks"},
        "repeats": 2,
        "services": {"llm": {"models": {"openai/none": model}}},
    }


def test_calls_are_papers_times_texts_times_repeats(no_plugins: None) -> None:
    # 30 papers x (1 unchanged + 2 variants) x 2 repeats; the repeats ask the same question, which
    # an agent that gives no replicate number asks twice here.
    found = revkit.forecast(spec({}), plugins=[toys, Asks])
    assert found is not None
    assert found.sampled == 20
    assert found.calls == 180
    assert found.most_reply_tokens == 18_000
    assert found.most_usd is None
    assert (found.unpriced, found.known_usd) == (("openai/none",), 0.0)
    assert "US dollars    unknown (no price for openai/none)\n" in found.text()


def test_the_known_part_of_the_cost_is_given_beside_models_without_a_price(
    no_plugins: None,
) -> None:
    prices = {"usd-per-million-input": 0.0, "usd-per-million-output": 10.0}
    mixed = spec(prices)
    mixed["agents"]["b"] = "asks-another"
    model = mixed["services"]["llm"]["models"]["openai/none"]
    free = {key: value for key, value in model.items() if not key.startswith("usd")}
    mixed["services"]["llm"]["models"]["openai/other"] = free
    found = revkit.forecast(mixed, plugins=[toys, Asks, AsksAnother])
    assert found is not None
    assert (found.calls, found.most_usd, found.unpriced) == (360, None, ("openai/other",))
    assert found.known_usd == pytest.approx(0.18)  # 18,000 reply tokens at 10 dollars a million
    said = "at most 0.18 for the models with a price, others unknown (no price for openai/other)"
    assert f"US dollars    {said}\n" in found.text()
    assert found.short().endswith(f"US dollars {said}")


def test_a_plan_for_more_papers_than_the_corpus_has(no_plugins: None, tmp_path: Path) -> None:
    options: dict[str, Any] = {"papers": 2_000, "plugins": [toys, Asks]}
    planned = revkit.plan(spec({}), **options)
    assert (planned.papers, planned.variants, planned.reviews) == (2_000, 4_000, 12_000)
    found = revkit.forecast(spec({}), store=tmp_path / "s.db", **options)
    assert found is not None
    assert (found.sampled, found.calls) == (20, 12_000)
    assert not (tmp_path / "s.db").exists()


def test_repeated_requests_and_a_small_budget_are_stated(no_plugins: None) -> None:
    prices = {"usd-per-million-input": 0.0, "usd-per-million-output": 10.0}
    for usd, short in ((0.1, True), (0.2, False)):
        found = revkit.forecast({**spec(prices), "budget": {"usd": usd}}, plugins=[toys, Asks])
        assert found is not None
        text = found.text()
        assert "US dollars    at most 0.18\nwith repeats  about 0.36 US dollars" in text
        assert ("this may not be enough (US dollars)" in text) == short


def test_the_most_that_it_costs(no_plugins: None) -> None:
    prices = {"usd-per-million-input": 0.0, "usd-per-million-output": 10.0}
    found = revkit.forecast(spec(prices), plugins=[toys, Asks])
    assert found is not None
    assert found.most_usd is not None
    assert abs(found.most_usd - 0.18) < 1e-9  # 18,000 reply tokens at 10 dollars a million
    assert "at most 0.18" in found.text()


def test_without_a_model_there_is_nothing_to_tell(no_plugins: None) -> None:
    plain = spec({})
    plain["agents"] = {"a": "toy-length"}
    assert revkit.forecast(plain, plugins=[toys]) is None


@dataclass(frozen=True)
class Writes(revkit.Perturbation):
    """Asks a model twice for each variant."""

    name: ClassVar[str] = "writes"
    uses: ClassVar[tuple[Any, ...]] = ("llm",)

    def models(self) -> tuple[str, ...]:
        return ("openai/none",)

    def perturb(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Rejection:
        for word in ("one", "two"):
            question = revkit.Message("user", word)
            ctx.complete(
                revkit.ModelRequest("openai/none", (question,), parameters={"max_tokens": 10})
            )
        return revkit.Rejection("no")


def test_variants_that_a_model_writes_are_counted(no_plugins: None) -> None:
    prices = {"usd-per-million-input": 0.0, "usd-per-million-output": 10.0}
    written = spec(prices)
    written["perturbations"]["written"] = {"use": "writes", "variants": 3}
    found = revkit.forecast(written, plugins=[toys, Asks, Writes])
    assert found is not None
    # Reviews: 30 papers x (1 + 2 + 3) texts x 2 repeats. Variants: 30 papers x 3 x 2 calls.
    assert found.calls == 360 + 180
    assert found.most_reply_tokens == 36_000 + 1_800
    assert found.most_usd is not None
    assert abs(found.most_usd - 0.378) < 1e-9
    written["agents"] = {"a": "toy-length"}
    alone = revkit.forecast(written, plugins=[toys, Writes])
    assert alone is not None
    assert alone.calls == 180


@dataclass(frozen=True)
class Looks(Asks):
    """Looks for literature, asks once for each work it finds, and judges with one call."""

    name: ClassVar[str] = "looks"
    uses: ClassVar[tuple[Any, ...]] = ("llm", "searcher")

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        works = ctx.search(paper.title, 3)
        assert not isinstance(works, revkit.Failure)
        return [super(Looks, self).review(paper, ctx) for _ in works][-1]


@dataclass(frozen=True)
class Nothing(revkit.Searcher):
    """May not be asked by a forecast."""

    name: ClassVar[str] = "nothing"

    def search(self, query: str, limit: int, ctx: revkit.Context) -> Any:
        raise AssertionError


@dataclass(frozen=True)
class Screens(revkit.Defense):
    """Asks a model once for each text."""

    name: ClassVar[str] = "screens"
    uses: ClassVar[tuple[Any, ...]] = ("llm",)

    def screen(self, paper: revkit.Paper, ctx: revkit.Context) -> Any:
        Asks().review(paper, ctx)
        return []


@dataclass(frozen=True)
class Borrows(Writes):
    """Asks as often as `Writes`, about another paper of the corpus."""

    name: ClassVar[str] = "borrows"
    uses: ClassVar[tuple[Any, ...]] = ("llm", "corpus")

    def perturb(self, paper: revkit.Paper, ctx: revkit.Context) -> Any:
        return super().perturb(ctx.peers()[-1].paper, ctx)


def test_literature_peers_and_screens_are_counted_without_being_asked(no_plugins: None) -> None:
    given = spec({})
    given["agents"] = {"a": {"use": "looks", "defenses": ["screens"]}}
    given["perturbations"] = {"b": "borrows"}
    given["services"]["searcher"] = "nothing"
    found = revkit.forecast(given, plugins=[toys, Looks, Nothing, Screens, Borrows])
    assert found is not None
    # 30 papers x 2 texts x 2 repeats x (1 screen + 3 works), and 30 variants of two calls.
    assert found.calls == 30 * 2 * 2 * 4 + 30 * 2


@dataclass(frozen=True)
class Uncounted(toys.ToyPapers):
    """Does not know its size, or tells it wrongly."""

    name: ClassVar[str] = "uncounted"
    how: str = revkit.option("none", help="What it says.")

    def count(self) -> Any:
        return {"none": None, "text": "5", "bool": True, "below": -1}[self.how]


@dataclass(frozen=True)
class Slope(revkit.Calibrator):
    """Fits nothing."""

    name: ClassVar[str] = "slope"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize("how", ["none", "text", "bool", "below", "raises"])
def test_what_a_corpus_does_not_tell_is_not_guessed(no_plugins: None, how: str) -> None:
    odd = {"use": "uncounted", "with": {"how": how}}
    plugins = [toys, Asks, Uncounted, Slope]
    bank = {**spec({}), "calibration": {"anchors": odd, "maps": {"m": "slope"}}}
    assert revkit.plan(bank, plugins=plugins).anchors is None
    assert revkit.plan({**spec({}), "corpus": odd}, plugins=plugins).papers is None
    for given in (bank, {**spec({}), "corpus": odd}):
        found = revkit.forecast(given, plugins=plugins)
        assert found is not None
        assert found.calls is None
        assert "unknown before the corpus is read" in found.text()


@dataclass(frozen=True)
class Expects(Asks):
    """Cannot go on from an empty reply."""

    name: ClassVar[str] = "expects"

    def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
        super().review(paper, ctx)
        raise KeyError("score")


def test_an_agent_that_crashes_on_the_stand_in_leaves_no_number(no_plugins: None) -> None:
    found = revkit.forecast({**spec({}), "agents": {"a": "expects"}}, plugins=[toys, Expects])
    assert found is not None
    assert (found.calls, found.most_usd) == (None, None)
    assert "unknown (KeyError with a simulated model)" in found.text()


def test_a_prompt_that_does_not_fit_is_not_counted_and_what_follows_is(no_plugins: None) -> None:
    """The gateway does not send it, and the agent goes on as it would."""

    @dataclass(frozen=True)
    class Cuts(Asks):
        """Asks with half of its question where the whole does not fit."""

        name: ClassVar[str] = "cuts"

        def review(self, paper: revkit.Paper, ctx: revkit.Context) -> revkit.Outcome:
            for size in (40_000, 10_000):
                question = revkit.Message("user", "x" * size)
                reply = ctx.complete(
                    revkit.ModelRequest("openai/none", (question,), parameters={"max_tokens": 100})
                )
                if not isinstance(reply, revkit.Failure):
                    return revkit.Review(score=5)
                assert reply.kind == "context"
            return cast(Any, reply)

    found = revkit.forecast({**spec({}), "agents": {"a": "cuts"}}, plugins=[toys, Cuts])
    assert found is not None
    # 180 reviews of 10,000 characters: 2,857 tokens and 8 around them.
    assert (found.calls, found.prompt_tokens) == (180, 180 * 2866)


def test_a_forecast_in_one_line() -> None:
    found = Forecast(3, 1_200, 5_000, 900, 0.5)
    assert found.short() == "model calls 1,200, US dollars at most 0.50"
    assert Forecast(3, 7, 1, 1, None).short().endswith("unknown (no price for a model)")
