"""The hub's cache: models that are on this machine already."""

from __future__ import annotations

import os
from pathlib import Path


def cached_snapshot(repository: str, needed: str) -> Path | None:
    """The newest snapshot of ``repository`` in the local hub cache, if it holds the file
    ``needed``; no client is asked."""
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
