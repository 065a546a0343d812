# An output file appears whole or not at all, devices are written in place, and a full device is
# an error; cut lists verify.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 output list g.tsv --colors c.tsv -m red,blue,green --output result.tsv
check 'nothing on stdout' test ! -s out
call list g.tsv --colors c.tsv -m red,blue,green
check 'the same bytes' cmp -s out result.tsv
cp result.tsv before.tsv
refuses 3 'nowhere' list nowhere.tsv -c c.tsv -m red --output result.tsv
check 'a failed run leaves the file alone' cmp -s before.tsv result.tsv
refuses 3 '/dev/full' list g.tsv --colors c.tsv -m red --output /dev/full
refuses 3 'no/such' list g.tsv --colors c.tsv -m red --output no/such/folder.tsv
check 'no temporary file is left' bash -c '! ls | grep -q "\.tmp-"'
"$motifsieve" list g.tsv --colors c.tsv -m red >/dev/full 2>err
check "a full stdout is exit 3 (got $?)" grep -q 'standard output' err
for args in --help --version info; do
  "$motifsieve" $args >/dev/full 2>err
  check "$args to a full device is exit 3" test $? -eq 3
done
exits 0 'output to a device' list g.tsv --colors c.tsv -m red --output /dev/null
check '/dev/null is still a device' test -c /dev/null

(echo HEAD; "$motifsieve" list g.tsv --colors c.tsv -m red --output /dev/stdout; echo TAIL) >shared 2>err
check '/dev/stdout: what others write stays' same "$(sed -n '1p;$p' shared | tr '\n' ' ')" 'HEAD TAIL '
check '/dev/stdout: the result is there' grep -q '^# end: ' shared
printf 'a\tred\tblue\nb\tblue\n' >wide.tsv
exits 0 'a third column' screen g.tsv --colors wide.tsv -m red,blue
check 'a third column is warned of' grep -q 'wide.tsv: 1 lines have more than two columns' err
exits 4 'a cut list' list g.tsv --colors c.tsv -m red,blue,green --limit 1 --output cut.tsv
exits 0 'verify a cut list' verify cut.tsv g.tsv --colors c.tsv
check 'nobody looked for missing rows' grep -qx 'missing	unknown' out
exits 4 'a cut list in JSON' list g.tsv --colors c.tsv -m red,blue,green --limit 1 --json --output cut.json
exits 0 'verify it' verify cut.json g.tsv --colors c.tsv --json
check 'nobody looked: null' grep -q '"missing":null' out
printf 'red 2\n' >blank.motif
refuses 3 'blank.motif:1: .*a tab and a count' screen g.tsv --colors c.tsv --motif-file blank.motif
