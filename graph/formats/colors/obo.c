/* OBO 1.2 and 1.4.  A line is a tag, a colon and a value; a value ends in front of an unescaped
 * '!' (a comment) and of modifiers in braces.  A backslash removes the meaning of the next
 * character, or begins one of \n, \t and \W (blanks).  The reader uses the header and the [Term]
 * stanzas, and there the tags that the tables below name.  A link whose modifiers name a
 * gci_relation holds for some organisms only, and is left out. */
#include "graph/formats/colors/ontology_links.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/edges/edges.h"

#include <string.h>

typedef struct obo_reader {
  ms_text *text;
  ms_ontology *o;
  ms_ontology_links links;
  enum { HEADER, TERM, OTHER } part;
  uint64_t stanza;     /* line of the current one */
  uint32_t term;       /* of the current stanza; MS_NO_ID before its id */
  uint32_t namespace_; /* of terms that do not state one */
  bool conditional;    /* the current line has a gci_relation */
} obo_reader;

bool ms_is_obo(const ms_text *text)
{
  static const char *const first[] = {"[", "format-version:", "data-version:", "ontology:"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++)
    if (strncmp(text->line, first[i], strlen(first[i])) == 0)
      return true;
  return false;
}

/* ---- values --------------------------------------------------------------- */

/* Is text[at..) modifiers in braces up to the end or a comment?  Quotes in them
 * hide braces. */
static bool at_modifiers(ms_field text, size_t at)
{
  bool quoted = false;
  for (at++; at < text.length; at++)
    if (text.text[at] == '\\')
      at++;
    else if (text.text[at] == '"')
      quoted = !quoted;
    else if (text.text[at] == '}' && !quoted)
      break;
  do
    at++;
  while (at < text.length && ms_is_blank(text.text[at]));
  return at == text.length || (at < text.length && text.text[at] == '!');
}

/* Cuts comment and modifiers off the value, which stays escaped. */
static ms_status cut_value(obo_reader *r, ms_field *value, ms_error *err)
{
  static const char condition[] = "gci_relation=";
  size_t at = 0;
  for (; at < value->length && value->text[at] != '!'; at++) {
    if (value->text[at] == '{' && (at == 0 || ms_is_blank(value->text[at - 1])) &&
        at_modifiers(*value, at))
      break;
    if (value->text[at] == '\\' && ++at == value->length)
      return ms_text_fail(r->text, err,
                          "the value continues in the next line (a backslash ends it); put it into "
                          "one line");
  }
  r->conditional = memmem(value->text + at, value->length - at, condition, sizeof condition - 1);
  *value = ms_field_trim((ms_field){value->text, at});
  return MS_OK;
}

/* Removes escapes, in the line itself. */
static ms_field unescape(ms_text *text, ms_field value)
{
  char *from = text->line + (value.text - text->line), *to = from;
  for (size_t at = 0; at < value.length; at++) {
    bool escaped = value.text[at] == '\\' && at + 1 < value.length;
    char c = value.text[at += escaped];
    *to++ = escaped && (c == 'n' || c == 't' || c == 'W') ? ' ' : c;
  }
  return (ms_field){from, (size_t)(to - from)};
}

/* Removes the first word from *rest and returns it unescaped. */
static ms_field take_word(ms_text *text, ms_field *rest)
{
  size_t length = 0;
  while (length < rest->length && !ms_is_blank(rest->text[length]))
    length += rest->text[length] == '\\' && length + 1 < rest->length ? 2 : 1;
  ms_field word = {rest->text, length};
  *rest = ms_field_trim((ms_field){rest->text + length, rest->length - length});
  return unescape(text, word);
}

/* ---- terms ---------------------------------------------------------------- */

static ms_status add_term(ms_ontology *o, ms_field id, uint32_t *term, ms_error *err)
{
  ms_status status = ms_names_add(o->ids, id.text, id.length, term, err);
  if (status != MS_OK || *term < o->count)
    return status;
  if (!MS_GROW(o->term, o->room, o->count, 1))
    return ms_fail_memory(err, "terms");
  o->term[o->count++] = (ms_term){.name = MS_NO_ID, .replaced_by = MS_NO_ID, .main = MS_NO_ID};
  return MS_OK;
}

/* Finds or adds the term whose id is the whole value. */
static ms_status take_term(obo_reader *r, ms_field value, const char *what, uint32_t *term,
                           ms_error *err)
{
  ms_field id = take_word(r->text, &value);
  if (value.length > 0)
    return ms_text_fail(r->text, err,
                        "text follows the %s; put a '!' in front of it if it is a comment", what);
  ms_status status = ms_text_check_name(r->text, id, what, err);
  return status == MS_OK ? add_term(r->o, id, term, err) : status;
}

static ms_status take_name(const obo_reader *r, ms_names *names, ms_field value, const char *what,
                           uint32_t *id, ms_error *err)
{
  value = unescape(r->text, value);
  ms_status status = ms_text_check_name(r->text, value, what, err);
  return status == MS_OK ? ms_names_add(names, value.text, value.length, id, err) : status;
}

static ms_status tag_id(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t term;
  if (r->term != MS_NO_ID)
    return ms_text_fail(r->text, err, "the [Term] already has an id; remove one");
  MS_TRY(take_term(r, value, "id", &term, err));
  if (r->o->term[term].line > 0) {
    const char *id = ms_ontology_id(r->o, term);
    return ms_text_fail(
        r->text, err, "the term '%.*s' is already in line %llu; remove one of the two",
        ms_name_clip(id, strlen(id)), id, (unsigned long long)r->o->term[term].line);
  }
  r->o->term[term].line = r->stanza;
  r->o->term[term].namespace_ = r->namespace_;
  r->term = term;
  return MS_OK;
}

static ms_status tag_name(obo_reader *r, ms_field value, ms_error *err)
{
  if (r->o->term[r->term].name != MS_NO_ID)
    return ms_text_fail(r->text, err, "the [Term] already has a name; remove one");
  uint32_t name;
  ms_status status = take_name(r, r->o->names, value, "name", &name, err);
  if (status == MS_OK)
    r->o->term[r->term].name = name;
  return status;
}

static ms_status tag_namespace(obo_reader *r, ms_field value, ms_error *err)
{
  return take_name(r, r->o->namespaces, value, "namespace", &r->o->term[r->term].namespace_, err);
}

static ms_status tag_alt_id(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t id;
  ms_status status = take_term(r, value, "id", &id, err);
  return status == MS_OK ? ms_pairs_add(&r->links.alternative, id, r->term, err) : status;
}

static ms_status tag_is_a(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t above;
  ms_status status = take_term(r, value, "id", &above, err);
  return status == MS_OK && !r->conditional ? ms_pairs_add(&r->links.is_a, r->term, above, err)
                                            : status;
}

static ms_status tag_relationship(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t above;
  ms_field relation = take_word(r->text, &value);
  ms_status status = ms_text_check_name(r->text, relation, "relation", err);
  if (status != MS_OK ||
      !(ms_field_is(relation, "part_of") || ms_field_is(relation, "BFO:0000050")))
    return status;
  status = take_term(r, value, "id behind part_of", &above, err);
  return status == MS_OK && !r->conditional ? ms_pairs_add(&r->links.part_of, r->term, above, err)
                                            : status;
}

static ms_status tag_subset(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t subset;
  ms_status status = take_name(r, r->o->subsets, value, "subset", &subset, err);
  return status == MS_OK ? ms_pairs_add(&r->o->member, r->term, subset, err) : status;
}

static ms_status tag_is_obsolete(obo_reader *r, ms_field value, ms_error *err)
{
  if (!ms_field_is(value, "true") && !ms_field_is(value, "false"))
    return ms_text_fail(r->text, err, "is_obsolete is neither true nor false; write one of them");
  r->o->term[r->term].obsolete = ms_field_is(value, "true");
  return MS_OK;
}

static ms_status tag_replaced_by(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t by;
  MS_TRY(take_term(r, value, "id", &by, err));
  ms_term *term = &r->o->term[r->term];
  term->split |= term->replaced_by != MS_NO_ID && term->replaced_by != by;
  term->replaced_by = by;
  return MS_OK;
}

static ms_status tag_subsetdef(obo_reader *r, ms_field value, ms_error *err)
{
  uint32_t subset;
  ms_field name = take_word(r->text, &value);
  ms_status status = ms_text_check_name(r->text, name, "subset", err);
  return status == MS_OK ? ms_names_add(r->o->subsets, name.text, name.length, &subset, err)
                         : status;
}

static ms_status tag_default_namespace(obo_reader *r, ms_field value, ms_error *err)
{
  return take_name(r, r->o->namespaces, value, "namespace", &r->namespace_, err);
}

/* ---- lines ---------------------------------------------------------------- */

typedef struct obo_tag {
  const char *name;
  ms_status (*take)(obo_reader *r, ms_field value, ms_error *err);
} obo_tag;

static const obo_tag header_tags[] = {
    {"subsetdef", tag_subsetdef}, {"default-namespace", tag_default_namespace}, {NULL, NULL}};

static const obo_tag term_tags[] = {
    {"id", tag_id},
    {"name", tag_name},
    {"namespace", tag_namespace},
    {"alt_id", tag_alt_id},
    {"is_a", tag_is_a},
    {"relationship", tag_relationship},
    {"subset", tag_subset},
    {"is_obsolete", tag_is_obsolete},
    {"replaced_by", tag_replaced_by},
    {NULL, NULL},
};

static ms_status end_stanza(const obo_reader *r, ms_error *err)
{
  if (r->part != TERM || r->term != MS_NO_ID)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT, "%s:%llu: the [Term] has no id; complete it or remove it",
                 r->text->label, (unsigned long long)r->stanza);
}

static ms_status begin_stanza(obo_reader *r, ms_error *err)
{
  ms_field line = ms_field_trim((ms_field){r->text->line, r->text->length});
  MS_TRY(end_stanza(r, err));
  if (!memchr(line.text, ']', line.length))
    return ms_text_fail(r->text, err, "the name of the stanza is not closed; close it with ']'");
  bool term = line.length >= 6 && memcmp(line.text, "[Term]", 6) == 0;
  r->part = term ? TERM : OTHER;
  r->stanza = r->text->number;
  r->term = MS_NO_ID;
  return MS_OK;
}

static ms_status take_tag(obo_reader *r, ms_error *err)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const ms_text *text = r->text;
  size_t length = strspn(text->line, letters);
  if (length == 0 || text->line[length] != ':')
    return ms_text_fail(text, err,
                        "expected a tag, a colon and a value, such as 'id: GO:0006281', or a "
                        "stanza, such as '[Term]'; give an ontology in OBO format");
  const obo_tag *tag = r->part == HEADER ? header_tags : term_tags;
  ms_field name = {text->line, length};
  while (tag->name && !ms_field_is(name, tag->name))
    tag++;
  if (r->part == TERM && r->term == MS_NO_ID && tag->take != tag_id)
    return ms_text_fail(text, err, "the [Term] does not begin with its id; put the id first");
  if (!tag->name || r->part == OTHER)
    return MS_OK;
  ms_field value = ms_field_trim((ms_field){text->line + length + 1, text->length - length - 1});
  ms_status status = cut_value(r, &value, err);
  return status == MS_OK ? tag->take(r, value, err) : status;
}

static ms_status read_lines(obo_reader *r, ms_error *err)
{
  bool terms = false;
  ms_status status = MS_OK;
  if (!r->text->line)
    status = ms_text_next_data(r->text, err);
  while (status == MS_OK && r->text->line) {
    status = r->text->line[0] == '[' ? begin_stanza(r, err) : take_tag(r, err);
    terms |= r->part == TERM;
    if (status == MS_OK)
      status = ms_text_next_data(r->text, err);
  }
  if (status == MS_OK)
    status = end_stanza(r, err);
  if (status == MS_OK && !terms)
    status = ms_fail(err, MS_ERR_INPUT, "%s: holds no [Term]; give an ontology in OBO format",
                     r->text->label);
  return status;
}

static ms_status new_ontology(ms_ontology **out, ms_error *err)
{
  ms_ontology *o = ms_calloc(1, sizeof *o);
  *out = o;
  if (!o)
    return ms_fail_memory(err, "an ontology");
  ms_status status = ms_names_new(&o->ids, err);
  if (status == MS_OK)
    status = ms_names_new(&o->names, err);
  if (status == MS_OK)
    status = ms_names_new(&o->namespaces, err);
  return status == MS_OK ? ms_names_new(&o->subsets, err) : status;
}

ms_status ms_ontology_read_text(ms_text *text, ms_ontology **out, ms_error *err)
{
  obo_reader r = {.text = text, .term = MS_NO_ID};
  *out = NULL;
  ms_status status = new_ontology(&r.o, err);
  if (status == MS_OK) /* of terms that do not state one */
    status = ms_names_add(r.o->namespaces, "", 0, &r.namespace_, err);
  if (status == MS_OK)
    status = read_lines(&r, err);
  if (status == MS_OK)
    status = ms_ontology_link(r.o, &r.links, text->label, err);
  ms_free(r.links.is_a.pair);
  ms_free(r.links.part_of.pair);
  ms_free(r.links.alternative.pair);
  if (status != MS_OK) {
    ms_ontology_free(r.o);
    return status;
  }
  r.o->crc32c = text->crc32c;
  *out = r.o;
  return MS_OK;
}

ms_status ms_ontology_read(const char *path, ms_ontology **out, ms_error *err)
{
  ms_text *text;
  *out = NULL;
  MS_TRY(ms_text_open(path, &text, err));
  ms_status status = ms_ontology_read_text(text, out, err);
  ms_text_close(text);
  return status;
}
