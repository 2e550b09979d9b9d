"""The commands of revkit as functions: run, sweep, export, export_with, replay, validate, load,
points, plan, sweep_plan, forecast, sweep_forecast, graph, check_agent, schema, plugins, and those
on calibration maps: fit_map, map_of_run, load_map, check_use, check_map, map_status, fingerprint.

Each takes an experiment as the path of a YAML file, as a mapping of the same shape, or as an
`Experiment` built in Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

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
from revkit.contracts import Calibrator, Component, Exported, Exporter
from revkit.errors import CalibrationError, Problem, RunError, SpecError, UnreadableMap
from revkit.model.intake import decode
from revkit.model.paper import Paper
from revkit.model.review import Scale
from revkit.model.values import Json
from revkit.options import from_options, unknown_name
from revkit.planning import Graph, Plan, SweepPlan, build_graph, build_plan, build_sweep_plan
from revkit.registry import Registry, load_registry
from revkit.spec import Experiment, Sweep, load_experiment, load_spec
from revkit.spec.compose import composed_schema
from revkit.spec.fingerprints import agent_fingerprint

if TYPE_CHECKING:
    from revkit.execution import Bundle, Forecast, Replay, Run, SweepRun

Spec: TypeAlias = str | Path | Mapping[str, Any] | Experiment | Sweep
Plugin: TypeAlias = str | Path | ModuleType | type[Component]


def run(
    spec: Spec,
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    plugins: Iterable[Plugin] = (),
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    point: str | None = None,
) -> Run:
    """Run an experiment and return it with its records and tables.

    ``out`` names the run folder (default ``runs/NAME-DIGEST``), ``store`` the file of answers
    (default ``.revkit/store.sqlite3``). ``overrides`` are texts such as ``corpus.with.papers=10``;
    ``plugins`` are one-off plugins: files, modules or component classes. ``overwrite`` allows
    replacing the folder of another experiment; ``quiet`` shows no progress; setting ``stop`` ends
    the run cleanly; ``point`` names one point of a spec that sweeps, and `sweep` runs all of them.

    Raises `SpecError`, `PluginError`, `StoreError` or `RunError`.
    """
    experiment = validate(
        spec, overrides=overrides, seed=seed, limit=limit, plugins=plugins, point=point
    )
    from revkit.execution import run_experiment

    return run_experiment(
        experiment,
        out=None if out is None else Path(out),
        store=None if store is None else Path(store),
        overwrite=overwrite,
        quiet=quiet,
        stop=stop,
    )


def sweep(
    spec: Spec,
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    on_point: Callable[[str], None] | None = None,
    **options: Any,
) -> SweepRun:
    """Run every point of a sweep, and return their joined tables.

    Arguments are those of `run`. What points have in common is computed once, and they share the
    budget. Each has its own run folder in that of the sweep. ``on_point`` is called with a line
    of text before each point starts. Raises `SpecError` for a spec without a sweep.
    """
    from revkit.execution import run_sweep

    return run_sweep(
        points(spec, **options),
        out=None if out is None else Path(out),
        store=None if store is None else Path(store),
        overwrite=overwrite,
        quiet=quiet,
        stop=stop,
        on_point=on_point,
    )


def export(
    run_folder: str | Path,
    bundle: str | Path,
    *,
    store: str | Path | None = None,
    texts: bool = True,
    plugins: Iterable[Plugin] = (),
) -> Bundle:
    """Write a finished run to one file, from which `replay` makes the same folder elsewhere.

    ``bundle`` gets the resolved spec, the papers with their labels, every answer (variants,
    reviews, tables, reports), every reply of a language model behind a review, and a manifest of
    digests. The same run gives the same bytes. ``store`` is the file of answers that the run used.
    ``texts`` False leaves titles and texts of papers out; reviews and reports may still quote them.
    Raises if a perturbation borrows from other papers, since its variants would hold their texts.

    The run is replayed from its store first, so every exported run can be replayed.
    Raises `RunError` if an answer is missing, if code or folder changed since the run, or if the
    export would hold the value of a known secret.
    """
    registry = load_registry(plugins)
    registry.check_one_offs()
    answers = None if store is None else Path(store)
    from revkit.execution import export_run

    return export_run(Path(run_folder), Path(bundle), registry, store=answers, texts=texts)


def export_with(
    exporter: str | Exporter,
    spec: Spec,
    out: str | Path | None = None,
    *,
    store: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    **options: Any,
) -> Exported:
    """Write an experiment for other programs with an exporter; ``"sft"`` writes training sets.

    ``exporter`` is its name, whose options ``settings`` gives as YAML names them, or the
    component itself. ``out`` is the folder to write (default: the exporter's own), ``store`` the
    file of answers, for a corpus that asks models; ``options`` are those of `validate`.

    Raises `PluginError` for an unknown exporter, `OptionError` for its options, and what the
    exporter raises.
    """
    registry = load_registry(options.get("plugins", ()))
    if isinstance(exporter, str):
        component = registry.get("exporter", exporter).component
        exporter = cast(Exporter, from_options(component, settings or {}))
    experiment = validate(spec, **options)
    folder = Path(exporter.folder) if out is None else Path(out)
    answers = None if store is None else Path(store)
    from revkit.execution.export import export_experiment

    return export_experiment(exporter, experiment, folder, registry, store=answers)


def replay(
    bundle: str | Path, *, out: str | Path | None = None, plugins: Iterable[Plugin] = ()
) -> Replay:
    """Replay the run in a file of `export`, and compare every file with the original.

    ``out`` is the folder to write (default ``replays/NAME-DIGEST``). Nothing is computed: no
    corpus, key, model or network is needed, only the same code. A bundle without texts
    needs the corpus too. Plugins come from this machine, never from the bundle.

    Raises `RunError` if the bundle is invalid, if components have other code here (each is named),
    or if an answer is missing.
    """
    registry = load_registry(plugins)
    registry.check_one_offs()
    from revkit.execution import replay_bundle

    return replay_bundle(Path(bundle), registry, out=None if out is None else Path(out))


def validate(
    spec: Spec,
    *,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    plugins: Iterable[Plugin] = (),
    point: str | None = None,
) -> Experiment:
    """Return the experiment that ``spec`` describes; for a sweep, that of ``point``.

    Raises `SpecError` with all problems, or `PluginError` where one of ``plugins`` does not load.
    """
    registry = load_registry(plugins)
    registry.check_one_offs()
    return load_experiment(spec, registry, overrides=overrides, seed=seed, limit=limit, point=point)


def load(
    spec: Spec,
    *,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    plugins: Iterable[Plugin] = (),
    point: str | None = None,
) -> Experiment | Sweep:
    """Return what ``spec`` describes: a `Sweep` where it sweeps and no ``point`` is named, else an
    `Experiment`. Raises as `validate` does."""
    registry = load_registry(plugins)
    registry.check_one_offs()
    if point is not None:
        return load_experiment(
            spec, registry, overrides=overrides, seed=seed, limit=limit, point=point
        )
    return load_spec(spec, registry, overrides=overrides, seed=seed, limit=limit)


def points(spec: Spec, **options: Any) -> Sweep:
    """Return the sweep that ``spec`` describes, every point checked. ``options`` as for `load`.

    Raises `SpecError` with all problems, and for a spec that does not sweep.
    """
    if options.get("point") is not None:
        raise SpecError(
            [Problem("a sweep has all points; to run one of them, run it as an experiment")]
        )
    found = load(spec, **options)
    if not isinstance(found, Sweep):
        raise SpecError([Problem("this spec does not sweep; it has no section 'sweep'")])
    return found


def plan(spec: Spec, **options: Any) -> Plan:
    """Return how much a run would do at most; nothing runs. ``options`` as for `validate`."""
    return build_plan(validate(spec, **options))


def sweep_plan(spec: Spec, **options: Any) -> SweepPlan:
    """Return how much each point of a sweep would do at most; nothing runs. ``options``
    as for `points`."""
    return build_sweep_plan(points(spec, **options))


def forecast(spec: Spec, *, store: str | Path | None = None, **options: Any) -> Forecast | None:
    """Return the estimated calls, tokens and cost of a run, without a call; None if it asks no
    language model. Answers cached in the file ``store`` are not counted. ``options`` as for
    `validate`."""
    experiment = validate(spec, **options)
    papers = build_plan(experiment).papers
    from revkit.execution import forecast as forecast_of

    return forecast_of(experiment, papers, None if store is None else Path(store))


def sweep_forecast(
    spec: Spec, *, store: str | Path | None = None, **options: Any
) -> Forecast | None:
    """Return the estimate of `forecast` for all points of a sweep; what several points have in
    common is counted once. ``options`` as for `points`."""
    found = points(spec, **options)
    from revkit.execution.sweep_forecast import sweep_forecast as forecast_of_sweep

    return forecast_of_sweep(found, None if store is None else Path(store))


def graph(spec: Spec, **options: Any) -> Graph:
    """Return the run graph of an experiment. ``options`` as for `validate`."""
    return build_graph(validate(spec, **options))


def check_agent(
    spec: Spec, name: str, *, paper: str | Path | None = None, **options: Any
) -> dict[str, Json]:
    """Try the agent called ``name`` on one paper and return all that happened.

    ``paper`` is a Markdown or text file; by default it is the first paper of the experiment's
    corpus. The keys are those of `Agent.explain`. Nothing is stored. ``options`` as for `validate`.
    """
    given = None
    if paper is not None:
        path = Path(paper)
        try:
            text, notes = decode(path.read_bytes())
        except OSError as error:
            raise RunError(f"{path} cannot be read: {error.strerror or error}") from error
        given = Paper(id=path.stem, text=text, notes=notes)
    from revkit.execution import try_agent

    return try_agent(validate(spec, **options), name, given)


def schema(plugins: Iterable[Plugin] = ()) -> dict[str, Any]:
    """Return the JSON Schema of experiments with the options of all installed components."""
    registry = load_registry(plugins)
    registry.check_one_offs()
    return composed_schema(registry)


def plugins(plugins: Iterable[Plugin] = ()) -> Registry:
    """Return what is installed: every component, name clash, and plugin that failed to load."""
    return load_registry(plugins)


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
    """The map called ``name`` in the spec that a finished run fitted for ``agent``.

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
    "other-code"."""
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
    """The fingerprint of an agent of an experiment: code, options, prompt, models, defenses.

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
    """Describe a map: "file", one line of text ("told"), and whether it may be used today
    ("usable").

    With ``spec``, a map may not be used if the agent of that name in the experiment is another.
    """
    row: dict[str, Json] = {"file": printable(path, 1000), "usable": False}
    try:
        found = load_map(path, plugins=plugins)
        known = None if spec is None else fingerprint(spec, found.agent, plugins=plugins)
    except (UnreadableMap, SpecError) as error:
        return {**row, "told": str(error)}
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
    return {**row, "told": "; ".join(parts), "usable": not refused}
