# `motifsieve bench`, and the program of experiments where it is built beside the tool, print a row for
# each measured cell with positive values, and refuse wrong calls.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

experiments=$(dirname "$motifsieve")/bench/experiments
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
small=(--backend cpu --runs 1 -t 1 --csv)

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
exits 0 'bench sieve: a text' bench sieve -n 100 -k 5 --backend cpu --runs 2
for line in first time; do check "bench sieve: prints $line" grep -Eq "^  $line +[0-9.]+" out; done

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
wrong 'needs --exponent' --family power-law
wrong 'is for --family power-law' --exponent -1
wrong 'option --exponent needs' --family power-law --exponent 1
wrong 'leave --degree out' --family clique --degree 5
wrong "option --experiment needs k, n or topology, not 'd'" --experiment d
wrong 'leave --family out' --experiment topology --family er
wrong 'several values of --vertices need' --vertices 10,20
wrong 'several values of --slots need' --slots 3,4 --experiment n
wrong '--backend cpu has none' --backend cpu --devices 0
for n in 1 33 4,, x ''; do wrong 'option --slots needs' --slots "$n"; done
wrong 'a colour is missing' -n 5 -d 2 -k 20 --backend cpu
exits 0 'experiments: k' --experiment k -n 100 --slots 2,5,7 "${small[@]}"
check 'experiments: k, a row each' table 3
check 'experiments: k, the values' same "$(column slots)" '2 5 7 '
check 'experiments: k, points' same "$(column points)" '4 32 128 '
exits 0 'experiments: n' --experiment n -n 64,100 -d 6 --slots 4 --repetitions 2 "${small[@]}"
check 'experiments: n, a row each' table 2
check 'experiments: n, edges' same "$(column edges)" '192 300 '
check 'experiments: n, points' same "$(column points)" '32 32 '
exits 0 'experiments: topology' --experiment topology -n 500 --slots 4 "${small[@]}"
check 'experiments: topology, a row each' table 4
check 'experiments: topology, families' same "$(column family)" 'regular clique power-law power-law '
check 'experiments: topology, edges' same "$(column edges)" '5000 5050 5000 5000 '
exits 0 'experiments: planted' -n 200 -k 5 --planted "${small[@]}"
check 'experiments: planted, one row' table 1
check 'experiments: pruning leaves the match' same "$(column vertices_kept)$(column ratio)" '5  '
exits 0 'experiments: at length' -n 100 -k 5 --family er --backend cpu --runs 2
for line in first time products bytes ratio; do check "experiments: prints $line" grep -Eq "^  $line +[0-9.]+" out; done
exits 0 'experiments: a table' --experiment k --slots 4,5 -n 100 --backend cpu --runs 1
check 'experiments: a line each' same "$(grep -c '^regular ' out)" 2
if [ "${gpus:-0}" -eq 0 ]; then
  wrong "$no_gpu" --ceilings
  wrong "$no_gpu" --backend cuda
else
  exits 0 'experiments: ceilings' --ceilings -s 0.01
fi
