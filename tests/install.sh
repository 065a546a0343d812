#!/usr/bin/env bash
# What users and packagers get: make install and uninstall, the pkg-config file,
# a program that uses the installed library, the header in every language, the
# manual, completion, and the tarball.  Usage: tests/install.sh BUILD_FOLDER
# Installs what lies in the build folder, with whatever flags it was built.
#
# options and commands are words without blanks
# shellcheck disable=SC2013,SC2086
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=${1:-build}
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
# what a make around us was told is not meant for ours
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR SOURCE_DATE_EPOCH CPPFLAGS CFLAGS LDFLAGS BUILD SANITIZE TSAN \
  COVERAGE DEBUG FUZZ WERROR TOOL DIST
# shellcheck disable=SC2046
unset $(grep -oE '^[A-Z_]+ \?=' packaging/install.mk | tr -d ' ?=')
# with GPUs or without, as the build is
if grep -q '\.cu\.o' "$build/objects-cuda" 2>/dev/null; then export CUDA=1; else export CUDA=0; fi
unset MOTIFSIEVE_CUDA
plugin=libmotifsieve-cuda.so.$(sed -n 's/^#define MS_CUDA_ABI //p' gpu/loader/plugin.h)
jobs=$(nproc 2>/dev/null || echo 2)

# shellcheck source=tests/checks.sh
. tests/checks.sh
case $build in *-asan | *-tsan)
  skip_rest 'the build without sanitizers installs the same files'
  ;;
esac
silent() {
  local said
  said=$("$@" 2>&1 >/dev/null) && [ -z "$said" ] && return
  echo "$said"
  return 1
}
# no_fault COMMAND...: its line about GPUs names no file that is missing or does not fit
no_fault() {
  local said
  said=$("$@" | grep '^accelerators') && ! grep -qF "$plugin" <<<"$said" && return
  echo "$said"
  return 1
}
# refused TEXT COMMAND...: it fails, and says why
refused() {
  local wanted=$1 said
  shift
  if said=$("$@" 2>&1); then
    echo "it did not fail: $said"
    return 1
  fi
  grep -qF -- "$wanted" <<<"$said" || {
    echo "$said"
    return 1
  }
}
# the build as it is: nothing is compiled
with_build() { make -s AS_BUILT=1 BUILD="$build" "$@"; }

version=$(sed -n 's/^#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
so=$(sed -n 's/^SOVERSION := //p' Makefile)
[ -x "$build/motifsieve" ] || {
  echo "install.sh: FAILED: no program at $build/motifsieve; run make first"
  exit 1
}

# ---- hardening -----------------------------------------------------------------------------------
# What is built by plain make, and so by pip: immediate binding of names, tables that become read-only, canaries on
# stacks, checked copies, no stack with code, programs at any address.
if [ "$(uname)" = Linux ] && ! grep -qE -e '-fsanitize|--coverage|-O0' "$build/flags"; then
  native=$build/python/motifsieve/_native.abi3.so
  for binary in "$build/motifsieve" "$build/libmotifsieve.so" "$build/$plugin" "$native"; do
    [ -f "$binary" ] || continue
    name=${binary##*/}
    dynamic=$(readelf -dW "$binary")
    segments=$(readelf -lW "$binary")
    symbols=$(readelf --dyn-syms -W "$binary")
    check "$name: names are bound at the start" grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic"
    check "$name: relocated tables become read-only" grep -q GNU_RELRO <<<"$segments"
    check "$name: the stack holds no code" same "$(grep -c 'GNU_STACK.* RW ' <<<"$segments")" 1
    check "$name: no segment is writable and holds code" same "$(grep -E 'LOAD.* RWE ' <<<"$segments")" ''
    check "$name: functions with arrays check their stack" grep -q __stack_chk_fail <<<"$symbols"
    check "$name: copies are checked" grep -qE '__(mem|str|snprintf|vsnprintf|read|fprintf|printf)[a-z]*_chk' <<<"$symbols"
    check "$name: loads at any address" grep -qE 'Type: +DYN' <(readelf -hW "$binary")
    check "$name: asks for no place of text" same "$(grep -E 'TEXTREL' <<<"$dynamic")" ''
    check "$name: no run path" same "$(grep -E 'R(UN)?PATH' <<<"$dynamic")" ''
  done
else
  skip 'hardening: this build is instrumented, not optimized or not ELF'
fi

# ---- install into DESTDIR, every folder elsewhere ---------------------------------
stage=$work/stage
folders=(DESTDIR="$stage" PREFIX=/opt/m BINDIR=/opt/m/tools LIBDIR=/opt/m/lib/tuple INCLUDEDIR=/elsewhere/include
  MANDIR=/opt/m/manual DOCDIR=/opt/m/doc/motifsieve-doc BASHCOMPDIR=/etc/bash ZSHCOMPDIR=/etc/zsh)
check 'make install' with_build install "${folders[@]}"
check 'nothing is compiled' same "$(grep -E '^ +(CC|CXX|NVCC|AR|LINK) ' "$work/said")" ''
for file in opt/m/tools/motifsieve opt/m/lib/tuple/libmotifsieve.a "opt/m/lib/tuple/libmotifsieve.so.$so.$version" \
  elsewhere/include/motifsieve.h elsewhere/include/motifsieve/write.h opt/m/lib/tuple/pkgconfig/motifsieve.pc opt/m/manual/man1/motifsieve.1 \
  opt/m/manual/man3/libmotifsieve.3 etc/bash/motifsieve etc/zsh/_motifsieve opt/m/doc/motifsieve-doc/README.md \
  opt/m/doc/motifsieve-doc/LICENSE opt/m/doc/motifsieve-doc/docs/RESULT.md \
  opt/m/doc/motifsieve-doc/examples/library/screen.c opt/m/doc/motifsieve-doc/examples/yeast/ost.motif; do
  check "installed: $file" test -f "$stage/$file"
done
if [ $CUDA = 1 ]; then
  check "installed: opt/m/lib/tuple/$plugin" test -f "$stage/opt/m/lib/tuple/$plugin"
  check 'the installed tool loads the code for GPUs by the linker'"'"'s search' \
    no_fault env LD_LIBRARY_PATH="$stage/opt/m/lib/tuple" "$stage/opt/m/tools/motifsieve" info
fi
if "$stage/opt/m/tools/motifsieve" report --help | grep -q 'draws no networks'; then
  check 'no licence of what is not there' test ! -e "$stage/opt/m/doc/motifsieve-doc/cytoscape.LICENSE"
else
  check 'the licence of cytoscape.js' grep -q 'Cytoscape Consortium' "$stage/opt/m/doc/motifsieve-doc/cytoscape.LICENSE"
  printf 'a\tb\nb\tc\n' >"$work/drawn.tsv"
  "$stage/opt/m/tools/motifsieve" match "$work/drawn.tsv" path:3 -q -o "$work/drawn.result"
  "$stage/opt/m/tools/motifsieve" report "$work/drawn.result" "$work/drawn.tsv" path:3 -q -o "$work/drawn.html"
  check 'reports of the installed tool have cytoscape.js and its licence' same \
    "$(grep -c 'Permission is hereby granted, free of charge\|^!function.*cytoscape=' "$work/drawn.html")" 2
fi
check 'soname link' same "$(readlink "$stage/opt/m/lib/tuple/libmotifsieve.so.$so")" "libmotifsieve.so.$so.$version"
check 'development link' same "$(readlink "$stage/opt/m/lib/tuple/libmotifsieve.so")" "libmotifsieve.so.$so"
check 'soname' grep -q "SONAME.*\[libmotifsieve\.so\.$so\]" <(readelf -d "$stage/opt/m/lib/tuple/libmotifsieve.so")
check 'modes' same "$(find "$stage" -type f ! -perm 644 ! -perm 755)" ''
check 'programs and libraries only may run' same "$(find "$stage" -type f -perm 755 -printf '%f\n' | sort | tr '\n' ' ')" \
  "$([ $CUDA = 0 ] || echo "$plugin ")libmotifsieve.so.$so.$version motifsieve "
check 'the installed tool runs' same "$("$stage/opt/m/tools/motifsieve" --version)" "motifsieve $version"
check 'no trace of the build folder' same "$(grep -rlF "$top/$build" "$stage" --include='*.pc' --include='*.[13]')" ''

motifsieve=$stage/opt/m/tools/motifsieve
# options_of COMMAND: prints its long options
options_of() { "$motifsieve" "$1" --help=all | grep -oE '^  (-., |    )--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'; }
commands=$("$motifsieve" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
check 'commands' test "$(wc -w <<<"$commands")" -ge 6

# ---- the manual --------------------------------------------------------------------
manual=$stage/opt/m/manual
for command in $commands; do
  check "motifsieve-$command(1)" test -s "$manual/man1/motifsieve-$command.1"
  for option in $(options_of "$command"); do
    check "motifsieve-$command(1) tells $option" grep -qF -- "\\fB${option//-/\\-}\\fR" "$manual/man1/motifsieve-$command.1"
  done
  check "motifsieve(1) lists $command" grep -qF "motifsieve\\-$command (1)" "$manual/man1/motifsieve.1"
done
for function in $(grep -hE '^MS_API' include/motifsieve.h include/motifsieve/*.h | grep -oE '\bms_[a-z0-9_]+\(' | sort -u); do
  check "libmotifsieve(3) declares $function)" grep -qF "$function" "$manual/man3/libmotifsieve.3"
done
check 'no comment sign is left in the text of libmotifsieve(3)' \
  same "$(grep -nE '^(/\*|\*/| \*|/$)' "$manual/man3/libmotifsieve.3")" ''
# pages have no date: the version on them says what they describe
lint() { ! mandoc -Tlint -Wwarning "$1" 2>&1 | grep -v 'missing date, using ""'; }
for page in "$manual"/man?/*; do
  name=$(basename "$page")
  if has man && has groff; then
    man --warnings -l "$page" >"$work/page" 2>"$work/warnings"
    check "man shows $name" same $? 0
    check "man has nothing to say about $name" same "$(cat "$work/warnings")" ''
    check "$name has a one-line description" grep -qE '^ +[a-z0-9-]+ +- .' <(col -b <"$work/page" 2>/dev/null)
  fi
  has mandoc && check "mandoc has nothing to say about $name" lint "$page"
done
if ! has man || ! has groff; then skip 'man pages by groff: no man or no groff here'; fi
has mandoc || skip 'man pages by mandoc: it is not here'

# ---- completion ----------------------------------------------------------------------
# completes WORDS... (the last one is to be completed): what bash would offer, sorted
completes() {
  bash -c '. "$1" || exit 1; shift
    COMP_WORDS=(motifsieve "$@") COMP_CWORD=$#
    _motifsieve; printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' completes "$stage/etc/bash/motifsieve" "$@"
}
check 'bash: commands' same "$(completes '')" "$(printf '%s\n' $commands help --help --version | sort | tr '\n' ' ')"
check 'bash: a command' same "$(completes scr)" 'screen '
check 'bash: help COMMAND' same "$(completes help l)" 'list '
check 'bash: options' same "$(completes list g.tsv --mot)" '--motif --motif-file --motif-from --motif-timeout --motifs '
check 'bash: options of this command only' same "$(completes screen g.tsv --embeddings)" ' '
check 'bash: recurrences' same "$(completes list --recurrence '')" 'classic sibling '
check 'bash: --option=value' same "$(completes list --recurrence = c)" 'classic '
check 'bash: --help and --help=all' same "$(completes list --he)" '--header --help --help=all '
check 'bash: --help=all after =' same "$(completes list --help = '')" 'all '
check 'bash: no value after --help' same "$(completes info --help '')" '--help --help=all '
check 'bash: graph formats' grep -q 'auto .*edge-list .*string ' <<<"$(completes screen --format '')"
check 'bash: colour formats' grep -q 'gaf gmt go-slim ' <<<"$(completes screen --colour-format g)"
check 'bash: no values for free text' same "$(completes screen --motif '')" ' '
check 'bash: parts of bench' same "$(completes bench '')" '--help gf2 sieve '
check 'bash: options of a part' same "$(completes bench sieve --re)" '--recurrence --repetitions '
# every option of every command, in one shell: lines COMMAND OPTION, and what is offered
for command in $commands; do
  for option in $(options_of "$command"); do echo "$command $option"; done
done >"$work/options"
bash -c '. "$1" || exit 1
  while read -r command option; do
    COMP_WORDS=(motifsieve "$command" "$option") COMP_CWORD=2 COMPREPLY=()
    _motifsieve
    echo "$command $option: ${COMPREPLY[*]} "
  done' every "$stage/etc/bash/motifsieve" <"$work/options" >"$work/offered"
while read -r command option; do
  check "bash: $command $option" grep -qE -- "^$command $option: (.* )?$option " "$work/offered"
done <"$work/options"
mkdir "$work/files"
touch "$work/files/network.tsv" "$work/files/names.tsv" "$work/files/with blank"
cd "$work/files" || exit 1
check 'bash: operands' same "$(completes screen net)" 'network.tsv '
check 'bash: files of options' same "$(completes screen x --colors n)" 'names.tsv network.tsv '
check 'bash: a short option' same "$(completes list x -o net)" 'network.tsv '
check 'bash: a name with a blank is one' same "$(completes screen with)" 'with blank '
check 'bash: no operand, no files' same "$(completes info n)" ' '
cd "$top" || exit 1
if has zsh; then
  check 'zsh: syntax' silent zsh -n "$stage/etc/zsh/_motifsieve"
  # what _arguments is given, without a terminal
  zsh_completes() {
    zsh -fc '_arguments() { if [[ $1 == -C ]]; then state=rest; return 1; fi; print -rl -- "$@"; }
      _describe() { :; }; _files() { :; }
      words=("${@:2}") CURRENT=$#words
      . $1' zsh "$stage/etc/zsh/_motifsieve" "$@"
  }
  for command in $commands; do
    [ "$command" = bench ] && continue
    zsh_completes "$command" '' >"$work/offered"
    for option in $(options_of "$command"); do
      check "zsh: $command $option" grep -qE -- "(^|\)|\*)$option(=|\[)" "$work/offered"
    done
  done
  check 'zsh: a part of bench' grep -q -- '--slots=' <<<"$(zsh_completes bench sieve '')"
else
  skip 'zsh completion: no zsh here'
fi

# ---- uninstall ---------------------------------------------------------------------------
touch "$stage/opt/m/tools/another"
check 'make uninstall' with_build uninstall "${folders[@]}"
check 'uninstall leaves what is not ours, and nothing else' same "$(find "$stage" ! -type d)" "$stage/opt/m/tools/another"
check 'uninstall removes our folders' same "$(find "$stage" -type d -name '*motifsieve*')" ''

# ---- a tool for any Linux ------------------------------------------------------------------
if [ "$(uname)" != Linux ] || grep -qE -e '--coverage' "$build/flags"; then
  skip 'a static tool: this is not Linux, or the build is instrumented'
elif ! echo 'int main(void) { return 0; }' | ${CC:-cc} -static -x c -o "$work/probe" - -l:libjansson.a -l:libqhullstatic_r.a -l:libgmp.a 2>/dev/null; then
  skip 'a static tool: no static libraries here'
else
  check 'make LINK=static install-tool' with_build install-tool LINK=static DESTDIR="$work/static" PREFIX=
  check 'it asks for no library' same "$(readelf -d "$work/static/bin/motifsieve" | grep NEEDED)" ''
  check 'it is the tool, its manual, completion and documents' same "$(cd "$work/static" && find . -mindepth 1 -maxdepth 2 | sort | xargs)" \
    './bin ./bin/motifsieve ./share ./share/bash-completion ./share/doc ./share/man ./share/zsh'
  printf 'a\tb\nb\tc\n' >"$work/static/g.tsv"
  # shellcheck disable=SC2016
  check 'it searches' same "$("$work/static/bin/motifsieve" match "$work/static/g.tsv" path:3 --count)" 1
  check 'it says why it has no GPUs' refused 'linked statically' env -u MOTIFSIEVE_CUDA "$work/static/bin/motifsieve" list \
    "$work/static/g.tsv" -c "$work/static/g.tsv" -m b --engine gpu
  if [ "$(id -u)" = 0 ] && unshare --root=/ true 2>/dev/null; then
    check 'it runs where there is nothing else' same "$(unshare --root="$work/static" /bin/motifsieve match g.tsv path:3 --count 2>&1)" 1
  fi
fi
check 'another LINK is refused' refused 'give LINK=static' make -s LINK=shared BUILD="$build" -n

# ---- pkg-config, and a program with the installed library ---------------------------------
usr=$work/usr
check 'make install, PREFIX only' with_build install PREFIX="$usr"
if [ $CUDA = 1 ]; then
  check 'the installed tool loads the code for GPUs in ../lib' no_fault "$usr/bin/motifsieve" info
  cp -a "$usr" "$work/copy"
  check 'a copy of the tree does, too' no_fault "$work/copy/bin/motifsieve" info
  rm "$work/copy/lib/$plugin"
  check 'the copy loads no other one' grep -q "not in $work/copy/bin or in" <("$work/copy/bin/motifsieve" info)
  rm -r "$work/copy"
fi
export PKG_CONFIG_PATH=$usr/lib/pkgconfig
if has pkg-config; then
  check 'pkg-config: version' same "$(pkg-config --modversion motifsieve)" "$version"
  check 'pkg-config: includes' same "$(pkg-config --cflags motifsieve | xargs)" "-I$usr/include"
  check 'pkg-config: shared needs ours only' same "$(pkg-config --libs motifsieve | xargs)" "-L$usr/lib -lmotifsieve"
  for library in jansson gmp expat zstd z qhull_r; do
    check "pkg-config: static needs $library" grep -qE -- "-l?$library( |$)" <<<"$(pkg-config --static --libs motifsieve)"
  done
  check 'pkg-config: the prefix can be moved' same "$(pkg-config --define-variable=prefix=/moved --variable=libdir motifsieve)" /moved/lib
  check 'pkg-config: valid' pkg-config --validate motifsieve
fi

printf 'a\tb\nb\tc\nc\td\nb\td\nd\te\ne\tf\n' >"$work/g.tsv"
printf 'a\tred\nb\tblue\nc\tred\nd\tgreen\nd\tblue\ne\tred\n' >"$work/c.tsv"
# red, blue and green connected: abd, bcd, bde
wanted=$'# motif blue,green,red\n# 5 of 6 vertices take part\na\nb\nc\nd\ne'
matches=$'# 3 matches\na\tb\td\nb\tc\td\nb\td\te'
# try NAME PROGRAM: does it find what was worked out by hand
try() {
  local said
  said=$("$2" "$work/g.tsv" "$work/c.tsv" red,blue,green 2>&1)
  check "$1: vertices" same "$(head -n 7 <<<"$said")" "$wanted"
  check "$1: the bound" grep -q '^# one that takes part was missed with a chance of at most .* = ' <<<"$said"
  check "$1: matches" same "$(tail -n 4 <<<"$said")" "$matches"
  said=$("$2" "$work/nowhere.tsv" "$work/c.tsv" red 2>&1 >/dev/null)
  check "$1: an error" grep -q 'nowhere.tsv' <<<"$said"
}
written=$'6 vertices, 6 edges, mean degree 2.0, 1 components\n6 vertices are connected with a'
written+=$'\nscreen, 5 rows: accepted\nlist, 3 rows: accepted\npattern, 1 rows: accepted'
own=$work/program
mkdir "$own"
cp examples/library/* "$own"
if ! has pkg-config; then
  skip 'programs with the library: no pkg-config here'
elif nm -D "$usr/lib/libmotifsieve.so" | grep -qE ' U __(asan|ubsan|tsan|gcov)|__gcov_'; then
  skip 'programs with the library: this build is instrumented'
else
  for compiler in gcc clang; do
    has $compiler || {
      skip "programs built by $compiler: it is not here"
      continue
    }
    check "example, $compiler, shared" make -s -C "$own" clean screen write CC=$compiler CFLAGS='-std=c99 -O1 -Wall -Wextra -Wpedantic -Werror'
    LD_LIBRARY_PATH=$usr/lib try "$compiler, shared" "$own/screen"
    check "$compiler: the files that the example writes are accepted" same \
      "$(LD_LIBRARY_PATH=$usr/lib "$own/write" "$work/g.tsv" "$work/c.tsv" red,blue,green "$work" 2>&1)" "$written"
    check "$compiler: the tool accepts them, too" silent "$usr/bin/motifsieve" verify "$work/list.tsv" "$work/g.tsv" -c "$work/c.tsv"
    check 'it needs the soname' grep -q "libmotifsieve\.so\.$so\]" <(readelf -d "$own/screen")
    check "example, $compiler, static" make -s -C "$own" clean screen STATIC=1 CC=$compiler
    try "$compiler, static" "$own/screen"
    check 'it does not need the library' same "$(readelf -d "$own/screen" | grep motifsieve)" ''
  done
  if has g++; then
    # shellcheck disable=SC2046
    check 'example, C++17' g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -o "$own/screen" \
      -x c++ examples/library/screen.c -x none $(pkg-config --cflags --libs motifsieve)
    LD_LIBRARY_PATH=$usr/lib try 'C++17' "$own/screen"
  else
    skip 'a C++ program: no g++ here'
  fi
fi

# ---- the header alone -----------------------------------------------------------------------
printf '#include <motifsieve.h>\n#include <motifsieve.h>\ntypedef int not_empty;\n' >"$work/alone.c"
for compiler in gcc clang g++ clang++; do
  has $compiler || {
    skip "the header by $compiler: it is not here"
    continue
  }
  case $compiler in *++) languages='c++ c++11 c++17 c++20' ;; *) languages='c c99 c11 c17' ;; esac
  for standard in ${languages#* }; do
    check "header: $compiler, $standard" silent $compiler -x ${languages%% *} -std=$standard -Wall -Wextra -Wpedantic -Werror \
      -fsyntax-only -I"$usr/include" "$work/alone.c"
  done
done
check 'make uninstall, PREFIX only' with_build uninstall PREFIX="$usr"
check 'nothing is left' same "$(find "$usr" ! -type d)" ''

# ---- the tarball ------------------------------------------------------------------------------
if [ -e .git ] && has git || [ -f MANIFEST ]; then
  name=motifsieve-$version
  # Where the build got no cytoscape.js, the archive gets none.
  given=()
  [ -s "$build/report/web/cytoscape.min.js" ] || given=(CYTOSCAPE=0)
  if [ ${#given[@]} = 1 ]; then skip 'the archive with cytoscape.js: this build has none'; fi
  make_dist() { (cd "$1" && make -s dist BUILD="$build" "${given[@]}" DIST="$work/$2.tar.gz"); }
  check 'make dist' make_dist . one
  check 'make dist again' make_dist . two
  check 'the same bytes' cmp "$work/one.tar.gz" "$work/two.tar.gz"
  check 'one folder' same "$(tar -tzf "$work/one.tar.gz" | cut -d/ -f1 | sort -u)" "$name"
  check 'nothing built' same "$(tar -tzf "$work/one.tar.gz" | grep -E '\.(o|a|so|d|gcda|gcno)$|/build(-[a-z]+)?/')" ''
  check 'owners' same "$(tar --numeric-owner -tvzf "$work/one.tar.gz" | awk '{ print $2 }' | sort -u)" 0/0
  check 'times' same "$(tar --full-time -tvzf "$work/one.tar.gz" | awk '{ print $4, $5 }' | sort -u | wc -l)" 1
  tar -xzf "$work/one.tar.gz" -C "$work"
  unpacked=$work/$name
  # Clones of other users, at other times: the same bytes; the files in this checkout may be changed ones
  if [ -e .git ]; then
    check 'a clone' git clone -q . "$work/clone"
    (umask 077 && git clone -q . "$work/private") && touch "$work/private/Makefile"
    for clone in clone private; do check "make dist in $clone" make_dist "$work/$clone" "$clone"; done
    check 'clones give the same bytes' cmp "$work/clone.tar.gz" "$work/private.tar.gz"
  fi
  if [ ${#given[@]} = 0 ]; then
    package=$(cd "$unpacked" && ls report/cytoscape-*.tgz)
    check 'cytoscape.js is in the archive' test "$(sha512sum <"$unpacked/$package")" = \
      "$(sed -n 's/^CYTOSCAPE_SHA512 := //p' report/rules.mk)  -"
    check 'and its licence' grep -q 'Cytoscape Consortium' "$unpacked/report/cytoscape.LICENSE"
  fi
  check 'MANIFEST lists what there is' same "$(cd "$unpacked" && find . ! -type d | sed 's|^\./||' | sort)" "$(cat "$unpacked/MANIFEST")"
  check 'the tarball makes itself' make_dist "$unpacked" three
  check 'the same bytes without git' cmp "$work/one.tar.gz" "$work/three.tar.gz"
  # What this build read of its sources, also for tests and GPUs.  Absolute names are the system's; a folder may have
  # what is left of sources that are gone.
  read_by_build() {
    find "$build" -name '*.d' -exec cat {} + | tr ' \\' '\n\n' | grep -v -e '^/' -e ':$' -e "^$build/" -e '^$' | sort -u
  }
  check 'the tarball has all that the build reads' same \
    "$(read_by_build | (cd "$unpacked" && while read -r file; do [ -e "$file" ] || [ ! -e "$top/$file" ] || echo "$file"; done))" ''
  # Without the kernels, whose compilation takes minutes and shows nothing about a tarball.  What the compiler made of
  # the files in the tarball is there already; what is generated is made from the tarball.
  case $build in *-coverage) ;; *)
    mkdir "$unpacked/build"
    cp "$build/flags" "$unpacked/build"
    objects=()
    while read -r object; do
      if cmp -s "${object%.o}.c" "$unpacked/${object%.o}.c"; then objects+=("$object"); fi
    done < <(cd "$build" && find . -path ./tests -prune -o -path ./bench -prune -o -path './gpu/[!l]*' -prune -o -name '*.o' -print)
    (cd "$build" && cp --parents "${objects[@]}" "$unpacked/build")
    ;;
  esac
  # There is no npm.
  mkdir "$work/no_npm"
  printf '#!/bin/sh\nexit 1\n' >"$work/no_npm/npm"
  chmod +x "$work/no_npm/npm"
  check 'the tarball builds and installs' env PATH="$work/no_npm:$PATH" make -s -j"$jobs" -C "$unpacked" install AS_BUILT=1 CUDA=0 DESTDIR="$work/from"
  check 'what it built runs' same "$("$work/from/usr/local/bin/motifsieve" --version)" "motifsieve $version"
  if [ ${#given[@]} = 0 ]; then
    check 'its reports draw networks, by the cytoscape.js in the archive' grep -q '^reports.*are drawn by cytoscape' \
      <("$work/from/usr/local/bin/motifsieve" info)
    printf x >>"$unpacked/$package"
    check 'a package that was changed is refused' refused 'its SHA-512 is' make -s -C "$unpacked" cytoscape CUDA=0
  fi
else
  skip 'the tarball: neither git nor a MANIFEST'
fi
finish
