/* Lists of edges below a line of their numbers; see counted.h. */
#include "graph/io/counted.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Reads the number at the front of the line, and moves behind it and what separates it from the
 * next. */
static bool take_number(ms_field *rest, uint64_t *number)
{
  size_t digits = 0;
  while (digits < rest->length && rest->text[digits] >= '0' && rest->text[digits] <= '9')
    digits++;
  size_t end = digits;
  while (end < rest->length && memchr(" \t,;", rest->text[end], 4))
    end++;
  bool taken = (digits < end || digits == rest->length) &&
               ms_field_count((ms_field){rest->text, digits}, UINT32_MAX, number);
  *rest = (ms_field){rest->text + end, rest->length - end};
  return taken;
}

bool ms_head_is_counted(const ms_head *head, ms_counted *counted)
{
  size_t at = 0;
  ms_field line;
  uint64_t lines = 0, least = UINT64_MAX, most = 0, id;
  *counted = (ms_counted){.line = 0};
  if (!ms_head_next_data(head, &at, &line))
    return false;
  line = ms_field_trim(line);
  if (line.length > 0 && *line.text == '0')
    return false;
  if (!take_number(&line, &counted->n) || !take_number(&line, &counted->m) || line.length > 0 ||
      counted->m == 0 || counted->m > counted->n * counted->n)
    return false;
  for (; ms_head_next_data(head, &at, &line) && lines <= counted->m; lines++) {
    line = ms_field_trim(line);
    for (int i = 0; i < 2; i++) {
      if (!take_number(&line, &id) || id > counted->n)
        return false;
      least = id < least ? id : least;
      most = id > most ? id : most;
    }
  }
  counted->both = least > 0 && most == counted->n && counted->m <= counted->n;
  return (head->whole ? lines == counted->m : lines > 0 && lines < counted->m) &&
         (most < counted->n || least > 0);
}

/* Adds the edge that the first line is after all. */
static ms_status add_edge(const ms_counted *counted, const ms_text *text, ms_edges *edges,
                          ms_error *err)
{
  char name[2][24];
  ms_field ends[2];
  for (int i = 0; i < 2; i++) {
    int length = snprintf(name[i], sizeof name[i], "%" PRIu64, i == 0 ? counted->n : counted->m);
    ends[i] = (ms_field){name[i], (size_t)length};
  }
  MS_TRY(ms_edges_add(edges, text, ends[0], ends[1], err));
  return ms_edges_flush(edges, err);
}

ms_status ms_counted_check(ms_counted *counted, const ms_text *text, ms_edges *edges, ms_error *err)
{
  uint64_t names = ms_names_count(edges->names), id;
  uint64_t found = edges->sorted + edges->pairs.count;
  bool least = false, most = false, numbered = true;
  ms_text line = {.label = text->label, .number = counted->line};
  for (uint32_t v = 0; v < names && numbered; v++) {
    const char *name = ms_names_get(edges->names, v);
    numbered = ms_field_count((ms_field){name, strlen(name)}, counted->n, &id);
    least |= numbered && id == 0;
    most |= numbered && id == counted->n;
  }
  if (!numbered || (least && most)) {
    MS_TRY(add_edge(counted, text, edges, err));
    counted->line = 0;
    return MS_OK;
  }
  if (found != counted->m && !(found < counted->m && edges->below_score > 0))
    return ms_text_fail(&line, err,
                        "the line may state %" PRIu64 " vertices and %" PRIu64
                        " edges, but %" PRIu64 " follow; say that it is an edge (`no_header`), or "
                        "correct it",
                        counted->n, counted->m, found);
  uint64_t first = most, last = most ? counted->n : counted->n - 1;
  MS_TRY(ms_edges_expect(text, counted->n, err));
  for (id = first; id <= last && ms_names_count(edges->names) < counted->n; id++) {
    char name[24];
    uint32_t v;
    int length = snprintf(name, sizeof name, "%" PRIu64, id);
    MS_TRY(ms_edges_vertex(edges, text, (ms_field){name, (size_t)length}, &v, err));
  }
  return MS_OK;
}
