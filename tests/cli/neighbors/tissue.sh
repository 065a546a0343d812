# The example of a tissue: planted groups of five are the most enriched motif, and are drawn.  Two published
# tissues give a census with its significance and a picture, too, where the data is there.
# shellcheck shell=bash disable=SC2034,SC2154

example=$(dirname "$here")/examples/tissue/tissue.sh

# tissue NAME TOP ARGUMENTS...: runs the example, whose top motif has to be TOP, an extended regular expression.
tissue() {
  local name=$1 top=$2
  shift 2
  MOTIFSIEVE=$motifsieve timeout -k 20 300 bash "$example" "$@" >out 2>err
  check "$name: exit code" same $? 0
  check "$name: top motif" grep -Eqx "top motif: $top" out
}

PERMUTATIONS=20 tissue made 'A:2,B:2,C'
check 'made: permutations' grep -q '^# permutations: 20 of 20' tissue-results/census.tsv
check 'made: significance' grep -q '^# moments: exact' tissue-results/census.tsv
check 'made: picture' grep -q '<text[^>]*>A: ' tissue-results/top.svg
exits 0 'made: verify' verify tissue-results/census.tsv tissue-results/graph.msb
LEAST=1000000 MOTIFSIEVE=$motifsieve timeout -k 20 300 bash "$example" >out 2>err
check 'made: no motif is frequent enough' same $? 1
check 'made: a message says so' grep -q 'no motif has 1000000 groups' err

data=${MOTIFSIEVE_DATA:-}/spatial
case $data in /*) ;; *) data=$(dirname "$here")/$data ;; esac
# name, file, the top motif: five cells of one rare type, where next to none are expected
while read -r name file top; do
  if [ ! -e "$data/$file" ]; then
    skip "tissue: there is no $data/$file"
    continue
  fi
  tissue "$name" "$top" "$data/$file" "$name"
  check "$name: no permutations" same "$(grep -c '^# permutations' "$name/census.tsv")" 0
  check "$name: picture" grep -q '</svg>' "$name/top.svg"
done <<'END'
spleen codex_human_spleen.tsv.gz Podoplanin:5
embryo seqfish_mouse_embryo.tsv.gz Definitive.endoderm:5
END
