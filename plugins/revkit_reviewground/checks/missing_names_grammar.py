"""Patterns of denial of a comparison, a citation or an experiment with a named work."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Wanted: TypeAlias = Literal["comparison", "citation", "experiment"]

_FILLER = (
    r"(?:\s+(?!(?:favou?rably|fairly|well|properly|extensively|only|other|more|further"
    r"|additional|recent|detailed|thorough)\b)"
    r"[^\s.;:!?]{1,30}){0,5}?"
)
_DENIES = (
    r"(?:(?:do|does|did|has|have|is|are|was|were)\s+not|(?:do|does|did|is|are|was)n['’]t|never"
    r"|fail(?:s|ed)?\s+to"
    r"|neglects?\s+to|omit(?:s|ted)?)"
)
_LACKS = r"(?:lack(?:s|ing)?(?:\s+of)?|no|absence\s+of|omits?|misses|missing|without)"
_GONE = (
    r"(?:is|are|was|were|has\s+been|have\s+been|(?:has|have)(?=\s+not\s+been))\s+(?:\w+ly\s+"
    r"|all\s+|both\s+){0,2}(?:missing|absent|lacking|omitted"
    r"|left\s+out|ignored|overlooked|neglected|not\s+(?:been\s+)?(?:\w+ly\s+)?(?:provided"
    r"|included|reported|given"
    r"|presented|shown|made|considered|used|carried\s+out|conducted|performed|done|attempted|tried"
    r"|discussed|compared|available))"
)
_COMPARE = (
    r"(?:compare[sd]?|benchmark(?:ed|s)?|evaluate[sd]?|tested|test|contrast(?:ed)?|measured|pitted)"
)
_COMPARISON = (
    r"(?:(?:a|any|the|direct|empirical|experimental|head-to-head|explicit|quantitative"
    r"|proper)\s+){0,4}"
    r"(?:comparisons?|evaluations?|benchmarking)\s+(?:to|with|against)\s+"
)
_NOTED = (
    r"(?:cite[sd]?|citing|reference[sd]?|mention(?:s|ed)?|discuss|acknowledge[sd]?|credit"
    r"|consider\s+the\s+work\s+of)"
)
_TRIED = (
    r"(?:experiments?|results?|evaluations?|numbers|scores|performance|accuracy"
    r"|tests?)\s+(?:on|for)\s+(?:the\s+)?"
)
CLAIMS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            rf"\b{_DENIES}\s+(?:been\s+|be\s+)?(?:\w+ly\s+|also\s+"
            rf"|even\s+)?{_COMPARE}{_FILLER}\s+(?:to|with"
            r"|against)\s+"
            r"|\b(?:comparison|evaluation|experiments?|baselines?|tables?|authors"
            r"|paper)\s+(?:omits?|leaves?\s+out|ignores?|skips?)\s+"
            rf"|\b{_LACKS}\s+{_COMPARISON}"
            rf"|\b(?:without|in\s+the\s+absence\s+of)\s+{_COMPARISON}"
            rf"|\b{_DENIES}\s+(?:include|report|provide|present|have|contain|perform|make|offer"
            rf"|give|show"
            rf"|conduct)\s+{_COMPARISON}"
            rf"|\b(?:could|can|did|do)(?:\s+not|n['’]t)\s+(?:find|see|locate)\s+{_COMPARISON}"
            r"|\b(?:baselines|competitors|comparisons)\s+(?:do|does|did)\s+not\s+(?:include"
            r"|cover|contain)\s+"
            r"|\b(?:missing|absent|lacking|omitted)\s+(?:(?:key|important|obvious"
            r"|strong)\s+)?(?:baselines?"
            r"|comparisons?)\s*(?::|(?:such\s+as|like)\s)\s*"
            rf"|\b{_DENIES}\s+(?:include|consider|use|report)\s+(?P<pre>[^.;:!?]{{2,80}}?)\s+(?:as"
            rf"|among)\s+(?:a\s+|the\s+|its\s+){{0,2}}baselines?",
            re.IGNORECASE,
        ),
    ),
    (
        "comparison",
        re.compile(
            r"\b(?:comparisons?|compared?|evaluations?|fares?|performs?|stands?"
            r"|competitive)\s+(?:to|with|against|relative"
            rf"\s+to)\s+(?P<mid>[^.;:!?]{{2,100}}?),?\s+(?:which\s+|but\s+(?:it\s+|this\s+)?"
            rf"|(?:is|was)\s+needed\s+but\s+|\(\w+\)\s+)?"
            rf"{_GONE}"
            r"|\b(?:baselines?|competitors?|methods|comparisons)(?:,?\s+(?:such\s+as|like"
            r"|including|e\.g\.,?"
            rf"|notably|namely|especially|in\s+particular)"
            rf"|,)\s+(?P<pre>[^.;:!?]{{2,80}}?),?\s+{_GONE}",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(
            rf"\b{_DENIES}\s+(?:even\s+|also\s+)?{_NOTED}\s+(?:the\s+work\s+(?:of|by)\s+)?"
            r"|\b(?:missing|lacks?(?:\s+of)?|lacking|no|omits?|absent)\s+(?:a\s+|any\s+"
            r"|the\s+)?(?:citations?|references?)\s*(?::|to|of|for)\s+"
            r"|\b(?:unaware\s+of|unfamiliar\s+with)\s+(?:the\s+work\s+(?:of|by)\s+)?"
            r"|\bno\s+(?:reference|mention|citation)\s+is\s+made\s+(?:to|of)\s+"
            r"|\b(?:paper|authors|manuscript|submission|work|section)\s+(?:neglects?|ignores?"
            r"|overlooks?|omits?"
            r"|miss(?:es)?)\s+(?:the\s+(?:\w+\s+)?work\s+(?:of|by)\s+)?",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(
            rf"\b(?:references?|citations?)\s+(?:to|of"
            rf"|for)\s+(?P<mid>[^;:!?]{{2,80}}?),?\s+{_GONE}",
            re.IGNORECASE,
        ),
    ),
    (
        "experiment",
        re.compile(
            r"\b(?:experiments?|evaluations?|benchmarks?)\s+(?:do|does|did)\s+not\s+(?:include"
            r"|cover|use)\s+|"
            rf"\b{_DENIES}\s+(?:include|report|provide|present|conduct|perform|run|give"
            rf"|show)\s+(?:any\s+)?{_TRIED}"
            rf"|\b{_DENIES}\s+(?:been\s+)?(?:evaluated?|tested?|experiment|run|tried"
            rf"|validated?)(?:\s+(?:it|its?\s+\w+"
            rf"|the\s+\w+(?:\s+\w+)?))?\s+on\s+"
            rf"|\b{_LACKS}\s+(?:any\s+)?{_TRIED}"
            r"|\b(?:could|can|did|do)(?:\s+not|n['’]t)\s+(?:find|see|locate)\s+(?:any\s+)?"
            rf"{_TRIED}",
            re.IGNORECASE,
        ),
    ),
    (
        "experiment",
        re.compile(
            rf"\b{_TRIED}(?P<mid>[^.;:!?]{{2,80}}?),?\s+{_GONE}"
            r"|\b(?:benchmarks?|data\s?sets?|corpora|tasks)(?:,?\s+(?:such\s+as|like|including"
            r"|e\.g\.,?|notably)"
            rf"|,)\s+(?P<pre>[^.;:!?]{{2,80}}?),?\s+{_GONE}",
            re.IGNORECASE,
        ),
    ),
)
# "X is not used as a baseline", "X is missing from the comparison", "the work of X is not cited".
SUBJECT_FIRST: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"\s+(?:is|are|was|were|has|have)\s+(?:(?:not"
            r"|never)\s+(?:been\s+)?(?:\w+ly\s+)?(?:used|included"
            r"|considered|reported"
            r"|compared"
            r"|evaluated)\b|(?:not\s+among|not\s+(?:one|part)\s+of)\s+the\s+(?:\w+\s+)?(?:baselines"
            r"|competitors|comparisons?|methods)|(?:missing|absent|left\s+out|omitted)\s+(?:from"
            r"|in|of)\s+(?:the\s+)?(?:list\s+of\s+)?(?:the\s+)?(?:comparisons?"
            r"|baselines?|evaluation|experiments?|tables?|results|competitors))",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(
            r"\s+(?:is|are|was|were)\s+(?:(?:not|never|nowhere)\s+(?:even\s+)?(?:cited|mentioned"
            r"|referenced|discussed|referred\s+to"
            r"|acknowledged)\b|(?:missing|absent|omitted)\s+from\s+the\s+(?:references|bibliography"
            r"|citations|related\s+work)|overlooked\b|ignored\b)"
            r"|\s+should\s+(?:have\s+been|be)\s+cited,?\s+but\s+(?:it\s+)?(?:is"
            r"|was)\s+(?:missing|not|absent)",
            re.IGNORECASE,
        ),
    ),
    (
        "citation",
        re.compile(r"(?<=\))\s+(?:is|are)\s+(?:missing|absent)\b", re.IGNORECASE),
    ),
    (
        "experiment",
        re.compile(
            r"\s+(?:results?|experiments?|numbers|evaluations?|scores)\s+(?:is|are|was"
            r"|were)\s+(?:missing|absent"
            r"|lacking|omitted|not\s+(?:reported|given|shown|provided|included|presented))\b"
            r"|\s+(?:is|are|was|were)\s+(?:not\s+(?:among|one\s+of|part\s+of)|missing\s+from"
            r"|absent\s+from)"
            r"\s+the\s+(?:\w+\s+)?(?:data\s?sets|benchmarks|tasks|corpora)",
            re.IGNORECASE,
        ),
    ),
)
PHRASE = re.compile(r"(?:[^.;:!?\n]|(?<=\bal)\.|\.(?=\w)){1,120}")
END = re.compile(
    r"\s+(?:on|in|for|which|that|but|although|though|while|despite|because|since|when|to|under"
    r"|using|at|by|from"
    r"|beyond|with|making|is|are|as)\s+"
)
# What may be between the denial and a name that it denies, other names apart.
LIGHT = re.compile(
    r"(?:[\s,(/&:–—-]|\b(?:and|or|nor|the|an?|any|of|by|to|both|either|even|also|seminal|recent"
    r"|popular|well-known"
    r"|existing|strong|simple|standard|common|classical?|relevant|important|key|obvious|natural"
    r"|closely|related"
    r"|state-of-the-art|baselines?|competitors?|methods?|models?|algorithms?|approach(?:es)?"
    r"|systems?|techniques?"
    r"|works?|papers?|citations?|references?|stud(?:y|ies)|data\s?sets?|benchmarks?|corpus|such"
    r"|as|like|including|notably|namely|e\.g\.|i\.e\."
    r"|original|plain|vanilla|newer|proposed|et|al|most|earlier|prior|previous|them|particular"
    r"|in|especially)\b){0,14}",
    re.IGNORECASE,
)
OPENING = re.compile(
    r".{0,80}(?:\bthat\b|\b(?:because|since|while|although|however|unfortunately|second|first"
    r"|third|finally|moreover"
    r"|see|note)\b,?|[,:*])\s+",
    re.IGNORECASE | re.DOTALL,
)
OWNED = re.compile(r"['’]s?\b")
# What one part of the paper lacks, another may have.
ELSEWHERE = re.compile(
    r"\b(?:the|its|this)\s+(?:abstract|introduction|title|captions?|conclusions?|main\s+(?:text"
    r"|paper|body)|appendix"
    r"|supplement\w*|checklist|related[\s-]work\s+section)\b|\b(?:table|figure|fig|section|tab"
    r"|algorithm|appendix)"
    r"\.?\s?(?:\d|[A-Z]\b)",
    re.IGNORECASE,
)
# "no comparison with X on long inputs" may well be true where there is one on others.
PART = re.compile(
    r"\s+(?:on|with|using|beyond|in\s+terms\s+of|for|under|when|at|regarding|with\s+respect\s+to"
    r"|in)\s+"
    r"(?!(?:the\s+|any\s+(?:of\s+)?(?:the\s+)?|their\s+|all\s+)?(?:paper|experiments?"
    r"|evaluations?|tables?"
    r"|results?|text|manuscript|submission|main|study|experimental|section|proposed|method"
    r"|approach|model|authors"
    r"|baselines?|comparisons?)\b)",
    re.IGNORECASE,
)
CLAUSE = re.compile(r"[;:!?]\s|\.\s(?!\()|,\s+(?:but|and|which|since|because)\s")
QUALIFIED = re.compile(
    r"\b(?:detail|depth|thorough|comprehensive|adequate|sufficient|extensive|fair|larger|variants?"
    r"|latest|newer"
    r"|other\s+than|beyond|except|besides|instead|only|limitations?|why|how|impact|relation\w*"
    r"|differences?)\w*",
    re.IGNORECASE,
)
FARES = re.compile(
    r"\bhow\s+(?:\w+\s+){1,4}(?:fares?|performs?|compares?|stands?)\b", re.IGNORECASE
)
# To cite without discussing is a matter of degree.
DEGREE = re.compile(
    r"\b(?:discuss|acknowledg|consider|credit|ignor|overlook|neglect)", re.IGNORECASE
)
# "other MARL methods" is a kind of work, not one.
CLASS_BEFORE = re.compile(
    r"\s*(?:(?:the|any|some|to)\s+)?(?:other|existing|recent|more|advanced|modern|several|many|all"
    r"|various|newer"
    r"|traditional|classical?|alternative|different|simpler?|additional|standard|relevant"
    r"|related)\b",
    re.IGNORECASE,
)
CLASS_AFTER = re.compile(
    r"[\s-]*(?:based\s+)?(?:[a-z-]{3,20}\s+){0,2}(?:methods|approaches|algorithms|techniques"
    r"|models|architectures|frameworks|literature"
    r"|variants|works|schemes|baselines|systems|networks)\b",
    re.IGNORECASE,
)
COMPARES = re.compile(
    r"\b(?:compar\w+|baselines?|outperform\w*|competi\w+|versus|vs\.?|better|worse|higher|lower"
    r"|surpass\w*"
    r"|against|beats?|superior)\b",
    re.IGNORECASE,
)
