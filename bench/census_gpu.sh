#!/usr/bin/env bash
# Measures censuses of a million points in the plane on the GPUs of this machine, each beside the floor of its kernels
# (bench/motif/census_floor.h), and the same numbers from processors:
#   bench/census_gpu.sh PROGRAM TOOL
# Lines of PROGRAM: bench/motif/census.c says what they hold.  A checksum of a GPU must be that of processors.
set -eu

program=$1 tool=$2 threads=$(nproc)
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
[ "$gpus" -gt 0 ] || { echo 'SKIPPED: there is no GPU'; exit 0; }

# the last column of the lines of a file in which a word occurs, without repetitions
checksums() { awk -F'\t' -v word="$2" 'index($0, word) && $NF ~ /^[0-9a-f]{16}$/ { print $NF }' "$1" | sort -u; }

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-census-gpu-XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

echo '# 1,000,000 points uniform in a square, each joined to its 6 nearest, 20 colours; the first run of each has the start'
for k in 3 4 5 6 7; do
  "$program" -e gpu -t "$threads" -r 3 -w $k | tee "$work/gpu.$k"
done
if [ "$gpus" -gt 1 ]; then
  echo "# all $gpus GPUs"
  for k in 5 6 7; do "$program" -e gpu -g "$gpus" -t "$threads" -r 3 $k | tee -a "$work/gpu.$k"; done
fi
echo '# the numbers of each vertex: all motifs, and the first ten'
for k in 3 4 5; do
  "$program" -e gpu -t "$threads" -r 2 -v -w $k | tee "$work/gpu_v.$k"
  "$program" -e gpu -t "$threads" -r 2 -v -T 10 $k | tee "$work/gpu_t.$k"
  if [ "$gpus" -gt 1 ]; then
    "$program" -e gpu -g "$gpus" -t "$threads" -r 2 -v $k | tee -a "$work/gpu_v.$k"
  fi
done
echo '# the same on processors'
for k in 3 4 5; do
  "$program" -e cpu -t "$threads" -r 1 -v $k | tee "$work/cpu_v.$k"
  "$program" -e cpu -t "$threads" -r 1 -v -T 10 $k | tee "$work/cpu_t.$k"
  for kind in v t; do
    for word in motifs rows; do
      [ "$(checksums "$work/gpu_$kind.$k" $word)" = "$(checksums "$work/cpu_$kind.$k" $word)" ] ||
        { echo "FAILED: k = $k, other $word on GPUs"; failed=1; }
    done
  done
done
exit $failed
