"""Make what evidence suggests into what it shows."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.finite_verbs import verb_after
from revkit_robustrev.guards import BE, DETERMINERS, HAVE, MODALS, last_plain, words
from revkit_robustrev.hedge_limits import clause_before
from revkit_robustrev.hedge_place import EVIDENCE, NEGATIONS, HedgePlace, from_evidence
from revkit_robustrev.hedge_words import CLAIM_VERBS, PEOPLE
from revkit_robustrev.subjects import PREPOSITIONS

# What evidence shows, and proposes in no sense of "suggest".
_QUALITIES = re.compile(
    r"[ \n](?:[a-z-]{2,20}[ \n]){0,2}(?:effectiveness|efficacy|usefulness|importance|significance"
    r"|existence|validity|benefits?|advantages?|potential|superiority|robustness|ability|need"
    r"|necessity|improvements?|trade-?off|win|correlation|relationship|difference|success|presence"
    r"|feasibility|strength|limitations?|difficulty|capability|gain|applicability|involvement"
    r"|association|link|roles?|effects?|influences?|impacts?|dependence|interactions?|contributions?|increase"
    r"|decrease|reduction|absence|lack|performance)\b"
)
# A clause without "that": "suggests the method is robust".
_CLAUSE = re.compile(
    r"[ \n](?:(?!that\b|which\b|who\b|to\b|how\b|if\b|whether\b)[A-Za-z][\w+./-]{0,20}[ \n]){1,8}"
    r"(?:is|are|was|were|can|cannot|does|do|has|have|may|might|could|will)\b"
)
# The head of a subject that is evidence, with what follows it: "the difference between A and B".
_OUTCOMES = words(
    "boost difference differences gap improvement improvements increase decrease gain gains"
    " performance behavior behaviour success discussion correlation experimentation fact failure"
    " trend relationship accuracy plot similarity pattern presence absence lack distribution"
    " expression"
)
_PROPOSING = re.compile(
    r"\b(?:(?<!the )(?<!our )proposed(?! in\b| by\b)|argued|coined|claimed|concept|theory|idea)\b"
)
_SEVERAL = words("metrics values improvements gains differences increases")


# "Showed that A, showing that B", and what was only assumed.
_SAID = re.compile(r"\b(?:assum|suppos|hypothes|show|indicat|suggest)")
_SUPPOSED = re.compile(r"\b(?:assum|suppos|hypothes|would\b|possib|perhaps|likely|probabl)")
_MODAL_BE = re.compile(
    r"[^.;,]{0,60}[ \n](?:to|can|could|may|might|will|would|must|not)[ \n](?:(?:[a-z]+ly|indeed"
    r"|also|still|thus|even|all|both)[ \n])?be\b"
)


def replace_report(place: HedgePlace) -> Edit | None:
    """ "The results suggest that" becomes "The results show that"."""
    before = last_plain(place.before)
    head = place.text[place.low : place.start]
    if (
        _THOUGHT.match(head)
        or _ASKED.search(head)
        or re.match(r"(?:If(?! so\b)|When|Where)\b", head)
    ):
        return None  # people who were asked, and how a value is to be read
    new, _, participle = place.hedge.new.partition("/")
    if place.before.word in NEGATIONS or "not" in place.before.words:
        return None
    if place.before.words[-2:] in (("should", "be"), ("must", "be")):
        return None  # "it should be indicated that": a remark
    if re.match(r"[^.;,]{0,60}[ \n]be[ \n]", place.rest) and not _MODAL_BE.match(place.rest):
        return None  # "suggesting that it be ancient"
    if "showing" in new:
        if _OR_THAT.match(place.rest):
            return None  # of two explanations, none is shown
        head = place.text[place.low : place.start]
        if _SUPPOSED.search(head) or _PROPOSING.search(head):
            return None
        if _SAID.search(head):
            if "demonstrat" in head:
                return None
            new = new.replace("showing", "demonstrating")  # "A showed that B, demonstrating that C"
        ok = head.rstrip().endswith((",", ")", "]")) or head.endswith((" - ", " – ", " — ", "—"))
        ok = ok or re.search(r",[ \n](?:thereby|thus)\s\Z", head) is not None
        ok = ok or (len(head.split()) >= 8 and before not in _NOUNS_OF_EVIDENCE)
    elif participle and (before in HAVE or before == "been"):
        new, ok = participle, "we" not in place.before.words
    elif place.before.words[-2:] == ("it", "is") and place.form == "suggested that":
        new, ok = "concluded that", not _ADVICE.match(place.rest)
    elif place.before.word in BE:
        past = place.before.word in ("was", "were") or place.form == "indicated that"
        new, ok = participle, bool(participle) and past
    elif _by_a_person(place):
        new, ok = place.form.replace("suggest", "conclude").replace("eed", "ed"), True
    else:
        ok = place.before.word not in MODALS and (
            before in EVIDENCE
            or from_evidence(place)
            or _impersonal(place)
            or _from_outcome(place)
            or _by_a_thing(place)
            or _after_an_aside(place)
        )
        if place.before.word in _STRENGTHS:
            return None  # "strongly suggest": "strongly show" is not said
        if re.match(r"[^.;]{0,120}\bshould\b", place.rest):
            return None  # a proposal
        if before in ("which", "it", "this", "that") and "indicat" in place.form:
            ok = ok and "$" not in place.text[max(place.low, place.start - 80) : place.start]
        if ok and before in ("it", "this") and new.startswith("show that"):
            ok = False
    if ok and re.search(r"\bshow", place.text[place.low : place.start]):
        new = re.sub(r"\bshow(?=ed|s?\b)", "demonstrate", new).replace("eed", "ed")
    return Edit(place.start, place.end, new, place.hedge.action) if ok else None


_OR_THAT = re.compile(
    r"[^.;]{0,24}\bor\b|[^.;]{0,200}\b(?:either|whether|or (?:that|else|possibly|perhaps|is|are"
    r"|was|were|has|have))\b"
)
# What somebody thinks shows nothing.
_THOUGHT = re.compile(r"(?:An?|The|This|One)[ \n](?:[a-z]+[ \n]){0,2}(?:concept|idea|view)\b")
_ASKED = re.compile(
    r"\b(?:respondents?|participants?|people|spouses|women|men|households?|farmers|patients"
    r"|percent of"
    r"|interview\w*|consumers|students|teachers|workers|parents|mothers|villagers|informants?"
    r"|subjects"
    r"|users|annotators)\b",
    re.IGNORECASE,
)
_NOUNS_OF_EVIDENCE = EVIDENCE | words(
    "by of in for as is are was were and or thus therefore further also"
)
_STRENGTHS = words("strongly tentatively weakly heavily seemingly")
_PERSON = re.compile(
    r"\b(?:[Ww]e|I|[Tt]hey|[Hh]e|[Ss]he|who|authors?|al|researchers?|scientists?|experts?"
    r"|reviewers?"
    r"|critics?|colleagues|coworkers|others|some|participants?|people|farmers|physicians"
    r"|recommendations?"
    r"|guidelines?|wisdom|intuition|polic(?:y|ies)|proposal)\b"
    r"|[A-Z][a-z]+ (?:and [A-Z][a-z]+ )?[(\[](?:19|20)?\d"
    r"|[$=<>≤≥]|\bvalues? (?:of|above|below)\b|\barrows?\b|\bbars?\b|\bcolou?rs?\b|\bsymbols?\b"
)


def _by_a_thing(place: HedgePlace) -> bool:
    """Whether a thing suggests it and no person: "the rise of both scores with size suggests"."""
    head = place.text[place.low : place.start]
    clause = re.split(r"[;:]", head)[-1]
    word = place.before.word
    return (
        not place.before.mark
        and MODALS.isdisjoint(place.before.words[-2:])
        and 2 <= len(clause.split()) <= 40
        and bool(re.fullmatch(r"[\w–/.+-]{2,30}|[\w–/.+-]*[)\]]", word))
        and word not in PEOPLE | MODALS | DETERMINERS | PREPOSITIONS
        and not _PERSON.search(clause)
        and not re.search(r"\b(?:that|which|if|whether)\b", _THE_FACT.sub("", clause))
    )


_THE_FACT = re.compile(r"\A\s*(?:[A-Z][a-z]+, )?[Tt]he (?:fact|observation|finding) that\b")
_EVIDENCE_FIRST = re.compile(
    r"(?:(?:Taken together|Together|Overall|Moreover|Furthermore|Thus|Hence|However|Therefore"
    r"|Collectively|Finally|In summary|Interestingly|Additionally|In addition),[ \n])?"
    r"(?:[Tt]his|[Tt]hese|[Tt]he|[Oo]ur|[A-Z][a-z]+)[ \n](?:[a-z]+[ \n])?"
    r"(results?|evidence|findings?|observations?|experiments?|data|analys[ei]s|trends?|differences?)\b"
)


def _after_an_aside(place: HedgePlace) -> bool:
    """Whether evidence begins the sentence, and an aside or a first verb follows it."""
    first = _EVIDENCE_FIRST.match(place.text, place.low, place.start)
    aside = place.text[: place.start].rstrip().endswith(",") or place.before.word == "and"
    if first is None or not aside:
        return False
    plural = first[1] in ("data", "analyses") or (first[1].endswith("s") and first[1] != "analysis")
    return plural != place.form.split()[0].endswith("s") or place.form.startswith(
        ("suggested", "indicated")
    )


def _from_outcome(place: HedgePlace) -> bool:
    """Whether the clause begins with an outcome: "The difference between A and B suggests"."""
    clause = place.text[place.low : place.start]
    opening = clause.lower().split()
    lead = len(opening) > 1 and opening[0].endswith(",")  # "Furthermore, the metrics suggest"
    opening = opening[lead:]
    if opening[:1] in (["whereas"], ["while"]):
        opening = opening[1:]
    if (
        len(opening) > 14
        or any(word.endswith(",") for word in opening)
        or {"we", "they", "that", "which", "authors", "al."} & set(opening)
    ):
        return False
    if place.form.split()[0].endswith("s"):
        return not _OUTCOMES.isdisjoint(opening[:4]) and _SEVERAL.isdisjoint(opening[:4])
    several = not _SEVERAL.isdisjoint(opening[:4])
    both = "and" in opening and not EVIDENCE.isdisjoint(opening[:3])
    return several or both or opening in (["these"], ["these", "all"])


# "Suggesting little gain": a state of something that is there.
_BARE = re.compile(
    r"[ \n](?:little|strong|weak|high|low|limited|different|similar|distinct|additional|functional"
    r"|enhanced|reduced|increased|decreased|improved|impaired|better|poor|greater|lower|higher)"
    r"[ \n][a-z-]{3,}"
)


# "Suggesting a possible role": both hedges go.
_BOTH = re.compile(r"[ \n]possible[ \n](?:roles?|mechanisms?|links?|reasons?|sources?|causes?)\b")


def replace_quality(place: HedgePlace) -> Edit | None:
    """ "Results suggest the validity" becomes "Results show the validity"."""
    doubled = re.match(r"[ \n](?:the |an? )?(?:possib|probab|potential|likely)", place.rest)
    if doubled and not _BOTH.match(place.rest):
        return None  # "suggest the probable involvement": half a doubt would stay
    if place.before.word in _STRENGTHS:
        return None
    clause = _CLAUSE.match(place.rest) or _something(place)
    bare = doubled or (place.form == "suggesting" and _BARE.match(place.rest))
    if (
        not (clause or bare or _QUALITIES.match(place.rest))
        or "$" in place.text[place.low : place.high]
    ):
        return None
    if place.hedge.new.startswith("showing"):
        head = place.text[place.low : place.start]
        ok = re.search(r",\s(?:(?:thereby|thus)\s)?\Z|\b(?:thereby|thus)\s\Z", head) is not None
        after_clause = len(head.split()) >= 8 and place.before.word not in _NOUNS_OF_EVIDENCE
        ok = ok or (place.form == "suggesting" and not place.before.mark and after_clause)
    else:
        ok = place.before.word not in MODALS | NEGATIONS and (
            from_evidence(place) or (place.form.startswith("suggest") and _by_a_thing(place))
        )
    new = place.hedge.new
    if new.startswith("showing") and _SAID.search(place.text, place.low, place.start):
        if re.search(
            r"\b(?:assum|suppos|hypothes|demonstrat)", place.text[place.low : place.start]
        ):
            return None
        new = new.replace("showing", "demonstrating")
    if last_plain(place.before) in HAVE:
        new = new.replace("showed", "shown")
    return Edit(place.start, place.end, new, place.hedge.action) if ok else None


# What is proposed, or half doubted.
_PROPOSED = re.compile(
    r"[^.;,]{0,60}\b(?:approach(?:es)?|methods?|strateg(?:y|ies)|solutions?|models?|frameworks?|ways?"
    r"|either|use|adoption|possib\w+|hypothes\w+|ideas?|potential(?:ly)?|probab\w+|likely|plausible"
    r"|to(?=[ \n][a-z])|following|alternatives?|caution|needs?|interpretations?|new|improvements?"
    r"|modifications?"
    r"|design|needed|shifts?|directions?|avenues?|topics?|values?|choices?|choice|that|as|should|be|procedures?"
    r"|treatments?|minimum|maximum|names?|terms?|definition|changes|we|it|they|how|why)\b"
)


def _something(place: HedgePlace) -> bool:
    """Whether a noun phrase follows that names no proposal: "suggests a conserved role"."""
    first = re.match(r"[ \n]([a-z][a-z-]*)[ \n]", place.rest)
    return (
        place.form.startswith("suggest")
        and first is not None
        and (not first[1].endswith("ing") or place.rest[first.end() :].startswith("of "))
        and not re.match(r"[^.;]{0,160}[ \n]or[ \n]", place.rest)
        and not _PROPOSED.match(place.rest)
    )


_AUTHORS = re.compile(
    r"\bet al\.?,?[ \n]?(?:[(\[](?:19|20)?\d[^()\[\]]{0,12}[)\]])?,?[ \n](?:also[ \n])?\Z"
    r"|\b[A-Z][a-z]+,?[ \n]?[(\[](?:19|20)?\d[^()\[\]]{0,12}[)\]],?[ \n](?:also[ \n])?\Z"
    r"|\b(?:[Ww]e|[Aa]uthors|[Rr]esearchers|[Oo]thers)[ \n]"
    r"(?:(?:can|also|thus|therefore|further|previously)[ \n])?\Z"
)
_ADVICE = re.compile(
    r"[^.;]{0,160}\b(?:should|must|ought|future|further|researchers|practitioners|readers|needs? to"
    r"|recommend\w*|instead"
    r"|be (?:used|considered|adopted|applied|made|given|taken|done|included))\b"
)


def replace_passive(place: HedgePlace) -> Edit | None:
    """ "Has been suggested to help" becomes "has been shown to help"."""
    clause = clause_before(place).lower().split()
    if place.before.word not in ("been", "was", "were") or place.before.mark or "it" in clause:
        return None
    found = verb_after(place)
    if found is None or found[1] not in CLAIM_VERBS | {"be", "have"}:
        return None
    if (
        _PROPOSED.match(" " + " ".join(clause))
        or not NEGATIONS.isdisjoint(clause)
        or _ADVICE.match(place.rest)
    ):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def _by_a_person(place: HedgePlace) -> bool:
    """Whether somebody suggests a claim, no action: "Smith et al. (2010) suggested that"."""
    head = place.text[max(place.low, place.start - 80) : place.start]
    return (
        place.form in ("suggest that", "suggested that")
        and (
            _AUTHORS.search(head) is not None
            or (place.form == "suggested that" and head.endswith("They "))
        )
        and not _ADVICE.match(place.rest)
        and place.before.word not in MODALS - {"can"}
    )


def _impersonal(place: HedgePlace) -> bool:
    """Whether the word before the form is a plain noun of a thing, after an article."""
    clause = re.split(r"[;:,]", place.text[max(place.low, place.start - 120) : place.start])[-1]
    words = clause.split()
    return (
        len(words) >= 2
        and words[0].lower() in ("the", "this", "these", "such", "our", "its", "their", "a", "an")
        and bool(re.fullmatch(r"[a-z]{3,20}", words[-1]))
        and words[-1] not in PEOPLE | MODALS | DETERMINERS | PREPOSITIONS
        and not words[-1].endswith("ly")
    )
