# TSV, JSON and binary rows, plain and packed, say the same, parsed by python, and JSON follows
# the schema.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

for graph in k5 odd; do
  call list $graph.tsv -p triangle --embeddings
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
  call list k5.tsv -p triangle --json -o built_in.json
  call list g.tsv -c c.tsv -p path.tsv --pattern-colors path_colors.tsv --json --limit 1 -o colored.json
  call list g.tsv -c c.tsv -p path.tve --json --screen always -o screened.json
  call list k5.tsv -p triangle --json --count -o count.json
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
