"""Take adverbs, reports, beliefs and "seems" out of a claim, with what the parse shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from revkit import Edit
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
    if token is not None and place.before.mark == "START":
        return _opening(parsed, token)
    if token is None or place.form[0].isupper():
        return None
    if place.form == "apparently" or ONE_OF_TWO.match(place.rest) or _THAN.match(place.rest):
        return None
    following, before = parsed.following, parsed.before(token)
    head = parsed.parse.tokens[token.head]
    if following is None or before is None or before.lower in COMPARING | NEGATIONS:
        return None
    if before.text == ",":
        return _after_comma(parsed, token)
    if before.text in "([;:—–-" or before.lower in ("or", "but"):
        return None
    if before.lower == "and" and (following.lower == "even" or following.tag not in _PREDICATES):
        return None  # "masks and possibly noise"
    if place.form in ("likely", "most likely") and before.lower in ("is", "are"):
        to_be = _TO_BE.match(place.rest)
        if to_be is not None:  # "is most likely to be": "is"
            return Edit(place.start, place.end + to_be.end(), "", place.hedge.action)
    if _LIKELY_THAT.match(place.text, place.low, place.high) and place.after.word == "that":
        return Edit(place.start, place.end, "clear", place.hedge.action)
    denied = following.lower == "not" and before.tag == "MD"  # "will most likely not"
    if not following.text[:1].isalpha() or following.lower in _BESIDE | {"to", "when", "if"}:
        return None
    if following.lower == "not" and not denied:
        return None
    if parsed.supposed(head, asked_too=False) or _MATHS.search(
        place.text, token.end + place.low, place.high
    ):
        return None
    if place.form in ("likely", "possible", "probable", "plausible") and token.dep == "amod":
        said = before.pos in ("NOUN", "PRON", "PROPN") and following.tag in ("VBZ", "VBP", "MD")
        if not said and (before.lower not in _DETERMINERS or head.index < token.index):
            return None
    elif place.form in ("most likely", "most probable") and before.lower == "the":
        noun = parsed.parse.tokens[head.head]
        if head.dep != "amod" or noun.index < head.index or noun.lemma not in _GUESSED:
            return None
        return Edit(place.start, place.end + 1, "", place.hedge.action)
    elif place.form == "likely" and token.dep == "acomp" and before.lower in ("is", "are"):
        if parsed.parse.child(head, "attr") is None or following.tag not in _NAMING:
            return None  # "is likely in the dark": how often
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


def _after_comma(parsed: ParsedPlace, token: Token) -> Edit | None:
    """ ", possibly due to noise" becomes ", due to noise"."""
    place, following = parsed.place, parsed.following
    if following is None or token.dep != "advmod" or place.form == "apparently":
        return None
    of_cause = _CAUSE.match(place.rest) is not None
    led = following.tag == "VBG" and following.dep in ("advcl", "acl")
    if not (of_cause or led) or ONE_OF_TWO.match(place.rest):
        return None
    return Edit(place.start, place.end + 1, "", place.hedge.action)


_LIKELY_THAT = re.compile(
    r"(?:(?:However|Thus|Therefore|Hence|Moreover),? )?[Ii]t (?:also )?is (?:thus|therefore|also"
    r"|hence|very|highly|most|then)? ?likely that\b"
)
_CAUSE = re.compile(
    r"[ \n](?:due to|because|owing to|as a result of|caused by)\b(?![^.;]{0,120}\bor\b)"
)
_GUESSED = words("origin cause reason explanation source mechanism factor pathway candidate")
_NAMING = ("DT", "NN", "NNS", "JJ", "PRP$")
_DEFINITE = words("the its their this these our")
_OPENERS = words("presumably apparently perhaps possibly probably conceivably plausibly")


def _opening(parsed: ParsedPlace, token: Token) -> Edit | None:
    """ "Possibly the diet was richer" becomes "The diet was richer"."""
    place, head = parsed.place, parsed.parse.tokens[token.head]
    first = parsed.following
    if place.form.lower() not in _OPENERS or token.dep != "advmod" or first is None:
        return None
    comma = first.text == ","
    first = parsed.after(first) if comma else first
    if first is None or not first.text[0].isalpha() or head.dep != "ROOT":
        return None
    subject = parsed.subject(head)
    if subject is None or parsed.parse.subtree(subject)[0].index != first.index:
        return None
    if not _is_finite(parsed, head) or parsed.supposed(head):
        return None
    new = first.text[0].upper() + first.text[1:]
    return Edit(place.start, parsed.end(first), new, place.hedge.action)


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
    would = parsed.before(token)
    if would is not None and would.lower == "would" and place.form in _PLAIN_REPORTS:
        number, clause = parsed.number(token), parsed.parse.child(token, "ccomp")
        if not number or clause is None or _is_advice(parsed, clause):
            return None
        new = "shows that" if number == "singular" else "show that"
        return Edit(place.low + would.start, place.end, new, place.hedge.action)
    if any(child.dep in ("aux", "neg", "auxpass") for child in children):
        return None
    if place.before.word.endswith("ly") or place.before.word in NEGATIONS:
        return None
    clause = parsed.parse.child(token, "ccomp")
    if clause is None or clause.index < token.index:
        return None
    if _is_advice(parsed, clause):
        return None
    if _IF.match(place.text, place.low, place.start) or _one_of_two(parsed, clause):
        return None
    if new.startswith("showing"):
        head = place.text[place.low : place.start]
        joined = _follows_evidence(parsed, token)
        if not (place.before.mark == "BOUND" or joined) or _IMAGINED.search(head):
            return None
    else:
        subject = parsed.subject(token)
        if subject is None or subject.lower in PEOPLE | {"they", "who", "he", "she"}:
            return None
        if subject.index > token.index:
            return None
        # the word as it is written, for the parse may have a mask in its place
        if subject.tag == "NNP" and not _PART.match(place.text, place.low + subject.start):
            return None
        if token.tag not in ("VBZ", "VBP", "VBD") or subject.lemma.endswith(("er", "or")):
            return None
        if subject.lower in _NO_EVIDENCE or subject.lemma in _FIGURES:
            return None
    if any(each.lemma == "show" for each in tokens[: token.index]):
        new = new.replace("show", "demonstrate").replace("eing", "ing").replace("eed", "ed")
    return Edit(place.start, place.end, new, place.hedge.action)


_PLAIN_REPORTS = ("suggest that", "indicate that")
_LATE = 6  # tokens before a participle without a comma
_PART = re.compile(
    r"(?:Figs?|Figure|Table|Tab|Theorem|Lemma|Proposition|Corollary|Eq|Equation|Section)\b"
)


def _is_advice(parsed: ParsedPlace, clause: Token) -> bool:
    """Whether a clause says what somebody should do; "such rewards should help" is a claim."""
    said = parsed.parse.subtree(clause)
    if any(each.lemma == "recommend" or each.lower == "ought" for each in said):
        return True
    if not any(each.lower in _ADVICE for each in said):
        return False
    subject = parsed.subject(clause)
    if subject is None or subject.lower in PEOPLE | {"it", "one", "we", "they", "you"}:
        return True
    modal = [each for each in parsed.parse.having(clause, "aux") if each.lower in _ADVICE]
    return subject.dep == "nsubjpass" or (bool(modal) and subject.lemma in _PROPOSALS)


def _one_of_two(parsed: ParsedPlace, clause: Token) -> bool:
    """Whether a clause says that one or another thing is the case, so that none is shown."""
    return any(each.lower == "or" for each in parsed.parse.having(clause, "cc"))


_PROPOSALS = words(
    "approach method strategy solution model framework way use adoption possibility hypothesis idea"
    " alternative caution need interpretation improvement modification design shift direction"
    " avenue topic value choice procedure treatment minimum maximum name term definition change"
    " potential explanation candidate lesson algorithm technique future order following extension"
    " experiment research work study test protocol scheme paradigm guideline measure metric list"
)
_FIGURES = words(
    "arrow bar star asterisk color colour line dot symbol letter circle box column row edge node"
)


def quality_edit(parsed: ParsedPlace) -> Edit | None:
    """ "Suggesting some recovery" becomes "showing some recovery"."""
    place, token = parsed.place, parsed.token
    if token is None or token.pos != "VERB":
        return None
    if not place.form.startswith("suggest") and token.tag != "VBG" and not _abstract(parsed, token):
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
    doubled = _DOUBLED.match(place.rest)
    if doubled and _NOT_EXCLUDED.search(place.rest):
        return None
    doubts = words("or possible potential probable") - ({doubled[1]} if doubled else set())
    if any(each.lower in _ADVICE | doubts for each in said):
        return None
    if clause is None and (
        noun.lemma in _PROPOSALS
        or not noun.tag.startswith("NN")
        or parsed.parse.child(noun, "det", "amod", "poss", "compound") is None
    ):
        return None
    new = place.hedge.new
    if token.tag == "VBG":
        head = place.text[: place.start].rstrip()
        again = re.search(r",[ \n](?:again|further|thereby|thus)\Z", head) is not None
        late = _follows_evidence(parsed, token) and (
            place.form.startswith("suggest") or noun.lemma in _ABSTRACT
        )
        if not (again or late or (place.before.mark == "BOUND" and head.endswith(","))):
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
    if doubled is None:
        return Edit(place.start, place.end, new, place.hedge.action)
    # "suggesting a possible loss": both doubts go
    words_, article, following = place.form.split(), new.split()[1:], doubled[2]
    if article[:1] in (["a"], ["an"]):
        new = f"{new.split()[0]} {'an' if following[0] in 'aeio' else 'a'}"
    if len(words_) > 1 and not article:
        return None
    end = place.end + doubled.start(2) - 1
    return Edit(place.start, end, new, place.hedge.action)


def _follows_evidence(parsed: ParsedPlace, token: Token) -> bool:
    """Whether a participle without a comma is behind a noun, late in the sentence."""
    before = parsed.before(token)
    ends = before is not None and (before.tag.startswith("NN") or before.text in (")", "]"))
    return ends and token.index >= _LATE and token.dep in ("advcl", "acl")


_NOT_EXCLUDED = re.compile(r"\b(?:although|though|however|exclude|rule out|possibility)\b")
# An adjective of doubt behind "suggesting a".
_DOUBLED = re.compile(r"[ \n](possible|potential|probable)[ \n]([a-z][a-z-]+)")
_STUDIES = words("study result finding analysis experiment observation evidence comparison")
_ABSTRACT = words(
    "effectiveness efficacy importance superiority presence potential existence validity"
    " relationship robustness necessity difficulty usefulness significance complexity feasibility"
    " involvement occurrence absence lack impact influence effect ability capability advantage"
    " benefit abundance suitability reliability stability repeatability impairment completeness"
    " adaptation differentiation specificity sensitivity need value quality"
)


def _abstract(parsed: ParsedPlace, token: Token) -> bool:
    """Whether "indicates the" is before a quality that nobody reads off a figure's marks."""
    noun = parsed.parse.child(token, "dobj")
    subject = parsed.subject(token)
    if noun is None or subject is None or subject.lemma in _FIGURES:
        return False
    return noun.lemma in _ABSTRACT or subject.lemma in _STUDIES


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
        return _clause_alone(parsed)
    verb = parsed.after(token)
    if place.before.word == "which" and _SAID_OF.match(place.rest):
        return Edit(place.start, place.end + 1, "", place.hedge.action)
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
        return Edit(start, end, first.text[0].upper() + first.text[1:], place.hedge.action)
    head = place.text[place.low : place.start].rstrip()
    opener = head.split()[0].lower().rstrip(",") if head else ""
    known = opener in OPENINGS | _OPENERS_OF_CLAUSES
    opening = head.endswith(",") and (len(head.split()) <= 6 or known)
    opening = opening or head.endswith(("; however,", "; therefore,", "; thus,", ";"))
    return Edit(start, end, "", place.hedge.action) if opening else None


def _clause_alone(parsed: ParsedPlace) -> Edit | None:
    """ "Thus, we speculate that noise is the cause" becomes "thus, noise is the cause"."""
    place = parsed.place
    first = parsed.following
    that = None if first is None else parsed.before(first)
    if first is None or that is None or that.lower != "that":
        return None
    if not (first.text[0].isascii() and first.text[0].isalpha()):
        return None
    clause = parsed.parse.tokens[that.head]
    if clause.index < first.index or not _is_finite(parsed, clause) or _JOINED.search(place.rest):
        return None
    subject = parsed.subject(clause)
    if subject is None or parsed.parse.subtree(subject)[0].index != first.index:
        return None
    start, end = place.start, place.end + 1
    if place.before.mark == "START":
        written = place.text[end : parsed.end(first)]
        new = written[0].upper() + written[1:]
        return Edit(start, parsed.end(first), new, place.hedge.action)
    head = place.text[place.low : place.start].rstrip()
    opener = head.split()[0].lower().rstrip(",") if head else ""
    opening = head.endswith(",") and (len(head.split()) <= 6 or opener in _WITHOUT_SUBJECT)
    return Edit(start, end, "", place.hedge.action) if opening or _CONNECTED.search(head) else None


_JOINED = re.compile(r"[ \n,](?:and|or|but)[ \n]that\b")
# What comes before a clause with no other one to which a comma would join it.
_CONNECTED = re.compile(r"[;,] (?:however|thus|therefore|hence|although),?\Z")
_WITHOUT_SUBJECT = words("despite with by in for unlike given at on from under after before during")


# "Which we believe is useful": the clause is whole without it.
_SAID_OF = re.compile(r"[ \n](?:is|are|can|will|has|have|makes?|leads?|was|were)[ \n]")
_OPENERS_OF_CLAUSES = words(
    "based although though while since as because given despite with by in for unlike"
)


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
    if not place.form.startswith("tend") and (
        first_glance(place, main=token.dep == "ROOT") or "at first" in opening
    ):
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
