"""The input of the measures: sentences as sets of word stems, the question, and the sources.

A stem is a word in lower case without a plural s, cut to six letters, so "inflammation" and
"inflammatory" have one stem. That is crude but fast, and needs only a short list of function words.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit_yescieval.judges.register import points

_WORD = re.compile(r"[^\W\d_](?:\w|['’-](?=\w)){0,60}")
_CUT = 6
_CHATTY = 3
_LONGEST = 1_000
_SMALL_START = re.compile(r"(?<=[.!?)\]])\s{1,20}(?=[a-z#@:])")
_COMMON_WORDS = Path(__file__).parent / "common_words.txt"


@functools.cache
def _common() -> frozenset[str]:
    rows = _COMMON_WORDS.read_text(encoding="utf-8").splitlines()
    return frozenset(word for row in rows if not row.startswith("#") for word in row.split())


def words_of(text: str) -> list[str]:
    """Return the words of ``text`` as written, with their inner hyphens and apostrophes."""
    return _WORD.findall(text)


def stems_of(text: str) -> list[str]:
    """Return the stems of the content words of ``text``, in order, repeats included."""
    common = _common()
    words = (word.lower().replace("’", "'").removesuffix("'s") for word in words_of(text))
    return [_stem(word) for word in words if len(word) > 1 and word not in common]


def _stem(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:_CUT]


@functools.lru_cache(maxsize=1024)
def _stem_counts(text: str) -> Counter[str]:
    """Return the stems of a source with their counts; cached, because variants share their
    sources.
    """
    return Counter(stems_of(text))


@dataclass(frozen=True)
class Line:
    """One sentence: its text, and the set of its content stems."""

    text: str
    stems: frozenset[str]


@dataclass(frozen=True)
class SynthesisReading:
    """The parts of a judged text."""

    paper: Paper

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The sentences in order, without those that have no content word."""
        text = self.paper.text
        sentences = (text[each.start : each.end] for each in self.paper.sentences)
        parts = (part for each in sentences for part in _without_chat(each))
        lines = (Line(each, frozenset(stems_of(each))) for each in parts)
        return tuple(line for line in lines if line.stems)

    @cached_property
    def question(self) -> frozenset[str]:
        """The stems of the question that the text answers."""
        questions = (each.text for each in self.paper.materials if each.role == "question")
        return frozenset(stem for text in questions for stem in stems_of(text))

    @cached_property
    def sources(self) -> tuple[Counter[str], ...]:
        """The stems of each source with their counts, its title included."""
        return tuple(
            _stem_counts(f"{each.title}\n{each.text}")
            for each in self.paper.materials
            if each.role == "source"
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """All stems of the question and the sources."""
        return self.question.union(*self.sources)

    @cached_property
    def echo(self) -> tuple[float, ...]:
        """The share of each line's stems that another line contains as well."""
        counts = Counter(stem for line in self.lines for stem in line.stems)
        return tuple(
            sum(counts[stem] > 1 for stem in line.stems) / len(line.stems) for line in self.lines
        )


def _without_chat(sentence: str) -> list[str]:
    """Return a sentence and the chat after it, which begins with a lower-case letter and was
    therefore parsed as part of it; else the sentence alone. A sentence of more than `_LONGEST`
    characters is left alone, because the time grows with the square of its length.
    """
    if len(sentence) > _LONGEST:
        return [sentence]
    for match in _SMALL_START.finditer(sentence):
        head, tail = sentence[: match.start()], sentence[match.end() :]
        if points(tail) >= _CHATTY and not points(head):
            return [head, tail]
    return [sentence]


def inside(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return the share of ``part`` that ``whole`` contains."""
    return len(part & whole) / len(part) if part else 0.0


def level(value: float, cuts: Sequence[float]) -> int:
    """Return 1 plus the number of ``cuts`` (ascending) that ``value`` reaches."""
    return 1 + sum(value >= cut for cut in cuts)
