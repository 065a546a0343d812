"""Measures many motifs in one run, mining, and the matches of each vertex: see motifs.sh."""
import collections
import os
import random
import re
import statistics
import subprocess
import sys
import time

import motifs


def complexes(path, colors):
    """The motif of each complex of 3 to 25 proteins: a colour of each protein that has one."""
    members = collections.defaultdict(list)
    for line in motifs.lines(path):
        field = line.split('\t')
        if len(field) > 2 and field[0] != 'ORF':
            members[field[2].strip()].append(field[0])
    for name, proteins in members.items():
        known = [p for p in dict.fromkeys(proteins) if colors.get(p)]
        if 3 <= len(known) <= 25:
            yield name, [random.choice(colors[p]) for p in known]


def quoted(colors):
    return ','.join('"' + color.replace('"', '""') + '"' for color in colors)


def timed(runs, *command):
    """The median of the seconds of a command, and what it wrote to both streams."""
    times = []
    for _ in range(runs):
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        times.append(time.monotonic() - begin)
    return statistics.median(times), done.stdout, done.stderr


def found(text):
    match = re.search(r'^# (?:found|matches): (\d+)', text, re.M)
    return match.group(1) if match else '-'


def show(task, motif_count, threads, seconds, result):
    print(task, motif_count, threads, f'{seconds:.3f}', result, sep='\t', flush=True)


def measure_yeast(tool, folder, data, runs):
    yeast = os.path.join(data, 'yeast')
    if not os.path.isdir(yeast):
        print(f'# SKIPPED: {yeast} is not there')
        return
    terms = os.path.join(yeast, 'go_slim_mapping.tab.gz')
    biogrid = list(motifs.pairs(os.path.join(yeast, 's_cerevisiae.network-109-4.4.222.txt.gz')))
    network = motifs.Network('yeast', biogrid, motifs.slim(terms, 'F'), folder)
    sets = list(complexes(os.path.join(yeast, 'CYC2008_complex.tab.txt.gz'), network.colors))
    path = os.path.join(folder, 'complexes.txt')
    with open(path, 'w') as file:
        file.writelines(f'{name}\t{quoted(colors)}\n' for name, colors in sets)
    inputs = (network.graph, '--colors', network.color_file)
    for threads in ('1', '2'):
        seconds, out, _ = timed(runs, tool, 'screen', *inputs, '--motifs', path, '--threads', threads)
        show('screen, one process', len(sets), threads, seconds, found(out))
    begin = time.monotonic()
    for _, colors in sets:
        subprocess.run([tool, 'screen', *inputs, '--motif', quoted(colors), '--threads', '1'], stdout=subprocess.DEVNULL)
    show('screen, a process each', len(sets), '1', time.monotonic() - begin, '-')
    for size in ('2', '3'):
        seconds, out, _ = timed(runs, tool, 'mine', *inputs, '--size', size, '--support', '100', '--threads', '2')
        show(f'mine, up to {size}, support 100', '-', '2', seconds, found(out))
    for option in ('--count', '--participation'):
        seconds, out, _ = timed(runs, tool, 'list', *inputs, '--motif', '*:4', option, '--exact', '--threads', '1')
        show(f'list {option} *:4', 1, '1', seconds, found(out) if option != '--count' else out.strip())


def measure_random(tool, folder, vertices, count):
    graph, colors, path = (os.path.join(folder, name) for name in ('g.msb', 'c.tsv', 'm.txt'))
    subprocess.run([tool, 'gen', 'er', '-n', str(vertices), '--edges', str(3 * vertices), '--uniform-colors', '20',
                    '--colors-out', colors, '--seed', str(random.randrange(10**9)), '--to', 'binary', '-o', graph,
                    '--quiet'], check=True)
    with open(path, 'w') as file:
        for i in range(count):
            file.write(f'm{i}\t' + ','.join(f'c{random.randrange(20)}' for _ in range(6)) + '\n')
    info = subprocess.run([tool, 'info'], capture_output=True, text=True).stdout
    gpus = int(re.search(r'^accelerators\t(\d+)', info, re.M).group(1))
    for where in (['--threads', '1'], ['--threads', '2'], ['--backend', 'cuda'])[:3 if gpus else 2]:
        seconds, out, err = timed(1, tool, 'screen', graph, '--colors', colors, '--motifs', path, *where, '-v')
        show(f'screen, k = 6, {vertices} vertices of degree 6', count, where[1],
             float(re.search(r'motifs ([0-9.]+), write', err).group(1)), found(out))


def main():
    parser = motifs.parser()
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--vertices', type=int, default=10**6)
    parser.add_argument('--motifs', type=int, default=50)
    options = parser.parse_args()
    random.seed(options.seed)
    print(f'# seed: {options.seed}; medians of {options.runs} runs, reading included, except in the random graph')
    print('task\tmotifs\tthreads\tseconds\tfound')
    measure_yeast(options.tool, options.folder, options.data, options.runs)
    measure_random(options.tool, options.folder, options.vertices, options.motifs)


if __name__ == '__main__':
    sys.exit(main())
