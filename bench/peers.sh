#!/usr/bin/env bash
# Compares censuses with published programs, under a Python that has igraph if there is one:
#   bench/peers.sh SCRIPT MOTIFSIEVE
# SCRIPT is bench/census_peers.py or bench/shape_peers.py, which says what is compared.
set -eu
export LC_ALL=C

python=python3
for one in python3 /usr/bin/python3; do
  if "$one" -c 'import igraph' 2>/dev/null; then
    python=$one
    break
  fi
done
echo "# date: $(date -u +%Y-%m-%d)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
"$python" "${1:?usage: bench/peers.sh SCRIPT MOTIFSIEVE}" "${2:?usage: bench/peers.sh SCRIPT MOTIFSIEVE}" "${MOTIFSIEVE_DATA:-../shared/data}"
