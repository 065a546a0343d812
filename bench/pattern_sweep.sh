#!/usr/bin/env bash
# Counts many patterns in generated graphs and real networks by every engine, and compares the counts:
#   bench/pattern_sweep.sh [BUILD_FOLDER]
# Writes to standard output.  Needs only BUILD_FOLDER/motifsieve and BUILD_FOLDER/bench/pattern_sweep,
# whose head explains the rows.  The variables of the environment:
#   FULL=1                every graph, pattern and number of labels, with induced patterns and the 33
#                         queries of cuTS; otherwise a selection
#   SAMPLE=300            with FULL=1: so many of its rows, drawn evenly at random; only networks that
#                         have such a row are read, and the summary says what this proves of all rows
#   SHARE=2/10            the second of ten shares of these rows: with the same SEED, which it needs, the ten are all
#                         rows, and each is a sample.  bench/pattern_sweep --join LOG... sums up what they print
#   SECONDS_LIMIT=180     the rows after this time are left out, with a message (with FULL=1 there is no limit unless it is set)
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

# Networks of the data: NAME FILE [OPTION...], where FILE may be ARCHIVE!MEMBER, the folder of the data left
# out.  The first two are in the selection, too.  Edge types, directions and the labels of these files
# are not used: a row draws labels itself.  spatial/ has cells with coordinates, and no graph.
networks='wiki-Vote web_social/wiki-Vote.el.gz
email-Enron web_social/email-Enron.txt.gz
facebook web_social/facebook_combined.txt.gz
brightkite web_social/loc-brightkite_social_location.el.gz
gowalla web_social/Gowalla_edges.head.txt.gz
luxembourg web_social/luxembourg_osm.mtx.gz
HI-II-14 human/HI-II-14.tsv.gz
BioGRID-human human/BioGRID_HSapiens-3.4.164.el.gz
interactome human/DataS1_interactome.tsv.gz
Krogan2006 yeast/Krogan2006core.txt.gz
Collins2007 yeast/Collins2007.txt.gz
STRING-yeast yeast/4932.protein.physical.links.v12.0.txt.gz
BioGRID-yeast yeast/s_cerevisiae.network-109-4.4.222.txt.gz
hs9606 homology/1-hs9606.tab.gz
sc4932 homology/5-sc4932.tab.gz
hs9606-sc4932 homology/1-hs9606-5-sc4932.cf.gz
yeast labelled/snu_yeast_human_tve.tar.gz!dataset/yeast/data_graph/yeast.graph
human labelled/snu_yeast_human_tve.tar.gz!dataset/human/data_graph/human.graph
wordnet labelled/ogm_wordnet_tve.tar.gz!dataset/wordnet/data_graph/wordnet.graph
LV-g49 labelled/solnon_LV_scalefree_images.tar.gz!instances/LV/g49
scalefree-F.01 labelled/solnon_LV_scalefree_images.tar.gz!instances/scalefree/F.01/target
images-PR15 labelled/solnon_LV_scalefree_images.tar.gz!instances/images-PR15/target
PPI-GO-human appagato/appagato_PPI-GO_CORUM.tar.gz!PPI-GO/Homo_sapiens_43.gfd
CORUM-4932 appagato/appagato_PPI-GO_CORUM.tar.gz!CORUM/STRING_nets/4932_minimum.gfu
CORUM-7227 appagato/appagato_PPI-GO_CORUM.tar.gz!CORUM/STRING_nets/7227_minimum.gfu
CORUM-9606 appagato/appagato_PPI-GO_CORUM.tar.gz!CORUM/STRING_nets/9606_minimum.gfu
CORUM-10090 appagato/appagato_PPI-GO_CORUM.tar.gz!CORUM/STRING_nets/10090_minimum.gfu
RI-yeast appagato/ri_PPI_subset.tar.gz!PPI/unique/Saccaromyces_cerevisiae.gfd
RI-worm appagato/ri_PPI_subset.tar.gz!PPI/udistr/64/Caenorhabditis_elegans.gfd
hetionet-5k typed/hetionet_edges-5k.sif.gz
hetionet-5k.v02 typed/hetionet_edges-5k.v02.sif.gz
hetionet-5k.v03 typed/hetionet_edges-5k.v03.sif.gz
hetionet-CbG typed/hetionet_CbG-binding.tsv.gz --header --source-column drugbank_id --target-column entrez_gene_id
hetionet-DaG typed/hetionet_DaG-association.tsv.gz --header --source-column doid_id --target-column entrez_gene_id'
cuts=$(printf 'cuts:%d ' {1..33})
options=(--runs "${RUNS:-3}" --row-seconds "${ROW_SECONDS:-2}" --devices "${DEVICES:-1}")
if [ "${FULL:-0}" != 1 ]; then
  networks=$(head -n 2 <<<"$networks")
  GRAPHS=${GRAPHS-rmat:17:16 grid:1000:1000 random:200000:1600000 power:200000:16:-2.3:6000 kronecker:17:16}
  PATTERNS=${PATTERNS:-K3 K4 K5 C4 C5 diamond house W4 octahedron K5-e random:5 random:6}
  LABELS=${LABELS:-0,16}
  SECONDS_LIMIT=${SECONDS_LIMIT:-180}
else
  PATTERNS="${PATTERNS:-K3 K4 K5 K6 K7 K8 C4 C5 C6 diamond house W4 W5 octahedron K5-e K6-e path star random:5 random:6 random:7
    induced:C4 induced:path induced:diamond induced:house $cuts}"
  PATTERNS=${PATTERNS//$'\n'/ }
  GRAPHS=${GRAPHS-rmat:17:16 rmat:18:16 rmat:20:16 random:1000000:8000000 power:1000000:16:-2.1:30000
    power:1000000:16:-2.3:30000 power:1000000:16:-2.5:30000 grid:1000:1000 kronecker:18:16 rmat:22:16}
  LABELS=${LABELS:-0,4,8,16,64}
fi
graphs=${GRAPHS//$'\n'/ }
[ "${PATTERNS:-}" != cuts ] || PATTERNS=$cuts
[ -z "${PATTERNS:-}" ] || options+=(--patterns "$PATTERNS")
options+=(--labels "$LABELS")
[ -z "${SAMPLE:-}" ] || SEED=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
[ -z "${SEED:-}" ] || options+=(--seed "$SEED")
if [ -n "${SHARE:-}" ] && [ -z "${SEED:-}" ]; then
  echo "bench/pattern_sweep.sh: SHARE needs a SEED, the same for all shares" >&2
  exit 2
fi
[ -z "${SAMPLE:-}" ] || options+=(--sample "$SAMPLE")
[ -z "${SHARE:-}" ] || options+=(--share "$SHARE")
draws=${SAMPLE:-}${SHARE:-}
if [ -n "$draws" ]; then
  # The names of all networks take part in the draw, whether this machine has them or not.
  while read -r name _; do graphs="$folder/$name.msb $graphs"; done <<<"$networks"
  drawn=$("$sweep" --graphs "$graphs" "${options[@]}" --list-rows | cut -f 1 | sort -u)
  [ -n "$drawn" ] || exit 2
fi
# convert_network NAME FILE [OPTION...]: writes NAME.msb from a file or from a member of an archive.
convert_network() {
  local name=$1 file=$data/$2 member=
  shift 2
  if [[ $file == *!* ]]; then
    member=${file#*!} file=$folder/member-${member##*/}
    tar -xzf "$data/${network%%!*}" -O "$member" >"$file" || return
  fi
  "$tool" convert "$file" "$@" --to binary -o "$folder/$name.msb" --quiet
}
while read -r name network columns; do
  if [ -n "$draws" ] && ! grep -qxF "$folder/$name.msb" <<<"$drawn"; then
    continue
  elif [ ! -r "$data/${network%%!*}" ]; then
    echo "SKIPPED: all rows of $name: no ${network%%!*} in $data (MOTIFSIEVE_DATA)"
  elif # shellcheck disable=SC2086
    convert_network "$name" "$network" $columns; then
    [ -n "$draws" ] || graphs="$folder/$name.msb $graphs"
  else
    echo "SKIPPED: all rows of $name: $network cannot be read as a graph"
  fi
done <<<"$networks"
[ -z "${SECONDS_LIMIT:-}" ] || options+=(--total-seconds "$SECONDS_LIMIT")
[ -z "${ENGINES:-}" ] || options+=(--engines "$ENGINES")
[ -z "${TSV:-}" ] || options+=(--tsv "$TSV")

echo
echo "## Patterns in generated graphs and real networks: milliseconds of plan and search"
"$sweep" --graphs "$graphs" "${options[@]}"
