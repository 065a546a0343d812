#!/usr/bin/env bash
# Measures how often one repetition misses a vertex, beside the bound:
#   bench/miss_rate.sh BUILD/bench/miss_rate [OUTPUT]
# Writes to standard output, and to OUTPUT if given.  TRIALS is the number of trials
# a cell (default 100000), THREADS the number of threads (default all).
# docs/MISS_RATE.md explains the columns.
set -eu

program=${1:?usage: bench/miss_rate.sh BUILD/bench/miss_rate [OUTPUT]}
[ $# -lt 2 ] || exec > >(tee "$2")
options=(--trials "${TRIALS:-100000}" --threads "${THREADS:-$(nproc)}" --seed "${SEED:-20260101}")

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# command: miss_rate ${options[*]}"
begin=$SECONDS
"$program" "${options[@]}"
echo "# $((SECONDS - begin)) s"
