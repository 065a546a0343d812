#!/usr/bin/env bash
# Shows from which k on the sieve is faster than enumeration (takeover.py):
#   bench/takeover.sh MOTIFSIEVE [NETWORK]...
# MOTIFSIEVE_DATA is the folder of real networks.
set -eu

tool=$(realpath "${1:?usage: bench/takeover.sh MOTIFSIEVE [NETWORK]...}")
shift
command -v python3 >/dev/null || { echo 'bench/takeover.sh: this needs python3' >&2; exit 1; }
echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/takeover.sh $*"
python3 "$(dirname "$0")/takeover.py" "$tool" "${MOTIFSIEVE_DATA:-../shared/data}" 3 "$@"
