"""Run experiments: one loop connects the graph, the store and the components.

Each name is loaded when it is first used: an estimate needs neither bundles nor sweeps.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.execution.bundle import Bundle, Replay, export_run, replay_bundle
    from revkit.execution.estimate import Forecast
    from revkit.execution.fault import Fault
    from revkit.execution.prompts import Prompt, prompts_of
    from revkit.execution.run import Run
    from revkit.execution.runner import run_experiment
    from revkit.execution.sweep import run_sweep
    from revkit.execution.sweep_run import PointRun, SweepRun
    from revkit.execution.trial import corpus_items, play_agent, try_agent
    from revkit.execution.warning import RunWarning
else:
    _MODULES = {
        "Bundle": "bundle",
        "Fault": "fault",
        "Forecast": "estimate",
        "PointRun": "sweep_run",
        "Prompt": "prompts",
        "Replay": "bundle",
        "Run": "run",
        "RunWarning": "warning",
        "SweepRun": "sweep_run",
        "corpus_items": "trial",
        "play_agent": "trial",
        "export_run": "bundle",
        "prompts_of": "prompts",
        "replay_bundle": "bundle",
        "run_experiment": "runner",
        "run_sweep": "sweep",
        "try_agent": "trial",
    }

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module 'revkit.execution' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"revkit.execution.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


__all__ = [
    "Bundle",
    "Fault",
    "Forecast",
    "PointRun",
    "Prompt",
    "Replay",
    "Run",
    "RunWarning",
    "SweepRun",
    "corpus_items",
    "export_run",
    "play_agent",
    "prompts_of",
    "replay_bundle",
    "run_experiment",
    "run_sweep",
    "try_agent",
]
