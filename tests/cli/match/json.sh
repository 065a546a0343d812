# JSON of typed matches and counts, parsed by python, is that of the text.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

printf 'a r b\nb s c\nb r d e\n' >net.blanks
printf 'id\tkind\na\tout\nb\tboth\n' >ends.tsv
printf 'r\tr-of\ns\ts\n' >ways.tsv
local triangle='(c:C)-[CbG]-(g:G)-[GiG]-(h:G)-[CbG]-(c)'
exits 0 'a pattern as text' typed-match ring.sif -p "$triangle" -o text.tsv
exits 0 'typed-match --json' typed-match ring.sif -p triangle.txt --json -o rows.json
exits 0 'typed-match --json --embeddings' typed-match net.blanks --format sif --directed --nodes ends.tsv --relations ways.tsv \
  -p '(x:both)-[s]->(y)' --json --embeddings -o more.json
exits 0 'typed-match --count --json' typed-match ring.sif -p triangle.txt --json --count -o count.json
if ! command -v python3 >/dev/null; then
  skip 'JSON of typed matches is not parsed: no python3'
  return
fi
checks=$((checks + 1))
python3 - <<'PY' >err 2>&1 || fail 'typed-match --json' "$(cat err)"
import json
head, *rows, end = [json.loads(line) for line in open("rows.json")]
assert head["command"] == "typed-match" and head["mode"] == "exact" and head["semantics"] == "subgraphs"
assert head["graph"]["format"] == "hetionet" and (head["graph"]["vertices"], head["graph"]["edges"]) == (10, 15)
assert head["pattern"]["path"] == "triangle.txt" and "text" not in head["pattern"]
assert head["pattern"]["names"] == ["c", "g", "h"] and head["automorphisms"] == "2"
table = [line.rstrip("\n").split("\t") for line in open("text.tsv") if line[0].isdigit()]
assert [[str(row["match"])] + row["vertices"] for row in rows] == table, rows
assert end["status"] == "complete" and end["matches"] == "5" and end["rows"] == 5
head, *rows, end = [json.loads(line) for line in open("more.json")]
assert head["semantics"] == "embeddings" and head["graph"]["directed"] is True
assert head["graph"]["nodes"]["path"] == "ends.tsv" and head["graph"]["relations"]["path"] == "ways.tsv"
assert head["pattern"]["text"] == "(x:both)-[s]->(y)"
assert sorted(row["vertices"] for row in rows) == [["b", "c"]], rows
count = [json.loads(line) for line in open("count.json")]
assert count == [{"type": "count", "count": "5", "semantics": "subgraphs", "automorphisms": "2", "mode": "exact",
                  "status": "complete"}], count
PY
