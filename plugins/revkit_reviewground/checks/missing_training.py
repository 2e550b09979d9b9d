"""Topics of "missing" claims: what a paper tells of training, data and errors."""

from __future__ import annotations

from revkit_reviewground.checks.missing_topic import Topic, topic

_SET = r"(?:\w+\s+){0,3}?(?:of|is|was|are|were|to|at|as|=|:)?\s*(?:[$\\({]\s?){0,3}"
_OPTIMIZERS = (
    r"(?:Adam(?:W|ax)?|RMS-?Prop|SGD|Ada-?[Gg]rad|Ada-?[Dd]elta|L-?BFGS|LAMB|LARS"
    r"|stochastic\s+gradient\s+descent)"
)
_DEVICES = (
    r"(?:NVIDIA|Tesla|Titan|GeForce|GTX|RTX|Quadro|[VPA]100s?|K[248]0s?|1080\s?Ti|2080\s?Ti|TPUs?"
    r"|Xeon|GPUs?|CPUs?)"
)
_PARTS = r"(?:train(?:ing)?|validation|val|dev(?:elopment)?|test(?:ing)?)"

TRAINING: tuple[Topic, ...] = (
    topic(
        "the learning rate",
        r"(?:(?:initial|base|exact|chosen)\s+)?learning[\s-]rates?\b(?!\s+(?:schedul|decay|warm"
        r"|anneal"
        r"|tuning|sensitiv))",
        "",
        rf"learning[\s-]rates?\s+{_SET}(?:\d|10\s?\^)",
        cues="learning rate learning-rate",
        firm=True,
    ),
    topic(
        "the batch size",
        r"(?:mini-?)?batch[\s-]?sizes?\b",
        "",
        rf"batch[\s-]?sizes?\s+{_SET}\d|batch(?:es)?\s+of\s+(?:size\s+)?\$?\d",
        cues="batch",
        firm=True,
    ),
    topic(
        "the optimizer",
        r"optimi[sz]ers?\b(?!\s+state)|optimi[sz]ation\s+(?:algorithm|method)s?\b",
        "",
        rf"(?:us|train|appl|adopt|employ|with|by|via|optimi[sz]|minimi[sz])\w*\s+(?:\w+\s+){{0,4}}?"
        rf"{_OPTIMIZERS}\b|{_OPTIMIZERS}\s+(?:optimi[sz]er|\(|as\b|with\b|is\s+used)",
        cues="adam rms sgd ada bfgs lamb lars stochastic",
        firm=True,
        reported=True,
        discussed=True,
    ),
    topic(
        "the number of epochs or steps",
        r"(?:number\s+of\s+)?(?:training\s+|gradient\s+|update\s+)?(?:epochs|iterations)\b"
        r"|number\s+of\s+(?:training\s+|gradient\s+|update\s+)?steps\b"
        r"|training\s+(?:length|duration)\b",
        "",
        r"(?:for|after|of|over|to)\s+(?:\w+\s+){0,3}?\$?\d[\d,. ]{0,8}[kKM]?\$?\s+(?:\w+\s+)?"
        r"(?:epochs|iterations|(?:training|gradient|update)\s+steps)\b|train\w*\s+(?:\w+\s+){0,6}?"
        r"for\s+(?:\w+\s+){0,2}?\$?\d[\d,. ]{0,8}[kKM]?\$?\s+steps\b",
        cues="epochs iterations steps",
        firm=True,
        reported=True,
        facets=(
            (r"(?:\w+\s+){0,3}?epochs", r"[^.]{0,80}?epochs"),
            (r"(?:\w+\s+){0,3}?(?:iterations|steps)", r"[^.]{0,80}?(?:iterations|steps)"),
        ),
    ),
    topic(
        "the hardware",
        r"hardware\b(?!\s+(?:accel|design|implement))|comput(?:e|ing|ational"
        r"|er)\s+(?:infrastructure"
        r"|resources?|platform|environment)\b|(?:type\s+of\s+)?GPUs?\b",
        r"hardware|comput\w+\s+infrastructure",
        rf"(?:on|using|with|single|per|of|to|\d)\s+(?:\w+\s+){{0,3}}?{_DEVICES}\b",
        cues="nvidia tesla titan geforce gtx rtx quadro 100 k20 k40 k80 1080 2080 tpu xeon gpu cpu "
        "hardware infrastructure",
        reported=True,
        discussed=True,
    ),
    topic(
        "data augmentation",
        r"(?:data\s+)?augmentations?(?:\s+(?:strateg(?:y|ies)|techniques?|schemes?|details?))?\b",
        r"augmentation",
        r"data[\s-]augmentation|random(?:ly)?\s+(?:\w+\s+)?(?:crop|flip|rotat|horizontal)\w*"
        r"|augmented\s+(?:with|by|using)\s+(?:random|flip|crop|rotat|noise)",
        cues="augment random",
        reported=True,
        discussed=True,
    ),
    topic(
        "the initialization",
        r"(?:weight|parameter|network)\s+initiali[sz]ations?\b|initiali[sz]ation\s+(?:scheme|method"
        r"|of\s+the\s+(?:weights|parameters|network))s?\b",
        "",
        r"(?:weights|parameters|biases|matrices|embeddings)\s+(?:\w+\s+){0,3}?(?:were|are|is"
        r"|was)\s+"
        r"(?:\w+\s+){0,2}?initiali[sz]ed|(?:Xavier|Glorot|He|Kaiming"
        r"|orthogonal)\s+initiali[sz]ation",
        cues="initiali",
        reported=True,
        discussed=True,
    ),
    topic(
        "failure cases or an error analysis",
        r"(?:(?:any|typical|potential)\s+)?failure\s+(?:cases?|modes?|analys[ie]s|examples?)\b"
        r"|error\s+analys[ie]s\b|analys[ie]s\s+of\s+(?:the\s+)?(?:errors|mistakes|failures?)\b",
        r"failure\s+(?:cases?|modes?|analys[ie]s|examples?)|error\s+analys[ie]s",
        r"(?:fig(?:ure|\.)|table|we\b|our\b|shows?|typical|illustrat\w*"
        r"|examples?)\s+(?:\S{1,20}\s+)"
        r"{0,6}?failure\s+(?:cases?|modes?)|error\s+analys[ie]s\b",
        cues="failure error",
        facets=(
            (r"(?:error|analys[ie]s\s+of\s+(?:the\s+)?(?:errors|mistakes))", r"error"),
            (r"(?:\w+\s+){0,2}?failure", r"failure"),
        ),
        discussed=True,
    ),
    topic(
        "the data splits",
        rf"(?:(?:data(?:set)?|{_PARTS})\s?(?:[/,-]|and|\s)\s?){{1,5}}splits?\b"
        rf"|how\s+(?:the\s+)?data(?:sets?)?\s+(?:was|were|is|are)\s+(?:split|divided|partitioned)"
        rf"(?:\s+into[^.;:?]{{0,50}})?"
        rf"|sizes?\s+of\s+the\s+{_PARTS}\s+(?:and\s+{_PARTS}\s+)?sets?\b",
        rf"(?:data|{_PARTS})[\s/-]+splits?",
        rf"\d[\d,]{{0,9}}k?\s+(?:\w+\s+){{0,3}}?(?:for|as"
        rf"|in)\s+(?:the\s+)?{_PARTS}\b(?:\s+(?:set|split"
        rf"|and|,)|[,.;)])|(?:split|divid|partition)\w*\s+(?:\S{{1,20}}\s+){{0,6}}?{_PARTS}\b"
        rf"|{_PARTS}\s+sets?\s+(?:contain\w*|consists?\s+of|ha[sd]|of)\s+(?:\w+\s+){{0,2}}?\d"
        rf"|\d[\d,]{{0,9}}k?\s+{_PARTS}\s+(?:images?|samples?|examples?|sentences?|instances?|and)",
        cues="train valid test dev split divid partition",
        reported=True,
        discussed=True,
    ),
)
