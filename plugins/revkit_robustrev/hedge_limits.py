"""Sentences in which a hedge expresses no doubt about a claim: what hedging leaves alone.

"May" also permits, defines, supposes and hopes; and a statement is not a claim where mathematics,
a definition or an expressed certainty makes it one that cannot be softened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit import Paper, Sentence, english
from revkit_robustrev.guards import BE, words
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_words import (
    CAUSES,
    CLAIM_PARTICIPLES,
    CLAIM_PHRASES,
    CLAIM_VERBS,
    DEGREES,
    EFFECT_NOUNS,
    GRADED,
)

_LABELS = words(
    "Theorem Lemma Proposition Corollary Definition Proof Claim Assumption Remark Property Axiom"
    " Conjecture Hypothesis Problem THEOREM LEMMA PROPOSITION COROLLARY DEFINITION"
    " \\begin{theorem \\begin{lemma \\begin{proposition \\begin{corollary \\begin{definition"
    " \\begin{proof"
)
_OPENS = re.compile(r"(?:[\n#*_>:(]|[.!?] |\A) {0,3}\Z")
_REACH = 200  # characters after a label that still belong to its statement
_FORMAL_SECTION = re.compile(
    r"proof|theorem|lemma|definition|derivation|notation|preliminar|formulation|problem s", re.I
)
_EXAMPLE = re.compile(
    r"[*_]{0,3}(?:Inputs?|Outputs?|Questions?|Answers?|Context|Review|Source|Target|Reference"
    r"|Generated|Predictions?|Example|Premise|Hypothesis|Sentence|Text|Story|User|Bot|Human|Agent"
    r"|System|Query|Passage|Document|Article|Summary|Translation|Original|Prompt|Response|Caption"
    r"|Q|A)[ \d]{0,4}[*_]{0,3}:"
)
_TOKENISED = re.compile(r"[a-z] (?:[.,](?=\s|\Z)|n't\b|'s\b)")
_LETTER = re.compile(r"[^\W\d_]")


def _labels(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of labels of theorems and the like that open a line or a sentence."""
    for label in _LABELS:
        start = text.find(label)
        while start >= 0:
            end = start + len(label)
            if label[0] == "\\" or _OPENS.search(text, max(0, start - 8), start):
                yield start, end
            start = text.find(label, end)


class OwnClaims:
    """Which sentences of one paper state something in its own words, outside of mathematics."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._formal = sorted(_labels(paper.text))

    def removable(self, sentence: Sentence) -> bool:
        """Whether a hedge of ``sentence`` can go: as `holds`, but fragments and prose about
        theorems, which hold no mathematics, count as prose too."""
        text = self._paper.text
        if self.holds(sentence):
            return True
        block = self._paper.blocks[sentence.block]
        first = _LETTER.search(text, sentence.start, sentence.end)
        if first is None or (first[0].islower() and not self._goes_on(sentence)):
            return False
        if _EXAMPLE.match(text, block.start, block.end) or _TOKENISED.search(
            text, sentence.start, sentence.end
        ):
            return False
        if self._quoted(sentence) or _FORMAL.search(text, sentence.start, sentence.end):
            return False
        return not any(
            start < sentence.end
            and sentence.start < end + _REACH
            and not _ABOUT_THEOREM.match(text, end)
            for start, end in self._formal
        )

    def holds(self, sentence: Sentence) -> bool:
        """Whether ``sentence`` is the author's own prose: no example, quotation or theorem."""
        text, block = self._paper.text, self._paper.blocks[sentence.block]
        first = _LETTER.search(text, sentence.start, sentence.end)
        if first is None or first[0].islower() or _EXAMPLE.match(text, block.start, block.end):
            return False
        if _TOKENISED.search(text, sentence.start, sentence.end):
            return False
        if self._quoted(sentence) or _FORMAL_SECTION.search(block.section):
            return False
        return not any(
            start < sentence.end
            and (sentence.start < end + _REACH or block.start <= start < block.end)
            for start, end in self._formal
        )

    def _goes_on(self, sentence: Sentence) -> bool:
        """Whether a sentence is the rest of one that the block before it began."""
        blocks = self._paper.blocks
        if not sentence.block or self._paper.text[blocks[sentence.block].start : sentence.start]:
            return False
        return any(
            block.is_prose and self._paper.text[block.start : block.end].rstrip()[-1:].isalnum()
            for block in blocks[max(0, sentence.block - 3) : sentence.block]
        )

    def _quoted(self, sentence: Sentence) -> bool:
        """Whether a quotation that began in the block goes on in ``sentence``."""
        block = self._paper.blocks[sentence.block]
        head = self._paper.text[block.start : sentence.start]
        return (
            head.count('"') % 2 == 1
            or head.count("“") > head.count("”")
            or head.count("``") > head.count("''")
        )


_FORMAL = re.compile(r"[$=∈∀∃≤≥∑∏→∼]|\\[a-z]")
_ABOUT_THEOREM = re.compile(r"[ \n]?\d[\d.]*[ \n](?:and \d[\d.]* )?[a-z]{3,}")
# In the clause of the hedge: what follows is a condition, a question, a purpose or a hope.
_SUPPOSED = re.compile(
    r"(?<![-\w])(?:if|whether|unless|when|whenever|suppose|supposing|assume[sd]?|assuming"
    r"|assumption|imagine"
    r"|hope|hopes|hoping|wonder|lest|provided that|until|how|why|what|so that|in order that"
    r"|such that"
    r"|in such a way"
    r"|impression|illusion|question|ask|asks|(?<!we )argues?|concern|concerns|fear|worry|risk|let"
    r"|where|one(?! (?:[a-z-]+ )?(?:reason|explanation|cause|strategy|approach|way|option|solution"
    r"|alternative|direction|step|goal|remedy|factor)\b)|you|reader|readers|user|users"
    r"|in case|in principle|in theory|example|instance"
    r"|likelihood|chance|probability|possibility)\b",
    re.IGNORECASE,
)
_QUESTIONED = re.compile(
    r"\b(?:if|whether|unless|suppose|supposing|assume[sd]?|assuming|imagine|hope|hopes|hoping"
    r"|wonder"
    r"|lest|provided that|why|so that|in order that|such that|in such a way|ask|asks"
    r"|(?<!we )argue[sd]?"
    r"|fear)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:open (?:question|problem|issue)s?|unclear|not (?:yet )?clear|remains? to be"
    r"|remains unknown|unknown why|hypothesi[sz](?:e|es|ed|ing)|hypothesis (?:(?:is|was) )?that"
    r"|(?:this|our|one|another|working) (?:[a-z]+ )?hypothesis|conjectur\w{1,3}"
    r"|(?:speculated|postulated?|suspected|proposed?s?) that|(?:known|documented) that"
    r"|in search of|rule out|hopefully"
    r"|not (?:yet )?been (?:fully )?(?:investigated|studied|explored|examined)"
    r"|a possibility\b|speculation|(?:is|are) also possible(?! that)|contentious|controversial"
    r"|speculative"
    r"|warrants? further|to be proven"
    r"|uncertain (?:whether|if|why)|not (?:be )?sure|cannot rule out"
    r"|(?:further|future|more) (?:work|study|studies|research|investigation|experiments?|analysis"
    r"|evidence)"
    r" (?:is|are|will|would|should)|needs? further|requires? further"
    r"|do(?:es)? not know)\b",
    re.IGNORECASE,
)


_CAUSE_SUPPOSED = re.compile(
    r"We (?:hypothesize|conjecture) that "
    r"(?!(?s:.)*\b(?:may|might|probably|possibly|perhaps|likely)\b)"
    r"(?:this|the|these|it|one of|such)\b[^;:]{0,160}?\b(?:due to|because|results? of|reasons?"
    r"|caused by|attributed to|explains?|mitigates?|effect on)\b"
)


# A guess outright, of which nothing more is doubted.
_GUESSED_OUTRIGHT = re.compile(
    r"We (?:(?:also|therefore|thus|further) )?(?:hypothesize|speculate|suspect) that "
    r"(?!(?s:.)*\b(?:may|might|will|would|should|could|probably|possibly|perhaps|likely|if|when"
    r"|whether)\b)"
)


def questioned(place: HedgePlace) -> bool:
    """Whether the clause is a condition, a question, a hope or somebody's argument."""
    return bool(_QUESTIONED.search(clause_before(place)))


def left_open(text: str, low: int, high: int) -> bool:
    """Whether the sentence says that its matter is an open question, or a hypothesis.

    "We hypothesize that noise hides it" is a claim, and no plan of a test.
    """
    guess = _CAUSE_SUPPOSED.match(text, low, high) or _GUESSED_OUTRIGHT.match(text, low, high)
    if guess is not None:
        return bool(_OPEN.search(text, text.index(" that ", low), high))
    return bool(_OPEN.search(text, low, high))


_UNREAL = re.compile(
    r"\b(?:would|were to|should|suppose|imagine|hypothetical(?:ly)?|for (?:example|instance)"
    r"|in principle|in theory|theoretically)\b",
    re.IGNORECASE,
)
_NOTED = re.compile(r"\bshould be (?:noted|mentioned|emphasi[sz]ed|stressed)\b")
# In the clause itself: a case, or somebody's choice.
_OF_A_CASE = re.compile(
    r"\b(?:had|you|your|prefers?|desired?|optional(?:ly)?|consider|some|sometimes"
    r"|(?<!this )(?<!that )cases?|possible|any)\b",
    re.IGNORECASE,
)
_MATHS = re.compile(r"[$=\\{}]")
_NEAR = 40  # characters after a modal in which mathematics makes its clause a formal one
_IF = re.compile(r"\b(?:if|unless|suppose|without)\b([^,]{0,120})", re.IGNORECASE)
_PAST = re.compile(r"\b(?:were|had|did|[a-z]{2,20}ed|we|one|you)\b")
_BUT = re.compile(
    r"[,;][ \n](?:but|however|yet),?[ \n](?:it|they|this|these|in|actually|only|is|are|was|were"
    r"|do|does"
    r"|did|can|cannot|fails?|not|a closer|on)\b|\bin fact\b"
)
_GLANCE = re.compile(
    r"\b(?:at first|first glance|first sight|on the surface)\b|\A(?:although|though|despite)\b",
    re.IGNORECASE,
)


def clause_before(place: HedgePlace) -> str:
    """The part of the hedge's clause that is before it."""
    return re.split(r"[;:]|, ", place.text[max(place.low, place.start - 160) : place.start])[-1]


def supposed(place: HedgePlace) -> bool:
    """Whether the hedge is in a condition, a question, a hope, or an example of a case."""
    return bool(_SUPPOSED.search(clause_before(place)))


def unreal(place: HedgePlace) -> bool:
    """Whether a modal speaks of a case that is only imagined, or of somebody's free choice."""
    sentence = _NOTED.sub(" ", place.text[place.low : place.high])
    clause = clause_before(place) + place.text[place.end : min(place.high, place.end + _NEAR)]
    if _UNREAL.search(sentence) or _OF_A_CASE.search(clause) or _MATHS.search(clause):
        return True
    return on_condition(place)


def on_condition(place: HedgePlace) -> bool:
    """Whether a modal speaks of what follows from a condition that is only imagined."""
    condition = _IF.search(place.text[place.low : place.high])
    return condition is not None and (
        place.form.lower() == "might" or bool(_PAST.search(condition[1]))
    )


def first_glance(place: HedgePlace) -> bool:
    """Whether the sentence contrasts what seems with what is."""
    opening = place.text[place.low : place.low + 6].lower() == "while "
    glance = _GLANCE.search(clause_before(place).strip())
    return opening or glance is not None or _BUT.search(place.rest) is not None


def in_parentheses(place: HedgePlace) -> bool:
    """Whether the place is between parentheses, where definitions and options are put."""
    head = place.text[place.low : place.start]
    return head.count("(") > head.count(")") or head.count("[") > head.count("]")


_NO_DOUBT = re.compile(
    r"[${}=∈∀∃≤≥∑∏→×≠≈∼∞‖⟨⟩⊂⊆∪∩∇∂√−′\\|]|_\[|\b(?:iff|if|exactly|equivalent(?:ly)?|equivalence"
    r"|definitely|certain(?:ly)?|clearly|clear that|obvious(?:ly)?|undoubtedly|indeed|precisely"
    r"|always|never|necessar(?:y|ily)|identity|identical(?:ly)?|by definition|by construction"
    r"|by design|defin(?:e|es|ed|ition)|denot(?:e|es|ed)|called|guarante\w{0,5}|prov(?:e|es|ed|en"
    r"|ably)|theorems?|lemmas?|propositions?|corollar(?:y|ies)|proofs?|trivial(?:ly)?|of course"
    r"|conjectures?|hypothes[ie]\w{1,3}|there exists?|(?:claim|equation|eqn?\.?) ?\(?\d"
    r"|the following|imagine|picture|consider|give an example|cho[so]en?|choose|chose|decide[ds]?"
    r"|opt(?:ed)? (?:for|to)|\d+ (?:out )?of (?:the )?\d+"
    r"|must|in fact|truly|(?:is|are|well)[ -]known|evident(?:ly)?|surely|undeniabl[ey]|without loss"
    r"|is better\)|higher is|lower is|otherwise|respectively|assum\w{1,8}|wlog|w\.l\.o\.g)(?!\w)",
    re.IGNORECASE,
)


def beyond_doubt(text: str, low: int, high: int) -> bool:
    """Whether the sentence is mathematics, a definition, a condition, or says how sure it is."""
    return bool(_NO_DOUBT.search(text, low, high))


def negated_before(place: HedgePlace) -> bool:
    """Whether a negation governs the place: "no results currently explain"."""
    negation = english.compile_words(english.negations("clause"), ignore_case=True)
    return bool(negation.search(clause_before(place)))


# Marks of citation: their years are not measurements.
_CITED = re.compile(r"\([^()]{0,200}\b(?:19|20)\d\d[a-z]?[^()]{0,200}\)|\[[\d, –-]{1,60}\]")
# Figures in names are not measurements: "CIFAR-10", "word2vec", "3D".
_NAMED = re.compile(r"\b[A-Za-z]+-?\d{1,3}(?:-?[A-Za-z]+)?\b|\b\d-?[dD]\b")
_FIGURE_OR_RESULT = re.compile(
    r"\d|\b(?:fig|figures?|tables?|tab|sections?|sec|eqn?|equations?|algorithms?|appendix|shown in"
    r"|as shown|see|row|rows|column|columns|top|bottom|left|panel|bar|bars|curves?)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:(?:we|i|one can|it is|is|are|was|were) (?:\w{2,12} )?(?:find|found|observe[ds]?"
    r"|highlight|notice[ds]?|note|noted|see|saw|seen|show|showed|shown|measure[ds]?|report"
    r"|reported|obtain(?:ed)?"
    r"|confirm(?:ed)?|demonstrate[ds]?|verif(?:y|ied)|evaluate[ds]?|compare[ds]?)|observations?)\b",
    re.IGNORECASE,
)
_SET_UP = re.compile(
    r"\b(?:refers? to|referred to|deriv\w{3,6}|theor\w{1,8}"
    r"|i\.e|namely|situations?|settings?|scenario|the task of"
    r"|the problem of|known as|correspond(?:s|ing)? to|represent(?:s|ing)?|consists? of|stands for"
    r"|is the|are the|formally|formulat\w{1,4}|metrics?|score[ds]?|stage|step|phase|setup|given"
    r"|input|output|notation|index|indices|variables?)\b",
    re.IGNORECASE,
)


def measured_fact(text: str, low: int, high: int) -> bool:
    """Whether the sentence holds a number or points to a figure or table: its author knows it."""
    span = text[low:high]
    return "%" in span or bool(_FIGURE_OR_RESULT.search(_NAMED.sub(" ", _CITED.sub(" ", span))))


def own_fact(text: str, low: int, high: int) -> bool:
    """Whether the sentence reports what the authors found, or sets something up or defines it."""
    span = text[low:high]
    return bool(_FINDING.search(span) or _SET_UP.search(span) or _OWN.search(span))


_OWN = re.compile(
    r"\b(?:we|our|ours|us|i|my|proposed|here|herein|experiments?|experimental(?:ly)?"
    r"|empirical(?:ly)?|simulations?|evaluations?|ablations?|baselines?|first|second|third|then"
    r"|this paper|this work|this section|this study|this article|present study)\b",
    re.IGNORECASE,
)
# What the paper itself is, does or wants.
OWN_DESIGN = re.compile(
    r"\b(?:we|our|us|propos\w{0,5}|introduc\w{1,4}|design\w{0,4}|formulation|module|function|layer"
    r"|rewards?|loss(?:es)?|operators?|parameters?|(?:en|de)coders?|heads?|steps?|stages?|each"
    r"|blocks?|networks?|models?|layers|modules|vectors?|embeddings?|representations?"
    r"|architectures?|mechanisms?|components?|strategy|technique|algorithm|framework)\b",
    re.IGNORECASE,
)
COMPONENTS = re.compile(
    r"\b(?:arrays?|keys?|generators?|discriminators?|agents?|controllers?|weights?|terms?"
    r"|matri\w{2,4}"
    r"|gradients?|learners?|classifiers?|polic(?:y|ies)|methods?|approach(?:es)?|systems?"
    r"|procedures?"
    r"|schemes?|process(?:es)?|filters?|kernels?|samplers?|estimators?|critics?|actors?|planners?"
    r"|trackers?|detectors?|tokens?|attention|buffers?|memory|channels?|gates?|nodes?|edges?"
    r"|dimensions?|priors?|variant|setting|regulari\w{2,5}|modules?|bottlenecks?|branch(?:es)?"
    r"|backbones?|pipelines?|scores?|queries|query)\b",
    re.IGNORECASE,
)
INTENT = re.compile(
    r"\b(?:goals?|aims?|purposes?|objectives?|intent(?:ion)?|intended|designed|motivation|want"
    r"|plan|scope|contributions?|hypothes[ie]s)\b",
    re.IGNORECASE,
)
OUTLINE = re.compile(
    r"\b(?:sections?|discussions?|paper|chapter|appendix|later|next|forthcoming|below|following)\b",
    re.IGNORECASE,
)
CHOICE = re.compile(
    r"\b(?:we|our|us|i|chosen?|selected|used|adopted|excluded|omitted|removed|employed|dropped"
    r"|discarded|ignored|skipped|called|named|limited|restricted|truncated|reported)\b",
    re.IGNORECASE,
)
# What was measured or follows from the making: "reduces it to 63.7%", "by a factor of".
MEASURED = re.compile(
    r"[^;:]{0,90}?[ \n](?:(?:to|from|of|after|within)[ \n]\d|a total of|by[ \n](?:the|an?)[ \n]"
    r"(?:[a-z]+[ \n])?factor)"
)
PREDICATE = re.compile(r"[ \n]([a-z][a-z-]*)(?:[ \n]([a-z][a-z-]*))?")
# A predicate of worth that ends its phrase: "useful to know", "very costly."
WORTH = re.compile(
    r"[ \n](?:(?:very|more|less|too|quite|rather|[a-z]{2,20}ly)[ \n])?"
    r"([a-z-]{2,20})(?=[ \n](?:to|for|that|in|on|when|if|under|at|as|than|or|and|with)\b|[.,;)])"
)
_NOUN_PHRASE_END = re.compile(
    r"[ \n]?(?:[,.;:)]|(?:and|or|but|than|to|for|in|on|at|with|as|because|since|when|due|given|by"
    r"|compared|under|from|across|without|enough|while|if|about|of|that|during|between|over)\b|\Z)"
)
# Adverbs of mere possibility: what follows them distinguishes a claim from an option.
POSSIBILITY = words("possibly potentially conceivably maybe perhaps")


# What something is said to be with a word of worth: "be a more accurate term".
_WORTHY = re.compile(r"[ \n]an?[ \n](?:(?:more|less|very|[a-z]{2,20}ly)[ \n])?([a-z-]{3,20})\b")


PERFECT = re.compile(
    r"[ \n](?:[a-z]{2,20}ly[ \n])?(?:[a-z]{2,20}ed|led|arisen|become|made|given|grown|undergone"
    r"|lost|driven"
    r"|risen|fallen|played|had|shown)"
    r"(?=[ \n](?:the|an?|this|that|these|those|its|their|our|to|in|by|for|from|on|with|at|as|due"
    r"|because"
    r"|over|into|upon|through|during|independently)\b|[,.;)])"
)
_RELATED = re.compile(
    r"[ \n](?:more |less |most )?(?:[a-z]+ly )?(?:related|associated|linked|suited|involved|due"
    r"|attributable)\b"
    r"|[ \n](?:better|well|best)[ -]suited\b"
)
# What something is said to be for another: "be an important factor in", "be one of the causes".
_ROLE = re.compile(
    r"[ \n](?:(?:also|thus|therefore)[ \n])?(?:(?:an?|the|another|one)[ \n]|one of the[ \n]"
    r"|(?:important|key|major|critical|main|crucial|contributing)[ \n])(?:[a-z-]+[ \n]){0,3}"
    r"(?:factors?|drivers?|causes?|reasons?|consequences?|markers?|biomarkers?|mechanisms?"
    r"|regulators?|determinants?|indicators?|predictors?|contributors?|mediators?|limitations?"
    r"|obstacles?|barriers?|drawbacks?|candidates?|role)(?![\w-])"
    r"|[ \n]of (?:[a-z]+ )?(?:importance|interest|value|relevance|benefit|help)\b"
    r"|[ \n]an? (?:[a-z-]+ ){1,3}(?:tool|strategy|approach|target|alternative|solution"
    r"|means) (?:for|to|in)\b"
    r"|[ \n](?:an? |the )(?:[a-z]+ )?key to\b"
    r"|[ \n]a (?:direct |possible )?(?:result|consequence|reflection|sign|function) of\b"
)


def claims(rest: str, verb: str) -> bool:
    """Whether "may" before ``verb`` doubts a claim, rather than permit or count with a case."""
    if verb == "have":
        return bool(PERFECT.match(rest)) or any(
            word in EFFECT_NOUNS for word in re.findall(r"[a-z]+", rest[:40])
        )
    if verb != "be":
        follows = CLAIM_PHRASES.get(verb)
        return verb in CLAIM_VERBS if follows is None else rest[1:].startswith(follows + " ")
    match = PREDICATE.match(rest)
    if match is None:
        return False
    worthy = _WORTHY.match(rest)
    if _ROLE.match(rest) or (worthy is not None and worthy[1] in GRADED):
        return True
    word, second = match[1], match[2] or ""
    if _RELATED.match(rest):
        return True
    if word in CLAIM_PARTICIPLES or word in ("due", "because"):
        return True
    if word in DEGREES and (second in GRADED or word in ("more", "less")):
        return True
    return word in GRADED and bool(_NOUN_PHRASE_END.match(rest[match.end(1) :]))


def possible_claim(place: HedgePlace) -> bool:
    """Whether "possibly" and the like doubt a claim, not name an option ("possibly infinite")."""
    before, word = place.before, place.after.word
    if before.word in ("and", "or", "but") or place.after.mark == "COMMA":
        return place.after.mark == "COMMA" and place.form.lower() in ("perhaps", "possibly")
    if before.mark == "START":
        return place.form.lower() == "perhaps" or word in CAUSES
    if word in CAUSES | GRADED | CLAIM_VERBS | CLAIM_PARTICIPLES | BE:
        return True
    if place.form.lower() == "perhaps":
        return not unreal(place)
    if word.endswith("ing"):
        return word[:-3] in CLAIM_VERBS or word[:-3] + "e" in CLAIM_VERBS or word == "limiting"
    if word.endswith("ed"):
        return word[:-2] in CLAIM_VERBS or word[:-1] in CLAIM_VERBS
    return word[:-1] in CLAIM_VERBS


# In a clause with one of these, the verb states a condition, a definition or a wish, not a claim.
_NO_CLAIM = words(
    "if when whenever unless until whether assume assuming suppose let such where ensure"
    " provided than as how what why given once so while whose denote denotes define defined"
    " called lest require requires required requiring ensures ensuring enforce enforces want"
    " wants guarantee guarantees guaranteeing need needs should must"
)
_MARKUP = str.maketrans("", "", "*_`")


def no_claim(place: HedgePlace) -> bool:
    """Whether the clause states a condition, a definition, a purpose or a reason, not a claim."""
    earlier = clause_before(place).lower().translate(_MARKUP).split()
    if earlier[:1] == ["to"] or not {"because", "since"}.isdisjoint(earlier[:3]):
        return True  # a purpose, or a reason that the author gives
    first = place.text[place.low : place.low + 12].split()[:1]
    sentence = place.text[place.low : place.start]
    return (
        not _NO_CLAIM.isdisjoint(earlier)
        or bool(INTENT.search(sentence))
        or (
            bool(first)
            and first[0].lower().rstrip(",")
            in ("let", "if", "where", "suppose", "assume", "note", "because", "since", "as")
        )
    )
