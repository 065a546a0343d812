#!/usr/bin/env bash
# The command line, end to end: every command and option, exit codes, what goes
# to which stream, small examples whose answers were worked out by hand.
# Usage: tests/cli/cli.sh PATH/TO/motifsieve
set -u

# shellcheck source=tests/cli/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"

# ---- the examples -------------------------------------------------------------
#   a - b - c      a red, b blue, c red, d green or blue, e red, f none
#        \  |
#          d - e - f
printf '# a comment\na\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\nd\td\nb\ta\n' >g.tsv
printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\nzz\tred\n' >c.tsv
gc=(g.tsv --colors c.tsv)

# ---- help and version ---------------------------------------------------------
for args in --help -h help 'screen --help' 'list -h' 'verify --help' 'info --help' 'bench --help' \
  'help list'; do
  # shellcheck disable=SC2086
  exits 0 "help [$args]" $args
  check "help [$args] on stdout" test -s out
  check "help [$args] not on stderr" test ! -s err
done
for command in screen list verify stats components gen; do
  run $command --help
  check "$command --help has an example" grep -q '^Example' out
done
run info --help
check 'no blank at the end of a usage line' bash -c '! grep -q "^Usage.* $" out'
exits 0 version --version
check 'version' grep -Eq '^motifsieve [0-9]+\.[0-9]+\.[0-9]+$' out
exits 0 info info
for fact in version processor threads memory arithmetic accelerators; do
  check "info tells $fact" grep -q "^$fact" out
done

# ---- wrong usage: exit 2 --------------------------------------------------------
refuses 2 'a command is needed'
refuses 2 "unknown command 'scren'; did you mean 'screen'" scren
refuses 2 "unknown command 'xyzzy'" xyzzy
refuses 2 'a command comes first' --colors c.tsv
refuses 2 'no GRAPH file' screen
refuses 2 'no GRAPH file' verify out.tsv --colors c.tsv
refuses 2 'no colours: give --colors' screen g.tsv -m red
refuses 2 'no motif: give --motif' screen "${gc[@]}"
refuses 2 'do not go together' screen "${gc[@]}" -m red --motif-file m.txt
refuses 2 'do not go together' screen "${gc[@]}" -m red --quiet --verbose
refuses 2 'option --motif is given twice' screen "${gc[@]}" -m red -m blue
refuses 2 'option --motif-file is given twice' list "${gc[@]}" --motif-file a --motif-file b
for forms in '--json --cx2' '--json --dot' '--cx2 --dot'; do
  # shellcheck disable=SC2086
  refuses 2 'do not go together' list "${gc[@]}" -m red $forms
  # shellcheck disable=SC2086
  refuses 2 'do not go together' screen "${gc[@]}" -m red $forms
done
refuses 2 'is for drawings' list "${gc[@]}" -m red --match 1
refuses 2 'is for drawings' screen "${gc[@]}" -m red --whole-graph --json
refuses 2 'do not go together' list "${gc[@]}" -m red --dot --match 1 --whole-graph
refuses 2 'do not go together' list "${gc[@]}" -m red --cx2 --count
refuses 2 'whole-graph' screen "${gc[@]}" -m red --dot --all
refuses 2 "not one of 'motifsieve screen'" screen "${gc[@]}" -m red --dot --match 1
refuses 2 "not one of 'motifsieve verify'" verify list.tsv "${gc[@]}" --cx2
for n in 0 -1 x 1.5; do refuses 2 'option --match wants' list "${gc[@]}" -m red --dot --match "$n"; done
for option in system names name-column color-column; do
  refuses 2 "option --$option wants" list "${gc[@]}" -m red --$option $'a\tb'
  refuses 2 "option --$option wants" list "${gc[@]}" -m red --$option ''
done
refuses 2 'one word too many' list "${gc[@]}" -m red more.tsv
refuses 2 "unknown option '--colurs'; did you mean '--colours'|did you mean '--colors'" screen g.tsv --colurs c.tsv
refuses 2 "option '--all' is not one of 'motifsieve list'" list "${gc[@]}" -m red --all
refuses 2 "unknown option '-Z'" list "${gc[@]}" -m red -Z
refuses 2 'option --motif needs a value' list "${gc[@]}" --motif
refuses 2 'option --exact takes no value' list "${gc[@]}" -m red --exact=1
for e in 0 1 -1 2 nan inf 1e-6x '' 0x1p-3; do
  refuses 2 'option --error wants' screen "${gc[@]}" -m red --error "$e"
done
for n in 0 -1 1.5 9x '' 99999999999999999999; do
  refuses 2 'option --repetitions wants' screen "${gc[@]}" -m red --repetitions "$n"
  refuses 2 'option --limit wants' list "${gc[@]}" -m red --limit "$n"
  refuses 2 'option --threads wants' list "${gc[@]}" -m red --threads "$n"
done
refuses 2 'option --seed wants' screen "${gc[@]}" -m red --seed -3
refuses 2 'option --seed wants' screen "${gc[@]}" -m red --seed 18446744073709551616
for s in 0 4Q -1G G 1e99; do refuses 2 'option --memory wants' screen "${gc[@]}" -m red --memory "$s"; done
for s in 0 -1s 5x s; do refuses 2 'option --timeout wants' screen "${gc[@]}" -m red --timeout "$s"; done
refuses 2 'option --recurrence wants' screen "${gc[@]}" -m red --recurrence fast
refuses 2 'option --format wants' screen "${gc[@]}" -m red --format csv
refuses 2 'option --colou?r-format wants' screen "${gc[@]}" -m red --colour-format xml
refuses 2 'option --aspect wants' screen "${gc[@]}" -m red --aspect PX
refuses 2 'option --min-score wants' screen "${gc[@]}" -m red --min-score high
refuses 2 'only one input' screen - --colors - -m red
refuses 2 'STRING' screen "${gc[@]}" -m red --min-score 400

refuses 2 'option --output wants' screen "${gc[@]}" -m red --output ''
# an output that is an input would lose it
for input in g.tsv c.tsv; do
  cp "$input" kept
  refuses 2 'is the input' list "${gc[@]}" -m red --output "./$input"
  check "$input is untouched" cmp -s "$input" kept
done

for input in g.tsv c.tsv; do
  cp "$input" kept
  ln -f "$input" hard.tsv
  refuses 2 '--map .* is the input' convert g.tsv -c c.tsv --to tve --map hard.tsv -o o.tve
  check "$input is untouched" cmp -s "$input" kept
  rm hard.tsv
done
# two outputs in one place, under one name or two
refuses 2 'same place' convert g.tsv --to metis --map z.graph -o ./z.graph
refuses 2 'same place' convert g.tsv --to metis --map - -o -
refuses 2 'same place' gen er -n 5 --edges 5 --planted a --colors-out new.tsv -o ./new.tsv
refuses 2 'same place' gen er -n 5 --edges 5 --planted a --colors-out c1.tsv --planted-out "$PWD/c1.tsv" -o g1.tsv
exits 0 'the null device takes several outputs' gen er -n 5 --edges 5 --planted a --colors-out /dev/null --planted-out /dev/null -o g1.tsv
# what stands beside a graph does not change unless the graph is written
echo kept >beside
refuses 3 'cannot be created' convert g.tsv --to metis --map beside -o nowhere/x.graph
check 'the map is untouched' same "$(cat beside)" kept
refuses 3 'cannot be created' gen er -n 5 --edges 5 --planted a --colors-out beside -o nowhere/x.tsv
check 'the colours are untouched' same "$(cat beside)" kept
ln -s nothing dangling
refuses 3 'cannot be created' convert g.tsv -o dangling --to edge-list
check 'a link stays a link' test -L dangling
long=$(printf '%0245d' 1).tsv
exits 0 'a long name' convert g.tsv -o "$long"
refuses 2 'begins with' gen er -n 5 --edges 5 --prefix '#' -o g1.tsv
# what is no text is called by its name, but a vertex may be called so, too
printf 'PK\003\004\024\0\0\0' >book.tsv
refuses 3 'book.tsv: is a ZIP archive or an Excel workbook' stats book.tsv
printf 'BZh91AY&SY\tb\n' >bz.tsv
exits 0 'a vertex called as bzip2 begins' convert bz.tsv --to edge-list
# options that a format lacks
printf '3\n1 2\n1 0\n1 0\n' >numbers
refuses 2 'a header is given, but .* read as lad' convert numbers --header --to edge-list
exits 0 'a header of numbers' convert numbers --header --format edge-list --to edge-list
refuses 2 'STRING' convert g.tsv --keep-taxon --to edge-list
printf 'p edge 2 1\ne 1 2\n' >lines.dimacs
refuses 2 'that edges have a direction is given, but .* read as dimacs' \
  list lines.dimacs --directed -c c.tsv -m red
refuses 2 'directed' convert g.tsv --directed --to edge-list
# a motif is connected whichever way edges point
exits 0 'a motif' list g.tsv -c c.tsv -m red,blue -x -o undirected
exits 0 'a motif in a directed graph' list g.tsv --directed -c c.tsv -m red,blue -x -o directed
check 'directions change no motif' same "$(rows directed)" "$(rows undirected)"
exits 0 'and its verification' verify directed g.tsv --directed -c c.tsv

# ---- bad input: exit 2 or 3, file and line ---------------------------------------
refuses 3 'nowhere.tsv' screen nowhere.tsv --colors c.tsv -m red
refuses 3 'nowhere.tsv' screen g.tsv --colors nowhere.tsv -m red
refuses 3 'nowhere.txt' screen "${gc[@]}" --motif-file nowhere.txt
refuses 3 '/: ' screen / --colors c.tsv -m red
printf 'a\tb\nlonely\n' >bad.tsv
refuses 3 'bad.tsv:2: ' screen bad.tsv --colors c.tsv -m red
printf 'a\tred\nb\n' >badc.tsv
refuses 3 'badc.tsv:2: ' list g.tsv --colors badc.tsv -m red
printf 'red\tmany\n' >badm.txt
refuses 3 'badm.txt:1: ' list "${gc[@]}" --motif-file badm.txt
gzip -c g.tsv >g.tsv.gz
head -c 40 g.tsv.gz >cut.gz
refuses 3 'cut.gz' screen cut.gz --colors c.tsv -m red
: >empty.tsv
refuses 3 'empty.tsv' screen empty.tsv --colors c.tsv -m red
printf 'x\tred\n' >other.tsv
refuses 3 'other.tsv' screen g.tsv --colors other.tsv -m red
for motif in 'rde' 'red:' 'red:0' 'red,,blue' '"red' '*:33'; do
  run screen "${gc[@]}" -m "$motif"
  check "motif '$motif' is refused (exit $rc)" test "$rc" -eq 2 -o "$rc" -eq 3
  check "motif '$motif': nothing on stdout" test ! -s out
done
run screen "${gc[@]}" -m rde
check 'a mistyped colour brings a suggestion' grep -q "did you mean 'red'" err
run screen "${gc[@]}" -m red --require nobody
check "an unknown --require is refused (exit $rc)" test "$rc" -eq 2 -o "$rc" -eq 3
check 'it names the vertex' grep -q nobody err
MOTIFSIEVE_GF2=abacus run screen "${gc[@]}" -m red,blue
check "an unknown MOTIFSIEVE_GF2 is refused (exit $rc)" test "$rc" -eq 2
check 'it names the path' grep -q abacus err

# ---- list, answers by hand --------------------------------------------------------
# red, blue, green connected: abd, bcd, bde (ced: two reds and no blue)
for how in --exact ''; do
  # shellcheck disable=SC2086
  exits 0 "list $how" list "${gc[@]}" --motif red,blue,green $how
  check "list $how: three matches" same "$(rows)" $'1\ta,b,d\n2\tb,c,d\n3\tb,d,e'
  check "list $how: count line" grep -qx '# matches: 3' out
  check "list $how: end line" grep -Eq '^# end: rows=3 crc32c=[0-9a-f]{8}$' out
  check "list $how: status" grep -qx '# status: complete' out
  check "list $how: silent on stderr" test ! -s err
done
exits 0 'list exact header' list "${gc[@]}" -m red,blue,green --exact
check 'exact has no seed' bash -c '! grep -Eq "^# (seed|miss_bound|repetitions|recurrence)" out'
check 'exact says so' grep -qx '# mode: exact' out
check 'the motif in canonical form' grep -Eqx '# motif: .*red.*' out
check 'k' grep -qx '# k: 3' out
check 'graph facts' grep -Eq '^# graph: g.tsv crc32c=[0-9a-f]{8} vertices=6 edges=6 format=edge-list ' out
check 'colour facts' grep -Eq '^# colors: c.tsv crc32c=[0-9a-f]{8} colors=3 assignments=6 ' out
# two reds and a blue: abc, cde; with e required only cde
exits 0 'repeated colour' list "${gc[@]}" -m red:2,blue
check 'two matches' same "$(rows)" $'1\ta,b,c\n2\tc,d,e'
exits 0 'options before the operand' list --motif red:2,blue --require e --colours c.tsv g.tsv
check 'one match with e' same "$(rows)" $'1\tc,d,e'
check 'required is told' grep -qx '# required: e' out
exits 0 'two required' list "${gc[@]}" -m red:2,blue -r e -r c
check 'order of required' grep -qx '# required: c,e' out
exits 0 'the same one required twice' list "${gc[@]}" -m red:2,blue -r e -r e
check 'required is told once' grep -qx '# required: e' out
# a wildcard: green and any neighbour: bd, cd, de
exits 0 wildcard list "${gc[@]}" -m 'green,*'
check 'wildcard matches' same "$(rows)" $'1\tb,d\n2\tc,d\n3\td,e'
exits 0 'single vertex' list "${gc[@]}" -m blue
check 'k = 1' same "$(rows)" $'1\tb\n2\td'
printf 'red\t2\nblue\n' >m.txt
exits 0 'motif file' list "${gc[@]}" --motif-file m.txt
check 'motif file matches' same "$(rows)" $'1\ta,b,c\n2\tc,d,e'
exits 0 count list "${gc[@]}" -m red,blue,green --count
check 'count is the number alone' same "$(cat out)" 3
exits 0 'count exact' list "${gc[@]}" -m red,blue,green -n -x
check 'count exact' same "$(cat out)" 3
exits 0 none list "${gc[@]}" -m green:2
check 'no match: no rows' same "$(rows)" ''
exits 5 fail-if-none list "${gc[@]}" -m green:2 --fail-if-none
check 'the result stands all the same' grep -qx '# matches: 0' out
exits 0 'fail-if-none with some' list "${gc[@]}" -m red --fail-if-none
exits 4 limit list "${gc[@]}" -m red,blue,green --limit 2 --exact
check 'limit: two rows' same "$(rows | wc -l)" 2
check 'limit: marked' grep -qx '# status: incomplete: limit' out
check 'limit: said' grep -q -- '--limit' err
exits 4 'limit, quiet' list "${gc[@]}" -m red,blue,green --limit 2 --quiet
check 'quiet is quiet' test ! -s err

# ---- screen, answers by hand ----------------------------------------------------------
exits 0 screen screen "${gc[@]}" -m red:2,blue
check 'flagged' same "$(rows | cut -f1 | tr '\n' ' ')" 'a b c d e '
check 'colours' same "$(rows | sed -n 4p | cut -f1-3)" $'d\tblue,green\t1'
check 'header row' grep -qx $'vertex\tcolors\tflagged\trepetitions' out
check 'flagged line' grep -qx '# flagged: 5' out
exits 0 'screen with require' screen "${gc[@]}" -m red:2,blue -r e
check 'flagged with e' same "$(rows | cut -f1 | tr '\n' ' ')" 'c d e '
exits 0 'screen all' screen "${gc[@]}" -m red:2,blue -r e --all
check 'all rows' same "$(rows | cut -f1,3 | tr '\t\n' '= ')" 'a=0 b=0 c=1 d=1 e=1 f=0 '
check 'says all' grep -qx '# rows: all' out
exits 5 'screen none' screen "${gc[@]}" -m green:2 --fail-if-none
# where the sieve runs: the same result; without a GPU, a reason
run screen "${gc[@]}" -m red,blue,green --seed 7
cp out by_default
for backend in auto cpu; do
  exits 0 "--backend $backend" screen "${gc[@]}" -m red,blue,green --seed 7 --backend $backend -v
  check "--backend $backend: the same result" cmp -s out by_default
  check "--backend $backend: told" grep -q 'back end: cpu: the CPU, ' err
done
exits 0 '--backend in list' list "${gc[@]}" -m red,blue,green --backend cpu -v
check '--backend in list: told' grep -q 'back end: cpu: the CPU, as asked for' err
refuses 2 'option --backend wants auto, cpu, cuda or both' screen "${gc[@]}" -m red --backend gpu
refuses 2 'option --devices wants' screen "${gc[@]}" -m red --devices 0,
refuses 2 'option --devices wants' screen "${gc[@]}" -m red --devices ''
refuses 2 'option --devices wants' list "${gc[@]}" -m red --devices 1,-2
refuses 2 'GPU 3 is named twice' screen "${gc[@]}" -m red --devices 3,0,3
refuses 2 'GPUs are named for a run on the CPU' screen "${gc[@]}" -m red --backend cpu --devices 0
gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "$gpus" -eq 0 ]; then
  for backend in cuda both; do
    refuses 2 'GPU|accelerator|CUDA' screen "${gc[@]}" -m red --backend $backend
  done
  refuses 2 'GPU|accelerator|CUDA' screen "${gc[@]}" -m red --devices 0
else
  for backend in cuda both; do
    exits 0 "--backend $backend" screen "${gc[@]}" -m red,blue,green --seed 7 --backend $backend --devices 0 -v
    check "--backend $backend: the same result" cmp -s out by_default
    check "--backend $backend: told" grep -q "back end: $backend: 1 of $gpus GPUs" err
  done
  refuses 2 'there is no GPU 9999' screen "${gc[@]}" -m red --devices 9999
  check 'info lists the GPUs' same "$("$motifsieve" info | grep -c '^accelerator	')" "$gpus"
fi
for recurrence in sibling classic; do
  exits 0 "$recurrence" screen "${gc[@]}" -m red,blue,green --recurrence $recurrence --seed 7 --error 1e-9
  check "$recurrence: flags" same "$(rows | cut -f1 | tr '\n' ' ')" 'a b c d e '
  check "$recurrence: told" grep -qx "# recurrence: $recurrence" out
  check "$recurrence: seed told" grep -qx '# seed: 7' out
done
exits 0 'repetitions' screen "${gc[@]}" -m green:2,blue --repetitions 3 --no-prune
check 'repetitions are told' grep -Eqx '# repetitions: 3 of 3' out
check 'bound with its formula' grep -Eq '^# miss_bound: [0-9.e+-]+ = ' out
exits 0 'no-prune finds the same' screen "${gc[@]}" -m red:2,blue -r e --no-prune
check 'no-prune flags' same "$(rows | cut -f1 | tr '\n' ' ')" 'c d e '
exits 0 verbose screen "${gc[@]}" -m red,blue -v
for word in 'graph: ' 'colors: ' 'motif: ' 'pruning left' 'kernel' 'memory estimate' 'seconds: read'; do
  check "verbose tells '$word'" grep -q "$word" err
done
check 'verbose keeps stdout clean' bash -c '! grep -q "^motifsieve" out'

# ---- ways to read -----------------------------------------------------------------------
exits 0 gzip list g.tsv.gz -c c.tsv -m red:2,blue -x --count
check 'gzip' same "$(cat out)" 2
"$motifsieve" list - -c c.tsv -m red:2,blue -x --count <g.tsv.gz >out 2>err
check 'gzip from standard input' same "$(cat out)" 2
"$motifsieve" list g.tsv -c - -m red:2,blue -x --count <c.tsv >out 2>err
check 'colours from standard input' same "$(cat out)" 2
printf 'protein1 protein2 combined_score\n1.a 1.b 900\n1.b 1.a 900\n1.b 1.c 300\n' >links.txt
printf 'a\tred\nb\tblue\nc\tred\n' >lc.tsv
exits 0 STRING list links.txt -c lc.tsv -m red,blue -x --count
check 'STRING, all scores' same "$(cat out)" 2
exits 0 'STRING min-score' list links.txt -c lc.tsv -m red,blue -x --count --min-score 400 --format string
check 'STRING, score >= 400' same "$(cat out)" 1
printf '1.a\tred\n1.b\tblue\n' >lt.tsv
exits 0 'STRING keep-taxon' list links.txt -c lt.tsv -m red,blue -x --keep-taxon
check 'taxon kept' same "$(rows)" $'1\t1.a,1.b'
printf 'from\tto\na\tb\n' >h.tsv
printf 'name\tcolour\na\tred\nb\tblue\n' >hc.tsv
exits 0 headers list h.tsv --header -c hc.tsv --color-header -m red,blue -x
check 'headers skipped' grep -Eq 'vertices=2 edges=1 ' out
printf 'YA\tA1\tS000000001\tP\tDNA repair\tGO:0006281\tORF|Verified\nYB\tB1\tS000000002\tF\tDNA binding\tGO:0003677\tORF|Verified\n' >slim.tab
printf 'YA\tYB\n' >yy.tsv
exits 0 'GO slim' list yy.tsv -c slim.tab -m 'DNA repair,"GO:0003677"' -x
check 'GO slim by term and by id' same "$(rows)" $'1\tYA,YB'
run list yy.tsv -c slim.tab -m 'DNA repair,DNA binding' -x --aspect P --color-format go-slim
check "--aspect leaves terms out (exit $rc)" test "$rc" -ne 0
printf 'p,x\tred\nq\tred:ish\nr\t"odd"\n' >oc.tsv
printf 'p,x\tq\nq\tr\n' >og.tsv
exits 0 'odd names' list og.tsv -c oc.tsv -m 'red,"red:ish"' -x
check 'a comma in a name is quoted' same "$(rows)" $'1\t"p,x",q'
cp out odd.tsv
exits 0 'odd names verify' verify odd.tsv og.tsv -c oc.tsv
printf 'a\tred\n%s' "$(printf 'n%d\tred\n' 1 2 3 4 5)" >mismatch.tsv
run list g.tsv -c mismatch.tsv -m red -x
check 'a colour file of other names brings a warning' grep -q 'warning: mismatch.tsv' err
run list g.tsv -c mismatch.tsv -m red -x -q
check '... but not with --quiet' test ! -s err

# ---- graph formats that hold numbers, and GraphML -----------------------------------------
# g.tsv is a-b-c-d-e-f with b-d: vertices 1 to 6 in this order
seq 6 | paste - <(printf '%s\n' a b c d e f) >wanted.map
for ending in mtx dimacs graph; do
  exits 0 "convert to .$ending" convert g.tsv -o "n.$ending" --map n.map
  check "convert to .$ending: no word" test ! -s err
  check "convert to .$ending: the map" cmp -s n.map wanted.map
  exits 0 "convert from .$ending" convert "n.$ending" --to edge-list
  check "convert from .$ending: the edges" same "$(tr '\t\n' '- ' <out)" '1-2 2-3 2-4 3-4 4-5 5-6 '
  exits 0 "convert to .$ending without a map" convert g.tsv -o "n.$ending"
  check "convert to .$ending without a map: said" grep -q 'warning: .* holds numbers' err
done
exits 0 'convert by name' convert g.tsv --to matrix-market --map n.map
check 'Matrix Market' same "$(tr '\n' ';' <out)" \
  '%%MatrixMarket matrix coordinate pattern symmetric;6 6 6;2 1;3 2;4 2;4 3;5 4;6 5;'
exits 0 'convert with colours' convert "${gc[@]}" -o g.graphml
exits 0 'a graph file with colours' list g.graphml -m red:2,blue -x --count
check 'colours from GraphML' same "$(cat out)" "$("$motifsieve" list "${gc[@]}" -m red:2,blue -x --count)"
exits 0 'GraphML as it was' convert g.graphml -o again.graphml
check 'GraphML as it was' cmp -s g.graphml again.graphml
exits 0 'convert compressed' convert g.tsv.gz --to graphml -o h.graphml
gzip -k h.graphml
exits 0 'GraphML, gzip' convert h.graphml.gz --to edge-list
check 'GraphML, gzip' same "$(wc -l <out)" 6
refuses 2 '--map is for formats that hold numbers' convert g.tsv -o no.graphml --map n.map
printf 'p edge 2 1\ne 1 3\n' >bad.dimacs
refuses 3 'bad.dimacs:2: .* number from 1 to 2' list bad.dimacs -c c.tsv -m red
printf '2 1\n2\n\n' >bad.graph
refuses 3 'bad.graph:2: vertex 1 lists 2' list bad.graph -c c.tsv -m red
printf '%%%%MatrixMarket matrix array real general\n1 1\n0\n' >bad.mtx
refuses 3 "bad.mtx:1: an array .* 'coordinate'" list bad.mtx -c c.tsv -m red
printf '<graphml>\n<graph><node id="a"></graph></graphml>' >bad.graphml
refuses 3 'bad.graphml:2: not well-formed XML' list bad.graphml -c c.tsv -m red
# ---- labelled graphs: the file's own labels are the colours ----------------------------------
#   0 - 1 - 2, 1 - 3: labels 1, 2, 1, 3
printf 't 4 3\nv 0 1 1\nv 1 2 3\nv 2 1 1\nv 3 3 1\ne 0 1\ne 1 2\ne 1 3\n' >l.tve
printf 't # 0\nv 0 1\nv 1 2\nv 2 1\nv 3 3\ne 0 1 0\ne 1 2 0\ne 1 3 0\nt # -1\n' >l.graph
for f in l.tve l.graph; do
  exits 0 "screen $f" screen $f -m '1:2,2'
  check "$f: flagged" same "$(rows | cut -f1-2 | tr '\t\n' '= ')" '0=1 1=2 2=1 '
  exits 0 "list $f" list $f -m '1,2,3' --exact
  check "$f: matches" same "$(rows)" $'1\t0,1,3\n2\t1,2,3'
done
check 'told as tve' grep -Eq '^# graph: l.graph .* vertices=4 edges=3 format=tve ' out
printf '1\tx\n' >lx.tsv
exits 0 'given colours go before labels' list l.tve -c lx.tsv -m x -x
check 'one vertex has that colour' same "$(rows)" $'1\t1'
exits 0 'tve to edge list' convert l.tve --to edge-list -q
check 'its edges' same "$(cat out)" $'0\t1\n1\t2\n1\t3'
exits 0 'tve to LAD' convert l.tve -o l.lad
check 'LAD holds no colours: said' grep -q 'lad holds no colours' err
check 'LAD' same "$(cat l.lad)" $'4\n1 1\n3 0 2 3\n1 1\n1 1'
exits 0 'LAD to edge list' convert l.lad --to edge-list
check 'the same edges' same "$(cat out)" $'0\t1\n1\t2\n1\t3'
refuses 2 'no colours: give --colors' screen l.lad -m 1
exits 0 'tve to tve' convert l.graph --to tve
check 'the same labels' same "$(cat out)" "$(cat l.tve)"
exits 0 'edge list and colours to tve' convert l.lad --to tve -c <(printf '0\t1\n1\t2\n2\t1\n3\t3\n')
check 'the colours are the labels' same "$(cat out)" "$(cat l.tve)"
refuses 2 "the vertex 'd' has 2 colours" convert g.tsv -c c.tsv --to tve -q
printf 't 4 3\nv 0 1 1\nv 1 2 3\nv 2 1 1\nv 3 3 2\ne 0 1\ne 1 2\ne 1 3\n' >bad.tve
refuses 3 'bad.tve:5: states degree 2' screen bad.tve -m 1
# ---- colours from annotations and node tables, aliases ------------------------------------
gaf_line() { printf 'SGD\t%s\t%s\t%s\t%s\tPMID:1\tIEA\t\t%s\t\t%s\tprotein\ttaxon:4932\t20200101\tSGD\t\t\n' "$@"; }
{
  printf '!gaf-version: 2.2\n'
  gaf_line S1 RAD1 involved_in T:3 P 'YA|other'
  gaf_line S2 YB involved_in T:4 P ''
  gaf_line S2 YB 'NOT|involved_in' T:3 P ''
  gaf_line S2 YB enables T:9 F ''
} >a.gaf
printf '%s\n' 'format-version: 1.2' 'subsetdef: small "A small slim"' \
  '[Term]' 'id: T:1' 'name: process' 'subset: small' \
  '[Term]' 'id: T:2' 'name: repair' 'subset: small' 'is_a: T:1 ! process' \
  '[Term]' 'id: T:3' 'name: excision' 'relationship: part_of T:2 ! repair' \
  '[Term]' 'id: T:4' 'name: copying' 'is_a: T:1' >t.obo
exits 0 'GAF' list yy.tsv -c a.gaf -m '"T:3","T:4"' -x -v
check 'GAF by id' same "$(rows)" $'1\tYA,YB'
check 'verbose tells of NOT' grep -q '1 lines say NOT' err
exits 0 'GAF with names' list yy.tsv -c a.gaf --obo t.obo -m 'excision,T:9' -x
check 'GAF by name' same "$(rows)" $'1\tYA,YB'
exits 0 'GAF with a slim' screen yy.tsv -c a.gaf --obo t.obo --slim small -m 'repair,process' -v
check 'GAF onto the slim' same "$(rows | cut -f1,2)" $'YA\trepair\nYB\tprocess'
check 'verbose tells of terms' grep -q '1 have a term that the ontology lacks, 0 one outside' err
printf 'repair\n' >slim.txt
exits 0 'GAF with a slim of one' screen yy.tsv -c a.gaf --obo t.obo --slim slim.txt -m repair -v
check 'only what is below it' same "$(rows | cut -f1,2)" $'YA\trepair'
check 'verbose tells of the others' grep -q '1 one outside the slim' err
refuses 3 "neither a file nor a subset .*'small'" screen yy.tsv -c a.gaf --obo t.obo --slim smal -m '*'
refuses 2 'give the ontology' screen yy.tsv -c a.gaf --slim small -m '*'
refuses 2 'not a GAF file' screen "${gc[@]}" --obo t.obo -m red
printf 'not an ontology\n' >bad.obo
refuses 3 'bad.obo:1: ' screen yy.tsv -c a.gaf --obo bad.obo -m '*'
printf '"SUID","kind","name"\n1,"red, dark",YA\n2,,YB\n' >nodes.csv
exits 0 'node table by header' list yy.tsv -c nodes.csv --name-column name --colour-column kind -m '"red, dark",*' -x
check 'node table' same "$(rows)" $'1\tYA,YB'
exits 0 'node table by number' screen yy.tsv -c nodes.csv --name-column 3 --color-column 2 --color-header -m '*' --all
check 'an empty cell is no colour' same "$(rows | cut -f1,2)" $'YA\t"red, dark"\nYB\t'
refuses 3 "nodes.csv:1: no column has the header 'king'; choose one of 'SUID', 'kind', 'name'" \
  screen yy.tsv -c nodes.csv --name-column name --color-column king -m red
refuses 2 'not a plain table' screen yy.tsv -c a.gaf --color-column 2 -m '*'
printf 'YA\tRAD1\nRAD2\tYB\nYA\tboth\nYB\tboth\n' >aliases.tsv
printf 'RAD1\tred\nRAD2\tblue\n' >byalias.tsv
exits 0 'aliases' list yy.tsv --alias aliases.tsv -c byalias.tsv -m red,blue -r RAD2 -x -v
check 'aliases in colours and --require' same "$(rows)" $'1\tYA,YB'
check 'verbose tells of aliases' grep -q 'aliases: aliases.tsv: 2 names .* left out 1' err
refuses 2 "required vertex 'both'" list yy.tsv --alias aliases.tsv -c byalias.tsv -m red,blue -r both -x
printf 'YA\tRAD1\nYB\n' >badalias.tsv
refuses 3 'badalias.tsv:2: ' list yy.tsv --alias badalias.tsv -c byalias.tsv -m red -x
refuses 2 'options for reading a colour file' screen g.tsv -m red --aspect P

# ---- JSON ------------------------------------------------------------------------------
exits 0 json list "${gc[@]}" -m red,blue,green --json
check 'json rows' same "$(sed -n 2p out)" '{"type":"match","match":1,"vertices":["a","b","d"]}'
cp out list.json
exits 0 'json screen' screen "${gc[@]}" -m red:2,blue --json --all -r e
cp out screen.json
if command -v python3 >/dev/null; then
  for f in list.json screen.json; do
    checks=$((checks + 1))
    python3 - $f >err 2>&1 <<'PY' || fail "$f parses" "$(cat err)"
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
head, rows, end = lines[0], lines[1:-1], lines[-1]
assert head["type"] == "header" and head["tool"] == "motifsieve" and head["schema"] == 1
assert head["status"] == "complete" and head["k"] == 3 and head["seed"] == 1
assert head["graph"]["vertices"] == 6 and head["colors"]["colors"] == 3
assert 0 <= head["miss_bound"] <= 1e-6 and head["miss_bound_formula"]
assert end["type"] == "end" and end["rows"] == len(rows)
if head["command"] == "list":
    assert head["matches"] == 3 and [r["match"] for r in rows] == [1, 2, 3]
else:
    assert head["rows"] == "all" and head["required"] == ["e"]
    assert [r["vertex"] for r in rows if r["flagged"]] == ["c", "d", "e"]
    assert rows[3]["colors"] == ["blue", "green"]
PY
  done
else
  skip 'JSON is not parsed: no python3'
fi
if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
  run list "${gc[@]}" -m red,blue,green --json -x -o exact.json
  run screen "${gc[@]}" -m red --json -o plain.json
  run list "${gc[@]}" -m red --json --name-column 1 --color-column 2 -l 1 -o columns.json
  run verify list.json "${gc[@]}" --json -o verdict.json
  checks=$((checks + 1))
  python3 - "$here/../docs/result.schema.json" {list,screen,exact,plain,columns,verdict}.json \
    >err 2>&1 <<'PY' || fail 'JSON lines follow docs/result.schema.json' "$(cat err)"
import copy, json, sys
from jsonschema import Draft202012Validator as Validator
schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
validator = Validator(schema)
lines = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
for line in lines:
    for error in validator.iter_errors(line):
        sys.exit("%s: %s" % (line, error.message))
kinds = {line["type"] for line in lines}
assert kinds == {"header", "match", "vertex", "end", "verdict"}, kinds
# it can refuse: a key less, a key more, another type
refused = 0
optional = {"required", "rows", "name_column", "color_column"}
for line in lines:
    for key in line:
        less = copy.deepcopy(line)
        del less[key]
        more = dict(line, **{"fool": 1})
        other = dict(line, **{key: {"x": 1}})
        for wrong in [more, other] + ([less] if key not in optional else []):
            assert not validator.is_valid(wrong), wrong
            refused += 1
assert refused > 100
PY
else
  skip 'JSON lines are not validated against the schema: no python3 with jsonschema'
fi
printf 'a\tb\xff\n' >latin.tsv
refuses 3 'latin.tsv:1: ' list latin.tsv -c c.tsv -m red:2 -x
cp g.tsv $'g\xff.tsv'
refuses 3 'not UTF-8' list $'g\xff.tsv' -c c.tsv -m red -x --json
exits 0 'any path as TSV' list $'g\xff.tsv' -c c.tsv -m red -x

# ---- stats ------------------------------------------------------------------------------
# g.tsv: triangle b c d, a at b, e at d, f at e; degrees 1 3 2 3 2 1
exits 0 stats stats "${gc[@]}" -m red:2,blue
for line in 'vertices\t6' 'edges\t6' 'dropped self-loops\t1' 'dropped duplicates\t1' 'isolated vertices\t0' \
  'least degree\t1' 'median degree\t2' 'mean degree\t2' 'highest degree\t3' 'vertices of degree 1\t2' \
  'vertices of degree 2-3\t4' 'components\t1' 'vertices of the largest component\t6' 'colors\t3' \
  'vertices without color\t1' 'most colors of a vertex\t2' 'color\tred\t3' 'color\tblue\t2' \
  'color\tgreen\t1' 'lines of unknown vertices\t1' 'motif slots\t3' 'motif color\tred\t2\t3' \
  'pruned vertices without slot\t1' 'pruned edges within one slot\t1' 'vertices left\t5' 'edges left\t4' 'components left\t1'; do
  check "stats: $line" grep -qxP "$line" out
done
check 'stats: frequent colours first' same "$(grep -P '^color\t' out | cut -f2 | tr '\n' ' ')" 'red blue green '
exits 0 'stats alone' stats g.tsv
check 'stats without colours' bash -c '! grep -q "^color" out'
exits 0 'stats, impossible motif' stats "${gc[@]}" -m green:2
check 'the colour that is missing' grep -qxP 'motif color\tgreen\t2\t1\tmissing' out
check 'nothing is left' grep -qxP 'vertices left\t0' out
printf 'v%d\n' $(seq 30) | sed 's/.*/&\t&c/' >many.tsv
printf 'v%d\tv1\n' $(seq 30) >star.tsv
exits 0 'stats, many colours' stats star.tsv -c many.tsv
check '20 colours without --all' same "$(grep -cP '^color\t' out)" 20
exits 0 'stats --all' stats star.tsv -c many.tsv --all
check '30 colours with --all' same "$(grep -cP '^color\t' out)" 30
exits 0 'stats --json' stats "${gc[@]}" -m green:2 --json -o stats.json
check 'nothing on stdout' test ! -s out
if command -v python3 >/dev/null; then
  checks=$((checks + 1))
  python3 - stats.json >err 2>&1 <<'PY' || fail 'stats.json parses' "$(cat err)"
import json, sys
s = json.load(open(sys.argv[1]))
assert s["schema"] == 1 and s["command"] == "stats" and s["graph"]["vertices"] == 6
assert s["graph"]["dropped"] == {"self_loops": 1, "duplicates": 1, "below_score": 0, "filtered": 0}
assert s["degrees"]["median"] == 2 and sum(c["vertices"] for c in s["degrees"]["histogram"]) == 6
assert s["components"] == {"count": 1, "largest_vertices": 6, "largest_edges": 6}
assert s["colors"]["frequencies"][0] == {"color": "red", "vertices": 3}
assert s["motif"]["colors"] == [{"color": "green", "slots": 2, "vertices": 1, "missing": True}]
assert s["motif"]["left"] == {"vertices": 0, "edges": 0, "components": 0}
PY
fi
refuses 2 'no GRAPH file' stats
refuses 2 'no colours: give --colors' stats g.tsv -m red
refuses 2 'do not go together' stats "${gc[@]}" -m red --motif-file m.txt
refuses 2 "unknown colour 'rde'; did you mean 'red'" stats "${gc[@]}" -m rde
refuses 2 "option '--exact' is not one of" stats g.tsv --exact
refuses 2 'is the input' stats g.tsv -o ./g.tsv
refuses 3 'nowhere' stats nowhere.tsv
refuses 3 'not UTF-8' stats $'g\xff.tsv' --json

# ---- gen --------------------------------------------------------------------------------
exits 0 'gen --help' gen --help
for family in 'regular -n 50 -d 4' 'power-law -n 50 --exponent -1 --max-degree 9' 'er -n 50 --edges 80' \
  'er -n 50 -d 3' 'er -n 50 --probability 0.1' 'clique -n 9' 'rmat --scale 6 --edges 100' \
  'rmat --scale 6 -d 3 --quadrants 0.25,0.25,0.25,0.25' 'grid --rows 6 --cols 7' \
  'grid --rows 6 --cols 7 --removed 0 --diagonals 1'; do
  # shellcheck disable=SC2086
  exits 0 "gen $family" gen $family --to edge-list
  cp out one.tsv
  # shellcheck disable=SC2086
  exits 0 "gen $family, 3 threads" gen $family -o three.tsv --threads 3 --seed 1
  check "gen $family: the same" cmp -s one.tsv three.tsv
  check "gen $family: silent" test ! -s err
  exits 0 "gen $family: read back" stats one.tsv
  check "gen $family: simple" grep -qxP 'dropped duplicates\t0' out
done
run gen --help
for family in regular power-law er clique rmat grid; do
  check "gen --help tells $family" grep -q "^  $family  " out
done
run gen er -n 50 --edges 80 --to edge-list --seed 2
cp out two.tsv
run gen er -n 50 --edges 80 --to edge-list
check 'another seed, another graph' bash -c '! cmp -s out two.tsv'
exits 0 'gen -v' gen er -n 50 --edges 80 -o er.tsv -v
check 'gen -v tells the size' grep -q 'er: 50 vertices, 80 edges' err
exits 0 'gen with a prefix' gen clique -n 3 --prefix v --to edge-list
check 'prefixed names' same "$(cat out)" $'v0\tv1\nv0\tv2\nv1\tv2'
exits 0 'gen --uniform-colors' gen regular -n 40 -d 3 --uniform-colours 3 --colours-out uc.tsv -o u.tsv
check 'a colour for each vertex' same "$(wc -l <uc.tsv) $(cut -f2 uc.tsv | sort -u | tr '\n' ' ')" '40 c0 c1 c2 '
exits 0 'gen --planted' gen regular -n 400 -d 4 --planted 'red:2,"a,b",*' --plants 2 --planted-out p.tsv \
  --colors-out pc.tsv -o p-graph.tsv --background 3
check 'planted sets' same "$(cut -f1,3 p.tsv | grep -v background | sort | tr '\t\n' '= ')" '1=a,b 1=red 1=red 2=a,b 2=red 2=red '
exits 0 'list finds the plants' list p-graph.tsv -c pc.tsv -m 'red:2,"a,b",*' -x
for plant in 1 2; do
  want=$(awk -v p=$plant '$1 == p { print $2 }' FS='\t' p.tsv | sort)
  found=no
  while read -r match; do
    [ "$(tr ',' '\n' <<<"$match" | sort)" = "$want" ] && found=yes
  done < <(rows | cut -f2)
  check "plant $plant is listed" test $found = yes
done
exits 0 'gen --background random' gen regular -n 40 -d 4 --planted 4 --background random --colors-out - -o p-graph.tsv
check 'only colours of the motif' same "$(cut -f2 out | sort -u | tr '\n' ' ')" 'c0 c1 c2 c3 '
refuses 2 'no FAMILY was given' gen
refuses 2 "unknown family 'regulr'; did you mean 'regular'" gen regulr -n 5 -d 2
refuses 2 "'more' is one word too many" gen clique more -n 5 --to edge-list
refuses 2 'no format to write' gen clique -n 5
refuses 2 'can only be read' gen clique -n 5 --to string
refuses 2 "'er' needs --vertices" gen er --edges 5 --to edge-list
refuses 2 '--rows is no parameter of' gen er -n 5 --edges 5 --rows 2 --to edge-list
refuses 2 '3-regular' gen regular -n 5 -d 3 --to edge-list
refuses 2 'at most 10 edges' gen er -n 5 --edges 11 --to edge-list
refuses 2 'exponent of 2.5' gen power-law -n 50 --exponent 2.5 --edges 100 --to edge-list
refuses 2 'option --vertices wants' gen clique -n many --to edge-list
refuses 2 'option --degree wants' gen er -n 5 -d x --to edge-list
for q in 1 0.5,0.5 a,b,c,d 1,0,0,0,0 ,,,; do
  refuses 2 'option --quadrants wants' gen rmat --scale 3 --edges 3 --quadrants $q --to edge-list
done
refuses 2 'option --planted wants' gen clique -n 50 --planted 33 --to edge-list
refuses 2 'option --background wants' gen clique -n 50 --planted 3 --background 0 --to edge-list
refuses 2 'do not go together' gen clique -n 50 --planted 3 --uniform-colors 3 --colors-out x.tsv --to edge-list
refuses 2 'plants needs --planted' gen clique -n 50 --plants 3 --to edge-list
refuses 2 'planted-out needs --planted' gen clique -n 50 --planted-out x.tsv --to edge-list
refuses 2 'needs colours' gen clique -n 50 --colors-out x.tsv --to edge-list
refuses 2 'holds no colours' gen clique -n 50 --uniform-colors 3 --to edge-list
refuses 2 'same place' gen clique -n 50 --uniform-colors 3 --to edge-list --colors-out -
refuses 2 'same place' gen clique -n 50 --planted 3 -o x.tsv --colors-out y.tsv --planted-out y.tsv
refuses 4 'more than the bound' gen er -n 1000 --edges 9000 --memory 1K --to edge-list
refuses 3 'no/such' gen clique -n 5 -o no/such/g.tsv

# ---- verify ----------------------------------------------------------------------------
run list "${gc[@]}" -m red,blue,green -o list.tsv
run screen "${gc[@]}" -m red:2,blue -o screen.tsv
run screen "${gc[@]}" -m red:2,blue -r e --all -o all.tsv
run list "${gc[@]}" -m red,blue,green -x -l 2 -o cut.tsv
for f in list.tsv screen.tsv all.tsv cut.tsv list.json screen.json; do
  exits 0 "verify $f" verify $f "${gc[@]}"
  check "verify $f: accepted" grep -qx $'accepted\tyes' out
done
exits 0 'verify --recount' verify --recount list.tsv "${gc[@]}"
check 'recount complete' grep -qx $'recount\tcomplete' out
exits 0 'verify --no-recount --json' verify --no-recount --json list.tsv "${gc[@]}"
check 'verdict in JSON' grep -q '"accepted":true' out
# the CRC is mended after each change, so that the contents have to give it away
mend() {
  python3 - "$1" "$here" <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
cut = data.rindex(b"# end:")
crc = 0xFFFFFFFF
for byte in data[:cut]:
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
rows = sum(1 for l in data[:cut].split(b"\n") if l and l[:1] != b"#") - 1
open(sys.argv[1], "wb").write(data[:cut] + b"# end: rows=%d crc32c=%08x\n" % (rows, crc ^ 0xFFFFFFFF))
PY
}
sed 's/\ta,b,d/\ta,b,e/' list.tsv >x.tsv
refuses 3 'x.tsv' verify x.tsv "${gc[@]}"
head -n 12 list.tsv >x.tsv
refuses 3 'x.tsv' verify x.tsv "${gc[@]}"
sed 's/a\tb/a\tc/' g.tsv >g2.tsv
refuses 3 'list.tsv' verify list.tsv g2.tsv -c c.tsv
refuses 3 'list.tsv' verify list.tsv g.tsv -c lc.tsv
refuses 3 'nowhere' verify nowhere.tsv "${gc[@]}"
refuses 3 'g.tsv' verify g.tsv "${gc[@]}"
if command -v python3 >/dev/null; then
  cp list.tsv x.tsv && mend x.tsv
  check 'the mended file is the same' cmp -s x.tsv list.tsv
  while IFS='|' read -r what script; do
    sed "$script" list.tsv >x.tsv
    mend x.tsv
    cmp -s x.tsv list.tsv && fail "planting '$what' changed nothing"
    refuses 3 'x.tsv' verify x.tsv "${gc[@]}"
  done <<'PLANTS'
not connected|s/\ta,b,d/\ta,b,e/
wrong colours|s/\ta,b,d/\ta,b,c/
unknown vertex|s/\ta,b,d/\ta,b,q/
too few vertices|s/\ta,b,d/\ta,b/
duplicate row|s/\tb,c,d/\ta,b,d/
missing row|/\tb,c,d/d;s/^# matches: 3/# matches: 2/;s/^3\t/2\t/
count does not fit|s/^# matches: 3/# matches: 4/
another motif|s/^# motif: .*/# motif: red:2,blue/
another k|s/^# k: 3/# k: 4/
PLANTS
fi

# ---- results say how the inputs were read ------------------------------------------------
# what was read with an option is verified without it, unless it names a file
run list links.txt -c lt.tsv -m red,blue -x --keep-taxon --min-score 400 -o taxon.tsv
exits 0 'settings of the result and of the command line go together' \
  verify taxon.tsv links.txt -c lt.tsv --format string
refuses 2 'without --alias; leave it out' verify list.tsv "${gc[@]}" --alias al.tsv
refuses 2 'without --obo; leave it out' verify list.tsv "${gc[@]}" --obo go.obo
refuses 2 'was made with --colors c.tsv; give it' verify list.tsv g.tsv
has_format() { "$motifsieve" convert --list-formats 2>/dev/null | grep -q "^$1 "; }
# round_trip NAME INPUTS -- SETTINGS: results made with both are accepted with the inputs alone
round_trip() {
  local name=$1 form inputs=()
  shift
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  for form in 'list -x' 'list --json' screen; do
    # shellcheck disable=SC2086
    exits 0 "$name: $form" $form "${inputs[@]}" "$@" -o trip
    exits 0 "$name: verify $form" verify trip "${inputs[@]}"
  done
}
round_trip columns "${gc[@]}" -- --name-column 1 --color-column 2 -m red:2,blue
printf 'ay\ta\nbee\tb\n' | awk '{ print $2 "\t" $1 }' >al.tsv
printf 'ay\tred\nbee\tblue\nc\tred\n' >alc.tsv
if "$motifsieve" list g.tsv -c alc.tsv --alias al.tsv -m red,blue -x -o alias.tsv 2>err; then
  round_trip alias g.tsv -c alc.tsv --alias al.tsv -- -m red,blue -r ay
  check 'required by its own name' grep -q '^# required: a$' trip
  refuses 2 'was made with --alias al.tsv; give it' verify alias.tsv g.tsv -c alc.tsv
  { cat al.tsv; printf 'c\tsee\n'; } >al2.tsv
  refuses 3 'al2.tsv is not the alias file' verify alias.tsv g.tsv -c alc.tsv --alias al2.tsv
  if command -v python3 >/dev/null; then
    sed 's/\ta,b$/\tay,b/' alias.tsv >x.tsv && mend x.tsv
    refuses 3 "'ay' is no vertex" verify x.tsv g.tsv -c alc.tsv --alias al.tsv
  fi
else
  skip 'alias files cannot be read'
fi
if has_format tve; then
  printf 't 0 3\nv 0 red\nv 1 blue\nv 2 red\ne 0 1\ne 1 2\n' >g.tve
  exits 0 'colours of the graph file' list g.tve -m red,blue -x -o tve.tsv
  check 'they are told' grep -Eq '^# colors: g.tve .* format=graph ' tve.tsv
  round_trip 'colours of the graph file' g.tve -- -m red,blue
  refuses 2 'took its colours from the graph file' verify tve.tsv g.tve -c c.tsv
else
  skip 'no format t/v/e'
fi
gaf() { printf 'X\t%s\t%s\t\t%s\tREF:1\tIDA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\t\t\n' "$1" "$1" "$2"; }
{ printf '!gaf-version: 2.2\n'; gaf a GO:0000001; gaf b GO:0000002; gaf c GO:0000001; } >c.gaf
cat >go.obo <<'OBO'
format-version: 1.2
subsetdef: goslim_test "a slim"

[Term]
id: GO:0000009
name: root process
namespace: biological_process
subset: goslim_test

[Term]
id: GO:0000001
name: first process
namespace: biological_process
is_a: GO:0000009 ! root process

[Term]
id: GO:0000002
name: second process
namespace: biological_process
subset: goslim_test
is_a: GO:0000009 ! root process
OBO
printf 'GO:0000009\nGO:0000002\n' >my.slim
if "$motifsieve" list g.tsv -c c.gaf --obo go.obo --slim goslim_test -m '*' -x -o gaf.tsv 2>err &&
  grep -q ' format=gaf ' gaf.tsv; then
  round_trip 'GAF' g.tsv -c c.gaf -- --aspect P -m '"GO:0000001","GO:0000002"'
  round_trip 'GAF with ontology' g.tsv -c c.gaf --obo go.obo -- -m 'first process,second process'
  round_trip 'GAF with a slim' g.tsv -c c.gaf --obo go.obo -- --slim goslim_test -m 'root process,*'
  check 'slim by name' grep -q '"slim":"goslim_test"\|^# slim: goslim_test$' gaf.tsv
  round_trip 'GAF with a slim file' g.tsv -c c.gaf --obo go.obo --slim my.slim -- -m 'root process,*'
  cp trip slimfile.tsv
  check 'slim by file' grep -Eq '^# slim_file: my.slim crc32c=' slimfile.tsv
  refuses 2 'was made with --obo go.obo; give it' verify gaf.tsv g.tsv -c c.gaf
  refuses 2 'was made with --slim my.slim; give it' verify slimfile.tsv g.tsv -c c.gaf --obo go.obo
  sed 's/first/other/' go.obo >go2.obo
  refuses 3 'go2.obo is not the ontology file' verify gaf.tsv g.tsv -c c.gaf --obo go2.obo
  printf 'GO:0000002\nGO:0000009\n' >my2.slim
  refuses 3 'my2.slim is not the slim file' \
    verify slimfile.tsv g.tsv -c c.gaf --obo go.obo --slim my2.slim
  refuses 3 'subset' verify slimfile.tsv g.tsv -c c.gaf --obo go.obo --slim goslim_test
else
  skip 'no reader of GAF with ontology and slim'
fi
if has_format biogrid; then
  biogrid='#BioGRID Interaction ID	Entrez Gene Interactor A	Entrez Gene Interactor B	BioGRID ID Interactor A	BioGRID ID Interactor B	Systematic Name Interactor A	Systematic Name Interactor B	Official Symbol Interactor A	Official Symbol Interactor B	Synonyms Interactor A	Synonyms Interactor B	Experimental System	Experimental System Type	Author	Publication Source	Organism ID Interactor A	Organism ID Interactor B	Throughput	Score	Modification	Qualifications	Tags	Source Database	SWISS-PROT Accessions Interactor A	TREMBL Accessions Interactor A	REFSEQ Accessions Interactor A	SWISS-PROT Accessions Interactor B	TREMBL Accessions Interactor B	REFSEQ Accessions Interactor B	Ontology Term IDs	Ontology Term Names	Ontology Term Categories	Ontology Term Qualifier IDs	Ontology Term Qualifier Names	Ontology Term Types	Organism Name Interactor A	Organism Name Interactor B'
  { echo "$biogrid"
    for pair in 'a b 1' 'b c 1' 'c d 2'; do
      # shellcheck disable=SC2086
      set -- $pair
      printf "1\t1\t2\t1\t2\tY$1\tY$2\t$1\t$2\t-\t-\tAffinity Capture-MS\tphysical\tA (2000)\tPUBMED:1\t$3\t$3\tHigh Throughput"
      printf '\t-%.0s' {1..19}
      printf '\n'
    done; } >g.tab3.txt
  round_trip BioGRID g.tab3.txt -c c.tsv -- --taxon 1 --system 'Affinity Capture-MS' \
    --names symbol -m red,blue
else
  skip 'no BioGRID format'
fi

# ---- drawings ----------------------------------------------------------------------------
exits 0 CX2 list "${gc[@]}" -m red,blue,green --cx2 -o list.cx2
exits 0 DOT list "${gc[@]}" -m red,blue,green --dot -o list.dot
check 'DOT: five vertices' test "$(grep -c ' \[label=' list.dot)" -eq 5
check 'DOT: five edges' test "$(grep -c ' -- ' list.dot)" -eq 5
exits 0 'DOT of a match' list "${gc[@]}" -m red,blue,green --dot --match 2
check 'its vertices' same "$(sed -nE 's/^  v[0-9]+ \[label="([^"]*)".*/\1/p' out | tr '\n' ' ')" 'b c d '
check 'its edges' same "$(grep -c ' -- ' out)" 3
refuses 2 'there is no match 4: 3 were found' list "${gc[@]}" -m red,blue,green --dot --match 4
exits 0 'DOT of the whole graph' screen "${gc[@]}" -m red:2,blue -r e --dot --whole-graph
check 'three are filled' same "$(grep -c ', fillcolor=' out)" 4 # the default is one
check 'all are there' same "$(grep -c ' -- ' out)" 6
refuses 3 'CX2 network .* give the output as TSV' verify list.cx2 "${gc[@]}"
refuses 3 'DOT drawing .* give the output as TSV' verify list.dot "${gc[@]}"
cp g.tsv $'g\xff.tsv'
refuses 3 'not UTF-8, which JSON needs; leave out --cx2' list $'g\xff.tsv' -c c.tsv -m red -x --cx2
exits 0 'an ending that is another form' list "${gc[@]}" -m red -o name.cx2
check 'is warned of' grep -q 'name.cx2: written as TSV; .* --cx2 does' err
check 'and is what it would be elsewhere' grep -q '^# motifsieve' name.cx2
exits 0 'nothing to draw' list "${gc[@]}" -m green:2 --dot -o none.dot
exits 5 'nothing to draw, and no good' list "${gc[@]}" -m green:2 --cx2 --fail-if-none
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

# ---- output ----------------------------------------------------------------------------
exits 0 output list "${gc[@]}" -m red,blue,green --output result.tsv
check 'nothing on stdout' test ! -s out
run list "${gc[@]}" -m red,blue,green
check 'the same bytes' cmp -s out result.tsv
cp result.tsv before.tsv
refuses 3 'nowhere' list nowhere.tsv -c c.tsv -m red --output result.tsv
check 'a failed run leaves the file alone' cmp -s before.tsv result.tsv
refuses 3 '/dev/full' list "${gc[@]}" -m red --output /dev/full
refuses 3 'no/such' list "${gc[@]}" -m red --output no/such/folder.tsv
check 'no temporary file is left' bash -c '! ls | grep -q "\.tmp-"'
"$motifsieve" list "${gc[@]}" -m red >/dev/full 2>err
check "a full stdout is exit 3 (got $?)" grep -q 'standard output' err
for args in --help --version info; do
  "$motifsieve" $args >/dev/full 2>err
  check "$args to a full device is exit 3" test $? -eq 3
done
exits 0 'output to a device' list "${gc[@]}" -m red --output /dev/null
check '/dev/null is still a device' test -c /dev/null

# ---- small print ------------------------------------------------------------------------
(echo HEAD; "$motifsieve" list "${gc[@]}" -m red --output /dev/stdout; echo TAIL) >shared 2>err
check '/dev/stdout: what others write stays' same "$(sed -n '1p;$p' shared | tr '\n' ' ')" 'HEAD TAIL '
check '/dev/stdout: the result is there' grep -q '^# end: ' shared
printf 'a\tred\tblue\nb\tblue\n' >wide.tsv
exits 0 'a third column' screen g.tsv --colors wide.tsv -m red,blue
check 'a third column is warned of' grep -q 'wide.tsv: 1 lines have more than two columns' err
exits 4 'a cut list' list "${gc[@]}" -m red,blue,green --limit 1 --output cut.tsv
exits 0 'verify a cut list' verify cut.tsv "${gc[@]}"
check 'nobody looked for missing rows' grep -qx 'missing	unknown' out
exits 4 'a cut list in JSON' list "${gc[@]}" -m red,blue,green --limit 1 --json --output cut.json
exits 0 'verify it' verify cut.json "${gc[@]}" --json
check 'nobody looked: null' grep -q '"missing":null' out
printf 'red 2\n' >blank.motif
refuses 3 'blank.motif:1: .*a tab and a count' screen "${gc[@]}" --motif-file blank.motif

# ---- tables of interactions ---------------------------------------------------------------
printf 'a\tpp\tb\tc\nb b\tpd\tc\nalone\n' >net.sif
exits 0 'SIF to MITAB' convert net.sif -o net.mitab
exits 0 'MITAB to BioGRID' convert net.mitab -o net.tab3.txt
exits 0 'BioGRID to SIF' convert net.tab3.txt -o again.sif
check 'SIF, there and back' same "$(cat again.sif)" $'a\tpp\tb\na\tpp\tc\nc\tpp\tb b\nalone'
"$motifsieve" convert - --to edge-list <net.sif >out 2>err
check 'SIF from standard input' grep -qx $'a\tb' out
# two human genes, two of yeast (by genetics), one pair across
awk 'BEGIN { OFS = "\t"
  print "#BioGRID Interaction ID", "Entrez Gene Interactor A", "Entrez Gene Interactor B",
    "Official Symbol Interactor A", "Official Symbol Interactor B", "Experimental System",
    "Experimental System Type", "Organism ID Interactor A", "Organism ID Interactor B"
  print 1, 11, 12, "H1", "H2", "Two-hybrid", "physical", 9606, 9606
  print 2, 21, 22, "Y1", "Y2", "Dosage Rescue", "genetic", 559292, 559292
  print 3, 11, 21, "H1", "Y1", "FRET", "physical", 9606, 559292 }' >two.tab3.txt
edges() { run convert two.tab3.txt --to edge-list "$@" && tr '\t\n' '- ' <out; }
check 'BioGRID' same "$(edges)" 'H1-H2 H1-Y1 Y1-Y2 '
check '--taxon' same "$(edges --taxon 559292)" 'Y1-Y2 '
check '--system, type' same "$(edges --system Physical)" 'H1-H2 H1-Y1 '
check '--system, name' same "$(edges --system 'dosage rescue')" 'Y1-Y2 '
check '--names' same "$(edges --names entrez --taxon 9606)" '11-12 '
run convert two.tab3.txt --to edge-list --taxon 9606 -v
check 'filtered lines are counted' grep -q ' 2 of another taxon or system' err
printf 'H1\tred\nH2\tblue\n' >h.tsv
exits 0 'list in BioGRID' list two.tab3.txt --taxon 9606 -c h.tsv -m red,blue -x
check 'list in BioGRID: rows' same "$(rows)" $'1\tH1,H2'
refuses 2 'unknown kind of names .gene.; give one of symbol, systematic, id, entrez, swissprot' \
  convert two.tab3.txt --to sif --names gene
refuses 2 'unknown kind of names .entrez.; give one of id, full, symbol, gene' \
  convert net.mitab --to sif --names entrez
refuses 2 'a taxon is given, but this is not' convert net.sif --to mitab --taxon 9606
refuses 3 'holds no edges of that taxon and system' convert two.tab3.txt --to sif --taxon 1
refuses 3 'two.tab3.txt:1: no column .BioGRID ID Interactor A.' \
  convert two.tab3.txt --to sif --names id
exits 0 'MITAB, full names' convert net.mitab --names full --to edge-list
check 'unknown is no database' grep -qx $'a\tb' out
printf 'bad\tpp\n' >bad.sif
refuses 3 'bad.sif:1: expected a source, a relation and targets' convert bad.sif --to mitab

# ---- larger inputs: threads, limits, stopping ---------------------------------------------
# 400 vertices, 1200 edges, 10 colours, every third vertex with two
awk 'BEGIN { s = 12345; n = 400
  for (i = 0; i < 1200; i++) { s = (s * 16807) % 2147483647; a = s % n
    s = (s * 16807) % 2147483647; b = s % n; print "v" a "\tv" b } }' >big.tsv
awk 'BEGIN { for (i = 0; i < 400; i++) { print "v" i "\tc" (i * 7 + int(i / 10)) % 10
  if (i % 3 == 0) print "v" i "\tc" (i * 3 + 1) % 10 } }' >bigc.tsv
big=(big.tsv -c bigc.tsv)
for command in 'screen --all' list 'list --exact' 'list --json'; do
  # shellcheck disable=SC2086
  run $command "${big[@]}" -m c1,c2,c3:2,c4 --seed 9 -t 1
  mv out one
  check "$command has rows" test "$(rows one | wc -l)" -gt 3
  for t in 2 7; do
    # shellcheck disable=SC2086
    run $command "${big[@]}" -m c1,c2,c3:2,c4 --seed 9 -t $t
    check "$command: $t threads give the same bytes" cmp -s one out
  done
done
run list "${big[@]}" -m c1,c2,c3:2,c4
mv out sieved
run list "${big[@]}" -m c1,c2,c3:2,c4 --exact
check 'list and list --exact agree' same "$(rows sieved)" "$(rows out)"
rows out | cut -f2 | tr ',' '\n' | sort -u >in_match
run screen "${big[@]}" -m c1,c2,c3:2,c4
check 'screen flags the vertices of the matches' same "$(rows | cut -f1 | sort)" "$(cat in_match)"
refuses 4 '--memory' list "${big[@]}" -m '*:6' --exact --memory 64K
refuses 4 '--memory|memory' screen "${big[@]}" -m '*:16' --memory 1K

exits 4 'timeout' list "${big[@]}" -m '*:14' --exact --count --timeout 300ms
check 'timeout: the number so far' grep -Eqx '[0-9]+' out
check 'timeout: said' grep -q 'out of time' err
exits 4 'timeout, rows' list "${big[@]}" -m 'c1,c2,*:10,c3,c4' --exact --timeout 300ms
check 'timeout: marked' grep -qx '# status: incomplete: time' out
check 'timeout: whole file' grep -q '^# end: rows=' out
exits 4 'timeout, screen' screen "${big[@]}" -m '*:22' --timeout 300ms --no-prune
check 'timeout: screen marked' grep -qx '# status: incomplete: time' out
cp out stopped.tsv
exits 0 'a stopped screen verifies' verify --no-recount stopped.tsv "${big[@]}"

# interrupted MODE ARGS...: SIGINT after 0.5 s
for signal in INT TERM; do
  # a background job of a script ignores SIGINT; env --default-signal undoes it
  if env --default-signal=INT true 2>/dev/null; then
    env --default-signal=INT "$motifsieve" list "${big[@]}" -m 'c1,c2,*:10,c3,c4' -x >out 2>err &
    pid=$!
    sleep 0.5
    kill -$signal $pid
    wait $pid
    rc=$?
    check "SIG$signal: exit 4 (got $rc)" test $rc -eq 4
    check "SIG$signal: marked" grep -qx '# status: incomplete: interrupted' out
    check "SIG$signal: whole file" grep -q '^# end: rows=' out
    cp out stopped.tsv
    exits 0 "SIG$signal: what was written verifies" verify --no-recount stopped.tsv "${big[@]}"
  else
    skip "signals: env has no --default-signal"
  fi
done

# a command that knows no half of its work is killed, and takes its temporary file along
for signal in INT TERM HUP; do
  env --default-signal=INT true 2>/dev/null || break
  env --default-signal=INT,HUP "$motifsieve" gen er -n 400000 --edges 6000000 -q -o killed.tsv 2>err &
  pid=$!
  for ((i = 0; i < 6000; i++)); do
    compgen -G 'killed.tsv.tmp-*' >tmp && break
    sleep 0.01
  done
  kill -$signal $pid
  wait $pid
  rc=$?
  check "SIG$signal, gen: a temporary file was there" test -s tmp
  check "SIG$signal, gen: killed (got $rc)" test $rc -gt 128
  check "SIG$signal, gen: nothing stays" same "$(compgen -G 'killed.tsv*')" ''
done

# ---- compressed outputs and inputs ------------------------------------------------------
exits 0 'plain result' list "${gc[@]}" -m red:2,blue -x -o plain.tsv
for ending in gz zst; do
  if [ $ending = gz ]; then unpack=(gzip -dc) pack=(gzip -c); else unpack=(zstd -qdc) pack=(zstd -qc); fi
  if ! command -v "${unpack[0]}" >/dev/null; then
    skip "compressed outputs: no ${unpack[0]}"
    continue
  fi
  exits 0 "$ending: result" list "${gc[@]}" -m red:2,blue -x -o packed.tsv.$ending
  "${unpack[@]}" packed.tsv.$ending >unpacked.tsv 2>err
  check "$ending: the same, packed" cmp -s unpacked.tsv plain.tsv
  exits 0 "$ending: verify" verify packed.tsv.$ending "${gc[@]}"
  check "$ending: accepted" grep -q accepted out
  "${pack[@]}" plain.tsv >other.packed # told by content, not by name
  exits 0 "$ending: verify under another name" verify other.packed "${gc[@]}"
  "$motifsieve" verify - "${gc[@]}" <packed.tsv.$ending >out 2>err
  check "$ending: verify from standard input" grep -q accepted out
  sed 's/a,b,c/a,b,d/' plain.tsv | "${pack[@]}" >other.packed
  exits 3 "$ending: verify sees a changed row" verify other.packed "${gc[@]}"
  head -c $(($(wc -c <packed.tsv.$ending) - 3)) packed.tsv.$ending >cut.packed
  refuses 3 "cut.packed: the .* data is cut off" verify cut.packed "${gc[@]}"
  exits 0 "$ending: JSON" screen "${gc[@]}" -m red:2,blue -j -o packed.json.$ending
  exits 0 "$ending: verify JSON" verify packed.json.$ending "${gc[@]}"
  exits 0 "$ending: a verdict" verify plain.tsv "${gc[@]}" -o verdict.$ending
  check "$ending: the verdict" bash -c "${unpack[*]} verdict.$ending | grep -q accepted"
  "${pack[@]}" g.tsv >packed.graph
  "${pack[@]}" c.tsv >packed.colors
  exits 0 "$ending: inputs" list packed.graph -c packed.colors -m red:2,blue -x --count
  check "$ending: inputs, the same count" same "$(cat out)" 2
  exits 0 "$ending: graph" convert g.tsv -o graph.tsv.$ending
  exits 0 "$ending: graph again" convert graph.tsv.$ending --to edge-list
  cp out again.tsv
  exits 0 "$ending: graph, plain" convert g.tsv --to edge-list
  check "$ending: the same graph" cmp -s out again.tsv
done

# ---- the binary format --------------------------------------------------------------------
exits 0 'binary' convert "${gc[@]}" -o g.msb
exits 0 'binary: list with its colours' list g.msb -m red:2,blue -x -o msb.tsv
check 'binary: the same matches' same "$(rows msb.tsv)" "$(rows plain.tsv)"
exits 0 'binary: list with a colour file' list g.msb -c c.tsv -m red:2,blue -x -o msb2.tsv
exits 0 'binary: verify' verify msb2.tsv g.msb -c c.tsv
crc=$(sed -n 's/^# graph: .* crc32c=\([0-9a-f]*\) .*/\1/p' msb2.tsv)
"$motifsieve" list - -c c.tsv -m red:2,blue -x <g.msb >out 2>err
check 'binary: the same CRC from standard input' grep -q "^# graph: - crc32c=$crc " out
exits 0 'binary: packed' convert g.msb -o g.msb.zst
exits 0 'binary: packed, list' list g.msb.zst -c c.tsv -m red:2,blue -x
check 'binary: the same CRC, packed' grep -q "^# graph: g.msb.zst crc32c=$crc " out
exits 0 'binary: to itself' convert g.msb -o again.msb
check 'binary: the same bytes' cmp -s g.msb again.msb
head -c 1000 g.msb >cut.msb
refuses 3 'cut.msb: is cut off: 1000 of [0-9]+ bytes' list cut.msb -c c.tsv -m red
tr '\n' '\r' <g.msb >lines.msb
refuses 3 'lines.msb: was damaged on its way, as by a transfer that converts line ends' \
  list lines.msb -c c.tsv -m red
refuses 3 'g.tsv: is no binary graph of motifsieve' list g.tsv --format binary -c c.tsv -m red
refuses 2 'a least score is given' list g.msb --min-score 5 -c c.tsv -m red

# ---- a terminal --------------------------------------------------------------------------
if command -v script >/dev/null; then
  tty="$motifsieve screen big.tsv -c bigc.tsv -m '*:22' --no-prune -o tty.tsv"
  command script -qec "$tty --timeout 2s" /dev/null >tty 2>&1 </dev/null
  check 'a progress line on a terminal' grep -q $'\r\033\[K[a-z]' tty
  check 'it is erased' bash -c "tr '\r' '\n' <tty | grep -q \$'^\033\[K\$\|^\033\[Kmotifsieve'"
  command script -qec "$tty --timeout 1s -q" /dev/null >tty 2>&1 </dev/null
  check 'none with --quiet' bash -c '! grep -q "\[K" tty'
else
  skip 'progress line: no script(1)'
fi

finish
