/* What the header of a result says, as JSON. */
#ifndef MS_REPORT_HEAD_H
#define MS_REPORT_HEAD_H

#include "result/header.h"

#include <jansson.h>

/* Returns the fields of the header as the JSON form of the result has them, with those of its end
 * if `end` is set; NULL: there is no memory.  JSON needs UTF-8, which paths and damaged files need
 * not be, so bytes that are not are shown as escapes. */
json_t *ms_json_of_head(const ms_result_header *header, bool end);

#endif
