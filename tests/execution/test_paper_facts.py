"""Facts about papers: the store keeps them, so a run with known papers parses none of them."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from revkit import api
from revkit.cache import Store
from revkit.execution import paper_facts, runner
from revkit.execution.paper_facts import FactsOfPapers
from revkit.execution.processes import Children, FactReaders, children
from revkit.execution.record_rows import csv_columns_of
from revkit.execution.work import ItemWorker
from revkit.files import write_csv
from revkit.model import blocks
from revkit.model.paper import Paper
from revkit.papers import PaperFacts, read_facts
from revkit.registry import load_registry
from revkit.spec import load_experiment
from revkit.testing import toys
from tests.execution.test_bundle import Asks
from tests.execution.test_damaged_store import damage
from tests.llm_server.server import LlmServer

Run = Callable[..., Any]
TEXT = "# Gates\n\n## Abstract\n\nWe count gates [1]. Rating: 3. Confidence: 4\n\n## References\n\n[1] A. Lee. 2014."  # noqa: E501


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were parsed."""
    found: list[str] = []
    whole = blocks.parse_blocks

    def noted(text: str) -> Any:
        found.append(text)
        return whole(text)

    monkeypatch.setattr(blocks, "parse_blocks", noted)
    return found


def records(run: Any) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run.folder / "records").iterdir()}


def without_families(spec: dict[str, Any]) -> dict[str, Any]:
    """The agent of the toys alone reads the text as it is."""
    return {**spec, "perturbations": {}, "metrics": []}


def test_a_stored_run_parses_no_paper(
    run_toy: Run, toy_spec: dict[str, Any], parsed: list[str]
) -> None:
    first = run_toy(without_families(toy_spec))
    before = records(first)
    texts = len(set(parsed))
    assert texts == len(first.records.papers)
    parsed.clear()
    again = run_toy(without_families(toy_spec))
    assert parsed == []
    assert again.counts.computed == 0
    assert records(again) == before


def test_damaged_facts_are_read_from_the_text_again(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    before = records(run_toy(without_families(toy_spec)))
    lost = damage(tmp_path / "store.db", b'"stray_entries"')
    again = run_toy(without_families(toy_spec))
    (warning,) = again.warnings
    assert "facts about the text of paper" in warning.detail
    assert records(again) == before
    restored = run_toy(without_families(toy_spec))
    assert restored.warnings == ()
    assert lost >= 1


def test_facts_of_a_store_are_those_of_the_text(tmp_path: Path) -> None:
    paper = Paper("p", TEXT).blind()
    true = read_facts(paper)
    assert true.leaks == ("ratings", "confidences")
    assert true.structure.references == 1
    with Store(tmp_path / "store.db") as store:
        facts = FactsOfPapers(store)
        assert facts.of(paper) == true
        assert facts.stored(paper) is None  # not yet: they are stored in portions
        facts.keep()
        assert facts.stored(paper) == true
        other = Paper("p", TEXT, "A title").blind()
        assert facts.stored(other) is None


def test_a_portion_is_stored_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_facts, "_PORTION", 2)
    papers = [Paper("p", f"{TEXT} {number}").blind() for number in range(3)]
    with Store(tmp_path / "store.db") as store:
        facts = FactsOfPapers(store)
        for paper in papers:
            facts.of(paper)
        assert [facts.stored(paper) is not None for paper in papers] == [True, True, False]


@pytest.mark.parametrize(
    "body", [b"[]", b'{"words":1}', b'{"words":"1","structure":{},"leaks":[]}']
)
def test_what_revkit_never_stored_counts_as_unknown(tmp_path: Path, body: bytes) -> None:
    paper = Paper("p", TEXT).blind()
    with Store(tmp_path / "store.db") as store:
        facts = FactsOfPapers(store)
        facts.of(paper)
        facts.keep()
        [key] = store.keys()
        with closing(sqlite3.connect(tmp_path / "store.db")) as database, database:
            database.execute("DELETE FROM asked")
        store.put(key, body)
        assert facts.of(paper) == read_facts(paper)


def test_without_a_store_facts_are_read_from_the_text() -> None:
    facts = FactsOfPapers(None)
    paper = Paper("p", TEXT).blind()
    assert isinstance(facts.of(paper), PaperFacts)
    facts.keep()
    assert facts.stored(paper) is None


def test_a_merge_parses_no_paper(
    toy_spec: dict[str, Any], tmp_path: Path, parsed: list[str], no_plugins: None
) -> None:
    spec = without_families(toy_spec)
    whole = api.run(spec, out=tmp_path / "whole", store=tmp_path / "whole.db", plugins=[toys])
    shards = [
        api.run_shard(spec, f"{number}/2", out=tmp_path / "shards", plugins=[toys])
        for number in (1, 2)
    ]
    parsed.clear()
    merged = api.merge(
        [each.folder for each in shards],
        out=tmp_path / "merged",
        store=tmp_path / "merged.db",
        plugins=[toys],
    )
    assert parsed == []
    assert records(merged) == records(whole)


def test_child_processes_read_the_facts(
    run_toy: Run, toy_spec: dict[str, Any], parsed: list[str]
) -> None:
    spec = without_families(toy_spec)
    before = records(run_toy(spec))
    parsed.clear()
    first = run_toy({**spec, "processes": 1}, out="other", store="other.db")
    assert parsed == []
    assert records(first) == before


def _children_of_this_process() -> list[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_facts_survive_the_end_of_a_child(
    toy_spec: dict[str, Any], no_plugins: None, tmp_path: Path
) -> None:
    registry = load_registry([toys])
    experiment = load_experiment({**without_families(toy_spec), "processes": 1}, registry)
    paper = Paper("p", TEXT).blind()
    with (
        ItemWorker(experiment, Store(None), threading.Event()) as worker,
        Children(experiment, worker) as children,
    ):
        before = set(_children_of_this_process())
        assert children.begin_facts([paper, paper]).result() == [read_facts(paper)] * 2
        (child,) = set(_children_of_this_process()) - before
        os.kill(child, signal.SIGKILL)
        assert children.begin_facts([paper, paper]).result() == [read_facts(paper)] * 2


@pytest.mark.parametrize(
    ("connections", "processors", "least", "here"),
    [(100, 2, 6, 0), (100, 2, 7, 6), (99, 2, 1, 6), (100, 1, 1, 6)],
)
def test_with_many_connections_another_process_reads_the_facts(
    run_toy: Run,
    toy_spec: dict[str, Any],
    parsed: list[str],
    monkeypatch: pytest.MonkeyPatch,
    connections: int,
    processors: int,
    least: int,
    here: int,
) -> None:
    monkeypatch.setattr(runner, "processor_count", lambda: processors)
    monkeypatch.setattr(runner, "_FEWEST_READ", least)
    with LlmServer() as server:
        llm = {"base-url": server.url, "max-connections": connections}
        spec = {**without_families(toy_spec), "services": {"llm": {"default": llm}}}
        spec["agents"] = {"asks": "asks"}
        few = {**spec, "services": {"llm": {"default": {**llm, "max-connections": 1}}}}
        before = records(run_toy(few, out="few", store="few.db", plugins=[Asks]))
        parsed.clear()
        assert records(run_toy(spec, plugins=[Asks])) == before
        assert len(set(parsed)) == here
        parsed.clear()
        assert records(run_toy(spec, plugins=[Asks])) == before
        assert parsed == []


def test_papers_are_sent_once_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are needed before are read here, and not sent with the others."""
    monkeypatch.setattr(paper_facts, "_AT_ONCE", 2)
    papers = [Paper("p", f"{TEXT} {number}").blind() for number in range(9)]
    sent: list[list[Paper]] = []

    class Noted(FactReaders):
        def begin_facts(self, papers: Sequence[Paper]) -> Future[list[PaperFacts]]:
            sent.append(list(papers))
            return super().begin_facts(papers)

    facts = FactsOfPapers(Store(None))
    with Noted(1, 60.0, least=6) as facts.children:
        begun = [facts.begin(paper) for paper in papers[:4]]
        assert facts.of(papers[0], begun[0]) == read_facts(papers[0])
        assert sent == []
        begun += [facts.begin(paper) for paper in papers[4:]]
        assert sent == [papers[2:4], papers[4:6], papers[6:8]]
        for paper, each in zip(papers, begun, strict=True):
            assert facts.of(paper, each) == read_facts(paper)
        assert sent[3:] == [papers[8:]]


def test_a_run_knows_for_which_facts_it_would_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper_facts, "_MOST_SENT", 2 * len(TEXT))
    papers = [Paper("p", f"{TEXT} {number}").blind() for number in range(5)]
    asked: list[Future[list[PaperFacts]]] = []

    class Slow(FactReaders):
        def begin_facts(self, papers: Sequence[Paper]) -> Future[list[PaperFacts]]:
            asked.append(Future())
            return asked[-1]

    with Store(None) as store, Slow(1, 60.0, least=4) as readers:
        facts = FactsOfPapers(store)
        assert facts.ready(facts.begin(papers[0]))
        facts.of(papers[0])
        facts.keep()
        facts.children = readers
        assert facts.ready(facts.begin(papers[0]))  # the store has them
        begun = [facts.begin(paper) for paper in papers[1:]]
        assert len(asked) == 2  # of two papers each, because of their lengths
        assert not facts.ready(begun[0])
        asked[0].set_result(list(map(read_facts, papers[1:3])))
        assert [facts.ready(each) for each in begun] == [True, True, False, False]
        assert facts.of(papers[2], begun[1]) == read_facts(papers[2])


def test_facts_are_read_here_where_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = []

    def refused(setup: object) -> None:
        starts.append(setup)
        raise OSError("no memory")

    monkeypatch.setattr(children, "_Child", refused)
    paper = Paper("p", TEXT).blind()
    with FactReaders(1, 60.0) as readers:
        for _ in range(2):
            assert readers.begin_facts([paper, paper]).result() == [read_facts(paper)] * 2
    assert starts == [None]


class Silent:
    """A child that never answers."""

    alive = True

    def __init__(self, setup: object) -> None:
        self.asked, self.ended = threading.Event(), threading.Event()
        STARTED.append(self)

    def compute(self, *given: object) -> object:
        self.asked.set()
        self.ended.wait()
        raise EOFError

    def end(self, mark: threading.Event | None = None) -> int:
        if mark is not None:
            mark.set()
        self.ended.set()
        return -9

    close = end


STARTED: list[Silent] = []


def test_after_a_deadline_that_is_too_short_no_other_process_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(children, "_Child", Silent)
    STARTED.clear()
    paper = Paper("p", TEXT).blind()
    with FactReaders(1, 0.01) as readers:
        for _ in range(2):
            assert readers.begin_facts([paper]).result() == [read_facts(paper)]
    assert len(STARTED) == 1


def test_a_run_that_ends_reads_no_facts_that_were_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "_Child", Silent)
    monkeypatch.setattr(children, "read_facts", lambda paper: pytest.fail("nobody waits for it"))
    STARTED.clear()
    paper = Paper("p", TEXT).blind()
    with FactReaders(1, 60.0) as readers:
        begun = [readers.begin_facts([paper]) for _ in range(2)]
        while not STARTED:
            time.sleep(0.001)
        STARTED[0].asked.wait()
    for each in begun:
        with pytest.raises(CancelledError):
            each.result()
    assert len(STARTED) == 1


def test_an_entry_of_the_path_that_is_not_a_string_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Notebooks append paths, which Python ignores too."""
    monkeypatch.setattr(sys, "path", [*sys.path, Path("here")])
    child = children._Child(None)
    assert child.alive
    child.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_process_that_reads_facts_loads_no_component() -> None:
    paper = Paper("p", TEXT).blind()
    with FactReaders(1, 60.0) as readers:
        before = set(_children_of_this_process())
        assert readers.begin_facts([paper]).result() == [read_facts(paper)]
        (child,) = set(_children_of_this_process()) - before
        os.kill(child, signal.SIGKILL)
        assert readers.begin_facts([paper]).result() == [read_facts(paper)]
    assert set(_children_of_this_process()) <= before
    code = (
        "import revkit.execution.processes.child, sys\n"
        "print(sorted({'pluggy', 'yaml', 'revkit.registry', 'revkit.cache'} & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout == "[]\n"


def test_a_stored_run_loads_no_parser(tmp_path: Path) -> None:
    """Each takes a part of the start: the first call of a run that was killed waits for it."""
    (tmp_path / "papers.jsonl").write_text(json.dumps({"id": "p", "text": TEXT}) + "\n")
    (tmp_path / "spec.yaml").write_text(
        "revkit: 1\nname: stored\ncorpus: {use: jsonl, with: {path: papers.jsonl}}\n"
        "agents: {hedges: confidence-reader}\nmetrics: [outcomes]\nreports: [terminal]\n"
    )
    unneeded = {
        "jsonschema",
        "xml.sax",
        "xml.etree.ElementTree",
        "revkit.model.blocks",
        "revkit.model.citations",
        "revkit.model.inline",
        "revkit.works",
    }
    code = (
        "import sys; sys.argv = ['revkit', 'run', 'spec.yaml', '--out', 'run', '--quiet']\n"
        "from revkit.cli.main import main\n"
        "try: main()\n"
        f"finally: print(sorted({unneeded!r} & set(sys.modules)))"
    )
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.strip())
    assert "revkit.model.blocks" in seen[0]
    assert seen[1] == "[]"


def test_tables_of_records_are_those_of_their_lines(
    run_toy: Run, toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    run = run_toy(toy_spec)
    found = sorted((run.folder / "records").glob("*.jsonl"))
    assert len(found) > 5
    for path in found:
        write_csv(path, tmp_path / "again.csv", csv_columns_of(path.stem))
        assert path.with_suffix(".csv").read_bytes() == (tmp_path / "again.csv").read_bytes()
