# match --count --part of typed patterns and merge: the number, or the JSON object, of the undivided run; with a checkpoint, a
# count that is stopped or killed gives the same when it goes on; what is refused.
# shellcheck shell=bash disable=SC2016,SC2046,SC2154

awk 'BEGIN { s = 77
  print "source\ttype\ttarget"
  for (i = 0; i < 1500; i++) { s = (s * 16807) % 2147483647; a = s % 200
    s = (s * 16807) % 2147483647; b = int(a * (s % 200) / 200); s = (s * 16807) % 2147483647; t = s % 3
    if (a != b) print "v" a "\tr" t "\tv" b } }' >typed.tsv
awk 'BEGIN { print "name\ttype"; for (i = 0; i < 200; i++) print "v" i "\t" (i % 3 ? "red" : "blue") }' >nodes.tsv
while read -r query; do
  for form in '' --json; do
    options=()
    [ -z "$form" ] || options=("$form")
    [[ $query != *:r9* ]] || options+=(--ignore-unknown)
    call match typed.tsv --nodes nodes.tsv "$query" --count --screen never -t 2 "${options[@]}" -o whole
    check "whole: $query" test $rc -eq 0
    for parts in 1 2 5; do
      for ((part = 1; part <= parts; part++)); do
        call match typed.tsv --nodes nodes.tsv "$query" --count -t $((part % 2 + 1)) "${options[@]}" --part $part/$parts -o p$part
        check "part $part of $parts: $query" test $rc -eq 0
      done
      call merge $(seq -f 'p%g' $parts -1 1) -o merged
      check "$parts parts: $query $form" cmp whole merged
    done
  done
done <<'END'
(x)-[:r0]->(y)
(x)-[:r0]->(y)-[:r1]->(z)
(x:red)-[:r0]->(y)-[:r1]->(z), (x)-[:r2]->(z)
(x)-[]-(y)-[]-(z)-[]-(x)
(x:blue)-[:r0]-(y)-[]-(z)-[]-(w)-[]-(x)
(x)-[:r9]->(y)
(w)-[:r0]->(x), (w)-[:r0]->(y), (w)-[:r0]->(z)
END
for part in 1 2; do "$motifsieve" match typed.tsv '(x)-[:r0]->(y)-[:r1]->(z)' --count --part $part/2 -o p$part.tsv; done
"$motifsieve" match typed.tsv '(x)-[:r0]->(y)' --count --part 2/2 -o other.tsv
"$motifsieve" match typed.tsv '(x)-[:r0]->(y)' --count --part 2/2 --json -o j2.json
follows_schema j2.json
refuses 3 'other.tsv: is a part of another run than p1.tsv' merge p1.tsv other.tsv
refuses 3 'part 1 of 2 is missing' merge p2.tsv
refuses 2 'p1.tsv: is a part of a count, which holds no rows to verify' verify p1.tsv typed.tsv
refuses 2 'a search for matches with required vertices cannot be divided' match typed.tsv '(x)-[:r0]->(y)' --count --part 1/2 --require v3
refuses 2 'a search for a limited number of matches cannot be divided' match typed.tsv '(x)-[:r0]->(y)' --count --limit 3 --part 1/2

# checkpoints
awk 'BEGIN { s = 5
  print "source\ttype\ttarget"
  for (i = 0; i < 20000; i++) { s = (s * 16807) % 2147483647; a = s % 1000
    s = (s * 16807) % 2147483647; b = int(a * (s % 1000) / 1000); s = (s * 16807) % 2147483647; t = s % 3
    if (a != b) print "v" a "\tr" t "\tv" b } }' >large.tsv
long='(x)-[:r0]-(y)-[]-(z)-[]-(w)-[]-(v)-[]-(x), (x)-[]-(z)'
count=(match large.tsv "$long" --count --json --screen never)
call "${count[@]}" -t 2 -o whole
check 'a large count' test $rc -eq 0
save=(--checkpoint ck --checkpoint-seconds 0.01 -o result)
call "${count[@]}" "${save[@]}" -t 1
check 'a count with a checkpoint that nothing interrupts' cmp result whole
check 'its checkpoint is removed' test ! -e ck
out=result whole=whole
survives 4 0.01 "${count[@]}" -t 2
ends_as_whole "${count[@]}" -t 2
stops_with_state 0.15 "${count[@]}" -o result --checkpoint-seconds 0.01 -t 1
cp ck kept
head -n 15000 large.tsv >other.tsv
refuses 3 "another run: 'checksum of the edges of the pattern's types' is" match other.tsv "$long" --count "${save[@]}" --resume
refuses 3 "another run: 'types that the pattern names' is r0.* in the checkpoint, and r1" match large.tsv "${long/r0/r1}" --count "${save[@]}" --resume
refuses 3 "another run: '(checksum of the|vertices of)" match large.tsv '(x)-[:r0]-(y)-[]-(z)-[]-(x)' --count "${save[@]}" --resume
check 'refusals leave the checkpoint' cmp ck kept
exits 0 'a count goes on after a time limit' "${count[@]}" "${save[@]}" --resume -v
check 'it says what the checkpoint had' grep -q 'units, of which a checkpoint had [1-9]' err
check 'after a time limit: the same bytes' cmp result whole
