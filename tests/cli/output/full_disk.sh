# A disk that fills up while matches are written: what was written stays, cut back to whole rows and
# marked, and verify accepts it.  A limit of the size of files stands for the disk.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

big_graph
trap '' XFSZ

# limited KIB NAME ARGS...: runs the tool with -o NAME, over an old file, in which no file may have
# more than KIB kibibytes.  Checks that the result is kept, or where there is no row, the old file.
limited() {
  local most=$1 name=$2 rows
  shift 2
  echo old >"$name"
  rm -f stats.json
  (
    ulimit -f "$most"
    "$motifsieve" "$@" -o "$name" --stats stats.json
  ) >out 2>err </dev/null
  rc=$?
  check "$* -o $name, $most KiB: exit 4 (got $rc)" test $rc -eq 4
  check "$name, $most KiB: the message" grep -q "warning: $name: no room for more rows (.*) after [1-9][0-9]* matches; the result is incomplete" err
  if [ -e "$name.incomplete" ]; then
    check "$name, $most KiB: the old file stays" same "$(cat "$name")" old
    check "$name, $most KiB: where the new one is" grep -q "warning: $name: has content, which an incomplete result does not replace; the incomplete result is in .*$name.incomplete" err
    mv "$name.incomplete" "$name"
  else
    check "$name, $most KiB: is beside the old file" false
  fi
  check "$name, $most KiB: statistics" grep -q '"status":"incomplete: space","found":"[1-9][0-9]*"}$' stats.json
  check "$name, $most KiB: no other file" same "$(compgen -G '*.tmp-*'; compgen -G '*.new-*')" ''
  rows=$(sed 's/.*"found":"\([0-9]*\)"}$/\1/' stats.json)
  found=$rows
}
# accepted NAME ARGS...: verify accepts the result, and counts as many rows as the statistics.
accepted() {
  local name=$1
  shift
  exits 0 "verify $name" verify "$name" "$@" --no-recount
  check "$name: rows" grep -qx "rows	$found" out
}

for most in 5 48; do
  for form in tsv tsv.gz tsv.zst json json.gz bin bin.zst; do
    case $form in json*) option=--json ;; bin*) option=--binary ;; *) option= ;; esac
    limited $most match.$form match big.tsv path:5 $option
    accepted match.$form big.tsv path:5
  done
  limited $most long.tsv match big.tsv path:5 --long
  accepted long.tsv big.tsv path:5
  limited $most typed.tsv match big.tsv '(a)--(b)--(c)--(d)'
  accepted typed.tsv big.tsv '(a)--(b)--(c)--(d)'
  # a sorted list has the number of its rows in its head
  for form in tsv json tsv.gz; do
    option=
    [ $form != json ] || option=--json
    [ $form.$most != tsv.gz.48 ] || continue
    limited $most list.$form list big.tsv -c bigc.tsv -m '*:3' --exact $option
    accepted list.$form big.tsv -c bigc.tsv
  done
done
check 'more room, more rows' test "$(wc -l <match.tsv)" -gt 500
check 'the first rows of the whole list' same "$(rows list.tsv)" \
  "$("$motifsieve" list big.tsv -c bigc.tsv -m '*:3' --exact 2>err | rows - | head -n "$(rows list.tsv | wc -l)")"

# where no row has room, or the output is a drawing, the old file stays
echo old >old.cx2
(
  ulimit -f 5
  "$motifsieve" list big.tsv -c bigc.tsv -m '*:3' --exact --cx2 -o old.cx2
) >out 2>err </dev/null
check 'a drawing: exit 3' test $? -eq 3
check 'a drawing: the old file' same "$(cat old.cx2)" old

# several frames, and blocks that end early, are still one gzip or zstd file
"$motifsieve" match big.tsv path:5 -o whole.tsv 2>err
"$motifsieve" match big.tsv path:5 -o whole.tsv.gz 2>err
check 'gzip unpacks it' same "$(gzip -dc whole.tsv.gz | cksum)" "$(cksum <whole.tsv)"
check 'gzip tests what was kept' gzip -t match.tsv.gz
if needs zstd; then
  "$motifsieve" match big.tsv path:5 -o whole.tsv.zst 2>err
  check 'zstd unpacks it' same "$(zstd -dqc whole.tsv.zst | cksum)" "$(cksum <whole.tsv)"
fi

# a disk that is full, if this process may make one; with several threads
if mkdir full && mount -t tmpfs -o size=256k tmpfs full 2>/dev/null; then
  for form in tsv tsv.gz tsv.zst; do
    call match big.tsv path:5 -t 3 -o full/match.$form --stats full/stats.json
    check "$form: exit 4 (got $rc)" test $rc -eq 4
    exits 0 "$form: verify" verify full/match.$form big.tsv path:5 --no-recount
    check "$form: statistics" grep -q '"status":"incomplete: space"' full/stats.json
    rm full/*
  done
  umount full
else
  skip 'this process may not mount'
fi
