"""Export: put a run into one file with everything that a replay needs.

Which answers those are is found by going through the run once more, from its store alone, and
noting every key that is asked for. So there is no second place that knows how keys are made, and a
bundle is written only of a run that has just been shown to repeat byte for byte.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.dataclass import dataclass
from revkit.errors import RunError, describe_error, reason_of
from revkit.execution.bundle.archive import MANIFEST, MEMBERS, digest_of_file, write_archive
from revkit.execution.bundle.manifest import Manifest, Part, changes, parts_of_run
from revkit.execution.bundle.rows import (
    answers_from_failures,
    calls_of,
    failures_of,
    papers_of,
    peers_in,
    reviews_in,
    without_text,
    write_answers,
    write_rows,
)
from revkit.execution.bundle.secrets import refuse_secrets
from revkit.execution.fault import fault_from_json
from revkit.execution.folder import MARK, digest_of_run, listed_files
from revkit.execution.keys import key_base
from revkit.execution.recorded_run import Recorded
from revkit.execution.runner import repeat_run
from revkit.execution.sources import digest_of_peers
from revkit.files import located
from revkit.files.run_files import read_object, read_rows, records_folder, rows_if_any
from revkit.model.values import Json
from revkit.places import STORE
from revkit.planning import build_graph
from revkit.registry import Registry
from revkit.spec import Experiment, load_experiment

_LARGEST_FILE = 100_000_000
_NOT_COMPARED = ("provenance.json", MARK)  # clock and machine differ from run to run


@dataclass(frozen=True)
class Bundle:
    """A written bundle: its file, its SHA-256, and the numbers of its parts."""

    path: Path
    digest: str
    papers: int
    answers: int
    calls: int


class NotingStore(Store):
    """A store that records which keys were read from it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.found: set[bytes] = set()

    def get(self, key: bytes) -> bytes | None:
        body = super().get(key)
        if body is not None:
            self.found.add(key)
        return body


def export_run(
    run: Path, bundle: Path, registry: Registry, *, store: Path | None = None, texts: bool = True
) -> Bundle:
    """Write the run in the folder ``run`` to the file ``bundle``; see `revkit.api.export`. Raises
    `RunError` where the store does not exist or ``run`` is not the folder of a finished run.
    """
    store = store or STORE
    about = read_json(run, "provenance.json")
    result = read_json(run, "result.json")
    check_code(run, about, registry)
    experiment = experiment_of(run, registry)
    if not texts:
        _refuse_borrowed(experiment)
    if not store.is_file():
        raise RunError(f"there is no store {store}; name the store of the run with --store")
    with tempfile.TemporaryDirectory(prefix="revkit-export-") as place:
        again, members = Path(place) / "run", Path(place) / "members"
        members.mkdir()
        answers = NotingStore(store)
        with answers:
            recorded = recorded_of(run, about, result, store)
            repeat_run(experiment, recorded, out=again, store=answers)
            results = files_of(again)
            _check_same(run, results)
            counts = _write_members(run, members, answers, experiment, texts=texts)
        manifest = Manifest(
            revkit=str(about["packages"]["revkit"]),
            name=experiment.name,
            experiment=experiment.digest,
            core=str(about["core"]),
            texts=texts,
            parts=parts_of_run(experiment, registry),
            packages=recorded.versions,
            keys={
                node.id: key_base(experiment, node, lambda: recorded.peers).digest
                for node in build_graph(experiment).nodes
                if node.shape != "source"
            },
            faults=tuple(recorded.faults),
            results=results,
            members={name: digest_of_file(members / name) for name in MEMBERS},
        )
        body = json.dumps(manifest.to_json(), indent=1, sort_keys=True, ensure_ascii=False)
        (members / MANIFEST).write_text(body + "\n", encoding="utf-8", newline="\n")
        refuse_secrets(experiment, [members / name for name in (*MEMBERS, MANIFEST)])
        write_archive(members, bundle)
    return Bundle(bundle, digest_of_file(bundle), *counts)


def files_of(run: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a run that the same answers would reproduce."""
    return {
        name: digest_of_file(run / name)
        for name in sorted(listed_files(run))
        if name not in _NOT_COMPARED and (run / name).is_file()
    }


def read_json(run: Path, name: str) -> Any:
    """Return the JSON object in the file ``name`` of a run folder. Raises `RunError` where the run
    has no such file.
    """
    try:
        return read_object(run / name)
    except RunError as error:
        raise RunError(f"{run} is not the folder of a finished run: {error}") from None


def check_code(run: Path, about: Any, registry: Registry) -> None:
    """Raise `RunError` if the code has changed since the run: its answers then have other keys."""
    try:
        parts = [
            Part(row["path"], row["kind"], row["name"], row["version"])
            for row in about["components"]
        ]
        found = list(changes(parts, about["core"], about["packages"]["revkit"], registry))
    except (KeyError, TypeError) as error:
        raise RunError(f"{run / 'provenance.json'} was not written by a run") from error
    if found:
        raise RunError(
            f"{run} was made by other code, so its answers cannot be found: {'; '.join(found)}"
        )


def _refuse_borrowed(experiment: Experiment) -> None:
    """Raise `RunError` if variants contain text of other papers, which the bundle would
    disclose.
    """
    borrowing = [path for path, part in experiment.components() if "corpus" in part.uses]
    if borrowing:
        raise RunError(
            f"not exported without texts: variants of {', '.join(borrowing)} contain texts of "
            "other papers; leave these perturbations out of the experiment, or export it with its "
            "texts"
        )
    repeating = [path for path, part in experiment.components() if "reviews" in part.uses]
    if repeating:
        raise RunError(
            f"not exported without texts: the reviews of {', '.join(repeating)} are human texts; "
            "leave these agents out of the experiment, or export it with its texts"
        )


def experiment_of(run: Path, registry: Registry) -> Experiment:
    """Return the experiment of the run in a folder. Raises `RunError` where its spec gives another
    one now.
    """
    if (run / "sweep.json").is_file():
        raise RunError(f"{run} contains a sweep; export the folder of a point, as {run}/points/...")
    experiment = load_experiment(run / "spec.yaml", registry, report_renamed=False)
    if digest_of_run(run) != experiment.digest:
        raise RunError(f"{run / 'spec.yaml'} is not the experiment that was run in {run}")
    return experiment


def recorded_of(run: Path, about: Any, result: Any, store: Path) -> Recorded:
    records = records_folder(run)
    try:
        return Recorded(
            papers=papers_of(
                records / "papers.jsonl", records / "skipped.jsonl", records / "undrawn.jsonl"
            ),
            anchors=papers_of(records / "anchors.jsonl", records / "anchors-skipped.jsonl"),
            peers=digest_of_peers(peers_in(records / "papers.jsonl")),
            reviews=reviews_in(records / "papers.jsonl", records / "anchors.jsonl"),
            answers=answers_from_failures(failures_of(records)),
            faults=[fault_from_json(fault) for fault in result["faults"]],
            versions={str(name): str(text) for name, text in about["packages"].items()},
            where=f"the store {store}",
            remedy="name the store that the run used with --store, or run it again",
        )
    except (OSError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"the records of {run} cannot be read: {reason_of(error)}") from error


def _check_same(run: Path, results: Mapping[str, str]) -> None:
    different = differences(results, files_of(run))
    if different:
        raise RunError(
            f"{run} does not match its answers ({'; '.join(different)}); run the experiment again"
        )


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """Return the differences of two run folders, one line for each file."""
    lines = []
    for name in sorted({*there, *here}):
        if name not in here:
            lines.append(f"{name} is missing")
        elif name not in there:
            lines.append(f"{name} was missing")
        elif there[name] != here[name]:
            lines.append(f"{name} differs")
    return lines


def _write_members(
    run: Path, members: Path, store: NotingStore, experiment: Experiment, *, texts: bool
) -> tuple[int, int, int]:
    """Write all members except the manifest; return the numbers of papers, answers and calls."""
    records = records_folder(run)
    papers = 0

    def rows() -> Any:
        nonlocal papers
        for row in read_rows(records / "papers.jsonl"):
            papers += 1
            yield row if texts else without_text(row)

    write_rows(members / "papers.jsonl", rows())
    left = (records / "skipped.jsonl", records / "undrawn.jsonl")
    write_rows(members / "skipped.jsonl", (row for path in left for row in rows_if_any(path)))
    anchors = rows_if_any(records / "anchors.jsonl")
    write_rows(members / "anchors.jsonl", (r if texts else without_text(r) for r in anchors))
    write_rows(members / "anchors-skipped.jsonl", rows_if_any(records / "anchors-skipped.jsonl"))
    shutil.copyfile(run / "spec.yaml", members / "spec.yaml")
    write_rows(members / "failures.jsonl", failures_of(records))
    write_rows(members / "files.jsonl", _files(experiment))
    calls = calls_of(store, store.found)
    keys = store.found - calls
    write_answers(members / "answers.jsonl", store, keys)
    write_answers(members / "calls.jsonl", store, calls)
    return papers, len(keys), len(calls)


def _files(experiment: Experiment) -> Iterator[dict[str, Json]]:
    """Return the files that are required to build the components, by their paths in the options."""
    paths: set[str] = set()
    for where, component in experiment.components():
        try:
            paths.update(map(str, component.files_needed()))
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            raise RunError(
                f"not exported: the files of {where}: {describe_error(error)}"
            ) from error
    for path in sorted(paths):
        try:
            place = located(path)
            if place.stat().st_size > _LARGEST_FILE:
                raise RunError(f"not exported: {path} is larger than {_LARGEST_FILE:,} bytes")
            yield {"path": path, "text": place.read_bytes().decode("utf-8")}
        except OSError as error:
            raise RunError(f"not exported: {path} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise RunError(f"not exported: {path} is not text in UTF-8") from None
        except ValueError as error:
            raise RunError(f"not exported: {error}") from None
