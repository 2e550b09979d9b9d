"""Finished runs are found and opened from their folders alone."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RunError
from revkit.execution.folder import RunFolder
from revkit.runs import find_run, list_runs, open_run
from revkit.runs.progress import progress_of
from revkit.runs.words import dollars, first_sentence
from revkit.testing import toys

ROOT = Path(__file__).parents[2]


@pytest.fixture
def finished(run_toy: Callable[..., Any], toy_spec: dict[str, Any]) -> Any:
    return run_toy({**toy_spec, "repeats": 2}, out="runs/a")


def test_a_finished_run_opens_without_spec_store_and_plugins(finished: Any, tmp_path: Path) -> None:
    (tmp_path / "runs" / "a" / "spec.yaml").unlink()
    (tmp_path / "store.db").unlink()
    opened = revkit.open_run(tmp_path / "runs" / "a")
    assert (opened.name, opened.digest) == ("toy", finished.experiment.digest)
    assert opened.tables == finished.tables
    made, read = finished.records, opened.records
    for name in ("seed", "repeats", "agents", "perturbations", "variants", "verdicts", "judges"):
        assert getattr(read, name) == getattr(made, name), name
    assert [(row.id, row.labels, row.digest) for row in read.papers] == [
        (row.id, row.labels, row.digest) for row in made.papers
    ]
    assert opened.usd == 0.0
    assert opened.versions["revkit"] == revkit.__version__
    first = read.papers[0].id
    assert opened.paper(first).digest == read.papers[0].digest
    assert opened.edits(first, "words")
    assert sum(1 for _ in opened.reviews()) == len(made.verdicts)
    assert len(repr(opened)) < 200


def test_the_cost_is_what_the_experiment_paid(finished: Any) -> None:
    """Requests without a usable answer are paid too; a price that is not known is not zero."""
    path = finished.folder / "provenance.json"
    about = json.loads(path.read_text())
    (finished.folder / "ledger.json").write_text(json.dumps([{"usd": 0.2, "unpriced": 0}]))
    assert open_run(finished.folder).usd == 0.2
    rows = [{"outcome": "answered", "usd": 0.2}, {"outcome": "schema", "usd": 0.5, "unpriced": 0}]
    about["spending"] = {"command": [], "experiment": rows}
    path.write_text(json.dumps(about))
    assert open_run(finished.folder).usd == pytest.approx(0.7)
    # A lost connection: no tokens, no price, and the most that it can cost.
    lost = {"outcome": "connection", "usd": 0.0, "unpriced": 1, "uncounted": 1, "charged_usd": 0.1}
    about["spending"]["experiment"] = [*rows, lost]
    path.write_text(json.dumps(about))
    assert open_run(finished.folder).usd == pytest.approx(0.8)
    about["spending"]["experiment"] = [rows[0], {**rows[1], "unpriced": 3}]
    path.write_text(json.dumps(about))
    assert open_run(finished.folder).usd is None
    about["spending"]["experiment"] = []  # another experiment paid for the replies
    path.write_text(json.dumps(about))
    assert open_run(finished.folder).usd == 0.0


def test_pairs_count_repeats_once(finished: Any) -> None:
    opened = open_run(finished.folder)
    pairs = opened.pairs("coin", "words")
    assert len(pairs) == sum(row.outcome == "made" for row in opened.records.variants)
    for pair in pairs:
        assert len(pair.originals) == len(pair.variants) == 2
        comparisons = [
            a.accept != b.accept for a in pair.originals for b in pair.variants
        ]  # by hand: the share of comparisons that disagree
        assert pair.flip == pytest.approx(sum(comparisons) / len(comparisons))
    with pytest.raises(RunError, match="no agent 'nobody'; it has length, coin"):
        opened.pairs("nobody")
    with pytest.raises(RunError, match="unknown family 'wordz'; did you mean 'words'"):
        opened.pairs("coin", "wordz")


def test_runs_are_listed_and_found(
    finished: Any, run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    run_toy({**toy_spec, "name": "other", "seed": 4}, out="runs/deeper/b")
    root = tmp_path / "runs"
    (root / "c").mkdir()
    with RunFolder(root / "c", "0" * 64):
        states = {entry.name: entry.state for entry in list_runs(root)}
        assert states == {"toy": "finished", "other": "finished", "c": "running"}
        assert progress_of(root / "c").state == "running"
    entries = list_runs(root)
    assert [entry.name for entry in entries] == ["c", "other", "toy"]
    assert entries[0].state == "stopped"
    assert entries[0].started > entries[1].started
    assert entries[2].papers == 6
    assert find_run("last", root) == root / "deeper" / "b"
    assert find_run("toy", root) == find_run("a", root) == root / "a"
    assert find_run(finished.experiment.digest[:8], root) == root / "a"
    with pytest.raises(RunError, match=r"there is no run 'nothing'; .* contains c, b, a"):
        find_run("nothing", root)
    assert progress_of(root / "a").papers == 6


def test_a_finished_shard_is_listed_as_such(
    toy_spec: dict[str, Any], tmp_path: Path, no_plugins: None
) -> None:
    revkit.run_shard(toy_spec, "2/2", out=tmp_path / "runs", plugins=[toys])
    folder = tmp_path / "runs" / "2-of-2"
    [entry] = list_runs(tmp_path / "runs")
    assert (entry.name, entry.state, entry.headline) == ("toy", "shard", "shard 2/2, finished")
    assert (entry.papers, entry.to_json()["state"]) == (None, "shard")
    assert progress_of(folder).state == "finished"
    with RunFolder(folder, entry.digest, overwrite=True):
        assert [each.state for each in list_runs(folder)] == ["running"]
    for text in ("{}", "[", '{"number": [], "count": 2}'):
        (folder / "shard.json").write_text(text)
        assert [each.state for each in list_runs(folder)] == ["unreadable"]


def test_folders_that_are_no_finished_run(finished: Any, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a run folder"):
        open_run(tmp_path)
    with pytest.raises(RunError, match=r"the folder .* does not exist"):
        list_runs(tmp_path / "nowhere")
    folder = finished.folder
    (folder / "result.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(RunError, match="was not written by a run"):
        open_run(folder)
    assert [entry.state for entry in list_runs(folder)] == ["unreadable"]
    (folder / "result.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(RunError, match="cannot be read"):
        open_run(folder)
    (folder / "result.json").unlink()
    with pytest.raises(RunError, match="is not finished"):
        open_run(folder)


def test_hostile_records_are_errors(finished: Any) -> None:
    folder = finished.folder
    provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    provenance["subjects"]["agents"] = [{"name": 1}]
    (folder / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    with pytest.raises(RunError, match="unexpected form"):
        _ = open_run(folder).records
    (folder / "records" / "outcomes.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(RunError, match="unexpected form"):
        list(open_run(folder).reviews())


@pytest.mark.parametrize("name", ["result.json", "provenance.json"])
@pytest.mark.parametrize("other", ["text", 7, None, [], [[]], {}, [{}], ["text"], {"a": []}, True])
def test_values_of_another_form_anywhere_are_errors(name: str, other: Any, finished: Any) -> None:
    """Each value of the file, and each value in these, is replaced in turn."""
    path = finished.folder / name
    whole = json.loads(path.read_text(encoding="utf-8"))
    for keys in _places(whole, 4):
        changed = json.loads(json.dumps(whole))
        inner = changed
        for key in keys[:-1]:
            inner = inner[key]
        inner[keys[-1]] = other
        path.write_text(json.dumps(changed), encoding="utf-8")
        list_runs(finished.folder)
        try:
            run = open_run(finished.folder)
        except RunError:
            continue
        for part in ("tables", "warnings", "faults", "headline", "subjects", "versions", "started"):
            with contextlib.suppress(RunError):
                getattr(run, part)


def _places(value: Any, levels: int) -> Iterator[tuple[Any, ...]]:
    items: Any = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for key, inner in items:
        yield (key,)
        if levels > 1 and isinstance(inner, dict | list):
            yield from ((key, *rest) for rest in _places(inner, levels - 1))


def test_a_run_of_an_earlier_release_opens() -> None:
    opened = open_run(ROOT / "tests" / "compat" / "0.1.0" / "run")
    assert opened.tables
    assert sum(1 for _ in opened.reviews()) == opened.result["outcomes"]


def test_the_commands(finished: Any, revkit_command: Callable[..., Any], tmp_path: Path) -> None:
    listed = json.loads(revkit_command("runs", "--json").stdout)
    assert [(each["name"], each["papers"]) for each in listed] == [("toy", 6)]
    assert "runs/a  toy" in revkit_command("runs").stdout
    shown = revkit_command("show", "toy")
    assert shown.returncode == 0
    assert finished.experiment.digest in shown.stdout
    assert json.loads(revkit_command("show", "--json").stdout)["name"] == "toy"
    table = revkit_command("show", "a", "--table", "toy-flips").stdout
    assert table.startswith(finished.tables["toy-flips"].title)
    missing = revkit_command("open", "a")
    assert missing.returncode == 1
    assert "has no report.html" in missing.stderr
    (tmp_path / "runs" / "a" / "report.html").write_text("", encoding="utf-8")
    assert revkit_command("open", "--path").stdout.strip() == "runs/a/report.html"
    assert "finished, 6 papers" in revkit_command("follow", "--once").stdout


def test_words() -> None:
    text = "The rate is 1.5 % (95% interval [0.3, 4.0. x]) for A. More follows."
    assert first_sentence(text) == "The rate is 1.5 % (95% interval [0.3, 4.0. x]) for A."
    assert first_sentence("\x1b[31mred") == "\\u001b[31mred"
    assert (dollars(None), dollars(0.125)) == ("cost not known", "$0.12")
