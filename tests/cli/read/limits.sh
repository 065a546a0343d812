# --timeout, Ctrl-C and TERM end reading, whatever does not come; --memory bounds it, whatever comes.
# shellcheck shell=bash disable=SC2034,SC2154

printf 'a\tb\nb\tc\n' >g.tsv
printf 'a\tred\nb\tred\nc\tblue\n' >c.tsv
mkfifo silent.fifo

# ends NAME TEXT ARGS...: the tool ends with status 4 within half a minute, and says the text.  It takes less than half a
# second after its time limit; the rest is for a machine with much to do.  There, a small file may take longer than the least
# time limit, so that the message is about it.
ends() {
  local name=$1 text=$2 limit rc
  shift 2
  for limit in 0.2 1 5; do
    timeout -s KILL 30 "$motifsieve" "$@" --timeout $limit >out 2>err
    rc=$?
    ! grep -q "error: .*$text" err || break
  done
  check "$name: exit code" same $rc 4
  check "$name: message" grep -q "error: .*$text" err
  check "$name: no result" test ! -s out -a ! -e late.out
}

# every command that reads: a named pipe without a writer
ends 'components, pipe' 'silent.fifo: out of time while the input is read' components silent.fifo
ends 'convert, pipe' 'silent.fifo: out of time' convert silent.fifo --to sif -o late.out
ends 'stats, pipe' 'silent.fifo: out of time' stats silent.fifo
ends 'stats, colours' 'silent.fifo: out of time' stats g.tsv -c silent.fifo
ends 'list, pipe' 'silent.fifo: out of time' list silent.fifo -c c.tsv -m red -o late.out
ends 'list, colours' 'silent.fifo: out of time' list g.tsv -c silent.fifo -m red -o late.out
ends 'screen, motif' 'silent.fifo: out of time' screen g.tsv -c c.tsv --motif-file silent.fifo -o late.out
ends 'match, pattern' 'silent.fifo: out of time' match g.tsv silent.fifo -o late.out
ends 'match, aliases' 'silent.fifo: out of time' match g.tsv triangle --alias silent.fifo -o late.out
ends 'plan, pipe' 'silent.fifo: out of time' plan silent.fifo triangle
ends 'path, pipe' 'silent.fifo: out of time' path silent.fifo a b
ends 'path, pairs' 'silent.fifo: out of time' path g.tsv --pairs silent.fifo
ends 'filter, pipe' 'silent.fifo: out of time' filter silent.fifo '(a)--(b)'

# standard input that never ends, is silent, or comes in drops
silence() { timeout -s KILL 40 tail -f /dev/null; }
drops() { for ((i = 0; i < 4000; i++)); do printf 'a%s\tb\n' "$i" && sleep 0.01; done; }
flood() { timeout -s KILL 40 yes $'a\tb'; }
for source in silence drops flood; do
  ends "standard input, $source" 'standard input.*: out of time' components - < <($source 2>/dev/null)
done

# 30 GB in a file of 30 MB
yes $'a\tb' | head -c 100000000 | gzip -1 >member.gz
for ((i = 0; i < 60; i++)); do cat member.gz; done >five.gz
cat five.gz five.gz five.gz five.gz five.gz >much.gz
ends 'decompression' 'much.gz:[0-9]*: out of time' components much.gz
rm -f member.gz five.gz much.gz

# signals, which a job in the background may ignore unless env says otherwise
# interrupted SIGNAL ARGS...: the tool gets the signal once it is about to read; $rc is its exit code.  Where it was killed, as
# any program before it catches signals, it gets more time to begin.
interrupted() {
  local signal=$1 delay
  shift
  for delay in 0.5 2 8; do
    env --default-signal="$signal" "$motifsieve" "$@" >out 2>err &
    sleep $delay
    kill -"$signal" $!
    wait $!
    rc=$?
    [ $rc -gt 128 ] || break
  done
}
for signal in INT TERM; do
  interrupted "$signal" list silent.fifo -c c.tsv -m red -o late.out
  check "$signal: exit code" same $rc 4
  check "$signal: message" grep -q 'error: silent.fifo: interrupted while the input is read' err
  check "$signal: no result" test ! -e late.out
  interrupted "$signal" path silent.fifo a b -o late.out
  check "$signal, path: exit code" same $rc 4
  check "$signal, path: message" grep -q 'error: silent.fifo: interrupted while the input is read' err
done

# a pipe that is written to in time is read
printf 'a\tb\nb\tc\n' >silent.fifo &
exits 0 'a pipe' components silent.fifo --timeout 50s
check 'a pipe: result' same "$(grep -c '^[abc]' out)" 3
# a time that is over before the search begins leaves no result, and says how far it came
exits 4 'a small file' list g.tsv -c c.tsv -m red --timeout 0.000001s -o late.out
check 'a small file: no result' test ! -e late.out
check 'a small file: message' grep -q 'error: out of time while .*; there is no result yet' err

# 400 MB in one line, from 400 KB, and a million names: the greatest size of the process in MiB
needs python3 || return
head -c 400000000 /dev/zero | tr '\0' a | gzip -1 >line.gz
awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "%060d\t%060d\n", i, i + 1 }' | gzip -1 >names.gz
for file in line.gz names.gz; do
  for call in "components $file" "list g.tsv -c $file -m a" "match g.tsv $file" "convert $file --to sif -o late.out"; do
    # shellcheck disable=SC2086
    read -r code mib < <(size $call --memory 40M)
    check "$call: exit code" same "$code" 4
    check "$call: message" grep -q "error: $file.*: reading may take 40 MiB of memory; .*; raise --memory" err
    check "$call: $mib MiB" test "$mib" -lt "$bound"
  done
done
