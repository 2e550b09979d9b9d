"""`Paraphrase`: sentences reworded by a table of substitutions that keep meaning and grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from revkit import Check, Context, Edit, Paper, Perturbation, Rejection, Sentence, option
from revkit.model.structure import Part
from revkit_robustrev.articles import repaired
from revkit_robustrev.changed_sentences import unchanged_checks
from revkit_robustrev.guards import Side, side_after, side_before
from revkit_robustrev.prose import Prose
from revkit_robustrev.substitutions import SubstitutionRule, substitutions


@dataclass(frozen=True)
class Paraphrase(Perturbation):
    """Reword a paper sentence by sentence without a model (ROBUST-REV, section 3, family 1).

    A hand-checked table of academic substitutions ("show"/"demonstrate", "in order to"/"to",
    "therefore, we"/"we therefore") is applied where the words around a form leave no doubt about
    its reading. Inflection, capitals and "a"/"an" follow. Left alone are protected spans (numbers,
    citations, mathematics, links), quotations, names, emphasised words, headings and every block
    that is not prose; no rule adds or removes a negation, a comparison or a hedge.

    Whether the meaning stayed within a bound is for a constraint to judge: set ``same-meaning``
    with ``keep-if``. Sentences, places and alternatives are drawn from ``ctx.rng``.
    """

    needs: ClassVar[tuple[Part, ...]] = ("headings", "references")
    name: ClassVar[str] = "paraphrase"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("substitutions.tsv",)

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
            if edit and all(_apart(edit, other) for other in edits):
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
        return _edit(text, sentence, start, old, rule, before, after)


# Pairs of words that no edit may bring together; the same word twice is refused for any word.
_PAIRS = frozenset(
    (first, second)
    for firsts, seconds in (
        ("a an the", "a an the this these that our its their"),
        ("is are was were be", "is are was were be has have consists consist comprises comprise"),
        ("is are was were be", "resembles resemble differs differ leads lead results uses"),
        ("of to in on with for from by", "of to for from by"),
        ("can may will must should could would might", "can may will must should could would to"),
        ("do does did", "is are was were can will"),
        ("of to", "because since"),
        ("also", "additionally"),
        ("more most", "more most"),
        ("not", "not"),
    )
    for first in firsts.split()
    for second in seconds.split()
)
_CLAUSE = re.compile(
    r"[^,.;:]{2,80}?[ \n](?:is|are|was|were|has|have|can|does|do|will|gains?|achieves?|improves?"
    r"|outperforms?|performs?|reduces?|increases?|decreases?|converges?|yields?|obtains?)[ \n]"
)


def _clashes(before: Side, after: Side, new: str) -> bool:
    """Whether an edit doubles a word, or joins words that do not go together.

    That happens where the author's own words are wrong: "despite of", "is consists of".
    """
    words = new.lower().split()
    return _clash(before.word, words[0]) or _clash(words[-1], after.word)


def _apart(edit: Edit, other: Edit) -> bool:
    """Whether two edits do not overlap, and do not clash where they are side by side."""
    first, second = sorted((edit, other))
    if first.end > second.start or first.start == second.start:
        return False
    beside = second.start - first.end <= 1
    return not beside or not _clash(first.new.lower().split()[-1], second.new.lower().split()[0])


def _clash(first: str, second: str) -> bool:
    return first == second or (first, second) in _PAIRS


def _edit(
    text: str,
    sentence: Sentence,
    start: int,
    old: str,
    rule: SubstitutionRule,
    before: Side,
    after: Side,
) -> Edit | None:
    new = rule.new[0].upper() + rule.new[1:] if old[0].isupper() else rule.new
    if "also" in new.split() and " also " in text[sentence.start : sentence.end]:
        return None
    place = repaired(text, sentence.start, start, old, new)
    if place is None or _clashes(before, after, new):
        return None
    if rule.new.startswith("present") and _CLAUSE.match(text, start + len(old), sentence.end):
        return None  # "Table 3 shows our model gains ...": a clause without "that"
    return Edit(place[0], start + len(old), place[1], f"{rule.old} -> {rule.new}")
