#!/usr/bin/env python3
"""Measures how many flags of screens verify supports: flags.py MOTIFSIEVE DATA [SECONDS]

Screens the networks in the folder DATA for motifs of 3 to 12 vertices (the colours of random connected sets,
common colours, either with wildcards) and for patterns, and verifies each screen with --no-recount and
--timeout SECONDS (10 if it is not given).  Prints a row for each screen: the flags, how many of them verify
supported with a match, and the seconds that verify took, with reading.  Networks without colours have thirty
random ones.  Screens that take longer than 20 seconds count as far as they came.
"""
import collections
import gzip
import json
import os
import random
import subprocess
import sys
import tarfile
import time

tool, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
limit = sys.argv[3] if len(sys.argv) > 3 else "10"
folder = "/tmp/flags_py.%d" % os.getpid()

NETWORKS = [  # name, graph, colours (None: random ones)
    ("BioGRID yeast", "yeast/s_cerevisiae.network-109-4.4.222.txt.gz", "yeast/go_slim_mapping.tab.gz"),
    ("Collins", "yeast/Collins2007.txt.gz", "yeast/go_slim_mapping.tab.gz"),
    ("Krogan", "yeast/Krogan2006core.txt.gz", "yeast/go_slim_mapping.tab.gz"),
    ("Menche", "human/DataS1_interactome.tsv.gz", None),
    ("BioGRID human", "human/BioGRID_HSapiens-3.4.164.el.gz", None),
    ("HI-II-14", "human/HI-II-14.tsv.gz", None),
    ("facebook", "web_social/facebook_combined.txt.gz", None),
    ("wiki-Vote", "web_social/wiki-Vote.el.gz", None),
    ("brightkite", "web_social/loc-brightkite_social_location.el.gz", None),
    ("Enron", "web_social/email-Enron.txt.gz", None),
    ("Gowalla", "web_social/Gowalla_edges.head.txt.gz", None),
    ("roads", "web_social/luxembourg_osm.mtx.gz", None),
]
ARCHIVES = ["labelled/snu_yeast_human_tve.tar.gz", "labelled/ogm_wordnet_tve.tar.gz"]
PATTERNS = ["triangle", "clique:5", "house", "cycle:6", "octahedron"]
sys.stdout.reconfigure(line_buffering=True)


def run(*words):
    return subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def unpack(archive):
    """Extracts the data graphs of an archive: its largest files."""
    with tarfile.open(os.path.join(data, archive)) as tar:
        members = sorted((m for m in tar.getmembers() if m.isfile()), key=lambda m: -m.size)
        for member in members[:2]:
            path = os.path.join(folder, os.path.basename(member.name))
            with open(path, "wb") as file:
                file.write(tar.extractfile(member).read())
            if open(path, "rb").read(2) == b"t ":
                yield os.path.basename(path), path


def random_colors(graph, names_path):
    """A table of thirty random colours, the first ones much more frequent than the last."""
    run("convert", graph, "--to", "metis", "--map", names_path, "-o", os.path.join(folder, "graph.metis"))
    table = os.path.join(folder, "colors.tsv")
    with open(table, "w") as file:
        for line in open(names_path):
            name = line.rstrip("\n").split("\t")[-1]
            file.write("%s\tc%d\n" % (name, min(int(random.expovariate(0.15)), 29)))
    return table


def colors_by_vertex(table):
    own = collections.defaultdict(set)
    for line in gzip.open(table, "rt") if table.endswith(".gz") else open(table):
        words = line.rstrip("\n").split("\t")
        if "go_slim" in table and len(words) > 4:
            own[words[0]].add(words[4])
        elif len(words) == 2:
            own[words[0]].add(words[1])
    return own


def motifs(graph, table):
    """Texts of motifs, with what they are."""
    tsv = os.path.join(folder, "graph.tsv")
    run("convert", graph, "--to", "edge-list", "-o", tsv)
    adjacent, own = collections.defaultdict(list), colors_by_vertex(table)
    for line in open(tsv):
        a, b = line.split("\t")[:2]
        adjacent[a.strip()].append(b.strip())
        adjacent[b.strip()].append(a.strip())
    colored = sorted(v for v in adjacent if own[v])
    common = [c for c, _ in collections.Counter(c for v in colored for c in own[v]).most_common(6)]
    quote = lambda colors: ",".join('"%s"' % c if c != "*" else c for c in colors)
    for k in (3, 5, 8, 10, 12):
        members, frontier = [], [random.choice(colored)]
        while len(members) < k and frontier:
            v = frontier.pop(random.randrange(len(frontier)))
            if v in members or not own[v]:
                continue
            members.append(v)
            frontier += adjacent[v]
        if len(members) == k:
            colors = [random.choice(sorted(own[v])) for v in members]
            yield k, "of a set", quote(colors)
            if k in (5, 10):
                yield k, "of a set, third *", quote(colors[: k - k // 3] + ["*"] * (k // 3))
        if k in (3, 8, 12):
            yield k, "common", quote(random.choice(common) for _ in range(k))


def measure(name, what, screen, inputs):
    path = os.path.join(folder, "screen.tsv")
    made = run("screen", *screen, "--timeout", "20s", "-q", "-o", path)
    if not os.path.exists(path):
        print("%-22s %-24s %s" % (name, what, made.stderr.decode().strip()[:100]))
        return (0, 0)
    begin = time.monotonic()
    done = run("verify", path, *inputs, "--no-recount", "--json", "--timeout", limit + "s")
    seconds = time.monotonic() - begin
    os.remove(path)
    if not done.stdout:
        print("%-22s %-24s %s" % (name, what, done.stderr.decode().strip()[:100]))
        return (0, 0)
    verdict = json.loads(done.stdout)
    flags, supported = verdict["flags"], verdict["supported"]
    share = 100.0 * supported / flags if flags else 100.0
    print("%-22s %-24s %7d %9d %6.2f %7.2f" % (name, what, flags, supported, share, seconds))
    return flags, supported


def main():
    random.seed(1)
    os.makedirs(folder)
    networks = [(name, os.path.join(data, graph), table and os.path.join(data, table)) for name, graph, table in NETWORKS]
    for archive in ARCHIVES:
        networks += [(name, path, "graph") for name, path in unpack(archive)]
    print("%-22s %-24s %7s %9s %6s %7s" % ("network", "query", "flags", "supported", "%", "seconds"))
    results = []
    for name, graph, table in networks:
        if not table:
            table = random_colors(graph, os.path.join(folder, "names.tsv"))
        if table != "graph":
            for k, kind, text in motifs(graph, table):
                words = [graph, "-c", table, "--ignore-unknown", "-m", text]
                results.append(measure(name, "k=%d %s" % (k, kind), words, [graph, "-c", table]))
        for pattern in PATTERNS:
            results.append(measure(name, pattern, [graph, pattern], [graph, pattern]))
    screens = [r for r in results if r[0]]
    met = sum(1 for flags, supported in screens if supported >= 0.99 * flags)
    print("screens with flags: %d; with at least 99 %% of them supported: %d" % (len(screens), met))
    print("flags: %d; supported: %d" % tuple(map(sum, zip(*screens))))


if __name__ == "__main__":
    main()
