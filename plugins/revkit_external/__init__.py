"""Third-party reviewers as black boxes: a command, a service, a function, or a file of reviews.

YAML alone says how the paper is handed over, where in the output the verdict is and what each label
and number means. A reading that is not certain is a Failure, never a score.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_agents(register: Register) -> None:
    """Register the agents by module path; each module is imported only when it is used."""
    register("command = revkit_external.command:Command")
    register("http = revkit_external.http:Http")
    register("python = revkit_external.python:Python")
    register("recorded = revkit_external.recorded_outcomes:Recorded")


@hookimpl
def register_perturbations(register: Register) -> None:
    """Register the perturbation that changes the file of a paper and not its text."""
    register("re-typeset = revkit_external.retypeset:ReTypeset")
