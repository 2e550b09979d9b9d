"""Which sentences of a paper are elaboration: what each would cost if it were left out.

Costs order the sentences; `None` says that a sentence stays whatever happens. Roughly: 1 for an
example or an aside, 2 for background, 3 for description in the paper's own voice, 6 and more for
numbers and for pointers to figures outside the sections that report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from revkit.model.paper import Paper
from revkit.model.structure import SectionRole, Sentence
from revkit.model.words import count_words
from revkit_robustrev.sentence_shape import is_formal, is_whole, leans, runs_on

_WORDS = re.compile(r"[a-z][a-z-]*")
_EXAMPLE = re.compile(
    r"for example|for instance|e\.g\.|to illustrate|as an (?:example|illustration|aside)"
    r"|in other words|put differently|that is to say|note that|notice that|recall that"
    r"|as (?:mentioned|noted|discussed|described|stated|explained)|of course|obviously|clearly"
    r"|intuitively|it is worth|it should be|interestingly|in general|generally,|typically|usually"
    r"|often|commonly|traditionally|historically|broadly|imagine|similarly,|likewise,|naturally"
    r"|it is (?:well|known)|this is because|the (?:intuition|reason|idea)|loosely speaking"
    r"|think of|in pr(?:actice|inciple)"
)
# One word of each of these phrases: a look at the set of words spares most searches.
_SIGNAL = frozenset(
    """
    example instance e illustrate illustration aside words differently say note notice recall
    mentioned noted discussed described stated explained course obviously clearly intuitively worth
    should interestingly general generally typically usually often commonly traditionally
    historically broadly imagine similarly likewise naturally well known because intuition reason
    idea speaking think practice principle
    """.split()  # noqa: SIM905
)
_OWN = frozenset(("we", "our", "ours", "us", "i"))
_NAMED = re.compile(r"([A-Z][\w+-]{2,30}(?: [A-Z][\w+-]{0,30})?):\s")
_SELF = re.compile(r"\b(?:this|the|present) (?:paper|work|study|article)\b")


def _forms(stems: str, endings: str) -> frozenset[str]:
    return frozenset(stem + ending for stem in stems.split() for ending in ["", *endings.split()])


_VERB = "e es ed s ing d ation ations ment ments ly ance t al able"
# What a paper says that it did or found: with "we" or "this paper" such a sentence stays.
_CLAIM = _forms(
    "show propos achiev find found demonstrat prov prove proven present introduc outperform"
    " observ report obtain contribut conclud conclusion improv establish argu confirm verif"
    " verify verifies verified surpass exceed claim discover hypothesiz assum",
    _VERB,
)
# What it did on the way: with "we" it weighs.
_DEED = _forms(
    "develop provid evaluat compar validat identif identify identified analyz analys study"
    " studied studies investigat conduct allow enabl yield perform releas extend generaliz"
    " generalis design",
    _VERB,
)
_ALWAYS = frozenset(
    (
        "state-of-the-art", "outperform", "outperforms", "outperformed", "outperforming",
        "theorem", "lemma", "proof", "corollary", "proposition", "ablation", "ablations",
        "limitation", "limitations", "hypothesis", "hypotheses", "statistically", "significantly",
        "contribution", "contributions", "contribute", "contributes", "limited", "limiting",
        "limits", "downside", "downsides", "drawback", "drawbacks", "weakness", "weaknesses",
        "shortcoming", "shortcomings", "caveat", "caveats", "disadvantage", "disadvantages",
        "restricted", "unfortunately",
    )
)  # fmt: skip
# What may be a finding: it stays in sections that report, and with "we"; elsewhere it weighs.
_FINDING = _forms(
    "superior improv achiev accura increas decreas reduc robust effect success", _VERB
) | (
    frozenset(
        """
        accuracy accurate accurately robustness effective effectively effectiveness
        superiority better worse best worst higher lower larger smaller faster slower fewer
        gain gains result results show shows showing shown suggest suggests indicate
        indicates reveal reveals exhibit exhibits demonstrates confirms performance converge
        converges converged convergence guarantee guarantees guaranteed optimal novel assume
        assumes assumption assumptions comparable consistent consistently successful
        successfully fail fails failed failure efficient efficiently outperforms
        """.split()  # noqa: SIM905
    )
)  # fmt: skip
# What compares: without a citation such a sentence states a finding, wherever it is.
_COMPARED = frozenset(
    """
    better worse best worst higher lower faster slower fewer highest lowest superior superiority
    accuracy accuracies competitive improves improved improvement improvements degrades degraded
    declines decline plausible converge converges converged fails failed surpass surpasses exceeds
    """.split()  # noqa: SIM905
)
_DEFINING = frozenset(
    (
        "called", "dubbed", "termed", "denote", "denotes", "denoted", "denoting", "define",
        "defines", "defined", "defining", "definition", "abbreviated", "abbreviation", "notation",
        "henceforth", "hereafter", "let",
    )
)  # fmt: skip
_DEFINING_PHRASE = re.compile(
    r"referred to as|refer to|stands? for|(?:is|are) given by|as follows|the following"
    r"|if and only if|known as|\bwe (?:call|term|name|say|write|refer)\b|step towards?\b"
)
# "A contract is a ...": what a reader needs later.
_DEFINES = re.compile(
    r"[^.,;]{2,70} (?:is|are) (?:an?|the) |[^.]{0,80}\b(?:denot|refers?|means)\b"
    r"|[^.,;]{2,40} (?:consists?|comprises?) "
)
# How the work was done: with "we" such a sentence is part of the method.
_SET_UP = re.compile(
    r"\bwe (?:then |also |first |further |only |simply |can |will |do )?(?:model|represent|param"
    r"|formul|consider|set|use|train|adopt|employ|apply|initial|load|choose|select|sample|normal"
    r"|fine|follow|split|compute|add|take|start|run|optimi|minimi|maximi|build|construct|create"
    r"|collect|generate|implement|measure|assign|replace|remove|keep|fix|combine|update|test)"
)
_EQUATION = frozenset(("equation", "equations", "eq", "eqs", "eqn"))
_CAVEAT = re.compile(
    r"\b(?:infeasible|unable|not (?:able|possible|feasible)|impossible|zero-shot|unless|caveat)\b"
)
_MARKED = re.compile(r"[*_#>|`]|\*\*")
_CROSS = frozenset(
    (
        "figure", "figures", "fig", "figs", "table", "tables", "equation", "equations", "eq", "eqs",
        "algorithm", "section", "sections", "appendix", "appendices", "listing", "supplement",
        "supplementary", "above", "below",
    )
)  # fmt: skip
_ACRONYM = re.compile(r"\((?:[A-Z][A-Za-z]{0,3}-?){0,6}[A-Z]{2,8}s?\)")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])\d+(?:[.,]\d+)*(?![A-Za-z0-9_])")
_DIGIT = re.compile(r"\d")
_MEASURED = re.compile(r"\d\.\d|\d\s{0,3}(?:\\?%|percent|points?\b|times\b|x\b|×)|\\%")
# A sentence that starts so needs some sentence before it, whichever.
_ADDING = re.compile(
    r"(?:Moreover|Furthermore|Additionally|In addition|Also|And|Similarly|Likewise|Besides|Here"
    r"|Some|Formally|Unlike|One)\b"
)
# A reader looks for the meaning of these words in the sentence before.
_POINTS_BACK = re.compile(
    r"\b(?:this|these|those|such|latter|former|the same|their|its|they|them|inspired by"
    r"|one difference|in turn|both|aforementioned|above|the (?:resulting|two|three|first|second"
    r"|other|method|model|approach|problem|task|idea|authors?))\b",
    re.IGNORECASE,
)
# The first item of a list that the sentence before announces, and what follows from it.
_COUNTED = re.compile(r"(?:First|Firstly|To begin with|One (?:is|of)|What this|Namely|That is)\b")
_CHAIN = re.compile(
    r"(?:First|Second|Third|Fourth|Fifth|Finally|Lastly|Last|Next|Firstly|Secondly|Thirdly"
    r"|On the one|Step|Case|Proof|Claim|Remark|Consider|Suppose|Assume|To begin with)\b"
)
_ROLES: Mapping[SectionRole, float] = {
    "introduction": 0.0,
    "related-work": 0.0,
    "discussion": 0.2,
    "other": 0.2,
    "appendix": 0.2,
    "method": 0.4,
    "experiments": 0.6,
    "results": 0.6,
    "conclusion": 0.6,
}
_RUN_IN = 6  # a paragraph that starts with fewer words and a stop starts with its own heading
_REPORTING = frozenset(("experiments", "results", "conclusion", "discussion"))


@dataclass(slots=True)
class ElaborationPlace:
    """One sentence: the cost of leaving it out, its words if it may go, whether it leans back.

    One that does not ``starts`` goes only with the sentence before it.
    """

    words: int
    cost: float | None
    leans: bool
    starts: bool = True


def judge(paper: Paper) -> list[ElaborationPlace]:
    """Return a candidate for each sentence of ``paper``, in order."""
    text, sentences, blocks = paper.text, paper.sentences, paper.blocks
    spans = [text[sentence.start : sentence.end] for sentence in sentences]
    cited = _cited(paper)
    name = _own_name(paper)
    prose = [_without(s, sentences[i], cited.get(i, ())) for i, s in enumerate(spans)]
    words = [frozenset(_WORDS.findall(p.lower())) for p in prose]
    spread: Counter[str] = Counter()
    for vocabulary in words:
        spread.update(vocabulary)
    found: list[ElaborationPlace] = []
    opening: dict[str, int] = {}
    for index, sentence in enumerate(sentences):
        block = blocks[sentence.block]
        opening.setdefault(block.role, index)
        span = spans[index]
        first = index == 0 or sentences[index - 1].block != sentence.block
        second = not first and (index < 2 or sentences[index - 2].block != sentence.block)
        last = index + 1 == len(sentences) or sentences[index + 1].block != sentence.block
        cost: float | None = None
        if (
            block.is_prose
            and block.role in _ROLES
            and not (last and runs_on(paper, sentence.block))
            and is_whole(span)
            and not (first and span.count(" ") < _RUN_IN)
            and not _MARKED.match(span)
            and not span.count("**") % 2
            and not (block.role == "introduction" and index - opening.get(block.role, index) < 3)
            and not (not first and spans[index - 1].endswith("?"))
            and not is_formal(paper, sentence.block)
        ):
            own = not _OWN.isdisjoint(words[index]) or (bool(name) and name in span)
            cost = _cost(prose[index], words[index], block.role, index in cited, own)
            if cost is not None:
                known = sum(spread[word] > 3 for word in words[index]) / (len(words[index]) or 1)
                cost += 1.6 * first - 0.4 * known
        count = 0 if cost is None else count_words(text, sentence.start, sentence.end)
        leaning = not first and (
            leans(span)
            or bool(_POINTS_BACK.search(span, 0, 90) or _COUNTED.match(span))
            or (second and bool(_ADDING.match(span)))
        )
        found.append(ElaborationPlace(count, cost, leaning))
    return found


def _own_name(paper: Paper) -> str:
    """What the paper calls its own method, where its title says so: "Name: what it does"."""
    match = _NAMED.match(paper.title)
    return match[1] if match else ""


def _cost(
    prose: str, words: frozenset[str], role: SectionRole, cited: bool, own: bool
) -> float | None:
    """The cost of a sentence without its marks; ``own``: it speaks of what the paper did."""
    reports = role in _REPORTING
    finding = not _FINDING.isdisjoint(words)
    if (
        (finding and (own or reports))
        or (not cited and not _COMPARED.isdisjoint(words))
        or (own and not _CLAIM.isdisjoint(words))
        or not _ALWAYS.isdisjoint(words)
        or not _DEFINING.isdisjoint(words)
        or is_result(prose, reports)
        or _CHAIN.match(prose)
        or ("(" in prose and _ACRONYM.search(prose))
    ):
        return None
    lower = prose.lower()
    if _DEFINES.match(prose) or _CAVEAT.search(lower) or _SET_UP.search(lower):
        return None
    if _DEFINING_PHRASE.search(lower) or (
        (own or not _CLAIM.isdisjoint(words)) and _SELF.search(lower)
    ):
        return None
    if "$" in prose or "\\" in prose or not _EQUATION.isdisjoint(words):
        return None
    if role == "method" and own:
        return None
    cross = not _CROSS.isdisjoint(words)
    if cross and reports:
        return None
    return (
        2.0
        + _ROLES[role]
        - 0.9 * bool(not _SIGNAL.isdisjoint(words) and _EXAMPLE.search(lower))
        + 0.6 * cited
        + 0.5 * finding
        + 0.8 * own
        + 1.0 * (own and not _DEED.isdisjoint(words))
        + 4.0 * (cross or bool(_NUMBER.search(prose)))
    )


def is_result(prose: str, reports: bool) -> bool:
    """Whether a sentence without its citation marks states a measured number.

    In a section that reports (experiments, results, discussion, conclusion) every
    number counts as one; elsewhere a decimal, a percentage or a factor does.
    """
    if not _DIGIT.search(prose):
        return False
    return bool(_MEASURED.search(prose)) or (reports and bool(_NUMBER.search(prose)))


def results_within(paper: Paper, spans: Sequence[tuple[int, int]]) -> int:
    """How many sentences of ``paper`` within ``spans`` (in order) state a measured number."""
    cited = _cited(paper)
    found = at = 0
    for index, s in enumerate(paper.sentences):
        while at < len(spans) and spans[at][1] < s.end:
            at += 1
        if at < len(spans) and spans[at][0] <= s.start:
            prose = _without(paper.text[s.start : s.end], s, cited.get(index, ()))
            found += is_result(prose, paper.blocks[s.block].role in _REPORTING)
    return found


def _cited(paper: Paper) -> dict[int, list[tuple[int, int]]]:
    """The spans of the citation marks of each sentence that has any."""
    found: dict[int, list[tuple[int, int]]] = {}
    index, sentences = 0, paper.sentences
    for citation in paper.citations:
        while index < len(sentences) and sentences[index].end <= citation.start:
            index += 1
        if index < len(sentences):
            found.setdefault(index, []).append((citation.start, citation.end))
    return found


def _without(span: str, sentence: Sentence, marks: Iterable[tuple[int, int]]) -> str:
    parts: list[str] = []
    position = 0
    for start, end in marks:
        parts.append(span[position : max(start - sentence.start, position)])
        position = max(end - sentence.start, position)
    return "".join([*parts, span[position:]])


def has_weight(span: str, role: SectionRole, names: Iterable[str] = ()) -> bool:
    """Whether a sentence without its marks says what the paper claims, found or did, or defines
    something. ``names`` are the names of the paper's systems.

    It is a looser rule than the cost, for sentences that a reader of the paragraph chooses: what
    others did or found has no weight, and no description without "we".
    """
    lower = span.lower()
    words = frozenset(_WORDS.findall(lower))
    own = not _OWN.isdisjoint(words) or bool(_SELF.search(lower)) or any(n in span for n in names)
    finding = not (_FINDING | _COMPARED).isdisjoint(words)
    limit = not _ALWAYS.isdisjoint(words) or bool(_CAVEAT.search(lower))
    deed = not (_CLAIM | _DEED).isdisjoint(words) or bool(_SET_UP.search(lower))
    return (
        ((own or role in _REPORTING) and (finding or limit))
        or (own and (deed or role == "method"))
        or ("than" in words and role not in ("introduction", "related-work"))
        or not _DEFINING.isdisjoint(words)
        or bool(_ACRONYM.search(span))
    )


def is_one_of_several(span: str) -> bool:
    """Whether a sentence begins as one of several things or steps in order ("Second, ...")."""
    return bool(_CHAIN.match(span))


def is_elaboration(span: str) -> bool:
    """Whether a sentence without citations is one that shortening could take out anywhere: no
    claim, finding, comparison, definition, number or pointer."""
    words = frozenset(_WORDS.findall(span.lower()))
    own = not _OWN.isdisjoint(words)
    # In small letters, so that an opening such as "Consider" does not count as a step of a proof.
    cost = _cost(span.lower(), words, "experiments", False, own)
    return is_plain(span) and not _DIGIT.search(span) and cost is not None


def is_plain(span: str) -> bool:
    """Whether a sentence speaks of its subject: no finding in numbers, no pointer to a place."""
    return not _MEASURED.search(span) and _CROSS.isdisjoint(_WORDS.findall(span.lower()))
