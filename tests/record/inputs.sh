# Makes the inputs of the recorded commands in the current folder.  record_outputs.sh sources this
# file and defines the function ms (the tool), $data (the folder of real networks, or empty) and
# $tests (the folder of the tests).
# shellcheck shell=bash disable=SC2154

# ---- small examples, by hand ----------------------------------------------------
#   a - b - c      triangle b c d; a red, b blue, c red, d green or blue, e red, f none
#        \  |
#          d - e - f
small_inputs() {
  printf '# a comment\na\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\nd\td\nb\ta\n' >g.tsv
  printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\nzz\tred\n' >c.tsv
  printf 'red\t2\nblue\n' >m.txt
  printf 'who\tpart\na\tx\nb\tx\nc\ty\nd\ty\n' >parts.tsv
  printf 'a\nd\n' >v.txt
  printf 'red 2\n' >blank.motif
  gzip -nc g.tsv >g.tsv.gz
  zstd -qc g.tsv >g.tsv.zst
  printf 'from\tto\na\tb\n' >h.tsv
  printf 'name\tcolour\na\tred\nb\tblue\n' >hc.tsv
  printf 'a,b\nb,c\n"c,1",a\n' >commas.csv
  printf 'a b 0.5\nb   c 1\n' >blanks.txt
  printf 'p,x\tred\nq\tred:ish\nr\t"odd"\n' >oc.tsv
  printf 'p,x\tq\nq\tr\n' >og.tsv
  printf 'a"\tb\\\nb\\\t,\n,\ta"\n,\t \xc3\xa9\n' >odd.tsv
  printf 'a"\tred\nb\\\tblue\n,\tred\n\xc3\xa9\tblue\n' >oddc.tsv
  printf 'a\tb\xff\nb\xff\tc\n' >latin.tsv
  printf 'protein1 protein2 combined_score\n1.a 1.b 900\n1.b 1.a 900\n1.b 1.c 300\n' >links.txt
  printf 'a\tred\nb\tblue\nc\tred\n' >lc.tsv
  printf '1.a\tred\n1.b\tblue\n' >lt.tsv
  printf 'YA\tYB\n' >yy.tsv
  printf 'YA\tA1\tS1\tP\tDNA repair\tGO:0006281\tORF|Verified\nYB\tB1\tS2\tF\tDNA binding\tGO:0003677\tORF|Verified\n' >slim.tab
  printf '"SUID","kind","name"\n1,"red, dark",YA\n2,,YB\n' >nodes.csv
  printf 'YA\tRAD1\nRAD2\tYB\nYA\tboth\nYB\tboth\n' >aliases.tsv
  printf 'RAD1\tred\nRAD2\tblue\n' >byalias.tsv
  # a path of three with one red end; the same as an edge list with colours apart
  printf 't 3 2\nv 0 red 1\nv 1 blue 2\nv 2 * 1\ne 0 1\ne 1 2\n' >path.tve
  printf 'x\ty\ny\tz\n' >path.tsv
  printf 'x\tred\ny\tblue\n' >path_colors.tsv
  printf '0\tblue\n1\tblue\n2\t*\n' >triangle_colors.tsv
  printf 't 3 3\nv 0 * 2\nv 1 * 2\nv 2 * 2\ne 0 1\ne 1 2\ne 0 2\n' >any.tve
  printf 't 2 1\nv 0 red 1\nv 1 pink 1\ne 0 1\n' >pink.tve
  printf 'p\tq\nq\tr\nr\tp\nq\tp\nr\ts\n' >arcs.tsv
  printf '0\t1\n1\t2\n2\t0\n' >cycle.tsv
  printf '0\t1\n1\t2\n0\t2\n' >feed.tsv
  printf 'x\ty\nc\ta\na\tb\nq\tp\np\tr\nr\tq\nk\tl\nl\tm\nm\tn\nk\tn\n' >parts.tsv
  # files that the tool refuses
  printf 'a\tb\nlonely\n' >bad.tsv
  printf 'a\tred\nb\n' >badc.tsv
  printf 'red\tmany\n' >badm.txt
  printf 'p edge 2 1\ne 1 3\n' >bad.dimacs
  printf '2 1\n2\n\n' >bad.graph
  printf '%%%%MatrixMarket matrix array real general\n1 1\n0\n' >bad.mtx
  printf '<graphml>\n<graph><node id="a"></graph></graphml>' >bad.graphml
  printf 't 4 3\nv 0 1 1\nv 1 2 3\nv 2 1 1\nv 3 3 2\ne 0 1\ne 1 2\ne 1 3\n' >bad.tve
  printf 'bad\tpp\n' >bad.sif
  printf '3\n1 1\n2 0\n' >bad.lad
  printf 'not an ontology\n' >bad.obo
  printf 'YA\tRAD1\nYB\n' >badalias.tsv
  head -c 30 g.tsv.gz >cut.gz
  : >empty.tsv
  printf 'PK\003\004\024\0\0\0' >book.tsv
}

annotation_inputs() {
  gaf_line() { printf 'SGD\t%s\t%s\t%s\t%s\tPMID:1\tIEA\t\t%s\t\t%s\tprotein\ttaxon:4932\t20200101\tSGD\t\t\n' "$@"; }
  {
    printf '!gaf-version: 2.2\n'
    gaf_line S1 RAD1 involved_in T:3 P 'YA|other'
    gaf_line S2 YB involved_in T:4 P ''
    gaf_line S2 YB 'NOT|involved_in' T:3 P ''
    gaf_line S2 YB enables T:9 F ''
  } >a.gaf
  printf '%s\n' 'format-version: 1.2' 'subsetdef: small "A small slim"' \
    '[Term]' 'id: T:1' 'name: process' 'subset: small' \
    '[Term]' 'id: T:2' 'name: repair' 'subset: small' 'is_a: T:1 ! process' \
    '[Term]' 'id: T:3' 'name: excision' 'relationship: part_of T:2 ! repair' \
    '[Term]' 'id: T:4' 'name: copying' 'is_a: T:1' >t.obo
  printf 'repair\n' >slim.txt
  printf 'a\tpp\tb\tc\nb b\tpd\tc\nalone\n' >net.sif
  awk 'BEGIN { OFS = "\t"
    print "#BioGRID Interaction ID", "Entrez Gene Interactor A", "Entrez Gene Interactor B",
      "Official Symbol Interactor A", "Official Symbol Interactor B", "Experimental System",
      "Experimental System Type", "Organism ID Interactor A", "Organism ID Interactor B"
    print 1, 11, 12, "H1", "H2", "Two-hybrid", "physical", 9606, 9606
    print 2, 21, 22, "Y1", "Y2", "Dosage Rescue", "genetic", 559292, 559292
    print 3, 11, 21, "H1", "Y1", "FRET", "physical", 9606, 559292 }' >two.tab3.txt
  printf 'uniprotkb:%s\tuniprotkb:%s\t-\t-\tuniprotkb:%s(gene name)\tuniprotkb:%s(gene name)\tpsi-mi:"MI:%s"(two hybrid)\t-\t-\ttaxid:%s(x)\ttaxid:%s(x)\t-\t-\t-\t-\n' \
    P1 P2 H1 H2 0018 9606 9606 P2 P3 H2 H3 0018 9606 9606 P3 P4 H3 H4 0004 9606 4932 >two.mitab
}

typed_inputs() {
  printf 'source\tmetaedge\ttarget\nDrug::1\tDbG\tGene::1\nGene::1\tGr>G\tGene::2\nDrug::2\tDbG\tGene::2\nDrug::1\tDrD\tDrug::2\n' >het.tsv
  printf 'key\tlabel\tclass\nDrug::1\tone\told\nDrug::2\ttwo\tnew\nGene::1\tg\tgene\nGene::2\th\tgene\n' >kinds.tsv
  printf 'a r b\nb s c\nb r d e\n' >net.blanks
  printf 'id\tkind\na\tout\nb\tboth\n' >ends.tsv
  printf 'r\tr-of\ns\ts\n' >ways.tsv
  printf 'u\tk\tv\tku\tkv\na\tr\tb\tX\tY\nb\tr\tc\tY\tX\nc\ts\ta\tX\tX\n' >table.tsv
  printf 'source\ttype\ttarget\nx\tr\ty\n' >named.tsv
  printf 'A\tB\nA\tC\nC\tD\n' >plain.tsv
  printf 'name,kind,other\nA,red,1\nB,blue,2\nC,red,3\nD,blue,4\n' >kinds.csv
  printf 'source\tmetaedge\ttarget\n' >ring.sif
  awk -v n=5 'BEGIN { for (i = 0; i < n; i++) { j = (i + 1) % n
    printf "C::%d\tCbG\tG::%d\nC::%d\tCbG\tG::%d\nG::%d\tGiG\tG::%d\n", i, i, i, j, i, j } }' >>ring.sif
  printf '# a triangle\r\n(c:C)-[CbG]-(g:G)\r\n\r\n(g)-[GiG]-(h:G)-[CbG]-(c)\r\n' >triangle.txt
  printf 'source\ttype\ttarget\tsource_type\ttarget_type\nc\tCbG\tg\tC\tG\ng\t*\th\tG\tG\nh\tCbG\tc\tG\tC\n' >triangle.tsv
  printf 'C\tX\nX\tU\nX\tV\n' >branch.tsv
  awk 'BEGIN { print "source\ttype\ttarget"; for (i = 0; i < 1000; i++) print "hub\tr\tleaf" i }' >star.tsv
  printf '# pairs\nC::0\tC::3\nC::0\tG::4\n\nG::1\tG::1\nG::4\tC::2\n' >pairs.tsv
  for ((i = 0; i < 3000; i++)); do echo "v$i v$(((i * 7 + 1) % 3000))"; done >ring.txt
  for ((i = 0; i < 3000; i++)); do printf 'v%d\tv%d\n' "$i" $(((i * i + 5) % 3000)); done >ring_pairs.tsv
  printf 'G::1\n' >bad_pairs.tsv
  printf '# one\n(a:C)-[CbG]-(b:G)\n(b)-[GiG]-(c:G\n' >bad_pattern.txt
}

# ---- random graphs --------------------------------------------------------------
complete() {
  local n=$1 i j
  for ((i = 0; i < n; i++)); do for ((j = i + 1; j < n; j++)); do printf 'v%d\tv%d\n' "$i" "$j"; done; done
}

random_inputs() {
  complete 5 >k5.tsv
  complete 12 >k12.tsv
  ms gen er -n 40 --edges 120 --seed 3 --uniform-colors 3 --colors-out tinyc.tsv -o tiny.tsv
  ms gen er -n 300 --edges 1200 --seed 1 --uniform-colors 5 --colors-out erc.tsv -o er.tsv
  awk -F '\t' 'NR % 3 == 0 { print $1 "\tc" (NR * 7) % 5 }' erc.tsv | cat erc.tsv - | LC_ALL=C sort -u >erc2.tsv
  ms gen power-law -n 2000 --exponent -2 --edges 4500 --planted 'a:3,b:2,c' --plants 3 --background 4 --seed 2 \
    --colors-out plc.tsv --planted-out plp.tsv --prefix p -o pl.tsv
  ms gen regular -n 500 -d 8 --uniform-colors 9 --colors-out regc.tsv -o reg.tsv
  ms gen grid --rows 60 --cols 70 --seed 4 -o grid.tsv
  ms gen rmat --scale 11 --edges 12000 --seed 5 -o rmat.tsv
  ms gen rmat --scale 9 --edges 2000 --seed 5 -o rmat9.tsv
  ms gen rmat --scale 5 --edges 120 --seed 5 -o rmat_small.tsv
  printf '0\tc0\n1\tc1\n1\tc2\n' >tri.tsv
  ms gen er -n 200 --edges 3000 --seed 7 -o dense.tsv
  ms gen er -n 3000 --edges 2500 --seed 9 -o sparse.tsv
  ms gen er -n 300 --edges 3000 --seed 5 --uniform-colors 4 --edge-types 5 --directed-types 2 -o typed.tsv
  ms gen er -n 60 --edges 400 --seed 6 --uniform-colors 2 --edge-types 3 --directed-types 3 -o typed_small.tsv
  ms gen er -n 300 --edges 1200 --seed 1 --uniform-colors 5 -o er.tve
  # each format that can be written
  for to in sif biogrid:tab3.txt mitab matrix-market:mtx lad dimacs metis:graph; do
    ms convert er.tsv --to "${to%%:*}" -o "er.${to##*:}" -q
  done
  for to in graphml binary:msb; do ms convert er.tsv -c erc2.tsv --to "${to%%:*}" -o "er.${to##*:}" -q; done
  gzip -nc er.tsv >er.tsv.gz
  zstd -qc er.mtx >er.mtx.zst
  head -c 1000 er.msb >cut.msb
  tr '\n' '\r' <er.msb >lines.msb
}

# ---- results, and damaged copies of them ----------------------------------------
# result NAME COPIES ARGS..: writes the result of a command to NAME, and damaged copies beside it
result() {
  local name=$1 copies=$2
  shift 2
  ms "$@" -o "$name" -q
  [ -e "$name" ] || exit 1 # the command is refused: it does not fit the tool any more
  python3 "$tests/record/damage_result.py" "$name" "damaged.$name" "$copies"
}

results() {
  result r_list.tsv 40 list g.tsv -c c.tsv -m red,blue,green
  result r_list.json 40 list g.tsv -c c.tsv -m red,blue,green --json
  result r_exact.tsv 30 list er.tsv -c erc2.tsv -m c0,c1,c2,c3 -r 17 -x
  result r_exact.json 30 list er.tsv -c erc2.tsv -m c0,c1,c2,c3 -r 17 -x --json
  result r_screen.tsv 40 screen g.tsv -c c.tsv -m red:2,blue
  result r_screen.json 40 screen g.tsv -c c.tsv -m red:2,blue -r e --all --json
  result r_all.tsv 30 screen g.tsv -c c.tsv -m red:2,blue -r e --all
  result r_limit.tsv 12 list g.tsv -c c.tsv -m red,blue,green -x -l 2
  result r_alias.tsv 12 list yy.tsv --alias aliases.tsv -c byalias.tsv -m red,blue -r RAD2 -x
  result r_gaf.tsv 12 list yy.tsv -c a.gaf --obo t.obo --slim small -m repair,process -x
  result r_tve.tsv 12 list er.tve -m c0,c1 -x
  local form
  for form in tsv json bin; do
    local option=
    case $form in json) option=--json ;; bin) option=--binary ;; esac
    # shellcheck disable=SC2086
    {
      result p_diamond.$form 40 match k5.tsv diamond $option
      result p_house.$form 30 match tiny.tsv house --induced $option
      result p_path.$form 40 match g.tsv -c c.tsv path.tve --screen never $option
      result p_screened.$form 20 match g.tsv -c c.tsv path.tve --screen always $option
      result p_colors.$form 20 match g.tsv -c c.tsv path.tsv --pattern-colors path_colors.tsv --embeddings $option
      result p_cycle.$form 20 match arcs.tsv cycle.tsv --directed $option
      result p_limit.$form 12 match k12.tsv house --limit 7 -t 1 $option
      [ $form = bin ] || {
        result t_ring.$form 40 match ring.sif triangle.txt $option
        result t_v.$form 40 match ring.sif '(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' --embeddings $option
        result t_directed.$form 20 match net.blanks --format sif --directed --nodes ends.tsv --relations ways.tsv \
          '(x:both)-[s]->(y)' $option
        result t_plain.$form 20 match plain.tsv -c kinds.csv --color-header '(:red)--(:blue)' $option
        result t_limit.$form 12 match ring.sif '(a:C)-[CbG]-(g:G)-[CbG]-(b:C)' --limit 2 -t 1 $option
      }
    }
  done
  ms match ring.sif triangle.txt --inexact -o near.tsv -q
  ms list g.tsv -c c.tsv -m red,blue,green --cx2 -o r.cx2 -q
  ms list g.tsv -c c.tsv -m red,blue,green --dot -o r.dot -q
  gzip -nkf r_list.tsv
  zstd -qf r_list.json
}

# ---- real networks --------------------------------------------------------------
example_inputs() {
  cp "$tests"/../examples/yeast/*.motif "$tests"/../examples/yeast/*.gz "$tests"/../examples/yeast/ring*.tsv .
  cp "$tests"/../examples/drugs/drugs.sif "$tests"/../examples/drugs/ring.pattern .
  mv s_cerevisiae.network-109-4.4.222.txt.gz yeast.gz
  mv go_slim_mapping.tab.gz slim.gz
}

# unpack ARCHIVE MEMBER NAME: writes one file of an archive to NAME
unpack() { tar xzOf "$data/$1" "$2" >"$3"; }

real_inputs() {
  local name number
  ln -s "$data"/yeast/4932.protein.physical.links.v12.0.txt.gz string.gz
  ln -s "$data"/yeast/4932.protein.aliases.v12.0.txt.gz string_aliases.gz
  ln -s "$data"/web_social/wiki-Vote.el.gz wiki.gz
  ln -s "$data"/web_social/facebook_combined.txt.gz facebook.gz
  ln -s "$data"/web_social/luxembourg_osm.mtx.gz road.gz
  ln -s "$data"/typed/hetionet_edges-5k.sif.gz hetionet.gz
  ln -s "$data"/typed/hetionet-v1.0-nodes.tsv.gz hetionet_nodes.gz
  gzip -dc "$data"/human/DataS1_interactome.tsv.gz | grep -v '^#' | awk '{ print $1 "\t" $2 }' >human.tsv
  gzip -dc "$data"/human/GO_annotations-9606-direct-expev.tsv.gz |
    awk -F '\t' 'NR > 1 && $6 > 200 { n = split($7, gene, "|"); for (i = 1; i <= n; i++) print gene[i] "\t" $2 }' >human_colors.tsv
  unpack labelled/snu_yeast_human_tve.tar.gz dataset/yeast/data_graph/yeast.graph lyeast.graph
  unpack labelled/snu_yeast_human_tve.tar.gz dataset/human/data_graph/human.graph lhuman.graph
  unpack labelled/ogm_wordnet_tve.tar.gz dataset/wordnet/data_graph/wordnet.graph wordnet.graph
  for number in 1 2 3 4 5; do
    for name in dense_16 dense_24 sparse_16 sparse_24; do
      unpack labelled/snu_yeast_human_tve.tar.gz "dataset/yeast/query_graph/query_${name}_$number.graph" "ly_${name}_$number.graph"
    done
    unpack labelled/ogm_wordnet_tve.tar.gz "dataset/wordnet/query_graph/query_dense_4_$number.graph" "wn_dense_4_$number.graph"
  done
  for number in 2 3 4 5 6 7 8; do unpack labelled/solnon_LV_scalefree_images.tar.gz "instances/LV/g$number" "g$number.lad"; done
  tar xzOf "$data"/appagato/appagato_PPI-GO_CORUM.tar.gz PPI-GO/Homo_sapiens_43.gfd | gfd_to_tve >appagato.tve
  for number in 57 67 69 73; do
    tar xzOf "$data"/appagato/appagato_PPI-GO_CORUM.tar.gz "PPI-GO/queries/homo_sapiens_real_43_8/Homo_sapiens_43_$number.gfd" |
      gfd_to_tve >"appagato_$number.tve"
  done
}

# The format .gfd: a name, the number of vertices, their labels, the number of edges, their ends.
gfd_to_tve() {
  tr -d '\r' | awk 'BEGIN { m = 0 } NR == 2 { n = $1; next } NR > 2 && NR <= n + 2 { label[NR - 3] = $1; next }
    NR > n + 3 && NF >= 2 && $1 != $2 { a = $1 < $2 ? $1 : $2; b = $1 < $2 ? $2 : $1
      if (!((a, b) in seen)) { seen[a, b]; from[m] = a; to[m++] = b; degree[a]++; degree[b]++ } }
    END { print "t", n, m; for (i = 0; i < n; i++) print "v", i, label[i], degree[i] + 0
      for (i = 0; i < m; i++) print "e", from[i], to[i] }'
}

make_inputs() {
  small_inputs
  annotation_inputs
  typed_inputs
  random_inputs
  results
  example_inputs
  [ -z "$data" ] || real_inputs
}
