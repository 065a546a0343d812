/* Lists of names in the value of an option. */
#ifndef MS_CLI_ITEMS_H
#define MS_CLI_ITEMS_H

#include <stdbool.h>

/* Copies the next item of a comma-separated list to `item`, without its quotes, in which "" stands
 * for one quote; ^ may stand in front of the quotes.  *at moves to the comma behind it, or to the
 * end.  Returns false if a quote has no end, or something other than a comma follows it. */
bool ms_cli_next_item(const char **at, char *item);

#endif
