/* Inside verify/: the header lines that all results in TSV share. */
#ifndef MS_VERIFY_RESULT_TSV_H
#define MS_VERIFY_RESULT_TSV_H

#include "verify/result.h"

/* The rest of the next line, which must begin with `label`; NULL and a refusal
 * otherwise. */
char *ms_tsv_expect(ms_result *result, const char *label);
/* Does the next line begin so?  Does not read it. */
bool ms_tsv_comes(const ms_result *result, const char *label);
/* Refuse what was read last. */
ms_status ms_tsv_wrong(ms_result *result, const char *what);

/* Take " name=" and the word behind it into word[room]. */
bool ms_tsv_take_setting(const char **text, const char *name, char *word, size_t room);
/* Take "PATH crc32c=CRC" from the front of *text.  The path, which is cut off
 * in place, may itself hold blanks and equal signs: it ends at the last
 * " crc32c=". */
bool ms_tsv_take_file(char *text, ms_result_file *file, const char **rest);
/* A number and nothing else. */
bool ms_tsv_count(const char *text, uint64_t *value);

/* The first line, which names the command. */
ms_status ms_tsv_read_command(ms_result *result);
/* The next lines: the graph, the colours and how they were read. */
ms_status ms_tsv_read_inputs(ms_result *result);
/* A setting on a line of its own, "# taxon: 559292", that stands there only
 * where it was used: verbatim to the end of the line, never empty. */
ms_status ms_tsv_read_setting(ms_result *result, const char *label, const char **value);
/* "# directed: 1", or nothing. */
ms_status ms_tsv_read_directed(ms_result *result, bool *directed);
/* A file on a line of its own that stands there only where it was used,
 * "# alias: PATH crc32c=CRC". */
ms_status ms_tsv_read_file(ms_result *result, const char *label, ms_part part,
                           ms_result_file *file);
/* The lines about the sieve, which an exact result does not have. */
ms_status ms_tsv_read_sieve(ms_result *result);
/* Of typed matches: all between the command and the names of the columns. */
ms_status ms_tsv_read_typed(ms_result *result);

#endif
