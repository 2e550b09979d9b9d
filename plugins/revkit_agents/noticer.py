"""Base class of the agents that look for faults: their score loses one point for each fault.

Their rules are independent of those of the perturbation families: short word lists here, and
measures on the words that sentences share. They see the text alone, without knowing what was
changed, and have false alarms; what counts is how often a variant has more faults than its paper.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option

_WORD = re.compile(r"[a-z]{3,40}")
_STEM = 6  # letters; endings of words are behind them
_SHOWN = 20
_LONGEST = 200
_MOST_CHARACTERS = 2_000  # of a sentence that are read
_FUNCTION_WORDS = """
about above after again against all almost also although always among and another any are
around because been before being below between both but can cannot come could did does
doing done down during each either else even ever every few first for from further get give
given goes had has have having her here hers him his how however into its itself just keep
last later least less let like made make makes many may might more most much must near need
neither next nor not now off often once one ones only onto other others our ours out over
own per perhaps put quite rather said same see seem seems set shall she should show shows
since some still such take takes than that the their them then there therefore these they
thing this those though through thus together too toward two under until upon use used uses
using very was way well went were what when where whether which while who whole whom whose
why will with within without would yet you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Noticing(Agent):
    """An agent that looks for one kind of fault only.

    Its score is 100 less one point for each fault, and not below 0.
    """

    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    accept_at: int = option(90, help="Accept from this score on.", minimum=1, maximum=100)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 0 to 100, higher is better."""
        values = tuple(float(value) for value in range(101))
        return Scale("notice-0-100", 0.0, 100.0, accept_at=float(self.accept_at), values=values)

    @abstractmethod
    def faults(self, paper: Paper) -> Sequence[str]:
        """Return the faults of ``paper`` in the order of the text, each with the text that shows
        the fault.
        """

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 100 minus the number of faults; the details list the first faults."""
        found = self.faults(paper)
        score = max(0, 100 - len(found))
        shown = [text[:_LONGEST] for text in found[:_SHOWN]]
        return Review(
            accept=score >= self.accept_at,
            score=float(score),
            text=f"{len(found)} faults noticed.\n" + "\n".join(f"- {text}" for text in shown),
            details={"faults": len(found), "shown": list(shown)},
        )


def content(text: str) -> frozenset[str]:
    """Return the stems of the content words in ``text``."""
    words = _WORD.findall(text.lower())
    return frozenset(word[:_STEM] for word in words if word not in FUNCTION_WORDS)


def sentences_of(paper: Paper) -> dict[int, list[str]]:
    """Return the sentences of each paragraph of prose, by block number."""
    found: dict[int, list[str]] = {}
    for sentence in paper.sentences:
        text = paper.text[sentence.start : min(sentence.end, sentence.start + _MOST_CHARACTERS)]
        found.setdefault(sentence.block, []).append(text)
    return found
