# --verbose and plan tell what is done, and plan --json parses.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'verbose' list g.tsv -c c.tsv -p path.tve -v
for fact in 'pattern: path.tve: tve: 3 vertices, 2 edges; 2 vertices accept' 'screen: ' 'engine: ' \
  '8 subgraphs, 8 embeddings .the pattern has 1 automorphisms' 'seconds: read .*plan .*list'; do
  check "verbose tells [$fact]" grep -Eq "^motifsieve: $fact" err
done
exits 0 'plan' plan g.tsv -p house
# one line for the whole, one of titles, one a vertex
check 'plan tells of every vertex' same "$(grep -Ec '^ +[0-4]  [0-4] ' out)" 5
exits 0 'plan as JSON' plan g.tsv -p house --json --induced --order degree --embeddings -o plan.json
if command -v python3 >/dev/null; then
  check 'plan as JSON parses' python3 -c 'import json; p = json.load(open("plan.json"))
assert p["order"] == "degree" and p["induced"] and not p["constrained"] and len(p["levels"]) == 5, p'
fi
