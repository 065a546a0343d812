#!/usr/bin/env bash
# components, end to end; one function a subcommand.
# Usage: tests/cli_typed.sh PATH/TO/motifsieve
set -u

# shellcheck source=tests/cli_lib.sh
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
finish
