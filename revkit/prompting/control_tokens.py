"""Neutralise control tokens, by which chat models separate turns, in texts by others.

Many servers read ``<|im_end|>`` or ``[INST]`` in a prompt as the token itself, wherever it comes
from: a paper that holds one can end its own turn and begin a system's. A blank after the first
character makes it plain text, which a model can still read.
"""

from __future__ import annotations

import re

# All begin with a literal and are bounded, so a scan takes linear time; one literal for all takes a
# quarter of the time of two. No token of one kind contains the first character of the other.
_ANGLED = re.compile(
    r"""
    <(?:
      [|｜][^\s|｜<>\[\]]{2,60}[|｜]>  # ChatML, Llama 3, Phi, DeepSeek, gpt-oss
    | </?SYS>>  # Llama 2
    | /?s>  # Llama 2, Mistral
    | (?:bos|eos)>  # Gemma
    | (?:start|end)_of_turn>
    | /?tool_(?:call|response)>  # Qwen
    | (?:extra_id_|SPECIAL_)[0-9]{1,3}>  # Nemotron
    )
    """,
    re.VERBOSE,
)
_SQUARE = re.compile(
    r"\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK)\]"
)


def neutralize(text: str) -> str:
    """Return ``text`` with a blank after the first character of each control token of chat models.

    Covers the special tokens of ChatML (Qwen, Yi, OpenAI), Llama 2 and 3, Mistral, Gemma, Phi,
    Command R, DeepSeek, gpt-oss and Nemotron. Text without such tokens stays as it is.
    """
    # Most texts have no such first character, which is found in a fiftieth of a search's time.
    if "<" in text:
        text = _ANGLED.sub(_parted, text)
    return _SQUARE.sub(_parted, text) if "[" in text else text


def _parted(match: re.Match[str]) -> str:
    return f"{match[0][0]} {match[0][1:]}"
