"""Reporters: write a finished run to the terminal, as Markdown, and as one HTML page.

They print what the metrics measured and compute no figures, so a number in a report is the number
in the table of the same name.
"""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_reporters(register: Register) -> None:
    """Register the reporters by module path; each module is imported only when it is used."""
    register("html = revkit_reports.html:Html")
    register("markdown = revkit_reports.markdown:MarkdownReport")
    register("paper = revkit_reports.paper:PaperFiles")
    register("terminal = revkit_reports.terminal:Terminal")
