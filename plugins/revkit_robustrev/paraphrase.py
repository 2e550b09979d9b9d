"""`Paraphrase`: sentences reworded by a table of substitutions that keep meaning and grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection, Sentence, option
from revkit_robustrev.articles import repaired
from revkit_robustrev.changed_sentences import unchanged_checks
from revkit_robustrev.guards import side_after, side_before
from revkit_robustrev.prose import Prose
from revkit_robustrev.substitutions import Rule, substitutions


@dataclass(frozen=True)
class Paraphrase(Perturbation):
    """Reword a paper sentence by sentence without a model (ROBUST-REV, section 3, family 1).

    A hand-checked table of academic substitutions ("show"/"demonstrate", "in order to"/"to",
    "therefore, we"/"we therefore") is applied where the words around a form leave no doubt about
    its reading. Inflection, capitals and "a"/"an" follow. Left alone are protected spans (numbers,
    citations, mathematics, links), quotations, names, emphasised words, headings and every block
    that is no prose; no rule adds or removes a negation, a comparison or a hedge.

    Whether the meaning stayed within a bound is for a constraint to judge: set ``same-meaning``
    with ``keep-if``. Sentences, places and alternatives are drawn from ``ctx.rng``.
    """

    name: ClassVar[str] = "paraphrase"

    share: float = option(
        1.0, help="Share of the sentences that can be reworded that are.", minimum=0, maximum=1
    )
    substitutions: int = option(
        3,
        help="The most substitutions in one sentence; more of them move its meaning further.",
        minimum=1,
    )
    max_sentences: int | None = option(
        None, help="The most sentences to reword in one paper (null: no limit).", minimum=1
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return up to ``substitutions`` edits for each sentence drawn, or why there are none."""
        prose = Prose(paper)
        reworded = [
            edits
            for sentence in paper.sentences
            if (edits := self._reword(prose, sentence, ctx.rng))
        ]
        wanted = round(self.share * len(reworded))
        if self.max_sentences is not None:
            wanted = min(wanted, self.max_sentences)
        if wanted < len(reworded):
            drawn = sorted(ctx.rng.sample(range(len(reworded)), wanted))
            reworded = [reworded[index] for index in drawn]
        if not reworded:
            return Rejection("no sentence holds a form of the table in a context that allows it")
        return [edit for edits in reworded for edit in edits]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Numbers and citations are as before; at least one sentence is reworded."""
        return unchanged_checks(paper, edits)

    def _reword(self, prose: Prose, sentence: Sentence, rng: Random) -> list[Edit]:
        pattern = substitutions().pattern
        hits = list(pattern.finditer(prose.text, sentence.start, sentence.end))
        if not hits or not prose.editable(sentence):
            return []
        rng.shuffle(hits)
        edits: list[Edit] = []
        for hit in hits:
            edit = self._replace(prose, sentence, hit, rng)
            if edit and all(edit.end <= e.start or edit.start >= e.end for e in edits):
                edits.append(edit)
                if len(edits) == self.substitutions:
                    break
        return sorted(edits)

    def _replace(
        self, prose: Prose, sentence: Sentence, hit: re.Match[str], rng: Random
    ) -> Edit | None:
        """Return the edit of one hit, by a rule drawn from those that apply; None without one."""
        text, (start, end) = prose.text, hit.span()
        old = hit[0]
        before = side_before(text, sentence.start, start)
        if old[0].isupper() and before.mark != "START":
            return None  # a name, or a word of a title
        if prose.blocked(sentence, start, end):
            return None
        rules = substitutions().rules[old.lower().replace("\n", " ").replace("’", "'")]
        after = side_after(text, end, sentence.end)
        fitting = [rule for rule in rules if rule.applies(before, after)]
        if not fitting:
            return None
        rule = fitting[0] if len(fitting) == 1 else rng.choice(fitting)
        return _edit(text, sentence, start, old, rule)


def _edit(text: str, sentence: Sentence, start: int, old: str, rule: Rule) -> Edit | None:
    new = rule.new[0].upper() + rule.new[1:] if old[0].isupper() else rule.new
    if "also" in new.split() and " also " in text[sentence.start : sentence.end]:
        return None
    place = repaired(text, sentence.start, start, old, new)
    if place is None:
        return None
    return Edit(place[0], start + len(old), place[1], f"{rule.old} -> {rule.new}")
