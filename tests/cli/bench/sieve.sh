# Benchmarks print a row for each measured cell with positive values, and refuse wrong calls.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
refuses 2 "option --backend of bench gf2 wants cpu or cuda, not 'both'" bench gf2 --backend both
refuses 2 "option --backend of bench gf2 wants cpu or cuda, not 'gpu'" bench gf2 --backend gpu
refuses 2 'option --device is for --backend cuda' bench gf2 --device 0
refuses 2 'option --ceilings is for --backend cuda' bench gf2 --ceilings
refuses 2 'option --threads is for --backend cpu' bench gf2 --backend cuda --threads 2
for n in -1 x 1.5 '' 99999; do refuses 2 'option --device wants' bench gf2 --backend cuda --device "$n"; done
for n in 0 1,,2 ,1 1, 1025 x ''; do refuses 2 'option --threads wants' bench gf2 --threads "$n"; done
refuses 2 "bench gf2 takes no 'x'" bench gf2 x
refuses 2 "option --backend wants auto, cpu, cuda or both, not 'gpu'" bench sieve --backend gpu
for n in -1 0,,1 0, x ''; do refuses 2 'option --devices wants' bench sieve --devices "$n"; done
refuses 2 '--backend cpu has none' bench sieve --backend cpu --devices 0
refuses 2 "option --family wants .*, not 'grid'" bench sieve --family grid
refuses 2 'needs --exponent' bench sieve --family power-law
refuses 2 'is for --family power-law' bench sieve --exponent -1
refuses 2 'option --exponent wants' bench sieve --family power-law --exponent 1
refuses 2 'leave --degree out' bench sieve --family clique --degree 5
refuses 2 "option --experiment wants k, n or topology, not 'd'" bench sieve --experiment d
refuses 2 'leave --family out' bench sieve --experiment topology --family er
refuses 2 'several values of --vertices need' bench sieve --vertices 10,20
refuses 2 'several values of --slots need' bench sieve --slots 3,4 --experiment n
for n in 1 33 4,, x ''; do refuses 2 'option --slots wants' bench sieve --slots "$n"; done
refuses 2 'a colour is missing' bench sieve -n 5 -d 2 -k 20 --backend cpu
# table ROWS: a header, so many rows, as many columns in each; values that must be above 0
table() {
  awk -F, -v rows="$1" 'NR == 1 { columns = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    NF != columns { exit 1 }
    !($at["seconds"] > 0 && $at["first_seconds"] > 0 && $at["points"] > 0 && $at["points_per_second"] > 0 &&
      $at["products"] > 0 && $at["products_per_second"] > 0) { exit 1 }
    $at["planted"] == 0 && !($at["ratio"] > 0) { exit 1 }
    END { if (NR != rows + 1) exit 1 }' out
}
# column NAME: its values
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s ", $at[name] }' out; }
small=(--backend cpu --runs 1 -t 1 --csv)
exits 0 'bench: k' bench sieve --experiment k -n 100 --slots 2,5,7 "${small[@]}"
check 'bench: k, a row each' table 3
check 'bench: k, the values' same "$(column slots)" '2 5 7 '
check 'bench: k, points' same "$(column points)" '4 32 128 '
exits 0 'bench: n' bench sieve --experiment n -n 64,100 -d 6 --slots 4 --repetitions 2 "${small[@]}"
check 'bench: n, a row each' table 2
check 'bench: n, edges' same "$(column edges)" '192 300 '
check 'bench: n, points' same "$(column points)" '32 32 '
exits 0 'bench: topology' bench sieve --experiment topology -n 500 --slots 4 "${small[@]}"
check 'bench: topology, a row each' table 4
check 'bench: topology, families' same "$(column family)" 'regular clique power-law power-law '
check 'bench: topology, edges' same "$(column edges)" '5000 5050 5000 5000 '
exits 0 'bench: classic' bench sieve -n 100 -k 5 --recurrence classic "${small[@]}"
check 'bench: classic, one row' table 1
exits 0 'bench: planted' bench sieve -n 200 -k 5 --planted "${small[@]}"
check 'bench: planted, one row' table 1
check 'bench: pruning leaves the match' same "$(column vertices_kept)$(column ratio)" '5  '
exits 0 'bench: at length' bench sieve -n 100 -k 5 --family er --backend cpu --runs 2
for line in first time products bytes ratio; do check "bench: tells $line" grep -Eq "^  $line +[0-9.]+" out; done
exits 0 'bench: a table' bench sieve --experiment k --slots 4,5 -n 100 --backend cpu --runs 1
check 'bench: a line each' same "$(grep -c '^regular ' out)" 2
exits 0 'bench: gf2' bench gf2 -t 1 -s 0.01 --csv
check 'bench: gf2, bit-sliced' grep -q '^bitslice64,64,1,' out
if [ "${gpus:-0}" -eq 0 ]; then
  refuses 2 'there is no GPU to measure' bench gf2 --backend cuda
  refuses 2 'there is no GPU to measure' bench gf2 --backend cuda --ceilings
  for backend in cuda both; do refuses 2 'there is no GPU to measure' bench sieve --backend $backend; done
  refuses 2 'there is no GPU to measure' bench sieve --devices 0
  skip 'bench on a GPU: there is none'
else
  refuses 2 "there is no GPU $gpus" bench gf2 --backend cuda --device "$gpus"
  refuses 2 "there is no GPU $gpus" bench sieve --devices "0,$gpus"
  refuses 2 'GPU 0 is named twice' bench sieve --devices 0,0
  exits 0 'bench: gf2 on a GPU' bench gf2 --backend cuda -s 0.01 --csv
  for type in table packed1 packed4 packed16 packed32 bitslice32 bitslice32-mac karatsuba32-mac; do
    check "bench: gf2 on a GPU, $type" grep -Eq "^$type,(1|4|16|32),0,[1-9]" out
  done
  exits 0 'bench: ceilings' bench gf2 --backend cuda --ceilings -s 0.01
  exits 0 'bench: sieve on a GPU' bench sieve --backend cuda --devices 0 -k 12 --runs 1 --csv
  check 'bench: sieve on a GPU, one row' table 1
  check 'bench: one GPU' same "$(column backend)$(column gpus)" 'cuda 1 '
fi
