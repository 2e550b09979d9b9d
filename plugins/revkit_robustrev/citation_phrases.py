"""Noun phrases as names of subjects: before a citation marker, and where another text names them.

"adversarial training (Madry et al., 2018)" gives the phrase ("adversarial", "training") for that
work. A phrase is a run of neighbouring words that carry content; it ends where a marker, a mark of
punctuation or a word of grammar follows, so that no phrase is a part of a longer name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from revkit.dataclass import dataclass
from revkit_robustrev.guards import BE, BETWEEN, DETERMINERS, HAVE, MODALS, PRONOUNS, words
from revkit_robustrev.subjects import PREPOSITIONS

Phrase = tuple[str, ...]

_LONGEST = 4
TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_JOIN = re.compile(r"[ \n-]")
# Words that are not a part of a name: grammar, and verbs and adjectives that come before one.
_NO_PART = (
    DETERMINERS
    | PRONOUNS
    | BE
    | HAVE
    | MODALS
    | PREPOSITIONS
    | BETWEEN
    | words(
        "and or but nor if when while that which because than as where whether how why then so"
        " although since whereas e g i ie eg etc et al use uses used using apply applies applied"
        " applying follow follows following include includes including called named namely via"
        " like such known given based propose proposes proposed introduce introduces introduced"
        " present presents presented develop develops developed employ employs employed employing"
        " adopt adopts adopted consider considers considered require requires provide provides"
        " train trains evaluate compare compared combine combines combined learn learns improve"
        " improves improving achieve achieves achieved show shows shown see cf yet well recently"
        " often typically usually commonly widely mainly particularly especially namely"
        " respectively very more most less least other others not no approaches approach methods"
        " method techniques technique works work algorithms algorithm papers studies literature"
        " research many several various numerous existing different recent popular new novel"
        " better similar traditional standard classical classic conventional early previous prior"
        " modern common successful first second third one two three four five called take takes"
        " make makes do does done perform performs performed become becomes became been explore"
        " explored exploring study studied studying leverage leverages leveraging utilize"
    )
)
# Words before a phrase that leave its subject as it is.
MILD = words(
    "deep modern recent recently popular standard classical classic conventional traditional"
    " large many several various numerous existing different common successful powerful"
    " efficient simple general complex advanced famous typical more most other such the a an these"
    " those some early challenging related similar important widely commonly especially"
    " particularly training reduce reducing prevent preventing handle handling mitigate mitigating"
    " avoid avoiding performing generate generating detect detecting"
)
# Verbs and adverbs after a phrase, none of which can be the next noun of a longer name.
_PREDICATES = words(
    "require requires provide provides allow allows enable enables learn learns rely relies suffer"
    " suffers lack lacks tend tends aim aims consist consists become becomes remain remains offer"
    " offers operate operates perform performs predict predicts compute computes represent"
    " represents exploit exploits encode encodes treat treats need needs do does make makes take"
    " takes contain contains involve involves assume assumes depend depends seek seeks try tries"
    " attempt attempts struggle struggles fail fails maximize maximizes minimize minimizes"
    " typically often usually generally commonly currently still also already then therefore thus"
    " both only mainly mostly frequently naturally inherently not instead"
)
# What may follow a phrase that is whole and that nothing restricts ("sharing that", "models with").
FOLLOWERS = (
    (PREPOSITIONS - words("of with without"))
    | BE
    | HAVE
    | MODALS
    | words("and or but nor when while because since as than if so though")
    | _PREDICATES
)


# Words after a name that leave its subject as it is: "GAN models", "policy gradient methods".
HEADS = words("methods algorithms techniques approaches models")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: in small letters without a plural's s, and its place."""

    word: str
    start: int
    end: int
    written: str


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return ``word`` without the ending of a plural, so that "graphs" and "graph" are one word."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "tches", "xes")) else word[:-1]


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The words between two places."""
    return [
        Token(stem(match[0].lower()), match.start(), match.end(), match[0])
        for match in TOKEN.finditer(text, start, end)
    ]


def phrase_before(text: str, low: int, end: int) -> list[Token]:
    """The run of content words that ends at ``end``, up to four, not before ``low``."""
    found = tokens(text, max(low, end - 90), end)
    run: list[Token] = []
    stop = end
    for token in reversed(found):
        gap = text[token.end : stop]
        if run and not (len(gap) == 1 and _JOIN.match(gap)):
            break
        if not run and gap.strip():
            return []
        if token.written.lower() in _NO_PART or (token.start == low + 0 and not run):
            break
        if token.start and text[token.start - 1].isalnum():
            break
        run.append(token)
        stop = token.start
        if len(run) > _LONGEST:
            break
    return run[::-1]


def phrase_around(
    text: str, low: int, found: Sequence[Token], listed: Container[Phrase]
) -> list[Token]:
    """The run that ends with the last of ``found``.

    A listed phrase may hold words of grammar: "mixture of experts", "in-context learning".
    """
    last = found[-1]
    for size in range(min(_LONGEST, len(found)), 1, -1):
        part = found[-size:]
        if (
            key_of(part) in listed
            and any(word.written.lower() in _NO_PART for word in part)
            and all(_JOIN.fullmatch(text, one.end, other.start) for one, other in pairwise(part))
        ):
            return [*phrase_before(text, low, part[0].start - 1), *part]
    run = phrase_before(text, low, last.end)
    return run or [last] if last.start == low and (last.word,) in listed else run


def key_of(run: Sequence[Token]) -> Phrase:
    """Return the words of a phrase, which identify it."""
    return tuple(token.word for token in run)


def as_phrase(text: str) -> Phrase:
    """A phrase written in plain words as it is compared."""
    return key_of(tokens(text, 0, len(text)))


def names_of(run: list[Token]) -> Iterator[Phrase]:
    """The phrases that a run before a marker gives: all of it, and its ends of two words."""
    for begin in range(len(run)):
        part = run[begin:]
        if len(part) > _LONGEST:
            continue
        if len(part) > 1 or is_name(part[0].written):
            yield key_of(part)


@lru_cache(maxsize=50_000)
def is_name(word: str) -> bool:
    """Whether a single word is a name by its letters: "BERT", "ImageNet", "word2vec"."""
    capitals = sum(letter.isupper() for letter in word)
    return len(word) >= 3 and (capitals >= 2 or any(letter.isdigit() for letter in word))
