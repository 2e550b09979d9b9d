"""A BERT encoder over many texts at once whose vectors do not depend on the other texts.

The layers of BERT (Devlin et al., 2019, "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding") are products of matrices, one row for each token, and attention within each
text. Texts are put one after the other into blocks, and every product has the same shape: that of a
block, whatever is in it. So a row takes the same course whichever rows are beside it, while a batch
of texts padded to the longest one does not. The attention of a text has the shape of that text.

Blocks save time twice: a product of many rows is faster for each row, and nothing is computed for
padding between texts. Where torch has oneDNN for this processor, its products are used, with the
weights in its own layout: on processors of AMD they take less than half of the time of those of
MKL. Neither transformers nor sentence-transformers is imported. The vectors of the two libraries
differ in their last bits, as those of two kinds of processors do;
`SentenceTransformerEmbedder.arithmetic` names what was used.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.files import json_in_file
from revkit_embedders.model_files import KNOWN_FILES

# A text of at most so many tokens shares a block of this size; a longer one has a block alone.
BLOCKS = (128, 256, 512)


class _Product:
    """The product with one matrix of weights, plus a bias, then GELU if ``gelu`` is set."""

    def __init__(self, weight: Any, bias: Any, *, gelu: bool = False) -> None:
        import torch

        self._bias = bias
        self._gelu = gelu
        self._packed = _has_onednn()
        pack = torch.ops.mkldnn._reorder_linear_weight if self._packed else None
        self._weight: Any = pack(weight, BLOCKS[0]) if pack else weight

    def __call__(self, state: Any) -> Any:
        import torch
        from torch.nn.functional import gelu, linear

        if self._packed:
            kind = "gelu" if self._gelu else "none"
            product = torch.ops.mkldnn._linear_pointwise
            return product(state, self._weight, self._bias, kind, [], "none")
        found = linear(state, self._weight, self._bias)
        return gelu(found) if self._gelu else found


def _has_onednn() -> bool:
    """Whether torch computes products with oneDNN on this processor, through the operators that
    its compiler uses too."""
    import torch

    onednn: Any = torch.backends.mkldnn
    return (
        platform.machine().lower() in ("x86_64", "amd64")
        and onednn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
    )


@dataclass(frozen=True)
class _Layer:
    query_key_value: _Product
    attended: _Product
    attended_norm: tuple[Any, Any]
    inner: _Product
    outer: _Product
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
        self.uses_onednn = _has_onednn()
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
                    _Product(torch.cat([w for w, _ in three]), torch.cat([b for _, b in three])),
                    _Product(*pair(f"{layer}.attention.output.dense")),
                    pair(f"{layer}.attention.output.LayerNorm"),
                    _Product(*pair(f"{layer}.intermediate.dense"), gelu=True),
                    _Product(*pair(f"{layer}.output.dense")),
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
        from torch.nn.functional import layer_norm

        # texts of one length side by side: their attention is computed by one call
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        lengths = [len(texts[number]) for number in order]
        rest = size - sum(lengths)
        shape = (self.dimensions,)
        with torch.inference_mode():
            ids = [*(each for number in order for each in texts[number]), *[0] * rest]
            places = [place for length in (*lengths, rest) for place in range(length)]
            state = self._words[torch.tensor(ids)] + self._places[torch.tensor(places)] + self._kind
            state = layer_norm(state, shape, *self._first_norm, self._epsilon)
            for layer in self._layers:
                seen = self._attended(layer.query_key_value(state), lengths)
                state = layer.attended(seen) + state
                state = layer_norm(state, shape, *layer.attended_norm, self._epsilon)
                more = layer.outer(layer.inner(state))
                state = layer_norm(more + state, shape, *layer.outer_norm, self._epsilon)
            used: Any = state[: size - rest]
            means = dict(zip(order, used.split(lengths), strict=True))
            return torch.stack([means[number].mean(0) for number in range(len(texts))]).numpy()

    def _attended(self, joined: Any, lengths: Sequence[int]) -> Any:
        """Return the attention of each text to itself; ``joined`` are the queries, keys and values
        of all tokens, ``lengths`` those of the texts in order. Rows beyond the texts are zero.
        """
        import torch
        from torch.nn.functional import scaled_dot_product_attention

        seen = torch.zeros(len(joined), self.dimensions)
        start = 0
        for length, same in groupby(lengths):
            count = len(list(same))
            end = start + count * length
            parts = joined[start:end].view(count, length, 3, self._heads, -1)
            query, key, value = parts.permute(2, 0, 3, 1, 4)
            found = scaled_dot_product_attention(query, key, value).transpose(1, 2)
            seen[start:end] = found.reshape(end - start, -1)
            start = end
        return seen


def blocks_of(lengths: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield blocks: the size of each, and the numbers of the texts in it. The size depends on the
    length of a text alone. The longest texts come first, each into the fullest block with room.
    """
    by_size: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by_size.setdefault(next(size for size in BLOCKS if length <= size), []).append(number)
    for size, numbers in sorted(by_size.items(), reverse=True):
        blocks: list[list[int]] = []
        free: dict[int, list[int]] = {}  # blocks by the tokens that are left in them
        for number in sorted(numbers, key=lambda number: -lengths[number]):
            length = lengths[number]
            left = next((room for room in range(length, size) if free.get(room)), size)
            if left == size:
                blocks.append([])
                place = len(blocks) - 1
            else:
                place = free[left].pop()
            blocks[place].append(number)
            free.setdefault(left - length, []).append(place)
        for block in blocks:
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
    return json_in_file(path)
