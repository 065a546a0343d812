# Components as JSON, parsed by python, are those of the text.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

printf 'x\ty\nc\ta\na\tb\nq\tp\np\tr\nr\tq\nk\tl\nl\tm\nm\tn\nk\tn\n' >parts.tsv
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
