#!/usr/bin/env bash
# Makes the results and reports that browser.mjs opens, in the current folder: make.sh MOTIFSIEVE
set -eu
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/../environment.sh"
motifsieve() { timeout 60 "$tool" "$@" -q; }
tool=$1

# A ring of 12 vertices with chords.  Names that would be HTML, or a formula of a sheet, are data.
bad='<img src=x onerror=alert(1)>'
worse='</script><script>alert(2)</script>'
awk -v bad="$bad" -v worse="$worse" 'BEGIN {
  for (i = 0; i < 12; i++) name[i] = "p" i
  name[3] = bad; name[7] = worse
  for (i = 0; i < 12; i++) { print name[i] "\t" name[(i + 1) % 12]; if (i % 3 == 0) print name[i] "\t" name[(i + 4) % 12] }
  split("kinase ligase kinase", color, " "); color[0] = "=cmd|x!A1"
  for (i = 0; i < 12; i++) print name[i] "\t" (i % 4 ? color[i % 3 + 1] : "<b>bold</b>") >"c.tsv"
}' >g.tsv
motifsieve list g.tsv -c c.tsv -m '"<b>bold</b>",kinase,ligase' -o list.tsv
motifsieve list g.tsv -c c.tsv -m '"<b>bold</b>",kinase,ligase' --dot -o list.dot
motifsieve report list.tsv g.tsv -c c.tsv -o list.html
motifsieve report list.tsv -o alone.html
motifsieve screen g.tsv -c c.tsv -m 'kinase,ligase' --all -o screen.tsv
motifsieve report screen.tsv g.tsv -c c.tsv -o screen.html

# A graph with types.
printf 'a1\tA\nb1\tB\na2\tA\nb2\tB\nb3\tB\n' >nodes.txt
{
  printf 'id\tkind\n'
  cat nodes.txt
} >nodes.tsv
printf 'source\ttype\ttarget\na1\tbinds\tb1\na1\tbinds\tb2\na2\tbinds\tb2\na2\tcuts\tb3\n' >typed.tsv
motifsieve match typed.tsv '(x:A)-[binds]->(y:B)' --nodes nodes.tsv --format table --directed -o typed.res
motifsieve report typed.res typed.tsv '(x:A)-[binds]->(y:B)' --nodes nodes.tsv -o typed.html

# Numbers: a census with its null, and two groups of samples.
for s in 1 2 3 4 5 6; do
  motifsieve gen regular -n 200 -d 6 --uniform-colors 4 --seed "$s" --colors-out "c$s.tsv" -o "g$s.tsv"
done
printf 'sample\tgraph\tcolors\tgroup\n' >sheet.tsv
for s in 1 2 3 4 5 6; do printf 's%s\tg%s.tsv\tc%s.tsv\t%s\n' $s $s $s "$([ $s -le 3 ] && echo well || echo ill)"; done >>sheet.tsv
motifsieve census g1.tsv -c c1.tsv -k 3 --significance --permutations 50 -o census.tsv
motifsieve report census.tsv g1.tsv -c c1.tsv -o census.html
motifsieve compare sheet.tsv -k 2 -o compare.tsv --counts counts.tsv
motifsieve report compare.tsv sheet.tsv --counts counts.tsv -o compare.html
motifsieve report counts.tsv -o counts.html

motifsieve census g1.tsv --shapes --directed -k 3 --permutations 20 -o shapes.tsv
motifsieve report shapes.tsv g1.tsv -o shapes.html
motifsieve census g1.tsv --shapes --per-vertex -k 3 -o orbits.tsv
motifsieve report orbits.tsv g1.tsv -o orbits.html
motifsieve census g1.tsv -c c1.tsv --shapes --directed -k 3 --permutations 9 --null labels -o colored_shapes.tsv
motifsieve report colored_shapes.tsv g1.tsv -c c1.tsv -o colored_shapes.html
motifsieve census g1.tsv -c c1.tsv --shapes --per-vertex -k 3 -o colored_orbits.tsv
motifsieve report colored_orbits.tsv g1.tsv -c c1.tsv -o colored_orbits.html

# The other kinds.
motifsieve list g1.tsv -c c1.tsv -m 'c0:2,c1' -x --participation -o participation.tsv
motifsieve report participation.tsv g1.tsv -c c1.tsv -o participation.html
motifsieve list g1.tsv -c c1.tsv -m 'c0:2,c1' --max-missing 1 --limit 300 -o nearest.tsv
motifsieve report nearest.tsv g1.tsv -c c1.tsv -o nearest.html
motifsieve screen g1.tsv clique:3 -o flags.tsv
motifsieve report flags.tsv g1.tsv clique:3 -o flags.html
motifsieve match g1.tsv paw --participation --roles -o positions.tsv
motifsieve report positions.tsv g1.tsv paw -o positions.html
motifsieve match typed.tsv '(x)-[binds]->(y)<-[binds]-(z)' --nodes nodes.tsv --format table --directed --embeddings --participation -o typed_positions.tsv
motifsieve report typed_positions.tsv typed.tsv '(x)-[binds]->(y)<-[binds]-(z)' --nodes nodes.tsv -o typed_positions.html
motifsieve census g1.tsv -c c1.tsv -k 3 --per-vertex --top 2 -o vertices.tsv
motifsieve report vertices.tsv g1.tsv -c c1.tsv -o vertices.html
printf 'one\tc0,c1\ntwo\tc0:2,c2\n' >motifs.txt
motifsieve list g1.tsv -c c1.tsv --motifs motifs.txt --rows sections.tsv -o motifs.tsv
motifsieve report sections.tsv g1.tsv -c c1.tsv -o sections.html
motifsieve list g1.tsv -c c1.tsv -m 'c0,c1,c2' --sample 20 -o sample.tsv
motifsieve report sample.tsv g1.tsv -c c1.tsv -o sample.html
printf 'a\tb\n' >pair.tsv
printf 'a\tred\nb\tblue\n' >pair_c.tsv
motifsieve list pair.tsv -c pair_c.tsv -m 'red:2' -x -o none.tsv
motifsieve report none.tsv pair.tsv -c pair_c.tsv -o none.html

# Cells at their positions, on two slides; one of them has no position.
awk 'BEGIN {
  srand(7)
  split("T B Tumour Stroma", type, " ")
  print "cell_id,x,y,cell_type,sample"
  for (i = 0; i < 1200; i++) print "c" i "," rand() * 900 "," rand() * 600 "," type[1 + int(rand() * 4)] ",slide " i % 2
}' >cells.csv
motifsieve neighbors cells.csv --delaunay -o cell_edges.tsv --colors-out cell_types.tsv
grep -v '^c1199,' cells.csv >placed.csv
motifsieve list cell_edges.tsv -c cell_types.tsv -m 'T,B,Tumour' -x --limit 200 -o niches.tsv || test $? -eq 4
motifsieve report niches.tsv cell_edges.tsv -c cell_types.tsv --positions placed.csv -o niches.html
motifsieve screen cell_edges.tsv -c cell_types.tsv -m 'T:3,B' --all -o cell_screen.tsv
motifsieve report cell_screen.tsv cell_edges.tsv -c cell_types.tsv --positions cells.csv -o cell_screen.html

# Tables of motifs, near matches of a typed pattern, and a report without edges.
motifsieve mine g1.tsv -c c1.tsv --size 3 --support 20 -o mined.tsv
motifsieve report mined.tsv g1.tsv -c c1.tsv -o mined.html
motifsieve report motifs.tsv -o lists.html
motifsieve match typed.tsv '(x:A)-[binds]->(y:B)<-[binds]-(z:A)-[cuts]->(w:B)' --nodes nodes.tsv --format table --directed --inexact -o near.tsv
motifsieve report near.tsv typed.tsv '(x:A)-[binds]->(y:B)<-[binds]-(z:A)-[cuts]->(w:B)' --nodes nodes.tsv -o near.html
motifsieve report list.tsv g.tsv -c c.tsv --max-edges 1 -o no_edges.html

# Components and shortest paths: of a graph with a component that is not drawn whole, and of one with types.
motifsieve gen er -n 1500 --edges 1200 --seed 3 -o er.tsv
printf '%s\t%s\n' "$bad" "$worse" >>er.tsv
motifsieve components er.tsv -o components.tsv
motifsieve report components.tsv er.tsv -o components.html
motifsieve components er.tsv --sizes -o sizes.tsv
motifsieve report sizes.tsv -o sizes.html
{
  motifsieve components er.tsv --largest | awk -F '\t' '!/^#/ && $2 == 1 { name[n++] = $1 } END { for (i = 1; i < 60; i++) print name[0] "\t" name[(i * 37) % n] }'
  printf '%s\t%s\n%s\t1\n' "$bad" "$worse" "$bad"
} >pairs.tsv
motifsieve path er.tsv --pairs pairs.tsv -o paths.tsv
motifsieve report paths.tsv er.tsv --pairs pairs.tsv -o paths.html
motifsieve path er.tsv --pairs pairs.tsv --lengths -o lengths.tsv
motifsieve report lengths.tsv er.tsv --pairs pairs.tsv -o lengths.html
printf 'source\ttype\ttarget\na\tbinds\tb\nb\tbinds\tc\nb\tcuts\tc\nb\tbinds\tx\ny\tcuts\tb\n' >route.tsv
motifsieve path route.tsv a c --types binds --directed --format table -o route.res
motifsieve report route.res route.tsv -o route.html

# 10^5 rows.
motifsieve gen er -n 20000 --edges 120000 --uniform-colors 3 --seed 3 --colors-out big_c.tsv -o big.tsv
motifsieve list big.tsv -c big_c.tsv -m 'c0,c1,c2' --exact --limit 100000 -o big.res || motifsieve list big.tsv -c big_c.tsv -m '*:3' --limit 100000 --exact -o big.res
motifsieve report big.res big.tsv -c big_c.tsv --no-verify -o big.html
