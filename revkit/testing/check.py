"""``check_component``: check whether a component meets the contract of its kind."""

from __future__ import annotations

import dataclasses
import inspect
import json
import pickle
from collections.abc import Collection, Sequence
from typing import Any

from revkit.contracts import KINDS, Component, Context, Services
from revkit.errors import NotReturned
from revkit.identity import kind_of
from revkit.model.paper import Paper
from revkit.model.values import canonical_json
from revkit.observing.time_limit import call_within
from revkit.options import from_options, options_of, schema_of
from revkit.registry import entry_of
from revkit.testing.kinds import CHECKS
from revkit.testing.papers import tiny_papers
from revkit.testing.problems import Problems
from revkit.testing.services import stand_ins

LONGEST_CHECK = 600.0  # seconds


def check_component(
    component: Component | type[Component],
    *,
    papers: Sequence[Paper] | None = None,
    may_edit: Collection[str] = (),
    services: Services | None = None,
    seconds: float = LONGEST_CHECK,
) -> None:
    """Check a component against the contract of its kind. Raises `AssertionError` with all faults.

    Give an instance, or a class whose options all have defaults. What every component is checked
    for: it could be registered; its docstring and the help of its options are there; it is frozen
    and can be pickled; its options go to JSON and back and keep their schema; the same seed gives
    the same answer, in any order of papers; labels and ids of papers change nothing. Then what its
    kind promises: edits that fit and change only prose, reviews on the scale, unit
    vectors, pure tables and reports.

    A component that has not returned after ``seconds`` is a fault, with the line at which it hangs.

    ``papers`` replaces `tiny_papers`. ``may_edit`` names what a perturbation or defense edits
    besides prose: kinds of blocks ("reference", "table", ...) and "protected" for citation marks,
    mathematics and code within prose. ``services`` replaces the stand-ins: an embedder for a
    component with ``uses = ("embedder",)``, and the papers of the check as the corpus of one with
    ``uses = ("corpus",)``. Language models and searchers have none; give what should answer.
    """
    problems = Problems()

    def examine() -> None:
        _examine(component, problems, papers, frozenset(may_edit), services)

    try:
        call_within(seconds, "it", examine)
    except NotReturned as error:
        problems.add(str(error))
    problems.raise_for(component if inspect.isclass(component) else type(component))


def _examine(
    component: Component | type[Component],
    problems: Problems,
    papers: Sequence[Paper] | None,
    may_edit: frozenset[str],
    services: Services | None,
) -> None:
    if inspect.isclass(component):
        problems.attempt("registering", lambda: entry_of(_kind(component), component, "check"))
        # A run makes a component in another thread than those that call it.
        instance = problems.attempt(
            "making it without options", lambda: call_within(LONGEST_CHECK, "it", component)
        )
    else:
        instance = component
        problems.attempt(
            "registering", lambda: entry_of(kind_of(instance), type(instance), "check")
        )
    if instance is None:
        return
    _check_class(type(instance), problems)
    _check_options(instance, problems)
    shown = tuple(tiny_papers() if papers is None else papers)
    given = stand_ins(shown) if services is None else services
    check = CHECKS[kind_of(instance)]
    check(
        instance,
        problems,
        papers=shown,
        may_edit=may_edit,
        context=lambda seed: Context(seed=seed, services=given, uses=instance.uses),
    )


def _kind(component: type) -> str:
    return next((kind.name for kind in KINDS.values() if issubclass(component, kind.base)), "agent")


def _check_class(component: type[Component], problems: Problems) -> None:
    # A dataclass without a docstring gets its signature as one.
    text = inspect.getdoc(component) or ""
    own = component.__doc__ or ""
    if not own or own.startswith(f"{component.__name__}("):
        problems.add("it has no docstring")
    elif not text.split("\n\n")[0].rstrip().endswith("."):
        problems.add("the first paragraph of its docstring, shown in lists, is not a sentence")
    properties: Any = schema_of(component)["properties"]
    for name, schema in properties.items():
        if not schema.get("description"):
            problems.add(f"option {name!r} has no help")


def _check_options(instance: Component, problems: Problems) -> None:
    import jsonschema

    component = type(instance)
    options = options_of(instance)
    problems.expect(
        options == json.loads(canonical_json(options)),
        "its options change when written as JSON and read again",
    )
    again = problems.attempt("making it from its options", lambda: from_options(component, options))
    if again is not None:
        problems.expect(again == instance, f"rebuilt from its own options, it becomes {again!r}")
    try:
        jsonschema.Draft202012Validator(schema_of(component)).validate(options)
    except jsonschema.ValidationError as error:
        problems.add(f"its own options do not match its schema: {error.message}")
    unpickled = problems.attempt("pickling", lambda: pickle.loads(pickle.dumps(instance)))
    problems.expect(unpickled is None or unpickled == instance, "it changes when pickled")
    identity = problems.attempt("its identity", lambda: canonical_json(instance.identity()))
    problems.expect(
        identity is None or canonical_json(instance.identity()) == identity,
        "its identity differs from call to call, so no answer could be cached",
    )
    for field in dataclasses.fields(instance):  # type: ignore[arg-type]
        try:
            setattr(instance, field.name, getattr(instance, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        problems.add(f"option {field.name!r} can be set: it is not frozen")
