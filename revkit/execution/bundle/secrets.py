"""Search the content of a bundle for secrets, so that none leaves with it."""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from revkit.errors import RunError
from revkit.options import options_of
from revkit.spec import Experiment

_SHORTEST = 6
# Of a variable that no spec names, only its name says that it may hold a key.
_SHORTEST_UNNAMED = 16
_LOOKS_SECRET = re.compile(r"(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_KEY_ID)\Z")


def refuse_secrets(experiment: Experiment, paths: Iterable[Path]) -> None:
    """Raise `RunError`, with the variable's name and not its value, if a file in ``paths`` contains
    the value of an environment variable that the experiment names as a secret, or whose name
    indicates a secret.
    """
    secrets = dict(_secrets(experiment))
    for path in paths:
        if path.stat().st_size == 0:
            continue
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body,
        ):
            for name, value in secrets.items():
                if any(body.find(form) >= 0 for form in _forms(value)):
                    raise RunError(
                        f"not exported: the value of the environment variable {name} is in "
                        f"{path.name}; find out which answer or option contains it, and "
                        "change the key"
                    )


def _secrets(experiment: Experiment) -> Iterator[tuple[str, str]]:
    named = set(names_of_secrets(experiment))
    for name, value in sorted(os.environ.items()):
        shortest = _SHORTEST if name in named else _SHORTEST_UNNAMED
        if len(value.strip()) >= shortest and (name in named or _LOOKS_SECRET.search(name.upper())):
            yield name, value.strip()


def names_of_secrets(experiment: Experiment) -> Iterator[str]:
    """Return the environment variables that the experiment names as secrets: ``api-key-env`` of
    models, ``secrets`` and ``api-key-env`` of components.
    """
    for settings in (experiment.llm.default, *experiment.llm.models.values()):
        if settings.api_key_env:
            yield settings.api_key_env
    for _, component in experiment.components():
        options = options_of(component)
        for key in ("secrets", "api-key-env"):
            value = options.get(key)
            names = value if isinstance(value, list) else [value]
            yield from (name for name in names if isinstance(name, str) and name)


def _forms(value: str) -> set[bytes]:
    """Return the forms that masks recognise, and those of JSON within JSON."""
    # A replay imports this module and needs no network.
    from revkit.http.secret_mask import forms_of_secret

    texts = set(forms_of_secret(value))
    texts |= {json.dumps(text, ensure_ascii=False)[1:-1] for text in texts}
    return {text.encode("utf-8", "surrogateescape") for text in texts}
