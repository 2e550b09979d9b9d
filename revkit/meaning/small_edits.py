"""Rules for small edits: if most of a sentence is unchanged, the new words must be known to be
harmless.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set as AbstractSet
from functools import cache

from revkit import english
from revkit.english import function_words, quantities
from revkit.grammar import Parse
from revkit.meaning.change import MeaningChange
from revkit.meaning.words import (
    Word,
    Words,
    family,
    generic_families,
    related,
    small_edit,
    unmatched,
)

_REACH = 2  # words above a term that are compared
Parses = tuple[Parse, Parse]  # of the old sentence and of the new one
Synonyms = AbstractSet[tuple[str, str]]


def word_changes(old: Words, new: Words, synonyms: Synonyms) -> list[MeaningChange]:
    """Return content words that a small edit added or removed and that have no related word or
    synonym on the other side. For a free rewording the list is empty, because other words are
    expected there.
    """
    if not small_edit(old, new):
        return []
    lost, gained = unmatched(old.content, new.content), unmatched(new.content, old.content)
    found = [
        MeaningChange("word", f"lost {word.lower}")
        for word in lost
        if not _explained(word, [*gained, *_fresh(new, old)], synonyms, new)
    ]
    return found + [
        MeaningChange("word", f"gained {word.lower}")
        for word in gained
        if not _explained(word, [*lost, *_fresh(old, new)], synonyms, old)
    ]


def _fresh(words: Words, others: Words) -> list[Word]:
    """The words of one sentence that the other does not have at all, words of grammar too."""
    known = frozenset(word.family for word in others.all)
    return [word for word in words.all if word.family not in known]


@cache
def _common() -> Synonyms:
    """The pairs of families that may replace one another, whatever the subject."""
    return frozenset(
        (family(one), family(other))
        for group in english.synonyms()
        for one in group
        for other in group
        if one != other
    )


def _explained(word: Word, others: list[Word], synonyms: Synonyms, sentence: Words) -> bool:
    """Whether a relative or a synonym came or went for ``word``, or it says nothing by itself (its
    synonym is ""); a form of a word of grammar that
    ``sentence`` has ("take", "taking") is a relative too."""
    if (word.family, "") in synonyms:
        return True
    return any(
        (word.family, other.family) in synonyms
        or (word.family, other.family) in _common()
        or related(word.family, other.family)
        for other in others
    ) or any(word.family == other.family for other in sentence.all if not other.content)


def term_changes(old: Words, new: Words, parses: Parses, synonyms: Synonyms) -> list[MeaningChange]:
    """Return nouns of the subject that replaced a noun or an adjective of the subject: a rewording
    may use other verbs and generic nouns, but must keep the terms.
    """
    before, after = ({family(token.lower): token.pos for token in parse.tokens} for parse in parses)
    lost = {
        word.family
        for word in unmatched(old.content, new.content)
        if before.get(word.family) in ("NOUN", "PROPN", "ADJ")
        and word.family not in generic_families()
    }
    known = _forms(old)
    gained = {
        word.family
        for word in unmatched(new.content, old.content)
        if after.get(word.family) in ("NOUN", "PROPN")
        and word.family not in generic_families()
        and not known & {word.lower, word.lower.removesuffix("s"), word.family}
    }
    if not lost:
        return []
    places = None if small_edit(old, new) else [_places(parse) for parse in parses]
    return [
        MeaningChange("word", f"gained {term}")
        for term in sorted(gained)
        if not any((term, word) in synonyms or (term, word) in _common() for word in lost)
        and (
            places is None
            or any(places[0].get(word, set()) & places[1].get(term, set()) for word in lost)
        )
    ]


def _places(parse: Parse) -> dict[str, set[str]]:
    """Return, for each word, the next words above it in the parse, without prepositions."""
    found: dict[str, set[str]] = {}
    for token in parse.tokens:
        above = found.setdefault(family(token.lower), set())
        steps = 0
        while token.head != token.index and steps < _REACH:
            token = parse.tokens[token.head]
            if token.dep != "prep" and token.pos != "ADP":
                above.add(family(token.lower))
                steps += 1
    return found


def _forms(words: Words) -> set[str]:
    """Return the words of a sentence, without a plural "s", and the parts of its compounds."""
    parts = {part for word in words.lowers for part in (word, *word.split("-"))}
    return {form for part in parts for form in (part, part.removesuffix("s"), family(part))}


def modifier_changes(
    old: Words, new: Words, parses: Parses, synonyms: Synonyms
) -> list[MeaningChange]:
    """Return attributes that replaced each other at one noun: "real samples" became "noisy
    samples".

    The lost one is nowhere in the new sentence, the new one nowhere in the old sentence.
    """
    before, after = (_attributes(parse) for parse in parses)
    known, left = _forms(old), _forms(new)
    found = []
    for noun in sorted(before.keys() & after.keys()):
        lost = sorted(word for word in before[noun] if not _stated(word, new, left))
        gained = sorted(word for word in after[noun] if not _stated(word, old, known))
        pairs = [(family(one), family(other)) for one in lost for other in gained]
        if pairs and not any(
            one == other or (one, other) in synonyms or (one, other) in _common()
            for one, other in pairs
        ):
            found.append(MeaningChange("word", f"{lost[0]} became {gained[0]}"))
    return found


def _stated(word: str, sentence: Words, forms: set[str]) -> bool:
    return word in forms or any(related(family(word), other.family) for other in sentence.all)


def _attributes(parse: Parse) -> dict[str, set[str]]:
    """Return the adjectives and nouns that qualify each noun, by the family of the noun."""
    found: dict[str, set[str]] = {}
    for token in parse.tokens:
        if token.pos not in ("NOUN", "PROPN"):
            continue
        for word in parse.having(token, "amod", "compound", "nmod"):
            for each in (word, *parse.having(word, "conj")):
                if each.pos in ("ADJ", "NOUN", "PROPN", "VERB") and not _free(each.lower):
                    found.setdefault(family(token.lower), set()).add(each.lower)
    return found


def _free(word: str) -> bool:
    return (
        word in function_words()
        or word in quantities()
        or family(word) in generic_families()
        or not word.isalpha()
        or word == "non"
    )


def adverb_changes(
    old: Words, new: Words, parses: Parses, synonyms: Synonyms
) -> list[MeaningChange]:
    """Return adverbs of manner that replaced each other: "grows linearly" became "grows
    quadratically".
    """
    known, left = _forms(old), _forms(new)
    before, after = _manners(parses[0]), _manners(parses[1])
    for verb in sorted(before.keys() & after.keys()):
        lost, gained = before[verb], after[verb]
        pair = (family(lost), family(gained))
        if not (
            _stated(lost, new, left)
            or _stated(gained, old, known)
            or pair in synonyms
            or pair in _common()
        ):
            return [MeaningChange("word", f"{lost} became {gained}")]
    return []


def _manners(parse: Parse) -> dict[str, str]:
    """Return the adverb in "-ly" of each verb, without those that comment on the sentence."""
    tokens = parse.tokens
    return {
        family(tokens[token.head].lower): token.lower
        for token in tokens
        if token.tag == "RB"
        and token.lower.endswith("ly")
        and token.dep == "advmod"
        and tokens[token.head].pos == "VERB"
        and not _free(token.lower)
        and not parse.child(tokens[token.head], "neg")
        and not (token.index + 1 < len(tokens) and tokens[token.index + 1].text == ",")
    }


def repeated_changes(old: Words, new: Words, parses: Parses) -> list[MeaningChange]:
    """Return an attribute that is lost while another one of the same noun is repeated: "the real
    and the fake samples" became "the fake and the fake samples".
    """
    before, after = (_attributes(parse) for parse in parses)
    left = _forms(new)
    counts = [Counter(word.lower for word in words.all) for words in (old, new)]
    found = []
    for noun in sorted(before.keys() & after.keys()):
        lost = sorted(word for word in before[noun] if not _stated(word, new, left))
        kept = sorted(before[noun] & after[noun])
        again = [word for word in kept if counts[1][word] > counts[0][word]]
        if lost and again:
            found.append(MeaningChange("word", f"{lost[0]} became {again[0]}"))
    return found


def superlative_changes(old: Words, new: Words, parses: Parses) -> list[MeaningChange]:
    """Return a superlative that only one sentence has, if the other has no extreme at all."""
    found = []
    for (parse, _), (_, others), verb in (
        ((parses[0], old), (parses[1], new), "lost"),
        ((parses[1], new), (parses[0], old), "gained"),
    ):
        tops = [token.lower for token in parse.tokens if token.tag in ("JJS", "RBS")]
        if _KNOWLEDGE.search(parse.text) and "best" in tops:
            tops.remove("best")
        tops = [top for top in tops if top not in quantities() and top not in _NO_TOPS]
        if tops and not _EXTREME.search(others.text) and not _tops(others, parses):
            found.append(MeaningChange("quantity", f"{verb} {tops[0]}"))
    return found


_NO_TOPS = ("least", "latest", "manifest", "modest", "honest")
_KNOWLEDGE = re.compile(r"\bbest of (?:our|my|the authors') knowledge\b", re.IGNORECASE)
_EXTREME = re.compile(
    r"\b(?:no other|no \w+ is|none (?:is|are)|nothing (?:is|does)"
    r"|than (?:any|all|every|the other|others)|optim\w+|maxim\w+|minim\w+"
    r"|top|main\w*|primar\w+|lead\w*|outperform\w*|state-of-the-art|superior|most|least|best|worst"
    r"|above all|at best|very|extremely|highly|\w{2,}est)\b",
    re.IGNORECASE,
)


def _tops(words: Words, parses: Parses) -> bool:
    parse = next(parse for parse in parses if parse.text == words.text)
    return any(token.tag in ("JJS", "RBS") for token in parse.tokens)


def content_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a change if a rewording has less than half or more than double of the content
    words.
    """
    before, after = len(old.content), len(new.content)
    if before >= 4 and not 0.5 <= after / before <= 2.0:
        return [MeaningChange("content", f"{before} content words before, {after} after")]
    return []
