# Rows of match of typed patterns in parts: merge gives the file of the undivided run, byte by byte, also where roots are cut;
# verify checks the rows of a part; what is refused, and each damaged bit.
# shellcheck shell=bash disable=SC2016,SC2034,SC2086,SC2154

# a hub h with most of the others near it, which is cut among its neighbours
awk 'BEGIN { s = 77
  print "source\ttype\ttarget"
  for (i = 0; i < 1500; i++) { s = (s * 16807) % 2147483647; a = s % 200
    s = (s * 16807) % 2147483647; b = int(a * (s % 200) / 200); s = (s * 16807) % 2147483647; t = s % 3
    if (a != b) print "v" a "\tr" t "\tv" b }
  for (i = 0; i < 160; i++) print "h\tr" i % 3 "\tv" i "\nv" i + 20 "\tr1\th" }' >typed.tsv
awk 'BEGIN { print "name\ttype"; print "h\thub"; for (i = 0; i < 200; i++) print "v" i "\t" (i % 3 ? "red" : "blue") }' >nodes.tsv
printf 'v1\tone\nv2\ttwo, or so\n' >labels.tsv
whole_only=(--engine cpu --screen never)
hidden=typed.tsv # the inputs are not needed
while IFS='|' read -r query options; do
  merges_to_whole '1 2 3 7' match typed.tsv --nodes nodes.tsv "$query" $options -q
done <<'END'
(x)-[:r0]->(y)
(x)-[:r0]->(y)-[:r1]->(z)|--json
(x:red)-[:r0]->(y)-[:r1]->(z), (x)-[:r2]->(z)|--embeddings
(x)-[]-(y)-[]-(z)-[]-(x)
(x:blue)-[:r0]-(y)-[]-(z)-[]-(x)|--induced --long --labels labels.tsv
(x)-[:r9]->(y)
(w)-[:r0]->(x), (w)-[:r0]->(y)|--labels labels.tsv --json
(x)-[:r0]->(y), (x)-[:r1]->(y)
(x)-[:r0]->(y)<-[:r1]-(z), (z)-[:r2]->(x)|--induced
(x:hub)-[:r0]->(y)-[:r1]->(z)
END
check 'the only root is cut' test "$(sed -n 's/^# units: //p' p1)" -gt 1
# a plain graph whose colours are types
merges_to_whole '2 5' match g.tsv -c c.tsv '(x:red)-[]-(y:blue)' -q

query='(x)-[:r0]->(y)-[:r1]->(z)'
for part in 1 2; do "$motifsieve" match typed.tsv --nodes nodes.tsv "$query" --part $part/2 -o p$part.tsv -q; done
"$motifsieve" match g.tsv -c c.tsv '(x:red)-[]-(y:blue)' --part 2/2 --json -o j2.json -q
part_follows_schema j2.json
exits 0 'verify checks the rows of a part' verify p2.tsv typed.tsv --nodes nodes.tsv "$query"
check 'and says that it is a part' grep -Eq 'part' err out
call merge p2.tsv p1.tsv -o merged
exits 0 'verify accepts the merged file' verify merged typed.tsv --nodes nodes.tsv "$query" --json
check 'none is missing' grep -q '"missing":"none"|"completeness":"proved"|"recounted":true' -E out
refuses 3 'part 1 of 2 is missing' merge p2.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
refuses 3 "j2.json: is a part of another run than p1.tsv: 'form' is TSV" merge p1.tsv j2.json
"$motifsieve" match typed.tsv --nodes nodes.tsv "$query" --part 2/2 --embeddings -o other.tsv -q
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'semantics' is subgraphs in the first file, and embeddings" merge p1.tsv other.tsv
"$motifsieve" match typed.tsv --nodes nodes.tsv "$query" --part 2/2 --count -o other.tsv -q
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'count' is no in the first file, and yes" merge p1.tsv other.tsv
"$motifsieve" match typed.tsv --nodes nodes.tsv "$query" --part 2/2 --long -o other.tsv -q
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'rows' is not given in the first file, and long in this part" merge p1.tsv other.tsv
"$motifsieve" match typed.tsv "$query" --part 2/2 -o other.tsv -q
refuses 3 "other.tsv: is a part of another run than p1.tsv: the first file has 'nodes of the graph'" merge p1.tsv other.tsv
sed -E 's/^(# unit_rows: [0-9]+:)[0-9]+/\19/' p1.tsv >x
mend x
refuses 3 'x: refused: the numbers of rows of its units are wrong' merge x p2.tsv
wrong_bits p2.tsv 30 merge p1.tsv WRONG -o m.tsv
refuses 2 'a search for a limited number of matches cannot be divided' match typed.tsv "$query" --limit 3 --part 1/2
refuses 2 'the state of a list of the matches of a typed pattern cannot be saved' match typed.tsv "$query" --checkpoint ck
refuses 2 'the state of a list of the matches of a typed pattern cannot be saved; leave out --checkpoint' match typed.tsv "$query" --part 1/2 --checkpoint ck
refuses 2 'need the engine cpu, which knows the order of rows; leave out --engine' match typed.tsv "$query" --engine dfs --part 1/2
refuses 2 'a search for matches with required vertices cannot be divided' match typed.tsv "$query" --part 1/2 --require v3
refuses 2 'a search after the sieve cannot be divided' match typed.tsv "$query" --part 1/2 --screen always
refuses 2 'an inexact search cannot be divided' match typed.tsv "$query" --inexact --part 1/2
refuses 2 'a part of a search cannot be written in this form' match typed.tsv "$query" --part 1/2 --binary -o x.bin
refuses 2 'a part of a search cannot be written in this form' match typed.tsv "$query" --part 1/2 --dot
