#!/usr/bin/env bash
# Measures pattern graphs on the CPU, and checks each count:
#   bench/patterns.sh MOTIFSIEVE PATTERN_QUERIES [OUTPUT]
# Writes to standard output, and to OUTPUT if given.  Takes about ten minutes on two
# cores; run it on an idle machine (on a busy one the least of the times says more
# than the median).  MOTIFSIEVE_DATA is the folder of the data (see its README);
# missing data are skipped with a message.  RUNS=5 is the number of runs.
set -euo pipefail

usage='usage: bench/patterns.sh MOTIFSIEVE PATTERN_QUERIES [OUTPUT]'
tool=${1:?$usage}
queries=${2:?$usage}
[ $# -lt 3 ] || exec > >(tee "$3")
data=${MOTIFSIEVE_DATA:-../shared/data}
threads=${THREADS:-$(nproc)}
runs=${RUNS:-5}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
failed=0

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/patterns.sh; $runs runs each, 2 of those above 4 s"

median() { sort -g | awk '{a[NR] = $1} END {print NR ? a[int((NR + 1) / 2)] : "none"}'; }

# ---- counts without colours ---------------------------------------------------

# nearly_complete N REMOVED...: prints the complete graph of N vertices without these edges.
nearly_complete() {
  local n=$1 i j
  shift
  for ((i = 0; i < n; i++)); do
    for ((j = i + 1; j < n; j++)); do
      case " $* " in *" $i-$j "*) ;; *) printf '%d\t%d\n' "$i" "$j" ;; esac
    done
  done
}

# once GRAPH PATTERN THREADS: prints COUNT and the SECONDS of plan and search, with the graph
# read and indexed.
once() {
  "$tool" match "$1" "$2" --count --threads "$3" --verbose 2>&1 |
    sed -n -e 's/^\([0-9]*\)$/\1/p' \
      -e 's/.*plan \([0-9.]*\) .*list \([0-9.]*\), write [0-9.]*$/\1 \2/p' |
    awk 'NF == 2 {seconds = $1 + $2} NF == 1 {count = $1} END {print count, seconds}'
}

# row NAME GRAPH PATTERN COUNT: measures one pattern, and fails if its count is not COUNT.
row() {
  local name=$1 graph=$2 pattern=$3 known=$4 t i got seconds line
  line=$(printf '%-12s %13s' "$name" "$known")
  for t in 1 "$threads"; do
    seconds=
    for ((i = 0; i < runs; i++)); do
      got=$(once "$graph" "$pattern" "$t")
      if [ "${got% *}" != "$known" ]; then
        echo "WRONG: $name in $graph: ${got% *}, not $known"
        failed=1
        return
      fi
      seconds+="${got#* } "
      # Long searches run twice.
      [ $i -lt 1 ] || awk "BEGIN {exit ${got#* } > 4}" || break
    done
    seconds=$(tr ' ' '\n' <<<"$seconds" | sed '/^$/d' | sort -g)
    line+=$(printf ' %8.3f %8.3f' "$(median <<<"$seconds")" "$(head -n 1 <<<"$seconds")")
  done
  echo "$line"
}

head_of() {
  echo
  echo "## $1: subgraphs; seconds of plan and search on 1 thread (median, least) and on $threads"
}

nearly_complete 5 0-1 >"$folder/K5-e.tsv"
nearly_complete 5 0-1 0-2 >"$folder/K5-2e.tsv"
nearly_complete 6 0-1 >"$folder/K6-e.tsv"

graph=$data/web_social/wiki-Vote.el.gz
head_of wiki-Vote
if [ -r "$graph" ]; then
  row triangle "$graph" triangle 608389
  row K4 "$graph" clique:4 2077903
  row C4 "$graph" cycle:4 57654491
  row diamond "$graph" diamond 40544543
  row K5 "$graph" clique:5 4514137
  row K6 "$graph" clique:6 6931312
  row house "$graph" house 9488779111
else
  echo "SKIPPED: no $graph"
fi

graph=$data/web_social/email-Enron.txt.gz
head_of "email-Enron, with the edge 0-1 that this copy lacks"
if [ -r "$graph" ]; then
  { zcat "$graph" | tr -d '\r' && printf '0\t1\n'; } >"$folder/enron.txt"
  graph=$folder/enron.txt
  row triangle "$graph" triangle 727044
  row K4 "$graph" clique:4 2341639
  row K5 "$graph" clique:5 5809356
  row K6 "$graph" clique:6 11213163
  row C4 "$graph" cycle:4 36262229
  row diamond "$graph" diamond 36528276
  row K5-e "$graph" "$folder/K5-e.tsv" 101383042
  row K5-2e "$graph" "$folder/K5-2e.tsv" 719709974
  row W4 "$graph" wheel:4 243184738
  row house "$graph" house 5677082981
  row K6-e "$graph" "$folder/K6-e.tsv" 246187724
  row octahedron "$graph" octahedron 474315015
else
  echo "SKIPPED: no $graph"
fi

# ---- labelled queries -----------------------------------------------------------

# summary NAME CONDITION FILE: prints the median and the 90th percentile of column 4 in
# milliseconds, over the lines that meet the condition.
summary() {
  local what=$1 condition=$2 file=$3
  awk -F'\t' "!/^#/ && ($condition) {print \$4}" "$file" | sort -g | awk -v what="$what" '
    {a[NR] = $1}
    END {if (NR) printf "%s: %d queries, median %.3f ms, 90 %% below %.3f ms\n", what, NR,
         a[int((NR + 1) / 2)], a[int((NR * 9 + 9) / 10)]; else print what ": none"}'
}

# labelled NAME: runs every 12th query of a network, in the order of their names.
labelled() {
  local name=$1 base=$folder/labelled/dataset/$1
  find "$base/query_graph" -name '*.graph' | LC_ALL=C sort | awk 'NR % 12 == 6' >"$folder/sample"
  echo
  echo "## $name: every 12th of the $(find "$base/query_graph" -name '*.graph' | wc -l) queries, all embeddings, one thread, at most 1 s each"
  xargs "$queries" -t 1 -s 1 "$base/data_graph/$name.graph" <"$folder/sample" >"$folder/out"
  head -n 1 "$folder/out"
  summary "all" 1 "$folder/out"
  summary "complete within 1 s" '$6 == "complete"' "$folder/out"
  summary "with fewer than 100,000 embeddings" '$6 == "complete" && length($3) <= 5' "$folder/out"
}

# whole NAME GRAPH QUERY...: prints the median milliseconds of a whole process that counts one
# query.
whole() {
  local name=$1 graph=$2 query begin i
  shift 2
  for query; do
    for ((i = 0; i < runs; i++)); do
      begin=${EPOCHREALTIME/./}
      "$tool" match "$graph" "$query" --count --embeddings --screen never --threads 1 >/dev/null
      echo $(((${EPOCHREALTIME/./} - begin) / 10))
    done
  done | median | awk -v name="$name" '{printf "whole process, %s: %.2f ms\n", name, $1 / 100}'
}

archive=$data/labelled/snu_yeast_human_tve.tar.gz
if [ -r "$archive" ]; then
  mkdir "$folder/labelled"
  tar xzf "$archive" -C "$folder/labelled"
  for name in yeast human; do
    labelled "$name"
    # The first ten queries of the sample that were quick.
    mapfile -t some < <(awk -F'\t' '!/^#/ && $6 == "complete" && $4 < 2 {print $1}' "$folder/out" |
      head -n 10 | sed "s|^|$folder/labelled/dataset/$name/query_graph/|")
    graph=$folder/labelled/dataset/$name/data_graph/$name.graph
    "$tool" convert "$graph" --color-format graph --to binary -o "$folder/$name.msb"
    if [ ${#some[@]} -gt 0 ]; then
      whole "text" "$graph" "${some[@]}"
      whole "binary" "$folder/$name.msb" "${some[@]}"
    fi
  done
else
  echo
  echo "SKIPPED: no $archive"
fi
exit $failed
