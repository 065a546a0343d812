#!/usr/bin/env python3
"""Shows from which k on the sieve is faster than enumeration: takeover.py MOTIFSIEVE DATA [SECONDS [NETWORK...]]

Screens the networks of flags.py in the folder DATA (or those that are named) for motifs of 3 to 12 vertices, the
colours of random connected sets, on one thread: by the sieve (--screen always), by enumeration (never), and as the
tool chooses (auto), SECONDS (3) at most.  A time is the elapsed time of the search alone or, on a busy machine, the
processor time of the whole process if that is less.  Prints a row for each motif, with what auto has used, and a line
for each network.  The sieve counts as faster if it gains at least 5 ms.  `slow` marks motifs for which auto took 30 %
and 20 ms longer than the better of the two.  Flags of the sieve that the exact screen lacks are an error.
"""
import os
import random
import re
import shutil
import sys

if len(sys.argv) == 3:
    sys.argv.append("3")

import flags

SIZES = (3, 4, 5, 6, 7, 8, 10, 12)
MOTIFS = 2  # for each size
SLOWER, MARGIN, GAIN = 1.3, 0.02, 0.005
limit = float(flags.limit)


def screen(words, method):
    """Returns the seconds of the search, or None after the limit; the mode, and the flagged vertices."""
    path = os.path.join(flags.folder, "screen.tsv")
    options = ["--screen", method, "--threads", "1", "--timeout", "%gs" % limit, "--verbose", "-o", path]
    before = os.times().children_user
    done = flags.run("screen", *words, *options)
    processor = os.times().children_user - before
    line = next((x for x in done.stderr.decode().splitlines() if "seconds:" in x), None)
    if not line:
        sys.exit("takeover.py: %s: %s" % (" ".join(words), done.stderr.decode().strip()))
    seconds = min(processor, sum(float(s) for s in re.findall(r"(?:sieve|enumeration) ([0-9.]+)", line)))
    text = open(path).read()
    os.remove(path)
    mode = re.search(r"^# mode: (.*)", text, re.M)
    rows = {x.split("\t")[0] for x in text.splitlines() if x[:1] not in ("#", "")}
    return (seconds if done.returncode == 0 else None), mode.group(1) if mode else "-", rows


def show(seconds):
    return "> %g" % (1000 * limit) if seconds is None else "%g" % round(1000 * seconds)


def least(*times):
    known = [t for t in times if t is not None]
    return min(known) if known else None


def measure_network(network):
    """Prints the rows of a network.  Returns the motifs, those for which auto is slow, and the wrong ones."""
    random.seed(network.name)
    name, table = network.name, network.table
    if not table:
        table = flags.random_colors(sorted(flags.read_graph(network.graph)[0]))
    graph = os.path.join(flags.folder, "network.msb")  # which is read fast
    flags.run("convert", network.graph, "-o", graph)
    words = [] if table == flags.OWN else ["-c", table, "--ignore-unknown"]
    adjacent, own = flags.read_graph(network.graph, words)
    colored = sorted(v for v in adjacent if own.get(v))
    count = slow = wrong = 0
    faster, late = [], False  # late: the sieve took longer than the limit for all motifs of a size
    for k in SIZES:
        sieves = []
        for _ in range(MOTIFS):
            members = flags.connected_set(adjacent, own, colored, k)
            if len(members) < k:
                continue
            colors = ",".join('"%s"' % random.choice(sorted(own[v])).replace('"', '""') for v in members)
            query = [graph, *words, "-m", colors]
            sieve, _, some = (None, None, None) if late else screen(query, "always")
            exact, _, whole = screen(query, "never")
            auto, mode, _ = screen(query, "auto")
            best = least(sieve, exact)
            is_slow = best is not None and (limit if auto is None else auto) > max(SLOWER * best, best + MARGIN)
            is_wrong = sieve is not None and exact is not None and not some <= whole
            sieves.append(sieve)
            if sieve is not None and (limit if exact is None else exact) >= sieve + GAIN:
                faster.append(k)
            print(name, k, show(sieve), show(exact), show(auto), mode, "slow" if is_slow else "WRONG" if is_wrong else "",
                  sep="\t")
            count, slow, wrong = count + 1, slow + is_slow, wrong + is_wrong
        late = late or (len(sieves) > 0 and all(s is None for s in sieves))
    print("# %s: %d vertices; the sieve was faster for %d of %d motifs%s; auto was slow for %d" % (
        name, len(adjacent), len(faster), count, ", the smallest of k = %d" % faster[0] if faster else "", slow))
    return count, slow, wrong, len(faster)


def main():
    os.makedirs(flags.folder)
    print("network\tk\tsieve_ms\texact_ms\tauto_ms\tauto_used\tremark")
    total = (0, 0, 0, 0)
    for network in flags.networks():
        if not flags.wanted or network.name in flags.wanted:
            total = tuple(map(sum, zip(total, measure_network(network))))
    shutil.rmtree(flags.folder)
    print("# %d motifs; auto was slow for %d; %d with flags that the exact screen lacks; the sieve was faster for %d" % total)
    return total[2] > 0


if __name__ == "__main__":
    sys.exit(main())
