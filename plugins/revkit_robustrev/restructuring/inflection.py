"""Forms of verbs, from the tables of lemminflect; None where the table is silent."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2_000)
def _form(lemma: str, tag: str) -> str | None:
    from lemminflect import getInflection

    found = getInflection(lemma, tag=tag, inflect_oov=False)
    return found[0] if found else None


def participle(lemma: str) -> str | None:
    """The past participle: "train" -> "trained"."""
    return _form(lemma, "VBN")


def gerund(lemma: str) -> str | None:
    """The form in -ing: "use" -> "using"."""
    return _form(lemma, "VBG")


def finite_form(lemma: str, plural: bool, past: bool) -> str | None:
    """The finite form of the third person."""
    return _form(lemma, "VBD" if past else "VBP" if plural else "VBZ")
