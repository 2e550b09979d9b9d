"""`SentenceTransformerEmbedder`: repeatable sentence embeddings that represent meaning."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from revkit import Embedder, option
from revkit.dataclass import dataclass
from revkit.files import digest_of_file
from revkit.model.values import Json
from revkit.processors import processor_count
from revkit_embedders.model_files import DEFAULT_MODEL, find_model
from revkit_embedders.packed_bert import PackedBert, blocks_of, supports

if TYPE_CHECKING:
    import numpy

_LOADING = threading.Lock()
_TOKENIZING = threading.Lock()
_MOST_THREADS = 8


@dataclass(frozen=True)
class SentenceTransformerEmbedder(Embedder):
    """Embeds texts with a sentence-transformers model (Reimers and Gurevych, 2019,
    "Sentence-BERT").

    The files are looked for in this order: the installed package of the extra ``offline`` (default
    model only, checked by SHA-256 and read as data), a folder of that path, the local hub cache,
    the hub. Pickled weights and code that comes with a model are refused. `embed` raises
    `revkit.errors.RunError`, with the remedy, where there is no model.

    A vector depends on its text alone, so a run that was interrupted and continued equals one that
    was not. In a usual batch the last bits would depend on the neighbours. The default model, and
    others of its form, are computed in blocks of a fixed size instead (see
    `revkit_embedders.packed_bert`). With any other model, each text goes through it by itself.

    No embedding sees negation or direction ("outperforms", "is outperformed by"): set
    ``same-negation`` and ``same-numbers`` beside a limit on the distance.
    """

    name: ClassVar[str] = "sentence-transformer"
    version: ClassVar[str] = "3"

    model: str = option(
        DEFAULT_MODEL, help="A model's name on the hub, or the path of a folder with its files."
    )

    def identity(self) -> Json:
        """Identify the model by the content of its files, independent of their folder."""
        return {"model": Path(self.model).name, "files": find_model(self.model).digest}

    def arithmetic(self) -> str:
        """Return the library of products, the instructions of the processor that torch uses, and
        the version of torch.

        With other ones, a vector differs in its last bits: by 2e-7 at most, where oneDNN and MKL
        embedded 217 sentences on a processor with AVX-512. None of these names the bits exactly,
        since both libraries choose their code by the processor. So they are not in the identity,
        which would make each stored vector useless on other machines.
        """
        import torch

        files = find_model(self.model)
        model = _packed(files.folder, files.digest)
        library = "onednn" if model is not None and model.uses_onednn else "torch"
        return f"{library}, {torch.backends.cpu.get_cpu_capability()}, torch {torch.__version__}"

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, shape (len(texts), dimensions); each depends on its text
        alone.

        Text beyond the model's window (256 tokens for the default) is not read.
        """
        import numpy

        files = find_model(self.model)
        with _LOADING:
            model = _packed(files.folder, files.digest) or _load(files.folder, files.digest)
        if not texts:
            return numpy.zeros((0, _dimensions(model)), dtype=numpy.float32)
        unique = sorted(set(texts), key=lambda text: (-len(text), text))
        vectors = (_in_blocks if isinstance(model, PackedBert) else _one_by_one)(model, unique)
        rows = dict(zip(unique, vectors, strict=True))
        matrix = numpy.stack([rows[text] for text in texts]).astype(numpy.float32)
        lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
        lengths[lengths == 0.0] = 1.0
        result: numpy.ndarray[Any, Any] = matrix / lengths
        return result


def _in_blocks(model: PackedBert, texts: Sequence[str]) -> list[Any]:
    """Return the vectors of ``texts``, whose blocks are divided among threads."""
    tokens = model.tokens(texts)
    blocks = list(blocks_of([len(each) for each in tokens]))
    with _pool(len(blocks)) as pool:
        found = pool.map(
            lambda block: model.forward([tokens[number] for number in block[1]], block[0]), blocks
        )
        rows: dict[int, Any] = {}
        for (_, numbers), vectors in zip(blocks, found, strict=True):
            rows.update(zip(numbers, vectors, strict=True))
    return [rows[number] for number in range(len(texts))]


def _one_by_one(model: Any, texts: Sequence[str]) -> list[Any]:
    """Return the vectors of ``texts``, each alone, divided among threads."""
    with _TOKENIZING:  # a fast tokenizer breaks when two threads set its padding at once
        tokenize = getattr(model, "preprocess", None) or model.tokenize
        prepared = [tokenize([text]) for text in texts]
    with _pool(len(texts)) as pool:
        return list(pool.map(lambda features: _forward(model, features), prepared))


def _pool(tasks: int) -> ThreadPoolExecutor:
    workers = min(tasks, _MOST_THREADS, processor_count())
    return ThreadPoolExecutor(workers, initializer=_one_thread_each)


def _one_thread_each() -> None:
    import torch

    torch.set_num_threads(1)


def _forward(model: Any, features: Any) -> Any:
    import torch

    with torch.inference_mode():
        return model(features)["sentence_embedding"][0].float().numpy()


def _dimensions(model: Any) -> int:
    if isinstance(model, PackedBert):
        return model.dimensions
    measure = getattr(model, "get_embedding_dimension", None)
    return int((measure or model.get_sentence_embedding_dimension)() or 0)


@lru_cache(maxsize=2)
def _packed(folder: Path, _digest: str) -> PackedBert | None:
    """Load the model in ``folder`` for blocks; None if it has another form."""
    tokenizer = folder / "tokenizer.json"
    if tokenizer.is_file() and supports(folder, digest_of_file(tokenizer)):
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        return PackedBert(folder)
    return None


@lru_cache(maxsize=2)
def _load(folder: Path, _digest: str) -> Any:
    """Load the model in ``folder`` without terminal output and without the network."""
    # HF_HUB_OFFLINE stays as the user has it: the client reads it once, and a second model may have
    # to be fetched. A folder is loaded with local_files_only, which asks nobody.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as _logging

        logging: Any = _logging

        shown = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            model = SentenceTransformer(
                str(folder), device="cpu", local_files_only=True, trust_remote_code=False
            )
        finally:
            if shown:
                logging.enable_progress_bar()
    model.eval()
    return model
