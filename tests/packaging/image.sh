#!/usr/bin/env bash
# Runs the steps of a Dockerfile without Docker: each stage is a new Debian in a folder, RUN is a chroot, COPY copies.  At the end,
# the program runs as the user of the image.  Only images that begin with debian:SUITE-slim can be tried like this.
# Usage: tests/packaging/image.sh [DOCKERFILE]   (root, debootstrap, a mirror of Debian; about 1 GB in TMPDIR)
#   DEBUG=1   compiles without optimization: a minute instead of ten
#   ARCHIVE   the source archive whose files are the context, in place of a new one
#   REPORT    where the report of the example goes
# Only steps with apt-get have a network.
# What it does not show: the cache and the layers of Docker, and its list of files to leave out.
set -u

cd "$(dirname "$0")/../.." || exit 1
dockerfile=${1:-packaging/docker/cpu.Dockerfile}
suite=$(sed -n 's/^FROM debian:\([a-z]*\)-slim.*/\1/p' "$dockerfile" | sort -u)
if grep '^FROM' "$dockerfile" | grep -qv '^FROM debian:' || [ "$(wc -w <<<"$suite")" -ne 1 ]; then
  echo "SKIPPED: image: $dockerfile does not begin with one Debian"
  exit 0
fi
# shellcheck source=tests/new_debian.sh
. tests/new_debian.sh

# step_inside COMMAND: in the folder and as the user of the stage, with the variables of its ENV
folder=/
user=root
variables=()
step_inside() {
  local offline=1
  case $1 in *apt-get*) offline= ;; esac
  inside "$stage" "cd $folder && $1" ${DEBUG:+DEBUG="$DEBUG"} ${variables[@]+"${variables[@]}"}
}

new_debian "$suite" "$work/base"
umount "$work/base/proc"
[ -n "${ARCHIVE:-}" ] || step 'the files of the context' make -s dist DIST="${ARCHIVE:=$work/context.tar.gz}"
number=0
entry=
while read -r word words; do
  case $word in
  FROM)
    number=$((number + 1)) folder=/ user=root variables=()
    stage=$work/stage$number
    step "FROM $words" cp -a "$work/base" "$stage"
    step '  /proc' mount -t proc proc "$stage/proc"
    case $words in *' AS '*) eval "stage_${words##* AS }=\$stage" ;; esac
    ;;
  RUN) step "RUN ${words:0:40}..." step_inside "$words" ;;
  WORKDIR) folder=$words && step "WORKDIR $words" mkdir -p "$stage$words" ;;
  COPY)
    case $words in
    '. .') step 'COPY . .' tar -xzf "$ARCHIVE" -C "$stage$folder" --strip-components=1 ;;
    --from=*)
      read -r from source target <<<"$words"
      from=stage_${from#--from=}
      step "COPY $words" cp -a "${!from}$source/." "$stage$target/"
      ;;
    *) echo "image.sh: COPY $words: not understood" && exit 1 ;;
    esac
    ;;
  USER) user=$words ;;
  ENV) for pair in $words; do variables+=("$pair"); done ;;
  ARG) variables+=("${words//\"/}") ;;
  ENTRYPOINT) entry=$(tr -d '[]",' <<<"$words") ;;
  LABEL | CMD) ;;
  *) echo "image.sh: $word: not understood" && exit 1 ;;
  esac
done < <(grep -v '^#' "$dockerfile" | sed -e ':join' -e '/\\$/{N;s/\\\n/ /;b join' -e '}' | grep .)

version=$(sed -n 's/^#define MS_VERSION "\(.*\)"/\1/p' include/motifsieve.h)
step 'the program, as the user of the image' step_inside "test \"\$(id -u)\" -ne 0 && test \"\$($entry --version)\" = 'motifsieve $version'"
write_example README.md "$stage/example.sh"
cp -r examples/string/. "$stage/data/" && chmod 777 "$stage/data"
step 'the example of README' step_inside 'sh -eux /example.sh && grep -qx "# matches: 188" modules.tsv'
[ -z "${REPORT:-}" ] || cp "$stage/data/modules.html" "$REPORT"
step 'the library is found' step_inside 'ldconfig -p | grep -F libmotifsieve.so'
step 'no compiler in the image' step_inside '! command -v gcc && ! command -v make'
echo "the image adds $(($(du -sm --one-file-system "$stage" | cut -f1) - $(du -sm "$work/base" | cut -f1))) MB to Debian's"
