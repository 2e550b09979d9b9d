"""The built-in pool of references: its form, and its agreement with other bibliographic data."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from revkit.english import table_rows

ROOT = Path(__file__).resolve().parents[3]
POOL = ROOT / "plugins" / "revkit_robustrev" / "pool.jsonl"
OTHER = ROOT.parent / "shared" / "data" / "citations" / "pool.json"

FIELDS = {"key", "title", "authors", "et_al", "year", "venue", "identifier", "topics", "keywords"}
TOPICS = {
    "language-models",
    "machine-translation",
    "question-answering",
    "information-retrieval",
    "computer-vision",
    "generative-models",
    "reinforcement-learning",
    "graph-learning",
    "optimization",
    "robustness",
    "fairness-interpretability",
    "speech-audio",
    "recommender-systems",
    "probabilistic-methods",
    "representation-learning",
    "privacy-federated",
    "evaluation-benchmarks",
    "systems-efficiency",
    "medical-biology",
    "peer-review",
}
# Works of the other data that only share a title: books, other editions, a report before the paper.
OTHER_WORKS = {
    ("lecun2015deep", "2016"),
    ("rumelhart1986learning", "1988"),
    ("sutton1998reinforcement", "2018"),
    ("cover2006elements", "1999"),
}
IDENTIFIER = re.compile(
    r"arXiv:(?:0[7-9]|1\d|2\d)(?:0[1-9]|1[0-2])\.\d{4,5}"
    r"|doi:10\.\d{4,9}/[^\s<>\"]+"
    r"|acl:(?:[A-Z]\d{2}-\d{4}|20\d{2}\.[a-z0-9]+-[a-z0-9]+\.\d+)"
)


def _plain(text: str) -> list[str]:
    text = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(r"[a-z0-9]+", "".join(c for c in text if not unicodedata.combining(c)))


def _title_key(text: str) -> str:
    return " ".join(_plain(text))


def _family(name: str) -> str:
    words = [word for word in _plain(name) if word not in ("jr", "ii", "iii")]
    return words[-1] if words else ""


@pytest.fixture(scope="module")
def works() -> list[dict[str, Any]]:
    lines = POOL.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_pool_has_the_promised_size(works: list[dict[str, Any]]) -> None:
    assert 250 <= len(works) <= 600


def test_every_work_has_the_form_of_a_pool_line(works: list[dict[str, Any]]) -> None:
    for work in works:
        key = work.get("key")
        assert set(work) == FIELDS, key
        assert re.fullmatch(r"[a-z0-9]+", work["key"]), key
        for name in ("title", "venue", "identifier"):
            value = work[name]
            assert isinstance(value, str), (key, name)
            assert value, (key, name)
            assert value == " ".join(value.split()), (key, name)
        assert isinstance(work["et_al"], bool), key
        assert type(work["year"]) is int, key
        for name, least, most in (("authors", 1, 10), ("topics", 1, 3), ("keywords", 3, 8)):
            values = work[name]
            assert isinstance(values, list), (key, name)
            assert least <= len(values) <= most, (key, name)
            assert all(isinstance(v, str) and v and v == v.strip() for v in values), (key, name)
            assert len(set(values)) == len(values), (key, name)
        assert not work["et_al"] or len(work["authors"]) == 10, key
        assert all(re.fullmatch(r"[^,\s]+( [^,\s]+)+", name) for name in work["authors"]), key
        assert all(keyword == keyword.lower() for keyword in work["keywords"]), key


def test_no_key_title_or_identifier_comes_twice(works: list[dict[str, Any]]) -> None:
    for values in (
        [work["key"] for work in works],
        [_title_key(work["title"]) for work in works],
        [work["identifier"].casefold() for work in works],
    ):
        assert [value for value, n in Counter(values).items() if n > 1] == []


def test_identifiers_are_well_formed(works: list[dict[str, Any]]) -> None:
    assert [w["key"] for w in works if not IDENTIFIER.fullmatch(w["identifier"])] == []


def test_years_are_in_range_and_a_preprint_has_the_year_of_its_number(
    works: list[dict[str, Any]],
) -> None:
    for work in works:
        assert 1950 <= work["year"] <= 2025, work["key"]
        if work["identifier"].startswith("arXiv:") and work["venue"] == "arXiv":
            preprint = 2000 + int(work["identifier"][6:8])
            assert work["year"] == preprint, work["key"]


def test_every_topic_is_covered(works: list[dict[str, Any]]) -> None:
    counts = Counter(topic for work in works for topic in work["topics"])
    assert set(counts) == TOPICS
    assert {topic: n for topic, n in counts.items() if n < 10} == {}


@pytest.mark.skipif(
    not OTHER.is_file(),
    reason="needs shared/data/citations/pool.json, which is not beside this checkout",
)
def test_the_pool_agrees_with_other_bibliographic_data(works: list[dict[str, Any]]) -> None:
    others: dict[str, list[dict[str, Any]]] = {}
    for other in json.loads(OTHER.read_text(encoding="utf-8")):
        others.setdefault(_title_key(other["title"]), []).append(other)
    compared = 0
    conflicts = []
    for work in works:
        for other in others.get(_title_key(work["title"]), []):
            if (work["key"], str(other["year"])) in OTHER_WORKS:
                continue
            compared += 1
            if other["authors"] and _family(other["authors"][0]) != _family(work["authors"][0]):
                conflicts.append((work["key"], "first author", other["authors"][0]))
            if other["year"] is not None and abs(int(other["year"]) - work["year"]) > 1:
                conflicts.append((work["key"], "year", other["year"]))
    assert conflicts == []
    assert compared >= 50


def test_every_subject_names_works_of_the_pool(works: list[dict[str, Any]]) -> None:
    keys = {work["key"] for work in works}
    rows = table_rows(POOL.with_name("subjects.tsv"))
    phrases = [row["phrase"] for row in rows]
    assert len(rows) >= 250
    assert len(set(phrases)) == len(phrases)
    assert [row for row in rows if not set(row["works"].split()) <= keys or not row["works"]] == []
    assert {row["kind"] for row in rows} == {"", "broad", "unique", "name"}
