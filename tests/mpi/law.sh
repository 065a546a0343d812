# Ranks = alone: each row of big inputs of tests/cli/laws/kinds, in its forms in turn, on the numbers of ranks in turn, gives the bytes of one
# process.  tests/mpi.sh and tests/mpi_other.sh source this file after tests/checks.sh, in the folder of their files; `on RANKS WORDS...`
# runs the tool on so many ranks, and leaves its exit code in $rc.
# shellcheck shell=bash disable=SC2154,SC2034
motifsieve=$alone cli=$top/tests/cli here=$top/tests
# shellcheck source=tests/cli/laws/functions
. "$top/tests/cli/laws/functions"
numbers=()
runs=0
ranks_law() {
  local form ranks
  if ! obeys resumed || ! obeys ranks; then
    rm -f ranks.out
    words_of ranks.out
    on 2 "${words[@]}" -t 1 -q
    check "$text on 2 ranks is refused, or done by one ($rc)" test "$rc" -eq 2 -a ! -e ranks.out -o "$rc" -eq 0
    return
  fi
  for form in $(some_of "$row" "${forms[@]/#/=}"); do
    form=${form#=}
    ranks=${numbers[runs++ % ${#numbers[@]}]}
    makes alone.out $form -t 1
    words_of ranks.out
    rm -f ranks.out
    on "$ranks" "${words[@]}" $form -t 1 -q
    check "$text $form on $ranks ranks: ends (exit code $rc)" test "$rc" -eq 0
    check "$text $form on $ranks ranks: the same bytes" cmp alone.out ranks.out
    check "$text $form on $ranks ranks: no rank leaves a file" test -z "$(find . -name '*.tmp-*')"
  done
}
# ranks_are_alone RANKS...
ranks_are_alone() {
  numbers=("$@")
  law_inputs
  big_inputs
  each_row big ranks_law
}
