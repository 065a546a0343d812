#!/usr/bin/env python3
"""Measure how even the parts of runs are: the processor time of each of PARTS parts (8), on one thread.

    bench/part_times.py MOTIFSIEVE [PARTS [FAMILY]]

Graphs of each FAMILY, rmat and power-law, which have hubs, are made; without a name, those of both.  Each part is a
whole command, which also reads the graph and prepares its search; `prepared` is the time of a part of so many that it
has next to no units, and is taken off in the last column.  Each command runs three times, and the least time counts.
"""

import os
import sys
import tempfile

from commands import find_tool, make_inputs, measure

ROUNDS = 3
MOST_PARTS = 1000000
COLORS = "--uniform-colors 4 --seed 1"
POWER_LAW = "gen power-law --exponent -2.1 --min-degree 8"
GRAPHS = {
    "rmat": {
        "t": f"gen rmat --scale 12 --edges 30000 {COLORS}",
        "s": f"gen rmat --scale 13 --edges 80000 {COLORS}",
        "m": f"gen rmat --scale 15 --edges 400000 {COLORS}",
        "l": f"gen rmat --scale 16 --edges 1000000 {COLORS}",
    },
    "power-law": {
        "t": f"{POWER_LAW} --vertices 2000 --max-degree 200 {COLORS}",
        "s": f"{POWER_LAW} --vertices 10000 --max-degree 1000 {COLORS}",
        "m": f"{POWER_LAW} --vertices 20000 --max-degree 2000 {COLORS}",
        "q": f"{POWER_LAW} --vertices 30000 --max-degree 3000 {COLORS}",
        "l": f"{POWER_LAW} --vertices 200000 --max-degree 10000 {COLORS}",
    },
}
RUNS = {
    "rmat": {
        "screen of 14 slots": "screen t.msb -m c0:4,c1:4,c2:3,c3:3 --screen always --backend cpu --repetitions 4 --no-prune",
        "census, k = 4": "census s.msb -k 4",
        "list --count": "list s.msb -m c0,c1,c2,c3,c0 --exact --count",
        "list": "list t.msb -m c0,c1,c2,c3 --exact",
        "match --count, clique of 5": "match l.msb clique:5 --count",
        "match --count, cycle of 5": "match s.msb cycle:5 --count",
        "match --count, house": "match m.msb house --count",
        "match --count, bowtie": "match l.msb bowtie --count",
        "match --count, triangle with path": "match l.msb tailed.txt --count",
        "match, clique of 4": "match s.msb clique:4",
    },
    "power-law": {
        "screen of 17 slots": "screen t.msb -m c0:5,c1:4,c2:4,c3:4 --screen always --backend cpu --repetitions 4 --no-prune",
        "census, k = 3": "census l.msb -k 3",
        "census, k = 4": "census m.msb -k 4",
        "list --count": "list q.msb -m c0,c1,c2,c3 --exact --count",
        "list": "list q.msb -m c0,c1,c2 --exact",
        "match --count, clique of 4": "match l.msb clique:4 --count",
        "match --count, cycle of 4": "match l.msb cycle:4 --count",
        "match --count, house": "match q.msb house --count",
        "match, clique of 4": "match m.msb clique:4",
        "match, cycle of 4": "match s.msb cycle:4",
    },
}


def measure_parts(tool: str, command: str, parts: int) -> tuple[float, list[float]]:
    """Return the processor time of a part that has next to no units, and the times of the parts."""
    shares = [f"{MOST_PARTS}/{MOST_PARTS}", *(f"{p}/{parts}" for p in range(1, parts + 1))]
    rounds = [[measure(tool, [*command.split(), "--part", share])[0] for share in shares] for _ in range(ROUNDS)]
    prepared, *times = (min(of_share) for of_share in zip(*rounds))
    return prepared, times


def main() -> None:
    """Measure all runs."""
    if not 2 <= len(sys.argv) <= 4 or (len(sys.argv) == 4 and sys.argv[3] not in GRAPHS):
        sys.exit(f"usage: bench/part_times.py MOTIFSIEVE [PARTS [{'|'.join(GRAPHS)}]]")
    tool, parts = find_tool(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print("graph\trun\tprepared\tseconds of the parts\tlongest / mean\twithout preparing")
        for family in sys.argv[3:4] or GRAPHS:
            make_inputs(tool, GRAPHS[family])
            for run, command in RUNS[family].items():
                prepared, times = measure_parts(tool, command, parts)
                mean, longest = sum(times) / parts, max(times)
                net = (longest - prepared) / (mean - prepared) if mean > prepared else float("nan")
                listed = " ".join(f"{t:.2f}" for t in times)
                print(f"{family}\t{run}\t{prepared:.2f}\t{listed}\t{longest / mean:.2f}\t{net:.2f}", flush=True)


if __name__ == "__main__":
    main()
