# The time limit ends every command that has no partial result, with status 4 and a message that says what was being
# done, and leaves an old output as it was.  A search that is stopped says that its result replaced something.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'a large graph' gen er -n 300000 --edges 3000000 -q --to binary -o large.msb
exits 0 'a graph with many paths' gen er -n 2000 --edges 40000 -q --to binary -o many.msb
exits 0 'the same as text' convert large.msb -q --to edge-list -o large.tsv
exits 0 'a typed graph' gen er -n 100000 --edges 500000 --uniform-colors 4 --edge-types 4 -q -o typed.tsv

# ends_late COMMAND...: it works for longer than its time limit, and ends with status 4 within ten seconds after it.  Where it
# has ended before its time limit, on a fast machine, it has less time.
ends_late() {
  local name="$1 $2" limit
  for limit in 0.05 0.01 0.002 0.0005; do
    echo 'an old result' >old.tsv
    echo 'an old map' >old.map
    late=. ends_soon "$name" 10 "$@" --timeout $limit
    [ "$rc" -eq 0 ] || break
  done
  check "$name: exit code $rc" test "$rc" -eq 4
  check "$name: message" grep -Eq '(error|warning): .*out of time while .*' err
  check "$name: one line" same "$(wc -l <err)" 1
  check "$name: nothing on standard output" test ! -s out
  check "$name: the old output" same "$(cat old.tsv)" 'an old result'
  check "$name: the old second output" same "$(cat old.map)" 'an old map'
  check "$name: no scratch file" same "$(find . -name '*new-*' | wc -l)" 0
}
ends_late gen er -n 2000000 --edges 20000000 -o old.tsv
ends_late gen er -n 2000000 --probability 0.00001 -o old.tsv
ends_late gen regular -n 2000000 -d 10 -o old.tsv
ends_late gen power-law -n 2000000 --exponent -1 --degree 10 -o old.tsv
ends_late gen rmat --scale 20 --edges 10000000 -o old.tsv
ends_late gen grid --rows 3000 --cols 3000 --colors-out old.map --uniform-colors 3 -o old.tsv
ends_late gen clique -n 10000 -o old.tsv
ends_late convert large.msb --to metis --map old.map -o old.tsv
ends_late convert large.msb --to graphml -o old.tsv
ends_late stats large.tsv -o old.tsv
ends_late components large.tsv -o old.tsv
ends_late filter typed.tsv '(:c0)-[t0]-(:c1)' -o old.tsv
ends_late plan large.msb house -o old.tsv

# a drawing of what a stopped search found is whole, or there is none
echo 'an old result' >old.tsv
"$motifsieve" match large.msb path:4 --dot --timeout 1s -q -o old.tsv >out 2>err
check 'drawing: exit code' same $? 4
check 'drawing: the old file stays' grep -q 'an old result' old.tsv
if [ ! -e old.tsv.incomplete ]; then
  check 'drawing: message' grep -q 'out of time while' err
else
  check 'drawing: whole' same "$(tail -n 1 old.tsv.incomplete)" '}'
  check 'drawing: marked' grep -q '^// status: incomplete: time' old.tsv.incomplete
fi

# an incomplete result does not replace what was there, and a warning says where it is.  One thread is enough for that.
for form in '' --json --binary --count; do
  echo 'an old result' >old.tsv
  exits_late 4 "kept $form" match many.msb path:6 --induced $form -t 1 --timeout 1 -o old.tsv
  check "kept $form: warning" grep -q 'old.tsv: has content, which an incomplete result does not replace' err
  check "kept $form: the old one" same "$(cat old.tsv)" 'an old result'
  check "kept $form: the new one" test -s old.tsv.incomplete
done
rm -f old.tsv
exits_late 4 'nothing is there' match many.msb path:6 --induced --count -t 1 --timeout 1 -o old.tsv
check 'nothing is there: no warning' sh -c '! grep -q "does not replace" err'
