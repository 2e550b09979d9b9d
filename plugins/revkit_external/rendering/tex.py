"""TeX: an article for pdfLaTeX, XeLaTeX or LuaLaTeX, with the paper's own mathematics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from revkit_external.rendering.elements import Element, Run, Runs, plain
from revkit_external.rendering.layouts import USUAL, PageLayout
from revkit_external.rendering.tex_floats import (
    CAPTION,
    Float,
    Part,
    ReferenceList,
    arranged,
    counts_itself,
)

_HEAD = r"""\documentclass%(options)s{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
\else
  \usepackage{fontspec}
\fi
\usepackage{amsmath,amssymb}
\setcounter{secnumdepth}{0}
%(more)s"""
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_SECTIONS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph", "subparagraph")
# What would end the mathematics and begin something else; such a formula is shown as text.
_OUTSIDE = re.compile(
    r"\\(?:input|include|write|openout|immediate|read|csname|catcode|def|end\{document\})|\\\)|\\\]|(?<!\\)[$%#]"
)


def to_tex(parts: Sequence[Element], layout: PageLayout = USUAL) -> str:
    """Return the document. A first heading of level 1 is its title; the others are sections by
    depth.
    """
    titled = bool(parts) and parts[0].kind == "heading" and parts[0].level == 1
    lines = [_head(layout)]
    body = list(parts[1:] if titled else parts)
    if titled:
        lines += [f"\\title{{{_runs(parts[0].runs)}}}", "\\author{}", "\\date{}"]
    lines.append("\\begin{document}")
    if titled:
        lines.append("\\maketitle")
    shift = 2 if titled and not any(p.kind == "heading" and p.level == 1 for p in body) else 1
    numbers = 0
    for part in arranged(body):
        numbers += isinstance(part, Float) and bool(part.caption)
        lines.append(_part(part, shift, numbers) + "\n")
    lines.append("\\end{document}\n")
    return "\n".join(lines)


def _head(layout: PageLayout) -> str:
    if layout == USUAL:
        return _HEAD % {"options": "", "more": ""}
    options = ["twocolumn"] * (layout.columns == 2) + ["12pt"] * (layout.size > 12)
    paper = "letterpaper" if layout.letter else "a4paper"
    # The line height of article is 1.2 times the size.
    more = f"\\linespread{{{layout.line_height / 1.2:.3g}}}\n" if layout.line_height > 1.2 else ""
    return _HEAD % {"options": f"[{','.join([*options, paper])}]", "more": more}


def _part(part: Part, shift: int, numbers: int) -> str:
    if isinstance(part, Float):
        return _float(part, numbers)
    if isinstance(part, ReferenceList):
        return _reference_list(part)
    return _element(part, shift)


def _float(part: Float, numbers: int) -> str:
    """Return a table in a float; ``numbers`` is the number that TeX gives to its caption."""
    caption = ""
    if part.caption:
        counted = part.number == str(numbers)
        runs = _without_number(part.caption) if counted else part.caption
        command = "\\caption" if counted else "\\caption[]"
        caption = f"{command}{{{_runs(runs)}}}\n\\label{{tab:{part.number}}}\n"
    return f"\\begin{{table}}[ht]\n\\centering\n{caption}{_table(part.table)}\n\\end{{table}}"


def _without_number(caption: Runs) -> Runs:
    text = plain(caption)
    left = len(text) - len(CAPTION.sub("", text.lstrip(), count=1))
    runs: list[Run] = []
    for run in caption:
        cut = min(left, len(run.text)) if run.style != "math" else 0
        left -= cut
        if run.text[cut:]:
            runs.append(replace(run, text=run.text[cut:]))
    return tuple(runs)


def _reference_list(part: ReferenceList) -> str:
    counted = counts_itself(part.entries)
    rows = []
    for number, (label, runs) in enumerate(part.entries, 1):
        own = f"[{_escape(label)}]" if label and not counted else ""
        rows.append(f"\\bibitem{own}{{ref{number}}} {_runs(runs)}")
    body = "\n\n".join(rows)
    return (
        f"\\renewcommand{{\\refname}}{{{_runs(part.title)}}}\n"
        f"\\begin{{thebibliography}}{{{len(rows)}}}\n\n{body}\n\n\\end{{thebibliography}}"
    )


def _element(part: Element, shift: int) -> str:
    if part.kind == "heading":
        depth = min(max(part.level - shift, 0), len(_SECTIONS) - 1)
        return f"\\{_SECTIONS[depth]}{{{_runs(part.runs)}}}"
    if part.kind == "code":
        text = part.text.replace("\\end{verbatim}", "\\end {verbatim}")
        return f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
    if part.kind == "math":
        inner = part.runs[0].text
        return _escape(f"$${inner}$$") if _unsafe(inner) else f"\\[\n{inner}\n\\]"
    if part.kind == "quote":
        return f"\\begin{{quote}}\n{_runs(part.runs)}\n\\end{{quote}}"
    if part.kind == "item":
        marker = "\\textbullet{}" if part.marker == "\u2022" else part.marker
        label = f"[{marker}]" if marker else "[]"
        left = f"{1.5 * part.level:g}em"
        return (
            f"\\begin{{list}}{{}}{{\\leftmargin={left}}}\n\\item{label} {_runs(part.runs)}\n"
            "\\end{list}"
        )
    return _runs(part.runs)


def _table(part: Element) -> str:
    width = max((len(row) for row in part.rows), default=1)
    rows = [" & ".join(_runs(cell) for cell in row) + r" \\" for row in part.rows]
    head = [*rows[:1], "\\hline"] if rows else []
    inner = "\n".join(["\\hline", *head, *rows[1:], "\\hline"])
    return f"\\begin{{tabular}}{{{'l' * width}}}\n{inner}\n\\end{{tabular}}"


def _runs(runs: Sequence[Run]) -> str:
    return "".join(_run(run) for run in runs)


def _run(run: Run) -> str:
    if run.style == "math":
        return _escape(f"${run.text}$") if _unsafe(run.text) else f"${run.text}$"
    text = _escape(run.text)
    if run.style == "code":
        text = f"\\texttt{{{text}}}"
    if run.bold:
        text = f"\\textbf{{{text}}}"
    return f"\\emph{{{text}}}" if run.italic else text


def _unsafe(formula: str) -> bool:
    depth = 0
    for mark in re.findall(r"\\.|[{}]", formula):
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth < 0:
            return True
    return depth != 0 or formula.endswith("\\") or _OUTSIDE.search(formula) is not None


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
