"""Running an experiment: one loop that joins the graph, the store and the components."""

from revkit.execution.bundle import Bundle, Replay, export_run, replay_bundle
from revkit.execution.estimate import Forecast
from revkit.execution.fault import Fault
from revkit.execution.forecast import forecast
from revkit.execution.run import Run
from revkit.execution.runner import run_experiment
from revkit.execution.sweep import run_sweep
from revkit.execution.sweep_run import PointRun, SweepRun
from revkit.execution.trial import corpus_items, try_agent
from revkit.execution.warning import RunWarning

__all__ = [
    "Bundle",
    "Fault",
    "Forecast",
    "PointRun",
    "Replay",
    "Run",
    "RunWarning",
    "SweepRun",
    "corpus_items",
    "export_run",
    "forecast",
    "replay_bundle",
    "run_experiment",
    "run_sweep",
    "try_agent",
]
