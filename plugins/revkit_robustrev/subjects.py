"""The grammatical number of the subject of a verb, or None if it is unknown.

It walks to the left from the verb over one noun phrase, and on over "of", "in", "for" and the like
to the noun that the verb agrees with. Every construction that it does not know ends in doubt ("");
a wrong agreement is worse than a hedge left in place.
"""

from __future__ import annotations

import re
from typing import Literal

from revkit_robustrev.guards import DETERMINERS, looks_plural
from revkit_robustrev.guards import words as words_
from revkit_robustrev.hedge_words import KNOWN_VERBS, OTHER_VERBS

Number = Literal["singular", "plural", ""]

PREPOSITIONS = words_(
    "of in for on with between from to at over across under within among via through into onto"
    " against without towards toward during about per behind beyond inside outside near upon by"
    " using"
)
_PLURAL_PRONOUNS = words_("we they you these those many several few both")
_SINGULAR_PRONOUNS = words_("it this he she one each another everything something")
_IRREGULAR_PLURALS = words_(
    "people children men women criteria phenomena humans data vertices indices matrices fungi"
    " bacteria nuclei loci stimuli taxa mitochondria algae larvae spectra genera strata phyla mice"
)
_DOUBTFUL = words_(
    "here today now above below"
    " dynamics statistics mathematics physics economics semantics series species means bayes"
    " others which who what whatever whoever that there as than nor so not or and but et al"
    " news percent data media rest majority half"
)
_CLAUSE_STARTS = words_(
    "that because since while whereas although though if when where whether unless until once"
    " how why so then thus therefore hence however moreover furthermore"
)
# Verbs that take a clause without "that", and verbs before "that" as a conjunction.
_CLAUSE_VERBS = words_(
    "suggest suggests suggested suggesting indicate indicates indicated indicating show shows"
    " showed shown showing believe believes think expect expects expected argue argues argued"
    " argument find finds found note notes noted observe observes observed conclude concludes"
    " concluded hypothesize hypothesized hypothesis suspect speculate assume assumes assumption"
    " mean means imply implies implied fact idea know known clear likely possible demonstrate"
    " demonstrates demonstrated reveal reveals claim claims state states intuition evidence"
    " possibility reason is ensure ensures such given seems appears recall say conjecture"
    " concern observation mention mentioned remark hope notice report reports reported confirm"
    " confirms confirmed recognize acknowledge emphasize highlight prove proves proved verify"
    " see realize caution stress true that and but revealed propose proposed proposes predict"
    " predicted postulate postulated surmised suspected speculated speculate hypothesise implying"
    " hypothesized demonstrating revealing confirming reveals supposed thought hint hints hinted"
)
# Forms of these that are nouns at the end of a subject.
# Prepositions behind which the number of a name need not be known.
_CARRIERS = (["in"], ["of"], ["for"], ["by"], ["to"], ["from"], ["on"], ["with"], ["within"])
_DESCRIPTIONS = words_("true known clear likely possible given")
_NOUNS = words_(
    "argument hypothesis assumption fact idea intuition evidence possibility reason concern"
    " observation mention remark report conjecture stress finding"
)
_BEFORE_PREPOSITION = words_(
    "common similar specific relevant available present different adjacent sensitive resistant"
    " unique close responsible important susceptible prior due tolerant homologous identical"
)
_SINGULAR_HEADS = words_("each every one either neither another much")
_QUANTITY_HEADS = words_("some most all many several none both few two three four five")
_QUANTITY_OPENINGS = words_(
    "a an large great small considerable growing increasing limited wide broad huge vast"
)
_OPEN_QUANTITIES = words_("number variety majority range couple host set series lot pair")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z'’-]*\Z")
# A word within a phrase other than its head: "α-amylase", "TaPHT1.2", "CO2-induced".
_INNER = re.compile(r"[^\s,;:()]*\w\Z")
# "Training models" is an activity or the models; these words only describe the noun.
_DESCRIBING = words_(
    "housing growing breeding living feeding binding processing sequencing remaining existing"
    " underlying resulting surrounding differing varying increasing decreasing emerging competing"
    " interesting promising neighboring neighbouring corresponding contrasting conflicting changing"
    " overlapping missing rising coding signaling signalling ongoing"
)
# Singular names that look like plurals: "Pseudomonas".
_LIKE_PLURALS = re.compile(r"(?:monas|bayes|myces|oides|ales|ceras|opteris)\Z", re.IGNORECASE)
# A name with a figure, such as "TP53", or one of two words joined by a slash.
_NAME = re.compile(r"(?=[^\W\d_]*[A-Z0-9/])[^\W\d_](?:[\w'’/.-]*\w)?\+?\Z")
# What may be between a subject and its verb and says nothing of its number.
_BRACKETS = re.compile(r"[ \n]?\([^()]{0,120}\)|[ \n]?\[[^\[\]]{0,60}\]")
_ASIDE = re.compile(
    r",\s(?:on the other hand|however|therefore|thus|for (?:example|instance)|in turn|in particular"
    r"|(?:at least )?in part|in contrast|too|as well|respectively|in general|in principle),(?=\s\Z)"
)
_ADJECTIVES = ("al", "ar", "ic", "ve", "ous", "ble", "ful", "ple")
_INABILITY = re.compile(
    r"(?:\A|[,;:]\s|\bthat\s)(?:the|this|our|its|their|an)\s(?:[a-z]+\s)?(?:ability|inability|need|failure"
    r"|tendency|attempt|decision|capacity)\sto\s(?:(?!and\b|which\b|that\b)[a-z-]+\s){1,6}\Z",
    re.IGNORECASE,
)

# "The fact that masks are large" and the like, with a verb before the one whose subject it is.
_THE_FACT = re.compile(
    r"(?:\A|[,;:]\s|\bthat\s)(?:the|this|our)\s(?:fact|observation|finding|result|notion|idea)\sthat\s"
    r"[^,;:]{0,160}\b(?:is|are|was|were|has|have|had|do|does|did|can|[a-z]{3,15}ed)\s[^,;:]{0,80}\Z",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\b\d[\d.,]*\s?%\s(?=[A-Za-z])")


def subject_number(text: str, low: int, verb: int) -> Number:
    """Return the number of the subject of the verb at ``verb``; its sentence begins at ``low``."""
    head = text[max(low, verb - 240) : verb]
    if not head or not head[-1].isspace():
        return ""
    whole = len(head) < 240 or low >= verb - 240
    head = _PERCENT.sub("", _ASIDE.sub("", _BRACKETS.sub("", head)))
    if _INABILITY.search(head) or _THE_FACT.search(head):
        return "singular"
    words = head.split()
    if not whole:
        words = words[1:]
        cut = True
    else:
        cut = False
    if not words:
        return ""
    plain = not cut and re.fullmatch(r"[A-Z][a-z]{3,}", words[0])
    if plain and not _LIKE_PLURALS.search(words[0]):
        words = [words[0].lower(), *words[1:]]
    last = words[-1].lower()
    if last in ("that", "which", "who"):
        return _relative(words[:-1])
    if words[-2:-1] and words[-2].lower() in ("we", "they", "you", "i"):
        return ""  # "the functions we use may": the verb of a clause without "that"
    if last in _PLURAL_PRONOUNS:
        return "plural"
    if last in _SINGULAR_PRONOUNS:
        return "singular"
    return _noun_phrase(words, cut)


def _relative(words: list[str]) -> Number:
    """The number of the noun before a relative pronoun, where only one noun can be meant."""
    if not words or words[-1][-1:] in ";:(":
        return ""
    words = [*words[:-1], words[-1].rstrip(",")]
    if (
        not (_PLAIN.match(words[-1]) or _NAME.match(words[-1]))
        or words[-1].lower() in _CLAUSE_VERBS | _DOUBTFUL | PREPOSITIONS
    ):
        return ""
    number = noun_number(words[-1])
    before = [word.lower() for word in words[-6:-1]]
    for index in range(len(before) - 1, -1, -1):
        if before[index] in PREPOSITIONS:
            outer = noun_number(words[-6:-1][index - 1]) if index else ""
            return number if outer == number else ""
        if before[index] in DETERMINERS or not _PLAIN.match(words[-6:-1][index]):
            break
    if "and" in before or "or" in before:
        return number if number == "plural" else ""
    return number


def noun_number(word: str) -> Number:
    """Return the number of a noun by its form; "" if the form does not determine it."""
    lower = word.lower()
    if _NAME.match(word) and not _PLAIN.match(word):
        if re.search(r"[A-Z]{2}s\Z", word):
            return "plural"
        return "" if "/" in word or re.search(r"[A-Z0-9]s\Z", word) else "singular"
    if not _PLAIN.match(word) or lower in _DOUBTFUL or len(word) < 2 or "'" in word or "’" in word:
        return ""
    if lower in _IRREGULAR_PLURALS:
        return "plural"
    if word.isupper():
        return "singular"
    if word[-1] == "s" and word[:-1].isupper() and len(word) > 2:
        return "plural"
    if lower.endswith("ics") or (word[0].isupper() and lower.endswith("s")):
        return ""
    if lower.endswith("s") and _ends_in_s(lower):
        return "singular"
    if lower.endswith("s"):
        return "plural" if looks_plural(lower.replace("-", "")) else _ends_in_s(lower)
    if lower.endswith(("ly", "ed")) or lower in PREPOSITIONS or lower in DETERMINERS:
        return ""
    return "singular"


def _ends_in_s(word: str) -> Number:
    return (
        "singular"
        if word.endswith(("ss", "sis", "us", "bias", "axis", "lens", "canvas", "atlas", "gas"))
        else ""
    )


def _noun_phrase(words: list[str], cut: bool) -> Number:
    """The number of the subject that ends with the last of ``words``."""
    index = len(words)
    numbers: list[Number] = []
    while True:
        start = _phrase_start(words, index)
        if start is None:
            return ""
        head = _head_number(words[start:index])
        if head is None and words[start - 1 : start] not in _CARRIERS:
            return ""
        number: Number = head or ""
        numbers.append(number)
        # "In the context of training other points may ...": the subject is somewhere within.
        fronted: Number = number if len(set(numbers)) == 1 else ""
        if start and words[start - 1] in ("only", "even", "both", "especially"):
            start -= 1
        previous = words[start - 1] if start else ""
        lower = previous.lower()
        if not previous:
            return "" if cut else number
        if lower in ("of",) and start >= 2:
            special = _quantity(words, start - 1, numbers[0])
            if special is not None:
                return special
        if start >= 3 and words[start - 2].lower() == "to" and lower not in _CLAUSE_VERBS:
            index = start - 2  # "steps to reduce noise"
            continue
        if lower == "as" and start >= 3 and words[start - 2].lower() == "such":
            index = start - 2  # "accumulators such as mushrooms"
            continue
        if lower in PREPOSITIONS and start >= 2 and lower != "using":
            if words[start - 2][-1] in ",;:—–(" or words[start - 2].lower() in _CLAUSE_STARTS:
                return fronted
            index = start - 1
            while index and words[index - 1].lower().endswith(
                ("ed", "ly", "drawn", "found", "made", "already", "also")
            ):
                index -= 1
            if index > 1 and words[index - 1].lower() in _BEFORE_PREPOSITION:
                index -= 1  # "proteins common to both lines"
            if index > 1 and words[index - 1].endswith("ing") and looks_plural(words[index - 2]):
                index -= 1  # "infections occurring among": a participle behind its noun
            if not index or words[index - 1][-1] in ",;:—–(":
                return ""
            continue
        if lower in PREPOSITIONS:
            return fronted if start == 1 and lower != "using" else ""
        if lower == "and" and _new_clause(words, start):
            return number
        if lower in ("and", "or"):
            hangs_on = _shared_preposition(words, start - 1)
            if hangs_on is not None:  # "between A and B", "effects of A and B"
                index = hangs_on
                continue
            return _coordinated(words, start - 1, index, number) if lower == "and" else ""
        return _bounded(words, start, number)


def _new_clause(words: list[str], start: int) -> bool:
    """Whether ", and" before ``start`` joins clauses: one with a verb is before it."""
    if start < 2 or words[start - 2][-1] != ",":
        return False
    earlier = {word.lower() for word in words[: start - 1]}
    return words[start].lower() in DETERMINERS | _SINGULAR_PRONOUNS and not earlier.isdisjoint(
        _FINITE
    )


_FINITE = words_("is are was were has have can will does do")


def _bounded(words: list[str], start: int, number: Number) -> Number:
    """Accept ``number`` if the phrase that begins at ``start`` begins its clause; else doubt."""
    previous = words[start - 1]
    lower = previous.lower()
    if previous[-1] in ",;:—–":
        return number
    if lower == "as" and start == 1:
        return number
    if lower == "that":
        before = words[start - 2].lower().strip("(,;:") if start >= 2 else ""
        determined = words[start].lower() in DETERMINERS and not _may_be_verb(words, start)
        return number if before in _CLAUSE_VERBS or determined else ""
    if lower in ("which", "whom", "what", "who"):
        within = start >= 2 and words[start - 2].lower() in PREPOSITIONS  # "in which the masks"
        determined = within or not _may_be_verb(words, start)
        return number if words[start].lower() in DETERMINERS and determined else ""
    if lower in _CLAUSE_VERBS and words[start - 2 : start - 1] in _RELATIVES:
        return ""  # "the mask of the layers that see the images"
    if lower in _CLAUSE_STARTS or lower in _CLAUSE_VERBS:
        return number
    if lower.endswith("ing") and (start == 1 or words[start - 2][-1] in ",;:"):
        return "singular"
    return ""


_RELATIVES = (["that"], ["which"], ["who"])


def _may_be_verb(words: list[str], start: int) -> bool:
    """Whether the last word may be the verb of a relative clause that begins before ``start``:
    "the mask that the layer learns"."""
    return len(words) - start >= 3 and looks_like_verb(words[-1])


def looks_like_verb(word: str) -> bool:
    """Whether ``word`` has the form of a known verb in the present: "learns", "use"."""
    last = word.lower()
    forms = {last, last.removesuffix("s"), last.removesuffix("es")}
    if last.endswith("ies"):
        forms.add(last[:-3] + "y")
    return not forms.isdisjoint(KNOWN_VERBS | OTHER_VERBS)


def _shared_preposition(words: list[str], conjunction: int) -> int | None:
    """Where the preposition is on which both sides of ``conjunction`` hang; None in doubt.

    They do after "between"; after another one only the number of a plural noun before it is sure.
    """
    start = _phrase_start(words, conjunction)
    if start is None or start < 2:
        return None
    preposition = words[start - 1].lower()
    if preposition == "between":
        return start - 1
    if words[conjunction + 1].lower() in DETERMINERS and words[start].lower() not in DETERMINERS:
        return None  # "the cost of masks and the loss"
    if preposition in ("of", "in", "for", "on") and looks_plural(words[start - 2].lower()):
        return start - 1
    bare = DETERMINERS.isdisjoint((words[start].lower(), words[conjunction + 1].lower()))
    if bare and preposition == "of" and words[start - 3 : start - 2] in (["the"], ["The"]):
        return start - 1  # "the effect of heat and drought"
    return None


def _coordinated(words: list[str], conjunction: int, end: int, number: Number) -> Number:
    """Plural, unless the phrase before "and" hangs on a preposition: "the use of A and Bs".

    Two singular nouns make a plural where the first one begins the clause.
    """
    start = _phrase_start(words, conjunction)
    if start is None:
        return ""
    previous = words[start - 1] if start else ""
    before = previous.lower()
    if before in PREPOSITIONS or before.endswith("ing"):
        return ""
    if number == "plural":
        return "plural"
    opening = start <= 3 and before[-1:] == ","
    begins = not before or opening or before[-1] in ";:" or before in _CLAUSE_STARTS
    apart = words[conjunction + 1].lower() in DETERMINERS
    bare = (
        end - conjunction == 2
        and start == conjunction - 1
        and not words[start].lower().endswith(_ADJECTIVES)
    )
    both = number == "singular" == noun_number(words[conjunction - 1])
    return "plural" if both and begins and (apart or bare) else ""


def _phrase_start(words: list[str], index: int) -> int | None:
    """Where the noun phrase that ends before ``index`` begins; None where that is in doubt."""
    start = index
    while start:
        word = words[start - 1]
        lower = word.lower()
        if start < index and (word[-1] in ",;:—–)" or lower in PREPOSITIONS):
            break
        if lower in DETERMINERS and lower not in ("that", "which", "what", "one", "two", "three"):
            start -= 1
            return start
        article = words[start - 2].lower() if start >= 2 else ""
        described = lower in _DESCRIPTIONS and start < index and article in DETERMINERS
        noun = start == index and lower in _NOUNS  # "this observation": no verb of a clause
        noun = noun or described
        if not noun and (
            lower in _CLAUSE_STARTS
            or lower in _CLAUSE_VERBS
            or lower in ("and", "or", "as", "which", "who")
        ):
            break
        inner = start < index and _INNER.match(word) and "$" not in word
        if not (inner or _PLAIN.match(word.lstrip("(")) or _NAME.match(word)):
            return None
        start -= 1
        if word[0] == "(" or index - start > 5:
            return None
    return start if start < index else None


def _head_number(phrase: list[str]) -> Number | None:
    """Return whether the last noun of a phrase is singular or plural; None if it is not clear."""
    first = phrase[0].lower()
    if len(phrase) == 1 and first in DETERMINERS:
        return {"these": "plural", "those": "plural", "both": "plural", "this": "singular"}.get(  # type: ignore[return-value]
            first
        )
    number = noun_number(phrase[-1])
    letter = len(phrase) > 1 and re.fullmatch(r"[A-Z]|[IVX]{1,4}", phrase[-1])
    if letter and first in ("vitamin", "type", "group", "class", "factor", "complex", "protein"):
        return "singular"
    if not number:
        return None
    activity = first.endswith("ing") and first not in _DESCRIBING
    if activity and len(phrase) > 1 and number == "plural":
        return None  # "training models": an activity or the models
    if first in ("a", "an", "each", "every", "another") and number == "plural":
        return None
    return number


def _quantity(words: list[str], of: int, number: str) -> Number | None:
    """Return whether "some of ...", "a number of ..." and similar phrases are singular or plural;
    None for other phrases.
    """
    noun = words[of - 1].lower()
    start = _phrase_start(words, of)
    article = words[start].lower() if start is not None else ""
    if noun in _SINGULAR_HEADS:
        return "singular"
    if noun in _QUANTITY_HEADS:
        return number if number == "plural" else ""  # type: ignore[return-value]
    if noun in _OPEN_QUANTITIES and article in _QUANTITY_OPENINGS:
        return "plural" if number == "plural" and noun in ("number", "variety", "range") else ""
    return None
