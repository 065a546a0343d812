#!/usr/bin/env bash
# The CUDA back end on this machine's GPUs: tests/gpu.sh BUILD_FOLDER
#
# Q against the CPU's, every line type against the definition, engines for pattern
# graphs against the CPU's and brute force, and by 10,000 random cases each, the tool with and without GPUs on a real
# network, the Python package, and compute-sanitizer's four tools on small cases.  Status 1 where
# something failed or there is no GPU.  PARTS='sieve engines random python sanitizer': what to do,
# all by default.  RANDOM_CASES=1000: as many of each engine.
# CHECKERS='racecheck', SANITIZED='dfs flood': these of compute-sanitizer's tools, on these engines; SANITIZED=' ': on none.
# RACECHECK_PARTS='3 9': of the 24 parts of each engine's tests these run under racecheck, which takes the longest by far.
# SIEVE_TESTS='every_size': these tests of the sieve (tests/unit/gpu/test_gpu.c) run under compute-sanitizer, each as a check.
# DEVICE_TESTS='census prune': these of the programs device_NAME run under compute-sanitizer; DEVICE_TESTS=' ': none.
# JOBS=16: so many checks run beside each other, by default as many as there are processors.
# SECONDS_LIMIT=480: checks that have not ended after this time are ended, and count as failed.
# racecheck takes up to 40 GiB of the host's memory for a part of an engine's tests.  A program that was killed, as it is
# where memory runs out, is run again alone after all others.
# It compiles nothing: a folder of programs that were built on another machine is enough.
set -u

build=${1:?usage: tests/gpu.sh BUILD_FOLDER}
cd "$(dirname "$0")/.." || exit 1
tool=$build/motifsieve
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-900}
# the tests of the library are in a folder of their own
MOTIFSIEVE_CUDA=$(realpath "$build"/libmotifsieve-cuda.so.* 2>/dev/null)
export MOTIFSIEVE_CUDA
failed=0 passed=0
parts=" ${PARTS:-sieve engines random python sanitizer} "
do_part() { [[ $parts = *" $1 "* ]]; }

gpus=$("$tool" info | awk -F'\t' '$1 == "accelerators" { print $2 }')
if [ "${gpus:-0}" -eq 0 ]; then
  echo "tests/gpu.sh: no GPU to test: $("$tool" info | sed -n 's/^accelerators\t//p' | cut -f 2-)" >&2
  exit 1
fi
echo "# date: $(date -u +%Y-%m-%d), commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}"
"$tool" info | sed -n 's/^accelerator/# accelerator/p'
command -v nvidia-smi >/dev/null && echo "# driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | sort -u | paste -sd ' ')"
echo "# command: make check-gpu"

work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-gpu-XXXXXX")
trap 'rm -rf "$work"' EXIT

jobs=${JOBS:-$(nproc)}
# rotated N: the GPUs, beginning with another one for each N, so that checks beside each other do not all use the first
IFS=, read -ra devices <<<"${CUDA_VISIBLE_DEVICES:-$(seq -s , 0 $((gpus - 1)))}"
rotated() {
  local from=$(($1 % ${#devices[@]})) IFS=, list
  list=("${devices[@]:from}" "${devices[@]:0:from}")
  echo "${list[*]}"
}
checks=0 limit=${SECONDS_LIMIT:-} killed='the program was killed: the host may have too little memory'
set -m # each check is a process group, which can be ended as a whole
end_checks() {
  local group
  for group in $(jobs -pr); do kill -KILL -- "-$group" 2>/dev/null; done
}
trap 'end_checks; exit 130' INT TERM

# check NAME COMMAND...: starts a check once fewer than $jobs are running.  Each has a folder of its own, $work, for its
# files.  Checks of the same name are parts of one.
check() {
  local name=$1 own variable
  shift
  wait_for_fewer "$jobs"
  checks=$((checks + 1))
  own=$work/check$checks
  mkdir "$own"
  echo "$name" >"$own/name"
  {
    for variable in MOTIFSIEVE_TEST_SCALE MOTIFSIEVE_TEST_ONLY; do # they hold for this call alone
      [ ! "${!variable:-}" ] || printf '%s=%q ' "$variable" "${!variable}"
    done
    printf '%q ' "$@"
  } >"$own/command"
  [ ! "$limit" ] || [ $SECONDS -lt "$limit" ] || return # report finds no result
  run_check "$checks" &
}

# run_check NUMBER: runs this check, and writes its result
run_check() {
  begin=$SECONDS work=$work/check$1
  CUDA_VISIBLE_DEVICES=$(rotated "$1")
  export CUDA_VISIBLE_DEVICES
  eval "$(cat "$work/command")" >"$work/log" 2>&1
  result=$?
  echo "$result $((SECONDS - begin))" >"$work/result.part" && mv "$work/result.part" "$work/result"
  # the verdicts come at the end, which a run that is cut short does not reach
  echo "# ended: $(cat "$work/name"), status $result, $((SECONDS - begin)) s" >&2
}

# run_killed_again: runs the checks whose program was killed, one after the other
run_killed_again() {
  local number
  for number in $(seq "$checks"); do
    grep -qsF "$killed" "$work/check$number/log" || continue
    if [ "$limit" ] && [ $SECONDS -ge "$limit" ]; then continue; fi
    echo "# again, alone: $(cat "$work/check$number/name")" >&2
    rm -f "$work/check$number/result"
    run_check "$number" &
    wait_for_fewer 1
  done
}

# wait_for_fewer N: waits until fewer than N checks are running; after the limit, ends them
wait_for_fewer() {
  while [ "$(jobs -pr | wc -l)" -ge "$1" ]; do
    if [ "$limit" ] && [ $SECONDS -ge "$limit" ]; then end_checks; fi
    sleep 0.1
  done
}

# report NAME: what the parts of this check said; the last lines of those that failed
report() {
  local own result seconds parts=0 bad=0 longest=0 word=ok
  : >"$work/said"
  for own in $(grep -lxF "$1" "$work"/check*/name | sort -V); do
    own=${own%/name}
    result=none seconds=0
    [ ! -r "$own/result" ] || read -r result seconds <"$own/result"
    parts=$((parts + 1))
    [ "$seconds" -le "$longest" ] || longest=$seconds
    if [ "$result" = 0 ]; then
      grep -E 'comparisons|Checks:|[0-9]+ passed|^SKIPPED|^# seed|: [0-9]+ cases|ERROR SUMMARY|RACECHECK SUMMARY' "$own/log" >>"$work/said"
    else
      bad=$((bad + 1))
      [ "$result" != none ] || echo "it had not ended after $limit s, and was ended" >>"$work/said"
      tail -n 40 "$own/log" >>"$work/said"
    fi
  done
  [ "$bad" -eq 0 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); word=FAILED; }
  printf '%-8s%s (%s%d s)\n' "$word" "$1" "$([ "$parts" -eq 1 ] || echo "$parts parts, $bad failed, the longest ")" "$longest"
  if [ "$parts" -eq 1 ] || [ "$bad" -gt 0 ]; then cat "$work/said"; else sort "$work/said" | uniq -c; fi | sed 's/^/        /'
}

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
engines=$("$tool" match x triangle --engine '?' 2>&1 | sed -n 's/.*needs auto, cpu, \(.*\), not.*/\1/p' | sed 's/,//g; s/ or / /')
[ "$engines" ] || check 'the tool names engines' false

# an engine is a process, and all run beside each other
do_part random && check 'random cases' "$build/tests/gpu/random_cases" --cases "${RANDOM_CASES:-10000}" --seconds 400

do_part sieve && check 'Q is the CPU'"'"'s' "$build/tests/unit/test_gpu"
do_part sieve && check 'Q is the CPU'"'"'s, with rows in the last step' env MOTIFSIEVE_GPU_LAST_STEP=rows "$build/tests/unit/test_gpu"
for test in "$build"/tests/gpu/*; do
  [ -f "$test" ] && [ -x "$test" ] || continue
  case $test in
    */random_cases) continue ;; # above
    */device_engines)
      for part in $(seq 12); do
        do_part engines && check device_engines "$test" --part "$part/12"
      done
      continue
      ;;
    */device_*) do_part engines || continue ;;
    *) do_part sieve || continue ;;
  esac
  check "$(basename "$test")" "$test"
done

# the tool: the same result file from every back end, on a real network
same() {
  "$@" --backend cpu --output "$work/cpu" || return 1
  for backend in cuda both auto; do
    "$@" --backend $backend --output "$work/$backend" && cmp "$work/cpu" "$work/$backend" || return 1
  done
  for device in $(seq 0 $((gpus - 1))); do
    "$@" --backend cuda --devices "$device" --output "$work/one" && cmp "$work/cpu" "$work/one" || return 1
  done
  MOTIFSIEVE_PRUNE=gpu "$@" --backend cuda --output "$work/pruned" && cmp "$work/cpu" "$work/pruned" || return 1
}
yeast=(examples/yeast/s_cerevisiae.network-109-4.4.222.txt.gz --colors examples/yeast/go_slim_mapping.tab.gz)
for motif in examples/yeast/*.motif; do
  do_part sieve || break
  check "screen $(basename "$motif")" same "$tool" screen "${yeast[@]}" --motif-file "$motif" --quiet
done
do_part sieve && check 'screen: pruning on GPUs' tests/cli/run.sh "$tool" screen/prune_gpu
do_part sieve && check 'list ost.motif' same "$tool" list "${yeast[@]}" --motif-file examples/yeast/ost.motif --quiet

# the tool: the same matches of patterns from every engine, with little memory, and on
# several GPUs
"$tool" gen power-law --vertices 500 --exponent -2 --min-degree 4 --max-degree 50 --seed 3 -o "$work/power.tsv"
"$tool" gen er --vertices 300 --degree 14 --uniform-colors 3 --colors-out "$work/er.colors" --seed 4 -o "$work/er.tsv"
printf 't 4 4\nv 0 c0 2\nv 1 c1 2\nv 2 * 2\nv 3 c0 2\ne 0 1\ne 1 2\ne 2 3\ne 3 0\n' >"$work/colored.tve"
sorted_rows() { grep '^[0-9]' "$1" | cut -f 2- | LC_ALL=C sort; }
# one ENGINE OPTION...: list and count by it, and compare with what the CPU found
one() {
  local engine=$1 count
  shift
  count=$("$tool" match "$@" --engine "$engine" --count) || return 1
  [ "$count" = "$(cat "$work/cpu.count")" ] || { echo "$engine $*: counts $count, not $(cat "$work/cpu.count")"; return 1; }
  "$tool" match "$@" --engine "$engine" -o "$work/rows" || return 1
  sorted_rows "$work/rows" | cmp - "$work/cpu.rows"
}
# engines_agree OPTION...
engines_agree() {
  local engine number
  [ "$jobs" -eq 1 ] || export MOTIFSIEVE_GPU_MEMORY=2G # processes beside each other do not fill the same memory
  "$tool" match "$@" --engine cpu --count >"$work/cpu.count" && "$tool" match "$@" --engine cpu -o "$work/rows" || return 1
  sorted_rows "$work/rows" >"$work/cpu.rows"
  [ -s "$work/cpu.rows" ] || { echo "no match of $*"; return 1; }
  for engine in $engines; do
    one "$engine" "$@" || return 1
    MOTIFSIEVE_GPU_MEMORY=4M one "$engine" "$@" || return 1
    for number in 2 4; do # as it is, one
      [ "$number" -le "$gpus" ] || break
      one "$engine" "$@" --devices "$(seq -s , 0 $((number - 1)))" || return 1
    done
    # so little that nothing fits is an error that says what to do
    MOTIFSIEVE_GPU_MEMORY=1K "$tool" match "$@" --engine "$engine" -o "$work/rows" 2>"$work/err" && return 1
    grep -q MOTIFSIEVE_GPU_MEMORY "$work/err" || return 1
  done
  "$tool" match "$@" --engine auto --count | cmp - "$work/cpu.count"
}
# a time limit holds: what there is by then, and status 4
stops() {
  local engine begin=$SECONDS
  "$tool" gen er --vertices 20000 --degree 600 -o "$work/dense.tsv"
  for engine in $engines; do
    "$tool" match "$work/dense.tsv" cycle:6 --induced --count --timeout 3 --engine "$engine" --quiet >/dev/null
    [ $? -eq 4 ] || { echo "$engine: not status 4"; return 1; }
    [ $((SECONDS - begin)) -lt 60 ] || { echo "$engine: went on"; return 1; }
    begin=$SECONDS
  done
}
if do_part engines; then
  for pattern in triangle clique:4 cycle:4 diamond house star:3 path:4; do
    check "engines: $pattern" engines_agree "$work/power.tsv" $pattern --quiet
  done
  check 'engines: cycle:4 --induced' engines_agree "$work/power.tsv" cycle:4 --induced --quiet
  check 'engines: diamond --embeddings' engines_agree "$work/power.tsv" diamond --embeddings --quiet
  for pattern in "$work/colored.tve" triangle; do
    check "engines: colours, $(basename "$pattern")" engines_agree "$work/er.tsv" "$pattern" --colors "$work/er.colors" --screen never --quiet
  done
  check 'engines: --timeout' stops
fi

# the tool: the same counts of motifs from the CPU and from GPUs
# counts_agree MOTIF
counts_agree() {
  local number form
  for form in --count --participation; do
    "$tool" list "${yeast[@]}" --motif "$1" --exact $form --engine cpu --quiet | grep -v '^#' >"$work/cpu"
    for number in 1 2 4; do
      [ "$number" -le "$gpus" ] || break
      "$tool" list "${yeast[@]}" --motif "$1" --exact $form --engine gpu --devices "$(seq -s , 0 $((number - 1)))" --quiet |
        grep -v '^#' | cmp "$work/cpu" - || return 1
    done
    [ -s "$work/cpu" ] || return 1
  done
}
for motif in '*:3' '*:4' 'cytoplasm:2,nucleus:2' 'cytoplasm,nucleus|membrane,mitochondrion:2'; do
  do_part engines && check "counts of $motif" counts_agree "$motif"
done

# the tool: the same census from the CPU and from GPUs, of a grid with diagonals
# census_agrees SIZE
census_agrees() {
  local number
  "$tool" gen grid --rows 60 --cols 50 --removed 0.1 --diagonals 0.5 --uniform-colors 5 --colors-out "$work/c" --seed 2 -o "$work/g.tsv" || return 1
  census() { "$tool" census "$work/g.tsv" -c "$work/c" -k "$size" --quiet "$@" | grep -v '^#'; }
  local size=$1
  census --engine cpu >"$work/cpu"
  [ -s "$work/cpu" ] || return 1
  for number in 1 2 4; do
    [ "$number" -le "$gpus" ] || break
    census --engine gpu --devices "$(seq -s , 0 $((number - 1)))" | cmp "$work/cpu" - || return 1
  done
  census --engine cpu --per-vertex >"$work/cpu"
  [ -s "$work/cpu" ] || return 1
  for number in 1 2 4; do
    [ "$number" -le "$gpus" ] || break
    census --engine gpu --per-vertex --devices "$(seq -s , 0 $((number - 1)))" | cmp "$work/cpu" - || return 1
  done
}
for size in 3 4 5; do
  do_part engines && check "census of $size" census_agrees "$size"
done

# the tool: the same shapes from the CPU, from GPUs, and from both in parts, of a power-law network
# shapes_agree OPTION...
shapes_agree() {
  local number part
  "$tool" gen power-law --vertices 600 --exponent -2 --min-degree 2 --max-degree 120 --seed 3 --uniform-colors 40 \
    --colors-out "$work/c" -o "$work/g.tsv" || return 1
  shapes() { "$tool" census "$work/g.tsv" --shapes --quiet "$@"; }
  [ "$1" != colors ] || set -- --colors "$work/c" "${@:2}"
  shapes "$@" --engine cpu | grep -v '^#' >"$work/cpu"
  [ -s "$work/cpu" ] || return 1
  for number in 1 2 4; do
    [ "$number" -le "$gpus" ] || break
    shapes "$@" --engine gpu --devices "$(seq -s , 0 $((number - 1)))" | grep -v '^#' | cmp "$work/cpu" - || return 1
  done
  for part in 1 2 3; do
    shapes "$@" --engine "$([ $part -eq 2 ] && echo cpu || echo gpu)" --part $part/3 -o "$work/part$part" || return 1
  done
  "$tool" merge "$work"/part[123] --quiet | grep -v '^#' | cmp "$work/cpu" -
}
do_part engines && check 'shapes of 4' shapes_agree -k 4
do_part engines && check 'shapes of 4, directed' shapes_agree --directed -k 4
do_part engines && check 'shapes of 4, 40 colours' shapes_agree colors -k 4
do_part engines && check 'shapes of 3, 40 colours, directed' shapes_agree colors --directed -k 3

# the Python package, if it is built and there is a Python with what its tests need: PYTHON names it
python=
for candidate in ${PYTHON:-python3 python /usr/bin/python3}; do
  [ ! -e "$build/python/motifsieve/_native.abi3.so" ] || [ "$python" ] ||
    ! "$candidate" -c 'import cffi, numpy, pandas, pytest' 2>/dev/null || python=$candidate
done
if do_part python && [ "$python" ]; then
  check 'Python: gpu=' env PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -rs -p no:cacheprovider \
    python/tests/test_gpu.py
fi

# under WHAT PROGRAM ARGUMENT...: a program under a checker; a data race or a read of what nobody wrote is a failure.
# Tests do not fork.  A test asks for a GPU that does not exist: that call's error is no finding.
under() {
  local what=$1 api=()
  shift
  [ "$what" != memcheck ] || api=(--report-api-errors no)
  # shellcheck disable=SC2016
  CK_FORK=no MOTIFSIEVE_SANITIZER=1 "$sanitizer" --tool "$what" --target-processes all "${api[@]}" --error-exitcode 9 \
    bash -c '"${@:2}"; status=$?; [ $status -ne 137 ] || echo "$1"; exit $status' under "$killed" "$@"
}
# in_batches WHAT OPTION...: cliques of small graphs, which the engine dfs searches in batches, counted under a checker
in_batches() {
  local what=$1
  shift
  "$tool" match "$@" --engine cpu --count --quiet >"$work/cpu.count" && [ -s "$work/cpu.count" ] || return 1
  under "$what" "$tool" match "$@" --engine dfs --count --quiet -o "$work/rows" || return 1
  grep -v '^#' "$work/rows" | cmp - "$work/cpu.count"
}
# small cases, of which each is some launches
if do_part sanitizer && [ "$sanitizer" ]; then
  # In the dense graph, batches have more edges than are listed; in the other one, a batch has several universes.
  "$tool" gen er --vertices 140 --degree 70 --uniform-colors 2 --colors-out "$work/dense.colors" --seed 5 -o "$work/dense.tsv"
  "$tool" gen er --vertices 400 --degree 90 --uniform-colors 2 --colors-out "$work/mixed.colors" --seed 6 -o "$work/mixed.tsv"
  for size in 4 5 6 7; do # all vertices of one colour, so that a domain cuts rows
    {
      echo "t $size $((size * (size - 1) / 2))"
      for i in $(seq 0 $((size - 1))); do echo "v $i c0 $((size - 1))"; done
      for i in $(seq 1 $((size - 1))); do for j in $(seq 0 $((i - 1))); do echo "e $j $i"; done; done
    } >"$work/one_color$size.tve"
  done
  declare -A scale_of=([motifs]=0.01 [motif_lists]=0.002 [census]=0.05 [shapes]=0.02 [session]=0.01 [prune]=0.05)
  for what in ${CHECKERS:-memcheck synccheck initcheck racecheck}; do
    for engine in ${SANITIZED:-$(tr ' ' '\n' <<<"$engines" | tac)}; do
      parts=$([ $what = racecheck ] && echo 24 || echo 12)
      for part in $([ $what = racecheck ] && echo "${RACECHECK_PARTS:-$(seq 24)}" || seq 12); do
        MOTIFSIEVE_TEST_SCALE=${SANITIZER_SCALE:-0.02} check "compute-sanitizer $what, $engine" \
          under $what "$build/tests/gpu/device_engines" "$engine" --part "$part/$parts"
      done
    done
    for size in 4 5 6 7; do
      [[ " ${SANITIZED:-dfs} " = *" dfs "* ]] || break
      for graph in dense mixed; do
        check "compute-sanitizer $what, dfs, cliques in batches" in_batches $what "$work/$graph.tsv" clique:$size
        check "compute-sanitizer $what, dfs, cliques in batches" in_batches $what "$work/$graph.tsv" "$work/one_color$size.tve" \
          --colors "$work/$graph.colors" --screen never
      done
    done
    for test in ${DEVICE_TESTS:-motifs motif_lists census shapes session prune}; do
      MOTIFSIEVE_TEST_SCALE=${scale_of[$test]} check "compute-sanitizer $what, device_$test" under $what "$build/tests/gpu/device_$test"
    done
    # racecheck takes minutes for some tests of the sieve, so each of these tests is run as a separate check
    for test in ${SIEVE_TESTS:-every_size odd_graphs every_family required_vertices_and_variants fewer_vertices_than_slots \
      little_memory devices_and_processor_together}; do
      MOTIFSIEVE_TEST_ONLY=$test MOTIFSIEVE_TEST_SCALE=0.1 check "compute-sanitizer $what, sieve, $test" under $what "$build/tests/unit/test_gpu"
    done
  done
fi

wait_for_fewer 1 2>/dev/null # bash names the jobs that were killed
run_killed_again
while read -r name; do report "$name"; done < <(for i in $(seq "$checks"); do cat "$work/check$i/name"; done | awk '!seen[$0]++')
if do_part sanitizer && [ -z "$sanitizer" ]; then
  echo 'SKIPPED: no compute-sanitizer here: memory accesses and races were not checked'
fi
if do_part python && [ -z "$python" ]; then
  echo 'SKIPPED: the Python package: not built (make python), or no Python with cffi, numpy, pandas and pytest (make deps-python)'
fi
echo "$passed passed, $failed failed, in $SECONDS s with $jobs checks beside each other"
[ "$failed" -eq 0 ]
