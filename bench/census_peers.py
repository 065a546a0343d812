#!/usr/bin/env python3
"""Censuses beside published tools: census_peers.py MOTIFSIEVE DATA

Counts the connected sets of k vertices with motifsieve and with what is installed of these, and compares the counts:

- igraph for Python (Debian: python3-igraph), whose motifs_randesu is RAND-ESU of Wernicke and Rasche (FANMOD) without
  sampling.  It has no colours: its numbers of all classes are added up, and must be the number of all sets of a census.
  On the smaller graph each of its sets is handed to Python too, which counts colours: each motif must have the same number.
- spdep for R (Debian: r-cran-spdep), whose joincount.multi is the census for k = 2 with means and variances under
  permutations of the colours: counts must be equal, means and variances equal up to the digits that are printed.

The graphs are 10,000 and 100,000 points of the plane (seed 42), each joined to its six nearest, with 20 colours in
random order, and networks of yeast proteins (Krogan, BioGRID) with 20 colours.  Times are processor time: of motifsieve on one thread as a whole, with
reading; of igraph, of the call alone; of spdep, of the call of joincount.multi alone.  What is not installed is
left out with a line that begins with SKIPPED.  Exits with 1 if a number differs.
"""
import collections
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

COLORS = "abcdefghijklmnopqrst"
# The visits of a tool that visits each set; above, it would take far more than minutes.
MOST_SETS = 2e8
differ = 0


def program(*words):
    """Runs motifsieve; returns what it prints and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([motifsieve, *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit("census_peers.py: motifsieve %s: %s" % (" ".join(words), done.stderr.strip()))
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def census(graph, colors, size, *options):
    """Returns the number of all sets, the rows of the motifs as dictionaries, and the processor time."""
    text, seconds = program("census", graph, "-c", colors, "-k", str(size), "-t", "1", "-q", *options)
    total = next(int(line.split()[2]) for line in text.splitlines() if line.startswith("# sets: "))
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return total, {row[0]: dict(zip(lines[0], row)) for row in lines[1:]}, seconds


def tell(graph, size, tool, what, sets, ours, theirs, equal):
    global differ
    differ += not equal
    print("%s\t%d\t%s\t%s\t%d\t%.3f\t%.3f\t%s" % (graph, size, tool, what, sets, ours, theirs, "equal" if equal else "DIFFER"), flush=True)


def plane(points):
    """Writes the graph of random points and their colours; returns both paths."""
    numbers = random.Random(42)
    base = os.path.join(folder, "plane-%d" % points)
    with open(base + ".points", "w") as out:
        out.write("id\tx\ty\n")
        out.writelines("%d\t%.7f\t%.7f\n" % (i, numbers.random(), numbers.random()) for i in range(points))
    program("neighbors", base + ".points", "--knn", "6", "-o", base + ".tsv", "-q")
    colors = [COLORS[i % len(COLORS)] for i in range(points)]
    numbers.shuffle(colors)
    with open(base + ".colors", "w") as out:
        out.writelines("%d\t%s\n" % pair for pair in enumerate(colors))
    return base + ".tsv", base + ".colors"


def proteins(network):
    """Writes a network as a list of edges and 20 colours in turn; returns both paths."""
    base = os.path.join(folder, os.path.basename(network))
    program("convert", network, "--to", "edge-list", "-o", base + ".tsv", "-q")
    names = dict.fromkeys(v for edge in edges_of(base + ".tsv") for v in edge)
    with open(base + ".colors", "w") as out:
        out.writelines("%s\t%s\n" % (v, COLORS[i * 7 % 20]) for i, v in enumerate(names))
    return base + ".tsv", base + ".colors"


def edges_of(path):
    return [line.split()[:2] for line in open(path) if line.strip() and line[0] != "#"]


def beside_igraph(name, graph, colors, sizes, by_color):
    """Compares the numbers of sets, and up to the size by_color those of each motif, with igraph."""
    edges = edges_of(graph)
    names = sorted({v for edge in edges for v in edge})
    at = {v: i for i, v in enumerate(names)}
    peer = igraph.Graph(len(names), [(at[u], at[v]) for u, v in edges]).simplify()
    color = dict(line.split() for line in open(colors))
    color = [color[v] for v in names]
    for size in sizes:
        total, rows, ours = census(graph, colors, size)
        if total > MOST_SETS:
            print("SKIPPED: %s, k = %d: igraph would have to visit %.3g sets; motifsieve took %.3f s" % (name, size, total, ours))
            continue
        start = time.process_time()
        found = sum(int(n) for n in peer.motifs_randesu(size) if n == n)
        tell(name, size, "igraph", "all sets", total, ours, time.process_time() - start, found == total)
        if size <= by_color:
            counts = collections.Counter()

            def visit(_, members, __):
                counts[tuple(sorted(color[v] for v in members))] += 1
                return False

            start = time.process_time()
            peer.motifs_randesu(size, callback=visit)
            seconds = time.process_time() - start
            motifs = {",".join("%s:%d" % pair if pair[1] > 1 else pair[0] for pair in sorted(collections.Counter(key).items())): n for key, n in counts.items()}
            same = motifs == {motif: int(row["sets"]) for motif, row in rows.items()}
            tell(name, size, "igraph, counted in Python", "%d motifs" % len(motifs), total, ours, seconds, same)


SPDEP = """
suppressMessages(suppressWarnings(library(spdep)))
a <- commandArgs(TRUE)
e <- as.matrix(read.table(a[1], comment.char = "#")[, 1:2]) + 1L
k <- read.table(a[2], colClasses = c("numeric", "character"))
color <- factor(k$V2[order(k$V1)])
nb <- unname(lapply(split(c(e[, 2], e[, 1]), factor(c(e[, 1], e[, 2]), levels = seq_along(color))), function(x) as.integer(sort(unique(x)))))
class(nb) <- "nb"
used <- system.time(j <- joincount.multi(color, nb2listw(nb, style = "B")))
cat("seconds", used[["user.self"]] + used[["sys.self"]], "\\n")
j <- j[rownames(j) != "Jtot", ]
cat(sprintf("%s %.15g %.15g %.15g\\n", rownames(j), j[, 1], j[, 2], j[, 3]), sep = "")
"""


def near(a, b):
    # motifsieve prints six digits; the variance is a square of such a number
    return abs(a - b) <= 2e-5 * max(abs(a), abs(b))


def beside_spdep(name, graph, colors):
    """Compares numbers of coloured edges, their means and variances with join counts."""
    script = os.path.join(folder, "joincount.R")
    with open(script, "w") as out:
        out.write(SPDEP)
    done = subprocess.run(["Rscript", "--vanilla", script, graph, colors], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("census_peers.py: Rscript: %s" % done.stderr.strip())
    lines = done.stdout.splitlines()
    total, rows, ours = census(graph, colors, 2, "--significance", "--min-expected", "0")
    same = len(lines) - 1 == len(rows)
    for line in lines[1:]:
        pair, count, mean, variance = line.split()
        a, b = sorted(pair.split(":"))
        row = rows.get(a + ":2" if a == b else a + "," + b)
        same = same and row is not None and int(row["sets"]) == float(count) and near(float(row["expected"]), float(mean)) and near(float(row["sd"]) ** 2, float(variance))
    tell(name, 2, "spdep", "%d join counts, means, variances" % (len(lines) - 1), total, ours, float(lines[0].split()[1]), same)


def main():
    global motifsieve, folder, igraph
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    motifsieve = os.path.abspath(sys.argv[1])
    try:
        import igraph
    except ImportError:
        igraph = None
        print("SKIPPED: igraph is not there for this Python (Debian: python3-igraph, for /usr/bin/python3)")
    try:
        has_spdep = subprocess.run(["Rscript", "--vanilla", "-e", 'cat(as.character(packageVersion("spdep")))'], capture_output=True, text=True)
    except FileNotFoundError:
        has_spdep = None
    spdep = has_spdep is not None and has_spdep.returncode == 0
    if not spdep:
        print("SKIPPED: spdep is not there for R (Debian: r-cran-spdep)")
    print("# motifsieve %s; igraph %s; spdep %s" % (program("--version")[0].split()[1], igraph.__version__ if igraph else "-", has_spdep.stdout if spdep else "-"))
    folder = tempfile.mkdtemp(prefix="motifsieve-peers-")
    try:
        print("graph\tk\ttool\tcompared\tsets\tmotifsieve_s\ttool_s\tnumbers")
        for points, by_color, sizes in ((10000, 4, (3, 4, 5)), (100000, 0, (3, 4, 5))):
            graph, colors = plane(points)
            name = "%d points" % points
            if spdep:
                beside_spdep(name, graph, colors)
            if igraph:
                beside_igraph(name, graph, colors, sizes, by_color)
        for name, file, sizes, by_color in (("Krogan yeast", "Krogan2006core.txt.gz", (3, 4), 3),
                                            ("BioGRID yeast", "s_cerevisiae.network-109-4.4.222.txt.gz", (3, 4), 0)):
            network = os.path.join(sys.argv[2], "yeast", file)
            if not os.path.exists(network):
                print("SKIPPED: there is no %s" % network)
            elif igraph:
                beside_igraph(name, *proteins(network), sizes, by_color)
    finally:
        shutil.rmtree(folder)
    print("census_peers.py: %s" % ("%d numbers DIFFER" % differ if differ else "all numbers are equal"))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
