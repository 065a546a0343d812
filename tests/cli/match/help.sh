# Filter and typed-match have help and list their formats.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

for command in filter typed-match; do
  exits 0 "$command --help" $command --help
  check "$command --help" grep -q "^Usage: motifsieve $command GRAPH --pattern PATTERN" out
  exits 0 "$command --list-formats" $command --list-formats
  check "$command --list-formats" same "$(grep -oE '^[a-z-]+: ' out | paste -s -d '')" 'hetionet: sif: table: '
done
