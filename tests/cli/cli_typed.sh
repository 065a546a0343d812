#!/usr/bin/env bash
# Typed graphs, end to end: a function for each subcommand.
# Usage: tests/cli/cli_typed.sh PATH/TO/motifsieve
set -u

# shellcheck source=tests/cli/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"

components() {
  # of 4, 3, 3 and 2 vertices, in another order
  printf 'x\ty\nc\ta\na\tb\nq\tp\np\tr\nr\tq\nk\tl\nl\tm\nm\tn\nk\tn\n' >parts.tsv
  exits 0 components components parts.tsv
  check 'components: rows' same "$(rows)" "$(printf '%s\t%d\t%d\n' \
    k 1 4 l 1 4 m 1 4 n 1 4 c 2 3 a 2 3 b 2 3 q 3 3 p 3 3 r 3 3 x 4 2 y 4 2)"
  check 'components: columns' same "$(grep -v '^#' out | head -n 1)" $'vertex\tcomponent\tsize'
  check 'components: head' grep -qx '# components: 4' out
  check 'components: graph' grep -q '^# graph: parts.tsv crc32c=[0-9a-f]* vertices=12 edges=10 ' out
  check 'components: end' grep -q '^# end: rows=12 crc32c=[0-9a-f]\{8\}$' out
  cp out whole
  for algorithm in afforest kahan bully; do
    for threads in 1 3; do
      exits 0 "components --algorithm $algorithm" components parts.tsv --algorithm $algorithm -t $threads -o one
      check "components --algorithm $algorithm" cmp whole one
    done
  done
  exits 0 'components --count' components parts.tsv --count
  check 'components --count' same "$(cat out)" 4
  exits 0 'components --count --min-size' components parts.tsv -n --min-size 3
  check 'components --count --min-size' same "$(cat out)" 3
  exits 0 'components --sizes' components parts.tsv --sizes
  check 'components --sizes' same "$(rows)" "$(printf '%d\t%d\t%s\n' 1 4 k 2 3 c 3 3 q 4 2 x)"
  exits 0 'components --largest' components parts.tsv --largest
  check 'components --largest' same "$(rows | cut -f 1 | tr '\n' ' ')" 'k l m n '
  check 'components --largest: head' same "$(grep -c -x -e '# components: 4' -e '# shown: 1' out)" 2
  exits 0 'components --min-size' components parts.tsv --min-size 3 --sizes
  check 'components --min-size' same "$(rows | wc -l)" 3
  check 'components --min-size: head' same "$(grep -c -x -e '# min_size: 3' -e '# shown: 3' out)" 2
  exits 0 'components --min-size, none' components parts.tsv --min-size 5
  check 'components --min-size, none' same "$(rows)" ''
  exits 0 'components --verbose' components parts.tsv -v
  check 'components --verbose' grep -q '^motifsieve: seconds: read .*components' err
  exits 0 'components of scored links' components parts.tsv --format edge-list --header
  check 'components: the header is no edge' same "$(rows | wc -l)" 10
  components_json
  refuses 2 'no GRAPH file' components
  refuses 2 'do not go together' components parts.tsv --count --sizes
  refuses 2 'do not go together' components parts.tsv --count --largest
  refuses 2 'do not go together' components parts.tsv --largest --min-size 2
  refuses 2 'wants afforest, kahan or bully' components parts.tsv --algorithm fast
  refuses 2 'wants a whole number' components parts.tsv --min-size 0
  refuses 2 "not one of 'motifsieve components'" components parts.tsv --colors c.tsv
  refuses 2 'is the input' components parts.tsv -o ./parts.tsv
  refuses 3 'nowhere' components nowhere.tsv
  refuses 3 'not UTF-8' components $'p\xff.tsv' --json
}

components_json() {
  cp parts.tsv $'p\xff.tsv'
  exits 0 'components --json' components parts.tsv --json -o parts.json
  exits 0 'components --json --sizes' components parts.tsv --json --sizes --min-size 3 -o sizes.json
  exits 0 'components --json --count' components parts.tsv --json --count -o count.json
  checks=$((checks + 1))
  python3 - >err 2>&1 <<'PY' || fail 'components --json parses' "$(cat err)"
import json
whole, sizes, count = ([json.loads(line) for line in open(name)]
                       for name in ("parts.json", "sizes.json", "count.json"))
head = whole[0]
assert head["type"] == "header" and head["command"] == "components" and head["components"] == 4
assert head["graph"]["vertices"] == 12
rows = [(r["vertex"], r["component"], r["size"]) for r in whole if r["type"] == "vertex"]
assert len(rows) == 12 and rows[0] == ("k", 1, 4) and rows[-1] == ("y", 4, 2), rows
assert whole[-1]["type"] == "end" and whole[-1]["rows"] == 12
assert [(r["component"], r["size"], r["example"]) for r in sizes[1:-1]] == [(1, 4, "k"), (2, 3, "c"), (3, 3, "q")]
assert sizes[0]["min_size"] == 3 and sizes[0]["shown"] == 3
assert len(count) == 1 and count[0]["components"] == 4
PY
}

components
# ---- gen ------------------------------------------------------------------------
gen_types() {
  local er='gen er -n 300 --edges 6000 --seed 5 --edge-types 4 --directed-types 2'
  refuses 2 '--directed-types counts some of the --edge-types' gen er -n 9 --edges 9 --directed-types 1
  refuses 2 '--directed-types counts some' gen er -n 9 --edges 9 --edge-types 1 --directed-types 2
  refuses 2 'option --edge-types wants a whole number from 1' gen er -n 9 --edges 9 --edge-types 0
  refuses 2 'option --edge-types wants' gen er -n 9 --edges 9 --edge-types 32768
  refuses 2 '--edge-types and --to do not go together' gen er -n 9 --edges 9 --edge-types 2 --to sif
  # shellcheck disable=SC2086
  exits 0 'gen: types of edges' $er -t 1 --uniform-colors 3 -o t1.tsv
  # shellcheck disable=SC2086
  exits 0 'gen: by two threads' $er -t 2 --uniform-colors 3 --colors-out c.tsv -o t2.tsv
  check 'gen: types do not depend on threads' cmp t1.tsv t2.tsv
  check 'gen: relations' same "$(grep -c '^#relation' t1.tsv) $(grep '^#relation' t1.tsv | awk -F '\t' '$2 != $3' | wc -l)" '4 2'
  check 'gen: edges' same "$(awk -F '\t' '/^#/ || $2 == "type" { next } $2 != ""' t1.tsv | wc -l)" 6000
  # 1500 a relation: 6 standard deviations are 202
  check 'gen: types are uniform' same "$(awk -F '\t' '$2 ~ /^t[0-9]$/ { n[$2]++ }
    END { for (t in n) { if (n[t] < 1298 || n[t] > 1702) bad = 1; k++ } print k, bad + 0 }' t1.tsv)" '4 0'
  # shellcheck disable=SC2086
  exits 0 'gen: the same graph without types' gen er -n 300 --edges 6000 --seed 5 --to edge-list -o plain.tsv
  check 'gen: the same edges' same "$(awk -F '\t' '/^#/ || $2 == "type" || $2 == "" { next } { print ($1 + 0 < $3 + 0) ? $1 "-" $3 : $3 "-" $1 }' t1.tsv | sort | cksum)" \
    "$(awk -F '\t' '!/^#/ { print ($1 + 0 < $2 + 0) ? $1 "-" $2 : $2 "-" $1 }' plain.tsv | sort | cksum)"
  check 'gen: colours are types' same "$(awk -F '\t' '!/^#/ && $2 != "type" { print $1 "\t" $4; if ($3 != "") print $3 "\t" $5 }' t1.tsv | sort -u | cksum)" \
    "$(sort -u c.tsv | cksum)"
  exits 0 'gen: to standard output' gen clique -n 3 --edge-types 1
  check 'gen: untyped vertices' same "$(cat out)" "$(printf '#relation:\tt0\tt0\nsource\ttype\ttarget\tsource_type\ttarget_type\n0\t\t\tuntyped\t\n1\tt0\t0\tuntyped\tuntyped\n2\tt0\t0\tuntyped\tuntyped\n2\tt0\t1\tuntyped\tuntyped')"
}

# ---- convert --------------------------------------------------------------------
convert_types() {
  printf 'source\tmetaedge\ttarget\nG::1\tGr>G\tG::2\nD::1\tDaG\tG::1\nG::2\tGiG\tG::1\n' >het.sif
  printf 'id\tname\tkind\nG::1\tone\tGene\nG::2\ttwo\tGene\nD::1\td\tDisease\nD::2\te\tDisease\n' >nodes.tsv
  printf 'p\tq\ta\tb\nx\ty\tX\tY\n' >columns.tsv
  exits 0 'convert: with a table of nodes' convert het.sif --nodes nodes.tsv --to tve
  check 'convert: types of vertices are colours' same "$(grep '^v' out | cut -d ' ' -f 3 | sort | uniq -c | tr -s ' \n' ' ')" ' 2 Disease 2 Gene '
  check 'convert: edges once' same "$(grep -c '^e' out)" 2
  exits 0 'convert: columns of nodes' convert het.sif --nodes nodes.tsv --node-column 1 --node-type-column name --to tve
  check 'convert: another column' same "$(grep '^v' out | cut -d ' ' -f 3 | tr '\n' ' ')" 'one two d e '
  exits 0 'convert: columns of edges' convert columns.tsv --source-column p --target-column 2 \
    --type-column none --source-type-column a --target-type-column b --to tve
  check 'convert: types of both ends' same "$(grep '^v' out | cut -d ' ' -f 3 | tr '\n' ' ')" 'X Y '
  refuses 2 'is for plain graphs, but the edges of het.sif have types' convert het.sif --nodes nodes.tsv -c nodes.tsv --to tve
  refuses 2 'a table of nodes is given, but nothing tells' convert plain.tsv --nodes nodes.tsv --to tve
  refuses 2 'is to be read as metis, a plain format' convert het.sif --nodes nodes.tsv --format metis --to tve
  refuses 2 'option --nodes wants a file' convert het.sif --nodes '' --to tve
  refuses 2 "option --type-column wants the name of a column" convert columns.tsv --type-column '' --to tve
  refuses 2 "is the input 'nodes.tsv'" convert het.sif --nodes nodes.tsv --to tve -o nodes.tsv
  refuses 3 'het.sif: holds no edges|nowhere.tsv' convert het.sif --nodes nowhere.tsv --to tve
}

# ---- result files -----------------------------------------------------------------
# verified PATTERN GRAPH WHAT-VERIFY-NEEDS.. -- WHAT-TYPED-MATCH-NEEDS-MORE..: both forms of both kinds of rows
verified() {
  local pattern=$1 graph=$2 given=() form kind
  shift 2
  while [ "$1" != -- ]; do
    given+=("$1")
    shift
  done
  shift
  for form in '' --json; do
    for kind in '' --embeddings; do
      # shellcheck disable=SC2086
      exits 0 "typed-match $form $kind $pattern" typed-match "$graph" -p "$pattern" "${given[@]}" "$@" $form $kind -o "result$form.gz"
      exits 0 "verify $form $kind $pattern" verify "result$form.gz" "$graph" -p "$pattern" "${given[@]}"
      check "verify $form $kind $pattern: recounted" same "$(grep -E 'command|recount' out | tr '\n\t' ';:')" 'command:typed-match;recount:complete;'
    done
  done
}

typed_results() {
  printf 'source\ttype\ttarget\nd"1\tbinds\tg1\nd"1\tbinds\tg1\nd"1\tbinds\tg2\nd2\tbinds\tg1\nd2\tbinds\tg2\ng1\tacts\tg2\n' >t.tsv
  printf 'id\tkind\nd"1\tDrug\nd2\tDrug\ng1\tGene\ng2\tGene\n' >n.tsv
  printf 'acts\tacted\nbinds\tbound\n' >r.tsv
  printf 'binds\tbound\n' >r2.tsv
  printf 'from\trel\tto\tk1\tk2\nu\tr\tv\tA\tB\nw\tr\tv\tA\tB\nv\tr\tu\tB\tA\n' >c.tsv
  printf 'a\tb\nb\tc\nc\td\nd\ta\na\tc\n' >p.tsv
  printf 'a\tred\nb\tblue\nc\tred\nd\tblue\nd\tgreen\n' >colors.tsv
  printf '# one edge\n(a:A)-[r]->(b:B)\n' >pattern.txt
  local v='(a:Drug)-[binds]->(g:Gene)<-[binds]-(b:Drug)'
  verified "$v" t.tsv --nodes n.tsv --relations r.tsv --
  verified pattern.txt c.tsv -- --directed --source-column from --target-column to --type-column rel \
    --source-type-column k1 --target-type-column k2
  verified '(x:red)--(y:blue)' p.tsv -c colors.tsv --
  verified '(x)-->(y)-->(z)' p.tsv -- --directed
  exits 0 'typed-match: rows to change' typed-match t.tsv --nodes n.tsv --relations r.tsv -p "$v" -o good.tsv
  check 'typed-match: the smallest rows' same "$(grep -E '^[0-9]' good.tsv | tr '\n\t' ';,')" '1,d"1,g1,d2;2,d"1,g2,d2;'
  sed 's/^2\(.*\)g2/2\1g1/' good.tsv >wrong.tsv
  refuses 3 'wrong.tsv: refused: the file was changed or damaged' verify wrong.tsv t.tsv --nodes n.tsv --relations r.tsv -p "$v"
  refuses 3 "'$v' is not the pattern|is not the pattern that" verify good.tsv t.tsv --nodes n.tsv --relations r.tsv -p '(a)--(b)'
  refuses 2 'the result was made with --nodes n.tsv; give it' verify good.tsv t.tsv --relations r.tsv -p "$v"
  refuses 3 'is not the relation file that the result was made from' verify good.tsv t.tsv --nodes n.tsv --relations r2.tsv -p "$v"
  exits 0 'typed-match --inexact' typed-match t.tsv --nodes n.tsv --relations r.tsv -p "$v" --inexact --json -o near.json
  exits 0 'typed-match --count --json' typed-match t.tsv --nodes n.tsv --relations r.tsv -p "$v" --count --json -o count.json
  refuses 2 'the result was made with --inexact' verify near.json t.tsv --nodes n.tsv --relations r.tsv -p "$v"
  gzip -dc result--json.gz >rows.json
  exits 0 'verify --json of typed matches' verify good.tsv t.tsv --nodes n.tsv --relations r.tsv -p "$v" --json -o verdict.json
  exits 0 'typed-match --json' typed-match t.tsv --nodes n.tsv --relations r.tsv -p "$v" --json -o table.json
  if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    skip 'typed JSON lines are not validated against the schema: no python3 with jsonschema'
    return
  fi
  checks=$((checks + 1))
  python3 - "$here/../docs/result.schema.json" {rows,table,near,count,verdict}.json >err 2>&1 <<'PY' || fail 'typed JSON lines follow docs/result.schema.json' "$(cat err)"
import json, sys
from jsonschema import Draft202012Validator as Validator
validator = Validator(json.load(open(sys.argv[1])))
for name in sys.argv[2:]:
    for line in open(name):
        line = json.loads(line)
        validator.validate(line)
        assert not validator.is_valid({**line, "bogus": 1}), line
PY
}

# ---- path -----------------------------------------------------------------------
path_examples() {
  #   A -CbG- 1 -Gr>G-> 2 -DaG- D;  A -CtD- E;  Z -CbG- 9;  1 and 2 also -GiG-
  printf 'source\tmetaedge\ttarget\n' >net.sif
  printf '%s\t%s\t%s\n' Compound::A CbG Gene::1 Gene::1 'Gr>G' Gene::2 Disease::D DaG Gene::2 \
    Compound::A CtD Disease::E Compound::Z CbG Gene::9 Gene::1 GiG Gene::2 >>net.sif
  printf 'a b\nb c\nc d\n' >plain.txt
}

# steps: the rows of the pair's path as "TYPE VERTEX" on one line
steps() { rows | awk -F '\t' '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $6, $7 }'; }

path_usage() {
  refuses 2 'no GRAPH file' path
  refuses 2 'no SOURCE was given: .*--pairs' path net.sif
  refuses 2 'no TARGET was given: .*--pairs' path net.sif Gene::1
  refuses 2 "'Gene::9' is one word too many" path net.sif Gene::1 Gene::2 Gene::9
  refuses 2 "'Gene::1' is one word too many: --pairs" path net.sif Gene::1 --pairs pairs.tsv
  refuses 2 'option --max-length wants' path net.sif Gene::1 Gene::2 --max-length 0
  refuses 2 'option --types is given twice' path net.sif Gene::1 Gene::2 --types CbG --types GiG
  for list in '"CbG' 'CbG,' ',CbG' '"CbG"x' 'CbG,,GiG' '""'; do
    refuses 2 'types of edges with commas' path net.sif Gene::1 Gene::2 --types "$list"
  done
  refuses 2 'option --types wants' path net.sif Gene::1 Gene::2 --types ''
  refuses 2 "'CbX' is no type of edges of net.sif; did you mean 'CbG'" path net.sif Gene::1 Gene::2 --types CbG,CbX
  refuses 2 "SOURCE 'Gene::' is not a vertex of net.sif; did you mean 'Gene::" path net.sif Gene:: Gene::2
  refuses 2 "TARGET 'zzzzzzzz' is not a vertex of net.sif; known vertices are for example" path net.sif Gene::1 zzzzzzzz
  printf '# pairs\nGene::1\tGene::2\n\nGene::1\tGene::3\n' >bad_pairs.tsv
  refuses 3 "bad_pairs.tsv:4: 'Gene::3' is not a vertex of net.sif; did you mean" path net.sif --pairs bad_pairs.tsv
  for line in 'Gene::1' 'Gene::1\tGene::2\tGene::1'; do
    # shellcheck disable=SC2059
    printf "$line\n" >bad_pairs.tsv
    refuses 3 'bad_pairs.tsv:1: a line holds the names of two vertices' path net.sif --pairs bad_pairs.tsv
  done
  refuses 3 'nothing.tsv' path net.sif --pairs nothing.tsv
  refuses 2 'only one input' path - --pairs -
  refuses 2 "is the input 'bad_pairs.tsv'" path net.sif --pairs bad_pairs.tsv -o bad_pairs.tsv
}

path_results() {
  exits 0 'a path' path net.sif Compound::A Disease::D
  check 'its steps' same "$(steps)" '- Compound::A, CbG Gene::1, Gr>G Gene::2, DaG Disease::D'
  check 'its length' same "$(rows | cut -f 1-5 | tail -n 1)" "$(printf '1\tCompound::A\tDisease::D\t3\t3')"
  check 'its end' grep -q '^# end: rows=4 crc32c=' out
  exits 0 'the other way by another type' path net.sif Disease::D Compound::A
  check 'its steps' same "$(steps)" '- Disease::D, DaG Gene::2, GiG Gene::1, CbG Compound::A'
  exits 0 'not against a direction' path net.sif Gene::2 Gene::1 --types 'Gr>G'
  check 'no row but one of -' same "$(rows)" "$(printf '1\tGene::2\tGene::1\t-\t-\t-\t-')"
  exits 5 'none' path net.sif Gene::2 Gene::1 --types 'Gr>G' --fail-if-none
  exits 0 'against it, if asked' path net.sif Gene::2 Gene::1 --types 'Gr>G' --both-ways --fail-if-none
  check 'by the inverse' same "$(steps)" '- Gene::2, G<rG Gene::1'
  exits 0 'the inverse by its name' path net.sif Gene::2 Gene::1 --types '"^Gr>G",CbG'
  check 'by the inverse' same "$(steps)" '- Gene::2, G<rG Gene::1'
  exits 0 'too long' path net.sif Compound::A Disease::D --max-length 2
  check 'no path' same "$(rows | cut -f 4)" -
  exits 0 'long enough' path net.sif Compound::A Disease::D --max-length 3 --threads 2
  check 'a path' same "$(rows | wc -l)" 4
  exits 0 'from a vertex to itself' path net.sif Gene::9 Gene::9
  check 'no step' same "$(rows)" "$(printf '1\tGene::9\tGene::9\t0\t0\t-\tGene::9')"
  exits 0 'a plain graph' path plain.txt a d
  check 'its steps' same "$(steps)" '- a, edge b, edge c, edge d'
  exits 5 'a plain graph with directions' path plain.txt d a --directed --fail-if-none
}

path_pairs() {
  printf '# pairs\nCompound::A\tDisease::D\nCompound::A\tGene::9\n\nGene::1\tGene::1\n' >pairs.tsv
  exits 0 'pairs' path net.sif --pairs pairs.tsv --lengths
  check 'their lengths' same "$(rows | cut -f 3 | paste -s -d ' ')" '3 - 0'
  check 'counts' same "$(grep -cE '^# (pairs: pairs.tsv crc32c=[0-9a-f]{8}|searched: 3|found: 2)$' out)" 3
  exits 0 'pairs in full' path net.sif -p pairs.tsv -o pairs.out
  check 'rows in order' same "$(rows pairs.out | cut -f 1 | paste -s -d ' ')" '1 1 1 1 2 3'
  timeout 60 "$motifsieve" path net.sif -p - <pairs.tsv >out 2>err
  check 'pairs from standard input' same "$(rows)" "$(rows pairs.out)"
  : >no_pairs.tsv
  exits 5 'no pairs' path net.sif -p no_pairs.tsv --fail-if-none
  # thousands, by threads: each line beside one of its own
  for ((i = 0; i < 3000; i++)); do echo "v$i v$(((i * 7 + 1) % 3000))"; done >ring.txt
  for ((i = 0; i < 3000; i++)); do printf 'v%d\tv%d\n' "$i" $(((i * i + 5) % 3000)); done >ring.tsv
  exits 0 'many pairs' path ring.txt -p ring.tsv -t 1 -o one.out
  exits 0 'many pairs by threads' path ring.txt -p ring.tsv -t 2 -o two.out
  check 'the same for any number of threads' cmp one.out two.out
  exits 4 'no time' path ring.txt -p ring.tsv --timeout 0.000001s -o late.out
  check 'told so' grep -q '^# status: ' late.out
  check 'not as complete' test "$(grep -c 'status: complete' late.out)" -eq 0
}

path_json() {
  exits 0 'JSON lines' path net.sif -p pairs.tsv --json --both-ways
  if ! command -v python3 >/dev/null; then
    skip 'JSON is not parsed: no python3'
    return
  fi
  checks=$((checks + 1))
  python3 - <<'PY' >err 2>&1 || fail 'JSON lines parse' "$(cat err)"
import json
lines = [json.loads(line) for line in open("out")]
assert lines[0]["type"] == "header" and lines[0]["command"] == "path" and lines[0]["both_ways"] is True
assert lines[0]["graph"]["format"] == "hetionet" and lines[0]["graph"]["edges"] == 6
one, two, three, end = lines[1:]
assert one == {"type": "path", "pair": 1, "source": "Compound::A", "target": "Disease::D", "length": 3,
               "vertices": ["Compound::A", "Gene::1", "Gene::2", "Disease::D"], "types": ["CbG", "Gr>G", "DaG"]}, one
assert two["length"] is None and "vertices" not in two
assert three["vertices"] == ["Gene::1"] and three["types"] == []
assert end["status"] == "complete" and end["searched"] == 3 and end["found"] == 2 and end["rows"] == 3
PY
}

gen_types
convert_types
typed_results
path_examples
path_usage
path_results
path_pairs
path_json

finish
