"""Data sets of the hub by name: the package datasets finds them, our corpora read their rows."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from revkit.contracts import Corpus
from revkit.errors import RunError
from revkit.files import hub
from revkit.model.paper import Paper, Skipped
from revkit_corpora.markdown import Markdown
from revkit_corpora.table import PaperTable

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """A stand-in for the package datasets that knows one data set, in two splits."""
    pyarrow = pytest.importorskip("pyarrow", reason="the extra parquet is not installed")
    calls: list[dict[str, Any]] = []

    def rows(split: str, ids: str) -> SimpleNamespace:
        files = []
        for number, id_ in enumerate(ids):
            table = pyarrow.table({"id": [f"{split}-{id_}"], "text": ["Some words."]})
            path = tmp_path / f"papers-{split}-{number}.arrow"
            with pyarrow.ipc.new_stream(str(path), table.schema) as writer:
                writer.write_table(table)
            files.append({"filename": str(path)})
        return SimpleNamespace(cache_files=files)

    def load_dataset(name: str, config: str | None, **more: Any) -> Any:
        calls.append({"name": name, "config": config, **more})
        if name != "owner/papers":
            raise FileNotFoundError(f"Dataset '{name}' does not exist on the Hub\nmore")
        splits = {"train": rows("train", "ab"), "test": rows("test", "c")}
        return splits if more["split"] is None else splits[more["split"]]

    module = ModuleType("datasets")
    vars(module).update(load_dataset=load_dataset, disable_progress_bars=lambda: None)
    monkeypatch.setitem(sys.modules, "datasets", module)
    hub._cached_files.cache_clear()
    yield calls
    hub._cached_files.cache_clear()


def test_all_splits_and_one(asked: list[dict[str, Any]], load: Load) -> None:
    papers, skipped = load(PaperTable(path="hub:owner/papers"))
    assert [paper.id for paper in papers] == ["train-a", "train-b", "test-c"]
    assert [paper.source for paper in papers][-1] == "test/1.arrow:1"
    assert skipped == []
    chosen = PaperTable(path="hub:owner/papers?split=test&revision=abc&config=main")
    assert [paper.id for paper in load(chosen)[0]] == ["test-c"]
    assert asked == [
        {"name": "owner/papers", "config": None, "split": None, "revision": None},
        {"name": "owner/papers", "config": "main", "split": "test", "revision": "abc"},
    ]
    identity = chosen.identity()
    assert isinstance(identity, dict)
    assert "path" not in identity


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("hub:owner/none", "Dataset 'owner/none' does not exist on the Hub"),
        ("hub:", "not the name of a data set"),
        ("hub:../etc", "not the name of a data set"),
        ("hub:owner/papers?splits=test", "not the name of a data set"),
        ("hub:owner/papers?split=", "not the name of a data set"),
    ],
)
def test_what_cannot_be_a_data_set(path: str, part: str, asked: list[dict[str, Any]]) -> None:
    with pytest.raises(RunError, match=part.replace("?", r"\?")) as error:
        PaperTable(path=path).files()
    assert "more" not in str(error.value).split()


def test_a_corpus_of_texts_reads_none(asked: list[dict[str, Any]]) -> None:
    with pytest.raises(RunError, match="use the corpus table"):
        Markdown(path="hub:owner/papers").files()


def test_without_the_package_the_extra_is_named(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(RunError, match=r"revkit\[hub\]"):
        PaperTable(path="hub:owner/papers").files()


CACHED = """
import json, shutil, sys
from pathlib import Path
import datasets
home = Path(sys.argv[1])
built = datasets.load_dataset("parquet", data_files={"test": sys.argv[2]})["test"]
file = Path(built.cache_files[0]["filename"])
place = home / "datasets" / "owner___papers" / "default" / "0.0.0" / ("0" * 40)
place.mkdir(parents=True)
shutil.copy(file, place / "papers-test.arrow")
about = json.loads((file.parent / "dataset_info.json").read_text())
(place / "dataset_info.json").write_text(json.dumps({**about, "dataset_name": "papers"}))
from revkit.testing import context
from revkit_corpora.table import PaperTable
for path in ("hub:owner/papers", "hub:owner/papers?split=test"):
    corpus = PaperTable(path=path, ratings_in=("r",), scale=(1, 10), decision="d")
    print(json.dumps([[p.id, p.labels.ratings, p.labels.accept] for p in corpus.papers(context())]))
"""


@pytest.mark.slow
def test_the_package_itself_finds_a_data_set_in_its_cache(tmp_path: Path) -> None:
    if importlib.util.find_spec("datasets") is None:
        pytest.skip("the extra hub is not installed")
    import pyarrow
    import pyarrow.parquet

    rows = {"id": ["a", "b"], "text": ["One.", "Two."], "r": [[6, 8], [3]], "d": ["Accept", "No"]}
    pyarrow.parquet.write_table(pyarrow.table(rows), tmp_path / "rows.parquet")
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CACHED, str(tmp_path), str(tmp_path / "rows.parquet")],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    expected = [["a", [6.0, 8.0], True], ["b", [3.0], False]]
    assert [json.loads(line) for line in done.stdout.splitlines()] == [expected, expected]
