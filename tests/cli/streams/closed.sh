# Every command with standard input, output and error closed: its file is as it would be with them, byte for byte, so
# no message has got into it; without a file, the status says that the output is lost; nothing waits.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

"$motifsieve" list g.tsv -c c.tsv -m red,blue --exact -q -o result.tsv
"$motifsieve" census g.tsv -c c.tsv --part 1/1 -q -o part.tsv
printf 'sample\tgraph\tcolors\tgroup\ns\tg.tsv\tc.tsv\tx\nt\tg.tsv\tc.tsv\ty\nu\tg.tsv\tc.tsv\ty\n' >sheet.tsv
# command and arguments; OUT is the output
calls='screen g.tsv -c c.tsv -m red,blue -v
list g.tsv -c c.tsv -m red,blue --exact -v
match g.tsv triangle -v
match ring.sif (:C)-[CbG]-(:G) -v
filter ring.sif -p (:C)-[CbX]-(:G) -v
verify result.tsv g.tsv -c c.tsv -v
report result.tsv g.tsv -c c.tsv -v
convert g.tsv --to sif -v
stats g.tsv -c c.tsv -v
components g.tsv -v
path g.tsv a d -v
gen er -n 30 -d 3 --to edge-list
plan g.tsv house -v
mine g.tsv -c c.tsv -v
census g.tsv -c c.tsv -v
census g.tsv -c c.tsv --primary-color --significance -v
census g.tsv -c c.tsv --permutations 3 -v
compare sheet.tsv -v
merge part.tsv -v
neighbors points.tsv --knn 1 --to edge-list -v'
while read -r line; do
  set -f
  set -- $line
  set +f
  "$motifsieve" "$@" -o open.out >/dev/null 2>&1 </dev/null
  check "$line: with streams" test $? -eq 0 -a -s open.out
  timeout -k 20 600 "$motifsieve" "$@" -o closed.out <&- >&- 2>&-
  check "$line: without streams" test $? -eq 0
  check "$line: the same file" cmp open.out closed.out
  timeout -k 20 600 "$motifsieve" "$@" -o closed.out 2>&- >/dev/null
  check "$line: without standard error" cmp open.out closed.out
  timeout -k 20 600 "$motifsieve" "$@" <&- >&- 2>&-
  check "$line: nowhere to write" test $? -eq 3
  timeout -k 20 600 "$motifsieve" "$@" >&- 2>err
  check "$line: it says so" grep -q '^motifsieve: error: standard output: is closed' err
  timeout -k 20 600 "$motifsieve" "$@" -o /dev/stdout >&- 2>err
  check "$line: also by name" grep -q '^motifsieve: error: standard output: is closed' err
  rm -f open.out closed.out
done <<<"$calls"
# a search does not begin if its output is lost; this one would never end
big_graph
timeout -k 20 600 "$motifsieve" list big.tsv -c bigc.tsv -m '*:14' --exact >&- 2>err
check 'no search for nothing' test $? -eq 3
# what has no file
for line in --version --help 'help list' 'list --help=all' info 'help --man screen' 'help --completion bash' \
  'bench sieve --vertices 64 --slots 4 --runs 1' 'convert --list-formats'; do
  timeout -k 20 600 "$motifsieve" $line <&- >&- 2>&-
  check "$line: nowhere to write" test $? -eq 3
  timeout -k 20 600 "$motifsieve" $line >out 2>&- <&-
  check "$line: without the others" test $? -eq 0 -a -s out
done
# every command is above
for command in $("$motifsieve" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  case " $(cut -d' ' -f1 <<<"$calls" | tr '\n' ' ') info bench " in
  *" $command "*) ;;
  *) fail "no call of $command" ;;
  esac
done
# closed standard input is no empty file
for line in 'convert - --to sif' 'stats -' 'list g.tsv -c - -m red' 'match - triangle' 'screen - -c c.tsv -m red' \
  'path g.tsv --pairs -' 'components -' 'list g.tsv -c c.tsv --motif-file -'; do
  timeout -k 20 600 "$motifsieve" $line <&- >out 2>err
  check "$line: a status" test $? -eq 3
  check "$line: it says so" grep -q '^motifsieve: error: standard input: is closed' err
done
