"""Write maps as JSON, and read them without trust in the file."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any, cast

from revkit.calibration.artifact import FORMAT, CalibrationMap
from revkit.calibration.printable import printable
from revkit.contracts import Calibrator
from revkit.errors import CalibrationError, PluginError, UnreadableMap
from revkit.files import LineProblems
from revkit.model.review import Scale
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.options import from_options
from revkit.registry import Registry

LARGEST = 20_000_000
DEEPEST = 60
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """Open a text file that gets its name only when complete, so that an incomplete file is never
    read as complete.

    A device, a pipe or a link is written directly, and keeps its name.
    """
    options: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("w", **options) as file:
            yield file
        return
    part = path.with_name(path.name + ".part")
    try:
        with part.open("w", **options) as file:
            yield file
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def save_map(found: CalibrationMap, path: Path) -> None:
    """Write a map as JSON; floats are read back equal to the last bit.

    Raises `CalibrationError` where ``path`` cannot be written.
    """
    text = _text(found)
    try:
        with whole_file(path) as file:
            file.write(text)
    except OSError as error:
        raise CalibrationError(f"{path} cannot be written: {error.strerror}") from None


def _text(found: CalibrationMap) -> str:
    try:
        return json.dumps(found.to_json(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise CalibrationError(
            f"the map of {printable(found.agent)!r} cannot be stored: {printable(error, 500)}"
        ) from None


def check_storable(found: CalibrationMap, registry: Registry) -> None:
    """Raise `CalibrationError` if the file of ``found`` could not be loaded again and so never be
    applied: too large, not JSON, invalid by the schema, or refused by its calibrator.
    """
    text = _text(found)
    size = len(text.encode("utf-8", "backslashreplace"))
    try:
        if size > LARGEST:
            raise UnreadableMap(f"it has {size:,} bytes, more than {LARGEST:,}; use fewer anchors")
        map_from_json(strict_json(text), registry)
    except UnreadableMap as error:
        raise CalibrationError(
            f"the map of {printable(found.agent)!r} is not written, since it could not be loaded "
            f"again: {error}"
        ) from None


def calibrator_of(found: CalibrationMap, registry: Registry) -> Calibrator:
    """Return the calibrator that fitted ``found``, with its options."""
    used = registry.get("calibrator", found.calibrator).component
    return cast(Calibrator, from_options(used, found.options))


def load_map(path: Path, registry: Registry) -> CalibrationMap:
    """Read a map. Raises `UnreadableMap` with the place and the reason; nothing is repaired."""
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise UnreadableMap(f"{path} is larger than {LARGEST:,} bytes")
        value = strict_json(body.decode("utf-8"))
    except OSError as error:
        raise UnreadableMap(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UnreadableMap(f"{path} is not UTF-8: byte {error.start}") from None
    except NotStrictJson as error:
        message = printable(error)
        raise UnreadableMap(f"{path} is not JSON, perhaps truncated: {message}") from None
    try:
        return map_from_json(value, registry)
    except UnreadableMap as error:
        raise UnreadableMap(f"{path}: {error}") from None


def map_from_json(value: Any, registry: Registry) -> CalibrationMap:
    """Build a map from its JSON, checked with ``schemas/calibration-map.schema.json``. Raises
    `UnreadableMap` for another form, and where its calibrator is not installed or cannot load it.
    """
    if not isinstance(value, Mapping) or value.get("kind") != "revkit-calibration-map":
        raise UnreadableMap("it is not a calibration map of revkit")
    if value.get("format") != FORMAT:
        version = printable(repr(value.get("format")), 40)
        raise UnreadableMap(
            f"this map has format {version}, and this revkit reads format {FORMAT}; fit it again"
        )
    problems = LineProblems()
    for problem in _problems(value):
        problems.add(None, problem)
    if problems:
        raise UnreadableMap(str(problems))
    used, scored = value["calibrator"], value["scored"]
    try:
        calibrator = cast(
            Calibrator,
            from_options(registry.get("calibrator", used["use"]).component, used["with"]),
        )
        scale = Scale(**{**value["scale"], "values": tuple(value["scale"]["values"])})
        curve = calibrator.load(value["curve"])
    except PluginError as error:
        raise UnreadableMap(f"{printable(error, 500)}; load its plugin with --plugin") from None
    except Exception as error:  # a plugin may raise anything
        raise UnreadableMap(f"{printable(error, 500)}; fit it again") from None
    return CalibrationMap(
        **{name: value[name] for name in ("agent", "fingerprint", "bank", "anchors")},
        **{name: value[name] for name in ("fitted", "expires", "about")},
        scored={name: (float(raw), float(target)) for name, (raw, target) in scored.items()},
        scale=scale,
        calibrator=used["use"],
        options=used["with"],
        curve=curve,
    )


def _problems(value: Mapping[str, Any]) -> Iterator[str]:
    """Return the problems in the layout of a map. Values that are nested too deeply are not
    visited.
    """
    if _deeper_than(value, DEEPEST):
        yield f"it is nested more than {DEEPEST} levels deep"
        return
    from jsonschema import Draft202012Validator

    from revkit.schemas import read_schema

    for error in Draft202012Validator(read_schema("calibration-map")).iter_errors(value):
        place = ".".join(str(step) for step in error.absolute_path) or "the map"
        yield f"{printable(place)}: {printable(error.message)}"
    for name in ("fitted", "expires"):
        text = value.get(name)
        if isinstance(text, str) and text and not _is_date(text):
            yield f"{name}: {printable(repr(text), 40)} is not a date (YYYY-MM-DD)"
    if not _finite(value):
        yield "a number in it is too large"
    scored, count = value.get("scored"), value.get("anchors")
    if isinstance(scored, Mapping) and isinstance(count, int) and len(scored) != count:
        yield f"anchors: {printable(count, 40)}, but it has {len(scored)}; some are missing"


def _is_date(text: str) -> bool:
    try:
        return bool(_DATE.fullmatch(text) and date.fromisoformat(text))
    except ValueError:
        return False


def _deeper_than(value: Any, levels: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list):
        return False
    return levels == 0 or any(_deeper_than(item, levels - 1) for item in value)


def _finite(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(map(_finite, value.values()))
    if isinstance(value, list):
        return all(map(_finite, value))
    if isinstance(value, int):
        return abs(value) < 1 << 1000
    return not isinstance(value, float) or math.isfinite(value)
