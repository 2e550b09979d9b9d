"""The local index: what it reads, what it states  bad entries, and what it finds."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import Context, Services
from revkit.errors import RunError
from revkit.model.review import Failure
from revkit.model.work import Work
from revkit.testing import context
from revkit_searchers.collection import DEFAULT, read_collection
from revkit_searchers.local_index import LocalIndex

ROWS: list[dict[str, Any]] = [
    {"title": "Token gates for long documents", "year": 2024, "authors": ["Ada Lindqvist"]},
    {"title": "Graph attention on molecules", "year": 2021, "abstract": "Gates help a little."},
    {"title": "Offline reinforcement learning", "year": 2023, "keywords": ["offline data"]},
    {"title": "A survey of gates", "year": None, "identifier": "doi:10.1000/s"},
]


def written(folder: Path, rows: list[Any], name: str = "works.jsonl") -> str:
    path = folder / name
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


def titles(found: Any) -> list[str]:
    assert not isinstance(found, Failure), found
    return [work.title for work in found]


def words_only(path: str, **options: Any) -> LocalIndex:
    return LocalIndex(paths=(path,), embeddings=False, **options)


def test_words_find_titles_keywords_and_abstracts(tmp_path: Path) -> None:
    index = words_only(written(tmp_path, ROWS))
    found = index.search("gate", 10, Context())
    # By hand: the word is once in each; the shorter the text, the higher.
    assert titles(found) == [
        "A survey of gates",
        "Token gates for long documents",
        "Graph attention on molecules",
    ]
    assert not isinstance(found, Failure)
    assert [work.ranked_by for work in found] == ["bm25"] * 3
    assert found[0].score is not None
    assert titles(index.search("offline data", 10, Context())) == ["Offline reinforcement learning"]
    assert titles(index.search("gate", 1, Context())) == ["A survey of gates"]
    assert titles(index.search("quantum", 10, Context())) == []
    assert titles(index.search("gate", 0, Context())) == []


def test_years_and_works_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, ROWS)
    late = words_only(path, from_year=2023)
    assert titles(late.search("gates", 9, Context())) == ["Token gates for long documents"]
    without = words_only(path, exclude=("token gates for LONG documents", "10.1000/S"))
    assert titles(without.search("gates", 9, Context())) == ["Graph attention on molecules"]
    assert len(titles(words_only(path, limit=2).search("gates", 9, Context()))) == 2


@pytest.mark.parametrize("query", ["", " ", "?!", "the of and", "\u202e"])
def test_a_query_without_words_is_rejected(tmp_path: Path, query: str) -> None:
    found = words_only(written(tmp_path, ROWS)).search(query, 3, Context())
    assert isinstance(found, Failure)
    assert found.kind == "rejected"


def vectors(texts: Any) -> Any:
    """ "cars" and "automobiles" point one way, all else another."""
    import numpy

    near = [any(word in text.lower() for word in ("car", "automobile")) for text in texts]
    return numpy.asarray([[1.0, 0.0] if each else [0.0, 1.0] for each in near], dtype="<f4")


def test_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    rows = [{"title": "Automobiles"}, {"title": "Cars and roads"}, {"title": "Bread"}]
    index = LocalIndex(paths=(written(tmp_path, rows),))
    ctx = Context(services=Services(embed=vectors), uses=index.uses)
    found = index.search("cars", 9, ctx)
    assert titles(found) == ["Cars and roads", "Automobiles"]
    assert not isinstance(found, Failure)
    # By hand: "Cars and roads" is first by words and second by meaning (ties by title).
    assert found[0].score == pytest.approx(1 / 61 + 1 / 62)
    assert found[1].score == pytest.approx(1 / 61)
    assert found[0].ranked_by == "bm25 and embeddings"


def test_the_vectors_are_asked_for_once(tmp_path: Path) -> None:
    asked: list[int] = []

    def embed(texts: Any) -> Any:
        asked.append(len(texts))
        return vectors(texts)

    index = LocalIndex(paths=(written(tmp_path, ROWS),))
    ctx = Context(services=Services(embed=embed))
    for _ in range(3):
        index.search("gates", 3, ctx)
    assert sorted(asked) == [1, 1, 1, 4]
    again = pickle.loads(pickle.dumps(index))
    assert again == index
    assert titles(again.search("gates", 3, ctx)) == titles(index.search("gates", 3, ctx))


def test_an_embedder_is_used_only_where_it_is_needed() -> None:
    assert LocalIndex().uses == ("embedder",)
    assert LocalIndex(embeddings=False).uses == ()
    assert LocalIndex(embeddings=False, reranker="embeddings").uses == ("embedder",)


BAD = ["{", "[1]", '{"year": 2020}', '{"title": ""}', '"text"']


def test_bad_entries_stop_a_run_or_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, [ROWS[0], *BAD, ROWS[1]])
    strict = words_only(path)
    (message,) = strict.ready()
    assert "5 entries" in message
    assert "works.jsonl, line 2: it is not JSON" in message
    assert "irregular: leave-out" in message
    found = strict.search("gates", 3, Context())
    assert isinstance(found, Failure)
    assert found.kind == "rejected"
    lenient = words_only(path, irregular="leave-out")
    assert lenient.ready() == []
    assert len(titles(lenient.search("gates", 3, Context()))) == 2
    identity: Any = lenient.identity()
    assert identity["counts"]["irregular"] == 5
    assert "5 irregular" in lenient.notes()[0]
    assert len(lenient.notes()) == 6


def test_the_identity_is_that_of_the_content(tmp_path: Path) -> None:
    first = words_only(written(tmp_path, ROWS, "a.jsonl"))
    assert first.identity() == words_only(written(tmp_path, ROWS, "b.jsonl")).identity()
    assert first.identity() != words_only(written(tmp_path, ROWS[:3], "c.jsonl")).identity()
    assert first.identity() != words_only(first.paths[0], from_year=2020).identity()
    assert first.files_needed() == first.paths


@settings(max_examples=25, deadline=None)
@given(order=st.permutations(range(4)), cut=st.integers(0, 4))
def test_the_order_of_entries_and_files_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, order: list[int], cut: int
) -> None:
    folder = tmp_path_factory.mktemp("works")
    rows = [ROWS[place] for place in order]
    paths = (written(folder, rows[:cut], "a.jsonl"), written(folder, rows[cut:], "b.jsonl"))
    index = LocalIndex(paths=paths)
    plain = LocalIndex(paths=(written(folder, ROWS, "c.jsonl"),))
    assert index.search("gates of graphs", 4, context()) == plain.search(
        "gates of graphs", 4, context()
    )


def test_csv_with_its_habits(tmp_path: Path) -> None:
    path = tmp_path / "works.csv"
    path.write_bytes(
        "\ufeffTitle;Authors;Publication Year;DOI\r\n"
        '"Gates; and ""more""\nof them";"Ada Lindqvist; Bo Chen";2024;10.1000/G\r\n'
        "\r\n"
        "Too;few\r\n"
        ";nobody;2020;\r\n"
        '"Deep" nets;Bo Chen;2019;\r\n'.encode()
    )
    collection = read_collection([str(path)])
    assert collection.works == (
        Work('Gates; and "more" of them', ("Ada Lindqvist", "Bo Chen"), 2024, "", "doi:10.1000/g"),
    )
    assert collection.irregular == (
        "works.csv, line 5: it has 2 cells, but 4 columns",
        "works.csv, line 6: it has no title",
        "works.csv, line 7: it has a text behind a closing quote (double the quotes within a cell, "
        "and enclose it in quotes)",
    )


def test_a_reply_of_a_service_is_a_collection(tmp_path: Path) -> None:
    for name, works in (("semantic_scholar.json", 3), ("openalex.json", 3)):
        reply = Path(__file__).parent / "replies" / name
        assert len(read_collection([str(reply)]).works) == works


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", b"x", "does not have one of the formats"),
        ("a.jsonl", b"\xff\xfe", "is not UTF-8 at byte 0"),
        ("a.json", b"{", "is not JSON"),
        ("a.json", b'{"x": 1}', "contains no list of works"),
        ("a.csv", b"name,year\nx,1\n", "no column 'title'"),
        ("a.csv", b"", "no column 'title'"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RunError, match=why):
        read_collection([str(path)])
    with pytest.raises(RunError, match="cannot be read"):
        read_collection([str(tmp_path / "missing.jsonl")])


def test_an_empty_collection_finds_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, [])
    assert titles(words_only(path).search("gates", 3, Context())) == []
    assert titles(LocalIndex(paths=(path,)).search("gates", 3, context())) == []


def test_the_collection_that_comes_along() -> None:
    collection = read_collection([])
    assert collection.counts == {
        "works": 229,
        "duplicates-merged": 0,
        "irregular": 0,
        "without-year": 0,
        "years-unreadable": 0,
        "without-abstract": 229,
    }
    for line in DEFAULT.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        number = row["identifier"].removeprefix("arxiv:")
        assert row["year"] == 2000 + int(number[:2])
        assert row["url"] == f"https://arxiv.org/abs/{number}"
        assert row["keywords"]
    index = LocalIndex(embeddings=False, from_year=2023)
    assert titles(index.search("prompt injection", 2, Context())) == [
        "Prompt Injection attack against LLM-integrated Applications",
        "Not what you've signed up for: Compromising Real-World LLM-Integrated Applications with "
        "Indirect Prompt Injection",
    ]
