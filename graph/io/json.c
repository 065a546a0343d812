/* JSON as a stream through jansson; see json.h. */
#include "graph/io/json.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/text/json_size.h"

#include <string.h>

/* What the next byte that is not blank may be. */
typedef enum place {
  OUTER,          /* the outer array */
  FIRST_OBJECT,   /* an object, or the end of the array */
  OBJECT,         /* an object */
  BEHIND_OBJECT,  /* a comma, or the end of the array */
  FIRST_NAME,     /* a name, or the end of the object */
  NAME,           /* a name */
  BEHIND_NAME,    /* a colon */
  VALUE,          /* a value, or an array of elements */
  BEHIND_VALUE,   /* a comma, or the end of the object */
  FIRST_ELEMENT,  /* an element, or the end of the array */
  ELEMENT,        /* an element */
  BEHIND_ELEMENT, /* a comma, or the end of the array */
  END             /* nothing */
} place;

static const struct step {
  place at;
  char sign;
  place next;
} steps[] = {
    {OUTER, '[', FIRST_OBJECT},         {FIRST_OBJECT, '{', FIRST_NAME},
    {FIRST_OBJECT, ']', END},           {OBJECT, '{', FIRST_NAME},
    {BEHIND_OBJECT, ',', OBJECT},       {BEHIND_OBJECT, ']', END},
    {FIRST_NAME, '}', BEHIND_OBJECT},   {BEHIND_NAME, ':', VALUE},
    {VALUE, '[', FIRST_ELEMENT},        {BEHIND_VALUE, ',', NAME},
    {BEHIND_VALUE, '}', BEHIND_OBJECT}, {FIRST_ELEMENT, ']', BEHIND_VALUE},
    {BEHIND_ELEMENT, ',', ELEMENT},     {BEHIND_ELEMENT, ']', BEHIND_VALUE},
};

typedef struct reader {
  ms_text *text;
  const ms_json_handler *handler;
  void *user;
  place place;
  json_t *name;        /* of the elements that follow; a string */
  uint64_t name_bytes; /* that the meter counts for it */
  bool wanted;         /* that name is read */
  /* the name, value or element that is being collected */
  char *bytes; /* [room] */
  size_t length, room;
  uint64_t line;  /* where it begins */
  uint32_t depth; /* open brackets in it */
  bool collecting, in_string, escaped;
} reader;

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* ---- one name, value or element -------------------------------------------------- */

static bool is_wanted(const reader *r, const char *name)
{
  for (const char *const *known = r->handler->names; *known; known++)
    if (strcmp(name, *known) == 0)
      return true;
  return false;
}

static bool expects_name(const reader *r)
{
  return r->place == FIRST_NAME || r->place == NAME;
}

static ms_status collect(reader *r, char c, ms_error *err)
{
  if (!expects_name(r) && !r->wanted)
    return MS_OK;
  if (r->length == MS_JSON_MAX_ELEMENT)
    return ms_text_fail(r->text, err, "an element is longer than %zu MiB; is this a graph?",
                        MS_JSON_MAX_ELEMENT >> 20);
  if (!MS_GROW(r->bytes, r->room, r->length, 1))
    return ms_fail_memory(err, "an element of JSON");
  r->bytes[r->length++] = c;
  return MS_OK;
}

/* What a value holds: the bytes of its keys and strings, and the sum of its integers mod 2^64. */
typedef struct json_sum {
  uint64_t bytes, integers;
} json_sum;

/* Adds a value.  The parser bounds the depth. */
static void add_value(json_sum *sum, const json_t *value)
{
  const char *key;
  json_t *item;
  size_t i;
  if (json_is_string(value))
    sum->bytes += json_string_length(value);
  else if (json_is_integer(value))
    sum->integers += (uint64_t)json_integer_value(value);
  json_array_foreach(value, i, item) add_value(sum, item);
  json_object_foreach((json_t *)value, key, item)
  {
    sum->bytes += strlen(key);
    add_value(sum, item);
  }
}

/* Adds the character of the escape at the text; returns the number of bytes of the escape. */
static size_t add_escape(json_sum *sum, const char *text, size_t length)
{
  unsigned code = 0;
  if (length < 6 || text[1] != 'u') {
    sum->bytes++;
    return 2;
  }
  for (int i = 2; i < 6; i++) {
    char c = text[i];
    code = code << 4 | (unsigned)(c <= '9' ? c - '0' : (c & 7) + 9);
  }
  bool pair = code >= 0xD800 && code < 0xDC00; /* a second escape follows */
  sum->bytes += pair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  return pair ? 12 : 6;
}

/* Adds the number or word at the text; returns its number of bytes. */
static size_t add_word(json_sum *sum, const char *text, size_t length)
{
  uint64_t number = 0;
  size_t n = text[0] == '-';
  for (; n < length && text[n] >= '0' && text[n] <= '9'; n++)
    number = 10 * number + (uint64_t)(text[n] - '0');
  bool is_integer = n > 0;
  for (; n < length && !strchr(",:]} \t\r\n", text[n]); n++)
    is_integer = false;
  if (is_integer)
    sum->integers += text[0] == '-' ? 0 - number : number;
  return n > 0 ? n : 1;
}

bool ms_json_is_whole(const json_t *value, const char *text, size_t length)
{
  json_sum given = {0}, made = {0};
  bool quoted = false;
  for (size_t i = 0; i < length;) {
    char c = text[i];
    if (c == '"') {
      quoted = !quoted;
      i++;
    } else if (quoted && c == '\\') {
      i += add_escape(&given, text + i, length - i);
    } else if (quoted) {
      given.bytes++;
      i++;
    } else {
      i += strchr("[]{},: \t\r\n", c) ? 1 : add_word(&given, text + i, length - i);
    }
  }
  add_value(&made, value);
  return given.bytes == made.bytes && given.integers == made.integers;
}

static ms_status parse(reader *r, json_t **out, ms_error *err)
{
  json_error_t problem;
  *out = json_loadb(r->bytes, r->length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &problem);
  bool made = *out != NULL;
  if (made && ms_json_is_whole(*out, r->bytes, r->length))
    return MS_OK;
  json_decref(*out);
  *out = NULL;
  if (made || json_error_code(&problem) == json_error_out_of_memory)
    return ms_fail_memory(err, "an element of JSON");
  r->text->number = r->line + (problem.line > 1 ? (uint64_t)problem.line - 1 : 0);
  return ms_text_fail(r->text, err, "no JSON: %s; correct it, or export the file again",
                      problem.text);
}

static ms_status finish_name(reader *r, ms_error *err)
{
  json_t *name;
  ms_meter *meter = ms_meter_current();
  uint64_t size = ms_json_size(r->bytes, r->length);
  json_decref(r->name);
  r->name = NULL;
  ms_meter_give(meter, (int64_t)r->name_bytes);
  r->name_bytes = 0;
  if (!ms_meter_take(meter, size))
    return ms_fail_memory(err, "a name of JSON");
  r->name_bytes = size;
  MS_TRY(parse(r, &name, err));
  r->name = name;
  r->wanted = is_wanted(r, json_string_value(name));
  r->place = BEHIND_NAME;
  return MS_OK;
}

static ms_status finish_element(reader *r, ms_error *err)
{
  uint64_t line = r->text->number;
  json_t *element;
  ms_meter *meter = ms_meter_current();
  uint64_t size = ms_json_size(r->bytes, r->length);
  r->place = r->place == VALUE ? BEHIND_VALUE : BEHIND_ELEMENT;
  if (!r->wanted)
    return MS_OK;
  if (!ms_meter_take(meter, size))
    return ms_fail_memory(err, "an element of JSON");
  MS_TRY(parse(r, &element, err));
  r->text->number = r->line;
  ms_status status = r->handler->element(r->user, json_string_value(r->name), element, err);
  json_decref(element);
  ms_meter_give(meter, (int64_t)size);
  if (status == MS_OK)
    r->text->number = line;
  return status;
}

/* Uses what was collected. */
static ms_status finish(reader *r, ms_error *err)
{
  ms_status status = expects_name(r) ? finish_name(r, err) : finish_element(r, err);
  r->collecting = false;
  r->length = 0;
  return status;
}

/* Takes a byte inside a string. */
static void pass_string(reader *r, char c)
{
  r->in_string = r->escaped || c != '"';
  r->escaped = !r->escaped && c == '\\';
}

/* Takes the next byte of what is being collected.  *used is false if a number or a word ended in
 * front of it. */
static ms_status go_on(reader *r, char c, bool *used, ms_error *err)
{
  bool closes = !r->in_string && (c == ']' || c == '}');
  *used = r->in_string || r->depth > 0 || !(closes || c == ',' || is_blank(c));
  if (!*used)
    return finish(r, err);
  MS_TRY(collect(r, c, err));
  bool was_string = r->in_string;
  if (was_string)
    pass_string(r, c);
  else if (c == '"')
    r->in_string = true;
  else if (c == '[' || c == '{')
    r->depth++;
  else if (closes)
    r->depth--;
  bool ended = r->depth == 0 && !r->in_string && (was_string || closes);
  return ended ? finish(r, err) : MS_OK;
}

/* ---- the outer form --------------------------------------------------------------- */

static ms_status refuse(const reader *r, char c, ms_error *err)
{
  if (r->place == END)
    return ms_text_fail(r->text, err, "something follows the end of the JSON; remove it");
  return ms_text_fail(r->text, err,
                      "'%c' is not what an array of objects has here; correct the JSON, or export "
                      "the file again",
                      c >= ' ' && c <= '~' ? c : '?');
}

static ms_status take_byte(reader *r, char c, ms_error *err)
{
  if (c == '\0')
    return ms_text_fail(r->text, err, "holds a NUL byte; give a text file in UTF-8");
  if (r->collecting) {
    bool used;
    MS_TRY(go_on(r, c, &used, err));
    if (used)
      return MS_OK;
  }
  if (is_blank(c))
    return MS_OK;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    if (steps[i].at == r->place && steps[i].sign == c) {
      r->place = steps[i].next;
      return MS_OK;
    }
  bool used, is_value = r->place == VALUE || r->place == FIRST_ELEMENT || r->place == ELEMENT;
  if (expects_name(r) ? c != '"' : !is_value || strchr(",:]}", c))
    return refuse(r, c, err);
  r->collecting = true;
  r->line = r->text->number;
  return go_on(r, c, &used, err);
}

static ms_status read_all(reader *r, ms_error *err)
{
  const char *bytes;
  size_t length;
  char last = '\n';
  r->text->number = 1;
  for (;;) {
    MS_TRY(ms_text_read_bytes(r->text, &bytes, &length, err));
    if (length == 0)
      break;
    for (size_t i = 0; i < length; i++) {
      MS_TRY(take_byte(r, bytes[i], err));
      r->text->number += bytes[i] == '\n';
    }
    last = bytes[length - 1];
  }
  if (r->place != END)
    return ms_text_fail(r->text, err,
                        "the file ends inside its JSON; it was cut off: get it again");
  r->text->number -= last == '\n';
  return MS_OK;
}

ms_status ms_json_read(ms_text *text, const ms_json_handler *handler, void *user, ms_error *err)
{
  reader r = {.text = text, .handler = handler, .user = user};
  ms_status status = read_all(&r, err);
  json_decref(r.name);
  ms_free(r.bytes);
  return status;
}
