"""Claims of a review that its paper lacks something, found by how they deny it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from revkit_reviewground.checks.missing_topics import TOPICS, Topic

_ADVERB = r"(?:(?:also|even|currently|simply|completely|entirely|at\s+all|ever|actually|explicitly|directly|really|still)\s+)?"
# What may stand between the denial and the thing without changing what is denied.
_LIGHT = (
    r"(?:(?:a|an|the|any|its|their|some|of|single|explicit|proper|formal|dedicated|separate|real|actual"
    r"|corresponding|appropriate|empirical|such|sort\s+of|kind\s+of|form\s+of|on|about|for|numbers?|values?"
    r"|discussions?\s+(?:of|on|about)|mentions?\s+of|information\s+(?:on|about)|details?\s+(?:on|of|about)"
    r"|reports?\s+of|description\s+of|section\s+(?:on|about)|analys[ie]s\s+of|access\s+to|link\s+to|use\s+of"
    r"|statement\s+(?:of|on)|references?\s+to|potential|possible)\s+){0,6}"
)
_VERBS = (
    r"(?:provide|include|report|contain|present|have|conduct|perform|discuss|mention|address|offer|show"
    r"|give|describe|specify|list|disclose|state|release|share|acknowledge|compare\s+(?:to|with|against)"
    r"|make|feature|run|analyze|analyse|consider|explore|examine|carry\s+out|use|evaluate|publish|cover|say\s+anything\s+about)"
)
_DONE = (
    r"(?:provided|included|reported|presented|conducted|performed|discussed|mentioned|addressed|given"
    r"|described|specified|listed|disclosed|stated|released|shared|acknowledged|shown|made\s+(?:publicly\s+)?"
    r"available|(?:publicly\s+)?available|present|analyzed|analysed|considered|explored|examined|there|public"
    r"|open-?sourced|used|compared|published|to\s+be\s+found|found|run|carried\s+out|done|tried|plotted|computed|measured)"
)
_BEFORE = re.compile(
    r"(?:"
    rf"(?:\b(?:do|does|did|has|have|is|are|was|were|can|could)\s+not|n['’]t|\bnever|\bnor(?:\s+(?:do|does|did)\s+\w+){{0,1}})\s+{_ADVERB}{_VERBS}\s+"
    rf"|\b(?:has|have|had)\s+(?:not|never)\s+(?:yet\s+)?{_ADVERB}{_DONE}\s+"
    rf"|\b(?:could|can|did|do)\s+not\s+(?:find|see|locate|spot)\s+|\b(?:couldn|didn|can)['’]t\s+(?:find|see|locate)\s+"
    rf"|\b(?:reported|presented|given|shown|provided|plotted|done|conducted|performed|made|ends?|comes?|come)\s+without\s+|\bneither\s+"
    rf"|\bfail(?:s|ed|ing)?\s+to\s+{_ADVERB}{_VERBS}\s+"
    r"|\b(?:lacks?|lacking|lacked|omits?|omitted|omitting|misses|missing|neglects?|ignor(?:es|ed|ing)|silent\s+(?:on|about)|I\s+miss(?:ed)?(?:\s+(?:most|here))?"
    r"(?:\s+is)?|none\s+of\s+the\s+\w+\s+(?:come|comes|have|has|are\s+given|show)(?:\s+with)?)\s+"
    r"|\bnothing\s+(?:is|was)\s+(?:said|written|reported|mentioned)\s+(?:about|on)\s+"
    r"|\b(?:lack|absence|omission)\s+of\s+"
    r"|\b(?:there\s+(?:is|are|was|were)\s+(?:also\s+|currently\s+|simply\s+)?no|has\s+no|have\s+no|had\s+no|with\s+no|contains?\s+no"
    r"|includes?\s+no|provides?\s+no|gives?\s+no|reports?\s+no|presents?\s+no|offers?\s+no|shows?\s+no|finds?\s+no|found\s+no"
    r"|sees?\s+no|see\s+no)\s+|^\W*(?:no|zero)\s+"
    rf")(?:\w+(?:\s+\w+)?\s+(?:or|and|nor)\s+)?{_LIGHT}\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:sections?|tests?|stud(?:y|ies)|analys[ie]s|results?|experiments?|settings?|values?|details?|themselves"
    r"|of\s+(?:the|this|their|its)\s+(?:proposed\s+)?(?:method|approach|work|model|paper|framework|study|algorithm)s?"
    r"|for\s+(?:the|this)\s+(?:paper|work|method|model|experiments?))?\s*"
    r"(?:(?:is|are|was|were|has\s+been|have\s+been)\s+(?:also\s+|currently\s+|still\s+|simply\s+|completely\s+|entirely\s+){0,2}"
    rf"(?:(?:not|never|nowhere)\s+(?:\w+ly\s+)?{_DONE}|missing|absent|lacking|omitted|left\s+out|unavailable|undisclosed)"
    rf"|(?:isn|aren|wasn|weren)['’]t\s+(?:\w+ly\s+)?{_DONE}"
    r"|(?:is|are)\s+nowhere\b|,?\s+but\s+(?:there\s+(?:is|are)\s+none|none\b))",
    re.IGNORECASE,
)
# Claims on how much or how well something is done deny nothing.
_DEPTH = re.compile(
    r"\b(?:detailed?|in[\s-]depth|depth|thorough(?:ly)?|comprehensive(?:ly)?|adequate(?:ly)?|sufficient(?:ly)?"
    r"|extensive(?:ly)?|clear(?:ly)?|full(?:y)?|complete|more|further|deeper|better|enough|well|proper(?:ly)?"
    r"|careful(?:ly)?|systematic(?:ally)?|rigorous(?:ly)?|convincing|additional|other|certain|some|recent"
    r"|quantitative|broader|wider|strong(?:er)?|solid|good|important|relevant|meaningful|finer|fine-grained"
    r"|all|exact|precise|finite-sample|very|always|consistent\w*|concrete|satisf\w+|significant(?:ly)?"
    r"|substantial(?:ly)?|beyond|except|only|limited|insufficient\w*|conclusive|new|novel|same|appropriate(?:ly)?)\b",
    re.IGNORECASE,
)
# Sentences that ask, suppose or speak of other works, and denials that deny no lack.
NO_CLAIM = re.compile(
    r"\?\s*$|^\W*(?:if|can|could|would|should|is|are|does|do|did|has|have|what|how|why\s+(?:not|did\s+you))\b"
    r"|\b(?:if|unless|whether|suppose|would|without\s+requiring)\b"
    r"|\b(?:prior|existing|previous|other|earlier|most|many|these|such|those)\s+(?:works?|methods?|papers?|stud(?:y|ies)"
    r"|approaches|baselines|models|research|literature)\s+(?:\w+\s+){0,3}(?:lack|do|does|did|omit|miss|fail|have|has|are|is|provide)"
    r"|\b(?:no\s+(?:major|obvious|need|doubt|longer|significant|clear|ethical\s+concerns?)|not\s+only|not\s+just|not\s+a|not\s+necessar\w+"
    r"|need\s+not|no\s+problem|nothing\s+to)\b"
    r"|\b(?:require|need|rely|relies|depend|suffer|assum|use)\w*\s+(?:on\s+)?(?:no|not)\b"
    r"|^\W*(?:no|none|n/a)(?:\s+(?:major|significant|obvious))?\s+(?:limitations?|ethical\s+\w+|concerns?)\W*$",
    re.IGNORECASE,
)
# "Fig. 4 has no error bars" says nothing of the other figures.
_ONE_PLACE = re.compile(
    r"\b(?:fig(?:ure)?s?|tab(?:le)?s?|sec(?:tion)?s?|eqs?|appendix|theorem|lemma)\.?\s?[\dA-Z(][^.;:]{0,40}\Z",
    re.IGNORECASE,
)
# Every claim holds one of these; most sentences hold none.
DENIAL = re.compile(
    r"\b(?:no|not|lack|miss|absen|omi|fail|without|never|nor\b|neither|nothing|none|ignor|unavail|undisc|silent"
    r"|neglect|nowhere|zero|left\s+out)|n['’]t\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"\bbut\s+(?:there\s+(?:is|are)\s+none|none\b)", re.IGNORECASE)
_IN_DETAIL = re.compile(
    r"\b(?:in|at|to)\s+(?:\w+\s+)?(?:details?|depth|length|extent)\b|\A\s*(?!(?:entire|complete|explicit|total|public|unfortunate)ly\b)\w+ly\b"
)
HEDGED = re.compile(
    r"\b(?:seem\w*|appear\w*|may|might|perhaps|apparently|I\s+(?:could|did|do)\s+not\s+(?:find|see)|unclear"
    r"|as\s+far\s+as|I\s+think|I\s+believe|unless\s+I)\b|couldn['’]t\s+find|didn['’]t\s+(?:find|see)",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    r"\s+(?:(?:of|on|for|about|with|without|regarding|over|with\s+respect\s+to|to|in|across|that|showing|isolating|by|between|related"
    r"\s+to|such\s+as|using|against|from|used|when|where|under|at|comparing|like)\b)\s*(?P<rest>[^.;:!?]{2,160})",
    re.IGNORECASE,
)
_EMPTY_QUALIFIER = re.compile(
    r"(?:(?:for|in|during|by|on|with)\s+)?(?:the|this|their|its|our|any)?\s*(?:proposed|presented|new|main|paper's|overall)?\s*(?:method(?:ology)?|approach"
    r"|work|model|paper|framework|stud(?:y|ies)|algorithm|technique|system|experiments?|manuscript|results?|main\s+results"
    r"|experimental\s+results|reported\s+results|tables?|figures?|plots?|submission|training|components?"
    r"|evaluations?|comparisons?|text|any\s+(?:kind|sort|form)|(?:different|various|individual|key|its|the|each|proposed|main)\s+(?:\w+\s+)?components?(?:\s+of\s+.{0,60})?)s?"
    r"\s*(?:,|\(|and\b|or\b|which|making|is\b|are\b|to\s+(?:understand|support|validate|assess|verify|justify|show)|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that the paper lacks ``topic``: characters ``start`` to ``end`` of the sentence.

    ``qualifier`` is what part is said to be lacking ("the decoder"), "" for the whole; ``hedged``
    says that the review is not sure.
    """

    topic: Topic
    start: int
    end: int
    qualifier: str = ""
    hedged: bool = False


def claims(sentence: str) -> Iterator[Claim]:
    """Yield the claims in one sentence of a review that the paper lacks a topic of the lexicon."""
    if len(sentence) > 1500 or not DENIAL.search(sentence):
        return
    if NO_CLAIM.search(sentence) and not _NONE.search(sentence):
        return
    for topic in TOPICS:
        for match in topic.named.finditer(sentence):
            claim = _claim(sentence, topic, match)
            if claim is not None:
                yield claim
                break


def _claim(sentence: str, topic: Topic, match: re.Match[str]) -> Claim | None:
    low = max(0, match.start() - 120)
    before = sentence[low : match.start()]
    denial = _BEFORE.search(before)
    if denial is not None:
        if _ONE_PLACE.search(before, 0, denial.start()):
            return None
        if _DEPTH.search(before, denial.start()) or _DEPTH.search(match.group()):
            return None
        start, end = low + denial.start(), match.end()
        rest = sentence[match.end() : match.end() + 200]
    else:
        after = _AFTER.match(sentence, match.end())
        if after is None or _DEPTH.search(after.group()) or _DEPTH.search(before[-40:]):
            return None
        start, end = match.start(), after.end()
        rest = sentence[after.end() : after.end() + 200]
    if _DEPTH.match(rest.lstrip()) or _IN_DETAIL.search(rest):
        return None
    stripped = len(sentence[start:end]) - len(sentence[start:end].lstrip(" \t\n-*•:.,;"))
    # "Missing related work: X, Y" names what is missing.
    listed = topic.name.endswith("related work") and re.match(r"\s*:\s*\S", rest)
    return Claim(
        topic,
        start + stripped,
        end,
        rest if listed else _qualifier(rest),
        HEDGED.search(sentence) is not None,
    )


def _qualifier(rest: str) -> str:
    match = _QUALIFIER.match(rest)
    if match is None or _EMPTY_QUALIFIER.match(match["rest"]):
        return ""
    return match["rest"]
