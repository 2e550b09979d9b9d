"""The forms that are included in this plugin, in ``forms/``."""

from __future__ import annotations

from pathlib import Path

from revkit.forms import FormFolder

_FORMS = FormFolder(Path(__file__).parent / "forms", longest_text=6000)
load_form = _FORMS.load


def built_in() -> tuple[str, ...]:
    """Return the names of the forms that are included in this plugin."""
    return _FORMS.names
