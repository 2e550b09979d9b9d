"""One paper is forgotten: its text and reviews leave stores and run folders, the rest stays."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import revkit
from revkit.cache import Store
from revkit.cli.main import cli
from revkit.errors import RunError
from revkit.grammar import Parse, Token
from revkit.services import StoredParses

SECRET = (
    "The zirconium gates of Ulm may open twelve times a day, which suggests that the wardens of "
    "the northern wall were perhaps paid by the number of openings."
)


def paper(id_: str, sentence: str) -> dict[str, Any]:
    text = f"# Paper {id_}\n\n## Introduction\n\n{sentence} Gates are known [1].\n\n## References\n\n[1] A. Lee. Gates. 2014.\n"  # noqa: E501
    return {"id": id_, "title": f"Paper {id_}", "text": text, "labels": {"accept": True}}


def other(number: int) -> str:
    return f"Bridge number {number} may carry {number + 3} carts, and this suggests a wide road."


@pytest.fixture
def made(tmp_path: Path) -> tuple[dict[str, Any], Path, Path]:
    """A spec, the folder of its runs, and the store."""
    papers = [paper("one", other(1)), paper("secret", SECRET), paper("two", other(2))]
    path = tmp_path / "papers.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in papers), encoding="utf-8")
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "forgotten",
        "seed": 1,
        "corpus": {"use": "jsonl", "with": {"path": str(path)}},
        "perturbations": {"hedging": "hedging", "paraphrase": "paraphrase"},
        "agents": {"counter": "citation-counter", "hedges": "confidence-reader"},
        "metrics": ["flip-rate"],
        "reports": ["markdown"],
    }
    runs, store = tmp_path / "runs", tmp_path / "store.sqlite3"
    revkit.run(spec, out=runs / "first", store=store)
    return spec, runs, store


def words_in(folder: Path) -> str:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def bodies(store: Path) -> list[str]:
    with Store(store) as answers:
        return [(answers.get(key) or b"").decode() for key in answers.keys()]  # noqa: SIM118


def test_a_paper_is_forgotten_and_the_rest_stays(
    made: tuple[dict[str, Any], Path, Path],
) -> None:
    _, runs, store = made
    revkit.export(runs / "first", runs / "first.zip", store=store)
    with Store(store) as answers:  # a reply of other code, which no run asks for
        answers.put(b"q" * 32, json.dumps({"text": f"I quote: {SECRET.upper()}"}).encode())
    before, stored = words_in(runs), bodies(store)
    assert "zirconium" in before
    assert any("WARDENS" in body for body in stored)
    seen = revkit.forget("secret", runs=[runs], stores=[store])
    assert (words_in(runs), bodies(store)) == (before, stored)  # nothing was changed
    [held] = seen.runs
    assert (held.folder, held.unknown) == (runs / "first", "")
    assert seen.bundles == (runs / "first.zip",)
    done = revkit.forget("secret", runs=[runs], stores=[store], yes=True)
    assert done == seen
    assert "zirconium" not in words_in(runs / "first")
    assert "wardens" not in words_in(runs / "first")
    left = bodies(store)
    assert not any("WARDENS" in body for body in left)
    assert len(left) == len(stored) - len(done.answers[store])
    assert b"WARDENS" not in store.read_bytes()
    rows = [
        json.loads(line)
        for line in (runs / "first/records/papers.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["id"] for row in rows] == ["one", "secret", "two"]
    assert [bool(row["text"]) for row in rows] == [True, False, True]
    assert [row["accept"] for row in rows] == [True, True, True]
    opened = revkit.open_run(runs / "first")
    assert len(opened.records.papers) == 3


def test_a_run_computes_the_forgotten_paper_alone(
    made: tuple[dict[str, Any], Path, Path],
) -> None:
    spec, runs, store = made
    shutil.rmtree(runs / "first" / "tables")
    done = revkit.forget("secret", runs=[runs], stores=[store], yes=True)
    again = revkit.run(spec, out=runs.parent / "again", store=store)
    # variants and reviews of the paper; other papers are found, tables and reports as well
    assert 0 < again.counts.computed <= len(done.answers[store])
    assert again.counts.computed < 8
    assert again.counts.stored > again.counts.computed


def test_without_its_run_the_text_is_enough(
    made: tuple[dict[str, Any], Path, Path],
) -> None:
    _, runs, store = made
    shutil.rmtree(runs / "first")
    with pytest.raises(RunError, match=r"no run below .* holds a paper with the id 'secret'"):
        revkit.forget("secret", runs=[runs], stores=[store])
    with Store(store) as answers:
        answers.put(b"q" * 32, json.dumps([{"text": SECRET.replace(" ", "\n")}]).encode())
        answers.put(b"p" * 32, json.dumps({"text": SECRET[:60]}).encode())  # too short to tell
    revkit.forget("secret", runs=[runs], stores=[store], text=SECRET, yes=True)
    with Store(store) as answers:
        assert answers.get(b"q" * 32) is None
        assert answers.get(b"p" * 32) is not None


def test_an_unknown_paper_and_a_missing_folder(made: tuple[dict[str, Any], Path, Path]) -> None:
    _, runs, store = made
    with pytest.raises(RunError, match="no run below"):
        revkit.forget("none", runs=[runs], stores=[store])
    with pytest.raises(RunError, match=r"the folder .* does not exist"):
        revkit.forget("secret", runs=[runs / "nowhere"], stores=[store])


def test_the_command(made: tuple[dict[str, Any], Path, Path]) -> None:
    _, runs, store = made
    arguments = ["forget", "secret", "--runs", str(runs), "--store", str(store)]
    shown = CliRunner().invoke(cli, arguments)
    assert shown.exit_code == 0, shown.output
    assert "would remove" in shown.output
    assert "Nothing was changed; add --yes to remove it." in shown.output
    assert "zirconium" in words_in(runs)
    done = CliRunner().invoke(cli, [*arguments, "--yes", "--json"])
    found = json.loads(done.output)
    assert found["removed"] is True
    # Two agents reviewed the text and its hedged variant, and each family stored an answer.
    assert found["answers"][str(store)] == 7
    assert "zirconium" not in words_in(runs)


def test_what_other_answers_are_packed_against_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        store.put(b"a" * 32, b"a long reply of a model, in many words " * 20)
        store.put(b"b" * 32, b"a long reply of a model, in many words " * 19, like=b"a" * 32)
        store.put(b"c" * 32, b"another answer")
        store.set_aside(b"a" * 32)
        assert store.forget([b"c" * 32]) == 1
        assert store.get(b"b" * 32) == b"a long reply of a model, in many words " * 19


def test_what_is_packed_against_a_forgotten_answer_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        store.put(b"a" * 32, b"a long reply of a model, in many words " * 20)
        store.put(b"b" * 32, b"a long reply of a model, in many words " * 19, like=b"a" * 32)
        store.put(b"c" * 32, b"a long reply of a model, in many words " * 20)  # the same body
        assert store.forget([b"a" * 32, b"x" * 32]) == 1
        assert store.get(b"a" * 32) is None
        assert store.get(b"c" * 32) == b"a long reply of a model, in many words " * 20
        assert store.forget([b"c" * 32]) == 1
        assert store.get(b"b" * 32) == b"a long reply of a model, in many words " * 19
        assert store.damaged == {}


def test_parses_of_sentences_are_removed(made: tuple[dict[str, Any], Path, Path]) -> None:
    """A parse has the words of a sentence, and nothing in it names the paper."""
    _, runs, store = made
    token = Token(0, "wardens", 0, 7, "warden", "NNS", "NOUN", "ROOT", 0)
    with Store(store) as answers:
        StoredParses(answers).keep([Parse("wardens", (token,))])
    revkit.forget("secret", runs=[runs], stores=[store], yes=True)
    assert not any("warden" in body for body in bodies(store))
