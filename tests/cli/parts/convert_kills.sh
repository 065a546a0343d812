# A convert that is killed at random points leaves the old file or the whole new one, never a part of it; repeated, it
# gives the same bytes, and removes what the killed ones have left.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 20000 --exponent -1 --edges 60000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
printf 'old\n' >old

before_run() { cp old "$out"; }
# after_run NUMBER KILLED: the old file is there or the whole new one, and after a run that was not killed the new one.
after_run() {
  if [ "$rc" -eq 137 ]; then
    cmp -s "$out" old || check "$out after kill $1: the old file or the new one" cmp "$out" "whole.$out"
  else
    check "$out: run $1 ends (exit code $rc)" test "$rc" -eq 0
    check "$out: run $1: the same bytes" cmp "$out" "whole.$out"
  fi
}
converts() {
  out=$1
  shift
  measure "$motifsieve" convert "$@" -o "whole.$out" -q
  killed_runs "$(kills 8 2)" "$motifsieve" convert "$@" -o "$out" -q
  exits 0 "$out: the last one ends" convert "$@" -o "$out" -q
  check "$out: the last one: the same bytes" cmp "$out" "whole.$out"
  check "$out: nothing is left" test "$(find . -name "$out.*" | wc -l)" -eq 0
}
converts graph.msb kg.tsv -c kc.tsv --to binary -t 2
converts graph.graphml kg.tsv -c kc.tsv
converts graph.mtx.gz kg.tsv
converts graph.sif whole.graph.msb
