"""The environment of a reviewer's process: a list of allowed variables, and a separate home
folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from revkit.http import SHORTEST, looks_secret
from revkit_external.call.placeholders import (
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
    """Add a problem for each name that is not valid for an environment variable."""
    for name in env:
        if not name or "=" in name or "\0" in name:
            (place / name).wrong("cannot be the name of an environment variable")


def environment(
    env: Mapping[str, Any], passed: Iterable[str], home: str, values: Mapping[str, str]
) -> dict[str, str]:
    """Return the environment of a call: fixed variables, passed variables, and those that ``env``
    sets.
    """
    made = {**FIXED, "HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": f"{home}/.cache"}
    made |= {name: os.environ[name] for name in passed if name in os.environ}
    made |= fill_all(dict(env), lambda text: fill(text, values))
    return {name: text.replace("\0", "") for name, text in made.items()}


def of_one_call(env: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of ``env`` whose placeholders differ from call to call."""
    return {name: value for name, value in env.items() if set(names_in_all(value)) - {"start_dir"}}


def secret_values(value: Any, passed: Iterable[str], named: Iterable[str]) -> list[str]:
    """Return all values to be masked: the secrets that ``value`` refers to, those ``named``, and
    those of passed or set variables whose names indicate a secret.
    """
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
