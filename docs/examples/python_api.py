"""revkit from Python, from one component to a whole experiment. Runs in a few seconds, offline."""

from __future__ import annotations

from dataclasses import dataclass

import revkit
from revkit import Agent, Context, Experiment, Paper, PerturbationStep, Review, Scale
from revkit.testing import context
from revkit_agents.citation_counter import CitationCounter
from revkit_agents.evidence_weigher import EvidenceWeigher
from revkit_corpora.synthetic import Synthetic
from revkit_robustrev.citation_injection import CitationInjection
from revkit_robustrev.constraints import SameNumbers
from revkit_robustrev.hedging import Hedging
from revkit_robustrev.metrics import METRICS

# A component alone: a paper, some edits, a variant.
paper = next(iter(Synthetic(papers_=1).papers(context(seed=3))))
edits = Hedging(mode="remove").perturb(paper, context(seed=1))
if isinstance(edits, revkit.Rejection):
    print("no variant:", edits.reason)
else:
    variant = paper.edited(edits)
    first = edits[0]
    print(
        f"{len(edits)} edits; the first: {paper.text[first.start : first.end]!r} -> {first.new!r}"
    )

    counter = CitationCounter(typical=10)
    before, after = (counter.review(each, context()) for each in (paper, variant))
    assert isinstance(before, Review)
    assert isinstance(after, Review)
    print(f"score {before.score:.0f} before, {after.score:.0f} after")


# Your own agent. In a script or a notebook a class is enough; no package, no hook.
@dataclass(frozen=True)
class TitleReader(Agent):
    """Accept papers whose title has at most eight words."""

    name = "title-reader"
    deterministic = True
    scale = Scale("words-1-100", 1, 100, higher_is_better=False, accept_at=8)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return the number of words."""
        words = float(min(100, max(1, len(paper.title.split()))))
        return Review(accept=self.scale.accepts(words), score=words)


# An experiment in code: the same components, the same checks, the same run folder.
experiment = Experiment(
    name="from-python",
    seed=7,
    corpus=Synthetic(papers_=12),
    perturbations={
        "citations": CitationInjection(count=(4, 5)),
        "hedging": PerturbationStep(Hedging(mode="either"), keep_if=(SameNumbers(),), variants=2),
    },
    agents={
        "counter": CitationCounter(),
        "evidence": EvidenceWeigher(),
        "titles": TitleReader(),
    },
    metrics=[metric() for metric in METRICS],
)
print(revkit.plan(experiment).text().splitlines()[3])
run = revkit.run(experiment, out="runs/from-python")

# The results: tables, and the records behind them.
for row in run.table("flip-rate").records():
    if row["agent"] == "counter":
        print(row["family"], row["flips"], "of", row["valid"], "pairs flipped")
for pair in run.records.pairs("counter", "citations"):
    if pair.flip:
        print("flipped:", pair.variant.paper, "shift", pair.shift)
print(sum(1 for _ in run.rows("edits")), "edits on record")
print("exit code of the same run on the command line:", run.exit_code)

# The same from a spec, with overrides and a one-off plugin.
spec = {
    "revkit": 1,
    "corpus": {"use": "synthetic", "with": {"papers": 150}},
    "agents": {"titles": "title-reader"},
    "metrics": ["clean-accuracy"],
}
run = revkit.run(
    spec, overrides=["corpus.with.papers=10"], plugins=[TitleReader], out="runs/titles"
)
print("accuracy of titles:", run.table("clean-accuracy").records()[0]["accuracy"])

# A faulty spec raises an exception that contains every problem.
try:
    revkit.validate({**spec, "agents": {"titles": "title-reade"}}, plugins=[TitleReader])
except revkit.RevkitError as error:
    print(error)
