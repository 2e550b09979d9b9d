"""Limits on the cost of one file."""

from __future__ import annotations

from revkit.dataclass import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits for reading one file: its size in bytes, pages, seconds, and memory in megabytes
    (the last if the system has such a limit).
    """

    max_bytes: int = 50_000_000
    max_pages: int = 300
    max_seconds: int = 60
    max_megabytes: int = 2_000
