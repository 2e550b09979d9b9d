"""The agent `off-topic-citation-noticer`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit_agents.noticer import Noticing, content, sentences_of

_SMALLEST = 3  # words of content of an entry; less says nothing of its subject
_OFTEN = 2  # sentences of the paper
# Words of any reference list, which say nothing about a subject.
_LISTS = content(
    "advances annual arxiv article association conference correspondence international journal "
    "learning letters nature preprint press proceedings proc review reviews science society "
    "symposium technical report thesis transactions university volume workshop pages doi https "
    "http org available url accessed editor editors january february march april june july "
    "august september october november december neural information processing systems"
)


@dataclass(frozen=True)
class OffTopicCitationNoticer(Noticing):
    """Takes off points for references to works on another subject: a control for families that add
    citations.

    A fault is an entry of the reference list that shares with the sentences of the paper at most
    one word of content, where words count that two sentences have. Names of people in an entry
    help it no more than they occur in the text. Whether a work fits the sentence that cites it is
    not seen.
    """

    name: ClassVar[str] = "off-topic-citation-noticer"
    version: ClassVar[str] = "1"

    def faults(self, paper: Paper) -> Sequence[str]:
        """Return the reference entries on another subject."""
        counts: Counter[str] = Counter()
        for sentences in sentences_of(paper).values():
            for sentence in sentences:
                counts.update(content(sentence))
        known = {stem for stem, count in counts.items() if count >= _OFTEN} - _LISTS
        entries = (paper.text[each.start : each.end] for each in paper.references)
        return [entry for entry in entries if _is_elsewhere(content(entry) - _LISTS, known)]


def _is_elsewhere(words: frozenset[str], known: set[str]) -> bool:
    return len(words) >= _SMALLEST and len(words & known) <= 1
