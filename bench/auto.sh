#!/usr/bin/env bash
# Measures 100 varied pattern queries on real networks: the estimate that `plan` prints against the
# measured time, and `auto` against each choice by hand:
#   bench/auto.sh MOTIFSIEVE AUTO_QUERIES [OUTPUT]
# Writes to standard output, and to OUTPUT if given.  Takes about ten minutes.  MOTIFSIEVE_DATA is the
# folder of the data (see its README); queries on missing data are skipped with a message.  SECONDS_EACH
# (4) limits each run, and FLAGS are further options of auto_queries (-t 16 -w: on 16 threads, by the
# clock, which compares with GPUs).  Rows named "sieve: ..." are the table "When the sieve saves time" of
# docs/PATTERNS.md.
set -euo pipefail

usage='usage: bench/auto.sh MOTIFSIEVE AUTO_QUERIES [OUTPUT]'
tool=${1:?$usage}
queries=${2:?$usage}
[ $# -lt 3 ] || exec > >(tee "$3")
data=${MOTIFSIEVE_DATA:-../shared/data}
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

echo "# date: $(date -u +%Y-%m-%d)"
echo "# commit: $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
echo "# machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "# command: bench/auto.sh; auto_queries -s ${SECONDS_EACH:-4} ${FLAGS:-}"

# ---- graphs ---------------------------------------------------------------------

# have FILE: says whether a data file is there.
have() {
  [ -r "$data/$1" ] && return
  echo "SKIPPED: no $data/$1"
  return 1
}

# network NAME FILE OPTIONS...: converts a network to NAME.msb.
network() {
  local name=$1 file=$2
  shift 2
  have "$file" || return 0
  "$tool" convert "$data/$file" "$@" -q --to binary -o "$folder/$name.msb"
}

# archive FILE: unpacks labelled graphs and their queries.
archive() {
  have "$1" || return 0
  tar xzf "$data/$1" -C "$folder"
}

slim=$data/yeast/go_slim_mapping.tab.gz
network string yeast/4932.protein.physical.links.v12.0.txt.gz --min-score 900 --colors "$slim"
network biogrid yeast/s_cerevisiae.network-109-4.4.222.txt.gz --colors "$slim"
network wiki web_social/wiki-Vote.el.gz
network enron web_social/email-Enron.txt.gz
network road web_social/luxembourg_osm.mtx.gz
network facebook web_social/facebook_combined.txt.gz
archive labelled/snu_yeast_human_tve.tar.gz
have web_social/wiki-Vote.el.gz && zcat "$data/web_social/wiki-Vote.el.gz" >"$folder/votes.txt"
have typed/hetionet_edges-5k.sif.gz && zcat "$data/typed/hetionet_edges-5k.sif.gz" >"$folder/hetionet.sif"

# ---- patterns -------------------------------------------------------------------

# edges NAME EDGE...: makes the pattern file NAME.tsv.
edges() {
  local name=$1
  shift
  printf '%s\n' "$@" | tr '-' '\t' >"$folder/$name.tsv"
}
# chain WORD EXTRA...: makes a path with a vertex for each letter of WORD, and further edges, as the file
# WORD.tsv or, with further edges, WORD-ring.tsv.
chain() {
  local word=$1 i
  shift
  {
    for ((i = 1; i < ${#word}; i++)); do printf '%d\t%d\n' $((i - 1)) "$i"; done
    [ $# -eq 0 ] || printf '%s\n' "$@" | tr '-' '\t'
  } >"$folder/$word${1:+-ring}.tsv"
}
# colors NAME VERTEX=COLOR...: makes the file NAME.colors.
colors() {
  local name=$1
  shift
  printf '%s\n' "$@" | tr '=' '\t' >"$folder/$name.colors"
}

chain a..a..a
chain a...a...a
chain a...a... 7-0
edges legs 0-1 1-2 0-3 3-4 0-5 5-6
edges long 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8
edges ffl 0-1 1-2 0-2
edges loop 0-1 1-2 2-0
edges bifan 0-2 0-3 1-2 1-3
edges square 0-1 1-2 2-3 3-0
edges parts 0-1 1-2 3-4
edges ladder 0-1 1-2 3-4 4-5 0-3 1-4 2-5
edges seven 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-3
edges mesh 0-1 1-2 2-3 3-0 0-4 1-5 2-6 3-7

# query NAME GRAPH PATTERN COLORS OPTIONS: prints a line of the table of queries, unless the graph is missing.
query() {
  [ -s "$folder/$2" ] || return 0
  local pattern=$3 colors=$4
  [ ! -r "$folder/$pattern.tsv" ] || pattern=$folder/$pattern.tsv
  [ ! -r "$folder/$pattern" ] || pattern=$folder/$pattern
  [ "$colors" = - ] || colors=$folder/$colors.colors
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$folder/$2" "$pattern" "$colors" "$5"
}

# both NAME GRAPH PATTERN COLORS [OPTIONS]: a count and a list.
both() {
  query "$1, count" "$2" "$3" "$4" "count ${5:-}"
  query "$1, list" "$2" "$3" "$4" "list ${5:-}"
}

# labelled NAME GRAPH GLOB OPTIONS: the first query of this kind, with its labels as colours.
labelled() {
  local file
  [ -d "$folder/dataset/$2" ] || return 0
  file=$(cd "$folder" && find "dataset/$2/query_graph" -name "$3" | LC_ALL=C sort | head -n 1)
  query "labelled: $1 ${file##*/query_}" "dataset/$2/data_graph/$2.graph" "$file" - "$4"
}

table() {
  local term name
  # ends of equal colours
  for term in 'signal transducer activity' 'histone binding' 'protein lipidation'; do
    colors "ends3 $term" "0=$term" "3=$term" "6=$term"
    colors "ends4 $term" "0=$term" "4=$term" "8=$term"
    colors "two $term" "0=$term" "4=$term"
    colors "legs $term" "2=$term" "4=$term" "6=$term"
    both "sieve: path a..a..a, $term" string.msb a..a..a "ends3 $term"
    both "sieve: path a...a...a, $term" string.msb a...a...a "ends4 $term"
    both "sieve: ring a...a..., $term" string.msb a...a...-ring "two $term"
    both "sieve: 3 legs of 2, $term" string.msb legs "legs $term"
  done
  term='tRNA aminoacylation for protein translation'
  colors trna "0=$term" "3=$term" "6=$term"
  both "path a..a..a, tRNA aminoacylation" string.msb a..a..a trna
  both "path a..a..a, tRNA aminoacylation, BioGRID" biogrid.msb a..a..a trna
  # ends of different colours
  colors abc '0=signal transducer activity' '3=isomerase activity' '6=protein lipidation'
  both "path a..b..c" string.msb a..a..a abc
  colors star '1=isomerase activity' '2=histone binding' '3=exocytosis' '4=cell budding'
  both "coloured star" string.msb star:4 star
  colors hub '0=histone binding'
  both "coloured hub of a wheel" string.msb wheel:4 hub
  colors seven '0=histone binding' '4=ribosome assembly'
  both "seven vertices, two colours" string.msb seven seven
  query "seven vertices, induced, two colours, count" string.msb seven seven "count induced"
  query "seven vertices, induced, two colours, BioGRID, count" biogrid.msb seven seven "count induced"
  # without colours
  for name in wiki enron; do
    for term in triangle cycle:4 cycle:5 diamond house clique:5 wheel:4 path:5; do
      query "$name $term, count" $name.msb $term - count
    done
  done
  for term in cycle:4 diamond path:4 star:4 house cycle:6; do
    query "STRING $term, induced, count" string.msb $term - "count induced"
  done
  query "STRING cycle:7, count" string.msb cycle:7 - count
  query "facebook clique:7, count" facebook.msb clique:7 - count
  query "STRING wheel:6, count" string.msb wheel:6 - count
  query "STRING ladder, count" string.msb ladder - count
  query "STRING in two parts, count" string.msb parts - count
  query "road path of 9, count" road.msb long - count
  query "road cycle:8, count" road.msb cycle:8 - count
  query "road mesh of 8, count" road.msb mesh - count
  query "wiki triangle, list" wiki.msb triangle - list
  query "wiki clique:4, list" wiki.msb clique:4 - list
  query "enron clique:5, list" enron.msb clique:5 - list
  query "STRING cycle:4, list" string.msb cycle:4 - list
  query "STRING house, induced, list" string.msb house - "list induced"
  query "road path of 9, list" road.msb long - list
  query "road cycle:8, list" road.msb cycle:8 - list
  for term in clique:5 house wheel:4; do query "BioGRID $term, count" biogrid.msb $term - count; done
  query "BioGRID diamond, induced, count" biogrid.msb diamond - "count induced"
  # directed
  both "votes feed-forward loop" votes.txt ffl - directed
  both "votes cycle of 3, induced" votes.txt loop - "directed induced"
  query "votes bifan, count" votes.txt bifan - "count directed"
  query "votes cycle of 4, count" votes.txt square - "count directed"
  query "votes cycle of 4, induced, count" votes.txt square - "count directed induced"
  # labelled
  for term in sparse_16_1 dense_16_1 sparse_24_1 sparse_32_1; do
    labelled yeast yeast "query_$term*.graph" count
  done
  labelled yeast yeast 'query_dense_16_2*.graph' list
  labelled yeast yeast 'query_dense_16_2*.graph' 'count induced'
  for term in dense_12_1 sparse_12_2; do labelled human human "query_$term*.graph" count; done
  # typed
  both 'typed: compounds that bind one gene' hetionet.sif '(a)-[CbG]-(g)-[CbG]-(b)' - typed
  both 'typed: compounds, genes, a disease' hetionet.sif '(a)-[CbG]-(g)-[DaG]-(d)-[DaG]-(h)-[CbG]-(b)' - typed
  query 'typed: a square of diseases and symptoms, count' hetionet.sif '(a)-[DpS]-(s)-[DpS]-(b)-[DpS]-(t)-[DpS]-(a)' - 'count typed'
  query 'typed: diseases in a row, induced, count' hetionet.sif '(a)-[DlA]-(s)-[DlA]-(b)-[DlA]-(t)-[DlA]-(c)' - 'count typed induced'
}

table >"$folder/table"
# shellcheck disable=SC2086 # FLAGS are several words
"$queries" -s "${SECONDS_EACH:-4}" ${FLAGS:-} <"$folder/table" | sed -u "s|$folder/||g"
