"""Lines of LaTeX source: sections, environments, items, and commands that are not prose."""

from __future__ import annotations

import re

from revkit.model.block_builder import Builder
from revkit.model.latex_source import ENVIRONMENTS, group_end

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
_FRONT = frozenset(
    str.split(
        "title author date affil affiliation institute email address icmltitle icmlauthor thanks"
        " keywords documentclass usepackage newcommand renewcommand providecommand def"
        " DeclareMathOperator newtheorem"
        " hypersetup graphicspath iclrfinalcopy maketitle institution titlerunning authorrunning"
        " runningtitle runningauthor icmltitlerunning"
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
    if name in _FRONT or name in ("caption", "captionof"):
        brace = builder.text.find("{", start, start + 200)
        end = group_end(builder.text, brace) if brace >= 0 else -1
        if name == "captionof" and end >= 0:
            # The first argument says what the caption is for.
            end = group_end(builder.text, end) if builder.text.startswith("{", end) else end
        if end >= 0:
            builder.flush(index)
            builder.add("front-matter" if name in _FRONT else "figure", start, end)
            return builder.resume(end)
    return index


def _section(builder: Builder, index: int, at: int, level: int) -> int:
    text = builder.text
    short = text.find("]", at, at + 200) if text[at : at + 1] == "[" else -1
    brace = short + 1 if short >= 0 else at
    end = group_end(text, brace) if text[brace : brace + 1] == "{" else -1
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
    end = group_end(builder.text, at)
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
    kind = ENVIRONMENTS.get(name.rstrip("*"))
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
