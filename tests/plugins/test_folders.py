"""A plugin folder is named wherever pyproject.toml lists plugins."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(path.parent.name for path in (ROOT / "plugins").glob("*/__init__.py"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINTER = PROJECT["tool"]["importlinter"]
CONTRACTS = {each["name"]: each for each in LINTER["contracts"]}
LISTS: dict[str, list[str]] = {
    "the entry points": list(PROJECT["project"]["entry-points"]["revkit"].values()),
    "root_packages of import-linter": [
        each for each in LINTER["root_packages"] if each != "revkit"
    ],
    "The core knows no plugin": CONTRACTS["The core knows no plugin"]["forbidden_modules"],
    "Plugins do not know one another": CONTRACTS["Plugins do not know one another"]["modules"],
    "Plugins use the public rooms only": CONTRACTS["Plugins use the public rooms only"][
        "source_modules"
    ],
}


@pytest.mark.parametrize("name", LISTS)
def test_the_lists_of_plugins_are_the_folders(name: str) -> None:
    assert sorted(LISTS[name]) == FOLDERS, f"{name} in pyproject.toml"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_plugin_tells_type_checkers_that_it_has_types(folder: str) -> None:
    assert (ROOT / "plugins" / folder / "py.typed").is_file()
