"""`Hedging`: remove hedges from the claims of a paper, or add them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Literal

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection
from revkit.dataclass import dataclass
from revkit.model.records import Expectation
from revkit.model.structure import Part
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.hedge_lexicon import count_hedges
from revkit_robustrev.parser_use import ParserUse, parser_problems, used_parser
from revkit_robustrev.prose import refuse_other_language

Direction = Literal["remove", "add"]


@dataclass(frozen=True)
class HedgeOptions(Perturbation):
    """What the families of hedges share: what to do with hedges, and to how many sentences."""

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    mode: Literal["remove", "add", "either"] = option(
        "either",
        help="What to do with hedges; either: drawn for each paper, and the other one where the"
        " drawn one changes nothing.",
    )
    share: float = option(
        1.0, help="Share of the sentences that can be edited that are.", minimum=0, maximum=1
    )

    def directions(self, rng: Random) -> list[Direction]:
        """What to try, in order."""
        directions: list[Direction] = ["remove", "add"]
        if self.mode != "either":
            return [self.mode]
        rng.shuffle(directions)
        return directions

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return "remove" or "add", which every edit of a variant has as its kind."""
        return edits[0].kind if edits else ""


@dataclass(frozen=True)
class Hedging(HedgeOptions):
    """Removes or adds hedges, words such as "may" and "suggest" that weaken a statement.

    ROBUST-REV, section 3, family 3. The result is grammatical.

    Remove: "may improve" becomes "improves" with the number of its subject, or "can improve" where
    the number is not clear or a case is meant, and "will improve" where it is to come; "could"
    becomes "is" of a cause and "can" of an effect; "may not cover" becomes "do not always cover";
    "appears to be" becomes "is", "possibly" goes with its commas, "It is likely that X" becomes
    "X". Add: "can lead to" becomes "may lead to", "this is due to" becomes "this is likely due to",
    "the results show that" becomes "the results suggest that", "this is the first study" becomes
    "to our knowledge, this is the first study".
    ``hedge-edits.tsv`` in this package lists every form, its class and its treatment.

    Where the words around a hedge leave its grammar in doubt, a hedge is removed by the dependency
    parse of its sentence: it shows the subject and its number, the verb, and whether the clause is
    a condition. This needs the extra ``parser``: ``auto`` uses it where it is installed,
    ``required`` refuses to run without it, ``never`` removes fewer hedges. The check ``parser`` of
    each variant records which it was. Adding hedges needs no parse.

    Left alone are questions, quotations, examples, protected spans, names and months; "could" of an
    ability, of the past or of what is imagined; permissions, conditions, hopes; theorems and their
    surroundings, mathematics, definitions and what is said to be certain; the design and the intent
    of the paper; and every place whose grammar is in doubt: a missed edit costs little, a false one
    spoils the pair. Statements of the world take a hedge only in sections that speak of the world
    (introduction, related work, discussion, conclusion): elsewhere they are measured or designed.
    Causes take one where results are discussed, and what the work is good for in its first and
    last sections. What a citation supports, what other authors found, what the study measured and
    what a field knows take none.
    Removing takes every hedge that it can from a sentence, but none beside a doubt that stays in
    the same clause; adding puts one into it.
    """

    name: ClassVar[str] = "hedging"
    version: ClassVar[str] = "13"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "hedge-edits.tsv",
        "substitutions.tsv",
        "revkit.english:hedges.tsv",
        "revkit.english:negations.tsv",
    )

    parser: ParserUse = option(
        "auto",
        help="Whether hedges are also removed by a parse (extra 'parser').",
        later=True,
    )

    def identity(self) -> Json:
        """The options, and what decides the parses."""
        return {**options_of(self), "parser": used_parser(self.parser)}

    def ready(self) -> list[str]:
        """The remedy where the parser is required and not installed."""
        return parser_problems(self.parser)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of the sentences drawn, or why there are none."""
        if refusal := refuse_other_language(paper):
            return refusal
        directions = self.directions(ctx.rng)
        for direction in directions:
            edits = self._edits(paper, direction, ctx.rng)
            if edits:
                return edits
        return Rejection(f"nothing to edit ({', '.join(directions)})")

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """The number of hedges moved the right way; numbers and citations are as before."""
        changed, _ = changed_sentences(paper, edits)
        added = sum(count_hedges(run.new) - count_hedges(run.old) for run in changed)
        adding = self.direction(paper, edits) == "add"
        name, value = ("hedges-added", added) if adding else ("hedges-removed", -added)
        parser = used_parser(self.parser)
        detail = parser or "hedges are removed by words alone"
        return [
            Check(name, float(value), 1.0, value >= 1, "count"),
            *unchanged_checks(paper, edits),
            Check("parser", float(parser is not None), None, True, "used", detail),
        ]

    def _edits(self, paper: Paper, direction: Direction, rng: Random) -> list[Edit]:
        from revkit_robustrev.hedge_sentences import hedge_edits  # with all patterns

        found = hedge_edits(paper, direction, rng, parser=used_parser(self.parser) is not None)
        wanted = round(self.share * len(found))
        if wanted < len(found):
            found = [found[index] for index in sorted(rng.sample(range(len(found)), wanted))]
        return [replace(edit, kind=direction) for edits in found for edit in edits]
