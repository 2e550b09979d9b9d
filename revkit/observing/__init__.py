"""What a run does, as events, while it does it: for a log file, and for OpenTelemetry.

Nothing here is imported or computed for a run that nobody observes, and nothing here can change
its results: a sink that fails is reported once and left out.
"""

from revkit.observing.events import NOTHING, Event, Fact, Observer, Opened, Sink
from revkit.observing.opening import current, observed

__all__ = ["NOTHING", "Event", "Fact", "Observer", "Opened", "Sink", "current", "observed"]
