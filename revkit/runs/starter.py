"""A commented experiment to begin with, for one's own papers and reviewer."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from revkit.errors import RunError
from revkit.papers.files import SUFFIXES

_HEAD = """\
# Does {name} change its verdict when the science stays the same?
#
# revkit validate {file} --ready   checks everything, and spends nothing
# revkit run {file}                runs it; after a stop, the same command resumes
revkit: 1
name: {name}
seed: 20260428

# {papers_comment}
corpus: {corpus}

# Edits that do not change the science. A variant that fails a check of its family is not reviewed.
perturbations:
  citations: {{use: citation-injection, with: {{count: [3, 5], sources: [pool]}}}}
  hedging: {{use: hedging, with: {{mode: either}}}}
  length: {{use: length, with: {{ratios: [0.7, 1.3]}}}}

{agents}
# How often each text is reviewed. Use 2 or more for a reviewer that is not deterministic: then the
# noise of the reviewer itself is measured too.
repeats: {repeats}

metrics: [flip-rate, direction, score-shift, clean-accuracy, outcomes]
reports: [terminal, markdown, html]

# Conditions for continuous integration: if one does not hold, the exit code of `revkit run` is 5.
# assert:
#   - failures <= 1 %
#   - flip_rate[reviewer].high <= 0.2   # with fewer than 17 papers this fails even without a flip
"""
_MAP = """\
      # Where the answer has the verdict and the score. Here the answer is JSON such as
      # {"decision": "accept", "rating": 7}; `revkit agent check SPEC reviewer` shows what was read.
      map:
        accept: {path: $.decision, labels: {accept: true, reject: false}}
        score: {path: $.rating, scale: [1, 10]}
"""


_READERS = {"markdown": SUFFIXES, "pdf": (".pdf",), "word": (".docx",)}


def starter_spec(papers: str, reviewer: str, where: str, name: str) -> str:
    """Return the text of a spec. ``papers`` is a folder or "synthetic"; ``reviewer`` one of
    "command", "http", "python", "llm" and "example", and ``where`` its command line, address,
    function or model. Raises `RunError` for an answer that cannot be used.
    """
    if reviewer != "example" and not where.strip():
        raise RunError(
            f"the reviewer {reviewer} needs its command line, address, function or model"
        )
    corpus, comment = _corpus(papers)
    return _HEAD.format(
        name=_plain(name),
        file=f"{name}.yaml",
        papers_comment=comment,
        corpus=corpus,
        agents=_agents(reviewer, where.strip()),
        repeats=2 if reviewer == "llm" else 1,
    )


def _plain(name: str) -> str:
    """Return a name that a spec accepts."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", name).lstrip("._-")[:100] or "experiment"


def _corpus(papers: str) -> tuple[str, str]:
    if papers == "synthetic":
        return "{use: synthetic, with: {papers: 40}}", "Made-up papers with decisions."
    folder = Path(papers)
    if not folder.is_dir():
        raise RunError(f"{papers} is not a folder")
    endings = {path.suffix.lower() for path in folder.rglob("*")}
    kinds = [kind for kind, read in _READERS.items() if endings & set(read)]
    kind = kinds[0] if len(kinds) == 1 else "files" if kinds else "markdown"
    pdf = "pdf" in kinds
    comment = "Your papers. Decisions, if you know them: labels: FILE.csv (docs: own-papers)."
    if pdf:
        comment += " PDF needs: pip install 'revkit[pdf]'"
    return f"{{use: {kind}, with: {{path: {json.dumps(papers)}}}}}", comment


def _agents(reviewer: str, where: str) -> str:
    if reviewer == "example":
        return (
            "# Two simulated reviewers. Replace them with your own: docs, own-agents.\n"
            "agents:\n  evidence: evidence-weigher\n  citations: citation-counter\n"
        )
    lines = ["# Your reviewer. Reports use the name that is given here.", "agents:"]
    lines += ["  reviewer:", f"    use: {reviewer}", "    with:"]
    if reviewer == "llm":
        lines += [f"      model: {json.dumps(where)}", "      form: iclr"]
        return "\n".join(lines) + "\n"
    lines += _call(reviewer, where)
    return "\n".join(lines) + "\n" + _MAP


def _from_here(word: str) -> str:
    """Return a word of a command line that names a file of this folder as one that is found from
    the folder of each call, too.
    """
    path = Path(word)
    here = not path.is_absolute() and not word.startswith("{") and path.is_file()
    return f"{{start_dir}}/{path.as_posix()}" if here else word


def _call(reviewer: str, where: str) -> list[str]:
    if reviewer == "command":
        try:
            words = shlex.split(where)
        except ValueError as error:
            raise RunError(f"the command line cannot be split into words: {error}") from None
        words = [_from_here(word) for word in words]
        if not any("{paper" in word for word in words):
            words.append("{paper_md}")
        return [
            f"      argv: {json.dumps(words, ensure_ascii=False)}",
            "      output: {stdout: true, format: json}",
        ]
    if reviewer == "http":
        return [
            "      submit:",
            f"        url: {json.dumps(where)}",
            '        json: {title: "{title}", text: "{paper_text}"}',
        ]
    return [
        f"      call: {json.dumps(where)}",
        '      args: ["{paper_text}"]',
        '      path: ["{start_dir}"]',
    ]
