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
