/* The judges of results in memory that have no file which ms_verify_file reads: components, paths
 * and mined motifs. */
#ifndef MS_VERIFY_MEMORY_H
#define MS_VERIFY_MEMORY_H

#include "motifsieve.h"

/* Fills in what is known before the first row. */
void ms_memory_begin(ms_verify_report *report);

/* Refuses the result; the first reason counts. */
void ms_memory_refuse(ms_verify_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a check.  `status` is MS_OK after a whole one, and otherwise why it ended; `complete`: the
 * result says that no row is missing, which the check has shown.  Returns an error other than the
 * end by a stop token. */
ms_status ms_memory_end(ms_verify_report *report, ms_status status, bool complete);

#endif
