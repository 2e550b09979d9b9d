"""Add a hedge to a plain statement.

Only statements about what is or follows are hedged; definitions, conditions, plans, commands and
sentences about the paper itself are left alone, and so is whatever is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit_robustrev.citation_phrases import is_name
from revkit_robustrev.guards import (
    BE,
    BETWEEN,
    DETERMINERS,
    HAVE,
    MODALS,
    PRONOUNS,
    is_third_person_verb,
    last_plain,
    looks_plural,
    words,
)
from revkit_robustrev.hedge_evidence import (
    add_quality,
    add_report,
    add_showing,
    add_showing_quality,
    derived,
)
from revkit_robustrev.hedge_lexicon import lexicon
from revkit_robustrev.hedge_limits import (
    CHOICE,
    COMPONENTS,
    MEASURED,
    OUTLINE,
    OWN_DESIGN,
    claims,
    clause_before,
    in_parentheses,
    measured_fact,
    negated_before,
    no_claim,
    own_fact,
)
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, HedgePlace
from revkit_robustrev.hedge_words import (
    ABOUT_THE_PAPER,
    CLAIM_VERBS,
    DEGREES,
    DESIGN_VERBS,
    GRADED,
    KNOWN_VERBS,
    NEEDS,
    RELATIONS,
)
from revkit_robustrev.subjects import PREPOSITIONS, noun_number

_NO_SUBJECT = (
    DETERMINERS
    | PREPOSITIONS
    | MODALS
    | NEGATIONS
    | BE
    | HAVE
    | words(
        "and or but only even not there here it we i you what who do does did et al longer below"
        " although though while whereas because since less more most least usually typically"
        " above following next later first never nothing far here same latter"
    )
)
# "May usually" says two things; "only" and "early" are not adverbs of the verb.
_NO_ADVERBS = words("only early usually typically generally commonly normally really mostly")
# Who can: a choice or an ability.
_NO_CAN = (
    words(
        "we one you i they users user it who people humans animals activations researchers"
        " practitioners authors engineers scientists developers designers clinicians physicians"
        " states governments companies organizations institutions policymakers students teachers"
        " readers reviewers experts attackers adversaries operators"
    )
    | MODALS
    | NEGATIONS
    | BE
    | HAVE
)
_REASONS = words("since because as that so it they")
_BACK = words("which that this these")
_SHARES = words("mostly mainly largely primarily chiefly")
_ARTICLES = words("the a an this our its their each")
_FINITE = BE | HAVE | MODALS | words("do does did")
_NO_PREDICATE = (
    PREPOSITIONS
    | NEGATIONS
    | PRONOUNS
    | words(
        "to that because why how when where if due likely unlikely possible possibly probably"
        " perhaps thus therefore hence also only just still then now often always usually typically"
        " equal worth such there called shown given taken done made built found seen known written"
        " drawn chosen kept left held set put run cut learned sent fed split led brought based able"
        " as so up down at both each all either neither one two three four five six seven eight"
        " nine ten first second however meant understood said apparently true false as like reset"
        " cast available respectively seldom rarely almost nearly too enough far sure ready"
        " responsible around roughly approximately about"
    )
)
_EVALUATIVE = re.compile(
    r"[ \n](?:an?|the)(?:[ \n](?:[a-z]{2,20}ly|very|quite|more|most|less))?[ \n]"
    r"(?:natural|promising|good|strong|simple|major|challenging|important|powerful|effective|useful|valid"
    r"|hard|difficult|crucial|general|robust|viable|suitable|reasonable|significant|practical"
    r"|interesting|better|critical|serious|severe|notable|clear|limiting)\b"
)
# What follows from the sentence before, or is wished.
_FOLLOWS = words("hope hopes implies imply implied implying therefore thus hence so consequently")
_SECOND_VERB = re.compile(
    r"[ \n](?:and|but)[ \n](?:also[ \n]|thus[ \n]|[a-z]{2,20}ly[ \n])?([a-z]{2,20}s)\b"
)
# What the author computed or chose: how much something costs or how large it is.
_KNOWN_SIZES = words(
    "cost costs complexity overhead time size number memory runtime budget dimension dimensionality"
    " length depth width speed chance rate rates accuracy accuracies error errors implementation"
)
_SETTLED = re.compile(
    r"[ \n]ensure\b|[ \n](?:since|because)\b"
    r"|,[ \n](?:and[ \n]instead|so|therefore|hence|thus)\b"
)
_HENCE = re.compile(r"\b(?:hence|thus|therefore|so|since|because|will)\b", re.IGNORECASE)
# A merit that the author states, and a fact that is conceded.
_MERIT = re.compile(
    r"\b(?:propert(?:y|ies)|advantages?|benefits?|strengths?|features?|merits?|virtues?)\b"
    r"[^.;,]*\b(?:is|are|was|were) that\b",
    re.IGNORECASE,
)
_CONCEDED = re.compile(r"(?:Although|Though|While|Whereas|Even though)\b[^,]*\Z")
_SHOWN_THAT = re.compile(
    r"\b(?:shows?|showed|shown|demonstrate[sd]?|prove[sdn]?|reveals?|revealed|confirms?) that\b"
)
# "Deep networks ...": a kind of thing, not a part of this paper's method.
_GENERIC = re.compile(
    r"[A-Z][a-z]+[ \n](?:[a-z-]{2,20}[ \n]){0,3}(?:networks|models|methods|approaches|algorithms"
    r"|techniques|systems|agents|classifiers|architectures|representations|policies|gradients)[ \n]"
)
# What was checked, computed, or is by its making.
_FACTS = words(
    "incorrect inaccurate wrong valid lacking expensive costly cheap cheaper slow slower fast"
    " faster simple simpler long longer short shorter"
)
_POINTING = DETERMINERS | words("many most few other existing previous recent proposed resulting")
_FIELD = re.compile(
    r"[^,.;]{0,60}\b(?:problems?|tasks?|challenges?|questions?|topics?|fields?|areas?)\b"
)
_PART = re.compile(
    r"[^,.;]{0,40}\b(?:sources?|parts?|components?|members?|crops?|foods?|nutrients?|constituents?"
    r"|technolog\w{1,3}|techniques?|tools?|methods?)\b"
)
_STATED = re.compile(
    r"[^,.;]{0,40}\b(?:facts?|ideas?|examples?|assumptions?|exercises?|coincidence)\b"
)
_PLAIN_WORD = re.compile(r"[ \n]([a-z][a-z-]*)(?=[ \n,.;)])")
_THAN_FIGURE = re.compile(r"[ \n](?:than|as|at|by)[ \n](?:[a-z]+[ \n]){0,2}\d")
_PREDICATE_END = re.compile(
    r"[,.;)]|[ \n](?:and|or|but|than|to|for|in|on|at|with|as|because|since|due|given|by|under|from"
    r"|compared|across|without|enough|while|about|during|between|over|even|when|here|there)\b"
)


def add_hedge(place: HedgePlace) -> Edit | None:
    """Return the edit that hedges the form at ``place``, or None where that is not safe."""
    action = place.hedge.action
    if place.form[0].isupper() or measured_fact(place.text, place.low, place.high):
        return None
    if action in _OF_THE_WORLD and not _of_the_world(place):
        return None
    if place.text[place.high - 1] not in ".!?)]\"'’”":
        return None  # a sentence that the text cuts off
    edit = _ACTIONS[action](place)
    if edit is None or no_claim(place) or in_parentheses(place) or negated_before(place):
        return None
    return edit


def _of_the_world(place: HedgePlace) -> bool:
    """Whether the sentence claims something of the world: not of the paper's method or findings.

    The subject must be no component of a method and no name, and the clause no reason.
    """
    if own_fact(place.text, place.low, place.high):
        return False
    clause = clause_before(place)
    subject = clause.split()
    first = subject[0] if subject else ""
    if first.lower() in _REASONS or is_name(first):
        return False
    if any(sum(letter.isupper() for letter in word) > 1 for word in subject):
        return False  # "LR improves": a part of the method by its acronym
    opening = place.text[place.low : place.low + 16].lower().split(",")[0]
    follows = _FOLLOWS & {opening, *clause.lower().split()}
    if _SHOWN_THAT.search(place.text, place.low, place.start):
        return False
    if _MERIT.search(place.text, place.low, place.start):
        return False
    if place.hedge.action != "add-can" and _CONCEDED.match(place.text[place.low : place.start]):
        return False
    if follows or " ensure " in place.rest or _half_hedged(place):
        return False
    if first.lower() in _BACK and place.hedge.action == "add-can":
        clause = place.text[place.low : place.start]
    named = any(letter.isupper() for word in subject[1:] for letter in word)
    if _GENERIC.fullmatch(place.text[place.low : place.start]) and first.lower() not in _POINTING:
        return True
    return not (named or OWN_DESIGN.search(clause) or COMPONENTS.search(clause))


def _half_hedged(place: HedgePlace) -> bool:
    """Whether a second verb of the same subject would stay sure: "may prevent A and leads to B"."""
    return any(
        word[:-1] in KNOWN_VERBS or word[:-2] in KNOWN_VERBS or word in ("is", "has")
        for word in _SECOND_VERB.findall(place.rest.partition(";")[0])
    )


def _subject(place: HedgePlace) -> str:
    """The word before the verb if it can end its subject; "" otherwise."""
    word = place.before.word
    if place.before.mark or not re.fullmatch(r"[a-z][a-z-]*", word):
        return ""
    head = place.text[place.low : place.start].split()
    if head and head[-1][0].isupper() and len(head) > 1:
        return ""
    if word in ("this", "these", "they", "which", "that", "those"):
        return word
    if word in _NO_SUBJECT or word in ABOUT_THE_PAPER or word.endswith(("ly", "ed", "ing")):
        return ""
    return word


def _add_copula(place: HedgePlace) -> Edit | None:
    subject = _subject(place)
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if not subject or following is None:
        return None
    singular = place.form == "is"
    if subject in ("which", "that") or _HENCE.search(place.text, place.low, place.start):
        return None
    if re.search(r"applications|indisputabl|unquestionabl", place.rest):
        return None  # why a field matters, and what is said to be sure
    if subject in _KNOWN_SIZES or _SETTLED.search(place.rest):
        return None
    if subject:
        number = {"this": "singular", "these": "plural", "those": "plural", "they": "plural"}.get(
            subject, noun_number(subject)
        )
        if singular and number != "singular":
            return None
        if not singular and number != "plural":
            return None
    word = following[1]
    if word in _NO_PREDICATE or word.endswith(("ed", "ing")) or looks_plural(word):
        return None
    article = word in ("a", "an", "the")
    if article and ("$" in place.text[place.low : place.high] or subject in ("that", "which")):
        return None
    if word in DETERMINERS and not (article and _EVALUATIVE.match(place.rest)):
        return None
    if article and re.fullmatch(r"(?!Th|It)[A-Z]\w*\s", place.text[place.low : place.start]):
        return None  # a name, and what it is
    if article and _PART.match(place.rest):
        return None  # "a good source of protein": it is known
    if article and (_FIELD.match(place.rest) or _STATED.match(place.rest)):
        return None  # what a field works on is not a claim of this paper
    if not article and not _graded(place, following):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _graded(place: HedgePlace, following: re.Match[str]) -> bool:
    """Whether an adjective of degree or worth follows, by itself: "small", "much lower than"."""
    end, word = following.end(), following[1]
    if word in DEGREES or (word.endswith("ly") and word not in ("only", "likely")):
        second = _PLAIN_WORD.match(place.text, end, place.high)
        if second is None:
            return False
        if word in ("more", "less") and second[1] not in _NO_PREDICATE:
            return not re.match(r"[ \n][a-z]", place.text[second.end() : place.high]) or bool(
                _PREDICATE_END.match(place.text, second.end(), place.high)
            )
        end, word = second.end(), second[1]
    if _THAN_FIGURE.match(place.text, end, place.high):
        return False
    return word in GRADED - RELATIONS - _FACTS and bool(
        _PREDICATE_END.match(place.text, end, place.high)
    )


def _with_adverb(place: HedgePlace, subject_ok: Callable[[str], bool]) -> Edit | None:
    """Put "may" before the verb and before an adverb in front of it."""
    if not re.match(r"[ \n][A-Za-z(]|[.,]", place.rest) or "contradiction" in place.rest:
        return None
    if place.after.word in _FINITE:
        return None  # "experiment results are ...": the form is a noun
    wanted = NEEDS.get(place.form)
    if wanted is not None and place.after.word not in wanted:
        return None
    if "normal " in place.text[place.low : place.start]:
        return None  # "under normal conditions": how it always is
    if MEASURED.match(place.rest) or "not only" in place.rest or "the number of" in place.rest:
        return None
    if place.hedge.new == "raise" and _RAISED.match(place.rest):
        return None  # "this may raise an important question"
    if place.hedge.new == "achieve" and place.after.word in ("this", "that", "these"):
        return None  # "they achieve this goal by ..."
    if place.hedge.new in DESIGN_VERBS and OWN_DESIGN.search(place.text, place.low, place.high):
        return None
    word = place.before.word
    start = place.start
    new = f"may {place.hedge.new}"
    if word == "also" or word == "further" or (word.endswith("ly") and word not in _NO_ADVERBS):
        before = place.before.words
        if place.before.mark or len(before) < 2:
            return None
        start = place.start - len(word) - 1
        if place.text[start : place.start].lower() != f"{word} " or place.text[start].isupper():
            return None
        word = before[-2]
        new = f"may {place.text[start : place.start]}{place.hedge.new}"
    elif word in BETWEEN or word in DEGREES:
        return None
    if place.before.mark or not subject_ok(word):
        return None
    if place.hedge.new in DESIGN_VERBS and word in ("that", "which"):
        return None
    return Edit(start, place.end, new, place.hedge.action)


_RAISED = re.compile(
    r"[ \n](?:an?|the|another|several|many|some|further)?[^.;,]{0,40}\b(?:questions?|needs?|issues?"
    r"|concerns?|possibility|problems?|demands?)\b"
)


def _third_subject(word: str) -> bool:
    if word in ("this", "it", "which", "that"):
        return True
    if re.fullmatch(r"[a-z][a-z-]*-v?\d+", word):
        return True  # a name such as "BERT-2"
    return word not in _NO_SUBJECT | ABOUT_THE_PAPER and noun_number(word) == "singular"


def _plural_subject(word: str) -> bool:
    if word in ("these", "those", "they"):
        return True
    return word not in ABOUT_THE_PAPER | EVIDENCE and looks_plural(word)


def _add_modal(place: HedgePlace) -> Edit | None:
    return _with_adverb(place, _third_subject)


def _add_shown(place: HedgePlace) -> Edit | None:
    """ "Has been shown to help" becomes "appears to help": what others showed is reported less
    surely."""
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is None or place.before.mark or following[1] in _NO_PREDICATE - {"not"}:
        return None
    if _AFTERWARDS.match(clause_before(place)):
        return None  # "After A has been shown to occur"
    if re.search(r"\b[Rr]ecent(?:ly| years)\b", place.text[place.low : place.start]):
        return None  # the perfect tense states when it was shown
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_AFTERWARDS = re.compile(
    r"\s*(?:after|once|when|if|until|before|unless|whenever|as soon)\b", re.IGNORECASE
)


def _add_can(place: HedgePlace) -> Edit | None:
    """ "Can reduce" becomes "may reduce", where the verb is one of effect."""
    before = place.before
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is None or before.mark or before.word in _NO_CAN or not before.word.isalpha():
        return None
    verb = following[1]
    known = verb in CLAIM_VERBS or verb == "be"
    if (
        verb in ("produce", "differ", "serve", "vary")
        or "arbitrar" in place.rest
        or re.search(r"\busers?\b", place.text[place.low : place.high])
    ):
        return None  # what is left to choice
    if not known or not claims(place.text[following.end() : place.high], verb):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _add_modal_noun(place: HedgePlace) -> Edit | None:
    if not is_third_person_verb(place.before, place.after) or last_plain(place.before) == "and":
        return None
    after, wanted = place.after.word, NEEDS.get(place.form, DETERMINERS - {"that", "which"})
    if after not in wanted:
        return None  # "correct results that show ...", "experiment results showed ..."
    head = place.text[place.low : place.start].lower().split()[-2:]
    pronoun = place.before.word in ("this", "it", "which")
    if not pronoun and (len(head) < 2 or head[0] not in _ARTICLES):
        return None  # "distributed training results": a noun, as often as not
    return _with_adverb(place, _third_subject)


def _add_modal_plural(place: HedgePlace) -> Edit | None:
    """After a plural subject; not where the verb may be an infinitive ("helps models improve")."""
    clause = re.split(r"[;:,]", place.text[max(place.low, place.start - 120) : place.start])[-1]
    earlier = set(clause.lower().split())
    if not earlier.isdisjoint(
        MODALS
        | words(
            "do does did help helps make makes let lets making letting helping and or observe"
            " observing see seeing watch watching have has"
        )
    ):
        return None
    return _with_adverb(place, _plural_subject)


_EASE = re.compile(
    r"[ \n](?:(?:very|more|much|quite|rather|extremely|often)[ \n])?(?:difficult|hard|harder|easy"
    r"|easier|possible|impossible|challenging|feasible|infeasible|necessary|attractive|suitable"
    r"|unsuitable|impractical|prone|susceptible|vulnerable|expensive)\b"
)


def _add_makes(place: HedgePlace) -> Edit | None:
    """ "This makes it hard to see" becomes "This may make it hard to see"."""
    if not _EASE.match(place.rest) or last_plain(place.before) in ("and", "to"):
        return None
    singular = place.form.startswith("makes")
    subject_ok = _third_subject if singular else _plural_subject
    return (
        Edit(place.start, place.end, place.hedge.new, place.hedge.action)
        if not place.before.mark and subject_ok(place.before.word)
        else None
    )


def _add_arguably(place: HedgePlace) -> Edit | None:
    """ "A is one of the most" becomes "A is arguably one of the most"."""
    if _COUNTABLE.match(place.rest):
        return None  # "one of the most common": that can be counted
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_COUNTABLE = re.compile(
    r"[ \n](?:[a-z]{2,20}[ \n](?:and[ \n])?){0,2}(?:common|commonly|frequent|frequently|studied"
    r"|cited|cultivated|used|consumed|produced|abundant|prevalent|populous|grown|traded|expensive"
    r"|recent)\b"
)


def _add_cause(place: HedgePlace) -> Edit | None:
    start, before = place.start, place.before
    if before.word in _SHARES:
        return None  # "possibly mainly due to"
    if place.after.word in ("of", "one", "we"):
        return None
    if before.word not in ("is", "are", "was", "were") and not _explains(place):
        return None
    if CHOICE.search(place.text, place.low, min(place.high, place.end + 60)):
        return None  # the author knows why he chose
    if re.match(r"[ \n]\w+[ \n](?:can|cannot)\b", place.rest):
        return None  # "because they can cause problems": a plain reason
    if " reasons " in place.rest or re.search(
        r"[$=]", place.text[max(0, place.low - 200) : place.low]
    ):
        return None  # causes that follow, or a step of a calculation
    if (
        derived(place)
        or " would " in place.rest
        or "number of" in place.text[place.low : place.high]
    ):
        return None  # a reason in mathematics, or what the author counted
    if place.form == "due to" and place.rest.startswith(" the fact"):
        return None
    if _POSSIBLE.search(place.text, place.low, place.high) or before.word in _NO_REASON:
        return None
    if _ANNOUNCED.match(place.rest) or _TERM.search(place.text, place.low, place.start):
        return None  # the causes follow, or the author wrote the formula
    return Edit(start, start, "possibly ", place.hedge.action)


_POSSIBLE = re.compile(
    r"\b(?:possib\w+|alternativ\w+|hypothes\w+|explanations?|plausibl\w+|speculat\w+|unclear"
    r"|whether|challenges?|difficult(?:y|ies)|proposed here)\b",
    re.I,
)
_ANNOUNCED = re.compile(
    r"[ \n](?:an?|the|two|three|four|several|many|various|multiple|both)[ \n]"
    r"(?:[a-z]+[ \n]){0,4}(?:reasons|factors|causes|aspects|issues)\b"
)
_TERM = re.compile(
    r"\b(?:first|second|third|fourth|last|former|latter|middle)[ \n](?:[a-z]+[ \n])?"
    r"(?:term|summand|factor)\b",
    re.IGNORECASE,
)


def _explains(place: HedgePlace) -> bool:
    """Whether "because" gives a cause of what happens in the world, after a whole clause."""
    text, low, high = place.text, place.low, place.high
    head = text[low : place.start].split()
    return (
        place.form == "because"
        and len(head) >= 5
        and place.after.word in ("the", "they", "these", "there", "most", "many", "such", "their")
        and place.before.word not in NEGATIONS | _SHARES | _NO_REASON
        and not own_fact(text, low, high)
        and not OWN_DESIGN.search(text, low, high)
        and not COMPONENTS.search(text, low, high)
        and not CHOICE.search(text, low, high)
    )


_NO_REASON = words(
    "though although only just simply merely precisely exactly and or but possibly probably perhaps"
    " especially particularly notably even also not"
)


def _add_will(place: HedgePlace) -> Edit | None:
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is None or place.before.word in BETWEEN or not _subject(place):
        return None
    if OUTLINE.search(place.text, place.low, place.high):
        return None
    verb = lexicon().addition.get(following[1])
    if verb is None or verb.action != "add-modal-plural":
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _add_likely(place: HedgePlace) -> Edit | None:
    """ "A clear explanation" becomes "a likely explanation", where the author did not choose."""
    if place.before.word not in ("a", "the", "one") or CHOICE.search(place.rest):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


# Where a paper speaks of the world; elsewhere, of its method and of what it measured.
_OF_THE_FIELD = re.compile(
    r"abstract|introduc|related|background|discussion|conclu|motivation|limitation|future"
    r"|previous|prior work|literature|overview|implications",
    re.IGNORECASE,
)
_ANYWHERE = ("add-can", "add-makes")


def allowed_in(section: str, action: str) -> bool:
    """Whether ``action`` may hedge a sentence of ``section``; "" is before the first heading.

    In a section on the method or the results, a plain statement of the world is more often a
    measured or designed fact than a claim. Such sentences are left out.
    """
    of_the_world = action in _OF_THE_WORLD and action not in _ANYWHERE
    return not (of_the_world and section) or bool(_OF_THE_FIELD.search(section))


# Actions that make a claim of the world less certain; the others weaken what evidence shows.
_OF_THE_WORLD = (
    "add-copula",
    "add-modal",
    "add-modal-plural",
    "add-modal-noun",
    "add-can",
    "add-will",
    "add-makes",
)


_ACTIONS: Mapping[str, Callable[[HedgePlace], Edit | None]] = {
    "add-copula": _add_copula,
    "add-modal": _add_modal,
    "add-modal-noun": _add_modal_noun,
    "add-modal-plural": _add_modal_plural,
    "add-report": add_report,
    "add-cause": _add_cause,
    "add-will": _add_will,
    "add-likely": _add_likely,
    "add-can": _add_can,
    "add-shown": _add_shown,
    "add-quality": add_quality,
    "add-showing": add_showing,
    "add-showing-quality": add_showing_quality,
    "add-makes": _add_makes,
    "add-arguably": _add_arguably,
}
