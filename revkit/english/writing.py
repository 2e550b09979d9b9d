"""What generated text needs: capital letters, lists of names, and templates with slots."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

_SLOT = re.compile(r"\{(\w+)\}")


def capitalise(text: str) -> str:
    """``text`` with a capital letter at its start; the rest stays, unlike with `str.capitalize`."""
    return text[:1].upper() + text[1:]


def headline(text: str, small: Collection[str] = (), *, first: bool = False) -> str:
    """``text`` with a capital at each word, except for the words in ``small``.

    ``first``: the first word gets a capital even where it is one of ``small``.
    """
    words = text.split()
    return " ".join(
        word if word in small and not (first and place == 0) else capitalise(word)
        for place, word in enumerate(words)
    )


def enumerate_names(names: Sequence[str]) -> str:
    """Names in a sentence, with a comma before "and": "a", "a and b", "a, b, and c"."""
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + f", and {names[-1]}"


def fill_slots(template: str, values: Mapping[str, str]) -> str:
    """``template`` with each ``{name}`` replaced by its value, in one pass: a brace in a value
    stays. Raises `KeyError` for a name without a value.
    """
    return _SLOT.sub(lambda match: values[match[1]], template)
