"""Forms: the fields that a reviewer fills in; some are not part of the review's text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit import forms
from revkit.dataclass import dataclass


class FormField(forms.Field):
    """One field of a form."""

    def text_of(self, value: Any) -> str:
        return str(value)  # without quotation marks: stored replies are keyed by their prompts


@dataclass(frozen=True)
class PartForm(forms.Fields):
    """Fields in order. ``hidden`` fields are filled in but not part of the review's text."""

    hidden: tuple[str, ...] = ()

    def ordered(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of ``data`` in order, without the hidden ones."""
        return {k: v for k, v in super().ordered(data).items() if k not in self.hidden}

    def text(self, data: Mapping[str, Any]) -> str:
        """Return the text of ``data`` under the names of its fields, without the hidden ones."""
        return super().text(self.ordered(data))
