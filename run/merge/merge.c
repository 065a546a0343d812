/* ms_merge: the result of an undivided run from the result files of its parts. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the path that the field of a header states, or NULL. */
static const char *stated_path(const ms_result_header *h, const ms_result_field *f)
{
  const void *at = (const char *)h + f->at;
  const char *path = NULL;
  if (!ms_result_has_field(h, f, MS_IN_HEAD))
    return NULL;
  if (f->type == MS_FIELD_PATH)
    memcpy(&path, at, sizeof path);
  else if (f->type == MS_FIELD_FILE)
    path = ((const ms_result_file *)at)->path;
  return path;
}

/* Refuses an output that would replace an input of the run: merging may read it, and others may
 * still need it. */
static ms_status check_output(const ms_merging *m, const char *path, ms_error *err)
{
  struct stat written, read;
  bool standard = strcmp(path, "-") == 0;
  if ((standard ? fstat(STDOUT_FILENO, &written) : stat(path, &written)) != 0 ||
      !S_ISREG(written.st_mode))
    return MS_OK;
  for (uint32_t i = 0; i < m->count; i++)
    for (size_t f = 0; f < ms_result_field_count; f++) {
      const char *input = stated_path(&m->part[i].result.header, &ms_result_fields[f]);
      if (input && stat(input, &read) == 0 && read.st_dev == written.st_dev &&
          read.st_ino == written.st_ino)
        return ms_fail(err, MS_ERR_USAGE,
                       "the output '%s' is the input '%s' of the run of %s; give it another name",
                       standard ? "standard output" : path, input, m->path[i]);
    }
  return MS_OK;
}

#define MATCHES (MS_KIND_PATTERN | MS_KIND_TYPED | MS_KIND_LIST)

/* How parts are merged; of several ways that fit, the first counts. */
static const struct {
  unsigned kinds, needs; /* bits MS_KIND_, MS_HAS_ */
  ms_status (*merge)(ms_merging *m, ms_error *err);
} ways[] = {{MS_KIND_SCREEN | MS_KIND_PARTICIPATION, 0, ms_merge_screen},
            {MS_KIND_CENSUS | MS_KIND_CHANCE | MS_KIND_PATTERNS, MS_HAS_PERMUTATIONS,
             ms_merge_permutations},
            {MS_KIND_VERTEX_CENSUS, 0, ms_merge_vertices},
            {MS_KIND_CENSUS, 0, ms_merge_census},
            {MATCHES, MS_HAS_COUNTED, ms_merge_counts},
            {MATCHES, 0, ms_merge_rows}};

static ms_status merge(ms_merging *m, const char *path, ms_error *err)
{
  MS_TRY(ms_merging_open(m, err));
  MS_TRY(check_output(m, path, err));
  ms_result *first = &m->first, *opened = &m->part[m->by_number[0]].result;
  ms_result_close(first);
  *first = *opened;
  ms_result_init(opened, first->path); /* it is opened again for its rows */
  bool json = first->format == &ms_result_json;
  MS_TRY(ms_writer_open(&m->writer, path, json ? &ms_encoding_json : &ms_encoding_tsv, err));
  m->writer.header = first->header;
  m->writer.header.has &= ~(unsigned)(MS_HAS_PART | MS_HAS_COUNTED);
  m->writer.header.paranoid = NULL; /* the parts say it */
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (first->header.kind & ways[i].kinds && (first->header.has & ways[i].needs) == ways[i].needs)
      return ways[i].merge(m, err);
  return ms_fail(err, MS_ERR_USAGE, "%s: parts of this kind cannot be merged", m->path[0]);
}

static void release(ms_merging *m)
{
  for (uint32_t i = 0; i < m->count; i++) {
    ms_merged_part_close(&m->part[i]);
    ms_result_close(&m->part[i].result);
    ms_identity_free(&m->part[i].asked);
    ms_identity_free(&m->part[i].derived);
  }
  ms_result_close(&m->first);
  ms_free(m->part);
  ms_free(m->by_number);
}

static ms_status merge_parts(ms_merging *m, const char *path, ms_error *err)
{
  m->part = ms_calloc(m->count, sizeof *m->part);
  if (!m->part)
    return ms_fail_memory(err, "the parts of a run");
  ms_numbers_begin();
  ms_result_init(&m->first, m->path[0]);
  for (uint32_t i = 0; i < m->count; i++)
    ms_result_init(&m->part[i].result, m->path[i]);
  ms_status status = merge(m, path, err);
  if (m->writer.encoding)
    status = ms_writer_close(&m->writer, status, err);
  release(m);
  ms_numbers_end();
  return status;
}

ms_status ms_merge(const char *const *parts, uint32_t count, const ms_merge_options *options,
                   const char *path, ms_merge_report *report, ms_error *err)
{
  ms_merge_options o;
  ms_meter meter;
  MS_REQUIRE(parts, err);
  MS_REQUIRE(path, err);
  for (uint32_t i = 0; i < count; i++)
    MS_REQUIRE(parts[i], err);
  MS_TRY(ms_options_take(&ms_merge_options_kind, options, &o, err));
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(parts[i], "-") == 0)
      return ms_fail(err, MS_ERR_USAGE,
                     "a part cannot come from standard input, because it is read twice; give a "
                     "file");
  if (count == 0 || count > MS_MOST_PARTS)
    return ms_fail(err, MS_ERR_USAGE, "%" PRIu32 " parts are given; give 1 to %u", count,
                   MS_MOST_PARTS);
  ms_merging m = {.path = parts, .count = count, .options = &o};
  ms_meter_open(&meter, o.run.memory, NULL, NULL);
  ms_stop *before = ms_stop_enter(o.run.stop);
  ms_status status = merge_parts(&m, path, err);
  ms_stop_leave(before);
  ms_meter_close(&meter);
  if (status == MS_OK && report)
    *report = (ms_merge_report){count, m.rows};
  return status;
}
