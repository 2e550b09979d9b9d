"""The plugin hooks: one for each kind of component, in the pluggy project ``revkit``.

A plugin is a module named in the entry-point group ``revkit``. It implements the hooks it needs and
calls ``register`` with each component class, or with its name and place
(``"whisper = my_plugin.whisper:Whisper"``), which is then imported when it is used::

    from revkit import Register, hookimpl

    @hookimpl
    def register_perturbations(register: Register) -> None:
        register(Whisper)
"""

from __future__ import annotations

from collections.abc import Callable

import pluggy

from revkit.contracts import Component

PROJECT = "revkit"
API = 1
"""The version of the plugin API: it is raised when a contract changes so that plugins written for
the version before do not work. A plugin may declare the one it is written for: REVKIT_API = 1."""
APIS = (1,)
Register = Callable[[type[Component] | str], None]

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def register_corpora(register: Register) -> None:
    """Register sources of papers."""


@hookspec
def register_perturbations(register: Register) -> None:
    """Register changes to papers with a known effect on a fair review."""


@hookspec
def register_constraints(register: Register) -> None:
    """Register conditions that variants must meet."""


@hookspec
def register_agents(register: Register) -> None:
    """Register reviewers."""


@hookspec
def register_defenses(register: Register) -> None:
    """Register defenses, which screen a paper before an agent sees it."""


@hookspec
def register_rubrics(register: Register) -> None:
    """Register criteria by which texts are scored."""


@hookspec
def register_strategies(register: Register) -> None:
    """Register ways to search for edits that make a reviewer do what an attacker wants."""


@hookspec
def register_calibrators(register: Register) -> None:
    """Register methods of fitting a map from raw to common scores."""


@hookspec
def register_metrics(register: Register) -> None:
    """Register metrics over the records of a run."""


@hookspec
def register_searchers(register: Register) -> None:
    """Register literature searches."""


@hookspec
def register_embedders(register: Register) -> None:
    """Register maps from texts to vectors."""


@hookspec
def register_reporters(register: Register) -> None:
    """Register reports of a finished run."""


@hookspec
def register_exporters(register: Register) -> None:
    """Register exporters, which write an experiment for other programs."""


@hookspec
def register_executors(register: Register) -> None:
    """Register executors, which run the shards of an experiment on other processes or machines."""
