"""The store: answers stay, and whatever is wrong with the file is told."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from revkit.cache import Attempts, Paid, Store, attempts_to_json, spent_on
from revkit.errors import StoreError
from revkit.model_settings import Cost

KEY = hashlib.sha256(b"k").digest()


def test_answers_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.db"
    with Store(path) as store:
        assert store.get(KEY) is None
        assert store.get_json(KEY) is None
        assert store.put_json(KEY, {"b": [1, 2.5, None, "é\udcff"]}) == {
            "b": [1, 2.5, None, "é\udcff"]
        }
    with Store(path) as store:
        assert store.get_json(KEY) == {"b": [1, 2.5, None, "é\udcff"]}


@pytest.mark.parametrize("deeper", ["b.db", "c/b.db"])
def test_a_store_below_a_file_names_the_remedy(tmp_path: Path, deeper: str) -> None:
    (tmp_path / "a.db").write_bytes(b"")
    remedy = r"a file has the name of a folder of its path \(name a file in a folder .* --store\)"
    with pytest.raises(StoreError, match=remedy):
        Store(tmp_path / "a.db" / deeper)


def test_the_first_answer_counts_for_both(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as one, Store(tmp_path / "s.db") as two:
        assert one.put_json(KEY, 1) == 1
        assert two.put_json(KEY, 2) == 1
        assert one.get_json(KEY) == two.get_json(KEY) == 1


def test_the_same_content_is_kept_once(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        for number in range(5):
            store.put(bytes([number]), b"x" * 1000)
    connection = sqlite3.connect(tmp_path / "s.db")
    assert connection.execute("SELECT count(*) FROM content").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM asked").fetchone() == (5,)
    connection.close()


def test_empty_bodies_and_memory() -> None:
    with Store(None) as store:
        assert store.put(KEY, b"") == b""
        assert store.get(KEY) == b""


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    Store(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer revkit \(format 99, this one reads 5\)"):
        Store(path)
    assert path.read_bytes() == before


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="a database of another program"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "body",
    [
        b"hello, this is no database at all",
        b"\0" * 4096,
        b"SQLite format 3\0" + b"x" * 5000,
    ],
)
def test_garbage_is_told_and_left_alone(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(body)
    with pytest.raises(StoreError, match=r"cannot be opened: .*move the file to another place"):
        Store(path)
    assert path.read_bytes() == body


def test_a_truncated_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        for number in range(200):
            store.put(number.to_bytes(4, "big"), os.urandom(2000))
    body = path.read_bytes()
    path.write_bytes(body[: len(body) // 2])

    def read_all() -> None:
        with Store(path) as store:
            for number in range(200):
                store.get(number.to_bytes(4, "big"))

    with pytest.raises(StoreError):
        read_all()


def test_damaged_content_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        store.put_json(KEY, {"a": 1})
    connection = sqlite3.connect(path)
    connection.execute("UPDATE content SET body = x'00010203'")
    connection.commit()
    connection.close()
    with Store(path) as store:
        assert store.get_json(KEY) is None
        assert store.damaged == {KEY: "an answer"}
        store.name_damaged(KEY, "review")
        store.name_damaged(b"other", "nothing")
        assert store.damaged == {KEY: "review"}
        assert store.put_json(KEY, {"a": 1}) == {"a": 1}  # computed again, it is there again
    with Store(path) as store:
        assert store.get_json(KEY) == {"a": 1}
        assert store.damaged == {}
        (row,) = store.query("SELECT key, body FROM damaged", ())
        assert row == (KEY, b"\0\1\2\3")
    with Store(tmp_path / "t.db") as store:
        store.put(KEY, b"not json")
        with pytest.raises(StoreError, match="not JSON"):
            store.get_json(KEY)


def _body_of(path: Path, value: bytes, body: bytes) -> None:
    """Put ``body`` in the place of that of ``value``, under its digest."""
    with sqlite3.connect(path) as database:
        digest = hashlib.sha256(value).digest()
        database.execute("UPDATE content SET body = ? WHERE digest = ?", (body, digest))
    database.close()


@pytest.mark.parametrize(
    "body", [b"", b"\0", zlib.compress(b"other"), b"\1" + b"x" * 40, "text", 5]
)
def test_a_damaged_answer_is_set_aside_for_all_its_keys(tmp_path: Path, body: Any) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        store.put(b"one", b"value")
        store.put(b"two", b"value")
        store.put(b"three", b"another value")
    _body_of(path, b"value", body)
    with Store(path) as store:
        assert store.get(b"two") is None
        assert store.damaged.keys() == {b"one", b"two"}
        assert store.get(b"one") is None
        assert store.get(b"three") == b"another value"
        assert store.put(b"one", b"value") == b"value"
        assert store.get(b"one") == b"value"
        assert store.get(b"two") is None


def test_an_answer_that_is_packed_with_a_damaged_one_is_set_aside(tmp_path: Path) -> None:
    path, long = tmp_path / "s.db", os.urandom(500)
    with Store(path) as store:
        store.put(b"reply", long)
        store.put(b"review", long + b"read", like=b"reply")
    _body_of(path, long, zlib.compress(long[:-1] + b"?"))
    with Store(path) as store:
        store.put(b"fresh", long + b"fresh", like=b"reply")  # not packed with a damaged body
        assert store.get(b"review") is None
        assert store.get(b"reply") is None
        assert store.get(b"fresh") == long + b"fresh"
        store.put(b"reply", b"asked again")
        assert store.put(b"review", b"asked again, read", like=b"reply") == b"asked again, read"
    with Store(path) as store:
        assert store.get(b"review") == b"asked again, read"


def test_an_answer_is_set_aside_on_request(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        store.put(b"one", b"value")
        store.put(b"two", b"value")
        store.set_aside(b"one")
        store.set_aside(b"absent")
        assert (store.get(b"one"), store.get(b"two")) == (None, b"value")
        assert store.put(b"one", b"new") == b"new"


def test_a_store_of_the_format_before_is_read_and_gets_the_new_tables(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        store.put_json(KEY, 1)
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE damaged")
        database.execute("DROP TABLE attempt")
        database.execute("PRAGMA user_version=2")
    database.close()
    with Store(path) as store:
        assert store.get_json(KEY) == 1
        assert spent_on(store, ["e"]) == Cost()
        assert attempts_to_json(store, "e") == []


def test_attempts_are_summed_by_experiment_and_survive(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        mine, other = Attempts(store, "mine"), Attempts(store, "other")
        paid = mine.sent("agents.a", "m", KEY, Cost(1, 1000, 0.5))
        mine.ended(paid, "answered", Cost(1, 30, 0.25), 1.5, Paid(20, 10, 5, 0.25))
        useless = mine.sent("agents.a", "m", KEY, Cost(1, 1000, 0.5))
        mine.ended(useless, "answered", Cost(1, 2**70, 0.25), 0.5, Paid(2**70, 10, None, 0.25))
        mine.unusable(useless, "schema")
        mine.sent("agents.a", "m", KEY, Cost(1, 1000, 0.5))  # and the process is killed
        other.sent("agents.a", "m", KEY, Cost(1, 7, None))
    with Store(path) as store:
        assert spent_on(store, ["other"]) == Cost(1, 7, 0.0)
        whole = spent_on(store, ["mine", "other", "mine"])
        assert (whole.calls, whole.usd) == (4, 1.0)
        rows: Any = attempts_to_json(store, "mine")
    assert [(row["outcome"], row["requests"], row["usd"], row["unpriced"]) for row in rows] == [
        ("answered", 1, 0.25, 0),
        ("in flight", 1, 0.0, 1),
        ("schema", 1, 0.25, 0),
    ]
    assert (rows[0]["prompt_tokens"], rows[0]["cached_tokens"], rows[0]["seconds"]) == (20, 5, 1.5)
    assert (rows[1]["charged_tokens"], rows[1]["charged_usd"]) == (1000, 0.5)
    json.dumps(rows)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "s.db")


def _put(store: Store, number: int) -> None:
    store.put(number.to_bytes(4, "big"), os.urandom(3000))


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as store:
        store.put_json(KEY, "kept")
        store._connection.execute("PRAGMA max_page_count=8")
        with pytest.raises(StoreError, match=r"full.*free some space.*continues from there"):
            list(map(partial(_put, store), range(50)))
        assert store.get_json(KEY) == "kept"
    with Store(path) as store:
        assert store.get_json(KEY) == "kept"
        found = [store.get(number.to_bytes(4, "big")) for number in range(50)]
        assert any(body is None for body in found)
        assert all(body is None or len(body) == 3000 for body in found)


def test_many_threads(tmp_path: Path) -> None:
    with Store(tmp_path / "s.db") as store:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for item in range(40):
                    key = f"{item}".encode()
                    assert store.put_json(key, {"item": item}) == {"item": item}
                    assert store.get_json(key) == {"item": item}
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []


_WRITER = """
import sys
from pathlib import Path
from revkit.cache import Store
with Store(Path(sys.argv[1])) as store:
    for item in range(150):
        kept = store.put_json(f"{item}".encode(), [item, sys.argv[2]])
        assert kept[0] == item, kept
        assert store.get_json(f"{item}".encode()) == kept
"""


def test_two_processes_on_one_store(tmp_path: Path, environment: dict[str, str]) -> None:
    path = tmp_path / "s.db"
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(path), name], env=environment)
        for name in "ab"
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    with Store(path) as store:
        answers: list[Any] = [store.get_json(f"{item}".encode()) for item in range(150)]
    assert [answer[0] for answer in answers] == list(range(150))


def test_a_store_from_before_rows_had_numbers_goes_on(tmp_path: Path) -> None:
    """Older files keep their bodies in the order of digests; they are read and written as any."""
    path = tmp_path / "store.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE asked (key BLOB PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID"
        )
        connection.execute(
            "CREATE TABLE content (digest BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID"
        )
        body = b'{"a":1}'
        digest = hashlib.sha256(body).digest()
        connection.execute("INSERT INTO content VALUES (?, ?)", (digest, zlib.compress(body)))
        connection.execute("INSERT INTO asked VALUES (?, ?)", (b"k" * 32, digest))
        connection.execute("PRAGMA user_version=1")
    connection.close()
    with Store(path) as store:
        assert store.get_json(b"k" * 32) == {"a": 1}
        assert store.put_json(b"l" * 32, {"a": 1}) == {"a": 1}
        assert store.put_json(b"k" * 32, {"a": 2}) == {"a": 1}
        assert store.get_json(b"l" * 32) == {"a": 1}


def test_a_body_that_repeats_another_takes_little_room(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    text = " ".join(
        hashlib.sha256(bytes([n])).hexdigest() for n in range(50)
    )  # 3 kB, incompressible
    reply, review, third = (json.dumps({name: text}).encode() for name in ("reply", "review", "x"))
    with Store(path) as store:
        assert store.put(b"a" * 32, reply) == reply
        assert store.put(b"b" * 32, review, like=b"a" * 32) == review
        assert store.put(b"c" * 32, third, like=b"b" * 32) == third  # no chain of bodies
        assert store.put(b"d" * 32, third, like=b"-" * 32) == third  # nothing there to be like
    with Store(path) as store:
        assert [store.get(each * 32) for each in (b"a", b"b", b"c")] == [reply, review, third]
    connection = sqlite3.connect(path)
    sizes = [size for (size,) in connection.execute("SELECT length(body) FROM content")]
    assert sorted(size < 200 for size in sizes) == [False, False, True]
    connection.execute(
        "DELETE FROM content WHERE body NOT LIKE x'01' || '%' AND length(body) > 200"
    )
    connection.commit()
    connection.close()
    with Store(path) as store:
        assert store.get_json(b"b" * 32) is None  # a part of it is missing
        assert store.damaged.keys() == {b"b" * 32}


def test_the_same_bytes_whether_the_other_was_put_just_now_or_long_ago(tmp_path: Path) -> None:
    text = " ".join(hashlib.sha256(bytes([n])).hexdigest() for n in range(50))
    reply, review = (json.dumps({name: text}).encode() for name in ("reply", "review"))
    for name, between in (("now", b""), ("later", b"something else")):
        with Store(tmp_path / name) as store:
            store.put(b"a" * 32, reply)
            if between:
                store.put(b"-" * 32, between)
            store.put(b"b" * 32, review, like=b"a" * 32)
            assert store.get(b"b" * 32) == review
    bodies = []
    for name in ("now", "later"):
        connection = sqlite3.connect(tmp_path / name)
        bodies.append(set(connection.execute("SELECT digest, body FROM content")))
        connection.close()
    assert len(bodies[0]) == 2
    assert bodies[0] < bodies[1]


def test_what_others_spend_meanwhile_is_read_from_the_store(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(path) as one, Store(path) as two:
        mine = Attempts(one, "e", ["shared"])
        other, shared = Attempts(two, "e"), Attempts(two, "shared")
        for attempts in (mine, other, shared):
            ended = attempts.sent("a", "m", KEY, Cost(1, 1000, 0.5))
            attempts.ended(ended, "answered", Cost(1, 30, 0.25), 1.5, Paid(20, 10, 5, 0.25))
            attempts.sent("a", "m", KEY, Cost(1, 1000, 0.5))  # in flight, counted in full
        assert mine.elsewhere() == Cost(4, 2060, 1.5)
        assert shared.elsewhere() == Cost(0, 0, 0.0)
        assert other.elsewhere() == Cost(2, 1030, 0.75)
