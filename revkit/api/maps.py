"""Fit, read and check calibration maps, and compute the fingerprint of an agent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from revkit.api.specs import Plugin, Spec, validate
from revkit.calibration import (
    DAYS,
    CalibrationMap,
    MapCheck,
    calibrator_of,
    check_storable,
    checked,
    printable,
    relation,
    renewed,
    save_map,
    utc_today,
)
from revkit.calibration import check_map as check_calibration_map
from revkit.calibration import fit_map as fit_calibration_map
from revkit.calibration import load_map as read_map
from revkit.calibration.tables import read_by_id, read_consensus
from revkit.contracts import Calibrator
from revkit.errors import CalibrationError, Problem, SpecError, UnreadableMap
from revkit.model.review import Scale
from revkit.model.values import Json
from revkit.options import unknown_name
from revkit.registry import load_registry
from revkit.spec import Experiment
from revkit.spec.fingerprints import agent_fingerprint


def load_map(path: str | Path, *, plugins: Iterable[Plugin] = ()) -> CalibrationMap:
    """Read a calibration map. Raises `UnreadableMap` if it is not valid."""
    return read_map(Path(path), load_registry(plugins))


def map_of_run(
    run_folder: str | Path,
    agent: str,
    name: str,
    *,
    days: int | None = DAYS,
    plugins: Iterable[Plugin] = (),
) -> CalibrationMap:
    """Return the map that a finished run fitted for ``agent`` under the name ``name`` of the spec.

    It carries the agent's fingerprint, and expires ``days`` days after the run (None: never).
    Raises `RunError` if the folder does not have it, `CalibrationError` if the fit was refused.
    """
    from revkit.execution.maps import map_of_run as map_from_run

    registry = load_registry(plugins)
    found = map_from_run(Path(run_folder), agent, name, registry, days=days)
    check_storable(found, registry)
    return found


def fit_map(
    agent: str,
    scores: str | Path,
    anchors: str | Path,
    *,
    scale: tuple[float, float] | None = None,
    lower_is_better: bool = False,
    spec: Spec | None = None,
    calibrator: str | Calibrator = "monotone-spline",
    fingerprint: str = "",
    days: int | None = DAYS,
    plugins: Iterable[Plugin] = (),
) -> CalibrationMap:
    """Fit the map of one agent from two files (CSV, TSV or JSON Lines, by their endings).

    ``scores`` has the columns id and score, ``anchors`` id, consensus (0-100) and, where known, se.
    ``scale`` holds the lowest and the highest score that the agent can give; instead, ``spec``
    may name an experiment with the agent, which gives scale and fingerprint. The map expires
    ``days`` days from today (None: never).

    Raises `BadScores` for a cell that is not a number, `OutsideScale` for a score outside the
    scale, `CalibrationError` for a map that could not be loaded again, and what the calibrator
    raises.
    """
    registry = load_registry(plugins)
    registered = isinstance(calibrator, str)
    if isinstance(calibrator, str):
        calibrator = cast(Calibrator, registry.get("calibrator", calibrator).component())
    if (scale is None) == (spec is None):
        raise CalibrationError("give either the agent's scale or an experiment with the agent")
    if scale is not None:
        low, high = scale
        name = f"{low:g}-{high:g}"
        whole = Scale(name, float(low), float(high), higher_is_better=not lower_is_better)
    else:
        experiment = _with_agent(spec, agent, plugins)
        whole = experiment.agent_steps[agent].component.scale
        fingerprint = agent_fingerprint(experiment, agent)
    found = fit_calibration_map(
        agent,
        whole,
        calibrator,
        read_by_id(Path(scores)),
        read_consensus(Path(anchors)),
        fingerprint=fingerprint,
        today=utc_today(),
        days=days,
    )
    if registered:
        check_storable(found, registry)
    return found


def check_use(
    found: CalibrationMap, *, fingerprint: str | None = None, allow: Iterable[str] = ()
) -> None:
    """Raise `CalibrationError` if a map has expired, or belongs to another agent or other code than
    ``fingerprint`` (None: not checked). ``allow`` lists exceptions: "expired", "foreign",
    "other-code".
    """
    allowed = frozenset(allow)
    refused = found.refusals(fingerprint=fingerprint, today=utc_today())
    left = [each for each in refused if not each.overruled(allowed)]
    if left:
        reasons = "; ".join(f"{each}; {each.remedy}, or allow it ({each.kind})" for each in left)
        raise CalibrationError(f"the map of {printable(found.agent)!r} is refused: {reasons}")


def check_map(
    path: str | Path,
    scores: str | Path,
    *,
    level: float = 0.01,
    spec: Spec | None = None,
    plugins: Iterable[Plugin] = (),
) -> MapCheck:
    """Check with new scores of its anchors whether a map is still valid.

    ``scores`` is a file with the columns id and score, or the folder of a run with the agent and at
    least some of the anchors. A map that passes gets a record of the check and of the change that
    it could find; if it was fitted for the same settings with other code, also the fingerprint of
    today's code. Its file is updated. The run identifies the agent; for a file, ``spec`` does.

    Raises `TooFewAnchors` for fewer than eight anchors of the map, and `CalibrationError` for an
    expired map, for the run on which the map was fitted, and for scores that all equal those of the
    fit, unless the agent declares itself deterministic.
    """
    place, registry = Path(scores), load_registry(plugins)
    found = read_map(Path(path), registry)
    for refusal in found.refusals(today=utc_today()):
        raise CalibrationError(
            f"the map of {printable(found.agent)!r} is refused: {refusal}; {refusal.remedy}"
        )
    experiment = None if spec is None else _with_agent(spec, found.agent, plugins)
    if place.is_dir():
        from revkit.execution.maps import agent_of_run, check_other_run, scores_of_run

        check_other_run(found, place)
        given = scores_of_run(place, found.agent)
        now, deterministic = agent_of_run(place, found.agent, registry)
    else:
        given, now, deterministic = read_by_id(place), "", False
    if experiment is not None:
        now = agent_fingerprint(experiment, found.agent)
        deterministic = experiment.agent_steps[found.agent].component.deterministic
    check = check_calibration_map(
        found,
        given,
        level,
        calibrator=calibrator_of(found, registry),
        deterministic=deterministic,
    )
    state = relation(found.fingerprint, now) if now and found.fingerprint else "unknown"
    if check.holds and state != "foreign":
        found = checked(found, check, utc_today())
        if state == "other-code":
            found = renewed(found, now, check.anchors, utc_today())
        save_map(found, Path(path))
    renews = check.holds and state == "other-code"
    return replace(check, fingerprint="renewed" if renews else state)


def fingerprint(spec: Spec, agent: str, *, plugins: Iterable[Plugin] = ()) -> str:
    """Return the fingerprint of an agent of an experiment: code, options, prompt, models, defenses.

    Raises `SpecError` for an agent that the experiment does not have.
    """
    return agent_fingerprint(_with_agent(spec, agent, plugins), agent)


def _with_agent(spec: Any, agent: str, plugins: Iterable[Plugin]) -> Experiment:
    experiment = validate(spec, plugins=plugins)
    if agent not in experiment.agents:
        raise SpecError([Problem(unknown_name("agent", printable(agent), experiment.agents))])
    return experiment


def map_status(
    path: str | Path, *, spec: Spec | None = None, plugins: Iterable[Plugin] = ()
) -> dict[str, Json]:
    """Describe a map: "file", one line of text ("description"), and whether it may be used today
    ("usable").

    With ``spec``, a map may not be used if the agent of that name in the experiment is another.
    """
    row: dict[str, Json] = {"file": printable(path, 1000), "usable": False}
    try:
        found = load_map(path, plugins=plugins)
        known = None if spec is None else fingerprint(spec, found.agent, plugins=plugins)
    except (UnreadableMap, SpecError) as error:
        return {**row, "description": str(error)}
    refused = found.refusals(fingerprint=known, today=utc_today())
    parts = [
        f"{printable(found.agent)}, {found.calibrator} on {found.anchors} anchors",
        f"fitted {found.fitted or 'at an unknown date'}",
        f"expires {found.expires}" if found.expires else "does not expire",
    ]
    if not found.fingerprint and known is None:
        parts.append("without a fingerprint, so a change of the agent is not detected")
    if found.curve.flags:
        parts.append(f"flags {printable(', '.join(found.curve.flags))}")
    if isinstance(last := found.about.get("checked"), dict):
        parts.append(f"passed a check on {printable(last.get('on'), 40)}")
    parts += [str(each) for each in refused]
    return {**row, "description": "; ".join(parts), "usable": not refused}
