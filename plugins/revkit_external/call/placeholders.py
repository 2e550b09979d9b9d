"""Placeholders: names in braces, filled in one pass, so that inserted text is never interpreted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from revkit.http import read_secret
from revkit_external.grammar import Place

FORMATS = ("md", "txt", "tex", "pdf", "docx")
NAMES = (
    *(f"paper_{format}" for format in FORMATS),
    "paper_text",
    "paper_id",
    "title",
    "in_dir",
    "out_dir",
    "work_dir",
    "start_dir",
    "seed",
    "question",
    "materials_file",
    "criterion",
    "criterion_question",
    "criterion_file",
    "output",
)
_PART_OF_A_NAME = 5  # letters: "{paper}" is meant as one of the placeholders that begin with it
_FOUND = re.compile(r"\{(secret:)?([A-Za-z_][A-Za-z0-9_]{0,63})\}")


def names_in(text: str) -> list[str]:
    """Return the known placeholders in ``text``; other braces do not count."""
    return [found[2] for found in _FOUND.finditer(text) if not found[1] and found[2] in NAMES]


def names_in_all(value: Any) -> list[str]:
    """Return the placeholders in all strings of a JSON value, each once."""
    return list(dict.fromkeys(name for text in texts_in(value) for name in names_in(text)))


def secrets_in(text: str) -> list[str]:
    """Return the names of the secrets in ``text``."""
    return [found[2] for found in _FOUND.finditer(text) if found[1]]


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace ``{name}`` if ``values`` has the name, and ``{secret:NAME}``; leave other braces.

    Inserted text is not searched again: "{title}" in a paper stays.
    """

    def value_of(found: re.Match[str]) -> str:
        if found[1]:
            return read_secret(found[2])
        return values.get(found[2], found[0])

    return _FOUND.sub(value_of, text)


def fill_all(value: Any, change: Callable[[str], str]) -> Any:
    """Apply ``change`` to every string in a JSON value, and read ``{secret: NAME}`` as a string."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        if is_secret(value):
            return change(f"{{secret:{value['secret']}}}")
        return {key: fill_all(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [fill_all(item, change) for item in value]
    return value


def texts_in(value: Any) -> Iterator[str]:
    """Return every string in a JSON value; ``{secret: NAME}`` becomes ``{secret:NAME}``."""
    if isinstance(value, str):
        yield value
    elif is_secret(value):
        yield f"{{secret:{value['secret']}}}"
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)


def is_secret(value: object) -> bool:
    """Return whether ``value`` is ``{secret: NAME}``."""
    return (
        isinstance(value, Mapping)
        and set(value) == {"secret"}
        and isinstance(value["secret"], str)
        and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", value["secret"]) is not None
    )


def check_placeholders(value: Any, place: Place, *, extra: tuple[str, ...] = ()) -> None:
    """Report names in braces that resemble a placeholder and may be misspelt."""
    known = (*NAMES, *extra)
    for text in texts_in(value):
        for found in _FOUND.finditer(text):
            if found[1] or found[2] in known:
                continue
            near = get_close_matches(found[2], known, n=1, cutoff=0.8)
            if len(found[2]) >= _PART_OF_A_NAME:
                near += [name for name in known if name.startswith(f"{found[2]}_")]
            if near:
                place.wrong(f"{found[0]} is not a placeholder; did you mean {{{near[0]}}}?")
