/* Lists of names in the value of an option. */
#ifndef MS_CLI_ITEMS_H
#define MS_CLI_ITEMS_H

#include "motifsieve.h"

#include <stdbool.h>

/* Copies the next item of a comma-separated list to `item`, without its quotes, in which "" stands
 * for one quote; ^ may stand in front of the quotes.  *at moves to the comma behind it, or to the
 * end.  Returns false if a quote has no end, or something other than a comma follows it. */
bool ms_cli_next_item(const char **at, char *item);

typedef struct ms_cli_items {
  const char **name; /* [count] in the order of the list */
  uint32_t count;
  char *text; /* of the names */
} ms_cli_items;

/* Reads the colours of --colors-only; text NULL: no items.  ms_cli_items_free must follow, even
 * after a failure. */
ms_status ms_cli_read_only(const char *text, ms_cli_items *items, ms_error *err);
void ms_cli_items_free(ms_cli_items *items);

#endif
