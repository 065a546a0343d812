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
else
  skip 'progress line: no script(1)'
fi
