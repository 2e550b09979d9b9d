"""`SameClaim`: the meaning gate, which checks that each changed sentence keeps its meaning.

The distance of embeddings does not see a swapped number or "before" for "after"; the rules of
`revkit.meaning` do. They are measured on `benchmarks/meaning`, and the rates are in the docs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit import Check, Context, Edit, Paper
from revkit.dataclass import dataclass
from revkit.grammar import parsed
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_robustrev.changed_sentences import ChangedSentence, changed_sentences
from revkit_robustrev.constraints import SentenceRule
from revkit_robustrev.parser_use import ParserUse, parser_problems, used_parser


@dataclass(frozen=True)
class SameClaim(SentenceRule):
    """Requires that no rule of meaning finds a sign that a changed sentence has another meaning
    than before.

    Compared are numbers and what they belong to, names, denials, opposites ("above", "below"),
    quantities ("all", "some"), what causes, precedes or exceeds what, which words are together in
    one part of the sentence, who does what to whom, attributes of one noun, and content words that
    came or went in a small edit without a known synonym. A free rewording may use other words; it
    fails on a sign, not on a difference. An abbreviation that the paper introduces is the same as
    its long form. About a third of changes of meaning within a free rewording pass, so add
    `entailment` or `llm-entailment` for rewordings by a language model. The value is
    the number of signs over all changed sentences, the limit 0; `prune` drops the edits of one
    rule from a sentence with signs if none is left then, or else all edits of the sentence.

    Roles need the extra ``parser``: ``auto`` uses it where it is installed, ``required`` refuses to
    run without it, ``never`` compares words alone.
    """

    name: ClassVar[str] = "same-claim"
    version: ClassVar[str] = "11"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:directions.tsv",
        "revkit.english:function-words.tsv",
        "revkit.english:generic-nouns.tsv",
        "revkit.english:implicit-negations.tsv",
        "revkit.english:negative-words.tsv",
        "revkit.english:opposites.tsv",
        "revkit.english:quantities.tsv",
        "revkit.english:synonyms.tsv",
        "revkit_robustrev:abbreviations.tsv",
        "revkit_robustrev:substitutions.tsv",
    )
    unit: ClassVar[str] = "signs"

    parser: ParserUse = option(
        "auto", help="Whether roles are compared on a parse (extra 'parser')."
    )

    def identity(self) -> Json:
        """The options, and what decides the parses."""
        return {**options_of(self), "parser": used_parser(self.parser)}

    def ready(self) -> list[str]:
        """The remedy where the parser is required and not installed."""
        return parser_problems(self.parser)

    def prune(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Edit]:
        """Return the edits of sentences without signs, and those outside sentences. In a sentence
        with signs, the edits of one rule are left out if the others then give no sign."""
        changed, outside = changed_sentences(paper, edits)
        self._parse(paper, changed)
        failed = [run for run in changed if self.count(paper, run)]
        attempts = [list(_without_one_rule(paper, run)) for run in failed]
        self._parse(paper, [attempt for each in attempts for attempt in each])
        passed = [
            next((attempt for attempt in each if not self.count(paper, attempt)), None)
            for each in attempts
        ]
        kept = [run for run in changed if run not in failed]
        kept += [attempt for attempt in passed if attempt is not None]
        return sorted([*(edit for run in kept for edit in run.edits), *outside])

    def check(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Check:
        """Return how many signs there are over all changed sentences; the limit is 0."""
        self._parse(paper, changed_sentences(paper, edits)[0])
        return super().check(paper, edits, ctx)

    def count(self, paper: Paper, run: ChangedSentence) -> int:
        from revkit_robustrev.claim_signs import sign_count  # with all patterns

        return sign_count(*_compared(paper, run), self._parses())

    def _parses(self) -> bool:
        return used_parser(self.parser) is not None

    def _parse(self, paper: Paper, changed: Sequence[ChangedSentence]) -> None:
        """Parse the sentences in one call, which takes less time than one call for each."""
        if self._parses():
            texts = (text for run in changed for text in _compared(paper, run))
            parsed([" ".join(text.split()) for text in texts])


def _without_one_rule(paper: Paper, run: ChangedSentence) -> Iterator[ChangedSentence]:
    """A changed sentence without the edits of each of its rules, the shortest edits first. Edits
    of one rule have the same note."""
    by_rule: dict[str, list[Edit]] = {}
    for edit in run.edits:
        by_rule.setdefault(edit.note, []).append(edit)
    if len(by_rule) < 2:
        return
    for left_out in sorted(by_rule.values(), key=lambda made: sum(len(each.new) for each in made)):
        others = [edit for edit in run.edits if edit not in left_out]
        changed, _ = changed_sentences(paper, others)
        if len(changed) == 1:
            yield changed[0]


def _compared(paper: Paper, run: ChangedSentence) -> tuple[str, str]:
    """A sentence before and after, both with the short form of the abbreviations that differ."""
    from revkit_robustrev.abbreviations import abbreviated, changed_abbreviations  # with patterns

    known = changed_abbreviations(paper.text, run.old, run.new)
    return abbreviated(run.old, known), abbreviated(run.new, known)
