"""The origin of a run's numbers: versions, commit, platform, seeds."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata

import revkit
from revkit.contracts import Component
from revkit.identity import core_digest, data_digest, identity_of, kind_of, version_of
from revkit.model.values import Json, canonical_json, digest_of
from revkit.options import options_of

_LONGEST_CONTENT = 20_000
_PACKAGES = (
    "click",
    "jinja2",
    "jsonschema",
    "lemminflect",
    "litellm",
    "matplotlib",
    "numpy",
    "pluggy",
    "pyyaml",
    "rich",
    "scipy",
    "sentence-transformers",
    "torch",
    "transformers",
)


_VERSION = re.compile(r"^Version: *(\S+)$", re.MULTILINE)


def package_versions() -> dict[str, str]:
    """Return the versions of revkit and of the packages on which it depends; "" if one is not
    installed.
    """
    return dict(_package_versions())


@cache
def _package_versions() -> Mapping[str, str]:
    found = {"python": platform.python_version(), "revkit": revkit.__version__}
    for name in _PACKAGES:
        try:
            found[name] = _version(metadata.distribution(name))
        except metadata.PackageNotFoundError:
            found[name] = ""
    return found


def _version(package: metadata.Distribution) -> str:
    """Return the version of ``package``, from its line where there is one: to parse all metadata
    takes five times as long as the rest of this.
    """
    stated = _VERSION.search(package.read_text("METADATA") or "")
    return stated[1] if stated else package.version


def component_versions(components: Iterable[tuple[str, Component]]) -> list[Json]:
    """Return each component of an experiment with its version and the digest of its data files."""
    return [
        {
            "path": path,
            "kind": kind_of(component),
            "name": component.name,
            "module": type(component).__module__,
            "version": version_of(type(component)),
            "data": data_digest(type(component)),
        }
        for path, component in components
    ]


def component_contents(components: Iterable[tuple[str, Component]]) -> dict[str, Json]:
    """Return, by path in the spec, what identifies components beyond their options: digests of
    files and prompts, versions of programs. A content of more than 20,000 characters is its digest.

    Corpora are left out: their papers are on record one by one. Raises `PluginError` where a
    component cannot state its identity.
    """
    found: dict[str, Json] = {}
    for path, component in components:
        if kind_of(component) == "corpus":
            continue
        content = _beyond_options(component)
        if content:
            long = len(canonical_json(content)) > _LONGEST_CONTENT
            found[path] = digest_of(content) if long else content
    return found


def _beyond_options(component: Component) -> Json:
    identity, options = identity_of(component)["options"], options_of(component)
    if not isinstance(identity, Mapping):
        return identity
    return {
        key: value for key, value in identity.items() if key not in options or options[key] != value
    }


def git_state() -> Json:
    """Return the commit of the working directory and whether it has changes; None outside a
    checkout.
    """
    try:
        commit = _git("rev-parse", "HEAD")
        return {"commit": commit, "changed": bool(_git("status", "--porcelain"))}
    except (OSError, subprocess.SubprocessError):
        return None


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], capture_output=True, text=True, timeout=10, check=True
    )
    return done.stdout.strip()


def provenance(
    components: Iterable[tuple[str, Component]], seed: int, timing: dict[str, Json]
) -> dict[str, Json]:
    """Return all facts about the software, machine and settings of a run."""
    return {
        "packages": dict(package_versions()),
        "core": core_digest(),
        "components": component_versions(components),
        "git": git_state(),
        "platform": {
            "system": platform.platform(),
            "machine": platform.machine(),
            "processors": _processors(),
        },
        "arguments": list(sys.argv),
        "seed": seed,
        "timing": timing,
    }


def _processors() -> int:
    import os

    return os.cpu_count() or 0
