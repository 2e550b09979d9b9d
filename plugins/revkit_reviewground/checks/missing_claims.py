"""Claims of a review that its paper lacks something, found by how they deny it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from revkit_reviewground.checks.missing_topics import TOPICS, Topic

_ADVERB = (
    r"(?:(?:also|even|currently|simply|completely|entirely|at\s+all|ever|actually|explicitly"
    r"|directly"
    r"|really|still)\s+)?"
)
# What may stand between the denial and the thing without changing what is denied.
_LIGHT = (
    r"(?:(?:a|an|the|any|its|their|some|of|single|explicit|proper|formal|dedicated|separate|real"
    r"|actual"
    r"|corresponding|appropriate|empirical|such|sort\s+of|kind\s+of|form\s+of|on|about|for"
    r"|numbers?|values?"
    r"|discussions?\s+(?:of|on|about)|mentions?\s+of|information\s+(?:on|about)|details?\s+(?:on"
    r"|of|about)"
    r"|reports?\s+of|description\s+of|section\s+(?:on|about)|analys[ie]s\s+of|access\s+to"
    r"|measures?\s+of\s+\w+(?:,?\s+such\s+as)?|attempts?\s+at|signs?\s+of|kinds?\s+of|link\s+to"
    r"|use\s+of"
    r"|statement\s+(?:of|on)|references?\s+to|potential|possible)\s+){0,6}"
)
_VERBS = (
    r"(?:provide|include|report|contain|present|have|conduct|perform|discuss|mention|address|offer"
    r"|show"
    r"|give|describe|specify|list|disclose|state|release|share|acknowledge|compare\s+(?:to|with"
    r"|against)"
    r"|make|feature|run|analyze|analyse|consider|explore|examine|carry\s+out|use|evaluate|publish"
    r"|cover|point\s+to|say\s+anything\s+about)"
)
_DONE = (
    r"(?:provided|included|reported|presented|conducted|performed|discussed|mentioned|addressed"
    r"|given"
    r"|described|specified|listed|disclosed|stated|released|shared|acknowledged|shown"
    r"|made\s+(?:publicly\s+)?"
    r"available|(?:publicly\s+)?available|present|analyzed|analysed|considered|explored|examined"
    r"|there|public"
    r"|open-?sourced|used|compared|published|to\s+be\s+found|found|run|carried\s+out|done|tried"
    r"|plotted|computed|measured|reviewed|covered|cited|assessed|studied|investigated|supplied)"
)
_BEFORE = re.compile(
    r"(?:"
    rf"(?:\b(?:do|does|did|has|have|is|are|was|were|can|could)\s+not|n['’]t|\bnever"
    rf"|\bnor(?:\s+(?:do|does|did)\s+\w+){{0,1}})\s+{_ADVERB}{_VERBS}s?\s+"
    rf"|(?:\b(?:do|does)\s+not|n['’]t)\s+(?:seem|appear)\s+to\s+(?:be|{_VERBS})\s+"
    r"|\bneither\s+(?:\w+\s+){0,2}nor\s+"
    rf"|\b(?:has|have|had)\s+(?:not|never)\s+(?:yet\s+)?{_ADVERB}{_DONE}\s+"
    rf"|\b(?:could|can|did|do)\s+not\s+(?:find|see|locate|spot)\s+|\b(?:couldn|didn"
    rf"|can)['’]t\s+(?:find|see|locate)\s+"
    rf"|\b(?:reported|presented|given|shown|provided|plotted|done|conducted|performed|made|ends?"
    rf"|comes?|come)\s+without\s+|\bneither\s+"
    rf"|\bfail(?:s|ed|ing)?\s+to\s+{_ADVERB}{_VERBS}\s+"
    r"|\b(?:lacks?|lacking|lacked|omits?|omitted|omitting|misses|missing|neglects?|ignor(?:es?|ed"
    r"|ing)|silent\s+(?:on|about)|I\s+miss(?:ed)?(?:\s+(?:most|here))?"
    r"(?:\s+is)?|none\s+of\s+the\s+\w+\s+(?:come|comes|have|has|are\s+given|show)(?:\s+with)?)\s+"
    r"|\bnothing\s+(?:is|was)\s+(?:said|written|reported|mentioned)\s+(?:about|on)\s+"
    r"|\b(?:lack|absence|omission)\s+of\s+"
    r"|\b(?:there\s+(?:is|are|was|were)\s+(?:also\s+|currently\s+|simply\s+)?no|has\s+no|have\s+no"
    r"|had\s+no|with\s+no|contains?\s+no"
    r"|includes?\s+no|provides?\s+no|gives?\s+no|reports?\s+no|presents?\s+no|offers?\s+no"
    r"|shows?\s+no|finds?\s+no|found\s+no"
    r"|sees?\s+no|see\s+no)\s+|(?:^\W*|[;,:–—]\s*(?:but|and|yet|since|because|as)?\s*"
    r"|\b(?:unfortunately|however|and|but|since|because|as|where|currently),?\s+)(?:no|zero)\s+"
    r"|\bnot\s+a\s+single\s+|\bnowhere\s+(?:do|does|did)\s+(?:\w+\s+){1,3}?(?:discuss|mention"
    r"|report|state|give|provide|describe|acknowledge|specify)\s+"
    rf")(?:\w+(?:\s+\w+)?\s+(?:or|and|nor)\s+)?{_LIGHT}\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:sections?|tests?|stud(?:y|ies)|analys[ie]s|results?|experiments?|settings?|values?"
    r"|details?|themselves"
    r"|of\s+(?:the|this|their|its)\s+(?:proposed\s+)?(?:method|approach|work|model|paper|framework"
    r"|study|algorithm)s?"
    r"|for\s+(?:the|this)\s+(?:paper|work|method|model|experiments?))?(?:,?\s+(?:which|that)"
    r"|\s+such\s+as\s+[^.;:,]{2,40}?(?=\s))?\s*"
    r"(?:(?:is|are|was|were|has\s+been|have\s+been)\s+(?:also\s+|currently\s+|still\s+|simply\s+"
    r"|completely\s+|entirely\s+){0,2}"
    rf"(?:(?:not|never|nowhere)\s+(?:\w+ly\s+)?{_DONE}|missing|absent|lacking|omitted|left\s+out"
    rf"|unavailable|undisclosed)"
    rf"|(?:has|have)\s+(?:not|never)\s+been\s+(?:\w+ly\s+)?{_DONE}"
    rf"|(?:hasn|haven)['’]t\s+been\s+(?:\w+ly\s+)?{_DONE}"
    rf"|(?:isn|aren|wasn|weren)['’]t\s+(?:\w+ly\s+)?{_DONE}"
    r"|(?:is|are)\s+nowhere\b|remains?\s+(?:undiscussed|unreported|unaddressed|unspecified"
    r"|unstated|undisclosed)|,?\s+but\s+(?:there\s+(?:is|are)\s+none|none\b))",
    re.IGNORECASE,
)
# Claims on how much or how well something is done deny nothing.
_DEPTH = re.compile(
    r"\b(?:detailed?|in[\s-]depth|depth|thorough(?:ly)?|comprehensive(?:ly)?|adequate(?:ly)?"
    r"|sufficient(?:ly)?"
    r"|extensive(?:ly)?|clear(?:ly)?|full(?:y)?|complete|more|further|deeper|better|enough|well"
    r"|proper(?:ly)?"
    r"|careful(?:ly)?|systematic(?:ally)?|rigorous(?:ly)?|convincing|additional|other|certain|some"
    r"|recent"
    r"|quantitative|broader|wider|strong(?:er)?|solid|good|important|relevant|meaningful|finer"
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
    r"|\b(?:if|unless|whether|suppose|would|without\s+requiring)\b"
    r"|\b(?:prior|existing|previous|other|earlier|most|many|these|such|those)\s+(?:works?|methods?"
    r"|papers?|stud(?:y|ies)"
    r"|approaches|baselines|models|research|literature)\s+(?:\w+\s+){0,3}(?:lack|do|does|did|omit"
    r"|miss|fail|have|has|are|is|provide)"
    r"|\bno\s+(?:\w+\s+){1,4}(?:is|are)\s+(?:needed|necessary|required)\b"
    r"|\b(?:no\s+(?:major|obvious|need|doubt|longer|significant|clear|ethical\s+concerns?)"
    r"|not\s+only|not\s+just|not\s+a(?!\s+single)|not\s+necessar\w+"
    r"|need\s+not|no\s+problem|nothing\s+to)\b"
    r"|\b(?:require|need|rely|relies|depend|suffer|assum|use)\w*\s+(?:on\s+)?(?:no|not)\b"
    r"|^\W*(?:no|none|n/a)(?:\s+(?:major|significant|obvious))?\s+(?:limitations?|ethical\s+\w+"
    r"|concerns?)\W*$",
    re.IGNORECASE,
)
# "Fig. 4 has no error bars" says nothing of the other figures.
_ONE_PLACE = re.compile(
    r"\b(?i:fig(?:ure)?s?|tab(?:le)?s?|sec(?:tion)?s?|eqs?|appendix|theorem|lemma)\.?\s?"
    r"(?:\(?\d|[A-Z]\b)[^.;:]{0,40}\Z"
)
# Every claim holds one of these; most sentences hold none.
_PASSIVE = re.compile(rf"\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?{_DONE}(?=\s)", re.IGNORECASE)
DENIAL = re.compile(
    r"\b(?:no|not|lack|miss|absen|omi|fail|without|never|nor\b|neither|nothing|none|ignor|unavail"
    r"|undis|unrep|unadd|unsp|unst|silent|single|one\s+run|neglect|nowhere|zero|left\s+out)"
    r"|n['’]t\b",
    re.IGNORECASE,
)
# A wish that says itself that the thing is not there.
_NONE = re.compile(
    r"\bbut\s+(?:there\s+(?:is|are)\s+none|none\b)"
    r"|\b(?:which|that)\s+(?:is|are)\s+(?:\w+ly\s+)?(?:missing|absent|lacking|not\s)",
    re.IGNORECASE,
)
_IN_DETAIL = re.compile(
    r"\b(?:in|at|to)\s+(?:\w+\s+)?(?:details?|depth|length|extent)\b|\A\s*(?!(?:entire|complete"
    r"|explicit|total|public|unfortunate)ly\b)\w+ly\b"
)
HEDGED = re.compile(
    r"\b(?:seem\w*|appear\w*|may|might|perhaps|apparently|I\s+(?:could|did|do)\s+not\s+(?:find"
    r"|see)|unclear"
    r"|as\s+far\s+as|I\s+think|I\s+believe|unless\s+I)\b|couldn['’]t\s+find|didn['’]t\s+(?:find"
    r"|see)",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    r"\s+(?:(?:of|on|for|about|with|without|regarding|over|with\s+respect\s+to|to|in|across|that"
    r"|showing|isolating|by|between|related"
    r"\s+to|such\s+as|using|against|from|used|when|where|under|at|comparing"
    r"|like)\b)\s*(?P<rest>[^.;:!?]{2,160})",
    re.IGNORECASE,
)
_EMPTY_QUALIFIER = re.compile(
    r"(?:support|understand|validate|assess|verify|justify|show|demonstrate|explain|back"
    r"|quantify)\b|"
    r"(?:(?:for|in|during|by|on|with)\s+)?(?:the|this|their|its|our|any)?\s*(?:proposed|presented"
    r"|new|main|paper's|overall)?\s*(?:method(?:ology)?|approach"
    r"|work|model|paper|framework|stud(?:y|ies)|algorithm|technique|system|experiments?|manuscript"
    r"|results?|main\s+results"
    r"|experimental\s+results|reported\s+results|tables?|figures?|plots?|submission|training"
    r"|components?"
    r"|evaluations?|comparisons?|text|any\s+(?:kind|sort|form)|(?:different|various|individual|key"
    r"|its|the|each|proposed|main)\s+(?:\w+\s+)?components?(?:\s+of\s+.{0,60})?)s?"
    r"\s*(?:,|\(|and\b|or\b|which|making|is\b|are\b|to\s+(?:understand|support|validate|assess"
    r"|verify|justify|show)|$)",
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
        implied = topic.implied.search(sentence) if topic.implied else None
        if implied is not None:
            yield Claim(topic, implied.start(), implied.end(), hedged=True)
            continue
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
    passive = _PASSIVE.match(rest)
    match = _QUALIFIER.match(rest, passive.end() if passive else 0)
    if match is None or _EMPTY_QUALIFIER.match(match["rest"]):
        return ""
    return match["rest"]
