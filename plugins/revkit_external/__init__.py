"""Reviewers that somebody else wrote, as black boxes: a command, a service, a function, a record.

Nothing but YAML says how the paper is handed over, where the verdict stands in what comes back and
what each label and number means. A reading that is not certain is a Failure, never a score.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the four kinds of external reviewer."""
    from revkit_external.command import Command
    from revkit_external.http import Http
    from revkit_external.python import Python
    from revkit_external.recorded import Recorded

    register(Command)
    register(Http)
    register(Python)
    register(Recorded)
