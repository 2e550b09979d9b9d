"""LaTeX source: the parts that TeX ignores, groups and environments, and the title.

Comments, branches that a switch turns off (``\\iffalse ... \\fi``), the ``comment`` environment and
what follows the document do not belong to the paper. Its structure is read from `visible_text`, in
which they are blank, so that offsets stay those of the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.model.latex_sign import is_latex
from revkit.model.latex_switches import SWITCH, Switches
from revkit.model.structure import BlockKind

# A vertical tab is a blank that no cleaned text holds and that marks neither a hard break nor an
# indented line.
_FILL = "\v"
_TOKEN = re.compile(
    r"\\begin\s?\{(?P<literal>verbatim\*?|Verbatim\*?|lstlisting|minted|alltt|comment"
    r"|filecontents\*?)\}"
    r"|\\verb\*?(?P<verb>[^\sA-Za-z*])|\\lstinline(?P<inline>[^\sA-Za-z*{\[])"
    r"|\\(?:url|href|path)\s?(?P<address>\{)"
    r"|(?P<last>\\end\s?\{document\})|\\begin\s?\{(?P<environment>[A-Za-z@]+\*?)\}"
    r"|(?P<switch>" + SWITCH + r")"
    r"|\\(?:(?P<name>[A-Za-z@]+)|.)|(?P<comment>%)",
    re.DOTALL,
)
_COMMAND_GROUP = re.compile(
    r"\\(?:thanks|footnote|footnotemark|label|vspace|hspace|titlenote)\*?\s*\{"
)
_TITLE = re.compile(r"\\(?:icml)?title\s*(?:\[[^\[\]]{0,300}\]\s*)?(?P<brace>\{)")
_BRACE = re.compile(r"[{}]|\\.", re.DOTALL)
_BREAK = re.compile(r"\\\\(?:\*|\[[^\[\]]{0,20}\])?|~")
# Formulas stay as they are.
_FORMAT = re.compile(r"(?P<math>(?<!\\)\$[^$]{1,200}\$)|\\[A-Za-z]+\*?\s*|\\(?=[&%$#_{}])|[{}]")
_LONGEST_TITLE = 2_000
_GROUP_SIGN = re.compile(r"\\.|[{}]|\n[ \t]*\n")
_REACH = 8_000
_DEEPEST = 12
ENVIRONMENTS: dict[str, BlockKind] = {
    **dict.fromkeys(
        (
            "equation",
            "align",
            "gather",
            "multline",
            "eqnarray",
            "displaymath",
            "math",
            "flalign",
            "alignat",
            "array",
            "dmath",
            "subequations",
        ),
        "math",
    ),
    **dict.fromkeys(
        (
            "table",
            "tabular",
            "tabularx",
            "longtable",
            "wraptable",
            "sidewaystable",
            "tabulary",
            "tblr",
            "longtblr",
            "supertabular",
        ),
        "table",
    ),
    **dict.fromkeys(
        (
            "figure",
            "wrapfigure",
            "tikzpicture",
            "picture",
            "subfigure",
            "sidewaysfigure",
            "pgfpicture",
            "SCfigure",
            "teaserfigure",
        ),
        "figure",
    ),
    **dict.fromkeys(
        (
            "verbatim",
            "lstlisting",
            "minted",
            "algorithm",
            "algorithmic",
            "Verbatim",
            "BVerbatim",
            "LVerbatim",
            "alltt",
            "code",
            "algorithmicx",
            "filecontents",
            "comment",
            "CCSXML",
        ),
        "code",
    ),
}
"""What the environments that contain no prose are, by name without a star."""


def hidden_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of ``text`` that TeX does not read, in order and without overlap.

    A comment runs from an unescaped ``%`` to the end of its line, ``\\iffalse`` to its ``\\fi`` or
    ``\\else``, with the conditionals in between. Nothing is read after ``\\end{document}``. In
    ``verbatim``, ``lstlisting``, ``\\verb`` and ``\\url``, ``%`` is a character. Empty for a text
    that is not LaTeX.
    """
    if not is_latex(text):
        return ()
    return tuple(span for is_hidden, span in _unread_spans(text) if is_hidden)


def literal_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of LaTeX ``text`` in which no command is read, in order: listings,
    ``\\verb`` and what TeX does not read (`hidden_spans`).
    """
    return tuple(span for _, span in _unread_spans(text))


def _unread_spans(text: str) -> Iterator[tuple[bool, tuple[int, int]]]:
    """The spans that TeX does not read (True), and those that it prints as they are (False)."""
    closers: dict[str, int] = {}
    switches = Switches()
    position = 0
    while match := _TOKEN.search(text, position):
        start, position = match.span()
        if match["comment"]:
            position = _line_end(text, start)
            yield True, (start, position)
        elif match["literal"]:
            close = _find(text, f"\\end{{{match['literal']}}}", position, closers)
            if close >= 0:
                close += len(match["literal"]) + 6
                yield match["literal"] == "comment", (start, close)
                position = close
        elif match["verb"] or match["inline"]:
            close = text.find(match["verb"] or match["inline"], position, _line_end(text, position))
            if close >= 0:
                position = close + 1
                yield False, (start, position)
        elif match["address"]:
            close = text.find("}", position, _line_end(text, position))
            position = close + 1 if close >= 0 else position
        elif match["switch"] is not None:
            skipped = switches.read(text, match)
            if skipped:
                position = skipped[1]
                yield True, skipped
        elif match["environment"]:
            if match["environment"] in switches.excluded:
                closer = f"\\end{{{match['environment']}}}"
                close = _find(text, closer, position, closers)
                if close >= 0:
                    position = close + len(closer)
                    yield True, (start, position)
        elif match["name"]:
            dropped = match["name"] in switches.dropping and switches.drop(text, position)
            if dropped:
                position = dropped[1]
                yield True, (start, position)
        elif match["last"] and _find(text, "\\begin{document}", position, closers) < 0:
            if text[position:].strip():
                yield True, (position, len(text))
            break


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return end if end >= 0 else len(text)


def _find(text: str, needle: str, position: int, known: dict[str, int]) -> int:
    """Search as `str.find`, but never search a part of the text twice, so that a text with many
    opening marks takes little time.
    """
    place = known.get(needle, -2)
    if place != -1 and place < position:
        place = known[needle] = text.find(needle, position)
    return place


def group_end(text: str, at: int) -> int:
    """Return where the group that opens at ``at`` ends (after its brace), or -1."""
    depth = 0
    for match in _GROUP_SIGN.finditer(text, at, at + _REACH):
        sign = match.group()
        if sign == "{":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return match.end()
        elif sign[0] == "\n":
            return -1
    return -1


def visible_text(text: str, hidden: tuple[tuple[int, int], ...]) -> str:
    """Return ``text`` with blanks instead of everything ``hidden``, at the same length.

    A line with nothing but hidden text joins the line before it, as it does for TeX: it ends no
    paragraph.
    """
    parts: list[str] = []
    position = 0
    for start, end in hidden:
        line = text.rfind("\n", position, start)
        if (
            line >= 0
            and not text[line:start].strip()
            and not text[end : _line_end(text, end)].strip()
        ):
            start = line
        parts += text[position:start], _FILL * (end - start)
        position = end
    parts.append(text[position:])
    return "".join(parts)


def latex_title(text: str) -> str:
    """Return the title of LaTeX source, the argument of its last ``\\title``, or "".

    Comments, notes (``\\thanks``) and commands of format are left out.
    """
    if "title" not in text or not is_latex(text):
        return ""
    source = visible_text(text, hidden_spans(text))
    title = ""
    for match in _TITLE.finditer(source):
        argument = _group(source, match.start("brace"))
        title = _plain(argument) or title
    return title


def _group(text: str, brace: int) -> str:
    """Return the content of the group that opens at ``brace``, or "" if it does not close
    nearby.
    """
    depth = 0
    for match in _BRACE.finditer(text, brace, brace + _LONGEST_TITLE):
        depth += {"{": 1, "}": -1}.get(match.group(), 0)
        if depth == 0:
            return text[brace + 1 : match.start()]
    return ""


def _plain(argument: str) -> str:
    while note := _COMMAND_GROUP.search(argument):
        inner = _group(argument, note.end() - 1)
        argument = argument[: note.start()] + argument[note.end() + len(inner) + 1 :]
    bare = _FORMAT.sub(lambda match: match["math"] or "", _BREAK.sub(" ", argument))
    return " ".join(bare.split())
