"""The offline twin: repeatable, of unit length, and no judge of meaning."""

from __future__ import annotations

import zlib

import numpy
import pytest

from revkit.errors import OptionError
from revkit_embedders.hashed_ngrams import HashedNgrams


def test_one_gram_lands_in_its_cell() -> None:
    vectors = HashedNgrams(dimensions=64).embed(["a"])
    code = zlib.crc32(b" a ")  # the one gram of 3 letters; none of 4 or 5
    expected = numpy.zeros(64)
    expected[(code & 0x7FFFFFFF) % 64] = 1.0 if code >> 31 else -1.0
    assert numpy.array_equal(vectors, [expected.astype(numpy.float32)])


def test_shape_type_and_length() -> None:
    vectors = HashedNgrams().embed(["Masks help.", "masks  help.", "", "Noise harms."])
    assert vectors.shape == (4, 512)
    assert vectors.dtype == numpy.float32
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 0, 1], abs=1e-6)
    assert numpy.array_equal(vectors[0], vectors[1])
    assert HashedNgrams().embed([]).shape == (0, 512)


def test_spelling_not_meaning() -> None:
    base, turned, paraphrase = HashedNgrams().embed(
        [
            "our method outperforms the old baseline",
            "our method is outperformed by the old baseline",
            "the previous approach is beaten by the one proposed here",
        ]
    )
    assert float(base @ turned) > 0.6 > float(base @ paraphrase)


def test_dimensions_are_bounded() -> None:
    with pytest.raises(OptionError):
        HashedNgrams(dimensions=1)
