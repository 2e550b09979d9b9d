"""The base class of all kinds of components."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Sequence
from typing import ClassVar, Literal

from revkit.model.values import Json
from revkit.options import check_options, options_of

ServiceName = Literal["embedder", "llm", "corpus", "searcher", "reviews"]


class Component(ABC):
    """The base class of all kinds of components.

    ``name`` is kebab-case and unique within its kind. ``version`` is raised whenever the component
    answers the same question differently: stored answers of an older version are never used.
    Without one, a digest of the plugin's code takes its place, and any change of code (comments
    and formatting aside) computes everything again. ``data`` names the files beside the module
    that decide answers (prompts, word lists; "*" matches, "package:file" is a file of another
    package): their content enters the key with the version. ``uses`` names the services that the
    component may ask its `Context` for; their identity enters its cache key.
    """

    name: ClassVar[str]
    version: ClassVar[str] = ""
    data: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[ServiceName, ...]] = ()

    def __post_init__(self) -> None:
        check_options(self)

    def identity(self) -> Json:
        """Return the part of a result's cache key that this component determines: its options.

        A component that reads files overrides this, and replaces their paths by digests of their
        content.
        """
        return options_of(self)

    def models(self) -> Sequence[str]:
        """The language models that this component may call, by their names in litellm."""
        return ()

    def files_needed(self) -> Sequence[str]:
        """Return the paths, as in its options, of the text files that are required to build it.

        An exported run contains them, so that it can be replayed elsewhere. A corpus lists none:
        its papers are exported.
        """
        return ()

    def ready(self) -> Sequence[str]:
        """Return problems that would make every call fail, found without a call: a missing secret,
        program or file, one sentence each. A run checks them before it computes the first item, so
        that nothing is spent in vain; cached items need nothing.
        """
        return ()


def inherited_name(component: type[Component], known: Collection[str]) -> str:
    """Return the first name in ``known`` of a class and of those that it derives from.

    With it a component finds what its package stores under its name (templates, rubrics), also in a
    subclass of another package under another name. Raises `LookupError` where no name is known.
    """
    names = (vars(base).get("name") for base in component.__mro__)
    found = next((name for name in names if name in known), None)
    if found is None:
        raise LookupError(
            f"{component.__qualname__} derives from no class with one of the names: "
            + ", ".join(sorted(known))
        )
    return str(found)
