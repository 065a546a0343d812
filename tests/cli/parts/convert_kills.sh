# A convert that is killed at random points leaves the old file or the whole new one, never a part of it; repeated, it gives the same
# bytes, and removes what the killed ones have left.
# shellcheck shell=bash disable=SC2154

needs python3 || return
"$motifsieve" gen power-law -n 20000 --exponent -1 --edges 60000 --uniform-colors 5 --colors-out kc.tsv -o kg.tsv -q
"$motifsieve" convert kg.tsv -c kc.tsv -o kg.msb -q
job graph.msb -- convert kg.tsv -c kc.tsv --to binary -t 2 -q -o graph.msb
job graph.graphml -- convert kg.tsv -c kc.tsv -q -o graph.graphml
job graph.mtx.gz -- convert kg.tsv -q -o graph.mtx.gz
job graph.sif -- convert kg.msb -q -o graph.sif
drive replace 'the old file or the new one'
