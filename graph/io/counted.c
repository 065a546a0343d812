/* Lists of edges below a line of their numbers; see counted.h. */
#include "graph/io/counted.h"

#include "base/status.h"
#include "graph/io/edges/edges.h"
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- numbered vertices ----------------------------------------------------------------------- */

#define QUOTE_BYTES 100

/* Writes " 'field'" to `out`, or nothing where the field does not belong in a message. */
static const char *quote(ms_field field, char out[QUOTE_BYTES])
{
  out[0] = '\0';
  if (!ms_name_problem(field.text, field.length))
    snprintf(out, QUOTE_BYTES, " '%.*s'", ms_name_clip(field.text, field.length), field.text);
  return out;
}

ms_status ms_numbered_count(const ms_text *text, ms_field field, uint64_t most, const char *what,
                            uint64_t *value, ms_error *err)
{
  char found[QUOTE_BYTES];
  if (ms_field_count(field, most, value))
    return MS_OK;
  return ms_text_fail(text, err, "the %s%s is not a whole number of at most %llu; correct it", what,
                      quote(field, found), (unsigned long long)most);
}

ms_status ms_numbered_vertex(const ms_text *text, ms_field field, uint64_t n, uint32_t *v,
                             ms_error *err)
{
  char found[QUOTE_BYTES];
  uint64_t number;
  if (!ms_field_count(field, n, &number) || number == 0)
    return ms_text_fail(text, err,
                        "the vertex%s is not a number from 1 to %llu; correct it, or the number of "
                        "vertices",
                        quote(field, found), (unsigned long long)n);
  *v = (uint32_t)(number - 1);
  return MS_OK;
}

ms_status ms_numbered_value(const ms_text *text, ms_field field, double *value, ms_error *err)
{
  char found[QUOTE_BYTES];
  if (ms_field_real(field, value))
    return MS_OK;
  return ms_text_fail(text, err, "the value%s is not a finite number; correct it",
                      quote(field, found));
}

/* ---- counts in headers ----------------------------------------------------------------------- */

/* Reads a number without leading zeros: "00" and "0" are two names. */
static bool read_id(ms_field field, uint64_t most, uint64_t *id)
{
  return ms_field_count(field, most, id) && (field.length == 1 || *field.text != '0');
}

static size_t skip_spaces(ms_field field, size_t at)
{
  while (at < field.length && field.text[at] == ' ')
    at++;
  return at;
}

/* Reads the number at the front of the line, and moves behind it and what separates it from the
 * next. */
static bool take_number(ms_field *rest, uint64_t *number)
{
  size_t digits = 0;
  while (digits < rest->length && rest->text[digits] >= '0' && rest->text[digits] <= '9')
    digits++;
  size_t end = skip_spaces(*rest, digits);
  if (end < rest->length && memchr("\t,;", rest->text[end], 3))
    end = skip_spaces(*rest, end + 1);
  bool taken = (digits < end || digits == rest->length) &&
               read_id((ms_field){rest->text, digits}, UINT32_MAX, number);
  *rest = (ms_field){rest->text + end, rest->length - end};
  return taken;
}

/* What the lines below the first one hold. */
typedef struct id_range {
  uint64_t lines, least, most;
  uint64_t sum;  /* of ms_mix_arc: 0 where each line has its reverse */
  bool descends; /* the first number of each line is the larger one, and no line has a larger one
                  * than the line above */
} id_range;

/* Reads at most `lines` lines. */
static bool find_range(const ms_head *head, size_t at, uint64_t lines, id_range *r)
{
  ms_field line;
  uint64_t above = UINT64_MAX;
  *r = (id_range){.least = UINT64_MAX, .descends = true};
  for (; r->lines <= lines && ms_head_next_data(head, &at, &line); r->lines++) {
    uint64_t id[2];
    line = ms_field_trim(line);
    for (int i = 0; i < 2; i++) {
      if (!take_number(&line, &id[i]))
        return false;
      r->least = id[i] < r->least ? id[i] : r->least;
      r->most = id[i] > r->most ? id[i] : r->most;
    }
    r->sum += ms_mix_arc(id[0], id[1]);
    r->descends = r->descends && id[0] > id[1] && id[0] <= above;
    above = id[0];
  }
  return true;
}

static bool fits_range(uint64_t n, const id_range *r)
{
  return r->most < n || (r->most == n && r->least > 0);
}

bool ms_head_is_counted(const ms_head *head, ms_counted *counted)
{
  enum { LEAST = 3 }; /* lines below numbers in the order of hMETIS: fewer may be chance */
  size_t at = 0;
  ms_field line;
  id_range r;
  uint64_t n, m;
  *counted = (ms_counted){.line = 0};
  if (!ms_head_next_data(head, &at, &line))
    return false;
  line = ms_field_trim(line);
  if (line.length > 0 && *line.text == '0')
    return false;
  if (!take_number(&line, &n) || !take_number(&line, &m) || line.length > 0 || m == 0)
    return false;
  if (!find_range(head, at, 2 * (m > n ? m : n), &r) || r.lines == 0)
    return false;
  bool reverses = r.lines == 2 * m && r.sum == 0;
  bool counts = head->whole ? r.lines == m || reverses : r.lines < 2 * m;
  if (m <= n * n && counts && fits_range(n, &r)) {
    *counted = (ms_counted){.n = n, .m = m};
    counted->both = (r.lines == m && r.least > 0 && r.most == n && m <= n) ||
                    (head->whole && r.descends && r.lines > 1 && m < n);
    return true;
  }
  *counted = (ms_counted){.n = m, .m = n, .both = true};
  return head->whole && r.lines == n && n >= LEAST && fits_range(m, &r);
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

/* Edges that went to a file are not looked at. */
static bool have_reverses(const ms_edges *edges)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < edges->pairs.count; i++)
    sum += ms_mix_arc(edges->pairs.pair[i][0], edges->pairs.pair[i][1]);
  return edges->sorted == 0 && sum == 0;
}

ms_status ms_counted_check(ms_counted *counted, const ms_text *text, ms_edges *edges, ms_error *err)
{
  uint64_t names = ms_names_count(edges->names), id;
  uint64_t found = edges->sorted + edges->pairs.count;
  bool reverses = found == 2 * counted->m && have_reverses(edges);
  bool least = false, most = false, numbered = true;
  ms_text line = {.label = text->label, .number = counted->line};
  for (uint32_t v = 0; v < names && numbered; v++) {
    const char *name = ms_names_get(edges->names, v);
    numbered = read_id((ms_field){name, strlen(name)}, counted->n, &id);
    least |= numbered && id == 0;
    most |= numbered && id == counted->n;
  }
  if (!numbered || (least && most)) {
    MS_TRY(add_edge(counted, text, edges, err));
    counted->line = 0;
    return MS_OK;
  }
  bool fewer = found < counted->m && edges->below_score > 0;
  if (found / 2 > counted->m && !reverses) { /* numbers of vertices descend from the first */
    MS_TRY(add_edge(counted, text, edges, err));
    counted->line = 0;
    return MS_OK;
  }
  if (found != counted->m && !reverses && !fewer)
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

/* Are the ends of all edges but the first numbers up to these? */
static bool are_below(const ms_edges *edges, uint64_t source, uint64_t target)
{
  const uint64_t most[2] = {source, target};
  uint64_t id;
  for (uint64_t i = 1; i < edges->pairs.count; i++)
    for (int end = 0; end < 2; end++) {
      const char *name = ms_names_get(edges->names, edges->pairs.pair[i][end]);
      if (!ms_field_count((ms_field){name, strlen(name)}, most[end], &id))
        return false;
    }
  return true;
}

ms_status ms_sizes_check(const ms_sizes *sizes, const ms_text *text, const ms_edges *edges,
                         ms_error *err)
{
  enum { LEAST = 3 }; /* lines: fewer may be chance */
  const uint64_t *size = sizes->number;
  uint64_t found = edges->sorted + edges->pairs.count + edges->below_score;
  ms_text line = {.label = text->label, .number = sizes->line};
  if (found-- <= LEAST)
    return MS_OK;
  if (size[2] == found && are_below(edges, size[0], size[1]))
    return ms_text_fail(&line, err,
                        "the line may be an edge, or state a bipartite graph of %" PRIu64
                        " and %" PRIu64 " vertices and %" PRIu64
                        " edges, whose two columns are numbered separately; say that it is an edge "
                        "(`no_header`), or remove it, and put a letter in front of the numbers of "
                        "one column",
                        size[0], size[1], size[2]);
  if ((size[1] == found || 2 * size[1] == found) && are_below(edges, size[0], size[0]))
    return ms_text_fail(&line, err,
                        "the line may be an edge, or state %" PRIu64 " vertices, %" PRIu64
                        " edges and a flag; say that it is an edge (`no_header`), or that it is "
                        "not (`header`)",
                        size[0], size[1]);
  return MS_OK;
}
