"""Classes made by revkit.dataclass do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import pickle
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from revkit.dataclass import dataclass


def _classes(decorator: Callable[..., Any], slots: bool) -> dict[str, Any]:
    """The same classes, made by ``decorator``."""

    @decorator(frozen=True, slots=slots)
    class Point:
        """A point."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 2
        tags: list[str] = dataclasses.field(default_factory=list)
        note: str = dataclasses.field(default="", repr=False, compare=False)

    @decorator(frozen=True, slots=slots)
    class Single:
        """One value."""

        value: Any

        def __post_init__(self) -> None:
            if self.value == "bad":
                raise ValueError("bad value")

    @decorator(frozen=True, slots=slots)
    class Empty:
        """No value."""

    @decorator(frozen=True, slots=slots, kw_only=True)
    class Named:
        """Values by name alone."""

        first: int
        second: str = "s"

    @decorator(frozen=True, slots=slots)
    class Same:
        """All are equal."""

        value: int
        hidden: int = dataclasses.field(init=False, default=3)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __repr__(self) -> str:
            return "same"

    return {made.__name__: made for made in (Point, Single, Empty, Named, Same)}


@dataclass(frozen=True, slots=True)
class Slotted:
    """A class that pickle finds."""

    a: int
    b: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plain:
    """Another class that pickle finds."""

    a: int
    b: tuple[int, ...] = ()


def _said(act: Callable[[dict[str, Any]], object], classes: dict[str, Any]) -> str:
    """What an act returns or raises, as text without the place of the class."""
    try:
        found = repr(act(classes))
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return found.replace("<locals>", "")


@pytest.mark.parametrize("slots", [False, True])
def test_does_what_the_standard_decorator_does(slots: bool) -> None:
    ours, theirs = _classes(dataclass, slots), _classes(dataclasses.dataclass, slots)
    acts: list[Callable[[dict[str, Any]], object]] = [
        lambda all: all["Point"](1),
        lambda all: all["Point"](1, 3, ["a"], note="n").note,
        lambda all: all["Point"](1).tags is all["Point"](1).tags,
        lambda all: all["Point"](),
        lambda all: all["Point"](1, z=2),
        lambda all: all["Point"](1, note="a") == all["Point"](1, note="b"),
        lambda all: all["Point"](1) == all["Point"](2),
        lambda all: all["Point"](1) == (1, 2, []),
        lambda all: hash(all["Point"](1)),
        lambda all: hash(all["Point"](1, 2, ())) == hash((1, 2, ())),
        lambda all: hash(all["Single"](7)) == hash((7,)),
        lambda all: hash(all["Empty"]()) == hash(()),
        lambda all: (all["Empty"](), all["Empty"]() == all["Empty"]()),
        lambda all: all["Single"]("bad"),
        lambda all: all["Single"](all["Single"](1)),
        lambda all: all["Named"](1),
        lambda all: all["Named"](first=1),
        lambda all: (all["Same"](1), all["Same"](1) == all["Same"](2), all["Same"](1).hidden),
        lambda all: hash(all["Same"](1)) == hash((1, 3)),
        lambda all: setattr(all["Point"](1), "x", 2),
        lambda all: delattr(all["Point"](1), "x"),
        lambda all: dataclasses.replace(all["Point"](1), y=5),
        lambda all: dataclasses.asdict(all["Point"](1)),
        lambda all: [field.name for field in dataclasses.fields(all["Point"])],
        lambda all: [str(inspect.signature(made)) for made in all.values()],
        lambda all: [made.__match_args__ for made in all.values()],
        lambda all: [repr(made.__dataclass_params__) for made in all.values()],
        lambda all: [made.__init__.__qualname__ for made in all.values()],
        lambda all: typing.get_type_hints(all["Named"].__init__),
        lambda all: copy.copy(all["Point"](1, 4)),
        lambda all: copy.deepcopy(all["Single"]([1])),
        lambda all: sorted(vars(all["Empty"])),
    ]
    for number, act in enumerate(acts):
        assert _said(act, ours) == _said(act, theirs), number


@pytest.mark.parametrize("made", [Slotted, Plain])
def test_is_pickled(made: Any) -> None:
    value = made(1, (2,))
    assert pickle.loads(pickle.dumps(value)) == value


def test_inherits_in_both_directions() -> None:
    @dataclasses.dataclass(frozen=True)
    class Standard(Plain):
        c: int = 3

    @dataclass(frozen=True)
    class Own(Standard):
        d: int = 4

    assert (Standard(1), Own(1).d) == (Standard(1, (), 3), 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Own(1).a = 2  # type: ignore[misc]
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):

        @dataclasses.dataclass
        class Loose(Plain):
            pass


def test_a_class_that_is_no_dataclass_inherits() -> None:
    class More(Plain):
        pass

    with pytest.raises(dataclasses.FrozenInstanceError):
        Plain(1).extra = 5  # type: ignore[attr-defined]
    more = More(1)
    more.extra = 5  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        more.a = 2  # type: ignore[misc]
    assert (more.b, more != Plain(1)) == ((), True)


def test_an_abstract_class_remains_abstract() -> None:
    class Base(ABC):
        @abstractmethod
        def act(self) -> int: ...

    @dataclass(frozen=True, slots=True)
    class Missing(Base):
        a: int

    @dataclass(frozen=True, slots=True)
    class Whole(Base):
        a: int

        def act(self) -> int:
            return self.a

    assert Whole(3).act() == 3
    with pytest.raises(TypeError, match="abstract"):
        Missing(1)  # type: ignore[abstract]


def test_other_options_are_those_of_the_standard_library() -> None:
    @dataclass(frozen=True, order=True)
    class Ordered:
        a: int

    @dataclass
    class Loose:
        a: int

    assert Ordered(1) < Ordered(2)
    loose = Loose(1)
    loose.a = 2
    assert loose == Loose(2)


_DECORATORS = [dataclass, dataclasses.dataclass]
Initial = dataclasses.InitVar


def _special(decorator: Callable[..., Any], slots: bool) -> dict[str, Any]:
    """The same rare classes, made by ``decorator``."""

    @decorator(frozen=True, slots=slots)
    class Unhashed:
        names: list[str] = dataclasses.field(hash=False)
        number: int = 1

    @decorator(frozen=True, slots=slots)
    class Added:
        value: int
        note: str = dataclasses.field(default="n", compare=False, hash=True)

    @decorator(frozen=True, slots=slots)
    class Begun:
        value: int
        start: dataclasses.InitVar[int]

        def __post_init__(self, start: int) -> None:
            object.__setattr__(self, "value", self.value + start)

    @decorator(frozen=True, slots=slots)
    class Aliased:
        value: int
        start: Initial[int]

        def __post_init__(self, start: int) -> None:
            object.__setattr__(self, "value", self.value + start)

    @decorator(frozen=True, slots=slots)
    class NoHash:
        value: int
        __hash__ = None  # type: ignore[assignment]

    @decorator(frozen=True, slots=slots)
    class OwnHash:
        value: int

        def __hash__(self) -> int:
            return 5

    @decorator(frozen=True, slots=slots)
    class Selfish:
        self: int
        other: int = 2

    made = (Unhashed, Added, Begun, Aliased, NoHash, OwnHash, Selfish)
    return {each.__name__: each for each in made}


@pytest.mark.parametrize("slots", [False, True])
def test_rare_classes_are_those_of_the_standard_library(slots: bool) -> None:
    ours, theirs = _special(dataclass, slots), _special(dataclasses.dataclass, slots)
    acts: list[Callable[[dict[str, Any]], object]] = [
        lambda all: hash(all["Unhashed"](["a"])) == hash((1,)),
        lambda all: all["Unhashed"](["a"]) == all["Unhashed"](["b"]),
        lambda all: hash(all["Added"](1)) == hash((1, "n")),
        lambda all: all["Added"](1, "a") == all["Added"](1, "b"),
        lambda all: all["Begun"](1, 2),
        lambda all: all["Begun"](1),
        lambda all: all["Aliased"](1, start=2).value,
        lambda all: hash(all["NoHash"](1)),
        lambda all: hash(all["OwnHash"](1)),
        lambda all: all["Selfish"](1, other=3),
        lambda all: [field.name for field in dataclasses.fields(all["Begun"])],
        lambda all: [str(inspect.signature(made)) for made in all.values()],
    ]
    for number, act in enumerate(acts):
        assert _said(act, ours) == _said(act, theirs), number


def test_faulty_classes_are_refused_as_in_the_standard_library() -> None:
    def set_value(self: object, name: str, value: object = None) -> None: ...

    contents: list[dict[str, Any]] = [
        {"__annotations__": {"a": "int", "b": "int"}, "a": 1},
        {"__annotations__": {"a": "int", "b": "int"}, "a": dataclasses.field(default_factory=int)},
        {"__annotations__": {"a": "int"}, "__setattr__": set_value},
        {"__annotations__": {"a": "int"}, "__delattr__": set_value},
    ]
    for content in contents:
        errors = []
        for decorator in _DECORATORS:
            with pytest.raises(TypeError) as caught:
                decorator(frozen=True)(type("Faulty", (), {**content, "__module__": __name__}))
            errors.append(str(caught.value))
        assert errors[0] == errors[1]


def test_the_module_of_a_class_need_not_be_loaded() -> None:
    content = {"__annotations__": {"a": int}, "__module__": "not_loaded_anywhere"}
    made: Any = dataclass(frozen=True)(type("Far", (), content))
    assert made(1) == made(1)
    assert made(2).a == 2


def test_the_first_init_can_be_wrapped() -> None:
    for decorator in _DECORATORS:

        @decorator(frozen=True)
        class Wrapped:
            a: int
            b: int = 2

        made: Any = Wrapped
        first = vars(made)["__init__"]
        calls = []

        @functools.wraps(first)
        def init(
            self: Any, *values: Any, first: Any = first, calls: list[Any] = calls, **named: Any
        ) -> None:
            calls.append(values)
            first(self, *values, **named)

        made.__init__ = init
        assert [made(1).b, made(1, b=3).b] == [2, 3]
        assert calls == [(1,), (1,)]
        assert init.__name__ == "__init__"
