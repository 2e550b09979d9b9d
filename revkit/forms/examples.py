"""Examples for prompts: papers with their filled-in forms, one JSON object in each line."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from revkit.files import Unreadable, read_text
from revkit.forms.form import Fields
from revkit.model.strict_json import NotStrictJson, strict_json


class ExampleProblem(ValueError):
    """A file does not contain examples for the form; the text states the fault and its place."""


@dataclass(frozen=True)
class Example:
    """One example: a paper's text and the JSON of the filled-in form, in the form's order."""

    paper: str
    review: str


def load_examples(path: str | None, form: Fields) -> tuple[Example, ...]:
    """Return the examples at ``path``: lines ``{"paper": TEXT, "review": {...}}``, each review a
    filled-in ``form``. None without a path. Raises `ExampleProblem`.
    """
    if path is None:
        return ()
    try:
        return _parsed(read_text(path), form)
    except Unreadable as error:
        raise ExampleProblem(str(error)) from None


@functools.lru_cache(maxsize=32)
def _parsed(text: str, form: Fields) -> tuple[Example, ...]:
    import jsonschema

    validator = jsonschema.Draft202012Validator(form.schema)
    examples = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except NotStrictJson as error:
            raise ExampleProblem(f"line {number} is not JSON: {error}") from None
        if not isinstance(value, dict) or set(value) != {"paper", "review"}:
            raise ExampleProblem(f"line {number}: expected the keys 'paper' and 'review'")
        if not isinstance(value["paper"], str) or not value["paper"].strip():
            raise ExampleProblem(f"line {number}: the paper must be text")
        for wrong in validator.iter_errors(value["review"]):
            place = ".".join(map(str, wrong.path))
            raise ExampleProblem(f"line {number}: review: {place}: {wrong.message[:200]}")
        examples.append(Example(value["paper"], form.canonical(value["review"])))
    if not examples:
        raise ExampleProblem("the file contains no example")
    return tuple(examples)
