"""Run an experiment in shards, and merge them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit.api.specs import Plugin, Spec, validate
from revkit.registry import load_registry

if TYPE_CHECKING:
    from revkit.execution import Run
    from revkit.execution.shards import ShardRun


def run_shard(
    spec: Spec,
    shard: str,
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    **options: Any,
) -> ShardRun:
    """Run one shard of an experiment, such as "3/16": the papers whose content falls to it.

    ``out`` is the folder of all shards (default ``runs/NAME-DIGEST.shards``): the shard is written
    to ``OUT/3-of-16``, with its own store, unless ``store`` names another file. ``options`` as for
    `validate`. The same call continues a stopped shard and repeats what failed. Maps, tables and
    reports come from `merge`. Raises the errors of `run`.
    """
    from revkit.execution.shards import Shard
    from revkit.execution.shards import run_shard as run_part

    return run_part(
        validate(spec, **options),
        Shard.parse(shard),
        out=None if out is None else Path(out),
        store=None if store is None else Path(store),
        overwrite=overwrite,
        quiet=quiet,
        stop=stop,
    )


def merge(
    folders: Sequence[str | Path],
    *,
    out: str | Path | None = None,
    store: str | Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
    plugins: Iterable[Plugin] = (),
) -> Run:
    """Merge all shards of an experiment, and return the run that they form.

    ``folders`` are folders of shards, or folders that contain them. Their answers are added to the
    file ``store`` (default ``.revkit/store.sqlite3``). The folder ``out`` (default
    ``runs/NAME-DIGEST``) then has the same bytes as a run in one piece, except
    ``provenance.json``. Calls no agent and no model. Raises `RunError` if a shard is missing or
    unfinished, or if the shards do not belong together.
    """
    from revkit.execution.shards import merge_shards

    registry = load_registry(plugins)
    registry.check_one_offs()
    return merge_shards(
        [Path(folder) for folder in folders],
        registry,
        out=None if out is None else Path(out),
        store=None if store is None else Path(store),
        overwrite=overwrite,
        quiet=quiet,
        stop=stop,
    )
