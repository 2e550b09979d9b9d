"""Bundles: a run in one file, which can be replayed elsewhere without keys or network."""

from revkit.execution.bundle.export import Bundle, export_run
from revkit.execution.bundle.replay import Replay, replay_bundle

__all__ = ["Bundle", "Replay", "export_run", "replay_bundle"]
