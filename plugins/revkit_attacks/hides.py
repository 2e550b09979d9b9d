"""Hides: how a planted text is written into Markdown or LaTeX, and read again from it.

`HIDES` lists those that come with revkit; a perturbation of yours adds others in its own table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from revkit.dataclass import dataclass
from revkit.papers import LOOK_ALIKES, latin_of

Syntax = Literal["markdown", "latex"]
COVER = "Further details are in the appendix."
"""What a reader sees where the planted text is in characters without a shape."""


@dataclass(frozen=True)
class Hide:
    """Writes a text in one way, or states why it cannot; reads it again from what it wrote."""

    write: Callable[[str, Syntax], str]
    read: Callable[[str], str]


class CannotHide(ValueError):
    """A text that one way cannot hide in one syntax, with the reason."""


_SPECIAL = re.compile(r"[\\{}%&#_$]")
_ESCAPED = re.compile(r"\\([{}%&#_$])|\\textbackslash\{\}")
_COLOR = re.compile(r"\A\{\\color\{white\} (?P<says>.*)\}\Z", re.DOTALL)
_SIZE = re.compile(r"\A\{\\fontsize\{0\.1pt\}\{0\.1pt\}\\selectfont (?P<says>.*)\}\Z", re.DOTALL)
_SPAN = re.compile(r"\A<span style=\"[^\"<>]{1,40}\">(?P<says>.*)</span>\Z", re.DOTALL)


def _escaped(text: str, syntax: Syntax) -> str:
    if syntax == "markdown":
        return text
    return _SPECIAL.sub(
        lambda match: "\\textbackslash{}" if match[0] == "\\" else "\\" + match[0], text
    )


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: match[1] or "\\", text)


def _comment(text: str, syntax: Syntax) -> str:
    if syntax == "latex":
        return "\n".join(f"% {line}" for line in text.split("\n"))
    if "--" in text:
        raise CannotHide("a comment of HTML cannot hold two hyphens")
    return f"<!-- {text} -->"


def _read_comment(written: str) -> str:
    if written.startswith("<!--"):
        return written[5:-4]
    return "\n".join(line[2:] for line in written.split("\n"))


def _bits(text: str, _: Syntax) -> str:
    bits = "".join(f"{byte:08b}" for byte in text.encode("utf-8"))
    return COVER + bits.replace("0", "\u200b").replace("1", "\u2060")


def _read_bits(written: str) -> str:
    bits = written[len(COVER) :].replace("\u200b", "0").replace("\u2060", "1")
    data = bytes(int(bits[place : place + 8], 2) for place in range(0, len(bits), 8))
    return data.decode("utf-8", "replace")


def _tags(text: str, _: Syntax) -> str:
    if not all(0x20 <= ord(sign) < 0x7F for sign in text):
        raise CannotHide("tag characters spell ASCII alone")
    return COVER + "".join(chr(0xE0000 + ord(sign)) for sign in text)


def _read_tags(written: str) -> str:
    return "".join(chr(ord(sign) - 0xE0000) for sign in written[len(COVER) :])


def _selectors(text: str, _: Syntax) -> str:
    codes = text.encode("utf-8")
    return COVER + "".join(chr(0xFE00 + c if c < 16 else 0xE0100 + c - 16) for c in codes)


def _read_selectors(written: str) -> str:
    codes = (ord(sign) for sign in written[len(COVER) :])
    data = bytes(code - 0xFE00 if code < 0xFF00 else code - 0xE0100 + 16 for code in codes)
    return data.decode("utf-8", "replace")


def _bidi(text: str, syntax: Syntax) -> str:
    return f"\u202e{_escaped(text, syntax)}\u202c"


_FOREIGN: dict[str, str] = {}
for _sign, _latin in LOOK_ALIKES.items():
    if "\u0400" <= _sign <= "\u04ff":
        _FOREIGN.setdefault(_latin, _sign)


def _homoglyphs(text: str, syntax: Syntax) -> str:
    return _escaped("".join(_FOREIGN.get(sign, sign) for sign in text), syntax)


def _styled(markdown: str, head: str) -> Callable[[str, Syntax], str]:
    def write(text: str, syntax: Syntax) -> str:
        if syntax == "latex":
            return f"{{{head} {_escaped(text, syntax)}}}"
        if "<" in text:
            raise CannotHide("a style of HTML cannot hold a tag")
        return f'<span style="{markdown}">{text}</span>'

    return write


def _read_styled(written: str) -> str:
    for pattern in (_COLOR, _SIZE, _SPAN):
        match = pattern.match(written)
        if match:
            says = match["says"]
            return says if pattern is _SPAN else _unescaped(says)
    return written


def _definition(text: str, syntax: Syntax) -> str:
    if syntax == "latex" or "\n" in text:
        raise CannotHide("a definition of a link is one line of Markdown")
    return f"[note]: # ({text})"


HIDES: Mapping[str, Hide] = {
    "visible": Hide(_escaped, _unescaped),
    "comment": Hide(_comment, _read_comment),
    "zero-width": Hide(_bits, _read_bits),
    "tag-characters": Hide(_tags, _read_tags),
    "selectors": Hide(_selectors, _read_selectors),
    "bidi": Hide(_bidi, lambda written: _unescaped(written[1:-1])),
    "homoglyphs": Hide(_homoglyphs, lambda written: latin_of(_unescaped(written))),
    "white": Hide(_styled("color:#ffffff", "\\color{white}"), _read_styled),
    "tiny": Hide(_styled("font-size:0", "\\fontsize{0.1pt}{0.1pt}\\selectfont"), _read_styled),
    "link-definition": Hide(_definition, lambda written: written[11:-1]),
}
"""The hides by their names."""
