"""Run an experiment on an executor: its shards elsewhere, then their merge here."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from revkit.cache import Store, spent_on
from revkit.cache.maintenance import copy_store
from revkit.contracts import Executor
from revkit.errors import BatchesPending, Interrupted, RevkitError, RunError, StoreError
from revkit.execution.folder import RunFolder, digest_of_run
from revkit.execution.loop import Counts
from revkit.execution.processes.children import one_off_files
from revkit.execution.provenance import package_versions
from revkit.execution.run import Run
from revkit.execution.runner import counted, limits_of, refuse_expired
from revkit.execution.shards.merge import merge_into
from revkit.execution.shards.shard import MOST, Shard, share_of_limits
from revkit.execution.shards.shard_run import STORE_NAME
from revkit.execution.shards.task import CONTROL, run_task
from revkit.execution.stored_run import run_if_stored
from revkit.execution.warning import RunWarning
from revkit.figures.numbers import count_of
from revkit.identity import core_digest
from revkit.model.strict_json import strict_json
from revkit.model_settings import Budget
from revkit.observing import current
from revkit.observing.relay import relayed
from revkit.places import STORE
from revkit.spec import Experiment

_KNOWN = "known.sqlite3"


def run_elsewhere(
    experiment: Experiment,
    executor: Executor,
    *,
    out: Path,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    sharing: Sequence[str] = (),
) -> Run:
    """Run ``experiment`` in shards on ``executor``, and merge them into the run folder ``out``.

    The shards are written to ``OUT.shards``, which all workers see under the same path. Answers of
    ``store`` are used and not asked for again; where it has all of them, no shard starts. The rest
    of the budget is divided by the number of shards, requests and tokens a minute by the number of
    shards that run at the same time. The same command continues from what the shards stored,
    whatever was killed. Raises `RunError` for too many or too few shards, and where one
    has no result.
    """
    refuse_expired(experiment)
    experiment = replace(experiment, executor=None)
    stop = stop or threading.Event()
    store = store or STORE
    if not 1 <= executor.at_once <= executor.shards <= MOST:
        raise RunError(
            f"executor {executor.name!r}: shards must be at most {MOST:,} and at least at-once"
        )
    place = out.with_name(f"{out.name}.shards").absolute()
    shards = [Shard(number, executor.shards) for number in range(1, executor.shards + 1)]
    with current().begin("run", digest=experiment.digest, shard=None) as opened:
        with Store(store) as answers:
            run = run_if_stored(
                experiment,
                answers,
                out=out,
                overwrite=overwrite,
                quiet=quiet,
                stop=stop,
                sharing=sharing,
            )
        if run is not None:
            opened.note(**counted(run.counts))
            return run
        with RunFolder(out, experiment.digest, overwrite=overwrite) as folder:
            try:
                done = _run_shards(
                    experiment, executor, shards, place, store, overwrite, quiet, stop, sharing
                )
            except BaseException:
                folder.discard()
                raise
        run = merge_into(
            experiment,
            [place / each.folder for each in shards],
            out=out,
            store=store,
            quiet=quiet,
            stop=stop,
        )
        computed = sum(int(each["computed"]) for each in done)
        stored, failed = run.counts.stored, run.counts.failed
        warnings = [RunWarning(**each) for result in done for each in result["warnings"]]
        changed = dict.fromkeys(name for result in done for name in result["changed_files"])
        run = replace(
            run,
            counts=Counts(computed, max(0, stored + failed - computed), failed),
            changed_files=tuple(changed),
            warnings=tuple(dict.fromkeys((*run.warnings, *warnings))),
        )
        opened.note(**counted(run.counts))
    return run


def _run_shards(
    experiment: Experiment,
    executor: Executor,
    shards: Sequence[Shard],
    place: Path,
    store: Path,
    overwrite: bool,
    quiet: bool,
    stop: threading.Event,
    sharing: Sequence[str],
) -> list[dict[str, Any]]:
    place.mkdir(parents=True, exist_ok=True)
    with Store(store) as answers:
        _bring_home(experiment, shards, place, answers)
        known = _known(place, answers)
        spec = replace(experiment, budget=_rest(experiment, sharing, shards, place, answers))
    token = secrets.token_hex(8)
    common: dict[str, Any] = {
        "token": token,
        "spec": spec.to_json(),
        "experiment": experiment.digest,
        "core": core_digest(),
        "packages": package_versions(),
        "out": str(place),
        "cwd": os.getcwd(),
        "plugins": [str(Path(file).resolve()) for file in one_off_files()],
        "at_once": executor.at_once,
        "known": str(known) if known else None,
        "overwrite": overwrite,
    }
    observer = current()
    with ExitStack() as stack:
        stack.enter_context(_control(place / CONTROL, token, len(shards)))
        if observer.observes:
            events = _new_events(place, token)
            common["events"] = str(events)
            for shard in shards:
                part = share_of_limits(spec, shard, share_budget=True, at_once=executor.at_once)
                observer.share(shard.folder, **limits_of(part))
            stage = stack.enter_context(observer.begin("stage", stage="shards"))
            stack.enter_context(relayed(observer, events, stage.number))
        tasks = [json.dumps({**common, "shard": str(shard)}) for shard in shards]
        return _collect(executor, tasks, stop, quiet)


def _new_events(place: Path, token: str) -> Path:
    """Return the folder for the events of the shards; those of a killed command are removed."""
    for old in place.glob("events-*"):
        shutil.rmtree(old, ignore_errors=True)
    return place / f"events-{token}"


def _collect(
    executor: Executor, tasks: Sequence[str], stop: threading.Event, quiet: bool
) -> list[dict[str, Any]]:
    """Return the results of all tasks. Raises `RunError` for the first that failed,
    `Interrupted` if the run was stopped, and `BatchesPending` if calls wait in batches.
    """
    done: list[dict[str, Any]] = []
    pending: list[str] = []
    error = ""
    ending = threading.Event()
    try:
        for text in executor.run(run_task, tasks, lambda: stop.is_set() or ending.is_set()):
            result = strict_json(text)
            if "error" in result:
                error = error or str(result["error"])
                ending.set()
            elif "pending" in result:  # the other shards send theirs meanwhile
                pending.append(str(result["pending"]))
            elif not result.get("stopped"):
                done.append(result)
                if not quiet:
                    _report(result, len(done), len(tasks))
    except RevkitError:
        raise
    except Exception as failure:  # a plugin may raise anything
        raise RunError(
            f"executor {executor.name!r} crashed: {type(failure).__name__}: {failure}"
        ) from failure
    if error:
        raise RunError(error)
    if len(done) + len(pending) < len(tasks):
        raise Interrupted(
            f"stopped after {len(done)} of {len(tasks)} shards; all answers are stored, and the "
            "same command continues from here"
        )
    if pending:
        raise BatchesPending("\n".join(pending))
    return done


def _report(result: Mapping[str, Any], done: int, whole: int) -> None:
    failed = f", {result['failed']:,} failed" if result["failed"] else ""
    sys.stderr.write(
        f"shard {result['shard']}: {result['papers']:,} papers, "
        f"{count_of(result['computed'], 'item')} computed, "
        f"{result['stored']:,} cached{failed} ({done} of {whole} shards)\n"
    )
    sys.stderr.flush()


@contextmanager
def _control(path: Path, token: str, shards: int) -> Iterator[None]:
    """Let the tasks with ``token`` run; at the end, those that still run are stopped."""
    _write(path, {"token": token, "shards": shards, "stop": False})
    try:
        yield
    finally:
        _write(path, {"token": token, "shards": shards, "stop": True})


def _write(path: Path, value: Mapping[str, object]) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(json.dumps(value), encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error}") from error


def _stores(place: Path, shards: Sequence[Shard]) -> list[Path]:
    paths = (place / each.folder / STORE_NAME for each in shards)
    return [path for path in paths if path.is_file()]


def _bring_home(
    experiment: Experiment, shards: Sequence[Shard], place: Path, answers: Store
) -> None:
    """Add to ``answers`` what an earlier command stored for another number of shards."""
    current = {each.folder for each in shards}
    for path in sorted(place.glob(f"*-of-*/{STORE_NAME}")):
        folder = path.parent
        if folder.name in current:
            continue
        number, _, count = folder.name.partition("-of-")
        if number.isdigit() and count.isdigit():
            shard = Shard(int(number), int(count))
            if digest_of_run(folder) == shard.digest(experiment.digest):
                answers.merge(path)


def _known(place: Path, answers: Store) -> Path | None:
    """Write a copy of ``answers`` for the workers to read; None if there is no answer."""
    path = place / _KNOWN
    path.unlink(missing_ok=True)
    [(some,)] = answers.query("SELECT count(*) FROM (SELECT 1 FROM asked LIMIT 1)", ())
    if not some:
        return None
    copy_store(answers, path)
    return path


def _rest(
    experiment: Experiment,
    sharing: Sequence[str],
    shards: Sequence[Shard],
    place: Path,
    answers: Store,
) -> Budget:
    """Return what is left of the budget for the shards: without what was spent elsewhere. What a
    shard has spent before, it counts itself.
    """
    budget = experiment.budget
    if budget == Budget():
        return budget
    own = []
    for path in _stores(place, shards):
        try:
            with closing(Store(path)) as part:
                own.append(part.identity)
        except StoreError:
            continue  # the worker that uses it reports it
    spent = spent_on(answers, {experiment.digest, *sharing}, besides=own)

    def rest(whole: float | None, used: float) -> Any:
        return None if whole is None else max(type(whole)(0), whole - used)

    return Budget(
        usd=rest(budget.usd, spent.usd or 0.0),
        calls=rest(budget.calls, spent.calls),
        tokens=rest(budget.tokens, spent.tokens),
    )
