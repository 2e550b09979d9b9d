"""The shape of a sentence: whether it is complete, depends on another, or leads to a formula."""

from __future__ import annotations

import re

from revkit.model.paper import Paper

# A sentence that starts so needs the very sentence before it.
_LEANING = re.compile(
    r"(?:This|These|That|Those|It|They|Such|Its|Their|He|She|His|Her|However|Therefore|Thus|Hence"
    r"|Consequently|Accordingly|As a (?:result|consequence)|For (?:this|these|that|example"
    r"|instance)|In (?:the (?:above|previous|preceding|first|second|latter|former)|this|these"
    r"|that|those|such|contrast|fact|particular|other words|turn|doing"
    r"|so|both|either)|By (?:contrast|doing|this)|On the (?:contrary|other)|Conversely|Instead"
    r"|Otherwise|There(?:by|after|in)|Then|Nevertheless|Yet|Nonetheless|Still|But|So|Or|Nor"
    r"|Indeed|Specifically|More (?:specifically|precisely|formally|generally|concretely)|Namely"
    r"|That is|To (?:this|that|do so|address (?:this|these)|solve (?:this|these)|overcome (?:this"
    r"|these))|Doing so|Both|Each|Another|Others?|Rather|Note|Notice|Recall|Again|Meanwhile"
    r"|Afterwards?|Subsequently|Given (?:this|these)|With (?:this|these)|From (?:this|these)"
    r"|Under (?:this|these)|At (?:this|that)|After (?:this|that)|Due to (?:this|these)"
    r"|Based on (?:this|these)|Equivalently|Concretely|Precisely|Essentially|Intuitively"
    r"|Alternatively|Even (?:so|then)|Of these|e\.g\.|i\.e\.|Since (?:this|these|it|they)"
    r"|If (?:so|not|this|it|they)|When (?:this|it|they)|While (?:this|it|they|these)"
    r"|Although (?:this|it|they|these)|The (?:former|latter|same|resulting|other|two|three|reason"
    r"|idea|intuition|difference|advantage|rest))\b"
)
_CONCLUDING = re.compile(
    r"(?:Therefore|Thus|Hence|Consequently|Accordingly|So|As a (?:result|consequence)"
    r"|For (?:this|these|that) reasons?|(?:Because of|Due to) (?:this|these|that)"
    r"|To (?:address|solve|overcome|tackle|avoid|remedy|mitigate|alleviate|handle|resolve)"
    r" (?:this|these|that)|This (?:implies|means|suggests|shows|indicates|motivates))\b"
)
_CONTRASTING = re.compile(
    r"(?:However|But|Yet|Nevertheless|Nonetheless|Unfortunately|Conversely|Instead|Otherwise"
    r"|In contrast|By contrast|On the contrary|On the (?:one|other) hand)\b"
)
_LED_TO = ("math", "list-item", "code", "quote")
_POINTING = re.compile(r"\b(?:this|these|those|such|latter|former|the same|above|aforementioned)\b")
_ITSELF = re.compile(r"In this (?:paper|work|section|article|study|appendix)\b")
_FORMAL = re.compile(
    r"[*_\s]{0,4}(?:Theorem|Lemma|Proposition|Corollary|Definition|Proof|Assumption|Claim"
    r"|Conjecture|Observation|Property|Condition|Algorithm|Figure|Fig|Table)\b"
)


def runs_on(paper: Paper, block: int) -> bool:
    """Whether a formula, a list or code follows the block, which its last sentence leads to."""
    blocks = paper.blocks
    return block + 1 < len(blocks) and blocks[block + 1].kind in _LED_TO


def is_formal(paper: Paper, block: int) -> bool:
    """Whether a block states or proves a theorem and the like, or is a caption."""
    return bool(_FORMAL.match(paper.text, paper.blocks[block].start, paper.blocks[block].end))


def is_whole(span: str) -> bool:
    """Whether ``span`` is a whole sentence, with everything closed that it opens."""
    return (
        span[0].isupper()
        and span[-1] in ".!"
        and len(span) < 1500
        and span.count("(") == span.count(")")
        and span.count("[") == span.count("]")
        and span.count("{") == span.count("}")
        and span.count("“") == span.count("”")
        and not span.count("$") % 2
        and not span.count('"') % 2
        and not span.count("*") % 2
        and not span.count("`") % 2
        and not (span.count("_") % 2 and "$" not in span)
        and "<" not in span
        and "[^" not in span
        and "\\begin" not in span
        and "\\end" not in span
        and "\\label" not in span
        and ":" not in span[:60]
    )


def concludes(span: str) -> bool:
    """Whether a sentence follows from the one before it, which states its reason."""
    return bool(_CONCLUDING.match(span))


def turns(span: str) -> bool:
    """Whether a sentence is a step of an argument by its first words: it concludes, or it speaks
    against the one before."""
    return concludes(span) or bool(_CONTRASTING.match(span))


def leans(span: str) -> bool:
    """Whether a sentence needs the one before it: by its first word, or by a "this" near it."""
    if _ITSELF.match(span):
        return False
    return bool(_LEANING.match(span) or _POINTING.search(span, 0, 45))
