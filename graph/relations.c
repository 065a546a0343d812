/* Which relation is the inverse of which; see relations.h. */
#include "graph/relations.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const ms_relation unknown = {.inverse = MS_NO_ID, .base = MS_NO_ID};

ms_status ms_relations_new(ms_relations *relations, ms_error *err)
{
  *relations = (ms_relations){0};
  return ms_names_new(&relations->words, err);
}

void ms_relations_free(ms_relations *relations)
{
  ms_names_free(relations->words);
  ms_free(relations->of);
  *relations = (ms_relations){0};
}

static const char *name_of(const ms_relations *r, uint32_t word)
{
  return ms_names_get(r->words, word);
}

/* Finds or adds a word, whatever its name. */
static ms_status add_word(ms_relations *r, const char *name, size_t length, uint32_t *word,
                          ms_error *err)
{
  ms_status status = ms_names_add(r->words, name, length, word, err);
  uint32_t before = r->room;
  if (status == MS_OK && !MS_GROW(r->of, r->room, 0, *word + (uint64_t)1))
    status = ms_fail_memory(err, "relations");
  for (uint32_t i = before; i < r->room; i++)
    r->of[i] = unknown;
  return status;
}

static ms_status fail(const ms_place *at, ms_error *err, const char *format, ...) MS_PRINTF(3, 4);

static ms_status fail(const ms_place *at, ms_error *err, const char *format, ...)
{
  char message[sizeof err->message];
  va_list args;
  va_start(args, format);
  ms_format_list(message, sizeof message, format, args);
  va_end(args);
  if (!at)
    return ms_fail(err, MS_ERR_USAGE, "%s", message);
  if (at->line == 0)
    return ms_fail(err, MS_ERR_INPUT, "%s: %s", at->label, message);
  return ms_fail(err, MS_ERR_INPUT, "%s:%llu: %s", at->label, (unsigned long long)at->line,
                 message);
}

static ms_status too_many(const ms_place *at, ms_error *err)
{
  return fail(at, err,
              "more than %u types of edges, inverses included; is this the column of types?",
              MS_MAX_TYPES);
}

ms_status ms_relations_word(ms_relations *r, const ms_place *at, ms_field name, uint32_t *word,
                            ms_error *err)
{
  *word = ms_names_find(r->words, name.text, name.length);
  if (*word != MS_NO_ID)
    return MS_OK;
  const char *problem = ms_name_problem(name.text, name.length);
  if (problem)
    return fail(at, err, "the %s %s", at ? "type of the edge" : "name of a relation", problem);
  if (ms_names_count(r->words) == MS_MAX_TYPES)
    return too_many(at, err);
  return add_word(r, name.text, name.length, word, err);
}

/* ---- stated inverses ---------------------------------------------------------- */

static ms_status contradicts(const ms_relations *r, const ms_place *at, uint32_t word,
                             uint32_t inverse, ms_error *err)
{
  const ms_relation *before = &r->of[word];
  const char *name = name_of(r, word), *here = name_of(r, inverse);
  const char *there = name_of(r, before->inverse);
  int clip[] = {ms_name_clip(name, strlen(name)), ms_name_clip(here, strlen(here)),
                ms_name_clip(there, strlen(there))};
  if (!at)
    return fail(at, err, "relation '%.*s' has two inverses, '%.*s' and '%.*s'; give it one",
                clip[0], name, clip[1], here, clip[2], there);
  return fail(at, err,
              "the inverse of '%.*s' is '%.*s' here, but '%.*s' in %s:%llu; correct one of the two "
              "lines",
              clip[0], name, clip[1], here, clip[2], there, before->said.label,
              (unsigned long long)before->said.line);
}

static void pair(ms_relations *r, const ms_place *at, uint32_t first, uint32_t second)
{
  ms_relation said = {.inverse = second, .base = MS_NO_ID, .said = at ? *at : (ms_place){0}};
  r->of[first] = said;
  said.inverse = first;
  said.second = first != second;
  r->of[second] = said;
}

ms_status ms_relations_set_inverse(ms_relations *r, const ms_place *at, ms_field word,
                                   ms_field inverse, ms_error *err)
{
  uint32_t first, second;
  MS_TRY(ms_relations_word(r, at, word, &first, err));
  MS_TRY(ms_relations_word(r, at, inverse, &second, err));
  if (r->of[first].inverse == second && r->of[second].inverse == first)
    return MS_OK;
  if (r->of[first].inverse != MS_NO_ID)
    return contradicts(r, at, first, second, err);
  if (r->of[second].inverse != MS_NO_ID)
    return contradicts(r, at, second, first, err);
  pair(r, at, first, second);
  return MS_OK;
}

/* ---- rules ------------------------------------------------------------------ */

static size_t run_of(const char *text, char from, char to)
{
  size_t length = 0;
  while (text[length] >= from && text[length] <= to)
    length++;
  return length;
}

/* Writes the inverse of an abbreviation to out: "D<rG" for "Gr>D", and the reverse.  Kinds are
 * in capitals, the relation in small letters between them, and the arrow next to the kind at its
 * end. */
static bool turn_abbreviation(const char *text, char *out)
{
  size_t kind = run_of(text, 'A', 'Z'), at = kind;
  bool back = text[at] == '<';
  at += back;
  size_t relation = run_of(text + at, 'a', 'z');
  const char *verb = text + at;
  at += relation;
  bool on = text[at] == '>';
  at += on;
  const char *target = text + at;
  size_t other = run_of(target, 'A', 'Z');
  if (!kind || !relation || !other || on == back || target[other])
    return false;
  memcpy(out, target, other);
  out += other;
  if (on)
    *out++ = '<';
  memcpy(out, verb, relation);
  out += relation;
  if (back)
    *out++ = '>';
  memcpy(out, text, kind);
  out[kind] = '\0';
  return true;
}

/* *done: the word has an inverse that Hetionet has a name for. */
static ms_status pair_abbreviation(ms_relations *r, uint32_t word, bool *done, ms_error *err)
{
  char other[64];
  uint32_t inverse;
  const char *name = name_of(r, word);
  bool back = strchr(name, '<');
  *done = false;
  r->of[word].pointed = back || strchr(name, '>');
  if (strlen(name) >= sizeof other || !turn_abbreviation(name, other))
    return MS_OK;
  ms_status status = add_word(r, other, strlen(other), &inverse, err);
  if (status != MS_OK || r->of[inverse].inverse != MS_NO_ID)
    return status;
  *done = true;
  pair(r, NULL, back ? inverse : word, back ? word : inverse);
  return MS_OK;
}

/* "^r" is the inverse of r. */
static ms_status find_base(ms_relations *r, uint32_t word, ms_error *err)
{
  const char *name = name_of(r, word);
  char *copy = ms_strdup(name); /* the table moves as it grows */
  if (!copy)
    return ms_fail_memory(err, "relations");
  size_t marks = 0, length = strlen(copy);
  uint32_t base;
  while (marks + 1 < length && copy[marks] == '^')
    marks++;
  ms_status status = add_word(r, copy + marks, length - marks, &base, err);
  ms_free(copy);
  if (status != MS_OK)
    return status;
  r->of[word].base = base;
  r->of[word].turned = marks & 1;
  if (marks & 1)
    r->of[base].pointed = true;
  return MS_OK;
}

/* An inverse called "^r" for a relation r. */
static ms_status name_inverse(ms_relations *r, const ms_place *at, uint32_t word, ms_error *err)
{
  size_t length = strlen(name_of(r, word));
  char *name = ms_alloc(length + 1, 1);
  uint32_t inverse;
  if (!name)
    return ms_fail_memory(err, "relations");
  name[0] = '^';
  memcpy(name + 1, name_of(r, word), length);
  ms_status status = add_word(r, name, length + 1, &inverse, err);
  if (status == MS_OK && r->of[inverse].inverse != MS_NO_ID)
    status = fail(at, err,
                  "the inverse of '%.*s' would be called '%.*s', but that is the name of another "
                  "relation; give a table of relations that names the inverse",
                  ms_name_clip(name + 1, length), name + 1, ms_name_clip(name, length + 1), name);
  ms_free(name);
  if (status == MS_OK)
    pair(r, NULL, word, inverse);
  return status;
}

static bool has_mark(const char *name)
{
  return name[0] == '^' && name[1];
}

static ms_status apply_rule(ms_relations *r, const ms_place *at, ms_relation_rule rule,
                            ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t w = 0; w < ms_names_count(r->words) && status == MS_OK; w++) {
    bool done = r->of[w].inverse != MS_NO_ID;
    if (!done && has_mark(name_of(r, w)))
      status = find_base(r, w, err);
    else if (!done && rule == MS_RULE_HETIONET)
      status = pair_abbreviation(r, w, &done, err);
  }
  for (uint32_t w = 0; w < ms_names_count(r->words) && status == MS_OK; w++) {
    const ms_relation *of = &r->of[w];
    if (of->inverse != MS_NO_ID || of->base != MS_NO_ID)
      continue;
    if (rule == MS_RULE_DIRECTED || of->pointed)
      status = name_inverse(r, at, w, err);
    else
      pair(r, NULL, w, w);
  }
  return status;
}

/* ---- types ------------------------------------------------------------------ */

static ms_status add_type(const ms_relations *r, const ms_place *at, uint32_t word,
                          ms_typed_parts *parts, uint32_t *type, ms_error *err)
{
  const char *name = name_of(r, word);
  ms_status status = ms_names_add(parts->arc_types, name, strlen(name), type, err);
  if (status == MS_OK && ms_names_count(parts->arc_types) > MS_MAX_TYPES)
    return too_many(at, err);
  return status;
}

/* The types of a word that is no "^r", and of its inverse. */
static ms_status place(const ms_relations *r, const ms_place *at, uint32_t word,
                       ms_typed_parts *parts, ms_type *type, ms_error *err)
{
  uint32_t first = r->of[word].second ? r->of[word].inverse : word, second = r->of[first].inverse;
  uint32_t there, back;
  ms_status status = add_type(r, at, first, parts, &there, err);
  if (status == MS_OK)
    status = add_type(r, at, second, parts, &back, err);
  if (status != MS_OK)
    return status;
  parts->inverse[there] = (ms_type)back;
  parts->inverse[back] = (ms_type)there;
  parts->is_inverse[back] = back != there;
  type[first] = (ms_type)there;
  type[second] = (ms_type)back;
  return MS_OK;
}

ms_status ms_relations_settle(ms_relations *r, const ms_place *at, ms_relation_rule rule,
                              ms_typed_parts *parts, ms_type **type, ms_error *err)
{
  *type = NULL;
  ms_status status = apply_rule(r, at, rule, err);
  if (status == MS_OK)
    status = ms_names_new(&parts->arc_types, err);
  if (status != MS_OK)
    return status;
  uint32_t words = ms_names_count(r->words);
  *type = ms_alloc(words, sizeof **type);
  parts->inverse = ms_alloc(words, sizeof *parts->inverse);
  parts->is_inverse = ms_calloc(words, sizeof *parts->is_inverse);
  if (!*type || !parts->inverse || !parts->is_inverse)
    return ms_fail_memory(err, "types of edges");
  for (uint32_t w = 0; w < words && status == MS_OK; w++)
    status = place(r, at, r->of[w].base == MS_NO_ID ? w : r->of[w].base, parts, *type, err);
  for (uint32_t w = 0; w < words && status == MS_OK; w++)
    if (r->of[w].base != MS_NO_ID) {
      ms_type base = (*type)[r->of[w].base];
      (*type)[w] = r->of[w].turned ? parts->inverse[base] : base;
    }
  return status;
}
