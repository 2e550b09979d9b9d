"""Convert YAML to plain values, with the place of each; duplicate keys and hostile files are
refused.

Every YAML file that a person writes (spec, form, rubric, venue) is read here, by one set of rules:
the scalars of YAML 1.2, no key twice, no tags but the standard ones, bounded size and depth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import Problem, SpecError, unknown_name

Path_ = tuple[str | int, ...]
_LARGEST_FILE = 1_000_000
_MOST_VALUES = 50_000
_DEEPEST = 50


@dataclass
class Source:
    """The values of a YAML text and the place of each in it (line and column count from 1).

    ``raw`` holds each scalar as it was written, so that ``name: 010`` loses nothing as a text.
    """

    name: str = ""
    text: str = ""
    value: Any = None
    keys: dict[Path_, tuple[int, int]] = field(default_factory=dict)
    values: dict[Path_, tuple[int, int]] = field(default_factory=dict)
    raw: dict[Path_, str] = field(default_factory=dict)
    set_by: dict[Path_, str] = field(default_factory=dict)

    def problem(self, path: Path_, message: str, *, at_key: bool = False) -> Problem:
        """Return a `Problem` at ``path``, or at the nearest enclosing place that has a position."""
        dotted = ".".join(str(part) for part in path)
        for length in range(len(path), -1, -1):
            if path[:length] in self.set_by:
                return Problem(message, path=dotted, source=self.set_by[path[:length]])
        for length in range(len(path), -1, -1):
            places = self.keys if at_key or length < len(path) else self.values
            place = places.get(path[:length]) or self.values.get(path[:length])
            if place:
                return self.problem_at(place, message, dotted)
        return Problem(message, path=dotted, source=self.name)

    def problem_at(self, place: tuple[int, int], message: str, dotted: str = "") -> Problem:
        """Return the problem at a place (line and column, from 1), with an excerpt."""
        line, column = place
        lines = self.text.splitlines()
        excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
        if len(excerpt) > 160:
            excerpt = excerpt[:157] + "..."
        return Problem(message, dotted, line, column, self.name, excerpt)

    @property
    def root(self) -> YamlValue:
        """The whole text as one `YamlValue`."""
        return YamlValue(self, (), self.value)


@dataclass(frozen=True)
class YamlValue:
    """One value of a `Source` with its place, for the readers of forms, rubrics and venues.

    Every method raises `SpecError` with line, column and excerpt where the value is another one
    than asked for.
    """

    source: Source
    path: Path_
    value: Any

    def error(self, message: str, *, at_key: bool = False) -> SpecError:
        """Return a `SpecError` at this place, or at the key of this value."""
        return SpecError([self.source.problem(self.path, message, at_key=at_key)])

    def child(self, key: str | int) -> YamlValue:
        """Return the value under ``key`` of a mapping or list."""
        return YamlValue(self.source, (*self.path, key), self.value[key])

    def mapping(
        self, known: Collection[str] = (), required: Collection[str] = ()
    ) -> dict[str, YamlValue]:
        """Return the values of a mapping by key, in order. ``known`` lists the only keys allowed
        (empty: any), ``required`` the mandatory ones. Raises `SpecError` with the place for another
        value, an unknown key and a missing one.
        """
        if not isinstance(self.value, dict):
            raise self.error("expected a mapping ('key: value')")
        for key in self.value:
            if known and key not in known:
                problem = self.source.problem(
                    (*self.path, key), unknown_name("key", key, known), at_key=True
                )
                raise SpecError([replace(problem, path=".".join(map(str, self.path)))])
        missing = [key for key in required if key not in self.value]
        if missing:
            raise self.error(f"the key {missing[0]!r} is missing")
        return {key: self.child(key) for key in self.value}

    def items(self) -> list[YamlValue]:
        """Return the values of a list, in order."""
        if not isinstance(self.value, list):
            raise self.error("expected a list")
        return [self.child(index) for index in range(len(self.value))]

    def text(self) -> str:
        """Return the text of a scalar as written: ``yes`` and ``010`` stay unchanged."""
        if self.value is None or isinstance(self.value, dict | list):
            raise self.error("expected text; put it in quotes")
        return self.source.raw.get(self.path, str(self.value))


def read_source(path: Path) -> Source:
    """Read the YAML file at ``path``. Raises `SpecError` with the place of every fault."""
    name = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise SpecError([Problem(_unreadable(error), source=name)]) from None
    if len(data) > _LARGEST_FILE:
        raise SpecError([Problem("is larger than 1 MB", source=name)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SpecError(
            [
                Problem(
                    f"is not UTF-8 (byte {error.start} is {data[error.start]:#04x}); "
                    "save the file as UTF-8",
                    source=name,
                )
            ]
        ) from None
    return parse_source(text, name)


def _unreadable(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "is a folder; name a file"
    if isinstance(error, FileNotFoundError):
        return "this file does not exist"
    return f"cannot be read: {error.strerror or error}"


def parse_source(text: str, name: str = "") -> Source:
    """Parse YAML text (no tags but the standard ones, no duplicate keys). Raises `SpecError` with
    the place of each fault.
    """
    import yaml

    source = Source(name=name, text=text)
    try:
        node = yaml.compose(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        message = _yaml_problem(str(error.context or ""), str(error.problem or ""))
        opened = error.context_mark
        if opened is not None and mark is not None and opened.line < mark.line:
            what = _OPENED.get(str(error.context or ""), "the part that is not complete")
            message += f"; {what} begins at line {opened.line + 1}, column {opened.column + 1}"
        raise SpecError([source.problem_at(place, f"malformed YAML: {message}")]) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        message = f"malformed YAML: the character {error.character:#04x} is not allowed"
        raise SpecError([Problem(message, line=line, column=column, source=name)]) from None
    except RecursionError:
        raise SpecError([Problem("is nested too deeply", source=name)]) from None
    except (ValueError, OverflowError):  # chr() of the number of an escape
        message = "malformed YAML: an escape \\U in double quotes is above \\U0010FFFF"
        raise SpecError([Problem(message, source=name)]) from None
    except yaml.YAMLError as error:
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise SpecError([Problem(f"malformed YAML: {first}", source=name)]) from None
    if node is None:
        raise SpecError([Problem("the file is empty", source=name)])
    _Builder(source).build(node)
    return source


# What PyYAML was reading when it found a fault, in words of a person who writes YAML.
_IN_DOUBLE_QUOTES = "while scanning a double-quoted scalar"
_OPENED = {
    "while parsing a flow mapping": "the bracket {",
    "while parsing a flow sequence": "the bracket [",
    "while parsing a flow node": "the bracket",
    "while scanning a quoted scalar": "the quoted text",
    _IN_DOUBLE_QUOTES: "the quoted text",
    "while parsing a block mapping": "the mapping",
    "while parsing a block collection": "the list",
    "while scanning a simple key": "the key",
}
_IN_BRACKETS = (
    "; close the bracket, or put a text that contains one of the characters , : [ ] { } in quotes"
)


def _yaml_problem(context: str, problem: str) -> str:
    """Return a fault that PyYAML found, with the remedy if there is a usual one."""
    if "'\\t'" in problem:
        return "a tab cannot begin a line; indent with spaces, not with tabs"
    problem = problem.replace("<stream end>", "the end of the file")
    problem = problem.replace("found unexpected end of stream", "the file ends here")
    if context == _IN_DOUBLE_QUOTES:
        return f"{problem}; write \\\\ for a backslash, or use single quotes"
    if "quoted scalar" in context:
        return f"{problem}, and a quoted text is not closed"
    if "flow" in context:
        return f"{problem}{_IN_BRACKETS}"
    if problem.startswith("mapping values are not allowed"):
        return (
            "a ':' is not allowed here; put text that contains ': ' in quotes, or check whether "
            "the line above already has a value (then write 'use: VALUE' below its key)"
        )
    if "another document" in problem:
        return "'---' begins a second document; write one document in each file"
    if context.startswith("while scanning a simple key"):
        return f"{problem}; write 'KEY: VALUE'"
    if context.startswith("while parsing a block"):
        return f"{problem}; check the indentation of this line and of the lines above"
    return problem if context.startswith("while") else "; ".join(filter(None, (context, problem)))


def parse_value(text: str) -> Any:
    """Parse the value of ``--set``: YAML, so ``5`` is a number and ``[3, 5]`` a list."""
    return parse_source(text if text.strip() else "''", "--set").value


def scalar_of(text: str) -> Any:
    """Return the value of a plain scalar by the rules of YAML 1.2: a number, true, false, null or
    text.
    """
    for tag, pattern in _loader().yaml_implicit_resolvers.get(text[:1], ()):
        read = _SCALARS.get(tag.rpartition(":")[2])
        if read is not None and pattern.match(text):
            try:
                return read(text)
            except ValueError:  # a number of too many digits
                return text
    return text


@cache
def _loader() -> Any:
    """Return a safe loader with the scalars of YAML 1.2: ``on``, ``1:30`` and dates stay text, 1e-3
    is a number.
    """
    import re

    import yaml

    class Loader(yaml.SafeLoader):
        pass

    Loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", "~nN\0"),
        ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+0123456789."),
        ("merge", r"<<", "<"),
    ):
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), list(first)
        )
    Loader.yaml_implicit_resolvers.setdefault("", []).append(
        ("tag:yaml.org,2002:null", re.compile("$"))
    )
    return Loader


def to_yaml(value: Any) -> str:
    """Write plain values as YAML that `parse_source` reads back unchanged.

    The writer of PyYAML knows YAML 1.1 only and would leave the text 1e-3 without quotes.
    """
    import yaml

    return str(yaml.dump(value, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=100))


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        # Line ends other than \n are folded on reading unless they are written as escapes.
        odd = any(mark in value for mark in "\r\x85\u2028\u2029")
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"' if odd else None)

    Dumper.add_representer(str, text)
    resolvers: dict[str, list[Any]] = {}
    for known in (yaml.SafeDumper.yaml_implicit_resolvers, _loader().yaml_implicit_resolvers):
        for first, patterns in known.items():
            resolvers.setdefault(first, []).extend(patterns)
    Dumper.yaml_implicit_resolvers = resolvers
    return Dumper


def _whole_number(text: str) -> int:
    """Return a whole number. Raises `ValueError` for a number that Python would not write out
    again.
    """
    value = int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    str(value)
    return value


_SCALARS: dict[str, Callable[[str], Any]] = {
    "str": str,
    "bool": lambda text: text.lower() == "true",
    "null": lambda text: None,
    "int": lambda text: _whole_number(text),
    "float": float,
}


class _Builder:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.count = 0
        self.open: set[int] = set()

    def build(self, node: Any) -> None:
        self.source.value = self.value(node, ())
        if self.problems:
            raise SpecError(self.problems)

    def value(self, node: Any, path: Path_) -> Any:
        place = _place(node)
        self.source.values.setdefault(path, place)
        self.count += 1
        if self.count > _MOST_VALUES or len(path) > _DEEPEST or id(node) in self.open:
            problem = self.source.problem_at(
                place, "contains too many values, or values nested without end; check its anchors"
            )
            raise SpecError([*self.problems, problem])
        tag = node.tag.rpartition(":")[2]
        if node.id == "scalar":
            return self.scalar(node, tag, place, path)
        self.open.add(id(node))
        try:
            if node.id == "sequence" and tag == "seq":
                return [self.value(item, (*path, i)) for i, item in enumerate(node.value)]
            if node.id == "mapping" and tag == "map":
                return self.mapping(node, path)
        finally:
            self.open.discard(id(node))
        self.problems.append(self.source.problem_at(place, f"the tag {node.tag} is not allowed"))
        return None

    def scalar(self, node: Any, tag: str, place: tuple[int, int], path: Path_) -> Any:
        if tag not in _SCALARS:
            self.problems.append(
                self.source.problem_at(place, f"the tag {node.tag} is not allowed")
            )
            return None
        self.source.raw[path] = str(node.value)
        try:
            return _SCALARS[tag](node.value)
        except ValueError:
            self.problems.append(
                self.source.problem_at(place, f"{node.value[:40]!r} cannot be read as {tag}")
            )
            return None

    def mapping(self, node: Any, path: Path_) -> dict[str, Any]:
        merged = self.merged(node, path)
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag.endswith(":merge"):
                continue
            place = _place(key_node)
            key = self.value(key_node, (*path, "?"))
            if not isinstance(key, Hashable) or not isinstance(key, str):
                key = str(key_node.value) if key_node.id == "scalar" else "?"
                if key_node.id != "scalar":
                    self.problems.append(self.source.problem_at(place, "a key must be text"))
                    continue
            if key in result:
                self.repeated(key, self.source.keys[(*path, key)], place)
            self.source.keys[(*path, key)] = place
            self.source.values.pop((*path, key), None)
            result[key] = self.value(value_node, (*path, key))
        return {**merged, **result}

    def merged(self, node: Any, path: Path_) -> dict[str, Any]:
        """Return the values that the merge key (``<<``) adds to a mapping; its own keys have
        priority.
        """
        keys = [(key, value) for key, value in node.value if key.tag.endswith(":merge")]
        merged: dict[str, Any] = {}
        for number, (key_node, value_node) in enumerate(keys):
            if number:
                self.repeated("<<", _place(keys[0][0]), _place(key_node))
            parents = value_node.value if value_node.id == "sequence" else [value_node]
            for parent in parents:
                value = self.value(parent, path)
                if isinstance(value, dict):
                    merged = {**value, **merged}
        return merged

    def repeated(self, key: str, first: tuple[int, int], again: tuple[int, int]) -> None:
        line, column = first
        self.problems.append(
            self.source.problem_at(
                again, f"the key {key!r} is used twice; first at line {line}, column {column}"
            )
        )


def _place(node: Any) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
