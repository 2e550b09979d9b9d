"""Topic: what a review may call missing, as patterns of how it is named and what shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """One topic of "missing" claims; `None` where there is no such pattern.

    ``named`` matches the topic in a review. ``heads`` matches a heading, a caption or a table that
    shows the topic for certain. ``told`` matches running text that shows it; ``firm`` and
    ``captions`` say whether such text, or a caption, contradicts "the paper has none" for certain,
    or makes it only suspect, because the words can stand for something lesser. ``implied`` matches
    a statement that denies the topic without a "no". ``cues`` are words in small letters, of which
    each match of ``told`` or ``heads`` holds one. ``reported`` marks what a method may well do
    without: it counts as called missing only where the paper's account of it is; ``discussed``
    marks what is there by being discussed, so that "not discussed" denies it. ``facets`` tell
    things apart that one topic holds: where the review's words match the first pattern, what shows
    it must match the second.
    Case is ignored.
    """

    name: str
    named: re.Pattern[str]
    heads: re.Pattern[str] | None
    told: re.Pattern[str] | None
    cues: tuple[str, ...]
    firm: bool = False
    captions: bool = True
    implied: re.Pattern[str] | None = None
    reported: bool = False
    discussed: bool = False
    facets: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()

    def needed(self, named: str) -> re.Pattern[str] | None:
        """What evidence on ``named``, a review's words for the topic, must match."""
        for asked, needed in self.facets:
            if asked.search(named):
                return needed
        return None


def topic(
    name: str,
    named: str,
    heads: str = "",
    told: str = "",
    cues: str = "",
    *,
    firm: bool = False,
    captions: bool = True,
    implied: str = "",
    reported: bool = False,
    discussed: bool = False,
    facets: tuple[tuple[str, str], ...] = (),
) -> Topic:
    """Return a topic from the sources of its patterns; ``cues`` are parted by blanks."""
    return Topic(
        name,
        _pattern(named),
        _pattern(heads) if heads else None,
        _pattern(told) if told else None,
        tuple(cues.split()),
        firm,
        captions,
        _pattern(implied) if implied else None,
        reported,
        discussed,
        tuple((_pattern(asked), _pattern(needed)) for asked, needed in facets),
    )


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{source})", re.IGNORECASE)
