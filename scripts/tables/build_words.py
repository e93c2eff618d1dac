"""WORDS: English words, each sent alone through all-MiniLM-L6-v2, as a static table of 128 dimensions.

    python build_words.py OUT.bin          (2 to 4 minutes on one core)

List: ASCII words of the o200k vocabulary that MiniLM's own vocabulary has whole or cuts in two with a first piece of
four letters or more, or that o200k has in three or more forms ("invoice", " invoice", "Invoice"). Both tests keep
English and drop most words of other languages, whose fragments would attract nonsense. Then the WordPieces in ASCII
and Latin-1, so that any word can be put together from pieces.
Vectors: centred on the mean of the 6,000 commonest whole words and rotated onto the principal axes of the same; the
first two axes are dropped (they hold frequency and word class more than meaning), the next 128 kept."""
import re
import sys

import numpy as np

import table_file
from minilm import MiniLM, vocabulary
from wordlists import latin_words

BASE, DROPPED, DIM = 6000, 2, 128
LONG, FORMS = 4, 3
PIECE = re.compile(r"[a-z0-9à-ÿ.,:/#'-]+")
LICENCE = "Apache-2.0 (vectors distilled from all-MiniLM-L6-v2); word list from o200k_base (MIT) and the model's own pieces"


def word_list(model):
    candidates = latin_words()
    whole = lambda pieces: len(pieces) == 1 or len(pieces) == 2 and len(pieces[0]) >= LONG
    cut = [e.tokens[1:-1] for e in model.tokenizer.encode_batch(list(candidates))]
    words = [w for (w, (_, forms)), pieces in zip(candidates.items(), cut)
             if whole(pieces) or forms >= FORMS and len(w) >= LONG]
    pieces = {v.removeprefix("##") for v in vocabulary()}
    return words + sorted(p for p in pieces - set(words) if PIECE.fullmatch(p))


def rotate(words, vectors):
    base = [i for i, w in enumerate(words) if len(w) > 1][:BASE]
    vectors = vectors - vectors[base].mean(0)
    axes = np.linalg.svd(vectors[base], full_matrices=False)[2]
    return vectors @ axes[DROPPED:DROPPED + DIM].T


def main(path):
    model = MiniLM()
    words = word_list(model)
    vectors = rotate(words, model.embed(words))
    print(len(words), "words,", table_file.write(path, "words", LICENCE, words, vectors), "bytes")


if __name__ == "__main__":
    main(sys.argv[1])
