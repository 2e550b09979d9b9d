"""Help functions for generated text: capital letters, lists of names, and templates with slots."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

_SLOT = re.compile(r"\{(\w+)\}")


def capitalise(text: str) -> str:
    """Return ``text`` with a capital letter at its start; unlike `str.capitalize`, the rest is
    unchanged.
    """
    return text[:1].upper() + text[1:]


def capitalise_as(text: str, old: str) -> str:
    """Return ``text``, which replaces ``old``, with a capital letter at its start if ``old`` has
    one.
    """
    return capitalise(text) if old[:1].isupper() else text


def headline(text: str, small: Collection[str] = (), *, first: bool = False) -> str:
    """Return ``text`` with a capital letter in each word, except the words in ``small``.

    ``first``: the first word gets a capital even where it is one of ``small``.
    """
    words = text.split()
    return " ".join(
        word if word in small and not (first and place == 0) else capitalise(word)
        for place, word in enumerate(words)
    )


def enumerate_names(names: Sequence[str]) -> str:
    """Join names as in a sentence, with a comma before "and": "a", "a and b", "a, b, and c"."""
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + f", and {names[-1]}"


def fill_slots(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with each ``{name}`` replaced by its value, in one pass: braces in a
    value are kept. Raises `KeyError` for a name without a value.
    """
    return _SLOT.sub(lambda match: values[match[1]], template)
