#!/usr/bin/env python3
"""Simulates where counts begin (match/count/count_choice.h) over the rows of logs of pattern_sweep.

    bench/begin_choice.py bench/results/sweep-sample-h200.txt [FIRST_LINE]

The estimate of a row is its time on processors times a random factor exp(s N(0, 1)), for s = 0, 0.7
and 1.4; a search that did not end on processors is long.  Times below 1 ms count as 1 ms, as in the
sweep.  Printed: rows, the share within 1.3 times the best engine, rows beyond 3 times, the worst.
"""
import random
import re
import sys

STEP, LEAST = 2e-9, 1.0
ENGINES = "auto", "gpu", "cpu", "dfs", "trie", "reuse", "flood"


def constants():
    """Takes the constants from the header, so that the simulation follows it."""
    text = open(__file__.rsplit("/", 2)[0] + "/match/count/count_choice.h").read()
    return [float(re.search(rf"#define MS_BEGIN_{name} (\S+)", text)[1])
            for name in ("RESTRICTED", "WHOLE", "SPEEDUP")]


def rows(path, first):
    """Yields (labels, {engine: (milliseconds, ended)}, name) of each row of a log."""
    head = None
    for number, line in enumerate(open(path), 1):
        words = line.split()
        if line.startswith("graph") and " auto" in line:
            head = words
        elif head and len(words) == len(head) and line[0] not in "#=" and number >= first:
            row = dict(zip(head, words))
            times = {}
            for engine in head[4:]:
                value = row[engine]
                if engine in ENGINES and re.fullmatch(r">?[0-9.]+", value):
                    times[engine] = (float(value.lstrip(">")), not value.startswith(">"))
            yield row["labels"] != "0", times, " ".join(words[:3])


def main():
    path, first = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
    restricted, whole, speedup = constants()
    data = [r for r in rows(path, first) if "gpu" in r[1] and "cpu" in r[1]]
    for spread in (None, 0, 0.7, 1.4):
        generator, near, far, count, worst = random.Random(5), 0, 0, 0, (0, "")
        for labelled, times, name in data:
            ended = [t for e, (t, done) in times.items() if done and e != "auto"]
            if not ended:
                continue
            cpu, done = times["cpu"]
            steps = cpu * 1e-3 / STEP * speedup * generator.lognormvariate(0, spread or 0)
            limit = restricted / STEP * speedup if labelled else whole / STEP
            chosen = times["cpu" if done and steps <= limit else "gpu"][0]
            if spread is None:
                chosen = times["auto"][0]
            ratio = max(chosen, LEAST) / max(min(ended), LEAST)
            count, near, far = count + 1, near + (ratio <= 1.3), far + (ratio > 3)
            worst = max(worst, (ratio, name))
        what = "auto as logged" if spread is None else f"estimates wrong by exp({spread} N)"
        print(f"{what}: {count} rows, {100 * near / count:.1f} % within 1.3 times, {far} beyond 3 times, "
              f"worst {worst[0]:.2f} ({worst[1]})")


main()
