#include "parts/identity.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static ms_status append(ms_identity *id, const char *text, size_t length, ms_error *err)
{
  if (id->room - id->length < length + 1) {
    size_t room = 2 * id->room + length + 256;
    char *larger = ms_resize(id->text, id->room, room, 1);
    if (!larger)
      return ms_fail_memory(err, "the identity of a run");
    id->text = larger;
    id->room = room;
  }
  memcpy(id->text + id->length, text, length);
  id->length += length;
  id->text[id->length] = '\0';
  return MS_OK;
}

ms_status ms_identity_text(ms_identity *id, const char *name, const char *value, ms_error *err)
{
  MS_TRY(append(id, name, strlen(name), err));
  MS_TRY(append(id, "\t", 1, err));
  for (; *value; value++) {
    const char *escaped = *value == '\\'   ? "\\\\"
                          : *value == '\t' ? "\\t"
                          : *value == '\n' ? "\\n"
                                           : NULL;
    MS_TRY(append(id, escaped ? escaped : value, escaped ? 2 : 1, err));
  }
  return append(id, "\n", 1, err);
}

ms_status ms_identity_number(ms_identity *id, const char *name, uint64_t value, ms_error *err)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return ms_identity_text(id, name, text, err);
}

ms_status ms_identity_crc32c(ms_identity *id, const char *name, uint32_t value, ms_error *err)
{
  char text[12];
  snprintf(text, sizeof text, "%08" PRIx32, value);
  return ms_identity_text(id, name, text, err);
}

ms_status ms_identity_open(ms_identity *id, const char *what, ms_error *err)
{
  memset(id, 0, sizeof *id);
  MS_TRY(ms_identity_text(id, "version of motifsieve", ms_version(), err));
  return ms_identity_text(id, "command", what, err);
}

void ms_identity_free(ms_identity *id)
{
  ms_free(id->text);
  memset(id, 0, sizeof *id);
}

/* ---- comparison ------------------------------------------------------------------------ */

/* A line of an identity; its parts last as long as it. */
typedef struct line {
  const char *name, *value;
  int name_length, value_length;
} line;

/* Takes the next line from *at; false: there is none. */
static bool take_line(const char **at, line *out)
{
  const char *end = strchr(*at, '\n'), *tab = strchr(*at, '\t');
  if (!end || !tab || tab > end)
    return false;
  *out = (line){*at, tab + 1, (int)(tab - *at), (int)(end - tab - 1)};
  *at = end + 1;
  return true;
}

static bool same(const char *a, int a_length, const char *b, int b_length)
{
  return a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;
}

#define SHOWN 100 /* bytes of a value */
static int shown(int length)
{
  return length < SHOWN ? length : SHOWN;
}

/* What a message says of a value: of an empty one, that it is not given. */
static line spoken(line x)
{
  static const char none[] = "not given";
  if (x.value_length == 0) {
    x.value = none;
    x.value_length = (int)sizeof none - 1;
  }
  return x;
}

/* True if one of the lines from `at` on has this name. */
static bool has_name(const char *at, const line *wanted)
{
  line next;
  while (take_line(&at, &next))
    if (same(next.name, next.name_length, wanted->name, wanted->name_length))
      return true;
  return false;
}

/* Says that the run of `owner` has a value that the other one lacks. */
static void describe_lack(const line *x, const char *owner, const char *other, char *reason,
                          size_t room)
{
  snprintf(reason, room, "%s has '%.*s' %.*s, and %s has no such value", owner, x->name_length,
           x->name, shown(x->value_length), x->value, other);
}

/* Says that a value of both runs differs. */
static void describe_difference(const line *x, const char *here, const line *y, const char *there,
                                char *reason, size_t room)
{
  snprintf(reason, room, "'%.*s' is %.*s in %s, and %.*s in %s", x->name_length, x->name,
           shown(y->value_length), y->value, there, shown(x->value_length), x->value, here);
}

bool ms_identity_equal(const ms_identity *a, const char *here, const ms_identity *b,
                       const char *there, char *reason, size_t room)
{
  const char *at = a->text ? a->text : "", *bt = b->text ? b->text : "";
  line x, y;
  for (;;) {
    bool has_x = take_line(&at, &x), has_y = take_line(&bt, &y);
    if (!has_x && !has_y)
      return true;
    bool same_name = has_x && has_y && same(x.name, x.name_length, y.name, y.name_length);
    if (same_name && same(x.value, x.value_length, y.value, y.value_length))
      continue;
    x = has_x ? spoken(x) : x;
    y = has_y ? spoken(y) : y;
    /* of two names, the one that the other run has further on is no difference */
    if (same_name)
      describe_difference(&x, here, &y, there, reason, room);
    else if (!has_x || (has_y && has_name(bt, &x)))
      describe_lack(&y, there, here, reason, room);
    else if (!has_y || has_name(at, &y))
      describe_lack(&x, here, there, reason, room);
    else
      snprintf(reason, room, "%s has '%.*s' %.*s, and %s has '%.*s' %.*s in its place", there,
               y.name_length, y.name, shown(y.value_length), y.value, here, x.name_length, x.name,
               shown(x.value_length), x.value);
    return false;
  }
}

bool ms_identity_conflicts(const ms_identity *a, const char *here, const ms_identity *b,
                           const char *there, char *reason, size_t room)
{
  const char *at = a->text ? a->text : "", *bt = b->text ? b->text : "";
  line x, y;
  while (take_line(&at, &x)) {
    const char *next = bt;
    bool found = false;
    while (!found && take_line(&next, &y))
      found = same(x.name, x.name_length, y.name, y.name_length);
    if (!found)
      continue;
    bt = next;
    if (!same(x.value, x.value_length, y.value, y.value_length)) {
      x = spoken(x);
      y = spoken(y);
      describe_difference(&x, here, &y, there, reason, room);
      return true;
    }
  }
  return false;
}
