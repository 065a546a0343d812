#include "result/statistics.h"

#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "base/threads/threads.h"
#include "base/threads/work.h"
#include "graph/names.h"
#include "result/json.h"

static json_t *add_seconds(json_t *all, const char *key, double seconds)
{
  return seconds > 0 ? ms_json_add(all, key, json_real(seconds)) : all;
}

static json_t *seconds_of(const ms_statistics *s)
{
  json_t *all = add_seconds(json_object(), "read", s->read);
  all = add_seconds(all, "index", s->index);
  all = add_seconds(all, "prune", s->prune);
  all = add_seconds(all, "sieve", s->sieve);
  all = add_seconds(all, "plan", s->plan);
  all = add_seconds(all, "search", s->search);
  all = add_seconds(all, "check", s->check);
  all = add_seconds(all, "output", s->output);
  return add_seconds(all, "total", s->total);
}

static json_t *add_number(json_t *all, const char *key, uint64_t number)
{
  return number > 0 ? ms_json_add(all, key, json_integer((json_int_t)number)) : all;
}

/* The levels of a trie: what it stores up to each one, and what a table would need that has a row
 * of vertices for each partial match of that level. */
static json_t *levels_of(const ms_work *work)
{
  json_t *all = json_array();
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < MS_WORK_LEVELS && work->stored[i] > 0; i++) {
    uint64_t table = (i + 1) * work->stored[i] * sizeof(uint32_t);
    bytes += work->stored[i] * MS_WORK_ENTRY_BYTES;
    ms_json_append(&all,
                   json_pack("{s:I, s:I, s:I}", "stored", (json_int_t)work->stored[i], "trie_bytes",
                             (json_int_t)bytes, "table_bytes", (json_int_t)table));
  }
  return all;
}

static json_t *work_of(const ms_work *work)
{
  if (!work)
    return json_object();
  json_t *all = add_number(json_object(), "visits", work->visits);
  all = add_number(all, "intersections", work->intersections);
  all = add_number(all, "points", work->points);
  all = add_number(all, "bytes_moved", work->bytes_moved);
  if (work->sets_found + work->sets_missed > 0) {
    all = ms_json_add(all, "sets_found", json_integer((json_int_t)work->sets_found));
    all = ms_json_add(all, "sets_missed", json_integer((json_int_t)work->sets_missed));
    all = ms_json_add(all, "reuse_ratio", json_real(ms_work_reuse_ratio(work)));
  }
  all = add_seconds(all, "expand_seconds", work->expand);
  all = add_seconds(all, "finish_seconds", work->finish);
  all = add_seconds(all, "rows_seconds", work->rows);
  return work->stored[0] > 0 ? ms_json_add(all, "levels", levels_of(work)) : all;
}

static json_t *machine_of(const ms_statistics *s)
{
  char processor[MS_PROCESSOR_NAME];
  ms_processor_name(processor);
  return json_pack("{s:s, s:i, s:I}", "processor", ms_is_utf8(processor) ? processor : "unknown",
                   "threads", ms_threads(s->threads), "memory", (json_int_t)ms_physical_memory());
}

/* A word of the command line may be no UTF-8; such bytes become '?'. */
static json_t *word_of(const char *word)
{
  if (ms_is_utf8(word))
    return json_string(word);
  char *copy = ms_strdup(word);
  for (char *p = copy; p && *p; p++)
    *p = (char)((unsigned char)*p < 128 ? *p : '?');
  json_t *text = copy ? json_string(copy) : NULL;
  ms_free(copy);
  return text;
}

ms_status ms_statistics_write(const char *path, const ms_statistics *s, ms_error *err)
{
  ms_outfile *out;
  MS_TRY(ms_outfile_open(path, &out, err));
  json_t *words = json_array();
  for (uint32_t i = 0; i < s->n_words; i++)
    ms_json_append(&words, word_of(s->words[i]));
  json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:I}", "type", "statistics", "tool",
                          "motifsieve", "version", ms_version(), "command_line", words, "machine",
                          machine_of(s), "seconds", seconds_of(s), "work", work_of(s->work),
                          "peak_memory", (json_int_t)ms_peak_memory());
  all = ms_json_add_text(all, "engine", s->engine);
  all = ms_json_add_text(all, "engine_reason", s->engine_reason);
  all = ms_json_add_text(all, "backend", s->backend);
  all = ms_json_add_text(all, "backend_reason", s->backend_reason);
  all = ms_json_add_text(all, "screen_reason", s->screen_reason);
  all = ms_json_add_text(all, "status", s->status);
  all = ms_json_add_text(all, "found", s->found);
  ms_status status = ms_json_put(out, all, "\n", err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}
