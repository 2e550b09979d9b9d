"""The rules of spaCy's attribute ruler, looked up by tag and word.

The ruler sets parts of speech and lemmas by some 180 patterns of one or two tokens. Its matcher
tries each pattern at each token, which takes a sixth of the time of a parse. Here a token is
compared only with the patterns that require its tag or its word; the matches are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

_ATTRIBUTES = {"TAG": "tag_", "LOWER": "lower_", "DEP": "dep_", "IS_SPACE": "is_space"}
_TESTS: Mapping[str, Callable[[Any], Callable[[Any], object]]] = {
    "IN": lambda values: frozenset(values).__contains__,
    "NOT_IN": lambda values: lambda own: own not in values,
    "REGEX": lambda pattern: re.compile(pattern).search,
}
_Pattern = Sequence[Mapping[str, Any]]
# What else is tested: the place of the token in the pattern, its attribute, the test.
_Tests = Sequence[tuple[int, str, Callable[[Any], object]]]
# The number of the rule, the length of its pattern in tokens, and the tests.
_Rule = tuple[int, int, _Tests]


def index_rules(ruler: Any) -> None:
    """Let ``ruler``, an ``AttributeRuler``, look up its patterns. One with a pattern of another
    form keeps the matcher of spaCy.
    """
    patterns = [
        (number, pattern)
        for number, rule in enumerate(ruler.patterns)
        for pattern in rule["patterns"]
    ]
    if all(_is_known(pattern) for _, pattern in patterns):
        names = {number: ruler.vocab.strings[str(number)] for number, _ in patterns}
        ruler.match = _Index(patterns, names).match


def _is_known(pattern: _Pattern) -> bool:
    return bool(pattern) and all(
        key in _ATTRIBUTES
        and (not isinstance(value, dict) or (len(value) == 1 and {*value} <= {*_TESTS}))
        for token in pattern
        for key, value in token.items()
    )


class _Index:
    """Patterns by the tag and the word that they require of their first token, None for any."""

    def __init__(self, patterns: Iterable[tuple[int, _Pattern]], names: Mapping[int, int]) -> None:
        self._names = names
        self._rules: dict[tuple[str | None, str | None], list[_Rule]] = {}
        self._rules_of = cache(self._all_rules)
        for number, pattern in patterns:
            for tag in _required(pattern[0].get("TAG")):
                for word in _required(pattern[0].get("LOWER")):
                    found = {"TAG": tag, "LOWER": word}
                    tests = [
                        (place, _ATTRIBUTES[key], _test(value))
                        for place, token in enumerate(pattern)
                        for key, value in token.items()
                        if place or found.get(key) is None
                    ]
                    rules = self._rules.setdefault((tag, word), [])
                    rules.append((number, len(pattern), tests))
        self._words = {word: word for _, word in self._rules}

    def match(self, document: Iterable[Any]) -> list[tuple[int, int, int, int]]:
        """Return the matches as ``AttributeRuler.match`` does: the number of the rule, its name in
        the vocabulary, the first token and the one after the last; later rules last.
        """
        found = []
        tokens = list(document)
        for start, first in enumerate(tokens):
            rules = self._rules_of(first.tag_, self._words.get(first.lower_))
            for number, length, tests in rules:
                end = start + length
                if end <= len(tokens) and all(
                    test(getattr(tokens[start + place], name)) for place, name, test in tests
                ):
                    found.append((number, self._names[number], start, end))
        return sorted(found)

    def _all_rules(self, tag: str, word: str | None) -> list[_Rule]:
        """The rules for a token with ``tag`` and ``word``, which is None if no rule names it."""
        keys = {(tag, word), (tag, None), (None, word), (None, None)}
        return [rule for key in keys for rule in self._rules.get(key, ())]


def _test(value: Any) -> Callable[[Any], object]:
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        return _TESTS[kind](content)
    return lambda own: own == value


def _required(value: Any) -> Iterable[str | None]:
    if isinstance(value, dict):
        return value.get("IN", (None,))  # type: ignore[no-any-return]
    return (value,)
