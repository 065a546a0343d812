#!/usr/bin/env python3
"""Counts what changes to the sieve's kernels on GPUs could gain: sieve_counts.py [SMALL_K [LARGE_LOG_N [LARGE_K]]]

docs/SIEVE.md ("Kernels for GPUs") explains the kernels.  An idea pays only if its gain is well above the
noise of a few per cent.  The graphs are regular of degree 20, each vertex has one of k colours, and the
motif has each colour once.  The small graph has 1024 vertices and SMALL_K slots (default 20); the large one
has 2^LARGE_LOG_N vertices (default 20) and LARGE_K slots (default 10).  It prints lines of tab-separated
fields: idea, what is counted, value, unit.

Assumptions.  Operations are three-input logic on 32-bit words, so on 32 points.  A multiply-add of bit-sliced elements is 64 of
them, its reduction 17.  Five labels are inner: their vertices are live in every word, those of an outer label in half of the
words.  Half rows have 16 bytes for each word and others 32.  The rates are those that were measured on one H200
(bench/results/gpu-h200.txt).
"""
import argparse
import math

LOGIC = 1.65e13  # operations on words, a second
SHARED = 3.3e13  # bytes of shared memory, a second
CACHE = 9.4e12  # bytes of rows of 512 at random from 16 to 32 MiB, which L2 holds
MEMORY = 4.7e12  # the same from 1 GiB
STREAM_NEAR, STREAM_FAR = 7.5e12, 3.9e12  # read and written, from 4 to 32 MiB and from 256 MiB
BINARY_REGISTERS, BINARY_SHARED = 5.1e15, 1.5e15  # bit multiply-adds of tensor cores, operands from either place
PROCESSORS, CLOCK = 132, 1.98e9
SHARED_ROOM, CACHE_ROOM = 227 * 1024, 50e6  # bytes of a multiprocessor, and of L2
DEGREE, INNER = 20, 5
MULTIPLY_ADD, REDUCE = 64, 17
SCALE = 64 + 8  # a product with a constant: masks and ANDs; the powers of x are made once for all constants
POWERS = 28
POINTS, EVALUATE, JOIN = 27, 19, 31  # Karatsuba: operations to multiply-add, to evaluate, to interpolate


def say(idea, what, value, unit):
    print(f"{idea}\t{what}\t{value:.3g}\t{unit}")


class Counts:
    """A graph's live vertices and arcs, for each word on average."""

    def __init__(self, n, k):
        outer = k - INNER
        self.n, self.k, self.half = n, k, (k - 1) // 2
        self.words = 2.0**outer
        self.live = n * (INNER + outer / 2) / k
        arcs = n * DEGREE / k / k  # of an ordered pair of labels; equal labels: the edge is dropped
        inner_inner, mixed, outer_outer = INNER * (INNER - 1), INNER * outer, outer * (outer - 1)
        self.arcs = arcs * (k * k - k)
        self.live_arcs = arcs * (inner_inner + mixed / 2 + mixed / 2 + outer_outer / 4)
        # bytes of the heads' rows: an inner head has half a row
        self.arc_bytes = arcs * (16 * (inner_inner + mixed / 2) + 32 * (mixed / 2 + outer_outer / 4))
        self.row_bytes = n / k * (16 * INNER + 32 * outer / 2)

    def siblings(self, t):
        return (self.k - 1) // t

    def rows(self, first):
        """Published rows of steps from `first` on."""
        return sum(self.siblings(t) for t in range(first, self.k))


def terms_of(k, t, u):
    return sum(1 for q in range(1, k) if q * t < u)


def logic(k, form):
    """Operations of a live vertex for a word, without sums over neighbours.  form: 'plain'; 'operands': sums of products
    at Karatsuba's 27 points, operands evaluated where they are used, but W once for a step; 'kept': G stays evaluated."""
    half, total = (k - 1) // 2, 0
    term = {"plain": MULTIPLY_ADD, "operands": POINTS + EVALUATE, "kept": POINTS}[form]
    end = REDUCE + (0 if form == "plain" else JOIN) + (EVALUATE if form == "kept" else 0)
    product = MULTIPLY_ADD + REDUCE
    total += (k - 1) * product + k * 16  # step 1: prefix products, and forms
    for t in range(2, k):
        published = (k - 1) // t
        total += product + POWERS + SCALE * published
        if t <= half:
            total += (published - 1) * product + (0 if form == "plain" else EVALUATE * published)
            for u in range(t, k):
                terms = terms_of(k, t, u)
                total += terms * term + (end if terms else 0)
        else:
            terms = t - half - 1
            both = MULTIPLY_ADD if form == "plain" else POINTS + 2 * EVALUATE if form == "operands" else POINTS
            total += terms * both + end
    return total


def state_rows(k):
    """Private rows that a vertex reads and writes for a word (sieve/cost.c)."""
    half, total = (k - 1) // 2, 0
    for t in range(2, k):
        total += (k if t == 2 else k + k - t) if t <= half else 2 * (t - half - 1) + 3
    return total


def repeated_rows(k, classes):
    """The same as the kernel for small graphs does it.  Without classes, each coefficient of an early step is read for
    every sum that it takes part in; with them, once for two sums if there are more than three siblings, and else once for
    all of its class modulo t."""
    most, half, total = k - 1, (k - 1) // 2, 2 * k
    for t in range(2, k):
        if t > half:
            total += 2 * (t - half - 1) + 3
        elif not classes:
            total += sum(1 + (u - 1) // t for u in range(t, k)) + k - t + 1
        elif most // t <= 3:
            total += most + k - t + 1
        else:
            total += k - t + 1
            for r in range(t):
                for j in range((most - r) // t, 0, -2):
                    total += j + (1 if r else 0)
    return total


def reads(c):
    """Private rows of a small graph, with coefficients that are read again, at the rate of L2."""
    rate = c.live * c.words * 32 / STREAM_NEAR * 1e3
    say("repeated reads", "private rows, each read once in a step", state_rows(c.k), "rows")
    for name, classes in (("for each sum", False), ("by classes", True)):
        rows = repeated_rows(c.k, classes)
        say("repeated reads", f"private rows, coefficients read {name}", rows, "rows")
        say("repeated reads", "the same at the rate of L2", rows * rate, "ms")
    half, bytes_ = (c.k - 1) // 2, c.n * 10 + (c.live_arcs + 1.5 * c.live) * 2
    paired = c.live - c.n * INNER / c.k / 2
    room = int((SHARED_ROOM - bytes_ - c.live * 48) / (paired * 32)) - 2  # one for W of other steps, one for zeta
    high = (room + 1) // 2
    near = (c.k - 1 - half) + sum(c.k - half - i for i in range(1, high + 1)) + sum(c.k - 1 - half - i for i in range(1, room - high + 1))
    say("repeated reads", "of these in shared memory in late steps", near, "rows")
    say("repeated reads", "the same with pairs, at the rate of L2 less that of shared memory",
        near * paired * c.words * 32 * (1 / STREAM_NEAR - 1 / SHARED) * 1e3, "ms")


def karatsuba(c):
    plain = logic(c.k, "plain")
    stored = c.live * c.words * state_rows(c.k) * 32
    near = PROCESSORS * c.live * c.k * 32 < CACHE_ROOM * 1.2
    for form, size in (("plain", 1), ("operands", 1), ("kept", POINTS / 8)):
        operations = logic(c.k, form)
        say("Karatsuba", f"{form}: operations of a vertex and word", operations, "")
        say("Karatsuba", f"{form}: logic", operations * c.live * c.words / LOGIC * 1e3, "ms")
        rate = STREAM_NEAR if near and size == 1 else STREAM_FAR
        say("Karatsuba", f"{form}: private rows", stored * size / rate * 1e3, "ms")
        say("Karatsuba", f"{form}: state of all multiprocessors", PROCESSORS * c.live * c.k * 32 * size / 1e6, "MB")
    say("Karatsuba", "least terms of a sum for which 'operands' wins", JOIN / (MULTIPLY_ADD - POINTS - EVALUATE), "")
    say("Karatsuba", "part of the logic that is products of sums", 1 - logic_without_sums(c.k) / plain, "")


def logic_without_sums(k):
    half = (k - 1) // 2
    sums = sum(terms_of(k, t, u) for t in range(2, half + 1) for u in range(t, k)) * MULTIPLY_ADD
    return logic(k, "plain") - sums - sum(t - half - 1 for t in range(half + 1, k)) * MULTIPLY_ADD


def quadratic(c):
    """Step 2 as quadratic forms where a word is on one multiprocessor, in clocks of it."""
    q, heads = c.siblings(2), c.live_arcs / c.live
    logic_rate = LOGIC / PROCESSORS / CLOCK
    rows = heads * 32 / (SHARED / PROCESSORS / CLOCK) + (4 * heads + SCALE) / logic_rate
    outer, fours = c.k - INNER, (q + 3) // 4
    cache = CACHE / PROCESSORS / CLOCK
    values = (6 * 8 + 56) / logic_rate + 32 / cache
    word = fours * 4 * (outer * outer / 8 + INNER * outer / 2) / cache  # half of the outer bits are set
    say("quadratic forms", "rows of step 2, a vertex and word", rows * q, "clocks")
    say("quadratic forms", "values of the forms", values * q, "clocks")
    say("quadratic forms", "forms of the word from the pairs of bits", word, "clocks")
    gain = (rows - values) * q - word
    say("quadratic forms", "gain (negative: loss)", gain * c.live * c.words / PROCESSORS / CLOCK * 1e3, "ms")
    one_bit = fours * 4 * (outer + INNER) / cache
    gain = (rows - values) * q - one_bit
    say("quadratic forms", "gain if each word differs from the one before in one bit and its forms are kept",
        gain * c.live * c.words / PROCESSORS / CLOCK * 1e3, "ms")


def tensor(c):
    forms = c.k * (16 + 8)
    say("tensor cores", "linear forms and zeta, part of the logic", forms / logic(c.k, "plain"), "")
    bits = c.live * c.live * 256 * c.rows(2) * c.words  # a dense product of the rows with the adjacency matrix
    say("tensor cores", "sums over neighbours as a dense product, operands in registers", bits / BINARY_REGISTERS * 1e3, "ms")
    say("tensor cores", "the same, operands in shared memory", bits / BINARY_SHARED * 1e3, "ms")
    present = c.live_arcs * 32 * c.rows(2) * c.words / SHARED
    say("tensor cores", "sums over neighbours now, at the rate of shared memory", present * 1e3, "ms")
    scaled = c.live * c.rows(2) * c.words * 32 * 8 * 256  # a matrix of 8 x 8 bits in a place for 8 x 256
    now = c.live * c.words * (POWERS * (c.k - 2) + SCALE * c.rows(2)) / LOGIC
    say("tensor cores", "products with weights now", now * 1e3, "ms")
    say("tensor cores", "products with weights, 8 of 256 columns used", scaled / BINARY_REGISTERS * 1e3, "ms")


def cluster(c):
    private = (c.k + c.siblings(2)) * 32
    published = (2 * 4 + 1) * 16
    lists = c.n * 10 + (c.live_arcs + 1.5 * c.live) * 2
    say("cluster", "private and published bytes of a vertex and word", private + published, "bytes")
    say("cluster", "multiprocessors for a word", (c.live * (private + published) + lists) / SHARED_ROOM, "")
    warps = SHARED_ROOM / (private + published) / 32
    say("cluster", "warps of a multiprocessor, whatever the size of the cluster (now 24)", warps, "")
    stored = c.live * c.words * state_rows(c.k) * 32
    say("cluster", "private rows from L2 now", stored / STREAM_NEAR * 1e3, "ms")
    say("cluster", "private rows from shared memory", stored / SHARED * 1e3, "ms")


def pairs(c):
    """Two vertices of one inner label in a word, where a word is on one multiprocessor."""
    paired = c.live - c.n * INNER / c.k / 2
    say("points by support", "live places of a word now", c.live, "")
    say("points by support", "with two vertices of an inner label in a place", paired, "")
    operations = logic(c.k, "plain") * c.words / LOGIC
    say("points by support", "logic now", operations * c.live * 1e3, "ms")
    say("points by support", "logic with pairs", operations * paired * 1e3, "ms")
    stored = state_rows(c.k) * 32 * c.words / STREAM_NEAR
    say("points by support", "private rows now", stored * c.live * 1e3, "ms")
    say("points by support", "private rows with pairs", stored * paired * 1e3, "ms")
    rows = c.rows(2) * c.words / SHARED
    inner_heads = c.n * DEGREE / c.k / c.k * (INNER * (INNER - 1) + INNER * (c.k - INNER) / 2)
    moved = inner_heads * c.rows(2) * 12 * c.words / LOGIC  # shift and mask eight words, in place of XORs of three operands
    say("points by support", "logic to move the halves of pairs, which is new", moved * 1e3, "ms")
    say("points by support", "rows over edges now", rows * c.live_arcs * 32 * 1e3, "ms")
    say("points by support", "rows over edges with pairs", rows * c.arc_bytes * 1e3, "ms")


def large_steps(c, chunk):
    """Yields for each step from 3 on the bytes over edges, of its rows, and of what it reads and writes once, for a chunk."""
    for t in range(3, c.k):
        q, after = c.siblings(t), c.siblings(t + 1) if t + 1 < c.k else 0
        row = c.row_bytes * chunk
        state = 2 * c.k - t if t <= c.half else 2 * (t - c.half - 1) + 3
        once = row * (state + after) + c.n * 32 + c.arcs * 8
        yield t, c.arc_bytes * chunk * q, row * q, once


def bulk(c):
    rows = c.rows(3)
    say("bulk loads", "bytes over edges", c.arc_bytes * rows * c.words / 1e9, "GB")
    say("bulk loads", "the same at the rate of random rows", c.arc_bytes * rows * c.words / MEMORY * 1e3, "ms")
    say("bulk loads", "shared memory written and read in place of registers", 2 * c.arc_bytes * rows * c.words / SHARED * 1e3, "ms")
    threads = c.arcs * 0.75 * 32 * rows * c.words / 32  # every arc of a live vertex is looked at
    say("bulk loads", "instructions of addresses and tests, 10 a row", threads * 10 / 32 / (PROCESSORS * 4 * CLOCK) * 1e3, "ms")


def chunks(c):
    """Smaller chunks, so that the rows of a step stay in L2.  A row is found there if fewer than CACHE_ROOM bytes passed
    since it was last read; the bytes between two reads of a row are exponentially distributed, as random neighbours make
    them."""
    most = int(min(32, c.words))
    for words in (w for w in (1, 2, 4, 8, 16, 32) if w <= most):
        times = c.words / words
        edges = other = hits = 0.0
        for _, over, rows, once in large_steps(c, words):
            reads = over / rows
            found = 1 - math.exp(-CACHE_ROOM * reads / (rows + once))
            edges += over * ((1 - found) / MEMORY + found / CACHE)
            other += once / STREAM_FAR
            hits += found * over
        first = c.n * (c.k * 32 + c.k * (c.k + 1) * 2 + 4 * c.half * 8 + (c.k + 1) * 8)  # forms, pairs of bits, inner pairs
        other += first / STREAM_FAR
        all_over = sum(over for _, over, _, _ in large_steps(c, words))
        say("blocks of points", f"{words} words: part of the rows found in L2", hits / all_over, "")
        say("blocks of points", f"{words} words: steps from 3 on, and forms", (edges + other) * times * 1e3, "ms")


def ahead(c):
    """Arcs that are asked for a group ahead: one wait in place of two for each group of four arcs."""
    wait, groups = 0.7e-6, DEGREE / 4
    resident = PROCESSORS * 32  # warps; a warp is a vertex with its words
    steps = len(range(c.half + 1, c.k))
    chunk = c.words / min(32, c.words)
    for name, waits in (("now", 2 * groups), ("arcs ahead", groups + 1)):
        say("arcs ahead", f"{name}: waits of the late steps", c.n / resident * waits * wait * steps * chunk * 1e3, "ms")
    late = [s for s in large_steps(c, min(32, c.words)) if s[0] > c.half]
    moved = sum(over / MEMORY + once / STREAM_FAR for _, over, _, once in late)
    say("arcs ahead", "bytes of the late steps", moved * chunk * 1e3, "ms")


def order(c):
    over = c.arc_bytes * c.rows(3) * c.words
    say("order", "rows over edges, none found in L2", over / MEMORY * 1e3, "ms")
    say("order", "rows over edges, all found in L2", over / CACHE * 1e3, "ms")
    window = CACHE_ROOM / (c.row_bytes / c.n * min(32, c.words))
    say("order", "vertices whose rows L2 holds", window, "")


def main():
    parser = argparse.ArgumentParser(description="Count what changes to the sieve's kernels on GPUs could gain.")
    parser.add_argument("small_k", type=int, nargs="?", default=20, choices=range(7, 33), metavar="SMALL_K", help="slots, 7 to 32")
    parser.add_argument("large_log", type=int, nargs="?", default=20, choices=range(12, 31), metavar="LARGE_LOG_N",
                        help="binary logarithm of the vertices of the large graph, 12 to 30")
    parser.add_argument("large_k", type=int, nargs="?", default=10, choices=range(7, 33), metavar="LARGE_K", help="slots, 7 to 32")
    args = parser.parse_args()
    small, large = Counts(1024, args.small_k), Counts(2.0**args.large_log, args.large_k)
    print("idea\twhat\tvalue\tunit")
    for count in (karatsuba, quadratic, tensor, cluster, pairs, reads):
        count(small)
    for count in (bulk, chunks, ahead, order):
        count(large)


if __name__ == "__main__":
    main()
