"""Which sentences can go without a loss that a reader of the rest would notice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from revkit.english import stop_words
from revkit.model.paper import Paper
from revkit.model.words import count_words
from revkit_robustrev.citation_phrases import stem
from revkit_robustrev.citation_sites import citations_by_sentence
from revkit_robustrev.elaboration import ElaborationPlace
from revkit_robustrev.length_roadmaps import roadmaps
from revkit_robustrev.sentence_shape import leans

_OUTLOOK = re.compile(
    r"\b(?:future work|for the future|left for future|leave [^.]{0,60} (?:to|for|as) future"
    r"|future research|interesting direction)\b",
    re.IGNORECASE,
)
# A turn that answers the sentence before; without it that one would say more than its author.
_TURN = re.compile(
    r"(?:However|But|Nevertheless|Nonetheless|Yet|Still|Instead|In contrast|By contrast|Conversely"
    r"|On the other hand|On the contrary|At the same time|Fortunately|Luckily|Unfortunately"
    r"|To (?:th(?:is|at) end\b|address|solve|overcome|tackle|deal"
    r"|alleviate|accomplish|answer|cope|do)|In order to|Therefore|Thus|Hence|So|As a result"
    r"|Consequently|From th(?:is|ese)|With (?:this|that) in mind)\b"
    r"|[^.]{0,60}, (?:however|though|in contrast|on the (?:other hand|contrary)|instead),"
)
# One of a list that another sentence announced.
_MEMBER = re.compile(
    r"(?:The (?:other|second|third|last|next|final)|Another|One (?:is|of|such|way|approach|option)"
    r"|In the (?:first|second|third|last|former|latter|other)|Complement\w+|Perhaps|Second|Third"
    r"|Finally|Lastly)\b"
)
# What is missing in earlier work is why a paper was written.
_GAP = re.compile(
    r"\b(?:categories|kinds of|Most (?:similar|related)|no|not|nor|never|cannot|lack\w{0,3}|unclear"
    r"|unknown|intractable|prohibitive\w*|fail\w*|suffer\w*|i\.e|desirable|only|assum\w+"
    r"|challeng\w+|difficult\w*|unsatisf\w+|restrictive|requir\w+|approximated)\b"
    r"|\bet al\.(?:\s*\[\d+\])?\Z",
    re.IGNORECASE,
)
# Background can lose a sentence; a method or a result only an aside, an outlook or a pointer.
_REPORTING = ("experiments", "results")
_KNOWN = ("introduction", "related-work", "discussion")
_ASIDE = re.compile(
    r"^(?:For example|For instance|As an (?:example|aside|illustration)|To illustrate|Note that"
    r"|Notice that|Recall that|Intuitively|The intuition|Of course|In other words|Put differently"
    r"|It is worth|It should be noted|Loosely speaking|Ideally|In principle"
    r"|As (?:mentioned|noted|discussed|stated) (?:above|before|earlier)|That is,|Imagine)\b"
)
# What a paper remarks on its own results and design.
_REMARK = re.compile(r"(?:Note|Notice|Notably|Intuitively|It is worth|It should be)\b")
_POINTER = re.compile(
    r"^[^;]*\b(?:details?|discuss\w*|describ\w*|explain\w*|presented|given|provided|found|see|refer)\b"
    r".{0,80}\b(?:in|to) (?:the |our )?(?:next |following |supplement|[Aa]ppendi|[Ss]ection|Sec)"
)
_DIGIT = re.compile(r"\d")
_RUN_IN = 6  # words: a paragraph that starts with fewer and a stop starts with its own heading
_BACK = re.compile(
    r"\b(?:it|them|they|its|their|such|later|these|those|this|former|latter)\b", re.I
)
_OWN = re.compile(
    r"\b(?:we|our|us|ours|this (?:paper|work)|here"
    r"|(?:the )?(?:proposed|presented) (?:\w+ ){0,2}\w+)\b",
    re.IGNORECASE,
)
# What opens a sentence that takes up the one before it.
_TAKING_UP = re.compile(
    r"(?:Moreover|Furthermore|Additionally|In addition|Also|Similarly|Likewise|Besides|Another"
    r"|Other|Second|Third|Finally|Lastly|Next|Then|More recently|Recently|The (?:second|third|other"
    r"|latter|former|first|same|resulting|remaining|rest|main|key|two|three)|One (?:of|such"
    r"|example)|Unlike|Among|Examples|Most of|All of|Here|There|Again|Alternatively"
    r"|At the same time|Yet another|In (?:Fig|Table|Sec|Algorithm)"
    r"|A (?:disadvantage|drawback|limitation)|As an example|For example|For instance|Contrary"
    r"|This|These|Those|Such|It|They|Despite)\b"
    r"|[^.]{0,80}\balso\b"
)
_NAME = re.compile(r"\b(?:[A-Za-z]*[A-Z]\w*[A-Z]\w*|[A-Z]\w*\d\w*|[A-Z]\w*-[A-Z]\w*|[A-Z]{2,})\b")
_WORD = re.compile(r"[A-Za-z][A-Za-z]{3,}")
_OPENING = 12  # words of a following sentence that say what it is about
_RECENT = 6  # sentences whose words a reader still has in mind
_ROADMAP_COST = 0.5
# By the share of bad cuts among 166 cuts of papers that were read to find these signs: 0.8 with a
# turn, 0.76 where sentences go together, 0.7 where the next one goes on with it, 0.1 without any.
_WEIGHTS = {
    "followed": 2.0,
    "turn": 1.5,
    "taken up": 1.5,
    "formula": 1.0,
    "own": 1.0,
    "inside": 1.0,
    "member": 0.7,
    "gap": 0.4,
    "section": 0.7,
    "number": 1.0,
}


def safe_places(paper: Paper, places: Sequence[ElaborationPlace]) -> list[ElaborationPlace]:
    """``places`` without the cost of those with any risk. What is left are single sentences that
    end a paragraph or lean on the sentence before, without a sign that a reader would miss them;
    and roadmaps of the sections, as a whole.
    """
    risks = _risks(paper, places)
    return _with_roadmaps(
        paper,
        [
            replace(place, cost=None if risk else place.cost)
            for place, risk in zip(places, risks, strict=True)
        ],
    )


def ranked_places(paper: Paper, places: Sequence[ElaborationPlace]) -> list[ElaborationPlace]:
    """``places`` with the risk of each added to its cost."""
    risks = _risks(paper, places)
    return _with_roadmaps(
        paper,
        [
            place if place.cost is None else replace(place, cost=place.cost + risk)
            for place, risk in zip(places, risks, strict=True)
        ],
    )


def _with_roadmaps(paper: Paper, places: list[ElaborationPlace]) -> list[ElaborationPlace]:
    for group in roadmaps(paper):
        for index in group:
            span = paper.sentences[index]
            words = count_words(paper.text, span.start, span.end)
            places[index] = ElaborationPlace(
                words, _ROADMAP_COST, index > group[0], starts=index == group[0]
            )
    return places


def _risks(paper: Paper, places: Sequence[ElaborationPlace]) -> list[float]:
    """For each sentence the sum of the weights of the signs that it would be missed."""
    sentences = paper.sentences
    spans = [paper.text[sentence.start : sentence.end] for sentence in sentences]
    subjects = _Subjects(spans)
    cited = citations_by_sentence(paper)
    named = own_names(paper)
    ours = _turned_to_own(paper, spans)
    found = []
    for index, span in enumerate(spans):
        if places[index].cost is None:
            found.append(0.0)
            continue
        block = sentences[index].block
        role = paper.blocks[block].role
        before = spans[index - 1] if index and sentences[index - 1].block == block else ""
        after = spans[index + 1] if index + 1 < len(spans) else ""
        ends = not after or sentences[index + 1].block != block
        own = bool(_OWN.search(span)) or (
            (index not in cited or bool(_REMARK.match(span)))
            and (index in ours or any(name in span for name in named))
        )
        signs = {
            "followed": not ends and places[index + 1].leans,
            "turn": bool(_TURN.match(span)) or (ends and bool(_TURN.match(after))),
            "taken up": (not ends and _takes_up(after)) or subjects.taken_up(index),
            "formula": "$" in span,
            "own": own and not _OUTLOOK.search(span),
            "inside": not ends and not leans(span),
            "member": bool(_MEMBER.match(span))
            or bool(before and (_announces(before) or before.count(" ") < _RUN_IN))
            or any(_parallel(span, other) for other in (before, "" if ends else after) if other),
            "gap": bool(_GAP.search(span)),
            "section": role not in _KNOWN
            and not (_ASIDE.search(span) and not (role in _REPORTING and _REMARK.match(span)))
            and not (_OUTLOOK.search(span) or _POINTER.search(span)),
            "number": index not in cited
            and bool(_DIGIT.search(span))
            and not _POINTER.search(span),
        }
        found.append(sum(_WEIGHTS[name] for name, there in signs.items() if there))
    return found


def _parallel(one: str, other: str) -> bool:
    """Whether two sentences begin as parts of one enumeration: "For A, ...", "For B, ..."."""
    return one.split(maxsplit=1)[0] == other.split(maxsplit=1)[0] and one[0:1] in "FIOW"


def own_names(paper: Paper) -> frozenset[str]:
    """The names in title and abstract that are written like those of systems: "HM-RNN"."""
    blocks = [block for block in paper.blocks if block.role == "abstract"]
    text = " ".join([paper.title, *(paper.text[block.start : block.end] for block in blocks)])
    return frozenset(_NAME.findall(text))


def _turned_to_own(paper: Paper, spans: Sequence[str]) -> frozenset[int]:
    """The sentences of an introduction or discussion after the first one about the paper itself."""
    found, turned = [], False
    for index, sentence in enumerate(paper.sentences):
        role = paper.blocks[sentence.block].role
        if role not in ("introduction", "discussion"):
            turned = False
            continue
        if turned:
            found.append(index)
        turned = turned or role == "discussion" or bool(_OWN.search(spans[index]))
    return frozenset(found)


def _takes_up(span: str) -> bool:
    return bool(_TAKING_UP.match(span) or _TURN.match(span) or _BACK.search(span, 0, 60))


def _announces(span: str) -> bool:
    return bool(re.search(r"\b(?:two|three|four|following|several \w+:|as follows)\b|:\s*\Z", span))


class _Subjects:
    """What each sentence brings up, and whether the sentences after it go on with that."""

    def __init__(self, spans: Sequence[str]) -> None:
        stop = stop_words("search") | stop_words("restatement")
        self._words = [
            [stem(w.lower()) for w in _WORD.findall(span) if w.lower() not in stop]
            for span in spans
        ]

    def taken_up(self, index: int) -> bool:
        """Whether one of the next two sentences begins with a word of content that this one brought
        up, or holds two of them.
        """
        before = {word for words in self._words[max(index - _RECENT, 0) : index] for word in words}
        new = set(self._words[index]) - before
        for words in self._words[index + 1 : index + 3]:
            if not new.isdisjoint(words[: _OPENING // 2]) or len(new.intersection(words)) > 1:
                return True
        return False
