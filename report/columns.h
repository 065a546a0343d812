/* Columns of a table that a report holds: numbers and names in arrays, which are written as base64
 * so that a browser reads 10^5 rows without parsing them. */
#ifndef MS_REPORT_COLUMNS_H
#define MS_REPORT_COLUMNS_H

#include "base/file/outfile.h"
#include "graph/names.h"

/* What the values of a column are. */
typedef enum ms_column_kind {
  MS_COLUMN_COUNT,    /* whole numbers */
  MS_COLUMN_FLAG,     /* 0 or 1 */
  MS_COLUMN_REAL,     /* doubles; NAN stands for a number that is missing */
  MS_COLUMN_TEXT,     /* a string */
  MS_COLUMN_VERTEX,   /* the name of a vertex */
  MS_COLUMN_DIGITS,   /* a string that is a whole number of any size, in decimal */
  MS_COLUMN_COUNTS,   /* a list of whole numbers in each row */
  MS_COLUMN_TEXTS,    /* a list of strings in each row */
  MS_COLUMN_VERTICES, /* a list of names of vertices in each row */
} ms_column_kind;

/* An array of values that grows. */
typedef struct ms_values {
  uint64_t *at; /* [count] */
  uint64_t count, room;
} ms_values;

typedef struct ms_column {
  const char *name; /* borrowed */
  ms_column_kind kind;
  ms_values values; /* numbers, the bits of doubles, or numbers of strings */
  ms_values ends;   /* of lists: one for each row, the number of values up to its end */
} ms_column;

/* MS_ERR_MEMORY: there is no room. */
ms_status ms_values_add(ms_values *values, uint64_t value, ms_error *err);
void ms_column_free(ms_column *column);
static inline bool ms_column_is_list(const ms_column *column)
{
  return column->kind >= MS_COLUMN_COUNTS;
}

/* These write JSON.  An array of numbers is ["u8", BASE64], with the smallest of the types u8, u16,
 * u32 and u64 that holds all of them, or ["f64", BASE64], little-endian. */
void ms_put_numbers(ms_outfile *out, const uint64_t *numbers, uint64_t count);
void ms_put_reals(ms_outfile *out, const uint64_t *bits, uint64_t count);
/* {"name":..,"kind":..,"values":[..]}, and for lists "width":W, if all lists have W values, else
 * "ends":[..]. */
void ms_put_column(ms_outfile *out, const ms_column *column);
/* A JSON string in which no character can end a script element of HTML: '<' is escaped. */
void ms_put_string(ms_outfile *out, const char *text);
/* An array of such strings: all names, in the order of their numbers. */
void ms_put_strings(ms_outfile *out, const ms_names *names);

#endif
