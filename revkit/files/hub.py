"""The hub: models that are on this machine already, and data sets by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from revkit.errors import RunError
from revkit.files.folders import CorpusFile
from revkit.model.intake import clean_text

HUB = "hub:"
"""How the path of a data set of the hub begins: "hub:OWNER/NAME?split=test"."""

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(?:/[A-Za-z0-9][\w.-]{0,95})?")
_CHOICES = ("config", "revision", "split")


def hub_dataset(corpus: str, path: str) -> list[CorpusFile]:
    """The Arrow files of a data set of the hub, by split and number ("test/1.arrow").

    ``path`` is "hub:OWNER/NAME", or with choices: "hub:OWNER/NAME?config=C&split=S&revision=R".
    The package datasets finds it, in its cache or on the hub, and writes it to its cache. Raises
    `RunError`, which names ``corpus``, where the package is missing or finds nothing.
    """
    name, _, query = path.removeprefix(HUB).partition("?")
    choices = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
    if not _NAME.fullmatch(name) or set(choices) - {*_CHOICES} or not all(choices.values()):
        raise RunError(
            f"{corpus}: {path} is not the name of a data set; write hub:OWNER/NAME, or "
            "hub:OWNER/NAME?config=C&split=S&revision=R"
        )
    return list(_cached_files(corpus, name, tuple(sorted(choices.items()))))


@lru_cache(maxsize=64)
def _cached_files(
    corpus: str, name: str, choices: tuple[tuple[str, str], ...]
) -> Sequence[CorpusFile]:
    try:
        import datasets
    except ImportError:
        raise RunError(
            f"{corpus}: install the package that finds data sets of the hub: "
            'pip install "revkit[hub]"'
        ) from None
    given = dict(choices)
    datasets.disable_progress_bars()
    try:
        loaded: Any = datasets.load_dataset(
            name, given.get("config"), split=given.get("split"), revision=given.get("revision")
        )
    except Exception as error:  # whatever the package, the hub's client or the network raise
        reason = clean_text(str(error))[0].strip().splitlines() or [type(error).__name__]
        raise RunError(f"{corpus}: {HUB}{name}: {reason[0][:300]}") from None
    splits = loaded if isinstance(loaded, Mapping) else {given.get("split", "all"): loaded}
    return tuple(
        CorpusFile(Path(file["filename"]), f"{clean_text(str(split))[0]}/{number}.arrow")
        for split, rows in splits.items()
        for number, file in enumerate(rows.cache_files, 1)
    )


def cached_snapshot(repository: str, needed: str) -> Path | None:
    """Return the newest snapshot of ``repository`` in the local hub cache, if it contains the file
    ``needed``; no client is called.
    """
    if repository.count("/") > 1 or ".." in repository:
        return None
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    cache = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    place = cache / f"models--{repository.replace('/', '--')}"
    try:
        revision = (place / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    folder = place / "snapshots" / revision
    return folder if (folder / needed).is_file() else None
