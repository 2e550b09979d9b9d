"""The agent `review-grounder`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from revkit.contracts import Agent, Context, ServiceName
from revkit.dataclass import dataclass
from revkit.files import digest
from revkit.forms import Form, FormProblem
from revkit.model.paper import Paper
from revkit.model.review import Outcome, Scale
from revkit.model.roles import AgentRole
from revkit.model.training import TrainingExample
from revkit.model.values import Json
from revkit.model.variant import Rejection
from revkit.options import Nested, option, options_of
from revkit.prompting import SamplingOptions, Template, TemplateProblem
from revkit_reviewground.drafts import DraftProblem, drafts_digest, load_drafts
from revkit_reviewground.form import built_in, load_form
from revkit_reviewground.pipeline import Pipeline
from revkit_reviewground.role_call import Lengths
from revkit_reviewground.role_graph import graph_of, sharing, taking_part
from revkit_reviewground.roles import TEMPLATES, Role, RolesOptions, roles_of
from revkit_reviewground.scores import Policy
from revkit_reviewground.scripted_models import answering, is_scripted, problem_of
from revkit_reviewground.templates import meta_rubrics, role_template
from revkit_reviewground.training import example_of

Part = Literal["searcher", "miner", "analyzer", "aggregator", "checks"]


@dataclass(frozen=True)
class ReviewGrounder(SamplingOptions, Agent):
    """Drafts a review and grounds it in the paper and the literature by further roles.

    ReviewGrounder (section 4): a drafter reviews the paper; a literature searcher, an insight miner
    and a result analyzer work in parallel; an aggregator writes the final review from draft and
    reports, guided by eight standards for any paper. Each role has its own model, prompt and
    parameters. The rules of the paper for the aggregator are checked in code against the paper's
    text; the aggregator gets the violations once to correct them, and remaining ones are marked in
    the review. If a grounding role fails, this is recorded and the work of the others is kept;
    without draft or final review the result is a Failure. The evidence is in the details and at the
    end of the text; ``details["review"]`` has only the fields, without marks.

    It asks the run's searcher (``services.searcher``) unless the searcher is left out. A model
    ``scripted/SKILL`` (SKILL from 0 to 1) is not a language model: it answers by rules for its
    role, offline, so that an ablation can be tried with roles of known skill.
    """

    name: ClassVar[str] = "review-grounder"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = (
        "checks/common_names.txt",
        "checks/missing-wordings.toml",
        "checks/missing.toml",
        "forms/*.yaml",
        "prompts/*.md",
        "schemas/*.json",
        "revkit.english:*.tsv",
    )
    uses: ClassVar[tuple[ServiceName, ...]] = ("llm", "searcher")
    model: str = option(
        help="The model of all roles without their own model, by its name in litellm."
    )
    temperature: float = option(0.4, help="Sampling temperature.", minimum=0, maximum=5)
    max_tokens: int = option(16384, help="Maximum length of a reply in tokens.", minimum=1)
    roles: Nested[RolesOptions | None] = option(
        None, help="Settings of single roles: a model, or several settings."
    )
    input_tokens: int = option(
        100_000,
        help=(
            "Maximum length of a prompt in estimated tokens; a longer prompt is cut by fixed rules."
        ),
        minimum=256,
    )
    form: str = option(
        "iclr-decision", help="iclr-decision, or the path of a form (YAML) of the review."
    )
    system: str | None = option(
        None, help="Path of the instructions that all roles share; none: the built-in ones."
    )
    correction: str | None = option(
        None, help="Path of the template that gives findings back; none: the built-in one."
    )
    without: tuple[Part, ...] = option(
        (),
        help=(
            "Roles to leave out: searcher, miner, analyzer, checks; or aggregator, together with "
            "all roles that only it reads, so that the draft is the review."
        ),
    )
    works: int = option(10, help="How many related works are debriefed.", minimum=1, maximum=50)
    candidates: int = option(
        20,
        help="Number of works requested from the search for each keyword.",
        minimum=1,
        maximum=200,
    )
    from_year: int | None = option(
        2023, help="First year of related works; null: all years.", minimum=1900
    )
    reading: Literal["whole", "sections"] = option(
        "whole",
        help=(
            "The input of miner and analyzer: the whole paper with their sections named (all "
            "roles then share a prompt prefix, which providers cache), or only these sections."
        ),
    )
    report_items: int = option(
        5,
        help="Maximum number of items in a list in the reports of miner and analyzer.",
        minimum=1,
        maximum=5,
    )
    report_length: int = option(
        1500,
        help="Maximum number of characters of a text in the reports; 600 in lists.",
        minimum=20,
        maximum=1500,
    )
    scores: Policy = option(
        "bounded",
        help=(
            "How numbers and decision may differ from those of the draft: bounded (at most two, a "
            "number by one step, the decision only with the rating), keep-draft, or aggregator "
            "(freely)."
        ),
    )
    corrections: int = option(
        1, help="How often findings are sent back to the aggregator.", minimum=0, maximum=3
    )
    evidence: Literal["text", "details"] = option(
        "text",
        help="Whether the evidence report is at the end of the review's text or only in its "
        "details, as it should be if the text itself is judged.",
    )
    partial: Literal["keep-lasting", "keep", "fail"] = option(
        "keep-lasting",
        help="What becomes of a review if a grounding role failed: it is kept, with a note of what "
        "it is not grounded in, or it is a failure, which the next run tries again. keep-lasting: "
        "kept if the cause is lasting (a refusal, an unusable reply), a failure if it may be "
        "temporary (a provider or a search that did not answer, a timeout).",
    )
    draft_from: str | None = option(
        None,
        help=(
            "Path of drafts from another source (JSON Lines with digest or title, and review), "
            "which replace the drafter."
        ),
    )

    prompt_version: Literal[1, 2] = option(
        2,
        later=True,
        help="The version of the built-in prompts: 2 says for the aggregator how each field of the "
        "reports is used and how an absence is stated; 1 does not.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        # It asks for what it uses and no more: a spec without a searcher is then complete.
        searching: tuple[ServiceName, ...] = () if "searcher" in self._left_out else ("searcher",)
        asking: tuple[ServiceName, ...] = ("llm",) if self.models() else ()
        object.__setattr__(self, "uses", (*asking, *searching))

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = [*super().problems(), *self._roles[1]]
        named = {role.sampling.model for role in self._roles[0].values()}
        problems += [("model", text) for name in sorted(named) if (text := problem_of(name))]
        for name, path in (("system", self.system), ("correction", self.correction)):
            try:
                role_template(name, path)
            except TemplateProblem as error:
                problems.append((name, str(error)))
        try:
            load_form(self.form)
        except FormProblem as error:
            problems.append(("form", str(error)))
        try:
            load_drafts(self.draft_from)
        except DraftProblem as error:
            problems.append(("draft-from", str(error)))
        return problems

    @property
    def _form(self) -> Form:
        return load_form(self.form)

    @property
    def _roles(self) -> tuple[dict[str, Role], list[tuple[str, str]]]:
        default = Role("", self.sampling, None, self.input_tokens)
        return roles_of(self.roles, default)

    @property
    def scale(self) -> Scale:
        """The scale of the form."""
        return self._form.scale

    def _template(self, name: str, path: str | None) -> Template:
        return role_template(name, path, self.prompt_version)

    def _paths(self) -> dict[str, str | None]:
        roles = self._roles[0]
        paths = {"system": self.system, "correction": self.correction}
        return {**paths, **{name: role.prompt for name, role in roles.items()}}

    def identity(self) -> Json:
        """Return the options, with the content of form, templates and drafts instead of paths."""
        paths = self._paths()
        settings: dict[str, Json] = {
            role.name: [role.sampling.model, role.sampling.parameters, role.input_tokens]
            for role in self._roles[0].values()
        }
        return {
            **options_of(self),
            "form": digest(self._form.source),
            "roles": settings,
            "system": None,
            "correction": None,
            "templates": {
                name: digest(self._template(name, paths[name]).source) for name in TEMPLATES
            },
            "meta-rubrics": digest(meta_rubrics()),
            "draft-from": drafts_digest(self.draft_from),
        }

    def models(self) -> Sequence[str]:
        """The models of the roles that take part, without scripted ones."""
        roles = self._roles[0]
        names = dict.fromkeys(roles[name].sampling.model for name in self._taking_part)
        return tuple(name for name in names if not is_scripted(name))

    @property
    def _taking_part(self) -> tuple[str, ...]:
        return taking_part(self._left_out, drafts_given=self.draft_from is not None)

    @property
    def _left_out(self) -> tuple[Part, ...]:
        if "aggregator" not in self.without:
            return self.without
        return tuple(dict.fromkeys((*self.without, "searcher", "miner", "analyzer")))

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the roles that take part, with their models and the roles whose output each
        reads.
        """
        roles = self._roles[0]
        checked = "checks" not in self.without or self.scores == "bounded"
        given_back = checked and "aggregator" not in self.without
        found = graph_of(
            roles,
            self._taking_part,
            self._template("aggregator", roles["aggregator"].prompt),
            works=self.works,
            corrections=self.corrections if given_back else 0,
        )
        # Nothing is sent to a scripted model.
        return [replace(role, model="") if is_scripted(role.model) else role for role in found]

    def files_needed(self) -> Sequence[str]:
        """Return the paths of form, templates and drafts that belong to the user."""
        form = () if self.form in built_in() else (self.form,)
        others = (*self._paths().values(), self.draft_from)
        return (*form, *(path for path in others if path is not None))

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Draft, ground and aggregate a review of ``paper``."""
        services = replace(ctx.services, complete=answering(ctx.services.complete))
        uses: tuple[ServiceName, ...] | None = ctx.uses
        if uses is not None and "llm" not in uses:
            uses = (*uses, "llm")  # of scripted models alone
        return self._pipeline(replace(ctx, services=services, uses=uses)).run(paper)

    def training_example(
        self, paper: Paper, review: Mapping[str, Json], ctx: Context
    ) -> TrainingExample | Rejection:
        """Return a training example for the drafter: see
        `revkit_reviewground.training.example_of`.
        """
        return example_of(self._pipeline(ctx), paper, review)

    def _pipeline(self, ctx: Context) -> Pipeline:
        paths = self._paths()
        templates = {name: self._template(name, paths[name]) for name in TEMPLATES}
        return Pipeline(
            roles=sharing(self._roles[0], templates, self._taking_part),
            templates=templates,
            form=self._form,
            without=self._left_out,
            works=self.works,
            candidates=self.candidates,
            from_year=self.from_year,
            whole=self.reading == "whole",
            lengths=Lengths(self.report_items, self.report_length),
            scores=self.scores,
            corrections=self.corrections,
            partial=self.partial,
            report_in_text=self.evidence == "text",
            drafts=load_drafts(self.draft_from),
            ctx=ctx,
        )
