"""Finding: one statement of a review that its paper does not support, with a degree of
certainty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.values import Json

Kind: TypeAlias = Literal[
    "quote",
    "long-quote",
    "anchor",
    "missing",
    "reviewer",
    "comparison",
    "number",
]
Certainty: TypeAlias = Literal["false", "unverifiable", "suspect"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)
LONGEST_EXCERPT = 300


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """A place in the paper: characters ``start`` to ``end`` (exclusive) of its text, the heading
    above them ("" before the first), and the words there, at most 200 characters.
    """

    start: int
    end: int
    section: str
    words: str

    def to_json(self) -> dict[str, Json]:
        return {"start": self.start, "end": self.end, "section": self.section, "words": self.words}

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> FindingPlace:
        """Read the output of `to_json`. Raises `PaperError` for another layout."""
        start, end = _integer(value, "start"), _integer(value, "end")
        return cls(start, end, _text(value, "section"), _text(value, "words"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of one check.

    ``kind`` names the check. ``field`` is where in the review ("weaknesses", "questions[2]");
    ``excerpt`` the words there, as written, at most 300 characters, starting at character ``at``
    of that field's text. ``message`` says what is wrong in a sentence that a model or a person can
    act on. ``place`` is where the paper holds what the review denies, or what is nearest to it.

    ``certainty`` is "false" where the paper's text contradicts the review or a rule is broken for
    certain; "suspect" where it probably does, but a person should look; "unverifiable" where this
    text of the paper does not show, for instance because its headings have no numbers.
    """

    kind: Kind
    field: str
    excerpt: str
    message: str
    certainty: Certainty = "false"
    place: FindingPlace | None = None
    at: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise PaperError(f"unknown kind of finding {self.kind!r}")
        if self.certainty not in CERTAINTIES:
            raise PaperError(f"unknown certainty {self.certainty!r}")

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "field": self.field,
            "excerpt": self.excerpt,
            "message": self.message,
            "certainty": self.certainty,
            "place": self.place.to_json() if self.place else None,
            "at": self.at,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> Finding:
        """Read the output of `to_json`. Raises `PaperError` for another layout."""
        place = value.get("place")
        if place is not None and not isinstance(place, Mapping):
            raise PaperError("a finding's place must be an object or null")
        return cls(
            _text(value, "kind"),  # type: ignore[arg-type]
            _text(value, "field"),
            _text(value, "excerpt"),
            _text(value, "message"),
            _text(value, "certainty"),  # type: ignore[arg-type]
            FindingPlace.from_json(place) if place is not None else None,
            _integer(value, "at"),
        )


def _text(value: Mapping[str, Json], name: str) -> str:
    found = value.get(name)
    if not isinstance(found, str):
        raise PaperError(f"a finding's {name} must be text")
    return found


def _integer(value: Mapping[str, Json], name: str) -> int:
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise PaperError(f"a finding's {name} must be a whole number from 0")
    return found
