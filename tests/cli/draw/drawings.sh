# Drawings in CX2 and DOT show the matches, are drawn by dot where it is there, and are refused as
# results.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 CX2 list g.tsv --colors c.tsv -m red,blue,green --cx2 -o list.cx2
exits 0 DOT list g.tsv --colors c.tsv -m red,blue,green --dot -o list.dot
check 'DOT: five vertices' test "$(grep -c ' \[label=' list.dot)" -eq 5
check 'DOT: five edges' test "$(grep -c ' -- ' list.dot)" -eq 5
exits 0 'DOT of a match' list g.tsv --colors c.tsv -m red,blue,green --dot --match 2
check 'its vertices' same "$(sed -nE 's/^  v[0-9]+ \[label="([^"]*)".*/\1/p' out | tr '\n' ' ')" 'b c d '
check 'its edges' same "$(grep -c ' -- ' out)" 3
refuses 2 'there is no match 4: 3 were found' list g.tsv --colors c.tsv -m red,blue,green --dot --match 4
exits 0 'DOT of the whole graph' screen g.tsv --colors c.tsv -m red:2,blue -r e --dot --whole-graph
check 'three are filled' same "$(grep -c ', fillcolor=' out)" 4 # the default is one
check 'all are there' same "$(grep -c ' -- ' out)" 6
refuses 3 'CX2 network .* give the output as TSV' verify list.cx2 g.tsv --colors c.tsv
refuses 3 'DOT drawing .* give the output as TSV' verify list.dot g.tsv --colors c.tsv
cp g.tsv $'g\xff.tsv'
refuses 3 'not UTF-8, which JSON needs; leave out --cx2' list $'g\xff.tsv' -c c.tsv -m red -x --cx2
exits 0 'an ending that is another form' list g.tsv --colors c.tsv -m red -o name.cx2
check 'is warned of' grep -q 'name.cx2 is written as TSV; .* but --cx2 does' err
check 'and is what it would be elsewhere' grep -q '^# motifsieve' name.cx2
exits 0 'nothing to draw' list g.tsv --colors c.tsv -m green:2 --dot -o none.dot
exits 5 'nothing to draw, and no good' list g.tsv --colors c.tsv -m green:2 --cx2 --fail-if-none
printf 'a"b\tb\\n\nb\\n\t<i>c&amp;\n<i>c&amp;\td\xc3\xa9\nd\xc3\xa9\t\\\n\\\t{|x}\n' >dg.tsv
printf 'a"b\tred\nb\\n\tblue\n<i>c&amp;\tred\nd\xc3\xa9\tblue\n\\\tred\n' >dc.tsv
exits 0 'DOT with odd names' list dg.tsv -c dc.tsv -m 'red,blue,*' -x --dot -o odd.dot
if command -v dot >/dev/null; then
  for f in list none odd; do
    check "dot draws $f.dot" timeout 60 dot -Tsvg $f.dot -o $f.svg
  done
  check 'dot shows the names as they are' same \
    "$(sed -nE 's/.*Helvetica.*font-size="10.00">([^<]*)<.*/\1/p' odd.svg | tr '\n' ' ')" \
    'a&quot;b b\n &lt;i&gt;c&amp;amp; dé \ {|x} '
else
  skip 'DOT is not drawn: no dot(1)'
fi
awk 'BEGIN { for (i = 0; i < 5001; i++) { print "hub\tv" i } }' >star.tsv
awk 'BEGIN { print "hub\tred"; for (i = 0; i < 5001; i++) { print "v" i "\tblue" } }' >starc.tsv
exits 0 'a large drawing' list star.tsv -c starc.tsv -m red,blue -x --dot
check 'is warned of' grep -q 'warning: 5002 vertices are too many for Graphviz' err
exits 0 'a large network for Cytoscape' list star.tsv -c starc.tsv -m red,blue -x --cx2
check 'is not' test ! -s err
