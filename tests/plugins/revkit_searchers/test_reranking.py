"""Rerankers: which one is there, what replaces one that is not, and that it is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.encoders import find_cross_encoder
from revkit.model.review import Failure
from revkit.testing import context
from revkit_searchers import reranking
from revkit_searchers.local_index import LocalIndex
from revkit_searchers.openalex import OpenAlex

SEED = "OpenSciLM/OpenScholar_Reranker"
ROWS = [{"title": "Gates one"}, {"title": "Gates two and two"}, {"title": "Other things"}]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def works(tmp_path: Path) -> str:
    path = tmp_path / "works.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return str(path)


def laid(folder: Path, **config: Any) -> Path:
    """What looks like a model's folder."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_a_missing_model_stops_a_run_before_it_starts(works: str) -> None:
    index = LocalIndex(paths=(works,), embeddings=False, reranker=SEED)
    (message,) = index.ready()
    assert f"the reranker '{SEED}' is not on this machine" in message
    assert f"hf download {SEED}" in message
    assert "reranker-fallback: embeddings" in message
    found = index.search("gates", 3, Context())
    assert isinstance(found, Failure)
    assert found.kind == "rejected"
    assert OpenAlex(api_key_env="", reranker=SEED).ready()


@pytest.mark.parametrize("fallback", ["bm25", "embeddings"])
def test_a_stand_in_is_named_and_said(works: str, fallback: Any) -> None:
    index = LocalIndex(paths=(works,), reranker=SEED, reranker_fallback=fallback)
    assert index.ready() == []
    found = index.search("gates two", 3, context())
    assert not isinstance(found, Failure)
    assert found[0].title == "Gates two and two"
    assert {work.ranked_by for work in found} == {
        f"{fallback}, because the reranker {SEED} is not available on this machine"
    }
    scores = [work.score for work in found]
    assert scores == sorted(scores, key=lambda score: -(score or 0))


def test_a_model_in_the_cache_ranks(
    works: str, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_in = LocalIndex(
        paths=(works,), embeddings=False, reranker=SEED, reranker_fallback="bm25"
    )
    before = stands_in.identity()
    place = empty_cache / f"models--{SEED.replace('/', '--')}"
    laid(place / "snapshots" / "abc")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("abc\n")
    seen: list[tuple[str, list[str]]] = []

    def relevances(files: Any, query: str, texts: list[str]) -> list[float]:
        seen.append((query, texts))
        return [float(len(text)) for text in texts]

    monkeypatch.setattr(reranking, "relevances", relevances)
    index = LocalIndex(
        paths=(works,), embeddings=False, reranker=SEED, reranker_fallback="bm25", candidates=2
    )
    assert index.ready() == []
    found = index.search("gates", 1, Context())
    assert not isinstance(found, Failure)
    assert [(work.title, work.score, work.ranked_by) for work in found] == [
        ("Gates two and two", 17.0, SEED)
    ]
    assert seen == [("gates", ["Gates one", "Gates two and two"])]
    assert LocalIndex(paths=(works,), embeddings=False, reranker=SEED).identity() != before
    # One that was asked before keeps to its stand-in: a run does not change in its midst.
    assert stands_in.identity() == before


def test_the_content_of_a_model_is_its_identity(tmp_path: Path, works: str) -> None:
    folder = laid(tmp_path / "model")
    first = LocalIndex(paths=(works,), reranker=str(folder)).identity()
    moved = laid(tmp_path / "moved")
    assert LocalIndex(paths=(works,), reranker=str(moved)).identity() == first
    (moved / "model.safetensors").write_bytes(b"others!")
    assert LocalIndex(paths=(works,), reranker=str(moved)).identity() != first


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"config.json": "{"}, "config.json cannot be read"),
        ({"config.json": '{"auto_map": {"AutoModel": "x.Y"}}'}, "would run code"),
        ({"modules.json": '[{"type": "evil.Module"}]'}, "would run code"),
        ({"modules.json": "[{}]"}, "cannot be read"),
    ],
)
def test_models_that_bring_code_are_refused(
    tmp_path: Path, works: str, files: dict[str, str], why: str
) -> None:
    folder = laid(tmp_path / "model")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (message,) = LocalIndex(paths=(works,), reranker=str(folder)).ready()
    assert why in message


def test_pickled_weights_are_refused(tmp_path: Path, works: str) -> None:
    folder = laid(tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    (message,) = LocalIndex(paths=(works,), reranker=str(folder)).ready()
    assert "no weights in safetensors" in message


@pytest.mark.slow
@pytest.mark.model
def test_a_real_cross_encoder_of_no_understanding(tmp_path: Path, works: str) -> None:
    """The real loading and scoring, with a model of some hundred random weights."""
    transformers = pytest.importorskip("transformers")
    folder = tmp_path / "tiny"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "gates", "one", "two", "and", "other"]
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
        num_labels=1,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    index = LocalIndex(paths=(works,), embeddings=False, reranker=str(folder))
    assert index.ready() == []
    found = index.search("gates", 3, Context())
    assert not isinstance(found, Failure)
    assert {work.title for work in found} == {"Gates one", "Gates two and two"}
    assert {work.ranked_by for work in found} == {"tiny"}
    scores = [work.score for work in found]
    assert scores[0] is not None
    assert scores[1] is not None
    assert 0 < scores[1] <= scores[0] < 1
    assert index.search("gates", 3, Context()) == found
    assert find_cross_encoder(str(folder)).digest == find_cross_encoder(str(folder)).digest


def test_a_missing_model_is_not_a_search_without_one(works: str) -> None:
    plain = LocalIndex(paths=(works,), embeddings=False)
    missing = LocalIndex(paths=(works,), embeddings=False, reranker=SEED)
    other = LocalIndex(paths=(works,), embeddings=False, reranker="BAAI/bge-reranker-base")
    identities = [each.identity() for each in (plain, missing, other)]
    assert all(identities.count(each) == 1 for each in identities)


@pytest.mark.parametrize("fallback", ["bm25", "embeddings"])
def test_what_stands_in_is_not_what_was_asked_for(works: str, fallback: Any) -> None:
    asked = LocalIndex(paths=(works,), reranker=fallback)
    stands_in = LocalIndex(paths=(works,), reranker=SEED, reranker_fallback=fallback)
    same = LocalIndex(paths=(works,), reranker="", reranker_fallback=fallback)
    assert asked.shared_identity(("reranker_fallback",)) != stands_in.shared_identity(
        ("reranker_fallback",)
    )
    assert asked.shared_identity(("reranker_fallback",)) != same.shared_identity(
        ("reranker_fallback",)
    )
