"""Templates: the words of a prompt in a text file, with placeholders such as ``{{paper}}``.

Only the template is searched for placeholders, never the inserted text, so braces in a paper have
no effect. A template may begin with instructions between the lines ``=== system ===`` and
``=== user ===``; without these lines all of it is the user's turn.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.files import Unreadable, digest, read_text
from revkit.model.exchange import Message
from revkit.prompting.fence import NOTICE, Data, fence_data, mark_for

_PLACE = re.compile(r"\{\{ ?([a-z-]{1,40}) ?\}\}")
_HEAD = re.compile(r"^=== ([a-z]{1,20}) ===[ \t]*$\n?", re.MULTILINE)
_HEADS = "expected the lines '=== system ===' and '=== user ===', in order"
_TRAILING = re.compile(r"[ \t]{1,200}$", re.MULTILINE)

# The values of placeholders: a component's own words, or data of others.
Values = Mapping[str, str | Data | Sequence[Data]]


class TemplateProblem(ValueError):
    """A file is not a template, or cannot be read; the message states why."""


@dataclass(frozen=True)
class Places:
    """The placeholders of one kind of template.

    ``own`` are placeholders of a component's own words and may be anywhere; ``data`` are those of
    texts of others and belong in the user part. ``needed`` are required. ``system`` states whether
    a template must have instructions.
    """

    own: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    system: bool = False


@dataclass(frozen=True)
class Template:
    """The two parts of a template (``system`` may be empty), and the file's text."""

    system: str
    user: str
    source: str

    def holds(self, place: str) -> bool:
        """Return whether ``place`` is one of its placeholders."""
        return place in places_of(self.system) or place in places_of(self.user)

    def turns(
        self,
        values: Values,
        *,
        secret: str = "",
        earlier: tuple[Message, ...] = (),
        notice: str = NOTICE,
    ) -> tuple[Message, ...]:
        """Return ``earlier`` turns and then those of the template, with ``values`` filled in.

        Data among the values are fenced by one mark that no text of this prompt contains, derived
        from ``secret`` (by default from the template). A paper and its variants get the same mark.
        A template without instructions adds only a user's turn.
        """
        texts = [each.text for value in values.values() for each in _pieces(value)]
        mark = mark_for(secret or digest(self.source), *(turn.content for turn in earlier), *texts)
        filled = {
            name: value if isinstance(value, str) else fence_data(_pieces(value), mark, notice)
            for name, value in values.items()
        }
        instructions = _TRAILING.sub("", fill(self.system, filled))
        system = (Message("system", instructions),) if self.system else ()
        return (*earlier, *system, Message("user", fill(self.user, filled)))


def _pieces(value: str | Data | Sequence[Data]) -> Sequence[Data]:
    if isinstance(value, str):
        return ()
    return (value,) if isinstance(value, Data) else value


def places_of(part: str) -> list[str]:
    """Return the placeholders of a part of a template, in order."""
    return _PLACE.findall(part)


def fill(part: str, values: Mapping[str, str]) -> str:
    """Return ``part`` with its placeholders replaced in one pass; inserted text is not searched.

    Raises `KeyError` for a placeholder without a value.
    """
    return _PLACE.sub(lambda match: values[match[1]], part)


def load_template(path: str | Path, places: Places) -> Template:
    """Return the template at ``path``. Raises `TemplateProblem`."""
    try:
        return parse_template(read_text(path), places)
    except Unreadable as error:
        raise TemplateProblem(str(error)) from None


@functools.lru_cache(maxsize=64)
def parse_template(text: str, places: Places) -> Template:
    """Parse ``text`` as a template. Raises `TemplateProblem`."""
    template = _divided(text)
    if places.system and template.user == text.strip():
        raise TemplateProblem(_HEADS)
    if not template.user:
        raise TemplateProblem("the user part is empty")
    known = (*places.own, *places.data)
    placeholders = places_of(template.system) + places_of(template.user)
    for name in placeholders:
        if name not in known:
            names = ", ".join(known) or "none"
            raise TemplateProblem(f"unknown placeholder {name!r}; known: {names}")
    for name in places_of(template.system):
        if name in places.data:
            raise TemplateProblem(
                f"{{{{{name}}}}} belongs in the user part, not in the instructions"
            )
    for name in places.needed:
        if name not in placeholders:
            raise TemplateProblem(f"it must contain {{{{{name}}}}}")
    return template


def _divided(text: str) -> Template:
    """Return the parts of ``text``; without heading lines, all of it is the user part."""
    heads = [head for head in _HEAD.finditer(text) if head[1] in ("system", "user")]
    if not heads or text[: heads[0].start()].strip():
        return Template("", text.strip(), text)
    if [head[1] for head in heads[:2]] != ["system", "user"]:
        raise TemplateProblem(_HEADS)
    system, user = heads[0], heads[1]
    return Template(text[system.end() : user.start()].strip(), text[user.end() :].strip(), text)


def split_parts(text: str) -> dict[str, str]:
    """Return the parts of ``text`` by their headings, lines such as ``=== again ===``; for prompts
    of plugins with more than two parts.
    """
    pieces = _HEAD.split(text)[1:]
    return {head: part.strip() for head, part in zip(pieces[::2], pieces[1::2], strict=True)}
