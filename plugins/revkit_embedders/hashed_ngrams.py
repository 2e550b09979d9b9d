"""`HashedNgrams`: character n-grams hashed into a vector, for runs without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from zlib import crc32

from revkit import Embedder, option
from revkit.dataclass import dataclass

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class HashedNgrams(Embedder):
    """Embeds a text by its character 3-, 4- and 5-grams, hashed into a fixed number of cells.

    It measures whether two texts share spelling, **not whether they mean the same**: "outperforms"
    and "is outperformed by" lie close, two true paraphrases far apart. It is the offline twin of
    ``sentence-transformer`` for tests and for trying out a pipeline; no figure about meaning may
    rest on it. Case and runs of blanks are ignored.

    The method is feature hashing (Weinberger et al., 2009, "Feature Hashing for Large Scale
    Multitask Learning"), with CRC-32 as the hash: the low bits choose the cell, one higher bit the
    sign. The same text gives the same vector on every machine.
    """

    name: ClassVar[str] = "hashed-ngrams"
    version: ClassVar[str] = "1"

    dimensions: int = option(512, help="Length of a vector.", minimum=16, maximum=65536)

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, shape (len(texts), dimensions); zeros for a blank text."""
        import numpy

        vectors = numpy.zeros((len(texts), self.dimensions), dtype=numpy.float64)
        for row, text in enumerate(texts):
            folded = f" {' '.join(text.lower().split())} "
            if folded.isspace():
                continue
            grams = Counter(
                folded[i : i + size] for size in (3, 4, 5) for i in range(len(folded) - size + 1)
            )
            for gram, count in grams.items():
                code = crc32(gram.encode("utf-8", "surrogatepass"))
                sign = 1.0 if code >> 31 else -1.0
                vectors[row, (code & 0x7FFFFFFF) % self.dimensions] += sign * count
        lengths = numpy.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0.0] = 1.0
        result: numpy.ndarray[Any, Any] = (vectors / lengths).astype(numpy.float32)
        return result
