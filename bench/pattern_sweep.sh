#!/usr/bin/env bash
# Counts many patterns in generated graphs and real networks by every engine, and compares the counts:
#   bench/pattern_sweep.sh [BUILD_FOLDER]
# Writes to standard output.  Needs only BUILD_FOLDER/motifsieve and BUILD_FOLDER/bench/pattern_sweep,
# whose head explains the rows.  The variables of the environment:
#   FULL=1                every graph, pattern and number of labels; otherwise a selection
#   SECONDS_LIMIT=180     the rows after this time are left out, with a message (FULL=1: no limit)
#   ROW_SECONDS=2         time for all runs of an engine in a row;  RUNS=3: the number of runs
#   ENGINES='cpu trie'    selects engines; auto and names that begin with cpu need no GPU
#   GRAPHS, PATTERNS      lists for --graphs and --patterns;  LABELS: a list for --labels;
#                         PATTERNS=cuts: the 33 queries of cuTS
#   SEED, TSV             for --seed and --tsv;  DEVICES=1: the number of GPUs
#   MOTIFSIEVE_DATA       the folder of the networks; one that is missing there is skipped with a message
set -uo pipefail

build=${1:-${BUILD:-build}}
tool=$build/motifsieve
sweep=$build/bench/pattern_sweep
data=${MOTIFSIEVE_DATA:-../shared/data}
for program in "$tool" "$sweep"; do
  [ -x "$program" ] || { echo "bench/pattern_sweep.sh: no $program; run make bench-sweep, or name the build folder" >&2; exit 1; }
done
gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "${gpus:-0}" -eq 0 ] && [[ ! ${ENGINES:-gpu} =~ ^((auto|cpu[:a-z-]*)\ *)+$ ]]; then
  echo "bench/pattern_sweep.sh: no GPU to measure; ENGINES=cpu measures the processors" >&2
  exit 1
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

# Networks of the data that are plain graphs; the first two are in the selection, too.
networks='web_social/wiki-Vote.el.gz web_social/email-Enron.txt.gz web_social/facebook_combined.txt.gz
  web_social/loc-brightkite_social_location.el.gz web_social/Gowalla_edges.head.txt.gz
  web_social/luxembourg_osm.mtx.gz human/HI-II-14.tsv.gz human/BioGRID_HSapiens-3.4.164.el.gz
  human/DataS1_interactome.tsv.gz yeast/Krogan2006core.txt.gz yeast/Collins2007.txt.gz
  yeast/4932.protein.physical.links.v12.0.txt.gz yeast/s_cerevisiae.network-109-4.4.222.txt.gz
  homology/1-hs9606.tab.gz homology/5-sc4932.tab.gz'
options=(--runs "${RUNS:-3}" --row-seconds "${ROW_SECONDS:-2}" --devices "${DEVICES:-1}")
if [ "${FULL:-0}" != 1 ]; then
  # shellcheck disable=SC2086
  networks=$(printf '%s\n' $networks | head -n 2)
  GRAPHS=${GRAPHS-rmat:17:16 grid:1000:1000 random:200000:1600000 power:200000:16:-2.3:6000 kronecker:17:16}
  PATTERNS=${PATTERNS:-K3 K4 K5 C4 C5 diamond house W4 octahedron K5-e random:5 random:6}
  LABELS=${LABELS:-0,16}
  SECONDS_LIMIT=${SECONDS_LIMIT:-180}
else
  GRAPHS=${GRAPHS-rmat:17:16 rmat:18:16 rmat:20:16 random:1000000:8000000 power:1000000:16:-2.1:30000
    power:1000000:16:-2.3:30000 power:1000000:16:-2.5:30000 grid:1000:1000 kronecker:18:16 rmat:22:16}
  LABELS=${LABELS:-0,4,8,16,64}
fi
graphs=${GRAPHS//$'\n'/ }
for network in $networks; do
  name=$(basename "$network") name=${name%%.*}
  if [ ! -r "$data/$network" ]; then
    echo "SKIPPED: all rows of $name: no $network in $data (MOTIFSIEVE_DATA)"
  elif "$tool" convert "$data/$network" --to binary -o "$folder/$name.msb" --quiet; then
    graphs="$folder/$name.msb $graphs"
  else
    echo "SKIPPED: all rows of $name: $network cannot be read as a graph"
  fi
done
[ -z "${SECONDS_LIMIT:-}" ] || options+=(--total-seconds "$SECONDS_LIMIT")
[ "${PATTERNS:-}" != cuts ] || PATTERNS=$(printf 'cuts:%d ' {1..33})
[ -z "${PATTERNS:-}" ] || options+=(--patterns "$PATTERNS")
[ -z "${ENGINES:-}" ] || options+=(--engines "$ENGINES")
[ -z "${SEED:-}" ] || options+=(--seed "$SEED")
[ -z "${TSV:-}" ] || options+=(--tsv "$TSV")

echo
echo "## Patterns in generated graphs and real networks: milliseconds of plan and search"
"$sweep" --graphs "$graphs" --labels "$LABELS" "${options[@]}"
