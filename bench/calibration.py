#!/usr/bin/env python3
"""Are the p and q values of a census right?  calibration.py MOTIFSIEVE [--quick] [--plot FILE]

Three parts, whose random numbers come from fixed seeds, so that each run prints the same numbers:

1. Null.  1,000 points of the plane, each joined to its six nearest, get six colours of unlike frequencies in random
   order, 1,000 times.  `census --size 3 --significance` gives p of six motifs, from frequent to rare: the distance of
   Kolmogorov and Smirnov from the uniform distribution, below (p is too often small, the side that would make false
   findings) and above.  A number of sets is a whole number, so p is discrete: where few sets are expected, p is rarely
   small and often 1, which the distance above shows and which is no error.  A motif without a row has no set: its p
   is 1.  Also the share of labellings in which any motif has q <= 0.05, and any q_less <= 0.05.
2. Size.  In a graph of 2,000 such points with 20 colours, 100 vertices each, 50 disjoint random connected sets of four
   vertices get the colours a, b, c, d in random order, and the other vertices get the other colours in random order.
   Censuses of 3, 4 and 5 vertices show which motif comes first by p, and then by z.
3. Power.  The same with 5 to 50 plants: the share of 20 runs in which a,b,c,d has q <= 0.05 at size 4, with its 95 %
   interval of Wilson.  --plot draws it as SVG.

Exits with 1 if p is too often small (a one-sided test with a level of 1 % over the motifs together), if q <= 0.05
occurs in more labellings than in 5 % and three standard errors, if the planted motif does not come first at size 4 in 90 % of
the runs, if it has not the smallest p of the three sizes in 90 % of the runs, or if 50 plants are found in fewer than 95 % of the runs.
--quick takes 60 labellings, one run of the second part and 3 runs of 0 and 100 plants, in seconds, and ends with the first part that
is not as expected.
"""
import collections
import concurrent.futures
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

LEVEL = 0.05
FREQUENCIES = {"a": 400, "b": 300, "c": 150, "d": 100, "e": 40, "f": 10}
NULL_MOTIFS = ("a:2,b", "a,b,c", "c,d,e", "d,e:2", "e:3", "e,f:2")
PLANTED = "abcd"
COLORS, OF_EACH = "abcdefghijklmnopqrst", 100
POWER_PLANTS = (5, 10, 20, 50)
SIZE_PLANTS = 50


def program(*words):
    """Runs motifsieve on one thread and returns what it prints."""
    done = subprocess.run([motifsieve, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("calibration.py: motifsieve %s: %s" % (" ".join(words), done.stderr.strip()))
    return done.stdout


def plane(points, seed, name):
    """Writes the graph of the six nearest neighbours of random points to NAME.tsv; returns the lists of neighbours."""
    numbers = random.Random(seed)
    table = os.path.join(folder, name + ".points")
    with open(table, "w") as out:
        out.write("id\tx\ty\n")
        for i in range(points):
            out.write("%d\t%.6f\t%.6f\n" % (i, numbers.random(), numbers.random()))
    graph = os.path.join(folder, name + ".tsv")
    program("neighbors", table, "--knn", "6", "-o", graph, "-q")
    near = [[] for _ in range(points)]
    for line in open(graph):
        if line[0] != "#":
            u, v = map(int, line.split()[:2])
            near[u].append(v)
            near[v].append(u)
    return [sorted(row) for row in near]


def census(graph, colors, size, label):
    """Returns the rows of a census with colors[v] as colour of vertex v: motif -> dictionary of columns."""
    path = os.path.join(folder, "colors-%s.tsv" % label)
    with open(path, "w") as out:
        out.writelines("%d\t%s\n" % pair for pair in enumerate(colors))
    text = program("census", os.path.join(folder, graph + ".tsv"), "-c", path, "-k", str(size), "--significance", "-t", "1", "-q")
    os.remove(path)
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return {row[0]: dict(zip(lines[0][1:], row[1:])) for row in lines[1:]}


def null_run(seed):
    """Returns p of each of NULL_MOTIFS, their expected numbers, and the least q and q_less of all motifs."""
    colors = [c for c, count in FREQUENCIES.items() for _ in range(count)]
    random.Random(seed).shuffle(colors)
    rows = census("null", colors, 3, "null%d" % seed)
    found = [rows.get(motif) for motif in NULL_MOTIFS]
    return ([float(row["p"]) if row else 1.0 for row in found], [float(row["expected"]) if row else None for row in found],
            min(float(row["q"]) for row in rows.values()), min(float(row["q_less"]) for row in rows.values()))


def plant(near, plants, numbers):
    """Returns a random labelling in which so many disjoint connected sets of four have the colours of PLANTED."""
    colors = [None] * len(near)
    for _ in range(plants):
        while True:
            members = [numbers.randrange(len(near))]
            while len(members) < len(PLANTED):
                around = [w for v in members for w in near[v] if w not in members and colors[w] is None]
                if not around or colors[members[0]] is not None:
                    break
                members.append(numbers.choice(around))
            if len(members) == len(PLANTED):
                break
        for v, c in zip(members, numbers.sample(PLANTED, len(PLANTED))):
            colors[v] = c
    rest = [c for c in COLORS for _ in range(OF_EACH - (plants if c in PLANTED else 0))]
    numbers.shuffle(rest)
    return [c if c is not None else rest.pop() for c in colors]


def planted_run(work):
    """Returns for each size the rows of a census of a planted labelling, the smallest p first."""
    near, plants, seed, sizes = work
    colors = plant(near, plants, random.Random("%d plants, run %d" % (plants, seed)))
    answer = {}
    for size in sizes:
        rows = census("planted", colors, size, "plant%d-%d" % (plants, seed))
        order = sorted(rows, key=lambda motif: (float(rows[motif]["p"]), -z_of(rows[motif])))
        planted = rows.get(",".join(PLANTED))
        answer[size] = ([(motif, rows[motif]) for motif in order[:5]], float(planted["q"]) if planted else 1.0)
    return answer


def z_of(row):
    return -math.inf if row["z"] == "NA" else float(row["z"])


def distances(values):
    """The one-sided distances of Kolmogorov and Smirnov from the uniform distribution: p too small, and too large."""
    values = sorted(values)
    n = len(values)
    return max((i + 1) / n - p for i, p in enumerate(values)), max(p - i / n for i, p in enumerate(values))


def wilson(hits, n):
    z = 1.959964
    center, half = hits / n + z * z / (2 * n), z * math.sqrt(hits * (n - hits) / n ** 3 + z * z / (4 * n * n))
    return max(0.0, (center - half) / (1 + z * z / n)), min(1.0, (center + half) / (1 + z * z / n))


def motif_set(name):
    return collections.Counter({part.split(":")[0]: int(part.split(":")[1]) if ":" in part else 1 for part in name.split(",")})


def related(name):
    """Is NAME a part of the planted motif, the motif itself, or the motif with more slots?"""
    other, planted = motif_set(name), collections.Counter(PLANTED)
    return not other - planted or not planted - other


def show_null(pool, labellings):
    plane(sum(FREQUENCIES.values()), 1, "null")
    print("# null: 1,000 points, colours %s, %d labellings of the seeds 0 to %d" %
          (" ".join("%s %d" % pair for pair in FREQUENCIES.items()), labellings, labellings - 1))
    runs = list(pool.map(null_run, range(labellings)))
    critical = math.sqrt(math.log(len(NULL_MOTIFS) / 0.01) / 2 / labellings)
    print("motif\texpected\tp_up_to_0.05\tp_up_to_0.01\tp_is_1\tdistance_below\tdistance_above\tcritical")
    good = True
    for i, motif in enumerate(NULL_MOTIFS):
        values = [run[0][i] for run in runs]
        expected = next((run[1][i] for run in runs if run[1][i] is not None), math.nan)
        below, above = distances(values)
        good = good and below <= critical
        print("%s\t%.4g\t%.3f\t%.3f\t%.3f\t%.4f\t%.4f\t%.4f" % (motif, expected, *(sum(p <= level for p in values) / labellings for level in (0.05, 0.01)),
                                                          sum(p == 1 for p in values) / labellings, below, above, critical))
    most = LEVEL + 3 * math.sqrt(LEVEL * (1 - LEVEL) / labellings)
    for column, name in ((2, "q"), (3, "q_less")):
        share = sum(run[column] <= LEVEL for run in runs) / labellings
        good = good and share <= most
        print("share of labellings with any %s <= 0.05: %.3f, at most %.3f" % (name, share, most))
    return good


def show_size(pool, near, runs):
    print("# size: 2,000 points, 20 colours of 100 vertices each, %d plants of a,b,c,d, %d runs" % (SIZE_PLANTS, runs))
    done = list(pool.map(planted_run, [(near, SIZE_PLANTS, run, (3, 4, 5)) for run in range(runs)]))
    first, best = 0, 0
    print("size\tfirst is related\tmotifs of run 0 with the smallest p: motif, sets, expected, z, p")
    for size in (3, 4, 5):
        share = sum(related(answer[size][0][0][0]) for answer in done) / runs
        print("%d\t%.2f\t%s" % (size, share, "; ".join(" ".join([motif] + [row[c] for c in ("sets", "expected", "z", "p")])
                                                     for motif, row in done[0][size][0])))
    for answer in done:
        tops = {size: answer[size][0][0] for size in (3, 4, 5)}
        first += tops[4][0] == ",".join(PLANTED)
        best += min(tops, key=lambda size: float(tops[size][1]["p"])) == 4
    print("a,b,c,d comes first at size 4: %d of %d runs; the smallest p of all sizes is at size 4: %d of %d" % (first, runs, best, runs))
    return first >= 0.9 * runs and best >= 0.9 * runs


def show_power(pool, near, runs, numbers):
    print("# power: the same graph, %d runs for each number of plants" % runs)
    print("plants\tshare with q <= 0.05\tlow\thigh")
    work = [(near, plants, run, (4,)) for plants in numbers for run in range(runs)]
    q = [answer[4][1] for answer in pool.map(planted_run, work, chunksize=5)]
    points = []
    for i, plants in enumerate(numbers):
        hits = sum(value <= LEVEL for value in q[i * runs:(i + 1) * runs])
        points.append((plants, hits / runs, *wilson(hits, runs)))
        print("%d\t%.3f\t%.3f\t%.3f" % points[-1], flush=True)
    return points


def draw(points, path):
    """Draws shares over numbers of plants, which lie at equal distances, with their intervals."""
    left, top, width, height = 64, 44, 520, 260
    x = [left + width * (i + 0.5) / len(points) for i in range(len(points))]
    y = lambda share: top + height * (1 - share)
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 610 370" width="610" height="370" role="img" aria-labelledby="t d">',
             '<title id="t">Power of a census to find planted sets</title>',
             '<desc id="d">Share of runs in which the planted motif of four colours has q up to 0.05, by the number of planted sets: %s.</desc>' %
             ", ".join("%d: %.1f %%" % (plants, 100 * share) for plants, share, _, _ in points),
             "<style>.b{fill:#fff}.t{fill:#222;font:13px sans-serif}.g{stroke:#ccc}.l{stroke:#0b5fa5;fill:none;stroke-width:2}.p{fill:#0b5fa5}"
             "@media(prefers-color-scheme:dark){.b{fill:#0d1117}.t{fill:#e6edf3}.g{stroke:#444c56}.l{stroke:#6cb6ff}.p{fill:#6cb6ff}}</style>",
             '<rect class="b" width="610" height="370"/>']
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        lines.append('<path class="g" d="M%d %.1fH%d"/><text class="t" x="%d" y="%.1f" text-anchor="end">%d %%</text>' % (left, at, left + width, left - 8, at + 4, percent))
    lines.append('<path class="l" d="M%s"/>' % "L".join("%.1f %.1f" % (a, y(p[1])) for a, p in zip(x, points)))
    for a, (plants, share, low, high) in zip(x, points):
        lines.append('<path class="l" d="M%.1f %.1fV%.1f"/><circle class="p" cx="%.1f" cy="%.1f" r="4"/>' % (a, y(low), y(high), a, y(share)))
        lines.append('<text class="t" x="%.1f" y="%d" text-anchor="middle">%d</text>' % (a, top + height + 20, plants))
    lines.append('<text class="t" x="%d" y="%d" text-anchor="middle">planted sets among 2,000 vertices</text>' % (left + width / 2, top + height + 46))
    lines.append('<text class="t" x="8" y="20">runs in which the planted motif has q ≤ 0.05</text></svg>')
    with open(path + ".part", "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    os.replace(path + ".part", path)


def main():
    global motifsieve, folder
    words = sys.argv[1:]
    quick = "--quick" in words
    plot = words[words.index("--plot") + 1] if "--plot" in words[:-1] else None
    if not words or words[0].startswith("--") or quick and plot:
        sys.exit(__doc__)
    motifsieve = os.path.abspath(words[0])
    folder = tempfile.mkdtemp(prefix="motifsieve-calibration-")
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            good = show_null(pool, 60 if quick else 1000)
            if good or not quick:
                near = plane(len(COLORS) * OF_EACH, 2, "planted")
                good = show_size(pool, near, 1 if quick else 20) and good
                points = show_power(pool, near, 3 if quick else 20, (0, 100) if quick else POWER_PLANTS)
                good = good and points[-1][1] >= 0.95
    finally:
        shutil.rmtree(folder)
    if plot:
        draw(points, plot)
    print("calibration: %s" % ("as expected" if good else "NOT as expected"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
