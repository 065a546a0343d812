# `motifsieve bench`, and the program of experiments where it is built beside the tool, print a row for
# each measured cell with positive values, and refuse wrong calls.
# shellcheck shell=bash disable=SC2016,SC2034,SC2086,SC2154

experiments=$(dirname "$motifsieve")/bench/experiments
script=$(dirname "$here")/bench/experiments.sh
gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
no_gpu='there is no GPU|no accelerator support'

# table ROWS: a header, so many rows, as many columns in each; values that must be above 0
table() {
  awk -F, -v rows="$1" 'NR == 1 { columns = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    NF != columns { exit 1 }
    !($at["seconds"] > 0 && $at["first_seconds"] > 0 && $at["points"] > 0 && $at["points_per_second"] > 0) { exit 1 }
    at["products"] && !($at["products"] > 0 && $at["products_per_second"] > 0) { exit 1 }
    at["planted"] && $at["planted"] == 0 && !($at["ratio"] > 0) { exit 1 }
    END { if (NR != rows + 1) exit 1 }' out
}
# column NAME: its values
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s ", $at[name] }' out; }
small=(--backend cpu --runs 1 -t 1 --seconds 0.01 --csv)

# ---- motifsieve bench gf2 -----------------------------------------------------------------
exits 0 'bench gf2' bench gf2 -t 1 -s 0.01 --csv
check 'bench gf2: bit-sliced' grep -q '^bitslice64,64,1,' out

# ---- motifsieve bench sieve ---------------------------------------------------------------
exits 0 'bench sieve' bench sieve -n 100 -k 5 "${small[@]}"
check 'bench sieve: one row' table 1
check 'bench sieve: edges, slots, points, flagged' \
  same "$(column edges)$(column slots)$(column points)$(column flagged)" '1000 5 32 100 '
exits 0 'bench sieve: repetitions' bench sieve -n 64 -d 6 -k 4 --repetitions 2 "${small[@]}"
check 'bench sieve: repetitions, points' same "$(column edges)$(column points)" '192 32 '
exits 0 'bench sieve: classic' bench sieve -n 100 -k 5 --recurrence classic "${small[@]}"
check 'bench sieve: classic, one row' same "$(column recurrence)$(table 1 && echo fine)" 'classic fine'
exits 0 'bench sieve: a text' bench sieve -n 100 -k 5 --backend cpu --runs 2 --seconds 0.01
for line in first time sieve products bytes ratio; do check "bench sieve: prints $line" grep -Eq "^  $line +[0-9.]+" out; done

# A file: the flags are those of a screen with the same weights, and the counts do not depend on the
# line type.
"$motifsieve" gen regular -n 80 -d 5 --uniform-colors 4 --colors-out c.tsv -o g.tsv -q
exits 0 'bench sieve: a file' bench sieve g.tsv -c c.tsv -m 'c0,c1:2,c2' --repetitions 3 "${small[@]}"
check 'bench sieve: a file, one row' table 1
check 'bench sieve: a file, edges, slots, repetitions, points' \
  same "$(column edges)$(column slots)$(column repetitions)$(column points)" '200 4 3 48 '
flagged=$(column flagged) products=$(column products)
exits 0 'bench sieve: a file, one repetition' bench sieve g.tsv -c c.tsv -m 'c0,c1:2,c2' --repetitions 1 "${small[@]}"
check 'bench sieve: a file, a third of the products' awk -v all="$products" -v one="$(column products)" 'BEGIN { exit !(all == 3 * one) }'
"$motifsieve" screen g.tsv -c c.tsv -m 'c0,c1:2,c2' --screen always --repetitions 3 -q -o s.tsv
check 'bench sieve: a file, the flags of screen' same "$flagged" "$(($(grep -vc '^#' s.tsv) - 1)) "
check 'bench sieve: a file, vertices that pruning leaves' awk -v kept="$(column vertices_kept)" 'BEGIN { exit !(kept > 0 && kept <= 80) }'
exits 0 'bench sieve: a file as JSON' bench sieve g.tsv -c c.tsv -m 'c0,c1:2,c2' --repetitions 3 --backend cpu --runs 1 -t 1 \
  --seconds 0.01 --json
for key in '"command":"bench sieve"' '"path":"g.tsv"' '"line_type":"' '"vertices_kept":' '"repetition":' '"products_per_second":' \
  '"bytes_per_second":' '"ratio":' "\"flagged\":${flagged% }," '"repetitions":3,' '"seed":'; do
  check "bench sieve: JSON has $key" grep -qF "$key" <(tr -d ' ' <out | sed 's/benchsieve/bench sieve/')
done
check 'bench sieve: JSON, one line' same "$(wc -l <out)" 1
MOTIFSIEVE_GF2=bitslice64 exits 0 'bench sieve: another line type' bench sieve g.tsv -c c.tsv -m 'c0,c1:2,c2' --repetitions 3 "${small[@]}"
check 'bench sieve: another line type, the same flags' same "$(column arithmetic)$(column flagged)" "bitslice64 $flagged"
exits 0 'bench sieve: pruning answers' bench sieve g.tsv -c c.tsv -m 'c0:32' --backend cpu --runs 1 -t 1 --json
check 'bench sieve: pruning answers, no floor' same "$(grep -c '"floor"' out)$(grep -c '"flagged": *0' out)" 01
exits 0 'bench sieve: pruning answers, a text' bench sieve g.tsv -c c.tsv -m 'c0:32' --backend cpu --runs 1 -t 1
check 'bench sieve: pruning answers, it is said' grep -q 'nothing was left to sieve' out
exits 3 'bench sieve: a file that is not there' bench sieve nothere.tsv -c c.tsv -m c0
# ends NAME PID: the process ends by the signal that it gets now, and at once
ends() {
  kill -TERM "$2"
  for _ in {1..100}; do
    kill -0 "$2" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$2" 2>/dev/null
  wait "$2"
  check "$1" test $? -eq 143
}
"$motifsieve" bench sieve g.tsv -c c.tsv -m 'c0,c1:2,c2' --backend cpu --runs 1 -t 1 --seconds 60 >out 2>err &
sleep 1
ends 'bench sieve: a signal ends the measurement of rates' $!
check 'bench sieve: a signal ends it without output' test ! -s out

# ---- GPUs ------------------------------------------------------------------------------------
if [ "${gpus:-0}" -eq 0 ]; then
  refuses 2 "$no_gpu" bench gf2 --backend cuda
  for backend in cuda both; do refuses 2 "$no_gpu" bench sieve --backend $backend; done
  refuses 2 "$no_gpu" bench sieve --devices 0
  skip 'bench on a GPU: there is none'
else
  refuses 2 "there is no GPU $gpus" bench gf2 --backend cuda --device "$gpus"
  refuses 2 "there is no GPU $gpus" bench sieve --devices "0,$gpus"
  exits 0 'bench gf2 on a GPU' bench gf2 --backend cuda -s 0.01 --csv
  for type in table packed1 packed4 packed16 packed32 bitslice32 bitslice32-mac karatsuba32-mac; do
    check "bench gf2 on a GPU: $type" grep -Eq "^$type,(1|4|16|32),0,[1-9]" out
  done
  exits 0 'bench sieve on a GPU' bench sieve --backend cuda --devices 0 -k 12 --runs 1 --csv
  check 'bench sieve on a GPU: one row' table 1
  check 'bench sieve on a GPU: one GPU' same "$(column backend)$(column gpus)" 'cuda 1 '
fi

# ---- the experiments ---------------------------------------------------------------------
if [ ! -x "$experiments" ]; then
  skip 'experiments: not built; run make build-tests'
  return
fi
tool=$motifsieve
motifsieve=$experiments
# wrong REGEX ARGS...: exit code 2, the last line of standard error matches, nothing on stdout
wrong() {
  local regex=$1
  shift
  exits 2 "experiments $*" "$@"
  check "experiments $*: /$regex/" grep -Eq "^experiments: .*($regex)" err
  check "experiments $*: nothing on stdout" test ! -s out
}
exits 0 'experiments --help' --help
check 'experiments --help: options' grep -q -- '^ *--experiment NAME' out
wrong "'x' is one word too many" x
wrong "see 'experiments --help'" --fast
wrong "option --backend needs auto, cpu, cuda or both, not 'gpu'" --backend gpu
wrong "option --family needs .*, not 'grid'" --family grid
wrong 'need --exponent' --family power-law
wrong 'need --exponent' --family hubs
wrong 'is for --family hubs' --classes 5
wrong 'is for --family power-law' --exponent -1
wrong 'option --exponent needs' --family power-law --exponent 1
wrong 'leave --degree out' --family clique --degree 5
wrong "option --experiment needs k, n, m, topology, .* or transfers, not 'd'" --experiment d
wrong 'leave --family and --planted out' --experiment topology --family er
wrong 'several values of --vertices need' --vertices 10,20
wrong 'several values of --slots need' --slots 3,4 --experiment n
wrong 'several values of --degree need' --degree 3,4 --experiment n
wrong 'also give --experiment' --write x
wrong 'holds quotes' --experiment k --write "x'y"
for prefix in . .. ./ ./.. ''; do wrong 'needs the beginning of a file name' --experiment k --write "$prefix"; done
for option in '-n 10' '-d 3' '-k 5' '--family er' --planted '--arithmetic table'; do
  # shellcheck disable=SC2086 # an option and its value
  wrong 'bandwidth has no graph and no motif' --experiment bandwidth $option
done
wrong 'leave --arithmetic out' --experiment lines --arithmetic table
wrong 'is for processors or for GPUs' --experiment lines --backend both
wrong 'is for processors' --experiment threads --backend both
wrong 'is for GPUs' --experiment gpus --backend cpu
wrong '--backend cpu has none' --backend cpu --devices 0
for n in 1 33 4,, x ''; do wrong 'option --slots needs' --slots "$n"; done
wrong 'a colour is missing' -n 5 -d 2 -k 20 --backend cpu
exits 0 'experiments: k' --experiment k -n 100 --slots 2,5,7 "${small[@]}"
check 'experiments: k, a row each' table 3
check 'experiments: k, the values' same "$(column slots)" '2 5 7 '
check 'experiments: k, points' same "$(column points)" '4 32 128 '
exits 0 'experiments: decision' --experiment decision -n 200 -d 6 --slots 4,5,6,7,8,9 --runs 1 --csv
check 'experiments: decision, a row each' same "$(column slots)" '4 5 6 7 8 9 '
check 'experiments: decision, lines' same "$(column localized_lines)$(column decision_lines)" '2 4 5 8 9 12 1 3 4 7 8 11 '
check 'experiments: decision, there are matches' same "$(column decision)" '1 1 1 1 1 1 '
for line in table bitslice64; do
  exits 0 "experiments: decision, $line" --experiment decision -n 100 -d 6 --slots 5,8 --runs 1 --arithmetic $line --csv
  check "experiments: decision, $line, a row each" same "$(column arithmetic)" "$line $line "
done
wrong 'at least 4 slots' --experiment decision --slots 3,4
wrong 'is for one thread' --experiment decision --backend both
wrong 'is for one thread' --experiment decision -t 2
wrong 'is for one thread' --experiment decision --backend cuda
wrong 'is for one thread' --experiment decision --recurrence classic
if [ "${gpus:-0}" -eq 0 ]; then
  exits 2 'experiments: lines without a GPU' --experiment lines --backend cuda --slots 5 -n 50
  check 'experiments: lines without a GPU, the reason' grep -Eq "$no_gpu" err
else
  exits 0 'experiments: lines on a GPU' --experiment lines --backend cuda -n 200 --slots 8 --runs 1 -s 0.01 --csv
  check 'experiments: lines on a GPU, a row each' same "$(column arithmetic)" 'bitslice32-global bitslice32-shared '
  check 'experiments: lines on a GPU, the same flags' same "$(column flagged | tr ' ' '\n' | grep . | sort -u | wc -l)" 1
  exits 0 'experiments: lines on a GPU, classic' --experiment lines --backend cuda -n 200 --slots 8 --runs 1 -s 0.01 --csv --recurrence classic
  check 'experiments: lines on a GPU, classic, a row' same "$(column arithmetic)" 'bitslice32 '
  exits 0 'experiments: lines on a GPU, a larger graph' --experiment lines --backend cuda -n 20000 --slots 6 --runs 1 -s 0.01 --csv
  check 'experiments: lines on a GPU, a larger graph, all rows but one' same "$(column arithmetic)" 'bitslice32-global '
  check 'experiments: lines on a GPU, a larger graph, the reason' grep -q 'bitslice32-shared: .*do not fit' err
fi
wrong "no line type 'bogus'" --experiment decision --arithmetic bogus -n 50
wrong 'transfers is for GPUs' --experiment transfers --backend cpu
exits 0 'experiments: n' --experiment n -n 64,100 -d 6 --slots 4 --repetitions 2 "${small[@]}"
check 'experiments: n, a row each' table 2
check 'experiments: n, edges' same "$(column edges)" '192 300 '
check 'experiments: n, points' same "$(column points)" '32 32 '
exits 0 'experiments: m' --experiment m -n 64 -d 4,6 --slots 4 "${small[@]}"
check 'experiments: m, a row each' table 2
check 'experiments: m, edges' same "$(column edges)" '128 192 '
# the last graph has the edges that remain of the one with large hubs
exits 0 'experiments: topology' --experiment topology -n 500 --slots 4 --classes 30 "${small[@]}"
check 'experiments: topology, a row each' table 5
check 'experiments: topology, families' same "$(column family)" 'regular clique hubs hubs er '
check 'experiments: topology, edges' awk -v edges="$(column edges)" 'BEGIN { split(edges, m, " ");
  exit !(m[1] == 5000 && m[2] == 5050 && m[3] < 5100 && m[3] > m[4] && m[4] > 2000 && m[5] == m[4]) }'
check 'experiments: topology, hubs' awk -v degrees="$(column highest_degree)" 'BEGIN { split(degrees, d, " ");
  exit !(d[1] == 20 && d[2] == 100 && d[3] > 40 && d[4] > d[3] && d[4] > 150 && d[5] < d[3]) }'
exits 0 'experiments: lines' --experiment lines -n 64 --slots 5 "${small[@]}"
check 'experiments: lines, those of bench gf2' same "$(column arithmetic | tr ' ' '\n' | grep . | sort | paste -s -d ' ')" \
  "$("$tool" bench gf2 -t 1 -s 0.001 --csv | cut -d, -f1 | grep -v line_type | sort | paste -s -d ' ')"
check 'experiments: lines, the same flags' same "$(column flagged | tr ' ' '\n' | grep . | sort -u | wc -l)" 1
exits 0 'experiments: threads' --experiment threads -n 64 --slots 5 --backend cpu --runs 1 -t 3 -s 0.01 --csv
check 'experiments: threads, 1, 2, 3' same "$(column threads)" '1 2 3 '
exits 0 'experiments: bandwidth' --experiment bandwidth --backend cpu -t 2 -s 0.001 --memory 1M --csv
check 'experiments: bandwidth, rates' awk -F, 'NR == 1 { if ($0 != "where,what,threads,bytes,rate,unit") exit 1; next } !($5 > 0) { exit 1 }' out
check 'experiments: bandwidth, three sizes, two orders, two numbers of threads' same "$(grep -c '^processor,' out)" 12

# ---- files ----------------------------------------------------------------------------------------
# written EXPERIMENT X: the table has a head, the columns of the script, and rows; gnuplot draws it
written() {
  local at
  check "experiments --write: $1, about the run" same "$(grep -c '^# \(20[0-9-]*, experiment\|machine:\|command: experiments --\|seed\)' "$1.tsv")" 4
  for at in $2; do
    check "experiments --write: $1, column $at" awk -F'\t' -v at="$at" '/^#/ { next } { for (i = 1; i <= NF; i++) if ($i == at) found = 1; exit !found }' "$1.tsv"
    check "experiments --write: $1, the script draws $at" grep -qF "\"$at\"" "$1.gp"
  done
  check "experiments --write: $1, each row has all columns" awk -F'\t' '/^#/ { next } !n { n = NF } NF != n { exit 1 } END { if (NR < 6) exit 1 }' "$1.tsv"
  if command -v gnuplot >/dev/null; then
    check "experiments --write: $1, a drawing" grep -q '^</svg>' "$1.svg"
    check "experiments --write: $1, no warning" test -z "$(grep -v '^experiments: [a-z0-9]*: not on this processor$' err)"
  else
    check "experiments --write: $1, gnuplot is missed" grep -q 'WARNING: gnuplot is not installed' err
  fi
  check "experiments --write: $1, nothing else" test -z "$(find . -name "$1.*" ! -name "$1.tsv" ! -name "$1.gp" ! -name "$1.svg")"
}
command -v gnuplot >/dev/null || skip 'experiments --write: the drawings: there is no gnuplot'
quick=(--backend cpu --runs 1 -s 0.01)
exits 0 'experiments --write: k' --experiment k -n 100 --slots 3,5 -t 1 "${quick[@]}" --write fig-k
written fig-k 'slots seconds floor_seconds'
exits 0 'experiments --write: n' --experiment n -n 64,100 --slots 3 -t 1 "${quick[@]}" --write fig-n
written fig-n 'vertices seconds floor_seconds'
exits 0 'experiments --write: m' --experiment m -n 64 -d 4,8 --slots 3 -t 1 "${quick[@]}" --write fig-m
written fig-m 'edges seconds floor_seconds'
exits 0 'experiments --write: topology' --experiment topology -n 300 --slots 3 -t 1 "${quick[@]}" --write fig-topology
written fig-topology 'family exponent seconds floor_seconds'
exits 0 'experiments --write: lines' --experiment lines -n 64 --slots 3 -t 1 "${quick[@]}" --write fig-lines
written fig-lines 'arithmetic seconds floor_seconds'
exits 0 'experiments --write: threads' --experiment threads -n 64 --slots 3 -t 2 "${quick[@]}" --write fig-threads
written fig-threads 'threads seconds'
exits 0 'experiments --write: bandwidth' --experiment bandwidth -t 2 --memory 256K "${quick[@]}" --write fig-bandwidth
written fig-bandwidth 'what threads bytes rate'
COMMIT=abc bash "$script" --quick "$tool" folder threads bandwidth >out 2>err
check 'bench/experiments.sh: exit code' test $? -eq 0
check 'bench/experiments.sh: tables and scripts' test -s folder/threads.tsv -a -s folder/threads.gp -a -s folder/bandwidth.tsv -a -s folder/bandwidth.gp
check 'bench/experiments.sh: the commit' grep -q '^# .* commit abc$' folder/threads.tsv
bash "$script" "$tool" folder speed >out 2>err
check 'bench/experiments.sh: a figure that does not exist' test $? -eq 1
check 'bench/experiments.sh: it is said' grep -q "there is no figure 'speed'; give k, n" err
cp fig-k.tsv old.tsv
exits 2 'experiments --write: a run that fails' --experiment k -n 5 -d 2 --slots 2,20 -t 1 "${quick[@]}" --write fig-k
check 'experiments --write: the old table stays' cmp fig-k.tsv old.tsv
exits 1 'experiments --write: a folder that is not there' --experiment k -n 64 --slots 3 "${quick[@]}" --write no/such
check 'experiments --write: before anything is measured' test ! -s out
mkdir fake
printf '#!/bin/sh\nexit 1\n' >fake/gnuplot
chmod +x fake/gnuplot
saved=$PATH
PATH=$PWD/fake:$PATH
exits 1 'experiments --write: gnuplot fails' --experiment k -n 64 --slots 3 "${quick[@]}" --write f
check 'experiments --write: gnuplot fails, it is said' grep -q 'gnuplot failed on f.gp' err
check 'experiments --write: gnuplot fails, table and script remain' test -s f.tsv -a -s f.gp -a ! -e f.svg
PATH=$saved
rm -r fake

exits 0 'experiments: planted' -n 200 -k 5 --planted "${small[@]}"
check 'experiments: planted, one row' table 1
check 'experiments: pruning leaves the match' same "$(column vertices_kept)$(column ratio)" '5  '
exits 0 'experiments: at length' -n 100 -k 5 --family er --backend cpu --runs 2 -s 0.01
for line in first time products bytes ratio; do check "experiments: prints $line" grep -Eq "^  $line +[0-9.]+" out; done
exits 0 'experiments: a table' --experiment k --slots 4,5 -n 100 --backend cpu --runs 1 -s 0.01
check 'experiments: a line each' same "$(grep -c '^regular ' out)" 2
if [ "${gpus:-0}" -eq 0 ]; then
  wrong "$no_gpu" --ceilings
  wrong "$no_gpu" --backend cuda
  exits 2 'experiments: gpus without a GPU' --experiment gpus
  check 'experiments: gpus without a GPU, it is said' grep -Eq "^experiments: .*($no_gpu)" err
else
  exits 0 'experiments: ceilings' --ceilings -s 0.01
  exits 0 'experiments: gpus' --experiment gpus --slots 8 --runs 1 -s 0.01 --csv
  check 'experiments: gpus, one at first' grep -q '^1 ' <(column gpus)
fi
"$motifsieve" --experiment k -n 1024 --slots 22 -t 1 "${quick[@]}" --write stopped >out 2>err &
pid=$!
for _ in {1..100}; do
  compgen -G 'stopped.tsv.*' >matched && break
  sleep 0.1
done
ends 'experiments --write: a signal ends it' $pid
check 'experiments --write: a signal leaves no file' test -z "$(compgen -G 'stopped*')"
