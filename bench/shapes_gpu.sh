#!/usr/bin/env bash
# Measures the census by shape on a GPU of this machine and on its processors:
#   bench/shapes_gpu.sh PROGRAM
# PROGRAM: build/bench/census.  MOTIFSIEVE_DATA is the folder of networks; web_social/ in it has wiki-Vote.el.gz,
# email-Enron.txt.gz and facebook_combined.txt.gz (SNAP).  A line for each census, of seconds: the median of RUNS (3) of a
# process that has started the GPU, its kernels, the first run, and the median on all processors, with as many runs.
# CASES: extended regular expression of the lines that are wanted.  The numbers of both must be the same.
set -eu

program=$1 folder=${MOTIFSIEVE_DATA:-../shared/data}/web_social runs=${RUNS:-3} threads=$(nproc) failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-shapes-gpu-XXXXXX")
trap 'rm -rf "$work"' EXIT

for file in wiki-Vote.el email-Enron.txt facebook_combined.txt; do
  zcat "$folder/$file.gz" | grep -v '^#' | tr -s ' \t\r' '\n' | sort -nu | awk 'NF { print $1 "\tc" $1 * 7919 % 20 }' >"$work/$file.colors"
done

# median FILE: of the seconds in it
median() { sort -n "$1" | awk '{ s[NR] = $1 } END { print s[int((NR + 1) / 2)] }'; }

printf '# census\tsets\tshapes\tGPU\tits kernels\tfirst run\t%s threads\n' "$threads"
# measure NAME OPTION...
measure() {
  local name=$1 engine
  shift
  [[ $name =~ ${CASES:-.} ]] || return 0
  for engine in gpu cpu; do
    "$program" -S -e $engine -t "$threads" -r $((runs + $([ $engine = gpu ] && echo 1 || echo 0))) "$@" >"$work/$engine"
    tail -n "$runs" "$work/$engine" | cut -f 3 | sed 's/ s$//' >"$work/$engine.seconds"
  done
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(tail -n 1 "$work/gpu" | cut -f 5 | sed 's/ sets//')" \
    "$(tail -n 1 "$work/gpu" | cut -f 6 | sed 's/ motifs//')" "$(median "$work/gpu.seconds")" \
    "$(tail -n 1 "$work/gpu" | cut -f 11 | sed 's/ s on GPUs//')" "$(head -n 1 "$work/gpu" | cut -f 3 | sed 's/ s$//')" "$(median "$work/cpu.seconds")"
  if [ "$(cut -f 13 "$work/gpu" "$work/cpu" | sort -u | wc -l)" -ne 1 ]; then
    echo "FAILED: $name: other numbers on the GPU"
    failed=1
  fi
}
measure 'wiki-Vote, directed, k = 4' -D 4 "$folder/wiki-Vote.el.gz"
measure 'email-Enron, directed, k = 4' -D 4 "$folder/email-Enron.txt.gz"
measure 'facebook, directed, k = 4' -D 4 "$folder/facebook_combined.txt.gz"
measure 'wiki-Vote, directed, 20 colours, k = 4' -D 4 "$folder/wiki-Vote.el.gz" "$work/wiki-Vote.el.colors"
measure 'email-Enron, 20 colours, k = 4' 4 "$folder/email-Enron.txt.gz" "$work/email-Enron.txt.colors"
measure 'facebook, 20 colours, k = 4' 4 "$folder/facebook_combined.txt.gz" "$work/facebook_combined.txt.colors"
measure 'a million points, 20 colours, k = 4' 4
measure 'a million points, 20 colours, k = 5' 5
exit $failed
