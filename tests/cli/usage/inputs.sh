# A wrong motif, vertex or arithmetic is refused by its name, with a suggestion where there is
# one.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

for motif in 'rde' 'red:' 'red:0' 'red,,blue' '"red' '*:33'; do
  call screen g.tsv --colors c.tsv -m "$motif"
  check "motif '$motif' is refused (exit $rc)" test "$rc" -eq 2 -o "$rc" -eq 3
  check "motif '$motif': nothing on stdout" test ! -s out
done
call screen g.tsv --colors c.tsv -m rde
check 'a mistyped colour brings a suggestion' grep -q "did you mean 'red'" err
call screen g.tsv --colors c.tsv -m red --require nobody
check "an unknown --require is refused (exit $rc)" test "$rc" -eq 2 -o "$rc" -eq 3
check 'it names the vertex' grep -q nobody err
MOTIFSIEVE_GF2=abacus call screen g.tsv --colors c.tsv -m red,blue
check "an unknown MOTIFSIEVE_GF2 is refused (exit $rc)" test "$rc" -eq 2
check 'it names the path' grep -q abacus err
