# A result that was read with options is accepted without them, and files it was made with have to
# be given: columns, aliases, labels, GO annotations, slims and BioGRID.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

call list g.tsv --colors c.tsv -m red,blue,green -o list.tsv
mend() {
  python3 - "$1" "$here" <<'PY'
import re, sys
data = open(sys.argv[1], "rb").read()
cut = data.rindex(b"# end:")
crc = 0xFFFFFFFF
for byte in data[:cut]:
    crc ^= byte
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
rows = sum(1 for l in data[:cut].split(b"\n") if l and l[:1] != b"#") - 1
open(sys.argv[1], "wb").write(data[:cut] + b"# end: rows=%d crc32c=%08x\n" % (rows, crc ^ 0xFFFFFFFF))
PY
}
call list links.txt -c lt.tsv -m red,blue -x --keep-taxon --min-score 400 -o taxon.tsv
exits 0 'settings of the result and of the command line go together' \
  verify taxon.tsv links.txt -c lt.tsv --format string
refuses 2 'without --alias; leave it out' verify list.tsv g.tsv --colors c.tsv --alias al.tsv
refuses 2 'without --obo; leave it out' verify list.tsv g.tsv --colors c.tsv --obo go.obo
refuses 2 'was made with --colors c.tsv; give it' verify list.tsv g.tsv
has_format() { "$motifsieve" convert --list-formats 2>/dev/null | grep -q "^$1 "; }
# round_trip NAME INPUTS -- SETTINGS: results made with both are accepted with the inputs alone
round_trip() {
  local name=$1 form inputs=()
  shift
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  for form in 'list -x' 'list --json' screen; do
    exits 0 "$name: $form" $form "${inputs[@]}" "$@" -o trip
    exits 0 "$name: verify $form" verify trip "${inputs[@]}"
  done
}
round_trip columns g.tsv --colors c.tsv -- --name-column 1 --color-column 2 -m red:2,blue
printf 'ay\ta\nbee\tb\n' | awk '{ print $2 "\t" $1 }' >al.tsv
printf 'ay\tred\nbee\tblue\nc\tred\n' >alc.tsv
if "$motifsieve" list g.tsv -c alc.tsv --alias al.tsv -m red,blue -x -o alias.tsv 2>err; then
  round_trip alias g.tsv -c alc.tsv --alias al.tsv -- -m red,blue -r ay
  check 'required by its own name' grep -q '^# required: a$' trip
  refuses 2 'was made with --alias al.tsv; give it' verify alias.tsv g.tsv -c alc.tsv
  { cat al.tsv; printf 'c\tsee\n'; } >al2.tsv
  refuses 3 'al2.tsv is not the alias file' verify alias.tsv g.tsv -c alc.tsv --alias al2.tsv
  if command -v python3 >/dev/null; then
    sed 's/\ta,b$/\tay,b/' alias.tsv >x.tsv && mend x.tsv
    refuses 3 "'ay' is no vertex" verify x.tsv g.tsv -c alc.tsv --alias al.tsv
  fi
else
  skip 'alias files cannot be read'
fi
if has_format tve; then
  printf 't 0 3\nv 0 red\nv 1 blue\nv 2 red\ne 0 1\ne 1 2\n' >g.tve
  exits 0 'colours of the graph file' list g.tve -m red,blue -x -o tve.tsv
  check 'they are told' grep -Eq '^# colors: g.tve .* format=graph ' tve.tsv
  round_trip 'colours of the graph file' g.tve -- -m red,blue
  refuses 2 'took its colours from the graph file' verify tve.tsv g.tve -c c.tsv
else
  skip 'no format t/v/e'
fi
gaf() { printf 'X\t%s\t%s\t\t%s\tREF:1\tIDA\t\tP\t\t\tprotein\ttaxon:1\t20200101\tX\t\t\n' "$1" "$1" "$2"; }
{ printf '!gaf-version: 2.2\n'; gaf a GO:0000001; gaf b GO:0000002; gaf c GO:0000001; } >c.gaf
cat >go.obo <<'OBO'
format-version: 1.2
subsetdef: goslim_test "a slim"

[Term]
id: GO:0000009
name: root process
namespace: biological_process
subset: goslim_test

[Term]
id: GO:0000001
name: first process
namespace: biological_process
is_a: GO:0000009 ! root process

[Term]
id: GO:0000002
name: second process
namespace: biological_process
subset: goslim_test
is_a: GO:0000009 ! root process
OBO
printf 'GO:0000009\nGO:0000002\n' >my.slim
if "$motifsieve" list g.tsv -c c.gaf --obo go.obo --slim goslim_test -m '*' -x -o gaf.tsv 2>err &&
  grep -q ' format=gaf ' gaf.tsv; then
  round_trip 'GAF' g.tsv -c c.gaf -- --aspect P -m '"GO:0000001","GO:0000002"'
  round_trip 'GAF with ontology' g.tsv -c c.gaf --obo go.obo -- -m 'first process,second process'
  round_trip 'GAF with a slim' g.tsv -c c.gaf --obo go.obo -- --slim goslim_test -m 'root process,*'
  check 'slim by name' grep -q '"slim":"goslim_test"\|^# slim: goslim_test$' gaf.tsv
  round_trip 'GAF with a slim file' g.tsv -c c.gaf --obo go.obo --slim my.slim -- -m 'root process,*'
  cp trip slimfile.tsv
  check 'slim by file' grep -Eq '^# slim_file: my.slim crc32c=' slimfile.tsv
  refuses 2 'was made with --obo go.obo; give it' verify gaf.tsv g.tsv -c c.gaf
  refuses 2 'was made with --slim my.slim; give it' verify slimfile.tsv g.tsv -c c.gaf --obo go.obo
  sed 's/first/other/' go.obo >go2.obo
  refuses 3 'go2.obo is not the ontology file' verify gaf.tsv g.tsv -c c.gaf --obo go2.obo
  printf 'GO:0000002\nGO:0000009\n' >my2.slim
  refuses 3 'my2.slim is not the slim file' \
    verify slimfile.tsv g.tsv -c c.gaf --obo go.obo --slim my2.slim
  refuses 3 'subset' verify slimfile.tsv g.tsv -c c.gaf --obo go.obo --slim goslim_test
else
  skip 'no reader of GAF with ontology and slim'
fi
if has_format biogrid; then
  biogrid='#BioGRID Interaction ID	Entrez Gene Interactor A	Entrez Gene Interactor B	BioGRID ID Interactor A	BioGRID ID Interactor B	Systematic Name Interactor A	Systematic Name Interactor B	Official Symbol Interactor A	Official Symbol Interactor B	Synonyms Interactor A	Synonyms Interactor B	Experimental System	Experimental System Type	Author	Publication Source	Organism ID Interactor A	Organism ID Interactor B	Throughput	Score	Modification	Qualifications	Tags	Source Database	SWISS-PROT Accessions Interactor A	TREMBL Accessions Interactor A	REFSEQ Accessions Interactor A	SWISS-PROT Accessions Interactor B	TREMBL Accessions Interactor B	REFSEQ Accessions Interactor B	Ontology Term IDs	Ontology Term Names	Ontology Term Categories	Ontology Term Qualifier IDs	Ontology Term Qualifier Names	Ontology Term Types	Organism Name Interactor A	Organism Name Interactor B'
  { echo "$biogrid"
    for pair in 'a b 1' 'b c 1' 'c d 2'; do
      set -- $pair
      printf "1\t1\t2\t1\t2\tY$1\tY$2\t$1\t$2\t-\t-\tAffinity Capture-MS\tphysical\tA (2000)\tPUBMED:1\t$3\t$3\tHigh Throughput"
      printf '\t-%.0s' {1..19}
      printf '\n'
    done; } >g.tab3.txt
  round_trip BioGRID g.tab3.txt -c c.tsv -- --taxon 1 --system 'Affinity Capture-MS' \
    --names symbol -m red,blue
else
  skip 'no BioGRID format'
fi
