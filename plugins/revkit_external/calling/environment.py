"""What a reviewer's process sees of the environment: an allow-list, and its own home."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from revkit.http import SHORTEST, looks_secret
from revkit_external.calling.placeholders import (
    fill,
    fill_all,
    names_in_all,
    secrets_in,
    texts_in,
)
from revkit_external.grammar import Place

# Without PYTHONDONTWRITEBYTECODE, a module edited within a second of a call is not read again where
# its size stayed the same, and the folders of the user's own code fill up.
FIXED = {
    "PYTHONUTF8": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "NO_COLOR": "1",
}


def check_env(env: Mapping[str, Any], place: Place) -> None:
    """Add a problem for each name that no environment variable can have."""
    for name in env:
        if not name or "=" in name or "\0" in name:
            (place / name).wrong("cannot be the name of an environment variable")


def environment(
    env: Mapping[str, Any], passed: Iterable[str], home: str, values: Mapping[str, str]
) -> dict[str, str]:
    """The whole environment of a call: the fixed part, what is passed on, what is set."""
    made = {**FIXED, "HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": f"{home}/.cache"}
    made |= {name: os.environ[name] for name in passed if name in os.environ}
    made |= fill_all(dict(env), lambda text: fill(text, values))
    return {name: text.replace("\0", "") for name, text in made.items()}


def of_one_call(env: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of ``env`` that differ from call to call, by their placeholders."""
    return {name: value for name, value in env.items() if set(names_in_all(value)) - {"start_dir"}}


def secret_values(value: Any, passed: Iterable[str], named: Iterable[str]) -> list[str]:
    """All values to be masked: of the secrets that ``value`` asks for, those ``named``, and those
    among the variables passed on or set whose names say that they hold one."""
    names = {name for text in texts_in(value) for name in secrets_in(text)} | set(named)
    names |= {name for name in passed if looks_secret(name)}
    found = [os.environ[name] for name in sorted(names) if name in os.environ]
    if isinstance(value, Mapping):
        found += [
            text
            for name, text in value.items()
            if isinstance(text, str) and looks_secret(str(name)) and not secrets_in(text)
        ]
    return [text for text in found if len(text) >= SHORTEST]
