# A convert that is killed at random points leaves the old file or the whole new one, never a part of it; repeated, it
# gives the same bytes, and removes what the killed ones have left.
# shellcheck shell=bash disable=SC2154

"$motifsieve" gen power-law -n 20000 --exponent -1 --edges 60000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
kills=$(awk -v scale="${MOTIFSIEVE_TEST_SCALE:-1}" 'BEGIN { n = int(8 * scale); print n < 2 ? 2 : n }')
printf 'old\n' >old

survives() {
  local out=$1 begin span after rc killed=0
  shift
  begin=$(date +%s%N)
  "$motifsieve" convert "$@" -o "whole.$out" -q
  span=$((($(date +%s%N) - begin) / 1000000)) # milliseconds of a whole run
  for ((i = 0; i < kills * 4 && killed < kills; i++)); do
    cp old "$out"
    after=$(awk -v span="$span" -v i="$RANDOM" 'BEGIN { printf "%.3f", (1 + i % 1000 / 1000 * span) / 1000 }')
    timeout --foreground --preserve-status -s KILL "$after" "$motifsieve" convert "$@" -o "$out" -q 2>err
    rc=$?
    if [ $rc -eq 137 ]; then
      killed=$((killed + 1))
      cmp -s "$out" old || check "$out after kill $i: the old file or the new one" cmp "$out" "whole.$out"
    else
      check "$out: run $i ends (exit code $rc)" test $rc -eq 0
      check "$out: run $i: the same bytes" cmp "$out" "whole.$out"
    fi
  done
  check "$out: runs were killed" test "$killed" -gt 0
  exits 0 "$out: the last one ends" convert "$@" -o "$out" -q
  check "$out: the last one: the same bytes" cmp "$out" "whole.$out"
  check "$out: nothing is left" test "$(find . -name "$out.*" | wc -l)" -eq 0
}
survives graph.msb kg.tsv -c kc.tsv --to binary -t 2
survives graph.graphml kg.tsv -c kc.tsv
survives graph.mtx.gz kg.tsv
survives graph.sif whole.graph.msb
