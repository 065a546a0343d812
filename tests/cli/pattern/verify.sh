# The judge accepts rows of patterns in each encoding and refuses other inputs and damage.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

call list odd.tsv -p triangle --embeddings -o form.tsv.gz
call list odd.tsv -p triangle --embeddings --binary -o form.bin.zst
# accepts ROWS NAME ARGS...: list ARGS in each form, and verify with the inputs among ARGS
accepts() {
  local rows=$1 name=$2 form
  shift 2
  for form in tsv json binary; do
    exits 0 "$name: list, $form" list "$@" $([ $form = tsv ] || echo --$form) -o result.$form
    # what is about the search, and not about the inputs, is in the result
    local inputs=() word
    for word in "$@"; do
      case $word in --induced | --embeddings | --screen=*) ;; *) inputs+=("$word") ;; esac
    done
    exits 0 "$name: verify, $form" verify result.$form "${inputs[@]}"
    check "$name: verify, $form" same "$(tr '\t\n' '  ' <out)" \
      "accepted yes command list rows $rows recount complete missing 0 probabilistic no "
  done
}
accepts 1 'one triangle' g.tsv -p triangle
accepts 120 'embeddings' k5.tsv -p diamond --embeddings
accepts 3 'induced' g.tsv -p path:4 --induced
accepts 0 'no match' k5.tsv -p cycle:5 --induced
accepts 8 'labels' g.tsv -c c.tsv -p path.tve --screen=never
accepts 1 'a built-in with colours' g.tsv -c c.tsv -p triangle --pattern-colors triangle_colors.tsv --screen=never
accepts 8 'colours apart' g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv --screen=never
accepts 1 'directed' arcs.tsv -p cycle.tsv --directed
accepts 6 'odd names' odd.tsv -p triangle --embeddings
for file in form.tsv.gz form.bin.zst; do
  exits 0 "compressed: $file" verify $file odd.tsv -p triangle
done
exits 0 'screened' list g.tsv -c c.tsv -p path.tve --screen always -o screened.tsv
check 'screened' grep -qx '# mode: screened' screened.tsv
exits 0 'screened: verify' verify screened.tsv g.tsv -c c.tsv -p path.tve
exits 4 'cut short' list k12.tsv -p house --limit 7 -o short.tsv
exits 0 'cut short: verify' verify short.tsv k12.tsv -p house
check 'cut short: verify' grep -qx $'recount\tnot done' out
call list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv -o colored.tsv
refuses 2 '--pattern-colors' verify colored.tsv g.tsv -c c.tsv -p path.tsv
refuses 2 '--pattern' verify colored.tsv g.tsv -c c.tsv
printf 'x\ty\ny\tz\nz\tx\n' >other.tsv
refuses 3 'refused' verify colored.tsv g.tsv -c c.tsv -p other.tsv --pattern-colors path_colors.tsv
call list k5.tsv -p diamond -o diamond.tsv
refuses 3 'refused' verify diamond.tsv k5.tsv -p cycle:4
refuses 3 'refused' verify diamond.tsv k12.tsv -p diamond
sed 's/^3\tv0/3\tv4/' diamond.tsv >damaged.tsv
refuses 3 'refused' verify damaged.tsv k5.tsv -p diamond
