# mine, compare and the census of each vertex say before a long run how long it takes.
# shellcheck shell=bash disable=SC2034,SC2154

# forecasts WORK ARGS...: a run that takes minutes says so, and with --quiet nothing in half as much time again.  Where a machine
# is so fast that it would not take minutes, `grow` makes its input larger; on a slow one the forecast comes later.
grow() { :; }
forecasts() {
  local work=$1 round factor=1 micros
  shift
  for round in 6 6 6 6 6 30 60; do
    grow $factor
    rm -f long.tsv
    : >err
    micros=${EPOCHREALTIME/[.,]/}
    "$motifsieve" "$@" -t 1 --timeout $round -o long.tsv >out 2>err &
    while kill -0 $! 2>/dev/null && ! grep -q " takes " err; do sleep 0.05; done
    kill -TERM $! 2>/dev/null
    micros=$((${EPOCHREALTIME/[.,]/} - micros))
    wait $!
    ! grep -Eq "^motifsieve: $work takes (about|at least) [0-9]+ (s|minutes?|hours?|days?)\$" err || break
    [ $factor -ge 16 ] || factor=$((2 * factor))
  done
  check "$work: a forecast" test "$(grep -c "^motifsieve: $work takes " err)" -eq 1
  rm -f long.tsv
  call "$@" -t 1 --timeout "$((micros * 3 / 2000 + 1))ms" -q -o long.tsv
  check "$work: as long without" test "$rc" -eq 4
  check "$work: none with --quiet" bash -c '! grep -q " takes " err'
  rm -f long.tsv
}

# keeps_bytes NAME ARGS...: the sample of a run does not change its result, and a short run says nothing; with sanitizers,
# or on a slow machine, it may not be short.
keeps_bytes() {
  local name=$1 begin=$SECONDS
  shift
  exits 0 "$name" "$@" -t 2 -o loud.tsv
  [ $((SECONDS - begin)) -gt 5 ] || check "$name: no forecast of a short run" bash -c '! grep -q " takes " err'
  exits 0 "$name, quiet" "$@" -t 2 -q -o quiet.tsv
  check "$name: the same bytes with a sample" cmp loud.tsv quiet.tsv
}

exits 0 'a graph' gen er -n 4000 -d 10 --uniform-colors 25 --colors-out c.tsv -o g.tsv
forecasts 'the search' census g.tsv -c c.tsv --per-vertex -k 6
keeps_bytes 'a census of each vertex' census g.tsv -c c.tsv --per-vertex -k 3

grow() { "$motifsieve" gen er -n $((6000 * $1)) -d 20 --uniform-colors 180 --colors-out lc.tsv -o l.tsv -q; }
forecasts 'the search for motifs of 3 slots' mine l.tsv -c lc.tsv -k 3
keeps_bytes 'mine' mine g.tsv -c c.tsv -k 3 --support 50

grow() { :; }
printf 'sample\tgraph\tcolors\tgroup\n' >sheet.tsv
for i in {1..12}; do printf '%s\tg.tsv\tc.tsv\t%s\n' "a$i" a "b$i" b; done >>sheet.tsv
printf 'sample\tgraph\tcolors\tgroup\none\tg.tsv\tc.tsv\ta\ntwo\tg.tsv\tc.tsv\tb\n' >two.tsv
forecasts 'counting the sets of all samples' compare sheet.tsv -k 6
forecasts 'permuting the colours of all samples' compare two.tsv -k 3 --permutations 1000000
keeps_bytes 'compare' compare two.tsv -k 4 --permutations 20
forecasts 'permuting the groups' compare sheet.tsv -k 3 --permutations 100000000
