#!/usr/bin/env python3
"""Measure what a checkpoint costs: runs without one, with one every 30 s (the default), and with one every second, in turn.

    bench/checkpoint_cost.py MOTIFSIEVE [ROUNDS]

Prints the processor time and the elapsed time of each run, and the medians of the ratios of runs of the same round.
All runs are shorter than 30 s.  So a run with the default shows what it costs to work in units, and saves nothing.  The
difference between it and the run that saves every second is the cost of the savings, of which a run that saves every
30 s has a thirtieth.
"""

import os
import statistics
import sys
import tempfile

from commands import find_tool, make_inputs, measure

GRAPHS = {
    "power": "gen power-law -n 15000 --exponent -1 --edges 75000 --uniform-colors 8 --seed 1",
    "rmat": "gen rmat --scale 16 --edges 800000 --uniform-colors 4 --seed 1",
    "rows": "gen rmat --scale 14 --edges 150000 --uniform-colors 4 --seed 1",
    "small": "gen power-law -n 2000 --exponent -1 --edges 9000 --uniform-colors 4 --seed 1",
}
RUNS = {
    "sieve": "screen small.msb -m c0:4,c1:4,c2:4,c3:3 --screen always --backend cpu --repetitions 4 --no-prune",
    "census": "census power.msb -k 5",
    "count, clique of 5": "match rmat.msb clique:5 --count",
    "count, triangle with path": "match rmat.msb tailed.txt --count",
    "rows, clique of 4": "match rows.msb clique:4",
}
MODES = {"none": [], "30 s": ["--checkpoint", "ck"], "1 s": ["--checkpoint", "ck", "--checkpoint-seconds", "1"]}


def main() -> None:
    """Measure all runs."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: bench/checkpoint_cost.py MOTIFSIEVE [ROUNDS]")
    tool, rounds = find_tool(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 7
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_inputs(tool, GRAPHS)
        print("run\tcheckpoint\tprocessor seconds\telapsed seconds\tratio of processor times\tratio of elapsed times")
        for run, command in RUNS.items():
            got = [{mode: measure(tool, command.split() + more) for mode, more in MODES.items()} for _ in range(rounds)]
            for mode in MODES:
                listed = [" ".join(f"{one[mode][i]:.2f}" for one in got) for i in range(2)]
                ratios = [statistics.median(one[mode][i] / one["none"][i] for one in got) for i in range(2)]
                print(f"{run}\t{mode}\t{listed[0]}\t{listed[1]}\t{ratios[0]:.3f}\t{ratios[1]:.3f}", flush=True)


if __name__ == "__main__":
    main()
