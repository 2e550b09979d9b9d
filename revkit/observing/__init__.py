"""What a run does, as events, while it does it: for a log file, and for OpenTelemetry.

Nothing here can change the results of a run: a sink that fails is reported once and left out. A run
that nobody observes makes no events; only the state of its requests is kept, for `revkit follow`.
"""

from revkit.observing.events import NOTHING, Event, Fact, Observer, Opened, Sink
from revkit.observing.session import current, followed, observed

__all__ = [
    "NOTHING",
    "Event",
    "Fact",
    "Observer",
    "Opened",
    "Sink",
    "current",
    "followed",
    "observed",
]
