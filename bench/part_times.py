#!/usr/bin/env python3
"""Measure how even the parts of runs are: the processor time of each of PARTS parts (8), on one thread.

    bench/part_times.py MOTIFSIEVE [PARTS]

R-MAT graphs, which have hubs, are made.  Each part is a whole command, which also reads the graph and prepares its
search; `prepared` is the time of a part of so many that it has next to no
units, and is taken off in the last column.  Each command runs twice, and the lesser time counts.
"""

import os
import subprocess
import sys
import tempfile

ROUNDS = 2
MOST_PARTS = 1000000
FAMILIES = {
    "R-MAT": "gen rmat --scale {scale} --edges {edges}",
}
SIZES = {"t": (12, 30000), "s": (13, 80000), "m": (15, 400000), "l": (16, 1000000)}
TAILED = "0 1\n1 2\n2 0\n2 3\n3 4\n"  # a triangle with a path of two edges
RUNS = {
    "screen of 14 slots": "screen {t} -m c0:4,c1:4,c2:3,c3:3 --screen always --backend cpu --repetitions 4 --no-prune",
    "census, k = 4": "census {s} -k 4",
    "list --count": "list {s} -m c0,c1,c2,c3,c0 --exact --count",
    "list": "list {t} -m c0,c1,c2,c3 --exact",
    "match --count, clique of 5": "match {l} clique:5 --count",
    "match --count, cycle of 5": "match {s} cycle:5 --count",
    "match --count, house": "match {m} house --count",
    "match --count, bowtie": "match {l} bowtie --count",
    "match --count, triangle with path": "match {l} tailed.txt --count",
    "match, clique of 4": "match {s} clique:4",
}


def processor_seconds(tool: str, words: list[str]) -> float:
    """Return the processor time of a command."""
    child = subprocess.Popen([tool, *words, "--threads", "1", "-q", "-o", "out.tsv"])
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {child.returncode}")
    os.remove("out.tsv")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure all runs."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: bench/part_times.py MOTIFSIEVE [PARTS]")
    tool, parts = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 8
    if not os.access(tool, os.X_OK):
        sys.exit(f"{tool}: no such program; build it with make")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("tailed.txt", "w", encoding="ascii") as file:
            file.write(TAILED)
        print("graph\trun\tprepared\tseconds of the parts\tlongest / mean\twithout preparing")
        for name, words in FAMILIES.items():
            for size, (scale, edges) in SIZES.items():
                made = words.format(scale=scale, edges=edges).split()
                subprocess.run([tool, *made, "--uniform-colors", "4", "--seed", "1", "-o", f"{size}.msb", "-q"], check=True)
            for run, command in RUNS.items():
                base = command.format(**{size: f"{size}.msb" for size in SIZES}).split()
                shares = [f"{MOST_PARTS}/{MOST_PARTS}", *(f"{p}/{parts}" for p in range(1, parts + 1))]
                rounds = [[processor_seconds(tool, [*base, "--part", share]) for share in shares] for _ in range(ROUNDS)]
                prepared, *times = (min(of_share) for of_share in zip(*rounds))
                mean, longest = sum(times) / parts, max(times)
                net = (longest - prepared) / (mean - prepared) if mean > prepared else float("nan")
                listed = " ".join(f"{t:.2f}" for t in times)
                print(f"{name}\t{run}\t{prepared:.2f}\t{listed}\t{longest / mean:.2f}\t{net:.2f}", flush=True)


if __name__ == "__main__":
    main()
