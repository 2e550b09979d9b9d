"""Bundles: a run in one file, which can be replayed elsewhere without keys or network."""

from revkit.execution.bundle.exporting import Bundle, export_run
from revkit.execution.bundle.replaying import Replay, replay_bundle

__all__ = ["Bundle", "Replay", "export_run", "replay_bundle"]
