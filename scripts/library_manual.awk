# Makes libmotifsieve(3) from include/motifsieve.h and its parts: writes roff to standard output.
#   awk -v version=0.1.0 -f scripts/library_manual.awk include/motifsieve.h include/motifsieve/base.h ...
# with the parts in the order in which motifsieve.h includes them.
# The comment at the top is the description, a comment "---- NAME ----" starts a
# section, a comment in front of declarations explains them, and declarations are
# copied unchanged, together with the comments among them.

function roff(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/`/, "\\(ga", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  return text ~ /^\./ ? "\\&" text : text
}

# Prints the comment that was held back until its declarations were printed.
function explain() {
  if (comment == "") return
  if (declared) printf ".RS 4\n%s.RE\n", comment
  else { paragraph(); printf "%s", comment }
  comment = ""
}

function end_code() {
  if (in_code) print ".fi"
  in_code = 0
}

function end_group() {
  end_code()
  explain()
  declared = 0
}

# Returns one line of a comment without the comment signs.
function take(text) {
  sub(/ *\*\/ *$/, "", text)
  sub(/^ *\/?\*+ ?/, "", text)
  return text
}

# Starts a paragraph, except at the beginning of a section.
function paragraph() {
  if (!fresh) print ".PP"
  fresh = 0
}

# Starts a section from a comment such as "---- memory ----".
function section(text) {
  gsub(/^[- ]+|[- ]+$/, "", text)
  end_group()
  print ".SS " text
  fresh = 1
}

BEGIN {
  printf ".TH LIBMOTIFSIEVE 3 \"\" \"motifsieve %s\" \"Library Functions Manual\"\n", version
  print ".SH NAME\nlibmotifsieve \\- connected matches of colour motifs in graphs"
  print ".SH SYNOPSIS\n.B #include <motifsieve.h>"
  print ".PP\n.B cc \\-o program program.c $(pkg\\-config \\-\\-cflags \\-\\-libs motifsieve)"
  print ".SH DESCRIPTION"
}

# What is said of a part above its include is said again by its sections.
/^#include "/ { comment = "" }
# Preprocessor conditions and the macros defined inside them do not belong in the manual.
/^#(ifndef|ifdef|if|else|endif|include)/ { depth += /^#if/ && !/MOTIFSIEVE_([A-Z_]+_)?H$/; depth -= /^#endif/ && depth > 0; next }
depth > 0 || /^#define MOTIFSIEVE_([A-Z_]+_)?H$/ { next }

# The description.
NR == 1 { top = 1 }
# The first comment of a further part says what the file is.
FNR == 1 && NR > 1 { end_group(); fresh = 1; skipped = 1 }
skipped { skipped = !/\*\//; next }
top {
  line = take($0)
  if (line == "") { gap = 1 }
  else if (line ~ /^ - /) { printf ".IP \\(bu 2\n%s\n", roff(substr(line, 4)); gap = 0 }
  else {
    if (gap) print ".PP"
    gap = 0
    sub(/^ +/, "", line)
    print roff(line)
  }
  if (/\*\//) { top = 0; fresh = 1; print ".SH DECLARATIONS" }
  next
}

in_comment || /^\/\*/ {
  if (/^\/\*/) {
    if ($0 ~ /^\/\* -+ .* -+ \*\/$/) { section(take($0)); next }
    end_group()
  }
  line = take($0)
  if (line != "") comment = comment roff(line) "\n"
  in_comment = !/\*\//
  next
}

/^$/ { if (brace == 0) end_group(); next }

{
  if (!in_code) { paragraph(); print ".nf" }
  in_code = declared = 1
  line = $0
  brace += gsub(/\{/, "{", line) - gsub(/\}/, "}", line)
  # Continuation lines lose as many blanks as the removed MS_API took in the first line.
  if (sub(/^MS_API /, "", line)) shift = length("MS_API ")
  else if (shift) for (i = 0; i < shift; i++) sub(/^ /, "", line)
  if (line ~ /;/) shift = 0
  sub(/ MS_PRINTF\([0-9, ]+\)/, "", line)
  print roff(line)
}

END {
  end_group()
  print ".SH SEE ALSO\n.BR motifsieve (1)"
}
