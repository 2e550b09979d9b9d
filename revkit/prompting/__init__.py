"""Prompting: tools for components that ask a language model about texts by others.

================== =============================================================================
``template``       the words of a prompt in a file, with placeholders; only the file is searched
``fence``          texts of others as data, between marks that they cannot hold
``control_tokens`` the turn marks of chat models, made plain text in texts of others
``sampling``       model, temperature, longest reply, parameters: as a value and as options
``asking``         one request, its reply as data, its failures
``usage``          calls, tokens and dollars by role
``cutting``        a paper without its less important sections, where a window is too small
``digesting``      a paper in parts that a model digests, where a window is too small
``sentences``      numbered sentences, and the texts that a model gives for them
================== =============================================================================
"""

from revkit.prompting.control_tokens import neutralize
from revkit.prompting.fence import (
    NOTICE,
    Data,
    add_title,
    fence_data,
    fenced_spans,
    mark_for,
    paper_data,
)
from revkit.prompting.model_request import (
    Answer,
    Complete,
    Gather,
    NoAnswerError,
    answer_of,
    answer_requests,
    ask,
    assistant_turn,
    name_failure,
    unanswerable,
)
from revkit.prompting.paper_cuts import (
    BYTES_PER_TOKEN,
    Cut,
    ask_shortened,
    cuts,
    does_not_fit,
    estimate_tokens,
)
from revkit.prompting.paper_digests import Digest, Part, digests, join_digests
from revkit.prompting.sampling import FORBIDDEN, Sampling, SamplingOptions, forbidden_problems
from revkit.prompting.sentences import (
    MOST_SENTENCES,
    numbered_data,
    one_line,
    sentences_schema,
    texts_by_number,
)
from revkit.prompting.template import (
    Places,
    Template,
    TemplateProblem,
    Values,
    fill,
    load_template,
    parse_template,
    split_parts,
)
from revkit.prompting.usage import RoleUsage, UsageByRole, total_usage

__all__ = [
    "BYTES_PER_TOKEN",
    "FORBIDDEN",
    "MOST_SENTENCES",
    "NOTICE",
    "Answer",
    "Complete",
    "Cut",
    "Data",
    "Digest",
    "Gather",
    "NoAnswerError",
    "Part",
    "Places",
    "RoleUsage",
    "Sampling",
    "SamplingOptions",
    "Template",
    "TemplateProblem",
    "UsageByRole",
    "Values",
    "add_title",
    "answer_of",
    "answer_requests",
    "ask",
    "ask_shortened",
    "assistant_turn",
    "cuts",
    "digests",
    "does_not_fit",
    "estimate_tokens",
    "fence_data",
    "fenced_spans",
    "fill",
    "forbidden_problems",
    "join_digests",
    "load_template",
    "mark_for",
    "name_failure",
    "neutralize",
    "numbered_data",
    "one_line",
    "paper_data",
    "parse_template",
    "sentences_schema",
    "split_parts",
    "texts_by_number",
    "total_usage",
    "unanswerable",
]
