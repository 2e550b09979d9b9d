"""Readings: paragraphs of real papers with and without a planted sentence, to be read blind.

    python -m benchmarks.attack_readings draw FOLDER    write paragraphs.txt, and key.tsv apart
    python -m benchmarks.attack_readings                print the table of the labels that were kept

A reader gets paragraphs.txt alone, and writes for each number the first words of a sentence that
looks added ("-" for none) and whether the paragraph reads naturally. The labels that were kept are
in benchmarks/readings/attacks.tsv.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.measure import ROOT
from revkit import Paper
from revkit.contracts import Perturbation
from revkit.model import Rejection
from revkit.stats import wilson_interval
from revkit.testing import context
from revkit_attacks.misleading_information import MisleadingInformation
from revkit_attacks.niche_terminology import NicheTerminology
from revkit_attacks.presentation import Presentation
from revkit_attacks.scattered_information import ScatteredInformation
from revkit_attacks.volunteered_limitations import VolunteeredLimitations

PAPERS = ROOT.parent / "shared" / "data" / "markdown_papers"
LABELS = ROOT / "benchmarks" / "readings" / "attacks.tsv"
SEED = 20261129
ATTACKED, UNTOUCHED = 50, 25
MEANS = ("framing", "novelty", "assertion", "authority", "positioning", "discussion")
WORDS = 40, 220


class Read(NamedTuple):
    """One paragraph: the kind of its edit ("" for none), its paper, and the planted text."""

    kind: str
    paper: str
    planted: str
    paragraph: str


def families(rng: Random) -> Perturbation:
    """One offline attack, each kind with the same chance; `presentation` has two chances."""
    kind = rng.randrange(6)
    if kind < 2:
        return Presentation(means=rng.choice(MEANS))
    return (
        MisleadingInformation(count=1),
        ScatteredInformation(count=1),
        VolunteeredLimitations(mode="add"),
        NicheTerminology(count=1),
    )[kind - 2]


def paragraph_at(text: str, place: int) -> str:
    """The paragraph of ``text`` around ``place``."""
    start = text.rfind("\n\n", 0, place) + 2 if "\n\n" in text[:place] else 0
    end = text.find("\n\n", place)
    return text[start : end if end >= 0 else len(text)].strip()


def fits(paragraph: str) -> bool:
    return WORDS[0] <= len(paragraph.split()) <= WORDS[1] and not paragraph.startswith(("#", "|"))


def attacked(papers: list[Paper], rng: Random) -> Iterator[Read]:
    while True:
        paper, family = rng.choice(papers), families(rng)
        edits = family.perturb(paper, context(rng.randrange(10**9)))
        if isinstance(edits, Rejection):
            continue
        planting = [edit for edit in edits if len(edit.new.split()) > 4]
        if not planting:
            continue
        edit = rng.choice(planting)
        text = paper.text[: edit.start] + edit.new + paper.text[edit.end :]
        place = edit.start + len(edit.new) - len(edit.new.lstrip())
        if fits(paragraph_at(text, place)):
            yield Read(type(family).name, paper.id, edit.new.strip(), paragraph_at(text, place))


def untouched(papers: list[Paper], rng: Random) -> Iterator[Read]:
    while True:
        paper = rng.choice(papers)
        blocks = [b for b in paper.blocks if b.is_prose and b.kind == "paragraph"]
        block = rng.choice(blocks)
        paragraph = paper.text[block.start : block.end].strip()
        if fits(paragraph):
            yield Read("", paper.id, "", paragraph)


def draw(folder: Path) -> None:
    """Write the paragraphs in random order, and what is planted in them apart."""
    rng = Random(SEED)
    papers = [Paper(p.stem, p.read_text(encoding="utf-8")) for p in sorted(PAPERS.glob("*.md"))]
    made, plain = attacked(papers, rng), untouched(papers, rng)
    rows = [next(made) for _ in range(ATTACKED)] + [next(plain) for _ in range(UNTOUCHED)]
    rng.shuffle(rows)
    folder.mkdir(parents=True, exist_ok=True)
    shown = [f"{number}. {' '.join(row.paragraph.split())}\n" for number, row in enumerate(rows, 1)]
    (folder / "paragraphs.txt").write_text("\n".join(shown), encoding="utf-8")
    with (folder / "key.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        for number, row in enumerate(rows, 1):
            planted = " ".join(row.planted.split())
            writer.writerow([number, row.kind or "untouched", row.paper, planted])


def labels() -> list[dict[str, str]]:
    """The labels that were kept."""
    lines = [line for line in LABELS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def main() -> None:
    """Print for each kind how many paragraphs were noticed, and how many read naturally."""
    if sys.argv[1:2] == ["draw"]:
        draw(Path(sys.argv[2]))
        return
    rows = labels()
    kinds = sorted({row["kind"] for row in rows} - {"untouched"})
    groups = {kind: [row for row in rows if row["kind"] == kind] for kind in kinds}
    groups["all attacks"] = [row for row in rows if row["kind"] != "untouched"]
    groups["untouched"] = [row for row in rows if row["kind"] == "untouched"]
    print("| kind | paragraphs | noticed | reads naturally |")
    print("| --- | --- | --- | --- |")
    for kind, found in groups.items():
        cells = []
        for column in ("noticed", "natural"):
            count = sum(row[column] == "yes" for row in found)
            interval = wilson_interval(count, len(found))
            low, high = 100 * (interval.low or 0.0), 100 * (interval.high or 0.0)
            cells.append(f"{count} [{low:.0f}, {high:.0f}]")
        print(f"| {kind} | {len(found)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
