# On 400 vertices any number of threads gives the same bytes, list and screen agree, and limits of
# time and memory end a run with its status.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

awk 'BEGIN { s = 12345; n = 400
  for (i = 0; i < 1200; i++) { s = (s * 16807) % 2147483647; a = s % n
    s = (s * 16807) % 2147483647; b = s % n; print "v" a "\tv" b } }' >big.tsv
awk 'BEGIN { for (i = 0; i < 400; i++) { print "v" i "\tc" (i * 7 + int(i / 10)) % 10
  if (i % 3 == 0) print "v" i "\tc" (i * 3 + 1) % 10 } }' >bigc.tsv
for command in 'screen --all' list 'list --exact' 'list --json'; do
  call $command big.tsv -c bigc.tsv -m c1,c2,c3:2,c4 --seed 9 -t 1
  mv out one
  check "$command has rows" test "$(rows one | wc -l)" -gt 3
  for t in 2 7; do
    call $command big.tsv -c bigc.tsv -m c1,c2,c3:2,c4 --seed 9 -t $t
    check "$command: $t threads give the same bytes" cmp -s one out
  done
done
call list big.tsv -c bigc.tsv -m c1,c2,c3:2,c4
mv out sieved
call list big.tsv -c bigc.tsv -m c1,c2,c3:2,c4 --exact
check 'list and list --exact agree' same "$(rows sieved)" "$(rows out)"
rows out | cut -f2 | tr ',' '\n' | sort -u >in_match
call screen big.tsv -c bigc.tsv -m c1,c2,c3:2,c4
check 'screen flags the vertices of the matches' same "$(rows | cut -f1 | sort)" "$(cat in_match)"
refuses 4 '--memory' list big.tsv -c bigc.tsv -m '*:6' --exact --memory 64K
refuses 4 '--memory|memory' screen big.tsv -c bigc.tsv -m '*:16' --memory 1K

exits 4 'timeout' list big.tsv -c bigc.tsv -m '*:14' --exact --count --timeout 300ms
check 'timeout: the number so far' grep -Eqx '[0-9]+' out
check 'timeout: said' grep -q 'out of time' err
exits 4 'timeout, rows' list big.tsv -c bigc.tsv -m 'c1,c2,*:10,c3,c4' --exact --timeout 300ms
check 'timeout: marked' grep -qx '# status: incomplete: time' out
check 'timeout: whole file' grep -q '^# end: rows=' out
exits 4 'timeout, screen' screen big.tsv -c bigc.tsv -m '*:22' --timeout 300ms --no-prune
check 'timeout: screen marked' grep -qx '# status: incomplete: time' out
cp out stopped.tsv
exits 0 'a stopped screen verifies' verify --no-recount stopped.tsv big.tsv -c bigc.tsv
