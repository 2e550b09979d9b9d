"""How a component declares its options: dataclass fields with bounds and help."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from revkit.model.values import Json

MISSING = dataclasses.MISSING
WRONG: Final = object()  # replaces a wrong value
GIVEN = "_as_written"  # the attribute of a nested value with the JSON that it was read from
T = TypeVar("T", covariant=True)

if TYPE_CHECKING:
    AnyJson = Json

    class Nested(Generic[T]):
        """The type of an option for which a mapping with the same keys is also accepted."""

        def __get__(self, instance: object, owner: Any = None, /) -> T: ...
        def __set__(self, instance: object, value: T | Mapping[str, object], /) -> None: ...

    class NestedItems(Generic[T]):
        """The type of an option that is a list of nested values, or of mappings."""

        def __get__(self, instance: object, owner: Any = None, /) -> T: ...
        def __set__(
            self, instance: object, value: T | Sequence[Mapping[str, object]], /
        ) -> None: ...

else:

    class AnyJson:
        """JSON of any form, as the type of an option."""

        # `Json` refers to itself by name, and the module of a component need not know that name.

    class Nested:
        """``Nested[T]`` is ``T`` at run time; type checkers also accept a mapping, which becomes a
        ``T``.
        """

        def __class_getitem__(cls, annotation):
            return annotation

    class NestedItems(Nested):
        """The same for a list of nested values: ``NestedItems[tuple[T, ...]]``."""


def option(
    default: Any = MISSING,
    *,
    help: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    nonempty: bool = False,
    formerly: str = "",
    later: bool = False,
) -> Any:
    """Declare one option of a component, with its bounds (inclusive) and its meaning.

    ``x: float = option(0.05, help="...", minimum=0)`` is ``x: float = 0.05`` with more to say.
    Bounds hold for numbers, and for each number of a sequence; ``nonempty`` refuses the empty text.
    ``formerly`` is the name in YAML
    that the option had in an earlier release: specs with it are accepted and reported, and seeds
    are derived under it, so a renamed option draws the same numbers. ``later`` marks an option that
    came after a component was in use: at its default it is left out of the options of an instance,
    so that finished runs, stored answers and random draws of before stay those of the component.
    """
    metadata = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "nonempty": nonempty,
        "formerly": formerly,
        "later": later,
    }
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    if isinstance(default, list | dict | set):
        raise TypeError("a mutable default would be shared; use a tuple or None")
    return dataclasses.field(default=default, metadata=metadata)


def yaml_name(field_name: str) -> str:
    """Return the name of an option in YAML: ``max_distance`` -> ``max-distance``."""
    return field_name.rstrip("_").replace("_", "-")


def fields_of(component: type) -> tuple[tuple[str, dataclasses.Field[Any], Any], ...]:
    """Return name, field and type of each option of a component, in order."""
    return _fields_once(component)


@cache
def _fields_once(component: type) -> tuple[tuple[str, dataclasses.Field[Any], Any], ...]:
    if not dataclasses.is_dataclass(component):
        raise TypeError(f"{component.__qualname__} must be a frozen dataclass")
    hints = typing.get_type_hints(component)
    return tuple(
        (yaml_name(field.name), field, hints[field.name])
        for field in dataclasses.fields(component)
        if field.init
    )


def is_nested(annotation: Any) -> bool:
    """Whether an option of this type is a mapping of options."""
    return isinstance(annotation, type) and dataclasses.is_dataclass(annotation)


def renamed_options(component: type, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the keys of ``options`` that are former names of options, each with the current
    name.
    """
    return {old: name for name, old in former_names(component).items() if old in options}


def under_former_names(component: type, options: Json) -> Json:
    """Return ``options`` with renamed options under their first names, because seeds are derived
    from these.
    """
    if not isinstance(options, dict) or not dataclasses.is_dataclass(component):
        return options
    former = former_names(component)
    return {str(former.get(name, name)): each for name, each in options.items()}


def former_names(component: type) -> dict[str, str]:
    """Return the options that had another name, with that name; a name that is in use again means
    the new option.
    """
    fields = fields_of(component)
    known = {name for name, *_ in fields}
    former = {name: str(field.metadata.get("formerly") or "") for name, field, _ in fields}
    return {name: old for name, old in former.items() if old and old not in known}


def name_of(component: type) -> str:
    """Return the name of a component, as an experiment writes it."""
    return str(getattr(component, "name", "") or component.__qualname__)


def inside(place: str, key: str) -> str:
    """Return the place of ``key`` within the value at ``place``: "with.path", "[0]"."""
    return f"{place}{key}" if key.startswith("[") or not key else f"{place}.{key}"
