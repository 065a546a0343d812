#!/usr/bin/env bash
# Measures censuses of a million points in the plane and of a dense network of proteins, by one thread and by two, and
# the points on a GPU if there is one:
#   bench/census.sh PROGRAM TOOL
# Lines of PROGRAM: bench/motif/census.c says what they hold.
set -eu

program=$1 tool=$2
data=${MOTIFSIEVE_DATA:-../shared/data}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-census-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo '# 1,000,000 points uniform in a square, each joined to its 6 nearest, 20 colours'
for k in 3 4 5 6 7; do
  for threads in 1 2; do
    if [ "$k" -eq 7 ]; then runs=1; else runs=2; fi
    "$program" -t $threads -r $runs $k
  done
done

if [ "$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')" -gt 0 ]; then
  echo '# the same on a GPU, the first run with its start; 1,000 permutations at k = 5'
  for k in 3 4 5 6 7; do "$program" -e gpu -t "$(nproc)" -r 3 $k; done
  "$program" -e gpu -t "$(nproc)" -r 1 -p 1000 -E 3 5
fi

network=$data/yeast/s_cerevisiae.network-109-4.4.222.txt.gz
[ -f "$network" ] || { echo "SKIPPED: there is no $network"; exit 0; }
"$tool" convert "$network" --to edge-list -o "$folder/yeast.tsv" -q
awk '!/^#/ { if (!($1 in seen)) { seen[$1] = 1; print $1 "\tc" (n++ * 7) % 20 }
             if (!($2 in seen)) { seen[$2] = 1; print $2 "\tc" (n++ * 7) % 20 } }' "$folder/yeast.tsv" >"$folder/colors.tsv"
echo '# BioGRID yeast 4.4.222, 5,639 vertices and 127,540 edges, 20 colours'
for k in 3 4; do
  for threads in 1 2; do
    "$program" -t $threads -r 2 $k "$folder/yeast.tsv" "$folder/colors.tsv"
  done
done
