"""Layouts: the looks that our writers can give to the same text."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.dataclass import dataclass
from revkit.errors import RunError


@dataclass(frozen=True, slots=True)
class PageLayout:
    """How a page looks: ``size`` of the running text in points, line height as a multiple of it."""

    columns: int = 1
    size: float = 10.0
    line_height: float = 1.3
    serif: bool = False
    letter: bool = False

    @property
    def scale(self) -> float:
        """The size over that of the usual layout."""
        return self.size / 10.0


USUAL = PageLayout()
LAYOUTS: Mapping[str, PageLayout] = {
    "": USUAL,
    "two-columns": PageLayout(columns=2, size=9.0, line_height=1.2, serif=True, letter=True),
    "large-print": PageLayout(size=14.0, line_height=1.5, serif=True),
}
"""The layouts by name; "" is the usual one: A4, one column, 10 points, sans serif."""


def page_layout(name: str) -> PageLayout:
    """Return the layout ``name``. Raises `RunError` for one that the writers do not have."""
    if name not in LAYOUTS:
        known = ", ".join(each for each in LAYOUTS if each)
        raise RunError(f"no layout {name!r}; the layouts are: {known}")
    return LAYOUTS[name]
