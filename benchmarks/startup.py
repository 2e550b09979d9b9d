"""Start-up: the command line against a bare click program, and the import."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, median_process, process, python, table

BARE = '''
import click

@click.group()
def cli():
    """A bare program."""

@cli.command()
def hi():
    """Say hi."""

cli()
'''


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE)
        script = Path(python()[0]).with_name("revkit")
        spec = str(ROOT / "experiments" / "robust.yaml")
        commands = {
            "python -c pass": python("-c", "pass"),
            "bare click program --help": python(str(bare), "--help"),
            "revkit --help": [str(script), "--help"],
            "import revkit": python("-c", "import revkit"),
            "revkit validate experiments/robust.yaml": [str(script), "validate", spec],
            "revkit plan experiments/robust.yaml": [str(script), "plan", spec],
        }
        # In turn, so that a machine whose speed drifts slows all of them alike.
        for command in commands.values():
            process(command)
        costs = {name: median_process(command) for name, command in commands.items()}
    base = costs["bare click program --help"].cpu
    table(
        ("command", "CPU s", "against bare click", "peak MB"),
        [
            (name, f"{cost.cpu:.3f}", f"{cost.cpu / base:.2f}", f"{cost.peak:.0f}")
            for name, cost in costs.items()
        ],
    )
