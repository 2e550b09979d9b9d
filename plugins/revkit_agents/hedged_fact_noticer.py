"""The agent `hedged-fact-noticer`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit_agents.noticer import Noticing, sentences_of

_MEASURED = re.compile(
    r"\d\.\d|\d\s?\\?%|±|\\pm|\b(?:[Tt]ables?|[Ff]igures?|[Ff]igs?\.)[\s~]{1,3}[A-Z]?\d"
)
_DOUBT = re.compile(
    r"\b(?:may|might|could|perhaps|possibly|probably|presumably|conceivably|arguably|likely"
    r"|apparently|seemingly|suggests?|(?:appears?|seems?|tends?)\sto)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class HedgedFactNoticer(Noticing):
    """Takes off points for measured facts that are hedged: a control for families that add hedges.

    A fault is a sentence with a word of doubt and a decimal number, a percentage, a spread or a
    pointer to a table or figure. Whether the doubt is about the number it does not know.
    """

    name: ClassVar[str] = "hedged-fact-noticer"
    version: ClassVar[str] = "1"

    def faults(self, paper: Paper) -> Sequence[str]:
        """Return the sentences that contain both a hedge and a measured fact."""
        return [
            sentence
            for sentences in sentences_of(paper).values()
            for sentence in sentences
            if _DOUBT.search(sentence) and _MEASURED.search(sentence)
        ]
