"""Forgetting: take one paper's text, and what was written about it, out of stores and run folders.

What a store holds of a paper is found in two ways. Each run that holds the paper is gone through
once more from the store, for this paper alone: every answer that is asked for is one of it. Then
every other answer is read: one that repeats twelve words of the paper in a row holds its text. All
parses of sentences are removed, because none names its paper.
"""

from __future__ import annotations

import os
import re
import threading
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.dataclass import dataclass
from revkit.errors import RevkitError, RunError
from revkit.execution.bundle.archive import MANIFEST
from revkit.execution.bundle.export import NotingStore, check_code, experiment_of, read_json
from revkit.execution.bundle.export import recorded_of as recorded_run
from revkit.execution.bundle.rows import calls_of
from revkit.execution.folder import MARK, in_use, listed_files
from revkit.execution.loop import Loop, PaperJob
from revkit.execution.paper_facts import FactsOfPapers
from revkit.execution.progress import Progress
from revkit.execution.prose import HasProse, ProseOfPapers
from revkit.execution.record_rows import csv_columns_of
from revkit.execution.work import ItemWorker
from revkit.files import write_csv
from revkit.files.run_files import records_file, records_folder, rows_if_any
from revkit.model.paper import Paper
from revkit.model.strict_json import strict_json
from revkit.model.values import Json, canonical_json
from revkit.planning import build_graph
from revkit.registry import Registry
from revkit.services.parses import is_parse

_RUN_OF_WORDS = 12
_WORD = re.compile(r"[^\W_]+")
_PAPERS = ("papers", "anchors")
_LARGEST_MEMBER = 2_000_000_000
_LONGEST_CODE = 64
# A reason may quote the paper; that there was one stays.
_REASONS = {"rejected": "forgotten", "reason": "forgotten", "refused": "forgotten"}
_TEXTS = frozenset(
    ("title", "text", "notes", "left_out", "hidden_notes", "materials", "old", "new", "note",
     "about", "detail", "raw", "fields", "keywords", "markers")
)  # fmt: skip
# Cells that hold no text of a paper or a review, though they may have blanks in them.
_KEEP = frozenset(
    ("id", "paper", "agent", "judge", "rubric", "perturbation", "defense", "digest", "decision",
     "rating_scale", "form", "topic", "tier", "outcome", "gate", "failure", "name", "source")
)  # fmt: skip


@dataclass(frozen=True)
class RunTraces:
    """What one run folder holds of a paper: rows of its records, and other files with its text.

    ``unknown`` says why its answers were not found by their keys; "" where they were.
    """

    folder: Path
    rows: int
    files: tuple[str, ...]
    unknown: str = ""


@dataclass(frozen=True)
class Traces:
    """What holds one paper: run folders, answers by store, and bundles, which are never changed."""

    paper: str
    runs: tuple[RunTraces, ...]
    answers: Mapping[Path, frozenset[bytes]]
    bundles: tuple[Path, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "paper": self.paper,
            "runs": [
                {
                    "folder": str(each.folder),
                    "rows": each.rows,
                    "files": list(each.files),
                    "unknown": each.unknown,
                }
                for each in self.runs
            ],
            "answers": {str(path): len(keys) for path, keys in self.answers.items()},
            "bundles": list(map(str, self.bundles)),
        }


def find_traces(
    paper: str, folders: Sequence[Path], stores: Sequence[Path], registry: Registry, text: str = ""
) -> Traces:
    """Return what holds the paper with this id: runs and bundles at or below ``folders``, and
    ``stores``. ``text`` is its text, for a store whose runs are gone. Changes nothing.

    Raises `RunError` where nothing is known by that id, and where a run that holds it is going on.
    """
    held = {run: rows for run in _runs(folders) if (rows := _rows_of_paper(run, paper))}
    texts = [text, *(str(row.get("text") or "") for rows in held.values() for row in rows)]
    phrases = frozenset(phrase for each in texts for phrase in _phrases(each))
    bundles = tuple(_bundles_with(paper, folders))
    if not held and not text:
        where = ", ".join(map(str, folders))
        known = f"; {len(bundles)} bundles there hold it: {bundles[0]}" if bundles else ""
        raise RunError(f"no run below {where} holds a paper with the id {paper!r}{known}")
    for run in held:
        if in_use(run):
            raise RunError(f"{run} is being written by a run; wait for its end")
    unknown: dict[Path, str] = {}
    answers = {}
    for store in stores:
        if store.is_file():
            keys, problems = _keys_in(store, held, registry)
            unknown.update(problems)
            answers[store] = frozenset(keys | _quoting(store, phrases, keys))
    runs = tuple(
        RunTraces(run, _count(run, paper), tuple(_files_with(run, phrases)), unknown.get(run, ""))
        for run in held
    )
    return Traces(paper, runs, answers, bundles)


def forget_traces(traces: Traces) -> None:
    """Remove what was found: answers from the stores, texts and reviews from the records of runs,
    and the files that repeat its text. Numbers stay, so no table changes; bundles stay, too."""
    for path, keys in traces.answers.items():
        with Store(path) as store:
            store.forget(keys)
    for run in traces.runs:
        for path in sorted(records_folder(run.folder).glob("*.jsonl")):
            _blank_rows(path, traces.paper)
        for name in run.files:
            (run.folder / name).unlink(missing_ok=True)


def _runs(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if not folder.is_dir():
            raise RunError(
                f"the folder {folder} does not exist; name the folder of your runs with --runs"
            )
        yield from sorted(mark.parent for mark in folder.rglob(MARK))


def _rows_of_paper(run: Path, paper: str) -> list[dict[str, Any]]:
    """The rows of a run that hold the paper itself."""
    files = (records_file(run, name) for name in _PAPERS)
    return [row for path in files for row in rows_if_any(path) if row.get("id") == paper]


def _is_about(row: Mapping[str, Any], paper: str) -> bool:
    return bool(row.get("paper", row.get("id")) == paper)


def _count(run: Path, paper: str) -> int:
    paths = records_folder(run).glob("*.jsonl")
    return sum(_is_about(row, paper) for path in paths for row in rows_if_any(path))


def _phrases(text: str) -> Iterator[int]:
    """Every run of twelve words, as a number; none of a shorter text."""
    words = _WORD.findall(text.casefold())
    for start in range(len(words) - _RUN_OF_WORDS + 1):
        yield hash(tuple(words[start : start + _RUN_OF_WORDS]))


def _texts_in(value: Any) -> Iterator[str]:
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            rest += each.values()
        elif isinstance(each, list):
            rest += each


def _quotes(value: Any, phrases: frozenset[int]) -> bool:
    return any(not phrases.isdisjoint(_phrases(text)) for text in _texts_in(value))


def _quoting(store: Path, phrases: frozenset[int], known: set[bytes]) -> set[bytes]:
    """The keys of further answers that repeat a phrase of the paper, and of all parses: a parse has
    the words of a sentence, but does not name its paper. It is computed again when it is needed.
    """
    found = set()
    with Store(store) as answers:
        for key in answers.keys() if phrases else ():
            body = None if key in known else answers.get(key)
            value = None if body is None else _value_of(body)
            if is_parse(value) or _quotes(value, phrases):
                found.add(key)
    return found


def _value_of(body: bytes) -> Any:
    try:
        return strict_json(body.decode("utf-8"))
    except ValueError:
        return body.decode("utf-8", "replace")


def _keys_in(
    store: Path, held: Mapping[Path, list[dict[str, Any]]], registry: Registry
) -> tuple[set[bytes], dict[Path, str]]:
    """The keys of all answers on the paper, and the runs of which they could not be found."""
    keys: set[bytes] = set()
    problems = {}
    for run, rows in held.items():
        with NotingStore(store) as answers:
            try:
                _go_through(run, {str(row["id"]) for row in rows}, answers, registry, store)
            except (RevkitError, OSError, KeyError, TypeError) as error:
                problems[run] = str(error)
            keys |= answers.found | calls_of(answers, set(answers.found))
    return keys, problems


def _go_through(
    run: Path, papers: set[str], answers: NotingStore, registry: Registry, store: Path
) -> None:
    """Ask ``answers`` for everything that the run has on ``papers``."""
    about, result = read_json(run, "provenance.json"), read_json(run, "result.json")
    check_code(run, about, registry)
    experiment = experiment_of(run, registry)
    whole = recorded_run(run, about, result, store)
    stop = threading.Event()
    with ItemWorker(experiment, answers, stop, serve=False) as worker:
        recorded = replace(whole, papers=(), anchors=())
        graph = build_graph(experiment)
        loop = Loop(experiment, graph, answers, worker, Progress(), stop, recorded)
        facts, has_prose = FactsOfPapers(answers), ProseOfPapers(answers)
        for source, items in (("papers", whole.papers), ("anchors", whole.anchors)):
            wanted = (each for each in items if isinstance(each, Paper) and each.id in papers)
            if source == "papers" or experiment.calibration is not None:
                loop.run(wanted, lambda job: _ask_for(facts, has_prose, job), source)


def _ask_for(facts: FactsOfPapers, has_prose: HasProse, job: PaperJob) -> None:
    """Ask the store for what was read from the text of a paper."""
    facts.stored(job.blind)
    has_prose(job.blind)


def _files_with(run: Path, phrases: frozenset[int]) -> Iterator[str]:
    """The files of a run, besides its records, that repeat a phrase of the paper."""
    for name in sorted(listed_files(run)):
        path = run / name
        if name.startswith("records/") or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if not phrases.isdisjoint(_phrases(re.sub(r"<[^<>]{0,200}>", "", text))):
            yield name


def _bundles_with(paper: str, folders: Sequence[Path]) -> Iterator[Path]:
    """The bundles at or below ``folders`` that hold the paper."""
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and zipfile.is_zipfile(path) and _holds(path, paper):
                yield path


def _holds(path: Path, paper: str) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if MANIFEST not in names:
                return False
            members = [f"{name}.jsonl" for name in _PAPERS if f"{name}.jsonl" in names]
            return any(_names(archive, member, paper) for member in members)
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError):
        return False


def _names(archive: zipfile.ZipFile, member: str, paper: str) -> bool:
    if archive.getinfo(member).file_size > _LARGEST_MEMBER:
        return False
    with archive.open(member) as lines:
        return any(bool(strict_json(line.decode("utf-8")).get("id") == paper) for line in lines)


def _blank_rows(path: Path, paper: str) -> None:
    """Empty the texts in the rows on the paper, in the JSON Lines and in the CSV beside it."""
    rows = [_blanked(row) if _is_about(row, paper) else row for row in rows_if_any(path)]
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        for row in rows:
            file.write(canonical_json(row) + "\n")
    os.replace(part, path)
    table = path.with_suffix(".csv")
    if table.is_file():
        write_csv(path, table, csv_columns_of(path.stem))


def _blanked(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value if key in _KEEP else _coded(value, key) for key, value in row.items()}


def _coded(value: Any, key: str = "") -> Any:
    """``value`` with every text emptied: numbers, yes and no, and words of code stay."""
    if isinstance(value, str):
        is_code = key not in _TEXTS and len(value) <= _LONGEST_CODE and not re.search(r"\s", value)
        return value if is_code else _REASONS.get(key, "")
    if isinstance(value, list):
        return [] if key in _TEXTS else [_coded(each, key) for each in value]
    if isinstance(value, Mapping):
        return {name: _coded(each, name) for name, each in value.items()}
    return value
