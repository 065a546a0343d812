# A result that comes through a named pipe, and the memory that verify takes.
# shellcheck shell=bash disable=SC2034,SC2154

big_graph
for form in tsv json bin tsv.gz bin.zst; do
  option=
  case $form in json) option=--json ;; bin*) option=--binary ;; esac
  # shellcheck disable=SC2086
  exits 0 "$form: a result" match big.tsv path:4 $option -q -o "result.$form"
  exits 0 "$form: it verifies" verify "result.$form" big.tsv path:4
  cp out verdict
  mkfifo pipe
  # time limits, because a pipe that is not read leaves its writer waiting
  timeout -k 5 120 sh -c "cat 'result.$form' >pipe" &
  exits 0 "$form: from a pipe" verify pipe big.tsv path:4
  check "$form: the same verdict" same "$(cat out)" "$(cat verdict)"
  wait
  timeout -k 5 120 sh -c "head -c 2000 'result.$form' >pipe" &
  exits 3 "$form: cut off in the pipe" verify pipe big.tsv path:4
  wait
  rm pipe
done
# a pipe that nobody writes to, and one whose writer stops
mkfifo pipe
late='pipe: out of time' exits_late 4 'a silent pipe ends with the time limit' verify pipe big.tsv path:4 --timeout 0.3
check 'a silent pipe: message' grep -q 'error: pipe: out of time while the input is read' err
# on a busy machine, the time may be over before the graph is read
for limit in 1 5 25; do
  {
    head -n 20 result.tsv
    exec sleep 100
  } >pipe &
  writer=$!
  call verify pipe big.tsv path:4 --timeout $limit
  kill $writer
  wait $writer
  ! grep -q 'rows not finished' err || break
done
check "a stalled pipe ends with the time limit ($rc)" test $rc -eq 6
check 'a stalled pipe: message' grep -q 'rows not finished: [0-9]* rows were checked before time ran out' err

# --memory bounds what verify reads: names of a graph, a line of JSON, and nothing that fits is refused
exits 0 'enough memory' verify result.tsv big.tsv path:4 --memory 16M
needs python3 || return
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "%060d\t%060d\n", i, i + 1 }' | gzip -1 >names.gz
awk 'BEGIN { printf "{\"type\":\"header\",\"x\":["; for (i = 0; i < 20000000; i++) printf "[],"; print "1]}" }' |
  gzip -1 >wide.json.gz
awk 'BEGIN { printf "{\"type\":\"header\",\"x\":"; for (i = 0; i < 20000000; i++) printf "["; print "1}" }' |
  gzip -1 >deep.json.gz
awk 'BEGIN { printf "{\"type\":\"header\",\"x\":["; for (i = 0; i < 1000000; i++) printf "[],"; print "1]}" }' |
  gzip -1 >small.json.gz
for call in 'result.tsv names.gz' 'wide.json.gz big.tsv' 'deep.json.gz big.tsv' 'small.json.gz big.tsv'; do
  # shellcheck disable=SC2086
  read -r code mib < <(size verify $call path:4 --memory 40M)
  check "$call: exit code" same "$code" 4
  check "$call: message" grep -q 'error: .*: reading may take 40 MiB of memory; .*; raise --memory' err
  check "$call: $mib MiB" test "$mib" -lt "$bound"
done
