"""Finished runs in MLflow or Weights & Biases, through the clients of these services."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from revkit.errors import RunError, describe_error
from revkit.runs.opened_run import OpenedRun

Tracker = Literal["mlflow", "wandb"]
TRACKERS: tuple[str, ...] = get_args(Tracker)
_FILES = ("report.html", "report.md", "result.json", "spec.yaml", "provenance.json")
_NAME = 200


def figures_of(run: OpenedRun) -> dict[str, float]:
    """Return the figures that tables declare for reports, with the ends of their intervals:
    ``flip-rate.rate.gpt`` and ``flip-rate.rate_low.gpt``, say. A figure that was not measured is
    left out.
    """
    return dict(_figures(run))


def _figures(run: OpenedRun) -> Iterator[tuple[str, float]]:
    for table in run.tables.values():
        for measure in table.measures:
            naming = next(each.name for each in table.columns if each.role == measure.by)
            of_it = [each for each in table.columns if each.of == measure.column]
            ends = [each.name for each in of_it if each.role in ("low", "high")]
            for row in table.records():
                if all(row[name] == cell for name, cell in measure.where):
                    for name in (measure.column, *ends):
                        value = row[name]
                        if isinstance(value, int | float):
                            yield _plain(f"{table.name}.{name}.{row[naming]}"), float(value)


def facts_of(run: OpenedRun) -> dict[str, str]:
    """Return what identifies a run: digests, versions, counts, the seed and the first result."""
    facts = {
        "experiment": run.digest,
        "records": run.records_digest,
        "seed": str(run.spec.get("seed", "")),
        "revkit": run.versions.get("revkit", ""),
        "headline": run.headline[:480],
    }
    counts = {key: value for key, value in run.result.items() if isinstance(value, int)}
    facts |= {key: str(value) for key, value in counts.items() if key != "revkit"}
    return {key: value for key, value in facts.items() if value}


def track(run: OpenedRun, tracker: Tracker, *, project: str = "revkit", texts: bool = False) -> str:
    """Send a finished run to a tracker, and return the name that the tracker gives it.

    The address, the key and the offline mode are those of the client: ``MLFLOW_TRACKING_URI``,
    ``WANDB_MODE=offline``. Figures, facts and the spec are sent; with ``texts`` also the reports,
    which contain texts of papers and reviews. Raises `RunError` if the client is not installed or
    fails.
    """
    if tracker not in TRACKERS:
        raise RunError(f"unknown tracker {tracker!r}; known: {', '.join(TRACKERS)}")
    try:
        client: Any = import_module(tracker)
    except ImportError as error:
        raise RunError(
            f"{tracker} cannot be imported ({error}); install it with: "
            f"pip install 'revkit[{tracker}]'"
        ) from None
    files = [run.folder / name for name in _FILES if (run.folder / name).is_file()]
    files = files if texts else [path for path in files if path.name == "spec.yaml"]
    send = _to_mlflow if tracker == "mlflow" else _to_wandb
    try:
        return send(client, run, project, files)
    except Exception as error:
        raise RunError(f"{tracker}: {describe_error(error)}") from error


def _to_mlflow(client: Any, run: OpenedRun, project: str, files: list[Path]) -> str:
    client.set_experiment(project)
    with client.start_run(run_name=run.name) as started:
        client.set_tags({f"revkit.{key}": value for key, value in facts_of(run).items()})
        client.log_metrics(figures_of(run))
        for path in files:
            client.log_artifact(str(path))
        return str(started.info.run_id)


def _to_wandb(client: Any, run: OpenedRun, project: str, files: list[Path]) -> str:
    config: Mapping[str, Any] = {"facts": facts_of(run), "spec": dict(run.spec)}
    started = client.init(project=project, name=run.name, config=config, job_type="revkit")
    try:
        started.log(figures_of(run))
        if files:
            artifact = client.Artifact(f"{_plain(run.name)}-files", type="run")
            for path in files:
                artifact.add_file(str(path))
            started.log_artifact(artifact)
    finally:
        started.finish()
    return str(started.id)


def _plain(name: str) -> str:
    """Return a name that both trackers accept: letters, digits and a few signs."""
    return re.sub(r"[^A-Za-z0-9_./-]", "_", name)[:_NAME]
