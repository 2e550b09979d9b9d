"""Cross-encoders of sentence-transformers, loaded from files on this machine.

A model's folder is read as data: weights in the safetensors format, a tokenizer, and JSON. Pickled
weights, and models that bring their own code, are refused. Nothing is fetched: a model of two
gigabytes is nothing to load unasked in the middle of a run.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import cached_snapshot, digest_of_file, json_in_file
from revkit.model.values import digest_of

_LOADING = threading.Lock()
_USING = threading.Lock()
_PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors", "*/config.json", "*/*.safetensors")


@dataclass(frozen=True)
class CrossEncoderFiles:
    """A model's folder, and the digest of the files in it that decide its scores."""

    folder: Path
    digest: str


def find_cross_encoder(model: str, what: str = "reranker") -> CrossEncoderFiles:
    """Find ``model``: a folder of that path, or a repository in the local hub cache.

    ``what`` is what messages call it.

    Raises `RunError`, with the remedy, where there is none, or one that cannot be trusted.
    """
    folder = Path(model)
    if not folder.is_dir():
        cached = cached_snapshot(model, "config.json")
        if cached is None:
            raise RunError(
                f"the {what} {model!r} is not on this machine; fetch it once with: "
                f"hf download {model}, or name the folder that contains it"
            )
        folder = cached
    folder = folder.absolute()
    _refuse_code(folder, what)
    paths = sorted({path for pattern in _PATTERNS for path in folder.glob(pattern)})
    digests = {path.relative_to(folder).as_posix(): digest_of_file(path) for path in paths}
    return CrossEncoderFiles(folder, digest_of(digests))


def _refuse_code(folder: Path, what: str) -> None:
    """Raise `RunError` if loading ``folder`` would run code or unpickle weights."""
    try:
        config = json_in_file(folder / "config.json")
        modules = folder / "modules.json"
        kinds = json_in_file(modules) if modules.is_file() else []
        foreign = [
            str(module["type"])
            for module in kinds
            if not str(module["type"]).startswith("sentence_transformers.")
        ]
        brings_code = "auto_map" in config or bool(foreign)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{folder} contains no {what}: config.json cannot be read") from error
    if brings_code:
        raise RunError(f"the {what} in {folder} would run code that came with it")
    if not any(folder.glob("*.safetensors")):
        raise RunError(f"{folder} contains no weights in safetensors; pickled ones are not loaded")


@lru_cache(maxsize=2)
def _load(folder: Path, _digest: str) -> Any:
    from sentence_transformers import CrossEncoder

    return CrossEncoder(str(folder), local_files_only=True, trust_remote_code=False)


def relevances(files: CrossEncoderFiles, query: str, texts: Sequence[str]) -> list[float]:
    """Return the relevance of each text to ``query``, on the model's own scale, higher is better.

    Each pair goes through the model by itself: in a batch, the last bits of a score would depend on
    its neighbours. Raises `RunError` for a model that does not
    give one number for a pair.
    """
    with _LOADING:
        model = _load(files.folder, files.digest)
    outputs = getattr(model.model.config, "num_labels", 1)
    if outputs != 1:
        raise RunError(
            f"the reranker in {files.folder} gives {outputs} numbers for a pair, not one"
        )
    with _USING:
        return [
            float(model.predict([(query, text)], batch_size=1, show_progress_bar=False)[0])
            for text in texts
        ]


def entailments(files: CrossEncoderFiles, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the probability, from 0 to 1, that the first text of each pair entails the second.

    The model is one of natural language inference: its configuration names one label "entailment",
    whatever the case. Raises `RunError` for a model without that label. Each pair goes through the
    model by itself.
    """
    with _LOADING:
        model = _load(files.folder, files.digest)
    label = _entailment_label(files.folder, model)
    with _USING:
        return [_probability(model, pair, label) for pair in pairs]


def _entailment_label(folder: Path, model: Any) -> int:
    names = dict(getattr(model.model.config, "id2label", None) or {})
    for index, name in names.items():
        if str(name).lower() == "entailment" and len(names) > 1:
            return int(index)
    labels = ", ".join(sorted(str(name) for name in names.values()))
    raise RunError(
        f"the model in {folder} has no label 'entailment' (labels: {labels}); name a model of "
        "natural language inference"
    )


def _probability(model: Any, pair: tuple[str, str], label: int) -> float:
    import torch

    scores = model.predict(
        [pair],
        batch_size=1,
        show_progress_bar=False,
        activation_fn=torch.nn.Softmax(dim=-1),
    )
    return float(scores[0][label])
