#!/usr/bin/env bash
# The library and the tool on 64-bit Arm processors: a cross compiler builds them, and qemu runs the unit tests of the
# arithmetic and the sieve and some commands, whose results have to be the bytes of this machine's.
# Usage: tests/aarch64.sh BUILD_FOLDER [gf2]
#   gf2   compiles and tests the arithmetic alone, which takes half a minute
# What it builds is in BUILD_FOLDER/aarch64.  It is skipped, with a message, where the compiler or qemu is missing.
# AARCH64_CC names another cross compiler.
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
build=${1:?usage: tests/aarch64.sh BUILD_FOLDER [gf2]}
part=${2:-all}
cross=$build/aarch64
compiler=${AARCH64_CC:-aarch64-linux-gnu-gcc}
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-aarch64-XXXXXX")
trap 'rm -rf "$work"' EXIT
export MOTIFSIEVE_CUDA=0
# shellcheck source=tests/checks.sh
. tests/checks.sh
excerpt=(tail -n 40)

# ---- the compiler, qemu and the libraries -----------------------------------------------------------
packages='apt-get install --no-install-recommends gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user'
if nm -D "$build/libmotifsieve.so" 2>/dev/null | grep -qE ' U __(asan|ubsan|tsan|gcov)|__gcov_'; then
  skip_rest 'this build is instrumented, and its twin for Arm would not be'
fi
command -v "$compiler" >/dev/null || skip_rest "there is no $compiler: $packages"
qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) || skip_rest "there is no qemu-aarch64: $packages"
arm() { "$qemu" ${run[@]+"${run[@]}"} "$@"; }
# links [FLAG...]: true if a program of this architecture finds all libraries, and runs
links() {
  for header in gmp zlib zstd expat jansson libqhull_r/libqhull_r check; do echo "#include <$header.h>"; done >"$work/probe.c"
  echo 'int main(void) { return zlibVersion()[0] == 0; }' >>"$work/probe.c"
  "$compiler" "$@" -o "$work/probe" "$work/probe.c" -lcheck -ljansson -lqhull_r -lgmp -lexpat -lzstd -lz -lm 2>/dev/null &&
    arm "$work/probe" 2>/dev/null
}
run=()
flags=
pkg_config=()
# Either this machine has the packages of both architectures, or a folder holds those of the other one.
if ! links; then
  root=$(realpath -m "$cross/sysroot")
  run=(-L "$root")
  flags=--sysroot=$root
  pkg_config=(PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_LIBDIR="$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig")
  if [ ! -d "$root" ]; then
    scripts/sysroot.sh arm64 "$root" >"$work/said" 2>&1 ||
      skip_rest "no libraries for Arm, neither installed nor to be had from apt: $(tail -n 1 "$work/said")"
  fi
  links "$flags" || skip_rest "the libraries in $cross/sysroot are not whole; remove that folder"
fi
# Variables of the make that runs this script are for its own build.
arm_make() {
  env -u MAKEFLAGS -u MFLAGS -u MAKEOVERRIDES -u MAKELEVEL ${pkg_config[@]+"${pkg_config[@]}"} make -s -j"$(nproc)" CC="$compiler" CUDA=0 MPI= \
    CFLAGS="$flags -g1" CPPFLAGS= LDFLAGS="$flags" SANITIZE= TSAN= COVERAGE= DEBUG= FUZZ= BUILD="$cross" "$@"
}

# ---- unit tests ---------------------------------------------------------------------------------------
# qemu takes ten times as long
export CK_TIMEOUT_MULTIPLIER=${CK_TIMEOUT_MULTIPLIER:-10} CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-300} MOTIFSIEVE_TEST_SCALE=${MOTIFSIEVE_TEST_SCALE:-0.1}
if [ "$part" = gf2 ]; then
  check 'the test of the arithmetic compiles' arm_make "$cross/tests/gf2_alone" || finish
  check 'the arithmetic' arm "$cross/tests/gf2_alone"
  finish
fi
units=(test_gf2 test_sieve test_sieve_kernels test_sieve_shares test_sieve_sums)
check 'the tool, both libraries and the tests compile' arm_make all "${units[@]/#/$cross/tests/unit/}" || finish
check 'nothing is warned of' tests/warnings.sh "$cross"
for unit in "${units[@]}"; do check "$unit" arm "$cross/tests/unit/$unit"; done

# ---- whole commands --------------------------------------------------------------------------------------
host=$(realpath "$build/motifsieve")
tool=$(realpath "$cross/motifsieve")
mkdir "$work/host" "$work/arm"
on_host() { (cd "$work/host" && "$host" "$@" >out); }
on_arm() { (cd "$work/arm" && arm "$tool" "$@" >out); }
# damaged_is_refused: the first match with its last vertex replaced by its first one
damaged_is_refused() {
  local folder status=()
  for folder in host arm; do
    awk -F '\t' -v OFS='\t' '!/^#/ && ++rows == 2 { $NF = $1 } { print }' "$work/$folder/list.tsv" >"$work/$folder/damaged.tsv"
    "on_$folder" verify damaged.tsv g.tsv -c c.tsv -q 2>"$work/$folder/err"
    status+=($?)
  done
  [ "${status[0]}" -ne 0 ] && [ "${status[0]}" -eq "${status[1]}" ] && grep -q refused "$work/arm/err" &&
    diff -r "$work/host" "$work/arm"
}
# both NAME ARGUMENT...: the command ends well on both machines, and writes the same
both() {
  local name=$1
  shift
  check "$name: on this machine" on_host "$@"
  check "$name: on Arm" on_arm "$@"
  check "$name: the same bytes" diff -r "$work/host" "$work/arm"
}
chooses_neon() { arm "$tool" info | grep -qE '^arithmetic.neon.*chosen$'; }
check 'Arm computes by NEON' chooses_neon
both 'a network' gen power-law -n 400 --exponent -1 --edges 1600 --uniform-colors 5 --seed 3 --colors-out c.tsv -o g.tsv -q
query=(g.tsv -c c.tsv -m 'c0:3,c1:2,c2:2,c3,c4' -t 2 -q)
sieve=("${query[@]}" --screen always --backend cpu --repetitions 2)
both 'a screen' screen "${sieve[@]}" --all -o screen.tsv
both 'a screen by the classic recurrence' screen "${sieve[@]}" --all --recurrence classic -o classic.tsv
both 'matches of a motif' list g.tsv -c c.tsv -m 'c0,c1,c2,c3' -t 2 -q --screen always --backend cpu -o list.tsv
pattern='(a:c0)--(b:c1)--(c:c2), (a)--(c)'
both 'matches of a pattern' match g.tsv "$pattern" -c c.tsv -t 2 -q -o match.tsv
both 'a census' census g.tsv -c c.tsv -k 4 -t 2 -q -o census.tsv
for result in screen classic list match census; do
  check "$result: has rows" eval "grep -qv '^#' '$work/arm/$result.tsv'"
  more=()
  [ "$result" != match ] || more=(--pattern "$pattern")
  both "$result: verify" verify "$result.tsv" g.tsv -c c.tsv -q ${more[@]+"${more[@]}"}
done
check 'a damaged result is refused' damaged_is_refused
finish
