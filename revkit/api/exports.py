"""Export runs and experiments, and replay exported runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from revkit.api.specs import Plugin, Spec, validate
from revkit.contracts import Exported, Exporter
from revkit.options import from_options
from revkit.registry import load_registry

if TYPE_CHECKING:
    from revkit.execution import Bundle, Replay


def export(
    run_folder: str | Path,
    bundle: str | Path,
    *,
    store: str | Path | None = None,
    texts: bool = True,
    plugins: Iterable[Plugin] = (),
) -> Bundle:
    """Write a finished run to one file, from which `replay` recreates the same folder on any
    machine.

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
    """Write an experiment for another program with an exporter; ``"sft"`` writes training sets.

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
    """Recreate a run folder from a file written by `export`, and compare every file with the
    original.

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
