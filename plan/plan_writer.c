#include "plan/plan_writer.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"

#include <stdarg.h>
#include <string.h>

void ms_growing_put(ms_growing *growing, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = ms_format_list(NULL, 0, format, args);
  size_t bytes = length >= 0 ? (size_t)length : 0;
  growing->failed =
      growing->failed || !MS_GROW(growing->text, growing->room, growing->used, bytes + 1);
  if (!growing->failed) {
    ms_format_list(growing->text + growing->used, growing->room - growing->used, format, again);
    growing->used += bytes;
  }
  va_end(again);
  va_end(args);
}

void ms_growing_put_json(ms_growing *growing, const char *text)
{
  ms_growing_put(growing, "\"");
  size_t left = strlen(text), taken;
  for (; left > 0; text += taken, left -= taken) {
    char shown[MS_ESCAPE_BYTES];
    size_t size = ms_escape_character(MS_ESCAPE_JSON, text, left, shown, &taken);
    ms_growing_put(growing, "%.*s", (int)size, shown);
  }
  ms_growing_put(growing, "\"");
}

uint32_t ms_plan_relation(const ms_plan *plan, const ms_plan_level *level, uint32_t from)
{
  return (plan->shape.label[plan->level[from].vertex][level->vertex] + 1u) / 2;
}

ms_status ms_growing_end(ms_growing *growing, char **text, ms_error *err)
{
  *text = NULL;
  if (growing->failed) {
    ms_free(growing->text);
    return ms_fail_memory(err, "the plan's text");
  }
  *text = growing->text;
  return MS_OK;
}

/* mpz_get_str writes into a buffer here: a text that GMP allocates would need GMP's function to be
 * freed. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan)
{
  char digits[512]; /* 256! has 507 */
  _Static_assert(MS_MAX_PATTERN <= 256, "no group has more automorphisms");
  mpz_t order;
  mpz_init(order);
  ms_group_order(plan->group, order);
  ms_growing_put(growing, "%s", mpz_get_str(digits, 10, order));
  mpz_clear(order);
}

const char *ms_order_word(ms_order order)
{
  switch (order) {
  case MS_ORDER_AUTO:
    return "auto";
  case MS_ORDER_RI:
    return "ri";
  case MS_ORDER_DEGREE:
    return "degree";
  case MS_ORDER_REUSE:
    return "reuse";
  }
  return "unknown";
}
