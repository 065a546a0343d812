/* Strict parsing of option values: the whole text must be a value.  Each function returns false if
 * it is not. */
#ifndef MS_CLI_NUMBERS_H
#define MS_CLI_NUMBERS_H

#include "motifsieve.h"

/* Parses decimal digits; least <= value <= most. */
bool ms_parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);
/* Parses a finite number. */
bool ms_parse_real(const char *text, double *value);
/* Parses bytes: a number, which K, M, G or T (powers of 1024) may follow, also in the style of
 * "KiB" or "KB"; at least 1. */
bool ms_parse_size(const char *text, uint64_t *bytes);
/* Parses a time into seconds: a number, which s, m (minutes), h or ms may follow; above 0. */
bool ms_parse_duration(const char *text, double *seconds);
/* Formats a size as in "12.3 MiB". */
void ms_format_size(char *text, size_t room, uint64_t bytes);

#endif
