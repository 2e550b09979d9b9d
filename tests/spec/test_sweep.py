"""Sweeps: one spec to many experiments, and what is wrong with one at its place."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import SpecError
from revkit.files.yaml_source import parse_source, to_yaml
from revkit.registry import Registry, load_registry
from revkit.spec import Experiment, Sweep, load_experiment, load_spec
from revkit.testing import toys

pytestmark = pytest.mark.usefixtures("no_plugins")

SPEC = """\
revkit: 1
name: toy
seed: 3
corpus: {use: toy-papers, with: {papers: 6}}
perturbations:
  words: {use: toy-words, with: {share: 0.5}}
agents:
  gpt-4.1: {use: toy-coin, with: {refuse: 0.1}}
  length: toy-length
metrics: [toy-flips]
sweep:
  agents.gpt-4.1.with.refuse: [0, 0.5]
  perturbations.words: {half: toy-words, all: {use: toy-words, with: {share: 1.0}}}
"""


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry([toys])


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def make(text: str) -> Path:
        path = tmp_path / "spec.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def sweep_of(spec: Any, registry: Registry, **options: Any) -> Sweep:
    found = load_spec(spec, registry, **options)
    assert isinstance(found, Sweep)
    return found


def problems_of(spec: Any, registry: Registry, **options: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_spec(spec, registry, **options)
    return [f"{p.source}:{p.line}:{p.column} {p.message}" for p in caught.value.problems]


def test_every_combination_is_a_point_in_the_order_of_the_spec(
    write: Any, registry: Registry
) -> None:
    sweep = sweep_of(write(SPEC), registry)
    assert [point.label for point in sweep.points] == [
        "refuse=0,words=half",
        "refuse=0,words=all",
        "refuse=0.5,words=half",
        "refuse=0.5,words=all",
    ]
    assert [(axis.path, axis.name, axis.labels, axis.numeric) for axis in sweep.axes] == [
        ("agents.gpt-4.1.with.refuse", "refuse", ("0", "0.5"), True),
        ("perturbations.words", "words", ("half", "all"), False),
    ]
    agents = [point.experiment.agent_steps["gpt-4.1"].component for point in sweep.points]
    assert [agent.refuse for agent in agents] == [0, 0, 0.5, 0.5]  # type: ignore[attr-defined]
    words = [point.experiment.perturbation_steps["words"].component for point in sweep.points]
    assert [each.share for each in words] == [0.5, 1.0, 0.5, 1.0]  # type: ignore[attr-defined]


def test_a_point_is_the_experiment_that_one_would_have_written(registry: Registry) -> None:
    base: dict[str, Any] = {
        "revkit": 1,
        "name": "toy",
        "corpus": {"use": "toy-papers", "with": {"papers": 6}},
        "agents": {"length": "toy-length"},
    }
    swept = {**copy.deepcopy(base), "sweep": {"corpus.with.papers": [2, 4], "seed": [1]}}
    sweep = sweep_of(swept, registry)
    written = copy.deepcopy(base)
    written |= {"name": "toy.papers-4.seed-1", "seed": 1}
    written["corpus"]["with"]["papers"] = 4
    expected = load_experiment(written, registry)
    assert sweep.point("papers=4,seed=1").experiment.to_json() == expected.to_json()
    assert swept["corpus"]["with"]["papers"] == 6, "the mapping that was given is not changed"


def test_axes_of_one_last_key_are_told_apart_by_more_of_their_paths(registry: Registry) -> None:
    spec = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin", "b": "toy-coin"},
        "sweep": {"agents.a.with.refuse": [0.1], "agents.b.with.refuse": [0.2], "seed": [1]},
    }
    assert [axis.name for axis in sweep_of(spec, registry).axes] == [
        "a.refuse",
        "b.refuse",
        "seed",
    ]


def test_the_axis_of_a_component_is_called_by_whose_it_is(registry: Registry) -> None:
    spec = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin", "b": "toy-coin"},
        "sweep": {"agents.a.use": ["toy-length"], "agents.b.with": {"never": {"refuse": 0}}},
    }
    assert [axis.name for axis in sweep_of(spec, registry).axes] == ["a.use", "b.with"]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True),
    st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=3, unique=True),
)
def test_the_grid_is_the_product_of_its_axes(papers: list[int], shares: list[float]) -> None:
    shares = [abs(share) for share in shares]
    if len({str(share) for share in shares}) < len(shares):
        return
    spec = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin"},
        "sweep": {"corpus.with.papers": papers, "agents.a.with.refuse": shares},
    }
    sweep = sweep_of(spec, load_registry([toys]))
    found = []
    for point in sweep.points:
        agent: Any = point.experiment.agent_steps["a"].component
        corpus: Any = point.experiment.corpus
        found.append((corpus.papers_, agent.refuse))
    assert found == list(itertools.product(papers, shares))
    assert len({point.label for point in sweep.points}) == len(sweep.points)


def test_a_wrong_value_is_told_once_at_its_place(write: Any, registry: Registry) -> None:
    text = SPEC.replace("[0, 0.5]", "[0, 7]").replace("share: 1.0", "shar: 1")
    told = problems_of(write(text), registry)
    assert len(told) == 2
    assert ":12:35 " in told[0]
    assert told[0].endswith("7 is above the maximum of 1")
    assert ":13:71 " in told[1]
    assert "unknown option 'shar'" in told[1]


def test_what_all_points_share_is_told_once(write: Any, registry: Registry) -> None:
    told = problems_of(write(SPEC.replace("length: toy-length", "length: toy-lenght")), registry)
    assert len(told) == 1
    assert "'toy-lenght'" in told[0]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("{}", "expected a mapping from paths to values"),
        ("[1]", "expected a mapping from paths to values"),
        ("{seed: 5}", "expected a list of values"),
        ("{seed: []}", "expected a list of values"),
        ("{seed: [1, 1]}", "'1' appears twice"),
        ("{name: [a, b]}", "'name' cannot be swept"),
        ("{budget.calls: [1]}", "'budget' cannot be swept"),
        ("{x-here: [1]}", "'x-here' cannot be swept"),
        ("{corpus..with: [1]}", "expected path.to.key"),
        ("{metrics: [[], [toy-flips]]}", "give it a label"),
        ("{corpus: [a/b]}", "'a/b' is not a label"),
        ("{corpus: {../x: toy-papers}}", "'../x' is not a label"),
        ("{corpus: {'': toy-papers}}", "'' is not a label"),
        ("{corpus: {x: toy-papers}, corpus.with.papers: [1]}", "is part of 'corpus'"),
        ("{agents.nobody.with.refuse: [1]}", "unknown name under agents 'nobody'"),
        ("{metrics.3: [toy-flips]}", "metrics has no entry '3'"),
        ("{metrics.00: [toy-flips]}", "metrics has no entry '00'"),
        ("{metrics.0000000005: [toy-flips]}", "metrics has no entry '0000000005'"),
        ("{seed.x: [1]}", "seed has no keys"),
        ("{corpus.with.papers: [1, 1.0]}", "'1.0' is the number '1', which is already in the list"),
        ("{agents.length.with.words: [0.0, -0.0]}", "'-0.0' is the number '0.0'"),
        ("{seed: {A: 1, a: 2}}", "'a' and 'A' differ only in the case of letters"),
        ("{seed: {a.: 1}}", "'a.' is not a label"),
        ("{seed: [1e999]}", "expected a whole number, not inf"),
        ("{seed: [1, -1]}", "-1 is below the minimum of 0"),
    ],
)
def test_what_is_no_sweep_is_refused(
    section: str, expected: str, write: Any, registry: Registry
) -> None:
    text = SPEC[: SPEC.index("sweep:")] + f"sweep: {section}\n"
    told = problems_of(write(text), registry)
    assert any(expected in each for each in told), told
    assert all(":11:" in each for each in told), told


def test_too_many_points_and_names_too_long_are_refused(registry: Registry) -> None:
    spec: dict[str, Any] = {"revkit": 1, "corpus": "toy-papers", "agents": {"a": "toy-coin"}}
    many = {**spec, "sweep": {"seed": list(range(40)), "corpus.with.papers": list(range(1, 31))}}
    assert "1,200 points are more than 1,000" in problems_of(many, registry)[0]
    long = {**spec, "name": "n" * 60, "sweep": {"corpus": {"l" * 60: "toy-papers"}}}
    assert "too long" in problems_of(long, registry)[0]


def test_overrides_reach_the_sweep_and_its_values_win(write: Any, registry: Registry) -> None:
    path = write(SPEC)
    sweep = sweep_of(
        path,
        registry,
        overrides=[
            "sweep.agents.gpt-4.1.with.refuse=[0.25]",
            "sweep.perturbations.words.all.with.share=0.75",
            "sweep.seed=[8, 9]",
            "corpus.with.papers=2",
        ],
    )
    assert len(sweep.points) == 4
    assert sweep.points[-1].label == "refuse=0.25,words=all,seed=9"
    last = sweep.points[-1].experiment
    assert (last.seed, last.corpus.papers_) == (9, 2)  # type: ignore[attr-defined]
    assert last.perturbation_steps["words"].component.share == 0.75  # type: ignore[attr-defined]
    assert "sweep" in sweep.spec
    told = problems_of(path, registry, overrides=["agents.gpt-4.1.with.refuse=0.3"])
    assert told == [
        "--set agents.gpt-4.1.with.refuse=0.3:0:0 the spec sweeps this value; set "
        "sweep.agents.gpt-4.1.with.refuse instead"
    ]
    told = problems_of(path, registry, overrides=["sweep.agents.gpt-4.1.with.refuse=[3]"])
    assert told[0].startswith("--set sweep.agents.gpt-4.1.with.refuse=[3]:0:0")


def test_seed_and_limit_from_outside_hold_for_every_point(write: Any, registry: Registry) -> None:
    sweep = sweep_of(write(SPEC), registry, seed=11, limit=2)
    assert {(p.experiment.seed, p.experiment.limit) for p in sweep.points} == {(11, 2)}
    told = problems_of(write(SPEC + "  seed: [1, 2]\n"), registry, seed=11)
    assert "the spec sweeps seed; omit --seed" in told[0]


def test_one_point_is_chosen_by_its_label(write: Any, registry: Registry) -> None:
    path = write(SPEC)
    chosen = load_experiment(path, registry, point="refuse=0.5,words=all")
    assert isinstance(chosen, Experiment)
    assert chosen.name == "toy.refuse-0.5.words-all"
    with pytest.raises(SpecError, match="unknown point 'refuse=1'"):
        load_experiment(path, registry, point="refuse=1")
    with pytest.raises(SpecError, match="name one of its 4 points"):
        load_experiment(path, registry)
    plain = SPEC[: SPEC.index("sweep:")]
    with pytest.raises(SpecError, match="is not a sweep"):
        load_experiment(write(plain), registry, point="refuse=1")


def test_a_component_is_chosen_before_its_options(registry: Registry) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": {"use": "toy-length", "with": {"words": 5}}},
        "sweep": {"agents.a.with.refuse": [0.5], "agents.a.use": ["toy-coin"]},
    }
    (point,) = sweep_of(spec, registry).points
    agent: Any = point.experiment.agent_steps["a"].component
    assert (agent.name, agent.refuse) == ("toy-coin", 0.5)


def test_the_digest_tells_sweeps_apart_and_ignores_threads(registry: Registry) -> None:
    spec: dict[str, Any] = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin"},
        "sweep": {"seed": [1, 2]},
    }
    first = sweep_of(spec, registry).digest
    assert sweep_of({**spec, "workers": 9, "budget": {"calls": 3}}, registry).digest == first
    assert sweep_of({**spec, "sweep": {"seed": [1, 3]}}, registry).digest != first


def test_a_name_that_is_none_is_told_once(registry: Registry) -> None:
    for name, expected in (
        (5, "not 5"),
        (None, "not null"),
        (["a"], "not a list"),
        ("a b", "'a b'"),
    ):
        told = problems_of({**PLAIN, "name": name, "sweep": {"seed": [1, 2]}}, registry)
        assert len(told) == 1
        assert expected in told[0]


PLAIN: dict[str, Any] = {"revkit": 1, "corpus": "toy-papers", "agents": {"a": "toy-coin"}}


def test_numbers_too_long_to_write_are_refused(write: Any, registry: Registry) -> None:
    text = SPEC[: SPEC.index("sweep:")] + f"sweep: {{seed: [0x{'f' * 6000}]}}\n"
    assert "cannot be read as int" in problems_of(write(text), registry)[0]
    told = problems_of({**PLAIN, "sweep": {"seed": [16**6000]}}, registry)
    assert "is not a label" in told[0]
    assert len(told[0]) < 400


def test_a_name_with_dots_lies_below_no_shorter_one(registry: Registry) -> None:
    spec = {
        **PLAIN,
        "agents": {"gpt-4": "toy-coin", "gpt-4.1": "toy-coin"},
        "sweep": {"agents.gpt-4": ["toy-coin"], "agents.gpt-4.1": ["toy-length"]},
    }
    (point,) = sweep_of(spec, registry).points
    assert point.label == "gpt-4=toy-coin,gpt-4.1=toy-length"
    steps = point.experiment.agent_steps
    assert {name: step.component.name for name, step in steps.items()} == {
        "gpt-4": "toy-coin",
        "gpt-4.1": "toy-length",
    }


def test_names_with_dots_and_slashes_are_found_and_name_folders(registry: Registry) -> None:
    models = {"openai/gpt-4.1": {"timeout": 5}}
    spec = {
        **PLAIN,
        "services": {"llm": {"models": models}},
        "sweep": {"services.llm.models.openai/gpt-4.1": {"a": {"timeout": 6}, "b": {}}},
    }
    labels = [point.label for point in sweep_of(spec, registry).points]
    assert labels == ["openai-gpt-4.1=a", "openai-gpt-4.1=b"]
    spec["sweep"] = {"services.llm.models.openai/gpt-4.1.timeout": [7]}
    (point,) = sweep_of(spec, registry).points
    assert point.experiment.llm.models["openai/gpt-4.1"].timeout == 7


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("corpus.with.papers=2", "sweeps this value, as part of corpus; set sweep.corpus instead"),
        ("agents.length.with.words=3", "sweep this value as well: sweep.agents.length.with.words"),
    ],
)
def test_an_override_that_the_sweep_would_undo_is_refused(
    override: str, expected: str, write: Any, registry: Registry
) -> None:
    text = SPEC[: SPEC.index("sweep:")]
    text += "sweep: {corpus: [toy-papers], agents.length.use: [toy-length, toy-coin]}\n"
    (told,) = problems_of(write(text), registry, overrides=[override])
    assert told.startswith(f"--set {override}:")
    assert expected in told


def test_a_sweep_is_set_whole(write: Any, registry: Registry) -> None:
    sweep = sweep_of(write(SPEC), registry, overrides=["sweep={seed: [4, 5]}"])
    assert [point.label for point in sweep.points] == ["seed=4", "seed=5"]
    assert "expected a mapping" in problems_of(write(SPEC), registry, overrides=["sweep=5"])[0]


def test_what_is_set_from_outside_stands_in_the_spec_that_is_kept(
    write: Any, registry: Registry
) -> None:
    sweep = sweep_of(write(SPEC), registry, seed=11, limit=2)
    again = sweep_of(sweep.spec, registry)
    assert again.digest == sweep.digest
    changed = sweep_of(sweep_of(write(SPEC), registry), registry, seed=11, limit=2)
    assert (changed.digest, changed.spec) == (sweep.digest, sweep.spec)
    with pytest.raises(SpecError, match="overrides need a spec file"):
        load_spec(sweep, registry, overrides=["seed=1"])
    with pytest.raises(SpecError, match="omit --seed"):
        load_spec(sweep_of({**PLAIN, "sweep": {"seed": [1]}}, registry), registry, seed=2)


def test_a_mapping_has_all_its_problems_told(registry: Registry) -> None:
    spec = {**PLAIN, "sweep": {"seed": [1, 2]}, "agents": {"a": "nobody", "b": "nobody"}}
    assert len(problems_of(spec, registry)) == 2


def test_too_many_paths_are_refused_at_once(registry: Registry) -> None:
    sweep = {f"agents.a{number}": ["toy-coin"] for number in range(20_000)}
    assert "20,000 paths are more than 24" in problems_of({**PLAIN, "sweep": sweep}, registry)[0]


def test_a_hostile_key_is_told_without_what_a_terminal_obeys(registry: Registry) -> None:
    with pytest.raises(SpecError) as caught:
        load_spec({**PLAIN, "sweep": {"corpus.with.\x1b[31m": [1]}}, registry)
    assert "\x1b" not in str(caught.value)
    assert "\\x1b[31m" in str(caught.value)


def test_a_mapping_may_hold_numbers_of_other_libraries(registry: Registry) -> None:
    shares = list(np.linspace(0, 1, 3))
    swept = {"agents.a.with.refuse": shares, "seed": [np.int64(4), 5], "limit": range(1, 3)}
    sweep = sweep_of({**PLAIN, "x-from": Path("here"), "sweep": swept}, registry)
    assert [axis.labels for axis in sweep.axes] == [("0.0", "0.5", "1.0"), ("4", "5"), ("1", "2")]
    assert parse_source(to_yaml(dict(sweep.spec))).value == sweep.spec
    told = problems_of({**PLAIN, "x-odd": [object()], "sweep": {"seed": [1]}}, registry)
    assert told == ["spec:0:0 a spec cannot contain a value of type object"]


def test_a_whole_that_is_set_does_not_hold_what_is_swept(write: Any, registry: Registry) -> None:
    path = write(SPEC)
    for held in (
        "agents.gpt-4.1={use: toy-coin, with: {refuse: 0.3}}",
        "agents.gpt-4.1.with={refuse: 0.3}",
        "agents={gpt-4.1: {use: toy-coin, with: {refuse: 0.3}}, length: toy-length}",
    ):
        (told,) = problems_of(path, registry, overrides=[held])
        assert told == (
            f"--set {held}:0:0 the spec sweeps agents.gpt-4.1.with.refuse, which this value also "
            "sets; leave it out here, and set sweep.agents.gpt-4.1.with.refuse instead"
        )
    sweep = sweep_of(path, registry, overrides=["agents.gpt-4.1=toy-coin"])
    assert len(sweep.points) == 4
    needed = "sweep={agents.length.use: [toy-coin], metrics.0: [toy-flips]}"
    whole = ["agents.length={use: toy-length}", "metrics=[toy-flips]"]
    assert len(sweep_of(path, registry, overrides=[needed, *whole]).points) == 1


def test_many_values_are_checked_in_one_pass(registry: Registry) -> None:
    spec = {"revkit": 1, "corpus": "toy-papers", "sweep": {"seed": [*range(50_000), 7.0]}}
    (told,) = problems_of(spec, registry)
    assert "'7.0' is the number '7', which is already in the list" in told


def test_an_unknown_point_of_many_is_told_in_short(registry: Registry) -> None:
    spec = {
        "revkit": 1,
        "corpus": "toy-papers",
        "agents": {"a": "toy-coin"},
        "sweep": {"seed": list(range(200))},
    }
    sweep = sweep_of(spec, registry)
    with pytest.raises(SpecError, match=r"known: seed=0, .*, seed=7, \.\.\. \(200 in all\)"):
        sweep.point("zzz")
    with pytest.raises(SpecError, match="did you mean 'seed=12'"):
        sweep.point("seed:12")
    with pytest.raises(SpecError) as caught:
        sweep.point("z" * 100_000)
    assert len(str(caught.value)) < 600
