# Each signal that announces an end ends a list with a whole file that verifies, and a gen without leaving
# anything; only a second SIGINT or SIGTERM kills, and what was ignored stays ignored.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

big_graph
for signal in INT TERM HUP XCPU USR1 USR2; do
  # a background job of a script ignores SIGINT; env --default-signal undoes it
  rm -f out
  if env --default-signal=INT true 2>/dev/null; then
    env --default-signal=INT,HUP "$motifsieve" list big.tsv -c bigc.tsv -m 'c1,c2,*:10,c3,c4' -x -t 1 --memory 64K >out 2>err &
    pid=$!
    written out
    kill -$signal $pid
    wait $pid
    rc=$?
    check "SIG$signal: exit 4 (got $rc)" test $rc -eq 4
    check "SIG$signal: marked" grep -qx '# status: incomplete: interrupted' out
    check "SIG$signal: whole file" grep -q '^# end: rows=' out
    # once, because it takes longer than the search
    if [ $signal = INT ]; then
      mv out stopped.tsv
      timeout -k 20 600 "$motifsieve" verify --no-recount stopped.tsv big.tsv -c bigc.tsv >out 2>err
      check "SIG$signal: what was written verifies" same "$?" 0
    fi
  else
    skip "signals: env has no --default-signal"
  fi
done

# a command without partial results is killed, and its temporary file is removed
for signal in INT TERM HUP XCPU USR1 USR2; do
  env --default-signal=INT true 2>/dev/null || break
  # where it has ended before the signal, because this shell had to wait or the machine is fast, it writes more
  for size in 1 2 4 8 16; do
    rm -f killed.tsv
    env --default-signal=INT,HUP "$motifsieve" gen er -n $((400000 * size)) --edges $((2000000 * size)) -q -o killed.tsv 2>err &
    pid=$!
    for ((i = 0; i < 6000; i++)); do
      compgen -G 'killed.tsv.tmp-*' >tmp && break
      [ ! -e killed.tsv ] || break
      sleep 0.01
    done
    kill -$signal $pid
    wait $pid
    rc=$?
    [ $rc -eq 0 ] || break
  done
  check "SIG$signal, gen: a temporary file was there" test -s tmp
  check "SIG$signal, gen: killed (got $rc)" test $rc -gt 128
  check "SIG$signal, gen: nothing stays" same "$(compgen -G 'killed.tsv*')" ''
done

# the same if the signal comes as soon as the file is there
shim=$(dirname "$motifsieve")/tests/faults/shim.so
if [ -e "$shim" ] && [[ $motifsieve != *-asan/* && $motifsieve != *-tsan/* ]]; then
  FAULT_SIGNAL=15 LD_PRELOAD=$shim "$motifsieve" gen er -n 10 --edges 20 -q -o killed.tsv 2>err
  rc=$?
  check "SIGTERM at the creation: killed (got $rc)" test $rc -eq 143
  check 'SIGTERM at the creation: nothing stays' same "$(compgen -G 'killed.tsv*')" ''
else
  skip 'signals: the creation of a file: no tests/faults/shim.so'
fi

# start_list: starts a list that would not end, of which file.tsv is the result, and waits until its scratch
# file has rows; its process is $pid.
start_list() {
  rm -f file.tsv
  "$@" "$motifsieve" list big.tsv -c bigc.tsv -m 'c1,c2,*:10,c3,c4' -x -t 1 --memory 64K -o file.tsv 2>err &
  pid=$!
  written 'file.tsv.tmp-*'
}
if env --default-signal=INT true 2>/dev/null; then
  # a batch system announces the end, again and again, and then terminates
  start_list env --default-signal=INT,HUP
  kill -USR1 $pid
  sleep 0.7
  kill -USR2 $pid 2>/dev/null
  kill -XCPU $pid 2>/dev/null
  kill -TERM $pid 2>/dev/null
  wait $pid
  rc=$?
  check "announced more than once: exit 4 (got $rc)" test $rc -eq 4
  check 'announced more than once: whole file' grep -q '^# end: rows=' file.tsv
  # nohup: SIGHUP stays ignored
  start_list env --default-signal=INT --ignore-signal=HUP
  kill -HUP $pid
  sleep 0.7
  check 'nohup: it goes on' kill -0 $pid
  kill -INT $pid
  wait $pid
  check 'nohup: whole file' grep -q '^# end: rows=' file.tsv
fi
