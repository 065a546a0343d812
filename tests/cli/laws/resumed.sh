# Resumed = whole: a run that is killed or interrupted at random points and goes on from its checkpoint gives the bytes of a run that
# nothing disturbs, in each form and in parts; so does one whose result had no room.  Each kind of sum is resumed.
# shellcheck shell=bash disable=SC2154

needs python3 || return
law_inputs
big_inputs
# full: the work is done, and the result cannot be written; the next run, with another form and other threads, has only to write it
full() {
  local form
  if ! obeys resumed; then
    result none --checkpoint ck
    check "row $row, $text: --checkpoint is refused ($rc)" test "$rc" -eq 2 -a ! -e ck -a ! -e none
    return
  fi
  form=$(some_of "$row" "${forms[@]}")
  makes whole $form -t 2
  result /dev/full --checkpoint ck
  check "row $row, $text: a full disk leaves the state" test "$rc" -eq 3
  [ ! -e ck ] || { grep -ao 'command	.*' ck; echo "kind	$kind/$kind_of_parts"; } >>sums
  result out $form --checkpoint ck --resume -t 1
  check "row $row, $text $form: resumed = whole" cmp whole out
  check "row $row, $text: nothing is left" test ! -e ck -a ! -e ck.rows -a ! -e ck.lock
}
if [ -w /dev/full ]; then each_row small full; else skip 'there is no /dev/full'; fi

disturbed() {
  local ways=(plain) way
  obeys resumed || return
  ! obeys json || ways+=(json)
  ! obeys parts || ways+=(part)
  for way in $(some_of "$row" "${ways[@]}"); do
    words_of "out.$way"
    case $way in
    plain) job out.plain -- "${words[@]}" -t 2 ;;
    json) job out.json -- "${words[@]}" --json -t 2 ;;
    part) job out.part -- "${words[@]}" --part 2/3 -t 2 ;;
    esac
  done
}
each_row big disturbed
drive kill 'resumed = whole'

# every kind of sum in the sources is there: `.name` is what its checkpoint calls the command
sums=$(cd "$here/.." && cat run/*.c run/*/*.c significance/*.c significance/*/*.c | tr -d '\n' | grep -oE '(ms_sum_kind|ms_permute_each) [a-z_]+ = \{ *\.name = "[^"]*"' | cut -d '"' -f 2)
check 'kinds of sums are found' test "$(wc -l <<<"$sums")" -ge 8
while read -r sum; do check "a row has the sum '$sum'" grep -qx "command	$sum" sums; done <<<"$sums"
