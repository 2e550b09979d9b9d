"""A BERT encoder over many texts at once whose vectors do not depend on the other texts.

The layers of BERT (Devlin et al., 2019, "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding") are products of matrices, one row for each token, and attention within each
text. Texts are put one after the other into blocks, and every product has the same shape: that of a
block, whatever is in it. So a row takes the same course whichever rows are beside it, while a batch
of texts padded to the longest one does not. The attention of a text has the shape of that text.

Blocks save time twice: a product of many rows is faster for each row, and nothing is computed for
padding between texts. Neither transformers nor sentence-transformers is imported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from revkit_embedders.model_files import KNOWN_FILES

# A text of at most so many tokens shares a block of this size; a longer one has a block alone.
BLOCKS = (128, 256, 512)


@dataclass(frozen=True)
class _Layer:
    query_key_value: tuple[Any, Any]
    attended: tuple[Any, Any]
    attended_norm: tuple[Any, Any]
    inner: tuple[Any, Any]
    outer: tuple[Any, Any]
    outer_norm: tuple[Any, Any]


class PackedBert:
    """The model in ``folder``, which `supports` accepts."""

    def __init__(self, folder: Path) -> None:
        import torch
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        config = _json(folder / "config.json")
        weights: dict[str, Any] = load_file(str(folder / "model.safetensors"))
        self.dimensions = int(config["hidden_size"])
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])

        def pair(name: str) -> tuple[Any, Any]:
            return weights[f"{name}.weight"], weights[f"{name}.bias"]

        self._layers = []
        for number in range(int(config["num_hidden_layers"])):
            layer = f"encoder.layer.{number}"
            three = [pair(f"{layer}.attention.self.{each}") for each in ("query", "key", "value")]
            self._layers.append(
                _Layer(
                    (torch.cat([w for w, _ in three]), torch.cat([b for _, b in three])),
                    pair(f"{layer}.attention.output.dense"),
                    pair(f"{layer}.attention.output.LayerNorm"),
                    pair(f"{layer}.intermediate.dense"),
                    pair(f"{layer}.output.dense"),
                    pair(f"{layer}.output.LayerNorm"),
                )
            )
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"]
        self._kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._first_norm = pair("embeddings.LayerNorm")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_window(folder))

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the tokens of each text, cut at the model's window."""
        return [self._tokenizer.encode(text).ids for text in texts]

    def forward(self, texts: Sequence[Sequence[int]], size: int) -> Any:
        """Return the mean of the last layer over the tokens of each text, for texts that fill a
        block of ``size`` tokens at most: float32, shape (len(texts), dimensions).
        """
        import torch
        from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

        lengths = [len(text) for text in texts]
        rest = size - sum(lengths)
        shape = (self.dimensions,)
        with torch.inference_mode():
            ids = torch.tensor([*(each for text in texts for each in text), *[0] * rest])
            places = torch.cat([torch.arange(length) for length in (*lengths, rest)])
            state = self._words[ids] + self._places[places] + self._kind
            state = layer_norm(state, shape, *self._first_norm, self._epsilon)
            for layer in self._layers:
                joined: Any = linear(state, *layer.query_key_value)
                parts = joined[: size - rest].split(lengths)
                seen = torch.zeros(size, self.dimensions)
                start = 0
                for part, length in zip(parts, lengths, strict=True):
                    query, key, value = part.view(length, 3, self._heads, -1).permute(1, 2, 0, 3)
                    found = scaled_dot_product_attention(query[None], key[None], value[None])[0]
                    seen[start : start + length] = found.transpose(0, 1).reshape(length, -1)
                    start += length
                state = linear(seen, *layer.attended) + state
                state = layer_norm(state, shape, *layer.attended_norm, self._epsilon)
                more = linear(gelu(linear(state, *layer.inner)), *layer.outer)
                state = layer_norm(more + state, shape, *layer.outer_norm, self._epsilon)
            used: Any = state[: size - rest]
            means = [part.mean(0) for part in used.split(lengths)]
            return torch.stack(means).numpy()


def blocks_of(lengths: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield blocks: the size of each, and the numbers of the texts in it. The size depends on the
    length of a text alone.
    """
    by_size: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by_size.setdefault(next(size for size in BLOCKS if length <= size), []).append(number)
    for size, numbers in sorted(by_size.items(), reverse=True):
        block: list[int] = []
        used = 0
        for number in numbers:
            if block and used + lengths[number] > size:
                yield size, block
                block, used = [], 0
            block.append(number)
            used += lengths[number]
        yield size, block


def supports(folder: Path, tokenizer: str) -> bool:
    """Whether the model in ``folder`` is a BERT encoder whose tokens are averaged.

    ``tokenizer`` is the SHA-256 of its tokenizer, which must be that of BERT in lower case: what
    settings beside the file would change in another one is not known here.
    """
    try:
        config = _json(folder / "config.json")
        modules = [str(each["type"]).rpartition(".")[2] for each in _json(folder / "modules.json")]
        pooling = {
            name: value
            for name, value in _json(folder / "1_Pooling" / "config.json").items()
            if name.startswith("pooling_mode_")
        }
        return (
            tokenizer == KNOWN_FILES["tokenizer.json"]
            and config["model_type"] == "bert"
            and config["hidden_act"] == "gelu"
            and config.get("position_embedding_type", "absolute") == "absolute"
            and modules in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
            and [name for name, on in pooling.items() if on] == ["pooling_mode_mean_tokens"]
            and _window(folder) <= BLOCKS[-1]
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _window(folder: Path) -> int:
    return int(_json(folder / "sentence_bert_config.json")["max_seq_length"])


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
