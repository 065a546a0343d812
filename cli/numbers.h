/* Strict parsing of option values: the whole text or nothing. */
#ifndef MS_CLI_NUMBERS_H
#define MS_CLI_NUMBERS_H

#include "motifsieve.h"

/* Decimal digits only, least <= value <= most. */
bool ms_parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *value);
/* A finite number. */
bool ms_parse_real(const char *text, double *value);
/* Bytes: a number with K, M, G or T (powers of 1024) after it, "KiB" or "KB"
 * style endings allowed; at least 1. */
bool ms_parse_size(const char *text, uint64_t *bytes);
/* Seconds: a number with nothing, s, m (minutes), h or ms after it; above 0. */
bool ms_parse_duration(const char *text, double *seconds);
/* "12.3 MiB". */
void ms_format_size(char *text, size_t room, uint64_t bytes);

#endif
