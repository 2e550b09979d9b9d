"""Find arguments that a shell or an interpreter would run as code.

A placeholder that holds a paper's text must not be in one: a title such as
``Gates; rm -rf ~ #`` would then be run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from revkit_external.call.placeholders import names_in
from revkit_external.grammar import Place

# Placeholders whose value is text that other people wrote.
WRITTEN_BY_OTHERS = frozenset(("title", "paper_text", "question"))
# What each interpreter takes code by: whole flags, and one letter that may end a group of flags.
_SHELL = (("--command",), "c")
_CODE_FLAGS: Mapping[str, tuple[tuple[str, ...], str]] = {
    **dict.fromkeys(
        ("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh"), _SHELL
    ),
    **dict.fromkeys(("su", "runuser", "script"), _SHELL),
    **dict.fromkeys(("python", "pypy", "ipython"), ((), "c")),
    **dict.fromkeys(("perl", "ruby", "lua", "julia", "Rscript", "R"), (("--eval",), "eE")),
    **dict.fromkeys(("node", "bun", "deno"), (("--eval", "--print"), "ep")),
    "php": ((), "rBRE"),
    "env": (("--split-string",), "S"),
    "pwsh": (("-Command", "-command", "-EncodedCommand"), "c"),
    "powershell": (("-Command", "-command", "-EncodedCommand"), "c"),
    "cmd": (("/c", "/k", "/C", "/K"), ""),
    "cmd.exe": (("/c", "/k", "/C", "/K"), ""),
}
# Flags of interpreters that take the next argument as their value.
_WITH_VALUE = frozenset(
    ("-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-W", "-X", "-I", "-r", "--require")
)
# Programs that take a name (of a user, a file) before or after their flags.
_WITH_NAME = frozenset(("su", "runuser", "script"))
# Programs all of whose arguments are, or end in, a command line that a shell reads.
_COMMAND_LINES = frozenset(("ssh", "eval", "parallel", "watch", "xargs"))
_VERSION = re.compile(r"-?[0-9][0-9.]{0,10}$")


def check_code(argv: Sequence[str], place: Place, stdin: str | None = None) -> None:
    """Add a problem for each argument that is run as code and contains text of a paper, and for a
    ``stdin`` with such text if a shell reads its commands from there.
    """
    for index in code_arguments(argv):
        written = sorted(WRITTEN_BY_OTHERS & set(names_in(argv[index])))
        if written:
            (place / index).wrong(_problem(written[0]))
    if stdin is not None and _reads_commands(argv):
        written = sorted(WRITTEN_BY_OTHERS & set(names_in(stdin)))
        if written:
            place.wrong(
                f"a shell without a script runs its standard input as code; {_problem(written[0])}"
            )


def check_script_files(files: Mapping[str, Any], argv: Sequence[str], place: Place) -> None:
    """Add a problem for each file that ``argv`` runs as a script and that contains paper text."""
    for name, content in files.items():
        named = any(argument.endswith(name) for argument in argv)
        if not isinstance(content, str) or not (named or content.startswith("#!")):
            continue
        if not (_interpreter(argv[0]) or content.startswith("#!") or argv[0].endswith(name)):
            continue
        written = sorted(WRITTEN_BY_OTHERS & set(names_in(content)))
        if written:
            (place / name).wrong(_problem(written[0]))


def code_arguments(argv: Sequence[str]) -> Iterator[int]:
    """Return the indices of the arguments that a program named in ``argv`` runs as code."""
    for index, program in enumerate(argv):
        name = _program_name(program)
        if name in _COMMAND_LINES:
            yield from range(index + 1, len(argv))
        elif name in _CODE_FLAGS:
            start = index + 1
            yield from (start + each for each in _after_flags(argv[start:], name))


def _after_flags(rest: Sequence[str], program: str) -> Iterator[int]:
    """Return the indices in ``rest``, the arguments of ``program``, that it runs as code."""
    whole, letters = _CODE_FLAGS[program]
    value = False
    for index, flag in enumerate(rest):
        if value or (program in _WITH_NAME and not flag.startswith("-")):
            value = False
            continue
        if program == "env" and "=" in flag and not flag.startswith("-"):
            continue
        if not flag.startswith(("-", "/", "+")) or flag == "--" or flag == "-m":
            return
        if flag.partition("=")[0] in whole:
            yield index if "=" in flag else index + 1
            return
        group = re.match(r"-[A-Za-z]+", flag)
        if group and not flag.startswith("--") and set(group[0]) & set(letters):
            # The code may be the rest of the same argument, as in -e'print 1'.
            yield from range(index, min(index + 2, len(rest)))
            return
        value = flag in _WITH_VALUE


def _reads_commands(argv: Sequence[str]) -> bool:
    name = _program_name(argv[0])
    shell = _CODE_FLAGS.get(name) is _SHELL or name in ("python", "perl", "ruby", "node")
    return (
        shell
        and all(argument.startswith("-") for argument in argv[1:])
        and not any(code_arguments(argv))
    )


def _interpreter(program: str) -> bool:
    return _program_name(program) in _CODE_FLAGS


def _program_name(program: str) -> str:
    name = re.split(r"[/\\\\]", program)[-1]
    return _VERSION.sub("", name) or name


def _problem(name: str) -> str:
    return (
        f"{{{name}}} is text that the authors wrote, and here it would be run as code; pass it as "
        "an argument, a file or stdin (sh -c 'tool \"$1\"' sh '{title}')"
    )
