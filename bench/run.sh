#!/usr/bin/env bash
# Runs the benchmarks of the CPU path, each beside its floor:
#   bench/run.sh MOTIFSIEVE [OUTPUT]
# bench/experiments must lie beside MOTIFSIEVE, where make bench puts it.
# Writes to standard output, and to OUTPUT if given.  Takes about five minutes on
# two cores; run it on an idle machine.
set -eu

tool=${1:?usage: bench/run.sh MOTIFSIEVE [OUTPUT]}
[ $# -lt 2 ] || exec > >(tee "$2")
experiments=$(dirname "$tool")/bench/experiments
[ -x "$experiments" ] || { echo "bench/run.sh: no $experiments; run make bench" >&2; exit 1; }
data=${MOTIFSIEVE_DATA:-../shared/data}
threads=${THREADS:-2}

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/run.sh"

echo; echo "## Arithmetic: multiplications a second"
"$tool" bench gf2 --threads "1,$threads"

run() { echo; echo "## $1"; shift; "$experiments" --backend cpu "$@"; }
run "k = 16, to reach 0.2 s" -k 16 -t "$threads" --runs 9
run "k = 16, one thread" -k 16 -t 1 --runs 5
run "k = 14, one thread" -k 14 -t 1 --runs 9
run "k = 20, to reach 4 s" -k 20 -t "$threads" --runs 3
run "n = 2^20, k = 10, to reach 15 s" -n 1048576 -k 10 -t "$threads" --runs 3
run "k = 16, classic recurrence, to be 5 times slower" -k 16 -t "$threads" --recurrence classic --runs 3
has() { "$tool" bench gf2 --csv -t 1 -s 0.01 | grep -q "^$1,"; }
if has bitslice256; then
  run "AVX2 only: k = 16, to reach 0.8 s" -k 16 -t "$threads" --arithmetic bitslice256 --runs 3
  run "AVX2 only: k = 20, to reach 16 s" -k 20 -t "$threads" --arithmetic bitslice256 --runs 1
  run "AVX2 only: n = 2^20, k = 10, to reach 60 s" -n 1048576 -k 10 -t "$threads" --arithmetic bitslice256 --runs 1
fi
run "portable: k = 12" -k 12 -t "$threads" --arithmetic bitslice64 --runs 3

echo; "$(dirname "$0")/reading.sh" "$tool"

network=$data/yeast/4932.protein.physical.links.v12.0.txt.gz
functions=$data/yeast/go_slim_mapping.tab.gz
echo; echo "## sieve, STRING yeast physical, score >= 400, k = 10, error 1e-6"
if [ -r "$network" ] && [ -r "$functions" ]; then
  for motif in "kinase activity:2,transferase activity:2,nucleus:2,mitotic cell cycle,cytoskeleton,chromosome,*" \
    "DNA binding:3,chromatin organization:3,protein complex biogenesis:2,mRNA processing,nuclear transport" \
    "protein glycosylation:7,peptidyl-amino acid modification,Golgi apparatus,lipid metabolic process"; do
    echo "motif $motif"
    "$tool" screen "$network" --screen always --min-score 400 --colors "$functions" --motif "$motif" --threads "$threads" \
      --verbose 2>&1 >/dev/null | sed 's/^/  /'
  done
else
  echo "SKIPPED: $data lacks the network"
fi
