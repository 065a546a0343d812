"""Draws motifs from networks and measures screens and counts: see motifs.sh."""
import argparse
import collections
import gzip
import os
import random
import re
import statistics
import subprocess
import sys
import tarfile


def lines(path):
    with gzip.open(path, 'rt') if path.endswith('.gz') else open(path) as file:
        yield from (line.rstrip('\n') for line in file)


class Network:
    """A graph with colours, written as two files of tab-separated pairs."""

    def __init__(self, name, edges, colors, folder):
        self.name = name
        self.near = collections.defaultdict(list)
        self.colors = collections.defaultdict(list)
        for a, b in dict.fromkeys(tuple(sorted(edge)) for edge in edges if edge[0] != edge[1]):
            self.near[a].append(b)
            self.near[b].append(a)
        for vertex, color in dict.fromkeys(colors):
            if vertex in self.near:
                self.colors[vertex].append(color)
        self.graph = os.path.join(folder, name + '.tsv')
        self.color_file = os.path.join(folder, name + '.colors.tsv')
        with open(self.graph, 'w') as file:
            for a, others in self.near.items():
                file.writelines(f'{a}\t{b}\n' for b in others if a < b)
        with open(self.color_file, 'w') as file:
            for vertex, own in self.colors.items():
                file.writelines(f'{vertex}\t{color}\n' for color in own)
        self.starts = sorted(self.colors)

    def motif(self, k):
        """The colours of a random connected set of k coloured vertices."""
        while True:
            chosen = [random.choice(self.starts)]
            for _ in range(100 * k):
                if len(chosen) == k:
                    return ','.join('"' + random.choice(self.colors[v]).replace('"', '""') + '"' for v in chosen)
                other = random.choice(self.near[random.choice(chosen)])
                if other in self.colors and other not in chosen:
                    chosen.append(other)


def slim(path, aspect):
    for line in lines(path):
        field = line.split('\t')
        if len(field) > 4 and field[3] == aspect:
            yield field[0], field[4]


def pairs(path, columns=(0, 1)):
    for line in lines(path):
        field = line.split()
        if len(field) > max(columns) and not line.startswith(('!', '#')):
            yield field[columns[0]], field[columns[1]]


def tve(archive, pattern):
    """Edges and labels of the first member of a tar file whose name fits."""
    edges, labels = [], []
    with tarfile.open(archive) as tar:
        member = next(m for m in tar.getmembers() if re.search(pattern, m.name))
        for line in tar.extractfile(member).read().decode().splitlines():
            field = line.split()
            if field[0] == 'v':
                labels.append((field[1], 'l' + field[2]))
            elif field[0] == 'e':
                edges.append((field[1], field[2]))
    return edges, labels


def tissue(n, colors):
    """Points of the plane with edges to about six neighbours, and random colours."""
    side = int((n / 2) ** 0.5)
    points = [(random.random() * side, random.random() * side) for _ in range(n)]
    cells = collections.defaultdict(list)
    for i, (x, y) in enumerate(points):
        cells[int(x), int(y)].append(i)
    edges = []
    for i, (x, y) in enumerate(points):
        around = [j for a in (-2, -1, 0, 1, 2) for b in (-2, -1, 0, 1, 2) for j in cells[int(x) + a, int(y) + b] if j != i]
        around.sort(key=lambda j: (points[j][0] - x) ** 2 + (points[j][1] - y) ** 2)
        edges += [(str(i), str(j)) for j in around[:6]]
    return edges, [(str(i), f'c{random.randrange(colors)}') for i in range(n)]


def networks(data, folder):
    yeast = os.path.join(data, 'yeast')
    if os.path.isdir(yeast):
        terms = os.path.join(yeast, 'go_slim_mapping.tab.gz')
        biogrid = list(pairs(os.path.join(yeast, 's_cerevisiae.network-109-4.4.222.txt.gz')))
        yield Network('yeast-functions', biogrid, slim(terms, 'F'), folder)
        yield Network('yeast-processes', biogrid, slim(terms, 'P'), folder)
        yield Network('yeast-components', biogrid, slim(terms, 'C'), folder)
    labelled = os.path.join(data, 'labelled')
    if os.path.isdir(labelled):
        snu = os.path.join(labelled, 'snu_yeast_human_tve.tar.gz')
        yield Network('human-labels', *tve(snu, r'data_graph/human\.graph$'), folder)
        yield Network('wordnet', *tve(os.path.join(labelled, 'ogm_wordnet_tve.tar.gz'), r'data_graph/wordnet\.graph$'), folder)
    yield Network('tissue-20', *tissue(100000, 20), folder)
    yield Network('tissue-8', *tissue(100000, 8), folder)


def seconds(text):
    return [float(s) for s in re.findall(r'(?:sieve|enumeration|list) ([0-9.]+)', text)]


def run(tool, network, motif, limit, *options):
    """Seconds of the search, mode and the rows' vertices; None after the time limit."""
    command = [tool, *options, '--threads', '1', '--timeout', str(limit), '--verbose']
    command[2:2] = [network.graph, '--colors', network.color_file, '--motif', motif]
    done = subprocess.run(command, capture_output=True, text=True)
    time = sum(seconds(next(line for line in done.stderr.splitlines() if 'seconds:' in line)))
    mode = re.search(r'^# mode: (.*)', done.stdout, re.M)
    rows = [line.split('\t')[0] for line in done.stdout.splitlines() if line[:1] not in ('#', '')]
    return (time if done.returncode == 0 else None), mode and mode.group(1), rows


def show(times, limit):
    known = [t if t is not None else limit for t in times]
    return f'{"> " if statistics.median(known) >= limit else ""}{1000 * statistics.median(known):.1f}'


def parser():
    """Options that all measurements have."""
    options = argparse.ArgumentParser()
    options.add_argument('tool')
    options.add_argument('folder')
    options.add_argument('--data', default='../shared/data')
    options.add_argument('--seed', type=int, default=random.SystemRandom().randrange(10**9))
    return options


def main():
    arguments = parser()
    arguments.add_argument('--motifs', type=int, default=5)
    arguments.add_argument('--limit', type=float, default=5)
    options = arguments.parse_args()
    random.seed(options.seed)
    print(f'# seed: {options.seed}, {options.motifs} motifs a row, the colours of random connected sets; at most {options.limit:g} s a run')
    print('network\tk\tsieve_ms\texact_ms\tauto_ms\tauto_exact\tcount_ms\tmatches\tmatches_per_s')
    wrong = 0
    for network in networks(options.data, options.folder):
        for k in (4, 6, 8, 10, 12, 16):
            times = collections.defaultdict(list)
            exact, counts, rates = 0, [], []
            for _ in range(options.motifs):
                motif = network.motif(k)
                flags = {}
                for when in ('always', 'never', 'auto'):
                    time, mode, rows = run(options.tool, network, motif, options.limit, 'screen', '--screen', when)
                    times[when].append(time)
                    exact += when == 'auto' and mode == 'exact'
                    if time is not None:
                        flags[when] = rows[1:]
                if 'never' in flags and 'always' in flags and not set(flags['always']) <= set(flags['never']):
                    wrong += 1
                    print(f'WRONG: {network.name}: {motif}')
                time, _, rows = run(options.tool, network, motif, options.limit, 'list', '--exact', '--count')
                times['count'].append(time)
                if time is not None:
                    counts.append(int(rows[0]))
                    rates.append(counts[-1] / max(time, 1e-3))
            print(network.name, k, *(show(times[w], options.limit) for w in ('always', 'never', 'auto')),
                  f'{exact}/{options.motifs}', show(times['count'], options.limit),
                  f'{statistics.median(counts):.3g}' if counts else '-', f'{max(rates):.2g}' if rates else '-',
                  sep='\t', flush=True)
    print(f'# {wrong} motifs with flags that the exact screen lacks')
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
