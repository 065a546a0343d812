#!/usr/bin/env bash
# Measures typed graphs, components and paths, beside igraph if it is installed:
#   bench/typed.sh MOTIFSIEVE TYPED_COMPONENTS TYPED_PATHS TYPED_MATCH
# The graph is random, with 2^19 vertices and 3.7 million edges whose degrees have
# frequency d^-2: each power of two from 2 to 2^14 has about as many arcs.  Takes some
# minutes; run it on an idle machine.  RUNS=15 is the number of runs.
set -euo pipefail

usage='usage: bench/typed.sh MOTIFSIEVE TYPED_COMPONENTS TYPED_PATHS TYPED_MATCH'
tool=${1:?$usage}
components=${2:?$usage}
paths=${3:?$usage}
match=${4:?$usage}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/typed.sh"

cd "$folder"
"$tool" gen power-law -n 524288 --exponent -2 --edges 3700000 --max-degree 16384 -o power-law.msb
"$components" -r "${RUNS:-15}" -t "1,${THREADS:-2}" power-law.msb
"$tool" gen grid --rows 1000 --cols 1000 -o grid.msb
"$components" -r "${RUNS:-15}" -t "1,${THREADS:-2}" grid.msb

"$tool" gen power-law -n 524288 --exponent -2 --edges 3700000 --max-degree 16384 \
  --uniform-colors 100 --edge-types 100 --directed-types 50 -o typed.tsv
"$match" -r 15 -t "1,${THREADS:-2}" typed.tsv
"$match" -r 15 -t "1,${THREADS:-2}" -d typed.tsv
"$paths"
