# On 400 vertices a deadline ends list and screen with their status, a message and a whole file.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

big_graph
exits_late 4 'timeout' list big.tsv -c bigc.tsv -m '*:14' --exact --count --timeout 0.3
check 'timeout: the number so far' grep -Eqx '>= [0-9]+ \(incomplete: time\)' out
check 'timeout: said' grep -q 'out of time' err
exits_late 4 'timeout, rows' list big.tsv -c bigc.tsv -m 'c1,c2,*:10,c3,c4' --exact -t 2 --timeout 0.3
check 'timeout: marked' grep -qx '# status: incomplete: time' out
check 'timeout: whole file' grep -q '^# end: rows=' out
exits_late 4 'timeout, screen' screen big.tsv -c bigc.tsv -m '*:22' --backend cpu --timeout 0.3 --no-prune
check 'timeout: screen marked' grep -qx '# status: incomplete: time' out
cp out stopped.tsv
exits 0 'a stopped screen verifies' verify --no-recount stopped.tsv big.tsv -c bigc.tsv

# a search with a billion rows ends soon after its deadline, whatever the form and the output; the bound
# of two seconds is given eight for a busy machine
exits 0 'a graph' gen er -n 4000 --edges 160000 -o many.tsv
for output in rows.tsv rows.tsv.gz; do
  for form in '' --json --long; do
    ends_soon "deadline [$form $output]" 9 match many.tsv path:4 $form -t 2 --timeout 0.2 -q -o "$output"
    check "deadline [$form $output]: exit code $rc" test $rc -eq 4
    check "deadline [$form $output]: marked" sh -c "gzip -dcf $output | tail -n 3 | grep -q 'incomplete: time'"
  done
done

# a vertex may have far more motifs than sets where vertices have several colours: this census takes minutes
exits 0 'a graph' gen er -n 300 --edges 884 -o each.tsv
awk 'BEGIN { s = 5; for (v = 0; v < 300; v++) for (i = 0; i < 20; i++) { s = (s * 16807) % 2147483647; print v "\tq" s % 200 } }' >each.col
for k in 3 8; do
  ends_soon "deadline [census of each vertex, $k]" 9 census each.tsv -c each.col -k $k --per-vertex -t 1 --timeout 0.2 -q -o each.res
  check "deadline [census of each vertex, $k]: exit code $rc" test $rc -eq 4
  check "deadline [census of each vertex, $k]: marked" grep -qx '# status: incomplete: time' each.res
done
