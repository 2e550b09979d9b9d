"""Truncation: detect prompts that a server cut silently, from its token counts.

Local servers drop what does not fit their window, answer, and count the tokens that they kept. A
tokenizer joins no words over a blank, so the words of a prompt bound its tokens from below. Where a
script writes no blanks, the bound is by characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.model.words import most_runs
from revkit.services.llm.prices import ModelFacts, estimate_tokens
from revkit.services.llm.transport import Answer

# Scripts without blanks, and the characters of them that a token holds at most on the mean. Words
# of running text have 1.5 to 2.5 characters in Chinese and Japanese, and 4 to 5 (with their marks)
# in Thai, Lao, Khmer and Burmese. Few tokens are longer than a word; the bounds allow twice that.
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_SOUTH_EAST = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")
_CJK_PER_TOKEN = 4
_SOUTH_EAST_PER_TOKEN = 8
# No server has a window this small: a lower count of such a prompt is an odd number and no cut.
_LEAST_WORDS = 128
# Prompts whose lengths differ by less may well have the same number of tokens.
_CLEARLY = 1.05
_LEAST_PROMPTS = 3


def fewest_tokens(texts: Iterable[str]) -> int:
    """Return the fewest tokens that ``texts`` can have: one for each word with a letter or digit in
    it, or one for 4 characters (Chinese, Japanese) or 8 (Thai, Lao, Khmer, Burmese), if that is
    more.
    """
    return sum(_fewest(text) for text in texts)


def _bound(text: str) -> int:
    """Return an upper bound of `_fewest`, computed in a small part of its time: most counts of
    servers exceed it.
    """
    words = most_runs(text)
    if text.isascii():
        return words
    # Every character of a script without blanks has two bytes more than one.
    return max(words, (len(text.encode("utf-8", "surrogatepass")) - len(text)) // 8)


def _fewest(text: str) -> int:
    words = sum(any(map(str.isalnum, word)) for word in text.split())
    if text.isascii():
        return words
    unspaced = len(_CJK.findall(text)) // _CJK_PER_TOKEN
    return max(words, unspaced + len(_SOUTH_EAST.findall(text)) // _SOUTH_EAST_PER_TOKEN)


def read_tokens(answer: Answer, *, marked: bool) -> int | None:
    """Return the maximum number of prompt tokens that the server can have read: counted tokens and
    tokens from its cache, which some servers count separately.

    None where nothing follows from its count: it gave none, or the prompt was sent with cache marks
    (``marked``) and what came from the cache was not counted.
    """
    if not answer.prompt_tokens or (marked and answer.cached_tokens is None):
        return None
    return answer.prompt_tokens + (answer.cached_tokens or 0) + answer.written_tokens


def cut_reason(
    answer: Answer, texts: Sequence[str], facts: ModelFacts, reply: int, *, marked: bool
) -> str:
    """Return why the server cannot have read all of ``texts``, or "".

    It read fewer tokens than the prompt has words, or exactly as many as a server keeps that cuts
    at the known window: the window, the window without the longest ``reply``, or half of it. An
    uncut prompt has one of these lengths by chance about once in as many prompts as the window has
    tokens.
    """
    most = read_tokens(answer, marked=marked)
    if most is None:
        return ""
    fewest = fewest_tokens(texts) if most < sum(map(_bound, texts)) else 0
    if most < fewest and fewest >= _LEAST_WORDS:
        return (
            f"the server read {most} tokens of a prompt of {fewest} or more: it cut the prompt, or "
            "does not count cached tokens; give the server a larger window"
        )
    if _at_edge({answer.prompt_tokens or 0, most}, facts.window or 0, reply, texts):
        return (
            f"the server read {most} tokens, exactly the length to which it cuts prompts that "
            f"exceed the window of {facts.window} tokens; give the server a larger window"
        )
    return ""


def _at_edge(counts: set[int], window: int, reply: int, texts: Sequence[str]) -> bool:
    """Return whether one of ``counts`` is the length to which a server cuts a longer prompt; texts
    that are too short for that, by a high estimate, were not cut there.
    """
    edges = {window, window - reply, window // 2} & counts
    return bool(edges) and estimate_tokens(texts) >= min(edges)


@dataclass(frozen=True, slots=True)
class EqualCounts:
    """Prompts of ``model`` with clearly different lengths but the same count of ``tokens`` tokens:
    their number, and the characters of the shortest and the longest.
    """

    model: str
    tokens: int
    prompts: int
    shortest: int
    longest: int


@dataclass
class CountLog:
    """The largest token count that one model returned, and the lengths of the prompts with this
    count. A server that cuts prompts counts none higher than its limit, so equal counts below the
    largest one are chance.
    """

    tokens: int = 0
    lengths: set[int] = field(default_factory=set)
    prompts: int = 0

    def add(self, tokens: int, length: int) -> None:
        """Record a prompt of ``length`` characters that was counted as ``tokens``."""
        if tokens > self.tokens:
            self.tokens, self.prompts = tokens, 0
            self.lengths.clear()
        if tokens == self.tokens:
            self.prompts += 1
            self.lengths.add(length)

    def equal_counts(self, model: str) -> EqualCounts | None:
        """Return the finding on ``model``; None if fewer than three clearly different lengths (by
        more than 5 %) had equal counts.
        """
        different = 0
        last = 0.0
        for length in sorted(self.lengths):
            if length > last * _CLEARLY:
                different, last = different + 1, length
        if different < _LEAST_PROMPTS:
            return None
        return EqualCounts(model, self.tokens, self.prompts, min(self.lengths), max(self.lengths))
