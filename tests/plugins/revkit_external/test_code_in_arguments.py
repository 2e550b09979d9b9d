"""Text of a paper is never handed to a shell or an interpreter as code."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.errors import OptionError
from revkit_external.command import Command

MAP = {"score": {"path": "$.score", "scale": [1, 10]}}


def command(argv: list[str], **options: Any) -> Command:
    return Command(argv=tuple(argv), map=MAP, output={"format": "json"}, **options)


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", "echo {title}"],
        ["/bin/bash", "-ec", "tool '{title}'"],
        ["bash", "-o", "pipefail", "-lc", "tool {paper_text}"],
        ["su", "nobody", "-c", "tool {title}"],
        ["env", "A=1", "sh", "-c", "tool {title}"],
        ["timeout", "5", "dash", "-c", "tool {question}"],
        ["python3.11", "-c", "print('{title}')"],
        ["perl", "-e'print q({title})'"],
        ["node", "--eval=console.log('{title}')"],
        ["ssh", "host", "tool {title}"],
        ["env", "-S", "tool {title}"],
        ["cmd.exe", "/c", "tool {title}"],
    ],
)
def test_text_of_a_paper_in_code_is_refused(argv: list[str]) -> None:
    with pytest.raises(OptionError, match="would be run as code"):
        command(argv)


@pytest.mark.parametrize(
    "argv",
    [
        ["sh", "-c", 'tool "$1"', "sh", "{title}"],
        ["sh", "-c", "tool {paper_md} {seed}"],
        ["tool", "-c", "{title}"],
        ["python3", "tool.py", "-c", "{title}"],
        ["python3", "-m", "tool", "-c", "{title}"],
        ["sh", "tool.sh", "{paper_text}"],
    ],
)
def test_text_of_a_paper_as_an_argument_is_data(argv: list[str]) -> None:
    command(argv)


def test_other_ways_into_a_script() -> None:
    with pytest.raises(OptionError, match="runs its standard input as code"):
        command(["sh"], stdin="{paper_text}")
    with pytest.raises(OptionError, match="would be run as code"):
        command(["sh", "{work_dir}/run.sh"], files={"run.sh": "echo {title}"})
    filtered = {"file": "{out_dir}/a", "filter": ["sh", "-c", "cat {title}"]}
    with pytest.raises(OptionError, match="would be run as code"):
        Command(argv=("tool",), map=MAP, output=filtered)
    command(["sh", "-c", "cat"], stdin="{paper_text}")
    command(["tool"], files={"paper.txt": "{paper_text}"})
