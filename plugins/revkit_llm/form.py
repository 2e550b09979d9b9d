"""The forms that come with this plugin: venues and archives, in ``forms/``."""

from __future__ import annotations

from pathlib import Path

from revkit.forms import FormFolder

_FORMS = FormFolder(Path(__file__).parent / "forms")
load_form = _FORMS.load


def built_in() -> tuple[str, ...]:
    """The names of the forms that come with this plugin."""
    return _FORMS.names
