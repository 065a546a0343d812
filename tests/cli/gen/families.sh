# Random graphs of ten families are simple, the same by any number of threads, and others for
# other seeds; planted sets are there and found.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

exits 0 'gen --help' gen --help
for family in 'regular -n 50 -d 4' 'power-law -n 50 --exponent -1 --max-degree 9' 'er -n 50 --edges 80' \
  'er -n 50 -d 3' 'er -n 50 --probability 0.1' 'clique -n 9' 'rmat --scale 6 --edges 100' \
  'rmat --scale 6 -d 3 --quadrants 0.25,0.25,0.25,0.25' 'grid --rows 6 --cols 7' \
  'grid --rows 6 --cols 7 --removed 0 --diagonals 1'; do
  exits 0 "gen $family" gen $family --to edge-list
  cp out one.tsv
  exits 0 "gen $family, 3 threads" gen $family -o three.tsv --threads 3 --seed 1
  check "gen $family: the same" cmp -s one.tsv three.tsv
  check "gen $family: silent" test ! -s err
  exits 0 "gen $family: read back" stats one.tsv
  check "gen $family: simple" grep -qxP 'dropped duplicates\t0' out
done
call gen --help
for family in regular power-law er clique rmat grid; do
  check "gen --help tells $family" grep -q "^  $family  " out
done
call gen er -n 50 --edges 80 --to edge-list --seed 2
cp out two.tsv
call gen er -n 50 --edges 80 --to edge-list
check 'another seed, another graph' bash -c '! cmp -s out two.tsv'
exits 0 'gen -v' gen er -n 50 --edges 80 -o er.tsv -v
check 'gen -v tells the size' grep -q 'er: 50 vertices, 80 edges' err
exits 0 'gen with a prefix' gen clique -n 3 --prefix v --to edge-list
check 'prefixed names' same "$(cat out)" $'v0\tv1\nv0\tv2\nv1\tv2'
exits 0 'gen --uniform-colors' gen regular -n 40 -d 3 --uniform-colours 3 --colours-out uc.tsv -o u.tsv
check 'a colour for each vertex' same "$(wc -l <uc.tsv) $(cut -f2 uc.tsv | sort -u | tr '\n' ' ')" '40 c0 c1 c2 '
exits 0 'gen --planted' gen regular -n 400 -d 4 --planted 'red:2,"a,b",*' --plants 2 --planted-out p.tsv \
  --colors-out pc.tsv -o p-graph.tsv --background 3
check 'planted sets' same "$(cut -f1,3 p.tsv | grep -v background | sort | tr '\t\n' '= ')" '1=a,b 1=red 1=red 2=a,b 2=red 2=red '
exits 0 'list finds the plants' list p-graph.tsv -c pc.tsv -m 'red:2,"a,b",*' -x
for plant in 1 2; do
  want=$(awk -v p=$plant '$1 == p { print $2 }' FS='\t' p.tsv | sort)
  found=no
  while read -r match; do
    [ "$(tr ',' '\n' <<<"$match" | sort)" = "$want" ] && found=yes
  done < <(rows | cut -f2)
  check "plant $plant is listed" test $found = yes
done
exits 0 'gen --background random' gen regular -n 40 -d 4 --planted 4 --background random --colors-out - -o p-graph.tsv
check 'only colours of the motif' same "$(cut -f2 out | sort -u | tr '\n' ' ')" 'c0 c1 c2 c3 '
