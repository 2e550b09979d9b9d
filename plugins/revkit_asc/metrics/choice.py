"""The choice of the calibrator on which a metric is based."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from revkit.errors import OptionError
from revkit.options import unknown_name

T = TypeVar("T")


def chosen_way(ways: Mapping[str, T], name: str, metric: str) -> str:
    """Return ``name``, or the last calibrator of the experiment if ``name`` is empty.

    Raises `OptionError` for a name that the experiment does not have.
    """
    if not name:
        return list(ways)[-1]
    if name not in ways:
        raise OptionError(metric, [("map", unknown_name("way of fitting", name, ways))])
    return name
