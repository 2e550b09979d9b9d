"""Run the benchmarks named on the command line, or all, and print one Markdown table each."""

from __future__ import annotations

import compileall
import sys
from importlib import import_module

from benchmarks.measure import ROOT, machine

NAMES = (
    "startup",
    "sentences",
    "evidence",
    "families",
    "attacks",
    "pdf",
    "scan",
    "written",
    "heuristics",
    "statistics",
    "stopping",
    "calibration",
    "default_run",
    "plan_check",
    "memory",
    "many_papers",
    "llm",
    "searchers",
    "citations",
    "reviewground",
)


def main(names: list[str]) -> int:
    """Run benchmarks by name; return an exit code."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"unknown benchmark {unknown[0]!r}; known: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    # As an installer does. Where Python may not write, each start would compile changed files anew.
    for room in ("revkit", "plugins"):
        compileall.compile_dir(ROOT / room, quiet=2)
    print(machine())
    for name in names or NAMES:
        module = import_module(f"benchmarks.{name}")
        print(f"\n## {(module.__doc__ or name).splitlines()[0]}\n", flush=True)
        module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
