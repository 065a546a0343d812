# Results of typed-match on typed, directed and coloured graphs are verified in both encodings,
# and refused with other inputs or damage; their JSON follows the schema.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

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
    exits 0 "typed-match $form $kind $pattern" typed-match "$graph" -p "$pattern" "${given[@]}" "$@" $form $kind -o "result$form.gz"
    exits 0 "verify $form $kind $pattern" verify "result$form.gz" "$graph" -p "$pattern" "${given[@]}"
    check "verify $form $kind $pattern: recounted" same "$(grep -E 'command|recount' out | tr '\n\t' ';:')" 'command:typed-match;recount:complete;'
  done
done
}
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
