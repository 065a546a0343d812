#!/usr/bin/env bash
# Repeats the experiments of Kaski, Lauri and Thejaswi, "Engineering Motif Search for Large Motifs" (SEA
# 2018), as docs/EXPERIMENTS.md explains:
#   bench/experiments.sh [--quick] MOTIFSIEVE FOLDER [FIGURE...]
# bench/experiments must lie beside MOTIFSIEVE, where make bench-experiments puts it.  For each FIGURE (all,
# if none is given) it writes FOLDER/FIGURE.tsv, a script for gnuplot and, if gnuplot is installed, a
# drawing; if there are GPUs, also FOLDER/FIGURE-gpu.*.  --quick measures smaller cells: about a minute
# on two cores, where the whole takes some minutes.  Run it on an idle machine.  Exits with status 1 if a figure failed.
set -u

usage='usage: bench/experiments.sh [--quick] MOTIFSIEVE FOLDER [FIGURE...]'
quick=
if [ "${1:-}" = --quick ]; then
  quick=1
  shift
fi
tool=${1:?$usage} folder=${2:?$usage}
shift 2
figures=${*:-k n m topology lines threads bandwidth decision transfers gpus}
experiments=$(cd "$(dirname "$tool")/bench" 2>/dev/null && pwd)/experiments
[ -x "$experiments" ] || { echo "bench/experiments.sh: there is no $experiments; run make bench" >&2; exit 1; }
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
commit=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
mkdir -p "$folder" && cd "$folder" || exit 1

failed=0
# run NAME ARGS...: writes NAME.tsv, NAME.gp and NAME.svg
run() {
  local name=$1
  shift
  echo "## $name: experiments $*"
  COMMIT=$commit "$experiments" "$@" --write "$name" || {
    echo "FAILED: $name"
    failed=1
  }
  echo
}

# sizes FIGURE: the options that make it small
sizes() {
  [ -n "$quick" ] || return
  case $1 in
    k) echo --slots 4,6,8,10,12,14,16 ;;
    n) echo --vertices 256,1024,4096,16384,65536 ;;
    m) echo --vertices 4096 --degree 4,8,16,32,64,128 ;;
    topology) echo --vertices 65536 --slots 8 ;;
    lines) echo --slots 10 ;;
    threads) echo --slots 14 ;;
    bandwidth) echo --seconds 0.1 ;;
    decision) echo --slots 4,6,8,10,12,14 ;;
    transfers) echo --seconds 0.05 ;;
    gpus) echo --slots 16 ;;
  esac
}

for figure in $figures; do
  case $figure in
    k | n | m | topology | lines) both=1 ;;
    threads | bandwidth | decision | transfers | gpus) both= ;;
    *)
      echo "bench/experiments.sh: there is no figure '$figure'; give k, n, m, topology, lines, threads, bandwidth, decision, transfers or gpus" >&2
      exit 1
      ;;
  esac
  if [[ $figure = gpus || $figure = transfers ]] && [ "${gpus:-0}" -eq 0 ]; then
    echo "SKIPPED: $figure: this machine has no GPU that motifsieve can use"
    continue
  fi
  # shellcheck disable=SC2046
  case $figure in
    bandwidth | transfers | gpus) run "$figure" --experiment "$figure" $(sizes "$figure") ;;
    *) run "$figure" --experiment "$figure" --backend cpu $(sizes "$figure") ;;
  esac
  # shellcheck disable=SC2046
  [ -z "$both" ] || [ "${gpus:-0}" -eq 0 ] || run "$figure-gpu" --experiment "$figure" --backend cuda $(sizes "$figure")
done
exit $failed
