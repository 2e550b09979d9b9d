"""Lines of LaTeX source: sections, environments, items, and commands that are not prose."""

from __future__ import annotations

import re

from revkit.model.block_builder import Builder
from revkit.model.structure import BlockKind

_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_LEVELS = {
    "part": 1,
    "chapter": 1,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
_BEGIN = re.compile(r"\\begin\{([A-Za-z]+\*?)\}")
_ARGUMENTS = re.compile(r"(?:\s?\[[^\[\]\n]*\]|\{[^{}\n]*\})*")
_ITEM = re.compile(r"\\item\b\s*(?:\[[^\[\]\n]*\])?\s*")
_LABEL = re.compile(r"\s*(?:\\label\{[^{}]*\}\s*)?")
_ENVIRONMENTS: dict[str, BlockKind] = {
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
        ("table", "tabular", "tabularx", "longtable", "wraptable", "sidewaystable", "tabulary"),
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
_FRONT = frozenset(
    str.split(
        "title author date affil affiliation institute email address icmltitle icmlauthor thanks"
        " keywords documentclass usepackage newcommand renewcommand providecommand def"
        " DeclareMathOperator newtheorem"
        " hypersetup graphicspath iclrfinalcopy maketitle institution"
    )
)
# Lines that only these commands make up have no other text.
_SILENT = re.compile(
    r"(?:\\(?:label|vspace|hspace|vskip|centering|newpage|clearpage|pagebreak|maketitle|noindent"
    r"|bibliography|bibliographystyle|input|include|tableofcontents|smallskip|medskip|bigskip|small"
    r"|footnotesize|normalsize|large|Large|appendix|setcounter|setlength|addtolength|renewcommand"
    r"|newcommand|def|printbibliography|balance|usepackage|iclrfinalcopy|begingroup|endgroup|par"
    r"|linenumbers|thispagestyle|pagestyle|nocite|hfill|vfill|\\)\*?"
    r"(?:\[[^\[\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\}|-?[\d.]+(?:pt|em|ex|cm|mm|in))*\s*)+(?:%.*)?\Z"
)
_REACH = 8_000
_DEEPEST = 12


def _brace_end(text: str, at: int) -> int:
    """Return where the group that opens at ``at`` ends (after its brace), or -1."""
    depth = 0
    for match in _BRACE.finditer(text, at, at + _REACH):
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


_BRACE = re.compile(r"\\.|[{}]|\n[ \t]*\n")


def handle(builder: Builder, index: int, bare: str) -> int:
    """Handle a line that starts with a backslash; return the next line, or ``index`` for prose."""
    start = builder.starts[index] + builder.lines[index].index("\\")
    if bare.startswith("\\["):
        return builder.display(index, start, start + 2, "\\]")
    match = _COMMAND.match(bare)
    if match is None:
        return index
    name = match[1]
    if name in _LEVELS:
        return _section(builder, index, start + match.end(), _LEVELS[name])
    if name == "begin":
        return _begin(builder, index, start, bare)
    if name == "end":
        builder.flush(index)
        close = bare.find("}")
        if "{abstract" in bare[: close + 1]:
            builder.outline.set_role("other", "")
        elif "{thebibliography" in bare[: close + 1]:
            builder.outline.set_role("appendix", "")
        return builder.resume(start + close + 1) if close > 0 else index + 1
    if name == "item":
        item = _ITEM.match(bare)
        builder.flush(index)
        builder.first = index
        builder.offset = start + (item.end() if item else 0)
        # Pandoc writes a reference list as a list of items.
        builder.kind = "reference" if builder.outline.role == "references" else "list-item"
        builder.in_list = True
        return index + 1
    if name == "bibitem":
        builder.flush(index)
        if builder.outline.role != "references":
            builder.outline.set_role("references", "")
        return index
    if name == "documentclass":
        builder.flush(index)
        begin = builder.find("\\begin{document}", start)
        if begin >= 0:
            end = begin + len("\\begin{document}")
            builder.add("front-matter", start, end)
            return builder.resume(end)
        blank = builder.blank_from(index)
        builder.add("front-matter", start, builder.line_end(blank - 1))
        return blank
    if name == "abstract" and "{" in bare:
        return _section_body(builder, index, start + match.end())
    if name == "appendix":
        builder.flush(index)
        builder.outline.set_role("appendix", "")
        builder.outline.references_seen = True
        return index + 1
    if _SILENT.match(bare):
        builder.flush(index)
        return index + 1
    if name in _FRONT or name == "caption":
        brace = builder.text.find("{", start, start + 200)
        end = _brace_end(builder.text, brace) if brace >= 0 else -1
        if end >= 0:
            builder.flush(index)
            builder.add("figure" if name == "caption" else "front-matter", start, end)
            return builder.resume(end)
    return index


def _section(builder: Builder, index: int, at: int, level: int) -> int:
    text = builder.text
    short = text.find("]", at, at + 200) if text[at : at + 1] == "[" else -1
    brace = short + 1 if short >= 0 else at
    end = _brace_end(text, brace) if text[brace : brace + 1] == "{" else -1
    if end < 0:
        return index
    builder.flush(index)
    builder.add_heading(brace + 1, end - 1, level, may_be_title=False)
    label = _LABEL.match(text, end)
    following = label.end() if label else end
    if "\n" in text[end:following]:
        following = end + len(text[end:following].split("\n")[0])
    return builder.resume(following)


def _section_body(builder: Builder, index: int, at: int) -> int:
    """Add an ``\\abstract{...}`` command: its argument is prose."""
    end = _brace_end(builder.text, at)
    if end < 0:
        return index
    builder.flush(index)
    builder.outline.set_role("abstract", "")
    builder.add("paragraph", at + 1, end - 1)
    builder.outline.set_role("other", "")
    return builder.resume(end)


def _begin(builder: Builder, index: int, start: int, bare: str) -> int:
    match = _BEGIN.match(bare)
    if match is None:
        return index
    builder.flush(index)
    name = match[1]
    kind = _ENVIRONMENTS.get(name.rstrip("*"))
    if kind is not None:
        closer = f"\\end{{{name}}}"
        close = builder.find(closer, start)
        if close >= 0 and not (
            close - start > 2000
            and kind != "code"
            and re.search(r"\n[ \t]*\\(?:sub)*section\b", builder.text[start:close])
        ):
            builder.add(kind, start, close + len(closer))
            return builder.resume(close + len(closer))
        blank = builder.blank_from(index)
        builder.add(kind, start, builder.line_end(blank - 1))
        return blank
    if name == "abstract":
        builder.outline.set_role("abstract", "")
    elif name == "thebibliography":
        builder.outline.set_role("references", "")
    elif name == "appendices":
        builder.outline.set_role("appendix", "")
    arguments = _ARGUMENTS.match(builder.text, start + match.end())
    return builder.resume(arguments.end() if arguments else start + match.end())
