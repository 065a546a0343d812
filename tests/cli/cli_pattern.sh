#!/usr/bin/env bash
# list --pattern, plan and verify --pattern, end to end: usage, counts known from
# closed formulas, every output parsed by other means, exit codes.
# Usage: tests/cli/cli_pattern.sh PATH/TO/motifsieve
set -u

# shellcheck source=tests/cli/cli_lib.sh
. "$(dirname "$0")/cli_lib.sh"

# ---- the examples -------------------------------------------------------------
#   a - b - c      triangle b c d; a red, b blue, c red, d green or blue, e red, f none
#        \  |
#          d - e - f
printf 'a\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\n' >g.tsv
printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\n' >c.tsv
# complete graphs, by names that are not numbers
complete() {
  local n=$1 i j
  for ((i = 0; i < n; i++)); do for ((j = i + 1; j < n; j++)); do printf 'v%d\tv%d\n' "$i" "$j"; done; done
}
complete 5 >k5.tsv
complete 12 >k12.tsv
# a path of three with one red end; the same as an edge list with colours apart
printf 't 3 2\nv 0 red 1\nv 1 blue 2\nv 2 * 1\ne 0 1\ne 1 2\n' >path.tve
printf 'x\ty\ny\tz\n' >path.tsv
printf 'x\tred\ny\tblue\n' >path_colors.tsv

# ---- wrong usage: exit 2 --------------------------------------------------------
refuses 2 'no motif and no pattern: give --motif .*--pattern' list g.tsv -c c.tsv
refuses 2 'no pattern: give --pattern' plan g.tsv
refuses 2 'no GRAPH file' plan --pattern triangle
refuses 2 '--motif and --pattern do not go together' list g.tsv -c c.tsv -m red -p triangle
refuses 2 '--motif-file and --pattern do not go together' list g.tsv --motif-file m -p triangle
refuses 2 'option --pattern is given twice' list g.tsv -p triangle -p path:3
refuses 2 'option --pattern wants' list g.tsv -p ''
refuses 2 '--screen never' list g.tsv -p triangle --exact
refuses 2 '--require is for motifs; .*--pattern-colors' list g.tsv -p triangle --require a
refuses 2 '--no-prune is for motifs' list g.tsv -p triangle --no-prune
for drawing in --cx2 --dot '--cx2 --match 1' '--dot --whole-graph'; do
  # shellcheck disable=SC2086
  refuses 2 'is for motifs; with --pattern the output is' list g.tsv -p triangle $drawing
done
for option in --induced --embeddings --subgraphs --binary '--order ri' '--screen never' '--engine cpu' \
  '--pattern-colors c.tsv' '--pattern-format tve'; do
  # shellcheck disable=SC2086
  refuses 2 "${option%% *} is for patterns; give --pattern" list g.tsv -c c.tsv -m red $option
done
refuses 2 'is for patterns; give --pattern' verify out.tsv g.tsv --pattern-colors c.tsv
refuses 2 'do not go together' list g.tsv -p triangle --embeddings --subgraphs
refuses 2 'do not go together' list g.tsv -p triangle --binary --json
refuses 2 'do not go together' list g.tsv -p triangle --binary --count
for option in order screen engine pattern-format; do
  refuses 2 "option --$option wants" list g.tsv -p triangle --$option fast
done
refuses 2 'only one input' list - -p -
refuses 2 "not one of 'motifsieve screen'" screen g.tsv -c c.tsv --pattern triangle
for option in '--limit 3' --binary '--screen never' '--error 0.1'; do
  # shellcheck disable=SC2086
  refuses 2 "not one of 'motifsieve plan'" plan g.tsv -p triangle $option
done
printf '0\tblue\n1\tblue\n2\t*\n' >triangle_colors.tsv
printf '0\tred\n1\tred\n' >two_red.tsv
printf '0\tred\n3\tred\n' >far_colors.tsv
printf '0\t1\n1\t2\n2\t0\n' >triangle.tsv
refuses 3 "has no vertex '3'" list g.tsv -c c.tsv -p triangle --pattern-colors far_colors.tsv
refuses 2 '--pattern-format is for pattern files' list g.tsv -p triangle --pattern-format tve
refuses 2 "is the input 'path.tve'" list g.tsv -c c.tsv -p path.tve -o path.tve
refuses 2 "is the input 'path_colors.tsv'" list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv -o path_colors.tsv
# what is neither file nor name: both are said
for code_word in '3 no/thing' '2 nothing' '3 nothing.tve'; do
  refuses "${code_word%% *}" \
    "${code_word#* }: there is no such file, and no built-in pattern is called.*triangle, diamond, house.*wheel:N" \
    list g.tsv -p "${code_word#* }"
done
refuses 2 "no such file, and .*did you mean 'triangle'" list g.tsv -p trianglee
refuses 2 "no such file, and .*cycle:N" plan g.tsv -p cycle:2
printf 't 2 1\nv 0 1\ne 0 9\n' >broken.tve
refuses 3 'broken.tve:' list g.tsv -p broken.tve
# colours
refuses 2 'path.tve asks for colours, and g.tsv holds none; give --colors' list g.tsv -p path.tve
printf 't 2 1\nv 0 red 1\nv 1 pink 1\ne 0 1\n' >pink.tve
exits 0 'an unknown colour' list g.tsv -c c.tsv -p pink.tve
check 'an unknown colour is named' grep -Eq "^motifsieve: warning: no vertex .*'pink'" err
check 'only that one' same "$(wc -l <err)" 1
check 'an unknown colour: no match' same "$(rows)" ''
exits 0 'no warning with --quiet' list g.tsv -c c.tsv -p pink.tve -q
check 'no warning with --quiet' test ! -s err

# ---- counts by closed formulas ----------------------------------------------------
# count WANT NAME ARGS...
count() {
  local want=$1 name=$2
  shift 2
  exits 0 "$name" "$@" --count
  check "$name" same "$(cat out)" "$want"
}
while read -r pattern k5 group k12 induced; do
  count "$k5" "K5: $pattern" list k5.tsv -p "$pattern"
  count $((k5 * group)) "K5: embeddings of $pattern" list k5.tsv -p "$pattern" --embeddings
  count "$k12" "K12: $pattern" list k12.tsv -p "$pattern"
  count "$induced" "K12: induced $pattern" list k12.tsv -p "$pattern" --induced
done <<'TABLE'
triangle 10 6 220 220
clique:4 5 24 495 495
clique:5 1 120 792 792
cycle:4 15 8 1485 0
cycle:5 12 10 9504 0
diamond 30 4 2970 0
house 60 2 47520 0
star:3 20 6 1980 0
path:3 30 2 660 0
octahedron 0 48 13860 0
wheel:4 15 8 11880 0
TABLE
for order in auto ri degree reuse; do
  count 47520 "house by --order $order" list k12.tsv -p house --order $order
done
for engine in auto cpu; do count 220 "--engine $engine" list k12.tsv -p triangle --engine $engine; done
# engines on GPUs: the same, in a file that says that the order means nothing, or a refusal
gpus=$("$motifsieve" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
"$motifsieve" list k12.tsv -p triangle -o by_cpu
for engine in gpu dfs trie reuse flood; do
  if [ "$gpus" -eq 0 ]; then
    refuses 2 'use the CPU' list k12.tsv -p triangle --count --engine $engine
    refuses 2 'use the CPU' list k12.tsv -p triangle --engine $engine
    continue
  fi
  count 220 "--engine $engine" list k12.tsv -p triangle --engine $engine
  count 220 "--engine $engine, GPU 0" list k12.tsv -p triangle --engine $engine --devices 0
  refuses 2 'there is no GPU 999' list k12.tsv -p triangle --count --engine $engine --devices 999
  refuses 2 'GPU 0 is named twice' list k12.tsv -p triangle --count --engine $engine --devices 0,0
  for form in '' --json --binary; do
    # shellcheck disable=SC2086
    exits 0 "--engine $engine $form" list k12.tsv -p triangle --engine $engine $form -o by_gpu
    exits 0 "verify the rows of $engine $form" verify by_gpu k12.tsv -p triangle
    [ "$form" ] || check "the rows of $engine" same "$(grep '^[0-9]' by_gpu | cut -f 2- | sort)" \
      "$(grep '^[0-9]' by_cpu | cut -f 2- | sort)"
    [ "$form" ] || check "$engine is in the head" grep -qx "# engine: $engine unordered" by_gpu
  done
done
check 'the CPU is not in the head' same "$(grep -c '^# engine' by_cpu)" 0
exits 0 'plan says the engine' plan k12.tsv -p triangle
check 'plan: the CPU' grep -q '^engine: cpu (the processor needs less' out
exits 0 'plan --json says the engine' plan k12.tsv -p triangle --count --json
check 'plan --json: the CPU' python3 -c 'import json; p = json.load(open("out")); assert p["engine"] == "cpu" and p["engine_reason"]'
for threads in 1 3; do count 47520 "$threads threads" list k12.tsv -p house --threads $threads; done
count 220 'binomial' list k12.tsv -p triangle --screen never --subgraphs
# paths of four by their middle edge: bc 1, cd 1, bd 3, de 2; without a chord: abde, bdef, cdef
count 1 'one triangle' list g.tsv -p triangle
count 7 'paths of four' list g.tsv -p path:4
count 3 'induced paths of four' list g.tsv -p path:4 --induced
exits 0 'both counts as JSON' list k5.tsv -p diamond --count --json
check 'both counts' grep -q '^{"type":"count","subgraphs":"30","embeddings":"120",.*"automorphisms":"4",.*"status":"complete"' out

# ---- rows ---------------------------------------------------------------------------
exits 0 'rows' list g.tsv -p triangle
check 'the only row' same "$(rows)" $'1\tb\tc\td'
check 'header names the pattern vertices' grep -qx $'match\t0\t1\t2' out
for line in 'pattern: triangle vertices=3 edges=3' 'semantics: subgraphs' 'automorphisms: 6' 'mode: exact' \
  'status: complete' 'matches: 1'; do
  check "head has [$line]" grep -qx "# $line" out
done
exits 0 'all six maps' list g.tsv -p triangle --embeddings --induced
check 'all six maps' same "$(rows | cut -f 2- | sort | tr '\t\n' '  ')" 'b c d b d c c b d c d b d b c d c b '
check 'semantics' grep -qx '# semantics: embeddings induced' out
exits 0 'rows of a file' list g.tsv -c c.tsv -p path.tve
# red - blue - any: a b {c,d}, c b {a,d}, c d {b,e}, e d {b,c}
check 'rows of a file' same "$(rows | cut -f 2- | sort | tr '\t\n' '  ')" \
  'a b c a b d c b a c b d c d b c d e e d b e d c '
check 'a file in the head' grep -Eqx '# pattern: path.tve crc32c=[0-9a-f]{8} vertices=3 edges=2 format=tve' out
sed '1,/^match/d' out >tve.rows
exits 0 'a built-in with colours' list g.tsv -c c.tsv -p triangle --pattern-colors triangle_colors.tsv --count
cp out built_in.count
exits 0 'the same from a file' list g.tsv -c c.tsv -p triangle.tsv --pattern-colors triangle_colors.tsv --count
check 'a built-in with colours: the same number' cmp -s out built_in.count
check 'a built-in with colours: two blue ones' same "$(cat out)" 1
exits 0 'a built-in with other colours' list g.tsv -c c.tsv -p triangle --pattern-colors two_red.tsv --count
check 'a built-in with other colours: none' same "$(cat out)" 0
exits 0 'colours apart' list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv
check 'its own vertex names' grep -qx $'match\tx\ty\tz' out
check 'the colour file in the head' grep -Eqx '# pattern_colors: path_colors.tsv crc32c=[0-9a-f]{8}' out
check 'the same rows' same "$(rows | sort)" "$(grep -v '^#' tve.rows | sort)"
exits 0 'the format said' list g.tsv -c c.tsv -p path.tve --pattern-format tve --count
printf 't 3 3\nv 0 * 2\nv 1 * 2\nv 2 * 2\ne 0 1\ne 1 2\ne 0 2\n' >any.tve
count 1 'any colour, and no colours at all' list g.tsv -p any.tve
"$motifsieve" list g.tsv -p - <any.tve >out 2>err
check 'a pattern from standard input' same "$(rows)" $'1\tb\tc\td'
# a file comes before the name
cp path.tsv triangle
count 8 'a file called like a built-in' list g.tsv -p triangle
rm triangle

# ---- forms --------------------------------------------------------------------------
# names that need care in JSON
printf 'a"\tb\\\nb\\\t,\n,\ta"\n,\t \xc3\xa9\n' >odd.tsv
for graph in k5 odd; do
  run list $graph.tsv -p triangle --embeddings
  cp out form.tsv
  exits 0 "$graph: JSON" list $graph.tsv -p triangle --embeddings --json -o form.json
  exits 0 "$graph: binary" list $graph.tsv -p triangle --embeddings --binary -o form.bin
  exits 0 "$graph: gzip" list $graph.tsv -p triangle --embeddings -o form.tsv.gz
  exits 0 "$graph: zstd" list $graph.tsv -p triangle --embeddings --binary -o form.bin.zst
  check "$graph: gzip holds the same" same "$(gzip -dc form.tsv.gz | cksum)" "$(cksum <form.tsv)"
  if command -v zstd >/dev/null; then
    check "$graph: zstd holds the same" same "$(zstd -qdc form.bin.zst | cksum)" "$(cksum <form.bin)"
  fi
  if command -v python3 >/dev/null; then
    checks=$((checks + 1))
    python3 - $graph.tsv >err 2>&1 <<'PY' || fail "$graph: the forms say the same" "$(cat err)"
import json, struct, sys

def crc32c(data):
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF

names = []
for line in open(sys.argv[1], encoding="utf8"):
    for name in line.rstrip("\n").split("\t"):
        if name.strip() not in names:
            names.append(name.strip())
tsv = open("form.tsv", "rb").read()
lines = tsv.decode().splitlines()
at = [i for i, line in enumerate(lines) if line.startswith("match\t")][0]
table = [line.split("\t") for line in lines[at + 1 : -3]]
assert [int(row[0]) for row in table] == list(range(1, len(table) + 1)) and table
rows = [row[1:] for row in table]
assert lines[-3:-1] == ["# status: complete", "# matches: %d" % len(rows)], lines[-3:]
assert lines[-1] == "# end: rows=%d crc32c=%08x" % (len(rows), crc32c(tsv[: tsv.rindex(b"#")]))

text = open("form.json", "rb").read()
objects = [json.loads(line) for line in text.splitlines()]
head, end = objects[0], objects[-1]
assert text.startswith(b'{"type":"header",')
assert head["command"] == "list" and head["schema"] == 1 and "colors" not in head
assert head["pattern"] == {"name": "triangle", "vertices": 3, "edges": 3, "names": ["0", "1", "2"]}
assert head["semantics"] == "embeddings" and head["induced"] is False
assert head["automorphisms"] == "6" and head["mode"] == "exact"
assert [o["match"] for o in objects[1:-1]] == list(range(1, len(rows) + 1))
assert [o["vertices"] for o in objects[1:-1]] == rows
crc = crc32c(text[: text.rstrip(b"\n").rindex(b"\n") + 1])
assert end == {"type": "end", "status": "complete", "matches": str(len(rows)), "rows": len(rows),
               "crc32c": "%08x" % crc}, end

data = open("form.bin", "rb").read()
assert data[:8] == b"MSMATCH1"
length = struct.unpack_from("<I", data, 8)[0]
assert data[12 : 12 + length].decode().splitlines() == lines[: at + 1]
at = (12 + length + 3) // 4 * 4
assert not any(data[12 + length : at])
assert data[-24:-16] == b"MSEND001" and len(data) == at + 12 * len(rows) + 24
assert struct.unpack_from("<QII", data, len(data) - 16) == (len(rows), 0, crc32c(data[:-4]))
ids = struct.unpack_from("<%dI" % (3 * len(rows)), data, at)
assert [names[i] for i in ids] == [name for row in rows for name in row]
PY
  fi
done
if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
  run list k5.tsv -p triangle --json -o built_in.json
  run list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv --json --limit 1 -o colored.json
  run list g.tsv -c c.tsv -p path.tve --json --screen always -o screened.json
  run list k5.tsv -p triangle --json --count -o count.json
  checks=$((checks + 1))
  python3 - "$here/../docs/result.schema.json" {built_in,colored,screened,count}.json >err 2>&1 <<'PY' || fail 'JSON lines follow docs/result.schema.json' "$(cat err)"
import copy, json, sys
from jsonschema import Draft202012Validator as Validator
schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
validator = Validator(schema)
lines = [json.loads(line) for path in sys.argv[2:] for line in open(path)]
for line in lines:
    for error in validator.iter_errors(line):
        sys.exit("%s: %s" % (line, error.message))
assert {line["type"] for line in lines} == {"header", "match", "end", "count"}
refused = 0
for line in lines:
    for key in line:
        less = copy.deepcopy(line)
        del less[key]
        more = dict(line, **{"fool": 1})
        other = dict(line, **{key: {"x": 1}})
        for wrong in [more, other] + ([less] if key not in {"colors", "pattern_colors"} else []):
            assert not validator.is_valid(wrong), wrong
            refused += 1
assert refused > 100
PY
else
  skip 'JSON lines are not validated against the schema: no python3 with jsonschema'
fi
cp any.tve $'any\xff.tve'
refuses 3 'not UTF-8' list g.tsv -p $'any\xff.tve' --json
exits 0 'any path as TSV' list g.tsv -p $'any\xff.tve'
exits 0 'a name that looks like a form' list g.tsv -p triangle -o rows.json
check 'a name that looks like a form' grep -q 'warning: rows.json: written as TSV' err

# ---- directions -------------------------------------------------------------------------
# a cycle of three p q r with one arc back, and an arc out of it
printf 'p\tq\nq\tr\nr\tp\nq\tp\nr\ts\n' >arcs.tsv
printf '0\t1\n1\t2\n2\t0\n' >cycle.tsv
printf '0\t1\n1\t2\n0\t2\n' >feed.tsv
exits 0 'a directed cycle' list arcs.tsv -p cycle.tsv --directed
check 'a directed cycle' same "$(rows)" $'1\tp\tq\tr'
for line in 'directed: 1' 'automorphisms: 3'; do check "[$line]" grep -qx "# $line" out; done
check 'arcs are counted' grep -Eq '^# pattern: cycle.tsv .* edges=3 format=edge-list' out
check 'the line stands behind the graph' same "$(sed -n 3p out)" '# directed: 1'
exits 0 'feed-forward' list arcs.tsv -p feed.tsv --directed --json
# x -> y -> z, x -> z: q r p by the arc back
check 'feed-forward' same "$(sed -n 2p out)" '{"type":"match","match":1,"vertices":["q","r","p"]}'
check 'directed in JSON' grep -q '"directed":true' out
check 'one feed-forward loop' same "$(wc -l <out)" 3
count 0 'induced: no arc back' list arcs.tsv -p cycle.tsv --directed --induced
count 1 'undirected without the option' list arcs.tsv -p cycle.tsv
exits 0 'plan, directed' plan arcs.tsv -p cycle.tsv --directed

# ---- verify ---------------------------------------------------------------------------
# accepts ROWS NAME ARGS...: list ARGS in each form, and verify with the inputs among ARGS
accepts() {
  local rows=$1 name=$2 form
  shift 2
  for form in tsv json binary; do
    # shellcheck disable=SC2046
    exits 0 "$name: list, $form" list "$@" $([ $form = tsv ] || echo --$form) -o result.$form
    # what is about the search, and not about the inputs, is in the result
    local inputs=() word
    for word in "$@"; do
      case $word in --induced | --embeddings | --screen=*) ;; *) inputs+=("$word") ;; esac
    done
    exits 0 "$name: verify, $form" verify result.$form "${inputs[@]}"
    check "$name: verify, $form" same "$(tr '\t\n' '  ' <out)" \
      "accepted yes command list rows $rows recount complete missing 0 probabilistic no "
  done
}
accepts 1 'one triangle' g.tsv -p triangle
accepts 120 'embeddings' k5.tsv -p diamond --embeddings
accepts 3 'induced' g.tsv -p path:4 --induced
accepts 0 'no match' k5.tsv -p cycle:5 --induced
accepts 8 'labels' g.tsv -c c.tsv -p path.tve --screen=never
accepts 1 'a built-in with colours' g.tsv -c c.tsv -p triangle --pattern-colors triangle_colors.tsv --screen=never
accepts 8 'colours apart' g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv --screen=never
accepts 1 'directed' arcs.tsv -p cycle.tsv --directed
accepts 6 'odd names' odd.tsv -p triangle --embeddings
for file in form.tsv.gz form.bin.zst; do
  exits 0 "compressed: $file" verify $file odd.tsv -p triangle
done
exits 0 'screened' list g.tsv -c c.tsv -p path.tve --screen always -o screened.tsv
check 'screened' grep -qx '# mode: screened' screened.tsv
exits 0 'screened: verify' verify screened.tsv g.tsv -c c.tsv -p path.tve
exits 4 'cut short' list k12.tsv -p house --limit 7 -o short.tsv
exits 0 'cut short: verify' verify short.tsv k12.tsv -p house
check 'cut short: verify' grep -qx $'recount\tnot done' out
run list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv -o colored.tsv
refuses 2 '--pattern-colors' verify colored.tsv g.tsv -c c.tsv -p path.tsv
refuses 2 '--pattern' verify colored.tsv g.tsv -c c.tsv
printf 'x\ty\ny\tz\nz\tx\n' >other.tsv
refuses 3 'refused' verify colored.tsv g.tsv -c c.tsv -p other.tsv --pattern-colors path_colors.tsv
run list k5.tsv -p diamond -o diamond.tsv
refuses 3 'refused' verify diamond.tsv k5.tsv -p cycle:4
refuses 3 'refused' verify diamond.tsv k12.tsv -p diamond
sed 's/^3\tv0/3\tv4/' diamond.tsv >damaged.tsv
refuses 3 'refused' verify damaged.tsv k5.tsv -p diamond

# ---- limits ---------------------------------------------------------------------------
exits 4 '--limit' list k12.tsv -p house --limit 7
check '--limit: rows' same "$(rows | wc -l)" 7
check '--limit: status' grep -qx '# status: incomplete: limit' out
check '--limit: a word on stderr' grep -q 'warning: stopped by --limit after 7 matches' err
exits 4 '--limit, quiet' list k12.tsv -p house --limit 7 -q
check '--limit, quiet' test ! -s err
exits 4 '--limit, binary' list k12.tsv -p house --limit 7 --binary -o limit.bin
check '--limit, binary' same "$(tail -c 8 limit.bin | head -c 4 | od -An -tu4 | tr -d ' ')" 1
exits 0 '--limit above the number' list k5.tsv -p triangle --limit 11
check '--limit above the number' same "$(rows | wc -l)" 10
exits 5 '--fail-if-none' list g.tsv -p clique:4 --fail-if-none
check '--fail-if-none still writes' grep -qx '# matches: 0' out
exits 5 '--fail-if-none --count' list g.tsv -p clique:4 --fail-if-none --count
exits 0 '--fail-if-none, and there is one' list g.tsv -p triangle --fail-if-none
exits 0 'a pattern larger than the graph' list g.tsv -p clique:7
check 'a pattern larger than the graph' same "$(rows)" ''
# 12!/2 paths of twelve
exits 4 '--timeout' list k12.tsv -p path:12 --timeout 0.3s -o late.tsv
check '--timeout: status' grep -qx '# status: incomplete: time' late.tsv
check '--timeout: a word on stderr' grep -q 'warning: out of time after' err
check '--timeout: the end is there' grep -Eq "^# end: rows=$(rows late.tsv | wc -l) crc32c=" late.tsv
"$motifsieve" list k12.tsv -p path:12 -o stopped.tsv >out 2>err &
pid=$!
sleep 1
# as from timeout(1), which signals its child and then the group that it is in
kill -TERM "$pid"
sleep 0.05
kill -TERM "$pid" 2>/dev/null
wait "$pid"
check 'interrupted: exit code' same $? 4
check 'interrupted: status' grep -qx '# status: incomplete: interrupted' stopped.tsv
check 'interrupted: a word on stderr' grep -q 'warning: interrupted after' err
exits 3 'no room for the output' list k12.tsv -p path:12 -o /dev/full
check 'no room: found out early' grep -q 'could not be written' err

# ---- a terminal --------------------------------------------------------------------------
if command -v script >/dev/null; then
  command script -qec "$motifsieve list k12.tsv -p path:12 --timeout 1s" /dev/null >screen.txt 2>&1 </dev/null
  check 'rows on a terminal' grep -q $'^1\tv[0-9]*\t' screen.txt
  check 'no progress line among them' bash -c '! grep -q "\[K" screen.txt'
  command script -qec "$motifsieve list k12.tsv -p path:12 --timeout 1s -o tty.tsv" /dev/null >screen.txt 2>&1 </dev/null
  check 'a progress line where they go elsewhere' grep -q $'\033\\[K' screen.txt
  command script -qec "$motifsieve list k5.tsv -p triangle --binary" /dev/null >screen.txt 2>&1 </dev/null
  check 'no binary on a terminal' grep -q 'a terminal cannot show what --binary writes; give --output' screen.txt
else
  skip 'terminal: no script(1)'
fi

# ---- telling -----------------------------------------------------------------------------
exits 0 'verbose' list g.tsv -c c.tsv -p path.tve -v
for fact in 'pattern: path.tve: tve: 3 vertices, 2 edges; 2 vertices accept' 'screen: ' 'engine: ' \
  '8 subgraphs, 8 embeddings .the pattern has 1 automorphisms' 'seconds: read .*plan .*list'; do
  check "verbose tells [$fact]" grep -Eq "^motifsieve: $fact" err
done
exits 0 'plan' plan g.tsv -p house
# one line for the whole, one of titles, one a vertex
check 'plan tells of every vertex' same "$(grep -Ec '^ +[0-4]  [0-4] ' out)" 5
exits 0 'plan as JSON' plan g.tsv -p house --json --induced --order degree --embeddings -o plan.json
if command -v python3 >/dev/null; then
  check 'plan as JSON parses' python3 -c 'import json; p = json.load(open("plan.json"))
assert p["order"] == "degree" and p["induced"] and not p["constrained"] and len(p["levels"]) == 5, p'
fi
# ---- verify: what list wrote, in every form --------------------------------------
for form in '' --json --binary; do
  for semantics in '' --embeddings --induced '--embeddings --induced'; do
    for inputs in '-p house' '-p path.tsv' '-p path.tsv --directed' '-p path.tve -c c.tsv' \
      '-p path.tsv --pattern-colors path_colors.tsv -c c.tsv' '-p path.tve -c c.tsv --screen always'; do
      given=${inputs/ --directed/}
      given=${given/ --screen always/}
      # shellcheck disable=SC2086
      exits 0 "list for verify [$inputs]" list g.tsv $inputs $form $semantics -o result
      # shellcheck disable=SC2086
      exits 0 "verify [$inputs $form $semantics]" verify result g.tsv $given
      check "verify recounts [$inputs $form $semantics]" grep -q '^recount.complete$' out
    done
  done
  # shellcheck disable=SC2086
  exits 4 "list with a limit $form" list k5.tsv -p triangle --limit 3 $form -o result
  exits 0 "verify of an incomplete result $form" verify result k5.tsv -p triangle
  check "an incomplete result is not recounted $form" grep -q '^recount.not done$' out
  refuses 2 'give it with --pattern triangle' verify result k5.tsv
  refuses 3 "the built-in 'triangle', not path:3" verify result k5.tsv -p path:3
  printf 'x' | dd of=result bs=1 seek=150 conv=notrunc 2>/dev/null
  refuses 3 'changed or damaged' verify result k5.tsv -p triangle
done

for command in list plan verify; do
  exits 0 "$command --help" $command --help
  check "$command --help tells of --pattern" grep -q -- '--pattern PATTERN' out
done
run help --man plan
check 'plan has a manual' grep -q '^\.TH MOTIFSIEVE.-PLAN 1' out
run help --completion bash
check 'completion knows orders' grep -q "order.*options='auto ri degree reuse'" out

finish
