"""The two word lists, both read off the o200k vocabulary (bpe-openai, MIT). No frequency list with a licence of
its own goes in: o200k numbers its tokens about by frequency, so the order of the list is the rank."""
import re
import unicodedata
from collections import Counter

import bpe_openai

O200K_TOKENS = 199998          # ordinary tokens of o200k_base; the special ones come after
CODE_LENGTH = 7
ASCII = re.compile(r"[a-z]+")


def o200k_texts():
    """(rank, text) of every token that is text by itself."""
    encoding = bpe_openai.get_encoding("o200k_base")
    for rank in range(O200K_TOKENS):
        try:
            text = encoding.decode([rank])
        except Exception:      # half a character: bytes that are no text by themselves
            continue
        if text:
            yield rank, text


def letter_tokens():
    """{word: smallest rank} of all tokens that are letters only, stripped and lower-cased; every script, with the
    marks that Indic scripts, Thai, Hebrew and Arabic write their vowels with. Identifiers are left out: ASCII tokens
    of CODE_LENGTH letters and more which no token spells after a space ("IllegalArgumentException")."""
    first, begins = {}, set()
    for rank, text in o200k_texts():
        word = text.strip().lower()
        kinds = {unicodedata.category(c)[0] for c in word}
        if "L" in kinds and kinds <= {"L", "M"}:
            first.setdefault(word, rank)
            if text[0] == " ":
                begins.add(word)
    return {word: rank for word, rank in first.items()
            if word in begins or len(word) < CODE_LENGTH or not word.isascii()}


def latin_words():
    """{word: (smallest rank, number of forms)}, in rank order, of the ASCII words that some token spells after a
    space, as the beginning of a word. Forms: the tokens that differ only in capitals and in that space."""
    found, forms = {}, Counter()
    for rank, text in o200k_texts():
        word = text.strip().lower()
        if ASCII.fullmatch(word):
            forms[word] += 1
            if text[0] == " ":
                found.setdefault(word, rank)
    return {word: (rank, forms[word]) for word, rank in found.items()}
