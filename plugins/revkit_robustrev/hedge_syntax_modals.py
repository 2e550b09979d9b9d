"""Take "may", "might" and "could" out of a claim, with the grammar that the parse shows."""

from __future__ import annotations

import re

from revkit import Edit
from revkit.grammar import Token
from revkit_robustrev.finite_verbs import finite
from revkit_robustrev.guards import PRONOUNS, words
from revkit_robustrev.hedge_limits import clause_before, on_condition
from revkit_robustrev.hedge_modals import LISTED, NOT_DONE
from revkit_robustrev.hedge_past import DID
from revkit_robustrev.hedge_place import NEGATIONS
from revkit_robustrev.hedge_syntax import ParsedPlace
from revkit_robustrev.hedge_words import PEOPLE
from revkit_robustrev.restructuring.inflection import finite_form

# What a thing is or means, not what it is able to do: no "can" is before these verbs.
_STATES = words(
    "want need know prefer seem appear belong consist lack mean remain matter resemble involve"
    " suit deserve owe own possess share imply indicate suggest represent reflect"
    " correspond signify denote entail encode constitute stem derive originate descend"
    " underlie explain account participate function pertain relate wish wonder like love hate"
    " concern comprise hint point reside lie differ depend rely require result"
)
# States that are also claimed of a kind of thing.
_PEOPLE = PEOPLE | words(
    "farmers farmer students student customers customer consumers consumer individuals individual"
    " women men children persons person adults mothers parents households workers respondents"
    " policymakers developers developer experts expert annotators annotator attackers attacker"
    " adversary adversaries he she anybody somebody others some growers engineers reviewers"
    " labelers raters evaluators crowdworkers organizations companies governments government"
)
_CONCLUSIONS = words("expect conclude infer")  # "we may expect" is a claim, no permission
_CAUSED = words(
    "due because caused explained attributed attributable related associated involved mediated"
    " regulated driven linked derived influenced affected responsible needed required owing"
    " induced triggered inherited controlled determined correlated implicated"
)
_CHOSEN = words(
    "written expressed defined chosen divided classified categorized categorised grouped denoted"
    " computed formulated rewritten set omitted sampled initialized abbreviated called named"
    " subdivided viewed seen regarded"
)
_NO_CAN_BE = words(
    "able due unable possible impossible aware necessary unnecessary likely unlikely because that"
    " the there about based worth present absent identical equal same responsible"
)
_DEFINITE = words("this that these those the our its their both")
_IMAGINED = re.compile(
    r"\b(?:if|unless|otherwise|were to|ideally|alternatively|optional(?:ly)?"
    r"|(?:may|might) or (?:may|might) not|(?:may|might) as well)\b",
    re.IGNORECASE,
)
# In the clause of the modal itself.
_UNREAL = re.compile(r"\b(?:would|had|should|without|either|neither)\b", re.IGNORECASE)
_WOULD = re.compile(r"\bwould\b")
_BREAK = re.compile(r"[;:—]|,[ \n]|[ \n](?:and|but|while|because|which)[ \n]")
_MATHS = re.compile(r"[$=\\{}<>≤≥]")
_REPORTING = words(
    "suggest indicate imply believe think hypothesize hypothesise speculate conclude show"
    " argue demonstrate reveal propose mean conjecture suspect infer postulate confirm"
)
_PERFECT = re.compile(r"[ \n](?:[a-z]+ly[ \n])?have[ \n](?:[a-z-]+(?:ed|en|wn)\b|[a-z]+-[ \n])")
_FOR_THINGS = words("it that which they we")
_OPEN_CHOICE = words("any either or possible probable likely possibly perhaps")
_OF_ONE = words("have occur happen contain include take get")  # of one thing, no case
_ALWAYS = words("always necessarily fully entirely completely generally exactly only even yet")


def modal_edit(parsed: ParsedPlace) -> Edit | None:
    """Return the plain verb, the past, "does not always" or "can" in place of a modal, or None."""
    place, token = parsed.place, parsed.token
    if token is None or token.tag != "MD" or place.form[0].isupper():
        return None
    if place.before.word in NEGATIONS | {"or"}:
        return None
    verb = parsed.parse.tokens[token.head]
    if verb.index < token.index or verb.index - token.index > 6 or verb.pos not in ("VERB", "AUX"):
        return None
    if parsed.supposed(verb) or _in_list(parsed, token, verb):
        return None
    if LISTED.search(place.text, place.low, place.high):
        return None  # "several reasons: (1) noise may have grown; (2)"
    subject = parsed.subject(verb)
    if subject is None or _is_person(parsed, subject, verb):
        return None
    between = parsed.parse.tokens[token.index + 1 : verb.index]
    if any(each.dep not in ("neg", "advmod", "aux", "auxpass") for each in between):
        return None
    if _MATHS.search(parsed.written(token.index, verb.index)):
        return None
    if any(each.dep == "neg" or each.lower == "not" for each in between):
        return _denied(parsed, verb)
    if any(each.lower == "have" for each in between):
        return _past(parsed, verb)
    if _is_unreal(parsed):
        return None
    if place.form == "could" and not _of_belief(parsed, verb):
        return None
    if place.form == "might" and on_condition(place):
        return None
    head = _first_verb(parsed, token, verb)
    if head is None:
        return None
    return _plain(parsed, verb, head) or _can(parsed, verb, head)


def _first_verb(parsed: ParsedPlace, modal: Token, verb: Token) -> Token | None:
    """The base verb behind the modal: "be" of a passive, else ``verb`` itself."""
    for each in parsed.parse.tokens[modal.index + 1 : verb.index + 1]:
        if each.lower == "be" or each.index == verb.index:
            return each if each.lower.isalpha() and each.text.islower() else None
    return None


def _in_list(parsed: ParsedPlace, modal: Token, verb: Token) -> bool:
    """Whether the modal, or its clause, is joined to another one by "or"."""
    before, head = parsed.before(modal), parsed.parse.tokens[verb.head]
    joined = verb.dep == "conj" and any(
        each.lower == "or" and each.index < verb.index for each in parsed.parse.having(head, "cc")
    )
    return joined or (before is not None and before.lower in ("or", "/", "and/or"))


def _is_person(parsed: ParsedPlace, subject: Token, verb: Token) -> bool:
    lower = subject.lower
    if lower in ("who", "whom"):
        return True
    if lower in ("that", "which"):
        noun = parsed.governing_noun(subject)
        return noun is not None and noun.lower in _PEOPLE
    expects = lower == "we" and verb.lemma in _CONCLUSIONS
    return lower in _PEOPLE and not expects


def _is_unreal(parsed: ParsedPlace) -> bool:
    """Whether a case is only imagined, or one of two."""
    place = parsed.place
    ahead = _BREAK.split(place.text[place.start : place.high])[0]
    behind = _BREAK.split(place.text[place.low : place.start])[-1]
    imagined = _IMAGINED.search(place.text, place.low, place.high)
    return bool(_UNREAL.search(behind + ahead) or (imagined and place.form != "may"))


def _of_belief(parsed: ParsedPlace, verb: Token) -> bool:
    """Whether "could" doubts what is the case: no ability in the past, no measured change."""
    tokens, subject = parsed.parse.tokens, parsed.subject(verb)
    if subject is None or subject.lower == "there" or _MEASURED.match(parsed.place.rest):
        return False
    if re.search(r"\bso (?:that )?(?:we|they|it|one|you)\s\Z", clause_before(parsed.place)):
        return False  # a purpose: "so they could compare it"
    before = parsed.before(subject)
    comma = before is not None and before.text == ","
    if subject.lower in ("this", "these") or (subject.lower == "which" and comma):
        return True
    if _is_reported(parsed, verb):
        return not any(token.tag == "VBD" for token in parsed.parse.subtree(verb))
    if _PERHAPS.match(parsed.place.rest):
        return True
    if any(token.tag == "VBD" for token in tokens):
        return False
    if verb.lower in _CAUSED or parsed.place.rest[1:].startswith(("be due", "also be due")):
        return True
    if parsed.place.after.word == "be" and _predicate(parsed, verb, tokens[verb.index]) == "state":
        known = subject.lower == "it" or subject.lemma in _ACCOUNTS
        return known or (_graded(parsed, verb) and _kind(parsed, subject) != "one")
    general = _kind(parsed, subject) == "any" or subject.dep == "csubj"
    return general or any(token.tag in ("VBZ", "VBP") for token in tokens)


_PERHAPS = re.compile(r"[ \n](?:also[ \n])?(?:potentially|possibly|perhaps)[ \n]")
_MEASURED = re.compile(r"[^.;]{0,60}(?:\b(?:by|to)[ \n](?:up to[ \n])?\d|\d ?%)")
_ACCOUNTS = words("explanation reason cause factor possibility mechanism difference limitation")


def _is_reported(parsed: ParsedPlace, verb: Token) -> bool:
    """Whether a verb such as "suggest" introduces the clause of ``verb``."""
    current = verb
    for _ in range(8):
        head = parsed.parse.tokens[current.head]
        if current.dep == "ccomp" and head.lemma in _REPORTING and head.index < verb.index:
            return True
        if current.dep not in ("ccomp", "conj", "xcomp", "advcl"):
            return False
        current = head
    return False


def _kind(parsed: ParsedPlace, subject: Token) -> str:
    """ "one" where the subject names known things, "any" where it names a kind, or some of it."""
    lower = subject.lower
    if lower == "which" or (lower == "that" and subject.tag == "WDT"):
        return "relative"
    if lower in ("it", "this", "these", "those", "they", "both", "that"):
        return "one"
    children = parsed.parse.children[subject.index]
    if any(child.lower in ("all", "only", "most", "none") for child in children):
        return "one"
    if any(child.lower in _DEFINITE and child.index < subject.index for child in children):
        return "one"
    if any(child.dep == "poss" for child in children):
        return "one"
    return "one" if subject.tag in ("NNP", "NNPS") or subject.dep.startswith("csubj") else "any"


def _predicate(parsed: ParsedPlace, verb: Token, head: Token) -> str:
    """What is said with "be": "cause", "state", "passive" or "" for another verb."""
    if head.lower != "be":
        return ""
    if verb.index != head.index and verb.tag == "VBG":
        return "state"  # "may be learning"
    if verb.index != head.index:  # a passive
        return "cause" if verb.lower in _CAUSED else "passive"
    following = [
        token
        for token in parsed.parse.tokens[verb.index + 1 : verb.index + 5]
        if token.dep not in ("advmod", "neg", "punct")
    ]
    first = following[0].lower if following else ""
    if first in _CAUSED:
        return "cause"
    return "state"


def _plain(parsed: ParsedPlace, verb: Token, head: Token) -> Edit | None:
    """ "May reflect" becomes "reflects", where the parse and the words show one number."""
    place, subject = parsed.place, parsed.subject(verb)
    assert subject is not None
    kind, predicate = _kind(parsed, subject), _predicate(parsed, verb, head)
    if subject.dep == "expl":
        return _there_is(parsed, verb, head)
    if kind == "relative" and not parsed.one_reading(subject):
        return None
    if place.form == "could" and _WOULD.search(place.text, place.low, place.high):
        return None  # "this would cost time, and errors could result in"
    if subject.lower == "it" and place.text[parsed.end(head) :].startswith(" that "):
        return None  # "it may be that"
    if _MATHS.search(clause_before(place) + place.rest[:40]):
        return None
    if any(each.lower in _OPEN_CHOICE for each in parsed.parse.subtree(subject)):
        return None
    said = {each.lower for each in parsed.parse.subtree(verb) if each.index > verb.index}
    if said & _OPEN_CHOICE:
        return None  # "may belong to any of them", "may be the probable cause"
    of_state = verb.lemma in _STATES or predicate in ("cause", "state")
    if not of_state or (predicate == "state" and kind == "any" and _graded(parsed, verb)):
        return None
    number = parsed.number(verb)
    if not number or parsed.shared(verb):
        return None
    token = parsed.token
    assert token is not None
    adverbs = _adverbs(parsed, token, head)
    if adverbs is None:
        return None
    new = finite(adverbs, head.lower, number == "singular")
    return Edit(place.start, parsed.end(head), new, place.hedge.action)


def _adverbs(parsed: ParsedPlace, first: Token, last: Token) -> str | None:
    """The adverbs between the modal and its verb, without hedges; None if others are there."""
    from revkit_robustrev.hedge_lexicon import lexicon

    found = []
    for token in parsed.parse.tokens[first.index + 1 : last.index]:
        if token.dep != "advmod" or token.lower == "well":
            return None  # "may well reflect"
        if token.lower not in lexicon().removal:
            found.append(token.text)
    return "".join(f"{word} " for word in found)


def _graded(parsed: ParsedPlace, verb: Token) -> bool:
    """Whether an adjective follows "be"."""
    found = parsed.parse.child(verb, "acomp")
    return found is not None and found.lower not in _NO_CAN_BE


def _there_is(parsed: ParsedPlace, verb: Token, head: Token) -> Edit | None:
    """ "There may be a gap" becomes "there is a gap" after a report, else "there can be"."""
    place = parsed.place
    if head.lower != "be":
        return None
    noun = parsed.parse.child(verb, "attr", "dobj", "nsubj")
    reported = any(
        each.lemma in _REPORTING and each.index < verb.index for each in parsed.governors(verb)
    )
    if noun is None or not reported or parsed.parse.child(noun, "conj") is not None:
        return None
    if noun.tag not in ("NN", "NNS") or noun.index <= verb.index:
        return None
    token = parsed.token
    assert token is not None
    adverbs = _adverbs(parsed, token, head)
    if adverbs is None:
        return None
    new = finite(adverbs, "be", noun.tag == "NN")
    return Edit(place.start, parsed.end(head), new, place.hedge.action)


def _can(parsed: ParsedPlace, verb: Token, head: Token) -> Edit | None:
    """ "May lead to" becomes "can lead to", which any subject takes."""
    place, subject = parsed.place, parsed.subject(verb)
    assert subject is not None
    if verb.lower == "have" and _PERFECT.match(place.rest):
        return None  # "may have under- or over-estimated"
    if verb.lemma in _STATES or subject.lower in PRONOUNS - _FOR_THINGS:
        return None
    if verb.lemma == "exist" or (verb.lemma in _OF_ONE and _kind(parsed, subject) == "one"):
        return None
    if head.lower == "be":
        following = parsed.after(head)
        if following is None or following.lower in _NO_CAN_BE | {"of", "in", "a", "an", "one"}:
            return None
        predicate = _predicate(parsed, verb, head)
        if predicate == "passive" and verb.lower in _CHOSEN:
            return None  # what is defined or free, and doubted by nobody
        if predicate == "state":
            adjective = parsed.parse.child(verb, "acomp")
            if adjective is None or adjective.lower in _NO_CAN_BE or adjective.tag == "JJS":
                return None
            if _kind(parsed, subject) == "one" and place.form != "may":
                return None
        if predicate == "cause" and verb.lower in ("due", "because"):
            return None
    return Edit(place.start, place.end, "can", place.hedge.action)


def _denied(parsed: ParsedPlace, verb: Token) -> Edit | None:
    """ "May not cover it" becomes "does not always cover it"."""
    place, token = parsed.place, parsed.token
    assert token is not None
    if place.form == "could" or _is_unreal(parsed):
        return None
    between = parsed.parse.tokens[token.index + 1 : verb.index + 1]
    if not between or between[0].lower != "not" or any(t.lower == "have" for t in between[:-1]):
        return None
    head = next((each for each in between if each.lower == "be" or each.index == verb.index), None)
    if head is None or not head.text.islower() or parsed.shared(verb):
        return None
    subject = parsed.subject(verb)
    if subject is None or subject.dep == "expl":
        return None
    if _kind(parsed, subject) == "relative" and not (
        parsed.one_reading(subject) and place.text[: place.start].rstrip().endswith(", which")
    ):
        return None  # "an order which may not be the best": any of several
    number = parsed.number(verb)
    if not number:
        return None
    middle = [each for each in between[1:] if each.index < head.index]
    if any(each.dep != "advmod" for each in middle):
        return None
    adverbs = "".join(f"{each.text} " for each in middle)
    after = parsed.after(head)
    shares = {each.lower for each in middle} | ({after.lower} if after else set())
    of_degree = head.lower == "be" and (
        parsed.parse.child(verb, "acomp") is not None or verb.index != head.index
    )
    case = place.text[parsed.end(head) :].startswith(" the case")
    known = _kind(parsed, subject) == "one" and not (of_degree or case)
    often = "" if known or _ALWAYS & shares else "always "
    singular = number == "singular"
    if head.lower == "be":
        new = f"{'is' if singular else 'are'} not {often}{adverbs}".rstrip()
    else:
        new = f"{'does' if singular else 'do'} not {often}{adverbs}{head.lower}"
    return Edit(place.start, parsed.end(head), new, place.hedge.action)


def _past(parsed: ParsedPlace, verb: Token) -> Edit | None:
    """ "May have limited" becomes "limited"; "may have been lost" "was lost"."""
    place, token = parsed.place, parsed.token
    assert token is not None
    if place.form == "could" and not DID.match(place.rest):
        return None  # "forgers could have won": none did
    sentence = place.text[place.low : place.high]
    if (
        _IMAGINED.search(sentence)
        or _UNREAL.search(sentence)
        or (place.form != "may" and re.search(r"\b(?:not|no|lack\w*)\b|n't\b", sentence))
    ):
        return None
    between = parsed.parse.tokens[token.index + 1 : verb.index]
    have = next(each for each in between if each.lower == "have")
    if any(each.dep not in ("advmod", "aux", "auxpass") for each in between):
        return None
    adverbs = "".join(f"{each.text} " for each in between if each.dep == "advmod")
    if any(each.lower == "been" for each in between) or verb.lower == "been":
        subject = parsed.subject(verb)
        if subject is None or subject.dep == "expl":
            return None
        if subject.lower in ("which", "that") and not parsed.one_reading(subject):
            return None
        number = parsed.number(verb)
        if not number or parsed.shared(verb):
            return None
        been = next(e for e in parsed.parse.tokens[have.index :] if e.lower == "been")
        new = f"{'was' if number == 'singular' else 'were'} {adverbs}".rstrip()
        return Edit(place.start, parsed.end(been), new, place.hedge.action)
    if place.form == "might" and NOT_DONE.match(place.rest):
        return None  # "a test might have helped": there was none
    named = {each.lower for each in _subject_words(parsed, verb)}
    following = parsed.after(verb)
    if named & _OPEN_CHOICE or following is None or following.tag in ("NN", "NNS", "JJ"):
        return None  # "a class may have labeled masks"
    past = finite_form(verb.lemma, plural=False, past=True)
    if verb.tag != "VBN" or past is None or (parsed.shared(verb) and past != verb.lower):
        return None
    return Edit(place.start, parsed.end(verb), adverbs + past, place.hedge.action)


def _subject_words(parsed: ParsedPlace, verb: Token) -> list[Token]:
    subject = parsed.subject(verb)
    return [] if subject is None else parsed.parse.subtree(subject)
