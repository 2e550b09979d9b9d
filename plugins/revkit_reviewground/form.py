"""The forms that come with this plugin, in ``forms/``."""

from __future__ import annotations

from pathlib import Path

from revkit.forms import FormFolder

_FORMS = FormFolder(Path(__file__).parent / "forms", longest_text=6000)
load_form = _FORMS.load


def built_in() -> tuple[str, ...]:
    """The names of the forms that come with this plugin."""
    return _FORMS.names
