"""The version of a reviewing program, on which the key of a stored review depends.

Listed are: the content of every file that an option names by an absolute path or by one under
``{start_dir}``; of Python code also the files that it imports from its own folder, from a folder of
``path`` or PYTHONPATH, or from the source of an editable installation; the distributions that such
code imports, with their versions; and the version of ``package``.

Not listed are: imports under names that the code builds at run time; files that a program finds
without an option (if an option or an environment variable names them, they are listed); programs
that a script in another language calls; imports of an installed package; a program found on the
PATH without ``package``; the interpreter; a model behind an address.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from revkit.model.values import Json
from revkit_external.call.placeholders import texts_in
from revkit_external.digests import files_named, started
from revkit_external.modules import code_identity, is_python
from revkit_external.packages import package_version


def program_identity(
    argv: Sequence[str],
    program: str,
    package: str,
    texts: Iterable[str],
    python_path: Any,
    digest: Callable[[Path], Json],
) -> dict[str, Json]:
    """Return the identity of ``program``, to which the first item of ``argv`` resolves, and of the
    files that the other arguments and ``texts`` name. ``digest`` returns the digest of a file, or
    None to leave it out.
    """
    named = files_named([*argv[1:], *texts])
    own = [Path(program)] if os.sep in argv[0] and not package else []
    scripts = [path for path in [*own, *named] if is_python(path)]
    modules = [name for flag, name in pairwise(argv) if flag == "-m"]
    folders = [*dict.fromkeys(path.resolve().parent for path in scripts), *folders_of(python_path)]
    code = code_identity(modules, scripts, folders, program)
    return {
        "package": [package, package_version(program, package)] if package else [],
        "named": digests([*own, *named], digest),
        "files": code["files"],
        "installed": code["installed"],
    }


def digests(paths: Iterable[Path], digest: Callable[[Path], Json]) -> list[Json]:
    """Return name and digest of each file, without files whose digest is None."""
    each = [(path.name, digest(path)) for path in paths]
    return [[name, value] for name, value in each if value is not None]


def folders_of(python_path: Any) -> list[Path]:
    """Return the folders in a PYTHONPATH that are the same in each call."""
    texts = python_path.split(os.pathsep) if isinstance(python_path, str) else []
    return import_folders(texts)


def import_folders(path: Iterable[str]) -> list[Path]:
    """Return the folders of ``path`` that are absolute or under ``{start_dir}``."""
    folders = [Path(started(text)) for text in path]
    return [folder for folder in folders if folder.is_absolute() and folder.is_dir()]


def modules_in(value: Any) -> list[str]:
    """Return the modules that ``{call: NAME}`` and ``{attr: NAME}`` name anywhere in arguments."""
    if isinstance(value, dict):
        own = [value[key] for key in ("call", "attr") if isinstance(value.get(key), str)]
        inner = [name for item in value.values() for name in modules_in(item)]
        return [name.partition(":")[0] for name in own if ":" in name] + inner
    if isinstance(value, list | tuple):
        return [name for item in value for name in modules_in(item)]
    return []


def named_texts(*values: Any) -> list[str]:
    """Return every string in the values of options."""
    return [text for value in values for text in texts_in(value)]


def no_package(package: str, program: str) -> str:
    """Return the problem of a ``package`` whose version is not found."""
    return (
        f"no version of package {package!r} was found in the environment of {program}, so a new "
        "version would not be noticed; correct the name, or leave 'package' out"
    )
