# Parts merged = whole: for 1, 2, 3 and 7 parts in any order, with other numbers of threads, in each form, plain and compressed, and
# without the inputs, merge gives the bytes of the undivided run.  A part says that it is one; report refuses it.
# shellcheck shell=bash disable=SC2046,SC2154

law_inputs
numbers=(1 7 2 3)
law() {
  local form parts part ending= i=0
  if ! obeys parts; then
    result part --part 1/2
    check "row $row, $text: --part is refused ($rc)" test "$rc" -eq 2 -a ! -e part
    return
  fi
  for form in $(some_of "$row" "${forms[@]/#/=}"); do
    form=${form#=}
    makes whole $form -t 2
    for parts in $(some_of $((row / 2)) "${numbers[@]}"); do
      case $form$parts in --json3) ending=.gz ;; --json7) ending=.zst ;; *) ending= ;; esac
      for ((part = 1; part <= parts; part++)); do makes "p$part$ending" $form -t $((part % 3 + 1)) --part $part/$parts; done
      ! obeys hidden || mv "${command[1]}" away
      call merge $(seq -f "p%g$ending" "$parts" | shuf --random-source="$here/data/links.txt") -o merged
      ! obeys hidden || mv away "${command[1]}"
      check "row $row, $text $form: $parts parts merged = whole" cmp whole merged
      [ -n "$form" ] || cat whole p1 >>"seen.$kind"
    done
  done
  part_says "p1$ending" "$parts"
}
# part_says FILE PARTS: what readers make of the first part
part_says() {
  result_is 3 "report refuses a part" 'is a part of a run' report "$1" -o page.html
  if obeys part-read; then
    result_is 0 'verify accepts the rows of a part' '' verify "$1" "${inputs[@]}"
    check "row $row, $text: the verdict on a part" grep -qx "part	1 of $2" out
  else
    result_is 2 'verify says that a part has no rows to check' 'merge the parts of the run, and verify the result' verify "$1" "${inputs[@]}"
  fi
}
# result_is CODE NAME REGEX ARG...
result_is() {
  call "${@:4}"
  check "row $row, $text: $2 (exit code $rc)" test "$rc" -eq "$1"
  [ -z "$3" ] || check "row $row, $text: $2: message" grep -qE "$3" err
}
each_row small law

# what makes parts hard occurs, where all rows are read
[ -z "$(some_of 0 '' all)${MOTIFSIEVE_TEST_ONLY:-}" ] && return
check 'a vertex of a census is cut' grep -qE '^[^#].*	[0-9]+(,[0-9]+)+$' seen.census_vertex
check 'the only root of a typed pattern is cut' grep -qE '^# units: ([2-9]|1[0-9])$' seen.match
check 'a sieve ends early' grep -q '^# repetitions: 1 of [2-9]' seen.screen
check 'another one does not' grep -qE '^# repetitions: ([2-9]+) of \1' seen.screen
check 'a motif has no set, and is expected' grep -qE '^[^#].*	3	0	' seen.census
check 'a number is missing where all permutations are equal' grep -qx 'perm_z	NA' seen.-
