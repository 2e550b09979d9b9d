"""Make a plain predicate less certain: what something is, does, can do, tends to do or will do."""

from __future__ import annotations

import re
from collections.abc import Callable

from revkit import Edit
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
from revkit_robustrev.hedge_limits import MEASURED, OUTLINE, OWN_DESIGN, claims, clause_before
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, HedgePlace
from revkit_robustrev.hedge_words import (
    ABOUT_THE_PAPER,
    CLAIM_VERBS,
    DEGREES,
    DESIGN_VERBS,
    GRADED,
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
        " breeders farmers growers consumers patients readers reviewers experts attackers"
        " adversaries operators"
    )
    | MODALS
    | NEGATIONS
    | BE
    | HAVE
)
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
    r"(?:natural|promising|good|strong|simple|major|challenging|important|powerful|effective"
    r"|useful|valid"
    r"|hard|difficult|crucial|general|robust|viable|suitable|reasonable|significant|practical"
    r"|interesting|better|critical|serious|severe|notable|clear|limiting)\b"
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
# What was checked, computed, or is by its making.
_FACTS = words(
    "incorrect inaccurate wrong valid lacking expensive costly cheap cheaper slow slower fast"
    " faster simple simpler long longer short shorter"
)
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


def add_copula(place: HedgePlace) -> Edit | None:
    """ "Is promising" becomes "appears to be promising", where that is a judgement."""
    subject = _subject(place)
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if not subject or following is None or not _JUDGED.match(place.rest):
        return None
    if _ESTABLISHED.search(place.text, place.low, place.high):
        return None
    singular = place.form == "is"
    if subject in ("which", "that") or _HENCE.search(place.text, place.low, place.start):
        return None
    if re.search(r"applications|indisputabl|unquestionabl", place.rest):
        return None  # why a field matters, and what is said to be sure
    if (
        "number" in place.text[place.low : place.start]
        or subject in _KNOWN_SIZES
        or _SETTLED.search(place.rest)
    ):
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


# What a reader can judge otherwise; what is crucial, prone or important is known in a field.
_JUDGED = re.compile(
    r"[ \n](?:(?:an?|the)[ \n])?(?:[a-z]{2,20}ly[ \n]|very[ \n]|quite[ \n]|more[ \n]|less[ \n]"
    r"|rather[ \n]|much[ \n]|too[ \n])?"
    r"(?:promising|effective|suitable|useful|limited|helpful|beneficial|robust|small|large|good"
    r"|viable"
    r"|reasonable|natural|plausible|advantageous|inadequate|insufficient|attractive|desirable"
    r"|reliable"
    r"|flexible|sensitive|noisy|brittle|fragile|weak|strong|poor|problematic|difficult|easier"
    r"|harder"
    r"|practical|low|high)\b"
)
# A citation, a comparison that was measured, a cause that is given, or an indirect question.
_ESTABLISHED = re.compile(
    r"\b(?:19|20)\d\d[a-z]?\)|\[\d|\b(?:than|due to|which|elucidate|determine|known|well|each)\b"
)


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
    if _CITED.search(place.text, place.low, place.high):
        return None  # what the field has established
    if re.search(r"\b(?:via|by)\b", place.rest):
        return None  # "prevents collapse by": how it works is known
    if ";" in place.rest or re.search(
        r"dramatically|currently|always", place.text[place.low : place.high]
    ):
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


_CITED = re.compile(r"\b(?:19|20)\d\d[a-z]?\)|\[\d")
_RAISED = re.compile(
    r"[ \n](?:an?|the|another|several|many|some|further)?[^.;,]{0,40}\b(?:questions?|needs?|issues?"
    r"|concerns?|possibility|problems?|demands?)\b"
)


_ADJECTIVES = ("al", "ic", "ous", "ive", "able", "ible", "ary", "ful", "less")


def _third_subject(word: str) -> bool:
    if word in ("this", "it", "which", "that"):
        return True
    if word.endswith(_ADJECTIVES):
        return False  # "environmental influences": a noun
    if re.fullmatch(r"[a-z][a-z-]*-v?\d+", word):
        return True  # a name such as "BERT-2"
    return word not in _NO_SUBJECT | ABOUT_THE_PAPER and noun_number(word) == "singular"


def _plural_subject(word: str) -> bool:
    if word in ("these", "those", "they"):
        return True
    return word not in ABOUT_THE_PAPER | EVIDENCE and looks_plural(word)


def add_modal(place: HedgePlace) -> Edit | None:
    if "that" in place.before.words[-2:]:
        return None  # "a factor that affects": what it is named for
    return _with_adverb(place, _third_subject)


def add_can(place: HedgePlace) -> Edit | None:
    """ "Can reduce" becomes "may reduce", where the verb is one of effect."""
    before = place.before
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is not None and (following[1].endswith("ly") or following[1] in _BETWEEN_CAN):
        following = _PLAIN_WORD.match(place.text, following.end(), place.high)
    if following is None or before.mark or before.word in _NO_CAN or not before.word.isalpha():
        return None
    verb, rest = following[1], place.text[following.end() : place.high]
    if verb in _CHOSEN or before.word in ("that", "which", "both"):
        return None  # what is left to choice, or what something is made to do
    head = place.text[place.low : place.start]
    if verb == "be" and re.search(r"\b(?:by|with|through|using|via)\b", rest):
        return None  # "can be reduced by": a means that is known
    if "inevitabl" in place.rest or _CONTRASTED.search(head) or _MEASURES.search(place.rest):
        return None
    if "arbitrar" in place.rest or re.search(r"\busers?\b", place.text[place.low : place.high]):
        return None
    affected = verb == "be" and _AFFECTED.match(rest)
    if not affected and not (verb in CLAIM_VERBS | {"be"} and claims(rest, verb)):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_BETWEEN_CAN = words("also further still even thus often")
_CHOSEN = words("produce differ serve vary cause make act give lower")
_CONTRASTED = re.compile(
    r"\b(?:[Ww]hereas|[Ww]hile|[Aa]lthough|[Tt]hough|[Ii]n principle|saddle)\b"
)
_MEASURES = re.compile(r"\b(?:times?|cost|costs|complexity|memory|number|runtime|speed|size)\b")
_AFFECTED = re.compile(
    r"[ \n](?:[a-z]+ly[ \n])?(?:alleviated|mitigated|exacerbated|enhanced|accelerated|amplified"
    r"|increased|decreased|lowered|improved|reduced|hindered|hampered|outweighed|overestimated"
    r"|inaccurate|time-consuming|labor-intensive|costly|prohibitive|misleading)\b"
)


def add_modal_noun(place: HedgePlace) -> Edit | None:
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


def add_modal_plural(place: HedgePlace) -> Edit | None:
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
    if len(clause.split()) <= 3 and place.form in _TEXTBOOK:
        return None  # "Metal ions play a role": known of the kind
    return _with_adverb(place, _plural_subject)


_TEXTBOOK = words("play suffer affect stabilize help facilitate promote limit cause")


_EASE = re.compile(
    r"[ \n](?:(?:very|more|much|quite|rather|extremely|often)[ \n])?(?:difficult|hard|harder|easy"
    r"|easier|possible|impossible|challenging|feasible|infeasible|necessary|attractive|suitable"
    r"|unsuitable|impractical|prone|susceptible|vulnerable|expensive)\b"
)


def add_makes(place: HedgePlace) -> Edit | None:
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


def add_will(place: HedgePlace) -> Edit | None:
    """ "Will improve" becomes "will likely improve", for what is expected of the world."""
    following = _PLAIN_WORD.match(place.text, place.end, place.high)
    if following is None or place.before.word in BETWEEN or not _subject(place):
        return None
    if OUTLINE.search(place.text, place.low, place.high):
        return None
    verb = following[1]
    if verb == "be":
        worth = _PLAIN_WORD.match(place.text, following.end(), place.high)
        known = worth is not None and worth[1] in GRADED | DEGREES
    else:
        known = verb in CLAIM_VERBS | _TO_BECOME
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action) if known else None


_TO_BECOME = words("become remain fail continue converge diverge overfit collapse grow dominate")


# Well-known kinds of things by their acronyms; other acronyms may be the method of the paper.
_KNOWN_ACRONYMS = words(
    "GAN GANs RNN RNNs CNN CNNs SGD RL LSTM LSTMs VAE VAEs DNN DNNs MLP MLPs NLP GPU GPUs LLM LLMs"
    " GNN GNNs AI ML MDP MDPs PCA MCMC DNA RNA mRNA ROS GMO GM US UK EU UV MRI EEG fMRI PCR"
)
_OWN_MATTER = re.compile(
    r"\b(?:we|our|ours|us|i|my|propos\w+|argue[sd]?|convincing\w*|presented|introduced?|here"
    r"|herein|this (?:paper|work|section"
    r"|study|article|method|model|approach|framework|algorithm|architecture|network|layer|objective"
    r"|loss|strategy|module|technique|system|formulation)"
    r"|experiments?|simulations?|ablations?|(?:shown?|showed|demonstrate[sd]?|proved|proven?|found"
    r"|reveal(?:s|ed)?|observe[sd]?|measured|verified|confirm(?:s|ed)?|note|notice))\b",
    re.IGNORECASE,
)
# Here "can" is what is wanted, asked or granted.
_GRANTED = words(
    "so such whether how what why ensure ensures guarantee must require requires should who"
)


_PREMISE = re.compile(r"(?:Because|Since|As|Given|If)\b")


def of_a_kind_of_thing(place: HedgePlace) -> bool:
    """Whether the sentence says what things of a kind can do, and nothing of the paper's own."""
    text, low, high = place.text, place.low, place.high
    if _OWN_MATTER.search(text, low, high):
        return False
    clause = clause_before(place)
    earlier = clause.lower().split()
    if _PREMISE.match(text, low, high):
        return False
    if not _GRANTED.isdisjoint(earlier) or len(earlier) < 1 or "$" in clause:
        return False
    if re.search(r"[$=]", text[low:high]):
        return False
    named = [
        re.sub(r"['’]s\Z", "", word.strip("().,"))
        for word in clause.split()[1:]
        if any(letter.isupper() for letter in word)
    ]
    first = text[low:high].split()[:1]
    if first and sum(c.isupper() for c in first[0]) > 1:
        named.append(first[0].strip("().,"))
    return all(name in _KNOWN_ACRONYMS for name in named)


def add_tend(place: HedgePlace) -> Edit | None:
    """ "Existing methods rely on" becomes "existing methods tend to rely on".

    The form is the head of a subject that names a kind of thing; its sentence begins with it.
    """
    if not _KIND_OF_THING.fullmatch(place.text[place.low : place.start]):
        return None
    verb = _PLAIN_WORD.match(place.text, place.end, place.high)
    if verb is None:
        return None
    if verb[1] == "are":
        following = _PLAIN_WORD.match(place.text, verb.end(), place.high)
        if following is None or (not _graded(place, verb) and following[1] not in _STATES):
            return None
        return Edit(verb.start(1), verb.end(), "tend to be", place.hedge.action)
    if verb[1] not in _TENDENCIES or _SECOND_PREDICATE.search(place.text, verb.end(), place.high):
        return None
    return Edit(verb.start(1), verb.start(1), "tend to ", place.hedge.action)


_KIND_OF_THING = re.compile(
    r"(?:(?:However|Moreover|Furthermore|In addition|Additionally|In general|In contrast"
    r"|In practice"
    r"|Unfortunately|Besides|Nevertheless|In particular|Generally|On the other hand|Currently"
    r"|Traditionally|Conversely|By contrast|Hence|Therefore|Consequently),[ \n]|(?:While|Although"
    r"|Though|Since|Because|But)[ \n])?"
    r"(?:[Ee]xisting|[Pp]revious|[Pp]rior|[Cc]urrent|[Tt]raditional|[Cc]onventional|[Ss]tandard"
    r"|[Oo]ther"
    r"|[Ee]arlier|[Rr]ecent|[Cc]lassical|[Cc]ommon|[Tt]ypical|[Dd]eep|[Ll]arge|[Ss]upervised"
    r"|[Uu]nsupervised|[Ss]elf-supervised|[Mm]odern|[Pp]opular|[Nn]eural|[Ss]tate-of-the-art"
    r"|[Mm]odel-(?:free|based)|[Ll]earning-based|[Gg]enerative|[Ss]uch|[Tt]hese"
    r"|[Tt]hose|[Dd]ata-driven|[Gg]raph-based|[Rr]ule-based|[Gg]radient-based|[Oo]ff-policy"
    r"|[Oo]n-policy|[Hh]uman|[A-Z]{2,5}-based)[ \n]"
    r"(?:(?!(?:of|in|for|on|with|and|to|that|by|from|is|are|can|use|two|three|both|all|our|the)\b)"
    r"(?:[a-z][a-z-]*|[A-Z]{2,5}|[A-Z]{2,5}-based)[ \n]){0,3}"
)
_TENDENCIES = words(
    "rely require focus suffer fail ignore neglect overlook struggle assume depend overfit"
    " lack lose degrade underperform overestimate underestimate need forget memorize yield produce"
    " converge generalize concentrate favor favour prefer emphasize"
)
_STATES = words("sensitive limited prone expensive restricted slow costly vulnerable biased")
# A verb that would hang on "tend to" too: "rely on labels and use masks".
_SECOND_PREDICATE = re.compile(
    r":|[ \n](?:and|but)[ \n](?:are|is|have|has|do|can|cannot|thus|therefore|use|learn|train)\b"
)
