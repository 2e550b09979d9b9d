"""Operations on the parse: each by hand, and what they leave alone."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from revkit import Paper, Rejection
from revkit.grammar import parser_available
from revkit.testing import context
from revkit_robustrev.paraphrase import Paraphrase
from revkit_robustrev.prose import Prose
from revkit_robustrev.restructuring import Restructurer

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("spacy") is None or not parser_available(),
    reason="needs the extra 'parser'",
)
PAPERS = Path(__file__).parents[4] / "shared" / "data" / "markdown_papers"


def paper_of(text: str) -> Paper:
    return Paper(id="p", text=f"# A title\n\n# 1 Introduction\n\n{text}\n")


def restructured(text: str) -> dict[str, str]:
    """What each operation makes of a text whose first sentence is restructured, by its name."""
    paper = paper_of(text)
    found = {}
    start = paper.sentences[0].start
    for each in Restructurer(paper, Prose(paper)).of(0):
        new = paper.text
        for piece in sorted(each.pieces, key=lambda piece: -piece.start):
            new = new[: start + piece.start] + piece.new + new[start + piece.end :]
        found[each.name] = new[start:].rstrip("\n")
    return found


HAND = [
    ("addition: also", "The model is also useful in the second task.",
     "In addition, the model is useful in the second task."),
    ("addition: both", "We train the network on both images and texts.",
     "We train the network on images as well as texts."),
    ("predicate with a noun: affect", "The depth strongly affects the accuracy of the model.",
     "The depth has a strong effect on the accuracy of the model."),
    ("predicate with a noun: improve", "The loss can improve the accuracy on small graphs.",
     "The loss can lead to an improvement in the accuracy on small graphs."),
    ("impersonal: it is known that", "Deep networks are known to forget old tasks quickly.",
     "It is known that deep networks forget old tasks quickly."),
    ("impersonal: it is necessary", "We need to compute the gradient for each layer.",
     "It is necessary to compute the gradient for each layer."),
    ("frame: the focus is", "This paper focuses on the training of deep networks.",
     "The focus of this paper is on the training of deep networks."),
    ("existence: exists", "There is a large gap between the two models.",
     "A large gap exists between the two models."),
    ("passive with a noun: describe", "The training data are described in the second section.",
     "A description of the training data is given in the second section."),
    ("purpose as a noun: estimate", "To estimate the noise, we use a large batch of images.",
     "For the estimation of the noise, we use a large batch of images."),
    ("manner: efficiently", "The new layer computes the gradient efficiently.",
     "The new layer computes the gradient in an efficient manner."),
    ("condition: if to in cases where", "If the labels are noisy, the model learns slowly.",
     "In cases where the labels are noisy, the model learns slowly."),
    ("attribute to clause: behind its noun", "We look for features relevant to the second task.",
     "We look for features that are relevant to the second task."),
    ("frame: exhibit that does", "In Section 3, we describe the training of the model.",
     "Section 3 describes the training of the model."),
    ("list: both, after a preposition", "We train the model on the images and the texts.",
     "We train the model on both the images and the texts."),
    ("clause: after we do", "After training the model, we test it on new images.",
     "Once we have trained the model, we test it on new images."),
    ("clause order: if to the end", "If the loss is too large, we stop the training.",
     "We stop the training if the loss is too large."),
    ("clause order: to to the end", "To reduce the noise, we use a large batch.",
     "We use a large batch to reduce the noise."),
    ("active to passive: train", "We train the encoder on two datasets.",
     "The encoder is trained on two datasets."),
    ("frame: the paper as the doer", "In this paper, we propose a new loss for graphs.",
     "This paper proposes a new loss for graphs."),
    ("frame: table as the doer", "The results of all models are shown in Table 2.", None),
    ("link: but to although", "The method is very simple, but the results are strong.",
     "Although the method is very simple, the results are strong."),
    ("connective order: however", "However, the second model fails on long texts.",
     "The second model, however, fails on long texts."),
    ("split: but", "The first model learns very fast, but the second model fails on long texts.",
     "The first model learns very fast. However, the second model fails on long texts."),
    ("join: however", "The first model learns fast. However, the second model fails.",
     "The first model learns fast; however, the second model fails."),
    ("of to possessive: accuracy", "We report the accuracy of the model.",
     "We report the model's accuracy."),
    ("relative clause to participle: use", "We compare methods that use attention with ours.",
     "We compare methods using attention with ours."),
    ("link: leading to which", "The noise grows with depth, leading to unstable training.",
     "The noise grows with depth, which leads to unstable training."),
    ("active to passive: propose", "We propose a method that finds all edges of a graph.",
     "A method is proposed that finds all edges of a graph."),
    ("frame: our assumption", "We assume that the noise is small in each layer.",
     "Our assumption is that the noise is small in each layer."),
    ("frame: it is observed", "For small nets, we observed that the loss grows.",
     "For small nets, it was observed that the loss grows."),
    ("frame: our aim is", "We aim to reduce the cost of long training.",
     "Our aim is to reduce the cost of long training."),
    ("impersonal: it is possible", "The gradient can be computed in one pass.",
     "It is possible to compute the gradient in one pass."),
    ("impersonal: doing as the subject", "It is difficult to train deep networks.",
     "Training deep networks is difficult."),
    ("frame: exhibit that shows", "As shown in Table 2, the loss falls in each epoch.",
     "Table 2 shows that the loss falls in each epoch."),
    ("aside: unlike", "Unlike the old model, the new model learns fast.",
     "The new model, unlike the old model, learns fast."),
    ("phrase order: before that", "In this section, we show that the loss falls.",
     "We show in this section that the loss falls."),
    ("attribute to clause: proposed", "The proposed method outperforms the baselines.",
     "The method that we propose outperforms the baselines."),
    ("attribute to clause: pair", "It is a simple and fast method.",
     "It is a method that is simple and fast."),
    ("compound to of: structure", "The network structure limits the speed of training.",
     "The structure of the network limits the speed of training."),
    ("of to compound: output", "The output of the network is a small vector.",
     "The network output is a small vector."),
    ("predicate with a noun: evaluate", "We evaluate the model on two datasets.",
     "We carry out an evaluation of the model on two datasets."),
    ("ability: able to", "The model can learn the rules of a game.",
     "The model is able to learn the rules of a game."),
    ("expression: make it possible", "This loss allows the model to learn long texts.",
     "This loss makes it possible for the model to learn long texts."),
    ("relative pronoun: which", "We compare the models that fail on long texts.",
     "We compare the models which fail on long texts."),
    ("active to passive: propose", "We propose a criterion to measure the loss of a graph.",
     "A criterion is proposed to measure the loss of a graph."),
    ("active to passive: introduce", "In this section, we introduce a loss based on trees.",
     "In this section, a loss based on trees is introduced."),
    ("phrase to clause: with", "The small networks with many layers learn fast in all tests.",
     "The small networks that have many layers learn fast in all tests."),
    ("clause to phrase: with", "We look at networks that have many small layers.",
     "We look at networks with many small layers."),
    ("passive to active: train", "The networks were trained for ten epochs. We used two sets.",
     "We trained the networks for ten epochs. We used two sets."),
    ("passive to active: apply", "After each layer, dropout is applied to the output. We tune it.",
     "After each layer, we apply dropout to the output. We tune it."),
    ("reason: since to because", "Since the loss is smooth, the training converges fast.",
     "Because the loss is smooth, the training converges fast."),
    ("reason: because to as", "The training is fast, because the loss is smooth in all points.",
     "The training is fast, as the loss is smooth in all points."),
    ("ability: able to capable", "The old model is able to learn the rules of a game.",
     "The old model is capable of learning the rules of a game."),
    ("ability: capable to able", "The old model is capable of learning the rules of a game.",
     "The old model is able to learn the rules of a game."),
    ("ability: able to", "We train a model that can learn the rules of a game.",
     "We train a model that is able to learn the rules of a game."),
    ("means: using to by means of", "The gradient is computed using the chain rule.",
     "The gradient is computed by means of the chain rule."),
    ("quantity: every", "The loss falls in all experiments.",
     "The loss falls in every experiment."),
    ("predicate: better", "The new model significantly outperforms the old model.",
     "The new model performs significantly better than the old model."),
    ("predicate: outperform", "The new model performs better than the old model.",
     "The new model outperforms the old model."),
    ("frame: what aims", "The goal of this work is to find a faster loss.",
     "This work aims to find a faster loss."),
    ("frame: we show in the exhibit", "Table 3 shows the results of all models.",
     "In Table 3, we show the results of all models."),
    ("frame: we see in the exhibit", "Table 3 shows that the loss falls in each epoch.",
     "From Table 3, we see that the loss falls in each epoch."),
    ("split: which to this", "The new loss is smooth in all points, which makes the training fast.",
     "The new loss is smooth in all points. This makes the training fast."),
    ("join: this to which", "The new loss is smooth in all points. This makes the training fast.",
     "The new loss is smooth in all points, which makes the training fast."),
    ("link: but to however", "The first model learns fast, but the second model fails.",
     "The first model learns fast; however, the second model fails."),
    ("condition: when in the middle", "The old model learns slowly when the batch is large.",
     "The old model learns slowly in cases where the batch is large."),
    ("condition: then", "If the loss is large, we stop the training of the model.",
     "If the loss is large, then we stop the training of the model."),
    ("expression: refer to call", "We refer to this method as the first baseline.",
     "We call this method the first baseline."),
    ("expression: call to refer", "We call this method the first baseline of the paper.",
     "We refer to this method as the first baseline of the paper."),
    ("list: both, qualities", "The loss of the new model is smooth and convex.",
     "The loss of the new model is both smooth and convex."),
    ("compound to of: architecture", "We describe our model architecture in the next section.",
     "We describe the architecture of our model in the next section."),
    ("means: using to with the help of", "We approach this task using a large encoder.",
     "We approach this task with the help of a large encoder."),
    ("of to possessive: output", "We report the output of the neural network.",
     "We report the neural network's output."),
    ("relative clause to apposition: is",
     "The input goes to the encoder, which is trained on a large set of images.",
     "The input goes to the encoder, trained on a large set of images."),
    ("joint: as well as", "We train on large graphs and small images in this work.",
     "We train on large graphs as well as small images in this work."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), HAND, ids=[row[0] for row in HAND])
def test_operations_by_hand(name: str, text: str, expected: str | None) -> None:
    found = restructured(text)
    if expected is None:  # "Table 2" is protected
        assert name not in found
    else:
        assert found.get(name) == expected, found


LEFT = [
    "If it is too large, it stops the training.",  # what "it" is would change
    "We allow the model to reduce the noise.",  # what is allowed
    "The rates are 3 and 5 for nets and trees, respectively.",
    "We report the mean and standard deviation.",
    "The model “uses a loss, but the loss fails” here.",
    "In contrast, we use a large batch.",
    "A reward is only given when the robot reaches the goal.",  # what "only" belongs to
    "We measure the distances between an object and its neighbors.",
]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_in_doubt_stays(text: str) -> None:
    names = {name.partition(":")[0] for name in restructured(text)}
    assert names & {"clause order", "phrase order", "enumeration order", "link"} == set()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("enumeration", "It is a graph, where places are nodes and paths are edges."),
        ("active to passive", "The diversity of styles represents a vocabulary for an image."),
        ("active to passive", "We propose Neural Diffusion with a source term for graphs."),
        ("active to passive", "We use Area under the curve to measure the performance."),
        ("active to passive", "We investigate a network and a loss that models all frames."),
        ("active to passive", "We use the network with a large width in all tests."),
        ("active to passive", "We present a factorization of the scene into many parts."),
        ("enumeration", "It closes the gap between conventional and deep learning based methods."),
        ("attribute to phrase", "We add a high-quality SVM."),  # "a" or "an SVM"
        ("link", "While it is a useful tool, the analysis of the data takes much time."),
        ("relative", "We test the hypothesis that disentangled forms are needed for the task."),
        ("relative", "To assess our results we had to introduce two sets of new images."),
        ("participle", "All sets were collected from mates processed in the same way."),
        ("adverb", "The states may be poorly approximated with discrete clusters of them."),
        ("addition", "It was larger in both May and June, respectively, than in the rest."),
        ("phrase order", "We come back to the training later in this section."),
        ("manner", "All of these steps significantly reduce the large error of the model."),
        ("manner", "The new model captures the structure iteratively in large images of cells."),
        ("active to passive", "We set a bit of notation before the main result."),
        ("impersonal", "The recent success can be accredited to the large size of the sets."),
        ("attribute to clause", "It is a simple and effective way to train the network."),
        ("purpose", "We use the same loss with the motivation to reduce the cost of training."),
        ("purpose", "We extend the old layer of the model to input representations of any size."),
        ("phrase to clause", "It needs samples from a factored prior distribution of the model."),
        ("split", "The search keeps the best candidates at each step; where the size is fixed."),
        ("participle to relative", "It solves challenges arisen in the practice of the field."),
        ("attribute to clause", "Our experiment is conducted on two large sets of new images."),
        ("ability", "In order to be able to define a loss, we need many labels for it."),
        ("participle", "The models for the old curves proposed by the others fail here."),
        ("condition: then", "If the loss is large, it is cut, or else the training fails."),
        ("active to passive", "We build the analysis based on the framework of the others."),
        ("relative pronoun", "It states the probability that two nodes of a graph are related."),
        ("relative pronoun", "We learn a form that's useful for the tasks of the next part."),
        ("enumeration", "It is a model that uses AF prior and autoregressive decoder."),
        ("joint", "They assess the desired pattern and the popular metric is the mean."),
        ("expression", "We refer to it as the first baseline of the new paper."),
        ("list: both", "The two losses of the new model are separate and independent."),
        ("split", "We solve the task by training and search; something that is hard for old nets."),
        ("means", "We use the old model for the texts while using its copy for the images."),
        ("active to passive", "In our work, we consider as safe a model that has strong bounds."),
        ("active to passive", "We choose ResNet-50 as our network architecture in this work."),
        ("link", "An example is a set, where images are colored, but the relation varies here."),
        ("joint", "We solve the hard task by combining learning and search in this work."),
        (
            "relative form",
            "It implies that to obtain the features we need the model must be large.",
        ),
    ],
)
def test_what_belongs_together_stays_together(kind: str, text: str) -> None:
    assert not [name for name in restructured(text) if name.startswith(kind)]


@pytest.mark.parametrize(
    ("text", "spoilt"),
    [
        ("There are many categories of problems which makes the task hard for us.", "that makes"),
        ("This follows the general trend that fewer errors correlate with size.", "which fewer"),
        ("Nets are good at capturing periodic behaviors which is not a goal.", "that is not"),
        ("They are more expressive than small ones which is why they are used.", "that is why"),
        ("SQuAD is considered as the official testbed for reading.", "that is testbed"),
        ("These methods are fast, in most cases providing good bounds.", "that provide"),
        ("In this way the TT-Networks can implement such functions.", "able to"),
        ("In practice the algorithm can become heavy for long inputs.", "able to"),
        ("By varying the depth of the network, we aim to find its limits.", "our aim"),
    ],
)
def test_what_a_reader_found_spoilt_is_not_written(text: str, spoilt: str) -> None:
    assert all(spoilt not in found for found in restructured(text).values())


def test_a_term_of_the_paper_is_not_parted() -> None:
    sentence = "We use back-propagation through time in all tests."
    once, again = sentence, f"{sentence} It is known as back-propagation through time."
    assert "active to passive: use" in restructured(once)
    assert "active to passive: use" not in restructured(again)


def test_no_passive_takes_the_subject_of_a_later_verb() -> None:
    found = restructured("We show our method on five sets (texts, maps) and achieve good results.")
    for name, text in found.items():
        assert not name.startswith("active to passive") or " we achieve" in text


def test_prose_about_a_table_is_restructured_and_a_lemma_is_not() -> None:
    assert restructured("Table 5 shows the results of all models on both sets of images.")
    assert not restructured("Lemma 5 shows the results of all models on both sets of images.")


def test_a_lone_abbreviation_is_no_sentence_to_join() -> None:
    assert restructured("We train the large model on all images. Inc. We test it.")


def test_no_operation_drops_the_number_of_a_section() -> None:
    found = restructured("In section B.4, we highlight the open questions of this work.")
    assert found
    assert all("B.4" in text for text in found.values())


def test_a_sentence_gets_one_clause_behind_a_noun() -> None:
    paper = paper_of("The model trained on texts fails on images taken from the larger set.")
    both = restructured("The model trained on texts fails on images taken from the larger set.")
    assert sum("relative clause" in name for name in both) >= 1
    edits = Paraphrase(parser="required").perturb(paper, context(1))
    assert not isinstance(edits, Rejection)
    assert sum("relative clause" in edit.note for edit in edits) <= 1


def test_a_citation_stays_with_its_claim() -> None:
    paper = paper_of("We use a large batch to reduce the noise [3].")
    assert all("order" not in each.name for each in Restructurer(paper, Prose(paper)).of(0))


def test_without_operations_the_table_is_left() -> None:
    paper = paper_of("If the loss is too large, we stop the training of the net.")
    for family in (Paraphrase(restructurings=0), Paraphrase(parser="never")):
        edits = family.perturb(paper, context(1))
        kinds = set() if isinstance(edits, Rejection) else {edit.kind for edit in edits}
        assert kinds <= {"substitution"}
    assert Paraphrase(restructurings=0).identity() != Paraphrase(parser="never").identity()
    assert Paraphrase().identity() != Paraphrase(parser="never").identity()


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the shared papers are not beside this checkout")
def test_a_real_paper_is_restructured_and_keeps_what_is_protected() -> None:
    path = sorted(PAPERS.glob("*.md"))[0]
    paper = Paper(id="p", text=path.read_text(encoding="utf-8"))
    family = Paraphrase()
    edits = family.perturb(paper, context(2))
    assert not isinstance(edits, Rejection)
    checks = {check.name: check for check in family.gates(paper, edits, context())}
    assert all(check.passed for check in checks.values())
    assert checks["parser"].value == 1.0
    assert (checks["restructured"].value or 0) >= 0.15
    rules = [edit.note for edit in edits]
    assert max(rules.count(rule) for rule in set(rules)) <= max(2, 0.03 * len(rules) + 1)


@pytest.mark.parametrize("name", ["t", "vLLM", "fastText2"])
def test_no_symbol_and_no_name_of_mixed_case_gets_a_capital(name: str) -> None:
    text = f"Depending on the task, {name} might be set to the first of the two values."
    raised = name[0].upper() + name[1:]
    assert not [new for new in restructured(text).values() if new.startswith(raised)]
    plain = "Depending on the task, the threshold might be set to the first of the two values."
    assert any(new.startswith("The threshold") for new in restructured(plain).values())
