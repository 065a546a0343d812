/* Limits and choices that tests and benchmarks change, so that small cases take every path.  All
 * other code only reads them.  A test writes `ms_hooks.name = value` before a call, and `ms_hooks =
 * ms_hooks_default` in the end.  The plug-in for GPUs has a copy of its own, and no test changes
 * it.
 */
#ifndef MS_BASE_HOOKS_H
#define MS_BASE_HOOKS_H

#include "base/integrity.h"

typedef struct ms_hook_table {
#define HOOK(type, name, value) type name;
#include "base/hooks_template.h"
#undef HOOK
} ms_hook_table;

extern ms_hook_table ms_hooks;
extern const ms_hook_table ms_hooks_default;

#endif
