# `convert` of graphs that exceed --memory: the same bytes as without a limit, for names, colours, scores that filter,
# compressed inputs, several forms and outputs; and no file is left, however the run ends.
# shellcheck shell=bash disable=SC2154

mkdir -p work
"$motifsieve" gen er -n 30000 --edges 800000 --seed 2 --prefix gene_ --uniform-colors 5 --colors-out c.tsv -o g.tsv 2>err
# in another order, with repeats, loops and scores
awk 'NR % 5 == 0 { print $2 "\t" $1 "\t" NR % 97 } NR % 9 == 0 { print $1 "\t" $1 "\t" 50 } { print $0 "\t" NR % 97 }' g.tsv |
  sort -k2,2 -s >s.tsv
gzip -1 -c s.tsv >s.tsv.gz
awk -F'\t' '{ print "\"" $1 "\",\"" $2 "\"," $3 }' s.tsv >s.csv

# same_bytes NAME OUTPUT ARGS...: converts without a limit and with 16 MiB, and compares.
same_bytes() {
  local name=$1 output=$2
  shift 2
  exits 0 "$name: without a limit" convert "$@" -o "work/all$output"
  check "$name: no note" same "$(grep -c 'sorted runs' err)" 0
  exits 0 "$name: with a limit" convert "$@" -o "work/part$output" --memory 16M
  check "$name: note" grep -Eq "the edges exceeded --memory; [0-9]+ sorted runs .* were merged in temporary files in work/" err
  check "$name: bytes" cmp "work/all$output" "work/part$output"
  check "$name: nothing is left" same "$(ls -A work)" "all$output
part$output"
  rm -f work/*
}
same_bytes 'edge list' .msb g.tsv
for threads in 1 3 64; do same_bytes "repeats, $threads threads" .msb s.tsv --threads "$threads"; done
same_bytes 'colours' .msb s.tsv.gz -c c.tsv
same_bytes 'scores' .msb s.tsv --min-score 10
same_bytes 'quotes' .sif.zst s.csv
same_bytes 'text' .tsv s.tsv
# in LAD, rows name vertices whose own rows come later
"$motifsieve" convert s.tsv --to lad -o s.lad 2>err
same_bytes 'LAD' .msb s.lad

# to and from pipes, with the temporary files elsewhere
"$motifsieve" convert s.tsv --to binary >all.msb 2>err
mkdir elsewhere
check 'pipes' cmp all.msb <(cat s.tsv | "$motifsieve" convert - --to binary --memory 16M --scratch elsewhere 2>err)
check 'pipes: folder' grep -q 'temporary files in elsewhere' err
check 'pipes: TMPDIR' cmp all.msb <(TMPDIR=$PWD/elsewhere "$motifsieve" convert s.tsv --to binary --memory 16M 2>err)
check 'TMPDIR: folder' grep -q "temporary files in $PWD/elsewhere" err
check 'nothing is elsewhere' same "$(ls -A elsewhere)" ''

# what cannot go to files still has the limit
exits 4 'kept scores' convert s.tsv --scores -o work/x.msb --memory 16M
check 'kept scores: message' grep -q 'reading may take 16 MiB of memory' err
exits 3 'no folder' convert s.tsv -o work/x.msb --memory 16M --scratch nowhere
check 'no folder: message' grep -q 'nowhere: no temporary file can be created in this folder: .*--scratch' err
# a full disk, here a limit of the size of files
(
  trap '' XFSZ
  ulimit -f 1000
  call convert s.tsv -o work/x.msb --memory 16M
  exit "$rc"
)
check 'full: exit code' same $? 3
check 'full: message' grep -Eq 'error: work/: a temporary file in this folder could not be written after [0-9]+ MiB: .*raise --memory' err
check 'failures leave nothing' same "$(ls -A work)" ''

# portions that were sorted go back to the system: without this, the process has 82 to 87 MiB, and with it 56 to 59, of which about 20
# are the program and pages of files
if [[ $motifsieve != *-asan/* && $motifsieve != *-tsan/* ]] && getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
  "$motifsieve" gen rmat --scale 17 --edges 5000000 --seed 3 -o large.tsv -q
  read -r code mebibytes < <(size convert large.tsv -o work/large.msb --memory 48M)
  check "memory: exit code" same "$code" 0
  check "memory: $mebibytes MiB with --memory 48M" test "$mebibytes" -le 72
  rm -f work/* large.tsv
fi

# a run that is killed after it has written runs leaves only the file that the next run removes
mkfifo slow.fifo
"$motifsieve" convert slow.fifo -o work/x.msb --memory 16M 2>err &
job=$!
{ cat s.tsv; sleep 20; } >slow.fifo &
feeder=$!
for ((i = 0; i < 200; i++)); do
  [ "$(find "/proc/$job/fd" -lname '*work/#* (deleted)' 2>/dev/null | wc -l)" -gt 0 ] && break
  sleep 0.1
done
kill -KILL "$job" "$feeder"
wait "$job" "$feeder" 2>/dev/null
check 'killed: one file' same "$(ls -A work | grep -c '^x.msb.tmp-')" 1
exits 0 'after a kill' convert g.tsv -o work/x.msb
check 'after a kill: removed' same "$(ls -A work)" x.msb
