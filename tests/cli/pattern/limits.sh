# Limits, deadlines, signals and a full device end a list of patterns with the right status and
# exit code.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 4 '--limit' list k12.tsv -p house --limit 7
check '--limit: rows' same "$(rows | wc -l)" 7
check '--limit: status' grep -qx '# status: incomplete: limit' out
check '--limit: a word on stderr' grep -q 'warning: stopped by --limit after 7 matches' err
exits 4 '--limit, quiet' list k12.tsv -p house --limit 7 -q
check '--limit, quiet' test ! -s err
exits 4 '--limit, binary' list k12.tsv -p house --limit 7 --binary -o limit.bin
check '--limit, binary' same "$(tail -c 8 limit.bin | head -c 4 | od -An -tu4 | tr -d ' ')" 1
exits 0 '--limit above the number' list k5.tsv -p triangle --limit 11
check '--limit above the number' same "$(rows | wc -l)" 10
exits 5 '--fail-if-none' list g.tsv -p clique:4 --fail-if-none
check '--fail-if-none still writes' grep -qx '# matches: 0' out
exits 5 '--fail-if-none --count' list g.tsv -p clique:4 --fail-if-none --count
exits 0 '--fail-if-none, and there is one' list g.tsv -p triangle --fail-if-none
exits 0 'a pattern larger than the graph' list g.tsv -p clique:7
check 'a pattern larger than the graph' same "$(rows)" ''
# 12!/2 paths of twelve
exits 4 '--timeout' list k12.tsv -p path:12 --timeout 0.3s -o late.tsv
check '--timeout: status' grep -qx '# status: incomplete: time' late.tsv
check '--timeout: a word on stderr' grep -q 'warning: out of time after' err
check '--timeout: the end is there' grep -Eq "^# end: rows=$(rows late.tsv | wc -l) crc32c=" late.tsv
"$motifsieve" list k12.tsv -p path:12 -o stopped.tsv >out 2>err &
pid=$!
sleep 1
# as from timeout(1), which signals its child and then the group that it is in
kill -TERM "$pid"
sleep 0.05
kill -TERM "$pid" 2>/dev/null
wait "$pid"
check 'interrupted: exit code' same $? 4
check 'interrupted: status' grep -qx '# status: incomplete: interrupted' stopped.tsv
check 'interrupted: a word on stderr' grep -q 'warning: interrupted after' err
exits 3 'no room for the output' list k12.tsv -p path:12 -o /dev/full
check 'no room: found out early' grep -q 'could not be written' err
