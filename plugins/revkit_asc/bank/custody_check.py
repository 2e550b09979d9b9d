"""``revkit bank check``: the weekly check of a bank, as one command with an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from revkit.contracts import ExperimentView, Exported
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.strict_json import strict_json
from revkit.model.values import Json
from revkit.options import option
from revkit_asc.bank.anchor import Bank
from revkit_asc.bank.coverage import Thresholds, coverage
from revkit_asc.bank.custody import CustodyTask, as_text, check_quarter, check_secret, secret_of
from revkit_asc.bank.rotation import quarters_between
from revkit_asc.bank.watermark import agreements, sites, tail

# A text counts as marked if chance would agree so well with probability 1 % or less.
MARKED = 0.01


@dataclass(frozen=True)
class BankCheck(CustodyTask):
    """Check a bank: coverage, rotation, watermarks, and leakage in a finished run.

    It fails (exit code 1) if a stratum has too few anchors, if no anchor is of the quarter named by
    `--quarter` or the one before, if texts have lost their watermarks, or if `anchor-leakage` of
    the run in `--run` found an agent that knows old anchors.
    """

    name: ClassVar[str] = "bank-check"
    version: ClassVar[str] = "1"
    file: ClassVar[str] = "check.json"
    quarter: str = option(
        "", help="The current quarter, such as 2026-Q2, to detect a missed rotation."
    )
    run: str = option("", help="Folder of a run of the experiment with the metric anchor-leakage.")
    secret_env: str = option("", help="Environment variable with the secret, to check the marks.")
    level: float = option(
        0.05, help=(
            "p-value, after Holm's correction over agents, below which an agent counts as "
            "leaking."
        ),
        minimum=1e-9, maximum=0.5,
    )  # fmt: skip
    per_range: int = option(
        12, help="Required number of anchors in each tenth of the scale.", minimum=0
    )
    per_tier: int = option(30, help="Required number of anchors in each tier.", minimum=0)
    per_cell: int = option(
        5, help="Required number of anchors in each cell of tier and cluster.", minimum=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.quarter:
            check_quarter(self.quarter, self.name)

    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        checks = [self._coverage(bank), *self._rotation(bank), *self._marks(bank), *self._leaks()]
        rows: list[Json] = [
            {"check": name, "passed": passed, "finding": text} for name, passed, text in checks
        ]
        lines = [
            f"{'ok' if passed else 'FAILED':8}{name:10}{text}" for name, passed, text in checks
        ]
        failed = any(not passed for _, passed, _ in checks)
        value: dict[str, Json] = {"bank": bank.name, "anchors": len(bank.anchors), "checks": rows}
        return as_text(value), Exported("\n".join(lines), value, failed=failed)

    def _coverage(self, bank: Bank) -> tuple[str, bool, str]:
        thresholds = Thresholds(self.per_range, self.per_tier, self.per_cell)
        table = coverage([anchor.paper().labels for anchor in bank.anchors], thresholds)
        thin = [row for row in table.records() if row["thin"]]
        text = f"{len(thin)} of {len(table.rows)} strata have too few anchors"
        return "coverage", not thin, text

    def _rotation(self, bank: Bank) -> Iterator[tuple[str, bool, str]]:
        if not self.quarter:
            return
        latest = max((anchor.introduced for anchor in bank.anchors), default="")
        if not latest:
            yield "rotation", False, "no anchor states its quarter"
            return
        age = quarters_between(latest, self.quarter)
        yield "rotation", age <= 1, f"the latest anchors are from {latest}, {age} quarter(s) ago"

    def _marks(self, bank: Bank) -> Iterator[tuple[str, bool, str]]:
        if not self.secret_env:
            return
        secret = secret_of(self.secret_env, self.name)
        check_secret(bank, secret)
        lost = []
        for anchor in bank.anchors:
            found = sites(anchor.text)
            p = tail(agreements(found, secret, anchor.watermark), len(found))
            if not anchor.watermark or p > MARKED:
                lost.append(anchor.id)
        names = f": {', '.join(lost[:5])}{' ...' if len(lost) > 5 else ''}" if lost else ""
        text = f"{len(lost)} of {len(bank.anchors)} texts are not marked{names}"
        yield "marks", not lost, text

    def _leaks(self) -> Iterator[tuple[str, bool, str]]:
        if not self.run:
            return
        path = Path(self.run) / "tables" / "anchor-leakage.jsonl"
        try:
            rows = [strict_json(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except OSError as error:
            raise RunError(
                f"{path}: {error.strerror or error}; run the experiment with the metric "
                "anchor-leakage"
            ) from None
        except ValueError:
            raise RunError(f"{path}: not JSON Lines") from None
        tested = [row for row in rows if isinstance(row, dict) and row.get("p_holm") is not None]
        if not tested:
            yield "leakage", False, "no agent could be tested; see the notes of anchor-leakage"
            return
        leaking = [str(row["agent"]) for row in tested if float(row["p_holm"]) < self.level]
        who = ", ".join(leaking) or "no agent"
        yield "leakage", not leaking, f"{who} of {len(tested)} has smaller errors on old anchors"
