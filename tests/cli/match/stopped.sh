# A long search writes under a temporary name, and ends with a whole file after a deadline or a signal.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# files NAME: how many there are, that included, whose names begin so
files() { compgen -G "$1*" | wc -l; }
local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' long='(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)--(:G)'
# paths of twelve in K(20): 20!/8!/2
{ printf 'source\tmetaedge\ttarget\n'
  awk 'BEGIN { for (i = 0; i < 20; i++) for (j = 0; j < i; j++) printf "G::%d\tGiG\tG::%d\n", i, j }'; } >k20.sif
exits_late 4 'many matches, a little time' match k20.sif "$long" -t 1 --timeout 1 -o many.tsv.gz
check 'many matches: no file but the result' same "$(files many)" 1
check 'many matches: to the end' same "$(gzip -dc many.tsv.gz | grep -c -e '^# status: incomplete: time$' -e '^# end: rows=[1-9]')" 2
# the file is there before the graph is built; a signal that comes before the search is sent later in the next turn
local pid rc delay
for delay in 0 0.2 1 5; do
  rm -f stopped.tsv.gz
  "$motifsieve" match k20.sif "$long" -t 1 -o stopped.tsv.gz >out 2>err &
  pid=$!
  check 'a temporary name while it runs' written 'stopped.tsv.gz.tmp-*'
  check 'the name is free while it runs' test ! -e stopped.tsv.gz
  sleep "$delay"
  kill -TERM "$pid"
  wait "$pid"
  rc=$?
  grep -q '; there is no result yet' err || break
done
check 'interrupted: exit code' same $rc 4
check 'interrupted: status' same "$(gzip -dc stopped.tsv.gz | grep -cx '# status: incomplete: interrupted')" 1
check 'interrupted: a word on stderr' grep -q 'warning: interrupted after' err
check 'interrupted: the name alone' same "$(files stopped)" 1

# an incomplete result does not replace a file that has content, but an empty one, and a new one is made
echo old >old.tsv
: >empty.tsv
kept='has content, which an incomplete result does not replace; the incomplete result is in .*old.tsv.incomplete'
for name in old empty new; do
  exits_late 4 "$name.tsv and an incomplete result" match k20.sif "$long" -t 1 --timeout 0.3 -o $name.tsv
  check "$name.tsv: the warning" same "$(grep -c "^motifsieve: warning: $name.tsv: $kept\$" err)" "$([ $name = old ] && echo 1 || echo 0)"
  check "$name.tsv: the result" grep -q '^# status: incomplete: time' $name.tsv$([ $name = old ] && echo .incomplete)
done
check 'the old file stays' same "$(cat old.tsv)" old
exits_late 4 'with --quiet' match k20.sif "$long" -t 1 --timeout 0.3 -o old.tsv -q
check 'with --quiet: where it is, and nothing else' same "$(grep -c "$kept" err) $(wc -l <err)" '1 1'
# neither a whole result nor one that ends at its limit is worth a warning
exits 0 'a limit' match k20.sif "$long" --limit 3 -o old.tsv
check 'a limit: no warning' same "$(grep -c "$kept" err)" 0
