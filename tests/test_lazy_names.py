"""Names of packages that are loaded when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOMS = ("api", "cache", "calibration", "execution", "http", "papers", "runs", "venues")


def test_a_name_loads_its_module_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "some_room"
    room.mkdir()
    table = '{"left": "one two", "right": "three"}'
    (room / "__init__.py").write_text(
        f"from revkit.lazy_names import lazy_names\n__getattr__ = lazy_names(__name__, {table})\n",
        encoding="utf-8",
    )
    (room / "left.py").write_text("one, two = 1, 2\n", encoding="utf-8")
    (room / "right.py").write_text("three = 3\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = importlib.import_module("some_room")
    assert {"one", "two", "three", "lazy_names"} <= set(dir(found))
    assert "some_room.left" not in sys.modules
    assert found.two == 2
    assert vars(found)["two"] == 2  # the second use asks nobody
    assert "some_room.left" in sys.modules
    assert "some_room.right" not in sys.modules
    del found.left
    assert found.right.three == 3
    assert found.left.two == 2
    with pytest.raises(AttributeError, match="module 'some_room' has no attribute 'four'"):
        _ = found.four


@pytest.mark.parametrize("name", ROOMS)
def test_no_name_of_a_room_is_hidden_by_a_module(name: str) -> None:
    """An imported module becomes an attribute of its package, in place of what is lazy there."""
    room = importlib.import_module(f"revkit.{name}")
    for module in pkgutil.iter_modules(room.__path__):
        importlib.import_module(f"revkit.{name}.{module.name}")
    hidden = [each for each in room.__all__ if isinstance(getattr(room, each), ModuleType)]
    assert hidden == []
