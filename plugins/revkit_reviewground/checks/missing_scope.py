"""The limits of the denials in `missing_grammar`: wishes, degrees, parts, and words that deny
nothing.
"""

from __future__ import annotations

import re

from revkit.english import compile_words, hedges, stop_words
from revkit_reviewground.checks.missing_grammar import DONE

# Claims on how much or how well something is done deny nothing.
DEPTH = re.compile(
    r"\b(?:detailed?|in[\s-]depth|depth|thorough(?:ly)?|comprehensive(?:ly)?|adequate(?:ly)?"
    r"|sufficient(?:ly)?"
    r"|extensive(?:ly)?|clear(?:ly)?|full(?:y)?|complete|more|further|deeper|better|enough|well"
    r"|proper(?:ly)?"
    r"|careful(?:ly)?|systematic(?:ally)?|rigorous(?:ly)?|convincing|additional|other|certain|some"
    r"|recent"
    r"|quantitative|broader(?!\s+(?:\w+\s+)?impact)|wider|strong(?:er)?|solid|good|important"
    r"|relevant|meaningful|finer"
    r"|fine-grained"
    r"|all|exact|precise|finite-sample|very|always|consistent\w*|concrete|satisf\w+"
    r"|significant(?:ly)?"
    r"|substantial(?:ly)?|beyond|except|only|limited|insufficient\w*|conclusive|new|novel|same"
    r"|appropriate(?:ly)?)\b",
    re.IGNORECASE,
)
# Sentences that ask, suppose or speak of other works, and denials that deny no lack.
NO_CLAIM = re.compile(
    r"\?\s*$|^\W*(?:if|can|could|would|should|is|are|does|do|did|has|have|why\s+(?:not"
    r"|did\s+you))\b"
    r"|\b(?:if|unless|suppose|would|please|let\s+us|without\s+requiring)\b"
    r"|(?<!say\s)(?<!state\s)(?<!mention\s)(?<!specify\s)(?<!report\s)(?<!explain\s)(?<!test\s)(?<!tests\s)"
    r"(?<!indicate\s)(?<!check\s)\bwhether\b(?![^.;?]{0,80}\b(?:is|was)\s+(?:not"
    r"|never)\s+(?:\w+ly\s+)?"
    r"(?:stated|mentioned|reported|specified|said|given|described|disclosed|indicated|discussed)\b)"
    r"|\b(?:prior|existing|previous|other|earlier|most|many|these|such|those)\s+(?:works?|methods?"
    r"|papers?|stud(?:y|ies)"
    r"|approaches|baselines|models|research|literature)\s+(?:\w+\s+){0,3}(?:lack|do|does|did|omit"
    r"|miss|fail|have|has|are|is|provide)"
    r"|\bno\s+(?:\w+\s+){1,4}(?:is|are)\s+(?:needed|necessary|required)\b"
    r"|\b(?:no\s+(?:major|obvious|need|doubt|longer|significant|clear|ethical\s+concerns?)"
    r"|not\s+only|not\s+just|not\s+a(?!\s+(?:single|word))|not\s+necessar\w+"
    r"|need\s+not|no\s+problem|nothing\s+to)\b"
    r"|\b(?:require|need|rely|relies|depend|suffer|assum|use)\w*\s+(?:on\s+)?(?:no|not)\b"
    r"|^\W*(?:no|none|n/a)(?:\s+(?:major|significant|obvious))?\s+(?:limitations?|ethical\s+\w+"
    r"|concerns?)\W*$",
    re.IGNORECASE,
)
# "In the highway experiment, no baseline": a baseline of another experiment does not answer that.
SCOPE = re.compile(
    r"\b(?:in|for|on|with)\s+(?:the|this|that|their|your|its)\s+(?P<part>(?:[\w-]{2,30}\s+){1,3}?)"
    r"(?:experiments?|tasks?|case|setting|problem|example)\b",
    re.IGNORECASE,
)
# "Fig. 4 has no error bars" says nothing of the other figures, nor the abstract of what follows it.
ONE_PLACE = re.compile(
    r"\b(?i:fig(?:ure)?s?|tab(?:le)?s?|sec(?:tion)?s?|eqs?|appendix|theorem|lemma|algorithm)\.?\s?"
    r"(?:\(?\d|[A-Z]\b)[^.;:]{0,40}\Z|\b(?i:abstract|introduction|title|captions?|appendi(?:x|ces)"
    r"|supplement(?:ary(?:\s+materials?)?)?|main\s+(?:text|paper|body)|body\s+of\s+the\s+paper"
    r"|checklist"
    r"|legends?|(?:method\w*|related[\s-]work|results)\s+section)[^.;:,]{0,30}\Z"
)
IN_ONE_PLACE = re.compile(
    r"\s*(?:is|are)?\s*\b(?:in|from|to|of)\s+(?:the|its)\s+(?:abstract|introduction|title"
    r"|captions?|appendi(?:x|ces)"
    r"|supplement|main\s+(?:text|paper|body)|body|conclusion)"
    r"|\s*(?:is|are)?\s*\b(?:in|from|for)\s+(?:fig(?:ure)?s?|tab(?:le)?s?|sec(?:tion)?s?|eqs?"
    r"|algorithm|appendix)\.?\s?\(?(?:\d|[A-Z]\b)",
    re.IGNORECASE,
)
CONCLUSION = re.compile(r"\bconclusions?(?:\s+section)?[^.;:,]{0,30}\Z", re.IGNORECASE)
LACKING = re.compile(r"(?:missing|absent|lacking|omitted|ignored|overlooked|neglected)\Z", re.I)
# "The ablation study is missing a case" grants the study.
TRANSITIVE = re.compile(
    r"\s+(?:an?|the|some|any|several|important|key|crucial|many|one|two|its|details?|essential)\b",
    re.IGNORECASE,
)
# "The code is not documented" grants that there is code.
GRANTS = re.compile(
    r"\b(?:discussed|explained|documented|described|detailed|clarified|elaborated(?:\s+on)?"
    r"|tested|evaluated"
    r"|studied|examined|analy[sz]ed|assessed|explored|investigated|compared|measured"
    r"|visuali[sz]ed|defined"
    r"|shared|reviewed|quantified|covered|validated|suggested|proposed|applied)\Z",
    re.IGNORECASE,
)
# To leave a thing unexplained is not to leave it out.
EXPLAINS = re.compile(
    r"\b(?:explain|clarify|document|elaborate\s+on|go\s+into|comment\s+on|detail|choices?\s+of)\b",
    re.IGNORECASE,
)
REPORTS = re.compile(
    r"\b(?:specify|report|state|give|mention|disclose|provide|indicate)\b", re.IGNORECASE
)
SEES_NONE = re.compile(
    r"\bI\s+(?:\w+\s+)?(?:see|saw|find|found|have|noticed?|identif\w+)\s+no\s+(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
# Every claim holds one of these; most sentences hold none.
PASSIVE = re.compile(rf"\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?{DONE}(?=\s)", re.IGNORECASE)
DENIAL = re.compile(
    r"\b(?:no|not|lack|miss|absen|omi|fail|without|never|nor\b|neither|nothing|none|ignor|unavail"
    r"|undis|unrep|unadd|unsp|unst|silent|single|one\s+run|neglect|nowhere|zero|left\s+(?:out"
    r"|un)|skip|forgo|foreg|overlook|disregard|devoid|bereft|undef|unment"
    r"|unknown|cannot)"
    r"|n['’]t\b",
    re.IGNORECASE,
)
# A wish that says itself that the thing is not there.
NONE = re.compile(
    r"\bbut\s+(?:there\s+(?:is|are)\s+none|none\b)"
    r"|\b(?:which|that|but|it|this|they|these)\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:missing"
    r"|absent|lacking|not\s)"
    r"|\b(?:which|that)\s+(?:it|the\s+paper)\s+does\s+not\s+(?:have|contain|include)"
    r"|\b(?:as|since|because|currently|but)\s+(?:none\b|it\s+(?:currently\s+)?has\s+none"
    r"|there\s+(?:is|are)\s+none)|\b(?:currently|at\s+present)\s+(?:missing|absent|lacking)",
    re.IGNORECASE,
)
IN_DETAIL = re.compile(
    r"\b(?:in|at|to)\s+(?:\w+\s+)?(?:details?|depth|length|extent)\b|\A\s*(?!(?:entire|complete"
    r"|explicit|total|public|unfortunate)ly\b)\w+ly\b"
)
QUALIFIER = re.compile(
    r"\s+(?:(?:of|on|for|about|with|without|regarding|over|with\s+respect\s+to|to|in|across|that"
    r"|showing|isolating|by|between|related"
    r"\s+to|such\s+as|using|against|from|used|when|where|under|at|comparing"
    r"|like)\b)\s*(?P<rest>[^.;:!?]{2,160})",
    re.IGNORECASE,
)
EMPTY_QUALIFIER = re.compile(
    r"(?:all|present|this\s+point|hand)\s*(?:[.,]|$)|(?:any|each|all|either|most)\s+of\s+(?:the"
    r"|their|its)\s+"
    r"(?:\w+\s+)?(?:experiments?|results?|tables?|figures?|plots?|evaluations?)\b|"
    r"(?:support|understand|validate|assess|verify|justify|show|demonstrate|explain|back"
    r"|quantify)\b|"
    r"(?:(?:for|in|during|by|on|with)\s+)?(?:the|this|their|its|our|any)?\s*(?:proposed|presented"
    r"|new|main|paper's|overall)?\s*(?:method(?:ology)?|approach"
    r"|work|model|paper|framework|stud(?:y|ies)|algorithm|technique|system|experiments?|manuscript"
    r"|results?|main\s+results"
    r"|experimental\s+results|reported\s+results|tables?|figures?|plots?|submission|training"
    r"|components?"
    r"|evaluations?|comparisons?|discussion|text|any\s+(?:kind|sort|form)|(?:different|various"
    r"|individual|key"
    r"|its|the|each|proposed|main)\s+(?:\w+\s+)?components?(?:\s+of\s+.{0,60})?)s?"
    r"\s*(?:,|\(|and\b|or\b|which|making|is\b|are\b|to\s+(?:understand|support|validate|assess"
    r"|verify|justify|show)|$)",
    re.IGNORECASE,
)
# What joins the members of a list; the members are topics themselves.
JOINED = re.compile(
    r"\s*(?:[,;/(—–]|\b(?:and|or|nor|as\s+well\s+as|along\s+with|plus|such\s+as|like|including"
    r"|e\.g\.,?)(?=\s))\s*(?:(?:and|or|nor|no|neither|any|an?|the|its|their|of|on|number|potential"
    r"|used|also|i\.e\.,?|e\.g\.,?)\s*(?:\s|,\s)){0,6}",
    re.IGNORECASE,
)
# After "no X", a verb whose subject that is: "no ablation isolates the effect", "no proof can".
VERB = re.compile(
    r"\s+(?:can|could|may|might|will|would|must|seems?|helps?|covers?|isolates?|shows?|explains?"
    r"|supports?|compares?|tests?|demonstrates?|replaces?|goes|(?:is|are|was|were|has"
    r"|have)\s+(?!not\b|never\b"
    r"|no\b|been\b|missing|absent|lacking|omitted|left|un\w+|nowhere|all\b|both\b|also\b"
    r"|currently\b|\w+ly\b"
    rf"|{DONE}))\b",
    re.IGNORECASE,
)
# "The code of the baselines is not given": what is missing is the code.
PART_OF = re.compile(
    r"\b(?!(?:lack|absence|discussions?|mentions?|details?|information|reports?|description"
    r"|numbers?|choices?|presentations?|statements?|specification|account|inclusion|analys[ie]s"
    r"|indications?|use|usage|release|benefit|profit|amount|type|value|values|section|stud(?:y"
    r"|ies)|examples?|kind"
    r"|sort)\s)"
    r"[A-Za-z]{3,30}\s+(?:of|for|in|by|on|from|with|to|about|between|behind|across)\s+"
    r"(?:the\s+|its\s+|their\s+|all\s+|these\s+|any\s+|an?\s+){0,2}\Z",
    re.IGNORECASE,
)
# "Some results lack error bars" grants that others have them.
SOME = re.compile(
    r"\b(?:some|several|many|most|few|certain|other|remaining|half|baselines?|competitors?"
    r"|first|second|third|last|latter|former|not\s+all|existing|prior|previous|earlier|such|similar"
    r"|standard|classical|typical|heuristic|related"
    r"|alternative)\s+(?:of\s+(?:the\s+)?)?(?:[\w-]+,?\s+){0,3}\Z"
    r"|\b(?:comparisons?|results?|numbers|scores|curves?|values)\s+(?:with|to|against|of"
    r"|for)\s+(?:[\w-]+\s+){1,4}\Z",
    re.IGNORECASE,
)
# What shows that the text, not the method, is said to lack something.
SAYS = re.compile(
    r"\b(?:mention|stat(?:e|es|ed|ing)\b|say|said|tell|told|report|detail|information|informed"
    r"|discuss|describ|specif|disclos|unspecified|unstated|undisclosed|unmentioned|omit|missing"
    r"|given|provid|explain|list|document|indicat|find|found|silent|named|word|unclear|absent"
    r"|lack|left\s+out|cover)",
    re.IGNORECASE,
)
# "does not say which optimizer was used", where the verb belongs to the question.
EMBEDDED = re.compile(r"\b(?:whether|which|what|how)\b", re.IGNORECASE)
# What is named before its examples: "important details such as".
HEAD = re.compile(
    r"(?:\b[\w-]{2,20}\s+){0,3}\b(?:details?|hyper-?parameters?|parameters?|information"
    r"|settings?|aspects?"
    r"|elements|choices|quantities|baselines|specifics)\s*(?:,\s*)?(?:such\s+as|like|including"
    r"|e\.g\.,?"
    r"|\()\s*(?:(?:the|its|their)\s+)?\Z"
    r"|\b(?:details?|information|specifics)\s+(?:about|on|regarding|of)\s+(?:(?:the|its"
    r"|their)\s+)?\Z",
    re.IGNORECASE,
)
EXAMPLES = re.compile(
    r"\s*,?\s*(?:such\s+as|like|e\.g\.|including|notably|namely|\(|:\s*\S)", re.IGNORECASE
)
FLAT_NO = re.compile(r"\b(?:no|zero|neither|nor)\s", re.IGNORECASE)
ALL_ARE = re.compile(r"\b(?:are|were|been)\s+(?:all|both)\b", re.IGNORECASE)


def is_doubtful(sentence: str) -> bool:
    """Return whether a reviewer is unsure of the claim: "I could not find", "seems"."""
    doubts = compile_words(frozenset(hedges("claim")), ignore_case=True)
    return doubts.search(sentence) is not None


def scope_of(sentence: str) -> str:
    """Return the experiment or task to which a claim is limited ("highway"), or ""."""
    match = SCOPE.search(sentence)
    words = match["part"].split() if match else []
    return " ".join(word for word in words if word.lower() not in stop_words("claim"))
