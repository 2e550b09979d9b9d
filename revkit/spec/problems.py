"""Problems of an experiment beyond the structure of its spec: names, bounds, kinds, scales."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from revkit.calibration import OVERRULED_BY
from revkit.contracts import KINDS, Agent
from revkit.errors import CalibrationError, Problem, describe_error, with_article
from revkit.model.criterion import Criterion
from revkit.model.review import Scale, is_severity
from revkit.model.sample import SampleBy
from revkit.model.values import is_number
from revkit.options import spell_value
from revkit.spec.assertions import assertion_problems
from revkit.spec.attack import attack_problems
from revkit.spec.fingerprints import agent_fingerprint
from revkit.spec.stop_conditions import stopping_problems

if TYPE_CHECKING:
    from revkit.spec.experiment import Experiment
    from revkit.spec.steps import CommonScale

# Takes the place of a perturbation's name in the run graph and in reports.
UNCHANGED = "unchanged"
# The bounds and the form that schemas/experiment.schema.json states for specs.
_BOUNDS = {
    "seed": (0, 2**63 - 1),
    "repeats": (1, 1000),
    "limit": (1, 2**63 - 1),
    "workers": (1, 1024),
    "processes": (0, 1024),
    "deadline": (1, 604_800),
}
_HIGHEST_LEVEL = 1_000_000
_AN = {"embedder": "an embedder", "searcher": "a searcher"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def first_problems(experiment: Experiment) -> list[Problem]:
    """Return problems that prevent all other checks."""
    return [
        *_number_problems(experiment),
        *_name_problems(experiment),
        *_kind_problems(experiment),
    ]


def _subjects(experiment: Experiment) -> list[str]:
    """The names of agents, families, judges and rubrics; rubrics with a problem have no name."""
    names = [*experiment.agents, *experiment.perturbations, *experiment.judges]
    return [*names, *_criteria(experiment)[0]]


def _misspelt_models(experiment: Experiment) -> Iterator[Problem]:
    """Settings of a model that no component uses, where a model without settings differs by a slip.

    Calls would go to the public address of that model, with the papers, and not to the one that the
    settings name. Settings of other models that are not used are not a problem: a sweep, or an
    option of the command line, may choose among models.
    """
    settings = experiment.llm.models
    if experiment.llm.default.base_url:
        return  # no call goes to a public address
    used = {model for _, component in experiment.components() for model in component.models()}
    for name in settings:
        near = [] if name in used else [each for each in used - {*settings} if _slip(name, each)]
        if near:
            message = (
                f"no component uses the model {name!r}, and {near[0]!r} has no settings; write the "
                "same name in both places"
            )
            yield Problem(message, path=f"services.llm.models.{name}")


def _slip(one: str, other: str) -> bool:
    """Whether two names differ by one letter of a word, or by two neighbours that changed places;
    a digit, a sign, or a letter after a digit can be another model ("gpt-4", "gpt-4o")."""
    if one.lower() == other.lower():
        return True
    short, long = sorted((one, other), key=len)
    pairs = zip(short, long, strict=False)
    start = next((i for i, (a, b) in enumerate(pairs) if a != b), len(short))
    first, second = short[start:], long[start:]
    if not short[start - 1 : start].isalpha() or not second[:1].isalpha():
        return False
    if len(short) < len(long):
        return first == second[1:]
    swapped = first[:2] == second[1::-1] and first[2:] == second[2:]
    return first[:1].isalpha() and (swapped or first[1:] == second[1:])


def later_problems(experiment: Experiment) -> list[Problem]:
    """Return problems between components that are each valid."""
    stop = experiment.stop_when
    stopping = (
        [] if stop is None else stopping_problems(stop, experiment.agents, experiment.perturbations)
    )
    problems: list[Problem] = [Problem(message, path="stop-when") for _, message in stopping]
    problems += [
        Problem(message, path=f"assert.{index}")
        for index, message in assertion_problems(
            experiment.assertions,
            _subjects(experiment),
            experiment.metrics,
            varies=experiment.makes_variants,
        )
    ]
    for section in ("metrics", "reports"):
        names = [component.name for component in getattr(experiment, section)]
        problems.extend(
            Problem(f"{name!r} appears twice in this list", path=f"{section}.{index}")
            for index, name in enumerate(names)
            if name in names[:index]
        )
    for service, there in (("embedder", experiment.embedder), ("searcher", experiment.searcher)):
        if there is None:
            problems.extend(
                Problem(
                    f"needs {_AN[service]}; add 'services: {{{service}: NAME}}' (`revkit plugins` "
                    f"lists each {service})",
                    path=path,
                )
                for path, component in experiment.components()
                if service in component.uses
            )
    problems.extend(_misspelt_models(experiment))
    problems.extend(
        Problem("only perturbations and constraints may see the corpus", path=path)
        for path, kind, component in experiment.placed()
        if "corpus" in component.uses and kind not in ("perturbation", "constraint")
    )
    problems.extend(
        Problem("only agents may read human reviews of a paper", path=path)
        for path, kind, component in experiment.placed()
        if "reviews" in component.uses and kind != "agent"
    )
    problems.extend(_prompt_problems(experiment))
    problems.extend(_scale_problems(experiment))
    rubrics = list(_rubric_problems(experiment))
    problems.extend(rubrics)
    problems.extend(_judge_problems(experiment, named=not rubrics))
    problems.extend(_calibration_problems(experiment))
    problems.extend(attack_problems(experiment))
    return problems


def _prompt_problems(experiment: Experiment) -> Iterator[Problem]:
    """Defenses that change prompts, on agents that send none."""
    sections = {"agents": experiment.agent_steps, "judges": experiment.judge_steps}
    for section, steps in sections.items():
        for name, step in steps.items():
            for index, defense in enumerate(step.defenses):
                if defense.changes_prompts and not _has_prompts(step.component):
                    yield Problem(
                        f"{defense.name!r} changes the prompts of a language model, and the agent "
                        f"{step.component.name!r} asks none",
                        path=f"{section}.{name}.defenses.{index}",
                    )


def _has_prompts(agent: Agent) -> bool:
    return agent.takes_prompts or "llm" in agent.uses


def _number_problems(experiment: Experiment) -> Iterator[Problem]:
    numbers = {name: (getattr(experiment, name), bounds) for name, bounds in _BOUNDS.items()}
    for name, step in experiment.perturbation_steps.items():
        numbers[f"perturbations.{name}.variants"] = (step.variants, (1, 1000))
    if experiment.calibration is not None:
        numbers["calibration.repeats"] = (experiment.calibration.repeats, (1, 1000))
    if experiment.sample is not None:
        numbers["sample.n"] = (experiment.sample.n, (1, 2**63 - 1))
        numbers["sample.seed"] = (experiment.sample.seed, _BOUNDS["seed"])
        if experiment.sample.by not in get_args(SampleBy):
            yield Problem(f"cannot be {experiment.sample.by!r}", path="sample.by")
    for name, (value, (lowest, highest)) in numbers.items():
        if value is None and name == "limit":
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            yield Problem(f"expected a whole number, not {spell_value(value)}", path=name)
        elif not lowest <= value <= highest:
            yield Problem(f"must be {lowest} to {highest}, not {value}", path=name)


def _name_problems(experiment: Experiment) -> Iterator[Problem]:
    if not isinstance(experiment.name, str) or not _NAME.fullmatch(experiment.name):
        yield Problem(f"{experiment.name!r} is not a valid name", path="name")
    if not experiment.agents and not experiment.judges:
        yield Problem("name at least one agent, or judges and rubrics", path="agents")
    if bool(experiment.judges) != bool(experiment.rubrics):
        there, missing = ("judges", "rubrics") if experiment.judges else ("rubrics", "judges")
        yield Problem(f"{there} need {missing}; add the section {missing}", path=there)
    sections = {name: getattr(experiment, name) for name in ("perturbations", "agents", "judges")}
    if experiment.attack is not None:
        sections["attack.strategies"] = experiment.attack.strategies
    for section, names in sections.items():
        for name in names:
            if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > 64:
                yield Problem(f"{name!r} is not a valid name", path=section)
            elif section == "perturbations" and name == UNCHANGED:
                yield Problem(
                    f"{UNCHANGED!r} is the name of the unchanged paper; choose another name",
                    path=f"{section}.{name}",
                )


def _kind_problems(experiment: Experiment) -> Iterator[Problem]:
    bases = {kind.name: kind.base for kind in KINDS.values()}
    for path, kind, component in experiment.placed():
        if not isinstance(component, bases[kind]):
            remedy = (
                "; revkit.run(agents=..., perturbations=..., metrics=...) accepts names"
                if isinstance(component, str)
                else ""
            )
            yield Problem(
                f"expected {with_article(kind)}, not {type(component).__name__}{remedy}",
                path=path,
            )


def _scale_problems(experiment: Experiment) -> Iterator[Problem]:
    for name, step in experiment.agent_steps.items():
        path = f"agents.{name}"
        try:
            scale = step.component.scale
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            yield Problem(f"its scale: {describe_error(error)}", path=path)
            continue
        if not isinstance(scale, Scale):
            yield Problem(f"its scale must be a Scale, not {scale!r}", path=path)
        elif step.calibration is not None:
            yield from _map_problems(experiment, name, step.calibration, scale)


def _map_problems(
    experiment: Experiment, name: str, common: CommonScale, scale: Scale
) -> Iterator[Problem]:
    path = f"agents.{name}.calibration"
    theirs = common.map.scale
    if not _reads(theirs, scale):
        yield Problem(
            f"this map is for scores {_ends(theirs)}, but the agent's scores are {_ends(scale)}; "
            "fit a map for this agent",
            path=path,
        )
    else:
        try:
            common.map.apply(scale.values or (scale.minimum, scale.maximum))
        except CalibrationError as error:
            yield Problem(f"{error}; fit it again", path=path)
    if not (is_number(common.accept_up_to) and is_severity(common.accept_up_to)):
        yield Problem(f"accept-up-to must be 0 to 100, not {common.accept_up_to!r}", path=path)
    unknown = sorted(set(common.allow) - OVERRULED_BY.keys())
    if unknown:
        known = ", ".join(OVERRULED_BY)
        yield Problem(f"allow may list {known}, not {', '.join(unknown)}", path=path)
    for refusal in common.map.refusals(fingerprint=agent_fingerprint(experiment, name)):
        if not refusal.overruled(common.allow):
            yield Problem(f"{refusal}; {refusal.remedy}, or set allow: [{refusal.kind}]", path=path)


def _reads(theirs: Scale, scale: Scale) -> bool:
    """Return whether a map of scores on one scale may read those on another: the same ends and
    direction, and no unknown score. Names do not matter.
    """
    same = (theirs.minimum, theirs.maximum, theirs.higher_is_better)
    if same != (scale.minimum, scale.maximum, scale.higher_is_better):
        return False
    return not theirs.values or bool(scale.values and set(scale.values) <= set(theirs.values))


def _ends(scale: Scale) -> str:
    better = "higher is better" if scale.higher_is_better else "lower is better"
    some = f", of {len(scale.values)} values" if scale.values else ""
    return f"from {scale.minimum:g} to {scale.maximum:g} ({better}{some})"


def _rubric_problems(experiment: Experiment) -> list[Problem]:
    return _criteria(experiment)[1]


def _criteria(experiment: Experiment) -> tuple[list[str], list[Problem]]:
    """Return the names of the criteria of all rubrics, and the problems of the others."""
    names: list[str] = []
    problems: list[Problem] = []
    for index, rubric in enumerate(experiment.rubrics):
        try:
            criterion = rubric.criterion
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            message = f"its criterion: {describe_error(error)}"
        else:
            message = criterion_fault(criterion, names)
        if message:
            problems.append(Problem(message, path=f"rubrics.{index}"))
        else:
            names.append(criterion.name)
    return names, problems


def criterion_fault(criterion: object, names: Sequence[str] = ()) -> str:
    """Return why a run refuses the criterion of a rubric, or ""; ``names`` are those of others."""
    if not isinstance(criterion, Criterion):
        return f"its criterion must be a Criterion, not {criterion!r}"
    if message := _criterion_problem(criterion):
        return f"its criterion: {message}"
    if not _NAME.fullmatch(criterion.name):
        return f"{criterion.name!r} is not a valid name of a criterion"
    if criterion.name in names:
        return f"the criterion {criterion.name!r} appears twice in this list"
    return ""


def _criterion_problem(criterion: Criterion) -> str:
    """Return the first value of a criterion with a wrong type, or "": keys, prompts and scales use
    them.
    """
    for name in ("name", "question", "family", "instructions"):
        if not _is_text(value := getattr(criterion, name)):
            return f"{name} must be text, not {value!r}"
    for level in criterion.levels:
        score, meaning = level
        if isinstance(score, bool) or not isinstance(score, int) or abs(score) > _HIGHEST_LEVEL:
            return f"the score of a level must be a whole number, not {score!r}"
        if not _is_text(meaning):
            return f"the meaning of level {score} must be text, not {meaning!r}"
    return ""


def _is_text(value: object) -> bool:
    """Return whether ``value`` is text that a file can contain: a lone surrogate cannot be
    encoded.
    """
    return isinstance(value, str) and value.encode("utf-8", "ignore").decode("utf-8") == value


def _judge_problems(experiment: Experiment, named: bool) -> Iterator[Problem]:
    """Find problems of the judges; ``named`` is whether rubrics state their names."""
    for name, step in experiment.judge_steps.items():
        if type(step.component).judge is Agent.judge:
            yield Problem(
                f"{step.component.name!r} cannot judge by rubrics; name an agent that can (see "
                "`revkit plugins`)",
                path=f"judges.{name}",
            )
        if step.calibration is not None:
            yield Problem("a judge cannot have a calibration map", path=f"judges.{name}")
        if step.reads == "reviews" and not experiment.agents:
            message = "there are no reviews to read: name the agents that write them"
            yield Problem(message, path=f"judges.{name}.reads")
        known = [rubric.criterion.name for rubric in experiment.rubrics] if named else []
        for each in step.by:
            if named and each not in known:
                message = f"{each!r} is not one of the rubrics ({', '.join(known)})"
                yield Problem(message, path=f"judges.{name}.by")
    for name, step in experiment.agent_steps.items():
        if step.reads != "papers" or step.by:
            yield Problem("`reads` and `by` are settings of judges", path=f"agents.{name}")


def _calibration_problems(experiment: Experiment) -> Iterator[Problem]:
    calibration = experiment.calibration
    if calibration is None:
        return
    if not experiment.agents:
        yield Problem("needs agents", path="calibration")
    if not calibration.maps:
        yield Problem("name at least one map", path="calibration.maps")
    for name in calibration.maps:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > 64:
            yield Problem(f"{name!r} is not a valid name", path="calibration.maps")
        elif name in ("raw", "oracle"):
            yield Problem(
                f"the tables use the name {name!r} for other rows; choose another name",
                path=f"calibration.maps.{name}",
            )
    if (calibration.anchors is None) == (calibration.share is None):
        yield Problem(
            "give either a corpus of anchors, or the share of the corpus to use as anchors",
            path="calibration",
        )
    share = calibration.share
    if share is not None and not (is_number(share) and 0.0 < share < 1.0):
        yield Problem(f"must lie between 0 and 1, not {share!r}", path="calibration.share")
