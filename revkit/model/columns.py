"""Columns: a dataclass whose fields are the columns of a file defines all readers and writers of
it.

The names and their order, the meaning of each for the documentation, the JSON row that is written,
and the value that is read back from it come from the one class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from revkit.dataclass import dataclass
from revkit.model.values import Json

T = TypeVar("T")
_KEY = "column"
_SCALARS = frozenset((str, int, float, bool))


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """One column: its name, its content, whether a CSV file has it, and whether a row omits it if
    it is empty.
    """

    name: str
    help: str
    csv: bool = True
    sparse: bool = False


def column(help: str, *, csv: bool = True, sparse: bool = False, default: Any = MISSING) -> Any:
    """Declare a field that is a column. ``csv`` False keeps long texts in the JSON Lines; a
    ``sparse`` column is absent from a row if its value is the default.
    """
    return field(default=default, metadata={_KEY: (help, csv, sparse)})


@cache
def columns_of_class(cls: Any) -> tuple[ColumnInfo, ...]:
    """Return the columns of a dataclass, in the order of its fields."""
    return tuple(ColumnInfo(each.name, *each.metadata.get(_KEY, ("",))) for each in fields(cls))


def csv_columns(cls: type) -> tuple[str, ...]:
    """Return the names of the columns in the CSV file of a dataclass."""
    return tuple(each.name for each in columns_of_class(cls) if each.csv)


def row_of(value: Any) -> dict[str, Json]:
    """Return a dataclass as a JSON object: tuples as lists, nested dataclasses as objects."""
    always, sparse = _names(cast(Any, type(value)))
    row: dict[str, Json] = {
        name: found
        if (found := getattr(value, name)) is None or type(found) in _SCALARS
        else _plain(found)
        for name in always
    }
    for name, absent in sparse:
        found = getattr(value, name)
        if found != absent:
            row[name] = _plain(found)
    return row


@cache
def _names(cls: Any) -> tuple[tuple[str, ...], tuple[tuple[str, Any], ...]]:
    """Return the fields that every row has, and the sparse ones with their defaults."""
    sparse = {each.name for each in columns_of_class(cls) if each.sparse}
    return (
        tuple(each.name for each in fields(cls) if each.name not in sparse),
        tuple((each.name, each.default) for each in fields(cls) if each.name in sparse),
    )


def _plain(value: Any) -> Json:
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value] if value else []
    if type(value) is dict or isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value):
        return row_of(value)
    return cast(Json, value)


def read_row(cls: type[T], row: Mapping[str, Any]) -> T:
    """Return the value of ``cls`` that `row_of` wrote as ``row``; unknown keys are ignored.

    Raises `KeyError` for a field without a value, `TypeError` for a value of another type.
    """
    fields = {}
    for name, needed, read in _readers(cast(Any, cls)):
        if name in row:
            fields[name] = read(row[name])
        elif needed:
            raise KeyError(name)
    return cls(**fields)


def copy_fields(cls: type[T], value: Any, **others: Any) -> T:
    """Return a value of ``cls`` with ``others``, and with the other fields copied from
    ``value``.
    """
    names = _field_names(cast(Any, cls), tuple(others))
    return cls(**{name: getattr(value, name) for name in names}, **others)


@cache
def _field_names(cls: Any, others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name not in others)


Reader = Callable[[Any], Any]


@cache
def _readers(cls: Any) -> tuple[tuple[str, bool, Reader], ...]:
    hints = get_type_hints(cls)
    return tuple(
        (
            each.name,
            each.default is MISSING and each.default_factory is MISSING,
            _reader(hints[each.name], f"{cls.__name__}.{each.name}"),
        )
        for each in fields(cls)
    )


def _reader(hint: Any, where: str) -> Reader:
    """Return a function that reads one value of type ``hint``."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value: value
    if origin in (Union, UnionType):
        some = [each for each in inner if each is not NoneType]
        if len(some) == 1 and len(some) < len(inner):
            read = _reader(some[0], where)
            return lambda value: None if value is None else read(value)
        kinds = tuple(get_origin(each) or each for each in inner)
        return _checked(kinds, where)
    if origin is Literal:
        return _one_of(inner, where)
    if origin is tuple:
        read_each, of_list = _reader(inner[0], where), _checked((list, tuple), where)
        return lambda value: tuple(read_each(each) for each in of_list(value))
    if origin is not None and issubclass(origin, Mapping):
        return _checked((dict,), where)
    if is_dataclass(hint):
        kind = cast(type, hint)
        of_object = _checked((dict,), where)
        return lambda value: read_row(kind, of_object(value))
    return _checked((int, float) if hint is float else (hint,), where)


def _one_of(known: Sequence[Any], where: str) -> Reader:
    def read(value: Any) -> Any:
        if value not in known:
            raise TypeError(f"{where}: {value!r:.80} is not one of {', '.join(map(repr, known))}")
        return value

    return read


def _checked(kinds: tuple[type, ...], where: str) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"{where} must be {names}, not {value!r:.80}")
        return value

    return read
