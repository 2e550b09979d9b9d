"""Topics of "missing" claims: parts that any paper of machine learning may have.

Each row is read by `missing.check_missing`; its fields are those of `Topic`.
"""

from __future__ import annotations

from revkit_reviewground.checks.missing_topic import Topic, topic
from revkit_reviewground.checks.missing_training import TRAINING

_NUMBERS = r"(?:\d+|two|three|four|five|six|seven|eight|ten|multiple|several|different)"
_OWN = r"(?:our|this|the\s+(?:proposed|present|current|above))"
_WORK = (
    r"(?:method|approach|work|stud(?:y|ies)|model|framework|paper|algorithm|analysis|technique"
    r"|system"
    r"|experiments?|evaluation|formulation)s?"
)

TOPICS: tuple[Topic, ...] = (
    *TRAINING,
    topic(
        "an ablation study",
        r"(?:(?:individual|its|the|any|different)\s+){0,2}ablat(?:ions?|ive)(?:\s+(?:stud(?:y"
        r"|ies)|analys[ie]s|experiments?|tests?|results?))?\b",
        r"ablat\w+",
        r"ablation\s+(?:stud(?:y|ies)|analys[ie]s|experiments?)|we\s+(?:also\s+"
        r"|further\s+)?ablate\b"
        r"|ablations?\b",
        cues="ablat",
        firm=True,
        implied=r"no\s+attempt\s+(?:is|was)\s+made\s+to\s+ablate\b|(?:never|not|n['’]t)\s+ablates?\s+(?:its|the|their|any|each)\s+(?:\w+\s+)?(?:components?"
        r"|parts?|modules?|method|model|design|choices|losses)\s*(?:[.,;]|$)",
    ),
    topic(
        "error bars or standard deviations",
        r"error[\s-]?bars?\b|standard\s+(?:deviations?|errors?)\b|std\.?\s?dev\w*\b|stds?\b"
        r"|confidence\s+intervals?\b|variances?\s+(?:of|across|over)\s+(?:\w+\s+){0,3}(?:runs?"
        r"|seeds?"
        r"|results?|trials?)\b|variances?\b(?=\s*(?:[.,;):]|or\b|and\b|is\b|are\b|$))"
        r"|(?:measures?\s+of\s+)?(?:spread|dispersion)\b|measures?\s+of\s+(?:uncertainty"
        r"|variability)\b"
        r"|uncertainty\s+estimates?\b",
        r"error\s?bars?\b|standard\s+(?:deviations?|errors?)\b|confidence\s+intervals?\b|\bstd\b"
        r"|mean\s*(?:±|\$?\\pm)",
        r"error[\s-]?bars?\b|standard\s+(?:deviations?|errors?)\s+(?:over|across|of|from|are|is"
        r"|for|on"
        r"|in\s+paren)|(?:mean|average)s?\s+and\s+(?:the\s+)?(?:standard\s+(?:deviation|error)|std)"
        r"|confidence\s+(?:intervals?|bands?)|shaded\s+(?:area|region)s?|\d\s?\$?\s?(?:±"
        r"|\\pm)\s?\$?\s?\d",
        cues="error standard mean average confidence shaded ± \\pm std",
        facets=(
            (r"confidence", r"confidence|\b9[059]\s?\\?%"),
        ),
    ),
    topic(
        "multiple runs or random seeds",
        r"(?:multiple|several|different|repeated|many)\s+(?:random\s+|independent\s+)?(?:runs?"
        r"|seeds?|trials?"
        r"|repetitions)\b|(?:runs|seeds|trials)\b(?=\s+(?:(?:the|all)\s+)?(?:results|numbers"
        r"|were|are)\b)"
        r"|random\s+seeds?\b|number\s+of\s+(?:\w+\s+)?(?:runs|seeds|trials|repetitions)\b",
        r"random\s+seeds?\b",
        rf"{_NUMBERS}\s+(?:\w+\s+)?(?:random\s+)?(?:seeds?|runs|trials|repetitions"
        rf"|initiali[sz]ations)\b"
        rf"|repeat\w*\s+(?:\w+\s+){{0,4}}(?:\d+|three|five|ten)\s+times|averaged?\s+(?:over"
        rf"|across|of|from)\s+{_NUMBERS}\s+(?:\w+\s+){{0,2}}(?:runs|seeds"
        rf"|trials)",
        cues="seed runs trials repetition initiali repeat",
        firm=True,
        implied=r"(?:results?|numbers|experiments?|scores|evaluations?|reported)\s+(?:\w+\s+){0,4}"
        r"(?:a\s+single|one|only\s+one)\s+(?:random\s+)?(?:seed|run)\b",
    ),
    topic(
        "tests of statistical significance",
        r"tests?\s+(?:of|for)\s+(?:statistical\s+)?significance\b"
        r"|statistical\s+(?:significance\s+)?(?:tests?|testing|analys[ie]s)\b"
        r"|statistical\s+significance\b(?=\s+(?:is|are|was|were|of)\b)|significance\s+(?:tests?"
        r"|testing|levels?)\b"
        r"|p-values?\b",
        r"significance\s+tests?|p-values?|statistical(?:ly)?\s+significan\w+",
        r"p\s?-?\s?values?\b|\$?p\$?\s?(?:<|\\lt|\\leq?)\s?\$?0?\.0\d|t-tests?\b|Wilcoxon\b"
        r"|Mann.Whitney"
        r"|McNemar|ANOVA\b|paired\s+bootstrap|statistically\s+significan\w+|significance\s+(?:test"
        r"|level)",
        cues="value 0.0 .0 t-test t test wilcoxon mann mcnemar anova bootstrap significan",
        implied=r"(?:never|not|n['’]t)\s+(?:tests?|check|verify|assess)\s+(?:whether|if|for)\s+[^.;:?]{0,60}significan\w+",
        discussed=True,
    ),
    topic(
        "its limitations",
        r"(?:(?:potential|possible|any|its|their|the|own|method'?s?|current|inherent)\s+){0,4}"
        r"limitations?\b(?!\s+(?:of|in)\s+(?:existing|prior|previous|current|other|these"
        r"|baseline))",
        r"limitations?\b|threats\s+to\s+validity|failure\s+(?:cases?|modes?)",
        rf"limitations?\s+of\s+{_OWN}\s+(?:\w+\s+){{0,2}}{_WORK}|{_OWN}\s+(?:\w+\s+){{0,2}}{_WORK}"
        rf"(?:\s+also|\s+still)?\s+(?:has|have|is|are)\s+(?:\w+\s+){{0,2}}limit(?:ations?"
        rf"|ed\s+(?:to|by))"
        rf"|(?:a|one|another|main|major|key|potential)\s+limitation\s+(?:of\s+(?:our|this)|is\b)"
        r"|we\s+(?:acknowledge|discuss)\s+(?:\w+\s+){0,3}limitations?",
        cues="limit failure threats",
        facets=(
            (r"[^.]{0,60}?limitation", r"limit|threats"),
        ),
        discussed=True,
    ),
    topic(
        "its societal impact",
        r"(?:(?:potential|possible|negative|broader|any|the|positive)\s+){0,4}(?:societal|social"
        r"|ethical)"
        r"\s+(?:impacts?|implications?|considerations?|concerns?|consequences?|issues?|aspects?)\b"
        r"|broader\s+impacts?(?:\s+statements?)?\b|ethics\s+statements?\b|ethical\s+statements?\b",
        r"(?:broader|societal|social)\s+impacts?|ethic\w*(?:\s+(?:statement|considerations?))?"
        r"|impact\s+statement",
        r"(?:negative|potential|broader)\s+(?:societal|social)\s+(?:impacts?|consequences?)"
        r"|ethical\s+(?:concerns?|considerations?|implications?|issues?)|\*\*ethics\s+statement",
        cues="societal social ethic impact",
        facets=(
            (r"ethic", r"ethic"),
            (r"societal|social|broader", r"societ|social|broader|impact"),
        ),
        discussed=True,
    ),
    topic(
        "its code",
        r"(?<!latent\s)(?<!hidden\s)(?<!discrete\s)(?<!binary\s)(?<!hash\s)(?<!machine\s)(?<!sparse\s)"
        r"(?:(?:the|its|their|any|open[\s-]?source|source|implementation|public(?:ly\s+available)?"
        r"|released)"
        r"\s+){0,3}(?:source\s+)?code(?:base)?s?\b(?!\s?(?:book|length|generation|word|d\b|r\b"
        r"|is\s+ignored|layer|space|vector))"
        r"|(?:(?:the|its|their|any|open[\s-]source|public)\s+){0,2}implementation\b(?!\s+(?:detail"
        r"|setting|choice"
        r"|specific))|public\s+release\b",
        "",
        r"(?:(?:our|the|source|project)\s+)?(?:codes?|implementations?"
        r"|repository)(?:base)?\s+(?:\[?\w+\s+){0,8}?"
        r"\[?(?:available|at|on|in|from|via|under|here|:)[\s:({\\a-z\[]{0,20}?"
        r"(?:https?://|www\.|github|gitlab|bitbucket|anonymous\.4open|zenodo)"
        r"|https?://(?:www\.)?(?:anonymous\.4open\.science|zenodo\.org)\S+"
        r"|(?:our|source|the|all)\s+codes?\s+(?:(?:to|for|of)\s+(?:\w+\s+){1,4})?(?:is|are"
        r"|has\s+been|can\s+be)\s+"
        r"(?:\w+\s+){0,3}(?:available|released|provided|included|attached|found|submitted)"
        r"|we\s+(?:also\s+)?(?:release|provide|include|submit|attach"
        r"|open-source)\s+(?:\w+\s+){0,4}code\b",
        cues="code implementation repositor http",
        firm=True,
    ),
    topic(
        "its hyperparameters",
        r"(?:(?:exact|specific|the|any|all|training|key|used|chosen"
        r"|model)\s+){0,4}hyper-?\s?parameters?"
        r"(?:\s+(?:settings?|values?|choices?|details?|configurations?))?\b(?!\s+(?:sensitiv"
        r"|search|tuning"
        r"|selection|analys|stud|optim|robust))",
        r"hyper-?\s?parameters?\b",
        r"learning\s+rates?\s+(?:\w+\s+){0,4}(?:of\s+|is\s+|to\s+|=\s?)?\$?\s?(?:\d|\\eta\s?=\s?\d)"
        r"|batch\s+sizes?\s+(?:\w+\s+){0,3}(?:of\s+|is\s+|to\s+|=\s?)?\$?\s?\d"
        r"|(?:the\s+)?hyper-?parameters?\s+(?:\w+\s+){0,6}(?:Table|Appendix|listed|set\s+to"
        r"|are\s+as)",
        cues="hyper learning batch",
        discussed=True,
    ),
    topic(
        "implementation details",
        r"(?:(?:any|the|its|experimental|training|model|and)\s+){0,4}(?:implementation|training"
        r"|experimental|architecture|architectural)\s+(?:details?|settings?|setup|procedures?"
        r"|specifics)\b",
        r"(?:implementation|training|experimental?|architectur\w+)\s+(?:details?|settings?"
        r"|set-?ups?)\b",
        "",
        cues="implementation training experiment architectur model",
        discussed=True,
    ),
    topic(
        "a discussion of related work",
        r"(?:(?:any|the|a|an?\s+explicit|relevant)\s+){0,3}(?:related|prior|previous)\s+"
        r"(?:works?|literature|research)(?:\s+sections?)?\b|literature\s+reviews?\b",
        r"related\s+(?:works?|research|literature|studies)|(?:previous|prior)\s+works?"
        r"|literature\s+review",
        "",
        cues="related previous prior literature",
        discussed=True,
    ),
    topic(
        "baselines",
        r"(?:(?:any|proper|the|a|other|existing|strong"
        r"|external)\s+){0,3}baselines?(?:\s+(?:methods?|models?"
        r"|comparisons?|results?))?\b|comparisons?\s+(?:to|with|against)\s+(?:any\s+|the\s+"
        r"|other\s+|existing\s+){0,2}"
        r"baselines?\b",
        r"baselines?\b",
        r"(?:as|following|these|all|the|our|other|several|strong|two|three|four|five"
        r"|six)\s+(?:\w+\s+){0,2}"
        r"baselines?\b|baseline\s+(?:methods?|models?|approach\w*|algorithms?)",
        cues="baseline",
    ),
    topic(
        "a theoretical analysis",
        r"(?:(?:any|formal|rigorous|solid|clear|strong|mathematical)\s+){0,3}(?:theor(?:y"
        r"|etical)\s+)"
        r"(?:(?:and|or)\s+\w+\s+)?(?:analys[ie]s|guarantees?|justifications?|results?|foundations?"
        r"|proofs?"
        r"|convergence|support|underpinnings?|insights?|treatment|arguments?)\b"
        r"|theory\b(?=\s*(?:[.,;]|$|and\b|or\b|nor\b))|(?:mathematical\s+|formal\s+)?proofs?\b"
        r"|(?:convergence|formal)\s+(?:analys[ie]s|guarantees?|proofs?)\b",
        r"(?:theor(?:y|etical)\s+(?:analys[ie]s|results?|guarantees?|justifications?)"
        r"|convergence\s+analys[ie]s"
        r"|proofs?\s+of|proofs?\b)",
        r"(?:^|\n)[ \t#*_]{0,6}(?:Theorem|Lemma|Proposition|Corollary)\s+(?:[A-Z]\.)?\d+"
        r"(?:\.\d+)?\b",
        cues="theor proof lemma proposition corollary converge",
        facets=(
            (r"convergence", r"converge"),
        ),
    ),
    topic(
        "the computational cost",
        r"(?:(?:any|the|its|overall|training|inference)\s+){0,4}(?:computational\s+(?:costs?"
        r"|complexit(?:y|ies)"
        r"|efficiency|overheads?|requirements?|resources?|analys[ie]s)|run-?\s?times?"
        r"|running\s+times?"
        r"|training\s+times?|inference\s+(?:times?|costs?|latency|speeds?)|time\s+complexit(?:y"
        r"|ies)"
        r"|wall-?clock\s+times?|memory\s+(?:costs?|usage|consumption|footprint)|latency|FLOPs?)\b",
        r"computation(?:al)?\s+(?:costs?|complexity|efficiency|overheads?|times?|resources?"
        r"|analysis)"
        r"|run-?\s?times?\b|running\s+times?|training\s+times?|inference\s+(?:times?|speed|latency)"
        r"|time\s+complexity|complexity\s+analysis|wall-?clock|memory\s+(?:costs?|usage"
        r"|consumption)|FLOPs?\b"
        r"|latency\b",
        r"GPU[\s-]?(?:hours|days)|\d\s?(?:hours|days|minutes|seconds)\s+(?:on|per|of|using|with)"
        r"|(?:computational|time)\s+complexity\s+(?:of\s+\w+\s+)?(?:\w+\s+){0,4}(?:is|O\(|\$)",
        cues="comput run train inference time wall memory flop latency gpu hour day minute second "
        "complexity",
        captions=False,
        facets=(
            (r"[^.]{0,40}?complexit", r"complexity|O\("),
            (r"[^.]{0,40}?memory", r"memory"),
            (r"[^.]{0,40}?FLOP", r"FLOP"),
            (
                r"[^.]{0,40}?(?:time|latency|speed)",
                r"time|run-?\s?time|speed|latency|hours|days|minutes|seconds|wall",
            ),
        ),
        discussed=True,
    ),
    topic(
        "a human evaluation",
        r"human\s+(?:evaluations?|stud(?:y|ies)|judg\w+|assessments?|ratings?)\b|user\s+stud(?:y"
        r"|ies)\b",
        r"human\s+(?:evaluations?|stud(?:y|ies)|judg\w+|ratings?)|user\s+stud(?:y|ies)",
        r"(?:conduct|perform|carr|ran|run|report)\w*\s+(?:\w+\s+){0,3}(?:human\s+(?:evaluation"
        r"|stud)|user\s+stud)"
        r"|human\s+(?:annotators|raters|judges|evaluators)|mechanical\s+turk",
        cues="human user mechanical",
        firm=True,
        implied=r"(?:never|not|n['’]t)\s+(?:been\s+)?(?:evaluated|rated|judged|assessed)\s+by\s+(?:humans?|people)\b",
    ),
    topic(
        "qualitative results",
        r"qualitative\s+(?:results?|examples?|analys[ie]s|evaluations?|comparisons?|assessments?)\b"
        r"|visuali[sz]ations?\b|case\s+stud(?:y|ies)\b",
        r"qualitative\s+(?:results?|examples?|analys[ie]s|evaluations?|comparisons?)"
        r"|visuali[sz]ations?"
        r"|case\s+stud(?:y|ies)",
        r"qualitative(?:ly)?\s+(?:results?|examples?|analys[ie]s|evaluat\w+|compar\w+)",
        cues="qualitativ visuali case",
        facets=(
            (r"case", r"case"),
            (r"visuali", r"visuali"),
        ),
    ),
    topic(
        "a sensitivity analysis",
        r"(?:(?:hyper-?parameters?|parameters?)\s+)?sensitivity\s+(?:analys[ie]s|stud(?:y|ies)"
        r"|tests?)\b"
        r"|hyper-?parameter\s+(?:sensitivity|analys[ie]s|stud(?:y|ies))\b"
        r"|how\s+sensitive\b[^.;,?]{0,50}?\bhyper-?parameters?\b"
        r"|sensitivity\s+(?:to|of)\s+(?:the\s+|its\s+|their\s+)?(?:choice\s+of\s+"
        r"|proposed\s+)?(?:hyper-?parameters?|method|model|results?)\b",
        r"sensitivit\w+|(?:effects?|impact|influence|choice)\s+of\s+(?:the\s+)?hyper-?parameters?",
        r"sensitivity\s+(?:analys[ie]s|stud(?:y|ies))|(?:in)?sensitive\s+to\s+(?:the\s+)?(?:choice"
        r"|value)"
        r"|sensitivity\s+(?:of\s+\w+\s+)?to\b",
        cues="sensitiv hyper",
        discussed=True,
    ),
    topic(
        "future work",
        r"(?:(?:any|potential|possible|the)\s+){0,3}(?:future\s+(?:works?|directions?"
        r"|research(?:\s+directions?)?)"
        r"|directions\s+for"
        r"\s+future\s+\w+)\b",
        r"future\s+(?:works?|directions?|research)|outlook",
        r"(?:in|for|as|to|leave\w*)\s+(?:\w+\s+){0,4}future\s+(?:works?|research)|future\s+(?:work"
        r"|research|studies)"
        r"\s+(?:will|should|could|can|may|includes?|is)",
        cues="future outlook",
        firm=True,
        discussed=True,
    ),
    topic(
        "a conclusion",
        r"(?:(?:any|a|clear|proper)\s+){0,3}(?:conclusions?|concluding)\s+sections?\b"
        r"|concluding\s+remarks?\b"
        r"|(?:an?\s+)?conclusions?\b(?=\s*(?:section)?\s*(?:[.,;]?$|(?:is|are)\s+(?:missing"
        r"|absent|lacking)))",
        r"conclu\w+|discussions?\s+and\s+future\s+works?",
        "",
        cues="conclu discussion",
    ),
    topic(
        "pseudocode",
        r"(?:(?:any|the|an?)\s+){0,2}(?:pseudo-?\s?codes?|algorithm\s+(?:box|listing|description"
        r"|block)s?)\b",
        r"Algorithm\s+[A-Z]?\.?\d|pseudo-?\s?code",
        r"\\begin\{algorithm",
        cues="algorithm pseudo",
        firm=True,
    ),
)  # fmt: skip
