"""Scripted models: the ablation finds, offline, the role that was planted to matter."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import revkit
from revkit import stats
from revkit.contracts import Context, Services
from revkit.errors import SpecError
from revkit.files.yaml_source import read_source
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.model.work import Work
from revkit_reviewbench.corpora.synthetic.writer import write_papers
from revkit_reviewground import scripted_models
from revkit_reviewground.agent import ReviewGrounder
from revkit_reviewground.roles import RolesOptions

EXPERIMENTS = Path(__file__).parents[3] / "experiments"
SEEDS = 50
RUBRICS = [
    "core-contribution-accuracy",
    "results-interpretation",
    "comparative-analysis",
    "evidence-based-critique",
    "critique-clarity",
    "completeness-coverage",
    "constructive-tone",
    "false-or-contradictory-claims",
]


def paper() -> Paper:
    return write_papers()[0].blind()


def search(query: str, limit: int) -> list[Work]:
    return [Work(title="WideSpan: A baseline", year=2024, abstract=f"About {query}.")]


def reviewed(agent: ReviewGrounder) -> Review:
    services = Services(search=search, gather=lambda calls: [call() for call in calls])
    found = agent.review(paper(), Context(1, services, agent.uses))
    assert isinstance(found, Review), found
    return found


def test_each_reply_meets_the_schema_that_a_model_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    whole = scripted_models.reply_of

    def checked(request: ModelRequest) -> ModelReply:
        reply = whole(request)
        assert request.schema is not None
        jsonschema.validate(reply.data, dict(request.schema))
        seen.add(request.role)
        return reply

    monkeypatch.setattr(scripted_models, "reply_of", checked)
    for skill in ("0", "0.5", "1"):
        reviewed(ReviewGrounder(model=f"scripted/{skill}", from_year=None))
    assert seen == {"drafter", "searcher", "summarizer", "miner", "analyzer", "aggregator"}


def test_skill_decides_what_is_found_and_a_higher_one_keeps_it() -> None:
    def words(skill: str) -> set[str]:
        agent = ReviewGrounder(model=f"scripted/{skill}", from_year=None, evidence="details")
        return set(reviewed(agent).text.splitlines())

    nothing, everything = words("0"), words("1")
    assert "SparseGate" not in " ".join(nothing)
    assert "The gate was trained on English documents" in " ".join(everything)
    assert "baselines WideSpan" in " ".join(everything)


def test_it_needs_no_language_model_and_is_not_listed_as_one() -> None:
    agent = ReviewGrounder(model="scripted/0.5")
    assert agent.uses == ("searcher",)
    assert agent.models() == ()
    mixed = ReviewGrounder(model="openai/a", roles=RolesOptions(drafter="scripted/0.5"))
    assert mixed.uses == ("llm", "searcher")
    assert mixed.models() == ("openai/a",)


def test_other_models_are_asked_as_before() -> None:
    asked: list[str] = []

    def complete(request: ModelRequest) -> Failure:
        asked.append(request.model)
        return Failure("provider", "absent")

    agent = ReviewGrounder(model="openai/a", without=("searcher",))
    services = Services(complete=complete)
    assert isinstance(agent.review(paper(), Context(1, services, agent.uses)), Failure)
    assert asked == ["openai/a"]


@pytest.mark.parametrize("name", ["scripted/2", "scripted/", "scripted/0.5/x", "scripted/-1"])
def test_a_wrong_name_is_an_error(name: str) -> None:
    spec = {
        "revkit": 1,
        "corpus": "synthetic-bench",
        "agents": {"a": {"use": "review-grounder", "with": {"model": name}}},
        "services": {"searcher": "local-index", "embedder": "hashed-ngrams"},
    }
    with pytest.raises(SpecError, match="not of the form scripted/SKILL"):
        revkit.validate(spec)


def masked(spec: Any) -> Any:
    """A spec without its name, its models and its services."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: without(v) for k, v in value.items() if k not in ("model", "roles")}
        return value

    return without({k: v for k, v in spec.items() if k not in ("name", "services")})


def test_the_offline_ablation_has_the_arms_of_the_one_with_models() -> None:
    models, offline = (
        read_source(EXPERIMENTS / f"{name}.yaml").value
        for name in ("reviewgrounder-ablation", "reviewgrounder-ablation-offline")
    )
    assert masked(models) == masked(offline)
    assert not revkit.validate(EXPERIMENTS / "reviewgrounder-ablation-offline.yaml").llm.models


def ablation(seed: int, planted: str) -> dict[str, Any]:
    """The arms of the shipped ablation that leave out one grounding role, with drawn skills: the
    role ``planted`` finds most of what it is there for, the others nearly nothing.
    """
    draw = random.Random(seed)
    spec: Any = read_source(EXPERIMENTS / "reviewgrounder-ablation-offline.yaml").value
    skills = {role: draw.uniform(0.0, 0.15) for role in ("miner", "analyzer", "searcher")}
    skills[planted] = draw.uniform(0.75, 1.0)
    skills["summarizer"] = skills["searcher"]
    skills["drafter"] = draw.uniform(0.05, 0.2)
    roles = {role: f"scripted/{skill:.4f}/{seed}" for role, skill in skills.items()}
    arms = ("full", "without-miner", "without-analyzer", "without-searcher")
    agents = {}
    for arm in arms:
        options = {**spec["agents"][arm]["with"], "model": f"scripted/0.9/{seed}", "roles": roles}
        agents[arm] = {"use": "review-grounder", "with": {**options, "works": 20}}
    return {
        **spec,
        "seed": seed,
        "agents": agents,
        "judges": {"control": {"use": "control-evaluator", "reads": "reviews"}},
        "rubrics": RUBRICS,
        "metrics": [{"use": "bench-difference", "with": {"reference": "full", "resamples": 1000}}],
        "reports": [],
    }


@pytest.mark.slow
@pytest.mark.simulation
def test_the_ablation_finds_the_role_that_was_planted_to_matter(tmp_path: Path) -> None:
    seeds = [random.SystemRandom().randrange(10**8) for _ in range(SEEDS)]
    print("seeds", seeds)  # noqa: T201 - shown where the test fails
    hits, tried = Counter[str](), Counter[str]()
    for number, seed in enumerate(seeds):
        planted = ("miner", "analyzer", "searcher")[number % 3]
        spec = ablation(seed, planted)
        run = revkit.run(spec, out=tmp_path / str(seed), store=tmp_path / "store")
        rows = {str(row["agent"]): row for row in run.table("bench-difference").records()}
        lost = min(rows, key=lambda arm: float(rows[arm]["difference"] or 0.0))
        shown = float(rows[lost]["difference_high"] or 0.0) < 0
        tried[planted] += 1
        hits[planted] += shown and lost == f"without-{planted}"
    for role, count in tried.items():
        found = stats.rate(hits[role], count, 0.95).interval
        print(role, hits[role], count, found.low, found.high)  # noqa: T201
    assert sum(hits.values()) >= 0.9 * SEEDS, (hits, tried)
    assert all(hits[role] >= 0.7 * count for role, count in tried.items()), (hits, tried)


@pytest.mark.slow
def test_more_related_works_find_more_baselines(tmp_path: Path) -> None:
    spec: Any = read_source(EXPERIMENTS / "reviewgrounder-ablation-offline.yaml").value
    agents = {arm: spec["agents"][arm] for arm in ("works-5", "full", "works-20")}
    judged = {
        **spec,
        "agents": agents,
        "judges": {"control": {"use": "control-evaluator", "reads": "reviews"}},
        "rubrics": RUBRICS,
        "metrics": ["bench-scores"],
        "reports": [],
    }
    run = revkit.run(judged, out=tmp_path / "curve", store=tmp_path / "store")
    rows = {str(row["agent"]): row for row in run.table("bench-scores").records()}
    curve = [float(rows[arm]["comparative_analysis"] or 0.0) for arm in agents]
    assert curve[0] < curve[1] < curve[2], curve
