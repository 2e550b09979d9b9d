"""Keys and seeds: by content, never by order, place or id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit import identity
from revkit.cache import KeyBase, SeedBase
from revkit.contracts import Agent, Context
from revkit.model.paper import Labels, Paper
from revkit.model.review import Review, Scale
from revkit.model.values import Json
from revkit.registry import load_registry
from revkit.testing.toys import ToyCoin, ToyEmbedder, ToyLength, ToyLimit, ToyWords


@dataclass(frozen=True)
class Weighing(Agent):
    """Has an option that is a mapping."""

    name: ClassVar[str] = "weighing"
    version: ClassVar[str] = "1"
    scale = Scale("s", 0, 1)
    weights: Mapping[str, float] = field(default_factory=dict)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review()


@dataclass(frozen=True)
class Reading(Weighing):
    """Stands for a component that reads a file: its content is in the key, not its path."""

    name: ClassVar[str] = "reading"
    path: str = ""

    def identity(self) -> Json:
        return {"content": Path(self.path).read_text(encoding="utf-8")}


def key(component: Any, *numbers: int, **changes: Any) -> bytes:
    options: dict[str, Any] = {"record": "review", "seed": 1, "services": ()} | changes
    record = options.pop("record")
    digest = options.pop("digest", "d")
    return KeyBase.of(record, [component], **options).item(digest, *numbers)


def test_whatever_was_asked_is_in_the_key() -> None:
    keys = [
        key(ToyCoin(), 0, 0),
        key(ToyCoin(0.1), 0, 0),
        key(ToyLength(), 0, 0),
        key(ToyCoin(), 0, 1),
        key(ToyCoin(), 1, 0),
        key(ToyCoin(), 10),
        key(ToyCoin(), 1),
        key(ToyCoin(), 0, 0, seed=2),
        key(ToyCoin(), 0, 0, record="variant"),
        key(ToyCoin(), 0, 0, digest="e"),
        key(ToyCoin(), 0, 0, services=[ToyEmbedder()]),
        KeyBase.of("review", [ToyCoin(), ToyLimit()], seed=1).item("d", 0, 0),
        KeyBase.of("review", [ToyLimit(), ToyCoin()], seed=1).item("d", 0, 0),
    ]
    assert len(set(keys)) == len(keys)
    assert {len(each) for each in keys} == {32}
    assert key(ToyCoin(0.0), 0, 0) == key(ToyCoin(), 0, 0)


def test_the_order_of_options_means_nothing() -> None:
    one, two = Weighing({"a": 1.0, "b": 2.0}), Weighing({"b": 2, "a": 1})
    assert key(one) == key(two)
    assert SeedBase.of(one, 1).item("d") == SeedBase.of(two, 1).item("d")


def test_files_enter_by_their_content(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in "abc")
    one.write_text("same", encoding="utf-8")
    two.write_text("same", encoding="utf-8")
    three.write_text("other", encoding="utf-8")
    assert key(Reading(path=str(one))) == key(Reading(path=str(two)))
    assert key(Reading(path=str(one))) != key(Reading(path=str(three)))


def test_two_plugins_with_one_name_and_version_never_share_answers(tmp_path: Path) -> None:
    found = []
    for says in (0, 1):
        text = f"""
from dataclasses import dataclass
from typing import ClassVar
from revkit import Agent, Review, Scale, hookimpl

@dataclass(frozen=True)
class Same(Agent):
    '''Same.'''
    name: ClassVar[str] = "same"
    version: ClassVar[str] = "1"
    scale = Scale("s", 0, 1)
    def review(self, paper, ctx):
        return Review(score={says})

@hookimpl
def register_agents(register):
    register(Same)
"""
        path = tmp_path / f"plugin_{says}.py"
        path.write_text(text, encoding="utf-8")
        found.append(load_registry([path]).get("agent", "same").component())
    assert key(found[0]) != key(found[1])


def test_the_core_is_part_of_every_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(ToyCoin())
    monkeypatch.setattr("revkit.cache.keys.core_digest", lambda: "another core")
    assert key(ToyCoin()) != before


def test_a_room_that_answers_otherwise_changes_every_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(ToyCoin())
    monkeypatch.setattr(identity, "ROOMS", {**identity.ROOMS, "stats": "other"})
    assert key(ToyCoin()) != before


def test_seeds_follow_content_and_not_code(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = SeedBase.of(ToyCoin(), 1).item("d", 0)
    assert 0 <= seed < 2**63
    others = [
        SeedBase.of(ToyCoin(), 2).item("d", 0),
        SeedBase.of(ToyCoin(0.5), 1).item("d", 0),
        SeedBase.of(ToyCoin(), 1).item("e", 0),
        SeedBase.of(ToyCoin(), 1).item("d", 1),
        SeedBase.of(ToyWords(), 1).item("d", 0),
    ]
    assert len({seed, *others}) == 6
    monkeypatch.setattr(ToyCoin, "version", "9")
    assert SeedBase.of(ToyCoin(), 1).item("d", 0) == seed


def test_a_paper_is_known_by_what_components_see() -> None:
    one = Paper("2604.01960", "Text.", "T", Labels(accept=True), "a", ("repaired",))
    two = Paper("other", "Text.", "T")
    assert one.digest == two.digest
    assert one.blind() == two.blind()
    assert one.blind().labels == Labels()
    assert "2604" not in one.blind().id
    assert one.blind().notes == ()
    assert one.blind().blind() is one.blind() or one.blind().blind() == one.blind()
    assert Paper("other", "Text.", "U").digest != two.digest
    noted = Paper(two.digest[:16], "Text.", "T", notes=("accepted",))
    assert noted.blind().notes == ()
