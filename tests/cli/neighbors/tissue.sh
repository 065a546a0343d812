# The example of a tissue: planted groups of five are the motif farthest above chance, and are drawn.  Two published
# tissues give a census, permutations and a picture, too, where the data is there.
# shellcheck shell=bash disable=SC2034,SC2154

example=$(dirname "$here")/examples/tissue/tissue.sh

# tissue NAME TOP ARGUMENTS...: runs the example, whose top motif has to be TOP, an extended regular expression.
tissue() {
  local name=$1 top=$2
  shift 2
  MOTIFSIEVE=$motifsieve PERMUTATIONS=20 timeout 300 bash "$example" "$@" >out 2>err
  check "$name: exit code" same $? 0
  check "$name: top motif" grep -Eqx "top motif: $top" out
}

tissue made 'A:2,B:2,C'
check 'made: census' grep -q '^# permutations: 20 of 20' tissue-results/census.tsv
check 'made: picture' grep -q '<text[^>]*>A: ' tissue-results/top.svg
exits 0 'made: verify' verify tissue-results/census.tsv tissue-results/graph.msb

data=${MOTIFSIEVE_DATA:-}/spatial
case $data in /*) ;; *) data=$(dirname "$here")/$data ;; esac
embryo=$data/seqfish_mouse_embryo.tsv.gz
if [ -e "$embryo" ]; then
  tissue embryo '.+' "$embryo" embryo
  check 'embryo: picture' grep -q '</svg>' embryo/top.svg
else
  skip "tissue: there is no $embryo"
fi
