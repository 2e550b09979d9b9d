"""The defense citation-existence: 60 references against an index of 100,000 works."""

from __future__ import annotations

import json
import random
import tempfile
import time
from functools import cache
from pathlib import Path

from benchmarks.measure import table
from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.work import Work
from revkit_defenses.citation_existence import CitationExistence

WORKS = 100_000
REFERENCES = 60
KNOWN = 2 / 3


@cache
def _words() -> tuple[str, ...]:
    rng = random.Random(1)
    return tuple(
        "".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
        for _ in range(12_000)
    )


@cache
def works() -> tuple[Work, ...]:
    """Works of invented words; family names are as frequent as ranks in a language are."""
    rng = random.Random(2)
    words = _words()
    names = [word.capitalize() for word in words[:9_000]]
    weights = [1 / (rank + 20) for rank in range(len(names))]
    drawn = iter(rng.choices(names, weights, k=5 * WORKS))
    return tuple(
        Work(
            " ".join(rng.choices(words, k=rng.randint(6, 11))).capitalize(),
            tuple(f"{rng.choice('ABCDEFGH')}. {next(drawn)}" for _ in range(rng.randint(1, 5))),
            rng.randint(1990, 2025),
        )
        for _ in range(WORKS)
    )


def entries(number: int) -> list[str]:
    """So many entries; two thirds of them name works of the index, the others invented ones."""
    rng = random.Random(3)
    known = round(number * KNOWN)
    found = [
        f"{', '.join(work.authors)}. {work.title}. In Proceedings of X, {work.year}."
        for work in rng.sample(works(), known)
    ]
    found += [
        f"{', '.join(work.authors)}. {' '.join(rng.choices(_words(), k=8))}. In Proceedings of X, "
        f"{work.year}."
        for work in rng.sample(works(), number - known)
    ]
    return found


def _paper(number: int) -> Paper:
    lines = "\n\n".join(f"[{place}] {entry}" for place, entry in enumerate(entries(number), 1))
    return Paper("p", f"# T\n\n## 1 Introduction\n\nIt is known [1].\n\n## References\n\n{lines}\n")


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index.jsonl"
        lines = (
            json.dumps({"title": w.title, "authors": list(w.authors), "year": w.year})
            for w in works()
        )
        path.write_text("\n".join(lines), "utf-8")
        defense = CitationExistence(index=(str(path),))
        ctx = Context()
        started = time.process_time()
        defense.check(_paper(3), ctx)
        reading = time.process_time() - started
        papers = [_paper(REFERENCES) for _ in range(5)]
        times = []
        for paper in papers:
            assert len(paper.references) == REFERENCES
            started = time.process_time()
            checked = defense.check(paper, ctx)
            times.append(time.process_time() - started)
        found = sum(each.outcome == "found" for each in checked)
    table(
        ("step", "CPU"),
        [
            (f"reading and indexing {WORKS:,} works, once a run", f"{reading:.1f} s"),
            (f"checking a paper with {REFERENCES} references", f"{sorted(times)[2]:.2f} s"),
            ("the first such paper", f"{times[0]:.2f} s"),
            ("references found", f"{found} of {round(REFERENCES * KNOWN)} known"),
        ],
    )


if __name__ == "__main__":
    main()
