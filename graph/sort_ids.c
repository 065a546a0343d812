#include "graph/sort_ids.h"

#include <stdbool.h>
#include <string.h>

#define VALUE uint32_t
#define SORT_SHORT ms_sort_ids_short
#define SORT_LONG ms_sort_ids_long
#include "graph/sort_template.h"

#define VALUE uint64_t
#define SORT_SHORT ms_sort_keys_short
#define SORT_LONG ms_sort_keys_long
#include "graph/sort_template.h"
