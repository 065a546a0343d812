#!/usr/bin/env bash
# Ranks against the threads of one process, on several GPUs of one host: seconds of whole processes, in turn.
# Usage: bench/ranks_gpu.sh [BUILD_FOLDER]
# The folder (build) has motifsieve and motifsieve-mpi, from "make MPI=1 MPICC=mpicc.mpich".  The goal is that ranks take at
# most 1.05 times the time of threads with as many GPUs.  Variables: GPUS, the numbers of GPUs ("2 4"); PAIRS, how often each
# pair is measured (3); SLOTS, of the sieve (25); REPETITIONS, of the sieve that does not end early (4); SCALE, of the R-MAT
# graph (19), which has 16 edges for each vertex; PATTERNS, which are counted in it; MPIRUN, the command that starts ranks
# (mpiexec.hydra or mpirun); LIMIT, seconds of each run (120).
set -u

cd "$(dirname "$0")/.." || exit 1
build=$(realpath "${1:-build}")
tool=$build/motifsieve ranks=$build/motifsieve-mpi
read -ra gpus <<<"${GPUS:-2 4}"
pairs=${PAIRS:-3} repetitions=${REPETITIONS:-4} slots=${SLOTS:-25} scale=${SCALE:-19} limit=${LIMIT:-120}
read -ra mpirun <<<"${MPIRUN:-$(command -v mpiexec.hydra || command -v mpirun)}"
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-ranks-XXXXXX")
trap 'rm -rf "$work"' EXIT
for program in "$tool" "$ranks"; do
  [ -x "$program" ] || { echo "ranks_gpu.sh: there is no $program; run make MPI=1" >&2; exit 2; }
done
[ ${#mpirun[@]} -gt 0 ] || { echo 'ranks_gpu.sh: there is no mpirun; name one in MPIRUN' >&2; exit 2; }
gpus_here=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
[ "${gpus_here:-0}" -gt 0 ] || { echo 'ranks_gpu.sh: this machine has no GPU' >&2; exit 2; }
unset CUDA_VISIBLE_DEVICES

# devices N: the first N GPUs, with commas
devices() { seq -s, 0 $(($1 - 1)); }
# seconds NAME COMMAND...: runs it, and prints its seconds and status; its output goes to NAME
seconds() {
  local name=$1 begin end rc
  shift
  begin=$(date +%s.%N)
  timeout "$limit" "$@" >"$work/$name" 2>"$work/$name.err" </dev/null
  rc=$?
  end=$(date +%s.%N)
  awk -v a="$begin" -v b="$end" -v rc=$rc 'BEGIN { printf "%.2f s (status %d)", b - a, rc }'
  [ $rc -eq 0 ] || { printf ' '; tail -n 1 "$work/$name.err"; } | tr -d '\n'
}
# compare NAME WORDS...: the same command by threads and by ranks, in turn
compare() {
  local name=$1 n i
  shift
  for n in "${gpus[@]}"; do
    [ "$n" -le "$gpus_here" ] || continue
    for i in $(seq "$pairs"); do
      printf '%s, %s GPUs, pair %s: threads ' "$name" "$n" "$i"
      CUDA_VISIBLE_DEVICES=$(devices "$n") seconds threads "$tool" "$@" --devices "$(devices "$n")"
      printf ', ranks '
      CUDA_VISIBLE_DEVICES=$(devices "$n") seconds ranks "${mpirun[@]}" -n "$n" "$ranks" "$@"
      if [ -s "$work/threads" ] && cmp -s <(grep -v '^# \(devices\|end\)' "$work/threads") <(grep -v '^# \(devices\|end\)' "$work/ranks"); then
        printf ', the same output\n'
      else
        printf ', OTHER OUTPUT\n'
      fi
    done
  done
}

printf '\n# bench/ranks_gpu.sh, %s, commit %s, %s cores\n' "$(date -u +%F)" "$(git rev-parse --short HEAD 2>/dev/null)" "$(nproc)"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | sort | uniq -c | sed 's/^/# GPUs:/'
printf '# %s\n' "$("${mpirun[@]}" --version 2>&1 | grep -m 1 -i 'version\|open mpi')"

# ---- what processes cost that do nothing -----------------------------------------------------------
for n in "${gpus[@]}"; do
  printf 'start of %s ranks: %s\n' "$n" "$(seconds places "${mpirun[@]}" -n "$n" "$ranks" --places)"
done

# ---- a sieve, which ends early, and one that does not ----------------------------------------------
"$tool" gen regular -n 1024 --degree 20 --uniform-colors "$slots" --seed 1 --colors-out "$work/c.tsv" -o "$work/g.tsv" -q || exit 2
motif=$(cut -f 2 "$work/c.tsv" | sort -u | head -n "$slots" | paste -sd,)
sieve=(screen "$work/g.tsv" -c "$work/c.tsv" -m "$motif" --screen always --backend cuda -q)
compare "sieve of $slots slots" "${sieve[@]}"
# an edge that is in no match: not all vertices are flagged
first=$(printf '%s' "$motif" | cut -d, -f 1)
printf 'x\ty\n' >>"$work/g.tsv"
printf 'x\t%s\ny\t%s\n' "$first" "$first" >>"$work/c.tsv"
compare "$repetitions repetitions of a sieve of $slots slots without an early stop" "${sieve[@]}" --repetitions "$repetitions" --no-prune

# ---- counts of patterns: cliques; and what has no parts on GPUs (wheels) or has an edge product (houses) ----
"$tool" gen rmat --scale "$scale" --edges $((16 << scale)) --seed 1 -o "$work/r.msb" -q || exit 2
for pattern in ${PATTERNS:-clique:7 clique:5 cycle:5 house wheel:4}; do
  compare "$pattern of R-MAT $scale" match "$work/r.msb" "$pattern" --count --engine gpu -q
done
