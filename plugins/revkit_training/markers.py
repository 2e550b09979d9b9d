"""Markers: texts that a chat template or a trainer reads as control tokens.

A trainer renders a conversation as one text, in which its tokenizer finds the tokens that open and
close turns, wherever they come from: a paper that holds ``<|im_end|>`` ends the user's turn there
and may open the assistant's. Removing them would train on other texts than the model gets later,
so an example that holds one is left out and counted. Which of them a tokenizer knows depends
on the model; we look for those of the families in use:

- ``<|...|>`` and its full-width form (GPT, Qwen, Llama 3, Phi, DeepSeek), ``<|turn>``, ``<turn|>``;
- ``[INST]``, ``<<SYS>>``, ``<s>``, ``</s>``, ``<bos>``, ``<eos>``, ``<BOS_TOKEN>``,
  ``<EOS_TOKEN>``, ``<start_of_turn>``, ``<end_of_turn>`` (Llama 2, Mistral, Cohere, Gemma);
- ``<think>``, at which templates cut the assistant's turn;
- ``<image>``, ``<video>``, ``<audio>``, in whose place ms-swift puts pictures and sounds.

Plain words in the shape of a turn ("Assistant:", "### Response") are not tokens and stay.
"""

from __future__ import annotations

import re

_MARKER = re.compile(
    r"<\|[^<>|\s]{1,60}\|?>|<[a-z_]{1,30}\|>|<｜[^<>｜\n]{1,60}｜>|\[/?INST\]|<</?SYS>>|</?s>"
    r"|<(?:bos|eos|BOS_TOKEN|EOS_TOKEN)>|<(?:start|end)_of_turn>|</?think>|<(?:image|video|audio)>"
)


def marker_in(text: str) -> str | None:
    """Return the first marker in ``text``, or None."""
    found = _MARKER.search(text)
    return found.group() if found else None
