# No room for the state or the rows of a checkpoint: the run goes on, gives the whole result, says so once, and leaves nothing.  A limit
# of the size of files stands for a full disk.
# shellcheck shell=bash disable=SC2154

big_inputs
# survives_full BLOCKS ARG...: with files of at most so many blocks
survives_full() {
  local blocks=$1
  shift
  "$motifsieve" "$@" -q -o whole
  (
    ulimit -f "$blocks"
    exec timeout 60 "$motifsieve" "$@" --checkpoint ck --checkpoint-seconds 0.01 2>err
  ) | cat >full
  check "a full disk: the run goes on: $*" cmp full whole
  check "a full disk: it says so, once: $*" test "$(grep -c 'warning: the state of the run could not be saved: .*; the run goes on' err)" -eq 1
  check "a full disk: nothing is left: $*" test ! -e ck -a ! -e ck.rows
}
survives_full 1 census big.tsv -c big_colors.tsv -k 5 -t 2
survives_full 300 census big.tsv -c big_colors.tsv -k 4 --per-vertex -t 2
survives_full 300 list big.tsv -c big_colors.tsv -m c0,c1,c2,rare --exact -t 2
