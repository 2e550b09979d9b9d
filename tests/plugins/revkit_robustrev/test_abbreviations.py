"""Abbreviations: which a paper introduces, where their other form is written, and the gate."""

from __future__ import annotations

import pytest

from revkit import Edit, Paper
from revkit.testing import context
from revkit_robustrev.abbreviations import abbreviations, replacements
from revkit_robustrev.claims import SameClaim

INTRODUCED = (
    "We train a recurrent neural network (RNN) on texts. Each RNN has two layers. "
    "We compare several RNNs with large layers. The RNN is small."
)


def known(text: str) -> dict[str, tuple[str, str]]:
    return {each.short: (each.long, each.plural) for each in abbreviations(text)}


def written(text: str, sentence: str) -> list[str]:
    """The sentence with each replacement that is allowed in it, one at a time."""
    low = text.index(sentence)
    high = low + len(sentence)
    return [
        text[low : each.start] + each.new + text[each.end : high]
        for each in replacements(text, low, high)
    ]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We use a long short-term memory (LSTM) here.", "LSTM", "long short-term memory"),
        ("We use a variational autoencoder (VAE) here.", "VAE", "variational autoencoder"),
        ("We use support vector machines (SVM) here.", "SVM", "support vector machine"),
        ("We use graph neural networks (GNNs) here.", "GNN", "graph neural network"),
        ("The model uses stochastic gradient descent (SGD).", "SGD", "stochastic gradient descent"),
    ],
)
def test_long_forms_are_the_words_whose_letters_make_the_short_form(
    text: str, short: str, long: str
) -> None:
    assert known(text)[short][0] == long


def test_a_short_form_with_two_meanings_or_none_is_left_out() -> None:
    assert known("A mean absolute error (MAE). A masked auto encoder (MAE).") == {}
    assert known("The model of our group (XYZ) is small.") == {}


def test_usual_short_forms_count_where_the_paper_writes_their_last_words() -> None:
    assert known("We train a CNN. A convolutional neural network has filters.")["CNN"][0] == (
        "convolutional neural network"
    )
    assert known("We train a CNN. Each neural network has filters.")["CNN"][0] == (
        "convolutional neural network"
    )
    assert known("We use the news of CNN and Daily Mail.") == {}
    assert known("We use RL in each step. The learning rate is high.") == {}


def test_both_forms_are_written_with_number_and_article() -> None:
    assert written(INTRODUCED, "Each RNN has two layers.") == [
        "Each recurrent neural network has two layers."
    ]
    assert written(INTRODUCED, "We compare several RNNs with large layers.") == []  # no plural
    plural = f"{INTRODUCED} Here recurrent neural networks are used. We like RNNs too."
    assert "We like recurrent neural networks too." in written(plural, "We like RNNs too.")
    assert "Here RNNs are used." in written(plural, "Here recurrent neural networks are used.")
    article = "We train an action model (AM). It is an AM that learns. We keep an AM. An AM works."
    assert "We keep an action model." in written(article, "We keep an AM.")
    vowels = "We use a Markov process (MP). Each MP is new. It is an MP here."
    assert "It is a Markov process here." in written(vowels, "It is an MP here.")


@pytest.mark.parametrize(
    "sentence",
    [
        "We use the RNN-based loss here.",
        "We use RNN and CNN layers here.",
        "We use the RNN (left) here.",
        "We see that RNN is better here.",  # a bare singular
        "The RNN recurrent layer is here.",  # a word would come twice
    ],
)
def test_names_lists_and_bare_singulars_stay(sentence: str) -> None:
    assert written(f"{INTRODUCED} {sentence}", sentence) == []


def test_the_sentence_that_introduces_a_form_stays() -> None:
    first = "We train a recurrent neural network (RNN) on texts."
    assert written(INTRODUCED, first) == []


def test_the_gate_takes_both_forms_as_the_same_and_sees_another_name() -> None:
    paper = Paper(id="p", text=f"# A title\n\n# 1 Introduction\n\n{INTRODUCED}\n")
    start = paper.text.index("RNN has two")
    gate = SameClaim(parser="never")
    same = [Edit(start, start + 3, "recurrent neural network", "abbreviation: RNN")]
    other = [Edit(start, start + 3, "GAN", "another name")]
    assert gate.prune(paper, same, context()) == same
    assert gate.prune(paper, other, context()) == []
