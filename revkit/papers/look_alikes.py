"""Look-alikes: letters of other scripts that look like Latin ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LOOK_ALIKES: Mapping[str, str] = MappingProxyType(
    {
        **dict(zip("аеорсухіјѕԁһѵԛԝӏқ", "aeopcyxijsdhvqwlk", strict=True)),
        **dict(zip("АВЕКМНОРСТУХІЈЅԌԚԜ", "ABEKMHOPCTYXIJSGQW", strict=True)),
        **dict(zip("οανρυικγωητ", "oavpuikywnt", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
        **dict(zip("ɡɑօոսհ", "gaonuh", strict=True)),
    }
)
"""Letters of other scripts that look like Latin ones, and these."""


def latin_of(text: str) -> str:
    """``text`` with the Latin letters that letters of other scripts look like."""
    return "".join(LOOK_ALIKES.get(sign, sign) for sign in text)
