# Random types of edges are uniform, the same by any number of threads, and leave graph and
# colours as they were.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

local er='gen er -n 300 --edges 6000 --seed 5 --edge-types 4 --directed-types 2'
refuses 2 '--directed-types counts some of the --edge-types' gen er -n 9 --edges 9 --directed-types 1
refuses 2 '--directed-types counts some' gen er -n 9 --edges 9 --edge-types 1 --directed-types 2
refuses 2 'option --edge-types wants a whole number from 1' gen er -n 9 --edges 9 --edge-types 0
refuses 2 'option --edge-types wants' gen er -n 9 --edges 9 --edge-types 32768
refuses 2 '--edge-types and --to do not go together' gen er -n 9 --edges 9 --edge-types 2 --to sif
exits 0 'gen: types of edges' $er -t 1 --uniform-colors 3 -o t1.tsv
exits 0 'gen: by two threads' $er -t 2 --uniform-colors 3 --colors-out c.tsv -o t2.tsv
check 'gen: types do not depend on threads' cmp t1.tsv t2.tsv
check 'gen: relations' same "$(grep -c '^#relation' t1.tsv) $(grep '^#relation' t1.tsv | awk -F '\t' '$2 != $3' | wc -l)" '4 2'
check 'gen: edges' same "$(awk -F '\t' '/^#/ || $2 == "type" { next } $2 != ""' t1.tsv | wc -l)" 6000
# 1500 a relation: 6 standard deviations are 202
check 'gen: types are uniform' same "$(awk -F '\t' '$2 ~ /^t[0-9]$/ { n[$2]++ }
  END { for (t in n) { if (n[t] < 1298 || n[t] > 1702) bad = 1; k++ } print k, bad + 0 }' t1.tsv)" '4 0'
exits 0 'gen: the same graph without types' gen er -n 300 --edges 6000 --seed 5 --to edge-list -o plain.tsv
check 'gen: the same edges' same "$(awk -F '\t' '/^#/ || $2 == "type" || $2 == "" { next } { print ($1 + 0 < $3 + 0) ? $1 "-" $3 : $3 "-" $1 }' t1.tsv | sort | cksum)" \
  "$(awk -F '\t' '!/^#/ { print ($1 + 0 < $2 + 0) ? $1 "-" $2 : $2 "-" $1 }' plain.tsv | sort | cksum)"
check 'gen: colours are types' same "$(awk -F '\t' '!/^#/ && $2 != "type" { print $1 "\t" $4; if ($3 != "") print $3 "\t" $5 }' t1.tsv | sort -u | cksum)" \
  "$(sort -u c.tsv | cksum)"
exits 0 'gen: to standard output' gen clique -n 3 --edge-types 1
check 'gen: untyped vertices' same "$(cat out)" "$(printf '#relation:\tt0\tt0\nsource\ttype\ttarget\tsource_type\ttarget_type\n0\t\t\tuntyped\t\n1\tt0\t0\tuntyped\tuntyped\n2\tt0\t0\tuntyped\tuntyped\n2\tt0\t1\tuntyped\tuntyped')"
