"""The page on architecture states where behaviours are decided: each name is in its file."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"^\| .+? \| `(?P<file>[\w/.-]+\.\w+)`(?:, (?P<names>[^|]+))? \|$", re.MULTILINE)


def test_each_behaviour_is_where_the_page_says() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    part = page.partition("## Where behaviours are decided")[2].partition("\n## ")[0]
    rows = list(_ROW.finditer(part))
    assert len(rows) == part.count("\n| ") - 1 >= 12
    for row in rows:
        text = (ROOT / row["file"]).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)", row["names"] or ""):
            assert re.search(rf"\b{name}\b", text), (row["file"], name)
