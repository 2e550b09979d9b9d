"""Get the calibration map of one agent from a finished run, as a file to keep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from revkit.calibration import (
    DAYS,
    CalibrationMap,
    Fingerprint,
    printable,
    read_fingerprint,
)
from revkit.calibration.fitting import end_of
from revkit.errors import CalibrationError, RunError
from revkit.execution.all_nodes import anchor_scores
from revkit.execution.bundle.rows import paper_of
from revkit.execution.folder import digest_of_run
from revkit.execution.provenance import component_versions
from revkit.execution.record_lines import digest_of_records
from revkit.files.run_files import read_object, read_rows, records_file
from revkit.model.consensus import consensus_of
from revkit.model.values import digest_of
from revkit.options import options_of, unknown_name
from revkit.registry import Registry
from revkit.spec import Experiment, load_experiment
from revkit.spec.fingerprints import agent_fingerprint


def map_of_run(
    run: Path, agent: str, name: str, registry: Registry, *, days: int | None = DAYS
) -> CalibrationMap:
    """Return the map ``name`` of ``agent`` that the run in the folder ``run`` fitted.

    It carries the agent's fingerprint, the day on which the run began, and an end ``days`` days
    after that (None: never). ``about`` states how many scores of anchors came from the run's store:
    those may be older than the run.

    Raises `RunError` for a folder without such a map, `CalibrationError` where the fit was refused.
    """
    if not digest_of_run(run):
        raise RunError(f"{run} is not the folder of a finished run")
    experiment = load_experiment(run / "spec.yaml", registry, report_renamed=False)
    if digest_of_run(run) != experiment.digest:
        raise RunError(f"{run / 'spec.yaml'} is not the experiment that was run in {run}")
    calibration = experiment.calibration
    if calibration is None:
        raise RunError(f"{run} contains no calibration: its spec has no section 'calibration'")
    for what, given, known in (
        ("agent", agent, experiment.agents),
        ("map", name, calibration.maps),
    ):
        if given not in known:
            raise RunError(f"{run}: {unknown_name(what, given, known)}")
    try:
        _check_records(run)
        rows = list(read_rows(records_file(run, "maps")))
        about = _timing(run)
        begun, stored = (
            date.fromisoformat(str(about["started"])[:10]),
            int(about["anchor_scores_stored"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{run} is not the folder of a finished run") from None
    row = next((r for r in rows if (r["agent"], r["name"]) == (agent, name)), None)
    if row is None:
        raise RunError(f"{run} is not the folder of a finished run: it has no such map")
    if row["refused"]:
        raise CalibrationError(f"{agent} has no map {name!r}: {row['refused']}")
    return _map(run, experiment, agent, name, row, begun, days, stored)


def agent_of_run(run: Path, agent: str, registry: Registry) -> tuple[str, bool]:
    """Return the fingerprint of ``agent`` at the time of the run in the folder ``run``, and whether
    it declares itself deterministic. Raises `RunError` for an unknown agent.
    """
    experiment = load_experiment(run / "spec.yaml", registry)
    if agent not in experiment.agents:
        raise RunError(f"{run}: {unknown_name('agent', printable(agent), experiment.agents)}")
    deterministic = experiment.agent_steps[agent].component.deterministic
    return _fingerprint(run, experiment, agent), deterministic


def check_other_run(found: CalibrationMap, run: Path) -> None:
    """Raise `CalibrationError` if ``found`` was fitted on the scores of ``run``."""
    if found.about.get("run") == _id_of_run(run):
        raise CalibrationError(
            f"the map of {printable(found.agent)!r} was fitted on this run, so its scores say "
            "nothing about the agent today; run the anchors again with a new --store"
        )


def _id_of_run(run: Path) -> str:
    """Return what distinguishes a run from every other run: its records and its start time."""
    try:
        return digest_of([digest_of_records(run), str(_timing(run)["started"])])
    except (OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{run} is not the folder of a finished run") from None


def _fingerprint(run: Path, experiment: Experiment, agent: str) -> str:
    """Return the fingerprint of the agent here if the run had the same code; else a fingerprint
    with the same settings, or None if its data files have changed since.
    """
    here = agent_fingerprint(experiment, agent)
    step = experiment.agent_steps[agent]
    used = {service for part in (step.component, *step.defenses) for service in part.uses}
    places = (f"agents.{agent}", *(f"services.{service}" for service in sorted(used)))
    now = _parts(component_versions(experiment.components()), places)
    then = _parts(_provenance(run)["components"], places)
    if then == now:
        return here
    other = digest_of([[*row] for row in then])
    same = [data for _, _, data in then] == [data for _, _, data in now]
    known = read_fingerprint(here)
    return str(Fingerprint(known.settings if same and known else other, other))


def _parts(rows: Iterable[Any], places: Sequence[str]) -> list[list[str]]:
    """Return place, version and data of the components at ``places`` and below."""
    return [
        [row["path"], row["version"], row.get("data", "")]
        for row in rows
        if any(row["path"] == place or row["path"].startswith(f"{place}.") for place in places)
    ]


def scores_of_run(run: Path, agent: str) -> dict[str, list[float]]:
    """Return the scores of ``agent`` for the anchors of a finished run, by the anchor's id (no
    score: it failed).

    Raises `RunError` for a folder without such scores, and where any came from a store: scores
    of another day say nothing about today.
    """
    found: dict[str, list[float]] = {}
    try:
        _check_records(run)
        stored = int(_timing(run)["anchor_scores_stored"])
        for row in read_rows(records_file(run, "scores")):
            if row["agent"] == agent:
                scores = found.setdefault(str(row["paper"]), [])
                scores += [] if row["score"] is None else [float(row["score"])]
    except (OSError, ValueError, KeyError, TypeError):
        raise RunError(f"{run} is not the folder of a finished run with a calibration") from None
    if not found:
        raise RunError(f"{run}: no agent of it is called {printable(agent)!r}")
    if stored:
        raise RunError(
            f"{stored} scores of anchors in {run} were cached, so they may be from another day; "
            "run it with a new --store, or name a file with today's scores"
        )
    return found


def _check_records(run: Path) -> None:
    """Raise `RunError` if the records of a run have changed since it wrote them."""
    result = read_object(run / "result.json")
    if result["records"] != digest_of_records(run):
        raise RunError(f"the records of {run} have been changed; run the experiment again")


def _timing(run: Path) -> dict[str, Any]:
    timing: dict[str, Any] = _provenance(run)["timing"]
    return timing


def _provenance(run: Path) -> dict[str, Any]:
    return read_object(run / "provenance.json")


def _map(
    run: Path,
    experiment: Experiment,
    agent: str,
    name: str,
    row: Mapping[str, Any],
    begun: date,
    days: int | None,
    stored: int,
) -> CalibrationMap:
    component = experiment.agent_steps[agent].component
    assert experiment.calibration is not None
    calibrator = experiment.calibration.maps[name]
    curve = calibrator.load(row["curve"])
    labels = {
        r["id"]: paper_of(r, r["text"], r["title"]).labels
        for r in read_rows(records_file(run, "anchors"))
    }
    scores: dict[str, float] = {}
    failed = 0
    for each in read_rows(records_file(run, "scores")):
        if each["agent"] != agent:
            continue
        if each["score"] is None:
            failed += 1
            continue
        scores.setdefault(each["paper"], component.scale.to_severity(each["score"]))
    consensus = {paper: found for paper in scores if (found := consensus_of(labels[paper]))}
    anchors = anchor_scores(scores, labels)
    return CalibrationMap(
        agent=agent,
        scale=component.scale,
        calibrator=calibrator.name,
        options=options_of(calibrator),
        curve=curve,
        fingerprint=_fingerprint(run, experiment, agent),
        bank=anchors.digest,
        anchors=len(consensus),
        fitted=begun.isoformat(),
        expires=end_of(begun, days),
        scored={
            paper: (scores[paper], found.severity) for paper, found in sorted(consensus.items())
        },
        about={
            "flags": list(curve.flags),
            "diagnostics": dict(curve.diagnostics),
            "weights": "1/(tau^2 + se^2)" if anchors.weighted else "equal",
            "anchors_without_score": sum(paper not in scores for paper in labels),
            "failed_calls": failed,
            "scores_from_store": stored,
            "synthetic_anchors": experiment.has_synthetic_anchors,
            "run": _id_of_run(run),
        },
    )
