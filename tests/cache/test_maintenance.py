"""Stores are checked, cleaned, copied and measured without losing a valid answer."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from revkit import api
from revkit.cache import Store
from revkit.cli.main import cli
from revkit.errors import StoreError
from revkit.testing import toys

TEXT = b"a reply of many words, " * 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "s.db"
    with Store(place) as store:
        for number in range(20):
            store.put(b"reply%d" % number, TEXT + b"%d" % number)
            store.put(b"review%d" % number, TEXT + b"review %d" % number, b"reply%d" % number)
    return place


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


def test_a_sound_store(path: Path) -> None:
    found = api.check_store(path)
    assert (found.answers, found.damaged, found.missing, found.file) == (40, 0, 0, ())
    assert found.sound


def test_damage_is_counted_and_nothing_is_changed(path: Path) -> None:
    # One whole body: its own answer and the one that is packed against it.
    change(
        path,
        "UPDATE content SET body = x'00' WHERE digest = "
        "(SELECT content FROM asked WHERE key = CAST('reply3' AS BLOB))",
    )
    change(
        path,
        "DELETE FROM content WHERE digest = "
        "(SELECT content FROM asked WHERE key = CAST('review7' AS BLOB))",
    )
    found = api.check_store(path)
    assert (found.answers, found.damaged, found.missing) == (40, 2, 1)
    assert api.check_store(path) == found
    done = CliRunner().invoke(cli, ["store", "check", "--store", str(path), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.output)["damaged"] == 2


def test_garbage_is_removed_and_every_answer_stays(path: Path) -> None:
    with Store(path) as store:
        before = {key: store.get(key) for key in sorted(store.keys())}
    # Without an answer of its own, the reply is still the dictionary of a review.
    change(path, "DELETE FROM asked WHERE key = CAST('reply5' AS BLOB)")
    change(path, f"INSERT INTO content VALUES (zeroblob(32), randomblob({200_000}))")
    assert api.collect_garbage(path) > 150_000
    with Store(path) as store:
        after = {key: store.get(key) for key in sorted(store.keys())}
        assert not store.damaged
    before.pop(b"reply5")
    assert after == before
    assert api.check_store(path).sound


def test_a_copy_has_every_answer(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "copy.db"
    assert api.copy_store(target, path) == target.stat().st_size
    with Store(path) as one, Store(target) as other:
        assert one.keys() == other.keys()
        assert [one.get(key) for key in sorted(one.keys())] == [
            other.get(key) for key in sorted(other.keys())
        ]
    with pytest.raises(StoreError, match="exists"):
        api.copy_store(target, path)


def test_sizes_by_sort(tmp_path: Path, no_plugins: None, toy_spec: dict[str, Any]) -> None:
    run = api.run(toy_spec, out=tmp_path / "r", store=tmp_path / "s.db", plugins=[toys])
    found = api.store_size(tmp_path / "s.db")
    assert found.answers["variants"] == len(run.records.variants)
    # Equal texts share an answer.
    assert 0 < found.answers["reviews"] <= len(run.records.verdicts)
    assert found.answers["replies"] == 0
    assert found.per_thousand_reviews is not None


def test_merging_by_command(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with Store(other) as store:
        store.put(b"more", b"1")
    arguments = ["store", "merge", str(other), "--store", str(path)]
    assert "1 new answers" in CliRunner().invoke(cli, arguments).output
    assert "0 new answers" in CliRunner().invoke(cli, arguments).output


@pytest.mark.parametrize("call", [api.check_store, api.collect_garbage, api.store_size])
def test_no_store_is_created(call: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        call(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
