"""Whether a text is LaTeX source: apart from what reads LaTeX, whose many patterns a run over
papers in Markdown does not need.
"""

from __future__ import annotations

import re

# The first line of these kinds decides: a Markdown paper may show LaTeX, and the reverse.
_FIRST_SIGN = re.compile(
    r"^[ \t]*(?:(?P<latex>\\(?:documentclass|documentstyle|begin\s?\{(?:document|abstract"
    r"|thebibliography)\}|(?:sub)*section\*?\s?[\[{]|chapter\*?\s?[\[{]|title\s?[\[{]|maketitle\b"
    r"|bibitem\b))|#{1,6}[ \t]+\S)",
    re.MULTILINE,
)


def is_latex(text: str) -> bool:
    """Return whether ``text`` is LaTeX source, and not Markdown or plain text with formulas."""
    if "\\" not in text:
        return False
    sign = _FIRST_SIGN.search(text)
    return sign is not None and sign["latex"] is not None
