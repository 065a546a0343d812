#!/usr/bin/env python3
"""Writes damaged copies of a result file: damage_result.py RESULT PREFIX COUNT

Copy 0 is the file itself, copies 1 and 2 are cut off, copy 3 has one wrong bit.  Each further
copy has one changed line, row or number, and its checksum is corrected, so that
'motifsieve verify' has to find the damage in the contents.  The copies of a file are the same
in every run.
"""
import os
import random
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from result_file import crc32c


def changed_line(line, lines, rng):
    """The line with a number changed, two words exchanged, or a word of another line."""
    separator = b"\t" if b"\t" in line else b"," if b"," in line else b" "
    words = line.split(separator)
    kind = rng.randrange(4)
    at = rng.randrange(len(words))
    if kind == 0:
        words[at] = words[rng.randrange(len(words))]
    elif kind == 1:
        other = rng.choice(lines).split(separator)
        words[at] = rng.choice(other)
    elif kind == 2:
        del words[at]
    else:
        digits = [i for i in range(len(line)) if line[i : i + 1].isdigit()]
        if digits:
            i = rng.choice(digits)
            return line[:i] + b"%d" % ((int(line[i : i + 1]) + rng.randrange(1, 10)) % 10) + line[i + 1 :]
    return separator.join(words)


def changed_text(data, rng):
    lines = data.rstrip(b"\n").split(b"\n")
    body, end = lines[:-1], lines[-1]
    kind = rng.randrange(8)
    at = rng.randrange(len(body))
    if kind == 0:
        del body[at]
    elif kind == 1:
        body.insert(at, rng.choice(body))
    elif kind == 2:
        other = rng.randrange(len(body))
        body[at], body[other] = body[other], body[at]
    else:
        body[at] = changed_line(body[at], body, rng)
    head = b"\n".join(body) + b"\n"
    old = data.rstrip(b"\n").rindex(b"\n") + 1
    return head + end.replace(b"%08x" % crc32c(data[:old]), b"%08x" % crc32c(head)) + b"\n"


def changed_binary(data, rng):
    data = bytearray(data)
    length = struct.unpack_from("<I", data, 8)[0]
    rows = (12 + length + 3) // 4 * 4
    if rng.randrange(3) and len(data) - 24 > rows:
        at = rows + 4 * rng.randrange((len(data) - 24 - rows) // 4)
        struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] ^ 1 << rng.randrange(4))
    else:
        at = rng.choice([i for i in range(12, 12 + length) if chr(data[i]).isalnum()])
        data[at] ^= 1
    data[-4:] = struct.pack("<I", crc32c(bytes(data[:-4])))
    return bytes(data)


def main():
    path, prefix, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    data = open(path, "rb").read()
    rng = random.Random(prefix.rpartition("/")[2])
    change = changed_binary if data[:8] == b"MSMATCH1" else changed_text
    flipped = bytearray(data)
    flipped[len(data) // 3] ^= 1
    copies = [data, data[:-9], data[: len(data) // 2], bytes(flipped)]
    while len(copies) < count:
        copies.append(change(data, rng))
    for number, copy in enumerate(copies[:count]):
        with open("%s.%d" % (prefix, number), "wb") as out:
            out.write(copy)


main()
