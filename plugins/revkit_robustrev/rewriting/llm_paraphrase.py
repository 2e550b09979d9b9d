"""`LlmParaphrase`: sentences reworded by a language model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, cast

from revkit.contracts import Context, ServiceName
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import (
    changed_sentences,
    citations,
    difference,
    numbers,
    unchanged_checks,
)
from revkit_robustrev.claim_signs import claim_changes
from revkit_robustrev.claims import SameClaim
from revkit_robustrev.constraints import LengthWindow, SameMeaning, SameStructure
from revkit_robustrev.hedge_lexicon import count_hedges
from revkit_robustrev.parser_use import ParserUse, parser_problems, used_parser
from revkit_robustrev.prose import refuse_other_language
from revkit_robustrev.rewriting.asking import ask, passages
from revkit_robustrev.rewriting.faults import (
    Fault,
    Sheet,
    content_fault,
    foreign,
    form_fault,
    hedges_fault,
    length_fault,
    markup_fault,
    names_fault,
    shape_fault,
)
from revkit_robustrev.rewriting.generator import (
    Generator,
    edits_of,
    edits_within,
    marks,
    rewritable,
)

_NOTE = "paraphrased by a model"
_REQUEST = "Reword the sentences with these numbers:"
# Version 1 stays byte for byte, for replies that are stored under it.
_FIRST_INSTRUCTIONS = (
    "You reword sentences of scientific papers. Each sentence must say exactly what it said, in "
    "other words and as an academic author would write it: no better, no worse, no surer and no "
    "less sure. Keep every number, name, formula, citation mark, link, quotation and cross "
    "reference as it is written and in the order in which it stands. Keep every negation, every "
    "comparison and every hedge (may, likely, suggests) as the same word. Keep the length. Add "
    "nothing, leave nothing out, and keep one sentence one sentence."
)
_INSTRUCTIONS = (
    "You reword sentences of scientific papers. Each sentence must say exactly what it said, in "
    "other words, as a careful academic author would write it: not better, not worse, and with "
    "the same certainty. Write naturally. Keep technical terms (machine translation, language "
    "modeling) and set phrases as they are; use no rare word, and do not turn a sentence around "
    "if its plain order reads better. If a sentence can be reworded only stiffly, change fewer "
    "words. Keep every number, name, formula, citation mark, link, quotation and cross reference "
    "as it is written and in the same order. Keep every negation, every comparison and every "
    "hedge (may, likely, suggests) as the same word. Keep the length: not longer. Add nothing, "
    "leave nothing out, and write exactly one sentence for each."
)


@dataclass(frozen=True)
class LlmParaphrase(Generator):
    """Reword a paper sentence by sentence with a language model (ROBUST-REV, section 3, family 1).

    The model reads a paragraph as numbered sentences, fenced as data, and rewords those asked for.
    Each answer passes the gates by itself: the same numbers, citation marks, formulas, quotations
    and cross references, in any order; no sign of another meaning (`same-claim`); as many hedges;
    about as many words; no new name; one English sentence. What does not pass is asked for again
    with its fault, and after ``attempts`` the sentence stays as it was. Where none passes, the
    paper is rejected, with the faults counted; a variant with less than ``min-share`` of its
    sentences reworded fails a gate. What cannot be asked at all (no connection, no budget) is a
    crashed variant, which the next run tries again.

    The paper's bound on the cosine distance has two readings (`same-meaning`). ``over: paper``
    holds the mean over all sentences below ``max-distance``: the most distant sentences stay as
    they were until it is met. ``over: sentence`` holds each sentence below it and asks again;
    with a MiniLM embedder it rejects about half of good rewordings.
    """

    name: ClassVar[str] = "llm-paraphrase"
    version: ClassVar[str] = "8"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "revkit.english:*.tsv",
        "revkit_robustrev:abbreviations.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm", "embedder")

    max_distance: float | None = option(
        0.05, help="The cosine distance to stay below (null: not judged).", minimum=0, maximum=2
    )
    over: Literal["sentence", "paper"] = option(
        "paper",
        help="What is held below it: each reworded sentence, or the mean over all sentences of the "
        "paper.",
    )
    parser: ParserUse = option(
        "auto", help="Whether roles are compared on a parse (extra 'parser')."
    )
    share: float = option(
        1.0, help="Share of the sentences that can be reworded that are.", minimum=0, maximum=1
    )
    max_sentences: int | None = option(
        None, help="The most sentences to reword in one paper (null: no limit).", minimum=1
    )
    min_share: float = option(
        0.3,
        help="The least share of the sentences asked for that must be reworded in the end; with "
        "fewer the variant is hardly one, and fails a gate.",
        minimum=0,
        maximum=1,
    )

    prompt_version: Literal[1, 2] = option(
        2,
        later=True,
        help="Which of the built-in instructions reword: 2 keeps technical terms and set phrases.",
    )

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of all sentences that passed, or why there are none."""
        if refusal := refuse_other_language(paper):
            return refusal
        found = rewritable(paper)
        wanted = self._wanted(len(found))
        if not wanted:
            return Rejection("no whole sentence of prose that could be reworded")
        drawn = sorted(ctx.rng.sample(found, wanted))
        instructions = _FIRST_INSTRUCTIONS if self.prompt_version == 1 else _INSTRUCTIONS
        asking = self.asking(instructions, _REQUEST, ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)

        def judge(said: Mapping[int, str]) -> Mapping[int, Fault]:
            return self._faults(paper, sheet, said, ctx)

        answers = ask(paper, passages(paper, drawn), asking, judge, ctx)
        if not answers.accepted:
            return Rejection(
                f"none of {wanted} sentences passed in {self.attempts} attempts: "
                f"{answers.reasons()}"
            )
        edits: Sequence[Edit] = edits_of(paper, answers, _NOTE, order="free")
        # A sentence reads otherwise beside a new neighbour: it is left as it was, and the others,
        # which are paid for, are kept.
        edits = self._claims.prune(paper, edits, ctx)
        return self._meaning.prune(paper, edits, ctx) if self.over == "paper" else edits

    @property
    def _claims(self) -> SameClaim:
        return SameClaim(parser=self.parser)

    @property
    def _meaning(self) -> SameMeaning:
        return SameMeaning(max_distance=self.max_distance, over=self.over)

    def identity(self) -> Json:
        """The options, the prompt's content instead of its path, and what decides parses."""
        options = super().identity()
        return {**cast(dict[str, Json], options), "parser": used_parser(self.parser)}

    def ready(self) -> list[str]:
        """The remedy where the parser is required and not installed."""
        return parser_problems(self.parser)

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the offline family checks, and all that a model could have changed beside."""
        window = LengthWindow().check(paper, edits, ctx)
        changed, _ = changed_sentences(paper, edits)
        claims = self._claims.check(paper, edits, ctx)
        structure = SameStructure().check(paper, edits, ctx).value or 0.0
        hedges = sum(abs(count_hedges(run.new) - count_hedges(run.old)) for run in changed)
        checks = [
            *unchanged_checks(paper, edits),
            claims,
            Check("structure-changed", structure, 0.0, structure == 0, "count"),
            Check("hedges-changed", float(hedges), 0.0, hedges == 0, "count"),
        ]
        checks.append(Check("length-ratio", window.value, window.limit, window.passed, "ratio"))
        if self.max_distance is not None:
            checks.append(self._meaning.check(paper, edits, ctx))
        count, wanted = sum(run.sentences for run in changed), self._wanted(len(rewritable(paper)))
        share = count / wanted if wanted else 0.0
        message = f"{count} of {wanted} sentences asked for"
        checks.append(
            Check(
                "share-reworded", share, self.min_share, share >= self.min_share, "share", message
            )
        )
        return checks

    def _wanted(self, count: int) -> int:
        wanted = round(self.share * count)
        return wanted if self.max_sentences is None else min(wanted, self.max_sentences)

    def _faults(
        self, paper: Paper, sheet: Sheet, said: Mapping[int, str], ctx: Context
    ) -> dict[int, Fault]:
        faults: dict[int, Fault] = {}
        passed: dict[int, list[Edit]] = {}
        for index, new in said.items():
            sentence = paper.sentences[index]
            old = one_line(paper.text[sentence.start : sentence.end])
            fault = paraphrase_fault(sheet, old, new, self.parser) or length_fault(
                old, new, 0.8, 1.2
            )
            edits = None if fault else edits_within(paper, index, new, 1, _NOTE, order="free")
            if edits is None:
                faults[index] = fault or Fault("marks changed", "marks must stay as they are")
            else:
                passed[index] = edits
        if self.over == "sentence" and self.max_distance is not None and passed:
            faults.update(self._far(paper, passed, self.max_distance, ctx))
        return faults

    @staticmethod
    def _far(
        paper: Paper, passed: Mapping[int, list[Edit]], limit: float, ctx: Context
    ) -> dict[int, Fault]:
        """The faults of sentences that moved too far, by one call of the embedder."""
        changed = {index: changed_sentences(paper, edits)[0][0] for index, edits in passed.items()}
        vectors = ctx.embed([t for run in changed.values() for t in (run.old, run.new)])
        vectors = vectors.astype("float64")
        faults = {}
        for place, index in enumerate(changed):
            distance = 1.0 - float(vectors[2 * place] @ vectors[2 * place + 1])
            if distance >= limit:
                faults[index] = Fault(
                    "meaning moved",
                    f"it moved too far from what it said (distance {distance:.2f}, to be below "
                    f"{limit:g}): change fewer words",
                )
        return faults


SIGNS = {
    "number": "the numbers must be the same as before",
    "name": "the names and acronyms must be the same as before",
    "binding": "each number and each name must stay with what it belongs to",
    "negation": "it denies more or less than before",
    "opposite": "a word became its opposite",
    "quantity": "words of quantity (all, some, only, at least) must mean what they meant",
    "role": "who does what to whom must stay",
    "word": "a word of content came or went while the rest stayed: keep that word, or use a plain "
    "synonym",
    "content": "it says far less or far more than before",
}

_LOST_OR_GAINED = re.compile(r"(?:lost|gained) [a-z]{1,30}(?:-[a-z]{1,30})?")
_MOST_NAMED = 4


def paraphrase_fault(sheet: Sheet, old: str, new: str, parser: ParserUse = "auto") -> Fault | None:
    """What is wrong with ``new`` as a paraphrase of ``old``; both on one line.

    Marks may move within the sentence, and other words may deny or compare, as long as no rule
    finds a sign of another meaning.
    """
    fault = form_fault(sheet, new)
    if fault is None and new == old:
        fault = Fault("unchanged", "it is what it was")
    return (
        fault
        or shape_fault(old, new)
        or marks_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
        or names_fault(sheet, new)
        or _claim_fault(old, new, parser)
        or hedges_fault(old, new)
    )


def marks_fault(old: str, new: str) -> Fault | None:
    """Whether a number, a mark, a formula, a link or a quotation came or went."""
    if difference(numbers(old), numbers(new)):
        return content_fault(old, new)
    if Counter(marks(old)) != Counter(marks(new)):
        return Fault(
            "marks changed",
            "numbers, formulas, citation marks, links, code, cross references and quotations must "
            "all be as they were written, and none may come",
        )
    if difference(citations(old), citations(new)):
        return Fault("citations changed", "the citations must be the same as before")
    return None


def _claim_fault(old: str, new: str, parser: ParserUse) -> Fault | None:
    changes = claim_changes(old, new, parser=False if parser == "never" else None)
    if not changes:
        return None
    signs = {change.kind: SIGNS[change.kind] for change in changes}
    words = [change.detail for change in changes if _LOST_OR_GAINED.fullmatch(change.detail)]
    if "word" in signs and words:
        signs["word"] += f" ({', '.join(words[:_MOST_NAMED])})"
    return Fault("meaning changed", "; ".join(signs.values()))


def reworded_fault(sheet: Sheet, old: str, new: str) -> Fault | None:
    """What is wrong with ``new`` as another wording of ``old``; both on one line."""
    fault = form_fault(sheet, new)
    if fault is None and new == old:
        fault = Fault("unchanged", "it is what it was")
    return (
        fault
        or shape_fault(old, new)
        or content_fault(old, new)
        or foreign(sheet, old, new)
        or markup_fault(old, new)
        or names_fault(sheet, new)
        or hedges_fault(old, new)
    )
