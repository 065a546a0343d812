/* Fields that hold numbers; see numbered.h. */
#include "graph/io/numbered.h"

#include "graph/io/edges.h"
#include "graph/names.h"

#include <stdio.h>

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
