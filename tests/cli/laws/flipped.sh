# A wrong bit is refused: of a result, a part or a checkpoint in which any one of some random bits is wrong, or whose end is missing, verify,
# report, merge and the run that goes on say so with exit status 3, and change nothing.
# shellcheck shell=bash disable=SC2154

needs python3 || return
law_inputs
law() {
  local form f=$row
  for form in $(some_of "$row" "${forms[@]/#/=}"); do
    form=${form#=} f=$f.
    if [ "$kind" != - ]; then
      makes "whole$f" $form
      ! obeys read || job 6 3 "whole$f>wrong" -- verify wrong "${inputs[@]}"
      ! obeys report || job 3 3 "whole$f>wrong" -- report wrong -o x.out
    fi
    if obeys parts; then
      makes "p1$f" $form --part 1/2
      makes "p2$f" $form --part 2/2
      job 6 3 "p2$f>wrong" -- merge "p1$f" wrong -o x.out
    fi
  done
  obeys resumed && [ -w /dev/full ] || return 0
  result /dev/full --checkpoint "ck$f"
  [ -e "ck$f" ] || return 0
  words_of x.out
  if [ -e "ck$f.rows" ]; then
    job 6 3 "ck$f>wrong" "ck$f.rows>wrong.rows" -- "${words[@]}" -q --checkpoint wrong --resume
    # a file that begins in another way is somebody else's
    job 3 23 "ck$f.rows>wrong.rows" "ck$f>wrong" -- "${words[@]}" -q --checkpoint wrong --resume
  else
    job 6 3 "ck$f>wrong" -- "${words[@]}" -q --checkpoint wrong --resume
  fi
}
case ${MOTIFSIEVE_TEST_SCALE:-1} in 1*) ;; *) every=3 ;; esac
each_row small law
drive flip 'a wrong bit and a missing end are refused'
