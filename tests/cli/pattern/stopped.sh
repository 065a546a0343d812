# A deadline and a signal end a list of patterns with the right status, exit code and last line.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# 12!/2 paths of twelve
exits_late 4 '--timeout' match k12.tsv path:12 -t 2 --timeout 0.3 -o late.tsv
check '--timeout: status' grep -qx '# status: incomplete: time' late.tsv
check '--timeout: a word on stderr' grep -q 'warning: out of time after' err
check '--timeout: the end is there' grep -Eq "^# end: rows=$(rows late.tsv | wc -l) crc32c=" late.tsv
# as from timeout(1), which signals its child and then the group that it is in; once more where other work has kept this
# shell from the second signal, so that it came later, and, with more time, where the search had not begun
for delay in 0 0.1 0.3 1 3; do
  rm -f stopped.tsv
  "$motifsieve" match k12.tsv path:12 -t 2 -o stopped.tsv >out 2>err &
  pid=$!
  written 'stopped.tsv.tmp-*'
  sleep "$delay"
  kill -TERM "$pid"
  sleep 0.05
  kill -TERM "$pid" 2>/dev/null
  wait "$pid"
  rc=$?
  [ $rc -eq 143 ] || grep -q '; there is no result yet' err || break
done
check 'interrupted: exit code' same $rc 4
check 'interrupted: status' grep -qx '# status: incomplete: interrupted' stopped.tsv
check 'interrupted: a word on stderr' grep -q 'warning: interrupted after' err
