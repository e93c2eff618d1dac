"""The file format of a static table, little-endian throughout:

    8 bytes   magic "GYRTABLE"
    u16 u16   format version (1), dimensions d
    u32 u32   rows n, length of the word block in bytes
    u16 u16   lengths of the name and of the licence line
              name, licence line, word block (UTF-8, n words separated by newlines, in rank order)
    n x f32   scales;  n x d x i8  rows: vector = scale * row
    32 bytes  blake3 of all that stands before
"""
import struct

import numpy as np
from blake3 import blake3

MAGIC, VERSION, HEAD = b"GYRTABLE", 1, struct.Struct("<8sHHIIHH")


def quantise(vectors):
    """(scales, int8 rows): the largest component of a row becomes 127. A row of zeros has scale 0."""
    scale = (np.abs(vectors).max(1) / 127).astype("<f4")
    return scale, np.round(vectors / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)


def write(path, name, licence, words, vectors):
    assert len(set(words)) == len(words) == len(vectors) and not any("\n" in w or not w for w in words)
    block, name, licence = "\n".join(words).encode(), name.encode(), licence.encode()
    scale, rows = quantise(vectors)
    head = HEAD.pack(MAGIC, VERSION, vectors.shape[1], len(words), len(block), len(name), len(licence))
    body = head + name + licence + block + scale.tobytes() + rows.tobytes()
    with open(path, "wb") as out:
        out.write(body + blake3(body).digest())
    return len(body) + 32


def read(path):
    """(name, licence, words, vectors as float32); raises if the check value does not agree."""
    with open(path, "rb") as file:
        data = file.read()
    body = data[:-32]
    magic, version, dim, count, words, name, licence = HEAD.unpack_from(body)
    if magic != MAGIC or version != VERSION or blake3(body).digest() != data[-32:]:
        raise ValueError(f"{path}: not a whole table of version {VERSION}")
    cuts = np.cumsum([HEAD.size, name, licence, words, 4 * count])
    part = [body[a:b] for a, b in zip(cuts, [*cuts[1:], len(body)])]
    rows = np.frombuffer(part[4], np.int8).reshape(count, dim)
    return (part[0].decode(), part[1].decode(), part[2].decode().split("\n"),
            rows * np.frombuffer(part[3], "<f4")[:, None])
