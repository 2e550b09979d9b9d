"""An LLM reviewer of two roles: fence, budget, truncation, and usage by role."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from revkit import (
    Agent,
    AgentRole,
    Context,
    Failure,
    Outcome,
    Paper,
    Register,
    Review,
    Scale,
    hookimpl,
)
from revkit.model.values import Json
from revkit.prompting import (
    Answer,
    Data,
    Places,
    SamplingOptions,
    UsageByRole,
    ask,
    ask_shortened,
    paper_data,
    parse_template,
)

READ = parse_template(
    "{{paper}}\n\nList the claims of this paper, each with its evidence.",
    Places(data=("paper",)),
)
JUDGE = parse_template(
    "=== system ===\nYou review for a workshop. Reply in JSON.\n"
    "=== user ===\n{{paper}}\n\n{{notes}}\n\nGive your reasons and a score from 1 to 10.",
    Places(data=("paper", "notes")),
)
FORM: dict[str, Json] = {
    "type": "object",
    "properties": {
        "reasons": {"type": "string"},
        "score": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["reasons", "score"],
}


# reviewer
@dataclass(frozen=True)
class TwoReader(SamplingOptions, Agent):
    """One role lists claims and evidence, another judges paper and list."""

    name = "two-reader"
    uses = ("llm",)
    scale = Scale("two-reader", 1, 10, accept_at=6)

    def review_roles(self) -> Sequence[AgentRole]:
        return (AgentRole("reader", self.model), AgentRole("judge", self.model, (), ("reader",)))

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        usage = UsageByRole()
        asked = partial(ask, ctx.complete, self.sampling, replicate=ctx.repeat, usage=usage)

        def judged(text: str) -> Answer | Failure:
            shown = paper_data(paper.title, text)
            notes = asked(READ.turns({"paper": shown}), role="reader")
            if isinstance(notes, Failure):
                return notes
            turns = JUDGE.turns({"paper": shown, "notes": Data("notes", notes.text)})
            return asked(turns, FORM, role="judge")

        answer, cut = ask_shortened(paper, judged)
        if isinstance(answer, Failure):
            return answer
        score = float(answer.data["score"])
        details: dict[str, Json] = {
            "usage": usage.to_json(),
            "left-out": list(cut.left_out) if cut else [],
        }
        return Review(self.scale.accepts(score), score, answer.data["reasons"], details=details)


# plugin
@hookimpl
def register_agents(register: Register) -> None:
    register(TwoReader)
