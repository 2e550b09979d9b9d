"""Run experiments: one loop connects the graph, the store and the components.

Each name is loaded when it is first used: an estimate needs neither bundles nor sweeps.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.execution.bundle import Bundle, Replay, export_run, replay_bundle
    from revkit.execution.estimate import Forecast
    from revkit.execution.fault import Fault
    from revkit.execution.prompts import Prompt, prompts_of
    from revkit.execution.prose import skip_without_prose
    from revkit.execution.run import Run
    from revkit.execution.runner import run_experiment
    from revkit.execution.sweep import run_sweep
    from revkit.execution.sweep_run import PointRun, SweepRun
    from revkit.execution.trial import corpus_items, play_agent, try_agent
    from revkit.execution.warning import RunWarning
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "bundle": "Bundle Replay export_run replay_bundle",
            "estimate": "Forecast",
            "fault": "Fault",
            "prompts": "Prompt prompts_of",
            "prose": "skip_without_prose",
            "run": "Run",
            "runner": "run_experiment",
            "sweep": "run_sweep",
            "sweep_run": "PointRun SweepRun",
            "trial": "corpus_items play_agent try_agent",
            "warning": "RunWarning",
        },
    )

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
    "skip_without_prose",
    "try_agent",
]
