# Rows of match of typed patterns in parts: merge gives the file of the undivided run, byte by byte, also where roots are cut;
# verify checks the rows of a part; with checkpoints that survive kills and stops; what is refused, and each damaged bit.
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
(x)-[:r9]->(y)|--ignore-unknown
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
follows_schema j2.json
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
refuses 2 'need the engine cpu, which knows the order of rows; leave out --engine' match typed.tsv "$query" --engine dfs --part 1/2
refuses 2 'a search for matches with required vertices cannot be divided' match typed.tsv "$query" --part 1/2 --require v3
refuses 2 'a search after the sieve cannot be divided' match typed.tsv "$query" --part 1/2 --screen always
refuses 2 'an inexact search cannot be divided' match typed.tsv "$query" --inexact --part 1/2
refuses 2 'a part of a search cannot be written in this form' match typed.tsv "$query" --part 1/2 --binary -o x.bin
refuses 2 'a part of a search cannot be written in this form' match typed.tsv "$query" --part 1/2 --dot

# checkpoints
awk 'BEGIN { s = 5
  print "source\ttype\ttarget"
  for (i = 0; i < 12000; i++) { s = (s * 16807) % 2147483647; a = s % 700
    s = (s * 16807) % 2147483647; b = int(a * (s % 700) / 700); s = (s * 16807) % 2147483647; t = s % 3
    if (a != b) print "v" a "\tr" t "\tv" b } }' >large.tsv
while IFS='|' read -r options; do
  survives "$(kills 4 2)" 0.01 match large.tsv -t 2 --screen never --engine cpu "$query" $options
  ends_as_whole match large.tsv -t 2 --screen never --engine cpu "$query" $options
done <<'END'
--long
--binary
--json --embeddings
--part 2/3
END
exits 0 'nothing can match, and nothing is saved' match large.tsv "(x)-[:none]->(y)" --ignore-unknown --checkpoint ck -o out -q
check 'no checkpoint is left' test ! -e ck -a ! -e ck.rows
long='(x)-[]-(y)-[]-(z)-[]-(w)'
stops_with_state 0.7 match large.tsv "$long" -t 1 -o out --checkpoint-seconds 0.01
cp ck kept
cp ck.rows kept.rows
resume=(--checkpoint ck --resume -o out -q --timeout 20)
head -n 9000 large.tsv >other.tsv
refuses 3 "another run: 'checksum of the edges of the pattern's types' is" match other.tsv "$long" "${resume[@]}"
refuses 3 "another run: 'types that the pattern names' is not given in the checkpoint, and r0 in this run" match large.tsv "${long/\[\]/[:r0]}" "${resume[@]}"
refuses 3 "another run: 'checksum of the pattern's edges' is" match large.tsv '(x)-[]-(y)-[]-(z)-[]-(w)-[]-(x)' "${resume[@]}"
refuses 3 "another run: 'induced' is no in the checkpoint, and yes" match large.tsv "$long" "${resume[@]}" --induced
refuses 3 "another run: 'embeddings' is no in the checkpoint, and yes" match large.tsv "$long" "${resume[@]}" --embeddings
refuses 3 "another run: 'part' is all in the checkpoint, and 1 of 2" match large.tsv "$long" "${resume[@]}" --part 1/2
refuses 3 "another run: 'command' is list of the matches of a pattern in the checkpoint, and count of a pattern" \
  match large.tsv "$long" --count "${resume[@]}"
tr '\0' '\1' <kept.rows >ck.rows
refuses 3 'ck.rows: the rows of the checkpoint are damaged' match large.tsv "$long" "${resume[@]}"
rm ck.rows
refuses 3 'ck.rows: the rows of the checkpoint are missing' match large.tsv "$long" "${resume[@]}"
check 'refusals leave the checkpoint' cmp ck kept
cp kept.rows ck.rows
cp kept.rows wrong.rows
wrong_bits kept 30 match large.tsv "$long" -o x.tsv -q --resume --timeout 20 --checkpoint WRONG
late='a checkpoint had' call_late match large.tsv "$long" --checkpoint ck --resume -o out -v --timeout 0.5
check 'it says what the checkpoint had' grep -q 'units, of which a checkpoint had [1-9]' err
