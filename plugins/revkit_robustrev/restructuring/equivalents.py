"""The words by which the operations replace each other, for the meaning gate."""

from __future__ import annotations

from collections.abc import Iterator

from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.expressions import VERBAL_NOUNS
from revkit_robustrev.restructuring.manners import PHRASES
from revkit_robustrev.restructuring.phrases import NOMINAL
from revkit_robustrev.restructuring.predicates import (
    DEGREES,
    PASSIVE_NOUNS,
    PREDICATES,
    VERB_NOUNS,
)

_PLAIN = (
    ("using", "means"), ("allow", "possible"), ("enable", "possible"),
    ("can", "possible"), ("can", "able"), ("capable", "able"),
    ("outperform", "perform"), ("outperform", "better"),
    ("order", "to"), ("when", "cases"), ("when", "case"),
    ("if", "cases"), ("must", "necessary"), ("need", "necessary"), ("exist", "are"),
    ("w.r.t", "respect"), ("define", "definition"), ("examine", "examination"),
    ("study", "study"), ("compare", "comparison"), ("assess", "assessment"),
    ("answer", "answer"), ("access", "access"), ("update", "update"), ("update", "perform"),
    ("normalize", "normalization"), ("regularize", "regularization"),
    ("modify", "modification"),
)  # fmt: skip

# What an operation or a row of the table writes beside what it keeps: it says nothing by itself.
_LIGHT = words(
    "manner way fact facts purpose contain conduct obtain carry put example instance design come"
    " make give provide lead apply perform gain take place matter times try attempt represent"
    " conclude conclusion question point view order necessary possible reason term terms course"
    " exist extent help means case cases state consequence account involve find present specific"
    " step sake see"
)


def equivalents() -> Iterator[tuple[str, str]]:
    """Pairs of words of which an operation writes one where the other was; "" where there was
    none."""
    for word in sorted(_LIGHT):
        yield word, ""
    yield from _PLAIN
    yield from NOMINAL.items()
    yield from VERBAL_NOUNS.items()
    yield from DEGREES.items()
    yield from VERB_NOUNS.items()
    for verb, light in PREDICATES.items():
        for word in (*light.verb.split(), light.noun):
            yield verb, word
    for verb, (noun, done) in PASSIVE_NOUNS.items():
        for word in (noun, *done.split()):
            yield verb, word
    for adverb, phrase in PHRASES.items():
        yield adverb, phrase.split()[-2] if len(phrase.split()) > 2 else phrase.split()[-1]
