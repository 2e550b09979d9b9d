"""Whoever changes code on which answers rest decides whether its reviewed version rises."""

from __future__ import annotations

import json

import pytest

from revkit.identity import ROOMS
from tests.compat.stamp import FILE, NO_ANSWERS, Stamp, rooms, stamp_now

REMEDY = (
    "raise the version (`version` of the component, or its room in revkit.identity.ROOMS) where "
    "answers change; then, or where no answer changes, renew the stamp: "
    "python tests/compat/stamp.py"
)


def differences(old: Stamp, new: Stamp) -> list[str]:
    """One line for each name whose code or version is not as it was stamped."""
    lines = []
    for name in sorted({*old, *new}):
        before, now = old.get(name), new.get(name)
        if before is None or now is None:
            lines.append(f"{name}: {'new' if before is None else 'gone'}")
        elif before != now:
            what = "other code" if before["version"] == now["version"] else "other version"
            lines.append(f"{name}: {what}, version {now['version']}")
    return lines


def test_code_that_decides_answers_is_as_it_was_reviewed() -> None:
    if not FILE.is_file():
        pytest.skip("no stamp: python tests/compat/stamp.py writes one")
    problems = differences(json.loads(FILE.read_text(encoding="utf-8")), stamp_now())
    assert not problems, "\n".join([*problems, REMEDY])


def test_every_room_of_the_core_decides_answers_or_not() -> None:
    if not FILE.is_file():
        pytest.skip("no stamp: python tests/compat/stamp.py writes one")
    deciding = {room.partition(".")[0] for room in ROOMS}
    assert rooms() == deciding | NO_ANSWERS
    assert deciding & NO_ANSWERS == {"execution"}  # of which `work` alone calls components


def test_differences_name_what_to_review() -> None:
    old = {"a": {"version": "1", "code": "x"}, "b": {"version": "1", "code": "x"}}
    assert differences(old, old) == []
    new = {"a": {"version": "1", "code": "y"}, "c": {"version": "1", "code": "x"}}
    assert differences(old, new) == ["a: other code, version 1", "b: gone", "c: new"]
    assert differences({"a": old["a"]}, {"a": {"version": "2", "code": "y"}}) == [
        "a: other version, version 2"
    ]
