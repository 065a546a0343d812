# screen --screen always --part and merge: the file of the undivided sieve for several numbers of parts, forms and
# options, also where it ends early; with checkpoints that survive kills; what is refused, and each damaged bit.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

"$motifsieve" gen power-law -n 300 --exponent -1 --edges 1200 --uniform-colors 4 --colors-out kc.tsv -o kg.tsv -q
printf '5\tc"x,y\n5\trare\n' >>kc.tsv
# an edge that is in no match: the sieve of the graph with it does not end early
{ cat kg.tsv && printf 'x\ty\n'; } >late.tsv
sed '1!G;h;$!d' kc.tsv >names.tsv
{ cat kc.tsv && printf 'x\tc0\ny\tc1\n'; } >latec.tsv
sieve=(--screen always --backend cpu)

while read -r options; do
  hidden=kg.tsv # the inputs are not needed
  merges_to_whole '1 2 5' screen kg.tsv -c kc.tsv "${sieve[@]}" $options -q
  hidden=late.tsv
  merges_to_whole '1 2 5' screen late.tsv -c latec.tsv "${sieve[@]}" $options -q
done <<'END'
-m c0:2,c1:2,c2,c3
-m c0:4,c1:4,c2:2 --repetitions 3 --no-prune
-m c0,c1 --all
-m c0:3,c1|c2:2,* --json --seed 7
-m c0:2,c1 --json --all --labels names.tsv --recurrence classic
-m c0:2,c1 --labels names.tsv --error 1e-30
-m rare:2,c0 --all
END
check 'some sieve ends early' grep -q 'repetitions: 1 of 4' <("$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 -q)

# the schema; what a part says of itself
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --json --part 1/2 -o j1.json -q
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 1/2 -o p1.tsv -q
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 -o p2.tsv -q
check 'a part says so' grep -qx '# part: 1 of 2' p1.tsv
follows_schema j1.json
refuses 2 'p1.tsv: is a part of a sieve, which flags no vertex yet; merge the parts' verify p1.tsv kg.tsv -c kc.tsv
refuses 2 'only the sieve is divided into units, and enumeration is not; choose --screen always' screen kg.tsv -c kc.tsv -m c0,c1 --part 1/2
refuses 2 'a sieve without|scores of vertices cannot be divided' screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 --part 1/2 --vertex-scores <(printf '1\t1\n')
refuses 2 'a part of a screen cannot be written in this form' screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0,c1 --part 1/2 --dot
refuses 3 'part 2 of 2 is missing' merge p1.tsv
refuses 3 'p1.tsv: is part 1 of 2, and so is p1.tsv' merge p1.tsv p1.tsv
refuses 3 'another run than p1.tsv: .form. is TSV' merge p1.tsv j1.json
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 -s 2 -o other.tsv -q
refuses 3 "another run than p1.tsv: 'seed' is 1 in the first file, and 2" merge p1.tsv other.tsv
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1 --part 2/2 --no-prune -o other.tsv -q
refuses 3 'other.tsv: refused: its rows are not those of p1.tsv' merge p1.tsv other.tsv
sed -E '0,/\t[0-9a-f]{6,}$/s//\t00/' p2.tsv >x
mend x
refuses 3 'x: refused: line [0-9]+: values must be two hexadecimal digits for each' merge p1.tsv x
"$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:8,c1:8,c2 --part 2/2 --timeout 0.01 -o late2.tsv -q
if grep -q 'incomplete: time' late2.tsv; then
  "$motifsieve" screen kg.tsv -c kc.tsv "${sieve[@]}" -m c0:2,c1,c2 --part 1/2 -o late1.tsv -q
  check 'an incomplete part has no values' grep -q 'repetitions: 0 of' late2.tsv
fi

# each bit of a part that is wrong is noticed
wrong_bits p2.tsv 40 merge p1.tsv WRONG -o m.tsv

# a part with a checkpoint that is killed at random points and goes on
options=(kg.tsv -c kc.tsv "${sieve[@]}" -t 2 --no-prune -m c0:4,c1:4,c2:3,c3:2 --repetitions 4)
survives "$(kills 8 3)" 0.01 screen "${options[@]}" --part 2/3
if [ -e ck ]; then
  refuses 3 "another run: 'part' is 2 of 3 in the checkpoint, and 1 of 3" screen "${options[@]}" --part 1/3 -o out.tsv --checkpoint ck --resume
fi
ends_as_whole screen "${options[@]}" --part 2/3
