/* Reads pairs of vertices: lines SOURCE<TAB>TARGET. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/text.h"
#include "graph/suggest.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

static ms_status find_end(const ms_typed *graph, const ms_text *text, const char *name,
                          size_t length, uint32_t *v, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  *v = ms_names_find(graph->names, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  ms_suggest_name(graph->names, "vertices", "it has no vertices", name, length, hint);
  return ms_fail(err, MS_ERR_INPUT, "%s:%" PRIu64 ": '%.*s' is not a vertex of %s; %s", text->label,
                 text->number, ms_name_clip(name, length), name, graph->path, hint);
}

static ms_status add_pair(ms_path_pairs *all, uint64_t *room, const uint32_t *pair, ms_error *err)
{
  if (!MS_GROW(all->pairs, *room, all->count, 1))
    return ms_fail_memory(err, "pairs of vertices");
  memcpy(all->pairs[all->count++], pair, sizeof *all->pairs);
  return MS_OK;
}

static ms_status read_line(const ms_typed *graph, const ms_text *text, ms_path_pairs *all,
                           uint64_t *room, ms_error *err)
{
  uint32_t pair[2];
  size_t first = strcspn(text->line, "\t");
  if (first == text->length || strchr(text->line + first + 1, '\t'))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%" PRIu64 ": a line holds the names of two vertices with a tab between "
                   "them: SOURCE<TAB>TARGET",
                   text->label, text->number);
  MS_TRY(find_end(graph, text, text->line, first, &pair[0], err));
  MS_TRY(find_end(graph, text, text->line + first + 1, text->length - first - 1, &pair[1], err));
  return add_pair(all, room, pair, err);
}

static ms_status read_lines(const ms_typed *graph, ms_text *text, ms_path_pairs *all, ms_error *err)
{
  uint64_t room = 0;
  for (;;) {
    MS_TRY(ms_text_next_data(text, err));
    if (!text->line)
      break;
    MS_TRY(read_line(graph, text, all, &room, err));
  }
  all->crc32c = text->crc32c;
  return MS_OK;
}

ms_status ms_path_pairs_read(const char *path, const ms_typed *graph, ms_path_pairs **out,
                             ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  ms_text *text = NULL;
  ms_path_pairs *all = ms_calloc(1, sizeof *all);
  char *copy = ms_strdup(path);
  if (all)
    all->path = copy;
  ms_status status =
      all && copy ? ms_text_open(path, &text, err) : ms_fail_memory(err, "pairs of vertices");
  if (status == MS_OK)
    status = read_lines(graph, text, all, err);
  ms_text_close(text);
  if (status == MS_OK) {
    *out = all;
    return MS_OK;
  }
  if (!all)
    ms_free(copy);
  ms_path_pairs_free(all);
  return status;
}

void ms_path_pairs_free(ms_path_pairs *pairs)
{
  if (!pairs)
    return;
  ms_free(pairs->pairs);
  ms_free(pairs->path);
  ms_free(pairs);
}
