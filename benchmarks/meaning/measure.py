"""Measure the gates of meaning on `pairs.tsv`: `python -m benchmarks.meaning.measure`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from revkit.english import table_rows
from revkit.grammar import parser_available
from revkit.model.sentences import count_words
from revkit.stats import wilson_interval

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


Gate = Callable[[str, str], bool]


def pairs() -> list[Pair]:
    """All pairs, in the order of the file."""
    return [Pair(**row) for row in table_rows(_FOLDER / "pairs.tsv")]


def gates() -> dict[str, Gate]:
    """The gates by name; each states whether (old, new) passes."""
    from revkit_robustrev.claims import claim_changes
    from revkit_robustrev.rewriting.faults import Sheet
    from revkit_robustrev.rewriting.llm_paraphrase import paraphrase_fault, reworded_fault

    found: dict[str, Gate] = {
        "same-claim, words alone": lambda old, new: not claim_changes(old, new, parser=False)
    }
    if parser_available():
        found["same-claim, with the parser"] = lambda old, new: not claim_changes(old, new)
    text = "\n".join(pair.sentence for pair in pairs())
    sheet = Sheet(text, "")
    found["llm-paraphrase"] = lambda old, new: paraphrase_fault(sheet, old, new) is None
    found["llm-length"] = lambda old, new: reworded_fault(sheet, old, new) is None
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
    for name, gate in gates().items():
        for part in ("develop", "held-back"):
            rows = [pair for pair in pairs() if pair.part == part]
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
    words = [count_words(pair.sentence, 0, len(pair.sentence)) for pair in pairs()]
    print(f"{len(words)} sentences, {sum(words) / len(words):.1f} words in the mean")


def _rate(count: int, total: int) -> str:
    interval = wilson_interval(count, total)
    low, high = interval.low or 0.0, interval.high or 0.0
    return f"{count}/{total} ({100 * count / total:.0f}% [{100 * low:.0f}, {100 * high:.0f}])"


if __name__ == "__main__":
    main()
