#!/usr/bin/env python3
"""Censuses by shape beside other programs: shape_peers.py MOTIFSIEVE DATA

Counts shapes, orbits and cliques with motifsieve and with what there is of these programs, and compares the counts:

- ESCAPE names its program count_five (Pinar, Seshadhri, Vishal 2017): all shapes of five vertices.
- ORCA names orca (Hocevar, Demsar 2014): orbits of four and five vertices for each vertex.
- FANMOD names a fanmod for the command line (Wernicke, Rasche 2006): shapes, and random networks.
- PIVOTSCALE names pivotscale-sweep and its converter beside it (Lonkar, Beamer 2025): cliques of all sizes to K.
- igraph for Python (Debian: python3-igraph): triad census, and motifs_randesu of four vertices.
- NetworkX (Debian: python3-networkx): triad census.

The graphs are five families with new seeds (R-MAT with even and uneven quadrants, a block model, points of the plane,
preferential attachment with triads) and the networks of DATA that are there.  Times are seconds of whole processes with
reading, the median of three on one thread; of igraph and NetworkX, of the call alone, once.  "more than 120" did not
end. What is not installed is left out with a line that begins with SKIPPED.  Exits with 1 if a number differs.
"""
import gzip
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LONGEST = 120
MOST_SETS = 1e9  # that igraph visits
differ = 0
has_run = set()


def seconds_of(words, runs=3):
    """Runs a program in the folder; returns its output and the median of its times, or None if it does not end."""
    times = []
    for _ in range(runs):
        start = time.monotonic()
        try:
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=LONGEST,
                                  env={**os.environ, "OMP_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            return None, math.inf
        times.append(time.monotonic() - start)
        if done.returncode != 0:
            sys.exit("shape_peers.py: %s: %s" % (" ".join(words), done.stderr.strip()))
        if sum(times) > 20:
            break
    return done.stdout, statistics.median(times)


def ours(*words):
    text, seconds = seconds_of([motifsieve, *words, "-t", "1", "-q"])
    return [] if text is None else [line.split("\t") for line in text.splitlines() if line and line[0] != "#"], seconds


def sets_of(rows):
    at = rows[0].index("sets")
    return sorted(int(row[at]) for row in rows[1:] if row[at] != "0")


def tell(graph, what, our_seconds, tool, their_seconds, equal):
    global differ
    has_run.add(tool)
    known = math.isfinite(our_seconds) and math.isfinite(their_seconds)
    differ += known and not equal
    text = ["%.3f" % s if math.isfinite(s) else "more than %d" % LONGEST for s in (our_seconds, their_seconds)]
    print("\t".join([graph["name"], what, text[0], tool, text[1], ("equal" if equal else "DIFFER") if known else "-"]),
          flush=True)


def read_edges(path, ends=(0, 1)):
    """Returns the simple undirected edges of a file with the ends of an edge in these columns, and its arcs, with vertices 0, 1, .."""
    number, edges, arcs = {}, set(), set()
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        for line in lines:
            words = line.split()
            if len(words) <= max(ends) or line[0] in "#%" or line.startswith("Entrez"):
                continue
            u, v = (number.setdefault(word, len(number)) for word in (words[i] for i in ends))
            if u != v:
                arcs.add((u, v))
                edges.add((min(u, v), max(u, v)))
    return len(number), sorted(edges), sorted(arcs)


def block_model(r, n, blocks, inside, between):
    edges = set()
    for p, same in ((inside, True), (between, False)):
        count = round(p * n / 2)
        while count > 0:
            u, v = r.randrange(n), r.randrange(n)
            if same:
                v = v - v % blocks + u % blocks
            if u != v and v < n and (min(u, v), max(u, v)) not in edges:
                edges.add((min(u, v), max(u, v)))
                count -= 1
    return edges


def plane(r, n, degree):
    reach = math.sqrt(degree / math.pi / n)
    points = [(r.random(), r.random()) for _ in range(n)]
    cells = {}
    for i, (x, y) in enumerate(points):
        cells.setdefault((int(x / reach), int(y / reach)), []).append(i)
    edges = set()
    for i, (x, y) in enumerate(points):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for j in cells.get((int(x / reach) + dx, int(y / reach) + dy), []):
                    if i < j and math.dist(points[j], (x, y)) <= reach:
                        edges.add((i, j))
    return edges


def attachment(r, n, each, triads):
    """Preferential attachment with triads (Holme and Kim 2002)."""
    ends, rows = list(range(each)), [set() for _ in range(n)]
    for v in range(each, n):
        last = None
        while len(rows[v]) < each:
            near = [w for w in rows[last] if w != v and w not in rows[v]] if last is not None and r.random() < triads else []
            w = r.choice(near) if near else r.choice(ends)
            if w == v or w in rows[v]:
                continue
            rows[v].add(w)
            rows[w].add(v)
            ends += [v, w]
            last = w
    return {(u, v) for u in range(n) for v in rows[u] if u < v}


def families():
    for name, quadrants, seed in (("rmat even", "0.35,0.25,0.25,0.15", 71), ("rmat uneven", "0.6,0.18,0.18,0.04", 72)):
        path = os.path.join(folder, name.replace(" ", "-"))
        subprocess.run([motifsieve, "gen", "rmat", "--scale", "13", "--edges", "60000", "--quadrants", quadrants, "-s", str(seed),
                        "-o", path, "-q", "--to", "edge-list"], check=True)
        yield name, read_edges(path)
    r = random.Random(73)
    for name, edges, n in (("block model", block_model(r, 6000, 60, 10, 6), 6000), ("points", plane(r, 20000, 12), 20000),
                           ("attachment", attachment(r, 10000, 6, 0.6), 10000)):
        edges = sorted(edges)
        yield name, (n, edges, [(u, v) if r.random() < 0.5 else (v, u) for u, v in edges])
    for name, path in (("wiki-Vote", "web_social/wiki-Vote.el.gz"), ("email-Enron", "web_social/email-Enron.txt.gz"),
                       ("facebook", "web_social/facebook_combined.txt.gz"), ("HI-II-14", "human/HI-II-14.tsv.gz"),
                       ("yeast, Krogan", "yeast/Krogan2006core.txt.gz")):
        if os.path.exists(os.path.join(data, path)):
            yield name, read_edges(os.path.join(data, path), (0, 2) if name == "HI-II-14" else (0, 1))
        else:
            print("SKIPPED: there is no %s" % os.path.join(data, path))


def write_graph(name, n, edges, arcs):
    graph = {"name": name, "n": n, "edges": edges, "arcs": arcs}
    for key, pairs in (("plain", edges), ("directed", arcs)):
        graph[key] = os.path.join(folder, key)
        with open(graph[key], "w") as out:
            out.writelines("%d\t%d\n" % pair for pair in pairs)
    graph["headed"] = os.path.join(folder, "headed")
    with open(graph["headed"], "w") as out:
        out.write("%d %d\n" % (n, len(edges)))
        out.writelines("%d %d\n" % pair for pair in edges)
    return graph


def peer(variable):
    return os.path.abspath(os.environ[variable]) if os.environ.get(variable) else None


def escape(graph, program):
    rows, seconds = ours("census", graph["plain"], "--shapes", "-k", "5", "--non-induced")
    text, theirs = seconds_of([program, graph["headed"]])
    counts = [] if text is None else sorted(round(float(x)) for x in open(os.path.join(folder, "out.txt")).read().split()[-21:])
    # its numbers are of type double, and printed to six places
    mine = sets_of(rows) if rows else []
    theirs_counts = [c for c in counts if c > 0]
    equal = len(mine) == len(theirs_counts) and all(abs(a - b) <= max(1, 1e-12 * a) for a, b in zip(mine, theirs_counts))
    tell(graph, "21 shapes of 5", seconds, "ESCAPE", theirs, equal)


def orca(graph, program):
    for size in (4, 5):
        rows, seconds = ours("census", graph["plain"], "--shapes", "--per-vertex", "--wide", "-k", str(size))
        text, theirs = seconds_of([program, "node", str(size), graph["headed"], "orbits"])
        equal = False
        if text is not None and rows:
            table = [line.split() for line in open(os.path.join(folder, "orbits"))]
            equal = all(row[1:] == table[int(row[0])] for row in rows[1:])
        tell(graph, "orbits of %d" % size, seconds, "ORCA", theirs, equal)


def fanmod(graph, program):
    if len(graph["arcs"]) > 20000:
        return
    for size, directed in ((3, True), (4, False)):
        path = graph["directed" if directed else "plain"]
        options = ["--directed"] if directed else []
        rows, seconds = ours("census", path, "--shapes", "-k", str(size), "--permutations", "10", *options)
        text, theirs = seconds_of([program, "-i", path, "-o", "fanmod.csv", "-s", str(size), "-r", "10", *(["-d"] if directed else [])], 1)
        found = [] if text is None else [line.split(",") for line in open(os.path.join(folder, "fanmod.csv")) if line.count(",") > 4]
        total, shares = sum(sets_of(rows)), []
        for words in found:
            if words[0].strip().isdigit() and "%" in words[2]:
                shares.append(float(words[2].strip().rstrip("%")) / 100)
        mine = [s / total for s in sets_of(rows)]
        equal = len(shares) > 0 and all(min(abs(s / m - 1) for m in mine) < 1e-4 for s in shares)
        tell(graph, "%d vertices%s, 10 random networks" % (size, ", directed" if directed else ""), seconds, "FANMOD", theirs, equal)


def pivotscale(graph, program):
    subprocess.run([os.path.join(os.path.dirname(program), "converter"), "-f", graph["plain"] + ".el", "-s", "-b", "graph.sg"],
                   cwd=folder, check=True, capture_output=True)
    rows, seconds = ours("match", graph["plain"], "clique:3-12", "--count")
    text, theirs = seconds_of([program, "-f", "graph.sg", "-c", "12"])
    pairs = [line.split() for line in (text or "").splitlines()]
    numbers = {int(pair[0]): int(pair[1]) for pair in pairs if len(pair) == 2 and pair[0].isdigit()}
    counts = {int(k): int(count) for k, count in rows}
    tell(graph, "cliques of 3 to 12", seconds, "PIVOTSCALE", theirs, all(numbers.get(k, 0) == count for k, count in counts.items()))


def libraries(graph):
    try:
        import igraph
        one = igraph.Graph(graph["n"], graph["arcs"], directed=True)
        rows, seconds = ours("census", graph["directed"], "--shapes", "--directed", "-k", "3")
        start = time.monotonic()
        counts = one.triad_census()
        theirs = time.monotonic() - start
        connected = sorted(int(c) for name, c in zip("003 012 102 021D 021U 021C 111D 111U 030T 030C 201 120D 120U 120C 210 300".split(), counts)
                           if name not in ("003", "012", "102") and c > 0)
        tell(graph, "triads", seconds, "igraph", theirs, connected == sets_of(rows))
        rows, seconds = ours("census", graph["plain"], "--shapes", "-k", "4")
        if sum(sets_of(rows)) < MOST_SETS:
            flat = igraph.Graph(graph["n"], graph["edges"])
            start = time.monotonic()
            counts = flat.motifs_randesu(4)
            tell(graph, "6 shapes of 4", seconds, "igraph", time.monotonic() - start,
                 sorted(int(c) for c in counts if c == c and c > 0) == sets_of(rows))
    except ImportError:
        pass
    try:
        import networkx
        if len(graph["arcs"]) < 70000:
            one = networkx.DiGraph()
            one.add_nodes_from(range(graph["n"]))
            one.add_edges_from(graph["arcs"])
            rows, seconds = ours("census", graph["directed"], "--shapes", "--directed", "-k", "3")
            start = time.monotonic()
            counts = networkx.triadic_census(one)
            tell(graph, "triads", seconds, "NetworkX", time.monotonic() - start,
                 sorted(c for name, c in counts.items() if name not in ("003", "012", "102") and c > 0) == sets_of(rows))
    except ImportError:
        pass


def main():
    peers = [(name, peer(name), run) for name, run in
             (("ESCAPE", escape), ("ORCA", orca), ("FANMOD", fanmod), ("PIVOTSCALE", pivotscale))]
    print("graph\twhat\tmotifsieve\tprogram\tits seconds\tcounts")
    for name, (n, edges, arcs) in families():
        graph = write_graph(name, n, edges, arcs)
        shutil.copy(graph["plain"], graph["plain"] + ".el")
        print("# %s: %d vertices, %d edges" % (name, n, len(edges)))
        for _, program, run in peers:
            if program:
                run(graph, program)
        libraries(graph)
    for name in ("ESCAPE", "ORCA", "FANMOD", "PIVOTSCALE", "igraph", "NetworkX"):
        if name not in has_run:
            print("SKIPPED: there is no %s" % name)
    return 1 if differ else 0


if len(sys.argv) != 3:
    sys.exit(__doc__)
motifsieve, data = os.path.abspath(sys.argv[1]), sys.argv[2]
with tempfile.TemporaryDirectory(prefix="motifsieve-shapes-") as folder:
    sys.exit(main())
