/* docs/result.schema.json is made of the tables of columns and fields, and of schema_rules.json
 * beside this file, which has what the tables do not say: definitions of its own, values of keys
 * that are more special than their types, and what else holds for a definition. */
#include "result/columns.h"
#include "tests/support/test_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "docs/result.schema.json"
#define RULES "tests/unit/result/schema_rules.json"
#define WIDTH 120u

static json_t *rules, *used;  /* groups of names; those that were asked for */
static json_t *defs, *any_of; /* of the schema */

static json_t *ref(const char *name)
{
  return json_pack("{s:s+}", "$ref", "#/$defs/", name);
}

/* Returns what a group of the rules says of a name of an owner, of that name of any owner, or of
 * the owner itself (name: NULL); NULL: nothing. */
static json_t *rule(const char *group, const char *owner, const char *name)
{
  char own[100];
  snprintf(own, sizeof own, "%s%s%s", owner, name ? "." : "", name ? name : "");
  json_t *of_group = json_object_get(rules, group), *found = json_object_get(of_group, own);
  const char *key = found || !name ? own : name;
  json_object_set_new(json_object_get(used, group), key, json_true());
  return json_object_get(of_group, key);
}

static json_t *whole_number(uint64_t least, uint64_t most)
{
  if (least == 0 && (most == UINT32_MAX || most == INT64_MAX))
    return ref(most == UINT32_MAX ? "number32" : "count");
  return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)least, "maximum",
                   (json_int_t)most);
}

static json_t *words_of(ms_result_words words, bool or_null)
{
  bool of_graphs = words == MS_WORDS_GRAPH_FORMAT || words == MS_WORDS_TYPED_FORMAT;
  uint32_t most =
      words == MS_WORDS_COLOR_FORMAT                                       ? MS_COLOR_FORMATS
      : words == MS_WORDS_GRAPH_FORMAT || words == MS_WORDS_PATTERN_FORMAT ? MS_GRAPH_FORMATS
      : words == MS_WORDS_TYPED_FORMAT || words == MS_WORDS_PATH_FORMAT    ? MS_TYPED_FORMATS
                                                                           : UINT32_MAX;
  json_t *list = json_array();
  const char *word;
  for (uint32_t i = of_graphs; i < most && (word = ms_result_word(words, i)); i++)
    if (*word)
      json_array_append_new(list, json_string(word));
  if (or_null)
    json_array_append_new(list, json_null());
  return json_pack("{s:o}", "enum", list);
}

/* ---- values ---------------------------------------------------------------------- */

/* An optional field is left out if it is 0, false or empty. */
static json_t *value_of_field(const ms_result_field *f, const char *def)
{
  json_t *special = rule("fields", def, f->key);
  uint64_t least = f->optional && f->least == 0 ? 1 : f->least;
  if (special)
    return json_deep_copy(special);
  switch (f->type) {
  case MS_FIELD_PATH:
  case MS_FIELD_FORMULA:
    return json_pack("{s:s}", "type", "string");
  case MS_FIELD_CRC32C:
    return ref("crc32c");
  case MS_FIELD_FILE:
    return ref("file");
  case MS_FIELD_TEXT:
    return ref("text");
  case MS_FIELD_ASPECTS:
    return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[PFC]{1,3}$");
  case MS_FIELD_U32:
    return whole_number(least, f->most ? f->most : UINT32_MAX);
  case MS_FIELD_U64:
    return whole_number(least, INT64_MAX);
  case MS_FIELD_DECIMAL:
    return ref("number");
  case MS_FIELD_REAL:
    return json_pack("{s:s, s:i}", "type", "number", f->optional ? "exclusiveMinimum" : "minimum",
                     0);
  case MS_FIELD_BOUND:
    return ref("bound");
  case MS_FIELD_TRUTH:
    return f->optional ? json_pack("{s:b}", "const", 1) : json_pack("{s:s}", "type", "boolean");
  case MS_FIELD_MARK:
    return json_pack("{s:s}", "type", "boolean");
  case MS_FIELD_FALSE:
    return json_pack("{s:b}", "const", 0);
  case MS_FIELD_WORD:
    return words_of(f->words, false);
  case MS_FIELD_NAMES:
    return json_pack("{s:s, s:i, s:I}", "$ref", "#/$defs/names", "minItems", 1, "maxItems",
                     (json_int_t)f->most);
  }
  return NULL;
}

static json_t *real_number(bool or_null, bool not_negative)
{
  json_t *type = or_null ? json_pack("[s, s]", "number", "null") : json_string("number");
  json_t *value = json_pack("{s:o}", "type", type);
  if (not_negative)
    json_object_set_new(value, "minimum", json_integer(0));
  return value;
}

static json_t *value_of_column(const ms_result_column *c, const char *def)
{
  json_t *special = rule("columns", def, c->name);
  if (special)
    return json_deep_copy(special);
  switch (c->type) {
  case MS_CELL_TEXT:
  case MS_CELL_VERTEX:
    return ref("text");
  case MS_CELL_DIGITS:
    return ref("number");
  case MS_CELL_INTEGER:
    return ref("whole");
  case MS_CELL_COUNT:
  case MS_CELL_K:
    return whole_number(0, c->most ? c->most : INT64_MAX);
  case MS_CELL_FLAG:
    return json_pack("{s:s}", "type", "boolean");
  case MS_CELL_VALUES:
    return json_pack("{s:s, s:s}", "type", "string", "pattern", "^([0-9a-f]{2})*$");
  case MS_CELL_REAL:
  case MS_CELL_SINGLE_OR_NA:
    return real_number(true, c->not_negative);
  case MS_CELL_SINGLE:
  case MS_CELL_FLOAT:
    return real_number(false, c->not_negative);
  case MS_CELL_BOUND:
    return ref("bound");
  case MS_CELL_SECONDS:
    return real_number(false, true);
  case MS_CELL_WORD:
    return words_of(c->words, true);
  case MS_CELL_IDS:
  case MS_CELL_COUNTS:
    return json_pack("{s:s, s:o}", "type", "array", "items", ref("number32"));
  case MS_CELL_NAMES:
  case MS_CELL_VERTICES:
    return ref("names");
  }
  return NULL;
}

/* ---- definitions --------------------------------------------------------------- */

/* A key of a definition that is made, and when it is there. */
typedef struct key_row {
  const char *name;
  unsigned needs, lacks;
  bool optional;
} key_row;

/* A definition that is made. */
typedef struct def_state {
  const char *name;
  json_t *properties, *required;
  key_row key[100];
  size_t count;
} def_state;

static bool has_name(const def_state *d, const char *name, size_t besides)
{
  for (size_t i = 0; i < d->count; i++)
    if (i != besides && strcmp(d->key[i].name, name) == 0)
      return true;
  return false;
}

/* A key that comes twice may have the value of either row. */
static void add_key(def_state *d, key_row key, json_t *value)
{
  json_t *known = json_object_get(d->properties, key.name);
  ck_assert_uint_lt(d->count, sizeof d->key / sizeof *d->key);
  d->key[d->count++] = key;
  if (known && !json_equal(known, value))
    value = json_pack("{s:[O, o]}", "oneOf", known, value);
  json_object_set_new(d->properties, key.name, value);
}

/* A property that another one is never without. */
static const struct {
  unsigned bit, implied;
} of_heads[] = {{MS_HAS_COUNTED, MS_HAS_PART}, {MS_HAS_SWAPS, MS_HAS_PERMUTATIONS}},
  of_rows[] = {{MS_WITH_SCORES, MS_WITH_MEASURES},
               {MS_WITH_MAX_T, MS_WITH_PERMUTED},
               {MS_WITH_ALL_SUMS, MS_WITH_VERTEX_SCORES}};

static unsigned implied_by(unsigned bits, bool rows)
{
  size_t count = rows ? sizeof of_rows / sizeof *of_rows : sizeof of_heads / sizeof *of_heads;
  for (size_t i = 0; i < count; i++)
    if (bits == (rows ? of_rows[i].bit : of_heads[i].bit))
      return rows ? of_rows[i].implied : of_heads[i].implied;
  return 0;
}

/* Returns the first key that is there if, and only if, a result has these properties; or NULL. */
static const char *witness(const def_state *d, unsigned bits)
{
  for (size_t i = 0; bits && i < d->count; i++)
    if (d->key[i].needs == bits && !d->key[i].lacks && !d->key[i].optional &&
        !has_name(d, d->key[i].name, i))
      return d->key[i].name;
  return NULL;
}

/* Keys that need the same properties are there together: each asks for the next one. */
static json_t *keys_together(const def_state *d, bool rows)
{
  json_t *asks = json_object();
  for (size_t i = 0; i < d->count; i++) {
    const key_row *key = &d->key[i];
    const char *first = witness(d, key->needs), *next = first;
    if (!first || has_name(d, key->name, i))
      continue;
    for (size_t j = d->count; j-- > i + 1 && !key->optional;)
      if (d->key[j].needs == key->needs && !d->key[j].lacks && !d->key[j].optional &&
          !has_name(d, d->key[j].name, j))
        next = d->key[j].name;
    json_t *list = json_array();
    if (strcmp(next, key->name) != 0)
      json_array_append_new(list, json_string(next));
    const char *implied = witness(d, implied_by(key->needs, rows));
    if (implied && strcmp(first, key->name) == 0)
      json_array_append_new(list, json_string(implied));
    if (json_array_size(list) > 0)
      json_object_set(asks, key->name, list);
    json_decref(list);
  }
  return asks;
}

/* Adds what is there always, and what is there without a property: with it, it is not. */
static void require_keys(def_state *d, json_t *all_of)
{
  for (size_t i = 0; i < d->count; i++) {
    const key_row *key = &d->key[i];
    const char *other = witness(d, key->lacks);
    if (key->optional || key->needs || has_name(d, key->name, i))
      continue;
    if (!other)
      json_array_append_new(d->required, json_string(key->name));
    else
      json_array_append_new(all_of, json_pack("{s:{s:[s]}, s:{s:{s:b}}, s:{s:[s]}}", "if",
                                              "required", other, "then", "properties", key->name, 0,
                                              "else", "required", key->name));
  }
}

/* Puts the definition, with what the rules say of it beside, into the schema, unless an equal one
 * is there. */
static void put_def(def_state *d, bool rows)
{
  json_t *all_of = json_array(), *own = rule("also", d->name, NULL);
  json_t *def = json_pack("{s:s, s:o}", "type", "object", "properties", d->properties), *value;
  const char *key;
  require_keys(d, all_of);
  if (json_object_get(d->properties, "recurrence"))
    json_array_append_new(all_of, ref("mode"));
  json_array_extend(all_of, json_object_get(own, "allOf"));
  json_array_extend(d->required, json_object_get(own, "required"));
  json_t *asks = keys_together(d, rows);
  json_object_foreach(json_object_get(own, "dependentRequired"), key, value)
  {
    if (json_object_get(asks, key))
      json_array_extend(json_object_get(asks, key), value);
    else
      json_object_set_new(asks, key, json_deep_copy(value));
  }
  json_object_set_new(def, "required", d->required);
  if (json_object_size(asks) > 0)
    json_object_set(def, "dependentRequired", asks);
  if (json_array_size(all_of) > 0)
    json_object_set(def, "allOf", all_of);
  json_decref(asks);
  json_decref(all_of);
  json_object_foreach(own, key, value)
  {
    if (!json_object_get(def, key))
      json_object_set(def, key, value);
  }
  json_object_set_new(def, "additionalProperties", json_false());
  json_object_foreach(defs, key, value)
  {
    if (json_equal(value, def)) {
      json_decref(def);
      return;
    }
  }
  json_object_set_new(defs, d->name, def);
  if (has_name(d, "type", SIZE_MAX))
    json_array_append_new(any_of, ref(d->name));
}

static def_state begin_def(const char *name, const char *type)
{
  def_state d = {.name = name, .properties = json_object(), .required = json_array()};
  if (type)
    add_key(&d, (key_row){.name = "type"}, json_pack("{s:s}", "const", type));
  return d;
}

/* ---- sections, heads, counts and ends ---------------------------------------------- */

/* An object in a head, of kinds: of results with, or without, these properties. */
static const struct {
  const char *name, *section;
  unsigned kinds, with, without;
} sections[] = {
    {"graph", "graph", ~(unsigned)MS_KIND_PATH, MS_HAS_PLAIN, 0},
    {"typed_graph", "graph", MS_KINDS_TYPED, 0, MS_HAS_PLAIN},
    {"path_graph", "graph", MS_KIND_PATH, 0, MS_HAS_PLAIN},
    {"colors", "colors", UINT32_MAX, MS_HAS_PLAIN | MS_HAS_COLORS, 0},
    {"pattern", "pattern", MS_KINDS_PLAIN_PATTERN, 0, 0},
    {"typed_pattern", "pattern", MS_KINDS_TYPED, 0, 0},
};

/* Kinds that are about motifs of colours. */
#define OF_COLORS                                                                                  \
  (MS_KIND_SCREEN | MS_KIND_LIST | MS_KIND_PARTICIPATION | MS_KIND_NEAREST |                       \
   MS_KIND_NEAREST_LIST | MS_KIND_CHANCE | MS_KINDS_OF_TABLES | MS_KINDS_OF_SAMPLES)

static void put_sections(void)
{
  for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
    def_state d = begin_def(sections[s].name, NULL);
    for (size_t i = 0; i < ms_result_field_count; i++) {
      const ms_result_field *f = &ms_result_fields[i];
      if (f->key && f->section && strcmp(f->section, sections[s].section) == 0 &&
          f->kinds & sections[s].kinds && !(f->lacks & sections[s].with) &&
          !(f->needs & sections[s].without))
        add_key(&d,
                (key_row){f->key, f->needs & ~sections[s].with, f->lacks & ~sections[s].without,
                          f->optional},
                value_of_field(f, d.name));
    }
    put_def(&d, false);
  }
}

/* Adds the object that a head of this kind has as a section. */
static void add_section(def_state *d, unsigned kind, const ms_result_field *f)
{
  for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
    if (sections[s].kinds & kind && strcmp(sections[s].section, f->section) == 0) {
      bool once = has_name(d, f->section, SIZE_MAX);
      json_t *known = json_object_get(d->properties, f->section), *value = ref(sections[s].name);
      json_object_set_new(d->properties, f->section,
                          once ? json_pack("{s:[O, o]}", "oneOf", known, value) : value);
      if (!once)
        d->key[d->count++] =
            (key_row){.name = f->section,
                      .optional = strcmp(f->section, "colors") == 0 && !(kind & OF_COLORS)};
    }
}

static void add_fields(def_state *d, unsigned kind, ms_result_place place)
{
  for (size_t i = 0; i < ms_result_field_count; i++) {
    const ms_result_field *f = &ms_result_fields[i];
    if (!f->key || !(f->kinds & kind) || !(f->places & place))
      continue;
    if (!f->section)
      add_key(d, (key_row){f->key, f->needs, f->lacks, f->optional}, value_of_field(f, d->name));
    else if (!has_name(d, f->section, SIZE_MAX))
      add_section(d, kind, f);
  }
}

/* Puts the definition of what a kind has at a place, such as "screen_header". */
static void put_object(const ms_kind *kind, const char *type, ms_result_place place)
{
  char name[100];
  snprintf(name, sizeof name, "%s_%s", kind->name ? kind->name : "permutations", type);
  for (char *c = name; *c; c++)
    *c = *c == ' ' ? '_' : *c;
  def_state d = begin_def(name, type);
  if (place == MS_IN_HEAD) {
    const char *command = ms_result_command(kind->kind);
    add_key(&d, (key_row){.name = "tool"}, json_pack("{s:s}", "const", "motifsieve"));
    add_key(&d, (key_row){.name = "version"}, ref("version"));
    add_key(&d, (key_row){.name = "command"}, json_pack("{s:s}", "const", command));
    add_key(&d, (key_row){.name = "schema"}, json_pack("{s:i}", "const", 1));
  }
  add_fields(&d, kind->kind, place);
  for (size_t i = 0; kind->key && i < d.count; i++)
    if (strcmp(d.key[i].name, kind->key) == 0)
      d.key[i].optional = false, d.key[i].needs = 0;
  if (place == MS_IN_END) {
    add_key(&d, (key_row){.name = "rows"}, ref("count"));
    add_key(&d, (key_row){.name = "crc32c"}, ref("crc32c"));
  }
  if (place != MS_IN_COUNT || has_name(&d, "count", SIZE_MAX) ||
      has_name(&d, "subgraphs", SIZE_MAX)) {
    put_def(&d, false);
    return;
  }
  json_decref(d.properties); /* the kind is never only counted */
  json_decref(d.required);
}

/* ---- rows ----------------------------------------------------------------------------- */

static bool has_sections(const ms_row_kind *kind)
{
  for (size_t i = 0; i < ms_result_field_count; i++)
    if (ms_result_fields[i].needs == MS_HAS_SECTIONS && ms_result_fields[i].kinds & kind->kinds)
      return kind->needs == 0;
  return false;
}

/* Some rows of TSV are no rows of JSON, which has a list in their place; the rules define a type of
 * rows that no table has. */
static void put_rows(void)
{
  const json_t *hand = json_object_get(rules, "defs");
  for (uint32_t k = 0; k < ms_row_kind_count; k++) {
    const ms_row_kind *kind = &ms_row_kinds[k];
    if (!kind->type || kind->needs & (MS_WITH_LONG_ROWS | MS_WITH_WIDE_ROWS) ||
        json_object_get(hand, kind->type))
      continue;
    def_state d = begin_def(kind->name, kind->type);
    if (has_sections(kind))
      add_key(&d, (key_row){.name = "name", .optional = true}, ref("text"));
    for (uint32_t i = 0; i < kind->count; i++) {
      const ms_result_column *c = &kind->columns[i];
      add_key(&d, (key_row){c->name, c->needs & ~kind->needs, 0, c->of_flagged},
              value_of_column(c, kind->name));
    }
    put_def(&d, true);
  }
}

/* ---- the file --------------------------------------------------------------------------- */

static json_t *make_schema(void)
{
  json_t *schema = json_deep_copy(json_object_get(rules, "schema"));
  json_t *def;
  const char *key;
  any_of = json_array();
  defs = json_deep_copy(json_object_get(rules, "defs"));
  put_sections();
  for (uint32_t k = 0; k < ms_result_kind_count; k++)
    put_object(&ms_result_kinds[k], "header", MS_IN_HEAD);
  put_rows();
  for (uint32_t k = 0; k < ms_result_kind_count; k++) {
    put_object(&ms_result_kinds[k], "end", MS_IN_END);
    put_object(&ms_result_kinds[k], "count", MS_IN_COUNT);
  }
  json_object_foreach(json_object_get(rules, "defs"), key, def)
  {
    if (json_object_get(json_object_get(def, "properties"), "type"))
      json_array_append_new(any_of, ref(key));
  }
  json_object_set_new(schema, "anyOf", any_of);
  json_object_set_new(schema, "$defs", defs);
  return schema;
}

static void put_text(FILE *out, const json_t *value, unsigned indent, size_t after);

/* Writes the members of an object or an array, as many as fit in each line. */
static void put_members(FILE *out, const json_t *value, unsigned indent)
{
  bool is_array = json_is_array(value), alone = indent == 0, full = true;
  size_t count = is_array ? json_array_size(value) : json_object_size(value), column = 0;
  void *at = is_array ? NULL : json_object_iter((json_t *)(uintptr_t)value);
  fputs(is_array ? "[" : "{", out);
  for (size_t i = 0; i < count; i++) {
    const json_t *member = is_array ? json_array_get(value, i) : json_object_iter_value(at);
    char *text = json_dumps(member, JSON_ENCODE_ANY), title[100] = "";
    if (!is_array)
      snprintf(title, sizeof title, "\"%s\": ", json_object_iter_key(at));
    size_t length = strlen(title) + strlen(text) + 1;
    bool fits = indent + 2 + length <= WIDTH;
    if (full || !fits || column + 1 + length > WIDTH) {
      fprintf(out, "\n%*s", (int)indent + 2, "");
      column = indent + 2;
    } else {
      fputs(" ", out);
      column++;
    }
    fputs(title, out);
    if (fits)
      fputs(text, out);
    else
      put_text(out, member, indent + 2, strlen(title));
    column += length;
    full = !fits || alone;
    fputs(i + 1 < count ? "," : "", out);
    free(text);
    at = is_array ? NULL : json_object_iter_next((json_t *)(uintptr_t)value, at);
  }
  fprintf(out, "\n%*s%s", (int)indent, "", is_array ? "]" : "}");
}

static void put_text(FILE *out, const json_t *value, unsigned indent, size_t after)
{
  char *text = json_dumps(value, JSON_ENCODE_ANY);
  bool is_list = json_is_array(value) || json_is_object(value);
  if (is_list && indent + after + strlen(text) > WIDTH - 2)
    put_members(out, value, indent);
  else
    fputs(text, out);
  free(text);
}

/* A rule that nothing asks for would be a wrong name. */
static void check_use(const char *group)
{
  const json_t *asked = json_object_get(used, group);
  const char *name;
  json_t *value;
  json_object_foreach(json_object_get(rules, group), name, value)
  {
    ck_assert_msg(json_object_get(asked, name) != NULL, RULES ": %s has %s, which is nowhere",
                  group, name);
  }
}

/* MOTIFSIEVE_SCHEMA names a file that receives the schema. */
START_TEST(the_schema_follows_from_the_tables)
{
  const char *path = getenv("MOTIFSIEVE_SCHEMA");
  json_error_t problem;
  rules = json_load_file(RULES, JSON_REJECT_DUPLICATES, &problem);
  ck_assert_msg(rules != NULL, RULES ":%d: %s", problem.line, problem.text);
  used = json_pack("{s:{}, s:{}, s:{}}", "fields", "columns", "also");
  char *made = NULL, *page = NULL;
  size_t length, room = 0;
  json_t *schema = make_schema();
  check_use("fields");
  check_use("columns");
  check_use("also");
  FILE *out = open_memstream(&made, &length);
  put_members(out, schema, 0);
  fputs("\n", out);
  fclose(out);
  if (path) {
    out = fopen(path, "w");
    fputs(made, out);
    fclose(out);
  }
  FILE *in = fopen(PAGE, "r");
  ck_assert(in != NULL && getdelim(&page, &room, '\0', in) > 0);
  fclose(in);
  ck_assert_msg(strcmp(page, made) == 0, PAGE " is not what the tables and " RULES
                                              " make: run this test with MOTIFSIEVE_SCHEMA=" PAGE);
  json_decref(schema);
  json_decref(rules);
  json_decref(used);
  free(page);
  free(made);
}
END_TEST

TEST_MAIN("schema", TEST(the_schema_follows_from_the_tables))
