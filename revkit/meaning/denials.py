"""Count the negations of a sentence: exactly, or as a range."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from revkit import english
from revkit.meaning.words import Word, Words, family, related

DENIALS = frozenset(
    ("not", "no", "never", "none", "nothing", "neither", "without", "cannot", "absent", "absence")
)
_DENYING = re.compile(r"(?:fail|lack)(?:s|ed|ing|ure|ures)?\Z|unable\Z|unsuccessful")
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
# "No other X is slower" and "not until X" do not deny; "left out" and "less than ideal" do.
_NO_DENIAL = re.compile(
    r"\b(?:not only|no (?:more|less|fewer|later|earlier) than"
    r"|no other \w+(?: \w+){0,3} (?:is|are|was|were|performs?|does|has)"
    r"|no matter|not\b[^.;,]{0,40}\b(?:until|before))\b",
    re.IGNORECASE,
)
_PHRASE_DENIES = re.compile(
    r"\b(?:left out|leav(?:es?|ing) out|rather than|(?:instead|in place) of|as opposed to"
    r"|less than (?:ideal|perfect|optimal|fully))\b",
    re.IGNORECASE,
)
_FEW = re.compile(r"\ba\s+(?:few|little)\b", re.IGNORECASE)


def count_denials(words: Words, others: Words) -> int:
    """Count the negations of a sentence, words that ``others`` has without a negative prefix
    included; "neither ... nor" counts once.
    """
    bases = set(Counter(others.lowers) - Counter(words.lowers))
    return (
        sum(denies(word.lower) or _negated(word.lower, bases) != "" for word in words.all)
        - len(_NO_DENIAL.findall(words.text))
        - len(_FEW.findall(words.text))
        + len(_PHRASE_DENIES.findall(words.text))
    )


@lru_cache(maxsize=50_000)
def denies(word: str) -> bool:
    return (
        word in DENIALS
        or bool(_DENYING.match(word))
        or is_few(word)
        or bool(english.compile_words(english.negative_words()).fullmatch(word))
    )


def is_few(word: str) -> bool:
    return english.quantities().get(word) == "few"


def may_deny(word: str) -> bool:
    """Return whether a word denies, or may express a negation in a free rewording."""
    return denies(word) or bool(_MAY_DENY.match(word))


def idle_denial(words: Words, word: Word) -> bool:
    """Return whether a word of negation denies nothing: in "no other method is faster", "a few"."""
    return any(
        match.start() <= word.start < match.end()
        for pattern in (_NO_DENIAL, _FEW)
        for match in pattern.finditer(words.text)
    )


def negation_idles(text: str) -> bool:
    """Return whether a text has a negation that denies nothing: "no other", "not until"."""
    return bool(_NO_DENIAL.search(text))


def denying_phrases(text: str) -> list[tuple[int, int]]:
    """Return the places of phrases that deny what follows, or may: "instead of", "too hard to"."""
    return [
        match.span()
        for pattern in (_PHRASE_DENIES, _PHRASE_MAY_DENY, _NO_DENIAL)
        for match in pattern.finditer(text)
    ]


def _negated(word: str, bases: set[str]) -> str:
    """Return the word of ``bases`` of which ``word`` is the opposite by its prefix; "" if none."""
    if denies(word):
        return ""
    return next((base for base in _bases_of(word) if base in bases), "")


def base_of(word: str) -> str:
    """Return a word without a negative prefix; "" without one."""
    return next(_bases_of(word), "")


def _bases_of(word: str) -> Iterator[str]:
    for prefix in _PREFIXES:
        rest = word.removeprefix(prefix).lstrip("-")
        if rest != word and len(rest) > 3:
            yield rest


def denial_range(words: Words, others: Words) -> tuple[int, int]:
    """The least and the greatest number of negations that a sentence can be read to hold."""
    known = frozenset(word.family for word in others.all)
    plain = soft = 0
    for word in words.all:
        if word.lower in DENIALS or _DENYING.match(word.lower):
            plain += 1
        elif (
            word.lower in ("few", "little")
            and word.family not in known
            and _SCARCE.search(others.text)
        ):
            soft += 1
        elif is_few(word.lower):
            plain += 1
        elif word.family in known:
            plain += denies(word.lower)
        elif _has_base(word.lower, others) or _CHANGELESS.search(word.lower):
            plain += 1
        elif denies(word.lower) or _MAY_DENY.match(word.lower):
            soft += 1
    for pattern in (_NO_DENIAL, _WHETHER_OR_NOT, _FEW):
        plain -= len(pattern.findall(words.text))
    plain += len(_SAME.findall(words.text)) + len(_PHRASE_DENIES.findall(words.text))
    softened = len(_WITHOUT_LOSS.findall(words.text))
    if _TOP.search(others.text):
        softened += len(_NONE_MORE.findall(words.text))
    if _ONLY.search(others.text):
        softened += len(_NONE_OTHER.findall(words.text))
    plain -= softened
    soft += softened
    soft += max(
        len(_PHRASE_MAY_DENY.findall(words.text)) - len(_PHRASE_MAY_DENY.findall(others.text)), 0
    )
    if _FOREMOST.search(words.text) and _NONE_BEFORE.search(others.text):
        soft += 2
    return max(plain, 0), max(plain, 0) + soft


def _has_base(word: str, others: Words) -> bool:
    """Whether the other sentence has a relative of a word without its negative prefix."""
    base = base_of(word)
    return bool(base) and any(related(family(base), other.family) for other in others.all)


# "Without loss of X" may express "while X stays", "none is simpler" for "the simplest", and "not
# beyond X" for "only X".
_WITHOUT_LOSS = re.compile(
    r"\bwithout (?:any |a |much )?(?:giving up|los[st]\w*|losing|sacrific\w+|compromis\w+|degrad\w+"
    r"|harm\w*|hurting|damag\w+)",
    re.IGNORECASE,
)
_NONE_MORE = re.compile(
    r"\b(?:no|none|nothing)\b[^.;,]{0,40}\b(?:more \w+|\w{2,}er) than\b", re.IGNORECASE
)
_TOP = re.compile(r"\b(?:most|best|\w{3,}est)\b", re.IGNORECASE)
_NONE_OTHER = re.compile(
    r"\b(?:no|none|not|never|nothing)\b[^.;]*\b(?:beyond|except|but|other than|outside|unless)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|alone)\b", re.IGNORECASE)
_SCARCE = re.compile(
    r"\b(?:limited|small (?:number|amount|set|share)|scarce\w*|sparse\w*|minority|rare)\b",
    re.IGNORECASE,
)
# Without any change: "time-invariant", "stays as it is".
_CHANGELESS = re.compile(r"(?:^|-)invariant\Z|^(?:unchanged|unmodified|unaltered|unaffected)\Z")
_SAME = re.compile(
    r"\b(?:stay|remain|keep|kept|left|leav)(?:s|ed|e|es|ing)? (?:\w+ ){0,3}"
    r"(?:as (?:it is|it was|they are|they were|before)|the same)\b",
    re.IGNORECASE,
)
_WHETHER_OR_NOT = re.compile(r"\bwhether or not\b", re.IGNORECASE)
# What may express a negation in a free rewording, or may not.
_MAY_DENY = re.compile(
    r"\w+-(?:free|less|agnostic|independent)\Z|\w{3,}less(?:ly)?\Z"
    r"|missing\Z|lay(?:people|men|man|person)\Z|(?:de)?void\Z|exclu[ds]\w+|prevent\w*|avoid\w*"
    r"|refus\w+|reject\w*|unlike\Z|except\Z|elsewhere\Z|otherwise\Z|nowhere\Z|superfluous\Z"
    r"|redundant\w*|empty\Z|random\w*|raw\Z|novel\Z|new\Z|arbitrar\w+|rigid\w*|constant\w*|fixed\Z"
    r"|violat\w+|partial\w*|bad(?:ly)?\Z"
)
_PHRASE_MAY_DENY = re.compile(
    r"\b(?:out of (?:memory|reach|scope|range|time)|too \w+ (?:to|for)|other than"
    r"|more (?:\w+ )?than \w+ needs?|than (?:\w+ )?(?:needed|necessary|required)|free (?:of|from)"
    r"|regardless of|irrespective of|in vain|yet to|short of|far from|beyond the"
    r"|st(?:and|ood|ands|anding) in for)\b",
    re.IGNORECASE,
)
_FOREMOST = re.compile(r"\b(?:first|new|novel)\b", re.IGNORECASE)
_NONE_BEFORE = re.compile(
    r"\b(?:no|nobody|none|never|not)\b.*"
    r"\b(?:before|earlier|previous(?:ly)?|prior|yet|so far|until now)\b",
    re.IGNORECASE | re.DOTALL,
)
