# The judge refuses each of nine altered rows and counts of typed matches, even with a right
# checksum.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

# ring_of N: compounds 1..N, genes 1..N; compound i binds genes i and i+1, gene i and i+1 interact
ring_of() {
printf 'source\tmetaedge\ttarget\n'
awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { j = (i + 1) % n
  printf "C::%d\tCbG\tG::%d\nC::%d\tCbG\tG::%d\nG::%d\tGiG\tG::%d\n", i, i, i, j, i, j } }'
}
# altered SED..: subgraphs.tsv with something else in it, its last line made right
altered() {
sed "$@" subgraphs.tsv >altered.tsv
python3 - altered.tsv <<'PY'
import sys
table = []
for c in range(256):
    for _ in range(8):
        c = c >> 1 ^ (0x82F63B78 if c & 1 else 0)
    table.append(c)
data = open(sys.argv[1], "rb").read()
data = data[:data.rindex(b"# end:")]
rows = sum(line[:1].isdigit() for line in data.split(b"\n"))
crc = 0xFFFFFFFF
for byte in data:
    crc = crc >> 8 ^ table[(crc ^ byte) & 255]
open(sys.argv[1], "wb").write(data + b"# end: rows=%d crc32c=%08x\n" % (rows, crc ^ 0xFFFFFFFF))
PY
}
local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'
exits 0 'subgraphs' typed-match ring.sif -p "$v" -o subgraphs.tsv
exits 0 'verify' verify subgraphs.tsv ring.sif -p "$v"
sed 's/C::2$/C::3/' subgraphs.tsv >broken.tsv
refuses 3 'broken.tsv: refused: the file was changed or damaged' verify broken.tsv ring.sif -p "$v"
ring_of 6 >other.sif
refuses 3 'other.sif is not the graph' verify subgraphs.tsv other.sif -p "$v"
if ! command -v python3 >/dev/null; then
  skip 'altered results are not made: no python3'
  return
fi
altered ''
check 'the checksum is right' cmp -s altered.tsv subgraphs.tsv
altered 's/^\(3\tC::1\t\)G::2/\1G::4/'
refuses 3 'altered.tsv.* edge' verify altered.tsv ring.sif -p "$v"
altered 's/^\(3\tC::1\t\)G::2/\1C::0/'
refuses 3 'altered.tsv.* type' verify altered.tsv ring.sif -p "$v"
altered 's/^\(3\tC::1\t\)G::2/\1G::9/'
refuses 3 "altered.tsv.* 'G::9'" verify altered.tsv ring.sif -p "$v"
altered 's/^\(3\tC::1\tG::2\t\)C::2/\1C::1/'
refuses 3 'altered.tsv.*: match [34] repeats (a vertex|an earlier one)' verify altered.tsv ring.sif -p "$v"
altered 's/^3\tC::1\tG::2\tC::2/3\tC::2\tG::2\tC::1/'
refuses 3 'altered.tsv.* smallest' verify altered.tsv ring.sif -p "$v"
altered 's/^4\t.*/4\tC::1\tG::2\tC::2/'
refuses 3 'altered.tsv.*: match [34] repeats (a vertex|an earlier one)' verify altered.tsv ring.sif -p "$v"
altered -e '/^5/d' -e 's/^# matches: 5/# matches: 4/'
refuses 3 'altered.tsv.* 1 match is missing, for example C::3,G::4,C::4' verify altered.tsv ring.sif -p "$v"
altered 's/^# matches: 5/# matches: 6/'
refuses 3 'altered.tsv.* 6' verify altered.tsv ring.sif -p "$v"
altered 's/^# automorphisms: 2/# automorphisms: 1/'
refuses 3 'altered.tsv.* automorphisms' verify altered.tsv ring.sif -p "$v"
