/* Lists of neighbours, which no reader reads: each line names a vertex and others.  A list of edges
 * may look alike, so what all lines add up to decides. */
#include "base/alloc.h"
#include "graph/formats/detect.h"
#include "graph/names.h"

#include <string.h>

typedef struct list {
  const ms_head *head;
  const char *marks; /* that separate names */
  ms_names *firsts;  /* names in the first column; the number of a name is that of its line */
  uint32_t lines;
  uint32_t (*pair)[2]; /* [lines] where each line names two neighbours: their lines, or MS_NO_ID */
} list;

static bool next_name(ms_field *rest, const char *marks, ms_field *name)
{
  while (rest->length > 0 && strchr(marks, *rest->text))
    *rest = (ms_field){rest->text + 1, rest->length - 1};
  name->text = rest->text;
  name->length = 0;
  while (name->length < rest->length && !strchr(marks, rest->text[name->length]))
    name->length++;
  *rest = (ms_field){rest->text + name->length, rest->length - name->length};
  return name->length > 0;
}

/* Which words are in the first column?  False where one is there twice. */
static bool collect_firsts(list *l)
{
  ms_field line, name;
  uint32_t id;
  for (size_t at = 0; ms_head_next_data(l->head, &at, &line); l->lines++)
    if (!next_name(&line, l->marks, &name) || ms_name_problem(name.text, name.length) ||
        ms_names_add(l->firsts, name.text, name.length, &id, NULL) != MS_OK || id != l->lines)
      return false;
  return l->lines >= 3;
}

/* The third of three names may be a weight: few numbers recur in all lines, or edges to column 2
 * come back in other lines, and edges to column 3 do not. */
static bool third_is_weight(const list *l)
{
  uint32_t answers[2] = {0, 0}, different = 0;
  bool *seen = ms_calloc(l->lines, sizeof *seen);
  for (uint32_t i = 0; seen && i < l->lines; i++)
    for (int c = 0; c < 2; c++) {
      uint32_t j = l->pair[i][c];
      answers[c] += j != MS_NO_ID && (l->pair[j][0] == i || l->pair[j][1] == i);
      if (c == 1 && (j == MS_NO_ID || !seen[j]))
        different++;
      if (c == 1 && j != MS_NO_ID)
        seen[j] = true;
    }
  ms_free(seen);
  return different < l->lines / 4 || (answers[0] >= 4 && answers[1] <= answers[0] / 8);
}

/* What stands beside the neighbours: nothing, their number in front of them, or a weight behind
 * each. */
typedef enum extras { NO_EXTRAS, DEGREES, WEIGHTS, EXTRAS } extras;

/* Does each line name other vertices, none twice, which have lines themselves, and one line two or
 * more?  A line of weights names its own vertex, or a number twice, sooner or later. */
static bool are_neighbors(list *l, extras extra)
{
  enum { MOST = 64 };
  ms_field line, name;
  uint32_t known = 0, all = 0, longest = 0, v = 0, twos = 0;
  bool numbers = true;
  double value;
  for (size_t at = 0; ms_head_next_data(l->head, &at, &line); v++) {
    uint64_t degree = 0;
    uint32_t count = 0, ids[MOST] = {v};
    next_name(&line, l->marks, &name);
    if (extra == DEGREES &&
        (!next_name(&line, l->marks, &name) || !ms_field_count(name, MOST, &degree)))
      return false;
    while (next_name(&line, l->marks, &name)) {
      if (ms_field_is(name, "-1")) /* an end */
        continue;
      uint32_t id = ms_names_find(l->firsts, name.text, name.length);
      if (id == MS_NO_ID && l->head->whole)
        return false;
      for (uint32_t i = 0; i <= count && i < MOST && id != MS_NO_ID; i++)
        if (ids[i] == id)
          return false;
      count++;
      if (count < MOST)
        ids[count] = id;
      known += id != MS_NO_ID;
      numbers &= count != 2 || ms_field_real(name, &value);
      if (extra == WEIGHTS && (!next_name(&line, l->marks, &name) || !ms_field_real(name, &value)))
        return false;
    }
    if (extra == DEGREES && count != degree)
      return false;
    all += count;
    longest = count > longest ? count : longest;
    twos += count == 2;
    memcpy(l->pair[v], ids + 1, sizeof l->pair[v]);
  }
  return longest >= 2 && 2 * known > all &&
         !(extra == NO_EXTRAS && twos == l->lines && numbers && third_is_weight(l));
}

/* "a: b c" */
static bool has_colons(const ms_head *head)
{
  ms_field line, name, second;
  uint32_t lines = 0, others = 0;
  for (size_t at = 0; ms_head_next_data(head, &at, &line); lines++) {
    if (!next_name(&line, " \t,", &name) || name.length < 2 || name.text[name.length - 1] != ':' ||
        memchr(name.text, ':', name.length - 1))
      return false;
    others += next_name(&line, " \t,", &second);
  }
  return lines > 1 && others > 0;
}

/* Is the last title of a header one of a column of neighbours? */
static bool has_title(const ms_head *head)
{
  static const char *const titles[] = {"neighbors", "neighbours",     "neighbor_list",
                                       "adjacency", "adjacency_list", NULL};
  ms_field line, name, last = {"", 0};
  size_t at = 0;
  if (!ms_head_next_data(head, &at, &line))
    return false;
  while (next_name(&line, " \t,;|", &name))
    last = name;
  return ms_column_usual(&last, 1, titles) != MS_NO_COLUMN;
}

bool ms_is_adjacency(const ms_head *head)
{
  static const char *const marks[] = {" \t,", " \t,;|:[](){}'\""};
  bool found = has_colons(head) || has_title(head);
  for (size_t i = 0; i < sizeof marks / sizeof *marks && !found; i++) {
    list l = {.head = head, .marks = marks[i]};
    found = ms_names_new(&l.firsts, NULL) == MS_OK && collect_firsts(&l) &&
            (l.pair = ms_calloc(l.lines, sizeof *l.pair)) != NULL;
    bool fits = false;
    for (int extra = 0; found && extra < EXTRAS && !fits; extra++)
      fits = are_neighbors(&l, (extras)extra);
    found = fits;
    ms_names_free(l.firsts);
    ms_free(l.pair);
  }
  return found;
}
