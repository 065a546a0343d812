# Outputs are opened before the work, so that a place that cannot be written costs no search; outputs of
# one command appear together; what a closed pipe or a limit of the system ends is not the result.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

big_graph
mkdir folder
# none of these searches would end
for wrong in no/such/file folder; do
  for where in "-o $wrong" "-o good.tsv --stats $wrong" "-o $wrong --stats good.json"; do
    exits 3 "$where, list" list big.tsv -c bigc.tsv -m '*:14' --exact $where
    exits 3 "$where, match" match big.tsv path:14 $where
    exits 3 "$where, screen" screen big.tsv -c bigc.tsv -m '*:30' --no-prune $where
  done
done
exits 3 'a drawing nowhere' list big.tsv -c bigc.tsv -m '*:14' --exact --cx2 -o no/such/file
# an input that would never come is not waited for
mkfifo never
exits 3 'a long read' convert never --to sif -o no/such/file.sif
exits 3 'statistics of a read' stats never -o no/such/file
check 'nothing is left' same "$(compgen -G '*.tmp-*'; compgen -G 'good*')" ''
# names that JSON cannot hold are found before the search
cp big.tsv "$(printf 'big\377.tsv')"
exits 3 'a name for JSON' list "$(printf 'big\377.tsv')" -c bigc.tsv -m '*:14' --exact --json
exits 3 'a name for CX2' list "$(printf 'big\377.tsv')" -c bigc.tsv -m '*:14' --exact --cx2
check 'it says so' grep -q 'not UTF-8' err

# a full file system is found before the search, if this process may make one
if mkdir full && mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
  dd if=/dev/zero of=full/filler 2>/dev/null
  exits 3 'full' list big.tsv -c bigc.tsv -m '*:14' --exact -o full/x.tsv
  check 'it is said' grep -q 'free space' err
  # if only the second output does not fit, the first is kept, and named
  rm full/filler
  printf '\t' >>full/old.tsv
  dd if=/dev/zero of=full/filler bs=4096 count=14 2>/dev/null
  exits 3 'no room for the second' gen er -n 3000 --edges 9 --uniform-colors 2 --colors-out colors.tsv -o full/graph.tsv
  check 'the graph alone is not there' test ! -e full/graph.tsv -a ! -e colors.tsv
  umount full
else
  skip 'this process may not mount'
fi

# a closed standard error, or one that is at its greatest size, does not cost the result
echo 'a	b' >small.tsv
(
  "$motifsieve" match big.tsv path:3 --verbose -o whole.tsv 2>&1
  echo $? >status
) | sleep 0
check 'closed standard error: status' same "$(cat status)" 0
check 'closed standard error: whole' grep -q '^# end: rows=' whole.tsv
exits 0 'closed standard error: it verifies' verify --no-recount whole.tsv big.tsv path:3
(
  ulimit -f 0
  exec "$motifsieve" match small.tsv edge --verbose -o - 2>full.log
) >out
check 'no file may grow: killed by no signal' test $? -le 4
(
  ulimit -f 1
  exec "$motifsieve" match big.tsv path:4 -o limited.tsv
) 2>err
check 'beyond the greatest size: an error' test $? -eq 3
check 'beyond the greatest size: nothing is left' same "$(compgen -G 'limited*')" ''
# a reader that has enough ends the tool without a word, as other tools
(
  "$motifsieve" match big.tsv path:4 2>err
  echo $? >status
) | head -n 1 >out
check 'head: SIGPIPE' same "$(cat status)" 141
check 'head: no message' test ! -s err
