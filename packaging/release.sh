#!/usr/bin/env bash
# Makes all files of a release in dist/, from the source archive alone, and tries each as its user would: packaging/release.sh
# The archive is made from this checkout.  All else is built and tried in new Debian systems, without a network, after their
# packages were installed.  At the end, each report that was made is opened in a browser: it must draw its network.
# It needs root, debootstrap, buildah, qemu-aarch64, Chromium, Node.js and a mirror of Debian; 6 GB in TMPDIR, half an hour on four cores.
#   RELEASE_URL       where the archive will be; it is written into the recipes for conda
#   RELEASE_CHECK=1   the Debian packages run all tests while they are built (docs/RELEASE.md)
#   MOTIFSIEVE_DEBIAN a folder with a minimal Debian bookworm, which is copied instead of made anew
set -u
cd "$(dirname "$0")/.." || exit 1
# shellcheck disable=SC2034
must=1
# shellcheck source=tests/new_debian.sh
. tests/new_debian.sh
version=$(sed -n 's/^#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
release=motifsieve-$version
out=$work/dist
builder=$work/builder
mkdir -p "$out" "$work/html"
export LC_ALL=C TZ=UTC
umask 022
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
for program in buildah qemu-aarch64 node npm git; do command -v $program >/dev/null || skip "no $program here"; done
processor=$(uname -m)
[ "$processor" = x86_64 ] || skip 'it runs on x86-64 only, because the tool for Arm is compiled by a cross compiler'

# ---- the source archive ------------------------------------------------------------------------------
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo 'release: the working tree has changes that are not committed' >&2
archive=$out/$release.tar.gz
step 'the source archive' make -s dist DIST="$archive"
again() {
  git clone -q . "$work/clone" && make -s -C "$work/clone" dist DIST="$work/again.tar.gz" || return
  cmp "$archive" "$work/again.tar.gz" || [ -n "$(git status --porcelain --untracked-files=no)" ]
}
step '  the same bytes from a clone' again
source=$builder/src/$release
time=$(tar --full-time -tvzf "$archive" | awk 'NR == 1 { print $4 "T" $5 "Z" }')

# ---- the systems, and their packages -------------------------------------------------------------------
libraries=$(sed -n '/^Build-Depends/,/^Standards/p' debian/control | grep -oE 'z?lib[a-z0-9]+-dev' | tr '\n' ' ')
new_debian bookworm "$work/base"
export MOTIFSIEVE_DEBIAN=$work/base
install_packages() { inside "$1" "apt-get -q update && apt-get -qy install --no-install-recommends $2"; }
new_debian bookworm "$builder"
step '  compilers and libraries' install_packages "$builder" "build-essential debhelper check pkg-config patchelf python3-cffi python3-cheetah \
  python3-dev python3-numpy python3-pip python3-setuptools python3-venv python3-wheel python3-yaml $libraries"
step '  the architecture of Arm' inside "$builder" 'dpkg --add-architecture arm64'
step '  and its compiler and libraries' install_packages "$builder" "gcc-aarch64-linux-gnu libc6-dev-arm64-cross ${libraries//-dev/-dev:arm64}"
new_debian bookworm "$work/python"
step '  Python' install_packages "$work/python" 'python3-cffi python3-numpy python3-pandas python3-pip python3-venv'
new_debian bookworm "$work/debian"
runtime=$(tac packaging/docker/cpu.Dockerfile | sed '/^FROM/q' | grep ' lib' | grep -oE 'z?lib[a-z0-9.-]+' | tr '\n' ' ')
step '  the libraries that the packages need' install_packages "$work/debian" "$runtime"
mkdir "$builder/src"
step 'unpack' tar -xzf "$archive" -C "$builder/src"
has_r=
if [ -d "$source/r" ]; then
  has_r=1
  step '  R' install_packages "$builder" 'r-base-dev r-cran-matrix r-cran-igraph'
else
  echo 'SKIPPED: release: the archive has no R package'
fi
# From here, no system has a network.
offline=1
# build COMMAND [VARIABLE=VALUE...]: in the unpacked archive
build() { inside "$builder" "cd /src/$release && $1" "${@:2}"; }

# ---- the example of README ---------------------------------------------------------------------------
# The first search and the report of its result, as they are typed, one command a line
sed -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' "$source/README.md" | sed -n 's/^    \$ \(motifsieve .*\)/\1/p' |
  grep string_interactions | grep -E -- '--output modules\.(tsv|html)$' >"$work/example"
[ "$(cut -d ' ' -f 2 "$work/example" | tr '\n' ' ')" = 'list report ' ] || skip 'README has lost its first example'
# right NAME FOLDER: the example, which ran in FOLDER, found what README says; its files are kept for comparisons and the browser
right() {
  grep -qx '# matches: 188' "$2/modules.tsv" && cp "$2/modules.html" "$work/html/$1.html" && cp "$2/modules.tsv" "$work/$1.tsv"
}
# try_tool NAME ROOT [VARIABLE=VALUE...]: in a system in which the tool is installed
try_tool() {
  local folder=$2/example
  rm -rf "$folder"
  cp -r "$source/examples/string" "$folder" && cp "$work/example" "$folder/example.sh" && inside "$2" 'cd /example && sh -eux example.sh &&
    motifsieve verify modules.tsv string_interactions_short.tsv --colors genes.tsv' "${@:3}" && right "$1" "$folder"
}
# try_static PROCESSOR: in a folder that holds nothing but the unpacked archive, not even a C library; under qemu for Arm
try_static() {
  local tree=$work/$release-linux-$1 line
  tar -xzf "$out/$release-linux-$1.tar.gz" -C "$work" && cp -r "$tree/share/doc/motifsieve/examples/string" "$tree/example" || return
  motifsieve() {
    if [ "$processor" = x86_64 ]; then
      unshare -n --root="$tree" --wd=/example /bin/motifsieve "$@"
    else
      (cd "$tree/example" && unshare -n qemu-aarch64 "$tree/bin/motifsieve" "$@")
    fi
  }
  local processor=$1
  while read -r line; do eval "$line" </dev/null || return; done <"$work/example"
  motifsieve verify modules.tsv string_interactions_short.tsv --colors genes.tsv && motifsieve --version | grep -qxF "motifsieve $version" &&
    right "$1" "$tree/example"
}

# ---- tools for any Linux -------------------------------------------------------------------------------
# static_tool PROCESSOR CROSS [VARIABLE=VALUE...]: an archive with the tool, its manual and examples, and the licences of the
# libraries that are in it
static_tool() {
  local tree=/static/$release-linux-$1 licences=/static/$release-linux-$1/share/doc/motifsieve/licenses strip=${2}strip
  build "make CUDA=0 LINK=static DESTDIR=$tree PREFIX= ${*:3} install-tool && ! readelf -d $tree/bin/motifsieve | grep NEEDED &&
    $strip $tree/bin/motifsieve && mkdir -p $licences &&
    for package in libc6-dev $libraries; do cp /usr/share/doc/\$package/copyright $licences/\$package || exit 1; done &&
    dpkg-query -W -f '\${source:Package} \${source:Version}\n' libc6-dev $libraries | sort -u >$licences/SOURCES &&
    tar -c -C /static --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=$time ${tree#/static/} | gzip -9n >$tree.tar.gz" &&
    cp "$builder$tree.tar.gz" "$out/"
}
step 'the tool and the library' build 'make CUDA=0 all'
step 'a static tool for x86-64' static_tool x86_64 ''
step '  the example, where nothing else is' try_static x86_64
step 'a static tool for Arm' static_tool aarch64 aarch64-linux-gnu- BUILD=build-aarch64 CC=aarch64-linux-gnu-gcc TOOL=build/motifsieve
step '  the example, under qemu' try_static aarch64
step '  the same bytes as on x86-64' cmp "$work/x86_64.tsv" "$work/aarch64.tsv"

# ---- the Python package ----------------------------------------------------------------------------------
wheel() {
  build 'python3 -m venv --system-site-packages /env && /env/bin/pip wheel --no-index --no-build-isolation --no-deps -w /wheel . &&
    /env/bin/python packaging/wheel.py /wheel/*.whl /wheels' MOTIFSIEVE_MAKE='CUDA=0' && cp "$builder"/wheels/*.whl "$out/"
}
# The commands of README's section, with the answers that they must give, in a new environment
try_wheel() {
  local folder=$work/python/example
  cp -r "$source/examples/string" "$folder" && cp "$out"/*.whl "$folder" &&
    sed -n '/^## From Python/,/^## How/p' "$source/README.md" >"$folder/readme.txt" && grep -q '>>> .*report' "$folder/readme.txt" &&
    inside "$work/python" 'cd /example && ! ls /usr/lib/*/libqhull_r* && python3 -m venv --system-site-packages env &&
      env/bin/pip install --no-index --no-deps *.whl && env/bin/python -m doctest -o NORMALIZE_WHITESPACE readme.txt' &&
    cp "$folder/modules.html" "$work/html/wheel.html"
}
step 'the wheel' wheel
step '  the example, in a new environment' try_wheel

# ---- Debian ------------------------------------------------------------------------------------------------
debian() {
  local tests=nocheck
  [ -z "${RELEASE_CHECK:-}" ] || tests=
  cp "$archive" "$builder/src/motifsieve_$version.orig.tar.gz" && mkdir "$builder/src/debian" && tar -xzf "$archive" -C "$builder/src/debian" &&
    mv "$builder/src/motifsieve_$version.orig.tar.gz" "$builder/src/debian/" &&
    inside "$builder" "cd /src/debian/$release && dpkg-buildpackage -us -uc" DEB_BUILD_OPTIONS="parallel=$(nproc) $tests" &&
    mkdir "$out/debian" && find "$builder/src/debian" -maxdepth 1 -type f -exec cp {} "$out/debian/" \;
}
try_debian() {
  mkdir -p "$work/debian/packages" && cp "$out"/debian/*.deb "$work/debian/packages/" &&
    inside "$work/debian" 'dpkg -i /packages/motifsieve_*.deb /packages/libmotifsieve0_*.deb' && try_tool debian "$work/debian"
}
step 'Debian packages' debian
step '  the example, where they are installed' try_debian
# The library for programs, beside a compiler
program() {
  inside "$builder" "dpkg -i /src/debian/libmotifsieve0_*.deb /src/debian/libmotifsieve-dev_*.deb &&
    cp -r /usr/share/doc/libmotifsieve-dev/examples/library /program && make -C /program screen && cd /src/$release/examples/string &&
    /program/screen string_interactions_short.tsv genes.tsv helicase,nuclease | grep 'vertices take part'"
}
step '  a program with the library' program
if command -v lintian >/dev/null; then lintian --allow-root --tag-display-limit 0 "$out"/debian/*.changes | sed 's/^/    /'; fi

# ---- R -------------------------------------------------------------------------------------------------------
# The package finds the library by pkg-config.
r_package() {
  build "make AS_BUILT=1 CUDA=0 install && ldconfig && mkdir /r && cd /r && R CMD build --no-build-vignettes /src/$release/r &&
    R CMD INSTALL motifsieve_*.tar.gz" && cp "$builder"/r/motifsieve_*.tar.gz "$out/"
}
try_r() {
  local folder=$builder/r/example
  mkdir "$folder" && cat >"$folder/example.R" <<'END' && inside "$builder" 'cd /r/example && Rscript example.R' && cp "$folder/modules.html" "$work/html/R.html"
library(motifsieve)
folder <- system.file("extdata", package = "motifsieve")
g <- ms_read_graph(file.path(folder, "string_interactions_short.tsv"), colors = file.path(folder, "genes.tsv"), min_score = 0.7)
r <- ms_list(g, "helicase,nuclease,polymerase,ligase,*")
stopifnot(nrow(r) == 188, ms_verify(r)$accepted)
ms_report(r, "modules.html")
END
}
if [ -n "$has_r" ]; then
  step 'the R package' r_package
  step '  the example' try_r
fi

# ---- conda: the build script of the package, as far as it can be run without conda ---------------------------
conda() {
  build 'packaging/bioconda/build.sh' PREFIX=/conda CC=cc AR=ar NM=nm CFLAGS= LDFLAGS= CPU_COUNT="$(nproc)" MOTIFSIEVE_BUILD=build MAKEFLAGS=AS_BUILT=1 &&
    try_tool conda "$builder" PATH=/conda/bin:/usr/bin:/bin
}
# The recipes with the checksum of the archive, and its address if that is known
recipes() {
  local sum recipe
  sum=$(sha256sum <"$archive" | cut -d ' ' -f 1)
  for recipe in bioconda/meta.yaml conda-forge/recipe.yaml; do
    mkdir -p "$out/${recipe%/*}" && cp -r "$source/packaging/${recipe%/*}/." "$out/${recipe%/*}/" &&
      sed -i -e "s/0\{64\}/$sum/" ${RELEASE_URL:+-e "s|https://example.org/motifsieve-.*|$RELEASE_URL|"} "$out/$recipe" &&
      grep -q "$sum" "$out/$recipe" || return
  done
  [ -n "${RELEASE_URL:-}" ] || echo 'release: no RELEASE_URL, so the recipes for conda do not have the address of the archive' >&2
}
step 'conda: build.sh and the example' conda
step 'conda: tests of the recipes' build 'tests/packaging.sh build'
step 'conda: recipes with the checksum' recipes

# ---- containers ----------------------------------------------------------------------------------------------
# The Dockerfile, by buildah, which needs no daemon, on our minimal Debian in place of Docker's.  DEBUG=1, which saves minutes: the image
# is thrown away.  Its steps with apt-get need a network.
image() {
  local store=(buildah --root "$work/images" --runroot "$work/images-run" --storage-driver vfs) container folder=$work/image
  tar -C "$work/base" --exclude='./proc/*' -cf "$work/base.tar" . && container=$("${store[@]}" from scratch) &&
    "${store[@]}" add -q "$container" "$work/base.tar" / && "${store[@]}" commit -q --rm "$container" docker.io/library/debian:bookworm-slim &&
    "${store[@]}" bud --isolation chroot --pull-never --env DEBUG=1 -f "$source/packaging/docker/cpu.Dockerfile" -t motifsieve "$source" || return
  cp -r "$source/examples/string" "$folder" && cp "$work/example" "$folder/example.sh" && chmod 777 "$folder" &&
    container=$("${store[@]}" from --pull-never motifsieve) &&
    unshare -n "${store[@]}" run --isolation chroot -v "$folder:/data" "$container" -- sh -eux -c 'test $(id -u) -ne 0
      test "$(motifsieve --version)" = "motifsieve '"$version"'"
      ! command -v gcc
      ldconfig -p | grep -F libmotifsieve.so
      . ./example.sh' && right image "$folder"
}
step 'an image by cpu.Dockerfile, and the example' image

# ---- all reports, in a browser -------------------------------------------------------------------------------
browser() {
  local said
  ls "$work/html" && said=$(tests/report/run.sh --drawn "$work/html" build 2>&1) && ! grep SKIPPED <<<"$said" && return
  echo "$said"
  return 1
}
step "$(find "$work/html" -name '*.html' | wc -l) reports draw their networks" browser

(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS)
rm -rf dist
cp -r "$out" dist
echo "dist/ is complete; sign SHA256SUMS (docs/RELEASE.md)"
(cd dist && du -ah --apparent-size -- * | sort -k 2)
