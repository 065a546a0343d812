# JSON read = TSV read: verify gives one verdict on both forms, plain or compressed, and report makes one page of both; each line of JSON
# follows docs/result.schema.json.  Each kind has a row, and each row has a result of its kind.
# shellcheck shell=bash disable=SC2010,SC2154

law_inputs
law() {
  local ending form
  ending=$(some_of "$row" .tsv .gz)
  makes "tsv$ending" -t 1
  [ "$kind" = - ] || [[ $text == *--binary* ]] || echo "$kind	$(zcat -f "tsv$ending" | grep -v '^#' | head -n 1)" >>titles
  if ! obeys json; then
    result out --json
    check "row $row, $text: --json is refused, or has rows of the usual form ($rc)" \
      test "$rc" -eq 2 -o -n "$(grep '^{"type":"match",.*"vertices":\[' out)"
    return
  fi
  makes "$row.json" --json -t 2
  [ "$kind_of_parts" != permutations ] || echo "$row.json" >>texts
  reads read verify result "${inputs[@]}"
  [ "$(some_of $((row - row_of_kind)) yes no no no)" = no ] || reads report report result -o page.html
}
# reads LAW ARG...: a reader of a file with the name `result` says the same of both forms
reads() {
  local verdict
  cp "$row.json" result
  "$motifsieve" "${@:2}" >verdict 2>err
  verdict=$?
  [ ! -e page.html ] || mv page.html other.html
  cp "tsv$ending" result
  "$motifsieve" "${@:2}" >out 2>err
  rc=$?
  check "row $row, $text: $2 says the same of JSON as of TSV ($verdict, $rc)" test $verdict -eq $rc
  check "row $row, $text: the same verdict" cmp verdict out
  if obeys "$1"; then
    check "row $row, $text: $2 accepts it (exit code $rc)" test $rc -eq 0
    [ "$1" = read ] || cmp -s page.html other.html || check "row $row, $text: one page" cmp <(alike page.html) <(alike other.html)
  else
    check "row $row, $text: $2 does not know it (exit code $rc)" test $rc -ne 0
  fi
}
# alike PAGE: without what only JSON says: all digits of bounds, names of the vertices of a pattern, whether that is a text, and that
# all components are shown
alike() { sed -E 's/"(miss_bound|miss_bound_union|shown)":[-+.e0-9]+//g; s/"pattern":\{"(path|text)"//; s/"names":\[[^]]*\]//' "$1"; }
case ${MOTIFSIEVE_TEST_SCALE:-1} in 1*) ;; *) every=3 ;; esac
each_row small law
parses ./*.json
# the schema has no statistics of one motif
for file in $(ls | grep '^[0-9]*\.json$' | grep -vxFf texts); do head -n 4 "$file" && tail -n 2 "$file"; done >lines.json
follows_schema --valid lines.json

# The tables of docs/RESULT.md name all columns: test_columns compares them with the library.
awk -F '[|`]' '/^##* / { kind = /^### `/ ? $2 : "" } kind && /^\| `/ { print kind "\t" $3 "\t" ($6 ~ /^ *$/ ? "always" : "") }' "$here/../docs/RESULT.md" >columns
wrong_titles() {
  awk -F '\t' 'NR == FNR { known[$1, $2] = 1; if ($3) needed[$1] = needed[$1] "\t" $2; next }
    { kind = $1; title = $0 "\t"; sub(/^[^\t]*/, "", title); n = split(needed[kind], c)
      for (i = 2; i <= n; i++) if (!index(title, "\t" c[i] "\t") && !(kind ~ /^(match|list_wide|nearest_wide)$/ && c[i] == "vertices")) print kind ": no " c[i]
      for (i = 2; i <= NF && kind !~ /^(match|list_wide|nearest_wide)$/; i++) if (!(kind SUBSEP $i in known)) print kind ": " $i }' columns titles
}
check 'each row is of the kind that it says' same "$(wrong_titles)" ''
rows_of() { grep -v '^#' "$cli/laws/kinds" | grep -E "^([^ ]*/)?$1(/[^ ]*)? \|"; }
while read -r kind; do
  check "$kind has a row" test -n "$(rows_of "$kind" | grep -v ' big')"
  check "$kind has a row for resumed.sh and stops.sh" test -n "$(rows_of "$kind" | grep ' big\|^[^|]*|[^|]*stops')"
done < <(cut -f 1 columns | sort -u)
check 'kinds are found' test "$(cut -f 1 columns | sort -u | wc -l)" -ge 21
