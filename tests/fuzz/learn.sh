#!/usr/bin/env bash
# Keeps what fuzzing has learnt: for each target, the inputs in BUILD_FOLDER/corpus that reach code
# that the seeds and the other inputs do not reach, as tests/fuzz/learnt/TARGET.tar.gz.  Longer inputs
# are cut, and cut shorter until an archive has at most LEARNT_BYTES.  `make check` replays them.
# Usage: tests/fuzz/learn.sh BUILD_FOLDER [TARGET...]     after `make fuzz`
set -u

build=${1:?usage: tests/fuzz/learn.sh BUILD_FOLDER [TARGET...]}
shift
cd "$(dirname "$0")/../.." || exit 1
most=${LEARNT_BYTES:-9000}
out=tests/fuzz/learnt
scratch=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-learn-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$out"

# learn TARGET LENGTH: collects inputs of at most LENGTH bytes in the archive
learn() {
  local target=$1 folder=$scratch/$1 old=$scratch/old
  rm -rf "$folder" "$old"
  mkdir "$folder" "$old"
  [ ! -e "$out/$target.tar.gz" ] || tar xzf "$out/$target.tar.gz" -C "$old"
  cp "tests/fuzz/corpus/$target"/* "$folder"
  # Only whether code is reached counts, not how often.  The seeds are there first, so the inputs that
  # are added reach more.
  "$PWD/$build/tests/fuzz/$target" -merge=1 -use_counters=0 -max_len="$2" -timeout=60 -rss_limit_mb=2048 "$folder" \
    "$old" "$build/corpus/$target" >/dev/null 2>"$scratch/log" || {
    tail -n 5 "$scratch/log" >&2
    return 1
  }
  for seed in "tests/fuzz/corpus/$target"/*; do rm "$folder/$(basename "$seed")"; done
  (cd "$folder" && find . -type f -printf '%f\n' | LC_ALL=C sort |
    tar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 --format=ustar -cf - -T -) | gzip -9n >"$scratch/$target.tar.gz"
}

targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(ls tests/fuzz/corpus)
for target in "${targets[@]}"; do
  for length in 1024 512 256 128 64; do
    learn "$target" "$length" || exit 1
    [ "$(wc -c <"$scratch/$target.tar.gz")" -gt "$most" ] || break
  done
  mv "$scratch/$target.tar.gz" "$out/"
  printf '%-18s %4d inputs of at most %4d bytes, %6d bytes in the archive\n' "$target" \
    "$(tar tzf "$out/$target.tar.gz" | wc -l)" "$length" "$(wc -c <"$out/$target.tar.gz")"
done
