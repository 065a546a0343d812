# The time limit and Ctrl-C end the check of rows, too, and no row that was not read is called right.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'a graph' gen er -n 20000 --edges 300000 -o many.tsv
exits 0 'its paths' match many.tsv path:3 --binary -q -o paths.bin
for limit in 1ms 50ms; do
  exits 6 "limit $limit" verify paths.bin many.tsv path:3 --timeout $limit
  check "limit $limit: said" grep -Eq 'rows not finished: [0-9]+ rows were checked before time ran out; nothing was refuted' err
  check "limit $limit: not accepted" grep -qx 'accepted	unknown' out
  check "limit $limit: nothing is claimed" grep -qx 'completeness	not checked' out
  check "limit $limit: rows are left" test "$(sed -n 's/^rows\t//p' out)" -lt 8900000
done
# a signal that comes while rows are checked: later where it came before that, and sooner where the machine had checked all
delay=1
for ((turn = 0; turn < 15; turn++)); do
  "$motifsieve" verify paths.bin many.tsv path:3 >out 2>err &
  tool=$!
  sleep $delay
  begin=$SECONDS
  kill -TERM $tool
  wait $tool
  rc=$?
  took=$((SECONDS - begin))
  [ $rc -ne 6 ] || [ $took -gt 9 ] || break
  delay=$(awk -v delay=$delay -v rc=$rc 'BEGIN { print delay * (rc == 0 ? 0.5 : 1.7) }')
done
check "TERM: exit status $rc" test $rc -eq 6
check 'TERM: said' grep -q 'before it was interrupted' err
check "TERM: soon ($took s)" test $took -le 9

# a verdict on some of the rows does not replace one on all
printf 'a complete verdict\n' >verdict.tsv
exits 6 'a verdict on some rows' verify paths.bin many.tsv path:3 --timeout 1ms -o verdict.tsv
check 'the complete verdict stays' same "$(cat verdict.tsv)" 'a complete verdict'
check 'the other one is beside it' grep -qx 'accepted	unknown' verdict.tsv.incomplete
# rows of a census say nothing before the sets are counted: those that were only read are not called right
awk 'BEGIN { for (i = 0; i < 20000; i++) print i "\t" substr("uvwxyz", i % 6 + 1, 1) }' >six.colors
exits 0 'a census of each vertex' census many.tsv -c six.colors -k 3 --per-vertex -q -o vertices.tsv
for limit in 150ms 300ms 500ms; do
  call verify vertices.tsv many.tsv -c six.colors --timeout $limit
  check "census, limit $limit: no row that was only read" test "$(sed -n 's/^rows\t//p' out)" -le 64 -o $rc -eq 0
done
