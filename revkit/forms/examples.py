"""Examples for prompts: papers with their filled-in forms, one JSON object in each line."""

from __future__ import annotations

import functools

from revkit.dataclass import dataclass
from revkit.files import LineProblems, Unreadable, read_text
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
    problems = LineProblems()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = strict_json(line)
        except NotStrictJson as error:
            problems.add(number, f"it is not JSON: {error}")
            continue
        if not isinstance(value, dict) or set(value) != {"paper", "review"}:
            problems.add(number, "expected the keys 'paper' and 'review'")
            continue
        found = list(validator.iter_errors(value["review"]))
        for wrong in found:
            place = ".".join(map(str, ("review", *wrong.path)))
            problems.add(number, f"{place}: {wrong.message[:200]}")
        if not isinstance(value["paper"], str) or not value["paper"].strip():
            problems.add(number, "the paper must be text")
        elif not found:
            examples.append(Example(value["paper"], form.canonical(value["review"])))
    if problems:
        raise ExampleProblem(str(problems))
    if not examples:
        raise ExampleProblem("the file contains no example")
    return tuple(examples)
