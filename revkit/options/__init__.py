"""Options of a component: convert dataclass fields to JSON Schema, to values, and back.

A component is a frozen dataclass. Its fields are its options: in YAML they are written in
kebab-case (``max_distance`` is ``max-distance``), their annotations become a JSON Schema, and their
values are part of the key under which results are stored. Supported annotations are ``bool``,
``int``, ``float``, ``str``, ``Literal[...]``, ``tuple[T, ...]``, ``tuple[A, B]``,
``Mapping[str, T]`` or ``dict[str, T]``, ``T | None``, ``A | B``, `AnyJson` for JSON of any form,
and another frozen dataclass, whose fields are the keys of a mapping in YAML::

    @dataclass(frozen=True)
    class Retry:
        most: int = option(2, help="Further tries.", minimum=0)

    @dataclass(frozen=True)
    class Mine(Agent):
        retry: Nested[Retry | None] = option(None, help="When to try again.")

``Nested[T]`` is ``T`` for everything but type checkers, which then also accept
``Mine(retry={"most": 3})``, as it works; ``NestedItems[tuple[T, ...]]`` is the same of a list of
nested values. Such a nested value is read, checked and completed by editors like the options
themselves; each of its problems has its place (``retry.most``), and `as_written` gives it back as
the JSON that it was read from. A check that concerns several keys belongs into ``__post_init__``
of the nested dataclass or of the component, and raises `OptionError`. (``Any`` is an option
without any check.)
"""

from revkit.errors import unknown_name
from revkit.options.declaration import (
    AnyJson,
    Nested,
    NestedItems,
    option,
    renamed_options,
    under_former_names,
    yaml_name,
)
from revkit.options.reader import check_options, from_options
from revkit.options.scalars import spell_value
from revkit.options.schema import schema_of
from revkit.options.writer import as_written, options_of

__all__ = [
    "AnyJson",
    "Nested",
    "NestedItems",
    "as_written",
    "check_options",
    "from_options",
    "option",
    "options_of",
    "renamed_options",
    "schema_of",
    "spell_value",
    "under_former_names",
    "unknown_name",
    "yaml_name",
]
