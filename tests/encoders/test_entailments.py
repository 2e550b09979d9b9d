"""Cross-encoders of natural language inference: the label that is read, and both directions."""

from __future__ import annotations

from pathlib import Path

import pytest

from revkit import Edit, Paper
from revkit.contracts import Context
from revkit.encoders import entailments, find_cross_encoder
from revkit.errors import RunError
from revkit_robustrev.entailment import Entailment

LABELS = {0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}
TEXT = "# T\n\nAlpha is small here. Beta is large here.\n"


def tiny(folder: Path, labels: dict[int, str]) -> str:
    """A model of natural language inference with some hundred random weights."""
    transformers = pytest.importorskip("transformers")
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "alpha", "beta", "is", "small", "large"]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    transformers.set_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=64,
        id2label=labels,
        label2id={name: index for index, name in labels.items()},
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return str(folder)


@pytest.mark.slow
@pytest.mark.model
def test_a_real_model_of_no_understanding_gives_probabilities(tmp_path: Path) -> None:
    name = tiny(tmp_path / "tiny", LABELS)
    pairs = [("alpha is small", "beta is large"), ("beta is large", "alpha is small")]
    found = entailments(find_cross_encoder(name), pairs)
    assert all(0 < probability < 1 for probability in found)
    assert entailments(find_cross_encoder(name), pairs[1:]) == found[1:], "no neighbour matters"

    paper = Paper(id="p", text=TEXT)
    start = TEXT.index("small")
    edit = Edit(start, start + 5, "large")
    everything, nothing = Entailment(name, min_probability=0), Entailment(name, min_probability=1)
    assert everything.ready() == []
    assert everything.prune(paper, [edit], Context()) == [edit]
    assert nothing.prune(paper, [edit], Context()) == []
    check = everything.check(paper, [edit], Context())
    assert check.passed
    old, new = "Alpha is small here.", "Alpha is large here."
    assert check.value == min(entailments(find_cross_encoder(name), [(old, new), (new, old)]))
    assert everything.identity() == Entailment(name, min_probability=0).identity()
    other = find_cross_encoder(tiny(tmp_path / "other", {0: "good", 1: "bad"}))
    with pytest.raises(RunError, match="no label 'entailment'"):
        entailments(other, pairs)


def test_a_model_that_is_not_here_is_reported_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    (problem,) = Entailment("some/nli-model").ready()
    assert "the model of entailment 'some/nli-model' is not on this machine" in problem
    assert "hf download some/nli-model" in problem


def test_nothing_changed_is_no_pass() -> None:
    check = Entailment("some/nli-model").check(Paper(id="p", text=TEXT), [], Context())
    assert (check.value, check.passed) == (None, False)
