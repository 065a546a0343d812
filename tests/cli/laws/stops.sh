# A run that Ctrl-C or the time limit stops has exit status 4, and its file says so and is valid: verify accepts it, and report reads
# tables of motifs.  What has to be whole is not written.
# shellcheck shell=bash disable=SC2154

needs python3 || return
law_inputs
big_inputs
stopped() {
  local form read
  for form in $(some_of "$row" "${forms[@]/#/=}"); do
    form=${form#=}
    words_of "out$form"
    read=()
    if [ "$kind" != - ] && obeys stops; then
      if obeys read; then read=(-- verify "out$form" "${inputs[@]}"); else read=(-- report "out$form" -o page.html); fi
    fi
    job "out$form" "$(obeys stops && echo incomplete)" -- "${words[@]}" $form -t 1 -q "${read[@]}"
  done
}
each_row big stopped
drive stop 'a stop leaves a valid file'
