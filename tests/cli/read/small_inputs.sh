# A small input may not take up the machine: without --memory, reading ends at 1 GiB, within seconds.  --memory raises that.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n50000000 50000000 1\n2 1\n' >declared.mtx
printf 'p edge 50000000 1\ne 1 2\n' >declared.dimacs
printf '#x\n50000000\na\nb\n1\n0 1\n' >declared.gfd
gzip -k declared.mtx
# 2.4 GB of colours, which every node has by default
{
  printf '<graphml><key id="c" for="node" attr.name="color"><default>'
  seq -f 'c%.0f' 20000
  printf '</default></key><graph edgedefault="undirected">'
  seq -f '<node id="n%.0f"/>' 15000
  printf '<edge source="n1" target="n2"/></graph></graphml>'
} >defaults.graphml
# 60 million edges in 300 KB, which are the same one
yes $'a\tb' | head -n 4000000 | gzip >member.gz
for ((i = 0; i < 15; i++)); do cat member.gz; done >edges.gz
printf 'a\tb\n' >g.tsv

# refused MESSAGE ARGS...: the call ends with status 3 or 4 and the message, and takes no more than the limit.
refused() {
  local text=$1 code mib
  shift
  read -r code mib < <(size "$@")
  check "$*: exit code $code" test "$code" -eq 3 -o "$code" -eq 4
  check "$*: message" grep -Eq "error: .*$text.*raise --memory" err
  check "$*: $mib MiB" test "$mib" -lt $((1024 + bound))
}
needs python3 || return
many='50000000 vertices need more memory than the 1024 MiB that are allowed for an input of this size'
for file in declared.mtx declared.mtx.gz declared.dimacs declared.gfd; do
  refused "$file:[12]: $many" stats $file
done
for call in components 'convert --to sif -o late.out' 'match triangle' 'plan triangle' 'census -c g.tsv' 'screen -c g.tsv -m b' 'path a b'; do
  read -r name rest <<<"$call"
  refused "declared.mtx:2: $many" "$name" declared.mtx $rest
done
printf 'sample\tgraph\tcolors\tgroup\ns\tdeclared.mtx\tg.tsv\tx\nt\tg.tsv\tg.tsv\ty\n' >sheet.tsv
exits 3 'a sheet with a small file' compare sheet.tsv
check 'a sheet with a small file: message' grep -q 'declared.mtx:2: cannot be read with these options; read it alone' err
refused "declared.mtx:2: $many" match g.tsv declared.mtx
"$motifsieve" stats - <declared.mtx >out 2>err
check 'standard input, a file' grep -q "error: standard input:2: $many" err
"$motifsieve" stats - < <(cat declared.mtx) >out 2>err
check 'standard input, a pipe' grep -q "error: standard input:2: $many" err
takes='reading may take 1024 MiB of memory for an input of this size; [0-9]+ MiB are in use, and [0-9]+ MiB more'
for call in stats 'screen -m c1,c2' 'list -m c1,c2' 'census -k 2'; do
  read -r name rest <<<"$call"
  refused "defaults.graphml: $takes" "$name" defaults.graphml $rest
done
refused "edges.gz:[0-9]+: $takes" components edges.gz
check 'no result' test ! -e late.out

# a bound that is given counts instead, whether it is lower or greater
read -r code mib < <(size stats declared.mtx --memory 40M)
check 'lower: message' grep -q '50000000 vertices need more memory than the 40 MiB that are allowed;' err
read -r code mib < <(size stats declared.mtx --memory 8G --timeout 0.3s)
check 'greater: it reads on' grep -q 'error: out of time while' err
