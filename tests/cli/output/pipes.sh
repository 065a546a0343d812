# A named pipe as output waits for its reader, but no longer than until the command is stopped.
# shellcheck shell=bash disable=SC2034,SC2154

printf 'a\tb\nb\tc\nc\ta\n' >small.tsv
printf 'a\tx\nb\ty\nc\tx\n' >smallc.tsv
mkfifo pipe second

# stopped ARGS...: sends SIGTERM to the tool after a second, and kills it much later if it goes on.
stopped() {
  timeout --preserve-status -s TERM -k 20 1 "$motifsieve" "$@" >out 2>err </dev/null
  rc=$?
  check "$*: exit 3 (got $rc)" test $rc -eq 3
  check "$*: the message names the pipe" grep -q 'error: pipe: no program' err
}
stopped list small.tsv -c smallc.tsv -m 'x:2,y' -o pipe
stopped match small.tsv triangle -o pipe
stopped match small.tsv triangle --count --stats pipe
"$motifsieve" match small.tsv triangle -o whole.tsv 2>err
timeout --preserve-status -s TERM -k 20 1 "$motifsieve" verify whole.tsv small.tsv triangle -o pipe
rc=$?
check "verify ends (got $rc)" test $rc -ne 137
exits 3 'the time limit ends it, too' match small.tsv triangle --timeout 0.1s -o pipe

# a reader that comes late gets everything, and so does the reader of the second output
"$motifsieve" match small.tsv triangle -o pipe --stats second >out 2>err </dev/null &
pid=$!
sleep 0.3
timeout -k 20 60 cat pipe >first.tsv
timeout -k 20 60 cat second >second.json
wait $pid
check 'a late reader: exit 0' test $? -eq 0
check 'a late reader: the result' same "$(cat first.tsv)" "$(cat whole.tsv)"
check 'the second reader: the statistics' grep -q '^{"type":"statistics",' second.json

# A reader that does not read holds the command up, also after the first signal: it may read later, as a pager
# does, and then gets everything.  A second signal ends the command at once.
big_graph
# time to fill the pipe; instrumented code takes longer to begin
patience=2
[[ $motifsieve != *-asan/* && $motifsieve != *-tsan/* ]] || patience=15
# stalls WHERE: starts a search that would not end, whose output goes to the pipe or to a standard output
# that is the pipe, and stops it by a first signal.  The pipe is full then.
stalls() {
  if [ "$1" = pipe ]; then
    env --default-signal=TERM "$motifsieve" match big.tsv path:14 -o pipe 2>err &
  else
    env --default-signal=TERM "$motifsieve" match big.tsv path:14 >pipe 2>err &
  fi
  pid=$!
  sleep $patience
  kill -TERM $pid
  sleep 2
}
if env --default-signal=TERM true 2>/dev/null; then
  for where in pipe stdout; do
    sleep 100 <pipe &
    reader=$!
    stalls $where
    check "$where: waits for its reader" kill -0 $pid
    kill -TERM $pid
    # shellcheck disable=SC2016
    check "$where: ends with the second signal" timeout -k 20 60 bash -c 'while kill -0 $0 2>/dev/null; do sleep 0.1; done' $pid
    kill $reader
    wait $pid
    rc=$?
    check "$where: by that signal (got $rc)" test $rc -eq 143
    wait $reader
    # with a time limit, because a tool that was stopped before it opened the pipe would leave it waiting
    timeout -k 5 120 sh -c 'exec <pipe; sleep 5; cat >late.tsv' &
    reader=$!
    stalls $where
    wait $pid
    rc=$?
    wait $reader
    check "$where: a reader that reads later: exit 4 (got $rc)" test $rc -eq 4
    check "$where: marked" grep -qx '# status: incomplete: interrupted' late.tsv
    exits 0 "$where: it verifies" verify --no-recount late.tsv big.tsv path:14
  done
else
  skip 'signals: env has no --default-signal'
fi
