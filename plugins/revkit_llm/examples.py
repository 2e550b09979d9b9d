"""Few-shot examples: papers with their filled-in forms, one JSON object a line."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from revkit.model.values import canonical_json
from revkit_llm.files import FileProblem, read_text
from revkit_llm.form import Form


class ExampleProblem(ValueError):
    """A file holds no examples for the form; the text says what is wrong and where."""


@dataclass(frozen=True)
class Example:
    """One example: a paper's text and the JSON of the filled-in form."""

    paper: str
    review: str


def load_examples(path: str | None, form: Form) -> tuple[Example, ...]:
    """The examples at ``path``: lines ``{"paper": TEXT, "review": {...}}``, each review a filled-in
    ``form``. Raises `ExampleProblem`."""
    if path is None:
        return ()
    try:
        return _parsed(read_text(path), canonical_json(form.schema))
    except FileProblem as error:
        raise ExampleProblem(str(error)) from None


@functools.lru_cache(maxsize=32)
def _parsed(text: str, schema: str) -> tuple[Example, ...]:
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(schema))
    examples = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ExampleProblem(f"line {number} is no JSON: {error}") from None
        if not isinstance(value, dict) or set(value) != {"paper", "review"}:
            raise ExampleProblem(f"line {number}: expected the keys 'paper' and 'review'")
        if not isinstance(value["paper"], str) or not value["paper"].strip():
            raise ExampleProblem(f"line {number}: the paper must be text")
        for wrong in validator.iter_errors(value["review"]):
            place = ".".join(map(str, wrong.path))
            raise ExampleProblem(f"line {number}: review: {place}: {wrong.message[:200]}")
        names = json.loads(schema)["properties"]
        ordered = {name: value["review"][name] for name in names if name in value["review"]}
        examples.append(Example(value["paper"], json.dumps(ordered, ensure_ascii=False)))
    if not examples:
        raise ExampleProblem("it holds no example")
    return tuple(examples)
