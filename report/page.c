#include "report/page.h"

#include "base/status.h"
#include "base/utf8.h"
#include "report/head.h"
#include "report/web.h"
#include "result/json.h"

#include <string.h>

/* ---- what is known of the result ------------------------------------------------------- */

/* Writes JSON in which no string can end a script element: '<' occurs only in strings. */
static int put_safely(const char *bytes, size_t size, void *out)
{
  const char *from = bytes, *end = bytes + size, *at;
  for (; (at = memchr(from, '<', (size_t)(end - from))); from = at + 1) {
    ms_outfile_write(out, from, (size_t)(at - from));
    ms_outfile_puts(out, "\\u003c");
  }
  ms_outfile_write(out, from, (size_t)(end - from));
  return 0;
}

/* Writes and releases the object or array. */
static ms_status put_object(ms_outfile *out, json_t *object, ms_error *err)
{
  int failed = object ? json_dump_callback(object, put_safely, out, JSON_COMPACT) : -1;
  json_decref(object);
  return failed ? ms_fail_memory(err, "what a report says of its result") : MS_OK;
}

static const char *kind_word(ms_result_kind kind)
{
  static const struct {
    ms_result_kind kind;
    const char *word;
  } words[] = {{MS_KIND_SCREEN, "screen"},
               {MS_KIND_FLAGS, "pattern screen"},
               {MS_KIND_TYPED_FLAGS, "typed screen"},
               {MS_KIND_NEAREST, "nearest screen"},
               {MS_KIND_PARTICIPATION, "participation"},
               {MS_KIND_LIST, "list"},
               {MS_KIND_NEAREST_LIST, "nearest list"},
               {MS_KIND_PATTERN, "match"},
               {MS_KIND_TYPED, "typed match"},
               {MS_KIND_CENSUS, "census"},
               {MS_KIND_VERTEX_CENSUS, "vertex census"},
               {MS_KIND_COMPARISON, "comparison"},
               {MS_KIND_SAMPLE_COUNTS, "sample counts"},
               {MS_KIND_SCREENS, "screens"},
               {MS_KIND_LISTS, "lists"},
               {MS_KIND_MINED, "mined"},
               {MS_KIND_COMPONENTS, "components"},
               {MS_KIND_PATH, "paths"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].kind == kind)
      return words[i].word;
  return "";
}

/* The header as the JSON form of the result has it, with what the end of the file says. */
static json_t *describe_header(const ms_page *page)
{
  ms_result_header *h = &page->result->header;
  /* the TSV of a screen does not name the pattern's vertices */
  for (uint32_t i = 0; i < h->pattern.vertices && i < MS_MAX_PATTERN; i++)
    h->pattern.names[i] = h->pattern.names[i] ? h->pattern.names[i] : "";
  h->miss_bound = mpq_get_d(page->result->bound[0]);
  h->miss_bound_union = mpq_get_d(page->result->bound[1]);
  json_t *object = ms_json_of_head(h, true);
  return object ? ms_json_add(object, "command", json_string(ms_result_command(h->kind))) : NULL;
}

/* What is known of the check of the result; an empty object: it was not checked. */
static json_t *describe_verdict(const ms_report_info *info)
{
  static const char *const completeness[] = {[MS_COMPLETENESS_NOT_STATED] = "not stated",
                                             [MS_COMPLETENESS_BOUNDED] = "bounded",
                                             [MS_COMPLETENESS_BELIEVED] = "believed",
                                             [MS_COMPLETENESS_PROVED] = "proved"};
  const ms_verify_report *v = &info->verdict;
  if (!info->verified)
    return json_object();
  return json_pack("{s:b, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:I, s:s, s:s}", "accepted",
                   v->accepted, "rows", (json_int_t)v->rows, "flags", (json_int_t)v->flags,
                   "supported", (json_int_t)v->supported, "recounted", v->recounted, "stopped",
                   v->stopped != MS_OK, "interrupted", v->stopped == MS_ERR_INTERRUPTED, "permuted",
                   v->is_permuted, "permutations", (json_int_t)v->permutations, "completeness",
                   v->accepted ? completeness[v->completeness] : "not checked", "problem",
                   v->outcome == MS_VERIFY_UNFINISHED ? v->problem : "");
}

static ms_status put_data(ms_outfile *out, const ms_page *page, ms_error *err)
{
  const ms_table *t = &page->table;
  ms_outfile_printf(out, "{\"version\":\"%s\",\"kind\":\"%s\",\"rows\":%llu,\"shown\":%llu",
                    ms_version(), kind_word(page->result->header.kind), (unsigned long long)t->rows,
                    (unsigned long long)t->shown);
  ms_outfile_puts(out, ",\"result\":");
  char shown[4096]; /* a path need not be UTF-8 */
  ms_escape(page->result->path, shown, sizeof shown);
  ms_put_string(out, shown);
  ms_outfile_puts(out, ",\"head\":");
  MS_TRY(put_object(out, describe_header(page), err));
  ms_outfile_puts(out, ",\"verdict\":");
  MS_TRY(put_object(out, describe_verdict(page->info), err));
  if (t->sections) {
    ms_outfile_puts(out, ",\"sections\":");
    MS_TRY(put_object(out, json_incref(t->sections), err));
  }
  ms_outfile_puts(out, ",\n\"strings\":");
  ms_put_strings(out, t->strings);
  ms_outfile_puts(out, ",\n\"columns\":[");
  for (uint32_t i = 0; i < t->columns; i++) {
    ms_outfile_puts(out, i ? ",\n" : "\n");
    ms_put_column(out, &t->column[i]);
  }
  ms_outfile_puts(out, "]");
  if (page->result->header.kind == MS_KIND_COMPONENTS) {
    ms_outfile_puts(out, ",\n\"sizes\":{\"size\":");
    ms_put_numbers(out, page->sizes.size.at, page->sizes.size.count);
    ms_outfile_puts(out, ",\"count\":");
    ms_put_numbers(out, page->sizes.count.at, page->sizes.count.count);
    ms_outfile_puts(out, "}");
  }
  if (page->has_network) {
    ms_outfile_puts(out, ",\n\"network\":");
    ms_put_network(out, &page->network);
  }
  if (page->has_places) {
    ms_outfile_puts(out, ",\n\"places\":");
    MS_TRY(ms_put_places(out, &page->places, err));
  }
  ms_outfile_puts(out, "}\n");
  return MS_OK;
}

/* ---- the template ----------------------------------------------------------------------- */

static void put_file(ms_outfile *out, const ms_web_file *file)
{
  ms_outfile_write(out, file->bytes, file->size);
}

/* The library begins with its licence, which so stays in the report.  Its element is its own, so
 * that a report without it runs, too. */
static void put_cytoscape(ms_outfile *out)
{
  if (ms_web_cytoscape.size == 0)
    return;
  ms_outfile_puts(out, "<script>\n");
  put_file(out, &ms_web_cytoscape);
  ms_outfile_puts(out, "\n</script>\n");
}

static ms_status put_part(ms_outfile *out, const ms_page *page, const char *part, size_t length,
                          ms_error *err)
{
  if (strncmp(part, "style", length) == 0)
    put_file(out, &ms_web_style);
  else if (strncmp(part, "data", length) == 0)
    return put_data(out, page, err);
  else if (strncmp(part, "cytoscape", length) == 0)
    put_cytoscape(out);
  else if (strncmp(part, "script", length) == 0)
    put_file(out, &ms_web_script);
  return MS_OK;
}

ms_status ms_page_write(ms_outfile *out, const ms_page *page, ms_error *err)
{
  const char *at = (const char *)ms_web_page.bytes, *end = at + ms_web_page.size, *mark;
  while ((mark = memmem(at, (size_t)(end - at), "{{", 2))) {
    const char *part = mark + 2, *stop = memmem(part, (size_t)(end - part), "}}", 2);
    if (!stop)
      break;
    ms_outfile_write(out, at, (size_t)(mark - at));
    MS_TRY(put_part(out, page, part, (size_t)(stop - part), err));
    at = stop + 2;
  }
  ms_outfile_write(out, at, (size_t)(end - at));
  return MS_OK;
}
