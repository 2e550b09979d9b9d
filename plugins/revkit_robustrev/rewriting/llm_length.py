"""`LlmLength`: the same paper at 70 % or at 130 % of its words, written by a language model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.words import count_words
from revkit.options import option
from revkit.prompting import one_line
from revkit_robustrev.changed_sentences import changed_sentences, unchanged_checks
from revkit_robustrev.length import Length, Resizing
from revkit_robustrev.length_compress import Aim, removals
from revkit_robustrev.rewriting.asking import (
    Answers,
    Asking,
    Judge,
    ask,
    batches,
    passages,
    reasons,
)
from revkit_robustrev.rewriting.condensing import (
    GENTLE,
    STRONG,
    Reader,
    condense,
    most_words,
    offered,
    open_faults,
    words_to_leave_out,
    words_wanted,
)
from revkit_robustrev.rewriting.dispensable_sentences import dispensable
from revkit_robustrev.rewriting.draft_checks import Draft, DraftChecks
from revkit_robustrev.rewriting.draft_readings import DraftReadings
from revkit_robustrev.rewriting.faults import Sheet
from revkit_robustrev.rewriting.generator import MOST_ATTEMPTS, Generator, edits_of, kept_checks
from revkit_robustrev.rewriting.length_faults import (
    Allowed,
    Condensing,
    Elaborating,
    hedges_moved,
    meaning_fault,
)
from revkit_robustrev.rewriting.merged_faults import WHOLE, paragraph_checks
from revkit_robustrev.rewriting.paragraph_faults import CONDENSED, DROPPED, Condensed
from revkit_robustrev.rewriting.paragraphs import CondensedPart, DraftChecker, ParagraphPart

_ADDED = "elaborated by a model"
_SHARES = (0.5, 0.6)  # of its words that a condensed sentence is to keep
# Versions 1 to 5 stay byte for byte, for replies that are stored under them.
_SHORTEN = (
    "You condense sentences of scientific papers to about half of their words. Each sentence must "
    "still make its point. Keep every number, name, formula, citation mark, quotation and cross "
    "reference as it is written and in its order; keep every negation, comparison and hedge (may, "
    "likely, suggests) as the same word; keep one sentence one sentence. What can go are filler, "
    "repetition, asides and needless adjectives. Where a whole sentence only gives an example, "
    'background or what was said before, and carries no claim or result, give "" as its text: it '
    "is then left out."
)
_CONDENSE = (
    "You condense sentences of scientific papers, each to 50 to 60 percent of its words; the "
    "request names the words. Each must still make its main point, in correct English that an "
    "author would publish: articles and verbs stay, and no note style. Cut filler, repetition, "
    "wordy phrases and needless adjectives and adverbs, use shorter constructions with the words "
    "of the sentence itself, and then drop the phrases that matter least: asides, illustrations, "
    "and what the reader knows or can infer. Keep what the sentences around it refer to (a term, "
    'the first of several things, what "this" or "they" is), and its link to the sentence before '
    "(however, therefore, this). Keep every number, number word, name, acronym, formula, citation "
    "mark, link, quotation and cross reference as it is written, each with the word that it "
    "belongs to. In what stays, keep what it denies, compares, limits or makes depend on a "
    "condition (not, no, only, all, some, more than, if), and every hedge (may, could, likely, "
    "suggests) as the same word. Add nothing, keep one sentence one sentence, and end it with the "
    "same sign. If so much cannot be cut without a loss of matter, cut less; a sentence that "
    "cannot lose a word comes back as it was. A sentence of which the request says that it can be "
    'left out gets "" as its text if it merely illustrates, gives general background, announces '
    "what comes or repeats what was said, and no other sentence refers to it; otherwise condense "
    "it."
)
_SHORTEN_PARAGRAPHS = (
    "You shorten paragraphs of scientific papers, as their author would for a version with less "
    "space. The request names the words that the sentences of a paragraph have and those that they "
    "are to have; reach them. Cut in this order. First leave out whole sentences of those that the "
    "request says can be left out: illustrations, general background, announcements of what comes, "
    "repetitions, and what only elaborates the sentence before. Then merge neighbours that share a "
    "subject or follow from one another. Then drop whole phrases and clauses: asides, examples, "
    "and what the heading, the sentence before or the reader's knowledge says already. The result "
    "must read as if it had been written at this length: full, natural sentences that follow from "
    "one another, with their articles, verbs and links (however, therefore, because, this); no "
    "note style and no chain of bare statements. Where a sentence goes, mend what leaned on it: "
    'each "this", "it", "these" or "however" must refer to what is still before it. The paragraph '
    'must still begin with what it is about. For example, the paragraph "[1] A gate is a common '
    "way to steer what a layer passes on. [2] Such gates can be seen in many designs of today. [3] "
    "However, every gate brings a matrix, which makes a layer slow. [4] To solve this problem, we "
    'let all gates of a layer share one matrix." becomes "A gate steers what a layer passes on." '
    '(from 1) and "As every gate brings a matrix, which makes a layer slow, we let all gates of a '
    'layer share one matrix." (from 3 and 4). '
    "Keep every claim, result, comparison, condition, limitation, reason and step of the authors, "
    "and every term, name or acronym that is used later. Use the words of the paragraph, and "
    "change what they mean nowhere: keep what is denied, compared, limited or made to depend on a "
    "condition (not, no, without, only, all, some, more than, if), and each hedge (may, could, "
    "likely, suggests) as the same word with what it hedges. In what stays, every number, number "
    "word, name, acronym, formula, link, quotation and cross reference stays exactly as it is "
    "written, with the word that it belongs to. A citation mark can go only with the phrase that "
    "it supports, and the request says how many can go. Add nothing: no fact, number, name, "
    "judgement or new idea."
)
_KEEP = (
    "Keep every claim, conclusion, result, observation, comparison, condition, limitation, reason, "
    "aim, step and choice of the authors, every definition, and every term, name or acronym that "
    "is used later. Use the words of the paragraph, and change what they mean nowhere: keep what "
    "is denied, compared, limited or made to depend on a condition (not, no, without, only, all, "
    "some, most, more than, if, when), and each hedge (may, could, likely, suggests) as the same "
    "word with what it hedges. In what stays, every number, number word, name, acronym, formula, "
    "link, quotation and cross reference stays exactly as it is written, with the word that it "
    "belongs to. A citation mark can go only with the phrase that it supports, and the request "
    "says how many can go. Add nothing: no fact, number, name, judgement or new idea."
)
_SHORTEN_CHOSEN = (
    "You shorten paragraphs of scientific papers, as their author would for a version with less "
    "space. The request names the words that the sentences of a paragraph have and those that they "
    "are to have; reach them. Leave out the sentences that the request names. In the others, cut "
    "in this order: filler and wordy phrases (it should be noted that, in order to, is able to, a "
    "large number of); what is said twice, or said already by the heading or the sentence before; "
    "asides, examples, and adjectives and adverbs that add little; phrases and clauses that only "
    "elaborate. Use shorter constructions: a verb instead of a noun with a verb, a participle or "
    "an apposition instead of a clause, one subject for two sentences. Merge neighbours that share "
    "a subject or follow from one another. Most sentences lose a quarter to a third of their words "
    "in this way, and still say the same. "
    "The result must read as if it had been written at this length: full, natural sentences of "
    "different length that follow from one another, with their articles, verbs and links (however, "
    "therefore, because, this); no note style, no abrupt jump, and no chain of bare statements. "
    "Where something goes, mend what leaned on it: each this, these, such, it, however and "
    "therefore, and each noun that was introduced, must refer to what is still before it. The "
    "paragraph must still begin with what it is about, and end with the point that it made. For "
    'example, the paragraph "[1] A gate is a common way to steer what a layer passes on. [2] Such '
    "gates can be seen in many designs of today. [3] However, every gate brings a matrix, which "
    "makes a layer slow. [4] To solve this problem, we let all gates of a layer share one "
    'matrix.", of which sentence 2 is to be left out, becomes "A gate steers what a layer passes '
    'on." (from 1) and "As every gate brings a matrix, which makes a layer slow, we let all gates '
    'of a layer share one matrix." (from 3 and 4). ' + _KEEP
)
_SHORTEN_GENTLY = (
    "You shorten paragraphs of scientific papers, as their author would for a version with less "
    "space. Leave out the sentences that the request names. Of the others, the request states the "
    "words that they have and those that they are to have together; reach them. Most sentences "
    "lose a quarter to a third of their words and still say the same, if you cut in this order: "
    "filler and wordy phrases (it should be noted that, in order to, is able to, a large number "
    "of); what is said twice, or said already by the heading or the sentence before; asides, "
    "examples in brackets, one of two near synonyms, adjectives and adverbs that add little; and "
    "then phrases and clauses that only elaborate, each as a whole. Write a plain verb instead of "
    "a noun with a verb, and the active instead of a long passive. Cut most where a sentence is "
    "long and wordy, and least where it is short. Nobody who reads the result may notice that it "
    "was shortened. Each new sentence must be one that the author could have written first: a "
    "full main clause with its subject, its verb and all objects of the verb, with articles, "
    "prepositions, that and which. So write no note style, no clause without a verb, no colon or "
    'semicolon in place of a link, no bare phrase behind a comma that stands for a clause ("k '
    'being large", "an efficient method"), no subject left out ("if small, it converges"), and no '
    "row of nouns. Merge neighbours only if they share a subject and the new sentence is short "
    "and easy to read at once; where a sentence is long already, split it or cut it. Never "
    "replace an exact statement by a vague or trivial one: if a sentence says why, how or "
    "compared with what, it says so afterwards; drop such a part with its whole sentence or not "
    "at all. What a sentence announces must still follow; what it refers to (this, these, such, "
    "it, the first, a noun with the, a symbol or a name) must still be introduced before it; and "
    "a link (however, therefore, because, for example, to this end) stays where the next sentence "
    "needs it. The paragraph must still begin with what it is about, explain what it brings up, "
    'and end with the point that it made. For example, the paragraph "[1] A gate is a common way '
    "to steer what a layer passes on. [2] Such gates can be seen in many designs of today. [3] "
    "However, it should be noted that every gate brings a matrix with it, which makes a layer "
    "slow in practice. [4] In order to solve this problem, we let all gates of a layer share one "
    'matrix.", of which sentence 2 is to be left out, becomes "A gate steers what a layer passes '
    'on." (from 1), "However, every gate brings a matrix, which makes a layer slow." (from 3), '
    'and "To solve this problem, we let all gates of a layer share one matrix." (from 4). ' + _KEEP
)
_LENGTHEN = (
    "You lengthen scientific papers without adding to what they say. For each sentence asked for, "
    "write one or two more sentences, 20 to 45 words together, that follow it and walk once more "
    "through what it has just said, as by picturing it in its simplest setting. They bring no "
    "number, citation, formula, reference to a figure or table, name, result, claim, comparison "
    "(better, more, faster), negation (not, no, without) or hedge (may, likely), say nothing of "
    "what the authors did or found, and use words of the sentence that they follow."
)
_ELABORATE = (
    "You elaborate scientific papers from what they already say. For each sentence asked for, "
    "write one or two more sentences, 20 to 45 words together, that follow it and make it "
    "easier to understand: spell out what a term or an acronym in it stands for, what a step "
    "does and why it is there, how two of its parts relate, or what a number or a list near "
    "it says, with an example built from the passage itself. Use only what the passage "
    "states, and words of the sentence that you follow. Numbers, comparisons and negations of "
    "the passage can come again, as they are stated there; no other ones, and no new fact, "
    "result, claim, name, citation, formula, reference to a figure or table, or hedge (may, "
    "likely). Do not write of the authors (we, our), of the text or of reading it (picture, "
    "imagine, restate, the reader, this wording)."
)
_SHORTEN_REQUEST = "Condense the sentences with these numbers:"
_LENGTHEN_REQUEST = "Write what follows the sentences with these numbers:"


@dataclass(frozen=True)
class LlmLength(Resizing, Generator):
    """Condense or elaborate a paper with a language model, by words of prose (ROBUST-REV, 3).

    Below a ratio of 1 the model condenses paragraph after paragraph, except for the abstract and
    lists. The request states the words that the paragraph is to have, which sentences can be
    left out, and how many citation marks can go. The reply has the new sentences, each with the
    numbers of the neighbouring sentences that it shortens or merges; sentences that it does not
    name are left out. Each new sentence passes the gates separately: its numbers, formulas,
    cross references and hedges are those of its old sentences, no name is new, no rule of
    `same-claim` sees another meaning apart from words that were left out, a statement keeps its
    condition (if, when), its reason (because) and a word such as "most", and a third of the
    content words of each old sentence are still there. A sentence can be left out only if it
    does not open its paragraph, has no number, is not the first that has a formula or pointer,
    is not a step of an argument ("However", "Therefore") or of a list ("Second"), introduces no
    term that a sentence near it uses, and the next one neither follows from it nor leans on it.
    The last three hold also for a sentence of which a merged one keeps too little. What a
    sentence takes up by a noun ("This method") must be before it. Where a sentence fails, the
    old one stays, and so does what it needs; the rest of the paragraph is used. What fails or
    is too long is asked for again with its faults, up to ``attempts``, and the shortest version
    that passed is used. Paragraphs are asked for in random order until the ratio is met within
    ``tolerance``; where that is not enough, those that became shorter and are still above their
    words are asked for once more up to ``attempts``, those that are furthest above them first.
    The share of citation marks that go is at most five points above that of the words.

    Two more questions go to the model, in separate exchanges. Before, it names the sentences
    that a reader could do without, most dispensable first; only as many of them as the ratio
    needs can be left out (with a ratio that condensing alone meets, none, and it is not
    asked). After, it compares each draft that passed the gates with the old paragraph, and
    names what of weight is lost or changed, references that are unclear, and sentences that
    read as cut. The old sentences that it names come back, and if the paragraph is then too
    long, it is asked for again with these faults. The answers only limit what the gates
    allow. Up to 25 sentences are in a request of the first kind, up to three paragraphs in one
    of the second. In all, at most twice ``attempts`` requests are made for a paragraph, and
    after each a check, which up to three paragraphs share. With ``prompt-version`` 4, neither
    question is asked; then sentences with words of a claim or result stay.

    With ``prompt-version`` 6, the text reads like that of the authors, and keeps more words: ask
    for a ratio of 0.8. Many more sentences are named. The others are to keep at least three fifths
    of their words, more in a short paragraph, and a paragraph of fewer than 40 words stays as it
    is. A new sentence that merges several has at most 40 words (or as many as the longest of them),
    and none has less than half of the words that it had. A name can go with its phrase if a
    sentence before has it and the sentence compares nothing. After the check, the model reads the
    new text alone, up to eight paragraphs in a request, and names the sentences that read as terse,
    overloaded, abrupt or unclear. Their old sentences come back, with what was left out where a
    link is missing, and the paragraph is read again. When enough words are gone, all paragraphs are
    read once more in the order of the paper. So a paragraph of the variant was read without a
    finding in the form that it has there, or is as it was. There are up to three readings after
    each check, and up to three when enough words are gone. A paper of which not enough can go in
    this way has no variant.

    With ``prompt-version`` 1 to 3, the model condenses sentence after sentence, and may leave out
    those that `length` could drop; with 3 only where condensing alone does not meet the ratio.

    Above 1 the model adds a sentence or two after sentences that `length` could elaborate; what it
    adds brings no number, citation, name, comparison, negation, hedge or claim, and keeps to the
    words of the paragraph. From ``prompt-version`` 2 an elaboration says again, in other words,
    what its paragraph holds: it can name numbers, comparisons and negations of the paragraph and no
    others. Version 1 asks for a walk once more through what was said, which brings none of these.
    The ``ratios`` are tried in a random order, as `length` does; a paper that meets none is
    rejected with the reason for each.
    """

    name: ClassVar[str] = "llm-length"
    version: ClassVar[str] = "6"
    expect: ClassVar[Expectation] = "may-lower"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_robustrev:elaborations.tsv",
        "revkit.english:*.tsv",
        "revkit_robustrev:abbreviations.tsv",
        "revkit_robustrev:hedge-edits.tsv",
        "revkit_robustrev:substitutions.tsv",
        "revkit_robustrev:trims.tsv",
        "revkit_robustrev:pool.jsonl",
    )

    prompt_version: Literal[1, 2, 3, 4, 5, 6] = option(
        5,
        later=True,
        help="Which of the built-in instructions and rules: 6 leaves out more whole sentences, "
        "condenses the others less, and has the new text read alone: it reads like the authors' "
        "text, and seldom meets 0.7; 5 condenses whole paragraphs, and asks which "
        "sentences can go and what a draft has lost; 4 condenses whole paragraphs; 3 condenses "
        "sentence by sentence and by meaning; 2 condenses with the same words of negation and "
        "comparison; all five elaborate from the paragraph; 1 condenses as 2, and walks once more "
        "through what was said.",
    )

    attempts: int = option(
        3,
        help="How often a sentence or a paragraph is asked for whose answer does not pass the "
        "gates, the first time included; from prompt-version 4 once more up to as often for "
        "paragraphs that became shorter and are still above their words.",
        minimum=1,
        maximum=MOST_ATTEMPTS // 2,  # two rounds
    )

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the offline family checks, and that blocks and marks of sentences that stay do."""
        offline = Length(ratios=self.ratios, tolerance=self.tolerance)
        checks = offline.gates(paper, edits, ctx)
        if self.prompt_version > 1:  # numbers of the passage may come again
            checks = [check for check in checks if check.name != "results-changed"]
        if self.prompt_version > 3 and self.direction(paper, edits) == "shorten":
            names = self.prompt_version > 5
            return [*checks, *paragraph_checks(paper, edits, names_can_go=names)]
        by_meaning = self.prompt_version >= 3
        structure = kept_checks(paper, _kept(edits), ctx, hedges=not by_meaning)
        if by_meaning:
            structure = [check for check in structure if check.name != "directions-changed"]
            structure += _meaning_checks(paper, _kept(edits))
        return [*checks, *structure]

    def _shorten(self, paper: Paper, aim: Aim, ctx: Context) -> list[Edit] | Rejection:
        if self.prompt_version > 3:
            return self._shorten_paragraphs(paper, aim, ctx)
        by_meaning = self.prompt_version == 3
        instructions = _CONDENSE if by_meaning else _SHORTEN
        asking = self.asking(instructions, _SHORTEN_REQUEST, ctx.rng)
        rules = Condensing(paper, Sheet(paper.text, asking.instructions), by_meaning=by_meaning)
        wanted = rules.sentences()
        if by_meaning:
            asking = replace(asking, remarks={index: _remark(rules, index) for index in wanted})
        order = _in_random_order(wanted, paper, ctx)
        gained: dict[int, int] = {}
        answers = Answers()
        for batch in batches(order):
            new = _asked(paper, batch, asking, rules.judge, ctx)
            _add(answers, new)
            for index, text in new.accepted.items():
                gained[index] = rules.words(index) - count_words(text, 0, len(text))
            if by_meaning:
                if sum(gain for i, gain in gained.items() if answers.accepted[i]) >= aim.words:
                    break
            elif sum(gained.values()) >= aim.most:
                break
        if by_meaning:  # whole sentences last
            gained = dict(sorted(gained.items(), key=lambda item: not answers.accepted[item[0]]))
        chosen = _chosen(gained, aim, rules.allowed_with(answers))
        if chosen is None:
            return _short_of(gained, aim, paper, answers.reasons())
        gone = sorted(index for index in chosen if not answers.accepted[index])
        edits = [replace(edit, kind=WHOLE) for edit in removals(paper, gone, DROPPED)]
        kept = {index: answers.accepted[index] for index in chosen.difference(gone)}
        condensed = Answers(kept, answers.attempt)
        edits += edits_of(paper, condensed, CONDENSED, order=rules.mark_order)
        return sorted(edits)

    def _shorten_paragraphs(self, paper: Paper, aim: Aim, ctx: Context) -> list[Edit] | Rejection:
        by_model = self.prompt_version > 4  # what can go, and what a draft has lost
        gently = self.prompt_version > 5
        limits = GENTLE if gently else STRONG
        instructions = _SHORTEN_CHOSEN if by_model else _SHORTEN_PARAGRAPHS
        asking = self.asking(_SHORTEN_GENTLY if gently else instructions, "", ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)
        share = aim.least / paper.words
        rules = Condensed(paper, sheet, share, weighed=by_model, gentle=gently)
        passages = rules.passages()
        ctx.rng.shuffle(passages)
        words = sum(passage.words for passage in passages)
        if limits.in_all * words < aim.least:
            return Rejection(
                f"paragraphs that can be condensed hold {words / paper.words:.0%} of the words"
            )
        check: DraftChecker | None = None
        read: Reader | None = None
        if by_model:
            wanted = words_wanted(paper, aim, limits)
            needed = words_to_leave_out(passages, wanted, limits)
            ranked = dispensable(paper, passages, asking, ctx, many=gently) if needed else []
            chosen = offered(rules, passages, ranked, needed, limits)
            rules = rules.offering(chosen)
            passages = [_choosing(passage, chosen) for passage in passages]
            check = DraftChecks(paper, rules, asking.sampling, ctx)
            most = most_words(rules, passages, limits)
            if gently and chosen and most < aim.least:
                return Rejection(
                    "sentences that can be left out, and gentle condensing of the others, come to "
                    f"{most / paper.words:.0%} of the words"
                )
            if gently:
                check = readings = DraftReadings(paper, rules, asking.sampling, ctx, check)
                read = partial(_drafts, readings)
        questions = condense(paper, rules, passages, aim, asking, ctx, check, limits, read)
        gained = {n: each.passage.words - each.words for n, each in enumerate(questions)}
        used = _chosen(gained, aim, lambda n, taken: True)
        if used is None:
            return _short_of(gained, aim, paper, reasons(open_faults(questions)))
        drafts = [questions[n].draft for n in sorted(used)]
        return sorted(e for draft in drafts if draft for e in rules.edits(draft) or ())

    def _lengthen(self, paper: Paper, aim: Aim, ctx: Context) -> list[Edit] | Rejection:
        instructions = _LENGTHEN if self.prompt_version == 1 else _ELABORATE
        asking = self.asking(instructions, _LENGTHEN_REQUEST, ctx.rng)
        sheet = Sheet(paper.text, asking.instructions)
        rules = Elaborating(paper, sheet, from_passage=self.prompt_version > 1)
        order = _in_random_order(rules.sentences(), paper, ctx)
        gained: dict[int, int] = {}
        answers = Answers()
        for batch in batches(order):
            new = _asked(paper, batch, asking, rules.judge, ctx)
            _add(answers, new)
            for index, text in new.accepted.items():
                gained[index] = count_words(text, 0, len(text))
            if sum(gained.values()) >= aim.most:
                break
        chosen = _chosen(gained, aim, rules.allowed)
        if chosen is None:
            return _short_of(gained, aim, paper, answers.reasons())
        return [
            Edit(
                paper.sentences[index].end,
                paper.sentences[index].end,
                f" {answers.accepted[index]}",
                f"{_ADDED}, attempt {answers.attempt[index]}",
                WHOLE,
            )
            for index in sorted(chosen)
        ]


def _drafts(
    readings: DraftReadings, drafts: Sequence[Draft], replicate: int
) -> list[CondensedPart | None]:
    """What a reading of all drafts together leaves of each."""
    return [draft for draft, _ in readings.read(drafts, replicate)]


def _choosing(passage: ParagraphPart, chosen: Collection[int]) -> ParagraphPart:
    """``passage``, of which only the ``chosen`` sentences are to be left out."""
    optional = tuple(index for index in passage.optional if index in chosen)
    return replace(passage, optional=optional, chosen=True)


def _remark(rules: Condensing, index: int) -> str:
    """The words that a sentence has and is to have, and whether it can be left out."""
    words = rules.words(index)
    least, most = (round(share * words) for share in _SHARES)
    end = ", or left out" if rules.can_go(index) else ""
    return f"{words} words to {least} to {most}{end}"


def _kept(edits: Sequence[Edit]) -> list[Edit]:
    """The edits within sentences that stay; whole sentences that go or come are judged apart."""
    return [edit for edit in edits if edit.kind != WHOLE]


def _meaning_checks(paper: Paper, edits: Sequence[Edit]) -> list[Check]:
    """Check that numbers and citations of condensed sentences stay, and what they say."""
    changed, _ = changed_sentences(paper, edits)
    pairs = [(one_line(run.old), one_line(run.new)) for run in changed]
    found = {
        "meaning-changed": sum(meaning_fault(old, new) is not None for old, new in pairs),
        "hedges-changed": sum(hedges_moved(old, new) > 0 for old, new in pairs),
    }
    same = [check for check in unchanged_checks(paper, edits) if check.name != "sentences-changed"]
    return [
        *same,
        *(Check(name, float(count), 0.0, count == 0, "sentences") for name, count in found.items()),
    ]


def _in_random_order(found: Iterable[int], paper: Paper, ctx: Context) -> list[list[int]]:
    """Sentences by paragraph, the paragraphs shuffled."""
    groups: dict[int, list[int]] = {}
    for index in found:
        groups.setdefault(paper.sentences[index].block, []).append(index)
    order = list(groups.values())
    ctx.rng.shuffle(order)
    return order


def _asked(
    paper: Paper, batch: Sequence[Sequence[int]], asking: Asking, judge: Judge, ctx: Context
) -> Answers:
    wanted = [index for group in batch for index in group]
    return ask(paper, passages(paper, wanted), asking, judge, ctx)


def _add(answers: Answers, new: Answers) -> None:
    answers.accepted.update(new.accepted)
    answers.attempt.update(new.attempt)
    answers.faults.update(new.faults)


def _chosen(gained: Mapping[int, int], aim: Aim, allowed: Allowed) -> set[int] | None:
    """Answers whose words come to ``aim``, the first to come first; None where there are none."""
    chosen: set[int] = set()
    words = 0
    for index, gain in gained.items():
        if words + gain <= aim.words and allowed(index, chosen):
            chosen.add(index)
            words += gain
    if aim.least <= words:
        return chosen
    return _fitted(gained, aim, allowed)


def _fitted(gained: Mapping[int, int], aim: Aim, allowed: Allowed) -> set[int] | None:
    """The first choice found whose words come nearest to ``aim``; for short papers, where taking
    one answer after the other leaves a gap."""
    reached: dict[int, tuple[int, int]] = {0: (0, -1)}
    for index, gain in gained.items():
        for total in sorted(reached, reverse=True):
            if total + gain <= aim.most:
                reached.setdefault(total + gain, (total, index))
    total = min(reached, key=lambda words: (abs(words - aim.words), words))
    if not aim.least <= total <= aim.most:
        return None
    chosen: set[int] = set()
    while total:
        total, index = reached[total]
        if not allowed(index, chosen):
            return None
        chosen.add(index)
    return chosen


def _short_of(gained: Mapping[int, int], aim: Aim, paper: Paper, faults: str) -> Rejection:
    words = sum(gained.values())
    message = f"answers that passed come to {words / paper.words:.1%} of the words"
    if words >= aim.least:
        message += f", and no choice of them to between {aim.least} and {aim.most} words"
    return Rejection(f"{message} ({faults})" if faults else message)
