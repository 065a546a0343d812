# A run that Ctrl-C or the time limit stops has exit status 4, and its file says so and is valid: verify accepts it, report reads tables
# of motifs, and merge refuses a part because it is incomplete.  What has to be whole is not written.
# shellcheck shell=bash disable=SC2154

needs python3 || return
law_inputs
big_inputs
stopped() {
  local form read
  ! obeys parts || forms+=('--part=1/2')
  for form in $(some_of "$row" "${forms[@]/#/=}"); do
    form=${form#=}
    read=()
    if [[ $form == *part* ]]; then
      makes "p2.$row" --part 2/2
      read=(-- merge out "p2.$row" -o merged)
    elif [ "$kind" != - ] && obeys stops; then
      if obeys read; then read=(-- verify out "${inputs[@]}" --timeout 0.5); else read=(-- report out -o page.html); fi
    fi
    words_of out
    job out "$(obeys stops && echo incomplete)" -- "${words[@]}" $form -t 1 -q "${read[@]}"
  done
}
each_row big stopped
drive stop 'a stop leaves a valid file'
