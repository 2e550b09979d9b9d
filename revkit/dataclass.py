"""`dataclasses.dataclass`, with less work for frozen classes when a module is imported.

The standard decorator compiles six functions for each frozen class, and the modules of a command
define some two hundred classes. Here only ``__init__`` is compiled, and only when a class makes its
first instance; the other methods are closures. Type checkers see the standard decorator, and the
classes do what theirs do.

The standard decorator itself makes all other classes: those that are not frozen, inherit from a
dataclass, define ``__setattr__``, ``__delattr__`` or ``__hash__``, have a field ``self``, a field
with ``hash=...`` or an `InitVar`, or whose module is not loaded.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False, **others):
        """Return the class as a dataclass, or a decorator that does so."""
        if cls is None:
            options = {"frozen": frozen, "slots": slots, "kw_only": kw_only, **others}
            return lambda cls: dataclass(cls, **options)
        if others or not frozen or any(map(dataclasses.is_dataclass, cls.__mro__[1:])):
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, kw_only=kw_only, **others)
        if _is_special(cls):
            return dataclasses.dataclass(cls, frozen=True, slots=slots, kw_only=kw_only)
        own = {name for name, value in vars(cls).items() if value is not None}
        options = {"init": False, "repr": False, "eq": False, "slots": slots, "kw_only": kw_only}
        cls = dataclasses.dataclass(cls, **options)
        _check_order(cls)
        parameters = cls.__dataclass_params__
        parameters.init = parameters.repr = parameters.eq = parameters.frozen = True
        for name, method in _methods(cls, slots):
            if name not in own:
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)
        return cls

    def _is_special(cls):
        """Whether the class has what the methods below do not do."""
        content = vars(cls)
        annotations = content.get("__annotations__", {})
        module = vars(sys.modules.get(cls.__module__, dataclasses))
        # A class with its own __eq__ has a __hash__ of None, which the decorator replaces.
        has_hash = "__hash__" in content and not (
            content["__hash__"] is None and "__eq__" in content
        )
        return (
            has_hash
            or "__setattr__" in content
            or "__delattr__" in content
            or "self" in annotations
            or cls.__module__ not in sys.modules
            or any(_is_initial(kind, module) for kind in annotations.values())
            or any(
                isinstance(value, dataclasses.Field) and value.hash is not None
                for value in content.values()
            )
        )

    def _is_initial(kind, module):
        """Whether an annotation is an `InitVar`, under this name or an alias in the module."""
        text = str(kind)
        return "InitVar" in text or module.get(text.partition("[")[0]) is dataclasses.InitVar

    def _check_order(cls):
        """Refuse a field without a default after one with a default, as the standard does."""
        last = None
        for field in dataclasses.fields(cls):
            if not field.init or field.kw_only:
                continue
            made = field.default_factory is not dataclasses.MISSING
            if made or field.default is not dataclasses.MISSING:
                last = field.name
            elif last is not None:
                raise TypeError(f"non-default argument {field.name!r} follows default argument")

    def _methods(cls, slots):
        fields = dataclasses.fields(cls)
        names = [field.name for field in fields]
        yield "__init__", _FirstInit(cls)
        yield "__repr__", _repr([field.name for field in fields if field.repr])
        values = _values([field.name for field in fields if field.compare])
        yield "__eq__", _eq(values)
        yield "__hash__", lambda self: hash(values(self))
        yield "__setattr__", _refusal(cls, names, "assign to", "__setattr__")
        yield "__delattr__", _refusal(cls, names, "delete", "__delattr__")
        if slots:
            every = _values(names)
            yield "__getstate__", lambda self: every(self)
            yield "__setstate__", _restoration(names)

    def _values(names):
        """A function that returns the values of these fields as a tuple."""
        if len(names) > 1:
            return attrgetter(*names)
        return lambda self: tuple([getattr(self, name) for name in names])

    def _repr(names):
        @recursive_repr()
        def represent(self):
            values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
            return f"{type(self).__qualname__}({values})"

        return represent

    def _eq(values):
        def equal(self, other):
            if other.__class__ is self.__class__:
                return values(self) == values(other)
            return NotImplemented

        return equal

    def _refusal(cls, names, act, method):
        def refuse(self, name, *value):
            if type(self) is cls or name in names:
                raise dataclasses.FrozenInstanceError(f"cannot {act} field {name!r}")
            getattr(super(cls, self), method)(name, *value)

        return refuse

    def _restoration(names):
        def restore(self, state):
            for name, value in zip(names, state, strict=True):
                object.__setattr__(self, name, value)

        return restore

    class _DefaultOfFactory:
        def __repr__(self):
            return "<factory>"

    _FACTORY = _DefaultOfFactory()

    class _FirstInit:
        """``__init__`` of a class until it is first used, which replaces it by the function."""

        def __init__(self, cls):
            self.cls = cls

        def _compile(self):
            function = _init(self.cls)
            # Another function may have taken this place, and call this one.
            if vars(self.cls).get("__init__") is self:
                self.cls.__init__ = function
            return function

        def __get__(self, instance, owner):
            function = self._compile()
            return function if instance is None else function.__get__(instance)

        def __call__(self, *values, **named):
            return self._compile()(*values, **named)

        def __getattr__(self, name):
            if name == "cls":  # not yet set, in a copy
                raise AttributeError(name)
            return getattr(self._compile(), name)

    def _init(cls):
        """Compile ``__init__`` of a frozen class."""
        places = {"_put": object.__setattr__, "_FACTORY": _FACTORY}
        parameters, by_name, lines = ["self"], [], ["pass"]
        types = {}
        for field in dataclasses.fields(cls):
            name, default = field.name, f"_default_{field.name}"
            made = field.default_factory is not dataclasses.MISSING
            known = made or field.default is not dataclasses.MISSING
            if known:
                places[default] = field.default_factory if made else field.default
            if field.init:
                types[name] = field.type
                start = ("=_FACTORY" if made else f"={default}") if known else ""
                (by_name if field.kw_only else parameters).append(name + start)
            elif not known:
                continue
            value = name if field.init else default
            if made:
                value = f"{default}()"
                value += f" if {name} is _FACTORY else {name}" if field.init else ""
            lines.append(f"_put(self, {name!r}, {value})")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        if by_name:
            parameters += ["*", *by_name]
        text = f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines)
        content = {}
        # The globals of the module of the class, where its annotations have their meaning.
        text = f"def build({', '.join(places)}):\n {text}\n return __init__"
        exec(text, vars(sys.modules[cls.__module__]), content)
        init = content["build"](**places)
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        init.__module__ = cls.__module__
        init.__annotations__ = {**types, "return": None}
        return init
