"""`Paraphrase`: sentences reworded by a table of substitutions and restructured on their parse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection
from revkit.dataclass import dataclass
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.parser_use import ParserUse, parser_problems, used_parser
from revkit_robustrev.prose import refuse_other_language
from revkit_robustrev.rule_shares import OPERATION, dosed, limited, spaced, words_changed


@dataclass(frozen=True)
class Paraphrase(Perturbation):
    """Rewords a paper sentence by sentence, by rules and without a model.

    ROBUST-REV, section 3, family 1.

    Two kinds of rules are applied where the words around a place leave no doubt about its reading.
    A hand-checked table of academic substitutions ("show"/"demonstrate", "in order to"/"to")
    changes words; inflection, capitals and "a"/"an" follow. An abbreviation that the paper
    introduces is written out, or its long form abbreviated. Operations on the dependency parse
    restructure sentences: order of clauses, phrases and free enumerations, active and passive,
    impersonal and personal, nominal and verbal, relative clause, attribute and participle, split
    and join. Of two that exclude one another the larger is applied. They need the extra
    ``parser``: ``auto`` uses it where it is installed, ``required`` refuses to run without it,
    ``never`` uses the table alone. The check ``parser`` of each variant records which it was.

    Left alone are protected spans (numbers, citations, mathematics, links), quotations, names,
    emphasised words, headings and every block that is not prose; no rule adds or removes a
    negation, a comparison or a hedge. No rule makes more than ``rule-share`` of a paper's edits, so
    that the family does not measure the reaction to one word.

    In a reading of whole variants, half of them had an edit that looked spoilt, so the family
    declares that a fair score may get lower. Whether the meaning stayed is for constraints to
    judge: set ``same-claim`` and ``same-meaning`` with ``keep-if``. Sentences, places and
    alternatives are drawn from ``ctx.rng``.
    """

    name: ClassVar[str] = "paraphrase"
    version: ClassVar[str] = "15"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = ("abbreviations.tsv", "substitutions.tsv")

    share: float = option(
        1.0, help="Share of the sentences that can be reworded that are.", minimum=0, maximum=1
    )
    dose: float | None = option(
        None,
        help="The share of the paper's words to change, about: sentences are drawn until it is "
        "reached (null: as many as the rules allow).",
        minimum=0,
        maximum=1,
    )
    substitutions: int = option(
        6,
        help="The most substitutions in one sentence; more of them move its meaning further.",
        minimum=1,
    )
    restructurings: int = option(
        6, help="The most operations that restructure one sentence; 0: the table alone.", minimum=0
    )
    parser: ParserUse = option(
        "auto", help="Whether sentences are restructured on a parse (extra 'parser')."
    )
    rule_share: float = option(
        0.03,
        help="The most that one rule may make of a paper's edits; two edits a rule are always "
        "allowed.",
        minimum=0,
        maximum=1,
    )
    max_sentences: int | None = option(
        None, help="The most sentences to reword in one paper (null: no limit).", minimum=1
    )

    def identity(self) -> Json:
        """The options, and what decides the parses."""
        return {**options_of(self), "parser": used_parser(self._use)}

    def ready(self) -> list[str]:
        """The remedy where the parser is required and not installed."""
        return parser_problems(self.parser)

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of each sentence drawn, or why there are none."""
        from revkit_robustrev.rewording import Rewording  # with all patterns

        if refusal := refuse_other_language(paper):
            return refusal
        restructurings = self.restructurings if used_parser(self._use) else None
        reworded = Rewording(paper, self.substitutions, restructurings, ctx.rng).changes()
        places = sorted({change.sentence for change in reworded})
        wanted = round(self.share * len(places))
        if self.max_sentences is not None:
            wanted = min(wanted, self.max_sentences)
        if wanted < len(places):
            drawn = set(ctx.rng.sample(places, wanted))
            reworded = [change for change in reworded if change.sentence in drawn]
        if not reworded:
            return Rejection("no sentence holds a form of the table in a context that allows it")
        kept = limited(spaced(reworded), self.rule_share, ctx.rng)
        if self.dose is not None:
            kept = dosed(paper, kept, self.dose, ctx.rng)
        return [edit for change in kept for edit in change.edits]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Numbers and citations are as before; at least one sentence is reworded. Recorded are the
        share of words changed, of changed sentences that are restructured, and the parser."""
        changed, _ = changed_sentences(paper, edits)
        restructured = sum(any(e.kind == OPERATION for e in run.edits) for run in changed)
        words = sum(words_changed(run.old, run.new) for run in changed)
        parser = used_parser(self._use)
        detail = parser or "sentences are not restructured"
        return [
            *unchanged_checks(paper, edits),
            Check("words-changed", words / max(paper.words, 1), None, True, "share"),
            Check("restructured", restructured / max(len(changed), 1), None, True, "share"),
            Check("parser", float(parser is not None), None, True, "used", detail),
        ]

    @property
    def _use(self) -> ParserUse:
        return "never" if self.restructurings == 0 else self.parser
