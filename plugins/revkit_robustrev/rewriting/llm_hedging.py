"""`LlmHedging`: a model removes hedges from the claims of a paper, or adds them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from revkit.contracts import Context
from revkit.model import Check, Edit, Paper, Rejection, Sentence
from revkit.model.records import Expectation
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import changed_sentences
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_lexicon import count_hedges, lexicon
from revkit_robustrev.hedge_limits import OwnClaims, in_parentheses, supposed
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_sentences import takes_no_hedge
from revkit_robustrev.hedging import Direction, HedgeOptions, Hedging
from revkit_robustrev.rewriting.asking import ask, passages
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    content_fault,
    foreign,
    form_fault,
    markup_fault,
    shape_fault,
)
from revkit_robustrev.rewriting.generator import (
    Generator,
    edits_of,
    edits_within,
    kept_checks,
    rewritable,
)

_MOST_ADDED = 2  # hedges that may come into one sentence
_REQUESTS: Mapping[Direction, str] = {
    "remove": "Take the hedges out of the sentences with these numbers:",
    "add": "Put one hedge into each of the sentences with these numbers:",
}
_COMMON = (
    "Change nothing else: all other words stay as they are and in their order, save for the form "
    "of the verb that the change asks for. Keep every number, name, formula, citation mark and "
    "quotation as it is written. A sentence in which this cannot be done well, or in which the "
    "word is no hedge of a claim (a permission, a condition, an ability, a definition), comes "
    "back as it was."
)
_INSTRUCTIONS: Mapping[Direction, str] = {
    "remove": "You take hedges out of claims in scientific papers, so that they are stated "
    'plainly: "may improve" becomes "improves", "appears to be" becomes "is", "suggests that" '
    'becomes "shows that", "possibly" goes. ' + _COMMON,
    "add": "You put hedges into claims in scientific papers, so that they are stated with less "
    'certainty: "improves" becomes "may improve", "is" becomes "appears to be", "shows that" '
    'becomes "suggests that". Use one of: may, might, could, appears to, seems to, tends to, '
    "possibly, perhaps, likely, suggests that, indicates that. " + _COMMON,
}
_NOTES: Mapping[Direction, str] = {
    "remove": "hedge removed by a model",
    "add": "hedge added by a model",
}
# What grammar asks for where a hedge comes or goes.
_GRAMMAR = words(
    "to be is are was were been am a an that it has have had do does did will would there"
)
# Forms to add a hedge to that say nothing by themselves: "most", "methods".
_NO_VERBS = ("add-tend", "add-perhaps")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True)
class LlmHedging(HedgeOptions, Generator):
    """Remove or add hedges with a language model (ROBUST-REV, section 3, family 3).

    The model is asked for sentences that state a claim of the paper in its own words: those with a
    hedge to take out, or those without one that allow one; `hedging` says what is left alone, and
    the same holds here. An answer passes where hedges of the lexicon and nothing else changed: all
    other words are the same in the same order, up to inflection and to what grammar asks for ("to",
    "be", "that"); numbers, citations, formulas, negations and comparisons too. A sentence that the
    model gives back unchanged was judged to hold no hedge of a claim, and stays. What does not pass
    is asked for again with its fault, up to ``attempts``; where nothing passes the paper is
    rejected, with the faults counted.
    """

    name: ClassVar[str] = "llm-hedging"
    version: ClassVar[str] = "3"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:*.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of the sentences that passed, or why there are none."""
        reasons = []
        for direction in self.directions(ctx.rng):
            found = claims_for(paper, direction)
            wanted = round(self.share * len(found))
            if not wanted:
                reasons.append(f"{direction}: nothing to edit")
                continue
            drawn = sorted(ctx.rng.sample(found, wanted))
            edits, message = self._edits(paper, direction, drawn, ctx)
            if edits:
                return [replace(edit, kind=direction) for edit in edits]
            reasons.append(f"{direction}: {message}")
        return Rejection("; ".join(reasons))

    def _edits(
        self, paper: Paper, direction: Direction, drawn: Sequence[int], ctx: Context
    ) -> tuple[list[Edit], str]:
        asking = self.asking(_INSTRUCTIONS[direction], _REQUESTS[direction], ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)

        def judge(said: Mapping[int, str]) -> Mapping[int, Fault]:
            faults = {}
            for index, new in said.items():
                sentence = paper.sentences[index]
                old = one_line(paper.text[sentence.start : sentence.end])
                fault = None if new == old else hedging_fault(sheet, old, new, direction)
                if fault is None and edits_within(paper, index, new, 1, "") is None:
                    fault = Fault("marks changed", "marks must stay as they are")
                if fault is not None:
                    faults[index] = fault
            return faults

        answers = ask(paper, passages(paper, drawn), asking, judge, ctx)
        edits = edits_of(paper, answers, _NOTES[direction])
        same = len(answers.accepted)
        message = [f"unchanged {same}"] if same else []
        message += [answers.reasons()] if answers.faults else []
        return edits, f"none of {len(drawn)} sentences changed: {', '.join(message)}"

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the offline family checks, and that nothing but hedges changed."""
        changed, _ = changed_sentences(paper, edits)
        other = sum(_rest(run.old) != _rest(run.new) for run in changed)
        return [
            *Hedging(mode=self.mode).gates(paper, edits, ctx),
            *kept_checks(paper, edits, ctx, hedges=False),
            Check("other-words-changed", float(other), 0.0, other == 0, "sentences"),
        ]


def claims_for(paper: Paper, direction: Direction) -> list[int]:
    """The sentences to ask for: claims with a hedge to take out, or such that can take one."""
    own = OwnClaims(paper)
    return [
        index
        for index in rewritable(paper)
        if own.holds(paper.sentences[index])
        and _fits(paper.text, paper.sentences[index], direction)
    ]


def _fits(text: str, sentence: Sentence, direction: Direction) -> bool:
    low, high = sentence.start, sentence.end
    if direction == "add":
        return not takes_no_hedge(text, sentence) and any(
            lexicon().addition[hit[0].lower().replace("\n", " ")].action not in _NO_VERBS
            for hit in lexicon().addition_pattern.finditer(text, low, high)
        )
    for hit in lexicon().removal_pattern.finditer(text, low, high):
        hedge = lexicon().removal[hit[0].lower().replace("\n", " ")]
        place = HedgePlace(text, low, high, *hit.span(), hedge)
        if not supposed(place) and not in_parentheses(place):
            return True
    return False


def hedging_fault(sheet: Sheet, old: str, new: str, direction: Direction) -> Fault | None:
    """What is wrong with ``new`` as ``old`` with fewer or more hedges; both on one line."""
    fault = (
        form_fault(sheet, new)
        or shape_fault(old, new)
        or content_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
    )
    if fault is not None:
        return fault
    if _rest(old) != _rest(new):
        return Fault("other words changed", "words that are no hedges changed, came or went")
    moved = count_hedges(new) - count_hedges(old)
    if direction == "remove" and moved >= 0:
        return Fault("no hedge removed", "no hedge was taken out")
    if direction == "add" and not 1 <= moved <= _MOST_ADDED:
        return Fault("no hedge added", "one hedge of the list must come into the sentence")
    return None


@lru_cache(maxsize=1)
def _plain_forms() -> re.Pattern[str]:
    """The forms that are in the place of a hedge without one: "shows that", "will"."""
    found = set()
    for row in lexicon().removal.values():
        if row.action.startswith("replace"):
            found.update(row.new.split("/"))
    for row in lexicon().addition.values():
        if row.action in ("add-report", "add-implied", "add-likely", "add-will"):
            found.add(row.form)
    listed = "|".join(re.escape(form) for form in sorted(found, key=lambda f: (-len(f), f)))
    return re.compile(rf"(?<![\w-])(?:{listed})(?![\w-])")


def _rest(text: str) -> list[str]:
    """What is left of a sentence without hedges, inflection and words of grammar, in order."""
    start = text[:1].lower() + text[1:]
    bare = _plain_forms().sub(" ", lexicon().counting_pattern.sub(" ", start))
    return [_stem(word) for word in _WORD.findall(bare.lower()) if word not in _GRAMMAR]


def _stem(word: str) -> str:
    """The word without its commonest endings; both sides lose the same, so it only has to be
    the same for the forms of one verb."""
    for ending in ("ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    word = word[:-1] if len(word) > 3 and word[-1] == "i" else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
