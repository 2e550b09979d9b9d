"""Marks: what every file of an attack states about itself, on its first page and in its metadata.

No option removes them, and placebo files carry the same, so they do not separate the two.
"""

from __future__ import annotations

LINE = (
    "Test file made with revkit to evaluate programs that review papers. It was altered; "
    "do not submit it."
)
"""The line that a reader sees on the first page, or at the head of a text."""
KEY = "/RevkitTestFile"
"""The entry of a PDF's document information that marks a test file."""
VALUE = "altered to evaluate programs that review papers; not a submission"


def marked_text(text: str, syntax: str) -> str:
    """``text`` with the visible line and the metadata mark, in Markdown or LaTeX."""
    if syntax != "latex":
        head, rest = _front_matter(text)
        return f"---\nrevkit-test-file: {VALUE}\n{head}---\n\n> {LINE}\n\n{rest}"
    begin = text.find("\\begin{document}")
    note = f"% revkit-test-file: {VALUE}\n"
    if begin < 0:
        return f"{note}\\noindent\\textbf{{{LINE}}}\\par\n{text}"
    place = begin + len("\\begin{document}")
    return f"{note}{text[:place]}\n\\noindent\\textbf{{{LINE}}}\\par\n{text[place:]}"


def _front_matter(text: str) -> tuple[str, str]:
    """The lines of the text's own front matter, and what follows it."""
    if text.startswith("---\n"):
        end = text.find("\n---\n", 3)
        if end >= 0:
            return text[4 : end + 1], text[end + 5 :].lstrip("\n")
    return "", text
