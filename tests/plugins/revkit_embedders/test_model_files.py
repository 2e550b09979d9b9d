"""Which model files are found, and which are refused, without loading any model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.files import cached_snapshot
from revkit_embedders import model_files
from revkit_embedders.model_files import checked_files, find_model
from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder


def model_folder(folder: Path, kind: str = "sentence_transformers.models.Transformer") -> Path:
    folder.mkdir(parents=True)
    modules = [{"idx": 0, "name": "0", "path": "", "type": kind}]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "config.json").write_text("{}")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_a_folder_is_known_by_its_content(tmp_path: Path) -> None:
    one, two = model_folder(tmp_path / "one"), model_folder(tmp_path / "two")
    assert find_model(str(one)).digest == find_model(str(two)).digest
    (two / "model.safetensors").write_bytes(b"other weights")
    assert find_model(str(one)).digest != find_model(str(two)).digest
    (one / "README.md").write_text("no part of the model")
    before = find_model(str(one)).digest
    (one / "README.md").write_text("still no part")
    assert find_model(str(one)).digest == before


def test_code_and_pickles_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="run code that came with the model"):
        checked_files(model_folder(tmp_path / "code", kind="custom_module.Evil"))
    pickled = model_folder(tmp_path / "pickle")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(RunError, match="pickled weights are not loaded"):
        checked_files(pickled)
    outside = model_folder(tmp_path / "outside")
    modules = [{"path": "../x", "type": "sentence_transformers.models.Transformer"}]
    (outside / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(RunError, match="points outside"):
        checked_files(outside)
    with pytest.raises(RunError, match="not a sentence model"):
        checked_files(tmp_path)


def test_packaged_weights_must_be_the_known_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model_folder(tmp_path / "fake_package" / "model")
    (tmp_path / "fake_package" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert model_files.package_folder("fake_package") == tmp_path / "fake_package" / "model"
    assert "fake_package" not in sys.modules, "its code is not imported"
    monkeypatch.setattr(model_files, "package_folder", lambda: tmp_path / "fake_package" / "model")
    with pytest.raises(RunError, match="is not the expected file"):
        find_model("all-MiniLM-L6-v2")


def test_hub_cache_is_read_without_a_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert cached_snapshot("group/small", "modules.json") is None
    place = tmp_path / "models--group--small"
    folder = model_folder(place / "snapshots" / "abc123")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("abc123\n")
    assert cached_snapshot("group/small", "modules.json") == folder
    assert find_model("group/small").folder == folder


def test_offline_without_files_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(model_files, "package_folder", lambda: None)
    with pytest.raises(RunError, match=r"pip install 'revkit\[offline\]'"):
        SentenceTransformerEmbedder().embed(["x"])
