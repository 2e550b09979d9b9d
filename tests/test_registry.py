"""The registry: what loads, what does not, who clashes, and what version it has."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from revkit.api import load, validate
from revkit.contracts import Agent, Context, Perturbation
from revkit.errors import PluginError, SpecError
from revkit.execution.processes.children import one_off_files
from revkit.identity import package_of, version_of
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.registry import Registry, entry_of, load_registry
from revkit.testing import toys

pytestmark = pytest.mark.usefixtures("no_plugins")

AGENT = """
from dataclasses import dataclass
from typing import ClassVar
from revkit import Agent, Register, Review, Scale, hookimpl

@dataclass(frozen=True)
class Same(Agent):
    '''Says {says}.'''
    name: ClassVar[str] = "same"
    scale = Scale("s", 0, 1)
    def review(self, paper, ctx):
        return Review(score={says})
"""
HOOK = """
@hookimpl
def register_agents(register: Register) -> None:
    register(Same)
"""


def write(path: Path, text: str) -> Path:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def forget_one_offs() -> Iterator[None]:
    yield
    for name in [name for name in sys.modules if name.startswith("revkit_plugin_")]:
        del sys.modules[name]


def reason(path: Path) -> str:
    registry = load_registry([path])
    assert registry.entries == ()
    (broken,) = registry.broken
    assert broken.one_off
    assert broken.plugin == path.stem
    assert "Traceback" in broken.traceback
    assert "\n" not in broken.reason
    return broken.reason


def test_toys_load_by_module_by_file_and_by_class() -> None:
    by_module = load_registry([toys])
    by_file = load_registry([str(toys.__file__)])
    assert by_module.broken == by_file.broken == ()
    assert by_module.names("agent") == by_file.names("agent") == ["toy-coin", "toy-length"]
    assert load_registry([toys.ToyCoin]).names("agent") == ["toy-coin"]
    entry = by_module.get("corpus", "toy-papers")
    assert entry.plugin == "revkit.testing.toys"
    assert entry.summary.startswith("Papers of a few sentences")


def test_a_plugin_named_twice_loads_once(tmp_path: Path) -> None:
    path = write(tmp_path / "one.py", AGENT.format(says=1) + HOOK)
    same = tmp_path / ".." / tmp_path.name / "one.py"
    registry = load_registry([path, str(path), same, toys, toys])
    assert registry.conflicts() == []
    assert registry.get("agent", "same").plugin == "one"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("raise RuntimeError('no')", "RuntimeError: no"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import sys; sys.exit()", "SystemExit"),
        ("def f(:", "SyntaxError"),
        ("import no_such_module_at_all", "ModuleNotFoundError"),
        ("raise BaseException('odd')", "BaseException: odd"),
        ("x = 1", "a hook needs the decorator @hookimpl"),
        (AGENT.format(says=1), "a hook needs the decorator @hookimpl"),
        (AGENT.format(says=1) + HOOK.replace("agents", "agnets"), "register_agnets"),
        (AGENT.format(says=1) + HOOK.replace("register(Same)", "pass"),
         "it registers no component: register_agents must call register(...) with each class"),
        (AGENT.format(says=1) + HOOK + HOOK.replace("@hookimpl", "").replace("agents", "metrics"),
         "the hook register_metrics needs the decorator @hookimpl"),
        (AGENT.format(says=1) + HOOK.replace("register(Same)", "register(Same); register(Same)"),
         "agent 'same' is registered twice"),
        (AGENT.format(says=1) + HOOK.replace("agents", "metrics"), "is not a subclass of Metric"),
        (AGENT.format(says=1) + HOOK.replace("(register:", "(registre:"), "registre"),
        (AGENT.format(says=1) + HOOK.replace("register(Same)", "register(Same())"),
         "an instance of Same is not a subclass of Agent"),
        (AGENT.format(says=1) + HOOK.replace("register(Same)", "1 / 0"), "ZeroDivisionError"),
        (AGENT.format(says=1).replace("frozen=True", "frozen=False") + HOOK,
         "must be decorated with @dataclass(frozen=True)"),
        (AGENT.format(says=1).replace("@dataclass(frozen=True)", "") + HOOK,
         "must be decorated with @dataclass(frozen=True)"),
        (AGENT.format(says=1).replace("def review", "def revue") + HOOK, "Same lacks review"),
        (AGENT.format(says=1).replace('"same"', '"Same Thing"') + HOOK, "kebab-case"),
        (AGENT.format(says=1).replace('name: ClassVar[str] = "same"', "") + HOOK, "kebab-case"),
        (AGENT.format(says=1).replace("ClassVar[str] =", "str =") + HOOK, "must be a ClassVar"),
        (AGENT.format(says=1) + "    deterministic: bool = True\n" + HOOK, "must be a ClassVar"),
        (AGENT.format(says=1) + "    version = 2\n" + HOOK, "version must be text"),
        (AGENT.format(says=1) + "    uses = ('embeder',)\n" + HOOK, "uses must be a tuple"),
        (AGENT.format(says=1) + "    uses = 'embedder'\n" + HOOK, "uses must be a tuple"),
        (AGENT.format(says=1) + "    odd: object = None\n" + HOOK, "cannot be of type"),
        (AGENT.format(says=1) + "    odd: Nowhere = None\n" + HOOK, "Nowhere"),
    ],
)  # fmt: skip
def test_broken_plugins_are_told_and_harm_nobody(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path / "broken.py", text)
    assert expected in reason(path)
    registry = load_registry([path, toys])
    assert registry.names("agent") == ["toy-coin", "toy-length"]
    with pytest.raises(PluginError, match="plugins that failed to load: broken:"):
        registry.get("agent", "same")
    with pytest.raises(PluginError, match="the plugin broken failed to load: "):
        registry.check_one_offs()


def test_children_do_not_load_the_file_of_a_broken_plugin(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("REVKIT_API = 99\n" + AGENT.format(says=0.5) + HOOK, encoding="utf-8")
    assert load_registry([path]).broken
    assert str(path) not in one_off_files()
    path.write_text(AGENT.format(says=0.5) + HOOK, encoding="utf-8")
    assert not load_registry([path]).broken
    assert str(path) in one_off_files()


def test_a_missing_file_is_a_broken_plugin(tmp_path: Path) -> None:
    assert "does not exist" in reason(tmp_path / "none.py")
    assert "does not exist" in reason(tmp_path)


def test_ctrl_c_during_an_import_is_not_swallowed(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_registry([write(tmp_path / "slow.py", "raise KeyboardInterrupt")])


def test_expect_must_be_one_that_metrics_know() -> None:
    @dataclass(frozen=True)
    class Odd(Perturbation):
        """Odd."""

        name: ClassVar[str] = "odd"
        expect = "decrese"  # type: ignore[assignment]

        def perturb(self, paper: Paper, ctx: Context) -> Any:
            return ()

    with pytest.raises(PluginError, match="expect is 'decrese'; known: invariant"):
        entry_of("perturbation", Odd, "p")


def test_a_clash_names_both_and_plugin_name_resolves_it(tmp_path: Path) -> None:
    one = write(tmp_path / "one.py", AGENT.format(says=0) + HOOK)
    two = write(tmp_path / "two.py", AGENT.format(says=1) + HOOK)
    registry = load_registry([one, two])
    assert [[e.plugin for e in group] for group in registry.conflicts()] == [["one", "two"]]
    with pytest.raises(PluginError, match="more than one plugin; write 'one:same' or 'two:same'"):
        registry.get("agent", "same")
    assert registry.get("agent", "two:same").summary == "Says 1."
    with pytest.raises(PluginError, match="unknown agent 'three:same'"):
        registry.get("agent", "three:same")


def test_two_plugins_of_one_name_cannot_be_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = write(tmp_path / "a" / "same.py", AGENT.format(says=0) + HOOK)
    two = write(tmp_path / "b" / "same.py", AGENT.format(says=1) + HOOK)
    with pytest.raises(PluginError, match="both called 'same'; load one of them only"):
        load_registry([one, two]).get("agent", "same")


def test_an_empty_registry_knows_nothing() -> None:
    with pytest.raises(PluginError, match="unknown agent 'x'; known: none"):
        Registry().get("agent", "x")


def install(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str, str]) -> None:
    """Let the installed entry points be ``points`` alone: name, module, group."""
    found = metadata.EntryPoints(metadata.EntryPoint(*point) for point in points)
    monkeypatch.setattr(metadata, "entry_points", lambda: found)
    monkeypatch.delenv("REVKIT_PLUGINS")


def test_entry_points_load_apart_and_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tmp_path / "plugin_that_exits.py", "raise SystemExit(1)")
    monkeypatch.syspath_prepend(tmp_path)
    install(
        monkeypatch,
        ("bad", "plugin_that_exits", "revkit"),
        ("toys", "revkit.testing.toys", "revkit"),
        ("other", "revkit.testing.toys", "pytest11"),
    )
    registry = load_registry()
    assert registry.names("agent") == ["toy-coin", "toy-length"]
    assert [(each.plugin, each.one_off) for each in registry.broken] == [("bad", False)]
    registry.check_one_offs()
    monkeypatch.setenv("REVKIT_PLUGINS", " toys , other")
    assert load_registry().broken == ()
    monkeypatch.setenv("REVKIT_PLUGINS", "none")
    assert load_registry() == Registry()


@pytest.mark.parametrize(
    "group", ["revkitten", "revkit_lab.readers", "revkit_lab", "revkit-lab.agents"]
)
def test_a_group_of_another_project_is_not_read(
    monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    install(monkeypatch, ("toys", "revkit.testing.toys", group))
    assert load_registry() == Registry()


@pytest.mark.parametrize(
    "group",
    ["revkit.agents", "revkit-metric", "Revkit", "rev-kit.plugins", "revkit_plugins", "revkits"],
)
def test_an_entry_point_in_a_group_that_is_not_loaded_is_a_broken_plugin(
    monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    install(monkeypatch, ("toys", "revkit.testing.toys", group))
    registry = load_registry()
    [broken] = registry.broken
    assert (broken.plugin, registry.entries) == ("toys", ())
    assert f"the group {group!r}, which revkit does not load" in broken.reason
    with pytest.raises(PluginError, match=r"move it to \[project.entry-points.revkit\]"):
        registry.get("agent", "toy-coin")
    install_again = ("toys", "revkit.testing.toys", "revkit")
    monkeypatch.setenv("REVKIT_PLUGINS", "")
    install(monkeypatch, ("toys", "revkit.testing.toys", group), install_again)
    assert load_registry().broken == ()


def test_versions_follow_the_source(tmp_path: Path) -> None:
    versions = set()
    for says in (0, 1):
        path = write(tmp_path / f"v{says}.py", AGENT.format(says=says) + HOOK)
        component = load_registry([path]).get("agent", "same").component
        versions.add(version_of(component))
    assert len(versions) == 2
    copy = write(tmp_path / "copy.py", AGENT.format(says=1) + HOOK)
    moved = load_registry([copy]).get("agent", "same").component
    assert version_of(moved) == package_of(moved) != "copy"


def test_a_version_covers_the_classes_that_a_component_derives_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    found = []
    for says in (0, 1):
        write(tmp_path / f"base_{says}.py", AGENT.format(says=says) + HOOK)
        child = f"""
        from dataclasses import dataclass
        from revkit import Register, hookimpl
        import base_{says} as base

        @dataclass(frozen=True)
        class Same(base.Same):
            '''Derived.'''
        """
        path = write(tmp_path / f"child_{says}.py", textwrap.dedent(child) + HOOK)
        found.append(load_registry([path]).get("agent", "same").component)
    plain = load_registry([tmp_path / "base_0.py"]).get("agent", "same").component
    assert len({version_of(component) for component in (*found, plain)}) == 3


@dataclass(frozen=True)
class Versioned(Agent):
    """Has a version of its own."""

    name: ClassVar[str] = "versioned"
    version: ClassVar[str] = "4"
    scale = Scale("s", 0, 1)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review()


def test_an_own_version_stands() -> None:
    assert version_of(Versioned) == "4"


def test_a_class_without_a_file_is_new_in_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("typed_by_hand")
    monkeypatch.setitem(sys.modules, "typed_by_hand", module)
    exec(AGENT.format(says=1), module.__dict__)
    assert version_of(module.__dict__["Same"]).startswith("session-")


PLACED = """
from revkit import Register, hookimpl

@hookimpl
def register_agents(register: Register) -> None:
    register("{name} = {place}")
"""


def placed(tmp_path: Path, name: str, place: str) -> Registry:
    return load_registry([write(tmp_path / "placed.py", PLACED.format(name=name, place=place))])


def test_a_component_by_its_place_is_imported_when_it_is_used(tmp_path: Path) -> None:
    registry = placed(tmp_path, "toy-coin", "revkit.testing.toys:ToyCoin")
    entry = registry.get("agent", "toy-coin")
    assert "component" not in vars(entry)
    assert entry.component is toys.ToyCoin
    assert entry.summary.startswith("Draws each score")


def test_a_place_and_its_class_are_one_component(tmp_path: Path) -> None:
    file = write(
        tmp_path / "placed.py",
        PLACED.format(name="toy-coin", place="revkit.testing.toys:ToyCoin"),
    )
    assert load_registry([file, toys]).conflicts() == []
    assert load_registry([toys, file]).conflicts() == []


@pytest.mark.parametrize(
    ("name", "place", "told"),
    [
        ("gone", "revkit.testing.nowhere:Gone", "No module named"),
        ("gone", "revkit.testing.toys:Gone", "has no attribute"),
        ("toy-dice", "revkit.testing.toys:ToyCoin", "is called 'toy-coin'"),
        ("toy-papers", "revkit.testing.toys:ToyPapers", "is not a subclass of Agent"),
    ],
)
def test_a_place_that_holds_no_such_component(
    tmp_path: Path, name: str, place: str, told: str
) -> None:
    registry = placed(tmp_path, name, place)
    assert registry.broken == ()
    with pytest.raises(PluginError, match=told):
        _ = registry.get("agent", name).component


@pytest.mark.parametrize(
    "text", ["toy-coin", "Toy = a:B", "toy = a.b", "toy = a:b:c", "toy = ../a:B"]
)
def test_a_text_that_is_no_place(tmp_path: Path, text: str) -> None:
    name, _, place = text.partition(" = ")
    registry = placed(tmp_path, name, place)
    (broken,) = registry.broken
    assert "should be 'name = package.module:Class'" in broken.reason


def test_one_place_that_is_gone_takes_nothing_else_with_it(tmp_path: Path) -> None:
    from revkit.spec import load_experiment
    from revkit.spec.compose import composed_schema

    file = write(
        tmp_path / "placed.py", PLACED.format(name="gone", place="revkit.testing.nowhere:Gone")
    )
    registry = load_registry([file, toys])
    schema = composed_schema(registry)
    first, *_ = (row for row in schema["$defs"]["agent"]["anyOf"] if row.get("const") == "gone")
    assert first["description"].startswith("failed to load: agent 'gone' of placed: ")
    spec = {"revkit": 1, "corpus": "toy-papers", "agents": {"a": "toy-coin"}}
    assert load_experiment(spec, registry).agents
    with pytest.raises(SpecError, match=r"agents\.a: agent 'gone' of placed: ModuleNotFound"):
        load_experiment({**spec, "agents": {"a": "gone"}}, registry)


HELPED = """
from dataclasses import dataclass
from typing import ClassVar
from revkit import Agent, Review, Scale, hookimpl
from {helper} import WORD

@dataclass(frozen=True)
class Same(Agent):
    '''Says one word.'''
    name: ClassVar[str] = "same"
    scale = Scale("s", 0, 1)
    def review(self, paper, ctx):
        return Review(score=1, text=WORD)

@hookimpl
def register_agents(register):
    register(Same)
"""


def test_what_a_one_off_imports_beside_it_is_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = []
    monkeypatch.syspath_prepend(str(tmp_path))
    for number, word in enumerate(("may", "might", "may")):
        helper = f"helper_{tmp_path.name.replace('-', '_')}"
        folder = tmp_path / str(number)
        folder.mkdir()
        write(tmp_path / f"{helper}.py", f"import {helper}_deep\nWORD = {helper}_deep.WORD\n")
        write(tmp_path / f"{helper}_deep.py", f"WORD = {word!r}\n")
        file = write(folder / "one.py", HELPED.format(helper=helper))
        for name in [name for name in sys.modules if name.startswith("helper_")]:
            del sys.modules[name]
        (entry,) = load_registry([file]).entries
        versions.append(version_of(entry.component))
    assert versions[0] == versions[2] != versions[1]


def test_a_loaded_experiment_needs_no_plugin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = {"revkit": 1, "corpus": "toy-papers", "agents": {"a": "toy-coin"}}
    experiment = validate({**spec, "metrics": ["toy-flips"]}, plugins=[toys])

    def refused(*_: object) -> Registry:
        raise AssertionError("plugins are loaded")

    monkeypatch.setattr("revkit.api.specs.load_registry", refused)
    assert validate(experiment) is experiment
    assert load(experiment, limit=3).limit == 3
    with pytest.raises(AssertionError, match="plugins are loaded"):
        validate(experiment, plugins=[toys])


def test_a_plugin_that_fails_leaves_no_hook_for_the_next(tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong.py", AGENT.format(says=1) + HOOK + "REVKIT_API = 99\n")
    right = write(tmp_path / "right.py", AGENT.format(says=0) + HOOK)
    registry = load_registry([wrong, right])
    assert [broken.plugin for broken in registry.broken] == ["wrong"]
    [entry] = registry.of_kind("agent")
    assert entry.plugin == "right"
