#!/usr/bin/env bash
# Compares what two builds of one version write, over some 4800 commands:
#   tests/record_outputs.sh BUILD FOLDER            record the outputs of every command in FOLDER
#   tests/record_outputs.sh BUILD FOLDER --compare  run the commands again, show what differs
# More options:
#   --quick   run only a fifth of the commands
#   --show    print the commands and run nothing
# BUILD is a folder that holds the tool motifsieve and, optionally, emulated GPUs, which are a plug-in in
# tests/gpu/emulated (of older versions, a tool there).  A command agrees if its exit status, its standard output and
# every file that it writes are the same bytes; compressed files are unpacked first.  Messages on
# standard error may differ.  The build that records also makes the inputs, in FOLDER/inputs.
# MOTIFSIEVE_DATA names the folder of real networks, JOBS (2) the commands to run at once.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
# read by record/inputs.sh
export tests
tests=$(cd "$(dirname "$0")" && pwd)
compare='' quick='' show='' operands=()
for word in "$@"; do
  case $word in
  --compare) compare=yes ;;
  --quick) quick=yes ;;
  --show) show=yes ;;
  -*) usage ;;
  *) operands+=("$word") ;;
  esac
done
[ ${#operands[@]} -eq 2 ] || usage
tool=$(realpath "${operands[0]}")/motifsieve
emulated=$(ls "$(realpath "${operands[0]}")"/tests/gpu/emulated/{libmotifsieve-cuda.so.*,motifsieve} 2>/dev/null | head -n 1)
[ -x "$tool" ] || {
  echo "record_outputs.sh: no program at $tool; run make first" >&2
  exit 2
}
mkdir -p "${operands[1]}" || exit 2
folder=$(realpath "${operands[1]}")
export OMP_NUM_THREADS=2 tool emulated folder
unset MOTIFSIEVE_CUDA MOTIFSIEVE_GF2 MOTIFSIEVE_SETS MOTIFSIEVE_GPU_MEMORY

# The names that the commands use: the tool, and the tool on an emulated GPU.
ms() { timeout 300 "$tool" "$@"; }
em() {
  case $emulated in
  */motifsieve) timeout 300 "$emulated" "$@" ;;
  *) MOTIFSIEVE_CUDA=$emulated timeout 300 "$tool" "$@" ;;
  esac
}
# Engines on GPUs find matches in any order: sorts the rows, without their numbers.
sorted() { grep -v '^#' | cut -f 2- | sort; }
export -f ms em sorted

data=${MOTIFSIEVE_DATA:-../shared/data}
if [ -d "$data/yeast" ]; then data=$(realpath "$data"); else
  echo "SKIPPED: commands on real networks: there are none in $data; set MOTIFSIEVE_DATA" >&2
  data=''
fi
for program in zstd python3; do
  command -v $program >/dev/null || {
    echo "record_outputs.sh: there is no $program, which makes inputs; install it" >&2
    exit 2
  }
done
[ -x "$emulated" ] || echo "SKIPPED: commands on an emulated GPU: there is none in ${operands[0]}" >&2

# shellcheck source=tests/record/inputs.sh
. "$tests/record/inputs.sh"
# shellcheck source=tests/record/cases.sh
. "$tests/record/cases.sh"

# Prints the commands that this build can run, each once.
list_cases() {
  all_cases | while IFS=$'\t' read -r level line; do
    [ -n "$quick" ] && [ "$level" != quick ] && continue
    [ -x "$emulated" ] || [[ ! $line =~ (^|[ ;|])em\  ]] || continue
    printf '%s\n' "$line"
  done | awk '!seen[$0]++'
}
if [ -n "$show" ]; then
  list_cases
  exit
fi

if [ ! -e "$folder/inputs.made" ]; then
  [ -z "$compare" ] || {
    echo "record_outputs.sh: $folder holds no record; leave out --compare to record one" >&2
    exit 2
  }
  rm -rf "$folder/inputs"
  mkdir -p "$folder/inputs"
  (cd "$folder/inputs" && make_inputs) || exit 2
  : >"$folder/inputs.made"
fi

outputs=$folder/outputs
if [ -n "$compare" ]; then
  outputs=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-outputs-XXXXXX")
  trap 'rm -rf "$outputs"' EXIT
fi
mkdir -p "$outputs"
export outputs
cases=$(list_cases)

# Runs one command in an empty folder, which is named by a checksum of the command and keeps its
# outputs.
run_case() {
  local line=$1 name
  name=$(md5sum <<<"$line" | cut -c 1-16)
  [ -e "$outputs/$name/.line" ] && return # an earlier call recorded it
  rm -rf "${outputs:?}/$name"
  mkdir "$outputs/$name" && cd "$outputs/$name" || exit 1
  ln -s "$folder/inputs" in
  eval "$line" >stdout 2>.stderr </dev/null
  echo $? >status
  rm in
  gzip -dqf ./*.gz 2>/dev/null
  zstd -dqf --rm ./*.zst 2>/dev/null
  printf '%s\n' "$line" >.line
}
export -f run_case
# shellcheck disable=SC2016
tr '\n' '\0' <<<"$cases" | xargs -0 -n 1 -P "${JOBS:-2}" bash -c 'run_case "$1"' _
[ -n "$compare" ] || {
  echo "$(wc -l <<<"$cases") recorded in $folder"
  exit
}

# show_difference NEW OLD: prints the first lines that differ of each file
show_difference() {
  local file
  for file in $(cd "$2" && ls) $(cd "$1" && ls); do printf '%s\n' "$file"; done | sort -u | while read -r file; do
    cmp -s "$1/$file" "$2/$file" && continue
    if [ ! -e "$1/$file" ] || [ ! -e "$2/$file" ]; then
      echo "    $file: only one of the builds writes it"
    else
      echo "    $file:"
      diff -a "$2/$file" "$1/$file" | head -n 6 | cut -c 1-160 | sed 's/^/      /'
    fi
  done
}
same=0 differ=0 unknown=0
while IFS= read -r line; do
  name=$(md5sum <<<"$line" | cut -c 1-16)
  if [ ! -e "$folder/outputs/$name/.line" ]; then
    unknown=$((unknown + 1))
  elif diff -rq -x '.*' "$outputs/$name" "$folder/outputs/$name" >/dev/null; then
    same=$((same + 1))
  else
    differ=$((differ + 1))
    echo "DIFFERS: $line"
    show_difference "$outputs/$name" "$folder/outputs/$name"
  fi
done <<<"$cases"
[ $unknown -eq 0 ] || echo "$unknown commands have no record; record again to add them"
echo "$same same, $differ differ"
[ $differ -eq 0 ] && [ $unknown -eq 0 ]
