# Statistics as JSON, parsed by python, are those worked out by hand; wrong calls are refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'stats --json' stats g.tsv --colors c.tsv -m green:2 --json -o stats.json
check 'nothing on stdout' test ! -s out
if command -v python3 >/dev/null; then
  checks=$((checks + 1))
  python3 - stats.json >err 2>&1 <<'PY' || fail 'stats.json parses' "$(cat err)"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["schema"] == 1 and s["command"] == "stats" and s["graph"]["vertices"] == 6
assert s["graph"]["dropped"] == {"self_loops": 1, "duplicates": 1, "below_score": 0, "filtered": 0}
assert s["degrees"]["median"] == 2 and sum(c["vertices"] for c in s["degrees"]["histogram"]) == 6
assert s["components"] == {"count": 1, "largest_vertices": 6, "largest_edges": 6}
assert s["colors"]["frequencies"][0] == {"color": "red", "vertices": 3}
assert s["motif"]["colors"] == [{"color": "green", "slots": 2, "vertices": 1, "missing": True}]
assert s["motif"]["left"] == {"vertices": 0, "edges": 0, "components": 0}
PY
fi
refuses 2 'no GRAPH file' stats
refuses 2 'no colours: give --colors' stats g.tsv -m red
refuses 2 'do not go together' stats g.tsv --colors c.tsv -m red --motif-file m.txt
refuses 2 "unknown colour 'rde'; did you mean 'red'" stats g.tsv --colors c.tsv -m rde
refuses 2 "option '--exact' is not one of" stats g.tsv --exact
refuses 2 'is the input' stats g.tsv -o ./g.tsv
refuses 3 'nowhere' stats nowhere.tsv
cp g.tsv $'g\xff.tsv'
refuses 3 'not UTF-8' stats $'g\xff.tsv' --json
