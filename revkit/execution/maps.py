"""Maps: from a finished run to the calibration map of one of its agents, as a file to keep."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from revkit.calibration import CalibrationMap, fingerprint_of
from revkit.errors import CalibrationError, RunError
from revkit.execution.bundle.rows import paper_of, rows_of
from revkit.execution.folder import digest_of_run
from revkit.execution.whole import anchor_scores
from revkit.model.consensus import consensus_of
from revkit.options import unknown_name
from revkit.registry import Registry
from revkit.spec import Experiment, load_experiment


def map_of_run(
    run: Path,
    agent: str,
    name: str,
    registry: Registry,
    *,
    today: date,
    days: int | None = 30,
) -> CalibrationMap:
    """The map ``name`` of ``agent`` as the run in the folder ``run`` fitted it.

    It carries the agent's fingerprint and expires ``days`` days after ``today`` (None: never).
    Raises `RunError` for a folder without such a map, `CalibrationError` where the fit was refused.
    """
    experiment = load_experiment(run / "spec.yaml", registry)
    if digest_of_run(run) != experiment.digest:
        raise RunError(f"{run / 'spec.yaml'} is not the experiment whose run {run} holds")
    calibration = experiment.calibration
    if calibration is None:
        raise RunError(f"{run} holds no calibration; its spec has no such section")
    for what, given, known in (
        ("agent", agent, experiment.agents),
        ("map", name, calibration.maps),
    ):
        if given not in known:
            raise RunError(f"{run}: {unknown_name(what, given, known)}")
    row = next(
        (
            r
            for r in rows_of(run / "records" / "maps.jsonl")
            if (r["agent"], r["name"]) == (agent, name)
        ),
        None,
    )
    if row is None:
        raise RunError(f"{run} is no folder of a finished run: it has no such map")
    if row["refused"]:
        raise CalibrationError(f"{agent} has no map {name!r}: {row['refused']}")
    return _map(run, experiment, agent, name, row, today, days)


def _map(
    run: Path,
    experiment: Experiment,
    agent: str,
    name: str,
    row: Mapping[str, Any],
    today: date,
    days: int | None,
) -> CalibrationMap:
    component = experiment.agent_steps[agent].component
    assert experiment.calibration is not None
    calibrator = experiment.calibration.maps[name]
    curve = calibrator.load(row["curve"])
    labels = {
        r["id"]: paper_of(r, r["text"], r["title"]).labels
        for r in rows_of(run / "records" / "anchors.jsonl")
    }
    scores: dict[str, list[float]] = {}
    for each in rows_of(run / "records" / "scores.jsonl"):
        if each["agent"] == agent and each["score"] is not None:
            severity = component.scale.to_severity(each["score"])
            scores.setdefault(each["paper"], []).append(severity)
    consensus = {paper: found for paper in scores if (found := consensus_of(labels[paper]))}
    return CalibrationMap(
        agent=agent,
        scale=component.scale,
        calibrator=calibrator.name,
        options=_options(experiment, name),
        curve=curve,
        fingerprint=fingerprint_of(component),
        bank=anchor_scores(scores, labels).digest,
        anchors=len(consensus),
        fitted=today.isoformat(),
        expires="" if days is None else (today + timedelta(days=days)).isoformat(),
        scored={
            paper: (sum(scores[paper]) / len(scores[paper]), found.severity)
            for paper, found in sorted(consensus.items())
        },
        about={"flags": list(curve.flags), "diagnostics": dict(curve.diagnostics)},
    )


def _options(experiment: Experiment, name: str) -> Mapping[str, Any]:
    spec: Any = experiment.to_json()
    options = spec["calibration"]["maps"][name]["with"]
    assert isinstance(options, Mapping)
    return options
