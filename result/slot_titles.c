/* Titles of the columns of a motif's slots. */
#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "result/columns.h"

#include <stdio.h>
#include <string.h>

#define NUMBER_BYTES 12 /* of _4294967295 with its end */

/* True if one is the title of a slot, and the other that of its labels. */
static bool are_slot_and_labels(const char *slot, const char *labels)
{
  size_t length = strlen(slot);
  return strncmp(slot, labels, length) == 0 && strcmp(labels + length, MS_LABEL_COLUMN) == 0;
}

/* True if one of title[count], or another column, has the title. */
static bool is_title_used(const ms_result_header *h, const char *const *title, uint32_t count,
                          const char *text)
{
  ms_row_columns columns = ms_row_columns_of(h);
  const ms_result_column *column = ms_row_columns_find(&columns, text);
  bool used = (column && !ms_column_is_spread(h, column)) ||
              (h->has & MS_HAS_SECTIONS && strcmp(text, MS_MOTIF_COLUMN) == 0);
  for (uint32_t d = 0; d < count && !used; d++)
    used = strcmp(title[d], text) == 0 || (h->labels.path && (are_slot_and_labels(title[d], text) ||
                                                              are_slot_and_labels(text, title[d])));
  return used;
}

ms_status ms_slot_titles(const ms_query *query, const ms_result_header *h, const char **title,
                         char **text, ms_error *err)
{
  size_t bytes = 0;
  for (uint32_t d = 0; d < h->k; d++)
    bytes += strlen(ms_query_slot_name(query, d)) + NUMBER_BYTES;
  char *at = *text = ms_alloc(bytes, 1);
  if (!at)
    return ms_fail_memory(err, "the titles of columns");
  for (uint32_t d = 0; d < h->k; d++) {
    const char *name = ms_query_slot_name(query, d);
    uint32_t same = 0, number = 0;
    for (uint32_t e = 0; e < h->k; e++)
      same += strcmp(ms_query_slot_name(query, e), name) == 0;
    strcpy(at, name);
    while ((same > 1 && number == 0) || is_title_used(h, title, d, at))
      snprintf(at, strlen(name) + NUMBER_BYTES, "%s_%u", name, ++number);
    title[d] = at;
    at += strlen(at) + 1;
  }
  return MS_OK;
}
