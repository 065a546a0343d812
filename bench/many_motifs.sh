#!/usr/bin/env bash
# Measures many motifs in one run, mining, and the matches of each vertex, in yeast and in a random graph:
#   bench/many_motifs.sh MOTIFSIEVE [OPTION]...
# Options: --seed S (drawn anew without it), --runs N, --vertices N and --motifs N of the random graph.  MOTIFSIEVE_DATA is
# the folder of real networks.
set -eu

tool=$(realpath "${1:?usage: bench/many_motifs.sh MOTIFSIEVE [OPTION]...}")
shift
command -v python3 >/dev/null || { echo 'bench/many_motifs.sh: this needs python3' >&2; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/many_motifs.sh $*"
python3 "$(dirname "$0")/many_motifs.py" "$tool" "$folder" --data "${MOTIFSIEVE_DATA:-../shared/data}" "$@"
