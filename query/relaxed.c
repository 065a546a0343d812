#include "query/relaxed.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static bool has_color(const uint32_t *colors, uint32_t count, uint32_t color)
{
  for (uint32_t i = 0; i < count; i++)
    if (colors[i] == color)
      return true;
  return false;
}

/* Returns the least cost at which one of the colours stands for the wanted one. */
static uint32_t cost_of_literal(uint32_t wanted, const ms_substitutes *s, const uint32_t *colors,
                                uint32_t count)
{
  uint32_t least = MS_NO_SUBSTITUTE;
  if (has_color(colors, count, wanted))
    return 0;
  for (uint32_t i = 0; s && i < count; i++) {
    uint32_t cost = ms_substitutes_cost(s, wanted, colors[i]);
    least = cost < least ? cost : least;
  }
  return least;
}

uint32_t ms_condition_cost(const ms_condition *condition, const ms_substitutes *s,
                           const uint32_t *colors, uint32_t count)
{
  uint32_t least = MS_NO_SUBSTITUTE;
  uint64_t sum = 0; /* of the alternative */
  for (uint32_t i = 0; i < condition->count; i++) {
    const ms_literal *literal = &condition->literal[i];
    uint32_t cost = literal->lacks
                        ? (has_color(colors, count, literal->color) ? MS_NO_SUBSTITUTE : 0)
                        : cost_of_literal(literal->color, s, colors, count);
    sum = cost == MS_NO_SUBSTITUTE ? UINT64_MAX / 2 : sum + cost;
    if (!literal->last)
      continue;
    least = sum < least ? (uint32_t)sum : least;
    sum = 0;
  }
  return least;
}

/* ---- the alternatives that substitutions add ------------------------------------------- */

typedef struct expansion {
  const ms_condition *condition;
  const ms_substitutes *substitutes;
  const ms_coloring *coloring;
  uint32_t first, end;             /* the literals of the alternative */
  uint32_t color[MS_MAX_LITERALS]; /* [end - first] what takes the places of its colours */
  uint64_t literals;               /* of all alternatives so far */
  bool *has;                       /* [cost] NULL: text is made */
  char *text;                      /* [room] a condition in quotes */
  size_t used, room;
} expansion;

static bool put(expansion *x, const char *text, size_t length)
{
  if (!MS_GROW(x->text, x->room, x->used, length))
    return false;
  memcpy(x->text + x->used, text, length);
  x->used += length;
  return true;
}

static bool put_name(expansion *x, const char *name)
{
  bool ok = put(x, "\"", 1);
  for (; ok && *name; name++)
    ok = put(x, name, 1) && (*name != '"' || put(x, name, 1));
  return ok && put(x, "\"", 1);
}

/* Takes an alternative with the colours that are chosen. */
static ms_status take_alternative(expansion *x, uint32_t cost, ms_error *err)
{
  x->literals += x->end - x->first;
  if (x->literals > MS_MAX_LITERALS)
    return ms_fail(err, MS_ERR_USAGE,
                   "the slot '%.100s' has too many alternatives with its substitutes; lower "
                   "`max_cost`, or list the nearest matches, which needs no alternatives",
                   x->condition->text);
  if (x->has) {
    x->has[cost] = true;
    return MS_OK;
  }
  bool ok = x->used == 0 || put(x, "|", 1);
  for (uint32_t i = x->first; ok && i < x->end; i++) {
    const ms_literal *literal = &x->condition->literal[i];
    ok = (i == x->first || put(x, "&", 1)) && (!literal->lacks || put(x, "!", 1)) &&
         put_name(x, ms_coloring_name(x->coloring, x->color[i - x->first]));
  }
  return ok ? MS_OK : ms_fail_memory(err, "the substitutes of a slot");
}

/* May the colour take the place of a wanted one, although others must be lacked? */
static bool is_possible(const expansion *x, uint32_t color)
{
  for (uint32_t i = x->first; i < x->end; i++)
    if (x->condition->literal[i].lacks && x->condition->literal[i].color == color)
      return false;
  return true;
}

/* Chooses colours from literal `at` on; the recursion is as deep as an alternative has literals. */
static ms_status choose(expansion *x, uint32_t at, uint32_t cost, uint32_t most, ms_error *err)
{
  const ms_substitutes *s = x->substitutes;
  if (at == x->end)
    return take_alternative(x, cost, err);
  const ms_literal *literal = &x->condition->literal[at];
  uint32_t *color = &x->color[at - x->first];
  *color = literal->color;
  MS_TRY(choose(x, at + 1, cost, most, err));
  for (uint32_t e = 0; e < s->count && !literal->lacks; e++) {
    const ms_substitute *entry = &s->entry[e];
    if (entry->wanted != literal->color || entry->cost > most - cost ||
        !is_possible(x, entry->instead))
      continue;
    *color = entry->instead;
    MS_TRY(choose(x, at + 1, cost + entry->cost, most, err));
  }
  return MS_OK;
}

static ms_status expand(expansion *x, uint32_t most, ms_error *err)
{
  for (x->first = 0; x->first < x->condition->count; x->first = x->end) {
    x->end = x->first;
    while (!x->condition->literal[x->end++].last)
      ;
    MS_TRY(choose(x, x->first, 0, most, err));
  }
  return MS_OK;
}

ms_status ms_condition_find_costs(const ms_condition *condition, const ms_substitutes *substitutes,
                                  uint32_t max_cost, bool *has, ms_error *err)
{
  expansion x = {.condition = condition, .substitutes = substitutes, .has = has};
  return expand(&x, max_cost, err);
}

ms_status ms_condition_relax(const ms_condition *condition, const ms_substitutes *substitutes,
                             uint32_t cost, const ms_coloring *coloring, ms_condition **out,
                             ms_error *err)
{
  expansion x = {.condition = condition, .substitutes = substitutes, .coloring = coloring};
  ms_field count;
  const char *end;
  *out = NULL;
  ms_status status = expand(&x, cost, err);
  if (status == MS_OK && !put(&x, "", 1)) /* with its zero */
    status = ms_fail_memory(err, "the substitutes of a slot");
  if (status == MS_OK)
    status = ms_condition_parse(x.text, coloring, out, &count, &end, err);
  ms_free(x.text);
  return status;
}
