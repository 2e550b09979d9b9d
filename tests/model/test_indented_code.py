"""Indented code and Pandoc's tables, and indented prose, which they are not."""

from __future__ import annotations

import pytest

from revkit.model import Paper

WORDS = "This is a sentence that we write, and it may be of use to the reader."
HEAD = f"# Gates\n\n## Introduction\n\n{WORDS}\n\n{WORDS}\n\n{WORDS}\n\n{WORDS}\n\n"


def parts(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in Paper("a", text).blocks]


@pytest.mark.parametrize(
    ("before", "code"),
    [
        (f"{WORDS}\n\n", f"    {WORDS}"),
        (f"{WORDS}\n\n", f"\t{WORDS}\n\t{WORDS}"),
        (f"{WORDS}\n\n", f"    # {WORDS}\n    {WORDS}"),
        (f"1. {WORDS}\n\n", f"        {WORDS}"),
        (f"- {WORDS}\n\n", f"      {WORDS}"),
        ("We write this::\n\n", f"    {WORDS}"),
    ],
    ids=["blanks", "tab", "comment", "numbered", "bullet", "colons"],
)
def test_an_indented_paragraph_of_markdown_is_code(before: str, code: str) -> None:
    found = parts(f"{HEAD}{before}{code}\n\n{WORDS}\n")
    assert found[-2:] == [("code", code.strip()), ("paragraph", WORDS)]


@pytest.mark.parametrize(
    "text",
    [
        # A paragraph of a list item, and of an item within an item.
        f"{HEAD}1. {WORDS}\n\n    {WORDS}\n",
        f"{HEAD}- {WORDS}\n    - {WORDS}\n\n        {WORDS}\n",
        # Text without headings of Markdown.
        f"Introduction\n\n{WORDS}\n\n{WORDS}\n\n{WORDS}\n\n{WORDS}\n\n    {WORDS}\n",
        # A habit of the document.
        HEAD + f"    {WORDS}\n\n" * 5,
        # Only the first line of each paragraph is indented.
        f"{HEAD}    {WORDS}\n{WORDS}\n",
    ],
    ids=["item", "nested", "text", "habit", "first-line"],
)
def test_indented_prose_stays_prose(text: str) -> None:
    assert "code" not in [kind for kind, _ in parts(text)]
    assert Paper("a", text).words == sum(
        len(line.split()) - line.lstrip().startswith(("-", "1."))
        for line in text.splitlines()
        if WORDS in line
    )


RULES = "  ------------------  ------"
SIMPLE = f"  Name                Value\n{RULES}\n  It may help it      3\n  We may see it       4"
MULTILINE = (
    f"  {'-' * 30}\n  The name            The\n  of it               value\n{RULES}\n"
    f"  It may help\n  as we say           3\n\n  We may see it       4\n  {'-' * 30}"
)


@pytest.mark.parametrize(
    "table",
    [SIMPLE, f"{SIMPLE}\n{RULES}", f"{RULES}\n  It may help it      3\n{RULES}", MULTILINE],
    ids=["open", "closed", "headless", "multiline"],
)
def test_a_table_with_dashes_under_its_columns_is_a_table(table: str) -> None:
    found = parts(f"{HEAD}{table}\n\n{WORDS}\n")
    assert found[-2:] == [("table", table.strip()), ("paragraph", WORDS)]


@pytest.mark.parametrize("rule", ["-----", "- - -", "---", "-- --\n"])
def test_a_rule_makes_no_table(rule: str) -> None:
    found = parts(f"{HEAD}\n\n{rule}\n{WORDS if rule[-1] != chr(10) else ''}\n\n{WORDS}\n")
    assert "table" not in [kind for kind, _ in found]
