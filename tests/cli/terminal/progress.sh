# A progress line is drawn on a terminal, erased, and left out with --quiet.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

big_graph
if command -v script >/dev/null; then
  tty="$motifsieve screen big.tsv -c bigc.tsv -m '*:22' --no-prune -o tty.tsv"
  command script -qec "$tty --timeout 2s" /dev/null >tty 2>&1 </dev/null
  check 'a progress line on a terminal' grep -q $'\r\033\[K[a-z]' tty
  check 'it is erased' bash -c "tr '\r' '\n' <tty | grep -q \$'^\033\[K\$\|^\033\[Kmotifsieve'"
  command script -qec "$tty --timeout 1s -q" /dev/null >tty 2>&1 </dev/null
  check 'none with --quiet' bash -c '! grep -q "\[K" tty'
  # verify: the rows, then the recount
  motifsieve list big.tsv -c bigc.tsv -m '*:6' --exact --limit 1500000 -q -o rows.tsv
  command script -qec "$motifsieve verify rows.tsv big.tsv -c bigc.tsv" /dev/null >tty 2>&1 </dev/null
  check 'verify: rows checked' grep -q $'\r\033\[Krows checked: [0-9]*' tty
  cp bigc.tsv hubc.tsv
  printf 'v7\thub\n' >>hubc.tsv
  motifsieve list big.tsv -c hubc.tsv -m 'hub,*:6' --exact -q -o rows.tsv
  tty="$motifsieve verify rows.tsv big.tsv -c hubc.tsv --timeout 20s --recount"
  command script -qec "$tty" /dev/null >tty 2>&1 </dev/null
  check 'verify: the recount' grep -q $'\r\033\[Kmatches recounted: [0-9]* of [0-9]* (' tty
  command script -qec "$tty -q" /dev/null >tty 2>&1 </dev/null
  check 'verify: none with --quiet' bash -c '! grep -q "\[K" tty'
  # a count of a pattern
  motifsieve gen er -n 2000 -d 200 -o dense.tsv
  tty="$motifsieve match dense.tsv house --induced --engine cpu --count --timeout 3s"
  command script -qec "$tty" /dev/null >tty 2>&1 </dev/null
  check 'a count: roots searched' grep -q $'\r\033\[Kroots searched: [0-9]* of 2000 (' tty
else
  skip 'progress line: no script(1)'
fi
