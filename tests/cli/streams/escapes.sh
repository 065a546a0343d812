# Control characters, overrides of the writing direction and bytes that are not UTF-8, wherever they stand in inputs,
# paths and arguments, reach neither a terminal nor a table, JSON or a drawing; other characters stay as they are.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

if ! command -v python3 >/dev/null; then
  skip 'control characters: there is no python3'
  return
fi
cat >clean.py <<'END'
import glob, re, sys
control = re.compile('[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]')
for name in glob.glob('seen/*'):
    for line in open(name, 'rb').read().split(b'\n'):
        try:
            found = control.search(line.decode('utf-8'))
        except UnicodeDecodeError as error:
            sys.exit(f'{name}: {line[:100]!r}: {error}')
        if found:
            sys.exit(f'{name}: {line[:100]!r}: {found.group()!r}')
END
export OMP_NUM_THREADS=1
mkdir seen
# tame ARGS...: a call that may succeed or fail, and whose streams and file `made` are kept for a look
tame() {
  timeout -k 20 600 "$motifsieve" "$@" >out 2>err </dev/null
  rc=$?
  checks=$((checks + 1))
  [ "$rc" -ne 1 ] && [ "$rc" -lt 124 ] || fail "$(printf '%q ' "$@"): status $rc"
  cp out "seen/$checks.out"
  cp err "seen/$checks.err"
  [ ! -f made ] || mv made "seen/$checks.made"
}
inputs=0
for bad in '\033]0;x\007\302\233\342\200\256\342\200\250\342\201\246\177\302\205\b' '\302\233' '\377' '\015x'; do
  b=$(printf "$bad")
  inputs=$((inputs + 1))
  # in the contents of files
  printf 'a\tb\nb\tx%s\nc\ta\n' "$b" >graph
  printf 'a,b\nb,"x%s"\nc,a\n' "$b" >graph.csv
  printf 'x%s\tscore\na\tb\t1\nb\tc\t2\n' "$b" >titles
  printf 'a\tb\t0.5\nb\tc\t%s\n' "$b" >scores
  printf 'a\tred\nb\tx%s\nz%s\tred\n' "$b" "$b" >colors
  printf 'a\tA%s\nb\tB\n' "$b" >labels
  printf 'source\tmetaedge\ttarget\nC::0\tC%sG\tG::0\n' "$b" >typed.sif
  printf 'C::0\tCbG\tG::0\nC::1\tCbG\tG::1%s\n' "$b" >typed2.sif
  printf 't # 0\nv 0 red%s\nv 1 blue\ne 0 1 x\n' "$b" >graph.tve
  printf '<graphml><key id="k" for="node" attr.name="name%s"/><graph id="g"><node id="a%s"><data key="k">v&#x9b;%s</data></node><node id="b"/><edge source="a" target="b%s"/></graph></graphml>' \
    "$b" "$b" "$b" "$b" >graph.graphml
  printf '%%%%MatrixMarket matrix coordinate x%s general\n2 2 1\n1 2\n' "$b" >graph.mtx
  printf '# motifsieve 0.1.0 list\n# graph: x%s crc32c=00000000 vertices=%s\n' "$b" "$b" >result
  printf 'format-version: 1.2\n\n[Term]\nid: GO:1%s\nname: x%s\nis_a: GO:2%s\n' "$b" "$b" "$b" >terms.obo
  printf 'red%s\t2\n' "$b" >motif
  for call in 'list graph -c colors -m red' 'stats graph' 'stats graph.csv' 'stats titles' 'stats scores --min-score 0.1' \
    'stats g.tsv -c colors' 'list g.tsv -c c.tsv -m red --exact --labels labels' 'match typed.sif (:C)-->(:G)' \
    'match typed2.sif (a:C)-->(b:G)' 'path typed.sif C::0 G::0' 'components graph.tve' 'convert graph.graphml --to sif' \
    'stats graph.mtx' 'verify result g.tsv' 'list g.tsv -c a.gaf --obo terms.obo -m red' 'list g.tsv -c c.tsv --motif-file motif' \
    'match g.tsv graph.tve' 'stats g.tsv --alias labels' 'convert graph -o made --to graphml' 'filter typed2.sif (:C)-->(:G)' \
    'path g.tsv --pairs graph' 'stats g.tsv -c colors --ignore-unknown' 'gen er -n 3 -d 1 --prefix x -o titles/no'; do
    tame $call
  done
  # in arguments
  for call in "list g.tsv -c c.tsv -m red$b" "match g.tsv house$b" "match typed2.sif (:C$b)" "path g.tsv a b$b" "bogus$b" \
    "list g.tsv --bogus$b" "list g.tsv --colors-format=$b" "list g.tsv -c c.tsv -m red --required $b" "gen er$b" \
    "list g.tsv -c c.tsv -m red --error 1$b" "stats g.tsv --source-column $b" "convert g.tsv --to $b" "help $b"; do
    tame $call
  done
  # in paths
  path=$(printf "g$bad.tsv")
  cp g.tsv "$path"
  for call in 'stats' 'stats --json' 'list -c c.tsv -m red --exact' 'list -c c.tsv -m red --exact --json' \
    'list -c c.tsv -m red --exact --dot' 'list -c c.tsv -m red --exact --cx2' 'screen -c c.tsv -m red -v' 'components' \
    'match triangle' 'match triangle --json' 'plan triangle --json' 'convert --to graphml' 'path a d --json'; do
    set -- $call
    command=$1
    shift
    tame "$command" "$path" "$@"
    tame "$command" "$path" "$@" -o made
    tame "$command" "no$path" "$@"
  done
  tame list g.tsv -c c.tsv -m red --exact -o "no/$path"
  "$motifsieve" list "$path" -c c.tsv -m red --exact -q -o result
  exits 0 "such a path verifies" verify result g.tsv -c c.tsv -q
  rm -f "$path"
done
check 'all of them were tried' same "$inputs" 4
# a line break in a path is one line
printf -v path 'two\nlines.tsv'
cp g.tsv "$path"
tame stats "$path"
check 'an escaped line break' grep -q '^graph	two\\x0Alines.tsv$' out
tame stats "none$path"
check 'one line of error' same "$(wc -l <err)" 1
# JSON gives the path back
tame list "$path" -c c.tsv -m red --exact --json -q
check 'the path in JSON' python3 -c '
import json; assert json.loads(open("out").readline())["graph"]["path"] == "two\nlines.tsv"'
# all other characters stay: accents, joiners, marks, private ones, the last code point
printf 'Grün\tna\xe2\x80\x8cme\nna\xe2\x80\x8cme\t\xd7\xa9\xe2\x80\x8f\n\xd7\xa9\xe2\x80\x8f\t\xf4\x8f\xbf\xbf\n' >names
for to in edge-list sif; do
  tame convert names --to $to
  check "$to: names stay" grep -q "$(printf 'na\xe2\x80\x8cme')" out
  check "$to: names stay" grep -q "$(printf '\xf4\x8f\xbf\xbf')" out
done
tame path names Grün "$(printf '\xd7\xa9\xe2\x80\x8f')"
check 'a name in a table' grep -q 'Grün' out
tame path names Grün x
check 'a name in a message' grep -q "'Grün'" err
check 'no control character in what was printed and written' python3 clean.py 2>err
check 'a look at all of it' test "$(ls seen | wc -l)" -gt 600
