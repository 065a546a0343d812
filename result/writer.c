#include "result/writer.h"

#include "base/alloc.h"
#include "base/status.h"
#include "query/pattern.h"
#include "result/json.h"

#include <string.h>

ms_status ms_writer_open(ms_writer *w, const char *path, const ms_encoding *encoding, ms_error *err)
{
  memset(w, 0, sizeof *w);
  w->encoding = encoding;
  w->buffer = ms_alloc(1, sizeof *w->buffer);
  if (!w->buffer)
    return ms_fail_memory(err, "a buffer for rows");
  ms_status status = ms_outfile_open(path, &w->out, err);
  w->buffer->out = w->out;
  w->buffer->used = 0;
  return status;
}

ms_status ms_writer_begin(ms_writer *w, const ms_names *names, ms_error *err)
{
  w->names = ms_names_blocks(names);
  return w->encoding->begin(w, err);
}

bool ms_writer_matches(ms_writer *w, const uint32_t *rows, const uint32_t *score, uint64_t count)
{
  w->encoding->matches(w, rows, score, count);
  w->rows += count;
  return !ms_outfile_failed(w->out);
}

void ms_writer_vertex(ms_writer *w, const ms_coloring *coloring, uint32_t v, bool flagged,
                      uint32_t hits)
{
  w->encoding->vertex(w, coloring, v, flagged, hits);
  w->rows++;
}

ms_status ms_writer_end(ms_writer *w, ms_error *err)
{
  ms_row_buffer_flush(w->buffer);
  w->header.found = w->rows;
  return w->encoding->end(w, err);
}

ms_status ms_writer_count(ms_writer *w, ms_error *err)
{
  MS_TRY(ms_json_check(&w->header, "`MS_FORM_JSON`", err));
  return ms_json_put(
      w->out, ms_json_of_fields(json_pack("{s:s}", "type", "count"), &w->header, MS_IN_COUNT), "\n",
      err);
}

ms_status ms_writer_close(ms_writer *w, ms_status status, ms_error *err)
{
  ms_free(w->buffer);
  if (w->out && status == MS_OK)
    return ms_outfile_commit(w->out, err);
  ms_outfile_abort(w->out);
  return status;
}

/* True if the motif, or some vertex of the pattern, asks for the colour. */
static bool is_asked_for(const ms_writer *w, const ms_coloring *coloring, uint32_t color)
{
  bool asked = false;
  for (uint32_t c = 0; w->query && !asked && c < w->query->motif->n_classes; c++)
    asked = w->query->motif->class_[c].color == color;
  if (!w->pattern || !w->pattern->color_names)
    return asked;
  const char *name = ms_coloring_name(coloring, color);
  return ms_names_find(w->pattern->color_names, name, strlen(name)) != MS_NO_ID;
}

const char *ms_writer_next_color(const ms_writer *w, const ms_coloring *coloring, uint32_t v,
                                 uint32_t *i)
{
  uint32_t count = 0;
  if (w->typed)
    return (*i)++ == 0 ? ms_names_get(w->typed->vertex_types, w->typed->rows.vertex_type[v]) : NULL;
  const uint32_t *colors = coloring ? ms_coloring_of(coloring, v, &count) : NULL;
  while (*i < count) {
    uint32_t color = colors[(*i)++];
    if (!w->header.shown_colors || is_asked_for(w, coloring, color))
      return ms_coloring_name(coloring, color);
  }
  return NULL;
}
