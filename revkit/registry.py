"""Registry: installed components, their plugins, and broken plugins.

Each plugin is loaded in its own ``try``, and registers all of its components or none. Broken ones
are recorded: `revkit plugins` lists them, and so does the error for a name that is not found.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast, get_args

from revkit.contracts import KINDS, Component, Perturbation, ServiceName
from revkit.dataclass import dataclass
from revkit.errors import (
    PluginError,
    RevkitError,
    UnknownComponent,
    describe_error,
    message_of,
    near_names,
    with_article,
)
from revkit.identity import ONE_OFF, data_files, kind_of_class
from revkit.model.records import Expectation
from revkit.options import schema_of, unknown_name

if TYPE_CHECKING:
    from pluggy import PluginManager

GROUP = "revkit"
_SEPARATORS = re.compile(r"[-_. ]")
_SLIPS = frozenset(
    f"{GROUP}{word}"
    for word in (
        *("", "s", "plugin", "plugins", "component", "components", "entrypoint", "entrypoints"),
        *KINDS,
        *(kind.plural for kind in KINDS.values()),
    )
)
_REMEDY = "`revkit plugins` describes them; --plugin FILE loads the components of a Python file"
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


@dataclass(frozen=True)
class Entry:
    """One registered component: its kind, its name, and its plugin.

    ``given`` is its class, or the place of its class ("package.module:Class"), which is imported
    when the component is first used.
    """

    kind: str
    name: str
    given: type[Component] | str
    plugin: str
    distribution: str = ""

    @cached_property
    def component(self) -> type[Component]:
        """Return the class. Raises `PluginError` if it cannot be imported or is not a component."""
        if not isinstance(self.given, str):
            return self.given
        module, _, qualname = self.given.partition(":")
        try:
            component: Any = importlib.import_module(module)
            for part in qualname.split("."):
                component = getattr(component, part)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # a plugin may raise anything, SystemExit included
            message = describe_error(error).splitlines()[0]
            raise PluginError(f"{self.kind} {self.name!r} of {self.plugin}: {message}") from error
        try:
            found = entry_of(self.kind, component, self.plugin).name
        except PluginError as error:
            raise PluginError(
                f"{self.kind} {self.name!r} of {self.plugin}: {self.given}: {message_of(error)}"
            ) from error
        if found != self.name:
            raise PluginError(
                f"{self.kind} {self.name!r} of {self.plugin}: {self.given} is called {found!r}"
            )
        return cast("type[Component]", component)

    @property
    def mark(self) -> object:
        """Return what two entries of one component share: the location of its class, or the
        class.
        """
        if isinstance(self.given, str):
            return self.given
        place = f"{self.given.__module__}:{self.given.__qualname__}"
        module = sys.modules.get(self.given.__module__)
        attribute = getattr(module, self.given.__qualname__, None)
        return place if attribute is self.given else self.given

    @property
    def summary(self) -> str:
        """The first sentence of the component's docstring."""
        return first_sentence(self.component)


def first_sentence(component: type[Component]) -> str:
    """Return the first paragraph of a component's docstring as one line, which is one sentence."""
    return (inspect.getdoc(component) or "").split("\n\n")[0].replace("\n", " ")


@dataclass(frozen=True)
class BrokenPlugin:
    """A plugin that failed to load: its name, the reason in one line, and the traceback.

    ``one_off`` marks one given by path, module or class.
    """

    plugin: str
    reason: str
    traceback: str = ""
    distribution: str = ""
    one_off: bool = False


@dataclass(frozen=True)
class Registry:
    """All components, as a value: each load returns a new registry, and there is no global one."""

    entries: tuple[Entry, ...] = ()
    broken: tuple[BrokenPlugin, ...] = ()

    def names(self, kind: str) -> list[str]:
        """Return the names of one kind, sorted."""
        return sorted({entry.name for entry in self.entries if entry.kind == kind})

    def of_kind(self, kind: str) -> list[Entry]:
        """Return the entries of one kind, sorted by name and plugin."""
        found = [entry for entry in self.entries if entry.kind == kind]
        return sorted(found, key=lambda entry: (entry.name, entry.plugin))

    def check_one_offs(self) -> None:
        """Raise `PluginError` if a one-off plugin failed to load."""
        reasons = [
            f"the plugin {each.plugin} failed to load: {each.reason}"
            for each in self.broken
            if each.one_off
        ]
        if reasons:
            raise PluginError("; ".join(reasons))

    def conflicts(self) -> list[tuple[Entry, ...]]:
        """Return entries that share a kind and a name; each needs ``plugin:name`` to be used."""
        groups: dict[tuple[str, str], list[Entry]] = {}
        for entry in sorted(self.entries, key=lambda entry: entry.plugin):
            groups.setdefault((entry.kind, entry.name), []).append(entry)
        return [tuple(group) for _, group in sorted(groups.items()) if len(group) > 1]

    def get(self, kind: str, reference: str) -> Entry:
        """Return the component of ``kind`` called ``name`` or ``plugin:name``.

        Raises `PluginError` with the nearest names, both plugins of a clash, and broken plugins.
        """
        plugin, _, name = reference.rpartition(":")
        found = [
            entry
            for entry in self.entries
            if entry.kind == kind and entry.name == name and plugin in ("", entry.plugin)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            ways = sorted({f"{entry.plugin}:{name}" for entry in found})
            if len(ways) < len(found):
                raise PluginError(
                    f"{kind} {name!r} is registered by two plugins that are both called "
                    f"{found[0].plugin!r}; load one of them only"
                )
            raise PluginError(
                f"{kind} {name!r} is registered by more than one plugin; write "
                + " or ".join(map(repr, ways))
            )
        others = sorted({entry.kind for entry in self.entries if entry.name == name} - {kind})
        if others:
            raise PluginError(
                f"{name!r} is {' and '.join(map(with_article, others))}, "
                f"not {with_article(kind)}; list the names of each kind with `revkit plugins`"
            )
        text = unknown_name(kind, reference, self.names(kind), _REMEDY)
        listed = not near_names(reference, self.names(kind))
        brief = f"unknown {kind} {reference!r}; the known names are listed above" if listed else ""
        if self.broken:
            reasons = "; ".join(f"{broken.plugin}: {broken.reason}" for broken in self.broken)
            text += f" (plugins that failed to load: {reasons})"
        raise UnknownComponent(text, brief)


def load_registry(plugins: Iterable[str | Path | ModuleType | type[Component]] = ()) -> Registry:
    """Load every plugin of the entry-point group ``revkit``, and the one-off ``plugins``.

    A one-off plugin is the path of a Python file, a module with hooks, or a component class. The
    environment variable ``REVKIT_PLUGINS`` (names, comma-separated) limits which entry points load.
    """
    chosen = os.environ.get("REVKIT_PLUGINS")
    names = None if chosen is None else {name.strip() for name in chosen.split(",")}
    entries: list[Entry] = []
    broken: list[BrokenPlugin] = []
    manager = _plugin_manager()
    distributions: dict[metadata.Distribution | None, str] = {}
    for point in _plugin_points():
        if names is not None and point.name not in names:
            continue
        if point.dist not in distributions:  # its name is read from a file each time
            distributions[point.dist] = point.dist.name if point.dist else ""
        load = point.load if point.group == GROUP else partial(_refuse_group, point.group)
        _load(manager, point.name, load, distributions[point.dist], entries, broken)
    for plugin in _distinct(plugins):
        name, load = _one_off(plugin)
        failed: list[BrokenPlugin] = []
        _load(manager, name, load, "", entries, failed)
        broken.extend(dataclasses.replace(each, one_off=True) for each in failed)
        if failed and isinstance(plugin, str | Path):
            # Children and shards load each file whose module is there.
            sys.modules.pop(_module_name(Path(plugin)), None)
    return Registry(tuple(entries), tuple(broken))


def _plugin_points() -> list[metadata.EntryPoint]:
    """Return the entry points of the group, and those that it lacks of groups whose name is a slip
    of its name. Other groups belong to other projects, such as "revkit_lab.readers".
    """
    points = metadata.entry_points()
    found = set(points.select(group=GROUP))
    known = {(point.name, point.value) for point in found}
    found |= {
        point
        for group in points.groups - {GROUP}
        if _SEPARATORS.sub("", group.lower()) in _SLIPS
        for point in points.select(group=group)
        if (point.name, point.value) not in known
    }
    return sorted(found, key=lambda point: (point.name, point.value, point.group))


def _refuse_group(group: str) -> None:
    raise PluginError(
        f"its entry point is in the group {group!r}, which revkit does not load; the group is "
        f"{GROUP!r}: move it to [project.entry-points.{GROUP}] in pyproject.toml, and install the "
        "package again"
    )


def _distinct(plugins: Iterable[Any]) -> Iterator[Any]:
    """Return one-off plugins without duplicates, which would clash with themselves."""
    if isinstance(plugins, str | Path):
        plugins = [plugins]
    seen: list[Any] = []
    for plugin in plugins:
        mark = Path(plugin).resolve() if isinstance(plugin, str | Path) else plugin
        if mark not in seen:
            seen.append(mark)
            yield plugin


def _one_off(plugin: str | Path | ModuleType | type[Component]) -> tuple[str, Any]:
    if isinstance(plugin, str | Path):
        path = Path(plugin)
        return path.stem, lambda: _module_of(path)
    if isinstance(plugin, ModuleType):
        return plugin.__name__, lambda: plugin
    return plugin.__module__, lambda: plugin


def _module_name(path: Path) -> str:
    return f"{ONE_OFF}{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"


def _module_of(path: Path) -> ModuleType:
    if not path.is_file():
        raise PluginError(f"the file {path} does not exist")
    name = _module_name(path)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _plugin_manager() -> PluginManager:
    """Return a manager of the hooks, with which one plugin after the other is registered."""
    import pluggy

    from revkit import hookspecs

    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def _load(
    manager: PluginManager,
    name: str,
    load: Any,
    distribution: str,
    entries: list[Entry],
    broken: list[BrokenPlugin],
) -> None:
    try:
        loaded = load()
        if inspect.isclass(loaded):
            found = [entry_of(kind_of_class(loaded), loaded, name, distribution)]
        else:
            found = list(_entries_of(manager, loaded, name, distribution))
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a plugin may raise anything, SystemExit included
        own = isinstance(error, RevkitError)
        lines = (message_of(error) if own else describe_error(error)).splitlines()
        reason = "; ".join(line.strip() for line in lines if line.strip())[:300]
        broken.append(BrokenPlugin(name, reason, traceback.format_exc(), distribution))
    else:
        # A class that another plugin has registered is the same component, not a clash.
        known = {(entry.kind, entry.mark) for entry in entries}
        entries.extend(entry for entry in found if (entry.kind, entry.mark) not in known)


def _entries_of(
    manager: PluginManager, module: ModuleType, name: str, distribution: str
) -> Iterator[Entry]:
    from revkit import hookspecs

    try:
        manager.register(module, name)
        _check_hooks(module, hookspecs)
        manager.check_pending()
        if not manager.get_hookcallers(module):
            if getattr(module, "__file__", None) is None:
                raise PluginError("it is a folder without __init__.py")
            raise PluginError("it registers no component: a hook needs the decorator @hookimpl")
        seen: set[tuple[str, str]] = set()
        for kind in KINDS.values():
            collected: list[type[Component] | str] = []
            getattr(manager.hook, f"register_{kind.plural}")(register=collected.append)
            for component in collected:
                entry = (
                    _entry_at(kind.name, component, name, distribution)
                    if isinstance(component, str)
                    else entry_of(kind.name, component, name, distribution)
                )
                if (kind.name, entry.name) in seen:
                    raise PluginError(f"{kind.name} {entry.name!r} is registered twice")
                seen.add((kind.name, entry.name))
                yield entry
        if not seen:
            hooks = ", ".join(sorted(each.name for each in manager.get_hookcallers(module) or ()))
            raise PluginError(
                f"it registers no component: {hooks} must call register(...) with each class"
            )
    finally:
        if manager.is_registered(module):
            manager.unregister(module)


def _check_hooks(module: ModuleType, hookspecs: ModuleType) -> None:
    """Raise `PluginError` for a hook that does not exist, and for a plugin that declares another
    version of the plugin API."""
    known = [name for name in vars(hookspecs) if name.startswith("register_")]
    mark = f"{hookspecs.PROJECT}_impl"
    for name, value in list(vars(module).items()):
        if getattr(value, mark, None) is not None:
            if name not in known:
                raise PluginError(unknown_name("hook", name, known))
        elif name in known and getattr(value, "__module__", "") == module.__name__:
            raise PluginError(f"the hook {name} needs the decorator @hookimpl")
    declared = getattr(module, "REVKIT_API", None)
    if declared is None:
        return
    if not isinstance(declared, int) or isinstance(declared, bool):
        raise PluginError(f"REVKIT_API must be a whole number, not {declared!r}")
    if declared not in hookspecs.APIS:
        supported = ", ".join(map(str, hookspecs.APIS))
        newer = declared > max(hookspecs.APIS)
        raise PluginError(
            f"it is written for plugin API {declared}, and this revkit supports {supported}; "
            + ("upgrade revkit" if newer else "upgrade the plugin")
        )


def _check_signatures(component: type[Component], base: type[Component]) -> None:
    """Raise `PluginError` if a method cannot be called as the contract of the kind calls it."""
    for name, contract in vars(base).items():
        method = getattr(component, name, None)
        if name.startswith("_") or not inspect.isfunction(contract) or method is contract:
            continue
        if not inspect.isfunction(method):
            continue
        required = [
            each
            for each in inspect.signature(contract).parameters.values()
            if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
        ]
        try:
            inspect.signature(method).bind(*required)
        except TypeError:
            given, wanted = (
                ", ".join(inspect.signature(each).parameters) for each in (method, contract)
            )
            code = method.__code__
            raise PluginError(
                f"{component.__qualname__}.{name}({given}) is called as {name}({wanted}) "
                f"({Path(code.co_filename).name}:{code.co_firstlineno})"
            ) from None


def _entry_at(kind: str, text: str, plugin: str, distribution: str) -> Entry:
    """Return the entry of a component that is registered by its location: "name =
    package.module:Class".
    """
    name, mark, place = (part.strip() for part in text.partition("="))
    if not mark or not _KEBAB.fullmatch(name) or not _PLACE.fullmatch(place):
        raise PluginError(f"{text!r} should be 'name = package.module:Class'")
    return Entry(kind, name, place, plugin, distribution)


def entry_of(kind: str, component: Any, plugin: str, distribution: str = "") -> Entry:
    """Return the entry of a component class. Raises `PluginError` if it is not valid."""
    base = KINDS[kind].base
    if not (inspect.isclass(component) and issubclass(component, base)):
        label = (
            getattr(component, "__qualname__", None) or f"an instance of {type(component).__name__}"
        )
        plural = KINDS[kind].plural
        raise PluginError(
            f"{label} is not a subclass of {base.__name__}, which register_{plural} expects"
        )
    label = component.__qualname__
    if inspect.isabstract(component):
        missing = ", ".join(sorted(component.__abstractmethods__))
        raise PluginError(f"{label} lacks {missing}")
    parameters = vars(component).get("__dataclass_params__")
    if parameters is None or not parameters.frozen:
        raise PluginError(f"{label} must be decorated with @dataclass(frozen=True)")
    name = getattr(component, "name", None)
    if not isinstance(name, str) or not _KEBAB.fullmatch(name):
        raise PluginError(f"{label} needs a kebab-case name, not {name!r}")
    option_names = {field.name for field in dataclasses.fields(cast(Any, component))}
    for attribute in (
        "name",
        "version",
        "data",
        "uses",
        "expect",
        "target",
        "deterministic",
        "cannot_see",
    ):
        if attribute in option_names and (attribute == "name" or hasattr(base, attribute)):
            raise PluginError(f"{label}.{attribute} must be a ClassVar, not an option")
    _check_declarations(component)
    _check_signatures(component, base)
    try:
        schema_of(component)
    except TypeError as error:
        raise PluginError(f"{label}: {error}") from None
    return Entry(kind, name, component, plugin, distribution)


def _check_declarations(component: type[Component]) -> None:
    """Raise `PluginError` for a class attribute with an invalid value."""
    label = component.__qualname__
    if not isinstance(component.version, str):
        raise PluginError(f"{label}.version must be text, not {component.version!r}")
    data = component.data
    if isinstance(data, str) or not all(isinstance(name, str) for name in data):
        raise PluginError(f"{label}.data must be a tuple of file names, not {data!r}")
    data_files(component)
    unknown = [name for name in component.uses if name not in get_args(ServiceName)]
    if isinstance(component.uses, str) or unknown:
        known = ", ".join(get_args(ServiceName))
        raise PluginError(f"{label}.uses must be a tuple of services ({known})")
    if issubclass(component, Perturbation) and component.expect not in get_args(Expectation):
        raise PluginError(
            f"{label}.expect is {component.expect!r}; known: {', '.join(get_args(Expectation))}"
        )


def versions(registry: Registry) -> Mapping[str, str]:
    """Return plugin names with the version of their distribution, "" if there is none."""
    found: dict[str, str] = {}
    for entry in registry.entries:
        if entry.plugin not in found:
            found[entry.plugin] = metadata.version(entry.distribution) if entry.distribution else ""
    return found
