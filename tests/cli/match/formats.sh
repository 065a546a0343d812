# Filter, typed-match and verify agree on the pairs of one-edge patterns in each typed format,
# with nodes, relations and chosen columns.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# pairs FILE: the edges that filter left, or the matches of one edge, as "a-b c-d"
pairs() {
awk -F '\t' '$1 == "match" { first = 2 } /^#/ || $1 == "source" || $1 == "match" || $2 == "" { next }
  { a = first ? $2 : $1; print (a < $3) ? a "-" $3 : $3 "-" a }' "$1" | sort -u | paste -s -d ' '
}

# both WANTED PATTERN GRAPH OPTION..: of a pattern with one edge both commands tell the same pairs
both() {
local wanted=$1 pattern=$2 graph=$3 files=() i
shift 3
exits 0 "filter $graph $*" filter "$graph" -p "$pattern" "$@" -o left.tsv
check "filter $graph $*: edges" same "$(pairs left.tsv)" "$wanted"
exits 0 "typed-match $graph $*" typed-match "$graph" -p "$pattern" "$@" -o both.tsv
check "typed-match $graph $*: matches" same "$(pairs both.tsv)" "$wanted"
# what else is said of the inputs is in the result
for ((i = 1; i < $#; i++)); do
  case ${!i} in
  -c | --nodes | --relations | --alias | --obo) files+=("${@:i:2}") ;;
  esac
done
exits 0 "verify $graph $*" verify both.tsv "$graph" -p "$pattern" "${files[@]}"
}
printf 'source\tmetaedge\ttarget\nDrug::1\tDbG\tGene::1\nGene::1\tGr>G\tGene::2\nDrug::2\tDbG\tGene::2\nDrug::1\tDrD\tDrug::2\n' >het.tsv
both 'Drug::1-Gene::1 Drug::2-Gene::2' '(:Drug)-[DbG]-(:Gene)' het.tsv
both 'Gene::1-Gene::2' '(:Gene)-[Gr>G]->(:Gene)' het.tsv --format hetionet
both 'Gene::1-Gene::2' '(:Gene)<-[G<rG]-(:Gene)' het.tsv
printf 'key\tlabel\tclass\nDrug::1\tone\told\nDrug::2\ttwo\tnew\nGene::1\tg\tgene\nGene::2\th\tgene\n' >kinds.tsv
both 'Drug::2-Gene::2' '(:new)--(:gene)' het.tsv --nodes kinds.tsv --node-column key --node-type-column class
both 'Drug::1-Gene::1' '(:one)--(:g)' het.tsv --nodes kinds.tsv --node-column 1 --node-type-column label
printf 'a r b\nb s c\nb r d e\n' >net.blanks
both 'a-b b-d b-e' '()-[r]-()' net.blanks --format sif
printf 'id\tkind\na\tout\nb\tboth\n' >ends.tsv
both 'a-b' '(:both)<-[r]-()' net.blanks --format sif --directed --nodes ends.tsv
check '--directed is told' grep -qx '# directed: 1' both.tsv
printf 'r\tr-of\ns\ts\n' >ways.tsv
both 'a-b' '(:both)-[r-of]->()' net.blanks --format sif --relations ways.tsv --nodes ends.tsv
printf 'u\tk\tv\tku\tkv\na\tr\tb\tX\tY\nb\tr\tc\tY\tX\nc\ts\ta\tX\tX\n' >table.tsv
both 'a-b b-c' '(:X)-[r]-(:Y)' table.tsv --source-column u --target-column v --type-column k \
  --source-type-column ku --target-type-column kv
both 'a-b' '(:X)-->(:Y)' table.tsv --source-column 1 --target-column 3 --type-column none \
  --source-type-column 4 --target-type-column 5 --directed
check 'no types of edges' grep -q '^# type_column: none$' both.tsv
printf 'source\ttype\ttarget\nx\tr\ty\n' >named.tsv
both 'x-y' '()-[r]-()' named.tsv --format table
gzip -c het.tsv >het.gz
both 'Gene::1-Gene::2' '(:Gene)--(:Gene)' het.gz
