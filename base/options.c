#include "base/options.h"

#include "base/status.h"

#include <string.h>

/* ---- the structs ----------------------------------------------------------- */

#define KIND(type, macro_, ...)                                                                    \
  static const type type##_defaults = macro_;                                                      \
  const ms_options_kind type##_kind = {.name = #type,                                              \
                                       .macro = #macro_,                                           \
                                       .size = sizeof(type),                                       \
                                       .defaults = &type##_defaults,                               \
                                       __VA_ARGS__}

KIND(ms_graph_options, MS_GRAPH_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_color_options, MS_COLOR_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_screen_options, MS_SCREEN_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_list_options, MS_LIST_OPTIONS_DEFAULT,
     .part = {{offsetof(ms_list_options, screen), &ms_screen_options_kind}});
KIND(ms_pattern_options, MS_PATTERN_OPTIONS_DEFAULT,
     .part = {{offsetof(ms_pattern_options, screen), &ms_screen_options_kind}});
KIND(ms_typed_options, MS_TYPED_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_typed_match_options, MS_TYPED_MATCH_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_path_options, MS_PATH_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_verify_options, MS_VERIFY_OPTIONS_DEFAULT,
     .part = {{offsetof(ms_verify_options, graph), &ms_graph_options_kind},
              {offsetof(ms_verify_options, colors), &ms_color_options_kind},
              {offsetof(ms_verify_options, typed), &ms_typed_options_kind}});

KIND(ms_generate_options, MS_GENERATE_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_plant_options, MS_PLANT_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_write_options, MS_WRITE_OPTIONS_DEFAULT, .part = {{0}});
KIND(ms_component_options, MS_COMPONENT_OPTIONS_DEFAULT, .part = {{0}});

/* ---- reading ---------------------------------------------------------------- */

/* Where a struct is read and where it is written. */
typedef struct cursor {
  const char *from;
  char *to;
  size_t left, room; /* bytes that are not yet read, and not yet written */
} cursor;

static void copy(cursor *c, size_t bytes)
{
  bytes = bytes < c->left ? bytes : c->left;
  memcpy(c->to, c->from, bytes);
}

static void advance(cursor *c, size_t read, size_t written)
{
  read = read < c->left ? read : c->left;
  c->from += read;
  c->left -= read;
  c->to += written;
  c->room -= written;
}

static ms_status fail_newer(const ms_options_kind *kind, size_t size, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "%s.size is %zu, and version %s of the library knows %zu bytes; initialise the "
                 "struct with %s, and link the library whose header the program includes",
                 kind->name, size, ms_version(), kind->size, kind->macro);
}

/* Reads a struct of which at most `most` bytes belong to the caller.  *size receives its bytes. */
static ms_status take(const ms_options_kind *kind, const char *from, size_t most, char *to,
                      size_t *size, ms_error *err)
{
  memcpy(size, from, sizeof *size);
  if (*size < sizeof *size)
    return ms_fail(err, MS_ERR_USAGE, "%s.size is %zu; initialise the struct with %s", kind->name,
                   *size, kind->macro);
  if (*size > kind->size || *size > most)
    return fail_newer(kind, *size, err);
  cursor c = {from, to, *size, kind->size};
  for (size_t i = 0; i < MS_MAX_OPTION_PARTS && kind->part[i].kind; i++) {
    const ms_options_kind *inner = kind->part[i].kind;
    size_t inner_size, before = kind->part[i].at - (kind->size - c.room);
    copy(&c, before);
    advance(&c, before, before);
    if (c.left < sizeof inner_size)
      break;
    MS_TRY(take(inner, c.from, c.left, c.to, &inner_size, err));
    advance(&c, inner_size, inner->size);
  }
  if (c.left > c.room)
    return fail_newer(kind, *size, err);
  copy(&c, c.left);
  memcpy(to, &kind->size, sizeof kind->size);
  return MS_OK;
}

ms_status ms_options_take(const ms_options_kind *kind, const void *from, void *to, ms_error *err)
{
  size_t size;
  memcpy(to, kind->defaults, kind->size);
  return from ? take(kind, from, kind->size, to, &size, err) : MS_OK;
}
