"""Run experiments and sweeps, estimate their cost, and test one agent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit.api.notebook import ExperimentParts, Papers, Parts
from revkit.api.specs import Plugin, Spec, points, validate
from revkit.errors import PaperError, Problem, RevkitError, RunError, SpecError
from revkit.model.intake import decode
from revkit.model.paper import Paper
from revkit.model.review import Scale
from revkit.model.values import Json
from revkit.planning import build_plan
from revkit.registry import load_registry
from revkit.spec import Experiment, load_experiment

if TYPE_CHECKING:
    from revkit.execution import Forecast, Run, SweepRun
    from revkit.execution.outlook import Outlook


def run(
    spec: Spec | None = None,
    *,
    papers: Papers = None,
    agents: Parts | None = None,
    perturbations: Parts | None = None,
    metrics: Sequence[Any] | None = None,
    reports: Sequence[Any] | None = None,
    embedder: Any = None,
    scale: Scale | Mapping[str, Scale] | tuple[float, ...] | None = None,
    name: str | None = None,
    repeats: int | None = None,
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

    You can pass Python objects instead of a spec or parts of it. ``papers`` is a list of `Paper`,
    texts or mappings, a data frame with a column ``text`` (and ``title``, ``id``, ``accept``,
    ``decision``, ``ratings``), or the name of a corpus. ``agents`` gives, by your names, functions,
    coroutine functions, agents, names of components or mappings with ``use`` and ``with``;
    ``perturbations`` likewise, or a list of names; so do ``metrics`` and ``reports``. A function
    takes a `Paper` and returns a `Review`, True or False, a score, or a mapping with ``accept``,
    ``score`` and ``text``. A score needs ``scale``: a `Scale`, (lowest, highest, accept from), or
    one for each name. Metrics are by default flip rate, score shift, direction, accuracy and
    outcomes. Answers of a function are used again for the same function object, or, if it has an
    attribute ``version``, whenever that is the same.

    Raises `SpecError`, `PluginError`, `StoreError` or `RunError`.
    """
    parts = ExperimentParts(
        papers, agents, perturbations, metrics, reports, embedder, scale, name, repeats
    )
    experiment = _experiment(
        spec, parts, overrides=overrides, seed=seed, limit=limit, plugins=plugins, point=point
    )
    from revkit.execution import run_experiment
    from revkit.execution.folder import OtherExperiment

    try:
        return run_experiment(
            experiment,
            out=None if out is None else Path(out),
            store=None if store is None else Path(store),
            overwrite=overwrite,
            quiet=quiet,
            stop=stop,
        )
    except OtherExperiment as error:
        raise OtherExperiment(f"{error} (it differs in {_differing(experiment, out)})") from None


def _differing(experiment: Experiment, out: str | Path | None) -> str:
    """The first places at which the spec of the run in ``out`` differs from ``experiment``."""
    from revkit.files.yaml_source import read_source
    from revkit.runs.differences import differing_paths

    try:
        before = read_source(Path(str(out)) / "spec.yaml").value
    except RevkitError:
        return "its spec, which cannot be read"
    paths = differing_paths(before, experiment.to_json())
    more = ", ..." if len(paths) > 4 else ""
    return ", ".join(paths[:4]) + more if paths else "code or files"


def _experiment(spec: Spec | None, parts: ExperimentParts, **options: Any) -> Experiment:
    """The experiment that ``spec`` and the ``parts`` beside it describe."""
    if spec is not None:
        if parts.empty:
            return validate(spec, **options)
        registry = load_registry(options["plugins"])
        registry.check_one_offs()
        asked = {key: value for key, value in options.items() if key != "plugins"}
        return load_experiment(spec, registry, given=parts.fields(registry, beside=True), **asked)
    if options["overrides"] or options["point"] is not None:
        raise SpecError([Problem("overrides and points need a spec")])
    experiment = parts.experiment(load_registry(options["plugins"]))
    changes = {key: options[key] for key in ("seed", "limit") if options[key] is not None}
    return replace(experiment, **changes) if changes else experiment


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


def forecast(
    spec: Spec,
    *,
    store: str | Path | None = None,
    papers: int | None = None,
    **options: Any,
) -> Forecast | None:
    """Return the estimated calls, tokens and cost of a run, without a call; None if it calls no
    language model. Answers cached in the file ``store`` are not counted. With ``papers``, the
    estimate is for this many papers like the first ones of the corpus, without cached answers.
    ``options`` as for `validate`.
    """
    experiment = validate(spec, **options)
    planned = build_plan(experiment, papers)
    from revkit.execution.forecast import forecast as forecast_of

    # Other papers have no cached answers, so those of the sample must not be scaled up.
    path = None if store is None or papers is not None else Path(store)
    found = forecast_of(experiment, planned.papers, path)
    if found is None or store is None or papers is None or not Path(store).is_file():
        return found
    from revkit.cache import Store, spent_on

    with Store(Path(store)) as answers:
        return replace(found, spent=spent_on(answers, [experiment.digest]))


def outlook(
    spec: Spec,
    forecast: Forecast,
    *,
    store: str | Path | None = None,
    latency: float | None = None,
    papers: int | None = None,
    **options: Any,
) -> Outlook | None:
    """Return the time of the calls in a `forecast` of ``spec``, what limits them, and the disk that
    the run needs; None if the calls are unknown. ``latency`` is the mean time of a call in seconds;
    by default it is that of earlier calls in the file ``store``, or 10 s. ``papers`` and
    ``options`` as for the `forecast`.
    """
    experiment = validate(spec, **options)
    from revkit.execution.outlook import outlook_of

    path = None if store is None else Path(store)
    return outlook_of(experiment, build_plan(experiment, papers), forecast, path, latency)


def sweep_forecast(
    spec: Spec, *, store: str | Path | None = None, **options: Any
) -> Forecast | None:
    """Return the estimate of `forecast` for all points of a sweep; what several points have in
    common is counted once. ``options`` as for `points`.
    """
    found = points(spec, **options)
    from revkit.execution.sweep_forecast import sweep_forecast as forecast_of_sweep

    return forecast_of_sweep(found, None if store is None else Path(store))


def check_agent(
    spec: Spec,
    name: str,
    *,
    paper: str | Path | None = None,
    recorded: str | Path | None = None,
    **options: Any,
) -> dict[str, Json]:
    """Test the agent called ``name`` on one paper and return every step.

    ``paper`` is a Markdown, text, LaTeX, Word or PDF file; by default it is the first paper of the
    experiment's corpus. The keys are those of `Agent.explain`. Nothing is stored. ``options`` as
    for `validate`.

    ``recorded`` is a folder of recorded runs of the agent's tool: they are read instead of a call,
    and the keys are those of `Agent.play_back`. Raises `RunError` for a paper that cannot be read
    and for an unknown agent.
    """
    if recorded is not None:
        from revkit.execution import play_agent

        return play_agent(validate(spec, **options), name, Path(recorded))
    given = None if paper is None else _paper_in(Path(paper))
    from revkit.execution import try_agent

    return try_agent(validate(spec, **options), name, given)


def _paper_in(path: Path) -> Paper:
    """Return the paper in one file. Raises `RunError` where it cannot be read."""
    if path.suffix.lower() in (".docx", ".pdf", ".tex"):
        from revkit.papers import papers_in_files

        found = next(iter(papers_in_files(path)), None)
        if isinstance(found, Paper):
            return found
        why = "it has no paper" if found is None else found.reason
        raise RunError(f"{path} cannot be read: {why}")
    try:
        text, notes = decode(path.read_bytes())
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from error
    except PaperError as error:
        raise RunError(f"{path} cannot be read: {error}") from None
    return Paper(id=path.stem, text=text, notes=notes)
