"""A paper as a file: Markdown, plain text, TeX, PDF or Word.

The renderer is part of the result (one tool saw two tables in a TeX file and none in the PDF of
the same paper), so every review names it. The same paper gives the same bytes. Each format with a
layout is written in the layout that the paper names (`revkit_external.rendering.layouts`).
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from revkit.errors import RunError
from revkit.model.paper import Paper
from revkit.model.paper_file import LAID_OUT, PaperFile
from revkit.model.values import Json

# The libraries that make each format. Their versions are part of the key of a stored review.
LIBRARIES = {
    "md": (),
    "txt": ("markdown-it-py", "mdit-py-plugins"),
    "tex": ("markdown-it-py", "mdit-py-plugins"),
    "pdf": ("reportlab", "markdown-it-py", "mdit-py-plugins"),
    "docx": ("python-docx", "markdown-it-py", "mdit-py-plugins"),
}
# Counts the changes of a writer here that change a file.
OWN = {"tex": "2"}


def renderer(format: str) -> str:
    """Return name and version of the renderer for ``format``. Raises `RunError` if it is not
    installed.
    """
    parts = [f"revkit-{format} {OWN.get(format, '1')}"] if format != "md" else ["as it is"]
    for library in LIBRARIES[format]:
        try:
            parts.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            raise RunError(
                f"a paper as {format} needs {library}; install it with: "
                'pip install "revkit[external]"'
            ) from None
    return ", ".join(parts)


def render(paper: Paper, format: str, path: Path) -> Json:
    """Write ``paper`` to ``path``; return the renderer and notes on what it could not show.

    The file that the paper was read from is copied, if ``format`` is its format.
    """
    if paper.file is not None and paper.file.format == format:
        return _copied(paper.file, path)
    made = renderer(format)
    notes: list[str] = []
    if format == "md":
        path.write_text(paper.text, encoding="utf-8", newline="")
        return {"renderer": made, "notes": notes}
    from revkit_external.rendering.elements import elements
    from revkit_external.rendering.layouts import page_layout

    layout = page_layout(paper.layout)
    parts = elements(paper.text)
    if format == "txt":
        from revkit_external.rendering.plain import to_text

        path.write_text(to_text(parts), encoding="utf-8", newline="\n")
    elif format == "tex":
        from revkit_external.rendering.tex import to_tex

        path.write_text(to_tex(parts, layout), encoding="utf-8", newline="\n")
    elif format == "docx":
        from revkit_external.rendering.docx import write_docx

        notes = write_docx(parts, path, layout)
    else:
        from revkit_external.rendering.pdf import write_pdf

        notes = write_pdf(parts, path, layout)
    named: dict[str, Json] = {"renderer": made, "notes": [*notes]}
    if paper.layout and format in LAID_OUT:
        named["layout"] = paper.layout
    return named


def _copied(file: PaperFile, path: Path) -> Json:
    try:
        path.write_bytes(file.content())
    except (OSError, ValueError) as error:
        raise RunError(f"the file of a paper cannot be handed over: {error}") from None
    return {"renderer": "none: the file of the paper", "notes": [], "sha256": file.digest}
