#!/usr/bin/env python3
"""Measures how many flags of screens verify supports: flags.py MOTIFSIEVE DATA [SECONDS [NETWORK...]]

Screens the networks in the folder DATA (or those that are named) for motifs of 3 to 12 vertices (the colours of
random connected sets, common colours, either with wildcards), for patterns without colours, for parts of the network
with their colours, and for patterns that come with the network.  Verifies each screen with --no-recount and
--timeout SECONDS (10 if it is not given).  Prints a row for each screen: the flags, how many of them verify
supported with a match, and the seconds that verify took, with reading.  Networks without colours have thirty
random ones.  Screens that take longer than 20 seconds count as far as they came.
"""
import collections
import csv
import glob
import gzip
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree

tool, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
limit = sys.argv[3] if len(sys.argv) > 3 else "10"
wanted = sys.argv[4:]
folder = "/tmp/flags_py.%d" % os.getpid()
sys.stdout.reconfigure(line_buffering=True)

OWN = "own"  # in place of a table: the graph's file holds its colours
SHAPES = ["triangle", "clique:5", "house", "cycle:6", "octahedron"]
ARCHIVES = [
    "labelled/snu_yeast_human_tve.tar.gz",
    "labelled/ogm_wordnet_tve.tar.gz",
    "labelled/solnon_LV_scalefree_images.tar.gz",
    "appagato/appagato_PPI-GO_CORUM.tar.gz",
    "appagato/ri_PPI_subset.tar.gz",
]

# A network has a graph; a table of colours, OWN, or None for random ones; and patterns of its own.
Network = collections.namedtuple("Network", "name graph table patterns", defaults=(None, ()))


# ---- networks --------------------------------------------------------------------------------------------------


def run(*words):
    return subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def write_lines(name, lines):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.writelines(line + "\n" for line in lines)
    return path


def read_rows(name):
    with gzip.open(os.path.join(data, name), "rt") as file:
        yield from csv.reader(file, delimiter="\t")


def tissue(name):
    """Joins each cell with its six nearest cells."""
    cells = [(float(x), float(y), kind) for x, y, kind in list(read_rows(name))[1:]]
    width = math.sqrt(
        (max(c[0] for c in cells) - min(c[0] for c in cells))
        * (max(c[1] for c in cells) - min(c[1] for c in cells))
        * 3
        / len(cells)
    )
    square = collections.defaultdict(list)
    for i, (x, y, _) in enumerate(cells):
        square[int(x // width), int(y // width)].append(i)
    lines = set()
    for i, (x, y, _) in enumerate(cells):
        column, line = int(x // width), int(y // width)
        near = [j for dx in (-1, 0, 1) for dy in (-1, 0, 1) for j in square.get((column + dx, line + dy), ()) if j != i]
        near.sort(key=lambda j: (cells[j][0] - x) ** 2 + (cells[j][1] - y) ** 2)
        lines.update("cell%d\tcell%d" % (min(i, j), max(i, j)) for j in near[:6])
    base = os.path.basename(name).split(".")[0]
    table = write_lines(base + ".colors", ("cell%d\t%s" % (i, c[2]) for i, c in enumerate(cells)))
    return write_lines(base + ".edges", sorted(lines)), table


def relatives(name, column):
    """The colours of a protein are its relatives in the other species."""
    lines = sorted({"%s\t%s" % (row[column], row[1 - column]) for row in read_rows(name)})
    return write_lines("relatives%d" % column, lines)


def hetionet():
    graph, nodes = os.path.join(folder, "hetionet.msb"), os.path.join(data, "typed/hetionet-v1.0-nodes.tsv.gz")
    run("convert", os.path.join(data, "typed/hetionet_edges-5k.sif.gz"), "--nodes", nodes, "-o", graph)
    return graph


def without_edge_labels(pattern):
    """A copy of a pattern whose edges have labels that the edges of its network lack."""
    lines = [line.rstrip("\n").split(" ") for line in open(pattern)]
    return write_lines(os.path.basename(pattern), (" ".join(w[:3] if w[0] == "e" else w) for w in lines))


def networks():
    inside = lambda name: os.path.join(data, name)
    slim = inside("yeast/go_slim_mapping.tab.gz")
    yield Network("BioGRID yeast", inside("yeast/s_cerevisiae.network-109-4.4.222.txt.gz"), slim)
    yield Network("Collins", inside("yeast/Collins2007.txt.gz"), slim)
    yield Network("Krogan", inside("yeast/Krogan2006core.txt.gz"), slim)
    yield Network("Menche", inside("human/DataS1_interactome.tsv.gz"))
    yield Network("BioGRID human", inside("human/BioGRID_HSapiens-3.4.164.el.gz"))
    yield Network("HI-II-14", inside("human/HI-II-14.tsv.gz"))
    yield Network("facebook", inside("web_social/facebook_combined.txt.gz"))
    yield Network("wiki-Vote", inside("web_social/wiki-Vote.el.gz"))
    yield Network("brightkite", inside("web_social/loc-brightkite_social_location.el.gz"))
    yield Network("Enron", inside("web_social/email-Enron.txt.gz"))
    yield Network("Gowalla", inside("web_social/Gowalla_edges.head.txt.gz"))
    yield Network("roads", inside("web_social/luxembourg_osm.mtx.gz"))
    blast = "homology/1-hs9606-5-sc4932.cf.gz"
    yield Network("homology human", inside("homology/1-hs9606.tab.gz"), relatives(blast, 0))
    yield Network("homology yeast", inside("homology/5-sc4932.tab.gz"), relatives(blast, 1))
    yield Network("spleen", *tissue("spatial/codex_human_spleen.tsv.gz"))
    yield Network("embryo", *tissue("spatial/seqfish_mouse_embryo.tsv.gz"))
    yield Network("Hetionet", hetionet(), OWN)
    for archive in ARCHIVES:
        with tarfile.open(inside(archive)) as tar:
            tar.extractall(folder)
    some = lambda pattern: sorted(glob.glob(os.path.join(folder, pattern)))
    for name in ("yeast", "human", "wordnet"):
        queries = [without_edge_labels(q) for q in some("dataset/%s/query_graph/query_*_1*1.graph" % name)]
        yield Network("labelled " + name, some("dataset/%s/data_graph/*" % name)[0], OWN, queries)
    for number in (14, 57, 108):
        queries = some("instances/images-CVIU11/patterns/pattern[17]")
        yield Network("image %d" % number, some("instances/images-CVIU11/targets/target%d" % number)[0], None, queries)
    for number in (20, 32, 50):
        yield Network("LV %d" % number, some("instances/LV/g%d" % number)[0], None, some("instances/LV/g[4-7]"))
    for name in ("A.01", "A.11"):
        scale_free = "instances/scalefree/%s/" % name
        yield Network("scale-free " + name, some(scale_free + "target")[0], None, some(scale_free + "pattern"))
    queries = some("PPI-GO/queries/*_[48]/*_[1-3].gfd") + some("PPI-GO/queries/*_[136]*/*_1.gfd")
    yield Network("appagato", some("PPI-GO/Homo_sapiens_43.gfd")[0], OWN, queries)
    yield Network("STRING yeast", some("CORUM/STRING_nets/4932_minimum.gfu")[0])
    for name in ("Homo_sapiens", "Saccaromyces_cerevisiae"):
        graph = "PPI/udistr/64/%s.gfd" % name
        yield Network("RI " + name[:12], some(graph)[0], OWN, some("PPI/udistr/64/q*/%s.gfd.*.0" % name))


# ---- queries ---------------------------------------------------------------------------------------------------


def random_colors(vertices):
    """A table of thirty random colours, the first ones much more frequent than the last."""
    color = lambda: "c%d" % min(int(random.expovariate(0.15)), 29)
    return write_lines("colors.tsv", ("%s\t%s" % (v, color()) for v in vertices))


def read_graph(graph, words=()):
    """The neighbours of each vertex, and its colours, by their names in the tool."""
    path, tag = os.path.join(folder, "graph.graphml"), "{http://graphml.graphdrawing.org/xmlns}"
    run("convert", graph, *words, "--to", "graphml", "-o", path)
    adjacent, own = collections.defaultdict(list), {}
    for _, element in xml.etree.ElementTree.iterparse(path):
        if element.tag == tag + "node":
            own[element.get("id")] = {color for item in element.findall(tag + "data") for color in item.text.split("\n")}
        elif element.tag == tag + "edge":
            a, b = element.get("source"), element.get("target")
            adjacent[a].append(b)
            adjacent[b].append(a)
    return adjacent, own


def connected_set(adjacent, own, colored, k):
    """A random connected set of k vertices with colours, or fewer."""
    members, frontier = [], [random.choice(colored)]
    while len(members) < k and frontier:
        v = frontier.pop(random.randrange(len(frontier)))
        if v not in members and own.get(v):
            members.append(v)
            frontier += adjacent[v]
    return members


def motifs(adjacent, own, colored):
    """Texts of motifs, with what they are."""
    common = [c for c, _ in collections.Counter(c for v in colored for c in own[v]).most_common(6)]
    quote = lambda colors: ",".join('"%s"' % c if c != "*" else c for c in colors)
    for k in (3, 5, 8, 10, 12):
        members = connected_set(adjacent, own, colored, k)
        if len(members) == k:
            colors = [random.choice(sorted(own[v])) for v in members]
            yield k, "of a set", quote(colors)
            if k in (5, 10):
                yield k, "of a set, third *", quote(colors[: k - k // 3] + ["*"] * (k // 3))
        if k in (3, 8, 12):
            yield k, "common", quote(random.choice(common) for _ in range(k))


def parts(adjacent, own, colored):
    """Patterns that are connected parts of the graph, with their colours: the names of two files."""
    for k in (4, 6, 8, 10):
        members = connected_set(adjacent, own, colored, k)
        if len(members) < k:
            continue
        number = {v: i for i, v in enumerate(members)}
        pairs = {(min(i, number[w]), max(i, number[w])) for v, i in number.items() for w in adjacent[v] if w in number}
        edges = ("p%d\tp%d" % pair for pair in sorted(pairs) if pair[0] != pair[1])
        colors = ("p%d\t%s" % (i, random.choice(sorted(own[v]))) for v, i in number.items())
        yield k, write_lines("pattern.tsv", edges), write_lines("pattern.colors", colors)


def typed_patterns():
    """Paths and trees of Hetionet's types, from random places of its edges."""
    adjacent = collections.defaultdict(list)
    for source, edge, target in list(read_rows("typed/hetionet_edges-5k.sif.gz"))[1:]:
        adjacent[source].append((edge, target))
        adjacent[target].append((edge, source))
    for edges in (1, 2, 3, 4, 5, 6) * 2:
        names = [random.choice(sorted(adjacent))]
        words = []
        for _ in range(edges):
            v = random.choice(names)
            edge, w = random.choice(adjacent[v])
            if w not in names:
                names.append(w)
                words.append((names.index(v), edge, len(names) - 1))
        vertex = lambda i: "(v%d:%s)" % (i, names[i].split("::")[0])
        if words:
            yield edges, ", ".join("%s-[%s]-%s" % (vertex(i), edge, vertex(j)) for i, edge, j in words)


# ---- measuring -------------------------------------------------------------------------------------------------


def measure(name, what, screen, inputs):
    path = os.path.join(folder, "screen.tsv")
    made = run("screen", *screen, "--timeout", "20s", "-q", "-o", path)
    if not os.path.exists(path):
        print("%-22s %-24s %s" % (name, what, made.stderr.decode().strip()[:100]))
        return (0, 0, 0)
    begin = time.monotonic()
    done = run("verify", path, *inputs, "--no-recount", "--json", "--timeout", limit + "s")
    seconds = time.monotonic() - begin
    os.remove(path)
    if not done.stdout:
        print("%-22s %-24s %s" % (name, what, done.stderr.decode().strip()[:100]))
        return (1, 0, seconds)
    verdict = json.loads(done.stdout)
    flags, supported = verdict["flags"], verdict["supported"]
    share = 100.0 * supported / flags if flags else 100.0
    print("%-22s %-24s %7d %9d %6.2f %7.2f" % (name, what, flags, supported, share, seconds))
    return flags, supported, seconds


def measure_network(network):
    """The results of the screens of a network."""
    random.seed(network.name)
    name, graph, table = network.name, network.graph, network.table
    if not table:
        table = random_colors(sorted(read_graph(graph)[0]))
    words = [] if table == OWN else ["-c", table]
    ignore = ["--ignore-unknown"] if words else []
    adjacent, own = read_graph(graph, [*words, *ignore])
    colored = sorted(v for v in adjacent if own.get(v))
    for k, kind, text in motifs(adjacent, own, colored):
        yield measure(name, "k=%d %s" % (k, kind), [graph, *words, *ignore, "-m", text], [graph, *words])
    for k, pattern, colors in parts(adjacent, own, colored):
        inputs = [graph, pattern, *words, "--pattern-colors", colors]
        yield measure(name, "part of %d" % k, [*inputs, *ignore], inputs)
    for pattern in [*SHAPES, *network.patterns]:
        yield measure(name, os.path.basename(pattern).replace("query_", "")[-24:], [graph, pattern], [graph, pattern])
    if name == "Hetionet":
        graph = os.path.join(data, "typed/hetionet_edges-5k.sif.gz")
        for edges, pattern in typed_patterns():
            yield measure(name, "typed, %d edges" % edges, [graph, pattern], [graph, pattern])


def main():
    os.makedirs(folder)
    print("%-22s %-24s %7s %9s %6s %7s" % ("network", "query", "flags", "supported", "%", "seconds"))
    results = []
    for network in networks():
        if not wanted or network.name in wanted:
            results += measure_network(network)
    screens = [r for r in results if r[0]]
    met = sum(1 for flags, supported, _ in screens if supported >= 0.99 * flags)
    if not screens:
        sys.exit("no screen has flags")
    print("# screens with flags: %d; with at least 99 %% of them supported: %d" % (len(screens), met))
    print("# flags: %d; supported: %d; longest: %.2f s" % (*map(sum, list(zip(*screens))[:2]), max(r[2] for r in screens)))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
