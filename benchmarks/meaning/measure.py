"""Measure the gates of meaning: `python -m benchmarks.meaning.measure [FOLDER]`.

`pairs.tsv` holds its sentences. Those of `fresh.tsv` are in papers outside the repository, in
FOLDER (by default `shared/data` beside it); without the folder they are not measured.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import ROOT
from revkit.english import table_rows
from revkit.grammar import parser_available
from revkit.model.intake import clean_text
from revkit.model.words import count_words
from revkit.stats import wilson_interval
from tests.plugins.revkit_reviewground.unseen import body, laid_out

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Pair:
    """A sentence, a change of its meaning, and a rewrite that keeps it."""

    part: str
    kind: str
    source: str
    sentence: str
    change: str
    rewrite: str

    @property
    def changed_rewrite(self) -> str:
        """The rewrite with the change; "" where it does not hold the changed words once."""
        old, new = _fragments(self.sentence, self.change)
        return self.rewrite.replace(old, new) if old and self.rewrite.count(old) == 1 else ""


def _fragments(old: str, new: str) -> tuple[str, str]:
    """The words in which two texts differ, without those that both begin and end with."""
    before, after = old.split(" "), new.split(" ")
    shortest = min(len(before), len(after))
    front = 0
    while front < shortest and before[front] == after[front]:
        front += 1
    back = 0
    while back < shortest - front and before[-1 - back] == after[-1 - back]:
        back += 1
    return " ".join(before[front : len(before) - back]), " ".join(after[front : len(after) - back])


@dataclass(frozen=True)
class FreshPair(Pair):
    """A pair whose change within the rewrite was written with it."""

    within: str

    @property
    def changed_rewrite(self) -> str:
        """The rewrite with the change that was written for it."""
        return self.within


def fresh_pairs(folder: Path) -> list[FreshPair]:
    """The pairs of `fresh.tsv`, with their sentences from the papers in ``folder``.

    Raises `ValueError` where a place does not hold the sentence of its row.
    """
    found = []
    for row in table_rows(_FOLDER / "fresh.tsv"):
        at = int(row["at"])
        raw = (folder / row["paper"]).read_bytes().decode("utf-8", "replace")
        text = clean_text(laid_out(raw) if row["paper"].endswith(".json") else raw)[0]
        sentence = " ".join(body(text)[at : at + int(row["length"])].split())
        if sentence.count(row["old"]) != 1 or row["rewrite"].count(row["within_old"]) != 1:
            raise ValueError(f"{row['paper']}, character {at}: not the sentence of fresh.tsv")
        found.append(
            FreshPair(
                row["set"],
                row["kind"],
                row["paper"],
                sentence,
                sentence.replace(row["old"], row["new"]),
                row["rewrite"],
                row["rewrite"].replace(row["within_old"], row["within_new"]),
            )
        )
    return found


Gate = Callable[[str, str], bool]


def pairs() -> list[Pair]:
    """All pairs, in the order of the file."""
    return [Pair(**row) for row in table_rows(_FOLDER / "pairs.tsv")]


def gates(known: Sequence[Pair]) -> dict[str, Gate]:
    """The gates by name; each states whether (old, new) passes. ``known`` are the sentences of the
    paper, whose names a rewording may use."""
    from revkit_robustrev.claim_signs import claim_changes
    from revkit_robustrev.rewriting.faults import Sheet
    from revkit_robustrev.rewriting.length_faults import condensed_fault
    from revkit_robustrev.rewriting.llm_paraphrase import paraphrase_fault, reworded_fault
    from revkit_robustrev.rewriting.merged_faults import merged_fault

    found: dict[str, Gate] = {
        "same-claim, words alone": lambda old, new: not claim_changes(old, new, parser=False)
    }
    if parser_available():
        found["same-claim, with the parser"] = lambda old, new: not claim_changes(old, new)
    text = "\n".join(pair.sentence for pair in known)
    sheet = Sheet(text, "")
    found["llm-paraphrase"] = lambda old, new: paraphrase_fault(sheet, old, new) is None
    found["llm-length"] = lambda old, new: merged_fault(sheet, old, new) is None
    found["llm-length, version 3"] = lambda old, new: condensed_fault(sheet, old, new) is None
    found["llm-length, version 2"] = lambda old, new: reworded_fault(sheet, old, new) is None
    found["cosine below 0.05"] = _cosine()
    return found


def _cosine() -> Gate:
    from revkit_embedders.sentence_transformer import SentenceTransformerEmbedder

    embedder = SentenceTransformerEmbedder()

    def near(old: str, new: str) -> bool:
        one, other = embedder.embed([old, new]).astype("float64")
        return bool(1 - float(one @ other) < 0.05)

    return near


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "data"
    known: list[Pair] = [*pairs(), *(fresh_pairs(folder) if folder.is_dir() else [])]
    for name, gate in gates(known).items():
        for part in dict.fromkeys(pair.part for pair in known):
            rows = [pair for pair in known if pair.part == part]
            missed = [pair for pair in rows if gate(pair.sentence, pair.change)]
            kept = sum(gate(pair.sentence, pair.rewrite) for pair in rows)
            within = [pair for pair in rows if pair.changed_rewrite]
            hidden = sum(gate(pair.sentence, pair.changed_rewrite) for pair in within)
            print(
                f"{name}, {part}: changes that pass {_rate(len(missed), len(rows))}, "
                f"rewrites that pass {_rate(kept, len(rows))}, "
                f"changes within a rewrite {_rate(hidden, len(within))}; "
                f"missed {dict(Counter(pair.kind for pair in missed))}"
            )
    words = [count_words(pair.sentence, 0, len(pair.sentence)) for pair in known]
    print(f"{len(words)} sentences, {sum(words) / len(words):.1f} words in the mean")


def _rate(count: int, total: int) -> str:
    interval = wilson_interval(count, total)
    low, high = interval.low or 0.0, interval.high or 0.0
    return f"{count}/{total} ({100 * count / total:.0f}% [{100 * low:.0f}, {100 * high:.0f}])"


if __name__ == "__main__":
    main()
