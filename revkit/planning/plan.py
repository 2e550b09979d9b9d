"""Count the maximum amount of work of a run before it starts."""

from __future__ import annotations

from revkit.contracts import Corpus
from revkit.dataclass import dataclass
from revkit.planning.attacks import queries_a_paper
from revkit.planning.graph import Graph, build_graph
from revkit.spec import Experiment

MOST_NAMES = 6


@dataclass(frozen=True)
class Plan:
    """Upper bounds of a run: rejected variants and cached results reduce the work.

    ``papers`` is None where the corpus cannot know it before it is read; then the others are None
    too. ``queries`` counts the reviews that attacks ask for. ``noisy`` names the agents whose own
    noise the run would not measure: they are not declared deterministic and review each text once.
    Two reviews of each text measure it.
    """

    graph: Graph
    papers: int | None
    variants: int | None
    reviews: int | None
    judgements: int | None = None
    anchors: int | None = None
    noisy: tuple[str, ...] = ()
    queries: int | None = 0

    def text(self) -> str:
        """The plan as text."""
        shapes = {shape: len(self.graph.of_shape(shape)) for shape in ("source", "each", "all")}
        lines = [
            f"nodes     {len(self.graph.nodes)} ({shapes['source']} source, {shapes['each']} for "
            f"each paper, {shapes['all']} over all)",
            f"papers    {_at_most(self.papers)}",
            f"variants  {_at_most(self.variants)}",
            f"reviews   {_at_most(self.reviews)}",
        ]
        if any(node.id.startswith("judge/") for node in self.graph.nodes):
            lines.append(f"judgements {_at_most(self.judgements)}")
        if "anchors" in self.graph.by_id:
            lines.append(f"anchor scores {_at_most(self.anchors)}")
        if any(node.id.startswith("attack/") for node in self.graph.nodes):
            lines.append(f"attack queries {_at_most(self.queries)}")
        if self.noisy:
            lines += self._noise_lines()
        return "\n".join(lines) + "\n\n" + self.graph.text()

    def _noise_lines(self) -> list[str]:
        """Return what is needed to separate the effect of edits from the noise of agents."""
        names = ", ".join(self.noisy[:MOST_NAMES])
        more = len(self.noisy) - MOST_NAMES
        names += f" and {more} more" if more > 0 else ""
        reviews = None if self.reviews is None else 2 * self.reviews
        return [
            f"noise is not measured (repeats: 1), although {names} may answer differently each "
            "time;",
            f"          repeats: 2 measures it, with {_at_most(reviews)} reviews",
        ]


def build_plan(experiment: Experiment, papers: int | None = None) -> Plan:
    """Count the maximum amount of work of a run. Nothing runs; only the corpus is asked for its
    size. ``papers`` plans for this many papers instead of those of the corpus.
    """
    if papers is None:
        papers = count_of(experiment.corpus)
        drawn = None if experiment.sample is None else experiment.sample.n
        for most in (experiment.limit, drawn):
            if most is not None:
                papers = most if papers is None else min(papers, most)
    per_paper = sum(step.variants for step in experiment.perturbation_steps.values())
    texts = (1 + per_paper) * experiment.repeats
    judgements = _judgements_a_paper(experiment, texts)
    return Plan(
        build_graph(experiment),
        papers,
        None if papers is None else papers * per_paper,
        None if papers is None else papers * texts * len(experiment.agents),
        None if papers is None else papers * judgements,
        _anchor_scores(experiment, papers),
        noisy_agents(experiment),
        None if papers is None else papers * queries_a_paper(experiment),
    )


def _judgements_a_paper(experiment: Experiment, texts: int) -> int:
    """Return how many judgements a paper with ``texts`` texts needs: of these or of its reviews."""
    reviews = experiment.repeats * len(experiment.agents)
    return sum(
        texts if judge.reads == "papers" else reviews
        for judge in experiment.judge_steps.values()
        for rubric in experiment.rubrics
        if judge.judges_by(rubric)
    )


def noisy_agents(experiment: Experiment) -> tuple[str, ...]:
    """Return the agents whose noise would count as an effect of perturbations: not declared
    deterministic, and called once for each text.
    """
    if experiment.repeats > 1 or not experiment.perturbations:
        return ()
    return tuple(
        name for name, step in experiment.agent_steps.items() if not step.component.deterministic
    )


def count_of(corpus: Corpus) -> int | None:
    """Return the number of papers that ``corpus`` states; None if it states no valid number."""
    try:
        count = corpus.most_papers()
    except (Exception, SystemExit):  # a plugin may raise anything; reading it reports the problem
        return None
    known = isinstance(count, int) and not isinstance(count, bool) and count >= 0
    return count if known else None


def _anchor_scores(experiment: Experiment, papers: int | None) -> int | None:
    calibration = experiment.calibration
    if calibration is None:
        return 0
    anchors = papers if calibration.anchors is None else count_of(calibration.anchors)
    return None if anchors is None else anchors * len(experiment.agents) * calibration.repeats


def _at_most(count: int | None) -> str:
    return "unknown before the corpus is read" if count is None else f"at most {count:,}"
