"""The agent `filler-noticer`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit_agents.noticer import Noticing, content, sentences_of

_FACT = re.compile(r"[\d$\\=<>%\[]|\w[A-Z]")
_SMALLEST = 2  # words of content; shorter sentences are labels
_NEAR = 2  # sentences on either side


@dataclass(frozen=True)
class FillerNoticer(Noticing):
    """Takes off points for sentences without content: a control for families that lengthen texts.

    A fault is a sentence without number, formula, citation, name with inner capitals or word of the
    paper's subject: it shares no word of content with title, abstract, headings and captions, and
    at most one with the two sentences on either side.
    """

    name: ClassVar[str] = "filler-noticer"
    version: ClassVar[str] = "1"

    def faults(self, paper: Paper) -> Sequence[str]:
        """Return the sentences that say nothing about the subject of the paper."""
        abstract, others = _subject(paper)
        return [
            sentence
            for block, sentences in sentences_of(paper).items()
            for sentence in _without_content(
                sentences, others if paper.blocks[block].role == "abstract" else abstract | others
            )
        ]


def _subject(paper: Paper) -> tuple[frozenset[str], frozenset[str]]:
    """Return the content words of the abstract, and those of title, headings and captions."""
    abstract: list[str] = []
    others = [paper.title]
    for block in paper.blocks:
        text = paper.text[block.start : block.end]
        if block.kind in ("heading", "table", "figure"):
            others.append(text)
        elif block.role == "abstract":
            abstract.append(text)
    return content("\n".join(abstract)), content("\n".join(others))


def _without_content(sentences: Sequence[str], subject: frozenset[str]) -> list[str]:
    words = [content(sentence) for sentence in sentences]
    found = []
    for place, own in enumerate(words):
        if len(own) < _SMALLEST or own & subject or _FACT.search(sentences[place]):
            continue
        around = [*words[max(0, place - _NEAR) : place], *words[place + 1 : place + 1 + _NEAR]]
        if len(own & frozenset().union(*around)) <= 1:
            found.append(sentences[place])
    return found
