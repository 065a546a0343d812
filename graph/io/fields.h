/* Fields, the parts of a line: splitting and interpreting them. */
#ifndef MS_GRAPH_IO_FIELDS_H
#define MS_GRAPH_IO_FIELDS_H

#include "graph/names.h"

#include <string.h>

static inline bool ms_is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* Returns the field without the blanks around it. */
ms_field ms_field_trim(ms_field field);

/* ---- splitting a line -------------------------------------------------------- */

#define MS_BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define MS_MAX_COLUMNS 64u /* more than any table that is read by its columns has */

/* Splits a line at its tabs, and removes blanks around the fields; returns their number, at most
 * `max`. */
uint32_t ms_line_columns(ms_field line, uint32_t max, ms_field *fields);
/* Removes the next word, which ends at a blank, from the front of *rest; false where there is
 * none. */
bool ms_field_word(ms_field *rest, ms_field *word);
/* Does the same for a field that ends at a tab; without `tabs` a field is a word.  After the
 * last field the text of *rest is NULL. */
bool ms_field_next(ms_field *rest, bool tabs, ms_field *field);

/* Is a quoted field open at the end of the line of CSV, whose fields end at the mark? */
bool ms_csv_is_open(ms_field line, char mark);

/* ---- content ------------------------------------------------------------------- */

static inline bool ms_field_equal(ms_field a, ms_field b)
{
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

bool ms_field_is(ms_field field, const char *text);
/* Are they equal except for the case of ASCII letters? */
bool ms_field_alike(ms_field field, const char *text);
bool ms_field_begins(ms_field field, const char *text);
/* Does the text occur in the field? */
bool ms_field_holds(ms_field field, const char *text);
/* Is the field empty or a sign for a missing value (ms_name_is_missing)? */
bool ms_field_missing(ms_field field);
/* Is it empty or "-", which formats of databases write where a name is missing? */
bool ms_field_absent(ms_field field);
/* Reads a whole number that fills the field and is at most `most`; else false. */
bool ms_field_count(ms_field field, uint64_t most, uint64_t *value);
/* Reads a finite decimal number that fills the field; "inf", "nan" and hexadecimal numbers are
 * refused. */
bool ms_field_real(ms_field field, double *value);
/* Returns the length of STRING's taxon in front of a name, digits and a dot that something
 * follows; else 0. */
size_t ms_field_taxon(ms_field name);

#define MS_NO_COLUMN UINT32_MAX

/* Returns the place in the header, from 0, of the first of the usual names that the header has,
 * whatever its case, or MS_NO_COLUMN.  `usual` ends with NULL. */
uint32_t ms_column_usual(const ms_field *header, uint32_t count, const char *const *usual);

#endif
