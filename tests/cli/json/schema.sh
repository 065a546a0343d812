# JSON lines of five commands follow docs/result.schema.json, and any key less, more or of another
# type does not.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 json list g.tsv --colors c.tsv -m red,blue,green --json
cp out list.json
exits 0 'json screen' screen g.tsv --colors c.tsv -m red:2,blue --json --all -r e
cp out screen.json
if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
  call list g.tsv --colors c.tsv -m red,blue,green --json -x -o exact.json
  call screen g.tsv --colors c.tsv -m red --json -o plain.json
  call list g.tsv --colors c.tsv -m red --json --name-column 1 --color-column 2 -l 1 -o columns.json
  call verify list.json g.tsv --colors c.tsv --json -o verdict.json
  checks=$((checks + 1))
  python3 - "$here/../docs/result.schema.json" {list,screen,exact,plain,columns,verdict}.json \
    >err 2>&1 <<'PY' || fail 'JSON lines follow docs/result.schema.json' "$(cat err)"
import copy, json, sys
from jsonschema import Draft202012Validator as Validator
schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
validator = Validator(schema)
lines = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
for line in lines:
    for error in validator.iter_errors(line):
        sys.exit("%s: %s" % (line, error.message))
kinds = {line["type"] for line in lines}
assert kinds == {"header", "match", "vertex", "end", "verdict"}, kinds
# it can refuse: a key less, a key more, another type
refused = 0
optional = {"required", "rows", "name_column", "color_column"}
for line in lines:
    for key in line:
        less = copy.deepcopy(line)
        del less[key]
        more = dict(line, **{"fool": 1})
        other = dict(line, **{key: {"x": 1}})
        for wrong in [more, other] + ([less] if key not in optional else []):
            assert not validator.is_valid(wrong), wrong
            refused += 1
assert refused > 100
PY
else
  skip 'JSON lines are not validated against the schema: no python3 with jsonschema'
fi
