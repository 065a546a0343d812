#!/usr/bin/env python3
"""Fits the rates of the sieve's predicted times to measurements: sieve_rates.py FILE..

The files hold what bench/sieve_rates prints, of one or several runs; equal instances count once, with their median.  For
each line type, and apart where two vertices share a line, the three rates (seconds for a product, for a byte in the L2
cache and for one beyond it, which is not below the former) are those, none of them negative, with the least sum of squares of (predicted - measured) /
measured, over instances whose blocks took 1 ms or more.  A line for each of them:

  arithmetic  halved  instances  product  near  far  least  most  before

least, most: the range of predicted by measured seconds, with these rates.  before: the same range with the rates that the
program had when it measured.  Then a line for the weights: the median of measured by predicted seconds to make them.
"""
import itertools
import statistics
import sys

PARTS = ("products", "near", "far")


def read(paths):
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        head = lines[0]
        for fields in lines[1:]:
            if fields == head:
                continue
            row = dict(zip(head, fields))
            key = tuple(row[x] for x in ("arithmetic", "n", "d", "k", "halved"))
            rows.setdefault(key, []).append({x: float(row[x]) for x in head[5:]})
    return {key: {x: statistics.median(r[x] for r in of_key) for x in of_key[0]} for key, of_key in rows.items()}


def solve(matrix, right):
    """Solves a small system by elimination; None: it is singular."""
    rows = [list(m) + [r] for m, r in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda j: abs(rows[j][i]))
        if abs(rows[pivot][i]) < 1e-12:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(len(rows)):
            if j != i:
                factor = rows[j][i] / rows[i][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    return [rows[i][-1] / rows[i][i] for i in range(len(rows))]


def fit(instances):
    """Returns the rates, each 0 or more, with the least sum of squares of relative errors: the best of the solutions in
    which some of them are 0."""
    counts = [(i["products"], i["near"] + i["far"], i["far"]) for i in instances]  # a far byte costs a near one, and more
    scale = [max(c[p] / i["blocks"] for c, i in zip(counts, instances)) or 1 for p in range(len(PARTS))]
    columns = [[c[p] / i["blocks"] / scale[p] for c, i in zip(counts, instances)] for p in range(len(PARTS))]
    best = None
    for count in range(1, len(PARTS) + 1):
        for chosen in itertools.combinations(range(len(PARTS)), count):
            matrix = [[sum(a * b for a, b in zip(columns[x], columns[y])) for y in chosen] for x in chosen]
            found = solve(matrix, [sum(columns[x]) for x in chosen])
            if found is None or min(found) < 0:
                continue
            errors = [1 - sum(found[x] * columns[c][i] for x, c in enumerate(chosen)) for i in range(len(instances))]
            total = sum(e * e for e in errors)
            if best is None or total < best[0]:
                best = (total, dict(zip(chosen, found)))
    product, byte, more = (best[1].get(c, 0) / scale[c] for c in range(len(PARTS)))
    return product, byte, byte + more


def main(paths):
    rows = read(paths)
    groups = {}
    for key, row in rows.items():
        if row["blocks"] >= 1e-3:
            groups.setdefault((key[0], key[4]), []).append(row)
    print("arithmetic\thalved\tinstances\tproduct\tnear\tfar\tleast\tmost\tbefore")
    for (path, halved), instances in groups.items():
        rates = fit(instances)
        after = [sum(r * i[p] for r, p in zip(rates, PARTS)) / i["blocks"] for i in instances]
        before = [(i["predicted"] - i["weights"]) / i["blocks"] for i in instances]
        print(path, halved, len(instances), *(f"{r:.2e}" for r in rates), f"{min(after):.2f}", f"{max(after):.2f}",
              f"{min(before):.2f}..{max(before):.2f}", sep="\t")
    making = [row["making"] / row["weights"] for row in rows.values() if row["making"] >= 1e-3]
    if making:
        print(f"# weights: measured by predicted {statistics.median(making):.2f}, {min(making):.2f}..{max(making):.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1:])
