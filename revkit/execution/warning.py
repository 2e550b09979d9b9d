"""Warnings of a run: signs that many results may be wrong, although no item failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from revkit.cache import LOST_REPLY
from revkit.dataclass import dataclass
from revkit.model.values import Json

if TYPE_CHECKING:
    from revkit.model.records import AgentRow, Verdict
    from revkit.model.repeats import Contradiction
    from revkit.services.llm.truncation import EqualCounts

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class RunWarning:
    """One warning: its kind, its subject, and the observation.

    "equal-prompt-counts": the server of the model ``subject`` counted prompts of clearly different
    lengths as the same number of tokens, so it cuts long prompts.

    "damaged-answers": the store ``subject`` held answers that are not what was stored; they were
    set aside and computed again, and replies of language models were asked for again.

    "judgements-left-out": the judge ``subject`` cannot score texts by some rubrics.

    "stopped-early": the run stopped at a look, as its section ``stop-when`` states.

    "layout-not-seen": the agent ``subject`` gets the text of a paper and no file, so a variant in
    another layout is the same to it.

    "odd-batch-results": result files of a provider's batches held lines that are damaged, or that
    belong to no call.

    "mixed-arithmetic": the embedder ``subject`` added vectors to a store whose vectors were
    computed in another way, so distances may differ in their last digits from those of a run on
    one machine.

    "equal-failures": most items of the component ``subject`` failed with one cause.

    "synthetic-anchors": the anchors of the corpus ``subject`` and their severities were made by a
    program.

    "verdict-against-scale": verdicts of the agent ``subject`` contradict the accept rule of the
    agent's scale at their score. Agents with a defense that wraps their reviews are left out.

    "not-deterministic": the agent ``subject`` declares itself deterministic, and the run shows that
    it is not.
    """

    kind: Literal[
        "equal-prompt-counts",
        "damaged-answers",
        "judgements-left-out",
        "layout-not-seen",
        "odd-batch-results",
        "mixed-arithmetic",
        "not-deterministic",
        "stopped-early",
        "synthetic-anchors",
        "equal-failures",
        "verdict-against-scale",
    ]
    subject: str
    detail: str

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "subject": self.subject, "detail": self.detail}


def contradiction_warning(found: Contradiction) -> RunWarning:
    """Return the warning about an agent that is not as deterministic as it declares."""
    detail = (
        f"{found.text}; let it declare deterministic = False, or find the reason (a seed, a clock, "
        "a file, a service)"
    )
    return RunWarning("not-deterministic", found.agent, detail)


def against_scale_warnings(
    agents: Iterable[AgentRow], verdicts: Iterable[Verdict], guarded: Collection[str] = ()
) -> list[RunWarning]:
    """Return the warnings about agents whose verdicts contradict their scores.

    The agents ``guarded`` have defenses that return the reviews, and may decide by another rule.
    """
    rows = {agent.name: agent for agent in agents}
    both: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for verdict in verdicts:
        agent = rows[verdict.agent]
        both[agent.name] += verdict.accept is not None and verdict.score is not None
        against[agent.name] += agent.against_scale(verdict)
    return [
        RunWarning(
            "verdict-against-scale",
            name,
            f"{count:,} of {both[name]:,} verdicts of agent {name!r} contradict the accept rule of "
            "the agent's scale at their score; flip rates and accuracies count the verdicts; "
            "correct the agent, or accept_at of its scale",
        )
        for name, count in against.items()
        if count and name not in guarded
    ]


def synthetic_anchors_warning(corpus: str) -> RunWarning:
    """Return the warning about maps that are fitted to the severities of a program."""
    detail = (
        f"a program made the anchors of corpus {corpus!r} and their severities, so the maps say "
        "nothing about people's scores; for real reviews, use anchors that people scored "
        "(anchor-bank with a path)"
    )
    return RunWarning("synthetic-anchors", corpus, detail)


def odd_results_warning(counts: Mapping[str, int]) -> RunWarning:
    """Return the warning about result lines of batches that were not used."""
    listed = ", ".join(f"{count:,} {sort}" for sort, count in sorted(counts.items()))
    detail = f"result files of batches: {listed}; calls without a result were sent again"
    return RunWarning("odd-batch-results", "services.llm", detail)


def mixed_arithmetic_warning(embedder: str, first: str, own: str) -> RunWarning:
    """Return the warning about vectors of two arithmetics in one store."""
    detail = (
        f"vectors of this run were computed in more than one way ({first}; {own}): distances may "
        "differ from the seventh digit on from those of a run on one kind of machine; for the same "
        "bytes, use one kind of machine and a new --store"
    )
    return RunWarning("mixed-arithmetic", embedder, detail)


def equal_counts_warning(found: EqualCounts) -> RunWarning:
    """Return the warning about equal token counts in ``found``."""
    detail = (
        f"the server of model {found.model!r} counted {found.prompts} prompts of "
        f"{found.shortest:,} to {found.longest:,} characters as {found.tokens:,} tokens each; it "
        "seems to cut long prompts, so these reviews may be of parts of papers: give the server a "
        "larger window and set context-window"
    )
    return RunWarning("equal-prompt-counts", found.model, detail)


def left_out_warning(judge: str, reason: str, texts: Mapping[str, int]) -> RunWarning:
    """Return the warning about judgements that were not requested, by the name of the rubric."""
    counts = ", ".join(f"{rubric} ({count:,} texts)" for rubric, count in texts.items())
    return RunWarning("judgements-left-out", judge, f"judge {judge!r} left out {counts}: {reason}")


def unseen_layout_warning(agent: str) -> RunWarning:
    """Return the warning about an agent that gets no file, in a run with variants in another
    layout.
    """
    detail = (
        f"agent {agent!r} gets the text of a paper and no file, so a variant in another layout is "
        "the same text to it; its equal scores and verdicts do not show that layout has no effect"
    )
    return RunWarning("layout-not-seen", agent, detail)


def damaged_answers_warning(store: object, damaged: Collection[str]) -> RunWarning:
    """Return the warning about answers that were set aside, described by ``damaged``."""
    names = sorted(damaged)
    shown = "; ".join(names[:_SHOWN]) + ("; ..." if len(names) > _SHOWN else "")
    replies = names.count(LOST_REPLY)
    paid = (
        f"; {replies} of them are replies of language models, which are requested, and paid for, "
        "again"
        if replies
        else ""
    )
    detail = (
        f"{len(names)} damaged answers in the store {store} were set aside (table damaged) and are "
        f"computed again: {shown}{paid}; check the disk, or move the file to another place"
    )
    return RunWarning("damaged-answers", str(store), detail)
