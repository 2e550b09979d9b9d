"""Every reader of JSON files from elsewhere refuses numbers that are no finite floats, keys that
occur twice, and endless nesting, each with its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.calibration.map_files import load_map
from revkit.errors import RevkitError
from revkit.files import Unreadable, json_in_file, json_values
from revkit.files.folders import CorpusFile
from revkit.files.run_files import read_object, read_objects, read_rows
from revkit.forms import ExampleProblem, load_examples, parse_form
from revkit.http import read_json
from revkit.pairsets import read_papers
from revkit.registry import load_registry
from revkit.sheets.draw import digest_of_key
from revkit.sheets.read import read_sheet
from revkit.venues.records import parse
from revkit_asc.bank.reader import read_bank
from revkit_defenses.reference_index import read_index
from revkit_reviewground.drafts import DraftProblem, load_drafts
from revkit_robustrev.citation_pool import read_pool
from revkit_searchers.collection import read_collection

FORM = """name: mine
scale: {minimum: 1, maximum: 4, higher-is-better: true, accept-at: 3}
score: rating
fields: {rating: {type: integer, minimum: 1, maximum: 4, help: "1 poor to 4 excellent."}}
"""
Read = Callable[[Path], Any]


def _sheet(path: Path) -> Any:
    (path.parent / "key.json").write_bytes(path.read_bytes())
    return read_sheet(path.parent, [])


READERS: dict[str, tuple[str, Read]] = {
    "records": ("r.jsonl", lambda path: list(read_rows(path))),
    "result": ("result.json", read_object),
    "ledger": ("ledger.json", lambda path: read_objects(path)),
    "map": ("map.json", lambda path: load_map(path, load_registry())),
    "pair set": ("p.jsonl", lambda path: list(read_papers(path))),
    "key of a sheet": ("k.json", _sheet),
    "digest of a key": ("k.json", digest_of_key),
    "any file": ("a.json", json_in_file),
    "examples": ("e.jsonl", lambda path: load_examples(str(path), parse_form(FORM))),
    "drafts": ("d.jsonl", lambda path: load_drafts(str(path))),
    "index": ("i.jsonl", lambda path: read_index([str(path)])),
    "pool": ("p.jsonl", lambda path: read_pool(str(path))),
    "bank": ("b.jsonl", read_bank),
}
FAULTS = {
    '{"a": {"b": [0, 1e999]}}': "a.b[1]: 1e999 is too large for a number",
    '{"a": NaN}': "a: NaN is not a JSON number",
    '{"a": -Infinity}': "a: -Infinity is not a JSON number",
    '{"a": 1' + "0" * 400 + "}": "is too large for a number",
    '{"a": {"b": 1, "b": 1}}': "a: the key 'b' occurs twice in one object",
    '{"a": ' * 300 + "1" + "}" * 300: "nested too deeply",
    '{"a": ' * 100_000: "nested too deeply",
}


@pytest.mark.parametrize("text", FAULTS, ids=list(FAULTS.values()))
@pytest.mark.parametrize("name", READERS)
def test_a_fault_is_refused_with_its_place(name: str, text: str, tmp_path: Path) -> None:
    file, read = READERS[name]
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    with pytest.raises((RevkitError, Unreadable, ExampleProblem, DraftProblem)) as raised:
        read(path)
    message = str(raised.value)
    assert len(message) < 1_000
    if name != "bank":  # its reader names the first line, whatever is wrong with it
        assert FAULTS[text] in message


def test_the_messages_of_run_files_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.jsonl"
    path.write_text('{"a": 1}\n{"score": {"overall": 1e999}}\n', encoding="utf-8")
    with pytest.raises(RevkitError) as raised:
        list(read_rows(path))
    assert str(raised.value) == (
        f"{path}: line 2 is not a valid record: score.overall: 1e999 is too large for a number; "
        "run the experiment again, or get the folder again from whoever made it"
    )


def test_a_record_of_a_corpus_with_such_a_number_is_left_out_alone(tmp_path: Path) -> None:
    path = tmp_path / "papers.jsonl"
    path.write_text('{"id": 1}\n{"id": 2, "rating": 1e999}\n{"id": 3}\n', encoding="utf-8")
    values = [value for _, _, value in json_values(CorpusFile(path, path.name), 1_000)]
    assert values[::2] == [{"id": 1}, {"id": 3}]
    assert str(values[1]) == "malformed JSON at rating: 1e999 is too large for a number"


def test_records_of_venues_read_such_a_number_as_null_with_a_note() -> None:
    value, notes = parse('{"rating": 1e999, "confidence": 3.5}')
    assert value == {"rating": None, "confidence": 3.5}
    assert notes == ("'1e999' is too large for a number: read as null",)


def test_a_reply_of_a_service_keeps_the_rest() -> None:
    text = '{"a": 1e999, "b": NaN, "c": [-Infinity, 2.5], "d": ' + "9" * 5000 + "}"
    assert read_json(text) == {"a": None, "b": None, "c": [None, 2.5], "d": None}


def test_an_entry_of_a_collection_with_such_a_number_is_named(tmp_path: Path) -> None:
    path = tmp_path / "works.jsonl"
    rows = [
        json.dumps({"title": "A study of gates", "year": 2020}),
        '{"title": "B", "year": 1e999}',
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    found = read_collection([str(path)])
    assert [each.title for each in found.works] == ["A study of gates"]
    [message] = found.irregular
    assert message.endswith("year: 1e999 is too large for a number")
