#!/usr/bin/env bash
# How often one repetition misses a vertex, measured and beside the bound:
#   bench/miss_rate.sh BUILD/bench/miss_rate [OUTPUT]
# Writes to standard output, and to OUTPUT if given.  TRIALS a cell (default
# 100000), THREADS (default all).  docs/MISS_RATE.md says what the columns are.
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
