"""Specs to experiments: problems with their places, overrides, and the way back."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from revkit.contracts import Agent, Context
from revkit.errors import SpecError
from revkit.files.yaml_source import parse_source, to_yaml
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit.registry import Registry, load_registry
from revkit.spec import Experiment, PerturbationStep, load_experiment
from revkit.testing import toys

pytestmark = pytest.mark.usefixtures("no_plugins")

SPEC = """\
revkit: 1
name: toy
seed: 3
corpus: {use: toy-papers, with: {papers: 6}}
perturbations:
  words:
    use: toy-words
    with: {share: 0.5}
    keep-if: [toy-limit]
    variants: 2
agents:
  length: toy-length
  gpt-4.1: {use: toy-coin, with: {refuse: 0.1}, defenses: [toy-screen]}
metrics: [toy-flips]
reports: [toy-report]
"""


@dataclass(frozen=True)
class Fussy(Agent):
    """Checks its own options."""

    name: ClassVar[str] = "fussy"
    scale = Scale("s", 0, 1)
    mood: str = option("good", help="good, bad, gone or odd.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mood == "bad":
            raise RuntimeError("no mood for that")
        if self.mood == "gone":
            raise SystemExit(0)

    def review(self, paper: Paper, ctx: Context) -> Review:
        return Review()


@dataclass(frozen=True)
class Scaleless(Fussy):
    """Has no scale."""

    name: ClassVar[str] = "scaleless"

    @property
    def scale(self) -> Scale:  # type: ignore[override]
        if self.mood == "odd":
            return "1-10"  # type: ignore[return-value]
        raise KeyError("scale")


@pytest.fixture(scope="module")
def registry() -> Registry:
    patch = pytest.MonkeyPatch()
    patch.setenv("REVKIT_PLUGINS", "none")
    found = load_registry([toys, Fussy, Scaleless])
    patch.undo()
    return found


@pytest.fixture
def load(tmp_path: Path, registry: Registry) -> Callable[..., Experiment]:
    def call(text: str = SPEC, *overrides: str, **options: Any) -> Experiment:
        path = tmp_path / "spec.yaml"
        path.write_text(text, encoding="utf-8")
        return load_experiment(path, registry, overrides=overrides, **options)

    return call


def problems(call: Callable[[], Any]) -> list[Any]:
    with pytest.raises(SpecError) as caught:
        call()
    return list(caught.value.problems)


def test_a_whole_spec(load: Callable[..., Experiment]) -> None:
    experiment = load()
    assert experiment.corpus == toys.ToyPapers(papers_=6)
    step = experiment.perturbation_steps["words"]
    assert step == PerturbationStep(toys.ToyWords(0.5), (toys.ToyLimit(),), 2)
    agent = experiment.agent_steps["gpt-4.1"]
    assert agent.component == toys.ToyCoin(0.1)
    assert agent.defenses == (toys.ToyScreen(),)
    assert (experiment.seed, experiment.repeats, experiment.limit) == (3, 1, None)


CASES = [
    # what to replace, by what; line, column, words of the message
    ("revkit: 1", "revkit: 2", 1, 9, "expected 1, not 2"),
    ("revkit: 1", "revkit: true", 1, 9, "expected 1, not true"),
    ("revkit: 1\n", "", 1, 1, "'revkit' is missing; write 'revkit: 1'"),
    ("name: toy", "name: to y", 2, 7, "is not a valid name"),
    ("name: toy", "name: [a]", 2, 7, "expected text, not a list"),
    ("name: toy", "nmae: toy", 2, 1, "unknown key 'nmae'; did you mean 'name'?"),
    ("seed: 3", "seed: 3.0", 3, 7, "expected a whole number, not 3.0"),
    ("seed: 3", "seed: true", 3, 7, "expected a whole number, not true"),
    ("seed: 3", "seed: -1", 3, 7, "-1 is below the minimum of 0"),
    ("seed: 3", "seed: 9223372036854775808", 3, 7, "above the maximum"),
    ("seed: 3", "seed: 3\nrepeats: 0", 4, 10, "below the minimum of 1"),
    ("seed: 3", "seed: 3\nworkers: 2.5", 4, 10, "expected a whole number"),
    ("seed: 3", "seed: 3\nlimit: 1e999", 4, 8, "expected a whole number"),
    ("use: toy-papers", "use: toy-paper", 4, 15, "unknown corpus 'toy-paper'; did you mean"),
    ("use: toy-papers", "ues: toy-papers", 4, 10, "unknown key 'ues'; did you mean 'use'?"),
    ("papers: 6", "paper: 6", 4, 34, "unknown option 'paper'; did you mean 'papers'?"),
    ("papers: 6", "papers: six", 4, 42, "expected a whole number, not 'six'"),
    ("papers: 6", "papers: -1", 4, 42, "-1 is below the minimum of 0"),
    ("with: {papers: 6}", "with: 6", 4, 33, "expected a mapping, not 6"),
    ("{use: toy-papers, with: {papers: 6}}", "toy-length", 4, 9, "is an agent, not a corpus"),
    ("corpus: {use: toy-papers, with: {papers: 6}}", "corpus: 5", 4, 9,
     "or a mapping with 'use', not 5"),
    ("corpus: {use: toy-papers, with: {papers: 6}}", "corpus: [a]", 4, 9, "not a list"),
    ("corpus: {use: toy-papers, with: {papers: 6}}", "corpus: {use: toy-papers, papers: 6}", 4, 27,
     "options of a component belong under its 'with'"),
    ("seed: 3", "seed: 3\nstop-when: {all: [a], every: 0}", 4, 30, "0 is below the minimum of 1"),
    ("seed: 3", "seed: 3\nstop-when: {any: [a]}", 4, 13, "unknown key 'any'; known: all, every"),
    ("seed: 3", "seed: 3\nstop-when: 5", 4, 12, "expected text or a list or a mapping, not 5"),
    ("share: 0.5", "share: 2", 8, 19, "2 is above the maximum of 1"),
    ("keep-if: [toy-limit]", "keep-if: toy-limit", 9, 14, "expected a list, not 'toy-limit'"),
    ("keep-if: [toy-limit]", "keep-if: [toy-limt]", 9, 15, "did you mean 'toy-limit'?"),
    ("keep-if: [toy-limit]", "keep_if: [toy-limit]", 9, 5, "did you mean 'keep-if'?"),
    ("keep-if: [toy-limit]", "keep-if: [{use: toy-limit, with: {most: x}}]", 9, 45,
     "expected"),
    ("variants: 2", "variants: 0", 10, 15, "below the minimum of 1"),
    ("  words:", "  'wo rds':", 6, 3, "'wo rds' is not a valid name"),
    ("  words:", "  unchanged:", 6, 3, "the name of the unchanged paper"),
    ("length: toy-length", "length: toy-lenght", 12, 11, "did you mean 'toy-length'"),
    ("length: toy-length", "length: {use: fussy, with: {mood: bad}}", 12, 30,
     "fussy: RuntimeError: no mood for that"),
    ("length: toy-length", "length: {use: fussy, with: {mood: gone}}", 12, 30, "SystemExit"),
    ("length: toy-length", "length: {use: fussy, with: {mood: 2}}", 12, 37, "put it in quotes"),
    ("length: toy-length", "length: scaleless", 12, 3, "its scale: KeyError: 'scale'"),
    ("length: toy-length", "length: {use: scaleless, with: {mood: odd}}", 12, 3, "must be a Scale"),
    ("refuse: 0.1", "refuse: '0.1'", 13, 43, "expected a number, not '0.1'; write 0.1"),
    ("defenses: [toy-screen]", "defenses: [toy-scren]", 13, 61, "did you mean 'toy-screen'?"),
    ("metrics: [toy-flips]", "metrics: [toy-flips, toy-flips]", 14, 22,
     "appears twice in this list"),
    ("metrics: [toy-flips]", "metrics: toy-flips", 14, 10, "expected a list"),
    ("metrics: [toy-flips]", "services: {embedder: toy-embeder}", 14, 22, "'toy-embedder'"),
    ("metrics: [toy-flips]", "services: {embeder: toy-embedder}", 14, 12, "'embedder'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "message"), CASES)
def test_each_problem_has_its_place(
    load: Callable[..., Experiment], old: str, new: str, line: int, column: int, message: str
) -> None:
    assert SPEC.count(old) == 1
    found = problems(lambda: load(SPEC.replace(old, new)))
    told = [p for p in found if message in p.message]
    assert told, found
    place = (told[0].line, told[0].column)
    if "defenses: [toy-scren]" in new:
        column = SPEC.splitlines()[12].index("[toy-screen]") + 2
    assert place == (line, column), told[0]
    assert told[0].source.endswith("spec.yaml")
    assert told[0].excerpt == SPEC.replace(old, new).splitlines()[line - 1]


def test_all_problems_come_at_once_in_the_order_of_the_text(
    load: Callable[..., Experiment],
) -> None:
    text = SPEC
    for old, new in (
        ("name: toy", "nmae: toy"),
        ("papers: 6", "papers: x"),
        ("share: 0.5", "shar: 0.5"),
        ("toy-limit", "toy-limt"),
        ("length: toy-length", "length: toy-lenght"),
        ("[toy-flips]", "[toy-flip]"),
    ):
        text = text.replace(old, new)
    found = problems(lambda: load(text))
    assert [p.line for p in found] == [2, 4, 8, 9, 12, 14]


def test_no_agents_and_no_corpus(load: Callable[..., Experiment]) -> None:
    found = problems(lambda: load("revkit: 1\nagents: {}\n"))
    assert {(p.path, p.message) for p in found} == {
        ("agents", "contains no entry; add at least one, as 'NAME: component', one line each"),
        (
            "",
            "the key 'corpus' is missing; write 'corpus: NAME', with the name of a component (see "
            "`revkit plugins`)",
        ),
    }
    for text in ("[1, 2]", "just text", "5", "null"):
        (problem,) = problems(lambda text=text: load(text))
        assert "expected sections, such as" in problem.message


def test_free_space_for_anchors(load: Callable[..., Experiment]) -> None:
    assert load(SPEC + "x-anything: {a: [1, !!str 2]}\n").name == "toy"


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["corpus.with.papers=10"], toys.ToyPapers(papers_=10)),
        (["corpus.with.papers=007"], toys.ToyPapers(papers_=7)),
        (["corpus.with={start: 2}"], toys.ToyPapers(start=2)),
        (["corpus=toy-papers"], toys.ToyPapers()),
        (["corpus=toy-papers", "corpus.with.start=4"], toys.ToyPapers(start=4)),
        (["corpus.with.start=4", "corpus=toy-papers"], toys.ToyPapers(start=4)),
        (["corpus.with.start=4", "corpus.use=toy-papers"], toys.ToyPapers(papers_=6, start=4)),
        (["corpus.with.papers=1", "corpus.with.papers=2"], toys.ToyPapers(papers_=2)),
        (["corpus.with.skip-every=3"], toys.ToyPapers(papers_=6, skip_every=3)),
    ],
)
def test_overrides(
    load: Callable[..., Experiment], overrides: list[str], expected: toys.ToyPapers
) -> None:
    assert load(SPEC, *overrides).corpus == expected


def test_overrides_reach_lists_names_with_dots_and_new_sections(
    load: Callable[..., Experiment],
) -> None:
    experiment = load(
        SPEC,
        "agents.gpt-4.1.with.refuse=1e-3",
        "agents.gpt-4.1.defenses.0.with.refuse=x",
        "agents.length.with={}",
        "perturbations.words.keep-if.0=toy-limit",
        "perturbations.words.keep-if.0.with.most=9",
        "services.embedder=toy-embedder",
        "limit=4",
        "repeats=3",
        "name='007'",
    )
    assert experiment.agent_steps["gpt-4.1"].component == toys.ToyCoin(0.001)
    assert experiment.agent_steps["gpt-4.1"].defenses == (toys.ToyScreen("x"),)
    assert experiment.perturbation_steps["words"].keep_if == (toys.ToyLimit(9),)
    assert isinstance(experiment.embedder, toys.ToyEmbedder)
    assert (experiment.limit, experiment.repeats, experiment.name) == (4, 3, "007")


def test_null_removes_an_entry_and_sets_an_option(load: Callable[..., Experiment]) -> None:
    experiment = load(SPEC, "perturbations.words=null", "agents.gpt-4.1=null")
    assert not experiment.perturbations
    assert list(experiment.agents) == ["length"]
    whole = load(SPEC, "perturbations=null", "metrics=null")
    assert not whole.perturbations
    assert not whole.metrics
    both = problems(
        lambda: load(SPEC, "perturbations.words=null", "perturbations.words.with.share=1")
    )
    assert "unknown name under perturbations 'words'" in both[0].message


def test_choosing_another_component_drops_the_old_options(
    load: Callable[..., Experiment],
) -> None:
    experiment = load(SPEC, "agents.gpt-4.1.use=fussy")
    assert experiment.agent_steps["gpt-4.1"].component == Fussy()
    assert experiment.agent_steps["gpt-4.1"].defenses == (toys.ToyScreen(),)
    later = load(SPEC, "agents.gpt-4.1.with.mood=fine", "agents.gpt-4.1.use=fussy")
    assert later.agent_steps["gpt-4.1"].component == Fussy("fine")


def test_all_bad_overrides_are_reported_at_once(load: Callable[..., Experiment]) -> None:
    with pytest.raises(SpecError) as caught:
        load(SPEC, "nope", "corpus.with.papers=-1", "corpus.with.papers.x=1", "metrics=[no-such]")
    sources = [problem.source for problem in caught.value.problems]
    assert sources.count("--set nope") == 1
    assert {"--set corpus.with.papers=-1", "--set metrics=[no-such]"} <= set(sources)
    assert "--set corpus.with.papers.x=1" in sources


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("corpus", "write PATH=VALUE, as in corpus.with.papers=10"),
        ("=5", "write PATH=VALUE, as in corpus.with.papers=10"),
        ("a..b=5", "write PATH=VALUE, as in corpus.with.papers=10"),
        (".=5", "write PATH=VALUE, as in corpus.with.papers=10"),
        ("corpus.with.papers=[1", "malformed YAML"),
        ("corpus.with.papers=!!python/object:x {}", "is not allowed"),
        ("corpus.with.papers=-1", "below the minimum"),
        ("corpus.with.papers=1.5", "expected a whole number"),
        ("corpus.with.papers=", "expected a whole number, not ''"),
        ("corpus.with.paper=1", "did you mean 'papers'"),
        ("corpus.with.papers.deep=1", "has no keys"),
        ("seed.x=1", "has no keys"),
        ("metrics.5=toy-flips", "metrics has no entry '5': write the number of an entry, counted"),
        ("metrics.x=toy-flips", "counted from 0; the last entry has number 0"),
        ("metrics.-1=toy-flips", "counted from 0; the last entry has number 0"),
        ("metrics.\u00b2=toy-flips", "counted from 0; the last entry has number 0"),
        ("metrics." + "9" * 5000 + "=toy-flips", "counted from 0; the last entry has number 0"),
        ("sed=1", "did you mean 'seed'"),
        ("perturbations.word=null", "unknown name under perturbations 'word'"),
        ("services.embedder=null", "unknown name under services 'embedder'"),
        ("repeets=null", "unknown section 'repeets'"),
        ("agents.new.with.x=1", "unknown name under agents 'new'"),
        ("agents.{x}=toy-length", "is not a valid name"),
        ("name=../../x", "is not a valid name"),
        ("name=\x1b[31m", "malformed YAML"),
    ],
)
def test_wrong_overrides_are_told_as_such(
    load: Callable[..., Experiment], override: str, message: str
) -> None:
    found = problems(lambda: load(SPEC, override))
    assert any(message in p.message for p in found), found
    assert all(p.source == f"--set {override}" for p in found), found


def test_overrides_need_a_text_to_override(load: Callable[..., Experiment]) -> None:
    experiment = load()
    assert load_experiment(experiment, Registry()) is experiment
    with pytest.raises(SpecError, match="overrides need a spec file or a mapping"):
        load_experiment(experiment, Registry(), overrides=["seed=1"])
    with pytest.raises(SpecError, match="not a mapping"):
        load("[1]", "seed=1")


def test_seed_and_limit_win(load: Callable[..., Experiment]) -> None:
    experiment = load(SPEC, "seed=5", seed=9, limit=2)
    assert (experiment.seed, experiment.limit) == (9, 2)
    for options in ({"seed": -1}, {"limit": 0}, {"seed": 2**63}, {"seed": 1.0}, {"limit": True}):
        with pytest.raises(SpecError):
            load(SPEC, **options)


def test_a_mapping_is_a_spec_too(registry: Registry) -> None:
    spec = yaml.safe_load(SPEC)
    before = copy.deepcopy(spec)
    experiment = load_experiment(spec, registry, overrides=["corpus.with.papers=2"])
    assert experiment.corpus == toys.ToyPapers(papers_=2)
    assert spec == before
    (problem,) = problems(lambda: load_experiment({**spec, "sed": 1}, registry))
    assert str(problem) == "spec: sed: unknown key 'sed'; did you mean 'seed'?"
    spec["agents"]["length"] = {"use": "toy-coin", "with": {"refuse": float("nan")}}
    assert "finite" in problems(lambda: load_experiment(spec, registry))[0].message


def test_a_missing_embedder_is_told_before_the_run(registry: Registry) -> None:
    @dataclass(frozen=True)
    class Embeds(toys.ToyLength):
        """Embeds."""

        name: ClassVar[str] = "embeds"
        uses = ("embedder",)

    spec = {**yaml.safe_load(SPEC), "agents": {"e": "embeds"}}
    both = Registry((*registry.entries, *load_registry([Embeds]).entries))
    (problem,) = problems(lambda: load_experiment(spec, both))
    assert problem.path == "agents.e"
    assert "needs an embedder" in problem.message
    spec["services"] = {"embedder": "toy-embedder"}
    assert load_experiment(spec, both).embedder == toys.ToyEmbedder()


def test_the_resolved_spec_loads_again(load: Callable[..., Experiment], registry: Registry) -> None:
    experiment = load(SPEC, "limit=4", "services.embedder=toy-embedder", "agents.n.use=fussy")
    experiment = load(SPEC, "agents.length={use: fussy, with: {mood: '1e-3'}}", "limit=4")
    text = to_yaml(experiment.to_json())
    again = load_experiment(parse_source(text).value, registry)
    assert again.to_json() == experiment.to_json()
    assert again.digest == experiment.digest
    assert again.agent_steps["length"].component == Fussy("1e-3")


def test_workers_change_no_digest(load: Callable[..., Experiment]) -> None:
    digests = {load(SPEC, f"workers={count}").digest for count in (1, 8)}
    assert len(digests) == 1
    assert load(SPEC, "seed=4").digest not in digests


def test_experiments_built_in_python_are_checked_too() -> None:
    def built(**changes: Any) -> Experiment:
        given = {"corpus": toys.ToyPapers(), "agents": {"a": toys.ToyLength()}, **changes}
        return Experiment(**given)

    assert built().agent_steps["a"].component == toys.ToyLength()
    for changes, path in (
        ({"agents": {}}, "agents"),
        ({"agents": {"a/b": toys.ToyLength()}}, "agents"),
        ({"agents": {"": toys.ToyLength()}}, "agents"),
        ({"agents": {"a\n": toys.ToyLength()}}, "agents"),
        ({"agents": {"a" * 65: toys.ToyLength()}}, "agents"),
        ({"agents": {"a": toys.ToyWords()}}, "agents.a"),
        ({"corpus": toys.ToyLength()}, "corpus"),
        ({"corpus": None}, "corpus"),
        ({"perturbations": {"unchanged": toys.ToyWords()}}, "perturbations.unchanged"),
        ({"perturbations": {"": toys.ToyWords()}}, "perturbations"),
        ({"perturbations": {"w": toys.ToyLength()}}, "perturbations.w"),
        ({"perturbations": {"w": PerturbationStep(toys.ToyWords(), variants=0)}},
         "perturbations.w.variants"),
        ({"perturbations": {"w": PerturbationStep(toys.ToyWords(), (toys.ToyLength(),))}},  # type: ignore[arg-type]
         "perturbations.w.keep-if.0"),
        ({"metrics": [toys.ToyReport()]}, "metrics.0"),
        ({"metrics": [toys.ToyFlips(), toys.ToyFlips()]}, "metrics.1"),
        ({"embedder": toys.ToyLength()}, "services.embedder"),
        ({"seed": 1.0}, "seed"),
        ({"seed": -1}, "seed"),
        ({"repeats": 0}, "repeats"),
        ({"workers": 2000}, "workers"),
        ({"limit": 0}, "limit"),
        ({"name": "a b"}, "name"),
    ):  # fmt: skip
        found = problems(lambda changes=changes: built(**changes))
        assert [p.path for p in found] == [path], changes


def test_random_specs_load_or_are_told(registry: Registry) -> None:
    """Whatever stands in a spec, the answer is an experiment or a `SpecError`."""
    odd = [None, True, 0, -1, 1.5, "", "x", "toy-length", [], [1], {}, {"use": "toy-coin"},
           {"use": None}, {"use": "toy-words", "with": None}, {"a": {"b": 1}}]  # fmt: skip
    draw = random.Random(5)
    loaded = 0
    for _ in range(250):
        spec = yaml.safe_load(SPEC)
        for _ in range(draw.randint(1, 3)):
            place: Any = spec
            while True:
                keys = list(place) if isinstance(place, dict) else list(range(len(place)))
                key = draw.choice(keys) if keys else "new"
                if not keys and isinstance(place, list):
                    break
                if keys and isinstance(place[key], dict | list) and draw.random() < 0.7:
                    place = place[key]
                    continue
                if isinstance(place, dict) and draw.random() < 0.2:
                    place[draw.choice(["use", "with", "seed", "new", "limit"])] = copy.deepcopy(
                        draw.choice(odd)
                    )
                else:
                    place[key] = copy.deepcopy(draw.choice(odd))
                break
        try:
            experiment = load_experiment(spec, registry)
        except SpecError:
            continue
        else:
            loaded += 1
            assert load_experiment(experiment.to_json(), registry).digest == experiment.digest
    assert loaded > 0
