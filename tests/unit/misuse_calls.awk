# Reads the public header and writes a C file with one function for each function of the header, which
# test_misuse_calls.c includes:
#   awk -f tests/unit/misuse_calls.awk include/motifsieve/*.h
# Each calls its function once, with good arguments but one: an enum, a number or a bool, a text, a
# handle that belongs to another graph, or a member of a struct of options.  The pick_ functions of
# the test decide which one, and what it is instead.  A parameter whose type the test does not know
# (the count of an array, say) needs a macro FIXED_function_parameter with its value; without it, the
# test does not compile.

function trim(text) {
  gsub(/[ \t\n]+/, " ", text)
  sub(/^ /, "", text)
  sub(/ $/, "", text)
  return text
}

# Takes comments and lines of the preprocessor out.
function plain(text, out, at, end) {
  while ((at = index(text, "/*")) > 0) {
    out = out substr(text, 1, at - 1) " "
    text = substr(text, at + 2)
    end = index(text, "*/")
    text = substr(text, end + 2)
  }
  return out text
}

# Splits at the commas outside of parentheses; returns the number of parts.
function split_list(text, part, n, i, c, depth) {
  n = 1
  part[1] = ""
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    depth += (c == "(") - (c == ")")
    if (c == "," && depth == 0) part[++n] = ""
    else part[n] = part[n] c
  }
  return n
}

# Sets type_of and name_of of a declaration without arrays or functions; false for those.
function take_apart(text) {
  text = trim(text)
  if (text ~ /[(\[]/) {
    match(text, /\*[a-z_]+\)/)
    name_of = RSTART ? substr(text, RSTART + 1, RLENGTH - 2) : text
    if (!RSTART) {
      sub(/\[.*/, "", name_of)
      sub(/.*[ *]/, "", name_of)
    }
    type_of = "?"
    return 0
  }
  match(text, /[a-z_0-9]+$/)
  name_of = substr(text, RSTART)
  type_of = trim(substr(text, 1, RSTART - 1))
  return 1
}

# Writes the table of the members of a struct of options that can be wrong, after those of its parts.
function options_struct(name, member, declarator, n, m, i, j, rule, body, type) {
  body = options[name]
  if (body == "") return
  delete options[name]
  n = split(body, member, ";")
  for (i = 1; i <= n; i++)
    if (trim(member[i]) ~ /^ms_[a-z_]+_(options|limits) [a-z]+$/ && take_apart(member[i])) options_struct(type_of)
  printf "static const member %s_members[] = {\n", name
  n = split(body, member, ";")
  for (i = 1; i <= n; i++) {
    if (trim(member[i]) == "") continue
    m = split_list(trim(member[i]), declarator)
    for (j = 1; j <= m; j++) {
      if (!take_apart(declarator[j])) continue
      if (j > 1) type_of = type
      type = type_of
      rule = type_of in last ? "ENUM" : type_of == "int" ? "INT" : type_of == "unsigned" || type_of == "uint32_t" ? "U32" \
             : type_of == "uint64_t" ? "U64" : type_of == "size_t" ? "SIZE" : type_of == "double" ? "REAL" \
             : type_of ~ /^const ms_[a-z_]+ \*$/ && substr(type_of, 7, length(type_of) - 8) in opaque ? "HANDLE" \
             : type_of == "bool" ? "BOOL" : type_of == "const char *" ? "TEXT" : type_of ~ /_(options|limits)$/ ? "PART" : ""
      if (rule == "") continue
      printf "  {\"%s\", offsetof(%s, %s), RULE_%s, %s, %s},\n", name_of, name, name_of, rule, \
        rule == "ENUM" ? "(int)" last[type_of] : rule == "HANDLE" ? "(int)offsetof(handles, " \
        substr(type_of, 10, length(type_of) - 11) ")" : "0", rule == "PART" ? type_of "_members" : "NULL"
    }
  }
  print "  {0}};"
}

# Writes what declares one parameter.  Appends to `after` what comes after the call.
function parameter(fn, text, ok, fixed, base) {
  ok = take_apart(text)
  fixed = "FIXED_" fn "_" name_of
  variable = "the_" name_of
  printf "#ifdef %s\n#define %s %s\n#else\n", fixed, variable, fixed
  clean = clean "#undef " variable "\n"
  base = type_of
  sub(/^const /, "", base)
  sub(/ ?\*+$/, "", base)
  argument = variable
  if (type_of in last)
    printf "#ifndef GOOD_%s_%s\n#define GOOD_%s_%s %s\n#endif\n" \
      "  %s %s = (%s)pick_enum(t, \"%s\", (int)GOOD_%s_%s, (int)%s);\n", \
      fn, name_of, fn, name_of, last[type_of], type_of, variable, type_of, name_of, fn, name_of, last[type_of]
  else if (type_of == "int")
    printf "  int %s = pick_int(t, \"%s\");\n", variable, name_of
  else if (type_of == "uint32_t" || type_of == "unsigned")
    printf "  uint32_t %s = pick_u32(t, \"%s\");\n", variable, name_of
  else if (type_of == "uint64_t")
    printf "  uint64_t %s = pick_u64(t, \"%s\");\n", variable, name_of
  else if (type_of == "double")
    printf "  double %s = pick_real(t, \"%s\");\n", variable, name_of
  else if (type_of == "bool")
    printf "  bool %s = pick_bool(t, \"%s\");\n", variable, name_of
  else if (type_of == "const char *")
    printf "  const char *%s = pick_text(t, \"%s\", TEXT_%s_%s);\n", variable, name_of, fn, name_of
  else if (type_of == "ms_error *")
    printf "  ms_error *%s = &t->err;\n", variable
  else if (type_of ~ /^const ms_[a-z_]+_options \*$/) {
    macro = toupper(base) "_DEFAULT"
    printf "  %s %s_value = %s;\n", base, variable, macro
    printf "#ifdef GIVEN_%s\n  GIVEN_%s(%s_value);\n#endif\n", fn, fn, variable
    printf "  pick_member(t, &%s_value, %s_members);\n  %s *%s = &%s_value;\n", variable, base, base, variable, variable
  } else if (type_of ~ /^(const )?ms_[a-z_]+ \*$/ && (base in opaque || base in result) && !(type_of ~ /^ms_.*_(result)/))
    printf "#ifndef HANDLE_%s_%s\n#define HANDLE_%s_%s %s\n#endif\n" \
      "  %s%s = pick_handle(t, \"%s\", world[0].HANDLE_%s_%s, world[1].HANDLE_%s_%s, world[2].HANDLE_%s_%s, world[3].HANDLE_%s_%s);\n", \
      fn, name_of, fn, name_of, substr(base, 4), type_of, variable, name_of, fn, name_of, fn, name_of, fn, name_of, fn, name_of
  else if (type_of ~ /^ms_[a-z_]+ \*\*$/) {
    printf "  %s *%s_value = NULL, **%s = &%s_value;\n", base, variable, variable, variable
    after = after sprintf("#ifndef %s\n  check_out(t, %s_value);\n  %s_free(%s_value);\n#endif\n", fixed, variable, base, variable)
  } else if (type_of == "char **") {
    printf "  char *%s_value = NULL, **%s = &%s_value;\n", variable, variable, variable
    after = after sprintf("#ifndef %s\n  check_out(t, %s_value);\n  ms_text_free(%s_value);\n#endif\n", fixed, variable, variable)
  } else if (type_of ~ /^(ms_[a-z_]+|uint32_t) \*$/) {
    printf "  %s %s[64];\n  memset(%s, 0, sizeof %s);\n", base, variable, variable, variable
    after = after sprintf("#if !defined(%s) && defined(CLEAR_%s)\n  CLEAR_%s(%s);\n#endif\n", fixed, base, base, variable)
  } else if (type_of == "void *")
    printf "  void *%s = NULL;\n", variable
  else
    printf "#error \"%s: define %s, the value of this parameter\"\n", fn, fixed
  print "#endif"
}

function api(text, fn, parameters, part, n, i, arguments, value, at) {
  sub(/^MS_API /, "", text)
  match(text, /ms_[a-z_0-9]+ ?\(/)
  value = trim(substr(text, 1, RSTART - 1))
  fn = substr(text, RSTART, RLENGTH)
  sub(/ ?\($/, "", fn)
  if (fn ~ /_(free|clear)$/) return
  parameters = substr(text, RSTART + RLENGTH)
  sub(/\) *$/, "", parameters)
  printf "#ifndef SKIP_%s\nstatic void try_%s(attempt *t)\n{\n", fn, fn
  after = clean = ""
  arguments = ""
  n = parameters == "void" ? 0 : split_list(parameters, part)
  for (i = 1; i <= n; i++) {
    parameter(fn, part[i])
    arguments = arguments (i > 1 ? ", " : "") argument
  }
  if (value == "ms_status") printf "  check_status(t, %s(%s));\n", fn, arguments
  else printf "  %s%s(%s);\n", value == "void" ? "" : "(void)", fn, arguments
  printf "%s  (void)t;\n%s}\n#endif\n", after, clean
  all[++functions] = fn
}

function declaration(text, name, body, part, n) {
  text = trim(text)
  if (text ~ /^typedef enum ms_[a-z_]+ \{/) {
    name = text
    sub(/.*\} ?/, "", name)
    body = text
    sub(/ ?\}.*/, "", body)
    sub(/.*\{ ?/, "", body)
    n = split(body, part, ",")
    sub(/=.*/, "", part[n])
    last[name] = trim(part[n])
  } else if (text ~ /^typedef struct ms_[a-z_]+ ms_[a-z_]+$/) {
    name = text
    sub(/.* /, "", name)
    opaque[name] = 1
  } else if (text ~ /^typedef struct ms_[a-z_]+ \{/) {
    name = text
    sub(/.*\} ?/, "", name)
    body = text
    sub(/^[^{]*\{/, "", body)
    sub(/\}[^}]*$/, "", body)
    if (name ~ /_(options|limits)$/) {
      options[name] = body
      structs[++n_structs] = name
    }
    if (name ~ /_result$/) result[name] = 1
  } else if (text ~ /^MS_API /) {
    waiting[++calls] = text
  }
}

/^[ \t]*#/ { skipping = /\\$/; next }
skipping { skipping = /\\$/; next }
/^extern "C"/ || /^}$/ { next }
{ whole = whole $0 "\n" }

END {
  whole = plain(whole)
  n = length(whole)
  for (i = 1; i <= n; i++) {
    c = substr(whole, i, 1)
    if (c == "{") depth++
    if (c == "}") depth--
    if (c == ";" && depth == 0) {
      declaration(current)
      current = ""
    } else current = current c
  }
  for (i = 1; i <= n_structs; i++) options_struct(structs[i])
  for (i = 1; i <= calls; i++) api(waiting[i])
  print "static const struct {\n  const char *name;\n  void (*attempt)(attempt *t);\n} functions[] = {"
  for (i = 1; i <= functions; i++) printf "#ifndef SKIP_%s\n  {\"%s\", try_%s},\n#endif\n", all[i], all[i], all[i]
  print "};"
}
