# On a terminal rows come without a progress line, the line comes where rows go elsewhere, and
# binary rows are refused.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

if command -v script >/dev/null; then
  # on_terminal REGEX ARGS...: a call of which the terminal gets such a text, with as much time as that takes on this machine
  on_terminal() {
    local limit regex=$1
    shift
    for limit in 1 4 16; do
      command script -qec "$motifsieve $* --timeout $limit" /dev/null >screen.txt 2>&1 </dev/null
      ! grep -q "$regex" screen.txt || break
    done
  }
  on_terminal $'^1\tv[0-9]*\t' match k12.tsv path:12
  check 'rows on a terminal' grep -q $'^1\tv[0-9]*\t' screen.txt
  check 'no progress line among them' bash -c '! grep -q "\[K" screen.txt'
  on_terminal $'\033\\[K' match k12.tsv path:12 --engine cpu -o tty.tsv
  check 'a progress line where they go elsewhere' grep -q $'\033\\[K' screen.txt
  command script -qec "$motifsieve match k5.tsv triangle --binary" /dev/null >screen.txt 2>&1 </dev/null
  check 'no binary on a terminal' grep -q 'a terminal cannot show what --binary writes; also give --output' screen.txt
else
  skip 'terminal: no script(1)'
fi
