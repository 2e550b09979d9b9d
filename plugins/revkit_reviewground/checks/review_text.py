"""ReviewText: a review as fields of plain text, their quotations, and their sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.model.sentences import split_sentences
from revkit.model.values import Json
from revkit_reviewground.checks.finding import (
    LONGEST_EXCERPT,
    Certainty,
    Finding,
    FindingPlace,
    Kind,
)
from revkit_reviewground.checks.runs import bounded

_MARKS = re.compile(r"\*+|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|`")
_BREAK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*•>#|]|\(?\d{1,2}[.)]|[a-z][.)])[ \t])")
_WORD = re.compile(r"[^\W_]")
# What a reply, a comment or a later version brings is not in the text under review.
_REPLY = re.compile(
    r"\b(?:rebuttals?|(?:author(?:s|['’]s|s['’])?|their|your)\s+(?:responses?|reply|replies|answers?"
    r"|comments?)|(?:authors?|they|you)\s+(?:\w+\s+){0,2}(?:responded|replied|answered|commented)"
    r"|commenters?|openreview|response\s+(?:from|by|of|to)|in\s+the\s+discussion\s+below"
    r"|(?:post|after)[\s-]+(?:rebuttal|response|revision)|author\s+responses?)\b",
    re.IGNORECASE,
)
_REPLY_REACH = 1500
# One branch for each kind of mark; the text between them is bounded and holds no blank line.
_INSIDE = r"(?:[^{0}\n]|\n(?![ \t]*\n)){{1,2000}}"
_QUOTATION = re.compile(
    "|".join(
        (
            r'(?<![\w"])"(?=\S)(?P<straight>' + _INSIDE.format('"') + r')(?<=\S)"(?!\w)',
            r"“(?P<curly>" + _INSIDE.format("“”") + r")”",
            r"„(?P<low>" + _INSIDE.format("„“”") + r")[“”]",
            r"«(?P<angle>" + _INSIDE.format("«»") + r")»",
            r"(?<![`\w])``(?!`)(?P<latex>" + _INSIDE.format("`") + r"?)(?:''|\"|``)",
            r"(?<![`\w])`(?!`)(?P<tex>[^`'’\n]{1,400})['’](?!\w)",
            r"(?<![`\w])`(?!`)(?P<tick>[^`\n]{1,300})`(?!`)",
            r"(?<![\w'])'(?=\S)(?P<single>(?:[^'\n]|(?<=\w)'(?=\w)){4,400})(?<=\S)'(?![\w'])",
            r"‘(?P<high>(?:[^‘’\n]|(?<=\w)’(?=\w)){1,400})’(?!\w)",
            r"^[ \t]{0,3}>[ \t]?(?P<block>[^\n]{1,1000}(?:\n[ \t]{0,3}>[^\n]{0,1000}){0,30})",
        )
    ),
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """One quotation: characters ``start`` to ``end`` of a field, without the quotation marks.

    ``mark`` names the kind of marks; "block" is a Markdown block quote.
    """

    start: int
    end: int
    mark: str
    text: str


@dataclass(frozen=True)
class ReviewField:
    """One text of a review, at ``name`` ("strengths", "questions[2]", "scores.note")."""

    name: str
    text: str

    @cached_property
    def quotations(self) -> tuple[Quotation, ...]:
        """The quotations, in order, without overlap."""
        return tuple(
            Quotation(
                match.start(match.lastgroup or 0),
                match.end(match.lastgroup or 0),
                match.lastgroup or "",
                match.group(match.lastgroup or 0),
            )
            for match in _QUOTATION.finditer(self.text)
        )

    @cached_property
    def own(self) -> str:
        """The text in which emphasis marks and quotations of four words or more are blanked.

        Every character stays at its place: what a quotation says is not a claim of the reviewer.
        """
        text = _MARKS.sub(lambda match: " " * len(match.group()), self.text)
        for quotation in self.quotations:
            if count_words(quotation.text) > 3:
                blank = " " * (quotation.end - quotation.start)
                text = text[: quotation.start] + blank + text[quotation.end :]
        return bounded(text)

    def cites_reply(self, at: int) -> bool:
        """Return whether the 1500 characters before ``at`` cite a reply or a comment of the
        authors.
        """
        return _REPLY.search(self.text, max(0, at - _REPLY_REACH), at) is not None

    @cached_property
    def sentences(self) -> tuple[tuple[int, str], ...]:
        """The sentences of `own`, each with its start; items of lists are separate."""
        found: list[tuple[int, str]] = []
        start = 0
        for match in _BREAK.finditer(self.own):
            found += self._sentences(start, match.start())
            start = match.end()
        return tuple(found + self._sentences(start, len(self.own)))

    def _sentences(self, start: int, end: int) -> list[tuple[int, str]]:
        return [
            (span.start, self.own[span.start : span.end])
            for span in split_sentences(self.own, start, end)
        ]

    def finding(
        self,
        kind: Kind,
        start: int,
        end: int,
        message: str,
        certainty: Certainty = "false",
        place: FindingPlace | None = None,
    ) -> Finding:
        """Return a finding on ``text[start:end]`` of this field."""
        excerpt = self.text[start : min(end, start + LONGEST_EXCERPT)]
        return Finding(kind, self.name, excerpt, message, certainty, place, start)


def count_words(text: str) -> int:
    """Count the runs of non-blanks that contain a letter or a digit."""
    return sum(1 for word in text.split() if _WORD.search(word))


def fields(review: Mapping[str, Json]) -> tuple[ReviewField, ...]:
    """Return the texts of ``review`` in order, including those in its lists and objects."""
    texts = ((name, text) for name, text in _texts("", review) if text.strip())
    return tuple(ReviewField(name, bounded(text)) for name, text in texts)


def _texts(name: str, value: Json, depth: int = 0) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif depth > 8:
        return
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(f"{name}.{key}" if name else str(key), inner, depth + 1)
    elif isinstance(value, Sequence):
        for index, inner in enumerate(value):
            yield from _texts(f"{name}[{index}]", inner, depth + 1)
