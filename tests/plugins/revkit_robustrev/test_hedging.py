"""Hedging against sentences edited by hand, in both directions, with what must be left alone.

The sentences of this file are for the rules on words; those on a parse are in
`test_hedges_on_parses`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit import Paper, Rejection
from revkit.model import apply_edits, inverse_edits
from revkit.testing import context
from revkit_robustrev.hedge_lexicon import count_hedges, lexicon
from revkit_robustrev.hedging import Hedging

PAPERS = Path(__file__).parents[4] / "shared" / "data" / "markdown_papers"
Mode = Literal["remove", "add", "either"]


def paper_of(sentence: str) -> Paper:
    return Paper(id="p", text=f"# A title\n\n# 1 Introduction\n\n{sentence}\n")


def edited(sentence: str, mode: Mode, seed: int = 0) -> str:
    """The sentence as `Hedging` leaves it; the sentence itself where it finds nothing to edit."""
    paper = paper_of(sentence)
    edits = Hedging(mode=mode, parser="never").perturb(paper, context(seed))
    if isinstance(edits, Rejection):
        return sentence
    return paper.edited(edits).text.split("\n\n", 2)[2].rstrip("\n")


def unchanged(*sentences: str) -> list[tuple[str, str]]:
    """Sentences that an edit must leave as they are."""
    return [(sentence, sentence) for sentence in sentences]


REMOVED = [
    # a case that occurs, and what has no clear subject: "can"
    ("It may happen that masks win.", "It can happen that masks win."),
    ("There may be a gap.", "There can be a gap."),
    ("The masks might have different sizes.", "The masks can have different sizes."),
    ("It may be useful to know the mask.", "It is useful to know the mask."),
    ("In any case, it may be useful to know it.", "In any case, it is useful to know it."),
    ("Some masks may not return a loss.", "Some masks can fail to return a loss."),
    ("The reason may be that noise is low.", "The reason is that noise is low."),
    ("We argue that some masks may win.", "We argue that some masks can win."),
    ("In this case, the gain may imply a gap.", "In this case, the gain implies a gap."),
    *unchanged("The mask may not exactly follow the rule."),
    ("Some masks may reduce noise.", "Some masks can reduce noise."),
    ("The system may fail.", "The system can fail."),
    ("Errors may occur in training.", "Errors can occur in training."),
    ("The masks may be empty.", "The masks can be empty."),
    ("For example, the mask may reduce noise.", "For example, the mask can reduce noise."),
    ("The optimizer may not return a low loss.", "The optimizer can fail to return a low loss."),
    ("The optimizer may not lead to noise.", "The optimizer does not lead to noise."),
    ("The rule can potentially help.", "The rule can help."),
    ("The masks vary, likely because noise is high.", "The masks vary, because noise is high."),
    ("Masks appear to arise in practice.", "Masks arise in practice."),
    ("Models will tend to fail here.", "Models will fail here."),
    ("Models tend to overfit.", "Models overfit."),
    *unchanged("It is an apparently broken mask."),
    ("The mask will likely return.", "The mask will return."),
    ("Masks vary, and they likely lead to noise.", "Masks vary, and they lead to noise."),
    ("The mask is highly likely to be biased.", "The mask is biased."),
    ("It can be potentially used elsewhere.", "It can be used elsewhere."),
    ("It is a coarse and potentially noisy sum.", "It is a coarse and noisy sum."),
    ("A potentially exciting idea is attention.", "An exciting idea is attention."),
    ("But to our knowledge, there is no such mask.", "But there is no such mask."),
    ("From the plot, it seems that masks help.", "From the plot, it is clear that masks help."),
    ("Masks seem advantageous in this task.", "Masks are advantageous in this task."),
    ("Noise falls - indicating that masks help.", "Noise falls - showing that masks help."),
    ("The metrics suggest that masks help.", "The metrics show that masks help."),
    ("These all suggest that masks help.", "These all show that masks help."),
    ("Noise falls, suggesting its effectiveness.", "Noise falls, showing its effectiveness."),
    ("Masks win where noise is arguably low.", "Masks win where noise is low."),
    ("The rule is potentially very useful.", "The rule is very useful."),
    ("The task is likely too hard.", "The task is too hard."),
    ("In short, we believe the mask helps.", "In short, the mask helps."),
    # a supposed cause of what was observed
    ("We hypothesize that this is due to noise.", "This is due to noise."),
    ("We conjecture that the gap is a result of noise.", "The gap is a result of noise."),
    # a guess keeps its name, and what is guessed is stated outright
    ("We hypothesize that this is probably because of noise.",
     "We hypothesize that this is because of noise."),
    ("We hypothesized that the gap may be small.", "We hypothesized that the gap is small."),
    # no half-done sentence, and no contradiction
    *unchanged(
        "We hypothesize that masks will help.",
        "If we replaced the mask, the loss might fall.",
        "In cases where noise is even apparently low, masks help.",
        "This may be one of the masks.",
        "To date, some of this may be the best so far.",
        "In some sets, the result may be folklore.",

        "Masks may help, though this remains an open question.",
        "It is perhaps the mask, though this remains an open question.",
        "The masks may help, and it is unclear why noise is low.",
        "The paper suggests that masks should be used.",
    ),
    ("The masks may help, and users may look at them.",
     "The masks help, and users may look at them."),
    # may and might, with the number of the subject
    ("Dropout may improve accuracy.", "Dropout improves accuracy."),
    ("The results may improve with size.", "The results improve with size."),
    ("The loss may be low.", "The loss is low."),
    ("The losses might be low.", "The losses are low."),
    ("This may also reduce noise.", "This also reduces noise."),
    ("They may rely on noise.", "They rely on noise."),
    ("We may need a larger set.", "We need a larger set."),
    ("Our method may carry over to text.", "Our method carries over to text."),
    ("The model may have led to noise.", "The model led to noise."),
    *unchanged("A class may have labeled masks."),
    ("The use of masks may improve accuracy.", "The use of masks improves accuracy."),
    ("The accuracy of the models may drop.", "The accuracy of the models drops."),
    ("The masks in the first layer may vary.", "The masks in the first layer vary."),
    ("We find that the mask may help.", "We find that the mask helps."),
    ("We propose a mask that may help.", "We propose a mask that can help."),
    ("Each of the masks may help.", "Each of the masks helps."),
    ("A number of masks may help.", "A number of masks help."),
    ("CNNs may overfit to noise.", "CNNs overfit to noise."),
    ("This may be because masks help.", "This is because masks help."),
    ("The gap may be caused by noise.", "The gap is caused by noise."),
    ("The gap may have a large effect.", "The gap has a large effect."),
    ("The masks may be less robust than dropout.", "The masks are less robust than dropout."),
    ("If so, the mask may potentially help.", "If so, the mask helps."),
    ("The loss may quickly become small.", "The loss quickly becomes small."),
    # verbs of appearance
    ("The gap appears to be small.", "The gap is small."),
    ("The gaps appear to be small.", "The gaps are small."),
    ("The mask seems to help.", "The mask helps."),
    ("This seems to suggest a gap.", "This suggests a gap."),
    ("The choice seems reasonable.", "The choice is reasonable."),
    # reports
    ("The results suggest that masks help.", "The results show that masks help."),
    ("This suggests that masks help.", "This shows that masks help."),
    ("The loss falls, indicating that masks help.", "The loss falls, showing that masks help."),
    ("It has been suggested that masks help.", "It has been shown that masks help."),
    # adverbs and adjectives
    ("It fails, possibly due to noise.", "It fails, due to noise."),
    ("Perhaps the gap is small.", "The gap is small."),
    ("The gap is, perhaps, small.", "The gap is small."),
    ("Perhaps, the gap is small.", "The gap is small."),
    ("It is a possibly incorrect label.", "It is an incorrect label."),
    ("It is an arguably bad label.", "It is a bad label."),
    ("The gap is probably small.", "The gap is small."),
    ("This is likely due to noise.", "This is due to noise."),
    ("It will likely fail.", "It will fail."),
    ("The mask is likely to fail.", "The mask will fail."),
    # whole clauses and phrases
    ("It is likely that masks help.", "Masks help."),
    ("It is possible that masks win.", "Masks win."),
    ("It is also possible that masks win.", "Masks win."),
    ("We speculate that masks help.", "Masks help."),
    ("We suspect that masks help.", "Masks help."),
    ("We believe that masks help.", "Masks help."),
    ("Thus, we believe that masks help.", "Thus, masks help."),
    ("It seems that the gap is small.", "The gap is small."),
    ("To our knowledge, this is the first mask.", "This is the first mask."),
    ("This is, to our knowledge, the first mask.", "This is the first mask."),
    *unchanged("It helps to some extent."),
    # left alone
    ("May we drop the mask?", "May we drop the mask?"),
    ("The mask may help, but may it also harm?", "The mask may help, but may it also harm?"),
    ("The mask may not help.", "The mask does not help."),
    *unchanged(
        # a permission, an option or a free choice
        "One may argue that masks help.",
        "If you prefer, you may sample masks.",
        "We may choose the mask.",
        "Masks may be used in training.",
        "The mask may be written as a sum.",
        "Users may give a mask of their own.",
        # what can happen or fail
        "We may fail to find masks.",
        "While it is possible that masks win, we use labels.",
        "Several possible masks may have produced the same gap.",
        # definitions, options and parentheses
        "We use a (possibly larger) teacher model.",
        "We use an operator (possibly equal to identity).",
        "The rate is small (potentially 0).",
        "It takes a possibly infinite set.",
        "We use masks and possibly noise.",
        "These are words that are likely to appear in text.",
        # conditions, hopes, purposes and what is only imagined
        "If we replaced the mask, the decoder might learn noise.",
        "If the mask were free, it might help.",
        "We ask whether masks may help.",
        "Our hope is that this work might help.",
        "We mask words so that the decoder may reduce noise.",
        "A mask would be free, and the loss might improve.",
        # what seems so and is not
        "Although the choice seems reasonable, it fails.",
        "At first sight the gap seems to be small.",
        "It is a seemingly simple task.",
        # no verb after the hedge, or none that is known as one
        "The mask seems to more on noise.",
        "The loss tends to one half of it.",
        "The mask seems also to be good.",
        # examples and quotations of data
        "so howard appears to have had free rein.",
        "They wrote “noise won. The mask may help. It is gone” here.",
        "Input: The mask may help.",
        "The mask may help , they said .",
        # theorems
        "Lemma 2. The mask may help.",
    ),
    # an opening keeps its comma
    ("Although masks help, to our knowledge, none is free.",
     "Although masks help, none is free."),
    ("The study is, to our knowledge, the first.", "The study is the first."),
    ("The mask may or may not help.", "The mask may or may not help."),
    ("We met in May and June.", "We met in May and June."),
    ("The Might dataset is small.", "The Might dataset is small."),
    ("It can help and could fail.", "It can help and could fail."),
    ("The mask does not seem to help.", "The mask does not help."),
    ("The mask does not seem to be new.", "The mask is not new."),
    ("The masks do not appear to be new.", "The masks are not new."),
    ("The gain may not necessarily carry over.", "The gain does not necessarily carry over."),
    (
        "The mask has no effect, which might be explained by noise.",
        "The mask has no effect, which is explained by noise.",
    ),
    ("The scope might be able to help.", "The scope might be able to help."),
    ("It is not likely that masks help.", "It is not likely that masks help."),
    ("It is more likely that masks help.", "It is more likely that masks help."),
    ("We do not believe that masks help.", "We do not believe that masks help."),
    ("We suggest that readers use masks.", "We suggest that readers use masks."),
    ("We suggest a mask.", "We suggest a mask."),
    ("It is the most likely class.", "It is the most likely class."),
    ("The mask may help and degrade the loss.", "The mask can help and degrade the loss."),
    ("The mask $m$ may help.", "The mask $m$ can help."),
    ("They said “the mask may help”.", "They said “the mask may help”."),
    ("The loss tends to infinity.", "The loss tends to infinity."),
    ("Masks that use noise may help.", "Masks that use noise can help."),
    ("The set of inputs and codes may be small.", "The set of inputs and codes is small."),
    ("We believe that masks help and that noise harms.",
     "We believe that masks help and that noise harms."),
]  # fmt: skip

ADDED = [
    # what is measured, shown in a figure, found, defined, or built
    *unchanged(
        "The approach achieves the lowest loss (0.5473), a reduction of 13.3%.",
        "Noise reduces accuracy, as shown in Table 4.",
        "Figure 3 shows that label noise reduces accuracy.",
        "We find that label noise reduces accuracy.",
        "We observe that label noise reduces accuracy.",
        "It is observed that label noise reduces accuracy.",
        "The generator determines the label.",
        "The meta generator reduces noise in labels.",
        "BERT improves accuracy.",
        "The decoder improves accuracy.",
        "We use a mask that reduces noise.",
        "The term refers to labels that are noisy.",
        "This leads to an array that is very sparse.",
        "The derivation shows that noise is low.",
        "Language modeling is a fundamental problem in speech.",
        # a property of the making, what follows, and what is left to choice
        "The work shows that all minima are saddle points.",
        "This implies that label noise reduces accuracy.",
        "Therefore, label noise reduces accuracy.",
        "LR improves accuracy.",
        "The runtime cost is small.",
        "Implementation is simple.",
        "The background can be arbitrary.",
        "Masks are sufficient, since noise is low.",
        "This prevents the loss from rising and leads to better masks.",
        "In games, the player controls the mask.",
        "The results show that",
        "The studies comprehensively show the importance of masks.",
        "Masks are slow since noise is high.",
        "Recently, masks have been shown to help.",
    ),
    ("This gap is small.", "This gap appears to be small."),
    ("These gaps are small.", "These gaps appear to be small."),
    ("This is a natural choice.", "This appears to be a natural choice."),
    ("This mask improves accuracy.", "This mask may improve accuracy."),
    ("These masks improve accuracy.", "These masks may improve accuracy."),
    ("This significantly improves accuracy.", "This may significantly improve accuracy."),
    ("This noise can reduce accuracy.", "This noise may reduce accuracy."),
    ("This can lead to noise.", "This may lead to noise."),
    *unchanged(
        # what a field knows, what others showed, and what was measured
        "The gap is small.",
        "Dropout improves accuracy.",
        "Label noise can reduce accuracy.",
        "Masks have been shown to help.",
        "The mask has been shown to reduce noise.",
        "The results show that masks win.",
        "The results show that masks improve accuracy.",
        "Previous studies have shown that masks help.",
        "This can reduce memory.",
        "This noise can reduce accuracy, for example in speech.",
        "This noise can reduce accuracy (Lee et al., 2020).",
        "Wheat is one of the most important crops worldwide.",
        "These methods rely on labels.",
    ),
    *unchanged("A high value means that noise rises.", "This yields a set of masks."),
    ("The results show that masks help.", "The results suggest that masks help."),
    ("The experiments demonstrate that masks help.", "The experiments suggest that masks help."),
    ("It fell, due to noise.", "It fell, due to noise."),
    *unchanged("That was because noise won."),
    ("It fell, mostly due to noise.", "It fell, mostly due to noise."),
    ("A clear explanation is that noise won.", "A likely explanation is that noise won."),
    (
        "Experiments on two sets show that masks help.",
        "Experiments on two sets suggest that masks help.",
    ),
    *unchanged("The gap is much larger than before."),
    ("This gap is more robust to noise.", "This gap appears to be more robust to noise."),
    *unchanged(
        # nouns that look like verbs
        "The model aims at producing correct results that demonstrate masks.",
        "We list experimental results that demonstrate a gap.",
        "It merges distributed training results from two parties.",
        "Correct results need masks.",
        # mathematics and statements about certainty
        "The gap is small iff the mask is large.",
        "The gap is small if and only if noise wins.",
        "The gap is exactly small.",
        "The mask is equivalent to the large one.",
        "The gap is small by definition.",
        "The gap is definitely small.",
        "The gap is certainly small.",
        "The gap is clearly small.",
        "The gap is small for $x$.",
        "No formal results currently explain the gap.",
        "Few masks improve accuracy.",
        # theorems, and what follows their label
        "Lemma 2. The gap is small. Dropout improves accuracy.",
        "**Proof.** The gap is small.",
        # definitions
        "Two images are similar in content if they share objects.",
        "A mask is good if it is small.",
        "The mask is stochastic.",
        "The masks are identical.",
        # intent, design and outline of the paper
        "The goal of this experiment is important for us.",
        "Our formulation introduces a mask.",
        "To confirm that masks are effective, we train twice.",
        "Our encoder captures noise.",
        "We chose the mask because the gap is small.",
        "This allows the use of masks.",
        "This theme will improve the discussion below.",
        "The network is fixed, possibly small.",
        # scores, and what was counted
        "We report a rate (the higher score is better).",
        "We report a rate (lower is better).",
        "The mask reduces it to 63 points.",
        "The mask improves accuracy on 17 of 18 sets.",
        "It yields a total of 280 masks.",
        # who sees it does not doubt it
        "People learn by observing others achieve goals.",
        "It is a mask that less suffers from noise.",
        "This is because we plotted the loss.",
        "They wrote “noise won. The gap is small. It is gone” here.",
        "the gap is small.",
    ),
    # left alone
    (
        "Experiment results are summarized in Figure 2.",
        "Experiment results are summarized in Figure 2.",
    ),
    ("Ablation results showed a gap.", "Ablation results showed a gap."),
    ("The noise causes have been listed.", "The noise causes have been listed."),
    ("Is the gap small?", "Is the gap small?"),
    ("The gap is not small.", "The gap is not small."),
    ("There is a gap.", "There is a gap."),
    ("We are happy.", "We are happy."),
    ("The mask is trained twice.", "The mask is trained twice."),
    ("The mask is shown in Table 2.", "The mask is shown in Table 2."),
    ("Let $x$ be what is small.", "Let $x$ be what is small."),
    ("If the gap is small, stop.", "If the gap is small, stop."),
    ("Here $x$ is small.", "Here $x$ is small."),
    ("This paper provides a mask.", "This paper provides a mask."),
    ("It lets models improve accuracy.", "It lets models improve accuracy."),
    ("This is possibly small.", "This is possibly small."),
    (
        "The results show that it trains twice as fast.",
        "The results show that it trains twice as fast.",
    ),
    ("This is due to a number of factors.", "This is due to a number of factors."),
    ("The third term is due to noise.", "The third term is due to noise."),
    ("Researchers can improve the mask.", "Researchers can improve the mask."),
    ("We show that masks win.", "We show that masks win."),
    ("That is, noise wins.", "That is, noise wins."),
    ("It no longer requires a mask.", "It no longer requires a mask."),
    ("They said “the gap is small”.", "They said “the gap is small”."),
]


@pytest.mark.parametrize(("sentence", "expected"), REMOVED)
def test_hedges_removed_by_hand(sentence: str, expected: str) -> None:
    assert edited(sentence, "remove") == expected


@pytest.mark.parametrize(("sentence", "expected"), ADDED)
def test_hedges_added_by_hand(sentence: str, expected: str) -> None:
    assert {edited(sentence, "add", seed) for seed in range(4)} == {expected}


SAMPLE = """# Masks may help

# 1 Introduction

Masks may improve accuracy (p < .05), e.g., Table 2, by 3.5% [3, 4]. The gap is small in `may be`.
The results show that the loss might be low (Lee et al., 2020), possibly due to $x_{may}$ noise.
Noise reduces accuracy by 2 points. This noise reduces accuracy in speech.

| may be | is |
|--------|----|
| might  | 3  |

# References

1. A. Author. Masks may help. 2019.
2. B. Author. The gap is small. 2020.
"""


@pytest.mark.parametrize("mode", ["remove", "add", "either"])
def test_what_is_no_prose_stays_byte_identical(mode: Mode) -> None:
    paper = Paper(id="p", text=SAMPLE)
    for seed in range(4):
        edits = Hedging(mode=mode).perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        changed = paper.edited(edits).text
        for kept in (
            "# Masks may help\n",
            "(p < .05), e.g., Table 2, by 3.5% [3, 4].",
            "`may be`",
            "(Lee et al., 2020)",
            "$x_{may}$",
            "| may be | is |\n|--------|----|\n| might  | 3  |",
            "1. A. Author. Masks may help. 2019.\n2. B. Author. The gap is small. 2020.",
        ):
            assert kept in changed
        assert apply_edits(changed, inverse_edits(paper.text, edits)) == paper.text
        checks = Hedging(mode=mode).gates(paper, edits, context())
        assert all(check.passed for check in checks)
        assert checks[0].name in ("hedges-removed", "hedges-added")


def test_gate_counts_hedges() -> None:
    paper = paper_of("The mask may help, and the gap is possibly small.")
    family = Hedging(mode="remove")
    edits = family.perturb(paper, context())
    assert not isinstance(edits, Rejection)
    assert paper.edited(edits).text.endswith("The mask helps, and the gap is small.\n")
    check = family.gates(paper, edits, context())[0]
    assert (check.name, check.value, check.limit, check.passed) == (
        "hedges-removed",
        2.0,
        1.0,
        True,
    )
    turned = [replace(edit, kind="add") for edit in edits]
    wrong = family.gates(paper, turned, context())[0]
    assert (wrong.name, wrong.value, wrong.passed) == ("hedges-added", -2.0, False)


def test_hedges_are_counted_by_hand() -> None:
    assert count_hedges("It may, in May, possibly be what the data suggest.") == 3
    assert count_hedges("Masks help.") == 0
    assert (
        count_hedges("The gap appears to be small, and it is likely that masks seem to help.") == 3
    )


def test_either_tosses_one_coin_for_each_paper() -> None:
    paper = Paper(id="p", text=SAMPLE)
    family = Hedging()
    names = set()
    for seed in range(12):
        edits = family.perturb(paper, context(seed))
        assert not isinstance(edits, Rejection)
        assert edits == family.perturb(paper, context(seed))
        names.add((family.direction(paper, edits), family.gates(paper, edits, context())[0].name))
    assert names == {("remove", "hedges-removed"), ("add", "hedges-added")}
    only_add = paper_of("This gap is small.")
    assert all(not isinstance(family.perturb(only_add, context(s)), Rejection) for s in range(6))


def test_share_and_rejection() -> None:
    paper = paper_of("Dropout may help. The masks may vary. Noise might hurt. It may drop.")
    edits = Hedging(mode="remove", share=0.5).perturb(paper, context())
    assert not isinstance(edits, Rejection)
    assert len(edits) == 2
    assert isinstance(Hedging(mode="remove").perturb(paper_of("Cats sleep."), context()), Rejection)
    assert isinstance(Hedging(mode="add").perturb(paper_of("Cats sleep."), context()), Rejection)
    assert isinstance(Hedging(mode="remove", share=0.0).perturb(paper, context()), Rejection)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["The", "masks", "mask", "may", "might", "be", "improve", "is", "are", "not", "seems",
             "to", "that", "we", "believe", "possibly", ",", "perhaps,", "likely", "and", "of",
             "[3]", "$x$", "(Lee, 2020)", "12", "3.5%", "`may be`", "May", "“", "”", ".", "?",
             "\n\n", "It is likely that", "to some extent", "a", "an", "𝒳"]
        ),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from(["remove", "add"]),
)  # fmt: skip
def test_any_text_keeps_its_figures_and_marks(pieces: list[str], mode: Mode) -> None:
    paper = Paper(id="p", text="# Introduction\n\n" + " ".join(pieces))
    family = Hedging(mode=mode)
    edits = family.perturb(paper, context(1))
    if isinstance(edits, Rejection):
        return
    changed = paper.edited(edits).text
    for mark in ("[3]", "$x$", "(Lee, 2020)", "12", "3.5%", "`may be`", "𝒳", "\n\n"):
        assert changed.count(mark) == paper.text.count(mark)
    # The month stays as often as it was; a verb gets a capital only where it now begins a sentence.
    within = re.compile(r"(?<=[^\s.])[ ]May")
    assert len(within.findall(changed)) == len(within.findall(paper.text))
    assert changed.lower().count("not") == paper.text.lower().count("not")
    assert apply_edits(changed, inverse_edits(paper.text, edits)) == paper.text


def test_every_row_of_the_lexicon_has_its_treatment() -> None:
    words = lexicon()
    kinds = {"modal verb", "epistemic verb", "adverb", "adjective", "phrase"}
    assert {row.kind for row in words.removal.values()} <= kinds
    assert len(words.removal) >= 60
    assert len(words.addition) >= 60
    assert all(re.fullmatch(r"[a-z' ]+", form) for form in (*words.removal, *words.addition))


def test_a_sentence_without_end_is_left_alone() -> None:
    paper = paper_of("the mask may help and we use it " * 20_000)
    assert isinstance(Hedging(mode="remove").perturb(paper, context()), Rejection)


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the shared papers are not beside this checkout")
@pytest.mark.parametrize("mode", ["remove", "add"])
def test_real_papers_keep_structure_numbers_and_citations(mode: Mode) -> None:
    edited_papers = 0
    for path in sorted(PAPERS.glob("*.md"))[:12]:
        paper = Paper(id=path.stem, text=path.read_text(encoding="utf-8"))
        family = Hedging(mode=mode)
        edits = family.perturb(paper, context(1))
        if isinstance(edits, Rejection):
            continue  # a paper of mathematics has no claim to soften
        edited_papers += 1
        assert all(check.passed for check in family.gates(paper, edits, context()))
        changed = paper.edited(edits)
        assert [b.kind for b in changed.blocks] == [b.kind for b in paper.blocks]
        assert [changed.text[b.start : b.end] for b in changed.blocks if not b.is_prose] == [
            paper.text[b.start : b.end] for b in paper.blocks if not b.is_prose
        ]
    assert edited_papers >= 3


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ("remove", "We believe this helps.", "This helps."),
        ("remove", "We believe in masks.", None),
        ("remove", "These masks are wide and appear to generalize well.",
         "These masks are wide and generalize well."),
        ("remove", "The results suggest the importance of masks.",
         "The results show the importance of masks."),
        ("remove", "The authors suggest the use of masks.", None),
        ("remove", "The loss drops, indicating a benefit of masks.",
         "The loss drops, showing a benefit of masks."),
        ("remove", "The difference between Adam and Eve suggests that masks matter.",
         "The difference between Adam and Eve shows that masks matter."),
        ("remove", "They often might learn trivial masks.", "They often can learn trivial masks."),
        ("remove", "This is most likely because masks differ.", "This is because masks differ."),
        ("add", "The loss drops on all splits, showing that masks help.",
         "The loss drops on all splits, suggesting that masks help."),
        ("add", "The results demonstrate the importance of masks.",
         "The results suggest the importance of masks."),
        ("add", "The results demonstrate the masks.", None),
        ("add", "This makes it hard to compare masks.", "This may make it hard to compare masks."),
        ("add", "This makes it a mask.", None),
        ("add", "These masks can be harmful.", "These masks may be harmful."),
        ("add", "Sleep is one of the most important states.",
         "Sleep is arguably one of the most important states."),
    ],
)  # fmt: skip
def test_forms_of_version_4_by_hand(mode: Mode, before: str, after: str | None) -> None:
    paper = paper_of(before)
    edits = Hedging(mode=mode, parser="never").perturb(paper, context())
    if after is None:
        assert isinstance(edits, Rejection)
    else:
        assert not isinstance(edits, Rejection)
        assert paper.edited(edits).text == paper.text.replace(before, after)


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ("add", "The gap is largely due to noise.", None),
        ("add", "Sleep is one of the most commonly studied states.", None),
        ("add", "The results show that masks outperform all baselines.", None),
        ("add", "The results show that the loss is higher than before.", None),
        ("add", "The study showed that rust was the most common disease.", None),
        ("add", "This raises an important question.", None),
        ("add", "It remains unclear whether the gap is due to noise.", None),
        ("add", "Training on small sets remains challenging.", None),
        ("remove", "The change may have been caused by noise.", "The change was caused by noise."),
        ("remove", "The gaps might have been due to noise.", "The gaps were due to noise."),
        ("remove", "The loss is likely to be high.", "The loss is high."),
        ("remove", "The results suggest a benefit of masks.",
         "The results show a benefit of masks."),
        ("remove", "Our results suggest masks are useful.", "Our results show masks are useful."),
        ("remove", "These masks do not appear to yield noise.", "These masks do not yield noise."),
        ("remove", "It finds an order which may not be the best order.", None),
        ("remove", "The role of the mask may be independent of noise.", None),
        ("remove", "The general class of masks may be tractable.", None),
        ("remove", "The mask may have the potential to help.",
         "The mask has the potential to help."),
        ("add", "Masks are a good source of noise.", None),
        ("add", "Masks can produce hundreds of gaps from one mask.", None),
        ("remove", "We think this mask is due to noise.", "This mask is due to noise."),
        ("remove", "While masks fail, losses occurring among rare masks may be due to noise.",
         "While masks fail, losses occurring among rare masks are due to noise."),
    ],
)  # fmt: skip
def test_forms_of_version_8_by_hand(mode: Mode, before: str, after: str | None) -> None:
    test_forms_of_version_4_by_hand(mode, before, after)


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        # what something is, has or does, where the number of its subject is clear
        ("remove", "The mask may be an excellent way to lower noise.",
         "The mask is an excellent way to lower noise."),
        ("remove", "Findings in Zephyria may be pivotal.", "Findings in Zephyria are pivotal."),
        ("remove", "The masks may function as filters.", "The masks function as filters."),
        ("remove", "We speculated that D3 might be involved in noise.",
         "We speculated that D3 is involved in noise."),
        ("remove", "Masks such as the red ones may be important.",
         "Masks such as the red ones are important."),
        ("remove", "The effect of heat and noise may be important.",
         "The effect of heat and noise is important."),
        ("remove", "A mask of noise may reduce the loss.", "A mask of noise can reduce the loss."),
        ("remove", "The masks may have been lost.", "The masks were lost."),
        ("remove", "The masks may have arisen by chance.", "The masks arose by chance."),
        ("remove", "It may be possible to lower the noise.", "It is possible to lower the noise."),
        ("remove", "A test of the masks might have helped.", None),
        ("remove", "Women may have masks.", None),
        # what fails in some cases
        ("remove", "Wide masks may not be easily moved.",
         "Wide masks are not always easily moved."),
        ("remove", "The noise levels may not have been lowered.",
         "The noise levels were not lowered."),
        # "could" of a cause, and of work to come
        ("remove", "This could be due to noise.", "This is due to noise."),
        ("remove", "The possible reason could be that noise is low.",
         "The reason is that noise is low."),
        ("remove", "Future work could explore masks.", "Future work can explore masks."),
        ("remove", "The loss could be reduced by 15%.", None),
        ("remove", "Neither mask could be useful.", None),
        # who suggests a claim, and what is proposed
        ("remove", "Doe et al. (2010) suggested that masks reduce noise.",
         "Doe et al. (2010) concluded that masks reduce noise."),
        ("remove", "We therefore suggest that noise matters.",
         "We therefore conclude that noise matters."),
        ("remove", "We suggest that masks should be wide.", None),
        ("remove", "The difference suggests a conserved role of masks.",
         "The difference shows a conserved role of masks."),
        ("remove", "The results suggest a new method for masks.", None),
        ("remove", "Noise falls, suggesting either wide masks or luck.", None),
        ("remove", "Noise falls, suggesting a possible role of masks.",
         "Noise falls, showing a role of masks."),
        ("remove", "It is indicated that noise is low.", "It is shown that noise is low."),
        ("remove", "A test showed low noise, which indicated that masks win.",
         "A test showed low noise, which demonstrated that masks win."),
        ("remove", "Masks might win, suggesting that noise might be low in cases that few know.",
         "Masks can win, showing that noise can be low in cases that few know."),
        # what will happen, and what is so
        ("remove", "Wide masks are likely to be created.", "Wide masks will be created."),
        ("remove", "Wide masks are likely to have low noise.", "Wide masks have low noise."),
        ("remove", "Heat is likely to have an effect on masks.",
         "Heat will have an effect on masks."),
        ("remove", "These masks likely participate in noise.",
         "These masks participate in noise."),
        ("remove", "This is most probably due to noise.", "This is due to noise."),
        ("remove", "The masks were possibly avoided.", "The masks were avoided."),
        ("remove", "The mask does not seem useful.", "The mask is not useful."),
        ("remove", "Nor does it appear to be useful.", None),
        ("remove", "The scores were tend to be high.", None),
        ("remove", "The net tends to produce noise, and to avoid masks.", None),
        # what the next words leave open
        ("remove", "The mask might reduce noise, a possibility that nobody has studied.", None),
        ("remove", "The gap may be a sign of noise, but heat is also possible.", None),
        ("remove", "Two reasons are known: (1) masks may have failed; (2) noise was high.", None),
    ],
)  # fmt: skip
def test_removals_of_version_11_by_hand(mode: Mode, before: str, after: str | None) -> None:
    test_forms_of_version_4_by_hand(mode, before, after)


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ("remove", "We hypothesize that masks help.", "Masks help."),
        # a cause, or one of several
        ("remove", "The fact that masks are wide may explain the gap.",
         "The fact that masks are wide explains the gap."),
        ("remove", "One reason for the gap may be noise.", "One reason for the gap is noise."),
        ("remove", "One reason for the gap may be noise or heat.", None),
        ("remove", "One strategy may be to use masks.", "One strategy is to use masks."),
        ("remove", "Wide masks came from heat which may be the reason for the gap.",
         "Wide masks came from heat which is the reason for the gap."),
        ("remove", "This could have led to noise.", "This led to noise."),
        ("remove", "If it were wide, this could have led to noise.", None),
        ("remove", "Masks were lost, and we may have underestimated the gap.",
         "Masks were lost, and we underestimated the gap."),
        # what there is
        ("remove", "This suggests that there may be a gap.", "This shows that there is a gap."),
        ("remove", "This suggests that there may be several gaps.",
         "This shows that there are several gaps."),
        # what is to come, and what cannot be sure of its number
        ("remove", "The gap may grow in the near future.", "The gap will grow in the near future."),
        ("remove", "Masks see few of the gaps, which may not be enough.",
         "Masks see few of the gaps, which will not be enough."),
        ("remove", "The masks were small, and the results may not hold for others.",
         "The masks were small, and the results do not hold for others."),
        # a worth, a quality and an effect
        ("remove", "Wide masks could be a useful tool for this.",
         "Wide masks can be a useful tool for this."),
        ("remove", "The model could be a mask.", None),
        ("remove", "We found that masks could be measured.", None),
        ("remove", "Noise may already exist in masks.", None),
        ("remove", "Masks have potentially strong effects.", "Masks have strong effects."),
        ("remove", "These are potentially wide masks.", "These are wide masks."),
        ("remove", "We describe each of them, potentially guiding further use.",
         "We describe each of them, guiding further use."),
        ("remove", "Masks that potentially cover it are wide.", "Masks that cover it are wide."),
        ("remove", "They also likely reduce noise.", "They also reduce noise."),
        ("remove", "The most likely explanation is noise.", "The explanation is noise."),
        ("remove", "The most probable explanation is noise.", "The explanation is noise."),
        ("remove", "Masks fail in rice and, likely, in wheat.", "Masks fail in rice and in wheat."),
        ("remove", "Masks that to our knowledge are wide were used.",
         "Masks that are wide were used."),
        # what others suggest
        ("remove", "Noise has been suggested to affect masks.",
         "Noise has been shown to affect masks."),
        ("remove", "Several approaches have been suggested to reduce noise.", None),
        ("remove", "It has been suggested to reduce noise.", None),
        ("remove", "It is suggested that noise hides the gap.",
         "It is concluded that noise hides the gap."),
        ("remove", "It is suggested that masks should be used.", None),
        ("remove", "Masks help, strongly suggesting that noise is high.",
         "Masks help, clearly showing that noise is high."),
        ("remove", "In this work we propose, to our knowledge, the first mask.",
         "In this work we propose the first mask."),
        ("remove", "The gap might due to noise.", None),
        # found in the reading of version 12
        ("remove", "We believe the main advantages of it to be masks.", None),
        ("remove", "The net may have less noise and may lack masks.",
         "The net can have less noise and can lack masks."),
        ("remove", "It has masks with potentially different sizes.", None),
        ("remove", "It shows wide gaps, which seemed to be related to noise.", None),
        ("remove", "The masks we use may not always cover it.", None),
        ("remove", "It should be indicated that noise is high.", None),
        ("remove", "If so, this suggests that noise is high.",
         "If so, this shows that noise is high."),
        ("remove", "Growth appears to proceed without noise.", "Growth proceeds without noise."),
        ("remove", "The loss falls with the mask proposed in it, suggesting that noise is high.",
         "The loss falls with the mask proposed in it, showing that noise is high."),
        ("remove", "This suggests that masks could offset it.",
         "This shows that masks can offset it."),
        ("remove", "The tests indicated distinct profiles, suggesting a role for masks.",
         "The tests indicated distinct profiles, demonstrating a role for masks."),
        # the past tense of any regular verb, and of irregular ones that are known
        ("remove", "The gap appeared to exhibit noise.", "The gap exhibited noise."),
        ("remove", "The gap appeared to carry noise.", "The gap carried noise."),
        ("remove", "The gap appeared to grow.", "The gap grew."),
        ("remove", "The gap appeared to split.", None),
        ("remove", "The gap appeared to emit noise.", None),
        ("remove", "The gap appeared to overlap with noise.", "The gap overlapped with noise."),
        ("remove", "The net appeared to more closely follow the rule.", None),
        ("remove", "The net appeared to better capture the rule.", None),
        ("remove", "The text appeared to mislead the model.", None),
    ],
)  # fmt: skip
def test_removals_of_version_12_by_hand(mode: Mode, before: str, after: str | None) -> None:
    test_forms_of_version_4_by_hand(mode, before, after)


def made(section: str, before: str, sentence: str, mode: Mode = "add") -> set[str]:
    """What becomes of ``sentence`` behind ``before`` in ``section``, over some seeds."""
    text = f"# A title\n\n# {section}\n\n{before} {sentence}".replace("\n ", "\n")
    results = set()
    for seed in range(12):
        edits = Hedging(mode=mode, parser="never").perturb(Paper(id="p", text=text), context(seed))
        changed = (
            "" if isinstance(edits, Rejection) else Paper(id="p", text=text).edited(edits).text
        )
        results.add(changed[-len(changed) + len(text) - len(sentence) :] if changed else sentence)
    return results


@pytest.mark.parametrize(
    ("section", "before", "sentence", "expected"),
    [
        # a cause of what was observed, where results are discussed
        ("4 Results", "Masks perform worse here.", "This is due to noise.",
         {"This is likely due to noise.", "This is probably due to noise.",
          "This is possibly due to noise."}),
        ("4 Results", "", "Masks perform worse on small sets because the labels disagree.", None),
        ("4 Results", "", "This study shows that masks can help.", None),
        ("4 Results", "", "The theme is noise, which explains why masks differ.", None),
        ("4 Results", "", "Initially, the training is unstable due to label noise.", None),
        ("4 Results", "", "Masks raise the risk of death due to noise.", None),
        ("4 Results", "Masks perform worse here.", "It is a gap that is caused by noise.", None),
        ("1 Introduction", "", "This shows that noise remains a key problem.",
         {"This suggests that noise remains a key problem."}),
        ("3 Method", "Masks perform worse here.", "This is due to noise.", None),
        ("4 Results", "We add a mask.", "This is due to noise.", None),
        ("4 Results", "Masks perform worse here.", "This is due to how it is defined.", None),
        ("4 Results", "Masks perform worse here.", "One reason is that labels disagree.",
         {"One reason may be that labels disagree."}),
        ("4 Results", "Masks perform worse here.", "This explains why noise matters.",
         {"This may explain why noise matters.", "This likely explains why noise matters."}),
        # what follows from results, and what follows by itself
        ("4 Results", "", "This result implies that masks help.",
         {"This result suggests that masks help."}),
        ("2 Background", "", "This result implies that masks matter.", None),
        ("1 Introduction", "", "Previous studies have shown that masks help.", None),
        # what is expected, what things of a kind do, and what they can do
        ("1 Introduction", "", "The mask will improve accuracy.",
         {"The mask will likely improve accuracy.", "The mask may improve accuracy."}),
        ("1 Introduction", "", "The agent will see a mask.", None),
        ("1 Introduction", "", "Existing methods rely on labels.",
         {"Existing methods tend to rely on labels."}),
        ("1 Introduction", "", "However, deep neural networks are sensitive to noise.",
         {"However, deep neural networks tend to be sensitive to noise."}),
        ("1 Introduction", "", "Our methods rely on labels.", None),
        ("1 Introduction", "", "Other works focus on two cases: masks and noise.", None),
        ("1 Introduction", "", "These changes of images can lead to wrong labels.",
         {"These changes of images may lead to wrong labels."}),
        ("1 Introduction", "", "We propose a mask that can lead to better labels.", None),
        ("1 Introduction", "", "The problem can be alleviated by masks.", None),
        ("1 Introduction", "", "It takes a mask that can lead to noise.", None),
        ("1 Introduction", "", "Another direction is to use masks.", None),
        ("4 Results", "", "This study has shown that masks matter.", None),
        ("4 Results", "Masks perform worse here.", "This is due to noise [3].", None),
        ("1 Introduction", "", "This problem can be greatly alleviated.",
         {"This problem may be greatly alleviated."}),
        # what the authors say of their work
        ("1 Introduction", "", "Our method can be applied to other tasks.", None),
        ("5 Conclusion", "", "Our method can be applied to other tasks.",
         {"Our method could potentially be applied to other tasks."}),
        ("3 Method", "", "Our method can be applied to other tasks.", None),
        ("5 Conclusion", "", "This work paves the way for new masks.",
         {"We believe that this work paves the way for new masks."}),
        ("5 Conclusion", "", "Finally, our results open up new directions.",
         {"Finally, we believe that our results open up new directions."}),
        ("5 Conclusion", "", "Extending masks to text is a promising direction.",
         {"We believe that extending masks to text is a promising direction."}),
        ("5 Conclusion", "", "A promising direction is to extend the masks.",
         {"A promising direction could be to extend the masks.",
          "A promising direction might be to extend the masks."}),
        ("1 Introduction", "", "This is the first work to use masks.",
         {"To the best of our knowledge, this is the first work to use masks.",
          "To our knowledge, this is the first work to use masks."}),
        ("1 Introduction", "", "This is the first step.", None),
        ("1 Introduction", "", "This is the first work that we know to use masks.", None),
        ("5 Discussion", "", "Heat stress affects growth.", None),
        ("1 Introduction", "", "A mask that is too large will improve accuracy.", None),
        ("4 Results", "", "The results show that this is the shortest mask that can help.", None),
        ("1 Introduction", "", "Salt is one of the most important substances.", None),
        ("1 Introduction", "", "The role of masks has not been studied.",
         {"The role of masks has not, to our knowledge, been studied."}),
        ("1 Introduction", "", "Our mask has not been studied.", None),
        # judgements
        ("1 Introduction", "", "The most popular mask is the square.",
         {"Perhaps the most popular mask is the square."}),
        ("1 Introduction", "", "Exploration remains a key challenge.",
         {"Exploration arguably remains a key challenge."}),
        ("1 Introduction", "", "Rice is one of the most important crops.", None),
        ("1 Introduction", "", "The mask is crucial for all tasks.", None),
        # what is established or measured, by whomever
        ("1 Introduction", "", "Dropout improves accuracy [3].", None),
        ("1 Introduction", "", "It is a stress that greatly affects growth.", None),
        ("1 Introduction", "", "A recent study has shown that growth was reduced.", None),
        ("1 Introduction", "", "The protein has been shown to produce noise.", None),
        ("1 Introduction", "", "Breeders can improve growth.", None),
    ],
)  # fmt: skip
def test_additions_of_version_9_by_hand(
    section: str, before: str, sentence: str, expected: set[str] | None
) -> None:
    assert made(section, before, sentence) == (expected or {sentence})


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # the number of subjects with names, brackets, asides and "between"
        ("GhWRKY42 may be involved in growth.", "GhWRKY42 is involved in growth."),
        ("The effect of masks (and noise) may be limited.",
         "The effect of masks (and noise) is limited."),
        ("The differences between masks and noise may be due to size.",
         "The differences between masks and noise are due to size."),
        ("The inability to see a mask may be due to noise.",
         "The inability to see a mask is due to noise."),
        ("The gap is rare and may be caused by noise.", "The gap is rare and is caused by noise."),
        # what something is for another, and what happened
        ("This mask may be an important factor in growth.",
         "This mask is an important factor in growth."),
        ("Masks, labels or noise may have contributed to the gap.",
         "Masks, labels or noise contributed to the gap."),
        ("The gap appeared to be small.", "The gap was small."),
        ("The gap appeared to depend on noise.", "The gap depended on noise."),
        ("The gap appeared to meet the goal.", "The gap met the goal."),
        # one of several causes, a guess at one, and which of many things are meant
        ("This gap may be due to noise or to size.", "This gap can be due to noise or to size."),
        ("They differ in size and in speed, and may reflect noise.", None),
        ("The share of masks that may benefit is high.",
         "The share of masks that can benefit is high."),
        ("Some may see this as a gap.", None),
        ("Future work may improve masks.", "Future work can improve masks."),
        # any verb, where evidence suggests it
        ("This suggests that the mask may perform better.",
         "This shows that the mask performs better."),
        ("Noise was not seen, since this might have improved masks.", None),
        ("This suggests that the mask may be activated by noise.",
         "This shows that the mask is activated by noise."),
        # reports
        ("These results strongly suggest that masks help.",
         "These results clearly show that masks help."),
        ("The rise of both scores with size suggests that masks help.",
         "The rise of both scores with size shows that masks help."),
        ("Smith and coworkers (2008) suggested that masks help.", None),
        ("Most people in the study indicated that masks help.", None),
        ("The figure shows a gap, which indicates that masks help.",
         "The figure shows a gap, which demonstrates that masks help."),
        ("Noise falls, indicating that masks help or labels disagree.", None),
        ("Results would indicate that masks win, suggesting that noise is low.", None),
        # a clause without "that", knowledge without a comma, a possible reason, an activity
        ("We believe neural masks can be improved.", "Neural masks can be improved."),
        ("To our knowledge these masks were not used.", "These masks were not used."),
        ("One possible explanation is that noise is low.",
         "One explanation is that noise is low."),
        ("A possible explanation is that noise is low.", "An explanation is that noise is low."),
        ("Using the masks may lead to noise.", "Using the masks can lead to noise."),
        ("The bias may reduce noise.", "The bias reduces noise."),
        ("The gap may be closely related to noise.", "The gap is closely related to noise."),
        ("We argue that the gap may be limited.", "We argue that the gap is limited."),
        # options, situations, and what is known to happen
        ("Masks remove potentially harmful noise.", None),
        ("We use masks of sizes possibly higher than three.", None),
        ("We ask to what extent a mask may respond to noise.", None),
        ("The masks may be divided by size.", None),
        ("There might exist masks without labels.", None),
        ("It avoids cases in which a mask may fail.", "It avoids cases in which a mask can fail."),
        ("It is known that masks may cause gaps.", None),
        ("The mask may be poor due to noise.", "The mask can be poor due to noise."),
        ("Otherwise, the mask may fail to help.", None),
        ("The gap is potentially due to noise or because labels differ.", None),
        ("The gap may lead to noise. Alternatively, labels differ.", None),
        ("If masks are free, this value indicates that noise is low.", None),
        ("The reasons that may matter have not been studied.", None),
        ("We showed that masks win, suggesting that noise is low.",
         "We showed that masks win, demonstrating that noise is low."),
        # not beside a certainty, and not where the next sentence takes it up
        ("Masks are perhaps critical and certainly useful.", None),
        ("The masks may help. This hypothesis was tested.", None),
        ("The masks may help. To test this, we masked twice.", None),
        ("We have masks, speeds and noise, which may cause gaps.",
         "We have masks, speeds and noise, which can cause gaps."),
    ],
)  # fmt: skip
def test_removals_of_version_9_by_hand(sentence: str, expected: str | None) -> None:
    assert made("1 Introduction", "", sentence, "remove") == {expected or sentence}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # any subject, a relative clause, one of two verbs, and what was found of others: "can"
        ("Masks and noise in a set of $n$ labels might affect growth.",
         "Masks and noise in a set of $n$ labels can affect growth."),
        ("We list factors that may affect growth.", "We list factors that can affect growth."),
        ("We list factors that may need labels.", None),
        ("We list people who may affect growth.", None),
        ("These genes may have new functions.", "These genes can have new functions."),
        ("This study may have the limitation that labels vary.", None),
        ("The masks with $m$ labels may be used to find noise.",
         "The masks with $m$ labels can be used to find noise."),
        ("We study how noise may affect growth.", "We study how noise can affect growth."),
        ("The fear is that noise may affect growth.", None),
        (
            "The growth may increase to a high value by 2050.",
            "The growth will increase to a high value by 2050.",
        ),
        # "could" of a cause or an effect, and not of an ability or of the past
        ("The gap could be attributed to noise.", "The gap can be attributed to noise."),
        ("This could explain the gap.", "This can explain the gap."),
        ("The mask could help.", "The mask can help."),
        ("The mask could help, and it was small.", "The mask can help, and it was small."),
        ("The mask was small and could help.", None),
        ("The mask could be seen.", None),
        ("All strains could produce noise.", None),
        ("We found that noise could explain the gap.", None),
        ("With labels, noise would fall, and this could explain the gap.", None),
        # an outer hedge goes while the clause that it introduces keeps its own
        ("The results suggest that we may see a gap.", "The results show that we may see a gap."),
        ("It is likely that users may see a gap.", "Users may see a gap."),
        ("Possibly, the gap in $m$ might be new.", None),
        ("These masks may help or might hurt.", None),
        # what seems so, beside a contrast of two things
        ("These masks appear to be small, while those labels vary.",
         "These masks are small, while those labels vary."),
        ("These masks appear to be small, but they are large.", None),
        # what holds for most cases
        ("Losses tend to be larger here than for labels.", None),
        # any verb after evidence, any participle with its preposition, and a word of worth
        ("This suggests that OsERF#123 might be targeted by noise.",
         "This shows that OsERF#123 can be targeted by noise."),
        ("The gaps in $m$ may belong to noise.", None),
        ("It may be a more accurate mask.", "It is a more accurate mask."),
        ("Some may use the mask.", None),
        ("It should be noted that the masks may not be useful.",
         "It should be noted that the masks are not useful."),
        ("A class may have labeled masks.", None),
        ("This may have masked the effect.", "This masked the effect."),
        ("Noise falls, thereby suggesting that masks help.",
         "Noise falls, thereby showing that masks help."),
        ("Noise falls, suggesting little gain.", "Noise falls, showing little gain."),
        ("Noise falls, suggesting masks.", None),
        ("The results may not scale to text.", "The results do not scale to text."),
        ("The mask could prove very beneficial.", "The mask can prove very beneficial."),
        ("Noise falls, indicating the effects of size.",
         "Noise falls, showing the effects of size."),
        ("The masks are wide and potentially very useful.", "The masks are wide and very useful."),
        ("Losses vary, which likely reflects noise.", "Losses vary, which reflects noise."),
        ("Although further evidence is needed, the masks may help.", None),
        # one of two explanations, a state, and what is only thought
        ("Alternatively, noise may have induced the gap.", None),
        ("Masks and noise in $m$ may share a cause.", None),
        ("A concept in biology suggests that noise matters.", None),
        # likely, before a participle
        ("Noise is high, likely contributing to the gap.",
         "Noise is high, contributing to the gap."),
        ("These changes are likely contributing to the gap.",
         "These changes are contributing to the gap."),
        ("The labels are likely different.", "The labels are different."),
        # reports after an aside or a first verb, and of a thing that is there or not
        ("The results, with two masks, suggest that noise matters.",
         "The results, with two masks, show that noise matters."),
        ("This result is new, and suggests that noise matters.",
         "This result is new, and shows that noise matters."),
        ("Noise falls, suggesting no effect of masks.", "Noise falls, showing no effect of masks."),
        ("Noise falls, suggesting their role in growth.",
         "Noise falls, showing their role in growth."),
        ("One possible mechanism is noise.", "One mechanism is noise."),
        ("It plays a possible role in growth.", "It plays a role in growth."),
    ],
)  # fmt: skip
def test_removals_of_version_10_by_hand(sentence: str, expected: str | None) -> None:
    assert made("1 Introduction", "", sentence, "remove") == {expected or sentence}


def test_what_the_next_sentence_builds_on_and_what_was_just_hedged_stay() -> None:
    text = "Label noise can lead to gaps. Therefore, masks win."
    assert edited(text, "add") == text
    text = "Masks are one of the most important tools. Labels are one of the most important tools."
    assert edited(text, "add") == text.replace("Masks are", "Masks are arguably")
    text = "The results show that masks help. This shows that labels help."
    assert (
        edited(text, "add") == "The results suggest that masks help. This shows that labels help."
    )


def test_each_form_to_add_is_counted_as_a_hedge() -> None:
    rows = [row for row in lexicon().addition.values() if not row.action.startswith("add-modal")]
    forms = [(row.form, new) for row in rows for new in row.new.split("/") if new]
    assert len(forms) > 150
    for form, new in forms:
        assert count_hedges(new) > count_hedges(form), form
