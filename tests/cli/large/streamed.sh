# A list of more than five million rows that a deadline ends is written within two seconds, and verify, which checks rows
# for two seconds, finds none wrong.  One that a signal ends soon is right in every row.
# shellcheck shell=bash disable=SC2034,SC2154

motifsieve gen er -n 2000 -d 200 --uniform-colors 2 --colors-out dense_colors.tsv -o dense.tsv
# two threads, because more would find more rows in a second than a small disk has room for
query=(dense.tsv -c dense_colors.tsv -m c0:3,c1:3 --exact -q -t 2)
millions=5000000
slack=2 # seconds, of a machine that finds so many rows in one
# instrumented code is tested for its accesses, and not for its speed
[[ $motifsieve != *-asan/* && $motifsieve != *-tsan/* ]] || millions=500000 slack=20

least=$slack

# seconds: the time, with a fraction
seconds() { date +%s.%N; }
# number: how many matches the file states
number() { sed -n 's/^# matches: //p' <(tail -n 3 streamed.tsv); }

# within LIMIT BEGIN: true if no more than $slack seconds have passed since LIMIT seconds after BEGIN
within() { awk -v now="$(seconds)" -v limit="$1" -v begin="$2" -v slack=$slack \
  'BEGIN { exit now - begin > limit + slack }'; }

# accepted ARG...: true if verify finds nothing wrong in the file; exit code 6 says that its time ended before the rows did
accepted() {
  timeout -k 20 600 "$motifsieve" verify --no-recount streamed.tsv dense.tsv -c dense_colors.tsv "$@" >out 2>err
  rc=$?
  [ $rc -eq 0 ] || { [ $# -gt 0 ] && [ $rc -eq 6 ]; }
}

# list_until LIMIT: lists until this time limit; the exit code goes to $rc, and to $late 0 if it ended soon after it.
list_until() {
  local begin
  begin=$(seconds)
  rm -f streamed.tsv
  timeout 120 "$motifsieve" list "${query[@]}" --timeout "$1s" -o streamed.tsv >out 2>err
  rc=$?
  within "$1" "$begin"
  late=$?
}
# on a slow machine five million rows take longer
for limit in 1 2 4 8 16 32 60; do
  slack=$((least * limit)) # and there the writing takes longer, too
  list_until $limit
  [ "$(number)" = "" ] || [ "$(number)" -lt $millions ] || break # too little time to read: no file
done
# other work may delay the end once, and not each time
for ((again = 0; again < 4 && late != 0; again++)); do list_until "$limit"; done
check 'deadline: exit code' same "$rc" 4
check "deadline: $millions rows or more ($(number))" [ "$(number)" -ge $((again == 0 ? millions : millions / 2)) ]
check "deadline: written within $slack seconds" same "$late" 0
check 'deadline: marked' grep -qx '# status: incomplete: time' <(tail -n 3 streamed.tsv)
check 'deadline: as many rows as it says' same "$(grep -c '^[0-9]' streamed.tsv)" "$(number)"
check 'deadline: no row is wrong' accepted --timeout 2

has_begun() { [ "$(cat streamed.tsv.tmp-* 2>/dev/null | head -c 1000000 | wc -c)" -eq 1000000 ]; }
# list_until_signal: does the same until a signal.
list_until_signal() {
  local i begin
  rm -f streamed.tsv
  "$motifsieve" list "${query[@]}" -o streamed.tsv >out 2>err &
  job=$!
  # there is nothing to keep until rows are written
  for ((i = 0; i < 600; i++)); do
    ! has_begun || break
    sleep 0.1
  done
  begin=$(seconds)
  kill -TERM "$job"
  wait "$job"
  rc=$?
  within 0 "$begin"
  late=$?
}
list_until_signal
for ((again = 0; again < 4 && late != 0; again++)); do list_until_signal; done
check "signal: written within $slack seconds" same "$late" 0
check 'signal: exit code' same "$rc" 4
check 'signal: marked' grep -qx '# status: incomplete: interrupted' <(tail -n 3 streamed.tsv)
check 'signal: rows' [ "$(number)" -ge 10000 ]
check 'signal: every row is right' accepted
