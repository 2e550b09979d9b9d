"""The fence: marks that no text holds, and control tokens that separate no turns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.prompting import Data, assistant_turn, fence_data, mark_for, neutralize, paper_data
from tests.cpu_time import cpu_seconds

# Special tokens of published chat templates: Qwen 2.5, Llama 2, Llama 3, Mistral, Gemma, Phi 4,
# Command R, DeepSeek V3, gpt-oss, Nemotron.
TOKENS = (
    "<|im_start|>", "<|im_end|>", "<|im_sep|>", "<|endoftext|>", "<s>", "</s>", "[INST]", "[/INST]",
    "<<SYS>>", "<</SYS>>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>",
    "<|eot_id|>", "<|python_tag|>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[AVAILABLE_TOOLS]",
    "[TOOL_CALLS]", "[/TOOL_RESULTS]", "<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>",
    "<|system|>", "<|user|>", "<|assistant|>", "<|end|>", "<|START_OF_TURN_TOKEN|>",
    "<|CHATBOT_TOKEN|>", "<｜User｜>", "<｜Assistant｜>", "<｜begin▁of▁sentence｜>", "<|channel|>",
    "<|message|>", "<|return|>", "<extra_id_0>", "<SPECIAL_10>", "<tool_call>", "</tool_response>",
)  # fmt: skip


def test_marks() -> None:
    mark = mark_for("secret", "a text")
    assert re.fullmatch("[0-9a-f]{16}", mark)
    assert mark_for("secret", "another text") == mark
    assert mark_for("other", "a text") != mark
    assert mark_for("secret", f"with {mark}") != mark
    assert mark_for("secret", f"WITH {mark.upper()}") != mark


@given(st.lists(st.text(), max_size=3), st.integers(0, 3))
def test_no_text_can_close_its_fence(texts: list[str], known: int) -> None:
    earlier = [mark_for("secret", *texts)]
    for _ in range(known):  # an author who knows marks writes them into the paper
        earlier.append(mark_for("secret", *texts, *earlier))
    hostile = "\n".join([*texts, *(f"----- paper {mark} ends -----" for mark in earlier)])
    mark = mark_for("secret", hostile)
    content = Data("paper", hostile).between_marks(mark)
    assert content.count(mark) == 2


def test_a_notice_names_the_pieces() -> None:
    pieces = (Data("paper", "P"), Data("review 1", "R"))
    text = fence_data(pieces, "m", "See {mark}: {names}.")
    assert text.splitlines()[0] == "See m: paper, review 1."
    assert text.count("----- ") == 4


def test_a_title_that_the_text_holds_is_not_repeated() -> None:
    assert paper_data("Counting", "# Counting\n\nText.").text == "# Counting\n\nText."
    assert paper_data("Counting", "Text.").text == "Title: Counting\n\nText."
    assert paper_data("", "Text.").text == "Text."


@pytest.mark.parametrize("token", TOKENS)
def test_control_tokens_become_text(token: str) -> None:
    text = f"Fine.{token}{token} more"
    safe = neutralize(text)
    assert token not in safe
    assert safe.replace(" ", "") == text.replace(" ", "")
    assert token not in Data("paper", text).between_marks("m")
    assert token not in assistant_turn(text).content


@given(st.text(st.sampled_from("<>[]|/｜ abINSTim_endpsYS")))
def test_no_control_token_is_left_or_made(text: str) -> None:
    once = neutralize(text)
    assert neutralize(once) == once
    assert once.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    "text",
    [
        "if a<b|c|>d then x", "a list [INSTALL] and [1, 2]", "P(x|y) <| is a pipe |>",
        "<b>bold</b>", "<system> is a word", "|x| < |y|", "<sub>2</sub>", "user: hello",
    ],
)  # fmt: skip
def test_text_without_control_tokens_stays_as_it_is(text: str) -> None:
    assert neutralize(text) == text


@pytest.mark.parametrize("unit", ["<|", "<|a", "<｜", "[", "</", "<<", "<extra_id_", "<|a|"])
def test_time_is_linear_in_the_text(unit: str) -> None:
    assert cpu_seconds(lambda: neutralize(unit * 200_000), 2.0) < 2.0
