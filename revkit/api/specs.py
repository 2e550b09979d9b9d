"""Read a spec as an experiment, a sweep, a plan or a graph, without running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from revkit.contracts import Component
from revkit.errors import Problem, SpecError
from revkit.planning import Graph, Plan, SweepPlan, build_graph, build_plan, build_sweep_plan
from revkit.registry import Registry, load_registry
from revkit.spec import Experiment, Sweep, load_experiment, load_spec
from revkit.spec.compose import composed_schema

Spec: TypeAlias = str | Path | Mapping[str, Any] | Experiment | Sweep

Plugin: TypeAlias = str | Path | ModuleType | type[Component]


def validate(
    spec: Spec,
    *,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    plugins: Iterable[Plugin] = (),
    point: str | None = None,
) -> Experiment:
    """Return the experiment that ``spec`` describes; for a sweep, the experiment of ``point``.

    Raises `SpecError` with all problems, or `PluginError` where one of ``plugins`` does not load.
    """
    registry = _registry_for(spec, plugins)
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
    """Return what ``spec`` describes: a `Sweep` if it has a sweep and no ``point`` is named, else
    an `Experiment`. Raises the errors of `validate`.
    """
    registry = _registry_for(spec, plugins)
    if point is not None:
        return load_experiment(
            spec, registry, overrides=overrides, seed=seed, limit=limit, point=point
        )
    return load_spec(spec, registry, overrides=overrides, seed=seed, limit=limit)


def _registry_for(spec: Spec, plugins: Iterable[Plugin]) -> Registry:
    """Return the components that ``spec`` may name. Raises `PluginError` where one of ``plugins``
    does not load."""
    one_offs = plugins if isinstance(plugins, str | Path) else list(plugins)
    if isinstance(spec, Experiment | Sweep) and not one_offs:
        return Registry()  # its components are built: no name is looked up
    registry = load_registry(one_offs)
    registry.check_one_offs()
    return registry


def points(spec: Spec, **options: Any) -> Sweep:
    """Return the sweep that ``spec`` describes, with every point checked. ``options`` as for
    `load`.

    Raises `SpecError` with all problems, and for a spec that does not sweep.
    """
    if options.get("point") is not None:
        raise SpecError(
            [Problem("a sweep runs all points; to load only one, use `validate` with `point`")]
        )
    found = load(spec, **options)
    if not isinstance(found, Sweep):
        raise SpecError([Problem("this spec is not a sweep: it has no section 'sweep'")])
    return found


def plan(spec: Spec, *, papers: int | None = None, **options: Any) -> Plan:
    """Return the maximum amount of work of a run, without running it; with ``papers``, of a run
    over this many papers. ``options`` as for `validate`.
    """
    return build_plan(validate(spec, **options), papers)


def sweep_plan(spec: Spec, **options: Any) -> SweepPlan:
    """Return the maximum amount of work of each point of a sweep, without running it. ``options``
    as for `points`.
    """
    return build_sweep_plan(points(spec, **options))


def graph(spec: Spec, **options: Any) -> Graph:
    """Return the run graph of an experiment. ``options`` as for `validate`."""
    return build_graph(validate(spec, **options))


def schema(plugins: Iterable[Plugin] = ()) -> dict[str, Any]:
    """Return the JSON Schema of experiments with the options of all installed components."""
    registry = load_registry(plugins)
    registry.check_one_offs()
    return composed_schema(registry)


def plugins(plugins: Iterable[Plugin] = ()) -> Registry:
    """Return all installed components, name clashes, and plugins that failed to load."""
    return load_registry(plugins)
