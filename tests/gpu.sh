#!/usr/bin/env bash
# The CUDA back end on this machine's GPUs: tests/gpu.sh BUILD_FOLDER
#
# Q against the CPU's, every line type against the definition, the tool with and
# without GPUs on a real network, and compute-sanitizer's four tools on small
# cases.  Status 1 where something failed or there is no GPU.
set -u

build=${1:?usage: tests/gpu.sh BUILD_FOLDER}
cd "$(dirname "$0")/.." || exit 1
tool=$build/motifsieve
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-900} OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
failed=0 passed=0

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

# check NAME COMMAND...: what it says is shown if it fails
check() {
  local name=$1 begin=$SECONDS
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok      $name ($((SECONDS - begin)) s)"
    grep -E 'comparisons|Checks:|ERROR SUMMARY|RACECHECK SUMMARY' "$work/log" | sed 's/^/        /'
  else
    failed=$((failed + 1))
    echo "FAILED  $name"
    tail -n 40 "$work/log" | sed 's/^/        /'
  fi
}

check 'Q is the CPU'"'"'s' "$build/tests/test_gpu"
for test in "$build"/tests/gpu/*; do
  case $test in *.d | *.o | *'*') continue ;; esac
  [ -f "$test" ] || continue
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
}
yeast=(examples/yeast/s_cerevisiae.network-109-4.4.222.txt.gz --colors examples/yeast/go_slim_mapping.tab.gz)
for motif in examples/yeast/*.motif; do
  check "screen $(basename "$motif")" same "$tool" screen "${yeast[@]}" --motif-file "$motif" --quiet
done
check 'list ost.motif' same "$tool" list "${yeast[@]}" --motif-file examples/yeast/ost.motif --quiet

# the checkers, on small cases; a data race or a read of what nobody wrote is a failure
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -z "$sanitizer" ]; then
  echo 'SKIPPED: no compute-sanitizer here: memory accesses and races were not checked'
else
  export MOTIFSIEVE_TEST_SCALE=0.1
  for what in memcheck racecheck initcheck synccheck; do
    # a test asks for a GPU that does not exist: that call's error is no finding
    api=$([ $what = memcheck ] && echo '--report-api-errors no')
    # shellcheck disable=SC2086
    check "compute-sanitizer $what" "$sanitizer" --tool $what $api --error-exitcode 9 "$build/tests/test_gpu"
  done
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
