"""Commands that protect a bank of anchors: ``revkit bank plan | rotate | mark | probe | check
SPEC``.

Each is an exporter: it reads the bank on which an experiment's maps are fitted, and writes one
file. So a custodian keeps one spec for the bank, runs it for the metrics `anchor-coverage` and
`anchor-leakage`, and names it in each command.
"""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal

from revkit.contracts import ExperimentView, Exported, Exporter
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.model.values import Json
from revkit.options import option
from revkit_asc.bank.anchor import Bank
from revkit_asc.bank.corpus import AnchorBank
from revkit_asc.bank.lines import QUARTER
from revkit_asc.bank.reader import read_bank
from revkit_asc.bank.watermark import secret_digest

BANK_FILE = "bank.jsonl"


@dataclass(frozen=True)
class CustodyTask(Exporter):
    """A task on the bank of an experiment."""

    verb: ClassVar[Literal["export", "bank"]] = "bank"
    folder: ClassVar[str] = "bank"
    file: ClassVar[str]
    bank: str = option(
        "", help="The bank. Default: the anchors of the experiment's calibration, in full."
    )

    def export(self, experiment: ExperimentView, folder: Path) -> Exported:
        """Do the task and write its file; other files in ``folder`` are left unchanged."""
        text, done = self.carry_out(self._bank(experiment), experiment)
        _write(folder, self.file, text)
        return done

    @abstractmethod
    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        """Return the content of the file, and the messages to print."""

    def _bank(self, experiment: ExperimentView) -> Bank:
        if self.bank:
            return read_whole(Path(self.bank))
        if isinstance(experiment.anchors, AnchorBank):
            found = experiment.anchors.read()
            if found.skipped:
                raise _irregular(found.skipped[0].source, found.skipped[0].reason)
            return found.bank
        raise RunError(
            f"the calibration of {experiment.name!r} has no anchors of the corpus 'anchor-bank'; "
            "add them, or name a bank with --bank"
        )


def read_whole(path: Path) -> Bank:
    """Read a bank and refuse it if a line was skipped: custody must not lose an anchor.

    Raises `RunError` for a file that cannot be read, and for an irregular line.
    """
    found = read_bank(path)
    if found.skipped:
        raise _irregular(found.skipped[0].source, found.skipped[0].reason)
    return found.bank


def _irregular(place: str, reason: str) -> RunError:
    return RunError(f"{place}: {reason}; correct the bank before you continue")


def secret_of(name: str, component: str) -> str:
    """Return the secret in the environment variable ``name``.

    Raises `OptionError` where it is not set or empty: a secret on the command line would remain in
    the history of the shell.
    """
    secret = os.environ.get(name, "")
    if not secret:
        text = (
            f"the environment variable {name!r} is not set; it must contain the secret of the "
            "watermarks"
        )
        raise OptionError(component, [("secret-env", text)])
    return secret


def check_secret(bank: Bank, secret: str) -> None:
    """Raise `RunError` if ``secret`` is not the secret of the bank's watermarks."""
    if bank.secret_digest and bank.secret_digest != secret_digest(secret):
        raise RunError(f"bank {bank.name!r} was marked with a different secret")


def check_quarter(quarter: str, component: str, place: str = "quarter") -> None:
    """Raise `OptionError` unless ``quarter`` is a quarter such as 2026-Q2."""
    if not QUARTER.fullmatch(quarter):
        text = f"expected a quarter such as 2026-Q2, not {quarter[:20]!r}"
        raise OptionError(component, [(place, text)])


def as_text(value: Mapping[str, Json]) -> str:
    """Return a report as JSON; equal reports give equal bytes."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{name}.part"
        part.write_text(text, encoding="utf-8", newline="\n")
        os.replace(part, folder / name)
    except OSError as error:
        raise RunError(f"{folder / name} cannot be written: {error.strerror or error}") from None
