"""Find the roadmaps of a paper: what it says about the order of its sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.model.paper import Paper

_ROADMAP = re.compile(
    r"(?:The )?(?:rest|remainder|structure|outline|organi[sz]ation) of (?:(?:this|the|our) )?"
    r"(?:paper|work|article|manuscript)\b"
    r"|(?:This|The|Our) (?:paper|work|article) is (?:organi[sz]ed|structured)\b"
    r"|We (?:organi[sz]e|structure) (?:this|the|our) (?:paper|work)\b"
)
# What goes on with a roadmap: a section by its number, or what the paper does last.
_STATION = re.compile(
    r"\b(?:Sections?|Secs?\.|Appendix|Appendices|Chapter)|§|\b(?:conclude|summari[sz]e)\b"
    r"|^(?:Finally|Lastly|Then|Next|Afterwards|We (?:then|first|finally|next))\b"
)


def roadmaps(paper: Paper) -> Iterator[tuple[int, ...]]:
    """Yield the sentences of each roadmap: its first sentence and all that go on with it, up to the
    end of the paragraph. One whose paragraph goes on with another subject is left out.
    """
    text, sentences = paper.text, paper.sentences
    for index, sentence in enumerate(sentences):
        if not _ROADMAP.match(text, sentence.start, sentence.end):
            continue
        end = index + 1
        while end < len(sentences) and sentences[end].block == sentence.block:
            end += 1
        rest = sentences[index + 1 : end]
        if all(_STATION.search(text[other.start : other.end]) for other in rest):
            yield tuple(range(index, end))
