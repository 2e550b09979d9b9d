"""`LlmHedging`: a model removes hedges from the claims of a paper, or adds them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection, Sentence
from revkit.model.records import Expectation
from revkit.options import option
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import changed_sentences
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_lexicon import count_hedges, lexicon
from revkit_robustrev.hedge_limits import OwnClaims, in_parentheses, supposed
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.hedge_sentences import takes_no_hedge
from revkit_robustrev.hedging import Direction, HedgeOptions, Hedging
from revkit_robustrev.prose import refuse_other_language
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
# Version 1 stays byte for byte, for replies that are stored under it.
_FIRST_INSTRUCTIONS: Mapping[Direction, str] = {
    "remove": "You take hedges out of claims in scientific papers, so that they are stated "
    'plainly: "may improve" becomes "improves", "appears to be" becomes "is", "suggests that" '
    'becomes "shows that", "possibly" goes. ' + _COMMON,
    "add": "You put hedges into claims in scientific papers, so that they are stated with less "
    'certainty: "improves" becomes "may improve", "is" becomes "appears to be", "shows that" '
    'becomes "suggests that". Use one of: may, might, could, appears to, seems to, tends to, '
    "possibly, perhaps, likely, suggests that, indicates that. " + _COMMON,
}
_KEEP = (
    "Change nothing else: all other words stay as they are and in their order, except for the form "
    "of the verb, and small words that grammar then needs (is, are, do, does, that, to, will, can, "
    "and a or an). Keep every number, name, formula, citation mark and quotation as it is written. "
    "The result must be a sentence that an author would write in this place. "
)
_INSTRUCTIONS: Mapping[Direction, str] = {
    "remove": "You take hedges out of claims in scientific papers, so that the claims are made "
    'without reserve. "may improve" becomes "improves", or "can improve" where it happens only in '
    'some cases; "could be due to" becomes "is due to"; "appears to be" becomes "is"; "suggests '
    'that" becomes "shows that"; "is likely to" becomes "will" or goes; "possibly", "perhaps", '
    '"probably", "potentially", "we believe that", "we hypothesize that", "it is possible that" '
    'and "to our knowledge" go, with their commas; "one possible reason is" becomes "one reason '
    'is". Take every hedge of a claim out of the sentence, and make each verb agree with its '
    "subject. " + _KEEP + "A word that hedges no claim stays: an ability in the past (could not "
    "be trained), a permission or a free choice (one may use), a condition or a question (if it "
    "may, whether it might), a hope or a plan, a proposal (we suggest to), a probability in the "
    "technical sense (maximum likelihood, the most likely class), or one half of a contrast (may "
    "seem simple, but). A sentence without any other hedge, or in which the change would be wrong "
    "or awkward, comes back exactly as it was.",
    "add": "You put hedges into claims in scientific papers, so that they are made with more "
    'reserve. "improves" becomes "may improve"; "is" becomes "appears to be" or "is likely"; '
    '"can" becomes "may" or "might"; "shows that" becomes "suggests that"; "because of" becomes '
    '"possibly because of"; "to our knowledge" can begin a claim to be first. Use one of: may, '
    "might, could, appears to, seems to, tends to, possibly, perhaps, probably, likely, suggests "
    "that, indicates that, to our knowledge: the one that an author would choose here. "
    + _KEEP
    + "Hedge only a claim that an author could doubt: an effect, a cause, an explanation, an "
    "advantage, a generalization, what a result means. What the authors did, chose or measured, "
    "how a method works by its design, definitions, mathematics, established knowledge, what "
    "other authors reported, and what the paper contains are not to be doubted: such a sentence "
    "comes back exactly as it was, and so does one that is hedged already or would become awkward.",
}
_NOTES: Mapping[Direction, str] = {
    "remove": "hedge removed by a model",
    "add": "hedge added by a model",
}
# What grammar asks for where a hedge comes or goes.
_GRAMMAR = words(
    "to be is are was were been am a an that it has have had do does did will would there"
)
# What beside it may come in an answer to the present instructions.
_FREE_GRAMMAR = _GRAMMAR | words("can could one")
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
    version: ClassVar[str] = "4"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:*.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
    )

    prompt_version: Literal[1, 2] = option(
        2,
        later=True,
        help="Which of the built-in instructions and rules: 2 asks for every sentence with a "
        "hedge, and allows can; 1 asks for the hedges that hedging removes.",
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of the sentences that passed, or why there are none."""
        if refusal := refuse_other_language(paper):
            return refusal
        reasons = []
        for direction in self.directions(ctx.rng):
            found = claims_for(paper, direction, all_hedges=self.prompt_version > 1)
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
        instructions = _FIRST_INSTRUCTIONS if self.prompt_version == 1 else _INSTRUCTIONS
        asking = self.asking(instructions[direction], _REQUESTS[direction], ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)

        def judge(said: Mapping[int, str]) -> Mapping[int, Fault]:
            faults = {}
            for index, new in said.items():
                sentence = paper.sentences[index]
                old = one_line(paper.text[sentence.start : sentence.end])
                fault = (
                    None
                    if new == old
                    else hedging_fault(sheet, old, new, direction, free=self.prompt_version > 1)
                )
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
        free = self.prompt_version > 1
        other = sum(_rest(run.old, free) != _rest(run.new, free) for run in changed)
        return [
            *Hedging(mode=self.mode).gates(paper, edits, ctx),
            *kept_checks(paper, edits, ctx, hedges=False),
            Check("other-words-changed", float(other), 0.0, other == 0, "sentences"),
        ]


def claims_for(paper: Paper, direction: Direction, *, all_hedges: bool = False) -> list[int]:
    """The sentences to ask for: claims with a hedge to take out, or such that can take one.

    ``all_hedges`` includes those that `hedging` counts and cannot remove; the model judges them.
    """
    own = OwnClaims(paper)
    return [
        index
        for index in rewritable(paper)
        if own.holds(paper.sentences[index])
        and _fits(paper.text, paper.sentences[index], direction, all_hedges)
    ]


def _fits(text: str, sentence: Sentence, direction: Direction, all_hedges: bool) -> bool:
    low, high = sentence.start, sentence.end
    if all_hedges and direction == "remove":
        return count_hedges(text[low:high]) > 0
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


def hedging_fault(
    sheet: Sheet, old: str, new: str, direction: Direction, *, free: bool = False
) -> Fault | None:
    """What is wrong with ``new`` as ``old`` with fewer or more hedges; both on one line.

    ``free`` allows "can" to come or go.
    """
    fault = (
        form_fault(sheet, new)
        or shape_fault(old, new)
        or content_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
    )
    if fault is not None:
        return fault
    if _rest(old, free) != _rest(new, free):
        return Fault("other words changed", "words that are no hedges changed, came or went")
    moved = count_hedges(new) - count_hedges(old)
    if direction == "remove" and moved >= 0:
        return Fault("no hedge removed", "no hedge was taken out")
    if direction == "add" and not 1 <= moved <= _MOST_ADDED:
        return Fault("no hedge added", "one hedge of the list must come into the sentence")
    return None


@lru_cache(maxsize=1)
def _plain_forms() -> re.Pattern[str]:
    """The forms that replace a hedge: "shows that", "will"."""
    found = set()
    for row in lexicon().removal.values():
        if row.action.startswith("replace"):
            found.update(row.new.split("/"))
    for row in lexicon().addition.values():
        if row.action in ("add-report", "add-implied", "add-likely", "add-will"):
            found.add(row.form)
    listed = "|".join(re.escape(form) for form in sorted(found, key=lambda f: (-len(f), f)))
    return re.compile(rf"(?<![\w-])(?:{listed})(?![\w-])")


def _rest(text: str, free: bool) -> list[str]:
    """What is left of a sentence without hedges, inflection and words of grammar, in order."""
    start = text[:1].lower() + text[1:]
    bare = _plain_forms().sub(" ", lexicon().counting_pattern.sub(" ", start))
    grammar = _FREE_GRAMMAR if free else _GRAMMAR
    return [_stem(word) for word in _WORD.findall(bare.lower()) if word not in grammar]


def _stem(word: str) -> str:
    """The word without its most frequent endings; both sides lose the same, so it only has to be
    the same for the forms of one verb."""
    for ending in ("ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    word = word[:-1] if len(word) > 3 and word[-1] == "i" else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
