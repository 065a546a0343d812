# What filter leaves can be read by every other command, with types as colours.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

printf '#relation:\tr\t^r\nsource\ttype\ttarget\tsource_type\ttarget_type\na\tr\tb\tX\tY\nb\ts\tc\tY\tX\nc\ts\td\tX\tY\n' >all.tsv
exits 0 'filter to be passed on' filter all.tsv -p '(:X)-[s]-(:Y)' -o part.tsv
exits 0 'components of a table' components part.tsv --count
check 'components of a table' same "$(cat out)" 1
exits 0 'list in a table' list part.tsv -p path:3 --count
check 'list in a table' same "$(cat out)" 1
exits 0 'screen a table' screen part.tsv -m X:1,Y:2
check 'screen a table' same "$(rows | cut -f 1-3 | tr '\t\n' ', ')" 'c,X,1 b,Y,1 d,Y,1 '
check 'the table is told' grep -q 'edges=2 format=table ' out
exits 0 'a listing of a table' list all.tsv -m X,Y --exact -o list.tsv
exits 0 'verified with the table' verify list.tsv all.tsv
exits 0 'a directed table' list all.tsv -p <(printf 'x y\n') --directed --count
check 'a directed table' same "$(cat out)" 3
exits 0 'convert a table' convert all.tsv --to tve
check 'convert a table' same "$(grep -c '^v' out)" 4
exits 0 'convert --format table' convert all.tsv --format table --nodes <(printf 'a\tX\nz\tZ\n') --to tve
check 'convert --format table --nodes' same "$(grep -c '^v' out)" 5
exits 0 'nothing is left' filter all.tsv -p '(:X)-[q]-(:Y)' -q -o none.tsv
exits 0 'nothing is read' typed-match none.tsv -p '(:X)-[s]-(:Y)' -q -o empty.tsv
check 'no match in nothing' grep -qx '# matches: 0' empty.tsv
exits 0 'verified with nothing' verify empty.tsv none.tsv -p '(:X)-[s]-(:Y)'
refuses 3 'none.tsv: a table without edges and vertices' components none.tsv
printf 'a\tb\n' >plain.tsv
exits 0 'an edge list' typed-match plain.tsv -p '(x)--(y)' --count
check 'an edge list is told' grep -q 'plain.tsv is read as an edge list, whose edges have one type' err
exits 0 'nothing near' typed-match all.tsv -p '(:X)-[q]-(:Y)' --inexact
check 'nothing near is told' grep -q "so there is nothing to score; allow further types" err
