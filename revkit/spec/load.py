"""Load an experiment: read, override, check the structure, build each component, collect
problems.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from revkit.contracts import Component
from revkit.errors import (
    MissingOption,
    OptionError,
    PluginError,
    Problem,
    RenamedOption,
    SpecError,
    UnknownComponent,
    UnknownOption,
    UnreadableMap,
    describe_error,
)
from revkit.files.yaml_source import Path_, Source, read_source
from revkit.model.sample import Sample
from revkit.model.values import Json
from revkit.model_settings import Budget, llm_from_options
from revkit.options import from_options, renamed_options
from revkit.registry import Registry
from revkit.spec.attack import BASELINE, Attack
from revkit.spec.check import shape_problems
from revkit.spec.experiment import Experiment
from revkit.spec.mapping import plain_copy, unwritable
from revkit.spec.overrides import override, with_dots
from revkit.spec.resolved_spec import swapped
from revkit.spec.spec_catalogue import spec_file
from revkit.spec.steps import AgentStep, Calibration, CommonScale, PerturbationStep
from revkit.spec.stop_conditions import stop_when_from
from revkit.spec.sweep import Sweep, expand

C = TypeVar("C", bound=Component)


def load_experiment(
    spec: str | Path | Mapping[str, Any] | Experiment | Sweep,
    registry: Registry,
    *,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    point: str | None = None,
    files: Mapping[str, str] | None = None,
    report_renamed: bool = True,
    given: Mapping[str, Any] | None = None,
) -> Experiment:
    """Return the experiment that ``spec`` describes: a file, a mapping, an `Experiment` itself, or
    the ``point`` of a `Sweep`.

    ``overrides`` are texts such as ``corpus.with.papers=10``; setting a ``use`` to another
    component drops the options of the old one. ``point`` is the label of one point of a spec that
    sweeps. ``files`` gives, by the paths that options hold, where those files lie here. A spec that
    revkit wrote itself is loaded with ``report_renamed`` False: its options need not be renamed.
    ``given`` are fields of the experiment, used instead of the same parts of the spec, which may
    lack them. Raises `SpecError` with every problem found, and for a sweep without ``point``.
    """
    found = load_spec(
        spec,
        registry,
        overrides=overrides,
        seed=seed,
        limit=limit,
        files=files,
        report_renamed=report_renamed,
        given=given,
    )
    if isinstance(found, Sweep):
        if point is not None:
            return found.point(point).experiment
        labels = ", ".join(each.label for each in found.points[:5])
        more = ", ..." if len(found.points) > 5 else ""
        message = (
            f"this spec is a sweep: name one of its {len(found.points):,} points ({labels}{more}), "
            "or use the spec.yaml in the run folder of one"
        )
        raise SpecError([Problem(message, path="sweep", source=_source_name(spec))])
    if point is not None:
        message = f"this spec is not a sweep, so it has no point {point!r}"
        raise SpecError([Problem(message, source=_source_name(spec))])
    return found


def load_spec(
    spec: str | Path | Mapping[str, Any] | Experiment | Sweep,
    registry: Registry,
    *,
    overrides: Sequence[str] = (),
    seed: int | None = None,
    limit: int | None = None,
    files: Mapping[str, str] | None = None,
    report_renamed: bool = True,
    given: Mapping[str, Any] | None = None,
) -> Experiment | Sweep:
    """Return what ``spec`` describes, arguments as for `load_experiment`: an experiment, or a sweep
    of several. Raises `SpecError` with every problem found."""
    changes: dict[str, Any] = {}
    if seed is not None:
        changes["seed"] = seed
    if limit is not None:
        changes["limit"] = limit
    changes |= given or {}
    if isinstance(spec, Experiment | Sweep):
        if overrides:
            raise SpecError([Problem("overrides need a spec file or a mapping", source="--set")])
        if not changes:
            return spec
        return spec.changed(changes) if isinstance(spec, Sweep) else replace(spec, **changes)
    source = (
        Source(name="spec", value=plain_copy(spec))
        if isinstance(spec, Mapping)
        else read_source(spec_file(spec))
    )
    refused: Sequence[Problem] = ()
    try:
        override(source, overrides)
    except SpecError as error:
        refused = error.problems  # the others are set, so the spec is checked as far as it goes

    def build(each: Source) -> Experiment:
        return _Builder(each, registry, files or {}, report_renamed, given or {}).build()

    if isinstance(source.value, dict) and given:
        _leave_out(source.value, given)
    if not isinstance(source.value, dict) or "sweep" not in source.value:
        try:
            experiment = build(source)
        except SpecError as error:
            raise SpecError([*refused, *error.problems]) from None
        if refused:
            raise SpecError(refused)
        return replace(experiment, **changes) if changes else experiment
    if problems := [*refused, *unwritable(source.value)]:
        raise SpecError(problems)
    for name in changes:
        if isinstance(source.value["sweep"], dict) and name in source.value["sweep"]:
            message = f"the spec sweeps {name}; omit --{name}"
            raise SpecError([source.problem(("sweep", name), message, at_key=True)])
    return expand(source, build).changed(changes)


def _leave_out(spec: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Remove the sections of ``spec`` for which other parts are given."""
    services = spec.get("services")
    for name in given:
        spec.pop(name, None)
        if isinstance(services, dict):
            services.pop(name, None)
    if "corpus" in given:
        # The schema needs one; what is given replaces it.
        spec["corpus"] = "given"


def locate(
    spec: str | Path | Mapping[str, Any] | Experiment | Sweep, problems: Sequence[Problem]
) -> list[Problem]:
    """``problems`` with their lines in ``spec``, if it is a file; their paths are those of its
    components."""
    if not isinstance(spec, str | Path):
        return list(problems)
    builder = _Builder(read_source(spec_file(spec)), Registry(), {}, False, {})
    return [builder.placed(problem) for problem in problems]


def _source_name(spec: Any) -> str:
    return str(spec) if isinstance(spec, str | Path) else "spec"


def _with_names(path: str, options: Mapping[str, Any]) -> list[str]:
    """Split the path of an option below ``models``, where names contain dots ("openai/gpt-4.1")."""
    parts = path.split(".")
    if len(parts) > 2 and isinstance(options.get(parts[0]), Mapping):
        return [parts[0], *with_dots(parts[1:], options[parts[0]])]
    return parts


_STEP = re.compile(r"(?:^|\.)([^.\[\]]{1,200})|\[([0-9]{1,6})\]")


class _Builder:
    def __init__(
        self,
        source: Source,
        registry: Registry,
        files: Mapping[str, str],
        report_renamed: bool,
        given: Mapping[str, Any],
    ) -> None:
        self.given = given
        self.report_renamed = report_renamed
        self.files = files
        self.source = source
        self.registry = registry
        self.problems: list[Problem] = []
        self.listed: set[str] = set()  # the kinds whose names a problem lists
        self.qualified: dict[str, str] = {}

    def build(self) -> Experiment:
        spec = self.source.value
        if not isinstance(spec, dict):
            raise SpecError(
                [self.source.problem((), "expected sections, such as 'corpus: samples'")]
            )
        self.problems = shape_problems(self.source)
        # What the schema found is reported once; everything else is still built and checked.
        fields: dict[str, Any] = {
            "corpus": None
            if "corpus" in self.given
            else self.component("corpus", spec.get("corpus"), ("corpus",)),
            "perturbations": self.steps(spec, "perturbations", self.perturbation),
            "agents": self.steps(spec, "agents", self.agent),
            "judges": self.steps(spec, "judges", self.judge),
            "rubrics": self.components("rubric", spec.get("rubrics"), ("rubrics",)),
            "metrics": self.components("metric", spec.get("metrics"), ("metrics",)),
            "reports": self.components("reporter", spec.get("reports"), ("reports",)),
        }
        if isinstance(spec.get("calibration"), dict):
            fields["calibration"] = self.calibration(spec["calibration"])
        if isinstance(spec.get("attack"), dict):
            fields["attack"] = self.attack(spec["attack"])
        services = spec.get("services")
        for service in ("embedder", "searcher"):
            if isinstance(services, dict) and service in services:
                path = ("services", service)
                fields[service] = self.component(service, services[service], path)
        if isinstance(services, dict) and isinstance(services.get("llm"), dict):
            fields["llm"] = self.settings(llm_from_options, services["llm"], ("services", "llm"))
        if "executor" in spec:
            fields["executor"] = self.component("executor", spec["executor"], ("executor",))
        if isinstance(spec.get("budget"), dict):
            build = partial(from_options, Budget)
            fields["budget"] = self.settings(build, spec["budget"], ("budget",))
        if isinstance(spec.get("sample"), dict):
            known = {k: v for k, v in spec["sample"].items() if k in ("n", "seed", "by")}
            fields["sample"] = Sample(**known) if "n" in known else None
        if isinstance(spec.get("assert"), list):
            fields["assertions"] = tuple(map(str, spec["assert"]))
        if "stop-when" in spec:
            fields["stop_when"] = stop_when_from(spec["stop-when"], fields.get("assertions", ()))
        for key in (
            "name",
            "seed",
            "repeats",
            "limit",
            "workers",
            "processes",
            "deadline",
            "cards",
        ):
            if key in spec:
                fields[key] = spec[key]
        fields |= self.given
        if self.problems:
            raise SpecError(sorted(self.problems, key=lambda p: (p.line, p.column)))
        try:
            moved = {here: there for there, here in self.files.items()}
            return Experiment(**fields, qualified=self.qualified, moved=moved)
        except SpecError as error:
            raise SpecError([self.placed(problem) for problem in error.problems]) from None

    def placed(self, problem: Problem) -> Problem:
        spec: Any = self.source.value
        parts = problem.path.split(".")
        if len(parts) > 2 and isinstance(spec.get(parts[0]), dict):
            parts = [parts[0], *with_dots(parts[1:], spec[parts[0]])]
        path: Path_ = ()
        for part in parts:
            step = int(part) if isinstance(spec, list) and part.isdigit() else part
            path = (*path, step)
            inner = isinstance(spec, list) or (isinstance(spec, dict) and step in spec)
            spec = spec[step] if inner else None
        return self.source.problem(path, problem.message, at_key=True)

    def settings(
        self, build: Callable[[dict[str, Any]], Any], options: dict[str, Any], path: Path_
    ) -> Any:
        """Build a value that is not a component from its options, and locate each problem."""
        try:
            return build(options)
        except OptionError as error:
            for option, message in error.problems:
                unknown = isinstance(message, UnknownOption)
                place = (*path, *_with_names(option, options))
                self.problems.append(self.source.problem(place, message, at_key=unknown))
        return None

    def steps(self, spec: dict[str, Any], section: str, build: Any) -> dict[str, Any]:
        given = spec.get(section)
        if not isinstance(given, dict):
            return {}
        return {name: build(value, (section, name)) for name, value in given.items()}

    def perturbation(self, value: Any, path: Path_) -> PerturbationStep | None:
        component = self.component("perturbation", value, path)
        options = value if isinstance(value, dict) else {}
        keep_if = self.components("constraint", options.get("keep-if"), (*path, "keep-if"))
        variants = options.get("variants", 1)
        return PerturbationStep(cast(Any, component), cast(Any, tuple(keep_if)), variants)

    def agent(self, value: Any, path: Path_) -> AgentStep | None:
        component = self.component("agent", value, path)
        options = value if isinstance(value, dict) else {}
        defenses = self.components("defense", options.get("defenses"), (*path, "defenses"))
        common = self.common_scale(options.get("calibration"), (*path, "calibration"))
        return AgentStep(cast(Any, component), cast(Any, tuple(defenses)), common)

    def judge(self, value: Any, path: Path_) -> AgentStep | None:
        step = self.agent(value, path)
        if step is None or not isinstance(value, dict):
            return step
        by = value.get("by")
        names = tuple(map(str, by)) if isinstance(by, list) else ()
        return replace(step, reads=value.get("reads", "papers"), by=names)

    def common_scale(self, value: Any, path: Path_) -> CommonScale | None:
        given = value if isinstance(value, dict) else {"map": value}
        source = given.get("map")
        if not isinstance(source, str | dict):
            return None
        from revkit.calibration import load_map, map_from_json  # few specs have maps

        try:
            found = (
                load_map(Path(source), self.registry)
                if isinstance(source, str)
                else map_from_json(source, self.registry)
            )
        except UnreadableMap as error:
            self.problems.append(self.source.problem(path, str(error)))
            return None
        allow = given.get("allow", ())
        return CommonScale(found, given.get("accept-up-to", 50.0), tuple(allow))

    def calibration(self, value: dict[str, Any]) -> Calibration:
        path = ("calibration",)
        maps = value.get("maps")
        anchors = value.get("anchors")
        return Calibration(
            maps={
                name: cast(Any, self.component("calibrator", given, (*path, "maps", name)))
                for name, given in (maps if isinstance(maps, dict) else {}).items()
            },
            anchors=None
            if anchors is None
            else cast(Any, self.component("corpus", anchors, (*path, "anchors"))),
            share=value.get("share"),
            repeats=value.get("repeats", 1),
        )

    def attack(self, value: dict[str, Any]) -> Attack:
        path = ("attack",)
        strategies = value.get("strategies")
        named = ("budget", "sees", "goal", "by", "confirm", "prune", "transfer")
        fields: dict[str, Any] = {name: value[name] for name in named if name in value}
        for name in ("agents", "arms"):
            if isinstance(value.get(name), list):
                fields[name] = tuple(value[name])
        baseline = self.component("strategy", value.get("baseline", BASELINE), (*path, "baseline"))
        keep_if = self.components("constraint", value.get("keep-if"), (*path, "keep-if"))
        return Attack(
            baseline=cast(Any, baseline),
            strategies={
                name: cast(Any, self.component("strategy", given, (*path, "strategies", name)))
                for name, given in (strategies if isinstance(strategies, dict) else {}).items()
            },
            keep_if=cast(Any, tuple(keep_if)),
            **fields,
        )

    def components(self, kind: str, values: Any, path: Path_) -> list[Component | None]:
        if not isinstance(values, list):
            return []
        return [self.component(kind, value, (*path, i)) for i, value in enumerate(values)]

    def component(self, kind: str, value: Any, path: Path_) -> Component | None:
        reference = value.get("use") if isinstance(value, dict) else value
        options = value.get("with", {}) if isinstance(value, dict) else {}
        if not isinstance(reference, str) or not isinstance(options, dict):
            return None
        name_path = (*path, "use") if isinstance(value, dict) else path
        try:
            entry = self.registry.get(kind, reference)
            component = entry.component
        except PluginError as error:
            text = str(error)
            if isinstance(error, UnknownComponent) and error.brief:
                text = error.brief if kind in self.listed else text
                self.listed.add(kind)
            self.problems.append(self.source.problem(name_path, text))
            return None
        if ":" in reference:
            self.qualified[".".join(map(str, path))] = entry.plugin
        if self.report_renamed:
            self.warn_of_renamed(component, options, path, reference)
        try:
            return cast(Component, from_options(component, swapped(options, self.files)))
        except OptionError as error:
            for option, message in error.problems:
                self.problems.append(self.option_problem(path, options, option, message, reference))
        except (Exception, SystemExit) as error:  # __post_init__ of a plugin may raise anything
            self.problems.append(
                self.source.problem((*path, "with"), f"{reference}: {describe_error(error)}")
            )
        return None

    def warn_of_renamed(
        self, component: type, options: dict[str, Json], path: Path_, reference: str
    ) -> None:
        """Warn about options that the spec uses under the names of an earlier release."""
        for old, new in renamed_options(component, options).items():
            message = f"{reference}: the option {old} is now called {new}; please rename it"
            place = self.source.problem((*path, "with", old), message, at_key=True)
            warnings.warn(str(place), RenamedOption, stacklevel=2)

    def option_problem(
        self, path: Path_, options: Mapping[str, Json], option: str, message: str, reference: str
    ) -> Problem:
        unknown = isinstance(message, UnknownOption)
        steps = _steps_in(options, option)
        if steps:
            place: Path_ = (*path, "with", *steps)
        else:
            place = (*path, "with") if options else (*path, "use")
        nested = len(steps) > 1
        name = _beyond(steps, option) if steps else option
        if isinstance(message, MissingOption):
            what = f"the key {name!r}" if steps else f"the option {name!r} of {reference}"
            about = f" ({message.help.strip().rstrip('.')})" if message.help else ""
            text = f"{what} is missing{about}"
        else:
            text = message if unknown or not name else f"{name}: {message}"
        return self.source.problem(place, text, at_key=unknown or nested)


def _beyond(steps: Path_, option: str) -> str:
    """Return what ``option`` names beyond ``steps``, such as a key that is missing there."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return option[len(path) - 1 :].lstrip(".")


def _steps_in(options: Mapping[str, Json], option: str) -> Path_:
    """Return the steps from ``options`` to the place that a problem names: an option, or a place in
    the value of one as in ``map.score.scale[1]``; as far as they exist.
    """
    if option in options:
        return (option,)
    steps: list[str | int] = []
    value: Any = options
    for match in _STEP.finditer(option):
        step: str | int = int(match[2]) if match[2] else match[1]
        inside = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not inside and not (isinstance(value, Mapping) and step in value):
            break
        steps.append(step)
        value = value[step]
    return tuple(steps)
