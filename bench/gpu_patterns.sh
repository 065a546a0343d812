#!/usr/bin/env bash
# Measures how fast pattern graphs are counted on one GPU, checks each count, and
# compares with published code:
#   bench/gpu_patterns.sh [BUILD_FOLDER]
# Writes to standard output.  Takes at most three minutes; needs only
# BUILD_FOLDER/motifsieve and BUILD_FOLDER/bench/pattern_engines.  MOTIFSIEVE_DATA is
# the folder of the data; a graph that is missing there is skipped with a message.
# ENGINES='dfs trie' selects engines, DEVICES=1 is the number of GPUs, RUNS=7 the
# number of runs, ROW_SECONDS=20 the time limit for all runs of a row.
# bench/gpu_patterns.tsv has the rows, and the peers' times with their source.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
build=${1:-${BUILD:-build}}
tool=$build/motifsieve
timer=$build/bench/pattern_engines
table=$here/gpu_patterns.tsv
data=${MOTIFSIEVE_DATA:-../shared/data}
runs=${RUNS:-7}
for program in "$tool" "$timer"; do
  [ -x "$program" ] || { echo "bench/gpu_patterns.sh: no $program; run make bench-gpu, or name the build folder" >&2; exit 1; }
done
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "${gpus:-0}" -eq 0 ]; then
  if [ -z "${ENGINES:-}" ] || [ "$ENGINES" != cpu ]; then # ENGINES=cpu tests the script itself
    echo "bench/gpu_patterns.sh: no GPU to measure: $("$tool" info | sed -n 's/^accelerators\t//p' | cut -f 2-)" >&2
    exit 1
  fi
fi
engines=${ENGINES:-$("$tool" match x triangle --engine '?' 2>&1 | sed -n 's/.*needs auto, cpu, \(.*\), not.*/\1/p' | sed 's/,//g; s/ or / /')}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
failed=0 skipped=0

where="${DEVICES:-1} GPU(s), the graph there"
[ "${ENGINES:-}" != cpu ] || where='processors'
echo
echo "## Pattern graphs, counted on $where: milliseconds of plan and search, median of $runs"
echo "# xN: as many times as fast as the best of the peers (bench/gpu_patterns.tsv); build: $build"

# graph_of NAME: writes the graph as a binary file, which is quick to read.
graph_of() {
  local file=$folder/$1.msb
  case $1 in
    enron)
      # SNAP's copy has the edge 0-1, this copy lacks it.
      [ -r "$data/web_social/email-Enron.txt.gz" ] || return
      { gzip -dc "$data/web_social/email-Enron.txt.gz" | tr -d '\r' && printf '0\t1\n'; } >"$folder/enron.txt"
      "$tool" convert "$folder/enron.txt" --to binary -o "$file" --quiet
      ;;
    wiki-Vote)
      [ -r "$data/web_social/wiki-Vote.el.gz" ] || return
      "$tool" convert "$data/web_social/wiki-Vote.el.gz" --to binary -o "$file" --quiet
      ;;
    grid)
      "$tool" gen grid --rows 1000 --cols 1000 -o "$folder/grid.tsv" &&
        "$tool" convert "$folder/grid.tsv" --to binary -o "$file" --quiet
      ;;
  esac
}
for graph in $(grep -v '^#' "$table" | cut -f 1 | uniq); do
  graph_of "$graph"
  [ -s "$folder/$graph.msb" ] || { echo "SKIPPED: all rows of $graph: no data for it in $data (MOTIFSIEVE_DATA)"; skipped=1; }
done

{
  printf '%-10s %-11s %12s' graph pattern subgraphs
  for engine in $engines; do printf ' %10s %7s' "$engine" ''; done
  printf '  %s\n' 'best peer'
}

# measure ENGINE GRAPH PATTERN: prints MAPS and MILLISECONDS.
measure() {
  timeout "${ROW_SECONDS:-20}" "$timer" -e "$1" -r "$runs" -d "${DEVICES:-1}" "$folder/$2.msb" "$3" 2>"$folder/why" | cut -f 3,6
}

# shellcheck disable=SC2094
while IFS=$'\t' read -r graph name pattern subgraphs automorphisms peers; do
  case $graph in '#'* | '') continue ;; esac
  [ -s "$folder/$graph.msb" ] || continue
  if [ "$subgraphs" = cpu ]; then
    subgraphs=$("$tool" match "$folder/$graph.msb" "$pattern" --count --engine cpu)
  fi
  # The least of the peers' times, and the name of that peer.
  # shellcheck disable=SC2094
  peer=$(awk -F'\t' -v times="$peers" '/^# graph\tname/ { n = split(times, ms, "\t")
    for (i = 1; i <= n; i++) if (ms[i] ~ /^[0-9]/ && (best == "" || ms[i] + 0 < best + 0)) { best = ms[i]; who = $(5 + i) }
    print best, who }' "$table")
  printf '%-10s %-11s %12s' "$graph" "$name" "$subgraphs"
  for engine in $engines; do
    read -r maps ms <<<"$(measure "$engine" "$graph" "$pattern")"
    if [ -z "${ms:-}" ]; then
      printf ' %10s %7s' "${ROW_SECONDS:-20} s+" '-'
      [ -s "$folder/why" ] && { cat "$folder/why" >&2; failed=1; }
      continue
    fi
    # The shell multiplies, because awk is inexact beyond 2^53.
    if [ "$maps" != "$((subgraphs * automorphisms))" ]; then
      printf ' %10s %7s' WRONG "$maps"
      failed=1
      continue
    fi
    ratio=$(awk -v ours="$ms" -v best="${peer% *}" 'BEGIN { printf "%.3g", best / ours }')
    printf ' %10s %7s' "$ms" "x$ratio"
    echo "$engine $ratio $graph $name" >>"$folder/ratios"
  done
  printf '  %s ms %s\n' "${peer% *}" "${peer#* }"
done <"$table"

summary() { # NAME; reads lines with the ratio in column 2
  awk -v name="$1" '{ s += log($2); n++; if ($2 < 1) behind = behind " " $3 "/" $4 }
    END { if (n) printf "# %s: %.3g times as fast as the best peer in the geometric mean of %d rows; behind it:%s\n",
          name, exp(s / n), n, behind == "" ? " nowhere" : behind }'
}
if [ -s "$folder/ratios" ]; then
  for engine in $engines; do grep "^$engine " "$folder/ratios" | summary "$engine"; done
  # The best engine of each row.
  sort -k 3,4 -k 2,2gr "$folder/ratios" | awk '!seen[$3 " " $4]++' | summary 'the best engine of each row'
fi
[ "$skipped" -eq 0 ] || echo 'SKIPPED: some graphs are missing, see above'
[ "$failed" -eq 0 ]
