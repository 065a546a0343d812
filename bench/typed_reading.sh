#!/usr/bin/env bash
# Measures how long a typed graph of 15 million edges takes to open, from its binary form and from a table,
# beside a program that only reads the bytes of the binary form twice (as checksums and checks do):
#   bench/typed_reading.sh MOTIFSIEVE
# THREADS (default 2); ROUNDS (default 5).  Needs 3 GB of memory and 1 GB of disk (TMPDIR).
set -eu

tool=${1:?usage: bench/typed_reading.sh MOTIFSIEVE}
threads=${THREADS:-2}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
echo "## reading typed graphs: R-MAT scale 20, 15 million edges of 20 relations, 8 types of vertices, $threads threads"
"$tool" gen rmat --scale 20 --edges 15000000 --uniform-colors 8 --edge-types 20 --directed-types 10 --seed 1 \
  --threads "$threads" -o "$folder/graph.mst"
"$tool" convert "$folder/graph.mst" --to table -o "$folder/graph.tsv"
cat >"$folder/floor.c" <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int argc, char **argv)
{
  struct stat s;
  int file = open(argv[argc - 1], O_RDONLY);
  double begin = now();
  fstat(file, &s);
  const uint64_t *at = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  uint64_t sum = 0;
  for (int pass = 0; pass < 2; pass++)
    for (long i = 0; i < s.st_size / 8; i++)
      sum += at[i] ^ pass;
  printf("%.3f s on one thread%s\n", now() - begin, sum == 1 ? " " : "");
}
C
cc -O3 -o "$folder/floor" "$folder/floor.c"
ls -l "$folder"/graph.* | awk '{ print $5, "bytes", $NF }' | sed "s#$folder/##"
for _ in $(seq "${ROUNDS:-5}"); do
  echo -n "the bytes of graph.mst, read twice: "; "$folder/floor" "$folder/graph.mst"
  for file in graph.mst graph.tsv; do
    echo -n "open $file: "
    { TIMEFORMAT='(whole command: %R s, processor time %U + %S s)'; time "$tool" path "$folder/$file" 1 2 \
      --threads "$threads" --verbose 2>&1 >/dev/null | sed -n 's/.*seconds: \(read [0-9.]*\).*/\1 s/p' | tr '\n' ' '; } 2>&1
  done
done
