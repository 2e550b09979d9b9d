"""The mask of a call: it hides secrets, and the folders whose names change with each call."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable
from functools import cache
from urllib.parse import quote

from revkit.http import Mask

CALL_FOLDER = "revkit-call-"
HOME_FOLDER = "revkit-home-"


class CallMask:
    """Replaces secrets as `revkit.http.Mask` does, and also the folders of calls: their names
    change with each call, but two runs must leave the same records.

    A call's folder becomes ``<call>``, that of a kept process ``<home>``, also those of earlier
    calls that a kept process remembers; what Python's or the shell's makers of temporary files
    put into them loses the random part of its name.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._secrets = Mask(values)

    def __call__(self, text: str) -> str:
        text = re.sub(_folders(tempfile.gettempdir()), r"<\1>", self._secrets(text))
        return _TEMPORARY.sub(r"\1*", text)


_TEMPORARY = re.compile(r"((?:<call>(?:/home)?|<home>)/tmp\.?)[A-Za-z0-9_]{8,10}(?![A-Za-z0-9_])")


@cache
def _folders(place: str) -> str:
    """Return a pattern for the folders of calls: by their whole path, quoted or not, or by their
    name.
    """
    bases = dict.fromkeys((place, os.path.realpath(place)))
    forms = [form for base in bases for form in (f"{base}/", quote(f"{base}/", safe=""))]
    whole = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return rf"(?:{whole})?revkit-(call|home)-[a-z0-9_]{{8}}(?![a-z0-9_])"
