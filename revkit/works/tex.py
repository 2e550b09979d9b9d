"""Convert TeX in bibliographies to plain text: accents, letters, quotes, dashes, fonts, braces."""

from __future__ import annotations

import re
import unicodedata

_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ",
    "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ",
    "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "textendash": "–",
    "textemdash": "—", "ldots": "…", "dots": "…", "textquoteright": "’", "textquoteleft": "‘",
    "textregistered": "®", "texttrademark": "™", "copyright": "©", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "times": " × ", "infty": "∞",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "sigma": "σ", "tau": "τ", "phi": "φ",
    "textunderscore": "_", "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
# Commands that say how text looks, not what it is; their argument stays.
_FONTS = (
    "emph|textit|textbf|textsc|textrm|texttt|textsf|textnormal|textsuperscript|textsubscript|text|"
    "mathrm|mathbf|mathit|mathcal|mathbb|ensuremath|url|mbox|em|it|bf|sc|rm|tt|sl|relax|noopsort|enquote"
)
_ACCENT = re.compile(
    r"""\\(?:([`'^~="."])\s{0,3}|([uvHrdckb])(?:\s{1,3}|(?=[{\\])))"""
    r"""(?:\{\s{0,3}(\\[ij]|[^\W\d_])\s{0,3}\}|(\\[ij](?![A-Za-z]))|([^\W\d_]))"""
)
_LETTER = re.compile(
    r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z])(?:\{\}|\s{1,3})?"
)
_FONT = re.compile(rf"\\(?:{_FONTS})(?![A-Za-z])\s{{0,3}}")
_MATHS = re.compile(r"(?<!\\)\$([^$\\{}]{1,100})(?<!\\)\$")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_HELD = {"{": "\ue000", "}": "\ue001", "$": "\ue002"}


def from_tex(text: str) -> str:
    """Return ``text`` with TeX commands replaced by the characters that they produce.

    Braces that group go, those that are written out (``\\{``) stay. Unknown commands and formulas
    with commands stay as they are. Works in time linear in the length.
    """
    if not any(sign in text for sign in "\\{}$~-`'"):
        return text
    if "\\" in text:
        text = _ACCENT.sub(_accented, text)
        text = _LETTER.sub(lambda match: _LETTERS[match.group(1)], text)
        text = _FONT.sub("", text)
        text = _ESCAPED.sub(lambda match: _HELD.get(match.group(1), match.group(1)), text)
        text = text.replace("\\-", "").replace("\\ ", " ").replace("\\,", " ").replace("\\/", "")
    text = _MATHS.sub(lambda match: match.group(1), text)
    text = text.replace("{", "").replace("}", "").replace("~", " ")
    for stand_in, sign in (("\ue000", "{"), ("\ue001", "}"), ("\ue002", "$")):
        text = text.replace(stand_in, sign)
    text = text.replace("---", "—").replace("--", "–")
    text = text.replace("``", "“").replace("''", "”")
    return unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str]) -> str:
    accent = match.group(1) or match.group(2)
    letter = match.group(3) or match.group(4) or match.group(5)
    return letter.removeprefix("\\") + _COMBINING[accent]
