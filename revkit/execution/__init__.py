"""Running an experiment: one loop that joins the graph, the store and the components."""

from revkit.execution.forecast import Forecast, forecast
from revkit.execution.runner import Run, run_experiment
from revkit.execution.trial import try_agent

__all__ = ["Forecast", "Run", "forecast", "run_experiment", "try_agent"]
