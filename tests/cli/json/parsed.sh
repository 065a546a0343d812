# JSON lines of list and screen, parsed by python, hold what the text says.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 json list g.tsv --colors c.tsv -m red,blue,green --json
check 'json rows' same "$(sed -n 2p out)" '{"type":"match","match":1,"vertices":["a","b","d"]}'
cp out list.json
exits 0 'json screen' screen g.tsv --colors c.tsv -m red:2,blue --json --all -r e
cp out screen.json
if command -v python3 >/dev/null; then
  for f in list.json screen.json; do
    checks=$((checks + 1))
    python3 - $f >err 2>&1 <<'PY' || fail "$f parses" "$(cat err)"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
head, rows, end = lines[0], lines[1:-1], lines[-1]
assert head["type"] == "header" and head["tool"] == "motifsieve" and head["schema"] == 1
assert head["status"] == "complete" and head["k"] == 3 and head["seed"] == 1
assert head["graph"]["vertices"] == 6 and head["colors"]["colors"] == 3
assert 0 <= head["miss_bound"] <= 1e-6 and head["miss_bound_formula"]
assert end["type"] == "end" and end["rows"] == len(rows)
if head["command"] == "list":
    assert head["matches"] == 3 and [r["match"] for r in rows] == [1, 2, 3]
else:
    assert head["rows"] == "all" and head["required"] == ["e"]
    assert [r["vertex"] for r in rows if r["flagged"]] == ["c", "d", "e"]
    assert rows[3]["colors"] == ["blue", "green"]
PY
  done
else
  skip 'JSON is not parsed: no python3'
fi
