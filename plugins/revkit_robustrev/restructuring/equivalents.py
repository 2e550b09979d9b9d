"""The words by which the operations replace each other, for the meaning gate."""

from __future__ import annotations

from collections.abc import Iterator

from revkit_robustrev.restructuring.expressions import LIGHT_VERBS, VERBAL_NOUNS
from revkit_robustrev.restructuring.phrases import NOMINAL

_PLAIN = (
    ("using", "means"), ("allow", "possible"), ("enable", "possible"),
    ("can", "possible"), ("can", "able"), ("order", "to"), ("when", "cases"), ("when", "case"),
)  # fmt: skip


def equivalents() -> Iterator[tuple[str, str]]:
    """Pairs of words of which an operation writes one where the other was."""
    yield from _PLAIN
    yield from NOMINAL.items()
    yield from VERBAL_NOUNS.items()
    for verb, (light, noun) in LIGHT_VERBS.items():
        for word in (*light.split(), *noun.split()):
            yield verb, word
