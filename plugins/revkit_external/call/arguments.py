"""Report missing files that arguments name, before a call."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from revkit_external.call.placeholders import names_in
from revkit_external.digests import START, is_file, started

_RUNNER = re.compile(
    r"(?i)(?:python[\d.]*|pypy[\d.]*|bash|sh|dash|zsh|node|deno|bun|ruby|perl|php|lua|julia|rscript)"
)
_SCRIPT = re.compile(r"[^-\s][^\s]{0,400}\.[A-Za-z]{1,5}")


def missing_files(argv: Sequence[str], laid: Collection[str], option: str = "argv") -> list[str]:
    """Return the files in ``argv`` that no call can find.

    A relative name counts from the call's own folder, which is empty but for the files ``laid``
    there. Reported are the script of an interpreter, and names of files that are there where revkit
    was started.
    """
    troubles = []
    script = bool(argv) and _RUNNER.fullmatch(os.path.basename(argv[0])) is not None
    for index, text in enumerate(argv[1:], 1):
        flag = text.startswith("-")
        name = text.partition("=")[2] if flag else text
        if name and not set(names_in(name)) - {"start_dir"}:
            message = _trouble(name, laid, script=script and _SCRIPT.fullmatch(name) is not None)
            troubles += [f"{option}[{index}]: {message}"] if message else []
        script = script and flag and text not in ("-c", "-m", "-e")
    return troubles


def _trouble(name: str, laid: Collection[str], *, script: bool) -> str:
    path = Path(started(name))
    if path.is_absolute():
        return f"there is no file {name!r}" if script and not is_file(path) else ""
    plain = os.path.normpath(name)
    if plain in {os.path.normpath(each) for each in laid}:
        return ""
    there = is_file(path) and (bool(path.suffix) or os.sep in name)
    if not script and not there:
        return ""
    message = (
        f"{name!r} is searched in the folder of each call, which is new and does not contain it; "
    )
    if there:
        return message + f"write '{START}/{plain}' for the file where revkit was started"
    return message + f"name it from '{START}' on, the folder where revkit was started"


def lost_folders(path: Sequence[str], option: str = "path") -> list[str]:
    """What of ``path``, folders to import from, no call can find."""
    troubles = []
    for index, text in enumerate(path):
        if set(names_in(text)) - {"start_dir"}:
            continue
        folder = Path(started(text))
        if not folder.is_absolute():
            suggestion = START if text in (".", "./") else f"{START}/{os.path.normpath(text)}"
            troubles.append(
                f"{option}[{index}]: {text!r} is searched in the folder of each call, which is "
                f"new and empty; write '{suggestion}'"
            )
        elif not folder.is_dir():
            troubles.append(f"{option}[{index}]: there is no folder {text!r}")
    return troubles
