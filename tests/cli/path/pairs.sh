# Paths of many pairs come in order, by any number of threads, from files and standard input, with
# limits, and as JSON.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# The rows of a pair's path as "TYPE VERTEX" on one line.
steps() { rows | awk -F '\t' '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $6, $7 }'; }
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
