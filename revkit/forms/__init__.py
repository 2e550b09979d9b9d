"""Forms that reviewers fill in: as JSON Schema, as a description, as text and as a `Review`.

A form is a YAML file: a scale, fields in order, which field is the score, and how the verdict
follows. Those of a plugin lie in a `FormFolder`, others anywhere::

    name: mine
    scale: {minimum: 1, maximum: 4, higher-is-better: true, accept-at: 3}
    score: rating
    confidence: sure
    fields:
      reasons: {type: text, help: "Why.", max-length: 2000}
      points: {type: list, max-items: 5}
      rating: {type: integer, minimum: 1, maximum: 4, help: "1 poor to 4 excellent."}
      sure: {type: number, values: {0.5: a guess, 1: certain}}

The types are text, list, integer, number, boolean and choice. The verdict is that of the scale
(``accept-at``), or of a field (``decision``): a boolean, or a choice of accept and reject.
"""

from revkit.forms.examples import Example, ExampleProblem, load_examples
from revkit.forms.form import Field, Fields, Form
from revkit.forms.form_files import FormFolder, FormProblem, parse_form

__all__ = [
    "Example",
    "ExampleProblem",
    "Field",
    "Fields",
    "Form",
    "FormFolder",
    "FormProblem",
    "load_examples",
    "parse_form",
]
