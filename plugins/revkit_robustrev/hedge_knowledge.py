"""What the authors or their field know, and no hedge is added to.

Most faults of added hedges that blind readers found doubt a result of other authors, a fact of a
textbook, or what the study measured. The words and the place of the sentence show these.
"""

from __future__ import annotations

import re

from revkit_robustrev.hedge_place import HedgePlace

_CITED = re.compile(
    r"\b(?:19|20)\d\d[a-z]?[)\];,]|\[\d|\bet al\b|[a-z.,]\d{1,2}(?:[,–-]\d{1,2}){0,12}\.?\Z"
)
# The results of others, which their citation states as found.
_OTHERS = re.compile(
    r"\b(?:[Pp]revious|[Pp]rior|[Ee]arlier|[Rr]ecent|[Ss]everal|[Mm]any|[Oo]ther|[Nn]umerous)"
    r"[ \n](?:[a-z-]+[ \n]){0,2}(?:stud(?:y|ies)|works?|research|reports?|results|findings"
    r"|authors)\b"
    r"|\b(?:[Ss]tudies|[Rr]esearch|[Ll]iterature|[Aa]uthors)\b[^.;]{0,40}\b(?:shows?|showed"
    r"|shown|found"
    r"|reveal\w*|demonstrat\w+)\b"
)
# What is said of a field or of nature wherever it is taught; the sentence before names no finding.
_OF_NATURE = ("add-modal", "add-modal-noun", "add-modal-plural", "add-can", "add-copula")
_BACK = re.compile(
    r"(?:(?:However|Moreover|Furthermore|In addition|Additionally|Therefore|Thus|Hence|Finally"
    r"|Consequently|As a result|In turn|In practice|Unfortunately),[ \n])?(?:This|These|Such|It"
    r"|They)\b"
)
# What follows from the making of a method, by counting.
_COSTS = re.compile(
    r"\b(?:storage|memory|computation\w*|parameters?|multiplications?|runtime|(?:training"
    r"|inference)"
    r" time|operations?|bits?|complexity|dimension\w*)\b"
)
# A finding that the sentence itself reports, or an example.
_REPORTED = re.compile(
    r"\b(?:found|observed|measured|reported|detected|recorded|[Ff]or (?:example|instance)|e\.g"
    r"|such as"
    r"|known|well[ -]established|widely|commonly|inevitabl\w+|these authors|they (?:found"
    r"|showed))\b"
)
# What evidence supports beyond the measurement: an ability, a use, a cause, a role.
_INTERPRETED = re.compile(
    r"\b(?:can|could|cannot|plays?|roles?|importan\w+|crucial|key|necessary|essential|beneficial"
    r"|useful|helpful|suitable|promising|potential\w*|effective\w*|robust\w*|sensitive|able|capable"
    r"|responsible|involved|depends?|affects?|influences?|contributes?|helps?|leads?|learns?"
    r"|learned"
    r"|captures?|encourages?|prevents?|regulates?|benefits?|due|because|generaliz\w+|transfers?"
    r"|explains?|driven|relies|rely|should|needs?|would|causes?|makes?|enables?|allows?|suffers?"
    r"|lacks?|tends?|value|advantage|effectiveness|applicab\w+|feasib\w+)\b"
)
_QUANTITIES = re.compile(
    r"\b(?:accurac\w+|errors?|scores?|rates?|significant\w*|improve[sd]?|increase[sd]?"
    r"|decrease[sd]?"
    r"|reduce[sd]?|higher|lower|larger|smaller|faster|slower|better|worse|succeeds?|solves?|solve"
    r"|[a-z]{2,12}est|most|least|performs?|performance|number|amount|average|yields?|content"
    r"|concentrations?|levels?"
    r"|expression"
    r"|abundan\w+|detected|existence|present|produced|similar|differen\w+|change[sd]?)\b",
    re.IGNORECASE,
)
_OWN_STUDY = re.compile(r"(?:This|The (?:present|current)|Our)[ \n](?:[a-z]+[ \n])?stud(?:y|ies)\b")
# The sentence says itself how far the authors know.
_AWARE = re.compile(r"\b(?:aware|we know|known to us|knowledge)\b")
_SETTLED = re.compile(
    r"\b(?:whether|extent|remains? (?:unresolved|unclear|unknown)|straightforward\w*|readily|easily"
    r"|demonstrate|as (?:shown|demonstrated))\b"
)
_POPULAR = re.compile(
    r"\b(?:diseases?|disorders?|crops?|worldwide|cancers?|pathogens?|nutri\w+|photosynthesis"
    r"|metabolism|cells?|substances?|proteins?|genes?|acids?|bacteria\w*|species|recommend\w+"
    r"|guidelines?|cereals?|foods?|humans?|plants?"
    r"|infections?"
    r"|mortality|health)\b",
    re.IGNORECASE,
)


def known_already(place: HedgePlace) -> bool:
    """Whether the sentence states what its authors or their field know."""
    text, low, high, action = place.text, place.low, place.high, place.hedge.action
    sentence = text[low:high]
    if action in ("add-knowledge", "add-unstudied"):
        return bool(_AWARE.search(sentence))
    if action in ("add-belief", "add-direction"):
        return False
    if action == "add-will" and sentence.startswith(("A ", "An ")):
        return True  # "A mask that is too large will fail": how it always is
    if action in ("add-arguably", "add-perhaps", "add-remains"):
        return bool(_POPULAR.search(sentence))
    if _CITED.search(sentence) or _OTHERS.search(sentence):
        return True
    if action in ("add-report", "add-implied"):
        rest = place.rest
        if _OWN_STUDY.match(text, low, place.start):
            return True  # what it observed
        return not _INTERPRETED.search(rest) or bool(_QUANTITIES.search(rest))
    if action == "add-showing":
        return not _INTERPRETED.search(place.rest) or bool(_QUANTITIES.search(place.rest))
    if action == "add-cause":
        back = re.search(
            r"\b[Tt]his(?:[ \n][a-z]+){0,2}[ \n](?:is|was)[ \n]\Z", text[low : place.start]
        )
        return bool(_SETTLED.search(sentence)) or not back
    if action == "add-explanation":
        return place.before.word == "which"  # of a thing that is named, what it explains
    if action == "add-reach":
        return bool(_SETTLED.search(sentence))
    if action == "add-tend":
        return bool(re.match(r"(?:[A-Z][a-z ]*, )?(?:[Tt]hese|[Tt]hose|[Ss]uch)\b", sentence))
    if action in _OF_NATURE:
        if _REPORTED.search(sentence):
            return True
        return not _BACK.match(sentence) or bool(_COSTS.search(sentence))
    return False
