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
timeout 60 cat pipe >first.tsv
timeout 60 cat second >second.json
wait $pid
check 'a late reader: exit 0' test $? -eq 0
check 'a late reader: the result' same "$(cat first.tsv)" "$(cat whole.tsv)"
check 'the second reader: the statistics' grep -q '^{"type":"statistics",' second.json
