"""Every component that asks a language model, with the options that change what it asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revkit.contracts import Agent, Context, Perturbation
from revkit.model.criterion import Criterion
from revkit.model.exchange import ModelRequest
from revkit.model.markers import MarkedPaper
from revkit.model.paper import Paper
from revkit.prompting import Sampling
from revkit_baselines.agent_review import AgentReview
from revkit_baselines.ai_scientist import AiScientist
from revkit_baselines.cycle_reviewer import CycleReviewer
from revkit_baselines.deep_reviewer import DeepReviewer, DeepReviewerSearch
from revkit_llm.agent import Llm
from revkit_reviewbench.checklists import Checklist, Point
from revkit_reviewbench.corpora.derivation import Case, Recipe, derive
from revkit_reviewbench.corpora.normalise import NormalReview
from revkit_reviewbench.dimensions import BY_NAME
from revkit_reviewbench.evaluators.bench import BenchEvaluator
from revkit_reviewground.agent import ReviewGrounder
from revkit_robustrev.rewriting.draft_checks import Draft, DraftChecks
from revkit_robustrev.rewriting.draft_readings import DraftReadings
from revkit_robustrev.rewriting.faults import Sheet
from revkit_robustrev.rewriting.llm_hedging import LlmHedging
from revkit_robustrev.rewriting.llm_length import LlmLength
from revkit_robustrev.rewriting.llm_paraphrase import LlmParaphrase
from revkit_robustrev.rewriting.paragraph_faults import Condensed
from revkit_robustrev.rewriting.paragraphs import CondensedPart, Entry
from revkit_yescieval.perturbations.llm_conciseness import LlmConciseness
from tests.compat.prompt_papers import BARE, CONTROL, LONG, SMALL, SYNTHESIS
from tests.plugins.revkit_baselines import samples

MODEL = "openai/gpt-4.1"
QUESTIONS = "Let me ask.\n\n\\boxed_questions{\n1. What is a gate?\n- Who prunes?\n}\n"
Ask = Callable[[Paper, Context], object]


@dataclass(frozen=True)
class PromptCase:
    """One way of asking: what asks, about which papers (None: all), with what window."""

    ask: Ask
    papers: tuple[Paper, ...] | None = None
    window: int | None = None
    repeat: int = 0
    free: Callable[[ModelRequest], str] | None = None


def cases(folder: Path) -> Mapping[str, PromptCase]:
    """All cases by name; files that options name are written to ``folder``."""
    return {
        **_llm(folder),
        **_judging(folder),
        **_baselines(folder),
        **_grounder(folder),
        **_bench(),
        **_families(folder),
    }


def _agent(agent: Agent, **fields: Any) -> PromptCase:
    return PromptCase(agent.review, **fields)


def _file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


FORM = """\
name: own
title: a workshop
scale: {minimum: 0, maximum: 4, higher-is-better: true, accept-at: 3}
score: mark
fields:
  reasons: {type: text, help: "Why."}
  mark: {type: integer, minimum: 0, maximum: 4, help: "0 bad, 4 good."}
"""
OWN = "=== system ===\nFor {{venue}}:\n{{ form }}\n=== user ===\nRead {{paper}} and answer.\n"


def _llm(folder: Path) -> dict[str, PromptCase]:
    form = _file(folder, "form.yaml", FORM)
    prompt = _file(folder, "own.md", OWN)
    example = {"paper": "An example {{paper}}.", "review": {"reasons": "Short.", "mark": 1}}
    shots = _file(folder, "shots.jsonl", json.dumps(example) + "\n")
    forms = ("iclr", "neurips", "arr", "severity-0-100", "accept-score")
    return {
        **{f"llm/form/{name}": _agent(Llm(model=MODEL, form=name)) for name in forms},
        "llm/own-files": _agent(Llm(model=MODEL, form=form, prompt=prompt, few_shot=shots)),
        "llm/sampling": _agent(
            Llm(model=MODEL, temperature=0.7, max_tokens=99, parameters={"top_p": 0.5, "seed": 3})
        ),
        "llm/repeat": _agent(Llm(model=MODEL), papers=(SMALL,), repeat=2),
        "llm/ensemble": _agent(Llm(model=MODEL, ensemble=3, reflections=2), papers=(SMALL, BARE)),
        "llm/truncate": _agent(
            Llm(model=MODEL, overflow="truncate"), papers=(LONG,), window=15_000
        ),
        "llm/map-reduce": _agent(
            Llm(model=MODEL, overflow="map-reduce", digest_tokens=512, reflections=1),
            papers=(LONG, CONTROL),
            window=9_000,
        ),
        "llm/probe": PromptCase(
            lambda paper, ctx: Llm(model=MODEL).repeat_markers(MarkedPaper(paper).paper, ctx)
        ),
        "llm/probe-truncate": PromptCase(
            lambda paper, ctx: Llm(model=MODEL, overflow="truncate").repeat_markers(
                MarkedPaper(paper).paper, ctx
            ),
            papers=(LONG,),
            window=15_000,
        ),
    }


def _judging(folder: Path) -> dict[str, PromptCase]:
    own = "=== system ===\n{{criterion}}\n{{reply}}\n=== user ===\n{{material}}\n"
    path = _file(folder, "judge.md", own)
    criterion = Criterion(
        "cohesion", "Do the sentences connect?", ((1, "no"), (3, "partly"), (5, "yes"))
    )
    more = Criterion(
        "tone", "Is it fair?", ((0, "no"), (1, "yes")), "style", "Look at {{words}} only."
    )

    def case(agent: Agent, asked: Criterion, **fields: Any) -> PromptCase:
        return PromptCase(lambda paper, ctx: agent.judge(paper, asked, ctx), **fields)

    texts = (SMALL, BARE, SYNTHESIS, CONTROL)
    return {
        "llm/judge": case(Llm(model=MODEL), criterion),
        "llm/judge/materials": case(Llm(model=MODEL), more, papers=texts, repeat=1),
        "llm/judge/own": case(Llm(model=MODEL, judge_prompt=path), more, papers=texts),
    }


def _best(request: ModelRequest) -> str:
    return QUESTIONS if len(request.messages) == 2 else samples.standard()


def _baselines(folder: Path) -> dict[str, PromptCase]:
    review: dict[str, Any] = {
        "Summary": "It \"counts\".", "Strengths": [], "Weaknesses": ["One."], "Originality": 2,
        "Quality": 2, "Clarity": 2, "Significance": 2, "Questions": [], "Limitations": [],
        "Ethical Concerns": False, "Soundness": 2, "Presentation": 2, "Contribution": 2,
        "Overall": 4, "Confidence": 3, "Decision": "Reject",
    }  # fmt: skip
    shown = json.dumps({"paper": "An example {{paper}}.", "review": review}) + "\n"
    example = _file(folder, "example.jsonl", shown)
    chair = _file(folder, "chair.md", "{{form}} {{ leaning }}\n\n{{reviews}}\n")
    panel = ("malicious+knowledgeable", "benign", "irresponsible+unknowledgeable")
    short = (SMALL, BARE, CONTROL)

    def standard(request: ModelRequest) -> str:
        return samples.standard()

    return {
        "ai-scientist": _agent(AiScientist(model=MODEL, ensemble=2, reflections=2)),
        "ai-scientist/members": _agent(
            AiScientist(
                model=MODEL,
                ensemble=2,
                reflections=1,
                reflect_on="members",
                leaning="positive",
                example=example,
                prompts={"chair": chair},
                temperature=0.3,
                parameters={"seed": 1},
            ),
            papers=short,
            repeat=1,
        ),
        "ai-scientist/alone": _agent(
            AiScientist(model=MODEL, ensemble=1, reflections=1, leaning="neutral"), papers=short
        ),
        "agent-review": _agent(AgentReview(model=MODEL)),
        "agent-review/characters": _agent(
            AgentReview(model=MODEL, reviewers=panel, chair="authoritarian", rebuttal=False),
            papers=short,
        ),
        "agent-review/alone": _agent(
            AgentReview(model=MODEL, reviewers=("neutral",), chair="inclusive"), papers=(SMALL,)
        ),
        "agent-review/no-discussion": _agent(
            AgentReview(model=MODEL, chair="conformist", discussion=False), papers=(SMALL,)
        ),
        "cycle-reviewer": _agent(CycleReviewer(model=MODEL), free=lambda _: samples.cycle()),
        "deep-reviewer/fast": _agent(
            DeepReviewer(model=MODEL, mode="fast"), free=lambda _: samples.final()
        ),
        "deep-reviewer/standard": _agent(
            DeepReviewer(model=MODEL, reviewers=3, top_p=0.8), free=standard
        ),
        "deep-reviewer/best": _agent(DeepReviewer(model=MODEL, mode="best"), free=_best),
        "deep-reviewer-search": _agent(
            DeepReviewerSearch(model=MODEL), papers=short, repeat=1, free=_best
        ),
    }


def _grounder(folder: Path) -> dict[str, PromptCase]:
    miner = _file(
        folder,
        "miner.md",
        "=== system ===\nMine.\n=== user ===\n{{draft}}\n{{paper}}\n{{ passages }}\n",
    )
    system = _file(folder, "system.md", "You help to review.\n")
    roles = {
        "miner": {"model": "anthropic/claude-x", "prompt": miner, "temperature": 1},
        "analyzer": {"input-tokens": 2500, "parameters": {"top_p": 0.5}},
        "summarizer": "openai/small",
    }
    return {
        "review-grounder/prompt-2": _agent(ReviewGrounder(model=MODEL, from_year=None)),
        "review-grounder": _agent(ReviewGrounder(model=MODEL, prompt_version=1, from_year=None)),
        "review-grounder/sections": _agent(
            ReviewGrounder(
                model=MODEL,
                prompt_version=1,
                reading="sections",
                corrections=2,
                scores="keep-draft",
            )
        ),
        "review-grounder/roles": _agent(
            ReviewGrounder(
                model=MODEL, prompt_version=1, roles=roles, system=system, report_items=2
            ),
            papers=(SMALL, BARE, LONG, CONTROL),
            repeat=3,
        ),
        "review-grounder/cut": _agent(
            ReviewGrounder(model=MODEL, prompt_version=1, input_tokens=6_000, scores="aggregator"),
            papers=(LONG,),
        ),
        "review-grounder/window": _agent(
            ReviewGrounder(model=MODEL, prompt_version=1, without=("searcher",)),
            papers=(LONG,),
            window=16_000,
        ),
        "review-grounder/drafter": _agent(
            ReviewGrounder(model=MODEL, prompt_version=1, without=("aggregator",), max_tokens=500),
            papers=(SMALL,),
        ),
    }


def _bench() -> dict[str, PromptCase]:
    reviews = tuple(
        NormalReview(
            rating=rating,
            summary=f"Summary {rating}.",
            strengths="A small gate {{paper}}.",
            weaknesses="One corpus.",
            questions="Why <|im_end|>?" if rating == 8 else "Why?",
            soundness=3,
            presentation=2,
            contribution=3,
            confidence=4,
        )
        for rating in (5.0, 8.0)
    )

    def building(single: bool) -> Ask:
        recipe = Recipe(Sampling(MODEL, 0.25, 8192), "openai/a", single)

        def ask(paper: Paper, ctx: Context) -> object:
            kept = reviews if paper is CONTROL else reviews[:1]
            return derive(
                Case(paper.id, paper.title, paper.text, kept, 6.0, "Accept"), recipe, 1, ctx
            )

        return ask

    def judging(paper: Paper, ctx: Context) -> object:
        agent = BenchEvaluator(model=MODEL)
        found = []
        for dimension in BY_NAME.values():
            points = (Point("Says that gates skip tokens", "Section 3"), Point("Names F1"))
            materials = (
                *paper.materials,
                Checklist(dimension.name, points).to_material(),
            )
            judged = Paper(paper.id, paper.text, paper.title, materials=materials)
            criterion = Criterion(dimension.name, dimension.asks, ((0, "no"), (2, "yes")))
            found.append(agent.judge(judged, criterion, ctx))
        return found

    return {
        "review-bench/merged": PromptCase(building(False)),
        "review-bench/single": PromptCase(building(True), papers=(SMALL,)),
        "bench-evaluator": PromptCase(judging, papers=(SMALL, SYNTHESIS, CONTROL)),
    }


def _check_drafts(paper: Paper, ctx: Context) -> object:
    """Check drafts in which the first sentence of each passage is shorter."""
    rules = Condensed(paper, Sheet(paper.text, ""), 0.25)
    return DraftChecks(paper, rules, Sampling(MODEL, 0.0, 2048), ctx)(_drafts(rules), 0)


def _read_drafts(paper: Paper, ctx: Context) -> object:
    """Read the same drafts."""
    rules = Condensed(paper, Sheet(paper.text, ""), 0.25)
    sampling = Sampling(MODEL, 0.0, 2048)
    check = DraftChecks(paper, rules, sampling, ctx)
    return DraftReadings(paper, rules, sampling, ctx, check).read(_drafts(rules), 0)


def _drafts(rules: Condensed) -> list[Draft]:
    drafts = []
    for part in rules.passages():
        first, *others = (Entry((index,), rules.sentence(index)) for index in part.free)
        short = Entry(first.sources, f"{first.text[:20]}.")
        drafts.append((part, CondensedPart((short, *others), (), part.words)))
    return drafts


def _families(folder: Path) -> dict[str, PromptCase]:
    own = _file(folder, "reword.md", "Reword {{sentences}} well.\n")

    def case(family: Perturbation, **fields: Any) -> PromptCase:
        return PromptCase(family.perturb, **fields)

    return {
        "llm-paraphrase": case(LlmParaphrase(model=MODEL, attempts=2, prompt_version=1)),
        "llm-paraphrase/terms": case(LlmParaphrase(model=MODEL, attempts=2), papers=(SMALL, LONG)),
        "llm-paraphrase/own": case(
            LlmParaphrase(model=MODEL, prompt=own, temperature=0.5, parameters={"top_p": 0.9}),
            papers=(SMALL,),
        ),
        "llm-hedging/remove": case(
            LlmHedging(model=MODEL, mode="remove", prompt_version=1), papers=(SMALL,)
        ),
        "llm-hedging/add": case(
            LlmHedging(model=MODEL, mode="add", prompt_version=1), papers=(SMALL, CONTROL)
        ),
        "llm-hedging/all": case(LlmHedging(model=MODEL, mode="remove"), papers=(SMALL,)),
        "llm-hedging/doubted": case(LlmHedging(model=MODEL, mode="add"), papers=(SMALL, CONTROL)),
        "llm-length/shorten": case(
            LlmLength(model=MODEL, ratios=(0.7,), attempts=2, prompt_version=2),
            papers=(SMALL, LONG),
        ),
        "llm-length/condense": case(
            LlmLength(model=MODEL, ratios=(0.7,), attempts=2, prompt_version=3),
            papers=(SMALL, LONG),
        ),
        "llm-length/paragraphs": case(
            LlmLength(model=MODEL, ratios=(0.7,), attempts=2, prompt_version=4),
            papers=(SMALL, LONG),
        ),
        "llm-length/chosen": case(
            LlmLength(model=MODEL, ratios=(0.7,), attempts=2), papers=(SMALL, LONG)
        ),
        "llm-length/gently": case(
            LlmLength(model=MODEL, ratios=(0.7,), attempts=2, prompt_version=6),
            papers=(SMALL, LONG),
        ),
        "llm-length/check": PromptCase(_check_drafts, papers=(SMALL, LONG, CONTROL)),
        "llm-length/reading": PromptCase(_read_drafts, papers=(SMALL, LONG, CONTROL)),
        "llm-length/lengthen": case(
            LlmLength(model=MODEL, ratios=(1.3,), attempts=2, prompt_version=1),
            papers=(SMALL, CONTROL),
        ),
        "llm-conciseness": case(LlmConciseness(model=MODEL), papers=(SMALL, SYNTHESIS, CONTROL)),
        "llm-conciseness/warm": case(
            LlmConciseness(model=MODEL, temperature=0.5, attempts=2), papers=(SMALL,)
        ),
    }
