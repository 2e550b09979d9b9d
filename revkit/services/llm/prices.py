"""Context windows and prices of models, and token estimates, without a call and without litellm.

litellm ships a list of models as a JSON file; it is read as data, because importing litellm takes
seconds.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.http import read_count, read_number
from revkit.model.values import Json
from revkit.model_settings import ModelSettings

_LIST = "model_prices_and_context_window_backup.json"
_BYTES_PER_TOKEN = 3.5
_TOKENS_PER_MESSAGE = 8
# Where neither request nor list bounds the reply, this many tokens are reserved for it.
UNBOUNDED_REPLY = 4096


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Facts about a model: its window and longest reply in tokens, prices in US dollars a token;
    None if unknown. ``levels`` contains higher prices from a size of prompt on.
    ``window_holds_reply`` states whether the reply must fit into the window too, and ``flat`` that
    all tokens of a prompt cost the same (prices set by the user).
    """

    window: int | None = None
    window_holds_reply: bool = False
    longest_reply: int | None = None
    input_price: float | None = None
    output_price: float | None = None
    cached_price: float | None = None
    written_price: float | None = None
    flat: bool = False
    levels: tuple[tuple[int, float, float], ...] = ()
    batch_prices: tuple[float | None, float | None, float | None] = (None, None, None)

    def in_batches(self, share: float) -> ModelFacts:
        """Return the facts with the prices of calls in batches: those of the list or, if it has
        none for prompts and replies, ``share`` of the prices of single calls.

        Higher prices for long prompts are multiplied by the same number.
        """
        if self.input_price is None or self.output_price is None:
            return self
        price_in, price_out, cached = self.batch_prices
        if price_in is None or price_out is None:
            price_in, price_out, cached = self.input_price * share, self.output_price * share, None
        lower = price_in / self.input_price if self.input_price else share
        if cached is None and self.cached_price is not None:
            # No provider reads its cache in a batch at a higher price than in a call.
            cached = self.cached_price
        return replace(
            self,
            input_price=price_in,
            output_price=price_out,
            cached_price=cached,
            written_price=None if self.written_price is None else self.written_price * lower,
            levels=tuple((size, one * lower, two * lower) for size, one, two in self.levels),
        )

    def usd(
        self, prompt: int | None, reply: int | None, cached: int = 0, written: int = 0
    ) -> float | None:
        """Return the price of one call; None if a price or a count is unknown. ``cached`` tokens of
        the prompt were read from the provider's cache, ``written`` ones were written to it.
        """
        if self.input_price is None or self.output_price is None:
            return None
        if prompt is None or reply is None:
            return None
        price_in, price_out = self.input_price, self.output_price
        for size, dearer_in, dearer_out in self.levels:
            if prompt > size:
                price_in, price_out = dearer_in, dearer_out
        cached = min(cached, prompt)
        written = min(written, prompt - cached)
        if written and self.written_price is None and not self.flat:
            return None
        price_cached = price_in if self.cached_price is None else min(self.cached_price, price_in)
        price_written = price_in
        if self.written_price is not None and self.input_price:
            price_written = self.written_price * price_in / self.input_price
        plain = prompt - cached - written
        return read_number(
            plain * price_in + cached * price_cached + written * price_written + reply * price_out
        )

    @property
    def knows_writing(self) -> bool:
        """Return whether the price of writing to a cache is known if that of reading a prompt is
        known.
        """
        return self.input_price is None or self.flat or self.written_price is not None

    def overflow(self, prompt: int, reply: int) -> str:
        """Return why an estimated ``prompt`` does not fit, or ""; ``reply`` is the longest wanted
        reply.
        """
        needed = prompt + (reply if self.window_holds_reply else 0)
        if self.window is None or needed <= self.window:
            return ""
        beside = f" and {reply} of reply" if self.window_holds_reply and reply else ""
        return (
            f"about {prompt} tokens of prompt{beside} do not fit the window of {self.window} tokens"
        )


def facts_of(model: str, settings: ModelSettings) -> ModelFacts:
    """Return the facts about ``model`` in settings and litellm's list.

    A model behind a base URL of one's own is not the one in the list: its name says nothing of its
    window or price there.
    """
    facts = ModelFacts() if settings.base_url is not None else _facts_in_list(model)
    if settings.context_window is not None:
        facts = replace(facts, window=settings.context_window, window_holds_reply=True)
    price_in, price_out = settings.usd_per_million_input, settings.usd_per_million_output
    if price_in is None or price_out is None:
        return facts
    return replace(
        facts,
        input_price=price_in / 1e6,
        output_price=price_out / 1e6,
        cached_price=None,
        written_price=None,
        flat=True,
        levels=(),
        batch_prices=(None, None, None),
    )


def most_reply(parameters: Mapping[str, Json], facts: ModelFacts) -> int:
    """Return the longest reply in tokens that ``parameters`` allow, or else the model, or else
    4096.
    """
    value = asked_reply(parameters)
    if value is not None:
        return value
    return min(UNBOUNDED_REPLY, facts.longest_reply or UNBOUNDED_REPLY)


def asked_reply(parameters: Mapping[str, Json]) -> int | None:
    """Return the longest reply that ``parameters`` name; None if they name none."""
    for name in ("max_completion_tokens", "max_tokens"):
        value = parameters.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def estimate_tokens(texts: Iterable[str]) -> int:
    """Estimate the tokens of messages, rather too high: one for each 3.5 bytes of UTF-8, and 8 for
    each message. English prose has 4 to 5 bytes a token, LaTeX source about 3.5.
    """
    total = 0.0
    for text in texts:
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        total += size / _BYTES_PER_TOKEN + _TOKENS_PER_MESSAGE
    return int(total) + 1


@functools.cache
def _models() -> Mapping[str, Mapping[str, Any]]:
    spec = importlib.util.find_spec("litellm")  # finds the folder, imports nothing
    if spec is None or spec.origin is None:
        return {}
    try:
        found = json.loads((Path(spec.origin).parent / _LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _facts_in_list(model: str) -> ModelFacts:
    models = _models()
    entry = models.get(model)
    if entry is None:
        provider, _, name = model.partition("/")
        other = models.get(name, {})
        # Many names of the list lack their provider; it must then be the one that was asked for.
        entry = other if other.get("litellm_provider") == provider else {}
    levels = []
    for key, value in entry.items():
        prefix, suffix = "input_cost_per_token_above_", "k_tokens"
        if key.startswith(prefix) and key.endswith(suffix):
            size = key[len(prefix) : -len(suffix)]
            dearer_out = _price(entry.get(f"output_cost_per_token_above_{size}k_tokens"))
            dearer_in = _price(value)
            if size.isdigit() and dearer_in is not None and dearer_out is not None:
                levels.append((int(size) * 1000, dearer_in, dearer_out))
    return ModelFacts(
        window=read_count(entry.get("max_input_tokens") or entry.get("max_tokens")) or None,
        longest_reply=read_count(entry.get("max_output_tokens")) or None,
        input_price=_price(entry.get("input_cost_per_token")),
        output_price=_price(entry.get("output_cost_per_token")),
        cached_price=_price(entry.get("cache_read_input_token_cost")),
        written_price=_price(entry.get("cache_creation_input_token_cost")),
        batch_prices=(
            _price(entry.get("input_cost_per_token_batches")),
            _price(entry.get("output_cost_per_token_batches")),
            _price(entry.get("cache_read_input_token_cost_batches")),
        ),
        levels=tuple(sorted(levels)),
    )


def _price(value: Any) -> float | None:
    number = read_number(value)
    return number if number is not None and number >= 0 else None
