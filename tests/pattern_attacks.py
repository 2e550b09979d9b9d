"""Patterns of the product, and texts that make a careless one slow.

`all_patterns` finds every regular expression of ``revkit`` and of our plugins: those that modules
hold, and those that functions write, by reading their source. `attacks` makes texts from the
structure of a pattern: what leads to a repetition, what the repetition takes many times, and what
no pattern expects at the end.
"""

from __future__ import annotations

import ast
import importlib
import math
import pkgutil
import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as sre_parser  # type: ignore[import-not-found]
import signal
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from revkit_reviewground.checks.runs import bounded
from tests.source_nodes import nodes_of

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("revkit", *sorted(p.name for p in (ROOT / "plugins").iterdir() if p.is_dir()))
_ENGINE = ("compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split")
_ALPHABET = "aAbz0159 \t\n\v.,;:!?()[]{}<>|\\/*_-–—+=~^$#@%&'\"`’“”é中。́"


@dataclass(frozen=True)
class Found:
    """A pattern, where it is written, and the methods that are called on it (none: unknown)."""

    place: str
    pattern: re.Pattern[Any]
    verbs: frozenset[str]

    @property
    def anchored(self) -> bool:
        """Whether it is only matched at a given place, and never searched for."""
        return bool(self.verbs) and self.verbs <= {"match", "fullmatch"}


def modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        yield root
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not info.name.endswith("__main__"):
                yield importlib.import_module(info.name)


def all_patterns() -> tuple[list[Found], list[str]]:
    """Return the patterns, each once, and the places of those that only a call can make."""
    found: dict[tuple[Any, int], Found] = {}
    unknown: list[str] = []

    def note(pattern: re.Pattern[Any], place: str, verbs: frozenset[str]) -> None:
        key = pattern.pattern, pattern.flags
        before = found.get(key)
        verbs |= before.verbs if before else frozenset()
        found[key] = Found(before.place if before else place, pattern, verbs)

    public = _uses(path for package in PACKAGES for path in _folder(package).rglob("*.py"))
    for module in modules():
        if module.__file__ is None or not Path(module.__file__).is_relative_to(ROOT):
            continue
        path = Path(module.__file__)
        private = _uses([path])
        for name, value in vars(module).items():
            verbs = (private if name.startswith("_") else public).get(name, frozenset())
            direct = isinstance(value, re.Pattern)
            for pattern in _held(value, 0):
                note(pattern, f"{module.__name__}.{name}", verbs if direct else frozenset())
        for node in _read(path).engine_calls:
            place = f"{module.__name__}:{node.lineno}"
            try:
                pattern = _evaluated(node, module)
            except Exception:
                unknown.append(place)
                continue
            verb = _verb(node)
            if verb != "compile" or (pattern.pattern, pattern.flags) not in found:
                note(pattern, place, frozenset((verb,)) - {"compile"})
    return list(found.values()), unknown


def _folder(package: str) -> Path:
    return ROOT / package if package == "revkit" else ROOT / "plugins" / package


class _Source(NamedTuple):
    """What is called on each name of a file ("+": the name itself), and its calls of the engine."""

    called: Mapping[str, Set[str]]
    engine_calls: list[ast.Call]


@cache
def _read(path: Path) -> _Source:
    called: defaultdict[str, set[str]] = defaultdict(set)
    engine_calls = []
    for node in nodes_of(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            called[node.value.id].add(node.attr)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            called[node.id if isinstance(node, ast.Name) else node.attr].add("+")
        elif isinstance(node, ast.Call) and _is_engine(node):
            engine_calls.append(node)
    return _Source(called, engine_calls)


def _uses(paths: Iterable[Path]) -> dict[str, frozenset[str]]:
    """What is called on each name in ``paths``; "?" where it is handed on."""
    called: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        for name, verbs in _read(path).called.items():
            called[name] |= verbs
    return {
        name: frozenset(verbs - {"+", "pattern"}) | _handed_on(verbs)
        for name, verbs in called.items()
    }


def _handed_on(verbs: set[str]) -> frozenset[str]:
    return frozenset() if verbs - {"+", "pattern"} else frozenset(("?",))


def _held(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4:
        parts: Iterable[Any] = ()
        if isinstance(value, dict):
            parts = [*value, *value.values()]
        elif isinstance(value, tuple | list | set | frozenset):
            parts = value
        elif is_dataclass(value) and not isinstance(value, type):
            parts = [getattr(value, part.name, None) for part in fields(value)]
        for part in parts:
            yield from _held(part, depth + 1)


def _verb(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _is_engine(node: ast.Call) -> bool:
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in _ENGINE
        and bool(node.args)
    )


def _evaluated(node: ast.Call, module: ModuleType) -> re.Pattern[Any]:
    verb = _verb(node)
    given = {word.arg: word.value for word in node.keywords}
    flags = given.get("flags") or (
        node.args[1] if verb == "compile" and len(node.args) > 1 else None
    )
    space = {**vars(module)}

    def value(expression: ast.expr) -> Any:
        return eval(compile(ast.Expression(expression), "<pattern>", "eval"), space)

    source = value(node.args[0])
    assert isinstance(source, str | bytes)
    return re.compile(source, value(flags) if flags is not None else 0)


# --- texts ------------------------------------------------------------------------------------


def _one(op: Any, value: Any) -> str:
    """A character that the node takes."""
    if op is sre.LITERAL:
        return chr(value)
    for sign in _ALPHABET:
        if _takes(op, value, sign):
            return sign
    return "a"


def _takes(op: Any, value: Any, sign: str) -> bool:
    code = ord(sign)
    if op is sre.LITERAL:
        return bool(code == value)
    if op is sre.NOT_LITERAL:
        return bool(code != value)
    if op is sre.ANY:
        return True
    if op is sre.CATEGORY:
        return re.match(_CATEGORY[value], sign) is not None
    if op is sre.RANGE:
        return bool(value[0] <= code <= value[1])
    if op is sre.IN:
        negated = bool(value) and value[0][0] is sre.NEGATE
        rest = value[1:] if negated else value
        return any(_takes(o, v, sign) for o, v in rest) != negated
    return False


_CATEGORY = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
_SINGLE = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def _sample(tree: Any, pick: int = 0) -> str:
    """A text that ``tree`` takes, roughly; ``pick`` chooses among branches."""
    parts = []
    for op, value in tree:
        if op in _SINGLE:
            parts.append(_one(op, value))
        elif op in _REPEATS:
            low, high, body = value
            parts.append(_sample(body, pick) * max(low, min(1, high)))
        elif op is sre.SUBPATTERN:
            parts.append(_sample(value[-1], pick))
        elif op is sre.ATOMIC_GROUP:
            parts.append(_sample(value, pick))
        elif op is sre.BRANCH:
            parts.append(_sample(value[1][pick % len(value[1])], pick))
        elif op is sre.GROUPREF_EXISTS:
            parts.append(_sample(value[1], pick))
    return "".join(parts)


def _pieces(tree: Any, before: str = "", pick: int = 0) -> Iterator[tuple[str, str]]:
    """Pairs of what leads to a repetition and what it takes."""
    for op, value in tree:
        if op in _REPEATS:
            low, high, body = value
            if high > 8:
                for branch in range(4):
                    yield before, _sample(body, branch)
                yield from ((before, sign) for sign in _signs(body))
            yield from _pieces(body, before, pick)
            before += _sample(body, pick) * max(low, 1)
        elif op is sre.SUBPATTERN:
            yield from _pieces(value[-1], before, pick)
            before += _sample(value[-1], pick)
        elif op is sre.ATOMIC_GROUP:
            yield from _pieces(value, before, pick)
            before += _sample(value, pick)
        elif op is sre.BRANCH:
            for branch in value[1][:12]:
                yield from _pieces(branch, before, pick)
            before += _sample(value[1][0], pick)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _pieces(value[1], before, pick)
        elif op in _SINGLE:
            before += _one(op, value)


def _signs(tree: Any) -> set[str]:
    """A few characters that some node of ``tree`` takes."""
    signs: set[str] = set()
    for op, value in tree:
        if op in _SINGLE:
            signs.add(_one(op, value))
            signs.update([sign for sign in "a0 .-" if _takes(op, value, sign)])
        elif op in _REPEATS:
            signs |= _signs(value[2])
        elif op is sre.SUBPATTERN:
            signs |= _signs(value[-1])
        elif op is sre.ATOMIC_GROUP:
            signs |= _signs(value)
        elif op is sre.BRANCH:
            for branch in value[1][:8]:
                signs |= _signs(branch)
    return signs


def attacks(pattern: re.Pattern[Any]) -> list[tuple[str, str, str]]:
    """Texts as (head, what is repeated, tail) that may make ``pattern`` slow."""
    source = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    tree = sre_parser.parse(source, pattern.flags & ~re.DEBUG)
    whole = _sample(tree)
    made: dict[tuple[str, str, str], None] = {}
    for before, pump in _pieces(tree):
        if not pump:
            continue
        for tail in ("\x00", "", "\n!", "a~"):
            made[before, pump, tail] = None
        made["", pump, "\x00"] = None
        made[before, f"{pump} ", "\x00"] = None
    for sign in sorted(_signs(tree))[:24]:
        made["", sign, "\x00"] = None
    for pick in range(3):
        text = _sample(tree, pick)
        made["", text or "a", "\x00"] = None
        made["", text[:-1] or "a", "\x00"] = None
    made[whole[: len(whole) // 2], "a ", "\x00"] = None
    return list(made)[:400]


# --- time -------------------------------------------------------------------------------------


# The rules of the checks, and the verifier that takes its topics from them.
_CHECKS = ("revkit_reviewground.checks", "revkit_reviewground.absence_verifier")


class TooSlow(Exception):
    """A search passed its time."""


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow


def as_read(place: str, text: str) -> str:
    """``text`` as the patterns of ``place`` get to read it."""
    return bounded(text) if place.startswith(_CHECKS) else text


def seconds(found: Found, text: str, limit: float) -> float:
    """Processor time of one search of all of ``text``; infinite where it takes above ``limit``.

    The engine looks for signals, so a search in the main thread can be ended.
    """
    pattern = found.pattern
    subject: Any = text if isinstance(pattern.pattern, str) else text.encode("utf-8", "replace")
    before = signal.signal(signal.SIGVTALRM, _ring)
    start = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        if found.anchored:
            if "match" in found.verbs:
                pattern.match(subject)
            if "fullmatch" in found.verbs:
                pattern.fullmatch(subject)
        else:
            for _ in pattern.finditer(subject):
                pass
    except TooSlow:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - start


@dataclass(frozen=True)
class Growth:
    """How the time of a search grows with the text: 1 in proportion, 2 with its square; infinite
    where it passed its limit."""

    exponent: float
    attack: tuple[str, str, str]


def growth(found: Found, size: int = 4_000) -> Growth | None:
    """The first attack under which a pattern takes more than time in proportion, or None."""
    for head, pump, tail in attacks(found.pattern):

        def taken(length: int, limit: float, attack: tuple[str, str, str]) -> float:
            text = attack[0] + attack[1] * max(1, length // len(attack[1])) + attack[2]
            return seconds(found, as_read(found.place, text), limit)

        attack = head, pump, tail
        if taken(size, 0.5, attack) < 0.002:
            continue
        short = min(taken(size, 0.5, attack) for _ in range(3))
        if short < 0.002:
            continue
        long = min(taken(size * 4, 4.0, attack) for _ in range(1 if short > 0.05 else 2))
        exponent = math.log(max(long, 1e-9) / short, 4) if short < math.inf > long else math.inf
        if exponent > 1.5 and not math.isinf(exponent):
            # Once more with more readings: a busy machine makes one of them long.
            short = min(short, *(taken(size, 0.5, attack) for _ in range(4)))
            long = min(long, *(taken(size * 4, 4.0, attack) for _ in range(2)))
            exponent = math.log(max(long, 1e-9) / max(short, 1e-9), 4)
        if exponent > 1.7:
            return Growth(exponent, attack)
    return None


def blows_up(found: Found, pumps: int = 64) -> tuple[str, str, str] | None:
    """The first attack of a few characters under which a pattern takes 0.3 s or more."""
    for head, pump, tail in attacks(found.pattern):
        text = as_read(found.place, head + pump * pumps + tail)
        if all(seconds(found, text, 0.3) == math.inf for _ in range(2)):
            return head, pump, tail
    return None
