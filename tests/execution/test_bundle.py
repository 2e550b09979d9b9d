"""Export and replay: the same bytes elsewhere, nothing computed, and nothing that means harm."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

import revkit
from revkit.cache import Store
from revkit.cli.main import cli
from revkit.contracts import Context, Corpus, Embedder, Metric, Perturbation
from revkit.errors import RunError
from revkit.execution.bundle import archive
from revkit.execution.bundle.archive import MANIFEST, MEMBERS
from revkit.execution.provenance import package_versions
from revkit.execution.recomputation import Recomputed
from revkit.model.edits import Edit
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Failure, Review, Scale
from revkit.model.values import Json, canonical_bytes
from revkit.testing import toys
from tests.llm_server.server import LlmServer

Run = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Files(Corpus):
    """One paper for each file of a folder, which it reads for its identity too."""

    name: ClassVar[str] = "files"
    version: ClassVar[str] = "1"
    folder: str = ""

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        yield Skipped("odd\udcff", "not\0 UTF-8", "here")
        for number, path in enumerate(sorted(Path(self.folder).iterdir())):
            labels = Labels(
                number % 2 == 0, "yes", (3.0, 4), "1-10", (1.0, None), 2.5, "minor", "t", 0.1,
                {"a": []},
            )  # fmt: skip
            text = path.read_text(encoding="utf-8")
            yield Paper(path.stem, text, f"T{number}", labels, "source", ("note",))

    def count(self) -> int:
        return len(list(Path(self.folder).iterdir()))

    def identity(self) -> Json:
        return [path.read_text(encoding="utf-8") for path in sorted(Path(self.folder).iterdir())]


@dataclass(frozen=True)
class Heavy(Embedder):
    """An embedder whose model lies in a file that the other machine lacks."""

    name: ClassVar[str] = "heavy"
    version: ClassVar[str] = "1"
    path: str = ""

    def embed(self, texts: Sequence[str]) -> Any:
        Path(self.path).read_text(encoding="utf-8")
        return toys.ToyEmbedder().embed(texts)

    def identity(self) -> Json:
        return Path(self.path).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Embeds(Perturbation):
    """Uses the embedder; crashes on one paper and rejects another."""

    name: ClassVar[str] = "embeds"
    version: ClassVar[str] = "1"
    uses: ClassVar[Any] = ("embedder",)

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        ctx.embed([paper.text])
        if "crash" in paper.text:
            raise ValueError("as told")
        return revkit.Rejection("no") if "reject" in paper.text else [Edit(0, 0, "X")]


@dataclass(frozen=True)
class Crashing(Metric):
    """Crashes."""

    name: ClassVar[str] = "crashing"
    version: ClassVar[str] = "1"

    def measure(self, records: revkit.Records) -> Any:
        raise ValueError("no such figure")


@dataclass(frozen=True)
class Fickle(revkit.Agent):
    """Fails the first time that it sees a text, and reviews it the second time."""

    name: ClassVar[str] = "fickle"
    version: ClassVar[str] = "1"
    scale = Scale("1-10", 1, 10, accept_at=5)
    seen: ClassVar[set[str]] = set()

    def review(self, paper: Paper, ctx: Context) -> revkit.Outcome:
        if paper.digest in self.seen:
            return Review(True, 7)
        self.seen.add(paper.digest)
        return Failure("provider", "not now\r\n", 'raw "text"')


@dataclass(frozen=True)
class Asks(revkit.Agent):
    """Asks a model twice, side by side."""

    name: ClassVar[str] = "asks"
    version: ClassVar[str] = "1"
    uses: ClassVar[Any] = ("llm",)
    scale = Scale("1-10", 1, 10, accept_at=5)
    sign: str = ""

    def review(self, paper: Paper, ctx: Context) -> revkit.Outcome:
        def ask(number: int) -> ModelReply | Failure:
            messages = (Message("user", f"{number}: {paper.text}"),)
            return ctx.complete(ModelRequest("openai/mock", messages))

        first, second = ctx.gather([lambda: ask(1), lambda: ask(2)])
        if isinstance(first, Failure) or isinstance(second, Failure):
            return Failure("provider", "no answer")
        return Review(True, 7, first.text + self.sign)

    def models(self) -> Sequence[str]:
        return ("openai/mock",)


OTHERS: list[Any] = [Files, Heavy, Embeds, Crashing, Fickle, Asks]


@pytest.fixture
def bundled(run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path) -> Path:
    """The bundle of a run with failures, screens, skipped papers and rejected variants."""
    toy_spec["corpus"]["with"]["skip-every"] = 4
    toy_spec["repeats"] = 2
    screen = {"use": "toy-screen", "with": {"refuse": " 3 "}}
    toy_spec["agents"]["coin"] = {"use": "toy-coin", "with": {"refuse": 0.4}, "defenses": [screen]}
    run = run_toy(toy_spec)
    kinds = {verdict.failure for verdict in run.records.verdicts}
    assert {"", "refusal", "rejected"} <= kinds
    return export(tmp_path)


def export(tmp_path: Path, name: str = "b.zip", **options: Any) -> Path:
    given = {"store": tmp_path / "store.db", "plugins": [toys, *OTHERS], **options}
    return revkit.export(tmp_path / "run", tmp_path / name, **given).path


def replay(bundle: Path, out: str = "again", **options: Any) -> revkit.Replay:
    return revkit.replay(bundle, out=bundle.parent / out, **{"plugins": [toys, *OTHERS], **options})


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("provenance.json", ".revkit-run")
    }


def rewritten(
    bundle: Path, change: Callable[[dict[str, Any]], Any], *, honest: bool = True
) -> Path:
    """The bundle with other members; ``honest`` gives them digests that fit."""
    with zipfile.ZipFile(bundle) as file:
        members: dict[str, Any] = {name: file.read(name) for name in file.namelist()}
    members[MANIFEST] = json.loads(members[MANIFEST])
    change(members)
    if honest:
        for name in MEMBERS:
            if name in members:
                members[MANIFEST]["members"][name] = hashlib.sha256(members[name]).hexdigest()
    if not isinstance(members[MANIFEST], bytes):
        members[MANIFEST] = json.dumps(members[MANIFEST]).encode()
    target = bundle.with_name("changed.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in members.items():
            file.writestr(name, body)
    return target


def test_the_same_bytes_without_a_store(bundled: Path, tmp_path: Path) -> None:
    done = replay(bundled)
    assert done.identical
    assert done.files == len(tree(tmp_path / "run"))
    assert tree(tmp_path / "run") == tree(tmp_path / "again")
    assert done.run.counts.computed == 0
    assert replay(bundled).identical  # into its own folder again


def test_exporting_twice_gives_the_same_bytes(bundled: Path, tmp_path: Path) -> None:
    first = bundled.read_bytes()
    assert export(tmp_path, "c.zip").read_bytes() == first
    assert export(tmp_path).read_bytes() == first  # a bundle may take a bundle's place
    with zipfile.ZipFile(bundled) as file:
        assert file.namelist() == sorted([*MEMBERS, MANIFEST])
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_in_another_process_and_place_without_network(
    bundled: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    code = (
        "import socket, sys, revkit\n"
        "from revkit.testing import toys\n"
        "def refused(*_, **__): raise AssertionError('network')\n"
        "socket.socket = socket.create_connection = refused\n"
        "done = revkit.replay(sys.argv[1], plugins=[toys])\n"
        "print(done.run.folder.as_posix(), done.differences)\n"
    )
    place = tmp_path / "elsewhere"
    place.mkdir()
    keys = ("PATH", "PYTHONPATH", "REVKIT_PLUGINS", "NO_COLOR", "LD_LIBRARY_PATH")
    kept = {key: environment[key] for key in keys if key in environment}
    moved = shutil.move(bundled, place / "b.zip")
    (tmp_path / "store.db").unlink()
    done = subprocess.run(
        [sys.executable, "-c", code, str(moved)],
        cwd=place, env={**kept, "HOME": str(place)}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    folder, _, told = done.stdout.strip().partition(" ")
    assert told == "()"
    assert tree(place / folder) == tree(tmp_path / "run")
    assert folder.startswith("replays/toy-")


def test_no_file_of_corpus_or_embedder_is_needed(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    papers, model = tmp_path / "papers", tmp_path / "model"
    papers.mkdir()
    model.write_text("weights", encoding="utf-8")
    for name in ("a fine one", "one to reject", "one to crash", "fine again"):
        (papers / name).write_text(f"{name} \u2028 text\r\n", encoding="utf-8")
    toy_spec |= {
        "corpus": {"use": "files", "with": {"folder": str(papers)}},
        "perturbations": {"e": "embeds"},
        "services": {"embedder": {"use": "heavy", "with": {"path": str(model)}}},
        "metrics": ["crashing", "toy-flips"],
    }
    run = run_toy(toy_spec, plugins=OTHERS)
    assert len(run.faults) == 1
    reasons = {row.rejected for row in run.records.variants}
    crashes = [reason for reason in reasons if reason.startswith("crashed: ValueError: as told")]
    assert reasons == {"", "no", *crashes}
    # The place is that in this file, without the folders above it.
    assert all("(in execution/test_bundle.py:" in reason for reason in crashes)
    assert crashes
    bundle = export(tmp_path)
    shutil.rmtree(papers)
    model.unlink()
    done = replay(bundle)
    assert done.identical
    assert done.run.faults == run.faults
    assert tree(tmp_path / "run") == tree(tmp_path / "again")


def test_a_failure_stays_where_it_was(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    """The same text failed under one name and was reviewed under another, by the same key."""
    Fickle.seen.clear()
    toy_spec["corpus"]["with"]["papers"] = 2
    toy_spec["agents"] = {"fickle": "fickle"}
    run = run_toy(toy_spec, plugins=OTHERS)
    assert {verdict.failure for verdict in run.records.verdicts} == {"provider"}
    run_toy(toy_spec, plugins=OTHERS, out="later")  # now the store holds reviews
    assert replay(export(tmp_path)).identical
    assert tree(tmp_path / "run") == tree(tmp_path / "again")
    assert tree(tmp_path / "run") != tree(tmp_path / "later")


def test_the_calls_behind_reviews_are_in_it(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOCK_SECRET", "sk-very-secret-thing")
    toy_spec["agents"] = {"asks": "asks", "length": "toy-length"}
    toy_spec["perturbations"] = {}
    with LlmServer(key="sk-very-secret-thing") as server:
        settings = {"base-url": server.url, "api-key-env": "MOCK_SECRET"}
        toy_spec["services"] = {"llm": {"default": settings}}
        run = run_toy(toy_spec, plugins=OTHERS)
        assert run.exit_code == 0
        asked = server.requests
    made = revkit.export(
        tmp_path / "run", tmp_path / "b.zip", store=tmp_path / "store.db", plugins=[toys, *OTHERS]
    )
    assert made.calls == asked == 2 * len(run.records.papers)
    with zipfile.ZipFile(made.path) as file:
        calls = [json.loads(line) for line in file.read("calls.jsonl").splitlines()]
        answers = [json.loads(line) for line in file.read("answers.jsonl").splitlines()]
        assert all(b"very-secret" not in file.read(name) for name in file.namelist())
    named = [key for answer in answers for key in answer["value"].get("calls", ())]
    assert sorted(named) == sorted(call["key"] for call in calls)
    assert all(sorted(a["value"].get("calls", [])) == a["value"].get("calls", []) for a in answers)
    monkeypatch.delenv("MOCK_SECRET")
    assert replay(made.path).identical  # the server is gone, and so is the key
    ledger = (tmp_path / "run" / "ledger.json").read_bytes()
    assert (tmp_path / "again" / "ledger.json").read_bytes() == ledger
    with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
        database.execute("DELETE FROM asked WHERE key = ?", (bytes.fromhex(named[0]),))
    with pytest.raises(RunError, match="no longer contains the call"):
        export(tmp_path)


@pytest.mark.parametrize(
    ("secret", "written"),
    [
        ("sk-abc-123", "sk-abc-123"),
        ('q"uote\\<x>&', 'q"uote\\<x>&'),
        ("schlüssel-1", "schlüssel-1"),
        ("sk-abc-123", "c2stYWJjLTEyMw=="),  # base64 sk-abc-123
        ("sk-abc-123", "736b2d6162632d313233"),  # xxd -p
        ("a b/c+d", "a+b%2Fc%2Bd"),
    ],
)
def test_a_secret_is_never_exported(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    secret: str, written: str,
) -> None:  # fmt: skip
    monkeypatch.setenv("HIDDEN_ONE", "another-value")
    toy_spec["agents"] = {"asks": {"use": "asks", "with": {"sign": written}}}
    with LlmServer() as server:
        settings = {"base-url": server.url, "api-key-env": "HIDDEN_ONE"}
        toy_spec["services"] = {"llm": {"default": settings}}
        run_toy(toy_spec, plugins=OTHERS)
    monkeypatch.setenv("HIDDEN_ONE", secret)
    with pytest.raises(RunError, match="HIDDEN_ONE is in") as caught:
        export(tmp_path)
    assert secret not in str(caught.value)
    assert not (tmp_path / "b.zip").exists()
    monkeypatch.setenv("HIDDEN_ONE", "another-value")
    assert export(tmp_path).is_file()


def test_a_variable_that_is_called_like_a_key_counts_too(
    bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "We may count 1 things")
    with pytest.raises(RunError, match="SOME_API_KEY is in answers"):
        export(tmp_path, "c.zip")


def test_without_texts_the_corpus_is_asked(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    for name in "abcd":
        (papers / name).write_text(f"Licensed {name}, with a secret sentence.", encoding="utf-8")
    toy_spec |= {"corpus": {"use": "files", "with": {"folder": str(papers)}}, "reports": []}
    toy_spec |= {"perturbations": {}, "limit": 3}
    run_toy(toy_spec, plugins=OTHERS)
    bundle = export(tmp_path, texts=False)
    with zipfile.ZipFile(bundle) as file:
        rows = [json.loads(line) for line in file.read("papers.jsonl").splitlines()]
        assert all(b"Licensed" not in file.read(name) for name in file.namelist())
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert {"text", "title"}.isdisjoint(rows[0])
    assert replay(bundle).identical
    (papers / "b").write_text("Other text.", encoding="utf-8")
    with pytest.raises(RunError, match="paper 'b' is not the paper of the run"):
        replay(bundle, "other")
    (papers / "b").unlink()
    with pytest.raises(RunError, match="the corpus here has no paper 'b'"):
        replay(bundle, "none")


def test_a_missing_answer_is_an_error(bundled: Path, tmp_path: Path) -> None:
    def drop(members: dict[str, Any]) -> None:
        lines = members["answers.jsonl"].splitlines(keepends=True)
        kept = [line for line in lines if b'"edits"' not in line]
        assert len(kept) < len(lines)
        members["answers.jsonl"] = b"".join(kept)

    with pytest.raises(
        RunError, match=r"contains no answer of perturb/words, variant 0, .*'toy-1'"
    ):
        replay(rewritten(bundled, drop))
    with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
        database.execute("DELETE FROM asked")
    with pytest.raises(RunError, match="name the store that the run used"):
        export(tmp_path, "c.zip")
    with pytest.raises(RunError, match="there is no store"):
        export(tmp_path, "c.zip", store=tmp_path / "none.db")


@pytest.mark.parametrize("what", ["metric/toy-flips", "report/toy-report"])
def test_a_missing_table_or_report_is_an_error(bundled: Path, what: str) -> None:
    def drop(members: dict[str, Any]) -> None:
        mark = b'"columns"' if what.startswith("metric") else b'"toy.txt"'
        lines = members["answers.jsonl"].splitlines(keepends=True)
        members["answers.jsonl"] = b"".join(line for line in lines if mark not in line)

    with pytest.raises(RunError, match=f"contains no answer of {what}"):
        replay(rewritten(bundled, drop))


def test_other_code_is_named(bundled: Path) -> None:
    def other(members: dict[str, Any]) -> None:
        for part in members[MANIFEST]["parts"]:
            if part["name"] in ("toy-coin", "toy-papers"):
                part |= {"version": "abc", "plugin": "lab", "plugin_version": "1.2"}

    message = r"agents.coin \(agent 'toy-coin' of plugin lab 1.2\): other code, abc there, \w+ here"
    with pytest.raises(RunError, match=message) as caught:
        replay(rewritten(bundled, other))
    assert "toy-papers" not in str(caught.value)  # its papers are in the bundle
    with pytest.raises(RunError, match=r"'toy-coin'.* is not installed here"):
        replay(bundled, plugins=[])

    def core(members: dict[str, Any]) -> None:
        members[MANIFEST] |= {"core": "0" * 16, "revkit": "0.0.1"}

    with pytest.raises(RunError, match=r"the code of revkit differs: 0\.0\.1 \(0{16}\) there"):
        replay(rewritten(bundled, core))


def test_other_packages_change_nothing(
    bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reports name the versions that the run was made with, not those of the reader."""
    monkeypatch.setattr("revkit.execution.runner.package_versions", lambda: {"numpy": "9"})
    assert replay(bundled).identical
    assert export(tmp_path, "c.zip").read_bytes() == bundled.read_bytes()


def test_a_changed_answer_differs(bundled: Path) -> None:
    def change(members: dict[str, Any]) -> None:
        body = members["answers.jsonl"]
        assert b'"flips":' in body or b"flips" in body
        members["answers.jsonl"] = body.replace(b"Flips", b"FLIPS")

    with pytest.raises(RunError, match="contains no answer of report"):
        replay(rewritten(bundled, change))

    def report(members: dict[str, Any]) -> None:
        body = members["answers.jsonl"]
        members["answers.jsonl"] = body.replace(b"Toy paper 1", b"Foul play 1")

    forged = replay(rewritten(bundled, report), "b").differences
    assert forged[0] == "toy.txt differs"
    assert "report toy-report does not follow from the records of the bundle" in forged[1]
    told = replay(rewritten(bundled, lambda members: None), "c")
    assert told.identical


def forge(store: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the stored tables with their digests, and remove the reports made from them."""
    with closing(sqlite3.connect(store)) as database, database:
        for digest, body in database.execute("SELECT digest, body FROM content").fetchall():
            value = json.loads(zlib.decompress(body)) if not body.startswith(b"\1") else None
            if isinstance(value, dict) and "toy.txt" in value:
                database.execute("DELETE FROM asked WHERE content = ?", (digest,))
            if not isinstance(value, dict) or "columns" not in value:
                continue
            change(value)
            text = canonical_bytes(value)
            new = hashlib.sha256(text).digest()
            database.execute("INSERT INTO content VALUES (?, ?)", (new, zlib.compress(text)))
            database.execute("UPDATE asked SET content = ? WHERE content = ?", (new, digest))


def test_a_forged_table_is_named(run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path) -> None:
    honest = run_toy(toy_spec).table("toy-flips")
    place = [column.name for column in honest.columns].index("flips")
    assert any(row[place] for row in honest.rows)

    def no_flips(value: dict[str, Any]) -> None:
        for row in value["rows"]:
            row[place] = 0

    forge(tmp_path / "store.db", no_flips)
    assert not any(row[place] for row in run_toy(toy_spec).table("toy-flips").rows)
    done = replay(export(tmp_path))
    assert not done.identical
    (difference,) = done.differences
    assert difference.startswith("table toy-flips does not follow from the records of the bundle: ")
    assert "column 'flips' of row" in difference


def test_the_command_names_what_differs(bundled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = replay(bundled)
    forged = replace(honest, differences=("table t is not what the records give",), notes=("n",))
    for done, code, said in (
        (honest, 0, "a replay cannot prove that the agents gave these answers\nidentical: all "),
        (forged, 1, "error: table t is not what the records give\nnote: n\nnot identical"),
    ):
        monkeypatch.setattr("revkit.api.replay", lambda bundle, given=done, **options: given)
        told = CliRunner().invoke(cli, ["replay", str(bundled)])
        assert told.exit_code == code
        assert said in told.output


def test_last_digits_count_only_under_the_same_packages() -> None:
    given: Json = {"columns": [{"name": "rate"}], "rows": [[0.1 + 0.2]]}
    other: Json = {"columns": [{"name": "rate"}], "rows": [[0.3]]}
    here = Recomputed(package_versions())
    here.compare("table t", given, lambda: other)
    assert (
        "column 'rate' of row 1 is 0.30000000000000004 in the bundle and 0.3"
        in (here.differences[0])
    )
    elsewhere = Recomputed({**package_versions(), "numpy": "9"})
    elsewhere.compare("table t", given, lambda: other)
    assert not elsewhere.differences
    assert "differs in last digits (other versions of packages: numpy 9 there" in elsewhere.notes[0]
    elsewhere.compare("table t", given, lambda: {"columns": [{"name": "rate"}], "rows": [[0.31]]})
    assert "numpy 9 there" in elsewhere.differences[0]


def test_what_cannot_be_computed_again_is_not_identical() -> None:
    def absent() -> Json:
        raise ModuleNotFoundError("No module named 'matplotlib'")

    found = Recomputed(package_versions())
    found.compare("report page", {}, absent)
    assert "report page cannot be computed again here: ModuleNotFound" in found.differences[0]


def test_a_changed_score_is_refused_or_differs(bundled: Path) -> None:
    def impossible(members: dict[str, Any]) -> None:
        body = members["answers.jsonl"]
        members["answers.jsonl"] = body.replace(b'"score":', b'"score":1')

    with pytest.raises(RunError):
        replay(rewritten(bundled, impossible))


def test_a_run_that_was_changed_is_not_exported(bundled: Path, tmp_path: Path) -> None:
    table = tmp_path / "run" / "tables" / "toy-flips.csv"
    table.write_text(table.read_text().replace("coin", "gold"))
    with pytest.raises(RunError, match=r"tables/toy-flips\.csv differs"):
        export(tmp_path, "c.zip")
    with pytest.raises(RunError, match="is not the folder of a finished run"):
        revkit.export(tmp_path, tmp_path / "c.zip")
    note = tmp_path / "note.zip"
    note.write_text("mine")
    with pytest.raises(RunError, match="is not a bundle; choose another name"):
        archive.write_archive(_members(bundled, tmp_path), note)
    assert note.read_text() == "mine"


def _members(bundle: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "members"
    with zipfile.ZipFile(bundle) as file:
        file.extractall(folder)
    return folder


def _named(name: str, kind: int = stat.S_IFREG) -> Callable[[zipfile.ZipFile], None]:
    def add(file: zipfile.ZipFile) -> None:
        info = zipfile.ZipInfo(name)
        info.external_attr = (kind | 0o777) << 16
        file.writestr(info, "/etc/passwd")

    return add


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (_named("../../evil.py"), "'../../evil.py' is not part of a bundle"),
        (_named("/etc/evil"), "'/etc/evil' is not part of a bundle"),
        (_named("plugin.py"), "'plugin.py' is not part of a bundle"),
        (_named("records/"), "'records/' is not part of a bundle"),
    ],
)
def test_strange_members_are_refused(
    bundled: Path, add: Callable[[zipfile.ZipFile], None], message: str
) -> None:
    with zipfile.ZipFile(bundled, "a") as file:
        add(file)
    with pytest.raises(RunError, match=message):
        replay(bundled)
    assert not (bundled.parent / "again").exists()


def test_links_doubles_and_gaps_are_refused(bundled: Path) -> None:
    link = rewritten(bundled, lambda members: members.pop("spec.yaml"), honest=False)
    with zipfile.ZipFile(link, "a") as file:
        _named("spec.yaml", stat.S_IFLNK)(file)
    with pytest.raises(RunError, match=r"spec\.yaml is not a regular file"):
        replay(link)
    gap = rewritten(bundled, lambda members: members.pop("papers.jsonl"))
    with pytest.raises(RunError, match="must occur exactly once"):
        replay(gap)
    with zipfile.ZipFile(bundled, "a") as file, pytest.warns(UserWarning, match="Duplicate name"):
        _named("spec.yaml")(file)
    with pytest.raises(RunError, match="must occur exactly once"):
        replay(bundled)


@pytest.mark.parametrize("name", ["papers.jsonl", "spec.yaml", MANIFEST])
def test_bombs_are_refused(bundled: Path, name: str) -> None:
    def swell(members: dict[str, Any]) -> None:
        members[name] = b" " * 40_000_000

    with pytest.raises(RunError, match="too large when unpacked"):
        replay(rewritten(bundled, swell, honest=name != MANIFEST))


def test_a_run_that_packs_too_well_is_stored_instead(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "a").write_text("a " * 2_000_000, encoding="utf-8")
    toy_spec["corpus"] = {"use": "files", "with": {"folder": str(papers)}}
    toy_spec |= {"perturbations": {}, "reports": []}
    run_toy(toy_spec, plugins=OTHERS)
    bundle = export(tmp_path)
    assert export(tmp_path, "c.zip").read_bytes() == bundle.read_bytes()
    assert replay(bundle).identical


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, r"newer revkit \(format 2, this one reads 1\)"),
        ({"format": "1"}, "names no format"),
        ({"format": True}, "names no format"),
        ({"format": 0}, "its manifest has wrong values"),
        ({"keys": {"perturb/words": "x"}}, "its manifest has wrong values for keys"),
        ({"keys": {}}, "does not fit its experiment"),
        ({"members": ["spec.yaml"]}, "its manifest has wrong values for members"),
        ({"members": {}}, "must occur exactly once"),
        ({"parts": [{"path": 1}]}, "its manifest has wrong values for parts"),
        ({"faults": "no"}, "its manifest has wrong values for faults"),
        ({"faults": [{"kind": "odd"}]}, "its manifest has wrong values for faults"),
        ({"experiment": "0" * 64}, "differs here"),
        ({"results": {"x": "y"}, "core": 1}, "wrong values for core, results"),
        ({"texts": 1}, "its manifest has wrong values for texts"),
    ],
)
def test_odd_manifests_are_refused(bundled: Path, change: dict[str, Any], message: str) -> None:
    path = rewritten(bundled, lambda m: m[MANIFEST].update(change), honest="members" not in change)
    with pytest.raises(RunError, match=message):
        replay(path)


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("spec.yaml", b"revkit: 1\ncorpus: !!python/object:os.system x\n", "cannot be built here"),
        ("spec.yaml", b"revkit: 1\ncorpus: none\nagents: {a: b}\n", "cannot be built here"),
        ("papers.jsonl", b"[" * 100_000, r"papers\.jsonl: line 1 is not a valid record"),
        ("papers.jsonl", b'{"id": NaN}\n', r"papers\.jsonl: line 1 is not a valid record"),
        ("papers.jsonl", b'{"id": "x"}\n', "paper 'x' is recorded in an unexpected form"),
        ("papers.jsonl", b"", "returned no paper"),
        ("skipped.jsonl", b"{}\n", r"skipped\.jsonl: a row is incomplete"),
        ("failures.jsonl", b'{"paper": 1}\n', "a failure is recorded in an unexpected form"),
        ("answers.jsonl", b'{"key": "00", "value": 1}\n', "'00' is not a key"),
        ("answers.jsonl", b'{"value": 1}\n', "not an answer with its key"),
        ("calls.jsonl", b"x\n", r"calls\.jsonl: line 1"),
    ],
)
def test_odd_members_are_refused(bundled: Path, name: str, body: bytes, message: str) -> None:
    with pytest.raises(RunError, match=message):
        replay(rewritten(bundled, lambda members: members.update({name: body})))
    with pytest.raises(RunError, match=f"was changed: {name}"):
        replay(rewritten(bundled, lambda members: members.update({name: body}), honest=False))


def test_whatever_is_damaged_is_told_in_a_sentence(bundled: Path, tmp_path: Path) -> None:
    """Bytes changed, cut or doubled anywhere give a RunError or the same run: nothing else."""
    whole = bundled.read_bytes()
    draw = random.Random(5)
    path = tmp_path / "damaged.zip"
    for _ in range(150):
        body = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            body[draw.randrange(len(body))] = draw.randrange(256)
        path.write_bytes(body if draw.random() < 0.7 else body[: draw.randrange(len(body))])
        place = tmp_path / "unpacked"
        place.mkdir(exist_ok=True)
        with contextlib.suppress(RunError):
            archive.read_archive(path, place)
    with pytest.raises(RunError, match="No such file"):
        replay(tmp_path / "none.zip")
    path.write_text("no archive")
    with pytest.raises(RunError, match="is not a bundle"):
        replay(path)


def test_no_report_leaves_the_folder(bundled: Path, tmp_path: Path) -> None:
    def aim(members: dict[str, Any]) -> None:
        body = members["answers.jsonl"]
        members["answers.jsonl"] = body.replace(b'"toy.txt":', b'"../../evil.txt":')

    done = replay(rewritten(bundled, aim), "x/y/z")
    assert "toy.txt is missing" in done.differences
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_stored_answer_without_calls_reads_as_before() -> None:
    from revkit.execution.work import Answer, answer_from_json

    old: dict[str, Any] = {"value": Review(True, 7).to_json(), "screens": []}
    assert answer_from_json(old, "review") == Answer(Review(True, 7))
    assert "calls" not in Answer(Review(True, 7)).to_json()
    asked = Answer(Review(True, 7), calls=("aa", "bb"))
    assert answer_from_json(asked.to_json(), "review") == asked  # type: ignore[arg-type]


def test_the_store_of_the_user_is_left_alone(bundled: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    before = os.getcwd()
    os.chdir(tmp_path / "own")
    try:
        assert revkit.replay(bundled, plugins=[toys, *OTHERS]).identical
        assert sorted(path.name for path in Path().iterdir()) == ["replays"]
    finally:
        os.chdir(before)
    with Store(tmp_path / "store.db") as store:
        assert store.get(b"\0" * 32) is None
