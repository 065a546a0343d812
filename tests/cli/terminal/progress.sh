# A progress line is drawn on a terminal, erased, and left out with --quiet.
# shellcheck shell=bash disable=SC2034,SC2154

# on_terminal ARGS...: runs the tool; what a terminal gets is in the file tty.
on_terminal() { command script -qec "$motifsieve $*" /dev/null >tty 2>&1 </dev/null; }
# drawn REGEX: true if the terminal got a progress line with this text
drawn() { grep -q $'\r\033\[K'"$1" tty; }

# The line comes after half a second, so that fast machines get more to do, and busy ones more time.
big_graph
if command -v script >/dev/null; then
  screen="screen big.tsv -c bigc.tsv -m '*:22' --no-prune --backend cpu -t 1 -o tty.tsv"
  for limit in 1 4 16; do
    on_terminal "$screen --timeout $limit"
    ! drawn '[a-z]' || break
  done
  check 'a progress line on a terminal' drawn '[a-z]'
  check 'it is erased' bash -c "tr '\r' '\n' <tty | grep -q \$'^\033\[K\$\|^\033\[Kmotifsieve'"
  on_terminal "$screen --timeout $limit -q"
  check 'none with --quiet' bash -c '! grep -q "\[K" tty'
  # verify: the rows, of which the last come late, then the recount
  motifsieve list big.tsv -c bigc.tsv -m '*:6' --exact --limit 300000 -q -o rows.tsv
  mkfifo pipe
  for pause in 1 4 16; do
    {
      head -c 4000000 rows.tsv
      sleep $pause
      tail -c +4000001 rows.tsv
    } >pipe &
    on_terminal verify pipe big.tsv -c bigc.tsv
    wait
    ! drawn 'rows checked: [0-9]*' || break
  done
  check 'verify: rows checked' drawn 'rows checked: [0-9]*'
  cp bigc.tsv hubc.tsv
  printf 'v7\thub\n' >>hubc.tsv
  for size in 6 7; do
    motifsieve list big.tsv -c hubc.tsv -m "hub,*:$size" --exact -q -o rows.tsv
    on_terminal verify rows.tsv big.tsv -c hubc.tsv --timeout 40 --recount
    ! drawn 'matches recounted: ' || break
  done
  check 'verify: the recount' drawn 'matches recounted: [0-9]* of [0-9]* ('
  on_terminal verify rows.tsv big.tsv -c hubc.tsv --timeout 1 --recount -q
  check 'verify: none with --quiet' bash -c '! grep -q "\[K" tty'
  # a count of a pattern
  n=16000
  motifsieve gen er -n $n -d 200 -o dense.tsv
  for limit in 1 4 16; do
    on_terminal match dense.tsv house --induced --engine cpu --count -t 1 --timeout $limit
    ! drawn 'roots searched: ' || break
  done
  check 'a count: roots searched' drawn "roots searched: [0-9]* of $n ("
else
  skip 'progress line: no script(1)'
fi
