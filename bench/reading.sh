#!/usr/bin/env bash
# Measures how fast a large graph is read, beside commands that only read its bytes:
#   bench/reading.sh MOTIFSIEVE
# The aim is 100 MB/s of text on 2 threads, and at most 24 bytes an edge plus the
# names.  Needs 4 GB of memory and 2 GB of disk (TMPDIR).
set -eu

tool=${1:?usage: bench/reading.sh MOTIFSIEVE}
threads=${THREADS:-2}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
echo "## reading: 50 million edges among a million vertices, $threads threads"
"$tool" gen er -n 1000000 --edges 50000000 --seed 1 --threads "$threads" -o "$folder/sorted.tsv"
# The edges are shuffled, which is the hard case.
shuf "$folder/sorted.tsv" >"$folder/edges.tsv"
rm "$folder/sorted.tsv"
megabytes=$(($(stat -c %s "$folder/edges.tsv") / 1000000))
TIMEFORMAT='%R s'
for _ in 1 2 3; do
  echo -n "wc -l: "; { time wc -l <"$folder/edges.tsv" >/dev/null; } 2>&1
  echo -n "read ($megabytes MB) and write as binary: "
  "$tool" convert "$folder/edges.tsv" --threads "$threads" -o "$folder/edges.msb" --verbose 2>&1 | grep seconds
  echo -n "read the binary form ($(($(stat -c %s "$folder/edges.msb") / 1000000)) MB), write it: "
  "$tool" convert "$folder/edges.msb" --threads "$threads" --to binary -o /dev/null --verbose 2>&1 | grep seconds
  echo -n "its bytes through cat and wc -c: "; { time cat "$folder/edges.msb" | wc -c >/dev/null; } 2>&1
done
if [ -x /usr/bin/time ]; then
  kilobytes=$(/usr/bin/time -f %M "$tool" stats "$folder/edges.tsv" --threads "$threads" 2>&1 >/dev/null | tail -n 1)
  echo "peak memory of stats: $kilobytes kB, $((kilobytes * 1024 / 50000000)) bytes an edge"
fi
