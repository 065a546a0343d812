#include "census/shapes/names.h"

#include "base/status.h"
#include "base/text/growing.h"
#include "graph/graph.h"
#include "query/pattern.h"

#include <stdio.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------- */

/* The triad of three vertices by its numbers of mutual, asymmetric and null pairs, and a letter
 * where these are not enough (P. W. Holland and S. Leinhardt, 1970; J. A. Davis and S. Leinhardt,
 * 1972): D, down: both arcs leave a vertex, U, up: both enter it, C, cyclic: neither. */
static void name_triad(uint32_t code, char name[MS_GRAPHLET_NAME_SIZE])
{
  const ms_graphlet_form form = ms_graphlet_form_of(3, true);
  uint32_t pairs[4] = {0}; /* null, asymmetric, asymmetric, mutual */
  const char *letter = "";
  for (uint32_t j = 1; j < 3; j++)
    for (uint32_t i = 0; i < j; i++)
      pairs[ms_graphlet_pair(form, code, i, j)]++;
  uint32_t asymmetric = pairs[MS_ARC_TO] + pairs[MS_ARC_FROM];
  bool is_transitive = false;
  for (uint32_t v = 0; v < 3; v++) {
    uint32_t a = ms_graphlet_pair(form, code, v, (v + 1) % 3);
    uint32_t b = ms_graphlet_pair(form, code, v, (v + 2) % 3);
    bool both = a && b && a != 3 && b != 3;
    is_transitive |= both && a == b;
    if (asymmetric == 2 && both)
      letter = a != b ? "C" : a == MS_ARC_TO ? "D" : "U";
    if (asymmetric == 1 && pairs[0] == 1 && (a == 3 ? b : b == 3 ? a : 0) != 0)
      letter = (a == 3 ? b : a) == MS_ARC_TO ? "U" : "D";
  }
  if (asymmetric == 3)
    letter = is_transitive ? "T" : "C";
  snprintf(name, MS_GRAPHLET_NAME_SIZE, "%u%u%u%s", pairs[3], asymmetric, pairs[0], letter);
}

/* The class of a built-in pattern. */
static ms_status find_class(ms_graphlet_form form, const char *name, uint32_t *code, ms_error *err)
{
  ms_pattern *pattern;
  uint32_t place = 0, automorphisms;
  MS_TRY(ms_pattern_named(name, &pattern, err));
  *code = 0;
  for (uint32_t j = 1; j < form.k; j++)
    for (uint32_t i = 0; i < j; i++, place++)
      *code |= (uint32_t)ms_bitset_has(&pattern->out[i], j) << place;
  ms_pattern_free(pattern);
  *code = ms_graphlet_classify(form, *code, NULL, &automorphisms);
  return MS_OK;
}

ms_status ms_graphlet_name(ms_graphlet_form form, uint32_t code, char name[MS_GRAPHLET_NAME_SIZE],
                           ms_error *err)
{
  *name = 0;
  if (form.width == 2) {
    if (form.k == 3)
      name_triad(code, name);
    return MS_OK;
  }
  char text[MS_GRAPHLET_NAME_SIZE];
  for (uint32_t i = 0; !*name && ms_pattern_builtin_name(i, form.k, text, sizeof text); i++) {
    uint32_t other = code + 1;
    if (*text)
      MS_TRY(find_class(form, text, &other, err));
    if (other == code)
      memcpy(name, text, sizeof text);
  }
  return MS_OK;
}

/* ---- graph6 -------------------------------------------------------------------------- */

#define FIRST_CHAR 63u /* of the six bits 0 */

/* The bit at place i of graph6 (the pairs in the order of codes) or digraph6 (a matrix, row by
 * row) as a bit of a code; 0: it is on the diagonal. */
static uint32_t bit_at(ms_graphlet_form form, uint32_t i)
{
  if (form.width == 1)
    return 1u << i;
  uint32_t from = i / form.k, to = i % form.k;
  uint32_t low = from < to ? from : to, high = from < to ? to : from;
  uint32_t place = 2 * (high * (high - 1) / 2 + low);
  return from == to ? 0 : (uint32_t)(from < to ? MS_ARC_TO : MS_ARC_FROM) << place;
}

void ms_graphlet_put_graph6(ms_graphlet_form form, uint32_t code, char text[MS_GRAPHLET_NAME_SIZE])
{
  uint32_t bits = form.width == 1 ? ms_graphlet_bits(form, form.k) : form.k * form.k, used = 0;
  if (form.width == 2)
    text[used++] = '&';
  text[used++] = (char)(FIRST_CHAR + form.k);
  for (uint32_t i = 0; i < bits; i += 6) {
    uint32_t six = 0;
    for (uint32_t j = i; j < i + 6; j++)
      six = six << 1 | (j < bits && (code & bit_at(form, j)) != 0);
    text[used++] = (char)(FIRST_CHAR + six);
  }
  text[used] = 0;
}

bool ms_graphlet_get_graph6(ms_graphlet_form form, const char *text, uint32_t *code)
{
  char again[MS_GRAPHLET_NAME_SIZE];
  size_t head = form.width == 2 ? 2 : 1;
  uint32_t bits = form.width == 1 ? ms_graphlet_bits(form, form.k) : form.k * form.k;
  if (strlen(text) != head + (bits + 5) / 6)
    return false;
  *code = 0;
  for (uint32_t i = 0; i < bits; i++)
    if (((uint32_t)(unsigned char)text[head + i / 6] - FIRST_CHAR) >> (5 - i % 6) & 1)
      *code |= bit_at(form, i);
  ms_graphlet_put_graph6(form, *code, again); /* it differs where the text has something else */
  return strcmp(again, text) == 0;
}

/* ---- patterns ------------------------------------------------------------------------ */

static void put_vertex(ms_growing *out, uint32_t v, const char *name)
{
  ms_growing_put(out, "(%c", (int)('a' + v));
  if (name) {
    ms_growing_put(out, ":`");
    for (; *name; name++)
      ms_growing_put(out, "%.*s%c", *name == '`', "`", *name);
    ms_growing_put(out, "`");
  }
  ms_growing_put(out, ")");
}

ms_status ms_graphlet_put_pattern(ms_graphlet_form form, uint32_t code, const char *const *names,
                                  char **text, ms_error *err)
{
  ms_growing out = {0};
  uint32_t told = 0; /* vertices whose colour is told */
  for (uint32_t i = 0; i < form.k; i++)
    for (uint32_t j = 0; j < form.k; j++) {
      bool is_edge = i != j && (form.width == 2 || i < j) &&
                     (ms_graphlet_pair(form, code, i, j) & MS_ARC_TO) != 0;
      if (!is_edge)
        continue;
      if (out.used > 0)
        ms_growing_put(&out, ", ");
      put_vertex(&out, i, names && !(told >> i & 1) ? names[i] : NULL);
      ms_growing_put(&out, form.width == 2 ? "-->" : "--");
      put_vertex(&out, j, names && !(told >> j & 1) ? names[j] : NULL);
      told |= 1u << i | 1u << j;
    }
  return ms_growing_end(&out, "the text of a pattern", text, err);
}
