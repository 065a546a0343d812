# census --per-vertex and list --participation, --part and merge: the file of the undivided run, also where vertices are cut; what is refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# a hub that is cut, with many neighbours that are joined, and vertices far from it
"$motifsieve" gen power-law -n 400 --exponent -1 --edges 1500 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
awk 'BEGIN { for (i = 0; i < 300; i++) print "hub\t" i }' >>kg.tsv
printf 'hub\tc0\nhub\tc2\n' >>kc.tsv
hidden=kg.tsv # the inputs are not needed
cuts=0
while read -r options; do
  merges_to_whole '1 3 7' census kg.tsv -c kc.tsv --per-vertex $options
  cuts=$((cuts + $(grep -Ec '	[0-9,]+$|"color_ids":\[[0-9]' p1)))
done <<'END'
-k 3
-k 4 --min-count 40
-k 4 --top 2 --json
-k 3 --primary-color --json
-k 4 --colors-only c1,c2
-k 2
END
check 'some vertex is cut' test $cuts -gt 0

for part in 1 2; do "$motifsieve" census kg.tsv -c kc.tsv --per-vertex -k 3 --part $part/2 -o p$part.tsv; done
"$motifsieve" census g.tsv -c c.tsv --per-vertex -k 3 --part 2/2 --json -o j2.json
follows_schema j2.json
refuses 2 'p1.tsv: is a part of a census of each vertex' verify p1.tsv kg.tsv -c kc.tsv
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
"$motifsieve" census kg.tsv -c kc.tsv --per-vertex -k 4 --part 2/2 -o other.tsv
refuses 3 "other.tsv: is a part of another run than p1.tsv: 'k' is 3 in the first file, and 4 in this part" merge p1.tsv other.tsv
"$motifsieve" census kg.tsv -c kc.tsv -k 3 --part 2/2 -o other.tsv
refuses 3 'other.tsv: is a part of another run than p1.tsv' merge p1.tsv other.tsv
sed -E 's/^([^#v].*	)1	([0-9,]*)$/\12	\2/' p2.tsv >x
mend x
refuses 3 'x:[0-9]+: refused: the unit of the row is wrong' merge p1.tsv x
sed -E 's/^([^#v].*	)[0-9]+	([0-9,]*)$/\1y	\2/' p2.tsv >x
mend x
refuses 3 'x: refused: .*unit must be a whole number' merge p1.tsv x
wrong_bits p2.tsv 30 merge p1.tsv WRONG -o m.tsv

# the matches of each vertex: a part has a row for each vertex
taking=(list kg.tsv -c kc.tsv -m c0,c1,c2 --participation)
merges_to_whole '1 3 7' "${taking[@]}"
merges_to_whole 3 "${taking[@]}" --all --json
for part in 1 2; do "$motifsieve" "${taking[@]}" --part $part/2 -o p$part.tsv; done
"$motifsieve" "${taking[@]}" --part 2/2 --json -o j2.json
follows_schema j2.json
exits 0 'a part of the matches of each vertex is verified' verify p1.tsv kg.tsv -c kc.tsv
awk 'BEGIN { FS = OFS = "\t" } !/^#/ && $NF + 0 > 1 && !done { $NF = 9999999; done = 1 } 1' p2.tsv >x
mend x
refuses 3 "is in [0-9]* matches, and not in 9999999 as the file says" verify x kg.tsv -c kc.tsv
sed '/^hub\t/d' p2.tsv >x
mend x
refuses 3 'x: refused: ' merge p1.tsv x
wrong_bits p2.tsv 30 merge p1.tsv WRONG -o m.tsv
