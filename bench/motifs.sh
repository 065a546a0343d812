#!/usr/bin/env bash
# Measures screens of motifs, by the sieve and by enumeration, and counts, on real and random networks; with --many,
# many motifs in one run, mining, and the matches of each vertex (many_motifs.py):
#   bench/motifs.sh MOTIFSIEVE [--many] [OPTION]...
# Options: --seed S (drawn anew without it), --motifs N a row, --limit SECONDS a run; with --many, --runs N, and --vertices N
# and --motifs N of the random graph.  MOTIFSIEVE_DATA is the folder of real networks.  Without --many, each run has one
# thread, and a time is that of the search alone: reading and pruning are left out.
set -eu

tool=$(realpath "${1:?usage: bench/motifs.sh MOTIFSIEVE [--many] [OPTION]...}")
shift
given=$* program=motifs.py
if [ "${1:-}" = --many ]; then
  program=many_motifs.py
  shift
fi
command -v python3 >/dev/null || { echo 'bench/motifs.sh: this needs python3' >&2; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/motifs.sh $given"
python3 "$(dirname "$0")/$program" "$tool" "$folder" --data "${MOTIFSIEVE_DATA:-../shared/data}" "$@"
