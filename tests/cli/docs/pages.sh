# Every command that the pages show runs, and every link leads somewhere.  Below a line
# "<!-- run in FOLDER -->", up to the next title, a command runs in a copy of the folder and prints what
# the page shows.  Anywhere else, and below "<!-- not run -->", it is a call that the tool understands, so
# that at most its files are missing.  "..." in a page stands for the rest of a line, and alone on a line
# for any number of lines.
# shellcheck shell=bash
root=$(dirname "$here")
mkdir bin empty
ln -s "$motifsieve" bin/motifsieve
PATH=$PWD/bin:$PATH

# shows: checks that the file `printed` is what the file `shown` promises.
shows() {
  awk '
    { sub(/[ \t]+$/, "") }
    NF == 0 { next }
    FILENAME == "shown" { shown[++wanted] = $0; next }
    { printed[++got] = $0 }
    function fits(text, pattern, length_shown) {
      if (pattern !~ / \.\.\.$/) return text == pattern
      length_shown = length(pattern) - 3
      return substr(text, 1, length_shown) == substr(pattern, 1, length_shown)
    }
    END {
      g = 1
      for (w = 1; w <= wanted; w++) {
        any = 0
        while (shown[w] == "...") { any = 1; if (w++ == wanted) exit 0 }
        while (any && g <= got && !fits(printed[g], shown[w])) g++
        if (g > got || !fits(printed[g], shown[w])) { print "the page shows: " shown[w]; print "printed:        " printed[g]; exit 1 }
        g++
      }
      if (wanted && g <= got) { print "the page does not show: " printed[g]; exit 1 }
    }' shown printed >err
}

# installed COMMAND: false if a program of a pipe is not on this machine, or Python has no pandas.
installed() {
  local program line=${1//$'\\\n'/ }
  while read -r program _; do
    command -v -- "$program" >/dev/null || return 1
    [ "$program" != python3 ] || python3 -c 'import pandas' 2>/dev/null || return 1
  done <<<"${line// | /$'\n'}"
}

# run_command PAGE FOLDER COMMAND: runs a command of a page, with the file `typed` as its input.
run_command() {
  local name="${1##*/}: ${3%%$'\n'*}" rc
  if [ -z "$2" ]; then
    [[ $3 == motifsieve\ * ]] || return 0
    (cd empty && eval "timeout -k 20 600 $3" </dev/null >../out 2>../err)
    rc=$?
    check "$name: the tool understands it" [ "$rc" -ne 2 -a "$rc" -ne 1 -a "$rc" -lt 124 ]
    return 0
  fi
  installed "$3" || {
    skip "$name: a program, or pandas for Python, is not installed"
    return 0
  }
  [ -d "$2" ] || { mkdir -p "$2" && cp "$root/$2"/*.* "$2"; }
  case $3 in
  python3) (cd "$2" && python3 -i -q) <typed >printed 2>err ;;
  R) (cd "$2" && R --no-echo --no-save) <typed >printed 2>err ;;
  *) (cd "$2" && set -o pipefail && eval "$3") </dev/null >printed 2>err ;;
  esac
  rc=$?
  check "$name: exit code $rc" [ "$rc" -eq 0 ]
  ! grep -q '^motifsieve: ' shown || cat err >>printed
  [ ! -s shown ] || check "$name: prints what the page shows" shows
}

# run_page PAGE: runs the commands of a page, each with what the page shows below it.
run_page() {
  local folder='' command='' open='' line
  : >shown
  : >typed
  while IFS= read -r line; do
    if [ -n "$command" ] && [[ $line != '    '* && -n $line || $line == '    $ '* ]]; then
      run_command "$1" "$folder" "$command" <&-
      command=
      : >shown
      : >typed
    fi
    case $line in
    '<!-- run in '*) folder=${line#<!-- run in } folder=${folder% -->} ;;
    '<!-- not run -->' | '#'*) folder='' ;;
    '    $ '* | '    motifsieve '*)
      command=${line#    } command=${command#\$ } open=
      [[ $line != *\\ ]] || open=1
      ;;
    '    >>> '*) printf '%s\n' "${line#    >>> }" >>typed ;;
    '    > '*) printf '%s\n' "${line#    > }" >>typed ;;
    '    '*)
      if [ -n "$open" ]; then
        command+=$'\n'$line
        [[ $line == *\\ ]] || open=
      elif [ -n "$command" ]; then
        printf '%s\n' "${line#    }" >>shown
      fi
      ;;
    esac
  done < <(cat "$1" && echo end)
}

for page in "$root"/README.md "$root"/docs/*.md "$root"/examples/*/README.md; do run_page "$page"; done

# titles FILE: prints the name by which a link reaches each title of a page.
titles() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'
}

# follow_links PAGE: checks that each file and title to which the page links exists.
follow_links() {
  local link file title
  while read -r link; do
    file=${link%%#*} title=
    [[ $link != *#* ]] || title=${link#*#}
    file=$(dirname "$1")/$file
    [ -n "${link%%#*}" ] || file=$1
    check "${1##*/} links to $link" [ -e "$file" ]
    [ -z "$title" ] || check "${1##*/} links to the title $link" grep -qx -e "$title" <(titles "$file")
  done < <(grep -o '](\([^):]*\))' "$1" | sed 's/^](//; s/)$//')
}

for page in "$root"/*.md "$root"/docs/*.md "$root"/examples/*/README.md "$root"/bench/results/README.md; do follow_links "$page"; done

# Of each benchmark and machine one record is kept (bench/results/README.md): each has a row there, and each that a source file
# names exists.
for record in "$root"/bench/results/*; do
  [ "${record##*/}" = README.md ] || check "bench/results/README.md has a row with ${record##*/}" grep -qF "](${record##*/})" "$root/bench/results/README.md"
done
while read -r record; do
  check "$record, which a source file names, exists" [ -e "$root/$record" ]
done < <(grep -rhoE --exclude-dir='build*' --include='*.[ch]' --include='*.cu*' --include='*.py' --include='*.sh' --include='*.mk' \
  --include=Makefile 'bench/results/[A-Za-z0-9_-]+(\.[a-z]+)?' "$root"/[a-z]* | sort -u)

# history is in commits, and not in a list of what is new for users
check 'CHANGELOG.md is no longer than a page' [ "$(wc -w <"$root/CHANGELOG.md")" -lt 1000 ]

# the table of all commands has every command of --help, and so have the cases of make check-quick
quick=()
while read -r name; do quick+=("$cli/${name%.refusals}".*); done <"$cli/quick"
while read -r command; do
  check "a case of make check-quick has the command $command" grep -qE "(run|call|motifsieve|[|]) $command( |$)" "${quick[@]}"
  check "GUIDE.md has the command $command" grep -q "^| .*\`$command\`.* |.*|$" <(sed -n '/^## All commands/,/^## Options/p' "$root/docs/GUIDE.md")
done < <(motifsieve --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')

# each title, or paragraph that begins with bold words, that a comment names exists: (docs/SIEVE.md, "Pruning"), (SIEVE: "Pruning")
while IFS=$'\t' read -r page name; do
  check "a comment names \"$name\" of $page.md" grep -q -e "^##* $name\$" -e "^\*\*$name\.\*\*" "$root/docs/$page.md"
done < <(find "$root"/[a-z]* -name 'build*' -prune -o -type f -regex '.*\.\(c\|h\|cu\|cuh\|py\|sh\|mk\)' -print0 | xargs -0 cat |
  sed 's/^ \*  *//; s/^# *//' | tr -s '\n ' ' ' |
  grep -oE '(docs/[A-Z_]+\.md(, |: | \()|SIEVE(: | \())"[^"]+"' |
  sed -E 's/^(docs\/)?([A-Z_]+)[^"]*"([^"]+)"$/\2\t\3/' | sort -u)
