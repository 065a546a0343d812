#!/usr/bin/env python3
"""Checks statistics of permuted colours by plain Python: permuted_colors.py compare RESULT SHEET K N SEED
                                                      permuted_colors.py motif MOTIFSIEVE COMMAND GRAPH COLORS MOTIF N SEED

`compare` checks each row of a comparison whose groups have one sample each; `motif`, what `list` or `screen` says of a motif with
--permutations N.  All connected sets are listed, and colours are shuffled as docs/SIGNIFICANCE.md and docs/COMPARE.md say.  Prints what
is wrong, and how many numbers were compared.
"""
import math
import subprocess
import sys


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & 0xFFFFFFFF, p >> 32 ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def shuffled(items, seed, number):
    """The items in permutation `number`."""
    items = list(items)
    for i in range(len(items)):
        block = philox((i // 2, 0, number & 0xFFFFFFFF, number >> 32), (seed & 0xFFFFFFFF, seed >> 32))
        bits = block[i % 2 * 2] | block[i % 2 * 2 + 1] << 32
        j = bits * (i + 1) >> 64
        items[i], items[j] = items[j], items[i]
    return items


def read(graph, colors):
    """The vertices in order, their neighbours, and their colours."""
    near, color = {}, {}
    for line in open(graph):
        a, b = line.split()[:2]
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    for line in open(colors):
        v, c = line.split()
        if v in near:
            color.setdefault(v, set()).add(c)
    return list(near), near, color


def connected(vertices, near, k):
    sets = {frozenset([v]) for v in vertices}
    for _ in range(k - 1):
        sets = {s | {w} for s in sets for v in s for w in near[v] if w in vertices and w not in s}
    return sets


def slots(motif):
    return sorted(c for part in motif.split(",") for c, _, n in [part.partition(":")] for _ in range(int(n or 1)))


def compare(result, sheet, k, n, seed):
    k, n, seed = int(k), int(n), int(seed)
    groups, samples = [], []
    for line in open(sheet).readlines()[1:]:
        _, group, graph, colors = line.split()
        order, near, color = read(graph, colors)
        own = [v for v in order if v in color]
        groups.append(group)
        samples.append(([*(min(color[v]) for v in own)], [[own.index(v) for v in s] for s in connected(set(own), near, k)]))
    pseudo = 0.5 / (sum(len(sets) for _, sets in samples) / len(samples))

    def count(colors, sets):
        found = {}
        for s in sets:
            motif = tuple(sorted(colors[v] for v in s))
            found[motif] = found.get(motif, 0) + 1
        return found

    def expected(s, motif):
        colors, sets = samples[s]
        ways = math.prod(math.comb(colors.count(c), motif.count(c)) for c in set(motif))
        return ways / math.comb(len(colors), k) * len(sets)

    observed = [count(*s) for s in samples]
    permuted = [[count(shuffled(colors, seed, s << 32 | i), sets) for s, (colors, sets) in enumerate(samples)] for i in range(n)]

    def statistic(counts, motif, sides):
        value = [math.log2(counts[s].get(motif, 0) / len(samples[s][1]) + pseudo)
                 - math.log2(expected(s, motif) / len(samples[s][1]) + pseudo) for s in sides]
        return value[0] - value[1]

    rows = [line.rstrip("\n").split("\t") for line in open(result) if line[0] != "#"]
    for values in rows[1:]:
        row = dict(zip(rows[0], values))
        motif, sides = tuple(slots(row["motif"])), [groups.index(row["group"]), groups.index(row["reference"])]
        own = statistic(observed, motif, sides)
        p = (1 + sum(abs(statistic(one, motif, sides)) >= abs(own) - 1e-7 for one in permuted)) / (1 + n)
        yield row, "p_excess", row["p_excess"], p
        yield row, "log2_excess_ratio", row["log2_excess_ratio"], own


def motif(tool, command, graph, colors, text, n, seed):
    order, near, color = read(graph, colors)
    own = [v for v in order if v in color]
    wanted = slots(text)
    sets = connected(set(order), near, len(wanted))

    def fits(vertices, color, left):
        return not left or any((left[0] == "*" or left[0] in color.get(v, ())) and
                               fits(vertices[:i] + vertices[i + 1:], color, left[1:]) for i, v in enumerate(vertices))

    def measure(color):
        found = [s for s in sets if fits(tuple(s), color, wanted)]
        return len(found) if command == "list" else len(frozenset().union(*found))

    here, count = measure(color), int(n)
    values = [measure(dict(zip(own, shuffled([color[v] for v in own], int(seed), i)))) for i in range(count)]
    mean = sum(values) / count
    out = subprocess.run([tool, command, graph, "-c", colors, "-m", text, "--permutations", n, "--seed", seed, "-q"],
                         capture_output=True, text=True, timeout=600, check=True).stdout
    row = dict(line.split("\t") for line in out.splitlines())
    yield row, "observed", row["observed"], here
    yield row, "perm_expected", row["perm_expected"], mean
    yield row, "perm_sd", row["perm_sd"], math.sqrt(sum((x - mean) ** 2 for x in values) / (count - 1))
    yield row, "perm_p", row["perm_p"], (1 + sum(x >= here for x in values)) / (1 + count)
    yield row, "perm_p_less", row["perm_p_less"], (1 + sum(x <= here for x in values)) / (1 + count)


compared = 0
for row, name, stated, right in (compare if sys.argv[1] == "compare" else motif)(*sys.argv[2:]):
    compared += 1
    if abs(float(stated) - right) > 2e-5 * max(1, abs(right)):
        print("%s of %s is %s, not %g" % (name, row, stated, right))
print("%d numbers" % compared)
