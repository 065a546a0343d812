# Prints the commands that record_outputs.sh records, one a line.  In a command, ms is the tool, em
# the tool on an emulated GPU, and in/ the folder of inputs.  "quick" prints a command that --quick
# runs, too; "full" prints one that it leaves out.
# shellcheck shell=bash disable=SC2016

quick() { printf 'quick\t%s\n' "$*"; }
full() { printf 'full\t%s\n' "$*"; }

# ---- motifs -----------------------------------------------------------------------
motif_cases() {
  local gc='in/g.tsv -c in/c.tsv' er='in/er.tsv -c in/erc2.tsv' form
  for form in '' --json --cx2 --dot '--cx2 --whole-graph' '--dot --whole-graph'; do
    quick "ms screen $gc -m red:2,blue $form"
    quick "ms list $gc -m red:2,blue $form"
    full "ms screen $er -m c0,c1:2,c2,c3 -r 5 $form -o out"
    full "ms list $er -m c0,c1,c2,c3,c4 -r 5 -r 17 $form -o out"
    full "ms list $er -m c0,c1,c2 -r 5 -x $form"
    full "ms screen in/oddc.tsv -c in/oddc.tsv -m red $form"
    full "ms list in/odd.tsv -c in/oddc.tsv -m red,blue,'*' -x $form"
    full "ms list $gc -m green:2 $form --fail-if-none"
    full "ms screen $gc -m green:2 $form --fail-if-none"
  done
  for form in '' --json '--per-vertex' '--per-vertex --json --top 2' '--primary-color' '--colors-only red,blue'; do
    quick "ms census $gc -k 3 $form"
    quick "ms census $gc -k 3 --permutations 5 --max-t $form"
    full "ms census $er -k 4 $form -o out"
  done
  for form in '' --json '--top 2' '--reference x' '--counts counts'; do
    full "ms compare $gc --metadata in/parts.tsv --group part --primary-color -k 2 --permutations 9 $form -o out"
  done
  for form in --cx2 --dot; do
    full "ms list $gc -m red,blue,green $form --match 2"
    full "ms list $gc -m red,blue,green $form --match 4"
    full "ms list $er -m c0,c1,c2 -x $form --match 100 -o drawing"
  done
  for form in out.tsv.gz out.tsv.zst out.json out.cx2; do
    full "ms list $er -m c0,c1,c2,c3 -r 5 -o $form"
    full "ms screen $er -m c0,c1,c2,c3 -r 5 -o $form"
    full "ms list $er -m c0,c1,c2,c3 -r 5 --json -o $form"
  done
  local motif
  for motif in red blue 'red:2' 'red,blue,green' 'green,*' '*' '*:3' 'blue:2,red:2' '*:6' 'red:3,*:2'; do
    full "ms list $gc -m '$motif'"
    full "ms list $gc -m '$motif' --exact"
    full "ms list $gc -m '$motif' --exact --count"
    full "ms list $gc -m '$motif' --count --json"
    full "ms screen $gc -m '$motif' --all"
    full "ms screen $gc -m '$motif' --no-prune --json"
    full "ms stats $gc -m '$motif'"
  done
  for motif in c0,c1 c0:3 c0,c1,c2,c3,c4 c0:2,c1:2 'c0,*:2,c4'; do
    quick "ms list $er -m '$motif' --count"
    full "ms list $er -m '$motif' --exact -o out"
    full "ms screen $er -m '$motif' --all -o out"
    full "ms screen $er -m '$motif' --all -j -o out"
  done
  full "ms screen $gc --motif-file in/m.txt"
  full "ms list $gc --motif-file in/m.txt -j"
  full "ms list $gc -m red:2,blue --nearest"
  full "ms list $er -m c0,c1,c2 --max-missing 1 --max-extra 1 -r 5 -j"
  full "ms screen $er -m c0,c1,c2 --max-missing 2 -r 5 -r 17"
  full "ms list $gc --motif-from in/v.txt --roles"
  full "ms screen $gc -m '!blue,red|green&!blue' --all"
  # the options of the sieve
  local option
  for option in '--recurrence sibling' '--recurrence classic' '--seed 7' '--seed 9223372036854775807' '--error 1e-9' \
    '--error 0.3' '--repetitions 1' '--repetitions 3 --seed 5' '--recurrence classic --repetitions 2 --seed 9' \
    '--recurrence classic --error 1e-9' '--no-prune' '--no-prune --recurrence classic' '-t 1' '-t 3' '--backend cpu' \
    '--backend auto' '--memory 1G' '--memory 4M'; do
    quick "ms screen $er -m c0,c1:2,c2:2,c3 --all $option"
    full "ms screen in/reg.tsv -c in/regc.tsv -m c0,c1,c2,c3,c4,c5,c6,c7,c8 --all $option"
    full "ms screen in/pl.tsv -c in/plc.tsv -m a:3,b:2,c $option"
    full "ms list in/pl.tsv -c in/plc.tsv -m a:3,b:2,c $option"
  done
  full "ms screen $er -m c0:3,c1:3,c2:3,c3:3 --repetitions 1 --all -r 5"
  full "ms screen in/reg.tsv -c in/regc.tsv -m c0:2,c1:2,c2:2,c3:2,c4:2,c5:2 --repetitions 1 --all"
  # every line type computes the same values
  local type
  for type in table bitslice64 bitslice256 gfni256 gfni512 neon; do
    quick "MOTIFSIEVE_GF2=$type ms screen $er -m c0,c1:2,c2,c3 --all --repetitions 2"
    full "MOTIFSIEVE_GF2=$type ms screen in/reg.tsv -c in/regc.tsv -m c0,c1,c2,c3,c4,c5,c6,c7 --all --repetitions 1 --no-prune"
    full "MOTIFSIEVE_GF2=$type ms screen in/reg.tsv -c in/regc.tsv -m c0,c1,c2,c3,c4,c5,c6 --all --repetitions 1 --no-prune --recurrence classic"
    full "MOTIFSIEVE_GF2=$type ms list $er -m c0,c1,c2,c3 -r 17"
  done
  # limits
  for option in 1 2 3 1000; do
    full "ms list $gc -m red,blue,green -x -l $option -t 1"
    full "ms list $gc -m red,blue,green -l $option -t 1 --json"
    full "ms list $er -m c0,c1,c2 -x -l $option -t 1 --count"
  done
  for option in 1K 64K 1M 16M; do
    full "ms list in/tiny.tsv -c in/tinyc.tsv -m '*:5' --exact --memory $option --count"
    full "ms screen $er -m '*:12' --memory $option --repetitions 1 >/dev/null"
  done
  quick "ms list in/pl.tsv -c in/plc.tsv -m a:3,b:2,c -x"
  full "ms list in/er.graphml -m c0:2 -r 5 -x"
  full "ms list in/er.graphml -m c0,c1 -x -o out"
  full "ms list in/er.msb -m c0,c1,c2 -x -o out"
  full "ms list in/er.msb -c in/erc.tsv -m c0,c1,c2 -x -o out"
  full "ms screen in/er.tve -m c0,c1,c2 -o out"
  full "ms list in/arcs.tsv --directed -c in/c.tsv -m red"
  full "ms list $gc --directed -m red,blue -x"
}

# ---- patterns ---------------------------------------------------------------------
pattern_cases() {
  local built_in pattern graph option form
  for built_in in triangle diamond house octahedron path:2 path:4 path:5 cycle:4 cycle:5 cycle:6 clique:4 clique:5 star:3 star:4 wheel:4 wheel:5; do
    quick "ms match in/k12.tsv $built_in --count"
    quick "ms match in/tiny.tsv $built_in"
    full "ms match in/tiny.tsv $built_in --count --json"
    full "ms match in/tiny.tsv $built_in --induced --embeddings -o out"
    full "ms match in/er.tsv $built_in --induced --count"
    full "ms match in/er.tsv $built_in --embeddings --count"
    full "ms match in/dense.tsv $built_in --count"
    full "ms match in/rmat9.tsv $built_in --count --induced"
    full "ms match in/tiny.tsv -c in/tinyc.tsv $built_in --pattern-colors <(printf '0\tc0\n1\tc1\n1\tc2\n') --screen never"
    full "ms match in/tiny.tsv -c in/tinyc.tsv $built_in --pattern-colors <(printf '0\tc0\n1\tc1\n1\tc2\n') --screen always"
    full "ms plan in/er.tsv $built_in"
    full "ms plan in/er.tsv $built_in --json --count"
    full "ms plan in/tiny.tsv -c in/tinyc.tsv $built_in --induced --embeddings --count"
    full "ms plan in/tiny.tsv -c in/tinyc.tsv $built_in --pattern-colors <(printf '0\tc0\n1\tc1\n1\tc2\n') -j"
  done
  for option in auto ri degree reuse; do
    for built_in in house cycle:5 diamond clique:4 wheel:5; do
      quick "ms match in/er.tsv $built_in --order $option --count"
      full "ms match in/tiny.tsv $built_in --order $option -t 1 | sorted"
      full "ms plan in/er.tsv $built_in --order $option --count"
      full "ms plan in/er.tsv $built_in --order $option --induced -j -o plan"
    done
  done
  for option in --subgraphs --embeddings '--induced' '--induced --embeddings'; do
    for pattern in house in/path.tsv 'in/path.tsv --directed' 'in/path.tve -c in/c.tsv' triangle \
      'in/path.tsv --pattern-colors in/path_colors.tsv -c in/c.tsv' 'in/path.tve -c in/c.tsv --screen always' \
      'in/path.tve -c in/c.tsv --screen never' 'triangle -c in/c.tsv --pattern-colors in/triangle_colors.tsv'; do
      for form in '' --json --binary --count '--count --json'; do quick "ms match in/g.tsv $pattern $option $form"; done
      full "ms plan in/g.tsv ${pattern/--screen*/} $option -j"
      full "ms plan in/g.tsv ${pattern/--screen*/} $option -n"
    done
    for pattern in cycle feed; do
      for form in '' --json --binary --count; do full "ms match in/arcs.tsv in/$pattern.tsv --directed $option $form"; done
      full "ms match in/rmat.tsv in/$pattern.tsv --directed $option --count"
      full "ms match in/er.tsv in/$pattern.tsv --directed $option"
      full "ms plan in/rmat.tsv in/$pattern.tsv --directed $option -n"
    done
  done
  for form in out out.gz out.zst '- --json' 'out --binary' 'out.gz --binary' 'out.zst --json'; do
    full "ms match in/er.tsv diamond -o $form"
    full "ms match in/odd.tsv triangle --embeddings -o $form"
  done
  for option in 1 7 100000; do
    for form in '' --json --binary --count '--count --json'; do full "ms match in/k12.tsv house --limit $option -t 1 $form"; done
  done
  for option in '-t 1' '-t 3' '--engine cpu' '--engine auto' '--engine gpu' '--engine dfs' '--memory 64K' '--memory 1M' \
    '--memory 64M' '--timeout 1h' '--fail-if-none' '--error 1e-9 --seed 4' '--devices 0'; do
    quick "ms match in/er.tsv house $option --count"
    full "ms match in/er.tsv clique:4 $option"
    full "ms match in/tiny.tsv -c in/tinyc.tsv triangle --pattern-colors in/triangle_colors.tsv $option"
    full "ms match in/er.tsv -c in/erc2.tsv triangle --pattern-colors <(printf '0\tc0\n1\tc1\n2\tc2\n') --screen always $option"
  done
  for option in portable avx2 avx512; do
    for built_in in triangle clique:4 house; do full "MOTIFSIEVE_SETS=$option ms match in/dense.tsv $built_in --count"; done
    full "MOTIFSIEVE_SETS=$option ms match in/er.tsv diamond --induced"
  done
  full "ms match in/g.tsv -c in/c.tsv in/pink.tve"
  full "ms match in/g.tsv in/any.tve -j"
  full "ms match in/g.tsv - <in/any.tve"
  full "ms match - triangle <in/g.tsv"
  full "ms match in/g.tsv clique:7"
  full "ms match in/g.tsv clique:4 --fail-if-none --count"
  full "ms match in/g.tsv -c in/c.tsv in/path.tve --pattern-format tve --count"
  full "ms match in/er.tve in/any.tve --count"
  full "ms match in/latin.tsv path:3"
  full "ms match in/latin.tsv path:3 --json"
  full "ms match in/star.tsv star:3 --count"
  full "ms match in/grid.tsv cycle:4 -o out"
  full "ms match in/grid.tsv cycle:6 --induced --count"
}

# ---- graphs with types ------------------------------------------------------------
typed_cases() {
  local v='(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' square='(a:C)-[CbG]-(g:G)-[GiG]-(h:G)-[GiG]-(i:G)-[CbG]-(a)' option form line matching
  for option in '' --embeddings --count '--count --json' --json '--embeddings --json' '--limit 2 -t 1' '--limit 2 -t 1 --count --json' \
    '--walk random' '--walk random --walk-length 40 --seed 7' '-t 3' --inexact '--inexact --best 3' '--inexact --json' \
    '--inexact --embeddings --best 40' '--inexact --walk random --walk-length 9 --seed 5 --best 5' '--memory 64K' '--fail-if-none'; do
    quick "ms match in/ring.sif '$v' $option"
    quick "ms match in/ring.sif in/triangle.txt $option"
    full "ms match in/ring.sif in/triangle.tsv $option"
    full "ms match in/ring.sif '$square' $option"
    full "ms match in/drugs.sif in/ring.pattern $option"
    full "ms match in/ring.sif '(:C)-[GiG]-(:G)' $option"
    full "ms match in/branch.tsv '(c)--(x)--(u), (c)--(y)--(v)' $option"
    for line in '(a:c0)-[t0]->(b:c1)' '(a)-[t0]->(b)-[t1]->(c)-[t2]-(a)' '(a:c0|c1)-[t0|t3]-(b:c2)-[t4]-(c)' '(a)-[t2]-(b)<-[t0]-(c:c3)' \
      '(a:c1)-->(b)-->(c:c2),(a)--(c)' '(a:c0)--(b:c0)--(c:c0)--(a)'; do
      full "ms match in/typed.tsv '$line' $option -o out"
      full "ms match in/typed_small.tsv '$line' $option -o out.gz"
    done
  done
  while IFS= read -r line; do
    quick "ms filter $line"
    matching=${line/ -p / }
    for form in '' ' --json' ' --count'; do quick "ms match $matching$form"; done
    full "ms filter $line -o part.tsv; ms components part.tsv; ms stats part.tsv; ms convert part.tsv --to tve; ms match $matching -o m.tsv"
    full "ms filter $line -o part.tsv.gz; ms filter $line -o part.tsv.zst"
  done <<'LINES'
in/het.tsv -p '(:Drug)-[DbG]-(:Gene)'
in/het.tsv -p '(:Gene)-[Gr>G]->(:Gene)' --format hetionet
in/het.tsv -p '(:Gene)<-[G<rG]-(:Gene)'
in/het.tsv -p '(:new)--(:gene)' --nodes in/kinds.tsv --node-column key --node-type-column class
in/het.tsv -p '(:one)--(:g)' --nodes in/kinds.tsv --node-column 1 --node-type-column label
in/net.blanks -p '()-[r]-()' --format sif
in/net.blanks -p '(:both)<-[r]-()' --format sif --directed --nodes in/ends.tsv
in/net.blanks -p '(:both)-[r-of]->()' --format sif --relations in/ways.tsv --nodes in/ends.tsv
in/table.tsv -p '(:X)-[r]-(:Y)' --source-column u --target-column v --type-column k --source-type-column ku --target-type-column kv
in/table.tsv -p '(:X)-->(:Y)' --source-column 1 --target-column 3 --type-column none --source-type-column 4 --target-type-column 5 --directed
in/named.tsv -p '()-[r]-()' --format table
in/plain.tsv -p '()--()' --format edge-list
in/plain.tsv -p '()--()' --header
in/plain.tsv -p '(:red)--(:blue)' -c in/kinds.csv --color-header
in/plain.tsv -p '(:1)--(:3)' -c in/kinds.csv --name-column name --color-column 3
in/er.tve -p '(:c0)--(:c1)--(:c2)' --color-format graph
in/links.txt -p '()--()' --min-score 500 --keep-taxon
in/two.tab3.txt -p '()--()' --taxon 9606 --names entrez
in/two.tab3.txt -p '()--()' --system physical
in/yy.tsv -p '(:`T:3`)--(:`T:4`)' -c in/a.gaf --color-format gaf
in/yy.tsv -p '(:excision)--(:copying)' -c in/a.gaf --obo in/t.obo
in/yy.tsv -p '(:repair)--(:process)' -c in/a.gaf --obo in/t.obo --slim small
in/yy.tsv -p '(:copying)--(:untyped)' -c in/a.gaf --obo in/t.obo --aspect F
in/yy.tsv -p '(:red)--(:blue)' -c in/byalias.tsv --alias in/aliases.tsv
in/ring.sif -p '(:C)-[CbX]-(:G)'
in/ring.sif -p '(:C)-[CbG]-(:Perpetuum)'
in/er.msb -p '(:c0)--(:c1)'
LINES
  full "ms match in/star.tsv --count '(h)-[r]-(a),(h)-[r]-(b),(h)-[r]-(c),(h)-[r]-(d),(h)-[r]-(e),(h)-[r]-(f),(h)-[r]-(g),(h)-[r]-(i),(h)-[r]-(j),(h)-[r]-(k)'"
  full "ms match - in/triangle.txt <in/ring.sif"
  full "ms match in/ring.sif - <in/triangle.txt"
  # paths
  for option in '' --json --lengths '--lengths --json' '--both-ways' '--max-length 2' '--types CbG' "--types 'CbG,GiG' --both-ways" '-t 1' '--fail-if-none'; do
    quick "ms path in/ring.sif C::0 C::3 $option"
    quick "ms path in/ring.sif --pairs in/pairs.tsv $option"
    full "ms path in/ring.sif --pairs - $option <in/pairs.tsv"
    full "ms path in/ring.sif --pairs in/pairs.tsv $option -o out.gz"
    full "ms path in/het.tsv Drug::1 Gene::2 ${option//[CG][bi]G/DbG}"
    local typed=${option//CbG/t0}
    typed=${typed//GiG/t1}
    [[ $option = *types* ]] || {
      full "ms path in/ring.txt -p in/ring_pairs.tsv $option -o out"
      full "ms path in/er.tsv 0 17 $option"
      full "ms path in/er.tsv 0 17 --directed $option"
      full "ms path in/sparse.tsv 0 2999 $option"
    }
    full "ms path in/typed.tsv 3 250 $typed"
    full "ms path in/typed.tsv 3 250 --directed $typed"
  done
  for option in "--types '\"^Gr>G\",DbG'" "--types 'Gr>G'" "--types 'Gr>G' --both-ways"; do
    full "ms path in/het.tsv Gene::2 Gene::1 $option"
    full "ms path in/het.tsv Gene::2 Gene::1 $option --json"
  done
  full "ms path in/plain.tsv A D -c in/kinds.csv --color-header"
}

# ---- components -------------------------------------------------------------------
components_cases() {
  local graph algorithm option
  for graph in parts sparse grid rmat; do
    for algorithm in afforest kahan bully; do
      for option in '' --count --sizes '--largest' '--min-size 3' '--json' '--json --sizes' '--json --count' '-n --min-size 4' \
        '--sizes --min-size 2 -t 1' '-o out.gz' '--largest --json -o out.zst'; do
        [ "$graph" != parts ] && full "ms components in/$graph.tsv --algorithm $algorithm $option"
        [ "$graph" = parts ] && quick "ms components in/$graph.tsv --algorithm $algorithm $option"
      done
    done
  done
  full "ms components in/odd.tsv --json"
  full "ms components in/latin.tsv"
  full "ms components in/latin.tsv --json"
  full "ms components - <in/g.tsv.gz"
}

# ---- reading and writing ----------------------------------------------------------
format_cases() {
  local to from option
  for to in edge-list string sif biogrid mitab matrix-market tve lad dimacs metis graphml binary table; do
    quick "ms convert in/g.tsv --to $to -o out"
    quick "ms convert in/er.tve --to $to -o out"
    full "ms convert in/g.tsv --to $to --map map -o out"
    full "ms convert in/g.tsv -c in/c.tsv --to $to -o out"
    full "ms convert in/er.tsv -c in/erc.tsv --to $to -o out"
    full "ms convert in/er.tsv -c in/erc2.tsv --to $to -o out.gz"
    full "ms convert in/er.tsv --to $to -o out.zst"
    full "ms convert in/odd.tsv -c in/oddc.tsv --to $to -o out"
    full "ms convert in/latin.tsv --to $to -o out"
    full "ms convert in/net.sif --to $to -o out"
    full "ms convert in/ring.sif --to $to -o out"
    full "ms gen er -n 50 --edges 80 --to $to -o out"
    full "ms gen er -n 50 --edges 80 --uniform-colors 3 --to $to -o out"
  done
  for to in tsv sif tab3.txt mitab mtx tve lad dimacs graph graphml msb tsv.gz mtx.zst; do
    full "ms convert in/er.tsv -o out.$to"
    for from in auto edge-list string sif biogrid mitab matrix-market tve lad dimacs metis graphml binary table hetionet; do
      full "ms convert in/er.$to --format $from --to edge-list"
    done
    quick "ms stats in/er.$to"
    full "ms stats in/er.$to --json --all"
    full "ms match in/er.$to triangle"
    full "ms components in/er.$to --sizes"
    full "ms match in/er.$to '(a)--(b)' --count"
    full "ms path in/er.$to 1 17"
    full "ms convert - --to edge-list <in/er.$to"
    full "gzip -c in/er.$to | ms convert - --to edge-list"
    full "zstd -qc in/er.$to >packed; ms convert packed --to edge-list"
  done
  while IFS= read -r option; do
    quick "ms convert $option --to edge-list"
    full "ms convert $option --to graphml"
    full "ms stats $option"
    full "ms components $option"
  done <<'LINES'
in/g.tsv.gz
in/g.tsv.zst
in/h.tsv
in/h.tsv --header
in/commas.csv
in/commas.csv --header
in/blanks.txt
in/links.txt
in/links.txt --min-score 400
in/links.txt --keep-taxon
in/links.txt --format edge-list
in/links.txt --format string --min-score 901
in/two.tab3.txt
in/two.tab3.txt --taxon 559292
in/two.tab3.txt --system Physical
in/two.tab3.txt --system 'dosage rescue'
in/two.tab3.txt --names entrez --taxon 9606
in/two.tab3.txt --names id
in/two.tab3.txt --names gene
in/two.tab3.txt --taxon 1
in/two.mitab
in/two.mitab --names gene
in/two.mitab --names symbol --taxon 9606
in/two.mitab --names id --system 'two hybrid'
in/two.mitab --names full
in/net.sif
in/net.sif --header
in/net.blanks --format sif
in/het.tsv
in/ring.sif
in/table.tsv
in/named.tsv
in/typed.tsv
in/parts.tsv
in/bad.tsv
in/bad.dimacs
in/bad.graph
in/bad.mtx
in/bad.graphml
in/bad.tve
in/bad.sif
in/bad.lad
in/cut.gz
in/cut.msb
in/lines.msb
in/empty.tsv
in/book.tsv
in/nowhere.tsv
in/
LINES
  # tables of edges with types, as colours
  full "ms convert in/het.tsv --nodes in/kinds.tsv --node-column key --node-type-column class --to tve"
  full "ms convert in/het.tsv --nodes in/kinds.tsv --node-column 1 --node-type-column label --to graphml"
  full "ms convert in/table.tsv --source-column u --target-column 3 --type-column none --source-type-column ku --target-type-column kv --to tve"
  full "ms convert in/net.blanks --format sif --relations in/ways.tsv --nodes in/ends.tsv --to graphml"
  # colour files
  while IFS= read -r option; do
    quick "ms stats $option"
    full "ms stats $option --json"
    full "ms screen $option -m '*' --all"
    full "ms convert $option --to graphml"
    full "ms match $option '(a)--(b)'"
    full "ms list $option -m '*:2' -x -o out; ms verify out $option"
  done <<'LINES'
in/g.tsv -c in/c.tsv
in/g.tsv -c in/c.tsv --color-format tsv
in/g.tsv -c in/c.tsv --color-header
in/g.tsv -c in/c.tsv --name-column 1 --color-column 2
in/g.tsv -c in/c.tsv --color-format gaf
in/g.tsv -c in/c.tsv --color-format go-slim
in/g.tsv -c in/badc.tsv
in/g.tsv -c in/hc.tsv --color-header
in/og.tsv -c in/oc.tsv
in/odd.tsv -c in/oddc.tsv
in/links.txt -c in/lc.tsv
in/links.txt -c in/lt.tsv --keep-taxon
in/yy.tsv -c in/slim.tab
in/yy.tsv -c in/slim.tab --aspect P
in/yy.tsv -c in/slim.tab --color-format go-slim --aspect FC
in/yy.tsv -c in/a.gaf
in/yy.tsv -c in/a.gaf --aspect P
in/yy.tsv -c in/a.gaf --obo in/t.obo
in/yy.tsv -c in/a.gaf --obo in/t.obo --slim small
in/yy.tsv -c in/a.gaf --obo in/t.obo --slim in/slim.txt
in/yy.tsv -c in/a.gaf --obo in/t.obo --slim nothing
in/yy.tsv -c in/a.gaf --obo in/bad.obo
in/yy.tsv -c in/a.gaf --slim small
in/yy.tsv -c in/nodes.csv --name-column name --color-column kind
in/yy.tsv -c in/nodes.csv --name-column 3 --color-column 2 --color-header
in/yy.tsv -c in/nodes.csv --name-column name --color-column king
in/yy.tsv -c in/byalias.tsv --alias in/aliases.tsv
in/yy.tsv -c in/byalias.tsv --alias in/badalias.tsv
in/er.tve
in/er.tve --color-format graph
in/er.msb
in/er.graphml
in/part.tsv
in/typed.tsv
LINES
  full "ms list in/g.tsv -c - -m red:2,blue -x <in/c.tsv"
  full "ms list - -c in/c.tsv -m red:2,blue -x <in/g.tsv.gz"
}

# ---- stats, gen -------------------------------------------------------------------
stats_gen_cases() {
  local graph family option
  for graph in g k5 er rmat grid sparse parts odd; do
    quick "ms stats in/$graph.tsv"
    full "ms stats in/$graph.tsv --json -o stats"
  done
  for option in '' --all --json '-t 1' '-o out.gz'; do
    full "ms stats in/g.tsv -c in/c.tsv -m green:2 $option"
    full "ms stats in/er.tsv -c in/erc2.tsv -m c0,c1,c2 $option"
    full "ms stats in/pl.tsv -c in/plc.tsv -m a:3,b:2,c $option"
    full "ms stats in/g.tsv -c in/c.tsv --motif-file in/m.txt $option"
  done
  while IFS= read -r family; do
    quick "ms gen $family --to edge-list"
    full "ms gen $family --seed 77 -t 3 -o out.msb"
    full "ms gen $family --seed 3 --uniform-colors 3 --colors-out c.tsv -o g.tsv.gz"
    full "ms gen $family --planted 'red:2,\"a,b\",*' --planted-out p.tsv --colors-out c.tsv -o g.tsv"
    full "ms gen $family --planted 4 --plants 2 --background random --planted-out p.tsv --colors-out c.tsv --prefix v -o g.graphml"
    full "ms gen $family --edge-types 3 --directed-types 1 --uniform-colors 2 -o t.tsv"
    full "ms gen $family --edge-types 2 -o t.tsv.zst"
  done <<'LINES'
regular -n 50 -d 4
power-law -n 50 --exponent -1 --max-degree 9
power-law -n 400 --exponent -1.5 --edges 1200
power-law -n 300 --exponent -2 -d 3 --max-degree 50
er -n 50 --edges 80
er -n 50 -d 3
er -n 50 --probability 0.1
clique -n 9
rmat --scale 6 --edges 100
rmat --scale 6 -d 3 --quadrants 0.25,0.25,0.25,0.25
grid --rows 6 --cols 7
grid --rows 6 --cols 7 --removed 0 --diagonals 1
hubs -n 200 -d 8 --exponent -1 --classes 20
LINES
}

# ---- verify -----------------------------------------------------------------------
# verify_copies NAME COPIES INPUTS: verifies a result and the copies that damage_result.py made
verify_copies() {
  local name=$1 copies=$2 inputs=$3 number
  quick "ms verify in/$name $inputs"
  quick "ms verify in/$name $inputs --json --no-recount"
  full "ms verify in/$name $inputs --recount --json -o verdict"
  for ((number = 0; number < copies; number++)); do full "ms verify in/damaged.$name.$number $inputs"; done
}

verify_cases() {
  local gc='in/g.tsv -c in/c.tsv' form name
  verify_copies r_list.tsv 40 "$gc"
  verify_copies r_list.json 40 "$gc"
  verify_copies r_exact.tsv 30 'in/er.tsv -c in/erc2.tsv'
  verify_copies r_exact.json 30 'in/er.tsv -c in/erc2.tsv'
  verify_copies r_screen.tsv 40 "$gc"
  verify_copies r_screen.json 40 "$gc"
  verify_copies r_all.tsv 30 "$gc"
  verify_copies r_limit.tsv 12 "$gc"
  verify_copies r_alias.tsv 12 'in/yy.tsv --alias in/aliases.tsv -c in/byalias.tsv'
  verify_copies r_gaf.tsv 12 'in/yy.tsv -c in/a.gaf --obo in/t.obo'
  verify_copies r_tve.tsv 12 'in/er.tve'
  for form in tsv json bin; do
    verify_copies p_diamond.$form 40 'in/k5.tsv -p diamond'
    verify_copies p_house.$form 30 'in/tiny.tsv -p house'
    verify_copies p_path.$form 40 "$gc -p in/path.tve"
    verify_copies p_screened.$form 20 "$gc -p in/path.tve"
    verify_copies p_colors.$form 20 "$gc -p in/path.tsv --pattern-colors in/path_colors.tsv"
    verify_copies p_cycle.$form 20 'in/arcs.tsv -p in/cycle.tsv'
    verify_copies p_limit.$form 12 'in/k12.tsv -p house'
    [ $form = bin ] && continue
    verify_copies t_ring.$form 40 'in/ring.sif -p in/triangle.txt'
    verify_copies t_v.$form 40 "in/ring.sif -p '(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'"
    verify_copies t_directed.$form 20 "in/net.blanks --nodes in/ends.tsv --relations in/ways.tsv -p '(x:both)-[s]->(y)'"
    verify_copies t_plain.$form 20 "in/plain.tsv -c in/kinds.csv -p '(:red)--(:blue)'"
    verify_copies t_limit.$form 12 "in/ring.sif -p '(a:C)-[CbG]-(g:G)-[CbG]-(b:C)'"
  done
  for name in "near.tsv in/ring.sif -p in/triangle.txt" "r.cx2 $gc" "r.dot $gc" "r_list.tsv.gz $gc" "r_list.json.zst $gc" "g.tsv $gc" "empty.tsv $gc" \
    "nowhere.tsv $gc" 'r_list.tsv in/er.tsv -c in/c.tsv' 'r_list.tsv in/g.tsv' 'r_list.tsv in/g.tsv -c in/lc.tsv' \
    "r_list.tsv $gc --alias in/aliases.tsv" "r_list.tsv $gc -p triangle" 'p_diamond.tsv in/k5.tsv' 'p_diamond.tsv in/k5.tsv -p cycle:4' \
    'p_diamond.tsv in/k12.tsv -p diamond' 'p_diamond.bin in/k5.tsv -p path:3' "p_colors.tsv $gc -p in/path.tsv" "p_colors.json $gc -p in/cycle.tsv --pattern-colors in/path_colors.tsv" \
    'r_gaf.tsv in/yy.tsv -c in/a.gaf' 'r_alias.tsv in/yy.tsv -c in/byalias.tsv' "t_v.tsv in/ring.sif -p '(a)--(b)'" 't_ring.tsv in/het.tsv -p in/triangle.txt' \
    "t_directed.tsv in/net.blanks --relations in/ways.tsv -p '(x:both)-[s]->(y)'" 't_ring.json in/ring.sif'; do
    quick "ms verify in/$name"
  done
  full "ms verify - $gc <in/r_list.tsv.gz"
  # searches whose result is verified at once
  while IFS= read -r name; do
    for form in '' --json --binary; do
      full "ms ${name%%@*} $form -o result && ms verify result ${name#*@}"
      full "ms ${name%%@*} $form -o result && ms verify result ${name#*@} --recount --json"
    done
  done <<'LINES'
list in/er.tsv -c in/erc2.tsv -m c0,c1,c2,c3 -r 4 @in/er.tsv -c in/erc2.tsv
screen in/er.tsv -c in/erc2.tsv -m c0,c1,c2 @in/er.tsv -c in/erc2.tsv
match in/er.tsv house --induced @in/er.tsv -p house
match in/er.tsv -c in/erc2.tsv triangle --pattern-colors in/tri.tsv @in/er.tsv -c in/erc2.tsv -p triangle --pattern-colors in/tri.tsv
match in/rmat.tsv in/feed.tsv --directed --induced @in/rmat.tsv -p in/feed.tsv
match in/er.tve in/any.tve --embeddings @in/er.tve -p in/any.tve
match in/typed.tsv '(a:c0)-[t0]->(b:c1)-[t1]->(c)' @in/typed.tsv -p '(a:c0)-[t0]->(b:c1)-[t1]->(c)'
match in/typed_small.tsv '(a)-[t0]->(b)-[t1]->(c)--(a)' --embeddings @in/typed_small.tsv -p '(a)-[t0]->(b)-[t1]->(c)--(a)'
LINES
}

# ---- wrong usage: exit statuses, nothing on standard output ---------------------------
usage_cases() {
  local line
  while IFS= read -r line; do quick "ms $line"; done <<'LINES'
scren
--version
screen
screen in/g.tsv -m red
screen in/g.tsv -c in/c.tsv
screen in/g.tsv -c in/c.tsv -m red --motif-file in/m.txt
screen in/g.tsv -c in/c.tsv -m red --quiet --verbose
screen in/g.tsv -c in/c.tsv -m red -m blue
list in/g.tsv -c in/c.tsv -m red --json --cx2
list in/g.tsv -c in/c.tsv -m red --json --dot
list in/g.tsv -c in/c.tsv -m red --match 1
list in/g.tsv -c in/c.tsv -m red --dot --match 1 --whole-graph
list in/g.tsv -c in/c.tsv -m red --cx2 --count
screen in/g.tsv -c in/c.tsv -m red --dot --all
screen in/g.tsv -c in/c.tsv -m red --dot --match 1
list in/g.tsv -c in/c.tsv -m red more.tsv
screen in/g.tsv --colurs in/c.tsv
list in/g.tsv -c in/c.tsv -m red --all
list in/g.tsv -c in/c.tsv -m red -Z
list in/g.tsv -c in/c.tsv --motif
list in/g.tsv -c in/c.tsv -m red --exact=1
screen in/g.tsv -c in/c.tsv -m red --error 1
screen in/g.tsv -c in/c.tsv -m red --error nan
screen in/g.tsv -c in/c.tsv -m red --repetitions 0
list in/g.tsv -c in/c.tsv -m red --limit 1.5
list in/g.tsv -c in/c.tsv -m red --threads -1
screen in/g.tsv -c in/c.tsv -m red --seed 18446744073709551616
screen in/g.tsv -c in/c.tsv -m red --memory 4Q
screen in/g.tsv -c in/c.tsv -m red --timeout 5x
screen in/g.tsv -c in/c.tsv -m red --recurrence fast
screen in/g.tsv -c in/c.tsv -m red --format csv
screen in/g.tsv -c in/c.tsv -m red --color-format xml
screen in/g.tsv -c in/c.tsv -m red --aspect PX
screen in/g.tsv -c in/c.tsv -m red --min-score 400
screen in/g.tsv -c in/c.tsv -m red --backend gpu
screen in/g.tsv -c in/c.tsv -m red --backend cpu --devices 0
screen in/g.tsv -c in/c.tsv -m red --devices 3,0,3
screen - --colors - -m red
screen in/g.tsv -c in/c.tsv -m rde
screen in/g.tsv -c in/c.tsv -m red:
screen in/g.tsv -c in/c.tsv -m red:0
screen in/g.tsv -c in/c.tsv -m red,,blue
screen in/g.tsv -c in/c.tsv -m '"red'
screen in/g.tsv -c in/c.tsv -m '*:33'
screen in/g.tsv -c in/c.tsv -m red --require nobody
screen in/g.tsv -c in/c.tsv --motif-file in/badm.txt
screen in/g.tsv -c in/c.tsv --motif-file in/blank.motif
screen in/g.tsv -c in/c.tsv --motif-file in/nowhere.txt
screen in/g.tsv -c in/yy.tsv -m red
list in/g.tsv -c in/c.tsv
plan in/g.tsv
plan triangle
match in/g.tsv -c in/c.tsv -m red triangle
match in/g.tsv triangle path:3
match in/g.tsv triangle --exact
match in/g.tsv triangle --require a
match in/g.tsv triangle --no-prune
match in/g.tsv triangle --cx2
list in/g.tsv -c in/c.tsv -m red --induced
list in/g.tsv -c in/c.tsv -m red --binary
list in/g.tsv -c in/c.tsv -m red --order ri
list in/g.tsv -c in/c.tsv -m red --screen never
list in/g.tsv -c in/c.tsv -m red --engine cpu
match in/g.tsv triangle --embeddings --subgraphs
match in/g.tsv triangle --binary --json
match in/g.tsv triangle --order fast
match in/g.tsv triangle --engine fast
match - -
match in/g.tsv trianglee
match in/g.tsv cycle:2
match in/g.tsv no/thing
match in/g.tsv in/path.tve
match in/g.tsv in/bad.tve
match in/g.tsv triangle --pattern-format tve
match in/g.tsv -c in/c.tsv triangle --pattern-colors in/path_colors.tsv
plan in/g.tsv triangle --limit 3
match in/ring.sif
match in/ring.sif ''
match in/ring.sif '(:C)-[CbG(:G)'
match in/ring.sif '(a)<-[GiG]->(b)'
match in/ring.sif '(a:C)--(:G)--(a:G)'
match in/ring.sif '(a: |b)'
match in/ring.sif in/bad_pattern.txt
match in/ring.sif in/empty.tsv
match in/ring.sif in/nowhere.txt
match in/ring.sif '(a)' -c in/kinds.csv
match in/ring.sif '(a)' --nodes in/nowhere.tsv
match in/ring.sif '(a)' --format gexf
match in/ring.sif '(a)' --exact --inexact
match in/ring.sif '(a)' --best 3
match in/ring.sif '(a)' --walk-length 9
match in/ring.sif '(a)' --inexact --count
match in/ring.sif '(a:C), (b:G)' --inexact
match in/ring.sif '(a:C), (b:G)'
match in/ring.sif '(a:C)'
filter in/ring.sif
filter in/ring.sif -p '(a)' --limit 3
path in/ring.sif
path in/ring.sif C::0
path in/ring.sif C::0 C::1 C::2
path in/ring.sif C::0 X
path in/ring.sif C::0 C::1 --types CbX
path in/ring.sif C::0 C::1 --types '"CbG'
path in/ring.sif C::0 C::1 --max-length 0
path in/ring.sif --pairs in/bad_pairs.tsv
path in/ring.sif --pairs in/nowhere.tsv
components
components in/parts.tsv --count --sizes
components in/parts.tsv --largest --min-size 2
components in/parts.tsv --algorithm fast
components in/parts.tsv --min-size 0
components in/parts.tsv --colors in/c.tsv
convert in/g.tsv
convert in/g.tsv -o out.string --to string
convert in/g.tsv --to metis --map z.graph -o ./z.graph
convert in/g.tsv -o no/such/folder.tsv
convert in/g.tsv -c in/c.tsv --to tve
convert in/g.tsv --to graphml --map map -o out
gen
gen regulr -n 5 -d 2
gen clique -n 5
gen clique -n 5 --to string
gen er --edges 5 --to edge-list
gen er -n 5 --edges 5 --rows 2 --to edge-list
gen regular -n 5 -d 3 --to edge-list
gen er -n 5 --edges 11 --to edge-list
gen power-law -n 50 --exponent 2.5 --edges 100 --to edge-list
gen rmat --scale 3 --edges 3 --quadrants 1 --to edge-list
gen clique -n 50 --planted 33 --to edge-list
gen clique -n 50 --planted 3 --background 0 --to edge-list
gen clique -n 50 --plants 3 --to edge-list
gen clique -n 50 --colors-out x.tsv --to edge-list
gen clique -n 50 --uniform-colors 3 --to edge-list
gen er -n 1000 --edges 9000 --memory 1K --to edge-list
gen er -n 9 --edges 9 --directed-types 1
gen er -n 9 --edges 9 --edge-types 2 --to sif
stats
stats in/g.tsv -m red
stats in/g.tsv -c in/c.tsv -m rde
stats in/latin.tsv --json
verify
verify in/r_list.tsv
verify in/r_list.tsv in/g.tsv -c in/c.tsv --cx2
verify in/r_list.tsv in/g.tsv -c in/c.tsv --pattern-colors in/c.tsv
bench
bench gf2 --backend both
bench sieve --family grid
bench sieve -n 5 -d 2 -k 20 --backend cpu
list in/g.tsv -c in/c.tsv -m red -o /dev/full
match in/k12.tsv house -o /dev/full
match in/ring.sif in/triangle.txt -o /dev/full
components in/parts.tsv -o /dev/full
stats in/g.tsv -o /dev/full
LINES
  quick "MOTIFSIEVE_GF2=abacus ms screen in/g.tsv -c in/c.tsv -m red"
  quick "MOTIFSIEVE_SETS=abacus ms match in/g.tsv triangle --count"
  full "ms list in/g.tsv -c in/c.tsv -m red >/dev/full"
}

# ---- engines for GPUs, emulated -----------------------------------------------------
emulated_cases() {
  local engine built_in option
  for engine in dfs trie reuse flood gpu; do
    for built_in in triangle diamond house clique:4 cycle:4 cycle:5 path:4 star:3 wheel:4 octahedron; do
      quick "em match in/tiny.tsv $built_in --engine $engine --count"
      full "em match in/tiny.tsv $built_in --engine $engine | sorted"
      full "em match in/tiny.tsv $built_in --engine $engine --induced --count --json"
      full "em match in/tiny.tsv $built_in --engine $engine --induced --embeddings | sorted"
      full "em match in/k12.tsv $built_in --engine $engine --count"
      full "em match in/tiny.tsv -c in/tinyc.tsv $built_in --pattern-colors in/tri.tsv --engine $engine --screen never | sorted"
      full "em plan in/tiny.tsv $built_in --count"
      full "em plan in/tiny.tsv $built_in --json"
    done
    for option in 'in/cycle.tsv --directed' 'in/feed.tsv --directed --induced' 'in/path.tsv --directed --embeddings'; do
      quick "em match in/rmat_small.tsv $option --engine $engine --count"
      full "em match in/rmat_small.tsv $option --engine $engine | sorted"
    done
    full "em match in/g.tsv -c in/c.tsv in/path.tve --engine $engine --screen never | sorted"
    full "em match in/er.tsv triangle --engine $engine --count"
    full "em match in/er.tsv house --engine $engine --count"
    full "em match in/tiny.tsv house --engine $engine --json | grep -o '\"vertices\":.*' | sort"
    full "em match in/tiny.tsv house --engine $engine --binary -o rows && em verify rows in/tiny.tsv -p house; rm rows"
    full "em match in/tiny.tsv house --engine $engine -o rows && ms verify rows in/tiny.tsv -p house --json; rm rows"
    full "em match in/tiny.tsv house --engine $engine --limit 7 | grep -c '^[0-9]'"
    full "MOTIFSIEVE_GPU_MEMORY=4M em match in/tiny.tsv house --engine $engine --count"
    full "MOTIFSIEVE_GPU_MEMORY=64K em match in/tiny.tsv house --engine $engine --count"
    full "MOTIFSIEVE_GPU_MEMORY=1K em match in/tiny.tsv house --engine $engine --count"
  done
  full "em screen in/g.tsv -c in/c.tsv -m red:2,blue --backend cpu"
}

# ---- the examples, and real networks --------------------------------------------------
real_cases() {
  local motif option number query
  local yeast='in/yeast.gz -c in/slim.gz'
  for motif in arp2-3 cog exocyst ost tfiih; do
    full "ms screen $yeast --motif-file in/$motif.motif -o out"
    full "ms screen $yeast --motif-file in/$motif.motif --recurrence classic --repetitions 1 --all -o out"
    full "ms stats $yeast --motif-file in/$motif.motif --all"
  done
  full "ms list $yeast --motif-file in/ost.motif -r YGL022W -r YGL226C-A -o out"
  full "ms list $yeast --motif-file in/ost.motif -r YGL022W -r YGL226C-A --exact --count"
  full "ms list $yeast --motif-file in/ost.motif -r YGL022W -r YGL226C-A -o out && ms verify out $yeast --no-recount"
  full "ms match $yeast in/ring.tsv --pattern-colors in/ring_colors.tsv"
  full "ms match $yeast in/ring.tsv --pattern-colors in/ring_colors.tsv --induced -o out && ms verify out $yeast -p in/ring.tsv --pattern-colors in/ring_colors.tsv --no-recount"
  full "ms plan $yeast in/ring.tsv --pattern-colors in/ring_colors.tsv -n"
  full "ms stats $yeast --json"
  full "ms components in/yeast.gz --count"
  full "ms convert $yeast -o out.msb"
  full "ms path in/drugs.sif Compound::dasatinib Disease::GIST"
  [ -n "$data" ] || return
  full "ms stats in/string.gz --min-score 400 -c in/slim.gz"
  full "ms convert in/string.gz --min-score 900 -o out.tsv"
  full "ms stats in/string.gz --min-score 900 --alias in/string_aliases.gz -c in/slim.gz"
  full "ms screen in/string.gz --min-score 400 -c in/slim.gz -m 'protein glycosylation:7,peptidyl-amino acid modification,Golgi apparatus' -o out"
  full "ms screen in/human.tsv -c in/human_colors.tsv -m 'cell surface,\"extracellular space\":2,gene silencing by miRNA,centrosome' -o out"
  full "ms stats in/human.tsv -c in/human_colors.tsv"
  for number in triangle clique:4 cycle:4 diamond star:3 path:4; do
    full "ms match in/facebook.gz $number --count"
    full "ms match in/wiki.gz $number --count"
    full "ms match in/yeast.gz $number --count --json"
  done
  for number in triangle clique:4; do full "ms match in/wiki.gz $number --induced --count; ms plan in/wiki.gz $number -n"; done
  full "ms match in/wiki.gz in/cycle.tsv --directed --count"
  full "ms match in/wiki.gz in/feed.tsv --directed --induced --count"
  full "ms match in/road.gz triangle -o out"
  for option in afforest kahan bully; do full "ms components in/road.gz --algorithm $option --sizes"; done
  full "ms components in/road.gz --largest --json -o out.gz"
  full "ms path in/road.gz 1 100000"
  for number in 1 2 3 4 5; do
    for query in dense_16 sparse_16 dense_24 sparse_24; do
      full "ms match in/lyeast.graph in/ly_${query}_$number.graph --count --screen never --limit 100000 -t 1"
      full "ms match in/lyeast.graph in/ly_${query}_$number.graph -l 1000 -t 1 --embeddings -o out"
    done
    full "ms match in/lyeast.graph in/ly_dense_16_$number.graph --limit 5000 -t 1 --binary -o out"
    full "ms match in/lyeast.graph in/ly_dense_16_$number.graph --induced -o out --limit 5000 -t 1; ms verify out in/lyeast.graph -p in/ly_dense_16_$number.graph --no-recount"
    full "ms plan in/lyeast.graph in/ly_sparse_16_$number.graph --json"
    full "ms match in/wordnet.graph in/wn_dense_4_$number.graph --count"
  done
  for number in 57 67 69 73; do
    full "ms match in/appagato.tve in/appagato_$number.tve --count"
    full "ms match in/appagato.tve in/appagato_$number.tve --screen always --limit 2000 -t 1 -o out"
    full "ms match in/appagato.tve in/appagato_$number.tve --limit 2000 -t 1 -o out"
  done
  for number in 2 3 4 5 6 7; do
    for option in 3 4 5 8; do full "ms match in/g$option.lad in/g$number.lad --count --timeout 1h --limit 100000 -t 1"; done
    full "ms convert in/g$number.lad --to dimacs"
  done
  hetionet_cases
}

hetionet_cases() {
  local het='in/hetionet.gz --nodes in/hetionet_nodes.gz' pattern option
  while IFS= read -r pattern; do
    for option in '' --count '--embeddings --count --json' --json '--inexact --best 20'; do full "ms match $het '$pattern' $option -o out"; done
    full "ms filter $het -p '$pattern' -o part.tsv"
    full "ms match $het '$pattern' -o out.gz && ms verify out.gz $het -p '$pattern' --no-recount"
  done <<'LINES'
(c:Compound)-[CbG]-(g:Gene)-[DaG]-(d:Disease)
(c:Compound)-[CtD]-(d:Disease)-[DrD]-(e:Disease)
(a:Gene)-[Gr>G]->(b:Gene)-[GiG]-(c:Gene)
(c:Compound)-[CbG|CuG|CdG]-(g:Gene)-[DaG]-(d:Disease)-[CtD]-(c)
LINES
  full "ms path $het Compound::DB00563 Disease::DOID:7148 --types CbG,DaG"
  full "ms path $het Compound::DB00563 Disease::DOID:7148 --both-ways --json"
  full "ms components in/hetionet.gz --sizes"
  full "ms stats $het --all"
  full "ms convert $het --to tve"
  full "ms screen in/hetionet.gz -m Compound,Gene:2,Disease --repetitions 1 -o out"
}

all_cases() {
  usage_cases
  motif_cases
  pattern_cases
  typed_cases
  components_cases
  format_cases
  stats_gen_cases
  verify_cases
  emulated_cases
  real_cases
}
