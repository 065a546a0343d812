/* The edges that a reader collects; see edges.h. */
#include "graph/io/edges/edges.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"

#include <stdio.h>
#include <string.h>

#define NAMES_A_POLL 4096u   /* names that are made between two looks at the stop token */
#define BYTES_PER_VERTEX 96u /* name, its place in the table, rows of the graph; an upper bound */

ms_status ms_edges_new(ms_edges **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  return *out ? ms_names_new(&(*out)->names, err) : ms_fail_memory(err, "edges being read");
}

void ms_edges_free(ms_edges *edges)
{
  if (!edges)
    return;
  ms_edge_types_free(edges->types);
  ms_names_free(edges->names);
  ms_names_free(edges->color_names);
  ms_names_free(edges->labels);
  ms_runs_free(edges->runs);
  ms_free(edges->motif);
  ms_free(edges->pairs.pair);
  ms_free(edges->back.pair);
  ms_free(edges->colors.pair);
  ms_free(edges->default_colors.pair);
  ms_free(edges->taxon_prefix);
  ms_free(edges->score);
  ms_repeats_free(edges->repeats);
  ms_free(edges);
}

ms_status ms_edges_flush(ms_edges *edges, ms_error *err)
{
  ms_edge_batch *batch = &edges->batch;
  uint32_t ids[MS_NAME_BATCH], count = batch->count;
  uint64_t bytes = 0;
  batch->count = 0;
  batch->used = 0;
  for (uint32_t i = 0; i < count; i++)
    bytes += batch->length[i];
  MS_TRY(ms_edges_make_room(edges, count / 2, count, bytes, err));
  MS_TRY(ms_names_add_batch(edges->names, count, batch->text, batch->length, ids, err));
  if (edges->types)
    MS_TRY(ms_edge_types_flush(edges, count, ids, err));
  for (uint32_t i = 0; i < count; i += 2)
    MS_TRY(ms_pairs_add(&edges->pairs, ids[i], ids[i + 1], err));
  return MS_OK;
}

static void put(ms_edge_batch *batch, ms_field name)
{
  char *to = batch->bytes + batch->used;
  bool fits = name.length <= MS_EDGE_BATCH_BYTES - batch->used;
  if (fits) {
    memcpy(to, name.text, name.length);
    batch->used += name.length;
  }
  batch->text[batch->count] = fits ? to : name.text;
  batch->length[batch->count++] = name.length;
}

/* Adds two names to the batch.  A batch with a name that did not fit is flushed while its line
 * exists. */
static ms_status add_pair(ms_edges *edges, ms_field first, ms_field second, ms_error *err)
{
  size_t bytes = first.length + second.length;
  put(&edges->batch, first);
  put(&edges->batch, second);
  return bytes > MS_EDGE_BATCH_BYTES ? ms_edges_flush(edges, err) : MS_OK;
}

static ms_status make_batch_room(ms_edges *edges, ms_field first, ms_field second, ms_error *err)
{
  const ms_edge_batch *batch = &edges->batch;
  bool fits = batch->count < MS_NAME_BATCH &&
              batch->used + first.length + second.length <= MS_EDGE_BATCH_BYTES;
  return fits ? MS_OK : ms_edges_flush(edges, err);
}

ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err)
{
  MS_TRY(ms_text_check_name(text, first, "first vertex name", err));
  MS_TRY(ms_text_check_name(text, second, "second vertex name", err));
  MS_TRY(make_batch_room(edges, first, second, err));
  return add_pair(edges, first, second, err);
}

ms_status ms_edges_note_label(ms_edges *edges, const ms_text *text, ms_field label, ms_error *err)
{
  uint32_t id;
  MS_TRY(ms_text_check_name(text, label, "label of the edge", err));
  if (!edges->labels)
    MS_TRY(ms_names_new(&edges->labels, err));
  edges->labelled++;
  return ms_names_add(edges->labels, label.text, label.length, &id, err);
}

ms_status ms_edges_add_typed(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                             ms_error *err)
{
  if (!edges->types) {
    MS_TRY(ms_edges_note_label(edges, text, line->type, err));
    return ms_edges_add(edges, text, line->source, line->target, err);
  }
  MS_TRY(ms_text_check_name(text, line->source, "name of the source", err));
  MS_TRY(ms_text_check_name(text, line->target, "name of the target", err));
  MS_TRY(make_batch_room(edges, line->source, line->target, err));
  MS_TRY(ms_edge_types_line(edges, text, line, err));
  return add_pair(edges, line->source, line->target, err);
}

ms_status ms_edges_add_labelled(ms_edges *edges, const ms_text *text, const ms_edge_line *line,
                                ms_error *err)
{
  ms_edge_line typed = *line;
  if (line->type.length == 0)
    typed.type = (ms_field){"*", 1};
  return line->type.length > 0 || edges->types
             ? ms_edges_add_typed(edges, text, &typed, err)
             : ms_edges_add(edges, text, line->source, line->target, err);
}

ms_status ms_edges_alone(ms_edges *edges, const ms_text *text, ms_field name, const ms_field *type,
                         ms_error *err)
{
  uint32_t v;
  MS_TRY(ms_edges_flush(edges, err));
  MS_TRY(ms_edges_vertex(edges, text, name, &v, err));
  return edges->types ? ms_edge_types_vertex(edges, text, v, type, err) : MS_OK;
}

ms_status ms_edges_vertex(ms_edges *edges, const ms_text *text, ms_field name, uint32_t *v,
                          ms_error *err)
{
  ms_status status = ms_text_check_name(text, name, "vertex name", err);
  if (status == MS_OK)
    status = ms_edges_make_room(edges, 0, 1, name.length, err);
  return status == MS_OK ? ms_names_add(edges->names, name.text, name.length, v, err) : status;
}

ms_status ms_edges_expect(const ms_text *text, uint64_t count, ms_error *err)
{
  ms_meter *meter = ms_meter_current();
  if (count <= MS_MAX_NAMES && count <= ms_meter_left(meter) / BYTES_PER_VERTEX)
    return MS_OK;
  return ms_text_fail(
      text, err,
      "%llu vertices need more memory than the %llu MiB that are allowed%s; correct the number, or "
      "raise `memory`",
      (unsigned long long)count, (unsigned long long)(ms_meter_bound(meter) >> 20),
      ms_meter_follows_input(meter) ? " for an input of this size" : "");
}

ms_status ms_edges_number(ms_edges *edges, const ms_text *text, uint64_t first, uint64_t count,
                          ms_error *err)
{
  ms_status status = ms_edges_expect(text, count, err);
  for (uint64_t i = 0; i < count && status == MS_OK; i++) {
    char name[24];
    uint32_t id;
    if (i % NAMES_A_POLL == 0)
      MS_TRY(ms_stop_poll("the vertices are numbered", err));
    int length = snprintf(name, sizeof name, "%llu", (unsigned long long)(first + i));
    status = ms_names_add(edges->names, name, (size_t)length, &id, err);
  }
  return status;
}

ms_status ms_edges_join(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err)
{
  MS_TRY(ms_edges_make_room(edges, 1, 0, 0, err));
  return ms_pairs_add(&edges->pairs, u, v, err);
}

ms_status ms_edges_join_labelled(ms_edges *edges, const ms_text *text, uint32_t u, uint32_t v,
                                 ms_field label, ms_error *err)
{
  if (label.text)
    MS_TRY(ms_edges_note_label(edges, text, label, err));
  if (edges->types)
    MS_TRY(ms_edge_types_word(edges, text, label.text ? label : (ms_field){"*", 1}, err));
  return ms_edges_join(edges, u, v, err);
}

ms_status ms_edges_join_both(ms_edges *edges, uint32_t u, uint32_t v, ms_error *err)
{
  ms_status status = ms_edges_join(edges, u, v, err);
  return status == MS_OK && edges->directed ? ms_pairs_add(&edges->back, v, u, err) : status;
}

ms_status ms_edges_score(ms_edges *edges, double score, ms_error *err)
{
  if (!MS_GROW(edges->score, edges->score_room, edges->scores, 1))
    return ms_fail_memory(err, "the scores of edges");
  edges->score[edges->scores++] = (float)score;
  return MS_OK;
}

static ms_status find_color(ms_edges *edges, const ms_text *text, ms_field color, uint32_t *id,
                            ms_error *err)
{
  ms_status status = ms_text_check_name(text, color, "colour", err);
  if (status == MS_OK && !edges->color_names)
    status = ms_names_new(&edges->color_names, err);
  if (status == MS_OK)
    status = ms_names_add(edges->color_names, color.text, color.length, id, err);
  return status;
}

ms_status ms_edges_color(ms_edges *edges, const ms_text *text, uint32_t v, ms_field color,
                         ms_error *err)
{
  uint32_t id;
  MS_TRY(find_color(edges, text, color, &id, err));
  return ms_pairs_add(&edges->colors, v, id, err);
}

ms_status ms_edges_default_color(ms_edges *edges, const ms_text *text, ms_field color,
                                 ms_error *err)
{
  uint32_t id;
  const ms_pairs *defaults = &edges->default_colors;
  MS_TRY(find_color(edges, text, color, &id, err));
  if (defaults->count > 0 && defaults->pair[defaults->count - 1][1] == id)
    return MS_OK; /* a repeat; so the first two differ if any two do */
  return ms_pairs_add(&edges->default_colors, 0, id, err);
}

ms_status ms_edges_color_by_default(ms_edges *edges, uint32_t v, ms_error *err)
{
  const ms_pairs *defaults = &edges->default_colors;
  if (defaults->count == 0)
    return MS_OK;
  bool one = defaults->count == 1;
  return ms_pairs_add(&edges->colors, v, one ? defaults->pair[0][1] : MS_DEFAULT_COLORS, err);
}
