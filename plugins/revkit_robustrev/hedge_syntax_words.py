"""Take adverbs, reports, beliefs and "seems" out of a claim, with what the parse shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.finite_verbs import finite, verb_after
from revkit_robustrev.guards import BE, words
from revkit_robustrev.hedge_adverbs import ONE_OF_TWO, OPENINGS
from revkit_robustrev.hedge_limits import first_glance
from revkit_robustrev.hedge_place import NEGATIONS
from revkit_robustrev.hedge_syntax import ParsedPlace
from revkit_robustrev.hedge_words import PEOPLE
from revkit_robustrev.restructuring.inflection import finite_form

COMPARING = words("more less most least very as so how too quite equally not nor no rather just")
_BESIDE = words("and or but nor than that which")
_PREDICATES = ("VBZ", "VBD", "VBG", "VBN", "RB", "IN")
_TO_BE = re.compile(r"[ \n]to[ \n]be[ \n](?=[a-z])(?![a-z]+(?:ed|en)[ \n])")
_THAN = re.compile(r"(?:[ \n][a-z-]+){1,3}[ \n]than\b")
_IMAGINED = re.compile(r"\b(?:assum|suppos|hypothes|would\b|possib|perhaps|likely|probabl)")
_IF = re.compile(r"(?:If(?! so\b)|When|Where)\b")
_MATHS = re.compile(r"[$=\\{}<>≤≥]")
_STILL_DOUBTED = words("likely unlikely plausible possible probable")
_DETERMINERS = words("a an the its their this these our his her")


def adverb_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Which likely reflects" becomes "which reflects"."""
    place, token = parsed.place, parsed.token
    if token is None or place.form[0].isupper() or place.before.mark == "START":
        return None
    if place.form == "apparently" or ONE_OF_TWO.match(place.rest) or _THAN.match(place.rest):
        return None
    following, before = parsed.following, parsed.before(token)
    head = parsed.parse.tokens[token.head]
    if following is None or before is None or before.lower in COMPARING | NEGATIONS:
        return None
    if before.text in "([,;:—–-" or before.lower in ("or", "but"):
        return None
    if before.lower == "and" and (following.lower == "even" or following.tag not in _PREDICATES):
        return None  # "masks and possibly noise"
    if place.form in ("likely", "most likely") and before.lower in ("is", "are"):
        to_be = _TO_BE.match(place.rest)
        if to_be is not None:  # "is most likely to be": "is"
            return Edit(place.start, place.end + to_be.end(), "", place.hedge.action)
    if not following.text[:1].isalpha() or following.lower in _BESIDE | {"to", "not", "when", "if"}:
        return None
    if parsed.supposed(head, asked_too=False) or _MATHS.search(
        place.text, token.end + place.low, place.high
    ):
        return None
    if place.form in ("likely", "possible", "probable", "plausible") and token.dep == "amod":
        if before.lower not in _DETERMINERS or head.index < token.index:
            return None
    elif token.dep != "advmod":
        return None
    elif head.tag.startswith(("JJ", "NN")) and head.dep in ("amod", "nmod", "compound"):
        return None  # "potentially dangerous masks": a kind
    if head.pos == "ADV" and head.lower in ("more", "less"):
        return None
    if before.lower in BE and following.pos == "ADP" and following.lower not in ("due", "because"):
        return None  # "was most likely in severe cases": how often
    found = place.edit(place.start, place.end + 1 + len(following.text), following.text)
    if found is None:
        return None
    if found.start != place.start:
        return found
    return Edit(place.start, place.end + 1, "", place.hedge.action)


_ADVICE = words("should must ought needs need recommend")
_NO_EVIDENCE = words("theory intuition hypothesis concept idea wisdom view network guideline")
_REPORT_FORMS = {
    "suggests that": "shows that",
    "suggest that": "show that",
    "indicates that": "shows that",
    "indicate that": "show that",
    "suggesting that": "showing that",
    "indicating that": "showing that",
    "suggested that": "showed that",
    "indicated that": "showed that",
}


def report_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Such understanding suggests that" becomes "such understanding shows that"."""
    place, token = parsed.place, parsed.token
    new = _REPORT_FORMS.get(place.form)
    if token is None or new is None or token.pos != "VERB" or parsed.supposed(token):
        return None
    tokens, children = parsed.parse.tokens, parsed.parse.children[token.index]
    if any(child.dep in ("aux", "neg", "auxpass") for child in children):
        return None
    if place.before.word.endswith("ly") or place.before.word in NEGATIONS:
        return None
    clause = parsed.parse.child(token, "ccomp")
    if clause is None or clause.index < token.index:
        return None
    if any(each.lower in _ADVICE for each in parsed.parse.subtree(clause)):
        return None
    if _IF.match(place.text, place.low, place.start) or _one_of_two(parsed, clause):
        return None
    if new.startswith("showing"):
        head = place.text[place.low : place.start]
        if place.before.mark != "BOUND" or _IMAGINED.search(head):
            return None
    else:
        subject = parsed.subject(token)
        if subject is None or subject.lower in PEOPLE | {"they", "who", "he", "she"}:
            return None
        if subject.tag == "NNP" or subject.index > token.index:
            return None
        if token.tag not in ("VBZ", "VBP", "VBD") or subject.lemma.endswith(("er", "or")):
            return None
        if subject.lower in _NO_EVIDENCE:
            return None
    if any(each.lemma == "show" for each in tokens[: token.index]):
        new = new.replace("show", "demonstrate").replace("eing", "ing").replace("eed", "ed")
    return Edit(place.start, place.end, new, place.hedge.action)


def _one_of_two(parsed: ParsedPlace, clause: Token) -> bool:
    """Whether a clause says that one or another thing is the case, so that none is shown."""
    return any(each.lower == "or" for each in parsed.parse.having(clause, "cc"))


_PROPOSALS = words(
    "approach method strategy solution model framework way use adoption possibility hypothesis idea"
    " alternative caution need interpretation improvement modification design shift direction"
    " avenue topic value choice procedure treatment minimum maximum name term definition change"
    " potential explanation candidate lesson algorithm technique future order following extension"
    " experiment research work study test"
)
_FIGURES = words(
    "arrow bar star asterisk color colour line dot symbol letter circle box column row"
)


def quality_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Suggesting some recovery" becomes "showing some recovery"."""
    place, token = parsed.place, parsed.token
    if token is None or token.pos != "VERB":
        return None
    if not place.form.startswith("suggest") and (token.tag != "VBG" or place.form.endswith("the")):
        return None  # "the arrows indicate the"
    if parsed.supposed(token) or any(
        child.dep in ("aux", "neg", "auxpass") for child in parsed.parse.children[token.index]
    ):
        return None
    if place.before.word.endswith("ly") or _MATHS.search(place.text, place.end, place.high):
        return None
    clause = parsed.parse.child(token, "ccomp")
    noun = clause or parsed.parse.child(token, "dobj")
    if noun is None or noun.index < token.index:
        return None
    if clause is not None and not _is_finite(parsed, clause):
        return None
    said = parsed.parse.subtree(noun)
    if any(each.lower in _ADVICE | {"or", "possible", "potential", "probable"} for each in said):
        return None
    if clause is None and (
        noun.lemma in _PROPOSALS
        or not noun.tag.startswith("NN")
        or parsed.parse.child(noun, "det", "amod", "poss", "compound") is None
    ):
        return None
    new = place.hedge.new
    if token.tag == "VBG":
        if place.before.mark != "BOUND" or not place.text[: place.start].rstrip().endswith(","):
            return None
    else:
        subject = parsed.subject(token)
        if subject is None or subject.index > token.index or subject.tag in ("NNP", "NNPS"):
            return None
        if not subject.tag.startswith("NN") and subject.lower not in ("this", "these", "which"):
            return None
        if subject.lower in PEOPLE | _NO_EVIDENCE or subject.lemma.endswith(("er", "or")):
            return None
    if any(each.lemma == "show" for each in parsed.parse.tokens[: token.index]):
        new = new.replace("show", "demonstrate").replace("eing", "ing").replace("eed", "ed")
    return Edit(place.start, place.end, new, place.hedge.action)


def _is_finite(parsed: ParsedPlace, verb: Token) -> bool:
    finite = ("VBZ", "VBP", "VBD", "MD")
    return verb.tag in finite or any(
        child.tag in finite and child.dep in ("aux", "auxpass")
        for child in parsed.parse.children[verb.index]
    )


_CLAIMED = words(
    "mechanism mechanisms role roles explanation explanations scenario scenarios cause causes"
    " contribution contributions involvement relationship relationships association associations"
    " link links reason reasons function functions effect effects influence origin origins source"
    " sources consequence consequences pathway pathways factor factors"
)

POSSIBLE_CLAIM = re.compile(rf"[ \n](?:[a-z-]+[ \n]){{0,3}}(?:{'|'.join(sorted(_CLAIMED))})\b")


def possible_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Two possible scenarios" becomes "two scenarios"."""
    place, token = parsed.place, parsed.token
    if token is None or token.dep != "amod" or place.before.mark == "START":
        return None
    head, following = parsed.parse.tokens[token.head], parsed.after(token)
    before = parsed.before(token)
    if head.lower not in _CLAIMED or head.index < token.index or following is None:
        return None
    if before is None or before.lower in _CHOICE or before.tag in ("JJS", "RBS"):
        return None
    if before.lower in ("a", "an") or not following.text[:1].isalpha():
        found = place.edit(place.start, place.end + 1 + len(following.text), following.text)
        if found is None or found.start != place.start:
            return found
    return Edit(place.start, place.end + 1, "", place.hedge.action)


_CHOICE = words("all every any each no other only best as many and or ,")


def degree_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Is somewhat surprising" becomes "is surprising"."""
    place, token = parsed.place, parsed.token
    if token is None or token.dep != "advmod" or place.before.mark:
        return None
    head, before, following = (
        parsed.parse.tokens[token.head],
        parsed.before(token),
        parsed.after(token),
    )
    if before is None or following is None or head.pos not in ("ADJ", "VERB", "ADV"):
        return None
    if before.lower not in BE | words("are seem seems remains remain a an also which"):
        return None
    if head.index < token.index or not following.text[:1].isalpha():
        return None
    found = place.edit(place.start, place.end + 1 + len(following.text), following.text)
    if found is None or found.start != place.start:
        return found
    return Edit(place.start, place.end + 1, "", place.hedge.action)


# "We believe that it helps and hope that": a second verb of "we".
OURS = re.compile(
    r"[ \n](?:and|but)[ \n](?:also[ \n]|thus[ \n]|therefore[ \n])?"
    r"(?:hope|expect|believe|think|wish|encourage|recommend|invite|propose|conclude|argue)\b"
)


def belief_edit(parsed: ParsedPlace) -> Edit | None:
    """ "We believe this result will help" becomes "this result will help"."""
    place, token = parsed.place, parsed.token
    form = place.form.lower()
    if OURS.search(place.rest):
        return None
    if token is None or form.removesuffix(" that") not in ("we believe", "we think"):
        return None
    verb = parsed.after(token)
    if verb is None or verb.tag not in ("VBP", "VB") or verb.dep not in ("ROOT", "conj"):
        return None
    clause = parsed.parse.child(verb, "ccomp")
    first = parsed.following
    if clause is None or first is None or not first.text[0].isalpha():
        return None
    subject = parsed.subject(clause)
    if subject is None or not _is_finite(parsed, clause) or subject.head != clause.index:
        return None
    if parsed.parse.subtree(subject)[0].index != first.index:
        return None
    start, end = place.start, place.end + 1
    if place.before.mark == "START":
        end += len(first.text)
        return Edit(start, end, capitalise(first.text), place.hedge.action)
    head = place.text[place.low : place.start].rstrip()
    opener = head.split()[0].lower().rstrip(",") if head else ""
    opening = head.endswith(",") and (len(head.split()) <= 6 or opener in OPENINGS | {"based"})
    return Edit(start, end, "", place.hedge.action) if opening else None


def seeming_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Seems severe" becomes "is severe", "tends to drift" "drifts"."""
    place, token = parsed.place, parsed.token
    if token is None or token.tag not in ("VBZ", "VBP", "VBD") or parsed.supposed(token):
        return None
    subject = parsed.subject(token)
    if subject is None or subject.lower in PEOPLE - {"it"} or subject.dep == "expl":
        return None
    if any(child.dep in ("neg", "aux") for child in parsed.parse.children[token.index]):
        return None
    opening = place.text[place.low : place.start].lower()
    if not place.form.startswith("tend") and (first_glance(place) or "at first" in opening):
        return None
    if place.form in ("seems", "seem"):
        predicate = parsed.parse.child(token, "oprd", "acomp")
        following = parsed.after(token)
        if predicate is None or following is None or predicate.tag not in ("JJ", "VBN", "JJR"):
            return None
        if following.index != predicate.index and following.dep != "advmod":
            return None
        if predicate.lower in _STILL_DOUBTED:
            return None  # "seems likely to"
        return Edit(place.start, place.end, place.hedge.new, place.hedge.action)
    if verb_after(place) is None:
        return None
    to = parsed.after(token)
    verb = None if to is None else parsed.parse.tokens[to.head]
    if to is None or to.lower != "to" or verb is None or verb.index < to.index:
        return None
    between = parsed.parse.tokens[to.index + 1 : verb.index]
    head = next((each for each in between if each.lower == "be"), verb)
    if place.form.startswith("tend") and any(
        each.tag in ("JJR", "RBR") for each in _next(parsed, head)
    ):
        return None  # "errors tend to be larger than": a comparison that holds for most cases
    if any(each.tag == "VB" for each in parsed.parse.having(verb, "conj")):
        return None  # "tends to help and to improve"
    if not head.text.islower() or head.tag != "VB":
        return None
    middle = [each for each in between if each.index < head.index]
    if any(each.dep != "advmod" for each in middle):
        return None
    adverbs = "".join(f"{each.text} " for each in middle)
    if token.tag == "VBD":
        if head.lower == "be":
            if subject.lower in ("which", "that") and not parsed.one_reading(subject):
                return None
            number = parsed.number(token)
            past = {"singular": "was", "plural": "were"}.get(number)
            new = past and f"{past} {adverbs}".rstrip()
        else:
            past = finite_form(head.lemma, plural=False, past=True)
            new = past and adverbs + past
        return Edit(place.start, parsed.end(head), new, place.hedge.action) if new else None
    new = finite(adverbs, head.lower, token.tag == "VBZ")
    return Edit(place.start, parsed.end(head), new, place.hedge.action)


def _next(parsed: ParsedPlace, token: Token) -> tuple[Token, ...]:
    return parsed.parse.tokens[token.index + 1 : token.index + 4]


ACTIONS: Mapping[str, Callable[[ParsedPlace], Edit | None]] = {
    "drop-adverb": adverb_edit,
    "drop-likely": adverb_edit,
    "replace-report": report_edit,
    "replace-quality": quality_edit,
    "drop-possible": possible_edit,
    "drop-degree": degree_edit,
    "drop-clause": belief_edit,
    "drop-copula": seeming_edit,
    "drop-infinitive": seeming_edit,
    "drop-past": seeming_edit,
}
