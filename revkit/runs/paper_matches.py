"""Which papers two runs share: by the digest of title and text, not by id."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.records import PaperRow
from revkit.model.values import Json


@dataclass(frozen=True)
class PaperMatch:
    """The papers of two runs: ``shared`` gives, by the id in the first, the id in the second.

    ``changed`` lists ids that both have with different texts; they are not shared.
    """

    shared: dict[str, str]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    changed: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "shared": len(self.shared),
            "only_first": len(self.only_first),
            "only_second": len(self.only_second),
            "changed": len(self.changed),
        }


def match_papers(first: Sequence[PaperRow], second: Sequence[PaperRow]) -> PaperMatch:
    """Pair each paper of ``first`` with the one of ``second`` that has the same title and text.

    Of several copies of one text, those with the same id are paired first, then the others in
    their order. Papers without a digest are paired by their ids.
    """
    left = {(row.digest, row.id): row.id for row in second}
    shared: dict[str, str] = {}
    for row in first:
        if (row.digest, row.id) in left:
            shared[row.id] = left.pop((row.digest, row.id))
    copies: dict[str, list[str]] = {}
    for digest, name in left:
        if digest:
            copies.setdefault(digest, []).append(name)
    for row in first:
        if row.id not in shared and copies.get(row.digest):
            shared[row.id] = copies[row.digest].pop(0)
    taken = set(shared.values())
    alone = [row.id for row in first if row.id not in shared]
    others = [row.id for row in second if row.id not in taken]
    changed = set(alone) & set(others)
    return PaperMatch(shared, tuple(alone), tuple(others), tuple(sorted(changed)))
