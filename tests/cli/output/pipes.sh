# A named pipe as output waits for its reader, but no longer than until the command is stopped.
# shellcheck shell=bash disable=SC2034,SC2154

printf 'a\tb\nb\tc\nc\ta\n' >small.tsv
printf 'a\tx\nb\ty\nc\tx\n' >smallc.tsv
mkfifo pipe second

# ends_by_signal ARGS...: sends SIGTERM to the tool after a second, and kills it much later if it goes on.  Where it has died of
# SIGTERM, as any program before it catches signals, it gets more time to begin.
ends_by_signal() {
  local delay
  for delay in 1 4 16; do
    timeout --preserve-status -s TERM -k 20 $delay "$motifsieve" "$@" >out 2>err </dev/null
    rc=$?
    [ $rc -eq 143 ] || break
  done
}
stopped() {
  ends_by_signal "$@"
  check "$*: exit 3 (got $rc)" test $rc -eq 3
  check "$*: the message names the pipe" grep -q 'error: pipe: no program' err
}
stopped list small.tsv -c smallc.tsv -m 'x:2,y' -o pipe
stopped match small.tsv triangle -o pipe
stopped match small.tsv triangle --count --stats pipe
"$motifsieve" match small.tsv triangle -o whole.tsv 2>err
ends_by_signal verify whole.tsv small.tsv triangle -o pipe
check "verify ends (got $rc)" test $rc -ne 137
exits_late 3 'the time limit ends it, too' match small.tsv triangle --timeout 0.1 -o pipe

# a reader that comes late gets everything, and so does the reader of the second output
"$motifsieve" match small.tsv triangle -o pipe --stats second >out 2>err </dev/null &
pid=$!
sleep 0.3
timeout -k 20 600 cat pipe >first.tsv
timeout -k 20 600 cat second >second.json
wait $pid
check 'a late reader: exit 0' test $? -eq 0
check 'a late reader: the result' same "$(cat first.tsv)" "$(cat whole.tsv)"
check 'the second reader: the statistics' grep -q '^{"type":"statistics",' second.json

# A reader that does not read holds the command up, also after the first signal: it may read later, as a pager
# does, and then gets everything.  A second signal ends the command at once.
big_graph
# stalls WHERE PATIENCE: starts a search that would not end, whose output goes to the pipe or to a standard output
# that is the pipe, and stops it by a first signal after so many seconds.  The pipe is full then.
stalls() {
  if [ "$1" = pipe ]; then
    env --default-signal=TERM "$motifsieve" match big.tsv path:14 -o pipe 2>err &
  else
    env --default-signal=TERM "$motifsieve" match big.tsv path:14 >pipe 2>err &
  fi
  pid=$!
  sleep "$2"
  kill -TERM $pid
  sleep 2
}
# waits_for_reader WHERE PATIENCE: does it wait for a reader that does not read?  $rc is the exit code after a second signal.
waits_for_reader() {
  local waits=no
  sleep 100 <pipe &
  reader=$!
  stalls "$1" "$2"
  ! kill -0 $pid 2>/dev/null || waits=yes
  kill -TERM $pid 2>/dev/null
  # shellcheck disable=SC2016
  timeout -k 20 600 bash -c 'while kill -0 $0 2>/dev/null; do sleep 0.1; done' $pid
  ends=$?
  kill $reader
  wait $pid
  rc=$?
  wait $reader
  [ $waits = yes ]
}
# is_read_later WHERE PATIENCE: does a reader that reads later get everything?  $rc is the exit code.
is_read_later() {
  # with a time limit, because a tool that was stopped before it opened the pipe would leave it waiting
  timeout -k 5 120 sh -c "exec <pipe; sleep $(($2 + 3)); cat >late.tsv" &
  reader=$!
  stalls "$1" "$2"
  wait $pid
  rc=$?
  wait $reader
  [ $rc -eq 4 ] && grep -qx '# status: incomplete: interrupted' late.tsv
}
# Instrumented code takes longer to begin, and a busy machine may: what came before the pipe was full is tried once more.
patience='2 8 30'
[[ $motifsieve != *-asan/* && $motifsieve != *-tsan/* ]] || patience='15 40'
if env --default-signal=TERM true 2>/dev/null; then
  for where in pipe stdout; do
    waits=
    for seconds in $patience; do waits_for_reader $where "$seconds" && waits=yes && break; done
    check "$where: waits for its reader" test -n "$waits"
    check "$where: ends with the second signal" test $ends -eq 0
    check "$where: by that signal (got $rc)" test $rc -eq 143
    for seconds in $patience; do ! is_read_later $where "$seconds" || break; done
    check "$where: a reader that reads later: exit 4 (got $rc)" test $rc -eq 4
    check "$where: marked" grep -qx '# status: incomplete: interrupted' late.tsv
    # 6: the time ended before the rows did
    "$motifsieve" verify --no-recount late.tsv big.tsv path:14 --timeout 2 >out 2>err
    rc=$?
    check "$where: it verifies (got $rc)" bash -c "[ $rc -eq 0 ] || [ $rc -eq 6 ]"
  done
else
  skip 'signals: env has no --default-signal'
fi
