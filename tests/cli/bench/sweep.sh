# The sweep of pattern counts prints a row for each graph, number of labels and pattern, with the counts
# of `motifsieve match`; a seed repeats a run; what is left out is said.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

tool=$motifsieve
sweep=$(dirname "$motifsieve")/bench/pattern_sweep
script=$(dirname "$here")/bench/pattern_sweep.sh
if [ ! -x "$sweep" ]; then
  skip 'pattern_sweep: not built; run make build-tests'
  return
fi
# value COLUMN PATTERN: what the TSV has for the first row of the pattern
value() { awk -F'\t' -v name="$1" -v pattern="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["pattern"] == pattern { print $at[name]; exit }' "${3:-t.tsv}"; }
motifsieve=$sweep

# ---- counts --------------------------------------------------------------------------------
# Every choice of different vertices of K6 is a map, so a pattern of k vertices has 6!/(6-k)! maps.
for u in 0 1 2 3 4 5; do for ((v = u + 1; v < 6; v++)); do printf '%d\t%d\n' $u $v; done; done >k6.tsv
exits 0 'sweep: K6' --graphs k6.tsv --labels 0 --patterns 'K3 K4 K6 K7 C4 diamond K6-e star random:5' --engines cpu --runs 2 --tsv t.tsv
for row in K3:120 K4:360 K6:720 K7:0 C4:360 diamond:360 K6-e:720 star:720 random:5:720; do
  check "sweep: K6, $row" same "$(value maps "${row%:*}")" "${row##*:}"
done
check 'sweep: K6, vertices' same "$(value n K3)" 6
check 'sweep: K6, edges' same "$(value m K3)" 15
check 'sweep: K6, squared degrees' same "$(value square_degrees K3)" 150
check 'sweep: K6, the largest out-degree' same "$(value max_out K3)" 5
check 'sweep: K6, squared out-degrees' same "$(value square_out K3)" 55
check 'sweep: K6, a small search is probed completely' same "$(value exact K4)" 1
check 'sweep: K6, the probe reads what the search reads' same "$(value candidates K4)" "$(value counted_visits K4)"
check 'sweep: as many columns in each line' awk -F'\t' 'NR == 1 { n = NF } NF != n || /\t\t/ { exit 1 }' t.tsv
check 'sweep: the summary' grep -q '^# 9 rows, 0 with counts that differ' out

# ---- generated graphs, labels, seeds ---------------------------------------------------------
graphs='rmat:7:6 kronecker:7:6 random:150:600 power:300:6:-2.3:40 grid:12:12'
small=(--patterns 'K3 C5 random:6' --labels '0,4' --runs 1 --engines cpu --seed 7)
exits 0 'sweep: generated graphs' --graphs "$graphs" "${small[@]}" --tsv a.tsv
check 'sweep: five graphs, two numbers of labels, three patterns' same "$(($(wc -l <a.tsv) - 1))" 30
check 'sweep: all rows end' same "$(cut -f 13 a.tsv | sort | uniq -c | tr -s ' ' | sort | tr -d '\n')" ' 1 state 30 ok'
check 'sweep: edges of R-MAT' same "$(cut -f 1,3 a.tsv | grep -m 1 ^rmat)" "$(printf 'rmat:7:6\t768')"
exits 0 'sweep: the seed again' --graphs "$graphs" "${small[@]}" --tsv b.tsv
check 'sweep: --seed repeats a run' cmp <(cut -f 1-14 a.tsv) <(cut -f 1-14 b.tsv)
exits 0 'sweep: one graph again' --graphs power:300:6:-2.3:40 "${small[@]}" --tsv c.tsv
check 'sweep: a row alone' cmp <(grep ^power a.tsv | cut -f 1-14) <(grep ^power c.tsv | cut -f 1-14)
exits 0 'sweep: a new seed' --graphs grid:3:3 --patterns K3 --engines cpu
first=$(head -n 1 out)
exits 0 'sweep: another new seed' --graphs grid:3:3 --patterns K3 --engines cpu
check 'sweep: seeds are drawn anew' test "$first" != "$(head -n 1 out)"
exits 0 'sweep: no seed is given' --graphs random:40:200 --patterns 'K3 random:5' --labels 0,2 --engines cpu --runs 1 --tsv d.tsv
seed=$(sed -n 's/^# seed \([0-9]*\): .*/\1/p' out)
exits 0 'sweep: the printed seed' --graphs random:40:200 --patterns 'K3 random:5' --labels 0,2 --engines cpu --runs 1 --tsv e.tsv --seed "$seed"
check 'sweep: the printed seed repeats the run' cmp <(cut -f 1-14 d.tsv) <(cut -f 1-14 e.tsv)
"$tool" gen er --vertices 60 --edges 300 -o er.tsv 2>err
exits 0 'sweep: a file' --graphs er.tsv --patterns 'K3 house' --labels 0 --engines cpu --tsv t.tsv
check 'sweep: triangles as match counts them' same "$(value maps K3)" "$((6 * $("$tool" match er.tsv triangle --count 2>err)))"
check 'sweep: houses as match counts them' same "$(value maps house)" "$((2 * $("$tool" match er.tsv house --count 2>err)))"

# ---- ways to count -------------------------------------------------------------------------------
# K7 is counted by a plan of its own order, W4 by a quotient and a product, labels by factors.
ways='auto cpu cpu:ri cpu:degree cpu:reuse cpu:no-table cpu:formula cpu:probes cpu:hinge cpu:no-hinge'
exits 0 'sweep: forced plans' --graphs 'power:300:8:-2.3:60 random:60:500' --patterns 'K3 K7 C4 C5 W4 path random:6' --labels 0,3 \
  --engines "$ways" --runs 1 --row-seconds 20 --tsv t.tsv
check 'sweep: forced plans, all rows end with equal counts' grep -q '^# 28 rows, 0 with counts that differ; 0 searches reached' out
for way in $ways; do
  check "sweep: the summary of $way" grep -Eq "^# $way: .* geometric mean of 28 rows; within 1.3 times on [0-9]+ of 28 rows" out
done
check 'sweep: a forced plan is another plan' test \
  "$(awk -F'\t' '$10 == "C4" && $12 == "cpu" { print $26; exit }' t.tsv)" != "$(awk -F'\t' '$10 == "C4" && $12 == "cpu:no-table" { print $26; exit }' t.tsv)"
check 'sweep: the best way of each row is counted' test "$(sed -n 's/^# cpu.*: within 1.3 times on \([0-9]*\) of.*/\1/p' out | sort -n | tail -n 1)" != 0

# ---- the queries of cuTS --------------------------------------------------------------------------
exits 0 'sweep: cuTS' --graphs k6.tsv --labels 0 --patterns 'cuts:1 cuts:4 cuts:12 cuts:22 cuts:26' --engines cpu --runs 1 --tsv t.tsv
for row in cuts:1:10 cuts:4:9 cuts:12:15 cuts:22:13 cuts:26:21; do
  check "sweep: the edges of ${row%:*}" same "$(value edges "${row%:*}" | tr ',' '\n' | wc -l)" "${row##*:}"
done
check 'sweep: maps of a query of cuTS' same "$(value maps cuts:22)" 720
exits 1 'sweep: cuTS has no such query' --graphs k6.tsv --labels 0 --patterns cuts:34 --engines cpu

# ---- floors --------------------------------------------------------------------------------------
# A count of triangles intersects, for each edge of K30, its ends' rows of the ids above both: so each
# of the 30 x 29 x 28 / 6 triangles is one id.  Of the 435 edges, the one between the last two vertices
# is not read, because its root has too few larger neighbours.
for ((u = 0; u < 30; u++)); do for ((v = u + 1; v < 30; v++)); do printf '%d\t%d\n' $u $v; done; done >k30.tsv
exits 0 'sweep: floors of K30' --graphs k30.tsv --labels 0 --patterns 'K3 C4 C5 W4 K5' --engines cpu --runs 3 --tsv t.tsv
check 'sweep: K30, ids of triangles' same "$(value ids K3)" "$((30 * 29 * 28 / 6))"
check 'sweep: K30, bytes of triangles' same "$(value bytes K3)" "$((8 * 30 + 4 * 434))"
check 'sweep: K30, a floor of each row' same "$(cut -f 41 t.tsv | grep -c '^[0-9.e-]*$')" 5
# The floor has the time of domains and plan, which is measured apart from the runs.  Where other work
# has slowed that down, the rows are measured again.
far_above() { awk -F'\t' 'NR > 1 && !($42 >= 0.3) { exit 1 }' t.tsv; }
for ((again = 0; again < 5; again++)); do
  far_above || exits 0 'sweep: floors of K30 again' --graphs k30.tsv --labels 0 --patterns 'K3 C4 C5 W4 K5' --engines cpu --runs 3 --tsv t.tsv
done
check 'sweep: K30, no time is far below its floor' far_above
check 'sweep: K30, what bounds a row' awk -F'\t' 'NR > 1 && $43 !~ /^(host|sets|table|bytes)$/ { exit 1 }' t.tsv
check 'sweep: host and floor are columns of the rows' grep -Eq 'host +share +floor +over bound$' out
check 'sweep: K30, the host finds domains and a plan' awk -F'\t' 'NR > 1 && !($48 > 0 && $49 >= $48 && $50 > 0 && $50 <= 1) { exit 1 }' t.tsv
check 'sweep: the time of the index is printed' grep -q '^# k30.tsv, 0 labels: the index was made in ' out
check 'sweep: the rates are printed' grep -q '^# rates of processors, a second: ' out

# ---- ways --------------------------------------------------------------------------------------
# Houses of a graph with hubs are an edge product, whose looks and paths are its exact steps; wheels are
# counted by an inner pattern; induced patterns by a sum; a triangle with a path at its hinge; labels that
# differ by factors.  Inner patterns cost more without AVX2; in this graph they are the cheapest way with any instruction set.
exits 0 'sweep: ways' --graphs rmat:12:8 --labels 0,8 --patterns 'house W4 induced:path 0-1,1-2,2-0,2-3,3-4 random:5' --engines cpu --runs 1 --seed 5 \
  --row-seconds 3 --tsv t.tsv
for row in house:edges W4:inner induced:path:sum 0-1,1-2,2-0,2-3,3-4:hinge; do
  check "sweep: the way of ${row%:*}" same "$(value way "${row%:*}")" "${row##*:}"
done
check 'sweep: the way of a pattern with labels' same "$(awk -F'\t' '$9 == 8 && $10 == "W4" { print $20 }' t.tsv)" factors
check 'sweep: paths and looks of an edge product' awk -F'\t' '$20 == "edges" { found = $38 > 0 && $39 > 0 } END { exit !found }' t.tsv
check 'sweep: every row has a floor' same "$(cut -f 41 t.tsv | grep -c '^[0-9.e-]*$')" 10
exits 0 'sweep: at a hinge, or not' --graphs rmat:10:16 --labels 0 --patterns bowtie --engines 'cpu cpu:hinge cpu:no-hinge' --runs 1 --seed 5 --tsv t.tsv
check 'sweep: the ways of a bowtie' grep -qxE 'cpu hinge;cpu:hinge hinge;cpu:no-hinge (plan|elimination);' \
  <(cut -f 12,20 t.tsv | tail -n +2 | tr '\t\n' ' ;')
exits 0 'sweep: induced counts' --graphs k30.tsv --labels 0 --patterns 'induced:C4 induced:K3' --engines cpu --runs 1 --tsv t.tsv
check 'sweep: K30 has no induced 4-cycle' same "$(value maps induced:C4)" 0
check 'sweep: each triangle is induced' same "$(value maps induced:K3)" "$((30 * 29 * 28))"

# ---- counts that differ --------------------------------------------------------------------------
motifsieve=$(dirname "$tool")/tests/bench/miscount
wrong=(--graphs 'grid:4:4 random:30:200' --patterns 'C4 K4' --labels 0 --seed 3)
exits 0 'sweep: the program of the next two, with an engine that is right' "${wrong[@]}" --engines cpu
exits 1 'sweep: an engine that counts one too many' "${wrong[@]}" --engines 'cpu one-more' --runs 1
check 'sweep: each row with a wrong count is named' same "$(grep -B 1 'WRONG: the counts differ' out | awk '/^(grid|random)/ { print $1, $3 }' | tr '\n' ';')" \
  'grid:4:4 C4;grid:4:4 K4;random:30:200 C4;random:30:200 K4;'
check 'sweep: the summary counts them' grep -q '^# 4 rows, 4 with counts that differ' out
exits 1 'sweep: an engine whose runs differ' "${wrong[@]}" --engines unsteady --runs 2
check 'sweep: it is said which' grep -q 'unsteady [0-9]* (not in every run)' out
motifsieve=$sweep

# ---- limits and refusals -----------------------------------------------------------------------
exits 0 'sweep: a row has a limit' --graphs random:3000:90000 --patterns C6 --labels 0 --engines cpu --row-seconds 0.05 --tsv t.tsv
check 'sweep: the row says so' same "$(value state C6)" limit
check 'sweep: the summary says so' grep -q '1 searches reached the limit of 0.05 s' out
check 'sweep: a row that no engine ended has a floor' grep -Eq '>[0-9.e+]+ (host|sets|table|bytes)$' out
check 'sweep: and a line of --tsv with it' test "$(value floor_ms C6)" != -
exits 0 'sweep: a graph that is missing' --graphs 'nothere.msb grid:3:3' --patterns K3 --labels 0 --engines cpu
check 'sweep: it is skipped' grep -q '^SKIPPED: all rows of nothere.msb' out
exits 0 'sweep: --memory' --graphs 'rmat:16:16' --patterns K3 --memory 1M --engines cpu
check 'sweep: a graph that is too large is skipped' grep -q '^SKIPPED: all rows of rmat:16:16' out
exits 0 'sweep: --total-seconds' --graphs 'grid:3:3 grid:4:4' --patterns K3 --engines cpu --total-seconds 1e-9
check 'sweep: what is left is said' grep -q '^SKIPPED: 5 of 5 rows of grid:4:4: the time' out
check 'sweep: and how many rows in all' grep -q '^SKIPPED: 10 of 10 rows: 0 of graphs that could not be made, and 10 after' out
exits 2 'sweep: an engine that does not exist' --engines none-such
exits 2 'sweep: a wrong number' --runs 0
exits 2 'sweep: a wrong option' --fast
exits 1 'sweep: a pattern that does not exist' --graphs grid:3:3 --patterns blob --engines cpu
exits 1 'sweep: a random pattern that is too large' --graphs grid:3:3 --patterns random:99 --engines cpu

# ---- samples -------------------------------------------------------------------------------------
exits 0 'sweep: the rows' --graphs "$graphs" "${small[@]}" --list-rows
check 'sweep: the rows are those that are measured' cmp out <(cut -f 1,9,10 a.tsv | tail -n +2)
sort out >all
exits 0 'sweep: a sample' --graphs "$graphs" "${small[@]}" --list-rows --sample 12
check 'sweep: a sample has different rows' same "$(sort -u out | wc -l)" 12
check 'sweep: a sample has rows of the whole' same "$(comm -12 all <(sort out) | wc -l)" 12
check 'sweep: the rows of a graph are consecutive' same "$(cut -f 1 out | uniq | wc -l)" "$(cut -f 1 out | sort -u | wc -l)"
check 'sweep: so are its rows with one number of labels' same "$(cut -f 1,2 out | uniq | wc -l)" "$(cut -f 1,2 out | sort -u | wc -l)"
mv out twelve
exits 0 'sweep: a smaller sample' --graphs "$graphs" "${small[@]}" --list-rows --sample 5
check 'sweep: it is part of the larger one' same "$(comm -12 <(sort out) <(sort twelve) | wc -l)" 5
exits 0 'sweep: a sample of a list in another order' --graphs "$(tr ' ' '\n' <<<"$graphs" | tac | tr '\n' ' ')" "${small[@]}" --list-rows --sample 12
check 'sweep: it is the same one' cmp out twelve
exits 0 'sweep: the sample is measured' --graphs "$graphs" "${small[@]}" --sample 12 --tsv t.tsv
check 'sweep: its head' grep -q "^# sample: 12 of 30 rows, evenly at random, of $(cut -f 1 twelve | sort -u | wc -l) of 5 graphs\$" out
check 'sweep: its rows' cmp twelve <(cut -f 1,9,10 t.tsv | tail -n +2)
check 'sweep: they are those of the whole' same "$(comm -12 <(cut -f 1-14 a.tsv | sort) <(cut -f 1-14 t.tsv | sort) | wc -l)" 13
check 'sweep: its interval' grep -q '73.5 % to 100.0 % (95 % interval of Clopper and Pearson, 12 of 12 rows)$' out # 0.025^(1/12)
exits 0 'sweep: a sample of all rows' --graphs "$graphs" "${small[@]}" --list-rows --sample 30
check 'sweep: it is all rows' cmp <(sort out) all
# A sample of 4 of 20 rows, 150 times: each row is drawn 30 times, give or take 4.9 (one standard deviation).
for ((seed = 1; seed <= 150; seed++)); do
  "$sweep" --graphs 'grid:2:2 grid:3:3 grid:4:4 grid:5:5 grid:6:6' --labels 0,3 --patterns 'K3 C4' --seed "$seed" --sample 4 --list-rows >draw
  head -n 1 draw >>firsts
  cat draw >>draws
done
check 'sweep: each row is drawn' same "$(sort -u draws | wc -l)" 20
check 'sweep: all rows are drawn equally often' test -z "$(sort draws | uniq -c | awk '$1 < 11 || $1 > 49')"
check 'sweep: each graph comes first equally often' test -z "$(cut -f 1 firsts | sort | uniq -c | awk '$1 < 11 || $1 > 49')"
# Of three rows of four, the seed draws two of the graph that there is: 0.025^(1/2) and, for 2 of 3, the table.
exits 0 'sweep: a sample of a graph that is missing' --graphs 'grid:3:3 nothere.msb' --patterns 'K3 C4' --labels 0 --engines cpu --runs 1 --seed 2 --sample 3
check 'sweep: the interval of rows that were measured' grep -q 'on 15.8 % to 100.0 % (95 % interval of Clopper and Pearson, 2 of 2 rows)' out
check 'sweep: the interval of all drawn rows' grep -q '; 9.4 % to 100.0 % if nothing is assumed of the 1 drawn rows' out
check 'sweep: rows of missing graphs are counted' grep -q '^SKIPPED: 1 of 3 rows: 1 of graphs that could not be made, and 0 after' out
exits 1 'sweep: a row twice' --graphs 'a/x.msb b/x.msb' --patterns K3 --labels 0,4 --list-rows --sample 2
check 'sweep: it is refused' grep -q "a sample needs different rows: 'K3', with [04] labels, is listed twice for x.msb" err
exits 2 'sweep: a sample of nothing' --sample 0
exits 1 'sweep: a word that is too long' --graphs "$(printf 'x%.0s' {1..400})" --patterns K3 --list-rows

# ---- shares, and their logs ----------------------------------------------------------------------
# Shares are disjoint and together all rows, also of a sample; the first ones are the smaller sample.
shares=(--graphs "$graphs" "${small[@]}")
for i in 1 2 3 4; do
  exits 0 "sweep: share $i of 4" "${shares[@]}" --list-rows --share "$i/4"
  cp out "share$i"
  exits 0 "sweep: share $i of 4 of a sample" "${shares[@]}" --list-rows --sample 10 --share "$i/4"
  cp out "part$i"
done
check 'sweep: four shares are all rows' cmp <(sort share?) all
check 'sweep: shares have 7 or 8 of 30 rows' same "$(cat share1 share2 share3 share4 | wc -l) $(wc -l <share1) $(wc -l <share4)" '30 7 8'
exits 0 'sweep: a sample of ten' "${shares[@]}" --list-rows --sample 10
check 'sweep: four shares are the sample' cmp <(sort part?) <(sort out)
exits 0 'sweep: a sample of half of the rows' "${shares[@]}" --list-rows --sample 15
check 'sweep: two shares are it' cmp <(sort share1 share2) <(sort out)
for i in 1 2 3; do
  exits 0 "sweep: share $i of 3 is measured" "${shares[@]}" --share "$i/3"
  cp out "log$i"
  check "sweep: share $i says so" grep -q "^# share $i of 3: " out
done
exits 0 'sweep: three logs are joined' --join log1 log2 log3
check 'sweep: they have all rows' grep -q '^# 3 logs of seed 7: 30 rows, of 30 that were to be measured, of 30 in all; an engine had 5 s in a row$' out
check 'sweep: the joined summary' grep -q '^# cpu: 1 times the best .* of 30 rows; within 1.3 times on 30 of 30 rows (100.0 %)' out
check 'sweep: nothing is estimated of all rows' test "$(grep -c estimate out)" = 0
head -c "$(($(wc -c <log3) - 700))" log3 >cut3
exits 0 'sweep: two logs, one of them cut off' --join log1 cut3
check 'sweep: it is said which shares there are' grep -q '^# shares, 2 of 3: 1 3$' out
check 'sweep: a log was cut off' grep -q '^# 1 logs end without a summary' out
check 'sweep: they are a sample of all rows' grep -q '^# cpu: estimate for all 30 rows' out
exits 0 'sweep: a log twice' --join log1 log1
check 'sweep: rows count once' grep -q '^# 10 rows were measured again' out
# Two logs whose summary is known: 2 and 4 ms, 3 and 9 ms, 50 ms and the limit.
columns='graph labels pattern maps auto cpu host share floor over bound'
head='# milliseconds of plan and search, median of up to 3 runs; an engine has 0.2 s in a row, >: it did not end in this time'
printf '%s\n' '# device' '# seed 5: x' '# share 1 of 2: x' '# sample: 2 of 4 rows, x' "$head" "$columns" 'g 0 K3 6 2.000 4.000 0.1 5.0% 1 2 host' \
  'g 4 K3 6 9.000 3.000 0.1 5.0% 1.5 2 sets' '# 2 rows, 0 with counts that differ; x' >known1
printf '%s\n' '# seed 5: x' '# share 2 of 2: x' '# sample: 2 of 4 rows, x' "$head" "$columns" '# g' 'g 8 K3 6 50.000 >200 0.1 5.0% 25 2 sets' \
  'SKIPPED: 1 of 2 rows of h: x' '# 1 rows, 0 with counts that differ; x' >known2
exits 0 'sweep: known logs' --join known1 known2
check 'sweep: known logs, auto' grep -q '^# auto: 1.44 times the best .* of 3 rows; within 1.3 times on 2 of 3 rows (66.7 %); worst 3 times (g, 4 labels, K3); beyond 3 times on 0; 0 rows' out
check 'sweep: known logs, cpu' grep -q '^# cpu: 1.41 times the best .* of 2 rows; within 1.3 times on 1 of 3 rows (33.3 %); worst 4 times (g, 8 labels, K3); beyond 3 times on 1; 1 rows' out
check 'sweep: known logs, floors' grep -q '^# floors: the fastest engine takes 2 times the floor in the geometric mean of 3 rows; most of the floor is host on 1, sets on 2, table on 0, bytes on 0$' out
check 'sweep: known logs, searches at the limit' grep -q '^# 3 rows, 0 with counts that differ; 1 searches reached the limit of 0.2 s, 0 failed' out
check 'sweep: known logs, a row is missing' grep -q '^SKIPPED: 1 of 4 rows are in no log' out
sed 's/g 0 K3 6/g 0 K3 7/; s/share 1 of 2/share 2 of 2/' known1 >known3
exits 1 'sweep: a row that was measured again has another count' --join known1 known3
check 'sweep: it is named' grep -q '^WRONG: g, 0 labels, K3' out
sed 's/seed 5/seed 6/' known2 >other
exits 2 'sweep: logs of two seeds' --join known1 other
check 'sweep: the seed is why' grep -q 'other, line 1: this log has another seed' err
sed 's/auto cpu/auto gpu/' known2 >other
exits 2 'sweep: logs of other engines' --join known1 other
sed 's/0.2 s in/0.3 s in/' known2 >other
exits 2 'sweep: logs with other limits' --join known1 other
sed 's/of 4 rows/of 5 rows/' known2 >other
exits 2 'sweep: logs of other lists' --join known1 other
sed 's/K3 6 50/K3 50/' known2 >other
exits 2 'sweep: a row without its count' --join known1 other
check 'sweep: its line is named' grep -q 'other, line 7: this is no row' err
exits 2 'sweep: a file without a log' --join k6.tsv
exits 2 'sweep: a log that is missing' --join nothere
exits 2 'sweep: nothing to join' --join
for share in 0/3 4/3 3 /3 1/ 1/0; do exits 2 "sweep: share $share" --share "$share"; done

# ---- the script ----------------------------------------------------------------------------------
MOTIFSIEVE_DATA=$PWD/none ENGINES=cpu GRAPHS='rmat:6:4 grid:5:5' RUNS=1 TSV=s.tsv \
  bash "$script" "$(dirname "$tool")" >out 2>err
check 'sweep script: exit code' test $? -eq 0
check 'sweep script: networks that are missing are skipped' grep -q '^SKIPPED: all rows of wiki-Vote' out
check 'sweep script: two graphs, two numbers of labels, twelve patterns' same "$(($(wc -l <s.tsv) - 1))" 48
MOTIFSIEVE_DATA=$PWD/none FULL=1 ENGINES=cpu GRAPHS='grid:4:4' LABELS=0 RUNS=1 TSV=s.tsv \
  bash "$script" "$(dirname "$tool")" >out 2>err
check 'sweep script: FULL=1: exit code' test $? -eq 0
check 'sweep script: FULL=1 has the 33 queries of cuTS' same "$(grep -c "	cuts:" s.tsv)" 33
check 'sweep script: FULL=1 skips each network that is missing' same "$(grep -c '^SKIPPED: all rows of .*MOTIFSIEVE_DATA' out)" \
  "$(grep -cE '^(networks=.)?[A-Za-z0-9.-]+ (web_social|human|yeast|homology|labelled|appagato|typed)/' "$script")"
# Of 35 graphs the machine has two, a generated one and a network; rows of the others are drawn and missed.
mkdir -p some/web_social && gzip -c k6.tsv >some/web_social/wiki-Vote.el.gz
MOTIFSIEVE_DATA=$PWD/some FULL=1 SAMPLE=60 SEED=4 ENGINES=cpu GRAPHS='grid:4:4' LABELS=0 PATTERNS='K3 C4' RUNS=1 TSV=s.tsv \
  bash "$script" "$(dirname "$tool")" >out 2>err
check 'sweep script: SAMPLE: exit code' test $? -eq 0
check 'sweep script: SAMPLE: the head' grep -q '^# sample: 60 of 70 rows, evenly at random, of 3[0-5] of 35 graphs$' out
check 'sweep script: SAMPLE: the seed' grep -q '^# seed 4: ' out
check 'sweep script: SAMPLE: the network is measured' same "$(awk -F'\t' '$1 == "wiki-Vote.msb" && $10 == "K3" { print $14 }' s.tsv)" 120
check 'sweep script: SAMPLE: each drawn row is measured or missed' grep -q \
  "^SKIPPED: $((61 - $(wc -l <s.tsv))) of 60 rows: $((61 - $(wc -l <s.tsv))) of graphs that could not be made" out
MOTIFSIEVE_DATA=$PWD/none FULL=1 SAMPLE=1 SEED=4 ENGINES=cpu GRAPHS='grid:4:4' LABELS=0 PATTERNS='K3 C4' \
  bash "$script" "$(dirname "$tool")" >out 2>err
check 'sweep script: networks without a drawn row are not read' test "$(grep -c '^SKIPPED: all rows of .*MOTIFSIEVE_DATA' out)" -le 1
for i in 1 2; do
  MOTIFSIEVE_DATA=$PWD/some FULL=1 SHARE=$i/2 SEED=4 ENGINES=cpu GRAPHS='grid:4:4' LABELS=0 PATTERNS='K3 C4' RUNS=1 \
    bash "$script" "$(dirname "$tool")" >"half$i" 2>err
  check "sweep script: SHARE=$i/2: exit code" test $? -eq 0
done
exits_of() { "$sweep" --join half1 half2 >out 2>err; }
check 'sweep script: its logs are joined' exits_of
check 'sweep script: the rows of two graphs are there' grep -q '^# 2 logs of seed 4: 4 rows, of 70 that were to be measured, of 70 in all' out
FULL=1 SHARE=1/2 ENGINES=cpu bash "$script" "$(dirname "$tool")" >out 2>err
check 'sweep script: SHARE without SEED: exit code' test $? -eq 2
if [ -x "$(dirname "$tool")/bench/experiments" ] && "$tool" info | grep -q "^accelerators	0"; then
  ENGINES=cpu bash "$(dirname "$script")/gpu.sh" "$tool" >out 2>err
  check 'bench/gpu.sh: ENGINES=cpu without a GPU: exit code' test $? -eq 0
  check 'bench/gpu.sh: it says that it is skipped' grep -q '^SKIPPED: ' out
fi
