"""revkit: find out whether a reviewer of scientific papers can be trusted.

The public names below are loaded when first used, so ``import revkit`` costs almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

_EXPORTS = {
    "Agent": "contracts",
    "Calibrator": "contracts",
    "Component": "contracts",
    "Constraint": "contracts",
    "Context": "contracts",
    "Corpus": "contracts",
    "Curve": "contracts",
    "Defense": "contracts",
    "Embedder": "contracts",
    "Metric": "contracts",
    "Perturbation": "contracts",
    "Reporter": "contracts",
    "Rubric": "contracts",
    "RunView": "contracts",
    "Searcher": "contracts",
    "Message": "model.exchange",
    "ModelReply": "model.exchange",
    "ModelRequest": "model.exchange",
    "Register": "hookspecs",
    "hookimpl": "hookspecs",
    "option": "options",
    "Block": "model",
    "Check": "model",
    "Citation": "model",
    "Column": "model",
    "Edit": "model",
    "Failure": "model",
    "Labels": "model",
    "Outcome": "model",
    "Paper": "model",
    "Reference": "model",
    "Rejection": "model",
    "Review": "model",
    "Scale": "model",
    "Sentence": "model",
    "Skipped": "model",
    "Span": "model",
    "Table": "model",
    "Variant": "model",
    "edits_between": "model",
    "Records": "model.records",
    "RevkitError": "errors",
    "AgentStep": "spec",
    "Experiment": "spec",
    "PerturbationStep": "spec",
    "Run": "execution",
    "Bundle": "execution",
    "Replay": "execution",
    "check_agent": "api",
    "export": "api",
    "forecast": "api",
    "graph": "api",
    "plan": "api",
    "plugins": "api",
    "replay": "api",
    "run": "api",
    "schema": "api",
    "validate": "api",
}

__all__ = [
    "Agent",
    "AgentStep",
    "Block",
    "Bundle",
    "Calibrator",
    "Check",
    "Citation",
    "Column",
    "Component",
    "Constraint",
    "Context",
    "Corpus",
    "Curve",
    "Defense",
    "Edit",
    "Embedder",
    "Experiment",
    "Failure",
    "Labels",
    "Message",
    "Metric",
    "ModelReply",
    "ModelRequest",
    "Outcome",
    "Paper",
    "Perturbation",
    "PerturbationStep",
    "Records",
    "Reference",
    "Register",
    "Rejection",
    "Replay",
    "Reporter",
    "Review",
    "RevkitError",
    "Rubric",
    "Run",
    "RunView",
    "Scale",
    "Searcher",
    "Sentence",
    "Skipped",
    "Span",
    "Table",
    "Variant",
    "__version__",
    "check_agent",
    "edits_between",
    "export",
    "forecast",
    "graph",
    "hookimpl",
    "option",
    "plan",
    "plugins",
    "replay",
    "run",
    "schema",
    "validate",
]

if TYPE_CHECKING:
    from revkit.api import (
        check_agent,
        export,
        forecast,
        graph,
        plan,
        plugins,
        replay,
        run,
        schema,
        validate,
    )
    from revkit.contracts import (
        Agent,
        Calibrator,
        Component,
        Constraint,
        Context,
        Corpus,
        Curve,
        Defense,
        Embedder,
        Metric,
        Perturbation,
        Reporter,
        Rubric,
        RunView,
        Searcher,
    )
    from revkit.errors import RevkitError
    from revkit.execution import Bundle, Replay, Run
    from revkit.hookspecs import Register, hookimpl
    from revkit.model import (
        Block,
        Check,
        Citation,
        Column,
        Edit,
        Failure,
        Labels,
        Outcome,
        Paper,
        Reference,
        Rejection,
        Review,
        Scale,
        Sentence,
        Skipped,
        Span,
        Table,
        Variant,
        edits_between,
    )
    from revkit.model.exchange import Message, ModelReply, ModelRequest
    from revkit.model.records import Records
    from revkit.options import option
    from revkit.spec import AgentStep, Experiment, PerturbationStep


def __getattr__(name: str) -> object:
    if name in _EXPORTS:
        from importlib import import_module

        value = getattr(import_module(f"revkit.{_EXPORTS[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'revkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
