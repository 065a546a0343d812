#!/usr/bin/env bash
# The code for GPUs as a plug-in: the library has none of it, finds the plug-in where it should, and goes on with
# processors, after one clear message where GPUs were asked for, if it is missing, damaged, of another version or
# forbidden.  With emulated GPUs, programs and a module that an interpreter would load search by it.
# Usage: tests/plugin.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=$(realpath "${1:-build}")
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-plugin-XXXXXX")
trap 'rm -rf "$work"' EXIT
unset MOTIFSIEVE_CUDA LD_LIBRARY_PATH
# shellcheck source=tests/checks.sh
. tests/checks.sh

version=$(sed -n 's/^#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
abi=$(sed -n 's/^#define MS_CUDA_ABI //p' gpu/loader/plugin.h)
file=libmotifsieve-cuda.so.$abi
real=$build/$file
emulated=$build/tests/gpu/emulated/$file

check 'debian/ names the ABI' test -f "debian/libmotifsieve-cuda$abi.install"

# ---- the library has no code of CUDA ------------------------------------------------------------
check 'the tool exists' test -x "$build/motifsieve"
for binary in motifsieve libmotifsieve.so libmotifsieve.a; do
  [ -f "$build/$binary" ] || continue
  names=$(nm "$build/$binary" 2>/dev/null | awk '{ print $NF }' | sort -u)
  check "nm shows the names of $binary" grep -qx ms_version <<<"$names"
  check "$binary has no name of CUDA" same "$(grep -E '^(__)?cu(da|rt|Init|[A-Z])|fatbin|cudart' <<<"$names")" ''
  check "$binary has no text of the CUDA runtime" test "$(grep -c 'libcudart\|cudaMalloc' "$build/$binary")" -eq 0
  case $binary in *.a) continue ;; esac
  check "$binary has no machine code for GPUs" same "$(readelf -SW "$build/$binary" | grep -E '\.nv|fatbin')" ''
  check "$binary asks for no library of CUDA" same "$(readelf -d "$build/$binary" | grep NEEDED | grep -iE 'cuda|nvidia')" ''
done

# ---- places -------------------------------------------------------------------------------------
# The tool in a folder of its own.
mkdir -p "$work/t/bin" "$work/t/lib" "$work/named"
tool=$work/t/bin/motifsieve
cp "$build/motifsieve" "$tool" || exit 1
printf 'a\tb\nb\tc\nc\ta\n' >"$work/g.tsv"
printf 'a\tred\nb\tblue\nc\tred\n' >"$work/c.tsv"
reason() { timeout 60 "$@" info 2>&1 | sed -n 's/^accelerators\t//p' | tr '\t' ' '; }
# refused REGEX: info gives this reason; the plug-in is not used; GPUs that were asked for are refused with one message
# that says it, too; auto says nothing about it
refused() {
  local said
  said=$(reason "$tool")
  grep -qE "^0 none: .*($1)" <<<"$said" || { echo "info: $said"; return 1; }
  for ask in "match $work/g.tsv triangle --engine gpu" "screen $work/g.tsv -c $work/c.tsv -m red,blue --backend cuda" \
    "list $work/g.tsv -c $work/c.tsv -m red,blue --count --engine gpu" "census $work/g.tsv -c $work/c.tsv --size 3 --engine gpu" \
    "census $work/g.tsv --shapes --size 3 --engine gpu" "bench gf2 --backend cuda"; do
    # shellcheck disable=SC2086
    said=$(timeout 60 "$tool" $ask 2>&1 >/dev/null)
    same "$? $(wc -l <<<"$said")" '2 1' && grep -qE "there is no GPU to use .*($1)" <<<"$said" || { echo "$ask: $said"; return 1; }
  done
  for auto in "match $work/g.tsv triangle --count" "screen $work/g.tsv -c $work/c.tsv -m red,blue" \
    "list $work/g.tsv -c $work/c.tsv -m red,blue --count" "census $work/g.tsv -c $work/c.tsv --size 3" \
    "census $work/g.tsv -c $work/c.tsv --shapes --size 3"; do
    # shellcheck disable=SC2086
    said=$(timeout 60 "$tool" $auto 2>&1 >/dev/null) && ! grep -qE "GPU|cuda" <<<"$said" || { echo "$auto: $said"; return 1; }
  done
}
install_it='install it, or name it with MOTIFSIEVE_CUDA'
again='install it again from the release that this library is from'
check 'without the plug-in' refused "$file: cannot open shared object file.*not in $work/t/bin or in \.\./lib, either; $install_it"
export MOTIFSIEVE_CUDA=0
check 'MOTIFSIEVE_CUDA=0' refused 'MOTIFSIEVE_CUDA is 0, which forbids GPUs; unset it'
for MOTIFSIEVE_CUDA in "$work/named/none.so" "$work" 1 cuda; do
  check "MOTIFSIEVE_CUDA is no file: $MOTIFSIEVE_CUDA" grep -qF \
    "MOTIFSIEVE_CUDA is '$MOTIFSIEVE_CUDA'; set it to 0, or to the file with the code for GPUs, or unset it" <("$tool" info 2>&1)
  check "and no command runs: $MOTIFSIEVE_CUDA" same "$("$tool" match "$work/g.tsv" triangle --count 2>/dev/null)" ''
done
unset MOTIFSIEVE_CUDA

# damaged plug-ins, beside the tool
at=$work/t/bin/$file
: >"$at"
check 'an empty plug-in' refused "$at cannot be loaded: it is not a shared object; $again"
head -c 5000 /dev/zero | tr '\0' x >"$at"
check 'a plug-in of other bytes' refused "$at cannot be loaded: it is not a shared object"
chmod 000 "$at"
[ "$(id -u)" -eq 0 ] || check 'a plug-in that may not be read' refused "$at cannot be loaded: Permission denied"
rm -f "$at"
donor=$([ -f "$real" ] && echo "$real" || echo "$build/libmotifsieve.so")
if [ -f "$donor" ] && ! nm -D "$build/libmotifsieve.so" | grep -qE ' U __(asan|ubsan|tsan|gcov)|__gcov_'; then
  for part in 100 5000 1000000; do
    head -c $part "$donor" >"$at"
    check "a plug-in that is cut after $part bytes" refused "$at cannot be loaded: (it is not a shared object|the file is cut short)"
  done
  head -c $(($(stat -c %s "$donor") - 1)) "$donor" >"$at"
  check 'a plug-in without its last byte' refused "$at cannot be loaded: the file is cut short; $again"
  rm -f "$at"

  # another library, and plug-ins that do not fit
  compiler=${CC:-cc}
  echo 'int nothing;' >"$work/nothing.c"
  # shellcheck disable=SC2086
  other() { $compiler -std=c17 -D_GNU_SOURCE -shared -fPIC -Iinclude -I. "-DABI=$1" "-DVERSION=\"$2\"" "-DSOURCES=\"$3\"" -o "$at" tests/library/other_plugin.c; }
  # shellcheck disable=SC2086
  check 'a shared object compiles' $compiler -shared -fPIC -o "$at" "$work/nothing.c"
  check 'another shared object' refused "$at is no code for GPUs of motifsieve; $again"
  check 'a plug-in of another version compiles' other "$abi" 9.8.7 x
  check 'a plug-in of another version' refused "$at does not fit this library: it is from version 9.8.7, and the library is version $version; $again"
  check 'a plug-in of another ABI compiles' other "$((abi + 1))" "$version" x
  check 'a plug-in of another ABI' refused "$at does not fit this library: it was built from other sources of version $version"
  check 'a plug-in from other sources compiles' other "$abi" "$version" x
  check 'a plug-in from other sources' refused "$at does not fit this library: it was built from other sources of version $version"
  mv "$at" "$work/t/lib/"
  check 'it is found in ../lib, too' refused "$work/t/bin/\.\./lib/$file does not fit this library"
  mkdir "$work/cwd" "$work/path"
  ln -s "$tool" "$work/path/motifsieve"
  check 'a tool that is found by PATH through a link finds it' \
    grep -q 't/bin/\.\./lib/.* does not fit' <(cd "$work/cwd" && PATH=$work/path:$PATH reason motifsieve)
  mv "$work/t/lib/$file" "$work/named/"
  check 'the dynamic linker finds it' \
    grep -q "^0 none: $file does not fit this library" <(LD_LIBRARY_PATH=$work/named reason "$tool")
  rm -f "$work/named/$file"

  # a program that changes its folder before it asks for GPUs gets the file of the folder in which it was started, by
  # whatever relative path the file, the library or the program was named; and none that merely lies in its folder
  mkdir -p "$work/start/rel" "$work/start/bin" "$work/other/rel" "$work/other/bin"
  place() { other "$abi" "$1" x && cp "$at" "$work/$2"; }
  check 'the plug-in of the first folder compiles' place 1.1.1 "start/rel/$file"
  check 'the plug-in of the second folder compiles' place 2.2.2 "other/rel/$file"
  rm -f "$at"
  cp "$work/start/rel/$file" "$work/start/bin/"
  cp "$work/other/rel/$file" "$work/other/bin/"
  cp "$work/other/rel/$file" "$work/other/"
  soname=$(readelf -d "$build/libmotifsieve.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
  # shellcheck disable=SC2086
  build_it() { $compiler -std=c17 -D_GNU_SOURCE -Iinclude -o "$1" tests/library/elsewhere.c "${@:2}"; }
  check 'a program with the shared library compiles' build_it "$work/start/elsewhere" "$build/libmotifsieve.so"
  cp "$build/libmotifsieve.so" "$work/start/rel/$soname"
  away() { (cd "$work/start" && timeout 60 env "$@" "$work/other" 2>&1); }
  first="/start/(rel|bin)/$file does not fit this library: it is from version 1.1.1"
  check 'chdir: MOTIFSIEVE_CUDA is relative' \
    grep -qE "$first" <(away LD_LIBRARY_PATH="$work/start/rel" MOTIFSIEVE_CUDA="rel/$file" ./elsewhere)
  check 'chdir: MOTIFSIEVE_CUDA begins with a dot' \
    grep -qE "/start/\./rel/$file does not fit.* 1\.1\.1" <(away LD_LIBRARY_PATH="$work/start/rel" MOTIFSIEVE_CUDA="./rel/$file" ./elsewhere)
  check 'chdir: the library was found by a relative path' grep -qE "$first" <(away LD_LIBRARY_PATH=rel ./elsewhere)
  check 'a program beside the plug-in' cp "$work/start/elsewhere" "$work/start/bin/"
  if build_it "$work/start/bin/elsewhere" "$build/libmotifsieve.a" -ljansson -lqhull_r -lgmp -lexpat -lzstd -lz -lm -lpthread -ldl 2>/dev/null; then
    check 'chdir: the program has a relative name' grep -qE "$first" <(away bin/elsewhere)
  fi
  rm "$work/start/rel/$file"
  for paths in : "$work/none:" ":$work/none" . "$work/none:." "$work/none::/none" "../other"; do
    said=$(away LD_LIBRARY_PATH="$paths:$work/start/rel" ./elsewhere)
    check "the current folder is not searched: LD_LIBRARY_PATH=$paths" \
      grep -q "$file cannot be loaded: LD_LIBRARY_PATH leads to the current folder; it is not in $work/start/rel, either" <<<"$said"
  done
  said=$(away LD_LIBRARY_PATH="$work/start/rel" ./elsewhere)
  check 'the current folder is not searched' grep -q "$file: cannot open shared object file" <<<"$said"
  said=$(away LD_LIBRARY_PATH="$work/start/rel" MOTIFSIEVE_CUDA="$file" ./elsewhere)
  check 'the current folder is not searched for a bare name' grep -q "$file: cannot open shared object file" <<<"$said"
else
  skip 'damaged plug-ins: this build is instrumented, or has no shared library'
fi

# ---- the real plug-in -----------------------------------------------------------------------------
if [ -f "$real" ]; then
  check 'the plug-in shows one name' same "$(nm -D --defined-only "$real" | awk '{ print $NF }')" ms_gpu_plugin_table
  check 'the plug-in holds the CUDA runtime, and asks for the C library alone' \
    same "$(readelf -d "$real" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(lib(c|m|dl|rt|pthread)\.so|ld-linux)')" ''
  check 'its name' grep -q "SONAME.*\[$file\]" <(readelf -d "$real")
  for place in bin lib; do
    cp "$real" "$work/t/$place/"
    check "the plug-in in $place is loaded" grep -qvE "libmotifsieve-cuda" <(reason "$tool")
    if [[ $(reason "$tool") = 0* ]]; then
      check "without a driver, the plug-in in $place says so" refused 'this machine has no NVIDIA driver|.'
      [ -e /dev/nvidiactl ] || check 'its message' same "$(reason "$tool")" '0 none: this machine has no NVIDIA driver'
    fi
    rm "$work/t/$place/$file"
  done
  mv "$work/t" "$work/moved"
  cp "$real" "$work/moved/lib/"
  check 'a tree that was moved' grep -qvE "libmotifsieve-cuda" <(reason "$work/moved/bin/motifsieve")
  check 'the tool of the build folder finds it' grep -qvE "libmotifsieve-cuda" <(cd / && reason "$build/motifsieve")
else
  skip 'the plug-in: built without CUDA'
fi

# ---- searches on emulated GPUs ----------------------------------------------------------------------
if [ -f "$emulated" ]; then
  libraries=(-ljansson -lqhull_r -lgmp -lexpat -lzstd -lz -lm -lpthread -ldl)
  mkdir -p "$work/s/bin" "$work/s/lib" "$work/d/bin" "$work/d/shared" "$work/m"
  compile() { "${CC:-cc}" -std=c17 -D_GNU_SOURCE -O1 -Wall -Wextra -Wpedantic -Werror -Iinclude "$@"; }
  check 'a program with the static library compiles' \
    compile -o "$work/s/bin/plugin" tests/library/plugin.c "$build/libmotifsieve.a" "${libraries[@]}"
  check 'a program with the shared library compiles' compile -o "$work/d/bin/plugin" tests/library/plugin.c "$build/libmotifsieve.so" -ldl
  check 'a module with the static library compiles' compile -DMODULE -shared -fPIC -fvisibility=hidden -Wl,--exclude-libs,ALL \
    -o "$work/m/_native.abi3.so" tests/library/plugin.c "$build/libmotifsieve.a" "${libraries[@]}"
  cp "$emulated" "$work/s/lib/"
  cp "$build/libmotifsieve.so" "$work/d/shared/$(readelf -d "$build/libmotifsieve.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
  cp "$emulated" "$work/d/shared/"
  for case in count memory stop; do check "static library, $case" ends_with fine "$work/s/bin/plugin" $case; done
  for case in count stop; do
    check "shared library, $case" ends_with fine env LD_LIBRARY_PATH="$work/d/shared" "$work/d/bin/plugin" $case
  done
  # the program that opens the module has a copy of the library, too, and no plug-in
  cp "$work/s/bin/plugin" "$work/m/host"
  check 'a module without the plug-in is refused GPUs' \
    grep -q "it is not in $work/m, either" <(timeout 60 "$work/m/host" open "$work/m/_native.abi3.so")
  cp "$emulated" "$work/m/"
  check 'a module with RTLD_LOCAL' ends_with fine "$work/m/host" open "$work/m/_native.abi3.so"
  if command -v python3 >/dev/null 2>&1 && python3 -c 'import ctypes' 2>/dev/null; then
    check 'a module in Python' python3 -c "import ctypes, sys
sys.exit(ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL).module_count())" "$work/m/_native.abi3.so"
    # two copies of the library in one process: the first has the plug-in, the second one goes on without it
    cp "$work/m/_native.abi3.so" "$work/m/second.so"
    two=$(timeout 60 python3 -c "import ctypes, sys
one, two = (ctypes.CDLL(path, mode=ctypes.RTLD_LOCAL) for path in sys.argv[1:])
sys.exit(one.module_count() or two.module_count() == 0 or one.module_count())" "$work/m/_native.abi3.so" "$work/m/second.so" 2>&1)
    check 'two copies of the library in one process' same "$?" 0
    check 'the second one says why' grep -q 'serves another copy of libmotifsieve in this process' <<<"$two"
  else
    skip 'a module in Python: there is no python3 with ctypes here'
  fi
  search=("$build/motifsieve" match "$work/g.tsv" triangle --count --engine)
  check 'the tool searches on an emulated GPU' same "$(MOTIFSIEVE_CUDA=$emulated "${search[@]}" dfs 2>&1)" "$("${search[@]}" cpu)"
else
  skip 'searches: there are no emulated GPUs, which make build-tests builds where there is CUDA'
fi
cd "$top" || exit 1
finish
