# mine, compare and the census of each vertex say before a long run how long it takes.
# shellcheck shell=bash disable=SC2034,SC2154

# forecasts WORK ARGS...: a run that takes minutes says so, once, and with --quiet nothing
forecasts() {
  local work=$1
  shift
  late="^motifsieve: $work takes (about|at least) [0-9]+ (s|minutes?|hours?|days?)\$"
  call_late "$@" -t 1 --timeout 3 -o long.tsv
  check "$work: a forecast" test "$(grep -Ec "$late" err)" -eq 1
  late=
  rm -f long.tsv
  call "$@" -t 1 --timeout 2 -q -o long.tsv
  check "$work: none with --quiet" test ! -s err
  rm -f long.tsv
}

# keeps_bytes NAME ARGS...: the sample of a run does not change its result, and a short run says nothing
keeps_bytes() {
  local name=$1
  shift
  exits 0 "$name" "$@" -t 2 -o loud.tsv
  check "$name: no forecast of a short run" bash -c '! grep -q " takes " err'
  exits 0 "$name, quiet" "$@" -t 2 -q -o quiet.tsv
  check "$name: the same bytes with a sample" cmp loud.tsv quiet.tsv
}

exits 0 'a graph' gen er -n 4000 -d 10 --uniform-colors 25 --colors-out c.tsv -o g.tsv
forecasts 'the search' census g.tsv -c c.tsv --per-vertex -k 6
keeps_bytes 'a census of each vertex' census g.tsv -c c.tsv --per-vertex -k 3

forecasts 'the search for motifs of 4 slots' mine g.tsv -c c.tsv -k 4
keeps_bytes 'mine' mine g.tsv -c c.tsv -k 3 --support 50

{
  printf 'sample\tgraph\tcolors\tgroup\n'
  for i in $(seq 24); do printf 's%d\tg.tsv\tc.tsv\t%s\n' "$i" "$([ "$i" -gt 12 ] && echo a || echo b)"; done
} >sheet.tsv
printf 'sample\tgraph\tcolors\tgroup\none\tg.tsv\tc.tsv\ta\ntwo\tg.tsv\tc.tsv\tb\n' >two.tsv
forecasts 'counting the sets of all samples' compare sheet.tsv -k 5
forecasts 'permuting the colours of all samples' compare two.tsv -k 3 --permutations 1000000
keeps_bytes 'compare' compare sheet.tsv -k 4 --permutations 20
forecasts 'permuting the groups' compare sheet.tsv -k 3 --permutations 100000000
