"""Switch observing on for the runs of a body, and find what observes a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from revkit.observing.events import Observer, Sink, warn
from revkit.observing.live import Live

_CURRENT: ContextVar[Observer] = ContextVar("revkit_observer")
_NOBODY = Observer()


def current() -> Observer:
    """Return what observes the runs of this thread; without sinks if nothing does."""
    return _CURRENT.get(_NOBODY)


@contextmanager
def observed(
    log: str | Path | None = None, *, trace: bool = False, sinks: Sequence[Sink] = ()
) -> Iterator[Observer]:
    """Observe the runs that the body starts in this thread.

    ``log`` is a file to which one JSON line per event is appended; "-" is standard error. With
    ``trace`` the events go to OpenTelemetry as spans and metrics (extra ``otel``), where its
    environment variables say. ``sinks`` get the events too. What cannot be opened is a warning.
    """
    found = list(sinks)
    if log is not None:
        from revkit.observing.log import Log

        try:
            found.append(Log(None if str(log) == "-" else Path(log)))
        except OSError as error:
            warn(f"the log {log} cannot be written: {error.strerror or error}")
    if trace:
        try:
            from revkit.observing.telemetry import telemetry_from_environment

            found.append(telemetry_from_environment())
        except ImportError:
            warn("nothing is traced: OpenTelemetry is not installed; pip install 'revkit[otel]'")
        except Exception as error:
            warn(f"nothing is traced: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    if not found:
        yield _NOBODY
        return
    observer = Observer(found)
    token = _CURRENT.set(observer)
    try:
        yield observer
    finally:
        _CURRENT.reset(token)
        observer.close()


@contextmanager
def followed(folder: Path, whole: Mapping[str, float]) -> Iterator[None]:
    """Keep the state of the run of the body in ``folder``, for `revkit follow`. ``whole`` are the
    limits of its budget by unit.
    """
    observer = _CURRENT.get(None)
    token = None
    if observer is None:
        observer = Observer()
        token = _CURRENT.set(observer)
    live = Live(folder, whole)
    try:
        with observer.watched(live):
            yield
    finally:
        live.close()
        if token is not None:
            _CURRENT.reset(token)
