"""``revkit bank mark`` and ``revkit bank probe``: watermark anchors, and search replies for
watermarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from revkit.contracts import ExperimentView, Exported
from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.figures.numbers import stated_p
from revkit.files.run_files import records_file
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.model.values import Json
from revkit.options import option
from revkit_asc.bank.anchor import Bank, write_bank
from revkit_asc.bank.anchor_openings import opening_of
from revkit_asc.bank.custody import BANK_FILE, CustodyTask, as_text, check_secret, secret_of
from revkit_asc.bank.custody_rotation import marked
from revkit_asc.bank.leakage import ProbeReply, probe_replies
from revkit_asc.bank.watermark import secret_digest, sites

LARGEST = 200_000_000
# Fewer sites can never reach a p below 1 %: 2^-6 is 1.6 %.
FEWEST_SITES = 7


@dataclass(frozen=True)
class BankMark(CustodyTask):
    """Watermark the texts of a bank: a secret decides between synonyms.

    Marking again with the same secret changes nothing. A bank that was marked with another secret
    is refused. Read what changed before you use an anchor: the pairs of words fit nearly every
    sentence, not all.
    """

    name: ClassVar[str] = "bank-mark"
    version: ClassVar[str] = "1"
    file: ClassVar[str] = BANK_FILE
    secret_env: str = option(
        "REVKIT_BANK_SECRET", help="Environment variable with the secret of the watermarks."
    )

    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        secret = secret_of(self.secret_env, self.name)
        check_secret(bank, secret)
        anchors = [marked(anchor, secret) for anchor in bank.anchors]
        changed = sum(a.text != b.text for a, b in zip(anchors, bank.anchors, strict=True))
        few = [anchor.id for anchor in anchors if len(sites(anchor.text)) < FEWEST_SITES]
        new = replace(bank.with_anchors(anchors), secret_digest=secret_digest(secret))
        summary = f"{len(anchors)} anchors marked; {changed} texts changed."
        if few:
            summary += (
                f"\n{len(few)} have fewer than {FEWEST_SITES} marked words, too few to be detected "
                f"alone: {', '.join(few[:5])}{' ...' if len(few) > 5 else ''}."
            )
        return write_bank(new), Exported(summary, {"changed": changed, "few_sites": list(few)})


@dataclass(frozen=True)
class BankProbe(CustodyTask):
    """Search the replies of agents for watermarks of anchors that the agents should not know.

    `--replies` is a file in JSON Lines with `id` (an anchor), `text` (the reply), and if known
    `agent` and `given` (what of the anchor the agent was shown), or the folder of a run over the
    corpus `anchor-openings`, which shows agents the title and the first sentence of each anchor.
    A reply to a whole anchor quotes it, and says nothing.
    """

    name: ClassVar[str] = "bank-probe"
    version: ClassVar[str] = "1"
    file: ClassVar[str] = "probe.json"
    replies: str = option("", help="File of replies, or folder of a run over `anchor-openings`.")
    secret_env: str = option(
        "REVKIT_BANK_SECRET", help="Environment variable with the secret of the watermarks."
    )
    level: float = option(
        0.01, help="p-value, after Holm's correction over agents, below which the command fails.",
        minimum=1e-9, maximum=0.5,
    )  # fmt: skip

    def carry_out(self, bank: Bank, experiment: ExperimentView) -> tuple[str, Exported]:
        from revkit.stats import holm

        if not self.replies:
            raise OptionError(self.name, [("replies", "name a file of replies, or a run")])
        secret = secret_of(self.secret_env, self.name)
        check_secret(bank, secret)
        by_agent = read_replies(Path(self.replies), bank)
        found = {agent: probe_replies(replies, secret) for agent, replies in by_agent.items()}
        adjusted = holm([each.p for each in found.values()])
        rows: list[Json] = []
        lines, leaks = [], 0
        for (agent, each), p in zip(found.items(), adjusted, strict=True):
            leaks += p is not None and p < self.level
            rows.append(
                {
                    "agent": agent,
                    "replies": len(by_agent[agent]),
                    "sites": each.sites,
                    "agreements": each.agreements,
                    "p": each.p,
                    "p_holm": p,
                }
            )
            lines.append(
                f"{agent or 'agent'}: {each.agreements} of {each.sites} words agree with the marks "
                f"in {len(by_agent[agent])} replies, {stated_p(p)}"
                + ("; it knows anchors" if p is not None and p < self.level else "")
            )
        value: dict[str, Json] = {"bank": bank.name, "level": self.level, "agents": rows}
        return as_text(value), Exported("\n".join(lines), value, failed=leaks > 0)


def read_replies(place: Path, bank: Bank) -> dict[str, list[ProbeReply]]:
    """Return the replies by agent. Raises `RunError` with the line number for an unknown anchor or
    an invalid row, and if there are no replies.
    """
    marks: Mapping[str, str] = {anchor.id: anchor.watermark for anchor in bank.anchors}
    given = {anchor.id: opening_of(anchor) for anchor in bank.anchors}
    found: dict[str, list[ProbeReply]] = {}
    for where, row in _rows(place):
        name, text = row.get("id"), row.get("text")
        if not isinstance(name, str) or not isinstance(text, str):
            raise RunError(f"{where}: id and text must be strings")
        if not marks.get(name):
            what = "has no watermark" if name in marks else "is not in the bank"
            raise RunError(f"{where}: anchor {name[:60]!r} {what}")
        shown, agent = row.get("given", given[name]), row.get("agent", "")
        if not isinstance(shown, str) or not isinstance(agent, str):
            raise RunError(f"{where}: given and agent must be strings")
        found.setdefault(agent, []).append(ProbeReply(marks[name], text, shown))
    if not found:
        raise RunError(f"{place}: no reply")
    return found


def _rows(place: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the rows of a file of replies, or of the reviews of a run."""
    folder = place.is_dir()
    path = records_file(place, "outcomes") if folder else place
    try:
        if path.stat().st_size > LARGEST:
            raise RunError(f"{path}: larger than {LARGEST} bytes")
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        hint = (
            "; name the folder of a finished run over the corpus anchor-openings" if folder else ""
        )
        raise RunError(f"{path}: {error.strerror or error}{hint}") from None
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = strict_json(line)
        except NotStrictJson as error:
            raise RunError(f"{where}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise RunError(f"{where}: not an object")
        if not folder:
            yield where, row
        elif not row.get("perturbation") and not row.get("failure"):
            yield (
                where,
                {
                    "id": row.get("paper"),
                    "agent": row.get("agent"),
                    "text": row.get("text") or "",
                },
            )
