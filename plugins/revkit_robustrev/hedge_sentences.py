"""The edits of hedges that each sentence of a paper takes, and those that it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from revkit import Edit, Paper, Sentence
from revkit.grammar import parsed
from revkit.model.edits import apply_edits
from revkit_robustrev.hedge_addition import add_hedge
from revkit_robustrev.hedge_lexicon import Hedge, lexicon
from revkit_robustrev.hedge_limits import OwnClaims, beyond_doubt, left_open
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_removal import needs_parse, remove_hedge, remove_on_parse
from revkit_robustrev.prose import Prose

if TYPE_CHECKING:
    from revkit_robustrev.hedging import Direction


def hedge_edits(
    paper: Paper, direction: Direction, rng: Random, *, parser: bool = False
) -> list[list[Edit]]:
    """Return the edits of each sentence that can be edited in ``direction``, in order.

    With ``parser``, hedges that the words alone leave in doubt are removed by the parse.
    """
    prose, own = Prose(paper), OwnClaims(paper)
    if direction == "remove":
        return _removals(prose, own, parser)
    found: list[list[Edit]] = []
    added = ""  # how the sentence before was hedged: the same twice in a row is noticed
    for sentence in paper.sentences:
        edits = _addition(prose, own, sentence, rng)
        if edits and edits[0].note == added:
            edits = []
        added = edits[0].note if edits else ""
        if edits:
            found.append(edits)
    return found


def _hits(prose: Prose, sentence: Sentence, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """The forms of ``pattern`` in a sentence that may be edited and asks nothing."""
    hits = list(pattern.finditer(prose.text, sentence.start, sentence.end))
    asks = "?" in prose.text[sentence.end - 3 : sentence.end]
    return [] if not hits or asks or not prose.editable(sentence) else hits


def _place(prose: Prose, sentence: Sentence, hit: re.Match[str], hedge: Hedge) -> HedgePlace:
    return HedgePlace(prose.text, sentence.start, sentence.end, *hit.span(), hedge)


def _row(rows: Mapping[str, Hedge], hit: re.Match[str]) -> Hedge:
    return rows[hit[0].lower().replace("\n", " ")]


def _removals(prose: Prose, own: OwnClaims, parser: bool) -> list[list[Edit]]:
    words = lexicon()
    places: dict[Sentence, list[tuple[HedgePlace, Edit | None]]] = {}
    for sentence in prose.paper.sentences:
        hits = _hits(prose, sentence, words.removal_pattern)
        if hits and own.removable(sentence):
            found = [_place(prose, sentence, hit, _row(words.removal, hit)) for hit in hits]
            places[sentence] = [(place, remove_hedge(place)) for place in found]
    doubtful = [
        sentence
        for sentence, found in places.items()
        if any(edit is None and needs_parse(place) for place, edit in found)
    ]
    if parser and doubtful:
        parses = parsed([prose.masked(sentence) for sentence in doubtful])
        for sentence, parse in zip(doubtful, parses, strict=True):
            if len(parse.tokens) <= _LONGEST:
                places[sentence] = [
                    (place, edit or remove_on_parse(place, parse))
                    for place, edit in places[sentence]
                ]
    edited = (_removal(prose, sentence, found) for sentence, found in places.items())
    return [edits for edits in edited if edits]


_LONGEST = 90  # tokens; parses of longer sentences are wrong too often


def _removal(
    prose: Prose, sentence: Sentence, found: Sequence[tuple[HedgePlace, Edit | None]]
) -> list[Edit]:
    edits: list[Edit] = []
    outer: list[Edit] = []
    for place, edit in found:
        if edit is None or prose.blocked(sentence, edit.start, max(edit.end, place.end)):
            continue
        if _are_apart(edit, edits):
            edits.append(edit)
            if place.hedge.action in _OUTER:
                outer.append(edit)
    edits = _apart_from_doubts(prose.text, sentence, edits, outer)
    edits = _within_a_guess(prose.text, sentence, edits)
    return [] if not edits or _stressed(prose, sentence, edits) else sorted(edits)


def _are_apart(edit: Edit, edits: Sequence[Edit]) -> bool:
    return all(edit.end <= other.start or edit.start >= other.end for other in edits)


def _addition(prose: Prose, own: OwnClaims, sentence: Sentence, rng: Random) -> list[Edit]:
    words = lexicon()
    hits = _hits(prose, sentence, words.addition_pattern)
    rng.shuffle(hits)
    section = prose.paper.blocks[sentence.block].section
    for hit in hits:
        hedge = _row(words.addition, hit)
        if "/" in hedge.new:
            hedge = replace(hedge, new=rng.choice(hedge.new.split("/")))
        edit = add_hedge(_place(prose, sentence, hit, hedge), section)
        if edit is None or prose.blocked(sentence, edit.start, max(edit.end, hit.end())):
            continue
        takes = own.holds(sentence) and not takes_no_hedge(prose.text, sentence)
        return [edit] if takes else []
    return []


# A doubt that stays beside one that went: "and might make", "perhaps".
_DOUBT = re.compile(r"\b(?:may|might|perhaps|possibly|probably|presumably)\b")


_SURE = re.compile(r"\b(?:certainly|definitely|surely|undoubtedly|no doubt)\b", re.IGNORECASE)


# Between two of these, a doubt that stays and one that goes are in separate clauses.
_CLAUSE_BREAK = re.compile(
    r"[;:]|,[ \n](?:and|but|which|while|whereas|although|though|suggesting|indicating|because|so"
    r"|since|where)\b|\b(?:that|because|whereas|although)\b"
)
# What can be so is not doubted as such: a comma is enough.
_PHRASE_BREAK = re.compile(r"[,()—]|[ \n](?:when|while|if|even)[ \n]")
_GUESSED = re.compile(r"\b(?:may|might|could(?! (?:not )?be (?:observed|found|seen|detected)))\b")
_SHOWING = ("showing", "demonstrating", "clearly showing")  # what is guessed shows nothing
_JOINED = re.compile(r"\b(?:and|or|but)[ \n]\Z")
_OUTER = ("replace-report", "drop-clause")


def _apart_from_doubts(
    text: str, sentence: Sentence, edits: Sequence[Edit], outer: Sequence[Edit]
) -> list[Edit]:
    """The edits beside which no doubt stays in the same clause.

    An ``outer`` hedge may go while the clause that it introduces keeps its own.
    """
    doubts = [
        match.start()
        for match in _DOUBT.finditer(text, sentence.start, sentence.end)
        if not any(edit.start <= match.start() < edit.end for edit in edits)
    ]
    guesses = [
        match.start()
        for match in _GUESSED.finditer(text, sentence.start, sentence.end)
        if not any(edit.start <= match.start() < edit.end for edit in edits)
    ]
    return [
        edit
        for edit in edits
        if not (edit.new.startswith(_SHOWING) and _about_a_guess(text, edit, guesses))
        and all(
            (edit in outer and edit.end <= doubt) or _apart(text, edit, doubt) for doubt in doubts
        )
    ]


def _about_a_guess(text: str, edit: Edit, guesses: Sequence[int]) -> bool:
    """Whether a guess is before the edit, or in the clause that it introduces."""
    return any(
        guess < edit.start
        or not (text[guess] == "c" or _CLAUSE_BREAK.search(text, edit.end, guess))
        for guess in guesses
    )


_WHICH = re.compile(r",[ \n]which[ \n]\Z")


def _apart(text: str, edit: Edit, doubt: int) -> bool:
    if _JOINED.search(text, max(0, doubt - 5), doubt):
        return False
    low, high = (edit.end, doubt) if edit.end <= doubt else (doubt, edit.start)
    if doubt < edit.start and _WHICH.search(text, low, high):
        return False  # "they may tire, which may lower it": an effect of what is doubted
    able = edit.new == "can" and _PHRASE_BREAK.search(text, low, high) is not None
    return able or _CLAUSE_BREAK.search(text, low, high) is not None


# A guess that is named as one keeps its name; what is guessed can be stated outright.
_GUESS = re.compile(
    r"\b(?:[Ww]e|[Tt]hey|[Aa]uthors|[Ii]t (?:is|was|has been|can be)) (?:therefore |thus |also )?"
    r"(?:hypothesi[sz]ed?|conjectured?|speculated?|proposed?|postulated?|suspect(?:ed)?) that\b"
)


def _within_a_guess(text: str, sentence: Sentence, edits: Sequence[Edit]) -> list[Edit]:
    """The edits that a sentence which says that its matter is open still takes."""
    low, high = sentence.start, sentence.end
    if not left_open(text, low, high):
        return list(edits)
    guess = _GUESS.search(text, low, high)
    if guess is None or left_open(text, low, guess.start()) or left_open(text, guess.end(), high):
        return []
    return [edit for edit in edits if edit.start > guess.end()]


def _stressed(prose: Prose, sentence: Sentence, edits: Sequence[Edit]) -> bool:
    """Whether the sentence says how sure another part of it is.

    "Perhaps critical and certainly useful": the one is said against the other.
    """
    low = sentence.start
    moved = [replace(edit, start=edit.start - low, end=edit.end - low) for edit in edits]
    return _SURE.search(apply_edits(prose.text[low : sentence.end], moved)) is not None


def takes_no_hedge(text: str, sentence: Sentence) -> bool:
    """Whether a sentence takes no hedge: it has one, allows none, or leads to a list or formula."""
    low, high = sentence.start, sentence.end
    return (
        text[low:high].rstrip().endswith((":", "!"))
        or lexicon().counting_pattern.search(text, low, high) is not None
        or beyond_doubt(text, low, high)
    )
