"""Count the negations of a sentence: exactly, or as a range."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache

from revkit import english
from revkit.meaning.words import Word, Words, family, related

DENIALS = frozenset(
    ("not", "no", "never", "none", "nothing", "neither", "without", "cannot", "absent", "absence")
)
_DENYING = re.compile(r"(?:fail|lack)(?:s|ed|ing|ure|ures)?\Z|unable\Z|unsuccessful")
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
# "No other X is slower" and "not until X" do not deny; "left out" and "less than ideal" do.
_NO_DENIAL = re.compile(
    r"\b(?:not (?:only|just|merely|simply|solely|the only)"
    r"|no(?:t(?: any)?)? (?:more|less|fewer|later|earlier|greater|larger|smaller|higher|lower) than"
    r"|(?:no|without) (?:a )?doubt|no wonder|not to mention|nothing short of|last but not least"
    r"|little by(?= little)|(?<=little by )little|more often than not|no sooner|not unlike"
    r"|not uncommon(?:ly)?|not infrequent(?:ly)?|not least"
    r"|no other \w+(?: \w+){0,3} (?:is|are|was|were|performs?|does|has)"
    r"|no matter|not\b[^.;,]{0,40}\b(?:until|before))\b",
    re.IGNORECASE,
)
_PHRASE_DENIES = re.compile(
    r"\b(?:left out|leav(?:es?|ing) out|rather than|(?:instead|in place) of|as opposed to"
    r"|less than (?:ideal|perfect|optimal|fully)|(?:is|are|has|have|remains?) yet to"
    r"|ceas(?:e|es|ed|ing) to|would be (?:wrong|incorrect|misleading|a mistake) to)\b",
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
    """Whether a word denies: "not", "without"."""
    return (
        word in DENIALS
        or bool(_DENYING.match(word))
        or is_few(word)
        or bool(english.compile_words(english.negative_words()).fullmatch(word))
    )


def is_few(word: str) -> bool:
    """Whether a word states a small number: "few"."""
    return english.quantities().get(word) == "few"


def may_deny(word: str) -> bool:
    """Return whether a word denies, or may express a negation in a free rewording."""
    return denies(word) or _implies(word)


def denies_next(word: str) -> bool:
    """Return whether a word which is not a negation by itself denies what follows: "avoids"."""
    return is_few(word) or bool(_implicit("governing").fullmatch(word))


def plainly_denies(word: str) -> bool:
    """Return whether a word is a negation by itself: "not", "fails", "hardly", but not "few"."""
    return word in DENIALS or bool(_DENYING.match(word)) or (is_few(word) and word not in _SMALL)


_SMALL = ("few", "little")


@lru_cache(maxsize=50_000)
def _implies(word: str) -> bool:
    return bool(_implicit("word", "governing").fullmatch(word) or _LESS.match(word))


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


def necessity_reversed(text: str, other: str) -> bool:
    """Return whether a text says by two negations what the other calls necessary: "without X
    there is no Y".
    """
    return bool(_OTHERWISE.search(text) and _NECESSARY.search(other))


def denying_phrases(text: str) -> list[tuple[int, int]]:
    """Return the places of phrases that deny what follows, or may: "instead of", "too hard to"."""
    return [
        match.span()
        for pattern in (_PHRASE_DENIES, _PHRASE_MAY_DENY, _implicit("phrase"), _NO_DENIAL)
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
            word.lower in ("few", "little", "hardly", "barely", "scarcely")
            and word.family not in known
            and (
                _SCARCE.search(others.text)
                or (_EASY.search(others.text) and _EXPENSE.match(words.text, word.start))
            )
        ):
            soft += 1
        elif is_few(word.lower):
            plain += 1
        elif word.family in known:
            plain += denies(word.lower)
        elif _has_base(word.lower, others) or _CHANGELESS.search(word.lower):
            plain += 1
        elif denies(word.lower) or _implies(word.lower):
            soft += 1
    for pattern in (_NO_DENIAL, _WHETHER_OR_NOT, _FEW):
        plain -= len(pattern.findall(words.text))
    plain += len(_SAME.findall(words.text)) + len(_PHRASE_DENIES.findall(words.text))
    softened = len(_WITHOUT_LOSS.findall(words.text))
    if _EASY.search(others.text):
        softened += len(_WITHOUT_EFFORT.findall(words.text))
    if _KEPT.search(others.text):
        softened += sum(bool(_CHANGELESS.search(word.lower)) for word in words.all)
        softened += len(_NO_CHANGE.findall(words.text))
    if _TOP.search(others.text):
        softened += len(_NONE_MORE.findall(words.text))
    if _ONLY.search(others.text):
        softened += len(_NONE_OTHER.findall(words.text))
    if necessity_reversed(words.text, others.text):
        softened += min(plain, 2)
    cancelled = sum(
        denies(match[1].lower()) or _has_base(match[1].lower(), others)
        for match in _TWICE.finditer(words.text)
    )
    plain -= softened + cancelled
    soft += softened + cancelled
    soft += max(_hinted(words.text) - _hinted(others.text), 0)
    if _FOREMOST.search(words.text) and _NONE_BEFORE.search(others.text):
        soft += 2
    return max(plain, 0), max(plain, 0) + soft


def _has_base(word: str, others: Words) -> bool:
    """Whether the other sentence has a relative of a word without its negative prefix."""
    base = base_of(word)
    return bool(base) and any(related(family(base), other.family) for other in others.all)


# "Without loss of X" may express "while X stays", "none is simpler" for "the simplest", and "not
# beyond X" for "only X".
_WITHOUT_EFFORT = re.compile(
    r"\bwithout (?:any |much |great |special |further |additional )?"
    r"(?:effort|difficult\w+|trouble|hesitation|delay|cost|problems?)\b"
    r"|\b(?:no|little) (?:\w+ )?(?:effort|difficulty|trouble|delay)\b",
    re.IGNORECASE,
)
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
    r"\b(?:no|none|not|never|nothing)\b[^.;]{0,200}"
    r"\b(?:beyond|except|but|other than|outside|unless|besides|apart from|aside from|more than)\b"
    r"|\b(?:nothing|nobody|no one|none|nowhere) else\b|\bno other \w+",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:only|solely|exclusively|alone|mere|merely|just|simply|purely|entirely|sole|unique\w*)\b",
    re.IGNORECASE,
)
# "Is left unchanged" may be said for "is reused" or "stays the same".
_KEPT = re.compile(
    r"\b(?:re-?us\w+|same|identical\w*|equal\w*|keep\w*|kept|retain\w*|preserv\w*|maintain\w*"
    r"|remain\w*|stays?|stable|original|as is|directly|frozen|fixed|constant\w*|invariant\w*)\b",
    re.IGNORECASE,
)
_NO_CHANGE = re.compile(
    r"\b(?:no (?:more|less|bigger|larger|smaller|greater|higher|lower)(?! than)"
    r"|(?:no|without) (?:any |further )?(?:changes?|modifications?|adaptation))\b",
    re.IGNORECASE,
)
_SCARCE = re.compile(
    r"\b(?:limited|small (?:number|amount|set|share)|scarce\w*|sparse\w*|minority|rare|minim\w+"
    r"|slight\w*)\b",
    re.IGNORECASE,
)
# "Takes little effort" may be said for "is easy".
_EASY = re.compile(
    r"\b(?:eas(?:y|ily|e|ier)|simpl\w*|efficien\w*|cheap\w*|inexpensive|light\w*|straightforward"
    r"|fast\w*|quick\w*)\b",
    re.IGNORECASE,
)
_EXPENSE = re.compile(
    r"(?:few|little)\s+(?:\w+\s+)?(?:effort|time|work|memory|comput\w+|cost\w*|resources?|storage"
    r"|space|overhead|trouble|difficulty|energy|expense)\b",
    re.IGNORECASE,
)
# "Without X there is no Y" may be said for "X is necessary for Y", "far from independent" for
# "dependent".
_NECESSARY = re.compile(
    r"\b(?:need(?:s|ed)?|necess\w+|requir\w+|essential\w*|important|importance|crucial\w*|critical\w*"
    r"|vital|key|must|depend\w*|rel(?:y|ies)|indispensabl\w*|only|as long as)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:without|unless|otherwise|if not|as long as no\w*)\b[^.]{0,200}"
    r"\b(?:not|no|cannot|never|nothing|nobody|impossible|fails?|unable)\b"
    r"|\b(?:not|no|cannot|never|nothing|nobody|impossible|fails?|unable)\b[^.]{0,200}"
    r"\b(?:without|unless|otherwise)\b",
    re.IGNORECASE,
)
_TWICE = re.compile(
    r"\b(?:far from|anything but|hardly|not|never|no|nothing)\s+(?:\w+\s+)?"
    r"((?:un|in|im|ir|il|non|dis)-?\w+)",
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
# Compounds and phrases that may express a negation beside those of the table.
_LESS = re.compile(r"\w{3,}-?less(?:ly)?\Z")
_PHRASE_MAY_DENY = re.compile(
    r"\b(?:too \w+ (?:to|for)|more (?:\w+ )?than \w+ needs?"
    r"|than (?:\w+ )(?:needed|necessary|required))\b",
    re.IGNORECASE,
)


@cache
def _implicit(*kinds: english.ImplicitKind) -> re.Pattern[str]:
    return english.compile_words(english.implicit_negations(*kinds), ignore_case=True)


def _hinted(text: str) -> int:
    """Return how many phrases of a text may deny."""
    return len(_PHRASE_MAY_DENY.findall(text)) + len(_implicit("phrase").findall(text))


_FOREMOST = re.compile(r"\b(?:first|new|novel)\b", re.IGNORECASE)
_NONE_BEFORE = re.compile(
    r"\b(?:no|nobody|none|never|not)\b.*"
    r"\b(?:before|earlier|previous(?:ly)?|prior|yet|so far|until now)\b",
    re.IGNORECASE | re.DOTALL,
)
