"""One chart of a run as an object that a notebook shows and that is saved as a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from revkit.contracts import Reporter, RunView
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.registry import load_registry

REPORTER = "paper"


@dataclass(frozen=True)
class ChartFile:
    """A chart of a finished run: ``svg`` and ``pdf`` are complete files; ``pdf`` is "" if
    the chart has no PDF."""

    name: str
    svg: str
    pdf: str
    caption: str

    def save(self, path: str | Path) -> Path:
        """Write the chart to a new or existing file; its ending, ``.svg`` or ``.pdf``, decides the
        format. Raises `RunError` for another ending, or if the file cannot be written.
        """
        target = Path(path)
        text = {".svg": self.svg, ".pdf": self.pdf}.get(target.suffix.lower(), "")
        if not text:
            raise RunError(f"{target}: a chart is saved as .svg or .pdf")
        try:
            target.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise RunError(f"{target} cannot be written: {error.strerror or error}") from error
        return target

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"ChartFile({self.name!r}, {len(self.svg):,} characters of SVG)"


def chart_of(view: RunView, table: str, number: int = 1) -> ChartFile:
    """Return chart ``number`` (from 1) of a table of ``view``, as the reporter `paper` draws it.

    Raises `RunError` if the table does not exist, or has no such chart.
    """
    tables = [each for each in view.tables if each.name == table]
    if not tables:
        names = ", ".join(each.name for each in view.tables)
        raise RunError(f"this run has no table {table!r}; it has {names}")
    reporter = load_registry().get("reporter", REPORTER).component()
    assert isinstance(reporter, Reporter)
    files = reporter.render(replace(view, tables=tables))
    stem = f"{REPORTER}/{table}-{number}"
    if f"{stem}.svg" not in files:
        raise RunError(f"table {table!r} has {_count(list(files), table)}, so there is no {number}")
    captions = files[f"{REPORTER}/captions.md"].splitlines()
    caption = next(line for line in captions if f"`{table}-{number}.svg`" in line)
    return ChartFile(
        f"{table}-{number}",
        files[f"{stem}.svg"],
        files.get(f"{stem}.pdf", ""),
        caption.partition(": ")[2],
    )


def _count(files: Sequence[str], table: str) -> str:
    charts = sum(name.startswith(f"{REPORTER}/{table}-") for name in files if name.endswith(".svg"))
    return f"{charts} chart{'' if charts == 1 else 's'}"
