"""Running an experiment: one loop that joins the graph, the store and the components."""

from revkit.execution.bundle import Bundle, Replay, export_run, replay_bundle
from revkit.execution.forecast import Forecast, forecast
from revkit.execution.run import Run
from revkit.execution.runner import run_experiment
from revkit.execution.trial import try_agent

__all__ = [
    "Bundle",
    "Forecast",
    "Replay",
    "Run",
    "export_run",
    "forecast",
    "replay_bundle",
    "run_experiment",
    "try_agent",
]
