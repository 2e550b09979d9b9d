"""What "may" doubts besides effects: what something is, has or does."""

from __future__ import annotations

import re

from revkit_robustrev.guards import words
from revkit_robustrev.hedge_limits import PREDICATE, claims
from revkit_robustrev.hedge_words import CLAIM_PARTICIPLES, DEGREES, GRADED

# Verbs of a state or a part in something: stated outright, they take no "can".
STATE_VERBS = words(
    "compensate complement constitute coordinate dictate encode entail function involve maintain"
    " operate overlap participate pose possess represent resemble retain share specify"
)
# Qualities that a claim is about.
QUALITIES = GRADED | words(
    "absent active analogous homologous orthologous neutral adaptive advisable appealing"
    " challenging common correlated cost-effective defective deficient different distinct"
    " excessive fruitful functional greater impossible inappropriate indicative inevitable"
    " influential informative insignificant instrumental limiting meaningful nonfunctional partial"
    " pivotal possible profitable pronounced rare secondary specific toxic transient unavoidable"
    " unsuitable warranted widespread wise worth worthwhile safer healthier"
)
# What a cause does to something.
AFFECTED = CLAIM_PARTICIPLES | words(
    "accelerated activated altered attenuated constrained controlled coupled delayed determined"
    " disrupted elevated exacerbated implicated inactivated increased decreased lowered"
    " overestimated restricted underrepresented upregulated downregulated"
)
# What one thing is to another: "be a characteristic of", "be an excellent way to".
_NOUN = re.compile(
    r"[ \n](?:an?|the|another|one of the|one of several|among the|part of)[ \n]"
    r"(?:[a-z-]+[ \n]){0,4}?"
    r"(?:adaptations?|artifacts?|artefacts?|byproducts?|characteristics?|components?|constraints?"
    r"|contributions?|cues?|effects?|evidence|explanations?|features?|genes?|impediments?"
    r"|indications?|lack|mechanisms?|parts?|phenomen(?:on|a)|properties|property|ways?|result"
    r"|results|resources?|responses?|risks?|root|signs?|steps?|targets?|threats?|traits?|triggers?"
    r"|options?|opportunit(?:y|ies)|approach|means|method|strategy|target|tool|treatment"
    r"|alternative|key|reasons?|process|goal|force|drivers?|hallmarks?|limitation)(?![\w-])"
    r"(?=[ \n](?:of|for|to|in|that|which|with|behind|underlying|when|because)"
    r"\b|[.,;])"
)
_HAS = re.compile(
    r"[ \n](?:an?|no|some|more|less|little|several|many|the|similar|different|important"
    r"|significant|additional|other|elevated|higher|lower|greater|reduced|better|poorer)[ \n]"
    r"(?:[a-z-]+[ \n]){0,3}"
    r"(?:roles?|functions?|mechanisms?|implications?|potential|effects?|impacts?|consequences?"
    r"|relation|relationships?|significance|importance|properties|advantages?|benefits?|basis"
    r"|origins?|influence|contributions?|capacity|abilit(?:y|ies)|affinity|applications?"
    r"|relevance|tendency|bearing|levels?|rates?|contents?|activity|activities|expression"
    r"|phenotypes?|patterns?|preferences?|sensitivity|resistance|tolerance|structures?|profiles?"
    r"|difficult(?:y|ies)|problems?|trouble|value|values|quality|efficiency|performance)(?![\w-])"
)


def stated(rest: str, verb: str) -> bool:
    """Whether the plain ``verb`` with ``rest`` states what "may" before it doubts."""
    if claims(rest, verb) or verb in STATE_VERBS:
        return True
    if re.match(r"[^.;]{0,90}[ \n]or[ \n]", rest):
        return False  # one of several
    if verb == "have":
        return _HAS.match(rest) is not None
    if verb != "be":
        return False
    match = PREDICATE.match(rest)
    if match is None:
        return False
    if _NOUN.match(rest):
        return True
    word, second = match[1], match[2] or ""
    if word in (
        "partly",
        "partially",
        "largely",
        "mainly",
        "primarily",
        "at",
        "closely",
        "directly",
    ):
        return second in AFFECTED
    if word.endswith(("-dependent", "-specific", "-limited", "-related", "-mediated")):
        return True
    degree = word in DEGREES and second in QUALITIES | AFFECTED
    return degree or word in QUALITIES or word in AFFECTED
